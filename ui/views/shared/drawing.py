"""How a page's choices become a risk profile, and how a template becomes points that can be dragged.

Throughout, the horizontal axis of a drawn line is the prior of the disclosure itself, p·q: the belief that varies
times the one that is held. With a held belief below 1 a drawn line is cut where the prior cannot go further.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpcore.profiles import Axis, Box, CapOrRatio, Constant, DrawnLine, LargestIncrease, RiskProfile
from riskline.case.fields import Field
from riskline.case.points import Line, decode_points, encode_points

LOWEST_PRIOR = 0.001  # where the points of a template begin; the template itself goes on to 0
SMALLEST_HELD = 1e-99  # a smaller one is a typing error; next to the smallest float its shares are no numbers
QUESTIONS = {"membership": Axis.MEMBERSHIP, "value": Axis.VALUE, "both": Axis.BOTH}
LINES = ("cap_or_ratio", "constant", "increase", "box", "drawn")
INTERPOLATIONS = {"linear": "posterior", "ratio": "ratio", "loglog": "log-log", "step": "step"}
DEFAULT_POINTS: Line = ((0.001, 0.25), (0.1, 0.25), (0.4, 1.0))


def _held_called(values: Mapping[str, Any]) -> tuple[str, str]:
    """The belief that does not vary along the line, and what its value means."""
    if values["question"] == "membership":
        return "Belief about the value, held at", "1: only being in the data is at stake"
    return "Belief of being in the data, held at", "0.05: one in twenty was sampled"


LINE_FIELDS: tuple[Field, ...] = (
    Field("question", "What must stay secret?", "choice", "membership", options=tuple(QUESTIONS)),
    Field("held", "The belief held fixed", "number", 1.0, low=SMALLEST_HELD, high=1, called=_held_called),
    Field("line", "Which line?", "choice", "cap_or_ratio", options=LINES),
    Field("ratio", "At most so many times as likely", "number", 3.0, low=1, high=1_000_000, span=(1.0, 10.0), step=0.1),
    Field("cap", "Always acceptable up to", "number", 0.25, low=0, high=1, open_high=True, span=(0.0, 0.95), step=0.01),
    Field(
        "increase",
        "At most this much more",
        "number",
        0.2,
        low=0,
        high=1,
        open_low=True,
        open_high=True,
        span=(0.01, 0.95),
        step=0.01,
    ),
    Field("low", "From a belief of", "number", 0.01, low=0, high=1),
    Field("high", "To a belief of", "number", 0.5, low=0, high=1, open_low=True),
    Field("points", "Drawn points", "custom", DEFAULT_POINTS, read=decode_points, write=encode_points),
    Field("interpolation", "Straight between the points is", "choice", "linear", options=tuple(INTERPOLATIONS)),
)


@dataclass(frozen=True)
class LineChoice:
    """The line a reader chose: what it is about, which template or points, and their numbers."""

    question: str = "membership"
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

    Raises
    ------
    ValueError
        When the numbers do not fit together: a box that ends before it begins, points that all lie beyond the
        highest prior that can occur.
    """
    axis = QUESTIONS[choice.question]
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

    Examples
    --------
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

    Examples
    --------
    >>> template_points(LineChoice(line="cap_or_ratio", cap=0.25, ratio=2.5))
    ((0.001, 0.25), (0.1, 0.25), (0.4, 1.0))
    """
    highest = min(choice.held if choice.question != "both" else 1.0, 0.999)
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


@dataclass(frozen=True)
class Editor:
    """What the line editor shows."""

    points: Line
    interpolation: str
    reachable: NDArray[np.float64]
    binding: tuple[float, float] | None
    others: tuple[tuple[str, NDArray[np.float64]], ...] = ()
