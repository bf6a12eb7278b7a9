"""A list of districts as it is typed, pasted, uploaded or linked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.views.shared.typed_districts import (
    LARGEST_COUNT,
    LARGEST_PEOPLE,
    LONGEST_NAME,
    MOST_AREAS,
    MOST_DISTRICTS,
    Area,
    areas_as_lines,
    decode_areas,
    decode_districts,
    districts_as_lines,
    encode_areas,
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
    ],
)
def test_every_way_of_writing_the_districts_is_read(text: str) -> None:
    assert decode_districts(text) == EXPECTED


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
        ("Ash -3", "line 1: the count must be from 0 to 10,000,000; got -3"),
        (f"{LARGEST_COUNT + 1}", "must be from 0 to 10,000,000"),
        ("8 6\n3 5", "line 1 must be a count, or a name and a count; got '8 6'"),
        ("North, 3, 5", "line 1 must be a count, or a name and a count; got 'North, 3, 5'"),
        ("Ash 1,234\n3", "line 1 could have a comma between thousands or after a name: write 1234, or Ash 1; 234"),
        ("1,234", "line 1 could have a comma between thousands or after a name: write 1234, or 1; 234"),
        ("Ash 3\nBirch 4\ntotal 8", "the districts add up to 7; their total is given as 8"),
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


@given(st.lists(st.tuples(NAMES, st.integers(0, LARGEST_COUNT)), min_size=1, max_size=8))
def test_link_and_box_hold_the_districts_as_they_are(districts: list[tuple[str, int]]) -> None:
    whole = tuple(districts)
    if whole[-1][0].lower() in ("total", "totals", "sum", "all"):
        return
    assert decode_districts(encode_districts(whole)) == whole
    assert decode_districts(districts_as_lines(whole)) == whole


@pytest.mark.parametrize(
    "text",
    [
        'Ash; 412; 9000\nBirch; 3; 800\n"St. Mary, North"; 1234; 70,000',
        'district,deaths,births\r\nAsh,412,9000\r\nBirch,3,800\r\n"St. Mary, North","1,234","70,000"\r\n',
        "Ash\t412\t9000\nBirch\t3\t800\nSt. Mary, North\t1,234\t70000\nTotal\t1649\t79800",
        "Ash~412~9000_Birch~3~800_St. Mary, North~1234~70000",
        "Ash, 412, 9000\nBirch, 3, 800\nSt. Mary, North, 1234, 70000",
    ],
)
def test_counts_of_people_are_read_with_their_people(text: str) -> None:
    assert decode_areas(text) == tuple(
        Area(name, count, people) for (name, count), people in zip(EXPECTED, (9000, 800, 70_000), strict=True)
    )


@pytest.mark.parametrize("text", ["Ash 412\nBirch 3\nSt. Mary, North; 1234", "Ash~412_Birch~3_St. Mary, North~1234"])
def test_areas_without_people_are_districts(text: str) -> None:
    assert decode_areas(text) == tuple(Area(*district) for district in decode_districts(text))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Ash; 4; 900\nBirch; 2", "line 2 must have a number of people, as line 1; got 'Birch; 2'"),
        ("Ash; 4\nBirch; 2; 900", "line 2 must have no number of people, as line 1; got 'Birch; 2; 900'"),
        ("Ash; 4; 0", "line 1: the number of people must be from 1 to 1,000,000,000; got 0"),
        (f"Ash; 4; {LARGEST_PEOPLE + 1}", "line 1: the number of people must be from 1 to 1,000,000,000"),
        ("Ash; 4.5; 900", r"line 1: the count must be a whole number; got '4\.5'"),
        ("Ash, 4.5, 900", r"line 1: the count must be a whole number; got '4\.5'"),
        ("Ash; none; 900", "line 1: the count must be a whole number; got 'none'"),
        ("Ash 4 900", "line 1 could be a count of so many people or a name with a number in it: write Ash; 4; 900, or"),
        ("3\n1; 2; 3; 4", "line 2 must be a count, or a name and a count, or these and a number of people; got"),
        ("Ash; 4; 90\nBirch; 2; 10\ntotal; 6; 99", "the districts add up to 100; their total is given as 99"),
        ("1 " * (MOST_AREAS + 1), "must have at most 500 districts; got 501"),
        (".abc", "must be a list of areas; got '.abc'"),
    ],
)
def test_a_fault_of_an_area_is_named_with_its_line(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        decode_areas(text)


AREAS = st.builds(Area, NAMES, st.integers(0, LARGEST_COUNT), st.integers(1, LARGEST_PEOPLE))


@given(st.lists(AREAS, min_size=1, max_size=60), st.booleans())
def test_link_and_box_hold_the_areas_as_they_are(areas: list[Area], with_people: bool) -> None:
    whole = tuple(area if with_people else Area(area.name, area.count) for area in areas)
    if whole[-1].name.lower() in ("total", "totals", "sum", "all"):
        return
    assert decode_areas(encode_areas(whole)) == whole
    assert decode_areas(areas_as_lines(whole)) == whole


def test_a_single_area_with_a_number_for_its_name_comes_back() -> None:
    single = (Area("12", 4, 900),)
    assert decode_areas(areas_as_lines(single)) == decode_areas(encode_areas(single)) == single
