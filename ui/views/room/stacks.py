"""How people are drawn: marks at their values, near ones on top of each other; or counted, in whole steps."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

STACKS = 40
"""So many stacks side by side fill a picture."""
MOST_TICKS = 8


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


def step_of_people(most: int) -> int:
    """How many people lie between two ticks of an axis that counts so many: whole ones, and few ticks.

    Examples
    --------
    >>> step_of_people(2), step_of_people(300)
    (1, 38)
    """
    return max(1, ceil(most / MOST_TICKS))
