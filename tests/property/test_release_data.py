"""The check of data against a plan, beside plain loops, and how far one unit moves what is counted."""

from __future__ import annotations

import itertools
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore.errors import Refused
from riskline.release.data import TrueCounts, true_counts
from riskline.release.plan import Plan, PlannedTable
from tests.release_plans import plan_of, written

AREAS = [
    ["all"],
    ["s", "", "all"],
    ["t", "", "all"],
    ["s1", "", "s"],
    ["s2", "", "s"],
    ["t1", "", "t"],
    ["d", "", "all"],
]
LEAVES = ["s1", "s2", "t1", "d"]  # a state without counties too
HEADS = ("home", "person", "county", "sex", "month")
SEXES, MONTHS = ["f", "m", "x"], ["1", "2"]
BUDGETS = {"nation": 0.1, "state": 0.1, "county": 0.1}

Row = tuple[str, ...]
row = st.tuples(
    st.sampled_from("abc"),
    st.sampled_from("123"),
    st.sampled_from(LEAVES),
    st.sampled_from(SEXES),
    st.sampled_from(MONTHS),
)
rows = st.lists(row, max_size=14)


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """Small plans: a table of records and, for households, one of units; with or without whose a row is."""
    group = draw(st.sampled_from([1, 2, 3]))
    case: dict[str, Any] = {"unit": "household", "group": group} if group > 1 else {}
    case["noise"] = draw(st.sampled_from(["discrete_gaussian", "geometric"]))
    case |= draw(
        st.sampled_from(
            [{}, {"relation": "replace", "secret": "value", "moves": draw(st.sampled_from(["", "nowhere"]))}]
        )
    )
    each = draw(st.sampled_from([None, "one_time", "every_time"]))
    times = {} if each is None else {"times": {"column": "month", "values": MONTHS, "each": each}}
    common = {"levels": BUDGETS, "categories": {"sex": SEXES}, "places": draw(st.integers(1, 3)), **times}
    tables = [{"name": "records", "records": draw(st.integers(1, 3)), **common}]
    if group > 1:
        tables.append({"name": "units", "counts": "units", **common})
    columns = {"record": "person", **({"unit": "home"} if group > 1 else {})}
    if group > 1 and draw(st.booleans()):
        del columns["record"]
    return plan_of(*tables, case=case, areas=AREAS, budget=10.0, **columns)


def counted(plan: Plan, data: list[Row], *, clip: bool) -> TrueCounts:
    with tempfile.TemporaryDirectory() as folder:
        return true_counts(written(Path(folder) / "data.csv", HEADS, data), plan, clip=clip)


def kept_by_loops(plan: Plan, table: PlannedTable, data: list[Row]) -> tuple[list[int], int | None]:
    """The rows that are left where each limit takes away what is beyond it, and the first row that the first took."""
    at: dict[int, dict[str, Any]] = {}
    for number, (home, person, county, sex, month) in enumerate(data):
        when = month if table.paid > 1 else ""
        unit = (home if plan.unit else person, when)
        record = unit if table.counts == "units" else (unit, person) if plan.record else number
        cell = (county, sex, month if table.time and table.paid == 1 else "")
        at[number] = {"unit": unit, "record": record, "county": county, "cell": cell}
    limits: list[tuple[str, Any, int]] = []
    if plan.unit and table.counts == "records":
        limits.append(("unit", lambda n: at[n]["record"], plan.group))
    if plan.record or table.counts == "units":
        limits += [("record", lambda n: at[n]["county"], 1), ("record", lambda n: at[n]["cell"], table.places)]
        if table.counts == "records":
            limits.append(("both", lambda n: n, table.records))
    kept, first = list(at), None
    for group, value, most in limits:
        seen: dict[Any, list[Any]] = defaultdict(list)
        after = []
        for number in kept:
            whose = seen[(at[number]["record"], at[number]["cell"]) if group == "both" else at[number][group]]
            if value(number) not in whose and len(whose) < most:
                whose.append(value(number))
            if value(number) in whose:
                after.append(number)
            elif first is None:
                first = number
        kept = after
    return kept, first


def tallied(plan: Plan, table: PlannedTable, data: list[Row], kept: list[int], level: str) -> Any:
    found = np.zeros((len(table.times), len(plan.areas.at(level)), table.cells), dtype=int)
    codes = [plan.areas.codes[area] for area in plan.areas.at(level)]
    seen = set()
    for number in kept:
        home, _, county, sex, month = data[number]
        up = {"nation": "all", "state": county[0], "county": county}[level]
        if up not in codes:
            continue
        key = (table.times.index(month) if table.time else 0, codes.index(up), SEXES.index(sex))
        if table.counts == "units" and (home, county, sex, key[0]) in seen:
            continue
        seen.add((home, county, sex, key[0]))
        found[key] += 1
    return found


@settings(max_examples=60, deadline=None)
@given(plans(), rows)
def test_clipping_keeps_what_plain_loops_keep(plan: Plan, data: list[Row]) -> None:
    found = counted(plan, data, clip=True)
    for table, level in itertools.product(plan.tables, BUDGETS):
        kept, _ = kept_by_loops(plan, table, data)
        np.testing.assert_array_equal(found.counts[table.name, level], tallied(plan, table, data, kept, level))


@settings(max_examples=60, deadline=None)
@given(plans(), rows)
def test_the_first_row_beyond_a_limit_is_named(plan: Plan, data: list[Row]) -> None:
    firsts = [first for table in plan.tables for _, first in [kept_by_loops(plan, table, data)] if first is not None]
    if not firsts:
        counted(plan, data, clip=False)
        return
    with pytest.raises(Refused) as refused:
        counted(plan, data, clip=False)
    assert str(refused.value).startswith(f"row {firsts[0] + 1} of the data: ")


@settings(max_examples=80, deadline=None)
@given(plans(), rows, rows, st.sampled_from("abc"))
def test_no_unit_moves_a_release_farther_than_its_distance(
    plan: Plan, data: list[Row], others: list[Row], whose: str
) -> None:
    column = HEADS.index(plan.unit or plan.record)
    whose = whose if plan.unit else "1"
    rest = [one for one in data if one[column] != whose]
    before = [one for one in data if one[column] == whose]
    after = [one for one in others if one[column] == whose]
    if plan.case["relation"] == "add_or_remove":
        after = []
    elif plan.moves == "nowhere":  # each record stays where it is, whatever else changes
        homes = {(one[0], one[1]): one[2] for one in reversed(before)}
        after = [(*one[:2], homes.get(one[:2], before[0][2] if before else one[2]), *one[3:]) for one in after]
        if len({one[2] for one in before}) > 1 or not before:
            return
    worlds = [counted(plan, rest + some, clip=True) for some in (before, after)]
    for release in plan.releases:
        first, second = (world.counts[release.table, release.level] for world in worlds)
        change = (first - second).reshape(release.times, -1)  # each draw that is paid for
        size = np.abs(change).sum(axis=1) if plan.currency == "epsilon" else np.sqrt((change**2).sum(axis=1))
        assert (size <= release.distance).all()


def test_the_distance_is_reached() -> None:
    moved = {"unit": "household", "group": 2, "relation": "replace", "secret": "value"}
    plan = plan_of(
        {"levels": BUDGETS, "categories": {"sex": SEXES}}, case=moved, areas=AREAS, record="person", unit="home"
    )
    worlds = [counted(plan, [("a", person, "s1", sex, "1") for person in "12"], clip=False) for sex in "fm"]
    change = worlds[0].counts["Births", "state"] - worlds[1].counts["Births", "state"]
    assert (change**2).sum() == 8
    assert np.sqrt(8) <= plan.releases[1].distance == pytest.approx(np.sqrt(8), rel=1e-15)
