"""Public information: times against the published or plain way, in the same run.

`python -m benchmarks.bench_public_information`
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

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


def _seconds(call: Callable[[], object], repeats: int = 3) -> float:
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best


def _row(name: str, seconds: float, baseline: str, baseline_seconds: float, target: str, met: bool) -> dict[str, Any]:
    return {
        "name": name,
        "seconds": seconds,
        "baseline": baseline,
        "baseline_seconds": baseline_seconds,
        "ratio": baseline_seconds / seconds,
        "target": target,
        "met": met,
    }


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

    first = _seconds(lambda: next(error_lines(workload, private, public, delta=1 / 50_000**2)))
    whole = _seconds(lines)
    rows.append(_row("error lines of the default: all", whole, "time allowed", 2.0, "at most 2 s", whole <= 2.0))
    rows.append(_row("error lines of the default: first", first, "time allowed", 0.5, "at most 0.5 s", first <= 0.5))

    truth = np.clip(workload.answers(private), 0, 1)
    every = workload.every_record()
    table = query_table(every, workload.sizes, workload.sets)
    uniform = np.full(len(every), 1 / len(every))
    fast = _seconds(
        lambda: draw_query_release(
            workload, truth, rows=every, records=50_000, concentrated_epsilon=0.1, rounds=30, replay=False, seed=1
        )
    )
    slow = _seconds(
        lambda: slow_query_release(
            table, truth, uniform, records=50_000, concentrated_epsilon=0.1, rounds=30, seed=1, replay=False
        )
    )
    rows.append(
        _row("MWEM, 30 rounds, 4,800 cells", fast, "dense, from the definition", slow, "ratio 1.5", slow > 1.5 * fast)
    )

    support, shares = distinct_records(public)
    assisted = _seconds(
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
    rows.append(
        _row("PMW^Pub, 30 rounds, public rows", assisted, "MWEM, same rounds", fast, "ratio 1", assisted < fast)
    )

    count = RangedCount(people=200, epsilon=0.5)
    exact = _seconds(lambda: count.rate_posterior(1).variance, repeats=20)
    sampled = _seconds(lambda: _rejected(count, 10_000), repeats=1)
    rows.append(_row("rate posterior", exact, "rejection, 10,000 draws", sampled, "ratio 100", sampled > 100 * exact))

    closed = _seconds(
        lambda: CorrelatedAnswers(people=200, rate_if_no=0.4, rate_if_yes=0.6).noise_epsilon(1.0), repeats=20
    )
    scanned = _seconds(lambda: _scanned_noise(CorrelatedAnswers(people=200, rate_if_no=0.4, rate_if_yes=0.6), 1.0))
    rows.append(
        _row("noise for correlated answers", closed, "ratio at every count", scanned, "ratio 5", scanned > 5 * closed)
    )
    return rows


if __name__ == "__main__":
    for row in run():
        print(
            f"{row['name']:38s} {row['seconds']:.2e} s  {row['baseline']:28s} {row['baseline_seconds']:.2e} s  "
            f"x{row['ratio']:.1f}  {row['target']}: {'met' if row['met'] else 'not met'}"
        )
