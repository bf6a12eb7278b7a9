"""Promises of dpcore.totals.projection."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.optimize import minimize

from dpcore.mechanisms import DiscreteGaussian
from dpcore.totals import (
    Totals,
    controlled_rounding,
    draw_noise,
    draw_projected,
    project_onto_total,
    project_onto_total_nonnegative,
    project_onto_totals_nonnegative,
    project_with_largest_remainder,
    round_with_largest_remainder,
    totals_of_parts,
)
from tests.each import each


def test_the_projection_onto_a_total_moves_every_cell_alike() -> None:
    assert project_onto_total([[1, 9], [0, 0]], [11, 3]).tolist() == [[1.5, 9.5], [1.5, 1.5]]


def test_the_nonnegative_projection_meets_its_optimality_conditions() -> None:
    generator = np.random.default_rng(5)
    noisy = generator.integers(-9, 15, (200, 6)).astype(float)
    goal = generator.integers(0, 30, 200).astype(float)
    found = project_onto_total_nonnegative(noisy, goal)
    assert found.sum(axis=1) == pytest.approx(goal)
    assert (found >= 0).all()
    for row, cells in zip(found, noisy, strict=True):
        moved = (cells - row)[row > 0]
        if moved.size:  # positive cells are lowered alike, the others are at or below that level
            assert np.ptp(moved) < 1e-9
            assert (cells[row == 0] <= moved[0] + 1e-9).all()


def test_one_total_is_the_water_level_of_the_general_projection() -> None:
    noisy = [5.0, -3.0, 2.0, 7.0]
    held = totals_of_parts(true=[3, 2, 1, 0])
    assert project_onto_totals_nonnegative(noisy, held) == pytest.approx(project_onto_total_nonnegative(noisy, 6))


def test_crossing_totals_agree_with_a_general_optimiser() -> None:
    generator = np.random.default_rng(8)
    true = generator.integers(0, 9, 6)
    held = totals_of_parts([0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2], true=true)
    noisy = true + generator.integers(-6, 7, 6)
    found = project_onto_totals_nonnegative(noisy, held)
    peer = minimize(
        lambda x: ((x - noisy) ** 2).sum(),
        true.astype(float),
        jac=lambda x: 2 * (x - noisy),
        bounds=[(0, None)] * 6,
        constraints=[{"type": "eq", "fun": lambda x: held.matrix[:-1] @ x - held.values[:-1]}],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    assert ((found - noisy) ** 2).sum() == pytest.approx(peer.fun, abs=1e-6)
    assert held.matrix @ found == pytest.approx(held.values)


def test_an_empty_part_stays_empty() -> None:
    held = totals_of_parts([0, 0, 1, 1], [0, 1, 0, 1], true=[0, 0, 3, 2])
    assert project_onto_totals_nonnegative([4, -2, 3, 3], held) == pytest.approx([0, 0, 3, 2], abs=1e-6)


def test_the_rounded_projection_adds_up_and_stays_within_one_of_the_real_one() -> None:
    generator = np.random.default_rng(6)
    noisy = generator.integers(-9, 15, (300, 6))
    goal = generator.integers(0, 30, 300)
    for seed in (None, 4):
        found = project_with_largest_remainder(noisy, goal, tie_seed=seed)
        assert (found.sum(axis=1) == goal).all()
        assert (found >= 0).all()
        assert (np.abs(found - project_onto_total_nonnegative(noisy, goal)) < 1).all()


def test_tied_units_go_to_the_lowest_indices_or_at_random() -> None:
    assert project_with_largest_remainder([5, -3, 2, 0], 6).tolist() == [5, 0, 1, 0]
    drawn = project_with_largest_remainder(np.tile([5, 2], (1000, 1)), np.full(1000, 6), tie_seed=1)
    assert 400 < (drawn[:, 0] == 5).sum() < 600


def test_controlled_rounding_is_the_least_change_by_enumeration() -> None:
    cells = np.array([1.3, 0.4, 2.3, 0.7, 1.6, 1.7])
    held = totals_of_parts([0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2], true=cells)
    found = controlled_rounding(cells, held)
    feasible = [
        np.abs(np.floor(cells) + up - cells).sum()
        for up in itertools.product((0, 1), repeat=6)
        if np.allclose(held.matrix @ (np.floor(cells) + up), held.values)
    ]
    assert found.distance == pytest.approx(min(feasible))
    assert held.matrix @ found.cells == pytest.approx(held.values)


def test_largest_remainders_round_real_cells() -> None:
    assert round_with_largest_remainder([[1.2, 0.7, 2.1]], [4]).tolist() == [[1, 1, 2]]


def test_projected_draws_hold_their_totals() -> None:
    held = totals_of_parts([0, 0, 1, 1], [0, 1, 0, 1], true=[3, 1, 2, 4])
    drawn = draw_projected([3, 1, 2, 4], epsilon=0.3, size=50, seed=2, totals=held)
    assert np.abs(drawn @ held.matrix.T - held.values).max() < 1e-7
    assert (drawn >= 0).all()


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: project_onto_total([1, float("nan")], 2), "noisy must be finite; got nan"),
        (lambda: project_onto_total([], 2), "noisy must be a list of cells, or one a row"),
        (lambda: project_onto_total_nonnegative([1, 2], -1), "total must be at least 0 and finite; got -1"),
        (lambda: project_with_largest_remainder([1.5, 2], 3), "noisy must be whole numbers; got 1.5"),
        (lambda: project_with_largest_remainder([1, 2], 3.5), "total must be whole numbers; got 3.5"),
        (lambda: round_with_largest_remainder([1.2, 0.7], 9), "total must be the rounded sum of the cells; got 9"),
        (lambda: round_with_largest_remainder([[1.2, 0.8], [1, 1]], [2, 7]), "total must be the rounded sum.*; got 7"),
        (lambda: round_with_largest_remainder([1.2, 0.7, 2.1], 4.4), "total must be whole numbers; got 4.4"),
        (lambda: round_with_largest_remainder([1e300, 0], 1e300), r"cells must be at most 2\^40 in size; got 1e\+300"),
        (lambda: project_with_largest_remainder([5, 2], 1e300), r"total must be at most 2\^40 in size; got 1e\+300"),
        (lambda: controlled_rounding([1e300], Totals([[1]], [1e300])), r"cells must be at most 2\^40 in size"),
        (lambda: project_onto_total([1, 2], [3, 4]), r"total must be one number; got shape \(2,\)"),
        (
            lambda: project_onto_total_nonnegative([[1, 2], [3, 4]], [1, 2, 3]),
            r"total must be one number or one for each of the 2 rows; got shape \(3,\)",
        ),
        (lambda: project_with_largest_remainder([[1, 2], [3, 4]], [1, 2, 3]), "total must be one number or one"),
        (lambda: Totals(np.ones(2), np.ones(2)), "matrix must have a row of cells for each of the values; got shapes"),
        (lambda: Totals([], []), r"matrix must have a row .*; got shapes \(0,\) and \(0,\)"),
        (lambda: Totals([[1, float("inf")]], [3]), "matrix must be finite; got inf"),
        (lambda: totals_of_parts([0, 1], true=[[1, 2], [3, 4]]), r"true must be a list of cells; got shape \(2, 2\)"),
        (lambda: totals_of_parts([0], true=[1, 2]), "partitions must have one label for each of the 2 cells; got 1"),
        (
            lambda: project_onto_totals_nonnegative([1, 2], Totals(np.ones((2, 2)), np.array([3.0, 4.0]))),
            "totals must not contradict each other",
        ),
        (
            lambda: project_onto_totals_nonnegative([1, 2], Totals(np.ones((1, 2)), np.array([-1.0]))),
            "totals must be met by a non-negative table",
        ),
        (
            lambda: project_onto_totals_nonnegative([1, 2, 3], Totals(np.ones((1, 2)), np.array([1.0]))),
            "noisy must have one value for each of the 2 cells",
        ),
        (
            lambda: controlled_rounding([1.5, 1.5], Totals(np.ones((1, 2)), np.array([7.0]))),
            "totals must be met by rounding each cell down or up",
        ),
        (
            lambda: controlled_rounding([1.5, 1.2], Totals(np.ones((1, 2)), np.array([2.7]))),
            "totals must be whole numbers",
        ),
        (
            lambda: controlled_rounding([-1, 1], Totals(np.ones((1, 2)), np.array([0.0]))),
            "cells must be at least 0 and finite; got -1",
        ),
        (
            lambda: controlled_rounding([1, 1, 1], Totals(np.ones((1, 2)), np.array([2.0]))),
            "cells must be a list of 2 values",
        ),
    ],
)
def test_bad_projections_are_refused(call, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        call()


def test_discrete_gaussian_noise_is_projected_onto_its_total() -> None:
    """Far from zero a projection keeps 1 - 1/cells of the noise's variance."""
    noise = DiscreteGaussian(rho=0.02)
    drawn = draw_projected([500, 400, 300], noise=noise, size=20_000, seed=1)
    assert drawn.sum(axis=1) == pytest.approx(np.full(20_000, 1200.0))
    assert drawn.var(axis=0) == pytest.approx(np.full(3, noise.variance * 2 / 3), rel=0.05)
    each = draw_noise(noise=[noise, DiscreteGaussian(rho=2.0)], cells=2, size=20_000, seed=1)
    assert each.var(axis=0) == pytest.approx([noise.variance, DiscreteGaussian(rho=2.0).variance], rel=0.05)


@each(
    "labels",
    [[1, "1"], [("a", 1), ("a", 2)], [["a"], ["a", "b"]], [float("nan"), 1.0]],
)
def test_labels_of_any_kind_that_differ_are_two_parts(labels: list) -> None:
    held = totals_of_parts(labels, true=[3, 4])
    assert (held.matrix.tolist(), held.values.tolist()) == ([[1, 0], [0, 1]], [3, 4])
