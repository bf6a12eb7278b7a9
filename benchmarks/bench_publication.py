"""Speed of sharing one budget over many tables, against SciPy's general optimiser and a plain bisection.

Seconds are processor time of the best of several runs, so that a busy machine does not count as slow code.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.optimize import minimize

from benchmarks.timing import best, within
from dpcore.accuracy import noise_for_range
from dpcore.mechanisms import discrete_gaussian_variance
from dpcore.publication import CountTable, Publication, Rule, Wish, allocate, frontier


def _publication(size: int, noise: str) -> Publication:
    rng = np.random.default_rng(size)
    rows = tuple(
        CountTable(
            noise=noise,  # type: ignore[arg-type]
            cells=8,
            cells_per_person=int(rng.integers(1, 5)),
            times=int(rng.integers(1, 13)),
            wish=Wish(int(rng.integers(2, 400)), level=float(rng.choice([0.9, 0.95]))),
            weight=float(rng.uniform(0.2, 5.0)),
        )
        for _ in range(size)
    )
    return Publication(rows, "add_or_remove")  # type: ignore[arg-type]


NOISES = ("geometric", "discrete_gaussian")


def _slowest(size: int) -> float:
    """The slowest rule under either whole-number noise, the rows and their sensitivities included."""
    slowest = 0.0
    for noise in NOISES:
        publication = _publication(size, noise)
        for rule in Rule:
            slowest = max(slowest, best(lambda rule=rule, given=publication: allocate(given, 1.0, rule=rule)))
    return slowest


def _slsqp(publication: Publication) -> Any:
    times, deltas, weights = publication.times, publication.sensitivities, publication.weights

    def loss(share: np.ndarray) -> float:
        budgets = np.maximum(share, 1e-9) / times
        return math.log(float(weights @ discrete_gaussian_variance(budgets / deltas**2)))

    size = times.size
    return minimize(
        loss,
        np.full(size, 1 / size),
        method="SLSQP",
        bounds=[(1e-6, 1.0)] * size,
        constraints={"type": "eq", "fun": lambda share: share.sum() - 1},
        options={"ftol": 1e-10, "maxiter": 200},
    )


def least_weighted_error_of_forty() -> dict[str, Any]:
    publication = _publication(40, "discrete_gaussian")
    found = allocate(publication, 1.0, rule="least_weighted_error")
    theirs = _slsqp(publication)
    assert np.allclose(theirs.x, found.shares, atol=1e-3)
    return within(
        "40 rows by least weighted error",
        best(lambda: allocate(publication, 1.0, rule="least_weighted_error")),
        0.005,
        "SciPy's SLSQP",
        best(lambda: _slsqp(publication), 1),
        50,
    )


def wishes_of_forty() -> dict[str, Any]:
    publication = _publication(40, "discrete_gaussian")
    wishes = [(one.wish, one.sensitivity("add_or_remove").l1, one.times) for one in publication.rows]

    def need(stretch: float) -> float:
        return math.fsum(
            times
            * cells
            * noise_for_range(stretch * wish.half_width, "discrete_gaussian", level=wish.level).guarantee.rho
            for wish, cells, times in wishes
        )

    def theirs() -> float:
        low, high = 0.01, 10.0
        while high - low > 1e-6 * high:
            middle = math.sqrt(low * high)
            low, high = (low, middle) if need(middle) <= 1.0 else (middle, high)
        return high

    assert math.isclose(theirs(), allocate(publication, 1.0).stretch or 0.0, rel_tol=1e-5)
    return within(
        "40 rows by one stretch of all wishes",
        best(lambda: allocate(publication, 1.0)),
        0.005,
        "bisection on the budget of each row",
        best(theirs, 1),
        50,
    )


def forty_rows() -> dict[str, Any]:
    return within("40 rows by the slowest rule", _slowest(40), 0.005)


def two_hundred_rows() -> dict[str, Any]:
    return within("200 rows by the slowest rule", _slowest(200), 0.04)


def frontier_of_sixty() -> dict[str, Any]:
    totals = np.geomspace(0.01, 10.0, 60)
    publications = [_publication(40, noise) for noise in NOISES]
    slowest = max(best(lambda given=given: frontier(given, totals), 3) for given in publications)
    return within("frontier of 60 points and 40 rows", slowest, 0.15)


def run() -> list[dict[str, Any]]:
    return [
        measure()
        for measure in (
            least_weighted_error_of_forty,
            wishes_of_forty,
            forty_rows,
            two_hundred_rows,
            frontier_of_sixty,
        )
    ]
