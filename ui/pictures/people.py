"""Drawings of people: so many before and after, and those of a block told apart by whether a guess has them right."""

from __future__ import annotations

import html
import math
from dataclasses import dataclass

from ui.pictures.columns import Numbers
from ui.pictures.palette import Palette, palette
from ui.pictures.style import Style
from ui.words.catalogue import label

PERSON = "M{x} {y}m-2 0a2 2 0 1 0 4 0a2 2 0 1 0 -4 0M{l} {b}v-1.4a3.1 2.6 0 0 1 6.2 0v1.4z"
CELL = 12.0
MOST_DRAWN = 10_000
"""Of no more people is one drawn each."""
STROKES = {"bound": "1.8 0.9", "every_view": "0.8 0.8", "exact": "", "average": ""}


@dataclass(frozen=True)
class IconArray:
    """One panel: its title, the people before and after, of how many, and in which reading the change is drawn.

    `before` icons stand for the belief before the release, `after` for the one after it. The icons in both are solid;
    the ones between are drawn in the style of the reading; the rest are pale.
    """

    title: str
    caption: str
    before: int
    after: int
    of: int
    reading: str

    @property
    def parts(self) -> dict[str, int]:
        """Icons that stand for the belief before as well as after, for one of the two, and for neither."""
        low, high = sorted((self.before, self.after))
        return {"kept": low, "moved": high - low, "rest": self.of - high}

    @property
    def words(self) -> tuple[str, str]:
        """What stands under it: its number, and the words after that; a belief that was none becomes no certainty."""
        count = f"{self.after:,}"
        count = label("numbers", "nearly", share=count) if self.before < self.after == self.of else count
        return count, label("pictures", "people.words", of=f"{self.of:,}", caption=self.caption)

    def drawing(self, style: Style) -> str:
        """The drawing as SVG; every icon counts one person of the denominator."""
        marks = _people(self, style) if self.of == 100 else _dots(self, style)
        return f'<svg role="img" aria-label="{html.escape(self.alt)}" viewBox="0 0 124 124">{marks}</svg>'

    @property
    def alt(self) -> str:
        """What the panel shows, in words."""
        counts = {name: f"{getattr(self, name):,}" for name in ("of", "before", "after")}
        return label("pictures", "people.alt", title=self.title, **counts)


def _people(panel: IconArray, style: Style) -> str:
    """A hundred people in ten rows, filled from the bottom left."""
    colours = palette(style.dark)
    dash = STROKES[panel.reading]
    gained = panel.after >= panel.before
    inside = colours.reach if panel.reading == "exact" and gained else "none"
    marks = {
        "kept": f'fill="{colours.accent}"',
        "moved": f'fill="{inside}" stroke="{colours.reach}" stroke-width="1.1"'
        + (f' stroke-dasharray="{dash}"' if dash else ""),
        "rest": f'fill="{colours.grid}"',
    }
    drawn = []
    for place, kind in enumerate(kind for kind, number in panel.parts.items() for _ in range(number)):
        column, row = place % 10, 9 - place // 10
        x, y = 8 + CELL * column, 5.4 + CELL * row
        shape = PERSON.format(x=f"{x:g}", y=f"{y:g}", l=f"{x - 3.1:g}", b=f"{y + 6.6:g}")
        drawn.append(f'<path class="{kind}" {marks[kind]} d="{shape}"/>')
    return "".join(drawn)


def _dots(panel: IconArray, style: Style) -> str:
    """Dots in about as many columns as rows; whole rows are one shape, so that the drawing stays small."""
    colours = palette(style.dark)
    columns = math.ceil(math.sqrt(panel.of))
    side = 120 / columns
    dot, square = f"{side * 0.46:.3g}", f"{side * 0.8:.3g}"
    fills = {"kept": colours.accent, "moved": colours.reach, "rest": colours.grid}
    names = {kind: f"dots-{kind}-{panel.before}-{panel.after}" for kind in fills}
    patterns = "".join(
        f'<pattern id="{names[kind]}" width="{side}" height="{side}" patternUnits="userSpaceOnUse">'
        + (f'<circle cx="{dot}" cy="{dot}" r="{side * 0.43:.3g}" fill="{colour}"/>' if kind == "moved" else "")
        + (f'<rect width="{square}" height="{square}" fill="{colour}"/>' if kind != "moved" else "")
        + "</pattern>"
        for kind, colour in fills.items()
    )
    areas, start = [], 0
    for kind, number in panel.parts.items():
        for first, length, rows in _blocks(start, number, columns):
            column, row = first % columns, first // columns
            where = f'x="{column * side:g}" y="{(columns - row - rows) * side:g}" width="{length * side:g}"'
            size = f'height="{rows * side:g}" data-count="{length * rows}"'
            areas.append(f'<rect class="{kind}" {where} {size} fill="url(#{names[kind]})"/>')
        start += number
    return f'<defs>{patterns}</defs><g transform="translate(2 2)">{"".join(areas)}</g>'


def _blocks(start: int, number: int, columns: int) -> list[tuple[int, int, int]]:
    """A run of places in rows of so many columns as blocks (first place, width, rows)."""
    head = min(-start % columns, number)
    whole, tail = divmod(number - head, columns)
    blocks = ((start, head, 1), (start + head, columns, whole), (start + number - tail, tail, 1))
    return [block for block in blocks if block[1] and block[2]]


GRID_CELL = 14.0
GRID_PERSON = "M{x} {y}m-2.3 0a2.3 2.3 0 1 0 4.6 0a2.3 2.3 0 1 0 -4.6 0M{l} {b}v-1.6a3.7 3 0 0 1 7.4 0v1.6z"


@dataclass(frozen=True)
class PeopleGrid:
    """One guess of a block: its title, and of each kind of person the name, how many there are and how many it says."""

    title: str
    kinds: tuple[tuple[str, int, int], ...]

    @property
    def people(self) -> int:
        """People of the block."""
        return sum(there for _, there, _ in self.kinds)

    @property
    def right(self) -> int:
        """People whom the guess puts where they are."""
        return sum(min(there, guessed) for _, there, guessed in self.kinds)

    @property
    def invented(self) -> int:
        """People of the guess who are not there."""
        return sum(max(guessed - there, 0) for _, there, guessed in self.kinds)

    @property
    def words(self) -> tuple[str, str]:
        """What stands under it: its number, and the words after that."""
        return f"{self.right}", label("pictures", "guess.words", people=self.people, invented=self.invented)

    def drawing(self, style: Style) -> str:
        """The drawing as SVG: the same person stands at the same place of each guess."""
        colours = palette(style.dark)
        across = 9 if self.people + self.invented <= 72 else 14
        kinds = sorted(self.kinds, key=lambda kind: -kind[1])
        there = ((name, number < guessed) for name, there, guessed in kinds for number in range(there))
        marks = [_person(place, across, name, right, colours) for place, (name, right) in enumerate(there)]
        invented = [name for name, there, guessed in self.kinds for _ in range(guessed - there)]
        below = across * -(-self.people // across)
        line = f'fill="none" stroke="{colours.quiet}" stroke-dasharray="1.6 1.2" stroke-width="1"'
        for place, name in enumerate(invented, below):
            x, y = _spot(place, across)
            side = f'x="{x - 4:g}" y="{y - 2:g}" width="8" height="8" rx="1"'
            marks.append(f'<rect class="invented" {side} {line}><title>{_told("invented", name)}</title></rect>')
        rows = -(-(below + self.invented) // across)
        box = f"0 0 {GRID_CELL * across + 2:g} {GRID_CELL * rows + 2:g}"
        return f'<svg role="img" aria-label="{html.escape(self.alt)}" viewBox="{box}">{"".join(marks)}</svg>'

    @property
    def alt(self) -> str:
        """What the panel shows, in words."""
        counts = {"people": self.people, "right": self.right, "missed": self.people - self.right}
        return label("pictures", "guess.alt", title=self.title, invented=self.invented, **counts)


def guess_of(numbers: Numbers, key: str) -> PeopleGrid:
    """The guess in one column, beside the columns `kind` and `there`; it is called what the column is called."""
    kinds, there, guessed = (numbers.column(name) for name in ("kind", "there", key))
    return PeopleGrid(guessed.name, tuple(zip(kinds.values, there.values, guessed.values, strict=True)))


def _told(kind: str, name: str) -> str:
    return html.escape(label("pictures", f"guess.{kind}", name=name))


def _spot(place: int, across: int) -> tuple[float, float]:
    return 8 + GRID_CELL * (place % across), 5 + GRID_CELL * (place // across)


def _person(place: int, across: int, name: str, right: bool, colours: Palette) -> str:
    x, y = _spot(place, across)
    shape = GRID_PERSON.format(x=f"{x:g}", y=f"{y:g}", l=f"{x - 3.7:g}", b=f"{y + 7.6:g}")
    title = f"<title>{_told('right' if right else 'missed', name)}</title>"
    if right:
        return f'<path class="right" fill="{colours.accent}" d="{shape}">{title}</path>'
    cross = f"M{x - 5:g} {y - 3:g}l10 11m0 -11l-10 11"
    drawn = f'<path stroke-width="0.8" d="{shape}"/><path stroke-width="1.4" d="{cross}"/>'
    return f'<g class="missed" fill="none" stroke="{colours.reach}">{title}{drawn}</g>'
