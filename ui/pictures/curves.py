"""Curves over a prior: named lines with words on the picture, one marked place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ui.pictures.look import Look
from ui.pictures.palette import bare_layout, line_width, made, palette, words_at

ON_LINE = ("center", "middle")


@dataclass(frozen=True)
class Curve:
    """One line: where it runs, what it is called, its role in the palette and its dash.

    Its name stands beside the point `label_at`, or on the line itself.
    """

    name: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    role: str = "accent"
    dash: str = "solid"
    shape: str = "linear"
    label_at: int | None = None
    thin: bool = False
    label_beside: tuple[str, str] = ("left", "bottom")  # which corner of the words touches the line


@dataclass(frozen=True)
class Spot:
    """One marked place with its words."""

    x: float
    y: float
    words: str


def _position(value: float, log: bool) -> float:
    return float(np.log10(value)) if log else float(value)


def curves(
    lines: Sequence[Curve],
    *,
    x_title: str,
    y_title: str,
    look: Look,
    spot: Spot | None = None,
    level: tuple[float, str] | None = None,
    upright: tuple[float, str, float] | None = None,
    log_x: bool = False,
    log_y: bool = False,
    x_range: tuple[float, float] | None = None,
    y_range: tuple[float, float] | None = None,
    height: int = 330,
) -> go.Figure:
    """Lines over a prior with their names on the picture, a marked spot, a level line and an upright one.

    `level` is its height and words; `upright` its place, its words and how high they stand, from 0 to 1.
    """
    colours = palette(look.dark)
    layout = bare_layout(dark=look.dark, large=look.large, height=height)
    data: list[dict[str, Any]] = []
    for line in lines:
        colour = getattr(colours, line.role)
        width = 1.2 if line.thin else line_width(look.large)
        data.append(
            {
                "type": "scatter",
                "x": line.x.astype(np.float32),
                "y": line.y.astype(np.float32),
                "mode": "lines",
                "name": line.name,
                "line": {"color": colour, "width": width, "dash": line.dash, "shape": line.shape},
                "hovertemplate": "%{x:.4~g}: %{y:.4~g}<extra>" + line.name + "</extra>",
            }
        )
        visible = np.flatnonzero(np.isfinite(line.y))
        if line.label_at is not None and visible.size:
            at = visible[min(max(line.label_at, 0), visible.size - 1)]
            place = _position(line.x[at], log_x), _position(line.y[at], log_y)
            across, up = line.label_beside
            beside: dict[str, Any] = {"xanchor": across, "yanchor": up}
            beside |= {
                "xshift": {"left": 6, "right": -6}.get(across, 0),
                "yshift": {"bottom": 2, "top": -2}.get(up, 0),
            }
            if line.label_beside == ON_LINE:
                beside |= {"bgcolor": colours.ground, "borderpad": 2}
            layout["annotations"].append(words_at(line.name, *place, colour, **beside))
    if level is not None:
        height_of_level = _position(level[0], log_y)
        rule = {"color": colours.quiet, "width": 1, "dash": "dot"}
        layout["shapes"].append(
            {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": level[0], "y1": level[0], "line": rule}
        )
        at_right: dict[str, Any] = {"xref": "paper", "xanchor": "right", "yanchor": "bottom"}
        layout["annotations"].append(words_at(level[1], 1, height_of_level, colours.quiet, **at_right))
    if upright is not None:
        rule = {"color": colours.quiet, "width": 1.5, "dash": "dot"}
        layout["shapes"].append(
            {"type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": upright[0], "x1": upright[0], "line": rule}
        )
        at_foot: dict[str, Any] = {"yref": "paper", "xanchor": "right", "yanchor": "bottom", "xshift": -4}
        layout["annotations"].append(
            words_at(upright[1], _position(upright[0], log_x), upright[2], colours.quiet, **at_foot)
        )
    if spot is not None:
        data.append(
            {
                "type": "scatter",
                "x": [spot.x],
                "y": [spot.y],
                "mode": "markers",
                "marker": {"size": 15 if look.large else 11, "color": colours.mark, "symbol": "diamond"},
                "hovertemplate": spot.words + "<extra></extra>",
            }
        )
        place = _position(spot.x, log_x), _position(spot.y, log_y)
        side = "left" if place[0] < _middle(lines, log_x) else "right"
        below: dict[str, Any] = {"xanchor": side, "yanchor": "top", "yshift": -8}
        layout["annotations"].append(words_at(spot.words, *place, colours.mark, **below))
    layout["xaxis"]["title"]["text"], layout["yaxis"]["title"]["text"] = x_title, y_title
    if log_x:
        layout["xaxis"] |= {"type": "log", "dtick": 1, "exponentformat": "power"}
    if log_y:
        layout["yaxis"] |= {"type": "log", "exponentformat": "power"}
    if x_range is not None:
        layout["xaxis"]["range"] = [_position(x_range[0], log_x), _position(x_range[1], log_x)]
    if y_range is not None:
        layout["yaxis"]["range"] = [_position(y_range[0], log_y), _position(y_range[1], log_y)]
    return made(data, layout)


def _middle(lines: Sequence[Curve], log: bool) -> float:
    ends = [_position(value, log) for line in lines for value in (line.x.min(), line.x.max())]
    return (min(ends) + max(ends)) / 2
