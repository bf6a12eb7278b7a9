"""The page of an attack on one block at once: the belief after the release, its numbers, pictures and people."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from dpcore.populations import CountTable
from dpcore.privacy_loss import ExactPosterior
from riskline.case.fields import number_text
from ui.link.page_table import PageLink
from ui.pictures.columns import Column, Numbers, digits, side_by_side, single
from ui.pictures.marks import (
    PERCENT,
    Axis,
    Dots,
    Glass,
    Level,
    Line,
    Mark,
    Panel,
    Spot,
    Upright,
    powers_of_ten,
)
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.views.block.attack import Attack, BlockInputs, MethodAttack, attack_of, times_as_likely, word
from ui.views.shared.drawing import LETTER_WIDE, NAME_HIGH, clear_places
from ui.views.shared.promise import PageAnswer, StatedBelief, refusing
from ui.words.catalogue import say
from ui.words.phrasing import count_of_hundred, decimal_belief, how_often, plain_number
from ui.words.quantities import Upper, number


def risk_picture(attack: Attack) -> Picture:
    """Belief in the truth over the budget: on average, where 1 in 20 releases leads, and what binds any release."""
    inputs = attack.inputs
    gaps = attack.gaps(*attack.ends)
    beside = np.outer((1 - 1e-6, 1, 1 + 1e-6), gaps).ravel()
    budgets = np.union1d(np.geomspace(*attack.ends, 72), [*beside, attack.budget])
    rate = attack.rate_of(budgets)
    average, bound = attack.average(rate), attack.bound(budgets)
    low, high = attack.outer(rate)
    if gaps.size:
        low[np.isin(budgets, gaps)] = high[np.isin(budgets, gaps)] = np.nan  # a jump is drawn as a gap

    measured = word("truth")
    columns = [
        Column("high", word(f"outer_high.{inputs.noise}"), high, quantity=measured, listed=False),
        Column("low", word(f"outer_low.{inputs.noise}"), low, quantity=measured, listed=False),
        Column("average", word("average"), average, quantity=measured, said=digits(5)),
    ]
    drawn: list[dict[str, Any]] = [
        {"y": "high", "role": "third", "dash": "dot"},
        {"y": "low", "role": "third", "dash": "dashdot"},
        {"y": "average"},
    ]
    if bound is not None:
        name = word(f"outer_bound.{inputs.noise}")
        columns.append(Column("bound", name, bound, quantity=measured, **ROUNDED_UP))
        drawn.append({"y": "bound", "role": "reach", "dash": "dash"})
    if attack.of_value:
        of_table = attack.average_of_table(rate)
        columns.append(Column("table", word("whole_table"), of_table, quantity=measured, said=digits(5)))
        drawn.append({"y": "table", "role": "ink", "dash": "longdash"})
    shares = np.log(budgets / attack.ends[0]) / np.log(attack.ends[1] / attack.ends[0])
    level = np.full(budgets.size, inputs.prior)
    in_the_way = [level, np.where(shares > 1 - LETTER_WIDE * len(word("nothing")), level + NAME_HIGH / 2, np.nan)]
    curves = np.array([*(column.numbers for column in columns), *in_the_way]) / 1.04
    places = clear_places(shares, curves, [len(column.name) for column in columns])
    marks: list[Mark] = [
        Line(x="budget", label=at, beside=beside, **line) for line, (at, beside) in zip(drawn, places, strict=True)
    ]
    marked = float(np.interp(attack.budget, budgets, average))
    ending = "_none" if bound is None else "" if attack.on_average else "_geometric"
    told = attack.say("reading_average_value" if attack.of_value else "reading_average")
    reading = f"{told} {attack.say(f'reading_bound{ending}')} {attack.context['gaps']}".rstrip()
    name = word("census" if attack.of_census else "this_budget", budget=plain_number(attack.budget, 3))
    symbol = attack.kind.symbol()
    budget = Column("budget", symbol, budgets, quantity=word("budget", symbol=symbol))
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
    x = Axis(log=True, range=attack.ends, ticks=powers_of_ten(*attack.ends))
    return Picture.of("risk", rows, marks, reading=reading, x=x, y=SHARES, style=attack.style, height=330)


ROUNDED_UP: dict[str, Any] = {"aspect": word("rounded_up"), "said": digits(5, Upper)}
"""How a column of upper bounds is headed and said."""


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
    p, before = inputs.prior, float(logit(inputs.prior))
    beliefs = expit(before + np.cumsum(np.asarray(attack.count.log_odds(seen)) - before))
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
        columns.append(Column("bound", word("bound_repeats"), np.append(p, bound), quantity=belief, **ROUNDED_UP))
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
    rows = side_by_side(*columns, listed=range(1, k.size + 1)), level
    x = Axis(every=1, range=(0.0, k.size * 1.25 + 0.4))
    return Picture.of("repeats", rows, marks, reading=reading, x=x, y=SHARES, style=attack.style, height=300)


SHARES = Axis(range=(0.0, 1.04), ticks=PERCENT)
MOST_MARKS = 61
"""With more possible counts than this, marks would merge: a line stands for them."""


def release_picture(attack: Attack) -> Picture:
    """Every count that could be published, the one that was, and the belief before and after it."""
    inputs, style = attack.inputs, attack.style
    counts, present, absent = attack.laws
    hundred = inputs.draws == "hundred"
    after = float(attack.after.mean()) if hundred else float(attack.after[0])
    short = decimal_belief if style.technical else count_of_hundred
    yes, no = attack.in_case("case"), attack.in_case("no")
    peak = float(max(present.max(), absent.max()))
    count, chance = word("noisy_count"), word("probability")
    releases = side_by_side(
        Column("count", word("noisy_count"), counts, quantity=count, said=int, hover=","),
        Column("present", yes, present, quantity=chance, said=digits(4), hover=".3~g"),
        Column("absent", no, absent, quantity=chance, said=digits(4), hover=".3~g"),
        Column("posterior", word("belief_after"), np.asarray(attack.posterior(counts)), said=digits(5)),
        listed=np.flatnonzero(present + absent > 1e-3 * (present + absent).max())[:400].tolist(),
    )
    this = side_by_side(single("published", word("published", **attack.context), int(attack.drawn[0]), quantity=count))
    belief = word("belief")
    glasses = side_by_side(
        single("before", word("before"), inputs.prior, quantity=belief, said=short),
        single("after", word("after_average" if hundred else "after"), after, quantity=belief, said=short),
        single("after_low", word("lowest_after"), float(attack.after.min()), quantity=belief),
        single("after_high", word("highest_after"), float(attack.after.max()), quantity=belief),
    )
    rows = [releases, this, glasses]
    apart = isinstance(attack, MethodAttack)  # between two counts there may be some that it never publishes
    few = "circle" if apart or counts.size <= MOST_MARKS else ""
    right = bool(attack.drawn[0] >= sum(attack.span) / 2)
    law = partial(Line, panel=1, x="count", width=0.72, joined=not apart)
    starts = int(np.flatnonzero(absent >= 0.6 * absent.max())[0])
    ends = int(np.flatnonzero(present >= 0.6 * present.max())[-1])
    marks: list[Mark] = [
        law(
            y="absent",
            role="reach",
            dash="dot",
            symbols=few and "square-open",
            label=starts,
            beside=("right", "middle"),
            wrapped=8 if apart else 0,
        ),
        law(y="present", symbols=few, label=ends, beside=("left", "middle")),
        Upright(panel=1, x="published", role="mark", flag=True, beside="left" if right is not apart else "right"),
    ]
    low = 0.0
    if hundred:
        place = np.array([(attack.drawn[: at + 1] == value).sum() for at, value in enumerate(attack.drawn)])
        stacked = -0.55 * peak / max(int(place.max()), 12) * (place + 0.5)  # releases of one count on each other
        low = float(stacked.min() - abs(stacked).min())
        rows.append(
            side_by_side(
                Column("others", word("others"), attack.drawn, quantity=count, hover=","),
                Column("stacked", word("stacked"), stacked, quantity=chance),
            )
        )
        marks.append(Dots(panel=1, x="others", y="stacked", role="quiet", size=5))
    marks += [
        Glass(panel=0, y="before", role="quiet"),
        Glass(panel=2, y="after", low="after_low" if hundred else "", high="after_high" if hundred else ""),
    ]
    top = 1.24 * peak
    glass = Panel(x=Axis(range=(-0.5, 0.5), shown=False), y=Axis(range=(low / top, 1.08), shown=False), share=0.12)
    both = Panel(x=Axis(range=attack.span, grid=False), y=Axis(range=(low, top), shown=False), share=0.66)
    after_told = word("after_hundred", **attack.context) if hundred else attack.context["after"]
    return Picture(
        key="release",
        numbers=Numbers(word("release"), tuple(rows)),
        marks=tuple(marks),
        panels=(glass, both, glass),
        reading=attack.say("reading_release"),
        told=word("release_told", yes=yes, no=no, after_told=after_told, before=attack.context["before"]),
        style=style,
        height=400,
        gap=0.05,
    )


@dataclass(frozen=True, kw_only=True)
class BlockView(PageAnswer):
    """Everything the page shows."""

    release: Picture | None = None
    numbers: tuple[tuple[str, str, str], ...] = ()
    risk: Picture | None = None
    repeats: Picture | None = None
    notes: tuple[str, ...] = ()
    alone: str = ""
    sensitivity: str = ""
    explained: PageLink | None = None


@refusing(BlockView)
def block_view(inputs: BlockInputs, style: Style, own: CountTable | None = None) -> BlockView:
    """The page for these choices; `own` is the table this session has read, if any."""
    attack = attack_of(inputs, style, own)
    by_method = isinstance(attack, MethodAttack)
    view = BlockView(
        answer=attack.say("answer" if inputs.draws == "one" else "answer_hundred"),
        small_print=attack.say("small_print_method" if by_method else "small_print"),
        release=release_picture(attack),
        notes=attack.table.notes if inputs.alike is None else (),
        numbers=attack.numbers,
        computed=say("block", "technical", "computed_method" if by_method else "computed"),
        python=attack.python,
    )
    if by_method:  # no budget: nothing to run over, nothing that adds up
        return view
    return replace(
        view,
        risk=risk_picture(attack),
        repeats=repeats_picture(attack),
        alone=attack.say("alone"),
        sensitivity=attack.say("sensitivity"),
        explained=_explained(attack),
        stated=_stated(attack),
    )


def _explained(attack: Attack) -> PageLink | None:
    """The same budget, belief and promise on *What an ε means*."""
    if attack.promise is None:
        return None
    query = {"guarantee": "zero_concentrated" if attack.on_average else "pure"}
    query |= {attack.kind.budget_kind: number_text(attack.budget), "prior": number_text(attack.inputs.prior)}
    query |= {"secret": attack.secret.value, "unit": "person", "relation": attack.relation.value}
    return PageLink("explain", word("explained"), tuple(query.items()))


def _stated(attack: Attack) -> tuple[StatedBelief, ...]:
    """The upper bounds the page prints: of any release with this budget, once and repeated."""
    found = []
    for releases, spoken in ((1, attack.style.belief), (attack.inputs.repeats, number(5))):
        bound = attack.bound(np.asarray(releases * attack.budget))
        if bound is not None and attack.promise is not None:
            source, said = attack.released(releases), Upper(float(bound), spoken)
            belief = StatedBelief(attack.inputs.prior, said, attack.promise, source, on_average=attack.on_average)
            found.append(belief)
    return tuple(found)
