"""The tables of a folder, adjusted: they add up, have no negative count, keep exact totals, and are whole numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore._properties import cached_property
from dpcore.adjustment import AdjustedTable, LeastSquares, Method, adjusted_table
from riskline.release.estimates import NEARLY_WHOLE, deviations
from riskline.release.folder import BEFORE, HELD, PublishedTable

FORMAT, VERSION = "riskline_adjusted", 1
AFTER = ("value", "low", "high")


@dataclass(frozen=True, eq=False)
class AdjustedRelease:
    """A table with labels after adjusting: each level down to the lowest that was published.

    published : the noisy table
    found : its adjusted counts, by time
    """

    published: PublishedTable
    found: Mapping[str, AdjustedTable]

    @property
    def name(self) -> str:
        """Of the table."""
        return self.published.name

    @property
    def heads(self) -> tuple[str, ...]:
        """The columns of its file."""
        return (*BEFORE, *self.published.categories, *AFTER)

    @property
    def labels(self) -> Iterator[str]:
        """The texts of its file that are its own, not its areas'."""
        return self.published.labels

    @cached_property
    def ranges(self) -> Mapping[str, tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Whole numbers, by time, between which each true count lies in 95 of 100 releases.

        They are those of least squares, before negative counts are removed; cut where no count can be, and wide enough
        to hold the adjusted count.
        """
        wide = deviations(self.published.noise, HELD)
        ranges = {}
        for time, adjusted in self.found.items():
            fit = LeastSquares(adjusted.table)
            half, most = wide * np.sqrt(fit.variances), adjusted.table.bounds.most[:, None]
            low = np.floor(np.clip(fit.counts - half, 0.0, most) + NEARLY_WHOLE)
            high = np.ceil(np.clip(fit.counts + half, 0.0, most) - NEARLY_WHOLE)
            counts = adjusted.counts
            ranges[time] = np.minimum(low, counts).astype(np.int64), np.maximum(high, counts).astype(np.int64)
        return ranges

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The rows of its file, level by level, the widest first."""
        areas = self.published.areas
        for level in areas.levels:
            for area in areas.at(level).tolist():
                for time, adjusted in self.found.items():
                    head = (level, areas.codes[area], areas.names[area], time)
                    low, high = self.ranges[time]
                    numbers = zip(adjusted.counts[area].tolist(), low[area].tolist(), high[area].tolist(), strict=True)
                    for cell, number in zip(self.published.cells, numbers, strict=True):
                        yield (*head, *cell, *number)

    @property
    def about(self) -> dict[str, Any]:
        """What the record says of it."""
        return {
            "name": self.name,
            "method": next(iter(self.found.values())).method,
            "squared_change_over_variance": {time or self.name: one.distance for time, one in self.found.items()},
        }


def adjusted_release(tables: Sequence[PublishedTable], *, method: Method = "global") -> list[AdjustedRelease]:
    """Every table, each of its times by itself, adjusted.

    Raises Refused where the solver is not installed.
    """
    return [
        AdjustedRelease(table, {time: adjusted_table(table.noisy(time), method=method) for time in table.times})
        for table in tables
    ]
