"""Plans with mechanisms known by their curve: what adds up is an upper bound; what needs budgets is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpcore.composition import BeliefPromise, PlannedRelease, PlanRule, ReleasePlan
from dpcore.errors import Code, Refused
from dpcore.first_passage import FirstPassing
from dpcore.guarantees import ApproximateDP, PureDP, Relation, ZeroConcentratedDP
from dpcore.mechanisms import (
    EstimatedCurve,
    ExponentialMechanism,
    Gaussian,
    KnownCurve,
    Laplace,
    ShuffledRandomizedResponse,
    SubsampledGaussian,
)
from dpcore.privacy_loss import PrivacyLoss
from dpcore.tradeoff import trade_off, trade_off_over_steps

GRID = np.linspace(0.0, 6.0, 301)
READ = KnownCurve(epsilons=tuple(GRID), deltas=tuple(PrivacyLoss.of(Gaussian(rho=0.02)).delta_at(GRID)))
"""Points read off Gaussian noise."""
TRAINING = SubsampledGaussian(noise_multiplier=1.0, rate=0.01, steps=250)


def test_points_read_off_noise_add_up_to_little_more_than_the_noise() -> None:
    plan = ReleasePlan((PlannedRelease(READ, 3), PlannedRelease(Gaussian(rho=0.02), 2)))
    noise = ReleasePlan((PlannedRelease(Gaussian(rho=0.02), 5),))
    for delta in (1e-2, 1e-5):
        assert noise.exact_epsilon(delta) - 1e-9 <= plan.exact_epsilon(delta) < noise.exact_epsilon(delta) * 1.02
    assert (
        trade_off(noise).right_guess() - 1e-9 <= trade_off(plan).right_guess() < trade_off(noise).right_guess() + 3e-3
    )
    assert trade_off(plan).certainty == "bound"


def test_training_in_parts_is_never_told_to_take_less_than_training_at_once() -> None:
    parts = ReleasePlan((PlannedRelease(TRAINING, 4),))
    at_once = SubsampledGaussian(noise_multiplier=1.0, rate=0.01, steps=1000)
    assert at_once.epsilon_bounds(1e-5)[0] <= parts.exact_epsilon(1e-5) < at_once.epsilon_bounds(1e-5)[1] * 1.01
    assert parts.times(2).exact_epsilon(1e-5) > parts.exact_epsilon(1e-5)


def test_sums_take_each_curve_at_its_share_of_delta() -> None:
    each = PrivacyLoss.of(TRAINING).epsilon_at(2.5e-6)
    plan = ReleasePlan((PlannedRelease(TRAINING, 4), PlannedRelease(PureDP(epsilon=0.1))))
    assert plan.basic_epsilon(1e-5) == pytest.approx(4 * each + 0.1, rel=1e-12)
    assert plan.basic_delta(1e-5) == 1e-5
    assert plan.exact_epsilon(1e-5) < plan.optimal_epsilon(1e-5).high
    rule = PlanRule(plan, "basic", total_delta=1e-5)
    assert rule.total(2) == plan.times(2).basic_epsilon(1e-5) > plan.basic_epsilon(1e-5)
    assert plan.basic_epsilon(1e-5) < rule.shift(1, delta_prime=0.01) < plan.basic_epsilon(1e-5) + 0.01
    assert plan.relation is Relation.ADD_OR_REMOVE


def test_an_exponential_mechanism_keeps_its_epsilon_and_has_no_tails() -> None:
    row = PlannedRelease(ExponentialMechanism(epsilon=0.5), 6)
    plan = ReleasePlan((row,))
    assert (row.has_exact_law, row.needs_delta, row.guarantee) == (False, False, PureDP(epsilon=0.5))
    assert plan.basic_epsilon(0.0) == pytest.approx(3.0)
    assert plan.rho == pytest.approx(6 * 0.125)
    assert plan.exact_epsilon(1e-6) < ReleasePlan.repeated(PureDP(epsilon=0.5), 6).exact_epsilon(1e-6) < 3.0


def test_steps_of_a_secret_are_iterated_on_the_whole_plan() -> None:
    plan = ReleasePlan((PlannedRelease(READ, 2), PlannedRelease(PureDP(epsilon=0.2))))
    one, two = (trade_off_over_steps(plan, steps=steps).right_guess() for steps in (1, 2))
    assert one == trade_off(plan).right_guess()
    assert (
        one
        < two
        < trade_off_over_steps(ApproximateDP(epsilon=plan.exact_epsilon(1e-6), delta=1e-6), steps=2).right_guess()
    )


REFUSED: list[tuple[Callable[[ReleasePlan], Any], str]] = [
    (lambda plan: plan.rho, "pure or zero-concentrated to have a rho"),
    (lambda plan: plan.concentrated(), "pure or zero-concentrated to have a rho"),
    (lambda plan: plan.divergences(), "an epsilon or a rho to have divergences"),
    (lambda plan: PlanRule(plan, "direct"), "pure or zero-concentrated to have a rho"),
    (lambda plan: PlanRule(plan, "exact"), "no law of tails"),
    (lambda plan: plan.basic(0.0), "lie in (0, 1)"),
]


@pytest.mark.parametrize(("ask", "rule"), REFUSED)
def test_what_only_budgets_add_up_is_refused_by_name(ask: Callable[[ReleasePlan], Any], rule: str) -> None:
    plan = ReleasePlan((PlannedRelease(TRAINING), PlannedRelease(Laplace(epsilon=0.1))))
    with pytest.raises(Refused) as found:
        ask(plan)
    assert rule in str(found.value)


def test_an_estimate_and_two_kinds_of_change_are_no_plan() -> None:
    drawn = EstimatedCurve.of_draws([0.1, -0.1])
    with pytest.raises(Refused, match="source must be known: an estimate is no bound of a sum") as found:
        PlannedRelease(drawn)
    assert found.value.code is Code.UNSUPPORTED
    answers = PlannedRelease(ShuffledRandomizedResponse(epsilon=1.0, people=50))
    with pytest.raises(Refused, match="be under one relation"):
        _ = ReleasePlan((answers, PlannedRelease(TRAINING))).relation
    assert ReleasePlan((answers,)).relation is Relation.REPLACE


def test_what_is_released_once_is_in_every_total_and_bound() -> None:
    plan, once = ReleasePlan((PlannedRelease(Laplace(epsilon=0.1), 2),)), ReleasePlan((PlannedRelease(TRAINING),))
    for rounds in (1, 30):
        whole = ReleasePlan((*plan.times(rounds).rows, *once.rows))
        rule = PlanRule(plan, "every_view", total_delta=1e-5, once=once)
        assert rule.total(rounds) == whole.exact_epsilon(1e-5) > plan.times(rounds).exact_epsilon(1e-5)
        rise = rule.shift(rounds, delta_prime=0.01, direction="rise")
        assert rise == whole.privacy_loss.every_view_epsilon(0.01) < rule.shift(rounds, delta_prime=0.01)
        basic = PlanRule(plan, "basic", total_delta=1e-5, once=once)
        assert basic.total(rounds) == whole.basic_epsilon(1e-5) > rule.total(rounds)
        assert rise < basic.shift(rounds, delta_prime=0.01, direction="rise")
    promise = BeliefPromise(epsilon_prime=2.5, delta_prime=0.01, direction="rise")
    first = rule.first_broken(promise, 400)
    assert first is not None
    shifts = [rule.shift(rounds, delta_prime=0.01, direction="rise") for rounds in (first - 1, first)]
    assert shifts[0] <= 2.5 < shifts[1]
    assert rule.first_passed(promise, 400) == FirstPassing(given=first, some=first)
    rho = PlanRule(
        ReleasePlan.repeated(Gaussian(rho=0.01), 1), "direct", once=ReleasePlan.repeated(Gaussian(rho=0.2), 1)
    )
    alone = PlanRule(ReleasePlan.repeated(Gaussian(rho=0.23), 1), "direct")
    assert rho.shift(3, delta_prime=0.01) == pytest.approx(alone.shift(1, delta_prime=0.01), rel=1e-12)
    assert rho.shifts([3], delta_prime=0.01)[0] == pytest.approx(alone.shift(1, delta_prime=0.01), rel=1e-12)
    assert rho.total(3) == pytest.approx(alone.total(1), rel=1e-12)


def test_a_bound_on_every_view_counts_rises_and_falls_together() -> None:
    """A rise and a fall by .2, each rarer than a failure and both together not: the shift is all of .2."""
    failure, largest = 0.1, 0.2
    rare = 0.8 * failure
    law = [rare, 1 - rare * (1 + np.exp(-largest)), rare * np.exp(-largest)]
    both = ReleasePlan((PlannedRelease(KnownCurve.of_losses([largest, 0.0, -largest], law)),))
    rule = PlanRule(both, "every_view")
    assert law[0] < failure < law[0] + law[2]
    assert rule.shift(1, delta_prime=failure, direction="rise") < 0.19
    assert rule.shift(1, delta_prime=failure) >= largest - 1e-9
    assert rule.shift(1, delta_prime=failure, direction="fall") == rule.shift(1, delta_prime=failure)
    assert rule.shift(1, delta_prime=0.0) == pytest.approx(largest, abs=1e-6)
    noise = ReleasePlan.repeated(Gaussian(rho=0.05), 4)
    shift = PlanRule(noise, "every_view").shift(1, delta_prime=0.05)
    assert noise.privacy_loss.exceedance(shift, direction="either") <= 0.05


def test_a_curve_released_once_has_no_exact_law_and_a_rho_alone_no_worst_one() -> None:
    rows, once = ReleasePlan.repeated(Gaussian(rho=0.01), 1), ReleasePlan.repeated(Gaussian(rho=0.2), 1)
    with pytest.raises(Refused, match="bound every event where something is released once besides"):
        PlanRule(rows, "exact", once=once)
    with pytest.raises(Refused, match="pure or zero-concentrated to have a rho"):
        PlanRule(rows, "published", once=ReleasePlan((PlannedRelease(TRAINING),)))
    with pytest.raises(Refused, match="be a mechanism, PureDP or ApproximateDP"):
        PlanRule(ReleasePlan.repeated(ZeroConcentratedDP(rho=0.01), 1), "every_view", once=once)
