"""Agreement with independent libraries and with simulation: dp-accounting, prv-accountant, riskcal, a million plans."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, RandomizedResponse
from dpcore.privacy_loss import PrivacyLoss

DELTA = 1e-6


@pytest.mark.oracle
@pytest.mark.parametrize("k", [1, 7, 365, 10_000])
def test_discrete_mechanisms_agree_with_dp_accounting(k: int) -> None:
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    common = pytest.importorskip("dp_accounting.pld.common")
    step = 1e-4 if k < 1000 else 1e-3
    theirs = pld.from_discrete_gaussian_mechanism(
        sigma=math.sqrt(50), value_discretization_interval=step, use_connect_dots=True
    ).self_compose(k)
    ours = PrivacyLoss.of(DiscreteGaussian(rho=0.01), k).epsilon_at(DELTA)
    assert theirs.get_epsilon_for_delta(DELTA) == pytest.approx(ours, abs=2e-6)
    eighth = common.DifferentialPrivacyParameters(0.125, 0.0)  # a binary fraction, so that its loss is not rounded up
    response = pld.from_privacy_parameters(eighth, value_discretization_interval=2.0**-6).self_compose(k)
    for source in (RandomizedResponse(epsilon=0.125), Geometric(epsilon=0.125)):
        assert response.get_epsilon_for_delta(DELTA) == pytest.approx(
            PrivacyLoss.of(source, k).epsilon_at(DELTA), abs=2e-6
        )


@pytest.mark.oracle
@pytest.mark.parametrize("k", [1, 7, 365, 10_000])
def test_gaussian_and_laplace_lie_where_dp_accounting_puts_them(k: int) -> None:
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    step = 1e-3
    gaussian = PrivacyLoss.of(Gaussian(rho=0.01), k).epsilon_at(DELTA)
    bounds = [
        pld.from_gaussian_mechanism(
            math.sqrt(50), value_discretization_interval=step, pessimistic_estimate=pessimistic, use_connect_dots=False
        )
        .self_compose(k)
        .get_epsilon_for_delta(DELTA)
        for pessimistic in (False, True)
    ]
    assert bounds[0] - 1e-9 <= gaussian <= bounds[1] + 1e-9
    theirs = pld.from_laplace_mechanism(10.0, value_discretization_interval=step).self_compose(k)
    assert PrivacyLoss.of(Laplace(epsilon=0.1), k).epsilon_at(DELTA) == pytest.approx(
        theirs.get_epsilon_for_delta(DELTA), abs=2e-5 if k < 1000 else 2e-3
    )


@pytest.mark.oracle
@pytest.mark.parametrize("k", [7, 365])
def test_gaussian_and_laplace_lie_in_the_bracket_of_prv_accountant(k: int) -> None:
    prv = pytest.importorskip("prv_accountant")
    mechanisms = pytest.importorskip("prv_accountant.privacy_random_variables")
    for variable, source in (
        (mechanisms.GaussianMechanism(noise_multiplier=math.sqrt(50)), Gaussian(rho=0.01)),
        (mechanisms.LaplaceMechanism(mu=0.1), Laplace(epsilon=0.1)),
    ):
        accountant = prv.PRVAccountant(prvs=[variable], max_self_compositions=[k], eps_error=0.05, delta_error=1e-10)
        low, _, high = accountant.compute_epsilon(DELTA, [k])
        assert low <= PrivacyLoss.of(source, k).epsilon_at(DELTA) <= high


@pytest.mark.oracle
def test_bayes_error_agrees_with_riskcal() -> None:
    """The attacker's advantage is delta at epsilon 0; riskcal reads it off its trade-off curve."""
    pytest.importorskip("riskcal")
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    conversions = pytest.importorskip("riskcal.analysis")
    theirs = pld.from_discrete_gaussian_mechanism(
        sigma=math.sqrt(50), value_discretization_interval=1e-4, use_connect_dots=True
    ).self_compose(30)
    ours = PrivacyLoss.of(DiscreteGaussian(rho=0.01), 30)
    assert conversions.get_advantage_from_pld(theirs) == pytest.approx(ours.delta_at(0.0), abs=1e-6)
    for threshold in (0.5, 1.2):  # the likelihood-ratio test on the trade-off curve
        false_alarm = ours.exceedance(threshold, side="absent")
        missed = ours.loss_cdf(threshold)
        assert float(conversions.get_beta_from_pld(theirs, alpha=false_alarm)) == pytest.approx(missed, abs=1e-5)


FIVE: tuple[tuple[Any, int], ...] = (
    (Gaussian(rho=0.01), 30),
    (Laplace(epsilon=0.1), 10),
    (RandomizedResponse(epsilon=0.2), 5),
    (DiscreteGaussian(rho=0.005), 12),
    (Geometric(epsilon=0.15, sensitivity=3), 20),
)


def _simulated(mechanism: Any, count: int, plans: int, rng: np.random.Generator, *, present: bool) -> np.ndarray:
    """Summed losses of `count` outputs drawn from the mechanism's noise, computed from the noise laws themselves."""
    total = np.zeros(plans)
    for _ in range(count):
        if isinstance(mechanism, RandomizedResponse):
            answers = mechanism.simulate_answers(np.full(plans, 1 if present else 0), seed=rng)
            total += np.where(answers == 1, mechanism.epsilon, -mechanism.epsilon)
            continue
        size = mechanism.sensitivity
        output = mechanism.simulate_noise(plans, seed=rng) + (size if present else 0)
        if isinstance(mechanism, Laplace):
            total += (np.abs(output) - np.abs(output - size)) / mechanism.scale
        elif isinstance(mechanism, Geometric):
            total += (np.abs(output) - np.abs(output - size)) * mechanism.epsilon / size
        else:  # both normal shapes: z^2/(2 sigma^2) with sigma^2 = size^2/(2 rho)
            total += (output**2 - (output - size) ** 2) * mechanism.rho / size**2
    return total


def _largest_gap(plans: int, *, present: bool, points: int) -> float:
    rng = np.random.default_rng(2026 + present)
    losses = sum(_simulated(source, count, plans, rng, present=present) for source, count in FIVE)
    law = PrivacyLoss(FIVE, points)
    at = np.quantile(losses, np.linspace(0.005, 0.995, 60))
    empirical = np.searchsorted(np.sort(losses), at, side="right") / plans
    return float(np.abs(law.loss_cdf(at, side="present" if present else "absent") - empirical).max())


@pytest.mark.parametrize("present", [True, False])
def test_simulated_plans_follow_the_law_on_both_sides(present: bool) -> None:
    plans = 30_000
    assert _largest_gap(plans, present=present, points=1 << 12) < 1.63 / math.sqrt(plans)  # 1 % of Kolmogorov's law


@pytest.mark.study
@pytest.mark.parametrize("present", [True, False])
def test_a_million_simulated_plans_follow_the_law_on_both_sides(present: bool) -> None:
    plans = 1_000_000
    assert _largest_gap(plans, present=present, points=1 << 15) < 1.63 / math.sqrt(plans)
