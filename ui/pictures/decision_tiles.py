"""An attacker's belief for every release of three counts: one panel a block count, group across, siblings up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ui.pictures.look import Look
from ui.pictures.palette import bare_layout, made, palette, words_at

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


def decision_tiles(
    belief: FloatArray,
    *,
    panels: FloatArray,
    across: FloatArray,
    up: FloatArray,
    panel_words: Sequence[str],
    chosen: tuple[int, int, int] | None,
    x_title: str,
    y_title: str,
    hover: str,
    names: tuple[str, str],
    look: Look,
    height: int = 430,
) -> go.Figure:
    """Tiles of belief of shape (panels, across, up), a line where the decision changes, and a mark on a release.

    An unseen mark lies on every tile, so that a tile can be hovered and chosen; its x is the number of the panel times
    one more than the columns of a panel, plus the column.
    """
    colours = palette(look.dark)
    layout = bare_layout(dark=look.dark, large=look.large, height=height)
    width = across.size + 1
    tiles = np.full((up.size, panels.size * width - 1), np.nan, dtype=np.float32)
    for panel in range(panels.size):
        tiles[:, panel * width : panel * width + across.size] = belief[panel].T
    columns = (np.arange(panels.size)[:, None] * width + np.arange(across.size)).ravel()
    x, y = np.meshgrid(columns, up, indexing="ij")
    released = np.stack(
        [
            np.repeat(panels, across.size * up.size),
            np.tile(np.repeat(across, up.size), panels.size),
            np.tile(up, panels.size * across.size),
            100 * belief.ravel(),
        ],
        axis=1,
    )
    edge_x, edge_y = _boundary(belief > 0.5, up)
    unseen = {"marker": {"opacity": 0}}
    data: list[dict[str, Any]] = [
        {
            "type": "heatmap",
            "x": np.arange(tiles.shape[1]),
            "y": up,
            "z": tiles,
            "zmin": 0,
            "zmax": 1,
            "colorscale": [[0, colours.accent], [0.5, colours.ground], [1, colours.reach]],
            "showscale": False,
            "hoverinfo": "skip",
        },
        {
            "type": "scatter",
            "x": edge_x,
            "y": edge_y,
            "mode": "lines",
            "line": {"color": colours.ink, "width": 3 if look.large else 1.8},
            "hoverinfo": "skip",
        },
        {
            "type": "scatter",
            "x": x.ravel().astype(np.int16),
            "y": y.ravel().astype(np.int16),
            "customdata": np.rint(released).astype(np.int16),
            "mode": "markers",
            "marker": {"size": 7, "opacity": 0, "color": colours.ink, "symbol": "square"},
            "selected": unseen,
            "unselected": unseen,
            "hovertemplate": hover + "<extra></extra>",
        },
    ]
    if chosen is not None:
        mark: dict[str, Any] = {"size": 15 if look.large else 12, "symbol": "diamond", "color": colours.mark}
        mark["line"] = {"color": colours.ground, "width": 2}
        data.append(
            {
                "type": "scatter",
                "x": [chosen[0] * width + chosen[1]],
                "y": [float(up[chosen[2]])],
                "mode": "markers",
                "marker": mark,
                "hoverinfo": "skip",
                "selected": {"marker": {"opacity": 1}},
                "unselected": {"marker": {"opacity": 1}},
            }
        )
    layout["xaxis"] |= {
        "tickvals": [panel * width + (across.size - 1) / 2 for panel in range(panels.size)],
        "ticktext": list(panel_words),
        "showgrid": False,
        "ticks": "",
        "range": [-0.7, tiles.shape[1] - 0.3],
        "title": layout["xaxis"]["title"] | {"text": x_title},
    }
    layout["yaxis"] |= {"showgrid": False, "title": layout["yaxis"]["title"] | {"text": y_title}}
    layout["clickmode"] = "event+select"
    layout["margin"]["t"] = 34
    for name, colour, place, side in (
        (names[0], colours.accent, 0.0, "left"),
        (names[1], colours.reach, 1.0, "right"),
    ):
        above: dict[str, Any] = {"xref": "paper", "yref": "paper", "xanchor": side, "yanchor": "bottom"}
        layout["annotations"].append(words_at(f"■ {name}", place, 1.0, colour, **above))
    return made(data, layout)


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
