"""How readers will use the numbers: orders, differences, shares, ranks and averages of noisy counts."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore._properties import cached_property
from dpcore.errors import Code, Refused
from dpcore.publication import (
    NoiseDifference,
    difference_half_width,
    mean_half_width,
    median_half_width,
    order_chances,
    rank_law,
    share_range,
    wrong_orders,
)
from ui.pictures.columns import Column, Numbers, columns_of, side_by_side, single, told, written
from ui.pictures.marks import Axis, Bars, Line, Panel, Spot
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.publication.choices import PUBLIC, PublicationInputs
from ui.views.publication.readers import Readers, readers_of, spread
from ui.views.publication.results import WIDTH, named
from ui.views.publication.shared import Shared
from ui.views.shared.typed_districts import Area
from ui.words.catalogue import heads, label
from ui.words.phrasing import frequency
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Exact, Lower, Upper, number
from ui.words.refusals import BEYOND_NUMBERS, UNCOMPUTABLE, refusal_sentence

WIDEST = 1_000.0
"""Largest standard deviation of the whole-number noise of a share whose range is found while a reader waits."""

MOST_STEPS = 4e7
"""Of the law of a rank, about a second: standard deviation times areas times 500 more of them."""

MOST_PAIRS = 200
"""Areas up to which all pairs are counted."""


@dataclass(frozen=True)
class Reading:
    """What is told of one reading: a sentence, its small print, a picture or a table, and its lines of Python."""

    words: str
    small_print: str = ""
    picture: Picture | None = None
    table: Table | None = None
    python: CodeLines | None = None


def reading_told(inputs: PublicationInputs, style: Style) -> Reading | None:
    """The reading that was chosen, of two areas of one table; None where the page has no answer or no counts."""
    shared = Shared(inputs, style)
    try:
        if not 0 < shared.total < math.inf:
            return None
        readers = readers_of(shared)
        if readers is None or readers.refusal:
            return None if readers is None else Reading(readers.refusal)
        return NoisyReadings(readers).told()
    except ValueError as error:
        return Reading(refusal_sentence(error, "publication"))
    except UNCOMPUTABLE:
        return Reading(BEYOND_NUMBERS)


class NoisyReadings:
    """The readings of the areas of one table."""

    def __init__(self, readers: Readers) -> None:
        self.readers = readers
        self.chosen = readers.shared.inputs
        self.noise = readers.noise

    def told(self) -> Reading:
        """The one that was chosen."""
        readings: dict[str, Callable[[], Reading]] = {
            "order": self.order,
            "difference": self.difference,
            "share": self.share,
            "rank": self.rank,
            "average": self.average,
        }
        if self.chosen.reading in ("order", "difference") and self.places[0] == self.places[1]:
            return Reading(self.said("reading_two_areas"))
        try:
            return readings[self.chosen.reading]()
        except Refused as error:
            if error.code is not Code.TOO_LARGE:
                raise
            return Reading(self.said("reading_too_wide"))

    @cached_property
    def places(self) -> tuple[int, int]:
        """The two areas, counted from 0; the last one where the list has no such number."""
        last = len(self.readers.areas) - 1
        return min(self.chosen.first - 1, last), min(self.chosen.second - 1, last)

    @cached_property
    def pair(self) -> tuple[Area, Area]:
        """The two areas."""
        first, second = self.places
        return self.readers.areas[first], self.readers.areas[second]

    @property
    def fractions(self) -> bool:
        """Whether numbers are read with the fractions of their noise."""
        return not self.noise.is_whole

    @cached_property
    def context(self) -> dict[str, Any]:
        """Words and numbers of every reading."""
        first, second = self.pair
        return self.readers.context | {
            "first": f"“{first.name}”",
            "second": f"“{second.name}”",
            "first_count": f"{first.count:,}",
            "second_count": f"{second.count:,}",
            "fractions": self.readers.said("with_fractions") + " " if self.fractions else "",
        }

    def said(self, passage: str, **more: object) -> str:
        """A passage with the words and numbers of the section."""
        return self.readers.said(passage, **self.context, **more)

    def order(self) -> Reading:
        """Two areas published in the wrong order."""
        higher, lower = sorted(self.pair, key=lambda area: -area.count)
        gap, law = higher.count - lower.count, NoiseDifference(self.noise, self.noise)
        tied = Exact(math.exp(law.log_pmf(gap)), self.readers.often)
        code = CodeWriter()
        noise = code.let("noise", self.noise)
        names = {"higher": f"“{higher.name}”", "lower": f"“{lower.name}”", "higher_count": f"{higher.count:,}"}
        names |= {"lower_count": f"{lower.count:,}"}
        if gap == 0:
            asked = code.let("law", code(NoiseDifference, noise, noise))
            return Reading(
                self.said("reading_same_count", tied=tied),
                self.said("reading_order_print", pairs=self._pairs()),
                python=code.ending(code(math.exp, Source(f"{asked}.log_pmf(0)")), tied),
            )
        wrong = Exact(order_chances(self.noise, self.noise, gap=gap).wrong, self.readers.often)
        equal = "" if self.fractions else self.said("reading_tied", tied=tied)
        return Reading(
            self.said("reading_order", **names, wrong=wrong, equal=equal),
            self.said("reading_order_print", pairs=self._pairs()),
            picture=self._order_picture(law, gap),
            python=code.ending(Source(f"{code(order_chances, noise, noise, gap=gap)}.wrong"), wrong),
        )

    def _pairs(self) -> str:
        """How many of all pairs are in the wrong order, where they are few enough to be counted at once."""
        counts = self.readers.counts
        if not 2 < counts.size <= MOST_PAIRS:
            return ""
        found = wrong_orders(counts, mechanism=self.noise)
        if not found.pairs:
            return ""
        return (
            self.said(
                "reading_pairs", every_pair=f"{found.pairs:,}", wrong_pairs=Exact(found.wrong, self.readers.average)
            )
            + " "
        )

    def _order_picture(self, law: NoiseDifference, gap: int) -> Picture:
        last = max(math.ceil(1.5 * law.half_width(0.95)), math.ceil(1.2 * gap), 8)
        gaps = np.unique(np.append(np.arange(1, last + 1, max(1, last // 120)), gap)).astype(float)
        wrong = np.exp(np.asarray(law.log_tail(gaps + law.is_whole)))
        at = int(np.flatnonzero(gaps == gap)[0])
        across, up = (label("publication", f"orders.{key}") for key in ("gap", "wrong"))
        curve = side_by_side(
            Column("gap", across, gaps, said=written(",.0f"), hover=",d"),
            Column("wrong", up, wrong, said=told(Exact, frequency)),
            listed=sorted({round(place) for place in np.linspace(0, gaps.size - 1, 12)} | {at}),
        )
        spot = side_by_side(
            single("gap_here", self.said("spot_two"), float(gap), quantity=across),
            single("wrong_here", self.said("spot_two"), float(wrong[at]), quantity=up),
        )
        return Picture(
            key="publication-order",
            numbers=Numbers(self.said("order_caption"), (curve, spot)),
            marks=(
                Line(x="gap", y="wrong", in_legend=False),
                Spot(x="gap_here", y="wrong_here", beside=("right" if gap > last / 2 else "left", "bottom")),
            ),
            panels=(Panel(x=Axis(zero=True), y=Axis(range=(0.0, 0.55))),),
            reading=self.said("reading_of_order"),
            style=self.readers.shared.style,
            height=300,
        )

    def difference(self) -> Reading:
        """Range of the difference of two areas."""
        level = self.chosen.level
        each = Upper(float(self.noise.half_width(level)), WIDTH)
        both = Upper(difference_half_width(self.noise, self.noise, level=level), WIDTH)
        first, second = self.pair
        apart = abs(first.count - second.count)
        code = CodeWriter()
        noise = code.let("noise", self.noise)
        rows = (
            (first.name, f"{first.count:,}", f"± {each.digits}"),
            (second.name, f"{second.count:,}", f"± {each.digits}"),
            (self.said("difference_row"), f"{apart:,}", f"± {both.digits}"),
        )
        return Reading(
            self.said("reading_difference", each=each, both=both, apart=f"{apart:,}"),
            self.said("reading_difference_print"),
            table=Table(self.said("difference_caption"), heads("publication", "within"), rows),
            python=code.ending(code(difference_half_width, noise, noise, level=level), both),
        )

    def share(self) -> Reading:
        """Range of a share that two published numbers leave open."""
        first = self.pair[0]
        if first.people is None:
            return Reading(self.said("reading_no_people"))
        if first.count > first.people:
            return Reading(self.said("reading_no_share"))
        whole_noise = self._whole_noise()
        wide = max(self.noise.std, 0.0 if whole_noise is None else whole_noise.std)
        if wide > WIDEST and not self.fractions:
            return Reading(self.said("reading_too_wide"))
        level, code = self.chosen.level, CodeWriter()
        noises = {"part_noise": code.let("part_noise", self.noise)}
        if whole_noise is not None:
            noises["whole_noise"] = code.let("whole_noise", whole_noise)
        rows, ends = [], []
        for place in dict.fromkeys(self.places):
            area = self.readers.areas[place]
            if area.people is None or area.count > area.people:
                continue
            found = share_range(area.count, area.people, part_noise=self.noise, whole_noise=whole_noise, level=level)
            low, high = Lower(100 * found.low, WIDTH), Upper(100 * found.high, WIDTH)
            ends.append((low, high))
            published = Exact(100 * area.count / area.people, WIDTH)
            shares = (f"{end.digits} %" for end in (published, low, high))
            rows.append((area.name, f"{area.count:,}", f"{area.people:,}", *shares))
        low, high = ends[0]
        asked = code(share_range, first.count, first.people, **noises, level=level)
        return Reading(
            self.said("reading_share", low=low, high=high, people=f"{first.people:,}", whole=self._whole_words()),
            self.said("reading_share_print"),
            table=Table(self.said("share_caption"), heads("publication", "shares"), tuple(rows)),
            python=code.ending(Source(f"[100 * end for end in {asked}]"), low, high),
        )

    def _whole_row(self) -> int | None:
        """The row that the number of people is published in; None where it is public."""
        if self.chosen.whole == PUBLIC:
            return None
        rows = self.readers.shared.publication.rows
        place = self.chosen.whole - 1
        known = 0 <= place < len(rows) and self.chosen.tables[place].kind == "counts"
        return place if known else self.readers.place

    def _whole_noise(self) -> Any:
        place = self._whole_row()
        return None if place is None else self.readers.noise_of(place)

    def _whole_words(self) -> str:
        place = self._whole_row()
        if place is None:
            return self.said("whole_public")
        return self.said("whole_noisy", base=f"“{named(self.readers.shared, place)}”")

    def rank(self) -> Reading:
        """Published rank of the first area, the largest count first."""
        counts, place = self.readers.counts, self.places[0]
        if counts.size < 2:
            return Reading(self.said("reading_two_areas"))
        if self.noise.std * counts.size * (counts.size + 500) > MOST_STEPS:
            return Reading(self.said("reading_too_wide"))
        law = rank_law(counts, place, mechanism=self.noise)
        low, high = _central(law, self.chosen.level)
        true = 1 + int((counts > counts[place]).sum())
        top, own = (Exact(float(law[at]), self.readers.often) for at in (0, true - 1))
        code = CodeWriter()
        noise = code.let("noise", self.noise)
        listed = code.let("counts", counts.tolist())
        return Reading(
            self.said("reading_rank", true=f"{true:,}", spread=spread(low, high), top=top, own=own),
            self.said("reading_rank_print"),
            picture=self._rank_picture(law, low, high),
            python=code.ending(Source(f"{code(rank_law, listed, place, mechanism=noise)}[0]"), top),
        )

    def _rank_picture(self, law: NDArray[np.float64], low: int, high: int) -> Picture:
        shown = np.arange(max(low - 3, 1), min(high + 3, law.size) + 1)
        named_range = self.said("rank_range", spread=spread(low, high))
        column = columns_of("publication", "ranks")
        rows = side_by_side(
            column("rank", shown.astype(float), said=written(",.0f"), hover=",d"),
            column("probability", law[shown - 1]),
            Column("inside", named_range, (shown >= low) & (shown <= high), listed=False),
        )
        return Picture(
            key="publication-rank",
            numbers=Numbers(self.said("rank_caption"), (rows,)),
            marks=(
                Bars(x="rank", y="probability", where=("inside", True), name=named_range),
                Bars(
                    x="rank",
                    y="probability",
                    where=("inside", False),
                    name=self.said("rank_outside"),
                    role="reach",
                    pattern="/",
                ),
            ),
            panels=(Panel(x=Axis(grid=False), y=Axis(zero=True)),),
            reading=self.said("reading_of_rank"),
            style=self.readers.shared.style,
            legend="above right",
            height=300,
        )

    def average(self) -> Reading:
        """Ranges of the median and of the mean of all areas."""
        counts, level = self.readers.counts, self.chosen.level
        median = float(np.sort(counts)[(counts.size - 1) // 2])
        mean = float(counts.mean())
        of_median = Upper(median_half_width(counts, mechanism=self.noise, level=level), WIDTH)
        of_mean = Upper(mean_half_width(counts.size, mechanism=self.noise, level=level), WIDTH)
        each = Upper(float(self.noise.half_width(level)), WIDTH)
        middle, average = Exact(median, number(6)), Exact(mean, number(4))
        code = CodeWriter()
        noise = code.let("noise", self.noise)
        listed = code.let("counts", counts.tolist())
        asked = [
            code(median_half_width, listed, mechanism=noise, level=level),
            code(mean_half_width, counts.size, mechanism=noise, level=level),
        ]
        rows = (
            (self.said("median_row"), middle.digits, f"± {of_median.digits}"),
            (self.said("mean_row"), average.digits, f"± {of_mean.digits}"),
            (self.said("one_row"), "–", f"± {each.digits}"),
        )
        return Reading(
            self.said("reading_average", median=middle, mean=average, of_median=of_median, of_mean=of_mean, each=each),
            self.said("reading_average_print"),
            table=Table(self.said("average_caption"), heads("publication", "within"), rows),
            python=code.ending(asked, of_median, of_mean),
        )


def _central(law: NDArray[np.float64], level: float) -> tuple[int, int]:
    """First and last rank, left out on either side with no more than half of what the level leaves."""
    allowed = (1 - level) / 2 * (1 + 1e-12)
    better = np.append(0.0, np.cumsum(law)[:-1])  # P[a smaller rank]
    worse = np.append(np.cumsum(law[::-1])[::-1][1:], 0.0)
    return int(np.flatnonzero(better <= allowed)[-1]) + 1, int(np.argmax(worse <= allowed)) + 1
