"""The accepted line, the budget it implies, what that means for people and for every unit, and the question."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dpcore import errors
from dpcore.guarantees import ApproximateDP, ZeroConcentratedDP
from dpcore.profiles import Status
from dpcore.promise import Secret
from riskline.answers import Terms, budget_for_unsure
from ui.documents.document import Block, Facts, Figure, Paragraph, Section
from ui.pictures.columns import Column, Numbers, side_by_side, single
from ui.pictures.description import Description
from ui.pictures.marks import Axis, Heat, Mark, Panel, Spot
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.choose import ChooseInputs
from ui.views.choose.answer import Answered, along, one_ratio
from ui.views.choose.pictures import accepted_line
from ui.views.memo.brief import person_words
from ui.views.memo.draft import Memo, spent_together
from ui.views.shared import belief_before
from ui.views.shared.strip import budget_words
from ui.words.catalogue import VOICES, label
from ui.words.phrasing import decimal_belief, frequency, plain_number, times
from ui.words.quantities import Allowed, Failure, Quantity, Typed, Upper, in_order, number, typed

word = partial(label, "memo")
PRIORS = (0.01, 0.05, 0.1, 0.25, 0.5)


def line_in_words(choices: ChooseInputs) -> str:
    """The accepted line in one sentence."""
    line = word(
        f"line.{choices.line}",
        ratio=Typed(choices.ratio, times),
        points="; ".join(f"{plain_number(x, 3)} → {plain_number(y, 3)}" for x, y in choices.points),
        **{name: Typed(getattr(choices, name), typed) for name in ("cap", "increase", "low", "high")},
    )
    if choices.held == 1.0 or choices.secret == "both":
        return line
    return f"{line} {word('line.held', held=Typed(choices.held, typed))}"


def risk_picture(memo: Memo) -> Description | None:
    """The accepted line, or the map of both beliefs, with what decides the budget; nothing where nothing decides."""
    line = memo.line
    if line is None or line.implied.status is not Status.BINDS:
        return None
    if line.inputs.secret == "both":
        return _map(memo, line)
    if memo.as_implied or memo.spent is None:
        return accepted_line(line, memo.say("reading_line", prior=line.context["prior"], exception=memo.exception))
    drawn = accepted_line(line, memo.say("reading_line_otherwise", exception=memo.exception))
    return replace(drawn, marks=tuple(mark for mark in drawn.marks if not isinstance(mark, Spot)))  # it decides nothing


def risk_section(memo: Memo, picture: Description | None) -> Section:
    """The accepted line and the budget it implies."""
    line = memo.line
    if line is None:
        return Section(RISK, (Paragraph(memo.say("no_profile")),), part=word("part.reasons"))
    blocks: list[Block] = [Paragraph(memo.say("profile")), Paragraph(line_in_words(line.inputs))]
    if picture is not None:
        size = MAP_SIZE if picture.key == "map" else {}
        blocks.append(Figure(picture, picture.reading, **size))
        if memo.as_implied or memo.spent is None:
            decides, rule = [memo.say("decides", prior=line.context["prior"])], one_ratio(line)
            if rule is not None:
                decides.append(memo.say("decides_one_ratio", spend=rule.spend))
            blocks.append(Paragraph(" ".join(decides)))
    return Section(RISK, tuple(blocks), part=word("part.reasons"))


RISK = label("memo", "heading.risk")
MEANING = label("memo", "heading.meaning")
MAP_SIZE = {"width": 330, "height": 205}


def _map(memo: Memo, line: Answered) -> Description:
    implied = line.implied
    grid: NDArray[np.float64] = np.linspace(0.02, 1.0, 50)
    membership, value = (axis.ravel() for axis in np.meshgrid(grid, grid, indexing="ij"))
    ceiling = float(np.clip(8 * implied.epsilon, 1e-2, 100))
    across, up = word("map.across"), word("map.up")
    rows = [
        side_by_side(
            Column("membership", word("map.membership"), 100 * membership, quantity=across),
            Column("value", word("map.value"), 100 * value, quantity=up),
            Column("largest", word("map.largest"), np.asarray(implied.largest_epsilon(membership, value))),
        )
    ]
    marks: list[Mark] = [Heat(x="membership", y="value", z="largest", ceiling=ceiling)]
    place = implied.binding
    if place is not None:
        rows.append(
            side_by_side(
                single(
                    "decides_membership", word("map.decides_membership"), 100 * place.membership_prior, quantity=across
                ),
                single("decides", word("map.decides"), 100 * place.value_prior, quantity=up),
            )
        )
        marks.append(Spot(x="decides_membership", y="decides", beside=("right", "bottom")))
    ends = Axis(range=(0.0, 100.0), grid=False)
    return Description(
        key="map",
        numbers=Numbers(word("map"), tuple(rows)),
        marks=tuple(marks),
        panels=(Panel(x=ends, y=ends),),
        reading=memo.say("reading_map", prior=line.context["prior"]),
        style=Style(),
    )


def meaning_section(memo: Memo) -> Section:
    """Beliefs before and after, and the budget at every unit."""
    tables = [] if memo.spent is None and (memo.line is None or memo.line.budget is None) else [_beliefs(memo)]
    units = at_every_unit(memo)
    if units is not None:
        tables.append(units)
    return Section(MEANING, tuple(tables) or (Paragraph(person_words(memo)),))


def _beliefs(memo: Memo) -> Table:
    """Beliefs before, what the line accepts where there is one, and how far each can come."""
    line = memo.line
    heads = tuple(word(f"reached.{head}") for head in ("before", "accepted", "reach", "decimal"))
    caption = memo.say("beliefs", exception=memo.exception)
    if line is None:
        assert memo.spent is not None
        rows = [_row(prior, math.inf, memo.spent.highest(prior).value) for prior in sorted({*PRIORS, memo.before})]
        return Table(
            caption, (heads[0], *heads[2:]), tuple(dict.fromkeys((before, *after) for before, _, *after in rows))
        )
    both, held, place = line.inputs.secret == "both", line.inputs.held, line.implied.binding
    pairs: list[tuple[float, ...]] = [(1.0, prior) for prior in PRIORS]
    if not both:
        pairs = [(prior / held,) for prior in PRIORS if prior < held] or [(0.5,)]
    if place is not None and place.prior > 0:
        pairs.append(along(line.inputs, place))
    rows = []
    for pair in sorted(pairs):
        accepted = float(np.asarray(line.implied.profile.highest_posterior(*pair)))
        before = math.prod(pair) * (1.0 if both else held)
        rows.append(_row(before, accepted, float(np.asarray(line.reach(*pair)))))
    return Table(caption, heads, tuple(dict.fromkeys(rows)))


def _row(before: float, accepted: float, reached: float) -> tuple[str, str, str, str]:
    in_people: Quantity = Upper(reached, frequency)
    allowed = word("no_requirement")
    if np.isfinite(accepted):
        limit: Quantity = Allowed(min(accepted, 1.0), frequency)
        if reached <= accepted:
            in_people, limit = in_order(in_people, limit)
        allowed = limit.digits
    after = [Upper(reached, spoken) for spoken in (in_people.spoken, decimal_belief)]
    said = belief_before.decided(before, Style(), after[-1])  # the one with most digits
    return said, allowed, after[0].digits, after[1].digits


QUESTION = label("memo", "heading.question")


def question_section(memo: Memo) -> Section:
    """What is released, the question, the unit and the guarantee, and what the line gains."""
    case, line, spent = memo.case, memo.line, memo.spent
    rows = [
        ("release", case["released"].strip() or word("not_described")),
        ("question", word("asked.question.words", secret=memo.words("plain")["secret"])),
        ("unit", memo.words()["whose"]),
        ("change", word(f"asked.change.{case['relation']}")),
    ]
    if line is not None or spent is not None:
        releases = word(f"asked.releases.{case.of(Terms).scope}", releases=f"{case['releases']:,}")
        rows += [("guarantee", memo.guarantee), ("releases", releases)]
    if spent is not None:
        rows += [
            ("budget", f"**{budget_words(spent.value, spent.budget.currency)}**"),
            *_for_unsure(memo),
            ("together", f"{'ρ' if spent.by_rho else 'ε'} = {spent_together(spent)}"),
            ("failure", Failure(spent.failure, number(2)).digits),
        ]
    if line is not None and line.implied.status is Status.BINDS:
        rows.append(("line_between" if line.is_shared else "line", str(line.context["exact"])))
        rule = one_ratio(line)
        if rule is not None:
            rows += [
                ("ratio", rule.spend),
                ("gain", word("asked.gain.words", gain=rule.gain.digits, gained=rule.gained)),
            ]
        rows.append(("formula", f"{line.context['formula']} ({line.context['certainty'].lower()})"))
    facts = Facts(tuple((word(f"asked.{name}"), told) for name, told in rows))
    blocks: list[Block] = [*_both_voices(memo), facts, Paragraph(memo.words(own=False)["promise"])]
    if memo.inputs.secret_phrase:
        secret = memo.words(own=False)["secret"]
        blocks.append(Paragraph(memo.say("in_own_words", phrase=memo.inputs.secret_phrase, secret=secret)))
    return Section(QUESTION, tuple(blocks), part=word("part.annex"))


def _for_unsure(memo: Memo) -> tuple[tuple[str, str], ...]:
    """The budget that holds for readers who do not know everybody else too, where the line's own is for who does."""
    line = memo.line
    found = None if line is None else budget_for_unsure(line.inputs.line_choice, line.inputs.terms)
    if found is None or memo.spent is None or not memo.spent.keeps_the_line:
        return ()
    return (("unsure", budget_words(found, memo.spent.budget.currency)),)


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
    people = f"{inputs.household:,}"
    rows = [
        _for_unit(memo, word("unit.record"), 1, 1),
        _for_unit(memo, word("unit.record_all"), 1, spent.releases),
    ]
    each_person = own if memo.case["unit"] in ("records", "days") else 1
    year, several = spent.releases * inputs.yearly, each_person * inputs.household
    if own > 1 and own != several:
        rows.append(_for_unit(memo, memo.words()["whose"], own, spent.releases))
    rows += [
        _for_unit(memo, word("unit.person"), each_person, year),
        _for_unit(memo, word("unit.household", people=people), several, spent.releases),
        _for_unit(memo, word("unit.household_year", people=people), several, year),
    ]
    heads = tuple(word(f"unit.{head}") for head in ("for", "changes", "amount", "reach"))
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
        return name, changes, amount, word("unit.no_bound", failure=plain_number(spent.failure, 2))
    own = records == spent.group and releases == spent.releases
    spoken = memo.reached_words(frequency)[1].spoken if own else frequency  # as page one says it
    return name, changes, amount, word("unit.certain") if reached > 0.9999 else Upper(reached, spoken).digits


def _reached(memo: Memo, records: int, releases: int) -> float:
    """How far the belief before that decides can come for so many records in so many releases."""
    spent, line = memo.spent, memo.line
    assert spent is not None
    place = None if line is None else line.implied.binding
    if line is None or place is None:
        return spent.highest(memo.before, records=records, releases=releases).value
    shift = spent.shift_for(records=records, releases=releases)
    if records == spent.group and releases == spent.releases:  # the memo's own promise, for its own noise
        shift = min(shift, spent.shift)
    return float(line.implied.reachable(*along(line.inputs, place), epsilon=shift))
