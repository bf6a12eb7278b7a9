"""A file that a page offers is what its name says, and holds what the page shows; links in it lead back to the app."""

from __future__ import annotations

import io
from typing import Any
from unittest.mock import PropertyMock, patch

import pytest
import streamlit as st
from docx import Document as WordDocument
from pptx import Presentation

from riskline.case.link import write_case
from riskline.case.value import Case
from tests.approved.outline import files_of
from ui.documents.document import Document
from ui.documents.page import html_page
from ui.frame import show
from ui.link import scenario
from ui.pictures.style import Style
from ui.views.lessons import LessonsInputs, lessons_view
from ui.views.memo import MemoInputs, memo_view


def assert_holds(files: dict[str, Any], key: str, document: Document) -> None:
    """The page to print and the Word file of this name are of this document."""
    assert files[f"riskline-{key}.html"] == html_page(document)
    read = WordDocument(io.BytesIO(files[f"riskline-{key}.docx"]))
    first = [text.replace("**", "") for text in (document.byline, document.title) if text]
    assert [part.text for part in read.paragraphs[: len(first)]] == first


def test_the_memo_leaves_as_a_page_a_word_file_and_its_choices() -> None:
    case = Case(title="Ours", author="Me", line="constant", ratio=2.0)
    files = files_of("memo", **write_case(case))
    assert_holds(files, "memo", memo_view(MemoInputs(case), Style()).printed_at(""))
    slides = Presentation(io.BytesIO(files["riskline-memo.pptx"])).slides
    assert slides[0].shapes.title.text_frame.text == "Ours"
    assert scenario.read(files["riskline-scenario.json"].encode()).case == case


def test_each_paper_of_a_lesson_leaves_under_its_own_name() -> None:
    files, view = files_of("lessons", lesson="45"), lessons_view(LessonsInputs(lesson="45"), Style(), "")
    for key, document in (("handout", view.handout), ("notes", view.instructor), ("label", view.label)):
        assert_holds(files, key, document)


@pytest.mark.parametrize(
    ("url", "root"),
    [
        ("https://risk.example:8443/office/memo", "https://risk.example:8443/office/"),
        ("http://localhost:8501/", "http://localhost:8501/"),
        ("http://localhost:8501/lessons", "http://localhost:8501/"),
        (None, ""),
    ],
)
def test_links_begin_with_the_address_at_which_the_reader_found_the_app(url: str | None, root: str) -> None:
    with patch.object(type(st.context), "url", new_callable=PropertyMock, return_value=url):
        assert show.root_address() == root
