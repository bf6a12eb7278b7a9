"""Noisy tables of counts that use what is public: the Wasserstein exponential mechanism with three base measures.

The release y of a table x has weight exp(-epsilon_per_unit |y - x|) times a base measure: any integers (naive), counts
with the public total (congenial), or counts weighted by last period's table (Dirichlet-multinomial).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaln, gammaln

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore._roots import bracketed_root
from dpcore.errors import Code, Refused
from dpcore.mechanisms import Geometric

Base = Literal["naive", "congenial", "dirichlet_multinomial"]
BASES: tuple[Base, ...] = get_args(Base)
LARGEST_TOTAL = 20_000
LARGEST_CELLS = 500
# Exact laws convolve every cell over the total: cells times squared total beyond this takes more than a few seconds.
LARGEST_WORK = 2_000_000_000
# Enumerating more tables than this would take longer than a reader waits.
LARGEST_ENUMERATION = 20_000


def _counts(name: str, values: Sequence[int]) -> tuple[int, ...]:
    """The values as whole, non-negative numbers."""
    if isinstance(values, (str, bytes)) or np.ndim(values) != 1 or len(values) == 0:
        raise Refused(name, "be a list of whole numbers", values, Code.WRONG_TYPE)
    return tuple(_checks.count(f"{name}[{i}]", value) for i, value in enumerate(values))


@call_hint
def dirichlet_multinomial_log_pmf(counts: Sequence[int], concentrations: Sequence[float]) -> float:
    """Log probability of a table of counts under the Dirichlet-multinomial law with its own total (exact).

    It comes from what is public: no promise belongs to it.
    Source: seeman, section 5.1, with the Gamma functions put right

    Parameters
    ----------
    counts : sequence of int; the table, non-negative
    concentrations : sequence of float; one parameter per cell, greater than 0

    Examples
    --------
    Two cells with parameters 1 and 1: every split of a total of 4 is equally likely.

    >>> round(math.exp(dirichlet_multinomial_log_pmf([1, 3], [1, 1])), 12)
    0.2
    """
    table = np.asarray(_counts("counts", counts), dtype=float)
    parameters = _concentrations(concentrations, table.size)
    total, strength = table.sum(), parameters.sum()
    result = gammaln(total + 1) - _log_rising(strength, total)
    result += np.sum(_log_rising(parameters, table) - gammaln(table + 1))
    return float(result)


def _log_rising(start: ArrayLike, count: ArrayLike) -> FloatArray:
    """log(start (start + 1) ... (start + count - 1)); a difference of two gammaln loses it at a large start."""
    some = np.maximum(count, 1.0)
    return np.where(np.greater(count, 0), gammaln(some) - betaln(start, some), 0.0)


def _concentrations(values: Sequence[float], cells: int) -> FloatArray:
    parameters = _checks.array("concentrations", values, 0, open_low=True)
    if parameters.shape != (cells,):
        raise Refused("concentrations", f"have one value per cell ({cells})", parameters.size, Code.WRONG_SHAPE)
    return parameters


@call_hint
def concentrations_from(*, previous: Sequence[int], strength: float) -> FloatArray:
    """Dirichlet-multinomial parameters that trust a previous table: strength times its counts (an empty cell counts ½).

    It comes from what is public: no promise belongs to it.
    Source: seeman, section 5.1
    Source: ours, an empty earlier cell counts one half, since a parameter of 0 would forbid the cell

    Parameters
    ----------
    previous : sequence of int; the public table of an earlier period
    strength : float; weight of one earlier record, greater than 0. Large values copy the earlier table.

    Examples
    --------
    >>> concentrations_from(previous=[10, 0], strength=2).tolist()
    [20.0, 1.0]
    """
    table = np.asarray(_counts("previous", previous), dtype=float)
    result: FloatArray = _checks.number("strength", strength, 0, open_low=True) * np.where(table > 0, table, 0.5)
    return result


@call_hint
@dataclass(frozen=True)
class CountTableRelease:
    """A table released by the Wasserstein exponential mechanism with the sum of absolute differences as loss.

    The promise is about the cell of one person (a value), who moves while the total stays. The printed theorem drops
    the normaliser of the law: with the last two bases the loss can reach twice the nominal one. `worst_table_loss`
    gives the exact loss.
    Source: seeman, Theorem 1 and section 5.1

    Parameters
    ----------
    true : sequence of int; the confidential table, non-negative
    epsilon_per_unit : float; rate of decay per unit of difference (the mechanism's epsilon over the sensitivity of its
        loss); greater than 0. Moving one person changes two cells by one.
    base : {"naive", "congenial", "dirichlet_multinomial"}; naive: independent noise on each cell, any integers.
        Congenial: non-negative counts with the true total, which is public. Dirichlet-multinomial: congenial, weighted
        towards `concentrations`.
    concentrations : sequence of float, optional; parameters of the Dirichlet-multinomial base, greater than 0

    Examples
    --------
    Two cells and total 1: the release is the truth with weight 1, the other table with weight exp(-2).

    >>> release = CountTableRelease(true=(1, 0), epsilon_per_unit=1.0, base="congenial")
    >>> round(float(release.cell_laws()[0][1]), 6) == round(1 / (1 + math.exp(-2)), 6)
    True
    """

    true: tuple[int, ...]
    _: KW_ONLY
    epsilon_per_unit: float
    base: Base = "congenial"
    concentrations: tuple[float, ...] | None = field(default=None)

    def __post_init__(self) -> None:
        true = _counts("true", self.true)
        if len(true) > LARGEST_CELLS:
            raise Refused("true", f"have at most {LARGEST_CELLS} cells", len(true), Code.TOO_LARGE)
        if sum(true) > LARGEST_TOTAL:
            raise Refused("true", f"have a total of at most {LARGEST_TOTAL}", sum(true), Code.TOO_LARGE)
        object.__setattr__(self, "true", true)
        object.__setattr__(
            self, "epsilon_per_unit", _checks.number("epsilon_per_unit", self.epsilon_per_unit, 0, open_low=True)
        )
        _checks.choice("base", self.base, BASES)
        work = len(true) * sum(true) ** 2
        if self.base != "naive" and work > LARGEST_WORK:
            raise Refused("true", f"have cells times squared total of at most {LARGEST_WORK}", work, Code.TOO_LARGE)
        if (self.concentrations is None) is (self.base == "dirichlet_multinomial"):
            raise Refused(
                "concentrations",
                "be given with base 'dirichlet_multinomial' and only then",
                (self.concentrations, self.base),
                Code.INCONSISTENT,
                got=f"{self.concentrations!r} with base {self.base!r}",
            )
        if self.concentrations is not None:
            parameters = _concentrations(self.concentrations, len(true))
            object.__setattr__(self, "concentrations", tuple(parameters.tolist()))

    @property
    def total(self) -> int:
        """The table's total: public with every base but the naive one."""
        return sum(self.true)

    def cell_laws(self) -> FloatArray:
        """Exact law of each released cell: one row per cell, one column per count 0 to the total.

        Source: ours, the base measures factor given the total, so the law is a convolution
        """
        if self.base == "naive":
            raise Refused(
                "base",
                "be 'congenial' or 'dirichlet_multinomial' for laws on 0 to the total",
                self.base,
                Code.UNSUPPORTED,
                got="'naive'",
            )
        rows = self._tilted_rows()
        others = _others(rows, self.total)
        laws = rows * others[:, ::-1]
        result: FloatArray = laws / laws.sum(axis=1, keepdims=True)
        return result

    def expected_absolute_error(self) -> FloatArray:
        """Exact mean absolute error of each released cell.

        Source: seeman, Figure 4, computed exactly; naive: ours, 2a/(1 - a²) with a = exp(-epsilon_per_unit)

        Examples
        --------
        >>> CountTableRelease(true=(3, 1), epsilon_per_unit=0.1, base="naive").expected_absolute_error().round(
        ...     4
        ... ).tolist()
        [9.9834, 9.9834]
        """
        if self.base == "naive":
            return np.full(len(self.true), Geometric(epsilon=self.epsilon_per_unit).mean_absolute)
        distance = np.abs(np.arange(self.total + 1) - np.asarray(self.true)[:, None])
        result: FloatArray = np.sum(self.cell_laws() * distance, axis=1)
        return result

    def draw(self, size: int = 1, *, seed: int | np.random.Generator) -> np.ndarray:
        """Simulated releases, one a row: exact independent draws, for study and not for release.

        Source: ours, cell by cell from the exact conditional law given the rest of the total

        Parameters
        ----------
        seed : int or numpy.random.Generator; seed of the generator; equal seeds give equal draws
        size : int; number of releases, from 1 to 10,000
        """
        number = _checks.count("size", size, 1, 10_000)
        generator = _checks.seeded(seed)
        true = np.asarray(self.true)
        if self.base == "naive":
            noise = Geometric(epsilon=self.epsilon_per_unit)
            return true + noise.simulate_noise((number, true.size), seed=generator)
        rows = self._tilted_rows()
        after = _suffix_sums(rows, self.total)
        draws = np.zeros((number, true.size), dtype=int)
        for draw in draws:
            left = self.total
            for cell in range(true.size - 1):
                law = np.cumsum(rows[cell, : left + 1] * after[cell + 1][left::-1])
                draw[cell] = np.searchsorted(law, generator.random() * law[-1], side="right")
                left -= draw[cell]
            draw[-1] = left
        return draws

    def _tilted_rows(self) -> FloatArray:
        """Weights of each cell's counts, tilted so that their means add up to the total.

        A tilt exp(t y) leaves the law given the total unchanged and keeps the products away from underflow.
        """
        return _tilted(_log_rows(self.true, self.epsilon_per_unit, self.concentrations), self.total)


def _log_rows(true: Sequence[int], epsilon_per_unit: float, concentrations: tuple[float, ...] | None) -> FloatArray:
    """Log weights of the counts 0 to the total, one row per cell."""
    y = np.arange(sum(true) + 1)
    rows: FloatArray = -epsilon_per_unit * np.abs(y - np.asarray(true)[:, None])
    if concentrations is not None:
        parameters = np.asarray(concentrations)[:, None]
        rows = rows + _log_rising(parameters, y) - gammaln(y + 1)
    return rows


def _tilted(log_rows: FloatArray, total: int) -> FloatArray:
    y = np.arange(total + 1)

    def excess(tilt: float) -> float:
        tilted = log_rows + tilt * y
        weights = np.exp(tilted - tilted.max(axis=1, keepdims=True))
        return float(np.sum(weights @ y / weights.sum(axis=1)) - total)

    tilt = 0.0
    if total > 0 and len(log_rows) > 1:
        bound = 1.0
        while excess(-bound) > 0 or excess(bound) < 0:
            bound *= 2
        tilt = float(
            bracketed_root(lambda point: np.asarray(excess(float(point))), np.asarray(-bound), np.asarray(bound))
        )
    tilted = log_rows + tilt * y
    result: FloatArray = np.exp(tilted - tilted.max(axis=1, keepdims=True))
    return result


def _suffix_sums(rows: FloatArray, total: int) -> list[FloatArray]:
    """Law of the sum of cells i, i+1, ... up to scale, for each i (and the empty sum last)."""
    sums = [np.append(1.0, np.zeros(total))]
    for row in rows[::-1]:
        combined = np.convolve(row, sums[-1])[: total + 1]
        sums.append(combined / combined.max())
    return sums[::-1]


def _others(rows: FloatArray, total: int) -> FloatArray:
    """Law of the sum of all cells but i, up to scale: one row per cell."""
    after = _suffix_sums(rows, total)
    before = _suffix_sums(rows[::-1], total)[::-1]
    result = np.empty_like(rows)
    for cell in range(len(rows)):
        combined = np.convolve(before[cell], after[cell + 1])[: total + 1]
        result[cell] = combined / combined.max()
    return result


def _tables(cells: int, total: int) -> Iterator[tuple[int, ...]]:
    """Every table of non-negative counts with the total."""
    for bars in itertools.combinations(range(total + cells - 1), cells - 1):
        yield tuple(stop - start - 1 for start, stop in itertools.pairwise((-1, *bars, total + cells - 1)))


@call_hint
def worst_table_loss(
    *, cells: int, total: int, epsilon_per_unit: float, concentrations: Sequence[float] | None = None
) -> float:
    """Exact privacy loss of a table release: the largest log ratio when one person moves from a cell to another.

    The promise is about the cell of one person (a value), who moves while the total stays. The maximum over all tables
    with the total of 2 epsilon_per_unit plus the change in the log normaliser, which the printed theorem drops; it is
    attained when the released table equals the true one.
    Source: ours, enumeration of all pairs; seeman, Theorem 1 states 2 epsilon_per_unit

    Parameters
    ----------
    cells, total : int; number of cells and public total; together at most 20,000 tables (by symmetry, the congenial
        base needs far fewer normalisers)
    epsilon_per_unit : float; rate of decay per unit of absolute difference, greater than 0
    concentrations : sequence of float, optional; parameters of the Dirichlet-multinomial base; left out for the
        congenial base

    Examples
    --------
    Three cells, total 6, nominal loss 1: the true one is larger.

    >>> round(worst_table_loss(cells=3, total=6, epsilon_per_unit=0.5), 4)
    1.3176
    """
    cells = _checks.count("cells", cells, 1)
    total = _checks.count("total", total)
    epsilon_per_unit = _checks.number("epsilon_per_unit", epsilon_per_unit, 0, open_low=True)
    tables = math.comb(total + cells - 1, cells - 1)
    if tables > LARGEST_ENUMERATION:
        raise Refused("cells and total", f"give at most {LARGEST_ENUMERATION} tables", tables, Code.TOO_LARGE)
    parameters = None
    if concentrations is not None:
        parameters = tuple(_concentrations(concentrations, cells).tolist())
    if cells == 1 or total == 0:
        return 0.0  # one possible table: no pair to tell apart

    @cache
    def log_normaliser(table: tuple[int, ...]) -> float:
        log_rows = _log_rows(table, epsilon_per_unit, parameters)
        peaks = log_rows.max(axis=1, keepdims=True)
        sums = np.append(1.0, np.zeros(total))
        for row in np.exp(log_rows - peaks):
            sums = np.convolve(row, sums)[: total + 1]
        if sums[total] > 1e-250:
            return float(np.log(sums[total]) + peaks.sum())
        logs = np.append(0.0, np.full(total, -np.inf))  # the cells' own peaks are far from any table of this total
        for row in log_rows:
            logs = np.array([np.logaddexp.reduce(row[: left + 1] + logs[left::-1]) for left in range(total + 1)])
        return float(logs[total])

    change = 0.0
    for table in _tables(cells, total):
        if parameters is None and list(table) != sorted(table):
            continue  # the congenial base treats all cells alike: one order of each table is enough
        here = log_normaliser(table)
        for source in range(cells):
            for target in range(cells):
                if source == target or table[source] == 0:
                    continue
                moved = list(table)
                moved[source] -= 1
                moved[target] += 1
                there = log_normaliser(tuple(sorted(moved)) if parameters is None else tuple(moved))
                change = max(change, abs(here - there))
    return 2 * epsilon_per_unit + change
