"""The front door: what Riskline answers, where to go, and a line to draw."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial

from riskline.case.declaration import custom, option
from riskline.case.fields import write_query
from riskline.case.line import template_points
from riskline.case.points import Line, decode_points, encode_points
from riskline.case.value import EXAMPLE
from ui.link.page_table import PAGES, PageLink, fields_of
from ui.pictures.description import Description
from ui.pictures.style import Style
from ui.views import plan
from ui.views.choose import ChooseInputs, ChooseView, choose_view
from ui.views.shared.drawing import Editor
from ui.views.shared.promise import PageAnswer, page_question
from ui.words.catalogue import label, say

FIRST_LINE = template_points(ChooseInputs())
MIXED_YEAR = write_query(plan.FIELDS, plan.PRESETS["mixed"])
QUESTIONS: tuple[tuple[str, tuple[tuple[str, dict[str, str]], ...]], ...] = (
    ("budget", (("choose", {}),)),
    ("meaning", (("explain", {"guarantee": "pure", "epsilon": "1"}), ("deployments", {"order": "name"}))),
    ("tables", (("publication", {}), ("plan", MIXED_YEAR), ("accuracy", {"start": "accuracy"}))),
    ("teach", (("lessons", {"lesson": "20"}), ("play", {"county": "1"}))),
    ("meeting", (("positions", {"parties": "3"}), ("memo", {}))),
    ("public", (("public", {}), ("block", {"table": "28-21"}))),
    ("analyse", (("infer", {"part": "moments"}),)),
)
"""What brings a reader here, and the pages that answer it, each in a state that does; the case stays what it is."""
STEPS = ("publish", "secret", "line")
"""The way of a decision: each step asks its own part of the case."""


@dataclass(frozen=True)
class HomeInputs:
    """The line a reader drew on this page, and the step of a decision where one is on its way."""

    points: Line = custom(FIRST_LINE, read=decode_points, write=encode_points)
    step: str = option("", *STEPS)


FIELDS = fields_of("home", HomeInputs)


@dataclass(frozen=True)
class Question:
    """What brings a reader here, in the reader's words, and the ways to the pages that answer it."""

    words: str
    ways: tuple[PageLink, ...]


@dataclass(frozen=True, kw_only=True)
class HomeView(PageAnswer):
    """Everything the page shows."""

    questions: tuple[Question, ...]
    invitation: str
    editor: Editor | None
    line: Description | None
    allowed: str
    budget: tuple[tuple[str, str, str], ...]
    next: PageLink
    pages: tuple[PageLink, ...]


@lru_cache(maxsize=4)
def _first_line(voice: str) -> ChooseView:
    """What *Choose a budget* says of the line that everybody finds here."""
    return _line(FIRST_LINE, voice)


def _line(points: Line, voice: str) -> ChooseView:
    return choose_view(ChooseInputs(line="drawn", points=points), Style(voice=voice))


def home_view(inputs: HomeInputs, style: Style) -> HomeView:
    """The front door in a voice, with a line that was drawn there."""
    told = partial(say, "home", style.voice)
    is_first = inputs.points == FIRST_LINE
    drawn = _first_line(style.voice) if is_first else _line(inputs.points, style.voice)
    line = () if is_first else (("line", "drawn"), ("points", encode_points(inputs.points)))
    return HomeView(
        answer=told("answer"),
        small_print=told("small_print"),
        questions=tuple(
            Question(
                told(f"question_{name}"),
                tuple(PageLink(stem, told(f"way_{stem}"), tuple(query.items())) for stem, query in ways),
            )
            for name, ways in QUESTIONS
        ),
        invitation=told("invitation"),
        editor=drawn.editor,
        line=drawn.line,
        allowed=drawn.answer,
        budget=drawn.numbers[:1],
        next=PageLink("choose", told("next"), line),
        pages=tuple(
            PageLink(page.stem, label("home", "page", title=page.title, question=page_question(page.stem, EXAMPLE)))
            for page in PAGES
            if page.stem != "home"
        ),
        python=drawn.python,
        refusal=drawn.refusal,
    )
