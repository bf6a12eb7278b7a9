"""The minutes of the meeting: the positions that were compared, whose line was taken, and what each gave up."""

from __future__ import annotations

import math

from riskline.case.choices import LINE_FIELDS
from riskline.case.fields import write_query
from riskline.case.line import LineChoice
from ui.documents.document import Paragraph, Section
from ui.pictures.table import Table
from ui.views.memo.costs import told_apart
from ui.views.memo.draft import Memo
from ui.views.positions.standing import Standing, place_words, price_of_conceding, spend_words, standing_of, unstarred
from ui.words.phrasing import plain_number

MINUTES = "Minutes: the positions"


def minutes_section(memo: Memo) -> Section | None:
    """Every position with its own budget and what it gave up; nothing where none were compared or one is refused."""
    compared = memo.inputs.positions
    if compared is None:
        return None
    decision = None if memo.case.line is None else _words(memo.case.line)
    try:
        parties = [
            standing_of(name, line, compared) for name, line in zip(compared.called, compared.lines, strict=True)
        ]
        ours = None if memo.case.line is None else standing_of(memo.inputs.title, memo.case.line, compared)
        taken = [each for each, line in zip(parties, compared.lines, strict=True) if _words(line) == decision]
        rows = tuple(
            (
                unstarred(each.name),
                spend_words(each),
                place_words(each, memo.style),
                _given_up(memo, each, ours, each in taken) if ours is not None and _alike(memo, ours) else "–",
            )
            for each in parties
        )
    except ValueError:
        return None
    told = memo.say("minutes_taken", party=unstarred(taken[0].name)) if taken else memo.say("minutes_none")
    told = told if decision is not None else memo.say("minutes_no_line")
    apart: tuple[Paragraph, ...] = ()
    if ours is not None and not _alike(memo, ours):
        apart = (Paragraph(memo.say("minutes_apart"), "quiet"),)
    heads = ("position", "asked for", "decided at a belief of", "gave up")
    words = memo.say("minutes", positions=f"{len(parties)}", taken=told)
    return Section(MINUTES, (Paragraph(words), *apart, Table(memo.say("minutes_table"), heads, rows)))


def _words(line: LineChoice) -> dict[str, str]:
    return write_query(LINE_FIELDS, vars(line))


def _alike(memo: Memo, ours: Standing) -> bool:
    """Whether the budget is the pure ε of one release that the line has among the positions."""
    found = memo.spent
    if found is None or found.by_rho or found.budget.delta or found.releases != 1:
        return False
    return math.isclose(found.value, ours.epsilon, rel_tol=1e-12)


def _given_up(memo: Memo, position: Standing, ours: Standing, taken: bool) -> str:
    """What a position gave up: protection where more is spent than its line allows, accuracy where less is."""
    if taken:
        return memo.say("gave_up_nothing")
    if position.epsilon == ours.epsilon:
        return memo.say("gave_up_same")
    if position.epsilon < ours.epsilon:
        return memo.say("gave_up_protection", price=price_of_conceding(position, ours, memo.style))
    assert ours.error is not None  # only with a budget to spend is a decision like the positions
    now = ours.error.root_mean_square
    if position.error is None:
        return memo.say("gave_up_exactness", now=plain_number(now, 3))
    asked, now_said = told_apart(position.error.root_mean_square, now)
    return memo.say("gave_up_accuracy", asked=asked, now=now_said)
