"""Pictures of a publication: ranges asked for and ranges kept, risk against use, errors of the levels."""

from __future__ import annotations

import math

import numpy as np

from dpcore.errors import Refused
from dpcore.publication import frontier, totals_of_caps
from ui.pictures.columns import Column, Numbers, digits, side_by_side, single, told
from ui.pictures.description import Description
from ui.pictures.marks import Axis, Dots, Joins, Level, Line, Mark, Panel, Spot
from ui.pictures.picture import Picture
from ui.views.publication.shared import Shared
from ui.views.publication.tables import named
from ui.words.catalogue import say
from ui.words.phrasing import frequency
from ui.words.quantities import Upper, number

POINTS, POINTS_OF_MANY, MANY = 61, 25, 40
"""Budgets along the frontier; fewer where many rows are to be shared at each."""

RANGE = "plus or minus"
WRAPPED = 18  # letters of a name that stands on one line


def _told_apart(shared: Shared) -> tuple[list[str], int]:
    """The names of the rows, two of one name by their numbers; and the height of a picture with a line for each."""
    names = [named(shared, place) for place in range(len(shared.publication.rows))]
    twice = {name for name in names if names.count(name) > 1}
    names = [f"{place}. {name}" if name in twice else name for place, name in enumerate(names, 1)]
    return names, (42 if max(map(len, names)) > WRAPPED else 26) * len(names) + 96


def ranges_picture(shared: Shared) -> Description:
    """The range that each table asked for and gets, and its share of the budget: drawn where it can be dragged."""
    publication, style = shared.publication, shared.style
    names, height = _told_apart(shared)
    asked = [math.nan if row.wish is None else row.wish.half_width for row in publication.rows]
    rows = side_by_side(
        Column("table", "table", names, quantity=""),
        Column("asked", "asked for", asked, quantity=RANGE, said=digits(3)),
        Column("gets", "gets", shared.errors.half_width, quantity=RANGE, aspect="at most", said=digits(3, Upper)),
        Column(
            "share",
            "share of the budget",
            100 * shared.allocation.shares,
            quantity="per cent of the budget",
            said_in="in per cent",
            said=digits(3),
        ),
    )
    return Description(
        key="publication-ranges",
        numbers=Numbers(say("publication", style.voice, "ranges_caption"), (rows,)),
        marks=(
            Joins(start="asked", end="gets", y="table"),
            Dots(x="asked", y="table", role="quiet", symbol="circle-open"),
            Dots(x="gets", y="table"),
        ),
        panels=(Panel(x=Axis(log=True), y=Axis(rows=True)),),
        reading=say("publication", style.voice, "reading_ranges", **shared.context),
        style=style,
        legend="above right",
        height=height,
    )


def frontier_picture(shared: Shared) -> Picture | None:
    """How far a belief may rise against how wide the ranges are: the budgets of every cap, today's marked."""
    if not shared.wished or shared.inputs.choose.asked == "both":
        return None
    style, prior = shared.style, shared.prior
    failing = shared.inputs.failure if shared.inputs.by_rho else 0.0
    caps = np.linspace(0.05, 0.95, POINTS if len(shared.publication.rows) <= MANY else POINTS_OF_MANY)
    caps = caps[caps > prior + 1e-6]
    if not caps.size:
        return None
    totals = np.atleast_1d(
        totals_of_caps(shared.publication, shared.promise, prior=prior, cap=caps, delta_prime=failing)
    )
    try:
        found = frontier(shared.publication, totals)
    except Refused:  # ranges wider than anything that is published
        return None
    today = shared.widest
    across, up = "belief an attacker may come to", "ranges, times as wide as asked"
    curve = side_by_side(
        Column("cap", "belief after, at most", caps, quantity=across, said=told(Upper, frequency)),
        Column("stretch", "every budget", found.stretch, quantity=up, aspect="times", said=digits(3, Upper)),
        Column("total", f"budget {shared.symbol}", totals, said=digits(3), listed=True),
        listed=range(0, caps.size, max(caps.size // 12, 1)),
    )
    spot = side_by_side(
        single("cap_today", "today", shared.reached, quantity=across, aspect="belief"),
        single("stretch_today", say("publication", style.voice, "spot_today"), today, quantity=up, aspect="times"),
    )
    kept = side_by_side(single("as_asked", say("publication", style.voice, "level_asked"), 1.0, quantity=up))
    marks: tuple[Mark, ...] = (
        Line(x="cap", y="stretch", in_legend=False),
        Level(y="as_asked"),
        Spot(x="cap_today", y="stretch_today"),
    )
    return Picture(
        key="publication-frontier",
        numbers=Numbers(say("publication", style.voice, "frontier_caption", **shared.context), (curve, spot, kept)),
        marks=marks,
        panels=(Panel(x=Axis(range=(0.0, 1.0)), y=Axis(log=True)),),
        reading=say("publication", style.voice, "reading_frontier", **shared.context, today=Upper(today, number(3))),
        style=style,
        height=330,
    )


def levels_picture(shared: Shared) -> Picture | None:
    """Typical error of each level, alone and with all levels used together."""
    found = shared.level_errors
    if found is None:
        return None
    names = [named(shared, place) for place in range(len(shared.publication.rows))]
    measured = "typical error of a published number"
    rows = side_by_side(
        Column("level", "level", names, quantity=""),
        Column("before", "as published", found.before, quantity=measured, said=digits(3)),
        Column("after", "with all levels together", found.after, quantity=measured, said=digits(3)),
    )
    return Picture(
        key="publication-levels",
        numbers=Numbers(say("publication", shared.style.voice, "levels_caption"), (rows,)),
        marks=(
            Joins(start="before", end="after", y="level"),
            Dots(x="before", y="level", role="quiet", symbol="circle-open"),
            Dots(x="after", y="level"),
        ),
        panels=(Panel(x=Axis(zero=True), y=Axis(rows=True)),),
        reading=say("publication", shared.style.voice, "reading_levels"),
        style=shared.style,
        legend="above right",
        height=(42 if max(map(len, names)) > WRAPPED else 26) * len(names) + 96,
    )
