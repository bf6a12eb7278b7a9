"""A line of acceptable risk as it is chosen: how it becomes a risk profile, and a template points to be dragged.

Throughout, the horizontal axis of a drawn line is the prior of the disclosure itself, p·q: the belief that varies
times the one that is held. With a held belief below 1 a drawn line is cut where the prior cannot go further.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from dpcore.profiles import Axis, Box, CapOrRatio, Constant, DrawnLine, Interpolation, LargestIncrease, RiskProfile
from riskline.case.points import Line

LOWEST_PRIOR = 0.001  # where the points of a template begin; the template itself goes on to 0
SMALLEST_HELD = 1e-99  # a smaller one is a typing error; next to the smallest float its shares are no numbers
AXES = {"presence": Axis.MEMBERSHIP, "value": Axis.VALUE, "both": Axis.BOTH}
"""The axis of a line over what must stay secret: being in the data, the value, or being in and having it."""
PARTS = {
    "cap_or_ratio": ("ratio", "cap"),
    "constant": ("ratio",),
    "increase": ("increase",),
    "box": ("ratio", "low", "high"),
    "drawn": ("points", "interpolation"),
}
"""The numbers that each kind of line has; the others do not touch it."""
LINES = tuple(PARTS)
INTERPOLATIONS: dict[str, Interpolation] = {
    "linear": "posterior",
    "ratio": "ratio",
    "loglog": "log-log",
    "step": "step",
}
DEFAULT_POINTS: Line = ((0.001, 0.25), (0.1, 0.25), (0.4, 1.0))


@dataclass(frozen=True)
class LineChoice:
    """The line a reader chose: what it is about, which template or points, and their numbers."""

    secret: str = "presence"
    held: float = 1.0
    line: str = "cap_or_ratio"
    ratio: float = 3.0
    cap: float = 0.25
    increase: float = 0.2
    low: float = 0.01
    high: float = 0.5
    points: Line = DEFAULT_POINTS
    interpolation: str = "linear"


def chosen_profile(choice: LineChoice) -> RiskProfile:
    """The risk profile of a choice.

    Raises ValueError when no line is drawn, or the numbers do not fit together: a box that ends before it begins,
    points that all lie beyond the highest prior that can occur.
    """
    if choice.line not in LINES:
        raise ValueError("No line of acceptable risk is drawn: pick one or draw it")
    axis = AXES[choice.secret]
    fixed: dict[str, Any] = {}
    if axis is Axis.MEMBERSHIP:
        fixed = {"value_prior": choice.held}
    elif axis is Axis.VALUE:
        fixed = {"membership_prior": choice.held}
    if axis is Axis.BOTH:
        fixed = {"value_prior": "any"}
    if choice.line == "constant":
        return Constant(choice.ratio, **fixed)
    if choice.line == "cap_or_ratio":
        return CapOrRatio(choice.cap, choice.ratio, **fixed)
    if choice.line == "increase":
        return LargestIncrease(choice.increase, **fixed)
    if choice.line == "box":
        return _box(choice, axis)
    return _drawn(choice, axis)


def _box(choice: LineChoice, axis: Axis) -> RiskProfile:
    if choice.low >= choice.high:
        raise ValueError(f"Lowest belief that matters must lie below the highest, {choice.high:g}; got {choice.low:g}")
    if axis is Axis.BOTH:
        return Box(choice.ratio, (choice.low, choice.high), (choice.low, choice.high))
    if choice.low >= choice.held:
        raise ValueError(
            f"Lowest belief that matters must lie below {choice.held:g}, the highest that can occur; got {choice.low:g}"
        )
    belief = (choice.low / choice.held, min(choice.high / choice.held, 1.0))
    held = (choice.held, choice.held)
    return Box(choice.ratio, belief, held) if axis is Axis.MEMBERSHIP else Box(choice.ratio, held, belief)


def _drawn(choice: LineChoice, axis: Axis) -> RiskProfile:
    if axis is Axis.BOTH:
        raise ValueError("A drawn line is about one belief; for both at once pick one of the other lines")
    points = points_within(choice.points, choice.held, choice.interpolation)
    as_ratio = choice.interpolation == "step" or choice.held != 1.0
    nodes = [(min(x / choice.held, 1.0), posterior / x if as_ratio else posterior) for x, posterior in points]
    return DrawnLine(
        nodes,
        kind="ratio" if as_ratio else "posterior",
        interpolation=INTERPOLATIONS[choice.interpolation],
        along="membership" if axis is Axis.MEMBERSHIP else "value",
        held=choice.held,
    )


def points_within(points: Line, highest: float, interpolation: str) -> Line:
    """The points up to the highest prior that can occur; a segment that crosses it ends there.

    >>> points_within(((0.1, 0.3), (0.3, 0.5)), 0.2, "linear")
    ((0.1, 0.3), (0.2, 0.4))
    """
    kept = [point for point in points if point[0] <= highest]
    if not kept:
        raise ValueError(f"The first drawn point must lie at a belief of at most {highest:g}; got {points[0][0]:g}")
    beyond = [point for point in points if point[0] > highest]
    if beyond and kept[-1][0] < highest:
        (x0, y0), (x1, y1) = kept[-1], beyond[0]
        as_ratio = interpolation == "step"
        ends = [(x0, y0 / x0), (x1, y1 / x1)] if as_ratio else [(x0, y0), (x1, y1)]
        kind: Literal["ratio", "posterior"] = "ratio" if as_ratio else "posterior"
        segment = DrawnLine(ends, kind=kind, interpolation=INTERPOLATIONS[interpolation], along="value")
        there = float(np.asarray(segment.highest_posterior(highest)))
        kept.append((highest, min(max(there, highest), 1.0)))
    return tuple(kept)


def template_points(choice: LineChoice) -> Line:
    """The points that draw a template's line, from a prior of 1 in 1,000 up; straight in the posterior between them.

    >>> template_points(LineChoice(line="cap_or_ratio", cap=0.25, ratio=2.5))
    ((0.001, 0.25), (0.1, 0.25), (0.4, 1.0))
    """
    highest = min(choice.held if choice.secret != "both" else 1.0, 0.999)
    low = min(LOWEST_PRIOR, highest / 2)
    if choice.line == "increase":
        corners = [(low, low + choice.increase), (1 - choice.increase, 1.0)]
    elif choice.line == "box":
        end = min(choice.high, highest)
        start = min(max(choice.low, low), end / 2)
        corners = [(x, min(x * choice.ratio, 1.0)) for x in (start, 1 / choice.ratio, end) if start <= x <= end]
    elif choice.line == "cap_or_ratio" and choice.cap / choice.ratio > low:
        corners = [(low, choice.cap), (choice.cap / choice.ratio, choice.cap), (1 / choice.ratio, 1.0)]
    else:
        corners = [(low, min(low * choice.ratio, 1.0)), (1 / choice.ratio, 1.0)]
    points: list[tuple[float, float]] = []
    for x, y in corners:
        if points and x <= points[-1][0]:
            continue
        points.append((x, max(min(y, 1.0), x)))
    line = tuple(point for point in points if point[0] < 1.0) or ((low, 1.0),)
    if line[-1][1] < 1.0 and line[-1][0] < highest and choice.line in ("constant", "cap_or_ratio"):
        line = (*line, (highest, min(highest * choice.ratio, 1.0)))
    return points_within(line, highest, "linear")
