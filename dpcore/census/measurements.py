"""Noisy tables of one area and of those that contain it, as the agency publishes them, and an attack with all of them.

A measurement is a noisy count of one cell of one table: level, area, table, cell, value and the variance of its noise.
A cell is written by the codes of the table's characteristics, ``"0*5"`` in ``hispanic*cenrace``. What is assumed of
other people stands with each measurement: how many of them the attacker knows in that cell, or nothing.

Tested on files drawn with the production settings (`draw_measurements`), not on files of the agency.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import reduce
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._properties import cached_property
from dpcore.census.settings import LEVELS, CensusTable, census_tables
from dpcore.errors import Code, Refused
from dpcore.mechanisms import DiscreteGaussian, _lattice
from dpcore.populations import synthetic_county
from dpcore.privacy_loss import PrivacyLoss

FACTORS = {"hhgq": 8, "votingage": 2, "hispanic": 2, "cenrace": 63, "hhinstlevels": 3}
"""How many codes each characteristic of a table has, from 0 on; the first four in this order make the detailed table.
``hhgq`` 0 is a household, 1 to 4 are institutions, 5 to 7 other group quarters; ``votingage`` 1 is 18 years and more,
``hispanic`` 1 is Hispanic."""
DETAILED = ("hhgq", "votingage", "hispanic", "cenrace")
KIND_OF_QUARTERS = (0, 1, 1, 1, 1, 2, 2, 2)
"""The code in ``hhinstlevels`` of each code of ``hhgq``."""
Query = Literal[
    "total",
    "cenrace",
    "hispanic",
    "votingage",
    "hhinstlevels",
    "hhgq",
    "hispanic*cenrace",
    "votingage*cenrace",
    "votingage*hispanic",
    "votingage*hispanic*cenrace",
    "detailed",
]
"""The name of a table, as the configuration has it."""
QUERIES: tuple[Query, ...] = get_args(Query)
MOST_ROWS = 20_000
"""Measurements that are read at once: an area and five above it have 15,617 cells."""
LARGEST_VALUE = 10**12

Cell = tuple[int, ...]


def factors_of(query: str) -> tuple[str, ...]:
    """The characteristics that a table crosses, in the order of its name."""
    return DETAILED if query == "detailed" else () if query == "total" else tuple(query.split("*"))


@call_hint
def cell_of(query: Query, detailed: str) -> str:
    """The cell of a table that counts a person, from the person's cell of the detailed table.

    It says where to look: no promise belongs to it. The total has one cell, written as nothing.
    Source: census_2020, strategy ProductionCandidate20210527US_mult8_add02_dsepJune3

    Parameters
    ----------
    query : str; name of a table, as in `census_tables`
    detailed : str; codes of `FACTORS` for household or group quarters, voting age, Hispanic origin and race

    Examples
    --------
    >>> cell_of("hispanic*cenrace", "3*1*0*5"), cell_of("hhinstlevels", "3*1*0*5"), cell_of("total", "3*1*0*5")
    ('0*5', '1', '')
    """
    return "*".join(
        map(str, _counted_in(_checks.choice("query", query, QUERIES), codes_of("detailed", detailed, "detailed")))
    )


def _counted_in(query: str, person: Cell) -> Cell:
    codes = dict(zip(DETAILED, person, strict=True))
    codes["hhinstlevels"] = KIND_OF_QUARTERS[codes["hhgq"]]
    return tuple(codes[factor] for factor in factors_of(query))


def codes_of(query: str, cell: str, name: str = "cell", at: str = "") -> Cell:
    """The codes of a cell as it is written; refused where the table has no such cell."""
    factors, text = factors_of(query), str(cell).strip()
    parts = [] if not factors and text in ("", "0", "total") else text.split("*")
    sizes = [FACTORS[factor] for factor in factors]
    codes = [int(part) if part.strip().isdecimal() and len(part) < 9 else -1 for part in parts]
    if len(codes) != len(sizes) or any(not 0 <= code < size for code, size in zip(codes, sizes, strict=True)):
        ranges = " * ".join(f"0 to {size - 1}" for size in sizes) or "empty"
        rule = f"be one of the table {query}: {ranges}"
        raise Refused(name, rule, text[:40], Code.UNKNOWN_CHOICE, at=at)
    return tuple(codes)


@call_hint
@dataclass(frozen=True, slots=True)
class Measurement:
    """A noisy count of one cell of one table in one area.

    What an attack reads; no promise by itself.
    Source: census_2020, strategy ProductionCandidate20210527US_mult8_add02_dsepJune3

    Parameters
    ----------
    level : str; one of `LEVELS`
    area : str; its name or number
    query : str; name of the table, as in `census_tables`
    cell : str; codes of `FACTORS`, parted by ``*``
    value : int; the noisy count
    variance : float; of its noise, greater than 0: the parameter σ² of discrete Gaussian noise
    known : int or None; people other than the target whom the attacker knows in this cell, all there are; None where
        any number of them is as likely

    Attributes
    ----------
    codes : tuple of int; those of the cell

    Examples
    --------
    >>> one = Measurement("block", "1001", "hispanic*cenrace", "0*5", value=3, variance=1874.0, known=2)
    >>> round(one.rho, 6), one.codes
    (0.000267, (0, 5))
    """

    level: str
    area: str
    query: str
    cell: str
    _: KW_ONLY
    value: int
    variance: float
    known: int | None = None
    codes: Cell = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _checks.choice("level", self.level, LEVELS)
        _checks.choice("query", self.query, QUERIES)
        _checks.count("value", self.value, -LARGEST_VALUE, LARGEST_VALUE)
        _checks.number("variance", self.variance, 1e-6, 1e12)
        if self.known is not None:
            _checks.count("known", self.known, 0, LARGEST_VALUE)
        object.__setattr__(self, "codes", codes_of(self.query, self.cell))

    @property
    def rho(self) -> float:
        """ρ of the noise for one person more or less in this cell: 1/(2σ²)."""
        return 1 / (2 * self.variance)


@call_hint
class Measurements:
    """Noisy tables of one area and of areas that contain it: one area on each level.

    What an attack reads; no promise by itself. Levels and cells may be missing.
    Source: census_2020, strategy ProductionCandidate20210527US_mult8_add02_dsepJune3

    Parameters
    ----------
    rows : iterable of Measurement; at least one, at most 20,000, each cell once

    Examples
    --------
    >>> held = Measurements([Measurement("block", "1001", "total", "", value=47, variance=7965.0)])
    >>> held.areas
    {'block': '1001'}
    """

    def __init__(self, rows: Iterable[Measurement]) -> None:
        self.areas: dict[str, str] = {}
        self._at: dict[tuple[str, str, Cell], Measurement] = {}
        for number, row in enumerate(rows, 1):
            if number > MOST_ROWS:
                raise Refused("the measurements", f"be at most {MOST_ROWS:,}", number, Code.TOO_LARGE, got="more")
            _checks.kind_of("the measurements", row, Measurement, "a list of Measurement")
            if self.areas.setdefault(row.level, row.area) != row.area:
                rule = f"be the same on each row of the level {row.level}: one area with those that contain it"
                raise Refused("area", rule, row.area, Code.INCONSISTENT, at=f"measurement {number}")
            place = row.level, row.query, row.codes
            if place in self._at:
                told = f"the cell {row.cell!r} of the table {row.query} of the {row.level.replace('_', ' ')}"
                raise Refused(told, "stand once", row.cell, Code.REPEATED, got="", at=f"measurement {number}")
            self._at[place] = row
        if not self._at:
            raise Refused("the measurements", "hold at least one row", None, Code.EMPTY, got="")
        self.areas = {level: self.areas[level] for level in LEVELS if level in self.areas}

    def __len__(self) -> int:
        return len(self._at)

    @property
    def rows(self) -> tuple[Measurement, ...]:
        """All of them, in their order."""
        return tuple(self._at.values())

    def at(self, level: str, query: str, codes: Cell) -> Measurement | None:
        """The measurement of a cell, if it is there."""
        return self._at.get((level, query, codes))


@call_hint
@dataclass(frozen=True)
class LevelEvidence:
    """What the tables of one level told of one person.

    An attack and no promise: it is about the measurements at hand.
    Source: ours, sum over cells

    Attributes
    ----------
    level, area : str, str; where
    tables : int; tables that show the secret
    cells, known : int, int; cells read, and those of them whose other people are all known
    reading, rho : float or None, float; the cells whose other people are known, as one count of the target: their mean,
        weighted by ρ, and their ρ together; None where there are none
    moved : float; by how much the log odds moved

    Examples
    --------
    >>> held = Measurements([Measurement("block", "A", "total", "", value=3, variance=10.0, known=1)])
    >>> MeasuredAttack(held, "0*1*0*0", prior=0.5).by_level[0].reading  # 3 - 1
    2.0
    """

    level: str
    area: str
    tables: int
    cells: int
    known: int
    reading: float | None
    rho: float
    moved: float


@call_hint
@dataclass(frozen=True, eq=False)
class MeasuredAttack:
    """Attack with all measurements of an area and those above it: is this person here, and with these characteristics?

    An attack and no promise: it is about the measurements at hand. Either the person lives in the area and has these
    characteristics, or (`instead`) has others there, or lives elsewhere in the same state and has the same: in none of
    the measured areas below the state, so in another county where a county is among them. So tables of the nation and
    the state, the states' totals among them, tell nothing of where in the state somebody lives.

    Exact under what is assumed of others: in a cell whose other people are known it is a shift of the log odds by
    ρ(2(x − known) − 1), and all such cells of a level are one reading. In other cells any number of others from 0 on,
    or from those known in the same cell of a smaller area, is taken to be as likely, apart for each table. It is the
    sum over all cells that count the person in one of the two cases.
    Source: ours, sufficient readings; thesis, equations (2.3), (2.12)

    Parameters
    ----------
    measurements : Measurements
    person : str; cell of the detailed table: codes of household or group quarters, voting age, Hispanic origin, race
    instead : str, optional; another cell of the detailed table; elsewhere in the state without it
    prior : float; belief before the release, in (0, 1)

    Examples
    --------
    >>> rows = [
    ...     Measurement("block", "A", "total", "", value=3, variance=10.0, known=1),
    ...     Measurement("block", "A", "cenrace", "4", value=1, variance=5.0, known=0),
    ... ]
    >>> attack = MeasuredAttack(Measurements(rows), "0*1*0*4", prior=0.5)
    >>> round(attack.log_odds, 10)  # (2 * 2 - 1)/20 + (2 * 1 - 1)/10
    0.25
    """

    measurements: Measurements
    person: str
    _: KW_ONLY
    instead: str | None = None
    prior: float

    def __post_init__(self) -> None:
        _checks.kind_of("measurements", self.measurements, Measurements, "Measurements")
        _checks.number("prior", self.prior, 0, 1, open_low=True, open_high=True)
        person = codes_of("detailed", self.person, "person")
        if self.instead is not None and codes_of("detailed", self.instead, "instead") == person:
            raise Refused("instead", "differ from the person", self.instead, Code.INCONSISTENT)
        if not self._read:
            rule = "show this person: a cell that counts her in one of the two cases"
            raise Refused("the measurements", rule, None, Code.EMPTY, got="")

    @cached_property
    def _read(self) -> tuple[tuple[Measurement, int, int], ...]:
        """Each cell that tells, whether it counts the person in the first case (1) or the second (-1), and a floor."""
        cases = [(codes_of("detailed", self.person), 1)]
        if self.instead is not None:
            cases.append((codes_of("detailed", self.instead), -1))
        levels = [level for level in LEVELS if level in self.measurements.areas]
        if self.instead is None:
            levels = [level for level in levels if LEVELS.index(level) > LEVELS.index("state")]
        found = []
        for query in QUERIES:
            cells = [(_counted_in(query, person), sign) for person, sign in cases]
            if len({cell for cell, _ in cells}) < len(cells):
                continue  # it counts the person in both cases
            for cell, sign in cells:
                floor = 0
                for level in reversed(levels):
                    row = self.measurements.at(level, query, cell)
                    if row is not None:
                        if row.known is not None and row.known < floor:
                            rule = f"be at least the {floor} known in the same cell of a smaller area"
                            raise Refused("known", rule, row.known, Code.INCONSISTENT)
                        floor = floor if row.known is None else row.known
                        found.append((row, sign, floor))
        return tuple(sorted(found, key=lambda one: LEVELS.index(one[0].level)))

    @cached_property
    def _moved(self) -> NDArray[np.float64]:
        """By how much each cell that tells moves the log odds."""
        rho = np.array([row.rho for row, _, _ in self._read])
        gap = np.array([row.value - floor for row, _, floor in self._read], dtype=np.float64)
        open_ended = np.array([row.known is None for row, _, _ in self._read])
        moved = rho * (2 * gap - 1)
        if open_ended.any():
            rates, gaps = rho[open_ended], gap[open_ended]
            moved[open_ended] = _lattice.log_half_sum(rates, gaps - 1) - _lattice.log_half_sum(rates, gaps)
        return np.array([sign for _, sign, _ in self._read]) * moved

    @property
    def log_odds(self) -> float:
        """Logarithm of the odds of the first case."""
        return float(logit(self.prior) + self._moved.sum())

    @property
    def posterior(self) -> float:
        """The attacker's belief in the first case."""
        return float(expit(self.log_odds))

    @cached_property
    def by_level(self) -> tuple[LevelEvidence, ...]:
        """What each level told, from the largest area down."""
        told = []
        for level, area in self.measurements.areas.items():
            here = [(one, float(by)) for one, by in zip(self._read, self._moved, strict=True) if one[0].level == level]
            sure = [
                (row.rho, (row.value - floor) if sign > 0 else 1 - (row.value - floor))
                for (row, sign, floor), _ in here
                if row.known is not None
            ]
            rho = math.fsum(rate for rate, _ in sure)
            told.append(
                LevelEvidence(
                    level=level,
                    area=area,
                    tables=len({row.query for (row, _, _), _ in here}),
                    cells=len(here),
                    known=len(sure),
                    reading=math.fsum(rate * count for rate, count in sure) / rho if sure else None,
                    rho=rho,
                    moved=math.fsum(by for _, by in here),
                )
            )
        return tuple(told)

    @cached_property
    def privacy_loss(self) -> PrivacyLoss:
        """The law of the privacy loss of these cells for somebody who knows all others.

        Nobody guesses better to whom the others tell nothing of the secret.
        """
        return PrivacyLoss(tuple((DiscreteGaussian(rho=row.rho), 1) for row, _, _ in self._read))


@call_hint
@dataclass(frozen=True)
class Drawn:
    """Measurements that were drawn, and somebody who is alone in a cell of their block.

    A table to try things on: no promise about the people in it is made. `person` and `elsewhere` are cells of the
    detailed table; in `measurements` all people but this one are known.
    Source: ours, `dpcore.populations.synthetic_county`

    Attributes
    ----------
    measurements : Measurements
    person : str; the cell of the person, as `MeasuredAttack` takes it

    Examples
    --------
    >>> drawn = draw_measurements(seed=1)
    >>> MeasuredAttack(drawn.measurements, drawn.person, prior=0.5).posterior > 0.5
    True
    """

    measurements: Measurements
    person: str


COUNTIES = {"state": 3, "nation": 6}
"""Of how many synthetic counties the larger areas of a drawn file are made."""


@call_hint
def draw_measurements(*, seed: int | np.random.Generator, block: int = 1, levels: Sequence[str] | None = None) -> Drawn:
    """Noisy tables of one invented block and of all areas above it, with the noise of the production settings.

    A table to try things on: no promise about the people in it is made. Invented people (`synthetic_county`): the block
    group has seven blocks, the tract two groups, the county two tracts, the state three counties, the nation two
    states. For teaching and testing: the noise is drawn in floating point.
    Source: census_2020, strategy ProductionCandidate20210527US_mult8_add02_dsepJune3
    Source: ours, `dpcore.populations.synthetic_county`

    Parameters
    ----------
    seed : int or numpy.random.Generator; at least 0. The same seed gives the same measurements.
    block : int; number of the block in its county, from 1 to 28
    levels : sequence of str, optional; of `LEVELS`; all without it

    Examples
    --------
    >>> len(draw_measurements(seed=1).measurements), len(draw_measurements(seed=1, levels=["block"]).measurements)
    (15617, 2603)
    """
    first, number = _checks.first_seed(seed), _checks.count("block", block, 1, 28) - 1
    generator, tables = np.random.default_rng([first, number]), census_tables(levels=levels)
    larger = [size for level, size in COUNTIES.items() if any(table.level == level for table in tables)]
    counties = [_county(first + more) for more in range(max(larger, default=1))]
    blocks = {"block": 1, "block_group": 7, "tract": 14, "county": 28}
    people = {level: counties[0][number // size * size :][:size].sum(axis=0) for level, size in blocks.items()}
    for level, size in COUNTIES.items():
        if size <= len(counties):
            people[level] = np.sum(counties[:size], axis=(0, 1))
    alone = np.argwhere(people["block"] == people["block"][people["block"] > 0].min())[0]
    person = tuple(map(int, alone))
    names = {"block": f"Block {number + 1}", "block_group": f"Group {number // 7 + 1}"}
    names |= {"tract": f"Tract {number // 14 + 1}", "county": "County 1", "state": "State 1", "nation": "Nation"}
    rows = [
        row for table in tables for row in _drawn(table, names[table.level], people[table.level], person, generator)
    ]
    return Drawn(Measurements(rows), "*".join(map(str, person)))


def _county(seed: int) -> NDArray[np.int64]:
    """The people of a synthetic county: by block, quarters, voting age, Hispanic origin and race."""
    return np.asarray(synthetic_county(seed=seed).counts).reshape(-1, 8, 2, 2, 63)[:, :, ::-1, ::-1]


def _drawn(
    table: CensusTable, area: str, people: NDArray[np.int64], person: Cell, generator: np.random.Generator
) -> Iterable[Measurement]:
    """The noisy cells of one table of one area, each with the other people in it."""
    true = _counts(table.query, people)
    noisy = true + table.noise.simulate_noise(true.shape, seed=generator)
    known = true.copy()
    known[_counted_in(table.query, person)] -= 1
    variance = float(1 / table.rho)
    for cell in np.ndindex(true.shape):
        yield Measurement(
            table.level,
            area,
            table.query,
            "*".join(map(str, cell)),
            value=int(noisy[cell]),
            variance=variance,
            known=int(known[cell]),
        )


def _counts(query: str, people: NDArray[np.int64]) -> NDArray[np.int64]:
    """A table of people by their characteristics, from the detailed one."""
    if query == "hhinstlevels":
        return reduce(
            lambda counts, one: counts + one,
            (np.eye(3, dtype=np.int64)[kind] * people[code].sum() for code, kind in enumerate(KIND_OF_QUARTERS)),
        )
    kept = factors_of(query)
    return np.asarray(people.sum(axis=tuple(place for place, factor in enumerate(DETAILED) if factor not in kept)))
