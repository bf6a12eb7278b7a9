"""Ranges side by side for each cell of a table, one mark for each way of publishing it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ui.pictures.look import Look
from ui.pictures.palette import bare_layout, made, palette

MOST_DRAWN = 48
ROLES = ("quiet", "reach", "accent", "third")
MARKS = ("circle-open", "square", "diamond", "triangle-up")


@dataclass(frozen=True)
class Ranges:
    """One way of publishing: its name and, for each cell, the low end, the middle and the high end."""

    name: str
    low: NDArray[np.float64]
    middle: NDArray[np.float64]
    high: NDArray[np.float64]


def ranges(
    labels: Sequence[str],
    ways: Sequence[Ranges],
    *,
    x_title: str,
    y_title: str,
    look: Look,
    breaks: Sequence[int] = (),
    height: int = 340,
) -> go.Figure:
    """Whiskers with a mark around the line of no error; the ways differ by colour and mark and share a legend.

    At most `MOST_DRAWN` cells are drawn; `breaks` are the places where a new row of the table begins.
    """
    colours = palette(look.dark)
    layout = bare_layout(dark=look.dark, large=look.large, height=height)
    cells = min(len(labels), MOST_DRAWN)
    place: NDArray[np.float64] = np.arange(cells, dtype=float)
    step = 0.68 / max(len(ways), 1)
    data: list[dict[str, Any]] = []
    for number, way in enumerate(ways):
        colour = getattr(colours, ROLES[number])
        low, middle, high = (ends[:cells].astype(float) for ends in (way.low, way.middle, way.high))
        data.append(
            {
                "type": "scatter",
                "mode": "markers",
                "x": place + (number - (len(ways) - 1) / 2) * step,
                "y": middle,
                "name": way.name,
                "marker": {"symbol": MARKS[number], "size": 11 if look.large else 8, "color": colour},
                "error_y": {
                    "type": "data",
                    "symmetric": False,
                    "array": high - middle,
                    "arrayminus": middle - low,
                    "color": colour,
                    "thickness": 3.5 if look.large else 2.2,
                    "width": 0 if cells > 20 else 4,
                },
                "customdata": np.column_stack([low, high]),
                "hovertemplate": "%{y:.3~g} (%{customdata[0]:.3~g} to %{customdata[1]:.3~g})<extra>"
                + way.name
                + "</extra>",
            }
        )
    rule = {"color": colours.quiet, "width": 1}
    layout["shapes"] += [
        {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": 0, "y1": 0, "line": rule},
        *(
            {"type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": at - 0.5, "x1": at - 0.5, "line": rule | DOTTED}
            for at in breaks
            if 0 < at < cells
        ),
    ]
    every = max(1, -(-cells // 24))
    layout["xaxis"] |= {"showgrid": False, "tickvals": place[::every], "ticktext": list(labels[:cells])[::every]}
    layout["xaxis"]["range"] = [-0.6, cells - 0.4]
    layout["xaxis"]["title"]["text"], layout["yaxis"]["title"]["text"] = x_title, y_title
    layout["showlegend"] = True
    layout["legend"] = {"orientation": "h", "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom"}
    return made(data, layout)


DOTTED = {"dash": "dot"}
