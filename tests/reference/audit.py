"""Kinds of case in the area `audit`, answered by public dpcore calls. Keyword arguments are the case's inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dpcore.audit import (
    AlarmRates,
    Alarms,
    Guesses,
    ThresholdRule,
    UnevenGuesses,
    Wealth,
    chosen_rule,
    guess_wealth,
    law_test,
    pair_wealth,
)
from dpcore.errors import Code, Refused
from dpcore.guarantees import ApproximateDP, PureDP, ZeroConcentratedDP
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, NoiseMechanism
from dpcore.tradeoff import trade_off
from tests.reference.choices import one_of

NOISES: Mapping[str, Callable[[float], NoiseMechanism]] = {
    "geometric": lambda budget: Geometric(epsilon=budget),
    "gaussian": lambda budget: Gaussian(rho=budget),
    "discrete_gaussian": lambda budget: DiscreteGaussian(rho=budget),
}


def _guess_bound(guesses: int, right: int, level: float) -> dict[str, float]:
    seen = Guesses(right=right, guesses=guesses)
    return {"share_low": seen.share_lower(level), "epsilon": seen.epsilon_lower(level=level)}


def _guess_p_value(guesses: int, right: int, epsilon: float) -> float:
    return Guesses(right=right, guesses=guesses).p_value(PureDP(epsilon=epsilon))


def _guess_p_value_delta(coins: int, guesses: int, right: int, epsilon: float, delta: float) -> dict[str, float]:
    seen, claim = Guesses(right=right, guesses=guesses, coins=coins), ApproximateDP(epsilon=epsilon, delta=delta)
    return {"published": seen.p_value_published(claim), "largest": seen.p_value(claim)}


def _guess_p_value_priors(chances: Sequence[float], right: int, epsilon: float) -> float:
    return UnevenGuesses(right=right, chances=chances).p_value(PureDP(epsilon=epsilon))


def _guess_share(guarantee: Mapping[str, Any]) -> float:
    if "rho" in guarantee:
        exact = one_of("noise", guarantee.get("noise"), {"gaussian": Gaussian, "any": ZeroConcentratedDP})
        return trade_off(exact(rho=guarantee["rho"])).right_guess()
    return trade_off(ApproximateDP(epsilon=guarantee["epsilon"], delta=guarantee.get("delta", 0.0))).right_guess()


def _two_files(n0: int, n1: int, alarms0: int, alarms1: int, level: float, delta: float = 0.0) -> dict[str, float]:
    seen = Alarms(draws_absent=n0, alarms_absent=alarms0, draws_present=n1, alarms_present=alarms1)
    rates = seen.rates(level)
    return {
        "false_high": rates.false_alarm_upper,
        "true_low": rates.detection_lower,
        "epsilon": seen.epsilon_lower(level=level, delta=delta),
    }


def _held_back(
    choose0: Sequence[int],
    choose1: Sequence[int],
    test0: Sequence[int],
    test1: Sequence[int],
    level: float,
    delta: float = 0.0,
) -> dict[str, float]:
    rule = chosen_rule(absent=choose0, present=choose1, level=level, delta=delta)
    epsilon = rule.alarms(absent=test0, present=test1).epsilon_lower(level=level, delta=delta)
    return {"threshold": rule.threshold, "epsilon": epsilon}


def _rates(noise: str, budget: float, threshold: float) -> AlarmRates:
    return ThresholdRule(threshold).rates(one_of("noise", noise, NOISES)(budget))


def _power(noise: str, budget: float, threshold: float, draws: int, level: float, goal: float) -> dict[str, float]:
    rates = _rates(noise, budget, threshold)
    power = rates.power(PureDP(epsilon=goal), draws=draws, level=level)
    return {"false_rate": rates.false_alarm, "true_rate": rates.detection, "power": power}


def _draws_needed(noise: str, budget: float, threshold: float, level: float, goal: float) -> int:
    return _rates(noise, budget, threshold).draws_needed(PureDP(epsilon=goal), level=level)


def _claimed_law(noise: str, budget: float, centre: float, counts: Sequence[int]) -> dict[str, float]:
    """Counts of "at most -t", -t + 1, ..., t - 1, "at least t"."""
    reach = (len(counts) - 1) // 2
    found = law_test(one_of("noise", noise, NOISES)(budget), counts, edges=range(-reach, reach), centre=centre)
    return found._asdict()


def _wealth(found: Wealth, level: float) -> dict[str, float]:
    return {
        "wealth": float([1.0, *found.path][-1]),
        "largest": found.largest,
        "rejected_at": found.rejected_at(level) or 0,
    }


def _wealth_guesses(right: Sequence[int], epsilon: float, level: float, share: float | str) -> dict[str, float]:
    expected = None if share == "mixture" else share
    return _wealth(guess_wealth(right, PureDP(epsilon=epsilon), share=expected), level)  # type: ignore[arg-type]


def _wealth_pairs(
    pairs: Sequence[Sequence[int]], epsilon: float, level: float, bet: float | str, delta: float = 0.0
) -> dict[str, float]:
    if not all(len(pair) == 2 for pair in pairs):
        raise Refused("pairs", "hold an alarm of world 1 and one of world 0 each", pairs, Code.WRONG_SHAPE)
    present, absent = ([pair[world] for pair in pairs] for world in (0, 1))
    stake = None if bet == "plug-in" else bet
    claim = ApproximateDP(epsilon=epsilon, delta=delta)
    return _wealth(pair_wealth(claim, absent=absent, present=present, stake=stake), level)  # type: ignore[arg-type]


ANSWERS: dict[str, Callable[..., Any]] = {
    "claimed_law": _claimed_law,
    "draws_needed": _draws_needed,
    "guess_bound": _guess_bound,
    "guess_pvalue": _guess_p_value,
    "guess_pvalue_delta": _guess_p_value_delta,
    "guess_pvalue_priors": _guess_p_value_priors,
    "guess_share": _guess_share,
    "held_back": _held_back,
    "power": _power,
    "two_files": _two_files,
    "wealth_guesses": _wealth_guesses,
    "wealth_pairs": _wealth_pairs,
}
