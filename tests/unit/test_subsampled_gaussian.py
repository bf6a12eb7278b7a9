"""Training with noisy gradients: brackets of its curve, held against another library, closed forms and quadrature."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import norm

from dpcore.errors import Refused
from dpcore.guarantees import ApproximateDP, gaussian_delta
from dpcore.mechanisms import SubsampledGaussian
from dpcore.mechanisms._certified import BoundedSum, Cells
from dpcore.privacy_loss import PrivacyLoss
from dpcore.tradeoff import trade_off

TRAINED = SubsampledGaussian(noise_multiplier=1.0, rate=0.01, steps=1000)


def test_a_usual_point_says_86_where_the_curve_says_58() -> None:
    low, high = TRAINED.epsilon_bounds(1e-5)
    assert 1.828 < low <= high < 1.830
    point = trade_off(ApproximateDP(epsilon=1.829, delta=1e-5)).right_guess()
    assert round(100 * point) == 86
    low, high = TRAINED.delta_bounds(0.0)
    assert round(50 * (1 + low)) == round(50 * (1 + high)) == 58
    assert high * (1 - 1e-13) <= trade_off(TRAINED).advantage() < high + 1e-5  # from sums of its losses


@pytest.mark.parametrize(("sigma", "steps"), [(1.0, 1), (5.0, 1), (4.0, 30), (30.0, 1000)])
def test_without_sampling_it_is_gaussian_noise(sigma: float, steps: int) -> None:
    whole, rho = SubsampledGaussian(noise_multiplier=sigma, rate=1.0, steps=steps), steps / (2 * sigma**2)
    for target in (0.3, 1e-3, 1e-6, 1e-10):
        for worlds in ("add", "remove"):
            low, high = whole.epsilon_bounds(target, worlds=worlds)
            exact_low, exact_high = (gaussian_delta(epsilon=at, rho=rho) for at in (high, low))
            assert exact_low <= target * (1 + 1e-6)
            assert exact_high >= target * (1 - 1e-6) or low == 0.0
            assert high - low <= 2e-3 * max(high, 0.1)


def one_step(sigma: float, rate: float, epsilon: float, worlds: str) -> float:
    """The divergence of one step at the threshold of its loss, which rises with the output."""
    without, drawn = norm(0, sigma), norm(1, sigma)
    if worlds == "remove":
        x = sigma**2 * math.log((math.exp(epsilon) - 1 + rate) / rate) + 0.5
        with_record = (1 - rate) * without.sf(x) + rate * drawn.sf(x)
        return float(with_record - math.exp(epsilon) * without.sf(x))
    if math.exp(-epsilon) <= 1 - rate:
        return 0.0
    x = sigma**2 * math.log((math.exp(-epsilon) - 1 + rate) / rate) + 0.5
    with_record = (1 - rate) * without.cdf(x) + rate * drawn.cdf(x)
    return float(without.cdf(x) - math.exp(epsilon) * with_record)


@pytest.mark.parametrize(("rate", "target"), [(0.01, 1e-5), (0.001, 1e-6), (0.1, 1e-9)])
def test_the_epsilon_of_few_rare_steps_is_near_that_of_one_step_and_rises(rate: float, target: float) -> None:
    alone, *more = (SubsampledGaussian(noise_multiplier=1.0, rate=rate, steps=steps) for steps in (1, 2, 5, 20))
    exact = brentq(lambda epsilon: one_step(1.0, rate, epsilon, "remove") - target, 0.0, 20.0, xtol=1e-12)
    low, high = alone.epsilon_bounds(target, worlds="remove")
    assert low <= exact * (1 + 1e-9)
    assert high >= exact * (1 - 1e-9)
    assert high - low < 1e-4 * high
    for longer in more:
        assert high < longer.epsilon_bounds(target, worlds="remove")[0]
        low, high = longer.epsilon_bounds(target, worlds="remove")
        assert high - low < 1e-4 * high


@settings(max_examples=40, deadline=None)
@given(sigma=st.floats(0.3, 6.0), rate=st.floats(0.001, 0.97), epsilon=st.floats(0.0, 3.0))
def test_one_step_lies_between_the_bounds(sigma: float, rate: float, epsilon: float) -> None:
    one = SubsampledGaussian(noise_multiplier=sigma, rate=rate)
    for worlds in ("add", "remove"):
        truth = one_step(sigma, rate, epsilon, worlds)
        low, high = one.delta_bounds(epsilon, worlds=worlds)
        assert low - 1e-14 <= truth <= high + 1e-14
        assert high - low < 1e-3


@settings(max_examples=80, deadline=None)
@given(seed=st.integers(0, 10**6), step=st.floats(0.02, 0.5), count=st.integers(1, 3))
def test_cells_bound_the_sums_of_any_losses_in_them(seed: int, step: float, count: int) -> None:
    """Outputs at random losses, whose sums are listed; their cells know the mass of both laws and nothing else."""
    rng = np.random.default_rng(seed)
    loss = np.sort(rng.normal(0, 0.6, 7))
    p = rng.dirichlet(np.full(7, 0.5))
    shift = math.log((p * np.exp(-loss)).sum())  # so that the other law has mass one
    loss = loss + shift
    first = math.floor(loss[0] / step)
    at = np.floor(loss / step).astype(int) - first
    masses = [np.bincount(at, law) for law in (p, p * np.exp(-loss))]
    nothing = np.zeros(masses[0].size)
    cells = Cells(step, first, *masses, nothing, nothing, 0.0, 0.0, 0.0)
    sums, weights = np.zeros(1), np.ones(1)
    for _ in range(count):
        sums, weights = np.add.outer(sums, loss).ravel(), np.multiply.outer(weights, p).ravel()
    epsilon = np.linspace(0.0, 2.5, 26)
    truth = (weights * np.maximum(-np.expm1(epsilon[:, None] - sums), 0.0)).sum(axis=-1)
    above, below = (BoundedSum.of(cells, count, side).delta(epsilon) for side in ("above", "below"))
    assert (below <= truth + 1e-13).all()
    assert (truth <= above + 1e-13).all()


@pytest.mark.parametrize("count", [2, 7, 40, 300])
def test_what_a_transform_rounds_is_within_what_is_counted_for_it(count: int) -> None:
    """Beside sums convolved term by term with more digits."""
    mass = np.random.default_rng(count).dirichlet(np.full(9, 0.4))
    summed = BoundedSum(0.1, -4, mass, 0.0, count, "above")
    start, log_scale, above, _, rounding, _ = summed._tilted_sum(0.0)
    exact = np.ones(1, dtype=np.longdouble)
    for _ in range(count):
        exact = np.convolve(exact, mass.astype(np.longdouble))
    first = round(start / 0.1) + 4 * count
    off = -np.diff(above) - exact[first : first + above.size - 1]
    assert float(np.sqrt((off**2).sum())) <= rounding < 1e-10
    assert abs(log_scale) < 1e-12
    assert float(exact.sum() - exact[first : first + above.size - 1].sum()) < 2.1 * math.exp(-34)


@pytest.mark.parametrize(("steps", "cells"), [(2, 2000), (3, 200)])
def test_few_steps_lie_between_the_bounds_by_enumeration(steps: int, cells: int) -> None:
    """Told in which of many cells each output lies, an observer knows hardly less: all combinations of cells."""
    sigma, rate = 0.9, 0.4
    edges = sigma * np.linspace(-6.0, 7.5, cells + 1)
    absent, drawn = (np.diff(norm.cdf(edges, centre, sigma)) for centre in (0.0, 1.0))
    present = (1 - rate) * absent + rate * drawn
    ours = SubsampledGaussian(noise_multiplier=sigma, rate=rate, steps=steps)
    for worlds, (p, q) in {"remove": (present, absent), "add": (absent, present)}.items():
        all_p, all_q = p, q
        for _ in range(steps - 1):
            all_p, all_q = np.multiply.outer(all_p, p), np.multiply.outer(all_q, q)
        for at in (0.0, 0.4, 1.0):
            told = float(np.maximum(all_p - math.exp(at) * all_q, 0.0).sum())
            low, high = ours.delta_bounds(at, worlds=worlds)
            assert told <= high
            assert low <= told * 1.002 + 1e-8


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("sigma", "rate", "steps", "interval"),
    [(1.0, 0.01, 1000, 2e-4), (0.7, 0.002, 5000, 1e-4), (2.0, 0.2, 100, 5e-4), (1.1, 0.05, 30, 5e-4)],
)
def test_dp_accounting_lies_in_the_bracket(sigma: float, rate: float, steps: int, interval: float) -> None:
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    theirs = pld.from_gaussian_mechanism(
        sigma, value_discretization_interval=interval, sampling_prob=rate, use_connect_dots=True
    ).self_compose(steps)
    ours = SubsampledGaussian(noise_multiplier=sigma, rate=rate, steps=steps)
    for delta in (1e-2, 1e-5, 1e-7):
        low, high = ours.epsilon_bounds(delta)
        assert low - 1e-4 <= theirs.get_epsilon_for_delta(delta) <= high + 1e-4
        assert high - low < 0.004 * max(high, 0.1)


@pytest.mark.oracle
def test_the_bracket_lies_within_that_of_prv_accountant() -> None:
    prv = pytest.importorskip("prv_accountant")
    mechanisms = pytest.importorskip("prv_accountant.privacy_random_variables")
    variable = mechanisms.PoissonSubsampledGaussianMechanism(noise_multiplier=1.0, sampling_probability=0.01)
    accountant = prv.PRVAccountant(prvs=[variable], max_self_compositions=[1000], eps_error=0.05, delta_error=1e-10)
    low, _, high = accountant.compute_epsilon(1e-5, [1000])
    ours = TRAINED.epsilon_bounds(1e-5, worlds="remove")
    assert low - 1e-3 <= ours[0] <= ours[1] <= high + 1e-3


def test_both_directions_are_taken_apart() -> None:
    at = np.array([0.0, 0.5, 1.5])
    add, remove, either = (TRAINED.delta_bounds(at, worlds=worlds)[1] for worlds in ("add", "remove", "either"))
    assert np.maximum(add, remove) == pytest.approx(either)
    assert add[0] == pytest.approx(remove[0], abs=1e-4)  # the advantage has no direction
    assert add[2] < 0.5 * remove[2]


@pytest.mark.parametrize("steps", [1, 40])
def test_more_steps_noise_and_sampling_go_their_ways(steps: int) -> None:
    def high(**chosen: Any) -> float:
        one = {"noise_multiplier": 1.0, "rate": 0.05, "steps": steps} | chosen
        return float(SubsampledGaussian(**one).delta_bounds(0.5)[1])

    own = high()
    assert high(steps=steps + 5) > own > high(noise_multiplier=1.2)
    assert high(rate=0.08) > own


def test_training_adds_up_with_other_releases_as_a_bound() -> None:
    both = PrivacyLoss(((TRAINED, 2),))
    twice = SubsampledGaussian(noise_multiplier=1.0, rate=0.01, steps=2000)
    assert twice.epsilon_bounds(1e-5)[0] <= both.epsilon_at(1e-5) < 1.3 * twice.epsilon_bounds(1e-5)[1]
    assert not both.has_law_of_tails


@pytest.mark.parametrize(
    ("chosen", "name"),
    [
        ({"noise_multiplier": 0.0}, "noise_multiplier"),
        ({"rate": 0.0}, "rate"),
        ({"rate": 1.01}, "rate"),
        ({"steps": 0}, "steps"),
    ],
)
def test_what_is_no_training_is_refused(chosen: dict[str, Any], name: str) -> None:
    with pytest.raises(Refused, match=f"^{name} must"):
        SubsampledGaussian(**({"noise_multiplier": 1.0, "rate": 0.1} | chosen))


@pytest.mark.parametrize(
    ("sigma", "rate", "steps"),
    [(0.1, 0.5, 1), (0.1, 0.01, 60), (0.5, 0.999999, 3), (50.0, 0.9, 30_000), (1e6, 1.0, 1), (2.0, 1e-4, 10**6)],
)
def test_far_out_the_bounds_stay_in_order_and_near_each_other(sigma: float, rate: float, steps: int) -> None:
    extreme = SubsampledGaussian(noise_multiplier=sigma, rate=rate, steps=steps)
    below, above = extreme.delta_bounds(np.linspace(0.0, 60.0, 13))
    assert (below <= above).all()
    assert (np.diff(above) <= 1e-9).all()
    low, high = extreme.epsilon_bounds(1e-6)
    assert low <= high <= low * 1.004 + 1e-9


@pytest.mark.oracle
def test_where_hardly_anybody_is_drawn_the_upper_bound_is_near() -> None:
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    theirs = pld.from_gaussian_mechanism(
        0.3, value_discretization_interval=3e-4, sampling_prob=1e-5, use_connect_dots=True
    ).self_compose(1000)
    rare, at = SubsampledGaussian(noise_multiplier=0.3, rate=1e-5, steps=1000), np.array([0.0, 1.0, 5.0])
    below, above = rare.delta_bounds(at)
    estimates = np.array(theirs.get_delta_for_epsilon(at))
    assert (below <= estimates * 1.01).all()
    assert above == pytest.approx(estimates, rel=0.02)
