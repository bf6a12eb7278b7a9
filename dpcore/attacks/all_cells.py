"""Attack on a whole histogram: in which of many cells somebody is, when every cell's noisy count is seen (a value).

The target is known to be in exactly one cell, and everybody else is known in all. Each count carries its own noise of
one mechanism. `moved_value` is the case of two cells, in closed form.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore.attacks._attack import evidence_of
from dpcore.attacks._inputs import known_count, whole_numbers
from dpcore.errors import Code, Refused
from dpcore.mechanisms import CountLaw, Mechanism, _lattice
from dpcore.mechanisms._evidence import Evidence

FloatArray = NDArray[np.float64]

MOST_CELLS = 200


def _evidence_by_cell(mechanism: Mechanism, known: ArrayLike | None, cells: int) -> list[Evidence]:
    """The evidence of each cell: one for all, or that beside the people known in it."""
    if known is None:
        return [evidence_of(mechanism)] * cells
    counts = np.atleast_1d(known_count(known))
    if counts.shape != (cells,):
        raise Refused(
            "known", "have one entry per cell", counts.size, Code.WRONG_SHAPE, got=f"{counts.size} for {cells} cells"
        )
    return [evidence_of(mechanism, known=count) for count in counts]


def _check_total(beliefs: FloatArray) -> None:
    """Refuse beliefs in the cells that do not add up to 1."""
    if abs(beliefs.sum() - 1) > 1e-9:
        raise Refused("prior", "add up to 1", float(beliefs.sum()), Code.INCONSISTENT)


@call_hint
def posterior(
    residuals: ArrayLike, *, mechanism: Mechanism, prior: ArrayLike, known: ArrayLike | None = None
) -> FloatArray:
    """The attacker's belief in every cell of a histogram, for a target known to be in exactly one (a value).

    An attack and no promise: it is about the cell of one person (a value), who is known to be in the table. Exact; adds
    up to 1.
    Source: ours, extension of thesis, equation (2.3)

    Parameters
    ----------
    residuals : array of int; published count less the known people, for each cell
    mechanism : DiscreteGaussian, Gaussian, Geometric, Laplace or DisclosureControl; the noise of each count, or a
        method of `dpcore.methods` that publishes numbers
    prior : array of float; belief in each cell before the release: at least 0, adding up to 1. Cells known to be
        impossible have 0.
    known : array of int, optional; the known people of each cell, on whom a method's law depends

    Examples
    --------
    >>> from dpcore.mechanisms import DiscreteGaussian
    >>> posterior([1, 1], mechanism=DiscreteGaussian(rho=0.5), prior=[0.5, 0.5]).tolist()
    [0.5, 0.5]
    """
    evidence = _evidence_by_cell(mechanism, known, np.size(residuals))
    whole = all(one.whole for one in evidence)
    cells = np.atleast_1d((whole_numbers if whole else _checks.array)("residuals", residuals))
    beliefs = np.atleast_1d(_checks.probability("prior", prior))
    if beliefs.shape != cells.shape or cells.ndim != 1:
        raise Refused(
            "prior",
            "have one entry per cell",
            beliefs.size,
            Code.WRONG_SHAPE,
            got=f"{beliefs.size} for {cells.size} cells",
        )
    _check_total(beliefs)
    for one, cell in zip(evidence, cells, strict=True):
        one.check(cell)
    losses = np.array([float(one.loss(cell)) for one, cell in zip(evidence, cells, strict=True)])
    certain = np.isposinf(losses)  # published in one place only
    held = beliefs * certain if certain.any() else beliefs * (losses > -np.inf)
    if certain.sum() > 1 or not held.any():
        raise Refused("residuals", "be possible together, for somebody in one cell", None, Code.INFEASIBLE, got="")
    if certain.any():
        return np.where(certain, 1.0, 0.0)
    with np.errstate(divide="ignore"):
        weights = np.log(beliefs) + losses
    return np.asarray(np.exp(weights - np.logaddexp.reduce(weights)))


@call_hint
def probability_right(*, mechanism: CountLaw, prior: ArrayLike, known: ArrayLike | None = None) -> float:
    """Probability that the best guess of the target's cell (a value) is right, when every cell's count is released.

    An attack and no promise: it is about the cell of one person (a value), who is known to be in the table. Exact, over
    all releases and over cells as the prior weighs them; ties go to the earlier cell. Never below the largest entry of
    `prior`, which guessing without the release attains.
    Source: ours, extension of thesis, equation (2.8), to all cells

    Parameters
    ----------
    mechanism : DiscreteGaussian, Geometric or DisclosureControl; the whole noise of each count, of concentration at
        least 1e-6 or rate at least 1e-3, or a method of `dpcore.methods` that publishes numbers
    prior : array of float; belief in each of at most 200 cells before the release: at least 0, adding up to 1
    known : array of int, optional; the known people of each cell, on whom a method's law depends

    Examples
    --------
    >>> from dpcore.mechanisms import DiscreteGaussian
    >>> probability_right(mechanism=DiscreteGaussian(rho=100), prior=[0.5, 0.5])
    1.0
    >>> round(probability_right(mechanism=DiscreteGaussian(rho=1e-6), prior=[0.7, 0.3]), 3)
    0.7
    """
    beliefs = np.atleast_1d(_checks.probability("prior", prior))
    if beliefs.ndim != 1 or not 1 <= beliefs.size <= MOST_CELLS:
        raise Refused("prior", f"have from 1 to {MOST_CELLS} entries", beliefs.size, Code.WRONG_SHAPE)
    _check_total(beliefs)
    possible = np.flatnonzero(beliefs > 0)
    evidence = _evidence_by_cell(mechanism, known, beliefs.size)
    made = {id(one): (one.losses(1), one.losses(0)) for one in evidence}
    with_person, without = zip(*(made[id(one)] for one in evidence), strict=True)
    at_most = [np.append(0.0, np.cumsum(mass) / mass.sum()) for _, mass in without]
    total = 0.0
    for cell in possible:
        here, wins = with_person[cell][0], with_person[cell][1].copy()
        for other in possible[possible != cell]:
            # The other's evidence may be at most this; at equality the earlier cell is preferred.
            most = here + np.log(beliefs[cell]) - np.log(beliefs[other])
            slack = np.where(np.isinf(most), 0.0, _lattice.TIE * np.maximum(1.0, np.abs(most)))
            there = without[other][0]
            allowed = np.searchsorted(there, most - slack) if other < cell else np.searchsorted(there, most + slack)
            wins *= at_most[other][allowed]
        total += float(beliefs[cell] * wins.sum())
    return min(total, 1.0)


@call_hint
def points_of_bet(stated: float, *, right: bool) -> float:
    """Points of a bet on a cell (a value) by somebody who states how likely it is; 0 for whoever states one half.

    A score of bets, to which no promise belongs. Exact: 100 times the quadratic score 1 − (right − stated)² less 3/4,
    its value at one half. Whoever believes the cell to have probability q expects 100 (stated − q)² points less than by
    stating q: so q itself is best, and of several statements the nearest to q.
    Source: ours, quadratic score, moved and scaled

    Parameters
    ----------
    stated : float; how likely the bettor says the cell is
    right : bool; whether the person is in the cell

    Examples
    --------
    >>> [round(points_of_bet(stated, right=True)) for stated in (0.5, 0.7, 0.9)]
    [0, 16, 24]
    >>> [round(points_of_bet(stated, right=False)) for stated in (0.5, 0.7, 0.9)]
    [0, -24, -56]
    """
    miss = _checks.flag("right", right) - _checks.number("stated", stated, 0, 1)
    return 25 - 100 * miss * miss
