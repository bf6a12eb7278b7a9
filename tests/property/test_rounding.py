"""Laws of safe rounding."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dpcore.rounding import largest_remainders, round_down, round_up

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


WEIGHTS = st.lists(st.floats(0, 1e6), min_size=1, max_size=12).filter(lambda weights: sum(weights) > 1e-3)


@given(WEIGHTS, st.integers(0, 500))
def test_whole_parts_add_up_and_lie_within_one_of_their_share(weights: list[float], total: int) -> None:
    found = largest_remainders(weights, total=total)
    wanted = total * np.array(weights) / sum(weights)
    assert found.sum() == total
    assert (np.abs(found - wanted) < 1 + 1e-6).all()
    assert largest_remainders([*weights[::-1], 0.0], total=total).sum() == total
