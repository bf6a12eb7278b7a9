"""Refusals by name, rule and value: every public function of dpcore checks its input here.

Each check returns the value in the type the caller computes with (a float, an int or a float array) and
raises `dpcore.errors.Refused` with the pattern ``<name> must <rule>; got <value>``. NaN never passes.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from numbers import Integral, Real
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.errors import Code, Refused, shown_value

FloatArray = NDArray[np.float64]
Option = TypeVar("Option", bound=str)
Number = float | np.number[Any]
"""One number, as opposed to an array of them: what a function of numbers answers with one."""


def _shown(value: Any) -> str:
    """How a refused value reads in an error text: shortened."""
    text = shown_value(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _refuse(name: str, rule: str, value: Any, code: Code) -> Refused:
    return Refused(name, rule, value, code, got=_shown(value))


def _not_a_number(name: str, value: Any, *, several: str = "a number") -> Refused:
    """The refusal of what is no number at all, whatever range a number would have to lie in."""
    one = several if isinstance(value, (list, tuple, np.ndarray)) else "a number"
    return _refuse(name, f"be {one}, not text" if isinstance(value, str) else f"be {one}", value, Code.NOT_A_NUMBER)


def _out_of_range(name: str, rule: str, value: Any, low: float, high: float) -> Refused:
    """The refusal of a number outside its interval; of a share that looks like a percentage, with the share it is."""
    number = float(value)
    shown = _shown(value)
    if (low, high) == (0, 1) and 2 <= number <= 100:
        shown += f"; as a share, {number:g} % is {number / 100:g}"
    return Refused(name, rule, value, _outside(number), got=shown)


def _outside(value: float) -> Code:
    """Why a number is not in an interval: because it is none of the finite numbers, or because of its size."""
    return Code.OUT_OF_RANGE if math.isfinite(value) else Code.NOT_FINITE


def interval_rule(low: float, high: float, *, open_low: bool = False, open_high: bool = False) -> str:
    """The words for an interval: 'lie in (0, 1]', 'be at least 0', 'be finite'.

    Examples
    --------
    >>> interval_rule(0, 1, open_low=True)
    'lie in (0, 1]'
    >>> interval_rule(0, math.inf)
    'be at least 0 and finite'
    """
    if high == math.inf and open_high is False:
        if low == -math.inf:
            return "be finite"
        return f"be {'greater than' if open_low else 'at least'} {low:g} and finite"
    return f"lie in {'(' if open_low else '['}{low:g}, {high:g}{')' if open_high else ']'}"


def number(
    name: str,
    value: Any,
    low: float = -math.inf,
    high: float = math.inf,
    *,
    open_low: bool = False,
    open_high: bool = False,
    allow_infinite: bool = False,
) -> float:
    """The value as a float inside the interval; booleans, text, NaN and numbers outside are refused."""
    rule = interval_rule(low, high, open_low=open_low, open_high=open_high)
    if allow_infinite:
        rule = "be a number" if rule == "be finite" else rule.removesuffix(" and finite")
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        raise _not_a_number(name, value, several="one number")
    try:
        result = float(value)
    except OverflowError:  # an integer too large for a float
        raise _refuse(name, rule, value, Code.TOO_LARGE) from None
    if math.isinf(result) and allow_infinite and low <= result <= high:
        return result
    inside = (result > low if open_low else result >= low) and (result < high if open_high else result <= high)
    if not math.isfinite(result) or not inside:
        raise _out_of_range(name, rule, value, low, high)
    return result


def array(
    name: str,
    value: ArrayLike,
    low: float = -math.inf,
    high: float = math.inf,
    *,
    open_low: bool = False,
    open_high: bool = False,
    allow_infinite: bool = False,
) -> FloatArray:
    """The values as a float array, each inside the interval; the first offender is named."""

    def rule() -> str:
        told = interval_rule(low, high, open_low=open_low, open_high=open_high)
        if allow_infinite:
            return "be a number" if told == "be finite" else told.removesuffix(" and finite")
        return told

    try:
        raw = np.asarray(value)
        if (
            raw.dtype == object
            and raw.size
            and all(isinstance(one, Integral) and type(one) is not bool for one in raw.flat)
        ):
            raw = raw.astype(np.float64)  # whole numbers beyond 64 bits
        if raw.dtype == bool or raw.dtype.kind not in "iuf":
            raise TypeError
        result = raw.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise _not_a_number(name, value, several="numbers") from None
    inside = (result > low if open_low else result >= low) & (result < high if open_high else result <= high)
    if not allow_infinite and math.isinf(high - low):  # NaN lies in no interval
        inside &= np.isfinite(result)
    if not inside.all():
        offender = float(result[~inside].flat[0])
        raise _out_of_range(name, rule(), offender, low, high)
    return result


def probability(name: str, value: ArrayLike, *, open_low: bool = False, open_high: bool = False) -> FloatArray:
    """Probabilities in [0, 1] (or open at an end) as a float array of the same shape.

    Examples
    --------
    >>> probability("prior", 1.2)
    Traceback (most recent call last):
        ...
    dpcore.errors.Refused: prior must lie in [0, 1]; got 1.2
    >>> probability("prior", 10)
    Traceback (most recent call last):
        ...
    dpcore.errors.Refused: prior must lie in [0, 1]; got 10.0; as a share, 10 % is 0.1
    """
    return array(name, value, 0.0, 1.0, open_low=open_low, open_high=open_high)


def count(name: str, value: Any, low: int = 0, high: int | None = None) -> int:
    """A whole number in the range; booleans and fractions are refused, 3.0 is taken as 3."""
    rule = f"be a whole number of at least {low}" if high is None else f"be a whole number from {low} to {high}"
    if isinstance(value, str):
        raise _refuse(name, "be a whole number, not text", value, Code.NOT_A_NUMBER)
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        raise _refuse(name, rule, value, Code.NOT_A_NUMBER)
    if not isinstance(value, Integral) and (not math.isfinite(value) or float(value) != math.floor(value)):
        raise _refuse(name, rule, value, Code.NOT_WHOLE if math.isfinite(value) else Code.NOT_FINITE)
    result = int(float(value)) if not isinstance(value, Integral) else int(value)
    if result < low or (high is not None and result > high):
        raise _refuse(name, rule, value, Code.OUT_OF_RANGE)
    return result


def seeded(seed: Any, name: str = "seed") -> np.random.Generator:
    """The generator of a seed, or the one that was given: it goes on where it stands; nothing is drawn without."""
    return seed if isinstance(seed, np.random.Generator) else np.random.default_rng(count(name, seed))


def first_seed(seed: Any) -> int:
    """The first of several seeds in a row: the one that was given, or one that the given generator draws."""
    return int(seed.integers(2**62)) if isinstance(seed, np.random.Generator) else count("seed", seed)


def refuse_fractions(name: str, values: FloatArray, *, as_list: bool = False) -> None:
    """Refuse the first value that is not whole; `as_list` speaks of the name as of several numbers."""
    broken = values != np.floor(values)
    if broken.any():
        offender = float(values[broken].flat[0])
        rule, got = ("be whole numbers", f"{offender:g}") if as_list else ("be a whole number", repr(offender))
        raise Refused(name, rule, offender, Code.NOT_WHOLE, got=got)


def choice(name: str, value: Any, options: Collection[Option]) -> Option:
    """One of the named options."""
    if not isinstance(value, str) or value not in options:
        raise _refuse(
            name, "be one of " + ", ".join(repr(str(option)) for option in options), value, Code.UNKNOWN_CHOICE
        )
    return next(option for option in options if option == value)


def kind_of(name: str, value: Any, kinds: Any, such_as: str) -> None:
    """Refuse an object of another kind than those asked for, with an example of what is meant.

    Examples
    --------
    >>> kind_of("mechanism", 1.0, dict, "noise such as Geometric(epsilon=1.0)")
    Traceback (most recent call last):
        ...
    dpcore.errors.Refused: mechanism must be noise such as Geometric(epsilon=1.0); got 1.0
    """
    if not isinstance(value, kinds):
        raise _refuse(name, f"be {such_as}", value, Code.WRONG_TYPE)


def flag(name: str, value: Any) -> bool:
    """A yes or no: True or False, and nothing that is only taken for one."""
    if not isinstance(value, (bool, np.bool_)):
        raise _refuse(name, "be True or False", value, Code.WRONG_TYPE)
    return bool(value)


def scalar_or_array(result: FloatArray, *inputs: ArrayLike) -> Any:
    """The result as a float when every input was a scalar, as an array otherwise."""
    if result.ndim == 0 and all(np.ndim(item) == 0 for item in inputs):
        return float(result)
    return result


def increasing(name: str, values: Iterable[float], *, strictly: bool = True) -> FloatArray:
    """The values as a float array that never falls (or always rises, with `strictly`)."""
    rule = "be in increasing order"
    try:
        listed = list(values)
    except TypeError:
        raise _refuse(name, rule, values, Code.WRONG_SHAPE) from None
    result = array(name, listed)
    if result.ndim != 1:
        raise _refuse(name, rule, result.tolist(), Code.WRONG_SHAPE)
    steps = np.diff(result)
    if (steps <= 0).any() if strictly else (steps < 0).any():
        raise _refuse(name, rule, result.tolist(), Code.WRONG_ORDER)
    return result
