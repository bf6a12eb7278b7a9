"""What other libraries answer to the same questions, as shipped with the app.

`python -m benchmarks.peers` asks them and writes the file; a test asks again.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from ui.pictures.table import Table

FILE = Path(__file__).resolve().parents[2] / "data" / "peers.json"
ROUNDING = 1e-12
"""Of the truth: what a computer's own rounding can make of a right answer."""


@lru_cache(maxsize=1)
def asked_of_peers() -> tuple[dict[str, Any], ...]:
    """Every question with its truth and the answers.

    Examples
    --------
    >>> asked_of_peers()[0]["truth"]
    '4.886554117462212'
    """
    return tuple(json.loads(FILE.read_text(encoding="utf-8")))


def peers_table() -> Table:
    """Each answer of each library, how far it lies from the truth and on which side, and its time."""
    return Table(
        "The same questions to other libraries",
        ("question", "library", "answer", "against the truth", "processor time"),
        tuple(
            (
                asked["words"],
                f"{one['tool']} {one['version']}".strip(),
                f"{one['answer']:.8g}",
                against_the_truth(one["safe_excess"], float(asked["truth"])),
                f"{1000 * one['seconds']:.1f} ms",
            )
            for asked in asked_of_peers()
            for one in asked["answers"]
        ),
    )


def against_the_truth(excess: float, truth: float) -> str:
    """How far an answer lies from the truth, and whether what it promises holds all the same.

    Examples
    --------
    >>> against_the_truth(0.25, 5.0), against_the_truth(-0.001, 5.0), against_the_truth(1e-15, 5.0)
    ('holds, gives away 0.25', 'claims too much, by 0.001', 'equal to 12 digits')
    """
    if abs(excess) <= ROUNDING * truth:
        return "equal to 12 digits"
    return f"holds, gives away {excess:.2g}" if excess > 0 else f"claims too much, by {-excess:.2g}"


def agreement() -> tuple[int, int, int]:
    """Answers of other libraries; of these those that hold; and our own that are equal to twelve digits."""
    pairs = [(one, float(asked["truth"])) for asked in asked_of_peers() for one in asked["answers"]]
    others = [(one, truth) for one, truth in pairs if one["tool"] != "dpcore"]
    holding = sum(one["safe_excess"] >= -ROUNDING * truth for one, truth in others)
    ours = sum(abs(one["safe_excess"]) <= ROUNDING * truth for one, truth in pairs if one["tool"] == "dpcore")
    return len(others), holding, ours


def largest_excess() -> float:
    """By how much an answer claims more than holds, at the most; 0 where none does beyond rounding."""
    pairs = ((one["safe_excess"], float(asked["truth"])) for asked in asked_of_peers() for one in asked["answers"])
    return max((-excess for excess, truth in pairs if excess < -ROUNDING * truth), default=0.0)
