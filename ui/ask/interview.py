"""The interview on a page: a fold with one question at a time, its answers as buttons, and the way back."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from riskline.case.fields import Field
from riskline.case.interview import line_of
from ui.frame import show
from ui.frame.form import Form, put
from ui.views.choose.questions import Questions
from ui.words.catalogue import label, say


def interview_fold(form: Form) -> DeltaGenerator:
    """The fold, open when the link brought answers."""
    begun = st.session_state.setdefault(f"{form.stem}.interview_begun", bool(form.values["interview"]))
    return st.expander(label(form.stem, "questions"), key=f"{form.stem}.interview", expanded=begun)


def ask_interview(form: Form, asked: Questions | None, voice: str, *, begun: bool = False) -> None:
    """The question that comes next, `begun` where the secret is told already; or why there is none."""
    stem = form.stem
    if asked is None:
        show.sentence(say(stem, voice, "interview_none"))
        return
    if not begun:
        form.text("hidden")
    show.sentence(asked.question)
    if asked.note:
        show.caption(asked.note)
    if asked.tables is not None:
        _ask_tables(stem, form.fields["releases"], asked.tables, asked.counted)
    with st.container(horizontal=True, gap="small"):
        for place, (words, answers) in enumerate(asked.options):
            st.button(words, key=f"{stem}.interview_answer{place}", on_click=_take, args=(stem, answers))
    with st.container(horizontal=True, gap="small"):
        for name, leading in (("back", asked.back), ("again", asked.again)):
            if leading is not None:
                st.button(
                    label(stem, f"questions.{name}"),
                    key=f"{stem}.{name}",
                    on_click=_take,
                    args=(stem, leading),
                    type="tertiary",
                )


def _ask_tables(stem: str, releases: Field, tables: int, counted: str) -> None:
    """A box for the number of tables and the button that takes it."""
    key = f"{stem}.interview_tables"
    least, most = int(releases.low), int(releases.high)
    st.number_input(label(stem, "questions.tables"), least, most, tables, step=1, key=key)

    def take() -> None:
        put(stem, releases=st.session_state[key] or tables, interview=counted)

    st.button(label(stem, "questions.counted"), key=f"{stem}.interview_counted", on_click=take)


def _take(stem: str, answers: str) -> None:
    put(stem, **line_of(answers))
