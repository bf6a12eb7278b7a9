"""Densities of the mean and of the spread after a noisy release, each over its own axis."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ui.pictures.columns import Column, Numbers, side_by_side
from ui.pictures.marks import Axis, Line, Panel
from ui.pictures.picture import Picture
from ui.views.infer.learned import Learned


def _frame(learned: Learned) -> tuple[tuple[float, float], tuple[float, float]]:
    """Windows of mean and spread: all that is possible, or round a posterior much narrower than it."""
    release = learned.release
    tails = [0.004, 0.996]
    low, high = np.asarray(learned.known.mean.quantile(tails)).tolist()
    top = math.sqrt(float(learned.known.variance.quantile(0.996)))
    if learned.ignored is not None:
        first, last = np.asarray(learned.ignored.mean.quantile(tails)).tolist()
        low, high = min(low, first), max(high, last)
        top = max(top, math.sqrt(float(learned.ignored.variance.quantile(0.99))))
    width = release.width
    if high - low < 0.25 * width and top < 0.25 * width:
        pad = 0.15 * (high - low)
        return (low - pad, high + pad), (0.0, 1.15 * top)
    across = max(min(low, release.lower), release.lower - 0.35 * width)
    end = min(max(high, release.upper), release.upper + 0.35 * width)
    return (across - 0.02 * width, end + 0.02 * width), (0.0, min(max(1.05 * top, 0.55 * width), 0.9 * width))


def mean_picture(learned: Learned) -> Picture:
    """Density of the mean: with the bounds, without them, and before the release."""
    (left, right), _ = _frame(learned)
    at = np.linspace(left, right, 161)
    lines = [("known", np.asarray(learned.known.mean.density(at)), "accent", "solid")]
    if learned.ignored is not None:
        lines.append(("ignored", np.asarray(learned.ignored.mean.density(at)), "reach", "dash"))
    lines.append(("before", learned.prior_density(at), "quiet", "dot"))
    return _densities(learned, "mean", at, lines)


def spread_picture(learned: Learned) -> Picture:
    """Density of the standard deviation: with the bounds and without them."""
    _, (_, top) = _frame(learned)
    at = np.linspace(top / 400, top, 161)
    lines = []
    for found, name, role, dash in (
        (learned.known, "known", "accent", "solid"),
        (learned.ignored, "ignored", "reach", "dash"),
    ):
        if found is not None:
            lines.append((name, np.asarray(found.variance.density(at**2)) * 2.0 * at, role, dash))
    return _densities(learned, "spread", at, lines)


def _densities(
    learned: Learned,
    key: str,
    at: NDArray[np.float64],
    lines: Sequence[tuple[str, NDArray[np.float64], str, str]],
) -> Picture:
    """Densities over one axis."""
    ceiling = 1.15 * max(float(heights.max()) for _, heights, role, _ in lines if role != "quiet")
    density, measured, reading = (learned.say(name) for name in ("density", f"axis_{key}", f"reading_{key}"))
    rows = side_by_side(
        Column("at", measured, at),
        *(Column(name, learned.say(f"name_{name}"), heights, quantity=density) for name, heights, *_ in lines),
        listed=range(0, at.size, 8),
    )
    return Picture(
        key=key,
        numbers=Numbers(reading, (rows,)),
        marks=tuple(Line(x="at", y=name, role=role, dash=dash) for name, _, role, dash in lines),
        panels=(Panel(y=Axis(range=(0.0, ceiling))),),
        reading=reading,
        style=learned.style,
        legend="above",
        height=290,
    )
