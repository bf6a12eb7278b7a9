"""Promises of dpcore.totals.release."""

from __future__ import annotations

import itertools
import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import brentq

from dpcore.errors import Refused
from dpcore.mechanisms import DiscreteGaussian, Geometric
from dpcore.totals import (
    RULES,
    clamping_bias,
    draw_noise,
    release_additive,
    released_totals,
    simulate_releases,
    summed_noise_log_pmf,
    summed_noise_variance,
    truncated_noise_variance,
)
from tests.each import each


def test_one_term_is_the_geometric_mechanism() -> None:
    values = np.array([-40, -3, 0, 7])
    assert summed_noise_log_pmf(values, epsilons=[0.3]) == pytest.approx(
        Geometric(epsilon=0.3).log_pmf(values), rel=1e-12
    )


def test_the_summed_law_is_exact_in_rational_arithmetic() -> None:
    # decays 1/2 and 1/3: P(sum = s) by summing a^|u| b^|s - u| over a range that leaves out less than 1e-30
    half, third = Fraction(1, 2), Fraction(1, 3)
    for value in (0, 1, 25):
        mass = sum(half ** abs(u) * third ** abs(value - u) for u in range(-120, 150))
        exact = mass * Fraction(1, 3) * Fraction(1, 2)  # (1 - a)/(1 + a)
        assert summed_noise_log_pmf(value, epsilons=[math.log(2), math.log(3)]) == pytest.approx(
            math.log(exact), rel=1e-13
        )


def test_far_tails_keep_their_relative_accuracy_on_either_scale() -> None:
    # f(s + 1)/f(s) tends to a from above as the number of terms is felt less and less
    values = np.array([100, 1000, 1001, 5000, 5001])
    logs = summed_noise_log_pmf(values, epsilons=[1.0] * 3)
    # three equal terms: f(s) = a^s times a quadratic in s, so third differences of f(s) a^-s vanish
    assert logs[2] - logs[1] == pytest.approx(-1 + 2 * math.log(1001.5 / 1000.5), abs=1e-5)
    assert logs[4] - logs[3] == pytest.approx(-1 + 2 * math.log(5001.5 / 5000.5), abs=1e-6)


def test_the_summed_total_maximises_the_product_of_the_two_laws() -> None:
    generator = np.random.default_rng(2)
    candidates = np.arange(120)
    for _ in range(60):
        budgets = generator.uniform(0.2, 3, generator.integers(1, 6))
        own = generator.uniform(0.05, 2)
        noisy, summed = generator.integers(-5, 60, 2)
        score = -own * np.abs(noisy - candidates) + summed_noise_log_pmf(summed - candidates, epsilons=budgets)
        assert released_totals(noisy, summed, epsilon_total=own, epsilon_parts=budgets) == candidates[score.argmax()]


def test_the_moments_of_the_noise_are_closed_forms() -> None:
    noise = np.arange(-3000, 3001)
    pmf = np.asarray(Geometric(epsilon=0.2).pmf(noise))
    assert summed_noise_variance([0.2, 0.2]) == pytest.approx(2 * noise**2 @ pmf)
    assert truncated_noise_variance(0.2, limit=3000) == pytest.approx(noise**2 @ pmf)
    assert clamping_bias(4, epsilon=0.2) == pytest.approx(np.maximum(0, 4 + noise) @ pmf - 4)
    assert clamping_bias([0, 4], epsilon=0.2).shape == (2,)


def test_undefined_and_empty_cases_are_released_as_documented() -> None:
    assert release_additive(-2, [3, 4]).parts == (0, 0)
    assert release_additive(5, [-1, -3]).parts in ((2, 3), (3, 2))
    assert release_additive(9, [4]).parts == (9,)
    assert release_additive(20, [5, -4, 11, 0]).parts == (6, 0, 14, 0)
    assert release_additive(6, [5, -3, 2, 0], rule="L2 + largest remainder").parts == (5, 0, 1, 0)
    assert release_additive(11, [1, 9], rule="Webster").largest == 10


def test_the_flavours_differ_only_when_the_parts_have_the_larger_budgets() -> None:
    budgets = {"epsilon_total": 0.1, "epsilon_parts": 5.0}
    assert release_additive(30, [5, 5], flavour="independent", **budgets).total == 30
    assert release_additive(30, [5, 5], flavour="summed", **budgets).total == 10
    assert release_additive(30, [5, 5], flavour="summed", epsilon_total=1, epsilon_parts=1).total == 30


@pytest.mark.parametrize("rule", RULES[:3])
def test_a_simulated_row_is_the_single_release(rule: str) -> None:
    drawn = simulate_releases([9, 4, 1, 0], epsilon_total=0.5, epsilon_parts=0.5, rule=rule, size=200, seed=4)
    for total, parts, noisy_total, noisy in zip(
        drawn.totals, drawn.parts, drawn.noisy_totals, drawn.noisy_parts, strict=True
    ):
        single = release_additive(int(noisy_total), noisy, rule=rule)
        assert single.total == total == parts.sum()
        if rule != RULES[2]:  # there the tied units fall at random
            assert single.parts == tuple(parts)


def test_two_rules_with_one_seed_see_the_same_noise() -> None:
    first, second = (
        simulate_releases([9, 4, 1], epsilon_total=1, epsilon_parts=1, rule=rule, size=9, seed=1) for rule in RULES[:2]
    )
    assert (first.noisy_parts == second.noisy_parts).all()


def test_random_ties_leave_equal_parts_equal_on_average() -> None:
    drawn = simulate_releases([3, 3], epsilon_total=1, epsilon_parts=8, ties="random", size=4000, seed=1)
    assert drawn.parts[:, 0].mean() == pytest.approx(drawn.parts[:, 1].mean(), abs=0.1)


def test_noise_draws_have_the_variance_of_their_budget() -> None:
    drawn = draw_noise(epsilon=[0.5, 2.0], cells=2, size=40_000, seed=3)
    assert drawn[:, 0].var() == pytest.approx(Geometric(epsilon=0.5).variance, rel=0.05)
    assert drawn[:, 1].var() == pytest.approx(Geometric(epsilon=2.0).variance, rel=0.1)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: release_additive(5, []), "noisy_parts must be a list of at least one count"),
        (lambda: release_additive(5, [1, 2.5]), "noisy_parts must be whole numbers; got 2.5"),
        (lambda: release_additive(2.5, [1, 2]), "noisy_total must be a whole number"),
        (lambda: release_additive(5, [1, 2], flavour="both"), "flavour must be one of 'independent', 'summed'"),
        (lambda: release_additive(5, [1, 2], rule="proportional share"), "rule must be one of 'multinomial mode'"),
        (lambda: release_additive(5, [1, 2], ties="coin"), "ties must be one of 'finucan_first_index'"),
        (
            lambda: released_totals(1.5, 2, epsilon_total=1, epsilon_parts=1),
            "noisy_total must be whole numbers; got 1.5",
        ),
        (lambda: released_totals(1, 2, epsilon_total=0, epsilon_parts=1), "epsilon_total must be greater than 0"),
        (lambda: summed_noise_log_pmf(0.5, epsilons=[1]), "value must be whole numbers; got 0.5"),
        (lambda: summed_noise_log_pmf(0, epsilons=[]), "epsilons must be a list of at least one budget"),
        (lambda: summed_noise_variance([0.0]), "epsilons must be greater than 0 and finite; got 0"),
        (lambda: truncated_noise_variance(1, limit=-1), "limit must be a whole number from 0 to 10000000; got -1"),
        (lambda: clamping_bias(-1, epsilon=1), "true must be at least 0 and finite; got -1"),
        (lambda: clamping_bias(0.5, epsilon=1), "true must be whole numbers; got 0.5"),
        (lambda: simulate_releases([1], epsilon_total=1, epsilon_parts=1, rule="best"), "rule must be one of"),
        (lambda: draw_noise(epsilon=1, cells=0, size=1, seed=1), "cells must be a whole number of at least 1; got 0"),
    ],
)
def test_bad_releases_are_refused(call, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        call()


@pytest.mark.parametrize("values", [[0, 1000, 4000], [0, 130_000]], ids=["near", "far in the tail"])
def test_many_small_budgets_stay_in_the_range_of_floats(values: list[int]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        logs = summed_noise_log_pmf(values, epsilons=[0.01] * 200)
    # saddle point: the sum of 200 noises with generating function ((1-a)^2 / ((1-a e^t)(1-a e^-t)))^200
    a = math.exp(-0.01)
    for value, found in zip(values, logs, strict=True):

        def mean(t: float) -> float:
            return 200 * (a * math.exp(t) / (1 - a * math.exp(t)) - a / (math.exp(t) - a))

        tilt = brentq(lambda t, at=value: mean(t) - at, 0.0, 0.0099999)
        log_moment = 200 * (2 * math.log1p(-a) - math.log1p(-a * math.exp(tilt)) - math.log1p(-a * math.exp(-tilt)))
        up, down = a * math.exp(tilt), a * math.exp(-tilt)
        variance = 200 * (up / (1 - up) ** 2 + down / (1 - down) ** 2)
        assert found == pytest.approx(log_moment - tilt * value - math.log(2 * math.pi * variance) / 2, abs=0.01)


@pytest.mark.parametrize("rhos", [[0.5] * 4, [0.1, 0.1, 2.0], [0.03], [1.0] * 20])
@pytest.mark.parametrize("own", [0.02, 0.4, 3.0])
def test_the_summed_total_with_discrete_gaussian_noise_maximises_the_product_of_the_two_laws(rhos, own) -> None:
    """The law of the sum multiplied out, the likeliest total by looking at all; of equals the nearest to the noisy."""
    noises = [DiscreteGaussian(rho=rho) for rho in rhos]
    law = np.ones(1)
    for noise in noises:
        law = np.convolve(law, np.exp(np.asarray(noise.log_pmf(np.arange(-60.0, 61.0)))))
    middle, totals = len(law) // 2, np.arange(60)
    for total, parts in itertools.product((0, 3, 20, 31), (-6, 2, 20, 33)):
        at = middle + parts - totals
        with np.errstate(divide="ignore"):
            logs = np.log(np.where((at >= 0) & (at < len(law)), law[np.clip(at, 0, len(law) - 1)], 0.0))
        logs = logs - own * (total - totals) ** 2
        best = totals[logs > logs.max() - 1e-9]
        wanted = best[np.argmin(np.abs(best - total))]
        assert released_totals(total, parts, noise_total=DiscreteGaussian(rho=own), noise_parts=noises) == wanted


def test_a_sum_of_discrete_gaussian_parts_can_always_move_the_total() -> None:
    """With geometric noise it cannot, where the total's budget is no smaller than a part's (step 3' = step 3)."""
    noise = DiscreteGaussian(rho=0.1)
    sums = np.arange(0, 60, 12)
    moved = released_totals(0, sums, noise_total=noise, noise_parts=[noise] * 5)
    assert moved.tolist() == [0, 2, 4, 6, 8]  # a sixth of the way, as the variances weigh
    assert (released_totals(0, sums, epsilon_total=1.0, epsilon_parts=[1.0] * 5) == 0).all()


def test_releases_with_discrete_gaussian_noise_add_up_and_are_those_of_one_at_a_time() -> None:
    noises = {"noise_total": DiscreteGaussian(rho=0.05), "noise_parts": DiscreteGaussian(rho=0.5)}
    drawn = simulate_releases([40, 9, 1], **noises, flavour="summed", size=4000, seed=3)
    assert (drawn.parts.sum(axis=1) == drawn.totals).all()
    assert drawn.noisy_totals.var() == pytest.approx(noises["noise_total"].variance, rel=0.1)
    assert drawn.noisy_parts.var(axis=0) == pytest.approx(np.full(3, noises["noise_parts"].variance), rel=0.1)
    assert (drawn.totals != np.maximum(0, drawn.noisy_totals)).any()
    for i in range(20):
        one = release_additive(int(drawn.noisy_totals[i]), drawn.noisy_parts[i], flavour="summed", **noises)
        assert (one.total, one.parts) == (drawn.totals[i], tuple(drawn.parts[i].tolist()))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"epsilon_total": 1.0, "noise_parts": DiscreteGaussian(rho=1.0)}, "noise_parts must be of the same kind"),
        ({"noise_total": DiscreteGaussian(rho=1.0)}, "epsilon_parts must be given, or else a noise"),
        ({"epsilon_parts": 1.0}, "epsilon_total must be given, or else a noise"),
    ],
)
def test_one_kind_of_noise_is_asked_for_the_total_and_its_parts(given, said: str) -> None:
    with pytest.raises(Refused, match=said):
        simulate_releases([4, 1], **given)


def test_a_list_of_one_noise_draws_each_cell_anew() -> None:
    noise = DiscreteGaussian(rho=0.01)
    drawn = draw_noise(noise=[noise], cells=3, size=2000, seed=1)
    assert drawn.shape == (2000, 3)
    assert np.abs(np.corrcoef(drawn.T) - np.eye(3)).max() < 0.1


def test_noise_wider_than_64_bits_is_refused() -> None:
    for draw in (
        lambda: draw_noise(epsilon=[1.0, 1e-20], cells=2, size=2, seed=1),
        lambda: Geometric(epsilon=1e-20).simulate_noise(2, seed=1),
    ):
        with pytest.raises(Refused, match="epsilon must be at least 1e-16 a unit of sensitivity; got 1e-20"):
            draw()


@each(
    "call, said",
    [
        (
            lambda: released_totals([1, 2], [1, 2, 3], epsilon_total=1, epsilon_parts=1),
            "noisy_total and noisy_sum must",
        ),
        (lambda: clamping_bias([1, 2], epsilon=[1, 2, 3]), "true and epsilon must have shapes that go together"),
        (lambda: released_totals(1e300, 5, epsilon_total=1, epsilon_parts=[1]), r"noisy_total must be at most 2\^40"),
        (lambda: released_totals(0, 2, epsilon_total=1, epsilon_parts=[]), "epsilon_parts must be one number or one"),
        (lambda: released_totals(0, 2, epsilon_total=1, epsilon_parts=[-1]), "epsilon_parts must be greater than 0"),
        (lambda: released_totals(0, 10**8, epsilon_total=0.1, epsilon_parts=[1.0]), "partial sums must take at most"),
        (lambda: released_totals(0, 10**12, epsilon_total=0.1, epsilon_parts=[1.0]), "partial sums must take at most"),
        (
            lambda: released_totals(
                0, 10**12, noise_total=DiscreteGaussian(rho=0.1), noise_parts=[DiscreteGaussian(rho=1.0)]
            ),
            "partial sums must take at most",
        ),
        (
            lambda: draw_noise(epsilon=0.5, noise=Geometric(epsilon=1), cells=1, size=1, seed=1),
            "epsilon must be given a",
        ),
    ],
)
def test_numbers_that_do_not_fit_are_refused(call, said: str) -> None:
    with pytest.raises(Refused, match=said):
        call()
