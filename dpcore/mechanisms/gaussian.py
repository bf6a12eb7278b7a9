"""Normal noise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_ndtr, ndtri_exp

from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number, array, number, scalar_or_array, seeded
from dpcore.guarantees import ZeroConcentratedDP
from dpcore.mechanisms.additive import ContinuousNoise


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

    rho: float
    sensitivity: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "rho", number("rho", self.rho, 0.0, open_low=True))
        object.__setattr__(self, "sensitivity", number("sensitivity", self.sensitivity, 0.0, open_low=True))

    @classmethod
    def from_std(cls, std: float, *, sensitivity: float = 1.0) -> Gaussian:
        """The mechanism with the given standard deviation; its rho is sensitivity^2/(2 std^2)."""
        return cls(rho=(sensitivity / number("std", std, 0.0, open_low=True)) ** 2 / 2, sensitivity=sensitivity)

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


_RHO = "the rho for an (epsilon, delta) is dpcore.guarantees.gaussian_rho(epsilon=…, delta=…)"
_OF_STD = "or from a standard deviation as Gaussian.from_std(std)"
