"""Rebuild a whole block from its noisy tables: the most likely people, whether they are the only ones, and a fair
baseline.

The unknowns are the counts of a small table's cells; the published tables are sums of cells with noise. The most likely
block minimises a convex cost of whole numbers, which an integer programme with chords between neighbouring whole
numbers solves exactly.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array, eye_array, hstack, vstack

from dpcore import _checks
from dpcore.attacks._inputs import whole_numbers
from dpcore.errors import Code, Refused
from dpcore.mechanisms import CountLaw, NoiseMechanism, noise_kinds
from dpcore.rounding import largest_remainders

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

TableNoise = Literal["discrete_gaussian", "geometric", "none"]
NOISES: tuple[TableNoise, ...] = get_args(TableNoise)
_KINDS = {kind.name: kind for kind in noise_kinds() if kind.name in NOISES}
MOST_PEOPLE = 2_000
_LARGEST = 1e12
"""Counts up to this are added up."""
_SMALL = 1e-3
"""Budgets below this have costs too small for the solver."""
_EQUAL = 1e-6
"""Costs closer than this are equal: the solver works to about 1e-7."""
_STRAIGHT = 1e-9
"""A cost that bends down by no more than this is convex: it is the error of the logarithms."""


@dataclass(frozen=True, eq=False)
class Tables:
    """Published tables of a block: what each published count adds up.

    It says what is counted: no promise belongs to it.
    Source: thesis, Table 2.1

    Parameters
    ----------
    labels : tuple of str; one per published count
    matrix : array of int, shape (published counts, cells); which cells each count adds

    Examples
    --------
    >>> Tables(("adults", "all"), [[1, 0], [1, 1]]).answers([3, 1]).tolist()
    [3, 4]
    """

    labels: tuple[str, ...]
    matrix: IntArray

    def __post_init__(self) -> None:
        try:
            matrix = np.atleast_2d(np.asarray(self.matrix))
        except ValueError:
            rule, lengths = "have rows of equal length", [np.size(row) for row in self.matrix]
            raise Refused("matrix", rule, lengths, Code.WRONG_SHAPE) from None
        fits = matrix.ndim == 2 and len(matrix) == len(self.labels) and matrix.size
        if not fits or not np.isin(matrix, (0, 1)).all():
            raise Refused(
                "matrix",
                "hold 0 and 1 with one row per label",
                matrix.shape,
                Code.WRONG_SHAPE,
                got=f"shape {matrix.shape}",
            )
        object.__setattr__(self, "matrix", matrix.astype(np.int64))

    def answers(self, counts: ArrayLike) -> IntArray:
        """The published counts without noise."""
        cells, values = self.matrix.shape[1], whole_numbers("counts", counts)
        if values.shape != (cells,):
            raise Refused("counts", f"hold {cells} numbers", values.size, Code.WRONG_SHAPE)
        _checks.array("counts", values, 0.0, _LARGEST)
        return np.asarray(self.matrix @ values.astype(np.int64))


def redistricting_tables(cells: Sequence[Sequence[str]]) -> Tables:
    """Tables in the style of P1 to P5 of the redistricting file, for any list of cells.

    It says what is counted: no promise belongs to it. Race; Hispanic origin and race of the others; the same two for
    people of voting age; quarters.
    Source: thesis, Table 2.1; simplified to sums of our cells

    Parameters
    ----------
    cells : sequence of tuple of int; labels of the cells, in the order of the counts. 'Of voting age' and 'Hispanic'
        are recognised by these words.

    Examples
    --------
    >>> redistricting_tables([("Household", "Of voting age", "Hispanic", "White")]).labels[:2]
    ('P1 total', 'P1 White')
    """
    for cell in cells:
        if len(cell) != 4:
            raise Refused("cells", "have four characteristics each", tuple(cell), Code.WRONG_SHAPE)
    labels = np.array([tuple(cell) for cell in cells], dtype=object).reshape(len(cells), 4)
    quarters, age, origin, race = labels.T
    rows: dict[str, NDArray[np.bool_]] = {}
    for race_table, origin_table, counted in (
        ("P1", "P2", np.ones(len(cells), dtype=bool)),
        ("P3", "P4", age == "Of voting age"),
    ):
        rows[f"{race_table} total"] = counted
        for name in dict.fromkeys(race):
            rows[f"{race_table} {name}"] = counted & (race == name)
        rows[f"{origin_table} Hispanic"] = counted & (origin == "Hispanic")
        for name in dict.fromkeys(race):
            rows[f"{origin_table} not Hispanic, {name}"] = counted & (origin != "Hispanic") & (race == name)
    for place in dict.fromkeys(quarters):
        rows[f"P5 {place}"] = quarters == place
    return Tables(tuple(rows), np.array(list(rows.values()), dtype=np.int64))


def marginal_tables(cells: Sequence[Sequence[str]], *, attributes: Sequence[str]) -> Tables:
    """The total and all tables of one and of two characteristics, for any list of cells.

    It says what is counted: no promise belongs to it.
    Source: ours, low-order marginals

    Parameters
    ----------
    cells : sequence of sequence of str; labels of the cells, in the order of the counts
    attributes : sequence of str; names of the characteristics, one per label

    Examples
    --------
    >>> marginal_tables([("adult",), ("child",)], attributes=["age"]).labels
    ('total', 'age adult', 'age child')
    """
    for cell in cells:
        if len(cell) != len(attributes):
            raise Refused("cells", "have one label per characteristic", tuple(cell), Code.WRONG_SHAPE)
    labels = np.array([tuple(cell) for cell in cells], dtype=object).reshape(len(cells), len(attributes))
    rows: dict[str, NDArray[np.bool_]] = {"total": np.ones(len(cells), dtype=bool)}
    for order in (1, 2):
        for chosen in itertools.combinations(range(len(attributes)), order):
            for values in dict.fromkeys(tuple(labels[row, list(chosen)]) for row in range(len(cells))):
                name = ", ".join(f"{attributes[index]} {value}" for index, value in zip(chosen, values, strict=True))
                rows[name] = np.logical_and.reduce(
                    [labels[:, index] == value for index, value in zip(chosen, values, strict=True)]
                )
    return Tables(tuple(rows), np.array(list(rows.values()), dtype=np.int64))


def draw_tables(
    counts: ArrayLike,
    *,
    tables: Tables,
    noise: TableNoise | CountLaw = "discrete_gaussian",
    budget: float = 1.0,
    seed: int | np.random.Generator,
) -> NDArray[Any]:
    """Noisy tables of a block, drawn from a seed; or rounded ones, or whatever a method publishes.

    A simulation, not for release, makes no promise: who knows the seed can take the noise off. For teaching: drawn from
    a floating-point generator.
    Source: ours, simulation

    Parameters
    ----------
    counts : array of int; true counts of the cells, at least 0
    tables : Tables
    noise : {'discrete_gaussian', 'geometric', 'none'} or CountLaw; a kind of noise, or the law of each published count
        itself, such as a method of `dpcore.methods`; each count is drawn on its own
    budget : float, optional; ρ (discrete Gaussian) or ε (geometric) of each published count, greater than 0; not used
        without noise or with a law
    seed : int or numpy.random.Generator; at least 0

    Examples
    --------
    >>> tables = Tables(("all",), np.ones((1, 2)))
    >>> draw_tables([2, 3], tables=tables, noise="none", budget=1, seed=0).tolist()
    [5]
    """
    exact, generator = tables.answers(counts), _checks.seeded(seed)
    if isinstance(noise, CountLaw):
        return np.asarray(noise.simulate_counts(0, known=exact, size=exact.size, seed=generator))
    if _checks.choice("noise", noise, NOISES) == "none":
        return exact
    return np.asarray(exact + _KINDS[noise].with_budget(budget).simulate_noise(exact.size, seed=generator))


@dataclass(frozen=True, eq=False)
class Reconstruction:
    """A rebuilt block.

    An attack on the records of a whole block at once; no promise about any one person belongs to it.

    Parameters
    ----------
    counts : array of int or None; the best counts found; None when none was found in time
    cost : float; negative log likelihood of the tables, up to a constant
    status : str; 'most likely': proven best. 'likely': of a law whose log likelihood is not concave, a block that fits,
        not proven best. 'best in time': the limit struck first. 'stopped', 'not found', 'impossible': none has these.
    unique : bool or None; whether no other block is as likely; None when that was not settled
    runner_up : array of int or None; the most likely other block, when it was sought and found
    margin : float or None; how much larger the runner-up's cost is, in log-likelihood units
    seconds : float; time spent

    Examples
    --------
    >>> tables = Tables(("a", "b", "all"), [[1, 0], [0, 1], [1, 1]])
    >>> found = rebuild([3, 1, 4], tables=tables, noise="none")
    >>> found.counts.tolist(), found.unique
    ([3, 1], True)
    """

    counts: IntArray | None
    cost: float
    status: str
    unique: bool | None
    runner_up: IntArray | None
    margin: float | None
    seconds: float


def _convex(costs: FloatArray) -> FloatArray:
    """The largest convex costs below these, row by row: the same where they are convex, as for all kinds of noise."""
    rises = np.isfinite(costs).astype(np.int8)
    parted = np.flatnonzero((np.diff(rises, axis=1, prepend=0) > 0).sum(axis=1) > 1)
    if parted.size:
        rule = "be possible for every count between two for which it is"
        raise Refused("released", rule, int(parted[0]), Code.UNSUPPORTED)
    with np.errstate(invalid="ignore"):  # beyond what is possible the cost is infinite, and bends nowhere
        bent = (np.diff(costs, 2) < -_STRAIGHT).any(axis=1)
    found = costs.copy()
    for row in np.flatnonzero(bent).tolist():
        possible = np.flatnonzero(np.isfinite(costs[row]))
        corners: list[int] = []
        for place in possible.tolist():
            while len(corners) > 1 and _over(costs[row], corners[-2], corners[-1], place):
                corners.pop()
            corners.append(place)
        found[row, possible] = np.interp(possible, corners, costs[row, corners])
    return found


def _over(cost: FloatArray, first: int, middle: int, last: int) -> bool:
    """Whether the middle is on or over the chord of the other two."""
    return bool((cost[middle] - cost[first]) * (last - first) >= (cost[last] - cost[first]) * (middle - first))


class _Programme:
    """The integer programme of one block: variables are cells, published sums, costs of the sums."""

    def __init__(
        self,
        tables: Tables,
        exact: FloatArray,
        people: int | None,
    ):
        costs = _convex(exact)
        self.matrix = csr_array(tables.matrix.astype(float))
        self.queries, self.cells = tables.matrix.shape
        self.costs, self.exact, self.most, self.people = costs, exact, costs.shape[1] - 1, people
        possible = np.isfinite(costs)
        self.low = np.argmax(possible, axis=1)
        self.high = self.most - np.argmax(possible[:, ::-1], axis=1)
        self.possible = bool(possible.any(axis=1).all())
        self.flat = bool((np.where(possible, costs, 0.0) == 0.0).all())
        self.chords: set[tuple[int, int]] = set()
        for query, centre in enumerate(np.argmin(costs, axis=1).tolist()):
            for shift in (-8, -4, -2, -1, 0, 1, 2, 4, 8):
                self._add_chord(query, centre + shift)

    def _add_chord(self, query: int, start: int) -> bool:
        """Add the chord from a sum to the next, or the nearest one to it; whether it was there before."""
        if self.low[query] == self.high[query]:
            return True
        chord = (query, int(np.clip(start, self.low[query], self.high[query] - 1)))
        known = chord in self.chords
        self.chords.add(chord)
        return known

    def total(self, counts: IntArray, *, least: bool = False) -> float:
        """Cost of a block; or the convex one that is solved, which no block's is below."""
        sums = np.minimum((self.matrix @ counts).astype(int), self.most)
        return float((self.costs if least else self.exact)[np.arange(self.queries), sums].sum())

    def solve(self, limit: float, other_than: IntArray | None) -> tuple[IntArray | None, int]:
        """Best block with the present chords, and the solver's status (0 proven, 1 limit, 2 impossible)."""
        if not self.possible:
            return None, 2
        cells, queries = self.cells, self.queries
        binaries = 0 if other_than is None else 2 * cells
        width = cells + 2 * queries + binaries
        parts: list[Any] = []
        low: list[FloatArray] = []
        high: list[FloatArray] = []

        def add(block: Any, start: int, least: FloatArray, greatest: FloatArray) -> None:
            rows = block.shape[0]
            left = csr_array((rows, start))
            right = csr_array((rows, width - start - block.shape[1]))
            parts.append(hstack([left, block, right], format="csr"))
            low.append(least)
            high.append(greatest)

        if self.flat:
            add(self.matrix, 0, self.low.astype(float), self.high.astype(float))
        else:
            zero = np.zeros(queries)
            add(hstack([self.matrix, -eye_array(queries, format="csr")], format="csr"), 0, zero, zero)
            query, start = np.array(sorted(self.chords)).reshape(-1, 2).T
            at, after = self.costs[query, start], self.costs[query, start + 1]
            rows = np.arange(start.size)
            block = csr_array(
                (np.r_[at - after, np.ones(start.size)], (np.r_[rows, rows], np.r_[query, query + queries])),
                shape=(start.size, 2 * queries),
            )
            add(block, cells, at - (after - at) * start, np.full(start.size, np.inf))
        if self.people is not None:
            add(csr_array(np.ones((1, cells))), 0, np.array([float(self.people)]), np.array([float(self.people)]))
        lower, upper = np.zeros(width), np.full(width, np.inf)
        upper[:cells] = self.most
        if not self.flat:
            lower[cells : cells + queries], upper[cells : cells + queries] = self.low, self.high
        if other_than is not None:
            here = other_than.astype(float)
            one = eye_array(cells, format="csr")
            gap_up = hstack([one, csr_array((cells, 2 * queries)), -csr_array(np.diag(here + 1))], format="csr")
            add(gap_up, 0, np.zeros(cells), np.full(cells, np.inf))
            down = csr_array(np.diag(self.most - here + 1))
            gap_down = hstack([one, csr_array((cells, 2 * queries + cells)), down], format="csr")
            add(gap_down, 0, np.full(cells, -np.inf), np.full(cells, float(self.most)))
            add(csr_array(np.ones((1, binaries))), cells + 2 * queries, np.ones(1), np.array([np.inf]))
            upper[cells + 2 * queries :] = 1
        objective = np.zeros(width)
        if not self.flat:
            objective[cells + queries : cells + 2 * queries] = 1
        integrality = np.zeros(width)
        integrality[:cells] = 1
        integrality[cells + 2 * queries :] = 1
        found = milp(
            objective,
            constraints=LinearConstraint(vstack(parts, format="csc"), np.concatenate(low), np.concatenate(high)),
            integrality=integrality,
            bounds=Bounds(lower, upper),
            options={"time_limit": max(limit, 0.01), "mip_rel_gap": 0.0},
        )
        if found.x is None:
            return None, int(found.status)
        return np.rint(found.x[:cells]).astype(np.int64), int(found.status)

    def refine(self, counts: IntArray) -> bool:
        """Add the chords around a solution; whether any was missing where the cost would be underestimated."""
        if self.flat:
            return False
        missing = False
        for query, value in enumerate((self.matrix @ counts).astype(int).tolist()):
            known = [self._add_chord(query, value + shift) for shift in (-1, 0)]
            missing = missing or not any(known)
        return missing


def costs_of_sums(
    released: ArrayLike,
    *,
    tables: Tables,
    noise: TableNoise | CountLaw,
    budget: ArrayLike,
    people: int | None,
    most: int | None,
) -> FloatArray:
    """Negative log likelihood of each published count, at each true sum from 0 on; infinite where it cannot be.

    An attack on the records of a whole block at once; no promise about any one person belongs to it. Up to a constant
    for kinds of noise.
    Source: ours, logarithms of the law

    Examples
    --------
    >>> tables = Tables(("all",), [[1, 1]])
    >>> costs_of_sums([1], tables=tables, noise="discrete_gaussian", budget=0.5, people=None, most=3).tolist()
    [[0.5, 0.0, 0.5, 2.0]]
    """
    queries = tables.matrix.shape[0]
    published = np.atleast_1d(np.asarray(released, dtype=object))
    if published.shape != (queries,):
        raise Refused(
            "released",
            "have one entry per published count",
            (published.size, queries),
            Code.WRONG_SHAPE,
            got=f"{published.size} for {queries}",
        )
    law = noise if isinstance(noise, CountLaw) else None
    numbers = whole_numbers("released", [one for one in published.tolist() if law is None or not isinstance(one, str)])
    largest = int(np.clip(numbers.max(initial=0), 0, MOST_PEOPLE - 10)) + 10
    if law is not None and numbers.size == queries:
        published = numbers
    if people is not None or most is not None:
        everybody = MOST_PEOPLE if people is None else max(1, _checks.count("people", people, 0, MOST_PEOPLE))
        largest = everybody if most is None else min(everybody, _checks.count("most", most, 1, MOST_PEOPLE))
    elif numbers.max(initial=0) > MOST_PEOPLE:
        rule = f"be at most {MOST_PEOPLE}, where neither people nor most is given"
        raise Refused("released", rule, float(numbers.max()), Code.TOO_LARGE)
    elif law is not None:
        while np.isfinite(law.log_law(published, count=largest)).any():
            if largest == MOST_PEOPLE:
                if isinstance(law, NoiseMechanism):
                    break
                rule = f"stand for at most {MOST_PEOPLE} people, where neither people nor most is given"
                raise Refused("released", rule, None, Code.TOO_LARGE, got="more")
            largest = min(2 * largest, MOST_PEOPLE)
    sums = np.arange(largest + 1)
    if isinstance(noise, CountLaw):
        return np.transpose([-noise.log_law(published, count=int(count)) for count in sums])
    gap = np.abs(np.subtract.outer(numbers, sums))
    if _checks.choice("noise", noise, NOISES) == "none":
        return np.where(gap == 0.0, 0.0, np.inf)
    budgets = _checks.array("budget", budget, 0.0, open_low=True)
    if budgets.shape not in ((), (queries,)):
        raise Refused("budget", "be one for all, or one per published count", budgets.size, Code.WRONG_SHAPE)
    budgets = np.broadcast_to(budgets, (queries,))
    return np.asarray(budgets[:, None] * gap ** (_KINDS[noise].log_power or 1))


def rebuild(
    released: ArrayLike,
    *,
    tables: Tables,
    noise: TableNoise | CountLaw = "discrete_gaussian",
    budget: ArrayLike = 1.0,
    people: int | None = None,
    most: int | None = None,
    time_limit: float = 10.0,
    check_unique: bool = True,
    progress: Callable[[float, float], bool | None] | None = None,
) -> Reconstruction:
    """The most likely block given its noisy tables, or tables that a method of disclosure control published.

    An attack on the records of a whole block at once; no promise about any one person belongs to it. Exact when its
    status is 'most likely'.
    Source: ours, integer programme with chords

    Parameters
    ----------
    released : array; published counts, one per row of `tables`; may be negative; at most 2,000 without `people` and
        `most`
    tables : Tables
    noise : {'discrete_gaussian', 'geometric', 'none'} or CountLaw; a kind of noise; without noise the tables must hold
        exactly. Or the law of each published count itself, such as a method of `dpcore.methods`: solved by the largest
        convex cost below its own.
    budget : float or array; ρ (discrete Gaussian) or ε (geometric) of each published count, greater than 0; not used
        with a law
    people : int, optional; number of people in the block, when it is published exactly
    most : int, optional; largest count of a cell or table considered; by default `people`, or a little above the
        largest released count
    time_limit : float; seconds for everything, greater than 0
    check_unique : bool; whether to look for a second block that is as likely
    progress : callable, optional; called with the seconds used and `time_limit` before each solve; returning True stops
        early and keeps what there is

    Examples
    --------
    >>> tables = Tables(("a", "b", "all"), [[1, 0], [0, 1], [1, 1]])
    >>> result = rebuild([3, 1, 4], tables=tables, budget=1.0)
    >>> result.counts.tolist(), result.status, result.unique
    ([3, 1], 'most likely', True)
    """
    started = time.perf_counter()
    number = None if people is None else _checks.count("people", people, 0, MOST_PEOPLE)
    limit = _checks.number("time_limit", time_limit, 0, open_low=True)
    costs = costs_of_sums(released, tables=tables, noise=noise, budget=budget, people=number, most=most)
    counted = isinstance(noise, CountLaw) or noise == "none"
    # the solver's error is absolute: small costs are raised, by a power of two that changes no digit of them
    small = not counted and float(np.max(budget)) < _SMALL
    unit = 2.0 ** math.frexp(float(np.max(budget)))[1] if small else 1.0
    programme = _Programme(tables, costs / unit, number)

    def stopped() -> bool:
        return progress is not None and bool(progress(time.perf_counter() - started, limit))

    def left() -> float:
        return limit - (time.perf_counter() - started)

    def best(other_than: IntArray | None) -> tuple[IntArray | None, str]:
        while True:
            if stopped():
                return None, "stopped"
            if left() <= 0:
                return None, "not found"
            counts, status = programme.solve(left(), other_than)
            if counts is None:
                return None, "impossible" if status == 2 else "not found"
            if status != 0:
                return counts, "best in time"
            if not programme.refine(counts):
                return counts, "most likely"

    counts, status = best(None)
    if counts is None:
        return Reconstruction(None, np.inf, status, None, None, None, time.perf_counter() - started)
    cost = programme.total(counts)
    if status == "most likely" and cost - programme.total(counts, least=True) > _EQUAL:
        status = "likely"
    unique: bool | None = None
    runner_up: IntArray | None = None
    margin: float | None = None
    if check_unique and status == "most likely":
        runner_up, second = best(counts)
        if second == "impossible":
            unique = True
        elif runner_up is not None:
            margin = programme.total(runner_up) - cost
            if margin <= _EQUAL:
                unique, margin = False, max(margin, 0.0)
            elif second == "most likely" and programme.total(runner_up, least=True) - cost > _EQUAL:
                unique = True
    margin = None if margin is None else margin * unit
    return Reconstruction(counts, cost * unit, status, unique, runner_up, margin, time.perf_counter() - started)


def guess_from_shares(shares: ArrayLike, *, people: int) -> IntArray:
    """The block that somebody would guess without the release: public shares, rounded to the number of people.

    An attack on the records of a whole block at once; no promise about any one person belongs to it. Adds up to
    `people`: whole parts first, then the largest remainders (the earlier cell on ties).
    Source: ours, baseline

    Parameters
    ----------
    shares : array of float; public share of each cell, at least 0, not all 0
    people : int; people in the block

    Examples
    --------
    >>> guess_from_shares([0.6, 0.3, 0.1], people=5).tolist()
    [3, 2, 0]
    """
    weights = np.atleast_1d(_checks.array("shares", shares, 0.0))
    if weights.ndim != 1 or weights.sum() <= 0:
        raise Refused("shares", "have positive mass", weights.tolist(), Code.EMPTY)
    return largest_remainders(weights, total=_checks.count("people", people))


def people_right(guessed: ArrayLike, truth: ArrayLike) -> int:
    """How many people of the truth the guess places in their cell.

    An attack on the records of a whole block at once; no promise about any one person belongs to it. The sum over cells
    of the smaller of the two counts.
    Source: ours, hit count

    Parameters
    ----------
    guessed, truth : array of int; counts of the same cells, at least 0

    Examples
    --------
    >>> people_right([3, 1, 0], [2, 1, 1])
    3
    """
    first, second = whole_numbers("guessed", guessed), whole_numbers("truth", truth)
    for name, counts in (("guessed", first), ("truth", second)):
        _checks.array(name, counts, 0.0)
    if first.shape != second.shape:
        raise Refused(
            "guessed",
            "have one entry per cell",
            (first.size, second.size),
            Code.WRONG_SHAPE,
            got=f"{first.size} for {second.size}",
        )
    return int(np.minimum(first, second).sum())
