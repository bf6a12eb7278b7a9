"""The minutes of a room: what was drawn and voted by how many, as its moderator took them along; nobody's name."""

from __future__ import annotations

from dpcore.promise import Promise
from riskline.case.promise import promise_of
from ui.documents.document import Paragraph, Section
from ui.pictures.table import Table
from ui.views.memo.draft import Memo
from ui.views.positions.standing import unstarred
from ui.views.shared.promise import promise_words
from ui.views.shared.room_minutes import ABOUT, LinesMinutes, RoomMinutes
from ui.words.phrasing import exact_budget, people
from ui.words.quantities import Allowed, as_recommended

MINUTES = "Minutes: the room"
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
    return Section(MINUTES, (*parts, Paragraph(" ".join(memo.say(name) for name in _told_of_each(minutes)), "quiet")))


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
        parts.append(Table(memo.say("room_groups"), ("group", "lines", "its middle line allows"), rows))
    return parts


def _budget(epsilon: float | None) -> str:
    return "no limit" if epsilon is None else f"ε = {exact_budget(epsilon)}"


def _votes(memo: Memo, minutes: RoomMinutes) -> list[Paragraph | Table]:
    """The question that was voted on, and the votes; those of before where every option has them."""
    compared = all(each.before is not None for each in minutes.votes)
    heads = ("option", "votes before", "votes now") if compared else ("option", "votes")
    rows = tuple(
        (unstarred(each.name), *((f"{each.before}",) if compared else ()), f"{each.now}") for each in minutes.votes
    )
    question = unstarred(minutes.question) or memo.say("room_vote_nothing")
    voted = people(sum(each.now for each in minutes.votes))
    return [
        Paragraph(memo.say("room_vote", question=question, votes=voted)),
        Table(memo.say("room_votes"), heads, rows),
    ]
