"""A list of districts as a reader types, pastes or uploads it, and as a link holds it: ``Ash~412_Birch~3_7``.

A line for each district: its count, or its name and its count. One line of counts alone is a district for each. A last
line named *total* is checked and left out. A first line of heads says where else they stand.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from urllib.parse import quote

from riskline.case.fields import shown
from ui.link.sheet_file import as_typed, columns_by_head, head_words, parted
from ui.views.shared.typed_table import LARGEST_COUNT, WHOLE, is_total, word
from ui.words.quantities import Typed, whole

District = tuple[str, int]
Districts = tuple[District, ...]


MOST_DISTRICTS = 200
LONGEST_NAME = 40
LONGEST_IN_LINK = 3000
"""Characters as a link writes them: the memo carries the list inside a choice of its own."""

MARKS = "~\t;=,"
ENDS_IN_COUNT = re.compile(r"[0-9]\W*$")
HEAD = re.compile(r"[^\W\d_]\W*(?<![;,\t~=])$")  # ends in a cell of letters, not in an empty one
NAMES = ("area", "name", "place", "district", "region", "county", "municipality", "town", "village", "ward")
COUNTS = ("count", "counts", "true count", "cases")
PEOPLE = {"people", "persons", "population", "inhabitants", "residents"}
TOLD = ("true rate in a thousand", "published on the wrong side", "published example", "range", "below zero")
"""What our own tables of areas tell beside their counts, by its heads."""
NUMBER = re.compile(r"[+-]?[0-9][0-9.,]*")
GROUPED = re.compile(r"[1-9][0-9]{0,2}(,[0-9]{3})+")
COMMA_OF_TWO_MEANINGS = re.compile(r"(?:^|.*\s)([1-9][0-9]{0,2}),([0-9]{3})\s*")


def encode_districts(districts: Districts) -> str:
    """The districts as a link holds them.

    >>> encode_districts((("Ash", 412), ("", 7)))
    'Ash~412_7'
    """
    return "_".join(f"{name}~{count}" if name else str(count) for name, count in districts)


def districts_as_lines(districts: Districts) -> str:
    r"""The districts as a reader types them: a line for each.

    >>> districts_as_lines((("Ash", 412), ("", 7)))
    'Ash; 412\n7'
    """
    return "\n".join(f"{name}; {count}" if name else str(count) for name, count in districts)


def decode_districts(text: str) -> Districts:
    """The districts that a text stands for; a `ValueError` names the line of a fault.

    >>> decode_districts("district, count / Ash, 412 / Birch, 3 / total, 415"), decode_districts("3 0 7")
    ((('Ash', 412), ('Birch', 3)), (('', 3), ('', 0), ('', 7)))
    """
    lines = _lines(text)
    columns = _columns(lines)
    first = 2 if columns is not None or (len(lines) > 1 and HEAD.search(lines[0])) else 1
    found = [
        _district(line, number) if columns is None else _under_heads(line, number, columns)
        for number, line in enumerate(lines[first - 1 :], start=first)
    ]
    if len(found) > 1 and is_total(found[-1][0]):
        *found, (_, total) = found
        if sum(count for _, count in found) != total:
            raise ValueError(word("districts.sum", sum=f"{sum(count for _, count in found):,}", given=f"{total:,}"))
    if not found:
        raise ValueError(word("counts.none"))
    if len(found) > MOST_DISTRICTS:
        raise ValueError(word("districts.most", most=Typed(MOST_DISTRICTS, whole), n=f"{len(found):,}"))
    written = len(quote(encode_districts(tuple(found))))
    if written > LONGEST_IN_LINK:
        raise ValueError(word("districts.link", most=Typed(LONGEST_IN_LINK, whole), n=f"{written:,}"))
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


@dataclass(frozen=True)
class _Columns:
    """Where the cells of a district stand below a line of heads, and what parts the cells."""

    mark: str
    number: int
    name: int | None
    count: int


def _named(words: str) -> str | None:
    """What the words of a head name."""
    if words in COUNTS:
        return "count"
    if words in NAMES:
        return "name"
    return "people" if PEOPLE & set(words.split()) else None


def _columns(lines: list[str]) -> _Columns | None:
    """What a first line of heads says of its columns; None where there is none, or only words that say nothing."""
    if len(lines) < 2:
        return None
    mark = max(MARKS, key=lines[0].count)
    mark = mark if mark in lines[0] else ""
    heads = parted(lines[0], mark, 1) if mark else lines[0].split()
    if any(NUMBER.fullmatch(head) for head in heads):
        return None
    found = columns_by_head(heads, _named)
    told = [head_words(head) in TOLD for head in heads]
    others = [place for place in range(len(heads)) if place not in found.values() and not told[place]]
    if not (found.keys() - {"name"} or any(told)) or (others and not mark):
        return None
    if "name" not in found and others[:1] == [0] and ("count" in found or len(others) > 1):
        found["name"] = others.pop(0)
    if "count" not in found and len(others) == 1:
        found["count"] = others.pop()
    if "count" not in found and "people" in found:
        found["count"] = found["people"]
    if "count" not in found or others:
        raise _fault("columns", 1, ", ".join(heads))
    return _Columns(mark, len(heads), found.get("name"), found["count"])


def _under_heads(line: str, number: int, columns: _Columns) -> District:
    """One district of a line below heads."""
    if columns.mark:
        cells = parted(line, columns.mark, number)
    else:
        cells = line.rsplit(None, columns.number - 1) if columns.name == 0 else line.split()
    if len(cells) > columns.number:
        raise _fault("cells", number, n=columns.number, first=1, found=len(cells))
    cells += [""] * (columns.number - len(cells))
    name = "" if columns.name is None else as_typed(cells[columns.name])
    return _checked(name, cells[columns.count], partial(_fault, "whole", number, line), number)


def _district(line: str, number: int) -> District:
    """One district of its line: its name, empty where there is none, and its count."""
    *names, last = _cells(line, number)
    if len(names) > 1 and WHOLE.fullmatch(names[-1]):
        raise _fault("form", number, line)
    return _checked(", ".join(names), last, partial(_fault, "ends", number, line), number)


def _fault(name: str, number: int, line: str = "", **words: object) -> ValueError:
    """What is wrong with a line, which has this number."""
    return ValueError(word(f"districts.{name}", line=number, got=repr(shown(line.strip())), **words))


def _checked(name: str, cell: str, fault: Callable[[], ValueError], number: int) -> District:
    """The district of these cells of a line; `fault` is raised where the one that counts is no whole number."""
    count = _whole(cell, fault)
    if not 0 <= count <= LARGEST_COUNT:
        raise _fault("count_range", number, low=0, most=f"{LARGEST_COUNT:,}", found=count)
    name = " ".join(re.sub(r"[_~;\x00-\x1f]", " ", name).split())
    if len(name) > LONGEST_NAME:
        raise _fault("name", number, most=Typed(LONGEST_NAME, whole), n=len(name))
    return name, count


def _whole(cell: str, fault: Callable[[], ValueError]) -> int:
    """The whole number of a cell, commas between its thousands or not."""
    digits = cell.replace(",", "") if GROUPED.fullmatch(cell) else cell
    if not WHOLE.fullmatch(digits):
        raise fault()
    return int(digits)


def _cells(line: str, number: int) -> list[str]:
    """The cells of a line, the count last: between marks, or the last word where there is no mark."""
    mark = next((mark for mark in MARKS if mark in line), "")
    if mark == "," and (both := COMMA_OF_TWO_MEANINGS.fullmatch(line)):
        thousands, ones = both.groups()
        name = line[: both.start(2) - 1].strip()
        raise _fault("comma", number, one=f"{thousands}{ones}", other=f"{shown(name)}; {ones}")
    if mark:
        cells = parted(line, mark, number)
        if cells and (mark != "," or WHOLE.fullmatch(cells[-1]) or GROUPED.fullmatch(cells[-1])):
            return cells
    *words, count = line.split()
    if words and WHOLE.fullmatch(" ".join(words)):
        raise _fault("form", number, line)
    return [" ".join(words), count] if words else [count]
