"""Profiles keep their docstrings' promises: values checkable by hand, edges, and every refusal's text."""

from __future__ import annotations

import dataclasses
import math
import re
from typing import Any

import mpmath
import numpy as np
import pytest

from dpcore.errors import Refused
from dpcore.mechanisms import DiscreteGaussian, Gaussian
from dpcore.privacy_loss import PrivacyLoss
from dpcore.profiles import (
    Axis,
    Box,
    Boxes,
    CapOrRatio,
    Certainty,
    Constant,
    DrawnGrid,
    DrawnLine,
    ExpressionProfile,
    InfeasibleProfile,
    LargestIncrease,
    LinesKept,
    LogOddsMean,
    Route,
    SampledProfile,
    Status,
    budget,
    epsilon_for_absent_person,
    epsilon_on_grid,
    largest_epsilon,
    lee_clifton,
    lee_clifton_epsilon,
    lines_kept,
    parsed_expression,
    reachable_posterior,
)
from dpcore.profiles.point import shift_from_epsilon
from tests.each import each


def exact_epsilon(p: float, q: float, ratio: float, exponent: float = 2.0) -> float:
    """Theorem 5 in 100 digits by bisection: another method, another arithmetic."""
    with mpmath.workdps(100):
        p_, q_, s = mpmath.mpf(p), mpmath.mpf(q), 1 / mpmath.mpf(ratio)

        def excess(epsilon: Any) -> Any:
            t = mpmath.exp(-epsilon)
            return p_ * q_ + p_ * (1 - q_) * t**exponent + (1 - p_) * t - s

        low, high = mpmath.mpf(0), mpmath.mpf(1)
        while excess(high) > 0:
            high *= 2
        for _ in range(330):
            middle = (low + high) / 2
            low, high = (middle, high) if excess(middle) > 0 else (low, middle)
        return float(low)


CORNERS = [
    (1e-12, 0.5, 3.0),
    (1e-30, 0.7, 1e29),
    (1e-17, 0.3, 2.0),
    (1e-8, 1e-8, 1.0 + 2.0**-30),
    (0.2, 1.0 - 1e-14, 3.0),
    (1.0, 1e-300, 2.0),
    (1.0 - 1e-15, 0.3, 1.5),
    (0.5, 0.5, 1.0 + 2.0**-52),
    (0.999, 0.999, 1.0 + 1e-9),
    (1e-3, 1.0, 999.9999999),
    (0.3, 0.7, 4.76190476190476),
    (1.0, 0.5, 1.9999999),
]


@pytest.mark.parametrize(("p", "q", "ratio"), CORNERS)
def test_the_stable_root_is_right_at_nasty_corners(p: float, q: float, ratio: float) -> None:
    found = largest_epsilon(membership_prior=p, value_prior=q, ratio_bound=ratio)
    assert found == pytest.approx(exact_epsilon(p, q, ratio), rel=2e-14)


@pytest.mark.parametrize("exponent", [0.25, 0.5, 1.0, 1.3, 1.99])
def test_any_exponent_solves_the_same_equation(exponent: float) -> None:
    for p, q, ratio in CORNERS[:9]:
        found = largest_epsilon(membership_prior=p, value_prior=q, ratio_bound=ratio, value_exponent=exponent)
        assert found == pytest.approx(exact_epsilon(p, q, ratio, exponent), rel=1e-12)


def test_a_share_that_is_not_protected_may_bind_nothing() -> None:
    assert largest_epsilon(membership_prior=0.5, value_prior=0.2, ratio_bound=2.0, value_exponent=0) == math.inf
    assert largest_epsilon(membership_prior=0.5, value_prior=0.2, ratio_bound=1.5, value_exponent=0) < 2.0


def test_the_edges_of_one_prior() -> None:
    assert largest_epsilon(membership_prior=0.3, value_prior=0.4, ratio_bound=1.0) == 0.0
    assert largest_epsilon(membership_prior=0.5, value_prior=0.5, ratio_bound=4.0) == math.inf
    assert largest_epsilon(membership_prior=1.0, value_prior=1.0, ratio_bound=1.0) == math.inf
    assert (
        largest_epsilon(membership_prior=0.2, value_prior=0.3, posterior_cap=0.06) == 0.0
    )  # 0.2 * 0.3 > 0.06 in floats
    assert largest_epsilon(membership_prior=0.5, value_prior=0.5, posterior_cap=1.0) == math.inf


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"membership_prior": 0.0}, r"membership_prior must lie in \(0, 1\]; got 0.0"),
        ({"value_prior": 1.2}, r"value_prior must lie in \(0, 1\]; got 1.2"),
        ({"ratio_bound": 0.9}, "ratio_bound must be at least 1 and finite; got 0.9"),
        ({"ratio_bound": math.nan}, "ratio_bound must be at least 1 and finite; got nan"),
        ({"ratio_bound": True}, "ratio_bound must be a number; got True"),
        ({"value_exponent": 2.1}, r"value_exponent must lie in \[0, 2\]; got 2.1"),
        ({"posterior_cap": 0.9}, "exactly one of ratio_bound and posterior_cap must be given"),
        ({"ratio_bound": None}, "exactly one of ratio_bound and posterior_cap must be given"),
        ({"ratio_bound": None, "posterior_cap": 0.1}, "posterior_cap must be at least the prior 0.25; got 0.1"),
    ],
)
def test_one_prior_refuses_by_name_rule_and_value(change: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        largest_epsilon(**{"membership_prior": 0.5, "value_prior": 0.5, "ratio_bound": 2.0, **change})


def test_reachable_posterior_refuses_a_negative_budget() -> None:
    with pytest.raises(ValueError, match="epsilon must be at least 0; got -1"):
        reachable_posterior(membership_prior=0.5, value_prior=0.5, epsilon=-1)


def test_reachable_posterior_at_its_ends() -> None:
    at = {"membership_prior": np.array([0.0, 0.5, 1.0]), "value_prior": 1.0}
    assert reachable_posterior(**at, epsilon=0.0).tolist() == [0.0, 0.5, 1.0]
    assert reachable_posterior(**at, epsilon=math.inf).tolist() == [0.0, 1.0, 1.0]
    assert reachable_posterior(**at, epsilon=800.0)[1] == 1.0


# Templates


def test_theorem_10_is_approached_and_its_ends_are_exact() -> None:
    answer = Constant(3, value_prior="any").implied_epsilon()
    assert answer.epsilon == pytest.approx(math.log(3) / 2)
    assert (answer.attained, answer.binding.value_prior, answer.formula) == (False, 0.0, "theorem_10")
    assert Constant(3, value_prior=1.0).implied_epsilon().epsilon == pytest.approx(math.log(3))
    assert Constant(1, value_prior="any").implied_epsilon().status is Status.ZERO_BUDGET


def test_row_b_of_table_3_5_takes_the_right_branch() -> None:
    answer = CapOrRatio(0.15, 3, membership_prior=0.05).implied_epsilon()  # 0.15 / 3 < 0.05 in floats
    assert answer.epsilon == pytest.approx(math.log(0.15 / 0.85 * 0.95 / 0.05), rel=1e-14)


def test_a_box_above_the_ratio_binds_nothing() -> None:
    answer = Box(3, (0.4, 0.9), (1.0, 1.0)).implied_epsilon()
    assert (answer.epsilon, answer.status, answer.binding, answer.attained) == (
        math.inf,
        Status.BINDS_NOTHING,
        None,
        False,
    )
    assert answer.gain == math.inf


@pytest.mark.parametrize(
    "line",
    [
        DrawnLine([(0.1, 0.5), (0.4, 0.9)], along="membership", interpolation="step"),
        DrawnLine([(0.1, 0.5), (0.2, 0.6)], along="membership", held=0.3, outside="extend"),
        DrawnLine([(0.1, 0.3), (0.2, 0.3)], along="value", kind="increase", outside="extend"),
        DrawnLine([(0.1, 0.3), (0.4, 0.9)], along="membership", interpolation="log-log"),
        LogOddsMean([CapOrRatio(0.25, 3, value_prior=1.0), CapOrRatio(0.6, 1.5, value_prior=1.0)]),
    ],
)
def test_the_strictest_ratio_is_the_smallest_that_a_line_accepts_anywhere(line: Any) -> None:
    """Also where a step ends or a line goes on beyond its nodes, and not where the posterior may be 1."""
    prior = np.linspace(1e-4, 1.0, 10_001)
    posterior = line.highest_posterior(prior)
    accepted = (posterior / (prior * line.fixed))[posterior < 1.0]
    answer = line.implied_epsilon()
    assert answer.strictest_ratio == pytest.approx(accepted.min(initial=math.inf), rel=1e-3)
    assert not answer.gain < -1e-12


def test_gain_is_measured_against_the_strictest_ratio() -> None:
    answer = CapOrRatio(0.25, 3, value_prior=1.0).implied_epsilon()
    assert answer.strictest_ratio == 3
    assert answer.baseline == pytest.approx(math.log(3))
    assert answer.gain == pytest.approx(math.log(2.75 / 0.75) - math.log(3))


def test_the_baseline_asks_about_the_same_beliefs_and_the_same_kind_of_release() -> None:
    both = CapOrRatio(0.25, 3, value_prior="any")
    assert both.implied_epsilon().baseline == pytest.approx(math.log(3) / 2)  # Theorem 10
    assert both.implied_epsilon(value_exponent=1.0).baseline == pytest.approx(math.log(3))  # one plain count
    value = CapOrRatio(0.25, 3, membership_prior=1.0)
    assert value.implied_epsilon().baseline == pytest.approx(math.log(3) / 2)
    assert value.implied_epsilon(value_exponent=1.0).baseline == pytest.approx(math.log(3))
    for line in (both, value, LargestIncrease(0.2, value_prior=1.0), DrawnLine([(0.1, 0.3)], along="membership")):
        for exponent in (1.0, 2.0):
            assert line.implied_epsilon(value_exponent=exponent).gain >= -1e-12
    assert DrawnLine([(0.3, 0.3)], along="membership").implied_epsilon().baseline == 0.0


@pytest.mark.parametrize("exponent", [2.0, 1.0, 0.3])
@pytest.mark.parametrize("held", [{"value_prior": "any"}, {"value_prior": 0.4}, {"membership_prior": 0.7}], ids=str)
def test_the_baseline_is_the_constant_profile_at_the_strictest_ratio(held: dict[str, Any], exponent: float) -> None:
    answer = LargestIncrease(0.1, **held).implied_epsilon(value_exponent=exponent)
    constant = Constant(answer.strictest_ratio, **held).implied_epsilon(value_exponent=exponent)
    assert answer.baseline == constant.epsilon


def test_recommended_is_rounded_down() -> None:
    assert CapOrRatio(0.25, 3, value_prior=1.0).implied_epsilon().recommended == 1.29
    assert Constant(1.0001, value_prior="any").implied_epsilon().recommended == pytest.approx(4.9e-05)


def test_an_increase_with_one_belief_held_is_the_drawn_line() -> None:
    for held in (0.05, 0.3, 1.0):
        for along in ("membership", "value"):
            name = "value_prior" if along == "membership" else "membership_prior"
            template = LargestIncrease(0.2, **{name: held}).implied_epsilon().epsilon
            drawn = (
                DrawnLine([(1e-12, 0.2), (1.0, 0.2)], kind="increase", along=along, held=held).implied_epsilon().epsilon
            )
            assert template == pytest.approx(drawn, rel=1e-12)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Constant(3), r"value_prior must be named: 1 asks about presence alone \(membership_prior=1 instead"),
        (lambda: CapOrRatio(0.1, 3), "value_prior must be named"),
        (lambda: LargestIncrease(0.1), "value_prior must be named"),
        (lambda: Constant(3, value_prior="all"), r"value_prior must be a number in \(0, 1\] or 'any'; got 'all'"),
        (lambda: Constant(0.5, value_prior="any"), "ratio must be at least 1 and finite; got 0.5"),
        (lambda: Constant(2, membership_prior=0), r"membership_prior must lie in \(0, 1\]; got 0"),
        (lambda: CapOrRatio(1.0, 3, value_prior="any"), r"cap must lie in \[0, 1\); got 1.0"),
        (lambda: CapOrRatio(-0.1, 3, value_prior="any"), r"cap must lie in \[0, 1\); got -0.1"),
        (lambda: CapOrRatio(0.1, math.nan, value_prior="any"), "ratio must be at least 1 and finite; got nan"),
        (lambda: Box(3, (0.6, 0.5), (1.0, 1.0)), r"membership_range must run from low to high; got \(0.6, 0.5\)"),
        (lambda: Box(3, (0.0, 0.0), (1.0, 1.0)), r"membership_range \(high end\) must lie in \(0, 1\]; got 0.0"),
        (lambda: Boxes(()), "boxes must hold at least one Box; got 0"),
        (lambda: LargestIncrease(1.0, value_prior="any"), r"increase must lie in \(0, 1\); got 1.0"),
    ],
)
def test_templates_refuse_by_name_rule_and_value(make: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        make()


# Drawn lines and grids


def test_three_nodes_at_one_prior_are_a_single_point() -> None:
    line = DrawnLine(
        [(0.1, 5), (0.25, 5), (0.25, 1.2), (0.25, 5), (0.3, 5)], kind="ratio", interpolation="ratio", along="membership"
    )
    answer = line.implied_epsilon()
    assert answer.binding.prior == 0.25
    assert answer.epsilon == pytest.approx(math.log(0.75 / (1 / 1.2 - 0.25)))
    assert line.largest_epsilon(0.25) == answer.epsilon
    assert line.largest_epsilon(0.2501) > 10 * answer.epsilon


@pytest.mark.parametrize("end", [1e-12, 1e-300])
def test_nodes_at_the_ends_of_the_scale_are_exact(end: float) -> None:
    line = DrawnLine([(end, 0.2), (1 - 1e-12, 1 - 1e-13)], along="membership")
    with mpmath.workdps(60):
        u0, u1, c0, c1 = (mpmath.mpf(x) for x in (end, 1 - 1e-12, 0.2, 1 - 1e-13))
        lowest = min(
            mpmath.log(cap / (1 - cap) * (1 - u) / u)
            for k in range(1, 4000)
            for u in [1 - mpmath.mpf(10) ** (-mpmath.mpf(k) * 12 / 4000)]
            for cap in [c0 + (c1 - c0) * (u - u0) / (u1 - u0)]
        )
    found = line.implied_epsilon()
    assert found.epsilon <= float(lowest) * (1 + 1e-12)
    assert found.epsilon == pytest.approx(float(lowest), rel=1e-5)


def infimum_of_line(line: DrawnLine, exponent: float) -> float:
    """The smallest epsilon along a line from two nodes in 50 digits: crowded places, then golden sections."""
    with mpmath.workdps(50):
        held = mpmath.mpf(line.held)
        (u0, v0), (u1, v1) = [(mpmath.mpf(u), mpmath.mpf(v)) for u, v in line.nodes]
        c0, c1 = [
            {"posterior": v, "ratio": v * u * held, "increase": v + u * held}[line.kind]
            for u, v in ((u0, v0), (u1, v1))
        ]

        def cap_at(u: Any) -> Any:
            if line.interpolation == "posterior":
                return c0 + (c1 - c0) * (u - u0) / (u1 - u0)
            return c0 * (c1 / c0) ** (mpmath.log(u / u0) / mpmath.log(u1 / u0))  # log-log: the ratio and x are powers

        def epsilon_at(u: Any) -> Any:
            x, cap = u * held, cap_at(u)
            if x >= 1 or cap >= 1:
                return mpmath.inf
            shift = mpmath.log(cap * (1 - x) / (x * (1 - cap)))
            inside = (u if line.along == "membership" else held) - x
            weight = inside / (1 - x)
            epsilon = mpmath.mpf(0)
            for _ in range(12):  # Newton on a concave rising function
                t = mpmath.exp(-epsilon)
                both = (weight * t**exponent, (1 - weight) * t)
                slope = (exponent * both[0] + both[1]) / sum(both)
                epsilon += (shift + mpmath.log(sum(both))) / slope
            return epsilon

        steps = [mpmath.mpf(10) ** (-mpmath.mpf(k) / 3) for k in range(60)]
        places = sorted({u0 + (u1 - u0) * step for step in steps} | {u1 - (u1 - u0) * step for step in steps})
        found = [epsilon_at(u) for u in places]
        best = min(range(len(places)), key=found.__getitem__)
        low, high = places[max(best - 1, 0)], places[min(best + 1, len(places) - 1)]
        golden = (mpmath.sqrt(5) - 1) / 2
        for _ in range(60):
            left, right = high - golden * (high - low), low + golden * (high - low)
            low, high = (low, right) if epsilon_at(left) < epsilon_at(right) else (left, high)
        return float(min(found[best], epsilon_at(low)))


@pytest.mark.parametrize(
    ("nodes", "kind", "interpolation", "along", "held", "exponent"),
    [
        (((0.5, 0.625), (1 - 1e-16, 1.0)), "posterior", "posterior", "membership", 1.0, 1.0),
        (((0.5, 0.625), (1 - 1e-16, 1.0)), "posterior", "posterior", "value", 1.0, 1.0),
        (((0.5, 0.625), (1 - 1e-16, 1.0)), "posterior", "log-log", "membership", 1.0, 1.0),
        (((0.5, 0.625), (1 - 1e-12, 1.0)), "posterior", "posterior", "value", 1 - 1e-12, 2.0),
        (
            ((0.9577070262350452, 0.02917972029734), (0.999999999, 8.2877e-12)),
            "increase",
            "posterior",
            "membership",
            0.9999999,
            0.5,
        ),
        (((1e-12, 9.99999999999e-09), (1 - 1e-12, 8.6453e-13)), "increase", "log-log", "value", 1.0, 1.0),
        (((0.2386, 4.19), (0.8218850095705356, 1.2167152197149038)), "ratio", "log-log", "membership", 1.0, 1.5),
        (((0.5, 1.999999999), (0.999999999, 1.0000000007489296)), "ratio", "log-log", "membership", 1.0, 1.0),
        (((0.1424, 4.144), (1 - 1e-12, 1.0000000091923913)), "ratio", "posterior", "value", 0.9999999, 2.0),
        (((0.31634, 0.17091), (0.999999999, 3.731791542449514e-10)), "increase", "log-log", "value", 1.0, 2.0),
    ],
)
def test_a_line_next_to_certainty_is_never_above_its_true_infimum(
    nodes: Any, kind: str, interpolation: str, along: str, held: float, exponent: float
) -> None:
    line = DrawnLine(nodes, kind=kind, interpolation=interpolation, along=along, held=held)
    answer = line.implied_epsilon(value_exponent=exponent)
    # within 1e-12 counts as the decimal where a budget is rounded down; above that it would be rounded up
    assert answer.epsilon == pytest.approx(infimum_of_line(line, exponent), rel=1e-12)


def test_a_cap_that_touches_the_prior_leaves_no_budget_and_says_where() -> None:
    answer = DrawnLine([(0.1, 0.6), (0.3, 0.3), (0.9, 0.99)], along="membership").implied_epsilon()
    assert (answer.epsilon, answer.status, answer.binding.prior) == (0.0, Status.ZERO_BUDGET, 0.3)
    assert answer.recommended == 0.0


def test_a_line_into_certainty_has_a_limit_and_no_minimum() -> None:
    answer = DrawnLine([(0.5, 0.7), (1.0, 1.0)], along="membership").implied_epsilon()
    assert answer.epsilon == pytest.approx(-math.log(0.6))  # (1 - p) / (1 - cap) tends to 1 / 0.6
    assert (answer.attained, answer.binding.prior) == (False, 1.0)
    power = DrawnLine(
        [(0.25, 2.0), (1.0, 1.0)], kind="ratio", interpolation="log-log", along="membership"
    ).implied_epsilon()  # cap sqrt(p)
    assert power.epsilon == pytest.approx(math.log(2))


def test_a_step_holds_up_to_the_next_node() -> None:
    line = DrawnLine([(0.1, 1.5), (0.5, 4)], kind="ratio", interpolation="step", along="membership")
    assert line.largest_epsilon(0.5) == pytest.approx(math.log(0.5 / (1 / 1.5 - 0.5)))
    assert line.highest_posterior(0.3) == pytest.approx(0.45)


def test_a_ratio_between_two_nodes_lies_on_the_straight_line_between_theirs() -> None:
    line = DrawnLine([(0.1, 1.2), (0.3, 3.0), (0.5, 1.1)], kind="ratio", interpolation="ratio", along="membership")
    for prior, ratio in ((0.1, 1.2), (0.15, 1.65), (0.3, 3.0), (0.4, 2.05), (0.49, 1.195), (0.5, 1.1)):
        assert line.highest_posterior(prior) == pytest.approx(ratio * prior)
        assert line.largest_epsilon(prior) == pytest.approx(math.log(ratio * (1 - prior) / (1 - ratio * prior)))


def test_extending_goes_on_with_the_last_value() -> None:
    nodes = [(0.2, 2.0), (0.3, 2.0)]
    inside = DrawnLine(nodes, kind="ratio", interpolation="ratio", along="membership")
    extended = DrawnLine(nodes, kind="ratio", interpolation="ratio", outside="extend", along="membership")
    assert inside.largest_epsilon(0.1) == math.inf
    assert inside.highest_posterior(0.1) == 1.0
    assert extended.highest_posterior(0.1) == pytest.approx(0.2)
    assert extended.implied_epsilon().epsilon == pytest.approx(math.log(2))  # as the prior tends to 0
    assert not extended.implied_epsilon().attained


def test_a_line_where_nothing_is_required_says_so() -> None:
    answer = DrawnLine([(0.2, 1.0), (0.6, 1.0)], along="membership").implied_epsilon()
    assert (answer.status, answer.epsilon) == (Status.BINDS_NOTHING, math.inf)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"nodes": [(0.4, 0.5), (0.2, 0.5)]}, "nodes must be in increasing order of prior; got 0.2 after 0.4"),
        ({"nodes": []}, "nodes must be pairs"),
        ({"nodes": [(0.4, 0.5, 0.6)]}, "nodes must be pairs"),
        ({"nodes": [(0.4, math.nan)]}, r"nodes \(value\) must be finite; got nan"),
        ({"nodes": [(0.0, 0.5)]}, r"nodes \(prior\) must lie in \(0, 1\]; got 0.0"),
        ({"nodes": [(0.4, 1.2)]}, r"nodes \(value\) must lie in \[0, 1\]; got 1.2"),
        ({"nodes": [(0.4, 0.5)], "kind": "odds"}, "kind must be one of 'posterior', 'ratio', 'increase'; got 'odds'"),
        ({"nodes": [(0.4, 0.5)], "interpolation": "cubic"}, "interpolation must be one of"),
        ({"nodes": [(0.4, 0.5)], "outside": "mirror"}, "outside must be one of"),
        ({"nodes": [(0.4, 0.5)], "along": "both"}, "along must be one of"),
        ({"nodes": [(0.4, 0.5)], "along": ""}, "along must be one of 'membership', 'value'; got ''"),
        ({"nodes": [(0.4, 0.5)], "held": 0.0}, r"held must lie in \(0, 1\]; got 0.0"),
        (
            {"nodes": [(0.1, 0.3), (0.4, 0.5)], "interpolation": "step"},
            "nodes must accept at least the prior .* where the step ends",
        ),
    ],
)
def test_drawn_lines_refuse_by_name_rule_and_value(arguments: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        DrawnLine(**({"along": "membership"} | arguments))


@pytest.mark.parametrize(("kind", "value"), [("posterior", 0.4), ("ratio", 0.8), ("increase", -0.1)])
def test_an_infeasible_node_is_named_with_its_place(kind: str, value: float) -> None:
    with pytest.raises(InfeasibleProfile, match="nodes must accept at least the prior") as caught:
        DrawnLine([(0.1, 1.0 if kind != "increase" else 0.0), (0.5, value)], kind=kind, along="membership")
    assert (caught.value.membership_prior, caught.value.value_prior, caught.value.value) == (0.5, 1.0, value)


def test_a_grid_is_bilinear_inside_and_asks_for_nothing_outside() -> None:
    grid = DrawnGrid(membership_priors=[0.2, 0.4], value_priors=[0.1, 0.3], ratios=[[2, 4], [3, 5]])
    assert grid.axis is Axis.BOTH
    assert grid.highest_posterior(0.3, 0.2) == pytest.approx(0.06 * 3.5)
    assert grid.largest_epsilon(0.5, 0.2) == math.inf
    assert DrawnGrid(
        membership_priors=[0.2], value_priors=[0.1], ratios=[[2]]
    ).implied_epsilon().epsilon == pytest.approx(largest_epsilon(membership_prior=0.2, value_prior=0.1, ratio_bound=2))


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (([0.4, 0.2], [0.1], [[2], [2]]), "membership_priors must be in increasing order"),
        (([0.2, 0.4], [0.1], [[2, 2]]), "ratios must have one row per membership prior"),
        (([0.2], [0.1], [[0.5]]), "ratios must be at least 1 .at membership prior 0.2, value prior 0.1.; got 0.5"),
        (([0.2], [0.1], [[math.inf]]), "ratios must be finite; got inf"),
    ],
)
def test_grids_refuse_by_name_rule_and_value(arguments: tuple[Any, ...], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        DrawnGrid(**dict(zip(("membership_priors", "value_priors", "ratios"), arguments, strict=True)))


def test_a_profile_says_which_beliefs_it_wants() -> None:
    with pytest.raises(ValueError, match="value_prior must be given for a profile over both beliefs"):
        Constant(3, value_prior="any").largest_epsilon(0.5)
    with pytest.raises(ValueError, match="value_prior must be left out for a profile along one belief"):
        Constant(3, value_prior=1.0).largest_epsilon(0.5, 0.5)


# Expressions


@pytest.mark.parametrize(
    ("text", "expected", "place"),
    [
        ("max(0.25/(p*q), 3)", math.log(2.75 / 0.75) / 2, (1.0, 0.25 / 3)),
        ("3", math.log(3) / 2, (1.0, 0.0)),
        ("1.2 + 4*(1-p)*(1-q)", math.log(1.2) / 2, (1.0, 0.0)),
        ("1/sqrt(p*q)", math.log(2) / 2, (1.0, 1.0)),
        ("min(1/(p*q), 1+0.5*(1-p*q))", math.log(1.5) / 2, (1.0, 0.0)),
        ("abs(0.5-p) + 2", None, None),
    ],
)
def test_expressions_are_bracketed_tightly(text: str, expected: float | None, place: Any) -> None:
    answer = ExpressionProfile(text).implied_epsilon()
    assert answer.certainty is Certainty.BRACKET
    assert 0.0 < answer.lower <= answer.epsilon <= answer.lower * (1 + 2e-4)
    if expected is not None:
        assert answer.epsilon == pytest.approx(expected, rel=1e-9)
        assert (answer.binding.membership_prior, answer.binding.value_prior) == pytest.approx(place, abs=1e-6)


def test_a_dip_one_in_ten_thousand_wide_is_found_without_a_hint() -> None:
    answer = ExpressionProfile("3 - 1.9*exp(-((p-0.4137)^2+(q-0.6243)^2)/(2*0.0001^2))").implied_epsilon()
    exact = largest_epsilon(membership_prior=0.4137, value_prior=0.6243, ratio_bound=1.1)
    assert answer.lower <= exact
    assert answer.epsilon == pytest.approx(exact, rel=1e-6)
    sampled = SampledProfile(
        lambda p, q: 3 - 1.9 * np.exp(-((p - 0.4137) ** 2 + (q - 0.6243) ** 2) / (2 * 0.0001**2)), steps=200
    )
    assert sampled.implied_epsilon().epsilon > 4 * answer.epsilon  # what sampling would have recommended


def test_product_profiles_follow_from_the_log_odds_identity() -> None:
    line = ExpressionProfile("x + 0.2", kind="posterior").implied_epsilon()
    assert line.epsilon == pytest.approx(math.log(1.5), rel=1e-9)
    root = ExpressionProfile("sqrt(x)", kind="posterior").implied_epsilon()
    assert (root.epsilon, root.attained) == (pytest.approx(math.log(2) / 2, rel=1e-9), False)
    one_count = ExpressionProfile("0.2", kind="increase").implied_epsilon(value_exponent=1.0)
    assert one_count.epsilon == pytest.approx(2 * math.log(1.5), rel=1e-9)


def test_an_expression_below_the_prior_is_infeasible_with_its_place() -> None:
    with pytest.raises(InfeasibleProfile, match="expression must accept at least the prior") as caught:
        ExpressionProfile("3 - 2.1*exp(-((p-0.4)^2+(q-0.6)^2)/0.01)").implied_epsilon()
    assert abs(caught.value.membership_prior - 0.4) < 0.1
    with pytest.raises(InfeasibleProfile):
        ExpressionProfile("0.9", kind="posterior").implied_epsilon()


@each(
    "text, rule",
    [
        ("__import__('os')", "must use only numbers"),
        ("p.real", "must use only numbers"),
        ("y + 1", "must use only numbers"),
        ("p if q else 1", "must use only numbers"),
        ("[p][0]", "must use only numbers"),
        ("lambda: 1", "must use only numbers"),
        ("True", "must use only numbers"),
        ("'a'", "must use only numbers"),
        ("1e999", "must use only numbers"),
        ("max(p)", "must give max 2 to 8 arguments; got 1"),
        ("exp(p, q)", "must give exp 1 to 1 arguments; got 2"),
        ("p**q", "must raise to a constant power"),
        ("2**9**9**9", "must raise to a constant power"),
        ("p +", "must be arithmetic"),
        ("", "must have 1 to 400 characters; got 0"),
        ("p+" * 300 + "p", "must have 1 to 400 characters"),
        ("-" * 60 + "p", "must be nested at most 40 deep"),
        ("x + p", "must use either x or p and q"),
        (3, "must be text"),
    ],
)
def test_expressions_refuse_what_is_not_arithmetic(text: Any, rule: str) -> None:
    with pytest.raises(ValueError, match=f"expression {rule}"):
        parsed_expression(text)


def test_an_undefined_expression_is_refused_by_its_place() -> None:
    with pytest.raises(ValueError, match="expression must be defined everywhere; got no number at p = "):
        ExpressionProfile("3 + log(p - 2)").implied_epsilon()


# Budgets


def test_every_route_keeps_the_same_promise_and_they_are_ordered() -> None:
    agency = CapOrRatio(0.25, 3, value_prior=1.0)
    pure = budget(agency).total.epsilon
    approximate = budget(agency, route="approximate", delta=1e-6, delta_prime=0.01).total.epsilon
    assert pure - approximate == pytest.approx(0.00013, abs=5e-6)
    rho = [
        budget(agency, route=route, delta_prime=0.01).total.rho
        for route in ("zero-concentrated, published route", "zero-concentrated", "gaussian")
    ]
    assert rho == sorted(rho)
    example_8 = LargestIncrease(0.2, value_prior=1.0)
    assert budget(example_8, route="gaussian", delta_prime=0.01).total.rho == pytest.approx(0.04840, abs=5e-6)


@each("route", Route)
def test_the_budgets_of_all_releases_add_up_to_that_of_all_together(route: Route) -> None:
    agency = CapOrRatio(0.25, 3, value_prior=1.0)
    failing = {} if route is Route.PURE else {"delta_prime": 0.01}
    lost = {"delta": 1e-6} if route is Route.APPROXIMATE else {}
    found = budget(agency, route=route.value, releases=4, group=2, value_exponent=1.0, **failing, **lost)
    assert type(found.each) is type(found.total)
    for name in ("epsilon", "delta", "rho"):
        assert 4 * getattr(found.each, name, 0.0) == pytest.approx(getattr(found.total, name, 0.0)), name


def test_releases_and_groups_divide_the_budget() -> None:
    agency = CapOrRatio(0.25, 3, value_prior=1.0)
    whole = budget(agency)
    assert budget(agency, releases=12).each.epsilon == pytest.approx(whole.total.epsilon / 12)
    assert budget(agency, group=3).total.epsilon == pytest.approx(whole.total.epsilon / 3)
    rho = budget(agency, route="zero-concentrated", delta_prime=0.01).total.rho
    assert budget(agency, route="zero-concentrated", delta_prime=0.01, group=3).total.rho == pytest.approx(rho / 9)
    together = budget(agency, route="approximate", delta=1e-6, delta_prime=0.01, group=3).total.for_group(3)
    assert together.probabilistic_epsilon(0.01) == pytest.approx(whole.total.epsilon, rel=1e-9)
    assert together.probabilistic_epsilon(0.01) <= whole.total.epsilon


@pytest.mark.parametrize(("shift", "group"), [(1.3, 3), (20.0, 4), (60.0, 2)])
def test_the_budget_of_a_group_uses_up_its_shift_or_its_failure_probability(shift: float, group: int) -> None:
    """The delta of a group grows with epsilon: of a large shift it is the failure probability that binds."""
    wide = Constant(math.exp(shift), value_prior=1.0)
    found = budget(wide, route="approximate", delta=1e-6, delta_prime=0.01, group=group).total
    assert found.for_group(group).probabilistic_epsilon(0.01) <= shift
    more = dataclasses.replace(found, epsilon=found.epsilon * (1 + 1e-9)).for_group(group)
    assert more.delta >= 0.01 or more.probabilistic_epsilon(0.01) > shift


def test_naming_what_a_template_is_about_decides_between_a_budget_and_half_of_it() -> None:
    presence = Constant(3, value_prior=1.0).implied_epsilon().epsilon
    assert Constant(3, value_prior="any").implied_epsilon().epsilon == pytest.approx(presence / 2)
    assert Constant(3, membership_prior=1.0).implied_epsilon().epsilon == pytest.approx(presence / 2)
    assert budget(Constant(3, membership_prior=1.0), relation="replace").total.epsilon == pytest.approx(presence)


@pytest.mark.parametrize(("releases", "group"), [(1, 1), (4, 1), (1, 3), (12, 2)])
def test_the_discrete_route_recommends_a_budget_that_integer_noise_keeps(releases: int, group: int) -> None:
    agency = CapOrRatio(0.25, 3, value_prior=1.0)
    found = budget(agency, route="discrete gaussian", delta_prime=0.01, releases=releases, group=group)
    continuous = budget(agency, route="gaussian", delta_prime=0.01, releases=releases, group=group)

    def failing(noise: type[Gaussian] | type[DiscreteGaussian], rho: float) -> float:
        together = PrivacyLoss.of(noise(rho=rho * group**2, sensitivity=group), releases)
        return float(together.exceedance(found.answer.epsilon, direction="either"))

    for rho in (found.each.rho, found.recommended_each):
        assert failing(DiscreteGaussian, rho) <= 0.01
    assert failing(Gaussian, continuous.recommended_each) <= 0.01
    assert found.recommended_each <= found.each.rho
    assert found.recommended_total == pytest.approx(releases * found.recommended_each, rel=1e-12)
    assert found.total.rho == pytest.approx(releases * found.each.rho)
    assert found.certificate is not None
    assert continuous.certificate is None


def test_the_continuous_budget_of_the_default_line_fails_for_integer_noise() -> None:
    agency = CapOrRatio(0.25, 3, value_prior=1.0)
    rho = budget(agency, route="gaussian", delta_prime=0.01).recommended_each
    certificate = budget(agency, route="discrete gaussian", delta_prime=0.01).certificate
    assert certificate is not None
    assert (rho, round(certificate.exceedance(rho), 4)) == (0.12, 0.0162)


def test_replacing_a_record_shifts_the_odds_of_the_value_by_one_epsilon() -> None:
    certain = Constant(3, membership_prior=1.0)
    assert budget(certain, relation="replace").total.epsilon == pytest.approx(2 * budget(certain).total.epsilon)
    assert budget(Constant(3, value_prior="any"), value_exponent=1.0).total.epsilon == pytest.approx(math.log(3))


def test_an_answer_known_already_is_not_sought_again_and_must_be_the_lines_own(monkeypatch: pytest.MonkeyPatch) -> None:
    line = Constant(3, membership_prior=1.0)
    two_steps, one_step = line.implied_epsilon(), line.implied_epsilon(value_exponent=1.0)
    expected = budget(line, releases=3), budget(line, relation="replace")
    other = Constant(2, membership_prior=1.0).implied_epsilon()
    monkeypatch.setattr(Constant, "implied_epsilon", None)
    assert (budget(line, releases=3, answer=two_steps), budget(line, relation="replace", answer=one_step)) == expected
    for answer, relation in ((one_step, "add_or_remove"), (two_steps, "replace"), (other, "add_or_remove")):
        with pytest.raises(ValueError, match="answer must be the profile's own for value_exponent"):
            budget(line, relation=relation, answer=answer)


def test_a_zero_budget_is_a_budget() -> None:
    touching = DrawnLine([(0.3, 0.3)], along="membership")
    assert budget(touching).recommended_total == 0.0
    for route in ("gaussian", "discrete gaussian"):
        assert budget(touching, route=route, delta_prime=0.1).recommended_each == 0.0
        assert budget(touching, route=route, delta_prime=0.1).recommended_total == 0.0


@pytest.mark.parametrize(
    ("profile", "arguments", "text"),
    [
        (Box(3, (0.4, 0.9), (1.0, 1.0)), {}, "profile must ask for something somewhere; got one that binds nothing"),
        (SampledProfile(lambda p, q: 3 + 0 * p), {}, "profile must have a certified epsilon"),
        (Constant(3, value_prior="any"), {"relation": "replace"}, "relation must be 'add_or_remove' unless"),
        (Constant(3, value_prior="any"), {"route": "gaussian", "delta_prime": 0.1}, "route must be 'pure' unless"),
        (Constant(3, value_prior="any"), {"route": "exact"}, "route must be one of"),
        (Constant(3, value_prior="any"), {"delta": 0.1}, "delta must be left out for pure DP"),
        (Constant(3, value_prior="any"), {"releases": 0}, "releases must be a whole number of at least 1; got 0"),
        (Constant(3, value_prior="any"), {"group": 1.5}, "group must be a whole number of at least 1; got 1.5"),
        (
            Constant(3, membership_prior=1.0),
            {"route": "discrete gaussian", "delta_prime": 0.1, "relation": "replace"},
            "route must be another than 'discrete gaussian' unless each release is one plain count",
        ),
        (Constant(3, value_prior=1.0), {"route": "gaussian"}, "delta_prime must be given"),
        (
            Constant(3, value_prior=1.0),
            {"route": "gaussian", "delta": 0.1, "delta_prime": 0.2},
            "delta must be left out",
        ),
        (Constant(3, value_prior=1.0), {"route": "approximate", "delta_prime": 0.2}, "delta must be given"),
        (
            Constant(3, value_prior=1.0),
            {"route": "approximate", "delta": 0.3, "delta_prime": 0.2},
            r"delta must lie in \(0, 0.2\); got 0.3",
        ),
        (
            Constant(3, value_prior=1.0),
            {"route": "approximate", "delta": 0.1, "delta_prime": 0.2, "group": 5},
            "delta must leave room for the promise to a group of 5",
        ),
    ],
)
def test_budgets_refuse_what_is_not_justified(profile: Any, arguments: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        budget(profile, **arguments)


# Other ways


def test_no_epsilon_reaches_past_a_share_that_is_not_protected() -> None:
    found = reachable_posterior(membership_prior=0.5, value_prior=[0.5, 0.2], epsilon=math.inf, value_exponent=0)
    assert found == pytest.approx([0.5, 0.2])
    assert reachable_posterior(membership_prior=0.5, value_prior=1.0, epsilon=math.inf, value_exponent=0) == 1.0


@each("name", ["membership_priors", "value_priors"])
def test_a_grid_without_lines_is_refused(name: str) -> None:
    given: dict[str, Any] = {"membership_priors": [0.5], "value_priors": [0.5], "ratios": [[2.0]]} | {name: []}
    with pytest.raises(Refused, match=f"{name} must hold at least one grid line; got none"):
        DrawnGrid(**given)


@each("exponent", [0.5, 2.0, 3.0])
def test_a_shift_at_a_large_epsilon_is_its_slower_part_and_overflows_nowhere(exponent: float) -> None:
    slower = min(exponent, 1.0)
    lost = math.log(0.3 if exponent < 1 else 0.7)
    for epsilon in (300.0, 3000.0, 1e6):
        found = shift_from_epsilon(np.array([epsilon]), np.array([0.3]), np.array([0.7]), exponent)[0]
        assert found == pytest.approx(slower * epsilon - lost, rel=1e-12)


def test_the_budget_of_a_cap_next_to_the_prior_is_not_below_zero() -> None:
    assert [
        epsilon_for_absent_person(population_size=n, posterior_cap=math.nextafter(1 / n, 1)) >= 0 for n in range(2, 60)
    ] == [True] * 58


def test_lee_clifton_finds_both_sensitivities_by_itself() -> None:
    population = [3.0, 1.0, 4.0, 1.5, 9.0, 2.6, 5.3]
    for statistic, value in (("mean", np.mean), ("median", np.median)):
        found = lee_clifton(population=population, statistic=statistic, posterior_cap=0.5)
        one = [value(np.delete(population, i)) for i in range(7)]
        two = [abs(one[i] - value(np.delete(population, [i, j]))) for i in range(7) for j in range(7) if i != j]
        assert found.statistic_range == pytest.approx(max(two))
        assert found.statistic_spread == pytest.approx(max(one) - min(one))


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda: epsilon_for_absent_person(population_size=4, posterior_cap=0.25),
            r"posterior_cap must lie in \(0.25, 1\)",
        ),
        (
            lambda: epsilon_for_absent_person(population_size=1, posterior_cap=0.5),
            "population_size must be a whole number",
        ),
        (
            lambda: lee_clifton_epsilon(statistic_range=1, statistic_spread=0, population_size=4, posterior_cap=0.5),
            "statistic_spread must be greater than 0 and finite; got 0",
        ),
        (lambda: lee_clifton(population=[1, 2], statistic="mean", posterior_cap=0.6), "population must hold 3 to 2000"),
        (lambda: lee_clifton(population=[1, 2, 3], statistic="mode", posterior_cap=0.6), "statistic must be one of"),
        (
            lambda: epsilon_on_grid(Constant(3, value_prior="any"), steps=0),
            "steps must be a whole number from 1 to 5000; got 0",
        ),
        (lambda: SampledProfile(lambda p, q: 0.5 + 0 * p).implied_epsilon(), "function must accept at least the prior"),
        (lambda: SampledProfile("3"), "function must be callable; got '3'"),
    ],
)
def test_the_other_ways_refuse_by_name_rule_and_value(call: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        call()


BOTH = CapOrRatio(0.25, 3, value_prior="any")
ALONE = Constant(2, value_prior=1.0)


@each(
    "ask, text",
    [
        (lambda: Box(3, (0.2,), (1, 1)), "membership_range must be a pair (low, high); got (0.2,)"),
        (lambda: Box(3, (0.1, 0.2), 0.2), "value_range must be a pair (low, high); got 0.2"),
        (lambda: Box(3, (0.1, 0.2, 0.3), (1, 1)), "membership_range must be a pair (low, high); got (0.1, 0.2, 0.3)"),
        (lambda: Boxes(Box(3, (0, 1), (0, 1))), "boxes must be boxes such as"),
        (lambda: BOTH.highest_posterior([0.1, 0.2], [0.1, 0.2, 0.3]), "prior and value_prior must have shapes"),
        (lambda: BOTH.largest_epsilon([0.1, 0.2], [0.1, 0.2, 0.3]), "prior and value_prior must have shapes"),
        (lambda: ALONE.highest_posterior([[0.1], [0.2, 0.3]]), "prior must be numbers; got"),
        (lambda: ALONE.implied_epsilon().reachable([[0.1], [0.2, 0.3]]), "prior must be numbers; got"),
        (
            lambda: SampledProfile(lambda p, q: [1, 2, 3], value_prior=1.0, steps=10).implied_epsilon(),
            "function must return numbers of shape (18,); got (3,)",
        ),
        (lambda: epsilon_on_grid(3, steps=3), "profile must be a line of acceptable risk such as"),
        (lambda: budget(ALONE, answer=3), "answer must be the profile's `implied_epsilon()`; got 3"),
        (lambda: budget(ALONE, answer=Constant(3, value_prior=1.0).implied_epsilon()), "got one of another profile"),
        (
            lambda: budget(ALONE, route="approximate", delta_prime=0.01, delta=0.009),
            "delta must leave room for the promise within delta_prime 0.01; got 0.009",
        ),
        (lambda: lines_kept(ALONE), "profiles must be one or more risk profiles; got Constant("),
        (lambda: LinesKept(3), "epsilons must be numbers such as [0.4, 1.2]; got 3"),
        (
            lambda: lee_clifton(population=[[1, 2], [3, 4]], statistic="mean", posterior_cap=0.6),
            "population must be a list of values; got shape (2, 2)",
        ),
    ],
)
def test_what_is_no_line_no_list_or_no_pair_is_refused(ask: Any, text: str) -> None:
    with pytest.raises(Refused, match=re.escape(text)):
        ask()


def test_the_largest_ratio_without_a_budget_is_its_limit() -> None:
    vacuous = Constant(3, value_prior=0.9, membership_prior=0.9).implied_epsilon()
    assert vacuous.epsilon == math.inf
    assert vacuous.largest_ratio() == math.inf  # towards membership prior 0
    shared = Constant(4, membership_prior=0.5).implied_epsilon(value_exponent=0.0)
    assert shared.epsilon == math.inf
    assert shared.largest_ratio() == shared.largest_ratio(epsilon=600.0) == 2.0


@each("bound", ["ratio_bound", "posterior_cap"])
def test_unlike_shapes_are_told_by_the_names_of_the_call(bound: str) -> None:
    given: dict[str, Any] = {"membership_prior": [0.1, 0.2], "value_prior": 1.0, bound: [1.0, 1.0, 1.0]}
    with pytest.raises(
        Refused, match=rf"membership_prior and {bound} must have shapes that go together; got \(2,\), \(3,\)"
    ):
        largest_epsilon(**given)
