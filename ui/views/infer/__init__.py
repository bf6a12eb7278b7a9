"""Learn from a noisy release: what a noisy mean and variance of bounded data say, with and without the bounds."""

from ui.views.infer.choices import FIELDS, LARGEST, MOST_VALUES, InferInputs
from ui.views.infer.noisy_regression import SUMS, regression_draws
from ui.views.infer.otherwise import other_budgets, other_priors, other_ways, prediction
from ui.views.infer.own_values import drawn_release
from ui.views.infer.view import InferView, infer_view

__all__ = [
    "FIELDS",
    "LARGEST",
    "MOST_VALUES",
    "SUMS",
    "InferInputs",
    "InferView",
    "drawn_release",
    "infer_view",
    "other_budgets",
    "other_priors",
    "other_ways",
    "prediction",
    "regression_draws",
]
