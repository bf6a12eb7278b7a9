"""Small multiples: the same lines for several settings, side by side on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ui.pictures.look import Look
from ui.pictures.palette import DASHES, bare_layout, made, palette, words_at

ROLES = ("accent", "reach", "third", "fourth")


@dataclass(frozen=True)
class Facet:
    """One panel: its title and its lines, each a name with its heights."""

    title: str
    lines: tuple[tuple[str, NDArray[np.float64]], ...]


def facets(
    x: NDArray[np.float64], panels: Sequence[Facet], *, x_title: str, y_title: str, look: Look, height: int = 320
) -> go.Figure:
    """Panels in a row with one vertical scale; lines differ by colour and dash and share one legend."""
    colours = palette(look.dark)
    layout = bare_layout(dark=look.dark, large=look.large, height=height)
    across, up = layout.pop("xaxis"), layout.pop("yaxis")
    data: list[dict[str, Any]] = []
    gap = 0.03
    width = (1 - gap * (len(panels) - 1)) / len(panels)
    for column, panel in enumerate(panels):
        number = "" if column == 0 else str(column + 1)
        start = column * (width + gap)
        layout[f"xaxis{number}"] = across | {
            "domain": [start, start + width],
            "anchor": f"y{number}",
            "type": "log",
            "tickvals": [1.2, 1.5, 2, 3, 5, 10],
            "title": across["title"] | {"text": x_title},
        }
        layout[f"yaxis{number}"] = up | {"anchor": f"x{number}", "rangemode": "tozero"}
        if column:
            layout[f"yaxis{number}"] |= {"matches": "y", "showticklabels": False}
        else:
            layout["yaxis"]["title"] = up["title"] | {"text": y_title}
        title = {"xref": "paper", "yref": "paper", "yanchor": "bottom"}
        layout["annotations"].append(words_at(panel.title, start + width / 2, 1.0, colours.ink, **title))
        for index, (name, heights) in enumerate(panel.lines):
            data.append(
                {
                    "type": "scatter",
                    "x": x.astype(np.float32),
                    "y": heights.astype(np.float32),
                    "mode": "lines",
                    "name": name,
                    "legendgroup": name,
                    "showlegend": column == 0,
                    "line": {
                        "color": getattr(colours, ROLES[index]),
                        "dash": DASHES[index],
                        "width": 4 if look.large else 2.4,
                    },
                    "hovertemplate": "ratio %{x:.3~g}: %{y:.3~g}<extra>" + name + "</extra>",
                    "xaxis": f"x{number}",
                    "yaxis": f"y{number}",
                }
            )
    layout["showlegend"] = True
    layout["legend"] = {"orientation": "h", "y": -0.3, "yanchor": "top"}
    layout["margin"] = {"l": 8, "r": 16, "t": 36, "b": 8}
    return made(data, layout)
