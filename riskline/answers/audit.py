"""What draws of two worlds, or guesses about coins, show of a claimed budget, and how many it takes; values, no words.

Draws are split by their order: the first fifth of each world chooses the rule, the others test it.
Numbers of draws are those of a rule that was fixed beforehand, and those that choose it besides.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit, logit

from dpcore._checks import FloatArray
from dpcore.audit import (
    AlarmRates,
    Alarms,
    Guesses,
    GuessRate,
    ThresholdRule,
    UnevenGuesses,
    Wealth,
    chosen_rule,
    guess_epsilon_lower,
    guess_wealth,
    joint_epsilon_lower,
    joint_p_value,
    pair_epsilon_lower,
    pair_wealth,
)
from dpcore.errors import Code, Refused
from dpcore.guarantees import ApproximateDP, PureDP, ZeroConcentratedDP
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric
from dpcore.tradeoff import TradeOff, trade_off

Claim = PureDP | ApproximateDP | ZeroConcentratedDP | Gaussian
"""What is claimed; Gaussian noise by its exact trade-off."""

CHOOSING, CHOOSE = 5, 10
"""One in so many draws of each world, the first ones, chooses the rule; at least so many, or half of all."""
FEWEST = 10
"""Fewest draws of a world."""
MOST_JOINT = 20_000
"""Most draws of a world whose two rates are judged together while a reader waits; of more, each by itself."""
MOST_UNEVEN = 1_000
"""Most guesses about coins that were not fair."""
MOST_IN_ORDER = 10_000
"""Draws in order after which betting stops."""
GRID = 0.01
"""How far apart the budgets lie that are tried, about."""
THRESHOLDS = (1, 2, 4)
"""Where a rule may give alarm that is planned with."""
MOST_PLANNED = 1_000_000
"""Draws of each world, or guesses, beyond which none are planned."""


def claim_of(guarantee: str, *, epsilon: float, delta: float, rho: float) -> Claim:
    """A claim by its kind.

    >>> claim_of("pure", epsilon=1.0, delta=0.0, rho=0.5)
    PureDP(epsilon=1.0, relation=<Relation.ADD_OR_REMOVE: 'add_or_remove'>)
    """
    if guarantee == "pure":
        return PureDP(epsilon=epsilon)
    if guarantee == "approximate":
        return ApproximateDP(epsilon=epsilon, delta=delta)
    return Gaussian(rho=rho) if guarantee == "gaussian" else ZeroConcentratedDP(rho=rho)


def pure_within(claim: Claim) -> float:
    """An epsilon of which every release keeps a claim.

    Of a rho by Bun and Steinke, Proposition 1.4. Of the rho of Gaussian noise by an even bet: the trade-off of an
    epsilon has its one corner there, and lies above a convex curve that does not pass the corner.

    >>> pure_within(ZeroConcentratedDP(rho=0.5)), round(pure_within(Gaussian(rho=0.5)), 4)
    (1.0, 0.807)
    """
    if isinstance(claim, PureDP | ApproximateDP):
        return claim.epsilon
    return float(logit(curve_of(claim).right_guess())) if is_gaussian(claim) else math.sqrt(2 * claim.rho)


def implied(claim: Claim, delta: float) -> PureDP | ApproximateDP:
    """The epsilon that a claim implies at a delta that was fixed beforehand: what bets are made against.

    >>> round(implied(ZeroConcentratedDP(rho=0.5), 1e-6).epsilon, 2)
    5.22
    """
    if isinstance(claim, PureDP | ApproximateDP):
        return claim
    if delta == 0.0:
        raise Refused("delta", "be greater than 0 for a rho that is bet against", delta, Code.OUT_OF_RANGE)
    return ApproximateDP(epsilon=ZeroConcentratedDP(rho=claim.rho).epsilon_at(delta), delta=delta)


def choosing(draws: int) -> int:
    """How many of so many draws of a world choose the rule.

    >>> choosing(1_000), choosing(30), choosing(10)
    (200, 10, 5)
    """
    return max(draws // CHOOSING, min(CHOOSE, draws // 2))


@dataclass(frozen=True, eq=False)
class Draws:
    """Outputs of two worlds in the order of their draws, one number for each draw of the whole release."""

    absent: FloatArray
    present: FloatArray

    def __post_init__(self) -> None:
        for world in ("absent", "present"):
            found = np.asarray(getattr(self, world), dtype=np.float64)
            if found.size < FEWEST:
                raise Refused(f"world {world}", f"have at least {FEWEST} draws", found.size, Code.OUT_OF_RANGE)
            object.__setattr__(self, world, found)

    def part(self, *, chooses: bool) -> dict[str, FloatArray]:
        """The outputs of either world that choose the rule, or those that test it."""
        found = {}
        for world in ("absent", "present"):
            outputs: FloatArray = getattr(self, world)
            split = choosing(outputs.size)
            found[world] = outputs[:split] if chooses else outputs[split:]
        return found

    def rule(self, *, level: float, delta: float) -> ThresholdRule:
        """The rule that shows most on the part that chooses."""
        return chosen_rule(**self.part(chooses=True), level=level, delta=delta, alarm="either", ties="apart")

    @property
    def is_repeated(self) -> bool:
        """Whether more outputs are alike than independent draws explain: fractions are not, nor are all of a world."""
        for outputs in (self.absent, self.present):
            different = np.unique(outputs).size
            if different == 1 or ((outputs % 1 != 0.0).any() and different < outputs.size / 2):
                return True
        return False


class InOrder(NamedTuple):
    """Guesses in their order, and the chances of the sides that were guessed where coins were not fair."""

    right: FloatArray
    chances: tuple[float, ...] = ()

    @property
    def counted(self) -> Guesses | UnevenGuesses:
        """How many were right, whatever their order."""
        return counted(int(self.right.sum()), self.right.size, chances=self.chances)


def counted(
    right: int, guesses: int, *, coins: int | None = None, chances: tuple[float, ...] = ()
) -> Guesses | UnevenGuesses:
    """Right guesses about fair coins, or about coins of known chances, one for each guess."""
    if not chances:
        return Guesses(right=right, guesses=guesses, coins=coins)
    if len(chances) > MOST_UNEVEN:
        raise Refused("chances", f"be at most {MOST_UNEVEN:,}", len(chances), Code.TOO_LARGE)
    return UnevenGuesses(right=right, chances=chances)


# ---- what evidence shows ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, kw_only=True)
class Shown:
    """What evidence shows of a claim at a level.

    bound : lower bound on epsilon at `delta`, or on rho, as `currency` says; 0 where nothing is shown
    most : the largest bound that so much evidence could have given
    p_value : chance, at most, of evidence as strong where the claim is true
    refuted_at : the draw in order with which the claim was refuted; None where it was not, or not in order
    wealth, bounds : of the bets, after each draw in order
    """

    bound: float
    most: float
    p_value: float
    is_refuted: bool
    currency: str = "epsilon"
    delta: float = 0.0
    refuted_at: int | None = None
    wealth: Wealth | None = None
    bounds: FloatArray | None = None


def shown_by_alarms(seen: Alarms, claim: Claim, level: float) -> Shown:
    """What the alarms of a rule show that was fixed beforehand."""
    none, some = seen.draws_absent, seen.draws_present
    all_right = Alarms(draws_absent=none, alarms_absent=0, draws_present=some, alarms_present=some)
    if not isinstance(claim, PureDP | ApproximateDP):
        bound, most = (one.rho_lower(level=level, gaussian=is_gaussian(claim)) for one in (seen, all_right))
        p_value = seen.p_value(claim)
        return Shown(bound=bound, most=most, p_value=p_value, is_refuted=p_value <= 1 - level, currency="rho")
    delta = _delta_of(claim)
    if is_joint(seen):
        bound, p_value = (
            joint_epsilon_lower(seen, level=level, delta=delta, step=step_of(claim)),
            joint_p_value(seen, claim),
        )
        # every draw is right with the chance (delta + e^epsilon)/(1 + e^epsilon) at the corner of the claim
        each = (1 - level) ** (1 / (none + some))
        most = math.log((each - delta) / (1 - each)) if each - delta > 1 - each else 0.0
    else:
        bound, most = (one.epsilon_lower(level=level, delta=delta) for one in (seen, all_right))
        p_value = seen.p_value(claim)
    is_refuted = bound >= claim.epsilon * (1 - 1e-9)
    return Shown(bound=bound, most=most, p_value=p_value, is_refuted=is_refuted, delta=delta)


def shown_by_guesses(seen: Guesses | UnevenGuesses, claim: Claim, level: float) -> Shown:
    """What so many right guesses show about secrets that may share one release."""
    if isinstance(seen, UnevenGuesses):
        if not isinstance(claim, PureDP):
            raise Refused("guarantee", "be pure where coins are not fair", claim, Code.UNSUPPORTED, got="")
        uneven = UnevenGuesses(right=len(seen.chances), chances=seen.chances)
        bound, most = (one.epsilon_lower(level=level) for one in (seen, uneven))
        return Shown(bound=bound, most=most, p_value=(p := seen.p_value(claim)), is_refuted=p <= 1 - level)
    all_right = Guesses(right=seen.guesses, guesses=seen.guesses, coins=seen.coins)
    p_value = seen.p_value(claim)
    if not isinstance(claim, PureDP | ApproximateDP):
        bound, most = (one.rho_lower(level=level, gaussian=is_gaussian(claim)) for one in (seen, all_right))
        return Shown(bound=bound, most=most, p_value=p_value, is_refuted=p_value <= 1 - level, currency="rho")
    delta = _delta_of(claim)
    bound, most = (one.epsilon_lower(level=level, delta=delta) for one in (seen, all_right))
    return Shown(bound=bound, most=most, p_value=p_value, is_refuted=p_value <= 1 - level, delta=delta)


def shown_by_pairs(draws: Draws, rule: ThresholdRule, claim: PureDP | ApproximateDP, level: float) -> Shown:
    """What bets show on pairs, a draw of each world, in the order of the draws that test the rule."""
    absent, present = alarms_in_pairs(draws, rule)
    delta = _delta_of(claim)

    def bet(epsilon: float, none: Any, some: Any) -> Wealth:
        against = ApproximateDP(epsilon=epsilon, delta=delta)
        return pair_wealth(against, absent=none, present=some, direction="either")

    return _in_order(
        bet(claim.epsilon, absent, present),
        pair_epsilon_lower(absent=absent, present=present, level=level, delta=delta, step=step_of(claim)),
        _last(lambda epsilon: bet(epsilon, np.zeros(absent.size), np.ones(absent.size)).rejected_at(level) is not None),
        level,
        delta,
    )


def alarms_in_pairs(draws: Draws, rule: ThresholdRule) -> tuple[FloatArray, FloatArray]:
    """Alarms of world absent and of world present in pairs, in their order."""
    tested = draws.part(chooses=False)
    pairs = min(tested["absent"].size, tested["present"].size, MOST_IN_ORDER)
    return rule.gives_alarm(tested["absent"][:pairs]), rule.gives_alarm(tested["present"][:pairs])


def shown_by_guesses_in_order(seen: InOrder, claim: PureDP | ApproximateDP, level: float) -> Shown:
    """What bets show on guesses in their order, each about a fair coin and a release of its own."""
    if seen.chances:
        raise Refused(
            "chances", "be left out one by one, where every coin is fair", len(seen.chances), Code.UNSUPPORTED
        )
    right, delta = seen.right[:MOST_IN_ORDER], _delta_of(claim)

    def bet(epsilon: float, answers: FloatArray) -> Wealth:
        return guess_wealth(answers, ApproximateDP(epsilon=epsilon, delta=delta))

    return _in_order(
        bet(claim.epsilon, right),
        guess_epsilon_lower(right, level=level, delta=delta, step=step_of(claim)),
        _last(lambda epsilon: bet(epsilon, np.ones(right.size)).rejected_at(level) is not None),
        level,
        delta,
    )


def _in_order(wealth: Wealth, bounds: FloatArray, most: float, level: float, delta: float) -> Shown:
    at, bound = wealth.rejected_at(level), float(bounds[-1])
    return Shown(
        bound=bound,
        most=max(most, bound),
        p_value=wealth.p_value,
        is_refuted=at is not None,
        delta=delta,
        refuted_at=at,
        wealth=wealth,
        bounds=bounds,
    )


def _last(contradicted: Callable[[float], bool]) -> float:
    """An epsilon that is not contradicted and of which half a hundredth less is; 0 where none is."""
    low, high = 0.0, GRID
    while high < 1e3 and contradicted(high):
        low, high = high, 2 * high
    while high - low > GRID / 2 and low > 0.0:
        middle = (low + high) / 2
        low, high = (middle, high) if contradicted(middle) else (low, middle)
    return high if low > 0.0 else 0.0


def is_joint(seen: Alarms) -> bool:
    """Whether the two rates are judged together."""
    return max(seen.draws_absent, seen.draws_present) <= MOST_JOINT


def is_gaussian(claim: Claim) -> bool:
    """Whether a claim is the rho of Gaussian noise, and not of any release."""
    return isinstance(claim, Gaussian)


def step_of(claim: PureDP | ApproximateDP) -> float:
    """The spacing of claims that are tried, about a hundredth, on which the claim itself lies."""
    return claim.epsilon / max(round(claim.epsilon / GRID), 1)


def _delta_of(claim: PureDP | ApproximateDP) -> float:
    return claim.delta if isinstance(claim, ApproximateDP) else 0.0


def curve_of(claim: Claim) -> TradeOff:
    """What the best test finds at each rate of false alarms where a claim is just kept."""
    return trade_off(claim)


def curve_shown(claim: Claim, shown: Shown) -> TradeOff | None:
    """The same for the budget that is shown at least; None where nothing is."""
    if shown.bound == 0.0:
        return None
    if shown.currency == "rho":
        return trade_off(type(claim)(rho=shown.bound))  # type: ignore[call-arg]
    return trade_off(ApproximateDP(epsilon=shown.bound, delta=shown.delta))


# ---- before the draws ------------------------------------------------------------------------------------------------


class Planned(NamedTuple):
    """How many draws of each world, or guesses, refute a claim; and how often so many as there are do.

    None where a million do not refute it so often.
    """

    needed: int | None
    chance: float | None


def planned_draws(claim: Claim, supposed: float | AlarmRates, made: int, *, level: float, power: float) -> Planned:
    """Draws of each world, those that choose the rule among them; `made` are those that test it.

    supposed : the true budget of whole-number noise on a count (of Gaussian noise where that is claimed), or how often
        a rule gives alarm
    """
    if isinstance(supposed, AlarmRates):
        rates = [supposed]
    elif is_gaussian(claim):
        rates = [ThresholdRule(at).rates(Gaussian(rho=supposed)) for at in THRESHOLDS]
    elif isinstance(claim, ZeroConcentratedDP):
        rates = [ThresholdRule(at).rates(DiscreteGaussian(rho=supposed)) for at in THRESHOLDS]
    else:
        rates = [ThresholdRule(1).rates(Geometric(epsilon=supposed))]
    found = [
        (one.draws_needed(claim, level=level, power=power), one)
        for one in rates
        if one.power(claim, draws=MOST_PLANNED, level=level) >= power
    ]
    if not found:
        return Planned(None, None)
    tested, best = min(found, key=lambda each: each[0])
    needed = max(math.ceil(tested * CHOOSING / (CHOOSING - 1)), tested + CHOOSE)
    return Planned(needed, best.power(claim, draws=made, level=level))


def planned_guesses(claim: Claim, supposed: float, made: int, *, level: float, power: float) -> Planned:
    """Guesses about fair coins, right as often as the best ones are; for pure claims alone."""
    rate = GuessRate(float(expit(supposed)))
    if not isinstance(claim, PureDP) or rate.power(claim, guesses=MOST_PLANNED, level=level) < power:
        return Planned(None, None)
    needed = rate.guesses_needed(claim, level=level, power=power)
    return Planned(needed, rate.power(claim, guesses=made, level=level))
