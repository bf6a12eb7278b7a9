"""Panels of people side by side: HTML for a page, one SVG for a file, and the numbers that they draw."""

from __future__ import annotations

import html
import re
import textwrap
from dataclasses import dataclass

from ui.pictures.palette import LIGHT
from ui.pictures.people import IconArray, PeopleGrid
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.words.catalogue import label
from ui.words.markdown import without_marks

WIDTH, GAP, MARGIN = 300, 40, 16
SMALL, LARGE, TITLE = 12, 15, 19
IN_DOCUMENT = 17
"""Size of type in a document, which draws the panels at two thirds of their width."""
LETTER = 0.55
"""Width of a letter, on average, against its size."""


Panel = IconArray | PeopleGrid
"""One drawing with what stands over and under it."""


@dataclass(frozen=True)
class Panels:
    """Panels as a page shows and hands them out: their name, what is drawn, the numbers behind it."""

    key: str
    panels: tuple[Panel, ...]
    table: Table
    style: Style
    title: str = ""
    legend: str = ""
    """What the marks of all panels stand for, under them."""
    under: str = ""
    """What a picture that leaves the page says last; without, where it was made."""

    @property
    def html(self) -> str:
        """What the page shows: the panels side by side with one SVG each."""
        legend = f'<p class="riskline-small">{html.escape(self.legend)}</p>' if self.legend else ""
        figures = "".join(
            f'<figure class="riskline-icons"><figcaption>{html.escape(panel.title)}</figcaption>'
            f"{panel.drawing(self.style)}<p><strong>{panel.words[0]}</strong> {html.escape(panel.words[1])}</p>"
            "</figure>"
            for panel in self.panels
        )
        return f'<div class="riskline-icon-row">{figures}</div>{legend}'

    def svg(self, *, reading: str, source: str) -> str:
        """One drawing of all panels in light colours, with its title, its reading and where it was made.

        Without a title the reading is set as large as one; a document, which says the reading itself, has neither.
        """
        across = len(self.panels) * (WIDTH + GAP) - GAP
        parts: list[str] = []
        top, small = float(MARGIN), SMALL if reading else IN_DOCUMENT
        over = max(len(_wrapped(panel.title, WIDTH, small)) for panel in self.panels)
        for words, large in ((self.title, TITLE), (without_marks(reading), SMALL if self.title else LARGE)):
            top += _written(parts, words if reading else "", MARGIN, top, across, large)
        top += GAP // 2
        ends = []
        for place, panel in enumerate(self.panels):
            left = MARGIN + place * (WIDTH + GAP)
            _written(parts, panel.title, left, top, WIDTH, small)
            below = top + over * _step(small) + 6
            drawing = panel.drawing(Style())
            wide, high = map(float, re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawing)[0])
            height = WIDTH * high / wide
            spot = f'x="{left}" y="{below}" width="{WIDTH}" height="{height:g}"'
            parts.append(drawing.replace("<svg ", f"<svg {spot} ", 1))
            under = below + height + 8
            ends.append(under + _written(parts, " ".join(panel.words), left, under, WIDTH, small))
        foot = max(ends) + GAP // 4
        foot += _written(parts, self.legend if reading else "", MARGIN, foot, across, SMALL) + GAP // 4
        last = self.under if reading and self.under else source
        bottom = foot + _written(parts, last, MARGIN, foot, across, SMALL, LIGHT.quiet) + MARGIN
        size = f'width="{across + 2 * MARGIN}" height="{bottom:g}" viewBox="0 0 {across + 2 * MARGIN} {bottom:g}"'
        ground = f'<rect width="100%" height="100%" fill="{LIGHT.ground}"/>'
        named = f"<title>{html.escape(without_marks(reading))}</title>"
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{named}{ground}{"".join(parts)}</svg>'


def icon_panels(key: str, panels: tuple[IconArray, ...], style: Style, title: str = "", legend: str = "") -> Panels:
    """The panels with the numbers of people that they draw."""
    rows = tuple((panel.title, panel.before, panel.after, panel.of) for panel in panels)
    heads = tuple(label("pictures", f"people.{name}") for name in ("case", "before", "after", "of"))
    table = Table(label("pictures", "people"), heads, rows)
    return Panels(key, panels, table, style, title, legend)


def _step(size: int) -> int:
    return round(1.35 * size)


def _wrapped(words: str, width: float, size: int) -> list[str]:
    return textwrap.wrap(words, max(int(width / (LETTER * size)), 8))


def _written(
    parts: list[str], words: str, left: float, top: float, width: float, size: int, colour: str = LIGHT.ink
) -> float:
    """Add words from a corner on, in lines of at most this width; the height they take."""
    lines = _wrapped(words, width, size)
    style = f'font-family="sans-serif" font-size="{size}" fill="{colour}"'
    for number, line in enumerate(lines):
        y = top + number * _step(size) + size
        parts.append(f'<text x="{left:g}" y="{y:g}" {style}>{html.escape(line)}</text>')
    return len(lines) * _step(size)
