"""What one record can change in the tables of a release: the one place that every sensitivity comes from.

A row is a table over areas, with cells in each. A record lies in one area; it is counted in at most so many cells
there, at most so many times in each, or it adds an amount clipped to bounds. Whether it *can change its area* is one
fact about the secret and the relation, for all rows: `Moves`. Undecided counts as anywhere, which is safe.

The largest change gives what is asked of epsilon (L1), rho (L2), a privacy profile or a trade-off. The chance that a
belief passes a limit is not largest at the largest change: it is the maximum over every change that the schema allows,
`Schema.changes`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore.errors import Code, Refused
from dpcore.guarantees import Relation
from dpcore.promise import Promise, Secret

Norm = Literal["l1", "l2"]
Movement = Literal["nowhere", "within", "anywhere"]
MOST_CHANGES = 20_000
"""Changes of one row that are listed one by one."""
_ALIKE = 1 + 1e-12  # lengths that differ by less count as equal


@call_hint
@dataclass(frozen=True)
class Level:
    """One level of areas: districts, schools, months.

    It says what can change and makes no promise: that is made by the noise which is added.

    Parameters
    ----------
    name : str; what the reader calls its areas
    areas : int; how many there are, at least 1

    Examples
    --------
    >>> Level("district", 40).areas
    40
    """

    name: str
    areas: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "areas", _checks.count("areas", self.areas, 1))


@call_hint
@dataclass(frozen=True)
class Areas:
    """Areas as a tree, level by level from the widest down; above the first stands the whole, which is one area.

    It says what can change and makes no promise: that is made by the noise which is added.

    Parameters
    ----------
    levels : tuple of Level; each inside the one before, with no fewer areas

    Examples
    --------
    >>> places = Areas((Level("region", 5), Level("district", 40)))
    >>> places.number("district"), places.number(""), places.is_inside("district", "region")
    (40, 1, True)
    """

    levels: tuple[Level, ...] = ()

    def __post_init__(self) -> None:
        _checks.kind_of("levels", self.levels, Iterable, "levels such as (Level('district', 40),)")
        levels = tuple(self.levels)
        for level in levels:
            _checks.kind_of("levels", level, Level, "levels such as Level('district', 40)")
        object.__setattr__(self, "levels", levels)
        names = [level.name for level in levels]
        if "" in names:
            raise Refused("levels", "have names", names, Code.EMPTY)
        if len(set(names)) < len(names):
            raise Refused("levels", "have different names", names, Code.REPEATED)
        numbers = [level.areas for level in levels]
        if numbers != sorted(numbers):
            raise Refused("levels", "be in order, the widest first", numbers, Code.WRONG_ORDER)

    @classmethod
    def counted(cls, numbers: Iterable[int]) -> Areas:
        """A level for each number of areas that occurs, named by it; one area is the whole."""
        found = sorted({_checks.count("areas", number, 1) for number in numbers} - {1})
        return cls(tuple(Level(str(number), number) for number in found))

    def depth(self, level: str) -> int:
        """How far down a level stands: 0 for the whole, whose name is empty."""
        names = ["", *(one.name for one in self.levels)]
        return names.index(_checks.choice("level", level, names))

    def number(self, level: str) -> int:
        """How many areas a level has."""
        depth = self.depth(level)
        return self.levels[depth - 1].areas if depth else 1

    def is_inside(self, level: str, wider: str) -> bool:
        """Whether the areas of a level are parts of those of a wider one."""
        return self.depth(level) > self.depth(wider)


@call_hint
@dataclass(frozen=True)
class Moves:
    """How far the two possibilities of a secret can place a record in different areas.

    It says what can change and makes no promise: that is made by the noise which is added.

    Parameters
    ----------
    how : {"nowhere", "within", "anywhere"}, optional; without it the question is undecided, which counts as anywhere
    level : str, optional; for "within": the areas it stays inside

    Examples
    --------
    >>> Moves().is_decided, Moves("within", "region").is_decided
    (False, True)
    """

    how: Movement | None = None
    level: str = ""

    def __post_init__(self) -> None:
        if self.how is not None:
            _checks.choice("how", self.how, ("nowhere", "within", "anywhere"))
        if bool(self.level) is not (self.how == "within"):
            raise Refused("level", "be given for 'within', and for nothing else", self.level, Code.INCONSISTENT)

    @property
    def is_decided(self) -> bool:
        """Whether somebody said so; else anywhere is assumed."""
        return self.how is not None


UNDECIDED = Moves()
"""Nobody has said how far a record can move: anywhere is assumed."""


@call_hint
@dataclass(frozen=True)
class Sensitivity:
    """How far one unit moves a row at most, in the two measures that budgets are held against.

    It says what can change and makes no promise: that is made by the noise which is added.

    Parameters
    ----------
    l1 : float; sum of the changes of all published numbers, above 0: what an epsilon is measured against
    l2 : float; euclidean length of the changes, above 0 and at most `l1`: what a rho is measured against

    Examples
    --------
    >>> Sensitivity(l1=8, l2=4.0).l2
    4.0
    """

    l1: float
    l2: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "l1", _checks.number("l1", self.l1, 0.0, open_low=True))
        object.__setattr__(self, "l2", _checks.number("l2", self.l2, 0.0, open_low=True))
        if self.l2 > self.l1 * (1 + 1e-12):
            raise Refused("l2", f"be at most l1 ({self.l1:g})", self.l2, Code.OUT_OF_RANGE)


@call_hint
@dataclass(frozen=True)
class Change:
    """How far one unit moves the published numbers of a row: each number by an amount, most of them by nothing.

    It says what can change and makes no promise: that is made by the noise which is added.

    Parameters
    ----------
    amounts : tuple of float; of the numbers that move, whichever way, each above 0; largest first

    Examples
    --------
    >>> moved = Change((2, 1))
    >>> moved.l1, round(moved.l2, 6)
    (3.0, 2.236068)
    """

    amounts: tuple[float, ...]

    def __post_init__(self) -> None:
        amounts = _checks.array("amounts", self.amounts, 0.0, open_low=True)
        if amounts.ndim != 1:
            raise Refused("amounts", "be a list of numbers", self.amounts, Code.WRONG_SHAPE)
        if not amounts.size:
            raise Refused("amounts", "hold at least one number", self.amounts, Code.EMPTY)
        object.__setattr__(self, "amounts", tuple(sorted(amounts.tolist(), reverse=True)))

    @property
    def l1(self) -> float:
        """Sum of the amounts."""
        return math.fsum(self.amounts)

    @property
    def l2(self) -> float:
        """Euclidean length."""
        return math.hypot(*self.amounts)


@dataclass(frozen=True, kw_only=True)
class _Row(ABC):
    level: str = ""
    units: bool = False

    @abstractmethod
    def of_record(self, relation: Relation, *, movable: bool, exactly: bool) -> tuple[Change, ...]:
        """The largest changes of one record: every other one moves no number further than one of these."""


def _of_units(row: Row, group: int) -> int:
    """How many records of a unit the row sees: a table of units sees one."""
    records = _checks.count("group", group, 1)
    return 1 if row.units else records


@call_hint
@dataclass(frozen=True, kw_only=True)
class Counts(_Row):
    """A table of counts, made for each area of a level.

    It says what can change and makes no promise: that is made by the noise which is added.
    Source: ours, a record added moves `most_cells` cells, one replaced those it leaves and those it comes to; checked
        against all neighbours of tiny domains

    Parameters
    ----------
    cells : int, optional; cells of the table in one area, at least 1
    most_cells : int, optional; in how many cells of its area a record can be counted, at least 1; no more than `cells`
        count
    most_records : int, optional; how often a record can be counted in one cell, at least 1
    level : str, optional; the level of areas; the whole without it
    units : bool, optional; whether it counts units (households), of which one changes at a time, and not their records

    Examples
    --------
    >>> table = Schema((Counts(cells=3, most_cells=2),))
    >>> table.sensitivity(0, "add_or_remove").l1, table.sensitivity(0, "replace").l1
    (2.0, 3.0)
    """

    cells: int = 1
    most_cells: int = 1
    most_records: int = 1

    def __post_init__(self) -> None:
        for field in ("cells", "most_cells", "most_records"):
            object.__setattr__(self, field, _checks.count(field, getattr(self, field), 1))

    def of_record(self, relation: Relation, *, movable: bool, exactly: bool) -> tuple[Change, ...]:
        """One change: each cell that it leaves or comes to, as often as it can be counted there."""
        counted = min(self.most_cells, self.cells)
        if relation is Relation.REPLACE:
            counted = 2 * counted if movable else min(2 * counted, self.cells)
        return (Change((self.most_records,) * counted),)


def _clipped(low: float, high: float) -> tuple[float, float]:
    least, most = _checks.number("low", low), _checks.number("high", high)
    if not least < most:
        raise Refused("high", f"be above low ({least:g})", most, Code.WRONG_ORDER, got=f"{most:g}")
    return least, most


@call_hint
@dataclass(frozen=True, kw_only=True)
class Totals(_Row):
    """A total, in each area and cell, of an amount that is clipped to bounds.

    It says what can change and makes no promise: that is made by the noise which is added.
    Source: ours, an amount that moves leaves one total and comes to another; checked against all neighbours of tiny
        domains

    Parameters
    ----------
    low, high : float; bounds of the amount, low below high
    always : bool, optional; whether every record adds an amount; else it may add nothing
    cells : int, optional; cells over which the total is split, at least 1; a record's amount lies in one of them, and
        can change it
    level, units
        see `Counts`

    Examples
    --------
    >>> days = Schema((Totals(low=0, high=30, level="district"),), Areas((Level("district", 40),)))
    >>> days.sensitivity(0, "add_or_remove").l1, days.sensitivity(0, "replace").l1
    (30.0, 60.0)
    """

    low: float
    high: float
    always: bool = False
    cells: int = 1

    def __post_init__(self) -> None:
        low, high = _clipped(self.low, self.high)
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)
        object.__setattr__(self, "cells", _checks.count("cells", self.cells, 1))

    def of_record(self, relation: Relation, *, movable: bool, exactly: bool) -> tuple[Change, ...]:
        """One total by the largest amount, or by the widest difference; or two of them where the amount can move."""
        most = max(abs(self.low), abs(self.high))
        if relation is Relation.ADD_OR_REMOVE:
            return (Change((most,)),)
        within = self.high - self.low if self.always and exactly else max(self.high, 0.0) - min(self.low, 0.0)
        if not movable and self.cells == 1:
            return (Change((within,)),)
        return (Change((most, most)), Change((within,)))


@call_hint
@dataclass(frozen=True, kw_only=True)
class Means(_Row):
    """A mean, in each area, of a clipped amount over a number of people that is public; everybody has an amount.

    It says what can change and makes no promise: that is made by the noise which is added.
    Source: ours, replacing one of n amounts moves their mean by at most (high - low)/n

    Parameters
    ----------
    low, high : float; bounds of the amount, low below high
    people : int; public number of people, at least 1; of the smallest area
    level, units
        see `Counts`

    Examples
    --------
    >>> Schema((Means(low=0, high=10, people=400),)).sensitivity(0, "replace").l1
    0.025
    """

    low: float
    high: float
    people: int

    def __post_init__(self) -> None:
        low, high = _clipped(self.low, self.high)
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)
        object.__setattr__(self, "people", _checks.count("people", self.people, 1))

    def of_record(self, relation: Relation, *, movable: bool, exactly: bool) -> tuple[Change, ...]:
        """One mean by the widest difference of an amount, over the people."""
        if relation is not Relation.REPLACE:
            rule = "be 'replace' for a mean (adding a record changes the number of people)"
            raise Refused("relation", rule, relation.value, Code.UNSUPPORTED)
        return (Change(((self.high - self.low) / self.people,)),)


Row = Counts | Totals | Means
"""What a `Schema` consists of: one of the three classes."""


@call_hint
def change_of_secret(promise: Promise) -> Relation:
    """What happens to a record between the two worlds of a secret: it comes or goes, or it is replaced.

    The promise is the one that is given. Replaced for a value or an answer, whatever one step of the guarantee is: the
    record is in both worlds. For named noise this is sharper than the promise's steps.
    Source: ours, a value that moves is a record replaced

    Parameters
    ----------
    promise : Promise; the secret, and the relation of the release

    Examples
    --------
    >>> change_of_secret(Promise(secret="value", relation="add_or_remove"))
    <Relation.REPLACE: 'replace'>
    """
    return promise.relation if promise.secret is Secret.PRESENCE else Relation.REPLACE


@call_hint
@dataclass(frozen=True)
class Schema:
    """The rows of a release, the areas they are made for, and how far a record can move.

    It says what can change and makes no promise: that is made by the noise which is added.
    Source: ours, one value for what a record can change

    Parameters
    ----------
    rows : tuple of Row; `Counts`, `Totals` and `Means`, at least one
    areas : Areas, optional; the tree of areas; the whole alone without it
    moves : Moves, optional; how far a record can change its area; undecided, which counts as anywhere, without it

    Examples
    --------
    >>> places = Areas((Level("district", 40),))
    >>> Schema((Counts(level="district"),), places).sensitivity(0, "replace").l1
    2.0
    >>> Schema((Counts(level="district"),), places, Moves("nowhere")).sensitivity(0, "replace").l1
    1.0
    """

    rows: tuple[Row, ...]
    areas: Areas = Areas()
    moves: Moves = UNDECIDED

    def __post_init__(self) -> None:
        _checks.kind_of("rows", self.rows, Iterable, "tables such as (Counts(cells=12),)")
        object.__setattr__(self, "rows", tuple(self.rows))
        if not self.rows:
            raise Refused("rows", "hold at least one table", (), Code.EMPTY, got="0")
        _checks.kind_of("areas", self.areas, Areas, "areas such as Areas((Level('district', 40),))")
        for place, row in enumerate(self.rows):
            _checks.kind_of(f"row {place + 1}", row, Row, "Counts, Totals or Means")
            self.areas.depth(row.level)
        _checks.kind_of("moves", self.moves, Moves, "moves such as Moves('nowhere')")
        if self.moves.level:
            self.areas.depth(self.moves.level)

    def _row(self, place: int) -> Row:
        return self.rows[_checks.count("place", place, 0, len(self.rows) - 1)]

    def movable(self, place: int) -> bool:
        """Whether a replaced record can change its area in a row, by the row's place."""
        level = self._row(place).level
        if self.areas.number(level) == 1 or self.moves.how == "nowhere":
            return False
        return self.moves.how != "within" or self.areas.is_inside(level, self.moves.level)

    def asks_where(self, relation: str) -> bool:
        """Whether it matters how far a record can move: some row has several areas, and records are replaced."""
        return _relation(relation) is Relation.REPLACE and any(self.areas.number(row.level) > 1 for row in self.rows)

    def _of_record(self, place: int, relation: str, group: int, exactly: bool) -> tuple[Change, ...]:
        row, change, movable = self._row(place), _relation(relation), self.movable(place)
        sure = exactly or _of_units(row, group) == 1
        if isinstance(row, Means) and change is Relation.REPLACE and movable:
            rule = "keep a record in its area for a mean (the numbers of people would change)"
            raise Refused("moves", rule, self.moves.how or "anywhere", Code.UNSUPPORTED)
        return row.of_record(change, movable=movable, exactly=sure)

    def largest_change(
        self, place: int, relation: str, *, norm: Norm = "l1", group: int = 1, exactly: bool = False
    ) -> Change:
        """The change of one unit in a row that is longest in a norm.

        `group` times the largest change of one record, which all records of the unit share: exact.

        Parameters
        ----------
        place : int; of the row, from 0
        relation : {"add_or_remove", "replace"}; what happens to the records: `change_of_secret` for a secret
        norm : {"l1", "l2"}, optional; the measure
        group : int, optional; how many records the unit has, at least 1
        exactly : bool, optional; whether it has as many in both worlds; else some of a replaced unit's records may come
            and go
        """
        by = _checks.choice("norm", norm, ("l1", "l2"))
        longest = max(self._of_record(place, relation, group, exactly), key=lambda change: float(getattr(change, by)))
        records = _of_units(self._row(place), group)
        return Change(tuple(records * amount for amount in longest.amounts))

    def sensitivity(self, place: int, relation: str, *, group: int = 1, exactly: bool = False) -> Sensitivity:
        """How far one unit moves a row at most, in both norms; parameters and refusals are those of `largest_change`.

        Exact for one record, and for a unit whose records can share their cells; else an upper bound.
        """
        l1 = self.largest_change(place, relation, norm="l1", group=group, exactly=exactly)
        l2 = self.largest_change(place, relation, norm="l2", group=group, exactly=exactly)
        return Sensitivity(l1.l1, l2.l2)

    def stacked(self, relation: str, *, group: int = 1, exactly: bool = False) -> Sensitivity:
        """How far one unit moves all rows together: an upper bound, since one row's worst case may exclude another's.

        Parameters and refusals are those of `largest_change`, without a place.
        """
        rows = [self.sensitivity(i, relation, group=group, exactly=exactly) for i in range(len(self.rows))]
        return Sensitivity(math.fsum(row.l1 for row in rows), math.hypot(*(row.l2 for row in rows)))

    def changes(self, place: int, relation: str, *, group: int = 1, exactly: bool = False) -> tuple[Change, ...]:
        """Every change of one unit in a row of whole numbers: what the chance of passing a limit is largest over.

        Parameters are those of `largest_change`. Each combination of amounts once; a few that the records of one unit
        cannot make together may be among them, so that a maximum over them is never too small.

        Examples
        --------
        >>> table = Schema((Counts(cells=2, most_cells=2),))
        >>> [change.amounts for change in table.changes(0, "add_or_remove")]
        [(1.0,), (1.0, 1.0)]
        """
        largest = self._of_record(place, relation, group, exactly)
        row = self._row(place)
        records = _of_units(row, group)
        if isinstance(row, Means):
            raise Refused("row", "be Counts or Totals for its changes to be listed", row, Code.UNSUPPORTED, got="Means")
        broken = [amount for one in largest for amount in one.amounts if amount != math.floor(amount)]
        if broken:
            raise Refused("amounts", "be whole numbers to be listed", broken[0], Code.NOT_WHOLE)
        numbers = self.areas.number(row.level) * row.cells
        shapes = [(int(one.amounts[0]), len(one.amounts)) for one in largest]
        if records > 1:  # one record may change as the first, another as the second
            shapes = [(max(each for each, _ in shapes), max(turns for _, turns in shapes))]
        most = self.sensitivity(place, relation, group=group, exactly=exactly)
        found: set[tuple[int, ...]] = set()
        for each, turns in shapes:
            for amounts in _listed(each, records * turns, records, numbers, each * records):
                if sum(amounts) <= most.l1 * _ALIKE and math.hypot(*amounts) <= most.l2 * _ALIKE:
                    found.add(amounts)
                if len(found) > MOST_CHANGES:
                    rule = f"be at most {MOST_CHANGES} to be listed"
                    raise Refused("changes", rule, len(found), Code.TOO_LARGE, got="more")
        return tuple(Change(amounts) for amounts in sorted(found))


def _listed(each: int, turns: int, records: int, numbers: int, most: int) -> Iterator[tuple[int, ...]]:
    """Falling amounts of at most `most`, in at most so many numbers, that the records can make in so many turns.

    A record has a turn for each number that it can move, by up to `each`; a number of amount a takes a/each of them,
    rounded up, of different records.
    """
    if not numbers:
        return
    for amount in range(1, most + 1):
        taken = -(-amount // each)
        if taken > min(turns, records):
            return
        yield (amount,)
        for rest in _listed(each, turns - taken, records, numbers - 1, amount):
            yield (amount, *rest)


def _relation(relation: str) -> Relation:
    return Relation(_checks.choice("relation", relation, [option.value for option in Relation]))
