"""A passage says no direction and no digit by itself: both stand in a placeholder, beside a number that knows its side.

What is left is listed in `tests/approved/sides_and_digits.txt`, each with the reason why it is no number of the page's:
a definition, a name, a lesson's own figure, words about no number.
"""

from __future__ import annotations

import ast
import re
import string
from pathlib import Path

from tests.each import each
from tests.said import SAID, placeholders
from ui.words.catalogue import VOICES, labels, passages

ROOT = Path(__file__).resolve().parents[2]
APPROVED = ROOT / "tests" / "approved" / "sides_and_digits.txt"
SIDE = re.compile(
    r"\b(at most|at least|no more than|no less than|no fewer than|not more than|and no more|up to|"
    r"or (?:less|fewer|more|below|above|higher|lower))\b",
    re.IGNORECASE,
)
CITED = re.compile(
    r"(?:Theorems?|Corollar(?:y|ies)|Lemmas?|Definitions?|Examples?|Tables?|Figures?|Algorithms?|Propositions?|Equations?|"
    r"chapters?|sections?|part|step)\s[A-Z]?\.?\d[\d.]*(?:(?:,| and| to|–)\s?\d[\d.]*)*"
    r"|%\{[^}]*\}|\(\d+(?:\.\d+)+\)|\b(?:19|20)\d\d\b|NeurIPS \d+|\$[^$]*\$|`[^`]*`",
    re.IGNORECASE,
)
DIGIT = re.compile(r"\d[\d,.]*\d|\d")


def bare(passage: str) -> str:
    """What a passage says outside its placeholders and citations."""
    words = "".join(
        text + ("\x00" if field is not None else "") for text, field, _, _ in string.Formatter().parse(passage)
    )
    return CITED.sub(" ", words)


def found_in(stem: str) -> set[str]:
    """Each direction and digit of a page's passages, as a line of the approved file names it."""
    lines = set()
    for voice in VOICES:
        for name, passage in passages(stem, voice).items():
            if name in labels(stem) and not placeholders(passage):
                continue  # what a control is called promises nothing
            said = bare(passage)
            digits = DIGIT.findall(said) if voice == "plain" else []  # the technical voice writes formulas
            for words in (*SIDE.findall(said), *digits):
                lines.add(f"{stem}/{voice}/{name} | {words}")
    return lines


def approved() -> dict[str, str]:
    """The exceptions and their reasons."""
    entries = [line.rsplit(" | ", 1) for line in APPROVED.read_text(encoding="utf-8").splitlines()]
    return {entry[0]: entry[1].strip() for entry in entries if len(entry) == 2 and not entry[0].startswith("#")}


@each("stem", SAID)
def test_a_passage_says_its_directions_and_digits_beside_their_numbers(stem: str) -> None:
    reasons = approved()
    unread = sorted(found_in(stem) - set(reasons))
    assert not unread, "give the number a form, or a reason in tests/approved/sides_and_digits.txt:\n" + "\n".join(
        unread
    )


def test_no_exception_is_left_over_and_each_has_a_reason() -> None:
    reasons = approved()
    assert all(reasons.values())
    assert sorted(set(reasons) - set().union(*(found_in(stem) for stem in SAID))) == []


@each("path", sorted((ROOT / "ui" / "views").rglob("*.py")))
def test_a_view_leaves_the_rounding_to_its_quantities(path: Path) -> None:
    source = ast.parse(path.read_text(encoding="utf-8"))
    names = {node.id for node in ast.walk(source) if isinstance(node, ast.Name)}
    assert not names & {"UP", "DOWN"}, "hand the passage an Upper, a Lower or a Budget"


def test_a_bare_direction_is_found() -> None:
    assert SIDE.findall(bare("at most {reach}, {down:at least …}")) == ["at most"]
    assert DIGIT.findall(bare("Theorem 28 and (3.15) of 2024: {n} of 100")) == ["100"]
