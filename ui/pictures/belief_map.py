"""A quantity over both beliefs as a map of colours, with the place that decides and the two cuts."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ui.pictures.look import Look
from ui.pictures.palette import bare_layout, made, words_at

COLOURS = "Cividis"


def belief_map(
    membership: NDArray[np.float64],
    value: NDArray[np.float64],
    quantity: NDArray[np.float64],
    *,
    name: str,
    marked: tuple[float, float] | None,
    cuts: tuple[float, float],
    look: Look,
    ceiling: float,
    height: int = 380,
) -> go.Figure:
    """A map with membership across and value up; colours on a log scale, capped at `ceiling`."""
    layout = bare_layout(dark=look.dark, large=look.large, height=height)
    capped = np.minimum(quantity, ceiling)
    ticks = [tick for tick in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100) if tick <= ceiling]
    data: list[dict[str, Any]] = [
        {
            "type": "heatmap",
            "x": membership.astype(np.float32),
            "y": value.astype(np.float32),
            "z": np.log10(np.maximum(capped, 1e-3)).T.astype(np.float32),
            "customdata": np.where(np.isfinite(quantity), quantity, np.inf).T.astype(np.float32),
            "colorscale": COLOURS,
            "reversescale": look.dark,
            "colorbar": {
                "tickvals": [float(np.log10(tick)) for tick in ticks],
                "ticktext": [f"{tick:g}" for tick in ticks[:-1]] + [f"{ticks[-1]:g}+"],
                "thickness": 12,
                "outlinewidth": 0,
                "title": {"text": name, "side": "right"},
            },
            "hovertemplate": "in the data %{x:.3~g}, value %{y:.3~g}: %{customdata:.4~g}<extra></extra>",
        }
    ]
    dashed, dotted = ({"color": "#ffffff", "width": 1.5, "dash": dash} for dash in ("dash", "dot"))
    layout["shapes"] = [
        {"type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": cuts[0], "x1": cuts[0], "line": dashed},
        {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": cuts[1], "y1": cuts[1], "line": dotted},
    ]
    if marked is not None:
        data.append(
            {
                "type": "scatter",
                "x": [marked[0]],
                "y": [marked[1]],
                "mode": "markers",
                "marker": {
                    "size": 14,
                    "color": "#ffffff",
                    "symbol": "diamond",
                    "line": {"color": "#000000", "width": 2},
                },
                "hovertemplate": "decides the budget<extra></extra>",
                "cliponaxis": False,
            }
        )
        right = marked[0] > 0.5
        side: dict[str, Any] = {
            "xanchor": "right" if right else "left",
            "xshift": -12 if right else 12,
            "yanchor": "bottom",
        }
        layout["annotations"].append(words_at("decides", *marked, "#ffffff", bgcolor="rgba(0,0,0,0.6)", **side))
    ends = {"range": [0, 1.005], "showgrid": False}
    layout["xaxis"] |= ends
    layout["yaxis"] |= ends
    layout["xaxis"]["title"]["text"] = "belief that the person is in the data"
    layout["yaxis"]["title"]["text"] = "belief about the value"
    return made(data, layout)
