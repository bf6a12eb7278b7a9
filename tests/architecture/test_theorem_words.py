"""A sentence about any release or whatever an attacker does is a theorem: each is read, and its theorem named.

`tests/approved/theorem_words.txt` lists the plain passages that hold such words, each with its theorem, our own proof
(`ours: …`), or why the word promises nothing (`ordinary: …`). A new passage fails until a person has read it.
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.each import each
from ui.words.catalogue import FOLDER, LANGUAGE, VOICES, labels, passages

APPROVED = Path(__file__).resolve().parents[1] / "approved" / "theorem_words.txt"
SWEEPING = re.compile(
    r"\b(any|every|no) (method|mechanisms?|release|view|attacker)\b|\bhowever (it is )?made\b|\bwhatever\b|\bnever\b"
    r"|\bnobody can\b",
    re.IGNORECASE,
)
BANNED = re.compile(r"\bat best\b|\bany method\b|whatever else they do", re.IGNORECASE)
PAGES = sorted(folder.name for folder in FOLDER.iterdir() if (folder / LANGUAGE / "plain.md").is_file())


def approved() -> dict[str, str]:
    lines = [line for line in APPROVED.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return {place.strip(): basis.strip() for place, _, basis in (line.partition(" | ") for line in lines)}


def test_every_sweeping_sentence_has_been_read_and_has_its_theorem() -> None:
    found = {
        f"{page}/{name}"
        for page in PAGES
        for name, text in (passages(page, "technical") | passages(page, "plain")).items()  # some have one text alone
        if SWEEPING.search(text) and not (name in labels(page) and "." in name)  # an option claims nothing
    }
    assert found == set(approved())


def test_a_basis_is_a_theorem_a_proof_of_ours_or_a_reason_why_nothing_is_promised() -> None:
    for place, basis in approved().items():
        assert re.match(r"(Theorem|Theorems|Corollary|Definition|ours:|ordinary:) ?\S", basis), (place, basis)


@each("page", PAGES)
def test_no_passage_claims_more_than_a_theorem_can(page: str) -> None:
    for voice in VOICES:
        for name, text in passages(page, voice).items():
            assert not BANNED.search(text), (page, voice, name)
