"""A fitted line with its band: what noisy sums leave of a relationship, beside what the data themselves say."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ui.pictures.look import Look
from ui.pictures.palette import bare_layout, line_width, made, palette


def fitted_line(
    x: NDArray[np.float64],
    low: NDArray[np.float64] | None,
    middle: NDArray[np.float64] | None,
    high: NDArray[np.float64] | None,
    *,
    exact: NDArray[np.float64] | None,
    points: tuple[NDArray[np.float64], NDArray[np.float64]] | None,
    words: dict[str, str],
    look: Look,
    height: int = 400,
) -> go.Figure:
    """The band and middle of the line given the release, the line of the data, and the data where they are public."""
    colours = palette(look.dark)
    layout = bare_layout(dark=look.dark, large=look.large, height=height)
    data: list[dict[str, Any]] = []
    if low is not None and middle is not None and high is not None:
        data.append(
            {
                "type": "scatter",
                "x": np.r_[x, x[::-1]].astype(np.float32),
                "y": np.r_[low, high[::-1]].astype(np.float32),
                "fill": "toself",
                "fillcolor": colours.band,
                "mode": "lines",
                "line": {"color": colours.accent, "width": 1},
                "name": words["band"],
                "hoverinfo": "skip",
            }
        )
        data.append(
            {
                "type": "scatter",
                "x": x.astype(np.float32),
                "y": middle.astype(np.float32),
                "mode": "lines",
                "line": {"color": colours.accent, "width": line_width(look.large)},
                "name": words["middle"],
                "hovertemplate": "%{x:.2f}: %{y:.3f}<extra></extra>",
            }
        )
    if exact is not None:
        data.append(
            {
                "type": "scatter",
                "x": x.astype(np.float32),
                "y": exact.astype(np.float32),
                "mode": "lines",
                "line": {"color": colours.reach, "width": line_width(look.large), "dash": "dash"},
                "name": words["exact"],
                "hovertemplate": "%{x:.2f}: %{y:.3f}<extra></extra>",
            }
        )
    if points is not None:
        data.append(
            {
                "type": "scatter",
                "x": points[0].astype(np.float32),
                "y": points[1].astype(np.float32),
                "mode": "markers",
                "marker": {"size": 10 if look.large else 7, "color": colours.quiet, "symbol": "circle-open"},
                "name": words["points"],
                "hovertemplate": "%{x:.2f}, %{y:.2f}<extra></extra>",
            }
        )
    layout["xaxis"] |= {"range": [-0.02, 1.02]}
    layout["yaxis"] |= {"range": [-0.35, 1.35]}
    layout["xaxis"]["title"]["text"], layout["yaxis"]["title"]["text"] = words["x"], words["y"]
    layout |= {"showlegend": True}
    layout["legend"] = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"}
    return made(data, layout)
