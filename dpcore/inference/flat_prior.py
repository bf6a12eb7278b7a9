"""The flat prior without constraints, in closed form: moments, evidence and exact draws."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaincinv

from dpcore import _checks
from dpcore._checks import FloatArray
from dpcore.inference.models import FlatPrior, ImproperPosteriorError, NoisyMoments, propriety


def cut_laplace_moments(centre: float, rate: float) -> tuple[float, float]:
    """First and second moment of Laplace(centre, 1/rate) cut to (0, infinity).

    It reads a release: the promise stays that of the two numbers, about the value of one record (n is public).
    """
    if centre <= 0:
        return 1.0 / rate, 2.0 / rate**2
    tail = 0.5 * math.exp(-rate * centre)
    mass = 1.0 - tail
    # whole-line moments less those of the part below zero, which is exponential
    return (centre + tail / rate) / mass, (centre**2 + 2.0 / rate**2 - tail * 2.0 / rate**2) / mass


def log_flat_evidence(n: int, variance: float, rate: float) -> float:
    """Log evidence of the flat prior without constraints: (n-1)/(n-3) times the chance of a positive sample variance.

    It reads a release: the promise stays that of the two numbers, about the value of one record (n is public). The log
    keeps its digits where a very negative release leaves a chance that no number holds.
    """
    log_positive = math.log1p(-0.5 * math.exp(-rate * variance)) if variance >= 0 else rate * variance - math.log(2.0)
    return math.log((n - 1) / (n - 3)) + log_positive


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
    Source: ours, S^2 given its release is Laplace cut to the half line, sigma^2 = (n-1) S^2/chi^2 with n-3 degrees

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
    rate = n * release.epsilon_variance
    first, _ = cut_laplace_moments(release.unit_variance, rate)
    exists = n > 5
    mean_variance = (n - 1) / (n - 5) * first if exists else None
    variance_mean = None if mean_variance is None else mean_variance / n + 2.0 / (n * release.epsilon_mean) ** 2
    spread = None
    if mean_variance is not None and variance_mean is not None:
        spread = width * math.sqrt(mean_variance + variance_mean)
    return FlatClosedForm(
        width**2 * first,
        None if mean_variance is None else width**2 * mean_variance,
        release.mean if n > 4 else None,
        None if variance_mean is None else width**2 * variance_mean,
        spread,
        math.exp(log_flat_evidence(n, release.unit_variance, rate)),
    )


def draw_flat_unconstrained(
    release: NoisyMoments, size: int, *, seed: int | np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Independent exact draws of (mu, sigma^2) under the flat prior without constraints; a simulation.

    It reads a release: the promise stays that of the two numbers, about the value of one record (n is public).
    Source: ours, cut Laplace, scaled inverse chi-squared, Laplace plus normal: no quadrature and no chain

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
    n, centre, rate = release.n, release.unit_variance, release.n * release.epsilon_variance
    below = 0.5 * math.exp(-rate * centre) if centre > 0 else 1.0
    uniform = generator.random(count)
    if centre <= 0:
        sample = -np.log1p(-uniform) / rate
    else:
        p = below + uniform * (1.0 - below)
        with np.errstate(divide="ignore"):
            sample = centre + np.where(p < 0.5, np.log(2.0 * p), -np.log(2.0 * (1.0 - p))) / rate
    chi = 2.0 * gammaincinv(0.5 * (n - 3), generator.random(count))
    v = (n - 1) * np.maximum(sample, 0.0) / chi
    mu = (
        release.unit_mean
        + generator.laplace(0.0, 1.0 / (n * release.epsilon_mean), count)
        + np.sqrt(v / n) * generator.standard_normal(count)
    )
    return release.lower + release.width * mu, release.width**2 * v
