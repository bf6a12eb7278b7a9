"""Links: what is typed is read, what is refused is told, what is written reads back."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.links import Field, link, number_text, parse_number, read_query, shown, write_query

RATIO = Field("ratio", "Highest ratio", "number", 3.0, low=1, high=1000, open_low=True)
RELEASES = Field("releases", "Number of releases", "count", 1, low=1, high=100_000)
LINE = Field("line", "Line", "choice", "constant", options=("constant", "drawn"))
EXACT = Field("exact", "Exact", "flag", False)
NAME = Field("name", "Name", "text", "")
FIELDS = (RATIO, RELEASES, LINE, EXACT, NAME)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.05", 0.05),
        ("5 %", 0.05),
        ("5%", 0.05),
        ("1/20", 0.05),
        ("1 in 20", 0.05),
        ("1 out of 20", 0.05),
        ("0,05", 0.05),
        ("1,000", 1000.0),
        ("1,000.5", 1000.5),
        ("1e-6", 1e-6),
        (" 7 ", 7.0),
        ("\u22122", -2.0),
    ],
)
def test_a_number_is_read_as_people_write_it(text: str, value: float) -> None:
    assert parse_number(text) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize("text", ["", "abc", "1/0", "nan", "inf", "1_000", "0x10", "--1", "1 in", "<script>", "=1+1"])
def test_what_is_no_number_is_refused_with_what_was_given(text: str) -> None:
    with pytest.raises(ValueError, match=r"must (be a (finite )?number|not divide by zero); got"):
        parse_number(text)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_written_into_a_link_reads_back_exactly(value: float) -> None:
    assert parse_number(number_text(value)) == value


@pytest.mark.parametrize(
    ("name", "text", "sentence", "instead"),
    [
        ("ratio", "1", "Highest ratio must lie in (1, 1000]; got '1'.", "3"),
        ("ratio", "nan", "Highest ratio must be a finite number; got 'nan'.", "3"),
        (
            "releases",
            "2.5",
            "Number of releases must be a whole number from 1 to 100,000; got '2.5'.",
            "1",
        ),
        ("line", "blue", "Line must be one of constant, drawn; got 'blue'.", "constant"),
        ("exact", "maybe", "Exact must be yes or no; got 'maybe'.", "no"),
        ("colour", "red", "This page has no choice called 'colour'; the link's value was ignored.", None),
    ],
)
def test_a_refused_value_is_named_and_replaced(name: str, text: str, sentence: str, instead: str | None) -> None:
    reading = read_query(FIELDS, {name: text})
    whole = sentence if instead is None else f"{sentence} The link's value was replaced by {instead}."
    assert [refusal.sentence for refusal in reading.refusals] == [whole]
    assert reading.values == {field.name: field.default for field in FIELDS}


def test_parameters_of_the_frame_are_passed_over() -> None:
    assert read_query(FIELDS, {"voice": "plain"}, known=("voice",)).refusals == ()


def test_a_very_long_value_is_refused_without_repeating_it() -> None:
    sentence = read_query(FIELDS, {"name": "x" * 5000}).refusals[0].sentence
    assert "must be at most 4000 characters; got 5000" in sentence
    assert len(sentence) < 200


@given(
    st.floats(1, 1000, exclude_min=True),
    st.integers(1, 100_000),
    st.sampled_from(["constant", "drawn"]),
    st.booleans(),
    st.text(max_size=50),
)
def test_what_a_link_says_reads_back(ratio: float, releases: int, line: str, exact: bool, name: str) -> None:
    values = {"ratio": ratio, "releases": releases, "line": line, "exact": exact, "name": name}
    reading = read_query(FIELDS, write_query(FIELDS, values))
    assert reading.values == values
    assert reading.refusals == ()


def test_defaults_stay_out_of_the_link() -> None:
    assert write_query(FIELDS, {field.name: field.default for field in FIELDS}) == {}
    assert link("choose", FIELDS, {}) == "choose"
    assert link("choose", FIELDS, {"name": "a b&c"}, voice="technical") == "choose?name=a+b%26c&voice=technical"


@given(st.dictionaries(st.text(max_size=12), st.text(max_size=60), max_size=6))
def test_no_query_however_odd_raises(query: dict[str, str]) -> None:
    reading = read_query(FIELDS, query)
    assert set(reading.values) == {field.name for field in FIELDS}
    assert all(math.isfinite(reading.values[name]) for name in ("ratio", "releases"))


def test_a_notice_shows_one_short_line() -> None:
    assert shown("a\nb" + "c" * 100) == "a b" + "c" * 36 + "…"
