"""Sensitivities against all neighbours of tiny domains: every table alone and all tables together, both relations."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from dpcore.errors import Refused
from dpcore.promise import Promise
from dpcore.schema import (
    Areas,
    Change,
    Counts,
    Level,
    Means,
    Moves,
    Schema,
    Sensitivity,
    Totals,
    change_of_secret,
)
from tests.each import each

Numbers = tuple[float, ...]
AREAS = 2


def _in_area(row: Any) -> Iterator[Numbers]:
    """What one record can add to the cells of its own area."""
    if isinstance(row, Counts):
        for numbers in itertools.product(range(row.most_records + 1), repeat=row.cells):
            if sum(number > 0 for number in numbers) <= row.most_cells:
                yield numbers
        return
    if isinstance(row, Means):
        yield from ((amount / row.people,) for amount in range(int(row.low), int(row.high) + 1))
        return
    if not row.always:
        yield (0.0,) * row.cells
    for cell in range(row.cells):
        for amount in range(int(row.low), int(row.high) + 1):
            yield tuple(float(amount) if cell == at else 0.0 for at in range(row.cells))


def _records(rows: tuple[Any, ...], areas: int) -> list[tuple[int, Numbers]]:
    """(area, its share of every published number) of every possible record, all rows side by side."""
    found = []
    for area in range(areas):
        for parts in itertools.product(*(tuple(_in_area(row)) for row in rows)):
            numbers: list[float] = []
            for part in parts:
                for place in range(areas):
                    numbers += part if place == area else (0.0,) * len(part)
            found.append((area, tuple(numbers)))
    return sorted(set(found))


def _differences(rows: tuple[Any, ...], areas: int, relation: str, *, stays: bool, group: int) -> set[Numbers]:
    """Differences of the published numbers of all neighbours: only the unit's own records matter."""
    records = _records(rows, areas)
    if relation == "add_or_remove":
        single = {numbers for _, numbers in records}
    else:
        single = {
            tuple(b - a for a, b in zip(one, other, strict=True))
            for (here, one), (there, other) in itertools.product(records, repeat=2)
            if here == there or not stays
        }
    found = single
    for _ in range(group - 1):
        found = {tuple(a + b for a, b in zip(one, other, strict=True)) for one in found for other in single}
    return found


def _amounts(numbers: Numbers) -> Numbers:
    return tuple(sorted((abs(number) for number in numbers if number), reverse=True))


def _lengths(differences: set[Numbers]) -> tuple[float, float]:
    sizes = np.abs(np.array(sorted(differences)))
    return float(sizes.sum(axis=1).max()), float(np.sqrt((sizes**2).sum(axis=1)).max())


ROWS = [
    Counts(level="area"),
    Counts(level="area", cells=2),
    Counts(level="area", cells=3),
    Counts(level="area", cells=3, most_cells=2),
    Counts(level="area", cells=3, most_cells=2, most_records=2),
    Counts(level="area", cells=2, most_cells=2, most_records=3),
    Totals(level="area", low=0, high=3),
    Totals(level="area", low=-2, high=1),
    Totals(level="area", low=-2, high=2),
    Totals(level="area", low=2, high=4),
    Totals(level="area", low=2, high=4, always=True),
    Totals(level="area", low=-4, high=-3, always=True),
    Totals(level="area", low=0, high=2, cells=2),
    Totals(level="area", low=-2, high=2, cells=2, always=True),
]


@pytest.mark.parametrize("relation", ["add_or_remove", "replace"])
@pytest.mark.parametrize("row", ROWS, ids=repr)
def test_a_table_changes_as_much_as_its_neighbours_do(row: Any, relation: str) -> None:
    for areas, moves, group in itertools.product((1, AREAS), ("nowhere", "anywhere"), (1, 2)):
        schema = Schema((row,), Areas((Level("area", areas),)), Moves(moves))
        found = _differences((row,), areas, relation, stays=moves == "nowhere", group=group)
        l1, l2 = _lengths(found)
        sensitivity = schema.sensitivity(0, relation, group=group, exactly=True)
        assert (sensitivity.l1, sensitivity.l2) == pytest.approx((l1, l2), rel=1e-12), (areas, moves, group)
        listed = {change.amounts for change in schema.changes(0, relation, group=group, exactly=True)}
        made = {_amounts(numbers) for numbers in found} - {()}
        assert made <= listed, (areas, moves, group)
        if group == 1 and (isinstance(row, Counts) or (row.low <= 0 <= row.high and not row.always)):
            assert made == listed, (areas, moves)
        assert all(change.l1 <= l1 and change.l2 <= l2 * (1 + 1e-12) for change in map(Change, listed))


@pytest.mark.parametrize("low", [-5, 0, 3])
def test_a_mean_changes_as_much_as_its_neighbours_do(low: int) -> None:
    row = Means(level="area", low=low, high=7, people=6)
    for areas, group in itertools.product((1, AREAS), (1, 2)):
        schema = Schema((row,), Areas((Level("area", areas),)), Moves("nowhere"))
        l1, _ = _lengths(_differences((row,), areas, "replace", stays=True, group=group))
        sensitivity = schema.sensitivity(0, "replace", group=group)
        assert (sensitivity.l1, sensitivity.l2) == pytest.approx((l1, l1), rel=1e-12)


@pytest.mark.parametrize("relation", ["add_or_remove", "replace"])
@pytest.mark.parametrize("moves", ["nowhere", "anywhere"])
def test_a_record_that_moves_changes_all_tables_at_once(relation: str, moves: str) -> None:
    rows = (
        Counts(level="area", cells=2),
        Totals(level="area", low=-1, high=2),
        Totals(level="area", low=0, high=2, cells=2),
    )
    schema = Schema(rows, Areas((Level("area", AREAS),)), Moves(moves))
    l1, l2 = _lengths(_differences(rows, AREAS, relation, stays=moves == "nowhere", group=1))
    stacked = schema.stacked(relation)
    assert l1 == pytest.approx(stacked.l1)  # no row's worst case excludes another's here
    assert l2 <= stacked.l2 * (1 + 1e-12)


def test_a_unit_whose_size_varies_may_lose_amounts_that_are_always_there() -> None:
    """One to four records between 10 and 30, replaced whole: 110 is reached, between one of 10 and four of 30."""
    row = Totals(low=10, high=30, always=True)
    reached = max(
        abs(first * a - second * b)
        for first in range(1, 5)
        for second in range(1, 5)
        for a in (10, 30)
        for b in (10, 30)
    )
    assert reached == 110
    assert Schema((row,)).sensitivity(0, "replace", group=4).l1 == 120
    assert Schema((row,)).sensitivity(0, "replace", group=4, exactly=True).l1 == 80
    assert Schema((row,)).sensitivity(0, "replace").l1 == 20


def test_a_table_of_units_moves_by_one_unit() -> None:
    households = Counts(cells=5, units=True)
    assert Schema((households,)).sensitivity(0, "replace", group=4) == Sensitivity(2, math.sqrt(2))
    amounts = Totals(low=10, high=30, always=True, units=True)
    assert Schema((amounts,)).sensitivity(0, "replace", group=4).l1 == 20


def test_a_record_leaves_no_area_at_or_above_the_level_it_stays_within() -> None:
    places = Areas((Level("region", 5), Level("district", 40)))
    rows = (Totals(low=0, high=30), Totals(low=0, high=30, level="region"), Totals(low=0, high=30, level="district"))

    def moved(moves: Moves) -> list[float]:
        schema = Schema(rows, places, moves)
        return [schema.sensitivity(place, "replace").l1 for place in range(3)]

    assert moved(Moves()) == moved(Moves("anywhere")) == [30, 60, 60]
    assert moved(Moves("within", "region")) == [30, 30, 60]
    assert moved(Moves("within", "district")) == moved(Moves("nowhere")) == [30, 30, 30]
    schema = Schema(rows, places)
    assert not schema.moves.is_decided
    assert schema.asks_where("replace")
    assert not schema.asks_where("add_or_remove")
    assert not Schema(rows[:1], places).asks_where("replace")


def test_levels_are_made_from_numbers_of_areas() -> None:
    places = Areas.counted([40, 1, 412, 40])
    assert [(level.name, level.areas) for level in places.levels] == [("40", 40), ("412", 412)]
    assert places.is_inside("412", "40")


def test_a_value_is_a_record_replaced_whatever_a_step_is() -> None:
    assert change_of_secret(Promise(secret="value", relation="add_or_remove")) == "replace"
    assert change_of_secret(Promise(secret="answer", relation="replace")) == "replace"
    assert change_of_secret(Promise(secret="presence", relation="add_or_remove")) == "add_or_remove"


def test_refusals_name_the_rule() -> None:
    places = Areas((Level("district", 40),))
    with pytest.raises(Refused, match=r"areas must be a whole number of at least 1; got 0"):
        Level("district", 0)
    with pytest.raises(Refused, match=r"levels must have different names; got \['a', 'a'\]"):
        Areas((Level("a", 2), Level("a", 3)))
    with pytest.raises(Refused, match=r"levels must be in order, the widest first; got \[3, 2\]"):
        Areas((Level("a", 3), Level("b", 2)))
    with pytest.raises(Refused, match=r"levels must be levels such as"):
        Areas(("district",))  # type: ignore[arg-type]
    with pytest.raises(Refused, match=r"level must be one of '', 'district'; got 'school'"):
        Schema((Counts(level="school"),), places)
    with pytest.raises(Refused, match=r"level must be one of '', 'district'; got 'school'"):
        Schema((Counts(),), places, Moves("within", "school"))
    with pytest.raises(Refused, match=r"how must be one of 'nowhere', 'within', 'anywhere'; got 'far'"):
        Moves("far")
    with pytest.raises(Refused, match=r"level must be given for 'within', and for nothing else; got ''"):
        Moves("within")
    with pytest.raises(Refused, match=r"level must be given for 'within', and for nothing else; got 'district'"):
        Moves("nowhere", "district")
    with pytest.raises(Refused, match=r"rows must hold at least one table; got 0"):
        Schema(())
    with pytest.raises(Refused, match=r"row 2 must be Counts, Totals or Means; got 3"):
        Schema((Counts(), 3))  # type: ignore[arg-type]
    with pytest.raises(Refused, match=r"areas must be areas such as"):
        Schema((Counts(),), 40)  # type: ignore[arg-type]
    with pytest.raises(Refused, match=r"moves must be moves such as"):
        Schema((Counts(),), places, "nowhere")  # type: ignore[arg-type]
    with pytest.raises(Refused, match=r"high must be above low \(3\); got 1"):
        Totals(low=3, high=1)
    with pytest.raises(Refused, match=r"cells must be a whole number of at least 1; got 0"):
        Totals(low=0, high=1, cells=0)
    for field in ("cells", "most_cells", "most_records"):
        with pytest.raises(Refused, match=rf"{field} must be a whole number of at least 1; got 0"):
            Counts(**{field: 0})
    with pytest.raises(Refused, match=r"people must be a whole number of at least 1; got 0"):
        Means(low=0, high=1, people=0)
    mean = Schema((Means(low=0, high=1, people=4, level="district"),), places)
    with pytest.raises(Refused, match=r"relation must be 'replace' for a mean"):
        mean.sensitivity(0, "add_or_remove")
    with pytest.raises(Refused, match=r"moves must keep a record in its area for a mean .*; got 'anywhere'"):
        mean.sensitivity(0, "replace")
    with pytest.raises(Refused, match=r"relation must be one of 'add_or_remove', 'replace'; got 'swap'"):
        mean.sensitivity(0, "swap")
    with pytest.raises(Refused, match=r"group must be a whole number of at least 1; got 0"):
        Schema((Counts(),)).sensitivity(0, "replace", group=0)
    with pytest.raises(Refused, match=r"amounts must be whole numbers to be listed; got 2.5"):
        Schema((Totals(low=0, high=2.5),)).changes(0, "replace")
    with pytest.raises(Refused, match=r"changes must be at most 20000 to be listed; got more"):
        Schema((Totals(low=0, high=1000, level="district"),), places).changes(0, "replace")
    with pytest.raises(Refused, match=r"l2 must be at most l1 \(1\); got 2"):
        Sensitivity(1, 2)
    with pytest.raises(Refused, match=r"amounts must hold at least one number; got \(\)"):
        Change(())
    with pytest.raises(Refused, match=r"amounts must be a list of numbers; got \[\[1, 2\]\]"):
        Change([[1, 2]])  # type: ignore[arg-type]
    with pytest.raises(Refused, match=r"levels must have names; got \[''\]"):
        Areas((Level("", 3),))
    with pytest.raises(Refused, match=r"levels must be levels such as \(Level\('district', 40\),\); got 3"):
        Areas(3)  # type: ignore[arg-type]
    with pytest.raises(Refused, match=r"rows must be tables such as \(Counts\(cells=12\),\); got 3"):
        Schema(3)  # type: ignore[arg-type]
    with pytest.raises(Refused, match=r"amounts must be whole numbers to be listed; got 3.5"):
        Schema((Totals(low=-0.5, high=3, cells=2),)).changes(0, "replace")
    with pytest.raises(Refused, match=r"row must be Counts or Totals for its changes to be listed; got Means"):
        Schema((Means(low=0, high=10, people=1),)).changes(0, "replace")
    inside = Schema(
        (Means(low=0, high=1, people=4, level="b"),), Areas((Level("a", 2), Level("b", 4))), Moves("within", "a")
    )
    with pytest.raises(Refused, match=r"moves must keep a record in its area for a mean .*; got 'within'"):
        inside.sensitivity(0, "replace")


@each("ask", ["movable", "sensitivity", "largest_change", "changes"])
def test_a_row_is_asked_for_by_its_place(ask: str) -> None:
    tables = Schema((Counts(), Counts(cells=3)))
    more = () if ask == "movable" else ("replace",)
    assert getattr(tables, ask)(1.0, *more) == getattr(tables, ask)(1, *more)
    for place in (2, -1, 0.5):
        with pytest.raises(Refused, match=rf"place must be a whole number from 0 to 1; got {place}"):
            getattr(tables, ask)(place, *more)
