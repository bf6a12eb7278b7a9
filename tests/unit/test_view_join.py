"""A participant reads what is stored of them, the question, and "sent" only of what the database has confirmed."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from riskline.case.interview import line_of
from tests.approved.rooms import ANSWERS, KEPT, room, started, stored
from ui.pictures.style import Style
from ui.rooms.meeting import Participant, Phase, StoredAnswer
from ui.views.join import JoinInputs, JoinView, Phone, join_view
from ui.views.room import ACTIVITIES, RoomInputs, room_view
from ui.views.room.activity import text_of
from ui.views.room.attack import drawn_name
from ui.views.room.view import Held, RoomView, result_on_phones

KINDS = list(ACTIVITIES)
WHO = Participant(1, "", "")


def phone(kind: str, phase: Phase, values: dict[str, Any] | None = None) -> Phone:
    answer = None if values is None else text_of(ACTIVITIES[kind].answers, values)
    return Phone(room(started(kind, dict(RoomInputs().settings), phase)), participant=WHO, sent=answer)


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


@pytest.mark.parametrize(("answered", "told"), [("", "ε = 1.09"), ("ot1", ""), ("ot11111yy", "ε = 0.60")])
def test_no_line_is_called_ones_own_before_the_questions_that_draw_it_are_answered(answered: str, told: str) -> None:
    made = dict(JoinInputs().answers) | {f"line_{name}": value for name, value in line_of(answered).items()}
    draft = join_view(JoinInputs.of(made), Style(), phone("line", Phase.OPEN)).draft
    assert draft.startswith(f"Your line allows **{told}**" if told else "")
    assert bool(draft) == bool(told)


def test_nobody_is_asked_before_joining() -> None:
    found = Phone(room(started(KINDS[0], dict(RoomInputs().settings), Phase.OPEN)), participant=None)
    assert found.asked is None
    assert "**ABC 234**" in join_view(JoinInputs(), Style(), found).answer


@pytest.mark.parametrize("kept", KEPT)
def test_what_is_stored_where_and_until_when_stands_on_the_phone(kept: str) -> None:
    where, outlasts = KEPT[kept]
    view = join_view(
        JoinInputs(), Style(), Phone(room(None), participant=WHO, sent=None, kept=kept, zone="Europe/Zurich")
    )
    told = view.stored
    assert where in told
    assert ("PostgreSQL's files and backups can hold it longer." in view.stored_more) == outlasts
    ended = join_view(JoinInputs(), Style(), None, f"ended_{kept}").answer
    assert ended.startswith("The room has ended. Everything it stored is deleted")
    assert ("PostgreSQL's files and backups can hold it longer." in ended) == outlasts
    assert "23 November, 10:05" in told
    assert "no name, no address" in told


def answered_alike(kind: str, settings: dict[str, Any]) -> list[StoredAnswer]:
    """The made-up answers; in a game, of people with tables of their own, each a round shorter than the one before."""
    given = stored(kind, settings)
    if kind == "attack":
        given = tuple(replace(one, answer=one.answer[: -2 * at or None]) for at, one in enumerate(given))
    return [replace(one, participant=replace(one.participant, own=977 * one.participant.number)) for one in given]


def shown_on(kind: str, settings: dict[str, Any], given: list[StoredAnswer], at: int) -> tuple[JoinView, RoomView]:
    """The phone of one of these people, and the wall, when the result is shown."""
    running = started(kind, settings, Phase.SHOWN)
    in_room = room(running, len(given))
    shared = result_on_phones(running, tuple(given), (), Style())
    phone = Phone(in_room, participant=given[at].participant, sent=given[at].answer, wall=shared)
    held = Held(in_room, tuple(given), projected=True)
    return join_view(JoinInputs(), Style(), phone), room_view(RoomInputs(activity=kind), Style(), held)


def told_on(view: JoinView, key: str) -> tuple[Any, ...]:
    """What the phone's picture has under a name; nothing where it has no such column."""
    assert view.result is not None
    assert view.result.picture is not None
    columns = [column for rows in view.result.picture.numbers.rows for column in rows.columns]
    return next((tuple(column.values) for column in columns if column.key == key), ())


def counts_without(kind: str, settings: dict[str, Any], given: list[StoredAnswer], at: int) -> tuple[Any, ...]:
    """The votes on the wall where somebody did not vote."""
    _, wall = shown_on(kind, settings, [one for place, one in enumerate(given) if place != at], 0)
    assert wall.wall is not None
    assert wall.wall.picture is not None
    return tuple(wall.wall.picture.numbers.column("now").values)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("at", range(7))
def test_a_phone_says_of_its_own_answer_what_the_wall_counts_of_it(kind: str, at: int) -> None:
    settings = dict(RoomInputs().settings)
    given = answered_alike(kind, settings)
    own, (phone, wall) = ANSWERS[kind][at], shown_on(kind, settings, given, at)
    assert phone.result is not None
    assert wall.wall is not None
    assert phone.answer == wall.answer
    if kind == "attack":
        who = given[at].participant
        names = (drawn_name(who.drawn), who.nickname)
        scored = [row[3] for table in wall.wall.tables for row in table.rows if row[1] in names]
        assert len(scored) == (at < 6)  # whom nobody else comes near is not among the scores
        assert [said.split(" of ")[0] for said in scored] == [f"{right}" for right in told_on(phone, "own")]
    elif kind == "prediction":
        assert told_on(phone, "own") == ((own["number"],) if at < 6 else ())  # the picture ends before the last guess
        assert f"{own['number']:g}" in phone.own
    elif kind == "line":
        columns = [column for rows in wall.wall.more[0].numbers.rows for column in rows.columns]
        drawn = np.concatenate([column.numbers for column in columns if column.key.startswith("epsilon")])
        own_budget = re.search(r"ε = ([\d.]+)", phone.own)
        assert drawn.size == 6  # the last line sets no limit
        assert (own_budget is None) == (at == 6)
        assert own_budget is None or np.abs(drawn - float(own_budget[1])).min() < 0.01
    elif kind == "vote":
        assert own["vote_choice"] in phone.own
        lost = np.subtract(told_on(phone, "now"), counts_without(kind, settings, given, at))
        assert lost.tolist() == [float(option == own["vote_choice"]) for option in settings["vote_options"]]
    else:  # nobody is told what the coins said of them
        assert phone.own == shown_on(kind, settings, given, at - 1)[0].own
