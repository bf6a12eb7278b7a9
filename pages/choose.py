"""Choose a budget."""

import streamlit as st

from ui.ask.case import ask_decision
from ui.ask.interview import ask_interview, interview_fold
from ui.ask.line import ask_line, draw_line
from ui.ask.promise import ask_promise
from ui.frame.form import Form
from ui.frame.run import require_frame, show, style
from ui.views.choose import FIELDS, ChooseInputs, ChooseView, choose_view
from ui.words.catalogue import label


def ask_cuts(form: Form) -> None:
    for column, name in zip(st.columns(2), ("p_cut", "q_cut"), strict=True):
        with column:
            form.slider(name)


def show_maps(view: ChooseView) -> None:
    for column, picture in zip(st.columns(2), view.pictures[:2], strict=False):
        with column:
            show.picture(picture)


def ask_population(form: Form) -> None:
    st.caption(label("choose", "population.told"))
    form.text("population")
    form.choice("statistic", style="segmented")


require_frame()
form = Form("choose", FIELDS)
show.refusals(form.refusals)
top = st.container()
with st.container(key="riskline-stage-choose"):
    left, centre, right = st.columns([1.05, 2.4, 0.85], gap="medium")
with left:
    interview = interview_fold(form)
    ask_line(form, technical=style().technical)
with right:
    beside = st.container()
with st.expander(label("choose", "fold.promise"), key="choose.promise"):
    ask_promise(form)
    adding = st.container()
with st.expander(label("choose", "fold.beside"), key="choose.beside"):
    others = st.container()
    ask_population(form)
below = st.container()
if form.values["secret"] == "both":
    with below:
        ask_cuts(form)
view, refusal = show.view_or_last_good("choose", choose_view, ChooseInputs(**form.close()), style())
with top:
    show.refused(refusal)
    show.answer(view.answer, view.small_print, stale=refusal is not None)
with centre:
    if view.editor is not None:
        draw_line("choose", view.editor, style(), view=form.values["view"], log_prior=form.values["log"])
        show.files(view.line)
        show.caption(view.permitted)
        show.show_table(view.questions.held if view.questions else None)
    else:
        show_maps(view)
with interview:
    ask_interview(form, None if refusal else view.questions, style().voice)
with beside:
    show.numbers(view.numbers)
    show.way(view.next)
    show.way(view.tables)
    ask_decision("choose", style().voice)
with adding:
    show.show_table(view.several)
with others:
    show.show_table(view.comparisons)
with below:
    for picture in view.pictures if view.editor is not None else view.pictures[2:]:
        show.picture(picture)
    show.computed(view.computed, key="choose")
