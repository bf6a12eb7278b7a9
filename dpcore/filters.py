"""Budgets chosen as one goes: filters that stop before a promise is passed, and what has been spent so far.

A plan fixes every budget before the first release. Who sees one table before deciding on the next needs a filter: it
says before each release whether it fits, so that all that is granted together keeps one guarantee, stated at the start.
`BudgetFilter` is one for pure ε, ρ, (ε, δ) and Gaussian releases, `odometer_shifts` a limit at every moment at once.

Releases, their budgets and refusals are chosen from published outputs and from nothing else. A budget that depends on
the data, or a refusal that does, is outside all of this: it would itself be a release without protection.

Filters and odometers are of Rogers, Roth, Ullman and Vadhan (2016). That the sums of ρ and of squared μ are filters
follows from Feldman and Zrnic (2021) and from Smith and Thakurta (2022), the sum of squares for (ε, δ) from Whitehouse,
Ramdas, Rogers and Wu (2023). Each was derived again here, and the tests hold it to the worst adaptive readers of small
trees. The composed trade-off curve of a path is no filter (Tran, Koskela, Räisä and Honkela 2026; see `by_answer`).
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from typing import Any, Literal, get_args

import numpy as np
from scipy.special import expit

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore._properties import cached_property
from dpcore.composition import ReleasePlan
from dpcore.errors import Code, Refused
from dpcore.guarantees import (
    ApproximateDP,
    PureDP,
    Relation,
    ZeroConcentratedDP,
    approximate_epsilon_from_rho,
    gaussian_delta,
    gaussian_epsilon,
    rho_from_approximate,
)
from dpcore.mechanisms import Gaussian
from dpcore.privacy_loss import PrivacyLoss
from dpcore.tradeoff import TradeOff, trade_off

Rule = Literal["skip", "stop"]
Currency = Literal["epsilon", "rho"]

LARGEST_MU = 1e150
"""Largest mu, whose square is a float."""
MOST_STATES = 2_000_000
"""Numbers of answers seen so far that `worst_reader` goes through."""
MOST_RESPONSES = 8
"""Different randomised responses that it chooses from."""
_ROUNDING = 1 + Fraction(1, 2**50)  # more than a product and a tanh lose


@call_hint
@dataclass(frozen=True)
class GaussianDP:
    """Gaussian differential privacy: no test tells two neighbours apart better than N(0, 1) from N(mu, 1).

    The promise is for one step of the relation, to a reader who sees all that was granted and helps to choose the next.
    Discrete Gaussian noise is not Gaussian DP at its ρ; it enters a filter for ρ.
    Source: dong, Definition 4

    Parameters
    ----------
    mu : float; at least 0; Gaussian noise of standard deviation s on a number that one step changes by d has d/s
    relation : Relation, optional; the change that is hidden, a `Relation` or its name

    Examples
    --------
    >>> GaussianDP(0.5).rho
    0.125
    >>> round(GaussianDP(1.0).right_guess(), 4)  # Phi(1/2)
    0.6915
    """

    mu: float
    relation: Relation = Relation.ADD_OR_REMOVE

    def __post_init__(self) -> None:
        options = [option.value for option in Relation]
        object.__setattr__(self, "relation", Relation(_checks.choice("relation", self.relation, options)))
        object.__setattr__(self, "mu", _checks.number("mu", self.mu, 0.0, LARGEST_MU))

    @property
    def rho(self) -> float:
        """The zero-concentrated budget of such Gaussian noise, mu²/2."""
        return self.mu**2 / 2

    def delta_at(self, epsilon: float) -> float:
        """Smallest delta at an epsilon of at least 0; exact for Gaussian noise."""
        return gaussian_delta(epsilon=epsilon, rho=self.rho)

    def epsilon_at(self, delta: float) -> float:
        """Smallest epsilon at a delta in (0, 1); exact for Gaussian noise."""
        return gaussian_epsilon(rho=self.rho, delta=delta)

    def right_guess(self, *, prior: float = 0.5) -> float:
        """Largest probability that a guess about the secret is right; exact for Gaussian noise."""
        p = _checks.number("prior", prior, 0.0, 1.0)
        return trade_off(Gaussian(rho=self.rho)).right_guess(prior=p) if self.rho else max(p, 1.0 - p)


Budget = PureDP | ZeroConcentratedDP | ApproximateDP | GaussianDP
"""What a filter keeps, and what a release may cost."""


def _exact(value: float) -> Fraction:
    """The decimal that was typed: 0.1 is a tenth."""
    return Fraction(repr(value))


def _concentrated(epsilon: float) -> Fraction:
    """At least the smallest ρ of all releases with this ε, ε tanh(ε/2)."""
    return Fraction(epsilon * math.tanh(epsilon / 2)) * _ROUNDING + Fraction(math.ulp(0.0))


def _rounded_down(value: Fraction) -> float:
    """The number, or the one below it: as a decimal never above the value."""
    found = float(value)
    return found if _exact(found) <= value else math.nextafter(found, -math.inf)


_COSTS: Mapping[str, Mapping[type, Callable[[Any], tuple[Fraction, ...]]]] = {
    "epsilon": {PureDP: lambda release: (_exact(release.epsilon),)},
    "rho": {
        ZeroConcentratedDP: lambda release: (_exact(release.rho),),
        PureDP: lambda release: (_concentrated(release.epsilon),),
        GaussianDP: lambda release: (_exact(release.mu) ** 2 / 2,),
    },
    "epsilon, delta": {
        ApproximateDP: lambda release: (_exact(release.epsilon), _exact(release.delta)),
        PureDP: lambda release: (_exact(release.epsilon), Fraction(0)),
    },
    "rho, delta": {
        ApproximateDP: lambda release: (_concentrated(release.epsilon), _exact(release.delta)),
        PureDP: lambda release: (_concentrated(release.epsilon), Fraction(0)),
    },
    "mu_squared": {GaussianDP: lambda release: (_exact(release.mu) ** 2,)},
}
"""By what a filter sums: the releases it takes, and what each costs."""


@call_hint
@dataclass(frozen=True)
class BudgetFilter:
    """A guarantee stated at the start, and the releases asked for under it so far: each is granted while it fits.

    The promise is for one step of the relation, to a reader who sees all that was granted and helps to choose the next.
    The decimals are meant as they are typed: 0.1 and 0.2 fit into 0.3. Costs that are no decimals are rounded up. A
    budget that is not used makes the promise no stronger.
    Source: ours, pure: the loss of a path is at most its sum; ρ: a supermartingale; (ε, δ): backwards from the last
        release
    Source: dong, Corollary 3.3 for Gaussian releases, which are then points of one Brownian path
    Source: kairouz, Theorem 3.4 where squares are summed with δ: a leak or a randomised response

    Parameters
    ----------
    guarantee : PureDP or ZeroConcentratedDP or ApproximateDP or GaussianDP; what all that is granted keeps together,
        however it was chosen. Pure ε, ρ and the squares of μ are summed, for (ε, δ) both numbers. A filter for ρ takes
        pure releases too, at ε tanh(ε/2), and Gaussian ones at μ²/2; one for (ε, δ) takes pure ones.
    delta_prime : float, optional; for (ε, δ) alone: the part of its δ for which squares are summed in place of the ε,
        in (0, δ]. Then every ε costs ε tanh(ε/2) of the largest ρ that implies (ε, delta_prime), and the rest of δ is
        for those of the releases. Which of the two sums is smaller has to be settled before the first release.
    rule : {"skip", "stop"}, optional; after a refusal: smaller releases may still be granted, or nothing any more. The
        promise is the same.
    asked : sequence of PureDP or ApproximateDP, optional; releases asked for, in their order; one that was published
        cannot be taken out again

    Examples
    --------
    >>> asked = BudgetFilter(PureDP(epsilon=0.3)).ask(*(PureDP(epsilon=epsilon) for epsilon in (0.1, 0.5, 0.2)))
    >>> asked.granted, asked.spent, asked.left
    ((True, False, True), {'epsilon': 0.3}, {'epsilon': 0.0})
    """

    guarantee: Budget
    _: KW_ONLY
    delta_prime: float | None = None
    rule: Rule = "skip"
    asked: Sequence[Budget] = ()

    def __post_init__(self) -> None:
        whole = self.guarantee
        if isinstance(whole, (TradeOff, PrivacyLoss, ReleasePlan)):
            rule = "not be a curve or plan: those composed along a path are no filter"
            raise Refused("guarantee", rule, whole, Code.UNSUPPORTED, got=f"a {type(whole).__name__}")
        _checks.kind_of("guarantee", whole, Budget, "a budget such as PureDP(epsilon=1.0)")
        _checks.choice("rule", self.rule, get_args(Rule))
        if isinstance(whole, ApproximateDP):
            if not 0.0 < whole.delta < 1.0:
                raise Refused("guarantee", "have a delta inside (0, 1)", whole, Code.OUT_OF_RANGE)
            if self.delta_prime is not None:
                part = _checks.number("delta_prime", self.delta_prime, 0.0, whole.delta, open_low=True)
                object.__setattr__(self, "delta_prime", part)
        elif self.delta_prime is not None:
            raise Refused("delta_prime", "be left out where guarantee has no delta", self.delta_prime, Code.UNSUPPORTED)
        if not self._budget[0]:
            raise Refused("guarantee", "be greater than 0", whole, Code.OUT_OF_RANGE)
        _checks.kind_of("asked", self.asked, Sequence, "a sequence of budgets such as PureDP(epsilon=0.1)")
        object.__setattr__(self, "asked", tuple(self.asked))
        for release in self.asked:
            self._cost(release)

    @property
    def _currency(self) -> str:
        if isinstance(self.guarantee, ApproximateDP):
            return "epsilon, delta" if self.delta_prime is None else "rho, delta"
        plain = {PureDP: "epsilon", ZeroConcentratedDP: "rho", GaussianDP: "mu_squared"}
        return plain[type(self.guarantee)]

    @cached_property
    def _budget(self) -> tuple[Fraction, ...]:
        whole = self.guarantee
        if self.delta_prime is None or not isinstance(whole, ApproximateDP):
            return _COSTS[self._currency][type(whole)](whole)
        rho = rho_from_approximate(epsilon=whole.epsilon, delta=self.delta_prime)
        return Fraction(rho) / _ROUNDING**4, _exact(whole.delta) - _exact(self.delta_prime)

    def _cost(self, release: Budget) -> tuple[Fraction, ...]:
        taken = _COSTS[self._currency]
        if type(release) not in taken:
            kinds = ", ".join(kind.__name__ for kind in taken)
            raise Refused(
                "asked", f"be of one of {kinds}" if len(taken) > 1 else f"be {kinds}", release, Code.WRONG_TYPE
            )
        if release.relation != self.guarantee.relation:
            rule = f"hide the change of the guarantee ({str(self.guarantee.relation)!r})"
            raise Refused("asked", rule, release, Code.INCONSISTENT)
        if all(getattr(release, name, 0.0) == 0.0 for name in ("epsilon", "delta", "rho", "mu")):
            raise Refused("asked", "cost more than 0", release, Code.OUT_OF_RANGE)
        return taken[type(release)](release)

    def ask(self, *releases: Budget) -> BudgetFilter:
        """The filter after these have been asked for too, one after the other."""
        return replace(self, asked=(*self.asked, *releases))

    def fits(self, release: Budget) -> bool:
        """Whether this release would be granted next."""
        answers, left = self._answers
        return self._after(release, answers, left) is not None

    @cached_property
    def _answers(self) -> tuple[tuple[bool, ...], tuple[Fraction, ...]]:
        """What was granted, and what is left of each budget."""
        left, answers = self._budget, list[bool]()
        for release in self.asked:
            after = self._after(release, answers, left)
            answers.append(after is not None)
            left = after or left
        return tuple(answers), left

    def _after(
        self, release: Budget, answers: Sequence[bool], left: tuple[Fraction, ...]
    ) -> tuple[Fraction, ...] | None:
        """What is left of each budget once a release is granted after these answers; None where it is not."""
        after = tuple(have - cost for have, cost in zip(left, self._cost(release), strict=True))
        ended = self.rule == "stop" and not all(answers)
        return after if not ended and min(after) >= 0 else None

    @property
    def granted(self) -> tuple[bool, ...]:
        """For each release asked for, whether it was granted."""
        return self._answers[0]

    @property
    def left(self) -> dict[str, float]:
        """What a next release may cost, by what is summed; rounded down where it is no decimal."""
        return dict(zip(self._currency.split(", "), map(_rounded_down, self._answers[1]), strict=True))

    @property
    def spent(self) -> dict[str, float]:
        """What was granted, summed and rounded up. No promise: `guarantee` is it, and `odometer_shifts` for a ρ."""
        used = (whole - left for whole, left in zip(self._budget, self._answers[1], strict=True))
        return {name: 0.0 - _rounded_down(-sum_) for name, sum_ in zip(self._currency.split(", "), used, strict=True)}


@call_hint
@dataclass(frozen=True)
class AdaptiveEpsilons:
    """Epsilons of pure releases chosen as one went, by three sums, one of which has to be chosen at the start.

    The promise is for one step of the relation, to a reader who sees all that was granted and helps to choose the next.

    Attributes
    ----------
    sum : float; of the epsilons; holds with certainty
    squares, tight : float; from half the squares, and from ε tanh(ε/2), which is less; each holds with the delta

    Examples
    --------
    >>> round(adaptive_epsilons([0.1] * 365, delta=1e-6).tight, 2)
    11.86
    """

    sum: float
    squares: float
    tight: float


@call_hint
def adaptive_epsilons(epsilons: Sequence[float], *, delta: float) -> AdaptiveEpsilons:
    """Epsilons that a filter needs to have been begun with, to grant these pure releases.

    The promise is for one step of the relation, to a reader who sees all that was granted and helps to choose the next.
    Upper bounds on what is learned, whichever release is chosen after what; the smallest of the three is one only where
    it was chosen before the first release.
    Source: bun_steinke, Propositions 1.3 and 1.4, for releases fixed beforehand
    Source: ours, the same for releases chosen from what was published: a supermartingale

    Parameters
    ----------
    epsilons : sequence of float; of the releases, each above 0
    delta : float; for squares, in (0, 1)

    Examples
    --------
    >>> adaptive = adaptive_epsilons([0.1] * 30, delta=1e-6)
    >>> round(adaptive.sum, 3), round(adaptive.squares, 3), round(adaptive.tight, 3)
    (3.0, 3.029, 3.028)
    """
    eps = np.atleast_1d(_checks.array("epsilons", epsilons, 0.0, open_low=True))
    d = _checks.number("delta", delta, 0.0, 1.0, open_low=True, open_high=True)
    if eps.ndim != 1:
        raise Refused("epsilons", "be a list of numbers", eps.shape, Code.WRONG_SHAPE)
    squares, tight = math.fsum(eps**2) / 2, math.fsum(eps * np.tanh(eps / 2))
    return AdaptiveEpsilons(
        math.fsum(eps),
        approximate_epsilon_from_rho(rho=squares, delta=d),
        approximate_epsilon_from_rho(rho=tight, delta=d),
    )


@call_hint
def odometer_shifts(rhos: Sequence[float], *, first: float, delta: float) -> FloatArray:
    """Largest shifts of the log odds after each release, which hold at all times together except with chance delta.

    The promise is for one step of the relation, to a reader who sees all that was granted and helps to choose the next.
    One for each release: ρ_k + 2√(ρ_k ln(1/δ_k)) for the smallest of the levels ρ_k = first 2^k that is not below the
    sum so far, δ_k = delta/((k + 1)(k + 2)). An upper bound: on shifts upwards where the secret is true, and with the
    same chance on shifts downwards where it is not; also where one stops as one likes. The sum of ρ at a moment chosen
    from the outputs is no such promise.
    Source: ville, the inequality for nonnegative supermartingales
    Source: ours, one of them for each level, the chances of all levels together delta

    Parameters
    ----------
    rhos : sequence of float; ρ of the releases granted so far, in their order, each above 0
    first : float; the smallest sum that the odometer tells apart, above 0, chosen before the first release
    delta : float; chance that any of the limits is ever passed, in (0, 1)

    Examples
    --------
    >>> odometer_shifts([0.05, 0.05, 0.1, 0.4], first=0.05, delta=0.05).round(3).tolist()
    [0.909, 1.484, 2.294, 5.324]
    """
    each = np.atleast_1d(_checks.array("rhos", rhos, 0.0, open_low=True))
    lowest = _exact(_checks.number("first", first, 0.0, open_low=True))
    d = _checks.number("delta", delta, 0.0, 1.0, open_low=True, open_high=True)
    if each.ndim != 1:
        raise Refused("rhos", "be a list of numbers", each.shape, Code.WRONG_SHAPE)
    shifts, level, total = [], 0, Fraction(0)
    for rho in each.tolist():
        total += _exact(rho)
        while lowest * 2**level < total:
            level += 1
        chance = d / ((level + 1) * (level + 2))
        shifts.append(approximate_epsilon_from_rho(rho=float(lowest * 2**level), delta=chance))
    return np.array(shifts)


@call_hint
@dataclass(frozen=True)
class WorstReader:
    """What the worst reader gets from randomised responses under a budget: deltas at one epsilon.

    The promise is for one step of the relation, to a reader who sees all that was granted and helps to choose the next.

    Attributes
    ----------
    adaptive : float; who chooses each response from the answers before it
    fixed : float; who chooses all of them beforehand
    promised : float; what the filter promises; for ρ at the best order

    Examples
    --------
    >>> reader = worst_reader([0.5, 1.0], currency="epsilon", budget=2.0, epsilon=0.8)
    >>> round(reader.adaptive, 4), round(reader.promised, 4)
    (0.3735, 0.6155)
    """

    adaptive: float
    fixed: float
    promised: float


@call_hint
def worst_reader(epsilons: Sequence[float], *, currency: Currency, budget: float, epsilon: float) -> WorstReader:
    """Largest delta that any reader reaches who may choose among randomised responses while a filter grants them.

    The promise is for one step of the relation, to a reader who sees all that was granted and helps to choose the next.
    Exact: a dynamic program over how often each response was used and what it answered. How much choosing as one goes
    is worth, and how far the filter's promise lies above it.
    Source: ours, Neyman-Pearson at the end of every path; equal to a search through all ways to choose

    Parameters
    ----------
    epsilons : sequence of float; of the responses to choose from, each above 0, as often as the budget lasts
    currency : {"epsilon", "rho"}; what the filter sums: ε, or ε tanh(ε/2)
    budget : float; of the filter, above 0
    epsilon : float; at which the deltas are taken, at least 0

    Examples
    --------
    >>> reader = worst_reader([0.3, 1.0], currency="rho", budget=0.6, epsilon=0.7)
    >>> round(reader.adaptive, 4), round(reader.fixed, 4), round(reader.promised, 4)
    (0.2739, 0.2358, 0.3933)
    """
    eps = np.unique(_checks.array("epsilons", epsilons, 0.0, open_low=True))
    if not 0 < eps.size <= MOST_RESPONSES:
        raise Refused("epsilons", f"be from 1 to {MOST_RESPONSES} different ones", epsilons, Code.WRONG_SHAPE)
    _checks.choice("currency", currency, get_args(Currency))
    whole = _checks.number("budget", budget, 0.0, open_low=True)
    at = _checks.number("epsilon", epsilon, 0.0)
    guarantee = PureDP(epsilon=whole) if currency == "epsilon" else ZeroConcentratedDP(rho=whole)
    costs = [_COSTS[currency][PureDP](PureDP(epsilon=one))[0] for one in eps.tolist()]
    levels, states = [{(0,) * eps.size}], 1
    while levels[-1]:
        more = {_incremented(used, which) for used in levels[-1] for which in range(eps.size)}
        levels.append({used for used in more if sum(map(operator.mul, used, costs)) <= _exact(whole)})
        states += sum(math.prod(count + 1 for count in used) for used in levels[-1])
        if states > MOST_STATES:
            rule = f"leave at most {MOST_STATES} states of what was answered"
            raise Refused("budget", rule, budget, Code.TOO_LARGE)
    from scipy.stats import binom  # takes as long to import as all else here

    likely, fixed = expit(eps), 0.0
    later: dict[tuple[int, ...], FloatArray] = {}
    for level in reversed(levels):
        now: dict[tuple[int, ...], FloatArray] = {}
        for used in level:
            gain = _final_gain(used, eps, at)
            chances: FloatArray = np.ones(())
            for count, chance in zip(used, likely, strict=True):
                chances = np.multiply.outer(chances, binom.pmf(np.arange(count + 1), count, chance))
            fixed = max(fixed, float((chances * gain).sum()))
            for which, chance in enumerate(likely):
                if (after := later.get(_incremented(used, which))) is not None:
                    whole_axis = (slice(None),) * which
                    yes, no = after[(*whole_axis, slice(1, None))], after[(*whole_axis, slice(None, -1))]
                    gain = np.maximum(gain, chance * yes + (1.0 - chance) * no)
            now[used] = gain
        later = now
    (adaptive,) = (float(gain.item()) for gain in later.values())
    return WorstReader(max(adaptive, fixed), fixed, float(guarantee.delta_at(at)))


def _incremented(used: tuple[int, ...], which: int) -> tuple[int, ...]:
    return (*used[:which], used[which] + 1, *used[which + 1 :])


def _final_gain(used: tuple[int, ...], epsilons: FloatArray, at: float) -> FloatArray:
    """1 - e^(at - loss) where the loss is above it, by how many of each response spoke for the first world."""
    loss: FloatArray = np.zeros(())
    for count, epsilon in zip(used, epsilons, strict=True):
        loss = np.add.outer(loss, epsilon * (2 * np.arange(count + 1) - count))
    return 0.0 - np.expm1(np.minimum(at - loss, 0.0))


@call_hint
@dataclass(frozen=True)
class ByAnswer:
    """Deltas of two plans, and of a reader who chooses between them by the first answer.

    The promise is for one step of the relation, to a reader who sees all that was granted and helps to choose the next.

    Attributes
    ----------
    always_gaussian, always_response : float; of the plans, fixed beforehand
    by_answer : float; of the one who takes the one release after one answer and the other after the other, the better
        way round

    Examples
    --------
    >>> round(by_answer(first=1.0, mu=1.0, response=1.0, epsilon=0.5).by_answer, 4)
    0.4304
    """

    always_gaussian: float
    always_response: float
    by_answer: float


@call_hint
def by_answer(*, first: float, mu: float, response: float, epsilon: float) -> ByAnswer:
    """Deltas after a randomised response, and then Gaussian noise or another response: fixed, and by the first answer.

    The promise is for one step of the relation, to a reader who sees all that was granted and helps to choose the next.
    Both plans keep the larger of their two curves. Where choosing by the answer comes to more than either, a filter
    that goes on while the composed curve of the path is within that promise breaks it. Exact.
    Source: ours, an average over the first answer of the second release's delta at epsilon less the loss so far

    Parameters
    ----------
    first, response : float; ε of the two randomised responses, above 0
    mu : float; of the Gaussian release, above 0
    epsilon : float; at which the deltas are taken, at least 0

    Examples
    --------
    >>> found = by_answer(first=0.5, mu=1.5, response=1.6, epsilon=1.1)
    >>> round(found.always_gaussian, 4), round(found.always_response, 4), round(found.by_answer, 4)
    (0.3316, 0.3274, 0.4045)
    """
    loss = _checks.number("first", first, 0.0, open_low=True)
    gaussian = GaussianDP(_checks.number("mu", mu, 0.0, open_low=True))
    answer = PureDP(epsilon=_checks.number("response", response, 0.0, open_low=True))
    at, chance = _checks.number("epsilon", epsilon, 0.0), float(expit(first))

    def delta(then: GaussianDP | PureDP, otherwise: GaussianDP | PureDP) -> float:
        return chance * _signed_delta(then, at - loss) + (1.0 - chance) * _signed_delta(otherwise, at + loss)

    either_way = max(delta(gaussian, answer), delta(answer, gaussian))
    return ByAnswer(delta(gaussian, gaussian), delta(answer, answer), either_way)


def _signed_delta(release: GaussianDP | PureDP, epsilon: float) -> float:
    """Delta at an epsilon of either sign, of a release that is the same with the worlds exchanged."""
    found = float(release.delta_at(abs(epsilon)))
    return found if epsilon >= 0.0 else -math.expm1(epsilon) + math.exp(epsilon) * found
