"""Lessons: the walk through the other pages, the questions to predict, what a class guessed, the sheets to print."""

from ui.views.lessons.view import FIELDS, LessonsInputs, lessons_view

__all__ = ["FIELDS", "LessonsInputs", "lessons_view"]
