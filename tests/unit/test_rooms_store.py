"""What a room keeps, for whom and until when; on SQLite and on PostgreSQL."""

from __future__ import annotations

import logging
import os
import re
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from inspect import getsource, signature
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine, delete, event, inspect, select, text, update

from tests.postgresql import PostgreSQL
from tests.stored_answers import stored_answers
from ui.rooms import codes
from ui.rooms import database as databases
from ui.rooms import store as rooms
from ui.rooms.clock import steady_clock
from ui.rooms.codes import hashed, new_code, new_key, wall_key
from ui.rooms.database import ROOMS, TABLES
from ui.rooms.meeting import (
    DRAWN_NAMES,
    Confirmation,
    OnAPhone,
    OpenedRoom,
    Participant,
    Phase,
    RoomVersions,
    StartedActivity,
    StoredAnswer,
)
from ui.rooms.meeting import drawn as everybody_drawn
from ui.rooms.refusals import RoomCode, RoomRefused
from ui.rooms.store import LIFETIME, RoomStore

ROOT = Path(__file__).resolve().parents[2]
BEGAN = 1_800_000_000.0
HOUR = 3600.0


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.time = BEGAN

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(rooms_database: str, clock: Clock) -> Iterator[RoomStore]:
    store = RoomStore(rooms_database, clock)
    yield store
    clock.time += 1000 * LIFETIME
    store.sweep()
    store.close()


def engine_of(store: RoomStore) -> Engine:
    return store._database._engine


def rows(store: RoomStore) -> dict[str, list[tuple[Any, ...]]]:
    """All that the database holds."""
    with engine_of(store).connect() as connection:
        return {
            name.removeprefix("riskline_"): [tuple(row) for row in connection.execute(select(table))]
            for name, table in TABLES.tables.items()
        }


def refusal(call: Callable[..., Any], *given: Any, **named: Any) -> RoomCode:
    with pytest.raises(RoomRefused) as refused:
        call(*given, **named)
    return refused.value.code


def all_at_once(calls: list[Callable[[], Any]]) -> list[Any]:
    """What each call returned or was refused for, all begun together."""
    together = threading.Barrier(len(calls))

    def begin(call: Callable[[], Any]) -> Any:
        together.wait()
        try:
            return call()
        except RoomRefused as refused:
            return refused.code

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(begin, calls))


def with_names(store: RoomStore, groups: Sequence[str] = ()) -> OpenedRoom:
    """A room just opened, in which people may type a name."""
    room = store.open_room(groups)
    with store._database.write() as connection:
        connection.execute(update(ROOMS).where(ROOMS.c.code == room.code).values(names_typed=True))
    return room


def meeting(store: RoomStore, people: int = 1, **settings: Any) -> tuple[OpenedRoom, list[str]]:
    """A room with people in it and a vote that runs."""
    room = with_names(store)
    keys = [new_key() for _ in range(people)]
    for key in keys:
        store.join(room.code, key)
    store.start(room.code, room.moderator_key, "vote", "options=a", **settings)
    return room, keys


def agreed(store: RoomStore, code: str, number: int, *keys: str) -> None:
    """That a result of fewer than three answers is shown: all who answered agree."""
    for key in keys:
        store.agree(code, key, number)


def moderating(store: RoomStore, code: str, key: str) -> list[Callable[[], Any]]:
    """Everything that only the moderator may do."""
    return [
        lambda: store.set_groups(code, key, ["x"]),
        lambda: store.set_script(code, key, "5; Vote"),
        lambda: store.people(code, key),
        lambda: store.remove(code, key, 1),
        lambda: store.take_nickname(code, key, 1),
        lambda: store.show_name(code, key, 1, "Ann"),
        lambda: store.set_names(code, key, typed=True),
        lambda: store.set_door(code, key, closed=True),
        lambda: store.renew_key(code, key, new_key()),
        lambda: store.start(code, key, "vote", ""),
        lambda: store.set_phase(code, key, 1, Phase.SHOWN),
        lambda: store.results(code, key),
        lambda: store.activities(code, key),
        lambda: store.end(code, key),
    ]


def everything(store: RoomStore, code: str, moderator: str, participant: str) -> list[Callable[[], Any]]:
    """Everything that needs a room which is there."""
    return [
        lambda: store.room(code),
        lambda: store.on_the_wall(code, moderator),
        lambda: store.on_a_phone(code, participant),
        lambda: store.join(code, participant),
        lambda: store.answer(code, participant, 1, "a=1"),
        lambda: store.leave(code, participant),
        *moderating(store, code, moderator),
    ]


# --- A meeting --------------------------------------------------------------------------------------------------------


def test_a_meeting_from_its_code_to_its_end(store: RoomStore, clock: Clock) -> None:
    room = with_names(store, ["agency", "data users"])
    assert store.versions(room.code) == RoomVersions(1, 0)
    ann, ben = new_key(), new_key()
    assert store.join(room.code, ann, "Ann", "agency") == Participant(1, "Ann", "agency", pending=True)
    assert store.join(room.code, ben) == Participant(2, "", "")
    assert store.start(room.code, room.moderator_key, "vote", "options=a%2Cb") == 1
    assert store.answer(room.code, ben, 1, "choice=b") == Confirmation("choice=b", kept_first=False)
    assert store.answer(room.code, ann, 1, "choice=a") == Confirmation("choice=a", kept_first=False)
    now = store.room(room.code)
    assert (now.code, now.groups) == (room.code, ("agency", "data users"))
    assert now.activity == StartedActivity(1, "vote", "options=a%2Cb", Phase.OPEN)
    assert (now.people, now.answered, now.versions) == (2, 2, RoomVersions(2, 4))
    assert now.ends == datetime.fromtimestamp(BEGAN + LIFETIME, UTC)
    agreed(store, room.code, 1, ann, ben)
    store.set_phase(room.code, room.moderator_key, 1, Phase.SHOWN)
    told = stored_answers(store, room.code, 1)
    assert [replace(one, participant=replace(one.participant, drawn=None, own=0)) for one in told] == [
        StoredAnswer(Participant(1, "", "agency", pending=True), "choice=a"),
        StoredAnswer(Participant(2, "", ""), "choice=b"),
    ]
    assert store.start(room.code, room.moderator_key, "line", "") == 2
    assert [(one.kind, one.phase) for one in store.activities(room.code, room.moderator_key)] == [
        ("vote", Phase.SHOWN),
        ("line", Phase.OPEN),
    ]
    assert (store.room(room.code).answered, store.own_answer(room.code, ann, 1)) == (0, "choice=a")
    assert store.own_answer(room.code, ann, 2) is None
    store.end(room.code, room.moderator_key)
    assert rows(store) == {"rooms": [], "participants": [], "activities": [], "answers": []}
    assert store.versions(room.code) is None


def test_two_rooms_know_nothing_of_each_other(store: RoomStore) -> None:
    (one, keys), (other, _) = meeting(store, people=2), meeting(store, people=1)
    store.answer(one.code, keys[0], 1, "a=1")
    assert (store.room(other.code).answered, stored_answers(store, other.code, 1)) == (0, ())
    assert refusal(store.answer, other.code, keys[0], 1, "a=1") is RoomCode.NOT_JOINED
    assert store.participant(other.code, keys[0]) is None
    assert store.own_answer(other.code, keys[0], 1) is None
    assert not store.is_moderator(other.code, one.moderator_key)
    store.end(other.code, other.moderator_key)
    assert store.own_answer(one.code, keys[0], 1) == "a=1"
    assert {name: len(found) for name, found in rows(store).items()} == {
        "rooms": 1,
        "participants": 2,
        "activities": 1,
        "answers": 1,
    }


# --- Keys and codes ---------------------------------------------------------------------------------------------------


def test_no_key_stands_in_the_database(store: RoomStore) -> None:
    room, (key,) = meeting(store)
    store.answer(room.code, key, 1, "a=1")
    held = repr(rows(store))
    for kept in (key, room.moderator_key, wall_key(room.moderator_key)):
        assert kept not in held
        assert repr(hashed(kept)) in held


def test_every_call_that_takes_a_key_is_tried_with_wrong_ones() -> None:
    taking = {
        name
        for name, call in vars(RoomStore).items()
        if name[0] != "_" and callable(call) and [*signature(call).parameters][1:3] == ["code", "key"]
    }
    tried = set(re.findall(r"store\.(\w+)\(code, key", getsource(moderating)))
    assert taking - tried == {"is_moderator", "on_the_wall", "result"}  # each by its own test, below
    assert tried <= taking


def test_only_the_moderators_key_moderates_and_a_wrong_one_changes_nothing(store: RoomStore) -> None:
    room, (key,) = meeting(store)
    store.answer(room.code, key, 1, "a=1")
    before = rows(store)
    wall = wall_key(room.moderator_key)
    for wrong in (key, new_key(), "", room.code, room.moderator_key[:-1], room.moderator_key + "A", "\ud800", wall):
        assert not store.is_moderator(room.code, wrong)
        if wrong != wall:
            assert refusal(store.on_the_wall, room.code, wrong) is RoomCode.WRONG_KEY
        for call in moderating(store, room.code, wrong):
            assert refusal(call) is RoomCode.WRONG_KEY
    assert rows(store) == before
    assert store.is_moderator(room.code, room.moderator_key)


def test_every_key_is_compared_in_constant_time(store: RoomStore, monkeypatch: pytest.MonkeyPatch) -> None:
    room, (key,) = meeting(store)
    monkeypatch.setattr(codes, "compare_digest", lambda one, other: False)  # nothing else says that a key is right
    assert not store.is_moderator(room.code, room.moderator_key)
    for call in moderating(store, room.code, room.moderator_key):
        assert refusal(call) is RoomCode.WRONG_KEY
    for own in (room.moderator_key, wall_key(room.moderator_key)):
        assert refusal(store.on_the_wall, room.code, own) is RoomCode.WRONG_KEY
    assert refusal(store.answer, room.code, key, 1, "a=1") is RoomCode.NOT_JOINED
    assert store.participant(room.code, key) is None


def test_an_unknown_an_ended_and_an_expired_room_are_refused_alike(store: RoomStore, clock: Clock) -> None:
    ended, _ = meeting(store)
    store.end(ended.code, ended.moderator_key)
    expired, _ = meeting(store)
    clock.time += LIFETIME + 1
    for room in (OpenedRoom(new_code(), new_key()), ended, expired):
        assert {refusal(call) for call in everything(store, room.code, room.moderator_key, new_key())} == {
            RoomCode.UNKNOWN
        }
        assert store.versions(room.code) is None
        assert store.participant(room.code, new_key()) is None
        assert store.own_answer(room.code, new_key(), 1) is None
        assert not store.is_moderator(room.code, room.moderator_key)


def test_a_room_is_over_at_its_end_also_before_anybody_has_deleted_it(store: RoomStore, clock: Clock) -> None:
    room, (key,) = meeting(store)
    store.answer(room.code, key, 1, "a=1")
    clock.time += LIFETIME - 20
    assert store.sweep() == 0
    clock.time += 20
    assert {refusal(call) for call in everything(store, room.code, room.moderator_key, key)} == {RoomCode.UNKNOWN}
    assert store.participant(room.code, key) is None
    assert store.own_answer(room.code, key, 1) is None
    assert not store.is_moderator(room.code, room.moderator_key)
    assert len(rows(store)["answers"]) == 1
    assert store.versions(room.code) is None
    assert not any(rows(store).values()), "pages say that it has ended, and all of it is deleted"


def test_a_code_that_is_taken_is_drawn_again(store: RoomStore, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["AAAAAA", "AAAAAA", "AAAAAA", "BBBBBB"])
    monkeypatch.setattr(rooms, "new_code", lambda: next(drawn))
    assert [store.open_room().code for _ in range(2)] == ["AAAAAA", "BBBBBB"]


# --- Participants -----------------------------------------------------------------------------------------------------


def test_one_key_is_one_participant_however_often_it_joins(store: RoomStore) -> None:
    room = with_names(store, ["x", "y"])
    ann, ben = new_key(), new_key()
    assert store.join(room.code, ann, "Ann", "x").number == 1
    assert store.join(room.code, ben).number == 2
    assert (
        store.join(room.code, ann, "Anna", "y")
        == Participant(1, "Anna", "y", pending=True)
        == store.participant(room.code, ann)
    )
    assert store.room(room.code).people == 2
    eve = new_key()
    told = all_at_once([lambda: store.join(room.code, eve, "Eve", "x")] * 12)
    assert told == [Participant(3, "Eve", "x", pending=True)] * 12
    assert (store.room(room.code).people, len(rows(store)["participants"])) == (3, 3)


def test_a_key_is_as_it_was_made_or_nobody_joins_with_it(store: RoomStore) -> None:
    room = store.open_room()
    for key in ("", "me", "\x00" * 22, new_key() + "=="):
        assert refusal(store.join, room.code, key) is RoomCode.BAD_TEXT
        assert refusal(store.answer, room.code, key, 1, "a=1") is RoomCode.NOT_JOINED
    assert store.room(room.code).people == 0


def test_a_group_is_one_of_the_room_and_goes_with_it(store: RoomStore) -> None:
    room = with_names(store, ["x", "y"])
    ann, ben = new_key(), new_key()
    assert refusal(store.join, room.code, ann, "Ann", "z") is RoomCode.BAD_TEXT
    store.join(room.code, ann, "Ann", "x")
    store.join(room.code, ben, "Ben", "y")
    store.set_groups(room.code, room.moderator_key, ["y", "z"])
    assert store.room(room.code).groups == ("y", "z")
    assert store.participant(room.code, ann) == Participant(1, "Ann", "", pending=True)
    assert store.participant(room.code, ben) == Participant(2, "Ben", "y", pending=True)
    store.set_groups(room.code, room.moderator_key, [])
    assert store.participant(room.code, ben) == Participant(2, "Ben", "", pending=True)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Ann \n Lee ", "Ann Lee"),
        ("A\x00n\u202en\x1b", "Ann"),
        ("\u200bAnn\u2066\ud800", "Ann"),
        ("'; DROP TABLE riskline_rooms;--", "'; DROP TABLE riskline_rooms;--"),
        ("Zoë 李", "Zoë 李"),
        ("x" * 40, "x" * 40),
    ],
)
def test_control_and_format_characters_leave_a_nickname(store: RoomStore, typed: str, kept: str) -> None:
    room = with_names(store, [typed])
    assert store.join(room.code, new_key(), typed).nickname == kept
    assert store.room(room.code).groups == (kept,)


@pytest.mark.parametrize("phase", [Phase.CLOSED, Phase.SHOWN])
def test_names_and_groups_stay_while_a_result_is_about_to_be_shown_or_is(store: RoomStore, phase: Phase) -> None:
    room = with_names(store, ["x", "y"])
    ann, ben = new_key(), new_key()
    known = store.join(room.code, ann, "Ann", "x")
    store.start(room.code, room.moderator_key, "vote", "")
    store.set_phase(room.code, room.moderator_key, 1, phase)
    for name, group in (("Anna", "x"), ("Ann", "y"), ("", "x"), ("Ann", "")):
        assert refusal(store.join, room.code, ann, name, group) is RoomCode.NAMES_STAY
    assert store.join(room.code, ann, "Ann", "x") == known == store.participant(room.code, ann)
    assert store.join(room.code, ben, "Ben", "y").nickname == "Ben"  # newcomers have no answer in it
    store.start(room.code, room.moderator_key, "vote", "")
    assert store.join(room.code, ann, "Anna", "y").group == "y"


@pytest.mark.parametrize("phase", [Phase.CLOSED, Phase.SHOWN])
def test_groups_stay_from_the_end_of_answers_to_the_next_activity(store: RoomStore, phase: Phase) -> None:
    room = with_names(store, ["x", "y"])
    key = new_key()
    store.join(room.code, key, "Ann", "x")
    store.start(room.code, room.moderator_key, "vote", "")
    store.set_phase(room.code, room.moderator_key, 1, phase)
    before = rows(store)
    assert refusal(store.set_groups, room.code, room.moderator_key, ["y"]) is RoomCode.GROUPS_STAY
    store.set_groups(room.code, room.moderator_key, ["x", "y"])
    assert rows(store) == before
    store.start(room.code, room.moderator_key, "vote", "")
    store.set_groups(room.code, room.moderator_key, ["y"])
    assert store.room(room.code).groups == ("y",)


def test_behind_a_closed_door_nobody_joins_and_whoever_is_in_stays(store: RoomStore) -> None:
    room, (ann,) = meeting(store)
    wall = (room.code, room.moderator_key)
    store.set_door(*wall, closed=True)
    assert store.room(room.code).door_closed
    assert refusal(store.join, room.code, new_key()) is RoomCode.DOOR_CLOSED
    assert (
        store.join(room.code, ann, "Ann")
        == Participant(1, "Ann", "", pending=True)
        == store.participant(room.code, ann)
    )
    assert store.answer(room.code, ann, 1, "a=1").answer == "a=1"
    store.set_door(*wall, closed=False)
    assert store.join(room.code, new_key()).number == 2


def test_the_moderator_takes_nicknames_and_removes_people_with_all_answers(store: RoomStore) -> None:
    room, (ann, ben) = meeting(store, people=2)
    wall = (room.code, room.moderator_key)
    store.join(room.code, ann, "Ann")
    for key in (ann, ben):
        store.answer(room.code, key, 1, "a=1")
    assert store.people(*wall) == (
        Participant(1, "Ann", "", pending=True, answered=True),
        Participant(2, "", "", answered=True),
    )
    agreed(store, room.code, 1, ann, ben)
    store.set_phase(*wall, 1, Phase.SHOWN)
    before = store.versions(room.code)
    store.take_nickname(*wall, 1)
    after = store.versions(room.code)
    assert before is not None
    assert after is not None
    assert after.state > before.state  # the phone is told too
    assert after.answers > before.answers
    assert [one.nickname for one in store.people(*wall)] == ["", ""]
    store.remove(*wall, 1)
    store.remove(*wall, 1)
    assert (store.on_the_wall(*wall).answers, store.room(room.code).activity.phase) == ((), Phase.GONE)
    assert [row[1] for row in rows(store)["participants"]] == [row[2] for row in rows(store)["answers"]] == [2]
    assert refusal(store.answer, room.code, ann, 1, "a=1") is RoomCode.NOT_JOINED
    assert store.join(room.code, ann).number == 3  # as long as the door is open


def test_whoever_is_removed_while_answers_still_come_is_told_on_their_phone(store: RoomStore) -> None:
    room, _ = meeting(store, people=2)
    before = store.versions(room.code)
    store.remove(room.code, room.moderator_key, 1)
    after = store.versions(room.code)
    assert before is not None
    assert after is not None
    assert after.state > before.state


def test_a_typed_name_is_taken_where_the_moderator_lets_and_seen_by_others_once_they_show_it(store: RoomStore) -> None:
    room = store.open_room()
    code, key = room.code, room.moderator_key
    ann, *others = keys = [new_key() for _ in range(4)]
    assert refusal(store.join, code, ann, "Ann") is RoomCode.NAMES_OFF
    store.set_names(code, key, typed=True)
    assert store.room(code).names_typed
    for person in keys:
        store.join(code, person, "Ann" if person == ann else "")
    store.start(code, key, "vote", "")
    for person in keys:
        store.answer(code, person, 1, "a=1")

    def told() -> list[str]:
        return [one.participant.nickname for one in store.on_the_wall(code, wall_key(key)).answers]

    def pending() -> list[bool]:
        return [one.pending for one in store.people(code, key)]

    store.set_phase(code, key, 1, Phase.SHOWN)
    assert told() == ["", "", "", ""]
    assert [one.participant.pending for one in store.on_the_wall(code, key).answers] == [True, False, False, False]
    for other in ("", "Anna", "ann"):  # what was meant is no longer what they are called
        store.show_name(code, key, 1, other)
    assert told() == ["", "", "", ""]
    store.show_name(code, key, 1, "Ann")
    assert (told(), pending()) == (["Ann", "", "", ""], [False] * 4)
    store.start(code, key, "vote", "")
    assert store.join(code, ann, "Ann").pending is False
    assert store.join(code, ann, "Anna").pending is True  # another name is seen anew
    assert pending() == [True, False, False, False]
    store.show_name(code, key, 1, "Anna")
    store.take_nickname(code, key, 1)
    assert store.join(code, ann, "Anna").pending is True
    store.show_name(code, key, 1, "Anna")
    store.set_names(code, key, typed=False)
    assert [one.nickname for one in store.people(code, key)] == [""] * 4
    assert refusal(store.join, code, others[0], "Ben") is RoomCode.NAMES_OFF
    store.set_names(code, key, typed=True)
    assert store.join(code, ann, "Anna").pending is True


def test_each_activity_gives_everybody_a_number_of_their_own_half_of_them_even_that_stays_with_their_key(
    store: RoomStore, rooms_database: str
) -> None:
    room, keys = meeting(store, people=6)
    code, key = room.code, room.moderator_key
    found = []
    for number in (1, 2):
        for person in keys:
            store.answer(code, person, number, "a=1")
        own = [one.participant.own for one in (store.on_a_phone(code, person) for person in keys) if one.participant]
        assert len(set(own)) == 6
        assert min(own) > 0
        assert sum(one % 2 for one in own[:4]) == 2
        store.leave(code, new_key())  # of nobody
        store.set_phase(code, key, number, Phase.SHOWN)
        elsewhere = RoomStore(rooms_database)
        assert [one.participant.own for one in elsewhere.on_the_wall(code, key).answers] == own
        elsewhere.close()
        assert [one.own for one in store.people(code, key)] == [0] * 6  # whoever moderates learns nobody's
        store.start(code, key, "vote", "")
        result = store.result(code, keys[0], number)
        assert result is not None
        assert [one.participant.own for one in result.answers] == own
        found.append(own)
    assert not {*found[0]} & {*found[1]}
    halves = {
        tuple(one.own % 2 for one in everybody_drawn(seed, *(Participant(n, "", "") for n in (1, 2, 3, 4))))
        for seed in range(1, 60)
    }
    assert halves == {*permutations((0, 0, 1, 1))}


def test_a_result_that_counts_everybody_has_an_empty_answer_of_who_gave_none(store: RoomStore) -> None:
    room, keys = meeting(store, people=6, counts_all=True, first_answer_stays=True)
    code, key = room.code, room.moderator_key
    for person in keys[:4]:
        store.answer(code, person, 1, "a=1")
    store.set_phase(code, key, 1, Phase.CLOSED)
    late = new_key()
    store.join(code, late)  # counts only once answers are reopened and closed again
    assert store.room(code).answered == 4
    assert [one.answered for one in store.people(code, key)] == [True] * 4 + [False] * 3
    store.set_phase(code, key, 1, Phase.SHOWN)
    seen = store.on_the_wall(code, key).answers
    assert [(one.participant.number, one.answer) for one in seen] == [
        *((n, "a=1") for n in (1, 2, 3, 4)),
        (5, ""),
        (6, ""),
    ]
    assert sum(one.participant.own % 2 for one in seen[:4]) == 2
    own = [one.participant.own for one in seen]
    phones = [store.on_a_phone(code, person) for person in keys]
    assert [one.participant.own for one in phones if one.participant] == own
    assert store.own_answer(code, keys[5], 1) is None
    assert store.results(code, key)[0].answers == seen
    store.leave(code, late)  # it was not in the result
    assert store.room(code).activity.phase is Phase.SHOWN  # type: ignore[union-attr]
    store.leave(code, keys[5])  # shown anew, the result would tell that they gave no answer
    assert store.room(code).activity.phase is Phase.GONE  # type: ignore[union-attr]
    assert store.on_the_wall(code, key).answers == ()


def test_people_who_join_at_once_are_dealt_two_and_two(store: RoomStore) -> None:
    room, _ = meeting(store, people=0)
    keys = [new_key() for _ in range(12)]
    joined = all_at_once([partial(store.join, room.code, key) for key in keys])
    assert sorted(one.number for one in joined) == [*range(1, 13)]
    phones = {one.number: one.own % 2 for one in (store.on_a_phone(room.code, key).participant for key in keys) if one}
    assert [sum(phones[at + step] for step in range(4)) for at in (1, 5, 9)] == [2, 2, 2]


def test_whoever_is_there_at_the_last_close_counts_and_two_answers_are_no_result(store: RoomStore) -> None:
    room, keys = meeting(store, people=4, counts_all=True, first_answer_stays=True)
    code, key = room.code, room.moderator_key
    store.answer(code, keys[0], 1, "a=1")
    store.set_phase(code, key, 1, Phase.CLOSED)
    late = new_key()
    store.join(code, late)
    store.set_phase(code, key, 1, Phase.OPEN)
    store.answer(code, late, 1, "a=2")
    assert refusal(store.set_phase, code, key, 1, Phase.SHOWN) is RoomCode.TOO_FEW  # of four people, two answers
    agreed(store, code, 1, keys[0], late)
    store.set_phase(code, key, 1, Phase.SHOWN)
    assert [one.answer for one in store.on_the_wall(code, key).answers] == ["a=1", "", "", "", "a=2"]
    assert store.results(code, key) == ()
    for person in keys:
        store.join(code, person)
    store.start(code, key, "vote", "", counts_all=True)
    store.start(code, key, "vote", "")  # closes it: whoever is there counts
    store.join(code, new_key())
    assert [one.answer for one in stored_answers(store, code, 2)] == [""] * 5
    assert stored_answers(store, code, 3) == ()


def test_each_activity_draws_everybody_another_name_that_tells_no_number(store: RoomStore) -> None:
    room, keys = meeting(store, people=6)
    code, key = room.code, room.moderator_key
    drawn = []
    for number in (1, 2):
        for person in keys:
            store.answer(code, person, number, "a=1")
        own = [one.participant.drawn for one in (store.on_a_phone(code, person) for person in keys) if one.participant]
        store.set_phase(code, key, number, Phase.SHOWN)
        assert [one.participant.drawn for one in store.on_the_wall(code, key).answers] == own
        assert len(set(own)) == 6
        assert all(place in range(DRAWN_NAMES) for place in own)
        store.start(code, key, "vote", "")
        found = store.result(code, key, number)
        assert found is not None
        assert [one.participant.drawn for one in found.answers] == own
        drawn.append(own)
    assert drawn[0] != drawn[1]
    other, others = meeting(store, people=6)
    assert [store.on_a_phone(other.code, one).participant.drawn for one in others] != drawn[0]  # type: ignore[union-attr]
    assert [one.drawn for one in store.people(code, key)] == [None] * 6  # whoever moderates learns nobody's
    numbers = [Participant(number, "", "") for number in range(1, 2 * DRAWN_NAMES)]
    assert len({one.drawn for one in everybody_drawn(7, *numbers)}) == len(numbers)
    assert everybody_drawn(0, *numbers) == tuple(numbers)


def test_a_new_key_ends_the_one_that_was_seen_and_that_of_its_wall(store: RoomStore) -> None:
    room, (ann,) = meeting(store)
    store.answer(room.code, ann, 1, "a=1")
    seen = store.versions(room.code)
    new = new_key()
    store.renew_key(room.code, room.moderator_key, new)
    assert store.versions(room.code) != seen, "pages that watch are drawn again, and learn that their key opens nothing"
    for call in moderating(store, room.code, room.moderator_key):
        assert refusal(call) is RoomCode.WRONG_KEY
    for old in (room.moderator_key, wall_key(room.moderator_key)):
        assert not store.is_moderator(room.code, old)
        assert refusal(store.on_the_wall, room.code, old) is RoomCode.WRONG_KEY
    assert new not in repr(rows(store))
    assert store.is_moderator(room.code, new)
    assert store.on_the_wall(room.code, wall_key(new)).room.answered == 1
    assert [given.answer for given in stored_answers(store, room.code, 1)] == ["a=1"]


def test_no_two_people_of_a_room_have_the_same_nickname(store: RoomStore) -> None:
    room, other = with_names(store, ["x"]), with_names(store)
    ann, ben = new_key(), new_key()
    store.join(room.code, ann, "Ann Straße")
    for same in (
        "Ann Straße",
        "ANN STRASSE",
        " ann\u00a0strasse",
        "\uff21nn Straße",
        "Ann\u200b Straße",
        "Ann\ufe0f Straße\u034f",
    ):
        assert refusal(store.join, room.code, ben, same) is RoomCode.NAME_TAKEN
    assert store.room(room.code).people == 1
    assert store.join(other.code, ben, "Ann Straße").nickname == "Ann Straße"
    for nameless in (ben, new_key()):
        assert store.join(room.code, nameless).nickname == ""
    assert refusal(store.join, room.code, ben, "ann straße") is RoomCode.NAME_TAKEN
    assert store.join(room.code, ann, "ann straße", "x").nickname == "ann straße"
    store.leave(room.code, ann)
    assert store.join(room.code, ben, "Ann Straße").nickname == "Ann Straße"
    told = all_at_once([lambda: store.join(room.code, new_key(), "Eve")] * 8)
    assert told.count(RoomCode.NAME_TAKEN) == 7


def test_whoever_leaves_is_deleted_with_all_answers_and_nobody_else_is(store: RoomStore) -> None:
    room, (ann, ben) = meeting(store, people=2)
    for key in (ann, ben):
        store.answer(room.code, key, 1, "a=1")
    store.start(room.code, room.moderator_key, "vote", "")
    store.answer(room.code, ann, 2, "a=2")
    before = store.versions(room.code)
    assert before is not None
    store.leave(room.code, ann)
    held = rows(store)
    assert [row[1] for row in held["participants"]] == [2]
    assert [row[1:4] for row in held["answers"]] == [(1, 2, "a=1")]
    assert store.versions(room.code) == RoomVersions(before.state, before.answers + 1)
    assert (store.room(room.code).people, store.participant(room.code, ann)) == (1, None)
    assert refusal(store.answer, room.code, ann, 2, "a=2") is RoomCode.NOT_JOINED
    store.leave(room.code, ann)  # sent again, because the first confirmation was lost
    store.leave(room.code, new_key())
    assert rows(store) == held
    store.set_phase(room.code, room.moderator_key, 2, Phase.SHOWN)
    shown = store.versions(room.code)
    assert shown is not None
    store.leave(room.code, ben)
    assert store.versions(room.code) == RoomVersions(shown.state + 1, shown.answers + 1)  # the page is drawn anew


def test_a_result_that_people_saw_is_not_shown_without_the_answer_of_somebody_who_left(store: RoomStore) -> None:
    room, keys = meeting(store, people=5)
    given = (room.code, room.moderator_key)
    for key in keys[:4]:
        store.answer(room.code, key, 1, "choice=a")
    store.set_phase(*given, 1, Phase.SHOWN)
    store.leave(room.code, keys[4])  # who had not answered
    assert len(store.on_the_wall(*given).answers) == 4
    store.set_phase(*given, 1, Phase.HIDDEN)
    store.leave(room.code, keys[0])
    for phase in (Phase.OPEN, Phase.CLOSED, Phase.SHOWN, Phase.HIDDEN):
        assert refusal(store.set_phase, *given, 1, phase) is RoomCode.NOT_OPEN
    assert (store.room(room.code).activity.phase, store.on_the_wall(*given).answers) == (Phase.GONE, ())
    assert not store.room(room.code).withheld
    assert len(stored_answers(store, given[0], 1)) == 3
    store.start(*given, "vote", "", beside=1)
    for key in keys[1:4]:
        store.answer(room.code, key, 2, "choice=b")
    store.leave(room.code, keys[1])
    store.answer(room.code, keys[2], 2, "choice=a")
    store.join(room.code, keys[0])
    store.answer(room.code, keys[0], 2, "choice=a")
    store.set_phase(*given, 2, Phase.SHOWN)  # nobody saw a result of these before
    assert (len(store.on_the_wall(*given).answers), store.on_the_wall(*given).earlier) == (3, ())


@pytest.mark.parametrize("again", [False, True])
def test_an_earlier_vote_that_was_seen_beside_another_alone_goes_with_somebody_who_voted_in_it(
    store: RoomStore, again: bool
) -> None:
    room, keys = meeting(store, people=5)
    given = (room.code, room.moderator_key)
    for key in keys:
        store.answer(room.code, key, 1, "choice=a")
    store.start(*given, "vote", "", beside=1)  # and the first one was never shown by itself
    for key in keys[not again :]:
        store.answer(room.code, key, 2, "choice=b")
    store.set_phase(*given, 2, Phase.SHOWN)
    assert len(store.on_the_wall(*given).earlier) == 5
    store.leave(room.code, keys[0])
    seen = store.on_the_wall(*given)
    assert (len(seen.answers), seen.earlier) == (0 if again else 4, ())
    store.start(*given, "vote", "", beside=1)
    for key in keys[1:]:
        store.answer(room.code, key, 3, "choice=a")
    store.set_phase(*given, 3, Phase.SHOWN)
    assert store.on_the_wall(*given).earlier == ()


def test_a_group_stays_once_a_result_with_an_answer_of_it_was_seen(store: RoomStore) -> None:
    room = with_names(store, ["agency", "users"])
    given, (ann, ben, eve) = (room.code, room.moderator_key), (new_key(), new_key(), new_key())
    for key in (ann, ben, eve):
        store.join(room.code, key, "", "users")
    store.start(*given, "vote", "")
    for key in (ann, ben):
        store.answer(room.code, key, 1, "choice=a")
    agreed(store, room.code, 1, ann, ben)
    store.set_phase(*given, 1, Phase.SHOWN)
    store.start(*given, "vote", "")
    assert refusal(store.join, room.code, ann, "", "agency") is RoomCode.NAMES_STAY
    assert store.join(room.code, ann, "Ann", "users").nickname == "Ann"
    assert store.join(room.code, eve, "", "agency").group == "agency"  # who had not answered
    assert refusal(store.set_groups, *given, ["agency"]) is RoomCode.GROUPS_STAY
    store.set_groups(*given, ["agency", "users", "press"])
    store.leave(room.code, ben)
    assert refusal(store.join, room.code, ann, "", "press") is RoomCode.NAMES_STAY


def test_an_answer_keeps_the_group_in_which_it_was_given_once_answers_are_closed(store: RoomStore) -> None:
    room = store.open_room(["agency", "users"])
    given, (ann, ben) = (room.code, room.moderator_key), (new_key(), new_key())
    store.join(room.code, ann)
    store.join(room.code, ben, "", "users")
    store.start(*given, "vote", "")
    for key in (ann, ben):
        store.answer(room.code, key, 1, "choice=a")
    store.join(room.code, ann, "", "agency")  # while it is open
    store.start(*given, "vote", "", beside=1)
    store.join(room.code, ann, "", "users")
    store.answer(room.code, ann, 2, "choice=a")
    store.set_groups(*given, ["agency"])
    assert [one.participant.group for one in stored_answers(store, given[0], 1)] == ["agency", "users"]
    assert [one.participant.group for one in stored_answers(store, given[0], 2)] == [""]
    assert [one.group for one in store.people(*given)] == ["", ""]


def test_the_number_of_somebody_who_left_is_nobody_elses_and_their_place_is_free(
    store: RoomStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "MOST_PEOPLE", 3)
    room, (_, ben, eve) = meeting(store, people=3)
    assert refusal(store.join, room.code, new_key()) is RoomCode.ROOM_FULL
    for key in (eve, ben):
        store.leave(room.code, key)
    assert [store.join(room.code, key).number for key in (eve, new_key())] == [4, 5]
    assert refusal(store.join, room.code, new_key()) is RoomCode.ROOM_FULL


def test_tables_of_an_earlier_riskline_get_the_columns_that_came_later(
    store: RoomStore, rooms_database: str, clock: Clock
) -> None:
    room, (_, ben) = meeting(store, people=2)
    later = without_later_columns(store)
    newer = RoomStore(rooms_database, clock)
    eve = new_key()
    assert newer.join(room.code, eve).number == 3  # the two who were there were not counted in that column
    newer.leave(room.code, eve)
    newer.leave(room.code, ben)
    assert newer.join(room.code, eve).number == 4
    newer.close()
    there = inspect(engine_of(store))
    assert later <= {(table, column["name"]) for table in TABLES.tables for column in there.get_columns(table)}


@pytest.mark.parametrize("meanwhile", ["nothing", "rename", "remove"])
def test_a_room_of_an_earlier_riskline_gives_no_number_again(
    store: RoomStore, rooms_database: str, clock: Clock, meanwhile: str
) -> None:
    room, (ann, ben, eve) = meeting(store, people=3)
    without_later_columns(store)
    newer = RoomStore(rooms_database, clock)
    newer.set_names(room.code, room.moderator_key, typed=True)
    if meanwhile == "rename":
        newer.join(room.code, ann, "Ann")
    newer.leave(room.code, eve)
    if meanwhile == "remove":
        newer.remove(room.code, room.moderator_key, 2)
    elif meanwhile == "rename":
        newer.join(room.code, ben, "Ben")
    assert newer.join(room.code, new_key()).number == 4
    newer.close()


LATER = {
    "riskline_activities": ("beside", "counts_to", "names", "question", "tally"),
    "riskline_answers": ("agreed", "group_name"),
    "riskline_participants": ("name_shown",),
    "riskline_rooms": ("door_closed", "latest", "names_typed", "numbered", "script", "wall_hash"),
}
"""Columns that a database of an earlier Riskline may lack."""


def without_later_columns(store: RoomStore) -> set[tuple[str, str]]:
    """The tables of an earlier Riskline: what came later is dropped, and returned by table and column."""
    later = {(table, column) for table, columns in LATER.items() for column in columns}
    with engine_of(store).begin() as connection:
        for table, column in later:
            connection.execute(text(f"ALTER TABLE {table} DROP COLUMN {column}"))
    return later


# --- Answers ----------------------------------------------------------------------------------------------------------


def test_an_answer_is_one_for_each_participant_and_the_last_one_counts(store: RoomStore) -> None:
    room, (key,) = meeting(store)
    for choice in ("a", "b", "b", "c"):
        assert store.answer(room.code, key, 1, f"choice={choice}").answer == f"choice={choice}"
    assert [given.answer for given in stored_answers(store, room.code, 1)] == ["choice=c"]
    assert (store.room(room.code).answered, len(rows(store)["answers"])) == (1, 1)


def test_a_phone_is_told_its_own_answer_and_nobody_elses_before_the_result(store: RoomStore) -> None:
    room, keys = meeting(store, people=3)
    for place, key in enumerate(keys[:2]):
        store.answer(room.code, key, 1, f"choice={place}")
    assert [store.on_a_phone(room.code, key).sent for key in keys] == ["choice=0", "choice=1", None]
    assert [store.own_answer(room.code, key, 1) for key in keys] == ["choice=0", "choice=1", None]
    assert store.on_a_phone(room.code, new_key()).sent is None
    assert store.on_a_phone(room.code, keys[2]).answers == ()


def test_where_the_first_answer_stays_a_second_one_changes_nothing(store: RoomStore) -> None:
    room, (key,) = meeting(store, first_answer_stays=True)
    assert store.answer(room.code, key, 1, "yes=1") == Confirmation("yes=1", kept_first=False)
    before = rows(store)
    assert store.answer(room.code, key, 1, "yes=0") == Confirmation("yes=1", kept_first=True)
    assert store.answer(room.code, key, 1, "yes=1") == Confirmation("yes=1", kept_first=False)
    assert rows(store) == before


def test_an_answer_that_stays_is_gone_on_from_and_what_was_answered_never_changes(store: RoomStore) -> None:
    room, (ann, ben) = meeting(store, people=2, first_answer_stays=True)
    for bets in ("2f", "2f1n", "2f1n3c"):
        for _ in range(2):  # the first confirmation may be lost
            assert store.answer(room.code, ann, 1, f"bets={bets}") == Confirmation(f"bets={bets}", kept_first=False)
    before = rows(store)
    for other in ("2f", "2f1n", "2f1n1c", "2f1n3f1n", "1f", ""):  # an earlier one, another one from some round on
        assert store.answer(room.code, ann, 1, f"bets={other}") == Confirmation("bets=2f1n3c", kept_first=True)
    assert rows(store) == before
    assert store.own_answer(room.code, ben, 1) is None
    store.set_phase(room.code, room.moderator_key, 1, Phase.CLOSED)
    assert refusal(store.answer, room.code, ann, 1, "bets=2f1n3c1n") is RoomCode.NOT_OPEN
    assert store.answer(room.code, ann, 1, "bets=2f1n3c") == Confirmation("bets=2f1n3c", kept_first=False)


def test_of_several_ways_on_at_once_one_is_kept_and_all_are_told_it(store: RoomStore) -> None:
    room, (key,) = meeting(store, first_answer_stays=True)
    store.answer(room.code, key, 1, "bets=2f")
    told = all_at_once([lambda n=n: store.answer(room.code, key, 1, f"bets=2f{n}c") for n in range(1, 7)])  # type: ignore[misc]
    assert {confirmation.answer for confirmation in told} == {store.own_answer(room.code, key, 1)}
    assert [confirmation.kept_first for confirmation in told].count(False) == 1


def test_the_wall_is_told_how_long_answers_are_only_where_they_arrive_and_can_only_go_on(store: RoomStore) -> None:
    room, keys = meeting(store, people=3, first_answer_stays=True)
    own = room.code, room.moderator_key

    def lengths() -> tuple[int, ...]:
        walls = {store.on_the_wall(room.code, key).lengths for key in (own[1], wall_key(own[1]))}
        assert len(walls) == 1
        return walls.pop()

    def answer_all(number: int) -> None:
        for place, key in enumerate(keys):
            store.answer(room.code, key, number, "b=" + "1n" * (3 - place))

    answer_all(1)
    assert lengths() == (4, 6, 8)  # sorted: not by whose they are
    for phase in (Phase.CLOSED, Phase.SHOWN, Phase.HIDDEN):
        store.set_phase(*own, 1, phase)
        assert lengths() == ()
    for number, how in ((2, {}), (3, {"first_answer_stays": True, "tallied_question": "Did you?"})):
        store.start(*own, "vote", "", **how)
        answer_all(number)
        assert store.room(room.code).answered == 3
        assert lengths() == ()


def test_of_two_first_answers_at_once_both_are_told_the_one_that_is_kept(store: RoomStore) -> None:
    room, (key,) = meeting(store, first_answer_stays=True)
    told = all_at_once([lambda n=n: store.answer(room.code, key, 1, f"yes={n}") for n in range(8)])  # type: ignore[misc]
    kept = store.own_answer(room.code, key, 1)
    assert {confirmation.answer for confirmation in told} == {kept}
    assert [confirmation.kept_first for confirmation in told].count(False) == 1


@pytest.mark.parametrize("phase", [Phase.CLOSED, Phase.SHOWN])
def test_a_closed_activity_takes_no_answer_but_confirms_the_one_it_has(store: RoomStore, phase: Phase) -> None:
    room, (ann, ben) = meeting(store, people=2)
    store.answer(room.code, ann, 1, "choice=a")
    agreed(store, room.code, 1, ann)
    store.set_phase(room.code, room.moderator_key, 1, phase)
    before = rows(store)
    assert refusal(store.answer, room.code, ann, 1, "choice=b") is RoomCode.NOT_OPEN
    assert refusal(store.answer, room.code, ben, 1, "choice=a") is RoomCode.NOT_OPEN
    assert store.answer(room.code, ann, 1, "choice=a") == Confirmation("choice=a", kept_first=False)
    assert rows(store) == before


def test_answers_are_taken_again_until_the_result_was_shown_and_never_after(store: RoomStore) -> None:
    room, (ann,) = meeting(store)
    own = room.code, room.moderator_key, 1
    for phase in (Phase.CLOSED, Phase.OPEN):
        store.set_phase(*own, phase)
    assert refusal(store.set_phase, *own, Phase.HIDDEN) is RoomCode.NOT_OPEN
    assert store.answer(room.code, ann, 1, "choice=a").answer == "choice=a"
    agreed(store, room.code, 1, ann)
    for phase in (Phase.SHOWN, Phase.HIDDEN, Phase.SHOWN):
        store.set_phase(*own, phase)
        before = rows(store)
        for earlier in (Phase.OPEN, Phase.CLOSED):
            assert refusal(store.set_phase, *own, earlier) is RoomCode.NOT_OPEN
        assert refusal(store.answer, room.code, ann, 1, "choice=b") is RoomCode.NOT_OPEN
        assert rows(store) == before


def test_what_is_told_with_the_result_is_kept_with_it_in_one_step(store: RoomStore) -> None:
    room, _ = meeting(store)
    own = room.code, room.moderator_key, 1
    state = store.room(room.code).versions.state
    store.set_phase(*own, Phase.SHOWN, settings="truth=31")
    started = store.room(room.code).activity
    assert started is not None
    assert (started.phase, started.settings) == (Phase.SHOWN, "truth=31")
    assert store.room(room.code).versions.state == state + 1
    assert refusal(store.set_phase, *own, Phase.OPEN, settings="truth=32") is RoomCode.NOT_OPEN
    assert refusal(store.set_phase, *own, Phase.SHOWN, settings="\0") is RoomCode.BAD_TEXT
    store.set_phase(*own, Phase.HIDDEN)
    again = store.room(room.code).activity
    assert again is not None
    assert again.settings == "truth=31"


def test_an_answer_belongs_to_the_activity_that_it_names(store: RoomStore) -> None:
    room, (key,) = meeting(store)
    store.answer(room.code, key, 1, "choice=a")
    store.start(room.code, room.moderator_key, "line", "")
    for number in (-1, 0, 1, 3):
        assert refusal(store.answer, room.code, key, number, "choice=b") is RoomCode.NOT_OPEN
    assert store.answer(room.code, key, 1, "choice=a") == Confirmation("choice=a", kept_first=False)
    assert store.own_answer(room.code, key, 2) is None
    assert [one.phase for one in store.activities(room.code, room.moderator_key)] == [Phase.CLOSED, Phase.OPEN]
    for number in (0, 1, 3):
        assert refusal(store.set_phase, room.code, room.moderator_key, number, Phase.OPEN) is RoomCode.NOT_OPEN


def test_an_answer_that_could_not_be_committed_is_not_confirmed(
    store: RoomStore, caplog: pytest.LogCaptureFixture
) -> None:
    room, (key,) = meeting(store)
    before = rows(store)

    def fail(connection: Any) -> None:
        raise OSError("no space left on device")

    event.listen(engine_of(store), "commit", fail)
    try:
        assert refusal(store.answer, room.code, key, 1, "choice=a") is RoomCode.UNAVAILABLE
    finally:
        event.remove(engine_of(store), "commit", fail)
    assert rows(store) == before
    assert store.answer(room.code, key, 1, "choice=a") == Confirmation("choice=a", kept_first=False)
    assert store.room(room.code).versions == RoomVersions(before["rooms"][0][5], before["rooms"][0][6] + 1)


# --- The wall ---------------------------------------------------------------------------------------------------------


def test_a_script_stays_with_its_room_until_all_of_it_was_started_and_only_its_moderator_has_it(
    store: RoomStore,
) -> None:
    room = store.open_room()
    store.set_script(room.code, room.moderator_key, "one two three")
    assert store.on_the_wall(room.code, room.moderator_key).script == "one two three"
    assert store.on_the_wall(room.code, wall_key(room.moderator_key)).script == ""
    assert refusal(store.set_script, room.code, wall_key(room.moderator_key), "") is RoomCode.WRONG_KEY
    assert refusal(store.set_script, room.code, room.moderator_key, "a\nb") is RoomCode.BAD_TEXT
    start = partial(store.start, room.code, room.moderator_key, "vote", "")
    assert [start(script="two three", after=0), start(script="three", after=0)] == [1, 1]  # two tabs
    assert store.on_the_wall(room.code, room.moderator_key).script == "two three"
    assert refusal(lambda: start(script="a\nb", after=1)) is RoomCode.BAD_TEXT
    assert [start(), start(script="", after=2)] == [2, 3]  # one that was not prepared leaves it as it is
    assert store.on_the_wall(room.code, room.moderator_key).script == ""


def test_an_earlier_result_is_had_again_by_everybody_in_the_room_until_it_is_hidden_or_somebody_of_it_leaves(
    store: RoomStore,
) -> None:
    room, keys = meeting(store, people=4)
    code, moderator = room.code, room.moderator_key
    wall = wall_key(moderator)
    store.join(code, keys[0], "Ada")
    store.show_name(code, moderator, 1, "Ada")
    for number, answering in ((1, keys[:3]), (2, keys[:2]), (3, keys[1:])):
        if number > 1:
            store.start(code, moderator, "vote", "")
        for key in answering:
            store.answer(code, key, number, "choice=a")
        if number == 2:
            for key in answering:
                store.agree(code, key, number)
        assert refusal(store.result, code, new_key(), number) is RoomCode.WRONG_KEY
        store.set_phase(code, moderator, number, Phase.SHOWN)
        assert store.result(code, moderator, number) is None  # what runs is on the wall itself
        told = [one.participant.nickname for one in store.on_the_wall(code, wall).answers]
        assert ("Ada" in told) == (keys[0] in answering)
        files = [one.participant.nickname for result in store.results(code, moderator) for one in result.answers]
        assert not any(files)
    store.start(code, moderator, "vote", "")
    assert [one.number for one in store.room(code).shown] == [1, 3]  # two who agreed did so once
    assert store.result(code, keys[3], 2) is None
    found = [store.result(code, key, 1) for key in (moderator, wall, keys[3])]
    assert found[0] == found[1] == found[2] is not None
    assert [one.answer for one in found[0].answers] == ["choice=a"] * 3
    assert [one.participant.nickname for one in found[0].answers] == [""] * 3
    before = store.versions(code)
    store.leave(code, keys[0])
    assert [one.number for one in store.room(code).shown] == [3]
    assert store.result(code, wall, 1) is None
    after = store.versions(code)
    assert before is not None
    assert after is not None
    assert after.state > before.state  # phones and walls that show it look at this alone


def test_the_wall_has_answers_only_while_the_result_is_shown(store: RoomStore) -> None:
    room, keys = meeting(store, people=3)
    moderator, wall = room.moderator_key, wall_key(room.moderator_key)
    for key in keys:
        store.answer(room.code, key, 1, "choice=a")
    store.start(room.code, moderator, "vote", "", beside=1)
    for key in keys:
        store.answer(room.code, key, 2, "choice=b")
    for phase in (Phase.OPEN, Phase.CLOSED, Phase.SHOWN, Phase.HIDDEN):
        store.set_phase(room.code, moderator, 2, phase)
        for key in (wall, moderator):
            seen = store.on_the_wall(room.code, key)
            assert seen.room == store.room(room.code)
            assert [given.answer for given in seen.answers] == ["choice=b"] * 3 * (phase is Phase.SHOWN)
            assert [given.answer for given in seen.earlier] == ["choice=a"] * 3 * (phase is Phase.SHOWN)
        phone = store.on_a_phone(room.code, keys[1])
        assert (phone.room, phone.answers, phone.earlier) == (seen.room, seen.answers, seen.earlier)
        assert phone.participant is not None
        assert (phone.participant.number, phone.sent) == (2, "choice=b")
        for outside in (new_key(), wall, moderator):  # who has the code and has not joined
            assert store.on_a_phone(room.code, outside) == OnAPhone(seen.room)
    store.start(room.code, moderator, "vote", "")
    store.set_phase(room.code, moderator, 3, Phase.SHOWN)
    assert (store.on_the_wall(room.code, wall).answers, store.on_the_wall(room.code, wall).earlier) == ((), ())


@pytest.mark.parametrize("answers", [1, 2])
def test_of_fewer_than_three_answers_the_wall_has_none_unless_everybody_agreed(store: RoomStore, answers: int) -> None:
    room, keys = meeting(store, people=3)
    given = (room.code, room.moderator_key)
    for key in keys[:answers]:
        store.answer(room.code, key, 1, "choice=a")
    store.set_phase(*given, 1, Phase.CLOSED)
    before = rows(store)
    assert store.room(room.code).withheld
    assert refusal(store.set_phase, *given, 1, Phase.SHOWN) is RoomCode.TOO_FEW
    assert rows(store) == before
    assert refusal(store.agree, room.code, keys[2], 1) is RoomCode.NOT_JOINED  # who has not answered
    for key in keys[:answers]:
        assert refusal(store.set_phase, *given, 1, Phase.SHOWN) is RoomCode.TOO_FEW
        agreed(store, room.code, 1, key, key)
    store.set_phase(*given, 1, Phase.SHOWN)
    assert not store.room(room.code).withheld
    assert len(store.on_the_wall(room.code, wall_key(room.moderator_key)).answers) == answers
    assert store.results(*given) == ()  # nobody agreed to a file
    store.start(*given, "vote", "", beside=1)  # nor to anything about this one
    for key in keys:
        store.answer(room.code, key, 2, "choice=a")
    store.set_phase(*given, 2, Phase.SHOWN)
    seen = store.on_the_wall(*given)
    assert (len(seen.answers), seen.earlier) == (3, ())
    store.start(*given, "vote", "", beside=2)
    store.answer(room.code, keys[0], 3, "choice=a")
    agreed(store, room.code, 3, keys[0])
    store.set_phase(*given, 3, Phase.SHOWN)
    assert (len(store.on_the_wall(*given).answers), len(store.on_the_wall(*given).earlier)) == (1, 3)


def test_a_changed_answer_is_agreed_to_anew(store: RoomStore) -> None:
    room, (key,) = meeting(store)
    for number, choice in enumerate("ab"):
        store.answer(room.code, key, 1, f"choice={choice}")
        agreed(store, room.code, 1, *[key] * (number == 0))
    assert refusal(store.set_phase, room.code, room.moderator_key, 1, Phase.SHOWN) is RoomCode.TOO_FEW


# --- A survey with coins ----------------------------------------------------------------------------------------------

YES, NO = "coin_survey_said=yes", "coin_survey_said=no"


def survey(store: RoomStore, people: int) -> tuple[OpenedRoom, list[str]]:
    """A room with a survey that runs as its first activity."""
    room = store.open_room()
    keys = [new_key() for _ in range(people)]
    for key in keys:
        store.join(room.code, key)
    store.start(room.code, room.moderator_key, "coin_survey", "", first_answer_stays=True, tallied_question="Did you?")
    return room, keys


def test_of_a_survey_with_coins_a_row_says_only_who_has_answered(store: RoomStore) -> None:
    room, keys = survey(store, 3)
    given = room.code, room.moderator_key
    for key, answer in zip(keys, (YES, NO, YES), strict=True):
        assert store.answer(room.code, key, 1, answer) == Confirmation("", kept_first=False)
        before = rows(store)
        for again in (YES, NO):  # a resend, and a change
            assert store.answer(room.code, key, 1, again) == Confirmation("", kept_first=True)
        assert rows(store) == before
        assert store.own_answer(room.code, key, 1) == ""
    assert [row[3] for row in rows(store)["answers"]] == [""] * 3
    store.set_phase(*given, 1, Phase.CLOSED)
    assert refusal(store.set_phase, *given, 1, Phase.OPEN) is RoomCode.NOT_OPEN
    assert store.results(*given) == ()
    store.set_phase(*given, 1, Phase.SHOWN)
    counted = tuple(StoredAnswer(Participant(0, "", ""), answer) for answer in (NO, YES, YES))
    assert store.on_the_wall(*given).answers == store.results(*given)[0].answers == counted


@pytest.mark.parametrize("phase", [Phase.OPEN, Phase.CLOSED, Phase.SHOWN])
def test_whoever_leaves_or_is_removed_takes_no_answer_out_of_the_count(store: RoomStore, phase: Phase) -> None:
    room, keys = survey(store, 4)
    given = room.code, room.moderator_key
    for key in keys[:3]:
        store.answer(room.code, key, 1, YES)
    store.set_phase(*given, 1, phase)
    store.remove(*given, 1)
    store.leave(room.code, keys[1])
    assert store.room(room.code).answered == 3
    store.set_phase(*given, 1, Phase.SHOWN)
    assert [one.answer for one in store.on_the_wall(*given).answers] == [YES] * 3
    assert [row[2] for row in rows(store)["answers"]] == [3]


def test_of_two_counted_answers_one_person_who_stayed_does_not_agree_for_who_left(store: RoomStore) -> None:
    room, keys = survey(store, 2)
    for key in keys:
        store.answer(room.code, key, 1, YES)
    agreed(store, room.code, 1, keys[0])
    store.leave(room.code, keys[1])
    assert refusal(store.set_phase, room.code, room.moderator_key, 1, Phase.SHOWN) is RoomCode.TOO_FEW


def test_of_many_answers_at_once_a_count_misses_none(store: RoomStore) -> None:
    room, keys = survey(store, 20)
    all_at_once([lambda key=key: store.answer(room.code, key, 1, YES) for key in keys * 2])  # type: ignore[misc]
    assert store.room(room.code).answered == 20


@pytest.mark.parametrize("again", ["did you", "DID YOU?!", "D​id yöu?", "Ｄid*you*."])
def test_a_survey_is_asked_once_by_its_letters_and_digits(store: RoomStore, again: str) -> None:
    room, _ = survey(store, 0)
    given = room.code, room.moderator_key, "coin_survey", ""
    before = rows(store)
    assert refusal(store.start, *given, tallied_question=again) is RoomCode.ASKED_BEFORE
    assert rows(store) == before
    assert store.start(*given, tallied_question="Did you 2?") == 2
    assert store.start(*survey_of_another_room(store), tallied_question=again) == 1


def survey_of_another_room(store: RoomStore) -> tuple[str, str, str, str]:
    room = store.open_room()
    return room.code, room.moderator_key, "coin_survey", ""


def test_a_room_of_a_riskline_without_walls_goes_on_and_is_moderated_as_before(
    store: RoomStore, rooms_database: str
) -> None:
    room, (key,) = meeting(store)
    store.answer(room.code, key, 1, "a=1")
    without_later_columns(store)
    newer = RoomStore(rooms_database, store._clock)
    try:
        assert newer.is_moderator(room.code, room.moderator_key)
        assert [given.answer for given in stored_answers(newer, room.code, 1)] == ["a=1"]
        assert newer.start(room.code, room.moderator_key, "vote", "") == 2
        assert refusal(newer.on_the_wall, room.code, wall_key(room.moderator_key)) is RoomCode.WRONG_KEY
        assert newer.on_the_wall(room.code, room.moderator_key).room.people == 1
        assert newer.on_the_wall(*opened_with_wall(newer)).answers == ()
    finally:
        newer.close()


def opened_with_wall(store: RoomStore) -> tuple[str, str]:
    """The code of a new room and the key of its wall."""
    room = store.open_room()
    return room.code, wall_key(room.moderator_key)


# --- Versions ---------------------------------------------------------------------------------------------------------


def test_a_version_moves_with_what_it_counts_and_with_nothing_else(store: RoomStore) -> None:
    room = with_names(store, ["x"])
    ann = new_key()
    calls: list[tuple[str, Callable[[], Any]]] = [
        ("answers", lambda: store.join(room.code, ann, "Ann")),
        ("none", lambda: store.join(room.code, ann, "Ann")),
        ("answers", lambda: store.join(room.code, ann, "Ann", "x")),
        ("state", lambda: store.start(room.code, room.moderator_key, "vote", "")),
        ("answers", lambda: store.answer(room.code, ann, 1, "a=1")),
        ("none", lambda: store.answer(room.code, ann, 1, "a=1")),
        ("answers", lambda: store.answer(room.code, ann, 1, "a=2")),
        ("none", lambda: store.set_phase(room.code, room.moderator_key, 1, Phase.OPEN)),
        ("state", lambda: store.set_phase(room.code, room.moderator_key, 1, Phase.CLOSED)),
        ("state", lambda: store.start(room.code, room.moderator_key, "vote", "")),
        ("state", lambda: store.set_groups(room.code, room.moderator_key, ["y"])),
        ("none", lambda: store.set_groups(room.code, room.moderator_key, ["y"])),
        ("state", lambda: store.set_door(room.code, room.moderator_key, closed=True)),
        ("none", lambda: store.set_door(room.code, room.moderator_key, closed=True)),
        ("none", lambda: store.take_nickname(room.code, room.moderator_key, 7)),
        ("none", lambda: store.remove(room.code, room.moderator_key, 7)),
        ("none", lambda: store.is_moderator(room.code, room.moderator_key)),
        ("none", lambda: store.room(room.code)),
        ("none", lambda: store.on_the_wall(room.code, room.moderator_key)),
        ("none", lambda: store.results(room.code, room.moderator_key)),
        ("none", lambda: store.own_answer(room.code, ann, 1)),
        ("answers", lambda: store.leave(room.code, ann)),
        ("none", lambda: store.leave(room.code, ann)),
    ]
    for number, (moved, call) in enumerate(calls):
        before = store.versions(room.code)
        assert before is not None
        call()
        expected = RoomVersions(before.state + (moved == "state"), before.answers + (moved == "answers"))
        assert store.versions(room.code) == expected == store.room(room.code).versions, number


def test_a_version_never_tells_another_room_than_it_counts(store: RoomStore) -> None:
    room, _ = meeting(store, people=0)
    keys = [new_key() for _ in range(40)]

    def come_and_answer() -> None:
        for key in keys:
            store.join(room.code, key)
            store.answer(room.code, key, 1, "a=1")

    writer = threading.Thread(target=come_and_answer)
    writer.start()
    seen = set()
    while writer.is_alive() or not seen:
        now = store.room(room.code)
        seen.add(now.versions.answers)
        assert now.people + now.answered == now.versions.answers
    writer.join()
    assert store.room(room.code).versions.answers == 80
    assert len(seen) > 5


def test_a_poll_is_one_question_that_an_index_answers(store: RoomStore) -> None:
    room, _ = meeting(store, people=3)
    asked: list[str] = []

    def note(connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
        asked.append(statement)

    store.versions(room.code)
    event.listen(engine_of(store), "before_cursor_execute", note)
    try:
        for _ in range(5):
            store.versions(room.code)
    finally:
        event.remove(engine_of(store), "before_cursor_execute", note)
    assert len(asked) == 5
    if engine_of(store).dialect.name == "sqlite":
        with engine_of(store).connect() as connection:
            plan = connection.exec_driver_sql("EXPLAIN QUERY PLAN " + asked[0], (room.code,)).all()
        assert "USING INDEX" in str(plan)
    else:
        indexed = "SELECT indexdef FROM pg_indexes WHERE tablename = 'riskline_rooms'"
        with engine_of(store).connect() as connection:
            assert any("UNIQUE" in row[0] and "(code)" in row[0] for row in connection.execute(text(indexed)))


# --- Bounds -----------------------------------------------------------------------------------------------------------


def test_three_hundred_people_fit_into_a_room_also_when_they_come_at_once(store: RoomStore) -> None:
    room = with_names(store)
    keys = [new_key() for _ in range(296)]
    for key in keys:
        store.join(room.code, key)
    late = [new_key() for _ in range(12)]
    told = all_at_once([lambda key=key: store.join(room.code, key) for key in late])  # type: ignore[misc]
    assert sorted(one.number for one in told if isinstance(one, Participant)) == [297, 298, 299, 300]
    assert told.count(RoomCode.ROOM_FULL) == 8
    assert store.room(room.code).people == 300
    assert store.join(room.code, keys[0], "Ann") == Participant(1, "Ann", "", pending=True)  # those inside stay inside


def test_a_hundred_rooms_are_open_at_most_also_when_they_are_opened_at_once(store: RoomStore, clock: Clock) -> None:
    for _ in range(96):
        store.open_room()
    clock.time += HOUR
    told = all_at_once([store.open_room] * 12)
    assert told.count(RoomCode.TOO_MANY_ROOMS) == 8
    assert len({room.code for room in told if isinstance(room, OpenedRoom)}) == 4
    clock.time += LIFETIME - HOUR  # the first 96 have expired
    assert isinstance(store.open_room(), OpenedRoom)
    assert len(rows(store)["rooms"]) == 5


def test_texts_names_groups_and_activities_are_bounded(store: RoomStore, monkeypatch: pytest.MonkeyPatch) -> None:
    room, (key,) = meeting(store)
    wall = (room.code, room.moderator_key)
    assert store.answer(room.code, key, 1, "x" * 4000).answer == "x" * 4000
    for bad in ("x" * 4001, "a=\x00", "a=1\n", "\ud800"):
        assert refusal(store.answer, room.code, key, 1, bad) is RoomCode.BAD_TEXT
        assert refusal(store.start, *wall, "vote", bad) is RoomCode.BAD_TEXT
    for kind in ("", "x" * 41, "a b", "vote\n"):
        assert refusal(store.start, *wall, kind, "") is RoomCode.BAD_TEXT
    assert refusal(store.join, room.code, key, "x" * 41) is RoomCode.BAD_TEXT
    for groups in (["x" * 41], ["x"] * 2, ["x", "x\u200b"], [" "], list("abcdefg")):
        assert refusal(store.set_groups, *wall, groups) is RoomCode.BAD_TEXT
        assert refusal(store.open_room, groups) is RoomCode.BAD_TEXT
    store.set_groups(*wall, list("abcdef"))
    monkeypatch.setattr(rooms, "MOST_ACTIVITIES", 3)
    assert [store.start(*wall, "vote", "x" * 4000) for _ in range(2)] == [2, 3]
    assert refusal(store.start, *wall, "vote", "") is RoomCode.TOO_MANY_ACTIVITIES


def test_forty_answers_at_once_are_all_confirmed_and_kept(store: RoomStore) -> None:
    room, keys = meeting(store, people=40)
    told = all_at_once([lambda n=n: store.answer(room.code, keys[n], 1, f"a={n}") for n in range(40)])  # type: ignore[misc]
    assert [one.answer for one in told] == [f"a={n}" for n in range(40)]
    kept = stored_answers(store, room.code, 1)
    assert [(one.participant.number, one.answer) for one in kept] == [(n + 1, f"a={n}") for n in range(40)]
    assert store.room(room.code).versions == RoomVersions(2, 80)


# --- Expiry -----------------------------------------------------------------------------------------------------------


def test_a_room_is_deleted_a_day_after_its_last_use_and_not_before(store: RoomStore, clock: Clock) -> None:
    room, (key,) = meeting(store)
    other = store.open_room()
    store.answer(room.code, key, 1, "a=1")
    clock.time += LIFETIME - 1
    assert store.sweep() == 0
    assert store.own_answer(room.code, key, 1) == "a=1"
    assert store.is_moderator(other.code, other.moderator_key)
    clock.time += 2
    assert store.sweep() == 1
    held = rows(store)
    assert [row[1] for row in held.pop("rooms")] == [other.code]
    assert held == {"participants": [], "activities": [], "answers": []}


@pytest.mark.parametrize("use", ["join", "answer", "start", "phase", "groups", "wall"])
def test_each_use_gives_a_room_another_day_and_a_poll_does_not(store: RoomStore, clock: Clock, use: str) -> None:
    room, (key,) = meeting(store)
    wall = (room.code, room.moderator_key)
    uses: dict[str, Callable[[], Any]] = {
        "join": lambda: store.join(room.code, new_key()),
        "answer": lambda: store.answer(room.code, key, 1, "a=1"),
        "start": lambda: store.start(*wall, "vote", ""),
        "phase": lambda: store.set_phase(*wall, 1, Phase.CLOSED),
        "groups": lambda: store.set_groups(*wall, ["x"]),
        "wall": lambda: store.is_moderator(*wall),
    }
    clock.time += 10 * HOUR
    for poll in (store.versions, store.room):
        poll(room.code)
    store.participant(room.code, key)
    store.own_answer(room.code, key, 1)
    assert not store.is_moderator(room.code, key)
    assert store.room(room.code).ends == datetime.fromtimestamp(BEGAN + LIFETIME, UTC)
    uses[use]()
    assert store.room(room.code).ends == datetime.fromtimestamp(BEGAN + 10 * HOUR + LIFETIME, UTC)


def test_a_room_ends_seven_days_after_it_was_opened_whatever_its_use(store: RoomStore, clock: Clock) -> None:
    room, (key,) = meeting(store)
    for day in range(1, 14):
        clock.time = BEGAN + day * 12 * HOUR
        assert store.is_moderator(room.code, room.moderator_key)
        assert store.answer(room.code, key, 1, f"a={day}").answer == f"a={day}"
        assert store.room(room.code).ends.timestamp() == min(clock.time + LIFETIME, BEGAN + 7 * 24 * HOUR)
    clock.time = BEGAN + 7 * 24 * HOUR
    assert refusal(store.answer, room.code, key, 1, "a=0") is RoomCode.UNKNOWN
    store.sweep()
    assert rows(store)["answers"] == []


def test_an_open_wall_is_written_down_once_a_minute(store: RoomStore, clock: Clock) -> None:
    room, _ = meeting(store)
    for moved, ends in ((30, 0), (29, 0), (1, 60), (30, 60), (3000, 3090)):
        clock.time += moved
        assert store.is_moderator(room.code, room.moderator_key)
        assert store.room(room.code).ends == datetime.fromtimestamp(BEGAN + LIFETIME + ends, UTC)


@pytest.mark.parametrize("call", ["versions", "room", "join", "open_room"])
def test_whatever_is_called_deletes_what_has_expired(store: RoomStore, clock: Clock, call: str) -> None:
    room, _ = meeting(store)
    clock.time += HOUR
    kept = store.open_room()
    clock.time += LIFETIME - HOUR
    calls: dict[str, Callable[[], Any]] = {
        "versions": lambda: store.versions(kept.code),
        "room": lambda: store.room(kept.code),
        "join": lambda: store.join(kept.code, new_key()),
        "open_room": store.open_room,
    }
    calls[call]()
    held = rows(store)
    assert room.code not in {row[1] for row in held["rooms"]}
    assert (held["activities"], held["answers"]) == ([], [])


@pytest.mark.parametrize("days", [-400, -1, 1, 400])
def test_a_system_clock_that_is_set_ends_no_room_and_keeps_none(rooms_database: str, days: int) -> None:
    wall, steady = [BEGAN], [50.0]
    store = RoomStore(rooms_database, steady_clock(lambda: wall[0], lambda: steady[0]))
    room, (key,) = meeting(store)
    store.answer(room.code, key, 1, "a=1")
    wall[0] += days * 86_400.0
    assert store.sweep() == 0
    assert store.answer(room.code, key, 1, "a=2").answer == "a=2"
    assert store.room(room.code).ends == datetime.fromtimestamp(BEGAN + LIFETIME, UTC)
    steady[0] += LIFETIME + 1
    assert store.sweep() == 1
    assert rows(store)["answers"] == []
    store.close()


def test_a_replica_whose_clock_is_behind_brings_no_rooms_end_nearer(
    rooms_database: str, store: RoomStore, clock: Clock
) -> None:
    room, (key,) = meeting(store)
    behind = RoomStore(rooms_database, lambda: BEGAN - 20 * HOUR)
    assert behind.answer(room.code, key, 1, "a=1").answer == "a=1"
    assert behind.is_moderator(room.code, room.moderator_key)
    behind.close()
    assert store.room(room.code).ends == datetime.fromtimestamp(BEGAN + LIFETIME, UTC)


# --- The database itself ----------------------------------------------------------------------------------------------

SECRET = "Wilhelmina-of-the-meadow"


def test_a_fault_tells_neither_the_log_nor_the_caller_what_was_sent(
    store: RoomStore, rooms_database: str, caplog: pytest.LogCaptureFixture
) -> None:
    room, (key,) = meeting(store)
    with engine_of(store).begin() as connection:
        for table in ("answers", "participants"):
            connection.execute(text(f"DROP TABLE riskline_{table}"))
    caplog.clear()
    with caplog.at_level(logging.DEBUG), pytest.raises(RoomRefused) as refused:
        store.join(room.code, key, SECRET)
    assert refused.value.code is RoomCode.UNAVAILABLE
    assert refused.value.__context__ is None
    assert refused.value.__cause__ is None
    assert "the rooms' database does not answer" in caplog.text
    told = caplog.text + repr(refused.value)
    assert not [word for word in (SECRET, key, room.code, room.moderator_key, rooms_database) if word in told]
    assert store.join(room.code, key, SECRET).nickname == SECRET  # the tables are made again, without a restart


def test_a_fault_whose_own_words_quote_what_was_sent_is_told_by_its_kind(
    store: RoomStore, caplog: pytest.LogCaptureFixture
) -> None:
    room = store.open_room()

    def fail(*_: Any) -> None:
        raise sqlite3.OperationalError(f"Key (nickname)=({SECRET}) is odd")

    event.listen(engine_of(store), "before_cursor_execute", fail)
    with caplog.at_level(logging.DEBUG), pytest.raises(RoomRefused) as refused:
        store.join(room.code, new_key(), SECRET)
    event.remove(engine_of(store), "before_cursor_execute", fail)
    assert "OperationalError" in caplog.text
    assert SECRET not in caplog.text + repr(refused.value)
    assert refused.value.__context__ is None


def test_a_fault_of_the_engine_hides_what_was_sent(store: RoomStore) -> None:
    assert engine_of(store).hide_parameters


def test_processes_that_begin_together_make_the_tables_once(rooms_database: str, store: RoomStore) -> None:
    store.open_room()
    with engine_of(store).begin() as connection:
        TABLES.drop_all(connection)
    engine_of(store).dispose()
    program = (
        "import sys; from ui.rooms.store import RoomStore; store = RoomStore(sys.argv[1]);"
        "print('ready', flush=True); sys.stdin.readline(); print(store.open_room().code, flush=True)"
    )
    command = [sys.executable, "-c", program, rooms_database]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    begun = [subprocess.Popen(command, cwd=ROOT, text=True, **pipes) for _ in range(3)]
    try:
        for process in begun:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        told = [process.communicate("go\n", timeout=60) for process in begun]
    finally:
        for process in begun:
            process.kill()
    assert [errors for _, errors in told] == [""] * 3
    assert {row[1] for row in rows(store)["rooms"]} == {code.strip() for code, _ in told}


def test_only_one_replica_at_a_time_makes_the_tables(postgresql: PostgreSQL, patient_rooms: None) -> None:
    one, other = RoomStore(postgresql.url), RoomStore(postgresql.url)
    one.sweep()
    waiting = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
    with ThreadPoolExecutor(1) as pool:
        with one._database.write() as connection:
            one._database.lock_all_rooms(connection)
            TABLES.drop_all(connection)
        with one._database.write() as connection:
            one._database.lock_all_rooms(connection)
            opened = pool.submit(other.open_room)
            while not connection.scalar(waiting):
                assert not opened.done()
            assert not inspect(connection).get_table_names()
        room = opened.result(60)
    assert other.versions(room.code) == RoomVersions(1, 0)
    other.end(room.code, room.moderator_key)
    for each in (one, other):
        each.close()


def test_a_store_says_what_rooms_are_kept_in(store: RoomStore, rooms_database: str) -> None:
    assert store.kept == ("file" if rooms_database.startswith("sqlite") else "database")


# --- The file of SQLite -----------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is not there yet, named to the process as the one for rooms."""
    for name in ("RISKLINE_ROOMS", "RISKLINE_ROOMS_URL", "RISKLINE_ROOMS_URL_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("RISKLINE_ROOMS_FOLDER", str(tmp_path / "state" / "riskline"))
    return tmp_path / "state" / "riskline"


def test_a_database_that_does_not_answer_is_given_up_within_three_seconds() -> None:
    assert databases.PATIENCE == 3


def test_the_file_is_made_with_the_first_room_for_its_owner_alone(folder: Path) -> None:
    store = rooms.store()
    assert rooms.store() is store
    for call in everything(store, new_code(), new_key(), new_key()):
        assert refusal(call) is RoomCode.UNKNOWN
    assert store.versions(new_code()) is None
    assert store.participant(new_code(), new_key()) is None
    assert store.own_answer(new_code(), new_key(), 1) is None
    assert not store.is_moderator(new_code(), new_key())
    assert store.sweep() == 0
    assert not folder.exists()
    store.open_room()
    assert folder.stat().st_mode & 0o777 == 0o700
    held = {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}
    assert held == {"rooms.sqlite3": 0o600, "rooms.sqlite3-wal": 0o600, "rooms.sqlite3-shm": 0o600}


def test_every_commit_reaches_the_disk_and_what_is_deleted_is_overwritten(folder: Path) -> None:
    store = rooms.store()
    store.open_room()
    with engine_of(store).connect() as connection:
        settings = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "secure_delete", "busy_timeout")
        }
    assert settings == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "secure_delete": 1,
        "busy_timeout": 3000,
    }


@pytest.mark.parametrize("how", ["ended", "expired", "left"])
def test_nothing_of_a_room_or_a_participant_is_left_in_the_file(folder: Path, how: str) -> None:
    clock = Clock()
    store = RoomStore(f"sqlite:///{folder / 'rooms.sqlite3'}", clock)
    room, (key,) = meeting(store)
    store.join(room.code, key, SECRET)
    store.answer(room.code, key, 1, f"words={SECRET}")

    def held() -> bytes:
        return b"".join(path.read_bytes() for path in sorted(folder.iterdir()))

    assert SECRET.encode() in held()
    assert key.encode() not in held()
    if how == "ended":
        store.end(room.code, room.moderator_key)
    elif how == "left":
        store.leave(room.code, key)
    else:
        clock.time += LIFETIME + 1
        store.versions(room.code)
    for trace in (SECRET, hashed(key)) if how == "left" else (SECRET, room.code, hashed(key)):
        assert (trace if isinstance(trace, bytes) else trace.encode()) not in held()


@pytest.mark.parametrize("how", ["ended", "left"])
def test_ended_is_said_when_the_words_are_gone_also_from_the_log(
    folder: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr(databases, "PATIENCE", 0.3)
    store = rooms.store()
    room, (key,) = meeting(store)
    store.join(room.code, key, SECRET)

    def held() -> bool:
        return any(SECRET.encode() in path.read_bytes() for path in folder.iterdir())

    reader = sqlite3.connect(folder / "rooms.sqlite3", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM riskline_rooms").fetchall()
    if how == "ended":
        assert refusal(store.end, room.code, room.moderator_key) is RoomCode.STILL_HELD
        assert store.versions(room.code) is None
    else:
        store.leave(room.code, key)
    assert held()
    reader.execute("COMMIT")
    store.sweep()  # nothing has expired, and still it tries again
    assert not held()
    reader.close()


def test_what_a_killed_process_left_in_the_log_is_gone_after_the_next_start(folder: Path) -> None:
    store = rooms.store()
    room, (key,) = meeting(store)
    store.join(room.code, key, SECRET)
    with store._database.write() as connection:  # and is killed before it empties the log
        connection.execute(delete(ROOMS))
    assert any(SECRET.encode() in path.read_bytes() for path in folder.iterdir())
    again = RoomStore(f"sqlite:///{folder / 'rooms.sqlite3'}")
    assert again.sweep() == 0
    assert not any(SECRET.encode() in path.read_bytes() for path in folder.iterdir())
    again.close()


@pytest.mark.parametrize("how", ["ended", "left", "removed", "renamed"])
def test_killed_at_any_statement_a_deletion_leaves_no_word_behind_once_riskline_has_started_again(
    folder: Path, how: str
) -> None:
    address = f"sqlite:///{folder / 'rooms.sqlite3'}"
    for at in range(1, 60):
        store = RoomStore(address)
        room, (key,) = meeting(store)
        store.join(room.code, key, SECRET)
        store.answer(room.code, key, 1, "a=1")
        store.close()
        calls: dict[str, Callable[[RoomStore], Any]] = {
            "ended": lambda store, room=room: store.end(room.code, room.moderator_key),  # type: ignore[misc]
            "left": lambda store, room=room, key=key: store.leave(room.code, key),  # type: ignore[misc]
            "removed": lambda store, room=room: store.remove(room.code, room.moderator_key, 1),  # type: ignore[misc]
            "renamed": lambda store, room=room: store.take_nickname(room.code, room.moderator_key, 1),  # type: ignore[misc]
        }
        finished = _killed_at(at, address, calls[how])
        again = RoomStore(address)
        again.sweep()
        who = again.participant(room.code, key)
        held = any(SECRET.encode() in path.read_bytes() for path in folder.iterdir())
        assert held == (who is not None and who.nickname == SECRET)
        if again.versions(room.code) is not None:
            again.end(room.code, room.moderator_key)
        again.close()
        if finished:
            assert not held
            assert at > 5
            return
    pytest.fail("it never finished")


def _killed_at(at: int, address: str, call: Callable[[RoomStore], Any]) -> bool:
    """Whether a process that is killed at its statement of this number had finished before."""
    child = os.fork()
    if child == 0:  # whatever happens here, nothing of the tests may go on in this process
        try:
            store, left = RoomStore(address), iter(range(at - 1))
            event.listen(engine_of(store), "before_cursor_execute", lambda *_: next(left, None) is None and os._exit(9))
            event.listen(engine_of(store), "commit", lambda *_: next(left, None) is None and os._exit(9))
            call(store)
            os._exit(0)
        finally:
            os._exit(1)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, 9)
    return status == 0


@pytest.mark.parametrize("taken", ["all", "file", "replaced"])
def test_a_file_that_was_taken_away_confirms_no_answer_and_a_new_room_is_found(folder: Path, taken: str) -> None:
    store = rooms.store()
    room, (key,) = meeting(store)
    for path in folder.iterdir():
        if taken != "file" or path.name == "rooms.sqlite3":
            path.unlink()
    if taken == "replaced":
        (folder / "rooms.sqlite3").touch()
    assert refusal(store.answer, room.code, key, 1, "a=1") is RoomCode.UNKNOWN
    assert store.versions(room.code) is None
    other, (me,) = meeting(store)
    store.answer(other.code, me, 1, "a=2")
    fresh = RoomStore(f"sqlite:///{folder / 'rooms.sqlite3'}")  # another process finds it, too
    assert fresh.own_answer(other.code, me, 1) == "a=2"
    fresh.close()


def test_a_file_that_is_busy_for_too_long_is_told(
    folder: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(databases, "PATIENCE", 0.3)
    store = rooms.store()
    room = store.open_room()
    other = create_engine(f"sqlite:///{folder / 'rooms.sqlite3'}")
    with other.connect() as connection:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        began = time.monotonic()
        assert refusal(store.join, room.code, new_key()) is RoomCode.UNAVAILABLE
        assert time.monotonic() - began > 0.25
        assert store.versions(room.code) == RoomVersions(1, 0)  # readers go on
        connection.rollback()
    assert store.join(room.code, new_key()).number == 1
    assert "SQLITE_BUSY" in caplog.text


def test_without_a_folder_that_can_be_written_there_are_no_rooms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("RISKLINE_ROOMS", "RISKLINE_ROOMS_URL", "RISKLINE_ROOMS_URL_FILE"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "file").touch()
    monkeypatch.setenv("RISKLINE_ROOMS_FOLDER", str(tmp_path / "file" / "below"))
    assert refusal(rooms.store) is RoomCode.NO_FOLDER
    monkeypatch.setenv("RISKLINE_ROOMS_FOLDER", "/proc/no/folder")
    monkeypatch.setattr(os, "access", lambda *_: True)  # the system said yes and then no
    assert refusal(rooms.store().open_room) is RoomCode.NO_FOLDER
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setenv("RISKLINE_ROOMS_FOLDER", str(tmp_path))
    assert refusal(rooms.store) is RoomCode.NO_FOLDER


def test_rooms_that_nobody_asks_about_are_swept_from_time_to_time(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    swept = threading.Semaphore(0)

    def sweep(store: RoomStore) -> int:
        swept.release()
        raise RoomRefused(RoomCode.UNAVAILABLE)  # the next time may be better

    monkeypatch.setattr(RoomStore, "sweep", sweep)
    monkeypatch.setattr(rooms, "SWEEP_UNASKED", 0.01)
    ended = rooms.keep_swept()
    for _ in range(3):
        assert swept.acquire(timeout=60)
    ended.set()
    (thread,) = (one for one in threading.enumerate() if one.name == "rooms")
    thread.join(60)
    assert not thread.is_alive()
    monkeypatch.setenv("RISKLINE_ROOMS", "off")  # what was stored before still expires
    while swept.acquire(blocking=False):
        pass
    ended = rooms.keep_swept()
    assert swept.acquire(timeout=60)
    ended.set()


# --- By the environment -----------------------------------------------------------------------------------------------


def test_rooms_are_switched_off_by_the_environment(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not rooms.rooms_off()
    for word in ("off", " OFF "):
        monkeypatch.setenv("RISKLINE_ROOMS", word)
        assert rooms.rooms_off()
        assert refusal(rooms.store) is RoomCode.OFF


def test_without_a_word_the_file_lies_in_the_users_state_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("RISKLINE_ROOMS", "RISKLINE_ROOMS_URL", "RISKLINE_ROOMS_URL_FILE", "RISKLINE_ROOMS_FOLDER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    store = rooms.store()
    store.open_room()
    assert (tmp_path / "riskline" / "rooms.sqlite3").exists()


def test_the_address_can_stand_in_a_file_of_its_own(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "elsewhere.sqlite3"
    (tmp_path / "secret").write_text(f"sqlite:///{kept}\n")
    monkeypatch.setenv("RISKLINE_ROOMS_URL_FILE", str(tmp_path / "secret"))
    rooms.store().open_room()
    assert kept.exists()
    assert not folder.exists()
    monkeypatch.setenv("RISKLINE_ROOMS_URL_FILE", str(tmp_path / "not there"))
    assert refusal(rooms.store) is RoomCode.UNAVAILABLE


@pytest.mark.parametrize(
    "address",
    ["nonsense", "mysql://u:meadow@h/d", "postgresql://u:meadow@h:port/d", "sqlite://", "sqlite:///:memory:"],
)
def test_an_address_that_cannot_be_used_is_refused_without_being_told(
    address: str, folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("RISKLINE_ROOMS_URL", address)
    with pytest.raises(RoomRefused) as refused:
        rooms.store()
    assert refused.value.code is RoomCode.UNAVAILABLE
    assert "meadow" not in caplog.text + repr(refused.value)


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg"])
def test_the_usual_ways_to_write_an_address_of_postgresql_lead_there(scheme: str) -> None:
    store = RoomStore(f"{scheme}://u:meadow@127.0.0.1:1/rooms")
    assert engine_of(store).dialect.driver == "psycopg"
    assert store.kept == "database"


def test_without_its_driver_postgresql_is_told_to_be_missing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert refusal(RoomStore, "postgresql://u:meadow@127.0.0.1:1/rooms") is RoomCode.UNAVAILABLE
    assert "riskline[postgres]" in caplog.text
