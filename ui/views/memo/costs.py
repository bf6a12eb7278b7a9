"""What the budget costs, and which other lines were considered."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from dpcore.accuracy import count_error, noise_with_budget
from ui.documents.charts import drawing_of
from ui.documents.document import Block, Facts, Figure, Paragraph, Section
from ui.pictures.description import Description
from ui.pictures.look import Look
from ui.pictures.marks import Axis, Panel
from ui.pictures.table import Table
from ui.views import accuracy as cost
from ui.views import choose
from ui.views.choose import Answered, ChooseInputs
from ui.views.memo.choices import carried_query
from ui.views.memo.draft import Memo, spent_view
from ui.views.memo.published import Published
from ui.views.shared import belief_before
from ui.words.phrasing import frequency, plain_number, times, typed_frequency
from ui.words.quantities import Allowed, Typed, Upper, in_order


def noise_picture(spent: cost.AccuracyView | None) -> Description | None:
    """The law of the noise, from the numbers behind the page's picture; nothing where there is no noise."""
    if spent is None or spent.mechanism is None or spent.error is None:
        return None
    mechanism, error = spent.mechanism, spent.error
    return Description(
        key="noise",
        numbers=cost.law_of_error_numbers(mechanism, error),
        marks=cost.bars_of_error(mechanism, error),
        panels=(Panel(x=Axis(grid=False)),),
        reading=spent.law.reading if spent.law else "",
        look=Look(),
        legend="above",
    )


LARGEST = 0.95
"""Cap or increase beyond which no looser line is looked at: the end of their sliders."""


def alternatives(choices: ChooseInputs, answer: Answered) -> list[tuple[str, ChooseInputs]]:
    """Lines beside the accepted one: one ratio for everybody, a stricter and a looser line of the same kind."""
    found: list[tuple[str, ChooseInputs]] = []
    strictest = answer.implied.strictest_ratio
    if choices.line != "constant" and 1 < strictest < 1e6:
        words = f"One ratio for everybody, {Typed(strictest, times)}"
        found.append((words, replace(choices, line="constant", ratio=strictest)))
    if choices.line == "cap_or_ratio":
        caps = [("Half the cap", choices.cap / 2)]
        if choices.cap < LARGEST:
            twice = 2 * choices.cap <= LARGEST
            caps.append(("Twice the cap", 2 * choices.cap) if twice else ("A looser cap", LARGEST))
        for words, cap in caps:
            found.append((f"{words}: {typed_frequency(cap)}", replace(choices, cap=cap)))
    if choices.line in ("constant", "box", "cap_or_ratio") and choices.ratio > 1:
        for factor, word in ((0.5, "stricter"), (2.0, "looser")):
            ratio = 1 + factor * (choices.ratio - 1)
            found.append((f"A {word} ratio: {Typed(ratio, times)}", replace(choices, ratio=ratio)))
    if choices.line == "increase":
        for rise in (choices.increase / 2, min(2 * choices.increase, LARGEST)):
            found.append((f"A rise of at most {typed_frequency(rise)}", replace(choices, increase=rise)))
    if choices.line == "drawn":
        for factor, word in ((0.5, "Half"), (1.5, "One and a half times")):
            points = tuple((x, min(1.0, x + factor * (y - x))) for x, y in choices.points)
            found.append((f"{word} the drawn rise", replace(choices, points=points)))
    return [(words, other) for words, other in found if other != choices]


def cost_section(
    memo: Memo, spent: cost.AccuracyView | None, picture: Description | None, published: Published | None = None
) -> Section:
    """The error that the budget puts on a count."""
    if spent is None or spent.error is None or spent.law is None:
        return Section("What it costs", (Paragraph(memo.say("no_noise", spend=memo.answer.spend)),))
    shared = published is not None and published.shares_the_decided_budget
    answer = memo.say("published_alone", answer=spent.answer) if shared else spent.answer
    blocks: list[Block] = [Paragraph(answer), Paragraph(spent.small_print, "quiet")]
    if picture is not None:
        blocks.append(Figure(drawing_of(picture, height=105), picture.reading))
    blocks.append(Facts(tuple((name, f"{value} ({note})") for name, value, note in spent.numbers)))
    if spent.wrong_side is not None:
        blocks.append(Paragraph(spent.wrong_side.reading))
    if memo.inputs.costs.start == "accuracy":
        asked = spent_view(memo.costs, memo.look.voice)
        if asked.refusal is None:
            blocks.append(Paragraph(f"Asked from the other side: {memo.own(asked.answer)}"))
    return Section("What it costs", tuple(blocks))


@dataclass(frozen=True)
class Considered:
    """A line that was not taken: its name, its budget in words and for each release, and what speaks against it."""

    name: str
    spend: str
    each: float
    why_not: str


def lines_considered(memo: Memo, spent: cost.AccuracyView | None) -> tuple[Considered, ...]:
    """The lines beside the accepted one, with what speaks against each in numbers."""
    rows = []
    for name, other in alternatives(memo.inputs.choices, memo.answer):
        try:
            found = choose.answered(other, Look(voice=memo.look.voice))
        except ValueError:
            continue
        each = math.inf if found.budget is None else found.budget.recommended_each
        rows.append(Considered(name, found.spend, each, _why_not(memo, found, other, spent)))
    return tuple(rows)


def alternatives_section(memo: Memo, considered: tuple[Considered, ...]) -> Section:
    """The table of the lines beside the accepted one."""
    rows = tuple((one.name, one.spend, one.why_not) for one in considered)
    if not rows:
        return Section("Alternatives considered", (Paragraph("None were computed."),))
    heads = ("line", "budget", "why not, in numbers")
    return Section("Alternatives considered", (Table(memo.say("alternatives"), heads, rows),))


def _why_not(memo: Memo, found: Answered, other: ChooseInputs, spent: cost.AccuracyView | None) -> str:
    ours, place = memo.answer, memo.answer.implied.binding
    if found.budget is None:
        return "it sets no limit at all"
    if ours.budget is None:
        return "it asks for more than the accepted line"
    looser = found.budget.recommended_each > ours.budget.recommended_each
    if looser and place is not None and place.prior == 0:
        stops, most = in_order(
            Allowed(ours.implied.strictest_ratio, times),
            Upper(found.implied.largest_ratio(epsilon=found.shift), times),
        )
        return (
            f"a belief could become {most.digits} as strong{found.facts['exception']}; "
            f"the accepted line stops at {stops.digits}"
        )
    if looser and place is not None:
        belief = choose.along(memo.inputs.choices, place)
        here, there = (float(np.asarray(ours.implied.reachable(*belief, epsilon=one.shift))) for one in (ours, found))
        line = Allowed(ours.accepted_where_decided, frequency)
        _, stops, told = in_order(Upper(here, frequency), line, Upper(there, frequency))
        after = Upper(there, told.spoken)
        return (
            f"a belief of {belief_before.decided(place.prior, Look(), after)} could become {after.digits}"
            f"{found.facts['exception']}; the accepted line stops at {stops.digits}"
        )
    if found.budget.recommended_each == ours.budget.recommended_each:
        return "it leads to the same budget, rounded down"
    if found.budget.recommended_each <= 0:
        return "it leaves nothing to spend"
    asked = replace(memo.inputs, choose=carried_query("choose", vars(other)))
    spending = Memo(asked, found, memo.look).spending()
    if spent is None or spent.error is None or spending is None:
        return "it asks for more than the accepted line"
    amount = spending.rho if spending.concentrated else spending.epsilon
    error = count_error(noise_with_budget(amount, cost.NOISES[spending.noise]), level=spending.level)
    theirs, ours_said = told_apart(error.root_mean_square, spent.error.root_mean_square)
    return f"more noise than the risk requires: typical error {theirs} instead of {ours_said} people"


def told_apart(first: float, second: float) -> tuple[str, str]:
    """Two numbers with three digits, or as many more as tell them apart.

    Examples
    --------
    >>> told_apart(3.9071, 3.9132)
    ('3.907', '3.913')
    """
    said = [(plain_number(first, digits), plain_number(second, digits)) for digits in range(3, 9)]
    return next((pair for pair in said if pair[0] != pair[1]), said[0])
