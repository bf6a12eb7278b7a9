"""What is shipped with the app: the published numbers that Riskline recomputes, where print differs, other libraries.

`scripts/write_published_table` writes the numbers from `riskline/record`; `python -m benchmarks.peers` asks other
libraries. Tests hold both files to what they give now.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).resolve().parents[2] / "data" / "published.json"
PEERS = FILE.with_name("peers.json")
ROUNDING = 1e-12
"""Of the truth: what a computer's own rounding can make of a right answer."""


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


@cache
def _content() -> dict[str, list[dict[str, Any]]]:
    content: dict[str, list[dict[str, Any]]] = json.loads(FILE.read_text(encoding="utf-8"))
    return content


@cache
def published_rows() -> tuple[PublishedRow, ...]:
    """Every published number, in the order of the sources' tables."""
    return tuple(PublishedRow(**item) for item in _content()["rows"])


@cache
def errata() -> tuple[ErratumNote, ...]:
    """The disagreements that are told in words."""
    return tuple(ErratumNote(**item) for item in _content()["errata"])


@cache
def own_errata() -> tuple[OwnErratumNote, ...]:
    """What earlier versions of Riskline said wrongly."""
    return tuple(OwnErratumNote(**item) for item in _content()["own_errata"])


@cache
def asked_of_peers() -> tuple[dict[str, Any], ...]:
    """Every question to other libraries, with its truth and the answers.

    >>> asked_of_peers()[0]["truth"]
    '4.886554117462212'
    """
    return tuple(json.loads(PEERS.read_text(encoding="utf-8")))


def agreement() -> tuple[int, int, int]:
    """Answers of other libraries; of these those that hold; and our own that are equal to twelve digits."""
    pairs = [(one, float(asked["truth"])) for asked in asked_of_peers() for one in asked["answers"]]
    others = [(one, truth) for one, truth in pairs if one["tool"] != "dpcore"]
    holding = sum(one["safe_excess"] >= -ROUNDING * truth for one, truth in others)
    ours = sum(abs(one["safe_excess"]) <= ROUNDING * truth for one, truth in pairs if one["tool"] == "dpcore")
    return len(others), holding, ours


def largest_excess() -> tuple[float, float]:
    """By how much an answer claims more than holds, at the most, and as a share of what holds; 0 but for rounding."""
    pairs = [(one["safe_excess"], float(asked["truth"])) for asked in asked_of_peers() for one in asked["answers"]]
    wrong = [(-excess, -excess / truth) for excess, truth in pairs if excess < -ROUNDING * truth]
    return max((excess for excess, _ in wrong), default=0.0), max((share for _, share in wrong), default=0.0)
