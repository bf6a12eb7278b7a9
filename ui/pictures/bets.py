"""A round of the game: how many more were published than are known, row by row; afterwards what one should believe."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ui.pictures.look import Look
from ui.pictures.palette import bare_layout, made, palette, words_at


def bets_picture(
    surplus: NDArray[np.int64],
    *,
    beliefs: NDArray[np.float64] | None,
    truth: int | None,
    bet: int | None,
    look: Look,
) -> go.Figure:
    """Published less known as a mark for each row; told, also the ideal player's beliefs, the truth and the bet."""
    colours = palette(look.dark)
    rows = int(surplus.size)
    layout = bare_layout(dark=look.dark, large=look.large, height=80 + 44 * rows)
    place = np.arange(rows, 0, -1)
    told = beliefs is not None
    reach = max(3, int(np.abs(surplus).max()) + 1)
    stems = np.column_stack([np.zeros(rows), surplus.astype(float), np.full(rows, np.nan)])
    data: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "x": stems.ravel(),
            "y": np.repeat(place, 3).astype(float),
            "mode": "lines",
            "line": {"color": colours.accent, "width": 6 if look.large else 4},
            "hoverinfo": "skip",
        },
        {
            "type": "scatter",
            "x": surplus.astype(float),
            "y": place.astype(float),
            "mode": "markers",
            "marker": {"size": 18 if look.large else 14, "color": colours.accent, "symbol": "circle"},
            "hovertemplate": "%{x:+d}<extra></extra>",
        },
    ]
    axis: dict[str, Any] = {"ticks": "", "showgrid": False, "range": [0.5, rows + 0.75], "linecolor": "rgba(0,0,0,0)"}
    axis |= {"tickvals": place, "ticktext": [f"row {row}" for row in range(1, rows + 1)]}
    layout["yaxis"] |= axis
    layout["xaxis"] |= {"range": [-reach, reach], "dtick": 1 if reach < 12 else 5, "tickformat": "+d", "zeroline": True}
    layout["xaxis"] |= {"zerolinecolor": colours.quiet, "domain": [0, 0.55 if told else 1]}
    layout["xaxis"]["title"]["text"] = "published less known"
    if beliefs is None:
        return made(data, layout)
    data.append(
        {
            "type": "bar",
            "orientation": "h",
            "x": beliefs,
            "y": place.astype(float),
            "width": 0.3,
            "xaxis": "x2",
            "marker": {"color": colours.quiet},
            "hovertemplate": "%{x:.3~g}<extra></extra>",
        }
    )
    layout["xaxis2"] = layout["xaxis"] | {
        "domain": [0.63, 1],
        "range": [0, 1.0],
        "dtick": 0.5,
        "tickformat": ".1~g",
        "zeroline": False,
        "title": {"text": "ideal player believes", "font": layout["xaxis"]["title"]["font"], "standoff": 8},
    }
    if truth is not None:
        here = {"symbol": "star-diamond", "size": 20, "color": colours.mark}
        data.append(_mark(float(place[truth]), here, "the person is here"))
        layout["annotations"].append(
            words_at(
                "the person is here", 0.04, float(place[truth]), colours.mark, xref="x2", xanchor="left",
                yanchor="bottom", yshift=9,
            )
        )  # fmt: skip
    if bet is not None and bet != truth:
        data.append(_mark(float(place[bet]), {"symbol": "x-thin-open", "size": 16, "color": colours.reach}, "your bet"))
        layout["annotations"].append(
            words_at(
                "your bet",
                0.04,
                float(place[bet]),
                colours.reach,
                xref="x2",
                xanchor="left",
                yanchor="bottom",
                yshift=9,
            )
        )
    return made(data, layout)


def _mark(y: float, marker: dict[str, Any], words: str) -> dict[str, Any]:
    marker = marker | {"line": {"width": 3, "color": marker["color"]}}
    hover = words + "<extra></extra>"
    return {"type": "scatter", "x": [0], "y": [y], "xaxis": "x2", "mode": "markers", "marker": marker,
            "cliponaxis": False, "hovertemplate": hover}  # fmt: skip
