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
from dpcore.attacks._inputs import whole_numbers
from dpcore.errors import Code, Refused
from dpcore.mechanisms import DiscreteGaussian, Geometric, Mechanism, _lattice

FloatArray = NDArray[np.float64]

MOST_CELLS = 200


def _check_total(beliefs: FloatArray) -> None:
    """Refuse beliefs in the cells that do not add up to 1."""
    if abs(beliefs.sum() - 1) > 1e-9:
        raise Refused("prior", "add up to 1", float(beliefs.sum()), Code.INCONSISTENT)


@call_hint
def posterior(residuals: ArrayLike, *, mechanism: Mechanism, prior: ArrayLike) -> FloatArray:
    """The attacker's belief in every cell of a histogram, for a target known to be in exactly one (a value).

    An attack and no promise: it is about the cell of one person (a value), who is known to be in the table. Exact; adds
    up to 1.
    Source: ours, extension of thesis, equation (2.3)

    Parameters
    ----------
    residuals : array of int; noisy count less the known people, for each cell
    mechanism : DiscreteGaussian, Gaussian, Geometric or Laplace; the noise of each count
    prior : array of float; belief in each cell before the release: at least 0, adding up to 1. Cells known to be
        impossible have 0.

    Examples
    --------
    >>> posterior([1, 1], mechanism=DiscreteGaussian(rho=0.5), prior=[0.5, 0.5]).tolist()
    [0.5, 0.5]
    """
    evidence = evidence_of(mechanism)
    cells = np.atleast_1d((whole_numbers if evidence.whole else _checks.array)("residuals", residuals))
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
    with np.errstate(divide="ignore"):
        weights = np.log(beliefs) + evidence.loss(cells)
    return np.asarray(np.exp(weights - np.logaddexp.reduce(weights)))


@call_hint
def probability_right(*, mechanism: DiscreteGaussian | Geometric, prior: ArrayLike) -> float:
    """Probability that the best guess of the target's cell (a value) is right, when every cell's count is released.

    An attack and no promise: it is about the cell of one person (a value), who is known to be in the table. Exact, over
    all releases and over cells as the prior weighs them; ties go to the earlier cell. Never below the largest entry of
    `prior`, which guessing without the release attains.
    Source: ours, extension of thesis, equation (2.8), to all cells

    Parameters
    ----------
    mechanism : DiscreteGaussian or Geometric; the whole noise of each count: of concentration at least 1e-6, or rate at
        least 1e-3
    prior : array of float; belief in each of at most 200 cells before the release: at least 0, adding up to 1

    Examples
    --------
    >>> probability_right(mechanism=DiscreteGaussian(rho=100), prior=[0.5, 0.5])
    1.0
    >>> round(probability_right(mechanism=DiscreteGaussian(rho=1e-6), prior=[0.7, 0.3]), 3)
    0.7
    """
    evidence = evidence_of(mechanism)
    beliefs = np.atleast_1d(_checks.probability("prior", prior))
    if beliefs.ndim != 1 or not 1 <= beliefs.size <= MOST_CELLS:
        raise Refused("prior", f"have from 1 to {MOST_CELLS} entries", beliefs.size, Code.WRONG_SHAPE)
    _check_total(beliefs)
    possible = np.flatnonzero(beliefs > 0)
    noise = evidence.gaps(0)
    mass = np.exp(evidence.log_law(noise))
    at_most = np.append(0.0, np.cumsum(mass) / mass.sum())
    here, there = evidence.loss(noise + 1), evidence.loss(noise)
    total = 0.0
    for cell in possible:
        wins = mass.copy()
        for other in possible[possible != cell]:
            # The other's evidence may be at most this; at equality the earlier cell is preferred.
            most = here + np.log(beliefs[cell]) - np.log(beliefs[other])
            slack = _lattice.TIE * np.maximum(1.0, np.abs(most))
            allowed = np.searchsorted(there, most - slack) if other < cell else np.searchsorted(there, most + slack)
            wins *= at_most[allowed]
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
    miss = right - _checks.number("stated", stated, 0, 1)
    return 25 - 100 * miss * miss
