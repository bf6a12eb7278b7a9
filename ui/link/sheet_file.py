"""A small spreadsheet as a CSV file: cells as they were typed, under heads that may come in any order.

The line of heads over a table that is typed or pasted is read the same way. A file is hostile input: its size, its rows
and the length of its cells are checked before anything is read of them.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from dpcore.populations import escaped_for_spreadsheet
from riskline.case.fields import shown
from riskline.case.sheet import LONGEST_CELL, SIGNED_NUMBER, printable
from ui.words.catalogue import label
from ui.words.quantities import Typed, whole
from ui.words.refusals import refuse_larger

LARGEST_FILE = 2_000_000  # bytes
QUOTED_AS_TEXT = re.compile(r"""(^|[;,|]\s*["']?)'(?=[=+\-@\uff1d\uff0b\uff0d\uff20])""")

Cells = tuple[str, ...]
word = partial(label, "sheet")


def sheet_csv(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    r"""The heads and rows as CSV; text that a spreadsheet would run as a formula is quoted with an apostrophe.

    >>> sheet_csv(["name", "from"], [("=cmd", "-1"), ("a, b", "")])
    'name,from\n\'=cmd,-1\n"a, b",\n'
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for row in (heads, *rows):
        writer.writerow(cell if SIGNED_NUMBER.fullmatch(cell) else escaped_for_spreadsheet(cell) for cell in row)
    return out.getvalue()


def read_sheet_csv(
    content: bytes, *, heads: Sequence[str], most_rows: int, largest: int = LARGEST_FILE
) -> tuple[Cells, ...]:
    r"""The rows of a CSV file, their cells in the order of the heads; a column that the file lacks is empty.

    >>> read_sheet_csv(b"From;Name\n-1;'=cmd\n", heads=["name", "from"], most_rows=200)
    (('=cmd', '-1'),)
    """
    refuse_larger(content, largest)
    lines = _lines(content.decode("utf-8-sig"))
    if not lines:
        raise ValueError(word("csv.empty"))
    (first, named), *rows = lines
    places = _places(first, named, heads)
    if not rows:
        raise ValueError(word("csv.no_rows"))
    if len(rows) > most_rows:
        raise ValueError(word("csv.rows", most=Typed(most_rows, whole), n=f"{len(rows):,}"))
    return tuple(_row(number, cells, places, heads) for number, cells in rows)


def as_typed(cell: str) -> str:
    """A cell of a file as it was typed, without the apostrophes by which it left as text."""
    typed = QUOTED_AS_TEXT.sub(r"\1", cell)
    return typed if escaped_for_spreadsheet(typed) == cell else cell


def _lines(text: str) -> list[tuple[int, list[str]]]:
    """The lines with text in them, by their numbers, parted at the mark that parts the first one most often."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count), strict=True)
    try:
        return [(reader.line_num, cells) for cells in reader if any(cell.strip() for cell in cells)]
    except csv.Error:
        raise ValueError(word("csv.unreadable", line=reader.line_num)) from None


def _places(number: int, named: list[str], heads: Sequence[str]) -> dict[int, int]:
    """The place among the heads of each named column of the file."""
    while named and not named[-1].strip():
        named = named[:-1]
    found = columns_by_head(named, {head_words(head): head for head in heads}.get)
    columns = {column: head for head, column in found.items()}
    if not columns:
        got = shown(", ".join(printable(head) for head in named))
        raise ValueError(word("csv.heads", line=number, heads=", ".join(heads), got=repr(got)))
    for column, head in enumerate(named):
        if column not in columns:
            raise ValueError(word("csv.head", line=number, head=repr(shown(printable(head))), heads=", ".join(heads)))
    return {column: heads.index(head) for column, head in columns.items()}


def _row(number: int, cells: list[str], places: dict[int, int], heads: Sequence[str]) -> Cells:
    while len(cells) > len(places) and not cells[-1].strip():
        cells = cells[:-1]
    if len(cells) > len(places):
        raise ValueError(word("csv.cells", line=number, most=Typed(len(places), whole), n=len(cells)))
    found = [""] * len(heads)
    for column, cell in enumerate(cells):
        text = as_typed(printable(cell))
        if len(text) > LONGEST_CELL:
            most = Typed(LONGEST_CELL, whole)
            raise ValueError(word("csv.cell", line=number, head=heads[places[column]], most=most, n=len(text)))
        found[places[column]] = text
    return tuple(found)


def head_words(head: str) -> str:
    """The letters of a head: what another program makes of its signs does not matter, where any letter is Latin.

    >>> head_words("Â± Wanted"), head_words("± Ցանկ")
    ('wanted', 'ցանկ')
    """
    return " ".join(re.findall("[a-z]+", head.casefold()) or re.findall(r"[^\W\d_]+", head.casefold()))


def columns_by_head(heads: Sequence[str], named: Callable[[str], str | None]) -> dict[str, int]:
    """The column of each thing that a line of heads names; what it does not name is missing.

    >>> columns_by_head(["Area", "People (2024)", "True count"], {"true count": "count", "people": "people"}.get)
    {'people': 1, 'count': 2}
    """
    found: dict[str, int] = {}
    for column, head in enumerate(heads):
        name = named(head_words(head))
        if name is None:
            continue
        if name in found:
            one, other = (repr(shown(printable(heads[place]))) for place in (found[name], column))
            raise ValueError(word("csv.twice", name=repr(name), one=one, other=other))
        found[name] = column
    return found


def parted(line: str, mark: str, number: int) -> list[str]:
    """The cells between the marks of a line, which has this number; empty ones at its end are left out.

    >>> parted(' "St. Mary, North", 1234,,', ",", 1)
    ['St. Mary, North', '1234']
    """
    try:
        cells = [cell.strip() for cell in next(csv.reader([line], delimiter=mark, skipinitialspace=True))]
    except csv.Error:
        raise ValueError(word("csv.unreadable", line=number)) from None
    while cells and not cells[-1]:
        cells.pop()
    return cells


def under_heads(rows: Sequence[Sequence[str]], heads: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Rows of a sheet as its heads stand, where a line of these heads was pasted with the rows below it.

    >>> under_heads([("a", "1"), ("Budget", "Name"), ("2", "b")], ["name", "budget"])
    (('a', '1'), ('b', '2'))
    """
    found, columns = [], None
    named = {head_words(head): head for head in heads}.get
    for row in rows:
        filled = [cell for cell in row if cell.strip()]
        if len(filled) > 1 and len(places := columns_by_head(row, named)) == len(filled):
            columns = places
        elif columns is None:
            found.append(tuple(row))
        else:
            found.append(tuple(row[columns[head]] if head in columns else "" for head in heads))
    return tuple(found)
