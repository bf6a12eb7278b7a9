"""The one group of questions that sets the case, and the act of deciding on its budget."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import streamlit as st

from riskline.answers import standing
from riskline.case.choices import FIELDS, LINE_NAMES
from riskline.case.value import State
from ui.ask.promise import ask_secret
from ui.frame import show
from ui.frame.case import MADE_HERE, held_case, hold_case, is_claim, touch
from ui.frame.form import Form
from ui.views.shared.strip import budget_words
from ui.words.catalogue import label, say

BY, DATE, REASON = "case.by", "case.date_of_decision", "case.reason"


def ask_case() -> None:
    """The questions that set the case, the same on every page."""
    form = Form("case", tuple(FIELDS.values()), of_page=False)
    for name in ("title", "released", "hidden", "one", "many", "office"):
        form.text(name)
    ask_secret(form, beside=False)
    form.choice("release", style="select")
    if form.values["release"] == "table":
        form.number("areas")
    if form.values["release"] in ("table", "tables"):
        form.choice("moves", style="select")
    form.number("prior")
    form.number("failure")


def take_line(stem: str, line: Mapping[str, Any], voice: str) -> None:
    """A button that makes one of several lines the case's."""

    def take() -> None:
        hold_case(held_case().without(*LINE_NAMES, "interview").with_choices(**line))
        touch()

    st.button(say("case", voice, "take_line"), key=f"{stem}.take_line", on_click=take)


def ask_decision(page: str, voice: str) -> bool:
    """Whether the case's budget was just decided on: by whom, when and why, and one button where there is a budget."""
    case = held_case()
    budget = None if case.is_example else standing(case).budget
    if budget is None:
        show.caption(say("case", voice, "decide_nothing"))
        return False
    done, said = None if is_claim(case) else case.decision, budget_words(budget.value, budget.currency)
    if case.state in (State.DECIDED, State.DECIDED_FOR_ANOTHER):
        show.sentence(say("case", voice, "decide_done" if case.state is State.DECIDED else "decide_again", budget=said))
    before = ("", "", "") if done is None else (done.by, done.date, done.reason)
    for key, name, held in zip((BY, DATE, REASON), ("decided_by", "decided_on", "reason"), before, strict=True):
        st.text_input(label("case", name), held, key=key, max_chars=300)
    kind: Literal["primary", "secondary"] = "secondary" if case.state is State.DECIDED else "primary"
    return st.button(say("case", voice, "decide"), type=kind, key=f"{page}.decide", on_click=_decide, args=(page,))


def _decide(page: str) -> None:
    case, state = held_case(), st.session_state
    budget = standing(case.without("chosen", "published")).budget
    if budget is None:
        return
    words = {name: " ".join(str(state.get(key, "")).split()) for name, key in (("by", BY), ("date", DATE))}
    decided = case.without("published").decided(
        value=budget.value, currency=budget.currency, page=page, reason=str(state.get(REASON, "")).strip(), **words
    )
    hold_case(decided)
    state[MADE_HERE] = (*state.get(MADE_HERE, ()), decided.decision)
    touch()
