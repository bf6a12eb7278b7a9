"""How many blocks fit published tables: everything that rounding, cell keys or hidden counts leave open.

A block fits where each published count is possible for the sum that it stands for. Cells are taken one by one; blocks
that agree in every sum that is still open are counted together, so that the number is exact as long as there are few.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore.attacks._inputs import whole_numbers
from dpcore.attacks.reconstruction import MOST_PEOPLE, TableNoise, Tables, costs_of_sums
from dpcore.errors import Code, Refused
from dpcore.mechanisms import CountLaw

MOST_STEPS = 10_000
"""So many sets of open sums are made at a cell; beyond, the number of blocks is a lower bound."""
_EXACT = float(1 << 53)
_HALVINGS = 450  # taken at once of numbers of blocks that near the largest float, 2^1024


class FittingBlocks(NamedTuple):
    """How many blocks fit what was published, and whether that is their number or a lower bound on it.

    An attack on the records of a whole block at once; no promise about any one person belongs to it.

    Examples
    --------
    >>> blocks_that_fit([3], tables=Tables(("all",), [[1, 1]]), noise="none")  # 0 and 3 to 3 and 0
    FittingBlocks(number=4, exact=True)
    """

    number: int
    exact: bool


def blocks_that_fit(
    released: ArrayLike,
    *,
    tables: Tables,
    noise: TableNoise | CountLaw,
    people: int | None = None,
    most: int | None = None,
    near: ArrayLike | None = None,
    most_steps: int = MOST_STEPS,
) -> FittingBlocks:
    """How many blocks could have led to these published counts; exact where few sums are open at once, else at least.

    An attack on the records of a whole block at once; no promise about any one person belongs to it. With noise that is
    added, all blocks could: ask it of a method that publishes within limits, or of tables without noise.
    Source: ours, sums cell by cell; checked against enumeration

    Parameters
    ----------
    released : array; published counts, one per row of `tables`
    tables : Tables
    noise : {'none'} or CountLaw; the law of each published count, such as a method of `dpcore.methods`
    people : int, optional; number of people in the block, when it is published exactly
    most : int, optional; largest count of a cell or table considered; by default all that can lead to these counts,
        which must be at most 2,000 and limit every cell
    near : array of int, optional; a block that fits: where there are too many to follow, those near it are counted
    most_steps : int, optional; so many sets of open sums are made at a cell, at least 1

    Examples
    --------
    >>> from dpcore.methods import NearestRounding
    >>> tables = Tables(("a", "b", "all"), [[1, 0], [0, 1], [1, 1]])
    >>> blocks_that_fit([3, 0, 3], tables=tables, noise=NearestRounding(base=3))  # 2 to 4, 0 or 1, 2 to 4 in all
    FittingBlocks(number=5, exact=True)
    """
    number = None if people is None else _checks.count("people", people, 0, MOST_PEOPLE)
    steps = _checks.count("most_steps", most_steps, 1)
    if not isinstance(noise, CountLaw):
        _checks.choice("noise", noise, ("none",))
    uncounted = np.flatnonzero(~tables.matrix.any(axis=0))
    if uncounted.size and people is None and most is None:
        rule = "count every cell, where neither people nor most is given"
        raise Refused("tables", rule, int(uncounted[0]), Code.INCONSISTENT, got=f"none for cell {uncounted[0]}")
    costs = costs_of_sums(released, tables=tables, noise=noise, budget=1.0, people=number, most=most)
    matrix, possible = tables.matrix, np.isfinite(costs)
    top = limit = possible.shape[1] - 1
    if number is not None:
        top = max(limit, number)
        possible = np.pad(possible, ((0, 0), (0, top - limit)))
        matrix = np.vstack([matrix, np.ones((1, matrix.shape[1]), dtype=np.int64)])
        possible = np.vstack([possible, np.arange(possible.shape[1]) == number])
    if not possible.any(axis=1).all() or not possible[~matrix.any(axis=1), 0].all():
        return FittingBlocks(0, True)
    low, high = np.argmax(possible, axis=1), top - np.argmax(possible[:, ::-1], axis=1)
    most_of = np.array([high[matrix[:, cell] == 1].min(initial=limit) for cell in range(matrix.shape[1])])
    anchor = (
        None if near is None else _checks.array("near", whole_numbers("near", near), 0, MOST_PEOPLE).astype(np.int64)
    )
    if anchor is not None and anchor.shape != most_of.shape:
        raise Refused("near", f"hold {most_of.size} counts", anchor.size, Code.WRONG_SHAPE)
    on_the_way = np.zeros(len(matrix), dtype=np.int64)
    left = matrix * most_of
    room, open_cells = left.sum(axis=1), matrix.sum(axis=1)
    states, blocks, exact = np.zeros((1, len(matrix)), dtype=np.int64), np.ones(1), True
    halvings = 0
    order = _closing_early(matrix)
    for cell, following in zip(order, [*order[1:], order[-1]], strict=True):
        touched = np.flatnonzero(matrix[:, cell])
        room, open_cells = room - left[:, cell], open_cells - matrix[:, cell]
        closed = touched[open_cells[touched] == 0]
        grown, times = [], []
        for count in range(int(most_of[cell]) + 1):
            sums = states[:, touched] + count
            fits = ((sums <= high[touched]) & (sums + room[touched] >= low[touched])).all(axis=1)
            fits &= possible[closed, np.minimum(states[:, closed] + count, top)].all(axis=1)
            if fits.any():
                found = states[fits]
                found[:, touched] += count
                grown.append(found)
                times.append(blocks[fits])
        if not grown:
            return FittingBlocks(0, exact)
        states, blocks = _together(np.concatenate(grown), np.concatenate(times), closed)
        if blocks.max() > 4.0**_HALVINGS:
            blocks, halvings = blocks * 2.0**-_HALVINGS, halvings + _HALVINGS
        if anchor is not None:
            on_the_way[touched] += anchor[cell]
            on_the_way[closed] = 0
        followed = max(1, steps // (1 + int(most_of[following])))
        if len(states) > followed:
            far = -blocks if anchor is None else np.abs(states - on_the_way).sum(axis=1)
            kept = np.argsort(far, kind="stable")[:followed]
            states, blocks, exact = states[kept], blocks[kept], False
    total = float(blocks.sum())
    if halvings or total >= _EXACT:
        return FittingBlocks(int(total * (1 - 1e-9)) << halvings, False)
    return FittingBlocks(int(total), exact)


def _together(
    states: NDArray[np.int64], blocks: NDArray[np.float64], closed: NDArray[np.intp]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """States that agree in every open sum as one."""
    states[:, closed] = 0
    lowest = states.min(axis=0)
    spans = [int(span) + 1 for span in states.max(axis=0) - lowest]
    if math.prod(spans) < 2**63:  # a state as one number is compared much faster
        digits = np.array([math.prod(spans[place:]) for place in range(1, len(spans) + 1)])
        _, first, place = np.unique((states - lowest) @ digits, return_index=True, return_inverse=True)
        distinct = states[first]
    else:
        distinct, place = np.unique(states, axis=0, return_inverse=True)
    return distinct, np.bincount(place.ravel(), weights=blocks).astype(np.float64)


def _closing_early(matrix: NDArray[np.int64]) -> list[int]:
    """The cells in an order in which sums are complete soon."""
    order: list[int] = []
    left = matrix.astype(bool)
    while len(order) < matrix.shape[1]:
        sizes = left.sum(axis=1)
        if not sizes.any():
            order += [cell for cell in range(matrix.shape[1]) if cell not in order]
            break
        for cell in np.flatnonzero(left[np.argmin(np.where(sizes > 0, sizes, matrix.shape[1] + 1))]).tolist():
            order.append(cell)
            left[:, cell] = False
    return order
