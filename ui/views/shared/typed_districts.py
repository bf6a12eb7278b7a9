"""A list of districts as a reader types, pastes or uploads it, and as a link holds it: ``Ash~412_Birch~3_7``.

A line for each district: its count, or its name and its count. One line of counts alone is a district for each. A last
line named *total* is checked and left out. Where counts are of a public number of people, that stands third
(`decode_areas`): ``Ash~412~9000_Birch~3~800``. A first line of heads says where else they stand.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from urllib.parse import quote, unquote

from riskline.case.fields import shown
from riskline.case.sheet import packed, unpacked
from ui.link.sheet_file import as_typed, columns_by_head, head_words, parted
from ui.views.shared.typed_table import LARGEST_COUNT, LETTER, WHOLE, is_total, word
from ui.words.quantities import Typed, whole

District = tuple[str, int]
Districts = tuple[District, ...]


@dataclass(frozen=True)
class Area:
    """A district with the public number of people that its count is of; None where none is given."""

    name: str
    count: int
    people: int | None = None

    @property
    def exceeds(self) -> bool:
        """Whether more are counted than there are people."""
        return self.people is not None and self.count > self.people


Areas = tuple[Area, ...]

MOST_DISTRICTS = 200
MOST_AREAS = 500
LARGEST_PEOPLE = 1_000_000_000
LONGEST_NAME = 40
LONGEST_IN_LINK = 3000
"""Characters as a link writes them: the memo carries the list inside a choice of its own."""

MARKS = "~\t;=,"
TWO_NUMBERS = re.compile(r"(.*\S)\s+([0-9]+)\s+([0-9]+)")
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
    found = [(area.name, area.count) for area in _areas(text, MOST_DISTRICTS, people=False)]
    written = len(quote(encode_districts(tuple(found))))
    if written > LONGEST_IN_LINK:
        raise ValueError(word("districts.link", most=Typed(LONGEST_IN_LINK, whole), n=f"{written:,}"))
    return tuple(found)


def encode_areas(areas: Areas) -> str:
    """The areas as a link holds them; a long list is deflated.

    >>> encode_areas((Area("Ash", 412, 9000), Area("", 7, 800))), encode_areas((Area("Ash", 412), Area("", 7)))
    ('Ash~412~9000_~7~800', 'Ash~412_7')
    """
    plain = "_".join(_area_cells(area, "~") for area in areas)
    deflated = packed(quote(plain, safe="~ "))
    return deflated if deflated.startswith(".") else plain


def areas_as_lines(areas: Areas) -> str:
    r"""The areas as a reader types them: a line for each.

    >>> areas_as_lines((Area("Ash", 412, 9000), Area("", 7, 800)))
    'Ash; 412; 9000\n; 7; 800'
    """
    mark = "~" if len(areas) == 1 and areas[0].name.isdecimal() else "; "  # 12; 4; 900 would be three counts
    return "\n".join(_area_cells(area, mark) for area in areas)


def _area_cells(area: Area, mark: str) -> str:
    if area.people is None:
        return f"{area.name}{mark}{area.count}" if area.name else str(area.count)
    return f"{area.name}{mark}{area.count}{mark}{area.people}"


def decode_areas(text: str) -> Areas:
    """The areas of a text: counts, each with the number of people it is of, or none; faults as `decode_districts`.

    >>> decode_areas("district, deaths, births / Ash, 412, 9000 / Birch, 3, 800 / total, 415, 9800")
    (Area(name='Ash', count=412, people=9000), Area(name='Birch', count=3, people=800))
    >>> decode_areas("3 0")
    (Area(name='', count=3, people=None), Area(name='', count=0, people=None))
    """
    if text.startswith("."):
        text = unquote(unpacked(text, MOST_AREAS * 6 * LONGEST_NAME, "a list of areas"))
    return _areas(text, MOST_AREAS, people=True)


def _areas(text: str, most: int, *, people: bool) -> Areas:
    """The districts of a text, a total that stands below them checked and left out."""
    lines = _lines(text)
    columns = _columns(lines, people=people)
    first = 2 if columns is not None or (len(lines) > 1 and HEAD.search(lines[0])) else 1
    found = [
        _area(line, number, people=people) if columns is None else _under_heads(line, number, columns)
        for number, line in enumerate(lines[first - 1 :], start=first)
    ]
    if len(found) > 1 and is_total(found[-1].name):
        total, found = found[-1], found[:-1]
        for stated, counts in (
            (total.count, [area.count for area in found]),
            (total.people, [area.people or 0 for area in found]),
        ):
            if stated is not None and sum(counts) != stated:
                raise ValueError(word("districts.sum", sum=f"{sum(counts):,}", given=f"{stated:,}"))
    if not found:
        raise ValueError(word("counts.none"))
    if len(found) > most:
        raise ValueError(word("districts.most", most=Typed(most, whole), n=f"{len(found):,}"))
    for number, area in enumerate(found, start=first):
        if (area.people is None) != (found[0].people is None):
            raise _fault("people" if area.people is None else "no_people", number, lines[number - 1], first=first)
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
    """Where the cells of an area stand below a line of heads, and what parts the cells."""

    mark: str
    number: int
    name: int | None
    count: int
    people: int | None


def _named(words: str) -> str | None:
    """What the words of a head name."""
    if words in COUNTS:
        return "count"
    if words in NAMES:
        return "name"
    return "people" if PEOPLE & set(words.split()) else None


def _columns(lines: list[str], *, people: bool) -> _Columns | None:
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
    if "count" not in found and not people and "people" in found:
        found["count"] = found["people"]
    if "count" not in found or others:
        raise _fault("columns_of_people" if people else "columns", 1, ", ".join(heads))
    return _Columns(mark, len(heads), found.get("name"), found["count"], found.get("people") if people else None)


def _under_heads(line: str, number: int, columns: _Columns) -> Area:
    """One district of a line below heads."""
    if columns.mark:
        cells = parted(line, columns.mark, number)
    else:
        cells = line.rsplit(None, columns.number - 1) if columns.name == 0 else line.split()
    if len(cells) > columns.number:
        raise _fault("cells", number, n=columns.number, first=1, found=len(cells))
    cells += [""] * (columns.number - len(cells))
    name = "" if columns.name is None else as_typed(cells[columns.name])
    of = None if columns.people is None else cells[columns.people]
    fault = partial(_fault, "whole" if of is None else "whole_people", number, line)
    return _checked(name, cells[columns.count], of, fault, number)


def _area(line: str, number: int, *, people: bool) -> Area:
    """One district of its line: its name, empty where there is none, its count, and its people if they may be given."""
    if people:
        _refuse_two_numbers(line, number)
    *names, last = _cells(line, number)
    of: str | None = None
    if people and len(names) > 1 and _is_count(names[-1], line, number):
        of, last = last, names.pop()
    if len(names) > 1 and WHOLE.fullmatch(names[-1]):
        raise _fault("form_of_people" if people else "form", number, line)
    return _checked(", ".join(names), last, of, partial(_fault, "ends", number, line), number)


def _fault(name: str, number: int, line: str = "", **words: object) -> ValueError:
    """What is wrong with a line, which has this number."""
    return ValueError(word(f"districts.{name}", line=number, got=repr(shown(line.strip())), **words))


def _checked(name: str, count: str, of: str | None, fault: Callable[[], ValueError], number: int) -> Area:
    """The district of these cells of a line; `fault` is raised where one that counts is no whole number."""
    people = None if of is None else _whole(of, fault)
    if people is not None and not 1 <= people <= LARGEST_PEOPLE:
        raise _fault("people_range", number, low=1, most=f"{LARGEST_PEOPLE:,}", found=people)
    counted = _whole(count, fault)
    if not 0 <= counted <= LARGEST_COUNT:
        raise _fault("count_range", number, low=0, most=f"{LARGEST_COUNT:,}", found=counted)
    name = " ".join(re.sub(r"[_~;\x00-\x1f]", " ", name).split())
    if len(name) > LONGEST_NAME:
        raise _fault("name", number, most=Typed(LONGEST_NAME, whole), n=len(name))
    return Area(name, counted, people)


def _refuse_two_numbers(line: str, number: int) -> None:
    """Words without a mark that end with two numbers: a name and both, or a name with a number in it."""
    found = TWO_NUMBERS.fullmatch(line.strip())
    if found and not any(mark in line for mark in MARKS):
        name, count, last = found.groups()
        name = shown(name)
        raise _fault("two_numbers", number, one=f"{name}; {count}; {last}", other=f"{name} {count}; {last}")


def _is_count(cell: str, line: str, number: int) -> bool:
    """Whether the cell before the last is a count, the last then being its people, or part of a name with commas."""
    if WHOLE.fullmatch(cell) or GROUPED.fullmatch(cell):
        return True
    if LETTER.search(cell) and not any(mark in line for mark in MARKS.replace(",", "")):
        return False
    raise _fault("count", number, cell)


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
