"""What a guarantee means for beliefs about a person: posterior, ratio and difference bounds, and exact posteriors.

The attacker of chapter 5 knows every other record and everything about the target except whether she is in the data
(prior `prior`). Her posterior odds are her prior odds times e^Z, Z the privacy loss, so every bound here is a shift of
log odds. The attacker of chapter 3 (`relative_risk_upper`) is uncertain about membership (`membership_prior`) and about
the value (`value_prior`), and believes the other records independent of the target's.

Three readings are kept apart. *Bounds* hold for any mechanism with the guarantee and every view of its output. *Exact*
laws (`dpcore.privacy_loss.ExactPosterior`) speak of named mechanisms, at full sensitivity, to an attacker who sees
their raw output: the chance of a high posterior can be larger when she sees a coarsened output only, up to the bound.

Scalars in, float out; arrays broadcast. Bounds are computed without cancellation, however small the prior or epsilon.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit

from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number, array, choice, kind_of, number, probability, scalar_or_array
from dpcore.errors import Code, Refused
from dpcore.guarantees import (
    ApproximateDP,
    Guarantee,
    ProbabilisticDP,
    PureDP,
    ZeroConcentratedDP,
    one_sided_epsilon_from_approximate,
)
from dpcore.privacy_loss import SIDES, Side
from dpcore.promise import Promise

FloatPair = tuple[Any, Any]


def _epsilon(epsilon: ArrayLike) -> FloatArray:
    return array("epsilon", epsilon, 0.0, math.inf, allow_infinite=True)


# Chapter 3: membership and value both uncertain


def _log_weights(membership_prior: ArrayLike, value_prior: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    p, q = probability("membership_prior", membership_prior), probability("value_prior", value_prior)
    with np.errstate(divide="ignore"):
        return np.log(p * q), np.log(p * (1 - q)), np.log1p(-p)


@overload
def relative_risk_upper(
    *, membership_prior: Number, value_prior: Number, epsilon: Number, value_exponent: float = ...
) -> float: ...
@overload
def relative_risk_upper(
    *, membership_prior: ArrayLike, value_prior: ArrayLike, epsilon: ArrayLike, value_exponent: float = ...
) -> FloatArray: ...
@call_hint
def relative_risk_upper(
    *, membership_prior: ArrayLike, value_prior: ArrayLike, epsilon: ArrayLike, value_exponent: float = 2.0
) -> float | FloatArray:
    """Largest ratio of posterior to prior that epsilon-DP permits an attacker unsure of membership and value.

    The promise is about one person's being in the data with a value, a secret of two steps where `value_exponent` is 2;
    epsilon is that of one step. The value is 1/(p q + p (1 - q) t^c + (1 - p) t), t = e^-epsilon. An upper bound,
    attained by some mechanism.
    Source: thesis, Theorem 4; ours, general exponent

    Parameters
    ----------
    membership_prior : array_like; belief p that the target is in the data, in [0, 1]
    value_prior : array_like; belief q that her value is the sensitive one, given that she is, in [0, 1]
    epsilon : array_like; pure-DP budget for adding or removing a person, at least 0
    value_exponent : float, optional; power c in [0, 2] of e^-epsilon that separates two values of one person: 2 in
        general, 1 for one plain count, 0 when outputs do not depend on the value

    Examples
    --------
    >>> round(relative_risk_upper(membership_prior=0.05, value_prior=0.9, epsilon=0.1), 6)
    1.100486
    """
    p, q, eps = (
        probability("membership_prior", membership_prior),
        probability("value_prior", value_prior),
        array("epsilon", epsilon, 0.0),
    )
    exponent = number("value_exponent", value_exponent, 0.0, 2.0)
    taken = p * (1 - q) * np.expm1(-exponent * eps) + (1 - p) * np.expm1(-eps)
    left = p * q + p * (1 - q) * np.exp(-exponent * eps) + (1 - p) * np.exp(-eps)
    weighted = np.where(taken > -0.5, 1.0 + taken, left)  # exactly 1 at epsilon 0; nothing cancels where little is left
    with np.errstate(divide="ignore"):
        result = np.where(weighted > 0, 1 / weighted, np.inf)
    return scalar_or_array(result, membership_prior, value_prior, epsilon)


@overload
def relative_risk_lower(
    *, membership_prior: Number, value_prior: Number, epsilon: Number, value_exponent: float = ...
) -> float: ...
@overload
def relative_risk_lower(
    *, membership_prior: ArrayLike, value_prior: ArrayLike, epsilon: ArrayLike, value_exponent: float = ...
) -> FloatArray: ...
@call_hint
def relative_risk_lower(
    *, membership_prior: ArrayLike, value_prior: ArrayLike, epsilon: ArrayLike, value_exponent: float = 2.0
) -> float | FloatArray:
    """Smallest ratio of posterior to prior that epsilon-DP permits an attacker unsure of membership and value.

    The promise is that of `relative_risk_upper`: the secret is being in the data with a value, epsilon is for one
    person added or removed. The value is 1/(p q + p (1 - q) e^(c epsilon) + (1 - p) e^epsilon). A lower bound. The
    parameters are those of `relative_risk_upper`.
    Source: ours, mirror of thesis Theorem 4

    Examples
    --------
    >>> round(relative_risk_lower(membership_prior=0.5, value_prior=0.5, epsilon=1.0), 6)
    0.289318
    """
    eps = array("epsilon", epsilon, 0.0)
    exponent = number("value_exponent", value_exponent, 0.0, 2.0)
    both, other, absent = _log_weights(membership_prior, value_prior)
    log_sum = np.logaddexp(np.logaddexp(both, other + exponent * eps), absent + eps)
    return scalar_or_array(np.exp(-np.maximum(log_sum, 0.0)), membership_prior, value_prior, epsilon)


@overload
def wood_posterior_upper(*, prior: Number, epsilon: Number) -> float: ...
@overload
def wood_posterior_upper(*, prior: ArrayLike, epsilon: ArrayLike) -> FloatArray: ...
@call_hint
def wood_posterior_upper(*, prior: ArrayLike, epsilon: ArrayLike) -> float | FloatArray:
    """Largest posterior by the rule of Wood et al.: the log odds rise by at most twice epsilon.

    The promise is about any secret at most two steps of the relation away; epsilon is that of one step. The value is
    a0/(a0 + e^(-2 epsilon) (1 - a0)). An upper bound.
    Source: wood, section on posterior beliefs; thesis, (3.44)

    Parameters
    ----------
    prior : array_like; belief before the release, in [0, 1]
    epsilon : array_like; pure-DP budget, at least 0

    Examples
    --------
    >>> round(wood_posterior_upper(prior=0.5, epsilon=0.1), 6)
    0.549834
    """
    return posterior_upper(
        prior=prior, epsilon=2 * _epsilon(epsilon) if np.ndim(epsilon) else 2 * float(_epsilon(epsilon))
    )


# Chapter 5: only membership uncertain


def _shrunk(epsilon: FloatArray) -> FloatArray:
    with np.errstate(under="ignore"):
        return np.exp(-epsilon)


@overload
def posterior_upper(*, prior: Number, epsilon: Number) -> float: ...
@overload
def posterior_upper(*, prior: ArrayLike, epsilon: ArrayLike) -> FloatArray: ...
@call_hint
def posterior_upper(*, prior: ArrayLike, epsilon: ArrayLike) -> float | FloatArray:
    """Largest posterior that a shift of log odds by at most epsilon permits.

    The promise is about one secret, epsilon the shift between its two worlds: a guarantee's own for one step. The value
    is p/(p + (1 - p) e^-epsilon). An upper bound, attained for pure DP.
    Source: thesis, Theorem 28 and Corollary 32

    Parameters
    ----------
    prior : array_like; belief before the release, in [0, 1]
    epsilon : array_like; bound on the shift of log odds, at least 0, may be infinite: the epsilon of pure DP, or the
        epsilon' of probabilistic DP, in which case the bound holds except with probability delta'

    Examples
    --------
    >>> round(posterior_upper(prior=0.1, epsilon=1.8), 3)
    0.402
    """
    p, eps = np.broadcast_arrays(probability("prior", prior), _epsilon(epsilon))
    with np.errstate(invalid="ignore"):
        result = np.where((p == 0) | (eps == 0), p, p / (p + (1 - p) * _shrunk(eps)))
    return scalar_or_array(result, prior, epsilon)


@overload
def posterior_lower(*, prior: Number, epsilon: Number) -> float: ...
@overload
def posterior_lower(*, prior: ArrayLike, epsilon: ArrayLike) -> FloatArray: ...
@call_hint
def posterior_lower(*, prior: ArrayLike, epsilon: ArrayLike) -> float | FloatArray:
    """Smallest posterior that a shift of log odds by at most epsilon permits.

    The promise is about one secret, epsilon the shift between its two worlds: a guarantee's own for one step. The value
    is p e^-epsilon/(p e^-epsilon + 1 - p). A lower bound, attained for pure DP. The parameters are those of
    `posterior_upper`.
    Source: thesis, Theorem 28 and Corollary 32

    Examples
    --------
    >>> round(posterior_lower(prior=0.5, epsilon=0.1), 4)
    0.475
    """
    p, eps = np.broadcast_arrays(probability("prior", prior), _epsilon(epsilon))
    t = _shrunk(eps)
    with np.errstate(invalid="ignore"):
        result = np.where((p == 1) | (eps == 0), p, p * t / (p * t + (1 - p)))
    return scalar_or_array(result, prior, epsilon)


@call_hint
def posterior_bounds(*, prior: ArrayLike, epsilon: ArrayLike) -> FloatPair:
    """Smallest and largest posterior that a shift of log odds by at most epsilon permits.

    The promise is about one secret, epsilon the shift between its two worlds: a guarantee's own for one step. The
    parameters are those of `posterior_upper`.
    Source: thesis, Corollary 32

    Returns
    -------
    pair of float or array
        (lower, upper), each as `posterior_lower` and `posterior_upper` give it.

    Examples
    --------
    >>> [round(end, 3) for end in posterior_bounds(prior=0.5, epsilon=0.1)]
    [0.475, 0.525]
    """
    return posterior_lower(prior=prior, epsilon=epsilon), posterior_upper(prior=prior, epsilon=epsilon)


@call_hint
def ratio_bounds(*, prior: ArrayLike, epsilon: ArrayLike, side: Side = "present") -> FloatPair:
    """Smallest and largest ratio of posterior to prior that a shift of log odds by at most epsilon permits.

    The promise is about one secret, epsilon the shift between its two worlds: a guarantee's own for one step.
    Source: thesis, Theorems 28 and 29, Corollary 33; section 5.4.4 for the absent side

    Parameters
    ----------
    prior : array_like; belief that the target is in the data, in [0, 1]; at the certain end the limit is returned
    epsilon : array_like; as in `posterior_upper`
    side : str, optional; whether the ratio is that of the belief "is in the data" (``"present"``) or of "is not in the
        data" (``"absent"``, prior 1 - p)

    Returns
    -------
    pair of float or array
        (e^-eps/(p e^-eps + 1 - p), 1/(p + (1 - p) e^-eps)), within [e^-epsilon, e^epsilon]. Bounds.

    Examples
    --------
    >>> [round(end, 4) for end in ratio_bounds(prior=0.5, epsilon=1.8)]
    [0.2837, 1.7163]
    """
    p, eps = np.broadcast_arrays(probability("prior", prior), _epsilon(epsilon))
    belief, rest = (p, 1 - p) if choice("side", side, SIDES[:2]) == "present" else (1 - p, p)
    t = _shrunk(eps)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        lower = np.where(rest == 0, 1.0, t / (belief * t + rest))
        upper = np.where(belief == 0, np.exp(eps), 1 / (belief + rest * t))
    return scalar_or_array(lower, prior, epsilon), scalar_or_array(upper, prior, epsilon)


@call_hint
def difference_bounds(*, prior: ArrayLike, epsilon: ArrayLike) -> FloatPair:
    """Largest fall (negative) and largest rise of the belief that a shift of log odds by at most epsilon permits.

    The promise is about one secret, epsilon the shift between its two worlds: a guarantee's own for one step. The
    parameters are those of `posterior_upper`.
    Source: thesis, Theorem 28; ours, the form without cancellation

    Returns
    -------
    pair of float or array
        (-p(1-p)(1-t)/(pt + 1-p), p(1-p)(1-t)/(p + (1-p)t)), t = e^-epsilon: posterior minus prior, without a
        subtraction. Bounds. For the belief "is not in the data" exchange the two and their signs.

    Examples
    --------
    >>> difference_bounds(prior=0.5, epsilon=1e-12)
    (-2.5e-13, 2.5e-13)
    """
    p, eps = np.broadcast_arrays(probability("prior", prior), _epsilon(epsilon))
    t = _shrunk(eps)
    size = p * (1 - p) * -np.expm1(-eps)
    with np.errstate(invalid="ignore"):
        lower = np.where(size == 0, 0.0, -size / (p * t + (1 - p)))
        upper = np.where(size == 0, 0.0, size / (p + (1 - p) * t))
    return scalar_or_array(lower, prior, epsilon), scalar_or_array(upper, prior, epsilon)


@overload
def largest_difference(*, epsilon: Number) -> float: ...
@overload
def largest_difference(*, epsilon: ArrayLike) -> FloatArray: ...
@call_hint
def largest_difference(*, epsilon: ArrayLike) -> float | FloatArray:
    """Largest change of any belief, over all priors, that a shift of log odds by at most epsilon permits.

    The promise is about one secret, epsilon the shift between its two worlds: a guarantee's own for one step. The value
    is tanh(epsilon/4); reached at `worst_prior_rise` and `worst_prior_fall`. The parameter is that of
    `posterior_upper`.
    Source: thesis, Theorem 31 and Corollary 34

    Examples
    --------
    >>> round(largest_difference(epsilon=1.8), 4)
    0.4219
    """
    return scalar_or_array(np.tanh(_epsilon(epsilon) / 4), epsilon)


@overload
def worst_prior_rise(*, epsilon: Number) -> float: ...
@overload
def worst_prior_rise(*, epsilon: ArrayLike) -> FloatArray: ...
@call_hint
def worst_prior_rise(*, epsilon: ArrayLike) -> float | FloatArray:
    """The prior whose belief can rise most; it can rise to one minus itself.

    The promise is about one secret, epsilon the shift between its two worlds: a guarantee's own for one step. The value
    is 1/(1 + e^(epsilon/2)). The parameter is that of `posterior_upper`.
    Source: thesis, Lemma 30

    Examples
    --------
    >>> round(worst_prior_rise(epsilon=2.0), 2)
    0.27
    """
    return scalar_or_array(expit(-_epsilon(epsilon) / 2), epsilon)


@overload
def worst_prior_fall(*, epsilon: Number) -> float: ...
@overload
def worst_prior_fall(*, epsilon: ArrayLike) -> FloatArray: ...
@call_hint
def worst_prior_fall(*, epsilon: ArrayLike) -> float | FloatArray:
    """The prior whose belief can fall most; it can fall to one minus itself.

    The promise is about one secret, epsilon the shift between its two worlds: a guarantee's own for one step. The value
    is 1/(1 + e^(-epsilon/2)). The parameter is that of `posterior_upper`.
    Source: thesis, Lemma 30

    Examples
    --------
    >>> round(worst_prior_fall(epsilon=2.0), 2)
    0.73
    """
    return scalar_or_array(expit(_epsilon(epsilon) / 2), epsilon)


@overload
def probabilistic_epsilon_from_difference_bound(*, epsilon: Number) -> float: ...
@overload
def probabilistic_epsilon_from_difference_bound(*, epsilon: ArrayLike) -> FloatArray: ...
@call_hint
def probabilistic_epsilon_from_difference_bound(*, epsilon: ArrayLike) -> float | FloatArray:
    """Epsilon of the probabilistic DP that follows when no belief changes by more than tanh(epsilon/4).

    The promise is about one secret, epsilon the shift between its two worlds: a guarantee's own for one step. The
    converse of Theorem 31: from a promise on differences, kept with probability 1 - delta, back to a guarantee. The
    value is log(3h - 1) - log(3 - h), h = e^(epsilon/2), at the same delta; infinite from epsilon = 2 log 3 on, where
    nothing follows. The condition is not stated in the source.
    Source: thesis, Theorem 31 part 2; ours, the condition epsilon < 2 log 3

    Parameters
    ----------
    epsilon : array_like; the epsilon whose largest difference tanh(epsilon/4) is promised, at least 0

    Examples
    --------
    >>> round(probabilistic_epsilon_from_difference_bound(epsilon=1.0), 4)
    1.0717
    """
    eps = _epsilon(epsilon)
    allowed = eps < 2 * math.log(3)
    half = np.where(allowed, eps, 0.0) / 2
    result = np.log1p(4 * np.expm1(half) / (-3 * np.expm1(half - math.log(3))))
    return scalar_or_array(np.where(allowed, result, np.inf), epsilon)


# From a promise about beliefs back to epsilon


@overload
def epsilon_from_posterior(*, prior: Number, cap: Number) -> float: ...
@overload
def epsilon_from_posterior(*, prior: ArrayLike, cap: ArrayLike) -> FloatArray: ...
@call_hint
def epsilon_from_posterior(*, prior: ArrayLike, cap: ArrayLike) -> float | FloatArray:
    """Largest epsilon of the secret (between its two worlds) with which a belief of `prior` cannot rise above `cap`.

    The promise is about one secret, epsilon the shift between its two worlds: a guarantee's own for one step. The value
    is logit(cap) - logit(prior), without cancellation when both are close; infinite for a cap of 1 or a prior of 0.
    Source: thesis, Corollary 32 solved for epsilon

    Parameters
    ----------
    prior : array_like; belief before the release, in [0, 1]
    cap : array_like; highest acceptable posterior, in [prior, 1]

    Examples
    --------
    >>> round(epsilon_from_posterior(prior=0.5, cap=0.8), 6)  # log 4
    1.386294
    """
    p, c = np.broadcast_arrays(probability("prior", prior), probability("cap", cap))
    if (c < p).any():
        raise Refused("cap", "be at least the prior", float(c[c < p].flat[0]), Code.INFEASIBLE)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        odds_gain = (c - p) / (p * (1 - c))
        result = np.where(odds_gain < 1e200, np.log1p(odds_gain), logit(c) - logit(p))
    return scalar_or_array(np.where((p == 0) | (c == 1), np.inf, result), prior, cap)


@overload
def epsilon_from_difference(*, largest: Number) -> float: ...
@overload
def epsilon_from_difference(*, largest: ArrayLike) -> FloatArray: ...
@call_hint
def epsilon_from_difference(*, largest: ArrayLike) -> float | FloatArray:
    """Largest epsilon of the secret (between its two worlds) with which no belief changes by more than `largest`.

    The promise is about one secret, epsilon the shift between its two worlds: a guarantee's own for one step. The value
    is 4 artanh(largest). For one prior, use `epsilon_from_posterior` with cap = prior + largest.
    Source: thesis, Corollary 34 solved for epsilon

    Parameters
    ----------
    largest : array_like; largest acceptable change of a belief, in [0, 1)

    Examples
    --------
    >>> round(epsilon_from_difference(largest=0.2), 2)
    0.81
    """
    return scalar_or_array(4 * np.arctanh(probability("largest", largest, open_high=True)), largest)


@overload
def epsilon_from_ratio(*, largest: Number, prior: Number = ...) -> float: ...
@overload
def epsilon_from_ratio(*, largest: ArrayLike, prior: ArrayLike = ...) -> FloatArray: ...
@call_hint
def epsilon_from_ratio(*, largest: ArrayLike, prior: ArrayLike = 0.0) -> float | FloatArray:
    """Largest epsilon of the secret (between its two worlds) with which posterior / prior stays at most `largest`.

    The promise is about one secret, epsilon the shift between its two worlds: a guarantee's own for one step. The value
    is log(largest) for every prior; for one prior p, -log((1/largest - p)/(1 - p)), infinite where p largest >= 1.
    Source: thesis, Theorem 29 and Corollary 33 solved for epsilon

    Parameters
    ----------
    largest : array_like; largest acceptable ratio, at least 1
    prior : array_like, optional; belief before the release, in [0, 1]; the default 0 gives the promise for every prior

    Examples
    --------
    >>> round(epsilon_from_ratio(largest=3), 4)
    1.0986
    """
    r, p = np.broadcast_arrays(array("largest", largest, 1.0), probability("prior", prior))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        share = (r - 1) / r / (1 - p)
        small = -np.log1p(-np.minimum(share, 0.5))
        large = np.log(r) + np.log1p(-p) - np.log1p(-np.minimum(p * r, 1.0))
        result = np.where(p * r >= 1, np.inf, np.where(share < 0.5, small, large))
    return scalar_or_array(np.where((r == 1) & (p < 1), 0.0, result), largest, prior)


# Every guarantee at once


@call_hint
@dataclass(frozen=True)
class BeliefBounds:
    """What a guarantee promises about a belief: shift of log odds, and what it makes of posterior, ratio, difference.

    Parameters
    ----------
    epsilon_prime : float; largest shift of the log odds
    failure_probability : float; probability, over the noise, with which the promise may fail
    one_sided : bool; whether only rises are bounded
    prior : float or array; the priors, in [0, 1]
    posterior_lower, posterior_upper : float or array; bounds on the posterior
    ratio_lower, ratio_upper : float or array; bounds on posterior/prior
    ratio_absent_lower, ratio_absent_upper : float or array; the same for the belief that the target is not in the data
    difference_lower, difference_upper : float or array; bounds on posterior - prior
    worst_prior_rise, worst_prior_fall : float; priors with the largest rise and fall
    largest_difference : float; the largest change over all priors

    Examples
    --------
    >>> bounds = belief_bounds(PureDP(epsilon=1.0), prior=0.5)
    >>> round(bounds.posterior_upper, 4), round(bounds.posterior_lower, 4), bounds.failure_probability
    (0.7311, 0.2689, 0.0)
    """

    epsilon_prime: float
    failure_probability: float
    one_sided: bool
    prior: Any
    posterior_lower: Any
    posterior_upper: Any
    ratio_lower: Any
    ratio_upper: Any
    ratio_absent_lower: Any
    ratio_absent_upper: Any
    difference_lower: Any
    difference_upper: Any
    worst_prior_rise: float
    worst_prior_fall: float
    largest_difference: float


@call_hint
def shift_bound(
    guarantee: Guarantee, *, delta_prime: float = 0.0, one_sided: bool = False, promise: Promise | None = None
) -> float:
    """Largest shift of the log odds of a promise's secret, or of one step, except with probability delta'.

    The value is epsilon', an upper bound in log-odds units. A one-sided promise is a little smaller. For zCDP the
    one-sided form is rho + 2 sqrt(rho log(1/delta')).
    Source: thesis, Theorems 28 and 35; bun_steinke, Lemma 3.5
    Source: ours, direct and one-sided forms (see `dpcore.guarantees`)

    Parameters
    ----------
    guarantee : guarantee; any of the four, for one step of its relation
    promise : Promise, optional; whose secret is meant; left out, the two worlds are neighbouring tables, one step
        apart. A value under a relation that adds or removes records is two steps away: say so with a promise
    delta_prime : float, optional; allowed failure probability, in [0, 1): above delta for approximate DP, above 0 for
        zCDP
    one_sided : bool, optional; bound rises only

    Examples
    --------
    >>> shift_bound(PureDP(epsilon=1.0))
    1.0
    >>> shift_bound(PureDP(epsilon=1.0), promise=Promise(secret="value", relation="add_or_remove"))
    2.0
    """
    kind_of("guarantee", guarantee, Guarantee, "a guarantee such as PureDP(epsilon=1.0)")
    number("delta_prime", delta_prime, 0.0, 1.0, open_high=True)
    if promise is not None:
        kind_of("promise", promise, Promise, "a Promise")
        guarantee = promise.guarantee_of_secret(guarantee)
    if isinstance(guarantee, ApproximateDP) and one_sided:
        epsilon, delta = guarantee.epsilon, guarantee.delta
        return float(one_sided_epsilon_from_approximate(epsilon=epsilon, delta=delta, delta_prime=delta_prime))
    if isinstance(guarantee, ZeroConcentratedDP):
        if guarantee.rho == 0:
            return 0.0
        number("delta_prime", delta_prime, 0.0, 1.0, open_low=True, open_high=True)
        if one_sided:
            return guarantee.rho + 2 * math.sqrt(guarantee.rho * -math.log(delta_prime))
    return float(guarantee.probabilistic_epsilon(delta_prime))


@call_hint
def belief_bounds(
    guarantee: Guarantee,
    *,
    prior: ArrayLike,
    delta_prime: float = 0.0,
    one_sided: bool = False,
    promise: Promise | None = None,
) -> BeliefBounds:
    """Everything a guarantee promises about beliefs in a promise's secret, or in one of two neighbouring tables.

    Bounds for any mechanism with the guarantee. They hold except with probability delta' over the noise.
    Source: thesis, Theorems 27 to 31 and Corollaries 32 to 38

    Parameters
    ----------
    guarantee : guarantee; `PureDP`, `ApproximateDP`, `ProbabilisticDP` or `ZeroConcentratedDP`, for one step of its
        relation
    promise : Promise, optional; as in `shift_bound`
    prior : array_like; beliefs before the release, in [0, 1]; any shape
    delta_prime : float, optional; allowed failure probability; see `shift_bound`
    one_sided : bool, optional; bound rises only; falls then have no bound

    Examples
    --------
    >>> bounds = belief_bounds(ApproximateDP(epsilon=1.8, delta=1e-5), prior=0.5, delta_prime=0.05)
    >>> round(bounds.posterior_upper, 2), round(bounds.largest_difference, 2)
    (0.86, 0.42)
    """
    epsilon = shift_bound(guarantee, delta_prime=delta_prime, one_sided=one_sided, promise=promise)
    if promise is not None:
        guarantee = promise.guarantee_of_secret(guarantee)
    falls = math.inf if one_sided else epsilon
    lower, upper = posterior_lower(prior=prior, epsilon=falls), posterior_upper(prior=prior, epsilon=epsilon)
    ratio_lower, ratio_upper = (
        ratio_bounds(prior=prior, epsilon=falls)[0],
        ratio_bounds(prior=prior, epsilon=epsilon)[1],
    )
    absent_lower, absent_upper = (
        ratio_bounds(prior=prior, epsilon=epsilon, side="absent")[0],
        ratio_bounds(prior=prior, epsilon=falls, side="absent")[1],
    )
    fall, rise = difference_bounds(prior=prior, epsilon=falls)[0], difference_bounds(prior=prior, epsilon=epsilon)[1]
    certain = isinstance(guarantee, PureDP)
    failure = guarantee.delta if isinstance(guarantee, ProbabilisticDP) else 0.0 if certain else delta_prime
    return BeliefBounds(
        epsilon_prime=epsilon,
        failure_probability=failure,
        one_sided=one_sided,
        prior=prior,
        posterior_lower=lower,
        posterior_upper=upper,
        ratio_lower=ratio_lower,
        ratio_upper=ratio_upper,
        ratio_absent_lower=absent_lower,
        ratio_absent_upper=absent_upper,
        difference_lower=fall,
        difference_upper=rise,
        worst_prior_rise=float(worst_prior_rise(epsilon=epsilon)),
        worst_prior_fall=float(worst_prior_fall(epsilon=falls)),
        largest_difference=float(largest_difference(epsilon=epsilon)),
    )
