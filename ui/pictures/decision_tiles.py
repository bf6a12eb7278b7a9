"""An attacker's belief for every release of three counts: one panel a block count, group across, siblings up.

The drawing is our own; its numbers are the columns that the mark names, like those of every other picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ui.pictures.description import Description
from ui.pictures.marks import Tiles

FloatArray = NDArray[np.float64]


def _boundary(decided: NDArray[np.bool_], y: FloatArray) -> tuple[list[float | None], list[float | None]]:
    """Edges between tiles on either side of a decision, as one broken line."""
    ends: list[tuple[float | None, float | None]] = []
    step = float(y[1] - y[0]) / 2 if y.size > 1 else 0.5
    for panel, of_panel in enumerate(decided):
        left = panel * (decided.shape[1] + 1)
        for column, row in np.argwhere(of_panel[:, 1:] != of_panel[:, :-1]).tolist():
            place, up = left + column, float(y[row]) + step
            ends += [(place - 0.5, up), (place + 0.5, up), (None, None)]
        for column, row in np.argwhere(of_panel[1:] != of_panel[:-1]).tolist():
            place, up = left + column + 0.5, float(y[row])
            ends += [(place, up - step), (place, up + step), (None, None)]
    return [x for x, _ in ends], [y for _, y in ends]


@dataclass(frozen=True)
class TilePlaces:
    """Where tiles lie: each one's place across, all in a grid, the words over each panel, the edge, the chosen one."""

    across: FloatArray
    up: FloatArray
    beliefs: NDArray[np.float32]
    panels: tuple[tuple[str, float], ...]
    edge_x: list[float | None]
    edge_y: list[float | None]
    chosen: tuple[float, float] | None


def tile_places(picture: Description, mark: Tiles) -> TilePlaces:
    """Panels side by side on one axis: the number of the panel times one more than its columns, plus the column."""
    numbers = picture.numbers
    columns = [numbers.column(key).numbers for key in (mark.group, mark.x, mark.y)]
    panels, across, up = (np.unique(values) for values in columns)
    width = across.size + 1
    places = np.searchsorted(panels, columns[0]) * width + np.searchsorted(across, columns[1])
    belief = numbers.column(mark.z).numbers
    beliefs = np.full((up.size, panels.size * width - 1), np.nan, dtype=np.float32)
    beliefs[np.searchsorted(up, columns[2]), places] = belief
    edge_x, edge_y = _boundary(belief.reshape(panels.size, across.size, up.size) > 0.5, up)
    chosen = None
    if mark.chosen is not None:
        group, column, row = (float(numbers.column(key).numbers[0]) for key in mark.chosen)
        if group in panels and column in across and row in up:
            chosen = float(np.searchsorted(panels, group) * width + np.searchsorted(across, column)), row
    words = dict(zip(columns[0].tolist(), numbers.column(mark.words).values, strict=True))
    named = tuple(
        (f"{panel:g}\n".replace("-", "−") + words[panel], at * width + (across.size - 1) / 2)
        for at, panel in enumerate(panels.tolist())
    )
    return TilePlaces(places.astype(float), up, beliefs, named, edge_x, edge_y, chosen)


def tile_release(
    x: float, y: float, *, panels: Sequence[float], across: Sequence[float], up: Sequence[float]
) -> tuple[int, int, int] | None:
    """The three counts of the tile at a place of the picture; None in the gap between panels or outside."""
    width = len(across) + 1
    panel, column = divmod(round(x), width)
    rows = [value for value in up if value == round(y)]
    if not 0 <= panel < len(panels) or column >= len(across) or not rows:
        return None
    return int(panels[panel]), int(across[column]), int(rows[0])
