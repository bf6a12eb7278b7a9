"""Stacked bars that count things of several kinds per row: kinds differ by colour and pattern."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from ui.pictures.look import Look
from ui.pictures.palette import bare_layout, made, palette

ROLES = ("accent", "third", "fourth", "reach")
PATTERNS = ("", ".", "/", "x")


def tallies(
    rows: Sequence[str], kinds: Sequence[tuple[str, Sequence[int]]], *, x_title: str, look: Look, height: int = 300
) -> go.Figure:
    """One bar per row, its parts the counts of each kind, named in a legend above."""
    colours = palette(look.dark)
    layout = bare_layout(dark=look.dark, large=look.large, height=height)
    data: list[dict[str, Any]] = [
        {
            "type": "bar",
            "orientation": "h",
            "y": list(rows),
            "x": list(counts),
            "name": name,
            "marker": {
                "color": getattr(colours, ROLES[index % 4]),
                "pattern": {"shape": PATTERNS[index % 4], "fgcolor": colours.ground, "fillmode": "overlay", "size": 6},
            },
            "hovertemplate": "%{y}: %{x} " + name + "<extra></extra>",
        }
        for index, (name, counts) in enumerate(kinds)
    ]
    layout |= {"barmode": "stack", "bargap": 0.35, "showlegend": True}
    layout["legend"] = {
        "orientation": "h",
        "x": 0,
        "xanchor": "left",
        "y": 1.02,
        "yanchor": "bottom",
        "traceorder": "normal",
    }
    layout["xaxis"]["title"]["text"] = x_title
    layout["yaxis"] |= {"autorange": "reversed", "ticks": ""}
    return made(data, layout)
