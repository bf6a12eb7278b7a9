"""Public information: times against the published or plain way, in the same run.

`python -m benchmarks public_information`
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.timing import best, row
from dpcore.acs_like import acs_like
from dpcore.public_information import (
    CorrelatedAnswers,
    RangedCount,
    Workload,
    distinct_records,
    draw_query_release,
    draw_rate_by_rejection,
    error_lines,
)
from tests.slow_query_release import query_table, slow_query_release


def _data() -> tuple[Workload, np.ndarray, np.ndarray]:
    base = acs_like()
    public = acs_like(time_shift=0.5, place_shift=0.5)
    return Workload.all_marginals(base.sizes, order=2), base.draw(50_000, seed=1), public.draw(5_000, seed=2)


def _rejected(count: RangedCount, wanted: int) -> int:
    """Proposals until so many rates are accepted: the paper's sampler."""
    accepted, seed = 0, 0
    while accepted < wanted:
        accepted += draw_rate_by_rejection(count, 1, proposals=20_000, seed=seed).size
        seed += 1
    return accepted


def _scanned_noise(answers: CorrelatedAnswers, target: float) -> float:
    """Noise for a target loss by bisection on the ratio at every count."""
    low, high = 1e-6, target
    laws = [answers.law(says_yes=yes) for yes in (True, False)]
    distance = np.abs(np.subtract.outer(np.arange(answers.people + 1), np.arange(answers.people + 1)))
    for _ in range(45):
        middle = (low + high) / 2
        yes, no = (np.log(np.exp(-middle * distance) @ law) for law in laws)
        low, high = (middle, high) if np.max(np.abs(yes - no)) < target else (low, middle)
    return low


def run() -> list[dict[str, Any]]:
    """All comparisons, as rows."""
    workload, private, public = _data()
    rows = []

    def lines() -> None:
        for _ in error_lines(workload, private, public, delta=1 / 50_000**2):
            pass

    first = best(lambda: next(error_lines(workload, private, public, delta=1 / 50_000**2)))
    whole = best(lines)
    rows.append(row("error lines of the default: all", whole, "at most 2 s", whole <= 2.0, "time allowed", 2.0))
    rows.append(row("error lines of the default: first", first, "at most 0.5 s", first <= 0.5, "time allowed", 0.5))

    truth = np.clip(workload.answers(private), 0, 1)
    every = workload.every_record()
    table = query_table(every, workload.sizes, workload.sets)
    uniform = np.full(len(every), 1 / len(every))
    fast = best(
        lambda: draw_query_release(
            workload, truth, rows=every, records=50_000, concentrated_epsilon=0.1, rounds=30, replay=False, seed=1
        )
    )
    slow = best(
        lambda: slow_query_release(
            table, truth, uniform, records=50_000, concentrated_epsilon=0.1, rounds=30, seed=1, replay=False
        )
    )
    rows.append(
        row("MWEM, 30 rounds, 4,800 cells", fast, "ratio 1.5", slow > 1.5 * fast, "dense, from the definition", slow)
    )

    support, shares = distinct_records(public)
    assisted = best(
        lambda: draw_query_release(
            workload,
            truth,
            rows=support,
            weights=shares,
            records=50_000,
            concentrated_epsilon=0.1,
            rounds=30,
            replay=False,
            seed=1,
        )
    )
    rows.append(row("PMW^Pub, 30 rounds, public rows", assisted, "ratio 1", assisted < fast, "MWEM, same rounds", fast))

    count = RangedCount(people=200, epsilon=0.5)
    exact = best(lambda: count.rate_posterior(1).variance, repeats=20)
    sampled = best(lambda: _rejected(count, 10_000), repeats=1)
    rows.append(row("rate posterior", exact, "ratio 100", sampled > 100 * exact, "rejection, 10,000 draws", sampled))

    closed = best(lambda: CorrelatedAnswers(people=200, rate_if_no=0.4, rate_if_yes=0.6).noise_epsilon(1.0), repeats=20)
    scanned = best(lambda: _scanned_noise(CorrelatedAnswers(people=200, rate_if_no=0.4, rate_if_yes=0.6), 1.0))
    rows.append(
        row("noise for correlated answers", closed, "ratio 5", scanned > 5 * closed, "ratio at every count", scanned)
    )
    return rows
