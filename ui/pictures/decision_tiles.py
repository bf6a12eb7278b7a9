"""An attacker's belief for every release of three counts: one panel a block count, group across, siblings up.

The drawing is our own; its numbers are the columns that the mark names, like those of every other picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ui.pictures.description import Description
from ui.pictures.marks import Tiles
from ui.pictures.palette import palette, words_at

FloatArray = NDArray[np.float64]


def _boundary(decided: NDArray[np.bool_], y: FloatArray) -> tuple[list[float | None], list[float | None]]:
    """Edges between tiles on either side of a decision, as one broken line."""
    xs: list[float | None] = []
    ys: list[float | None] = []
    step = float(y[1] - y[0]) / 2 if y.size > 1 else 0.5
    panels, across, _ = decided.shape
    for panel in range(panels):
        left = panel * (across + 1)
        for column, row in np.argwhere(decided[panel, :, 1:] != decided[panel, :, :-1]).tolist():
            xs += [left + column - 0.5, left + column + 0.5, None]
            ys += [float(y[row]) + step, float(y[row]) + step, None]
        for column, row in np.argwhere(decided[panel, 1:] != decided[panel, :-1]).tolist():
            xs += [left + column + 0.5, left + column + 0.5, None]
            ys += [float(y[row]) - step, float(y[row]) + step, None]
    return xs, ys


@dataclass(frozen=True)
class TilePlaces:
    """Where tiles lie: the place across of each, the words over each panel, the decision's edge, the chosen tile."""

    across: FloatArray
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
    belief = numbers.column(mark.z).numbers.reshape(panels.size, across.size, up.size)
    edge_x, edge_y = _boundary(belief > 0.5, up)
    chosen = None
    if mark.chosen is not None:
        group, column, row = (float(numbers.column(key).numbers[0]) for key in mark.chosen)
        if group in panels and column in across and row in up:
            chosen = float(np.searchsorted(panels, group) * width + np.searchsorted(across, column)), row
    words = dict(zip(columns[0].tolist(), numbers.column(mark.words).values, strict=True))
    named = tuple(
        (f"{panel:g}\n{words[panel]}", at * width + (across.size - 1) / 2) for at, panel in enumerate(panels.tolist())
    )
    return TilePlaces(places.astype(float), named, edge_x, edge_y, chosen)


def tiles_traces(picture: Description, mark: Tiles, data: list[dict[str, Any]], layout: dict[str, Any]) -> None:
    """Tiles of belief from the columns that the mark names, a line where the decision changes, a mark on a release.

    An unseen mark lies on every tile, so that a tile can be hovered and chosen; its x is the number of the panel times
    one more than the columns of a panel, plus the column.
    """
    style, numbers = picture.style, picture.numbers
    colours = palette(style.dark)
    placed = tile_places(picture, mark)
    panels, across, up = (np.unique(numbers.column(key).numbers) for key in (mark.group, mark.x, mark.y))
    belief = numbers.column(mark.z).numbers
    width = across.size + 1
    tiles = np.full((up.size, panels.size * width - 1), np.nan, dtype=np.float32)
    rows = np.searchsorted(up, numbers.column(mark.y).numbers)
    tiles[rows, placed.across.astype(int)] = belief
    released = [numbers.column(key).numbers for key in (mark.group, mark.x, mark.y)]
    unseen = {"marker": {"opacity": 0}}
    data += [
        {
            "type": "heatmap",
            "x": np.arange(tiles.shape[1]),
            "y": up,
            "z": tiles,
            "zmin": 0,
            "zmax": 1,
            "name": numbers.column(mark.z).name,
            "colorscale": [[0, colours.accent], [0.5, colours.ground], [1, colours.reach]],
            "showscale": False,
            "hoverinfo": "skip",
        },
        {
            "type": "scatter",
            "x": placed.edge_x,
            "y": placed.edge_y,
            "mode": "lines",
            "line": {"color": colours.ink, "width": 3 if style.large else 1.8},
            "hoverinfo": "skip",
        },
        {
            "type": "scatter",
            "x": placed.across.astype(np.int16),
            "y": released[2].astype(np.int16),
            "customdata": np.rint(np.stack([*released, 100 * belief], axis=1)).astype(np.int16),
            "mode": "markers",
            "marker": {"size": 7, "opacity": 0, "color": colours.ink, "symbol": "square"},
            "selected": unseen,
            "unselected": unseen,
            "hovertemplate": mark.hover + "<extra></extra>",
        },
    ]
    if placed.chosen is not None:
        symbol: dict[str, Any] = {"size": 15 if style.large else 12, "symbol": "diamond", "color": colours.mark}
        data.append(
            {
                "type": "scatter",
                "x": [placed.chosen[0]],
                "y": [placed.chosen[1]],
                "mode": "markers",
                "marker": symbol | {"line": {"color": colours.ground, "width": 2}},
                "hoverinfo": "skip",
                "selected": {"marker": {"opacity": 1}},
                "unselected": {"marker": {"opacity": 1}},
            }
        )
    layout["xaxis"] |= {
        "tickvals": [place for _, place in placed.panels],
        "ticktext": ["<b>{}</b><br>{}".format(*words.split("\n")) for words, _ in placed.panels],
        "showgrid": False,
        "ticks": "",
        "range": [-0.7, tiles.shape[1] - 0.3],
    }
    layout["yaxis"] |= {"showgrid": False}
    layout["clickmode"] = "event+select"
    layout["margin"]["t"] = 34
    for name, colour, place, side in (
        (mark.names[0], colours.accent, 0.0, "left"),
        (mark.names[1], colours.reach, 1.0, "right"),
    ):
        above: dict[str, Any] = {"xref": "paper", "yref": "paper", "xanchor": side, "yanchor": "bottom"}
        layout["annotations"].append(words_at(f"■ {name}", place, 1.0, colour, **above))


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
