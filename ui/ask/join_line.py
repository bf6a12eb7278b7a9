"""A line of risk on a participant's device: drawn with a finger, or found by questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from riskline.case.line import DEFAULT_POINTS
from ui.ask.line import draw_small_line
from ui.frame import show
from ui.frame.form import Form, put
from ui.frame.run import style
from ui.frame.view_workers import computed_by_worker
from ui.views.join import Phone
from ui.views.room import Activity, text_of
from ui.views.room.line_asked import BEGINNING, LineAsked, line_asked
from ui.words.catalogue import say

WAYS = {"draw": "Draw", "questions": "Answer questions"}
WAY = "join.line_way"


def ask(form: Form, activity: Activity, settings: Mapping[str, Any], phone: Phone, send: Callable[[str], None]) -> None:
    """The editor or the next question, and the press that sends the line."""
    points, interview = form.values["line_points"], form.values["line_interview"]
    begun = "questions" if interview != BEGINNING and interview else "draw"
    way = st.segmented_control(
        "How?", list(WAYS), format_func=WAYS.__getitem__, default=begun, key=WAY, label_visibility="collapsed"
    )
    asked = computed_by_worker(line_asked, settings, points, interview or BEGINNING, style())
    if way == "questions":
        _ask_questions(asked)
        if asked.options:
            return  # nothing to send before the last answer
    else:
        draw_small_line("join", asked.editor, style(), name="line_points")
    untouched = way != "questions" and points == DEFAULT_POINTS and not interview and phone.sent is None
    if untouched:
        show.caption(say("room_line", style().voice, "untouched"))
    st.button(
        "Send my line",
        key="join.send",
        type="primary",
        disabled=untouched,
        on_click=_send,
        args=(form, activity, send),
    )


def _ask_questions(asked: LineAsked) -> None:
    """The question that comes next with its answers as buttons; what was answered leads back."""
    show.sentence(asked.question)
    if asked.note:
        show.caption(asked.note)
    with st.container(horizontal=True, gap="small"):
        for place, (words, answers) in enumerate(asked.options):
            st.button(words, key=f"join.interview_answer{place}", on_click=_take, args=(answers,))
    with st.container(horizontal=True, gap="small"):
        for words, leading in (("Back", asked.back), ("Begin again", asked.again)):
            if leading is not None:
                st.button(words, key=f"join.{words}", on_click=_take, args=(leading,), type="tertiary")


def _take(answers: str) -> None:
    put("join", **LineAsked.line_of(answers))


def _send(form: Form, activity: Activity, send: Callable[[str], None]) -> None:
    send(text_of(activity.answers, {name: form.values[name] for name in ("line_points", "line_interview")}))
