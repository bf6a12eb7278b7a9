"""The tables of a publication as a reader types them, their place in the link, and the publication they mean.

Cells keep the text that was typed, so that nothing is lost when it cannot be used yet; `publication_of` says which cell
breaks which rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import astuple, dataclass, fields, replace
from functools import partial

from dpcore.accuracy import Noise
from dpcore.errors import Refused
from dpcore.publication import ClippedMean, ClippedTotal, CountTable, Publication, Row, Wish
from dpcore.schema import Moves
from riskline.case.fields import number_text, shown
from riskline.case.labels import heads_of
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
    wish : the range asked for, plus or minus
    times : releases in the period of the budget
    areas, cells : for how many areas, and cells in each
    places : in how many cells one person is
    typical : a typical number of the table
    low, high, people : of an amount: its bounds, and the public number of people of a mean
    weight : importance, for the least weighted error
    share : share of the budget kept by hand
    calendar : "one" where each record falls into one of the times; else the same people are in all of them
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

    @property
    def is_blank(self) -> bool:
        """Whether nothing is typed in it; its kind alone publishes nothing."""
        return not any(astuple(replace(self, kind="")))


COLUMNS = tuple(field.name for field in fields(TableRow))
HEADS = heads_of("table_head")


def row_of(cells: tuple[str, ...]) -> TableRow | None:
    """The row that cells under the heads mean; None where nothing is typed.

    >>> row_of(("Births", "", "5", *[""] * 11)) == TableRow("Births", wish="5"), row_of(("",) * 14)
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


def asked_otherwise(rows: Sheet, wishes: Mapping[int, float]) -> Sheet:
    """The rows, of which some, counted from 0, ask for other ranges.

    >>> asked_otherwise((TableRow("A", wish="5"), TableRow("B", wish="1/2")), {0: 18.0})[0].wish
    '18'
    """
    asked = {place: number_text(wish) for place, wish in wishes.items()}
    return tuple(replace(row, wish=asked.get(place, row.wish)) for place, row in enumerate(rows))


def publication_of(
    rows: Sheet, *, noise: Noise, relation: str, group: int, level: float, moves: str = ""
) -> Publication:
    """The publication that the rows mean; `moves` is empty where nobody has decided how far a record can move.

    Raises ValueError with a sentence that names the row, the cell, the rule and what was typed.
    """
    if not rows:
        raise ValueError("The list must hold at least one table; got none")
    if len(rows) > MOST_ROWS:
        raise ValueError(f"The list must hold at most {MOST_ROWS} rows; got {len(rows):,}")
    tables = []
    for place, row in enumerate(rows, 1):
        try:
            tables.append(_table(place, row, noise, level))
        except Refused as refusal:
            called = CALLED.get(refusal.name, refusal.name)
            got = f"{refusal.value:g}" if isinstance(refusal.value, float) else None
            raise Refused(called, refusal.rule, refusal.value, refusal.code, at=_where(place, row), got=got) from None
    return Publication(tuple(tables), relation=relation, group=group, moves=Moves(moves or None))  # type: ignore[arg-type]


def shares_by_hand(rows: Sheet) -> tuple[float | None, ...]:
    """The share of the budget that is kept by hand for each row; None where the rule shares."""
    return tuple(
        cell_number(_cell(place, row, "share"), row.share, SMALLEST, 1) if row.share.strip() else None
        for place, row in enumerate(rows, 1)
    )


def need_ranges(rows: Sheet, *, why: str = "") -> None:
    """Refuse a row that the rule shares by its range and that asks for none; `why` is said of the rule."""
    for place in unfinished(rows):
        cell = _cell(place, rows[place - 1], "wish")
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


def _table(place: int, row: TableRow, noise: Noise, level: float) -> Row:
    def asked(column: str, low: float, high: float, *, above: bool = False) -> float:
        return cell_number(_cell(place, row, column), getattr(row, column), low, high, open_low=above)

    whole = partial(_whole, place, row)

    if row.kind not in KINDS:
        raise ValueError(
            f"{_where(place, row)}: what is published? It must be counts, a total or a mean; got {shown(row.kind)!r}"
        )
    together = times_together(place, row)
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
