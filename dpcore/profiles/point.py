"""One prior at a time: the largest epsilon a bound on the posterior allows, and the posterior an epsilon allows.

The target is in the data with probability p (`membership_prior`); if so, the value lies in a set S with probability q
(`value_prior`); the prior of the disclosure is their product x = p q. Every bound here is a shift of log odds:
Theorem 4 says logit(posterior) - logit(x) is at most -log(w t^c + (1 - w) t), with t = e^-epsilon, w = p(1 - q)/(1 - x)
and c = 2. Theorem 5 is its inverse. In this form nothing cancels.
"""

from __future__ import annotations

from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number
from dpcore.errors import Code, Refused

_SPLIT = 134217729.0  # 2**27 + 1: splits a double into two halves whose products are exact (Veltkamp)
_TOUCHING = 4 * np.finfo(float).eps  # a cap this close below the prior, relatively, touches it: decimals are rounded


@call_hint
def product_error(left: FloatArray, right: FloatArray) -> FloatArray:
    """The exact product minus the rounded one (Dekker), for factors below 1e290.

    The promise is pure epsilon-DP for one record added or removed; its secret is presence at value prior 1, the value
    at membership prior 1, otherwise both.
    """
    left_high = left * _SPLIT - (left * _SPLIT - left)
    right_high = right * _SPLIT - (right * _SPLIT - right)
    left_low, right_low = left - left_high, right - right_high
    product = left * right
    return left_low * right_low - (((product - left_high * right_high) - left_low * right_high) - left_high * right_low)


@call_hint
def weights(membership_prior: FloatArray, value_prior: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Who the target is when the disclosure is false: in with another value, and out; the two add to 1.

    The promise is pure epsilon-DP for one record added or removed; its secret is presence at value prior 1, the value
    at membership prior 1, otherwise both.
    """
    inside = membership_prior * (1.0 - value_prior)
    outside = 1.0 - membership_prior
    total = inside + outside
    sure = total == 0.0
    if np.any(sure):
        total = np.where(sure, 1.0, total)
        outside = np.where(sure, 1.0, outside)
    return inside / total, outside / total


@call_hint
def remaining_after_ratio(membership_prior: FloatArray, value_prior: FloatArray, ratio: FloatArray) -> FloatArray:
    """1 - r p q with all its digits: the difference is ill-conditioned next to certainty, so it is taken exactly.

    The promise is pure epsilon-DP for one record added or removed; its secret is presence at value prior 1, the value
    at membership prior 1, otherwise both.
    """
    prior = membership_prior * value_prior
    with np.errstate(invalid="ignore", over="ignore"):
        posterior = ratio * prior
        remaining = np.asarray(1.0 - posterior)
        near = (posterior > 0.5) & (posterior < 2.0) & (ratio < 1e290)
        if np.any(near):
            exact = product_error(np.where(near, ratio, 1.0), prior)
            exact = exact + ratio * product_error(membership_prior, value_prior)
            remaining = np.where(near, remaining - exact, remaining)
    return remaining


@call_hint
def remaining_after_increase(membership_prior: FloatArray, value_prior: FloatArray, increase: FloatArray) -> FloatArray:
    """1 - p q - d, with the rounding of the product and of the first difference taken out.

    The promise is pure epsilon-DP for one record added or removed; its secret is presence at value prior 1, the value
    at membership prior 1, otherwise both.
    """
    prior = membership_prior * value_prior
    absent = 1.0 - prior
    lost = ((1.0 - absent) - prior) - product_error(membership_prior, value_prior)
    return np.asarray((absent - increase) + lost)


@call_hint
def shift_from_ratio(membership_prior: FloatArray, value_prior: FloatArray, ratio: FloatArray) -> FloatArray:
    """Log-odds shift to the posterior `ratio` times the prior; infinite where that posterior reaches 1.

    The promise is pure epsilon-DP for one record added or removed; its secret is presence at value prior 1, the value
    at membership prior 1, otherwise both.
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        remaining = remaining_after_ratio(membership_prior, value_prior, ratio)
        shift = np.log1p((ratio - 1.0) / remaining)
    return np.where((remaining > 0.0) & (ratio < np.inf), shift, np.inf)


@call_hint
def shift_from_parts(gain: FloatArray, prior: FloatArray, remaining: FloatArray, log_prior: FloatArray) -> FloatArray:
    """Log-odds shift from prior to cap, given cap - prior, the prior, 1 - cap: no difference is taken.

    The promise is pure epsilon-DP for one record added or removed; its secret is presence at value prior 1, the value
    at membership prior 1, otherwise both.
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        quotient = gain / (prior * remaining)
        shift = np.log1p(np.maximum(quotient, 0.0))
        large = ~(quotient < 1e10)
        if large.any():
            shift = np.where(large, np.log(gain) - log_prior - np.log(remaining), shift)
    return np.where(remaining <= 0.0, np.inf, np.where(gain <= 0.0, 0.0, shift))


@call_hint
def gain_over_prior(membership_prior: FloatArray, value_prior: FloatArray, cap: FloatArray) -> FloatArray:
    """Cap minus prior, with the rounding of the product p q taken out; rounding below the prior counts as touching.

    The promise is pure epsilon-DP for one record added or removed; its secret is presence at value prior 1, the value
    at membership prior 1, otherwise both.
    """
    prior = membership_prior * value_prior
    gain = cap - prior
    if not (np.all(value_prior == 1.0) or np.all(membership_prior == 1.0)):  # a product with 1 is not rounded
        gain = gain - product_error(membership_prior, value_prior)
    return np.where((gain < 0.0) & (gain >= -_TOUCHING * prior), 0.0, gain)


@call_hint
def shift_from_cap(membership_prior: FloatArray, value_prior: FloatArray, cap: FloatArray) -> FloatArray:
    """Log-odds shift from the prior p q to the posterior `cap`; infinite at cap 1.

    The promise is pure epsilon-DP for one record added or removed; its secret is presence at value prior 1, the value
    at membership prior 1, otherwise both.
    """
    gain = gain_over_prior(membership_prior, value_prior, cap)
    with np.errstate(divide="ignore"):
        log_prior = np.log(membership_prior) + np.log(value_prior)
    return shift_from_parts(gain, membership_prior * value_prior, 1.0 - cap, log_prior)


@call_hint
def epsilon_from_shift(
    shift: FloatArray, inside: FloatArray, outside: FloatArray, value_exponent: float = 2.0
) -> FloatArray:
    """Largest epsilon whose log-odds shift stays at most `shift`: inverts -log(inside t^c + outside t).

    The promise is pure epsilon-DP for one record added or removed; its secret is presence at value prior 1, the value
    at membership prior 1, otherwise both.
    """
    if value_exponent == 1.0 or not inside.any():
        return np.asarray(shift + np.zeros(np.shape(inside)))
    with np.errstate(over="ignore", under="ignore", invalid="ignore", divide="ignore"):
        if value_exponent == 2.0:
            target = np.exp(-shift)
            half_sum = 0.5 * (outside + np.sqrt(outside * outside + 4.0 * inside * target))
            shrink = target / half_sum
            small = -np.log1p(np.expm1(-shift) / (1.0 + inside * shrink))
            large = shift + np.log(half_sum)
            return np.where(np.isinf(shift), np.inf, np.where(shrink > 0.5, small, large))
        return _invert_by_newton(shift, inside, outside, value_exponent)


def _invert_by_newton(shift: FloatArray, inside: FloatArray, outside: FloatArray, value_exponent: float) -> FloatArray:
    """The same inverse for any exponent: Newton on a concave rising function climbs from 0 and never overshoots."""
    shift, inside, outside = np.broadcast_arrays(shift, inside, outside)
    never = np.isinf(shift)
    if value_exponent == 0.0:  # the share `inside` is not protected at all
        never = never | (np.exp(-shift) <= inside)
    target = np.where(never, 0.0, shift)
    epsilon = np.zeros_like(target)
    for _ in range(200):
        value, slope = _shift_and_slope(epsilon, inside, outside, value_exponent)
        step = (target - value) / slope
        epsilon = epsilon + np.maximum(step, 0.0)
        if np.all(step <= 4e-16 * epsilon):
            break
    return np.where(never, np.inf, epsilon)


def _shift_and_slope(
    epsilon: FloatArray, inside: FloatArray, outside: FloatArray, value_exponent: float
) -> tuple[FloatArray, FloatArray]:
    """The log-odds shift -log(inside t^c + outside t) at t = e^-epsilon, and its slope in epsilon."""
    slowest = np.where(inside > 0, np.where(outside > 0, min(value_exponent, 1.0), value_exponent), 1.0)
    with np.errstate(over="ignore", under="ignore", invalid="ignore", divide="ignore"):
        decay_inside = inside * np.exp(-(value_exponent - slowest) * epsilon)
        decay_outside = outside * np.exp(-(1.0 - slowest) * epsilon)
        total = np.where(inside > 0, decay_inside, 0.0) + np.where(outside > 0, decay_outside, 0.0)
        small = -np.log1p(inside * np.expm1(-value_exponent * epsilon) + outside * np.expm1(-epsilon))
        large = slowest * epsilon - np.log(total)
        slope = (
            np.where(inside > 0, value_exponent * decay_inside, 0.0) + np.where(outside > 0, decay_outside, 0.0)
        ) / total
    return np.where(epsilon < 0.5, small, large), slope


@call_hint
def shift_from_epsilon(
    epsilon: FloatArray, inside: FloatArray, outside: FloatArray, value_exponent: float = 2.0
) -> FloatArray:
    """Largest log-odds shift an epsilon allows (Theorem 4): -log(inside t^c + outside t).

    The promise is pure epsilon-DP for one record added or removed; its secret is presence at value prior 1, the value
    at membership prior 1, otherwise both.
    """
    finite = np.where(np.isinf(epsilon), 0.0, epsilon)
    with np.errstate(divide="ignore"):  # at exponent 0 the share `inside` is not protected at all
        limit = -np.log(inside) if value_exponent == 0.0 else np.inf
    return np.where(np.isinf(epsilon), limit, _shift_and_slope(finite, inside, outside, value_exponent)[0])


@overload
def largest_epsilon(
    *,
    membership_prior: Number,
    value_prior: Number,
    ratio_bound: Number | None = ...,
    posterior_cap: Number | None = ...,
    value_exponent: float = ...,
) -> float: ...
@overload
def largest_epsilon(
    *,
    membership_prior: ArrayLike,
    value_prior: ArrayLike,
    ratio_bound: ArrayLike | None = ...,
    posterior_cap: ArrayLike | None = ...,
    value_exponent: float = ...,
) -> FloatArray: ...
@call_hint
def largest_epsilon(
    *,
    membership_prior: ArrayLike,
    value_prior: ArrayLike,
    ratio_bound: ArrayLike | None = None,
    posterior_cap: ArrayLike | None = None,
    value_exponent: float = 2.0,
) -> Any:
    """Largest epsilon under which the posterior of one disclosure stays within a bound, whatever is released.

    The promise is pure epsilon-DP for one record added or removed; its secret is presence at value prior 1, the value
    at membership prior 1, otherwise both. The bound is either on posterior / prior (`ratio_bound`) or on the posterior
    itself (`posterior_cap`); the two are the same statement, but near prior and near 1 the cap keeps digits that the
    ratio has lost.

    Assumes pure epsilon-DP with add-or-remove neighbours, and an adversary who knows the mechanism and for whom the
    target is independent of the other records. With w = p(1 - q)/(1 - p q) and L the log-odds shift from prior to
    bound, t = e^-epsilon solves w t^2 + (1 - w) t = e^-L; the root is written without a difference. Exact, unrounded;
    infinite where the bound asks for nothing (posterior 1 allowed), 0 where it equals the prior. Arrays broadcast. The
    safe side is below.
    Source: thesis, Theorem 5; ours, the stable root and the exponent of one plain count; checked in 80 digits

    Parameters
    ----------
    membership_prior : array_like; belief that the target is in the data, p in (0, 1]
    value_prior : array_like; belief that, if in, the target's value lies in the set S, q in (0, 1]; 1 when only
        membership matters
    ratio_bound : array_like, optional; largest acceptable posterior / prior, at least 1
    posterior_cap : array_like, optional; largest acceptable posterior, in [p q, 1]. Exactly one of the two bounds is
        given.
    value_exponent : float; how many epsilon separate a value in S from one outside: 2 for any mechanism under
        add-or-remove neighbours (remove the record, add another), 1 for one plain count of S; in [0, 2]

    Examples
    --------
    >>> round(largest_epsilon(membership_prior=0.2, value_prior=1.0, ratio_bound=3), 6)  # log(0.8 / (1/3 - 0.2))
    1.791759
    >>> round(largest_epsilon(membership_prior=0.5, value_prior=1.0, posterior_cap=0.75), 6)  # odds 1 -> 3: log 3
    1.098612
    """
    membership = _checks.probability("membership_prior", membership_prior, open_low=True)
    value = _checks.probability("value_prior", value_prior, open_low=True)
    exponent = _checks.number("value_exponent", value_exponent, 0.0, 2.0)
    if (ratio_bound is None) == (posterior_cap is None):
        raise Refused(
            "exactly one of ratio_bound and posterior_cap",
            "be given",
            (ratio_bound, posterior_cap),
            Code.INCONSISTENT,
            got="",
        )
    if ratio_bound is not None:
        bound: ArrayLike = ratio_bound
        ratio = _checks.array("ratio_bound", ratio_bound, 1.0)
        np.broadcast_shapes(membership.shape, value.shape, ratio.shape)
        shift = shift_from_ratio(membership, value, ratio)
    else:
        assert posterior_cap is not None
        bound = posterior_cap
        cap = _checks.probability("posterior_cap", posterior_cap)
        np.broadcast_shapes(membership.shape, value.shape, cap.shape)
        below = gain_over_prior(membership, value, cap) < 0.0
        if np.any(below):
            caps, priors = np.broadcast_arrays(cap, membership * value)
            raise Refused(
                "posterior_cap",
                f"be at least the prior {float(priors[below].flat[0]):.6g}",
                float(caps[below].flat[0]),
                Code.INFEASIBLE,
            )
        shift = shift_from_cap(membership, value, cap)
    result = epsilon_from_shift(shift, *weights(membership, value), exponent)
    return _checks.scalar_or_array(result, membership_prior, value_prior, bound)


@overload
def reachable_posterior(
    *, membership_prior: Number, value_prior: Number, epsilon: Number, value_exponent: float = ...
) -> float: ...
@overload
def reachable_posterior(
    *, membership_prior: ArrayLike, value_prior: ArrayLike, epsilon: ArrayLike, value_exponent: float = ...
) -> FloatArray: ...
@call_hint
def reachable_posterior(
    *, membership_prior: ArrayLike, value_prior: ArrayLike, epsilon: ArrayLike, value_exponent: float = 2.0
) -> Any:
    """Largest posterior an attacker with this prior can reach under epsilon-DP.

    The promise is pure epsilon-DP for one record added or removed; its secret is presence at value prior 1, the value
    at membership prior 1, otherwise both. Adversary and neighbours as in `largest_epsilon`. The posterior p q / (p q +
    p(1-q) t^c + (1-p) t), t = e^-epsilon: an upper bound that some mechanism attains.
    Source: thesis, Theorem 4

    Parameters
    ----------
    membership_prior : array_like; belief that the target is in the data, p in [0, 1]
    value_prior : array_like; belief that, if in, the target's value lies in S, q in [0, 1]
    epsilon : array_like; privacy budget, at least 0 (infinite allowed)
    value_exponent : float; as in `largest_epsilon`: 2 in general, 1 for one plain count; in [0, 2]

    Examples
    --------
    >>> import math
    >>> round(reachable_posterior(membership_prior=0.5, value_prior=1.0, epsilon=math.log(3)), 6)
    0.75
    """
    membership = _checks.probability("membership_prior", membership_prior)
    value = _checks.probability("value_prior", value_prior)
    budget = _checks.array("epsilon", epsilon, 0.0, allow_infinite=True)
    exponent = _checks.number("value_exponent", value_exponent, 0.0, 2.0)
    shift = shift_from_epsilon(budget, *weights(membership, value), exponent)
    prior = membership * value
    with np.errstate(under="ignore"):
        other = (membership * (1.0 - value) + (1.0 - membership)) * np.exp(-shift)
        result = np.where(prior > 0.0, prior / np.where(prior + other > 0.0, prior + other, 1.0), 0.0)
    return _checks.scalar_or_array(result, membership_prior, value_prior, epsilon)
