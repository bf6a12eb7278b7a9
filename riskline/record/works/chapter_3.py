"""Printed budgets of the thesis' chapter 3: profiles and the epsilon they imply."""

from __future__ import annotations

import math

from dpcore.mechanisms import Geometric
from dpcore.profiles import (
    Box,
    CapOrRatio,
    Constant,
    ExpressionProfile,
    LargestIncrease,
    epsilon_for_absent_person,
    epsilon_on_grid,
    lee_clifton,
)
from riskline.record.tables import thesis_row


def _member(cap: float, ratio: float) -> float:
    return CapOrRatio(cap, ratio, value_prior=1.0).implied_epsilon().epsilon


def _sampled(cap: float, ratio: float = 3.0, share: float = 0.05) -> float:
    return CapOrRatio(cap, ratio, membership_prior=share).implied_epsilon().epsilon


def _baseline(ratio: float) -> float:
    return Constant(ratio, value_prior="any").implied_epsilon().epsilon


def _both() -> ExpressionProfile:
    return ExpressionProfile("max(0.25/(p*q), 3)")


_SCHOOL_YEARS, _ABSENCE_DAYS = (1, 2, 3, 4), (1, 2, 3, 10)

ROWS = [
    *(
        thesis_row(f"Table 3.1, agency {agency}", "epsilon", printed, 2, lambda ratio=ratio: _member(0.25, ratio))
        for agency, ratio, printed in (("A", 1.5, 0.51), ("B", 3.0, 1.30), ("C", 6.0, 2.04))
    ),
    *(
        thesis_row(
            f"Section 3.4, agency {agency}",
            "epsilon of the constant profile at the same ratio",
            printed,
            2,
            lambda ratio=ratio: _baseline(ratio),
        )
        for agency, ratio, printed in (("A", 1.5, 0.20), ("B", 3.0, 0.55), ("C", 6.0, 0.90))
    ),
    *(
        thesis_row(
            f"Table 3.5, agency {agency}",
            "epsilon for a 5 per cent sample",
            printed,
            2,
            lambda cap=cap: _sampled(cap),
            reading="the prior sits exactly where cap and ratio meet; in floats 0.15 / 3 < 0.05"
            if agency == "B"
            else "",
        )
        for agency, cap, printed in (("A", 0.025, 1.09), ("B", 0.15, 1.21), ("C", 0.3, 2.10))
    ),
    thesis_row("Section 3.9", "epsilon for a 0.5 per cent sample", 1.63, 2, lambda: _sampled(0.025, share=0.005)),
    thesis_row("Section 3.9", "epsilon for a 0.05 per cent sample", 3.94, 2, lambda: _sampled(0.025, share=0.0005)),
    thesis_row(
        "Section 3.10.3", "epsilon of the profile over both beliefs", 0.65, 2, lambda: _both().implied_epsilon().epsilon
    ),
    thesis_row(
        "Section 3.10.3",
        "value prior that decides",
        0.083,
        3,
        lambda: CapOrRatio(0.25, 3, value_prior="any").implied_epsilon().binding.value_prior,  # type: ignore[union-attr]
    ),
    thesis_row("Example 3", "epsilon", 2.20, 2, lambda: _member(0.5, 5.0), reading="log 9 at cap 0.5 and ratio 5"),
    thesis_row(
        "Example 3",
        "probability that the published rate is on the wrong side of its target, in per cent",
        10.0,
        0,
        lambda: 100 * float(Geometric(epsilon=_member(0.5, 5.0)).cdf(-1)),
        reading="printed as below 10 per cent; it is 10 per cent exactly, since e^-epsilon = 1/9",
        verdict="reading",
    ),
    thesis_row(
        "Section 3.11.1",
        "epsilon for four people and cap 1/3, any statistic",
        0.41,
        2,
        lambda: epsilon_for_absent_person(population_size=4, posterior_cap=1 / 3),
    ),
    thesis_row(
        "Section 3.11.1",
        "Lee and Clifton's epsilon for the mean school year of four people",
        0.34,
        2,
        lambda: lee_clifton(population=_SCHOOL_YEARS, statistic="mean", posterior_cap=1 / 3).epsilon,
    ),
    thesis_row(
        "Section 3.11.1",
        "Lee and Clifton's epsilon for the median of absence days of four people",
        1.62,
        2,
        lambda: lee_clifton(population=_ABSENCE_DAYS, statistic="median", posterior_cap=1 / 3).epsilon,
    ),
    thesis_row(
        "Example 8",
        "epsilon total for a rise of at most 20 points",
        0.81,
        2,
        lambda: LargestIncrease(0.2, value_prior=1.0).implied_epsilon().epsilon,
        reading="about membership only; over both beliefs (3.31) gives half of it",
    ),
]


def erratum_box() -> tuple[float, float]:
    """(3.28) for ratio 3 on 0.4 <= p <= 0.9, q = 1: the argument of the printed logarithm, and the right epsilon."""
    printed_argument = (1 - 0.4) / (1 / 3 - 0.4)
    return printed_argument, Box(3, (0.4, 0.9), (1.0, 1.0)).implied_epsilon().epsilon


def erratum_grid() -> tuple[float, float]:
    """The 0.001 grid of the authors' functions on max(0.25/(pq), 3), and the certified upper end."""
    return epsilon_on_grid(_both(), steps=1000), math.log(2.75 / 0.75) / 2
