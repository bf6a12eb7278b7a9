"""Whose numbers readers look at: the areas' own counts, and the noise of one table of the publication."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore._properties import cached_property
from dpcore.accuracy import AdditiveMechanism
from dpcore.publication import CountTable, Publication
from ui.views.publication.reader_choices import INVENTED
from ui.views.publication.shared import Shared
from ui.views.publication.tables import named
from ui.views.shared.typed_districts import Areas
from ui.words.catalogue import label, say
from ui.words.phrasing import decimal_belief, how_often, on_average
from ui.words.quantities import Allowed, Typed, number


def count_tables(publication: Publication) -> tuple[int, ...]:
    """The rows that are tables of counts."""
    return tuple(place for place, row in enumerate(publication.rows) if isinstance(row, CountTable))


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
            replace(area, name=area.name or f"area {place}") for place, area in enumerate(self.shared.inputs.areas, 1)
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
        technical = self.shared.style.technical
        areas = len(self.areas)
        return {
            "table": f"“{named(self.shared, self.place)}”",
            "areas": f"{areas:,}",
            "noise": label("case", f"whole_noise.{self.shared.inputs.noise}"),
            "release": f"{self.shared.symbol} = {Allowed(self.budget, number(3)).digits}",
            "level": Typed(self.shared.inputs.level, decimal_belief if technical else how_often),
            "whose": self.said("areas_own" if self.own else "areas_invented"),
            "about": self.said("about_noise"),
        }

    def said(self, passage: str, **words: object) -> str:
        """A passage of the page in this voice."""
        return say("publication", self.shared.style.voice, passage, **words)

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
    tables, errors = count_tables(shared.publication), shared.errors
    if not tables:
        return None
    if shared.inputs.row - 1 in tables:
        return Readers(shared, shared.inputs.row - 1)
    relative = {place: errors.relative_half_width[place] for place in tables}
    known = {place: width for place, width in relative.items() if np.isfinite(width)}
    widths = known or {place: errors.half_width[place] for place in tables}
    return Readers(shared, max(widths, key=widths.__getitem__))
