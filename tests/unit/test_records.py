"""A reader's CSV of categories: coded, or refused with the row and the column."""

from __future__ import annotations

import pytest

from dpcore.errors import Refused
from dpcore.public_information import read_records
from dpcore.public_information import records as records_module


def csv(*lines: str) -> str:
    return "\n".join(lines)


def test_levels_are_sorted_and_rows_coded() -> None:
    records = read_records(csv("sex,race", "m,B", "", "f, A ", "m,A"))
    assert records.attributes == ("sex", "race")
    assert records.levels == (("f", "m"), ("A", "B"))
    assert records.rows.tolist() == [[1, 1], [0, 0], [1, 0]]
    assert records.sizes == (2, 2)


@pytest.mark.parametrize("separator", [";", "\t", ","])
def test_other_separators_and_a_byte_order_mark_are_read(separator: str) -> None:
    text = csv("a,b", '"x, y",1').replace('"x, y"', "xy").replace(",", separator)
    assert read_records(b"\xef\xbb\xbf" + text.encode()).levels == (("xy",), ("1",))


def test_quoted_separators_stay_inside_a_label() -> None:
    assert read_records(csv("a,b", '"x, y",1')).levels[0] == ("x, y",)


def test_a_public_file_is_coded_like_the_private_one() -> None:
    private = read_records(csv("sex,race", "m,B", "f,A"))
    public = read_records(csv("race,extra,sex", "A,1,m", "B,2,m"), coded_like=private)
    assert public.attributes == private.attributes
    assert public.levels == private.levels
    assert public.rows.tolist() == [[1, 0], [1, 1]]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("", "the file must hold a header and at least one record; it is empty"),
        (csv("a,b"), "the file must hold at least one record; it holds a header only"),
        (csv("a,b", "1,2", "3"), "row 3: a record must have 2 categories; got 1"),
        (csv("a,b", "1,2", "", "3, "), "row 4, column 'b': a category must not be empty"),
        (csv("a,b", "1," + "x" * 121), "row 2, column 'b': a category must have at most 120 characters; got 121"),
        (csv("a,b", "1,x\x07"), "row 2, column 'b': a category must hold no control characters"),
        (csv("a,a", "1,2"), "row 1, column 'a': a column name must not come twice"),
        (csv("a,", "1,2"), "row 1: column 2 must have a printable name of 1 to 120 characters"),
        (csv("a,b", '1,"2'), "row 2: the file must be a CSV table; unexpected end of data"),
        (csv(",".join(f"c{i}" for i in range(21)), "1"), "row 1: the file must have at most 20 columns; got 21"),
        (csv("a", *(f"v{i}" for i in range(101))), "column 'a': an attribute must have at most 100 levels; got 101"),
        (b"a,b\n\xff,1", "the file must be encoded as UTF-8"),
    ],
)
def test_a_faulty_file_is_refused_with_its_place(data: str | bytes, message: str) -> None:
    with pytest.raises(ValueError) as refused:
        read_records(data)
    assert str(refused.value) == message


def test_a_public_file_with_other_levels_or_columns_is_refused() -> None:
    private = read_records(csv("sex,race", "m,B", "f,A"))
    with pytest.raises(
        ValueError, match="row 3, column 'race': a category must be one of the levels of the other file; got 'C'"
    ):
        read_records(csv("sex,race", "m,B", "f,C"), coded_like=private)
    with pytest.raises(
        ValueError, match="column 'race': the file must have a column of this name, as the other file has"
    ):
        read_records(csv("sex", "m"), coded_like=private)


def test_large_files_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records_module, "LARGEST_FILE", 10)
    with pytest.raises(ValueError, match="the file must be at most 10 bytes; got 11"):
        read_records("x" * 11)
    monkeypatch.setattr(records_module, "LARGEST_FILE", 100)
    monkeypatch.setattr(records_module, "MOST_RECORDS", 2)
    with pytest.raises(ValueError, match="the file must hold at most 2 records"):
        read_records(csv("a", "1", "2", "3"))


def test_the_separator_is_that_of_the_first_line_that_is_not_blank() -> None:
    assert read_records("\n \na;b\n1;2").attributes == ("a", "b")


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(Refused, match="data must be the text of a file or its bytes; got 3"):
        read_records(3)  # type: ignore[arg-type]
    assert read_records(bytearray(b"a;b\n1;2")).attributes == ("a", "b")  # type: ignore[arg-type]
