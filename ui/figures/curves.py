"""Curves over a prior: named lines with words on the picture, one marked place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ui.figures.look import Look
from ui.figures.palette import bare_figure, label, line_width, palette


@dataclass(frozen=True)
class Curve:
    """One line: where it runs, what it is called, its role in the palette and its dash."""

    name: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    role: str = "accent"
    dash: str = "solid"
    shape: str = "linear"
    label_at: int | None = None


@dataclass(frozen=True)
class Spot:
    """One marked place with its words."""

    x: float
    y: float
    words: str


def _position(value: float, log: bool) -> float:
    return float(np.log10(value)) if log else float(value)


def curves(
    lines: Sequence[Curve],
    *,
    x_title: str,
    y_title: str,
    look: Look,
    spot: Spot | None = None,
    level: tuple[float, str] | None = None,
    log_x: bool = False,
    log_y: bool = False,
    y_range: tuple[float, float] | None = None,
    height: int = 330,
) -> go.Figure:
    """Lines over a prior with their names on the picture, a marked spot and a level line."""
    colours = palette(look.dark)
    figure = bare_figure(dark=look.dark, large=look.large, height=height)
    for line in lines:
        colour = getattr(colours, line.role)
        figure.add_scatter(
            x=line.x.astype(np.float32),
            y=line.y.astype(np.float32),
            mode="lines",
            name=line.name,
            line={"color": colour, "width": line_width(look.large), "dash": line.dash, "shape": line.shape},
            hovertemplate="%{x:.4~g}: %{y:.4~g}<extra>" + line.name + "</extra>",
        )
        visible = np.flatnonzero(np.isfinite(line.y))
        if line.label_at is not None and visible.size:
            at = visible[min(max(line.label_at, 0), visible.size - 1)]
            label(
                figure,
                line.name,
                _position(line.x[at], log_x),
                _position(line.y[at], log_y),
                colour,
                xanchor="left",
                yanchor="bottom",
                xshift=6,
                yshift=2,
            )
    if level is not None:
        figure.add_hline(
            y=level[0],
            line={"color": colours.quiet, "width": 1, "dash": "dot"},
            annotation={"text": level[1], "font": {"color": colours.quiet}, "xanchor": "right", "x": 1},
        )
    if spot is not None:
        figure.add_scatter(
            x=[spot.x],
            y=[spot.y],
            mode="markers",
            marker={"size": 15 if look.large else 11, "color": colours.mark, "symbol": "diamond"},
            hovertemplate=spot.words + "<extra></extra>",
        )
        label(
            figure,
            spot.words,
            _position(spot.x, log_x),
            _position(spot.y, log_y),
            colours.mark,
            xanchor="left" if _position(spot.x, log_x) < _middle(lines, log_x) else "right",
            yanchor="top",
            yshift=-8,
        )
    figure.update_xaxes(title_text=x_title, type="log" if log_x else "linear")
    figure.update_yaxes(title_text=y_title, type="log" if log_y else "linear")
    if log_x:
        figure.update_xaxes(dtick=1, exponentformat="power")
    if log_y:
        figure.update_yaxes(exponentformat="power")
    if y_range is not None:
        figure.update_yaxes(range=[_position(y_range[0], log_y), _position(y_range[1], log_y)])
    return figure


def _middle(lines: Sequence[Curve], log: bool) -> float:
    ends = [_position(value, log) for line in lines for value in (line.x.min(), line.x.max())]
    return (min(ends) + max(ends)) / 2
