"""The line of heads over a table that is typed, pasted or uploaded: which of its columns is which, by what it says."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence

from riskline.case.fields import shown
from riskline.case.sheet import printable


def head_words(head: str) -> str:
    """The letters of a head: what another program makes of its signs does not matter, where any letter is Latin.

    Examples
    --------
    >>> head_words("Â± Wanted"), head_words("± Ցանկ")
    ('wanted', 'ցանկ')
    """
    return " ".join(re.findall("[a-z]+", head.casefold()) or re.findall(r"[^\W\d_]+", head.casefold()))


def columns_by_head(heads: Sequence[str], named: Callable[[str], str | None]) -> dict[str, int]:
    """The column of each thing that a line of heads names; what it does not name is missing.

    Examples
    --------
    >>> columns_by_head(["Area", "People (2024)", "True count"], {"true count": "count", "people": "people"}.get)
    {'people': 1, 'count': 2}
    """
    found: dict[str, int] = {}
    for column, head in enumerate(heads):
        name = named(head_words(head))
        if name is None:
            continue
        if name in found:
            both = " and ".join(repr(shown(printable(heads[place]))) for place in (found[name], column))
            raise ValueError(f"the heads name {name!r} twice: {both}")
        found[name] = column
    return found


def parted(line: str, mark: str, number: int) -> list[str]:
    """The cells between the marks of a line, which has this number; empty ones at its end are left out.

    Examples
    --------
    >>> parted(' "St. Mary, North", 1234,,', ",", 1)
    ['St. Mary, North', '1234']
    """
    try:
        cells = [cell.strip() for cell in next(csv.reader([line], delimiter=mark, skipinitialspace=True))]
    except csv.Error:
        raise ValueError(f"line {number} cannot be read as CSV") from None
    while cells and not cells[-1]:
        cells.pop()
    return cells


def under_heads(rows: Sequence[Sequence[str]], heads: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Rows of a sheet as its heads stand, where a line of these heads was pasted with the rows below it.

    Examples
    --------
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
