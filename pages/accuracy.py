"""What it costs."""

import streamlit as st

from ui.ask.promise import PROMISE, ask_secret
from ui.frame.form import Form
from ui.frame.run import look, require_frame, show
from ui.views.accuracy import AT_THE_START, FIELDS, AccuracyInputs, accuracy_view

STARTS = {"budget": "I have a budget", "accuracy": "I need an accuracy"}


def ask(form: Form) -> None:
    form.choice("start", STARTS, style="segmented")
    form.choice("noise", AT_THE_START, style="select")
    concentrated = form.values["noise"] in ("gaussian", "discrete_gaussian")
    if form.values["start"] == "budget":
        form.number("rho" if concentrated else "epsilon")
    else:
        form.number("half_width")
    form.number("level")
    form.number("count")


def ask_rate(form: Form) -> None:
    form.number("total")
    form.number("target")
    form.number("deviation")


def ask_belief(form: Form) -> None:
    before, failing = st.columns(2)
    with before:
        form.number("prior")
    with failing:
        form.number("failure")


require_frame()
form = Form("accuracy", FIELDS)
show.refusals(form.refusals)
top = st.container()
with st.container(key="riskline-stage-accuracy"):
    left, centre, right = st.columns([1.05, 2.4, 0.85], gap="medium")
with left:
    ask(form)
with right:
    beside = st.container()
with st.expander(PROMISE, key="accuracy.promise"):
    ask_secret(form)
st.header("On the wrong side of a target")
rate, chance = st.columns([1.05, 3.25], gap="medium")
with rate:
    ask_rate(form)
st.header("Which noise needs how much budget?")
needed = st.container()
ask_belief(form)
below = st.container()
view, refusal = show.view_or_last_good("accuracy", accuracy_view, AccuracyInputs(**form.close()), look())
with top:
    show.refused(refusal)
    show.answer(view.answer, view.small_print, stale=refusal is not None)
with centre:
    show.picture(view.law)
with beside:
    show.numbers(view.numbers)
with chance:
    show.picture(view.wrong_side)
with needed:
    show.show_table(view.kinds)
with below:
    show.picture(view.alternatives)
    if view.next is not None:
        show.way(view.next)
    show.computed(view.computed, key="accuracy")
