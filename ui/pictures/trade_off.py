"""How many are found against how many are accused wrongly: one line per release, above the coin's diagonal."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ui.pictures.curves import Spot
from ui.pictures.look import Look
from ui.pictures.palette import SYMBOLS, bare_layout, line_width, made, palette, words_at

ROLES = ("accent", "reach", "third", "fourth", "ink")
TOLD_BY_COLOUR = 3  # more lines than that carry marks as well
SMALLEST_DRAWN = 1e-6  # where the axis of wrong accusations begins when it is logarithmic


@dataclass(frozen=True)
class DetectionCurve:
    """One line: its name, the wrong accusations, how many are found there, and whether that is exact or a bound."""

    name: str
    accused: NDArray[np.float64]
    found: NDArray[np.float64]
    exact: bool


def trade_off_figure(
    lines: Sequence[DetectionCurve],
    *,
    accused_title: str,
    found_title: str,
    coin: str,
    look: Look,
    spot: Spot | None = None,
    log_accused: bool = False,
    height: int = 360,
) -> go.Figure:
    """Lines of what an attacker finds, solid where exact and dashed where a bound, over the thin diagonal of a coin.

    `accused_title` stands under the horizontal axis, `found_title` beside the vertical one, `coin` on the diagonal;
    `spot` is the marked point with its words. A legend names the lines; more than three carry marks as well.
    """
    colours = palette(look.dark)
    layout = bare_layout(dark=look.dark, large=look.large, height=height)
    ends = np.geomspace(SMALLEST_DRAWN, 1.0, 61) if log_accused else np.array([0.0, 1.0])
    data: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "x": ends,
            "y": ends,
            "mode": "lines",
            "name": coin,
            "showlegend": False,
            "line": {"color": colours.quiet, "width": 1},
            "hoverinfo": "skip",
        }
    ]
    corner: dict[str, Any] = {"xanchor": "right", "yanchor": "bottom", "xshift": -6}
    if log_accused:  # below the diagonal, which is a bent line there
        layout["annotations"].append(words_at(coin, 0.0, 0.02, colours.quiet, **corner))
    else:
        layout["annotations"].append(words_at(_lines(coin, 10), 0.62, 0.62, colours.quiet, **_beside("left")))
    for number, line in enumerate(lines):
        colour = getattr(colours, ROLES[number % len(ROLES)])
        drawn = line.accused >= SMALLEST_DRAWN if log_accused else np.ones(line.accused.shape, dtype=bool)
        accused, found = line.accused[drawn], line.found[drawn]
        dash = "solid" if line.exact else "dash"
        trace: dict[str, Any] = {
            "type": "scatter",
            "x": accused.astype(np.float32),
            "y": found.astype(np.float32),
            "mode": "lines",
            "name": line.name,
            "line": {"color": colour, "width": line_width(look.large), "dash": dash},
            "hovertemplate": "%{x:.3~g}: %{y:.3~g}<extra>" + line.name + "</extra>",
        }
        if len(lines) > TOLD_BY_COLOUR:
            trace["mode"] = "lines+markers"
            trace["marker"] = {"symbol": SYMBOLS[number % len(SYMBOLS)], "size": 8, "color": colour, "maxdisplayed": 9}
        data.append(trace)
    if spot is not None:
        data.append(
            {
                "type": "scatter",
                "x": [spot.x],
                "y": [spot.y],
                "mode": "markers",
                "name": spot.words,
                "showlegend": False,
                "marker": {"size": 15 if look.large else 11, "color": colours.mark, "symbol": "diamond"},
                "hovertemplate": spot.words + "<extra></extra>",
            }
        )
        if not log_accused or spot.x >= SMALLEST_DRAWN:
            middle = SMALLEST_DRAWN**0.5 if log_accused else 0.5
            side = "left" if spot.x < middle else "right"
            where = _position(spot.x, log_accused), spot.y
            layout["annotations"].append(
                words_at(_lines(spot.words, 27), *where, colours.mark, bgcolor=colours.ground, **_beside(side))
            )
    layout["xaxis"]["title"]["text"], layout["yaxis"]["title"]["text"] = accused_title, found_title
    layout["yaxis"]["range"] = [-0.02, 1.02]
    if log_accused:
        layout["xaxis"] |= {
            "type": "log",
            "dtick": 1,
            "exponentformat": "power",
            "range": [np.log10(SMALLEST_DRAWN), 0.02],
        }
    else:
        layout["xaxis"]["range"] = [-0.02, 1.02]
    layout["showlegend"] = True
    layout["legend"] = {"orientation": "h", "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom"}
    return made(data, layout)


def _lines(words: str, width: int) -> str:
    """Words in lines of at most so many letters, so that a phone shows all of them."""
    return "<br>".join(textwrap.wrap(words, width))


def _position(value: float, log: bool) -> float:
    return float(np.log10(max(value, SMALLEST_DRAWN))) if log else float(value)


def _beside(side: str) -> dict[str, Any]:
    """Words below a place, to its right ("left" corner on it) or to its left."""
    return {"xanchor": side, "yanchor": "top", "align": side, "xshift": 8 if side == "left" else -8, "yshift": -2}
