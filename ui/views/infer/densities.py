"""Densities of the mean and the spread after a noisy release: together, and each over its own axis."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ui.pictures.columns import Column, Numbers, side_by_side, single
from ui.pictures.marks import Axis, Band, Line, Mark, Panel, Region, Spot
from ui.pictures.picture import Picture
from ui.pictures.table import table_of
from ui.views.infer.learned import Learned, interval_words


def _frame(learned: Learned) -> tuple[tuple[float, float], tuple[float, float]]:
    """Window of the joint picture: the whole possible region, or round a posterior much narrower than it."""
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


def joint_picture(learned: Learned) -> Picture:
    """Regions of highest density of mean and spread, over the half-disc of what bounded data can have."""
    frame = _frame(learned)
    release, context = learned.release, learned.context
    across, up = learned.say("axis_mean"), learned.say("axis_spread")
    marks: list[Mark] = []
    centre, radius = 0.5 * (release.lower + release.upper), 0.5 * (release.upper - release.lower)
    turn = np.linspace(0.0, np.pi, 181)
    rows = [
        side_by_side(
            Column("possible_mean", learned.say("joint.mean"), centre - radius * np.cos(turn), quantity=across),
            Column("possible_least", learned.say("joint.least"), np.zeros(turn.size), quantity=up),
            Column("possible", learned.say("possible"), radius * np.sin(turn), quantity=up),
        )
    ]
    (left, right), (_, top) = frame
    named = left <= centre + 0.4 * radius <= right and top >= 0.9 * radius
    marks.append(
        Band(
            x="possible_mean",
            low="possible_least",
            high="possible",
            role="grid",
            edge="quiet",
            labelled=named,
            in_legend=False,
        )
    )
    for found, key, role, dash in (
        (learned.known, "known", "accent", "solid"),
        (learned.ignored, "ignored", "reach", "dash"),
    ):
        if found is None:
            continue
        regions = learned.regions(constrained=key == "known")
        shares = (str(context["level"]), learned.say("joint.half"))
        for rings, inner, share in zip(regions, (False, True), shares, strict=True):
            place = f"{key}_half" if inner else key
            points, called = np.concatenate(rings), learned.say(f"name_{key}")
            ring = np.repeat(range(len(rings)), [*map(len, rings)]) + 1
            held, spread = (learned.say(f"joint.{aspect}", share=share) for aspect in ("holds", "spread_holds"))
            mean, outline = (learned.say(f"joint.{part}", called=called) for part in ("mean_of", "outline"))
            rows.append(
                side_by_side(
                    Column(f"{place}_mean", mean, points[:, 0], quantity=across, aspect=held),
                    Column(f"{place}_spread", called, points[:, 1], quantity=up, aspect=spread),
                    Column(f"{place}_ring", outline, ring, aspect=held),
                )
            )
            marks.append(
                Region(
                    x=f"{place}_mean",
                    y=f"{place}_spread",
                    ring=f"{place}_ring",
                    role=role,
                    dash=dash,
                    filled=key == "known",
                    inner=inner,
                )
            )
    deviation = math.sqrt(release.variance) if release.variance >= 0 else math.nan
    if left <= release.mean <= right and deviation <= top:
        rows.append(
            side_by_side(
                single("released_mean", learned.say("joint.published"), release.mean, quantity=across),
                single("released", learned.say("released"), deviation, quantity=up),
            )
        )
        marks.append(Spot(x="released_mean", y="released", labelled=False, in_legend=True))
    kinds = (True, False) if learned.ignored is not None else (True,)
    intervals = [
        (
            learned.say("name_known" if constrained else "name_ignored"),
            interval_words(*learned.mean_interval(constrained)),
            interval_words(*learned.spread_interval(constrained)),
        )
        for constrained in kinds
    ]
    summary = table_of("infer", "intervals", intervals, level=context["level"])
    return Picture(
        key="joint",
        numbers=Numbers(summary.caption, tuple(rows), summary),
        marks=tuple(marks),
        panels=(Panel(x=Axis(range=(left, right)), y=Axis(range=frame[1])),),
        reading=learned.say("reading_joint"),
        style=learned.style,
        legend="above",
        height=400,
    )


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
    """Densities over one axis, each named where it stands furthest above the others."""
    ceiling = 1.15 * max(float(heights.max()) for _, heights, role, _ in lines if role != "quiet")
    density, measured, reading = (learned.say(name) for name in ("density", f"axis_{key}", f"reading_{key}"))
    rows = side_by_side(
        Column("at", measured, at),
        *(Column(name, learned.say(f"name_{name}"), heights, quantity=density) for name, heights, *_ in lines),
        listed=range(0, at.size, 8),
    )
    labels = _labels([heights for _, heights, *_ in lines], ceiling)
    return Picture(
        key=key,
        numbers=Numbers(reading, (rows,)),
        marks=tuple(
            Line(x="at", y=name, role=role, dash=dash, label=label)
            for (name, _, role, dash), label in zip(lines, labels, strict=True)
        ),
        panels=(Panel(y=Axis(range=(0.0, ceiling))),),
        reading=reading,
        style=learned.style,
        height=290,
    )


def _labels(lines: Sequence[NDArray[np.float64]], ceiling: float) -> list[int]:
    """Where each line carries its name: where it stands furthest above the others."""
    found = []
    for place, line in enumerate(lines):
        others = [other for at, other in enumerate(lines) if at != place] or [np.zeros_like(line)]
        gain = np.where(line <= 0.9 * ceiling, line - np.maximum.reduce(others), -np.inf)[4:-30]
        found.append(int(np.argmax(gain)) + 4)
    return found
