"""The minutes of the meeting: the positions that were compared, whose line was taken, and what each gave up."""

from __future__ import annotations

import math

from riskline.case.choices import LINE_FIELDS
from riskline.case.fields import write_query
from riskline.case.line import LineChoice
from ui.documents.document import Paragraph, Section
from ui.pictures.table import Table
from ui.views.memo.choices import carried_values
from ui.views.memo.costs import told_apart
from ui.views.memo.draft import Memo
from ui.views.positions import (
    PositionsInputs,
    Standing,
    place_words,
    price_of_conceding,
    spend_words,
    standing_of,
    unstarred,
)
from ui.words.phrasing import plain_number

MINUTES = "Minutes: the positions"


def minutes_section(memo: Memo) -> Section | None:
    """Every position with its own budget and what it gave up; nothing where none were compared or one is refused."""
    if not memo.inputs.told("positions"):
        return None
    compared = PositionsInputs.of(carried_values("positions", memo.inputs.told("positions")))
    decision = LineChoice(**{field.name: getattr(memo.inputs.choices, field.name) for field in LINE_FIELDS})
    try:
        parties = [
            standing_of(name, line, compared) for name, line in zip(compared.called, compared.lines, strict=True)
        ]
        ours = standing_of(memo.inputs.title, decision, compared)
    except ValueError:
        return None
    taken = [each for each, line in zip(parties, compared.lines, strict=True) if _words(line) == _words(decision)]
    told = memo.say("minutes_taken", party=unstarred(taken[0].name)) if taken else memo.say("minutes_none")
    alike = _alike(memo, compared, ours)
    rows = tuple(
        (
            unstarred(each.name),
            spend_words(each),
            place_words(each, memo.look),
            _given_up(memo, each, ours, each in taken) if alike else "–",
        )
        for each in parties
    )
    apart = () if alike else (Paragraph(memo.say("minutes_apart"), "quiet"),)
    heads = ("position", "asked for", "decided at a belief of", "gave up")
    words = memo.say("minutes", positions=f"{len(parties)}", taken=told)
    return Section(MINUTES, (Paragraph(words), *apart, Table(memo.say("minutes_table"), heads, rows)))


def _words(line: LineChoice) -> dict[str, str]:
    return write_query(LINE_FIELDS, vars(line))


def _alike(memo: Memo, compared: PositionsInputs, ours: Standing) -> bool:
    """Whether the decision is about the same promise, and its budget the one that its line has among the positions."""
    choices, budget = memo.inputs.choices, memo.budget
    same = (compared.asked, compared.relation, compared.together) == (
        choices.asked,
        choices.relation,
        choices.promise.group,
    )
    if not same or budget is None or choices.guarantee != "pure" or choices.releases != 1:
        return False
    return math.isclose(budget.recommended_total, ours.epsilon, rel_tol=1e-12)


def _given_up(memo: Memo, position: Standing, ours: Standing, taken: bool) -> str:
    """What a position gave up: protection where more is spent than its line allows, accuracy where less is."""
    if taken:
        return memo.say("gave_up_nothing")
    if position.epsilon == ours.epsilon:
        return memo.say("gave_up_same")
    if position.epsilon < ours.epsilon:
        return memo.say("gave_up_protection", price=price_of_conceding(position, ours, memo.look))
    assert ours.error is not None  # only with a budget to spend is a decision like the positions
    now = ours.error.root_mean_square
    if position.error is None:
        return memo.say("gave_up_exactness", now=plain_number(now, 3))
    asked, now_said = told_apart(position.error.root_mean_square, now)
    return memo.say("gave_up_accuracy", asked=asked, now=now_said)
