"""A table as it is typed, pasted or linked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.each import each
from ui.views.shared.typed_table import (
    LARGEST_COUNT,
    MOST_CELLS,
    counts_as_lines,
    decode_counts,
    decode_list,
    encode_counts,
)

EXPECTED = ((8, 6, 4), (3, 5, 8))


@pytest.mark.parametrize(
    "text",
    [
        "8 6 4\n3 5 8",
        "8 6 4 / 3 5 8",
        "8~6~4_3~5~8",
        "8,6,4\r\n3,5,8\r\n",
        "8, 6, 4\n3, 5, 8",
        "8;6;4\n3;5;8",
        "8\t6\t4\n3\t5\t8",
        "8 6 4 = 18\n3 5 8=16",
        "8 6 4 = 18\n3 5 8 = 16\n= 11 11 12",
        "8 6 4 = 18\n3 5 8 = 16\n= 11 11 12 34",
        "8 6 4\n3 5 8\n= 34",
        "place,a,b,c,total\nnorth,8,6,4,18\nsouth,3,5,8,16\ntotal,11,11,12,34",
        ",a,b,c\nnorth,8,6,4\nsouth,3,5,8",
    ],
)
def test_every_way_of_writing_the_table_is_read(text: str) -> None:
    assert decode_counts(text) == EXPECTED


@each(
    "text, words",
    [
        ("", "must hold at least one count"),
        ("a b c", "must hold at least one count"),
        ("8 2.5", r"row 1, cell 2 must be a whole number; got '2\.5'"),
        ("8 -1", "row 1, cell 2 must be from 0 to 10,000,000; got -1"),
        (f"8 {LARGEST_COUNT + 1}", "must be from 0 to 10,000,000"),
        ("8 6 4\n3 5", "row 2 must have 3 cells as row 1; got 2"),
        ("8 6 4 = 19\n3 5 8", "the cells of row 1 add up to 18; its total is given as 19"),
        ("8 6 4\n3 5 8\n= 11 11 13", "the cells of column 3 add up to 12; its total is given as 13"),
        ("8 6 4\n3 5 8\n= 35", "the cells of the table add up to 34; its total is given as 35"),
        ("8 6 4\n3 5 8\n= 11 11 12 35", "the cells of the table add up to 34; its total is given as 35"),
        ("8 6 4\n3 5 8\n= 11 11", "the line of totals must have 3 totals; got 2"),
        ("= 3\n1 2", "the line of totals must be the last one"),
        ("1 2 = 3 4", "row 1 must have one total after its ="),
        ("1 2 =", "row 1 must have one total after its ="),
        ("place,a,total\nnorth,8,9", "the cells of row 1 add up to 8; its total is given as 9"),
        ("1,234 5", "must be a whole number; got '1,234'"),
        ("1 <script>", "must be a whole number"),
        ("1 " * (MOST_CELLS + 1), "must have at most 200 cells; got 201"),
    ],
)
def test_a_fault_is_named_with_its_place(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        decode_counts(text)


@given(st.integers(1, 8).flatmap(lambda n: st.lists(st.tuples(*[st.integers(0, LARGEST_COUNT)] * n), min_size=1)))
def test_a_table_survives_its_link_and_its_box(rows: list[tuple[int, ...]]) -> None:
    counts = tuple(rows[:20])
    assert decode_counts(encode_counts(counts)) == counts
    assert decode_counts(counts_as_lines(counts)) == counts


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        counts = decode_counts(text)
    except ValueError:
        return
    assert decode_counts(encode_counts(counts)) == counts


def test_a_list_is_one_row_or_one_column() -> None:
    assert decode_list("1\n2\n3") == decode_list("1 2 3") == ((1, 2, 3),)
    with pytest.raises(ValueError, match="must be one list of counts; got 2 rows of 2"):
        decode_list("1 2\n3 4")
