"""What the memo tells beside the line: minutes of a meeting and a room, the plan, the publication; and one promise."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial

from dpcore.promise import Promise
from riskline.answers import Source
from riskline.case.choices import LINE_FIELDS
from riskline.case.fields import write_query
from riskline.case.line import LineChoice
from riskline.case.promise import promise_of
from ui.documents.document import Block, Figure, Paragraph, Section
from ui.pictures.description import Description
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.memo.costs import told_apart
from ui.views.memo.draft import Memo
from ui.views.plan import FIELDS, plan_summary
from ui.views.positions.standing import Standing, place_words, price_of_conceding, spend_words, standing_of, unstarred
from ui.views.publication import PublicationInputs, PublicationSummary, publication_summary
from ui.views.shared.promise import promise_words
from ui.views.shared.published_budgets import RELATION_NAMES
from ui.views.shared.room_minutes import ABOUT, LinesMinutes, RoomMinutes
from ui.views.shared.strip import budget_words
from ui.words.catalogue import label
from ui.words.phrasing import exact_budget, people, plain_number
from ui.words.quantities import Allowed, as_recommended

word = partial(label, "memo")
POSITIONS = label("memo", "heading.positions")


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
    heads = tuple(word(head) for head in ("position", "position.asked", "position.decided", "position.gave_up"))
    words = memo.say("minutes", positions=f"{len(parties)}", taken=told)
    return Section(POSITIONS, (Paragraph(words), *apart, Table(memo.say("minutes_table"), heads, rows)))


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


ROOM = label("memo", "heading.room")
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
        parts += _votes(memo, minutes)
    return Section(ROOM, (*parts, Paragraph(" ".join(memo.say(name) for name in _told_of_each(minutes)), "quiet")))


def _told_of_each(minutes: RoomMinutes) -> tuple[str, ...]:
    """What the minutes say of single people, by their counts: the passages of the small print."""
    drawn, votes = minutes.lines, [each.now for each in minutes.votes]
    before = [each.before for each in minutes.votes if each.before is not None]
    asked = [drawn.lines] if drawn is not None else []
    asked += [sum(cast) for cast in (votes, before) if cast]
    kept = drawn is not None and drawn.asked is not None and drawn.kept in (0, drawn.lines)
    alike = kept or any(cast and max(cast) == sum(cast) for cast in (votes, before))
    told = {
        "room_print": True,
        "room_print_strictest": drawn is not None and drawn.every is not None,
        "room_print_few": any(count < TOLD_APART for count in asked),
        "room_print_alike": alike,
    }
    return tuple(name for name, so in told.items() if so)


def promise_of_room(drawn: LinesMinutes) -> Promise:
    """What the lines of a room are about."""
    secret, relation = ABOUT[drawn.about]
    return promise_of(secret.value, drawn.unit, drawn.group, relation)


def asked_in_room(drawn: LinesMinutes) -> str:
    """Whether they are about presence or a value."""
    return ABOUT[drawn.about][0].value


def _lines(memo: Memo, drawn: LinesMinutes) -> list[Paragraph | Table]:
    words = promise_words(promise_of_room(drawn), memo.style.voice)
    middle = "room_middle" if drawn.middle is not None else "room_middle_free"
    told = [memo.say("room_lines", lines=f"{drawn.lines}", **words)]
    told.append(memo.say(middle, middle=_budget(drawn.middle)))
    if drawn.asked is not None:
        kept = {"asked": exact_budget(drawn.asked), "kept": f"{drawn.kept}", "lines": f"{drawn.lines}"}
        told.append(memo.say("room_kept", **kept))
    if drawn.every is not None:
        every = Allowed(drawn.every, as_recommended)
        told.append(memo.say("room_every", every=every) if drawn.every else memo.say("room_every_none"))
    parts: list[Paragraph | Table] = [Paragraph(" ".join(told)), Paragraph(words["promise"], "quiet")]
    if drawn.groups:
        rows = tuple((unstarred(each.name), f"{each.lines}", _budget(each.middle)) for each in drawn.groups)
        parts.append(Table(memo.say("room_groups"), tuple(map(word, ("group", "group.lines", "group.middle"))), rows))
    return parts


def _budget(epsilon: float | None) -> str:
    return word("no_limit_of_room") if epsilon is None else f"ε = {exact_budget(epsilon)}"


def _votes(memo: Memo, minutes: RoomMinutes) -> list[Paragraph | Table]:
    """The question that was voted on, and the votes; those of before where every option has them."""
    compared = all(each.before is not None for each in minutes.votes)
    heads = tuple(word(f"vote.{name}") for name in (("option", "before", "now") if compared else ("option", "votes")))
    rows = tuple(
        (unstarred(each.name), *((f"{each.before}",) if compared else ()), f"{each.now}") for each in minutes.votes
    )
    question = unstarred(minutes.question) or memo.say("room_vote_nothing")
    voted = people(sum(each.now for each in minutes.votes))
    return [
        Paragraph(memo.say("room_vote", question=question, votes=voted)),
        Table(memo.say("room_votes"), heads, rows),
    ]


BEGINS = {field.name: field.default for field in FIELDS}
PLANNED = label("memo", "heading.planned")


def planned_section(memo: Memo) -> Section | None:
    """The plan's answer in its page's numbers, and its rows; nothing where nobody planned."""
    if memo.inputs.plan is None:
        return None
    told = plan_summary(memo.inputs.plan, memo.style)
    if told.long:
        return Section(PLANNED, (Paragraph(memo.say("planned_long", rows=f"{len(memo.inputs.plan.rows)}")),))
    if told.rows is None:
        return Section(PLANNED, (Paragraph(memo.say("planned_refused", reason=told.refusal)),))
    answer = memo.say(f"planned_{told.kind}", **told.context)
    words = memo.say("planned", **told.context, answer=memo.own(answer))
    apart: tuple[Paragraph, ...] = ()
    if getattr(memo.inputs.plan, memo.inputs.plan.promise) == BEGINS[memo.inputs.plan.promise]:
        apart = (Paragraph(memo.say(f"planned_unset_{memo.inputs.plan.promise}"), "quiet"),)
    rows = tuple((unstarred(str(name)), *cells) for name, *cells in told.rows.rows)
    table = replace(told.rows, rows=rows)
    return Section(PLANNED, (Paragraph(words), *apart, table, Paragraph(told.small_print, "quiet")))


PUBLISHED = label("memo", "heading.published")
EVERY_TABLE = label("memo", "heading.every_table")


@dataclass(frozen=True)
class Published:
    """The publication as the memo tells it: the tables of the case share its budget."""

    memo: Memo
    told: PublicationSummary

    @classmethod
    def of(cls, memo: Memo) -> Published | None:
        """The publication of the case at the case's budget; nothing where there is none of either."""
        if memo.inputs.publication is None or memo.spent is None:
            return None
        return cls(
            memo, publication_summary(at_the_budget(memo, memo.inputs.publication), Style(voice=memo.style.voice))
        )

    @property
    def has_tables(self) -> bool:
        """Whether there is a budget that its tables share."""
        return self.told.every is not None

    @property
    def decided(self) -> tuple[Paragraph, ...]:
        """What its tables get."""
        memo, told = self.memo, self.told
        if told.refusal:
            return (Paragraph(memo.say("published_refused", reason=told.refusal)),)
        if not self.has_tables:
            return (Paragraph(memo.say(f"published_{told.kind}")),)
        tables = told.context["tables"]
        together = memo.say("published_table" if tables == "1" else "published_tables", tables=tables)
        words = [memo.say(f"published_{told.kind}", **told.context, together=together)]
        said = told.kind == "wide" or told.context["posterior"].digits in told.context["keeping"]
        if not said:
            words.append(memo.say("published_person", **told.context))
        return (Paragraph(memo.own(" ".join(words))),)

    @property
    def ranges(self) -> tuple[Block, ...]:
        """What readers of the tables will see: the tables with the least room."""
        few, every = self.told.few, self.told.every
        if few is None or every is None:
            return ()
        words = self.memo.say("published_ranges", **self.told.context)
        some = len(few.rows) < len(every.rows)
        caption = self.memo.say("published_few", few=f"{len(few.rows)}", **self.told.context) if some else ""
        return Paragraph(words), _named_as_typed(replace(few, caption=caption))

    @property
    def picture(self) -> Description | None:
        """The risk against the use, with its reading about the memo's own secret."""
        drawn = self.told.frontier
        return None if drawn is None else replace(drawn, reading=self.memo.own(drawn.reading))

    @property
    def section(self) -> Section | None:
        """How it is shared, and the risk against the use for the whole."""
        if not self.has_tables:
            return None
        blocks: list[Block] = [Paragraph(self.memo.say("published_shared", **self.told.context))]
        if self.picture is not None:
            blocks.append(Figure(self.picture, self.picture.reading))
        return Section(PUBLISHED, tuple(blocks))

    @property
    def tables(self) -> Section | None:
        """Every table with its budget and its ranges."""
        if self.told.every is None:
            return None
        caption = self.memo.say("published_every", **self.told.context)
        return Section(EVERY_TABLE, (_named_as_typed(replace(self.told.every, caption=caption)),))


def at_the_budget(memo: Memo, chosen: PublicationInputs) -> PublicationInputs:
    """The publication with the budget of the case, and noise that fits it: what its page tries is no part of a memo."""
    assert memo.spent is not None
    decided = memo.spent.budget.source is not Source.IMPLIED and 0 < memo.before < 1
    prior = memo.before if decided else chosen.prior
    return replace(chosen, noise=memo.spent.fitting_noise, start="line", prior=prior)


def _named_as_typed(table: Table) -> Table:
    """The table with the names of its rows as text, never markup."""
    return replace(table, rows=tuple((unstarred(str(name)), *cells) for name, *cells in table.rows))


def different_promises(memo: Memo) -> str:
    """The sentence that names the two promises of a memo that has two; nothing where all parts carry one."""
    return _of_room(memo) or _of_budget(memo) or _of_noise(memo)


def _of_room(memo: Memo) -> str:
    drawn = memo.inputs.room.lines
    if drawn is None or not memo.inputs.tells_room or memo.is_about(asked_in_room(drawn), promise_of_room(drawn)):
        return ""
    theirs = promise_words(promise_of_room(drawn), memo.style.voice)["promise"]
    return memo.say("apart_room", theirs=theirs, ours=memo.words(own=False)["promise"])


def _of_budget(memo: Memo) -> str:
    """Of the decision and what the case asks for; of a published budget and the case's secret and unit."""
    found, case = memo.spent, memo.case
    if found is None:
        return ""
    if found.budget.source is Source.CHOSEN and found.budget.currency != case.currency:
        decided = budget_words(found.value, found.budget.currency)
        return memo.say("apart_decision", decided=decided, guarantee=word(f"guaranteed.{case['guarantee']}"))
    if found.entry is not None and not found.promises_something:
        words = {"publisher": found.entry.name, "unit": found.entry.protected_unit}
        words |= {"relation": RELATION_NAMES[found.entry.relation], "ours": memo.words(own=False)["promise"]}
        return memo.say("apart_published", **words)
    return ""


def _of_noise(memo: Memo) -> str:
    """Of the noise of the case and its budget."""
    found, case = memo.spent, memo.case
    if found is None:
        return ""
    noise = label("case", f"named_noise.{case['noise']}")
    if "noise" in case and not found.keeps_budget(case["noise"]):
        spends = word("currency.epsilon" if found.by_rho else "currency.rho")
        return memo.say("apart_noise", noise=noise, currency=spends, budget=memo.spend)
    if "noise" in case and found.noise not in (None, case["noise"]):
        other = label("case", f"named_noise.{found.noise}")
        return memo.say("apart_law", noise=noise, other=other, budget=memo.spend)
    return ""
