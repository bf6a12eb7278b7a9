"""Evidence against a claim as pages and the command line tell it: how often it is wrong, and what it takes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.special import expit, logit

from dpcore.audit import AlarmRates, Alarms, Guesses, ThresholdRule, UnevenGuesses, joint_p_value
from dpcore.errors import Refused
from dpcore.guarantees import ApproximateDP, PureDP, ZeroConcentratedDP
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from dpcore.tradeoff import trade_off
from riskline.answers.audit import (
    MOST_JOINT,
    Draws,
    InOrder,
    choosing,
    claim_of,
    curve_shown,
    implied,
    planned_draws,
    planned_guesses,
    shown_by_alarms,
    shown_by_guesses,
    shown_by_guesses_in_order,
    shown_by_pairs,
)
from tests.each import each

ONE = PureDP(epsilon=1.0)
LEVEL = 0.95


def geometric(epsilon: float, *, moved: float = 1.0, audits: int, draws: int, seed: int) -> list[Draws]:
    noise = np.asarray(Geometric(epsilon=epsilon).simulate_noise((audits, 2, draws), seed=seed))
    return [Draws(one[0], one[1] + moved) for one in noise]


def alarms_of(draws: Draws) -> Alarms:
    return draws.rule(level=LEVEL, delta=0.0).alarms(**draws.part(chooses=False))


def share_refuted(audits: list[Draws], claim: Any) -> float:
    """How many of these audits refute a claim, as `shown_by_alarms` does; equal counts are judged once."""
    seen = [alarms_of(one) for one in audits]
    judged = {one: joint_p_value(one, claim) <= 0.05 for one in set(seen)}
    return float(np.mean([judged[one] for one in seen]))


# ---- how often a true claim is refuted -------------------------------------------------------------------------------


def test_two_thousand_true_claims_are_refuted_seldom_and_not_never() -> None:
    refuted = share_refuted(geometric(1.0, audits=2_000, draws=30, seed=31), ONE)
    assert 0.01 <= refuted <= 0.05 + 0.015


@pytest.mark.study
@each("epsilon, draws", [(0.2, 300), (0.5, 300), (1.0, 300), (2.0, 300), (1.0, 1_000)])
def test_two_thousand_true_claims_at_usual_sizes(epsilon: float, draws: int) -> None:
    refuted = share_refuted(geometric(epsilon, audits=2_000, draws=draws, seed=32), PureDP(epsilon=epsilon))
    assert 0.01 <= refuted <= 0.05 + 0.015


def test_two_thousand_true_claims_of_a_rho_are_refuted_seldom() -> None:
    """The noise claimed has a trade-off inside that of every release with its ρ."""
    noise = np.asarray(DiscreteGaussian(rho=0.5).simulate_noise((2_000, 2, 80), seed=33))
    seen = [alarms_of(Draws(one[0], one[1] + 1)) for one in noise]
    rates = np.array([one.rates() for one in seen])
    for claim in (ZeroConcentratedDP(rho=0.5), Gaussian(rho=0.5)):
        refuted = rates[:, 1] > trade_off(claim).detection(rates[:, 0])
        assert np.mean(refuted) <= 0.05
        first = shown_by_alarms(seen[0], claim, LEVEL)
        assert first.is_refuted == refuted[0] == (first.bound > 0.5)


def test_true_claims_about_uneven_coins_are_refuted_at_most_as_often_as_said() -> None:
    chances = (0.3, 0.5, 0.5, 0.6, 0.7, 0.8, 0.5, 0.4, 0.9, 0.5)
    refuted = {right: shown_by_guesses(UnevenGuesses(right=right, chances=chances), ONE, 0.9) for right in range(11)}
    right_each = expit(logit(np.array(chances)) + 1.0)
    total = 0.0
    for outcome in itertools.product((0, 1), repeat=len(chances)):
        if refuted[sum(outcome)].is_refuted:
            total += math.prod(p if one else 1 - p for p, one in zip(right_each, outcome, strict=True))
    assert 0.0 < total <= 0.1


def test_two_thousand_true_claims_looked_at_after_every_pair_of_a_chosen_rule() -> None:
    audits = geometric(1.0, audits=200, draws=60, seed=34)
    refuted = [
        shown_by_pairs(one, one.rule(level=LEVEL, delta=0.0), ONE, LEVEL).refuted_at is not None for one in audits
    ]
    assert np.mean(refuted) <= 0.05


# ---- broken mechanisms and the draws that are announced --------------------------------------------------------------


def _rounded(number: int, audits: int) -> list[Draws]:
    """Noise rounded to even numbers: a threshold sees e^1.5 of what the parity tells outright."""
    noise = 2 * np.round(np.asarray(Laplace(epsilon=1.0).simulate_noise((audits, 2, number), seed=41)) / 2)
    return [Draws(one[0], one[1] + 1) for one in noise]


def _seed_twice(number: int, audits: int) -> list[Draws]:
    """The difference of two counts of the same people whose noise has one seed: nothing hides it."""
    noise = np.asarray(Geometric(epsilon=0.5).simulate_noise((audits, 2, number), seed=42))
    return [Draws(one[0] - one[0], (one[1] + 1) - one[1]) for one in noise]


def best(rates: list[AlarmRates], power: float) -> AlarmRates:
    def needed(one: AlarmRates) -> float:
        try:
            return one.draws_needed(ONE, power=power)
        except Refused:
            return math.inf

    return min(rates, key=needed)


LAPLACE = Laplace(epsilon=1.0)
BROKEN: dict[str, tuple[Callable[[int, int], list[Draws]], list[AlarmRates]]] = {
    "a scale too small by the root of two": (
        lambda number, audits: geometric(2**0.5, audits=audits, draws=number, seed=43),
        [ThresholdRule(1).rates(Geometric(epsilon=2**0.5))],
    ),
    "a sensitivity of three that was taken for one": (
        lambda number, audits: geometric(1.0, moved=3.0, audits=audits, draws=number, seed=44),
        [ThresholdRule(at).rates(Geometric(epsilon=1.0), present=3.0) for at in range(-1, 5)],
    ),
    "rounding that leaks": (
        _rounded,
        [AlarmRates(false_alarm=float(LAPLACE.survival(1.0)), detection=float(LAPLACE.survival(-1.0)))],
    ),
    "a seed used twice": (_seed_twice, [AlarmRates(false_alarm=0.0, detection=1.0)]),
}


@pytest.mark.parametrize("power", [pytest.param(0.8, marks=pytest.mark.study), 0.95])
@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_mechanism_is_refuted_about_as_often_as_is_announced(fault: str, power: float) -> None:
    draw, rates = BROKEN[fault]
    announced = planned_draws(ONE, best(rates, power), 10, level=LEVEL, power=power).needed
    assert announced is not None
    assert share_refuted(draw(announced, 60), ONE) >= power - 0.12  # three standard deviations
    assert announced < 40 or share_refuted(draw(announced // 4, 30), ONE) < power


@each("true, claimed", [(2.0, 1.0), (4.0, 1.0), (1.0, 0.5)])
def test_the_draws_that_the_page_announces_for_whole_number_noise_refute(true: float, claimed: float) -> None:
    claim = PureDP(epsilon=claimed)
    announced = planned_draws(claim, true, 10, level=LEVEL, power=0.8).needed
    assert announced is not None
    assert share_refuted(geometric(true, audits=60, draws=announced, seed=45), claim) >= 0.65


def test_a_mechanism_that_keeps_its_claim_is_not_refuted_with_as_many() -> None:
    assert share_refuted(geometric(1.0, audits=60, draws=120, seed=46), ONE) <= 0.1


def test_what_is_true_or_nearly_so_is_not_planned_with() -> None:
    for true in (0.5, 1.0, 1.0 + 1e-9, 1.001):
        assert planned_draws(ONE, true, 100, level=LEVEL, power=0.8) == (None, None)
        assert planned_guesses(ONE, true, 100, level=LEVEL, power=0.8) == (None, None)
    assert planned_guesses(ZeroConcentratedDP(rho=0.1), 9.0, 100, level=LEVEL, power=0.8) == (None, None)


def test_a_threshold_of_its_own_serves_a_claimed_rho() -> None:
    found = planned_draws(Gaussian(rho=0.1), 0.5, 200, level=LEVEL, power=0.8)
    assert found.needed is not None
    noise = Gaussian(rho=0.5)
    least = min(
        ThresholdRule(at).rates(noise).draws_needed(Gaussian(rho=0.1), level=LEVEL, power=0.8) for at in (1, 2, 4)
    )
    assert planned_draws(Gaussian(rho=20.0), 20.0, 200, level=LEVEL, power=0.8) == (None, None)
    assert found.needed == math.ceil(least * 5 / 4)
    assert found.chance is not None
    assert 0.8 < found.chance < 1.0


# ---- how draws are split, and bounds ---------------------------------------------------------------------------------


def test_the_first_fifth_chooses_and_the_rest_tests_in_the_order_of_the_file() -> None:
    draws = Draws(np.arange(100.0), np.arange(60.0) + 500)
    assert (choosing(100), choosing(60), choosing(12)) == (20, 12, 6)
    assert draws.part(chooses=True)["absent"].tolist() == list(range(20))
    assert draws.part(chooses=False)["present"].tolist() == list(range(512, 560))
    assert alarms_of(draws) == Alarms(draws_absent=80, alarms_absent=0, draws_present=48, alarms_present=48)
    with pytest.raises(Refused, match="world present must have at least 10 draws; got 9"):
        Draws(np.arange(10.0), np.arange(9.0))


@each(
    "claim, currency",
    [
        (ONE, "epsilon"),
        (ApproximateDP(epsilon=1.0, delta=0.05), "epsilon"),
        (ZeroConcentratedDP(rho=0.3), "rho"),
        (Gaussian(rho=0.3), "rho"),
    ],
)
def test_a_claim_is_refuted_exactly_where_the_bound_reaches_it(claim: Any, currency: str) -> None:
    seen = Alarms(draws_absent=400, alarms_absent=60, draws_present=400, alarms_present=300)
    shown = shown_by_alarms(seen, claim, LEVEL)
    assert shown.currency == currency
    claimed = claim.rho if currency == "rho" else claim.epsilon
    assert shown.is_refuted == (shown.bound >= claimed) == (shown.p_value <= 0.05)
    assert shown.bound <= shown.most
    curve = curve_shown(claim, shown)
    assert curve is not None
    assert curve.detection(0.15) <= 0.76
    guesses = shown_by_guesses(Guesses(right=170, guesses=200), claim, LEVEL)
    claimed = claim.rho if currency == "rho" else claim.epsilon
    assert guesses.is_refuted == (guesses.bound >= claimed) == (guesses.p_value <= 0.05)


def test_the_most_that_draws_can_show_is_what_all_right_show() -> None:
    for delta in (0.0, 0.02):
        right = Alarms(draws_absent=20, alarms_absent=0, draws_present=15, alarms_present=15)
        claim = ApproximateDP(epsilon=1.0, delta=delta)
        shown = shown_by_alarms(right, claim, LEVEL)
        assert 0 <= shown.most - shown.bound <= 0.02
        assert joint_p_value(right, ApproximateDP(epsilon=shown.most, delta=delta)) == pytest.approx(0.05, rel=0.02)


def test_draws_that_a_claimed_delta_alone_explains_can_show_no_epsilon() -> None:
    seen = Alarms(draws_absent=3, alarms_absent=0, draws_present=2, alarms_present=2)  # 0.05^(1/5) is 0.549
    assert shown_by_alarms(seen, ApproximateDP(epsilon=1.0, delta=0.2), LEVEL).most == 0.0
    assert shown_by_alarms(seen, PureDP(epsilon=1.0), LEVEL).most == pytest.approx(math.log(0.549 / 0.451), abs=2e-3)


def test_of_very_many_draws_each_rate_is_judged_by_itself() -> None:
    many = MOST_JOINT + 1
    seen = Alarms(draws_absent=many, alarms_absent=many // 4, draws_present=many, alarms_present=3 * many // 4)
    shown = shown_by_alarms(seen, ONE, LEVEL)
    assert shown.bound == seen.epsilon_lower()
    assert shown.is_refuted
    assert shown.p_value == seen.p_value(ONE)


def test_a_rho_is_bet_against_by_the_epsilon_that_it_implies() -> None:
    claim = implied(Gaussian(rho=0.5), 1e-6)
    assert (claim.epsilon, claim.delta) == (ZeroConcentratedDP(rho=0.5).epsilon_at(1e-6), 1e-6)
    assert implied(ONE, 0.0) is ONE
    with pytest.raises(Refused, match="delta must be greater than 0"):
        implied(Gaussian(rho=0.5), 0.0)


def test_bets_in_order_refute_a_broken_claim_and_their_bound_is_read_at_any_time() -> None:
    (draws,) = geometric(3.0, audits=1, draws=200, seed=47)
    shown = shown_by_pairs(draws, draws.rule(level=LEVEL, delta=0.0), ONE, LEVEL)
    assert shown.refuted_at is not None
    assert shown.bounds is not None
    assert shown.bounds.size == 160
    assert shown.bounds[shown.refuted_at - 1] >= 1.0 > shown.bounds[shown.refuted_at - 2]
    assert 1.0 <= shown.bound <= 3.0 < shown.most
    right = InOrder((np.random.default_rng(48).random(300) < expit(2.0)).astype(float))
    guessed = shown_by_guesses_in_order(right, ONE, LEVEL)
    assert guessed.is_refuted
    assert 1.0 <= guessed.bound <= 2.0
    with pytest.raises(Refused, match="chances must be left out one by one"):
        shown_by_guesses_in_order(right._replace(chances=(0.5,) * 300), ONE, LEVEL)


def test_a_single_kind_of_guess_in_order_shows_as_much_as_it_can() -> None:
    everything = shown_by_guesses_in_order(InOrder(np.ones(40)), ONE, LEVEL)
    assert 0 <= everything.most - everything.bound <= 0.02


def test_claims_by_their_kind() -> None:
    assert claim_of("pure", epsilon=2.0, delta=0.1, rho=3.0) == PureDP(epsilon=2.0)
    assert claim_of("approximate", epsilon=2.0, delta=0.1, rho=3.0) == ApproximateDP(epsilon=2.0, delta=0.1)
    assert claim_of("zero_concentrated", epsilon=2.0, delta=0.1, rho=3.0) == ZeroConcentratedDP(rho=3.0)


def test_draws_that_repeat_are_seen() -> None:
    noise = np.asarray(Laplace(epsilon=1.0).simulate_noise((2, 50), seed=49))
    assert not Draws(noise[0], noise[1]).is_repeated
    assert Draws(np.tile(noise[0], 3), noise[1]).is_repeated
    assert Draws(np.append(np.tile(noise[0], 3), 2.0), noise[1]).is_repeated, "one of them may be whole"
    assert Draws(np.full(20, 3.0), np.arange(20.0)).is_repeated
    (whole,) = geometric(1.0, audits=1, draws=100, seed=50)
    assert not whole.is_repeated
    half = np.repeat(noise[0][:25], 2)
    assert not Draws(half, noise[1]).is_repeated, "of rounded outputs a few are alike"
    assert Draws(np.append(half[2:], [half[2]] * 2), noise[1]).is_repeated
