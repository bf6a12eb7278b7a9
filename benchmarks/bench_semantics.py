"""How long beliefs, conversions and noise laws take, beside slow ways. Run: python -m benchmarks semantics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.timing import best, within
from dpcore import accuracy, guarantees, mechanisms, semantics


def _row(name: str, call: Callable[[], Any], baseline: Callable[[], Any], target: float) -> dict[str, Any]:
    return within(name, best(call, 20), target, baseline.__doc__ or "", best(baseline, 2))


def run() -> list[dict[str, Any]]:
    """Rows of measurements, each with its slow baseline from the same run."""
    prior, rho = np.linspace(0, 1, 500), 0.01 * np.arange(1, 366)
    far = np.arange(1.0, 2001.0)

    def priors_one_by_one() -> list[Any]:
        """the same bound, one prior at a time"""
        return [semantics.posterior_bounds(prior=float(p), epsilon=1.0) for p in prior]

    def search_over_deltas() -> Any:
        """a search over 2,000 deltas for each day"""
        delta = 0.01 * np.exp(-np.geomspace(1e-6, 100, 2000))
        epsilon = guarantees.approximate_epsilon_from_rho(rho=rho[:, None], delta=delta)
        shift = guarantees.probabilistic_epsilon_from_approximate(epsilon=epsilon, delta=delta, delta_prime=0.01)
        return np.min(shift, axis=1)

    def search_over_orders() -> Any:
        """a search over 10,000 Renyi orders for each day"""
        order = 1 + np.geomspace(1e-3, 1e5, 10_000)
        return (order * rho[:, None] + np.log1p(-1 / order) + (13.8 - np.log(order)) / (order - 1)).min(axis=1)

    def sums_one_by_one() -> list[float]:
        """a plain sum of 10,000 probabilities for each tail"""
        return [float(np.exp(-1e-4 * (k + np.arange(10_000.0)) ** 2).sum()) for k in far]

    return [
        _row(
            "posterior bounds, 500 priors",
            lambda: semantics.posterior_bounds(prior=prior, epsilon=1.0),
            priors_one_by_one,
            1e-3,
        ),
        _row(
            "published route from rho, 365 days",
            lambda: guarantees.probabilistic_epsilon_from_rho_published(rho=rho, delta_prime=0.01),
            search_over_deltas,
            10e-3,
        ),
        _row(
            "best Renyi order, 365 days",
            lambda: guarantees.approximate_epsilon_from_rho_best_order(rho=rho, delta=1e-6),
            search_over_orders,
            5e-3,
        ),
        _row(
            "discrete Gaussian, 2,000 exact tails at concentration 1e-4",
            lambda: mechanisms.discrete_gaussian_log_tail(far, rho=1e-4),
            sums_one_by_one,
            5e-3,
        ),
        _row(
            "smallest epsilon for +-10 at 95 %",
            lambda: accuracy.noise_for_range(10, "geometric"),
            scan_of_budgets,
            5e-3,
        ),
    ]


def scan_of_budgets() -> float:
    """a scan of 1,000 budgets"""
    budgets = np.geomspace(0.01, 10, 1000)
    wide = [mechanisms.Geometric(epsilon=float(budget)).half_width(0.95) for budget in budgets]
    return float(budgets[np.argmax(np.array(wide) <= 10)])
