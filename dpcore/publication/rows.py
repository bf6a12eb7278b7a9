"""The rows of a publication: tables of counts, totals and means of clipped amounts, and how far a unit moves them.

One budget of one currency pays for all rows: an epsilon for geometric and Laplace noise, a rho for discrete Gaussian
and Gaussian noise. Areas and cells hold disjoint people, so their number costs nothing; each release of a row does. How
far a unit moves a row is said by `dpcore.schema` alone.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore._properties import cached_property
from dpcore.accuracy import AdditiveMechanism, noise_with_budget
from dpcore.errors import Code, Refused
from dpcore.guarantees import Relation
from dpcore.mechanisms import NoiseKind, noise_kind, noise_kinds
from dpcore.schema import UNDECIDED, Areas, Change, Counts, Means, Moves, Norm, Schema, Sensitivity, Totals
from dpcore.schema import Row as SchemaRow

LARGEST_PUBLICATION = 1000  # rows

LEAST_LEVEL = 0.01  # lowest level of a range: below it the budget has no digits left in a float


@call_hint
def level_of_range(level: float) -> float:
    """The level of a range, in [0.01, 1).

    It says what is published: the promise is that of the `Publication` it belongs to, for one step of its relation.
    """
    return _checks.number("level", level, LEAST_LEVEL, 1.0, open_high=True)


@call_hint
@dataclass(frozen=True)
class Wish:
    """The range a reader asks for: within +- half_width of the truth, with probability at least the level.

    It is about accuracy: no promise about a secret belongs to it.

    Parameters
    ----------
    half_width : float; above 0; whole noise uses the whole part
    level : float, optional; in [0.01, 1)

    Examples
    --------
    >>> Wish(10).level
    0.95
    """

    half_width: float
    _: KW_ONLY
    level: float = 0.95

    def __post_init__(self) -> None:
        object.__setattr__(self, "half_width", _checks.number("half_width", self.half_width, 0.0, open_low=True))
        object.__setattr__(self, "level", level_of_range(self.level))


def _noise_of_change(noise: NoiseKind, change: Change, budget: float) -> AdditiveMechanism:
    """The noise of each number that a change moves, all of them alike, when together they have the budget."""
    return noise_with_budget(budget / len(change.amounts), noise, sensitivity=change.amounts[0])


@dataclass(frozen=True, kw_only=True)
class _Row(ABC):
    name: str = ""
    units: bool = False
    noise: NoiseKind = "geometric"
    areas: int = 1
    times: int = 1
    wish: Wish | None = None
    weight: float = 1.0
    typical_count: float | None = None

    def __post_init__(self) -> None:
        noise_kind(self.noise)
        object.__setattr__(self, "units", _checks.flag("units", self.units))
        object.__setattr__(self, "areas", _checks.count("areas", self.areas, 1))
        object.__setattr__(self, "times", _checks.count("times", self.times, 1, 100_000))
        if self.wish is not None and not isinstance(self.wish, Wish):
            raise Refused("wish", "be a Wish", self.wish, Code.WRONG_TYPE)
        object.__setattr__(self, "weight", _checks.number("weight", self.weight, 0.0, open_low=True))
        if self.typical_count is not None:
            typical = _checks.number("typical_count", self.typical_count, 0.0, open_low=True)
            object.__setattr__(self, "typical_count", typical)

    @property
    def in_epsilon(self) -> bool:
        """Whether the row is paid in epsilon; else in rho."""
        return noise_kind(self.noise).budget_kind == "epsilon"

    @property
    def is_whole(self) -> bool:
        """Whether the noise is in whole numbers."""
        return noise_kind(self.noise).is_whole

    @property
    def numbers(self) -> int:
        """How many numbers one release publishes."""
        return self.areas

    @property
    def level(self) -> str:
        """The level of areas that the row is made for, by their number; empty for one area."""
        return str(self.areas) if self.areas > 1 else ""

    @property
    @abstractmethod
    def in_schema(self) -> SchemaRow:
        """What one record can change in the row."""

    def _alone(self, moves: Moves) -> Schema:
        return Schema((self.in_schema,), Areas.counted([self.areas]), moves)

    def sensitivity(self, relation: str, *, group: int = 1, moves: Moves = UNDECIDED) -> Sensitivity:
        """How far a unit of `group` records moves the row under a relation; undecided, it moves anywhere."""
        return self._alone(moves).sensitivity(0, relation, group=group)

    def noise_of_number(
        self, budget: float, relation: str, *, group: int = 1, moves: Moves = UNDECIDED
    ) -> AdditiveMechanism:
        """The noise of one published number when one release of the row has the budget.

        Its guarantee is that of one of the numbers that the largest change moves: an equal share of the row's budget.
        """
        norm: Norm = "l1" if self.in_epsilon else "l2"
        change = self._alone(moves).largest_change(0, relation, norm=norm, group=group)
        return _noise_of_change(self.noise, change, budget)


@call_hint
@dataclass(frozen=True, kw_only=True)
class CountTable(_Row):
    """A table of counts of people or records, made for each area.

    It says what is published: the promise is that of the `Publication` it belongs to, for one step of its relation.
    Source: ours, `dpcore.schema`: adding a record moves `cells_per_person` cells by `records_per_cell`, replacing one
        those it leaves and those it comes to

    Parameters
    ----------
    cells : int, optional; cells of the table in one area, at least 1
    cells_per_person : int, optional; in how many cells of her area a person can be, at least 1; more than there are let
        her be in several areas
    records_per_cell : int, optional; how many records a person can have in one cell, at least 1
    name : str, optional; what the reader calls it
    units : bool, optional; whether it counts units, such as households, instead of the records that belong to one
    noise : str, optional; "geometric" or "laplace", "discrete_gaussian" or "gaussian"
    areas : int, optional; how many disjoint areas the table is made for, at least 1; they cost nothing extra
    times : int, optional; releases in the period of the budget, from 1 to 100,000; each costs
    wish : Wish, optional; the range asked for, or None
    weight : float, optional; importance in the least weighted error, above 0
    typical_count : float, optional; a count as it stands in the table, above 0, or None

    Examples
    --------
    >>> table = CountTable(cells=12, cells_per_person=4, noise="discrete_gaussian")
    >>> table.sensitivity("add_or_remove").l2, table.sensitivity("replace").l1
    (2.0, 8.0)
    """

    cells: int = 1
    cells_per_person: int = 1
    records_per_cell: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        for field in ("cells", "cells_per_person", "records_per_cell"):
            object.__setattr__(self, field, _checks.count(field, getattr(self, field), 1))
        if self.cells_per_person > self.numbers:
            raise Refused(
                "cells_per_person",
                f"be at most the table's cells ({self.numbers})",
                self.cells_per_person,
                Code.OUT_OF_RANGE,
            )

    @property
    def numbers(self) -> int:
        """How many numbers one release publishes: areas times cells."""
        return self.areas * self.cells

    @property
    def in_schema(self) -> Counts:
        """What one record can change in the table."""
        several_areas = self.cells_per_person > self.cells
        return Counts(
            cells=self.numbers if several_areas else self.cells,
            most_cells=self.cells_per_person,
            most_records=self.records_per_cell,
            level="" if several_areas else self.level,
            units=self.units,
        )


@call_hint
@dataclass(frozen=True, kw_only=True)
class ClippedTotal(_Row):
    """A total, in each area and cell, of an amount that is clipped to bounds.

    It says what is published: the promise is that of the `Publication` it belongs to, for one step of its relation.
    Source: ours, `dpcore.schema`: adding an amount moves a total by at most max(|low|, |high|), replacing one by at
        most the width of its bounds, or two totals where its area or cell can change

    Parameters
    ----------
    low, high : float; bounds of the amount, low below high; whole numbers for whole noise
    always : bool, optional; whether every record adds an amount; else it may add nothing
    cells : int, optional; cells over which the total of an area is split, at least 1; a person's amount lies in one of
        them
    name, units, noise, areas, times, wish, weight, typical_count : str or bool or int or Wish or float, optional; see
        `CountTable`; the typical total

    Examples
    --------
    >>> total = ClippedTotal(low=-50, high=20, noise="laplace")
    >>> total.sensitivity("add_or_remove").l1, total.sensitivity("replace").l1
    (50.0, 70.0)
    >>> ClippedTotal(low=0, high=30, areas=40).sensitivity("replace").l1
    60.0
    """

    low: float
    high: float
    always: bool = False
    cells: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "always", _checks.flag("always", self.always))
        told = self.in_schema
        for field in ("low", "high", "cells"):
            object.__setattr__(self, field, getattr(told, field))
        for field in ("low", "high"):
            if self.is_whole and getattr(self, field) != math.floor(getattr(self, field)):
                raise Refused(field, "be a whole number for whole noise", getattr(self, field), Code.NOT_WHOLE)

    @property
    def numbers(self) -> int:
        """How many numbers one release publishes: areas times cells."""
        return self.areas * self.cells

    @property
    def in_schema(self) -> Totals:
        """What one record can change in the totals."""
        return Totals(
            low=self.low, high=self.high, always=self.always, cells=self.cells, level=self.level, units=self.units
        )


@call_hint
@dataclass(frozen=True, kw_only=True)
class ClippedMean(_Row):
    """A mean, in each area, of a clipped amount over a number of people that is public.

    It says what is published: the promise is that of the `Publication` it belongs to, for one step of its relation.
    Source: ours, `dpcore.schema`: replacing one of n amounts moves their mean by at most (high - low)/n

    Parameters
    ----------
    low, high : float; bounds of the amount, low below high
    people : int; public number of people, at least 1; of the smallest area
    noise : str, optional; "laplace" or "gaussian": a mean is no whole number
    name, units, areas, times, wish, weight, typical_count : str or bool or int or Wish or float, optional; see
        `CountTable`; the typical mean

    Examples
    --------
    >>> ClippedMean(low=0, high=10, people=400).sensitivity("replace").l1
    0.025
    """

    low: float
    high: float
    people: int
    noise: NoiseKind = "laplace"

    def __post_init__(self) -> None:
        super().__post_init__()
        told = self.in_schema
        for field in ("low", "high", "people"):
            object.__setattr__(self, field, getattr(told, field))
        if self.is_whole:
            fit = " or ".join(repr(kind.name) for kind in noise_kinds() if not kind.is_whole)
            raise Refused("noise", f"be {fit} for a mean", self.noise, Code.UNSUPPORTED)

    @property
    def in_schema(self) -> Means:
        """What one record can change in the means."""
        return Means(low=self.low, high=self.high, people=self.people, level=self.level, units=self.units)


Row = CountTable | ClippedTotal | ClippedMean
"""What a `Publication` consists of: one of the three classes."""


def _relation(relation: str) -> Relation:
    return Relation(_checks.choice("relation", relation, [option.value for option in Relation]))


@call_hint
@dataclass(frozen=True)
class Publication:
    """Tables about the same people under one budget.

    The promise of its budget is for one step: a group of so many records, each added, removed or replaced.
    Source: ours, parallel and sequential composition of rows

    Parameters
    ----------
    rows : tuple of Row; tables, totals and means, at least one and at most 1000; noises of one currency
    relation : {"add_or_remove", "replace"}; the change of the data that the budget hides
    group : int; how many records belong to the unit whose budget it is, at least 1: a household, a person's days
    moves : Moves, optional; how far a replaced record can change its area; undecided, it moves anywhere. A level is
        called by the number of its areas.

    Examples
    --------
    >>> births = CountTable(name="births", areas=412, times=12)
    >>> Publication((births, CountTable(name="by age", cells=5)), relation="add_or_remove").sensitivities
    array([1., 1.])
    """

    rows: tuple[Row, ...]
    relation: Relation
    group: int = 1
    moves: Moves = UNDECIDED

    def __post_init__(self) -> None:
        _checks.kind_of("rows", self.rows, Iterable, "tables such as (CountTable(),)")
        object.__setattr__(self, "rows", tuple(self.rows))
        object.__setattr__(self, "relation", _relation(self.relation))
        object.__setattr__(self, "group", _checks.count("group", self.group, 1))
        if not self.rows:
            raise Refused("rows", "hold at least one table", (), Code.EMPTY, got="0")
        if len(self.rows) > LARGEST_PUBLICATION:
            raise Refused("rows", f"hold at most {LARGEST_PUBLICATION} tables", len(self.rows), Code.TOO_LARGE)
        for place, row in enumerate(self.rows):
            if not isinstance(row, CountTable | ClippedTotal | ClippedMean):
                raise Refused(f"row {place + 1}", "be a table, a total or a mean", row, Code.WRONG_TYPE)
            if row.in_epsilon is not self.in_epsilon:
                currency = "epsilon" if self.in_epsilon else "rho"
                raise Refused(
                    f"noise of {self.called(place)}",
                    f"be paid in {currency} like the first row's",
                    row.noise,
                    Code.INCONSISTENT,
                )
        _ = self.largest_changes  # refuses rows that cannot be priced

    def called(self, place: int) -> str:
        """A row by its number and name, for a sentence: row 3 ('wages')."""
        name = self.rows[place].name
        return f"row {place + 1} ({name!r})" if name else f"row {place + 1}"

    @property
    def in_epsilon(self) -> bool:
        """Whether the budget is an epsilon; else it is a rho."""
        return self.rows[0].in_epsilon

    @property
    def noises(self) -> tuple[NoiseKind, ...]:
        """The noise of each row."""
        return tuple(row.noise for row in self.rows)

    @property
    def times(self) -> FloatArray:
        """Releases of each row."""
        return np.array([row.times for row in self.rows], dtype=float)

    @cached_property
    def schema(self) -> Schema:
        """What one record can change in all rows."""
        return Schema(
            tuple(row.in_schema for row in self.rows), Areas.counted(row.areas for row in self.rows), self.moves
        )

    @cached_property
    def largest_changes(self) -> tuple[Change, ...]:
        """The change of a unit that costs most in the publication's currency, of each row."""
        norm: Norm = "l1" if self.in_epsilon else "l2"
        return tuple(self._largest_change(place, norm) for place in range(len(self.rows)))

    def _largest_change(self, place: int, norm: Norm) -> Change:
        try:
            return self.schema.largest_change(place, self.relation, norm=norm, group=self.group)
        except Refused as refusal:
            name, rule, value, code = refusal.name, refusal.rule, refusal.value, refusal.code
            raise Refused(name, rule, value, code, at=self.called(place), text=str(refusal)) from None

    @cached_property
    def _lengths(self) -> tuple[float, ...]:
        return tuple(change.l1 if self.in_epsilon else change.l2 for change in self.largest_changes)

    @property
    def sensitivities(self) -> FloatArray:
        """How far a unit moves each row, in the measure of its currency: L1 or L2."""
        return np.array(self._lengths)

    def _change(self, place: int) -> Change:
        return self.largest_changes[_checks.count("place", place, 0, len(self.rows) - 1)]

    def noise_of_number(self, place: int, *, budget: float) -> AdditiveMechanism:
        """The noise of one published number of a row, by its place, when one release of the row has the budget."""
        change = self._change(place)
        return _noise_of_change(self.rows[place].noise, change, budget)

    def budget_of_one(self, place: int, *, budget: float) -> float:
        """The epsilon or rho that the noise of a row has for a count moved by one, when one release has the budget."""
        change, budget = self._change(place), _checks.number("budget", budget, 0.0, open_low=True)
        return budget / len(change.amounts) / (change.amounts[0] if self.in_epsilon else change.amounts[0] ** 2)

    @property
    def weights(self) -> FloatArray:
        """The importance of each row."""
        return np.array([row.weight for row in self.rows])

    def wishes(self, places: Sequence[int] | None = None) -> tuple[FloatArray, FloatArray]:
        """(half widths, levels) the rows at the places ask for, or all rows; a row without a wish is refused."""
        chosen = range(len(self.rows)) if places is None else places
        found = []
        for place in chosen:
            wish = self.rows[place].wish
            if wish is None:
                raise Refused(f"wish of {self.called(place)}", "be given", None, Code.EMPTY, got="None")
            found.append((wish.half_width, wish.level))
        widths, levels = np.array(found, dtype=float).reshape(-1, 2).T
        return widths, levels


def check_publication(publication: Any) -> None:
    """Refuse what is no publication.

    It says what is published: the promise is that of the `Publication` it belongs to, for one step of its relation.
    """
    such_as = "a publication such as Publication((CountTable(),), 'add_or_remove')"
    _checks.kind_of("publication", publication, Publication, such_as)
