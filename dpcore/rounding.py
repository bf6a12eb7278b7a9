"""Rounding that keeps a promise true: bounds outward, budgets down, needed budgets up, on decimal digits.

A printed bound must still be a bound, and a printed budget must still keep the promise it was computed from. So an
upper bound on a risk is rounded up, a lower bound down, an affordable epsilon or rho down, and a budget needed for an
accuracy up. Numbers within 1e-12 (relative) of a decimal count as that decimal: it is the error of the computation.
"""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore._checks import array, count, number
from dpcore.errors import Code, Refused

_COMPUTED_TO = Decimal("1e-12")


def _rounded(value: float, digits: int, direction: str, significant: bool) -> float:
    number("value", value, allow_infinite=True)
    places = count("digits", digits, 1 if significant else 0, 300)
    if not math.isfinite(value) or value == 0:
        return float(value)
    exact = Decimal(repr(float(value)))
    unit = Decimal(1).scaleb(exact.adjusted() - places + 1 if significant else -places)
    nearest = _to_unit(exact, unit, ROUND_HALF_EVEN)
    if abs(nearest - exact) <= _COMPUTED_TO * abs(exact):
        return float(nearest)
    return float(_to_unit(exact, unit, direction))


def _interval(lower: float, upper: float) -> None:
    if not number("lower", lower, allow_infinite=True) <= number("upper", upper, allow_infinite=True):
        raise Refused("lower", "be at most upper", lower, Code.WRONG_ORDER)


def _to_unit(value: Decimal, unit: Decimal, direction: str) -> Decimal:
    """The multiple of a power of ten next to the value, without a limit on its number of digits."""
    return (
        (value / unit).to_integral_value(rounding=direction) * unit
        if value.adjusted() - unit.adjusted() < 25
        else value
    )


def round_up(value: float, digits: int, *, significant: bool = False) -> float:
    """The smallest decimal with `digits` decimals (or significant digits) that is at least the value.

    Arithmetic: no promise belongs to it; whether a digit may go up or down the number's own says. The decimal, as a
    float. Use it for upper bounds on a risk and for budgets that an accuracy needs.
    Source: ours, thesis Example 6 prints 52 % for 52.498 %, which is no bound

    Parameters
    ----------
    value : float; any number; infinities stay
    digits : int; number of decimals, from 0 to 300; with `significant`, of significant digits, from 1
    significant : bool, optional; count significant digits instead of decimals

    Examples
    --------
    >>> round_up(0.5249839, 2), round_up(0.13000000000000003, 2)
    (0.53, 0.13)
    """
    return _rounded(value, digits, ROUND_CEILING, significant)


def round_down(value: float, digits: int, *, significant: bool = False) -> float:
    """The largest decimal with `digits` decimals (or significant digits) that is at most the value.

    Arithmetic: no promise belongs to it; whether a digit may go up or down the number's own says. The decimal, as a
    float. Use it for lower bounds and for budgets a promise allows. The parameters are those of `round_up`.
    Source: ours, mirror of `round_up`

    Examples
    --------
    >>> round_down(1.2992829841302609, 2), round_down(0.00012345, 2, significant=True)
    (1.29, 0.00012)
    """
    return _rounded(value, digits, ROUND_FLOOR, significant)


def round_outward(lower: float, upper: float, digits: int, *, significant: bool = False) -> tuple[float, float]:
    """An interval of decimals that contains the given one: the lower end rounded down, the upper end up.

    Arithmetic: no promise belongs to it; whether a digit may go up or down the number's own says. The two decimals.
    Source: ours, see `round_up`

    Parameters
    ----------
    lower, upper : float; ends of an interval, lower at most upper
    digits, significant : int or bool; as in `round_up`

    Examples
    --------
    >>> round_outward(0.47502, 0.52498, 2)
    (0.47, 0.53)
    """
    _interval(lower, upper)
    return round_down(lower, digits, significant=significant), round_up(upper, digits, significant=significant)


def round_inward(lower: float, upper: float, digits: int, *, significant: bool = False) -> tuple[float, float]:
    """An interval of decimals inside the given one, for ranges that must not promise too much.

    Arithmetic: no promise belongs to it; whether a digit may go up or down the number's own says. The two decimals.
    Source: ours, mirror of `round_outward`

    Parameters
    ----------
    lower, upper : float; ends of an interval, lower at most upper
    digits, significant : int or bool; as in `round_up`

    Examples
    --------
    >>> round_inward(0.1234, 0.5678, 2)
    (0.13, 0.56)
    """
    _interval(lower, upper)
    low, high = round_up(lower, digits, significant=significant), round_down(upper, digits, significant=significant)
    if low > high:
        raise Refused("digits", "leave a decimal inside the interval", digits, Code.INFEASIBLE)
    return low, high


def largest_remainders(weights: ArrayLike, *, total: int) -> NDArray[np.int64]:
    """Whole numbers in proportion to weights that add up to `total`: whole parts first, then the largest remainders.

    Arithmetic: no promise belongs to it. The earlier weight comes first on ties; a part within 1e-9 of a whole number
    counts as that.
    Source: ours, the method of Hamilton

    Parameters
    ----------
    weights : array of float; at least 0, not all 0
    total : int; what the whole numbers add up to, at most 10^15

    Examples
    --------
    >>> largest_remainders([0.6, 0.3, 0.1], total=5).tolist(), largest_remainders([1, 1, 1], total=100).tolist()
    ([3, 2, 0], [34, 33, 33])
    """
    shares = np.atleast_1d(array("weights", weights, 0.0))
    if shares.ndim != 1 or not shares.any():
        raise Refused("weights", "have positive mass", shares.tolist(), Code.EMPTY)
    shares = np.ldexp(shares, -np.frexp(shares.max())[1])  # exact, and the sum is a float
    wanted = count("total", total, 0, 10**15) * shares / shares.sum()
    whole = np.floor(wanted + 1e-9).astype(np.int64)
    whole[np.argsort(-(wanted - whole), kind="stable")[: int(total) - int(whole.sum())]] += 1
    return whole
