"""Choose a budget."""

import streamlit as st

from ui.ask.case import ask_decision, ask_interview, interview_fold
from ui.ask.line import ask_held, ask_promise, ask_template, draw_line
from ui.ask.relatives import offer_relatives
from ui.frame.form import Form
from ui.frame.run import require_frame, show, style
from ui.views.choose import FIELDS, ChooseInputs, choose_relatives, choose_view
from ui.words.catalogue import label

require_frame()
form = Form("choose", FIELDS)
show.refusals(form.refusals)
top = st.container()
with st.container(key="riskline-stage-choose"):
    left, centre, right = st.columns([1.05, 2.4, 0.85], gap="medium")
with left:
    interview = interview_fold(form)
    ask_template(form, drawn=form.values["secret"] != "both")
with right:
    beside = st.container()
below = st.container()
relatives = st.container()
with st.expander(label("case", "promise"), key="choose.promise"):
    form.choice("secret")
    under_secret = st.container()
    ask_held(form, technical=style().technical)
    ask_promise(form)
with st.expander(label("frame", "computed"), key="choose.computed"):
    experts = st.container()
    form.text("population")
    form.choice("statistic", style="segmented")
chosen = ChooseInputs(**form.close())
view, refusal = show.view_or_last_good("choose", choose_view, chosen, style())
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
        for picture in view.pictures:
            show.picture(picture)
with under_secret:
    show.caption(view.halved)
with interview:
    ask_interview(form, None if refusal else view.questions, style().voice)
with beside:
    show.numbers(view.numbers)
    for way in view.next:
        show.way(way)
    ask_decision("choose", style().voice)
with below:
    for picture in view.pictures if view.editor is not None else ():
        show.picture(picture)
if view.budget is not None and refusal is None:
    with relatives:
        offer_relatives("choose", choose_relatives, chosen, style())
with experts:
    show.prose(view.computed)
    show.show_table(view.several)
    show.show_table(view.comparisons)
