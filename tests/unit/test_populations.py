"""Populations: facts of the thesis, the synthetic county, and every way in which a user's table is refused."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpcore.errors import Refused
from dpcore.populations import (
    CENSUS_LEVELS,
    DISTRICT_39_14,
    LARGEST_FILE,
    CountTable,
    TableError,
    census_rho,
    census_rhos,
    counts_as_csv,
    district_28_21,
    escaped_for_display,
    escaped_for_spreadsheet,
    exact_census_rho,
    public_shares_of_synthetic_blocks,
    read_counts,
    synthetic_block,
    synthetic_county,
)
from tests.each import each


def test_district_28_21_holds_the_45_printed_people() -> None:
    table = district_28_21()
    assert table.counts.tolist() == [[34, 10, 1]]
    assert table.people == 45
    assert not table.synthetic
    assert table.uniques() == [(0, 2)]
    assert table.uniques_in_all() == [2]
    assert table.cell_label(2).endswith("Black")


def test_district_39_14_holds_the_printed_sizes() -> None:
    assert (DISTRICT_39_14.people_in_district, DISTRICT_39_14.people_in_county) == (209, 29_364)
    assert DISTRICT_39_14.siblings == 27


def test_census_shares_never_exceed_the_whole() -> None:
    assert sum(level.share for level in CENSUS_LEVELS) == 1
    assert all(0 < level.gvhr_share < 1 for level in CENSUS_LEVELS)


def test_census_rho_is_the_exact_product_of_printed_fractions() -> None:
    assert exact_census_rho("block") == Fraction(256, 100) * Fraction(165, 4099) * Fraction(3945, 4097)
    assert exact_census_rho("block", total_rho=2.56) == exact_census_rho("block")
    assert census_rho("nation", total_rho=1) == float(Fraction(104, 4099) * Fraction(189, 241))
    assert census_rhos()[0] == census_rho("block")
    assert len(census_rhos()) == 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"level": "village"}, "level must be one of 'nation'"),
        ({"level": "block", "query": "P1"}, "query must be one of 'GVHR'; got 'P1'"),
        ({"level": "block", "total_rho": 0}, "total_rho must be greater than 0 and finite; got 0"),
        ({"level": "block", "total_rho": Fraction(-1)}, "total_rho must be greater than 0 and finite; got -1"),
        ({"level": "block", "total_rho": float("nan")}, "total_rho must be greater than 0 and finite; got nan"),
    ],
)
def test_a_census_share_that_does_not_exist_is_refused(arguments: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        census_rho(**arguments)


def test_synthetic_county_of_seed_1_is_the_documented_one() -> None:
    county = synthetic_county(seed=1)
    assert county.synthetic
    assert "ynthetic" in county.name
    assert "invented" in county.notes[0]
    assert county.counts.shape == (28, 2016)
    assert county.people == 1029
    assert (county.counts > 0).sum() == 246
    assert len(county.uniques()) == 106
    assert len(county.uniques_in_all()) == 11
    assert round(100 * float((county.counts == 0).mean()), 2) == 99.56
    assert [county.groups.count(group) for group in range(4)] == [7, 7, 7, 7]
    assert county.siblings(8) == [7, 9, 10, 11, 12, 13]


def test_a_county_is_the_same_for_a_seed_and_differs_between_seeds() -> None:
    assert np.array_equal(synthetic_county(seed=3).counts, synthetic_county(seed=3).counts)
    assert not np.array_equal(synthetic_county(seed=3).counts, synthetic_county(seed=4).counts)
    with pytest.raises(ValueError, match="seed must be a whole number of at least 0; got -1"):
        synthetic_county(seed=-1)


def test_counts_of_a_table_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        district_28_21().counts[0, 0] = 1


def test_a_table_whose_shape_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="counts must have one row per place"):
        CountTable("x", ("A",), ("a",), (("b",),), np.ones((2, 1)))
    with pytest.raises(ValueError, match="groups must have one entry per place; got 2"):
        CountTable("x", ("A",), ("a",), (("b",),), np.ones((1, 1)), groups=(0, 1))
    with pytest.raises(ValueError, match=r"places must be different; got \['A', 'A'\]"):
        CountTable("x", ("A", "A"), ("a",), (("b",),), np.ones((2, 1)))
    with pytest.raises(ValueError, match=r"cells must be different; got \[\('b',\), \('b',\)\]"):
        CountTable("x", ("A",), ("a",), (("b",), ("b",)), np.ones((1, 2)))
    with pytest.raises(ValueError, match=r"cells must have 1 characteristics each; got \('b', 'c'\)"):
        CountTable("x", ("A",), ("a",), (("b", "c"),), np.ones((1, 1)))


@each(
    "counts, rule",
    [
        ([[3.7, 1]], "counts must be whole numbers; got 3.7"),
        ([[math.nan, 1]], r"counts must lie in \[0, 1e\+15\]; got nan"),
        ([[-3, 1]], r"counts must lie in \[0, 1e\+15\]; got -3.0"),
        ([["x", 1]], r"counts must be numbers; got \[\['x', 1\]\]"),
    ],
)
def test_counts_that_count_nobody_are_refused(counts: Any, rule: str) -> None:
    with pytest.raises(Refused, match=rule):
        CountTable("x", ("A",), ("a",), (("b",), ("c",)), counts)


def test_a_place_or_cell_that_is_not_there_is_refused() -> None:
    with pytest.raises(Refused, match="place must be a whole number from 0 to 0; got 4"):
        district_28_21().siblings(4)
    with pytest.raises(Refused, match="cell must be a whole number from 0 to 2; got -1"):
        district_28_21().cell_label(-1)


@each("call", [counts_as_csv, escaped_for_display, escaped_for_spreadsheet])
def test_what_is_written_is_asked_for_by_its_kind(call: Any) -> None:
    with pytest.raises(Refused, match=r"(table|text) must be (a table such as district_28_21\(\)|text); got 3"):
        call(3)


def test_a_long_file_is_read_and_missing_combinations_count_nobody() -> None:
    table = read_counts(b"block,age,race,people\nA,adult,w,3\nA,child,b,1\nB,adult,w,2\n")
    assert table.places == ("A", "B")
    assert table.attributes == ("age", "race")
    assert table.cells == (("adult", "w"), ("child", "b"))
    assert table.counts.tolist() == [[3, 1], [2, 0]]
    assert "1 combinations are not in the file" in table.notes[0]


def test_a_wide_file_is_read_whatever_its_separator_and_line_ends() -> None:
    for text in ("block,a,b\nA,3,0\nB,1,2\n", "block;a;b\r\nA;3;0\r\n\r\nB;1;2", "block\ta\tb\nA\t3\t0.0\nB\t1\t2\n"):
        assert read_counts(text).counts.tolist() == [[3, 0], [1, 2]]


def test_columns_are_told_apart_by_name_in_any_order() -> None:
    ordered = read_counts("place,age,count\nNorth,adult,5\nSouth,child,2\n")
    moved = read_counts("count,age,Place\n5,adult,North\n2,child,South\n")
    for table in (ordered, moved):
        assert (table.places, table.attributes, table.cells) == (("North", "South"), ("age",), (("adult",), ("child",)))
        assert table.counts.tolist() == [[5, 0], [0, 2]]
    wide = read_counts("adult,district,child\n3,Ash,1\n")
    assert (wide.places, wide.cells, wide.counts.tolist()) == (("Ash",), (("adult",), ("child",)), [[3, 1]])
    assert read_counts("county,place,adult\n2,B,1\n").places == ("B",)


def test_a_file_of_two_columns_is_wide_even_if_the_second_is_called_count() -> None:
    assert read_counts("block,count\nA,4\nB,5\n").counts.tolist() == [[4], [5]]


def test_encodings_are_read_told_or_refused() -> None:
    assert read_counts("block,é\nA,3\n".encode("utf-8-sig")).cells == (("é",),)
    assert read_counts("block,é\nA,3\n".encode()).notes == ()
    latin = read_counts("block,é\nA,3\n".encode("latin-1"))
    assert latin.cells == (("é",),)
    assert "Latin-1" in latin.notes[0]
    with pytest.raises(TableError, match="UTF-16"):
        read_counts("block,a\nA,3\n".encode("utf-16"))


REFUSED = {
    "negative": ("block,age,count\nA,x,-2\n", r"row 2, column 'count': a count must be a whole number .* got '-2'"),
    "fraction": ("block,a\nA,2.5\n", r"row 2, column 'a': a count must be a whole number .* got '2.5'"),
    "text count": ("block,a\nA,many\n", "row 2, column 'a': .* got 'many'"),
    "not a number": ("block,a\nA,nan\n", "got 'nan'"),
    "other digits": ("block,a\nA,٣\n", "got '٣'"),
    "huge": ("block,a\nA,1000001\n", "from 0 to 1,000,000; got '1000001'"),
    "endless": ("block,a\nA," + "9" * 5000 + "\n", r"got '9{37}\.\.\.'"),
    "empty count": ("block,a\nA,\n", "row 2, column 'a': a count must not be empty"),
    "empty label": ("block,a\n,1\n", "row 2, column 'block': a label must not be empty"),
    "long label": ("block,a\n" + "x" * 121 + ",1\n", "at most 120 characters; got 121"),
    "control character": ("block,a\nA\x07B,1\n", "a label must hold no control characters"),
    "repeated place": ("block,a\nA,1\nA,2\n", "row 3, column 'block': 'A' must appear once; it is also in row 2"),
    "column of totals": (
        "block,a,Total\nA,1,2\n",
        "the table must hold no totals, .* got 'Total'",
    ),
    "row of totals": (
        "block,a\nA,1\ntotal,1\n",
        "the table must hold no totals, which count people again; got",
    ),
    "long totals": ("block,age,count\nA,x,1\nA,totals,1\n", "the table must hold no totals, .* got 'totals'"),
    "repeated cell": ("block,age,count\nA,x,1\nA,x,2\n", "row 3: 'A, x' must appear once; it is also in row 2"),
    "repeated column": ("block,a,A\nA,1,2\n", "row 1, column 'A': each column name must appear once"),
    "ragged": ("block,a,b\nA,1\n", "row 2: a row must have 3 cells like the header; got 2"),
    "one column": ("block\nA\n", "row 1: the header must name at least two columns"),
    "empty": ("", "it is empty"),
    "only a header": ("block,a\n", "it holds one line"),
    "nobody": ("block,a\nA,0\n", "at least one person"),
    "no place": (
        "name,population,area\nA,120,33\n",
        "row 1: the header must have a column of places, called place, block",
    ),
    "nothing known": ("a,b\n1,2\n", "village or ward; got 'a, b'"),
    "two places": ("county,block,adult\nA,B,1\n", "must call one column place; here 'county' and 'block' could be it"),
    "torn quotes": ('block,a\n"A,1\n', "readable CSV"),
    "zero bytes": (b"block,a\nA\x00,1\n", "holds a byte 0"),
    "zero characters": ("block,a\nA\x00,1\n", "holds a byte 0"),
    "too large": (b"x" * (LARGEST_FILE + 1), "at most 2,000,000 bytes"),
    "too large a text": ("x" * (LARGEST_FILE + 1), "at most 2,000,000 bytes"),
    "too many rows": ("block,a\n" + "".join(f"{i},1\n" for i in range(20_001)), "at most 20,000 rows"),
    "too many cells": (
        "block," + ",".join(f"c{i}" for i in range(201)) + "\n" + "".join(f"{i}{',1' * 201}\n" for i in range(1000)),
        "at most 200,000 cells",
    ),
}


@each("data, message", REFUSED.values())
def test_a_faulty_file_is_refused_with_its_place(data: bytes | str, message: str) -> None:
    with pytest.raises(TableError, match=message):
        read_counts(data)


def test_a_refusal_carries_its_row_and_column() -> None:
    with pytest.raises(TableError) as refusal:
        read_counts("block,a,b\nA,1,2\nB,1,-1\n")
    assert (refusal.value.row, refusal.value.column) == (3, "b")


def test_layout_and_type_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="layout must be one of"):
        read_counts("block,a\nA,1\n", layout="tall")
    with pytest.raises(TableError, match="must have a column called count"):
        read_counts("block,a\nA,1\n", layout="long")
    with pytest.raises(TableError, match="a place, at least one characteristic and a count"):
        read_counts("block,count\nA,1\n", layout="long")
    with pytest.raises(TableError, match="text or bytes; got int"):
        read_counts(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["=cmd|' /C calc'!A0", "+1", "-1", "@x", "\tx", "\rx", "  =x"])
def test_formula_like_text_is_escaped_for_a_spreadsheet(text: str) -> None:
    assert escaped_for_spreadsheet(text) == "'" + text


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a;=1+1", "a;'=1+1"),
        ("a; @x", "a; '@x"),
        ("a,=1;=2", "a,'=1;'=2"),
        ("a\t-cmd|x", "a\t'-cmd|x"),
        ("a|+1+cmd", "a|'+1+cmd"),
        ("a\n=1", "a\n'=1"),
        ('a;"=1"', 'a;"\'=1"'),
        ("a;\uff1d1", "a;'\uff1d1"),
        ("a; -2; +3.5", "a; -2; +3.5"),
        ("a = b", "a = b"),
    ],
)
def test_a_formula_behind_a_separator_is_escaped_too(text: str, escaped: str) -> None:
    assert escaped_for_spreadsheet(text) == escaped


def test_script_tags_and_formulas_survive_as_text_and_leave_escaped() -> None:
    table = read_counts("block,<script>alert(1)</script>,=cmd|' /C calc'!A0\nA,1,2\n")
    assert table.cells[0] == ("<script>alert(1)</script>",)
    assert "<" not in escaped_for_display(table.cells[0][0])
    exported = counts_as_csv(table)
    assert "\nA,'=cmd|' /C calc'!A0,2\n" in exported
    assert read_counts(exported).people == 3


def test_a_synthetic_block_keeps_its_size_and_says_what_it_is() -> None:
    block = synthetic_block(45, seed=3)
    assert block.synthetic
    assert block.people == 45
    assert block.counts.shape == (1, 56)
    assert len(set(block.cells)) == 56
    assert public_shares_of_synthetic_blocks().shape == (56,)
    with pytest.raises(ValueError, match="people must be a whole number from 1 to 1000; got 0"):
        synthetic_block(0)


def test_a_column_called_n_holds_people_only_where_the_other_columns_do_not() -> None:
    answers = read_counts("block,Y,N\nA,5,7\nB,2,1\n")
    assert (answers.cells, answers.counts.tolist()) == ((("Y",), ("N",)), [[5, 7], [2, 1]])
    assert "Column 'N' is read as a category" in answers.notes[0]
    for text in (
        "block,age,n\nA,adult,7\nB,child,1\n",
        "block,age,n\nA,30,7\nA,40,1\n",
        "n,block,age\n7,A,30\n1,B,40\n",
    ):
        long = read_counts(text)
        assert (long.attributes, long.people, long.notes[:-1]) == (("age",), 8, ())
    assert read_counts("block,n,count\nA,1,7\nA,2,1\n").attributes == ("n",)
