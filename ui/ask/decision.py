"""The way of a decision, step by step: each asks one part of the case, and what is asked stays when one leaves."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from riskline.case.choices import FIELDS as CASE
from ui.ask.case import ask_decision
from ui.ask.interview import ask_interview
from ui.ask.line import draw_line
from ui.ask.promise import ask_secret
from ui.frame import show
from ui.frame.case import held_case
from ui.frame.form import Form, put
from ui.link.page_table import PageLink
from ui.pictures.style import Style
from ui.views.accuracy import FIELDS as ACCURACY
from ui.views.accuracy import INVENTED
from ui.views.choose import FIELDS as CHOOSE
from ui.views.choose import ChooseInputs, choose_view
from ui.views.home import STEPS
from ui.views.memo import FIELDS as MEMO
from ui.views.shared.typed_districts import Districts, districts_as_lines
from ui.words.catalogue import label, option_words, say


def ask_step(step: str, style: Style) -> None:
    """One step with its question, and the ways to the one before and the one after."""
    form = Form("choose", (*CHOOSE, *(CASE[name] for name in ("title", "released", "office", "many"))), of_page=False)
    place = STEPS.index(step)
    st.header(label("home", "step_of", number=place + 1, all=len(STEPS), asked=label("home", f"asked.{step}")))
    {"publish": _ask_publish, "secret": _ask_secret, "line": _ask_line}[step](form, style)
    with st.container(horizontal=True, gap="small"):
        for name, led in (("on", STEPS[place + 1 : place + 2]), ("back", STEPS[:place][-1:]), ("leave", ("",))):
            for at in led:
                kind: Literal["primary", "tertiary"] = "primary" if name == "on" else "tertiary"
                st.button(label("home", name), key=f"home.{name}", type=kind, on_click=_go, args=(at,))


def _go(step: str) -> None:
    """Go to a step; the questions about the line begin with what was said of the counts."""
    case = held_case()
    if step == "line" and not case["interview"] and case["release"] in ("count", "table"):
        put("choose", interview="ct")
    put("home", step=step)


def _ask_publish(form: Form, style: Style) -> None:
    for name in ("released", "title", "office"):
        form.text(name)
    options = option_words("case", "release")
    form.choice("release", {name: options[name] for name in ("anything", "count", "table")})
    if form.values["release"] == "table":
        typed = _districts().lines("places", _own_as_lines, commas_part_counts=False)
        if typed == INVENTED:
            form.number("areas")
        else:
            form.values["areas"] = len(typed)


def _ask_secret(form: Form, style: Style) -> None:
    for name in ("hidden", "one", "many"):
        form.text(name)
    if form.values["hidden"]:
        show.told(say("home", style.voice, "secret_back", **_chosen(form).words(style.voice)))
    ask_secret(form)
    form.choice("moves", style="select")


def _ask_line(form: Form, style: Style) -> None:
    view = choose_view(_chosen(form), style)
    asked, seen = st.columns([1, 1.4], gap="large")
    with asked:
        show.refused(view.refusal)
        ask_interview(form, None if view.refusal else view.questions, style.voice, begun=True)
        if view.budget is not None:
            Form("memo", MEMO, of_page=False).text("until")
            if ask_decision("home", style.voice):
                show.go_to("memo")
        if held_case().decision is not None:
            show.way(PageLink("memo", label("home", "brief")))
    with seen:
        show.sentence(view.answer)
        if view.editor is not None:
            draw_line("choose", view.editor, style, view="posterior", log_prior=False, height=280)
        show.numbers((*view.numbers, *_smallest(view.numbers)))


def _chosen(form: Form) -> ChooseInputs:
    return ChooseInputs(**{field.name: form.values[field.name] for field in CHOOSE})


def _districts() -> Form:
    """The reader's own districts, which stay in the session, as the page about accuracy holds them."""
    return Form("accuracy", ACCURACY, of_page=False)


def _own_as_lines(districts: Districts) -> str:
    """The districts as they are typed, but for those that we invented: no decision is about them."""
    return "" if districts == INVENTED else districts_as_lines(districts)


def _smallest(numbers: tuple[tuple[str, str, str], ...]) -> tuple[tuple[str, str, str], ...]:
    """The smallest of the districts beside the noise that it is published with, where the case is a table of them."""
    ranges = [(value, note) for _, value, note in numbers if value.startswith("±")]
    districts = _districts().values["places"]
    if held_case()["release"] != "table" or not ranges or districts == INVENTED:
        return ()
    name, count = min(districts, key=lambda place: place[1])
    return ((label("home", "smallest", name=name), f"{count:,} {ranges[0][0]}", ranges[0][1]),)
