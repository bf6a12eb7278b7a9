"""Kinds of case on composition, answered by public dpcore calls. Keyword arguments are the case's inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dpcore.composition import (
    AdvancedRule,
    BasicRule,
    BeliefPromise,
    ConcentratedRule,
    ExactRule,
    OptimalRule,
    Rule,
    advanced_epsilon,
    basic_composition,
    concentrated_composition,
    first_broken,
    heterogeneous_delta,
    heterogeneous_epsilon,
    largest_budget,
    largest_epsilon_each,
    largest_kept,
    optimal_composition,
    optimal_delta,
    optimal_epsilon,
    optimal_promise,
)
from dpcore.guarantees import approximate_epsilon_from_probabilistic
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, RandomizedResponse
from dpcore.privacy_loss import PrivacyLoss

MECHANISMS: dict[str, Callable[[float], Any]] = {
    "geometric": lambda value: Geometric(epsilon=value),
    "randomi": lambda value: RandomizedResponse(epsilon=value),
    "laplace": lambda value: Laplace(epsilon=value),
    "discrete gaussian": lambda value: DiscreteGaussian(rho=value),
    "gaussian": lambda value: Gaussian(rho=value),
}


def _mechanism(words: str, value: float) -> Any:
    for name, build in MECHANISMS.items():
        if name in words.lower():
            return build(value)
    raise ValueError(f"mechanism must be a known mechanism; got {words!r}")


def _direction(words: str) -> str:
    return "rise" if "one-sided" in words or "one sided" in words or "rise" in words else "either"


def _rule(
    method: str,
    *,
    eps: float | None = None,
    rho: float | None = None,
    delta: float = 0.0,
    delta_each: float = 0.0,
    apply_theorem_35: bool = True,
) -> Rule:
    """The rule a case's method names."""
    words = method.lower()
    if words.startswith("zcdp"):
        return ConcentratedRule(rho=rho, route="published" if "source" in words else "direct")  # type: ignore[arg-type]
    if words == "gaussian":
        return ConcentratedRule(rho=rho, route="gaussian")  # type: ignore[arg-type]
    if words.startswith("exact") and any(name in words for name in MECHANISMS):
        return ExactRule.of(_mechanism(words, eps if eps is not None else rho))  # type: ignore[arg-type]
    if eps is None:
        raise ValueError(f"eps must be given for the method; got {method!r}")
    if words.startswith("basic"):
        return BasicRule(epsilon=eps, delta_each=delta_each, charge=apply_theorem_35)
    if words.startswith("advanced"):
        return AdvancedRule(epsilon=eps, total_delta=delta, delta_each=delta_each, charge=apply_theorem_35)
    if words.startswith(("optimal", "exact")):
        free = "free" in words or "best" in words or delta == 0.0
        return OptimalRule(
            epsilon=eps,
            total_delta=None if free else delta,
            delta_each=delta_each,
            between_steps="real" in words or words.startswith("exact"),
            charge=apply_theorem_35,
        )
    raise ValueError(f"method must be a known rule of composition; got {method!r}")


def _promise(
    method: str = "",
    *,
    p: float | None = None,
    cap: float | None = None,
    difference_cap: float | None = None,
    delta_prime: float = 0.0,
) -> BeliefPromise:
    direction: Any = _direction(method)
    if difference_cap is not None:
        return BeliefPromise.largest_difference(cap=difference_cap, delta_prime=delta_prime, direction=direction)
    return BeliefPromise.posterior_cap(prior=p, cap=cap, delta_prime=delta_prime, direction=direction)  # type: ignore[arg-type]


def compose_basic(eps: Sequence[float], delta: Sequence[float] | None = None) -> dict[str, float]:
    """Theorem 25.1."""
    total = basic_composition(eps, deltas=delta)
    return {"eps": total.epsilon, "delta": total.delta}


def compose_advanced(eps: Sequence[float], total_delta: float, delta: Sequence[float] | None = None) -> float:
    """Theorem 25.2."""
    return advanced_epsilon(eps, deltas=delta, total_delta=total_delta)


def compose_optimal(k: int, eps: float, total_delta: float, delta_each: float = 0.0) -> dict[str, float]:
    """Theorem 25.3, the best l."""
    best = optimal_composition(releases=k, epsilon=eps, delta_each=delta_each, total_delta=total_delta)
    return {"eps_total": best.epsilon, "l": best.steps, "delta_used": best.delta}


def compose_exact(k: int, eps: float, total_delta: float, delta_each: float = 0.0) -> float:
    """The same curve at real totals."""
    return optimal_epsilon(releases=k, epsilon=eps, delta_each=delta_each, total_delta=total_delta)


def compose_heterogeneous_delta(eps: Sequence[float], at_eps: float, delta: Sequence[float] | None = None) -> float:
    """The safe end of the bracket."""
    return heterogeneous_delta(eps, deltas=delta, epsilon=at_eps).high


def compose_heterogeneous_eps(
    eps: Sequence[float], total_delta: float, delta: Sequence[float] | None = None
) -> dict[str, float]:
    """Both ends of the bracket."""
    found = heterogeneous_epsilon(eps, deltas=delta, total_delta=total_delta)
    return {"low": found.low, "high": found.high}


def optimal_to_pdp(k: int, eps: float, delta_prime: float, delta_each: float = 0.0) -> dict[str, float]:
    """The best l for a promise."""
    best = optimal_promise(releases=k, epsilon=eps, delta_each=delta_each, delta_prime=delta_prime)
    return {"eps_prime": best.epsilon_prime, "l": best.steps, "delta": best.delta}


def first_release_above_cap(
    p: float,
    cap: float,
    method: str,
    delta_prime: float = 0.0,
    **rule: Any,
) -> int | None:
    """The first release after which the belief may exceed a cap."""
    return first_broken(_rule(method, **rule), _promise(method, p=p, cap=cap, delta_prime=delta_prime))


def first_release_above_difference(cap: float, method: str, delta_prime: float = 0.0, **rule: Any) -> int | None:
    """The first release after which some belief may move by more than a cap."""
    return first_broken(_rule(method, **rule), _promise(method, difference_cap=cap, delta_prime=delta_prime))


def largest_safe_k(p: float, cap: float, method: str, delta_prime: float = 0.0, **rule: Any) -> int:
    """The largest number of releases that keeps a cap."""
    return largest_kept(_rule(method, **rule), _promise(method, p=p, cap=cap, delta_prime=delta_prime))


def per_release_eps(
    k: int,
    method: str,
    eps_total: float | None = None,
    delta_each: float = 0.0,
    total_delta: float = 0.0,
    delta_total: float = 0.0,
    difference_cap: float | None = None,
    p: float | None = None,
    cap: float | None = None,
    delta_prime: float = 0.0,
) -> float:
    """The largest epsilon per release, within a total guarantee or a promise about beliefs."""
    words, delta = method.lower(), total_delta or delta_total
    by_promise = eps_total is None
    if by_promise:
        promise = _promise(method, p=p, cap=cap, difference_cap=difference_cap, delta_prime=delta_prime)
        if words.startswith("exact") and any(name in words for name in MECHANISMS):
            return largest_budget(lambda eps: _rule(method, eps=eps), promise, releases=k)
        if words.startswith("optimal") and delta == 0.0 and delta_prime > 0.0:
            return largest_budget(lambda eps: OptimalRule(epsilon=eps, delta_each=delta_each), promise, releases=k)
        eps_total = promise.epsilon_prime
        if delta > 0.0 and delta_prime > 0.0:
            eps_total = float(
                approximate_epsilon_from_probabilistic(
                    epsilon_prime=promise.epsilon_prime, delta=delta, delta_prime=delta_prime
                )
            )
    for rule in ("basic", "advanced", "optimal", "exact"):
        if words.startswith(rule):
            return largest_epsilon_each(
                releases=k,
                total_epsilon=eps_total,  # type: ignore[arg-type]
                total_delta=delta,
                delta_each=delta_each,
                rule=rule,
            )
    raise ValueError(f"method must be a known rule of composition; got {method!r}")


def failure_probability(
    k: int,
    mechanism: str,
    eps_each: float | None = None,
    rho_each: float | None = None,
    difference_cap: float | None = None,
    p: float | None = None,
    cap: float | None = None,
    target: str = "in the data",
) -> dict[str, float]:
    """How often the mechanism itself breaks a promise."""
    allowed = _promise(p=p, cap=cap, difference_cap=difference_cap).epsilon_prime
    loss = PrivacyLoss.of(_mechanism(mechanism, eps_each if eps_each is not None else rho_each), k)  # type: ignore[arg-type]
    side: Any = "absent" if "not" in target or "absent" in target else "present"
    return {
        "rise": loss.exceedance(allowed, side=side, direction="rise"),
        "either": loss.exceedance(allowed, side=side, direction="either"),
    }


ANSWERS: dict[str, Callable[..., Any]] = {
    "compose_basic": compose_basic,
    "compose_advanced": compose_advanced,
    "compose_optimal": compose_optimal,
    "compose_exact": compose_exact,
    "compose_heterogeneous_delta": compose_heterogeneous_delta,
    "compose_heterogeneous_eps": compose_heterogeneous_eps,
    "compose_zcdp": lambda rho: concentrated_composition(rho).rho,
    "optimal_delta": lambda k, eps, l: optimal_delta(releases=k, epsilon=eps, steps=l),  # noqa: E741
    "optimal_to_pdp": optimal_to_pdp,
    "per_release_eps": per_release_eps,
    "first_release_above_cap": first_release_above_cap,
    "first_release_above_difference": first_release_above_difference,
    "largest_safe_k": largest_safe_k,
    "failure_probability": failure_probability,
}
