"""What the budget costs, and which other lines were considered."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from dpcore.accuracy import wrong_side_probability
from riskline.answers import CaseBudget, Source, Spent
from riskline.answers.errors import row_error
from ui.documents.document import Block, Figure, Paragraph, Section
from ui.pictures.description import Description
from ui.pictures.marks import Axis, Panel
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.accuracy.law import law_of_error, whole_range
from ui.views.choose import ChooseInputs
from ui.views.choose.answer import Answered, along, answered
from ui.views.memo.draft import LEVEL, Memo
from ui.views.shared import belief_before
from ui.words.catalogue import label, say
from ui.words.phrasing import decimal_belief, frequency, how_often, plain_number, times, typed_frequency
from ui.words.quantities import Allowed, Exact, Typed, Upper, in_order, number, typed, whole

COST = label("memo", "heading.cost")
word = partial(label, "memo")
ALTERNATIVES = label("memo", "heading.alternatives")


def noise_picture(memo: Memo) -> Description | None:
    """The law of the noise on a count; nothing where there is no noise."""
    if memo.mechanism is None or memo.error is None or not memo.counts_are_told:
        return None
    return Description(
        key="noise",
        **law_of_error(memo.mechanism, memo.error),
        panels=(Panel(x=Axis(grid=False)),),
        reading=say("accuracy", memo.style.voice, "reading_law", **_facts(memo)),
        style=Style(),
        legend="above",
    )


def _facts(memo: Memo) -> dict[str, object]:
    """The words and numbers of the error, as *What it costs* tells them."""
    assert memo.spent is not None
    assert memo.mechanism is not None
    assert memo.error is not None
    often = decimal_belief if memo.style.technical else how_often
    wide, chance = whole_range(memo.mechanism, memo.error)
    return {
        "budget": f"{'ρ' if memo.spent.by_rho else 'ε'} = {plain_number(memo.spent.of_a_count, 4)}",
        "wide": Upper(wide, whole),
        "chance": Exact(chance, often),
        "level": Typed(LEVEL, often),
        "exact": often(memo.error.probability_exact),
        "noise": label("case", f"named_noise.{memo.spent.fitting_noise}"),
        "std": plain_number(memo.error.root_mean_square, 4),
    }


LARGEST = 0.95
"""Cap or increase beyond which no looser line is looked at: the end of their sliders."""


def alternatives(choices: ChooseInputs, answer: Answered) -> list[tuple[str, ChooseInputs]]:
    """Lines beside the accepted one: one ratio for everybody, a stricter and a looser line of the same kind."""
    found: list[tuple[str, ChooseInputs]] = []
    strictest = answer.implied.strictest_ratio
    if choices.line != "constant" and 1 < strictest < 1e6:
        words = word("other.constant", ratio=Typed(strictest, times))
        found.append((words, replace(choices, line="constant", ratio=strictest)))
    if choices.line == "cap_or_ratio":
        caps = {"half_cap": choices.cap / 2}
        if choices.cap < LARGEST:
            caps |= {"twice_cap": 2 * choices.cap} if 2 * choices.cap <= LARGEST else {"looser_cap": LARGEST}
        for name, cap in caps.items():
            found.append((word(f"other.{name}", cap=typed_frequency(cap)), replace(choices, cap=cap)))
    if choices.line in ("constant", "box", "cap_or_ratio") and choices.ratio > 1:
        for name, factor in (("stricter", 0.5), ("looser", 2.0)):
            ratio = 1 + factor * (choices.ratio - 1)
            found.append((word(f"other.{name}", ratio=Typed(ratio, times)), replace(choices, ratio=ratio)))
    if choices.line == "increase":
        for rise in (choices.increase / 2, min(2 * choices.increase, LARGEST)):
            found.append((word("other.rise", rise=Typed(rise, typed)), replace(choices, increase=rise)))
    if choices.line == "drawn":
        for name, factor in (("half_drawn", 0.5), ("more_drawn", 1.5)):
            points = tuple((x, min(1.0, x + factor * (y - x))) for x, y in choices.points)
            found.append((word(f"other.{name}"), replace(choices, points=points)))
    return [(words, other) for words, other in found if other != choices]


def cost_section(memo: Memo, picture: Description | None) -> Section:
    """The error that the budget puts on a count."""
    if memo.spent is None:
        return Section(COST, (Paragraph(memo.say("no_noise", spend=memo.spend)),))
    context = _facts(memo)
    answer = say("accuracy", memo.style.voice, "answer_budget", **context)
    blocks: list[Block] = [Paragraph(answer), Paragraph(memo.say("cost_print", **context), "quiet")]
    if picture is not None:
        blocks.append(Figure(picture, picture.reading, height=105))
    if memo.inputs.target is not None:
        blocks.append(Paragraph(_target_words(memo)))
    return Section(COST, tuple(blocks))


def _target_words(memo: Memo) -> str:
    """How often a published rate lands on the wrong side of the reader's own target."""
    target, mechanism = memo.inputs.target, memo.mechanism
    assert target is not None
    assert mechanism is not None
    often = decimal_belief if memo.style.technical else how_often
    above = float(wrong_side_probability(mechanism, excess=target.off)) if target.off else math.nan
    below = float(wrong_side_probability(mechanism, excess=-target.off))
    return say(
        "accuracy",
        memo.style.voice,
        "reading_wrong_side" if target.off else "reading_on_target",
        target=Typed(target.target, number(4)),
        target_count=Typed(target.target_count, whole),
        total=f"{target.total:,}",
        off=f"{target.off:,}",
        above="" if math.isnan(above) else often(above),
        below=often(below),
    )


@dataclass(frozen=True)
class Considered:
    """A line that was not taken: its name, its budget in words and for each release, and what speaks against it."""

    name: str
    spend: str
    each: float
    why_not: str


def lines_considered(memo: Memo) -> tuple[Considered, ...]:
    """The lines beside the accepted one, with what speaks against each in numbers; none where another budget stands."""
    if memo.choices is None or memo.line is None or memo.implied or memo.case["published"]:
        return ()
    rows = []
    for name, other in alternatives(memo.choices, memo.line):
        try:
            found = answered(other, Style(voice=memo.style.voice))
        except ValueError:
            continue
        each = math.inf if found.budget is None else found.budget.recommended_each
        rows.append(Considered(name, found.spend, each, _why_not(memo, found)))
    return tuple(rows)


def alternatives_section(memo: Memo, considered: tuple[Considered, ...]) -> Section:
    """The table of the lines beside the accepted one."""
    rows = tuple((one.name, one.spend, one.why_not) for one in considered)
    if not rows:
        return Section(ALTERNATIVES, (Paragraph(word("others.none")),))
    heads = tuple(word(f"others.{head}") for head in ("line", "budget", "why"))
    return Section(ALTERNATIVES, (Table(memo.say("alternatives"), heads, rows),))


def _why_not(memo: Memo, found: Answered) -> str:
    assert memo.line is not None
    ours, place = memo.line, memo.line.implied.binding
    if found.budget is None:
        return word("why.no_limit")
    if ours.budget is None:
        return word("why.more")
    looser = found.budget.recommended_each > ours.budget.recommended_each
    if looser and place is not None and place.prior == 0:
        line = Allowed(ours.implied.strictest_ratio, times)
        _, stops, most = in_order(
            Upper(ours.largest_ratio, times), line, Upper(found.implied.largest_ratio(epsilon=found.shift), times)
        )
        told = {"most": most.digits, "stops": stops.digits}
        return word("why.ratio", **told, exception=found.context["exception"])
    if looser and place is not None:
        belief = along(ours.inputs, place)
        here, there = (float(np.asarray(ours.implied.reachable(*belief, epsilon=one.shift))) for one in (ours, found))
        line = Allowed(ours.accepted_where_decided, frequency)
        _, stops, most = in_order(Upper(here, frequency), line, Upper(there, frequency))
        after = Upper(there, most.spoken)
        before = belief_before.decided(place.prior, Style(), after)
        told = {"before": before, "most": after.digits, "stops": stops.digits}
        return word("why.belief", **told, exception=found.context["exception"])
    if found.budget.recommended_each == ours.budget.recommended_each:
        return word("why.same")
    if found.budget.recommended_each <= 0:
        return word("why.nothing")
    if memo.spent is None or memo.error is None:
        return word("why.more")
    budget = CaseBudget(found.budget.recommended_each, memo.spent.budget.currency, Source.IMPLIED)
    theirs = Spent(memo.case, budget, found.budget)
    error = row_error(theirs).error
    noisier, less = told_apart(error.root_mean_square, memo.error.root_mean_square)
    return word("why.noise", theirs=noisier, ours=less)


def told_apart(first: float, second: float) -> tuple[str, str]:
    """Two numbers with three digits, or as many more as tell them apart.

    Examples
    --------
    >>> told_apart(3.9071, 3.9132)
    ('3.907', '3.913')
    """
    said = [(plain_number(first, digits), plain_number(second, digits)) for digits in range(3, 9)]
    return next((pair for pair in said if pair[0] != pair[1]), said[0])
