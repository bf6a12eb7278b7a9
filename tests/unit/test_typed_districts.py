"""A list of districts as it is typed, pasted, uploaded or linked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.views.shared.typed_table import (
    LARGEST_COUNT,
    LONGEST_NAME,
    MOST_DISTRICTS,
    decode_districts,
    districts_as_lines,
    encode_districts,
)

EXPECTED = (("Ash", 412), ("Birch", 3), ("St. Mary, North", 1234))


@pytest.mark.parametrize(
    "text",
    [
        'Ash 412\nBirch 3\n"St. Mary, North"; 1234',
        'district,count\r\nAsh,412\r\nBirch,3\r\n"St. Mary, North","1,234"\r\n',
        "Ash\t412\nBirch\t3\nSt. Mary, North\t1,234\nTotal\t1649",
        "Ash~412_Birch~3_St. Mary, North~1234",
        "Ash = 412 / Birch = 3 / St. Mary, North = 1234 / all = 1,649",
        "\n Ash , 412 ,\n\nBirch, 3\nSt. Mary, North 1234",
        "Ash;412\nBirch;3\nSt. Mary, North;1 234",
        "Ash\t412\nBirch\t3\nSt. Mary, North\t1\u202f234",
    ],
)
def test_every_way_of_writing_the_districts_is_read(text: str) -> None:
    assert decode_districts(text) == EXPECTED


@pytest.mark.parametrize("name", ["Ward 7", "3. Bezirk", "Route 66 North", "100 Mile House", "1, Ash", "Zone, 5, east"])
def test_a_number_in_a_name_is_no_second_count(name: str) -> None:
    text = encode_districts(((name, 12),)) if "east" in name else districts_as_lines(((name, 12),))
    assert decode_districts(text) == ((name, 12),)


@pytest.mark.parametrize("text", ["3 0 7", "3\n0\n7", "3,0,7", "3_0_7", "3; 0; 7", "435 / 53 / 36"])
def test_counts_without_names_are_districts_each(text: str) -> None:
    found = decode_districts(text)
    assert [name for name, _ in found] == ["", "", ""]
    assert [count for _, count in found] in ([3, 0, 7], [435, 53, 36])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "must hold at least one count"),
        ("x", "line 1 must end with a whole number; got 'x'"),
        ("Ash;\nBirch; 3", "line 1 must end with a whole number; got 'Ash;'"),
        ("Ash 4\nBirch 2.5", r"line 2 must end with a whole number; got 'Birch 2\.5'"),
        ("\nAsh 4\n\n \nBirch x", "line 5 must end with a whole number; got 'Birch x'"),
        ("Ash 3\nBirch, 1 200", "line 2 must be one district: a count, or a name and a count; got 'Birch, 1 200'"),
        ("Ash -3", "line 1: the count must be from 0 to 10,000,000; got -3"),
        (f"{LARGEST_COUNT + 1}", "must be from 0 to 10,000,000"),
        ("8 6\n3 5", "line 1 must be one district: a count, or a name and a count; got '8 6'"),
        ("North, 3, 5", "line 1 must be one district: a count, or a name and a count; got 'North, 3, 5'"),
        (
            "North; 212, South; 95",
            "line 1 must be one district: a count, or a name and a count; got 'North; 212, South; 95'",
        ),
        ("North: 212, South: 95", "line 1 must be one district"),
        ("Ash; 3\nNorth 212, South 95", "line 2 must be one district"),
        ("North 212 South 95", "line 1 must be one district"),
        ("Ash 1,234\n3", "line 1 could have a comma between thousands or after a name: write 1234, or Ash 1; 234"),
        ("1,234", "line 1 could have a comma between thousands or after a name: write 1234, or 1; 234"),
        ("Ash 3\nBirch 4\ntotal 8", "the districts add up to 7; their total is given as 8"),
        ("Ash 3\n\nBirch 4\nAsh 5\ntotal 12", "line 4 names 'Ash' again, as line 1"),
        ("x" * (LONGEST_NAME + 1) + " 3", "line 1: the name must have at most 40 letters; got 41"),
        ("1 " * (MOST_DISTRICTS + 1), "must have at most 200 districts; got 201"),
        ("\n".join(f"{chr(228) * 20}{n} 3" for n in range(40)), "must be at most 3,000 characters in a link"),
    ],
)
def test_a_fault_is_named_with_its_line(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        decode_districts(text)


NAMES = st.text(st.characters(codec="utf-8"), max_size=12).map(
    lambda text: " ".join("".join(mark if mark.isalpha() else " " for mark in text).split())
)


@given(
    st.lists(
        st.tuples(NAMES, st.integers(0, LARGEST_COUNT)),
        min_size=1,
        max_size=8,
        unique_by=lambda district: district[0] or object(),
    )
)
def test_link_and_box_hold_the_districts_as_they_are(districts: list[tuple[str, int]]) -> None:
    whole = tuple(districts)
    if whole[-1][0].lower() in ("total", "totals", "sum", "all"):
        return
    assert decode_districts(encode_districts(whole)) == whole
    assert decode_districts(districts_as_lines(whole)) == whole
