"""What noisy tables say of one area's count where no count is negative, exactly: a law of whole numbers.

Least squares is linear and may be negative; here the law of the noise is taken as it is. Each area on the way up is the
area below it and what lies beside that, and both are at least 0. What lies beside an area, and what lies in it, is read
as sums, level by level: a flat belief about every single part would say of their sum that it is large.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore._properties import cached_property
from dpcore.adjustment.least_squares import LeastSquares
from dpcore.adjustment.tables import NoisyTable
from dpcore.adjustment.trees import IntArray
from dpcore.errors import Code, Refused
from dpcore.mechanisms import NoiseMechanism

DROP = 34.0
"""What is left out of a law is below exp(-34) of its peak."""
MOST_PRODUCTS = 400_000_000
"""Most products in a step from one level to the next: four seconds where they have to be taken in logarithms."""
AT_ONCE = 4_000_000
LINEAR = 600.0  # logarithms that lie so close are added up as plain numbers, of which none underflows
ROUNDS = 40


@dataclass(frozen=True, eq=False)
class CountPosterior:
    """The law of a count given noisy counts: whole numbers from the first one on, and their probabilities.

    About what is learned of a count; no promise about a secret belongs to it. It depends on the belief before.

    Attributes
    ----------
    first : int; the smallest count
    probabilities : array of float, shape (counts,); of each count from there on
    unread : int; noisy counts of the same cells and the same tree of areas that could not be read as sums, because
        some of the areas beside them have no parts, or noise of another size

    Examples
    --------
    >>> law = CountPosterior(3, np.array([0.25, 0.5, 0.25]), 0)
    >>> law.mean, law.mode, law.interval(0.7)
    (4.0, 4, (3, 4))
    """

    first: int
    probabilities: FloatArray
    unread: int = 0

    def __post_init__(self) -> None:
        for name in ("first", "unread"):
            object.__setattr__(self, name, _checks.count(name, getattr(self, name)))
        masses = _checks.probability("probabilities", self.probabilities)
        if masses.ndim != 1 or abs(float(masses.sum()) - 1.0) > 1e-9:
            raise Refused("probabilities", "be a list that adds up to 1", float(masses.sum()), Code.INCONSISTENT)
        object.__setattr__(self, "probabilities", masses)

    @property
    def counts(self) -> IntArray:
        """The counts that are possible."""
        return self.first + np.arange(self.probabilities.size)

    @property
    def mean(self) -> float:
        """Mean of the count."""
        return float(self.counts @ self.probabilities)

    @property
    def mode(self) -> int:
        """The most likely count, the smallest where there are several."""
        return self.first + int(np.argmax(self.probabilities))

    def interval(self, level: float = 0.95) -> tuple[int, int]:
        """The shortest range that holds the count with a probability of at least the level, in (0, 1)."""
        wanted = _checks.number("level", level, 0.0, 1.0, open_low=True, open_high=True)
        likely = np.argsort(-self.probabilities, kind="stable")
        held = np.cumsum(self.probabilities[likely])
        kept = likely[: int(np.searchsorted(held, min(wanted + 1e-12, held[-1]))) + 1]
        return self.first + int(kept.min()), self.first + int(kept.max())


class Reading(NamedTuple):
    """A published sum: a whole number with the noise of so many counts."""

    value: int
    law: NoiseMechanism
    terms: int

    def log(self, at: IntArray) -> FloatArray:
        """Log probability of the published sum for each true one."""
        return self.law.log_sum_pmf((self.value - at).astype(float), self.terms)


@dataclass(frozen=True)
class _Fit:
    """How well counts of some areas fit what was published of them: log probabilities but for a constant.

    total : their exact total over all cells; None where it is not known
    others : readings of the other cells; None where there are none
    """

    readings: list[Reading] = field(default_factory=list)
    total: int | None = None
    others: list[Reading] | None = None

    @property
    def tells(self) -> bool:
        """Whether anything is known of the sum by itself."""
        return bool(self.readings) or self.total is not None

    def log(self, at: IntArray) -> FloatArray:
        """Log probability of what was published for each true sum, -inf where it cannot be."""
        found = np.where(at < 0, -np.inf, 0.0)
        for reading in self.readings:
            found = found + reading.log(at)
        if self.total is not None:
            rest = self.total - at
            for reading in self.others or ():
                found = found + reading.log(rest)
            found = np.where((rest == 0) | ((rest > 0) & (self.others is not None)), found, -np.inf)
        return found


@dataclass(frozen=True)
class _Readings:
    """The published numbers of a table as sums over areas."""

    table: NoisyTable
    noise: Sequence[NoiseMechanism | None]
    chosen: IntArray

    @cached_property
    def parents(self) -> IntArray:
        return np.asarray(self.table.tree.parents)

    @cached_property
    def published(self) -> NDArray[np.bool_]:
        return np.isfinite(np.asarray(self.table.variances)).all(axis=1)

    @cached_property
    def others(self) -> IntArray:
        return np.setdiff1d(np.arange(np.shape(self.table.counts)[1]), self.chosen)

    def parts(self, areas: IntArray) -> IntArray:
        """All parts of some areas."""
        return np.flatnonzero(np.isin(self.parents, areas))

    def beside(self, area: int) -> IntArray:
        """The other parts of the area that it lies in."""
        found = self.parts(self.parents[[area]])
        return found[found != area]

    def path(self, area: int) -> list[int]:
        """The area and those that it lies in, upwards."""
        found = [area]
        while self.parents[found[-1]] >= 0:
            found.append(int(self.parents[found[-1]]))
        return found

    def sums(self, areas: IntArray, cells: IntArray, *, most: int | None = None) -> list[Reading]:
        """Sums over the areas, then over their parts, and so on as long as all have parts and noise of one size."""
        found: list[Reading] = []
        while areas.size and cells.size and (most is None or len(found) < most):
            while (inner := ~self.published[areas]).any():
                areas = np.concatenate([areas[~inner], self.parts(areas[inner])])
            laws = {self.noise[area] for area in areas.tolist()}
            law = next(iter(laws))
            if len(laws) > 1 or law is None:
                break
            values = np.asarray(self.table.counts)[np.ix_(areas, cells)]
            _checks.refuse_fractions("counts", values.ravel(), as_list=True)
            found.append(Reading(int(values.sum()), law, values.size))
            if self.table.tree.undivided[areas].any():
                break
            areas = self.parts(areas)
        return found

    def fit(self, areas: IntArray, *, own: bool = False, parts_are_known: bool = False) -> _Fit:
        """How well a sum over some areas fits their numbers: `own` leaves out those of their parts."""
        bounds = self.table.bounds
        published = bool(self.published[areas].all())
        most = (1 if published else 0) if own else None
        readings = self.sums(areas, self.chosen, most=most)
        if not areas.size or not bounds.known[areas].all():
            return _Fit(readings)
        total = int(bounds.least[areas].sum())
        if not self.others.size:
            return _Fit(readings, total)
        return _Fit(readings, total, self.sums(areas, self.others, most=most if parts_are_known else None))


@call_hint
def count_posterior(
    table: NoisyTable, *, noise: Sequence[NoiseMechanism | None], area: int, cells: Sequence[int] | None = None
) -> CountPosterior:
    """The law of the count of one area given the noisy counts of a table at all levels, its exact totals, and 0.

    It reads published numbers: whatever promise the noise keeps about a secret is kept; none covers a change that
    alters an exact total. Exact for the stated noise, under a belief that is flat before the release: every count of
    the area from 0 up is as likely as any other, and so is, at each level above, the count of what lies beside it.
    Parts, and what lies beside, are read as sums, so that it does not matter how these counts are spread; that a single
    one of them is not negative is not used.
    Source: thesis, equation (2.30) and section 2.3.2 (the flat belief); ours, messages over windows of whole numbers
    and the exact law of sums of noise; checked by enumeration and against `dpcore.attacks.many_levels.log_odds`

    Parameters
    ----------
    table : NoisyTable; whole noisy counts, exact totals
    noise : sequence of NoiseMechanism or None; of each count of an area, in the order of areas; None where none is
        published
    area : int; which area
    cells : sequence of int, optional; whose sum is asked for; all of them where it is left out

    Examples
    --------
    >>> from dpcore.adjustment import AreaTree, NoisyTable
    >>> from dpcore.mechanisms import Geometric
    >>> tree, law = AreaTree([-1, 0, 0]), Geometric(epsilon=1.0)
    >>> table = NoisyTable(tree, [[4], [-2], [5]], variances=law.variance)
    >>> found = count_posterior(table, noise=[law] * 3, area=1)
    >>> found.interval(0.95), round(float(found.probabilities[0]), 3)  # most likely nobody
    ((0, 1), 0.81)
    """
    _checks.kind_of("table", table, NoisyTable, "a NoisyTable")
    areas, size = np.shape(table.counts)
    entries = len(noise) if isinstance(noise, Sequence) else noise
    if entries != areas:
        raise Refused("noise", f"have an entry for each of the {areas} areas", entries, Code.WRONG_SHAPE)
    for one in noise:
        _checks.kind_of("noise", one, NoiseMechanism | None, "noise such as Geometric(epsilon=1.0), or None")
    own = _checks.count("area", area, 0, areas - 1)
    asked = range(size) if cells is None else cells
    chosen = np.unique([_checks.count("cells", cell, 0, size - 1) for cell in asked]).astype(np.int64)
    if not chosen.size:
        raise Refused("cells", "be at least one", list(asked), Code.EMPTY)
    readings = _Readings(table, noise, chosen)
    path = readings.path(own)
    known = table.bounds.known
    here = [readings.fit(np.array([own]))]
    beside: list[_Fit | None] = []
    for below, above in pairwise(path):
        others = readings.beside(below)
        beside.append(readings.fit(others) if others.size else None)
        shared = bool(known[[below, *others.tolist()]].any())
        here.append(readings.fit(np.array([above]), own=True, parts_are_known=shared))
    read = sum(reading.terms for fit in (*here, *filter(None, beside)) for reading in fit.readings)
    while here and not here[-1].tells:  # of an area above of which nothing is known, nothing is learned
        here.pop()
    if not here:
        raise Refused("area", "have a published count, or parts whose counts have one noise", own, Code.EMPTY)
    law, first = _solved(here, beside[: len(here) - 1], *_begin(table, path[: len(here)], chosen))
    return CountPosterior(first, law, _published_below(readings, path[-1]) * chosen.size - read)


def _published_below(readings: _Readings, top: int) -> int:
    """How many areas of a tree have published counts."""
    areas, found = np.array([top]), 0
    while areas.size:
        found += int(readings.published[areas].sum())
        areas = readings.parts(areas)
    return found


def _begin(table: NoisyTable, path: list[int], cells: IntArray) -> tuple[IntArray, IntArray, FloatArray]:
    """Windows of the counts of each area of the path about their least squares, and the most that each can be."""
    fit = LeastSquares(table)
    weights = np.zeros((len(path), *np.shape(table.counts)))
    weights[np.arange(len(path))[:, None], np.array(path)[:, None], cells] = 1.0
    middle = np.maximum(fit.counts[np.ix_(np.array(path), cells)].sum(axis=1), 0.0)
    wide = 8 * np.sqrt(np.maximum(np.diagonal(fit.covariance(weights)), 0.0)) + 4
    most = table.bounds.most[path]
    low = np.minimum(np.maximum(np.floor(middle - wide), 0.0), most)
    return low.astype(np.int64), np.minimum(np.ceil(middle + wide), most).astype(np.int64), most


def _solved(
    here: list[_Fit], beside: list[_Fit | None], low: IntArray, high: IntArray, most: FloatArray
) -> tuple[FloatArray, int]:
    """The law of the lowest count, its windows widened until nothing of it is left out, and the first count of it.

    Log-concave noise makes the law log-concave: where it is small at the edges of all windows, it is smaller beyond.
    """
    for _ in range(ROUNDS):
        laws = _marginals(here, beside, low, high)
        wider = [low.copy(), high.copy()]
        for level, law in enumerate(laws):
            least, wide = law.max() - DROP, int(high[level] - low[level]) + 8
            if low[level] > 0 and not law[0] < least:
                wider[0][level] = max(low[level] - wide, 0)
            if high[level] < most[level] and not law[-1] < least:
                wider[1][level] = min(high[level] + wide, most[level])
        if (wider[0] == low).all() and (wider[1] == high).all():
            break
        low, high = wider
    if not np.isfinite(laws[0].max()):
        raise Refused(
            "counts", "be possible together: noise never puts them so far apart", None, Code.INFEASIBLE, got=""
        )
    law = np.exp(laws[0] - laws[0].max())
    kept = np.flatnonzero(law > np.exp(-DROP))
    law = law[kept[0] : kept[-1] + 1]
    return law / law.sum(), int(low[0] + kept[0])


def _marginals(here: list[_Fit], beside: list[_Fit | None], low: IntArray, high: IntArray) -> list[FloatArray]:
    """Log weights of the counts in each window, given everything: messages up, and messages down."""
    windows = [np.arange(first, last + 1) for first, last in zip(low.tolist(), high.tolist(), strict=True)]
    own = [fit.log(window) for fit, window in zip(here, windows, strict=True)]
    kernels = []
    for level, fit in enumerate(beside):
        gaps = np.arange(low[level + 1] - high[level], high[level + 1] - low[level] + 1)
        kernels.append(np.where(gaps == 0, 0.0, -np.inf) if fit is None else fit.log(gaps))
    up = [own[0]]
    for kernel, above in zip(kernels, own[1:], strict=True):
        up.append(above + _passed(kernel, up[-1][::-1], above.size))
    down = own[-1]
    found = [up[-1]]
    for level in range(len(kernels) - 1, -1, -1):
        message = _passed(kernels[level], down, own[level].size)[::-1]
        found.append(up[level] + message)
        down = own[level] + message
    return found[::-1]


def _passed(kernel: FloatArray, message: FloatArray, size: int) -> FloatArray:
    """log of the sum over j of exp(kernel[i + j] + message[j]), for i from 0 to size - 1."""
    if message.size * size > MOST_PRODUCTS:
        rule = f"be so narrow that {MOST_PRODUCTS:,} sums of two counts tell one level from the next"
        got = f"{message.size:,} times {size:,}"
        raise Refused("noise", rule, message.size * size, Code.TOO_LARGE, got=got)
    tops = kernel.max(initial=-np.inf), message.max(initial=-np.inf)
    if not np.isfinite(tops).all():
        return np.full(size, -np.inf)
    lowest = [values[np.isfinite(values)].min() for values in (kernel, message)]
    with np.errstate(divide="ignore"):
        if sum(tops) - sum(lowest) < LINEAR:
            plain = np.correlate(np.exp(kernel - tops[0]), np.exp(message - tops[1]), "valid")
            return np.asarray(np.log(plain) + sum(tops))
        rows = np.lib.stride_tricks.sliding_window_view(kernel, message.size)
        step = max(1, AT_ONCE // message.size)
        return np.concatenate([_log_sums(rows[at : at + step] + message) for at in range(0, size, step)])


def _log_sums(rows: FloatArray) -> FloatArray:
    peaks = rows.max(axis=1)
    peaks = np.where(np.isfinite(peaks), peaks, 0.0)
    return np.asarray(np.log(np.exp(rows - peaks[:, None]).sum(axis=1)) + peaks)
