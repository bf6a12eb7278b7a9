"""A quantity over both beliefs as a map of colours, with the place that decides and the two cuts."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ui.figures.look import Look
from ui.figures.palette import bare_figure, palette

COLOURS = "Cividis"


def belief_map(
    membership: NDArray[np.float64],
    value: NDArray[np.float64],
    quantity: NDArray[np.float64],
    *,
    name: str,
    marked: tuple[float, float] | None,
    cuts: tuple[float, float],
    look: Look,
    ceiling: float,
    height: int = 380,
) -> go.Figure:
    """A map with membership across and value up; colours on a log scale, capped at `ceiling`."""
    colours = palette(look.dark)
    figure = bare_figure(dark=look.dark, large=look.large, height=height)
    capped = np.minimum(quantity, ceiling)
    ticks = [tick for tick in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100) if tick <= ceiling]
    figure.add_heatmap(
        x=membership.astype(np.float32),
        y=value.astype(np.float32),
        z=np.log10(np.maximum(capped, 1e-3)).T.astype(np.float32),
        customdata=np.where(np.isfinite(quantity), quantity, np.inf).T.astype(np.float32),
        colorscale=COLOURS,
        reversescale=look.dark,
        colorbar={
            "tickvals": [float(np.log10(tick)) for tick in ticks],
            "ticktext": [f"{tick:g}" for tick in ticks[:-1]] + [f"{ticks[-1]:g}+"],
            "thickness": 12,
            "outlinewidth": 0,
            "title": {"text": name, "side": "right"},
        },
        hovertemplate="in the data %{x:.3~g}, value %{y:.3~g}: %{customdata:.4~g}<extra></extra>",
    )
    figure.add_vline(x=cuts[0], line={"color": "#ffffff", "width": 1.5, "dash": "dash"})
    figure.add_hline(y=cuts[1], line={"color": "#ffffff", "width": 1.5, "dash": "dot"})
    if marked is not None:
        figure.add_scatter(
            x=[marked[0]],
            y=[marked[1]],
            mode="markers",
            marker={"size": 14, "color": "#ffffff", "symbol": "diamond", "line": {"color": "#000000", "width": 2}},
            hovertemplate="decides the budget<extra></extra>",
            cliponaxis=False,
        )
        figure.add_annotation(
            x=marked[0],
            y=marked[1],
            text="decides",
            showarrow=False,
            font={"color": "#ffffff"},
            bgcolor="rgba(0,0,0,0.6)",
            xanchor="right" if marked[0] > 0.5 else "left",
            xshift=-12 if marked[0] > 0.5 else 12,
            yanchor="bottom",
        )
    figure.update_xaxes(title_text="belief that the person is in the data", showgrid=False)
    figure.update_yaxes(title_text="belief about the value", showgrid=False)
    figure.update_layout(font={"color": colours.ink})
    return figure
