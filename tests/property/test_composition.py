"""Laws of the privacy loss and of composition, for any plan Hypothesis draws."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore.composition import (
    BasicRule,
    BeliefPromise,
    ConcentratedRule,
    ExactRule,
    OptimalRule,
    PlannedRelease,
    ReleasePlan,
    first_broken,
    largest_budget,
    largest_epsilon_each,
    largest_kept,
    largest_rho_each,
    largest_safe,
    optimal_composition,
    optimal_delta,
    optimal_epsilon,
    optimal_promise,
)
from dpcore.guarantees import ApproximateDP, PureDP, approximate_epsilon_from_rho_best_order
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, RandomizedResponse
from dpcore.privacy_loss import ExactPosterior, PrivacyLoss

budgets = st.floats(0.02, 1.5)
named_lattices: st.SearchStrategy[Any] = st.one_of(
    st.builds(Geometric, epsilon=budgets, sensitivity=st.integers(1, 4)),
    st.builds(DiscreteGaussian, rho=st.floats(0.005, 1.0)),
    st.builds(RandomizedResponse, epsilon=budgets, categories=st.integers(2, 6)),
)
lattices = named_lattices | st.builds(ApproximateDP, epsilon=budgets, delta=st.floats(0.0, 0.01))
continuous: st.SearchStrategy[Any] = st.builds(Gaussian, rho=st.floats(0.005, 1.0)) | st.builds(
    Laplace, epsilon=budgets
)
mechanisms = lattices | continuous


def _plans(rows: st.SearchStrategy[Any]) -> st.SearchStrategy[PrivacyLoss]:
    return st.lists(st.tuples(rows, st.integers(1, 6)), min_size=1, max_size=3).map(
        lambda found: PrivacyLoss(tuple(found), 1 << 11)
    )


plans, named_plans = _plans(mechanisms), _plans(named_lattices | continuous)


@given(lattices, st.integers(2, 7), st.floats(0.0, 3.0))
def test_k_fold_is_k_times(mechanism: Any, k: int, epsilon: float) -> None:
    once = PrivacyLoss.of(mechanism)
    added = once
    for _ in range(k - 1):
        added = added + once
    assert added == once.times(k)
    split = PrivacyLoss.of(mechanism, k - 1) + once
    assert split.delta_at(epsilon) == once.times(k).delta_at(epsilon)


@given(st.builds(Geometric, epsilon=budgets), st.integers(2, 9), st.floats(0.0, 4.0))
def test_k_equal_mechanisms_are_k_different_objects_with_one_law(mechanism: Geometric, k: int, epsilon: float) -> None:
    """The count may be spread over mechanisms with one law but other names: geometric noise is randomised response."""
    mixed = PrivacyLoss.of(mechanism, k - 1) + PrivacyLoss.of(RandomizedResponse(epsilon=mechanism.epsilon))
    assert mixed.delta_at(epsilon) == pytest.approx(
        PrivacyLoss.of(mechanism, k).delta_at(epsilon), rel=1e-10, abs=1e-300
    )


@given(plans)
def test_delta_falls_and_is_convex_in_the_odds_factor(plan: PrivacyLoss) -> None:
    factors = np.linspace(1.0, 12.0, 9)
    deltas = plan.delta_at(np.log(factors))
    slack = 1e-12 * deltas[:-1]
    assert (np.diff(deltas) <= slack).all()
    assert (deltas[:-2] - 2 * deltas[1:-1] + deltas[2:] >= -1e-11 * deltas[:-2]).all()


@given(named_plans, st.floats(0.02, 0.98), st.floats(0.01, 0.99))
def test_the_brackets_hold_the_estimate(plan: PrivacyLoss, prior: float, level: float) -> None:
    for side in ("present", "absent"):
        bracket = ExactPosterior(plan, prior=prior).quantile_bracket(level, side=side)
        estimate = ExactPosterior(plan, prior=prior).quantile(level, side=side)
        slack = 2 * plan._form[1] if plan.certainty == "bracketed" else 1e-12
        assert bracket.low - slack <= estimate <= bracket.high + slack
        if plan.certainty == "exact":
            assert bracket.width <= 1e-12
    deltas = plan.delta_bracket(0.4)
    assert deltas.low <= plan.delta_at(0.4) <= deltas.high


@given(plans, st.floats(0.02, 0.98))
def test_the_expected_belief_is_the_prior(plan: PrivacyLoss, prior: float) -> None:
    mean = ExactPosterior(plan, prior=prior).mean(side="prior_predictive")
    assert mean == pytest.approx(prior, abs=1e-12 if plan.certainty == "exact" else 1e-5)
    assert (
        ExactPosterior(plan, prior=prior).mean()
        >= prior - 1e-5
        >= ExactPosterior(plan, prior=prior).mean(side="absent") - 2e-5
    )


@given(plans, mechanisms, st.floats(0.0, 2.0))
def test_one_more_release_never_lowers_delta(plan: PrivacyLoss, mechanism: Any, epsilon: float) -> None:
    more = plan + PrivacyLoss.of(mechanism)
    # the grids of the two plans differ: compare the safe end of one with the other
    assert more.delta_at(epsilon) >= plan.delta_bracket(epsilon).low * (1 - 1e-9) - 1e-15


@given(plans, st.floats(1e-9, 0.5))
def test_epsilon_inverts_delta(plan: PrivacyLoss, delta: float) -> None:
    epsilon = plan.epsilon_at(delta)
    if epsilon == math.inf:
        assert delta < plan.infinite_mass + 1e-12
    elif epsilon >= plan.largest:
        assert plan.delta_at(epsilon) <= delta
    elif epsilon > 0:
        assert plan.delta_at(epsilon) == pytest.approx(delta, rel=1e-6, abs=0)


@given(named_plans, st.floats(0.001, 0.5), st.floats(0.05, 0.95))
def test_the_exact_quantile_lies_below_the_bound_over_every_view(
    plan: PrivacyLoss, failure: float, prior: float
) -> None:
    bound = ExactPosterior(plan, prior=prior).every_view(failure)
    assert ExactPosterior(plan, prior=prior).quantile_bracket(1 - failure).low <= bound + 1e-9


@given(st.integers(1, 60), budgets, st.floats(1e-9, 0.4))
def test_every_rule_bounds_the_exact_epsilon(k: int, epsilon: float, delta: float) -> None:
    plan = ReleasePlan.repeated(Geometric(epsilon=epsilon), k)
    exact = plan.exact_epsilon(delta)
    optimal = plan.optimal_epsilon(delta)
    assert exact == pytest.approx(optimal.high, rel=1e-9, abs=1e-9)
    assert optimal_composition(releases=k, epsilon=epsilon, total_delta=delta).epsilon >= exact - 1e-9
    assert plan.advanced_epsilon(delta) >= exact - 1e-9
    assert plan.basic_epsilon(delta) >= plan.advanced_epsilon(delta) - 1e-12
    laplace = PrivacyLoss(((Laplace(epsilon=epsilon), k),), 1 << 12)
    assert laplace.epsilon_bracket(delta).low <= exact + 1e-9


@given(st.lists(st.tuples(mechanisms, st.integers(1, 4)), min_size=1, max_size=2), st.floats(1e-7, 0.2))
def test_rules_on_mixed_plans_stay_above_the_exact_law(rows: list[tuple[Any, int]], delta: float) -> None:
    plan = ReleasePlan(tuple(PlannedRelease(source, count) for source, count in rows))
    if any(isinstance(source, ApproximateDP) for source, _ in rows):
        return  # has no rho
    exact = PrivacyLoss(plan.privacy_loss.releases, 1 << 11).epsilon_bracket(delta).low
    assert plan.basic_epsilon(delta) >= exact - 1e-9
    assert approximate_epsilon_from_rho_best_order(rho=plan.rho, delta=delta) >= exact - 1e-9


@given(st.integers(1, 40), budgets, st.floats(0.0, 1e-3), st.floats(0.05, 0.5))
def test_the_best_promise_of_optimal_composition_beats_every_point_of_its_curve(
    k: int, epsilon: float, each: float, failure: float
) -> None:
    best = optimal_promise(releases=k, epsilon=epsilon, delta_each=each, delta_prime=failure)
    exact = PrivacyLoss.of(ApproximateDP(epsilon=epsilon, delta=each), k)
    for total in np.linspace(0.0, k * epsilon, 15):
        delta = exact.delta_at(float(total))
        if delta < failure:
            x = delta / failure
            shift = total + math.log1p(x * math.exp(-total)) - math.log1p(-x)
            assert best.epsilon_prime <= shift + 1e-9


@given(st.integers(1, 30), st.floats(0.01, 1.0), st.floats(1e-6, 0.3))
def test_the_curve_passes_through_the_points_of_the_theorem(k: int, epsilon: float, delta: float) -> None:
    best = optimal_composition(releases=k, epsilon=epsilon, total_delta=delta)
    assert best.delta <= delta * (1 + 1e-12)
    assert best.delta == pytest.approx(optimal_delta(releases=k, epsilon=epsilon, steps=best.steps), rel=1e-11, abs=0)
    between = optimal_epsilon(releases=k, epsilon=epsilon, total_delta=delta)
    assert best.epsilon - 2 * epsilon - 1e-9 <= between <= best.epsilon + 1e-12
    loss = PrivacyLoss.of(PureDP(epsilon=epsilon), k)
    assert between == pytest.approx(loss.epsilon_at(delta), rel=1e-9, abs=1e-9)


@settings(max_examples=25)
@given(st.floats(0.02, 0.4), st.floats(0.55, 0.95), st.floats(0.005, 0.2), st.integers(0, 3))
def test_first_broken_and_largest_safe_agree_with_a_scan(
    epsilon: float, cap: float, failure: float, which: int
) -> None:
    promise = BeliefPromise.posterior_cap(prior=0.5, cap=cap, delta_prime=failure)
    rule = [
        BasicRule(epsilon=epsilon),
        OptimalRule(epsilon=epsilon, total_delta=failure / 10),
        ConcentratedRule(rho=epsilon**2 / 2),
        ExactRule.of(Geometric(epsilon=epsilon)),
    ][which]
    kept = [rule.keeps(k, promise) for k in range(1, 81)]
    first = next((k for k, good in enumerate(kept, 1) if not good), None)
    assert first_broken(rule, promise, at_most=80) == first
    last = max((k for k, good in enumerate(kept, 1) if good), default=0)
    exact = isinstance(rule, ExactRule)
    assert largest_safe(rule, promise, at_most=80) == ((first or 81) - 1 if exact else last)
    if first is None or 2 * first >= 80 or not exact:
        assert largest_kept(rule, promise, at_most=80) == last


@settings(max_examples=12)
@given(st.integers(1, 30), st.floats(0.02, 0.6), st.floats(0.002, 0.2))
def test_the_largest_budget_keeps_its_promise_and_a_larger_one_does_not(k: int, cap: float, failure: float) -> None:
    promise = BeliefPromise.largest_difference(cap=cap, delta_prime=failure)
    for rule_for in (
        lambda eps: BasicRule(epsilon=eps),
        lambda eps: OptimalRule(epsilon=eps, total_delta=failure / 20),
        lambda eps: ExactRule.of(Geometric(epsilon=eps)),
    ):
        budget = largest_budget(rule_for, promise, releases=k)
        if budget > 0:
            assert rule_for(budget).keeps(k, promise)
            assert not rule_for(budget * (1 + 1e-8)).keeps(k, promise)
    for route in ("direct", "published", "gaussian"):
        rho = largest_rho_each(promise, releases=k, route=route)
        shift = ConcentratedRule(rho=rho, route=route).shift(k, delta_prime=failure)
        assert shift == pytest.approx(promise.epsilon_prime, rel=1e-6)


@settings(max_examples=20)
@given(st.integers(1, 40), st.floats(0.1, 3.0), st.floats(1e-7, 0.1), st.sampled_from(["advanced", "optimal", "exact"]))
def test_the_largest_epsilon_inverts_its_rule(k: int, total: float, delta: float, rule: str) -> None:
    found = largest_epsilon_each(releases=k, total_epsilon=total, total_delta=delta, rule=rule)
    if rule == "exact" and found > 0:
        assert optimal_epsilon(releases=k, epsilon=found, total_delta=delta) == pytest.approx(total, rel=1e-9)
    if rule == "optimal":
        assert optimal_composition(releases=k, epsilon=found, total_delta=delta).epsilon <= total * (1 + 1e-12)
