"""What is drawn of a picture's numbers: marks that name columns, on axes that take their titles from them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

ON_LINE = ("center", "middle")


@dataclass(frozen=True, kw_only=True)
class Mark:
    """What every mark has: the panel it stands in and, if not all rows are drawn, a column with the value they have.

    `on_x` and `on_y` are the fields of a mark whose columns lie on either axis; the rest names what is said or shown
    otherwise.
    """

    on_x: ClassVar[tuple[str, ...]] = ("x",)
    on_y: ClassVar[tuple[str, ...]] = ("y",)

    panel: int = 0
    where: tuple[str, Any] | None = None

    def across(self) -> tuple[str, ...]:
        """Keys of the columns on the horizontal axis."""
        return tuple(key for name in self.on_x if (key := getattr(self, name)))

    def upwards(self) -> tuple[str, ...]:
        """Keys of the columns on the vertical axis."""
        return tuple(key for name in self.on_y if (key := getattr(self, name)))


@dataclass(frozen=True, kw_only=True)
class Line(Mark):
    """A line; its name stands at the visible row `label`, touching it with the corner `beside`, or in the legend.

    `width` is a share of the stroke that carries the message, a hairline is for what is there to compare with;
    `symbols` puts a mark on every row, `few_symbols` on some; what is not `joined` is those alone. A name is broken
    into lines of `wrapped` letters; on the picture one of more than `shortened` letters loses its middle.
    """

    x: str
    y: str
    role: str = "accent"
    dash: str = "solid"
    width: float = 1.0
    joined: bool = True
    hairline: bool = False
    wrapped: int = 0
    shortened: int = 0
    label: int | None = None
    beside: tuple[str, str] = ("left", "bottom")
    symbols: str = ""
    few_symbols: bool = False
    in_legend: bool = True
    hover: bool = True


@dataclass(frozen=True, kw_only=True)
class Band(Mark):
    """The area between two columns; `edge` is the role of its outline."""

    on_y = ("low", "high")

    x: str
    low: str
    high: str
    role: str = "band"
    edge: str = ""
    in_legend: bool = True


@dataclass(frozen=True, kw_only=True)
class Dots(Mark):
    """A symbol for each row; with `low` and `high` also the range between them.

    `chosen` is a column of truths: the row that has it is drawn large. `words` is a column of words under the mouse.
    `shift` moves symbols within the place of their row, so that several stand beside each other.
    """

    on_y = ("y", "low", "high")

    x: str
    y: str
    role: str = "accent"
    symbol: str = "circle"
    size: int = 9
    low: str = ""
    high: str = ""
    chosen: str = ""
    words: str = ""
    shift: float = 0.0
    outlined: bool = False


@dataclass(frozen=True, kw_only=True)
class Joins(Mark):
    """A dotted line from one column to the other in every row that has both."""

    on_x = ("start", "end")

    start: str
    end: str
    y: str


@dataclass(frozen=True, kw_only=True)
class Bars(Mark):
    """A bar for each row, up or, if `flat`, to the right; `words` is a column of words at its end.

    `name` stands for the rows that `where` chooses. A value that is not there runs to the edge of the picture: nothing
    limits it.
    """

    x: str
    y: str
    role: str = "accent"
    pattern: str = ""
    flat: bool = False
    words: str = ""
    name: str = ""
    thin: bool = False


@dataclass(frozen=True, kw_only=True)
class Heat(Mark):
    """A quantity over two columns in colours on a logarithmic scale, capped at `ceiling`; for every x all y."""

    x: str
    y: str
    z: str
    ceiling: float


@dataclass(frozen=True, kw_only=True)
class Areas(Mark):
    """Outlines filled in shades of a quantity, on no other map: points in rows of their own, rings with gaps between.

    `of` says of each point which row of the quantity `z` it belongs to. Under the mouse stand that row's `names`, its
    quantity and, with `low` and `high`, its range; `chosen` is a column of truths: such a row has a heavy outline and
    its name beside it. Outer rings run counterclockwise and holes clockwise: both renderers leave holes out by that.
    """

    x: str
    y: str
    of: str
    z: str
    names: str
    low: str = ""
    high: str = ""
    chosen: str = ""


@dataclass(frozen=True, kw_only=True)
class Tiles(Mark):
    """A belief for every three counts: a panel for each `group`, x across, y up; rows lie in this order."""

    group: str
    x: str
    y: str
    z: str
    words: str
    names: tuple[str, str]
    hover: str
    chosen: tuple[str, str, str] | None = None


@dataclass(frozen=True, kw_only=True)
class Glass(Mark):
    """A glass filled up to a share, its number on it and its name below; with `low` and `high` also a range."""

    on_x = ()
    on_y = ("y", "low", "high")

    y: str
    role: str = "accent"
    low: str = ""
    high: str = ""


@dataclass(frozen=True, kw_only=True)
class Spot(Mark):
    """One marked place; the name of its y column stands beside it, or in the legend."""

    x: str
    y: str
    role: str = "mark"
    symbol: str = "diamond"
    labelled: bool = True
    in_legend: bool = False
    beside: tuple[str, str] | None = None
    boxed: bool = False
    wrapped: int = 0


@dataclass(frozen=True, kw_only=True)
class Level(Mark):
    """A line across at one height, with the name of its column."""

    on_x = ()

    y: str
    role: str = "quiet"
    dash: str = "dot"
    heavy: bool = False
    left: bool = False
    labelled: bool = True


@dataclass(frozen=True, kw_only=True)
class Upright(Mark):
    """A line up at one place, with the name of its column `at` so high up the picture, beside the line."""

    on_y = ()

    x: str
    role: str = "quiet"
    dash: str = "dot"
    at: float = 0.0
    beside: str = "right"
    labelled: bool = True
    flag: bool = False


@dataclass(frozen=True, kw_only=True)
class Axis:
    """How an axis runs; its title is what the columns on it measure.

    `rows` is for a column of words: one place for each row, in order, down or to the right; `groups` and `chosen` are
    columns whose words stand as headings between the rows and whose truth marks a row. One `above` stands over the
    picture, where it is seen first.
    """

    log: bool = False
    range: tuple[float, float] | None = None
    ticks: tuple[tuple[float, str], ...] = ()
    every: float | None = None
    rows: bool = False
    groups: str = ""
    chosen: str = ""
    titled: bool = True
    shown: bool = True
    above: bool = False
    grid: bool = True
    zero: bool = False
    breaks: tuple[int, ...] = ()


PLAIN = Axis()
PERCENT = tuple((percent / 100, f"{percent} %") for percent in range(0, 101, 20))
HALVES = tuple((percent / 100, f"{percent} %") for percent in (0, 50, 100))
"""Ticks of an axis of beliefs, and of one with little room beside words."""


def powers_of_ten(low: float, high: float) -> tuple[tuple[float, str], ...]:
    """Ticks of a logarithmic axis between these ends, written out; none where they would be long.

    >>> powers_of_ten(0.02, 700), powers_of_ten(1e-9, 1)
    (((0.1, '0.1'), (1.0, '1'), (10.0, '10'), (100.0, '100')), ())
    """
    powers = range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1)
    short = all(-4 <= power <= 6 for power in powers)
    return tuple((float(f"1e{power}"), f"{float(f'1e{power}'):,.{max(-power, 0)}f}") for power in powers if short)


@dataclass(frozen=True, kw_only=True)
class Panel:
    """One pair of axes; several stand side by side, `share` wide, with the words of `title` above them.

    `same_rows` gives a panel the vertical axis of the first one.
    """

    x: Axis = PLAIN
    y: Axis = PLAIN
    title: str = ""
    share: float = 1.0
    same_rows: bool = False
