"""The question in technical words, and what the budget amounts to for every unit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dpcore import errors
from dpcore.guarantees import ApproximateDP, PureDP, ZeroConcentratedDP
from dpcore.profiles import Budget, Status
from dpcore.promise import Secret
from dpcore.semantics import shift_bound
from riskline.case.promise import records_together
from ui.documents.document import Block, Facts, Paragraph, Section
from ui.pictures.table import Table
from ui.views import choose
from ui.views.memo.draft import GUARANTEES, Memo
from ui.words.passages import VOICES
from ui.words.phrasing import exact_budget, frequency, plain_number
from ui.words.quantities import Failure, Upper, number


def question_section(memo: Memo) -> Section:
    """What is released, the question, the unit and the guarantee, and what the line gains."""
    choices, facts, budget = memo.inputs.choices, memo.answer.facts, memo.answer.budget
    rows = [
        ("Release", memo.inputs.release.strip() or "not described"),
        ("Question", f"Could someone learn {memo.words('plain')['secret']}?"),
        ("Unit of protection", facts["unit"]),
        (
            "Neighbouring tables",
            "one record more or less" if choices.relation == "add_or_remove" else "one replaced",
        ),
        ("Guarantee", GUARANTEES[choices.guarantee]),
        (
            "Releases",
            f"{choices.releases:,}, each {'one plain count' if choices.release == 'count' else 'any kind'}",
        ),
    ]
    if budget is not None:
        symbol = "ρ" if choices.guarantee == "zero_concentrated" else "ε"
        rows += [
            ("Budget of each release", f"**{symbol} = {exact_budget(budget.recommended_each)}**"),
            ("Budget of all together", f"{symbol} = {spent_together(budget)}"),
            ("May fail with probability", Failure(budget.failure_probability, number(2)).digits),
        ]
    if memo.answer.implied.status is Status.BINDS:
        between = ", between the two cases" if memo.answer.together else ""
        rows.append((f"ε of the line, unrounded{between}", str(facts["exact"])))
        rule = choose.one_ratio(memo.answer)
        if rule is not None:
            rows += [
                ("Strictest ratio everywhere", rule.spend),
                ("The line gains", f"{rule.gain.digits} of {rule.gained} over that"),
            ]
        rows += [
            ("Formula", f"{facts['formula']} ({facts['certainty'].lower()})"),
        ]
    blocks: list[Block] = [*_both_voices(memo), Facts(tuple(rows)), Paragraph(facts["about"])]
    if memo.inputs.secret_phrase:
        secret = choices.words(memo.look.voice)["secret"]
        blocks.append(Paragraph(memo.say("in_own_words", phrase=memo.inputs.secret_phrase, secret=secret)))
    return Section("Question, unit and guarantee", tuple(blocks), part="Annex: technical words, code and sources")


def _both_voices(memo: Memo) -> list[Paragraph]:
    return [Paragraph(memo.say(f"{voice}_voice", answer=memo.own(memo.seen(voice).answer, voice))) for voice in VOICES]


def spent_together(budget: Budget) -> str:
    """What all releases spend at the budget recommended for each, rounded up: it is spent, not recommended."""
    return Upper(round(budget.recommended_each * budget.releases, 15), number(6)).digits


def at_every_unit(memo: Memo) -> Table | None:
    """What the recommended budget amounts to for a record, a person, a household and a person-year."""
    budget, place = memo.budget, memo.answer.implied.binding
    if budget is None or place is None or place.prior <= 0:
        return None
    choices, inputs = memo.inputs.choices, memo.inputs
    own = records_together(choices.unit, choices.group)
    a_household = f"a household of {inputs.household:,}"
    rows = [
        _for_unit(memo, "one record, one release", 1, 1),
        _for_unit(memo, "one record, all releases listed", 1, budget.releases),
    ]
    each_person = own if choices.unit in ("records", "days") else 1
    year, several = budget.releases * inputs.yearly, each_person * inputs.household
    if own > 1 and own != several:
        rows.append(_for_unit(memo, memo.answer.facts["unit"], own, budget.releases))
    rows += [
        _for_unit(memo, "one person for a year", each_person, year),
        _for_unit(memo, a_household, several, budget.releases),
        _for_unit(memo, f"{a_household} for a year", several, year),
    ]
    heads = ("for", "changes", "it amounts to", "an attacker reaches at most")
    facts = memo.answer.facts
    caption = memo.say(
        "units",
        prior=facts["prior"],
        what=memo.words(memo.look.voice, replace(choices, unit="person"))["that"],
        yearly=memo.say("once_a_year" if inputs.yearly == 1 else "times_a_year", yearly=f"{inputs.yearly:,}"),
        exception=facts["exception"],
    )
    one_count = choices.release == "count" and choices.promise.secret is Secret.VALUE
    released = memo.say("one_count" if one_count else "any_release")
    if memo.answer.noise:
        caption += memo.say("units_noise", released=released, noise=choose.NOISE_WORDS[memo.answer.noise])
    else:
        caption += memo.say("units_released", released=released)
    return Table(caption, heads, tuple(dict.fromkeys(rows)))


def _for_unit(memo: Memo, name: str, records: int, releases: int) -> tuple[str, str, str, str]:
    """A unit: its records times releases, the loss they bound together, and the belief at the deciding prior."""
    budget, choices = memo.budget, memo.inputs.choices
    assert budget is not None
    each = budget.each
    changes = f"{records:,} × {releases:,}"
    own = records == budget.group and releases == budget.releases
    if isinstance(each, ZeroConcentratedDP):
        together: Any = ZeroConcentratedDP(rho=releases * budget.recommended_each).for_group(records)
        amount, failing = f"ρ = {Upper(together.rho, number(3)).digits}", choices.failure
    elif isinstance(each, ApproximateDP):
        spent = ApproximateDP(epsilon=releases * budget.recommended_each, delta=min(releases * each.delta, 1.0))
        together, failing = spent.for_group(records), choices.failure
        amount = f"ε = {Upper(together.epsilon, number(3)).digits}, δ = {Upper(together.delta, number(2)).digits}"
    else:
        together, failing = PureDP(epsilon=releases * budget.recommended_each).for_group(records), 0.0
        amount = f"ε = {Upper(together.epsilon, number(3)).digits}"
    try:
        shift = shift_bound(together, delta_prime=failing)
    except errors.Refused as refusal:  # the group's δ uses up the failure probability
        if refusal.code is not errors.Code.INFEASIBLE:
            raise
        return name, changes, amount, f"no bound at δ′ = {plain_number(failing, 2)}"
    place = memo.answer.implied.binding
    assert place is not None
    if own:  # the memo's own promise, for the noise it was certified for
        shift = min(shift, memo.answer.shift)
    reached = float(memo.answer.implied.reachable(*choose.along(choices, place), epsilon=shift))
    spoken = memo.answer.decided_after(frequency).spoken if own else frequency  # as page one says it
    return name, changes, amount, "as good as certainty" if reached > 0.9999 else Upper(reached, spoken).digits
