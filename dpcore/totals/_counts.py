"""Refusals that the modules of this package share: whole counts and one budget a cell."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpcore import _checks
from dpcore.totals._partial_sums import FloatArray, IntArray

LARGEST_COUNT = 2.0**40
"""Counts beyond this are refused; sums of 5,000 of them stay exact in floats."""


def whole_counts(name: str, values: ArrayLike, low: float = 0.0) -> IntArray:
    """The values as whole numbers (2.5, NaN, text and values below `low` are refused)."""
    counts = _checks.array(name, values, low)
    if counts.ndim != 1 or counts.size == 0:
        raise ValueError(f"{name} must be a list of at least one count; got shape {counts.shape}")
    if (counts != np.floor(counts)).any():
        raise ValueError(f"{name} must be whole numbers; got {counts[counts != np.floor(counts)][0]:g}")
    if (np.abs(counts) > LARGEST_COUNT).any():
        raise ValueError(f"{name} must be at most 2^40 in size; got {counts[np.abs(counts) > LARGEST_COUNT][0]:g}")
    return counts.astype(np.int64)


def cell_epsilons(epsilon: ArrayLike, cells: int) -> FloatArray:
    """One positive epsilon a cell, from a number or from a list of the right length."""
    values = _checks.array("epsilon", epsilon, 0.0, open_low=True)
    if values.ndim > 1 or (values.ndim == 1 and values.size != cells):
        raise ValueError(f"epsilon must be one number or one for each of the {cells} cells; got shape {values.shape}")
    return np.broadcast_to(values, (cells,)).copy()
