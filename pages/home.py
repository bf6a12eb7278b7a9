"""Start here."""

import streamlit as st

from ui.ask.case import ask_step
from ui.ask.line import draw_small_line
from ui.frame.form import Form, put
from ui.frame.run import require_frame, show, style
from ui.views.home import FIELDS, FIRST_LINE, STEPS, HomeInputs, HomeView, home_view
from ui.words.catalogue import label


def show_questions(view: HomeView) -> None:
    for question in view.questions:
        show.sentence(f"**{question.words}**")
        with st.container(horizontal=True, gap="small"):
            for way in question.ways:
                show.way(way)


def show_line(view: HomeView) -> None:
    show.sentence(view.invitation)
    if view.editor is not None:
        draw_small_line("home", view.editor, style())
        show.files(view.line)
    show.sentence(view.allowed)
    show.numbers(view.budget)
    show.way(view.next)


require_frame()
form = Form("home", FIELDS)
show.refusals(form.refusals)
chosen = HomeInputs(**form.values)
if chosen.step:
    ask_step(chosen.step, style())
else:
    # the line that everybody opens is kept, so it needs no worker
    view, refusal = show.view_or_last_good("home", home_view, chosen, style(), here=chosen.points == FIRST_LINE)
    show.refused(refusal)
    show.answer(view.answer, view.small_print)
    st.button(label("home", "begin"), type="primary", on_click=put, args=("home",), kwargs={"step": STEPS[0]})
    with st.container(key="riskline-home"):
        ways, line = st.columns([1, 1.4], gap="large")
        with ways.container(gap="xsmall"):
            show_questions(view)
        with line:
            show_line(view)
    pages = st.expander(label("home", "pages"), key="home.pages", on_change="rerun")
    with pages:
        for page in view.pages if pages.open else ():  # most readers never open it
            show.way(page)
form.close()
