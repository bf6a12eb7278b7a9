"""The tables of a publication as a reader types them, their place in the link, and the publication they mean.

Cells keep the text that was typed, so that nothing is lost when it cannot be used yet; `publication_of` says which cell
breaks which rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass, fields, replace
from functools import partial

from dpcore.accuracy import Noise
from dpcore.errors import Refused
from dpcore.publication import ClippedMean, ClippedTotal, CountTable, Publication, Row, Wish
from dpcore.schema import Moves
from riskline.case.fields import number_text, shown
from riskline.case.labels import heads_of
from riskline.case.levels import BETWEEN, Levels, parts_of
from riskline.case.sheet import cell_number, decode_sheet, encode_sheet

MOST_ROWS = 200
LARGEST = 1e9
SMALLEST = 1e-6  # of a range or an importance; smaller ones are typing errors
MOST_PLACES = 10_000
MOST_TIMES = 100_000
KINDS = {"counts": "counts", "total": "total", "mean": "mean"}
ONE, ALL = "one", "all"
"""Whether each record falls into one of the times of a row, or the same people are in all of them."""
CALENDARS = {"": ALL, ONE: ONE, "one time": ONE, "one_time": ONE, ALL: ALL, "every time": ALL, "every_time": ALL}
SPELLINGS = {
    "counts": ("", "count", "counts", "table", "table of counts", "people", "frequencies"),
    "total": ("total", "totals", "sum", "sums", "amount"),
    "mean": ("mean", "means", "average", "averages"),
}
_READ = {word: kind for kind, words in SPELLINGS.items() for word in words}


def kind_read(text: str) -> str:
    """What a row publishes, or the text as it was typed where it names nothing known; counts where nothing is typed.

    >>> kind_read(" Averages"), kind_read(""), kind_read("quantile")
    ('mean', 'counts', 'quantile')
    """
    return _READ.get(" ".join(text.casefold().split()), text)


@dataclass(frozen=True)
class TableRow:
    """One row as typed. An empty cell stands for its usual value, or for no wish, no share by hand.

    name, kind : what it is called; "counts", "total" or "mean"
    wish : the range asked for, plus or minus; like `typical`, `weight` and `share` one for all levels or one for each
    times : releases in the period of the budget
    areas, cells : for how many areas, or for which levels of the case, between semicolons; and cells in each
    places : in how many cells one person is
    typical : a typical number of the table
    low, high, people : of an amount: its bounds, and the public number of people of a mean
    weight : importance, for the least weighted error
    share : share of the budget kept by hand
    calendar : "one" where each record falls into one of the times; else the same people are in all of them
    exact : the level whose totals over all cells are published without noise, by its name or its areas; empty for none
    """

    name: str = ""
    kind: str = "counts"
    wish: str = ""
    times: str = ""
    areas: str = ""
    cells: str = ""
    places: str = ""
    typical: str = ""
    low: str = ""
    high: str = ""
    people: str = ""
    weight: str = ""
    share: str = ""
    calendar: str = ""
    exact: str = ""

    @property
    def is_blank(self) -> bool:
        """Whether nothing is typed in it; its kind alone publishes nothing."""
        return not any(astuple(replace(self, kind="")))


COLUMNS = tuple(field.name for field in fields(TableRow))
HEADS = heads_of("table_head")


def row_of(cells: tuple[str, ...]) -> TableRow | None:
    """The row that cells under the heads mean; None where nothing is typed.

    >>> row_of(("Births", "", "5", *[""] * 12)) == TableRow("Births", wish="5"), row_of(("",) * 15)
    (True, None)
    """
    name, kind, *more = cells
    return TableRow(name, kind_read(kind), *more) if any(cells) else None


CALLED = {"cells_per_person": HEADS["places"], "low": HEADS["low"], "high": HEADS["high"], "noise": "the noise"}
"""What a reader calls the parts of a row that only the whole row can refuse."""

Sheet = tuple[TableRow, ...]
HEALTH_YEAR: Sheet = (
    TableRow("Births, each month", wish="20", times="12", areas="40", typical="90", calendar=ONE),
    TableRow("Infant deaths by district", wish="8", areas="40", typical="5"),
    TableRow("Infections, each week", wish="60", times="52", areas="40", typical="30"),
    TableRow("Causes of death by age", wish="12", areas="40", cells="120", typical="9"),
    TableRow("Vaccinations by kind", wish="25", areas="40", cells="12", places="4", typical="310"),
    TableRow("Days in hospital", "total", wish="400", areas="40", low="0", high="30", typical="21000"),
    TableRow("Births, whole country", wish="10", typical="43000"),
)


def encode_tables(rows: Sheet) -> str:
    """The rows as text of a link.

    >>> encode_tables((TableRow("Births", wish="5", times="12"),))
    'Births~counts~5~12'
    """
    return encode_sheet(astuple(row) for row in rows)


def decode_tables(text: str) -> Sheet:
    """The rows a link spells; `ValueError` says what is wrong with the text.

    >>> decode_tables("Births~counts~5~12")[0].times
    '12'
    """
    found = decode_sheet(text, cells=len(COLUMNS), most_rows=MOST_ROWS, what="a list of tables")
    return tuple(TableRow(name, kind_read(kind), *more) for name, kind, *more in found)


PER_LEVEL = ("wish", "typical", "weight", "share")
"""The cells that may hold a number for each level of a row."""


@dataclass(frozen=True)
class AtLevel:
    """A row at one of its levels, as it is published.

    place : of the row as typed, counted from 1
    row : the same with the number of areas and the other numbers of this level alone
    table : what the row is called, on whatever level
    level : the name of the level; empty where areas are a number
    together : among how many times each record falls into one: they are cells of one release, paid for once
    exact : name and areas of the level whose totals are published without noise; empty for none
    """

    place: int
    row: TableRow
    table: str
    level: str
    together: int
    exact: tuple[str, str] = ("", "")


def at_levels(rows: Sheet, levels: Levels = ()) -> tuple[AtLevel, ...]:
    """Each row at each of its levels: what is published, in its order.

    Raises ValueError with a sentence that names the row, the cell, the rule and what was typed.

    >>> from dpcore.schema import Level
    >>> tree, row = (Level("state", 5), Level("county", 437)), TableRow("A", wish="30; 10", areas="state; county")
    >>> [(one.row.name, one.row.areas, one.row.wish) for one in at_levels((row,), tree)]
    [('A, state', '5', '30'), ('A, county', '437', '10')]
    """
    found = []
    for place, row in enumerate(rows, 1):
        chosen, together = _levels(place, row, "areas", levels), times_together(place, row)
        exact = _exact(place, row, chosen, levels) if row.exact.strip() else ("", "")
        cells = {column: _for_each(place, row, column, len(chosen)) for column in PER_LEVEL}
        for at, (level, areas) in enumerate(chosen):
            name = ", ".join(part for part in (row.name, level or areas) if part) if len(chosen) > 1 else row.name
            own = replace(row, name=name, areas=areas, **{column: texts[at] for column, texts in cells.items()})
            found.append(AtLevel(place, own, row.name, level, together, exact))
    return tuple(found)


def _levels(place: int, row: TableRow, column: str, levels: Levels) -> list[tuple[str, str]]:
    """Name and areas of each level in a cell; one without a name where the cell has a number."""
    cell, named = getattr(row, column), {level.name.casefold(): level for level in levels}
    parts = parts_of(cell if BETWEEN in cell or not cell[:1].isalpha() else cell.replace(",", BETWEEN))
    found = []
    for part in parts:
        level = named.get(part.casefold())
        if level is None and part[:1].isalpha():
            known = f", or levels among {', '.join(level.name for level in levels)}" if levels else ""
            raise ValueError(f"{_cell(place, row, column)} must be a number{known}; got {shown(part)!r}")
        if level is None and not part and len(parts) > 1:
            raise ValueError(
                f"{_cell(place, row, column)} must have a level beside each semicolon; got {shown(cell)!r}"
            )
        found.append((level.name, number_text(level.areas)) if level else ("", part))
    if len(set(found)) < len(found):
        raise ValueError(f"{_cell(place, row, column)} must be different levels; got {shown(cell)!r}")
    return found


def _exact(place: int, row: TableRow, chosen: Sequence[tuple[str, str]], levels: Levels) -> tuple[str, str]:
    """The level of a row's exact totals: a published one or a wider one, whose totals are no cells of the table."""
    cell, (found, *more) = _cell(place, row, "exact"), _levels(place, row, "exact", levels)
    if more or row.kind != "counts":
        rule = "be one level" if more else "be empty: only counts have exact totals"
        raise ValueError(f"{cell} must {rule}; got {shown(row.exact)!r}")
    names = [level.name for level in levels]

    def depth(level: tuple[str, str]) -> tuple[int, float]:
        name, areas = level
        number = cell_number(cell, areas, 1, LARGEST, whole=True) if areas.strip() else 1.0
        return (names.index(name) if by_name else 0), number

    by_name = all(name for name, _ in (found, *chosen))
    if depth(found) > max(map(depth, chosen)):
        raise ValueError(f"{cell} must be a level of the table or a wider one; got {shown(row.exact)!r}")
    if _whole(place, row, "cells", LARGEST) == 1 and depth(found) in map(depth, chosen):
        rule = "be a wider level: a table of one cell would be published without noise"
        raise ValueError(f"{cell} must {rule}; got {shown(row.exact)!r}")
    return found


def _for_each(place: int, row: TableRow, column: str, number: int) -> list[str]:
    """A cell's text for each level of its row."""
    cell = getattr(row, column)
    parts = parts_of(cell) if BETWEEN in cell else [cell] * number
    if len(parts) != number:
        each = f", or one for each of {number} levels" if number > 1 else ""
        raise ValueError(f"{_cell(place, row, column)} must be one number{each}; got {shown(cell)!r}")
    return parts


def exact_totals(rows: Sheet) -> tuple[str, ...]:
    """The rows with totals that are published without noise, as they are called, each with its level.

    >>> exact_totals((TableRow("Births", areas="40", exact="40"), TableRow("Deaths", areas="40", exact=" ")))
    ('Births (40)',)
    """
    return tuple(f"{row.name} ({row.exact.strip()})".strip() for row in rows if row.exact.strip())


def renamed(rows: Sheet, names: Mapping[str, str]) -> Sheet:
    """The rows with other names of levels.

    >>> renamed((TableRow("A", areas="level 1; level 2"), TableRow("B", areas="40")), {"level 2": "county"})[0].areas
    'level 1; county'
    """

    def other(cell: str) -> str:
        return f"{BETWEEN} ".join(names.get(part, part) for part in parts_of(cell)) if cell else cell

    return tuple(replace(row, areas=other(row.areas), exact=other(row.exact)) for row in rows)


def asked_otherwise(rows: Sheet, wishes: Mapping[int, float], levels: Levels = ()) -> Sheet:
    """The rows, of which some, counted from 0 as they are published, ask for other ranges.

    >>> asked_otherwise((TableRow("A", wish="5"), TableRow("B", wish="1/2")), {0: 18.0})[0].wish
    '18'
    >>> asked_otherwise((TableRow("A", wish="5", areas="1; 40"),), {1: 18.0})[0].wish
    '5; 18'
    """
    asked: dict[int, list[str]] = {}
    for place, one in enumerate(at_levels(rows, levels)):
        wish = number_text(wishes[place]) if place in wishes else one.row.wish
        asked.setdefault(one.place, []).append(wish)
    joined = (parts[0] if len(set(parts)) == 1 else f"{BETWEEN} ".join(parts) for parts in asked.values())
    return tuple(replace(row, wish=wish) for row, wish in zip(rows, joined, strict=True))


def publication_of(
    rows: Sheet, *, noise: Noise, relation: str, group: int, level: float, moves: str = "", levels: Levels = ()
) -> Publication:
    """The publication that the rows mean; `moves` is empty where nobody has decided how far a record can move.

    `levels` are those that rows may name. Raises ValueError with a sentence that names the row, the cell, the rule and
    what was typed.
    """
    if not rows:
        raise ValueError("The list must hold at least one table; got none")
    if len(rows) > MOST_ROWS:
        raise ValueError(f"The list must hold at most {MOST_ROWS} rows; got {len(rows):,}")
    tables = []
    for one in at_levels(rows, levels):
        try:
            tables.append(_table(one, noise, level))
        except Refused as refusal:
            called = CALLED.get(refusal.name, refusal.name)
            got = f"{refusal.value:g}" if isinstance(refusal.value, float) else None
            at = _where(one.place, one.row)
            raise Refused(called, refusal.rule, refusal.value, refusal.code, at=at, got=got) from None
    return Publication(tuple(tables), relation=relation, group=group, moves=Moves(moves or None))  # type: ignore[arg-type]


def shares_by_hand(published: Sequence[AtLevel]) -> tuple[float | None, ...]:
    """The share of the budget that is kept by hand for each row at each level; None where the rule shares."""
    return tuple(
        cell_number(_cell(one.place, one.row, "share"), one.row.share, SMALLEST, 1) if one.row.share.strip() else None
        for one in published
    )


def need_ranges(published: Sequence[AtLevel], *, why: str = "") -> None:
    """Refuse a row that the rule shares by its range and that asks for none; `why` is said of the rule."""
    for at in unfinished(tuple(one.row for one in published)):
        cell = _cell(published[at - 1].place, published[at - 1].row, "wish")
        raise ValueError(f"{cell} must be a number, or a share be kept by hand{why}; the cell is empty")


def unfinished(rows: Sheet) -> tuple[int, ...]:
    """The rows, counted from 1, that somebody is still filling in: with neither a range asked for nor a share by hand.

    >>> unfinished((TableRow("A", wish="5"), TableRow("B"), TableRow("C", share="10 %")))
    (2,)
    """
    return tuple(place for place, row in enumerate(rows, 1) if not row.wish.strip() and not row.share.strip())


def times_together(place: int, row: TableRow) -> int:
    """Among how many times each record of a row falls into one: they are cells of one release, which is paid for once.

    >>> times_together(1, TableRow("Births", times="12", calendar="one")), times_together(1, TableRow(times="12"))
    (12, 1)
    """
    said = CALENDARS.get(" ".join(row.calendar.casefold().split()))
    cell = _cell(place, row, "calendar")
    if said is None:
        raise ValueError(f"{cell} must be {ONE} or {ALL} of the times; got {shown(row.calendar)!r}")
    if said == ALL or _whole(place, row, "times", MOST_TIMES) == 1:
        return 1
    if row.kind == "mean":
        raise ValueError(f"{cell} must be {ALL} for a mean: how many people fall into one time is not public")
    most = _whole(place, row, "cells", LARGEST)
    if _whole(place, row, "places", MOST_PLACES) > most:
        rule = f"be at most the {most:,} of one area where each record falls into one time"
        raise ValueError(f"{_cell(place, row, 'places')} must {rule}; got {shown(row.places)!r}")
    return _whole(place, row, "times", MOST_TIMES)


def in_calendar(rows: Sheet) -> dict[int, str]:
    """Of the rows with several times, counted from 0, whether each record falls into "one" or is in "all" of them.

    >>> in_calendar(
    ...     (TableRow("A", times="12"), TableRow("B", times="?"), TableRow("C", times="4", calendar="one time"))
    ... )
    {0: 'all', 2: 'one'}
    """
    found = {}
    for place, row in enumerate(rows):
        with suppress(ValueError):
            if _whole(place, row, "times", MOST_TIMES) > 1:
                found[place] = CALENDARS.get(" ".join(row.calendar.casefold().split()), ALL)
    return found


def counted(rows: Sheet) -> dict[int, str]:
    """What the rows of counts are called, by their number, from 1.

    >>> counted((TableRow("A"), TableRow("B", "total"), TableRow()))
    {1: '1. A', 3: '3.'}
    """
    return {place: f"{place}. {row.name}".rstrip() for place, row in enumerate(rows, 1) if row.kind == "counts"}


def _where(place: int, row: TableRow) -> str:
    return f"Row {place}" + (f" ({row.name})" if row.name else "")


def _cell(place: int, row: TableRow, column: str) -> str:
    return f"{_where(place, row)}: {HEADS[column]}"


def _whole(place: int, row: TableRow, column: str, high: float) -> int:
    text = getattr(row, column)
    return int(cell_number(_cell(place, row, column), text, 1, high, whole=True)) if text.strip() else 1


def _table(one: AtLevel, noise: Noise, level: float) -> Row:
    place, row, together = one.place, one.row, one.together

    def asked(column: str, low: float, high: float, *, above: bool = False) -> float:
        return cell_number(_cell(place, row, column), getattr(row, column), low, high, open_low=above)

    whole = partial(_whole, place, row)

    if row.kind not in KINDS:
        raise ValueError(
            f"{_where(place, row)}: what is published? It must be counts, a total or a mean; got {shown(row.kind)!r}"
        )
    common = {
        "name": row.name,
        "noise": noise,
        "areas": whole("areas", LARGEST),
        "times": whole("times", MOST_TIMES) // together,
        "wish": Wish(asked("wish", SMALLEST, LARGEST), level=level) if row.wish.strip() else None,
        "weight": asked("weight", SMALLEST, LARGEST) if row.weight.strip() else 1.0,
        "typical_count": asked("typical", 0, LARGEST, above=True) if row.typical.strip() else None,
    }
    cells = whole("cells", LARGEST) * together
    if row.kind == "counts":
        return CountTable(cells=cells, cells_per_person=whole("places", MOST_PLACES), **common)  # type: ignore[arg-type]
    bounds = {"low": asked("low", -LARGEST, LARGEST), "high": asked("high", -LARGEST, LARGEST)}
    if row.kind == "total":
        return ClippedTotal(cells=cells, **bounds, **common)  # type: ignore[arg-type]
    if not row.people.strip():
        raise ValueError(f"{_cell(place, row, 'people')} must be a number; the cell is empty")
    return ClippedMean(people=whole("people", LARGEST), **bounds, **common)  # type: ignore[arg-type]
