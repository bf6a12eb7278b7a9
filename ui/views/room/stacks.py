"""Marks of a dot plot: each at its own value, those near each other on top of each other."""

from __future__ import annotations

from collections.abc import Sequence

STACKS = 40
"""So many stacks side by side fill a picture."""


def stacked(values: Sequence[float], low: float, high: float, taken: dict[int, int] | None = None) -> list[int]:
    """How high each value lies on those before it in its stack, from 1; `taken` holds what other marks fill.

    Examples
    --------
    >>> stacked([1.0, 1.01, 2.0, 1.02], 1.0, 2.0)
    [1, 2, 1, 3]
    """
    heights = {} if taken is None else taken
    width = (high - low) / STACKS or 1.0
    found = []
    for value in values:
        stack = int((value - low) / width)
        heights[stack] = heights.get(stack, 0) + 1
        found.append(heights[stack])
    return found
