"""The published numbers that Riskline recomputes, and where print and computation differ, as shipped with the app.

`scripts/write_published_table` writes the file from `riskline/record`; a test holds it to what that gives now.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

FILE = Path(__file__).resolve().parents[2] / "data" / "published.json"


@dataclass(frozen=True)
class PublishedRow:
    """One printed number beside the computed one; `verdict` as in the tests' tables."""

    source: str
    locator: str
    quantity: str
    printed: str
    computed: float
    verdict: str
    reading: str


@dataclass(frozen=True)
class ErratumNote:
    """One disagreement: what is printed where, the reason, one line that anyone can run and what it prints."""

    title: str
    source: str
    locator: str
    printed: str
    reason: str
    line: str
    result: str
    inferred: bool


@dataclass(frozen=True)
class OwnErratumNote:
    """One thing an earlier version of Riskline said wrongly: what and where, what is right, a line that shows it."""

    title: str
    version: str
    where: str
    printed: str
    reason: str
    line: str
    result: str


@lru_cache(maxsize=1)
def _content() -> tuple[tuple[PublishedRow, ...], tuple[ErratumNote, ...], tuple[OwnErratumNote, ...]]:
    content = json.loads(FILE.read_text(encoding="utf-8"))
    rows = tuple(PublishedRow(**item) for item in content["rows"])
    notes = tuple(ErratumNote(**item) for item in content["errata"])
    return rows, notes, tuple(OwnErratumNote(**item) for item in content["own_errata"])


def published_rows() -> tuple[PublishedRow, ...]:
    """Every published number, in the order of the sources' tables.

    Examples
    --------
    >>> published_rows()[0].verdict
    'agrees'
    """
    return _content()[0]


def errata() -> tuple[ErratumNote, ...]:
    """The disagreements that are told in words.

    Examples
    --------
    >>> any(note.inferred for note in errata())
    True
    """
    return _content()[1]


def own_errata() -> tuple[OwnErratumNote, ...]:
    """What earlier versions of Riskline said wrongly.

    Examples
    --------
    >>> own_errata()[0].version
    '0.1'
    """
    return _content()[2]
