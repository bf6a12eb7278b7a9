"""What it costs: the error a budget brings to counts and to rates, and the budget an accuracy needs."""

from ui.views.accuracy.law import bars_of_error, law_of_error_numbers, whole_range
from ui.views.accuracy.view import (
    AT_THE_START,
    FIELDS,
    NAMES,
    NOISES,
    AccuracyInputs,
    AccuracyView,
    accuracy_view,
)

__all__ = [
    "AT_THE_START",
    "FIELDS",
    "NAMES",
    "NOISES",
    "AccuracyInputs",
    "AccuracyView",
    "accuracy_view",
    "bars_of_error",
    "law_of_error_numbers",
    "whole_range",
]
