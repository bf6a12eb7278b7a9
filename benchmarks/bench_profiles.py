"""How long profiles take, beside the grid search they replace. Run: python -m benchmarks.bench_profiles."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from dpcore.profiles import DrawnLine, ExpressionProfile, largest_epsilon

DIP = "3 - 1.9*exp(-((p-0.4137)^2+(q-0.6243)^2)/(2*0.0001^2))"


def _seconds(call: Callable[[], Any], repeats: int) -> float:
    """Best of some repeats."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best


def _nodes() -> list[tuple[float, float]]:
    prior = np.linspace(0.01, 0.98, 64)
    cap = prior + (1 - prior) * (0.25 + 0.15 * np.sin(9 * prior))
    return list(zip(prior.tolist(), cap.tolist(), strict=True))


def _grid(ratio: Callable[[Any, Any], Any]) -> float:
    """The published way, with the stable root: the smallest epsilon on a 1000 x 1000 grid."""
    p, q = np.meshgrid(np.arange(1, 1001) / 1000, np.arange(1, 1001) / 1000, indexing="ij")
    return float(np.min(largest_epsilon(membership_prior=p, value_prior=q, ratio_bound=ratio(p, q))))


def run() -> list[dict[str, Any]]:
    """Rows of measurements, each with its slow or published baseline from the same run."""
    nodes = _nodes()
    prior, cap = np.array(nodes).T

    def line() -> float:
        return DrawnLine(nodes, along="membership").implied_epsilon().epsilon

    def line_on_grid() -> float:
        return _grid(lambda p, q: np.interp(p * q, prior, cap, left=1.0, right=1.0) / (p * q))

    exact, grid = line(), 2 * line_on_grid()  # a profile of p q alone implies half of the line's epsilon
    drawn, baseline = _seconds(line, 200), _seconds(line_on_grid, 3)
    generator = np.random.default_rng(1)
    p, q = generator.random(1000), generator.random(1000)
    many = _seconds(lambda: largest_epsilon(membership_prior=p, value_prior=q, ratio_bound=3.0), 300)
    one_by_one = _seconds(
        lambda: [
            largest_epsilon(membership_prior=a, value_prior=b, ratio_bound=3.0) for a, b in zip(p, q, strict=True)
        ],
        2,
    )
    dip = _seconds(lambda: ExpressionProfile(DIP).implied_epsilon(), 3)
    dip_grid = _seconds(
        lambda: _grid(lambda p, q: 3 - 1.9 * np.exp(-((p - 0.4137) ** 2 + (q - 0.6243) ** 2) / 2e-8)), 3
    )
    return [
        _row("drawn line, 64 nodes", drawn, baseline, 1e-3, 1000.0),
        {
            "name": f"drawn line: the grid is {grid / exact - 1:.1e} too large",
            "seconds": drawn,
            "baseline": "1000 x 1000 grid",
            "baseline_seconds": baseline,
            "ratio": baseline / drawn,
            "target": "grid above exact",
            "met": grid > exact,
        },
        _row("largest epsilon at 1000 priors", many, one_by_one, 2e-4, 1.0),
        _row("expression with a dip 1e-4 wide, certified", dip, dip_grid, 1.0, 0.0),
    ]


def _row(name: str, seconds: float, baseline_seconds: float, most: float, ratio: float) -> dict[str, Any]:
    return {
        "name": name,
        "seconds": seconds,
        "baseline": "one call per prior" if "priors" in name else "1000 x 1000 grid",
        "baseline_seconds": baseline_seconds,
        "ratio": baseline_seconds / seconds,
        "target": f"at most {most:g} s, at least {ratio:g} times faster",
        "met": seconds <= most and baseline_seconds / seconds >= ratio,
    }


if __name__ == "__main__":
    for row in run():
        print(
            f"{row['name']}: {row['seconds'] * 1e3:.3f} ms, {row['ratio']:.0f} times faster than {row['baseline']}"
            f" ({row['target']}: {'met' if row['met'] else 'NOT met'})"
        )
