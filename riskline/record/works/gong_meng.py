"""Gong and Meng (2020): the printed numbers of noise conditioned on mandated totals."""

from __future__ import annotations

import math
from functools import cache, partial

import numpy as np

from dpcore.totals import (
    Totals,
    condition_on_totals,
    conditional_density,
    rounded_sum_loss,
    two_bin_loss,
    two_bin_price,
    two_bin_variance,
)
from riskline.record.tables import PublishedValue

row = partial(PublishedValue, "gong_meng")

TABLE_1 = [
    *(8, 6, 3, 6, 4, 4, 4, 8, 5, 7, 7, 6, 1, 5, 4, 4, 9, 6, 2, 8, 8, 8, 7),
    *(3, 4, 5, 8, 6, 4, 5, 5, 5, 6, 10, 7, 3, 2, 5, 11, 6, 4, 7, 4, 5, 3, 8),
]
"""The confidential table: 23 ages of women, then of men; the first four ages are below voting age."""

SEX = [0] * 23 + [1] * 23
VOTING = ([0] * 4 + [1] * 19) * 2
FREE = [*range(1, 22), *range(23, 45)]
"""Proposed cells, counted from 0 (printed: 2..22 and 24..45)."""


def held_totals() -> Totals:
    """Total population, women, voting age."""
    rows = np.array([np.ones(46), 1.0 - np.array(SEX), np.array(VOTING, dtype=float)])
    return Totals(rows, rows @ np.array(TABLE_1, dtype=float))


@cache
@cache
def stationary_acceptance(proposal: float, budget: float = 0.5) -> float:
    """Acceptance rate of Algorithm 1 in its stationary law, without running the chain.

    States are independent exact draws of the conditioned law; proposals are drawn from the proposal law; the mean of
    min(1, w(proposal)/w(state)) over all pairs follows from sorted weights.
    """
    true = np.array(TABLE_1)
    table = condition_on_totals(true, epsilon=budget, parts=VOTING, crossing=SEX)
    generator = np.random.default_rng(7)
    success = -math.expm1(-proposal)
    noise = np.zeros((60_000, 46), dtype=np.int64)
    shape = (len(noise), len(FREE))
    noise[:, FREE] = generator.geometric(success, shape) - generator.geometric(success, shape)
    matrix = held_totals().matrix
    rest = np.setdiff1d(np.arange(46), FREE)
    solved = -(noise[:, FREE] @ matrix[:, FREE].T) @ np.linalg.inv(matrix[:, rest]).T
    noise[:, rest] = np.round(solved).astype(np.int64)
    allowed = ((true + noise) >= 0).all(axis=1)

    def log_weight(values: np.ndarray) -> np.ndarray:
        return proposal * np.abs(values[:, FREE]).sum(axis=1) - budget * np.abs(values).sum(axis=1)

    states = np.sort(log_weight(table.draw(10_000, seed=8) - true))
    proposed = log_weight(noise[allowed])
    peak = states.max()
    below = np.searchsorted(states, proposed, side="right")
    shrinking = np.append(np.cumsum(np.exp(peak - states)[::-1])[::-1], 0.0)
    accepted = below + np.exp(proposed - peak) * shrinking[below]
    return float(accepted.sum() / len(states) / len(noise))


ROWS = [
    row(
        "Section 3",
        "acceptance rate of the independent sampler at proposal budget 0.6, in per cent",
        1.68,
        2,
        lambda: 100 * stationary_acceptance(0.6),
        tolerance=0.2,
        verdict="reading",
        reading="the printed rate is of one chain, which stays long at one table; the stationary rate is 1.5",
    ),
    row(
        "Equation (4.6)",
        "density of the error at 0 after conditioning two bins, budget 1",
        0.5,
        6,
        lambda: float(conditional_density(0.0, epsilon=1.0)),
    ),
    row(
        "Table 2, conditioning",
        "variance of the first bin, budget 1",
        2,
        6,
        lambda: float(two_bin_variance(1.0, method="conditional")),
    ),
    row(
        "Table 2, least squares",
        "variance of the first bin, budget 1",
        4,
        6,
        lambda: float(two_bin_variance(1.0, method="l2")),
    ),
    row(
        "Table 2, least absolute change",
        "smallest variance of the first bin, budget 1 (equal weights)",
        4,
        6,
        lambda: float(two_bin_variance(1.0, method="l1", share=0.5)),
    ),
    row(
        "Table 2, least absolute change",
        "largest variance of the first bin, budget 1 (all weight on one bin)",
        8,
        6,
        lambda: float(two_bin_variance(1.0, method="l1", share=1.0)),
    ),
    row(
        "Appendix A",
        "loss attained by least absolute change with all weight on one bin, budget 1",
        0.5,
        6,
        lambda: float(two_bin_loss(1.0, method="l1", share=1.0)),
    ),
    row(
        "Example 5.2",
        "gamma when the range of the sum leaves one number of groups",
        -1,
        6,
        lambda: rounded_sum_loss(lowest=41, highest=50, group=10).gamma,
    ),
    row(
        "Section 5.1",
        "gamma of conditioning two bins on their total",
        -0.5,
        1,
        lambda: two_bin_price("add_or_remove").gamma,
        verdict="erratum",
        computed=0.0,
        reading="-0.5 takes the budget of bounded neighbours and the distance of unbounded ones; in either consistent "
        "accounting gamma is 0",
    ),
]
