"""The line of heads over a table: which column is which, in whichever order and between whichever marks."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.link.sheet_file import columns_by_head, parted, under_heads
from ui.views.shared.typed_table import decode_counts, decode_districts, read_values

DISTRICTS = (("Ash", 412), ("St. Mary, North", 1234))
COLUMNS = {
    "area": ("Ash", '"St. Mary, North"'),
    "count": ("412", "1234"),
    "people": ("9000", '"70,000"'),
    "true rate in a thousand": ("45.8", "17.6"),
}


def table(heads: tuple[str, ...], mark: str = ",") -> str:
    rows = zip(*(COLUMNS[head] for head in heads), strict=True)
    return "\n".join(mark.join(row) for row in (heads, *rows))


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_columns_are_read_by_their_heads_in_every_order(mark: str) -> None:
    for number in (3, 4):
        for heads in itertools.permutations(COLUMNS, number):
            if {"area", "count", "people"} <= set(heads):
                assert decode_districts(table(heads, mark)) == DISTRICTS, heads


@pytest.mark.parametrize(
    "heads",
    [
        "county,population,deaths",  # what is left is the count
        "deaths,inhabitants (2024),municipality",
        "TRUE COUNT;Number of People;Area",
    ],
)
def test_heads_of_other_words_say_what_they_can(heads: str) -> None:
    cells = {"county": "Ash", "municipality": "Ash", "area": "Ash"}
    people = ("population", "inhabitants (2024)", "number of people")
    mark = ";" if ";" in heads else ","
    row = mark.join(cells.get(head, "9000" if head in people else "412") for head in heads.casefold().split(mark))
    assert decode_districts(f"{heads}\n{row}") == (("Ash", 412),)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "area,count,births\nAsh,3,4",
            "line 1 must say which column is its name, its count; got 'area, count, births'",
        ),
        (
            "district,deaths,births\nAsh,412,9000",
            "line 2 must be one district: a count, or a name and a count; got 'Ash,412,9000'",
        ),
        ("area,cases,count\nAsh,3,4", "the heads name 'count' twice: 'cases' and 'count'"),
        ("area,count,people\nAsh,1,234,900", "line 2 must have 3 cells, as line 1 has heads; got 4"),
        ("area,people,count\nAsh,12", "line 2 must have a whole number as its count; got 'Ash,12'"),
        ("area,people,count\nAsh,900,12\ntotal,900,13", "the districts add up to 12; their total is given as 13"),
        ('area,people,count\nAsh,900,"' + "1" * 140_000, "line 2 cannot be read as CSV"),
    ],
)
def test_heads_that_leave_it_open_and_lines_that_do_not_fit_them_are_refused(text: str, told: str) -> None:
    with pytest.raises(ValueError) as refusal:
        decode_districts(text)
    assert str(refusal.value).startswith(told)


def test_a_line_of_heads_alone_is_no_list() -> None:
    with pytest.raises(ValueError, match="line 1 must end with a whole number; got 'area count people'"):
        decode_districts("area count people")


def test_a_first_line_with_a_number_is_no_line_of_heads() -> None:
    assert decode_districts("People; 4\nCount; 7") == (("People", 4), ("Count", 7))
    assert decode_districts("area count people\nSt. Mary 412 9000") == (("St. Mary", 412),)


@pytest.mark.parametrize("place", range(3))
def test_a_column_of_totals_is_checked_wherever_it_stands(place: int) -> None:
    def row(*cells: object) -> str:
        return ",".join(map(str, (*cells[1 : place + 1], cells[0], *cells[place + 1 :])))

    lines = [f"area,{row('total', 'men', 'women')}", f"Ash,{row(7, 3, 4)}", f"Elm,{row(9, 4, 5)}"]
    assert decode_counts("\n".join(lines)) == ((3, 4), (4, 5))
    assert decode_counts("\n".join([*lines, f"Total population,{row(16, 7, 9)}"])) == ((3, 4), (4, 5))
    with pytest.raises(ValueError, match="the cells of row 2 add up to 9; its total is given as 8"):
        decode_counts("\n".join(lines).replace("9", "8"))
    with pytest.raises(ValueError, match="must have one column of totals; got 2"):
        decode_counts("total,men,total\n7,7,7")


def test_amounts_are_read_from_the_column_that_is_headed_so() -> None:
    assert read_values(b"id;Amount\n1;12.5\n2;8\n", most=9, largest=1e9) == [12.5, 8.0]
    assert read_values(b"lead\n12.5\n8\n", most=9, largest=1e9) == [12.5, 8.0]
    for text, told in (
        (b"id,pay\n1,2\n3,4\n", "line 2 must be one number, with a decimal point; got '1,2'"),
        (b"id,amount\n1,12,5\n", "line 2 must be one number, with a decimal point; got '1,12,5'"),
        (b"1\n-2e9\n", "line 2 must be one number, with a decimal point; got '-2e9'"),
        (b"1,200\n3\n4\n", "line 1 must be one number, with a decimal point; got '1,200'"),  # was taken for a head
    ):
        with pytest.raises(ValueError) as refusal:
            read_values(text, most=9, largest=1e9)
        assert str(refusal.value) == told


HEADS = ("what is released", "how", "budget")
CELL = st.text("ab 1.,", max_size=4).map(str.strip)


@given(st.lists(st.tuples(CELL, CELL, CELL), max_size=4), st.permutations(range(3)))
def test_rows_pasted_under_heads_are_those_of_the_sheet(rows: list[tuple[str, ...]], order: list[int]) -> None:
    pasted = [tuple(row[place] for place in order) for row in (HEADS, *rows)]
    assert under_heads(pasted, HEADS) == tuple(rows)
    assert under_heads(rows, HEADS) == tuple(rows)


def test_cells_are_parted_as_a_spreadsheet_parts_them() -> None:
    assert parted('"a;b"; "c ""d""";;', ";", 1) == ["a;b", 'c "d"']
    assert columns_by_head(["ID", "Pay"], {"pay": "pay"}.get) == {"pay": 1}
