"""The one palette: Okabe and Ito's colours by role, on light and dark grounds; and the bare chart they sit on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go


@dataclass(frozen=True)
class Palette:
    """Colours by role."""

    ink: str
    quiet: str
    grid: str
    ground: str
    accent: str  # the accepted line
    reach: str  # what an attacker can reach
    mark: str  # what decides
    third: str
    fourth: str
    band: str


LIGHT = Palette(
    "#1b1f24",
    "#5b646e",
    "#e3e6ea",
    "#ffffff",
    "#0072B2",
    "#B34A00",
    "#1b1f24",
    "#007a58",
    "#a8527f",
    "rgba(0,114,178,0.12)",
)
DARK = Palette(
    "#eceff2",
    "#a3adb8",
    "#2b333b",
    "#101418",
    "#56B4E9",
    "#F0904A",
    "#eceff2",
    "#2fc79b",
    "#e39cc3",
    "rgba(86,180,233,0.18)",
)

DASHES = ("solid", "dash", "dot", "dashdot", "longdash")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x")


def palette(dark: bool) -> Palette:
    """Colours for a light or a dark ground."""
    return DARK if dark else LIGHT


def bare_figure(*, dark: bool, large: bool, height: int = 380) -> go.Figure:
    """A figure with axes, type and ground set and nothing drawn."""
    colours = palette(dark)
    size = 18 if large else 14
    axis: dict[str, Any] = {
        "gridcolor": colours.grid,
        "zeroline": False,
        "linecolor": colours.quiet,
        "ticks": "outside",
        "tickcolor": colours.grid,
        "title": {"font": {"size": size}, "standoff": 8},
        "automargin": True,
        "fixedrange": True,
    }
    figure = go.Figure()
    figure.update_layout(
        template=None,
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"family": "Source Sans, Source Sans Pro, sans-serif", "size": size, "color": colours.ink},
        margin={"l": 8, "r": 16, "t": 12, "b": 8},
        height=int(height * (1.25 if large else 1)),
        showlegend=False,
        hovermode="closest",
        dragmode=False,
        xaxis=axis,
        yaxis=axis,
        hoverlabel={"font": {"size": size}},
    )
    return figure


def line_width(large: bool) -> float:
    """Stroke of a curve that carries the message."""
    return 4.5 if large else 2.8


def label(figure: go.Figure, text: str, x: float, y: float, colour: str, **placement: Any) -> None:
    """Words on the picture in the colour of what they name."""
    figure.add_annotation(x=x, y=y, text=text, showarrow=False, font={"color": colour}, **placement)
