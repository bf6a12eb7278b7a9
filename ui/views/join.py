"""A participant's page: what is stored of them, the question, their own answer and whether it arrived."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from riskline.case.fields import Field
from riskline.case.line import DEFAULT_POINTS
from ui.link.page_table import worded
from ui.pictures.style import Style
from ui.rooms.meeting import OnAPhone, Phase, Room, StartedActivity
from ui.views.room.activity import LONGEST_NAME, Activity, ParticipantAnswer, Wall, read_line, values_of
from ui.views.room.choices import ACTIVITIES, activity_of, address_field
from ui.views.room.view import BOUNDS, ENDED, at, spaced, when_deleted
from ui.words.catalogue import label, say
from ui.words.quantities import Typed, whole

NICKNAME = worded(
    Field("nickname", "", "custom", "", read=read_line, write=str), "join", longest=Typed(LONGEST_NAME, whole)
)
"""Judged like a choice of the page, and kept in no address."""

ANSWER_FIELDS = tuple(
    replace(field, private=True, in_address=False) for activity in ACTIVITIES.values() for field in activity.answers
)
"""They stand in no address: it stays in the history of a browser that others may use."""

QUESTION = label("join", "question")
FIELDS: tuple[Field, ...] = (address_field("room", "code"), address_field("join", "me"), *ANSWER_FIELDS)


@dataclass(frozen=True)
class JoinInputs:
    """What a participant has typed or drawn and not yet sent. No key and no code."""

    answers: tuple[tuple[str, Any], ...] = tuple((field.name, field.default) for field in ANSWER_FIELDS)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> JoinInputs:
        """The choices of a page's values."""
        return cls(tuple((name, values[name]) for name, _ in cls.answers))


@dataclass(frozen=True)
class Phone(OnAPhone):
    """What one participant's device knows of the room: where it is kept, the device's time, what is shown."""

    kept: str = "file"
    zone: str = ""
    wall: Wall | None = None  # the result, once it is shown

    @property
    def asked(self) -> StartedActivity | None:
        """The activity that still wants an answer of this participant."""
        running = self.room.activity
        if self.participant is None or running is None or running.phase is not Phase.OPEN:
            return None
        activity, settings = activity_of(running)
        stays = activity.first_answer_stays and self.sent is not None
        return None if stays and activity.finished(settings, values_of(activity.answers, self.sent or "")) else running


@dataclass(frozen=True)
class JoinView:
    """Everything the page shows."""

    question: str
    answer: str
    small_print: str = ""
    stored: str = ""
    stored_more: str = ""
    help: str = ""
    own: str = ""
    sent: str = ""
    draft: str = ""
    result: Wall | None = None
    moment: str = ""  # another one whenever the page shows something else
    refusal: str | None = None


def join_view(inputs: JoinInputs, style: Style, phone: Phone | None = None, reason: str = "") -> JoinView:
    """The page before a room is found, before and after joining, at each step of an activity, and when all is over."""
    voice = style.voice
    if reason in ENDED:
        return JoinView(QUESTION, when_deleted("ended", ENDED[reason], voice))
    if phone is None:
        return JoinView(QUESTION, say("join", voice, "invitation"), say("join", voice, "invitation_small"))
    context = {
        "code": spaced(phone.room.code),
        "where": label("room", f"kept.{phone.kept}"),
        "ends": at(phone.room.ends, phone.zone),
        "days": BOUNDS["days"],
    }
    context |= {
        "until": say("room", voice, "until", **context),
        "deletion": when_deleted("deletion", phone.kept, voice),
    }
    stored: dict[str, Any] = {name: say("join", voice, name, **context) for name in ("stored", "stored_more")}
    running = phone.room.activity
    if phone.participant is None:
        below = say("join", voice, "door_closed") if phone.room.door_closed else ""
        return JoinView(QUESTION, say("join", voice, "found", **context), below, **stored)
    joined = say("join", voice, "joined", **context)
    if running is None:
        return JoinView(joined, say("join", voice, "no_question"), **stored)
    activity, settings = activity_of(running)
    stored["moment"] = f"{running.number} {running.phase} {phone.sent if activity.goes_on else ''}"
    asked = activity.asked(settings, style)
    own = values_of(activity.answers, phone.sent) if phone.sent is not None else None
    told = "" if own is None else activity.own_words(settings, own, style)
    arrived = "sent" if running.phase is Phase.OPEN else "sent_closed"
    arrived = "sent_final" if activity.first_answer_stays else arrived
    goes_on = own is not None and activity.goes_on
    if phone.wall is not None:
        wall, who = phone.wall, phone.participant
        if own is not None and wall.picture is not None:
            given = ParticipantAnswer(who, activity.counted(wall, own))
            wall = replace(wall, picture=activity.with_own(wall.picture, settings, given, style))
        return JoinView(joined, wall.answer, asked.question, **stored, own=told, result=wall)
    return JoinView(
        joined,
        answer=asked.question,
        small_print=_below(phone.room, running, voice),
        **stored,
        help="" if goes_on else asked.help,
        own=told,
        sent="" if own is None or (goes_on and phone.asked) else say("join", voice, arrived),
        draft=_draft(activity, settings, dict(inputs.answers), style)
        if phone.asked and not activity.first_answer_stays
        else "",
    )


def _below(room: Room, running: StartedActivity, voice: str) -> str:
    """What is said of the result below the question."""
    of_room = {Phase.GONE: "gone", Phase.SHOWN: "nobody"}
    if running.phase in of_room and not room.withheld:
        return say("room", voice, of_room[running.phase])
    told = say("join", voice, "too_few" if room.withheld else running.phase)
    closed = room.withheld or running.phase is Phase.HIDDEN
    return f"{say('join', voice, 'closed')} {told}" if closed else told


def _draft(activity: Activity, settings: Mapping[str, Any], typed: Mapping[str, Any], style: Style) -> str:
    """What is told of an answer that is not sent yet; nothing where it does not fit the question."""
    values = {field.name: typed[field.name] for field in activity.answers}
    if values.get("line_interview") and values["line_points"] == DEFAULT_POINTS:
        return ""  # the line is drawn by the last question
    try:
        return activity.own_words(settings, activity.judged(settings, values), style)
    except ValueError:
        return ""
