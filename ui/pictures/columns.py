"""The numbers of a picture: named columns with quantity and unit, from which it is drawn, listed and downloaded."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore._properties import cached_property
from ui.pictures.table import Table, csv_of
from ui.words.catalogue import label, labels
from ui.words.markdown import without_marks
from ui.words.phrasing import plain_number
from ui.words.quantities import Exact, Quantity, Spoken, number

Said = Callable[[Any], object]


def told(side: type[Quantity], spoken: Spoken) -> Said:
    """A way to say a cell: a number that knows its side, spoken so."""
    return partial(_told, side, spoken)


def _told(side: type[Quantity], spoken: Spoken, value: Any) -> str:
    return side(float(value), spoken).digits


def digits(count: int, side: type[Quantity] = Exact) -> Said:
    """A way to say a cell: so many significant digits, rounded to its safe side."""
    return told(side, number(count))


def written(form: str) -> Said:
    """A way to say a cell: in a format of Python.

    >>> written("+.0f")(3), written(",.0f")(1234)
    ('+3', '1,234')
    """
    return partial(_written, form)


def _written(form: str, value: Any) -> str:
    return format(float(value), form)


def columns_of(page: str, table: str, /, **words: object) -> Callable[..., Column]:
    """A maker of columns that are called as the catalogue says under their table and key."""

    def column(key: str, values: Any, **more: Any) -> Column:
        name = f"{table}.{key}"
        said = labels(page)
        for part in ("quantity", "unit", "aspect", "said_in"):
            if f"{name}.{part}" in said:
                more[part] = label(page, f"{name}.{part}", **words)
        return Column(key, label(page, name, **words), values, **more)

    return column


class Misdrawn(TypeError):
    """A picture names what it does not have, or lays on one axis what cannot lie there: our fault, never a refusal."""


@dataclass(frozen=True, eq=False)
class Column:
    """One column: the key by which marks name it, what it is called, what it measures and its exact values.

    key : what a mark calls it
    name : what a reader calls it: the name of its line and the head of its table column
    values : numbers or words, one for each row; nan or None where there is none
    quantity : what is measured, the title of an axis on which it lies; its name where nothing is said
    unit : added to the title of its axis and to its head
    aspect : added to its head where one name stands for two columns ("at most", "at least")
    said : how a cell reads in the table of the page, or how each does; the CSV has the value itself. A function of a
        module or a partial of one, because pictures travel between processes
    said_in : what a cell there counts, where that is not the value itself ("in 100")
    absent : what stands in that table where there is no value
    listed : whether the table of the page has it; the CSV has every column
    hover : digits of the value under the mouse, as the chart library writes them
    """

    key: str
    name: str
    values: Sequence[Any] | NDArray[Any]
    quantity: str = ""
    unit: str = ""
    aspect: str = ""
    said: Said | tuple[str, ...] | None = None
    said_in: str = ""
    absent: str = ""
    listed: bool = True
    hover: str = ".4~g"

    @property
    def head(self) -> str:
        """The head of the column in tables."""
        joint = ", " if ":" in self.name else ": "
        named = f"{self.name}{joint}{self.aspect}" if self.aspect else self.name
        return f"{named} ({self.unit})" if self.unit else named

    @property
    def listed_head(self) -> str:
        """The head in the table of the page, whose cells may count otherwise."""
        return f"{self.head} {self.said_in}" if self.said_in else self.head

    @property
    def measured(self) -> str:
        """What the column measures."""
        return self.quantity or self.name

    @property
    def axis_title(self) -> str:
        """What stands at an axis on which the column lies."""
        return f"{self.measured} ({self.unit})" if self.unit else self.measured

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """The values as numbers, nan where there is none."""
        if isinstance(self.values, np.ndarray):
            return self.values.astype(float)
        return np.array([math.nan if value is None else float(value) for value in self.values])

    @property
    def of_words(self) -> bool:
        """Whether the cells are words."""
        return not isinstance(self.values, np.ndarray) and any(isinstance(value, str) for value in self.values)

    def cell(self, row: int) -> object:
        """A cell as the table of the page says it."""
        value = self.values[row]
        if value is None or (isinstance(value, (float, np.floating)) and math.isnan(value)):
            return self.absent
        if self.said is not None:
            return self.said[row] if isinstance(self.said, tuple) else self.said(value)
        return value if isinstance(value, (str, bool, np.bool_)) else plain_number(float(value), 4)

    def exact(self, row: int) -> object:
        """A cell as the CSV has it: the value itself."""
        value = self.values[row]
        if isinstance(value, np.generic):
            value = value.item()
        return "" if value is None or (isinstance(value, float) and math.isnan(value)) else value


def single(key: str, name: str, value: float | str, **more: Any) -> Column:
    """A column of one value: a level, a marked place, what stands beside a curve."""
    return Column(key, name, (value,), **more)


@dataclass(frozen=True, eq=False)
class Rows:
    """Columns of one length, and which of their rows the table of the page lists (all, if nothing is said)."""

    columns: tuple[Column, ...]
    listed: Sequence[int] | None = None

    def __post_init__(self) -> None:
        sizes = {len(column.values) for column in self.columns}
        if len(sizes) > 1:
            told = ", ".join(f"{column.key} {len(column.values)}" for column in self.columns)
            raise Misdrawn(f"columns must have one length; got {told}")

    @property
    def size(self) -> int:
        """How many rows."""
        return len(self.columns[0].values)


def side_by_side(*columns: Column, listed: Sequence[int] | None = None) -> Rows:
    """Columns side by side."""
    return Rows(columns, listed)


@dataclass(frozen=True, eq=False)
class Numbers:
    """A caption and rows of columns: the first are listed on the page as far as they say so, the CSV has everything.

    What does not run along the first rows (a level, a marked place, the points beside a fitted line) stands in rows of
    its own below them. A `summary` is listed instead where rows are too many to be read one by one.
    """

    caption: str
    rows: tuple[Rows, ...]
    summary: Table | None = None
    by_key: dict[str, tuple[int, Column]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        found: dict[str, tuple[int, Column]] = {}
        for place, part in enumerate(self.rows):
            for column in part.columns:
                if column.key in found:
                    raise Misdrawn(f"columns must have a key each; got {column.key!r} twice")
                found[column.key] = place, column
        object.__setattr__(self, "by_key", found)

    def column(self, key: str) -> Column:
        """The column that a mark calls so."""
        if key not in self.by_key:
            raise Misdrawn(f"a mark must name a column of {', '.join(self.by_key)}; got {key!r}")
        return self.by_key[key][1]

    def place(self, key: str) -> int:
        """Which rows hold a column."""
        self.column(key)
        return self.by_key[key][0]

    def table(self) -> Table:
        """What the page lists: a selection of the rows, every cell said for readers."""
        if self.summary is not None:
            return self.summary
        part = self.rows[0]
        shown = [column for column in part.columns if column.listed]
        places = range(part.size) if part.listed is None else part.listed
        cells = tuple(tuple(column.cell(int(place)) for column in shown) for place in places)
        return Table(without_marks(self.caption), tuple(column.listed_head for column in shown), cells)

    def as_csv(self) -> str:
        """Every row and column with its exact value."""
        columns = [column for part in self.rows for column in part.columns]
        lines = (
            [column.exact(row) if column in part.columns else "" for column in columns]
            for part in self.rows
            for row in range(part.size)
        )
        return csv_of([[column.head for column in columns], *lines])
