"""The points of a drawn line: the rules, the refusals by place, and the spelling in a link."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskline.case.points import MOST_POINTS, checked_points, decode_points, encode_points, sent_points

LINE = ((0.01, 0.1), (0.1, 0.3), (0.5, 0.7), (0.9, 0.97))


@st.composite
def lines(draw: st.DrawFn) -> tuple[tuple[float, float], ...]:
    inside = st.floats(1e-12, 1.0, allow_nan=False)
    priors = sorted(draw(st.lists(inside, min_size=1, max_size=MOST_POINTS, unique=True)))
    return tuple((p, draw(st.floats(p, 1.0, allow_nan=False))) for p in priors)


def test_a_line_reads_in_a_link_as_it_is_said() -> None:
    assert encode_points(LINE) == "0.01~0.1_0.1~0.3_0.5~0.7_0.9~0.97"
    assert decode_points("0.01~0.1_0.1~0.3_0.5~0.7_0.9~0.97") == LINE


def test_extreme_priors_survive_the_link() -> None:
    line = ((1e-12, 1e-9), (0.3, 0.3), (1 - 1e-12, 1.0))
    assert decode_points(encode_points(line)) == line


def test_priors_closer_than_twelve_digits_keep_all_their_digits() -> None:
    line = ((0.3, 0.5), (math.nextafter(0.3, 1), 0.5))
    assert decode_points(encode_points(line)) == line


def test_a_prior_just_below_certainty_is_not_rounded_to_certainty() -> None:
    line = ((1 - 1e-14, 1.0),)
    assert decode_points(encode_points(line)) == line
    assert encode_points([(1, 1)]) == "1~1"


@given(lines())
def test_encoding_needs_no_escaping_and_its_round_trip_is_exact(line: tuple[tuple[float, float], ...]) -> None:
    text = encode_points(line)
    assert re.fullmatch(r"[A-Za-z0-9._~-]+", text)
    back = decode_points(text)
    assert encode_points(back) == text
    for (p, c), (q, d) in zip(line, back, strict=True):
        assert (q, d) == pytest.approx((p, c), rel=1e-11)


@given(st.text(alphabet="0123456789.~_e-+naif ١", max_size=40))
def test_any_text_is_a_line_or_refused_in_words(text: str) -> None:
    refusal = ""
    try:
        line = decode_points(text)
    except ValueError as reason:
        refusal = str(reason)
    assert refusal.startswith("point") if refusal else checked_points(line) == line


REFUSED = {
    "": "points must be text such as 0.01~0.1_0.5~0.7",
    "0.5": "point 1 must read prior~posterior; got '0.5'",
    "0.1~0.2_0.5": "point 2 must read prior~posterior; got '0.5'",
    "0.1~0.2~0.3": "point 1 must read prior~posterior; got '0.1~0.2~0.3'",
    "0.1~nan": "point 1: posterior must be a number; got 'nan'",
    "١~1": "point 1: prior must be a number; got '١'",
    "-0.1~0.5": "point 1: prior must be a number; got '-0.1'",
    "0~0.5": "point 1: prior must lie in (0, 1]; got 0.0",
    "0.5~1.2": "point 1: posterior must lie in [0, 1]; got 1.2",
    "1e999~1": "point 1: prior must lie in (0, 1]; got inf",
    "0.5~0.4": "point 1: posterior must lie in [0.5, 1], from its prior up; got 0.4",
    "0.1~0.2_0.2~0.3_0.2~0.4": "point 3: prior must lie above the one before, 0.2; got 0.2",
    "_".join(["0.1~0.2"] * 65): "points must be 1 to 64 in number; got 65",
    "1" * 4000: "points must take at most 3200 characters; got 4000",
}


@pytest.mark.parametrize(("text", "reason"), REFUSED.items(), ids=range(len(REFUSED)))
def test_a_refused_link_names_the_place_and_the_rule(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(reason)}$"):
        decode_points(text)


SENT = {
    "text": ("0.1~0.2", "points must be a list of pairs"),
    "nothing": (None, "points must be a list of pairs"),
    "an object": ({"0": [0.1, 0.2]}, "points must be a list of pairs"),
    "no points": ([], "points must be 1 to 64 in number; got 0"),
    "too many": ([[k / 100, 1] for k in range(1, 66)], "points must be 1 to 64 in number; got 65"),
    "a triple": ([[0.1, 0.2, 0.3]], "point 1 must be a pair"),
    "texts": ([["0.1", "0.2"]], "point 1: prior must be a number, not text; got '0.1'"),
    "truth values": ([[0.5, True]], "point 1: posterior must be a number; got True"),
    "not a number": ([[0.1, math.nan]], r"point 1: posterior must lie in \[0, 1\]; got nan"),
    "infinity": ([[0.1, math.inf]], r"point 1: posterior must lie in \[0, 1\]; got inf"),
    "a huge integer": ([[0.1, 10**400]], r"point 1: posterior must lie in \[0, 1\]; got 1000"),
    "nested lists": ([[[0.1], 0.2]], r"point 1: prior must be one number; got \[0.1\]"),
}


@pytest.mark.parametrize(("value", "reason"), SENT.values(), ids=SENT)
def test_whatever_a_browser_sends_is_refused_in_words(value: object, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        sent_points(value)
