"""Counts, shares, rates and differences from a folder of noisy tables, with intervals.

Every number is the least squares estimate of all noisy counts of a table, its exact totals and its adding up; the noise
of different tables, and of different times of one table, is independent.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from dpcore.adjustment import CountPosterior, LeastSquares, count_posterior, ratio_interval
from dpcore.errors import Code, Refused
from dpcore.mechanisms import noise_kind
from riskline.case.fields import shown
from riskline.release.folder import PublishedTable, ReleaseFolder

TABLE, AREA, TIME = "table", "area", "time"
NEARLY_WHOLE = 1e-6  # what a float may be off by beside a whole number
LARGEST_LEVEL = 1 - 1e-12
PART = re.compile(r'(?:(?:(?<![^;])|[=,])\s*"(?:[^"]|"")*"|[^;])+')
"""One of the parts between semicolons; a semicolon in what stands between quotation marks, as in CSV, parts none."""
NAME = re.compile(r'\s*"((?:[^"]|"")*)"\s*=(.*)', re.DOTALL)
"""A part whose name stands between quotation marks, and its labels."""
LABEL = re.compile(r'\s*(?:"((?:[^"]|"")*)"|([^,]+))\s*(?:,|$)')
"""One of the labels between commas, between quotation marks or without."""
Kind = Literal["count", "difference", "share", "rate"]


def deviations(noise: str, level: float) -> float:
    """How many standard deviations of a sum hold it in a share `level` of releases, under this noise.

    Noise of an ε has longer tails than normal noise: where one count is all there is, they are those of Laplace noise.
    In simulations these are enough for sums too.

    >>> round(deviations("discrete_gaussian", 0.95), 3), round(deviations("geometric", 0.95), 3)
    (1.96, 2.118)
    """
    normal = float(ndtri((1 + level) / 2))
    return normal if noise_kind(noise).budget_kind == "rho" else max(normal, float(-np.log1p(-level) / np.sqrt(2)))


def normal_level(noise: str, level: float) -> float:
    """The level of the normal range that is as wide as so many standard deviations.

    >>> normal_level("discrete_gaussian", 0.95), round(normal_level("geometric", 0.95), 4)
    (0.95, 0.9659)
    """
    return level if noise_kind(noise).budget_kind == "rho" else float(2 * ndtr(deviations(noise, level)) - 1)


class Estimate(NamedTuple):
    """A number with the range that holds the true one in a share of releases.

    kind : a share is what its numerator is of a denominator that holds it; a rate is any other ratio
    """

    kind: Kind
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Selection:
    """The counts of some areas, cells and times of one table.

    table : its name
    weights : by time, 1 for a count that is chosen, shape (areas, cells)
    areas, cells : the numbers of those that are chosen
    """

    table: str
    weights: Mapping[str, NDArray[np.float64]]
    areas: tuple[int, ...] = ()
    cells: tuple[int, ...] = ()

    def holds(self, other: Selection) -> bool:
        """Whether each count of the other is one of these, or lies in one of these areas."""
        return self.table == other.table and all(
            time in self.weights and bool((other.weights[time] <= self.weights[time]).all()) for time in other.weights
        )


@dataclass
class Estimates:
    """What a folder of noisy tables says of the true counts."""

    folder: ReleaseFolder
    level: float = 0.95
    _fits: dict[tuple[str, str], LeastSquares] = field(default_factory=dict)

    def selection(self, text: str) -> Selection:
        """The counts that a text names: ``table=Births; area=24,51; sex=f; time=Jan``; what is left out is all of it.

        The table may be left out where there is only one; without an area, the areas that lie in no other are meant. A
        label with a comma or a semicolon, or a name with a semicolon or =, stands between quotation marks:
        ``area="Kent, East",24; "sex; age"=f``.

        Raises Refused where a part names nothing of the folder, or areas lie in each other.
        """
        parts = dict(_part(piece) for piece in PART.findall(text) if piece.strip())
        table = self._table(parts.pop(TABLE, ""))
        known = (AREA, TIME, *table.categories)
        for name in parts:
            if name not in known:
                near = difflib.get_close_matches(name, known, 1)
                rule = f"be one of {', '.join((TABLE, *known))}" + (f" (did you mean {near[0]}?)" if near else "")
                raise Refused("a part", rule, shown(name), Code.UNKNOWN_CHOICE)
        areas = self._areas(table, parts.get(AREA, ""))
        times = _chosen(TIME, parts.get(TIME, ""), table.times)
        labels = {name: _chosen(name, parts.get(name, ""), values) for name, values in table.categories.items()}
        cells = [all(label in labels[name] for name, label in zip(labels, cell, strict=True)) for cell in table.cells]
        weights, places = np.zeros((len(table.areas.codes), len(table.cells))), np.flatnonzero(cells)
        weights[np.ix_(areas, places)] = 1.0
        by_time = dict.fromkeys(times, _at_parts(table, weights))
        return Selection(table.name, by_time, tuple(areas.tolist()), tuple(places.tolist()))

    def count(self, chosen: Selection) -> Estimate:
        """How many they are, between whole numbers of which none is negative."""
        value, variance = self._moments(chosen)
        low, high = (max(end, 0.0) for end in self._ends(value, variance, chosen))
        return Estimate("count", max(value, 0.0), low, high)

    def difference(self, chosen: Selection, other: Selection) -> Estimate:
        """How many more the first are than the others, between whole numbers."""
        (value, variance), (less, more_variance) = self._moments(chosen), self._moments(other)
        wide = variance + more_variance - 2 * self._covariance(chosen, other)
        return Estimate("difference", value - less, *self._ends(value - less, wide, chosen, other))

    def ratio(self, chosen: Selection, other: Selection) -> Estimate:
        """The first over the others: a share from 0 to 1 where these hold the first, else a rate of at least 0.

        Where the others could be 0, or their estimate is below, no ratio is left out, and the value is NaN.
        """
        if chosen.holds(other) and other.holds(chosen):
            return Estimate("share", 1.0, 1.0, 1.0)
        (value, variance), (whole, whole_variance) = self._moments(chosen), self._moments(other)
        level = max(normal_level(self.folder.tables[one.table].noise, self.level) for one in (chosen, other))
        ends = ratio_interval(
            value,
            whole,
            variances=(max(variance, 0.0), max(whole_variance, 0.0)),
            covariance=self._covariance(chosen, other),
            level=min(level, LARGEST_LEVEL),
            whole=True,
        )
        share, known = other.holds(chosen), whole > 0 and bool(np.isfinite(ends).all())
        low, high = np.clip(ends if known else [-np.inf, np.inf], 0.0, 1.0 if share else np.inf).tolist()
        found = np.clip(value / whole, low, high) if known else np.nan
        return Estimate("share" if share else "rate", float(found), low, high)

    def are_exact(self, *chosen: Selection) -> bool:
        """Whether no noise is in the counts of some selections: they are sums of exact totals."""
        return all(
            found.low == found.high for found in (self.difference(one, Selection(one.table, {})) for one in chosen)
        )

    def posterior(self, chosen: Selection) -> CountPosterior:
        """The exact law of the count of one area and time, given all noisy counts of a table and that none is below 0.

        Raises Refused where several are chosen, or the noise is too wide for it.
        """
        for name, some in ((AREA, chosen.areas), (TIME, tuple(chosen.weights))):
            if len(some) != 1:
                raise Refused(name, "be one for a posterior", None, Code.UNSUPPORTED, got=f"{len(some)}")
        (area,), (time,) = chosen.areas, chosen.weights
        table = self.folder.tables[chosen.table]
        noise = [table.laws.get(table.areas.levels[level]) for level in table.areas.level_of]
        return count_posterior(table.noisy(time), noise=noise, area=area, cells=chosen.cells)

    def _deviations(self, *chosen: Selection) -> float:
        return max(deviations(self.folder.tables[one.table].noise, self.level) for one in chosen)

    def _ends(self, value: float, variance: float, *chosen: Selection) -> tuple[float, float]:
        """The whole numbers around a range: noise is whole, and a narrow range would hold less than it says."""
        wide = self._deviations(*chosen) * np.sqrt(max(variance, 0.0))
        return float(np.floor(value - wide + NEARLY_WHOLE)), float(np.ceil(value + wide - NEARLY_WHOLE))

    def _fit(self, table: str, time: str) -> LeastSquares:
        if (table, time) not in self._fits:
            self._fits[table, time] = LeastSquares(self.folder.tables[table].noisy(time))
        return self._fits[table, time]

    def _moments(self, chosen: Selection) -> tuple[float, float]:
        """The estimate of a sum, and its variance."""
        value = sum(
            float((weights * self._fit(chosen.table, time).counts).sum()) for time, weights in chosen.weights.items()
        )
        return value, self._covariance(chosen, chosen)

    def _covariance(self, one: Selection, other: Selection) -> float:
        """Covariance of two sums; times that only one of them has add nothing."""
        if one.table != other.table:
            return 0.0
        found = 0.0
        for time in one.weights.keys() & other.weights.keys():
            both = np.stack([one.weights[time], other.weights[time]])
            found += float(self._fit(one.table, time).covariance(both)[0, 1])
        return found

    def _table(self, name: str) -> PublishedTable:
        tables = self.folder.tables
        if not name and len(tables) == 1:
            return next(iter(tables.values()))
        named = _labels(name, tables)
        if len(named) != 1 or named[0] not in tables:
            raise Refused(TABLE, f"be one of {'; '.join(tables)}", shown(name), Code.UNKNOWN_CHOICE)
        return tables[named[0]]

    def _areas(self, table: PublishedTable, text: str) -> NDArray[np.int64]:
        places, parents = table.areas.place, np.asarray(table.areas.tree.parents)
        if not text:
            return np.flatnonzero(parents < 0)
        codes = _labels(text, places)
        unknown = next((code for code in codes if code not in places), None)
        if unknown is not None:
            raise Refused(AREA, f"be codes of areas of {table.name}", shown(unknown), Code.UNKNOWN_CHOICE)
        chosen = np.array(sorted({places[code] for code in codes}))
        for area in chosen.tolist():
            above = parents[area]
            while above >= 0:
                if above in chosen:
                    inner, outer = (shown(table.areas.codes[place]) for place in (area, above))
                    raise Refused(
                        AREA,
                        "be areas none of which lies in another",
                        inner,
                        Code.INCONSISTENT,
                        got=(f"{inner}, which lies in {outer}"),
                    )
                above = parents[above]
        return chosen


def _at_parts(table: PublishedTable, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same sums, of areas without parts alone."""
    tree = table.areas.tree
    found = weights.copy()
    for above, level in zip(tree.levels, tree.levels[1:], strict=False):
        found[level.areas] += found[above.areas][level.parent]
    found[~tree.undivided] = 0.0
    return found


def named(text: str) -> str:
    """A name or a label as a selection takes it, whatever it holds.

    >>> named("Births"), named("Kent, East")
    ('Births', '"Kent, East"')
    """
    return '"' + text.replace('"', '""') + '"' if re.search('[",;=]', text) else text


def _part(piece: str) -> tuple[str, str]:
    between = NAME.fullmatch(piece)
    name, value = (between[1].replace('""', '"'), between[2]) if between else piece.partition("=")[::2]
    if not _labels(value, ()):
        raise Refused("a part", "be a name, = and values", shown(piece.strip()), Code.WRONG_FORM)
    return name.strip(), value.strip()


def _labels(text: str, known: Collection[str]) -> list[str]:
    """The labels of a list; the text itself where that is one of those that are known."""
    if text in known:
        return [text]
    found = [(quoted, plain.strip()) for quoted, plain in LABEL.findall(text)]
    return [plain or quoted.replace('""', '"') for quoted, plain in found if plain or quoted]


def _chosen(name: str, text: str, values: tuple[str, ...]) -> tuple[str, ...]:
    """The values that a text names, in their order; all where it is empty."""
    if not text:
        return values
    labels = _labels(text, values)
    unknown: Any = next((label for label in labels if label not in values), None)
    if unknown is not None:
        listed = ", ".join(values[:12]) + (", …" if len(values) > 12 else "")
        raise Refused(name, f"be one of {listed}", shown(unknown), Code.UNKNOWN_CHOICE)
    return tuple(value for value in values if value in labels)
