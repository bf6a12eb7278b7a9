"""A picture before it is drawn: numbers, marks that name their columns, and axes that take their titles from them.

Both renderers (`ui/pictures/plotly_figure.py` for pages, `ui/documents/charts.py` for documents and downloads) read
this and nothing else, so what is drawn, said, listed and downloaded are the same columns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore._properties import cached_property
from ui.pictures.columns import Column, Misdrawn, Numbers
from ui.pictures.marks import Axis, Heat, Level, Mark, Panel, Spot, Tiles, Upright
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.words.catalogue import label
from ui.words.markdown import without_marks

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Places:
    """Where the words of a column stand on an axis of rows: their places, and what is written at which place."""

    of_rows: FloatArray
    words: tuple[str, ...]
    headings: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Description:
    """Numbers, marks and panels of a picture, the sentence that reads it, and how it is to look.

    Parameters
    ----------
    key : its name on the page and in file names
    numbers : every number that is drawn, in named columns
    marks : what is drawn of them
    panels : the axes, one pair or several side by side
    reading : one sentence that reads the picture; numbers are ``**bold**``
    look : ground and type size
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
    clicked: bool = False

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

    def on_axis(self, panel: int, *, across: bool) -> list[Column]:
        """The columns that marks put on an axis, in the order of the marks."""
        keys = [
            key for mark in self.marks if mark.panel == panel for key in (mark.across() if across else mark.upwards())
        ]
        return [self.numbers.column(key) for key in dict.fromkeys(keys)]

    def axis(self, panel: int, *, across: bool) -> Axis:
        """An axis of a panel."""
        return self.panels[panel].x if across else self.panels[panel].y

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
            for key in ([mark.z] if isinstance(mark, (Heat, Tiles)) else mark.upwards()[:1])
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
