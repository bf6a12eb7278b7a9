"""Laws of the attacks: what more budget, more data, post-processing and the guarantee imply."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.special import expit, logit

from dpcore.attacks import all_cells, many_levels, post_processed, siblings, two_levels
from dpcore.attacks.any_release import belief_upper
from dpcore.attacks.moved_value import MovedValueAttack
from dpcore.attacks.siblings import SiblingPrior
from dpcore.attacks.two_levels import TwoLevels
from dpcore.guarantees import PureDP, Relation, ZeroConcentratedDP
from dpcore.mechanisms import Geometric
from dpcore.populations import counts_as_csv, read_counts
from dpcore.promise import Promise, Secret
from tests.gaussian_counts import SIDE_OF, gaussian, gaussians, two_gaussians

rhos = st.floats(1e-4, 8)
moderate = st.floats(0.03, 2)
priors = st.floats(1e-6, 1 - 1e-6)
counts = st.integers(-40, 40)


@given(rhos, priors, counts, st.integers(0, 5))
def test_a_larger_noisy_count_never_lowers_the_belief(rho: float, prior: float, count: int, known: int) -> None:
    first, second = (gaussian(rho, prior, known=known).log_odds(count + step) for step in (0, 1))
    assert second - first == pytest.approx(2 * rho, abs=1e-9)


@given(rhos, priors, counts, st.integers(0, 50))
def test_known_people_only_shift_the_count(rho: float, prior: float, count: int, known: int) -> None:
    shifted = gaussian(rho, prior, known=known).log_odds(count + known)
    assert shifted == gaussian(rho, prior).log_odds(count)


@given(st.floats(1e-4, 0.5), st.floats(1e-4, 0.5), priors)
def test_more_budget_never_lowers_the_average_belief_while_the_noise_is_wide(
    rho: float, other: float, prior: float
) -> None:
    less, more = (gaussian(value, prior).marginal_posterior() for value in sorted((rho, other)))
    assert more >= less * (1 - 1e-12)


PRESENCE = Promise(secret=Secret.PRESENCE, relation=Relation.ADD_OR_REMOVE)
VALUE = Promise(secret=Secret.VALUE, relation=Relation.ADD_OR_REMOVE)
REPLACED = Promise(secret=Secret.VALUE, relation=Relation.REPLACE)


@given(rhos, priors)
def test_the_average_belief_keeps_the_guarantee(rho: float, prior: float) -> None:
    average = gaussian(rho, prior).marginal_posterior()
    top = belief_upper(ZeroConcentratedDP(rho=rho), prior=prior, promise=PRESENCE)
    assert prior * (1 - 1e-12) <= average <= top * (1 + 1e-12)


def average_of(loss: np.ndarray, mass: np.ndarray, prior: float) -> float:
    """Average belief in the truth of explicit privacy losses."""
    return float(mass @ expit(logit(prior) + loss))


@given(st.floats(0.01, 2.0), priors)
def test_no_explicit_release_of_a_value_averages_more_than_its_bound(rho: float, prior: float) -> None:
    """The difference of the two cells, the histogram, and randomised response, each written out here."""
    z = np.arange(-60.0, 61.0)
    noise = np.exp(-rho * z * z) / np.exp(-rho * z * z).sum()
    # The difference changes by one with one record, so this noise is rho-zCDP; a value moves it by two.
    difference = average_of(rho * (4 * z + 4), noise, prior)
    two_cells = average_of(
        np.add.outer(rho * (2 * z + 1), rho * (2 * z + 1)).ravel(), np.outer(noise, noise).ravel(), prior
    )
    bound = float(belief_upper(ZeroConcentratedDP(rho=rho), prior=prior, promise=VALUE))
    assert max(difference, two_cells) <= bound * (1 + 1e-12)
    assert two_gaussians(rho, prior).marginal_posterior() == pytest.approx(two_cells, rel=1e-11)
    halved = two_gaussians(rho / 2, prior).marginal_posterior()  # noise scaled for replaced records
    assert halved <= belief_upper(
        ZeroConcentratedDP(rho=rho, relation=Relation.REPLACE), prior=prior, promise=REPLACED
    ) * (1 + 1e-12)


def test_the_difference_of_two_cells_passes_the_bound_of_one_step() -> None:
    """0.55 was promised for a value at the census block's budget, and 0.584 is reached."""
    z = np.arange(-60.0, 61.0)
    noise = np.exp(-0.0992 * z * z) / np.exp(-0.0992 * z * z).sum()
    difference = average_of(0.0992 * (4 * z + 4), noise, 0.5)
    assert difference == pytest.approx(0.584, abs=5e-4)
    assert difference > belief_upper(ZeroConcentratedDP(rho=0.0992), prior=0.5, promise=PRESENCE) + 0.03
    assert difference < belief_upper(ZeroConcentratedDP(rho=0.0992), prior=0.5, promise=VALUE)


@given(st.floats(0.01, 4.0), priors, st.integers(-3, 3), st.integers(-3, 3))
def test_a_histogram_with_geometric_noise_reaches_the_bound_of_a_value_and_no_more(
    epsilon: float, prior: float, first: int, second: int
) -> None:
    """Bayes' rule on the two laws of the noise, written out: never above n epsilon, and equal to it somewhere."""

    def belief(one: int, other: int) -> float:
        there = prior * math.exp(-epsilon * (abs(one - 1) + abs(other)))
        elsewhere = (1 - prior) * math.exp(-epsilon * (abs(one) + abs(other - 1)))
        return there / (there + elsewhere)

    bound = float(belief_upper(PureDP(epsilon=epsilon), prior=prior, promise=VALUE))
    assert belief(first, second) <= bound * (1 + 1e-12)
    assert belief(1, 0) == pytest.approx(bound, rel=1e-9)
    assert belief(1, 0) > belief_upper(PureDP(epsilon=epsilon), prior=prior, promise=PRESENCE) * (1 + 1e-10) or (
        prior > 0.99
    )
    computed = MovedValueAttack(Geometric(epsilon=epsilon), prior=prior).posterior(first, second)
    assert computed == pytest.approx(belief(first, second), rel=1e-9)


@given(rhos, priors)
def test_the_belief_is_calibrated_over_both_truths(rho: float, prior: float) -> None:
    average = sum(
        chance * float(gaussian(rho, prior).marginal_posterior(side=SIDE_OF[truth]))
        for truth, chance in ((0, 1 - prior), (1, prior))
    )
    assert average == pytest.approx(prior, rel=1e-11)


@given(st.lists(st.tuples(counts, rhos), min_size=1, max_size=6), priors)
def test_risks_multiply_to_the_total_risk(releases: list[tuple[int, float]], prior: float) -> None:
    released, budgets = [item[0] for item in releases], [item[1] for item in releases]
    total = gaussians(budgets, prior).posterior(released) / prior
    steps = gaussians(budgets, prior).risks(released)
    if total > 1e-290 and (steps > 1e-290).all() and (steps < 1e290).all():
        assert float(np.exp(np.log(steps).sum())) == pytest.approx(total, rel=1e-9)


@given(st.lists(st.floats(0.05, 0.8), min_size=1, max_size=3), st.floats(0.05, 0.8), st.floats(0.01, 0.99))
@settings(max_examples=25)
def test_one_more_release_never_lowers_the_average_belief(budgets: list[float], more: float, prior: float) -> None:
    before = gaussians(budgets, prior).marginal_posterior()
    assert gaussians([*budgets, more], prior).marginal_posterior() >= before - 1e-11


designs = st.builds(
    TwoLevels,
    rho_block=moderate,
    rho_group=moderate,
    siblings=st.integers(1, 30),
    prior=st.floats(0.01, 0.99),
    known=st.integers(0, 3),
)


@given(designs, counts, counts, st.integers(-80, 80))
def test_the_closed_form_equals_the_sum_over_a_long_bounded_prior(design: TwoLevels, x1: int, x2: int, y: int) -> None:
    long = replace(design, sibling_prior=SiblingPrior("siblings", weights=(1.0,) * 400))
    assert two_levels.log_odds(x1, x2, y, design=design) == pytest.approx(
        two_levels.log_odds(x1, x2, y, design=long), rel=1e-9, abs=1e-9
    )


@given(designs, counts, counts, st.integers(-60, 60), st.integers(1, 9))
def test_known_people_only_shift_both_counts(design: TwoLevels, x1: int, x2: int, y: int, more: int) -> None:
    shifted = replace(design, known=design.known + more)
    assert two_levels.log_odds(x1 + more, x2 + more, y, design=shifted) == pytest.approx(
        two_levels.log_odds(x1, x2, y, design=design), rel=1e-9, abs=1e-9
    )


@given(designs, counts, counts, st.integers(-60, 60))
def test_two_levels_are_the_chain_of_two(design: TwoLevels, x1: int, x2: int, y: int) -> None:
    chained = many_levels.log_odds(
        [x1, x2],
        [y],
        rhos=[design.rho_block, design.rho_group],
        siblings_per_level=[design.siblings],
        prior=design.prior,
        known=design.known,
    )
    assert chained == pytest.approx(two_levels.log_odds(x1, x2, y, design=design), rel=1e-8, abs=1e-8)


@given(st.floats(0.1, 1.5), st.floats(0.1, 1.5), st.integers(1, 8), st.floats(0.1, 0.9), st.integers(0, 4))
@settings(max_examples=20)
def test_masses_of_the_effects_add_up(
    rho_block: float, rho_group: float, number: int, prior: float, others: int
) -> None:
    design = TwoLevels(rho_block=rho_block, rho_group=rho_group, siblings=number, prior=prior)
    result = two_levels.effects(block=1, group=1 + others, design=design)
    assert result.decides_counted == pytest.approx(
        result.block_only + result.switched_to_counted - result.switched_to_not, abs=1e-9
    )
    assert 0 <= result.decides_counted <= 1 + 1e-12
    assert 0 < result.marginal_posterior < 1


@given(st.floats(0.05, 1.5), st.integers(1, 12), st.floats(0.05, 0.95), st.integers(0, 40))
@settings(max_examples=25)
def test_post_processing_never_teaches_more_than_its_bound(rho: float, number: int, prior: float, group: int) -> None:
    value = post_processed.marginal_posterior(group=group, rho=rho, siblings=number, prior=prior)
    bound = post_processed.marginal_posterior_upper(rho=rho, siblings=number, prior=prior)
    assert prior - 1e-9 <= value <= bound + 1e-9


@given(st.integers(1, 40), st.floats(0.05, 6), st.integers(-60, 60))
def test_the_law_of_a_sum_is_symmetric_and_shifts_exactly(terms: int, rho: float, total: int) -> None:
    here, mirrored, moved = (
        float(siblings.sum_noise_log_probability(value, terms=terms, rho=rho))
        for value in (total, -total, total + terms)
    )
    assert here == pytest.approx(mirrored, rel=1e-9, abs=1e-9)
    assert moved - here == pytest.approx(-rho * (terms + 2 * total), rel=1e-9, abs=1e-9)


labels = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=8)


@given(st.dictionaries(labels, st.integers(0, 10**6), min_size=1, max_size=3), labels)
@example({"0": 0, "N": 1}, "0")
@example({"Y": 5, "n": 7, "unknown": 0}, "A")
@settings(max_examples=20)
def test_an_exported_table_comes_back_with_the_same_people(cells: dict[str, int], place: str) -> None:
    folded = {label.casefold() for label in cells} | {"block"}
    if (
        len(folded) <= len(cells)
        or not any(cells.values())
        or any(mark in "".join([*cells, place]) for mark in '",;\t')
    ):
        return
    text = ",".join(["block", *cells]) + "\n" + ",".join([place, *map(str, cells.values())]) + "\n"
    table = read_counts(text.encode())
    assert table.counts.tolist() == [list(cells.values())]
    exported = counts_as_csv(table)
    assert not any(cell.startswith(("=", "+", "-", "@")) for line in exported.splitlines() for cell in line.split(","))
    assert read_counts(exported).people == table.people
    assert math.isfinite(table.people)


@given(st.floats(0, 1), st.lists(st.floats(0, 1), min_size=1, max_size=5))
def test_of_several_statements_the_one_nearest_to_the_belief_expects_most_points(
    belief: float, stated: list[float]
) -> None:
    def expected(said: float) -> float:
        right, wrong = (all_cells.points_of_bet(said, right=truth) for truth in (True, False))
        return belief * right + (1 - belief) * wrong

    nearest = min(stated, key=lambda said: abs(said - belief))
    assert expected(nearest) >= max(map(expected, stated)) - 1e-11
    assert expected(nearest) <= expected(belief) + 1e-11
    assert all_cells.points_of_bet(0.5, right=True) == all_cells.points_of_bet(0.5, right=False) == 0
