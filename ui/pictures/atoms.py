"""Probabilities of separate values as stems: one kind of mark for each law."""

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
class Atoms:
    """A law: its values, their probabilities, its name, role in the palette and mark."""

    name: str
    values: NDArray[np.float64]
    probabilities: NDArray[np.float64]
    role: str
    symbol: str


def atoms(
    laws: Sequence[Atoms],
    *,
    upright: Sequence[tuple[float, str, str]],
    x_title: str,
    y_title: str,
    look: Look,
    height: int = 300,
) -> go.Figure:
    """Stems of several laws on one axis from 0 to 1; `upright` lines are (place, words, role)."""
    colours = palette(look.dark)
    layout = bare_layout(dark=look.dark, large=look.large, height=height)
    peak = max(float(law.probabilities.max()) for law in laws)
    data: list[dict[str, Any]] = []
    for law in laws:
        colour = getattr(colours, law.role)
        stems = np.column_stack([np.zeros_like(law.values), law.probabilities, np.full_like(law.values, np.nan)])
        data += [
            {
                "type": "scatter",
                "x": np.repeat(law.values, 3).astype(np.float32),
                "y": stems.ravel().astype(np.float32),
                "mode": "lines",
                "line": {"color": colour, "width": 1},
                "opacity": 0.5,
                "hoverinfo": "skip",
            },
            {
                "type": "scatter",
                "x": law.values.astype(np.float32),
                "y": law.probabilities.astype(np.float32),
                "mode": "markers",
                "name": law.name,
                "marker": {"symbol": law.symbol, "size": 10 if look.large else 8, "color": colour},
                "hovertemplate": "%{x:.4~g}: %{y:.3~g}<extra>" + law.name + "</extra>",
            },
        ]
        at = int(np.argmax(law.probabilities))
        beside: dict[str, Any] = {"xanchor": "left", "xshift": 8, "yanchor": "bottom"}
        if law.role == "reach":
            beside |= {"xanchor": "right", "xshift": -8}
        place = float(law.values[at]), float(law.probabilities[at])
        layout["annotations"].append(words_at(law.name, *place, colour, **beside))
    for rank, (place_x, words, role) in enumerate(upright):
        colour = getattr(colours, role)
        rule = {"color": colour, "width": 1.5, "dash": ("solid", "dash", "dot")[rank % 3]}
        layout["shapes"].append(
            {"type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": place_x, "x1": place_x, "line": rule}
        )
        above = (1.72 - 0.17 * rank) * peak
        at_line: dict[str, Any] = {"xanchor": "left", "xshift": 4, "yanchor": "top"}
        if place_x > 0.75 or (rank == 0 and place_x > 0.06):
            at_line |= {"xanchor": "right", "xshift": -4}
        layout["annotations"].append(words_at(words, place_x, above, colour, **at_line))
    layout["xaxis"]["title"]["text"], layout["yaxis"]["title"]["text"] = x_title, y_title
    layout["xaxis"]["range"] = [0, 1]
    layout["yaxis"] |= {"range": [0, 1.75 * peak], "tickformat": ".2~g"}
    return made(data, layout)
