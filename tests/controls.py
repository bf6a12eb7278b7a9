"""Methods of disclosure control of every kind, for tests that hold of all of them."""

from __future__ import annotations

from dpcore.methods import (
    CellKey,
    DisclosureControl,
    GraduatedRounding,
    NearestRounding,
    PerturbationTable,
    RandomRounding,
    SmallCountSuppression,
)

TABLE = "i;j;p;v;p_int_ub\n0;0;1;0;1\n1;0;0.5;-1;0.5\n1;1;0.1;0;0.6\n1;2;0.3;1;0.9\n1;3;0.1;2;1\n" + "".join(
    f"2;{j};{p};{j - 2};1\n" for j, p in ((1, 0.25), (2, 0.5), (3, 0.25))
)
"""A table of cell keys as offices have them in a file."""
NEAREST = NearestRounding(base=5)
KEYS = CellKey(largest_noise=2, variance=1)
THREE = RandomRounding(base=3)
BIASED = RandomRounding(base=5, probability_down=(0.9, 0.5, 0.5, 0.3))
HIDING = SmallCountSuppression(threshold=5)
NUMBERS: list[DisclosureControl] = [
    NEAREST,
    THREE,
    BIASED,
    GraduatedRounding(classes=((0, 3), (6, 2), (10, 5), (50, 10))),
    KEYS,
    CellKey(largest_noise=3, variance=2, never_published=1),
]
"""Those that publish a number for every count."""
METHODS: list[DisclosureControl] = [
    *NUMBERS,
    PerturbationTable.from_text(TABLE),
    GraduatedRounding(classes=((0, 5), (10, 2)), random=False),
    HIDING,
    SmallCountSuppression(threshold=4, zero="hidden"),
]
