"""The question in technical words, and what the budget amounts to for every unit."""

from __future__ import annotations

from dpcore import errors
from dpcore.guarantees import ApproximateDP, ZeroConcentratedDP
from dpcore.profiles import Status
from dpcore.promise import Secret
from riskline.answers import budget_for_unsure
from ui.documents.document import Block, Facts, Paragraph, Section
from ui.pictures.table import Table
from ui.views.choose.answer import along, one_ratio
from ui.views.memo.draft import Memo, spent_together
from ui.views.shared.strip import budget_words
from ui.words.catalogue import VOICES, label
from ui.words.phrasing import frequency, plain_number
from ui.words.quantities import Failure, Upper, number

QUESTION = "Question, unit and guarantee"


def question_section(memo: Memo) -> Section:
    """What is released, the question, the unit and the guarantee, and what the line gains."""
    case, line, spent = memo.case, memo.line, memo.spent
    rows = [
        ("Release", case["released"].strip() or "not described"),
        ("Question", f"Could someone learn {memo.words('plain')['secret']}?"),
        ("Unit of protection", memo.words()["whose"]),
        ("Neighbouring tables", "one record more or less" if case["relation"] == "add_or_remove" else "one replaced"),
    ]
    if line is not None or spent is not None:
        each = "one plain count" if case["release"] == "count" else "any kind"
        rows += [("Guarantee", memo.guarantee), ("Releases", f"{case['releases']:,}, each {each}")]
    if spent is not None:
        rows += [
            ("Budget of each release", f"**{budget_words(spent.value, spent.budget.currency)}**"),
            *_for_unsure(memo),
            ("Budget of all together", f"{'ρ' if spent.by_rho else 'ε'} = {spent_together(spent)}"),
            ("May fail with probability", Failure(spent.failure, number(2)).digits),
        ]
    if line is not None and line.implied.status is Status.BINDS:
        between = ", between the two cases" if line.together else ""
        rows.append((f"ε of the line, unrounded{between}", str(line.context["exact"])))
        rule = one_ratio(line)
        if rule is not None:
            rows += [
                ("Strictest ratio everywhere", rule.spend),
                ("The line gains", f"{rule.gain.digits} of {rule.gained} over that"),
            ]
        rows += [
            ("Formula", f"{line.context['formula']} ({line.context['certainty'].lower()})"),
        ]
    blocks: list[Block] = [*_both_voices(memo), Facts(tuple(rows)), Paragraph(memo.words(own=False)["promise"])]
    if memo.inputs.secret_phrase:
        secret = memo.words(own=False)["secret"]
        blocks.append(Paragraph(memo.say("in_own_words", phrase=memo.inputs.secret_phrase, secret=secret)))
    return Section(QUESTION, tuple(blocks), part="Annex: technical words, code and sources")


def _for_unsure(memo: Memo) -> tuple[tuple[str, str], ...]:
    """The budget that holds for readers who do not know everybody else too, where the line's own is for who does."""
    line = memo.line
    found = None if line is None else budget_for_unsure(line.inputs.line_choice, line.inputs.terms)
    if found is None or memo.spent is None or not memo.spent.keeps_the_line:
        return ()
    return (("For readers unsure about others too", budget_words(found, memo.spent.budget.currency)),)


def _both_voices(memo: Memo) -> list[Paragraph]:
    told = {voice: memo.seen(voice) for voice in VOICES}
    return [
        Paragraph(memo.say(f"{voice}_voice", answer=memo.own(seen.answer, voice)))
        for voice, seen in told.items()
        if seen is not None
    ]


def at_every_unit(memo: Memo) -> Table | None:
    """What the budget amounts to for a record, a person, a household and a person-year; not of a published one."""
    spent, inputs = memo.spent, memo.inputs
    if spent is None or spent.entry is not None or not 0 < memo.before < 1:
        return None
    own = spent.group
    a_household = f"a household of {inputs.household:,}"
    rows = [
        _for_unit(memo, "one record, one release", 1, 1),
        _for_unit(memo, "one record, all releases listed", 1, spent.releases),
    ]
    each_person = own if memo.case["unit"] in ("records", "days") else 1
    year, several = spent.releases * inputs.yearly, each_person * inputs.household
    if own > 1 and own != several:
        rows.append(_for_unit(memo, memo.words()["whose"], own, spent.releases))
    rows += [
        _for_unit(memo, "one person for a year", each_person, year),
        _for_unit(memo, a_household, several, spent.releases),
        _for_unit(memo, f"{a_household} for a year", several, year),
    ]
    heads = ("for", "changes", "it amounts to", "an attacker reaches at most")
    caption = memo.say(
        "units",
        prior=memo.reached_words()[0],
        what=memo.words(alone=True)["that"],
        yearly=memo.say("once_a_year" if inputs.yearly == 1 else "times_a_year", yearly=f"{inputs.yearly:,}"),
        exception=memo.exception,
    )
    one_count = memo.case["release"] == "count" and memo.case.promise.secret is Secret.VALUE
    released = memo.say("one_count" if one_count else "any_release")
    if spent.noise is not None:
        caption += memo.say("units_noise", released=released, noise=label("case", f"whole_noise.{spent.noise}"))
    else:
        caption += memo.say("units_released", released=released)
    return Table(caption, heads, tuple(dict.fromkeys(rows)))


def _for_unit(memo: Memo, name: str, records: int, releases: int) -> tuple[str, str, str, str]:
    """A unit: its records times releases, the loss they bound together, and the belief from the one that decides."""
    spent = memo.spent
    assert spent is not None
    changes = f"{records:,} × {releases:,}"
    together = spent.guarantee(records=records, releases=releases)
    if isinstance(together, ZeroConcentratedDP):
        amount = f"ρ = {Upper(together.rho, number(3)).digits}"
    else:
        amount = f"ε = {Upper(together.epsilon, number(3)).digits}"
        if isinstance(together, ApproximateDP):
            amount += f", δ = {Upper(together.delta, number(2)).digits}"
    try:
        reached = _reached(memo, records, releases)
    except errors.Refused as refusal:  # the group's δ uses up the failure probability
        if refusal.code is not errors.Code.INFEASIBLE:
            raise
        return name, changes, amount, f"no bound at δ′ = {plain_number(spent.failure, 2)}"
    own = records == spent.group and releases == spent.releases
    spoken = memo.reached_words(frequency)[1].spoken if own else frequency  # as page one says it
    return name, changes, amount, "as good as certainty" if reached > 0.9999 else Upper(reached, spoken).digits


def _reached(memo: Memo, records: int, releases: int) -> float:
    """How far the belief before that decides can come for so many records in so many releases."""
    spent, line = memo.spent, memo.line
    assert spent is not None
    place = None if line is None else line.implied.binding
    if line is None or place is None:
        return float(spent.highest(memo.before, records=records, releases=releases))
    shift = spent.shift_for(records=records, releases=releases)
    if records == spent.group and releases == spent.releases:  # the memo's own promise, for its own noise
        shift = min(shift, spent.shift)
    return float(line.implied.reachable(*along(line.inputs, place), epsilon=shift))
