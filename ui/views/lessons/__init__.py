"""Lessons: the walk through the other pages, the questions to predict, what a class guessed, the sheets to print."""

from ui.views.lessons.class_guesses import (
    EXAMPLES,
    ClassGuesses,
    Truth,
    class_guesses,
    guesses_held_against,
    read_guesses,
    said_guess,
)
from ui.views.lessons.view import (
    FIELDS,
    LESSONS,
    STEPS,
    LessonsInputs,
    LessonsView,
    Question,
    label_of,
    lessons_view,
    pages_there,
    questions_of,
)

__all__ = [
    "EXAMPLES",
    "FIELDS",
    "LESSONS",
    "STEPS",
    "ClassGuesses",
    "LessonsInputs",
    "LessonsView",
    "Question",
    "Truth",
    "class_guesses",
    "guesses_held_against",
    "label_of",
    "lessons_view",
    "pages_there",
    "questions_of",
    "read_guesses",
    "said_guess",
]
