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
from ui.pictures.marks import PERCENT, Axis, Band, Level, Line, Mark, Panel, Spot, Upright
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
    many = label("plan", f"round.{accounts.every}", n="")
    after = label("plan", "fan.after", if_true=accounts.context["if_true"])
    said = told(Upper, decimal_belief if accounts.style.technical else share(0))
    columns = [Column("round", many, step, quantity=many, said=written(",.0f"), hover=".0f")]
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
            if place is not None and by_cap and not (which == "some" and passing.some == passing.given):
                words = label("plan", f"fan.{which}", name=name, place=f"{place:,}")
                passes = label("plan", "fan.passes", words=words)
                rows.append(
                    side_by_side(
                        single(f"{key}_{which}_round", passes, place, quantity=many),
                        single(f"{key}_{which}", words, chosen.cap, quantity=after),
                    )
                )
                spot = Spot(x=f"{key}_{which}_round", y=f"{key}_{which}", role=role, symbol=symbol, labelled=False)
                spots.append(spot)

    def bound(method: PlanMethod, role: str, dash: str) -> None:
        last = 7 if accounts.long else 15  # points of a bound, dense at the start: each adds up the whole ledger
        some = sorted({rounds[round((len(rounds) - 1) * (at / last) ** 2)] for at in range(last + 1)})
        rule = accounts.rule(method)
        shifts = np.minimum(rule.shifts(some, delta_prime=chosen.failure, direction=accounts.promise.direction), 700.0)
        reached = np.asarray(reached_by_shift(shifts, chosen.prior))
        drawn = np.interp(step, some, reached)
        passing = accounts.passings[method] if by_cap else FirstPassing(given=None, some=None)
        rule_name = label("plan", f"rule.{method}")
        if role == "third":
            line(method, rule_name, drawn, passing, role, dash)
        else:
            line(method, label("plan", "fan.any"), drawn, passing, role, dash, rule_name)

    if accounts.exact:
        levels = (0.05, 0.25, 0.5, 0.75, 0.95, 1 - chosen.failure)
        quantiles = posterior_fan(
            plan, rounds=rounds, levels=levels, prior=chosen.prior, points=GRID_POINTS if coarse else 1 << 13
        )
        exact = accounts.passings["exact"] if by_cap else FirstPassing(given=None, some=None)
        shown = Lower(1 - chosen.failure, share(1)).digits.replace(".0", "")
        for place in (0, 1, 3, 4):
            below = percent(levels[place], 1).replace(".0", "")
            belief = np.asarray(quantiles[:, place])
            columns.append(
                Column(
                    f"below_{place}",
                    label("plan", "fan.below", share=below),
                    belief,
                    quantity=after,
                    said=said,
                )
            )
        bands = [
            Band(x="round", low=f"below_{low}", high=f"below_{high}", in_legend=False) for low, high in ((0, 4), (1, 3))
        ]
        line("upper", label("plan", "fan.below", share=shown), quantiles[:, 5], exact, "fourth", "solid")
        line("half", label("plan", "fan.half"), quantiles[:, 2], FirstPassing(given=None, some=None), "accent", "solid")
        by_key = {column.key: column for column in columns}
        columns[1:] = [by_key[key] for key in ("below_0", "below_1", "half", "below_3", "below_4", "upper")]
    by_rho = "direct" in accounts.methods and any(row.kind in BY_RHO for row in chosen.rows)
    sharp: tuple[PlanMethod, ...] = ("direct",) if by_rho else ("divergences", "optimal", "advanced", "basic")
    best = next(method for method in sharp if method in accounts.methods)
    compared: PlanMethod = "published" if by_rho else "basic"
    bound(best, "reach", "dash")
    if accounts.style.technical and compared != best:
        bound(compared, "third", "dot")
    rows.append(side_by_side(single("here", label("plan", "fan.here"), min(chosen.rounds, horizon), quantity=many)))
    levels_drawn: list[Mark] = [Upright(x="here", labelled=False)]
    if by_cap:
        rows.append(side_by_side(single("cap", label("plan", "fan.cap"), chosen.cap, quantity=after)))
        levels_drawn.append(Level(y="cap", role="accent", heavy=True, left=True))
    diamonds = f"{accounts.say('diamonds', **accounts.context)} " if by_cap else ""
    name = "reading_fan" if accounts.exact else "reading_bounds"
    third = [at for at in range(len(rounds)) if at % 3 == 0 or at == len(rounds) - 1]
    return Picture(
        key="plan-fan",
        numbers=Numbers(label("plan", "fan.caption", many=many), (side_by_side(*columns, listed=third), *rows)),
        marks=(*bands, *lines, *spots, *levels_drawn),
        panels=(Panel(y=Axis(range=(0.0, 1.04), ticks=PERCENT)),),
        reading=accounts.say(name, **accounts.context, diamonds=diamonds),
        style=accounts.style,
        height=400,
    )


NAMED_AT = 0.6  # how far along its visible part a line carries its name
