"""Rounding on decimal digits in a stated direction: risk bounds outwards, recommended budgets down.

The decimal expansion is the shortest one that reads back as the number, so 0.3 rounded down to one digit is 0.3
although the binary number is a little less than three tenths.
"""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext

from dpcore._checks import count, number


def _rounded(value: float, digits: int, rounding: str) -> float:
    value = number("value", value, allow_infinite=True)
    count("digits", abs(digits), 0, 400)
    if math.isinf(value):
        return value
    with localcontext() as context:
        context.prec = 800
        return float(Decimal(repr(value)).quantize(Decimal(1).scaleb(-digits), rounding=rounding))


def round_up(value: float, digits: int = 2) -> float:
    """Smallest decimal number with so many places that is not below the value.

    Parameters
    ----------
    value : float
        The number; infinities stay as they are.
    digits : int
        Decimal places kept; negative places round to tens, hundreds.

    Examples
    --------
    >>> round_up(0.5249839), round_up(0.3, 1), round_up(-0.019)
    (0.53, 0.3, -0.01)
    """
    return _rounded(value, digits, ROUND_CEILING)


def round_down(value: float, digits: int = 2) -> float:
    """Largest decimal number with so many places that is not above the value.

    Parameters
    ----------
    value : float
        The number; infinities stay as they are.
    digits : int
        Decimal places kept; negative places round to tens, hundreds.

    Examples
    --------
    >>> round_down(1.29928), round_down(0.3, 1), round_down(-0.011)
    (1.29, 0.3, -0.02)
    """
    return _rounded(value, digits, ROUND_FLOOR)
