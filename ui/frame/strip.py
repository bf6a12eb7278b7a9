"""The case in one line under the title of every page, and the one group of questions that it opens into."""

from __future__ import annotations

import html

import streamlit as st

from riskline.answers import case_budget
from riskline.case.choices import FIELDS
from ui.frame import show
from ui.frame.case import held_case, hold_case, touch
from ui.frame.form import Form
from ui.views.shared.promise import UNIT_WORDS
from ui.views.shared.strip import budget_words, strip_of
from ui.words.passages import say

TRIAL = "_trial"  # the budget that the page tries, which the strip says
MADE_HERE = "_decided_here"  # decisions of this session; one that came with a link is a claim
BY, DATE, REASON = "case.by", "case.date_of_decision", "case.reason"
SECRET_WORDS = {"presence": "whether somebody is in the data", "value": "which value somebody has", "both": "both"}
RELATION_WORDS = {"add_or_remove": "one record added or removed", "replace": "one record replaced"}
RELEASE_WORDS = {
    "anything": "not described yet",
    "count": "one plain count",
    "table": "a table over districts",
    "tables": "several tables",
    "plan": "several releases over time",
    "coins": "a survey with coins",
}
MOVES_WORDS = {
    "": "not decided: they could",
    "nowhere": "no, her district is taken as known",
    "anywhere": "yes",
}


def show_strip(voice: str) -> None:
    """The line about the session's case, and beside it what changes the case."""
    case = held_case()
    claimed = case.decision is not None and case.decision not in st.session_state.get(MADE_HERE, ())
    strip = strip_of(case, voice, claimed=claimed)
    with st.container(key="riskline-strip", horizontal=True, vertical_alignment="center", gap="small"):
        long, short = (html.escape(" · ".join(parts)) for parts in ((*strip.parts, *strip.marks), strip.short))
        st.html(
            f'<p class="riskline-strip" data-state="{strip.state.value}">'
            f'<span class="riskline-strip-long">{long}</span><span class="riskline-strip-short">{short}</span></p>',
            width="stretch",
        )
        opening = st.popover(say("case", voice, "change"), type="tertiary", key="case.change", on_change="rerun")
        if opening.open:
            with opening:
                ask_case()


def ask_case() -> None:
    """The questions that set the case, the same on every page."""
    form = Form("case", tuple(FIELDS.values()), of_page=False)
    for name in ("title", "released", "hidden", "one", "many", "office"):
        form.text(name)
    form.choice("secret", SECRET_WORDS, style="select")
    form.choice("unit", UNIT_WORDS, style="select")
    if form.values["unit"] != "person":
        form.number("group")
    form.choice("relation", RELATION_WORDS, style="select")
    form.choice("release", RELEASE_WORDS, style="select")
    if form.values["release"] in ("table", "tables"):
        form.number("areas")
        form.choice("moves", MOVES_WORDS, style="select")
    form.number("prior")
    form.number("failure")


def ask_decision(page: str, voice: str) -> None:
    """Decide on the case's budget: by whom, when and why, and one button; off while there is nothing to decide on."""
    case = held_case()
    budget = None if case.is_example else case_budget(case)
    if budget is None:
        show.caption(say("case", voice, "decide_nothing"))
        return
    for key, label in ((BY, "Who decides?"), (DATE, "Date, as it should read"), (REASON, "Why this budget?")):
        st.text_input(label, key=key, max_chars=300)
    said = budget_words(budget.value, budget.currency)
    st.button(say("case", voice, "decide"), type="primary", key=f"{page}.decide", on_click=_decide, args=(page,))
    if case.state in ("decided", "decided_for_another"):
        show.sentence(say("case", voice, "decide_done" if case.state == "decided" else "decide_again", budget=said))


def _decide(page: str) -> None:
    case, state = held_case(), st.session_state
    budget = case_budget(case.without("chosen", "published"))
    if budget is None:
        return
    words = {name: " ".join(str(state.get(key, "")).split()) for name, key in (("by", BY), ("date", DATE))}
    decided = case.without("published").decided(
        value=budget.value, currency=budget.currency, page=page, reason=str(state.get(REASON, "")).strip(), **words
    )
    hold_case(decided)
    state[MADE_HERE] = (*state.get(MADE_HERE, ()), decided.decision)
    touch()
