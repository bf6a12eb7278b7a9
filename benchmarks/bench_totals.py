"""Exact totals and additive releases: times against the published way, in the same run.

`python -m benchmarks totals`
"""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np

from benchmarks.timing import best, row
from dpcore.totals import (
    RULES,
    Totals,
    concentrated_gamma,
    condition_on_totals,
    draw_by_independent_proposals,
    draw_by_lattice_gibbs,
    posterior_from_noisy,
    posterior_from_released_pair,
    price_of_totals,
    simulate_releases,
    summed_noise_log_pmf,
)

TABLE_1 = [
    *(8, 6, 3, 6, 4, 4, 4, 8, 5, 7, 7, 6, 1, 5, 4, 4, 9, 6, 2, 8, 8, 8, 7),
    *(3, 4, 5, 8, 6, 4, 5, 5, 5, 6, 10, 7, 3, 2, 5, 11, 6, 4, 7, 4, 5, 3, 8),
]
SEX = [0] * 23 + [1] * 23
VOTING = ([0] * 4 + [1] * 19) * 2
FREE = [*range(1, 22), *range(23, 45)]
COUNTS = [435, 53, 36, 27, 18, 9, 5, 2, 1, 0]
CANDIDATES_TIMED = 4
"""True pairs for which the published procedure is run; its time is scaled up to the 61 x 61 pairs of the paper."""


def finucan_in_floats(units: int, shares: list[float]) -> list[int]:
    """The mode finder as the paper prints it, one unit at a time in floats."""
    parts = len(shares)
    scaled = [(units + parts / 2) * share for share in shares]
    found = [math.floor(value) for value in scaled]
    rest = [value - whole for value, whole in zip(scaled, found, strict=True)]
    total = sum(found)
    while total < units:
        gains = [(1 - f) / (k + 1) for f, k in zip(rest, found, strict=True)]
        best = gains.index(min(gains))
        found[best] += 1
        rest[best] -= 1
        total += 1
    while total > units:
        losses = [f / k if k else math.inf for f, k in zip(rest, found, strict=True)]
        best = losses.index(min(losses))
        found[best] -= 1
        rest[best] += 1
        total -= 1
    return found


def published_pair_likelihood(released: tuple[int, int], true: tuple[int, int], width: int = 30) -> float:
    """Steps 1 to 6 of section 4: every noisy pair around the true pair goes through the mode finder."""
    total = sum(released)
    decay = math.exp(-1)
    constant = (1 - decay) / (1 + decay)
    mass = 0.0
    for first in range(true[0] - width, true[0] + width + 1):
        for second in range(true[1] - width, true[1] + width + 1):
            weight = constant**3 * decay ** (abs(first - true[0]) + abs(second - true[1]) + abs(total - sum(true)))
            modes = (max(0, first), max(0, second))
            if sum(modes) and finucan_in_floats(total, [mode / sum(modes) for mode in modes]) == list(released):
                mass += weight
    return mass


def _pair_posterior() -> dict[str, Any]:
    def exact() -> object:
        return posterior_from_released_pair([250, 357], epsilon_total=1, epsilon_parts=1, window=30)

    seconds = best(exact)
    start = time.process_time()
    for shift in range(CANDIDATES_TIMED):
        published_pair_likelihood((250, 357), (250 + shift, 357 - shift))
    slow = (time.process_time() - start) / CANDIDATES_TIMED * 61**2
    return row(
        "posterior of two parts given the release (Table 3)",
        seconds,
        "at least 10,000 times faster",
        slow / seconds >= 10_000,
        "published procedure in plain Python, scaled up from 4 of 3,721 pairs",
        slow,
    )


def _conditioned_table() -> list[dict[str, Any]]:
    true = np.array(TABLE_1)
    rows = np.array([np.ones(46), 1.0 - np.array(SEX), np.array(VOTING, dtype=float)])
    held = Totals(rows, rows @ true)
    size = 5000
    setup = best(lambda: condition_on_totals(TABLE_1, epsilon=0.5, parts=VOTING, crossing=SEX))
    table = condition_on_totals(TABLE_1, epsilon=0.5, parts=VOTING, crossing=SEX)
    seconds = (setup + best(lambda: table.draw(size, seed=1), 2)) / size
    start = time.process_time()
    chain = draw_by_independent_proposals(
        TABLE_1, epsilon=0.5, totals=held, free=FREE, proposal_epsilon=0.6, steps=200_000, seed=1
    )
    spent = time.process_time() - start
    mis = spent / np.median([chain.effective(cell) for cell in (0, 1, 10, 25, 40)])
    start = time.process_time()
    gibbs = draw_by_lattice_gibbs(TABLE_1, epsilon=0.5, totals=held, sweeps=20, chains=400, seed=1)
    spent = time.process_time() - start
    lattice = spent / np.median([gibbs.effective(cell) for cell in (0, 1, 10, 25, 40)])
    sampler = "the paper's independent sampler, proposals drawn in bulk, per effective draw"
    return [
        row(
            "one independent conditioned table of 46 cells, setup included",
            seconds,
            "at least 100 times faster",
            mis / seconds >= 100,
            sampler,
            float(mis),
        ),
        row(
            "one effective table from the lattice Gibbs sampler",
            float(lattice),
            "faster than the paper's sampler",
            bool(lattice < mis),
            sampler,
            float(mis),
        ),
    ]


def _grand_total_page() -> None:
    table = condition_on_totals([8, 6, 4, 3, 5, 8], epsilon=0.5)
    for law in table.laws():
        law.interval(0.9)
    price_of_totals([[8, 6, 4], [3, 5, 8]], "grand total", epsilon=0.5)


def _summed_noise() -> dict[str, Any]:
    def by_draws() -> object:
        generator = np.random.default_rng(1)
        success = -math.expm1(-1.0)
        noise = generator.geometric(success, (10_000, 50)) - generator.geometric(success, (10_000, 50))
        return np.unique(noise.sum(axis=1), return_counts=True)

    seconds, slow = best(lambda: summed_noise_log_pmf(np.arange(-60, 61), epsilons=[1.0] * 50)), best(by_draws, 3)
    return row(
        "law of the sum of 50 noises",
        seconds,
        "faster than the published draws",
        slow > seconds,
        "10,000 draws (noisy, without tails)",
        slow,
    )


def run() -> list[dict[str, Any]]:
    """Rows of this benchmark; a time without a baseline stands against a limit of the page."""
    page = best(_grand_total_page)
    gamma = best(lambda: concentrated_gamma(cells=46, total=256, epsilon=0.5))
    draws = best(
        lambda: [
            simulate_releases(COUNTS, epsilon_total=1, epsilon_parts=1, rule=rule, size=2000, seed=1)
            for rule in (RULES[0], RULES[2])
        ]
    )
    noisy = best(lambda: posterior_from_noisy(586, COUNTS, epsilon_total=1, epsilon_parts=1))
    return [
        _pair_posterior(),
        *_conditioned_table(),
        row("numbers of the grand-total page (6 cells)", page, "at most 0.05 s", page <= 0.05),
        row("gamma of 46 cells and 256 people", gamma, "at most 0.02 s", gamma <= 0.02),
        row("2,000 draws x 2 rules x 10 cells", draws, "at most 0.3 s", draws <= 0.3),
        row("posterior of 10 parts given noisy counts", noisy, "at most 0.05 s", noisy <= 0.05),
        _summed_noise(),
    ]
