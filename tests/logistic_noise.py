"""The one file of a noise that nobody knew."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_expit

from dpcore.mechanisms import ContinuousNoise


@dataclass(frozen=True, kw_only=True)
class Logistic(ContinuousNoise):
    """Logistic noise of scale sensitivity/epsilon: its loss lies within epsilon, and reaches it nowhere."""

    name = "logistic"
    label = "logistic noise"
    short = "logistic"

    epsilon: float
    sensitivity: float = 1.0

    def log_tail(self, value: ArrayLike) -> Any:
        """log P[noise >= value]."""
        found = log_expit(-np.asarray(value, dtype=float) * self.epsilon / self.sensitivity)
        return float(found) if np.ndim(value) == 0 else found

    def log_pdf(self, value: ArrayLike) -> Any:
        """Log density."""
        z = np.asarray(value, dtype=float) * self.epsilon / self.sensitivity
        found = log_expit(z) + log_expit(-z) + math.log(self.epsilon / self.sensitivity)
        return float(found) if np.ndim(value) == 0 else found
