"""Refusals that the modules of this package share: whole counts and one budget a cell."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpcore import _checks
from dpcore.errors import Code, Refused
from dpcore.totals._partial_sums import FloatArray, IntArray

LARGEST_COUNT = 2.0**40
"""Counts beyond this are refused; sums of 5,000 of them stay exact in floats."""


def whole_counts(name: str, values: ArrayLike, low: float = 0.0) -> IntArray:
    """The values as whole numbers (2.5, NaN, text and values below `low` are refused)."""
    counts = _checks.array(name, values, low)
    if counts.ndim != 1 or counts.size == 0:
        raise Refused(name, "be a list of at least one count", counts.shape, Code.EMPTY, got=f"shape {counts.shape}")
    _checks.refuse_fractions(name, counts, as_list=True)
    large = counts[np.abs(counts) > LARGEST_COUNT]
    if large.size:
        raise Refused(name, "be at most 2^40 in size", float(large[0]), Code.TOO_LARGE, got=f"{large[0]:g}")
    return counts.astype(np.int64)


def cell_epsilons(epsilon: ArrayLike, cells: int) -> FloatArray:
    """One positive epsilon a cell, from a number or from a list of the right length."""
    values = _checks.array("epsilon", epsilon, 0.0, open_low=True)
    if values.ndim > 1 or (values.ndim == 1 and values.size != cells):
        raise Refused(
            "epsilon",
            f"be one number or one for each of the {cells} cells",
            values.shape,
            Code.WRONG_SHAPE,
            got=f"shape {values.shape}",
        )
    return np.broadcast_to(values, (cells,)).copy()
