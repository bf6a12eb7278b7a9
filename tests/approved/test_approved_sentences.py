"""Every sentence, number, table head, link and picture of every page is what a person has read and approved.

A difference is shown line by line. Where it is meant, `scripts/approve <stem>` writes the page's file anew.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.approved.difference import fail_with_difference
from tests.approved.drawn import DRAWN_PAGES, drawn_in_words, file_of_drawn
from tests.approved.prose import UNSEEN, file_of, page_in_words
from tests.approved.unsaid import FOLDERS, file_of_unsaid, unsaid_passages
from tests.each import each
from tests.hostile.sentences import disagreeing
from ui.link.page_table import PAGES, PageEntry
from ui.words.catalogue import say

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.stem)
def test_a_page_says_what_was_approved(entry: PageEntry) -> None:
    fail_with_difference(file_of(entry.stem), page_in_words(entry), entry.stem)


@pytest.mark.parametrize("entry", DRAWN_PAGES, ids=lambda entry: entry.stem)
def test_a_page_says_what_was_approved_of_settings_that_were_drawn(entry: PageEntry) -> None:
    fail_with_difference(file_of_drawn(entry.stem), drawn_in_words(entry), entry.stem)


@pytest.mark.parametrize("stem", UNSEEN)
def test_what_is_left_out_is_shown_nowhere(stem: str) -> None:
    page = (ROOT / "pages" / f"{stem}.py").read_text(encoding="utf-8")
    for name in UNSEEN[stem]:
        assert not re.search(rf"show\.\w+\([^\n]*\bview\.{name}\b", page), (stem, name)


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_passage_that_no_setting_says_is_approved_as_it_is_written(folder: str) -> None:
    fail_with_difference(file_of_unsaid(folder), unsaid_passages(folder), "")


@each("stem", [entry.stem for entry in PAGES])
def test_one_of_something_is_not_spoken_of_as_several(stem: str) -> None:
    lines = file_of(stem).read_text(encoding="utf-8").splitlines()
    assert [told for line in lines if (told := disagreeing(line))] == []


def test_words_agree_with_their_number_and_disagreement_is_seen() -> None:
    for number, agreeing in (("1", "line is"), ("7", "lines are")):
        told = say("room_line", "plain", "kept", asked="0.2", kept=number, lines=number)
        assert told == f"**{number} of {number}** {agreeing} kept at **ε = 0.2**."
        assert not disagreeing(told)
    for wrong in ("**1** rows", "1 of 1 lines", "**1 of 12** areas are", "1 other counts", "1 people", "**1** say yes"):
        assert disagreeing(f"There: {wrong} here"), wrong
    for right in ("1 of 12 areas is", "fewer than 1 of 10,000 who have", "ε = 1 needs", "0 of 1 are kept"):
        assert not disagreeing(f"There: {right} here"), right
