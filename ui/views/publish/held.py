"""The release that *Publish* shows, an invented one for the case or a reader's noisy folder, and what is chosen of it.

A folder that was uploaded is read in memory: its files are not written, logged or linked, and no microdata are taken.
"""

from __future__ import annotations

import io
import math
import shlex
import zipfile
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from dpcore.errors import Code, Refused
from dpcore.mechanisms import noise_kinds
from dpcore.populations import synthetic_county
from dpcore.promise import Promise
from dpcore.publication import CountTable, Publication
from dpcore.schema import Moves
from riskline.answers import budget_together
from riskline.case.decision import CURRENCIES
from riskline.case.declaration import count, custom, option
from riskline.case.promise import promise_of, records_together
from riskline.case.value import EXAMPLE, Case, State
from riskline.release.areas import AreaList, areas_of_rows
from riskline.release.estimates import Estimate, Estimates, named
from riskline.release.folder import AREAS, RECORD, PublishedTable, ReleaseFolder, law_of, read_folder, read_record
from riskline.release.shapes import Shapes, shapes_of_file
from ui.link.page_table import PageLink, fields_of
from ui.views.shared.typed_table import decode_list
from ui.words.catalogue import label
from ui.words.markdown import shortened
from ui.words.quantities import Typed, whole

word = partial(label, "publish")
LARGEST_UPLOAD, LARGEST_FILES, MOST_FILES = 5_000_000, 30_000_000, 200
"""Bytes of one file, and of all files once unpacked; how many there may be."""
MOST_NUMBERS, MOST_AREAS = 250_000, 10_000
PLACES = {"low": 1, "high": 1_000_000}
PARTS = ("table", "time", "level", "cell", "area", "more_areas", "other_area", "other_table", "other_cell")
LEVELS = ("county", "group", "block")
ADULTS = "Of voting age"
LONGEST_NAME = 40
COUNTY = Path(__file__).resolve().parents[2] / "data" / "county.geojson"
"""Invented outlines of the example's blocks, from `scripts/write_county_shapes`."""
IntArray = NDArray[np.int64]
Thing = TypeVar("Thing")


def _places(text: str) -> tuple[int, ...]:
    """Several places in a list, as a link holds them; none of them twice."""
    return tuple(sorted({*decode_list(text)[0]})) if text else ()


@dataclass(frozen=True)
class PublishInputs:
    """What a reader chose on this page: parts of a release by their places in its lists."""

    data: str = option("example", "own")
    table: int = count(1, **PLACES)
    time: int = count(1, **PLACES)
    level: int = count(1, **PLACES)
    cell: int = count(1, **PLACES)
    area: int = count(1, **PLACES)
    more_areas: tuple[int, ...] = custom((), read=_places, write=lambda places: "~".join(map(str, places)))
    wanted: str = option("count", "difference", "ratio")
    other_area: int = count(1, **PLACES)
    other_table: int = count(1, **PLACES)
    other_cell: int = count(1, **PLACES)
    shown: str = option("map", "dots")
    seed: int = count(1, low=0, high=1_000_000)
    case: Case = EXAMPLE

    def learned(self, words: str) -> PageLink:
        """The way to what a reader learns of the same count of the same release."""
        same = {"part": "folder", "of_level": self.level}
        same |= {name: getattr(self, name) for name in ("data", "table", "time", "cell", "area")}
        return PageLink("infer", words, tuple((name, str(value)) for name, value in same.items()))


FIELDS = fields_of("publish", PublishInputs)


@dataclass(frozen=True)
class Paid:
    """What a record says was paid, and for which promise.

    state : "decided", "undecided", or "borrowed" from the example for a case without a budget
    costs : of all draws of a table at a level
    """

    promise: Promise
    currency: str
    budget: float
    spent: float
    state: str
    costs: Mapping[tuple[str, str], float]

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Paid:
        """From the record of a folder."""
        said, costs = record["promise"], {(one["table"], one["level"]): one["spent"] for one in record["releases"]}
        in_all = record.get("spent_in_all_draws", record["spent"])
        budget, spent, *paid = (float(one) for one in (record["budget"], in_all, *costs.values()))
        if record["currency"] not in CURRENCIES or not all(0 < one < math.inf for one in (budget, spent, *paid)):
            raise ValueError(word("no_folder"))
        promise = promise_of(said["secret"], said["unit"], said["group"], said["relation"])
        of_level = dict(zip(costs, paid, strict=True))
        return cls(
            promise, record["currency"], budget, spent, "decided" if record["decision"] else "undecided", of_level
        )


@dataclass(frozen=True, eq=False)
class Held:
    """A release as the page holds it: its folder, what was paid, and true counts where they are invented."""

    folder: ReleaseFolder
    paid: Paid
    true: IntArray | None = None


# ---- the example -----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _county() -> tuple[IntArray, tuple[int, ...]]:
    """Children and adults of each invented block, and its block group."""
    county = synthetic_county()
    adults = np.array([ADULTS in cell for cell in county.cells])
    return np.stack([county.counts[:, kind].sum(axis=1) for kind in (~adults, adults)], axis=1), county.groups


def _areas(groups: Sequence[int]) -> AreaList:
    rows = [{"code": "9", "name": word("area.county")}]
    rows += [{"code": f"9{at + 1}", "name": word("area.group", at=at + 1), "parent": "9"} for at in sorted({*groups})]
    for at, group in enumerate(groups, 1):
        rows.append({"code": f"9{group + 1}{at:02}", "name": word("area.block", at=at), "parent": f"9{group + 1}"})
    return areas_of_rows(rows, [word(f"level.{level}") for level in LEVELS])


def example(case: Case, seed: int) -> Held:
    """An invented county under the budget of a case, or that of the example where it has none, a third for each level.

    Drawn with a seed: not for release.
    """
    counts, groups = _county()
    areas = _areas(groups)
    true = np.zeros((len(areas.codes), 2), dtype=np.int64)
    true[areas.tree.undivided] = counts
    true = np.asarray(areas.tree.added_up(true)).astype(np.int64)
    state = "decided" if case.state is State.DECIDED else "undecided"
    total = budget_together(case)
    if total is None:
        state, total = "borrowed", budget_together(EXAMPLE)
    assert total is not None
    kind = next(kind for kind in noise_kinds() if kind.is_whole and kind.budget_kind == total.currency)
    group, moves = records_together(case["unit"], case["group"]), Moves(case["moves"] or "anywhere")
    rows = tuple(CountTable(cells=2, areas=len(areas.at(level)), noise=kind.name) for level in areas.levels)
    changes = Publication(rows, case["relation"], group, moves).largest_changes
    each, values, scales = total.value / len(rows), true.copy(), {}
    generator = np.random.default_rng(seed)
    for level, change in zip(areas.levels, changes, strict=True):
        squares = math.sqrt(sum(int(amount) ** 2 for amount in change.amounts))
        scales[level] = change.l1 / each if total.currency == "epsilon" else squares / math.sqrt(2 * each)
        at = areas.at(level)
        drawn = law_of(kind.name, scales[level]).simulate_noise((at.size, 2), seed=generator)
        values[at] += np.asarray(drawn).astype(np.int64)
    ages = {word("age"): (word("age.child"), word("age.adult"))}
    table = PublishedTable(word("people"), areas, ages, ("",), kind.name, scales, values[None])
    promise = promise_of(case.asked, case["unit"], case["group"], case["relation"])
    costs = dict.fromkeys(((table.name, level) for level in areas.levels), each)
    paid = Paid(promise, total.currency, total.value, total.value, state, costs)
    return Held(ReleaseFolder(areas, {table.name: table}, {}), paid, true)


@lru_cache(maxsize=1)
def county_shapes() -> Shapes:
    """Outlines of the example's blocks."""
    return shapes_of_file(COUNTY.read_bytes())


# ---- a folder of one's own -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class InMemory:
    """A folder whose files are held in memory, or one of them, as `read_folder` reads it."""

    files: Mapping[str, bytes]
    name: str = ""

    def __truediv__(self, name: str) -> InMemory:
        return InMemory(self.files, name)

    def read_bytes(self) -> bytes:
        """The content of the file."""
        if self.name not in self.files:
            raise FileNotFoundError
        return self.files[self.name]


def read_upload(uploaded: Sequence[tuple[str, bytes]]) -> Held:
    """The release in files that `riskline release` wrote, or in a ZIP of them, checked against its digests.

    Raises ValueError where it is no such folder, a file was changed, or it is too large for a page.
    """
    try:
        folder = cast(Path, InMemory(_unpacked(uploaded)))
        record = read_record(folder)
        areas = (folder / AREAS).read_bytes().count(b"\n")
        _check_size("areas", MOST_AREAS, areas)
        cells = (math.prod(map(len, one["categories"].values())) * len(one["times"]) for one in record["tables"])
        _check_size("numbers", MOST_NUMBERS, areas * sum(cells))
        held = Held(read_folder(folder), Paid.of_record(record))
        if not _can_be_shown(held):
            raise ValueError(word("no_folder"))
        return held
    except (Refused, MemoryError):
        raise
    except Exception:  # whatever else somebody forged
        raise ValueError(word("no_folder")) from None


def _can_be_shown(held: Held) -> bool:
    """Whether each level of each table has areas, noise and a price, and each time an estimate."""
    estimates, tables = Estimates(held.folder), list(held.folder.tables.values())
    numbers: list[float] = []
    try:
        for place, table in enumerate(tables, 1):
            for at in range(1, len(table.scales) + 1):
                level = Offered(held.folder, vars(PublishInputs(table=place, level=at))).level
                numbers += [table.half_width(level), held.paid.costs[table.name, level]]
            for at in range(1, len(table.times) + 1):
                part = Offered(held.folder, vars(PublishInputs(table=place, time=at)))
                numbers.append(part.estimate(estimates, part.area).value)
    except MemoryError:
        raise
    except Exception:  # whatever else somebody forged
        return False
    return bool(tables) and all(table.values.size for table in tables) and all(map(math.isfinite, numbers))


def _check_size(what: str, most: int, got: int) -> None:
    if got > most:
        rule = word("at_most", most=Typed(most, whole))
        raise Refused(word(what), rule, got, Code.TOO_LARGE, got=f"{got:,}")


def _unpacked(uploaded: Sequence[tuple[str, bytes]]) -> dict[str, bytes]:
    """The files of a folder by name; those of a ZIP that lie beside its record."""
    files = dict(uploaded)
    _check_size("bytes", LARGEST_UPLOAD, max(map(len, files.values())))
    _check_size("bytes", LARGEST_FILES, sum(map(len, files.values())))
    if RECORD not in files and len(files) == 1:
        archive = zipfile.ZipFile(io.BytesIO(*files.values()))
        places = archive.infolist()
        _check_size("files", MOST_FILES, len(places))
        _check_size("bytes", LARGEST_FILES, sum(one.file_size for one in places))
        above = next(one.filename for one in places if Path(one.filename).name == RECORD).removesuffix(RECORD)
        inside = (one for one in places if one.filename.startswith(above))
        files = {one.filename.removeprefix(above): archive.read(one) for one in inside}
    return files


# ---- what is chosen of it --------------------------------------------------------------------------------------------


def called(text: str) -> str:
    """A name of a file inside a sentence of ours: short, and without marks of bold."""
    return shortened(" ".join(text.replace("*", "").split()), LONGEST_NAME)


class Offered:
    """The parts of a release that can be chosen, by their places in its lists, and those that are.

    words : of each list, by choice
    areas, area : numbers of the areas of the chosen level, and the chosen one
    together : the chosen one, and those that are added to it
    cell, other_cell : labels of one cell; none for all cells together
    """

    def __init__(self, folder: ReleaseFolder, chosen: Mapping[str, Any]) -> None:
        self.words: dict[str, dict[int, str]] = {}
        self._chosen, self._tables = chosen, list(folder.tables.values())
        self.table = table = self._one("table", self._tables, lambda table: table.name)
        self.time = self._one("time", table.times, str)
        self.level = self._one("level", [level for level in table.areas.levels[::-1] if level in table.scales], str)
        self.areas = table.areas.at(self.level)
        self.area = self._one("area", self.areas.tolist(), self._listed)
        named = dict(enumerate(self.areas.tolist(), 1))
        self.words["more_areas"] = {at: self._listed(area) for at, area in named.items() if area != self.area}
        self.together = [self.area, *(named[at] for at in chosen["more_areas"] if at in self.words["more_areas"])]
        alone = chosen["wanted"] == "difference" and len(self.together) == self.areas.size
        self.wanted: str = "count" if alone else chosen["wanted"]
        self.cell = self._one("cell", [*(table.cells if table.categories else ()), ()], self._cell_words)
        self.other_area = self._one("other_area", self.areas.tolist(), self.name, but={*self.together})
        codes = {table.areas.codes[area] for area in self.areas.tolist()}
        fitting = [other for other in self._tables if self.time in other.times or other.times == ("",)]
        unlike = {*self._tables} - {other for other in fitting if codes <= other.areas.place.keys()}
        self.other_table = other = self._one("other_table", self._tables, lambda table: table.name, but=unlike)
        self.other_cell = self._one("other_cell", [(), *(other.cells if other.categories else ())], self._cell_words)

    def _one(
        self, name: str, things: Sequence[Thing], words: Callable[[Thing], str], but: Set[Thing] = frozenset()
    ) -> Thing:
        kept = [place for place, thing in enumerate(things, 1) if thing not in but or len(but) == len(things)]
        self.words[name] = {place: words(things[place - 1]) for place in kept}
        return things[(self._chosen[name] if self._chosen[name] in kept else kept[0]) - 1]

    @staticmethod
    def _cell_words(cell: tuple[str, ...]) -> str:
        return ", ".join(cell) if cell else word("all")

    def _listed(self, area: int) -> str:
        return f"{self.name(area)} ({self.table.areas.codes[area]})"

    def name(self, area: int) -> str:
        """What an area is called."""
        return called(self.table.areas.names[area] or self.table.areas.codes[area])

    def what(self, cell: Sequence[str], *areas: int) -> str:
        """What is counted of areas."""
        first, *more = areas
        named = self.name(first)
        if more:
            named = label("numbers", "and_more", many=named, more=Typed(len(more), whole))
        return ", ".join((named, *map(called, cell)))

    def among(self, table: PublishedTable, *, timed: bool = False) -> str:
        """A table in brackets where there are several, with the chosen time where that is one of several."""
        named = [table.name] * (len(self._tables) > 1) + [self.time] * (timed and self._is_timed(table))
        return f" ({', '.join(map(called, named))})" if named else ""

    def _is_timed(self, table: PublishedTable) -> bool:
        return len(table.times) > 1 and self.time in table.times

    @property
    def cells(self) -> list[int]:
        """The numbers of the chosen cells."""
        return [at for at, cell in enumerate(self.table.cells) if self.cell in ((), cell)]

    @property
    def one_time(self) -> PublishedTable:
        """The table at the chosen time alone."""
        when, totals = [self.table.times.index(self.time)], self.table.totals
        assert totals is not None
        return replace(self.table, times=(self.time,), values=self.table.values[when], totals=totals[when])

    def counts(self, *areas: int) -> str:
        """The chosen counts of areas together, as `riskline estimate` names them."""
        return self._named(self.table, areas, self.cell)

    def others(self, *areas: int) -> str:
        """What they are held against: the same counts of another area, or other counts of these."""
        if self.wanted == "difference":
            return self._named(self.table, [self.other_area], self.cell)
        return self._named(self.other_table, areas, self.other_cell)

    def _named(self, table: PublishedTable, areas: Sequence[int], cell: tuple[str, ...]) -> str:
        codes = ",".join(named(self.table.areas.codes[area]) for area in areas)
        parts = [("table", named(table.name))] * (len(self._tables) > 1) + [("area", codes)]
        parts += zip(map(named, table.categories), map(named, cell), strict=bool(cell))
        parts += [("time", named(self.time))] * self._is_timed(table)
        return "; ".join(f"{name}={value}" for name, value in parts)

    def estimate(self, estimates: Estimates, *areas: int) -> Estimate:
        """What the release says of areas together: a count, a difference, a share or a rate."""
        chosen = estimates.selection(self.counts(*areas))
        if self.wanted == "count":
            return estimates.count(chosen)
        others = estimates.selection(self.others(*areas))
        return (estimates.difference if self.wanted == "difference" else estimates.ratio)(chosen, others)

    def is_exact(self, estimates: Estimates, *areas: int) -> bool:
        """Whether no noise is in an estimate: of exact totals, or of what is held against itself.

        Not where its range was only cut off at a bound.
        """
        each = [estimates.selection(self.counts(*areas))]
        if self.wanted != "count":
            each.append(estimates.selection(self.others(*areas)))
            if estimates.difference(*each)[2:] == (0, 0):
                return True
        return estimates.are_exact(*each)

    @property
    def command(self) -> str:
        """The command that says the same of the chosen areas."""
        told = f"riskline estimate folder {shlex.quote(self.counts(*self.together))}"
        if self.wanted == "count":
            return told
        return (
            f"{told} --{'minus' if self.wanted == 'difference' else 'over'} {shlex.quote(self.others(*self.together))}"
        )
