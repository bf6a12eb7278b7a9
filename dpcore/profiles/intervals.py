"""Arithmetic of intervals with slopes: what an expression and its two partial derivatives can be over a whole box.

Arrays of boxes at once. Every result is rounded outwards, so the true range is always inside.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore._checks import FloatArray

_RELATIVE = 4 * np.finfo(float).eps  # exp, log and powers are good to an ulp or two, not correctly rounded


@dataclass(frozen=True)
class Interval:
    """Closed intervals, one per box."""

    low: FloatArray
    high: FloatArray

    @classmethod
    def of(cls, low: FloatArray, high: FloatArray) -> Interval:
        """The interval; where an end is not a number nothing is known."""
        return cls(
            np.where(np.isnan(low), -np.inf, low),
            np.where(np.isnan(high), np.inf, high),
        )

    @classmethod
    def outward(cls, low: FloatArray, high: FloatArray, keep_zero: NDArray[np.bool_] | bool = False) -> Interval:
        """The interval one rounding wider; an exact zero stays where `keep_zero` says it is exact."""
        down, up = np.nextafter(low, -np.inf), np.nextafter(high, np.inf)
        return cls.of(
            np.where((low == 0.0) & keep_zero, 0.0, down),
            np.where((high == 0.0) & keep_zero, 0.0, up),
        )

    def __add__(self, other: Interval) -> Interval:
        return Interval.outward(self.low + other.low, self.high + other.high, True)  # a sum that is 0 is exact

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def __sub__(self, other: Interval) -> Interval:
        return self + (-other)

    def __mul__(self, other: Interval) -> Interval:
        if self.low.min() >= 0.0 and other.low.min() >= 0.0:  # the common case, at a third of the price
            low, high = self.low * other.low, self.high * other.high
            zero_high = (self.high == 0.0) | (other.high == 0.0)
            low = np.where((self.low == 0.0) | (other.low == 0.0), 0.0, np.maximum(np.nextafter(low, -np.inf), 0.0))
            return Interval(low, np.where(zero_high, 0.0, np.nextafter(high, np.inf)))
        products = [
            np.where((left == 0.0) | (right == 0.0), 0.0, left * right)
            for left in (self.low, self.high)
            for right in (other.low, other.high)
        ]
        low = np.minimum(np.minimum(products[0], products[1]), np.minimum(products[2], products[3]))
        high = np.maximum(np.maximum(products[0], products[1]), np.maximum(products[2], products[3]))
        no_sign_change = ((self.low >= 0.0) | (self.high <= 0.0)) & ((other.low >= 0.0) | (other.high <= 0.0))
        exact_low = no_sign_change & (low == 0.0) & (high >= 0.0)
        exact_high = no_sign_change & (high == 0.0) & (low <= 0.0)
        wider = Interval.outward(low, high)
        return Interval(np.where(exact_low, 0.0, wider.low), np.where(exact_high, 0.0, wider.high))

    def reciprocal(self) -> Interval:
        """One over the interval; everything where 0 lies strictly inside."""
        with np.errstate(divide="ignore"):
            low = np.where(self.high == 0.0, -np.inf, 1.0 / self.high)
            high = np.where(self.low == 0.0, np.inf, 1.0 / self.low)
        unknown = ((self.low < 0.0) & (self.high > 0.0)) | ((self.low == 0.0) & (self.high == 0.0))
        wider = Interval.outward(low, high, True)  # 1 / infinity is the limit 0
        return Interval(np.where(unknown, -np.inf, wider.low), np.where(unknown, np.inf, wider.high))

    def __truediv__(self, other: Interval) -> Interval:
        return self * other.reciprocal()

    def rising(self, function: Callable[[FloatArray], FloatArray]) -> Interval:
        """The image under a rising function whose float version is good to two ulps."""
        with np.errstate(all="ignore"):
            low, high = function(self.low), function(self.high)
            return Interval.of(
                np.where(np.isinf(low), low, low - _RELATIVE * np.abs(low)),
                np.where(np.isinf(high), high, high + _RELATIVE * np.abs(high)),
            )

    def magnitude(self) -> Interval:
        """Absolute values."""
        crosses = (self.low < 0.0) & (self.high > 0.0)
        low, high = np.abs(self.low), np.abs(self.high)
        return Interval(np.where(crosses, 0.0, np.minimum(low, high)), np.maximum(low, high))

    def clipped(self, low: float = -np.inf, high: float = np.inf) -> Interval:
        """The part inside [low, high]; where there is none, the nearer end."""
        return Interval(np.clip(self.low, low, high), np.clip(self.high, low, high))

    def hull(self, other: Interval) -> Interval:
        """The smallest interval that holds both."""
        return Interval(np.minimum(self.low, other.low), np.maximum(self.high, other.high))

    def where(self, condition: NDArray[np.bool_], other: Interval) -> Interval:
        """This interval where the condition holds, the other elsewhere."""
        return Interval(np.where(condition, self.low, other.low), np.where(condition, self.high, other.high))


NO_SLOPE = Interval(np.zeros(()), np.zeros(()))
Slope = Interval | None  # None where the derivative is exactly 0 everywhere


def _sum(left: Slope, right: Slope) -> Slope:
    if left is None or right is None:
        return right if left is None else left
    return left + right


def _scaled(slope: Slope, factor: Interval) -> Slope:
    return None if slope is None else slope * factor


@dataclass(frozen=True)
class Sloped:
    """A quantity over boxes: its range and the ranges of its two partial derivatives."""

    value: Interval
    by_membership: Slope
    by_value: Slope

    @classmethod
    def constant(cls, value: float) -> Sloped:
        """A number, the same in every box."""
        fixed = np.asarray(float(value))
        return cls(Interval(fixed, fixed), None, None)

    def _chain(self, value: Interval, factor: Interval) -> Sloped:
        return Sloped(value, _scaled(self.by_membership, factor), _scaled(self.by_value, factor))

    def __add__(self, other: Sloped) -> Sloped:
        return Sloped(
            self.value + other.value,
            _sum(self.by_membership, other.by_membership),
            _sum(self.by_value, other.by_value),
        )

    def __neg__(self) -> Sloped:
        return Sloped(
            -self.value,
            None if self.by_membership is None else -self.by_membership,
            None if self.by_value is None else -self.by_value,
        )

    def __sub__(self, other: Sloped) -> Sloped:
        return self + (-other)

    def __mul__(self, other: Sloped) -> Sloped:
        return Sloped(
            self.value * other.value,
            _sum(_scaled(self.by_membership, other.value), _scaled(other.by_membership, self.value)),
            _sum(_scaled(self.by_value, other.value), _scaled(other.by_value, self.value)),
        )

    def reciprocal(self) -> Sloped:
        """One over the quantity."""
        inverse = self.value.reciprocal()
        return self._chain(inverse, -(inverse * inverse))

    def __truediv__(self, other: Sloped) -> Sloped:
        return self * other.reciprocal()

    def exp(self) -> Sloped:
        """The exponential."""
        value = self.value.rising(np.exp).clipped(low=0.0)
        return self._chain(value, value)

    def log(self) -> Sloped:
        """The natural logarithm, of the part of the range above 0."""
        inside = self.value.clipped(low=0.0)
        return self._chain(inside.rising(np.log), inside.reciprocal())

    def sqrt(self) -> Sloped:
        """The square root, of the part of the range above 0."""
        value = self.value.clipped(low=0.0).rising(np.sqrt).clipped(low=0.0)
        return self._chain(value, Interval(np.asarray(0.5), np.asarray(0.5)) * value.reciprocal())

    def abs(self) -> Sloped:
        """The absolute value."""
        one = np.ones(self.value.low.shape)
        sign = Interval(np.where(self.value.low > 0.0, one, -one), np.where(self.value.high < 0.0, -one, one))
        return self._chain(self.value.magnitude(), sign)

    def power(self, exponent: float) -> Sloped:
        """A constant power; of the part of the range above 0 when the exponent is not whole."""
        if exponent == 0.0:
            return Sloped.constant(1.0)
        if exponent < 0.0:
            return self.power(-exponent).reciprocal()
        if exponent == 1.0:
            return self
        slope_size = Sloped.constant(exponent).value
        if exponent != int(exponent):
            inside = self.value.clipped(low=0.0)
            value = inside.rising(lambda x: np.power(x, exponent)).clipped(low=0.0)
            if exponent > 1.0:
                below = inside.rising(lambda x: np.power(x, exponent - 1.0)).clipped(low=0.0)
            else:
                below = inside.rising(lambda x: np.power(x, 1.0 - exponent)).clipped(low=0.0).reciprocal()
            return self._chain(value, slope_size * below)
        return self._chain(
            _whole_power(self.value, int(exponent)), slope_size * _whole_power(self.value, int(exponent) - 1)
        )

    def larger(self, other: Sloped) -> Sloped:
        """The larger of two quantities."""
        value = Interval(np.maximum(self.value.low, other.value.low), np.maximum(self.value.high, other.value.high))
        return self._chosen(other, value, self.value.low >= other.value.high, other.value.low >= self.value.high)

    def smaller(self, other: Sloped) -> Sloped:
        """The smaller of two quantities."""
        return -((-self).larger(-other))

    def _chosen(self, other: Sloped, value: Interval, mine: NDArray[np.bool_], theirs: NDArray[np.bool_]) -> Sloped:
        slopes: list[Slope] = []
        for left, right in ((self.by_membership, other.by_membership), (self.by_value, other.by_value)):
            if left is None and right is None:
                slopes.append(None)
                continue
            left, right = left or NO_SLOPE, right or NO_SLOPE
            slopes.append(left.where(mine, right.where(theirs, left.hull(right))))
        return Sloped(value, *slopes)


def _whole_power(base: Interval, exponent: int) -> Interval:
    """A whole power: rising when odd, even in the magnitude otherwise."""
    if exponent == 0:
        one = np.ones(base.low.shape)
        return Interval(one, one)
    if exponent == 1:
        return base
    inside = base if exponent % 2 else base.magnitude()
    image = inside.rising(lambda x: np.power(x, exponent))
    return image if exponent % 2 else image.clipped(low=0.0)
