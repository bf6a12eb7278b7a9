"""Laws of safe rounding."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from dpcore.rounding import round_down, round_up

VALUES = st.floats(-1e9, 1e9, allow_subnormal=False)


@given(VALUES, st.integers(0, 8))
def test_rounding_brackets_the_value_by_at_most_one_unit(value: float, digits: int) -> None:
    low, high = round_down(value, digits), round_up(value, digits)
    below, exact, above = (Fraction(repr(end)) for end in (low, value, high))
    slack = abs(exact) / 10**11
    assert below - slack <= exact <= above + slack
    assert above - below <= Fraction(1, 10**digits) + slack


@given(VALUES, st.integers(0, 8))
def test_rounding_is_settled_and_mirrored(value: float, digits: int) -> None:
    high = round_up(value, digits)
    assert round_up(high, digits) == high
    assert round_down(high, digits) == high
    assert round_down(-value, digits) == -high
