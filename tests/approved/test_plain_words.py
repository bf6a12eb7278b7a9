"""In plain words: outside folds and the memo's annex no reader meets the words of the proofs.

Read from the approved sentences. *How we know* compares printed theorems and is left out; so are links, queries,
options of commands and names of pictures and their columns, which hold names of ours and are read by nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.approved.editor import FILE as EDITOR
from tests.approved.outline import file_of_outline
from tests.approved.prose import file_of
from tests.each import each
from ui.link.page_table import PAGES

PROOF_WORDS = re.compile(r"\b(priors?|posteriors?|theorems?|corollar(y|ies)|ledgers?|conversions?)\b", re.IGNORECASE)
UNREAD = re.compile(r" --[a-z]+|\S*\?\S*=\S*|\([a-z_]+\?[^)]*\)|^picture \S+:|^ +\w+: x \w+.*|\| (prior|secret) \|")
FOLDED = re.compile(r"computed|readings|python|handout|fold: |several$|levels attack$")
STATE, SECTION = re.compile(r"^## .*\((plain|technical)\)"), re.compile(r"^\[([^\]]+)\]$")
STEMS = [entry.stem for entry in PAGES if entry.stem != "how_we_know"]


def plain_lines(text: str) -> Iterator[str]:
    """What stands open in the plain states of a page's approved sentences."""
    plain = folded = False
    for line in text.splitlines():
        if line.startswith("## "):
            state = STATE.match(line)
            plain, folded = state is not None and state.group(1) == "plain", False
        elif section := SECTION.match(line):
            folded = bool(FOLDED.match(section.group(1)))
        elif line.strip() == "[Annex for experts]":
            folded = True
        elif plain and not folded:
            yield UNREAD.sub("", line)


DECIMALS_OF_PEOPLE = re.compile(r"\d\.\d+\** (in|of) 1[0,]*00\b")


@each("stem", STEMS)
def test_people_are_whole_wherever_they_are_told(stem: str) -> None:
    """*How we know* quotes what earlier versions printed."""
    texts = [file.read_text(encoding="utf-8") for file in (file_of(stem), file_of_outline(stem))]
    texts += [file.read_text(encoding="utf-8") for file in file_of(stem).parent.glob(f"{stem}_*.md")]
    assert [line for text in texts for line in text.splitlines() if DECIMALS_OF_PEOPLE.search(line)] == []
    assert DECIMALS_OF_PEOPLE.search("**At most 12.5 in 100**: from **8.33** in 1,000")


def test_the_line_editor_tells_whole_people() -> None:
    text = EDITOR.read_text(encoding="utf-8")
    assert "Before: 175 in 1,000. After: at most 350 in 1,000." in text
    assert [line for line in text.splitlines() if DECIMALS_OF_PEOPLE.search(line)] == []


@each("stem", STEMS)
def test_the_plain_voice_does_without_the_words_of_proofs(stem: str) -> None:
    text = file_of(stem).read_text(encoding="utf-8")
    lines = list(plain_lines(text))
    assert lines
    assert [line for line in lines if PROOF_WORDS.search(line)] == []


def test_a_word_of_a_proof_is_seen_where_it_stands_open_and_only_there() -> None:
    text = "\n".join(
        [
            *("## As it opens (plain)", "[answer]", "At a prior of 8 in 100.", "[computed]", "By Theorem 5."),
            *("[ways]", "-> Go on (explain?prior=0.5)", "## As it opens (technical)", "[answer]", "The posterior."),
        ]
    )
    assert [line for line in plain_lines(text) if PROOF_WORDS.search(line)] == ["At a prior of 8 in 100."]
