"""Folds of an attack on one count: the same count released again, and an attacker who does not know everybody else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from dpcore.tradeoff import trade_off, trade_off_of_secret
from ui.pictures.columns import Column, Numbers, digits, side_by_side, single
from ui.pictures.marks import Axis, Level, Line, Mark, Panel
from ui.pictures.picture import Picture
from ui.views.block.attack import Attack, times_as_likely
from ui.views.shared.trade_off import NamedTradeOff, trade_off_picture
from ui.words.quantities import Upper


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
    number, belief = "releases of the same count", "belief in the truth"
    columns = [
        Column("release", "release", np.append(0, k), quantity=number, said=int, hover="d"),
        Column("count", "noisy count", [None, *seen.tolist()], said=int),
        Column("factor", "multiplies by", np.append(np.nan, grown)),
        Column("belief", "these releases", np.append(p, beliefs), quantity=belief, said=digits(5)),
        Column("average", "average: exact", np.append(p, average), quantity=belief, said=digits(5)),
    ]
    marks: list[Mark] = [
        Line(x="release", y="average", label=k.size),
        Line(x="release", y="belief", role="mark", dash="dot", label=max(k.size // 2, 1)),
        Level(y="level"),
    ]
    if bound is not None:
        top = np.append(p, bound)
        columns.append(
            Column("bound", "bound: any releases", top, quantity=belief, aspect="rounded up", said=digits(5, Upper))
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
    level = side_by_side(single("level", "learns nothing", p, quantity=belief))
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
    belief = "belief in the truth"
    found = side_by_side(
        Column(
            "others",
            "further people unsure of",
            numbers,
            quantity="further people the attacker is unsure of",
            said=int,
            hover="d",
        ),
        Column("after", "belief after this release", beliefs, quantity=belief, said=digits(5)),
    )
    level = side_by_side(single("level", "before", inputs.prior, quantity=belief))
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
