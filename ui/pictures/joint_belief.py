"""Mean and spread together: where two posteriors lie, over the half-disc of what bounded data can have."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ui.pictures.look import Look
from ui.pictures.palette import bare_layout, line_width, made, palette, words_at


@dataclass(frozen=True)
class Cloud:
    """One posterior on a grid: its name, its lines, its density and the heights of the regions to draw."""

    name: str
    mean: NDArray[np.float64]
    spread: NDArray[np.float64]
    density: NDArray[np.float64]
    heights: Sequence[float]
    role: str
    dash: str
    filled: bool


def joint_belief(
    clouds: Sequence[Cloud],
    *,
    bounds: tuple[float, float],
    released: tuple[float, float] | None,
    frame: tuple[tuple[float, float], tuple[float, float]],
    words: dict[str, str],
    look: Look,
    height: int = 400,
) -> go.Figure:
    """Regions of highest density of each posterior, the possible region shaded, the release marked."""
    colours = palette(look.dark)
    layout = bare_layout(dark=look.dark, large=look.large, height=height)
    centre, radius = 0.5 * (bounds[0] + bounds[1]), 0.5 * (bounds[1] - bounds[0])
    turn = np.linspace(0.0, np.pi, 91)
    data: list[dict[str, Any]] = []
    outline = " L ".join(f"{centre - radius * math.cos(t):.6g},{radius * math.sin(t):.6g}" for t in turn)
    half_disc: dict[str, Any] = {"type": "path", "path": f"M {outline} Z", "layer": "below"}
    layout["shapes"].append(half_disc | {"fillcolor": colours.grid, "line": {"color": colours.quiet, "width": 1}})
    for cloud in clouds:
        for index, level in enumerate(cloud.heights):
            data.append(
                {
                    "type": "contour",
                    "x": cloud.mean.astype(np.float32),
                    "y": cloud.spread.astype(np.float32),
                    "z": np.sqrt(cloud.density / cloud.density.max()).astype(np.float32),
                    "contours": {
                        "type": "constraint",
                        "operation": "<",
                        "value": float(np.sqrt(level / cloud.density.max())),
                    },
                    "fillcolor": colours.band if cloud.filled else "rgba(0,0,0,0)",
                    "line": {
                        "color": getattr(colours, cloud.role),
                        "width": line_width(look.large) - (0.0 if index == 0 else 1.0),
                        "dash": cloud.dash,
                    },
                    "showscale": False,
                    "name": cloud.name,
                    "showlegend": index == 0,
                    "hoverinfo": "skip",
                }
            )
    if released is not None:
        data.append(
            {
                "type": "scatter",
                "x": [released[0]],
                "y": [released[1]],
                "mode": "markers",
                "marker": {"size": 15 if look.large else 11, "color": colours.mark, "symbol": "diamond"},
                "name": words["released"],
                "hovertemplate": words["released"] + ": %{x:.4~g}, %{y:.4~g}<extra></extra>",
            }
        )
    across, up = frame
    place = centre + 0.4 * radius, 0.2 * radius
    if across[0] <= place[0] <= across[1] and up[1] >= 0.9 * radius:
        layout["annotations"].append(words_at(words["possible"], *place, colours.quiet))
    layout["xaxis"] |= {"range": list(across)}
    layout["yaxis"] |= {"range": list(up)}
    layout["xaxis"]["title"]["text"], layout["yaxis"]["title"]["text"] = words["mean"], words["spread"]
    layout |= {"showlegend": True}
    layout["legend"] = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"}
    return made(data, layout)
