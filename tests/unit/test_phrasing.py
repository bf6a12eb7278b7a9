"""How numbers read: no sign on zero, no numpy wrapper, no hundred digits, no nan, whatever was computed."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.words.catalogue import LANGUAGES, SIDES, Language
from ui.words.phrasing import (
    DOWN,
    NEAREST,
    UP,
    count_of_hundred,
    decimal_belief,
    exact_budget,
    frequency,
    how_often,
    percent,
    plain_number,
    rounded,
    rounded_budget,
    times,
    typed_frequency,
)
from ui.words.quantities import (
    Allowed,
    Estimate,
    Exact,
    Failure,
    Least,
    Lower,
    Upper,
    WrongSide,
    belief_in_percent,
    in_order,
    number_named,
)

DIRECTIONS = st.sampled_from((UP, DOWN, NEAREST))
NUMBERS = st.floats(allow_nan=False)
PROBABILITIES = st.floats(0, 1) | st.sampled_from((-0.0, -1e-12, 1 + 1e-12, 5e-324, 1 - 1e-16))
ODD = re.compile(r"np\.|nan|inf\b|-0(?![.0-9e])|-0\.0*(?![0-9])|e-[1-9][0-9]{2}|[0-9,.]{40}")


@given(NUMBERS, DIRECTIONS)
def test_no_number_reads_oddly(value: float, direction: str) -> None:
    said = [
        plain_number(value, 3, direction),
        plain_number(np.float64(value), 3, direction),
        percent(value, 1, direction),
    ]
    said += [rounded_budget(value), exact_budget(value), times(abs(value), direction)]
    assert [text for text in said if ODD.search(text) and text != "minus infinity"] == []
    assert [text for text in said if text.startswith("-0 ")] == []


@given(PROBABILITIES, DIRECTIONS)
def test_no_probability_reads_oddly_or_above_one(value: float, direction: str) -> None:
    for given_value in (value, np.float64(value)):
        said = [f(given_value, direction) for f in (frequency, how_often, count_of_hundred, decimal_belief)]
        assert [text for text in said if ODD.search(text) or text.startswith("-")] == []
        text = frequency(given_value, direction)
        for more_or_less in ("fewer than ", "more than ", "nearly "):
            text = text.removeprefix(more_or_less)
        count, _, of = text.partition(" in ")
        share = int(count.replace(",", "")) / int(of.replace(",", ""))
        assert share <= 1
        if direction == "up" and share < 1:
            assert share >= min(value, 1)
        if direction == "down" and not frequency(given_value, direction).startswith("fewer"):
            assert share <= max(value, 0)
        assert 0 <= float(decimal_belief(given_value, direction).replace("less than ", "")) <= 1


@given(st.floats(min_value=0.99, max_value=1.0, exclude_max=True), DIRECTIONS)
def test_only_certainty_is_a_hundred_in_a_hundred(value: float, direction: str) -> None:
    assert frequency(value, direction) != "100 in 100"
    assert frequency(1.0, direction) == "100 in 100"


@pytest.mark.parametrize(
    "said", [frequency, plain_number, percent, times, decimal_belief, rounded_budget, exact_budget]
)
def test_nan_is_never_printed(said: Callable[[float], str]) -> None:
    with pytest.raises(ValueError, match="a number in a sentence must not be nan"):
        said(math.nan)


@pytest.mark.parametrize("value", [1.01, -0.01, math.inf])
def test_what_is_no_probability_is_never_printed_as_one(value: float) -> None:
    with pytest.raises(ValueError, match=r"a probability in a sentence must lie in \[0, 1\]; got"):
        frequency(value)


def test_zero_has_no_sign() -> None:
    assert frequency(-0.0) == "0 in 100"
    assert frequency(np.float64(-1e-15)) == "0 in 100"
    assert percent(-0.0) == "0 %"
    assert percent(-1e-9) == "0 %"
    assert math.copysign(1, rounded(-0.2, 0, NEAREST)) == 1
    assert times(-0.0) == "0 times"
    assert typed_frequency(0.125) == "125 in 1,000"


def test_the_safe_direction_holds_beyond_what_is_printed() -> None:
    assert plain_number(-1e-300, direction=UP) == "0"
    assert plain_number(-1e-300, direction=DOWN) == "-1e-99"
    assert plain_number(-1e-300) == "more than -1e-99"
    assert rounded_budget(1e-300) == "0"
    assert exact_budget(1e-300) == "0"
    assert exact_budget(1.5e-12) == "1.5e-12"
    assert times(1e299) == "1e299 times"
    assert times(1e300) == "unlimited times"
    assert plain_number(1.7e308, direction=DOWN) == "1e300"
    assert plain_number(1.7e308) == "more than 1e300"
    assert plain_number(-1.7e308, direction=UP) == "-1e300"
    assert plain_number(-1.7e308, direction=DOWN) == "minus infinity"
    assert times(math.inf) == "unlimited times"
    assert percent(math.inf) == "unlimited %"


ORDERED = st.lists(st.floats(0.01, 0.99), min_size=2, max_size=4).map(sorted)


@given(ORDERED, st.lists(st.sampled_from([Upper, Allowed, Exact]), min_size=4, max_size=4))
def test_quantities_that_stand_in_an_order_are_printed_in_it(values: list[float], sides: list[Any]) -> None:
    for spoken in (times, decimal_belief):
        asked = tuple(side(value, spoken) for value, side in zip(values, sides, strict=False))
        told = in_order(*asked)
        assert [one.value for one in told] == values
        assert [type(one) for one in told] == [type(one) for one in asked]
        numbers = [number_named(one.digits) for one in told]
        apart = all(larger - smaller > 1e-9 for smaller, larger in pairwise(values))
        if apart:
            assert numbers == sorted(numbers), [one.digits for one in told]
        for one, number in zip(told, numbers, strict=True):
            assert not isinstance(one, Upper) or number >= one.value - 1e-12
            assert not isinstance(one, Allowed) or number <= one.value + 1e-12


def test_a_limit_is_not_printed_beyond_the_line_that_it_keeps() -> None:
    """51 and no more stood beside a line that stops at 50: .5049 goes up, .505 goes down."""
    told = in_order(Upper(0.50494, decimal_belief), Allowed(0.504948, decimal_belief), Upper(0.51, decimal_belief))
    assert [one.digits for one in told] == ["0.50494", "0.50494", "0.51"]
    assert [one.digits for one in in_order(Allowed(2.96, times), Upper(3.02, times))] == ["2.9 times", "3.1 times"]
    assert [one.digits for one in in_order(Upper(2.91, times), Allowed(2.93, times))] == ["2.91 times", "2.93 times"]


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_a_phrase_says_one_side_in_every_language(language: Language) -> None:
    phrases = {side: language.phrases(side) for side in SIDES}
    assert all(phrase.strip() for said in phrases.values() for phrase in said)
    for kind in (Upper, Lower, Exact, Estimate, Least, Allowed, Failure):
        number = kind(0.25, decimal_belief)
        for side, said in phrases.items():
            for phrase in said:
                if side in kind.refused or (kind.needed and side != kind.needed):
                    with pytest.raises(WrongSide):
                        f"{number:{phrase} …}"
                else:
                    assert f"{number:{phrase} …}" == f"{phrase} {number.digits}"


def test_numbers_close_to_each_other_get_as_many_digits_as_keep_their_order() -> None:
    told = in_order(Upper(0.5046101, decimal_belief), Allowed(0.5046109, decimal_belief))
    assert [one.digits for one in told] == ["0.5046101", "0.5046109"]


def test_a_limit_next_to_the_whole_is_never_said_with_its_side_and_as_nearly_all() -> None:
    nearly = Upper(1 - 1e-9, frequency)
    assert f"{nearly:can believe it at most **…** likely}" == "can believe it **nearly 100 in 100** likely"
    assert f"{nearly:**At most …**}. So" == "**Nearly 100 in 100**. So"
    assert f"{nearly:at most}" == nearly.bounded == "nearly 100 in 100"
    assert f"{nearly:X ≤ …}" == "X ≤ nearly 100 in 100"
    assert f"{Upper(0.99, frequency):at most …}" == "at most 99 in 100"
    assert f"{Lower(1e-5, belief_in_percent):at least}" == "nearly 0 %"
