"""What the memo tells beside the line: minutes of a meeting and a room, the plan, the publication; and one promise."""

from __future__ import annotations

import math
from dataclasses import replace

from dpcore.promise import Promise
from riskline.answers import Source
from riskline.answers.spent import fitting
from riskline.case.choices import LINE_FIELDS
from riskline.case.fields import write_query
from riskline.case.line import LineChoice
from riskline.case.promise import PromiseChoice, contradiction, promise_of
from ui.documents.document import Block, Figure, Paragraph, Section
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.memo.choices import Memo, expert, word
from ui.views.plan import FIELDS, plan_summary
from ui.views.positions.standing import standing_of
from ui.views.publication.view import PublicationSummary, publication_summary
from ui.views.shared.promise import promise_words
from ui.views.shared.published_budgets import RELATION_NAMES
from ui.views.shared.room_minutes import ABOUT, LinesMinutes, RoomMinutes
from ui.views.shared.strip import budget_words
from ui.words.catalogue import label, say
from ui.words.markdown import unstarred
from ui.words.phrasing import exact_budget, people
from ui.words.quantities import Allowed, as_recommended


def minutes_section(memo: Memo) -> Section | None:
    """Every position with its own budget; nothing where none were compared or one is refused."""
    compared = memo.inputs.positions
    if compared is None:
        return None
    decision = None if memo.case.line is None else _words(memo.case.line)
    named = list(zip(compared.called, compared.lines, strict=True))
    try:
        rows = tuple(
            (unstarred(each.name), each.spend_words, each.place_words(memo.style))
            for each in (standing_of(name, line, compared) for name, line in named)
        )
    except ValueError:
        return None
    taken = [unstarred(name) for name, line in named if _words(line) == decision]
    told = memo.say("minutes_taken", party=taken[0]) if taken else memo.say("minutes_none")
    heads = tuple(word(head) for head in ("position", "position.asked", "position.decided"))
    words = memo.say("minutes", positions=f"{len(rows)}", taken=told)
    return Section(word("heading.positions"), (Paragraph(words), Table("", heads, rows)))


def _words(line: LineChoice) -> dict[str, str]:
    return write_query(LINE_FIELDS, vars(line))


TOLD_APART = 3
"""Of fewer people any count says what they answered themselves."""


def room_section(memo: Memo) -> Section | None:
    """What the people of a room drew and voted; nothing where no minutes were taken along."""
    minutes: RoomMinutes = memo.inputs.room
    if not memo.inputs.tells_room:
        return None
    parts: list[Paragraph | Table] = []
    if minutes.lines is not None:
        parts += _lines(memo, minutes.lines)
    if minutes.votes:
        parts += [*_votes(memo, minutes), Paragraph(_decided(memo, minutes))]
    small_print = " ".join(memo.say(name) for name in _small_print_names(minutes))
    parts.append(Paragraph(small_print, "quiet"))
    return Section(word("heading.room"), tuple(parts))


def _decided(memo: Memo, minutes: RoomMinutes) -> str:
    """Whether the room voted for the budget that the memo is of, for another one or for none."""
    voted, found = minutes.decided, memo.spent
    if voted is None:
        return memo.say("room_undecided")
    pure = found is not None and found.entry is None and not (found.by_rho or found.budget.delta)
    same = pure and found is not None and math.isclose(found.value * found.releases, voted.epsilon or 0.0)
    return memo.say("room_decided" if same else "room_decided_other", option=unstarred(voted.name))


def _small_print_names(minutes: RoomMinutes) -> tuple[str, ...]:
    """What the minutes say of single people, by their counts: the passages of the small print."""
    drawn, votes = minutes.lines, [each.now for each in minutes.votes]
    before = [each.before for each in minutes.votes if each.before is not None]
    asked = [drawn.lines] if drawn is not None else []
    asked += [sum(cast) for cast in (votes, before) if cast]
    kept = drawn is not None and drawn.asked is not None and drawn.kept in (0, drawn.lines)
    told = {
        "room_print": True,
        "room_print_strictest": drawn is not None and drawn.every is not None,
        "room_print_few": any(count < TOLD_APART for count in asked),
        "room_print_alike": kept or any(cast and max(cast) == sum(cast) for cast in (votes, before)),
    }
    return tuple(name for name, so in told.items() if so)


def promise_of_room(drawn: LinesMinutes) -> Promise:
    """What the lines of a room are about."""
    secret, relation = ABOUT[drawn.about]
    return promise_of(secret.value, drawn.unit, drawn.group, relation)


def _lines(memo: Memo, drawn: LinesMinutes) -> list[Paragraph | Table]:
    words = promise_words(promise_of_room(drawn), memo.style.voice)
    middle = "room_middle" if drawn.middle is not None else "room_middle_free"
    told = [memo.say("room_lines", lines=people(drawn.lines), **words), memo.say(middle, middle=_budget(drawn.middle))]
    if drawn.asked is not None:
        kept = {"asked": exact_budget(drawn.asked), "kept": f"{drawn.kept}", "lines": f"{drawn.lines}"}
        told.append(memo.say("room_kept", **kept))
    if drawn.every is not None:
        name, every = "kept_all" if drawn.every else "kept_all_none", Allowed(drawn.every, as_recommended)
        told.append(say("room_line", memo.style.voice, name, all=every))
    parts: list[Paragraph | Table] = [Paragraph(" ".join(told)), Paragraph(words["promise"], "quiet")]
    if drawn.groups:
        rows = tuple((unstarred(each.name), f"{each.lines}", _budget(each.middle)) for each in drawn.groups)
        heads = (say("room_line", memo.style.voice, f"column_{name}") for name in ("group", "lines", "middle"))
        parts.append(Table(memo.say("room_groups"), tuple(heads), rows))
    return parts


def _budget(epsilon: float | None) -> str:
    return label("choose", "no_limit") if epsilon is None else f"ε = {exact_budget(epsilon)}"


def _votes(memo: Memo, minutes: RoomMinutes) -> list[Paragraph | Table]:
    """The question that was voted on, and the votes; those of before where every option has them."""
    compared = all(each.before is not None for each in minutes.votes)
    columns = ("option", "before_column", "votes") if compared else ("option", "votes")
    heads = tuple(say("room_vote", memo.style.voice, name) for name in columns)
    votes = [(each.before, each.now) if compared else (each.now,) for each in minutes.votes]
    rows = tuple((unstarred(each.name), *map(str, cast)) for each, cast in zip(minutes.votes, votes, strict=True))
    question = unstarred(minutes.question) or memo.say("room_vote_nothing")
    voted = people(sum(each.now for each in minutes.votes))
    return [Paragraph(memo.say("room_vote", question=question, votes=voted)), Table("", heads, rows)]


BEGINS = {field.name: field.default for field in FIELDS}


def planned_section(memo: Memo) -> Section | None:
    """The plan's answer in its page's numbers, and its rows; nothing where nobody planned."""
    if memo.inputs.plan is None:
        return None
    told, heading = plan_summary(memo.inputs.plan, memo.style), word("tell_plan")
    if told.rows is None or told.readers is None:
        too_long = memo.say("planned_long", rows=f"{len(memo.inputs.plan.rows)}")
        why = memo.say("refused_elsewhere", reason=told.refusal) if told.refusal else too_long
        return Section(heading, (Paragraph(why),))
    small_print = [told.small_print]
    if getattr(memo.inputs.plan, memo.inputs.plan.promise) == BEGINS[memo.inputs.plan.promise]:
        small_print.insert(0, memo.say("planned_unset"))
    quiet = Paragraph(" ".join(small_print), "quiet")
    return Section(heading, (Paragraph(told.answer), told.readers, _named_as_typed(told.rows), quiet))


def shared_by(memo: Memo) -> PublicationSummary | None:
    """The publication of the case at its budget, with noise that fits it; nothing where there is none of either.

    What the page of the publication tries is no part of a memo.
    """
    chosen, spent = memo.inputs.publication, memo.spent
    if chosen is None or spent is None:
        return None
    decided = spent.budget.source is not Source.IMPLIED and 0 < memo.before < 1
    prior = memo.before if decided else chosen.prior
    at_budget = replace(chosen, noise=spent.fitting_noise, start="line", prior=prior)
    return publication_summary(at_budget, Style(voice=memo.style.voice))


def tables_of(published: PublicationSummary | None) -> int:
    """How many tables share the budget."""
    return 0 if published is None or published.every is None else len(published.every.rows)


def readers_blocks(memo: Memo, published: PublicationSummary) -> tuple[Block, ...]:
    """What readers of the tables will see: the page's answer, and the tables with the least room."""
    if published.refusal:
        return (Paragraph(memo.say("refused_elsewhere", reason=published.refusal)),)
    if published.few is None or published.every is None:
        return (Paragraph(published.answer),)
    few, every = len(published.few.rows), len(published.every.rows)
    caption = memo.say("published_few", few=f"{few}", tables=f"{every}") if few < every else ""
    ranges = Paragraph(memo.say("published_ranges", level=published.level), "quiet")
    return Paragraph(published.answer), _named_as_typed(replace(published.few, caption=caption)), ranges


def published_section(published: PublicationSummary) -> Section | None:
    """The risk against the use for the whole publication; nothing without a budget that its tables share."""
    if published.frontier is None:
        return None
    figure = Figure(published.frontier, published.frontier.reading)
    return Section(word("heading.published"), (figure, Paragraph(published.small_print, "quiet")))


def every_table(memo: Memo, published: PublicationSummary) -> Section | None:
    """Every table with its share and its ranges."""
    if published.every is None:
        return None
    caption = memo.say("published_every", level=published.level)
    return Section(expert("heading.every_table"), (_named_as_typed(replace(published.every, caption=caption)),))


def _named_as_typed(table: Table) -> Table:
    """The table with the names of its rows as text, never markup."""
    return replace(table, rows=tuple((unstarred(str(name)), *cells) for name, *cells in table.rows))


def different_promises(memo: Memo) -> str:
    """The sentence that names the two promises of a memo that has two; nothing where all parts carry one."""
    return _of_room(memo) or _of_budget(memo) or _of_noise(memo)


def _of_room(memo: Memo) -> str:
    drawn = memo.inputs.room.lines
    if drawn is None or not memo.inputs.tells_room:
        return ""
    room, ours = promise_of_room(drawn), memo.case.promise
    asked = ABOUT[drawn.about][0].value
    same = (memo.case.asked, ours.group, ours.relation) == (asked, room.group, room.relation)
    if same and (ours.group == 1 or ours.unit == room.unit):  # one record is a person's, whatever the unit
        return ""
    theirs = promise_words(room, memo.style.voice)["promise"]
    return memo.say("apart_about", theirs=f"{word('heading.room')}: {theirs}", ours=memo.words(own=False)["promise"])


def _of_budget(memo: Memo) -> str:
    """Of the decision and what the case asks for; of a published budget and the case's secret and unit."""
    found, case = memo.spent, memo.case
    if found is None:
        return ""
    if found.budget.source is Source.CHOSEN and found.budget.currency != case.currency:
        decided = budget_words(found.value, found.budget.currency)
        return memo.say("apart_decision", decided=decided, guarantee=expert(f"guaranteed.{case['guarantee']}"))
    if found.entry is not None and (contradictory := contradiction(case.of(PromiseChoice))):
        return contradictory
    if found.entry is not None and not found.promises_something:
        entry = found.entry
        theirs = f"{entry.name}: {entry.protected_unit}, {RELATION_NAMES[entry.relation]}."
        return memo.say("apart_about", theirs=theirs, ours=memo.words(own=False)["promise"])
    return ""


def _of_noise(memo: Memo) -> str:
    """Of the noise of the case and its budget."""
    found, case = memo.spent, memo.case
    if found is None:
        return ""
    if "noise" in case and case["noise"] != fitting(case["noise"], by_rho=found.by_rho):
        other = word("currency.rho" if found.by_rho else "currency.epsilon")
    elif "noise" in case and found.noise not in (None, case["noise"]):
        other = label("case", f"named_noise.{found.noise}")
    else:
        return ""
    return memo.say("apart_noise", noise=label("case", f"named_noise.{case['noise']}"), other=other, budget=memo.spend)
