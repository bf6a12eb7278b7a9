"""A table of counts as a reader types or pastes it, and as a link holds it: ``8~6~4_3~5~8``.

Rows are lines (or stand apart by ``/``), cells stand apart by spaces, commas, semicolons or tabs. A first line of names
and a name before each row are left out. Totals may be given, after ``=`` or under the name *total*, in whichever column
it stands: they are checked against the cells, and are not cells. Values of any size are a list, one on each line
(`read_values`).
"""

from __future__ import annotations

import re
from functools import partial

from riskline.case.fields import parse_number, shown
from ui.link.sheet_file import columns_by_head, parted
from ui.words.catalogue import label
from ui.words.quantities import Typed, whole

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
        totals_line = line[:1] == ["="] or is_total(name)
        values = _counts([token for token in line if token != "="], number)
        if summed and len(values) >= -summed[0]:  # the total of a row stands last from here on
            values = (*values[: summed[0]], *values[len(values) + summed[0] + 1 :], values[summed[0]])
        if totals_line:
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
HEAD = re.compile(r"[^\W\d_]")
"""A head begins with a letter: 1,200 or 12.5 kg is an amount that cannot be read."""


def read_values(content: bytes, *, most: int, largest: float) -> list[float]:
    r"""The values of a text with one on each line, below a head or not; of several columns that of amounts or values.

    >>> read_values(b"lead\n12.5\n8\n", most=20_000, largest=1e9)
    [12.5, 8.0]
    """
    if len(content) > LARGEST_FILE:
        raise ValueError(word("values.size", most=Typed(LARGEST_FILE, whole), n=f"{len(content):,}"))
    lines = content.decode("utf-8-sig").splitlines()
    headed = bool(lines) and HEAD.match(lines[0].strip(' "')) is not None
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
