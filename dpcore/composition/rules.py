"""The composition rules on numbers: what releases with given epsilons, deltas or rhos guarantee together.

*Basic* adds up; *advanced* and *optimal* hold for any mechanisms with the given epsilons and deltas, equal or not;
*zero-concentrated* adds up rho. All are bounds for every mechanism with the stated guarantee.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, log_expit

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore.errors import Code, Refused
from dpcore.guarantees import ApproximateDP, ZeroConcentratedDP
from dpcore.privacy_loss import Bracket, PrivacyLoss
from dpcore.privacy_loss.laws import finite_share

LARGEST_PLAN = 100_000
"""Releases in a plan at most; a search for the first broken promise stops there."""

_STIRLING = np.array(
    [0.0] + [math.lgamma(n + 1) - (n + 0.5) * math.log(n) + n - 0.5 * math.log(2 * math.pi) for n in range(1, 16)]
)


# ---- binomial masses without loss of digits -------------------------------------------------------------------------


def _stirling_error(n: FloatArray) -> FloatArray:
    """ln n! minus Stirling's formula, for whole n of at least 1 (Loader's expansion)."""
    safe = np.maximum(n, 1.0)
    square = safe * safe
    series = (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680) / square) / square) / square) / safe
    return np.where(n < 16, _STIRLING[np.minimum(n, 15).astype(int)], series)


def _deviance(x: FloatArray, mean: FloatArray | float) -> FloatArray:
    """x ln(x/mean) + mean - x."""
    ratio = (x - mean) / mean
    return mean * ((1 + ratio) * np.log1p(ratio) - ratio)


def _binomial_log_mass(successes: FloatArray, trials: int, log_odds: float) -> FloatArray:
    """ln C(n, i) q^i (1 - q)^(n - i), q = expit(log_odds), by Loader's saddle-point form."""
    i = np.asarray(successes, dtype=float)
    q, rest = float(expit(log_odds)), float(expit(-log_odds))
    inner = (i > 0) & (i < trials)
    x = np.where(inner, i, 1.0) if trials > 1 else np.full(i.shape, 1.0)
    y = np.where(inner, trials - i, max(trials - 1.0, 1.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        middle = (
            _stirling_error(np.full(i.shape, float(trials)))
            - _stirling_error(x)
            - _stirling_error(y)
            - _deviance(x, trials * q)
            - _deviance(y, trials * rest)
            - 0.5 * np.log(2 * math.pi * x * y / trials)
        )
    ends = np.where(i == 0, trials * float(log_expit(-log_odds)), trials * float(log_expit(log_odds)))
    return np.where(inner, middle if min(q, rest) > 0.0 else -np.inf, ends)


class _Responses:
    """k randomised responses: masses of i = 0..k//2 losses of the wrong sign, and what is left of larger i."""

    def __init__(self, releases: int, epsilon: float) -> None:
        i = np.arange(releases // 2 + 1, dtype=float)
        with np.errstate(under="ignore"):
            self.masses = np.exp(_binomial_log_mass(i, releases, -epsilon))
            self.fades = np.exp(-2 * epsilon * i)
            self.gains = -np.expm1(-2 * epsilon * i)
            mirrored = (self.masses * np.exp(-(releases - 2 * i) * epsilon))[: (releases + 1) // 2]
        self.above = np.cumsum(np.append(mirrored.sum(), self.masses[::-1]))[::-1]  # mass of at least i

    def absent(self, steps: int) -> float:
        """Mass of at most l losses of the wrong sign in the other world, times e^((k - 2 l) epsilon)."""
        return float(self.masses[: steps + 1] @ self.fades[steps::-1])

    def delta(self, steps: int) -> float:
        """sum over i < l of mass_i (1 - e^(-2 (l - i) epsilon))."""
        return float(self.masses[:steps] @ self.gains[steps:0:-1]) if steps else 0.0

    def excess(self, steps: int, spare: float, rest: float) -> float:
        """How far the delta of l steps lies above `spare`; above one half by what is left of either, `rest` of it."""
        if spare <= 0.5:
            return self.delta(steps) - spare
        return rest - float(self.masses[:steps] @ self.fades[steps:0:-1] + self.above[steps])

    def largest_step(self, spare: float, rest: float) -> int:
        """The largest l whose delta is at most `spare`."""
        low, high = 0, self.masses.size - 1
        while low < high:
            middle = (low + high + 1) // 2
            if self.excess(middle, spare, rest) <= 0.0:
                low = middle
            else:
                high = middle - 1
        return low


# ---- the rules on numbers ------------------------------------------------------------------------------------------


def _releases(epsilons: ArrayLike, deltas: ArrayLike | None) -> tuple[FloatArray, FloatArray]:
    eps = _checks.array("epsilons", epsilons, 0.0)
    dls = np.zeros(eps.shape) if deltas is None else _checks.probability("deltas", deltas)
    if eps.ndim != 1 or eps.size == 0:
        raise Refused("epsilons", "be a list of at least one number", eps.tolist(), Code.EMPTY)
    if dls.shape != eps.shape:
        raise Refused("deltas", f"hold one number per epsilon ({eps.size})", dls.size, Code.WRONG_SHAPE)
    return eps, dls


@call_hint
def basic_composition(epsilons: ArrayLike, *, deltas: ArrayLike | None = None) -> ApproximateDP:
    """The guarantee of releases together by addition.

    The promise is each release's: one secret under one relation, to an observer of all. Sums of both. A bound for any
    mechanisms with these guarantees.
    Source: thesis, Theorem 25.1

    Parameters
    ----------
    epsilons : array_like; one per release, each at least 0
    deltas : array_like, optional; one per release, each in [0, 1]; zero when left out

    Examples
    --------
    >>> basic_composition([0.5, 0.25]).epsilon
    0.75
    """
    eps, dls = _releases(epsilons, deltas)
    return ApproximateDP(epsilon=math.fsum(eps), delta=min(math.fsum(dls), 1.0))


@call_hint
def advanced_epsilon(epsilons: ArrayLike, *, deltas: ArrayLike | None = None, total_delta: float) -> float:
    """Epsilon of releases together by advanced composition.

    The promise is each release's: one secret under one relation, to an observer of all. The value is sum eps (e^eps -
    1)/(e^eps + 1) + sqrt(2 ln(1/(total delta - sum delta)) sum eps^2). A bound for any mechanisms with these
    guarantees. It can exceed the sum of the epsilons: take the smaller of the two.
    Source: thesis, Theorem 25.2; kairouz, Theorem 3.5

    Parameters
    ----------
    epsilons, deltas : array_like; as in `basic_composition`
    total_delta : float; delta of all releases together, above the sum of `deltas`, below 1

    Examples
    --------
    >>> round(advanced_epsilon([0.05] * 51, total_delta=0.001), 4)
    1.3909
    """
    eps, dls = _releases(epsilons, deltas)
    total = _checks.number("total_delta", total_delta, 0.0, 1.0, open_high=True)
    spare = total - math.fsum(dls)
    if spare <= 0:
        raise Refused("total_delta", "exceed the sum of the deltas", total_delta, Code.INFEASIBLE)
    return math.fsum(eps * np.tanh(eps / 2)) + math.sqrt(-2 * math.log(spare) * math.fsum(eps**2))


@call_hint
def optimal_delta(*, releases: int, epsilon: float, steps: int) -> float:
    """Delta of k releases of an epsilon-DP mechanism at the total epsilon (k - 2 steps) epsilon.

    The promise is each release's: one secret under one relation, to an observer of all. The sum of the theorem in log
    space, every term positive. Exact for the worst mechanism (randomised response), a bound for every other.
    Source: thesis, Theorem 25.3; kairouz, Theorem 3.3

    Parameters
    ----------
    releases : int; k, at least 1
    epsilon : float; of each release, at least 0
    steps : int; l, from 0 to k/2; each step gives up 2 epsilon

    Examples
    --------
    >>> round(optimal_delta(releases=2, epsilon=1.0, steps=1), 6)  # (e^2 - 1)/(1 + e)^2
    0.462117
    """
    k = _checks.count("releases", releases, 1, LARGEST_PLAN)
    eps = _checks.number("epsilon", epsilon, 0.0)
    return _Responses(k, eps).delta(_checks.count("steps", steps, 0, k // 2))


@call_hint
@dataclass(frozen=True, kw_only=True)
class OptimalComposition:
    """A point of the optimal composition of equal releases.

    The promise is each release's: one secret under one relation, to an observer of all.

    Parameters
    ----------
    epsilon : float; total epsilon
    steps : int; how often 2 epsilon were given up
    delta : float; total delta at that epsilon

    Examples
    --------
    >>> found = optimal_composition(releases=7, epsilon=1.0, total_delta=0.5)
    >>> found.epsilon, found.steps  # (7 - 2 steps) epsilon
    (3.0, 2)
    """

    epsilon: float
    steps: int
    delta: float

    @property
    def guarantee(self) -> ApproximateDP:
        """Epsilon and delta as a guarantee."""
        return ApproximateDP(epsilon=self.epsilon, delta=self.delta)


def _log_kept(releases: int, delta_each: float) -> float:
    """ln (1 - delta_each)^k."""
    return releases * math.log1p(-delta_each)


@call_hint
def spare_delta(releases: int, delta_each: float, total_delta: float) -> float:
    """What the theorem's sum may be: 1 - (1 - total)/(1 - delta_each)^k; refused when below zero.

    The promise is each release's: one secret under one relation, to an observer of all.
    """
    each = _checks.number("delta_each", delta_each, 0.0, 1.0, open_high=True)
    total_delta = _checks.number("total_delta", total_delta, 0.0, 1.0, open_high=True)
    log_kept = _log_kept(releases, each)
    kept = math.exp(log_kept)
    if kept == 0.0 or total_delta + math.expm1(log_kept) < -1e-15 * total_delta * kept:
        raise Refused("total_delta", "be at least 1 - (1 - delta_each)^releases", total_delta, Code.INFEASIBLE)
    return max(finite_share(total_delta, log_kept), 0.0)


def _equal_releases(
    releases: int, epsilon: float, delta_each: float, total_delta: float
) -> tuple[int, float, float, float]:
    """Releases, epsilon, what the theorem's sum may be and 1 less that, which keeps its digits next to zero."""
    k = _checks.count("releases", releases, 1, LARGEST_PLAN)
    eps, spare = _checks.number("epsilon", epsilon, 0.0), spare_delta(k, delta_each, total_delta)
    return k, eps, spare, (1.0 - total_delta) * math.exp(-_log_kept(k, delta_each))


@call_hint
def optimal_composition(
    *, releases: int, epsilon: float, total_delta: float, delta_each: float = 0.0
) -> OptimalComposition:
    """Smallest total epsilon of the form (k - 2l) epsilon that k equal releases keep at a total delta.

    The promise is each release's: one secret under one relation, to an observer of all. Total epsilon, l, and the total
    delta used. A bound for any mechanisms with these guarantees. Not monotone in k: k - 2l keeps the parity of k, so
    one release more may allow a smaller total. A bound for k covers every smaller k.
    Source: thesis, Theorem 25.3; kairouz, Theorem 3.3

    Parameters
    ----------
    releases : int; k, from 1 to 100,000
    epsilon, delta_each : float; of each release, at least 0; in [0, 1)
    total_delta : float; in [0, 1), at least 1 - (1 - delta_each)^k

    Examples
    --------
    >>> optimal_composition(releases=7, epsilon=1.0, total_delta=0.5).epsilon
    3.0
    """
    k, eps, spare, rest = _equal_releases(releases, epsilon, delta_each, total_delta)
    responses = _Responses(k, eps)
    steps = responses.largest_step(spare, rest)
    inner = responses.delta(steps)
    used = -math.expm1(_log_kept(k, delta_each) + math.log1p(-inner)) if inner < 1 else 1.0
    return OptimalComposition(epsilon=(k - 2 * steps) * eps, steps=steps, delta=used)


@call_hint
def optimal_epsilon(*, releases: int, epsilon: float, total_delta: float, delta_each: float = 0.0) -> float:
    """Smallest total epsilon, of any real value, that k equal releases keep at a total delta.

    The promise is each release's: one secret under one relation, to an observer of all. The curve through the theorem's
    points: tight over all mechanisms with these guarantees and never above `optimal_composition`. Exact for randomised
    response and for geometric noise on a count of sensitivity 1. The parameters are those of `optimal_composition`.
    Source: kairouz, Theorem 3.3
    Source: ours, the privacy loss of k randomised responses between its atoms; checked against the transform and mpmath

    Examples
    --------
    >>> round(optimal_epsilon(releases=3, epsilon=1.0, total_delta=0.2), 6)
    2.282793
    """
    k, eps, spare, rest = _equal_releases(releases, epsilon, delta_each, total_delta)
    responses = _Responses(k, eps)
    steps = responses.largest_step(spare, rest)
    absent, top = responses.absent(steps), (k - 2 * steps) * eps
    fall = responses.excess(steps, spare, rest) / absent
    if fall > -0.5:
        return max(0.0, top + math.log1p(fall))
    left = float(responses.masses[: steps + 1].sum()) - spare if spare <= 0.5 else rest - responses.above[steps + 1]
    return max(0.0, top + math.log(left / absent)) if left > 0.0 else 0.0


@call_hint
@dataclass(frozen=True, kw_only=True)
class OptimalPromise:
    """The smallest shift of log odds that optimal composition promises at a failure probability.

    The promise is each release's: one secret under one relation, to an observer of all.

    Parameters
    ----------
    epsilon_prime : float; bound on the shift
    steps : int; the l that gives it
    delta : float; total delta at that l

    Examples
    --------
    >>> found = optimal_promise(releases=1, epsilon=1.0, delta_prime=1e-9)
    >>> round(found.epsilon_prime, 6), found.steps
    (1.0, 0)
    """

    epsilon_prime: float
    steps: int
    delta: float


@call_hint
def optimal_promise(*, releases: int, epsilon: float, delta_prime: float, delta_each: float = 0.0) -> OptimalPromise:
    """Smallest epsilon' that k equal releases promise except with probability delta', over every l.

    The promise is each release's: one secret under one relation, to an observer of all. Theorem 35 applied to every
    point (k - 2l) epsilon of optimal composition, the best kept. A bound.
    Source: thesis, Theorems 25.3 and 35
    Source: ours, the best l: a breakpoint of the curve is optimal; checked by a scan of the curve

    Parameters
    ----------
    releases, epsilon, delta_each : int or float; as in `optimal_composition`
    delta_prime : float; allowed failure probability, in (0, 1], above 1 - (1 - delta_each)^k

    Examples
    --------
    >>> round(optimal_promise(releases=96, epsilon=0.05, delta_prime=0.05).epsilon_prime, 4)
    1.1635
    """
    k = _checks.count("releases", releases, 1, LARGEST_PLAN)
    eps = _checks.number("epsilon", epsilon, 0.0)
    each = _checks.number("delta_each", delta_each, 0.0, 1.0, open_high=True)
    dp = _checks.number("delta_prime", delta_prime, 0.0, 1.0, open_low=True)
    responses = _Responses(k, eps)
    log_kept = _log_kept(k, each)
    kept, spare = math.exp(log_kept), finite_share(dp, log_kept)
    if kept == 0.0 or spare <= 0.0:
        raise Refused("delta_prime", "exceed the total delta of the releases", delta_prime, Code.INFEASIBLE)
    most = responses.largest_step(spare, (1.0 - dp) / kept)
    cumulative = np.cumsum(responses.masses)
    inner = np.zeros(most + 1)
    fade = math.exp(-2 * eps)
    for step in range(most):  # delta_(l+1) = e^(-2 eps) delta_l + (1 - e^(-2 eps)) (mass of at most l)
        inner[step + 1] = fade * inner[step] - math.expm1(-2 * eps) * cumulative[step]
    left = kept * (spare - inner) / dp  # 1 - delta/delta', of which next to 1 a difference would leave few digits
    totals = (k - 2 * np.arange(most + 1)) * eps
    with np.errstate(divide="ignore", invalid="ignore"):
        shifts = totals + np.log1p((1.0 - left) * np.exp(-totals)) - np.log(left)
    shifts[left <= 0.0] = math.inf
    best = int(np.argmin(shifts))
    delta = -math.expm1(log_kept + math.log1p(-inner[best]))
    return OptimalPromise(epsilon_prime=float(shifts[best]), steps=best, delta=delta)


def _pure_loss(epsilons: ArrayLike, deltas: ArrayLike | None) -> PrivacyLoss:
    eps, dls = _releases(epsilons, deltas)
    return PrivacyLoss(
        tuple((ApproximateDP(epsilon=float(e), delta=float(d)), 1) for e, d in zip(eps, dls, strict=True))
    )


@call_hint
def heterogeneous_delta(epsilons: ArrayLike, *, deltas: ArrayLike | None = None, epsilon: float) -> Bracket:
    """Delta of releases with different epsilons at a total epsilon, between two numbers.

    The promise is each release's: one secret under one relation, to an observer of all. Tight over all mechanisms with
    these guarantees. Equal ends (up to rounding) where the epsilons share a lattice or are few; otherwise a grid
    brackets the value, which is #P-hard to compute.
    Source: murtagh_vadhan, Theorems 1.5 and 1.7; ours, two-point losses convolved; checked against enumeration

    Parameters
    ----------
    epsilons, deltas : array_like; as in `basic_composition`
    epsilon : float; total epsilon, at least 0

    Examples
    --------
    >>> round(heterogeneous_delta([1.0, 1.0], epsilon=0.0).high, 6)
    0.462117
    """
    return _pure_loss(epsilons, deltas).delta_bracket(epsilon)


@call_hint
def heterogeneous_epsilon(epsilons: ArrayLike, *, deltas: ArrayLike | None = None, total_delta: float) -> Bracket:
    """Total epsilon of releases with different epsilons at a total delta, between two numbers.

    The promise is each release's: one secret under one relation, to an observer of all. As `heterogeneous_delta`,
    solved for epsilon; infinite when `total_delta` is below the deltas' own total.
    Source: murtagh_vadhan, Theorems 1.5 and 1.7; ours, two-point losses convolved; checked against enumeration

    Parameters
    ----------
    epsilons, deltas : array_like; as in `basic_composition`
    total_delta : float; in [0, 1]

    Examples
    --------
    >>> round(heterogeneous_epsilon([1.0, 0.5], total_delta=0.0).high, 6)
    1.5
    """
    return _pure_loss(epsilons, deltas).epsilon_bracket(_checks.number("total_delta", total_delta, 0.0, 1.0))


@call_hint
def concentrated_composition(rhos: ArrayLike) -> ZeroConcentratedDP:
    """The zero-concentrated guarantee of releases together.

    The promise is each release's: one secret under one relation, to an observer of all. The sum. A bound for any
    mechanisms with these guarantees, exact for Gaussian noise.
    Source: thesis, Theorem 26; bun_steinke, Lemma 2.3

    Parameters
    ----------
    rhos : array_like; one per release, each at least 0

    Examples
    --------
    >>> concentrated_composition([0.01, 0.02, 0.01]).rho
    0.04
    """
    values = _checks.array("rhos", rhos, 0.0)
    if values.ndim != 1 or values.size == 0:
        raise Refused("rhos", "be a list of at least one number", values.tolist(), Code.EMPTY)
    return ZeroConcentratedDP(rho=math.fsum(values))
