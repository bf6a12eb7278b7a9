"""Tables that add up, without negative counts, with exact totals kept, in whole numbers."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore._properties import cached_property
from dpcore.adjustment.least_squares import LeastSquares, times
from dpcore.adjustment.programs import NEARLY_WHOLE, Equations
from dpcore.adjustment.tables import NoisyTable, TotalBounds
from dpcore.adjustment.trees import Level
from dpcore.errors import Code, Refused
from dpcore.studies import Executor

Method = Literal["global", "top_down"]
"""Whether the nearest table of all is found, or one level after the other."""
BATCH = 50_000
"""Most counts of one program of the top-down method."""


@call_hint
@dataclass(frozen=True, eq=False)
class AdjustedTable:
    """A table that adds up, has no negative count and keeps the exact totals.

    Post-processing: whatever promise about a secret the noisy counts keep, it keeps, and adds none.

    Parameters
    ----------
    table : NoisyTable; the noisy table
    counts : array, shape (areas, cells); the adjusted counts, whole numbers unless asked otherwise
    method : {"global", "top_down"}; how they were found

    Examples
    --------
    >>> from dpcore.adjustment import AreaTree, NoisyTable, adjusted_table
    >>> table = NoisyTable(AreaTree([-1, 0, 0]), [[12], [5], [4]], variances=1.0)
    >>> adjusted_table(table).distance  # each count has moved by one
    3.0
    """

    table: NoisyTable
    counts: NDArray[Any]
    method: Method

    @cached_property
    def distance(self) -> float:
        """Sum over the noisy counts of the squared change over the variance: what adjusting keeps small."""
        return float((((self.counts - np.asarray(self.table.counts)) ** 2) / np.asarray(self.table.variances)).sum())


@call_hint
def adjusted_table(
    table: NoisyTable, *, method: Method = "global", whole: bool = True, executor: Executor | None = None
) -> AdjustedTable:
    """The noisy table moved to one that adds up, has no negative count and keeps the exact totals.

    Post-processing: whatever promise about a secret the noisy counts keep, it keeps, and adds none. ``"global"`` is
    the nearest such table by squared change over variance, as a solver finds it: to about 1e-9 of a count in tables
    of small counts. ``"top_down"`` goes by subtrees, from each area to its parts, with what all noisy counts below
    say of them: not the nearest table, but for a million areas; `AdjustedTable.distance` compares the two. Whole
    counts add up and meet the totals exactly; each is next to its broken count but for a few that the solver leaves
    beside a whole one, with the least sum of changes for the whole table or for each step downwards. No longer
    being negative or broken adds bias.
    Source: gong_meng, Section 4, the two stages of the TopDown algorithm; ours, both as programs on a tree

    Parameters
    ----------
    table : NoisyTable; the noisy table
    method : {"global", "top_down"}, optional; the nearest table of all, or level after level
    whole : bool, optional; whether the counts become whole numbers
    executor : Executor, optional; of `dpcore.studies`: where ``"top_down"`` computes the parts of a large table, this
        process when left out; the table is the same to the last digit wherever they are computed

    Examples
    --------
    >>> from dpcore.adjustment import AreaTree
    >>> table = NoisyTable(AreaTree([-1, 0, 0]), [[6], [7], [-3]], variances=1.0)
    >>> adjusted_table(table).counts.tolist()  # the second part is 0, so the other is the whole: 6 and 7 are 6.5
    [[6], [6], [0]]
    >>> adjusted_table(table, whole=False).counts.round(6).tolist()
    [[6.5], [6.5], [0.0]]
    >>> adjusted_table(table, method="top_down").counts.tolist()
    [[5], [5], [0]]
    """
    _checks.choice("method", method, ("global", "top_down"))
    if method == "global" and executor is not None:
        raise Refused("executor", "be given with the method 'top_down' alone", method, Code.INCONSISTENT)
    fit = LeastSquares(table)
    counts = _global(fit, whole) if method == "global" else _top_down(fit, whole, executor)
    return AdjustedTable(table, counts, method)


def _global(fit: LeastSquares, whole: bool) -> NDArray[Any]:
    table, tree = fit.table, fit.table.tree
    parents, inside = np.asarray(tree.parents), np.flatnonzero(np.asarray(tree.parents) >= 0)
    divided = np.flatnonzero(~tree.undivided)
    rows = np.concatenate([np.arange(divided.size), np.searchsorted(divided, parents[inside])])
    signs = np.concatenate([np.ones(divided.size), -np.ones(inside.size)])
    sums = csc_array((signs, (rows, np.concatenate([divided, inside]))), shape=(divided.size, parents.size))
    exact = np.flatnonzero(~np.isnan(np.asarray(table.totals)) & ~table.bounds.implied)
    equations = Equations(
        sums,
        np.zeros((divided.size, fit.counts.shape[1])),
        exact,
        np.asarray(table.totals)[exact],
        np.zeros(parents.size),  # parts that are not negative have no less
        np.broadcast_to((table.bounds.most == 0)[:, None], fit.counts.shape),
        tree.undivided,
    )
    found = fit.counts
    if (found < 0).any():
        found = tree.added_up(equations.nearest(found, np.asarray(table.variances)))
    return tree.added_up(equations.rounded(found)) if whole else found


class _Step(NamedTuple):
    """What one step downwards needs of the areas of a level: of all, or of the parts of some areas above."""

    level: Level
    start: FloatArray
    """Each area's counts from all that lies in it."""
    inside: FloatArray
    """The sums of these over the parts of each divided area above."""
    down: FloatArray
    """How each area shares what its parent's parts lack."""
    spread: FloatArray
    bounds: TotalBounds

    def part(self, above: slice) -> tuple[_Step, slice]:
        """The step for the parts of some areas above that lie next to each other, and where they lie in the level."""
        level = self.level
        begin, end = np.searchsorted(level.divided, [above.start, above.stop])
        ends = np.append(level.first, level.areas.size)
        at, divided = slice(int(ends[begin]), int(ends[end])), slice(begin, end)
        inner = Level(
            level.areas[at],
            level.parent[at] - above.start,
            level.divided[divided] - above.start,
            level.first[divided] - at.start,
        )
        rows = self.start[at], self.inside[divided], self.down[at], self.spread[at]
        return _Step(inner, *rows, self.bounds.of(at)), at


def _top_down(fit: LeastSquares, whole: bool, executor: Executor | None) -> NDArray[Any]:
    levels, bounds = fit.table.tree.levels, fit.table.bounds
    starts, sums = fit.upward(np.asarray(fit.table.counts), np.asarray(fit.table.totals))
    cells = starts[0].shape[1]
    nothing = np.zeros((0, cells))
    steps = [
        _Step(
            level,
            starts[depth],
            sums[depth - 1] if depth else nothing,
            fit.passes[depth - 1].down if depth else nothing,
            fit.passes[depth].spread,
            bounds.of(level.areas),
        )
        for depth, level in enumerate(levels)
    ]
    cut = next((depth + 1 for depth, level in enumerate(levels[:-1]) if level.areas.size > 1), len(levels))
    if bounds.known.size * cells <= BATCH:
        cut = len(levels)
    by_level = _descended(steps[:cut], np.zeros((0, cells)), whole)
    parts = list(_parts(steps[cut:], by_level[-1]))
    if executor is None:
        below = [_descended(*one, whole) for one in parts]
    else:
        waiting = [executor.submit(_descended, *one, whole) for one in parts]
        below = [one.result() for one in waiting]
    by_level += [np.concatenate(one) for one in zip(*below, strict=True)]
    found = np.empty(np.shape(fit.table.counts), dtype=np.int64 if whole else np.float64)
    for level, counts in zip(levels, by_level, strict=True):
        found[level.areas] = counts
    return fit.table.tree.added_up(found)


def _parts(steps: list[_Step], above: FloatArray) -> Iterator[tuple[list[_Step], FloatArray]]:
    """The steps below neighbouring areas of a level, with enough counts below for one program, and their counts."""
    if not steps:
        return
    below = np.ones(steps[-1].level.areas.size)  # areas in each area, itself among them, from the bottom
    for step, inner in zip(steps[-2::-1], steps[:0:-1], strict=True):
        areas = np.ones(step.level.areas.size)
        areas[inner.level.divided] += inner.level.sums(below)
        below = areas
    areas = np.zeros(len(above))
    areas[steps[0].level.divided] = steps[0].level.sums(below)
    room = np.floor(np.cumsum(areas) * above.shape[1] / BATCH)
    ends = np.append(np.flatnonzero(np.diff(room)) + 1, len(above))
    for begin, end in itertools.pairwise(np.append(0, ends)):
        chosen = at = slice(int(begin), int(end))
        inner_steps = []
        for step in steps:
            inner_step, at = step.part(at)
            inner_steps.append(inner_step)
        yield inner_steps, above[chosen]


def _descended(steps: list[_Step], above: FloatArray, whole: bool) -> list[FloatArray]:
    """The adjusted counts of each level in turn, given those of the level above the first."""
    found = []
    for level, start, inside, down, spread, bounds in steps:
        if level.first.size:
            lacking = np.zeros_like(above)
            lacking[level.divided] = above[level.divided] - inside
            start = start + times(down, lacking[level.parent])
        if spread.ndim == 2 or not level.areas.size:
            above = _split(start, spread, level, above, whole)
        else:
            batches = _batches(level, start.shape[1])
            above = np.concatenate(
                [_split_with_totals(start, spread, level, one, above, bounds, whole) for one in batches]
            )
        found.append(above)
    return found


def _split(start: FloatArray, spread: FloatArray, level: Level, above: FloatArray, whole: bool) -> FloatArray:
    """Parts that are not negative and add up to their areas: the nearest, cell by cell, and its largest remainders."""
    found = np.maximum(start, 0.0)
    if not level.first.size:
        return np.rint(found) if whole else found
    wanted, group = above[level.divided], np.searchsorted(level.divided, level.parent)
    positive = np.ones(start.shape, dtype=bool)
    while ((found > 0) != positive).any():  # a count that fell to 0 stays there, as the level only sinks
        positive = found > 0
        lacking = wanted - level.sums(np.where(positive, start, 0.0))
        room = level.sums(np.where(positive, spread, 0.0))
        step = np.divide(lacking, room, out=np.zeros_like(room), where=room > 0)
        found = np.where(positive, np.maximum(start + spread * step[group], 0.0), 0.0)
    if not whole:
        return found
    near = np.round(found)
    near = np.where(np.abs(found - near) < NEARLY_WHOLE, near, found)
    floor = np.floor(near)
    left = wanted - level.sums(floor)
    for cell in range(start.shape[1]):
        order = np.lexsort((floor[:, cell] - near[:, cell], group))
        rank = np.arange(order.size) - level.first[group]
        floor[order, cell] += rank < left[group, cell]
    return floor


def _split_with_totals(
    start: FloatArray,
    spread: FloatArray,
    level: Level,
    part: slice,
    above: FloatArray,
    bounds: TotalBounds,
    whole: bool,
) -> FloatArray:
    """The same where the cells go together: parts with exact totals, or with such areas in them."""
    start, spread = start[part], spread[part]
    least, exact, sums = bounds.least[part], bounds.known[part], csc_array((0, len(start)))
    values, zero = np.zeros((0, start.shape[1])), np.broadcast_to((bounds.most[part] == 0)[:, None], start.shape)
    if level.first.size:
        divided, group = np.unique(level.parent[part], return_inverse=True)
        sums = csc_array((np.ones(group.size), (group, np.arange(group.size))))
        values = np.where(above[divided] < NEARLY_WHOLE, 0.0, above[divided])
        inside, counted = np.asarray(sums @ least), values.sum(axis=1)
        spare = counted - inside
        if not whole:  # what the level above is off by in its last digits would contradict exact totals
            said = np.where(spare < NEARLY_WHOLE, inside, counted)
            values = values * np.divide(said, counted, out=np.ones_like(said), where=counted > 0)[:, None]
        exact = exact | (spare < NEARLY_WHOLE)[group]
        zero = zero | (values < NEARLY_WHOLE)[group] | (exact & (least == 0))[:, None]
    held = np.flatnonzero(exact)
    every = np.ones(len(start), dtype=bool)
    equations = Equations(sums, values, held, least[held], least, zero, every)
    found = start
    if (found < 0).any() or (found.sum(axis=1) < least).any() or (found[zero] > 0).any():
        found = equations.nearest(start, spread)
    return equations.rounded(found).astype(np.float64) if whole else found


def _batches(level: Level, cells: int) -> Iterator[slice]:
    """Slices of a level that hold the parts of whole areas, and few enough counts for one program."""
    ends = np.append(level.first, level.areas.size)
    begin = 0
    while begin < level.areas.size:
        fits = ends[(ends > begin) & (ends <= begin + BATCH // cells)]
        end = int(fits[-1] if fits.size and level.first.size else ends[ends > begin][0])
        yield slice(begin, end)
        begin = end
