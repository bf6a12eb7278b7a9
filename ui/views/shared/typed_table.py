"""Tables of counts and lists of districts as a reader types or pastes them, and as a link holds them.

Rows of counts are lines (or stand apart by ``/``), cells stand apart by spaces, commas, semicolons or tabs:
``8~6~4_3~5~8`` in a link. A first line of names and a name before each row are left out. Totals may be given, after
``=`` or under the name *total*, in whichever column it stands: they are checked against the cells, and are not cells.
Values of any size are a list, one on each line (`read_values`).

Districts have a line each, a count or a name and a count: ``Ash~412_Birch~3_7`` in a link. One line of counts alone is
a district for each. A last line named *total* is checked and left out. A first line of heads says where else they
stand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from urllib.parse import quote

from riskline.case.fields import parse_number, shown
from ui.link.sheet_file import as_typed, columns_by_head, head_words, parted
from ui.words.catalogue import label
from ui.words.quantities import Typed, whole
from ui.words.refusals import refuse_larger

MOST_CELLS = 200
LARGEST_COUNT = 10_000_000
Counts = tuple[tuple[int, ...], ...]
Row = tuple[int, ...]

LETTER = re.compile(r"[^\W\d_]")
TOTAL = re.compile(r"(?:grand )?totals?\b.*|sum|all")
WHOLE = re.compile(r"[+-]?[0-9]{1,15}")
word = partial(label, "sheet")


def encode_counts(counts: Counts) -> str:
    """The counts as a link holds them.

    >>> encode_counts(((8, 6, 4), (3, 5, 8)))
    '8~6~4_3~5~8'
    """
    return "_".join("~".join(map(str, row)) for row in counts)


def counts_as_lines(counts: Counts) -> str:
    r"""The counts as a reader types them: a line for each row.

    >>> counts_as_lines(((8, 6), (3, 5)))
    '8 6\n3 5'
    """
    return "\n".join(" ".join(map(str, row)) for row in counts)


def decode_counts(text: str) -> Counts:
    """The counts of a text, totals checked and left out; a `ValueError` names the row and cell of a fault.

    >>> decode_counts("8 6 4 = 18 / 3 5 8 = 16")
    ((8, 6, 4), (3, 5, 8))
    """
    lines = [_tokens(line) for line in re.split(r"[\n\r_/]+", text)]
    lines = [line for line in lines if any(line)]
    headed = bool(lines) and all(not token or LETTER.search(token) for token in lines[0])
    header = lines.pop(0) if headed else []
    summed = [place - len(header) for place, name in enumerate(header) if is_total(name)]
    if len(summed) > 1:
        raise ValueError(word("counts.one_total", n=len(summed)))
    rows: list[Row] = []
    stated: Row | None = None
    for number, line in enumerate(lines, start=1):
        name = line.pop(0) if LETTER.search(line[0]) or (header and not line[0]) else ""
        values = _counts([token for token in line if token != "="], number)
        if summed and len(values) >= -summed[0]:  # the total of a row stands last from here on
            values = (*values[: summed[0]], *values[len(values) + summed[0] + 1 :], values[summed[0]])
        if line[:1] == ["="] or is_total(name):
            if number != len(lines):
                raise ValueError(word("counts.totals_last"))
            stated = values
            continue
        if "=" in line[:-2] or line[-1:] == ["="]:
            raise ValueError(word("counts.total_after", row=number))
        if summed or "=" in line:
            *cells, total = values
            if sum(cells) != total:
                raise ValueError(word("counts.sum_of_row", place=number, sum=f"{sum(cells):,}", given=f"{total:,}"))
            values = tuple(cells)
        rows.append(values)
    if not rows or not rows[0]:
        raise ValueError(word("counts.none"))
    width = len(rows[0])
    for number, row in enumerate(rows, start=1):
        if len(row) != width:
            raise ValueError(word("counts.width", row=number, width=width, first=1, n=len(row)))
    if width * len(rows) > MOST_CELLS:
        raise ValueError(word("counts.most", most=Typed(MOST_CELLS, whole), n=f"{width * len(rows):,}"))
    if stated is not None:
        _check_column_totals(rows, stated)
    return tuple(rows)


def decode_list(text: str) -> Counts:
    """Counts in one row: a list, or a column of a table.

    >>> decode_list("435 / 53 / 36")
    ((435, 53, 36),)
    """
    counts = decode_counts(text)
    if len(counts) > 1 and len(counts[0]) > 1:
        raise ValueError(word("counts.list", rows=len(counts), width=len(counts[0])))
    return counts if len(counts) == 1 else (tuple(row[0] for row in counts),)


def is_total(name: str) -> bool:
    """Whether a name before or above counts says that they are sums of the others."""
    return TOTAL.fullmatch(name.strip().lower()) is not None


def _tokens(line: str) -> list[str]:
    line = line.replace("=", " = ").strip(" ")
    if re.search(r"[~\t;|]", line):
        parts = re.split(r"[~\t;|]", line)
    elif "," in line and (re.search(r",\s", line) or not re.search(r"\d\s+\d", line)):
        parts = line.split(",")
    else:
        parts = line.split()
    found: list[str] = []
    for part in parts:  # an = may stand beside a cell
        found += [piece.strip().strip('"') for piece in re.split(r"(=)", part) if piece.strip()] or [""]
    return found


def _counts(tokens: list[str], row: int) -> Row:
    values = []
    for cell, token in enumerate(tokens, start=1):
        if not WHOLE.fullmatch(token):
            raise ValueError(word("counts.whole", row=row, cell=cell, got=repr(shown(token))))
        value = int(token)
        if not 0 <= value <= LARGEST_COUNT:
            raise ValueError(word("counts.range", row=row, cell=cell, low=0, most=f"{LARGEST_COUNT:,}", got=value))
        values.append(value)
    return tuple(values)


def _check_column_totals(rows: list[Row], stated: Row) -> None:
    sums = [sum(column) for column in zip(*rows, strict=True)]
    total = sum(sums)
    if len(stated) == 1:
        sums = [total]
    elif len(stated) == len(sums) + 1:
        sums.append(total)
    if len(stated) != len(sums):
        raise ValueError(word("counts.totals", wanted=len(sums), n=len(stated)))
    for column, (found, given) in enumerate(zip(sums, stated, strict=True), start=1):
        if found != given:
            what = "table" if column == len(rows[0]) + 1 or len(stated) == 1 else "column"
            raise ValueError(word(f"counts.sum_of_{what}", place=column, sum=f"{found:,}", given=f"{given:,}"))


LARGEST_FILE = 1_000_000
VALUES = {"amount": "amounts", "amounts": "amounts", "value": "amounts", "values": "amounts"}


def read_values(content: bytes, *, most: int, largest: float) -> list[float]:
    r"""The values of a text with one on each line, below a head or not; of several columns that of amounts or values.

    >>> read_values(b"lead\n12.5\n8\n", most=20_000, largest=1e9)
    [12.5, 8.0]
    """
    refuse_larger(content, LARGEST_FILE)
    lines = content.decode("utf-8-sig").splitlines()
    headed = bool(lines) and LETTER.match(lines[0].strip(' "')) is not None  # 1,200 or 12.5 kg is no head
    values = []
    for number, line in enumerate(_cells(lines) if headed else lines, start=1):
        cell = line.strip().strip('"')
        if number == 1 and headed:
            continue
        try:
            value = _value(cell, largest)
        except ValueError:
            raise ValueError(word("values.number", line=number, got=repr(shown(cell)))) from None
        if value is not None:
            values.append(value)
    if not 2 <= len(values) <= most:
        raise ValueError(word("values.many", low=2, most=f"{most:,}", n=f"{len(values):,}"))
    return values


def _cells(lines: list[str]) -> list[str]:
    """The column of the amounts, where a first line of heads names it among others; else the lines as they are."""
    mark = max(",;\t", key=lines[0].count)
    heads = parted(lines[0], mark, 1)
    column = columns_by_head(heads, VALUES.get).get("amounts")
    if column is None or len(heads) == 1:
        return lines
    rows = [parted(line, mark, number) for number, line in enumerate(lines, start=1)]
    return [row[column] if len(row) == len(heads) else mark.join(row) for row in rows]


def _value(line: str, largest: float) -> float | None:
    if not line:
        return None
    if not line.replace(".", "").replace("-", "").replace("+", "").replace("e", "").replace("E", "").isdigit():
        raise ValueError(line)
    value = parse_number(line)
    if abs(value) > largest:
        raise ValueError(line)
    return value


District = tuple[str, int]
Districts = tuple[District, ...]


MOST_DISTRICTS = 200
LONGEST_NAME = 40
LONGEST_IN_LINK = 3000
"""Characters as a link writes them: the memo carries the list inside a choice of its own."""

MARKS = "~\t;=,"
ENDS_IN_COUNT = re.compile(r"[0-9]\W*$")
HEADS = re.compile(r"[^\W\d_]\W*(?<![;,\t~=])$")  # ends in a cell of letters, not in an empty one
NAMES = ("area", "name", "place", "district", "region", "county", "municipality", "town", "village", "ward")
COUNTS = ("count", "counts", "true count", "cases")
PEOPLE = {"people", "persons", "population", "inhabitants", "residents"}
TOLD = ("true rate in a thousand", "published on the wrong side", "published example", "range", "below zero")
"""What our own tables of areas tell beside their counts, by its heads."""
NUMBER = re.compile(r"[+-]?[0-9][0-9.,]*")
GROUPED = re.compile(r"[1-9][0-9]{0,2}((,[0-9]{3})+|([ \u00a0\u2009\u202f][0-9]{3})+)")
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
    numbered = _lines(text)
    lines = [line for _, line in numbered]
    columns = _columns(lines)
    has_heads = columns is not None or (len(lines) > 1 and HEADS.search(lines[0]) is not None)
    found = [
        _district(line, number) if columns is None else _under_heads(line, number, columns)
        for number, line in numbered[has_heads:]
    ]
    if len(found) > 1 and is_total(found[-1][0]):
        *found, (_, total) = found
        if sum(count for _, count in found) != total:
            raise ValueError(word("districts.sum", sum=f"{sum(count for _, count in found):,}", given=f"{total:,}"))
    if not found:
        raise ValueError(word("counts.none"))
    first: dict[str, int] = {}
    for (number, _), (name, _) in zip(numbered[has_heads:], found, strict=False):  # a line of totals may be left
        if name and first.setdefault(name, number) != number:
            raise _fault("twice", number, name, first=first[name])
    if len(found) > MOST_DISTRICTS:
        raise ValueError(word("districts.most", most=Typed(MOST_DISTRICTS, whole), n=f"{len(found):,}"))
    written = len(quote(encode_districts(tuple(found))))
    if written > LONGEST_IN_LINK:
        raise ValueError(word("districts.link", most=Typed(LONGEST_IN_LINK, whole), n=f"{written:,}"))
    return tuple(found)


def _lines(text: str) -> list[tuple[int, str]]:
    """The text's lines by their numbers: broken, from a link, between strokes, or one line of counts alone."""
    numbered = [(at, line) for at, line in enumerate(re.split(r"\r\n|\n|\r", text), 1) if line.strip(" ,;\t")]
    if len(numbered) > 1:
        return numbered
    lines = [text.strip()]
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
    return [(at, line) for at, line in enumerate(lines, 1) if line.strip(" ,;\t")]


@dataclass(frozen=True)
class _Columns:
    """Where the cells of a district stand below a line of heads, and what parts the cells."""

    mark: str
    number: int
    name: int | None
    count: int


def _named(words: str) -> str | None:
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
    return _checked(name, cells[columns.count], "whole", number, line)


def _district(line: str, number: int) -> District:
    """One district of its line: its name, empty where there is none, and its count."""
    *names, last = _cells_of_district(line, number)
    pieces = names if "~" in line else re.split(r"\s*[\t;=,]\s*", "; ".join(names))  # a link's names may hold marks
    if any(WHOLE.fullmatch(piece) for piece in pieces[1:]):
        raise _fault("form", number, line)
    return _checked(", ".join(names), last, "ends", number, line)


def _fault(name: str, number: int, line: str = "", **words: object) -> ValueError:
    """What is wrong with a line, which has this number."""
    return ValueError(word(f"districts.{name}", line=number, got=repr(shown(line.strip())), **words))


def _checked(name: str, cell: str, fault: str, number: int, line: str) -> District:
    """The district of these cells of a line; the fault of this name where the one that counts is no whole number."""
    digits = re.sub(r"\D", "", cell) if GROUPED.fullmatch(cell) else cell  # a mark between thousands
    if not WHOLE.fullmatch(digits):
        raise _fault(fault, number, line)
    count = int(digits)
    if not 0 <= count <= LARGEST_COUNT:
        raise _fault("count_range", number, low=0, most=f"{LARGEST_COUNT:,}", found=count)
    name = " ".join(re.sub(r"[_~;\x00-\x1f]", " ", name).split())
    if len(name) > LONGEST_NAME:
        raise _fault("name", number, most=Typed(LONGEST_NAME, whole), n=len(name))
    return name, count


def _cells_of_district(line: str, number: int) -> list[str]:
    """The cells of a line, the count last: between marks, or the last word where there is no mark."""
    mark = next((mark for mark in MARKS if mark in line), "")
    if mark == "," and (both := COMMA_OF_TWO_MEANINGS.fullmatch(line)):
        thousands, ones = both.groups()
        name = line[: both.start(2) - 1].strip()
        raise _fault("comma", number, one=f"{thousands}{ones}", other=f"{shown(name)}; {ones}")
    if mark:
        cells = parted(line, mark, number)
        alone = cells and " " not in cells[-1] and (WHOLE.fullmatch(cells[-1]) or GROUPED.fullmatch(cells[-1]))
        if cells and (mark != "," or alone):
            return cells
    *words, count = line.split()
    within = [word.strip(",;:=") for word in words[1:-1]]
    if any(WHOLE.fullmatch(word) for word in (" ".join(words), *within)):
        raise _fault("form", number, line)
    return [" ".join(words), count] if words else [count]
