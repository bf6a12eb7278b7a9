"""Areas inside areas: a tree of any shape, given by a parent for each area."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore._properties import cached_property
from dpcore.errors import Code, Refused

IntArray = NDArray[np.int64]


class Level(NamedTuple):
    """Areas at one depth, parts of one area next to each other.

    It is about areas: no promise about a secret belongs to it.

    Attributes
    ----------
    areas : array of int, shape (areas of the level,); their numbers
    parent : array of int, shape (areas of the level,); the place of each one's parent in the level above
    divided : array of int; the places in the level above that have parts
    first : array of int; where the parts of each of these begin

    Examples
    --------
    >>> AreaTree([-1, 0, 0]).levels[1].areas.tolist()
    [1, 2]
    """

    areas: IntArray
    parent: IntArray
    divided: IntArray
    first: IntArray

    def sums(self, values: FloatArray) -> FloatArray:
        """Sums over the parts of each divided area, of values whose first axis is the level's areas."""
        return np.add.reduceat(values, self.first, axis=0)


@call_hint
@dataclass(frozen=True, eq=False)
class AreaTree:
    """A tree of areas, or several: each area lies in its parent, and an area with parts is made of them.

    It is about areas: no promise about a secret belongs to it.

    Parameters
    ----------
    parents : array_like of int, shape (areas,); the number of each area's parent, -1 for one that lies in no other

    Examples
    --------
    >>> tree = AreaTree([-1, 0, 0, 1, 1])  # a state, its two counties, and two towns of the first county
    >>> [level.areas.tolist() for level in tree.levels]
    [[0], [1, 2], [3, 4]]
    >>> tree.undivided.tolist()
    [False, False, True, True, True]
    """

    parents: ArrayLike

    def __post_init__(self) -> None:
        given = _checks.array("parents", self.parents)
        if given.ndim != 1 or not given.size:
            raise Refused("parents", "be a list with an entry for each area", given.shape, Code.WRONG_SHAPE)
        _checks.refuse_fractions("parents", given, as_list=True)
        outside = (given < -1) | (given >= given.size)
        if outside.any():
            rule = f"be numbers of areas, from 0 to {given.size - 1}, or -1"
            raise Refused("parents", rule, int(given[outside][0]), Code.OUT_OF_RANGE)
        object.__setattr__(self, "parents", given.astype(np.int64))
        reached = np.concatenate([np.zeros(0, dtype=np.int64), *(level.areas for level in self.levels)])
        if reached.size < given.size:
            circling = int(np.setdiff1d(np.arange(given.size), reached)[0])
            raise Refused("parents", "lead to an area that lies in no other", circling, Code.INCONSISTENT)

    @classmethod
    def of_names(cls, names: Sequence[Any], parents: Sequence[Any]) -> AreaTree:
        """The tree of a column of names, or codes, and a column with the parent's name, None for one that has none.

        >>> AreaTree.of_names(["Ohio", "Allen", "Adams"], [None, "Ohio", "Ohio"]).parents.tolist()
        [-1, 0, 0]
        """
        numbers = {name: number for number, name in enumerate(names)}
        if len(numbers) < len(names):
            twice = next(name for number, name in enumerate(names) if numbers[name] != number)
            raise Refused("names", "name each area once", twice, Code.REPEATED)
        if len(parents) != len(names):
            raise Refused("parents", f"have an entry for each area ({len(names)})", len(parents), Code.WRONG_SHAPE)
        unknown = [parent for parent in parents if parent is not None and parent not in numbers]
        if unknown:
            raise Refused("parents", "be names of areas", unknown[0], Code.UNKNOWN_CHOICE)
        return cls([-1 if parent is None else numbers[parent] for parent in parents])

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The areas by their depth, from those that lie in no other."""
        parents = np.asarray(self.parents)
        by_parent = np.argsort(parents, kind="stable")
        begin = np.searchsorted(parents[by_parent], np.arange(-1, parents.size + 1))
        nothing = np.zeros(0, dtype=np.int64)
        found = [Level(by_parent[: begin[1]], nothing, nothing, nothing)]
        while found[-1].areas.size:
            above = found[-1].areas
            parts = begin[above + 2] - begin[above + 1]
            divided = np.flatnonzero(parts)
            first = np.cumsum(parts) - parts
            at = np.repeat(begin[above + 1] - first, parts) + np.arange(parts.sum())
            found.append(Level(by_parent[at], np.repeat(np.arange(above.size), parts), divided, first[divided]))
        return tuple(found[:-1])

    @cached_property
    def undivided(self) -> NDArray[np.bool_]:
        """Whether an area has no parts."""
        parents = np.asarray(self.parents)
        found = np.ones(parents.size, dtype=bool)
        found[parents[parents >= 0]] = False
        return found

    def added_up(self, values: ArrayLike) -> NDArray[Any]:
        """The values of areas without parts, shape (areas, cells), and for every other area the sum of its parts.

        >>> AreaTree([-1, 0, 0]).added_up([[0], [2], [3]]).tolist()
        [[5], [2], [3]]
        """
        found = np.array(values)
        if found.ndim == 0 or len(found) != self.undivided.size:
            rule = f"have a row for each of the {self.undivided.size} areas"
            raise Refused("values", rule, found.shape, Code.WRONG_SHAPE, got=f"shape {found.shape}")
        for above, level in zip(self.levels[-2::-1], self.levels[:0:-1], strict=True):
            found[above.areas[level.divided]] = level.sums(found[level.areas])
        return found
