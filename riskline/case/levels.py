"""The levels of areas that a case names, widest first: a link has their names and how many areas each has, no area."""

from __future__ import annotations

from dpcore.schema import Level
from riskline.case.fields import number_text, shown
from riskline.case.sheet import cell_number, decode_sheet, encode_sheet

Levels = tuple[Level, ...]
MOST_LEVELS = 20
MOST_AREAS = 1e9
BETWEEN = ";"
"""Stands between the levels of a row, and between its numbers for each of them."""


def parts_of(cell: str) -> list[str]:
    """What stands in a cell between semicolons.

    >>> parts_of("nation; state"), parts_of("")
    (['nation', 'state'], [''])
    """
    return [part.strip() for part in cell.split(BETWEEN)]


def encode_levels(levels: Levels) -> str:
    """The levels as text of a link.

    >>> encode_levels((Level("Nation", 1), Level("state", 5)))
    'Nation~1!state~5'
    """
    return encode_sheet((level.name, number_text(level.areas)) for level in levels)


def decode_levels(text: str) -> Levels:
    """The levels a link spells.

    Raises ValueError: ``must be a list of levels; got '…'``, ``must hold at most 20 rows; got …``, ``must have names
    that begin with a letter, without a semicolon; got '…'``, ``must have different names; got '…' twice``, ``the areas
    of '…' must …``.

    >>> decode_levels("nation~1!state~5")
    (Level(name='nation', areas=1), Level(name='state', areas=5))
    """
    found: list[Level] = []
    for name, areas in decode_sheet(text, cells=2, most_rows=MOST_LEVELS, what="a list of levels"):
        if not name[:1].isalpha() or BETWEEN in name:
            raise ValueError(f"must have names that begin with a letter, without a semicolon; got {shown(name)!r}")
        if name.casefold() in {level.name.casefold() for level in found}:
            raise ValueError(f"must have different names; got {shown(name)!r} twice")
        number = cell_number(f"the areas of {shown(name)!r}", areas, 1, MOST_AREAS, whole=True)
        found.append(Level(name, int(number)))
    return tuple(found)
