"""How long profiles take, beside the grid search they replace. Run: python -m benchmarks profiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.timing import best, row
from dpcore.profiles import DrawnLine, ExpressionProfile, largest_epsilon

DIP = "3 - 1.9*exp(-((p-0.4137)^2+(q-0.6243)^2)/(2*0.0001^2))"


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
    drawn, baseline = best(line, 200), best(line_on_grid, 3)
    generator = np.random.default_rng(1)
    p, q = generator.random(1000), generator.random(1000)
    many = best(lambda: largest_epsilon(membership_prior=p, value_prior=q, ratio_bound=3.0), 300)
    one_by_one = best(
        lambda: [
            largest_epsilon(membership_prior=a, value_prior=b, ratio_bound=3.0) for a, b in zip(p, q, strict=True)
        ],
        2,
    )
    dip = best(lambda: ExpressionProfile(DIP).implied_epsilon(), 3)
    dip_grid = best(lambda: _grid(lambda p, q: 3 - 1.9 * np.exp(-((p - 0.4137) ** 2 + (q - 0.6243) ** 2) / 2e-8)), 3)
    return [
        _row("drawn line, 64 nodes", drawn, baseline, 1e-3, 500.0),
        row(
            f"drawn line: the grid is {grid / exact - 1:.1e} too large",
            drawn,
            "grid above exact",
            grid > exact,
            "1000 x 1000 grid",
            baseline,
        ),
        _row("largest epsilon at 1000 priors", many, one_by_one, 2e-4, 1.0),
        _row("expression with a dip 1e-4 wide, certified", dip, dip_grid, 1.0, 0.0),
    ]


def _row(name: str, seconds: float, baseline_seconds: float, most: float, ratio: float) -> dict[str, Any]:
    return row(
        name,
        seconds,
        f"at most {most:g} s, at least {ratio:g} times faster",
        seconds <= most and baseline_seconds / seconds >= ratio,
        "one call per prior" if "priors" in name else "1000 x 1000 grid",
        baseline_seconds,
    )
