"""Normal noise."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Self, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import erf, expit, log_ndtr, ndtr, ndtri, ndtri_exp

from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number, array, count, number, scalar_or_array, seeded
from dpcore.guarantees import (
    ApproximateDP,
    Guarantee,
    ProbabilisticDP,
    ZeroConcentratedDP,
    gaussian_rho,
    gaussian_rho_from_probabilistic,
)
from dpcore.mechanisms._evidence import ContinuousEvidence, Evidence, TwoWorlds, weighed
from dpcore.mechanisms.additive import ContinuousNoise, log_tail_allowed
from dpcore.mechanisms.losses import LossParts


@call_hint(
    epsilon="the rho for an (epsilon, delta) is dpcore.guarantees.gaussian_rho(epsilon=…, delta=…)",
    delta="the rho for an (epsilon, delta) is dpcore.guarantees.gaussian_rho(epsilon=…, delta=…)",
    std="or from a standard deviation as Gaussian.from_std(std)",
    sigma="or from a standard deviation as Gaussian.from_std(std)",
    scale="or from a standard deviation as Gaussian.from_std(std)",
)
@dataclass(frozen=True, kw_only=True)
class Gaussian(ContinuousNoise):
    """Normal noise with variance sensitivity^2/(2 rho).

    The promise is for one step, which moves the number by the sensitivity at most.
    Source: bun_steinke, Proposition 1.6

    Parameters
    ----------
    rho : float; zCDP budget of the release, above 0
    sensitivity : float, optional; largest change (Euclidean) of the published number by one person, above 0

    Examples
    --------
    >>> Gaussian(rho=0.5).std
    1.0
    """

    name = "gaussian"
    label = "Gaussian noise"
    short = "Gaussian"
    spellings = ("Gaussian", "continuous Gaussian", "Gauss", "normal", "Gaussian, ρ", "Gaussian (rho)")
    letter = "g"
    budget_kind = "rho"
    measurement = "gaussian"
    log_power = 2
    is_spherical = True
    variance_power = 1.0

    rho: float
    sensitivity: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "rho", number("rho", self.rho, 0.0, open_low=True))
        object.__setattr__(self, "sensitivity", number("sensitivity", self.sensitivity, 0.0, open_low=True))

    @classmethod
    def from_std(cls, std: float, *, sensitivity: float = 1.0) -> Gaussian:
        """The mechanism with the given standard deviation; its rho is sensitivity^2/(2 std^2)."""
        size = number("sensitivity", sensitivity, 0.0, open_low=True)
        return cls(rho=(size / number("std", std, 0.0, open_low=True)) ** 2 / 2, sensitivity=size)

    @property
    def guarantee(self) -> ZeroConcentratedDP:
        """Zero-concentrated DP with this rho."""
        return ZeroConcentratedDP(rho=self.rho)

    @property
    def variance(self) -> float:
        """sensitivity^2/(2 rho)."""
        return self.sensitivity**2 / (2 * self.rho)

    @property
    def mean_absolute(self) -> float:
        """std sqrt(2/pi)."""
        return self.std * math.sqrt(2 / math.pi)

    @classmethod
    def _rho_under(cls, guarantee: Guarantee) -> float:
        """Exactly calibrated for approximate and for probabilistic DP (balle_wang, Theorem 8)."""
        if isinstance(guarantee, ApproximateDP) and guarantee.delta > 0:
            return float(gaussian_rho(epsilon=guarantee.epsilon, delta=guarantee.delta))
        if isinstance(guarantee, ProbabilisticDP) and guarantee.delta > 0:
            return float(gaussian_rho_from_probabilistic(epsilon_prime=guarantee.epsilon, delta_prime=guarantee.delta))
        return super()._rho_under(guarantee)

    def mean_absolute_about(self, shift: float) -> float:
        """Mean of |noise + shift| for a shift of at least 0."""
        return shift + 2 * normal_excess(number("shift", shift, 0.0), self.std)

    def half_width_of_mean(self, terms: int, *, level: float) -> float:
        """Smallest h with P[|mean of so many independent noises| <= h] of at least the level: it is normal."""
        return float(self.half_width(level)) / math.sqrt(count("terms", terms, 1))

    def log_difference_tail(self, other: Self, distance: FloatArray) -> FloatArray:
        """log P[noise - other noise >= distance]: the difference is normal."""
        return np.asarray(log_ndtr(-distance / math.hypot(self.std, other.std)))

    @overload
    def log_pdf(self, value: Number) -> float: ...
    @overload
    def log_pdf(self, value: ArrayLike) -> FloatArray: ...
    def log_pdf(self, value: ArrayLike) -> Any:
        """Log density at a value of the noise."""
        z = array("value", value) / self.std
        return scalar_or_array(-z * z / 2 - math.log(self.std) - 0.5 * math.log(2 * math.pi), value)

    @overload
    def log_tail(self, value: Number) -> float: ...
    @overload
    def log_tail(self, value: ArrayLike) -> FloatArray: ...
    def log_tail(self, value: ArrayLike) -> Any:
        """log P[noise >= value]."""
        return scalar_or_array(log_ndtr(-array("value", value) / self.std), value)

    def _rarely_within(self, width: FloatArray, within: FloatArray) -> FloatArray:
        return np.asarray(erf(width / (self.std * math.sqrt(2))))

    def _log_quantile(self, log_probability: FloatArray) -> FloatArray:
        return self.std * ndtri_exp(log_probability)

    def simulate_noise(self, size: int | tuple[int, ...], *, seed: int | np.random.Generator) -> FloatArray:
        """Seeded draws of the noise, for teaching and checking; not for release."""
        return seeded(seed).normal(0.0, self.std, size)

    @overload
    def privacy_loss_cdf(self, loss: Number) -> float: ...
    @overload
    def privacy_loss_cdf(self, loss: ArrayLike) -> FloatArray: ...
    def privacy_loss_cdf(self, loss: ArrayLike) -> Any:
        """P[Z <= loss], person present: Z is normal with mean rho and variance 2 rho."""
        return scalar_or_array(np.exp(log_ndtr((array("loss", loss) - self.rho) / math.sqrt(2 * self.rho))), loss)

    def as_one(self, releases: int) -> Gaussian:
        """One release with the sum of their rho tells as much."""
        return replace(self, rho=releases * self.rho)

    def loss_parts(self) -> LossParts:
        """The exact privacy loss of one release: normal."""
        return LossParts(rho=self.rho)

    def _evidence(self, strength: FloatArray) -> Evidence:
        return _GaussianEvidence(strength)

    @classmethod
    def stds(cls, strength: FloatArray) -> FloatArray:
        """Standard deviation at each strength."""
        return np.asarray(np.sqrt(0.5 / strength))

    @classmethod
    def half_widths(cls, strength: FloatArray, *, level: FloatArray) -> FloatArray:
        """The h with P[|noise| <= h] equal to the level, at each strength."""
        return np.asarray(-ndtri_exp(log_tail_allowed(level)) * np.sqrt(0.5 / strength))

    @classmethod
    def strengths_for_width(cls, width: FloatArray, *, level: FloatArray) -> FloatArray:
        """The strength whose half width at the level is the width."""
        return np.asarray(ndtri_exp(log_tail_allowed(level)) ** 2 / (2 * width * width))

    @classmethod
    def log_variance_slope(cls, log_strength: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(log(-dV/dx), its derivative in log x) of the variance V at the strength x."""
        return -math.log(2) - 2 * log_strength, np.full(np.shape(log_strength), -2.0)

    @classmethod
    def log_strength_of_slope(cls, target: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(log of the strength at which log(-dV/dx) is the target, the slope there)."""
        return (-math.log(2) - target) / 2, np.full(np.shape(target), -2.0)

    @classmethod
    def log_strength_of_std(cls, wanted: float) -> float:
        """log of the strength at which the noise has the standard deviation."""
        return -math.log(2) - 2 * math.log(wanted)


def normal_excess(shift: float, std: float) -> float:
    """E[(noise - shift)+] of normal noise, 1/sqrt(2 pi) std at 0."""
    t = shift / std
    return std * max(math.exp(-0.5 * t * t) / math.sqrt(2 * math.pi) - t * float(ndtr(-t)), 0.0)


_STANDARD = np.arange(-18, 19) / 2  # places of a trapezoidal rule in standard deviations
_STANDARD_WEIGHTS = np.exp(-(_STANDARD**2) / 2) / np.exp(-(_STANDARD**2) / 2).sum()
_LOGISTIC = np.arange(-160, 81) / 2  # places of a trapezoidal rule against the logistic density
_LOGISTIC_WEIGHTS = 0.5 * expit(_LOGISTIC) * expit(-_LOGISTIC)


def average_logistic_of_normal(odds: FloatArray, mean: FloatArray, std: FloatArray) -> FloatArray:
    """E[expit(odds + Z)] for normal Z, to about 14 digits also where it is tiny.

    A trapezoidal rule in Z where its deviation is at most one; else over the logistic variable L, of which the average
    is P[L < odds + Z] and all but the cut tails lie in a fixed stretch. Where the odds are so far below zero that the
    belief is its own small exponential, that is taken out: E[expit(x)] = E[exp(x)] E'[expit(-x)], Z tilted by one.
    """
    odds, mean, std = np.broadcast_arrays(odds + mean, mean, std)
    narrow = weighed(_STANDARD_WEIGHTS, expit(odds[..., None] + np.minimum(std, 1.0)[..., None] * _STANDARD))
    if (std <= 1).all():
        return narrow
    tilted = odds < -std * std / 2
    centre = np.where(tilted, -(odds + std * std), odds)
    wide = weighed(_LOGISTIC_WEIGHTS, ndtr((centre[..., None] - _LOGISTIC) / std[..., None]))
    scale = np.exp(np.where(tilted, odds + std * std / 2, 0.0))
    return np.minimum(np.where(std <= 1, narrow, scale * wide), 1.0)


class _GaussianEvidence(ContinuousEvidence):
    """Normal noise of variance 1/(2 rate): the evidence is normal with mean ± rate and variance 2 rate."""

    named = "Gaussian"
    adds_up = True

    def loss(self, gap: FloatArray) -> FloatArray:
        return self.rate * (2 * gap - 1)

    def log_law(self, noise: FloatArray) -> FloatArray:
        return 0.5 * np.log(self.rate / math.pi) - self.rate * noise * noise

    def threshold(self, odds: FloatArray) -> FloatArray:
        return 0.5 - odds / (2 * self.rate)

    def at_least(self, noise: FloatArray) -> FloatArray:
        return np.exp(log_ndtr(-noise * np.sqrt(2 * self.rate)))

    def average(self, odds: FloatArray, counted: int) -> FloatArray:
        return average_logistic_of_normal(odds, (2 * counted - 1) * self.rate, np.sqrt(2 * self.rate))

    def loss_quantile(self, share: float, counted: int) -> FloatArray:
        return (2 * counted - 1) * self.rate + np.sqrt(2 * self.rate) * ndtri(share)

    def tie(self, odds: FloatArray, counted: int) -> FloatArray:
        return np.zeros(np.broadcast(odds, self.rate).shape)

    def jumps(self, size: float, low: float, high: float) -> FloatArray:
        """None: the threshold moves smoothly."""
        return np.empty(0)

    def log_transform(self, s: NDArray[Any]) -> NDArray[Any]:
        return self.rate * s * (s + 1)

    def two_cells(self) -> TwoWorlds:
        """The difference of two normal noises is one normal noise of twice the variance, moved by two."""
        return _GaussianEvidence(2 * self.rate)
