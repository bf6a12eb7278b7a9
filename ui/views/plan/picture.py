"""The belief over the rounds as a fan, the bounds beside it, and where they pass the cap."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.composition import PlanMethod, posterior_fan
from dpcore.first_passage import FirstPassing
from riskline.answers.composed import reached_by_shift
from riskline.case.releases import BY_RHO
from ui.pictures.columns import Column, Numbers, Rows, side_by_side, single, told, written
from ui.pictures.marks import ON_LINE, Axis, Band, Level, Line, Mark, Panel, Spot, Upright
from ui.pictures.picture import Picture
from ui.views.plan.accounts import GRID_POINTS, Accounts
from ui.words.catalogue import label
from ui.words.phrasing import decimal_belief, percent
from ui.words.quantities import Lower, Upper, share


def belief_fan(accounts: Accounts) -> Picture:
    """The exact belief as a fan over the rounds, bounds as dashed lines, the cap and its crossings."""
    chosen, plan = accounts.inputs, accounts.plan
    by_cap = chosen.promise == "cap"
    known = [at for method, at in accounts.crossings.items() if at is not None and method in ("exact", "direct")]
    horizon = min(max(int(1.25 * chosen.rounds) + 1, int(1.12 * max(known, default=8)) + 1), accounts.at_most)
    horizon = max(horizon, min(chosen.rounds, accounts.at_most))
    coarse = accounts.exact and plan.privacy_loss.certainty != "exact"
    step: NDArray[np.float64] = np.unique(np.round(np.linspace(1, horizon, 12 if coarse else 44)))
    rounds = [int(k) for k in step]
    many = label("plan", f"many.{accounts.every}")
    by_round = label("plan", "fan.by_round", many=many)
    after = label("plan", "fan.after", if_true=accounts.context["if_true"])
    said = told(Upper, decimal_belief)
    columns = [Column("round", many, step, quantity=by_round, said=written(",.0f"), hover=".0f")]
    rows: list[Rows] = []
    bands: list[Mark] = []
    lines: list[Mark] = []
    spots: list[Mark] = []

    def line(key: str, name: str, values: Any, passing: FirstPassing, role: str, dash: str, told: str = "") -> None:
        columns.append(Column(key, name, values, quantity=after, aspect=told, said=said, hover=".3~g"))
        visible = np.flatnonzero(np.isfinite(values) & (values < 0.985))
        at = int(visible[int((visible.size - 1) * NAMES_AT[len(lines) % len(NAMES_AT)])]) if visible.size else None
        lines.append(Line(x="round", y=key, role=role, dash=dash, width=0.85, label=at, beside=ON_LINE))
        for which, place, symbol in (("some", passing.some, "diamond-open"), ("given", passing.given, "diamond")):
            if place is not None and by_cap and not (which == "some" and passing.some == passing.given):
                words = label("plan", f"fan.{which}", name=name, place=f"{place:,}")
                passes = label("plan", "fan.passes", words=words)
                rows.append(
                    side_by_side(
                        single(f"{key}_{which}_round", passes, place, quantity=by_round),
                        single(f"{key}_{which}", words, chosen.cap, quantity=after),
                    )
                )
                spot = Spot(x=f"{key}_{which}_round", y=f"{key}_{which}", role=role, symbol=symbol, labelled=False)
                spots.append(spot)

    def bound(method: PlanMethod, role: str, dash: str, name: str = "") -> None:
        last = 7 if accounts.long else 15  # points of a bound, dense at the start: each adds up the whole ledger
        some = sorted({rounds[round((len(rounds) - 1) * (at / last) ** 2)] for at in range(last + 1)})
        rule = accounts.rule(method)
        shifts = np.minimum(rule.shifts(some, delta_prime=chosen.failure, direction=accounts.promise.direction), 700.0)
        reached = np.asarray(reached_by_shift(shifts, chosen.prior))
        drawn = np.interp(step, some, reached)
        passing = accounts.passings[method] if by_cap else FirstPassing(given=None, some=None)
        line(
            method, label("plan", f"fan.{name or method}"), drawn, passing, role, dash, label("plan", f"rule.{method}")
        )

    if accounts.exact:
        levels = (0.05, 0.25, 0.5, 0.75, 0.95, 1 - chosen.failure)
        quantiles = posterior_fan(
            plan, rounds=rounds, levels=levels, prior=chosen.prior, points=GRID_POINTS if coarse else 1 << 13
        )
        exact = accounts.passings["exact"] if by_cap else FirstPassing(given=None, some=None)
        sure = label("plan", "fan.estimate" if accounts.closely else "fan.exact")
        shown = Lower(1 - chosen.failure, share(1)).digits.replace(".0", "")
        name, are_below = label("plan", "fan.share", sure=sure, share=shown), label("plan", "fan.are_below")
        for place in (0, 1, 3, 4):
            below = percent(levels[place], 1).replace(".0", "")
            belief = np.asarray(quantiles[:, place])
            columns.append(
                Column(
                    f"below_{place}",
                    label("plan", "fan.below", sure=sure, share=below),
                    belief,
                    quantity=after,
                    said=said,
                )
            )
        bands = [
            Band(x="round", low=f"below_{low}", high=f"below_{high}", in_legend=False) for low, high in ((0, 4), (1, 3))
        ]
        line("upper", name, quantiles[:, 5], exact, "fourth", "solid", are_below)
        never = FirstPassing(given=None, some=None)
        half = label("plan", "fan.half", sure=sure)
        line("half", half, quantiles[:, 2], never, "accent", "solid", are_below)
        by_key = {column.key: column for column in columns}
        columns[1:] = [by_key[key] for key in ("below_0", "below_1", "half", "below_3", "below_4", "upper")]
    if "direct" in accounts.methods and any(row.kind in BY_RHO for row in chosen.rows):
        bound("direct", "reach", "dash", "bound")
        bound("published", "third", "dot")
    else:
        bound("basic", "third", "dot")
        best = next((method for method in ("divergences", "optimal", "advanced") if method in accounts.methods), None)
        if best is not None:
            bound(best, "reach", "dash")
    rows.append(side_by_side(single("here", label("plan", "fan.here"), min(chosen.rounds, horizon), quantity=by_round)))
    levels_drawn: list[Mark] = [Upright(x="here", labelled=False)]
    if by_cap:
        rows.append(side_by_side(single("cap", label("plan", "fan.cap"), chosen.cap, quantity=after)))
        levels_drawn.append(Level(y="cap", role="accent", heavy=True, left=True))
    about_all = accounts.exact and not by_cap  # a promise about every belief has no cap on this picture
    name = "reading_fan_difference" if about_all else "reading_fan" if accounts.exact else "reading_bounds"
    third = [at for at in range(len(rounds)) if at % 3 == 0 or at == len(rounds) - 1]
    return Picture(
        key="plan-fan",
        numbers=Numbers(label("plan", "fan.caption", many=many), (side_by_side(*columns, listed=third), *rows)),
        marks=(*bands, *lines, *spots, *levels_drawn),
        panels=(Panel(y=Axis(range=(0.0, 1.04))),),
        reading=accounts.say(name, **accounts.context),
        style=accounts.style,
        height=400,
    )


NAMES_AT = (0.9, 0.5, 0.55, 0.2)  # how far along its visible part a line carries its name
