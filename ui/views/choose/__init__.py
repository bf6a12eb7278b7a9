"""Choose a budget: from the line of acceptable risk to epsilon, the prior that decides, and what can be reached."""

from riskline.case.interview import line_of
from ui.views.choose.answer import NOISES, Answered, along, answered, noise_of, released
from ui.views.choose.at_budget import AtBudget, at_budget, exception_words, spend_words
from ui.views.choose.choices import FIELDS, ChooseInputs
from ui.views.choose.in_python import in_python
from ui.views.choose.one_ratio import OneRatio, one_ratio
from ui.views.choose.pictures import accepted_line, line_with_reach, priors_for_curves
from ui.views.choose.questions import Questions
from ui.views.choose.tables import NOISE_WORDS
from ui.views.choose.view import ChooseView, answer_words, choose_view, decided

__all__ = [
    "FIELDS",
    "NOISES",
    "NOISE_WORDS",
    "Answered",
    "AtBudget",
    "ChooseInputs",
    "ChooseView",
    "OneRatio",
    "Questions",
    "accepted_line",
    "along",
    "answer_words",
    "answered",
    "at_budget",
    "choose_view",
    "decided",
    "exception_words",
    "in_python",
    "line_of",
    "line_with_reach",
    "noise_of",
    "one_ratio",
    "priors_for_curves",
    "released",
    "spend_words",
]
