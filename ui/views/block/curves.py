"""Curves over the budget of an attack on one count: the belief in the truth, and how often the call is right."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ui.pictures.columns import Column, Numbers, digits, side_by_side, single
from ui.pictures.marks import ON_LINE, Axis, Level, Line, Mark, Panel, Spot, Upright
from ui.pictures.picture import Picture
from ui.views.block.attack import Attack
from ui.words.quantities import Upper


def _budgets(attack: Attack, points: int) -> NDArray[np.float64]:
    return np.unique(np.append(np.geomspace(*attack.ends, points), attack.budget))


def risk_picture(attack: Attack) -> Picture:
    """Belief in the truth over the budget: on average, where 1 in 20 releases leads, and what binds any release."""
    inputs = attack.inputs
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

    measured = "belief in the truth" if inputs.scale == "belief" else "times the belief before"
    columns = [
        Column("budget", attack.symbol, budgets, quantity=f"budget of the count, {attack.symbol}"),
        Column("high", names[1], scale * high, quantity=measured, listed=False),
        Column("low", names[0], scale * low, quantity=measured, listed=False),
        Column("average", "average: exact", scale * average, quantity=measured, said=digits(5)),
    ]
    if inputs.scale == "belief":
        columns.append(Column("times", "average, times the belief before", average / inputs.prior))
    label = along(0.06)
    marks: list[Mark] = [
        Line(x="budget", y="high", role="third", dash="dot", label=label),
        Line(x="budget", y="low", role="third", dash="dashdot", label=label, beside=("left", "top")),
    ]
    if bound is not None:
        columns.append(
            Column("bound", names[2], scale * bound, quantity=measured, aspect="rounded up", said=digits(5, Upper))
        )
        at = along(0.55 if attack.of_value else 0.7)
        marks.append(Line(x="budget", y="bound", role="reach", dash="dash", label=at, beside=("right", "bottom")))
    marks.append(Line(x="budget", y="average", label=along(0.77), wrapped=8, beside=("left", "top")))
    if attack.of_value:
        of_table = scale * attack.average_of_table(rate)
        columns.append(Column("table", "whole table", of_table, quantity=measured, said=digits(5)))
        marks.append(Line(x="budget", y="table", role="ink", dash="longdash", label=along(0.66), beside=ON_LINE))
    marked = float(np.interp(attack.budget, budgets, average)) * scale
    name = f"reading_risk{attack.kind.ending}"
    reading = attack.say(f"{name}_none" if bound is None else f"{name}_value" if attack.of_value else name)
    y_range = (0.0, 1.04) if inputs.scale == "belief" else None
    return _over_budgets(
        attack,
        "risk",
        columns,
        marks,
        here=single("here", "average, at this budget", marked, quantity=measured),
        level=single("level", "learns nothing", scale * inputs.prior, quantity=measured),
        panel=Panel(x=Axis(log=True, range=attack.ends), y=Axis(log=inputs.scale == "risk", range=y_range)),
        reading=reading,
        told="Curves over the budget.",
        listed=range(0, budgets.size, 3),
    )


def _over_budgets(
    attack: Attack,
    key: str,
    columns: list[Column],
    marks: list[Mark],
    *,
    here: Column,
    level: Column,
    panel: Panel,
    reading: str,
    told: str,
    listed: range,
) -> Picture:
    """Curves over the budget with the budget chosen, a level to compare with, and a place of the budget's axis."""
    budget = columns[0].measured
    rows = [
        side_by_side(*columns, listed=listed),
        side_by_side(single("this_budget", "budget chosen", attack.budget, quantity=budget), here),
        side_by_side(level),
    ]
    marks = [*marks, Level(y="level"), Spot(x="this_budget", y=here.key, labelled=False)]
    if attack.marked is not None:
        place, words, height = attack.marked
        rows.append(side_by_side(single("marked", words, place, quantity=budget)))
        marks.append(Upright(x="marked", at=height))
    return Picture(
        key=key,
        numbers=Numbers(reading, tuple(rows)),
        marks=tuple(marks),
        panels=(panel,),
        reading=reading,
        told=told,
        style=attack.style,
        height=330,
    )


def right_picture(attack: Attack) -> Picture:
    """How often the attacker's call is right over the budget, in either world and together."""
    inputs = attack.inputs
    jumps = attack.jumps(*attack.ends)[:60]
    budgets = np.unique(
        np.concatenate([np.geomspace(*attack.ends, 160), [attack.budget], jumps * (1 - 1e-6), jumps * (1 + 1e-6)])
    )
    rate = attack.rate_of(budgets)
    counted, absent, both = attack.right(rate, "present"), attack.right(rate, "absent"), attack.right(rate)
    guess = max(inputs.prior, 1 - inputs.prior)
    often, late = "how often the call is right", int(0.66 * budgets.size)
    columns = [
        Column("budget", attack.symbol, budgets, quantity=f"budget of the count, {attack.symbol}", said=digits(6)),
        Column("counted", "people who are counted", counted, quantity=often),
        Column("absent", "people who are not", absent, quantity=often),
        Column("together", "all people", both, quantity=often),
    ]
    marks: list[Mark] = [Line(x="budget", y="together", role="ink", label=late, beside=("right", "bottom"))]
    if inputs.prior != 0.5:
        early = int(0.05 * budgets.size)
        marks += [
            Line(x="budget", y="counted", dash="dash", label=early),
            Line(x="budget", y="absent", role="reach", dash="dot", label=early, beside=("left", "top")),
        ]
    if attack.of_value:
        columns.append(Column("table", "whole table seen", attack.right_of_table(rate), quantity=often))
        half = int(0.5 * budgets.size)
        marks.append(Line(x="budget", y="table", role="mark", dash="longdash", label=half, beside=("right", "bottom")))
    return _over_budgets(
        attack,
        "right",
        columns,
        marks,
        here=single("here", "right, at this budget", float(attack.right(np.asarray(attack.rate))), quantity=often),
        level=single("level", "guessing", guess, quantity=often),
        panel=Panel(x=Axis(log=True, range=attack.ends), y=Axis(range=(0.0, 1.08))),
        reading=attack.say("reading_right_value" if attack.of_value else "reading_right"),
        told="Curves over the budget, with jumps.",
        listed=range(0, budgets.size, 4),
    )
