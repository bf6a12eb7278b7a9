"""A folder of noisy tables: written at once or not at all, and read back into values.

It holds no true count but exact totals, which its plan asks for and its record names.

- `record.json`: `riskline_release` = 1; when, by which versions, for which plan; currency, budget and what was spent,
  of each release and in all; `levels` of areas; `tables`, each with `name`, `file`, `categories` (column to allowed
  values), `times`, `noise` (as `dpcore.mechanisms.noise_kind` knows it), `scales` (level to noise scale) and `exact`
  (the level whose totals have no noise, or null); `files`, the SHA-256 of every other file.
- `plan.json`: the plan, its areas in `areas.csv`.
- `areas.csv`: code, name, parent, level.
- a file for each table, CSV or Parquet, a row for each published number: `level`, `area`, `area_name`, `time`, a column
  for each category, `value`, `noise_scale`, `low` and `high` (in 95 releases of 100 the true count lies between them,
  by the exact law of the noise; `low` may be negative), `exact`. An exact total has `exact` = yes, a scale of 0 and
  empty categories: it is the sum over them.

`read_folder` checks the digests and that every number is there once. `PublishedTable.noisy` is a table as
`dpcore.adjustment` takes it: all published levels, areas in the order of `PublishedTable.areas`, cells in that of
`PublishedTable.cells`.
"""

from __future__ import annotations

import csv
import hashlib
import io
import itertools
import json
import math
import os
import re
import secrets
import shutil
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from dpcore._properties import cached_property
from dpcore.adjustment import NoisyTable
from dpcore.errors import Code, Refused
from dpcore.mechanisms import NoiseMechanism, noise_kind
from riskline.case.fields import shown
from riskline.release.areas import HEADS as AREA_HEADS
from riskline.release.areas import AreaList, areas_of_rows, read_areas, refuse_formulas

FORMAT, VERSION = "riskline_release", 1
RECORD, PLAN, AREAS = "record.json", "plan.json", "areas.csv"
BEFORE = ("level", "area", "area_name", "time")
AFTER = ("value", "noise_scale", "low", "high", "exact")
"""The columns of a table before its categories and after them."""
HELD = 0.95
"""How often the range of a number holds the true count."""
SMALLEST_VARIANCE = 1e-12  # of noise so narrow that its variance is 0 in a float; what adjusts tables divides by it
ROWS_AT_ONCE = 10_000
FileFormat = Literal["csv", "parquet"]
FORMATS: tuple[FileFormat, ...] = ("csv", "parquet")
NEEDS_PYARROW = "be installed for Parquet: pip install 'riskline[release]'; CSV needs nothing"
IntArray = NDArray[np.int64]


class LabelledTable(Protocol):
    """What a file of a folder is made from: its columns, its rows, and what the record says of it."""

    @property
    def name(self) -> str:
        """Of the table."""

    @property
    def heads(self) -> tuple[str, ...]:
        """The columns of its file."""

    @property
    def labels(self) -> Iterator[str]:
        """The texts of its file that are its own, not its areas'."""

    @property
    def about(self) -> dict[str, Any]:
        """What the record says of it."""

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The rows of its file."""


@dataclass(frozen=True, eq=False)
class PublishedTable:
    """A noisy table on a tree of areas, with its labels.

    name : of the table
    areas : those down to its lowest published level
    categories : allowed values of each column; cells are their product, the last column fastest
    times : labels of its times; one empty label where it has none
    noise : the kind of noise
    scales : of the noise, by published level
    values : noisy counts, shape (times, areas, cells); 0 where a level is not published
    exact : the level whose totals over all cells are published without noise; empty for none
    totals : these, shape (times, areas), NaN elsewhere

    >>> areas = AreaList(("24", "24001"), ("Maryland", "Allegany"), ("", "24"), ("state", "county"), (0, 1))
    >>> table = PublishedTable(
    ...     "Births", areas, {"sex": ("f", "m")}, ("",), "geometric", {"county": 2.0}, np.array([[[0, 0], [12, 9]]])
    ... )
    >>> table.cells, table.half_width("county"), table.noisy().variances.round(2).tolist()
    ((('f',), ('m',)), 6, [[inf, inf], [7.84, 7.84]])
    """

    name: str
    areas: AreaList
    categories: Mapping[str, tuple[str, ...]]
    times: tuple[str, ...]
    noise: str
    scales: Mapping[str, float]
    values: IntArray
    exact: str = ""
    totals: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        shape = (len(self.times), len(self.areas.codes), len(self.cells))
        if self.values.shape != shape:
            raise Refused("values", f"have the shape {shape}", None, Code.WRONG_SHAPE, got=f"{self.values.shape}")
        lowest = max(map(self.areas.levels.index, self.scales), default=-1)
        if self.exact and self.areas.levels.index(self.exact) > lowest:
            raise Refused("exact", "be a published level or a wider one", self.exact, Code.WRONG_ORDER)
        if self.totals is None:
            object.__setattr__(self, "totals", np.full(shape[:2], np.nan))

    @cached_property
    def cells(self) -> tuple[tuple[str, ...], ...]:
        """The labels of each cell, one for each category."""
        return tuple(itertools.product(*self.categories.values()))

    @cached_property
    def laws(self) -> Mapping[str, NoiseMechanism]:
        """The noise of one number, by published level."""
        return {level: law_of(self.noise, scale) for level, scale in self.scales.items()}

    def half_width(self, level: str) -> int:
        """Plus or minus so much holds the true count in 95 of 100 releases."""
        return math.ceil(self.laws[level].half_width(HELD))

    def noisy(self, time: str = "") -> NoisyTable:
        """The counts of one time with the variances of their noise and the exact totals."""
        when = self.times.index(time)
        variances = np.full((len(self.areas.codes), 1), np.inf)
        for level, law in self.laws.items():
            variances[self.areas.at(level)] = max(float(law.variance), SMALLEST_VARIANCE)
        assert self.totals is not None
        tree, spread = self.areas.tree, np.broadcast_to(variances, self.values.shape[1:])
        return NoisyTable(tree, self.values[when], variances=spread, totals=self.totals[when])

    @property
    def heads(self) -> tuple[str, ...]:
        """The columns of its file."""
        return (*BEFORE, *self.categories, *AFTER)

    @property
    def labels(self) -> Iterator[str]:
        """The texts of its file that are its own, not its areas'."""
        return itertools.chain(self.categories, *self.categories.values(), self.times)

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The rows of its file: each published level, widest first, then exact totals."""
        codes, names = self.areas.codes, self.areas.names
        for level in (level for level in self.areas.levels if level in self.scales):
            scale, wide = self.scales[level], self.half_width(level)
            for area in self.areas.at(level).tolist():
                for time, values in zip(self.times, self.values[:, area].tolist(), strict=True):
                    head = (level, codes[area], names[area], time)
                    for cell, value in zip(self.cells, values, strict=True):
                        yield (*head, *cell, value, scale, value - wide, value + wide, "no")
        assert self.totals is not None
        for area in self.areas.at(self.exact).tolist() if self.exact else ():
            for time, total in zip(self.times, self.totals[:, area].tolist(), strict=True):
                blank = ("",) * len(self.categories)
                yield (
                    self.exact,
                    codes[area],
                    names[area],
                    time,
                    *blank,
                    *(int(total), 0.0, int(total), int(total)),
                    "yes",
                )

    @property
    def about(self) -> dict[str, Any]:
        """What the record says of it."""
        return {
            "name": self.name,
            "categories": {column: list(values) for column, values in self.categories.items()},
            "times": list(self.times),
            "noise": self.noise,
            "scales": dict(self.scales),
            "exact": self.exact or None,
        }


@dataclass(frozen=True, eq=False)
class ReleaseFolder:
    """What a folder of noisy tables holds: its areas, its tables by name, and its record."""

    areas: AreaList
    tables: Mapping[str, PublishedTable]
    record: Mapping[str, Any]


def law_of(noise: str, scale: float) -> NoiseMechanism:
    """The noise of a kind at a scale, as OpenDP takes it.

    >>> law_of("discrete_gaussian", 2.0).budget, law_of("geometric", 2.0).budget
    (0.125, 0.5)
    """
    kind = noise_kind(noise)
    return kind.with_budget(1 / scale if kind.budget_kind == "epsilon" else 0.5 / scale**2)


# ---- writing ---------------------------------------------------------------------------------------------------------


def write_folder(
    out: Path,
    areas: AreaList,
    tables: Sequence[LabelledTable],
    *,
    plan: Mapping[str, Any] | None = None,
    record: Mapping[str, Any],
    form: FileFormat = "csv",
    kind: tuple[str, int] = (FORMAT, VERSION),
) -> str:
    """Writes a folder that is there whole or not at all, and says the SHA-256 of its record.

    plan : its table of JSON, with its areas in `areas.csv`
    record : what is said of the draw; levels, tables and digests of files are added
    kind : the format that its record names first

    Raises Refused where there is something of that name; OSError where it cannot be written.
    """
    check_out(out)
    refuse_formulas("areas", areas.texts)
    for table in tables:
        refuse_formulas(table.name, table.labels)
    _remove_left_over(out)
    unfinished, lock = _begun(out)
    try:
        files: dict[str, str] = {}
        if plan is not None:
            files[PLAN] = _written(unfinished / PLAN, [as_json(plan)])
        files[AREAS] = _written(unfinished / AREAS, _csv(AREA_HEADS, areas.rows))
        about = []
        for number, table in enumerate(tables, 1):
            file = file_name(number, table.name, form)
            if form == "csv":
                files[file] = _written(unfinished / file, _csv(table.heads, table.rows()))
            else:
                files[file] = _written_parquet(unfinished / file, table)
            about.append({**table.about, "file": file})
        whole = {kind[0]: kind[1], **record, "levels": list(areas.levels), "tables": about, "files": files}
        digest = _written(unfinished / RECORD, [as_json(whole)])
        fsync_folder(unfinished)
        os.replace(unfinished, out)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    finally:
        _unlock(lock)
    fsync_folder(out.parent)
    return digest


def _begun(out: Path) -> tuple[Path, int | None]:
    """A folder to write into beside `out`, and its lock: another run may have removed it before it was locked."""
    while True:
        unfinished = out.parent / f".{out.name}.{secrets.token_hex(4)}.unfinished"
        unfinished.mkdir()
        lock = _lock(unfinished, wait=True)
        if unfinished.exists():
            return unfinished, lock
        _unlock(lock)


def _remove_left_over(out: Path) -> None:
    """Removes what runs into `out` have left that were killed: a run that lives holds its lock."""
    name = re.compile(rf"\.{re.escape(out.name)}\.[0-9a-f]{{8}}\.unfinished")
    for left in [path for path in out.absolute().parent.iterdir() if name.fullmatch(path.name)]:
        lock = _lock(left, wait=False)
        if lock is not None:
            shutil.rmtree(left, ignore_errors=True)
            _unlock(lock)


def _lock(folder: Path, *, wait: bool) -> int | None:
    """The lock of a folder, which ends with its process; None where another holds it, or a system has none."""
    with suppress(ImportError, AttributeError, OSError):
        import fcntl

        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except OSError:
            os.close(handle)
        else:
            return handle
    return None


def _unlock(lock: int | None) -> None:
    if lock is not None:
        os.close(lock)


def check_out(out: Path) -> None:
    """Refuse the name of a folder that is there, or whose own folder cannot be written to."""
    if os.path.lexists(out):
        raise Refused("out", "be a folder that does not exist yet", shown(out.name), Code.REPEATED)
    if not out.name or not os.access(out.absolute().parent, os.W_OK):
        raise Refused("out", "lie in a folder that can be written to", shown(str(out)), Code.UNSUPPORTED)


def is_unwritable(refusal: Refused) -> bool:
    """Whether a folder was refused because nothing can be written there, and not because of what was asked."""
    return (refusal.name, refusal.code) == ("out", Code.UNSUPPORTED)


def file_name(number: int, name: str, form: FileFormat) -> str:
    """What the file of a table is called.

    >>> file_name(2, "Births, each month", "csv")
    '02-births-each-month.csv'
    """
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40].strip("-")
    return f"{number:02}-{plain or 'table'}.{form}"


def as_json(table: Mapping[str, Any]) -> str:
    """A table of JSON as its file holds it."""
    return json.dumps(table, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _csv(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    left = itertools.chain([heads], rows)
    while some := list(itertools.islice(left, ROWS_AT_ONCE)):
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(some)
        yield text.getvalue()


def _written(path: Path, parts: Iterable[str]) -> str:
    """Writes a file down to the disk; its SHA-256."""
    digest = hashlib.sha256()
    with open(path, "xb") as file:
        for part in parts:
            content = part.encode("utf-8")
            digest.update(content)
            file.write(content)
        file.flush()
        os.fsync(file.fileno())
    return digest.hexdigest()


def fsync_folder(folder: Path) -> None:
    """Makes what was written into a folder last; where a system cannot, it is left to it."""
    with suppress(OSError, AttributeError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _written_parquet(path: Path, table: LabelledTable) -> str:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise Refused("pyarrow", NEEDS_PYARROW, None, Code.NOT_INSTALLED, got="") from None
    kinds = {
        "value": pyarrow.int64(),
        "noise_scale": pyarrow.float64(),
        "low": pyarrow.int64(),
        "high": pyarrow.int64(),
    }
    columns = list(zip(*table.rows(), strict=True))
    arrays = {
        head: pyarrow.array(column, kinds.get(head, pyarrow.string()))
        for head, column in zip(table.heads, columns, strict=True)
    }
    parquet.write_table(pyarrow.table(arrays), path)
    with open(path, "rb+") as file:
        os.fsync(file.fileno())
        return hashlib.file_digest(file, "sha256").hexdigest()


# ---- reading ---------------------------------------------------------------------------------------------------------


def read_folder(path: Path) -> ReleaseFolder:
    """What a folder holds, its files checked against the digests of its record.

    Raises Refused where it is no such folder, a file was changed, or a number is missing or there twice.
    """
    record = read_record(path)
    try:
        levels, files = list(map(str, record["levels"])), dict(record["files"])
        content = {name: _checked(path, name, digest) for name, digest in files.items()}
        areas = areas_of_rows(read_areas(content[AREAS]), levels)
        tables = [_table(about, areas, content[about["file"]]) for about in record["tables"]]
        names = [table.name for table in tables]
        if len({*names}) < len(names) or not all(isinstance(name, str) for name in names):
            raise _no_record(path)
    except Refused:
        raise
    except (KeyError, TypeError, AttributeError, ValueError, ArithmeticError):
        raise _no_record(path) from None
    return ReleaseFolder(areas, dict(zip(names, tables, strict=True)), record)


def read_record(path: Path) -> Mapping[str, Any]:
    """The record of a folder; the digests of its files are not looked at."""
    try:
        record = json.loads((path / RECORD).read_bytes())
        version = record[FORMAT]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise _no_record(path) from None
    if type(version) is not int or version > VERSION:
        raise Refused(RECORD, f"be of format {VERSION} or earlier", version, Code.UNSUPPORTED)
    found: Mapping[str, Any] = record
    return found


def _no_record(path: Path) -> Refused:
    return Refused("the folder", f"hold a {RECORD} of riskline release", shown(path.name), Code.WRONG_FORM)


def _checked(path: Path, name: str, digest: str) -> bytes:
    """The content of a file, which must be what the record says."""
    try:
        if Path(name).name != name:
            raise OSError
        content = (path / name).read_bytes()
    except OSError:
        raise Refused(shown(name), "be in the folder", None, Code.EMPTY, got="") from None
    if hashlib.sha256(content).hexdigest() != digest:
        raise Refused(
            shown(name), f"be as it was written: {RECORD} has another digest", None, Code.INCONSISTENT, got=""
        )
    return content


def _table(about: Mapping[str, Any], areas: AreaList, content: bytes) -> PublishedTable:
    scales = {level: float(scale) for level, scale in about["scales"].items()}
    exact = about["exact"] or ""
    own = areas.down_to(list(scales))
    categories = {column: tuple(values) for column, values in about["categories"].items()}
    times, name = tuple(about["times"]), about["name"]
    shape = (len(times), len(own.codes), math.prod(map(len, categories.values())))
    empty = np.zeros(shape, dtype=np.int64)
    table = PublishedTable(name, own, categories, times, about["noise"], scales, empty, exact)
    assert table.totals is not None
    when = {time: number for number, time in enumerate(times)}
    where = {cell: number for number, cell in enumerate(table.cells)}
    heads, rows = _rows(content, about["file"])
    if heads != table.heads:
        raise Refused(about["file"], f"have the columns {', '.join(table.heads)}", ", ".join(heads), Code.WRONG_FORM)
    first, last = len(BEFORE), len(BEFORE) + len(categories)
    at, values, at_exact, totals = array("q"), array("q"), array("q"), array("q")
    for row in rows:
        try:
            place, value = when[row[3]] * len(own.codes) + own.place[row[1]], int(row[last])
            if row[-1] == "yes":
                at_exact.append(place)
                totals.append(value)
            else:
                at.append(place * shape[2] + where[tuple(row[first:last])])
                values.append(value)
        except (KeyError, ValueError, IndexError, OverflowError):
            raise Refused(about["file"], "have labels and numbers of its plan", None, Code.WRONG_FORM, got="") from None
    published = np.zeros(shape, dtype=bool)
    for level in scales:
        published[:, own.at(level)] = True
    known = np.zeros(shape[:2], dtype=bool)
    if exact:
        known[:, own.at(exact)] = True
    _check_each_once(about["file"], own, np.asarray(at, dtype=np.int64), published)
    _check_each_once(about["file"], own, np.asarray(at_exact, dtype=np.int64), known)
    table.values.reshape(-1)[np.asarray(at, dtype=np.int64)] = values
    table.totals.reshape(-1)[np.asarray(at_exact, dtype=np.int64)] = totals
    return table


def _check_each_once(file: str, areas: AreaList, at: IntArray, wanted: NDArray[np.bool_]) -> None:
    """Refuse a file that has a number twice, in a place where none is published, or lacks one."""
    more = np.bincount(at, minlength=wanted.size) - wanted.reshape(-1)
    if (more > 0).any():
        area = int(np.argmax(more)) // math.prod(wanted.shape[2:]) % len(areas.codes)
        got = f"{shown(areas.codes[area])} twice, or at another level"
        raise Refused(file, "have each number of its plan once", None, Code.REPEATED, got=got)
    if (more < 0).any():
        raise Refused(file, "have each number of its plan", None, Code.EMPTY, got="fewer")


def _rows(content: bytes, name: str) -> tuple[tuple[str, ...], Iterable[Sequence[str]]]:
    """The columns of a table's file, and its rows as text."""
    if name.endswith(".csv"):
        lines = csv.reader(io.StringIO(content.decode("utf-8"), newline=""), strict=True)
        return tuple(next(lines)), lines
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise Refused("pyarrow", NEEDS_PYARROW, None, Code.NOT_INSTALLED, got="") from None
    read = parquet.read_table(pyarrow.BufferReader(content))
    columns = [column.cast(pyarrow.string()).to_pylist() for column in read.columns]
    return tuple(read.column_names), list(zip(*columns, strict=True))
