"""Rounding on decimal digits keeps the promise true."""

from __future__ import annotations

import math
from typing import Any

import pytest

from dpcore.rounding import largest_remainders, round_down, round_inward, round_outward, round_up
from tests.each import each


@pytest.mark.parametrize(
    ("value", "digits", "up", "down"),
    [
        (0.5249839, 2, 0.53, 0.52),
        (0.13, 2, 0.13, 0.13),
        (0.13000000000000003, 2, 0.13, 0.13),
        (0.1300001, 2, 0.14, 0.13),
        (-0.475, 2, -0.47, -0.48),
        (2.675, 2, 2.68, 2.67),
        (1e-9, 3, 0.001, 0.0),
        (0.0, 2, 0.0, 0.0),
        (12345.678, 0, 12346.0, 12345.0),
        (1e300, 2, 1e300, 1e300),
        (math.inf, 2, math.inf, math.inf),
    ],
)
def test_up_and_down_are_decimals_beside_the_value(value: float, digits: int, up: float, down: float) -> None:
    assert round_up(value, digits) == up
    assert round_down(value, digits) == down


def test_significant_digits_follow_the_magnitude() -> None:
    assert round_up(0.000123456, 2, significant=True) == 0.00013
    assert round_down(98765.0, 2, significant=True) == 98000.0
    assert round_up(99999.0, 2, significant=True) == 100000.0


def test_intervals_grow_outward_and_shrink_inward() -> None:
    assert round_outward(0.475, 0.525, 2) == (0.47, 0.53)
    assert round_inward(0.475, 0.525, 2) == (0.48, 0.52)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: round_up(math.nan, 2), "value must be a number; got nan"),
        (lambda: round_up(0.5, -1), "digits must be a whole number from 0 to 300; got -1"),
        (lambda: round_up(0.5, 0, significant=True), "digits must be a whole number from 1 to 300; got 0"),
        (lambda: round_down(0.0, -2), "digits must be a whole number from 0 to 300; got -2"),
        (lambda: round_down(math.inf, "x"), "digits must be a whole number, not text; got 'x'"),  # type: ignore[arg-type]
        (lambda: round_outward(0.4, math.nan, 2), "upper must be a number; got nan"),
        (lambda: round_inward("a", 0.4, 2), "lower must be a number, not text; got 'a'"),  # type: ignore[arg-type]
        (lambda: round_outward(0.6, 0.5, 2), r"lower must be at most upper; got 0\.6"),
        (lambda: round_inward(0.6, 0.5, 2), r"lower must be at most upper; got 0\.6"),
        (lambda: round_inward(0.121, 0.129, 2), "digits must leave a decimal inside the interval; got 2"),
    ],
)
def test_a_refusal_names_the_argument_the_rule_and_the_value(call: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        call()


@pytest.mark.parametrize(
    ("given", "refused"),
    [
        ({"weights": [0.0, 0.0]}, r"weights must have positive mass; got \[0\.0, 0\.0\]"),
        ({"weights": [[1.0]]}, "weights must have positive mass"),
        ({"weights": [-1.0]}, r"weights must be at least 0 and finite; got"),
        ({"total": -1}, "total must be a whole number"),
        ({"total": 10**17}, "total must be a whole number from 0 to 1000000000000000; got 1"),
        ({"weights": []}, r"weights must have positive mass; got \[\]"),
    ],
)
def test_what_cannot_be_parted_is_refused(given: dict[str, Any], refused: str) -> None:
    with pytest.raises(ValueError, match=refused):
        largest_remainders(**{"weights": [1.0], "total": 3} | given)


@each("weights", [[1.0, 1.0, 1.0], [1e308, 1e308, 1e308], [1e-320, 1e-320, 1e-320]])
def test_weights_of_any_size_and_large_totals_are_parted(weights: list[float]) -> None:
    assert largest_remainders(weights, total=10).tolist() == [4, 3, 3]
    assert largest_remainders(weights, total=10**15).sum() == 10**15
