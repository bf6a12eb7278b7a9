"""What a view hands over for one picture: numbers, marks, axes and words; and the figure that a page shows of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from dpcore._properties import cached_property
from ui.pictures.columns import Rows
from ui.pictures.description import Description
from ui.pictures.marks import Mark

if TYPE_CHECKING:
    import plotly.graph_objects as go


@dataclass(frozen=True, eq=False, kw_only=True)
class Picture(Description):
    """A described picture as a page has it."""

    @cached_property
    def figure(self) -> go.Figure:
        """The figure, made when it is first asked for: the command line reads pictures where no Plotly is."""
        from ui.pictures.plotly_figure import figure_of

        return figure_of(self)

    def with_more(self, rows: Rows, more: Mark, told: str = "") -> Self:
        """The same picture with a mark more, of rows of its own, and what its alternative text says of it."""
        numbers = replace(self.numbers, rows=(*self.numbers.rows, rows))
        return replace(self, numbers=numbers, marks=(*self.marks, more), told=f"{self.told} {told}".strip())

    def __getstate__(self) -> dict[str, Any]:
        """What travels to another process, with the plain figure: charts are built where views are computed."""
        from ui.pictures.plotly_figure import PlainFigure

        return self.__dict__ | {"figure": PlainFigure(self.figure.to_dict())}
