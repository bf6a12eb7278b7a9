"""Two-sided geometric noise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number, array, count, number, refuse_fractions, scalar_or_array, seeded
from dpcore.guarantees import PureDP
from dpcore.mechanisms.additive import WholeNoise
from dpcore.mechanisms.losses import IntArray, LossAtoms


@overload
def geometric_log_tail(value: Number, *, rate: Number) -> float: ...
@overload
def geometric_log_tail(value: ArrayLike, *, rate: ArrayLike) -> FloatArray: ...
@call_hint
def geometric_log_tail(value: ArrayLike, *, rate: ArrayLike) -> float | FloatArray:
    """Log probability that two-sided geometric noise of a rate is at least a value.

    A law of noise makes no promise by itself: that depends on how far one step moves the number. The value is log
    P[noise >= value], exact: e^(-rate k)/(1 + e^-rate) for k >= 1, k the next integer.
    Source: ghosh, Definition 2.3

    Parameters
    ----------
    value : array_like; real; the tail starts at the next integer
    rate : array_like; fall of the log probability per unit of noise, at least 0 (the limit of ever wider noise);
        broadcast

    Examples
    --------
    >>> round(math.exp(geometric_log_tail(1, rate=math.log(9))), 12)
    0.1
    """
    k, fall = np.ceil(array("value", value)), array("rate", rate, 0.0)
    start = np.where(k > 0, k, 1 - k)
    log_upper = -fall * start - np.log1p(np.exp(-fall))
    return scalar_or_array(np.where(k > 0, log_upper, np.log1p(-np.exp(log_upper))), value, rate)


@call_hint(
    rho="it is Gaussian and DiscreteGaussian that have a rho",
    scale="or from a scale as Geometric.from_scale(scale)",
    std="or from a standard deviation as dpcore.accuracy.noise_for_std(std, 'geometric')",
    sigma="or from a standard deviation as dpcore.accuracy.noise_for_std(std, 'geometric')",
)
@dataclass(frozen=True, kw_only=True)
class Geometric(WholeNoise):
    """Two-sided geometric noise for counts: P[noise = z] proportional to e^(-rate |z|), rate = epsilon/sensitivity.

    The promise is for one step, which moves the number by the sensitivity at most.
    Source: ghosh, Definition 2.3; thesis, section 3.2

    Parameters
    ----------
    epsilon : float; pure-DP budget of the release, above 0
    sensitivity : int, optional; largest change of the count by one person, a whole number of at least 1

    Examples
    --------
    >>> noise = Geometric(epsilon=math.log(9))
    >>> round(noise.std, 2), round(noise.cdf(-1), 12)
    (0.53, 0.1)
    """

    epsilon: float
    sensitivity: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", number("epsilon", self.epsilon, 0.0, open_low=True))
        object.__setattr__(self, "sensitivity", count("sensitivity", self.sensitivity, 1))

    @classmethod
    def from_scale(cls, scale: float, *, sensitivity: int = 1) -> Geometric:
        """The mechanism with P[noise = z] proportional to e^(-|z|/scale); its epsilon is sensitivity/scale."""
        return cls(
            epsilon=count("sensitivity", sensitivity, 1) / number("scale", scale, 0.0, open_low=True),
            sensitivity=sensitivity,
        )

    @property
    def rate(self) -> float:
        """Fall of the log probability per unit of noise: epsilon/sensitivity."""
        return self.epsilon / self.sensitivity

    @property
    def guarantee(self) -> PureDP:
        """Pure DP with this epsilon."""
        return PureDP(epsilon=self.epsilon)

    @property
    def variance(self) -> float:
        """2 e^-rate/(1 - e^-rate)^2 = 1/(2 sinh^2(rate/2))."""
        if self.rate > 1400:
            return 0.0
        return (
            0.5 / math.sinh(self.rate / 2) / math.sinh(self.rate / 2) if self.rate < 700 else 2 * math.exp(-self.rate)
        )

    @property
    def std(self) -> float:
        """1/(sqrt(2) sinh(rate/2)), finite where the variance overflows."""
        return math.sqrt(0.5) / math.sinh(self.rate / 2) if self.rate < 1400 else 0.0

    @property
    def mean_absolute(self) -> float:
        """1/sinh(rate)."""
        return 1 / math.sinh(self.rate) if self.rate < 700 else 2 * math.exp(-self.rate)

    @property
    def _log_decay_sum(self) -> float:
        """log(1 + e^-rate)."""
        return math.log1p(math.exp(-self.rate))

    @overload
    def log_pmf(self, value: Number) -> float: ...
    @overload
    def log_pmf(self, value: ArrayLike) -> FloatArray: ...
    def log_pmf(self, value: ArrayLike) -> Any:
        """log of tanh(rate/2) e^(-rate |value|)."""
        z = array("value", value)
        refuse_fractions("value", z)
        return scalar_or_array(math.log(-math.expm1(-self.rate)) - self._log_decay_sum - self.rate * np.abs(z), value)

    @overload
    def log_tail(self, value: Number) -> float: ...
    @overload
    def log_tail(self, value: ArrayLike) -> FloatArray: ...
    def log_tail(self, value: ArrayLike) -> Any:
        """log P[noise >= value]: e^(-rate k)/(1 + e^-rate) for k >= 1, k the next integer."""
        return geometric_log_tail(value, rate=self.rate)

    def _farthest(self) -> float:
        return math.floor(800 / self.rate) + 2.0

    def simulate_noise(self, size: int | tuple[int, ...], *, seed: int | np.random.Generator) -> IntArray:
        """Seeded draws of the noise, for teaching and checking; not for release."""
        generator, success = seeded(seed), -math.expm1(-self.rate)
        return generator.geometric(success, size) - generator.geometric(success, size)

    def privacy_loss_atoms(self) -> LossAtoms:
        """Exact law of the privacy loss: rate (D - 2j) for j = 0..D, D the sensitivity.

        For sensitivity 1 it is that of randomised response: +-epsilon.
        """
        size, rate = self.sensitivity, self.rate
        j = np.arange(size, -1, -1, dtype=float)  # values rise
        log_mass = math.log(-math.expm1(-rate)) - rate * j
        log_mass[0], log_mass[-1] = -rate * size, 0.0
        return LossAtoms(-self.epsilon, 2 * rate, 0, log_mass - self._log_decay_sum)


_OF_STD = "or from a standard deviation as dpcore.accuracy.noise_for_std(std, 'geometric')"
