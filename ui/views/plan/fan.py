"""The picture of *Several releases*: the belief over the rounds, as a fan or by bounds, and where a limit breaks."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.composition import PlanMethod, posterior_fan
from dpcore.first_passage import FirstPassing
from riskline.answers.composed import reached_by_shift
from riskline.case.releases import BY_RHO
from ui.pictures.columns import Column, Rows, side_by_side, single, told, written
from ui.pictures.marks import PERCENT, Axis, Band, Level, Line, Mark, Spot, Upright
from ui.pictures.picture import Picture
from ui.views.plan.accounts import GRID_POINTS, OF_NOISE, Accounts
from ui.words.catalogue import label
from ui.words.phrasing import decimal_belief, how_often
from ui.words.quantities import Lower, Upper, share


def belief_fan(accounts: Accounts) -> Picture:
    """The exact belief as a fan over the rounds, bounds as dashed lines, the cap and its crossings."""
    chosen, plan = accounts.inputs, accounts.plan
    by_cap = chosen.promise == "cap"
    broken = [accounts.passings[method].given for method in accounts.methods if method in (*OF_NOISE, "direct")]
    latest = max((at for at in broken if at is not None), default=8)
    horizon = min(max(int(1.25 * chosen.rounds) + 1, int(1.12 * latest) + 1), accounts.at_most)
    horizon = max(horizon, min(chosen.rounds, accounts.at_most))
    coarse = accounts.exact and plan.privacy_loss.certainty != "exact"
    step: NDArray[np.float64] = np.unique(np.round(np.linspace(1, horizon, 12 if coarse else 44)))
    rounds = [int(k) for k in step]
    many = label("plan", f"round.{accounts.every}", n="")
    after = label("plan", "fan.after", if_true=accounts.context["if_true"])
    said = told(Upper, decimal_belief if accounts.style.technical else share(0))
    columns = [Column("round", many, step, quantity=many, said=written(",.0f"), hover=".0f")]
    in_rounds, in_beliefs = partial(single, quantity=many), partial(single, quantity=after)
    never = FirstPassing(given=None, some=None)  # nothing passes a limit that is none of one belief
    rows: list[Rows] = []
    bands: list[Mark] = []
    lines: list[Mark] = []
    spots: list[Mark] = []

    def line(key: str, name: str, values: Any, passing: FirstPassing, role: str, dash: str, aspect: str = "") -> None:
        columns.append(Column(key, name, values, quantity=after, aspect=aspect, said=said, hover=".1%"))
        visible = np.flatnonzero(np.isfinite(values) & (values < 0.985))
        named = key in ("upper", "half") and visible.size  # bounds run too close for names of their own
        at = int(visible[int((visible.size - 1) * NAMED_AT)]) if named else None
        lines.append(Line(x="round", y=key, role=role, dash=dash, width=0.85, label=at, beside=("left", "top")))
        for which, place, symbol in (("some", passing.some, "diamond-open"), ("given", passing.given, "diamond")):
            if place is not None and not (which == "some" and passing.some == passing.given):
                words = label("plan", f"fan.{which}", name=name, place=f"{place:,}")
                passes = label("plan", "fan.passes", words=words)
                x, y = f"{key}_{which}_round", f"{key}_{which}"
                rows.append(side_by_side(in_rounds(x, passes, place), in_beliefs(y, words, chosen.cap)))
                spots.append(Spot(x=x, y=y, role=role, symbol=symbol, labelled=False))

    def bound(method: PlanMethod, role: str, dash: str) -> None:
        last = 7 if accounts.long else 15  # points of a bound, dense at the start: each adds up the whole ledger
        some = sorted({rounds[round((len(rounds) - 1) * (at / last) ** 2)] for at in range(last + 1)})
        rule = accounts.rule(method)
        shifts = np.minimum(rule.shifts(some, delta_prime=chosen.failure, direction=accounts.promise.direction), 700.0)
        drawn = np.interp(step, some, np.asarray(reached_by_shift(shifts, chosen.prior)))
        passing = accounts.passings[method] if by_cap else never
        rule_name = accounts.name_of(method)
        alone = role == "third" or method == "every_view"
        name, aspect = (rule_name, "") if alone else (label("plan", "fan.any"), rule_name)
        line(method, name, drawn, passing, role, dash, aspect)

    if accounts.exact:
        levels = (0.05, 0.25, 0.5, 0.75, 0.95, 1 - chosen.failure)
        points = GRID_POINTS if coarse else 1 << 13
        quantiles = posterior_fan(plan, rounds=rounds, levels=levels, prior=chosen.prior, points=points)
        exact = accounts.passings["exact"] if by_cap else never
        shown = Lower(1 - chosen.failure, how_often).digits
        for place in (0, 1, 3, 4):
            called = label("plan", "fan.below", often=how_often(levels[place]))
            columns.append(Column(f"below_{place}", called, np.asarray(quantiles[:, place]), quantity=after, said=said))
        bands = [
            Band(x="round", low=f"below_{low}", high=f"below_{high}", in_legend=False) for low, high in ((0, 4), (1, 3))
        ]
        line("upper", label("plan", "fan.below", often=shown), quantiles[:, 5], exact, "fourth", "solid")
        line("half", label("plan", "fan.half"), quantiles[:, 2], never, "accent", "solid")
        by_key = {column.key: column for column in columns}
        columns[1:] = [by_key[key] for key in ("below_0", "below_1", "half", "below_3", "below_4", "upper")]
    by_rho = "direct" in accounts.methods and any(row.kind in BY_RHO for row in chosen.rows)
    by_rho = by_rho and accounts.also is None
    sharp: tuple[PlanMethod, ...] = ("direct",) if by_rho else BY_EPSILON
    best = next(method for method in sharp if method in accounts.methods)
    compared: PlanMethod = "published" if by_rho else "basic"
    bound(best, "reach", "dash")
    if accounts.style.technical and compared != best:
        bound(compared, "third", "dot")
    rows.append(side_by_side(in_rounds("here", label("plan", "fan.here"), min(chosen.rounds, horizon))))
    levels_drawn: list[Mark] = [Upright(x="here", labelled=False)]
    if by_cap:
        rows.append(side_by_side(in_beliefs("cap", label("plan", "fan.cap"), chosen.cap)))
        early = step <= EARLY * horizon
        late = not any((column.numbers[early] >= chosen.cap).any() for column in columns[1:])
        levels_drawn.append(Level(y="cap", role="accent", heavy=True, left=late))
    diamonds = f"{accounts.say('diamonds', **accounts.context)} " if by_cap else ""
    name = "reading_fan" if accounts.exact else "reading_bounds"
    third = [at for at in range(len(rounds)) if at % 3 == 0 or at == len(rounds) - 1]
    return Picture.of(
        "plan-fan",
        (side_by_side(*columns, listed=third), *rows),
        (*bands, *lines, *spots, *levels_drawn),
        reading=accounts.say(name, **accounts.context, diamonds=diamonds),
        caption=label("plan", "fan.caption", many=many),
        x=Axis(every=1.0 if horizon <= MOST_NUMBERED else None),
        y=Axis(range=(0.0, 1.04), ticks=PERCENT),
        style=accounts.style,
        height=400,
    )


MOST_NUMBERED = 12  # rounds up to which each has its number; with more, numbers are whole by themselves
BY_EPSILON: tuple[PlanMethod, ...] = ("every_view", "divergences", "optimal", "advanced", "basic")
"""Bounds that are drawn where no ρ is added up, the sharpest first."""
EARLY = 0.35  # how far the name of the limit reaches: a line that passes the limit up to there sends it to the right
NAMED_AT = 0.6  # how far along its visible part a line carries its name
