"""The draw of a release: OpenDP's measurements, what OpenDP says that they cost, and the noisy tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dpcore.errors import Code, Refused
from riskline.release.data import TrueCounts
from riskline.release.folder import PublishedTable
from riskline.release.plan import Plan, Release

NEEDS = "be installed to draw a release: pip install 'riskline[release]'"


@dataclass(frozen=True, eq=False)
class Measured:
    """A release as OpenDP draws it.

    release : which
    measurement : of a list of counts
    cost : what one draw costs a unit, by OpenDP's own map
    """

    release: Release
    measurement: Any
    cost: float

    @property
    def spent(self) -> Fraction:
        """What all its draws cost."""
        return self.release.times * Fraction(self.cost)

    @property
    def about(self) -> dict[str, Any]:
        """What the record says of it."""
        return asdict(self.release) | {"cost": self.cost, "spent": float(self.spent)}


def measured(plan: Plan, releases: Sequence[Release]) -> tuple[Measured, ...]:
    """The measurements of some releases, each priced by OpenDP for a unit of the plan.

    Raises Refused where OpenDP is not installed.
    """
    try:
        import opendp.prelude as dp
    except ImportError:
        raise Refused("OpenDP", NEEDS, None, Code.NOT_INSTALLED, got="") from None
    dp.enable_features("contrib")
    domain = dp.vector_domain(dp.atom_domain(T="i64"))
    found = []
    for release in releases:
        whole = plan.currency == "epsilon"
        metric = dp.l1_distance(T="i64") if whole else dp.l2_distance(T=float)
        distance = math.ceil(release.distance) if whole else release.distance
        make = getattr(dp.m, f"make_{plan.noise.measurement}")
        measurement = make(domain, metric, scale=release.scale)
        found.append(Measured(release, measurement, float(measurement.map(d_in=distance))))
    return tuple(found)


def checked_spending(plan: Plan, drawn: Sequence[Measured]) -> float:
    """What all releases cost together by OpenDP's maps, rounded up.

    Raises Refused where that is more than the plan's budget: nothing is drawn then.
    """
    spent = sum((one.spent for one in drawn), Fraction(0))
    if spent > Fraction(plan.budget):
        rule = f"cover all releases, which cost {plan.currency} = {float(spent):.10g} by OpenDP's own map"
        raise Refused("budget", rule, plan.budget, Code.INFEASIBLE)
    said = float(spent)
    return said if Fraction(said) >= spent else math.nextafter(said, math.inf)


def drawn_tables(plan: Plan, counts: TrueCounts, drawn: Sequence[Measured]) -> tuple[PublishedTable, ...]:
    """The noisy tables, with exact totals where the plan asks for them."""
    by_table = {(one.release.table, one.release.level): one for one in drawn}
    found = []
    for table in plan.tables:
        areas = plan.areas.down_to(list(table.levels))
        values = np.zeros((len(table.times), len(areas.codes), table.cells), dtype=np.int64)
        scales: dict[str, float] = {}
        for level in table.levels:
            one, true = by_table[table.name, level], counts.counts[table.name, level]
            drawn_at_once = true.reshape(one.release.times, -1)  # as many draws as are paid for
            noisy = [one.measurement(part) for part in drawn_at_once]
            values[:, areas.at(level)] = np.array(noisy, dtype=np.int64).reshape(true.shape)
            scales[level] = one.release.scale
        totals = np.full(values.shape[:2], np.nan)
        if table.exact:
            totals[:, areas.at(table.exact)] = counts.totals[table.name][:, _among(plan, table.exact, areas.codes)]
        found.append(
            PublishedTable(
                table.name, areas, table.categories, table.times, plan.noise.name, scales, values, table.exact, totals
            )
        )
    return tuple(found)


def _among(plan: Plan, level: str, codes: Sequence[str]) -> list[int]:
    """Which areas of a level are among those of a table: a level above its lowest one may have others."""
    known: Mapping[str, int] = {plan.areas.codes[area]: place for place, area in enumerate(plan.areas.at(level))}
    return [known[code] for code in codes if code in known]
