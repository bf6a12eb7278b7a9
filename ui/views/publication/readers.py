"""Whose numbers readers look at: the areas' own counts under the noise of one table, and a target they miss."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore._properties import cached_property
from dpcore.accuracy import AdditiveMechanism, wrong_side_probability
from dpcore.publication import CountTable, WrongSides, wrong_sides
from riskline.case.fields import number_text
from ui.link.page_table import PageLink, page_entry
from ui.pictures.columns import Numbers, columns_of, side_by_side, told, written
from ui.pictures.marks import Axis, Dots, Panel
from ui.pictures.picture import Picture
from ui.pictures.table import Table
from ui.views.publication.choices import INVENTED
from ui.views.publication.results import named
from ui.views.publication.shared import Shared
from ui.views.shared.trial import beginning_with_case
from ui.views.shared.typed_districts import Areas
from ui.words.catalogue import heads, label
from ui.words.phrasing import decimal_belief, frequency, how_often, on_average
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Allowed, Exact, Least, Typed, Upper, number, whole

AT_RISK = 0.05
"""An area is listed where it is published on the wrong side of the target with this probability."""

SELDOM = 0.01
LEAST_CHANCE = 1e-300  # smaller ones are 0 in a float, and never impossible


@dataclass(frozen=True)
class Readers:
    """The areas with one release of one table of counts.

    `place` is the row: the one that was chosen, or the one whose range is widest for its typical number.
    """

    shared: Shared
    place: int

    @cached_property
    def areas(self) -> Areas:
        """The areas, each with a name."""
        return tuple(
            replace(area, name=area.name or label("publication", "area_number", place=place))
            for place, area in enumerate(self.shared.inputs.areas, 1)
        )

    @property
    def own(self) -> bool:
        """Whether the areas are the reader's; else they are invented."""
        return self.shared.inputs.areas != INVENTED

    @cached_property
    def counts(self) -> NDArray[np.int_]:
        """The areas' counts."""
        return np.array([area.count for area in self.areas])

    @property
    def rated(self) -> bool:
        """Whether the counts are of a number of people, so that they are read as rates."""
        return self.areas[0].people is not None

    @cached_property
    def refusal(self) -> str:
        """Why these areas are not read: more are counted than there are people, and the reader has not said why."""
        found = next((area for area in self.areas if area.exceeds), None)
        if found is None or self.shared.inputs.exceeding:
            return ""
        return self.said("more_than_people", area=found.name, count=f"{found.count:,}", people=f"{found.people:,}")

    @cached_property
    def row(self) -> CountTable:
        """The table."""
        row = self.shared.publication.rows[self.place]
        assert isinstance(row, CountTable)
        return row

    @cached_property
    def budget(self) -> float:
        """The budget of one release of the table."""
        return float(self.shared.allocation.budgets[self.place])

    def noise_of(self, place: int) -> AdditiveMechanism:
        """The noise of one number of a row."""
        return self.shared.publication.noise_of_number(place, budget=float(self.shared.allocation.budgets[place]))

    @cached_property
    def noise(self) -> AdditiveMechanism:
        """The noise of each of the table's numbers."""
        return self.noise_of(self.place)

    @property
    def context(self) -> dict[str, Any]:
        """Words and numbers that every passage about readers may use."""
        return {
            "table": f"“{named(self.shared, self.place)}”",
            "areas": f"{len(self.areas):,}",
            "noise": label("case", f"whole_noise.{self.shared.inputs.noise}"),
            "release": f"{self.shared.symbol} = {Allowed(self.budget, number(3)).digits}",
            "level": self.shared.said_level,
            "whose": self.said("areas_own" if self.own else "areas_invented"),
            "about": self.said("about_noise"),
        }

    def said(self, passage: str, **words: object) -> str:
        """A passage of the page in this voice."""
        return self.shared.say(passage, **words)

    @property
    def average(self) -> Any:
        """How a mean number of areas is said in this voice."""
        return number(4) if self.shared.style.technical else on_average

    @property
    def often(self) -> Any:
        """How a probability is said in this voice."""
        return decimal_belief if self.shared.style.technical else how_often


def readers_of(shared: Shared) -> Readers | None:
    """The readers of the table that was chosen; None where no table of counts is published."""
    errors = shared.errors
    tables = tuple(place for place, row in enumerate(shared.publication.rows) if isinstance(row, CountTable))
    if not tables:
        return None
    if shared.inputs.row - 1 in tables:
        return Readers(shared, shared.inputs.row - 1)
    relative = {place: errors.relative_half_width[place] for place in tables}
    known = {place: width for place, width in relative.items() if np.isfinite(width)}
    widths = known or {place: errors.half_width[place] for place in tables}
    return Readers(shared, max(widths, key=widths.__getitem__))


class SmallPlaces:
    """The areas of one table against a target."""

    def __init__(self, readers: Readers) -> None:
        self.readers = readers
        self.chosen = readers.shared.inputs

    @cached_property
    def limits(self) -> list[int]:
        """The largest count of each area that lies on the lower side of the target: exact, from the digits typed."""
        areas = self.readers.areas
        if self.readers.rated:
            per_person = Fraction(number_text(self.chosen.rate)) / 1000
            wanted = [per_person * (area.people or 0) for area in areas]
        else:
            wanted = [Fraction(self.chosen.target)] * len(areas)
        if self.chosen.met == "at_most":
            return [math.floor(limit) for limit in wanted]
        return [math.ceil(limit) - 1 for limit in wanted]

    @cached_property
    def wrong(self) -> WrongSides:
        """How many areas are published on the wrong side; exact."""
        return wrong_sides(self.readers.counts, self.limits, mechanism=self.readers.noise)

    @cached_property
    def expected(self) -> Exact:
        """Their mean number."""
        return Exact(self.wrong.expected, self.readers.average)

    @cached_property
    def context(self) -> dict[str, Any]:
        """Words and numbers of the section."""
        low, high = self.wrong.central_range(self.chosen.level)
        aim = Typed(self.chosen.rate if self.readers.rated else self.chosen.target, number(9))
        of = "rate" if self.readers.rated else "count"
        return self.readers.context | {
            "wrong": self.expected,
            "spread": spread(low, high),
            "aim": label("publication", f"aim.{of}", aim=aim),
            "met": label("publication", f"met_of.{of}.{self.chosen.met}", aim=aim),
            "people": self.readers.said("people_public") + " " if self.readers.rated else "",
            "rounded": self.readers.said("rounded") + " " if not self.readers.noise.is_whole else "",
            "risky": f"{int(self.at_risk.size):,}",
            "often": Typed(AT_RISK, self.readers.often),
        }

    def said(self, passage: str, **more: object) -> str:
        """A passage with the words and numbers of the section."""
        return self.readers.said(passage, **self.context, **more)

    @cached_property
    def at_risk(self) -> NDArray[np.int_]:
        """The areas most at risk, the smallest first."""
        found = np.flatnonzero(self.wrong.chances >= AT_RISK)
        return found[np.argsort(self.sizes[found], kind="stable")]

    @cached_property
    def sizes(self) -> NDArray[np.int_]:
        """How large each area is: its people, or where they are not given its count."""
        return np.array([area.count if area.people is None else area.people for area in self.readers.areas])

    def table(self) -> Table | None:
        """The areas most at risk, the smallest first, with their chance."""
        if not self.at_risk.size:
            return None
        rows: list[tuple[str, ...]] = []
        for place in self.at_risk.tolist():
            area = self.readers.areas[place]
            chance = frequency(max(float(self.wrong.chances[place]), LEAST_CHANCE))
            if area.people is None:
                rows.append((area.name, f"{area.count:,}", chance))
            else:
                rate = Exact(1000 * area.count / area.people, number(3)).digits
                rows.append((area.name, f"{area.people:,}", f"{area.count:,}", rate, chance))
        columns = heads("publication", "at_risk_rates" if self.readers.rated else "at_risk")
        return Table(self.said("at_risk_caption"), columns, tuple(rows))

    def picture(self) -> Picture:
        """Each area's chance over its size."""
        column = columns_of("publication", "wrong_sides.rates" if self.readers.rated else "wrong_sides.counts")
        rows = side_by_side(
            column("area", [area.name for area in self.readers.areas]),
            column("size", self.sizes.astype(float), said=written(",.0f"), hover=",d"),
            column("chance", self.wrong.chances, said=told(Exact, frequency)),
            listed=np.argsort(self.sizes, kind="stable").tolist(),
        )
        return Picture(
            key="publication-wrong-sides",
            numbers=Numbers(self.said("wrong_sides_caption"), (rows,)),
            marks=(Dots(x="size", y="chance", words="area"),),
            panels=(Panel(x=self._axis(), y=Axis(zero=True)),),
            reading=self.said("reading_wrong_rates" if self.readers.rated else "reading_wrong_counts"),
            style=self.readers.shared.style,
            height=300,
        )

    def _axis(self) -> Axis:
        """Sizes from the smallest to the largest, by tens where none is nought."""
        if self.sizes.min() <= 0:
            return Axis()
        lowest, highest = (math.floor(math.log10(size)) for size in (self.sizes.min(), self.sizes.max()))
        tens = [10**power * step for power in range(lowest, highest + 1) for step in (1, 3)]
        return Axis(log=True, ticks=tuple((ten, f"{ten:,}") for ten in tens))

    def unknown(self) -> str:
        """What the row alone says, where the reader has given no areas: what an area's distance does, not how many."""
        if self.readers.own:
            return ""
        row, noise = self.readers.row, self.readers.noise
        beside = float(wrong_side_probability(noise, excess=1))
        far = max(math.floor(float(noise.half_width(1 - 2 * SELDOM))) - 2, 1)
        while float(wrong_side_probability(noise, excess=far)) > SELDOM:
            far += 1
        return self.said(
            "wrong_unknown" if row.typical_count is None else "wrong_typical",
            row_areas=f"{row.areas:,}",
            typical="" if row.typical_count is None else Exact(row.typical_count, number(6)).digits,
            far=Least(far, whole),
            seldom=Typed(SELDOM, self.readers.often),
            beside=Upper(beside, self.readers.often),
            most=Upper(row.areas * beside, number(3)),
        )

    def in_python(self) -> CodeLines:
        """The lines for the mean number of areas on the wrong side."""
        code = CodeWriter()
        counts = code.let("counts", self.readers.counts.tolist())
        code.note(f"the largest count of each area on the lower side of the target: {self.context['met']}")
        limits = code.let("targets", self.limits)
        noise = code.let("noise", self.readers.noise)
        found = code.let("found", code(wrong_sides, counts, limits, mechanism=noise))
        return code.ending(Source(f"{found}.expected"), self.expected)

    def way(self) -> PageLink | None:
        """The same noise on the page about one count; none where that page has another noise, or no such budget.

        The budget is that of one of the numbers that a unit moves, so that the noise is the same.
        """
        shared = self.readers.shared
        chosen = self.chosen
        each = shared.publication.budget_of_one(self.readers.place, budget=self.readers.budget)
        known = {field.name: field for field in beginning_with_case(page_entry("accuracy").fields, chosen.case)}
        if chosen.noise != (chosen.noise if "noise" in chosen.case else known["noise"].default):
            return None
        asked = {
            "rho" if chosen.by_rho else "epsilon": number_text(each),
            "level": number_text(chosen.level),
        }
        try:
            for name, text in asked.items():
                known[name].decode(text)
        except ValueError:
            return None
        return PageLink("accuracy", self.readers.said("way_accuracy", **self.readers.context), tuple(asked.items()))


def spread(low: int, high: int) -> str:
    """A range of whole numbers, or the only one in it."""
    return f"{low:,}" if low == high else label("publication", "spread", low=f"{low:,}", high=f"{high:,}")


def in_small_places(shared: Shared) -> dict[str, Any]:
    """What is said and drawn of the areas of one table and a target, by its name in the view."""
    readers = readers_of(shared)
    if readers is None:
        return {"wrong": shared.say("no_counts")}
    if readers.refusal:
        return {"wrong": readers.refusal}
    section = SmallPlaces(readers)
    return {
        "small_places": section.said("small_places") if readers.own else "",
        "wrong": section.said("wrong_sides"),
        "wrong_print": section.said("wrong_sides_print"),
        "wrong_unknown": section.unknown(),
        "wrong_sides": section.picture(),
        "at_risk": section.table(),
        "wrong_python": section.in_python(),
        "one_count": section.way(),
    }
