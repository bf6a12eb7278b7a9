"""Several releases under one promise: what each may spend by every rule, and what somebody can believe after all."""

from __future__ import annotations

from collections.abc import Callable
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
    RhoRoute,
    Rule,
    largest_budget,
    largest_rho_each,
)
from dpcore.discrete_certificate import DiscreteCertificate
from dpcore.mechanisms import Geometric
from dpcore.promise import Promise
from dpcore.publication import Publication
from dpcore.publication import belief_upper as belief_after_rows
from dpcore.scope import UNSURE_INDEPENDENTLY, Bound, Scope, Side, View
from dpcore.semantics import largest_difference, posterior_upper

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
