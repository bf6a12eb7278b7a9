"""A plan that a case and its budgets begin: what only the agency knows is marked, and must be filled in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dpcore.errors import Code, Refused
from dpcore.publication import CountTable, Publication
from riskline.case.file import FORMAT as CASE_FORMAT
from riskline.case.file import VERSION as CASE_VERSION
from riskline.case.file import case_table
from riskline.case.tables import Sheet, TableRow, times_together
from riskline.case.value import Case
from riskline.release.plan import EACH, FORMAT, MARK, VERSION


def draft(
    case: Case, tables: Sheet, publication: Publication, budgets: Sequence[float], total: float
) -> dict[str, Any]:
    """A plan with the tables of counts of a publication, as they were typed, and the budget of one release of each.

    Totals and means are left out: a release draws counts.

    Raises Refused where there is no table of counts, or its noise is no whole numbers.

    >>> births = CountTable(name="Births", areas=40, times=12, noise="geometric")
    >>> typed, case = (TableRow("Births", areas="40", times="12"),), Case(noise="geometric")
    >>> draft(case, typed, Publication((births,), "add_or_remove"), [0.1], 1.2)["tables"][0]["levels"]
    {'FILL IN: name of the level that has 40 areas': 0.1}
    """
    placed = enumerate(zip(tables, publication.rows, budgets, strict=True), 1)
    drawn = [(place, typed, row, budget) for place, (typed, row, budget) in placed if isinstance(row, CountTable)]
    if not drawn:
        raise Refused(
            "tables", "have a table of counts: a release draws no totals and no means", (), Code.EMPTY, got=""
        )
    first = drawn[0][2]
    if not first.is_whole:
        rule = "be of whole numbers for a release: geometric or discrete_gaussian"
        raise Refused("noise", rule, first.noise, Code.UNSUPPORTED)
    said = case if "noise" in case else case.with_choices(noise=first.noise)
    numbers = sorted({row.areas for _, _, row, _ in drawn})
    plan: dict[str, Any] = {
        FORMAT: VERSION,
        "case": {CASE_FORMAT: CASE_VERSION} | case_table(said),
        "budget": total,
        "levels": [_level(number) for number in numbers],
        "areas": f"{MARK}: a CSV file beside this one with code, name and parent of each area of these levels",
        "area": f"{MARK}: the data's column of the area's code",
        "record": f"{MARK}: the data's column that says whose record a row is; without it each row is one of its own",
    }
    if said["unit"] != "person":
        whose = "household" if said["unit"] == "household" else "person"
        plan["unit"] = f"{MARK}: the data's column that says to which {whose} a row belongs"
    return plan | {"tables": [_table(*one) for one in drawn]}


def _level(areas: int) -> str:
    return f"{MARK}: name of the level that has {areas:,} area{'s' if areas > 1 else ''}"


def _table(place: int, typed: TableRow, row: CountTable, budget: float) -> dict[str, Any]:
    together = times_together(place, typed)
    cells, times = row.cells // together, row.times * together
    found: dict[str, Any] = {"name": row.name or f"Table {place}", "levels": {_level(row.areas): budget}}
    if cells > 1:
        found["categories"] = {f"{MARK}: a column, or several with {cells:,} cells together": [f"{MARK}: a value"]}
    if row.cells_per_person > 1:
        found["places"] = row.cells_per_person
    if times > 1:
        found["times"] = {
            "column": f"{MARK}: the data's column of the time",
            "values": [f"{MARK}: {times:,} values"],
            "each": _each(typed, row),
        }
    return found


def _each(typed: TableRow, row: CountTable) -> str:
    if row.times == 1:
        return EACH[0]
    if typed.calendar.strip():
        return EACH[1]
    return (
        f"{MARK}: {EACH[1]} if the same people are in each, which is what this budget pays for; {EACH[0]} if each "
        f"record falls into one, for which this budget can be {row.times:,} times as large"
    )


def left_out(publication: Publication) -> tuple[str, ...]:
    """The rows that a plan does not take, as a sentence calls them."""
    places = enumerate(publication.rows)
    return tuple(publication.called(place) for place, row in places if not isinstance(row, CountTable))
