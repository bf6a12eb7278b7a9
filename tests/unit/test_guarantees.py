"""Conversions between guarantees: known values, independent computations, edges, refusals."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import mpmath
import numpy as np
import pytest

from dpcore import guarantees as g
from tests.each import each


def _gaussian_delta_in_mpmath(epsilon: float, rho: float) -> Any:
    with mpmath.workdps(60):
        m = mpmath.sqrt(2 * mpmath.mpf(rho))
        e = mpmath.mpf(epsilon)
        return mpmath.ncdf(m / 2 - e / m) - mpmath.exp(e) * mpmath.ncdf(-m / 2 - e / m)


@pytest.mark.parametrize("deviations", [-1.0, 0.0, 0.7, 3.0, 9.0, 30.0])
@each("rho", [1e-8, 1e-4, 0.01, 0.4, 2.0, 40.0])
def test_gaussian_delta_is_right_to_eleven_digits_even_where_it_underflows(rho: float, deviations: float) -> None:
    epsilon = max(rho + deviations * math.sqrt(2 * rho), 0.0)
    exact = mpmath.log(_gaussian_delta_in_mpmath(epsilon, rho))
    assert g.gaussian_log_delta(epsilon=epsilon, rho=rho) == pytest.approx(float(exact), rel=1e-12, abs=2e-11)


@each("epsilon, rho", [(0.0, 1e-20), (1e-17, 1e-8), (1e-10, 1e-20), (1e-3, 0.4), (0.9, 0.5)])
def test_gaussian_delta_keeps_its_digits_where_epsilon_is_small_beside_the_noise(epsilon: float, rho: float) -> None:
    exact = float(_gaussian_delta_in_mpmath(epsilon, rho))
    assert g.gaussian_delta(epsilon=epsilon, rho=rho) == pytest.approx(exact, rel=1e-13, abs=0)


@each("delta", [1e-300, 1e-150, 1e-17, 1e-14])
def test_gaussian_noise_without_epsilon_has_a_rho_of_pi_times_the_square_of_a_small_delta(delta: float) -> None:
    assert g.gaussian_rho(epsilon=0.0, delta=delta) == pytest.approx(math.pi * delta**2, rel=1e-12, abs=0)


@pytest.mark.parametrize("rho", [1e-6, 0.01, 0.3, 5.0, 60.0])
@pytest.mark.parametrize("delta", [1e-12, 1e-6, 0.01, 0.4])
def test_gaussian_conversions_invert(rho: float, delta: float) -> None:
    epsilon = g.gaussian_epsilon(rho=rho, delta=delta)
    if epsilon > 0:
        assert g.gaussian_delta(epsilon=epsilon, rho=rho) == pytest.approx(delta, rel=1e-9)
        assert g.gaussian_rho(epsilon=epsilon, delta=delta) == pytest.approx(rho, rel=1e-9)


@pytest.mark.parametrize("epsilon", [0.0, 0.01, 1.0, 20.0])
@each("delta", [1e-9, 0.1, 0.3, 0.5, 0.6, 0.8, 0.97, 0.9999])
def test_gaussian_rho_inverts_for_large_delta_too(epsilon: float, delta: float) -> None:
    rho = g.gaussian_rho(epsilon=epsilon, delta=delta)
    assert g.gaussian_delta(epsilon=epsilon, rho=rho) == pytest.approx(delta, rel=1e-9)


def test_best_order_is_what_a_dense_search_over_orders_finds() -> None:
    alpha = 1 + np.geomspace(1e-6, 1e7, 400_001)
    for rho, delta in ((1e-6, 1e-9), (0.01, 1e-6), (2.56, 1e-10), (50.0, 0.2)):
        searched = (alpha * rho + np.log1p(-1 / alpha) + (math.log(1 / delta) - np.log(alpha)) / (alpha - 1)).min()
        exact = g.approximate_epsilon_from_rho_best_order(rho=rho, delta=delta)
        assert exact <= searched + 1e-12
        assert exact == pytest.approx(max(searched, 0.0), rel=1e-6)


def test_the_census_budget_at_the_best_order() -> None:
    assert round(g.approximate_epsilon_from_rho_best_order(rho=2.56, delta=1e-10), 3) == 17.158
    assert round(g.approximate_epsilon_from_rho(rho=2.56, delta=1e-10), 4) == 17.9153


def test_published_route_is_the_minimum_over_a_dense_grid_of_deltas() -> None:
    u = np.geomspace(1e-9, 600, 200_001)
    for rho, delta_prime in ((1e-8, 0.01), (0.3, 0.01), (30.0, 1e-6)):
        delta = delta_prime * np.exp(-u)
        delta, share = delta[delta < delta_prime], np.exp(-u)[delta < delta_prime]
        epsilon = rho + 2 * np.sqrt(rho * -np.log(delta))
        searched = (epsilon + np.log1p(share * np.exp(-epsilon)) - np.log1p(-share)).min()
        exact = g.probabilistic_epsilon_from_rho_published(rho=rho, delta_prime=delta_prime)
        assert exact == pytest.approx(searched, rel=1e-7)


def test_gaussian_two_sided_quantile_has_the_wanted_failure_probability() -> None:
    for rho, delta_prime in ((1e-6, 0.01), (0.3, 0.01), (4.0, 1e-9)):
        e = mpmath.mpf(g.gaussian_probabilistic_epsilon(rho=rho, delta_prime=delta_prime))
        s = mpmath.sqrt(2 * mpmath.mpf(rho))
        failure = mpmath.ncdf((rho - e) / s) + mpmath.ncdf((-rho - e) / s)
        assert float(failure) == pytest.approx(delta_prime, rel=1e-9)


@each("epsilon, delta", [(1e-12, 1e-12), (1e-20, 1e-300), (1e-20, 0.4), (1.0, 0.7)])
def test_gaussian_noise_may_spend_all_that_a_promise_allows(epsilon: float, delta: float) -> None:
    """However small a shift: the chance of a larger one is all of the failure probability."""
    rho = mpmath.mpf(g.gaussian_rho_from_probabilistic(epsilon_prime=epsilon, delta_prime=delta))
    with mpmath.workdps(40):
        s = mpmath.sqrt(2 * rho)
        failure = mpmath.ncdf((rho - epsilon) / s) + mpmath.ncdf((-rho - epsilon) / s)
        assert float(mpmath.log(failure)) == pytest.approx(math.log(delta), rel=1e-9)


@each("delta", [1e-6, 1e-300, 1e-320])
def test_the_largest_rho_at_the_best_order_uses_up_its_epsilon_at_any_delta(delta: float) -> None:
    rho = g.rho_from_approximate_best_order(epsilon=1.0, delta=delta)
    assert g.approximate_epsilon_from_rho_best_order(rho=rho, delta=delta) == pytest.approx(1.0, rel=1e-12)


@each("rest", [0.3, 1e-5, 1e-9, 1e-12, 2.0**-53])
@each("epsilon", [1e-6, 0.001, 1.0, 300.0])
def test_the_largest_rho_at_the_best_order_is_never_too_large_however_close_delta_is_to_one(
    epsilon: float, rest: float
) -> None:
    """At that rho some order gives less than epsilon, at one larger by 1e-12 none does: the best in 60 digits."""
    with mpmath.workdps(60):
        length = -mpmath.log(mpmath.mpf(1 - rest))
        rho = g.rho_from_approximate_best_order(epsilon=epsilon, delta=1 - rest)

        def best(rho: Any) -> Any:
            low, high = mpmath.log(length) - 100, mpmath.log(mpmath.expm1(length))
            for _ in range(200):  # the best order less 1: the root of an increasing function
                middle = (low + high) / 2
                x = mpmath.exp(middle)
                low, high = (low, middle) if rho * x * x + mpmath.log1p(x) > length else (middle, high)
            return rho * (1 + 2 * x) - mpmath.log1p(1 / x)

        assert best(mpmath.mpf(rho)) <= mpmath.mpf(epsilon) < best(mpmath.mpf(rho) * (1 + mpmath.mpf("1e-12")))


@each("rest", [0.3, 1e-6, 1e-9, 1e-13, 2.0**-53])
def test_gaussian_noise_keeps_its_digits_however_close_a_failure_is_to_certain(rest: float) -> None:
    """By what is left: 1 - delta and the chance of a loss within epsilon', in 60 digits."""
    with mpmath.workdps(60):

        def kept(epsilon: float, rho: float) -> Any:
            e, m = mpmath.mpf(epsilon), mpmath.sqrt(2 * mpmath.mpf(rho))
            return mpmath.ncdf(e / m - m / 2) + mpmath.exp(e) * mpmath.ncdf(-e / m - m / 2)

        def within(epsilon: float, rho: float) -> Any:
            e, m = mpmath.mpf(epsilon), mpmath.sqrt(2 * mpmath.mpf(rho))
            return mpmath.ncdf(e / m - m / 2) - mpmath.ncdf(-e / m - m / 2)

        found = 1 - rest
        rest = 1 - found  # as a float has it
        for budget in (1e-9, 0.1, 40.0):
            for left in (
                kept(budget, g.gaussian_rho(epsilon=budget, delta=found)),
                within(budget, g.gaussian_rho_from_probabilistic(epsilon_prime=budget, delta_prime=found)),
                within(g.gaussian_probabilistic_epsilon(rho=budget, delta_prime=found), budget),
            ):
                assert float(left / mpmath.mpf(rest)) == pytest.approx(1.0, abs=1e-12)
        rho = 2 * g.gaussian_rho(epsilon=0.0, delta=found)
        assert float(kept(g.gaussian_epsilon(rho=rho, delta=found), rho) / mpmath.mpf(rest)) == pytest.approx(
            1.0, 1e-12
        )


@each("epsilon, rest", [(32.0, 1e-13), (38.0, 2.0**-53), (20.0, 1e-8), (1e-8, 0.9999999999)])
def test_a_pure_guarantee_keeps_its_digits_however_close_delta_is_to_one(epsilon: float, rest: float) -> None:
    """Its smallest epsilon at a delta, from (e^epsilon0 - e^epsilon)/(1 + e^epsilon0) = delta in 60 digits."""
    with mpmath.workdps(60):
        power = mpmath.exp(mpmath.mpf(epsilon))
        exact = mpmath.log(power - mpmath.mpf(1 - rest) * (1 + power))
    assert g.PureDP(epsilon=epsilon).epsilon_at(1 - rest) == pytest.approx(float(exact), rel=1e-12, abs=0)


@each("rho, epsilon", [(1e-24, 3e-12), (2.4e-10, 1.15e-4), (0.1, 1.0), (2.0, 1.0)])
def test_the_chance_that_some_view_passes_a_shift_keeps_its_digits_for_much_noise(rho: float, epsilon: float) -> None:
    """The event of that probability has the likelihood ratio e^epsilon' exactly, in 60 digits."""
    with mpmath.workdps(60):
        chance = g.gaussian_every_view_exceedance(rho=rho, epsilon_prime=epsilon)
        at = mpmath.findroot(lambda t: mpmath.log(mpmath.ncdf(t) / mpmath.mpf(chance)), NormalDist().inv_cdf(chance))
        ratio = mpmath.log(mpmath.ncdf(at) / mpmath.ncdf(at - mpmath.sqrt(2 * mpmath.mpf(rho))))
    assert float(ratio) == pytest.approx(epsilon, rel=1e-11, abs=0)


@each("rho, delta", [(1.6668295679364308e-06, 0.0011061901378819818), (7.0, 0.999), (1e-10, 0.3)])
def test_epsilon_at_the_best_order_is_never_rounded_below_its_bound(rho: float, delta: float) -> None:
    with mpmath.workdps(60):
        length, spend = -mpmath.log(mpmath.mpf(delta)), mpmath.mpf(rho)
        x = mpmath.findroot(
            lambda x: spend * x * x + mpmath.log1p(x) - length, (0, mpmath.expm1(length)), solver="ridder"
        )
        assert g.approximate_epsilon_from_rho_best_order(rho=rho, delta=delta) >= spend * (1 + 2 * x) - mpmath.log1p(
            1 / x
        )


def test_theorem_35_is_attained_by_losses_at_plus_and_minus_epsilon_prime() -> None:
    epsilon, delta, delta_prime = 1.0, 0.01, 0.05
    shift = float(g.probabilistic_epsilon_from_approximate(epsilon=epsilon, delta=delta, delta_prime=delta_prime))
    slightly_more = shift * (1 + 1e-9)
    # The extremal pair: loss +-shift with probability delta_prime in all, split like randomised response.
    up, down = delta_prime / (1 + math.exp(-slightly_more)), delta_prime / (1 + math.exp(slightly_more))
    present_excess = up * (1 - math.exp(epsilon - slightly_more))
    assert present_excess == pytest.approx(delta, rel=1e-6)
    assert down == pytest.approx(up * math.exp(-slightly_more))


def test_every_view_is_a_minimum_over_epsilon_of_the_exact_profile() -> None:
    rho, delta_prime = 0.3, 0.01
    epsilon = np.linspace(0.3, 8, 40_001)
    delta = g.gaussian_delta(epsilon=epsilon, rho=rho)
    usable = delta < delta_prime
    searched = (epsilon[usable] - np.log1p(-delta[usable] / delta_prime)).min()
    assert g.gaussian_epsilon_every_view(rho=rho, delta_prime=delta_prime) == pytest.approx(searched, rel=1e-6)


@each("delta_prime", [1e-300, 1e-6, 0.3, 1 - 1e-9])
def test_every_view_keeps_its_digits_under_much_noise_and_under_little(delta_prime: float) -> None:
    rhos = np.array([1e-40, 1e-12, 0.1, 0.5, 0.6, 8.0])
    with mpmath.workdps(80):
        at = mpmath.findroot(lambda t: mpmath.log(mpmath.ncdf(t) / delta_prime), NormalDist().inv_cdf(delta_prime))
        moved = [at - mpmath.sqrt(2 * mpmath.mpf(rho)) for rho in rhos.tolist()]
        exact = [float(mpmath.log(mpmath.ncdf(at) / mpmath.ncdf(t))) for t in moved]
    found = g.gaussian_epsilon_every_view(rho=rhos, delta_prime=delta_prime)
    assert found == pytest.approx(exact, rel=1e-11, abs=0)


def test_pure_guarantee_profile_is_that_of_randomised_response() -> None:
    pure = g.PureDP(epsilon=1.2)
    truthful = math.exp(1.2) / (1 + math.exp(1.2))
    for epsilon in (0.0, 0.3, 1.0):
        assert pure.delta_at(epsilon) == pytest.approx(truthful - math.exp(epsilon) * (1 - truthful))
    assert pure.delta_at(1.2) == 0.0
    assert pure.delta_at(5.0) == 0.0
    assert pure.epsilon_at(0.0) == pytest.approx(1.2)
    assert pure.epsilon_at(pure.delta_at(0.3)) == pytest.approx(0.3)
    assert pure.epsilon_at(1.0) == 0.0
    assert pure.probabilistic_epsilon(0.01) == 1.2


def test_guarantees_answer_in_their_own_definition() -> None:
    approximate = g.ApproximateDP(epsilon=1.0, delta=1e-3)
    assert approximate.delta_at(1.0) == 1e-3
    assert approximate.epsilon_at(1e-3) == pytest.approx(1.0)
    assert approximate.epsilon_at(1e-4) == math.inf
    probabilistic = g.ProbabilisticDP(epsilon=1.0, delta=1e-3)
    assert probabilistic.probabilistic_epsilon(0.01) == 1.0
    assert probabilistic.epsilon_at(1e-3) == pytest.approx(1.0)
    concentrated = g.ZeroConcentratedDP(rho=0.01)
    assert concentrated.delta_at(concentrated.epsilon_at(1e-6)) == pytest.approx(1e-6, rel=1e-9)
    assert concentrated.probabilistic_epsilon(0.01) == g.probabilistic_epsilon_from_rho(rho=0.01, delta_prime=0.01)
    with pytest.raises(ValueError, match=r"delta_prime must be at least delta = 0.001; got 0.0001"):
        probabilistic.probabilistic_epsilon(1e-4)


def test_groups_and_relations() -> None:
    assert g.group_privacy(g.PureDP(epsilon=0.5), 3) == g.PureDP(epsilon=1.5)
    assert g.group_privacy(g.ZeroConcentratedDP(rho=0.5), 3) == g.ZeroConcentratedDP(rho=4.5)
    group = g.group_privacy(g.ApproximateDP(epsilon=0.0, delta=1e-6), 4)
    assert group == g.ApproximateDP(epsilon=0.0, delta=4e-6)
    assert g.ApproximateDP(epsilon=500.0, delta=1e-6).for_group(2).delta == 1.0
    assert g.ApproximateDP(epsilon=500.0, delta=0.0).for_group(2).delta == 0.0
    assert g.ApproximateDP(epsilon=701.0, delta=1e-6).for_group(1).delta == 1e-6
    assert isinstance(g.ProbabilisticDP(epsilon=1.0, delta=0.1).for_group(2), g.ApproximateDP)
    assert isinstance(g.ProbabilisticDP(epsilon=1.0, delta=0.1).for_group(1), g.ProbabilisticDP)
    bounded = g.replace_from_add_or_remove(g.ZeroConcentratedDP(rho=0.5))
    assert bounded == g.ZeroConcentratedDP(rho=2.0, relation=g.Relation.REPLACE)
    with pytest.raises(ValueError, match="guarantee must be for added or removed records; got 'replace'"):
        g.replace_from_add_or_remove(bounded)


@each("epsilon, delta, people", [(400.0, 1e-250, 2), (0.001, 1e-320, 720_000)])
def test_the_delta_of_a_group_is_an_upper_bound_where_its_factor_overflows(
    epsilon: float, delta: float, people: int
) -> None:
    exact = mpmath.mpf(delta) * mpmath.expm1(people * mpmath.mpf(epsilon)) / mpmath.expm1(epsilon)
    found = g.ApproximateDP(epsilon=epsilon, delta=delta).for_group(people).delta
    assert exact <= found <= exact * (1 + 1e-11)


@each("kind", [g.ApproximateDP, g.ProbabilisticDP])
def test_no_epsilon_is_needed_where_delta_is_one(kind: Any) -> None:
    assert kind(epsilon=1.0, delta=1.0).epsilon_at(1.0) == 0.0
    assert kind(epsilon=1.0, delta=1.0).epsilon_at(0.5) == math.inf


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: g.PureDP(epsilon=-1.0), "epsilon must be at least 0 and finite; got -1.0"),
        (lambda: g.PureDP(epsilon=math.nan), "epsilon must be at least 0 and finite; got nan"),
        (lambda: g.PureDP(epsilon="1"), "epsilon must be a number, not text; got '1'"),  # type: ignore[arg-type]
        (lambda: g.ApproximateDP(epsilon=1.0, delta=1.5), r"delta must lie in \[0, 1\]; got 1.5"),
        (lambda: g.ProbabilisticDP(epsilon=1.0, delta=-0.1), r"delta must lie in \[0, 1\]; got -0.1"),
        (lambda: g.ZeroConcentratedDP(rho=True), "rho must be a number; got True"),
        (lambda: g.PureDP(epsilon=1.0).for_group(0), "records must be a whole number of at least 1; got 0"),
        (
            lambda: g.probabilistic_epsilon_from_approximate(epsilon=1, delta=0.01, delta_prime=0.01),
            "delta_prime must exceed delta; got 0.01",
        ),
        (
            lambda: g.one_sided_epsilon_from_approximate(epsilon=1, delta=0.01, delta_prime=0.001),
            "delta_prime must exceed delta; got 0.001",
        ),
        (
            lambda: g.probabilistic_delta_from_approximate(epsilon=1, delta=0.01, epsilon_prime=1.0),
            "epsilon_prime must exceed epsilon; got 1.0",
        ),
        (
            lambda: g.approximate_epsilon_from_probabilistic(epsilon_prime=0.1, delta=0.009, delta_prime=0.01),
            r"epsilon_prime must be at least log\(\(delta' \+ delta\)/\(delta' - delta\)\); got 0.1",
        ),
        (
            lambda: g.approximate_epsilon_from_one_sided(epsilon_prime=0.1, delta=0.009, delta_prime=0.01),
            r"epsilon_prime must be at least -log\(1 - delta/delta'\); got 0.1",
        ),
        (lambda: g.approximate_epsilon_from_rho(rho=1.0, delta=0.0), r"delta must lie in \(0, 1\]; got 0.0"),
        (
            lambda: g.probabilistic_epsilon_from_rho(rho=1.0, delta_prime=1.0),
            r"delta_prime must lie in \(0, 1\); got 1.0",
        ),
        (
            lambda: g.rho_from_probabilistic(epsilon_prime=0.0, delta_prime=0.1),
            "epsilon_prime must be greater than 0 and finite; got 0.0",
        ),
        (
            lambda: g.approximate_epsilon_from_concentrated(concentrated_epsilon=1e200, delta=0.1),
            r"concentrated_epsilon must lie in \(0, 1e\+150\]; got 1e\+200",
        ),
        (
            lambda: g.group_privacy(3, 2),  # type: ignore[arg-type]
            r"guarantee must be a guarantee such as PureDP\(epsilon=1.0\); got 3",
        ),
        (
            lambda: g.replace_from_add_or_remove(3),  # type: ignore[arg-type]
            r"guarantee must be a guarantee such as PureDP\(epsilon=1.0\); got 3",
        ),
    ],
)
def test_a_refusal_names_the_argument_the_rule_and_the_value(call: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        call()


def test_without_a_budget_nothing_is_learned() -> None:
    assert g.approximate_epsilon_from_rho(rho=0.0, delta=1e-6) == 0.0
    assert g.approximate_epsilon_from_rho_refined(rho=0.0, delta=1e-6) == 0.0
    assert g.approximate_epsilon_from_rho_best_order(rho=0.0, delta=1e-6) == 0.0
    assert g.approximate_delta_from_rho_best_order(rho=0.0, epsilon=0.0) == 0.0
    assert g.probabilistic_epsilon_from_rho(rho=0.0, delta_prime=0.1) == 0.0
    assert g.probabilistic_epsilon_from_rho_published(rho=0.0, delta_prime=0.1) == 0.0
    assert g.gaussian_probabilistic_epsilon(rho=0.0, delta_prime=0.1) == 0.0
    assert g.gaussian_delta(epsilon=0.0, rho=0.0) == 0.0
    assert g.gaussian_epsilon(rho=0.0, delta=1e-6) == 0.0


def test_a_pure_guarantee_has_no_failure_to_pay_for() -> None:
    assert g.probabilistic_epsilon_from_approximate(epsilon=1.5, delta=0.0, delta_prime=0.0) == 1.5
    assert g.probabilistic_delta_from_approximate(epsilon=1.5, delta=0.0, epsilon_prime=1.5) == 0.0


def test_the_probability_over_every_view_inverts_the_bound_and_exceeds_the_raw_output() -> None:
    for rho, shift in ((0.3, 2.3), (0.01, 0.2), (4.0, 9.0)):
        most = g.gaussian_every_view_exceedance(rho=rho, epsilon_prime=shift)
        assert g.gaussian_epsilon_every_view(rho=rho, delta_prime=most) == pytest.approx(shift, rel=1e-9)
        assert most > mpmath.ncdf((rho - shift) / math.sqrt(2 * rho))
    with pytest.raises(ValueError, match=r"rho must be greater than 0 and finite; got 0.0"):
        g.gaussian_every_view_exceedance(rho=0.0, epsilon_prime=1.0)
    with pytest.raises(ValueError, match=r"epsilon_prime must be greater than 0 and finite; got 0.0"):
        g.gaussian_every_view_exceedance(rho=1.0, epsilon_prime=0.0)


@each(
    "rho, shift, most", [(1000.0, 800.0, 0.9999993398206113), (0.3, 1e-17, 1.0), (1e-20, 0.1, 0.0), (3.0, 100.0, 0.0)]
)
def test_the_probability_over_every_view_is_there_for_large_and_for_tiny_shifts(
    rho: float, shift: float, most: float
) -> None:
    assert g.gaussian_every_view_exceedance(rho=rho, epsilon_prime=shift) == pytest.approx(most, rel=1e-13, abs=0)
    if 0 < most < 1:  # the root, in mpmath
        with mpmath.workdps(40):
            quantile = mpmath.findroot(lambda t: mpmath.ncdf(t) - most, 5.0)
            ratio = mpmath.log(most / mpmath.ncdf(quantile - mpmath.sqrt(2 * rho)))
        assert ratio == pytest.approx(shift, rel=1e-9)
