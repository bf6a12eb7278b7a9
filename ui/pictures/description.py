"""A picture before it is drawn: numbers, marks that name their columns, and axes that take their titles from them.

Both renderers (`ui/pictures/plotly_figure.py` for pages, `ui/documents/charts.py` for documents and downloads) read
this and nothing else, so what is drawn, said, listed and downloaded are the same columns.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from dpcore._properties import cached_property
from ui.pictures.columns import Column, Misdrawn, Numbers, Rows
from ui.pictures.marks import PLAIN, Areas, Axis, Bars, Dots, Heat, Level, Line, Mark, Panel, Spot, Tiles, Upright
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.words.catalogue import label
from ui.words.markdown import without_marks

FloatArray = NDArray[np.float64]
UNKNOWN = "–"
"""What stands where nothing is known of an area."""


@dataclass(frozen=True)
class Places:
    """Where the words of a column stand on an axis of rows: their places, and what is written at which place."""

    of_rows: FloatArray
    words: tuple[str, ...]
    headings: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Description:
    """Numbers, marks and panels of a picture, the sentence that reads it, and how it is to look.

    key : its name on the page and in file names
    numbers : every number that is drawn, in named columns
    marks : what is drawn of them
    panels : the axes, one pair or several side by side
    reading : one sentence that reads the picture; numbers are ``**bold**``
    style : ground, type size and voice
    told : what the alternative text says beside the reading and the names of what is drawn
    legend : where names stand that are not on the picture: "above", "above right", "below" or nowhere
    """

    key: str
    numbers: Numbers
    marks: tuple[Mark, ...]
    reading: str
    style: Style
    panels: tuple[Panel, ...] = (Panel(),)
    told: str = ""
    legend: str = ""
    height: int = 330
    gap: float = 0.03

    def __post_init__(self) -> None:
        for mark in self.marks:
            keys = (*mark.across(), *mark.upwards())
            if len({self.numbers.place(key) for key in keys}) > 1:
                raise Misdrawn(f"the columns of one mark must stand in the same rows; got {', '.join(keys)}")
        for panel in range(len(self.panels)):
            for across in (True, False):
                measured = {column.axis_title for column in self.on_axis(panel, across=across)}
                if len(measured) > 1:
                    raise Misdrawn(f"columns of one axis must measure the same; got {' and '.join(sorted(measured))}")

    @classmethod
    def of(
        cls,
        key: str,
        rows: Iterable[Rows],
        marks: Iterable[Mark],
        *,
        reading: str,
        caption: str = "",
        summary: Table | None = None,
        x: Axis = PLAIN,
        y: Axis = PLAIN,
        **more: Any,
    ) -> Self:
        """A picture of one panel with these axes; what reads it stands over its numbers too, without a caption."""
        numbers = Numbers(caption or reading, tuple(rows), summary)
        return cls(key=key, numbers=numbers, marks=tuple(marks), reading=reading, panels=(Panel(x=x, y=y),), **more)

    def on_axis(self, panel: int, *, across: bool) -> list[Column]:
        """The columns that marks put on an axis, in the order of the marks."""
        keys = [
            key for mark in self.marks if mark.panel == panel for key in (mark.across() if across else mark.upwards())
        ]
        return [self.numbers.column(key) for key in dict.fromkeys(keys)]

    def axis(self, panel: int, *, across: bool) -> Axis:
        """An axis of a panel."""
        return self.panels[panel].x if across else self.panels[panel].y

    def ends(self, panel: int, *, across: bool) -> tuple[float, float]:
        """Where an axis begins and ends: as it says, or with what is drawn along it."""
        if (said := self.axis(panel, across=across).range) is not None:
            return said
        drawn = np.concatenate([column.numbers for column in self.on_axis(panel, across=across)])
        return float(np.nanmin(drawn)), float(np.nanmax(drawn))

    def axis_title(self, panel: int, *, across: bool) -> str:
        """What the columns on an axis measure."""
        columns = self.on_axis(panel, across=across)
        return columns[0].axis_title if columns else ""

    def places(self, panel: int, *, across: bool) -> Places:
        """Where the rows of an axis of words stand."""
        return self._places[panel, across]

    @cached_property
    def _places(self) -> dict[tuple[int, bool], Places]:
        return {
            (panel, across): self._placed(panel, across)
            for panel in range(len(self.panels))
            for across in (True, False)
            if self.axis(panel, across=across).rows
        }

    def _placed(self, panel: int, across: bool) -> Places:
        axis = self.axis(panel, across=across)
        column = self.on_axis(panel, across=across)[0]
        groups = self.numbers.column(axis.groups).values if axis.groups else None
        chosen = self.numbers.column(axis.chosen).values if axis.chosen else None
        words: list[str] = []
        places, headings = [], []
        seen = None
        taken = np.zeros(len(column.values), dtype=bool)
        for mark in self.marks:
            if mark.panel == panel and column.key in (mark.across() if across else mark.upwards()):
                taken |= self.taken(mark, column.key)
        for row, value in enumerate(column.values):
            if not taken[row]:
                places.append(-1)
                continue
            if groups is not None and groups[row] != seen:
                seen = groups[row]
                headings.append(len(words))
                words.append(str(seen))
            places.append(len(words))
            marked = groups is not None and chosen is not None and chosen[row]
            words.append(f"▸ {value}" if marked else str(column.cell(row)))
        return Places(np.array(places, dtype=float), tuple(words), tuple(headings))

    def drawn(self, mark: Mark, key: str, *, across: bool) -> FloatArray:
        """The numbers at which a mark draws a column: its values, or the places of its words, of the rows it takes."""
        column = self.numbers.column(key)
        if self.axis(mark.panel, across=across).rows:
            placed = self.places(mark.panel, across=across)
            first = self.on_axis(mark.panel, across=across)[0]
            if column is first:
                values = placed.of_rows
            else:
                by_word = dict(zip(first.values, placed.of_rows.tolist(), strict=True))
                values = np.array([by_word[value] for value in column.values])
        else:
            values = column.numbers
        return values[self.taken(mark, key)]

    def taken(self, mark: Mark, key: str) -> NDArray[np.bool_]:
        """Which rows of a column a mark draws."""
        column = self.numbers.column(key)
        if mark.where is None:
            return np.ones(len(column.values), dtype=bool)
        name, wanted = mark.where
        return np.array([value == wanted for value in self.numbers.column(name).values])

    @property
    def title(self) -> str:
        """What the picture shows: what is measured, by what it is measured over."""
        across, up = (self.axis_title(0, across=side) for side in (True, False))
        over_both = [getattr(mark, "z", "") for mark in self.marks if getattr(mark, "z", "")]
        caption = without_marks(self.numbers.caption)
        by_caption = len(self.panels) > 1 or any(axis.rows for axis in (self.panels[0].x, self.panels[0].y))
        by_caption |= any(isinstance(mark, Areas) for mark in self.marks)
        if by_caption and caption != without_marks(self.reading):
            return caption
        if over_both:
            measured = self.numbers.column(over_both[0]).measured
            title = label("pictures", "title_over_both", measured=measured, across=across, up=up)
        else:
            title = label("pictures", "title", up=up, across=across)
        return title.replace("\n", " ")

    @property
    def alt(self) -> str:
        """The picture in words: the sentence that reads it, what else there is to tell, and what is drawn over what."""
        names = dict.fromkeys(
            self.numbers.column(key).name
            for mark in self.marks
            if not isinstance(mark, (Spot, Level, Upright))
            for key in ([mark.z] if isinstance(mark, (Areas, Heat, Tiles)) else mark.upwards()[:1])
        )
        over = [
            label("pictures", name, title=self.axis_title(0, across=side))
            for name, side in (("across", True), ("up", False))
        ]
        shown = label("pictures", "drawn", names=", ".join(names), over="; ".join(over))
        drawn = shown if self.axis_title(0, across=True) else ""
        return " ".join(part for part in (self.told, without_marks(self.reading), drawn.replace("\n", ", ")) if part)

    @property
    def table(self) -> Table:
        """The numbers as a reader may have them."""
        return self.numbers.table()


class Renderer:
    """What both renderers ask of a picture; each draws a mark by its method with the name of the mark's class."""

    def __init__(self, picture: Description) -> None:
        self.picture = picture

    def draw(self, mark: Mark) -> None:
        """Draw a mark."""
        getattr(self, type(mark).__name__.lower())(mark)

    def column(self, key: str) -> Column:
        """The column that a mark calls so."""
        return self.picture.numbers.column(key)

    def x(self, mark: Mark, key: str) -> FloatArray:
        """Where a mark draws a column across."""
        return self.picture.drawn(mark, key, across=True)

    def y(self, mark: Mark, key: str) -> FloatArray:
        """Where a mark draws a column upwards."""
        return self.picture.drawn(mark, key, across=False)

    def along(self, mark: Line) -> tuple[FloatArray, FloatArray]:
        """The points of a line, without those that its horizontal axis does not have."""
        x, y = self.x(mark, mark.x), self.y(mark, mark.y)
        kept = ~np.isnan(x) & ((x > 0) | (not self.picture.axis(mark.panel, across=True).log))
        return x[kept], y[kept]

    def named_at(self, mark: Line, y: FloatArray) -> int | None:
        """The point of a line at which its name stands: the visible one that the mark asks for."""
        low, high = self.picture.axis(mark.panel, across=False).range or (-np.inf, np.inf)
        visible = np.flatnonzero(np.isfinite(y) & (y >= low) & (y <= high))
        if mark.label is None or not visible.size:
            return None
        return int(visible[min(max(mark.label, 0), visible.size - 1)])

    def bar_ends(self, mark: Bars, lengths: FloatArray) -> FloatArray:
        """Where bars end: one without a value at the edge of the picture."""
        edge = (self.picture.axis(mark.panel, across=mark.flat).range or (0.0, 1.0))[1]
        return np.where(np.isnan(lengths), edge, lengths)

    def drawn_rows(self, mark: Bars | Dots) -> list[int]:
        """The rows of the columns that a mark draws."""
        return np.flatnonzero(self.picture.taken(mark, mark.x)).tolist()

    def outlines(self, mark: Areas) -> list[tuple[int, FloatArray]]:
        """The rows that have an outline, chosen ones last, and their points, shape (points, 2) with gaps."""
        points = np.column_stack([self.x(mark, mark.x), self.y(mark, mark.y)])
        of = self.column(mark.of).numbers.astype(int)
        chosen = self.chosen(mark)
        ends = np.flatnonzero(np.diff(of)) + 1  # the points of a row stand together
        rows = zip(of[np.append(0, ends)].tolist(), np.split(points, ends), strict=True)
        return sorted(rows, key=lambda one: (one[0] in chosen, one[0]))

    def chosen(self, mark: Areas) -> set[int]:
        """The rows with a heavy outline."""
        return {*np.flatnonzero(self.column(mark.chosen).values)} if mark.chosen else set()

    @staticmethod
    def middle(points: FloatArray) -> tuple[float, float]:
        """Where the name of an area stands."""
        across, up = ((np.nanmin(points, axis=0) + np.nanmax(points, axis=0)) / 2).tolist()
        return across, up

    def shades(self, mark: Areas) -> tuple[float, float]:
        """The least and the most of the quantity of areas."""
        known = self.column(mark.z).numbers
        known = known[np.isfinite(known)]
        return (float(known.min()), float(known.max())) if known.size else (0.0, 0.0)

    def told_of(self, mark: Areas, row: int) -> str:
        """What is said of an area: its name, its quantity and, where there is one, the range."""
        name, value, *ends = (
            str(self.column(key).cell(row)) for key in (mark.names, mark.z, mark.low, mark.high) if key
        )
        return f"{name}: {value or UNKNOWN}" + (f" ({' … '.join(ends)})" if any(ends) else "")

    def in_left_half(self, panel: int, x: float) -> bool:
        """Whether a place lies in the left half of a panel."""
        low, high = self.picture.ends(panel, across=True)
        if self.picture.axis(panel, across=True).log:
            low, x, high = np.log10([low, x, high])
        return bool(2 * x < low + high)
