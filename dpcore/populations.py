"""Populations to attack and to publish: districts of the thesis, a synthetic county, a table the user brings.

Everything here is a table of counts. The districts are facts printed in the thesis; the county is invented and is
called synthetic wherever it appears; a table that a user brings is read in memory, checked cell by cell and stored
nowhere.
"""

from __future__ import annotations

import csv
import html
import io
import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore.errors import Code, Refused

Counts = NDArray[np.int64]

LARGEST_FILE = 2_000_000
"""Bytes of a user's table; larger files are refused before they are read."""
LARGEST_COUNT = 1_000_000
"""Largest count in one cell of a user's table."""
MOST_ROWS = 20_000
MOST_CELLS = 200_000
LONGEST_LABEL = 120

_COUNT_NAMES = ("count", "counts", "people", "number", "frequency", "n")  # the least ambiguous name first
_PLACE_NAMES = ("place", "block", "tract", "district", "county", "region", "municipality", "town", "village", "ward")
"""What the column of places of a user's table may be called; the first name is the surest."""
_TOTALS = ("total", "totals")
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_FORMULA_INSIDE = re.compile(
    r"""([;,|\t\r\n]\s*["']?)(?![+-]\s*[0-9][0-9.,]*\s*(?:$|[;,|\t\r\n]))(?=[=+\-@\uff1d\uff0b\uff0d\uff20])"""
)


@call_hint
class TableError(Refused):
    r"""A user's table was refused; `row` and `column` say where (row 1 is the header), when the fault has a place.

    A table to try things on: no promise about the people in it is made.

    Examples
    --------
    >>> try:
    ...     read_counts("block,adult\nA,-2\n")
    ... except TableError as error:
    ...     print(error.row, error.column)
    2 adult
    """

    def __init__(
        self,
        name: str,
        rule: str,
        value: Any,
        code: Code,
        *,
        got: str | None = None,
        row: int | None = None,
        column: str | None = None,
    ) -> None:
        self.row = row
        self.column = column
        place = ", ".join(
            part
            for part in (f"row {row}" if row is not None else "", f"column {column!r}" if column is not None else "")
            if part
        )
        super().__init__(name, rule, value, code, got=got, at=place)


@call_hint
@dataclass(frozen=True, eq=False)
class CountTable:
    """Counts of people by place and cell.

    A table to try things on: no promise about the people in it is made.
    Source: thesis, Chapter 2.4.1

    Parameters
    ----------
    name : str; what the table is called on a page
    places : tuple of str; one label per row: blocks, districts
    attributes : tuple of str; names of the characteristics that make a cell
    cells : tuple of tuple of str; one tuple of characteristics per column, in the order of `attributes`
    counts : array of int, shape (places, cells); People. The array cannot be written to.
    synthetic : bool; whether the people are invented. A page must say so.
    groups : tuple of int; index of the block group of each place; one group when nothing else is known
    notes : tuple of str; sentences a page shows beside the table: how it was read, where it is from

    Examples
    --------
    >>> block = CountTable("ours", ("A",), ("age",), (("adult",), ("child",)), np.array([[3, 1]]), synthetic=True)
    >>> block.people, block.uniques()
    (4, [(0, 1)])
    """

    name: str
    places: tuple[str, ...]
    attributes: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    counts: Counts
    synthetic: bool = False
    groups: tuple[int, ...] = ()
    notes: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        given = _checks.array("counts", self.counts, 0.0, 1e15)
        _checks.refuse_fractions("counts", given, as_list=True)
        counts = given.astype(np.int64)
        if counts.shape != (len(self.places), len(self.cells)):
            shape = (len(self.places), len(self.cells))
            raise Refused(
                "counts", f"have one row per place and one column per cell {shape}", counts.shape, Code.WRONG_SHAPE
            )
        for name in ("places", "cells"):
            labels = getattr(self, name)
            if len(set(labels)) < len(labels):
                raise Refused(name, "be different", list(labels), Code.REPEATED)
        for cell in self.cells:
            if len(cell) != len(self.attributes):
                raise Refused("cells", f"have {len(self.attributes)} characteristics each", cell, Code.WRONG_SHAPE)
        counts.flags.writeable = False
        object.__setattr__(self, "counts", counts)
        if not self.groups:
            object.__setattr__(self, "groups", (0,) * len(self.places))
        if len(self.groups) != len(self.places):
            raise Refused("groups", "have one entry per place", len(self.groups), Code.WRONG_SHAPE)

    @property
    def people(self) -> int:
        """People in the whole table."""
        return int(self.counts.sum())

    @property
    def place_totals(self) -> Counts:
        """People in each place."""
        return np.asarray(self.counts.sum(axis=1))

    def cell_label(self, cell: int) -> str:
        """The characteristics of a cell as one line of text."""
        return ", ".join(self.cells[_checks.count("cell", cell, 0, len(self.cells) - 1)])

    def uniques(self) -> list[tuple[int, int]]:
        """Place and cell of every person who is alone in their cell of their place, in reading order.

        Examples
        --------
        >>> table = district_28_21()
        >>> [table.cell_label(cell) for _, cell in table.uniques()]
        ['Household, Of voting age, Not Hispanic, Black']
        """
        return [(int(place), int(cell)) for place, cell in np.argwhere(self.counts == 1)]

    def uniques_in_all(self) -> list[int]:
        """Cells that hold exactly one person of the whole table."""
        return [int(cell) for cell in np.flatnonzero(self.counts.sum(axis=0) == 1)]

    def siblings(self, place: int) -> list[int]:
        """The other places of the same block group."""
        own = _checks.count("place", place, 0, len(self.places) - 1)
        return [other for other, group in enumerate(self.groups) if group == self.groups[own] and other != own]


@call_hint
@dataclass(frozen=True)
class UniqueTarget:
    """A person who is alone in their cell of a district and of its county, as the thesis describes one.

    A table to try things on: no promise about the people in it is made.

    Examples
    --------
    >>> DISTRICT_39_14.people_in_district, DISTRICT_39_14.siblings  # 28 districts in all
    (209, 27)
    """

    district: str
    characteristics: tuple[str, ...]
    people_in_district: int
    people_in_county: int
    districts_in_county: int

    @property
    def siblings(self) -> int:
        """Other districts of the county: the number of sibling counts an attacker adds up."""
        return self.districts_in_county - 1


ATTRIBUTES = ("Group quarters", "Voting age", "Hispanic", "Race")

DISTRICT_39_14 = UniqueTarget(
    district="39-14",
    characteristics=("Institution", "Not of voting age", "Hispanic", "White"),
    people_in_district=209,
    people_in_county=29_364,
    districts_in_county=28,
)
"""Granville County, North Carolina, 1940; one person unique in the district and the county (thesis, Chapter 2.4.3)."""

CELLS_1940 = 864
"""Possible cells of the 1940 query: 2 voting ages, 6 Hispanic origins, 8 quarters, 9 races (thesis, Chapter 2.4.1)."""

CELLS_2020 = 2_016
"""Possible cells of the 2020 query: 8 quarters, 2 voting ages, 2 Hispanic origins, 63 races (thesis, Chapter 2.2.3)."""


@call_hint
def district_28_21() -> CountTable:
    """The 45 people of enumeration district 28-21, Dare County, North Carolina, in 1940.

    A table to try things on: no promise about the people in it is made. One place and the three occupied cells: 34, 10
    and 1 people.
    Source: thesis, Table 2.3

    Examples
    --------
    >>> district_28_21().counts.tolist()
    [[34, 10, 1]]
    """
    return CountTable(
        name="District 28-21, Dare County, North Carolina, 1940",
        places=("28-21",),
        attributes=ATTRIBUTES,
        cells=(
            ("Household", "Of voting age", "Not Hispanic", "White"),
            ("Household", "Not of voting age", "Not Hispanic", "White"),
            ("Household", "Of voting age", "Not Hispanic", "Black"),
        ),
        counts=np.array([[34, 10, 1]]),
        notes=("Counts printed in the thesis, Table 2.3; the 1940 census is public.",),
    )


@call_hint
@dataclass(frozen=True)
class CensusLevel:
    """A geographic level of the 2020 census: its share of the budget, and of that share what one query receives.

    A share of the whole file's budget: the promise about one person is that of all shares together.

    Examples
    --------
    >>> sum(level.share for level in CENSUS_LEVELS)
    Fraction(1, 1)
    """

    key: str
    name: str
    share: Fraction
    gvhr_share: Fraction


CENSUS_LEVELS: tuple[CensusLevel, ...] = (
    CensusLevel("nation", "United States", Fraction(104, 4099), Fraction(189, 241)),
    CensusLevel("state", "State", Fraction(1440, 4099), Fraction(230, 4097)),
    CensusLevel("county", "County", Fraction(447, 4099), Fraction(754, 4097)),
    CensusLevel("tract", "Tract", Fraction(687, 4099), Fraction(241, 2051)),
    CensusLevel("block_group", "Optimized block group", Fraction(1256, 4099), Fraction(1288, 4099)),
    CensusLevel("block", "Block", Fraction(165, 4099), Fraction(3945, 4097)),
)
"""Table 2.2, from the nation to the block, as exact fractions."""

CENSUS_TOTAL_RHO = Fraction(256, 100)
"""The ρ of all persons tables of the 2020 redistricting file (thesis, Chapter 2.2.3)."""


@call_hint
def exact_census_rho(level: str, *, query: str = "GVHR", total_rho: Fraction | float = CENSUS_TOTAL_RHO) -> Fraction:
    """The ρ of one query at one level of the 2020 census, as an exact fraction.

    A share of the whole file's budget: the promise about one person is that of all shares together. Exact.
    Source: thesis, Table 2.2

    Parameters
    ----------
    level : str; 'nation', 'state', 'county', 'tract', 'block_group' or 'block'
    query : str; 'GVHR', the detailed histogram of quarters, voting age, Hispanic origin and race: the one query whose
        share is printed for every level
    total_rho : Fraction or float; ρ of the whole file, greater than 0. A float is read as the shortest decimal that
        prints as it, so that 2.56 is 256/100.

    Examples
    --------
    >>> exact_census_rho("block") == Fraction(256, 100) * Fraction(165, 4099) * Fraction(3945, 4097)
    True
    """
    _checks.choice("level", level, [item.key for item in CENSUS_LEVELS])
    _checks.choice("query", query, ["GVHR"])
    total = (
        total_rho
        if isinstance(total_rho, Fraction)
        else Fraction(repr(_checks.number("total_rho", total_rho, 0, open_low=True)))
    )
    if total <= 0:
        raise Refused("total_rho", "be greater than 0 and finite", total, Code.OUT_OF_RANGE, got=str(total))
    found = next(item for item in CENSUS_LEVELS if item.key == level)
    return total * found.share * found.gvhr_share


@call_hint
def census_rho(level: str, *, query: str = "GVHR", total_rho: Fraction | float = CENSUS_TOTAL_RHO) -> float:
    """The ρ of one query at one level of the 2020 census.

    A share of the whole file's budget: the promise about one person is that of all shares together. Parameters, errors
    and source are those of `exact_census_rho`; the result is its nearest float.
    Source: thesis, Table 2.2

    Examples
    --------
    >>> round(census_rho("block"), 4), round(census_rho("block_group"), 4)
    (0.0992, 0.2465)
    """
    return float(exact_census_rho(level, query=query, total_rho=total_rho))


@call_hint
def census_rhos() -> tuple[float, ...]:
    """The six values of ρ of Table 2.2, from the block up to the nation.

    A share of the whole file's budget: the promise about one person is that of all shares together.
    Source: thesis, Table 2.2

    Examples
    --------
    >>> [round(rho, 4) for rho in census_rhos()]
    [0.0992, 0.2465, 0.0504, 0.0514, 0.0505, 0.0509]
    """
    return tuple(census_rho(item.key) for item in reversed(CENSUS_LEVELS))


_BASE_RACES = (0.62, 0.13, 0.06, 0.012, 0.003, 0.075)
_RACE_NAMES = ("White", "Black", "Asian", "American Indian", "Pacific", "Some other race")
_QUARTERS = (
    "Household",
    "Correctional facility",
    "Juvenile facility",
    "Nursing facility",
    "Other institution",
    "College residence",
    "Military quarters",
    "Other quarters",
)
_BLOCKS, _BLOCKS_PER_GROUP = 28, 7


@call_hint
def synthetic_county(*, seed: int | np.random.Generator = 1) -> CountTable:
    """A synthetic county: 28 invented blocks in four block groups, 2,016 cells each.

    A table to try things on: no promise about the people in it is made. Round numbers of our own, not estimates of any
    place: block sizes are log-normal, races follow Dirichlet shares around invented national shares, a block is a
    facility with probability 0.03 and then four in five of its people live in it. `synthetic` is true; `groups` holds
    the block group of each block.
    Source: ours, generator described here; the 2,016 cells are those of the thesis, Chapter 2.2.3

    Parameters
    ----------
    seed : int or numpy.random.Generator; at least 0. The same seed gives the same county.

    Examples
    --------
    >>> county = synthetic_county(seed=1)
    >>> county.people, int((county.counts > 0).sum()), len(county.uniques())
    (1029, 246, 106)
    """
    generator = _checks.seeded(seed)
    rare = np.arange(1, 58) ** -1.2
    races = np.concatenate([_BASE_RACES, 0.10 * rare / rare.sum()])
    races = races / races.sum()
    sizes = np.maximum(1, np.round(generator.lognormal(np.log(45) - 0.32, 0.8, _BLOCKS))).astype(int)
    group_shares = [generator.dirichlet(30 * races) for _ in range(_BLOCKS // _BLOCKS_PER_GROUP)]
    counts = np.zeros((_BLOCKS, len(_QUARTERS), 2, 2, races.size), dtype=np.int64)
    for block in range(_BLOCKS):
        shares = np.cumsum(generator.dirichlet(40 * group_shares[block // _BLOCKS_PER_GROUP] + 1e-9))
        shares /= shares[-1]
        facility = generator.random() < 0.03
        facility_type = int(generator.integers(1, len(_QUARTERS)))
        for _ in range(sizes[block]):
            race = int(np.searchsorted(shares, generator.random(), side="right"))
            hispanic = generator.random() < (0.75 if race == 5 else 0.12)
            adult = generator.random() < 0.78
            quarters = facility_type if facility and generator.random() < 0.8 else 0
            counts[block, quarters, int(not adult), int(not hispanic), race] += 1
    names = _RACE_NAMES + tuple(f"Combination {index}" for index in range(1, races.size - len(_RACE_NAMES) + 1))
    cells = tuple(
        (quarters, age, origin, race)
        for quarters in _QUARTERS
        for age in ("Of voting age", "Not of voting age")
        for origin in ("Hispanic", "Not Hispanic")
        for race in names
    )
    return CountTable(
        name="Synthetic county",
        places=tuple(f"Block {index + 1}" for index in range(_BLOCKS)),
        attributes=ATTRIBUTES,
        cells=cells,
        counts=counts.reshape(_BLOCKS, -1),
        synthetic=True,
        groups=tuple(block // _BLOCKS_PER_GROUP for block in range(_BLOCKS)),
        notes=("Synthetic: the people and the numbers are invented and describe no real place.",),
    )


@call_hint
def synthetic_block(people: int = 45, *, seed: int | np.random.Generator = 1) -> CountTable:
    """A synthetic block with a small table of 56 cells, for rebuilding.

    A table to try things on: no promise about the people in it is made. One place; two quarters, two ages, two origins
    and seven races. `synthetic` is true.
    Source: ours, generator described here

    Parameters
    ----------
    people : int; from 1 to 1,000
    seed : int or numpy.random.Generator; at least 0. The same seed gives the same block.

    Examples
    --------
    >>> synthetic_block(people=25, seed=2).people
    25
    """
    number = _checks.count("people", people, 1, 1000)
    generator = _checks.seeded(seed)
    shares = public_shares_of_synthetic_blocks()
    cells = tuple(
        (quarters, age, origin, race)
        for quarters in ("Household", "Group quarters")
        for age in ("Of voting age", "Not of voting age")
        for origin in ("Hispanic", "Not Hispanic")
        for race in (*_RACE_NAMES, "Two or more races")
    )
    counts = generator.multinomial(number, generator.dirichlet(20 * shares + 1e-9))
    return CountTable(
        name="Synthetic block",
        places=("Block 1",),
        attributes=ATTRIBUTES,
        cells=cells,
        counts=counts[None, :],
        synthetic=True,
        notes=("Synthetic: the people and the numbers are invented and describe no real place.",),
    )


@call_hint
def public_shares_of_synthetic_blocks() -> NDArray[np.float64]:
    """The shares of the 56 cells around which `synthetic_block` draws: what the public knows without a release.

    A table to try things on: no promise about the people in it is made.
    Source: ours, generator of `synthetic_block`

    Examples
    --------
    >>> round(float(public_shares_of_synthetic_blocks().sum()), 9)
    1.0
    """
    races = np.array([*_BASE_RACES, 0.1])
    shares = np.multiply.outer([0.9, 0.1], np.multiply.outer([0.78, 0.22], np.multiply.outer([0.18, 0.82], races)))
    return np.asarray(shares.ravel() / shares.sum())


def _decoded(data: bytes | str) -> tuple[str, tuple[str, ...]]:
    """The text of an upload, with a note when its encoding had to be guessed."""
    if isinstance(data, str):
        if len(data) > LARGEST_FILE:
            raise TableError(
                "the file", f"be at most {LARGEST_FILE:,} bytes", len(data), Code.TOO_LARGE, got=f"{len(data):,}"
            )
        return data.removeprefix("\ufeff"), ()
    if not isinstance(data, (bytes, bytearray)):
        raise TableError("the file", "be text or bytes", data, Code.WRONG_TYPE, got=type(data).__name__)
    if len(data) > LARGEST_FILE:
        raise TableError(
            "the file", f"be at most {LARGEST_FILE:,} bytes", len(data), Code.TOO_LARGE, got=f"{len(data):,}"
        )
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise TableError(
            "the file", "be encoded as UTF-8; this one is UTF-16. Save it as CSV UTF-8", None, Code.WRONG_FORM, got=""
        )
    if b"\x00" in data:
        raise TableError(
            "the file", "be a text file; this one holds a byte 0, which no text has", None, Code.WRONG_FORM, got=""
        )
    try:
        return bytes(data).decode("utf-8-sig"), ()
    except UnicodeDecodeError:
        note = "The file is not UTF-8; it was read as Latin-1. Check the labels that hold accents."
        return bytes(data).decode("latin-1"), (note,)


def _label(text: str, *, row: int, column: str) -> str:
    """A label as it is kept: trimmed, not empty, short, without control characters."""
    label = text.strip()
    if not label:
        raise TableError("a label", "not be empty", "", Code.EMPTY, got="", row=row, column=column)
    if len(label) > LONGEST_LABEL:
        raise TableError(
            "a label", f"have at most {LONGEST_LABEL} characters", len(label), Code.TOO_LARGE, row=row, column=column
        )
    if any(ord(character) < 32 or ord(character) == 127 for character in label):
        raise TableError("a label", "hold no control characters", label, Code.WRONG_FORM, row=row, column=column)
    return label


def _count(text: str, *, row: int, column: str) -> int:
    """One count of a user's table."""
    cleaned = text.strip()
    shown = cleaned if len(cleaned) <= 40 else cleaned[:37] + "..."
    rule = f"be a whole number from 0 to {LARGEST_COUNT:,}"
    if not cleaned:
        raise TableError("a count", "not be empty; write 0 for nobody", "", Code.EMPTY, got="", row=row, column=column)
    digits = cleaned[:-2] if cleaned.endswith(".0") else cleaned
    if not digits.isascii() or not digits.isdigit():
        raise TableError("a count", rule, text, Code.NOT_WHOLE, got=repr(shown), row=row, column=column)
    if len(digits) > 12 or int(digits) > LARGEST_COUNT:
        raise TableError("a count", rule, text, Code.OUT_OF_RANGE, got=repr(shown), row=row, column=column)
    return int(digits)


def _rows(text: str) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Header and numbered rows of a CSV text; blank lines are skipped."""
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    try:
        read = [
            (number, row)
            for number, row in enumerate(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True), 1)
            if any(cell.strip() for cell in row)
        ]
    except csv.Error as error:
        raise TableError("the file", f"be a readable CSV: {error}", None, Code.WRONG_FORM, got="") from None
    if not read:
        raise TableError("the file", "hold a header and at least one row; it is empty", None, Code.EMPTY, got="")
    if len(read) == 1:
        raise TableError("the file", "hold a header and at least one row; it holds one line", None, Code.EMPTY, got="")
    if len(read) - 1 > MOST_ROWS:
        raise TableError(
            "the file", f"have at most {MOST_ROWS:,} rows", len(read) - 1, Code.TOO_LARGE, got=f"{len(read) - 1:,}"
        )
    header = [_label(cell, row=read[0][0], column=f"{position}") for position, cell in enumerate(read[0][1], 1)]
    if len(header) < 2:
        raise TableError(
            "the header",
            "name at least two columns, separated by commas",
            header,
            Code.WRONG_FORM,
            got="",
            row=read[0][0],
        )
    seen: set[str] = set()
    for name in header:
        if name.casefold() in seen:
            raise TableError(
                "each column name", "appear once", name, Code.REPEATED, got="", row=read[0][0], column=name
            )
        seen.add(name.casefold())
    for number, row in read[1:]:
        if len(row) != len(header):
            raise TableError(
                "a row", f"have {len(header)} cells like the header", len(row), Code.WRONG_SHAPE, row=number
            )
    return header, read[1:]


def _size_checked(places: int, cells: int) -> None:
    if places * cells > MOST_CELLS:
        raise TableError(
            "the table",
            f"have at most {MOST_CELLS:,} cells",
            (places, cells),
            Code.TOO_LARGE,
            got=f"{places:,} x {cells:,}",
        )


def _wide(
    header: list[str], rows: list[tuple[int, list[str]]], place_column: int, notes: tuple[str, ...], name: str
) -> CountTable:
    _size_checked(len(rows), len(header) - 1)
    cells = [index for index in range(len(header)) if index != place_column]
    places: dict[str, int] = {}
    counts = []
    for number, row in rows:
        place = _label(row[place_column], row=number, column=header[place_column])
        if place in places:
            raise TableError(
                f"{place!r}",
                f"appear once; it is also in row {places[place]}",
                place,
                Code.REPEATED,
                got="",
                row=number,
                column=header[place_column],
            )
        places[place] = number
        counts.append([_count(row[index], row=number, column=header[index]) for index in cells])
    categories = tuple((header[index],) for index in cells)
    return CountTable(name, tuple(places), ("Category",), categories, np.array(counts), notes=notes)


def _long(
    header: list[str],
    rows: list[tuple[int, list[str]]],
    place_column: int,
    count_column: int,
    notes: tuple[str, ...],
    name: str,
) -> CountTable:
    attribute_columns = [index for index in range(len(header)) if index not in (place_column, count_column)]
    if not attribute_columns:
        raise TableError(
            "a long table",
            "have a place, at least one characteristic and a count",
            header,
            Code.WRONG_FORM,
            got="",
            row=1,
        )
    found: dict[tuple[str, tuple[str, ...]], tuple[int, int]] = {}
    for number, row in rows:
        place = _label(row[place_column], row=number, column=header[place_column])
        cell = tuple(_label(row[index], row=number, column=header[index]) for index in attribute_columns)
        if (place, cell) in found:
            text = ", ".join((place, *cell))
            raise TableError(
                f"{text!r}",
                f"appear once; it is also in row {found[place, cell][0]}",
                text,
                Code.REPEATED,
                got="",
                row=number,
            )
        found[place, cell] = (number, _count(row[count_column], row=number, column=header[count_column]))
    places = tuple(dict.fromkeys(place for place, _ in found))
    cells = tuple(dict.fromkeys(cell for _, cell in found))
    _size_checked(len(places), len(cells))
    counts = np.zeros((len(places), len(cells)), dtype=np.int64)
    place_index = {place: index for index, place in enumerate(places)}
    cell_index = {cell: index for index, cell in enumerate(cells)}
    for (place, cell), (_, people) in found.items():
        counts[place_index[place], cell_index[cell]] = people
    if len(found) < counts.size:
        notes = (*notes, f"{counts.size - len(found):,} combinations are not in the file; they count 0 people.")
    return CountTable(name, places, tuple(header[index] for index in attribute_columns), cells, counts, notes=notes)


def _place_column(header: list[str]) -> int:
    """Where the column of places is, by its name."""
    names = [column.strip().casefold() for column in header]
    found = [index for index, name in enumerate(names) if name in _PLACE_NAMES]
    if _PLACE_NAMES[0] in names:
        return names.index(_PLACE_NAMES[0])
    if len(found) > 1:
        both = " and ".join(repr(header[index]) for index in found)
        raise TableError(
            "the header",
            f"call one column {_PLACE_NAMES[0]}; here {both} could be it",
            header,
            Code.REPEATED,
            got="",
            row=1,
        )
    if not found:
        known = f"{', '.join(_PLACE_NAMES[:-1])} or {_PLACE_NAMES[-1]}"
        raise TableError(
            "the header",
            f"have a column of places, called {known}",
            header,
            Code.UNKNOWN_CHOICE,
            got=_shown_header(header),
            row=1,
        )
    return found[0]


def _shown_header(header: list[str]) -> str:
    text = ", ".join(header)
    return repr(text if len(text) <= 60 else text[:57] + "...")


def _count_column(header: list[str]) -> int | None:
    """Where the column of people of a long table is, by its name."""
    names = [column.casefold() for column in header]
    return next((names.index(name) for name in _COUNT_NAMES if name in names), None)


def _is_a_category(column: int, place_column: int, header: list[str], rows: list[tuple[int, list[str]]]) -> bool:
    """Whether a column called n is an answer (yes and no, y and n) of a wide table and not the people of a long one."""
    if header[column].casefold() != "n" or column == 0:
        return False
    places = {row[place_column].strip() for _, row in rows}
    counts = (cell for _, row in rows for index, cell in enumerate(row) if index != place_column)
    return len(places) == len(rows) and all(cell.strip().isdecimal() for cell in counts)


@call_hint
def read_counts(
    data: bytes | str, *, layout: Literal["auto", "long", "wide"] = "auto", name: str = "Your table"
) -> CountTable:
    r"""The table of counts in a CSV file that a user brings.

    A table to try things on: no promise about the people in it is made. Places and cells in the order of the file.
    Nothing is stored. Labels are kept as text: escape them with `escaped_for_display` or `escaped_for_spreadsheet`
    where they leave the program.
    Source: ours, input rules

    Parameters
    ----------
    data : bytes or str; the file. UTF-8, with or without a byte order mark; other bytes are read as Latin-1 and a note
        says so. Cells are separated by commas, semicolons or tabs, whichever the header uses most.
    layout : {'auto', 'long', 'wide'}; columns are told apart by their names and stand in any order. The column of
        places is called place (or block, tract, district, county, region, municipality, town, village or ward, where
        one column is). Long: a place, one or more characteristics, and a column called count (also n, people, number,
        frequency); one row per cell. Wide: a place, and one column of counts per category. 'auto' reads a file as long
        when it has a column of such a name; where that is n, all cells are whole numbers and each place has one row, n
        is a category (yes and no as y and n), and a note says so.
    name : str; what to call the table

    Raises
    ------
    TableError
        A ValueError with the row and column of the first fault: ``row 3, column 'count': a count must be a whole number
        from 0 to 1,000,000; got '-2'``; likewise for empty, repeated, too long or control-character labels, rows of
        another length than the header, places and categories called total, and files that are too large, binary or
        empty.

    Examples
    --------
    >>> table = read_counts("block,age,count\nA,adult,3\nA,child,1\n")
    >>> table.counts.tolist(), table.attributes
    ([[3, 1]], ('age',))
    >>> read_counts("block,adult,child\nA,3,1\nB,-2,0\n")
    Traceback (most recent call last):
        ...
    dpcore.populations.TableError: row 3, column 'adult': a count must be a whole number from 0 to 1,000,000; got '-2'
    """
    _checks.choice("layout", layout, ["auto", "long", "wide"])
    text, notes = _decoded(data)
    if "\x00" in text:
        raise TableError(
            "the file", "be a text file; this one holds a byte 0, which no text has", None, Code.WRONG_FORM, got=""
        )
    header, rows = _rows(text)
    place_column = _place_column(header)
    count_column = _count_column(header)
    if layout == "long" and count_column is None:
        raise TableError("a long table", "have a column called count", header, Code.WRONG_FORM, got="", row=1)
    if layout == "auto" and count_column is not None and _is_a_category(count_column, place_column, header, rows):
        notes = (
            *notes,
            f"Column {header[count_column]!r} is read as a category: every cell is a whole number and every place has "
            "one row. A column of people for each row is called count.",
        )
        count_column = None
    if layout == "long" or (layout == "auto" and count_column is not None and len(header) > 2):
        assert count_column is not None
        table = _long(header, rows, place_column, count_column, notes, name)
    else:
        table = _wide(header, rows, place_column, notes, name)
    labels = (*table.places, *(label for cell in table.cells for label in cell))
    if totals := [label for label in labels if label.casefold() in _TOTALS]:
        raise TableError("the table", "hold no totals, which count people again", totals[0], Code.REPEATED)
    if table.people == 0:
        raise TableError("the table", "count at least one person; every count is 0", 0, Code.EMPTY, got="")
    return table


@call_hint
def escaped_for_spreadsheet(text: str) -> str:
    """The text so that no spreadsheet runs it as a formula: an apostrophe goes before what would begin one.

    It is about text: no promise belongs to it. That is =, +, -, @, tab and return at the start of the text, and =, +,
    -, @ after a semicolon, comma, bar, tab or line end inside it, where a spreadsheet of another country begins the
    next cell; a signed number there is none.
    Source: ours, output rules

    Examples
    --------
    >>> escaped_for_spreadsheet("=cmd|' /C calc'!A0"), escaped_for_spreadsheet("a;=1+1")
    ("'=cmd|' /C calc'!A0", "a;'=1+1")
    >>> escaped_for_spreadsheet("Block 1"), escaped_for_spreadsheet("1, -2")
    ('Block 1', '1, -2')
    """
    _checks.kind_of("text", text, str, "text")
    inside = _FORMULA_INSIDE.sub(r"\1'", text)
    return "'" + inside if text.lstrip(" ").startswith(_FORMULA_STARTS) else inside


@call_hint
def escaped_for_display(text: str) -> str:
    """The text so that a browser shows it and runs none of it.

    It is about text: no promise belongs to it.
    Source: ours, output rules

    Examples
    --------
    >>> escaped_for_display("<script>")
    '&lt;script&gt;'
    """
    _checks.kind_of("text", text, str, "text")
    return html.escape(text)


@call_hint
def counts_as_csv(table: CountTable) -> str:
    r"""The table as a long CSV text of its occupied cells, labels escaped for spreadsheets.

    A table to try things on: no promise about the people in it is made.
    Source: ours, output rules

    Examples
    --------
    >>> print(counts_as_csv(read_counts("block,=a,b\nA,3,0\n")).splitlines()[1])
    A,'=a,3
    """
    _checks.kind_of("table", table, CountTable, "a table such as district_28_21()")
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([escaped_for_spreadsheet(text) for text in ("Place", *table.attributes, "Count")])
    for place, cell in np.argwhere(table.counts > 0):
        labels: list[Any] = [escaped_for_spreadsheet(text) for text in (table.places[place], *table.cells[cell])]
        writer.writerow([*labels, int(table.counts[place, cell])])
    return out.getvalue()
