"""Values of a reader's own as they are typed, pasted or read from a file: one number on each line."""

from __future__ import annotations

import re

from riskline.case.fields import parse_number, shown
from ui.link.heads import columns_by_head, parted

LARGEST_FILE = 1_000_000
VALUES = {"amount": "amounts", "amounts": "amounts", "value": "amounts", "values": "amounts"}
HEAD = re.compile(r"[^\W\d_]")
"""A head begins with a letter: 1,200 or 12.5 kg is an amount that cannot be read."""


def read_values(content: bytes, *, most: int, largest: float) -> list[float]:
    r"""The values of a text with one on each line, below a head or not; of several columns that of amounts or values.

    Parameters
    ----------
    content : the text, in UTF-8
    most : how many values there may be
    largest : how far from 0 a value may be

    Raises
    ------
    ValueError
        ``a file of values must be at most 1,000,000 bytes; got ...``, ``line 3 must be one number, with a decimal
        point; got 'x'``, ``must have 2 to 20,000 values; got 1``.

    Examples
    --------
    >>> read_values(b"lead\n12.5\n8\n", most=20_000, largest=1e9)
    [12.5, 8.0]
    """
    if len(content) > LARGEST_FILE:
        raise ValueError(f"a file of values must be at most {LARGEST_FILE:,} bytes; got {len(content):,}")
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
            raise ValueError(f"line {number} must be one number, with a decimal point; got {shown(cell)!r}") from None
        if value is not None:
            values.append(value)
    if not 2 <= len(values) <= most:
        raise ValueError(f"must have 2 to {most:,} values; got {len(values):,}")
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
