"""Attack one block."""

import streamlit as st

from ui.ask.block import ask_draw, ask_more, word
from ui.ask.table_choice import ask_person, ask_table
from ui.frame.form import Form
from ui.frame.run import require_frame, show, style
from ui.views.block import FIELDS, BlockInputs, block_view

require_frame()
form = Form("block", FIELDS)
show.refusals(form.refusals)
top = st.container()
with st.container(key="riskline-stage-block"):
    left, centre, right = st.columns([1.05, 2.4, 0.85], gap="medium")
with st.expander(word("more"), key="block.more"):
    own = ask_table(form)
    ask_more(form)
    told = st.container()
with left:
    form.number("alike")
    if form.values["alike"] is None:  # else it is somebody whom the reader means
        ask_person(form, own)
    form.slider("prior")
    ask_draw(form)
    beside = st.container()
with right:
    numbers = st.container()
below = st.expander(word("over_all"), key="block.over_all")
with st.expander(word("released_again"), key="block.again"):
    form.slider("repeats")
    again = st.container()
chosen = BlockInputs(**form.close())
view, refusal = show.view_or_last_good("block", block_view, chosen, style(), own)
with top:
    show.refused(refusal)
    show.answer(view.answer, view.small_print, stale=refusal is not None)
with centre:
    show.picture(view.release)
with numbers:
    show.numbers(view.numbers)
    show.way(view.explained)
with beside:
    show.caption(view.alone)
with told:
    show.caption(view.sensitivity)
with below:
    show.picture(view.risk)
with again:
    show.picture(view.repeats)
for note in view.notes:
    show.sentence(note)
show.computed(view.computed, key="block")
