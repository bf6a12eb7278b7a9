"""How long the memo, the lessons and How we know take: views, documents and a whole run, in processor time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from benchmarks.timing import all_within, median, rerun
from riskline.case.value import Case
from ui.documents.page import html_page
from ui.documents.word import word_file
from ui.pictures.style import Style
from ui.views.how_we_know import HowWeKnowInputs, how_we_know_view
from ui.views.lessons import LessonsInputs, lessons_view
from ui.views.memo import MemoInputs, memo_view


def run() -> list[dict[str, Any]]:
    """Rows of measurements against the limits of a page that feels immediate; a document may take two seconds."""
    fresh: Iterator[int] = count()
    memo = memo_view(MemoInputs(), Style()).document
    lessons_view(LessonsInputs(), Style())
    rows = [
        (
            "view of memo, a letter typed",
            median(lambda: memo_view(MemoInputs(Case(ratio=2.0, title=f"{next(fresh)}")), Style()), 5),
            0.3,
        ),
        (
            "view of memo, another line",
            median(lambda: memo_view(MemoInputs(Case(cap=float(f"0.2{next(fresh)}"))), Style()), 5),
            0.5,
        ),
        ("memo as a page", median(lambda: html_page(memo), 5), 0.1),
        ("memo as Word", median(lambda: word_file(memo), 3), 2.0),
        ("view of lessons", median(lambda: lessons_view(LessonsInputs(), Style()), 9), 0.1),
        ("view of how_we_know", median(lambda: how_we_know_view(HowWeKnowInputs(), Style()), 9), 0.1),
        ("rerun of memo in the server", rerun("memo"), 0.1),
        ("rerun of lessons in the server", rerun("lessons"), 0.15),
        ("rerun of how_we_know in the server", rerun("how_we_know"), 0.15),
    ]
    return all_within(rows)
