"""Curves of an attack on one count: over the budget, over its releases."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from dpcore.privacy_loss import ExactPosterior
from ui.pictures.columns import Column, Numbers, digits, side_by_side, single
from ui.pictures.marks import ON_LINE, PERCENT, Axis, Level, Line, Mark, Panel, Spot, Upright
from ui.pictures.picture import Picture
from ui.views.block.attack import Attack, times_as_likely, word
from ui.words.phrasing import how_often, plain_number
from ui.words.quantities import Upper


def risk_picture(attack: Attack) -> Picture:
    """Belief in the truth over the budget: on average, where 1 in 20 releases leads, and what binds any release."""
    inputs = attack.inputs
    gaps = attack.gaps(*attack.ends)
    beside = np.concatenate([gaps * (1 - 1e-6), gaps, gaps * (1 + 1e-6)])
    budgets = np.union1d(np.geomspace(*attack.ends, 72), [*beside, attack.budget])
    rate = attack.rate_of(budgets)
    average, bound = attack.average(rate), attack.bound(budgets)
    low, high = attack.outer(rate)
    if gaps.size:
        low[np.isin(budgets, gaps)] = high[np.isin(budgets, gaps)] = np.nan  # a jump is drawn as a gap

    def along(share: float) -> int:
        """The place a share of the way along the logarithmic axis."""
        low, high = attack.ends
        return int(np.searchsorted(budgets, low * (high / low) ** share))

    measured = word("truth")
    columns = [
        Column("high", word(f"outer_high.{inputs.noise}"), high, quantity=measured, listed=False),
        Column("low", word(f"outer_low.{inputs.noise}"), low, quantity=measured, listed=False),
        Column("average", word("average"), average, quantity=measured, said=digits(5)),
    ]
    label = along(0.06)
    marks: list[Mark] = [
        Line(x="budget", y="high", role="third", dash="dot", label=label),
        Line(x="budget", y="low", role="third", dash="dashdot", label=label, beside=("left", "top")),
    ]
    if bound is not None:
        columns.append(
            Column(
                "bound",
                word(f"outer_bound.{inputs.noise}"),
                bound,
                quantity=measured,
                aspect=word("rounded_up"),
                said=digits(5, Upper),
            )
        )
        at = along(0.55 if attack.of_value else 0.7)
        marks.append(Line(x="budget", y="bound", role="reach", dash="dash", label=at, beside=ON_LINE))
    marks.append(Line(x="budget", y="average", label=along(0.77), wrapped=8, beside=("left", "top")))
    if attack.of_value:
        of_table = attack.average_of_table(rate)
        columns.append(Column("table", word("whole_table"), of_table, quantity=measured, said=digits(5)))
        marks.append(Line(x="budget", y="table", role="ink", dash="longdash", label=along(0.66), beside=ON_LINE))
    marked = float(np.interp(attack.budget, budgets, average))
    ending = "_none" if bound is None else "" if attack.kind.on_average else "_geometric"
    told = attack.say("reading_average_value" if attack.of_value else "reading_average")
    reading = f"{told} {attack.say(f'reading_bound{ending}')} {attack.context['gaps']}".rstrip()
    name = word("census" if attack.kind.census(inputs) else "this_budget", budget=plain_number(attack.budget, 3))
    budget = Column("budget", attack.kind.symbol, budgets, quantity=word("budget", symbol=attack.kind.symbol))
    rows = (
        side_by_side(budget, *columns, listed=range(0, budgets.size, 3)),
        side_by_side(
            single("this_budget", name, attack.budget, quantity=budget.measured),
            single("here", word("this_budget"), marked, quantity=measured),
        ),
        side_by_side(single("level", word("nothing"), inputs.prior, quantity=measured)),
    )
    marks += [
        Level(y="level"),
        Spot(x="this_budget", y="here", labelled=False),
        Upright(x="this_budget", at=0.55 if inputs.prior < 0.35 else 0.1),  # away from the prior
    ]
    return Picture(
        key="risk",
        numbers=Numbers(reading, rows),
        marks=tuple(marks),
        panels=(Panel(x=Axis(log=True, range=attack.ends), y=Axis(range=(0.0, 1.04), ticks=PERCENT)),),
        reading=reading,
        style=attack.style,
        height=330,
    )


def _in_turn(attack: Attack, seen: NDArray[np.int64]) -> NDArray[np.float64]:
    """Belief after each of several releases of the same count."""
    before = float(logit(attack.inputs.prior))
    moved = np.asarray(attack.count.log_odds(seen)) - before
    return np.asarray(expit(before + np.cumsum(moved)))


def factors_told(factors: NDArray[np.float64], product: str) -> list[str]:
    """Factors in as many decimal places as their product needs to come out as it is told.

    >>> factors_told(np.array([1.154, 0.964, 1.134]), "1.26 times")
    ['1.154', '0.964', '1.134']
    """
    for places in range(2, 7):
        told = [f"{value:.{places}f}" for value in factors]
        if times_as_likely(math.prod(map(float, told))) == product:
            break
    return told


def repeats_picture(attack: Attack) -> Picture:
    """Belief after each of several releases of the same count, their average, and what binds any releases."""
    inputs = attack.inputs
    k: NDArray[np.float64] = np.arange(1.0, inputs.repeats + 1)
    seen = attack.drawn[: inputs.repeats]
    p = inputs.prior
    beliefs = _in_turn(attack, seen)
    grown = beliefs / np.append(p, beliefs[:-1])
    laws = [ExactPosterior.of(attack.noise, prior=p, releases=int(number)) for number in k]
    average = np.array([law.mean() for law in laws])
    bound = attack.bound(k * attack.budget)
    right = p * float(laws[-1].tail(0.5)) + (1 - p) * (1 - float(laws[-1].tail(0.5, side="absent")))
    number, belief = word("releases"), word("truth")
    columns = [
        Column("release", word("release_number"), np.append(0, k), quantity=number, said=int, hover="d"),
        Column("count", word("noisy_count"), [None, *seen.tolist()], said=int),
        Column("factor", word("factor"), np.append(np.nan, grown)),
        Column("belief", word("these_releases"), np.append(p, beliefs), quantity=belief, said=digits(5)),
        Column("average", word("average"), np.append(p, average), quantity=belief, said=digits(5)),
    ]
    marks: list[Mark] = [
        Line(x="release", y="average", label=k.size),
        Line(x="release", y="belief", role="mark", dash="dot", label=max(k.size // 2, 1)),
        Level(y="level"),
    ]
    if bound is not None:
        top = np.append(p, bound)
        columns.append(
            Column(
                "bound", word("bound_repeats"), top, quantity=belief, aspect=word("rounded_up"), said=digits(5, Upper)
            )
        )
        marks.insert(0, Line(x="release", y="bound", role="reach", dash="dash", label=k.size))
    product = times_as_likely(float(beliefs[-1] / p))
    reading = attack.say(
        "reading_repeats",
        repeats=str(inputs.repeats),
        factors=" × ".join(factors_told(grown, product)),
        product=product,
        last=attack.style.belief(float(beliefs[-1])),
        right_repeats=(attack.style.belief if attack.style.technical else how_often)(right),
    )
    level = side_by_side(single("level", word("nothing"), p, quantity=belief))
    across = Axis(every=1, range=(0.0, k.size * 1.25 + 0.4))
    return Picture(
        key="repeats",
        numbers=Numbers(reading, (side_by_side(*columns, listed=range(1, k.size + 1)), level)),
        marks=tuple(marks),
        panels=(Panel(x=across, y=Axis(range=(0.0, 1.04), ticks=PERCENT)),),
        reading=reading,
        style=attack.style,
        height=300,
    )
