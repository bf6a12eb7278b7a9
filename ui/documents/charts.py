"""Pictures of documents: drawn by Altair, rendered by vl-convert without a browser and without the network."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np
import vl_convert
from numpy.typing import NDArray

from dpcore._kept import kept_in_bytes
from ui.pictures.curves import Curve, Spot
from ui.pictures.palette import LIGHT

DASHES = {"solid": [1, 0], "dash": [7, 4], "dot": [2, 3]}
CONFIG = {"aria": False, "font": "sans-serif", "view": {"stroke": None}, "axis": {"gridColor": LIGHT.grid}}


@dataclass(frozen=True)
class Drawing:
    """A picture as its Vega-Lite specification, rendered as SVG or as PNG when it is asked for."""

    key: str
    specification: dict[str, Any]

    @property
    def svg(self) -> str:
        """The picture as vectors."""
        return _svg(json.dumps(self.specification))

    @property
    def png(self) -> bytes:
        """The picture in three pixels a point."""
        return bytes(vl_convert.vegalite_to_png(json.dumps(self.specification), scale=3, allowed_base_urls=[]))


@kept_in_bytes()
def _svg(specification: str) -> str:
    return str(vl_convert.vegalite_to_svg(specification, allowed_base_urls=[]))


def _drawing(key: str, chart: Any, width: int, height: int) -> Drawing:
    return Drawing(key, chart.properties(width=width, height=height, config=CONFIG).to_dict(validate=False))


def _rows(**columns: list[Any]) -> Any:
    """Columns as the data of a chart."""
    return alt.Data(values=[dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)])


def line_drawing(
    key: str,
    lines: Sequence[Curve],
    *,
    x_title: str,
    y_title: str,
    spot: Spot | None = None,
    y_range: tuple[float, float] = (0.0, 1.0),
    x_range: tuple[float, float] = (0.0, 1.0),
    width: int = 470,
    height: int = 185,
) -> Drawing:
    """Lines with their names on the picture and one marked place."""
    x_axis = alt.X("x:Q", title=x_title, scale=alt.Scale(domain=list(x_range), nice=False))
    y_axis = alt.Y("y:Q", title=y_title, scale=alt.Scale(domain=list(y_range), nice=False))
    layers: list[Any] = []
    for line in lines:
        seen = np.isfinite(line.y) & (line.y <= y_range[1]) & (line.x <= x_range[1])
        x, y = line.x[seen], line.y[seen]
        if not x.size:
            continue
        colour = getattr(LIGHT, line.role)
        width_of_line = 1.0 if line.role == "quiet" else 2.4
        data = _rows(x=x.tolist(), y=y.tolist())
        layers.append(
            alt.Chart(data)
            .mark_line(color=colour, strokeDash=DASHES[line.dash], strokeWidth=width_of_line)
            .encode(x=x_axis, y=y_axis)
        )
        if line.label_at is not None:
            at = min(max(line.label_at, 0), x.size - 1)
            words = _rows(x=[float(x[at])], y=[float(y[at])], t=[line.name])
            before = line.role == "accent"
            mark = alt.Chart(words).mark_text(
                color=colour,
                fontSize=11,
                align="right" if before else "left",
                dx=-9 if before else 7,
                dy=-4 if before else 9,
            )
            layers.append(mark.encode(x=x_axis, y=y_axis, text="t:N"))
    if spot is not None:
        place = _rows(x=[spot.x], y=[spot.y], t=[spot.words])
        points = alt.Chart(place).encode(x=x_axis, y=y_axis)
        layers.append(points.mark_point(shape="diamond", filled=True, size=95, color=LIGHT.mark, opacity=1))
        words_of = points.mark_text(align="left", dx=8, dy=13, color=LIGHT.mark, fontSize=11)
        layers.append(words_of.encode(text="t:N"))
    return _drawing(key, alt.layer(*layers), width, height)


def map_drawing(
    key: str,
    across: NDArray[np.float64],
    up: NDArray[np.float64],
    height_of: NDArray[np.float64],
    *,
    name: str,
    x_title: str,
    y_title: str,
    marked: tuple[float, float] | None,
    marked_words: str,
) -> Drawing:
    """A quantity over two beliefs in shades of one colour, one place marked."""
    step = float(across[1] - across[0])
    rows = [
        {
            "x": round(x, 4),
            "x2": round(x + step, 4),
            "y": round(y, 4),
            "y2": round(y + step, 4),
            "z": float(height_of[i, j]),
        }
        for i, x in enumerate((across - step).tolist())
        for j, y in enumerate((up - step).tolist())
    ]
    base = alt.Chart(alt.Data(values=rows))
    colour = alt.Color("z:Q", title=name, scale=alt.Scale(scheme="blues", clamp=True))
    tiles = base.mark_rect().encode(
        x=alt.X("x:Q", title=x_title, scale=alt.Scale(domain=[0, 1], nice=False)),
        x2="x2:Q",
        y=alt.Y("y:Q", title=y_title, scale=alt.Scale(domain=[0, 1], nice=False)),
        y2="y2:Q",
        color=colour,
    )
    layers: list[Any] = [tiles]
    if marked is not None:
        place = alt.Chart(_rows(x=[marked[0]], y=[marked[1]], t=[marked_words])).encode(x="x:Q", y="y:Q")
        layers.append(place.mark_point(shape="diamond", filled=True, size=110, color=LIGHT.mark, opacity=1))
        words_of = place.mark_text(align="right", dx=-9, dy=-9, color=LIGHT.mark, fontSize=11)
        layers.append(words_of.encode(text="t:N"))
    return _drawing(key, alt.layer(*layers), 330, 205)


def bar_drawing(
    key: str,
    value: NDArray[np.float64],
    probability: NDArray[np.float64],
    inside: NDArray[np.bool_],
    *,
    x_title: str,
    inside_name: str,
    outside_name: str,
) -> Drawing:
    """The law of the noise as bars, the central range apart from the tails."""
    parts = np.where(inside, inside_name, outside_name).tolist()
    data = _rows(x=value.astype(int).tolist(), y=probability.tolist(), part=parts)
    bars = (
        alt.Chart(data)
        .mark_bar(stroke="white", strokeWidth=1)
        .encode(
            x=alt.X("x:O", title=x_title, axis=alt.Axis(labelAngle=0, labelOverlap=True, format="d")),
            y=alt.Y("y:Q", title="probability"),
            color=alt.Color(
                "part:N",
                title=None,
                scale=alt.Scale(domain=[inside_name, outside_name], range=[LIGHT.accent, LIGHT.reach]),
                legend=alt.Legend(orient="top-right"),
            ),
        )
    )
    return _drawing(key, bars, 470, 105)
