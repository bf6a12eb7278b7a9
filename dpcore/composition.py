"""How releases add up: plans as values, every composition rule, and the budgets a promise about beliefs leaves.

Five rules: *basic* (sums), *advanced* and *optimal* (for any mechanisms with the given epsilons), *zero-concentrated*
(sums of rho) and *exact* (the privacy loss of the mechanisms themselves, from `dpcore.privacy_loss`). The first four
are bounds for every mechanism with the stated guarantee; the last speaks about these mechanisms.

A `BeliefPromise` says how far the log odds of a belief may move and how often more is allowed. Every rule turns a
number of releases into such a shift, so one search finds the first release that breaks a promise, and another one the
largest budget per release that keeps it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, log_expit, logit

from dpcore import _checks
from dpcore._checks import FloatArray
from dpcore.discrete_certificate import DiscreteCertificate
from dpcore.first_passage import FirstPassing, first_round_beyond, first_round_passed
from dpcore.guarantees import (
    ApproximateDP,
    ProbabilisticDP,
    PureDP,
    ZeroConcentratedDP,
    approximate_epsilon_from_rho,
    gaussian_probabilistic_epsilon,
    gaussian_rho_from_probabilistic,
    probabilistic_epsilon_from_approximate,
    probabilistic_epsilon_from_rho,
    probabilistic_epsilon_from_rho_published,
    rho_from_probabilistic,
    rho_from_probabilistic_published,
)
from dpcore.mechanisms import Gaussian
from dpcore.privacy_loss import Bracket, Direction, PrivacyLoss, Side

LARGEST_PLAN = 100_000  # releases: beyond it a search for the first broken promise stops

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
    return np.where(inner, middle, ends)


def _two_point_deltas(releases: int, epsilon: float) -> tuple[FloatArray, FloatArray]:
    """Masses of i = 0..k//2 losses of the wrong sign among k, and 1 - e^(-2 j epsilon) for j = 0..k//2."""
    i = np.arange(releases // 2 + 1, dtype=float)
    with np.errstate(under="ignore"):
        return np.exp(_binomial_log_mass(i, releases, -epsilon)), -np.expm1(-2 * epsilon * i)


def _delta_at_step(masses: FloatArray, gains: FloatArray, steps: int) -> float:
    """sum over i < l of mass_i (1 - e^(-2 (l - i) epsilon))."""
    return float(masses[:steps] @ gains[steps:0:-1]) if steps else 0.0


# ---- the rules on numbers ------------------------------------------------------------------------------------------


def _releases(epsilons: ArrayLike, deltas: ArrayLike | None) -> tuple[FloatArray, FloatArray]:
    eps = _checks.array("epsilons", epsilons, 0.0)
    dls = np.zeros(eps.shape) if deltas is None else _checks.probability("deltas", deltas)
    if eps.ndim != 1 or eps.size == 0:
        raise ValueError(f"epsilons must be a list of at least one number; got {eps.tolist()!r}")
    if dls.shape != eps.shape:
        raise ValueError(f"deltas must hold one number per epsilon ({eps.size}); got {dls.size}")
    return eps, dls


def basic_composition(epsilons: ArrayLike, deltas: ArrayLike | None = None) -> ApproximateDP:
    """The guarantee of releases together by addition.

    Parameters
    ----------
    epsilons : one per release, each at least 0
    deltas : one per release, each in [0, 1]; zero when left out

    Returns
    -------
    Sums of both. A bound for any mechanisms with these guarantees.

    Raises
    ------
    ValueError
        ``epsilons must be at least 0 and finite; got ...``, ``deltas must hold one number per epsilon (2); got 1``

    References
    ----------
    thesis, Theorem 25.1

    Examples
    --------
    >>> basic_composition([0.5, 0.25]).epsilon
    0.75
    """
    eps, dls = _releases(epsilons, deltas)
    return ApproximateDP(epsilon=math.fsum(eps), delta=min(math.fsum(dls), 1.0))


def advanced_epsilon(epsilons: ArrayLike, deltas: ArrayLike | None = None, *, total_delta: float) -> float:
    """Epsilon of releases together by advanced composition.

    Parameters
    ----------
    epsilons, deltas : as in `basic_composition`
    total_delta : delta of all releases together, above the sum of `deltas`, below 1

    Returns
    -------
    sum eps (e^eps - 1)/(e^eps + 1) + sqrt(2 ln(1/(total delta - sum delta)) sum eps^2). A bound for any mechanisms with
    these guarantees. It can exceed the sum of the epsilons: take the smaller of the two.

    Raises
    ------
    ValueError
        ``total_delta must exceed the sum of the deltas; got ...``

    References
    ----------
    thesis, Theorem 25.2
    kairouz, Theorem 3.5

    Examples
    --------
    >>> round(advanced_epsilon([0.05] * 51, total_delta=0.001), 4)
    1.3909
    """
    eps, dls = _releases(epsilons, deltas)
    total = _checks.number("total_delta", total_delta, 0.0, 1.0, open_high=True)
    spare = total - math.fsum(dls)
    if spare <= 0:
        raise ValueError(f"total_delta must exceed the sum of the deltas; got {total_delta!r}")
    return math.fsum(eps * np.tanh(eps / 2)) + math.sqrt(-2 * math.log(spare) * math.fsum(eps**2))


def optimal_delta(*, releases: int, epsilon: float, steps: int) -> float:
    """Delta of k releases of an epsilon-DP mechanism at the total epsilon (k - 2 steps) epsilon.

    Parameters
    ----------
    releases : k, at least 1
    epsilon : of each release, at least 0
    steps : l, from 0 to k/2; each step gives up 2 epsilon

    Returns
    -------
    The sum of the theorem in log space, every term positive. Exact for the worst mechanism (randomised response), a
    bound for every other.

    Raises
    ------
    ValueError
        ``releases must be a whole number of at least 1; got ...``, ``steps must be a whole number from 0 to ...``

    References
    ----------
    thesis, Theorem 25.3
    kairouz, Theorem 3.3

    Examples
    --------
    >>> round(optimal_delta(releases=2, epsilon=1.0, steps=1), 6)  # (e^2 - 1)/(1 + e)^2
    0.462117
    """
    k = _checks.count("releases", releases, 1, LARGEST_PLAN)
    eps = _checks.number("epsilon", epsilon, 0.0)
    return _delta_at_step(*_two_point_deltas(k, eps), _checks.count("steps", steps, 0, k // 2))


@dataclass(frozen=True, kw_only=True)
class OptimalComposition:
    """A point of the optimal composition of equal releases.

    Parameters
    ----------
    epsilon : total epsilon
    steps : how often 2 epsilon were given up
    delta : total delta at that epsilon
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


def _spare(releases: int, delta_each: float, total_delta: float) -> float:
    """What the theorem's sum may be: 1 - (1 - total)/(1 - delta_each)^k; refused when below zero."""
    log_kept = _log_kept(releases, delta_each)
    kept = math.exp(log_kept)
    spare = (total_delta + math.expm1(log_kept)) / kept if kept > 0.0 else -math.inf
    if spare < -1e-15 * total_delta:
        raise ValueError(f"total_delta must be at least 1 - (1 - delta_each)^releases; got {total_delta!r}")
    return max(spare, 0.0)


def _equal_releases(releases: int, epsilon: float, delta_each: float, total_delta: float) -> tuple[int, float, float]:
    k = _checks.count("releases", releases, 1, LARGEST_PLAN)
    eps = _checks.number("epsilon", epsilon, 0.0)
    each = _checks.number("delta_each", delta_each, 0.0, 1.0, open_high=True)
    total = _checks.number("total_delta", total_delta, 0.0, 1.0, open_high=True)
    return k, eps, _spare(k, each, total)


def _largest_step(masses: FloatArray, gains: FloatArray, spare: float) -> int:
    low, high = 0, masses.size - 1
    while low < high:
        middle = (low + high + 1) // 2
        if _delta_at_step(masses, gains, middle) <= spare:
            low = middle
        else:
            high = middle - 1
    return low


def optimal_composition(
    *, releases: int, epsilon: float, total_delta: float, delta_each: float = 0.0
) -> OptimalComposition:
    """Smallest total epsilon of the form (k - 2l) epsilon that k equal releases keep at a total delta.

    Parameters
    ----------
    releases : k, from 1 to 100,000
    epsilon, delta_each : of each release, at least 0; in [0, 1)
    total_delta : in [0, 1), at least 1 - (1 - delta_each)^k

    Returns
    -------
    Total epsilon, l, and the total delta used. A bound for any mechanisms with these guarantees. Not monotone in k:
    k - 2l keeps the parity of k, so one release more may allow a smaller total. A bound for k covers every smaller k.

    Raises
    ------
    ValueError
        ``total_delta must be at least 1 - (1 - delta_each)^releases; got ...``

    References
    ----------
    thesis, Theorem 25.3
    kairouz, Theorem 3.3

    Examples
    --------
    >>> optimal_composition(releases=7, epsilon=1.0, total_delta=0.5).epsilon
    3.0
    """
    k, eps, spare = _equal_releases(releases, epsilon, delta_each, total_delta)
    masses, gains = _two_point_deltas(k, eps)
    steps = _largest_step(masses, gains, spare)
    inner = _delta_at_step(masses, gains, steps)
    used = -math.expm1(_log_kept(k, delta_each) + math.log1p(-inner)) if inner < 1 else 1.0
    return OptimalComposition(epsilon=(k - 2 * steps) * eps, steps=steps, delta=used)


def optimal_epsilon(*, releases: int, epsilon: float, total_delta: float, delta_each: float = 0.0) -> float:
    """Smallest total epsilon, of any real value, that k equal releases keep at a total delta.

    Parameters
    ----------
    releases, epsilon, delta_each, total_delta : as in `optimal_composition`

    Returns
    -------
    The curve through the theorem's points: tight over all mechanisms with these guarantees and never above
    `optimal_composition`. Exact for randomised response and for geometric noise on a count of sensitivity 1.

    Raises
    ------
    ValueError
        as `optimal_composition`

    References
    ----------
    kairouz, Theorem 3.3
    ours, the privacy loss of k randomised responses between its atoms; checked against the transform and mpmath

    Examples
    --------
    >>> round(optimal_epsilon(releases=3, epsilon=1.0, total_delta=0.2), 6)
    2.282793
    """
    k, eps, spare = _equal_releases(releases, epsilon, delta_each, total_delta)
    masses, gains = _two_point_deltas(k, eps)
    steps = _largest_step(masses, gains, spare)
    present = float(masses[: steps + 1].sum())
    absent = float(masses[: steps + 1] @ (1 - gains[steps::-1]))
    top = (k - 2 * steps) * eps
    return max(0.0, top + math.log((present - spare) / absent)) if present > spare else 0.0


@dataclass(frozen=True, kw_only=True)
class OptimalPromise:
    """The smallest shift of log odds that optimal composition promises at a failure probability.

    Parameters
    ----------
    epsilon_prime : bound on the shift
    steps : the l that gives it
    delta : total delta at that l
    """

    epsilon_prime: float
    steps: int
    delta: float


def optimal_promise(*, releases: int, epsilon: float, delta_prime: float, delta_each: float = 0.0) -> OptimalPromise:
    """Smallest epsilon' that k equal releases promise except with probability delta', over every l.

    Parameters
    ----------
    releases, epsilon, delta_each : as in `optimal_composition`
    delta_prime : allowed failure probability, in (0, 1], above 1 - (1 - delta_each)^k

    Returns
    -------
    Theorem 35 applied to every point (k - 2l) epsilon of optimal composition, the best kept. A bound.

    Raises
    ------
    ValueError
        ``delta_prime must exceed the total delta of the releases; got ...``

    References
    ----------
    thesis, Theorems 25.3 and 35
    ours, the best l: a breakpoint of the curve is optimal; checked by a scan of the curve

    Examples
    --------
    >>> round(optimal_promise(releases=96, epsilon=0.05, delta_prime=0.05).epsilon_prime, 4)
    1.1635
    """
    k = _checks.count("releases", releases, 1, LARGEST_PLAN)
    eps = _checks.number("epsilon", epsilon, 0.0)
    each = _checks.number("delta_each", delta_each, 0.0, 1.0, open_high=True)
    dp = _checks.number("delta_prime", delta_prime, 0.0, 1.0, open_low=True)
    masses, gains = _two_point_deltas(k, eps)
    kept = math.exp(_log_kept(k, each))
    floor = -math.expm1(_log_kept(k, each))
    if dp <= floor:
        raise ValueError(f"delta_prime must exceed the total delta of the releases; got {delta_prime!r}")
    most = _largest_step(masses, gains, (dp - floor) / kept)
    cumulative = np.cumsum(masses)
    inner = np.zeros(most + 1)
    fade = math.exp(-2 * eps)
    for step in range(most):  # delta_(l+1) = e^(-2 eps) delta_l + (1 - e^(-2 eps)) (mass of at most l)
        inner[step + 1] = fade * inner[step] - math.expm1(-2 * eps) * cumulative[step]
    deltas = floor + kept * inner
    usable = deltas < dp
    totals = (k - 2 * np.arange(most + 1)) * eps
    shifts = np.full(most + 1, math.inf)
    shifts[usable] = probabilistic_epsilon_from_approximate(
        epsilon=totals[usable], delta=deltas[usable], delta_prime=dp
    )
    best = int(np.argmin(shifts))
    return OptimalPromise(epsilon_prime=float(shifts[best]), steps=best, delta=float(deltas[best]))


def _pure_loss(epsilons: ArrayLike, deltas: ArrayLike | None) -> PrivacyLoss:
    eps, dls = _releases(epsilons, deltas)
    return PrivacyLoss(
        tuple((ApproximateDP(epsilon=float(e), delta=float(d)), 1) for e, d in zip(eps, dls, strict=True))
    )


def heterogeneous_delta(epsilons: ArrayLike, deltas: ArrayLike | None = None, *, epsilon: float) -> Bracket:
    """Delta of releases with different epsilons at a total epsilon, between two numbers.

    Parameters
    ----------
    epsilons, deltas : as in `basic_composition`
    epsilon : total epsilon, at least 0

    Returns
    -------
    Tight over all mechanisms with these guarantees. Equal ends (up to rounding) where the epsilons share a lattice or
    are few; otherwise a grid brackets the value, which is #P-hard to compute.

    Raises
    ------
    ValueError
        as `basic_composition`; ``epsilon must be at least 0 and finite; got ...``

    References
    ----------
    murtagh_vadhan, Theorems 1.5 and 1.7
    ours, two-point losses convolved; checked against enumeration

    Examples
    --------
    >>> round(heterogeneous_delta([1.0, 1.0], epsilon=0.0).high, 6)
    0.462117
    """
    return _pure_loss(epsilons, deltas).delta_bracket(epsilon)


def heterogeneous_epsilon(epsilons: ArrayLike, deltas: ArrayLike | None = None, *, total_delta: float) -> Bracket:
    """Total epsilon of releases with different epsilons at a total delta, between two numbers.

    Parameters
    ----------
    epsilons, deltas : as in `basic_composition`
    total_delta : in [0, 1]

    Returns
    -------
    As `heterogeneous_delta`, solved for epsilon; infinite when `total_delta` is below the deltas' own total.

    Raises
    ------
    ValueError
        as `basic_composition`; ``delta must lie in [0, 1]; got ...``

    References
    ----------
    murtagh_vadhan, Theorems 1.5 and 1.7
    ours, two-point losses convolved; checked against enumeration

    Examples
    --------
    >>> round(heterogeneous_epsilon([1.0, 0.5], total_delta=0.0).high, 6)
    1.5
    """
    return _pure_loss(epsilons, deltas).epsilon_bracket(total_delta)


def concentrated_composition(rhos: ArrayLike) -> ZeroConcentratedDP:
    """The zero-concentrated guarantee of releases together.

    Parameters
    ----------
    rhos : one per release, each at least 0

    Returns
    -------
    The sum. A bound for any mechanisms with these guarantees, exact for Gaussian noise.

    Raises
    ------
    ValueError
        ``rhos must be at least 0 and finite; got ...``

    References
    ----------
    thesis, Theorem 26
    bun_steinke, Lemma 2.3

    Examples
    --------
    >>> concentrated_composition([0.01, 0.02, 0.01]).rho
    0.04
    """
    values = _checks.array("rhos", rhos, 0.0)
    if values.ndim != 1 or values.size == 0:
        raise ValueError(f"rhos must be a list of at least one number; got {values.tolist()!r}")
    return ZeroConcentratedDP(rho=math.fsum(values))


# ---- promises about beliefs ------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class BeliefPromise:
    """How far the log odds of an attacker's belief may move, and how often they may move further.

    Parameters
    ----------
    epsilon_prime : allowed shift, at least 0
    delta_prime : allowed failure probability, in [0, 1)
    direction : ``"either"`` for a promise about rises and falls, ``"rise"`` for one about rises alone

    Raises
    ------
    ValueError
        ``epsilon_prime must be at least 0 and finite; got ...``, ``delta_prime must lie in [0, 1); got ...``,
        ``direction must be one of 'either', 'rise'; got ...``

    References
    ----------
    thesis, Theorem 28

    Examples
    --------
    >>> round(BeliefPromise.posterior_cap(prior=0.5, cap=0.8, delta_prime=0.05).epsilon_prime, 6)  # ln 4
    1.386294
    >>> round(BeliefPromise.largest_difference(cap=0.2).epsilon_prime, 6)  # 4 atanh(0.2)
    0.81093
    """

    epsilon_prime: float
    delta_prime: float = 0.0
    direction: Direction = "either"

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon_prime", _checks.number("epsilon_prime", self.epsilon_prime, 0.0))
        failure = _checks.number("delta_prime", self.delta_prime, 0.0, 1.0, open_high=True)
        object.__setattr__(self, "delta_prime", failure)
        _checks.choice("direction", self.direction, ("either", "rise"))

    @classmethod
    def posterior_cap(
        cls, *, prior: float, cap: float, delta_prime: float = 0.0, direction: Direction = "either"
    ) -> BeliefPromise:
        """A belief that starts at `prior` stays at or below `cap` (thesis, Corollary 32)."""
        p = _checks.number("prior", prior, 0.0, 1.0, open_low=True, open_high=True)
        c = _checks.number("cap", cap, 0.0, 1.0, open_low=True, open_high=True)
        if c < p:
            raise ValueError(f"cap must be at least the prior; got {cap!r}")
        shift = max(float(logit(c) - logit(p)), 0.0)
        return cls(epsilon_prime=shift, delta_prime=delta_prime, direction=direction)

    @classmethod
    def largest_difference(
        cls, *, cap: float, delta_prime: float = 0.0, direction: Direction = "either"
    ) -> BeliefPromise:
        """No belief, whatever its prior, moves by more than `cap` (thesis, Corollary 34)."""
        c = _checks.number("cap", cap, 0.0, 1.0, open_high=True)
        return cls(epsilon_prime=4 * math.atanh(c), delta_prime=delta_prime, direction=direction)


class Rule:
    """A way to bound what repeated releases reveal: a shift of log odds from a number of releases.

    `period` is 2 where the answer moves with the parity of the number of releases, else 1. A rule that bounds every
    event of the releases holds for somebody who looks once and for somebody who reads every release, and its bound for
    k releases covers every smaller number (`covers_fewer`); an exact chance does neither.
    """

    period = 1
    covers_fewer = True

    def shift(self, releases: int, delta_prime: float, direction: Direction = "either") -> float:
        """Bound on the shift of log odds after so many releases, except with probability delta'."""
        raise NotImplementedError

    def keeps(self, releases: int, promise: BeliefPromise) -> bool:
        """Whether so many releases keep the promise, by this rule; a shift reached up to rounding is kept."""
        found = self.shift(releases, promise.delta_prime, promise.direction)
        return found <= promise.epsilon_prime * (1 + 1e-14)

    def first_broken(self, promise: BeliefPromise, at_most: int) -> int | None:
        """The first number of releases that breaks the promise; None when none up to `at_most` does."""
        found = [_first_in_class(self, promise, k, at_most) for k in range(1, min(self.period, at_most) + 1)]
        return min((k for k in found if k is not None), default=None)


def _charged(epsilon: float, delta: float, delta_prime: float, direction: Direction, *, charge: bool) -> float:
    """Epsilon' of an approximate guarantee; without the charge the guarantee is read as a probabilistic one."""
    if not charge or delta == 0.0:
        return epsilon
    if delta_prime <= delta:
        raise ValueError(f"delta_prime must exceed the total delta {delta:g}; got {delta_prime!r}")
    if direction == "rise":
        return epsilon - math.log1p(-delta / delta_prime)
    return float(probabilistic_epsilon_from_approximate(epsilon=epsilon, delta=delta, delta_prime=delta_prime))


def _check_release(rule: Any) -> None:
    """Refuse an epsilon or a delta that a release cannot have."""
    object.__setattr__(rule, "epsilon", _checks.number("epsilon", rule.epsilon, 0.0))
    object.__setattr__(rule, "delta_each", _checks.number("delta_each", rule.delta_each, 0.0, 1.0, open_high=True))


@dataclass(frozen=True, kw_only=True)
class BasicRule(Rule):
    """Epsilons and deltas of equal releases added up.

    Parameters
    ----------
    epsilon, delta_each : of each release
    charge : whether delta is turned into a promise by Theorem 35; otherwise it is read as the failure probability

    References
    ----------
    thesis, Theorems 25.1 and 35

    Raises
    ------
    ValueError
        ``epsilon must be at least 0 and finite; got ...``, ``delta_each must lie in [0, 1); got ...``
    """

    epsilon: float
    delta_each: float = 0.0
    charge: bool = True

    def __post_init__(self) -> None:
        _check_release(self)

    def shift(self, releases: int, delta_prime: float, direction: Direction = "either") -> float:
        """See `Rule.shift`; infinite once the deltas reach the allowed failure probability."""
        delta = min(releases * self.delta_each, 1.0)
        if self.charge and delta > 0.0 and delta_prime <= delta:
            return math.inf
        return _charged(releases * self.epsilon, delta, delta_prime, direction, charge=self.charge)


@dataclass(frozen=True, kw_only=True)
class AdvancedRule(Rule):
    """Advanced composition of equal releases at a total delta.

    Parameters
    ----------
    epsilon, delta_each : of each release
    total_delta : of all releases together
    charge : as in `BasicRule`

    References
    ----------
    thesis, Theorems 25.2 and 35

    Raises
    ------
    ValueError
        as `BasicRule`; ``total_delta must lie in (0, 1); got ...``,
        ``delta_prime must exceed the total delta 0.001; got ...``
    """

    epsilon: float
    total_delta: float
    delta_each: float = 0.0
    charge: bool = True

    def __post_init__(self) -> None:
        _check_release(self)
        total = _checks.number("total_delta", self.total_delta, 0.0, 1.0, open_low=True, open_high=True)
        object.__setattr__(self, "total_delta", total)

    def shift(self, releases: int, delta_prime: float, direction: Direction = "either") -> float:
        """See `Rule.shift`; infinite once the releases' own deltas use up the total."""
        spare = self.total_delta - releases * self.delta_each
        if spare <= 0.0:
            return math.inf
        eps = self.epsilon
        total = releases * eps * math.tanh(eps / 2) + eps * math.sqrt(-2 * releases * math.log(spare))
        return _charged(total, self.total_delta, delta_prime, direction, charge=self.charge)


@dataclass(frozen=True, kw_only=True)
class OptimalRule(Rule):
    """Optimal composition of equal releases: at a total delta, or at the best one for the promise.

    Parameters
    ----------
    epsilon, delta_each : of each release
    total_delta : of all releases together; None chooses the best for the promise
    between_steps : use every real total epsilon, not only (k - 2l) epsilon
    charge : as in `BasicRule`

    References
    ----------
    thesis, Theorems 25.3 and 35

    Raises
    ------
    ValueError
        as `AdvancedRule`
    """

    epsilon: float
    total_delta: float | None = None
    delta_each: float = 0.0
    between_steps: bool = False
    charge: bool = True

    period = 2

    def __post_init__(self) -> None:
        _check_release(self)
        if self.total_delta is not None:
            total = _checks.number("total_delta", self.total_delta, 0.0, 1.0, open_high=True)
            object.__setattr__(self, "total_delta", total)

    def shift(self, releases: int, delta_prime: float, direction: Direction = "either") -> float:
        """See `Rule.shift`; infinite once the releases' own deltas use up the total."""
        each = self.delta_each
        try:
            if self.total_delta is None:
                if delta_prime == 0.0 and each == 0.0:
                    return releases * self.epsilon
                return optimal_promise(
                    releases=releases, epsilon=self.epsilon, delta_prime=delta_prime, delta_each=each
                ).epsilon_prime
            equal: dict[str, Any] = {
                "releases": releases,
                "epsilon": self.epsilon,
                "delta_each": each,
                "total_delta": self.total_delta,
            }
            total = optimal_epsilon(**equal) if self.between_steps else optimal_composition(**equal).epsilon
        except ValueError:
            return math.inf
        return _charged(total, self.total_delta, delta_prime, direction, charge=self.charge)


ROUTES: dict[str, Callable[..., Any]] = {
    "direct": probabilistic_epsilon_from_rho,
    "published": probabilistic_epsilon_from_rho_published,
    "gaussian": gaussian_probabilistic_epsilon,
}


@dataclass(frozen=True, kw_only=True)
class ConcentratedRule(Rule):
    """Rhos added up, then turned into a promise.

    Parameters
    ----------
    rho : of each release
    route : ``"direct"`` (zCDP tail bound), ``"published"`` (Theorem 24, then Theorem 35, delta chosen best) or
        ``"gaussian"`` (exact for Gaussian noise)

    References
    ----------
    thesis, Theorems 24, 26 and 35
    ours, the direct route and the exact Gaussian one
    """

    rho: float
    route: str = "direct"

    def __post_init__(self) -> None:
        object.__setattr__(self, "rho", _checks.number("rho", self.rho, 0.0, open_low=True))
        _checks.choice("route", self.route, tuple(ROUTES))

    def shift(self, releases: int, delta_prime: float, direction: Direction = "either") -> float:
        """See `Rule.shift`."""
        if delta_prime == 0.0:
            return math.inf
        if self.route == "gaussian" and direction == "rise":
            return PrivacyLoss.of(Gaussian(rho=self.rho * releases)).loss_quantile(1 - delta_prime)
        return float(ROUTES[self.route](rho=releases * self.rho, delta_prime=delta_prime))


@dataclass(frozen=True, kw_only=True)
class ExactRule(Rule):
    """The exact law of the belief after the mechanisms themselves, the target in the data, on the last round.

    The promise is for somebody who looks once, after that round. For somebody who reads every round see
    `dpcore.first_passage`.

    Parameters
    ----------
    loss : privacy loss of one round of releases, all of named mechanisms

    Raises
    ------
    ValueError
        ``source must be a mechanism, a guarantee alone has no law of tails; got ...``

    References
    ----------
    thesis, Theorem 27
    ours, exact composition of the privacy loss
    """

    loss: PrivacyLoss

    covers_fewer = False

    def __post_init__(self) -> None:
        self.loss.check_law_of_tails()

    @classmethod
    def of(cls, mechanism: Any) -> ExactRule:
        """One release of a mechanism per round."""
        return cls(loss=PrivacyLoss.of(mechanism))

    def shift(self, releases: int, delta_prime: float, direction: Direction = "either") -> float:
        """Smallest shift exceeded with probability at most delta'."""
        total = self.loss.times(releases)
        if direction == "rise":
            return max(float(total.loss_quantile(1 - delta_prime)), 0.0)
        low, high = 0.0, max(float(total.loss_quantile(1 - delta_prime / 2)), 1e-9)
        while math.isfinite(high) and total.exceedance(high, direction="either") > delta_prime:
            high *= 2
        if not math.isfinite(high):
            return math.inf
        for _ in range(100):
            middle = (low + high) / 2
            if middle in (low, high):
                break
            if total.exceedance(middle, direction="either") > delta_prime:
                low = middle
            else:
                high = middle
        return high

    def keeps(self, releases: int, promise: BeliefPromise) -> bool:
        """See `Rule.keeps`: compares probabilities, so an allowed shift that is reached exactly is kept."""
        total = self.loss.times(releases)
        return bool(total.exceedance(promise.epsilon_prime, direction=promise.direction) <= promise.delta_prime)

    def first_broken(self, promise: BeliefPromise, at_most: int) -> int | None:
        """See `Rule.first_broken`; every number is looked at, because an exact chance can fall again."""
        found = first_round_beyond(
            self.loss,
            shift=promise.epsilon_prime,
            failure=promise.delta_prime,
            at_most=at_most,
            direction=promise.direction,
        )
        if self.loss.certainty == "exact":
            return found
        return self._settled(at_most if found is None else found, promise, at_most)

    def _settled(self, near: int, promise: BeliefPromise, at_most: int) -> int | None:
        """The first number by `keeps`, from one found on another grid."""
        first = near
        while first > 1 and not self.keeps(first - 1, promise):
            first -= 1
        while first <= at_most and self.keeps(first, promise):
            first += 1
        return first if first <= at_most else None


# ---- how many, how much ---------------------------------------------------------------------------------------------


def first_broken(rule: Rule, promise: BeliefPromise, *, at_most: int = LARGEST_PLAN) -> int | None:
    """Number of the first release after which a rule no longer keeps a promise.

    Parameters
    ----------
    rule : how releases add up
    promise : what is promised
    at_most : releases looked at

    Returns
    -------
    The smallest k that breaks the promise; None when none up to `at_most` does. For bounds found by bisection among the
    even and among the odd numbers, within each of which more releases never promise less. An exact chance can fall and
    rise again (unequal releases of a round), so there every number that a Chernoff bound does not clear is looked at.

    Raises
    ------
    ValueError
        ``at_most must be a whole number of at least 1; got ...``

    References
    ----------
    thesis, Figure 5.3 and Example 7
    ours, bisection within each parity, and a scan for exact chances; checked against a plain scan

    Examples
    --------
    >>> promise = BeliefPromise.posterior_cap(prior=0.5, cap=0.8, delta_prime=0.05)
    >>> first_broken(BasicRule(epsilon=0.05), promise)
    28
    """
    return rule.first_broken(promise, _checks.count("at_most", at_most, 1, LARGEST_PLAN))


def _first_in_class(rule: Rule, promise: BeliefPromise, start: int, limit: int) -> int | None:
    """The first of start, start + period, ... that breaks the promise: doubling, then bisection."""
    period = rule.period
    last = (limit - start) // period
    if not rule.keeps(start, promise):
        return start
    low, high = 0, 1
    while high <= last and rule.keeps(start + period * high, promise):
        low, high = high, 2 * high
    if high > last:
        if low == last or rule.keeps(start + period * last, promise):
            return None
        high = last
    while high - low > 1:
        middle = (low + high) // 2
        if rule.keeps(start + period * middle, promise):
            low = middle
        else:
            high = middle
    return start + period * high


def largest_safe(rule: Rule, promise: BeliefPromise, *, at_most: int = LARGEST_PLAN) -> int:
    """Largest number of releases that is safe by a rule, and with it every smaller number.

    Parameters
    ----------
    rule, promise, at_most : as in `first_broken`

    Returns
    -------
    0 when none is safe, `at_most` when all are. A *bound* for k releases covers every smaller number, so for a bound it
    is the largest k that keeps the promise, which with parity can lie above the first k whose own bound breaks it. An
    exact chance covers no other number: there it is one less than `first_broken`.

    Raises
    ------
    ValueError
        as `first_broken`

    References
    ----------
    ours, bisection within each parity; checked against a scan

    Examples
    --------
    >>> largest_safe(BasicRule(epsilon=0.3), BeliefPromise.posterior_cap(prior=0.1, cap=0.4))
    5
    """
    limit = _checks.count("at_most", at_most, 1, LARGEST_PLAN)
    if not rule.covers_fewer:
        broken = rule.first_broken(promise, limit)
        return limit if broken is None else broken - 1
    best = 0
    for start in range(1, min(rule.period, limit) + 1):
        broken = _first_in_class(rule, promise, start, limit)
        last = start + rule.period * ((limit - start) // rule.period) if broken is None else broken - rule.period
        best = max(best, last)
    return best


def largest_kept(rule: Rule, promise: BeliefPromise, *, at_most: int = LARGEST_PLAN) -> int:
    """Largest number of releases that by itself keeps a promise by a rule; a smaller number may break it.

    Parameters
    ----------
    rule, promise, at_most : as in `first_broken`

    Returns
    -------
    As `largest_safe` for a bound. For an exact chance the largest k up to twice the first that breaks the promise: with
    losses of plus or minus epsilon the chance moves with the parity of k, and some numbers between are not safe.

    Raises
    ------
    ValueError
        as `first_broken`

    References
    ----------
    ours, checked against a scan

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> rule = ExactRule.of(Geometric(epsilon=0.05))
    >>> promise = BeliefPromise.posterior_cap(prior=0.5, cap=0.8, delta_prime=0.05)
    >>> first_broken(rule, promise), largest_safe(rule, promise), largest_kept(rule, promise)
    (174, 173, 183)
    """
    limit = _checks.count("at_most", at_most, 1, LARGEST_PLAN)
    broken = rule.first_broken(promise, limit)
    if rule.covers_fewer or broken is None:
        return largest_safe(rule, promise, at_most=limit)
    return max((k for k in range(1, min(2 * broken, limit) + 1) if rule.keeps(k, promise)), default=0)


def largest_budget(rule_for: Callable[[float], Rule], promise: BeliefPromise, *, releases: int) -> float:
    """Largest budget per release with which so many releases keep a promise.

    Parameters
    ----------
    rule_for : the rule for a budget per release (epsilon or rho), for example
        ``lambda epsilon: BasicRule(epsilon=epsilon)``
    promise : what is promised
    releases : number of releases, at least 1

    Returns
    -------
    The budget, rounded down to a float that keeps the promise; 0 when even 1e-12 breaks it. A larger budget never
    reveals less, so a bisection finds it.

    Raises
    ------
    ValueError
        ``releases must be a whole number of at least 1; got ...``

    References
    ----------
    thesis, Example 8
    ours, bisection

    Examples
    --------
    >>> promise = BeliefPromise.largest_difference(cap=0.2)
    >>> round(largest_budget(lambda epsilon: BasicRule(epsilon=epsilon), promise, releases=12), 6)
    0.067578
    """
    count = _checks.count("releases", releases, 1, LARGEST_PLAN)
    return _largest_kept(lambda budget: rule_for(budget).keeps(count, promise))


def _largest_kept(kept: Callable[[float], bool]) -> float:
    """The largest float for which a condition that holds from 0 up to a point still holds."""
    low, high = 1e-12, 1.0
    if not kept(low):
        return 0.0
    while kept(high):
        low, high = high, 2 * high
        if high > 1e4:
            return low
    while high - low > 4e-16 * high:
        middle = math.sqrt(low * high) if high > 2 * low else (low + high) / 2
        if not low < middle < high:
            break
        if kept(middle):
            low = middle
        else:
            high = middle
    return low


def largest_epsilon_each(
    *, releases: int, total_epsilon: float, total_delta: float, delta_each: float = 0.0, rule: str = "exact"
) -> float:
    """Largest epsilon per release that stays within a total guarantee.

    Parameters
    ----------
    releases : number of releases, at least 1
    total_epsilon, total_delta : the guarantee of all together
    delta_each : delta of each release
    rule : ``"basic"``, ``"advanced"``, ``"optimal"`` (points (k - 2l) epsilon) or ``"exact"`` (every real total)

    Returns
    -------
    The epsilon, rounded down.

    Raises
    ------
    ValueError
        ``total_delta must be at least 1 - (1 - delta_each)^releases; got ...``,
        ``rule must be one of 'basic', 'advanced', 'optimal', 'exact'; got ...``

    References
    ----------
    thesis, Theorem 25 and Example 8
    ours, bisection

    Examples
    --------
    >>> largest_epsilon_each(releases=4, total_epsilon=1.0, total_delta=0.0, rule="basic")
    0.25
    """
    k = _checks.count("releases", releases, 1, LARGEST_PLAN)
    target = _checks.number("total_epsilon", total_epsilon, 0.0)
    _checks.choice("rule", rule, ("basic", "advanced", "optimal", "exact"))
    each = _checks.number("delta_each", delta_each, 0.0, 1.0, open_high=True)
    total = _checks.number("total_delta", total_delta, 0.0, 1.0, open_high=True)
    _spare(k, each, total)
    if rule == "basic":
        return target / k
    if rule == "advanced":
        if total - k * each <= 0:
            raise ValueError(f"total_delta must exceed the sum of the deltas; got {total_delta!r}")
        return _largest_kept(
            lambda eps: (
                AdvancedRule(epsilon=eps, total_delta=total, delta_each=each, charge=False).shift(k, 0) <= target
            )
        )
    total_of = {
        "optimal": lambda eps: optimal_composition(releases=k, epsilon=eps, delta_each=each, total_delta=total).epsilon,
        "exact": lambda eps: optimal_epsilon(releases=k, epsilon=eps, delta_each=each, total_delta=total),
    }[rule]
    return _largest_kept(lambda eps: total_of(eps) <= target)


def largest_rho_each(promise: BeliefPromise, *, releases: int, route: str = "direct") -> float:
    """Largest rho per release with which so many releases keep a promise.

    Parameters
    ----------
    promise : with a failure probability above 0
    releases : number of releases, at least 1
    route : ``"direct"`` or ``"published"`` for any zero-concentrated mechanism, ``"gaussian"`` for continuous Gaussian
        noise, ``"discrete_gaussian"`` for discrete Gaussian noise on one integer count

    Returns
    -------
    By the first three routes the promise's total rho over the number of releases: a safe value by the first two, exact
    for continuous Gaussian noise by the third, and *not* a budget of integer noise. By the fourth the largest rho whose
    exact failure probability was verified for integer noise; a smaller rho need not be certified, and the next decimal
    below it neither: see `DiscreteCertificate`.

    Raises
    ------
    ValueError
        ``delta_prime must lie in (0, 1]; got ...``,
        ``route must be one of 'direct', 'published', 'gaussian', 'discrete_gaussian'; got ...``

    References
    ----------
    thesis, Theorems 24, 26 and 35
    ours, the closed forms of the direct and the Gaussian route; the certificate of discrete Gaussian noise

    Examples
    --------
    >>> promise = BeliefPromise.largest_difference(cap=0.2, delta_prime=0.01)
    >>> round(12 * largest_rho_each(promise, releases=12, route="gaussian"), 5)
    0.0484
    >>> round(12 * largest_rho_each(promise, releases=12, route="discrete_gaussian"), 5)
    0.04866
    """
    count = _checks.count("releases", releases, 1, LARGEST_PLAN)
    _checks.choice("route", route, (*ROUTES, "discrete_gaussian"))
    inverse: dict[str, Callable[..., Any]] = {
        "direct": rho_from_probabilistic,
        "published": rho_from_probabilistic_published,
        "gaussian": gaussian_rho_from_probabilistic,
    }
    if promise.epsilon_prime == 0.0:  # no belief may move at all, so nothing may be released
        return 0.0
    if route == "discrete_gaussian":
        return DiscreteCertificate(
            epsilon_prime=promise.epsilon_prime,
            delta_prime=promise.delta_prime,
            releases=count,
            direction=promise.direction,
        ).largest_rho
    total = float(inverse[route](epsilon_prime=promise.epsilon_prime, delta_prime=promise.delta_prime))
    return total / count


# ---- plans ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _alone(source: Any) -> PrivacyLoss:
    """The loss of one release of a mechanism; kept, because every round of a plan asks for it."""
    return PrivacyLoss.of(source)


@dataclass(frozen=True)
class PlannedRelease:
    """One row of a plan: a mechanism or a guarantee, and how often it is released.

    Parameters
    ----------
    source : a mechanism of `dpcore.mechanisms`, or a guarantee (pure, approximate, probabilistic, zero-concentrated)
    count : at least 1
    name : what is released, for people

    Raises
    ------
    ValueError
        ``count must be a whole number from 1 to 100000; got ...``,
        ``source must be a mechanism or a guarantee; got ...``
    """

    source: Any
    count: int = 1
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "count", _checks.count("count", self.count, 1, LARGEST_PLAN))
        if not isinstance(self.guarantee, PureDP | ApproximateDP | ProbabilisticDP | ZeroConcentratedDP):
            raise ValueError(f"source must be a mechanism or a guarantee; got {self.source!r}")

    @property
    def guarantee(self) -> Any:
        """The guarantee of one release."""
        return getattr(self.source, "guarantee", self.source)

    @property
    def has_exact_law(self) -> bool:
        """Whether the row names a mechanism: a guarantee alone has bounds, but no law of what is believed."""
        return self.guarantee is not self.source

    @property
    def has_worst_mechanism(self) -> bool:
        """Whether one mechanism has the largest delta at every epsilon: a named one, or the worst for its guarantee."""
        return not isinstance(self.source, ProbabilisticDP | ZeroConcentratedDP)

    def approximate(self, delta: float) -> tuple[float, float]:
        """Epsilon and delta of one release: its own where it has them, else the smallest epsilon at this delta."""
        own = self.guarantee
        if isinstance(own, PureDP):
            return own.epsilon, 0.0
        if isinstance(own, ApproximateDP | ProbabilisticDP):
            return own.epsilon, own.delta
        if delta <= 0.0:
            return math.inf, 0.0
        if self.has_exact_law:
            return float(_alone(self.source).epsilon(delta)), delta
        return float(own.epsilon_at(delta)), delta


@dataclass(frozen=True)
class ReleasePlan:
    """Releases about the same people, added up by every rule.

    Parameters
    ----------
    rows : what is released and how often, in order

    Raises
    ------
    ValueError
        ``rows must hold at least one release; got ()``, ``rows must hold at most 10000 rows; got ...``,
        ``rows must hold at most 100000 releases; got ...``

    References
    ----------
    thesis, Theorems 24 to 26
    ours, exact composition of the privacy loss

    Examples
    --------
    >>> plan = ReleasePlan((PlannedRelease(PureDP(epsilon=0.1), 7),))
    >>> round(plan.basic(1e-6).epsilon, 12), round(plan.exact_epsilon(0.0), 12)
    (0.7, 0.7)
    """

    rows: tuple[PlannedRelease, ...]

    def __post_init__(self) -> None:
        rows = tuple(self.rows)
        if not rows:
            raise ValueError("rows must hold at least one release; got ()")
        if len(rows) > 10_000:
            raise ValueError(f"rows must hold at most 10000 rows; got {len(rows)}")
        object.__setattr__(self, "rows", rows)
        if self.releases > LARGEST_PLAN:
            raise ValueError(f"rows must hold at most {LARGEST_PLAN} releases; got {self.releases}")

    @classmethod
    def repeated(cls, source: Any, count: int) -> ReleasePlan:
        """A plan of one mechanism or guarantee, released `count` times."""
        return cls((PlannedRelease(source, count),))

    @property
    def releases(self) -> int:
        """Number of releases."""
        return sum(row.count for row in self.rows)

    def times(self, rounds: int) -> ReleasePlan:
        """The same plan `rounds` times over."""
        factor = _checks.count("rounds", rounds, 1)
        return ReleasePlan(tuple(PlannedRelease(row.source, factor * row.count, row.name) for row in self.rows))

    @property
    def has_exact_law(self) -> bool:
        """Whether every row names a mechanism."""
        return all(row.has_exact_law for row in self.rows)

    @property
    def has_worst_mechanism(self) -> bool:
        """Whether the plan's largest delta at every epsilon is known exactly: named mechanisms, epsilons and deltas."""
        return all(row.has_worst_mechanism for row in self.rows)

    @cached_property
    def privacy_loss(self) -> PrivacyLoss:
        """The privacy loss of the plan; refused where a row is only a probabilistic or concentrated guarantee.

        Rows that are pure or approximate guarantees stand for the worst mechanism for delta: such a plan has `delta`,
        `epsilon` and `every_view_epsilon` (bounds for any mechanisms), and refuses quantiles and tails.
        """
        for row in self.rows:
            if not row.has_worst_mechanism:
                raise ValueError(f"source must be a mechanism, PureDP or ApproximateDP; got {row.source!r}")
        return PrivacyLoss(tuple((row.source, row.count) for row in self.rows))

    def _spread(self, delta: float) -> tuple[FloatArray, FloatArray]:
        """Epsilon and delta of every release, `delta` shared equally among the releases that need one."""
        needing = sum(row.count for row in self.rows if isinstance(row.guarantee, ZeroConcentratedDP))
        share = delta / needing if needing else 0.0
        pairs = [row.approximate(share) for row in self.rows]
        counts = [row.count for row in self.rows]
        return np.repeat([pair[0] for pair in pairs], counts), np.repeat([pair[1] for pair in pairs], counts)

    def _needs_delta(self) -> bool:
        return any(isinstance(row.guarantee, ZeroConcentratedDP) for row in self.rows)

    def basic(self, delta: float) -> ApproximateDP:
        """Epsilons and deltas added up; `delta`, in (0, 1), is shared among releases without their own epsilon."""
        total = _checks.number("delta", delta, 0.0, 1.0, open_low=self._needs_delta(), open_high=True)
        return basic_composition(*self._spread(total))

    def basic_delta(self, delta: float) -> float:
        """Delta of `basic`: the releases' own deltas, and `delta` where it is shared among releases without one."""
        own = math.fsum(row.count * getattr(row.guarantee, "delta", 0.0) for row in self.rows)
        return min(own + (delta if self._needs_delta() else 0.0), 1.0)

    def advanced_epsilon(self, delta: float) -> float:
        """Epsilon at a total delta by advanced composition, or by addition where smaller (thesis, Theorem 25.2).

        Releases without an epsilon of their own take half of `delta`, in (0, 1). Infinite where deltas use it up.
        """
        total = _checks.number("delta", delta, 0.0, 1.0, open_low=True, open_high=True)
        epsilons, deltas = self._spread(total / 2)
        if math.fsum(deltas) >= total:
            return math.inf
        return min(advanced_epsilon(epsilons, deltas, total_delta=total), self.basic(total).epsilon)

    def optimal_epsilon(self, delta: float) -> Bracket:
        """Epsilon at a total delta, tight over all mechanisms with the rows' epsilons and deltas (Murtagh-Vadhan)."""
        total = _checks.number("delta", delta, 0.0, 1.0, open_low=self._needs_delta(), open_high=True)
        epsilons, deltas = self._spread(total / 2)
        if np.ptp(epsilons) == 0.0 and np.ptp(deltas) == 0.0:
            try:
                one = optimal_epsilon(
                    releases=epsilons.size,
                    epsilon=float(epsilons[0]),
                    delta_each=float(deltas[0]),
                    total_delta=total,
                )
            except ValueError:
                return Bracket(math.inf, math.inf)
            return Bracket(one, one)
        return heterogeneous_epsilon(epsilons, deltas, total_delta=total)

    def concentrated(self) -> ZeroConcentratedDP:
        """Rhos added up; a pure row counts as epsilon^2/2, an approximate one has none (refused)."""
        rhos = []
        for row in self.rows:
            own = row.guarantee
            if isinstance(own, ApproximateDP | ProbabilisticDP):
                raise ValueError(f"source must be pure or zero-concentrated to have a rho; got {own!r}")
            rhos.append(row.count * (own.epsilon**2 / 2 if isinstance(own, PureDP) else own.rho))
        return concentrated_composition(rhos)

    def exact_epsilon(self, delta: float) -> float:
        """Epsilon of the mechanisms themselves at a total delta, a bound for any mechanisms where rows are guarantees.

        Exact, or an upper bound on a grid.
        """
        return float(self.privacy_loss.epsilon(delta))


METHODS = ("basic", "advanced", "optimal", "published", "direct", "exact")


@dataclass(frozen=True)
class PlanRule(Rule):
    """A whole plan carried out again and again, added up by one method, then turned into a promise.

    Parameters
    ----------
    plan : one round
    method : ``"basic"``, ``"advanced"`` or ``"optimal"`` at a total delta, then Theorem 35; ``"published"`` or
        ``"direct"`` from the sum of rho; ``"exact"`` from the law of the mechanisms themselves
    total_delta : of all rounds together, for the first three methods
    points : grid points where different losses have to be rounded for the exact method; None chooses them

    Raises
    ------
    ValueError
        ``method must be one of 'basic', ...; got ...``, and the refusals of `ReleasePlan.concentrated` and
        `ReleasePlan.privacy_loss`

    References
    ----------
    thesis, Theorems 24 to 26 and 35
    ours, exact composition of the privacy loss

    Examples
    --------
    >>> plan = ReleasePlan.repeated(Gaussian(rho=0.01), 1)
    >>> promise = BeliefPromise.posterior_cap(prior=0.5, cap=0.99, delta_prime=0.01, direction="rise")
    >>> [first_broken(PlanRule(plan, method), promise) for method in ("published", "direct", "exact")]
    [58, 79, 112]
    """

    plan: ReleasePlan
    method: str
    total_delta: float = 1e-6
    points: int | None = None
    _totals: dict[int, float] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        _checks.choice("method", self.method, METHODS)
        object.__setattr__(self, "total_delta", _checks.number("total_delta", self.total_delta, 0.0, 1.0))
        if self.method in ("published", "direct"):
            self.plan.concentrated()
        if self.method == "exact":
            self.plan.privacy_loss.check_law_of_tails()  # refused here rather than at the first use

    @property
    def covers_fewer(self) -> bool:  # type: ignore[override]
        """Whether it is a bound, which covers every smaller number of rounds."""
        return self.method != "exact"

    @cached_property
    def _loss(self) -> PrivacyLoss:
        return PrivacyLoss(self.plan.privacy_loss.releases, self.points)

    def total(self, rounds: int) -> float:
        """Epsilon of so many rounds at the total delta; by rho, its published or its tightest conversion."""
        if rounds not in self._totals:
            self._totals[rounds] = self._computed_total(rounds)
        return self._totals[rounds]

    def _computed_total(self, rounds: int) -> float:
        if self.method == "exact":
            return float(self._loss.times(rounds).epsilon(self.total_delta))
        whole = self.plan.times(rounds)
        if self.method == "basic":
            return whole.basic(self.total_delta).epsilon
        if self.method == "advanced":
            return whole.advanced_epsilon(self.total_delta)
        if self.method == "optimal":
            return whole.optimal_epsilon(self.total_delta).high
        rho = self.plan.concentrated().rho * rounds
        if self.method == "published":
            return float(approximate_epsilon_from_rho(rho=rho, delta=self.total_delta))
        return float(ZeroConcentratedDP(rho=rho).epsilon_at(self.total_delta))

    def shift(self, releases: int, delta_prime: float, direction: Direction = "either") -> float:
        """See `Rule.shift`; the number of releases is that of rounds."""
        if self.method == "exact":
            return ExactRule(loss=self._loss).shift(releases, delta_prime, direction)
        if self.method in ("published", "direct"):
            rho = self.plan.concentrated().rho
            return ConcentratedRule(rho=rho, route=self.method).shift(releases, delta_prime, direction)
        epsilon, delta = self.total(releases), self.total_delta
        if self.method == "basic":
            delta = self.plan.times(releases).basic_delta(self.total_delta)
        if delta >= delta_prime > 0 or not math.isfinite(epsilon):
            return math.inf
        return _charged(epsilon, delta, delta_prime, direction, charge=True)

    def shifts(self, rounds: Sequence[int], delta_prime: float, direction: Direction = "either") -> FloatArray:
        """`shift` at many numbers of rounds; at once where the sum of rho decides."""
        if self.method in ("published", "direct") and delta_prime > 0.0:
            rho = self.plan.concentrated().rho * np.asarray(rounds, dtype=float)
            return np.asarray(ROUTES[self.method](rho=rho, delta_prime=delta_prime))
        return np.array([self.shift(k, delta_prime, direction) for k in rounds])

    def keeps(self, releases: int, promise: BeliefPromise) -> bool:
        """See `Rule.keeps`."""
        if self.method == "exact":
            return ExactRule(loss=self._loss).keeps(releases, promise)
        return super().keeps(releases, promise)

    def first_broken(self, promise: BeliefPromise, at_most: int) -> int | None:
        """See `Rule.first_broken`."""
        if self.method == "exact":
            return ExactRule(loss=self._loss).first_broken(promise, at_most)
        return super().first_broken(promise, at_most)

    def first_passed(self, promise: BeliefPromise, at_most: int) -> FirstPassing:
        """First rounds on which the promise fails too often: looked at once, and by somebody who reads every round.

        By the exact method two different rounds. A bound speaks of every event of all releases, of which *on some round
        up to now* is one, so by the other methods both are the same.
        """
        if self.method != "exact":
            first = self.first_broken(promise, at_most)
            return FirstPassing(given=first, some=first)
        given = self.first_broken(promise, at_most)
        some = first_round_passed(
            self._loss,
            shift=promise.epsilon_prime,
            failure=promise.delta_prime,
            at_most=given or at_most,
            direction=promise.direction,
        )
        return FirstPassing(given=given, some=given if some is None else some)


def posterior_fan(
    plan: ReleasePlan,
    *,
    rounds: Sequence[int],
    levels: Sequence[float],
    prior: float,
    side: Side = "present",
    points: int = 1 << 13,
) -> FloatArray:
    """Quantiles of the attacker's belief after a plan was carried out 1, 2, ... times: the data of a fan chart.

    Parameters
    ----------
    plan : one round
    rounds : numbers of rounds, each at least 1
    levels : probabilities in [0, 1]
    prior : belief before, in [0, 1]
    side : ``"present"`` or ``"absent"``
    points : grid points where different losses have to be rounded; the default is fine enough for a picture

    Returns
    -------
    Array of shape (rounds, levels). Exact where the plan's law is, else an estimate on a grid. Quantiles speak of the
    raw outputs of the named mechanisms; a plan with a guarantee alone has none and is refused.

    Raises
    ------
    ValueError
        ``rounds must be a whole number of at least 1; got ...``, ``level must lie in [0, 1]; got ...``,
        ``source must be a mechanism, a guarantee alone has no law of tails; got ...``

    References
    ----------
    thesis, Theorem 27
    ours, exact composition of the privacy loss

    Examples
    --------
    >>> plan = ReleasePlan.repeated(Gaussian(rho=0.01), 1)
    >>> fan = posterior_fan(plan, rounds=[7, 30], levels=[0.5, 0.99], prior=0.5)
    >>> [[round(float(q), 3) for q in row] for row in fan]
    [[0.517, 0.719], [0.574, 0.891]]
    """
    one = PrivacyLoss(plan.privacy_loss.releases, points)
    at = np.asarray(levels, dtype=float)
    return np.array(
        [one.times(_checks.count("rounds", k, 1)).posterior_quantile(at, prior=prior, side=side) for k in rounds]
    )
