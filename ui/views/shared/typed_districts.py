"""A list of districts as a reader types, pastes or uploads it, and as a link holds it: ``Ash~412_Birch~3_7``.

A line for each district: its count, or its name and its count. One line of counts alone is a district for each. A first
line without a count is a head; a last line named *total* is checked and left out.
"""

from __future__ import annotations

import csv
import re
from urllib.parse import quote

from ui.link.fields import shown
from ui.views.shared.typed_table import LARGEST_COUNT, WHOLE, is_total

District = tuple[str, int]
Districts = tuple[District, ...]

MOST_DISTRICTS = 200
LONGEST_NAME = 40
LONGEST_IN_LINK = 3000
"""Characters as a link writes them: the memo carries the list inside a choice of its own."""

ENDS_IN_COUNT = re.compile(r"[0-9]\W*$")
HEAD = re.compile(r"[^\W\d_]\W*(?<![;,\t~=])$")  # a last cell of letters, not one that was left empty
GROUPED = re.compile(r"[1-9][0-9]{0,2}(,[0-9]{3})+")
COMMA_OF_TWO_MEANINGS = re.compile(r"(?:^|.*\s)([1-9][0-9]{0,2}),([0-9]{3})\s*")


def encode_districts(districts: Districts) -> str:
    """The districts as a link holds them.

    Examples
    --------
    >>> encode_districts((("Ash", 412), ("", 7)))
    'Ash~412_7'
    """
    return "_".join(f"{name}~{count}" if name else str(count) for name, count in districts)


def districts_as_lines(districts: Districts) -> str:
    r"""The districts as a reader types them: a line for each.

    Examples
    --------
    >>> districts_as_lines((("Ash", 412), ("", 7)))
    'Ash; 412\n7'
    """
    return "\n".join(f"{name}; {count}" if name else str(count) for name, count in districts)


def decode_districts(text: str) -> Districts:
    """The districts that a text stands for.

    Raises
    ------
    ValueError
        With the line of the fault: ``line 2 must end with a whole number; got 'Birch'``, ``line 1 could be one count
        or a name and a count: write 1234, or 1; 234``, ``the districts add up to 415; their total is given as 416``.

    Examples
    --------
    >>> decode_districts("district, count / Ash, 412 / Birch, 3 / total, 415"), decode_districts("3 0 7")
    ((('Ash', 412), ('Birch', 3)), (('', 3), ('', 0), ('', 7)))
    """
    lines = _lines(text)
    if len(lines) > 1 and HEAD.search(lines[0]):
        lines = lines[1:]
    found = [_district(line, number) for number, line in enumerate(lines, start=1)]
    if len(found) > 1 and is_total(found[-1][0]):
        (_, stated), found = found[-1], found[:-1]
        total = sum(count for _, count in found)
        if total != stated:
            raise ValueError(f"the districts add up to {total:,}; their total is given as {stated:,}")
    if not found:
        raise ValueError("must hold at least one count")
    if len(found) > MOST_DISTRICTS:
        raise ValueError(f"must have at most {MOST_DISTRICTS} districts; got {len(found):,}")
    written = len(quote(encode_districts(tuple(found))))
    if written > LONGEST_IN_LINK:
        raise ValueError(
            f"must be at most {LONGEST_IN_LINK:,} characters in a link, without names or with shorter ones; got "
            f"{written:,}"
        )
    return tuple(found)


def _lines(text: str) -> list[str]:
    """The text's lines: broken, from a link, between strokes, or one line of counts alone."""
    lines = re.split(r"[\n\r]+", text.strip())
    if len(lines) == 1:
        parts = [part for part in text.split("_") if part.strip()]
        if all(ENDS_IN_COUNT.search(part) for part in parts):
            lines = parts
    if len(lines) == 1:
        lines = re.split(r"\s/\s", lines[0])
    if len(lines) == 1:
        alone = [piece for piece in re.split(r"[;,\s]\s*", lines[0]) if piece]
        named = len(alone) == 2 and (re.search(r"[;\t]", lines[0]) or COMMA_OF_TWO_MEANINGS.fullmatch(lines[0]))
        if len(alone) > 1 and not named and all(WHOLE.fullmatch(piece) for piece in alone):
            lines = alone
    return [line for line in lines if line.strip(" ,;\t")]


def _district(line: str, number: int) -> District:
    """One district of its line: its name, empty where there is none, and its count."""
    *names, count = _cells(line, number)
    if GROUPED.fullmatch(count):
        count = count.replace(",", "")
    if not WHOLE.fullmatch(count):
        raise ValueError(f"line {number} must end with a whole number; got {shown(line.strip())!r}")
    if not 0 <= int(count) <= LARGEST_COUNT:
        raise ValueError(f"line {number}: the count must be from 0 to {LARGEST_COUNT:,}; got {int(count)}")
    if len(names) > 1 and WHOLE.fullmatch(names[-1]):
        raise ValueError(f"line {number} must be a count, or a name and a count; got {shown(line.strip())!r}")
    name = " ".join(re.sub(r"[_~;\x00-\x1f]", " ", ", ".join(names)).split())
    if len(name) > LONGEST_NAME:
        raise ValueError(f"line {number}: the name must have at most {LONGEST_NAME} letters; got {len(name)}")
    return name, int(count)


def _cells(line: str, number: int) -> list[str]:
    """The cells of a line, the count last: between marks, or the last word where there is no mark."""
    mark = next((mark for mark in "~\t;=," if mark in line), "")
    if mark == "," and (both := COMMA_OF_TWO_MEANINGS.fullmatch(line)):
        thousands, ones = both.groups()
        name = line[: both.start(2) - 1].strip()
        raise ValueError(
            f"line {number} could have a comma between thousands or after a name: write {thousands}{ones}, or "
            f"{shown(name)}; {ones}"
        )
    if mark:
        try:
            cells = [cell.strip() for cell in next(csv.reader([line], delimiter=mark, skipinitialspace=True))]
        except csv.Error:
            raise ValueError(f"line {number} must be a name and a count; got {shown(line.strip())!r}") from None
        while cells and not cells[-1]:
            cells.pop()
        if cells and (mark != "," or WHOLE.fullmatch(cells[-1]) or GROUPED.fullmatch(cells[-1])):
            return cells
    *words, count = line.split()
    if words and WHOLE.fullmatch(" ".join(words)):
        raise ValueError(f"line {number} must be a count, or a name and a count; got {shown(line.strip())!r}")
    return [" ".join(words), count] if words else [count]
