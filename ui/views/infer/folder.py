"""What a noisy folder says of one area's count, as none is negative: its exact law beside its own noisy count."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore._properties import cached_property
from dpcore.adjustment import AreaTree, CountPosterior, NoisyTable, count_posterior
from riskline.release.estimates import Estimates
from ui.pictures.columns import Column, side_by_side, single, written
from ui.pictures.marks import Line, Upright
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.views.infer.learned import InferInputs
from ui.views.publish.held import Held, Offered, example
from ui.views.publish.view import counted
from ui.views.shared.promise import PageInMaking
from ui.words.catalogue import label, say
from ui.words.phrasing import frequency, plain_number
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Exact, Typed, whole

SEED = 1
MOST_POINTS = 161
NEARLY_ALL = 0.999
"""Counts of the picture, and the probability that they have together."""


def folder_parts(inputs: InferInputs, style: Style, own: Held | None) -> dict[str, Any]:
    """The page's answer, picture and lines for the count of one area; of the example where no folder was brought."""
    held = own if inputs.data == "own" else None
    return _OfFolder(inputs, style, held or example(inputs.case, SEED), held is not None).parts


@dataclass(frozen=True)
class _OfFolder(PageInMaking):
    """The answer in the making."""

    page = "infer"
    held: Held
    is_own: bool

    @cached_property
    def part(self) -> Offered:
        return Offered(self.held.folder, vars(self.inputs.of_folder))

    @cached_property
    def law(self) -> CountPosterior:
        """The law of the count given all levels."""
        estimates = Estimates(self.held.folder, self.inputs.level)
        return estimates.posterior(estimates.selection(self.part.counts(self.part.area)))

    @cached_property
    def noisy(self) -> int:
        """The published count of the area, or the sum over its cells."""
        return int(self.part.one_time.values[0, self.part.area, self.part.cells].sum())

    @cached_property
    def noise(self) -> NDArray[np.float64]:
        """Chances that the noise of this number is 0, 1 and so on, of either sign."""
        law, terms = self.part.table.laws[self.part.level], len(self.part.cells)
        return np.exp(law.log_sum_pmf(np.arange(math.ceil(15 * law.std * math.sqrt(terms)) + 8.0), terms))

    def half_width(self, level: float) -> int:
        """Plus or minus so much holds the true count as often as the level says."""
        held = 2 * np.cumsum(self.noise) - self.noise[0]
        return int(np.searchsorted(held, level))

    @property
    def parts(self) -> dict[str, Any]:
        part, (low, high) = self.part, self.law.interval(self.inputs.level)
        half, noisy = self.half_width(self.inputs.level), self.noisy
        numbers = {"low": low, "high": high, "mode": self.law.mode, "noisy": noisy}
        numbers |= {"alone_low": noisy - half, "alone_high": noisy + half}
        context: dict[str, object] = {name: counted(value, "nearest") for name, value in numbers.items()}
        context |= {
            "what": part.what(part.cell, part.area) + part.among(part.table, timed=True),
            "level": f"{plain_number(100 * self.inputs.level, 3)} %",
            "beyond": frequency(1 - self.inputs.level),
            "noise": part.table.laws[part.level].label,
        }
        left = self.say("folder_left", left=Typed(self.law.unread, whole)) if self.law.unread else ""
        invented = "" if self.is_own else self.say("folder_invented")
        missing = self.inputs.data == "own" and not self.is_own
        return {
            "answer": self.say("folder", **context),
            "small_print": f"{self.say('folder_small_print', **context)} {left or invented}".strip(),
            "main": self._picture(self.say("reading_folder", **context)),
            "notes": (say("publish", self.style.voice, "no_folder_yet"),) if missing else (),
            "command": f"{part.command} --posterior",
            "computed": say("infer", "technical", "folder_computed", **context),
            "python": None if self.is_own else self._python(low, high),
        }

    def _picture(self, reading: str) -> Picture:
        """Both laws over the counts that they hold, and the noisy count."""
        low, high = self.law.interval(NEARLY_ALL)
        half, noise, law = self.half_width(NEARLY_ALL), self.noise, self.law.probabilities
        first, last = min(low, self.noisy - half), max(high, self.noisy + half)
        at = np.arange(first, last + 1, math.ceil((last + 1 - first) / MOST_POINTS))
        laws = {"posterior": (at - self.law.first, law), "alone": (np.abs(at - self.noisy), noise)}
        probability = label("infer", "probability")
        columns = [Column("at", self.say("axis_folder"), at.astype(float), said=written(",.0f"))]
        for name, (place, chances) in laws.items():
            inside = (place >= 0) & (place < chances.size)
            heights = np.where(inside, chances[np.clip(place, 0, chances.size - 1)], 0.0)
            columns.append(Column(name, self.say(f"name_{name}"), heights, quantity=probability, said=written(".4f")))
        noisy = single("noisy", self.say("name_noisy"), float(self.noisy), quantity=self.say("axis_folder"))
        marks = (
            Upright(x="noisy", at=0.95),
            Line(x="at", y="posterior"),
            Line(x="at", y="alone", role="reach", dash="dash"),
        )
        rows = (side_by_side(*columns, listed=range(0, at.size, max(1, at.size // 20))), side_by_side(noisy))
        return Picture.of("folder", rows, marks, reading=reading, style=self.style, legend="above", height=400)

    def _python(self, low: int, high: int) -> CodeLines:
        """The lines for the ends of the range."""
        part, code = self.part, CodeWriter()
        table, areas = part.one_time.noisy(part.time), part.table.areas
        tree = code.let("tree", code(AreaTree, np.asarray(areas.tree.parents).tolist()))
        counts, variances = np.asarray(table.counts).astype(int).tolist(), np.asarray(table.variances)[:, :1]
        noisy = code.let("table", code(NoisyTable, tree, counts, variances=variances))
        laws = [
            (code.of(part.table.laws[areas.levels[level]]), len([*some])) for level, some in groupby(areas.level_of)
        ]
        noise = code.let("noise", Source(" + ".join(f"[{law}] * {size}" for law, size in laws)))
        found = code(count_posterior, noisy, noise=noise, area=part.area, cells=part.cells)
        ends = (Exact(low, whole), Exact(high, whole))
        return code.ending(Source(f"{found}.interval({self.inputs.level!r})"), *ends)
