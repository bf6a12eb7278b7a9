"""Budgets as you go on *Several releases*: a total, stated once, and releases that are asked for one after another."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from riskline.answers.running import Running
from riskline.case.releases import HEADS
from riskline.case.spending import SUMS, WITH_DELTA, AskedRelease, Spending
from ui.frame import show
from ui.frame.case import choose_in_case, held_case, touch
from ui.frame.form import pick_one
from ui.frame.view_workers import computed_by_worker
from ui.pictures.style import Style
from ui.views.plan.running import CURVE, RunningView, running_view, sums_words
from ui.words.catalogue import label, say
from ui.words.refusals import refusal_sentence

FAULT = "_spent_fault"
TOLD = ("name", "whom", "budget", "delta")


def tell_spent(style: Style) -> None:
    """That exact totals are for fixed plans, once a release was asked for as things went."""
    spending = held_case()["spent"]
    if spending is not None and spending.asked:
        show.notice(say("plan", style.voice, "spent_notice"))


def offer_spending(style: Style) -> None:
    """The fold, which asks and computes nothing until it is opened."""
    fold = st.expander(label("plan", "fold.spent"), key="plan.spent", on_change="rerun")
    if not fold.open:
        return
    with fold:
        spending = held_case()["spent"]
        sums = ""
        if spending is None:
            asked = label("case", "guarantee")
            sums = str(pick_one(asked, sums_words(), key="plan.spent_sums", chosen=SUMS[0], width=240))
        view: RunningView = computed_by_worker(running_view, spending, style, sums == CURVE)
        show.refused(view.refusal)
        show.refused(st.session_state.pop(FAULT, None))
        show.sentence(view.answer)
        if spending is None:
            _enter(("total", "delta") if sums in WITH_DELTA else ("total",), "begin", _begin, off=sums == CURVE)
        else:
            show.show_table(view.steps)
            _enter(TOLD if spending.sums in WITH_DELTA else TOLD[:-1], "ask", _ask)
        show.caption(view.small_print)
        show.picture(view.picture)
        show.python_lines(label("frame", "same_in_python"), view.python, key="plan.spent.python")


def _enter(names: tuple[str, ...], button: str, act: Callable[[], None], *, off: bool = False) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", key="riskline-typed-plan.spent"):
        for name in names:
            where = ("case", f"release_head.{name}") if name in HEADS else ("plan", f"spent_{name}")
            st.text_input(label(*where), key=f"plan.spent_{name}", max_chars=60, width=160)
        st.button(
            label("plan", f"spent_{button}"),
            key=f"plan.spent_{button}",
            type="primary",
            on_click=_taken,
            args=(act,),
            disabled=off,
        )


def _taken(act: Callable[[], None]) -> None:
    """Do what was pressed; what cannot be used stays in its boxes, with a sentence that says why."""
    try:
        act()
    except ValueError as fault:
        st.session_state[FAULT] = refusal_sentence(fault, "plan")
    touch()


def _typed() -> Mapping[str, str]:
    names = (*TOLD, "total")
    return {name: " ".join(str(st.session_state.get(f"plan.spent_{name}", "")).split()) for name in names}


def _begin() -> None:
    typed = _typed()
    choose_in_case(spent=Spending(st.session_state["plan.spent_sums"], typed["total"], typed["delta"]))


def _ask() -> None:
    typed = _typed()
    release = AskedRelease(**{name: typed[name] for name in TOLD})
    choose_in_case(spent=Running(held_case()["spent"]).asking(release).spending)
    for name in TOLD:
        st.session_state[f"plan.spent_{name}"] = ""
