"""Rebuild a block."""

import streamlit as st

from ui.ask.rebuild import DRAWN, ask_block, ask_noise, ask_search, ask_sweep, kept, word
from ui.frame.form import Form
from ui.frame.run import require_frame, show, style
from ui.link.page_table import PageLink
from ui.views.rebuild import AT_ONCE, FIELDS, RebuildInputs, rebuild_view

require_frame()
form = Form("rebuild", FIELDS)
show.refusals(form.refusals)
top = st.container()
with st.container(key="riskline-stage-rebuild"):
    left, centre, right = st.columns([1.05, 2.5, 0.85], gap="medium")
with left:
    own = ask_block(form)
    ask_noise(form)
with st.expander(word("rules"), key="rebuild.rules"):
    form.beside(("size_known", "seed"), "limit")
with right:
    beside = st.container()
with centre:
    searching = st.empty()
    grids = st.container()
rate, sweeping = st.container(), st.empty()
if form.values["noise"] in DRAWN:
    form.flag("sweep")
done = kept()
chosen = RebuildInputs(**form.close())

ask_sweep(chosen, own, done, sweeping)
with grids, st.spinner(word("waiting")):
    view, refusal = show.view_or_last_good(
        "rebuild", lambda asked: rebuild_view(asked, style(), own, done, wait=AT_ONCE), chosen, here=True
    )
ask_search(chosen, own, done, searching)
with top:
    show.refused(refusal)
    show.answer(view.answer, view.small_print, stale=refusal is not None)
with grids:
    show.icons(view.grids, reading=view.grids_reading)
with beside:
    show.numbers(view.numbers)
    show.way(PageLink("explain", word("next")))
with rate:
    show.picture(view.rate)
show.computed(view.computed, key="rebuild")
