"""Lessons."""

from typing import Any

import streamlit as st

from ui.ask.lessons import ask_guesses
from ui.ask.room import offer_room
from ui.documents.document import Document
from ui.documents.page import html_page
from ui.documents.word import KIND, word_file
from ui.frame.case import held_case
from ui.frame.form import Form
from ui.frame.run import require_frame, show, style
from ui.link.page_table import PageLink
from ui.views.lessons import FIELDS, LessonsInputs, lessons_view
from ui.views.lessons.class_guesses import word
from ui.views.lessons.view import LessonsView
from ui.views.room.choices import lesson_script


def show_steps(view: LessonsView) -> None:
    for number, step in enumerate(view.steps, start=1):
        words, way = st.columns([3.2, 1], gap="medium", vertical_alignment="center")
        with words:
            show.sentence(word("step", number=number, words=step.words, minutes=step.said_minutes))
        if step.stem:
            with way:
                show.way(PageLink(step.stem, word("open", title=step.title), step.query))


def offer(name: str, key: str, document: Document) -> None:
    page, office = st.columns(2)
    held: dict[str, Any] = {"on_click": "ignore"}
    as_page, as_word = (word(made, name=name) for made in ("as_page", "as_word"))
    page.download_button(as_page, lambda: html_page(document), f"riskline-{key}.html", "text/html", key=key, **held)
    office.download_button(
        as_word, lambda: word_file(document), f"riskline-{key}.docx", KIND, key=f"{key}.word", **held
    )


require_frame()
form = Form("lessons", FIELDS)
show.refusals(form.refusals)
top = st.container()
form.choice("lesson", style="segmented")
chosen = LessonsInputs(**form.close(), case=held_case())
view = show.view_of(lessons_view, chosen, style(), show.root_address())
with top:
    show.answer(view.answer, view.small_print)
    offer_room(word("phones"), word("phones_new"), key="lessons.phones", script=lesson_script(chosen.lesson))
show_steps(view)
st.header(word("predict_head"))
show.caption(word("guesses_told"))
for place, question in enumerate(view.questions, start=1):
    show.sentence(question.ask)
    guessed = ask_guesses(chosen.lesson, place, question, style().voice)
    with st.expander(word("reveal")):
        show.sentence(question.reveal)
        show.sentence(guessed.sentence)
st.header(word("survey_head"))
show.sentence(view.survey)
with st.expander(word("reveal"), key="lessons.survey"):
    show.sentence(view.survey_answer)
st.header(word("print_head"))
offer(word("handout"), "handout", view.handout)
offer(word("notes"), "notes", view.instructor)
offer(word("label"), "label", view.label)
