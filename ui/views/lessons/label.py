"""The label for participants: what a release at the budget of the case may tell about one of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from dpcore.guarantees import ApproximateDP, ZeroConcentratedDP
from dpcore.scope import Scope
from riskline.answers import Spent, spent
from riskline.case.value import Case
from ui.documents.document import Document, Facts, Paragraph, Section
from ui.pictures.style import Style
from ui.views.choose import ChooseInputs, choose_view
from ui.views.choose.answer import Answered, answered, at_budget, released
from ui.views.lessons.class_guesses import word
from ui.views.shared.promise import StatedBelief
from ui.words.catalogue import label, say
from ui.words.phrasing import frequency
from ui.words.quantities import Failure, Upper, claimed, number


@dataclass(frozen=True)
class Label:
    """The label for participants and the upper bounds on beliefs that it prints."""

    document: Document
    stated: tuple[StatedBelief, ...] = ()


def label_of(case: Case, style: Style) -> Label:
    """The label for participants, at the budget of the case; without one it says why."""
    passage = partial(say, "lessons", style.voice)
    title, intro, foot = word("label_title"), word("label_intro"), passage("label_foot")
    plain, choices = Style(voice="plain"), case.of(ChooseInputs)
    seen = choose_view(choices, plain)
    found = None if seen.refusal else spent(case)
    if found is None or not found.promises_something:
        why = Section(word("no_budget"), (Paragraph(seen.refusal or seen.answer),))
        return Label(Document(title, "", (why,), f"{foot} {word('label_others')}"))
    words = choices.words("plain")
    if found.noise is not None:
        foot = passage("label_foot_noise", noise=label("case", f"whole_noise.{found.noise}"))
    changes = found.group if choices.release == "count" else case.promise.steps
    fails = word("fails", failing=Failure(found.failure, frequency)) if found.failure else word("no_exceptions")
    line = None if case.line is None else at_budget(answered(choices, plain), found)
    stated = [_stated(found, line, prior) for prior in (0.01, 0.05, 0.5) if line is None or prior < choices.held]

    def come(told: StatedBelief) -> str:
        belief = word("can_come", said=told.said)
        return word("but_for", belief=belief, fails=fails) if found.failure else belief

    rows = (
        (word("fact.published"), "." * 40),
        (word("fact.whose"), words["whose"]),
        (word("fact.secret"), words["secret"]),
        *_budgets(found, changes, words["whose"]),
        (word("fact.fails"), fails),
        *((word("if_before", before=told.before), come(told)) for told in stated),
        *(
            (name, word("with_note", value=value, note=note))
            for name, value, note in seen.numbers
            if "±" in value and found.is_implied
        ),
        (word("fact.hidden"), word("not_hidden")),
        (word("fact.questions"), "." * 40),
    )
    at_a_glance = Section(word("at_a_glance"), (Facts(rows), Paragraph(words["promise"])))
    return Label(Document(title, intro, (at_a_glance,), f"{foot} {word('label_others')}"), tuple(stated))


def _stated(found: Spent, line: Answered | None, prior: float) -> StatedBelief:
    """How far a belief before can come, with what is needed to check it."""
    promise, before = replace(found.case.promise, failure_probability=found.failure), frequency(prior)
    source: Any = found.guarantee(releases=found.releases)
    if line is None:
        said = claimed(found.highest(prior), Scope.ANY_MECHANISM, frequency)
        return StatedBelief(prior, said, promise, source, before=before)
    choices = line.inputs
    place = (1.0, prior) if choices.secret == "both" else (prior / choices.held,)
    after = Upper(float(np.asarray(line.reach(*place))), frequency)
    present = {"both": 1.0, "presence": prior / choices.held, "value": choices.held}[choices.secret]
    absent = 1.0 - present if choices.asked == "both" else 0.0
    if found.is_implied and line.budget is not None:
        source = released(line.budget)
    return StatedBelief(prior, after, promise, source, choices.terms.scope, absent, before=before)


def _budgets(found: Spent, changes: int, whose: str) -> list[tuple[str, str]]:
    """The budget for one changed record and for everything the secret changes, a release and all of them together."""
    spans = [(word("budget"), 1)]
    if found.releases > 1:
        together = word("budget_all", releases=f"{found.releases:,}")
        spans = [(word("budget_each"), 1), (together, found.releases)]
    units = [(1, word("record_changed"))]
    if changes > 1:
        units.append((changes, word("records_changed", whose=whose, records=f"{changes:,}")))
    rows = [
        (span, word("amount_for", amount=_amount(found.guarantee(records=records, releases=releases)), name=name))
        for records, name in units
        for span, releases in spans
    ]
    return [(rows[0][0], word("less_privacy", amount=rows[0][1])), *rows[1:]]


def _amount(guarantee: Any) -> str:
    """A guarantee in letters, rounded up: it is what participants are exposed to."""
    if isinstance(guarantee, ZeroConcentratedDP):
        return word("rho_amount", rho=Upper(guarantee.rho, number(3)).digits)
    delta = Upper(guarantee.delta, number(2)).digits if isinstance(guarantee, ApproximateDP) else ""
    return word(
        "delta_amount" if delta else "epsilon_amount", epsilon=Upper(guarantee.epsilon, number(3)).digits, delta=delta
    )
