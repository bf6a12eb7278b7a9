"""Curves of an attack on one count: over the budget, over its releases, over people the attacker is unsure of."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from dpcore.tradeoff import trade_off, trade_off_of_secret
from ui.pictures.columns import Column, Numbers, digits, side_by_side, single
from ui.pictures.marks import ON_LINE, Axis, Level, Line, Mark, Panel, Spot, Upright
from ui.pictures.picture import Picture
from ui.views.block.attack import Attack, times_as_likely, word
from ui.views.shared.trade_off import NamedTradeOff, trade_off_picture
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

    def along(share: float) -> int:
        """The place a share of the way along the logarithmic axis."""
        low, high = attack.ends
        return int(np.searchsorted(budgets, low * (high / low) ** share))

    measured = word("truth" if inputs.scale == "belief" else "scale.risk")
    columns = [
        Column("budget", attack.symbol, budgets, quantity=word("budget", symbol=attack.symbol)),
        Column("high", word(f"outer_high.{inputs.noise}"), scale * high, quantity=measured, listed=False),
        Column("low", word(f"outer_low.{inputs.noise}"), scale * low, quantity=measured, listed=False),
        Column("average", word("average"), scale * average, quantity=measured, said=digits(5)),
    ]
    if inputs.scale == "belief":
        columns.append(Column("times", word("average_times"), average / inputs.prior))
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
                scale * bound,
                quantity=measured,
                aspect=word("rounded_up"),
                said=digits(5, Upper),
            )
        )
        at = along(0.55 if attack.of_value else 0.7)
        marks.append(Line(x="budget", y="bound", role="reach", dash="dash", label=at, beside=("right", "bottom")))
    marks.append(Line(x="budget", y="average", label=along(0.77), wrapped=8, beside=("left", "top")))
    if attack.of_value:
        of_table = scale * attack.average_of_table(rate)
        columns.append(Column("table", word("whole_table"), of_table, quantity=measured, said=digits(5)))
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
        here=single("here", word("here"), marked, quantity=measured),
        level=single("level", word("nothing"), scale * inputs.prior, quantity=measured),
        panel=Panel(x=Axis(log=True, range=attack.ends), y=Axis(log=inputs.scale == "risk", range=y_range)),
        reading=reading,
        told=word("curves"),
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
        side_by_side(single("this_budget", word("budget_chosen"), attack.budget, quantity=budget), here),
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
    often, late = word("right"), int(0.66 * budgets.size)
    columns = [
        Column("budget", attack.symbol, budgets, quantity=word("budget", symbol=attack.symbol), said=digits(6)),
        Column("counted", word("right_counted"), counted, quantity=often),
        Column("absent", word("right_absent"), absent, quantity=often),
        Column("together", word("right_together"), both, quantity=often),
    ]
    marks: list[Mark] = [Line(x="budget", y="together", role="ink", label=late, beside=("right", "bottom"))]
    if inputs.prior != 0.5:
        early = int(0.05 * budgets.size)
        marks += [
            Line(x="budget", y="counted", dash="dash", label=early),
            Line(x="budget", y="absent", role="reach", dash="dot", label=early, beside=("left", "top")),
        ]
    if attack.of_value:
        columns.append(Column("table", word("right_table"), attack.right_of_table(rate), quantity=often))
        half = int(0.5 * budgets.size)
        marks.append(Line(x="budget", y="table", role="mark", dash="longdash", label=half, beside=("right", "bottom")))
    return _over_budgets(
        attack,
        "right",
        columns,
        marks,
        here=single("here", word("right_here"), float(attack.right(np.asarray(attack.rate))), quantity=often),
        level=single("level", word("guessing"), guess, quantity=often),
        panel=Panel(x=Axis(log=True, range=attack.ends), y=Axis(range=(0.0, 1.08))),
        reading=attack.say("reading_right_value" if attack.of_value else "reading_right"),
        told=word("curves_jump"),
        listed=range(0, budgets.size, 4),
    )


def rule_picture(attack: Attack) -> Picture:
    """Whom the attacker's rule accuses wrongly and whom it misses, on what any other rule could do instead."""
    rate = np.asarray(attack.rate)
    accused, found = 1 - float(attack.right(rate, "absent")), float(attack.right(rate, "present"))
    lines = [NamedTradeOff(attack.say("line_count"), trade_off(attack.noise))]
    if attack.of_value:
        lines.append(NamedTradeOff(attack.say("line_table"), trade_off(attack.noise, cells=2)))
    if attack.promise is not None:
        any_release = trade_off_of_secret(attack.released(), attack.promise)
        lines.append(NamedTradeOff(attack.say("line_any"), any_release))
    picture = trade_off_picture(lines, false_alarm=accused, style=attack.style, secret=attack.secret, key="rule")
    are_present, are_absent = attack.people_who
    rule = attack.say(
        "reading_rule",
        accused=attack.share(accused),
        missed=attack.share(1 - found),
        are_present=are_present,
        are_absent=are_absent,
    )
    return replace(picture, reading=f"{rule} {picture.reading}")


def _in_turn(attack: Attack, seen: NDArray[np.int64]) -> NDArray[np.float64]:
    """Belief after each of several releases of the same count."""
    before = float(logit(attack.inputs.prior))
    moved = np.asarray(attack.count.log_odds(seen)) - before
    return np.asarray(expit(before + np.cumsum(moved)))


def repeats_picture(attack: Attack) -> Picture:
    """Belief after each of several releases of the same count, their average, and what binds any releases."""
    inputs = attack.inputs
    k: NDArray[np.float64] = np.arange(1.0, inputs.repeats + 1)
    seen = attack.drawn[: inputs.repeats]
    p = inputs.prior
    beliefs = _in_turn(attack, seen)
    grown = beliefs / np.append(p, beliefs[:-1])
    laws = [attack.exact(int(number)) for number in k]
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
    reading = attack.say(
        "reading_repeats",
        repeats=str(inputs.repeats),
        factors=" × ".join(f"{value:.2f}" for value in grown),
        product=times_as_likely(float(beliefs[-1] / p)),
        last=attack.belief(float(beliefs[-1])),
        right_repeats=attack.often(right),
    )
    level = side_by_side(single("level", word("nothing"), p, quantity=belief))
    across = Axis(every=1, range=(0.0, k.size * 1.25 + 0.4))
    return Picture(
        key="repeats",
        numbers=Numbers(reading, (side_by_side(*columns, listed=range(1, k.size + 1)), level)),
        marks=tuple(marks),
        panels=(Panel(x=across, y=Axis(range=(0.0, 1.04))),),
        reading=reading,
        style=attack.style,
        height=300,
    )


def missing_picture(attack: Attack) -> Picture:
    """Belief after the release when the attacker is unsure of further people too."""
    inputs = attack.inputs
    numbers = np.arange(0, max(inputs.missing, 1) + 1)
    noisy = int(attack.drawn[0])
    beliefs = np.array(
        [
            attack.count.missing_people_posterior(noisy, others=np.full(number, inputs.missing_belief))
            for number in numbers
        ]
    )
    belief = word("truth")
    found = side_by_side(
        Column("others", word("further"), numbers, quantity=word("further_measured"), said=int, hover="d"),
        Column("after", word("belief_this"), beliefs, quantity=belief, said=digits(5)),
    )
    level = side_by_side(single("level", word("before"), inputs.prior, quantity=belief))
    reading = attack.say(
        "reading_missing" if inputs.missing else "reading_missing_none",
        missing=str(inputs.missing),
        missing_belief=attack.belief(inputs.missing_belief),
        after_missing=attack.belief(float(beliefs[max(inputs.missing, 1)])),
    )
    return Picture(
        key="missing",
        numbers=Numbers(reading, (found, level)),
        marks=(Line(x="others", y="after", label=0), Level(y="level")),
        panels=(Panel(y=Axis(range=(0.0, 1.04))),),
        reading=reading,
        style=attack.style,
        height=260,
    )
