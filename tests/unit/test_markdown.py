"""Text of readers in Markdown: letter by letter, whatever it holds."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.words.markdown import APART, escape_markdown, with_bold

SPEAKING = re.compile(r"(?<!\\)(?:\\\\)*[`*_{}\[\]<>#$~|:&]")


def read(markdown: str) -> str:
    """What a reader sees: escapes taken away, and nothing where letters are kept apart."""
    return re.sub(r"\\([\\`*_{}\[\]<>#$~|:&.)+-])", r"\1", markdown.replace(APART, ""))


@given(st.text(max_size=60))
def test_every_text_is_seen_as_it_is_and_speaks_no_markdown(text: str) -> None:
    shown = escape_markdown(text)
    assert read(shown) == " ".join(text.split())
    assert not SPEAKING.search(shown.replace(APART, ""))
    assert "\n" not in shown


@pytest.mark.parametrize(
    "found", ["https://evil.example", "WWW.evil.example", "me@evil.example", ":red[x]", ":material/home:"]
)
def test_what_markdown_finds_by_its_letters_is_kept_apart(found: str) -> None:
    shown = escape_markdown(found)
    assert APART in shown
    assert not re.search(r"://|www\.|\w@|:\w", shown.replace(APART, "\0"), flags=re.IGNORECASE)
    assert read(shown) == found


@pytest.mark.parametrize(
    ("text", "shown"), [("- x", "\\- x"), ("1. x", "1\\. x"), ("\ud800", "?"), ("a\n\n# b", "a \\# b")]
)
def test_nothing_begins_a_list_or_a_heading(text: str, shown: str) -> None:
    assert escape_markdown(text) == shown


def test_only_marks_in_pairs_set_bold() -> None:
    assert with_bold("at most **3** of [x]") == r"at most **3** of \[x\]"
    assert with_bold("**3** and **") == r"\*\*3\*\* and \*\*"
