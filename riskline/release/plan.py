"""The plan of a release: whose promise, which budget, which areas, which tables; a file of JSON, and its meaning."""

from __future__ import annotations

import difflib
import hashlib
import itertools
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dpcore import _checks
from dpcore._properties import cached_property
from dpcore.errors import Code, Refused
from dpcore.mechanisms import NoiseMechanism, noise_kind, noise_kinds
from dpcore.publication import CountTable, Publication
from dpcore.rounding import round_up
from dpcore.schema import Moves
from riskline.answers import budget_together
from riskline.case.decision import LARGEST_BUDGET
from riskline.case.fields import shown
from riskline.case.file import FORMAT as CASE_FORMAT
from riskline.case.file import VERSION as CASE_VERSION
from riskline.case.file import case_from_table, json_table, not_used
from riskline.case.promise import PromiseChoice, contradiction, records_together
from riskline.case.value import Case
from riskline.release.areas import (
    HEADS,
    MOST_AREAS,
    AreaList,
    areas_of_rows,
    parents_of_prefixes,
    read_areas,
    refuse_formulas,
)
from riskline.release.folder import AFTER, AREAS, BEFORE

FORMAT, VERSION = "riskline_plan", 1
MARK = "FILL IN"
"""How a text begins that stands for what only the agency knows; a plan that has one is not drawn from."""
PARTS = (FORMAT, "case", "budget", "levels", "areas", "prefixes", "data", "area", "record", "unit", "tables")
TABLE_PARTS = ("name", "levels", "categories", "places", "records", "times", "counts", "exact")
TIME_PARTS = ("column", "values", "each")
DATA = ("records", "tables")
"""Whether a row of the data is a record, or the true count of a cell."""
COUNTS = ("records", "units")
EACH = ("one_time", "every_time")
"""Whether each record falls into one of the times, or the same people are in every one."""
COUNT, TABLE = "count", "table"
"""The columns of data that are true counts: the count, and the name of its table where there are several."""
OF_RECORDS = ("table", "count")
MOST_NUMBERS = 20_000_000
SCALE_DIGITS = 8
MARGIN = 1 + 1e-9  # OpenDP rounds a cost up, so a scale that is exact in its digits would cost a last digit too much


@dataclass(frozen=True, kw_only=True)
class PlannedTable:
    """A table of a plan.

    name : of the table
    levels : budget of one release, by level of areas
    categories : allowed values of each column
    places, records : in how many cells of its area a record can be counted, how often in one
    time : column of the time, empty without times
    times : its allowed values; one empty label without
    each : "one_time" or "every_time"
    counts : "records" or "units"
    exact : the level whose totals are published without noise, empty for none
    """

    name: str
    levels: Mapping[str, float]
    categories: Mapping[str, tuple[str, ...]]
    places: int = 1
    records: int = 1
    time: str = ""
    times: tuple[str, ...] = ("",)
    each: str = EACH[0]
    counts: str = COUNTS[0]
    exact: str = ""

    @property
    def cells(self) -> int:
        """Cells in one area, at one time."""
        return math.prod(map(len, self.categories.values()))

    @property
    def paid(self) -> int:
        """How many releases are paid for: one where a record falls into one time."""
        return len(self.times) if self.each == EACH[1] else 1

    @property
    def cells_of_record(self) -> int:
        """Cells of an area among which one release counts a record: of all times where it falls into one of them."""
        return self.cells * (len(self.times) // self.paid)

    @property
    def labels(self) -> Iterator[str]:
        """The texts that its file will have of it."""
        return itertools.chain(self.categories, *self.categories.values(), self.times)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the data that say in which cell a record lies."""
        return (*self.categories, *([self.time] if self.time else []))


@dataclass(frozen=True)
class Release:
    """One table at one level: how it is drawn, and what each draw costs.

    table, level : which
    times : how many draws are paid for
    distance : how far one unit moves the numbers of a draw: L1 for an ε, L2, rounded up, for a ρ
    scale : of the noise, rounded up
    """

    table: str
    level: str
    times: int
    distance: float
    scale: float


@dataclass(frozen=True, eq=False)
class Plan:
    """A plan, read and checked.

    table : as it was written
    case : whose promise
    budget : of everything, for one unit
    areas : all areas
    data : "records" or "tables"
    area, record, unit : columns of the data: the area; whose record a row is, which unit it belongs to, or empty
    tables : what is published
    """

    table: Mapping[str, Any]
    case: Case
    budget: float
    areas: AreaList
    data: str
    area: str
    record: str
    unit: str
    tables: tuple[PlannedTable, ...]

    @property
    def group(self) -> int:
        """How many records a unit has at most."""
        return records_together(self.case["unit"], self.case["group"])

    @property
    def moves(self) -> str:
        """How far the two possibilities can place a record; undecided counts as anywhere."""
        return str(self.case["moves"] or "anywhere")

    @cached_property
    def noise(self) -> type[NoiseMechanism]:
        """The kind of noise that the case names, or the whole one of its currency."""
        return _noise(self.case)

    @property
    def currency(self) -> str:
        """What the budget is: "rho" or "epsilon", as the noise is paid."""
        return self.noise.budget_kind

    @cached_property
    def releases(self) -> tuple[Release, ...]:
        """Each table at each of its levels, the distances from the schema of all of them together."""
        placed = [(table, level, budget) for table in self.tables for level, budget in table.levels.items()]
        rows = tuple(self._row(table, level) for table, level, _ in placed)
        publication = Publication(rows, self.case["relation"], self.group, Moves(self.moves))  # type: ignore[arg-type]
        found = []
        for (table, level, budget), change in zip(placed, publication.largest_changes, strict=True):
            if self.currency == "epsilon":
                distance, scale = change.l1, change.l1 / budget
            else:
                distance = root_up(sum(int(amount) ** 2 for amount in change.amounts))
                scale = distance / math.sqrt(2 * budget)
            rounded = round_up(scale * MARGIN, SCALE_DIGITS, significant=True)
            found.append(Release(table.name, level, table.paid, distance, rounded))
        return tuple(found)

    def _row(self, table: PlannedTable, level: str) -> CountTable:
        return CountTable(
            name=table.name,
            cells=table.cells_of_record,
            cells_per_person=table.places,
            records_per_cell=table.records,
            units=table.counts == "units",
            areas=len(self.areas.at(level)),
            times=table.paid,
            noise=self.noise.name,
        )

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of what the plan means: whatever order, spelling or titles it is written with.

        Column names count, since another column is another question; names of areas and of tables do not.
        """
        areas = sorted(zip(self.areas.codes, self.areas.parents, self.areas.level_of, strict=True))
        tables = [
            {
                "levels": sorted(table.levels.items()),
                "categories": sorted((column, sorted(values)) for column, values in table.categories.items()),
                "times": [table.time, sorted(table.times), table.each if table.time else ""],
                "limits": [table.places, table.records, table.counts, table.exact],
            }
            for table in self.tables
        ]
        told = {
            "case": [
                self.case.asked,
                self.case["unit"],
                self.group,
                self.case["relation"],
                self.moves,
                self.noise.name,
            ],
            "budget": self.budget,
            "areas": [self.areas.levels, areas],
            "columns": [self.data, self.area, self.record, self.unit],
            "tables": sorted(tables, key=lambda table: json.dumps(table)),
        }
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()

    @property
    def as_written(self) -> dict[str, Any]:
        """The plan as it stands beside its file of areas."""
        return {name: part for name, part in self.table.items() if name != "prefixes"} | {"areas": AREAS}


def root_up(squares: int) -> float:
    """The square root of a whole number, or the next float above it.

    >>> root_up(4), root_up(2) ** 2 >= 2
    (2.0, True)
    """
    root = math.isqrt(squares)
    return float(root) if root * root == squares else math.nextafter(math.sqrt(squares), math.inf)


# ---- reading ---------------------------------------------------------------------------------------------------------


def read_plan(content: bytes, beside: Callable[[str], bytes]) -> Plan:
    """The plan that a file of JSON holds; `beside` reads a file that lies next to it.

    Raises Refused with name, rule and value of what is wrong.
    """
    unread = Refused("the plan", "be a file of JSON in UTF-8", None, Code.WRONG_FORM, got="")
    try:
        table = json_table(content.decode("utf-8-sig"), "the plan")
        json.dumps(table, ensure_ascii=False).encode()  # half of a surrogate pair is no text that a file can hold
    except Refused:
        raise
    except (ValueError, RecursionError):
        raise unread from None
    if not isinstance(table, dict) or FORMAT not in table:
        raise Refused("the plan", f"say {FORMAT}: {VERSION}", None, Code.WRONG_FORM, got="")
    try:
        return plan_from_table(table, beside)
    except RecursionError:
        raise unread from None


def plan_from_table(table: Mapping[str, Any], beside: Callable[[str], bytes]) -> Plan:
    """The plan that a table of JSON holds."""
    _known("the plan", table, PARTS)
    version = _part(table, FORMAT)
    if type(version) is not int or not 1 <= version <= VERSION:
        raise Refused(FORMAT, f"be {VERSION}", version, Code.UNSUPPORTED)
    for where, text in _texts({name: part for name, part in table.items() if name != "case"}, ""):
        if text.strip().startswith(MARK):
            raise Refused(where, f"be filled in, not {MARK}", shown(text), Code.EMPTY)
    case = _case(_part(table, "case"))
    budget = _number("budget", _part(table, "budget"))
    _check_decision(case, budget)
    levels = _names("levels", _part(table, "levels"))
    areas = _areas(_part(table, "areas"), table.get("prefixes"), levels, beside)
    data = _checks.choice("data", table.get("data", DATA[0]), DATA)
    columns = {name: _text(name, table.get(name, "")) for name in ("record", "unit")}
    if columns["unit"] and case["unit"] == "person":
        rule = "be left out where the case's unit is a person: record names the person"
        raise Refused("unit", rule, shown(columns["unit"]), Code.INCONSISTENT)
    listed = _part(table, "tables")
    if not isinstance(listed, list) or not listed:
        raise Refused("tables", "be a list of at least one table", shown(json.dumps(listed)), Code.EMPTY)
    tables = tuple(_table(f"tables[{number}]", part, levels) for number, part in enumerate(listed))
    names = [planned.name for planned in tables]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise Refused("tables", "have different names", shown(twice), Code.REPEATED)
    area = _text("area", _part(table, "area"))
    if not area:
        raise Refused("area", "name the data's column of the area", area, Code.EMPTY)
    plan = Plan(table, case, budget, areas, data, area, **columns, tables=tables)
    _check_columns(plan)
    _check_size(plan)
    refuse_formulas("areas", areas.texts)
    for planned in tables:
        refuse_formulas(planned.name, planned.labels)
    _ = plan.releases  # what cannot be priced is refused here
    return plan


def _known(where: str, table: Any, parts: Sequence[str]) -> None:
    """Refuse what is no table, or has a part of another name."""
    if not isinstance(table, Mapping):
        raise Refused(where, f"be a table with the parts {', '.join(parts)}", shown(str(table)), Code.WRONG_TYPE)
    unknown = next((name for name in table if name not in parts), None)
    if unknown is not None:
        near = difflib.get_close_matches(unknown, parts, 1, 0.6)
        meant = f"did you mean {near[0]!r}?" if near else f"its parts are {', '.join(parts)}"
        raise Refused(where, "have no other parts", unknown, Code.UNKNOWN_CHOICE, got=f"{shown(unknown)!r}: {meant}")


def _part(table: Mapping[str, Any], name: str) -> Any:
    if name not in table:
        raise Refused("the plan", f"say {name!r}", None, Code.EMPTY, got="")
    return table[name]


def _texts(part: Any, where: str) -> Iterator[tuple[str, str]]:
    """Every text of a part, and where it stands."""
    if isinstance(part, str):
        yield where, part
    elif isinstance(part, Mapping):
        for name, inside in part.items():
            yield where or str(name), str(name)
            yield from _texts(inside, f"{where}.{name}" if where else str(name))
    elif isinstance(part, list):
        for number, inside in enumerate(part):
            yield from _texts(inside, f"{where}[{number}]")


def _text(where: str, value: Any) -> str:
    if not isinstance(value, str):
        raise Refused(where, "be text", shown(str(value)), Code.WRONG_TYPE)
    return value.strip()


def _number(where: str, value: Any) -> float:
    return _checks.number(where, value, 0.0, LARGEST_BUDGET, open_low=True)


def _names(where: str, value: Any) -> tuple[str, ...]:
    """A list of different texts; whole numbers count as their text."""
    if not isinstance(value, list) or not value:
        raise Refused(where, "be a list of at least one text", shown(str(value)), Code.EMPTY)
    found = tuple(str(each).strip() if type(each) in (int, str) else "" for each in value)
    if "" in found:
        place = found.index("")
        raise Refused(f"{where}[{place}]", "be text", shown(str(value[place])), Code.WRONG_TYPE)
    if len(set(found)) < len(found):
        twice = next(each for each in found if found.count(each) > 1)
        raise Refused(where, "hold different texts", shown(twice), Code.REPEATED)
    return found


def _case(table: Any) -> Case:
    if not isinstance(table, Mapping) or type(table.get(CASE_FORMAT)) is not int:
        raise Refused(
            "case", f"be a case as Riskline saves it, with {CASE_FORMAT}: {CASE_VERSION}", None, Code.EMPTY, got=""
        )
    if table[CASE_FORMAT] > CASE_VERSION:
        raise Refused(f"case.{CASE_FORMAT}", f"be {CASE_VERSION} or earlier", table[CASE_FORMAT], Code.UNSUPPORTED)
    try:
        case = case_from_table({name: part for name, part in table.items() if name != CASE_FORMAT})
    except ValueError as error:
        raise Refused("case", "be a case", None, Code.WRONG_FORM, text=f"case.{error}") from None
    if case.kept:
        unknown = next(iter(case.kept))
        said = not_used(Case({unknown: None})).partition(" is no choice")[0].removeprefix("The file's ")
        raise Refused("case", "have no other parts", unknown, Code.UNKNOWN_CHOICE, got=said)
    if case.is_example:
        raise Refused("case", "say whose promise the release keeps: unit, relation, noise", None, Code.EMPTY, got="")
    wrong = contradiction(case.of(PromiseChoice))
    if wrong is not None:
        raise Refused("case.relation", "fit its secret", case["relation"], Code.INCONSISTENT, text=f"case: {wrong}")
    _noise(case)
    return case


def _noise(case: Case) -> type[NoiseMechanism]:
    whole = [kind for kind in noise_kinds() if kind.is_whole and kind.measurement]
    paid = next(kind for kind in whole if kind.budget_kind == case.currency)
    if "noise" not in case:
        return paid
    named = noise_kind(case["noise"])
    if named not in whole:
        rule = f"be one of {', '.join(kind.name for kind in whole)} for counts"
        raise Refused("case.noise", rule, case["noise"], Code.UNSUPPORTED)
    if named is not paid:
        raise Refused(
            "case.noise", f"be paid in {case.currency} as the case's guarantee is", case["noise"], Code.INCONSISTENT
        )
    return named


def _check_decision(case: Case, budget: float) -> None:
    """Refuse a budget above the one that was decided for the case, or a decision for another case."""
    decision = case.decision
    if decision is None:
        return
    if decision.digest != case.digest:
        rule = "be a decision for this case: promise, schema, release or line have changed since"
        raise Refused("case.chosen", rule, None, Code.INCONSISTENT, got="")
    if decision.currency != _noise(case).budget_kind:
        raise Refused(
            "case.chosen.currency", f"be that of the noise ({case['noise']})", decision.currency, Code.INCONSISTENT
        )
    together = budget_together(case.without("published"))
    if together is not None and budget > together.value:
        rule = f"be at most what was decided: {decision.symbol} = {together.value:g} for everybody who belongs together"
        raise Refused("budget", rule, budget, Code.OUT_OF_RANGE)


def _areas(part: Any, prefixes: Any, levels: Sequence[str], beside: Callable[[str], bytes]) -> AreaList:
    if isinstance(part, str):
        if not part or part != part.replace("\\", "/").rpartition("/")[2] or part in (".", ".."):
            raise Refused("areas", "be the name of a file beside the plan", shown(part), Code.WRONG_FORM)
        rows = read_areas(beside(part))
    elif isinstance(part, list):
        rows = []
        for number, row in enumerate(part):
            if not isinstance(row, list) or not 1 <= len(row) <= len(HEADS) or not all(type(one) is str for one in row):
                rule = f"be a list of texts: {', '.join(HEADS)}, the last three as far as needed"
                raise Refused(f"areas[{number}]", rule, shown(str(row)), Code.WRONG_FORM)
            rows.append(dict(zip(HEADS, row, strict=False)))
    else:
        raise Refused(
            "areas", "be a list of rows or the name of a file beside the plan", shown(str(part)), Code.WRONG_TYPE
        )
    if len(rows) > MOST_AREAS:
        raise Refused("areas", f"be at most {MOST_AREAS:,}", len(rows), Code.TOO_LARGE)
    if prefixes is not None:
        if not isinstance(prefixes, list) or not all(type(length) is int for length in prefixes):
            raise Refused("prefixes", "be a list of whole numbers", shown(str(prefixes)), Code.WRONG_TYPE)
        if any(row.get("parent") for row in rows):
            raise Refused("prefixes", "stand alone: areas have parents", prefixes, Code.INCONSISTENT)
        rows = parents_of_prefixes(rows, prefixes, levels)
    return areas_of_rows(rows, levels)


def _table(where: str, part: Any, levels: Sequence[str]) -> PlannedTable:
    _known(where, part, TABLE_PARTS)
    name = _text(f"{where}.name", part.get("name", ""))
    if not name:
        raise Refused(f"{where}.name", "be the table's name", name, Code.EMPTY)
    where = f"{where} ({shown(name)})"
    chosen = part.get("levels")
    if not isinstance(chosen, Mapping) or not chosen:
        rule = "hold the budget of one release for each level, as {'county': 0.1}"
        raise Refused(f"{where}: levels", rule, shown(str(chosen)), Code.WRONG_TYPE)
    for level in chosen:
        _checks.choice(f"{where}: levels", level, levels)
    budgets = {level: _number(f"{where}: levels.{level}", chosen[level]) for level in levels if level in chosen}
    given = part.get("categories", {})
    if not isinstance(given, Mapping):
        raise Refused(
            f"{where}: categories", "hold the allowed values of each column", shown(str(given)), Code.WRONG_TYPE
        )
    categories = {column.strip(): _names(f"{where}: categories.{column}", values) for column, values in given.items()}
    if len(categories) < len(given):
        raise Refused(f"{where}: categories", "name each column once", shown(", ".join(given)), Code.REPEATED)
    counts = _checks.choice(f"{where}: counts", part.get("counts", COUNTS[0]), COUNTS)
    found = PlannedTable(
        name=name,
        levels=budgets,
        categories=categories,
        places=_checks.count(f"{where}: places", part.get("places", 1), 1),
        records=_checks.count(f"{where}: records", part.get("records", 1), 1),
        counts=counts,
        exact=part.get("exact") or "",
        **_times(where, part),
    )
    if found.exact:
        _check_exact(where, found, levels)
    check_places(f"{where}: places", found.places, found.cells_of_record)
    if counts == "units" and found.records > 1:
        raise Refused(
            f"{where}: records", "be 1 where units are counted, each once in a cell", found.records, Code.INCONSISTENT
        )
    return found


def check_places(where: str, places: int, cells: int) -> None:
    """Refuse a record in more cells than its area has: a release counts each in one area, a publication may not."""
    if places > cells:
        rule = f"be at most the cells of an area ({cells}), since a record lies in one area"
        raise Refused(where, rule, places, Code.OUT_OF_RANGE)


def _times(where: str, part: Mapping[str, Any]) -> dict[str, Any]:
    times = part.get("times")
    if times is None:
        return {}
    _known(f"{where}: times", times, TIME_PARTS)
    column = _text(f"{where}: times.column", times.get("column", ""))
    if not column:
        raise Refused(f"{where}: times.column", "name the data's column of the time", column, Code.EMPTY)
    each = times.get("each")
    if each not in EACH:
        rule = (
            "be one_time (a record falls into one of them) or every_time (the same people are in each, and each costs)"
        )
        raise Refused(f"{where}: times.each", rule, shown(str(each)), Code.UNKNOWN_CHOICE)
    return {"time": column, "times": _names(f"{where}: times.values", times.get("values")), "each": each}


def _check_exact(where: str, table: PlannedTable, levels: Sequence[str]) -> None:
    level = _checks.choice(f"{where}: exact", table.exact, levels)
    if levels.index(level) > max(map(levels.index, table.levels)):
        raise Refused(f"{where}: exact", "be a published level or a wider one", level, Code.WRONG_ORDER)
    if table.cells == 1 and level in table.levels:
        rule = "be another level: a table of one cell would be published at this one without noise"
        raise Refused(f"{where}: exact", rule, level, Code.INCONSISTENT)


def _check_columns(plan: Plan) -> None:
    """Refuse columns that mean two things."""
    own = [column for column in (plan.area, plan.record, plan.unit) if column]
    for table in plan.tables:
        reserved = (*own, *BEFORE, *AFTER, *(OF_RECORDS if plan.data == DATA[1] else ()))
        for column in table.categories:
            if not column or column in reserved or column == table.time:
                rule = "be columns of their own"
                raise Refused(f"{table.name}: categories", rule, shown(column), Code.REPEATED)
        if table.time in own:
            raise Refused(f"{table.name}: times.column", "be a column of its own", shown(table.time), Code.REPEATED)
        if table.counts == "units" and plan.case["unit"] == "person":
            raise Refused(
                f"{table.name}: counts", "be records where the case's unit is a person", "units", Code.INCONSISTENT
            )
        if table.counts == "units" and plan.data == DATA[0] and not plan.unit:
            raise Refused("unit", f"name the column of the unit that {shown(table.name)!r} counts", "", Code.EMPTY)
    if len(set(own)) < len(own):
        raise Refused("record", "be another column than area and unit", shown(plan.record), Code.REPEATED)


def _check_size(plan: Plan) -> None:
    """Refuse what asks for more numbers than are drawn at once, and levels without areas."""
    numbers = 0
    for table, level in itertools.chain.from_iterable(((t, level) for level in t.levels) for t in plan.tables):
        areas = len(plan.areas.at(level))
        if not areas:
            raise Refused(f"{table.name}: levels", "have areas", level, Code.EMPTY)
        numbers += areas * table.cells * len(table.times)
    if numbers > MOST_NUMBERS:
        raise Refused("tables", f"have at most {MOST_NUMBERS:,} numbers together", numbers, Code.TOO_LARGE)
