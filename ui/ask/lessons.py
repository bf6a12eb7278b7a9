"""What a class guesses before an answer is revealed: held by this session alone, in no link and no file."""

from __future__ import annotations

import streamlit as st

from ui.ask.room import offer_room
from ui.frame import show
from ui.frame.form import touch
from ui.views.lessons.class_guesses import ClassGuesses, class_guesses, word
from ui.views.lessons.view import Question
from ui.views.room.choices import lesson_script
from ui.words.catalogue import label

GUESSES = "_class_guesses"
LONGEST = 4000


def ask_guesses(lesson: str, place: int, question: Question, voice: str) -> ClassGuesses:
    """The box for the guesses at a question, and what they come to; they stay while other pages are visited."""
    key = f"{GUESSES}-{lesson}-{place}"
    example = word(f"example.{question.truth.unit}")
    typed = st.text_input(
        question.guesses, key=key, on_change=touch, max_chars=LONGEST, placeholder=example, persist_state="session"
    )
    code, place_of_room = f"{lesson}_{place}", f"lessons.room-{lesson}-{place}"
    first, rest = ("prediction", {"prediction_lesson": code}), lesson_script(lesson, code)[1:]
    offer_room(word("ask_room"), label("frame", "room"), key=place_of_room, first=first, script=rest)
    guessed = class_guesses(typed, question.truth, voice)
    if guessed.fault:
        show.refused_below(guessed.fault, box=key)
    show.caption(guessed.reading)
    return guessed
