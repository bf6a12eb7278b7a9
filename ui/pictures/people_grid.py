"""A block as a grid of people, right and wrong told apart by shape: an SVG of our own of columns of people."""

from __future__ import annotations

import html
from dataclasses import dataclass

from ui.pictures.columns import Numbers
from ui.pictures.palette import Palette, palette
from ui.pictures.style import Style
from ui.words.catalogue import label

CELL = 14.0
PERSON = "M{x} {y}m-2.3 0a2.3 2.3 0 1 0 4.6 0a2.3 2.3 0 1 0 -4.6 0M{l} {b}v-1.6a3.7 3 0 0 1 7.4 0v1.6z"


@dataclass(frozen=True)
class PeopleGrid:
    """One guess of a block: its title, and for each kind of person its name, how many there are and how many the guess
    says.
    """

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
        marks = []
        place = 0
        for name, there, guessed in sorted(self.kinds, key=lambda kind: -kind[1]):
            for number in range(there):
                marks.append(_person(place, across, name, number < guessed, colours))
                place += 1
        place = across * (-(-place // across))
        for name, there, guessed in self.kinds:
            for _ in range(max(guessed - there, 0)):
                x, y = _spot(place, across)
                side = f'x="{x - 4:g}" y="{y - 2:g}" width="8" height="8" rx="1"'
                line = f'fill="none" stroke="{colours.quiet}" stroke-dasharray="1.6 1.2" stroke-width="1"'
                marks.append(f'<rect class="invented" {side} {line}><title>{_told("invented", name)}</title></rect>')
                place += 1
        rows = -(-place // across)
        box = f"0 0 {CELL * across + 2:g} {CELL * rows + 2:g}"
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
    return 8 + CELL * (place % across), 5 + CELL * (place // across)


def _person(place: int, across: int, name: str, right: bool, colours: Palette) -> str:
    x, y = _spot(place, across)
    shape = PERSON.format(x=f"{x:g}", y=f"{y:g}", l=f"{x - 3.7:g}", b=f"{y + 7.6:g}")
    title = f"<title>{_told('right' if right else 'missed', name)}</title>"
    if right:
        return f'<path class="right" fill="{colours.accent}" d="{shape}">{title}</path>'
    cross = f"M{x - 5:g} {y - 3:g}l10 11m0 -11l-10 11"
    return (
        f'<g class="missed" fill="none" stroke="{colours.reach}">{title}<path stroke-width="0.8" d="{shape}"/>'
        f'<path stroke-width="1.4" d="{cross}"/></g>'
    )
