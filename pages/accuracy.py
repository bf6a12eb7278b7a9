"""What it costs."""

import streamlit as st

from ui.ask.accuracy import ask_budget, ask_districts
from ui.ask.line import ask_secret
from ui.frame.case import held_case
from ui.frame.form import Form
from ui.frame.run import require_frame, show, style
from ui.views.accuracy import FIELDS, AccuracyInputs, accuracy_view
from ui.views.shared.strip import beginning_with_case
from ui.words.catalogue import label

require_frame()
form = Form("accuracy", beginning_with_case(FIELDS, held_case()))
show.refusals(form.refusals)
top = st.container()
with st.container(key="riskline-stage-accuracy"):
    left, centre = st.columns([1.0, 2.4], gap="medium")
with left:
    ask_budget(form)
    onwards = st.container()
form.beside("noise", "level", "count", gap="medium")
with st.expander(label("case", "promise"), key="accuracy.promise"):
    ask_secret(form)
chance = told = needed = st.container()
if not AccuracyInputs(**form.values).refusal:
    st.header(label("accuracy", "heading.rate"))
    rate, chance = st.columns([1.05, 3.25], gap="medium")
    with rate:
        form.ask("total", "target", "deviation")
    st.header(label("accuracy", "heading.districts"))
    typed, told = st.columns([1.05, 3.25], gap="medium")
    with typed:
        ask_districts(form)
    st.header(label("accuracy", "heading.kinds"))
    needed = st.container()
    form.beside("prior", "failure")
chosen = AccuracyInputs(**form.close())
show.tries(chosen.trial(held_case()))
view, refusal = show.view_or_last_good("accuracy", accuracy_view, chosen, style())
with top:
    show.refused(refusal)
    show.answer(view.answer, view.small_print, stale=refusal is not None)
with centre:
    show.picture(view.law)
with onwards:
    for way in view.next:
        show.way(way)
with chance:
    show.picture(view.wrong_side)
with told:
    show.picture(view.districts_off)
    show.caption(view.districts_print)
    show.sentence(view.below_zero)
    show.long_table(view.example, key="districts")
with needed:
    show.show_table(view.kinds)
show.computed(view.computed, key="accuracy")
