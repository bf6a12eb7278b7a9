"""Bars of a law on whole numbers, the central range apart from the tails by colour and pattern."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ui.pictures.look import Look
from ui.pictures.palette import bare_layout, made, palette


def law_bars(
    value: NDArray[np.float64],
    probability: NDArray[np.float64],
    inside: NDArray[np.bool_],
    *,
    inside_name: str,
    outside_name: str,
    x_title: str,
    look: Look,
    height: int = 300,
) -> go.Figure:
    """Bars with their central range filled and the tails hatched, the two named on the picture."""
    colours = palette(look.dark)
    layout = bare_layout(dark=look.dark, large=look.large, height=height)
    data: list[dict[str, Any]] = [
        {
            "type": "bar",
            "x": value[chosen],
            "y": probability[chosen],
            "name": name,
            "marker": {
                "color": colour,
                "pattern": {"shape": pattern, "fgcolor": colours.ground, "fillmode": "overlay"},
            },
            "hovertemplate": "%{x:d}: %{y:.4~g}<extra></extra>",
        }
        for chosen, name, colour, pattern in (
            (inside, inside_name, colours.accent, ""),
            (~inside, outside_name, colours.reach, "/"),
        )
    ]
    layout |= {"bargap": 0.12, "barmode": "overlay", "showlegend": True}
    layout["legend"] = {"orientation": "h", "x": 1, "xanchor": "right", "y": 1.02, "yanchor": "bottom"}
    layout["xaxis"]["title"]["text"], layout["xaxis"]["showgrid"] = x_title, False
    layout["yaxis"]["title"]["text"], layout["yaxis"]["rangemode"] = "probability", "tozero"
    return made(data, layout)
