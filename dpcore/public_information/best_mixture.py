"""How well public records can serve: the smallest error any weights on them reach, and how many records suffice."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore.errors import Code, Refused
from dpcore.public_information.workloads import Workload, check_workload, distinct_records

LARGEST_PROGRAMME = 20_000
"""Most distinct public records, and most queries, of a best-mixture programme: minutes beyond."""


@call_hint
@dataclass(frozen=True)
class SufficientRecords:
    """Numbers of private and public records with which the public support surely serves (sufficient, not necessary).

    It is about accuracy: no promise about a secret belongs to it.

    Examples
    --------
    >>> SufficientRecords(private=10160, public=67925).public
    67925
    """

    private: int
    public: int


@call_hint
def sufficient_records(
    *, error: float, queries: int, failure: float, divergence_2: float, divergence_infinity: float
) -> SufficientRecords:
    """Records that keep the best-mixture error below `error` with probability 1 - failure (sufficient).

    It is about accuracy: no promise about a secret belongs to it.
    Source: liu, Proposition 4.3

    Parameters
    ----------
    error : float; wanted best-mixture error, in (0, 1)
    queries : int; number of queries, at least 1
    failure : float; probability of failing, in (0, 1)
    divergence_2, divergence_infinity : float; Rényi divergences of orders 2 and infinity of the private law from the
        public one; at least 0

    Examples
    --------
    >>> sufficient_records(error=0.1, queries=4096, failure=0.05, divergence_2=0.5, divergence_infinity=1.0)
    SufficientRecords(private=10160, public=67925)
    """
    error = _checks.number("error", error, 0, 1, open_low=True, open_high=True)
    queries = _checks.count("queries", queries, 1)
    failure = _checks.number("failure", failure, 0, 1, open_low=True, open_high=True)
    divergence_2 = _checks.number("divergence_2", divergence_2, 0)
    divergence_infinity = _checks.number("divergence_infinity", divergence_infinity, 0)
    if divergence_infinity < divergence_2:
        raise Refused("divergence_infinity", "be at least divergence_2", divergence_infinity, Code.INCONSISTENT)
    try:
        private = 8 / error**2 * math.log(4 * queries / failure)
        spread = 32 / error**2 * math.exp(divergence_2) + 8 / (3 * error) * math.exp(divergence_infinity)
        public = spread * math.log((4 * queries + 4) / failure)
        return SufficientRecords(private=math.ceil(private), public=math.ceil(public))
    except (OverflowError, ZeroDivisionError):
        given = (error, divergence_2, divergence_infinity)
        raise Refused("error and divergences", "need fewer than 1e308 records", given, Code.TOO_LARGE) from None


@call_hint
def renyi_divergence(law: ArrayLike, other: ArrayLike, *, order: float) -> float:
    """Rényi divergence of a law from another, in nats (exact; infinite where the other law forbids an outcome).

    It is about accuracy: no promise about a secret belongs to it.
    Source: liu, Definition 2.4, with the sign put right: 1 / (order - 1)

    Parameters
    ----------
    law, other : array; probabilities of the same outcomes, each adding up to 1
    order : float; order, greater than 0; 1 is the Kullback-Leibler divergence, infinity the largest log ratio

    Examples
    --------
    >>> round(renyi_divergence([0.5, 0.5], [0.25, 0.75], order=2), 6) == round(math.log(4 / 3), 6)
    True
    """
    order = _checks.number("order", order, 0, open_low=True, allow_infinite=True)
    laws = []
    for name, values in (("law", law), ("other", other)):
        probabilities = _checks.probability(name, values)
        if probabilities.ndim != 1 or not abs(probabilities.sum() - 1) <= 1e-9:
            raise Refused(name, "add up to 1", float(probabilities.sum()), Code.OUT_OF_RANGE)
        laws.append(probabilities / probabilities.sum())  # near order 1 what typed digits lack of 1 would tell
    if laws[0].size != laws[1].size:
        raise Refused(
            "law and other",
            "have the same outcomes",
            (laws[0].size, laws[1].size),
            Code.WRONG_SHAPE,
            got=f"{laws[0].size} and {laws[1].size}",
        )
    seen = laws[0] > 0
    p, q = laws[0][seen], laws[1][seen]
    if order >= 1 and (q == 0).any():
        return math.inf
    p, q = p[q > 0], q[q > 0]
    if p.size == 0:
        return math.inf
    ratio = np.log(p) - np.log(q)
    if math.isinf(order):
        return float(np.max(ratio))
    if order == 1:
        return max(0.0, float(np.sum(p * ratio)))
    if p.size == seen.sum() and abs(order - 1) * np.max(np.abs(ratio)) < 1e-3:  # next to order 1 the sum is next to 1
        return max(0.0, math.log1p(float(np.sum(p * np.expm1((order - 1) * ratio)))) / (order - 1))
    exponent = np.log(p) + (order - 1) * ratio
    peak = float(np.max(exponent))
    return max(0.0, (peak + math.log(float(np.sum(np.exp(exponent - peak))))) / (order - 1))


@call_hint
def best_mixture_error(workload: Workload, rows: ArrayLike, target: ArrayLike) -> float:
    """Smallest maximum error that any weights on the public rows can reach (exact, by linear programme).

    It is computed from the confidential answers: publishing it is a release of its own, with no promise yet. A floor
    for every method that only reweights these rows, whatever the budget. The paper draws a multiplicative weights fit
    instead, which lies above the floor.
    Source: liu, Definition 4.1

    Parameters
    ----------
    workload : Workload; the marginals
    rows : array, shape (records, attributes); public records; duplicates do not matter
    target : array, shape (queries,); the private answers, in [0, 1]

    Examples
    --------
    Public rows all agree on the one attribute, the private data are split in half.

    >>> best_mixture_error(Workload(sizes=(2,), sets=((0,),)), [[0], [0]], [0.5, 0.5])
    0.5
    """
    # Imported here: the optimiser takes half a second to load, and only this function needs it.
    from scipy.optimize import linprog
    from scipy.sparse import coo_array

    check_workload(workload)
    truth = _checks.probability("target", target)
    if truth.shape != (workload.queries,):
        raise Refused("target", f"have one value per query ({workload.queries})", truth.size, Code.WRONG_SHAPE)
    support, _ = distinct_records(workload.checked_rows(rows))
    if len(support) > LARGEST_PROGRAMME or workload.queries > LARGEST_PROGRAMME:
        raise Refused(
            "rows",
            f"hold at most {LARGEST_PROGRAMME} distinct records, and the workload as many queries",
            (len(support), workload.queries),
            Code.TOO_LARGE,
            got=f"{len(support)} and {workload.queries}",
        )
    found = workload.query_of(support)
    unreached = np.bincount(found.ravel(), minlength=workload.queries) == 0
    # Queries that no public row answers are off by their own answer, whatever the weights.
    floor = float(np.max(truth[unreached], initial=0.0))
    reached = np.flatnonzero(~unreached)
    position = np.cumsum(~unreached) - 1
    size, count = len(support), reached.size
    down = position[found].ravel()
    across = np.repeat(np.arange(size), found.shape[1])
    ones = np.ones(down.size)
    matrix = coo_array(
        (
            np.concatenate([ones, -ones, -np.ones(2 * count)]),
            (
                np.concatenate([down, down + count, np.arange(2 * count)]),
                np.concatenate([across, across, np.full(2 * count, size)]),
            ),
        ),
        shape=(2 * count, size + 1),
    ).tocsr()
    cost = np.append(np.zeros(size), 1.0)
    total = coo_array(np.append(np.ones(size), 0.0)[None, :])
    solve: Any = linprog  # the stubs only know dense constraints
    solved = solve(
        cost,
        A_ub=matrix,
        b_ub=np.concatenate([truth[reached], -truth[reached]]),
        A_eq=total,
        b_eq=[1.0],
        bounds=[(0, None)] * size + [(floor, None)],
        method="highs",
    )
    if solved.x is None:
        raise Refused(
            "target",
            "be answers that a linear programme can compare",
            solved.message,
            Code.INFEASIBLE,
            got=f"status {solved.message!r}",
        )
    return float(solved.x[-1])
