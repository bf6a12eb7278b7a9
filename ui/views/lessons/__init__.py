"""Lessons: the walk through the other pages, the questions to predict, what a class guessed, the sheets to print."""

from ui.views.lessons.class_guesses import EXAMPLES, ClassGuesses, Truth, class_guesses
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
    "label_of",
    "lessons_view",
    "pages_there",
]
