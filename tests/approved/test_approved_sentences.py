"""Every sentence, number, table head, link and picture of every page is what a person has read and approved.

A difference is shown line by line. Where it is meant, `scripts/approve <stem>` writes the page's file anew.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.approved.difference import fail_with_difference
from tests.approved.prose import UNSEEN, file_of, page_in_words
from tests.approved.unsaid import FILE, unsaid_passages
from ui.link.page_table import PAGES, PageEntry

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.stem)
def test_a_page_says_what_was_approved(entry: PageEntry) -> None:
    fail_with_difference(file_of(entry.stem), page_in_words(entry), entry.stem)


@pytest.mark.parametrize("stem", UNSEEN)
def test_what_is_left_out_is_shown_nowhere(stem: str) -> None:
    page = (ROOT / "pages" / f"{stem}.py").read_text(encoding="utf-8")
    for name in UNSEEN[stem]:
        assert not re.search(rf"show\.\w+\([^\n]*\bview\.{name}\b", page), (stem, name)


def test_a_passage_that_no_setting_says_is_approved_as_it_is_written() -> None:
    fail_with_difference(FILE, unsaid_passages(), "")
