"""Promises about beliefs over time: how many releases keep one, and how much each of them may spend.

A `BeliefPromise` says how far the log odds of a belief may move and how often more is allowed. A `Rule` turns a number
of releases into such a shift: by the bounds of `dpcore.composition.rules`, or by the privacy loss of the mechanisms
themselves (*exact*). So one search finds the first release that breaks a promise, and another one the largest budget
per release that keeps it.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from scipy.special import logit

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore.composition.rules import (
    LARGEST_PLAN,
    optimal_composition,
    optimal_epsilon,
    optimal_promise,
    spare_delta,
)
from dpcore.discrete_certificate import DiscreteCertificate
from dpcore.errors import Code, Refused
from dpcore.first_passage import first_round_beyond
from dpcore.guarantees import (
    gaussian_probabilistic_epsilon,
    gaussian_rho_from_probabilistic,
    probabilistic_epsilon_from_approximate,
    probabilistic_epsilon_from_rho,
    probabilistic_epsilon_from_rho_published,
    rho_from_probabilistic,
    rho_from_probabilistic_published,
)
from dpcore.mechanisms import Gaussian
from dpcore.privacy_loss import DIRECTIONS, Direction, PrivacyLoss


@call_hint
@dataclass(frozen=True, kw_only=True)
class BeliefPromise:
    """How far the log odds of an attacker's belief may move, and how often they may move further.

    The promise is about one secret, told by every release; whose and under which relation the releases say.
    Source: thesis, Theorem 28

    Parameters
    ----------
    epsilon_prime : float; allowed shift, at least 0
    delta_prime : float, optional; allowed failure probability, in [0, 1)
    direction : str, optional; ``"either"`` for a promise about rises and falls, ``"rise"`` for one about rises alone

    Examples
    --------
    >>> BeliefPromise(epsilon_prime=1.0).direction
    'either'
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
            raise Refused("cap", "be at least the prior", cap, Code.INFEASIBLE)
        shift = max(float(logit(c) - logit(p)), 0.0)
        return cls(epsilon_prime=shift, delta_prime=delta_prime, direction=direction)

    @classmethod
    def largest_difference(
        cls, *, cap: float, delta_prime: float = 0.0, direction: Direction = "either"
    ) -> BeliefPromise:
        """No belief, whatever its prior, moves by more than `cap` (thesis, Corollary 34)."""
        c = _checks.number("cap", cap, 0.0, 1.0, open_high=True)
        return cls(epsilon_prime=4 * math.atanh(c), delta_prime=delta_prime, direction=direction)


class Rule(ABC):
    """A way to bound what repeated releases reveal: a shift of log odds from a number of releases.

    The promise is each release's: one secret under one relation, to an observer of all. `period` is 2 where the answer
    moves with the parity of the number of releases, else 1. A rule that bounds every event of the releases holds for
    somebody who looks once and for somebody who reads every release, and its bound for k releases covers every smaller
    number (`covers_fewer`); an exact chance does neither.

    Examples
    --------
    >>> [rule.shift(10, delta_prime=0.01) for rule in (BasicRule(epsilon=0.25), BasicRule(epsilon=0.5))]
    [2.5, 5.0]
    >>> BasicRule(epsilon=0.25).covers_fewer
    True
    """

    period = 1
    covers_fewer = True

    @abstractmethod
    def shift(self, releases: int, *, delta_prime: float, direction: Direction = "either") -> float:
        """Bound on the shift of log odds after so many releases, except with probability delta'."""

    def _most(self, at_most: int) -> int:
        """How many releases, up to so many, the rule adds up."""
        return at_most

    def keeps(self, releases: int, promise: BeliefPromise) -> bool:
        """Whether so many releases keep the promise, by this rule; a shift reached up to rounding is kept."""
        found = self.shift(releases, delta_prime=promise.delta_prime, direction=promise.direction)
        return found <= promise.epsilon_prime * (1 + 1e-14)

    def first_broken(self, promise: BeliefPromise, at_most: int) -> int | None:
        """The first number of releases that breaks the promise; None when none up to `at_most` does."""
        limit = self._most(at_most)
        found = [_first_in_class(self, promise, k, limit) for k in range(1, min(self.period, limit) + 1)]
        return min((k for k in found if k is not None), default=None)


@call_hint
def charged_epsilon(epsilon: float, delta: float, delta_prime: float, direction: Direction, *, charge: bool) -> float:
    """Epsilon' of an approximate guarantee; without the charge the guarantee is read as a probabilistic one.

    The promise is each release's: one secret under one relation, to an observer of all.
    """
    if not charge or _checks.number("delta", delta, 0.0, 1.0) == 0.0:
        return epsilon
    if delta_prime <= delta:
        raise Refused("delta_prime", f"exceed the total delta {delta:g}", delta_prime, Code.INFEASIBLE)
    if direction == "rise":
        return epsilon - math.log1p(-delta / delta_prime)
    return float(probabilistic_epsilon_from_approximate(epsilon=epsilon, delta=delta, delta_prime=delta_prime))


def check_shift(releases: Any, delta_prime: Any, direction: Any) -> None:
    """Refuse what no `Rule.shift` answers.

    It is about input: no promise belongs to it.
    """
    _checks.count("releases", releases)
    _checks.number("delta_prime", delta_prime, 0.0, 1.0)
    _checks.choice("direction", direction, DIRECTIONS)


def _check_release(rule: Any) -> None:
    """Refuse an epsilon or a delta that a release cannot have."""
    object.__setattr__(rule, "epsilon", _checks.number("epsilon", rule.epsilon, 0.0))
    object.__setattr__(rule, "delta_each", _checks.number("delta_each", rule.delta_each, 0.0, 1.0, open_high=True))


@call_hint
@dataclass(frozen=True, kw_only=True)
class BasicRule(Rule):
    """Epsilons and deltas of equal releases added up.

    The promise is each release's: one secret under one relation, to an observer of all.
    Source: thesis, Theorems 25.1 and 35

    Parameters
    ----------
    epsilon, delta_each : float; of each release
    charge : bool, optional; whether delta is turned into a promise by Theorem 35; otherwise it is read as the failure
        probability

    Examples
    --------
    >>> BasicRule(epsilon=0.25).shift(4, delta_prime=0.0)
    1.0
    """

    epsilon: float
    delta_each: float = 0.0
    charge: bool = True

    def __post_init__(self) -> None:
        _check_release(self)

    def shift(self, releases: int, *, delta_prime: float, direction: Direction = "either") -> float:
        """See `Rule.shift`; infinite once the deltas reach the allowed failure probability."""
        check_shift(releases, delta_prime, direction)
        delta = min(releases * self.delta_each, 1.0)
        if self.charge and delta > 0.0 and delta_prime <= delta:
            return math.inf
        return charged_epsilon(releases * self.epsilon, delta, delta_prime, direction, charge=self.charge)


@call_hint
@dataclass(frozen=True, kw_only=True)
class AdvancedRule(Rule):
    """Advanced composition of equal releases at a total delta.

    The promise is each release's: one secret under one relation, to an observer of all.
    Source: thesis, Theorems 25.2 and 35

    Parameters
    ----------
    epsilon, delta_each : float; of each release
    total_delta : float; of all releases together
    charge : bool, optional; as in `BasicRule`

    Examples
    --------
    >>> rule = AdvancedRule(epsilon=0.05, total_delta=0.001, charge=False)
    >>> round(rule.shift(51, delta_prime=0.001), 4), BasicRule(epsilon=0.05).shift(51, delta_prime=0.001)
    (1.3909, 2.5500000000000003)
    """

    epsilon: float
    total_delta: float
    delta_each: float = 0.0
    charge: bool = True

    def __post_init__(self) -> None:
        _check_release(self)
        total = _checks.number("total_delta", self.total_delta, 0.0, 1.0, open_low=True, open_high=True)
        object.__setattr__(self, "total_delta", total)

    def shift(self, releases: int, *, delta_prime: float, direction: Direction = "either") -> float:
        """See `Rule.shift`; infinite once the releases' own deltas use up the total."""
        check_shift(releases, delta_prime, direction)
        spare = self.total_delta - releases * self.delta_each
        if spare <= 0.0:
            return math.inf
        eps = self.epsilon
        total = releases * eps * math.tanh(eps / 2) + eps * math.sqrt(-2 * releases * math.log(spare))
        return charged_epsilon(total, self.total_delta, delta_prime, direction, charge=self.charge)


@call_hint
@dataclass(frozen=True, kw_only=True)
class OptimalRule(Rule):
    """Optimal composition of equal releases: at a total delta, or at the best one for the promise.

    The promise is each release's: one secret under one relation, to an observer of all.
    Source: thesis, Theorems 25.3 and 35

    Parameters
    ----------
    epsilon, delta_each : float; of each release
    total_delta : float, optional; of all releases together; None chooses the best for the promise
    between_steps : bool, optional; use every real total epsilon, not only (k - 2l) epsilon
    charge : bool, optional; as in `BasicRule`

    Examples
    --------
    >>> rule = OptimalRule(epsilon=1.0, total_delta=0.5, charge=False)
    >>> rule.shift(7, delta_prime=0.5)  # 7 releases less two of 2 epsilon
    3.0
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

    def shift(self, releases: int, *, delta_prime: float, direction: Direction = "either") -> float:
        """See `Rule.shift`; infinite once the releases' own deltas use up the total."""
        check_shift(releases, delta_prime, direction)
        each = self.delta_each
        try:
            if self.total_delta is None:
                if delta_prime == 0.0:
                    return math.inf if each > 0.0 else releases * self.epsilon
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
        except Refused as refusal:  # no epsilon keeps so small a total delta
            if refusal.code is not Code.INFEASIBLE:
                raise
            return math.inf
        return charged_epsilon(total, self.total_delta, delta_prime, direction, charge=self.charge)


ConcentratedRoute = Literal["direct", "published", "gaussian"]
"""The ways from a rho to a promise about beliefs."""

RhoRoute = Literal["direct", "published", "gaussian", "discrete_gaussian"]
"""The ways from a promise about beliefs to a rho."""

ROUTES: dict[ConcentratedRoute, Callable[..., Any]] = {
    "direct": probabilistic_epsilon_from_rho,
    "published": probabilistic_epsilon_from_rho_published,
    "gaussian": gaussian_probabilistic_epsilon,
}
"""From a sum of rho to the shift that log odds stay within: "published" and "direct" for any releases with a rho,
"gaussian" the exact law of continuous Gaussian noise."""


def _least_shift(loss: PrivacyLoss, failure: float, direction: Direction) -> float:
    """The smallest shift that log odds pass in a direction with at most this chance, however small it is.

    One less a small chance has lost its digits; those of the chance itself are kept by the absent side, whose loss is
    minus that of the present one.
    """
    each = failure / 2 if direction == "either" else failure
    ends = float(loss.loss_quantile(1 - each)), -float(loss.loss_quantile(each, side="absent"))
    low, high = (max(end, 0.0) for end in sorted(ends))

    def passed(shift: float) -> bool:
        return bool(loss.exceedance(shift, direction=direction) > failure * (1 + 1e-13))

    if direction == "rise" and not passed(low):
        return low
    if not passed(0.0):
        return 0.0
    low, high = (low if direction == "rise" else 0.0), max(high if math.isfinite(high) else low, 1e-9)
    while math.isfinite(high) and passed(high):
        high *= 2
    if not math.isfinite(high):
        return math.inf
    for _ in range(100):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if passed(middle) else (low, middle)
    return high + 1e-12 * max(1.0, high)  # up to here a loss counted as equal


@call_hint
@dataclass(frozen=True, kw_only=True)
class ConcentratedRule(Rule):
    """Rhos added up, then turned into a promise.

    The promise is each release's: one secret under one relation, to an observer of all.
    Source: thesis, Theorems 24, 26 and 35; ours, the direct route and the exact Gaussian one

    Parameters
    ----------
    rho : float; of each release
    route : str, optional; ``"direct"`` (zCDP tail bound), ``"published"`` (Theorem 24, then Theorem 35, delta chosen
        best) or ``"gaussian"`` (exact for Gaussian noise)

    Examples
    --------
    >>> rule = ConcentratedRule(rho=0.01)
    >>> round(rule.shift(4, delta_prime=math.exp(-1)), 6)  # 0.04 + 2 sqrt(0.04)
    0.524153
    """

    rho: float
    route: ConcentratedRoute = "direct"

    def __post_init__(self) -> None:
        object.__setattr__(self, "rho", _checks.number("rho", self.rho, 0.0, open_low=True))
        _checks.choice("route", self.route, tuple(ROUTES))

    def shift(self, releases: int, *, delta_prime: float, direction: Direction = "either") -> float:
        """See `Rule.shift`."""
        check_shift(releases, delta_prime, direction)
        if delta_prime == 0.0:
            return math.inf
        if self.route == "gaussian" and direction == "rise":
            return _least_shift(PrivacyLoss.of(Gaussian(rho=self.rho * releases)), delta_prime, direction)
        return float(ROUTES[self.route](rho=releases * self.rho, delta_prime=delta_prime))


@call_hint
@dataclass(frozen=True, kw_only=True)
class ExactRule(Rule):
    """The exact law of the belief after the mechanisms themselves, the target in the data, on the last round.

    The promise is each release's: one secret under one relation, to an observer of all. The promise is for somebody who
    looks once, after that round. For somebody who reads every round see `dpcore.first_passage`.
    Source: thesis, Theorem 27; ours, exact composition of the privacy loss

    Parameters
    ----------
    loss : PrivacyLoss; privacy loss of one round of releases, all of named mechanisms

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> round(ExactRule.of(Geometric(epsilon=0.5)).shift(1, delta_prime=0.01), 9)  # the loss is epsilon, up or down
    0.5
    """

    loss: PrivacyLoss

    covers_fewer = False

    def __post_init__(self) -> None:
        _checks.kind_of("loss", self.loss, PrivacyLoss, "a privacy loss such as PrivacyLoss.of(Gaussian(rho=0.1))")
        self.loss.check_law_of_tails()

    @classmethod
    def of(cls, mechanism: Any) -> ExactRule:
        """One release of a mechanism per round."""
        return cls(loss=PrivacyLoss.of(mechanism))

    def shift(self, releases: int, *, delta_prime: float, direction: Direction = "either") -> float:
        """Smallest shift exceeded with probability at most delta'."""
        check_shift(releases, delta_prime, direction)
        total = self.loss.times(releases)
        return _least_shift(total, delta_prime, direction)

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


@call_hint
def first_broken(rule: Rule, promise: BeliefPromise, *, at_most: int = LARGEST_PLAN) -> int | None:
    """Number of the first release after which a rule no longer keeps a promise.

    The promise is each release's: one secret under one relation, to an observer of all. The smallest k that breaks the
    promise; None when none up to `at_most` does. For bounds found by bisection among the even and among the odd
    numbers, within each of which more releases never promise less. An exact chance can fall and rise again (unequal
    releases of a round), so there every number that a Chernoff bound does not clear is looked at.
    Source: thesis, Figure 5.3 and Example 7
    Source: ours, bisection within each parity, and a scan for exact chances; checked against a plain scan

    Parameters
    ----------
    rule : Rule; how releases add up
    promise : BeliefPromise; what is promised
    at_most : int, optional; releases looked at

    Examples
    --------
    >>> promise = BeliefPromise.posterior_cap(prior=0.5, cap=0.8, delta_prime=0.05)
    >>> first_broken(BasicRule(epsilon=0.05), promise)
    28
    """
    _check_asked(rule, promise)
    return rule.first_broken(promise, _checks.count("at_most", at_most, 1, LARGEST_PLAN))


def _check_asked(rule: Any, promise: Any) -> None:
    _checks.kind_of("rule", rule, Rule, "a rule such as BasicRule(epsilon=0.1)")
    _check_promise(promise)


def _check_promise(promise: Any) -> None:
    _checks.kind_of("promise", promise, BeliefPromise, "a promise such as BeliefPromise(epsilon_prime=1.0)")


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


@call_hint
def largest_safe(rule: Rule, promise: BeliefPromise, *, at_most: int = LARGEST_PLAN) -> int:
    """Largest number of releases that is safe by a rule, and with it every smaller number.

    The promise is each release's: one secret under one relation, to an observer of all. The value is 0 when none is
    safe, `at_most` when all are. A *bound* for k releases covers every smaller number, so for a bound it is the largest
    k that keeps the promise, which with parity can lie above the first k whose own bound breaks it. An exact chance
    covers no other number: there it is one less than `first_broken`. The parameters are those of `first_broken`.
    Source: ours, bisection within each parity; checked against a scan

    Examples
    --------
    >>> largest_safe(BasicRule(epsilon=0.3), BeliefPromise.posterior_cap(prior=0.1, cap=0.4))
    5
    """
    _check_asked(rule, promise)
    limit = rule._most(_checks.count("at_most", at_most, 1, LARGEST_PLAN))
    if not rule.covers_fewer:
        broken = rule.first_broken(promise, limit)
        return limit if broken is None else broken - 1
    best = 0
    for start in range(1, min(rule.period, limit) + 1):
        broken = _first_in_class(rule, promise, start, limit)
        last = start + rule.period * ((limit - start) // rule.period) if broken is None else broken - rule.period
        best = max(best, last)
    return best


@call_hint
def largest_kept(rule: Rule, promise: BeliefPromise, *, at_most: int = LARGEST_PLAN) -> int:
    """Largest number of releases that by itself keeps a promise by a rule; a smaller number may break it.

    The promise is each release's: one secret under one relation, to an observer of all. As `largest_safe` for a bound.
    For an exact chance the largest k up to twice the first that breaks the promise: with losses of plus or minus
    epsilon the chance moves with the parity of k, and some numbers between are not safe. The parameters are those of
    `first_broken`.
    Source: ours, checked against a scan

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> rule = ExactRule.of(Geometric(epsilon=0.05))
    >>> promise = BeliefPromise.posterior_cap(prior=0.5, cap=0.8, delta_prime=0.05)
    >>> first_broken(rule, promise), largest_safe(rule, promise), largest_kept(rule, promise)
    (174, 173, 183)
    """
    _check_asked(rule, promise)
    limit = _checks.count("at_most", at_most, 1, LARGEST_PLAN)
    broken = rule.first_broken(promise, limit)
    if rule.covers_fewer or broken is None:
        return largest_safe(rule, promise, at_most=limit)
    return next((k for k in range(min(2 * broken, limit), 0, -1) if rule.keeps(k, promise)), 0)


@call_hint
def largest_budget(rule_for: Callable[[float], Rule], promise: BeliefPromise, *, releases: int) -> float:
    """Largest budget per release with which so many releases keep a promise.

    The promise is each release's: one secret under one relation, to an observer of all. The budget, rounded down to a
    float that keeps the promise; 0 when even 1e-12 breaks it, 8192 when that keeps it. A larger budget never reveals
    less, so a bisection finds it.
    Source: thesis, Example 8; ours, bisection

    Parameters
    ----------
    rule_for : callable; the rule for a budget per release (epsilon or rho), for example ``lambda epsilon:
        BasicRule(epsilon=epsilon)``
    promise : BeliefPromise; what is promised
    releases : int; number of releases, at least 1

    Examples
    --------
    >>> promise = BeliefPromise.largest_difference(cap=0.2)
    >>> round(largest_budget(lambda epsilon: BasicRule(epsilon=epsilon), promise, releases=12), 6)
    0.067578
    """
    _check_promise(promise)
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


@call_hint
def largest_epsilon_each(
    *,
    releases: int,
    total_epsilon: float,
    total_delta: float,
    delta_each: float = 0.0,
    rule: Literal["basic", "advanced", "optimal", "exact"] = "exact",
) -> float:
    """Largest epsilon per release that stays within a total guarantee.

    The promise is each release's: one secret under one relation, to an observer of all. The promise is that of the
    total: the same secret under the same relation for every release. The epsilon, rounded down.
    Source: thesis, Theorem 25 and Example 8; ours, bisection

    Parameters
    ----------
    releases : int; number of releases, at least 1
    total_epsilon, total_delta : float; the guarantee of all together
    delta_each : float, optional; delta of each release
    rule : str, optional; ``"basic"``, ``"advanced"``, ``"optimal"`` (points (k - 2l) epsilon) or ``"exact"`` (every
        real total)

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
    spare_delta(k, each, total)
    if rule == "basic":
        return target / k
    if rule == "advanced":
        if total - k * each <= 0:
            raise Refused("total_delta", "exceed the sum of the deltas", total_delta, Code.INFEASIBLE)
        return _largest_kept(
            lambda eps: (
                AdvancedRule(epsilon=eps, total_delta=total, delta_each=each, charge=False).shift(k, delta_prime=0)
                <= target
            )
        )
    total_of = {
        "optimal": lambda eps: optimal_composition(releases=k, epsilon=eps, delta_each=each, total_delta=total).epsilon,
        "exact": lambda eps: optimal_epsilon(releases=k, epsilon=eps, delta_each=each, total_delta=total),
    }[rule]
    found, added = _largest_kept(lambda eps: total_of(eps) <= target), target / k
    return found if found > added * (1 - 1e-15) else added


@call_hint
def largest_rho_each(
    promise: BeliefPromise,
    *,
    releases: int,
    route: RhoRoute = "direct",
) -> float:
    """Largest rho per release with which so many releases keep a promise.

    The promise is each release's: one secret under one relation, to an observer of all. By the first three routes the
    promise's total rho over the number of releases: a safe value by the first two, exact for continuous Gaussian noise
    by the third (where the promise bounds a rise alone, a safe value: these routes keep a fall within it too), and
    *not* a budget of integer noise. By the fourth the largest rho whose exact failure probability was verified for
    integer noise; a smaller rho need not be certified, and the next decimal below it neither: see
    `DiscreteCertificate`.
    Source: thesis, Theorems 24, 26 and 35
    Source: ours, the closed forms of the direct and the Gaussian route; the certificate of discrete Gaussian noise

    Parameters
    ----------
    promise : BeliefPromise; with a failure probability above 0
    releases : int; number of releases, at least 1
    route : str, optional; ``"direct"`` or ``"published"`` for any zero-concentrated mechanism, ``"gaussian"`` for
        continuous Gaussian noise, ``"discrete_gaussian"`` for discrete Gaussian noise on one integer count

    Examples
    --------
    >>> promise = BeliefPromise.largest_difference(cap=0.2, delta_prime=0.01)
    >>> round(12 * largest_rho_each(promise, releases=12, route="gaussian"), 5)
    0.0484
    >>> round(12 * largest_rho_each(promise, releases=12, route="discrete_gaussian"), 5)
    0.04866
    """
    _check_promise(promise)
    count = _checks.count("releases", releases, 1, LARGEST_PLAN)
    _checks.choice("route", route, (*ROUTES, "discrete_gaussian"))
    inverse: dict[str, Callable[..., Any]] = {
        "direct": rho_from_probabilistic,
        "published": rho_from_probabilistic_published,
        "gaussian": gaussian_rho_from_probabilistic,
    }
    if promise.epsilon_prime == 0.0:  # no belief may move, so nothing may be released
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
