"""Additive noise: what is asked of every one, and what whole and continuous noise answer alike."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore._checks import FloatArray, Number, array, probability, scalar_or_array
from dpcore.guarantees import PureDP, ZeroConcentratedDP
from dpcore.mechanisms.losses import IntArray


class NoiseMechanism(ABC):
    """What every additive mechanism answers; the noise is symmetric about zero.

    The promise is for one step, which moves the number by the sensitivity at most.

    Examples
    --------
    >>> from dpcore.mechanisms import Laplace, RandomizedResponse
    >>> isinstance(Laplace(epsilon=1.0), NoiseMechanism), isinstance(RandomizedResponse(epsilon=1.0), NoiseMechanism)
    (True, False)
    """

    @property
    @abstractmethod
    def variance(self) -> float:
        """Variance of the noise."""

    @property
    @abstractmethod
    def guarantee(self) -> PureDP | ZeroConcentratedDP:
        """The guarantee a release with this noise gives, in its native definition."""

    @property
    @abstractmethod
    def mean_absolute(self) -> float:
        """Mean absolute size of the noise."""

    @abstractmethod
    def log_tail(self, value: ArrayLike) -> Any:
        """log P[noise >= value]."""

    @abstractmethod
    def quantile(self, level: ArrayLike) -> Any:
        """Smallest value v with P[noise <= v] of at least the given probability."""

    @abstractmethod
    def half_width(self, level: ArrayLike) -> Any:
        """Smallest h with P[|noise| <= h] of at least `level`, in [0, 1): the central range is value +- h."""

    @abstractmethod
    def simulate_noise(self, size: int | tuple[int, ...], *, seed: int | np.random.Generator) -> Any:
        """Seeded draws of the noise, for teaching and checking; not for release."""

    @property
    @abstractmethod
    def probability_exact(self) -> float:
        """Probability that a published count is exactly right (continuous noise: after rounding to a whole number)."""

    @property
    def std(self) -> float:
        """Standard deviation of the noise; the root mean square error of a published count."""
        return math.sqrt(self.variance)

    @overload
    def tail(self, value: Number) -> float: ...
    @overload
    def tail(self, value: ArrayLike) -> FloatArray: ...
    def tail(self, value: ArrayLike) -> Any:
        """P[noise >= value]."""
        return scalar_or_array(np.exp(np.asarray(self.log_tail(value))), value)

    @overload
    def cdf(self, value: Number) -> float: ...
    @overload
    def cdf(self, value: ArrayLike) -> FloatArray: ...
    def cdf(self, value: ArrayLike) -> Any:
        """P[noise <= value]; by symmetry P[noise >= -value]."""
        return self.tail(np.negative(np.asarray(value)) if np.ndim(value) else -value)  # type: ignore[operator]

    @overload
    def log_cdf(self, value: Number) -> float: ...
    @overload
    def log_cdf(self, value: ArrayLike) -> FloatArray: ...
    def log_cdf(self, value: ArrayLike) -> Any:
        """log P[noise <= value]."""
        return self.log_tail(np.negative(np.asarray(value)) if np.ndim(value) else -value)  # type: ignore[operator]

    @abstractmethod
    def log_survival(self, value: ArrayLike) -> Any:
        """log P[noise > value]."""

    @overload
    def survival(self, value: Number) -> float: ...
    @overload
    def survival(self, value: ArrayLike) -> FloatArray: ...
    def survival(self, value: ArrayLike) -> Any:
        """P[noise > value]."""
        return scalar_or_array(np.exp(np.asarray(self.log_survival(value))), value)

    @overload
    def probability_within(self, half_width: Number) -> float: ...
    @overload
    def probability_within(self, half_width: ArrayLike) -> FloatArray: ...
    def probability_within(self, half_width: ArrayLike) -> Any:
        """P[|noise| <= half_width]."""
        width = array("half_width", half_width, 0.0)
        outside = 2 * np.exp(np.asarray(self.log_survival(width)))
        return scalar_or_array(np.maximum(1 - outside, 0.0), half_width)


class WholeNoise(NoiseMechanism):
    """Whole-number noise: tails start at the next integer, and quantiles are integers.

    The promise is for one step, which moves the number by the sensitivity at most.

    Examples
    --------
    >>> from dpcore.mechanisms import DiscreteGaussian, Laplace
    >>> isinstance(DiscreteGaussian(rho=0.1), WholeNoise), isinstance(Laplace(epsilon=1.0), WholeNoise)
    (True, False)
    """

    @abstractmethod
    def log_pmf(self, value: ArrayLike) -> Any:
        """Log probability of an integer value of the noise."""

    @abstractmethod
    def _farthest(self) -> float:
        """An integer beyond which the tail is zero in floats."""

    @overload
    def pmf(self, value: Number) -> float: ...
    @overload
    def pmf(self, value: ArrayLike) -> FloatArray: ...
    def pmf(self, value: ArrayLike) -> Any:
        """Probability of an integer value of the noise."""
        return scalar_or_array(np.exp(np.asarray(self.log_pmf(value))), value)

    @overload
    def log_survival(self, value: Number) -> float: ...
    @overload
    def log_survival(self, value: ArrayLike) -> FloatArray: ...
    def log_survival(self, value: ArrayLike) -> Any:
        """log P[noise > value] = log P[noise >= floor(value) + 1]."""
        return scalar_or_array(np.asarray(self.log_tail(np.floor(array("value", value)) + 1)), value)

    def _smallest_with_survival(self, log_allowed: FloatArray) -> FloatArray:
        """Smallest integer v with log P[noise > v] of at most the allowed log probability."""
        return self._first_integer(
            *self._survival_bracket(log_allowed), lambda v: np.asarray(self.log_tail(v + 1)) <= log_allowed
        )

    def _survival_bracket(self, log_allowed: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Integers below and from which on log P[noise > v] is at most the allowed log probability."""
        return np.full(log_allowed.shape, -self._farthest()), np.full(log_allowed.shape, self._farthest())

    def _first_integer(
        self, low: FloatArray, high: FloatArray, holds: Callable[[FloatArray], NDArray[np.bool_]]
    ) -> FloatArray:
        """Smallest integer in (low, high] at which a rising condition holds, by bisection; beyond 2^53, a float."""
        while True:
            middle = np.floor(low / 2 + high / 2)
            if ((middle <= low) | (middle >= high) | (high - low <= 1)).all():
                return high
            enough = holds(middle)
            low, high = np.where(enough, low, middle), np.where(enough, middle, high)

    @overload
    def quantile(self, level: Number) -> int: ...
    @overload
    def quantile(self, level: ArrayLike) -> IntArray: ...
    def quantile(self, level: ArrayLike) -> Any:
        """Smallest integer v with P[noise <= v] of at least the given probability, in (0, 1); exact."""
        p = probability("level", level, open_low=True, open_high=True)
        upper = self._smallest_with_survival(np.log1p(-p))
        # Below one half work with P[noise <= v] itself: P[noise <= v] = P[noise >= -v], by symmetry.
        log_p = np.log(p)
        farthest = np.full(p.shape, self._farthest())
        lower = self._first_integer(-farthest, farthest, lambda v: np.asarray(self.log_tail(-v)) >= log_p)
        return _whole(np.where(p > 0.5, upper, lower), level)

    @overload
    def half_width(self, level: Number) -> int: ...
    @overload
    def half_width(self, level: ArrayLike) -> IntArray: ...
    def half_width(self, level: ArrayLike) -> Any:
        """Smallest integer h with P[|noise| <= h] of at least `level`, in [0, 1); exact."""
        p = probability("level", level, open_high=True)
        return _whole(np.maximum(self._smallest_with_survival(np.log1p(-p) - math.log(2)), 0.0), level)

    @property
    def probability_exact(self) -> float:
        """P[noise = 0]."""
        return float(self.pmf(0))


def _whole(values: FloatArray, argument: ArrayLike) -> Any:
    """Integers: an int for a scalar argument, an array otherwise."""
    return int(values) if np.ndim(argument) == 0 else values.astype(np.int64)


class ContinuousNoise(NoiseMechanism):
    """Continuous noise: a point has probability zero.

    The promise is for one step, which moves the number by the sensitivity at most.

    Examples
    --------
    >>> from dpcore.mechanisms import Laplace
    >>> isinstance(Laplace(epsilon=1.0), ContinuousNoise)
    True
    """

    @overload
    def log_survival(self, value: Number) -> float: ...
    @overload
    def log_survival(self, value: ArrayLike) -> FloatArray: ...
    def log_survival(self, value: ArrayLike) -> Any:
        """log P[noise > value]."""
        return self.log_tail(value)

    @overload
    def half_width(self, level: Number) -> float: ...
    @overload
    def half_width(self, level: ArrayLike) -> FloatArray: ...
    def half_width(self, level: ArrayLike) -> Any:
        """The h with P[|noise| <= h] equal to `level`, in [0, 1); exact."""
        p = probability("level", level, open_high=True)
        return scalar_or_array(-np.asarray(self._log_quantile(np.log1p(-p) - math.log(2))) + 0.0, level)

    @overload
    def quantile(self, level: Number) -> float: ...
    @overload
    def quantile(self, level: ArrayLike) -> FloatArray: ...
    def quantile(self, level: ArrayLike) -> Any:
        """The value v with P[noise <= v] equal to the given probability, in (0, 1); exact."""
        p = probability("level", level, open_low=True, open_high=True)
        lower = np.asarray(self._log_quantile(np.log(np.minimum(p, 0.5))))
        upper = -np.asarray(self._log_quantile(np.log1p(-np.maximum(p, 0.5))))
        return scalar_or_array(np.where(p <= 0.5, lower, upper), level)

    @abstractmethod
    def _log_quantile(self, log_probability: FloatArray) -> FloatArray:
        """The value v of at most zero with log P[noise <= v] as given, at most log(1/2)."""

    @property
    def probability_exact(self) -> float:
        """P[|noise| < 1/2]: the count is right after rounding to a whole number."""
        return float(self.probability_within(0.5))
