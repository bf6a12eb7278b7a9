"""What an attack takes: whole counts, known people, beliefs short of certainty, positive budgets."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore.errors import Code, Refused
from dpcore.mechanisms import _lattice

FloatArray = NDArray[np.float64]

LARGEST_WIDTH = 300_000
"""Most totals of a sum of noises that are held: some minutes."""


def whole_numbers(name: str, value: ArrayLike) -> FloatArray:
    """Noisy counts as floats: whole, finite, of either sign; booleans, text, fractions and NaN are refused.

    Source: ours, input rules

    Examples
    --------
    >>> whole_numbers("noisy_count", [3, -2.0]).tolist()
    [3.0, -2.0]
    """
    rule = "hold whole numbers"
    listed = value if isinstance(value, np.ndarray) else np.asarray(value, dtype=object)
    if listed.ndim == 0:
        rule = "be a whole number"
    if listed.dtype == bool or (
        listed.dtype == object and any(isinstance(item, (bool, np.bool_)) for item in listed.flat)
    ):
        raise Refused(name, rule, value, Code.NOT_A_NUMBER, got="a boolean")
    result = _checks.array(name, value)
    fractional = result != np.floor(result)
    if fractional.any():
        raise Refused(name, rule, float(result[fractional].flat[0]), Code.NOT_WHOLE)
    return result


def known_count(value: ArrayLike, name: str = "known") -> FloatArray:
    """Counts the attacker knows: whole numbers of at least 0.

    Source: ours, input rules

    Examples
    --------
    >>> float(known_count(2))
    2.0
    """
    result = whole_numbers(name, value)
    negative = result[result < 0]
    if negative.size:
        first = float(negative.flat[0])
        raise Refused(name, "be at least 0", first, Code.OUT_OF_RANGE, got=f"{first:g}")
    return result


def open_probability(value: ArrayLike, name: str = "prior") -> FloatArray:
    """Beliefs strictly between 0 and 1: an attacker who is certain learns nothing.

    Source: ours, input rules

    Examples
    --------
    >>> float(open_probability(0.2))
    0.2
    """
    return _checks.probability(name, value, open_low=True, open_high=True)


def positive(name: str, value: ArrayLike) -> FloatArray:
    """Values greater than 0 and finite.

    Source: ours, input rules

    Examples
    --------
    >>> float(positive("rho", 0.1))
    0.1
    """
    return _checks.array(name, value, 0.0, open_low=True)


def check_width(name: str, terms: int, rho: float) -> None:
    """Refuse a sum of discrete Gaussian noises, of a rho that was checked, with more totals than can be held."""
    if terms > 1 and terms + 2 * math.sqrt(_lattice.DROP * terms / rho) > LARGEST_WIDTH:
        rule = f"lead to at most {LARGEST_WIDTH:,} totals that matter"
        raise Refused(name, rule, (terms, rho), Code.TOO_LARGE)
