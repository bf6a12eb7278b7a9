"""Claims of chapter 2 in words, beside the printed numbers of `chapter_2`."""

from __future__ import annotations

import numpy as np

from dpcore.attacks import post_processed, published_chain, two_levels
from dpcore.mechanisms import discrete_gaussian_variance
from dpcore.populations import census_rhos
from riskline.record.works.chapter_2 import DESIGN, RHO
from tests.gaussian_counts import gaussian, gaussians


def test_the_group_count_changes_no_printed_decision_outside_zero_and_one_under_the_chain() -> None:
    tiles = published_chain.decision_map(design=DESIGN)
    changed = (tiles.decisions != tiles.block_only[:, None, None]).any(axis=(1, 2))
    assert tiles.block_counts[changed].tolist() == [0, 1]


def test_under_the_stated_model_the_group_count_changes_many_more_decisions() -> None:
    tiles = two_levels.decision_map(design=DESIGN)
    changed = (tiles.decisions != tiles.block_only[:, None, None]).any(axis=(1, 2))
    assert {1, 2, 3} <= set(tiles.block_counts[changed].tolist())


def test_a_lone_target_is_protected_by_the_flat_prior_and_not_exposed_as_printed() -> None:
    stated = [two_levels.effects(block=1, group=group, design=DESIGN).right for group in range(1, 8)]
    chain = [published_chain.effects(block=1, group=group, design=DESIGN).right for group in (1, 2, 4)]
    assert np.round(stated, 3).tolist() == [0.318, 0.435, 0.517, 0.562, 0.581, 0.588, 0.589]
    assert np.round(chain, 4).tolist() == [0.5946, 0.5924, 0.5901]


def test_uniqueness_at_more_levels_raises_the_belief_most_from_one_to_two() -> None:
    for prior in (0.5, 0.2, 0.1, 0.02, 1 / 864):
        values = [gaussians(census_rhos()[:levels], prior).marginal_posterior() for levels in range(1, 7)]
        assert int(np.argmax(np.diff(values))) == 0


def test_post_processing_passes_the_line_that_was_called_a_bound_from_a_count_of_71() -> None:
    line = gaussian(RHO, 0.5).marginal_posterior()
    values = {
        group: post_processed.marginal_posterior(group=group, rho=RHO, siblings=27, prior=0.5)
        for group in (70, 71, 400)
    }
    assert values[70] < line < values[71]
    assert values[400] < post_processed.marginal_posterior_upper(rho=RHO, siblings=27, prior=0.5)


def test_a_larger_group_count_is_not_always_closer_to_the_bound() -> None:
    small, large = (
        post_processed.marginal_posterior(group=group, rho=3.0, siblings=27, prior=0.5) for group in (1, 100)
    )
    assert small > large + 0.1


def test_the_average_posterior_is_not_monotone_for_every_printed_prior() -> None:
    """'As expected, both quantities increase monotonically' (Figure 2.2) fails for prior 1/864 near rho 3."""
    rhos = np.linspace(2.8, 3.2, 9)
    assert (np.diff(gaussian(rhos, 1 / 864).marginal_posterior()) < 0).all()
    assert (np.diff(gaussian(np.geomspace(0.01, 20, 400), 0.02).marginal_posterior()) > -1e-12).all()


def test_the_variance_is_close_to_its_parameter_as_printed() -> None:
    scale = np.linspace(0.5, 4, 60)
    assert np.abs(discrete_gaussian_variance(1 / (2 * scale)) - scale).max() < 0.002


def test_an_attacker_with_a_prior_of_one_fifth_is_right_a_fraction_of_a_percent_of_the_time() -> None:
    assert 0 < gaussian(RHO, 0.2).probability_right() < 0.005
    assert 0 < gaussian(RHO, 0.1).probability_right() < 0.005
