"""A label of 90 by 130 millimetres: what was decided and what it means, as a page to print and as one drawing."""

from __future__ import annotations

import html
from dataclasses import dataclass
from pathlib import Path

from ui.documents.document import Square, is_whole, lines_of, printable
from ui.documents.page import marked
from ui.pictures.palette import LIGHT
from ui.pictures.people import IconArray
from ui.pictures.style import Style
from ui.words.markdown import without_marks

POINT = 72 / 25.4
WIDTH, HEIGHT = 90 * POINT, 130 * POINT
EDGE, GAP, HEADS = 11.0, 6.0, 52.0
"""Points of the margin, between columns, and of the column of headings."""
SIZES = (8.5, 8.0, 7.5, 7.0, 6.5, 6.0)
"""Sizes of type to try, in points: the largest with which everything fits, and never below the last."""
LETTER, BOLD, LINE = 0.53, 0.6, 1.22
"""Width of a letter and of a bold one, on average, and height of a line, against the size of type."""
FONT = 'font-family="Liberation Sans, Arial, Helvetica, sans-serif"'
PEOPLE = 56.0
STYLE = "\n" + Path(__file__).with_suffix(".css").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Label:
    """A label: what stands over it, its title, rows of a heading and a text, people before and after, small print.

    lead : the sentence over the people
    address : where the reasons stand
    """

    over: str
    title: str
    lead: str
    rows: tuple[tuple[str, str], ...]
    people: tuple[IconArray, ...]
    small_print: str
    address: str = ""

    @property
    def alt(self) -> str:
        """Everything it says, in the order in which it is read."""
        told = (f"{head}: {text}" for head, text in self.rows)
        people = (panel.alt for panel in self.people)
        return without_marks(" ".join((self.over, f"{self.title}.", self.lead, *people, *told, self.small_print)))

    @property
    def page(self) -> str:
        """The label as a page of its own, of text."""
        rows = "".join(f"<dt>{marked(head)}</dt><dd>{marked(text)}</dd>" for head, text in self.rows)
        people = "".join(
            f"<figure><figcaption>{marked(panel.title)}</figcaption>{panel.drawing(Style())}</figure>"
            for panel in self.people
        )
        return (
            '<!doctype html><html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{_escaped(self.title)}</title><style>{STYLE}</style></head><body><main>"
            f'<p class="over">{marked(self.over)}</p><h1>{marked(self.title)}</h1><p>{marked(self.lead)}</p>'
            f'<div class="people">{people}</div><dl>{rows}</dl><p class="print">{marked(self.small_print)}'
            f"{self._link}</p></main></body></html>"
        )

    @property
    def _link(self) -> str:
        said = _escaped(self.address)
        return f' <a href="{said}">{said}</a>' if is_whole(self.address) else ""

    @property
    def svg(self) -> str:
        """The label as one drawing in points, with a QR code where phones find its address.

        It is as high as it must be where the smallest type does not fit.
        """
        drawings = [self._drawn(size) for size in SIZES]
        parts, height = next((found for found in drawings if found[1] <= HEIGHT), drawings[-1])
        height = max(height, HEIGHT)
        size = f'width="{WIDTH:.1f}pt" height="{height:.1f}pt" viewBox="0 0 {WIDTH:.1f} {height:.1f}"'
        frame = f'x="0.75" y="0.75" width="{WIDTH - 1.5:.1f}" height="{height - 1.5:.1f}"'
        ground = f'<rect {frame} fill="{LIGHT.ground}" stroke="{LIGHT.ink}" stroke-width="1.5"/>'
        named = f"<title>{_escaped(self.title)}</title><desc>{_escaped(self.alt)}</desc>"
        return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}>{named}{ground}{"".join(parts)}</svg>'

    def _drawn(self, size: float) -> tuple[list[str], float]:
        """The parts of the drawing in type of a size, and the height that they take."""
        sheet, wide = _Sheet(size), WIDTH - 2 * EDGE
        sheet.write(self.over, EDGE, wide, bold=True)
        sheet.rule(1.5)
        sheet.write(self.title, EDGE, wide, bold=True, scale=1.5)
        sheet.write(self.lead, EDGE, wide, bold=True, scale=1.1)
        top, ends = sheet.top + 2, []
        code = Square.scanned(self.address)
        side = (wide - (PEOPLE if code else 0)) / max(len(self.people), 1)
        for place, panel in enumerate(self.people):
            left = EDGE + place * side
            sheet.top = top
            sheet.write(panel.title, left, side - GAP)
            spot = f'x="{left:.1f}" y="{sheet.top + 1:.1f}" width="{PEOPLE}" height="{PEOPLE}"'
            sheet.parts.append(panel.drawing(Style()).replace("<svg ", f"<svg {spot} ", 1))
            ends.append(sheet.top + PEOPLE + 3)
        if code is not None:
            spot = f'x="{WIDTH - EDGE - PEOPLE:.1f}" y="{top:.1f}" width="{PEOPLE}" height="{PEOPLE}"'
            sheet.parts.append(code.svg.replace("<svg ", f"<svg {spot} ", 1))
            ends.append(top + PEOPLE + 3)
        sheet.top = max(ends, default=top)
        for head, text in self.rows:
            sheet.rule(0.5)
            start = sheet.top
            sheet.write(head, EDGE, HEADS - GAP, bold=True)
            after, sheet.top = sheet.top, start
            sheet.write(text, EDGE + HEADS, wide - HEADS)
            sheet.top = max(after, sheet.top)
        sheet.rule(1.5)
        sheet.write(self.small_print, EDGE, wide, colour=LIGHT.quiet, least=True)
        return sheet.parts, sheet.top + EDGE / 2


class _Sheet:
    """Lines of text from the top down."""

    def __init__(self, size: float) -> None:
        self.size, self.top, self.parts = size, EDGE / 2, list[str]()

    def write(
        self,
        words: str,
        left: float,
        width: float,
        *,
        bold: bool = False,
        scale: float = 1.0,
        colour: str = LIGHT.ink,
        least: bool = False,
    ) -> None:
        size = SIZES[-1] if least else max(self.size * scale, SIZES[-1])
        letters = max(int(width / (size * (BOLD if bold else LETTER))), 4)
        weight = ' font-weight="700"' if bold else ""
        for line in lines_of(printable(without_marks(words)), letters):
            self.top += size * LINE
            place = f'x="{left:.1f}" y="{self.top - size * (LINE - 1):.1f}"'
            self.parts.append(
                f'<text {place} {FONT} font-size="{size:g}"{weight} fill="{colour}">{html.escape(line)}</text>'
            )

    def rule(self, height: float) -> None:
        self.top += 2
        place = f'x="{EDGE}" y="{self.top:.1f}" width="{WIDTH - 2 * EDGE:.1f}" height="{height}"'
        self.parts.append(f'<rect {place} fill="{LIGHT.ink}"/>')
        self.top += height


def _escaped(text: str) -> str:
    return html.escape(printable(without_marks(text)), quote=True)
