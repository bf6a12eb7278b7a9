"""What a participant draws in, and the question that comes next where the line is found by questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from riskline.case.interview import line_of
from riskline.case.points import Line
from ui.pictures.style import Style
from ui.views.choose.answer import answered
from ui.views.choose.pictures import line_with_reach
from ui.views.choose.questions import questions
from ui.views.room.line_question import LineQuestion
from ui.views.shared.drawing import Editor

BEGINNING = "ot"
"""An interview in which it is told already what is released: anything, as whoever leads the room asks about it."""


@dataclass(frozen=True)
class LineAsked:
    """The line to draw, and the interview: its question, a note, the answers in words and what each leads to."""

    editor: Editor
    question: str
    note: str
    options: tuple[tuple[str, str], ...]
    back: str | None
    again: str | None

    @staticmethod
    def line_of(answers: str) -> dict[str, Any]:
        """The choices of a participant that answers set: once nothing is left to ask, the points too.

        Examples
        --------
        >>> LineAsked.line_of("ot1")
        {'line_interview': 'ot1'}
        """
        found = line_of(answers)
        return {f"line_{name}": found[name] for name in ("interview", "points") if name in found}


def line_asked(settings: Mapping[str, Any], points: Line, interview: str, style: Style) -> LineAsked:
    """What is asked of a participant who has drawn these points and given these answers."""
    answer = answered(LineQuestion.of(settings).choices(points, interview), style)
    editor, asked = line_with_reach(answer), questions(answer)
    assert editor is not None  # a line of a room runs over one belief
    back = asked.back if interview != BEGINNING else None
    return LineAsked(editor, asked.question, asked.note, asked.options, back, BEGINNING if asked.again == "" else None)
