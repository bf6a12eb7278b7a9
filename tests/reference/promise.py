"""Kinds of case in the area `promise` about secrets and steps, answered by public dpcore calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dpcore import promise
from dpcore.guarantees import ApproximateDP, Guarantee, PureDP, Relation, ZeroConcentratedDP
from dpcore.semantics import belief_bounds


def guarantee_of(given: Mapping[str, float], relation: str = "add_or_remove") -> Guarantee:
    """The guarantee a case spells: epsilon, epsilon and delta, or rho."""
    change = Relation(relation)
    if "rho" in given:
        return ZeroConcentratedDP(rho=given["rho"], relation=change)
    if "delta" in given:
        return ApproximateDP(epsilon=given["epsilon"], delta=given["delta"], relation=change)
    return PureDP(epsilon=given["epsilon"], relation=change)


def _promise(secret: str, relation: str, group: int) -> promise.Promise:
    return promise.Promise(secret=promise.Secret(secret), relation=Relation(relation), group=group)


def _group(guarantee: Mapping[str, float], secret: str, relation: str, group: int) -> dict[str, float]:
    together = _promise(secret, relation, group).guarantee_of_secret(guarantee_of(guarantee, relation))
    return {name: float(getattr(together, name)) for name in guarantee}


def _posterior_bound(
    guarantee: Mapping[str, float], secret: str, relation: str, group: int, prior: Any, delta_prime: float = 0.0
) -> float:
    bounds = belief_bounds(
        guarantee_of(guarantee, relation),
        prior=prior,
        delta_prime=delta_prime,
        promise=_promise(secret, relation, group),
    )
    return float(bounds.posterior_upper)


ANSWERS: Mapping[str, Callable[..., Any]] = {
    "steps": promise.steps,
    "group": _group,
    "posterior_bound": _posterior_bound,
}
