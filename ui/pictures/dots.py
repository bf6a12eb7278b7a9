"""A few probabilities for each of a few named rows: marks that differ by shape, one row set apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ui.pictures.look import Look
from ui.pictures.palette import bare_layout, made, palette, words_at


@dataclass(frozen=True)
class Dots:
    """One kind of mark: its name, a value for each row, its role in the palette and its shape."""

    name: str
    values: NDArray[np.float64]
    role: str
    symbol: str


def dots(
    rows: Sequence[str],
    series: Sequence[Dots],
    *,
    marked: int | None,
    level: tuple[float, str] | None,
    x_title: str,
    look: Look,
    height: int = 290,
) -> go.Figure:
    """Rows from top to bottom with their marks, the chosen row on a band, and a vertical line with its words."""
    colours = palette(look.dark)
    layout = bare_layout(dark=look.dark, large=look.large, height=height)
    places = np.arange(len(rows))
    data: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "x": kind.values,
            "y": places,
            "mode": "markers",
            "name": kind.name,
            "marker": {
                "size": 17 if look.large else 13,
                "symbol": kind.symbol,
                "color": getattr(colours, kind.role),
                "line": {"color": colours.ground, "width": 1},
            },
            "hovertemplate": "%{x:.4~g}<extra>" + kind.name + "</extra>",
        }
        for kind in series
    ]
    if marked is not None:
        band: dict[str, Any] = {"type": "rect", "xref": "paper", "x0": 0, "x1": 1, "layer": "below"}
        band |= {"y0": marked - 0.45, "y1": marked + 0.45, "fillcolor": colours.band, "line": {"width": 0}}
        layout["shapes"].append(band)
    if level is not None:
        rule = {"color": colours.quiet, "width": 1.5, "dash": "dash"}
        line: dict[str, Any] = {"type": "line", "x0": level[0], "x1": level[0], "yref": "paper", "y0": 0, "y1": 1}
        layout["shapes"].append(line | {"line": rule})
        above: dict[str, Any] = {"yref": "paper", "yanchor": "bottom"}
        layout["annotations"].append(words_at(level[1], level[0], 1.0, colours.quiet, **above))
    layout["xaxis"] |= {"range": [0, 1], "title": layout["xaxis"]["title"] | {"text": x_title}}
    layout["yaxis"] |= {
        "tickvals": places,
        "ticktext": list(rows),
        "range": [len(rows) - 0.5, -0.5],
        "showgrid": False,
        "ticks": "",
    }
    layout["margin"]["t"] = 34
    layout |= {"showlegend": True}
    layout["legend"] = {"orientation": "h", "x": 0, "y": -0.22, "yanchor": "top"}
    return made(data, layout)
