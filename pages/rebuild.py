"""Rebuild a block."""

import streamlit as st

from ui.ask.rebuild import ask_block, ask_noise, ask_rules, kept, sweep_controls
from ui.frame.form import Form
from ui.frame.run import look, require_frame, show
from ui.views.rebuild import FIELDS, RebuildInputs, rebuild_view

require_frame()
form = Form("rebuild", FIELDS)
show.refusals(form.refusals)
top = st.container()
with st.container(key="riskline-stage-rebuild"):
    left, centre, right = st.columns([1.05, 2.5, 0.85], gap="medium")
with left:
    own = ask_block(form)
    ask_noise(form)
with st.expander("What else is known, and how long to search", key="rebuild.rules"):
    ask_rules(form)
done = kept()
chosen = RebuildInputs(**form.close())
with centre, st.spinner("Rebuilding"):
    view, refusal = show.view_or_last_good("rebuild", lambda asked: rebuild_view(asked, look(), own, done), chosen)
with top:
    show.refused(refusal)
    show.answer(view.answer, view.small_print, stale=refusal is not None)
with centre:
    show.icons(view.grids, reading=view.grids_reading)
    if view.cells is not None:
        show.table_twin(lambda: view.cells, key="rebuild-people")
with right:
    show.numbers(view.numbers)


@st.fragment
def rates() -> None:
    show.picture(rebuild_view(chosen, look(), own, done).rate)
    sweep_controls(chosen, own, done)


if refusal is None:
    rates()
show.computed(view.computed, key="rebuild")
