"""A noisy table on a tree of areas: counts, their noise, and the totals that are kept exactly."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore._properties import cached_property
from dpcore.adjustment.trees import AreaTree, IntArray
from dpcore.errors import Code, Refused

LARGEST_TOTAL = 10**12
"""Largest exact total; beyond it a solver in floats could be a person off."""


class TotalBounds(NamedTuple):
    """What exact totals say of each area, where no count is negative.

    No promise covers a change that alters an exact total.

    Attributes
    ----------
    least : array, shape (areas,); the least total that an area can have
    most : array, shape (areas,); the largest, inf where nothing limits it
    known : array of bool, shape (areas,); whether the area's own total, or those of its parts, are exact
    implied : array of bool, shape (areas,); whether the totals of its parts say its own

    Examples
    --------
    >>> table = NoisyTable(AreaTree([-1, 0, 0]), [[6], [2], [4]], variances=1.0, totals=[6, 5, np.nan])
    >>> table.bounds.most.tolist()
    [6.0, 5.0, 1.0]
    """

    least: FloatArray
    most: FloatArray
    known: NDArray[np.bool_]
    implied: NDArray[np.bool_]

    def of(self, areas: IntArray | slice) -> TotalBounds:
        """The bounds of some areas."""
        return TotalBounds(self.least[areas], self.most[areas], self.known[areas], self.implied[areas])


@call_hint
@dataclass(frozen=True, eq=False)
class NoisyTable:
    """Counts with independent noise for every area and cell of a table, and exact totals of some areas.

    A promise about one person is kept by whoever draws the noise: what is computed from the noisy counts is
    post-processing. No promise covers a change that alters an exact total.

    Parameters
    ----------
    tree : AreaTree; the areas
    counts : array_like, shape (areas, cells); noisy counts; those that were not published are not read
    variances : array_like; of the noise, above 0, one for all or in a shape that broadcasts to that of `counts`; inf
        for a count that was not published, which every area without parts must be
    totals : array_like, shape (areas,), optional; exact total over the cells of an area, NaN where none is published

    Examples
    --------
    >>> table = NoisyTable(AreaTree([-1, 0, 0]), [[12], [5], [4]], variances=1.0)
    >>> table.counts.shape
    (3, 1)
    >>> NoisyTable(AreaTree([-1, 0]), [[3], [3]], variances=1.0, totals=[3, 4])
    Traceback (most recent call last):
        ...
    dpcore.errors.Refused: totals must equal the sum of the parts' totals; got 3 for area 0, whose parts have 4
    """

    tree: AreaTree
    counts: ArrayLike
    _: KW_ONLY
    variances: ArrayLike
    totals: ArrayLike | None = None

    def __post_init__(self) -> None:
        _checks.kind_of("tree", self.tree, AreaTree, "an AreaTree")
        areas = self.tree.undivided.size
        try:
            given = np.asarray(self.counts)
        except ValueError:
            raise Refused("counts", "have rows of equal length", None, Code.WRONG_SHAPE, got="unequal ones") from None
        shape = given.shape
        if len(shape) != 2 or shape[0] != areas or not shape[1]:
            rule = f"have a row for each of the {areas} areas and a column for each cell"
            raise Refused("counts", rule, shape, Code.WRONG_SHAPE, got=f"shape {shape}")
        variances = _checks.array("variances", self.variances, 0.0, open_low=True, allow_infinite=True)
        try:
            variances = np.broadcast_to(variances, shape)
        except ValueError:
            rule = "be one for all, or fit the shape of the counts"
            raise Refused(
                "variances", rule, variances.shape, Code.WRONG_SHAPE, got=f"shape {variances.shape}"
            ) from None
        if np.isinf(variances[self.tree.undivided]).any():
            rule = "be finite at every area without parts"
            raise Refused("variances", rule, np.inf, Code.NOT_FINITE)
        read = np.where(np.isinf(variances), np.zeros_like(given), given)
        object.__setattr__(self, "counts", _checks.array("counts", read))
        object.__setattr__(self, "variances", variances)
        object.__setattr__(self, "totals", self._checked_totals(areas))
        _ = self.bounds  # totals that contradict each other are refused here

    def _checked_totals(self, areas: int) -> FloatArray:
        if self.totals is None:
            return np.full(areas, np.nan)
        given = np.asarray(self.totals)
        if given.shape != (areas,):
            rule = f"have an entry for each of the {areas} areas"
            raise Refused("totals", rule, given.shape, Code.WRONG_SHAPE, got=f"shape {given.shape}")
        exact = np.ones(areas, dtype=bool) if given.dtype.kind != "f" else ~np.isnan(given)
        found = np.full(areas, np.nan)
        found[exact] = _checks.array("totals", given[exact], 0.0, LARGEST_TOTAL)
        _checks.refuse_fractions("totals", found[exact])
        return found

    @cached_property
    def bounds(self) -> TotalBounds:
        """What the exact totals say of every area's total."""
        exact = np.asarray(self.totals)
        least, known = np.where(np.isnan(exact), 0.0, exact), ~np.isnan(exact)
        implied = np.zeros(known.size, dtype=bool)
        most = np.where(known, least, np.inf)
        steps = list(zip(self.tree.levels, self.tree.levels[1:], strict=False))
        for above, level in reversed(steps):
            divided = above.areas[level.divided]
            inside = level.sums(least[level.areas])
            all_known = level.sums(1.0 - known[level.areas]) == 0
            over = known[divided] & np.where(all_known, inside != least[divided], inside > least[divided])
            if over.any():
                area, rule = int(divided[over][0]), "equal" if all_known[over][0] else "be at least"
                got = f"{least[area]:.0f} for area {area}, whose parts have {inside[over][0]:.0f}"
                rule = f"{rule} the sum of the parts' totals"
                raise Refused("totals", rule, float(least[area]), Code.INFEASIBLE, got=got)
            least[divided] = np.where(known[divided], least[divided], inside)
            implied[divided] = all_known
            known[divided] |= all_known
        for above, level in steps:
            inside = level.sums(least[level.areas])
            spare = np.zeros(above.areas.size)
            spare[level.divided] = most[above.areas[level.divided]] - inside
            most[level.areas] = np.minimum(most[level.areas], spare[level.parent] + least[level.areas])
        return TotalBounds(least, most, known, implied)
