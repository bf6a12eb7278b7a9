"""One ruler: budgets on a logarithmic axis, one row each, under the heading of what they protect.

The axis is ε or the odds of a right guess; `ticks` names its places.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from ui.pictures.look import Look
from ui.pictures.palette import bare_layout, made, palette


@dataclass(frozen=True)
class Row:
    """One budget: its name, what it protects, its two places on the ruler; None where there is none."""

    name: str
    group: str
    published: float | None
    converted: float | None
    words: str = ""
    chosen: bool = False


EPSILONS = {0.1: "0.1", 0.3: "0.3", 1: "1", 3: "3", 10: "10", 30: "30", 100: "100"}


def ruler(
    rows: Sequence[Row],
    *,
    published_name: str,
    converted_name: str,
    x_title: str,
    look: Look,
    ticks: Mapping[float, str] = EPSILONS,
    hover: str = "%{hovertext}<br>ε = %{x:.4~g}<extra></extra>",
) -> go.Figure:
    """Rows under their groups in the order given; circles for the first place, open diamonds for the second."""
    colours = palette(look.dark)
    labels: list[str] = []
    places: list[int] = []
    headings: list[int] = []
    seen = None
    for row in rows:
        if row.group != seen:
            seen = row.group
            headings.append(len(labels))
            labels.append(f"<b>{seen}</b>")
        places.append(len(labels))
        labels.append(f"<b>▸ {row.name}</b>" if row.chosen else row.name)
    pitch = 15 if len(labels) > 24 else 22
    layout = bare_layout(dark=look.dark, large=look.large, height=pitch * len(labels) + 74)
    size = 11 if pitch == 15 else 13
    layout["yaxis"] |= {
        "tickmode": "array",
        "tickvals": list(range(len(labels))),
        "ticktext": labels,
        "range": [len(labels) - 0.4, -0.7],
        "tickfont": {"size": size + 3 if look.large else size},
        "showgrid": False,
        "ticks": "",
    }
    layout["xaxis"] |= {"type": "log", "tickvals": list(ticks), "ticktext": list(ticks.values())}
    layout["xaxis"]["title"]["text"] = x_title
    rule = {"color": colours.grid, "width": 1}
    layout["shapes"] = [
        {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": at, "y1": at, "line": rule} for at in headings
    ]
    joined: dict[str, list[Any]] = {"x": [], "y": []}
    for row, at in zip(rows, places, strict=True):
        if row.published is not None and row.converted is not None:
            joined["x"] += [row.published, row.converted, None]
            joined["y"] += [at, at, None]
    data: list[dict[str, Any]] = [
        joined
        | {
            "type": "scatter",
            "mode": "lines",
            "line": {"color": colours.quiet, "width": 1, "dash": "dot"},
            "hoverinfo": "skip",
            "showlegend": False,
        }
    ]
    for name, attribute, symbol, colour in (
        (published_name, "published", "circle", colours.accent),
        (converted_name, "converted", "diamond-open", colours.reach),
    ):
        kept = [
            (value, at, row)
            for row, at in zip(rows, places, strict=True)
            if (value := getattr(row, attribute)) is not None
        ]
        data.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": name,
                "x": [value for value, _, _ in kept],
                "y": [at for _, at, _ in kept],
                "marker": {
                    "symbol": symbol,
                    "color": colour,
                    "opacity": 1,
                    "size": [(15 if row.chosen else 9) * (1.4 if look.large else 1) for _, _, row in kept],
                    "line": {"width": 2, "color": colour},
                },
                "hovertext": [row.words for _, _, row in kept],
                "hovertemplate": hover,
            }
        )
    layout["showlegend"] = True
    layout["legend"] = {"orientation": "h", "x": 1, "xanchor": "right", "y": 1, "yanchor": "bottom"}
    layout["margin"] = {"l": 4, "r": 10, "t": 26, "b": 4}
    return made(data, layout)
