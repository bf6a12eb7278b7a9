"""Laplace noise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number, array, number, scalar_or_array, seeded
from dpcore.guarantees import PureDP
from dpcore.mechanisms.additive import ContinuousNoise


@overload
def laplace_log_tail(value: Number, *, rate: Number) -> float: ...
@overload
def laplace_log_tail(value: ArrayLike, *, rate: ArrayLike) -> FloatArray: ...
@call_hint
def laplace_log_tail(value: ArrayLike, *, rate: ArrayLike) -> float | FloatArray:
    """Log probability that Laplace noise of a rate is at least a value.

    A law of noise makes no promise by itself: that depends on how far one step moves the number. The value is log
    P[noise >= value], exact: e^(-rate value)/2 above 0.
    Source: dwork_roth, Definition 3.3

    Parameters
    ----------
    value : array_like; real
    rate : array_like; fall of the log density per unit of noise, 1/scale, at least 0 (the limit of ever wider noise);
        broadcast

    Examples
    --------
    >>> round(math.exp(laplace_log_tail(1, rate=math.log(5))), 12)
    0.1
    """
    z = array("value", value) * array("rate", rate, 0.0)
    log_half = math.log(0.5) - np.abs(z)
    return scalar_or_array(np.where(z > 0, log_half, np.log1p(-np.exp(log_half))), value, rate)


@call_hint(
    rho="it is Gaussian and DiscreteGaussian that have a rho",
    scale="or from a scale as Laplace.from_scale(scale)",
    std="or from a standard deviation as dpcore.accuracy.noise_for_std(std, 'laplace')",
    sigma="or from a standard deviation as dpcore.accuracy.noise_for_std(std, 'laplace')",
)
@dataclass(frozen=True, kw_only=True)
class Laplace(ContinuousNoise):
    """Laplace noise: density proportional to e^(-|z|/scale), scale = sensitivity/epsilon.

    The promise is for one step, which moves the number by the sensitivity at most.
    Source: dwork_roth, Definition 3.3

    Parameters
    ----------
    epsilon : float; pure-DP budget of the release, above 0
    sensitivity : float, optional; largest change of the published number by one person, above 0

    Examples
    --------
    >>> Laplace(epsilon=0.5).scale
    2.0
    """

    epsilon: float
    sensitivity: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", number("epsilon", self.epsilon, 0.0, open_low=True))
        object.__setattr__(self, "sensitivity", number("sensitivity", self.sensitivity, 0.0, open_low=True))

    @classmethod
    def from_scale(cls, scale: float, *, sensitivity: float = 1.0) -> Laplace:
        """The mechanism with the given scale; its epsilon is sensitivity/scale."""
        return cls(epsilon=sensitivity / number("scale", scale, 0.0, open_low=True), sensitivity=sensitivity)

    @property
    def scale(self) -> float:
        """Scale of the noise: sensitivity/epsilon."""
        return self.sensitivity / self.epsilon

    @property
    def guarantee(self) -> PureDP:
        """Pure DP with this epsilon."""
        return PureDP(epsilon=self.epsilon)

    @property
    def variance(self) -> float:
        """2 scale^2."""
        return 2 * self.scale * self.scale

    @property
    def mean_absolute(self) -> float:
        """The scale."""
        return self.scale

    @overload
    def log_pdf(self, value: Number) -> float: ...
    @overload
    def log_pdf(self, value: ArrayLike) -> FloatArray: ...
    def log_pdf(self, value: ArrayLike) -> Any:
        """Log density at a value of the noise."""
        return scalar_or_array(-np.abs(array("value", value)) / self.scale - math.log(2 * self.scale), value)

    @overload
    def log_tail(self, value: Number) -> float: ...
    @overload
    def log_tail(self, value: ArrayLike) -> FloatArray: ...
    def log_tail(self, value: ArrayLike) -> Any:
        """log P[noise >= value]."""
        return laplace_log_tail(value, rate=self.epsilon / self.sensitivity)

    def _log_quantile(self, log_probability: FloatArray) -> FloatArray:
        return self.scale * (log_probability + math.log(2))

    def simulate_noise(self, size: int | tuple[int, ...], *, seed: int | np.random.Generator) -> FloatArray:
        """Seeded draws of the noise, for teaching and checking; not for release."""
        return seeded(seed).laplace(0.0, self.scale, size)

    @overload
    def privacy_loss_cdf(self, loss: Number) -> float: ...
    @overload
    def privacy_loss_cdf(self, loss: ArrayLike) -> FloatArray: ...
    def privacy_loss_cdf(self, loss: ArrayLike) -> Any:
        """P[Z <= loss], person present: e^((loss - epsilon)/2)/2 on [-epsilon, epsilon), 1 from epsilon on.

        The law has atoms e^-epsilon/2 at -epsilon and 1/2 at epsilon.
        """
        z = array("loss", loss)
        inside = 0.5 * np.exp((np.minimum(z, self.epsilon) - self.epsilon) / 2)
        return scalar_or_array(np.where(z < -self.epsilon, 0.0, np.where(z < self.epsilon, inside, 1.0)), loss)


_OF_STD = "or from a standard deviation as dpcore.accuracy.noise_for_std(std, 'laplace')"
