"""Privacy guarantees as values, and the conversions between them, each named for its theorem.

Four definitions: pure, approximate, probabilistic and zero-concentrated differential privacy. `epsilon_prime` and
`delta_prime` are the parameters of probabilistic differential privacy: except with probability `delta_prime` over the
noise, the log odds of every belief about a person move by at most `epsilon_prime` (thesis, Theorem 28).

Scalars in, float out; arrays broadcast. Every conversion is an upper bound that holds for any mechanism with the given
guarantee, except the functions named `gaussian_...`, which are exact for Gaussian noise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erfcx, log_ndtr, ndtri, ndtri_exp

from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number, array, choice, count, kind_of, number, probability, scalar_or_array
from dpcore._roots import bracketed_root
from dpcore.errors import Code, Refused

_EPS = np.finfo(float).eps


class Relation(StrEnum):
    """Which change of the data one step of a guarantee hides: which two tables are neighbours.

    It says what one step of a promise changes, and so which secret it is: presence or value. `ADD_OR_REMOVE`: one
    record is added or removed ("unbounded" in the literature). `REPLACE`: one record is replaced by another, and the
    number of records stays known ("bounded"). Replacing is removing and adding, so the first gives the second for two
    records (see `replace_from_add_or_remove`); nothing follows in the other direction.

    Examples
    --------
    >>> PureDP(epsilon=1.0).relation
    <Relation.ADD_OR_REMOVE: 'add_or_remove'>
    >>> replace_from_add_or_remove(PureDP(epsilon=1.0))
    PureDP(epsilon=2.0, relation=<Relation.REPLACE: 'replace'>)
    """

    ADD_OR_REMOVE = "add_or_remove"
    REPLACE = "replace"


def _with_relation(guarantee: Guarantee) -> None:
    """Take the relation by its name too; anything else is refused."""
    options = [option.value for option in Relation]
    object.__setattr__(guarantee, "relation", Relation(choice("relation", guarantee.relation, options)))


def _refuse(name: str, rule: str, code: Code, condition: Any, value: Any) -> None:
    """Refuse the first value for which the condition holds."""
    broken = np.asarray(condition)
    if broken.any():
        offender = float(np.broadcast_to(np.asarray(value, dtype=float), broken.shape)[broken].flat[0])
        raise Refused(name, rule, offender, code)


def _delta_share(delta: FloatArray, delta_prime: FloatArray) -> FloatArray:
    """delta / delta_prime, which must be below 1; zero when delta is zero."""
    _refuse("delta_prime", "exceed delta", Code.INFEASIBLE, (delta_prime <= delta) & (delta > 0), delta_prime)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(delta > 0, delta / delta_prime, 0.0)


def _log_complement_share(delta: FloatArray, delta_prime: FloatArray) -> FloatArray:
    """log(1 - delta / delta_prime) without cancellation when both are close."""
    share = _delta_share(delta, delta_prime)
    with np.errstate(divide="ignore", invalid="ignore"):
        close = np.log((delta_prime - delta) / delta_prime)
    return np.where(share > 0.5, close, np.log1p(-np.minimum(share, 0.5)))


# Theorem 35: approximate and probabilistic differential privacy


@overload
def probabilistic_epsilon_from_approximate(*, epsilon: Number, delta: Number, delta_prime: Number) -> float: ...
@overload
def probabilistic_epsilon_from_approximate(
    *, epsilon: ArrayLike, delta: ArrayLike, delta_prime: ArrayLike
) -> FloatArray: ...
@call_hint
def probabilistic_epsilon_from_approximate(
    *, epsilon: ArrayLike, delta: ArrayLike, delta_prime: ArrayLike
) -> float | FloatArray:
    """Smallest epsilon' for which (epsilon, delta)-DP implies (epsilon', delta')-probabilistic DP.

    The promise is that of the guarantee given: secret, relation and unit stay the same. The value is epsilon + log(1 +
    x e^-epsilon) - log(1 - x) with x = delta/delta'. Tight: a mechanism attains it.
    Source: thesis, Theorem 35

    Parameters
    ----------
    epsilon : array_like; at least 0, in log-odds units
    delta : array_like; in [0, 1]
    delta_prime : array_like; allowed failure probability, in (delta, 1]; with `delta` zero it may be zero

    Examples
    --------
    >>> round(probabilistic_epsilon_from_approximate(epsilon=1, delta=1e-6, delta_prime=0.001), 6)
    1.001368
    """
    eps = array("epsilon", epsilon, 0.0)
    d, dp = probability("delta", delta), probability("delta_prime", delta_prime)
    x = _delta_share(d, dp)
    return scalar_or_array(eps + np.log1p(x * np.exp(-eps)) - _log_complement_share(d, dp), epsilon, delta, delta_prime)


@overload
def probabilistic_delta_from_approximate(*, epsilon: Number, delta: Number, epsilon_prime: Number) -> float: ...
@overload
def probabilistic_delta_from_approximate(
    *, epsilon: ArrayLike, delta: ArrayLike, epsilon_prime: ArrayLike
) -> FloatArray: ...
@call_hint
def probabilistic_delta_from_approximate(
    *, epsilon: ArrayLike, delta: ArrayLike, epsilon_prime: ArrayLike
) -> float | FloatArray:
    """Smallest delta' for which (epsilon, delta)-DP implies (epsilon', delta')-probabilistic DP, for a chosen epsilon'.

    The promise is that of the guarantee given: secret, relation and unit stay the same. The value is delta (1 +
    e^-epsilon') / (1 - e^(epsilon - epsilon')), never above 1.
    Source: thesis, Theorem 35 (proof)

    Parameters
    ----------
    epsilon, epsilon_prime : array_like; at least 0; epsilon' above epsilon unless delta is zero
    delta : array_like; in [0, 1]

    Examples
    --------
    >>> round(probabilistic_delta_from_approximate(epsilon=1, delta=1e-6, epsilon_prime=1.00001), 4)
    0.1368
    """
    eps, d, ep = (
        array("epsilon", epsilon, 0.0),
        probability("delta", delta),
        array("epsilon_prime", epsilon_prime, 0.0),
    )
    _refuse("epsilon_prime", "exceed epsilon", Code.INFEASIBLE, (ep < eps) | ((ep == eps) & (d > 0)), ep)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        result = np.where(d > 0, d * (1 + np.exp(-ep)) / -np.expm1(eps - ep), 0.0)
    return scalar_or_array(np.minimum(result, 1.0), epsilon, delta, epsilon_prime)


@overload
def approximate_epsilon_from_probabilistic(*, epsilon_prime: Number, delta: Number, delta_prime: Number) -> float: ...
@overload
def approximate_epsilon_from_probabilistic(
    *, epsilon_prime: ArrayLike, delta: ArrayLike, delta_prime: ArrayLike
) -> FloatArray: ...
@call_hint
def approximate_epsilon_from_probabilistic(
    *, epsilon_prime: ArrayLike, delta: ArrayLike, delta_prime: ArrayLike
) -> float | FloatArray:
    """Largest epsilon for which (epsilon, delta)-DP still implies (epsilon', delta')-probabilistic DP.

    The promise is that of the guarantee given: secret, relation and unit stay the same. The value is epsilon' + log(1 -
    x (1 + e^-epsilon')) with x = delta/delta'; the inverse of `probabilistic_epsilon_from_approximate`.
    Source: thesis, Theorem 35; ours, Theorem 35 solved for epsilon; checked as a round trip

    Parameters
    ----------
    epsilon_prime : array_like; wanted bound on the shift of log odds, at least 0
    delta : array_like; in [0, 1]
    delta_prime : array_like; allowed failure probability, in (delta, 1]

    Raises
    ------
    Refused
        ``epsilon_prime must be at least log((delta' + delta)/(delta' - delta)); got ...`` when no epsilon of at least
        zero gives it.

    Examples
    --------
    >>> round(approximate_epsilon_from_probabilistic(epsilon_prime=1.386, delta=0.001, delta_prime=0.05), 4)
    1.3607
    """
    ep = array("epsilon_prime", epsilon_prime, 0.0)
    d, dp = probability("delta", delta), probability("delta_prime", delta_prime)
    x = _delta_share(d, dp)
    taken = x * (1 + np.exp(-ep))
    result = ep + np.log1p(-np.minimum(taken, 0.5))
    with np.errstate(divide="ignore"):
        large = ep + np.log(np.maximum(np.exp(_log_complement_share(d, dp)) - x * np.exp(-ep), 0.0))
    result = np.where(taken > 0.5, large, result)
    rule = "be at least log((delta' + delta)/(delta' - delta))"
    _refuse("epsilon_prime", rule, Code.INFEASIBLE, result < -1e-15, ep)
    return scalar_or_array(np.maximum(result, 0.0), epsilon_prime, delta, delta_prime)


@overload
def one_sided_epsilon_from_approximate(*, epsilon: Number, delta: Number, delta_prime: Number) -> float: ...
@overload
def one_sided_epsilon_from_approximate(
    *, epsilon: ArrayLike, delta: ArrayLike, delta_prime: ArrayLike
) -> FloatArray: ...
@call_hint
def one_sided_epsilon_from_approximate(
    *, epsilon: ArrayLike, delta: ArrayLike, delta_prime: ArrayLike
) -> float | FloatArray:
    """Smallest epsilon' of a one-sided promise: beliefs *rise* by more only with probability delta'.

    The promise is that of the guarantee given: secret, relation and unit stay the same. The value is epsilon - log(1 -
    delta/delta'), in log-odds units. A bound for any (epsilon, delta)-DP mechanism. The parameters are those of
    `probabilistic_epsilon_from_approximate`.
    Source: ours, the step of the proof of thesis Theorem 35 that concerns rises, alone

    Examples
    --------
    >>> round(one_sided_epsilon_from_approximate(epsilon=1, delta=0.001, delta_prime=0.05), 6)
    1.020203
    """
    eps, d, dp = array("epsilon", epsilon, 0.0), probability("delta", delta), probability("delta_prime", delta_prime)
    return scalar_or_array(eps - _log_complement_share(d, dp), epsilon, delta, delta_prime)


@overload
def approximate_epsilon_from_one_sided(*, epsilon_prime: Number, delta: Number, delta_prime: Number) -> float: ...
@overload
def approximate_epsilon_from_one_sided(
    *, epsilon_prime: ArrayLike, delta: ArrayLike, delta_prime: ArrayLike
) -> FloatArray: ...
@call_hint
def approximate_epsilon_from_one_sided(
    *, epsilon_prime: ArrayLike, delta: ArrayLike, delta_prime: ArrayLike
) -> float | FloatArray:
    """Largest epsilon for which (epsilon, delta)-DP keeps the one-sided promise (epsilon', delta').

    The promise is that of the guarantee given: secret, relation and unit stay the same. The value is epsilon' + log(1 -
    delta/delta'). The parameters are those of `approximate_epsilon_from_probabilistic`.
    Source: ours, inverse of `one_sided_epsilon_from_approximate`

    Examples
    --------
    >>> round(approximate_epsilon_from_one_sided(epsilon_prime=1.0202027073175195, delta=0.001, delta_prime=0.05), 9)
    1.0
    """
    ep = array("epsilon_prime", epsilon_prime, 0.0)
    d, dp = probability("delta", delta), probability("delta_prime", delta_prime)
    result = ep + _log_complement_share(d, dp)
    _refuse("epsilon_prime", "be at least -log(1 - delta/delta')", Code.INFEASIBLE, result < -1e-15, ep)
    return scalar_or_array(np.maximum(result, 0.0), epsilon_prime, delta, delta_prime)


# Zero-concentrated to approximate differential privacy: three published forms


def _rho_delta(rho: ArrayLike, delta: ArrayLike, name: str = "delta") -> tuple[FloatArray, FloatArray]:
    return array("rho", rho, 0.0), probability(name, delta, open_low=True)


@overload
def approximate_epsilon_from_rho(*, rho: Number, delta: Number) -> float: ...
@overload
def approximate_epsilon_from_rho(*, rho: ArrayLike, delta: ArrayLike) -> FloatArray: ...
@call_hint
def approximate_epsilon_from_rho(*, rho: ArrayLike, delta: ArrayLike) -> float | FloatArray:
    """Epsilon of the (epsilon, delta)-DP that rho-zCDP implies, in the simple published form.

    The promise is that of the guarantee given: secret, relation and unit stay the same. The value is rho + 2 sqrt(rho
    log(1/delta)). An upper bound; `approximate_epsilon_from_rho_best_order` is smaller.
    Source: thesis, Theorem 24; bun_steinke, Proposition 1.3

    Parameters
    ----------
    rho, delta : array_like; at least 0 and in (0, 1]

    Examples
    --------
    >>> round(approximate_epsilon_from_rho(rho=0.01, delta=1e-6), 4)
    0.7534
    """
    r, d = _rho_delta(rho, delta)
    return scalar_or_array(r + 2 * np.sqrt(r * -np.log(d)), rho, delta)


@overload
def approximate_epsilon_from_rho_refined(*, rho: Number, delta: Number) -> float: ...
@overload
def approximate_epsilon_from_rho_refined(*, rho: ArrayLike, delta: ArrayLike) -> FloatArray: ...
@call_hint
def approximate_epsilon_from_rho_refined(*, rho: ArrayLike, delta: ArrayLike) -> float | FloatArray:
    """Epsilon of the (epsilon, delta)-DP that rho-zCDP implies, in the form with sqrt(pi rho).

    The promise is that of the guarantee given: secret, relation and unit stay the same. The value is rho + sqrt(4 rho
    log(sqrt(pi rho)/delta)), and rho where the logarithm is negative. An upper bound, smaller than the simple form when
    rho < 1/pi.
    Source: bun_steinke, Lemma 3.5

    Parameters
    ----------
    rho, delta : array_like; at least 0 and in (0, 1]

    Examples
    --------
    >>> round(approximate_epsilon_from_rho_refined(rho=0.01, delta=1e-6), 4)
    0.7053
    """
    r, d = _rho_delta(rho, delta)
    with np.errstate(divide="ignore"):
        log_term = np.maximum(0.5 * np.log(math.pi * r) - np.log(d), 0.0)
    return scalar_or_array(r + np.where(r > 0, np.sqrt(4 * r * np.where(r > 0, log_term, 0.0)), 0.0), rho, delta)


def _order_excess(rho: FloatArray, log_inverse_delta: FloatArray) -> FloatArray:
    """The best Renyi order minus 1: the root x of rho x^2 + log(1 + x) = log(1/delta)."""
    with np.errstate(over="ignore"):
        high = np.minimum(np.sqrt(log_inverse_delta / rho), np.expm1(np.minimum(log_inverse_delta, 700.0)))

    def excess(x: FloatArray) -> FloatArray:
        return rho * x * x + np.log1p(x) - log_inverse_delta

    return bracketed_root(excess, np.zeros_like(high), high * (1 + 1e-12))


@overload
def approximate_epsilon_from_rho_best_order(*, rho: Number, delta: Number) -> float: ...
@overload
def approximate_epsilon_from_rho_best_order(*, rho: ArrayLike, delta: ArrayLike) -> FloatArray: ...
@call_hint
def approximate_epsilon_from_rho_best_order(*, rho: ArrayLike, delta: ArrayLike) -> float | FloatArray:
    """Epsilon of the (epsilon, delta)-DP that rho-zCDP implies, at the best Renyi order.

    The promise is that of the guarantee given: secret, relation and unit stay the same. The smallest value over all
    orders alpha > 1 of alpha rho + log(1 - 1/alpha) + log(1/(alpha delta))/(alpha - 1), not below 0. An upper bound,
    the smallest of the three forms here. The best order solves rho (alpha - 1)^2 + log(alpha) = log(1/delta), an
    increasing function, so no search over orders is needed.
    Source: canonne_kamath_steinke, Corollary 13
    Source: ours, the stationary order as a monotone root; checked against a dense search over orders

    Parameters
    ----------
    rho, delta : array_like; at least 0 and in (0, 1]

    Examples
    --------
    >>> round(approximate_epsilon_from_rho_best_order(rho=0.01, delta=1e-6), 3)
    0.622
    """
    r, d = np.broadcast_arrays(*_rho_delta(rho, delta))
    active = (r > 0) & (d < 1)
    safe_rho, length = np.where(active, r, 1.0), np.where(active, -np.log(d), 1.0)
    x = _order_excess(safe_rho, length)
    # a bound whatever the order, and the terms that cancel rounded up
    spent, gained, left = safe_rho * (1 + x), np.log1p(1 / x), (length - np.log1p(x)) / x
    bound = spent - gained + left + 4 * _EPS * (spent + gained + length / x)
    return scalar_or_array(np.where(active, np.maximum(bound, 0.0), 0.0), rho, delta)


@overload
def approximate_delta_from_rho_best_order(*, rho: Number, epsilon: Number) -> float: ...
@overload
def approximate_delta_from_rho_best_order(*, rho: ArrayLike, epsilon: ArrayLike) -> FloatArray: ...
@call_hint
def approximate_delta_from_rho_best_order(*, rho: ArrayLike, epsilon: ArrayLike) -> float | FloatArray:
    """Delta of the (epsilon, delta)-DP that rho-zCDP implies, at the best Renyi order.

    The promise is that of the guarantee given: secret, relation and unit stay the same. The inverse of
    `approximate_epsilon_from_rho_best_order` in delta. An upper bound, at most 1.
    Source: canonne_kamath_steinke, Corollary 13

    Parameters
    ----------
    rho, epsilon : array_like; at least 0

    Examples
    --------
    >>> delta = approximate_delta_from_rho_best_order(rho=0.01, epsilon=0.622)
    >>> 0.9e-6 < delta < 1.1e-6
    True
    """
    r, eps = np.broadcast_arrays(array("rho", rho, 0.0), array("epsilon", epsilon, 0.0))
    safe = np.where(r > 0, r, 1.0)
    high = (eps + 800.0) / (2 * safe) + 1.0

    def slope(log_x: FloatArray) -> FloatArray:
        x = np.exp(log_x)
        return safe * (1 + 2 * x) - np.log1p(1 / x) - eps

    x = np.exp(bracketed_root(slope, np.full(r.shape, -700.0), np.log(high)))
    log_delta = x * ((1 + x) * safe - eps) + x * -np.log1p(1 / x) - np.log1p(x)
    return scalar_or_array(np.where(r > 0, np.exp(np.minimum(log_delta, 0.0)), 0.0), rho, epsilon)


@overload
def rho_from_approximate(*, epsilon: Number, delta: Number) -> float: ...
@overload
def rho_from_approximate(*, epsilon: ArrayLike, delta: ArrayLike) -> FloatArray: ...
@call_hint
def rho_from_approximate(*, epsilon: ArrayLike, delta: ArrayLike) -> float | FloatArray:
    """Largest rho whose zCDP implies (epsilon, delta)-DP by the simple published form.

    The promise is that of the guarantee given: secret, relation and unit stay the same. The value is (sqrt(L + epsilon)
    - sqrt(L))^2 with L = log(1/delta), written without cancellation.
    Source: thesis, Theorem 24 solved for rho

    Parameters
    ----------
    epsilon, delta : array_like; at least 0 and in (0, 1]

    Examples
    --------
    >>> round(rho_from_approximate(epsilon=0.7533844377699677, delta=1e-6), 12)
    0.01
    """
    eps, d = array("epsilon", epsilon, 0.0), probability("delta", delta, open_low=True)
    return scalar_or_array(_squared_root_difference(eps, -np.log(d)), epsilon, delta)


def _squared_root_difference(epsilon: FloatArray, length: FloatArray) -> FloatArray:
    """(sqrt(L + epsilon) - sqrt(L))^2 without cancellation."""
    total = np.sqrt(length + epsilon) + np.sqrt(length)
    return np.where(epsilon > 0, (epsilon / np.where(total > 0, total, 1.0)) ** 2, 0.0)


@overload
def rho_from_approximate_best_order(*, epsilon: Number, delta: Number) -> float: ...
@overload
def rho_from_approximate_best_order(*, epsilon: ArrayLike, delta: ArrayLike) -> FloatArray: ...
@call_hint
def rho_from_approximate_best_order(*, epsilon: ArrayLike, delta: ArrayLike) -> float | FloatArray:
    """Largest rho whose zCDP implies (epsilon, delta)-DP at the best Renyi order, rounded down within 1e-12.

    The promise is that of the guarantee given: secret, relation and unit stay the same. The inverse of
    `approximate_epsilon_from_rho_best_order` in rho.
    Source: canonne_kamath_steinke, Corollary 13; ours, solved for rho along the curve of best orders

    Parameters
    ----------
    epsilon, delta : array_like; above 0 and in (0, 1)

    Examples
    --------
    >>> rho = rho_from_approximate_best_order(epsilon=1.0, delta=1e-6)
    >>> round(approximate_epsilon_from_rho_best_order(rho=rho, delta=1e-6), 9)
    1.0
    """
    eps, d = np.broadcast_arrays(
        array("epsilon", epsilon, 0.0, open_low=True), probability("delta", delta, open_low=True, open_high=True)
    )
    length = -np.log(d)

    def excess(log_x: FloatArray) -> FloatArray:
        """How far the best order minus 1 of the rho whose best order is 1 + x lies beyond x: nothing cancels."""
        x = np.exp(log_x)
        return (eps + np.log1p(1 / x)) / (1 + 2 * x) * x * x + np.log1p(x) - length

    high = np.where(length > 700, 709.0, np.log(np.expm1(np.minimum(length, 700.0))))
    x = np.exp(bracketed_root(excess, np.full(eps.shape, -400.0), high))
    # what this order allows: a rho that is enough whatever the order, the largest at the root
    rho = (eps + np.log1p(1 / x) - (length - np.log1p(x)) / x) / (1 + x)
    return scalar_or_array(np.maximum(rho * (1 - 4 * _EPS * (2 + length)), 0.0), epsilon, delta)


# The same with the budget told as concentrated epsilon: rho = concentrated epsilon^2 / 2


@call_hint
def approximate_epsilon_from_concentrated(*, concentrated_epsilon: float, delta: float) -> float:
    """The closed upper bound on epsilon at `delta` of a release with budget ½ẽ²: ½ẽ² + ẽ√(2 log(1/delta)).

    The promise is that of the guarantee given: secret, relation and unit stay the same. `approximate_epsilon_from_rho`
    at rho = ½ẽ². An upper bound.
    Source: liu, Theorem 4.5, second line

    Parameters
    ----------
    concentrated_epsilon : float; ẽ, the square root of twice rho, greater than 0
    delta : float; in (0, 1)

    Examples
    --------
    >>> round(approximate_epsilon_from_concentrated(concentrated_epsilon=0.1, delta=1e-10), 4)
    0.6836
    """
    return float(approximate_epsilon_from_rho(**_concentrated(concentrated_epsilon, delta)))


@call_hint
def approximate_epsilon_from_concentrated_best_order(*, concentrated_epsilon: float, delta: float) -> float:
    """Smallest proven epsilon at `delta` of a release with budget ½ẽ², at the best Renyi order.

    The promise is that of the guarantee given: secret, relation and unit stay the same.
    `approximate_epsilon_from_rho_best_order` at rho = ½ẽ². An upper bound. The parameters are those of
    `approximate_epsilon_from_concentrated`.
    Source: liu, Theorem 4.5; canonne_kamath_steinke, Corollary 13

    Examples
    --------
    >>> round(approximate_epsilon_from_concentrated_best_order(concentrated_epsilon=0.1, delta=1e-10), 4)
    0.6035
    """
    return float(approximate_epsilon_from_rho_best_order(**_concentrated(concentrated_epsilon, delta)))


def _concentrated(concentrated_epsilon: float, delta: float) -> dict[str, float]:
    """The budget ½ẽ² as a ρ, and its delta, both checked."""
    spend = number("concentrated_epsilon", concentrated_epsilon, 0.0, 1e150, open_low=True)
    return {"rho": spend**2 / 2, "delta": number("delta", delta, 0.0, 1.0, open_low=True, open_high=True)}


@call_hint
def concentrated_epsilon_from_approximate(*, epsilon: float, delta: float) -> float:
    """The ẽ whose closed bound is the wanted epsilon: a lower bound on what the budget ½ẽ² allows.

    The promise is that of the guarantee given: secret, relation and unit stay the same. The inverse of
    `approximate_epsilon_from_concentrated`.
    Source: liu, Theorem 4.5, second line solved for the budget

    Parameters
    ----------
    epsilon, delta : float; greater than 0 and in (0, 1)

    Examples
    --------
    >>> round(concentrated_epsilon_from_approximate(epsilon=0.1, delta=1e-10), 6)
    0.01472
    """
    wanted = number("epsilon", epsilon, 0.0, open_low=True)
    failure = number("delta", delta, 0.0, 1.0, open_low=True, open_high=True)
    return math.sqrt(2 * rho_from_approximate(epsilon=wanted, delta=failure))


@call_hint
def concentrated_epsilon_from_approximate_best_order(*, epsilon: float, delta: float) -> float:
    """Largest ẽ whose budget ½ẽ² keeps (epsilon, delta) at the best Renyi order, rounded down within 1e-12.

    The promise is that of the guarantee given: secret, relation and unit stay the same. The inverse of
    `approximate_epsilon_from_concentrated_best_order`. The parameters are those of
    `concentrated_epsilon_from_approximate`.
    Source: liu, Theorem 4.5, solved for the budget

    Examples
    --------
    >>> round(concentrated_epsilon_from_approximate_best_order(epsilon=0.1, delta=1e-10), 6)
    0.017527
    """
    wanted = number("epsilon", epsilon, 0.0, open_low=True)
    return math.sqrt(2 * rho_from_approximate_best_order(epsilon=wanted, delta=delta))


# Zero-concentrated to probabilistic differential privacy


@overload
def probabilistic_epsilon_from_rho_published(*, rho: Number, delta_prime: Number) -> float: ...
@overload
def probabilistic_epsilon_from_rho_published(*, rho: ArrayLike, delta_prime: ArrayLike) -> FloatArray: ...
@call_hint
def probabilistic_epsilon_from_rho_published(*, rho: ArrayLike, delta_prime: ArrayLike) -> float | FloatArray:
    """Epsilon' that rho-zCDP implies by the published route: Theorem 24, then Theorem 35, at the best delta.

    The promise is that of the guarantee given: secret, relation and unit stay the same. The minimum over delta in (0,
    delta') of the two theorems in a row. An upper bound, larger than `probabilistic_epsilon_from_rho`.
    Source: thesis, Theorems 24 and 35, Example 7

    Parameters
    ----------
    rho, delta_prime : array_like; at least 0 and in (0, 1)

    Examples
    --------
    >>> round(probabilistic_epsilon_from_rho_published(rho=0.3, delta_prime=0.01), 4)
    3.2605
    """
    r, dp = np.broadcast_arrays(
        array("rho", rho, 0.0), probability("delta_prime", delta_prime, open_low=True, open_high=True)
    )
    return scalar_or_array(_published_route(r, dp), rho, delta_prime)


def _published_route(rho: FloatArray, delta_prime: FloatArray) -> FloatArray:
    """Theorem 24 then 35; the unknown is log(u) with delta = delta' e^-u, the root of the derivative in u."""
    safe = np.where(rho > 0, rho, 1.0)
    length = -np.log(delta_prime)

    def parts(log_u: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        u = np.exp(log_u)
        return u, np.exp(-u), safe + 2 * np.sqrt(safe * (length + u))

    def slope(log_u: FloatArray) -> FloatArray:
        u, x, epsilon = parts(log_u)
        rate = np.sqrt(safe / (length + u))
        small = x * np.exp(-epsilon)
        return rate - (1 + rate) * small / (1 + small) + x / np.expm1(-u)

    u, x, epsilon = parts(bracketed_root(slope, np.full(rho.shape, -46.0), np.full(rho.shape, math.log(700.0))))
    best = epsilon + np.log1p(x * np.exp(-epsilon)) - np.log(-np.expm1(-u))
    return np.where(rho > 0, best, 0.0)


@overload
def rho_from_probabilistic_published(*, epsilon_prime: Number, delta_prime: Number) -> float: ...
@overload
def rho_from_probabilistic_published(*, epsilon_prime: ArrayLike, delta_prime: ArrayLike) -> FloatArray: ...
@call_hint
def rho_from_probabilistic_published(*, epsilon_prime: ArrayLike, delta_prime: ArrayLike) -> float | FloatArray:
    """Largest rho whose zCDP gives (epsilon', delta')-probabilistic DP by the published route.

    The promise is that of the guarantee given: secret, relation and unit stay the same. The inverse of
    `probabilistic_epsilon_from_rho_published`.
    Source: thesis, Theorems 24 and 35; ours, solved for rho

    Parameters
    ----------
    epsilon_prime, delta_prime : array_like; above 0 and in (0, 1)

    Examples
    --------
    >>> round(rho_from_probabilistic_published(epsilon_prime=0.8109302162163288, delta_prime=0.01), 6)
    0.017305
    """
    wanted, dp = _wanted_promise(epsilon_prime, delta_prime)
    ep = np.maximum(wanted, _TINY)
    high = np.log(_direct_rho(ep, dp))

    def excess(log_rho: FloatArray) -> FloatArray:
        return _published_route(np.exp(log_rho), dp) - ep

    # rho falls with the square of a small epsilon'
    rho = np.exp(bracketed_root(excess, high - 60.0, high)) * (np.minimum(wanted, _TINY) / _TINY) ** 2
    return scalar_or_array(rho, epsilon_prime, delta_prime)


_TINY = 1e-140  # an epsilon' whose rho is still a float


def _wanted_promise(epsilon_prime: ArrayLike, delta_prime: ArrayLike) -> tuple[FloatArray, FloatArray]:
    ep, dp = np.broadcast_arrays(
        array("epsilon_prime", epsilon_prime, 0.0, open_low=True),
        probability("delta_prime", delta_prime, open_low=True, open_high=True),
    )
    return ep, dp


@overload
def probabilistic_epsilon_from_rho(*, rho: Number, delta_prime: Number) -> float: ...
@overload
def probabilistic_epsilon_from_rho(*, rho: ArrayLike, delta_prime: ArrayLike) -> FloatArray: ...
@call_hint
def probabilistic_epsilon_from_rho(*, rho: ArrayLike, delta_prime: ArrayLike) -> float | FloatArray:
    """Epsilon' that rho-zCDP implies directly, by a tail bound on the privacy loss and no delta in between.

    The promise is that of the guarantee given: secret, relation and unit stay the same. The root e > rho of (1 + e^-e)
    exp(-(e - rho)^2 / (4 rho)) = delta'. An upper bound for any rho-zCDP mechanism.
    Source: bun_steinke, Lemma 3.5 (the tail of the privacy loss)
    Source: ours, both tails added: the lower one is e^-e times the upper; checked against the exact Gaussian law

    Parameters
    ----------
    rho, delta_prime : array_like; at least 0 and in (0, 1)

    Examples
    --------
    >>> round(probabilistic_epsilon_from_rho(rho=0.07, delta_prime=0.01), 6)
    1.236547
    """
    r, dp = np.broadcast_arrays(
        array("rho", rho, 0.0), probability("delta_prime", delta_prime, open_low=True, open_high=True)
    )
    return scalar_or_array(_direct_route(r, dp), rho, delta_prime)


def _direct_route(rho: FloatArray, delta_prime: FloatArray) -> FloatArray:
    safe, length = np.where(rho > 0, rho, 1.0), -np.log(delta_prime)

    def excess(epsilon: FloatArray) -> FloatArray:
        return np.log1p(np.exp(-epsilon)) - (epsilon - safe) ** 2 / (4 * safe) + length

    low = safe + 2 * np.sqrt(safe * length)
    high = safe + 2 * np.sqrt(safe * (length + math.log(2))) * (1 + 1e-12)
    return np.where(rho > 0, bracketed_root(excess, low, high), 0.0)


def _direct_rho(epsilon_prime: FloatArray, delta_prime: FloatArray) -> FloatArray:
    return _squared_root_difference(epsilon_prime, np.log1p(np.exp(-epsilon_prime)) - np.log(delta_prime))


@overload
def rho_from_probabilistic(*, epsilon_prime: Number, delta_prime: Number) -> float: ...
@overload
def rho_from_probabilistic(*, epsilon_prime: ArrayLike, delta_prime: ArrayLike) -> FloatArray: ...
@call_hint
def rho_from_probabilistic(*, epsilon_prime: ArrayLike, delta_prime: ArrayLike) -> float | FloatArray:
    """Largest rho whose zCDP gives (epsilon', delta')-probabilistic DP by the direct tail bound.

    The promise is that of the guarantee given: secret, relation and unit stay the same. The value is (sqrt(L +
    epsilon') - sqrt(L))^2 with L = log((1 + e^-epsilon')/delta').
    Source: ours, closed inverse of `probabilistic_epsilon_from_rho`

    Parameters
    ----------
    epsilon_prime, delta_prime : array_like; above 0 and in (0, 1)

    Examples
    --------
    >>> round(rho_from_probabilistic(epsilon_prime=0.8109302162163288, delta_prime=0.01), 6)
    0.030611
    """
    ep, dp = _wanted_promise(epsilon_prime, delta_prime)
    return scalar_or_array(_direct_rho(ep, dp), epsilon_prime, delta_prime)


# Gaussian noise, exactly


def _log_excess(target: FloatArray, log_probability: FloatArray, log_rest: FloatArray) -> FloatArray:
    """By which factor a probability passes its target, as a logarithm: of the rest where that is the smaller part."""
    with np.errstate(divide="ignore"):
        return np.where(target > 0.5, np.log1p(-target) - log_rest, log_probability - np.log(target))


def _loss_excess(epsilon: FloatArray, rho: FloatArray, target: FloatArray) -> FloatArray:
    """`_log_excess` of P[|Z| > epsilon] for Z ~ N(rho, 2 rho); a narrow interval by its density, not by its tails."""
    std = np.sqrt(2 * rho)
    near, far, half = (epsilon - rho) / std, (epsilon + rho) / std, epsilon / std
    narrow, log_near = half * np.maximum(std / 2, 1.0) <= 0.5, log_ndtr(near)
    turns = np.where(narrow, half, 0.0)[..., None] * _NODES
    with np.errstate(divide="ignore"):
        mean = np.log(np.exp(-turns * (std[..., None] + turns) / 2) @ _WEIGHTS * half) - rho / 4
        wide = log_near + np.log(-np.expm1(np.minimum(log_ndtr(-far) - log_near, 0.0)))
    within = np.where(narrow, mean - 0.5 * math.log(2 * math.pi), wide)
    return _log_excess(target, np.logaddexp(log_ndtr(-near), log_ndtr(-far)), within)


@overload
def gaussian_probabilistic_epsilon(*, rho: Number, delta_prime: Number) -> float: ...
@overload
def gaussian_probabilistic_epsilon(*, rho: ArrayLike, delta_prime: ArrayLike) -> FloatArray: ...
@call_hint
def gaussian_probabilistic_epsilon(*, rho: ArrayLike, delta_prime: ArrayLike) -> float | FloatArray:
    """Epsilon' of Gaussian noise with total rho: the exact two-sided quantile of its privacy loss.

    The promise is that of the guarantee given: secret, relation and unit stay the same. The e with P[|Z| > e] = delta'
    for Z ~ N(rho, 2 rho). Exact, for an attacker who sees the raw outputs.
    Source: ours, thesis Theorem 27 with the normal law of the Gaussian privacy loss; checked by enumeration in mpmath

    Parameters
    ----------
    rho : array_like; at least 0; the rho of several Gaussian releases add
    delta_prime : array_like; in (0, 1)

    Examples
    --------
    >>> round(gaussian_probabilistic_epsilon(rho=0.3, delta_prime=0.01), 6)
    2.12799
    """
    r, dp = np.broadcast_arrays(
        array("rho", rho, 0.0), probability("delta_prime", delta_prime, open_low=True, open_high=True)
    )
    safe = np.where(r > 0, r, 1.0)
    high = _direct_route(safe, dp) * (1 + 1e-12)
    result = bracketed_root(lambda epsilon: _loss_excess(epsilon, safe, dp), np.zeros(safe.shape), high)
    return scalar_or_array(np.where(r > 0, result, 0.0), rho, delta_prime)


@overload
def gaussian_rho_from_probabilistic(*, epsilon_prime: Number, delta_prime: Number) -> float: ...
@overload
def gaussian_rho_from_probabilistic(*, epsilon_prime: ArrayLike, delta_prime: ArrayLike) -> FloatArray: ...
@call_hint
def gaussian_rho_from_probabilistic(*, epsilon_prime: ArrayLike, delta_prime: ArrayLike) -> float | FloatArray:
    """Largest total rho of Gaussian noise that keeps the promise (epsilon', delta') exactly.

    The promise is that of the guarantee given: secret, relation and unit stay the same. The rho with P[|Z| > epsilon']
    = delta' for Z ~ N(rho, 2 rho); the left side increases in rho.
    Source: ours, inverse of `gaussian_probabilistic_epsilon`

    Parameters
    ----------
    epsilon_prime, delta_prime : array_like; above 0 and in (0, 1)

    Examples
    --------
    >>> round(gaussian_rho_from_probabilistic(epsilon_prime=0.8109302162163288, delta_prime=0.01), 6)
    0.048402
    """
    wanted, dp = _wanted_promise(epsilon_prime, delta_prime)
    ep = np.maximum(wanted, _TINY)
    # The direct bound is below the answer. Above it: one tail alone reaches delta' at m/2 - e/m = quantile.
    quantile = ndtri(dp)
    root = np.sqrt(quantile**2 + 2 * ep)
    high = np.where(quantile > 0, quantile + root, 2 * ep / (root + np.abs(quantile))) ** 2 / 2
    low = np.log(_direct_rho(ep, dp))
    high = np.log(np.maximum(high, np.exp(low))) + 1e-9
    root = bracketed_root(lambda log_rho: _loss_excess(ep, np.exp(log_rho), dp), low, high)
    return scalar_or_array(np.exp(root) * (np.minimum(wanted, _TINY) / _TINY) ** 2, epsilon_prime, delta_prime)


@overload
def gaussian_epsilon_every_view(*, rho: Number, delta_prime: Number) -> float: ...
@overload
def gaussian_epsilon_every_view(*, rho: ArrayLike, delta_prime: ArrayLike) -> FloatArray: ...
@call_hint
def gaussian_epsilon_every_view(*, rho: ArrayLike, delta_prime: ArrayLike) -> float | FloatArray:
    """Epsilon' of Gaussian noise over every view of the output: the largest rise no post-processing can beat.

    The promise is that of the guarantee given: secret, relation and unit stay the same. The quantile of the privacy
    loss may grow when an attacker sees a coarsened output. This bound holds for all of them and some view attains it.
    The value is log(delta' / Phi(Phi^-1(delta') - sqrt(2 rho))); one-sided (rises of the truth). Exact as a supremum.
    Source: ours, largest likelihood ratio of an event of probability delta' (Neyman-Pearson)

    Parameters
    ----------
    rho, delta_prime : array_like; at least 0 and in (0, 1)

    Examples
    --------
    >>> gaussian_epsilon_every_view(rho=0.0, delta_prime=0.01)
    0.0
    """
    r, dp = array("rho", rho, 0.0), probability("delta_prime", delta_prime, open_low=True, open_high=True)
    return scalar_or_array(_log_ratio(ndtri(dp), np.sqrt(2 * r)), rho, delta_prime)


def _log_ratio(at: FloatArray, shift: FloatArray) -> FloatArray:
    """ln Phi(at) - ln Phi(at - shift), integrated where the difference would cancel."""
    near = np.minimum(shift, 1.0)
    points = (near - at)[..., None] - near[..., None] * (_NODES + 1) / 2
    integrated = (1 / _mills(points) @ _WEIGHTS) * near / 2
    return np.where(shift <= 1.0, integrated, np.maximum(log_ndtr(at) - log_ndtr(at - shift), 0.0))


@overload
def gaussian_every_view_exceedance(*, rho: Number, epsilon_prime: Number) -> float: ...
@overload
def gaussian_every_view_exceedance(*, rho: ArrayLike, epsilon_prime: ArrayLike) -> FloatArray: ...
@call_hint
def gaussian_every_view_exceedance(*, rho: ArrayLike, epsilon_prime: ArrayLike) -> float | FloatArray:
    """Largest probability with which some view of Gaussian noise raises the log odds by more than epsilon'.

    The promise is that of the guarantee given: secret, relation and unit stay the same. An attacker who sees the raw
    output exceeds epsilon' with probability P[Z > epsilon']. One who only learns whether the output was large can
    exceed it more often: this is the largest probability over all views. The delta' at which
    `gaussian_epsilon_every_view` equals epsilon'. Exact as a supremum; one-sided.
    Source: ours, inverse of `gaussian_epsilon_every_view`

    Parameters
    ----------
    rho : array_like; total rho, above 0
    epsilon_prime : array_like; above 0

    Examples
    --------
    >>> round(gaussian_every_view_exceedance(rho=0.3, epsilon_prime=2.3), 4)  # 0.0049 for the raw output
    0.0115
    """
    r, e = np.broadcast_arrays(
        array("rho", rho, 0.0, open_low=True), array("epsilon_prime", epsilon_prime, 0.0, open_low=True)
    )
    m = np.sqrt(2 * r)

    def excess(t: FloatArray) -> FloatArray:
        """How far the log likelihood ratio of the event of probability Phi(t) lies above epsilon'."""
        return _log_ratio(t, m) - e

    # Below: the event {Z > epsilon'}, whose ratio exceeds e^epsilon', unless Phi(-40) underflows first.
    # Above: Phi(t - m) = e^-epsilon'.
    low = np.maximum((r - e) / m, -40.0)
    root = bracketed_root(excess, low, np.maximum(m + ndtri_exp(-e), low))
    never = (low == -40.0) & (excess(low) < 0)
    return scalar_or_array(np.where(never, 0.0, np.exp(log_ndtr(root))), rho, epsilon_prime)


_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)


def _mills(t: FloatArray) -> FloatArray:
    """(1 - Phi(t)) / phi(t)."""
    return math.sqrt(math.pi / 2) * erfcx(t / math.sqrt(2))


def _mills_slope(t: FloatArray) -> FloatArray:
    """1 - t * mills(t), the fall of the Mills ratio; a continued fraction where it would cancel (t above 4)."""
    result = np.empty(t.shape)
    far = t > 4.0
    near = t[~far]
    result[~far] = 1 - near * _mills(near)
    tail = t[far]
    fraction = tail
    for term in range(40, 1, -1):  # 35 suffice at t = 4 for all digits of a float
        fraction = tail + term / fraction
    result[far] = 1 / (tail * fraction + 1)
    return result


@overload
def gaussian_log_delta(*, epsilon: Number, rho: Number) -> float: ...
@overload
def gaussian_log_delta(*, epsilon: ArrayLike, rho: ArrayLike) -> FloatArray: ...
@call_hint
def gaussian_log_delta(*, epsilon: ArrayLike, rho: ArrayLike) -> float | FloatArray:
    """Natural logarithm of the exact delta of Gaussian noise at epsilon.

    The promise is that of the guarantee given: secret, relation and unit stay the same. The value is log[Phi(m/2 -
    epsilon/m) - e^epsilon Phi(-m/2 - epsilon/m)] with m = sqrt(2 rho). Exact; right to about 1e-12 relative also where
    delta underflows.
    Source: balle_wang, Theorem 8
    Source: ours, as phi(x) times a difference of Mills ratios, integrated where it would cancel; checked in mpmath

    Parameters
    ----------
    epsilon, rho : array_like; at least 0 and above 0

    Examples
    --------
    >>> round(gaussian_log_delta(epsilon=16.0, rho=2.56), 4)
    -21.6878
    """
    eps, r = np.broadcast_arrays(array("epsilon", epsilon, 0.0), array("rho", rho, 0.0, open_low=True))
    return scalar_or_array(_gaussian_log_delta(eps, r), epsilon, rho)


def _gaussian_log_delta(epsilon: FloatArray, rho: FloatArray) -> FloatArray:
    """The logarithm of `gaussian_delta`; rho above 0."""
    shape = np.broadcast_shapes(epsilon.shape, rho.shape)
    eps, rho = np.broadcast_arrays(np.atleast_1d(epsilon), np.atleast_1d(rho))
    shift = np.sqrt(2 * rho)
    x, y = eps / shift - shift / 2, eps / shift + shift / 2
    cancels = shift <= 1.0
    integrated = cancels | (x >= 0)  # there x >= -1/2, and delta = phi(x) (mills(x) - mills(y))
    near = np.where(integrated, x, 0.0)
    difference = _mills(near) - _mills(np.maximum(y, near))
    if cancels.any():
        start, width = near[cancels], shift[cancels]
        points = start[:, None] + width[:, None] * (_NODES + 1) / 2
        difference[cancels] = (_mills_slope(points) @ _WEIGHTS) * width / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        right = -near * near / 2 - 0.5 * math.log(2 * math.pi) + np.log(difference)
        log_p, log_q = log_ndtr(-x), np.minimum(eps + log_ndtr(-y), log_ndtr(-x))
        left = log_p + np.log(-np.expm1(log_q - log_p))
    return np.where(integrated, right, left).reshape(shape)


def _delta_excess(epsilon: FloatArray, rho: FloatArray, target: FloatArray) -> FloatArray:
    """`_log_excess` of delta of Gaussian noise; 1 less it is a sum of two tails."""
    shift = np.sqrt(2 * rho)
    kept = np.logaddexp(log_ndtr(epsilon / shift - shift / 2), epsilon + log_ndtr(-epsilon / shift - shift / 2))
    return _log_excess(target, _gaussian_log_delta(epsilon, rho), kept)


@overload
def gaussian_delta(*, epsilon: Number, rho: Number) -> float: ...
@overload
def gaussian_delta(*, epsilon: ArrayLike, rho: ArrayLike) -> FloatArray: ...
@call_hint
def gaussian_delta(*, epsilon: ArrayLike, rho: ArrayLike) -> float | FloatArray:
    """Exact delta of Gaussian noise (any number of releases, total rho) at epsilon.

    The promise is that of the guarantee given: secret, relation and unit stay the same. The value is Phi(m/2 -
    epsilon/m) - e^epsilon Phi(-m/2 - epsilon/m), m = sqrt(2 rho); zero when rho is zero. Exact.
    Source: balle_wang, Theorem 8

    Parameters
    ----------
    epsilon, rho : array_like; at least 0

    Examples
    --------
    >>> round(gaussian_delta(epsilon=0.0, rho=0.5), 4)  # 2 Phi(1/2) - 1
    0.3829
    """
    eps, r = np.broadcast_arrays(array("epsilon", epsilon, 0.0), array("rho", rho, 0.0))
    return scalar_or_array(
        np.where(r > 0, np.exp(_gaussian_log_delta(eps, np.where(r > 0, r, 1.0))), 0.0), epsilon, rho
    )


@overload
def gaussian_epsilon(*, rho: Number, delta: Number) -> float: ...
@overload
def gaussian_epsilon(*, rho: ArrayLike, delta: ArrayLike) -> FloatArray: ...
@call_hint
def gaussian_epsilon(*, rho: ArrayLike, delta: ArrayLike) -> float | FloatArray:
    """Exact epsilon of Gaussian noise (any number of releases, total rho) at delta.

    The promise is that of the guarantee given: secret, relation and unit stay the same. The smallest epsilon of at
    least 0 with `gaussian_delta` at most delta. Exact.
    Source: balle_wang, Theorem 8, solved for epsilon

    Parameters
    ----------
    rho, delta : array_like; at least 0 and in (0, 1]

    Examples
    --------
    >>> round(gaussian_epsilon(rho=0.01, delta=1e-6), 3)
    0.575
    """
    r, d = np.broadcast_arrays(*_rho_delta(rho, delta))
    safe = np.where(r > 0, r, 1.0)

    def excess(epsilon: FloatArray) -> FloatArray:
        return _delta_excess(epsilon, safe, d)

    high = safe + 2 * np.sqrt(safe * -np.log(d))
    free = excess(np.zeros(safe.shape)) <= 0
    root = bracketed_root(excess, np.zeros(safe.shape), high)
    return scalar_or_array(np.where((r > 0) & ~free, root, 0.0), rho, delta)


@overload
def gaussian_rho(*, epsilon: Number, delta: Number) -> float: ...
@overload
def gaussian_rho(*, epsilon: ArrayLike, delta: ArrayLike) -> FloatArray: ...
@call_hint
def gaussian_rho(*, epsilon: ArrayLike, delta: ArrayLike) -> float | FloatArray:
    """Largest total rho of Gaussian noise that is exactly (epsilon, delta)-DP.

    The promise is that of the guarantee given: secret, relation and unit stay the same. The rho at which
    `gaussian_delta` equals delta; delta increases in rho. Exact.
    Source: balle_wang, Theorem 8, solved for the noise

    Parameters
    ----------
    epsilon, delta : array_like; at least 0 and in (0, 1)

    Examples
    --------
    >>> round(gaussian_rho(epsilon=0.0, delta=0.38292492254802624), 9)
    0.5
    """
    eps, d = np.broadcast_arrays(
        array("epsilon", epsilon, 0.0), probability("delta", delta, open_low=True, open_high=True)
    )

    def excess(log_rho: FloatArray) -> FloatArray:
        return _delta_excess(eps, np.exp(log_rho), d)

    # Below: the simple form for zCDP, and delta <= m = sqrt(2 rho). Above: delta >= P[Z > epsilon + log 2]/2 (there a
    # likelihood ratio above 2 e^epsilon leaves half of the mass), which with P = 2 delta is a quadratic in m.
    low = np.maximum(_squared_root_difference(eps, -np.log(d)), d * d / 2)  # may underflow, and the answer with it
    quantile = ndtri(np.minimum(2 * d, (1 + d) / 2))
    high = (np.abs(quantile) + np.sqrt(quantile**2 + 2 * (eps + math.log(2)))) ** 2 / 2
    high = np.where(2 * d < (1 + d) / 2, high, (10 + np.abs(ndtri(d)) + np.sqrt(2 * eps)) ** 2 * 4)
    root = bracketed_root(excess, np.log(np.where(low > 0, low, high)) - 1e-9, np.log(high))
    return scalar_or_array(np.where(low > 0, np.exp(root), 0.0), epsilon, delta)


# The four guarantees


@call_hint(
    delta="with a delta it is ApproximateDP(epsilon=…, delta=…)",
    rho="with a rho it is ZeroConcentratedDP(rho=…)",
)
@dataclass(frozen=True, kw_only=True)
class PureDP:
    """Pure differential privacy: no probability of any output changes by more than a factor e^epsilon.

    The promise is for one step of the relation: the presence of a record (add or remove) or its value (replace).
    Source: dwork_roth, Definition 2.4

    Parameters
    ----------
    epsilon : float; at least 0
    relation : Relation, optional; the change that is hidden, a `Relation` or its name

    Examples
    --------
    >>> PureDP(epsilon=0.5).for_group(4).epsilon
    2.0
    """

    epsilon: float
    relation: Relation = Relation.ADD_OR_REMOVE

    def __post_init__(self) -> None:
        _with_relation(self)
        object.__setattr__(self, "epsilon", number("epsilon", self.epsilon, 0.0))

    @overload
    def delta_at(self, epsilon: Number) -> float: ...
    @overload
    def delta_at(self, epsilon: ArrayLike) -> FloatArray: ...
    def delta_at(self, epsilon: ArrayLike) -> float | FloatArray:
        """Smallest delta at another epsilon: (e^epsilon0 - e^epsilon)/(1 + e^epsilon0), tight (randomised response)."""
        return _delta_at(self.epsilon, 0.0, epsilon)

    @overload
    def epsilon_at(self, delta: Number) -> float: ...
    @overload
    def epsilon_at(self, delta: ArrayLike) -> FloatArray: ...
    def epsilon_at(self, delta: ArrayLike) -> float | FloatArray:
        """Smallest epsilon at a delta, tight (randomised response); the guarantee's own epsilon at delta zero."""
        return _epsilon_at(self.epsilon, 0.0, delta)

    @overload
    def probabilistic_epsilon(self, delta_prime: Number) -> float: ...
    @overload
    def probabilistic_epsilon(self, delta_prime: ArrayLike) -> FloatArray: ...
    def probabilistic_epsilon(self, delta_prime: ArrayLike) -> float | FloatArray:
        """Largest shift of log odds: epsilon, with certainty, whatever delta' is allowed (thesis, Theorem 28)."""
        dp = probability("delta_prime", delta_prime)
        return scalar_or_array(np.full(dp.shape, self.epsilon), delta_prime)

    def for_group(self, records: int) -> PureDP:
        """The guarantee for `records` people together: records times epsilon (dwork_roth, Theorem 2.2)."""
        return PureDP(epsilon=count("records", records, 1) * self.epsilon, relation=self.relation)


@call_hint
@dataclass(frozen=True, kw_only=True)
class ApproximateDP:
    """Approximate differential privacy: P[S] <= e^epsilon Q[S] + delta for every event S.

    The promise is for one step of the relation: the presence of a record (add or remove) or its value (replace).
    Source: dwork_roth, Definition 2.4

    Parameters
    ----------
    epsilon, delta : float; at least 0 and in [0, 1]
    relation : Relation, optional; the change that is hidden, a `Relation` or its name

    Examples
    --------
    >>> ApproximateDP(epsilon=1, delta=1e-6).epsilon_at(1e-6)
    1.0
    """

    epsilon: float
    delta: float
    relation: Relation = Relation.ADD_OR_REMOVE

    def __post_init__(self) -> None:
        _with_relation(self)
        object.__setattr__(self, "epsilon", number("epsilon", self.epsilon, 0.0))
        object.__setattr__(self, "delta", number("delta", self.delta, 0.0, 1.0))

    @overload
    def delta_at(self, epsilon: Number) -> float: ...
    @overload
    def delta_at(self, epsilon: ArrayLike) -> FloatArray: ...
    def delta_at(self, epsilon: ArrayLike) -> float | FloatArray:
        """Smallest delta this guarantee implies at another epsilon; tight over all mechanisms with it (kairouz)."""
        return _delta_at(self.epsilon, self.delta, epsilon)

    @overload
    def epsilon_at(self, delta: Number) -> float: ...
    @overload
    def epsilon_at(self, delta: ArrayLike) -> FloatArray: ...
    def epsilon_at(self, delta: ArrayLike) -> float | FloatArray:
        """Smallest epsilon this guarantee implies at another delta; infinite below its own delta."""
        return _epsilon_at(self.epsilon, self.delta, delta)

    @overload
    def probabilistic_epsilon(self, delta_prime: Number) -> float: ...
    @overload
    def probabilistic_epsilon(self, delta_prime: ArrayLike) -> FloatArray: ...
    def probabilistic_epsilon(self, delta_prime: ArrayLike) -> float | FloatArray:
        """Epsilon' for a failure probability delta' (thesis, Theorem 35); refuses delta' of at most delta."""
        return probabilistic_epsilon_from_approximate(epsilon=self.epsilon, delta=self.delta, delta_prime=delta_prime)

    def for_group(self, records: int) -> ApproximateDP:
        """The guarantee for m people together: m epsilon and delta (e^(m epsilon) - 1)/(e^epsilon - 1), at most 1."""
        m = count("records", records, 1)
        delta = self.delta
        if m > 1 and delta > 0:
            if m * self.epsilon > 700:  # in logarithms, which lose less than 1e-12
                log_delta = math.log(delta) + (m - 1) * self.epsilon - math.log(-math.expm1(-self.epsilon)) + 1e-12
                delta = math.exp(min(log_delta, 0.0))
            else:
                delta *= math.expm1(m * self.epsilon) / math.expm1(self.epsilon) if self.epsilon else m
                delta = min(delta, 1.0)
        return ApproximateDP(epsilon=m * self.epsilon, delta=delta, relation=self.relation)


@call_hint
@dataclass(frozen=True, kw_only=True)
class ProbabilisticDP:
    """Probabilistic differential privacy: the privacy loss lies in [-epsilon, epsilon] with probability 1 - delta.

    The promise is for one step of the relation: the presence of a record (add or remove) or its value (replace).
    Post-processing may weaken it: `delta_at` and `epsilon_at` speak about the approximate guarantee it implies, which
    post-processing keeps.
    Source: thesis, Definition of probabilistic DP in chapter 5, Theorem 28

    Parameters
    ----------
    epsilon, delta : float; at least 0 and in [0, 1]
    relation : Relation, optional; the change that is hidden, a `Relation` or its name

    Examples
    --------
    >>> ProbabilisticDP(epsilon=1, delta=1e-6).delta_at(1)
    1e-06
    """

    epsilon: float
    delta: float
    relation: Relation = Relation.ADD_OR_REMOVE

    def __post_init__(self) -> None:
        _with_relation(self)
        object.__setattr__(self, "epsilon", number("epsilon", self.epsilon, 0.0))
        object.__setattr__(self, "delta", number("delta", self.delta, 0.0, 1.0))

    def as_approximate(self) -> ApproximateDP:
        """The approximate guarantee with the same epsilon and delta, which probabilistic DP implies."""
        return ApproximateDP(epsilon=self.epsilon, delta=self.delta, relation=self.relation)

    @overload
    def delta_at(self, epsilon: Number) -> float: ...
    @overload
    def delta_at(self, epsilon: ArrayLike) -> FloatArray: ...
    def delta_at(self, epsilon: ArrayLike) -> float | FloatArray:
        """Delta of the implied approximate guarantee at another epsilon; an upper bound."""
        return self.as_approximate().delta_at(epsilon)

    @overload
    def epsilon_at(self, delta: Number) -> float: ...
    @overload
    def epsilon_at(self, delta: ArrayLike) -> FloatArray: ...
    def epsilon_at(self, delta: ArrayLike) -> float | FloatArray:
        """Epsilon of the implied approximate guarantee at another delta; an upper bound."""
        return self.as_approximate().epsilon_at(delta)

    @overload
    def probabilistic_epsilon(self, delta_prime: Number) -> float: ...
    @overload
    def probabilistic_epsilon(self, delta_prime: ArrayLike) -> FloatArray: ...
    def probabilistic_epsilon(self, delta_prime: ArrayLike) -> float | FloatArray:
        """Its own epsilon, for every failure probability of at least its own delta; refuses smaller ones."""
        dp = probability("delta_prime", delta_prime)
        _refuse("delta_prime", f"be at least delta = {self.delta:g}", Code.INFEASIBLE, dp < self.delta, dp)
        return scalar_or_array(np.full(dp.shape, self.epsilon), delta_prime)

    def for_group(self, records: int) -> ApproximateDP | ProbabilisticDP:
        """The guarantee for m people together: that of the implied approximate one (probabilistic DP has no rule)."""
        return self if count("records", records, 1) == 1 else self.as_approximate().for_group(records)


@call_hint(
    epsilon="with an epsilon it is PureDP(epsilon=…)",
)
@dataclass(frozen=True, kw_only=True)
class ZeroConcentratedDP:
    """Zero-concentrated differential privacy: every Renyi divergence of order alpha is at most alpha rho.

    The promise is for one step of the relation: the presence of a record (add or remove) or its value (replace).
    Source: bun_steinke, Definition 1.1

    Parameters
    ----------
    rho : float; at least 0
    relation : Relation, optional; the change that is hidden, a `Relation` or its name

    Examples
    --------
    >>> ZeroConcentratedDP(rho=0.5).for_group(2).rho  # the square of the group's size
    2.0
    """

    rho: float
    relation: Relation = Relation.ADD_OR_REMOVE

    def __post_init__(self) -> None:
        _with_relation(self)
        object.__setattr__(self, "rho", number("rho", self.rho, 0.0))

    @overload
    def delta_at(self, epsilon: Number) -> float: ...
    @overload
    def delta_at(self, epsilon: ArrayLike) -> FloatArray: ...
    def delta_at(self, epsilon: ArrayLike) -> float | FloatArray:
        """Delta at epsilon by the best Renyi order (canonne_kamath_steinke); an upper bound."""
        return approximate_delta_from_rho_best_order(rho=self.rho, epsilon=epsilon)

    @overload
    def epsilon_at(self, delta: Number) -> float: ...
    @overload
    def epsilon_at(self, delta: ArrayLike) -> FloatArray: ...
    def epsilon_at(self, delta: ArrayLike) -> float | FloatArray:
        """Epsilon at delta by the best Renyi order (canonne_kamath_steinke); an upper bound."""
        return approximate_epsilon_from_rho_best_order(rho=self.rho, delta=delta)

    @overload
    def probabilistic_epsilon(self, delta_prime: Number) -> float: ...
    @overload
    def probabilistic_epsilon(self, delta_prime: ArrayLike) -> FloatArray: ...
    def probabilistic_epsilon(self, delta_prime: ArrayLike) -> float | FloatArray:
        """Epsilon' for a failure probability delta' by the direct tail bound; smaller than the published route."""
        return probabilistic_epsilon_from_rho(rho=self.rho, delta_prime=delta_prime)

    def for_group(self, records: int) -> ZeroConcentratedDP:
        """The guarantee for m people together: m^2 rho (bun_steinke, Proposition 1.9)."""
        return ZeroConcentratedDP(rho=count("records", records, 1) ** 2 * self.rho, relation=self.relation)


Guarantee = PureDP | ApproximateDP | ProbabilisticDP | ZeroConcentratedDP


def _delta_at(epsilon0: float, delta0: float, epsilon: ArrayLike) -> float | FloatArray:
    """delta0 + (1 - delta0) (e^epsilon0 - e^epsilon)/(1 + e^epsilon0) below epsilon0, delta0 above (kairouz)."""
    eps = array("epsilon", epsilon, 0.0)
    excess = -np.expm1(np.minimum(eps - epsilon0, 0.0)) / (1 + math.exp(-epsilon0))
    return scalar_or_array(delta0 + (1 - delta0) * excess, epsilon)


def _epsilon_at(epsilon0: float, delta0: float, delta: ArrayLike) -> float | FloatArray:
    """The inverse of `_delta_at`; infinite where delta is below delta0."""
    d = probability("delta", delta)
    fade = math.exp(-epsilon0)
    spent = (d - delta0) / (1 - delta0) * (1 + fade) if delta0 < 1 else np.ones(d.shape)
    left = ((1 - d) - (d - delta0) * fade) / (1 - delta0) if delta0 < 1 else np.zeros(d.shape)
    with np.errstate(divide="ignore"):
        kept = np.where(spent < 0.5, np.log1p(-np.minimum(spent, 0.5)), np.log(np.maximum(left, 0.0)))
    return scalar_or_array(np.where(d < delta0, math.inf, np.maximum(epsilon0 + kept, 0.0)), delta)


@call_hint
def group_privacy(guarantee: Guarantee, records: int) -> Guarantee:
    """The guarantee for `records` people together.

    The promise is about a secret that so many records share, under the relation of the guarantee. The value is m
    epsilon; for (epsilon, delta) also delta (e^(m epsilon) - 1)/(e^epsilon - 1); for zCDP m^2 rho. An upper bound.
    Source: dwork_roth, Theorem 2.2; bun_steinke, Proposition 1.9

    Parameters
    ----------
    guarantee : guarantee; the guarantee for one person
    records : int; number of people (or of records of one person), at least 1

    Examples
    --------
    >>> group_privacy(PureDP(epsilon=0.5), 3).epsilon
    1.5
    """
    kind_of("guarantee", guarantee, Guarantee, "a guarantee such as PureDP(epsilon=1.0)")
    return guarantee.for_group(records)


@call_hint
def replace_from_add_or_remove(guarantee: Guarantee) -> Guarantee:
    """The guarantee between tables in which one record is replaced, from the one for adding or removing a record.

    The promise changes its relation: a replaced record is one removed and one added, a group of two. The guarantee of a
    group of two, for replaced records. An upper bound: a count, for example, has half of it.
    Source: ours, replacing is removing and adding: group privacy for two records

    Parameters
    ----------
    guarantee : guarantee; for added or removed records

    Examples
    --------
    >>> replace_from_add_or_remove(PureDP(epsilon=0.5)).epsilon
    1.0
    """
    kind_of("guarantee", guarantee, Guarantee, "a guarantee such as PureDP(epsilon=1.0)")
    if guarantee.relation is not Relation.ADD_OR_REMOVE:
        raise Refused("guarantee", "be for added or removed records", guarantee.relation.value, Code.INCONSISTENT)
    group = guarantee.for_group(2)
    values = {name: getattr(group, name) for name in ("epsilon", "delta", "rho") if hasattr(group, name)}
    return type(group)(**values, relation=Relation.REPLACE)
