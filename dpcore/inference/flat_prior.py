"""The flat prior without constraints, in closed form: moments, evidence and exact draws."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaincinv

from dpcore import _checks
from dpcore._checks import FloatArray
from dpcore.inference.models import FlatPrior, ImproperPosteriorError, NoisyMoments, propriety


@dataclass(frozen=True)
class FlatClosedForm:
    """Closed forms of the flat prior without constraints, in the units of the release.

    It reads a release: the promise stays that of the two numbers, about the value of one record (n is public).

    Attributes
    ----------
    mean_sample_variance
        Posterior mean of the confidential sample variance.
    mean_variance
        Posterior mean of sigma^2; None for n <= 5.
    mean_mean
        Posterior mean of mu: the released mean; None for n = 4.
    variance_mean
        Posterior variance of mu; None for n <= 5.
    predictive_sd
        Standard deviation of a new observation; None for n <= 5.
    evidence
        Integral of prior times likelihood on the unit scale.

    Examples
    --------
    >>> release = NoisyMoments(n=20, mean=0.3, variance=0.2, epsilon_mean=0.5, epsilon_variance=0.5)
    >>> flat_closed_form(release).mean_mean
    0.3
    """

    mean_sample_variance: float
    mean_variance: float | None
    mean_mean: float | None
    variance_mean: float | None
    predictive_sd: float | None
    evidence: float


def flat_closed_form(release: NoisyMoments) -> FlatClosedForm:
    """Exact moments of the flat-prior posterior without constraints.

    It reads a release: the promise stays that of the two numbers, about the value of one record (n is public).
    Source: thesis, Theorem 18
    Source: ours, S^2 given its release is the law of the noise cut to the half line, sigma^2 = (n-1) S^2/chi^2 with n-3
        degrees

    Raises
    ------
    ImproperPosteriorError
        For n <= 3 (Theorem 18).

    Examples
    --------
    >>> release = NoisyMoments(n=20, mean=0.3, variance=-0.05, epsilon_mean=0.5, epsilon_variance=0.5)
    >>> round(flat_closed_form(release).mean_sample_variance, 12)
    0.1
    """
    decision = propriety(release.n, FlatPrior(), constrained=False)
    if not decision.proper:
        raise ImproperPosteriorError(decision.reason, FlatPrior())
    n, width = release.n, release.width
    noisy_mean, noisy_variance = release.measurements(bounded=False)
    log_positive, first, _ = noisy_variance.positive_part()
    exists = n > 5
    mean_variance = (n - 1) / (n - 5) * first if exists else None
    variance_mean = None if mean_variance is None else mean_variance / n + noisy_mean.noise_variance
    spread = None
    if mean_variance is not None and variance_mean is not None:
        spread = width * math.sqrt(mean_variance + variance_mean)
    return FlatClosedForm(
        width**2 * first,
        None if mean_variance is None else width**2 * mean_variance,
        release.mean if n > 4 else None,
        None if variance_mean is None else width**2 * variance_mean,
        spread,
        (n - 1) / (n - 3) * math.exp(log_positive),
    )


def draw_flat_unconstrained(
    release: NoisyMoments, size: int, *, seed: int | np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Independent exact draws of (mu, sigma^2) under the flat prior without constraints; a simulation.

    It reads a release: the promise stays that of the two numbers, about the value of one record (n is public).
    Source: ours, cut noise, scaled inverse chi-squared, noise plus normal: no quadrature and no chain

    Parameters
    ----------
    release : NoisyMoments; with n of at least 4
    size : int; number of draws
    seed : int or numpy.random.Generator; source of randomness

    Raises
    ------
    ImproperPosteriorError
        For n <= 3 (Theorem 18).

    Examples
    --------
    >>> release = NoisyMoments(n=20, mean=0.3, variance=0.05, epsilon_mean=0.5, epsilon_variance=0.5)
    >>> mu, variance = draw_flat_unconstrained(release, 1000, seed=1)
    >>> bool((variance > 0).all())
    True
    """
    decision = propriety(release.n, FlatPrior(), constrained=False)
    if not decision.proper:
        raise ImproperPosteriorError(decision.reason, FlatPrior())
    generator = _checks.seeded(seed)
    count = _checks.count("size", size, 1)
    n, (noisy_mean, noisy_variance) = release.n, release.measurements(bounded=False)
    sample = noisy_variance.draw_positive(count, generator)
    chi = 2.0 * gammaincinv(0.5 * (n - 3), generator.random(count))
    v = (n - 1) * np.maximum(sample, 0.0) / chi
    mu = release.unit_mean + noisy_mean.draw_noise(count, generator) + np.sqrt(v / n) * generator.standard_normal(count)
    return release.lower + release.width * mu, release.width**2 * v
