"""A participant reads what is stored of them, the question, and "sent" only of what the database has confirmed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.approved.rooms import ANSWERS, WHERE, room, started
from ui.pictures.style import Style
from ui.rooms.meeting import Participant, Phase
from ui.views.join import JoinInputs, Phone, join_view
from ui.views.room import ACTIVITIES, RoomInputs
from ui.views.room.activity import text_of

KINDS = list(ACTIVITIES)
WHO = Participant(1, "", "")


def phone(kind: str, phase: Phase, values: dict[str, Any] | None = None) -> Phone:
    answer = None if values is None else text_of(ACTIVITIES[kind].answers, values)
    return Phone(room(started(kind, dict(RoomInputs().settings), phase)), WHO, answer, WHERE)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("phase", list(Phase))
def test_sent_is_said_of_a_confirmed_answer_and_of_no_other(kind: str, phase: Phase) -> None:
    assert not join_view(JoinInputs(), Style(), phone(kind, phase)).sent
    view = join_view(JoinInputs(), Style(), phone(kind, phase, ANSWERS[kind][0]))
    assert view.sent.startswith("**Sent.**")
    changeable = phase is Phase.OPEN and not ACTIVITIES[kind].first_answer_stays
    assert ("You can change it until" in view.sent) == changeable


@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_is_asked_for_while_the_activity_is_open(kind: str) -> None:
    assert phone(kind, Phase.OPEN).asked is not None
    assert phone(kind, Phase.CLOSED).asked is None
    assert phone(kind, Phase.SHOWN).asked is None
    again = phone(kind, Phase.OPEN, ANSWERS[kind][0]).asked
    assert (again is None) == ACTIVITIES[kind].first_answer_stays


def test_nobody_is_asked_before_joining() -> None:
    found = Phone(room(started(KINDS[0], dict(RoomInputs().settings), Phase.OPEN)), None, None, WHERE)
    assert found.asked is None
    assert "**ABC 234**" in join_view(JoinInputs(), Style(), found).answer


def test_what_is_stored_where_and_until_when_stands_on_the_phone() -> None:
    told = join_view(JoinInputs(), Style(), Phone(room(None), WHO, None, WHERE, "Europe/Zurich")).stored
    assert WHERE in told
    assert "23 November, 10:05" in told
    assert "no name, no address" in told
