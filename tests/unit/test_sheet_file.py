"""A small spreadsheet as a CSV file: what is typed leaves and comes back; what is wrong is told with its line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskline.case.sheet import LONGEST_CELL, printable
from ui.link.sheet_file import LARGEST_FILE, read_sheet_csv, sheet_csv, under_heads

HEADS = ["table", "± wanted", "amounts from"]


def read(text: str) -> tuple[tuple[str, ...], ...]:
    return read_sheet_csv(text.encode(), heads=HEADS, most_rows=200)


CELL = st.text(alphabet='=+-@,;|" 17\tabé\n', max_size=8).map(printable)


@given(st.lists(st.tuples(CELL, CELL, CELL).filter(any), min_size=1, max_size=4))
def test_what_is_typed_leaves_as_a_file_and_comes_back(rows: list[tuple[str, ...]]) -> None:
    assert read(sheet_csv(HEADS, rows)) == tuple(rows)


def test_no_cell_leaves_as_a_formula_and_a_negative_amount_stays_a_number() -> None:
    assert sheet_csv(HEADS, [("=1+1", "@now", "-12.5"), ("a;=1", "+x", "-a")]).splitlines()[1:] == [
        "'=1+1,'@now,-12.5",
        "a;'=1,'+x,'-a",
    ]


@pytest.mark.parametrize(
    "text",
    [
        '\ufefftable,± wanted,amounts from\nBirths,"1,5",-3\n',
        "Amounts from;TABLE;Â± wanted\n-3;Births;1,5\n",
        "\n\ntable\t± wanted\tamounts from\t\n\n Births\t1,5\t-3\t\t\n\n",
        '"table","wanted","amounts from"\r\n"Births","1,5","-3"\r\n',
        " table ;wanted; amounts from; ;\n ; ; \nBirths ; 1,5;-3 ; ; ;\n",
    ],
)
def test_heads_come_in_any_order_between_any_marks(text: str) -> None:
    assert read(text) == (("Births", "1,5", "-3"),)


def test_a_column_that_the_file_lacks_and_a_short_line_are_empty() -> None:
    assert read("amounts from,table\n0,A\n,B\n7\n") == (("A", "", "0"), ("B", "", ""), ("", "", "7"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "the file must hold a line of heads and at least one row; it is empty"),
        ("table,wanted\n,\n", "the file must hold at least one row under its heads; got none"),
        ("Births,5\n", "line 1 must name the columns (table, ± wanted, amounts from); got 'Births, 5'"),
        ("table,age\nA,5\n", "line 1 names 'age'; its columns may be table, ± wanted, amounts from"),
        ("table,,wanted\nA,,5\n", "line 1 names ''; its columns may be table, ± wanted, amounts from"),
        ("table,Table\nA,B\n", "the heads name 'table' twice: 'table' and 'Table'"),
        ("table,wanted\nA,5\n\nB,5,7\n", "line 4 must have at most 2 cells; got 3"),
        (f"table,wanted\nA,5\n{'B' * 75},6\n", "line 3, table: must be at most 60 characters; got 75"),
        ("table\n" + "A\n" * 10_000, "the file must hold at most 200 rows; got 10,000"),
        ('table,wanted\nA,"5\n', "line 2 cannot be read as CSV"),
    ],
)
def test_what_is_wrong_is_told_with_its_line_and_column(text: str, told: str) -> None:
    with pytest.raises(ValueError) as refusal:
        read(text)
    assert str(refusal.value) == told


def test_a_file_that_is_too_large_is_not_read_and_one_that_is_no_text_says_so() -> None:
    with pytest.raises(ValueError, match=r"^the file must be at most 2,000,000 bytes; got 2,000,001$"):
        read_sheet_csv(b"\xff" * (LARGEST_FILE + 1), heads=HEADS, most_rows=200)
    with pytest.raises(UnicodeDecodeError):
        read_sheet_csv(b"\xff\xfe", heads=HEADS, most_rows=200)
    assert read(f"table\n{'A' * LONGEST_CELL}\n")[0][0] == "A" * LONGEST_CELL


def test_the_bounds_of_a_file_are_met_exactly() -> None:
    content = b"table\nA\nB\n"
    assert len(read_sheet_csv(content, heads=HEADS, most_rows=2, largest=len(content))) == 2
    for bounds in ({"most_rows": 1}, {"largest": len(content) - 1}):
        with pytest.raises(ValueError, match="the file must"):
            read_sheet_csv(content, heads=HEADS, **({"most_rows": 2} | bounds))


def test_a_row_of_one_word_that_is_a_head_is_a_row() -> None:
    heads = ["name", "budget"]
    assert under_heads([("Budget", ""), ("a", "1")], heads) == (("Budget", ""), ("a", "1"))
    assert under_heads([("Budget", "Name"), ("1", "a")], heads) == (("a", "1"),)
