"""Gong and Meng (2020): figures, formulas and errata that are not one printed number."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpcore.mechanisms import Geometric
from dpcore.totals import (
    concentrated_gamma,
    condition_on_totals,
    copied_record_loss,
    draw_projected,
    posterior_band,
    project_onto_total,
    projected_density,
    totals_of_parts,
)
from riskline.record.works.gong_meng import SEX, VOTING, stationary_acceptance

LINE = np.linspace(-200, 200, 200_001)


def _laplace(scale: float) -> np.ndarray:
    return np.exp(-np.abs(LINE) / scale) / (2 * scale)


@pytest.mark.parametrize("share", [0.5, 0.6, 0.9])
@pytest.mark.parametrize("epsilon", [0.5, 1.0])
def test_the_projected_density_is_the_convolution_of_two_laplace_densities(share: float, epsilon: float) -> None:
    first, second = _laplace(2 * share / epsilon), _laplace(2 * (1 - share) / epsilon)
    size = 2 ** math.ceil(math.log2(2 * len(LINE)))
    step = LINE[1] - LINE[0]
    both = np.fft.irfft(np.fft.rfft(first, size) * np.fft.rfft(second, size), size)[: 2 * len(LINE) - 1] * step
    for error in (0.0, 0.7, 3.0, 10.0):
        at = round((error + 400) / step)
        assert projected_density(error, epsilon=epsilon, share=share) == pytest.approx(both[at], rel=2e-4)


def test_the_average_of_two_laplace_noises_is_the_mixture_itself() -> None:
    # the paper says that a signed Gamma(2) is the sum of two Laplaces; the 50-50 mixture with a Laplace is
    laplace, signed_gamma = 0.5 * np.exp(-1.3), 0.5 * 1.3 * np.exp(-1.3)
    assert projected_density(1.3, epsilon=1.0) == pytest.approx((laplace + signed_gamma) / 2)
    assert projected_density(1.3, epsilon=1.0) != pytest.approx(signed_gamma, rel=0.1)


def test_least_squares_is_centred_at_the_true_cells_and_not_at_their_mean() -> None:
    assert project_onto_total([4.2, 6.5], 10).tolist() == pytest.approx([3.85, 6.15])


def test_figure_1_orders_the_four_methods() -> None:
    generator = np.random.default_rng(2020)
    raw, projected, conditioned = [], [], []
    for table in range(10):
        true = generator.negative_binomial(100, 0.95, 46)
        held = totals_of_parts(SEX, VOTING, true=true)
        draws = draw_projected(true, epsilon=1.0, size=60, seed=table, totals=held)
        projected.append(np.abs(draws - true).sum(axis=1).mean())
        conditioned.append(
            [
                condition_on_totals(true, epsilon=budget, parts=VOTING, crossing=SEX).mean_absolute_error()
                for budget in (0.5, 1.0)
            ]
        )
    raw = [46 * Geometric(epsilon=budget).mean_absolute for budget in (1.0, 0.5)]
    at_half, at_one = np.mean(conditioned, axis=0)
    assert raw[0] < np.mean(projected) < at_half < raw[1]
    assert [raw[0], np.mean(projected), at_half, raw[1]] == pytest.approx([39.1, 41.1, 72.4, 88.3], rel=0.03)
    # at the same budget of 1 conditioning is the more accurate: the figure compares 1 with 0.5
    assert at_one == pytest.approx(34.7, rel=0.03)
    assert at_one < np.mean(projected)


def test_the_best_proposal_budget_lies_just_above_the_cell_budget() -> None:
    assert stationary_acceptance(0.6) > 2 * stationary_acceptance(0.5)
    assert stationary_acceptance(0.65) > 1.5 * stationary_acceptance(0.8)


def test_every_prior_needs_independent_records() -> None:
    lower, upper = posterior_band(prior=0.5, epsilon=copied_record_loss(copies=5, epsilon=0.3))
    assert upper > posterior_band(prior=0.5, epsilon=0.3)[1]
    assert lower == pytest.approx(1 - upper)


@pytest.mark.parametrize(("budget", "gamma"), [(0.5, 0.49), (1.0, 0.31)])
def test_the_worst_table_of_46_cells_and_256_people_costs_more_than_projection(budget: float, gamma: float) -> None:
    assert concentrated_gamma(cells=46, total=256, epsilon=budget) == pytest.approx(gamma, abs=0.005)
