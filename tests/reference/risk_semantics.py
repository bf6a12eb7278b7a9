"""Kinds of case on semantics, answered by public dpcore calls. Keyword arguments are the case's inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dpcore import accuracy, guarantees, rounding, semantics
from dpcore._checks import count, number
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from dpcore.privacy_loss import ExactPosterior


def _source_route(rho: Any, delta_prime: Any, delta: Any = None) -> Any:
    if delta is None or isinstance(delta, str):
        return guarantees.probabilistic_epsilon_from_rho_published(rho=rho, delta_prime=delta_prime)
    epsilon = guarantees.approximate_epsilon_from_rho(rho=rho, delta=delta)
    return guarantees.probabilistic_epsilon_from_approximate(epsilon=epsilon, delta=delta, delta_prime=delta_prime)


def _group_privacy(eps: Any, records: Any, delta: Any = 0.0) -> dict[str, float]:
    group = guarantees.ApproximateDP(epsilon=eps, delta=delta).for_group(records)
    return {"eps": group.epsilon, "delta": group.delta}


def _geometric_summary(eps: Any) -> dict[str, float]:
    error = accuracy.count_error(Geometric(epsilon=eps))
    return {"std": error.root_mean_square, "prob_exact": error.probability_exact}


def _switch_counts(total: Any, target_per_1000: Any, deviations: Any) -> dict[str, Any]:
    target = accuracy.RateTarget(total=total, target_per_thousand=target_per_1000)
    return {"target_count": target.target_count, "deviation_counts": list(target.deviation_counts(deviations))}


def _switch_probability(
    eps: Any,
    total: Any,
    deviation_per_1000: Any,
    target_per_1000: Any = 0.0,
    truth: str = "below target by the deviation",
) -> float:
    target = accuracy.RateTarget(total=total, target_per_thousand=target_per_1000)
    (deviation,) = target.deviation_counts([deviation_per_1000])
    sides = {"below": -deviation, "above": deviation}
    side = str(truth).split()[0]
    if side not in sides:
        raise ValueError(f"truth must start with 'below' or 'above'; got {truth!r}")
    return accuracy.wrong_side_probability(Geometric(epsilon=eps), excess=sides[side])


def _safe_rounding(quantity: str, value: Any, digits: Any) -> float:
    if not isinstance(quantity, str):
        raise ValueError(f"quantity must be a description; got {quantity!r}")
    words = quantity.lower()
    downwards = ("lower", "floor", "budget", "epsilon", "eps", "rho", "recommended")
    if "upper" in words or not any(word in words for word in downwards):
        return rounding.round_up(value, digits)
    return rounding.round_down(value, digits)


def _worst_prior(eps: Any) -> dict[str, Any]:
    return {
        "largest_fall": semantics.worst_prior_fall(epsilon=eps),
        "largest_rise": semantics.worst_prior_rise(epsilon=eps),
    }


def _geometric(eps: Any, p: Any, k: Any = 1) -> ExactPosterior:
    return ExactPosterior.of(Geometric(epsilon=eps), prior=p, releases=k)


def _example_6(eps: Any, delta: Any, delta_prime: Any) -> dict[str, Any]:
    promise = guarantees.ApproximateDP(epsilon=eps, delta=delta)
    half = semantics.belief_bounds(promise, prior=0.5, delta_prime=delta_prime)
    vanishing = semantics.belief_bounds(promise, prior=0.0, delta_prime=delta_prime)
    return {
        "posterior_interval_at_half": [half.posterior_lower, half.posterior_upper],
        "sup_ratio": vanishing.ratio_upper,
        "inf_ratio": vanishing.ratio_lower,
        "sup_difference": half.largest_difference,
    }


def _example_7(rho_daily: Any, days: Any, delta_prime: Any, p: Any = None) -> dict[str, int]:
    epsilon = _source_route(number("rho_daily", rho_daily, 0.0) * count("days", days, 1), delta_prime)
    rise = semantics.worst_prior_rise(epsilon=epsilon)
    answer = {} if p is None else {"posterior_percent": semantics.posterior_upper(prior=p, epsilon=epsilon)}
    answer |= {
        "max_difference_percent": semantics.largest_difference(epsilon=epsilon),
        "worst_from_percent": rise,
        "worst_to_percent": semantics.posterior_upper(prior=rise, epsilon=epsilon),
    }
    return {name: round(100 * value) for name, value in answer.items()}


def _example_9(eps: Any, delta: Any, delta_prime: Any) -> dict[str, Any]:
    promise = guarantees.ApproximateDP(epsilon=eps, delta=delta)

    def at(prior: float) -> semantics.BeliefBounds:
        return semantics.belief_bounds(promise, prior=prior, delta_prime=delta_prime)

    worst = at(at(0.5).worst_prior_rise)
    return {
        "posterior_at_half_percent": round(100 * at(0.5).posterior_upper),
        "ratio_at_half": round(at(0.5).ratio_upper, 1),
        "posterior_at_tenth_percent": round(100 * at(0.1).posterior_upper),
        "ratio_at_tenth": round(at(0.1).ratio_upper, 1),
        "worst_prior_percent": round(100 * worst.prior),
        "worst_posterior_percent": round(100 * worst.posterior_upper),
        "worst_difference_percent": round(100 * worst.difference_upper),
        "worst_ratio": round(worst.ratio_upper, 1),
        "sup_ratio": rounding.round_up(at(0.0).ratio_upper, 1),
    }


ANSWERS: dict[str, Callable[..., Any]] = {
    "relative_risk_bound": lambda p, q, eps: semantics.relative_risk_upper(
        membership_prior=p, value_prior=q, epsilon=eps
    ),
    "relative_risk_floor": lambda p, q, eps: semantics.relative_risk_lower(
        membership_prior=p, value_prior=q, epsilon=eps
    ),
    "posterior_bounds": lambda p, eps: list(semantics.posterior_bounds(prior=p, epsilon=eps)),
    "ratio_bounds": lambda p, eps: list(semantics.ratio_bounds(prior=p, epsilon=eps)),
    "ratio_bounds_absent": lambda p, eps: list(semantics.ratio_bounds(prior=p, epsilon=eps, side="absent")),
    "difference_bounds": lambda p, eps: list(semantics.difference_bounds(prior=p, epsilon=eps)),
    "sup_difference": lambda eps: semantics.largest_difference(epsilon=eps),
    "worst_prior": _worst_prior,
    "difference_to_pdp": lambda eps: semantics.probabilistic_epsilon_from_difference_bound(epsilon=eps),
    "eps_from_posterior": lambda p, cap: semantics.epsilon_from_posterior(prior=p, cap=cap),
    "eps_from_difference": lambda b: semantics.epsilon_from_difference(largest=b),
    "approx_to_pdp": lambda eps, delta, delta_prime: guarantees.probabilistic_epsilon_from_approximate(
        epsilon=eps, delta=delta, delta_prime=delta_prime
    ),
    "approx_to_pdp_delta": lambda eps, delta, eps_prime: guarantees.probabilistic_delta_from_approximate(
        epsilon=eps, delta=delta, epsilon_prime=eps_prime
    ),
    "approx_to_pdp_one_sided": lambda eps, delta, delta_prime: guarantees.one_sided_epsilon_from_approximate(
        epsilon=eps, delta=delta, delta_prime=delta_prime
    ),
    "pdp_to_approx_eps": lambda eps_prime, delta, delta_prime: guarantees.approximate_epsilon_from_probabilistic(
        epsilon_prime=eps_prime, delta=delta, delta_prime=delta_prime
    ),
    "zcdp_to_approx": lambda rho, delta: guarantees.approximate_epsilon_from_rho(rho=rho, delta=delta),
    "zcdp_to_pdp_source": _source_route,
    "zcdp_to_pdp_direct": lambda rho, delta_prime: guarantees.probabilistic_epsilon_from_rho(
        rho=rho, delta_prime=delta_prime
    ),
    "gaussian_pdp": lambda rho, delta_prime: guarantees.gaussian_probabilistic_epsilon(
        rho=rho, delta_prime=delta_prime
    ),
    "gaussian_rho_from_pdp": lambda eps_prime, delta_prime: guarantees.gaussian_rho_from_probabilistic(
        epsilon_prime=eps_prime, delta_prime=delta_prime
    ),
    "rho_from_pdp_direct": lambda eps_prime, delta_prime: guarantees.rho_from_probabilistic(
        epsilon_prime=eps_prime, delta_prime=delta_prime
    ),
    "rho_from_pdp_source": lambda eps_prime, delta_prime: guarantees.rho_from_probabilistic_published(
        epsilon_prime=eps_prime, delta_prime=delta_prime
    ),
    "group_privacy": _group_privacy,
    "geometric_summary": _geometric_summary,
    "switch_counts": _switch_counts,
    "switch_probability_below": _switch_probability,
    "wood_bound": lambda a0, eps: semantics.wood_posterior_upper(prior=a0, epsilon=eps),
    "safe_rounding": _safe_rounding,
    "laplace_mean_posterior": lambda p, eps: ExactPosterior.of(Laplace(epsilon=eps), prior=p).mean(),
    "laplace_posterior_cdf": lambda p, eps, x: ExactPosterior.of(Laplace(epsilon=eps), prior=p).cdf(x),
    "gaussian_mean_posterior": lambda p, rho: ExactPosterior.of(Gaussian(rho=rho), prior=p).mean(),
    "gaussian_posterior_tail": lambda p, rho, x: ExactPosterior.of(Gaussian(rho=rho), prior=p).tail(x),
    "dgauss_mean_posterior": lambda p, rho: ExactPosterior.of(DiscreteGaussian(rho=rho), prior=p).mean(),
    "dgauss_posterior_tail": lambda p, rho, x: ExactPosterior.of(DiscreteGaussian(rho=rho), prior=p).tail(x),
    "geometric_mean_posterior": lambda p, eps, k=1: _geometric(eps, p, k).mean(),
    "geometric_posterior_tail": lambda p, eps, x, k=1: _geometric(eps, p, k).tail(x),
    "example_6": _example_6,
    "example_7": _example_7,
    "example_9": _example_9,
}
