"""Folds of an attack on one count: the same count released again, and an attacker who does not know everybody else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from dpcore.tradeoff import trade_off
from ui.pictures.curves import Curve, curves
from ui.pictures.picture import Picture
from ui.pictures.table import Table
from ui.views.block_attack import Attack, times_as_likely, without_marks
from ui.views.trade_off import NamedTradeOff, trade_off_picture
from ui.words.phrasing import plain_number
from ui.words.quantities import Upper, number


def rule_picture(attack: Attack) -> Picture:
    """Whom the attacker's rule accuses wrongly and whom it misses, on what any other rule could do instead."""
    rate = np.asarray(attack.rate)
    accused, found = 1 - float(attack.right(rate, 0)), float(attack.right(rate, 1))
    lines = [NamedTradeOff(attack.say("line_count"), trade_off(attack.noise))]
    if attack.of_value:
        lines.append(NamedTradeOff(attack.say("line_table"), trade_off(attack.noise, cells=2)))
    if attack.promise is not None:
        secret = attack.promise.guarantee_of_secret(attack.released())
        lines.append(NamedTradeOff(attack.say("line_any"), trade_off(secret)))
    picture = trade_off_picture(lines, false_alarm=accused, look=attack.look, secret=attack.secret, key="rule")
    rule = attack.say("reading_rule", accused=attack.share(accused), missed=attack.share(1 - found))
    reading = f"{rule} {picture.reading}"
    return replace(picture, reading=reading, alt=f"{without_marks(rule)} {picture.alt}")


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
    start = np.append(0, k).astype(float)
    drawing = curves(
        [
            *(
                []
                if bound is None
                else [Curve("bound: any releases", start, np.append(p, bound), "reach", "dash", label_at=k.size)]
            ),
            Curve("average: exact", start, np.append(p, average), "accent", "solid", label_at=k.size),
            Curve("these releases", start, np.append(p, beliefs), "mark", "dot", label_at=max(k.size // 2, 1)),
        ],
        x_title="releases of the same count",
        y_title="belief in the truth",
        look=attack.look,
        level=(p, "learns nothing"),
        y_range=(0.0, 1.04),
        height=300,
    )
    drawing.update_xaxes(dtick=1, range=[0, k.size * 1.25 + 0.4])
    reading = attack.say(
        "reading_repeats",
        repeats=str(inputs.repeats),
        factors=" × ".join(f"{value:.2f}" for value in grown),
        product=times_as_likely(float(beliefs[-1] / p)),
        last=attack.belief(float(beliefs[-1])),
        right_repeats=attack.often(right),
    )
    tops = [()] * k.size if bound is None else [(Upper(float(top), number(5)).digits,) for top in bound]
    rows = tuple(
        (
            str(int(number)),
            int(count),
            plain_number(float(factor), 4),
            plain_number(float(one), 5),
            plain_number(float(mean), 5),
            *top,
        )
        for number, count, factor, one, mean, top in zip(k, seen, grown, beliefs, average, tops, strict=True)
    )
    heads: tuple[str, ...] = ("release", "noisy count", "multiplies by", "belief after", "average, exact")
    heads += () if bound is None else ("bound, rounded up",)
    return Picture("repeats", drawing, reading, without_marks(reading), Table(without_marks(reading), heads, rows))


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
    drawing = curves(
        [Curve("belief after this release", numbers.astype(float), beliefs, "accent", label_at=0)],
        x_title="further people the attacker is unsure of",
        y_title="belief in the truth",
        look=attack.look,
        level=(inputs.prior, "before"),
        y_range=(0.0, 1.04),
        height=260,
    )
    reading = attack.say(
        "reading_missing",
        missing=str(inputs.missing),
        missing_belief=attack.belief(inputs.missing_belief),
        after_missing=attack.belief(float(beliefs[inputs.missing])),
    )
    rows = tuple((str(number), plain_number(float(value), 5)) for number, value in zip(numbers, beliefs, strict=True))
    table = Table(without_marks(reading), ("further people unsure of", "belief after this release"), rows)
    return Picture("missing", drawing, reading, without_marks(reading), table)
