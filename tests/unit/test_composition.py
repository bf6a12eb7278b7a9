"""Composition rules against exact fractions and enumeration, promises, plans, and every refusal."""

from __future__ import annotations

import itertools
import math
import re
from fractions import Fraction
from math import comb
from statistics import NormalDist
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy.special import ndtri

from dpcore.composition import (
    LARGEST_PLAN,
    AddedDivergences,
    AdvancedRule,
    BasicRule,
    BeliefPromise,
    ConcentratedRule,
    ExactRule,
    OptimalComposition,
    OptimalPromise,
    OptimalRule,
    PlannedRelease,
    PlanRule,
    ReleasePlan,
    Rule,
    advanced_epsilon,
    basic_composition,
    concentrated_composition,
    first_broken,
    heterogeneous_delta,
    heterogeneous_epsilon,
    largest_budget,
    largest_epsilon_each,
    largest_kept,
    largest_rho_each,
    largest_safe,
    optimal_composition,
    optimal_delta,
    optimal_epsilon,
    optimal_promise,
    posterior_fan,
)
from dpcore.composition.promises import charged_epsilon
from dpcore.composition.rules import spare_delta
from dpcore.errors import Refused
from dpcore.guarantees import ApproximateDP, ProbabilisticDP, PureDP, Relation, ZeroConcentratedDP
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, RandomizedResponse
from dpcore.privacy_loss import ExactPosterior, PrivacyLoss
from tests.each import each

PROMISE = BeliefPromise.posterior_cap(prior=0.5, cap=0.8, delta_prime=0.05)


@pytest.mark.parametrize(("k", "odds", "steps"), [(1, 2, 0), (2, 3, 1), (7, 2, 3), (25, 3, 8), (60, 2, 20)])
def test_the_theorem_s_sum_agrees_with_exact_fractions(k: int, odds: int, steps: int) -> None:
    """With e^epsilon a whole number every term of the theorem is a fraction."""
    e = Fraction(odds)
    expected = sum(comb(k, i) * (e ** (k - i) - e ** (k - 2 * steps + i)) for i in range(steps)) / (1 + e) ** k
    assert optimal_delta(releases=k, epsilon=math.log(odds), steps=steps) == pytest.approx(
        float(expected), rel=1e-13, abs=0
    )


def test_the_theorem_s_sum_keeps_its_digits_at_ten_thousand_releases() -> None:
    with mpmath.workdps(60):
        e, k, steps = mpmath.exp("0.5"), 10_000, 3000
        expected = (
            mpmath.fsum(
                mpmath.binomial(k, i) * e ** (k - i) * -mpmath.expm1(-mpmath.mpf(steps - i)) for i in range(steps)
            )
            / (1 + e) ** k
        )
    assert optimal_delta(releases=k, epsilon=0.5, steps=steps) == pytest.approx(float(expected), rel=1e-11, abs=0)


def test_one_hundred_thousand_releases_are_within_reach_and_more_are_refused() -> None:
    best = optimal_composition(releases=LARGEST_PLAN, epsilon=0.01, total_delta=1e-6)
    assert best.delta <= 1e-6
    assert best.epsilon < advanced_epsilon([0.01] * 1000 * 100, total_delta=1e-6)
    with pytest.raises(ValueError, match="releases must be a whole number from 1 to 100000; got 100001"):
        optimal_composition(releases=LARGEST_PLAN + 1, epsilon=0.01, total_delta=1e-6)


def test_no_failure_allowed_leaves_the_sum() -> None:
    assert optimal_composition(releases=9, epsilon=0.3, total_delta=0.0) == OptimalComposition(
        epsilon=9 * 0.3, steps=0, delta=0.0
    )
    assert optimal_epsilon(releases=9, epsilon=0.3, total_delta=0.0) == pytest.approx(2.7)
    assert optimal_epsilon(releases=4, epsilon=0.0, total_delta=0.1) == 0.0
    assert optimal_composition(releases=2, epsilon=0.3, total_delta=0.5).guarantee == ApproximateDP(
        epsilon=0.0, delta=optimal_delta(releases=2, epsilon=0.3, steps=1)
    )


def test_different_epsilons_agree_with_enumeration_on_and_off_a_lattice() -> None:
    for epsilons in ([0.1, 0.2, 0.3, 0.4, 0.05], [0.1234, 0.31, math.pi / 10, math.e / 7], [0.3, 0.3, 1.1]):
        for at in (0.0, 0.1, 0.5):
            expected = 0.0
            for signs in itertools.product((1, -1), repeat=len(epsilons)):
                z = math.fsum(s * e for s, e in zip(signs, epsilons, strict=True))
                mass = math.prod(1 / (1 + math.exp(-s * e)) for s, e in zip(signs, epsilons, strict=True))
                expected += mass * max(-math.expm1(at - z), 0.0)
            found = heterogeneous_delta(epsilons, epsilon=at)
            assert found.high == pytest.approx(expected, rel=1e-11, abs=1e-17)
            assert found.low == found.high


def test_many_different_epsilons_are_bracketed_on_a_grid() -> None:
    rng = np.random.default_rng(20)
    epsilons = rng.uniform(0.01, 0.2, 40)
    found = heterogeneous_epsilon(epsilons, total_delta=1e-6)
    assert 0 < found.width < 0.01
    assert found.high < min(epsilons.sum(), advanced_epsilon(epsilons, total_delta=1e-6))
    with_deltas = heterogeneous_epsilon([0.1, 0.2], deltas=[1e-7, 0.0], total_delta=1e-6)
    assert with_deltas.high >= heterogeneous_epsilon([0.1, 0.2], total_delta=1e-6).high
    assert heterogeneous_epsilon([0.1, 0.2], deltas=[1e-3, 0.0], total_delta=1e-6).high == math.inf


def test_figure_5_3_and_its_parity() -> None:
    rule = OptimalRule(epsilon=0.05, total_delta=0.001)
    assert [rule.keeps(k, PROMISE) for k in (95, 96, 97, 101, 102, 103)] == [True, False, True, True, False, False]
    assert first_broken(rule, PROMISE) == 96
    assert largest_safe(rule, PROMISE) == 101
    assert largest_safe(OptimalRule(epsilon=0.05, total_delta=0.001, between_steps=True), PROMISE) == 101
    assert largest_safe(OptimalRule(epsilon=0.05), PROMISE) == 133
    exact = ExactRule.of(Geometric(epsilon=0.05))
    assert (first_broken(exact, PROMISE), largest_safe(exact, PROMISE), largest_kept(exact, PROMISE)) == (174, 173, 183)
    assert largest_kept(rule, PROMISE) == 101


def test_exact_laplace_first_fails_at_184() -> None:
    assert first_broken(ExactRule(loss=PrivacyLoss(((Laplace(epsilon=0.05), 1),), 1 << 13)), PROMISE) == 184


@pytest.mark.parametrize(
    ("route", "days", "difference", "total"),
    [("published", 58, 202, 0.01731), ("direct", 79, 246, 0.03061), ("gaussian", 112, 326, 0.04840)],
)
def test_example_7_and_8_by_every_route(route: str, days: int, difference: int, total: float) -> None:
    rule = ConcentratedRule(rho=0.01, route=route)
    assert first_broken(rule, BeliefPromise.posterior_cap(prior=0.5, cap=0.99, delta_prime=0.01)) == days
    assert first_broken(rule, BeliefPromise.largest_difference(cap=0.98, delta_prime=0.01)) == difference
    promise = BeliefPromise.largest_difference(cap=0.2, delta_prime=0.01)
    assert 12 * largest_rho_each(promise, releases=12, route=route) == pytest.approx(total, abs=5e-6)


def test_the_budget_of_each_release_is_certified_for_the_noise_its_route_names() -> None:
    for releases in (1, 12, 365):
        for direction in ("either", "rise"):
            promise = BeliefPromise(epsilon_prime=1.3, delta_prime=0.01, direction=direction)
            whole = largest_rho_each(promise, releases=releases, route="discrete_gaussian")
            assert ExactRule.of(DiscreteGaussian(rho=whole)).keeps(releases, promise)
            assert not ExactRule.of(DiscreteGaussian(rho=whole * (1 + 1e-9))).keeps(releases, promise)
    promise = BeliefPromise(epsilon_prime=math.log(11 / 3), delta_prime=0.01)
    continuous = largest_rho_each(promise, releases=1, route="gaussian")
    assert ExactRule.of(Gaussian(rho=continuous * (1 - 1e-9))).keeps(1, promise)
    assert not ExactRule.of(DiscreteGaussian(rho=continuous)).keeps(1, promise)
    nothing = BeliefPromise(epsilon_prime=0.0, delta_prime=0.01)
    assert largest_rho_each(nothing, releases=3, route="discrete_gaussian") == 0.0


def test_exact_crossing_days_of_the_gaussian_plan() -> None:
    days = [
        first_broken(
            ExactRule.of(Gaussian(rho=0.01)),
            BeliefPromise.posterior_cap(prior=0.5, cap=cap, delta_prime=0.01, direction="rise"),
        )
        for cap in (0.75, 0.90, 0.95, 0.99)
    ]
    assert days == [10, 33, 54, 112]


def test_example_8_per_release() -> None:
    promise = BeliefPromise.largest_difference(cap=0.2, delta_prime=0.01)
    assert largest_budget(lambda eps: OptimalRule(epsilon=eps), promise, releases=12) == pytest.approx(0.0857, abs=5e-5)
    exact = largest_budget(lambda eps: ExactRule.of(Geometric(epsilon=eps)), promise, releases=12)
    assert exact == pytest.approx(math.atanh(0.2) / 2, rel=1e-9)  # Z = 8 epsilon is reached, not exceeded


def test_a_rule_s_shift_is_the_boundary_of_what_it_keeps() -> None:
    for rule in (
        BasicRule(epsilon=0.1, delta_each=1e-5),
        AdvancedRule(epsilon=0.1, total_delta=1e-3),
        OptimalRule(epsilon=0.1, total_delta=1e-3),
        ConcentratedRule(rho=0.005, route="gaussian"),
        ExactRule.of(Gaussian(rho=0.005)),
        ExactRule.of(DiscreteGaussian(rho=0.005)),
    ):
        for direction in ("either", "rise"):
            shift = rule.shift(20, delta_prime=0.05, direction=direction)  # type: ignore[arg-type]
            above = BeliefPromise(epsilon_prime=shift * (1 + 1e-6), delta_prime=0.05, direction=direction)  # type: ignore[arg-type]
            below = BeliefPromise(epsilon_prime=shift * (1 - 1e-6), delta_prime=0.05, direction=direction)  # type: ignore[arg-type]
            assert rule.keeps(20, above)
            assert not rule.keeps(20, below)


def test_a_promise_that_is_used_up_is_kept_also_where_a_float_says_a_little_more() -> None:
    assert 3 * 0.1 > 0.3
    for epsilon, wanted in ((0.1, 0.3), (0.25, 0.75)):
        assert first_broken(BasicRule(epsilon=epsilon), BeliefPromise(epsilon_prime=wanted)) == 4


def test_deltas_that_use_up_the_total_break_every_promise() -> None:
    assert AdvancedRule(epsilon=0.1, total_delta=1e-3, delta_each=1e-4).shift(10, delta_prime=0.05) == math.inf
    assert OptimalRule(epsilon=0.1, total_delta=1e-3, delta_each=1e-4).shift(20, delta_prime=0.05) == math.inf
    assert BasicRule(epsilon=0.1, delta_each=0.01).shift(5, delta_prime=0.05) == math.inf
    assert OptimalRule(epsilon=0.1).shift(5, delta_prime=0.0) == pytest.approx(0.5)
    assert OptimalRule(epsilon=0.1, delta_each=1e-6).shift(5, delta_prime=0.0) == math.inf
    leaking = ReleasePlan.repeated(ApproximateDP(epsilon=0.1, delta=1e-6), 1)
    assert PlanRule(leaking, "basic").shift(5, delta_prime=0.0) == math.inf
    assert ConcentratedRule(rho=0.1).shift(5, delta_prime=0.0) == math.inf
    assert first_broken(BasicRule(epsilon=1e-9), PROMISE, at_most=50) is None
    assert largest_safe(BasicRule(epsilon=1e-9), PROMISE, at_most=50) == 50
    assert largest_budget(lambda eps: BasicRule(epsilon=1.0), PROMISE, releases=2) == 0.0
    with pytest.raises(TypeError, match=r"abstract method '?shift"):
        Rule()  # type: ignore[abstract]


def test_a_plan_is_a_value_and_adds_up_by_every_rule() -> None:
    plan = ReleasePlan(
        (PlannedRelease(Geometric(epsilon=0.1), 4, "arrests by block"), PlannedRelease(Gaussian(rho=0.01), 3))
    )
    assert plan.releases == 7
    assert plan.times(2) == ReleasePlan(
        (PlannedRelease(Geometric(epsilon=0.1), 8, "arrests by block"), PlannedRelease(Gaussian(rho=0.01), 6))
    )
    assert plan.concentrated().rho == pytest.approx(4 * 0.005 + 0.03)
    assert plan.basic(1e-6).delta == pytest.approx(1e-6)
    exact = plan.exact_epsilon(1e-6)
    assert exact < plan.optimal_epsilon(1e-6).high < plan.basic(1e-6).epsilon + 0.1
    assert plan.advanced_epsilon(1e-6) <= plan.basic(1e-6).epsilon
    assert plan.has_exact_law


def test_a_plan_keeps_the_relation_of_its_rows_and_is_no_guarantee_under_two() -> None:
    replaced = ReleasePlan.repeated(PureDP(epsilon=0.1, relation=Relation.REPLACE), 3)
    assert replaced.basic(0.0).relation is replaced.concentrated().relation is Relation.REPLACE
    assert ReleasePlan.repeated(Gaussian(rho=0.1), 2).basic(1e-6).relation is Relation.ADD_OR_REMOVE
    both = ReleasePlan((PlannedRelease(RandomizedResponse(epsilon=0.1)), PlannedRelease(Geometric(epsilon=0.2))))
    assert (both.basic_epsilon(0.0), both.rho) == (pytest.approx(0.3), pytest.approx(0.005 + 0.02))
    for guarantee in (lambda: both.basic(0.0), both.concentrated):
        with pytest.raises(
            Refused,
            match=r"^rows must be under one relation to be one guarantee; got records replaced, and added or removed$",
        ):
            guarantee()


def test_a_guarantee_alone_enters_bounds_but_has_no_exact_law() -> None:
    plan = ReleasePlan((PlannedRelease(ZeroConcentratedDP(rho=0.01), 5), PlannedRelease(PureDP(epsilon=0.1))))
    assert not plan.has_exact_law
    assert plan.basic(1e-6).epsilon > ReleasePlan.repeated(Gaussian(rho=0.01), 5).basic(1e-6).epsilon
    with pytest.raises(ValueError, match="source must be a mechanism, PureDP or ApproximateDP; got ZeroConcentratedDP"):
        plan.exact_epsilon(1e-6)
    mixed = ReleasePlan((PlannedRelease(ProbabilisticDP(epsilon=0.1, delta=1e-8)),))
    assert mixed.basic(1e-6).delta == 1e-8
    with pytest.raises(ValueError, match="source must be pure or zero-concentrated to have a rho; got ProbabilisticDP"):
        mixed.concentrated()
    assert mixed.basic_epsilon(1e-6) == 0.1
    spent = ReleasePlan.repeated(ApproximateDP(epsilon=0.1, delta=1e-6), 5)
    assert spent.advanced_epsilon(1e-6) == math.inf
    assert spent.optimal_epsilon(1e-6).high == math.inf


def test_the_fan_is_the_exact_quantiles_round_by_round() -> None:
    plan = ReleasePlan((PlannedRelease(DiscreteGaussian(rho=0.01)), PlannedRelease(Geometric(epsilon=0.1), 2)))
    fan = posterior_fan(plan, rounds=[1, 8], levels=[0.1, 0.5, 0.9], prior=0.2)
    assert fan.shape == (2, 3)
    assert (np.diff(fan, axis=1) >= 0).all()
    fine = ExactPosterior(PrivacyLoss(plan.times(8).privacy_loss.releases, 1 << 16), prior=0.2).quantile(
        [0.1, 0.5, 0.9]
    )
    assert fan[1] == pytest.approx(fine, abs=2e-3)
    absent = posterior_fan(plan, rounds=[8], levels=[0.5], prior=0.2, side="absent")
    assert absent[0, 0] < 0.2 < fan[1, 1]


def test_promises_compare_by_value() -> None:
    assert BeliefPromise(epsilon_prime=1.0) == BeliefPromise(epsilon_prime=1, delta_prime=0)
    assert optimal_promise(releases=1, epsilon=0.4, delta_prime=0.1) == OptimalPromise(
        epsilon_prime=0.4, steps=0, delta=0.0
    )


EXACT = ExactRule.of(Geometric(epsilon=0.1))
RHOS = PlanRule(ReleasePlan.repeated(Gaussian(rho=0.01), 2), "direct")


@each(
    "call, text",
    [
        (lambda: basic_composition([0.1, 0.2], deltas=[0.0]), r"deltas must hold one number per epsilon \(2\); got 1"),
        (lambda: basic_composition([]), "epsilons must be a list of at least one number"),
        (lambda: basic_composition([-0.1]), "epsilons must be at least 0 and finite; got -0.1"),
        (lambda: basic_composition([0.1], deltas=[2.0]), r"deltas must lie in \[0, 1\]; got 2.0"),
        (
            lambda: advanced_epsilon([0.1], deltas=[0.1], total_delta=0.1),
            "total_delta must exceed the sum of the deltas; got 0.1",
        ),
        (lambda: advanced_epsilon([0.1], total_delta=1.0), r"total_delta must lie in \[0, 1\); got 1.0"),
        (
            lambda: optimal_delta(releases=0, epsilon=0.1, steps=0),
            "releases must be a whole number from 1 to 100000; got 0",
        ),
        (lambda: optimal_delta(releases=4, epsilon=0.1, steps=3), "steps must be a whole number from 0 to 2; got 3"),
        (
            lambda: optimal_composition(releases=12, epsilon=0.1, delta_each=1e-6, total_delta=1e-6),
            r"total_delta must be at least 1 - \(1 - delta_each\)\^releases; got 1e-06",
        ),
        (
            lambda: optimal_promise(releases=12, epsilon=0.1, delta_each=0.1, delta_prime=0.5),
            "delta_prime must exceed the total delta of the releases; got 0.5",
        ),
        (lambda: concentrated_composition([]), "rhos must be a list of at least one number"),
        (lambda: concentrated_composition([-1.0]), "rhos must be at least 0 and finite; got -1.0"),
        (lambda: BeliefPromise.posterior_cap(prior=0.5, cap=0.4), "cap must be at least the prior; got 0.4"),
        (lambda: BeliefPromise.posterior_cap(prior=0.0, cap=0.4), r"prior must lie in \(0, 1\); got 0.0"),
        (lambda: BeliefPromise.largest_difference(cap=1.0), r"cap must lie in \[0, 1\); got 1.0"),
        (lambda: BeliefPromise(epsilon_prime=-1.0), "epsilon_prime must be at least 0 and finite; got -1.0"),
        (lambda: BeliefPromise(epsilon_prime=1.0, delta_prime=1.0), r"delta_prime must lie in \[0, 1\); got 1.0"),
        (
            lambda: BeliefPromise(epsilon_prime=1.0, direction="fall"),  # type: ignore[arg-type]
            "direction must be one of 'either', 'rise'; got 'fall'",
        ),
        (lambda: BasicRule(epsilon=-0.1), "epsilon must be at least 0 and finite; got -0.1"),
        (lambda: BasicRule(epsilon=0.1, delta_each=1.0), r"delta_each must lie in \[0, 1\); got 1.0"),
        (lambda: AdvancedRule(epsilon=0.1, total_delta=0.0), r"total_delta must lie in \(0, 1\); got 0.0"),
        (lambda: OptimalRule(epsilon=0.1, total_delta=1.0), r"total_delta must lie in \[0, 1\); got 1.0"),
        (
            lambda: first_broken(AdvancedRule(epsilon=0.1, total_delta=0.05), PROMISE),
            "delta_prime must exceed the total delta 0.05; got 0.05",
        ),
        (lambda: ConcentratedRule(rho=0.0), "rho must lie|rho must be greater than 0 and finite; got 0.0"),
        (lambda: ConcentratedRule(rho=0.1, route="fast"), "route must be one of 'direct', 'published', 'gaussian'"),
        (lambda: first_broken(EXACT, PROMISE, at_most=0), "at_most must be a whole number from 1 to 100000; got 0"),
        (lambda: largest_budget(lambda e: EXACT, PROMISE, releases=0), "releases must be a whole number from 1 to"),
        (
            lambda: largest_epsilon_each(releases=2, total_epsilon=1.0, total_delta=0.0, rule="best"),
            "rule must be one of 'basic', 'advanced', 'optimal', 'exact'; got 'best'",
        ),
        (
            lambda: largest_epsilon_each(releases=2, total_epsilon=1.0, total_delta=0.0, rule="advanced"),
            "total_delta must exceed the sum of the deltas; got 0.0",
        ),
        (
            lambda: largest_rho_each(PROMISE, releases=2, route="slow"),
            "route must be one of .*'discrete_gaussian'; got 'slow'",
        ),
        (
            lambda: BasicRule(epsilon=0.1).shift(-4, delta_prime=0.1),
            "releases must be a whole number of at least 0; got",
        ),
        (
            lambda: AdvancedRule(epsilon=0.1, total_delta=1e-3).shift(2.5, delta_prime=0.1),  # type: ignore[arg-type]
            "releases must be a whole number of at least 0; got 2.5",
        ),
        (lambda: OptimalRule(epsilon=0.1).shift(2, delta_prime=math.nan), r"delta_prime must lie in \[0, 1\]; got nan"),
        (lambda: ConcentratedRule(rho=0.1).shift(2, delta_prime=5), r"delta_prime must lie in \[0, 1\]; got 5"),
        (lambda: EXACT.shift(1, delta_prime=-0.1), r"delta_prime must lie in \[0, 1\]; got -0.1"),
        (lambda: RHOS.shift(-1, delta_prime=0.1), "releases must be a whole number of at least 0; got -1"),
        (lambda: RHOS.shifts([1, 2.5], delta_prime=0.1), "rounds must be whole numbers; got 2.5"),  # type: ignore[list-item]
        (lambda: RHOS.shifts([1], delta_prime=-1), r"delta_prime must lie in \[0, 1\]; got -1"),
        (lambda: RHOS.plan.basic_delta(-1), r"delta must lie in \[0, 1\]; got -1"),
        (
            lambda: AddedDivergences(epsilons=(0.4,), counts=(1, 2)),
            r"counts must hold one number per epsilon \(1\); got 2",
        ),
        (lambda: spare_delta(3, 1.0, 0.5), r"delta_each must lie in \[0, 1\); got 1.0"),
        (lambda: charged_epsilon(1.0, -0.5, 0.1, "rise", charge=True), r"delta must lie in \[0, 1\]; got -0.5"),
        (lambda: heterogeneous_delta([0.1], epsilon=[0.1, 0.2]), r"epsilon must be one number; got \[0.1, 0.2\]"),  # type: ignore[arg-type]
        (lambda: heterogeneous_epsilon([0.1], total_delta=math.nan), r"total_delta must lie in \[0, 1\]; got nan"),
        (lambda: first_broken("x", PROMISE), "rule must be a rule such as BasicRule"),  # type: ignore[arg-type]
        (lambda: largest_safe(EXACT, 0.5), "promise must be a promise such as BeliefPromise"),  # type: ignore[arg-type]
        (lambda: largest_kept(EXACT, 0.5), "promise must be a promise such as BeliefPromise"),  # type: ignore[arg-type]
        (lambda: largest_budget(lambda e: EXACT, 5, releases=2), "promise must be a promise such as"),  # type: ignore[arg-type]
        (lambda: largest_rho_each(5, releases=2), "promise must be a promise such as BeliefPromise"),  # type: ignore[arg-type]
        (lambda: ExactRule(loss=5), "loss must be a privacy loss such as"),  # type: ignore[arg-type]
        (lambda: PlanRule(5, "basic"), "plan must be a plan such as ReleasePlan"),  # type: ignore[arg-type]
        (lambda: PlanRule(RHOS.plan, "basic", once=5), "once must be a plan such as ReleasePlan"),  # type: ignore[arg-type]
        (
            lambda: posterior_fan(RHOS.plan, rounds=7, levels=[0.5], prior=0.5),  # type: ignore[arg-type]
            "rounds must be numbers of rounds such as",
        ),
        (
            lambda: posterior_fan(RHOS.plan, rounds=[7], levels=["a"], prior=0.5),  # type: ignore[list-item]
            "levels must be numbers; got",
        ),
        (lambda: PlannedRelease(Geometric(epsilon=0.1), -3), "count must be a whole number from 1 to 100000; got -3"),
        (lambda: PlannedRelease("census"), "source must be a mechanism or a guarantee; got 'census'"),
        (lambda: ReleasePlan(()), r"rows must hold at least one release; got \(\)"),
        (
            lambda: ReleasePlan((PlannedRelease(PureDP(epsilon=0.1)),) * 10_001),
            "rows must hold at most 10000 rows; got 10001",
        ),
        (
            lambda: ReleasePlan((PlannedRelease(PureDP(epsilon=0.1), 60_000),) * 2),
            "rows must hold at most 100000 releases; got 120000",
        ),
        (lambda: ReleasePlan.repeated(Gaussian(rho=0.1), 3).basic(0.0), r"delta must lie in \(0, 1\); got 0.0"),
        (lambda: ReleasePlan.repeated(Gaussian(rho=0.1), 3).basic(1.0), r"delta must lie in \(0, 1\); got 1.0"),
        (
            lambda: posterior_fan(ReleasePlan.repeated(Gaussian(rho=0.1), 1), rounds=[0], levels=[0.5], prior=0.5),
            "rounds must be a whole number of at least 1; got 0",
        ),
    ],
)
def test_bad_values_are_refused_by_name_rule_and_value(call, text: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=text):
        call()


def test_a_search_stops_where_the_releases_of_all_rounds_are_a_largest_plan() -> None:
    """52 releases a round: of 100,000 releases there are 1,923 rounds."""
    promise = BeliefPromise(epsilon_prime=1.0, delta_prime=0.05)
    rule = PlanRule(ReleasePlan.repeated(Gaussian(rho=1e-6), 52), "divergences")
    first = first_broken(rule, promise)
    assert first is not None
    assert largest_safe(rule, promise) == first - 1
    assert rule.keeps(first - 1, promise)
    assert not rule.keeps(first, promise)
    once = ReleasePlan.repeated(Gaussian(rho=1e-9), 52)
    little = PlanRule(once, "divergences", once=once)
    assert first_broken(little, promise) is None
    assert largest_safe(little, promise) == LARGEST_PLAN // 52 - 1


@each("releases, delta_prime", [(1, 0.1), (3, 0.1), (4, 0.4), (4, 0.9)])
def test_a_fall_and_a_rise_of_gaussian_noise_are_quantiles_of_a_normal_law(releases: int, delta_prime: float) -> None:
    """The loss is normal with mean rho and variance 2 rho, so minus it exceeds s with chance N((-rho - s)/sd)."""
    total = 0.1 * releases
    away = NormalDist().inv_cdf(1 - delta_prime) * math.sqrt(2 * total)
    rule = ExactRule.of(Gaussian(rho=0.1))
    fall = rule.shift(releases, delta_prime=delta_prime, direction="fall")
    assert fall == pytest.approx(max(away - total, 0.0), abs=1e-9)
    rise = ConcentratedRule(rho=0.1, route="gaussian").shift(releases, delta_prime=delta_prime, direction="rise")
    assert rise == pytest.approx(max(total + away, 0.0), abs=1e-9)


@each("delta_prime", [1e-6, 1e-12, 6e-17, 1e-30])
def test_a_shift_keeps_its_digits_at_a_failure_as_small_as_you_like(delta_prime: float) -> None:
    """One less a chance below 1e-16 is 1: of 200 losses of plus or minus 1/2 those below are summed in fractions."""
    gaussian = 0.1 - ndtri(delta_prime) * math.sqrt(0.2)
    for rule in (ExactRule.of(Gaussian(rho=0.1)), ConcentratedRule(rho=0.1, route="gaussian")):
        assert rule.shift(1, delta_prime=delta_prime, direction="rise") == pytest.approx(gaussian, rel=1e-13)
    with mpmath.workdps(50):
        wrong = 1 / (1 + mpmath.exp(mpmath.mpf(1) / 2))
        masses = (mpmath.binomial(200, i) * wrong**i * (1 - wrong) ** (200 - i) for i in range(201))
        most = next(i for i, below in enumerate(itertools.accumulate(masses)) if below > delta_prime)
    answers = ExactRule.of(Geometric(epsilon=0.5))
    for direction in ("rise", "either"):
        found = answers.shift(200, delta_prime=delta_prime, direction=direction)  # type: ignore[arg-type]
        assert found == pytest.approx(0.5 * (200 - 2 * most), rel=1e-14)


@each("releases, total", [(1, 3e4), (4, 3e-12)])
def test_epsilons_of_any_size_add_up(releases: int, total: float) -> None:
    for rule in ("optimal", "exact"):
        found = largest_epsilon_each(releases=releases, total_epsilon=total, total_delta=0.0, rule=rule)  # type: ignore[arg-type]
        assert found == total / releases


MIXED = ReleasePlan(
    (
        PlannedRelease(Gaussian(rho=0.01), 2),
        PlannedRelease(ApproximateDP(epsilon=0.1, delta=1e-9), 3),
        PlannedRelease(PureDP(epsilon=0.2), 1),
    )
)


@each(
    "releases, epsilon, total",
    [
        (31, 3.095, 1 - 1e-9),
        (4, 38.24, 1 - 1.9e-15),
        (39, 3.75, 1 - 8.9e-14),
        (21, 1.4e-10, 1.67e-10),
        (2, 1e3, 1 - 1e-9),
    ],
)
def test_optimal_composition_keeps_its_digits_next_to_certainty_and_for_tiny_losses(
    releases: int, epsilon: float, total: float
) -> None:
    """The epsilon whose delta is the total, and the last point before it, by binomial sums in 60 digits."""
    with mpmath.workdps(60):
        right = 1 / (1 + mpmath.exp(-mpmath.mpf(epsilon)))

        def delta(at: Any) -> Any:
            return mpmath.fsum(
                mpmath.binomial(releases, wrong)
                * right ** (releases - wrong)
                * (1 - right) ** wrong
                * -mpmath.expm1(at - (releases - 2 * wrong) * mpmath.mpf(epsilon))
                for wrong in range(releases + 1)
                if (releases - 2 * wrong) * epsilon > at
            )

        found = mpmath.mpf(optimal_epsilon(releases=releases, epsilon=epsilon, total_delta=total))
        assert delta(found * (1 + mpmath.mpf("1e-13"))) <= mpmath.mpf(total) <= delta(found * (1 - mpmath.mpf("1e-13")))
        point = optimal_composition(releases=releases, epsilon=epsilon, total_delta=total)
        assert delta(mpmath.mpf(point.epsilon)) <= total
        assert point.epsilon < 2 * epsilon or delta(mpmath.mpf(point.epsilon) - 2 * mpmath.mpf(epsilon)) > total


@each("method", ["basic", "advanced", "optimal"])
def test_a_plan_of_pure_releases_is_bounded_with_certainty_by_every_rule_on_epsilons(method: Any) -> None:
    """Six epsilons of a tenth: their sum, whatever failure is allowed, also none and less than the total delta."""
    pure = PlanRule(ReleasePlan.repeated(PureDP(epsilon=0.1), 3), method)
    for failure in (0.0, 1e-300, 1e-6, 0.01):
        for direction in ("rise", "either"):
            assert pure.shift(2, delta_prime=failure, direction=direction) == pytest.approx(0.6, rel=1e-15)
    many = PlanRule(ReleasePlan.repeated(PureDP(epsilon=0.1), 400), method)
    assert (many.shift(1, delta_prime=0.01) < 20.0) is (method != "basic")
    leaking = PlanRule(ReleasePlan.repeated(ApproximateDP(epsilon=0.1, delta=1e-9), 3), method)
    noisy = PlanRule(ReleasePlan.repeated(Gaussian(rho=0.01), 3), method)
    assert [rule.shift(2, delta_prime=0.0) for rule in (leaking, noisy)] == [math.inf, math.inf]


def test_a_plan_rule_agrees_with_the_rule_for_equal_releases() -> None:
    pure = ReleasePlan.repeated(RandomizedResponse(epsilon=0.05), 1)
    pairs = (
        ("basic", BasicRule(epsilon=0.05)),
        ("advanced", AdvancedRule(epsilon=0.05, total_delta=1e-3)),
        ("optimal", OptimalRule(epsilon=0.05, total_delta=1e-3, between_steps=True)),
        ("direct", ConcentratedRule(rho=0.05**2 / 2)),
        ("published", ConcentratedRule(rho=0.05**2 / 2, route="published")),
        ("exact", ExactRule.of(Geometric(epsilon=0.05))),
    )
    for method, rule in pairs:
        whole = PlanRule(pure, method, total_delta=1e-3)
        for k in (30, 61):
            assert whole.shift(k, delta_prime=0.05) == pytest.approx(rule.shift(k, delta_prime=0.05), rel=1e-12), method
        assert whole.shifts([30, 61], delta_prime=0.05).tolist() == pytest.approx(
            [whole.shift(k, delta_prime=0.05) for k in (30, 61)]
        )


def test_so_many_rounds_of_a_plan_shift_as_one_round_of_all_their_releases() -> None:
    pure = PlannedRelease(Geometric(epsilon=0.1))
    approximate = ReleasePlan((PlannedRelease(ApproximateDP(epsilon=0.1, delta=1e-4), 2), pure))
    concentrated = ReleasePlan((PlannedRelease(Gaussian(rho=0.01), 2), pure))
    for plan, methods in (
        (approximate, ("basic", "advanced", "optimal", "divergences")),
        (concentrated, ("basic", "published", "direct", "exact")),
    ):
        for method in methods:
            shifts = [
                PlanRule(one, method, total_delta=1e-2).shift(rounds, delta_prime=0.05)
                for one, rounds in ((plan, 7), (plan.times(7), 1))
            ]
            assert shifts[0] == pytest.approx(shifts[1], rel=1e-9), method


def test_the_delta_of_plain_addition_is_that_of_the_guarantee() -> None:
    for plan in (MIXED, ReleasePlan.repeated(Gaussian(rho=0.1), 4), ReleasePlan.repeated(PureDP(epsilon=0.1), 4)):
        assert plan.basic_delta(1e-6) == pytest.approx(plan.basic(1e-6).delta, rel=1e-12)


def test_a_plan_rule_refuses_what_its_method_cannot_add() -> None:
    with pytest.raises(ValueError, match=r"method must be one of 'basic', 'advanced'.*; got 'best'"):
        PlanRule(MIXED, "best")
    with pytest.raises(ValueError, match="source must be pure or zero-concentrated to have a rho"):
        PlanRule(MIXED, "direct")
    with pytest.raises(ValueError, match="source must be a mechanism, PureDP or ApproximateDP"):
        PlanRule(ReleasePlan.repeated(ZeroConcentratedDP(rho=0.1), 1), "exact")


def test_a_delta_that_leaves_nothing_of_the_promise_gives_no_bound() -> None:
    plan = ReleasePlan.repeated(Gaussian(rho=0.01), 1)
    assert PlanRule(plan, "basic", total_delta=0.05).shift(3, delta_prime=0.01) == math.inf
    assert PlanRule(plan, "advanced", total_delta=0.05).shift(3, delta_prime=0.01) == math.inf


THREE_KINDS = ReleasePlan(
    (
        PlannedRelease(PureDP(epsilon=0.1), 2),
        PlannedRelease(ApproximateDP(epsilon=0.2, delta=1e-3), 1),
        PlannedRelease(ZeroConcentratedDP(rho=0.01), 3),
    )
)


@pytest.mark.parametrize("rounds", [1, 2, 4])
@pytest.mark.parametrize("direction", ["rise", "either"])
def test_divergences_cover_mechanisms_of_every_kind_that_reach_their_guarantees(rounds: int, direction: str) -> None:
    """Randomised response, randomised response that gives all away with delta, and Gaussian noise, on a fine grid."""
    failure = 0.02
    bound = PlanRule(THREE_KINDS, "divergences").shift(rounds, delta_prime=failure, direction=direction)
    odds = np.array([[0.1, 2 * rounds], [0.2, rounds]])
    law = {0.0: 1.0}
    for epsilon, count in odds:
        for _ in range(int(count)):
            up = 1 / (1 + math.exp(-epsilon))
            new: dict[float, float] = {}
            for at, mass in law.items():
                for move, share in ((epsilon, up), (-epsilon, 1 - up)):
                    key = round(at + move, 9)
                    new[key] = new.get(key, 0.0) + mass * share
            law = new
    given_away = 1 - (1 - 1e-3) ** rounds
    rho = 0.03 * rounds

    def beyond(mean: float, std: float) -> float:
        normal = NormalDist(mean, std)
        return 1 - normal.cdf(bound) + (normal.cdf(-bound) if direction == "either" else 0.0)

    chance = given_away + (1 - given_away) * sum(
        mass * beyond(at + rho, math.sqrt(2 * rho)) for at, mass in law.items()
    )
    assert chance <= failure
    assert chance >= failure / 30  # not so far that any number would do
    converted = PlanRule(THREE_KINDS, "basic", total_delta=failure / 100).shift(
        rounds, delta_prime=failure, direction=direction
    )
    assert bound < converted


def test_divergences_of_one_kind_are_the_known_bounds() -> None:
    pure = AddedDivergences(epsilons=(0.3, 0.1), counts=(1, 2))
    assert pure.shift(0.0) == pure.epsilon_at(0.0) == pytest.approx(0.5)
    rho = AddedDivergences(rho=0.03)
    assert rho.shift(0.01) == pytest.approx(ConcentratedRule(rho=0.03).shift(1, delta_prime=0.01), rel=1e-9)
    assert rho.epsilon_at(0.01) == pytest.approx(0.03 + 2 * math.sqrt(0.03 * math.log(100)))
    many = AddedDivergences(epsilons=(0.01,), counts=(1000,))
    assert many.shift(0.01, direction="rise") == pytest.approx(0.05 + 2 * math.sqrt(0.05 * math.log(100)))


def test_a_row_of_several_releases_is_as_many_rows() -> None:
    kinds = (PureDP(epsilon=0.1), ApproximateDP(epsilon=0.2, delta=1e-3), ZeroConcentratedDP(rho=0.01))
    once = ReleasePlan(tuple(PlannedRelease(kind) for kind in kinds for _ in range(3)))
    thrice = ReleasePlan(tuple(PlannedRelease(kind, 3) for kind in kinds))
    assert thrice.divergences().delta == pytest.approx(3e-3)
    assert thrice.divergences().shift(0.01) == pytest.approx(once.divergences().shift(0.01))
    assert thrice.basic_epsilon(0.01) == pytest.approx(once.basic_epsilon(0.01))
    assert thrice.advanced_epsilon(0.01) == pytest.approx(once.advanced_epsilon(0.01))


def test_deltas_that_use_up_the_failure_leave_no_bound() -> None:
    one = AddedDivergences(epsilons=(0.1,), counts=(1,), rho=0.01, delta=0.01)
    assert (
        one.shift(0.01, direction="rise")
        == one.shift(0.01)
        == one.epsilon_at(0.01)
        == one.epsilon_at(0.001)
        == math.inf
    )
    assert AddedDivergences(epsilons=(0.1,), counts=(1,), delta=0.01).epsilon_at(0.01) == pytest.approx(0.1)
    assert one.shift(0.02, direction="rise") > AddedDivergences(epsilons=(0.1,), counts=(1,), rho=0.01).shift(
        0.01, direction="rise"
    )


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({"epsilons": (-1.0,), "counts": (1,)}, "epsilons must be at least 0 and finite; got -1"),
        ({"epsilons": (1.0,), "counts": (0,)}, "counts must be at least 1 and finite; got 0"),
        ({"rho": -1.0}, "rho must be at least 0 and finite; got -1"),
        ({"delta": -1.0}, "delta must be at least 0 and finite; got -1"),
    ],
)
def test_divergences_refuse_what_no_release_has(choices: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        AddedDivergences(**choices)
