"""A reader's own records: a CSV file of categories, coded so that marginal queries can be asked of it."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

import numpy as np

from dpcore import _checks
from dpcore.errors import Code
from dpcore.populations import TableError
from dpcore.public_information.workloads import IntArray

LARGEST_FILE = 20_000_000
MOST_RECORDS = 200_000
MOST_ATTRIBUTES = 20
MOST_LEVELS = 100
LONGEST_LABEL = 120


@dataclass(frozen=True, eq=False)
class CategoricalRecords:
    """Records of categories, coded by level.

    Records as they are: no promise is made by reading them.

    Attributes
    ----------
    attributes : tuple of str; column names
    levels : tuple of tuples of str; labels of each attribute's levels, in alphabetical order
    rows : array, shape (records, attributes); level of each record, counted from 0

    Examples
    --------
    >>> CategoricalRecords(("sex",), (("f", "m"),), np.array([[0], [1], [0]])).sizes
    (2,)
    """

    attributes: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]
    rows: IntArray

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of levels of each attribute."""
        return tuple(len(labels) for labels in self.levels)


def _text(data: bytes | str) -> str:
    if len(data) > LARGEST_FILE:
        raise TableError(
            "the file", f"be at most {LARGEST_FILE:,} bytes", len(data), Code.TOO_LARGE, got=f"{len(data):,}"
        )
    if isinstance(data, str):
        return data.removeprefix("\ufeff")
    try:
        return bytes(data).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise TableError("the file", "be encoded as UTF-8", None, Code.WRONG_FORM, got="") from None


def _labels(cells: list[str], *, row: int, columns: list[str]) -> list[str]:
    labels = []
    for cell, column in zip(cells, columns, strict=True):
        label = cell.strip()
        if not label:
            raise TableError("a category", "not be empty", "", Code.EMPTY, got="", row=row, column=column)
        if len(label) > LONGEST_LABEL:
            raise TableError(
                "a category",
                f"have at most {LONGEST_LABEL} characters",
                len(label),
                Code.TOO_LARGE,
                row=row,
                column=column,
            )
        if not label.isprintable():
            raise TableError(
                "a category", "hold no control characters", label, Code.WRONG_FORM, got="", row=row, column=column
            )
        labels.append(label)
    return labels


def _table(text: str) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Header and numbered rows of labels; blank lines are skipped; row 1 is the header."""
    first = next((line for line in io.StringIO(text) if line.strip()), "")
    reader = csv.reader(io.StringIO(text), delimiter=max(",;\t", key=first.count), strict=True)
    header: list[str] = []
    rows: list[tuple[int, list[str]]] = []
    try:
        for cells in reader:
            number = reader.line_num
            if not any(cell.strip() for cell in cells):
                continue
            if not header:
                header = [cell.strip() for cell in cells]
                _check_header(header)
                continue
            if len(cells) != len(header):
                raise TableError("a record", f"have {len(header)} categories", len(cells), Code.WRONG_SHAPE, row=number)
            rows.append((number, _labels(cells, row=number, columns=header)))
            if len(rows) > MOST_RECORDS:
                raise TableError(
                    "the file", f"hold at most {MOST_RECORDS:,} records", len(rows), Code.TOO_LARGE, got=""
                )
    except csv.Error as error:
        raise TableError(
            "the file", f"be a CSV table; {error}", None, Code.WRONG_FORM, got="", row=reader.line_num
        ) from None
    if not header:
        raise TableError("the file", "hold a header and at least one record; it is empty", None, Code.EMPTY, got="")
    if not rows:
        raise TableError("the file", "hold at least one record; it holds a header only", None, Code.EMPTY, got="")
    return header, rows


def _check_header(header: list[str]) -> None:
    if len(header) > MOST_ATTRIBUTES:
        raise TableError("the file", f"have at most {MOST_ATTRIBUTES} columns", len(header), Code.TOO_LARGE, row=1)
    for position, name in enumerate(header):
        if not name or len(name) > LONGEST_LABEL or not name.isprintable():
            raise TableError(
                f"column {position + 1}",
                f"have a printable name of 1 to {LONGEST_LABEL} characters",
                name,
                Code.WRONG_FORM,
                got="",
                row=1,
            )
        if name in header[:position]:
            raise TableError("a column name", "not come twice", name, Code.REPEATED, got="", row=1, column=name)


def read_records(data: bytes | str, *, coded_like: CategoricalRecords | None = None) -> CategoricalRecords:
    """The records of a CSV file of categories.

    Records as they are: no promise is made by reading them. The first line names the attributes; every other line is a
    record. Comma, semicolon or tab separate the fields.
    Source: ours, file format

    Parameters
    ----------
    data : bytes or str; the file's content in UTF-8; at most 20 MB, 200,000 records, 20 columns and 100 levels a column
    coded_like : CategoricalRecords, optional; records whose attributes and levels this file must share, so that both
        are coded alike; the columns may come in any order, and more columns than needed are left out

    Raises
    ------
    Refused
        With the row and the column of the fault: ``row 3, column 'race': a category must not be empty``,
        ``row 4: a record must have 3 categories; got 2``, ``column 'age': ... at most 100 levels; got 150``,
        ``row 2, column 'race': a category must be one of the levels of the other file; got 'x'``.

    Examples
    --------
    >>> records = read_records(chr(10).join(["sex,race", "f,A", "m,B", "f,B"]))
    >>> records.levels, records.rows.tolist()
    ((('f', 'm'), ('A', 'B')), [[0, 0], [1, 1], [0, 1]])
    """
    _checks.kind_of("data", data, (bytes, bytearray, memoryview, str), "the text of a file or its bytes")
    header, rows = _table(_text(data))
    if coded_like is None:
        attributes, columns = tuple(header), list(range(len(header)))
        levels = []
        for column, name in enumerate(header):
            found = sorted({labels[column] for _, labels in rows})
            if len(found) > MOST_LEVELS:
                raise TableError(
                    "an attribute", f"have at most {MOST_LEVELS} levels", len(found), Code.TOO_LARGE, column=name
                )
            levels.append(tuple(found))
    else:
        attributes, levels = coded_like.attributes, list(coded_like.levels)
        missing = [name for name in attributes if name not in header]
        if missing:
            raise TableError(
                "the file",
                "have a column of this name, as the other file has",
                header,
                Code.WRONG_FORM,
                got="",
                column=missing[0],
            )
        columns = [header.index(name) for name in attributes]
    codes = [{label: code for code, label in enumerate(labels)} for labels in levels]
    coded = np.empty((len(rows), len(attributes)), dtype=np.int64)
    for record, (number, labels) in enumerate(rows):
        for position, column in enumerate(columns):
            code = codes[position].get(labels[column])
            if code is None:
                raise TableError(
                    "a category",
                    "be one of the levels of the other file",
                    labels[column],
                    Code.UNKNOWN_CHOICE,
                    row=number,
                    column=attributes[position],
                )
            coded[record, position] = code
    return CategoricalRecords(attributes=attributes, levels=tuple(levels), rows=coded)
