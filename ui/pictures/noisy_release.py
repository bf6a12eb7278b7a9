"""A release as one picture: belief before, the noisy counts that could have been published, belief after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ui.pictures.look import Look
from ui.pictures.palette import bare_layout, made, palette, words_at

MOST_MARKS = 61
"""With more possible counts than this, marks would merge: a line stands for them."""


@dataclass(frozen=True)
class Releases:
    """What was and what could have been published.

    Parameters
    ----------
    counts : possible noisy counts, in order
    present, absent : probability of each, with and without the person
    published : the noisy count of this release
    others : further releases to set beside it, as dots; may be empty
    """

    counts: NDArray[np.float64]
    present: NDArray[np.float64]
    absent: NDArray[np.float64]
    published: int
    others: NDArray[np.int64]


def _glass(
    axis: int, belief: tuple[float, str], name: str, colour: str, quiet: str
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """A glass filled up to a belief, its number on it and what it is below."""
    value, number = belief
    axes = {"type": "bar", "x": [0], "width": 0.8, "xaxis": f"x{axis}", "yaxis": "y2"}
    empty = {"color": "rgba(0,0,0,0)", "line": {"color": quiet, "width": 1}}
    bars = [
        axes | {"y": [1], "marker": empty, "hoverinfo": "skip"},
        axes | {"y": [value], "marker": {"color": colour}, "hovertemplate": "%{y:.4~g}<extra></extra>"},
    ]
    where: dict[str, Any] = {"xref": f"x{axis}", "yref": "y2"}
    words = [
        words_at(f"<b>{number}</b>", 0, min(value, 0.92), colour, **where, yanchor="bottom", yshift=2),
        words_at(name, 0, 0, quiet, **where, yanchor="top", yshift=-4),
    ]
    if value > 0.92:  # no room above the filling: the number stands over the glass
        words[0] |= {"y": 1, "yshift": 2}
    return bars, words


def noisy_release(
    releases: Releases,
    *,
    before: tuple[float, str],
    after: tuple[float, str],
    spread: tuple[float, float] | None,
    words: dict[str, str],
    look: Look,
    height: int = 400,
) -> go.Figure:
    """Belief before and after as filled glasses; between them both laws of the noisy count and what was published.

    `words` names what stands on the picture: present, absent, published, times, x_title, before, after.
    """
    colours = palette(look.dark)
    layout = bare_layout(dark=look.dark, large=look.large, height=height)
    few = releases.counts.size <= MOST_MARKS
    peak = float(max(releases.present.max(), releases.absent.max()))
    data: list[dict[str, Any]] = []
    for law, name, colour, dash, symbol, side in (
        (releases.absent, words["absent"], colours.reach, "dot", "square-open", "right"),
        (releases.present, words["present"], colours.accent, "solid", "circle", "left"),
    ):
        data.append(
            {
                "type": "scatter",
                "x": releases.counts.astype(np.float32),
                "y": law.astype(np.float32),
                "mode": "lines+markers" if few else "lines",
                "line": {"color": colour, "width": 3 if look.large else 2, "dash": dash},
                "marker": {"size": 10 if look.large else 8, "symbol": symbol, "color": colour},
                "hovertemplate": "%{x:,}: %{y:.3~g}<extra>" + name + "</extra>",
            }
        )
        flank = np.flatnonzero(law >= 0.6 * law.max())[-1 if side == "left" else 0]
        beside: dict[str, Any] = {"xanchor": side, "xshift": 10 if side == "left" else -10}
        layout["annotations"].append(words_at(name, float(releases.counts[flank]), float(law[flank]), colour, **beside))
    marks, told = _published(releases, peak, words, look)
    data += marks
    layout["annotations"].append(told)
    low = 0.0
    if releases.others.size:
        dots, low = _dots(releases, peak, colours.quiet, look)
        data.append(dots)
    quiet: dict[str, Any] = {"showgrid": False, "showticklabels": False, "ticks": "", "fixedrange": True}
    quiet |= {"zeroline": False}
    layout["barmode"] = "overlay"
    ends = [float(releases.counts[0]), float(releases.counts[-1])]
    layout["xaxis"] |= {"domain": [0.17, 0.83], "showgrid": False, "range": ends}
    layout["xaxis"]["title"]["text"] = words["x_title"]
    layout["yaxis"] |= quiet | {"range": [low, 1.24 * peak]}
    layout["xaxis2"] = quiet | {"domain": [0, 0.12], "range": [-0.5, 0.5], "anchor": "y2"}
    layout["xaxis3"] = quiet | {"domain": [0.88, 1], "range": [-0.5, 0.5], "anchor": "y2"}
    layout["yaxis2"] = quiet | {"range": [low / (1.24 * peak), 1.08], "anchor": "x2"}
    for axis, belief, name, colour in (
        (2, before, words["before"], colours.quiet),
        (3, after, words["after"], colours.accent),
    ):
        bars, said = _glass(axis, belief, name, colour, colours.quiet)
        data += bars
        layout["annotations"] += said
    if spread is not None:
        data.append(
            {
                "type": "scatter",
                "x": [0.3, 0.3],
                "y": list(spread),
                "xaxis": "x3",
                "yaxis": "y2",
                "mode": "lines+markers",
                "marker": {"symbol": "line-ew-open", "size": 16, "color": colours.ink},
                "line": {"color": colours.ink, "width": 2},
                "hovertemplate": "%{y:.4~g}<extra></extra>",
            }
        )
    return made(data, layout)


def _published(
    releases: Releases, peak: float, words: dict[str, str], look: Look
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """An upright line at the published count and its words."""
    colours = palette(look.dark)
    top = 1.12 * peak
    marks = [
        {
            "type": "scatter",
            "x": [releases.published, releases.published],
            "y": [0, top],
            "mode": "lines",
            "line": {"color": colours.mark, "width": 2},
            "hoverinfo": "skip",
        },
        {
            "type": "scatter",
            "x": [releases.published],
            "y": [top],
            "mode": "markers",
            "marker": {"symbol": "diamond", "size": 13 if look.large else 11, "color": colours.mark},
            "hovertemplate": words["published"] + "<extra></extra>",
        },
    ]
    right = releases.published >= (releases.counts[0] + releases.counts[-1]) / 2
    beside: dict[str, Any] = {"xanchor": "left", "align": "left", "xshift": 10}
    if not right:
        beside = {"xanchor": "right", "align": "right", "xshift": -10}
    text = f"<b>{words['published']}</b><br>{words['times']}"
    return marks, words_at(text, releases.published, top, colours.mark, yanchor="middle", **beside)


def _dots(releases: Releases, peak: float, colour: str, look: Look) -> tuple[dict[str, Any], float]:
    """Each of the other releases as a dot below the axis, stacked at its count; and how low they reach."""
    values, inverse, times = np.unique(releases.others, return_inverse=True, return_counts=True)
    step = 0.55 * peak / max(int(times.max()), 12)
    seen = np.zeros(values.size, dtype=int)
    height = np.empty(releases.others.size)
    for index, value in enumerate(inverse):
        seen[value] += 1
        height[index] = -step * (seen[value] + 0.5)
    dots = {
        "type": "scatter",
        "x": releases.others.astype(np.float32),
        "y": height.astype(np.float32),
        "mode": "markers",
        "marker": {"size": 6 if look.large else 5, "color": colour},
        "hovertemplate": "%{x:,}<extra></extra>",
    }
    return dots, float(height.min() - step)
