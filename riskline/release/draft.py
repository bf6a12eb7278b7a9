"""A plan that a case and its budgets begin: what only the agency knows is marked, and must be filled in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dpcore.errors import Code, Refused
from dpcore.publication import CountTable, Publication
from dpcore.rounding import round_down
from riskline.case.fields import parse_number
from riskline.case.file import FORMAT as CASE_FORMAT
from riskline.case.file import VERSION as CASE_VERSION
from riskline.case.file import case_table
from riskline.case.levels import Levels
from riskline.case.tables import HEADS, AtLevel
from riskline.case.value import Case
from riskline.release.areas import AreaList
from riskline.release.plan import EACH, FORMAT, MARK, VERSION, check_places


def draft(
    case: Case,
    published: Sequence[AtLevel],
    publication: Publication,
    budgets: Sequence[float],
    total: float,
    areas: AreaList | None = None,
) -> dict[str, Any]:
    """A plan with the tables of counts of a publication and the budget of one release of each.

    `published` are its rows as they were typed, `areas` those of the case's levels where they are at hand. Totals and
    means are left out: a release draws counts.

    Raises Refused where there is no table of counts, its noise is no whole numbers, or a person is in several areas.

    >>> from riskline.case.tables import TableRow, at_levels
    >>> births = CountTable(name="Births", areas=40, times=12, noise="geometric")
    >>> typed, case = at_levels((TableRow("Births", areas="40", times="12"),)), Case(noise="geometric")
    >>> draft(case, typed, Publication((births,), "add_or_remove"), [0.1], 1.2)["tables"][0]["levels"]
    {'FILL IN: name of the level that has 40 areas': 0.1}
    """
    every = zip(published, publication.rows, budgets, strict=True)
    drawn = [(one, row, budget) for one, row, budget in every if isinstance(row, CountTable)]
    if not drawn:
        raise Refused(
            "tables", "have a table of counts: a release draws no totals and no means", (), Code.EMPTY, got=""
        )
    first = drawn[0][1]
    if not first.is_whole:
        rule = "be of whole numbers for a release: geometric or discrete_gaussian"
        raise Refused("noise", rule, first.noise, Code.UNSUPPORTED)
    said = case if "noise" in case else case.with_choices(noise=first.noise)
    known: Levels = case["geography"]
    tables: list[dict[str, Any]] = []
    for one, row, budget in drawn:
        check_places(f"{one.row.name or one.table}: {HEADS['places']}".lstrip(": "), row.cells_per_person, row.cells)
        begun, level = _table(one, row), _level(one.level, row.areas, known)
        if any(one.exact):
            begun["exact"] = _level(*_exact(one), known)
        same = (table for table in tables if table | {"levels": {}} == begun and level not in table["levels"])
        if (table := next(same, None)) is None:
            tables.append(table := begun)
        table["levels"] = {**table["levels"], level: _cleared(budget)}
    asked = [(one.level, row.areas) for one, row, _ in drawn] + [_exact(one) for one, *_ in drawn if any(one.exact)]
    numbers = {_level(*level, known): level[1] for level in asked}
    used, marked = set(numbers), {level: number for level, number in numbers.items() if level.startswith(MARK)}
    named = [level.name for level in known]
    named = named[: max((place for place, name in enumerate(named, 1) if name in used), default=0)]
    heads = "code, name, parent and level" if named else "code, name and parent"
    told: Any = f"{MARK}: a CSV file beside this one with {heads} of each area of these levels"
    if areas is not None and named:
        kept = areas.down_to([level for level in named if level in used])
        named, told = [level for level in named if kept.at(level).size], [list(row) for row in kept.rows]
    numbers = marked | {level.name: level.areas for level in known if level.name in named}
    plan: dict[str, Any] = {
        FORMAT: VERSION,
        "case": {CASE_FORMAT: CASE_VERSION} | case_table(said),
        "budget": _cleared(total),
        "levels": sorted(numbers, key=numbers.__getitem__) if marked else named,
        "areas": told,
        "area": f"{MARK}: the data's column of the area's code",
        "record": f"{MARK}: the data's column that says whose record a row is; without it each row is one of its own",
    }
    if said["unit"] != "person":
        whose = "household" if said["unit"] == "household" else "person"
        plan["unit"] = f"{MARK}: the data's column that says to which {whose} a row belongs"
    return plan | {"tables": tables}


def _cleared(budget: float) -> float:
    """A budget without the error of its computation in its last digits, and never more.

    >>> _cleared(9 * 0.0061), _cleared(3 * 0.1), _cleared(0.1 + 0.7)
    (0.0549, 0.3, 0.7999999999999999)
    """
    found = round_down(budget, 12, significant=True)
    return found if (1 - 1e-12) * budget <= found <= budget else budget


def _level(name: str, areas: int, known: Levels) -> str:
    """The level's name: as typed, or that of the only one with so many areas; else what is to be filled in."""
    alike = [name] if name else [level.name for level in known if level.areas == areas]
    if len(alike) == 1:
        return alike[0]
    return f"{MARK}: name of the level that has {areas:,} area{'s' if areas > 1 else ''}"


def _exact(one: AtLevel) -> tuple[str, int]:
    """Name and number of areas of the level of exact totals."""
    name, areas = one.exact
    return name, int(parse_number(areas, whole=True))


def _table(one: AtLevel, row: CountTable) -> dict[str, Any]:
    """A table as it begins, without its levels."""
    cells, times = row.cells // one.together, row.times * one.together
    found: dict[str, Any] = {"name": one.table or f"Table {one.place}", "levels": {}}
    if cells > 1:
        found["categories"] = {f"{MARK}: a column, or several with {cells:,} cells together": [f"{MARK}: a value"]}
    if row.cells_per_person > 1:
        found["places"] = row.cells_per_person
    if times > 1:
        found["times"] = {
            "column": f"{MARK}: the data's column of the time",
            "values": [f"{MARK}: {times:,} values"],
            "each": _each(one, row),
        }
    return found


def _each(one: AtLevel, row: CountTable) -> str:
    if row.times == 1:
        return EACH[0]
    if one.row.calendar.strip():
        return EACH[1]
    return (
        f"{MARK}: {EACH[1]} if the same people are in each, which is what this budget pays for; {EACH[0]} if each "
        f"record falls into one, for which this budget can be {row.times:,} times as large"
    )


def left_out(publication: Publication) -> tuple[str, ...]:
    """The rows that a plan does not take, as a sentence calls them."""
    places = enumerate(publication.rows)
    return tuple(publication.called(place) for place, row in places if not isinstance(row, CountTable))
