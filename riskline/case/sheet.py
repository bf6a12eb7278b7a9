"""A small spreadsheet in a link: rows of cells as they were typed; a long one is deflated.

A link is hostile input: the number of rows, the cells of a row and their length are checked before anything is read.
"""

from __future__ import annotations

import base64
import binascii
import math
import re
import zlib
from collections.abc import Collection, Iterable, Sequence
from typing import TypeVar
from urllib.parse import quote, unquote

from dpcore.populations import escaped_for_spreadsheet
from riskline.case.fields import between, parse_number, shown, without_sign

DEFLATE_ABOVE = 900
LONGEST_CELL = 60
CELL, ROW = "~", "!"
SIGNED_NUMBER = re.compile(r"[-+][0-9]+([.,][0-9]+)?")

Row = TypeVar("Row")


def printable(text: str) -> str:
    """Text on one line without control characters."""
    return "".join(mark if mark.isprintable() else " " for mark in text).strip()


def begins_formula(text: str) -> bool:
    """Whether a spreadsheet would run the text of a cell, or a part of it, as a formula; a signed number is none.

    >>> begins_formula("=1+1"), begins_formula("a;@b"), begins_formula("-1"), begins_formula("65+")
    (True, True, False, False)
    """
    return not SIGNED_NUMBER.fullmatch(text) and escaped_for_spreadsheet(text) != text


def escaped(text: str) -> str:
    """Text in a cell of a link, without what parts cells and rows; the link itself escapes the rest.

    >>> escaped("5 % ~ now!")
    '5 %25 %7E now%21'
    """
    return re.sub(f"[%{CELL}{ROW}]", lambda mark: f"%{ord(mark[0]):X}", text)


def in_ascii(text: str) -> str:
    """Escaped text with every other mark escaped too, as decisions are bound to it and as it is deflated.

    >>> in_ascii(escaped("5 % ~ now!"))
    '5%20%25%20%7E%20now%21'
    """
    return quote(text, safe=f"%{CELL}{ROW}")


def packed(text: str) -> str:
    """The text itself, or deflated where that is what a link needs."""
    plain = in_ascii(text)
    if len(plain) <= DEFLATE_ABOVE and not plain.startswith("."):
        return text
    return "." + base64.urlsafe_b64encode(zlib.compress(plain.encode(), 9)).decode().rstrip("=")


def unpacked(text: str, longest: int, what: str) -> str:
    """The text that `packed` made a link's; `ValueError` names what it should have been, where it is none."""
    if not text.startswith("."):
        return text
    body = text[1:]
    try:
        opening = zlib.decompressobj()
        plain = opening.decompress(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)), longest)
        if opening.unconsumed_tail or not opening.eof:
            raise ValueError
        return plain.decode("ascii")
    except (ValueError, binascii.Error, zlib.error):
        raise ValueError(f"must be {what}; got {shown(text)!r}") from None


def encode_sheet(rows: Iterable[Sequence[str]]) -> str:
    """Rows of cells as text of a link.

    >>> encode_sheet([("a count", "", "12"), ("b", "", "")])
    'a count~~12!b'
    """
    return packed(ROW.join(CELL.join(map(escaped, row)).rstrip(CELL) for row in rows))


def decode_sheet(text: str, *, cells: int, most_rows: int, what: str) -> tuple[tuple[str, ...], ...]:
    """The rows a link spells, each with so many cells.

    Raises ValueError: ``must be a list of tables; got '…'``, ``must hold at most 200 rows; got …``, ``row 2 must have
    at most 13 cells; got …``, ``row 2 must have at most 60 characters a cell; got …``

    >>> decode_sheet("a%20count~~12!b", cells=3, most_rows=200, what="a list of tables")
    (('a count', '', '12'), ('b', '', ''))
    """
    plain = unpacked(text, most_rows * cells * 3 * LONGEST_CELL, what)
    number = plain.count(ROW) + 1 if plain else 0
    if number > most_rows:
        raise ValueError(f"must hold at most {most_rows} rows; got {number:,}")
    return tuple(_row(place, piece, cells) for place, piece in enumerate(plain.split(ROW), 1)) if plain else ()


def _row(place: int, piece: str, cells: int) -> tuple[str, ...]:
    found = [printable(unquote(cell)) for cell in piece.split(CELL)]
    if len(found) > cells:
        raise ValueError(f"row {place} must have at most {cells} cells; got {len(found)}")
    longest = max(len(cell) for cell in found)
    if longest > LONGEST_CELL:
        raise ValueError(f"row {place} must have at most {LONGEST_CELL} characters a cell; got {longest}")
    return (*found, *("" for _ in range(cells - len(found))))


def without(rows: tuple[Row, ...], places: Collection[int]) -> tuple[Row, ...]:
    """The rows of a sheet but those at these places, counted from 1.

    >>> without(("a", "b", "c"), (2,))
    ('a', 'c')
    """
    return tuple(row for place, row in enumerate(rows, 1) if place not in places)


def cell_number(
    name: str,
    text: str,
    low: float,
    high: float,
    *,
    open_low: bool = False,
    open_high: bool = False,
    whole: bool = False,
) -> float:
    """The number in a cell; one from 0 to 1 may be typed in percent.

    Raises ValueError: ``<name> must be a number; the cell is empty``, ``<name> must be from 0 to 1; got '-2'``,
    ``<name> must be a whole number; got '2.5'``, and the refusals of `parse_number`.

    >>> cell_number("Row 1: the range", "1,5", 0, 10)
    1.5
    """
    if not text.strip():
        raise ValueError(f"{name} must be a number; the cell is empty")
    try:
        value = parse_number(text, share=low >= 0 and high <= 1, whole=whole)
    except ValueError as error:
        raise ValueError(f"{name} {error}") from None

    def holds(found: float) -> bool:
        above = found > low if open_low else found >= low
        return above and (found < high if open_high else found <= high)

    if not holds(value):
        rule = between(low, high, open_low=open_low, open_high=open_high)
        more = without_sign(text) if low >= 0 and high <= 1 < value and holds(value / 100) else ""
        raise ValueError(f"{name} must {rule}; got {shown(text)!r}{more}")
    if whole and value != math.floor(value):
        raise ValueError(f"{name} must be a whole number; got {shown(text)!r}")
    return value
