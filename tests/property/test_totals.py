"""Laws of dpcore.totals."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore.mechanisms import DiscreteGaussian
from dpcore.totals import (
    RULES,
    cell_bounds,
    concentrated_gamma,
    condition_on_totals,
    dhondt,
    multinomial_mode,
    nonnegative_count_loss,
    posterior_band,
    posterior_from_noisy,
    price_of_totals,
    project_onto_total,
    project_onto_total_nonnegative,
    released_totals,
    simulate_releases,
    summed_noise_log_pmf,
    two_bin_projection_loss,
    webster,
)

budgets = st.floats(0.05, 4.0)
counts = st.lists(st.integers(0, 12), min_size=1, max_size=6)


@given(counts, budgets, st.data())
@settings(max_examples=40)
def test_totals_hold_in_every_draw(true: list[int], epsilon: float, data: st.DataObject) -> None:
    labels = st.lists(st.integers(0, 2), min_size=len(true), max_size=len(true))
    parts = data.draw(labels)
    crossing = [label % 2 for label in data.draw(labels)]
    table = condition_on_totals(true, epsilon=epsilon, parts=parts, crossing=crossing)
    draws = table.draw(20, seed=1)
    assert draws.min() >= 0
    for partition in (parts, crossing):
        for label in set(partition):
            inside = np.array(partition) == label
            assert (draws[:, inside].sum(axis=1) == np.array(true)[inside].sum()).all()
    assert table.log_probability <= 1e-12
    assert math.isclose(sum(law.mean for law in table.laws()), sum(true), abs_tol=1e-6)


@given(counts, budgets, budgets, st.sampled_from(RULES[:3]), st.sampled_from(["independent", "summed"]))
@settings(max_examples=40)
def test_released_parts_are_whole_nonnegative_and_add_up(
    true: list[int], total: float, part: float, rule: str, flavour: str
) -> None:
    drawn = simulate_releases(
        true, epsilon_total=total, epsilon_parts=part, rule=rule, flavour=flavour, size=30, seed=2
    )
    assert drawn.parts.dtype.kind == "i"
    assert drawn.parts.min() >= 0
    assert (drawn.parts.sum(axis=1) == drawn.totals).all()


@given(st.integers(0, 12), budgets, st.sampled_from(["halves down", "halves up", "none"]))
def test_projection_never_raises_the_loss_between_tables_that_share_the_total(
    total: int, epsilon: float, rounding: str
) -> None:
    assert two_bin_projection_loss(total=total, epsilon=epsilon, rounding=rounding) <= 2 * epsilon
    price = price_of_totals([[total, 2]], "grand total", epsilon=epsilon)
    assert price.projected <= price.plain <= price.conditioned.loss <= 2 * price.plain + 1e-12


@given(st.lists(st.integers(0, 40), min_size=1, max_size=7).filter(any), st.integers(0, 60))
def test_no_unit_of_a_mode_would_be_better_placed(weights: list[int], units: int) -> None:
    for ties in ("finucan_first_index", "lowest_index"):
        mode = multinomial_mode(units, weights, ties=ties)
        assert sum(mode) == units
        for (k, w), (other, v) in itertools.permutations(zip(mode, weights, strict=True), 2):
            assert other == 0 or w * other <= v * (k + 1)


@given(st.lists(st.integers(0, 40), min_size=1, max_size=7).filter(any), st.integers(0, 60))
def test_one_more_unit_never_takes_one_away(weights: list[int], units: int) -> None:
    for rule in (dhondt, webster):
        fewer, more = rule(units, weights), rule(units + 1, weights)
        assert all(low <= high for low, high in zip(fewer, more, strict=True))


@given(budgets, budgets)
def test_a_smaller_budget_is_inflated_more_by_conditioning(first: float, second: float) -> None:
    low, high = sorted((first, second))
    assert nonnegative_count_loss(low) / low >= nonnegative_count_loss(high) / high - 1e-12
    assert low <= nonnegative_count_loss(low) <= 2 * low


@given(st.integers(1, 8), st.integers(0, 60), budgets)
def test_gamma_lies_between_zero_and_one(cells: int, total: int, epsilon: float) -> None:
    assert 0 <= concentrated_gamma(cells=cells, total=total, epsilon=epsilon) <= 1


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=7), st.floats(0, 80))
def test_projecting_twice_is_projecting_once(noisy: list[float], total: float) -> None:
    for project in (project_onto_total, project_onto_total_nonnegative):
        once = project(noisy, total)
        assert once.sum() == pytest.approx(total, abs=1e-9)
        assert project(once, total) == pytest.approx(once, abs=1e-9)


@given(st.integers(-20, 40), st.integers(-20, 40), budgets, st.lists(budgets, min_size=1, max_size=4))
@settings(max_examples=30)
def test_the_summed_total_lies_between_its_two_sources(noisy: int, summed: int, own: float, parts: list[float]) -> None:
    found = released_totals(noisy, summed, epsilon_total=own, epsilon_parts=parts)
    assert max(0, min(noisy, summed)) <= found <= max(0, noisy, summed)
    if own >= min(parts):
        assert found == max(0, noisy)


@given(st.lists(budgets, min_size=1, max_size=5))
@settings(max_examples=30)
def test_the_summed_law_is_symmetric_log_concave_and_has_mass_one(parts: list[float]) -> None:
    values = np.arange(-30, 31)
    logs = summed_noise_log_pmf(values, epsilons=parts)
    assert logs == pytest.approx(logs[::-1], rel=1e-12)
    assert (np.diff(logs, 2) <= 1e-9).all()
    assert -np.diff(logs).min() <= min(parts) + 1e-12


@given(st.floats(0, 1), budgets)
def test_a_posterior_band_holds_the_prior_and_lies_inside_the_published_one(prior: float, loss: float) -> None:
    lower, upper = posterior_band(prior=prior, epsilon=loss)
    assert lower - 1e-15 <= prior <= upper + 1e-15
    assert upper <= prior * math.exp(loss) * (1 + 1e-12)
    assert lower >= prior * math.exp(-loss) * (1 - 1e-12) - 1e-300


@given(st.lists(st.integers(-6, 12), min_size=1, max_size=4), st.integers(-5, 30), budgets, budgets)
@settings(max_examples=30)
def test_posterior_parts_add_up_to_the_posterior_total(parts: list[int], total: int, own: float, part: float) -> None:
    found = posterior_from_noisy(total, parts, epsilon_total=own, epsilon_parts=part)
    assert sum(found.means) == pytest.approx(found.total.mean, rel=1e-8, abs=1e-8)
    assert min(law.values.min() for law in found.parts) >= 0


@given(st.lists(st.lists(st.integers(0, 9), min_size=2, max_size=2), min_size=1, max_size=4))
def test_publishing_more_totals_never_widens_what_a_cell_can_be(table: list[list[int]]) -> None:
    found = [cell_bounds(table, exact) for exact in ("none", "grand total", "row totals", "row and column totals")]
    for looser, tighter in itertools.pairwise(found):
        assert (looser.lower <= tighter.lower).all()
        assert (tighter.upper <= looser.upper).all()
    assert ((found[-1].lower <= table) & (table <= found[-1].upper)).all()


@given(
    st.lists(st.integers(0, 4), min_size=2, max_size=3).filter(any),
    st.floats(0.03, 3.0),
    st.floats(1.01, 12.0),
    st.booleans(),
)
@settings(max_examples=60)
def test_two_tables_that_share_a_total_diverge_by_no_more_than_their_rho(
    true: list[int], rho: float, order: float, non_negative: bool
) -> None:
    """The laws are dpcore's own, the divergence is summed from them."""
    noise = DiscreteGaussian(rho=rho)
    loss = price_of_totals([true], "grand total", noise=noise, non_negative=non_negative).conditioned.loss
    giver = int(np.argmax(true))
    moved = list(true)
    moved[giver] -= 1
    moved[(giver + 1) % len(true)] += 1
    laws = [condition_on_totals(t, noise=noise, non_negative=non_negative) for t in (true, moved)]
    # given the first cells, the last one follows; the first cell's law is a release of its own
    one, other = laws[0].law(giver), laws[1].law(giver)
    shared = [y for y in one.values.tolist() if one.probability(y) > 1e-250 and other.probability(y) > 1e-250]
    logs = [order * math.log(one.probability(y)) + (1 - order) * math.log(other.probability(y)) for y in shared]
    divergence = float(np.logaddexp.reduce(logs)) / (order - 1)
    assert divergence <= order * loss * (1 + 1e-9) + 1e-9 / (order - 1)


@given(counts, st.floats(0.02, 2.0), st.data())
@settings(max_examples=30)
def test_totals_hold_in_every_draw_with_discrete_gaussian_noise(
    true: list[int], rho: float, data: st.DataObject
) -> None:
    labels = data.draw(st.lists(st.integers(0, 2), min_size=len(true), max_size=len(true)))
    table = condition_on_totals(true, noise=DiscreteGaussian(rho=rho), parts=labels)
    draws = table.draw(20, seed=1)
    assert draws.min() >= 0
    for label in set(labels):
        inside = np.array(labels) == label
        assert (draws[:, inside].sum(axis=1) == np.array(true)[inside].sum()).all()
    assert table.log_probability <= 1e-12
    assert math.isclose(sum(law.mean for law in table.laws()), sum(true), abs_tol=1e-6)


@given(counts, st.floats(0.02, 4.0), st.floats(0.02, 4.0), st.sampled_from(RULES[:3]))
@settings(max_examples=30)
def test_released_parts_add_up_under_a_rho_and_lie_between_noisy_total_and_sum(
    true: list[int], total: float, part: float, rule: str
) -> None:
    noises = {"noise_total": DiscreteGaussian(rho=total), "noise_parts": DiscreteGaussian(rho=part)}
    drawn = simulate_releases(true, **noises, rule=rule, flavour="summed", size=30, seed=2)
    assert drawn.parts.min() >= 0
    assert (drawn.parts.sum(axis=1) == drawn.totals).all()
    ends = np.maximum(0, np.stack([drawn.noisy_totals, drawn.noisy_parts.sum(axis=1)]))
    assert (drawn.totals >= ends.min(axis=0)).all()
    assert (drawn.totals <= ends.max(axis=0)).all()


@given(st.integers(-6, 12), st.lists(st.integers(-4, 9), min_size=1, max_size=3), st.floats(0.05, 1.5))
@settings(max_examples=30)
def test_the_posterior_under_a_rho_is_of_counts_that_add_up(noisy: int, parts: list[int], rho: float) -> None:
    found = posterior_from_noisy(
        noisy, parts, noise_total=DiscreteGaussian(rho=rho), noise_parts=DiscreteGaussian(rho=rho)
    )
    assert min(law.values.min() for law in found.parts) >= 0
    assert math.isclose(sum(found.means), found.total.mean, rel_tol=1e-9, abs_tol=1e-9)
