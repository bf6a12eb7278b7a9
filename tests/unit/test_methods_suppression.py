"""Feasibility intervals of hidden cells: every small table enumerated, refusals, secondary suppression, three ways."""

from __future__ import annotations

import itertools
import math
import re
from typing import Any

import numpy as np
import pytest

from dpcore.errors import Refused
from dpcore.methods import HiddenCell, SmallCountSuppression, SuppressedTable
from tests.each import each


def enumerated(table: SuppressedTable, low: Any, high: Any) -> tuple[tuple[int, int], ...] | None:
    """The ends of each hidden cell over all fillings between the bounds that have the totals; None where none has."""
    cells = np.array(table.cells, dtype=object)
    hidden = table.hidden
    ranges = [
        range(int(np.broadcast_to(low, cells.shape)[place]), int(np.broadcast_to(high, cells.shape)[place]) + 1)
        for place in hidden
    ]
    fillings = np.array(list(itertools.product(*ranges))).reshape(-1, len(hidden))
    filled = np.broadcast_to(np.where(cells == None, 0, cells).astype(int), (len(fillings), *cells.shape)).copy()  # noqa: E711
    for number, place in enumerate(hidden):
        filled[(slice(None), *place)] = fillings[:, number]
    agree = np.ones(len(fillings), dtype=bool)
    for kept, totals in table.totals.items():
        sums = filled.sum(axis=tuple(axis + 1 for axis in range(cells.ndim) if axis not in kept))
        for place, total in np.ndenumerate(np.array(totals, dtype=object)):
            agree &= True if total is None else sums[(slice(None), *place)] == total
    left = fillings[agree]
    return tuple(zip(left.min(axis=0).tolist(), left.max(axis=0).tolist(), strict=True)) if left.size else None


def random_table(rng: np.random.Generator) -> tuple[SuppressedTable, int, int]:
    """A table with some cells hidden, of two or three ways, some totals held back, now and then one that is wrong."""
    shape = [(2, 3), (3, 3), (2, 4), (2, 2, 2), (2, 2, 3)][rng.integers(5)]
    low, high = int(rng.integers(2)), int(rng.integers(2, 5))
    counts = rng.integers(low, high + 1, shape)
    hidden = rng.random(shape) < 0.6
    while hidden.sum() > 7:
        hidden[tuple(rng.choice(np.argwhere(hidden)))] = False
    counts = np.where(hidden, counts, counts + rng.integers(0, 9, shape))
    totals: dict[tuple[int, ...], Any] = {}
    for size in range(len(shape)):
        for kept in itertools.combinations(range(len(shape)), size):
            if rng.random() < 0.6:
                sums = np.array(counts.sum(axis=tuple(a for a in range(len(shape)) if a not in kept)), dtype=object)
                held_back = rng.random(sums.shape) < 0.2
                wrong = rng.random(sums.shape) < 0.02
                totals[kept] = np.where(held_back, None, sums + wrong).tolist()
    return SuppressedTable(np.where(hidden, None, counts).tolist(), totals=totals, low=low, high=high), low, high


def check_random_tables(seed: int, tables: int) -> int:
    """Compare so many random tables with their enumeration, and say how many have hidden cells and a filling."""
    rng, told = np.random.default_rng(seed), 0
    for _ in range(tables):
        try:
            table, low, high = random_table(rng)
        except Refused:  # a wrong total of shown cells alone
            continue
        known = enumerated(table, low, high)
        if known is None and table.hidden:
            with pytest.raises(Refused, match=r"^totals must be those of some table$"):
                table.intervals()
        elif known is not None:
            told += 1
            assert tuple((cell.least, cell.largest) for cell in table.intervals()) == known
    return told


def test_intervals_are_those_of_every_table_that_agrees() -> None:
    assert check_random_tables(seed=3, tables=60) > 40


@pytest.mark.study
@pytest.mark.parametrize("seed", range(5))
def test_intervals_of_five_hundred_tables_are_those_of_every_table_that_agrees(seed: int) -> None:
    assert check_random_tables(seed=100 + seed, tables=110) > 75


def test_a_table_of_three_ways_may_need_whole_numbers_beyond_a_linear_programme() -> None:
    counts = np.array(
        [
            [[1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 1, 1]],
            [[0, 0, 1, 1], [1, 0, 1, 0], [1, 1, 0, 1]],
            [[1, 0, 1, 1], [1, 0, 0, 1], [0, 0, 1, 0]],
        ]
    )  # with these totals some halves of people would go further than whole ones
    pairs = {(0, 1): counts.sum(axis=2), (0, 2): counts.sum(axis=1), (1, 2): counts.sum(axis=0)}
    binary = np.array(list(itertools.product((0, 1), repeat=12))).reshape(-1, 3, 4)
    slices = [
        binary[(binary.sum(axis=2) == pairs[0, 1][k]).all(axis=1) & (binary.sum(axis=1) == pairs[0, 2][k]).all(axis=1)]
        for k in range(3)
    ]
    found = [np.stack(three) for three in itertools.product(*slices) if (sum(three) == pairs[1, 2]).all()]
    hidden = SuppressedTable(
        np.full(counts.shape, None).tolist(), totals={kept: sums.tolist() for kept, sums in pairs.items()}, high=1
    )
    least, largest = np.min(found, axis=0).ravel(), np.max(found, axis=0).ravel()
    assert [(cell.least, cell.largest) for cell in hidden.intervals()] == list(zip(least, largest, strict=True))
    assert 0 < (least == largest).sum() < 36


def test_public_bounds_help_the_reader() -> None:
    def hidden(total: int) -> tuple[HiddenCell, ...]:
        table = SuppressedTable([[None, None]], totals={(0,): [total]}, low=1, high=4)
        return table.intervals()

    assert [(cell.least, cell.largest) for cell in hidden(8)] == [(4, 4)] * 2
    assert [(cell.least, cell.largest) for cell in hidden(2)] == [(1, 1)] * 2
    assert [(cell.least, cell.largest) for cell in hidden(5)] == [(1, 4)] * 2
    assert [cell.is_known for cell in hidden(5)] == [False, False]


def test_a_cell_in_no_total_keeps_its_bounds_and_may_have_no_upper_end() -> None:
    table = SuppressedTable.two_way([[None, 3], [None, None]], row_totals=[None, 9], column_totals=[None, None], low=1)
    assert table.intervals() == (
        HiddenCell((0, 0), 1, None),
        HiddenCell((1, 0), 1, 8),
        HiddenCell((1, 1), 1, 8),
    )


def test_secondary_suppression_has_bounds_of_its_own() -> None:
    table = SuppressedTable.two_way(
        [[None, None], [None, None]],
        row_totals=[13, 15],
        column_totals=[11, 17],
        low=[[1, 0], [0, 0]],
        high=[[4, math.inf], [math.inf, math.inf]],
    )
    assert [(cell.least, cell.largest) for cell in table.intervals()] == [(1, 4), (9, 12), (7, 10), (5, 8)]


def test_a_total_of_everything_binds_where_margins_are_held_back() -> None:
    table = SuppressedTable.two_way(
        [[None, 7], [6, None]], row_totals=[None, None], column_totals=[None, None], grand_total=16, low=1, high=4
    )
    assert [(cell.least, cell.largest) for cell in table.intervals()] == [(1, 2), (1, 2)]


@pytest.mark.parametrize("total", [3, *range(94, 108), 10**6])
def test_totals_that_nearly_agree_are_refused_however_slowly_they_part(total: int) -> None:
    table = SuppressedTable([[None, None]], totals={(0,): [total], (): total + 1})
    with pytest.raises(Refused, match=r"^totals must be those of some table$"):
        table.intervals()


def test_numbers_of_people_in_a_country_are_exact() -> None:
    table = SuppressedTable.two_way([[None, None], [None, None]], row_totals=[10**12, 7], column_totals=[10**12 - 1, 8])
    assert table.intervals()[0] == HiddenCell((0, 0), 10**12 - 8, 10**12 - 1)


def test_suppression_publishes_every_total_and_hides_the_small() -> None:
    table = SmallCountSuppression(threshold=5).publish([[3, 8, 0], [9, 2, 14]])
    assert table.cells == [[None, 8, 0], [9, None, 14]]
    assert table.totals == {(): 36, (0,): [11, 25], (1,): [12, 10, 14]}
    assert [tuple(cell) for cell in table.intervals()] == [((0, 0), 3, 3), ((1, 1), 2, 2)]
    with_zero = SmallCountSuppression(threshold=5, zero="hidden").publish([3, 0, 9])
    assert with_zero.hidden == ((0,), (1,))
    assert [(cell.least, cell.largest) for cell in with_zero.intervals()] == [(0, 3), (0, 3)]
    cube = SmallCountSuppression(threshold=3).publish([[[1, 5], [2, 7]], [[4, 1], [9, 9]]])
    assert set(cube.totals) == {(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2)}


def test_primary_suppression_alone_leaves_a_known_cell_in_most_tables() -> None:
    rng, known, hidden = np.random.default_rng(20), 0, 0
    for _ in range(25):
        cells = SmallCountSuppression(threshold=5).publish(rng.negative_binomial(1, 0.1, (5, 6)).tolist()).intervals()
        known += sum(cell.is_known for cell in cells)
        hidden += len(cells)
    assert 0.5 < known / hidden < 0.85


WHOLE = "cells must be whole numbers of at least 0 or None; got "
COUNTS = "counts must be a table of whole numbers of at least 0; got "
FIVE = SmallCountSuppression(threshold=5)


def row(*cells: object, **given: Any) -> SuppressedTable:
    """One row of a table; nothing else is published but what is given."""
    return SuppressedTable([list(cells)], **{"totals": {}} | given)


@each(
    "make, text",
    [
        (lambda: SuppressedTable([], totals={}), "cells must hold a count at least; got []"),
        (lambda: SuppressedTable([[None], [1, 2]], totals={}), WHOLE + "[[N"),
        (lambda: row(None, "3"), WHOLE + "'3'"),
        (lambda: row(None, True), WHOLE + "True"),
        (lambda: row(None, 2.5), WHOLE + "2.5"),
        (lambda: row(None, -1), WHOLE + "-1"),
        (lambda: row(None, 10**13), WHOLE + "10000000000000"),
        (lambda: row(2, totals={(0, 1): 3}), "totals must have the shape (1, 1) of the axes they keep; got ()"),
        (lambda: row(2, totals={(2,): 3}), "totals must name the kept axes, rising from 0 to 1; got (2,)"),
        (lambda: row(2, totals={("a",): 3}), "totals must name the kept axes, rising from 0 to 1; got ('a',)"),
        (lambda: row(2, totals={(1, 0): 3}), "totals must name the kept axes, rising from 0 to 1; got (1, 0)"),
        (lambda: row(2, totals=[3]), "totals must be a mapping from the axes that are kept; got [3]"),
        (lambda: row(None, 2, totals={(0,): [1]}), "totals must be those of some table; got 1"),
        (lambda: row(3, 2, totals={(0,): [6]}), "totals must be those of some table; got 6"),
        (lambda: row(None, low=3, high=2), "low must be at most high; got 3.0"),
        (lambda: row(None, low=0.5), "low must be a whole number; got 0.5"),
        (lambda: row(None, low=[1, 2, 3]), "low must be one number or one for each cell; got (3,)"),
        (lambda: row(None, 2, totals={(0,): [9]}, high=4).intervals(), "totals must be those of some table"),
        (lambda: row(*[None] * 1001).intervals(), "cells must hide at most 1,000; got 1001"),
        (lambda: row(None, None, totals={(): 9}).intervals(time_limit=1e-9), "time_limit must leave time for every"),
        (lambda: row(None).intervals(time_limit=0.0), "time_limit must be greater than 0 and finite; got 0.0"),
        (lambda: FIVE.publish([[None, 2]]), COUNTS + "[[None, 2]]"),
        (lambda: FIVE.publish(3), COUNTS + "3"),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_table_is_refused_by_name(make: Any, text: str) -> None:
    with pytest.raises(Refused, match=f"^{re.escape(text)}"):
        make()
