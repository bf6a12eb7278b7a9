"""Inference from a noisy mean and variance: quadrature against the Gibbs sampler, in the same run.

`python -m benchmarks inference`

The yardstick is the thesis's sampler with the conjugate update corrected, in NumPy, 20,000 draws for one posterior: the
time until that one posterior is there. Many posteriors at once amortise NumPy's overhead: the row on 200 chains side by
side tells that time per posterior as well.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.timing import median, row
from dpcore.inference import (
    ConjugatePrior,
    FlatPrior,
    NoisyMoments,
    draw_flat_unconstrained,
    gibbs,
    likelihood_constrained_posterior,
    posterior,
)
from dpcore.inference.coverage import simulate_setting

EXAMPLE = NoisyMoments(
    n=43, mean=34.3026826007, variance=2224.80011362, epsilon_mean=0.25, epsilon_variance=0.25, lower=0, upper=100
)
CONJUGATE = ConjugatePrior(12.5, 1, 14.44, 1)
DRAWS = 20_000
TIMED = 1_000
"""Iterations of the sampler that are run; its time is scaled up to `DRAWS`."""


def _answer(constrained: bool, prior: FlatPrior | ConjugatePrior = CONJUGATE) -> tuple[float, float]:
    return posterior(EXAMPLE, prior, constrained=constrained).mean.shortest_interval(0.95)


def _chain(constrained: bool, chains: int) -> float:
    seconds = median(
        lambda: gibbs(EXAMPLE, CONJUGATE, constrained=constrained, draws=TIMED, chains=chains, warm_up=0, seed=1), 1
    )
    return seconds * DRAWS / TIMED / chains


def run() -> list[dict[str, Any]]:
    """Rows of the benchmark table."""
    rows = []
    for constrained, limit in ((True, 0.060), (False, 0.060)):
        seconds = median(lambda c=constrained: _answer(c))  # type: ignore[misc]
        slow = _chain(constrained, 1)
        kind = "constrained" if constrained else "unconstrained"
        rows.append(
            row(
                f"one {kind} posterior with its interval",
                seconds,
                f"at most {1000 * limit:.0f} ms and 50 times faster",
                seconds <= limit and slow / seconds >= 50,
                "Gibbs chain of 20,000 draws in NumPy",
                slow,
            )
        )
    seconds, slow = median(lambda: _answer(True)), _chain(True, 200)
    rows.append(
        row(
            "the same, against one of 200 chains side by side",
            seconds,
            "told, not promised",
            slow > seconds,
            "Gibbs, 20,000 draws, per posterior of a batch of 200",
            slow,
        )
    )
    seconds = median(lambda: draw_flat_unconstrained(EXAMPLE, DRAWS, seed=1))
    slow = _chain(False, 1)
    rows.append(
        row(
            "20,000 exact draws, flat prior, unconstrained",
            seconds,
            "50 times faster",
            slow / seconds >= 50,
            "Gibbs chain of 20,000 draws in NumPy",
            slow,
        )
    )
    large = NoisyMoments(n=1000, mean=0.1, variance=0.0016, epsilon_mean=0.1, epsilon_variance=0.1)
    small = NoisyMoments(n=50, mean=0.1, variance=0.0016, epsilon_mean=0.1, epsilon_variance=0.1)
    seconds = median(lambda: likelihood_constrained_posterior(large, FlatPrior()), 3)
    slow = median(lambda: likelihood_constrained_posterior(small, FlatPrior()), 3)
    rows.append(
        row(
            "every value confined to the bounds, n = 1,000",
            seconds,
            "at most 500 ms",
            seconds <= 0.5,
            "the same at n = 50",
            slow,
        )
    )
    seconds = 84 * median(
        lambda: simulate_setting(
            np.random.default_rng(1), n=100, epsilon_mean=0.1, epsilon_variance=0.1, mean=0.1, sd=0.04, points=5
        ),
        1,
    )
    rows.append(
        row(
            "whole simulation study, 168 settings, from one setting, one process",
            seconds,
            "at most 20 minutes on 2 cores",
            seconds <= 2 * 20 * 60,
            "one chain of 20,000 per data set, 20,000 data sets, per posterior of a batch",
            168 * 20_000 * rows[2]["baseline_seconds"],
        )
    )
    return rows
