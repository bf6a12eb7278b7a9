"""Speed of trade-off curves of 200 points, against one root and one search or list of outputs at a time.

Seconds are processor time of the best of several runs, so that a busy machine does not count as slow code. The slow
ways are run on fewer points and scaled.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.optimize import brentq

from benchmarks.timing import best, within
from dpcore.composition import PlannedRelease, ReleasePlan
from dpcore.guarantees import ApproximateDP, ZeroConcentratedDP
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from dpcore.tradeoff import trade_off

POINTS = np.linspace(0.0, 1.0, 202)[1:-1]
FEW = POINTS[5::20]


def _one_pair_at_a_time(rho: float, false_alarm: float) -> float:
    """Largest y by brentq over a dense list of orders, both ways."""
    excess = np.geomspace(1e-6, 1e6, 20_000)
    orders = 1 + excess

    def over(y: float) -> float:
        worst = -math.inf
        for p, q in ((y, false_alarm), (false_alarm, y)):
            moment = np.logaddexp(
                orders * math.log(p) - excess * math.log(q), orders * math.log1p(-p) - excess * math.log1p(-q)
            )
            worst = max(worst, float((moment / (excess * orders)).max()))
        return worst - rho

    return float(brentq(over, false_alarm * (1 + 1e-9), 1 - 1e-15, xtol=1e-12))


def any_release() -> dict[str, Any]:
    curve = trade_off(ZeroConcentratedDP(rho=0.5))

    def theirs() -> list[float]:
        return [_one_pair_at_a_time(0.5, float(x)) for x in FEW]

    assert np.allclose(theirs(), curve.detection(FEW), rtol=1e-6)
    return within(
        "200 points for any release with a rho",
        best(lambda: curve.detection(POINTS)),
        0.1,
        "a root and 20,000 orders for each point",
        best(theirs, 1) * POINTS.size / FEW.size,
        50,
    )


def two_discrete_gaussians() -> dict[str, Any]:
    noise = DiscreteGaussian(rho=0.02)

    def theirs() -> list[float]:
        found = []
        cells = np.arange(-60, 61)
        for x in FEW:
            absent = np.outer(np.exp(noise.log_pmf(cells)), np.exp(noise.log_pmf(cells))).ravel()
            present = np.outer(np.exp(noise.log_pmf(cells - 1)), np.exp(noise.log_pmf(cells + 1))).ravel()
            ranked = np.argsort(-present / absent, kind="stable")
            found.append(np.interp(x, np.cumsum(absent[ranked]), np.cumsum(present[ranked])))
        return found

    def ours(points: np.ndarray) -> Any:
        return trade_off(noise, cells=2).detection(points)

    assert np.allclose(theirs(), ours(FEW), rtol=1e-6)
    return within(
        "200 points for a value in two cells of discrete Gaussian noise",
        best(lambda: ours(POINTS)),
        0.02,
        "a list of all pairs of outputs for each point",
        best(theirs, 2) * POINTS.size / FEW.size,
        10,
    )


def closed_forms() -> dict[str, Any]:
    sources = (ApproximateDP(epsilon=1.0, delta=1e-6), Gaussian(rho=0.5), Laplace(epsilon=1.0), Geometric(epsilon=1.0))
    slowest = max(best(lambda source=source: trade_off(source).detection(POINTS)) for source in sources)
    return within("200 points for a guarantee, Gaussian, Laplace or geometric noise (the slowest)", slowest, 0.02)


def wide_discrete_gaussian() -> dict[str, Any]:
    return within(
        "200 points for one discrete Gaussian at rho = 1e-9",
        best(lambda: trade_off(DiscreteGaussian(rho=1e-9)).detection(POINTS)),
        0.02,
    )


def long_plan() -> dict[str, Any]:
    plan = ReleasePlan.repeated(DiscreteGaussian(rho=0.01), 365)
    return within("200 points for 365 discrete Gaussians", best(lambda: trade_off(plan).detection(POINTS)), 0.05)


def mixed_plan() -> dict[str, Any]:
    plan = ReleasePlan((PlannedRelease(Gaussian(rho=0.01), 30), PlannedRelease(Laplace(epsilon=0.1), 52)))
    return within("200 points for Gaussian and Laplace releases", best(lambda: trade_off(plan).detection(POINTS), 3), 1)


def guess_at_a_prior() -> dict[str, Any]:
    curve = trade_off(ZeroConcentratedDP(rho=0.5))
    return within("right guess of any release with a rho at a prior", best(lambda: curve.right_guess(prior=0.2)), 0.1)


def run() -> list[dict[str, Any]]:
    return [
        measure()
        for measure in (
            closed_forms,
            wide_discrete_gaussian,
            two_discrete_gaussians,
            any_release,
            guess_at_a_prior,
            long_plan,
            mixed_plan,
        )
    ]
