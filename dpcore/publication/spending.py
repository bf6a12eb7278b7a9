"""What a whole publication spends, as a plan of releases, and what that means for a secret.

The budget of a publication is that of one unit (a record, or a group of records) under its relation. The rows' own
changes say more than the steps of a promise: a value that moves from one cell to another changes two cells of a table,
which doubles rho; it does not quadruple it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number
from dpcore.composition import PlannedRelease, ReleasePlan
from dpcore.errors import Code, Refused
from dpcore.guarantees import PureDP, Relation, ZeroConcentratedDP
from dpcore.promise import Promise, Secret
from dpcore.publication.rows import Publication, check_publication
from dpcore.semantics import posterior_upper, shift_bound


def _budgets(publication: Publication, budgets: Sequence[float] | FloatArray) -> list[float]:
    check_publication(publication)
    spent = _checks.array("budgets", budgets, 0.0, open_low=True)
    if spent.shape != (len(publication.rows),):
        raise Refused(
            "budgets", f"hold one number for each row ({len(publication.rows)})", spent.size, Code.WRONG_SHAPE
        )
    return [float(budget) for budget in spent]


def _of_currency(publication: Publication, amount: float) -> PureDP | ZeroConcentratedDP:
    if publication.in_epsilon:
        return PureDP(epsilon=amount, relation=publication.relation)
    return ZeroConcentratedDP(rho=amount, relation=publication.relation)


@call_hint
def ledger(publication: Publication, budgets: Sequence[float] | FloatArray) -> ReleasePlan:
    """Plan of everything a publication releases, each cell that one unit moves as a release of its own.

    The promise of the plan is for one step of the publication's relation, to an observer of everything. Exact for a
    unit that makes the largest change of every row, under the publication's relation: the numbers that it moves carry
    independent noise, so a row is times cells releases of a share 1/cells of its budget. The plan spends the sum of
    times times budgets, and no unit is told of by more: no privacy profile, trade-off or epsilon is larger. The chance
    that a belief passes a limit can be larger at a smaller change.
    Source: ours, parallel composition over areas and cells, product law over the cells a unit moves

    Parameters
    ----------
    publication : Publication; the rows
    budgets : sequence of float or array; epsilon or rho of one release of each row, above 0

    Examples
    --------
    >>> from dpcore.publication import CountTable
    >>> rows = (CountTable(times=12), CountTable(cells=9, cells_per_person=3))
    >>> plan = ledger(Publication(rows, "add_or_remove"), [0.05, 0.3])
    >>> [row.count for row in plan.rows], round(plan.basic(1e-6).epsilon, 9)
    ([12, 3], 0.9)
    """
    planned = []
    spent = _budgets(publication, budgets)
    for place, (row, budget) in enumerate(zip(publication.rows, spent, strict=True)):
        moved = len(publication.largest_changes[place].amounts)
        mechanism = publication.noise_of_number(place, budget=budget)
        planned.append(PlannedRelease(mechanism, row.times * moved, row.name or publication.called(place)))
    return ReleasePlan(tuple(planned))


@call_hint
def guarantee_of_unit(publication: Publication, budgets: Sequence[float] | FloatArray) -> PureDP | ZeroConcentratedDP:
    """Guarantee of all releases together for one unit, for one step of the publication's relation.

    The promise is about one unit, to an observer of all releases of all rows. The sum of times times budgets: exact for
    the sum, an upper bound for what it promises. It is the promise of presence where records are added or removed, of a
    value where they are replaced; for another secret use `guarantee_of_secret`.
    Source: dwork_roth, Theorem 3.16 (basic composition); bun_steinke, Lemma 1.7 (rho adds)

    Parameters
    ----------
    publication : Publication; the rows; the unit is a group of so many records
    budgets : sequence of float or array; epsilon or rho of one release of each row, above 0

    Examples
    --------
    >>> from dpcore.publication import CountTable
    >>> guarantee_of_unit(Publication((CountTable(times=4),), "add_or_remove"), [0.25]).epsilon
    1.0
    """
    spent = _budgets(publication, budgets)
    return _of_currency(
        publication, math.fsum(row.times * budget for row, budget in zip(publication.rows, spent, strict=True))
    )


def _check_promise(publication: Publication, promise: Promise) -> None:
    check_publication(publication)
    _checks.kind_of("promise", promise, Promise, "a promise such as Promise(secret='presence', relation='replace')")
    if promise.relation is not publication.relation:
        raise Refused(
            "relation",
            f"be that of the publication ({publication.relation.value!r})",
            promise.relation.value,
            Code.INCONSISTENT,
        )
    if promise.group != publication.group:
        raise Refused("group", f"be that of the publication ({publication.group})", promise.group, Code.INCONSISTENT)


@call_hint
def steps_of_secret(publication: Publication, promise: Promise) -> FloatArray:
    """How many times its budget each row spends on a promise's secret.

    The promise is about one unit, to an observer of all releases of all rows. The value is 1 for presence, and for a
    value or an answer where records are replaced. For a value where records are added or removed the ratio of the
    changes themselves, `Publication.moves` among them: 2 for a table of counts (its epsilon and its rho double, since
    twice as many cells move), for a total in several areas 2 too, for one alone the width of its bounds over max(|low|,
    |high|), squared for a rho. Exact for the largest loss; the steps of the promise, twice and four times, hold for
    every release and are never smaller.

    Source: ours, a value that moves is a record replaced: the same noise, the sensitivity of the other relation

    Parameters
    ----------
    publication : Publication; the rows
    promise : Promise; of the publication's relation and group

    Examples
    --------
    >>> from dpcore.publication import ClippedTotal, CountTable
    >>> rows = (CountTable(cells=5, noise="gaussian"), ClippedTotal(low=0, high=9, noise="gaussian"))
    >>> steps_of_secret(Publication(rows, "add_or_remove"), Promise(secret="value", relation="add_or_remove"))
    array([2., 1.])
    """
    _check_promise(publication, promise)
    own = publication.sensitivities
    if promise.secret is Secret.PRESENCE or publication.relation is Relation.REPLACE:
        return own / own
    moved = replace(publication, relation=Relation.REPLACE).sensitivities
    if publication.in_epsilon:
        return moved / own
    steps = _checks.array("steps", (moved / own) ** 2)
    short = steps.round(12)  # the square of a root is a last digit off
    return np.where(np.abs(steps - short) <= 2e-15 * steps, short, steps)


@call_hint
def guarantee_of_secret(
    publication: Publication, budgets: Sequence[float] | FloatArray, promise: Promise
) -> PureDP | ZeroConcentratedDP:
    """Guarantee of all releases together between the two worlds of a promise's secret.

    The promise is about one unit, to an observer of all releases of all rows. The sum of times times budgets times
    `steps_of_secret`. A bound for the promise's secret, never above the promise's own `guarantee_of_secret`, which
    holds however a release is made.
    Source: ours, the rows' own changes under the two worlds; bun_steinke, Lemma 1.7 (rho adds)

    Parameters
    ----------
    publication : Publication; the rows
    budgets : sequence of float or array; epsilon or rho of one release of each row, above 0
    promise : Promise; of the publication's relation and group

    Examples
    --------
    >>> from dpcore.publication import CountTable
    >>> table = Publication((CountTable(cells=5, noise="discrete_gaussian"),), "add_or_remove")
    >>> guarantee_of_secret(table, [0.1], Promise(secret="value", relation="add_or_remove")).rho
    0.2
    """
    spent, steps = _budgets(publication, budgets), steps_of_secret(publication, promise)
    parts = zip(publication.rows, spent, steps, strict=True)
    return _of_currency(publication, math.fsum(row.times * budget * float(step) for row, budget, step in parts))


@overload
def belief_upper(
    publication: Publication,
    budgets: Sequence[float] | FloatArray,
    promise: Promise,
    *,
    prior: Number,
    delta_prime: float = ...,
) -> float: ...
@overload
def belief_upper(
    publication: Publication,
    budgets: Sequence[float] | FloatArray,
    promise: Promise,
    *,
    prior: ArrayLike,
    delta_prime: float = ...,
) -> FloatArray: ...
@call_hint
def belief_upper(
    publication: Publication,
    budgets: Sequence[float] | FloatArray,
    promise: Promise,
    *,
    prior: ArrayLike,
    delta_prime: float = 0.0,
) -> float | FloatArray:
    """Largest belief in a promise's secret that all releases together permit.

    The promise is about one unit, to an observer of all releases of all rows. A bound on the belief after all releases,
    for the promise's secret. Round it up.
    Source: thesis, Corollary 32

    Parameters
    ----------
    publication : Publication; the rows
    budgets : sequence of float or array; epsilon or rho of one release of each row, above 0
    promise : Promise; of the publication's relation and group
    prior : array_like; belief before the publication, in [0, 1]
    delta_prime : float, optional; probability, over the noise, with which more is possible; in (0, 1) for a rho, in
        [0, 1) for an epsilon

    Examples
    --------
    >>> from dpcore.publication import CountTable
    >>> births = Publication((CountTable(times=4),), "add_or_remove")
    >>> seen = Promise(secret="presence", relation="add_or_remove")
    >>> round(belief_upper(births, [0.25], seen, prior=0.08), 4)
    0.1912
    """
    guarantee = guarantee_of_secret(publication, budgets, promise)
    shift = shift_bound(guarantee, delta_prime=delta_prime)
    return posterior_upper(prior=prior, epsilon=shift)
