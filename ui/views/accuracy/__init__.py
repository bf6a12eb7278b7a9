"""What it costs: the error a budget brings to counts and to rates, and the budget an accuracy needs."""

from ui.views.accuracy.choices import FIELDS, INVENTED, AccuracyInputs
from ui.views.accuracy.view import accuracy_view

__all__ = ["FIELDS", "INVENTED", "AccuracyInputs", "accuracy_view"]
