"""The lines of a room as pictures and tables: all of them with the middle one, and the budgets they allow."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dpcore.profiles import middle_half
from riskline.answers import LineBudget
from ui.pictures.columns import Column, Numbers, Rows, side_by_side, single
from ui.pictures.marks import Axis, Band, Dots, Line, Mark, Panel, Spot, Upright
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.room.lines_drawn import LinesDrawn
from ui.views.room.stacks import stacked
from ui.words.catalogue import say
from ui.words.phrasing import exact_budget, rounded_budget
from ui.words.quantities import Lower, whole

MARKS = (
    ("accent", "circle"),
    ("reach", "square"),
    ("third", "diamond"),
    ("fourth", "triangle-up"),
    ("fifth", "x"),
    ("mark", "square-open"),
)
"""How the groups of a room look; a room has no more."""
OTHERS = ("quiet", "circle-open")
PRIORS = np.unique(np.concatenate([np.geomspace(0.001, 1.0, 97), np.linspace(0.01, 1.0, 100)]))
LISTED = 8
"""Of so many priors the table of the page lists one."""


def passage(style: Style, name: str, **words: object) -> str:
    """A passage about the lines of a room."""
    return say("room_line", style.voice, name, **words)


def all_lines(drawn: LinesDrawn, style: Style) -> Picture:
    """Every line, the middle one, and the band in which half of them lie."""
    low, high = middle_half([line.profile for line in drawn.lines], PRIORS)
    middle = drawn.middle
    before, after = passage(style, "belief_before"), passage(style, "belief_after")
    across, up = _one_after_the_other(drawn)
    rows = [
        side_by_side(
            Column("prior", before, 100 * PRIORS, quantity=before),
            Column("nothing", passage(style, "nothing"), 100 * PRIORS, quantity=after, listed=False),
            Column("low", passage(style, "band"), 100 * low, quantity=after, aspect="from"),
            Column("high", passage(style, "band"), 100 * high, quantity=after, aspect="to"),
            Column("middle", passage(style, "middle_line"), 100 * _along(middle, PRIORS), quantity=after),
            listed=range(LISTED - 1, PRIORS.size, LISTED),
        ),
        side_by_side(
            Column("line_prior", f"{passage(style, 'each_line')}: {before}", across, quantity=before),
            Column("lines", passage(style, "each_line"), up, quantity=after),
        ),
    ]
    marks: list[Mark] = [
        Band(x="prior", low="low", high="high"),
        Line(x="prior", y="nothing", role="quiet", hairline=True, dash="dot"),
        Line(x="line_prior", y="lines", role="quiet", hairline=True, hover=False),
        Line(x="prior", y="middle", width=1.7),
    ]
    alone = [points[0] for points in drawn.points if len(points) == 1]
    if alone:
        name = passage(style, "one_point")
        where, reach = (100 * np.array(ends) for ends in zip(*alone, strict=True))
        rows.append(
            side_by_side(
                Column("point_prior", f"{name}: {before}", where, quantity=before),
                Column("point", name, reach, quantity=after),
            )
        )
        marks.append(Dots(x="point_prior", y="point", role="quiet", symbol="circle-open", size=11))
    decides = ""
    if middle.budget is not None and middle.prior and middle.prior < 1:
        decides = " " + passage(style, "decides")
        rows.append(
            side_by_side(
                single("decides_prior", f"{passage(style, 'spot')}: {before}", 100 * middle.prior, quantity=before),
                single("decides", passage(style, "spot"), 100 * middle.reached(middle.prior), quantity=after),
            )
        )
        marks.append(Spot(x="decides_prior", y="decides", labelled=False))
    inside = Lower(drawn.count - 2 * (drawn.count // 4), whole)
    points = f" {passage(style, 'reading_points')}" if alone else ""
    reading = passage(style, "reading_lines", lines=f"{drawn.count:,}", inside=inside, points=points, decides=decides)
    return Picture(
        key="room-lines",
        numbers=Numbers(reading, tuple(rows)),
        marks=tuple(marks),
        panels=(Panel(x=Axis(range=(0.0, 100.0)), y=Axis(range=(0.0, 102.0))),),
        reading=reading,
        legend="above",
        style=style,
        height=420,
    )


def _along(line: LineBudget, prior: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(line.profile.highest_posterior(prior))


def _one_after_the_other(drawn: LinesDrawn) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The points of all lines, a gap after each line."""
    across = [x for points in drawn.points for x in (*(prior for prior, _ in points), points[-1][0])]
    up = [y for points in drawn.points for y in (*(posterior for _, posterior in points), math.nan)]
    return 100 * np.array(across), 100 * np.array(up)


def budgets(drawn: LinesDrawn, asked: float | None, style: Style) -> Picture | None:
    """The budget that each line allows, marked by group; None where no line sets a limit."""
    limits = [line.limit for line in drawn.lines]
    finite = [limit for limit in limits if not math.isinf(limit)]
    if not finite:
        return None
    end = max(finite) or 1.0
    rows: list[Rows] = []
    marks: list[Mark] = []
    taken: dict[int, int] = {}
    quantity, height = passage(style, "budget_of_line"), passage(style, "stacked")
    named = [*zip(drawn.told, MARKS, strict=False)]
    if "" in drawn.groups:
        named.append(("", OTHERS if drawn.told else MARKS[0]))
    for place, (group, (role, symbol)) in enumerate(named):
        own = sorted(line.limit for line in drawn.of_group(group) if not math.isinf(line.limit))
        heights = stacked(own, 0.0, end, taken)
        name = group or passage(style, "others" if drawn.told else "each_line")
        rows.append(
            side_by_side(
                Column(f"epsilon{place}", f"{name}: ε", np.array(own), quantity=quantity),
                Column(f"stack{place}", name, np.array(heights, dtype=float), quantity=height),
            )
        )
        marks.append(Dots(x=f"epsilon{place}", y=f"stack{place}", role=role, symbol=symbol, size=13, outlined=True))
    if asked is not None and asked <= end:
        rows.append(side_by_side(single("asked", passage(style, "in_question"), asked, quantity=quantity)))
        marks.append(Upright(x="asked", at=0.96, beside="left" if 2 * asked < end else "right"))
    reading = passage(style, "reading_budgets")
    most = max(taken.values())
    return Picture(
        key="room-budgets",
        numbers=Numbers(reading, tuple(rows), summary=kept_table(drawn, style)),
        marks=tuple(marks),
        panels=(Panel(x=Axis(range=(-0.03 * end, 1.04 * end)), y=Axis(range=(0.0, 1.25 * most + 1), shown=False)),),
        reading=reading,
        legend="above" if len(named) > 1 else "",
        style=style,
        height=230,
    )


def kept_table(drawn: LinesDrawn, style: Style) -> Table:
    """Each budget that a line allows, and how many lines are kept there."""
    allowed = sorted({line.epsilon for line in drawn.lines if not math.isinf(line.epsilon)})
    rows = tuple((exact_budget(epsilon), f"{drawn.kept.count(epsilon):,}") for epsilon in allowed)
    columns = (passage(style, "column_budget"), passage(style, "column_kept_there"))
    return Table(passage(style, "table_budgets"), columns, rows)


def groups_table(drawn: LinesDrawn, asked: float | None, style: Style) -> Table | None:
    """Every group that is told, with its middle line and how many of its lines are kept; None without groups."""
    if not drawn.told:
        return None
    rows = [_row(passage(style, "everybody"), drawn.lines, drawn.middle, asked, style)]
    rows += [
        _row(group, drawn.of_group(group), middle, asked, style)
        for group, middle in zip(drawn.told, drawn.middles, strict=True)
    ]
    others = drawn.of_group("")
    if others:
        rows.append(_row(passage(style, "others"), others, None, asked, style))
    heads = [passage(style, f"column_{name}") for name in ("group", "lines", "middle")]
    if asked is not None:
        heads.append(passage(style, "column_kept", asked=exact_budget(asked)))
    return Table(passage(style, "table_groups"), tuple(heads), tuple(rows))


def _row(
    name: str, lines: Sequence[LineBudget], middle: LineBudget | None, asked: float | None, style: Style
) -> tuple[str, ...]:
    said = "–" if middle is None else budget_words(middle, style)
    kept = () if asked is None else (f"{sum(asked <= line.limit for line in lines):,}",)
    return (name, f"{len(lines):,}", said, *kept)


def budget_words(line: LineBudget, style: Style) -> str:
    """The budget of one record that a line allows, rounded down."""
    if line.budget is None:
        return passage(style, "no_limit")
    return f"ε = {rounded_budget(line.limit)}"
