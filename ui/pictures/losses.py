"""Worst-case privacy losses as bars, and a last bar without an end for what no budget protects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from ui.pictures.look import Look
from ui.pictures.palette import bare_layout, made, palette, words_at

PATTERNS = ("", "/", ".", "x")
ROLES = ("quiet", "reach", "accent", "fourth")


@dataclass(frozen=True)
class Loss:
    """One bar: what is published, its loss (None: nothing limits it) and the words beside it."""

    name: str
    value: float | None
    words: str


def loss_bars(losses: Sequence[Loss], *, x_title: str, look: Look, height: int = 250) -> go.Figure:
    """Bars with their words at the end; a loss without a limit runs to the edge of the picture."""
    colours = palette(look.dark)
    layout = bare_layout(dark=look.dark, large=look.large, height=height)
    finite = [loss.value for loss in losses if loss.value is not None]
    edge = 2.1 * max([*finite, 1e-9])
    data: list[dict[str, Any]] = []
    for number, loss in enumerate(losses):
        colour = getattr(colours, ROLES[number % len(ROLES)])
        length = edge if loss.value is None else loss.value
        pattern = "x" if loss.value is None else PATTERNS[number % len(PATTERNS)]
        data.append(
            {
                "type": "bar",
                "orientation": "h",
                "x": [length],
                "y": [loss.name],
                "marker": {
                    "color": colour,
                    "pattern": {"shape": pattern, "fillmode": "replace", "fgcolor": colour, "solidity": 0.5},
                    "line": {"color": colour, "width": 2},
                },
                "hovertemplate": loss.name + ": " + loss.words + "<extra></extra>",
            }
        )
        beside: dict[str, Any] = {"xanchor": "left", "xshift": 6}
        if loss.value is None:
            beside |= {"bgcolor": colours.ground, "borderpad": 3}
        start = 0.0 if loss.value is None else length
        layout["annotations"].append(words_at(loss.words, start, loss.name, colours.ink, **beside))
    layout["yaxis"] |= {"autorange": "reversed", "showgrid": False, "ticks": ""}
    layout["xaxis"] |= {"range": [0, edge], "rangemode": "tozero"}
    layout["xaxis"]["title"]["text"] = x_title
    layout["bargap"] = 0.35
    return made(data, layout)
