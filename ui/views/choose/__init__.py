"""Choose a budget: from the line of acceptable risk to epsilon, the prior that decides, and what can be reached."""

from ui.views.choose.answer import FIELDS, ChooseInputs
from ui.views.choose.view import ChooseView, choose_relatives, choose_view

__all__ = ["FIELDS", "ChooseInputs", "ChooseView", "choose_relatives", "choose_view"]
