"""The data of a release: records or true counts, read by headings in pieces, checked against the plan, and counted.

No refusal says more of them than the name of a column and the number of a row (the first row below the headings is 1):
no value, no true count, and not how many records were left out.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.errors import Code, Refused
from riskline.case.fields import shown
from riskline.release.folder import IntArray
from riskline.release.plan import COUNT, DATA, TABLE, Plan, PlannedTable

PARQUET = b"PAR1"
DELIMITERS = ",;\t"
PIECE = 1 << 24  # bytes of a CSV file that are read at once
MOST_DIGITS = 15  # of a true count
LARGEST_TOTAL = 2**53  # the largest up to which a float holds every whole number
NEEDS = "be installed to read data: pip install 'riskline[release]'"
LARGEST_PAIR = 2**62
CHECKS = ("records of a unit", "cells of a record")


@dataclass(frozen=True, eq=False, repr=False)
class TrueCounts:
    """True counts of every table: confidential; nothing prints it.

    counts : by table and level, shape (times, areas of the level, cells)
    totals : by table, over all cells, at its exact level, shape (times, areas of the level)
    checked : which limits of the plan the data could be held to
    """

    counts: Mapping[tuple[str, str], IntArray]
    totals: Mapping[str, IntArray]
    checked: Mapping[str, bool]


@dataclass
class _Codes:
    """What rows say, as numbers: by column of a table, and whose they are."""

    area: list[IntArray] = field(default_factory=list)
    columns: dict[tuple[str, tuple[str, ...]], list[IntArray]] = field(default_factory=dict)
    owners: dict[str, list[Any]] = field(default_factory=dict)


def true_counts(path: Path, plan: Plan, *, clip: bool = False) -> TrueCounts:
    """The true counts that a file of records, or of true counts by labels, holds.

    clip : leave out what of a unit goes beyond the plan's limits, the first rows kept, instead of refusing it

    Raises Refused with the column and the row's number: an unknown area or category, an empty cell, a unit or a record
    beyond its limits; and where the file cannot be read.
    """
    try:
        import pyarrow
    except ImportError:
        raise Refused("pyarrow", NEEDS, None, Code.NOT_INSTALLED, got="") from None
    try:
        return _of_records(path, plan, clip) if plan.data == DATA[0] else _of_tables(path, plan)
    except Refused:
        raise
    except OSError:
        raise Refused("the data", "be a file that can be read", None, Code.EMPTY, got="") from None
    except (pyarrow.ArrowException, UnicodeDecodeError, csv.Error):  # their messages quote cells
        raise Refused("the data", "be a CSV file in UTF-8 or a Parquet file", None, Code.WRONG_FORM, got="") from None


def refused_row(row: int, column: str, rule: str, code: Code) -> Refused:
    """A refusal of a row that says where, and nothing of what it holds."""
    return Refused(column, rule, None, code, at=f"row {row} of the data", got="")


# ---- records ---------------------------------------------------------------------------------------------------------


def _of_records(path: Path, plan: Plan, clip: bool) -> TrueCounts:
    import pyarrow.compute as arrow

    found = _Codes()
    owners = [column for column in (plan.unit, plan.record) if column]
    asked = dict.fromkeys((column, _values(table, column)) for table in plan.tables for column in table.columns)
    names = [plan.area, *owners, *(column for column, _ in asked)]
    undivided = plan.areas.tree.undivided
    for first, piece in _pieces(path, names):
        area = _codes(piece[plan.area], plan.areas.codes, first, plan.area, "be the code of an area of the plan")
        if not undivided[area].all():
            row = first + int(np.argmin(undivided[area]))
            raise refused_row(row, plan.area, "be an area without parts", Code.OUT_OF_RANGE)
        found.area.append(area)
        for column, values in asked:
            rule = "be one of the plan's values"
            codes = _codes(piece[column], values, first, column, rule)
            found.columns.setdefault((column, values), []).append(codes)
        for column in owners:
            _refuse_empty(piece[column], first, column)
            found.owners.setdefault(column, []).append(arrow.utf8_normalize(piece[column], form="NFC"))
    area = np.concatenate([*found.area, np.zeros(0, dtype=np.int64)])
    columns = {key: np.concatenate([*parts, area[:0]]) for key, parts in found.columns.items()}
    ids = {column: _numbered(found.owners.get(column, [])) for column in owners}
    counts: dict[tuple[str, str], IntArray] = {}
    totals: dict[str, IntArray] = {}
    for table in plan.tables:
        cell, time = _cells(table, columns, area.size)
        _refuse_partly_counted(table, plan, area)
        kept = within_limits(table, plan, area, cell, time, ids, clip=clip)
        ones = np.ones(kept.size, dtype=np.int64)
        counts |= {
            (table.name, level): _counted(plan, table, level, area[kept], cell[kept], time[kept], ones)
            for level in table.levels
        }
        if table.exact:
            totals[table.name] = _counted(plan, table, table.exact, area[kept], cell[kept], time[kept], ones).sum(
                axis=2
            )
    checked = dict(zip(CHECKS, (bool(plan.unit) or plan.group == 1, bool(plan.record) or bool(plan.unit)), strict=True))
    return TrueCounts(counts, totals, checked)


def _refuse_partly_counted(table: PlannedTable, plan: Plan, area: IntArray) -> None:
    """Refuse a row that a level of a table would count and its lowest level would not: the levels would not add up."""
    levels = {*table.levels, *([table.exact] if table.exact else [])}
    counted = np.any([plan.areas.inside(level) >= 0 for level in levels], axis=0)
    partly = (counted & ~lowest_published(plan, table))[area]
    if partly.any():
        rule = f"be an area of the lowest level of {shown(table.name)!r}, inside one, or in no area of its levels"
        raise refused_row(int(np.argmax(partly)) + 1, plan.area, rule, Code.OUT_OF_RANGE)


def _values(table: PlannedTable, column: str) -> tuple[str, ...]:
    return table.times if column == table.time else table.categories[column]


def _cells(
    table: PlannedTable, columns: Mapping[tuple[str, tuple[str, ...]], IntArray], rows: int
) -> tuple[IntArray, IntArray]:
    """The cell of each row, and its time."""
    cell, time = np.zeros(rows, dtype=np.int64), np.zeros(rows, dtype=np.int64)
    for column, values in table.categories.items():
        cell = cell * len(values) + columns.get((column, values), cell)
    if table.time:
        time = columns.get((table.time, table.times), time)
    return cell, time


def _counted(
    plan: Plan, table: PlannedTable, level: str, area: IntArray, cell: IntArray, time: IntArray, weights: IntArray
) -> IntArray:
    """Counts at a level, shape (times, areas of the level, cells); rows in no area of the level are in none of them."""
    own = plan.areas.at(level)
    place = np.full(len(plan.areas.codes) + 1, -1, dtype=np.int64)
    place[own] = np.arange(own.size)
    at = place[plan.areas.inside(level)][area]
    inside = at >= 0
    flat = (time[inside] * own.size + at[inside]) * table.cells + cell[inside]
    counts = np.zeros(len(table.times) * own.size * table.cells, dtype=np.int64)
    np.add.at(counts, flat, weights[inside])
    return counts.reshape(len(table.times), own.size, table.cells)


def within_limits(
    table: PlannedTable,
    plan: Plan,
    area: IntArray,
    cell: IntArray,
    time: IntArray,
    ids: Mapping[str, IntArray],
    *,
    clip: bool,
) -> IntArray:
    """The rows that a table counts: those within the plan's limits, and a unit once in a cell where units are counted.

    A unit has at most as many records as the case says; a record lies in one area, in at most so many cells there, so
    many times in each. Where the same people are in every time, all this is so at each time.

    Raises Refused with the number of the first row beyond a limit, unless they are clipped.
    """
    kept = np.arange(area.size)
    if not ids:
        return kept
    by_time = time if table.paid > 1 else np.zeros_like(time)
    of_unit = table.counts == "units"
    spread = cell if table.paid > 1 else time * table.cells + cell
    unit = _joined(ids.get(plan.unit, ids.get(plan.record, kept)), by_time)
    record = unit if of_unit else _joined(unit, ids[plan.record]) if plan.record else kept
    limits: list[tuple[str, str, Any, Any, int]] = []
    if plan.unit and not of_unit:
        rule = f"have at most {plan.group} records of one unit, as the case says"
        limits.append((plan.unit, rule, unit, record, plan.group))
    whose = plan.unit if of_unit else plan.record
    if whose:
        cells = _joined(area, spread)
        limits.append((plan.area, f"be one area for all rows of one {whose}", record, area, 1))
        rule = f"be in at most {table.places} cells of {shown(table.name)!r}"
        limits.append((whose, rule, record, cells, table.places))
        if not of_unit:
            rule = f"be at most {table.records} times in a cell of {shown(table.name)!r}"
            limits.append((whose, rule, _joined(record, cells), np.arange(area.size), table.records))
    for column, rule, group, value, most in limits:
        beyond = rank_in_group(group[kept], value[kept]) >= most
        if beyond.any() and not clip:
            raise refused_row(int(kept[beyond][0]) + 1, column, rule, Code.OUT_OF_RANGE)
        kept = kept[~beyond]
    if of_unit:  # once in each cell
        both = _joined(record, _joined(area, spread))[kept]
        kept = kept[np.sort(np.unique(both, return_index=True)[1])]
    return kept


def _joined(first: IntArray, second: IntArray) -> IntArray:
    """A number for each pair that occurs."""
    if not first.size:
        return first
    several = int(second.max()) + 1
    if int(first.max()) >= LARGEST_PAIR // several:  # their numbers grow with each pair
        first, second = (np.unique(one, return_inverse=True)[1].reshape(-1) for one in (first, second))
        several = int(second.max()) + 1
    return np.asarray(first * several + second, dtype=np.int64)


def rank_in_group(group: IntArray, value: IntArray) -> IntArray:
    """For each row, how many other values its group had before the first row with its own.

    >>> rank_in_group(np.array([0, 0, 1, 0, 0]), np.array([7, 5, 5, 7, 6])).tolist()
    [0, 1, 0, 0, 2]
    """
    if not group.size:
        return group
    _, first, pair = np.unique(_joined(group, value), return_index=True, return_inverse=True)
    order = np.lexsort((first, group[first]))
    owner = group[first][order]
    begins = np.concatenate([[True], owner[1:] != owner[:-1]])
    place = np.arange(owner.size)
    rank = np.empty(owner.size, dtype=np.int64)
    rank[order] = place - np.maximum.accumulate(np.where(begins, place, 0))
    return rank[pair.reshape(-1)]


# ---- true counts -----------------------------------------------------------------------------------------------------


def _of_tables(path: Path, plan: Plan) -> TrueCounts:
    """True counts by labels: table (where there are several), area, time, categories, count; cells left out are 0."""
    several = len(plan.tables) > 1
    names = [plan.area, COUNT, *([TABLE] if several else []), *(c for table in plan.tables for c in table.columns)]
    called = tuple(table.name for table in plan.tables)
    parts: dict[str, list[tuple[IntArray, ...]]] = {name: [] for name in called}
    for first, piece in _pieces(path, names):
        rows = np.arange(first, first + len(piece[COUNT]))
        which = _codes(piece[TABLE], called, first, TABLE, "be a table of the plan") if several else 0 * rows
        for number, table in enumerate(plan.tables):
            own = np.flatnonzero(which == number)
            if own.size:
                parts[table.name].append(
                    _cells_of_table({c: piece[c].take(own) for c in names}, table, plan, rows[own])
                )
    counts: dict[tuple[str, str], IntArray] = {}
    totals: dict[str, IntArray] = {}
    for table in plan.tables:
        nothing = tuple(np.zeros(0, dtype=np.int64) for _ in range(5))
        rows, area, cell, time, weights = (
            np.concatenate(some) for some in zip(nothing, *parts[table.name], strict=True)
        )
        if sum(weights.tolist()) > LARGEST_TOTAL:
            rule = f"add up to at most {LARGEST_TOTAL:,}"
            raise Refused(f"the counts of {shown(table.name)!r}", rule, None, Code.TOO_LARGE, got="")
        again = rank_in_group(_joined(_joined(area, time), cell), rows) > 0
        if again.any():
            rule = f"be there once for each cell of {shown(table.name)!r}"
            raise refused_row(int(rows[again][0]), COUNT, rule, Code.REPEATED)
        counts |= {
            (table.name, level): _counted(plan, table, level, area, cell, time, weights) for level in table.levels
        }
        if table.exact:
            totals[table.name] = _counted(plan, table, table.exact, area, cell, time, weights).sum(axis=2)
    return TrueCounts(counts, totals, dict.fromkeys(CHECKS, False))


def _cells_of_table(
    piece: Mapping[str, Any], table: PlannedTable, plan: Plan, rows: IntArray
) -> tuple[IntArray, IntArray, IntArray, IntArray, IntArray]:
    import pyarrow.compute as arrow

    area = _codes(piece[plan.area], plan.areas.codes, rows, plan.area, "be the code of an area of the plan")
    lowest = lowest_published(plan, table)[area]
    if not lowest.all():
        rule = f"be an area of the lowest level of {shown(table.name)!r}, or inside one"
        raise refused_row(int(rows[np.argmin(lowest)]), plan.area, rule, Code.OUT_OF_RANGE)
    columns = {
        (column, values): _codes(piece[column], values, rows, column, "be one of the plan's values")
        for column in table.columns
        for values in [_values(table, column)]
    }
    cell, time = _cells(table, columns, rows.size)
    whole = arrow.match_substring_regex(piece[COUNT], rf"^[0-9]{{1,{MOST_DIGITS}}}$").to_numpy(zero_copy_only=False)
    if not whole.all():
        rule = f"be a whole number of at least 0, of at most {MOST_DIGITS} digits"
        raise refused_row(int(rows[np.argmin(whole)]), COUNT, rule, Code.NOT_WHOLE)
    weights = piece[COUNT].cast("int64").to_numpy(zero_copy_only=False).astype(np.int64)
    return rows, area, cell, time, weights


def lowest_published(plan: Plan, table: PlannedTable) -> NDArray[np.bool_]:
    """Whether an area is one of a table's lowest published ones, or inside one."""
    own = plan.areas.down_to(list(table.levels))
    lowest = {code for code, undivided in zip(own.codes, own.tree.undivided, strict=True) if undivided}
    found = np.array([code in lowest for code in plan.areas.codes])
    parents = np.asarray(plan.areas.tree.parents)
    for depth in plan.areas.tree.levels[1:]:
        found[depth.areas] |= found[parents[depth.areas]]
    return found


# ---- files -----------------------------------------------------------------------------------------------------------


def _codes(held: Any, values: Sequence[str], rows: int | IntArray, column: str, rule: str) -> IntArray:
    """The place of each text among some values; `rows` is the number of the first row, or of each."""
    import pyarrow
    import pyarrow.compute as arrow

    found = arrow.index_in(held, value_set=pyarrow.array(list(values), pyarrow.string()))
    if found.null_count:
        at = int(np.argmax(np.asarray(found.is_null())))
        raise refused_row(at + rows if isinstance(rows, int) else int(rows[at]), column, rule, Code.UNKNOWN_CHOICE)
    return np.asarray(found.to_numpy(zero_copy_only=False), dtype=np.int64)


def _refuse_empty(held: Any, first: int, column: str) -> None:
    import pyarrow.compute as arrow

    empty = np.asarray(arrow.equal(held, ""))
    if empty.any():
        raise refused_row(first + int(np.argmax(empty)), column, "not be empty", Code.EMPTY)


def _numbered(pieces: Sequence[Any]) -> IntArray:
    """A number for each different text of a column."""
    import pyarrow

    if not pieces:
        return np.zeros(0, dtype=np.int64)
    whole = pyarrow.chunked_array(pieces).dictionary_encode().unify_dictionaries()
    return np.concatenate([chunk.indices.to_numpy(zero_copy_only=False) for chunk in whole.chunks]).astype(np.int64)


def _pieces(path: Path, names: Sequence[str]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Pieces of a file: the number of their first row, and each named column as text without blanks around it."""
    import pyarrow.compute as arrow

    with open(path, "rb") as file:
        parquet = file.read(4) == PARQUET
    first = 1
    for batch, heads in _parquet(path, names) if parquet else _csv(path, names):
        yield first, {name: arrow.utf8_trim_whitespace(batch.column(heads[name])) for name in heads}
        first += batch.num_rows


def _places(heads: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """The heading of each named column as the file spells it."""
    stripped = [head.strip() for head in heads]
    for name in names:
        if stripped.count(name) != 1:
            rule = "be a heading of the data" if name not in stripped else "be a heading of the data once"
            raise Refused(f"column {shown(name)!r}", rule, None, Code.EMPTY, got="")
    return {name: heads[stripped.index(name)] for name in names}


def _csv(path: Path, names: Sequence[str]) -> Iterator[tuple[Any, Mapping[str, str]]]:
    import pyarrow
    from pyarrow import csv as arrow_csv

    with open(path, encoding="utf-8-sig", newline="") as file:
        line = file.readline()
        delimiter = max(DELIMITERS, key=line.count)
        file.seek(0)
        heads = next(csv.reader(file, delimiter=delimiter), [])
    places = _places(heads, names)
    broken: list[int] = []

    def note(row: Any) -> str:
        broken.append(row.number - 1)
        return "skip"

    reader = arrow_csv.open_csv(
        path,
        read_options=arrow_csv.ReadOptions(use_threads=False, block_size=PIECE),
        parse_options=arrow_csv.ParseOptions(delimiter=delimiter, newlines_in_values=True, invalid_row_handler=note),
        convert_options=arrow_csv.ConvertOptions(
            column_types=dict.fromkeys(places.values(), pyarrow.string()),
            include_columns=list(places.values()),
            strings_can_be_null=False,
        ),
    )
    for batch in reader:
        if broken:
            raise refused_row(broken[0], "the row", "have a cell for each heading", Code.WRONG_SHAPE)
        yield batch, places
    if broken:
        raise refused_row(broken[0], "the row", "have a cell for each heading", Code.WRONG_SHAPE)


def _parquet(path: Path, names: Sequence[str]) -> Iterator[tuple[Any, Mapping[str, str]]]:
    import pyarrow
    from pyarrow import parquet
    from pyarrow import types as kinds

    file = parquet.ParquetFile(path)
    schema = file.schema_arrow
    places = _places(schema.names, names)
    for name, head in places.items():
        kind = schema.field(head).type
        kind = kind.value_type if kinds.is_dictionary(kind) else kind
        if not (kinds.is_string(kind) or kinds.is_large_string(kind) or kinds.is_integer(kind)):
            raise Refused(f"column {shown(name)!r}", "hold text or whole numbers", None, Code.WRONG_TYPE, got="")
    texts = pyarrow.schema([(head, pyarrow.string()) for head in places.values()])
    for batch in file.iter_batches(columns=list(places.values())):
        columns = [batch.column(head).cast(pyarrow.string()).fill_null("") for head in texts.names]
        yield pyarrow.record_batch(columns, schema=texts), places
