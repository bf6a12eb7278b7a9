"""The memo's slides and Word file: each word, number and table as a person approved it, in files that Office opens.

The files are read back as they are written (`memo_files`); `scripts/approve memo` writes what they say anew.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from zipfile import ZipFile

import pytest

from tests.approved import memo_files
from tests.approved.difference import fail_with_difference
from tests.approved.states import STATES
from tests.conftest import draw_white_pictures
from tests.read_aloud import unheard

FIRST = next(iter(STATES["memo"].values()))
OPENED = (
    "as it opens",
    "decided as the line implies, for a table of districts",
    "decided otherwise, whole tables, relatives",
    "swapping today, more than the line allows",
    "four positions, a room, a mixed year, no line",
    "seven tables, not decided",
    "a room of two about replaced records",
)
"""States whose files have every kind of part; to hold one against Office's schemas takes a second."""


@pytest.fixture(scope="module", autouse=True)
def written_once() -> None:
    """Each memo is computed and written once: tests of a file with a fixture of its module stay in one process.

    The first with its pictures; of the others only words, numbers and relations are read.
    """
    memo_files.files_of(FIRST)
    with pytest.MonkeyPatch.context() as patched:
        draw_white_pictures(patched)
        for query in STATES["memo"].values():
            memo_files.files_of(query)


def test_the_slides_say_and_draw_what_was_approved() -> None:
    fail_with_difference(memo_files.SLIDES, memo_files.slides_in_words(), "memo")


def test_the_word_file_says_what_was_approved() -> None:
    fail_with_difference(memo_files.WORD, memo_files.word_in_words(), "memo")


@pytest.mark.parametrize("state", OPENED)
def test_office_opens_both_files_of_a_memo(state: str) -> None:
    slides, word = memo_files.files_of(STATES["memo"][state])
    assert memo_files.faults_of(slides) == []
    assert memo_files.faults_of(word) == []


@pytest.mark.parametrize("state", STATES["memo"])
def test_both_files_of_a_memo_say_everything_to_who_hears_them(state: str) -> None:
    assert [unheard(file) for file in memo_files.files_of(STATES["memo"][state])] == [[], []]


def without(pattern: str, instead: str = "", count: int = 1) -> Callable[[str], str]:
    return lambda text: re.sub(pattern, instead, text, count=count, flags=re.DOTALL)


SLIDE, WORD, KINDS = "ppt/slides/slide3.xml", "word/document.xml", "[Content_Types].xml"
FAULTS = {  # the file, the part, what is done to it, what is told
    "a chart that is not there": (0, SLIDE, without(r'r:id="rId\d+"', 'r:id="rId99"'), "rId99"),
    "a slide of no type": (0, KINDS, without(r'<Override PartName="/ppt/slides/slide3.xml"[^>]*>'), "no type"),
    "a row of too few cells": (0, "ppt/slides/slide5.xml", without("<a:tc>.*?</a:tc>"), "has a row of 3 cells in 4"),
    "a border of no kind": (1, WORD, without('<w:top w:val="nil"', '<w:top w:val="nought"'), "nought"),
    "two pictures of one number": (
        1,
        WORD,
        without(r'(<wp:docPr id=)"\d+"', r'\1"1"', 0),
        "two pictures have the id 1",
    ),
    "a line of too few cells": (1, WORD, without("<w:tc>.*?</w:tc>"), "table 1 has a row of 1 cells in 2 columns"),
}


UNHEARD = {
    "a picture without words": (1, WORD, without(r' descr="[^"]+"'), "has no words"),
    "a heading of the third level": (1, WORD, without('"Heading2"', '"Heading3"'), "level 3 follows 1"),
    "a second title": (1, WORD, without('"Heading2"', '"Heading1"'), "have not one title before them"),
    "heads that are not marked": (1, WORD, without("<w:tblHeader/>"), "marks other heads than its first row"),
    "a table without heads": (
        1,
        WORD,
        without('firstColumn="1" w:firstRow="0"', 'firstColumn="0" w:firstRow="0"'),
        "no heads",
    ),
    "styles of another language": (1, "word/styles.xml", without("en-GB", "en-US"), "words are in ['en-US']"),
    "a file without a title": (1, "docProps/core.xml", without(r"(<dc:title>)[^<]*", r"\1"), "the file has no title"),
    "a chart without words": (0, SLIDE, without(r' descr="[^"]+"'), "slide 3: Chart"),
    "a band that is not marked": (
        0,
        SLIDE,
        without("<a:extLst>.*?</a:extLst>"),
        "slide 3: the title is not read first",
    ),
    "a slide without a title": (0, SLIDE, without("What the tables still tell"), "slide 3 has no title"),
    "two slides of one title": (0, SLIDE, without("What the tables still tell", "The line"), "two slides are called"),
    "words of another language": (0, SLIDE, without('lang="en-GB"', 'lang="fr-FR"'), "slide 3: words are in fr-FR"),
    "a number that is read first": (0, SLIDE, without(r'(<a:off x="\d+" y=")62\d+', r"\g<1>0"), "is read after"),
}


@pytest.mark.parametrize("fault", FAULTS | UNHEARD)
def test_a_fault_that_is_planted_in_a_file_is_found(fault: str) -> None:
    which, part, done, told = (FAULTS | UNHEARD)[fault]
    planted = io.BytesIO()
    with ZipFile(io.BytesIO(memo_files.files_of(FIRST)[which])) as file, ZipFile(planted, "w") as other:
        for name in file.namelist():
            content = file.read(name)
            if name == part:
                assert done(content.decode()) != content.decode()
                content = done(content.decode()).encode()
            other.writestr(name, content)
    found = memo_files.faults_of if fault in FAULTS else unheard
    assert told in " ".join(found(planted.getvalue()))
