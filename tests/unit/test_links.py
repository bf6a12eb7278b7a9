"""Links: what is typed is read, what is refused is told, what is written reads back."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskline.case.fields import (
    Field,
    comma_reading,
    link,
    listed_numbers,
    number_text,
    pairs_of,
    parse_number,
    read_pairs,
    read_query,
    shown,
    write_query,
)
from riskline.case.sheet import cell_number
from tests.each import each
from ui.link.page_table import PAGES, PageEntry, page_entry

RATIO = Field("ratio", "Highest ratio", "number", 3.0, low=1, high=1000, open_low=True)
RELEASES = Field("releases", "Number of releases", "count", 1, low=1, high=100_000)
LINE = Field("line", "Line", "choice", "constant", options=("constant", "drawn"))
EXACT = Field("exact", "Exact", "flag", False)
NAME = Field("name", "Name", "text", "")
FIELDS = (RATIO, RELEASES, LINE, EXACT, NAME)


@each(
    "text, value",
    [
        ("0.05", 0.05),
        ("1/20", 0.05),
        ("1 in 20", 0.05),
        ("1 out of 20", 0.05),
        ("0,05", 0.05),
        ("1,000", 1000.0),
        ("1,000.5", 1000.5),
        ("1e-6", 1e-6),
        (" 7 ", 7.0),
        ("\u22122", -2.0),
        ("0,025", 0.025),
        ("0,250", 0.25),
        ("00,250", 0.25),
        ("-0,025", -0.025),
        ("1,5e-3", 0.0015),
        ("1234,567", 1234.567),
        ("1,2345", 1.2345),
        ("1,234,567", 1_234_567.0),
        ("1.234,5", 1234.5),
        ("1.234.567", 1_234_567.0),
        ("1.234", 1.234),
        ("1 234", 1234.0),
        ("1\u202f234,5", 1234.5),
        ("1,000 in 10,000", 0.1),
        ("1/0,5", 2.0),
    ],
)
def test_a_number_is_read_as_people_write_it(text: str, value: float) -> None:
    assert parse_number(text) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(("text", "value"), [("5 %", 0.05), ("5%", 0.05), ("2,5 %", 0.025), ("100 %", 1.0)])
def test_a_percent_sign_is_read_of_a_share_and_refused_of_anything_else(text: str, value: float) -> None:
    assert parse_number(text, share=True) == pytest.approx(value, rel=1e-15)
    for read in (parse_number, listed_numbers):
        with pytest.raises(ValueError, match=f"must be typed without %; got '{text}'"):
            read(text)


@each("entry", PAGES, ids=lambda entry: entry.stem)
def test_every_box_of_a_page_reads_percent_as_a_share_or_refuses_it_and_no_count_a_point(entry: PageEntry) -> None:
    """“31 %” was taken for 0.31 where 31 was meant, and “12.000” for twelve."""
    for field in entry.fields:
        if field.kind in ("number", "count"):
            try:
                read = field.decode("90 %")
            except ValueError as error:
                said = str(error)
                assert f"{field.named} must be " in said or "must be typed without %" in said, said
            else:
                assert (read, field.share) == (0.9, True), field.name
        if field.kind == "count":
            with pytest.raises(ValueError, match="without the point, which could stand between thousands"):
                field.decode("12.000")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("30", "Cap must be at least 0 % and less than 100 %; got '30'; a percentage needs its sign, as in '30 %'"),
        (
            "12,5",
            "Cap must be at least 0 % and less than 100 %; got '12,5'; a percentage needs its sign, as in '12,5 %'",
        ),
        ("100", "Cap must be at least 0 % and less than 100 %; got '100'"),
        ("-3", "Cap must be at least 0 % and less than 100 %; got '-3'"),
    ],
)
def test_a_percentage_without_its_sign_is_told_of_it(text: str, told: str) -> None:
    cap = Field("cap", "Cap", "number", 0.25, low=0, high=1, open_high=True, format="percent")
    with pytest.raises(ValueError) as refused:
        cap.decode(text)
    assert str(refused.value) == told
    with pytest.raises(ValueError) as refused:
        cell_number("Cap", text, 0, 1, open_high=True)
    assert str(refused.value) == told.replace("0 % and less than 100 %", "0 and less than 1")


@pytest.mark.parametrize(
    "text", ["1,23.4", "12,34,567", "1,2,3", "0,025.5", "1 2", "1.23,4.5", "1,000e3", "1.234,5.6", "10.25,5"]
)
def test_a_mixture_of_points_and_commas_is_refused_and_never_guessed(text: str) -> None:
    with pytest.raises(ValueError, match="must be a number; got"):
        parse_number(text)


@pytest.mark.parametrize("text", ["1/" * 500 + "1", "1/2/3", "1 in 2 in 3", "1 out of 2/3", "1 in " * 1000 + "1"])
def test_a_second_division_is_refused_however_many_there_are(text: str) -> None:
    with pytest.raises(ValueError, match=r"must have at most one /, in or out of; got '1"):
        parse_number(text)


@pytest.mark.parametrize("text", ["1e308/1e-308", "1e308 in 1e-300", "-1e308/1e-9", "9" * 400, "1e999"])
def test_a_quotient_that_no_number_holds_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="must be a finite number; got"):
        parse_number(text)


@pytest.mark.parametrize("text", ["1e-400", "-1e-999", "1e-300/1e300", "0." + "0" * 400 + "1"])
def test_what_would_be_read_as_0_is_refused_unless_it_is_0(text: str) -> None:
    with pytest.raises(ValueError, match="must not be so small that it is read as 0; got"):
        parse_number(text)
    assert parse_number("0e-5") == parse_number("0/3") == parse_number("0,00") == 0


def test_minus_zero_is_zero() -> None:
    assert math.copysign(1, parse_number("-0")) == 1
    assert math.copysign(1, parse_number("0/-5")) == 1


@given(st.integers(0, 10**9), st.integers(1, 9))
def test_a_decimal_comma_reads_as_the_point_wherever_it_cannot_stand_between_thousands(
    digits: int, places: int
) -> None:
    whole, part = divmod(digits, 10**places)
    text = f"{whole},{part:0{places}d}"
    between_thousands = places == 3 and 1 <= whole <= 999
    assert parse_number(text) == (digits if between_thousands else float(f"{whole}.{part:0{places}d}"))


@given(st.integers(0, 10**14))
def test_a_whole_number_with_thousands_separated_reads_back(value: int) -> None:
    assert parse_number(f"{value:,}") == value
    assert parse_number(f"{value:,}".replace(",", " ")) == value


@given(st.text(alphabet="0123456789,. e+-%/in \u00a0", max_size=20))
def test_what_is_typed_is_a_finite_number_or_a_sentence(text: str) -> None:
    try:
        value = parse_number(text)
    except ValueError as error:
        said = str(error)
    else:
        said = "must be read; got '"
        assert math.isfinite(value)
    assert said.startswith("must ")
    assert "; got '" in said


def test_a_comma_is_said_to_be_what_it_was_taken_for() -> None:
    assert comma_reading("1,234", 1234.0) == "Read as 1234: the comma stands between thousands."
    assert comma_reading("0,025", 0.025) == "Read as 0.025."
    assert comma_reading("1,234,567", 1234567.0) == "Read as 1234567."
    assert comma_reading("1234", 1234.0) is None


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1, 2, 3", [1, 2, 3]),
        ("1,2,3", [1, 2, 3]),
        ("0,5; 0,25", [0.5, 0.25]),
        ("0,5 0,25", [0.5, 0.25]),
        ("1 2 3", [1, 2, 3]),
        ("1,2,", [1, 2]),
        ("", []),
        ("1,234;5", [1234, 5]),
    ],
)
def test_a_list_of_numbers_keeps_decimal_commas_where_they_are_plain(text: str, values: list[float]) -> None:
    assert listed_numbers(text) == values


def test_a_list_in_which_a_comma_may_be_a_decimal_one_is_refused() -> None:
    with pytest.raises(ValueError, match="must stand between spaces or semicolons; got '0,025'"):
        listed_numbers("0,025")


def test_of_a_choice_that_a_link_says_by_both_of_its_names_the_one_of_today_counts() -> None:
    fields = (replace(RELEASES, former_name="count"),)
    for query in ({"releases": "3", "count": "7"}, {"count": "7", "releases": "3"}):
        assert read_query(fields, query).values == {"releases": 3}
    assert read_query(fields, {"count": "7"}).values == {"releases": 7}


def test_half_of_a_surrogate_pair_is_refused_and_never_repeated() -> None:
    sentence = read_query(FIELDS, {"name": "\ud800" + "x" * 300}).refusals[0].sentence
    assert "Name must be text that UTF-8 can write; got" in sentence
    assert sentence.isprintable()
    assert len(sentence) < 200


def test_a_choice_whose_reading_cannot_be_computed_is_a_sentence() -> None:
    def read(text: str) -> float:
        return math.exp(float(text))

    field = Field("x", "Exponent", "custom", 0.0, read=read, write=str)
    with pytest.raises(ValueError, match="Exponent must be something that can be computed; got '1e9'"):
        field.decode("1e9")


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
        ("ratio", "1", "Highest ratio must be greater than 1 and at most 1,000; got '1'.", "3"),
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


def test_a_parameter_named_twice_is_told_and_the_last_one_counts() -> None:
    reading = read_pairs(FIELDS, pairs_of("ratio=2&ratio=5&odd=1&odd=2&releases=7"))
    assert (reading.values["ratio"], reading.values["releases"]) == (5.0, 7)
    assert [refusal.sentence for refusal in reading.refusals] == [
        "The link names 'ratio' 2 times; the last value, '5', counts.",
        "The link names 'odd' 2 times; the last value, '2', counts.",
        "This page has no choice called 'odd'; the link's value was ignored.",
    ]


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
    assert shown(" " * 1000 + "x") == "…"
    assert len(repr(shown("\U000e0001" * 100))) <= 42


def test_a_refusal_names_the_control_that_a_reader_sees() -> None:
    """Questions and parts of sentences stand between quotation marks, names do not; like labels are told apart."""
    from ui.views.choose import FIELDS as CHOOSE
    from ui.views.positions import FIELDS as POSITIONS

    told = [item.sentence for item in read_query(CHOOSE, {"releases": "0", "line": "blue"}).refusals]
    assert told[0].startswith("“Releases that share the budget” must be a whole number")
    assert told[1].startswith("“Which line?” must be one of cap_or_ratio")
    (second,) = read_query(POSITIONS, {"cap2": "7"}).refusals
    assert second.sentence.startswith(
        "“Always acceptable up to” (2) must be at least 0 and less than 1; got '7'; a percentage needs its sign"
    )
    assert Field("epsilon", "Budget ε", "number", 1.0).named == "Budget ε"


def test_a_label_that_other_choices_decide_is_the_one_on_the_control() -> None:
    fields = {field.name: field for field in page_entry("plan").fields}
    assert fields["group"].as_shown({"unit": "household"}).label == "People in it"
    assert fields["group"].as_shown({"unit": "person"}).label == "Records that belong together"
    assert fields["rounds"].as_shown({"every": "week"}).label == "How many weeks?"
    held = {field.name: field for field in page_entry("choose").fields}["held"]
    assert held.as_shown({"secret": "presence"}).help == "1: only being in the data counts"
    assert held.as_shown({"secret": "value"}).help == "0.05: a sample of 5 in 100"
