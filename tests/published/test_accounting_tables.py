"""The accounting tables: one plan, every conversion, at delta 1e-6, to the digits of the checked note."""

from __future__ import annotations

import math

import pytest

from dpcore.composition import ReleasePlan, optimal_epsilon
from dpcore.guarantees import (
    PureDP,
    ZeroConcentratedDP,
    approximate_epsilon_from_rho,
    approximate_epsilon_from_rho_best_order,
)
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, RandomizedResponse
from dpcore.privacy_loss import ExactPosterior, PrivacyLoss

DELTA = 1e-6

PURE = {  # k: basic, zCDP simple, zCDP best order, optimal, Laplace exact
    7: (0.700, 0.700, 0.700, 0.700, 0.700),
    30: (3.000, 3.000, 2.673, 2.346, 2.298),
    58: (5.800, 4.293, 3.847, 3.469, 3.404),
    365: (36.50, 11.87, 11.07, 10.31, 10.13),
    10_000: (1000, 102.6, 100.7, 96.57, 94.24),
}
GAUSSIAN = {  # k: basic of exact (eps, delta/k), zCDP simple, zCDP best order, exact
    1: (0.575, 0.753, 0.622, 0.575),
    7: (4.44, 2.037, 1.765, 1.642),
    30: (20.3, 4.372, 3.920, 3.662),
    58: (40.3, 6.241, 5.680, 5.318),
    365: (271, 17.85, 16.87, 15.92),
    10_000: (8235, 174.3, 172.2, 166.4),
}


def _agrees(value: float, printed: float) -> bool:
    """Within half a unit of the fourth digit printed, or the third where only three are."""
    digits = len(str(printed).replace(".", "").lstrip("0")) if printed < 1000 else 4
    unit = 10.0 ** (math.floor(math.log10(printed)) - digits + 1)
    return abs(value - printed) <= 0.5 * unit * (1 + 1e-9) + 1e-9


@pytest.mark.parametrize("k", PURE)
def test_pure_releases_of_a_tenth_reproduce_the_table(k: int) -> None:
    basic, simple, best, optimal, laplace = PURE[k]
    plan = ReleasePlan.repeated(PureDP(epsilon=0.1), k)
    rho = plan.concentrated().rho
    total = plan.basic(DELTA).epsilon
    assert total == pytest.approx(basic)
    assert min(total, approximate_epsilon_from_rho(rho=rho, delta=DELTA)) == pytest.approx(simple, rel=1e-3)
    assert min(total, approximate_epsilon_from_rho_best_order(rho=rho, delta=DELTA)) == pytest.approx(best, rel=1e-3)
    for value in (
        optimal_epsilon(releases=k, epsilon=0.1, total_delta=DELTA),
        PrivacyLoss.of(RandomizedResponse(epsilon=0.1), k).epsilon_at(DELTA),
        PrivacyLoss.of(Geometric(epsilon=0.1), k).epsilon_at(DELTA),
    ):
        assert _agrees(value, optimal)
    assert _agrees(PrivacyLoss.of(Laplace(epsilon=0.1), k).epsilon_at(DELTA), laplace)


@pytest.mark.parametrize("k", GAUSSIAN)
def test_gaussian_releases_of_a_hundredth_reproduce_the_table(k: int) -> None:
    basic, simple, best, exact = GAUSSIAN[k]
    plan = ReleasePlan.repeated(Gaussian(rho=0.01), k)
    assert plan.basic(DELTA).epsilon == pytest.approx(basic, rel=2e-3)
    assert approximate_epsilon_from_rho(rho=plan.concentrated().rho, delta=DELTA) == pytest.approx(simple, rel=1e-3)
    guarantee = ZeroConcentratedDP(rho=plan.concentrated().rho)
    assert guarantee.epsilon_at(DELTA) == pytest.approx(best, rel=1e-3)
    assert _agrees(plan.exact_epsilon(DELTA), exact)
    discrete = PrivacyLoss.of(DiscreteGaussian(rho=0.01), k).epsilon_at(DELTA)
    assert discrete == pytest.approx(plan.exact_epsilon(DELTA), abs=3e-4)


def test_a_count_of_sensitivity_five_is_nearly_laplace() -> None:
    assert PrivacyLoss.of(Geometric(epsilon=0.1, sensitivity=5), 365).epsilon_at(DELTA) == pytest.approx(
        10.133, abs=5e-4
    )


@pytest.mark.parametrize(("day", "every_view", "exact"), [(7, 74.3, 71.9), (30, 91.2, 89.1), (58, 96.8, 95.6)])
def test_the_gaussian_belief_by_day_reproduces_the_table(day: int, every_view: float, exact: float) -> None:
    loss = PrivacyLoss.of(Gaussian(rho=0.01), day)
    assert 100 * ExactPosterior(loss, prior=0.5).every_view(0.01) == pytest.approx(every_view, abs=0.05)
    assert 100 * ExactPosterior(loss, prior=0.5).quantile(0.99) == pytest.approx(exact, abs=0.05)


def test_the_median_of_365_discrete_gaussians_is_exact_inside_published_roundings() -> None:
    loss = PrivacyLoss.of(DiscreteGaussian(rho=0.01), 365)
    median = ExactPosterior(loss, prior=0.5).quantile(0.5)
    assert 0.97419 < median < 0.97509
    assert median == pytest.approx(0.97467, abs=5e-6)
