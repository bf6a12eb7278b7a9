"""A fan: quantiles of a belief over rounds as bands, bounds as dashed lines, the cap as a line, crossings marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ui.pictures.look import Look
from ui.pictures.palette import bare_layout, line_width, made, palette, words_at

NAMES_AT = (0.9, 0.5, 0.55, 0.2)  # how far along its visible part a line carries its name


@dataclass(frozen=True)
class FanLine:
    """One line over the rounds: its name, beliefs, role in the palette, dash, and the rounds on which it is crossed.

    `crossing` is for somebody who looks once, `some` for somebody who reads every round; the second is drawn open.
    """

    name: str
    belief: NDArray[np.float64]
    role: str
    dash: str
    crossing: int | None = None
    some: int | None = None


def fan(
    rounds: NDArray[np.float64],
    bands: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]]],
    lines: Sequence[FanLine],
    *,
    cap: float | None,
    here: int,
    x_title: str,
    y_title: str,
    look: Look,
    height: int = 400,
) -> go.Figure:
    """Bands of the exact belief, lines of its median and of every bound, the cap, and the round one is at."""
    colours = palette(look.dark)
    layout = bare_layout(dark=look.dark, large=look.large, height=height)
    data: list[dict[str, Any]] = []
    x = rounds.astype(np.float32)
    for low, high in bands:
        data.append(
            {
                "type": "scatter",
                "x": np.concatenate([x, x[::-1]]),
                "y": np.concatenate([low, high[::-1]]).astype(np.float32),
                "mode": "lines",
                "fill": "toself",
                "fillcolor": colours.band,
                "line": {"width": 0},
                "hoverinfo": "skip",
            }
        )
    for place, line in enumerate(lines):
        colour = getattr(colours, line.role)
        data.append(
            {
                "type": "scatter",
                "x": x,
                "y": line.belief.astype(np.float32),
                "mode": "lines",
                "name": line.name,
                "line": {"color": colour, "width": line_width(look.large) * 0.85, "dash": line.dash},
                "hovertemplate": "%{x:.0f}: %{y:.3~g}<extra>" + line.name + "</extra>",
            }
        )
        visible = np.flatnonzero(np.isfinite(line.belief) & (line.belief < 0.985))
        if visible.size:
            at = visible[int((visible.size - 1) * NAMES_AT[place % len(NAMES_AT)])]
            place_words: dict[str, Any] = {"xanchor": "center", "bgcolor": colours.ground, "borderpad": 1}
            layout["annotations"].append(
                words_at(line.name, float(x[at]), float(line.belief[at]), colour, **place_words)
            )
        for at, symbol, words in (
            (line.some if line.some != line.crossing else None, "diamond-open", "on some round up to "),
            (line.crossing, "diamond", ""),
        ):
            if at is not None and cap is not None:
                data.append(
                    {
                        "type": "scatter",
                        "x": [at],
                        "y": [cap],
                        "mode": "markers",
                        "marker": {"color": colour, "size": 13 if look.large else 9, "symbol": symbol},
                        "hovertemplate": f"{line.name}: {words}{at:,}<extra></extra>",
                    }
                )
    if cap is not None:
        rule = {"color": colours.accent, "width": 2}
        layout["shapes"].append({"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": cap, "y1": cap, "line": rule})
        at_left: dict[str, Any] = {"xref": "paper", "xanchor": "left", "yanchor": "bottom"}
        layout["annotations"].append(words_at("your cap", 0.005, cap, colours.accent, **at_left))
    thin = {"color": colours.quiet, "width": 1, "dash": "dot"}
    layout["shapes"].append({"type": "line", "yref": "paper", "x0": here, "x1": here, "y0": 0, "y1": 1, "line": thin})
    layout["xaxis"]["title"]["text"], layout["yaxis"]["title"]["text"] = x_title, y_title
    layout["yaxis"]["range"] = [0.0, 1.04]
    return made(data, layout)
