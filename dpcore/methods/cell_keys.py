"""Cell keys: noise that is looked up in a table by the count and by a key of the people who are counted.

Each record has a secret random key; a cell's key is made of those of its records, so the same people always get the
same noise. The table's row for a count is the law of what is published. Rows of largest entropy have the form
exp(a v + b v^2) in the noise v.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import brentq

from dpcore import _checks
from dpcore._cache import cached_by_size
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore._properties import cached_property
from dpcore.errors import Code, Refused
from dpcore.methods.laws import DisclosureControl, PublishedLaw

LARGEST_NOISE = 1_000
"""Most that a cell key may add to a count here, or take off it."""
PRINTED_TO = 1e-6
"""How far from 1 the printed probabilities of a row may sum, and how far a row's mean may be from its count."""
MOST_ENTRIES = 200_000
"""Most entries of a perturbation table."""


@call_hint
@dataclass(frozen=True, kw_only=True)
class CellKey(DisclosureControl):
    """Perturbation by cell keys with rows of largest entropy: unbiased noise of one variance, cut off at an end.

    The method makes no promise: it hides whether one person is counted with its noise alone, and now and then tells for
    certain. A count of 0 stays 0, so a published count above 0 proves that somebody is counted. Each row is judged when
    it is asked for; `table` judges all. From variance D (D + 1)/3 on a full row has more mass at its ends than in its
    middle. ptable adds a condition of its own (mono) and then may miss the variance: read its file with
    `PerturbationTable.from_text`.
    Source: giessing, section 2 (maximum entropy); fraser_wooton, keys of records
    Source: ours, the exponential form and its range of variances; checked against a general convex solver

    Parameters
    ----------
    largest_noise : int; D, the most that is added or taken off, from 1 to 1000
    variance : float; V, of the noise of every row but that of 0, at least 0
    never_published : int, optional; js: the counts from 1 to this one are never published; below `largest_noise`

    Examples
    --------
    >>> keys = CellKey(largest_noise=2, variance=1)
    >>> keys.law(30).values, keys.law(30).probability.round(4).tolist()
    ((28, 29, 30, 31, 32), [0.0638, 0.2447, 0.383, 0.2447, 0.0638])
    >>> round(keys.presence(30).probability_certain(), 4)  # 33 is published in one world only
    0.0638
    """

    largest_noise: int
    variance: float
    never_published: int = 0

    def __post_init__(self) -> None:
        most = _checks.count("largest_noise", self.largest_noise, 1, LARGEST_NOISE)
        object.__setattr__(self, "largest_noise", most)
        object.__setattr__(self, "variance", _checks.number("variance", self.variance, 0.0))
        object.__setattr__(self, "never_published", _checks.count("never_published", self.never_published, 0, most - 1))

    @property
    def first_full_row(self) -> int:
        """The smallest count whose noise may take every whole number up to the largest: larger ones use its row."""
        return self.largest_noise + (self.never_published + 1 if self.never_published else 0)

    @property
    def representative_counts(self) -> tuple[int, ...]:
        """Counts of the others up to the first full row."""
        return tuple(range(self.first_full_row + 1))

    def variance_range(self, count: int) -> tuple[int, int]:
        """Smallest and largest variance that the row of a count can have with mean 0.

        The largest puts all mass on the two ends; the smallest none off 0, or on the neighbours of 0 where the count
        itself is never published.
        """
        noise = self._noise(_checks.count("count", count))
        return (0 if 0 in noise else -int(noise[noise < 0].max() * noise[noise > 0].min())), int(-noise[0] * noise[-1])

    @property
    def table(self) -> PerturbationTable:
        """Every row, the last one full; refused by the first row that has no such law."""
        rows = [self._law(row) for row in range(self.first_full_row + 1)]
        return PerturbationTable(
            tuple(
                (law.count, value, mass)
                for law in rows
                for value, mass in zip(law.values, law.probability.tolist(), strict=True)
            )
        )

    def _noise(self, count: int) -> FloatArray:
        """The noise that a row allows, rising."""
        row = min(count, self.first_full_row)
        published = np.arange(max(0, row - self.largest_noise), row + self.largest_noise + 1)
        if row == 0:
            return np.zeros(1)
        return (published[(published == 0) | (published > self.never_published)] - row).astype(np.float64)

    def _law(self, count: int) -> PublishedLaw:
        row = min(count, self.first_full_row)
        noise, log_probability = _row_of(self, row)
        possible = log_probability > -math.inf
        return PublishedLaw(count, tuple(count + int(added) for added in noise[possible]), log_probability[possible])

    def _row(self, row: int) -> tuple[FloatArray, FloatArray]:
        """Noise and log probabilities of a row of the table."""
        noise = self._noise(row)
        if noise.size == 1:
            return noise, np.zeros(1)
        least, most = self.variance_range(row)
        if not least <= self.variance <= most:
            raise Refused("variance", f"lie in [{least}, {most}]", self.variance, Code.INFEASIBLE, at=f"row {row}")
        return noise, _largest_entropy(noise, self.variance, least, most)


@cached_by_size()
def _row_of(keys: CellKey, row: int) -> tuple[FloatArray, FloatArray]:
    """A row of a table of cell keys: all larger counts ask for the last one again."""
    return keys._row(row)


def _largest_entropy(noise: FloatArray, variance: float, least: float, most: float) -> FloatArray:
    """log of p ~ exp(a v + b v^2) with mean 0 and this variance on the noise v; at an end of its range two points.

    With mean 0, E (v - l)(u - v) = -l u - V for the ends l < 0 < u, and E (v - l)(v - u) = V + l u for the neighbours
    of 0, or E v^2 = V where 0 is allowed. The one that is smaller fixes the law: no digit is lost near an end.
    """
    below, above = noise[noise < 0], noise[noise > 0]
    if most - variance < variance - least:
        statistic, mean = (noise - noise[0]) * (noise[-1] - noise), most - variance
    elif least > 0:
        statistic, mean = (noise - below[-1]) * (noise - above[0]), variance - least
    else:
        statistic, mean = noise * noise, variance
    if mean == 0.0:  # the law lives where the statistic is 0
        kept = statistic == 0.0
        weights = np.zeros(noise.size)
        weights[kept] = 1.0 if kept.sum() == 1 else np.abs(noise[kept])[::-1] / np.abs(noise[kept]).sum()
        with np.errstate(divide="ignore"):
            return np.log(weights)
    log_size = np.log(np.abs(np.where(noise == 0, 1.0, noise)))
    with np.errstate(divide="ignore"):
        log_statistic = np.log(statistic)
    left, right = noise < 0, noise > 0

    def balanced(b: float) -> FloatArray:
        """The exponent with slope b in the statistic and mean 0."""

        def pull(a: float) -> float:
            weighed = log_size + a * noise + b * statistic
            return _log_sum(weighed[right]) - _log_sum(weighed[left])

        reach = abs(pull(0.0)) / 2 + 1.0  # its slope is at least 2
        return _root(pull, reach) * noise + b * statistic

    def misses(b: float) -> float:
        exponent = balanced(b)
        return _log_sum(exponent + log_statistic) - _log_sum(exponent) - math.log(mean)

    reach = 1.0
    while misses(reach) < 0.0 or misses(-reach) > 0.0:
        reach *= 2.0
    exponent = balanced(_root(misses, reach))
    return exponent - _log_sum(exponent)


def _log_sum(logs: FloatArray) -> float:
    """log of the sum of exponentials, of a few at a time."""
    top = float(logs.max())
    return top + math.log(float(np.exp(logs - top).sum()))


def _root(function: Callable[[float], float], reach: float) -> float:
    """The root of a rising function between -reach and reach, to the last digits of a float."""
    return float(brentq(function, -reach, reach, xtol=1e-300, rtol=8.9e-16, maxiter=500))


@call_hint
@dataclass(frozen=True)
class PerturbationTable(DisclosureControl):
    r"""Perturbation by cell keys with rows that are given, as an office's table has them.

    The method makes no promise: it hides whether one person is counted with its noise alone, and now and then tells for
    certain.
    Source: ptable, the columns of an exported table; ours, what is refused and what is only shown

    Parameters
    ----------
    rows : sequence of tuple of int, int, float; true count i, published count j, probability p; entries in any order,
        rows from 0 to the largest without a gap. Each row sums to 1 within 1e-6 and is scaled to 1; row 0 stays 0.
        Larger counts use the last row, shifted.

    Examples
    --------
    >>> table = PerturbationTable.from_text("i;j;p\n0;0;1\n1;0;0.5\n1;2;0.5\n2;1;0.25\n2;2;0.5\n2;3;0.25\n")
    >>> table.law(41).values, table.law(41).probability.round(9).tolist()  # the last row, shifted
    ((40, 41, 42), [0.25, 0.5, 0.25])
    >>> table.biased_rows, table.variances.tolist(), table.is_cut_short
    ((), [0.0, 1.0, 0.5], False)
    """

    rows: Sequence[tuple[float, float, float]]

    def __post_init__(self) -> None:
        if not isinstance(self.rows, (list, tuple)) or not self.rows:
            raise Refused(
                "rows", "hold entries of a true count, a published count and a probability", self.rows, Code.EMPTY
            )
        if len(self.rows) > MOST_ENTRIES:
            raise Refused("rows", f"have at most {MOST_ENTRIES:,} entries", len(self.rows), Code.TOO_LARGE)
        table: dict[int, dict[int, float]] = {}
        for number, entry in enumerate(self.rows, 1):
            if not isinstance(entry, (list, tuple)) or len(entry) != 3:
                raise Refused(
                    "entry",
                    "be a true count, a published count and a probability",
                    entry,
                    Code.WRONG_SHAPE,
                    at=f"entry {number}",
                )
            true = _named(f"entry {number}", _checks.count, "i", entry[0])
            place = f"row {true}"
            published = _named(place, _checks.count, "j", entry[1])
            mass = _named(place, _checks.number, "p", entry[2], 0.0, 1.0)
            row = table.setdefault(true, {})
            if published in row:
                raise Refused("j", "come once", published, Code.REPEATED, at=place)
            row[published] = mass
        if max(table) >= len(table):
            missing = next(count for count in range(len(table)) if count not in table)
            rule = f"run from 0 to {max(table):.15g} without a gap"
            raise Refused("rows", rule, missing, Code.INCONSISTENT, got=f"none of {missing}")
        for true, row in sorted(table.items()):
            total = math.fsum(row.values())
            if abs(total - 1.0) > PRINTED_TO:
                raise Refused("p", "sum to 1", total, Code.INCONSISTENT, at=f"row {true}", got=f"{total:g}")
        for published, mass in table[0].items():
            if published and mass > 0.0:
                raise Refused("j", "be 0: a count of 0 stays 0", published, Code.INCONSISTENT, at="row 0")
        listed = tuple(
            (true, published, mass) for true, row in sorted(table.items()) for published, mass in sorted(row.items())
        )
        object.__setattr__(self, "rows", listed)

    @classmethod
    def from_text(cls, text: str) -> PerturbationTable:
        """A table from text in the common format: a line of names, then lines with i, j and p among their columns.

        Columns are parted by ``;`` or ``,``, and named in any order; others are ignored, as ptable exports them. Beside
        ``;`` a decimal comma is read too.
        """
        if not isinstance(text, str):
            raise Refused("text", "be text", text, Code.WRONG_TYPE)
        lines = [(number, line) for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1) if line.strip()]
        if not lines:
            raise Refused("text", "hold a line of names and lines of numbers", text, Code.EMPTY)
        if len(lines) > MOST_ENTRIES + 1:
            raise Refused("text", f"have at most {MOST_ENTRIES:,} lines of numbers", len(lines) - 1, Code.TOO_LARGE)
        mark = ";" if ";" in lines[0][1] else ","
        names = _fields(lines[0][1], mark)
        if any(names.count(name) != 1 for name in "ijp"):
            raise Refused(
                "text", "name the columns i, j and p in its first line, each once", lines[0][1][:80], Code.WRONG_FORM
            )
        columns = [names.index(name) for name in "ijp"]
        entries = []
        for number, line in lines[1:]:
            fields = _fields(line, mark)
            if len(fields) != len(names):
                raise Refused("line", f"have {len(names)} columns", len(fields), Code.WRONG_SHAPE, at=f"line {number}")
            i, j, p = (_typed(fields[column], mark, name, number) for name, column in zip("ijp", columns, strict=True))
            entries.append((i, j, p))
        return cls(tuple(entries))

    @cached_property
    def _laws(self) -> tuple[PublishedLaw, ...]:
        table: dict[int, dict[int, float]] = {}
        for true, published, mass in self.rows:
            table.setdefault(int(true), {})[int(published)] = mass
        totals = {true: math.fsum(row.values()) for true, row in table.items()}
        return tuple(
            PublishedLaw.of(true, {value: mass / totals[true] for value, mass in table[true].items()})
            for true in range(len(table))
        )

    @property
    def representative_counts(self) -> tuple[int, ...]:
        """Counts of the others up to the last row."""
        return tuple(range(len(self._laws)))

    @property
    def variances(self) -> FloatArray:
        """Variance of each row, from that of 0 on."""
        return np.array([law.mean_square_error - law.bias**2 for law in self._laws])

    @property
    def biased_rows(self) -> tuple[int, ...]:
        """Rows whose mean is not their count, to a millionth of a count."""
        return tuple(law.count for law in self._laws if abs(law.bias) > PRINTED_TO)

    @property
    def never_published(self) -> int:
        """The largest count up to which no row publishes any from 1 on."""
        smallest = min((value for law in self._laws for value in law.values if value > 0), default=1)
        return int(smallest) - 1

    @property
    def is_cut_short(self) -> bool:
        """Whether larger counts need rows that the table has not: its last one is not full, so shifting it is wrong.

        A full row has its count as its mean, is symmetric about it, and publishes nothing up to `never_published`.
        """
        last = self._laws[-1]
        mass = dict(zip(last.values, last.probability.tolist(), strict=True))
        mirrored = all(abs(mass.get(2 * last.count - value, 0.0) - p) <= PRINTED_TO for value, p in mass.items())
        clear = self.never_published == 0 or min(last.values) > self.never_published
        return last.count == 0 or last.count in self.biased_rows or not (mirrored and clear)

    def _law(self, count: int) -> PublishedLaw:
        row = self._laws[min(count, len(self._laws) - 1)]
        shift = count - row.count
        return PublishedLaw(count, tuple(value + shift for value in row.values), row.log_probability)


def _named(place: str, check: Callable[..., Any], *given: Any) -> Any:
    """What a check answers; its refusal begins with the place."""
    try:
        return check(*given)
    except Refused as refusal:
        raise Refused(refusal.name, refusal.rule, refusal.value, refusal.code, at=place) from None


def _fields(line: str, mark: str) -> list[str]:
    return [field.strip().strip('"').strip() for field in line.split(mark)]


def _typed(field: str, mark: str, name: str, line: int) -> float:
    """The number in a field; whether it is allowed there is asked later. An underscore is Python's alone."""
    with suppress(ValueError):
        if "_" not in field:
            return float(field.replace(",", ".") if mark == ";" else field)
    raise Refused(name, "be a number", field[:40], Code.NOT_A_NUMBER, at=f"line {line}")
