"""The introduction of ptable 1.0.0: the perturbation table of cell keys that it prints for D = 2 and V = 1."""

from __future__ import annotations

import math
from functools import cache, partial

from scipy.optimize import brentq

from dpcore.methods import CellKey
from riskline.record.tables import PublishedValue

KEYS = CellKey(largest_noise=2, variance=1)
PRINTED_ROW_OF_1 = (0.3665, 0.3665, 0.1676, 0.0995)
"""Of a count of 1, published as 0, 1, 2 and 3."""


@cache
def row_of_1_that_never_falls() -> tuple[float, ...]:
    """The row of largest entropy with mean 0 in which 0 is no likelier than 1, its variance at most 1.

    With both alike, the mean and the sum leave one number open, c for 3: b = (1 - 5c)/3 for 2 and (1 + c)/3 each for 0
    and 1. The entropy is largest where a^2 c^3 = b^5, at a variance of 0.932.
    """

    def slope(c: float) -> float:
        return 2 * math.log((1 + c) / 3) + 3 * math.log(c) - 5 * math.log((1 - 5 * c) / 3)

    c = float(brentq(slope, 0.01, 0.19, xtol=1e-15))
    return (1 + c) / 3, (1 + c) / 3, (1 - 5 * c) / 3, c


def _chance(count: int, published: int) -> float:
    return float(dict(zip(KEYS.law(count).values, KEYS.law(count).probability, strict=True))[published])


row = partial(PublishedValue, "ptable", "introduction, D = 2, V = 1")
ROWS = [
    row("probability that a count of 2 is published as 0", 0.0638, 4, partial(_chance, 2, 0)),
    row("probability that a count of 2 is published as 2", 0.383, 3, partial(_chance, 2, 2)),
    *(
        row(
            f"probability that a count of 1 is published as {published}",
            printed,
            4,
            lambda published=published: row_of_1_that_never_falls()[published],  # type: ignore[misc]
            verdict="reading",
            reading="ptable lets no probability on the left exceed the one nearer the count (mono) and takes the "
            "variance as an upper limit: it is 0.932. Without that rule and with variance 1 it is "
            f"{_chance(1, published):.4f}.",
        )
        for published, printed in enumerate(PRINTED_ROW_OF_1)
    ),
]
