"""The case in one line under the title of every page, and the one group of questions that it opens into."""

from __future__ import annotations

import html
from collections.abc import Callable

import streamlit as st

from riskline.case.value import Case
from ui.frame import show
from ui.frame.case import held_case
from ui.views.shared.strip import strip_of
from ui.words.catalogue import say

MADE_HERE = "_decided_here"  # decisions of this session; one that came with a link is a claim


def is_claim(case: Case) -> bool:
    """Whether the decision of a case came with a link or a file, and was not made in this session."""
    return case.decision is not None and case.decision not in st.session_state.get(MADE_HERE, ())


def show_strip(voice: str, page: str, ask_case: Callable[[], None]) -> None:
    """The line about the session's case, and beside it the one group of questions that changes the case."""
    case = held_case()
    strip = strip_of(case, voice, trial=st.session_state.get(show.TRIAL), claimed=is_claim(case), page=page)
    with st.container(key="riskline-strip", horizontal=True, vertical_alignment="center", gap="small"):
        long, subject, budget = (html.escape(part) for part in (strip.text, *strip.short))
        st.html(
            f'<p class="riskline-strip" data-state="{strip.state.value}">'
            f'<span class="riskline-strip-long">{long}</span>'
            f'<span class="riskline-strip-short"><span>{subject}</span><span> · {budget}</span></span></p>',
            width="stretch",
        )
        opening = st.popover(say("case", voice, "change"), type="tertiary", key="case.change", on_change="rerun")
        if opening.open:
            with opening:
                ask_case()
