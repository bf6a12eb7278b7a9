"""Learn from a noisy release."""

import streamlit as st

from ui.ask.infer import ask, ask_more, drawn, told_or_refused
from ui.frame.form import Form
from ui.frame.run import require_frame, show, style
from ui.views.infer import FIELDS, InferInputs, infer_view, other_budgets, other_priors, other_ways, prediction
from ui.words.catalogue import label

FOLDS = (("prediction", prediction), ("priors", other_priors), ("ways", other_ways))

require_frame()
form = Form("infer", FIELDS)
show.refusals(form.refusals)
top = st.container()
form.choice("part", style="segmented")
with st.container(key="riskline-stage-infer"):
    left, centre, right = st.columns([1.05, 2.4, 0.75], gap="medium")
with left:
    ask(form)
if form.values["part"] != "coverage":
    with st.expander(label("infer", "fold.more"), key="infer.more"):
        ask_more(form)
below = st.container()
budgets = st.container()
if form.values["part"] == "moments":
    budgets = st.expander(label("infer", "fold.budgets"), key="infer.budgets", on_change="rerun")
    if budgets.open:
        with budgets:
            form.number("other")
chosen = InferInputs(**form.close())
with centre:
    running = st.empty()
shown, draws, older = drawn(chosen, running, afresh=form.from_link)
view, refusal = show.view_or_last_good("infer", infer_view, shown, style(), draws)
with top:
    show.refused(refusal)
    show.answer(view.answer, view.small_print, stale=older or refusal is not None)
with centre:
    show.picture(view.main)
with right:
    show.numbers(view.numbers)
with below:
    for note in view.notes:
        show.notice(note)
    for column, picture in zip(st.columns(2), view.pictures, strict=False):
        with column:
            show.picture(picture)
    show.show_table(view.table)
    if view.command:
        st.code(view.command, language="bash")
if chosen.part == "moments" and refusal is None:
    if budgets.open:
        with budgets, st.spinner(label("infer", "fold.budgets.waiting")):
            show.picture(told_or_refused(lambda: other_budgets(chosen, style())))
    for key, told in FOLDS:
        fold = st.expander(label("infer", f"fold.{key}"), key=f"infer.{key}", on_change="rerun")
        if fold.open:
            with fold:
                found = told_or_refused(lambda told=told: told(chosen, style()))
                if found is not None:
                    show.sentence(found[0])
                    show.show_table(found[1])
show.computed(view.computed, key="infer")
