"""Rebuilding a block: the proven optimum, its uniqueness, the baseline, limits and refusals."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from dpcore.attacks.reconstruction import (
    Tables,
    draw_tables,
    guess_from_shares,
    marginal_tables,
    people_right,
    rebuild,
    redistricting_tables,
)
from dpcore.errors import Code, Refused
from dpcore.mechanisms import DiscreteGaussian
from dpcore.methods import NearestRounding
from dpcore.populations import district_28_21, public_shares_of_synthetic_blocks, synthetic_block
from tests.each import each

SMALL = Tables(("a", "a or b", "b or c", "all"), [[1, 0, 0], [1, 1, 0], [0, 1, 1], [1, 1, 1]])


@pytest.mark.parametrize("noise", ["discrete_gaussian", "geometric"])
@pytest.mark.parametrize("released", [(2, -1, 4, 3), (0, 3, 1, 5), (5, 1, 0, 2), (-2, -1, -3, 0)])
def test_the_rebuilt_block_is_the_best_of_all_blocks(noise: str, released: tuple[int, ...]) -> None:
    budgets = np.array([0.5, 1.0, 0.7, 2.0])
    result = rebuild(released, tables=SMALL, noise=noise, budget=budgets)
    costs = {}
    for counts in itertools.product(range(9), repeat=3):
        gap = np.abs(np.array(released) - SMALL.answers(counts))
        costs[counts] = float((budgets * (gap**2 if noise == "discrete_gaussian" else gap)).sum())
    ordered = sorted(costs.values())
    assert result.status == "most likely"
    assert result.cost == pytest.approx(ordered[0], abs=1e-9)
    assert costs[tuple(result.counts)] == pytest.approx(ordered[0], abs=1e-9)
    assert result.unique == (ordered[1] - ordered[0] > 1e-6)
    assert result.margin == pytest.approx(ordered[1] - ordered[0], abs=1e-6)
    assert tuple(result.runner_up) != tuple(result.counts)


def test_a_block_far_from_every_published_count_is_the_best_between_them() -> None:
    tables = Tables(("a", "b", "all"), [[1, 0], [0, 1], [1, 1]])
    result = rebuild([0, 0, 99], tables=tables, budget=1.0)  # a third of the way for each
    assert (result.counts.tolist(), result.status, result.unique) == ([33, 33], "most likely", True)
    assert result.cost == pytest.approx(3 * 33**2)


def test_exact_tables_that_determine_the_block_rebuild_it_and_say_so() -> None:
    block = synthetic_block(25, seed=3)
    tables = redistricting_tables(block.cells)
    released = draw_tables(block.counts[0], tables=tables, noise="none", budget=1, seed=0)
    result = rebuild(released, tables=tables, noise="none", people=25)
    assert result.unique
    assert people_right(result.counts, block.counts[0]) == 25
    assert result.runner_up is None


def test_exact_tables_that_leave_two_blocks_are_not_called_unique() -> None:
    tables = Tables(("all",), [[1, 1]])
    result = rebuild([3], tables=tables, noise="none")
    assert result.unique is False
    assert result.margin == 0
    assert int(np.sum(result.runner_up)) == 3


def test_contradicting_exact_tables_are_called_impossible() -> None:
    result = rebuild([3, 2], tables=Tables(("a", "again"), [[1, 0], [1, 0]]), noise="none")
    assert result.counts is None
    assert result.status == "impossible"


def test_a_block_of_45_people_is_rebuilt_in_two_seconds_and_beats_guessing() -> None:
    block = synthetic_block(45, seed=3)
    tables = redistricting_tables(block.cells)
    released = draw_tables(block.counts[0], tables=tables, budget=4.0, seed=5)
    result = rebuild(released, tables=tables, budget=4.0, people=45)
    guess = guess_from_shares(public_shares_of_synthetic_blocks(), people=45)
    assert result.status == "most likely"
    assert result.seconds < 2
    assert people_right(result.counts, block.counts[0]) > people_right(guess, block.counts[0])


def test_a_published_number_of_people_is_kept() -> None:
    assert rebuild([2, 2, 2, 2], tables=SMALL, people=7).counts.sum() == 7


def test_a_stopped_rebuild_keeps_what_there_is() -> None:
    answers, told = iter([False, True, True]), list[tuple[float, float]]()

    def second_is_enough(used: float, allowed: float) -> bool:
        told.append((used, allowed))
        return next(answers)

    result = rebuild([2, 2, 2, 2], tables=SMALL, time_limit=7.0, progress=second_is_enough)
    assert [allowed for _, allowed in told] == [7.0, 7.0]
    assert 0 <= told[0][0] < told[1][0] < 7.0
    assert result.status == "most likely"
    assert result.unique is None
    assert rebuild([2, 2, 2, 2], tables=SMALL, progress=lambda used, allowed: True).status == "stopped"


def test_a_tiny_time_limit_ends_without_a_claim() -> None:
    result = rebuild([2, 2, 2, 2], tables=SMALL, time_limit=1e-9)
    assert result.status == "not found"
    assert result.unique is None


def test_tables_of_the_thesis_district_add_up() -> None:
    district = district_28_21()
    tables = redistricting_tables(district.cells)
    answers = dict(zip(tables.labels, tables.answers(district.counts[0]), strict=True))
    assert answers["P1 total"] == 45
    assert answers["P3 total"] == 35
    assert answers["P4 not Hispanic, Black"] == 1
    assert answers["P2 Hispanic"] == 0
    assert answers["P5 Household"] == 45


def test_tables_of_one_and_two_characteristics_count_every_person_once_each() -> None:
    block = synthetic_block(30, seed=2)
    tables = marginal_tables(block.cells, attributes=block.attributes)
    assert len(tables.labels) == 1 + (2 + 2 + 2 + 7) + (4 + 4 + 14 + 4 + 14 + 14)
    assert tables.answers(block.counts[0]).sum() == 30 * (1 + 4 + 6)
    released = draw_tables(block.counts[0], tables=tables, noise="none", budget=1, seed=0)
    assert people_right(rebuild(released, tables=tables, noise="none").counts, block.counts[0]) >= 24


def test_draws_depend_on_the_seed_only() -> None:
    drawn = [draw_tables([1, 2, 3], tables=SMALL, noise="geometric", budget=0.5, seed=seed) for seed in (1, 1, 2)]
    assert (drawn[0] == drawn[1]).all()
    assert (drawn[0] != drawn[2]).any()


def test_a_guess_keeps_the_number_of_people() -> None:
    assert guess_from_shares([1, 1, 1], people=4).tolist() == [2, 1, 1]
    assert guess_from_shares([0.5, 0.5], people=0).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"released": [1, 2]}, "released must have one entry per published count; got 2 for 4"),
        ({"released": [1, 2, 3, 0.5]}, "released must hold whole numbers; got 0.5"),
        ({"noise": "laplace"}, "noise must be one of 'discrete_gaussian', 'geometric', 'none'; got 'laplace'"),
        ({"budget": 0}, "budget must be greater than 0 and finite; got 0"),
        ({"people": -1}, "people must be a whole number from 0 to 2000; got -1"),
        ({"most": 0}, "most must be a whole number from 1 to 2000; got 0"),
        ({"time_limit": 0}, "time_limit must be greater than 0 and finite; got 0"),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rebuild(**({"released": [1, 2, 3, 4], "tables": SMALL} | arguments))


def test_other_wrong_input_is_refused() -> None:
    with pytest.raises(ValueError, match="matrix must hold 0 and 1 with one row per label"):
        Tables(("a",), [[2]])
    with pytest.raises(ValueError, match="cells must have four characteristics each; got"):
        redistricting_tables([("a", "b")])
    with pytest.raises(ValueError, match="cells must have one label per characteristic; got"):
        marginal_tables([("a", "b")], attributes=["age"])
    with pytest.raises(ValueError, match="counts must hold 3 numbers; got 2"):
        draw_tables([1, 2], tables=SMALL, budget=1, seed=0)
    with pytest.raises(ValueError, match="shares must have positive mass"):
        guess_from_shares([0, 0], people=3)
    with pytest.raises(ValueError, match="guessed must have one entry per cell; got 1 for 2"):
        people_right([1], [1, 2])


PAIR = Tables(("a", "b", "all"), [[1, 0], [0, 1], [1, 1]])
ONE = Tables(("a",), [[1]])


@each("budget", [1e-12, 1e-10, 1e-6, 1e-3, 0.1])
def test_a_small_budget_leads_to_the_same_block_at_a_cost_in_proportion(budget: float) -> None:
    released = np.array([7, 1, 4])
    gaps = {block: ((released - PAIR.answers(block)) ** 2).sum() for block in itertools.product(range(15), repeat=2)}
    least = min(gaps.values())
    result = rebuild(released, tables=PAIR, budget=budget)
    assert gaps[tuple(result.counts)] == least
    assert result.cost == pytest.approx(budget * least, rel=1e-12)
    assert not result.unique  # two blocks are as likely
    assert rebuild([3, 1, 4], tables=PAIR, budget=budget).margin == pytest.approx(2 * budget, rel=1e-9)


def test_numbers_beside_a_noise_of_their_own_are_rebuilt_as_with_its_kind() -> None:
    for law in (DiscreteGaussian(rho=1.0), "discrete_gaussian"):
        assert rebuild([3, 0, 3], tables=PAIR, noise=law, most=9).counts.tolist() == [3, 0]


def test_the_largest_count_holds_beside_a_number_of_people() -> None:
    cells = Tables(("a", "b"), [[1, 0], [0, 1]])
    assert rebuild([6, 0], tables=cells, people=6).counts.tolist() == [6, 0]
    assert rebuild([6, 0], tables=cells, people=6, most=4).counts.tolist() == [4, 2]


BEYOND: list[tuple[Any, str, Code]] = [
    (lambda: rebuild([2_500], tables=ONE), "released", Code.TOO_LARGE),
    (lambda: rebuild([2_500], tables=ONE, noise="none"), "released", Code.TOO_LARGE),
    (lambda: rebuild([2_000], tables=ONE, noise=NearestRounding(base=5)), "released", Code.TOO_LARGE),
    (lambda: rebuild([7, 1, 4], tables=PAIR, budget=[1.0, 2.0]), "budget", Code.WRONG_SHAPE),
    (lambda: Tables(("a", "b"), [[1, 0], [1]]), "matrix", Code.WRONG_SHAPE),
    (lambda: Tables(("a",), [[]]), "matrix", Code.WRONG_SHAPE),
    (lambda: PAIR.answers([1.7, 2]), "counts", Code.NOT_WHOLE),
    (lambda: PAIR.answers([[1], [1, 2]]), "counts", Code.NOT_A_NUMBER),
    (lambda: PAIR.answers([-2, 3]), "counts", Code.OUT_OF_RANGE),
    (lambda: draw_tables([1e300, 3], tables=PAIR, seed=0), "counts", Code.OUT_OF_RANGE),
    (lambda: people_right([-3], [2]), "guessed", Code.OUT_OF_RANGE),
    (lambda: people_right([3], [-2]), "truth", Code.OUT_OF_RANGE),
]


@each("call, name, code", BEYOND)
def test_blocks_and_tables_that_cannot_be_are_refused(call: Any, name: str, code: Code) -> None:
    with pytest.raises(Refused) as refused:
        call()
    assert (refused.value.name, refused.value.code) == (name, code)


def test_a_noise_without_end_is_sought_up_to_the_most_people() -> None:
    assert rebuild([2_000], tables=ONE, noise=DiscreteGaussian(rho=1.0)).counts.tolist() == [2_000]
    assert rebuild([2_000], tables=ONE, noise="none").counts.tolist() == [2_000]
