"""What each table asked for and gets: numbers, ranges, risk against use, and who pays for a range asked otherwise."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from dpcore.errors import Refused
from dpcore.mechanisms import noise_kind
from dpcore.publication import CountTable, frontier, totals_of_caps
from riskline.case.fields import read_query, write_query
from riskline.case.tables import Sheet
from ui.link.page_table import PageLink
from ui.pictures.columns import Column, columns_of, digits, side_by_side, single, told
from ui.pictures.description import Description
from ui.pictures.marks import PERCENT, Axis, Dots, Joins, Level, Line, Spot
from ui.pictures.picture import Picture
from ui.pictures.table import Table
from ui.views.hierarchy import choices as hierarchy
from ui.views.hierarchy.view import gains_in_words
from ui.views.publication.shared import Shared
from ui.words.catalogue import heads, label
from ui.words.markdown import without_marks
from ui.words.phrasing import frequency, plain_number
from ui.words.quantities import Allowed, Exact, Upper, number, share
from ui.words.refusals import UNCOMPUTABLE, refusal_sentence

WIDTH = number(3)
POINTS, POINTS_OF_MANY, MANY = 61, 25, 40
"""Budgets along the frontier; fewer where many rows are to be shared at each."""

WRAPPED = 18  # letters of a name that stands on one line
MOST_CHANGED = 3
MOST_NAMED = 3
STILL = 1e-9
"""Relative change below which a range has not moved: both were found to some fifteen digits."""


def named(shared: Shared, place: int) -> str:
    """What a row is called, by its number where it has no name."""
    return shared.publication.rows[place].name or label("publication", "row_number", place=place + 1)


def results_table(shared: Shared) -> Table:
    """Every row: the range asked for and the range it gets, of a typical number, and its share of the budget."""
    errors, rows, (shares, rounded) = shared.errors, [], shared.shares_said
    for place, row in enumerate(shared.publication.rows):
        relative, shows = float(errors.relative_half_width[place]), float(errors.empty_shown[place])
        kept = shared.kept[place]
        rows.append(
            (
                named(shared, place),
                "–" if row.wish is None else f"± {Exact(row.wish.half_width, number(6)).digits}",
                f"± {Upper(float(errors.half_width[place]), WIDTH).digits}",
                "–" if kept is None else label("publication", "asked.kept" if kept else "asked.wider"),
                "–" if math.isnan(relative) else Upper(relative, share(1)).digits,
                shares[place],
                Allowed(float(shared.allocation.budgets[place]), number(4)).digits,
                "–" if math.isnan(shows) or not isinstance(row, CountTable) else Exact(shows, share(1)).digits,
            )
        )
    return Table(
        shared.say("results_caption", **shared.context),
        heads("publication", "results", symbol=shared.symbol, rounded=rounded),
        tuple(rows),
    )


def _from_and_to(start: str, end: str, names: str) -> tuple[Joins | Dots, ...]:
    """For each name two dots that are joined: the open one first."""
    first = Dots(x=start, y=names, role="quiet", symbol="circle-open")
    return Joins(start=start, end=end, y=names), first, Dots(x=end, y=names)


def _by_name(shared: Shared, kind: str, names: list[str]) -> dict[str, Any]:
    """What is read of a picture with a line for each name, and how it looks."""
    told = {"reading": shared.say(f"reading_{kind}", **shared.context), "caption": shared.say(f"{kind}_caption")}
    height = (42 if max(map(len, names)) > WRAPPED else 26) * len(names) + 96
    return told | {"y": Axis(rows=True), "style": shared.style, "legend": "above right", "height": height}


def ranges_picture(shared: Shared) -> Description:
    """The range that each table asked for and gets, and its share of the budget: drawn where it can be dragged."""
    publication = shared.publication
    names = [named(shared, place) for place in range(len(publication.rows))]
    twice = {name for name in names if names.count(name) > 1}
    names = [f"{place}. {name}" if name in twice else name for place, name in enumerate(names, 1)]
    asked = [math.nan if row.wish is None else row.wish.half_width for row in publication.rows]
    range_, aspect = (label("publication", f"clipping.{name}") for name in ("range", "at_most"))
    gets = label("publication", "ranges.gets")
    shares, rounded = shared.shares_said
    column = columns_of("publication", "results", rounded=rounded)
    rows = side_by_side(
        column("table", names),
        column("asked", asked, quantity=range_, said=digits(3)),
        Column("gets", gets, shared.errors.half_width, quantity=range_, aspect=aspect, said=digits(3, Upper)),
        column("share", 100 * shared.allocation.shares, said=shares),
    )
    marks, look = _from_and_to("asked", "gets", "table"), _by_name(shared, "ranges", names)
    return Description.of("publication-ranges", (rows,), marks, x=Axis(log=True), **look)


STRETCHES = tuple((stretch, f"{stretch:g}") for stretch in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100))
"""Ticks of how many times as wide as asked ranges are."""


def frontier_picture(shared: Shared) -> Picture | None:
    """How far a belief may rise against how wide the ranges are: the budgets of every cap, today's marked."""
    if not shared.wished or shared.inputs.choose.asked == "both":
        return None
    prior = shared.prior
    caps = np.linspace(0.05, 0.95, POINTS if len(shared.publication.rows) <= MANY else POINTS_OF_MANY)
    caps = caps[caps > prior + 1e-6]
    if not caps.size:
        return None
    publication, failing = shared.publication, shared.failing
    totals = np.atleast_1d(totals_of_caps(publication, shared.promise, prior=prior, cap=caps, delta_prime=failing))
    try:
        found = frontier(publication, totals)
    except Refused:  # ranges wider than anything that is published
        return None
    column = columns_of("publication", "frontier", symbol=shared.symbol)
    curve = side_by_side(
        column("cap", caps, said=told(Upper, frequency)),
        column("stretch", found.stretch, said=digits(3, Upper)),
        column("total", totals, said=digits(3)),
        listed=range(0, caps.size, max(caps.size // 12, 1)),
    )
    here, cap, up = (label("publication", f"frontier.{part}") for part in ("spot", "cap", "stretch.quantity"))
    today = side_by_side(
        single("cap_today", here, shared.rise.after.value, quantity=cap, aspect=cap),
        single("stretch_today", here, shared.widest, quantity=up, aspect=up),
    )
    return Picture.of(
        "publication-frontier",
        (curve, today, side_by_side(single("as_asked", label("publication", "frontier.level"), 1.0, quantity=up))),
        (Line(x="cap", y="stretch", in_legend=False), Level(y="as_asked"), Spot(x="cap_today", y="stretch_today")),
        reading=shared.say("reading_frontier", **shared.context, ranges=shared.ranges),
        caption=shared.say("frontier_caption", **shared.context),
        x=Axis(range=(0.0, 1.0), ticks=PERCENT),
        y=Axis(log=True, ticks=STRETCHES),
        style=shared.style,
        height=330,
    )


def who_pays(shared: Shared, before: Sheet | None) -> str:
    """What another wish, or a few of them, did to the ranges; nothing where rows were changed otherwise."""
    if before is None:
        return ""
    try:
        earlier = shared.of_other(before)
        changed = _other_wishes(earlier.rows, shared.rows)
        if not changed:
            return ""
        got, gets = earlier.errors.half_width, shared.errors.half_width
    except (ValueError, *UNCOMPUTABLE):  # the rows before had no answer
        return ""
    said = [_wish(shared, earlier, place) for place in changed]
    moved = np.abs(gets - got) > STILL * got
    moved[list(changed)] = False
    for name, places in (("paid_by", moved & (gets > got)), ("paid_to", moved & (gets < got))):
        if places.any():
            most = sorted(np.flatnonzero(places).tolist(), key=lambda place: -abs(np.log(gets[place] / got[place])))
            others = [
                shared.say("paid_row", table=_name(shared, place), got=Upper(was, WIDTH), gets=Upper(now, WIDTH))
                for place, was, now in zip(most, got[most].tolist(), gets[most].tolist(), strict=True)
            ][:MOST_NAMED]
            if len(most) > MOST_NAMED:
                others.append(shared.say("paid_more", number=f"{len(most) - MOST_NAMED:,}"))
            said.append(shared.say(name, rows=", ".join(others)))
    if not moved.any():
        said.append(shared.say("paid_alone"))
    return " ".join(said)


def _other_wishes(before: Sheet, after: Sheet) -> tuple[int, ...]:
    """The rows whose wish is another one, where that is all that is otherwise, and in few rows."""
    if len(before) != len(after):
        return ()
    changed = {place: (was, row) for place, (was, row) in enumerate(zip(before, after, strict=True)) if was != row}
    only = all(
        was.wish.strip() and row.wish.strip() and replace(was, wish=row.wish) == row for was, row in changed.values()
    )
    return tuple(changed) if only and len(changed) <= MOST_CHANGED else ()


def _name(shared: Shared, place: int) -> str:
    return without_marks(named(shared, place))


def _wish(shared: Shared, earlier: Shared, place: int) -> str:
    asked, wished = earlier.publication.rows[place].wish, shared.publication.rows[place].wish
    assert asked is not None
    assert wished is not None
    return shared.say(
        "paid_wish",
        table=_name(shared, place),
        asked=Exact(asked.half_width, number(6)).digits,
        asks=Exact(wished.half_width, number(6)).digits,
        got=Upper(float(earlier.errors.half_width[place]), WIDTH),
        gets=Upper(float(shared.errors.half_width[place]), WIDTH),
    )


def levels_picture(shared: Shared) -> Picture:
    """Typical error of each level, alone and with all levels used together."""
    found = shared.level_errors
    names = [named(shared, place) for place in range(len(shared.publication.rows))]
    column = columns_of("publication", "levels_picture", symbol=shared.symbol)
    error = label("publication", "levels_error")
    rows = side_by_side(
        column("level", names),
        column("areas", [f"{row.areas:,}" for row in shared.publication.rows]),
        column("budget", [Allowed(one, number(4)).digits for one in shared.allocation.budgets.tolist()]),
        column("before", found.before, quantity=error, said=digits(3)),
        column("after", found.after, quantity=error, said=digits(3)),
    )
    marks, look = _from_and_to("before", "after", "level"), _by_name(shared, "levels", names)
    return Picture.of("publication-levels", (rows,), marks, x=Axis(zero=True), **look)


def attack_on_levels(shared: Shared) -> hierarchy.HierarchyInputs | None:
    """The attack through the counts of all levels; nothing where the other page has no such attack.

    Each level's ρ is that of a count which one person moves by one, whatever change the budget hides: its noise counts.
    """
    rows, noise = shared.publication.rows, noise_kind(shared.inputs.noise)
    if not 2 <= len(rows) <= hierarchy.MOST_LEVELS or not (noise.is_whole and noise.log_power == 2):
        return None
    if not all(isinstance(row, CountTable) and row.cells_per_person == 1 for row in rows):
        return None
    budgets = shared.allocation.budgets.tolist()
    rhos = [shared.publication.budget_of_one(place, budget=budget) for place, budget in enumerate(budgets)]
    block, group, *above = rhos[::-1]
    siblings = [below.areas // wider.areas - 1 for wider, below in pairwise(rows)][::-1]
    attack = hierarchy.HierarchyInputs(
        budget="own",
        rho_block=block,
        rho_group=group,
        siblings=siblings[0],
        rho_above=tuple(above),
        siblings_above=tuple(siblings[1:]),
        prior=shared.prior,
    )
    return None if read_query(hierarchy.FIELDS, write_query(hierarchy.FIELDS, vars(attack))).refusals else attack


def of_levels(shared: Shared) -> dict[str, Any]:
    """What is drawn and said of levels that add up, by its name in the view, with the way to the attack on them."""
    if not shared.inputs.levels:
        return {}
    try:
        drawn = levels_picture(shared)
    except ValueError as error:
        return {"levels_refusal": refusal_sentence(error, "publication")}
    attack = attack_on_levels(shared)
    if attack is None:
        limits = {
            "levels": hierarchy.MOST_LEVELS,
            "least_rho": hierarchy.LEAST_RHO,
            "most_rho": f"{hierarchy.MOST_RHO:g}",
            "least_prior": plain_number(hierarchy.LEAST_PRIOR),
            "most_prior": hierarchy.MOST_PRIOR,
            "siblings": hierarchy.MOST_BLOCKS,
        }
        why = shared.say("levels_attack_none", **limits) if shared.style.technical else ""
        return {"levels": drawn, "levels_attack": why}
    query = write_query(hierarchy.FIELDS, vars(attack))
    return {
        "levels": drawn,
        "levels_attack": shared.say("levels_attack", **gains_in_words(attack, shared.style)),
        "to_hierarchy": PageLink("hierarchy", label("frame", "hierarchy"), tuple(query.items())),
    }
