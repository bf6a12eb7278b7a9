"""Small counts that are not shown, and what published totals tell of them.

A count that is hidden says nothing about one person but what its totals say, and every shown one says all. What a
reader without other knowledge learns of the hidden cells of a table is an interval for each: the smallest and the
largest whole number among all tables that agree with everything published.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import chain, combinations
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore._properties import cached_property
from dpcore.errors import Code, Refused
from dpcore.methods.laws import DisclosureControl, PublishedLaw
from dpcore.methods.worlds import HIDDEN

Zero = Literal["shown", "hidden"]
"""Whether an empty cell is shown as 0 or hidden with the small ones."""
LARGEST_THRESHOLD = 10_000
"""Largest count from which cells are shown here."""
MOST_HIDDEN = 1_000
"""Most hidden cells of a table whose intervals are computed."""
NEARLY_WHOLE = 1e-6  # a solver's value this near a whole number counts as it, and is then checked exactly
ROUNDS = 50  # rounds in which single totals tighten the bounds before programmes are solved
LARGEST_COUNT = 10**12
"""Largest count of a table; beyond it a solver in floats could be a person off."""


@call_hint
@dataclass(frozen=True, kw_only=True)
class SmallCountSuppression(DisclosureControl):
    """Suppression of small counts: those below a threshold are published as ``"x"``, the others as they are.

    The method makes no promise: whether one person is counted is told for certain wherever a count is shown. It
    protects the counts that it hides and no other: whoever knows every other record is certain in every shown cell, and
    where one exact total of a hidden cell is published too.
    Source: hundepool, chapter 5 (cell suppression)

    Parameters
    ----------
    threshold : int; the smallest count above 0 that is shown, from 1 to 10000
    zero : {"shown", "hidden"}, optional; whether a count of 0 is shown, or hidden with the small ones

    Examples
    --------
    >>> hidden = SmallCountSuppression(threshold=5)
    >>> [hidden.law(count).values[0] for count in range(7)]
    [0, 'x', 'x', 'x', 'x', 5, 6]
    >>> [hidden.presence(others).right_guess() for others in range(6)]
    [1.0, 0.5, 0.5, 0.5, 1.0, 1.0]
    """

    threshold: int
    zero: Zero = "shown"

    def __post_init__(self) -> None:
        object.__setattr__(self, "threshold", _checks.count("threshold", self.threshold, 1, LARGEST_THRESHOLD))
        _checks.choice("zero", self.zero, ("shown", "hidden"))

    @property
    def representative_counts(self) -> tuple[int, ...]:
        """Counts of the others up to the first that is shown with and without the person."""
        return tuple(range(self.threshold + 1))

    def _law(self, count: int) -> PublishedLaw:
        hidden = count < self.threshold and (count > 0 or self.zero == "hidden")
        return PublishedLaw(count, (HIDDEN if hidden else count,), np.zeros(1))

    def publish(self, counts: Sequence[Any]) -> SuppressedTable:
        """A table with its small counts hidden and every total published exactly: of rows, of columns, of all."""
        table = _counts("counts", counts, None)
        if not table.ndim or np.isnan(table).any():
            raise Refused("counts", "be a table of whole numbers of at least 0", counts, Code.WRONG_SHAPE)
        axes = chain.from_iterable(combinations(range(table.ndim), kept) for kept in range(table.ndim))
        totals = {kept: _sum_over(table, kept) for kept in axes}
        shown = table.astype(np.int64).astype(object)
        shown[(table < self.threshold) & ((table > 0) | (self.zero == "hidden"))] = None
        return SuppressedTable(
            shown.tolist(), totals=totals, low=0 if self.zero == "hidden" else 1, high=self.threshold - 1
        )


class HiddenCell(NamedTuple):
    """A hidden cell, and the least and largest count that agree with everything published; None: without end.

    No promise belongs to it: it is what a reader learns who knows only what is published.

    Examples
    --------
    >>> HiddenCell(place=(0, 1), least=1, largest=4).is_known
    False
    """

    place: tuple[int, ...]
    least: int
    largest: int | None

    @property
    def is_known(self) -> bool:
        """Whether only one count agrees."""
        return self.least == self.largest


@call_hint
@dataclass(frozen=True, eq=False)
class SuppressedTable:
    """A published table with hidden cells and exact totals, as a reader has it who knows nothing else.

    No promise belongs to it: it is what a reader learns who knows only what is published. The bounds help a reader: two
    hidden counts from 1 to 4 that sum to 8 are both 4. Where they are not public, leave them out. Totals are taken as
    exact: a total that is rounded separately is a cell of its own.
    Source: hundepool, chapters 4 and 5 (feasibility intervals)
    Source: ours, integer programmes by HiGHS; checked against enumeration

    Parameters
    ----------
    cells : sequence of object; nested lists of whole numbers, None for a hidden cell; any number of dimensions
    totals : mapping; by the axes that are kept, the totals over the others, None for one that is not published:
        ``{(0,): [...]}`` has those of the rows, ``{(): 40}`` the one of all cells
    low, high : array_like, optional; between which counts a hidden cell lies, one for all or one for each cell; `high`
        None or infinite for no limit

    Examples
    --------
    >>> table = SuppressedTable.two_way([[None, 7], [6, None]], row_totals=[9, 9], column_totals=[8, 10])
    >>> table.intervals()
    (HiddenCell(place=(0, 0), least=2, largest=2), HiddenCell(place=(1, 1), least=3, largest=3))
    """

    cells: Sequence[Any]
    _: KW_ONLY
    totals: Mapping[tuple[int, ...], Any]
    low: ArrayLike = 0
    high: ArrayLike | None = None

    def __post_init__(self) -> None:
        _ = self._equations, self._bounds  # wrong arguments are refused here, by name

    @classmethod
    def two_way(
        cls,
        cells: Sequence[Sequence[int | None]],
        *,
        row_totals: Sequence[int | None],
        column_totals: Sequence[int | None],
        grand_total: int | None = None,
        low: ArrayLike = 0,
        high: ArrayLike | None = None,
    ) -> SuppressedTable:
        """A table of rows and columns; None for a total that is not published."""
        return cls(cells, totals={(0,): row_totals, (1,): column_totals, (): grand_total}, low=low, high=high)

    @cached_property
    def _cells(self) -> FloatArray:
        """The counts, NaN where one is hidden."""
        found = _counts("cells", self.cells, None)
        if not found.size:
            raise Refused("cells", "hold a count at least", self.cells, Code.EMPTY)
        return found

    @cached_property
    def hidden(self) -> tuple[tuple[int, ...], ...]:
        """Places of the hidden cells, row by row."""
        return tuple(tuple(int(index) for index in place) for place in np.argwhere(np.isnan(self._cells)))

    @cached_property
    def _bounds(self) -> tuple[FloatArray, FloatArray]:
        """Between which counts the hidden cells lie."""
        shape = self._cells.shape
        low = _checks.array("low", self.low, 0.0, LARGEST_COUNT)
        high = _checks.array("high", math.inf if self.high is None else self.high, 0.0, allow_infinite=True)
        found = []
        for name, bound in (("low", low), ("high", high)):
            _checks.refuse_fractions(name, bound[np.isfinite(bound)])
            if bound.shape not in ((), shape):
                raise Refused(name, "be one number or one for each cell", bound.shape, Code.WRONG_SHAPE)
            found.append(np.broadcast_to(bound, shape)[np.isnan(self._cells)])
        if (found[0] > found[1]).any():
            raise Refused("low", "be at most high", float(found[0][found[0] > found[1]][0]), Code.WRONG_ORDER)
        return found[0], found[1]

    @cached_property
    def _equations(self) -> tuple[NDArray[np.bool_], FloatArray]:
        """Which hidden cells each published total sums, and what the shown cells leave of it."""
        table, shape = self._cells, self._cells.shape
        numbers = np.full(shape, -1)
        numbers[np.isnan(table)] = np.arange(len(self.hidden))
        rows, rests = [], []
        if not isinstance(self.totals, Mapping):
            raise Refused("totals", "be a mapping from the axes that are kept", self.totals, Code.WRONG_TYPE)
        for kept, given in self.totals.items():
            axes = _axes(kept, len(shape))
            sums = _counts("totals", given, tuple(shape[axis] for axis in axes))
            for place in np.ndindex(sums.shape):
                if math.isnan(sums[place]):
                    continue
                part = tuple(place[axes.index(axis)] if axis in axes else slice(None) for axis in range(len(shape)))
                inside = np.atleast_1d(numbers[part])
                rest = float(sums[place]) - float(np.nansum(table[part]))
                summed = np.isin(np.arange(len(self.hidden)), inside)
                if rest < 0.0 or (rest > 0.0 and not summed.any()):
                    raise _disagree(float(sums[place]))
                rows.append(summed)
                rests.append(rest)
        return np.array(rows, dtype=bool).reshape(len(rows), len(self.hidden)), np.array(rests)

    def intervals(self, *, time_limit: float = 10.0) -> tuple[HiddenCell, ...]:
        """The least and the largest count of each hidden cell among all tables that agree, row by row; exact.

        Parameters
        ----------
        time_limit : float, optional; seconds for all of them, above 0
        """
        until = time.monotonic() + _checks.number("time_limit", time_limit, 0.0, open_low=True)
        if len(self.hidden) > MOST_HIDDEN:
            raise Refused("cells", f"hide at most {MOST_HIDDEN:,}", len(self.hidden), Code.TOO_LARGE)
        found: list[HiddenCell | None] = [None] * len(self.hidden)
        low, high = _tightened(*self._equations, *self._bounds)
        for number in np.flatnonzero((low == high) | ~self._equations[0].any(axis=0)):
            largest = None if math.isinf(high[number]) else int(high[number])
            found[number] = HiddenCell(self.hidden[number], int(low[number]), largest)
        for part in _linked(self._equations[0]):
            some = self._equations[0][:, part]
            programme = _Programme(
                some[some.any(axis=1)],
                self._equations[1][some.any(axis=1)],
                low[part],
                high[part],
            )
            for place, number in enumerate(part):
                if found[number] is None:
                    least, largest = programme.ends(place, until)
                    found[number] = HiddenCell(self.hidden[number], least, largest)
                elif place == 0:
                    programme.check(until)
        return tuple(cell for cell in found if cell is not None)


def _disagree(total: float | None = None) -> Refused:
    """The refusal of totals that no table has; of one that its cells alone contradict, with its number."""
    return Refused(
        "totals", "be those of some table", total, Code.INFEASIBLE, got="" if total is None else f"{total:.15g}"
    )


def _axes(kept: Any, dimensions: int) -> tuple[int, ...]:
    if (
        not isinstance(kept, tuple)
        or not all(isinstance(axis, int) for axis in kept)
        or sorted(set(kept)) != list(kept)
        or not all(0 <= axis < dimensions for axis in kept)
    ):
        raise Refused("totals", f"name the kept axes, rising from 0 to {dimensions - 1}", kept, Code.UNKNOWN_CHOICE)
    return kept


def _counts(name: str, given: Any, shape: tuple[int, ...] | None) -> FloatArray:
    """Whole numbers of at least 0 as floats, NaN for None; None alone stands for all of a shape."""
    if given is None and shape is not None:
        return np.full(shape, math.nan)
    try:
        listed = np.array(given, dtype=object)
        holes = _each(lambda one: one is None, listed)
        found = np.where(holes, math.nan, listed).astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise Refused(name, "be whole numbers of at least 0 or None", given, Code.NOT_A_NUMBER) from None
    odd = ~holes & ~((found >= 0) & (found <= LARGEST_COUNT) & (found == np.floor(found)))
    odd |= _each(lambda one: isinstance(one, (bool, str)), listed)
    if odd.any():
        raise Refused(name, "be whole numbers of at least 0 or None", listed[odd].flat[0], Code.OUT_OF_RANGE)
    if shape is not None and found.shape != shape:
        raise Refused(name, f"have the shape {shape} of the axes they keep", found.shape, Code.WRONG_SHAPE)
    return found


def _each(asked: Callable[[Any], bool], listed: NDArray[Any]) -> NDArray[np.bool_]:
    return np.array([asked(one) for one in listed.flat], dtype=bool).reshape(listed.shape)


def _sum_over(table: FloatArray, kept: tuple[int, ...]) -> Any:
    return table.sum(axis=tuple(axis for axis in range(table.ndim) if axis not in kept)).astype(np.int64).tolist()


def _tightened(
    sums: NDArray[np.bool_], rests: FloatArray, low: FloatArray, high: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Bounds that follow from one total at a time, for some rounds: none excludes a table, and the ends are finite."""
    low, high = low.copy(), high.copy()
    for _ in range(ROUNDS):
        before = low.copy(), high.copy()
        for row, rest in zip(sums, rests, strict=True):
            least = low[row]
            high[row] = most = np.minimum(high[row], rest - (least.sum() - least))  # finite, as the least are
            low[row] = np.maximum(low[row], rest - (most.sum() - most))
        if (low > high).any():
            raise _disagree()
        if (low == before[0]).all() and (high == before[1]).all():
            break
    return low, high


def _linked(sums: NDArray[np.bool_]) -> Iterator[NDArray[np.int64]]:
    """Groups of hidden cells that totals tie together."""
    left = set(np.flatnonzero(sums.any(axis=0)).tolist())
    while left:
        group, fresh = set(), {min(left)}
        while fresh:
            group |= fresh
            rows = sums[:, sorted(fresh)].any(axis=1)
            fresh = set(np.flatnonzero(sums[rows].any(axis=0)).tolist()) - group
        left -= group
        yield np.array(sorted(group))


class _Programme:
    """Whole numbers with given sums: the least and the largest that each can be."""

    def __init__(self, sums: NDArray[np.bool_], rests: FloatArray, low: FloatArray, high: FloatArray) -> None:
        self.sums, self.rests = csr_array(sums.astype(float)), rests
        self.bounds, self.size = Bounds(low, high), low.size

    def _best(self, cost: FloatArray, until: float) -> FloatArray:
        """Whole numbers of least cost: those of the linear programme where it has them, as in two dimensions."""
        for whole in (0, 1):
            left = until - time.monotonic()
            if left <= 0:
                break
            found = milp(
                cost,
                integrality=np.full(self.size, whole),
                bounds=self.bounds,
                constraints=LinearConstraint(self.sums, self.rests, self.rests),
                options={"time_limit": left, "mip_rel_gap": 0.0},
            )
            if found.status == 2:
                raise _disagree()
            if found.status == 0:
                nearest = np.rint(found.x)
                if np.abs(found.x - nearest).max() < NEARLY_WHOLE and (self.sums @ nearest == self.rests).all():
                    return nearest
        raise Refused("time_limit", "leave time for every interval", until, Code.TOO_LARGE, got="")

    def check(self, until: float) -> None:
        """Refuse totals that no table has."""
        self._best(np.zeros(self.size), until)

    def ends(self, place: int, until: float) -> tuple[int, int]:
        """The least and the largest count of one cell."""
        cost = np.zeros(self.size)
        cost[place] = 1.0
        return int(self._best(cost, until)[place]), int(self._best(-cost, until)[place])
