"""The questions about the line and the promise it is for, and the line editor, whose drawing becomes the choices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from riskline.case.choices import GROUPS, NO_LINE
from riskline.case.line import PARTS
from ui.components.line_editor import LineEdit, line_editor
from ui.frame.form import Form, put
from ui.pictures.style import Style
from ui.views.choose.view import Questions
from ui.views.shared.drawing import Editor
from ui.words.catalogue import option_words, say


def ask_line(form: Form, *, technical: bool) -> None:
    """The question, the line and the numbers of its template."""
    form.choice("secret")
    ask_template(form, drawn=form.values["secret"] != "both")
    ask_held(form, technical=technical)


def ask_held(form: Form, *, technical: bool) -> None:
    """The belief that does not vary, when there is one; about presence for who reads symbols, or when it is set."""
    secret = form.values["secret"]
    if secret == "value" or (secret == "presence" and (technical or form.values["held"] != 1.0)):
        form.number("held")


def ask_template(form: Form, *, drawn: bool = True, suffix: str = "") -> None:
    """Which line, drawn by hand or not, and the numbers of its template; a suffix tells several on one page apart."""
    name = f"line{suffix}"
    offered = {NO_LINE: form.values[name] == NO_LINE, "drawn": drawn}
    words = {code: said for code, said in option_words("case", "line").items() if offered.get(code, True)}
    line = form.choice(name, words)
    if line == "drawn":
        form.choice(f"interpolation{suffix}", option_words("case", "interpolation"), style="select")
        return
    for part in PARTS.get(line, ()):
        (form.number if part in ("low", "high") else form.slider)(f"{part}{suffix}")


def offer_answers(stem: str, asked: Questions, words: Callable[[str], str], take: Callable[[str], None]) -> None:
    """The answers to a question of the interview as buttons, and the ways back and to the beginning in these words."""
    with st.container(horizontal=True, gap="small"):
        for place, (option, answers) in enumerate(asked.options):
            st.button(option, key=f"{stem}.interview_answer{place}", on_click=take, args=(answers,))
    with st.container(horizontal=True, gap="small"):
        for name, leading in (("back", asked.back), ("again", asked.again)):
            if leading is not None:
                st.button(words(name), key=f"{stem}.{name}", on_click=take, args=(leading,), type="tertiary")


def draw_line(
    stem: str, editor: Editor, style: Style, *, view: str, log_prior: bool, height: int = 430, suffix: str = ""
) -> None:
    """Mount the editor; a point that is moved turns a template into a drawn line."""

    def taken(edit: LineEdit) -> None:
        changes: dict[str, object] = {"view": edit.view, "log": edit.log_prior}
        if edit.points != shown.points:
            drawn = {"points": edit.points, "line": "drawn", "interpolation": editor.interpolation}
            changes |= {f"{name}{suffix}": value for name, value in drawn.items()}
        put(stem, **changes)

    key = f"{stem}.editor{suffix}"
    shown = _editor(key, editor, style, on_change=taken, view=view, log_prior=log_prior, height=height)


def draw_small_line(stem: str, editor: Editor, style: Style, *, name: str = "points") -> None:
    """Mount the editor without its buttons; what is drawn becomes the page's points, the choice of this name."""
    look: dict[str, Any] = {"on_change": lambda edit: put(stem, **{name: edit.points}), "height": 280, "bare": True}
    _editor(f"{stem}.editor", replace(editor, others=(), example=False), style, **look)


def _editor(key: str, editor: Editor, style: Style, **more: Any) -> LineEdit:
    spot = say("choose", style.voice, "spot")
    return line_editor(editor, key=key, spot=spot, technical=style.technical, large=style.large, **more)


def ask_whom(form: Form) -> None:
    """About whom, and how many records belong together."""
    if form.choice("unit", style="select") in GROUPS:
        form.number("group")


def choose_secret(form: Form) -> None:
    """What must stay secret; both beliefs at once only where a line made the case about both."""
    words = option_words("case", "secret")
    if form.values["secret"] != "both":
        del words["both"]
    form.choice("secret", words, style="select")


def ask_secret(form: Form) -> None:
    """What must stay secret, about whom, and what is one change: the same on every page."""
    form.beside(partial(choose_secret, form), partial(ask_whom, form), "relation", gap="medium")


def ask_promise(form: Form) -> None:
    """Guarantee, unit of protection and number of releases, in three columns."""

    def ask_guarantee() -> None:
        kind = form.choice("guarantee", style="select")
        rule = {"zero_concentrated": "route", "approximate": "delta"}.get(kind)
        form.ask(*filter(None, [rule, "failure" if kind != "pure" else None]))

    def ask_releases() -> None:
        form.ask("releases", "release")
        if form.values["release"] == "table":
            form.number("areas")

    form.beside(ask_guarantee, (partial(ask_whom, form), "relation"), ask_releases, gap="medium")
