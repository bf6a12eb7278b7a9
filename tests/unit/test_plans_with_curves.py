"""Plans with mechanisms known by their curve: what adds up is an upper bound; what needs budgets is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpcore.composition import PlannedRelease, PlanRule, ReleasePlan
from dpcore.errors import Code, Refused
from dpcore.guarantees import ApproximateDP, PureDP, Relation
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
