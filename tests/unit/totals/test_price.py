"""Promises of dpcore.totals.price."""

from __future__ import annotations

import itertools
import math
import re
from typing import Any

import numpy as np
import pytest

from dpcore.errors import Code, Refused
from dpcore.guarantees import ZeroConcentratedDP
from dpcore.mechanisms import DiscreteGaussian, Geometric
from dpcore.semantics import belief_bounds
from dpcore.totals import (
    EXACT_CHOICES,
    bounded_count_loss,
    cell_bounds,
    concentrated_gamma,
    condition_on_totals,
    copied_record_loss,
    nonnegative_count_loss,
    posterior_band,
    price_of_totals,
    project_onto_total_nonnegative,
    rounded_sum_loss,
    two_bin_price,
    two_bin_projection_loss,
    worst_conditioning_loss,
)
from tests.each import each


@pytest.mark.parametrize("epsilon", [0.05, 0.5, 1.0, 3.0])
def test_the_loss_of_a_count_kept_at_zero_or_more_is_the_enumerated_one(epsilon: float) -> None:
    y = np.arange(2000)
    laws = []
    for true in range(60):
        logs = -epsilon * np.abs(y - true)
        laws.append(logs - np.log(np.exp(logs).sum()))
    worst = max(np.abs(b - a).max() for a, b in itertools.pairwise(laws))
    assert nonnegative_count_loss(epsilon) == pytest.approx(worst, rel=1e-9)


@pytest.mark.parametrize("largest", [1, 2, 7, 40])
def test_the_loss_of_a_count_in_a_range_is_the_enumerated_one(largest: int) -> None:
    y = np.arange(largest + 1)
    laws = []
    for true in y:
        weights = np.exp(-0.4 * np.abs(y - true))
        laws.append(np.log(weights / weights.sum()))
    worst = max(np.abs(b - a).max() for a, b in itertools.pairwise(laws))
    assert bounded_count_loss(epsilon=0.4, largest=largest) == pytest.approx(worst, rel=1e-9)
    assert bounded_count_loss(epsilon=0.4, largest=0) == 0.0


@pytest.mark.parametrize(("cells", "total"), [(2, 6), (3, 4), (4, 3)])
def test_the_price_of_a_total_is_the_worst_ratio_over_all_tables_and_outcomes(cells: int, total: int) -> None:
    tables = [t for t in itertools.product(range(total + 1), repeat=cells) if sum(t) == total]
    outcomes = np.array(tables)
    laws = {}
    for table in tables:
        weights = np.exp(-0.7 * np.abs(outcomes - np.array(table)).sum(axis=1))
        laws[table] = np.log(weights / weights.sum())
    worst = max(
        (laws[a] - laws[b]).max()
        for a, b in itertools.permutations(tables, 2)
        if sum(abs(x - y) for x, y in zip(a, b, strict=True)) == 2
    )
    found = worst_conditioning_loss(cells=cells, total=total, epsilon=0.7)
    assert found.loss == pytest.approx(worst, rel=1e-9)
    assert found.kind == "exact"
    assert found.gamma == pytest.approx(concentrated_gamma(cells=cells, total=total, epsilon=0.7), rel=1e-9)


def test_the_concentrated_pair_is_the_ratio_of_the_two_normalisers() -> None:
    here = condition_on_totals([30, 0, 0, 0], epsilon=0.5).log_probability
    moved = condition_on_totals([29, 1, 0, 0], epsilon=0.5).log_probability
    assert concentrated_gamma(cells=4, total=30, epsilon=0.5) == pytest.approx(moved - here, rel=1e-9)


def test_gamma_does_not_depend_on_people_who_are_out_of_reach() -> None:
    assert concentrated_gamma(cells=20, total=10**6, epsilon=0.5) == pytest.approx(
        concentrated_gamma(cells=20, total=2000, epsilon=0.5), rel=1e-12
    )
    assert concentrated_gamma(cells=20, total=10**6, epsilon=0.5) > concentrated_gamma(cells=20, total=10, epsilon=0.5)


def test_large_tables_use_the_concentrated_pair_and_say_so() -> None:
    found = worst_conditioning_loss(cells=46, total=256, epsilon=0.5)
    assert found.kind == "exact pair"
    assert found.loss == pytest.approx(1 + found.gamma)
    assert worst_conditioning_loss(cells=3, total=4, epsilon=0.5, enumerated=0).kind == "exact pair"


def test_all_pairs_of_a_table_of_six_cells_are_compared_while_a_reader_waits() -> None:
    """34 people in 6 cells are 1,945 tables up to the order of cells; a pair is compared by enumerating both laws."""
    found = worst_conditioning_loss(cells=6, total=34, epsilon=0.5)
    assert found.kind == "exact"
    assert found.proved == found.loss
    here, moved = (
        condition_on_totals(cells, epsilon=0.5).log_probability for cells in ([34] + 5 * [0], [33, 1] + 4 * [0])
    )
    assert found.loss == pytest.approx(1 + moved - here, rel=1e-9)


def test_a_pair_that_was_only_found_is_not_what_is_proved() -> None:
    """Each normaliser is at most e^(2 epsilon) times a neighbour's, so the loss is at most twice the plain one."""
    found = worst_conditioning_loss(cells=46, total=256, epsilon=0.5)
    assert found.proved == pytest.approx(2.0)
    assert found.loss < found.proved
    rows = price_of_totals([[3, 1, 0], [400, 200, 100]], "row totals", epsilon=0.5).conditioned
    assert (rows.kind, rows.proved) == ("exact pair", pytest.approx(2.0))
    assert price_of_totals([[3, 1, 0], [4, 2, 1]], "row totals", epsilon=0.5).conditioned.kind == "exact"


@pytest.mark.parametrize("rounding", ["halves down", "halves up", "none"])
def test_the_projected_loss_of_two_bins_is_the_one_of_the_enumerated_law(rounding: str) -> None:
    total, epsilon, noise = 4, 0.6, np.arange(-60, 61)
    pmf = Geometric(epsilon=epsilon).pmf(noise)
    laws = []
    for first in range(total + 1):
        pairs = np.stack(np.meshgrid(first + noise, total - first + noise, indexing="ij"), axis=-1).reshape(-1, 2)
        released = project_onto_total_nonnegative(pairs, float(total))[:, 0]
        if rounding == "halves down":
            released = np.ceil(released - 0.5)
        elif rounding == "halves up":
            released = np.floor(released + 0.5)
        laws.append(
            np.bincount((2 * released).astype(int), weights=np.outer(pmf, pmf).ravel(), minlength=2 * total + 1)
        )
    kept = laws[0] > 0
    worst = max(np.abs(np.log(b[kept]) - np.log(a[kept])).max() for a, b in itertools.pairwise(laws))
    assert two_bin_projection_loss(total=total, epsilon=epsilon, rounding=rounding) == pytest.approx(worst, rel=1e-9)
    assert two_bin_projection_loss(total=0, epsilon=epsilon, rounding=rounding) == 0.0


def test_the_ends_of_a_belief_stay_and_the_middle_moves_by_the_loss() -> None:
    assert posterior_band(prior=1, epsilon=3) == (1.0, 1.0)
    assert posterior_band(prior=0, epsilon=3) == (0.0, 0.0)
    assert posterior_band(prior=0.3, epsilon=0.0) == pytest.approx((0.3, 0.3))
    lower, upper = posterior_band(prior=[0.01, 0.5], epsilon=1.0, factor=2)
    assert upper[0] == pytest.approx(0.0695, abs=5e-5)
    assert lower[1] == pytest.approx(1 - upper[1])
    assert upper[0] < 0.01 * math.exp(2)


def test_replacing_and_adding_give_the_same_price() -> None:
    assert (two_bin_price("replace").distance, two_bin_price("add_or_remove").distance) == (1, 2)
    assert two_bin_price("replace").gamma == two_bin_price("add_or_remove").gamma == 0.0


def test_a_range_with_several_groups_leaves_a_loss() -> None:
    assert rounded_sum_loss(lowest=41, highest=50, group=10).loss == 0.0
    assert rounded_sum_loss(lowest=41, highest=51, group=10, epsilon=0.5).loss == pytest.approx(0.5)
    assert rounded_sum_loss(lowest=0, highest=500, group=10, epsilon=0.5).gamma == pytest.approx(
        nonnegative_count_loss(0.5) / 0.5 - 1, rel=1e-6
    )


def test_totals_give_away_the_cells_they_determine() -> None:
    table = [[0, 0], [3, 5]]
    assert cell_bounds(table, "none").determined_count == 0
    assert cell_bounds(table, "grand total").determined_count == 0
    assert cell_bounds(table, "row totals").determined.tolist() == [[True, True], [False, False]]
    assert cell_bounds(table, "row and column totals").determined_count == 4
    assert cell_bounds([[4], [2]], "row totals").determined_count == 2
    assert cell_bounds([7], "grand total").determined_count == 1


def test_frechet_bounds_are_attained_by_some_table() -> None:
    table = np.array([[3, 1], [2, 0]])
    bounds = cell_bounds(table, "row and column totals")
    tables = [np.array([[a, 4 - a], [5 - a, a - 3]]) for a in range(6) if min(4 - a, 5 - a, a - 3) >= 0]
    assert (bounds.lower == np.min(tables, axis=0)).all()
    assert (bounds.upper == np.max(tables, axis=0)).all()


def test_the_price_names_what_is_left_to_protect() -> None:
    table = [[8, 6, 4], [3, 5, 8]]
    found = {choice: price_of_totals(table, choice, epsilon=0.5) for choice in EXACT_CHOICES}
    assert [found[choice].exact_numbers for choice in EXACT_CHOICES] == [0, 1, 2, 5]
    assert found["none"].conditioned.loss == found["none"].plain == 1.0
    assert found["grand total"].conditioned.gamma == pytest.approx(0.45, abs=0.005)
    assert found["row totals"].conditioned.loss < found["grand total"].conditioned.loss
    assert (found["row and column totals"].conditioned.loss, found["row and column totals"].conditioned.kind) == (
        4.0,
        "bound",
    )
    assert found["row and column totals"].projected == 2.0  # a swap of two people changes four cells
    given_away = price_of_totals([[0, 0], [3, 5]], "row and column totals", epsilon=0.5)
    assert (given_away.changes_left, given_away.conditioned.loss, given_away.projected) == (False, 0.0, 0.0)
    assert not price_of_totals([[4], [2]], "row totals", epsilon=0.5).changes_left


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: nonnegative_count_loss(0), "epsilon must be greater than 0 and finite; got 0"),
        (lambda: bounded_count_loss(epsilon=1, largest=-1), "largest must be a whole number of at least 0; got -1"),
        (lambda: concentrated_gamma(cells=0, total=5, epsilon=1), "cells must be a whole number of at least 1; got 0"),
        (
            lambda: concentrated_gamma(cells=2, total=-5, epsilon=1),
            "total must be a whole number of at least 0; got -5",
        ),
        (
            lambda: worst_conditioning_loss(cells=2, total=5, epsilon=float("nan")),
            "epsilon must be greater than 0 and finite; got nan",
        ),
        (lambda: two_bin_projection_loss(total=2, epsilon=1, rounding="up"), "rounding must be one of 'halves down'"),
        (lambda: two_bin_projection_loss(total=50_000, epsilon=1), "total must be a whole number from 0 to 20000; got"),
        (lambda: posterior_band(prior=1.2, epsilon=1), r"prior must lie in \[0, 1\]; got 1.2"),
        (lambda: posterior_band(prior=0.2, epsilon=-1), "epsilon must be at least 0 and finite; got -1"),
        (lambda: copied_record_loss(copies=0, epsilon=1), "copies must be a whole number of at least 1; got 0"),
        (lambda: two_bin_price("any"), "relation must be one of 'replace', 'add_or_remove'; got 'any'"),
        (
            lambda: rounded_sum_loss(lowest=50, highest=41, group=10),
            "highest must be a whole number of at least 50; got 41",
        ),
        (lambda: rounded_sum_loss(lowest=4, highest=5, group=0), "group must be a whole number of at least 1; got 0"),
        (lambda: cell_bounds([[1, 2]], "all"), "exact must be one of 'none'"),
        (lambda: price_of_totals([[1, -2]], "none", epsilon=1), "table must be at least 0 and finite; got -2"),
        (lambda: price_of_totals([[1, 2.5]], "none", epsilon=1), "table must be whole numbers; got 2.5"),
        (lambda: price_of_totals(3, "none", epsilon=1), "table must have rows and columns"),
        (lambda: price_of_totals([[1, 2]], "none", epsilon=0), "epsilon must be greater than 0 and finite; got 0"),
        (lambda: concentrated_gamma(cells=2, total=10**12, epsilon=1e-9), "partial sums must take at most 536,870,912"),
    ],
)
def test_bad_questions_are_refused(call, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        call()


ORDERS = (1.001, 1.3, 1.5, 2, 2.4, 3, 7, 20)


def _divergences(tables, one, other, rho):
    """Renyi divergences of all orders between two conditioned laws, from their probabilities."""
    laws = [-rho * ((tables - centre) ** 2).sum(axis=1) for centre in (one, other)]
    p, q = (law - np.logaddexp.reduce(law) for law in laws)
    return [np.logaddexp.reduce(s * p + (1 - s) * q) / (s - 1) for s in ORDERS]


SUMS = np.array(list(itertools.product(range(-40, 41), repeat=2)))
LATTICES = {
    "a total of three cells": (np.column_stack([SUMS, -SUMS.sum(axis=1)]), [[1, -1, 0], [0, 1, -1]], "grand total"),
    "two rows of three": (
        np.column_stack([SUMS, -SUMS.sum(axis=1), -SUMS, SUMS.sum(axis=1)]),
        [[1, -1, 0, -1, 1, 0], [0, 1, -1, 0, -1, 1]],
        "row and column totals",
    ),
}


@pytest.mark.parametrize("name", LATTICES)
@pytest.mark.parametrize("rho", [0.05, 0.5, 2.0])
def test_the_rho_of_a_table_conditioned_on_totals_is_its_renyi_divergence(name: str, rho: float) -> None:
    """Every order stays below it, also between whole ones, where coarse noise needs less; whole orders reach it."""
    lattice, changes, exact = LATTICES[name]
    table = np.arange(3, 3 + lattice.shape[1]).reshape(-1, 3)
    price = price_of_totals(table, exact, noise=DiscreteGaussian(rho=rho), non_negative=False)
    assert (price.conditioned.kind, price.projected) == ("exact", price.conditioned.loss)
    for change in changes:
        assert price.conditioned.loss == pytest.approx(rho * np.square(change).sum())
        for one, other in ((np.array(change), 0), (0, np.array(change))):
            found = _divergences(lattice, one, other, rho)
            for order, divergence in zip(ORDERS, found, strict=True):
                assert divergence <= order * price.conditioned.loss * (1 + 1e-9)
                if order in (2, 3):
                    assert divergence == pytest.approx(order * price.conditioned.loss, rel=1e-6)
    if rho == 2.0:
        assert found[2] < 1.45 * price.conditioned.loss  # order 1.5


@pytest.mark.parametrize(("cells", "total"), [(2, 5), (3, 4), (4, 2)])
@pytest.mark.parametrize("rho", [0.05, 0.5, 2.0])
def test_no_negative_cell_costs_at_most_twice_the_rho_and_nothing_at_whole_orders(
    cells: int, total: int, rho: float
) -> None:
    tables = np.array([t for t in itertools.product(range(total + 1), repeat=cells) if sum(t) == total])
    price = price_of_totals(tables[:1], "grand total", noise=DiscreteGaussian(rho=rho))
    assert (price.conditioned.kind, price.conditioned.gamma) == ("bound", 1.0)
    assert price.conditioned.loss == price.conditioned.proved == 2 * price.plain == 4 * rho
    for one, other in itertools.permutations(tables, 2):
        if np.abs(one - other).sum() == 2:
            for order, divergence in zip(ORDERS, _divergences(tables, one, other, rho), strict=True):
                assert divergence <= order * price.plain * (1 + 1e-9)


def test_two_people_who_change_places_move_four_cells_with_no_negative_one() -> None:
    """Two rows of two: the free cell alone, so all tables are enumerated."""
    noise, free = DiscreteGaussian(rho=0.3), np.arange(5)
    tables = np.column_stack([free, 4 - free, 6 - free, 1 + free])  # rows 4 and 7, columns 6 and 5
    price = price_of_totals([[2, 2], [4, 3]], "row and column totals", noise=noise)
    assert (price.conditioned.loss, price.projected, price.exact_numbers) == pytest.approx((2.4, 1.2, 4))
    for one, other in itertools.permutations(tables, 2):
        if np.abs(one - other).sum() == 4:
            for order, divergence in zip(ORDERS, _divergences(tables, one, other, 0.3), strict=True):
                assert divergence <= order * price.projected * (1 + 1e-9)


def test_a_rho_of_crossing_totals_with_no_negative_cell_is_refused_by_code_beyond_two_rows() -> None:
    table, noise = [[3, 1, 2], [0, 4, 1], [2, 2, 2]], DiscreteGaussian(rho=0.1)
    with pytest.raises(Refused, match="non_negative must be False for a rho, where more than two") as caught:
        price_of_totals(table, "row and column totals", noise=noise)
    assert caught.value.code is Code.UNSUPPORTED
    kept = price_of_totals(table, "row and column totals", noise=noise, non_negative=False)
    assert (kept.projected, kept.conditioned.loss, kept.exact_numbers) == (0.4, 0.4, 6)


def test_totals_alone_leave_the_loss_of_geometric_noise_as_it_is() -> None:
    """The worst log-ratio of two cells with a fixed sum is twice epsilon, at every pair: nothing is cut."""
    price = price_of_totals([[4, 3]], "grand total", epsilon=0.5, non_negative=False)
    laws = [condition_on_totals(t, epsilon=0.5, non_negative=False).law(0) for t in ([4, 3], [3, 4])]
    ratios = [math.log(laws[0].probability(y) / laws[1].probability(y)) for y in range(-8, 16)]
    assert price.conditioned.loss == price.plain == pytest.approx(max(ratios))


@pytest.mark.parametrize("exact", EXACT_CHOICES)
def test_totals_that_give_the_table_away_leave_no_rho(exact) -> None:
    price = price_of_totals([[0, 0]], exact, noise=DiscreteGaussian(rho=0.1))
    assert price.changes_left == (exact == "none")
    assert price.conditioned.loss == (0.2 if exact == "none" else 0.0)


def test_the_band_of_a_rho_is_that_of_any_release_with_it() -> None:
    """What no release with the rho passes more often, by the tail of its loss; no loss leaves the belief."""
    bounds = belief_bounds(ZeroConcentratedDP(rho=0.3), prior=0.2, delta_prime=0.02)
    band = posterior_band(prior=0.2, rho=0.3, delta_prime=0.02)
    assert band == pytest.approx((bounds.posterior_lower, bounds.posterior_upper), rel=1e-12)
    assert posterior_band(prior=0.2, rho=0.0, delta_prime=0.02) == pytest.approx((0.2, 0.2))
    assert posterior_band(prior=[0.1, 0.2], rho=0.3, delta_prime=0.02)[1][1] == pytest.approx(band[1])
    for given, said in (({}, "epsilon must be given, or else a rho"), ({"rho": 0.1}, "delta_prime must be a number")):
        with pytest.raises(Refused, match=said):
            posterior_band(prior=0.2, **given)


def test_few_people_in_very_many_cells_are_the_concentrated_pair() -> None:
    assert worst_conditioning_loss(cells=10**9, total=5, epsilon=1.0).kind == "exact pair"


@each(
    "told, text",
    [
        ({}, "epsilon must be given, or else a noise"),
        ({"epsilon": 0.5, "noise": DiscreteGaussian(rho=0.1)}, "epsilon must be given alone, or else a noise; got 0.5"),
        ({"epsilon": 0.5, "non_negative": "no"}, "non_negative must be True or False; got 'no'"),
    ],
)
def test_a_price_asks_for_one_noise_and_a_yes_or_no(told: dict[str, Any], text: str) -> None:
    with pytest.raises(Refused, match=re.escape(text)):
        price_of_totals([[3, 1, 0], [4, 2, 1]], "row totals", **told)
