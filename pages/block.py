"""Attack one block."""

import streamlit as st

from ui.ask.block import ask_draw, ask_missing, ask_more, ask_noise, word
from ui.ask.table_choice import ask_table
from ui.frame.form import Form
from ui.frame.run import require_frame, show, style
from ui.views.block import FIELDS, BlockInputs, block_view
from ui.views.block.view import accusations

require_frame()
form = Form("block", FIELDS)
show.refusals(form.refusals)
top = st.container()
with st.container(key="riskline-stage-block"):
    left, centre, right = st.columns([1.05, 2.4, 0.85], gap="medium")
with left:
    own = ask_table(form)
    form.slider("prior")
    ask_noise(form)
with right:
    ask_draw(form)
    beside = st.container()
with st.expander(word("more"), key="block.more"):
    ask_more(form)
    told = st.container()
with st.expander(word("attacked"), key="block.people"):
    attacked = st.container()
below = st.container()
rule = st.expander(word("rule"), key="block.rule", on_change="rerun")
with st.expander(word("released_again"), key="block.again"):
    form.slider("repeats")
    again = st.container()
with st.expander(word("unsure"), key="block.unsure"):
    ask_missing(form)
    unsure = st.container()
chosen = BlockInputs(**form.close())
view, refusal = show.view_or_last_good("block", block_view, chosen, style(), own)
with top:
    show.refused(refusal)
    show.answer(view.answer, view.small_print, stale=refusal is not None)
with centre:
    show.picture(view.release)
with beside:
    show.numbers(view.numbers)
with told:
    show.sentence(view.sensitivity)
    if view.explained is not None:
        show.way(view.explained)
with attacked:
    show.show_table(view.people)
with below:
    for column, picture in zip(st.columns(2, gap="medium"), view.pictures[:2], strict=False):
        with column:
            show.picture(picture)
    for picture in view.pictures[2:]:
        show.picture(picture)
if rule.open and refusal is None:
    with rule:
        show.picture(accusations(chosen, style(), own))
with again:
    show.picture(view.repeats)
with unsure:
    show.picture(view.missing)
for note in view.notes:
    show.sentence(note)
show.computed(view.computed, key="block")
