"""Which groups of a room may be told apart: none in which fewer than three answered, not even by what is left over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ui.rooms.meeting import FEWEST


def groups_shown(groups: Sequence[str]) -> frozenset[str]:
    """The groups whose answers are marked as theirs, from the group of each answer (empty where none was chosen).

    A group has three answers or more. What is not told must not tell a group either: it is nothing, or three answers or
    more, of at least two groups or of people without one; the smallest told group goes untold until that holds.

    Examples
    --------
    >>> sorted(groups_shown(["agency"] * 4 + ["advocates"] * 3))
    ['advocates', 'agency']
    >>> sorted(groups_shown(["agency"] * 4 + ["advocates"] * 3 + ["users"] * 2))  # two lines left over would be theirs
    ['agency']
    """
    counted = Counter(groups)
    told = {group for group, answers in counted.items() if group and answers >= FEWEST}
    alone = [{group} for group in counted if group]  # of one group: its answers would be known as its own
    while told:
        untold = [group for group in groups if group not in told]
        if not untold or (len(untold) >= FEWEST and set(untold) not in alone):
            break
        told.remove(min(told, key=lambda group: (counted[group], group)))
    return frozenset(told)
