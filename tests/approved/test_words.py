"""How much a page says and how: words in all, first sentences, small print, and an editor's list of words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from tests.approved.prose import file_of
from tests.approved.reading import (
    CATALOGUE,
    EXCEPTION,
    NAMING,
    NUMBER,
    ROOT,
    complaints,
    reading_of,
    said_by,
    sentences_of,
    words_of,
)
from tests.each import each
from ui.link.page_table import PAGES

MOST_WORDS = 16_903  # 450 of them in labels, records and annexes, 20 say which of several releases a number counts
"""What the plain voice may say on all pages, with the labels: 620 words a page."""
MOST_ON_A_PAGE = 1_000
MOST_PRINTED = {True: 30, False: 75}
"""Words of small print as a page opens, and in any other state: a published budget has its own unit to name there."""
STEMS = [entry.stem for entry in PAGES]
ANSWER = re.compile(r"^\[(answer|small print)\]$")


def parts_of(stem: str) -> Iterator[tuple[str, str, str]]:
    """State, part and words of each answer and small print in the plain states of a page's approved sentences."""
    state = part = ""
    for line in file_of(stem).read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            state, part = (line if "(plain)" in line else ""), ""
        elif line.startswith("["):
            part = found[1] if (found := ANSWER.match(line)) else ""
        elif state and part and line.strip() and not line.startswith("  ("):  # as before
            yield state, part, line


def test_the_plain_voice_says_no_more_than_a_reader_hears() -> None:
    words = {folder: reading_of(folder).words for folder in CATALOGUE}
    assert sum(words.values()) <= MOST_WORDS, words
    assert [folder for folder, number in words.items() if number > MOST_ON_A_PAGE] == []


def heard(words: str) -> str:
    """What counts of a sentence: neither its exception, nor numbers that only name a year, a unit or one of a name."""
    return NAMING.sub("", EXCEPTION.sub("", words))


@each("stem", STEMS)
def test_an_answer_is_a_sentence_of_25_words_and_two_numbers(stem: str) -> None:
    answers = [(state, words) for state, part, words in parts_of(stem) if part == "answer"]
    assert answers
    long = []
    for state, words in answers:
        first = sentences_of(heard(words))[0]
        if len(words_of(first)) > 25 or len(NUMBER.findall(first)) > 2:
            long.append((state, first))
    assert long == []


@each("stem", STEMS)
def test_small_print_is_30_words_as_a_page_opens(stem: str) -> None:
    printed = [(state, words) for state, part, words in parts_of(stem) if part == "small print"]
    long = [
        (state, words)
        for state, words in printed
        if len(words_of(EXCEPTION.sub("", words))) > MOST_PRINTED[state.startswith("## As it opens")]
    ]
    assert long == []


@each("folder", CATALOGUE)
def test_no_words_of_the_catalogue_are_on_an_editors_list(folder: object) -> None:
    texts = list(said_by(folder, "technical"))  # type: ignore[arg-type]
    together = "\n\n".join(f"{text}\n\nBoundary {place}." for place, text in enumerate(texts))
    if complaints(together):  # to read each by itself takes ten times as long
        assert {text: said for text in texts if (said := complaints(text))} == {}


def test_a_word_of_the_list_is_found_and_a_drawn_line_is_none() -> None:
    assert complaints("Everything that is told here is told for ever.") != []
    assert complaints("Draw the line.") == []
    assert complaints("The the line.") != []


DOCS = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md")), *sorted(ROOT.glob("docs/reference/**/*.md"))]


@each("file", DOCS)
def test_no_words_of_the_docs_are_on_an_editors_list(file: Path) -> None:
    numbers = count(2)
    text = re.sub(r"(?m)```.*?```|^    .*$", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
    prose = re.sub(r"`[^`]*`", lambda _: str(next(numbers)), text)
    assert [said for paragraph in prose.split("\n\n") for said in complaints(paragraph)] == []
