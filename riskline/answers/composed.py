"""Several releases under one promise: what each may spend by every rule, and what somebody can believe after all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from numpy.typing import ArrayLike

from dpcore._cache import cached_by_size
from dpcore.composition import (
    AdvancedRule,
    BasicRule,
    BeliefPromise,
    ExactRule,
    OptimalRule,
    PlannedRelease,
    ReleasePlan,
    RhoRoute,
    Rule,
    largest_budget,
    largest_rho_each,
)
from dpcore.discrete_certificate import DiscreteCertificate
from dpcore.guarantees import PureDP, Relation, ZeroConcentratedDP
from dpcore.mechanisms import Geometric, Mechanism
from dpcore.mechanisms.losses import Lattice
from dpcore.promise import Promise
from dpcore.publication import Publication
from dpcore.publication import belief_upper as belief_after_rows
from dpcore.scope import UNSURE_INDEPENDENTLY, Bound, Scope, Side, View
from dpcore.semantics import largest_difference, posterior_upper
from riskline.answers.evidence import moved_together

LONGEST_SEARCH = 2000
"""Releases beyond which the searches by optimal and exact composition would keep a reader waiting."""
RULES: dict[str, Callable[[float, float, int], Rule]] = {
    "basic": lambda epsilon, delta, group: BasicRule(epsilon=epsilon),
    "advanced": lambda epsilon, delta, group: AdvancedRule(epsilon=epsilon, total_delta=delta),
    "optimal": lambda epsilon, delta, group: OptimalRule(epsilon=epsilon, total_delta=delta, between_steps=True),
    "free": lambda epsilon, delta, group: OptimalRule(epsilon=epsilon),
    "exact": lambda epsilon, delta, group: ExactRule.of(Geometric(epsilon=epsilon, sensitivity=group)),
}
"""Rules that add up an ε: plain, advanced, optimal at a δ or at the best one, and geometric counts exactly."""


@lru_cache(maxsize=256)
def epsilon_each(promise: BeliefPromise, releases: int, rule: str, delta: float, group: int = 1) -> float:
    """Largest ε of each of so many equal releases under a promise, by a rule, for those who belong together.

    >>> round(epsilon_each(BeliefPromise(epsilon_prime=1.2), 12, "basic", 1e-6), 9)
    0.1
    """
    return largest_budget(lambda epsilon: RULES[rule](epsilon, delta, group), promise, releases=releases)


@lru_cache(maxsize=256)
def rho_each(promise: BeliefPromise, releases: int, route: RhoRoute = "direct") -> float:
    """Largest ρ of each of so many equal releases under a promise, by a route from ρ to a belief."""
    return largest_rho_each(promise, releases=releases, route=route)


@cached_by_size()
def certified_each(promise: BeliefPromise, releases: int, group: int = 1) -> DiscreteCertificate:
    """The budget of whole-number noise on one count, verified on its exact law."""
    return DiscreteCertificate(
        epsilon_prime=promise.epsilon_prime,
        delta_prime=promise.delta_prime,
        releases=releases,
        group=group,
        direction=promise.direction,
    )


def reached_by_shift(shift: ArrayLike, prior: ArrayLike | None) -> Any:
    """The belief that a shift of log odds reaches from one before; without that, the largest change of any belief."""
    if prior is None:
        return largest_difference(epsilon=shift)
    return posterior_upper(prior=prior, epsilon=shift)


def belief_after_tables(publication: Publication, budgets: list[float], promise: Promise, *, prior: float) -> Bound:
    """The largest belief in a secret after all tables of a publication, with these budgets for one release of each.

    Except with the promise's failure probability, for a reader who is unsure about other records too.
    """
    found = belief_after_rows(publication, budgets, promise, prior=prior, delta_prime=promise.failure_probability)
    return Bound(
        value=float(found),
        side=Side.AT_MOST,
        scope=Scope.PLAN,
        promise=promise,
        reader=UNSURE_INDEPENDENTLY,
        view=View.ANY_FUNCTION,
    )


def tells_two_ways(source: Any) -> bool:
    """Whether the loss of a mechanism is its budget up or down, as with geometric noise and answers with coins."""
    finite = source.loss_parts().finite if isinstance(source, Mechanism) else None
    return isinstance(finite, Lattice) and finite.size == 2


def is_local(source: Any) -> bool:
    """Whether a source publishes what one person answered."""
    return isinstance(source, Mechanism) and source.is_local


def row_of_secret(row: PlannedRelease, promise: Promise, released: str) -> PlannedRelease:
    """A row that speaks of the two worlds of a secret instead of one step.

    row : as the ledger states it: a mechanism for one record, or a guarantee for one step
    promise : whose secret
    released : {'count', 'cells'}; noise is on one plain count of what is asked about, or on each cell of a table

    A guarantee becomes that of the secret's steps. Noise on a count moves by the records that belong together; in a
    table a value changes two cells, so the noise is met twice. An answer is given once a record.

    >>> value = Promise(secret="value", relation="add_or_remove")
    >>> row_of_secret(PlannedRelease(PureDP(epsilon=0.1), 12), value, "count").source.epsilon
    0.2
    """
    if is_local(row.source):
        return replace(row, count=row.count * promise.group)
    if row.source is row.guarantee:
        return replace(row, source=promise.guarantee_of_secret(replace(row.source, relation=promise.relation)))
    cells = promise.cells if released == "cells" else 1
    return replace(row, source=moved_together(row.source, promise.group), count=row.count * cells)


def row_of_step(row: PlannedRelease, promise: Promise, released: str) -> PlannedRelease:
    """A row as a guarantee of one step: what is typed, and of noise on cells that of two where a record is replaced.

    An answer is one step of its own, given once a record.

    >>> value = Promise(secret="value", relation="replace")
    >>> row_of_step(PlannedRelease(PureDP(epsilon=0.1), 12), value, "cells").source.epsilon
    0.1
    """
    own = replace(row.guarantee, relation=promise.relation)
    if is_local(row.source):
        return replace(row, source=own, count=row.count * promise.group)
    if released == "cells" and promise.relation is Relation.REPLACE and row.source is not row.guarantee:
        own = Promise(secret=promise.secret, relation=promise.relation).guarantee_of_cells(row.source)
    return replace(row, source=own)


def row_of_any(row: PlannedRelease, promise: Promise, released: str) -> PlannedRelease:
    """A row as a guarantee between the two worlds of a secret, for any releases with its budget.

    >>> value = Promise(secret="value", relation="add_or_remove")
    >>> row_of_any(PlannedRelease(ZeroConcentratedDP(rho=0.01), 12), value, "count").source.rho
    0.04
    """
    step = row_of_step(row, promise, released)
    return step if is_local(row.source) else replace(step, source=promise.guarantee_of_secret(step.source))


def whole_step(steps: ReleasePlan) -> Any:
    """The guarantee of everything released, for one step, where one number says it: a sum of ρ, or one ε; else None."""
    if all(isinstance(row.source, ZeroConcentratedDP) for row in steps.rows):
        return steps.concentrated()
    return steps.rows[0].source if steps.releases == 1 and isinstance(steps.rows[0].source, PureDP) else None
