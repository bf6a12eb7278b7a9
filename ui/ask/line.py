"""The line editor on a page: what is drawn there becomes the page's choices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from riskline.case.choices import NO_LINE
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
    left_out = set() if form.values[name] == NO_LINE else {NO_LINE}
    left_out |= set() if drawn else {"drawn"}
    offered = option_words("case", "line").items()
    line = form.choice(name, {code: words for code, words in offered if code not in left_out})
    if line in ("constant", "cap_or_ratio", "box"):
        form.slider(f"ratio{suffix}")
    if line == "cap_or_ratio":
        form.slider(f"cap{suffix}")
    if line == "increase":
        form.slider(f"increase{suffix}")
    if line == "box":
        form.number(f"low{suffix}")
        form.number(f"high{suffix}")
    if line == "drawn":
        form.choice(f"interpolation{suffix}", option_words("case", "interpolation"), style="select")


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

    shown = line_editor(
        editor,
        key=f"{stem}.editor{suffix}",
        spot=say("choose", style.voice, "spot"),
        on_change=taken,
        view=view,
        log_prior=log_prior,
        technical=style.technical,
        large=style.large,
        height=height,
    )


def draw_small_line(stem: str, editor: Editor, style: Style, *, name: str = "points") -> None:
    """Mount the editor without its buttons; what is drawn becomes the page's points, the choice of this name."""
    line_editor(
        replace(editor, others=(), example=False),
        key=f"{stem}.editor",
        spot=say("choose", style.voice, "spot"),
        on_change=lambda edit: put(stem, **{name: edit.points}),
        technical=style.technical,
        large=style.large,
        height=280,
        bare=True,
    )
