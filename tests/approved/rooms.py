"""Rooms as their pages are approved: what a wall says of made-up answers, and a phone at each step, in any setting."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

from ui.pictures.look import Look
from ui.rooms.meeting import Participant, Phase, Room, Standing, StartedActivity, StoredAnswer
from ui.views.join import JoinInputs, Phone, join_view
from ui.views.room import ACTIVITIES, Held, RoomInputs, Wall, room_view, text_of

ENDS = datetime(2026, 11, 23, 9, 5, tzinfo=UTC)
WHERE = "in a file on the computer that runs Riskline"
GROUPS = ("agency", "agency", "agency", "advocates", "advocates", "advocates", "")
ANSWERS: dict[str, Sequence[dict[str, Any]]] = {
    "prediction": [{"number": float(number)} for number in (3, 8, 8, 12, 15, 40, 100)],
}
"""Seven made-up answers of each kind, by participants of two groups and one of none."""


def started(kind: str, settings: dict[str, Any], phase: Phase) -> StartedActivity:
    """The first activity of a room, as the database holds it."""
    activity = ACTIVITIES[kind]
    return StartedActivity(1, kind, text_of(activity.settings, settings), phase)


def stored(kind: str) -> tuple[StoredAnswer, ...]:
    """The made-up answers, as the database holds them; one participant gave no nickname."""
    activity = ACTIVITIES[kind]
    return tuple(
        StoredAnswer(Participant(number, f"N{number}" if number > 1 else "", group), text_of(activity.answers, values))
        for number, (group, values) in enumerate(zip(GROUPS, ANSWERS[kind], strict=True), start=1)
    )


def room(activity: StartedActivity | None, answered: int = 0) -> Room:
    """A room of seven people."""
    return Room("ABC234", ("agency", "advocates"), activity, Standing(1, 1), len(GROUPS), answered, ENDS)


def _parts(thing: Any) -> Iterator[Any]:
    """The parts of a view one by one, those of a wall among them; no drawing of a square."""
    for field in fields(thing):
        part = getattr(thing, field.name)
        if isinstance(part, Wall):
            yield from _parts(part)
        elif field.name not in ("square", "refusal"):
            yield part


def _wall(kind: str, phase: Phase) -> Callable[[RoomInputs, Look], Any]:
    def told(inputs: RoomInputs, look: Look) -> Any:
        if inputs.activity != kind:
            return ()
        shown = phase is Phase.SHOWN
        running = started(kind, dict(inputs.settings), phase)
        held = Held(room(running, len(GROUPS)), stored(kind) if shown else (), where=WHERE, root="http://localhost/")
        return (None, *_parts(room_view(inputs, look, held)))

    return told


def _waiting(inputs: RoomInputs, look: Look) -> Any:
    return (None, *_parts(room_view(inputs, look, Held(room(None), where=WHERE, root="http://localhost/"))))


WALLS = {"a room before anything is asked": _waiting} | {
    f"{kind}, {phase}": _wall(kind, phase) for kind in ACTIVITIES for phase in Phase
}


def _phone(kind: str, phase: Phase, sent: bool) -> Callable[[JoinInputs, Look], Any]:
    def told(inputs: JoinInputs, look: Look) -> Any:
        activity = ACTIVITIES[kind]
        values = dict(inputs.answers)
        running = started(kind, {field.name: field.default for field in activity.settings}, phase)
        answer = text_of(activity.answers, values) if sent else None
        phone = Phone(room(running), Participant(1, "", ""), answer, WHERE)
        return (None, *_parts(join_view(inputs, look, phone)))

    return told


def _joining(inputs: JoinInputs, look: Look) -> Any:
    return (None, *_parts(join_view(inputs, look, Phone(room(None), None, None, WHERE))))


def _joined(inputs: JoinInputs, look: Look) -> Any:
    return (None, *_parts(join_view(inputs, look, Phone(room(None), Participant(1, "", ""), None, WHERE))))


PHONES = {"a room that was found": _joining, "a room that was joined": _joined} | {
    f"{kind}, {phase}{', sent' if sent else ''}": _phone(kind, phase, sent)
    for kind in ACTIVITIES
    for phase, sent in ((Phase.OPEN, False), (Phase.OPEN, True), (Phase.CLOSED, True), (Phase.SHOWN, True))
}
