"""Learn from a noisy release: what a noisy mean and variance of bounded data say, with and without the bounds."""

from ui.views.infer.noisy_regression import SUMS, regression_draws
from ui.views.infer.page import (
    FIELDS,
    InferInputs,
    InferView,
    infer_view,
    other_budgets,
    other_priors,
    other_ways,
    prediction,
)

__all__ = [
    "FIELDS",
    "SUMS",
    "InferInputs",
    "InferView",
    "infer_view",
    "other_budgets",
    "other_priors",
    "other_ways",
    "prediction",
    "regression_draws",
]
