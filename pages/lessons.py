"""Lessons."""

import streamlit as st

from ui.ask.lessons import ask_guesses
from ui.documents.document import Document
from ui.documents.page import html_page
from ui.documents.word import KIND, word_file
from ui.frame.case import held_case
from ui.frame.form import Form
from ui.frame.run import require_frame, show, style
from ui.link.page_link import PageLink
from ui.views.lessons import FIELDS, LESSONS, LessonsInputs, LessonsView, lessons_view


def show_steps(view: LessonsView) -> None:
    for number, step in enumerate(view.steps, start=1):
        words, way = st.columns([3.2, 1], gap="medium", vertical_alignment="center")
        with words:
            show.sentence(f"{number}. {step.words} ({step.minutes} min)")
        if step.stem:
            with way:
                show.way(PageLink(step.stem, f"Open: {step.title}", step.query))


def offer(name: str, key: str, document: Document) -> None:
    page, word = st.columns(2)
    page.download_button(
        f"{name} (HTML)", lambda: html_page(document), f"riskline-{key}.html", "text/html", on_click="ignore", key=key
    )
    word.download_button(
        f"{name} (Word)",
        lambda: word_file(document),
        f"riskline-{key}.docx",
        KIND,
        on_click="ignore",
        key=f"{key}.word",
    )


require_frame()
form = Form("lessons", FIELDS)
show.refusals(form.refusals)
top = st.container()
form.choice("lesson", LESSONS, style="segmented")
below = st.container()
st.header("A survey with a coin")
survey = st.container()
people, share, seed = st.columns(3)
with people:
    form.number("people")
with share:
    form.number("share")
with seed:
    form.number("seed")
chosen = LessonsInputs(**form.close(), case=held_case())
view = show.view_of(lessons_view, chosen, style())
with top:
    show.answer(view.answer, view.small_print)
with below:
    show_steps(view)
    st.header("Predict, then reveal")
    show.caption(view.guesses_told)
    for place, question in enumerate(view.questions, start=1):
        show.sentence(question.ask)
        guessed = ask_guesses(chosen.lesson, place, question, style().voice)
        with st.expander("Reveal"):
            for words in filter(None, (question.reveal, guessed.sentence)):
                show.sentence(words)
with survey:
    show.sentence(view.survey)
    show.sentence(view.survey_draw)
st.header("To print")
handout, instructor = view.printed_at(show.root_address())
offer("Handout", "handout", handout)
offer("Instructor notes", "notes", instructor)
offer("Label for participants", "label", view.label)
with st.expander("Aims and notes"):
    st.markdown("\n".join(f"- {line}" for line in (*view.aims, *view.notes)))
