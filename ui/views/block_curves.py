"""Curves over the budget of an attack on one count: the belief in the truth, and how often the call is right."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ui.pictures.curves import ON_LINE, Curve, Spot, curves
from ui.pictures.picture import Picture
from ui.pictures.table import Table
from ui.views.block_attack import Attack, without_marks
from ui.words.phrasing import NEAREST, plain_number
from ui.words.quantities import Upper


def _budgets(attack: Attack, points: int) -> NDArray[np.float64]:
    return np.unique(np.append(np.geomspace(*attack.ends, points), attack.budget))


def risk_picture(attack: Attack) -> Picture:
    """Belief in the truth over the budget: on average, where 1 in 20 releases leads, and what binds any release."""
    inputs, look = attack.inputs, attack.look
    gaps = attack.gaps(*attack.ends)
    beside = np.concatenate([gaps * (1 - 1e-6), gaps, gaps * (1 + 1e-6)])
    budgets = np.union1d(_budgets(attack, 72), beside)
    rate = attack.rate_of(budgets)
    average, bound = attack.average(rate), attack.bound(budgets)
    scale = 1 / inputs.prior if inputs.scale == "risk" else 1.0
    low, high = attack.outer(rate)
    if gaps.size:
        low[np.isin(budgets, gaps)] = high[np.isin(budgets, gaps)] = np.nan  # a jump is drawn as a gap
    names = attack.kind.outer

    def along(share: float) -> int:
        """The place a share of the way along the logarithmic axis."""
        low, high = attack.ends
        return int(np.searchsorted(budgets, low * (high / low) ** share))

    start = along(0.06)
    lines = [
        Curve(names[1], budgets, scale * high, "third", "dot", label_at=start),
        Curve(names[0], budgets, scale * low, "third", "dashdot", label_at=start, label_beside=("left", "top")),
    ]
    if bound is not None:
        at = along(0.55 if attack.of_value else 0.7)
        lines.append(
            Curve(names[2], budgets, scale * bound, "reach", "dash", label_at=at, label_beside=("right", "bottom"))
        )
    below = ("left", "top")
    lines.append(Curve("average: exact", budgets, scale * average, "accent", label_at=along(0.75), label_beside=below))
    if attack.of_value:
        of_table = attack.average_of_table(rate)
        lines.append(
            Curve("whole table", budgets, scale * of_table, "ink", "longdash", "linear", along(0.66), False, ON_LINE)
        )
    marked = float(np.interp(attack.budget, budgets, average)) * scale
    drawing = curves(
        lines,
        x_title=f"budget of the count, {attack.symbol}",
        y_title="belief in the truth" if inputs.scale == "belief" else "times the belief before",
        look=look,
        spot=Spot(attack.budget, marked, ""),
        level=(scale * inputs.prior, "learns nothing"),
        upright=attack.marked,
        log_x=True,
        x_range=attack.ends,
        log_y=inputs.scale == "risk",
        y_range=(0.0, 1.04) if inputs.scale == "belief" else None,
    )
    columns = [(attack.symbol, budgets, 4, NEAREST), ("average belief, exact", average, 5, NEAREST)]
    columns.append(("times the belief before", average / inputs.prior, 4, NEAREST))
    if attack.of_value:
        columns.append(("whole table seen, exact", of_table, 5, NEAREST))
    if bound is not None:
        columns.append(("bound, rounded up", bound, 5, Upper.direction))
    rows = tuple(
        tuple(plain_number(float(values[at]), digits, way) for _, values, digits, way in columns)
        for at in range(0, budgets.size, 3)
    )
    name = f"reading_risk{attack.kind.ending}"
    reading = attack.say(f"{name}_none" if bound is None else f"{name}_value" if attack.of_value else name)
    table = Table(without_marks(reading), tuple(head for head, *_ in columns), rows)
    return Picture("risk", drawing, reading, f"{without_marks(reading)} Curves over the budget.", table)


def right_picture(attack: Attack) -> Picture:
    """How often the attacker's call is right over the budget, in either world and together."""
    inputs = attack.inputs
    jumps = attack.jumps(*attack.ends)[:60]
    budgets = np.unique(
        np.concatenate([np.geomspace(*attack.ends, 160), [attack.budget], jumps * (1 - 1e-6), jumps * (1 + 1e-6)])
    )
    rate = attack.rate_of(budgets)
    counted, absent, both = attack.right(rate, 1), attack.right(rate, 0), attack.right(rate)
    guess = max(inputs.prior, 1 - inputs.prior)
    lines = [
        Curve(
            "all people",
            budgets,
            both,
            "ink",
            "solid",
            label_at=int(0.66 * budgets.size),
            label_beside=("right", "bottom"),
        ),
    ]
    if inputs.prior != 0.5:
        lines += [
            Curve("people who are counted", budgets, counted, "accent", "dash", label_at=int(0.05 * budgets.size)),
            Curve(
                "people who are not",
                budgets,
                absent,
                "reach",
                "dot",
                label_at=int(0.05 * budgets.size),
                label_beside=("left", "top"),
            ),
        ]
    if attack.of_value:
        lines.append(
            Curve(
                "whole table seen",
                budgets,
                attack.right_of_table(rate),
                "mark",
                "longdash",
                label_at=int(0.5 * budgets.size),
                label_beside=("right", "bottom"),
            )
        )
    drawing = curves(
        lines,
        x_title=f"budget of the count, {attack.symbol}",
        y_title="how often the call is right",
        look=attack.look,
        spot=Spot(attack.budget, float(attack.right(np.asarray(attack.rate))), ""),
        level=(guess, "guessing"),
        upright=attack.marked,
        log_x=True,
        x_range=attack.ends,
        y_range=(0.0, 1.08),
    )
    rows = tuple(
        (plain_number(float(x), 6), plain_number(float(a), 4), plain_number(float(b), 4), plain_number(float(c), 4))
        for x, a, b, c in zip(budgets[::4], counted[::4], absent[::4], both[::4], strict=True)
    )
    reading = attack.say("reading_right_value" if attack.of_value else "reading_right")
    table = Table(
        without_marks(reading), (attack.symbol, *(f"if {world}" for world in attack.worlds), "together"), rows
    )
    return Picture("right", drawing, reading, f"{without_marks(reading)} Curves over the budget, with jumps.", table)
