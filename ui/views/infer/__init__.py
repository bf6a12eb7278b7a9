"""Learn from a noisy release: what a noisy mean and variance of bounded data say, with and without the bounds."""

from ui.views.infer.learned import FIELDS, InferInputs
from ui.views.infer.view import infer_view

__all__ = ["FIELDS", "InferInputs", "infer_view"]
