"""Ranges side by side for each cell of a table: columns of low end, middle and high end, and marks that name them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ui.pictures.columns import Column, Said, side_by_side, single
from ui.pictures.marks import Axis, Dots, Level, Mark
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.words.catalogue import label

MOST_DRAWN = 48
ROLES = ("quiet", "reach", "accent", "third")
SYMBOLS = ("circle-open", "square", "diamond", "triangle-up")


@dataclass(frozen=True)
class Ranges:
    """One way of publishing: its name and, for each cell, the low end, the middle and the high end."""

    name: str
    low: NDArray[np.float64]
    middle: NDArray[np.float64]
    high: NDArray[np.float64]


def ranges_picture(
    key: str,
    cells: Sequence[Column],
    ways: Sequence[Ranges],
    *,
    measured: str,
    said: Said,
    said_ends: Said | None = None,
    caption: str,
    reading: str,
    style: Style,
    of: str = label("pictures", "mean_error"),
    breaks: Sequence[int] = (),
    height: int = 340,
) -> Picture:
    """Whiskers with a mark around the line of no error; the ways differ by colour and mark and share a legend.

    The last of `cells` names the place of each; `of` says what the middle is, `said_ends` how the ends are said if not
    as the middle. At most `MOST_DRAWN` cells are drawn, all are listed; `breaks` are the places where a new row of the
    table begins.
    """
    spread = label("pictures", "ninety")
    drawn = min(len(cells[0].values), MOST_DRAWN)
    columns = [*cells, Column("drawn", "drawn", [at < drawn for at in range(len(cells[0].values))], listed=False)]
    marks: list[Mark] = [Level(y="none", dash="solid", labelled=False)]
    step = 0.68 / max(len(ways), 1)
    for number, way in enumerate(ways):
        names = (f"middle_{number}", f"low_{number}", f"high_{number}")
        whiskers = not np.array_equal(way.low, way.high)
        aspects = (of, *(label("pictures", end, spread=spread) for end in ("from", "to")))
        drawn_so: dict[str, Any] = {"quantity": measured, "listed": False, "hover": ".3~g"}
        for name, values, aspect in zip(names, (way.middle, way.low, way.high), aspects, strict=True):
            if name == names[0] or whiskers:
                columns.append(Column(name, way.name, values, aspect=aspect, **drawn_so))
        if whiskers:
            end = said_ends or said
            triples = zip(way.middle.tolist(), way.low.tolist(), way.high.tolist(), strict=True)
            words = ({"middle": said(middle), "low": end(low), "high": end(high)} for middle, low, high in triples)
            told = [label("pictures", "ranged", **one) for one in words]
            aspect = label("pictures", "mean_and_range", of=of, spread=spread)
            columns.append(Column(f"told_{number}", way.name, told, aspect=aspect))
        ends: dict[str, Any] = {"low": names[1], "high": names[2]} if whiskers else {}
        look: dict[str, Any] = {"role": ROLES[number], "symbol": SYMBOLS[number], "size": 8}
        look["shift"] = (number - (len(ways) - 1) / 2) * step
        marks.append(Dots(x=cells[-1].key, y=names[0], where=("drawn", True), **ends, **look))
    level = side_by_side(single("none", label("pictures", "no_error"), 0.0, quantity=measured))
    return Picture.of(
        key,
        (side_by_side(*columns), level),
        marks,
        reading=reading,
        caption=caption,
        x=Axis(rows=True, breaks=tuple(at for at in breaks if 0 < at < drawn)),
        style=style,
        legend="above",
        height=height,
    )
