"""Choose a budget: from the line of acceptable risk to epsilon, the prior that decides, and what can be reached."""

from ui.views.choose.answer import NOISES, Answered, along, answered, asked_of_budget, noise_of, released
from ui.views.choose.choices import FIELDS, ChooseInputs
from ui.views.choose.in_python import in_python
from ui.views.choose.interview import line_of
from ui.views.choose.pictures import accepted_line, priors_for_curves
from ui.views.choose.questions import Questions
from ui.views.choose.tables import NOISE_WORDS
from ui.views.choose.view import ChooseView, choose_view

__all__ = [
    "FIELDS",
    "NOISES",
    "NOISE_WORDS",
    "Answered",
    "ChooseInputs",
    "ChooseView",
    "Questions",
    "accepted_line",
    "along",
    "answered",
    "asked_of_budget",
    "choose_view",
    "in_python",
    "line_of",
    "noise_of",
    "priors_for_curves",
    "released",
]
