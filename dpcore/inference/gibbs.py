"""The Gibbs sampler of the thesis with the conjugate update corrected: a cross-check and a teaching view.

The quadrature of `dpcore.inference.bounded` answers; this chain shows what a sampler would have said, and how many
independent draws its output is worth.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaincc, gammainccinv

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore.chains import effective_sample_size
from dpcore.errors import Code, Refused
from dpcore.inference.laws import draw_cut_normal, draw_mixture
from dpcore.inference.models import (
    ConjugatePrior,
    FlatPrior,
    ImproperPosteriorError,
    NoisyMoments,
    PowerPrior,
    Prior,
    propriety,
)


@call_hint
@dataclass(frozen=True)
class CutNormal:
    """Normal law with mean and sd before the cut to (lower, upper); None where there is no cut.

    It reads a release: the promise stays that of the two numbers, about the value of one record (n is public).
    """

    mean: float
    sd: float
    lower: float | None
    upper: float | None


@call_hint
@dataclass(frozen=True)
class CutInverseGamma:
    """Inverse gamma law with shape and rate, cut to (0, upper); None where there is no cut.

    It reads a release: the promise stays that of the two numbers, about the value of one record (n is public).
    """

    shape: float
    rate: float
    upper: float | None


@call_hint
@dataclass(frozen=True)
class InverseGaussian:
    """Inverse Gaussian law with mean and shape.

    It reads a release: the promise stays that of the two numbers, about the value of one record (n is public).
    """

    mean: float
    shape: float


@call_hint
@dataclass(frozen=True)
class MixtureParameters:
    """Parameters of the truncated gamma mixture; `upper` is None where there is no cut.

    It reads a release: the promise stays that of the two numbers, about the value of one record (n is public).
    """

    shape: float
    rate: float
    noise_rate: float
    centre: float
    upper: float | None


def _check_prior(prior: Prior) -> None:
    _checks.kind_of("prior", prior, Prior, "a FlatPrior, PowerPrior or ConjugatePrior")


def _shape(n: int, prior: FlatPrior | PowerPrior) -> float:
    """Shape of the inverse gamma law of sigma^2 given all else; refused where there is none."""
    shape = 0.5 * n - 1.0 + prior.power
    if shape <= 0:
        rule = f"be greater than {2.0 - 2.0 * prior.power:g} for sigma^2 to have a law under this prior"
        raise Refused("n", rule, n, Code.OUT_OF_RANGE)
    return shape


def _feasible_interval(variance: float) -> tuple[float, float]:
    """Interval of means that allow a variance within [0, 1]."""
    low = variance / (0.5 + math.sqrt(max(0.25 - variance, 0.0)))
    return low, 1.0 - low


@call_hint
def conditional_mean(*, n: int, variance: float, sample_mean: float, prior: Prior, constrained: bool) -> CutNormal:
    """Law of mu given sigma^2 and the sample mean, on the unit scale.

    It reads a release: the promise stays that of the two numbers, about the value of one record (n is public).
    Source: thesis, section 4.9.1

    Examples
    --------
    >>> from dpcore.inference.models import FlatPrior
    >>> conditional_mean(n=4, variance=0.16, sample_mean=0.5, prior=FlatPrior(), constrained=False).sd
    0.2
    """
    size, v = _checks.count("n", n, 2), _checks.number("variance", variance, 0.0, open_low=True)
    y = _checks.number("sample_mean", sample_mean)
    _check_prior(prior)
    lower, upper = None, None
    if constrained:
        _checks.number("variance", v, 0.0, 0.25, open_low=True)
        lower, upper = _feasible_interval(v)
    if isinstance(prior, ConjugatePrior):
        total = size + prior.mean_weight
        return CutNormal((size * y + prior.mean_weight * prior.mean) / total, math.sqrt(v / total), lower, upper)
    return CutNormal(y, math.sqrt(v / size), lower, upper)


@call_hint
def conditional_variance(
    *, n: int, mean: float, sample_mean: float, sample_variance: float, prior: Prior, constrained: bool
) -> CutInverseGamma:
    """Law of sigma^2 given mu and the confidential moments, on the unit scale, without the thesis's cap.

    It reads a release: the promise stays that of the two numbers, about the value of one record (n is public). Under
    the conjugate prior the printed update leaves out the factor normal(mu; m, sigma^2/k): the shape gains a half and
    the rate k (mu - m)^2 / 2 here, so that the chain targets the stated prior.
    Source: thesis, section 4.9.1; ours, the conjugate update with the prior of mu included; checked by the quadrature

    Examples
    --------
    >>> from dpcore.inference.models import FlatPrior
    >>> conditional_variance(n=5, mean=0.5, sample_mean=0.5, sample_variance=0.1, prior=FlatPrior(), constrained=True)
    CutInverseGamma(shape=1.5, rate=0.2, upper=0.25)
    """
    size = _checks.count("n", n, 2)
    mu, y = _checks.number("mean", mean), _checks.number("sample_mean", sample_mean)
    s = _checks.number("sample_variance", sample_variance, 0.0)
    if constrained:
        _checks.number("mean", mu, 0.0, 1.0)
        _checks.number("sample_mean", y, 0.0, 1.0)
        _checks.number("sample_variance", s, 0.0, size / (4.0 * (size - 1)))
    _check_prior(prior)
    total = (size - 1) * s + size * (y - mu) ** 2
    upper = mu * (1.0 - mu) if constrained else None
    if isinstance(prior, ConjugatePrior):
        w, k = prior.variance_weight, prior.mean_weight
        rate = 0.5 * (w * prior.variance + total + k * (mu - prior.mean) ** 2)
        return CutInverseGamma(0.5 * (size + w + 1), rate, upper)
    if total == 0.0:
        raise Refused("sample_variance", "be greater than 0 where both means are equal", s, Code.OUT_OF_RANGE)
    return CutInverseGamma(_shape(size, prior), 0.5 * total, upper)


@call_hint
def conditional_sample_mean(
    *,
    n: int,
    mean: float,
    variance: float,
    noisy_mean: float,
    inverse_omega2: float,
    sample_variance: float,
    constrained: bool,
) -> CutNormal:
    """Law of the confidential sample mean given everything else, on the unit scale.

    It reads a release: the promise stays that of the two numbers, about the value of one record (n is public).
    Source: thesis, section 4.9.1

    Examples
    --------
    >>> conditional_sample_mean(
    ...     n=4, mean=0.0, variance=1.0, noisy_mean=1.0, inverse_omega2=4.0, sample_variance=0.1, constrained=False
    ... ).mean
    0.5
    """
    size = _checks.count("n", n, 2)
    data = size / _checks.number("variance", variance, 0.0, open_low=True)
    noise = _checks.number("inverse_omega2", inverse_omega2, 0.0, open_low=True)
    mu, at = _checks.number("mean", mean), _checks.number("noisy_mean", noisy_mean)
    s = _checks.number("sample_variance", sample_variance, 0.0)
    lower, upper = None, None
    if constrained:
        _checks.number("sample_variance", s, 0.0, size / (4.0 * (size - 1)))
        lower, upper = _feasible_interval((size - 1) / size * s)
    return CutNormal((noise * at + data * mu) / (noise + data), (noise + data) ** -0.5, lower, upper)


@call_hint
def conditional_inverse_omega2(
    *, n: int, epsilon_mean: float, noisy_mean: float, sample_mean: float
) -> InverseGaussian:
    """Law of the inverse latent scale 1/omega^2 that makes the Laplace noise a mixture of normals.

    It reads a release: the promise stays that of the two numbers, about the value of one record (n is public).
    Source: thesis, section 4.9.1

    Examples
    --------
    >>> conditional_inverse_omega2(n=10, epsilon_mean=2.0, noisy_mean=1.0, sample_mean=0.5).mean
    40.0
    """
    rate = _checks.count("n", n, 2) * _checks.number("epsilon_mean", epsilon_mean, 0.0, open_low=True)
    gap = abs(_checks.number("noisy_mean", noisy_mean) - _checks.number("sample_mean", sample_mean))
    return InverseGaussian(rate / gap if gap > 0 else math.inf, rate**2)


@call_hint
def conditional_sample_variance(
    *, n: int, variance: float, epsilon_variance: float, noisy_variance: float, sample_mean: float, constrained: bool
) -> MixtureParameters:
    """Law of the confidential sample variance given everything else, on the unit scale.

    It reads a release: the promise stays that of the two numbers, about the value of one record (n is public).
    Source: thesis, section 4.9.1

    Examples
    --------
    >>> conditional_sample_variance(
    ...     n=5, variance=0.1, epsilon_variance=1.0, noisy_variance=0.1, sample_mean=0.5, constrained=True
    ... ).upper
    0.3125
    """
    size, v = _checks.count("n", n, 2), _checks.number("variance", variance, 0.0, open_low=True)
    rate = size * _checks.number("epsilon_variance", epsilon_variance, 0.0, open_low=True)
    at = _checks.number("noisy_variance", noisy_variance)
    y = _checks.number("sample_mean", sample_mean, *((0.0, 1.0) if constrained else ()))
    upper = size / (size - 1) * y * (1.0 - y) if constrained else None
    return MixtureParameters(0.5 * (size - 1), 0.5 * (size - 1) / v, rate, at, upper)


@call_hint
@dataclass(frozen=True, eq=False)
class Chains:
    """Output of the sampler: draws of shape (chains, draws) in the units of the release, and what they are worth.

    It reads a release: the promise stays that of the two numbers, about the value of one record (n is public).

    Attributes
    ----------
    mean, variance
        Draws of mu and of sigma^2.
    effective_draws_mean, effective_draws_variance
        Independent draws all chains together are worth, an estimate.

    Examples
    --------
    >>> from dpcore.inference.models import FlatPrior
    >>> release = NoisyMoments(n=43, mean=0.34, variance=0.22, epsilon_mean=0.25, epsilon_variance=0.25)
    >>> drawn = gibbs(release, FlatPrior(), constrained=True, draws=5, chains=2, warm_up=5, seed=1)
    >>> drawn.variance.shape, bool((drawn.variance < 0.25).all())
    ((2, 5), True)
    """

    mean: FloatArray
    variance: FloatArray

    @property
    def effective_draws_mean(self) -> float:
        """Independent draws of mu the chains are worth."""
        return effective_sample_size(self.mean)

    @property
    def effective_draws_variance(self) -> float:
        """Independent draws of sigma^2 the chains are worth."""
        return effective_sample_size(self.variance)


@call_hint
def gibbs(
    release: NoisyMoments,
    prior: Prior,
    *,
    constrained: bool,
    draws: int,
    chains: int = 1,
    warm_up: int = 500,
    seed: int | np.random.Generator,
) -> Chains:
    """Correlated draws of mu and sigma^2 by the thesis's Gibbs sampler, conjugate update corrected; a simulation.

    It reads a release: the promise stays that of the two numbers, about the value of one record (n is public).
    Source: thesis, Algorithm 2; ours, the conjugate update with the prior of mu included

    Parameters
    ----------
    release, prior, constrained
        As for `posterior`.
    draws : int; draws kept per chain, at least 1
    chains : int; chains run side by side, vectorised
    warm_up : int; draws thrown away first
    seed : int or numpy.random.Generator; source of randomness

    Raises
    ------
    ImproperPosteriorError
        When there is no proper posterior: a chain would run and look normal for a while.

    Examples
    --------
    >>> from dpcore.inference.models import FlatPrior
    >>> release = NoisyMoments(n=43, mean=0.34, variance=0.22, epsilon_mean=0.25, epsilon_variance=0.25)
    >>> gibbs(release, FlatPrior(), constrained=True, draws=20, seed=1).mean.shape
    (1, 20)
    """
    decision = propriety(release.n, prior, constrained=constrained)
    if not decision.proper:
        raise ImproperPosteriorError(decision.reason, prior)
    n, width = release.n, release.width
    conjugate = prior.on_unit_scale(release.lower, release.upper) if isinstance(prior, ConjugatePrior) else None
    shape_v = 0.5 * (n + prior.variance_weight + 1) if isinstance(prior, ConjugatePrior) else _shape(n, prior)
    kept = _checks.count("draws", draws, 1)
    width_of = _checks.count("chains", chains, 1)
    thrown = _checks.count("warm_up", warm_up, 0)
    generator = _checks.seeded(seed)
    mean_rate, variance_rate = release.laplace_rates
    noisy_mean, noisy_variance = release.unit_mean, release.unit_variance
    shape_s = 0.5 * (n - 1)

    ones = np.ones(width_of)
    v = min(max(noisy_variance, 0.01), 0.2) * ones
    s = v.copy()
    y = min(max(noisy_mean, 0.35), 0.65) * ones if constrained else noisy_mean * ones
    mu = y.copy()
    precision = mean_rate**2 / 2.0 * ones
    result = np.empty((2, width_of, kept))
    for step in range(-thrown, kept):
        # mu given sigma^2 and the sample mean
        if conjugate:
            total = n + conjugate.mean_weight
            centre, sd = (n * y + conjugate.mean_weight * conjugate.mean) / total, np.sqrt(v / total)
        else:
            centre, sd = y, np.sqrt(v / n)
        if constrained:
            low = v / (0.5 + np.sqrt(np.maximum(0.25 - v, 0.0)))
            mu = draw_cut_normal(generator, centre, sd, low, 1.0 - low)
        else:
            mu = centre + sd * generator.standard_normal(width_of)
        # sigma^2: its inverse is gamma, cut from below under constraints
        rate = 0.5 * ((n - 1) * s + n * (y - mu) ** 2)
        if conjugate:
            rate = rate + 0.5 * (
                conjugate.variance_weight * conjugate.variance + conjugate.mean_weight * (mu - conjugate.mean) ** 2
            )
        v = _draw_cut_inverse_gamma(generator, shape_v, rate, mu * (1.0 - mu) if constrained else None)
        # sample mean, a cut normal given the latent noise scale
        data = n / v
        spread = (precision + data) ** -0.5
        centre = (precision * noisy_mean + data * mu) * spread**2
        if constrained:
            held = (n - 1.0) / n * s
            low = held / (0.5 + np.sqrt(np.maximum(0.25 - held, 0.0)))
            y = draw_cut_normal(generator, centre, spread, low, 1.0 - low)
        else:
            y = centre + spread * generator.standard_normal(width_of)
        # latent noise scale, then the sample variance
        precision = generator.wald(mean_rate / np.maximum(np.abs(noisy_mean - y), 1e-12), mean_rate**2)
        upper = n / (n - 1.0) * y * (1.0 - y) if constrained else np.full(width_of, np.inf)
        s = draw_mixture(generator, shape_s, shape_s / v, variance_rate, noisy_variance, upper)
        if step >= 0:
            result[0, :, step], result[1, :, step] = mu, v
    return Chains(release.lower + width * result[0], width**2 * result[1])


def _draw_cut_inverse_gamma(
    generator: np.random.Generator, shape: float, rate: FloatArray, upper: FloatArray | None
) -> FloatArray:
    """Inverse gamma draws, cut to (0, upper) when given."""
    if upper is None:
        return np.asarray(rate / generator.gamma(shape, 1.0, rate.shape))
    edge = rate / upper
    share = gammaincc(shape, edge)
    uniform = 1.0 - generator.random(rate.shape)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        drawn = gammainccinv(shape, uniform * share)
        slope = np.maximum(1.0 - (shape - 1.0) / edge, 1e-3)
    drawn = np.where(share < 1e-280, edge - np.log(uniform) / slope, drawn)
    return np.asarray(np.minimum(rate / np.maximum(drawn, edge), upper))
