"""Lines of a room on *Compare positions*: each as points that a link can hold, with a budget no larger than its own."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from riskline.answers import LineBudget
from riskline.case.fields import write_query
from riskline.case.points import MOST_POINTS, Line, decode_points, encode_points
from ui.link.page_link import PageLink
from ui.pictures.style import Style
from ui.views.positions import FIELDS
from ui.views.positions.choices import MOST
from ui.views.room.line_question import LineQuestion
from ui.views.room.lines_drawn import LinesDrawn, allowed, profile_of
from ui.views.room.lines_pictured import passage

LONGEST = 6_000
"""Characters of all drawn points in one link: web servers and mail programs take addresses of up to 8,000."""
POINT = 17
"""Characters of a point with six digits for either number."""
DIGITS = 6
LOWEST, STEPS = 1e-6, 400
CLOSE = 1e-9  # relative distance of the handed line's ε from the line's own at which no point is added
SHAPE = 0.6  # so much of the points goes into the look of the line, the rest to where its ε is decided


def points_of(line: LineBudget, question: LineQuestion, most: int) -> Line:
    """Points that draw a line such as the middle of several; the line through them allows no more than the line itself.

    The highest belief after is the line's own at every point but the one that decides: there it is what an attacker
    reaches at the certified end of the line's budget. Between points the drawn line is straight and may lie lower than
    the line, so points are added where that lowers its budget.
    """
    if line.budget is None:
        return ((0.5, 1.0),)
    prior = _priors(line)
    after = np.asarray(line.profile.highest_posterior(prior))
    decides = _digits(max(line.prior or 0.0, LOWEST))
    points = {x: _upwards(y) for x, y in zip(prior.tolist(), after.tolist(), strict=True)}
    points[decides] = _reached(line, decides)
    kept = _shape(sorted(points.items()), decides, int(SHAPE * most))
    while len(kept) < most:
        drawn = allowed(profile_of(tuple(sorted(kept.items())), question), question)
        place = _digits(drawn.prior or 0.0)
        if drawn.limit >= line.limit * (1 - CLOSE) or place in kept or not prior[0] <= place <= prior[-1]:
            break
        kept[place] = _upwards(float(np.asarray(line.profile.highest_posterior(place))))
    return decode_points(encode_points(tuple(sorted(kept.items()))))


def _digits(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def _upwards(belief: float) -> float:
    """A belief after with few digits, no lower than it was: only the point that decides holds the line down."""
    return min(math.ceil(belief * 10**DIGITS) / 10**DIGITS, 1.0)


def _reached(line: LineBudget, prior: float) -> float:
    """What is reached from this belief at the certified end of the line's budget, downwards to the digits of a link."""
    reached = float(np.asarray(line.implied.reachable(prior, epsilon=line.implied.lower)))
    step = 10.0 ** (math.floor(math.log10(reached)) - 10)
    return max(math.floor(reached / step) * step, prior)


def _priors(line: LineBudget) -> np.ndarray:
    """Priors from the first to the last at which the line asks for something, few digits each."""
    scan = np.unique(np.concatenate([np.geomspace(LOWEST, 1.0, STEPS), np.linspace(0, 1, STEPS + 1)[1:]]))
    scan = np.unique([_digits(prior) for prior in scan.tolist()])
    asks = np.flatnonzero(np.asarray(line.profile.highest_posterior(scan)) < 1.0)
    if not asks.size:
        return np.array([_digits(max(line.prior or 0.0, LOWEST))])
    return scan[asks[0] : asks[-1] + 1]


def _shape(points: list[tuple[float, float]], decides: float, most: int) -> dict[float, float]:
    """The ends, the point that decides, and where the line through those so far is furthest from the points."""
    x, y = (np.array(column) for column in zip(*points, strict=True))
    kept = {0, len(points) - 1, int(np.flatnonzero(x == decides)[0])}
    while len(kept) < min(most, len(points)):
        at = sorted(kept)
        off = np.abs(np.interp(x, x[at], y[at]) - y)
        furthest = int(np.argmax(off))
        if off[furthest] < 1e-4:
            break
        kept.add(furthest)
    return {points[at][0]: points[at][1] for at in sorted(kept)}


def ways_to_positions(drawn: LinesDrawn, style: Style) -> tuple[PageLink, ...]:
    """The lines that can be compared: the groups' middle lines, each line where there are few, or the ends."""
    question = drawn.question
    ways = []
    if len(drawn.told) > 1:
        taken = [points_of(middle, question, _points_for(len(drawn.told))) for middle in drawn.middles]
        ways.append(_way("way_groups", drawn.told, taken, question, style))
    if 1 < drawn.count <= MOST:
        ordered = sorted(zip(drawn.lines, drawn.points, strict=True), key=lambda pair: pair[0].limit)
        names = [passage(style, "handed_line", number=f"{number}") for number in range(1, drawn.count + 1)]
        taken = [points for _, points in ordered]
        if sum(len(encode_points(points)) for points in taken) > LONGEST:
            taken = [points_of(line, question, _points_for(drawn.count)) for line, _ in ordered]
        ways.append(_way("way_each", names, taken, question, style))
    if not ways and drawn.count > 1:
        ends = (drawn.strictest, drawn.middle, max(drawn.lines, key=lambda line: line.limit))
        names = [passage(style, f"handed_{name}") for name in ("strictest", "middle", "loosest")]
        taken = [points_of(line, question, _points_for(len(ends))) for line in ends]
        ways.append(_way("way_ends", names, taken, question, style))
    return tuple(ways)


def way_to_case(drawn: LinesDrawn, style: Style) -> PageLink:
    """The room's middle line taken over as that of the case, with the question that was asked."""
    question = drawn.question
    asked = {name: getattr(question, name) for name in ("secret", "unit", "relation")}
    points = encode_points(points_of(drawn.middle, question, MOST_POINTS))
    query = {"line": "drawn", "points": points, "interpolation": "linear", "group": f"{question.group}", **asked}
    return PageLink("choose", passage(style, "way_case"), tuple(query.items()))


def _points_for(lines: int) -> int:
    """How many points each of so many lines may have in one link."""
    return min(LONGEST // (POINT * lines), MOST_POINTS)


def _way(words: str, names: Sequence[str], lines: Sequence[Line], question: LineQuestion, style: Style) -> PageLink:
    values: dict[str, object] = {"parties": len(names)}
    for number, (name, points) in enumerate(zip(names, lines, strict=True), start=1):
        values |= {f"name{number}": name, f"line{number}": "drawn", f"points{number}": points}
    query = {"parties": f"{len(names)}", "secret": question.secret, "unit": question.unit, "group": f"{question.group}"}
    query |= {"relation": question.relation} | write_query(FIELDS, values)
    return PageLink("positions", passage(style, words), tuple(query.items()))
