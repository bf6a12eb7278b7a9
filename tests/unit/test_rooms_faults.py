"""Processes are killed and databases stopped in the middle of a meeting: no confirmed answer is lost or there twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import IntegrityError

from tests.postgresql import PostgreSQL
from tests.stored_answers import stored_answers
from tests.unit.room_answers import GOES_ON
from ui.rooms import database as databases
from ui.rooms.codes import new_key
from ui.rooms.meeting import Confirmation, OpenedRoom, RoomVersions
from ui.rooms.refusals import RoomCode, RoomRefused
from ui.rooms.store import RoomStore

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.usefixtures("patient_rooms")


@dataclass
class Phones:
    """A process that answers for these keys, and what it has told so far."""

    process: subprocess.Popen[str]
    confirmed: dict[str, int] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)
    lines: int = 0
    again: bool = False  # whether an earlier answer may be sent again, and is told the one that is kept

    def read(self, more: int) -> None:
        """Read so many further lines, or all that are left of a process that has ended."""
        assert self.process.stdout is not None
        wanted = self.lines + more
        while self.lines < wanted and (line := self.process.stdout.readline()).endswith("\n"):
            self.lines += 1
            who, what = line.split()
            if who == "refused":
                self.refused.append(what)
            else:
                assert int(what) > self.confirmed.get(who, 0) - self.again
                self.confirmed[who] = int(what)

    def kill(self) -> None:
        """End it as a crash would, and read what it had told by then."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(timeout=30)
        self.read(10**9)


@contextmanager
def phones(database: str, code: str, keys: list[str]) -> Iterator[Phones]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.unit.room_answers", code, *keys],
        cwd=ROOT,
        env=os.environ | {"RISKLINE_ROOMS_URL": database, "RISKLINE_ROOMS": "on"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield Phones(process, again=GOES_ON in keys)
    finally:
        process.kill()
        process.wait(timeout=30)


def meeting(store: RoomStore, people: int, *, stays: bool = False) -> tuple[OpenedRoom, list[str]]:
    room = store.open_room()
    keys = [new_key() for _ in range(people)]
    for key in keys:
        store.join(room.code, key)
    store.start(room.code, room.moderator_key, "vote", "", first_answer_stays=stays)
    return room, keys


def check_nothing_was_lost(
    store: RoomStore, room: OpenedRoom, keys: list[str], confirmed: dict[str, int], goes_on: bool = False
) -> None:
    """Each person has one answer: the last one confirmed, or one sent after it whose confirmation did not arrive."""
    held = {given.participant.number: given.answer for given in stored_answers(store, room.code, 1)}
    assert len(held) == len(stored_answers(store, room.code, 1)) == store.room(room.code).answered
    for number, key in enumerate(keys, start=1):
        if key in confirmed:
            said = held[number].removeprefix("n=")
            assert (len(said) if goes_on else int(said)) - confirmed[key] in (0, 1)


@pytest.mark.parametrize("goes_on", [False, True])
def test_a_killed_process_takes_no_confirmed_answer_with_it(rooms_database: str, goes_on: bool) -> None:
    store = RoomStore(rooms_database)
    room, keys = meeting(store, people=3, stays=goes_on)
    for _ in range(2):  # the second process begins anew; what goes on stays as long as it was
        with phones(rooms_database, room.code, [*keys, *[GOES_ON] * goes_on]) as answering:
            answering.read(40)
            answering.kill()
        assert set(answering.confirmed) == set(keys)
        check_nothing_was_lost(store, room, keys, answering.confirmed, goes_on)
    again = [store.own_answer(room.code, key, 1) for key in keys]
    before = store.versions(room.code)
    for key, answer in zip(keys, again, strict=True):
        assert answer is not None
        assert store.answer(room.code, key, 1, answer) == Confirmation(answer, kept_first=False)
    assert store.versions(room.code) == before
    store.end(room.code, room.moderator_key)
    store.close()


def test_of_two_replicas_one_is_killed_and_the_other_goes_on(postgresql: PostgreSQL) -> None:
    store = RoomStore(postgresql.url)
    room, keys = meeting(store, people=4)
    with (
        phones(postgresql.url, room.code, keys[:2]) as killed,
        phones(postgresql.url, room.code, keys[2:]) as other,
    ):
        killed.read(20)
        other.read(20)
        killed.kill()
        other.read(30)
        with phones(postgresql.url, room.code, keys[:1]) as moved:  # a reader of the first comes to a third
            moved.read(10)
            moved.kill()
        other.kill()
    check_nothing_was_lost(store, room, keys, killed.confirmed | other.confirmed | moved.confirmed)
    store.end(room.code, room.moderator_key)
    store.close()


def refused(store: RoomStore, room: OpenedRoom, key: str) -> set[RoomCode]:
    codes = set()
    for call in (
        lambda: store.versions(room.code),
        lambda: store.room(room.code),
        lambda: store.answer(room.code, key, 1, "n=0"),
        lambda: store.join(room.code, new_key()),
        lambda: store.results(room.code, room.moderator_key),
        store.open_room,
    ):
        with pytest.raises(RoomRefused) as told:
            call()
        codes.add(told.value.code)
    return codes


def test_a_database_that_is_stopped_in_mid_room_is_told_and_nothing_is_lost(postgresql: PostgreSQL) -> None:
    store = RoomStore(postgresql.url)
    room, keys = meeting(store, people=4)
    mine, others = keys[0], keys[1:]
    confirmed = {}
    with phones(postgresql.url, room.code, others) as answering:
        answering.read(30)
        assert store.answer(room.code, mine, 1, "n=1").answer == "n=1"
        confirmed[mine] = 1
        for sent in (2, 3):
            postgresql.stop()
            try:
                assert refused(store, room, mine) == {RoomCode.UNAVAILABLE}
                while len(answering.refused) < sent:
                    answering.read(1)
            finally:
                postgresql.start()
            check_nothing_was_lost(store, room, [mine], confirmed)
            for _ in range(2):  # what was not confirmed is sent again, and again
                assert store.answer(room.code, mine, 1, f"n={sent}") == Confirmation(f"n={sent}", kept_first=False)
            confirmed[mine] = sent
            before = dict(answering.confirmed)
            while any(answering.confirmed[key] == before[key] for key in others):  # they go on by themselves
                answering.read(1)
        answering.kill()
    assert set(answering.refused) == {"unavailable"}
    check_nothing_was_lost(store, room, keys, confirmed | answering.confirmed)
    assert store.room(room.code).people == 4
    store.end(room.code, room.moderator_key)
    store.close()


def test_a_first_answer_whose_confirmation_was_lost_stays_the_one_that_counts(postgresql: PostgreSQL) -> None:
    store = RoomStore(postgresql.url)
    room = store.open_room()
    key = new_key()
    store.join(room.code, key)
    store.start(room.code, room.moderator_key, "coin_survey", "", first_answer_stays=True)
    store.answer(room.code, key, 1, "yes=1")
    postgresql.stop()
    try:
        with pytest.raises(RoomRefused):
            store.answer(room.code, key, 1, "yes=1")
    finally:
        postgresql.start()
    versions = store.versions(room.code)
    postgresql.stop()
    postgresql.start()
    assert store.versions(room.code) == versions  # where nobody asked meanwhile, the first question is answered too
    assert store.answer(room.code, key, 1, "yes=1") == Confirmation("yes=1", kept_first=False)
    assert store.answer(room.code, key, 1, "yes=0") == Confirmation("yes=1", kept_first=True)
    assert store.versions(room.code) == versions == RoomVersions(2, 2)
    store.end(room.code, room.moderator_key)
    store.close()


def test_the_databases_log_quotes_nobody_where_it_is_set_as_the_deployment_sets_it(postgresql: PostgreSQL) -> None:
    store = RoomStore(postgresql.url)
    room, (key,) = meeting(store, people=1)
    word = "Wilhelmina-of-the-meadow"
    store.set_names(room.code, room.moderator_key, typed=True)
    store.join(room.code, key, word)
    store.answer(room.code, key, 1, f"words={word}")
    engine = create_engine(store._database._engine.url)
    again = "INSERT INTO riskline_answers SELECT room, activity, participant, '{}' FROM riskline_answers"
    for statement, given in ((again.format(word), {}), (again.format("x") + " WHERE answer <> :word", {"word": word})):
        with pytest.raises(IntegrityError), engine.begin() as connection:
            connection.execute(text(statement), given)
    engine.dispose()
    assert "duplicate key" in postgresql.log
    for quoted in (word, key, room.code, room.moderator_key, postgresql.password, "INSERT"):
        assert quoted not in postgresql.log
    store.end(room.code, room.moderator_key)
    store.close()


def test_a_process_that_was_forked_asks_by_connections_of_its_own(rooms_database: str) -> None:
    store = RoomStore(rooms_database)
    room, (key,) = meeting(store, people=1)
    store.answer(room.code, key, 1, "n=1")
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:  # whatever happens here, no test may continue in this process
        try:
            told = repr(store.answer(room.code, key, 1, "n=2"))
            os.write(writing, told.encode())
        finally:
            os._exit(0)
    os.close(writing)
    with ThreadPoolExecutor(1) as pool, os.fdopen(reading, "rb") as told_by_child:
        meanwhile = pool.submit(lambda: [store.versions(room.code) for _ in range(20)])
        assert told_by_child.read() == repr(Confirmation("n=2", kept_first=False)).encode()
        assert None not in meanwhile.result()
    os.waitpid(child, 0)
    assert store.own_answer(room.code, key, 1) == "n=2"
    store.end(room.code, room.moderator_key)
    store.close()


def test_a_frozen_database_holds_up_one_and_nobody_behind(
    postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    patient = RoomStore(postgresql.url)
    room, (key,) = meeting(patient, people=1)
    monkeypatch.setattr(databases, "PATIENCE", 1)
    store = RoomStore(postgresql.url)
    store.versions(room.code)
    with ThreadPoolExecutor(1) as pool, postgresql.frozen():
        told = pool.submit(store.answer, room.code, key, 1, "n=1").exception(timeout=40)
        assert isinstance(told, RoomRefused)
        assert told.code is RoomCode.UNAVAILABLE
    with store._database._trying, pytest.raises(RoomRefused):  # one caller tries; nobody else waits
        store.versions(room.code)
    assert store.answer(room.code, key, 1, "n=2").answer == "n=2"
    with store._database._trying:  # it answered: everybody asks again
        assert store.versions(room.code) == RoomVersions(2, 2)
    patient.end(room.code, room.moderator_key)
    for one in (store, patient):
        one.close()


def test_a_room_that_somebody_holds_for_too_long_is_given_up(
    postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = RoomStore(postgresql.url)
    room, (key,) = meeting(other, people=1)
    monkeypatch.setattr(databases, "PATIENCE", 1)
    store = RoomStore(postgresql.url)
    held = threading.Event()
    done = threading.Event()

    def hold_the_room() -> None:
        with other._changing(room.code):
            held.set()
            done.wait()

    holder = threading.Thread(target=hold_the_room)
    holder.start()
    held.wait()
    try:
        with pytest.raises(RoomRefused) as told:
            store.answer(room.code, key, 1, "n=1")
        assert told.value.code is RoomCode.UNAVAILABLE
        assert other.versions(room.code) == RoomVersions(2, 1)  # readers do not wait
    finally:
        done.set()
        holder.join()
    assert other.answer(room.code, key, 1, "n=1").answer == "n=1"
    other.end(room.code, room.moderator_key)
    for one in (store, other):
        one.close()
