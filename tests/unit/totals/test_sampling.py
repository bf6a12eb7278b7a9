"""Promises of dpcore.totals.sampling: both samplers against the exact law."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpcore.mechanisms import DiscreteGaussian
from dpcore.totals import (
    Totals,
    condition_on_totals,
    draw_by_independent_proposals,
    draw_by_lattice_gibbs,
    lattice_moves,
    totals_of_parts,
)

TRUE = [3, 1, 2, 0, 4, 2]
COLUMNS, ROWS = [0, 1, 2, 0, 1, 2], [0, 0, 0, 1, 1, 1]


def _held(*partitions, true=TRUE) -> Totals:
    return totals_of_parts(*partitions, true=true)


@pytest.mark.parametrize("partitions", [(), (COLUMNS,), (COLUMNS, ROWS)])
def test_the_lattice_sampler_agrees_with_the_exact_law(partitions) -> None:
    exact = condition_on_totals(TRUE, epsilon=0.6, **dict(zip(("parts", "crossing"), partitions, strict=False)))
    found = draw_by_lattice_gibbs(TRUE, epsilon=0.6, totals=_held(*partitions), sweeps=60, chains=60, seed=3)
    for cell, law in enumerate(exact.laws()):
        error = math.sqrt(law.variance / found.effective(cell))
        assert found.means[cell] == pytest.approx(law.mean, abs=5 * error)
    assert found.least_effective() > 300


def test_the_independent_sampler_agrees_with_the_exact_law() -> None:
    exact = condition_on_totals(TRUE, epsilon=0.6)
    found = draw_by_independent_proposals(
        TRUE, epsilon=0.6, totals=_held(), free=range(5), proposal_epsilon=0.7, steps=40_000, seed=3
    )
    assert 0.01 < found.acceptance < 1
    for cell, law in enumerate(exact.laws()):
        error = math.sqrt(law.variance / found.effective(cell))
        assert found.means[cell] == pytest.approx(law.mean, abs=5 * error)


def test_larger_crossings_keep_all_totals_and_stay_nonnegative() -> None:
    true = [4, 0, 2, 1, 3, 3, 0, 2, 5]
    held = totals_of_parts([0, 1, 2] * 3, [0] * 3 + [1] * 3 + [2] * 3, true=true)
    found = draw_by_lattice_gibbs(true, epsilon=0.5, totals=held, sweeps=30, chains=20, seed=1)
    tables = found.draws.reshape(-1, 9)
    assert (tables @ held.matrix.T == held.values).all()
    assert tables.min() >= 0
    assert found.acceptance == 1.0


def test_inequalities_hold_in_every_draw() -> None:
    rule, limit = [[1.0, -1.0, 0.0, 0.0, 0.0, 0.0]], [1.0]  # the first cell exceeds the second
    chain = draw_by_lattice_gibbs(
        TRUE, epsilon=0.4, totals=_held(), sweeps=20, chains=20, seed=1, at_least_matrix=rule, at_least=limit
    )
    mis = draw_by_independent_proposals(
        TRUE,
        epsilon=0.4,
        totals=_held(),
        free=range(5),
        proposal_epsilon=0.5,
        steps=3000,
        seed=1,
        at_least_matrix=rule,
        at_least=limit,
    )
    for found in (chain, mis):
        cells = found.draws.reshape(-1, 6)
        assert (cells[:, 0] - cells[:, 1] >= 1).all()
        assert cells[:, 0].std() > 0


def test_without_sign_limits_the_lattice_sampler_has_the_zero_sum_variance() -> None:
    exact = condition_on_totals([0, 0, 0], epsilon=1.0, non_negative=False).law(0).variance
    held = totals_of_parts(true=[0, 0, 0])
    found = draw_by_lattice_gibbs(
        [0, 0, 0], epsilon=1.0, totals=held, sweeps=100, chains=60, seed=3, non_negative=False
    )
    assert found.draws[:, :, 0].var() == pytest.approx(exact, rel=0.1)


def test_a_table_that_its_totals_determine_does_not_move() -> None:
    held = Totals(np.eye(2), np.array([1.0, 2.0]))
    found = draw_by_lattice_gibbs([1, 2], epsilon=1.0, totals=held, sweeps=2, chains=2, seed=1)
    assert (found.draws == [1, 2]).all()
    assert found.least_effective() == 1.0


def test_a_long_run_can_be_stopped() -> None:
    found = draw_by_lattice_gibbs(
        TRUE,
        epsilon=0.5,
        totals=_held(),
        sweeps=50,
        warm_up=2,
        chains=3,
        seed=1,
        progress=lambda done, wanted: done == 6 < wanted,
    )
    assert found.draws.shape == (3, 4, 6)


def test_moves_leave_the_totals_alone_and_span_what_is_left() -> None:
    held = _held(COLUMNS, ROWS)
    moves = lattice_moves(held)
    assert np.abs(held.matrix @ moves.T).max() == 0
    assert np.linalg.matrix_rank(moves) == 2


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda: lattice_moves(Totals(np.array([[1.0, 2.0, 4.0]]), np.array([7.0]))),
            "totals must be spanned by swaps and squares; got 0 of 2 directions",
        ),
        (
            lambda: draw_by_lattice_gibbs(
                [1, 2], epsilon=1, totals=_held(true=[1, 2]), sweeps=1, seed=1, moves=[[1, 1]]
            ),
            "moves must leave the totals alone",
        ),
        (
            lambda: draw_by_lattice_gibbs([1, 2], epsilon=1, totals=_held(true=[1, 3]), sweeps=1, seed=1),
            r"totals must hold for the true counts; got \[4.0\]",
        ),
        (
            lambda: draw_by_lattice_gibbs([1, 2], epsilon=1, totals=_held(true=[1, 2]), sweeps=1, seed=1, at_least=[5]),
            r"at_least must be given with its at_least_matrix; got \[5\]",
        ),
        (
            lambda: draw_by_lattice_gibbs(
                [1, 2], epsilon=1, totals=_held(true=[1, 2]), sweeps=1, seed=1, moves=[[1.5, -1.5]]
            ),
            "moves must be whole numbers; got 1.5",
        ),
        (
            lambda: draw_by_lattice_gibbs(
                [1, 2], epsilon=1, totals=_held(true=[1, 2]), sweeps=1, seed=1, moves=[[0, 0]]
            ),
            "moves must each move a cell; got a row of zeros",
        ),
        (
            lambda: draw_by_lattice_gibbs(
                [1, 2], epsilon=1, totals=_held(true=[1, 2]), sweeps=1, seed=1, moves=[["a"]]
            ),
            "moves must be numbers; got",
        ),
        (
            lambda: draw_by_independent_proposals(
                [1, 2],
                epsilon=1,
                totals=_held(true=[1, 2]),
                free=[0],
                proposal_epsilon=1,
                steps=1,
                seed=1,
                at_least_matrix=[[1, 0]],
                at_least=[5],
            ),
            r"true must meet the inequalities; got \[1, 2\]",
        ),
        (
            lambda: draw_by_independent_proposals(
                [1, 2], epsilon=1, totals=_held(true=[1, 2]), free=[0], proposal_epsilon=-1, steps=1, seed=1
            ),
            "proposal_epsilon must be greater than 0 and finite; got -1",
        ),
        (
            lambda: draw_by_lattice_gibbs(
                [1, 2], epsilon=1, totals=_held(true=[1, 2]), sweeps=1, seed=1, at_least_matrix=[[1, 0]], at_least=[5]
            ),
            "true must meet the inequalities",
        ),
        (
            lambda: draw_by_lattice_gibbs(
                [1, 2],
                epsilon=1,
                totals=_held(true=[1, 2]),
                sweeps=1,
                seed=1,
                at_least_matrix=[[1, 0, 0]],
                at_least=[5],
            ),
            "at_least_matrix must have 2 columns and one row a bound",
        ),
        (
            lambda: draw_by_independent_proposals(
                [1, 2], epsilon=1, totals=_held(true=[1, 2]), free=[0, 1], proposal_epsilon=1, steps=5, seed=1
            ),
            "free must leave one dependent cell for each total; got 0 for 1 totals",
        ),
        (
            lambda: draw_by_independent_proposals(
                [1, 2], epsilon=1, totals=_held(true=[1, 3]), free=[0], proposal_epsilon=1, steps=5, seed=1
            ),
            "totals must hold for the true counts",
        ),
        (
            lambda: draw_by_independent_proposals(
                [1, 2, 1],
                epsilon=1,
                totals=Totals(np.array([[1.0, 0, 0]]), np.array([1.0])),
                free=[0, 1],
                proposal_epsilon=1,
                steps=5,
                seed=1,
            ),
            "free must leave totals that can be solved",
        ),
    ],
)
def test_bad_samplers_are_refused(call, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        call()


def test_the_lattice_sampler_has_the_law_of_discrete_gaussian_noise() -> None:
    noise = DiscreteGaussian(rho=0.08)
    exact = condition_on_totals(TRUE, noise=noise, parts=COLUMNS, crossing=ROWS, non_negative=False)
    held = _held(COLUMNS, ROWS)
    found = draw_by_lattice_gibbs(TRUE, noise=noise, totals=held, sweeps=60, chains=60, seed=3, non_negative=False)
    for cell, law in enumerate(exact.laws()):
        worth = found.effective(cell)
        assert found.means[cell] == pytest.approx(law.mean, abs=5 * math.sqrt(law.variance / worth))
        assert found.draws[:, :, cell].var() == pytest.approx(law.variance, rel=5 * math.sqrt(2 / worth))
    assert found.least_effective() > 300
    assert found.draws.min() < 0  # a cell may be negative
