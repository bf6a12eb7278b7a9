"""Where rooms are kept: what a moderator and participants do, each in one transaction.

What is behind a call that returned has been committed. Every transaction that changes a room takes its row first, so
that bounds and versions hold however many write at once.
"""

from __future__ import annotations

import json
import os
import secrets
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partialmethod, wraps
from inspect import isfunction
from math import ceil
from pathlib import Path
from typing import Any

from platformdirs import user_state_path
from sqlalchemy import ColumnElement, Connection, Row, Table, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from ui.rooms import clock as rooms_clock
from ui.rooms import meeting, questions
from ui.rooms.codes import hashed, new_code, new_key, read_key, same, wall_key
from ui.rooms.database import ACTIVITIES, ANSWERS, FAULTS, PARTICIPANTS, ROOMS, Database
from ui.rooms.meeting import FEWEST, SEEN, OnTheWall, Participant, Phase, Result, Room, RoomVersions, StartedActivity
from ui.rooms.refusals import RoomCode, RoomRefused

MOST_ROOMS = 100
MOST_PEOPLE = 300
MOST_ACTIVITIES = 100
LIFETIME = 24 * 3600  # seconds after the last use
LONGEST = 7 * 24 * 3600  # seconds after it was opened, whatever its use
WALL_COUNTS_AFTER = 60  # the moderator's page is drawn again and again: its use is written down once a minute
SWEEP_EVERY = 60
SWEEP_UNASKED = 600  # seconds, where nobody asks for anything


def _faults_as_refusals(store: type[RoomStore]) -> type[RoomStore]:
    """Each call of a store makes a fault of the database a refusal, outside of its handler: no traceback quotes it."""

    def refusing(call: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(call)
        def called(self: RoomStore, *given: Any, **named: Any) -> Any:
            try:
                with self._database.patience():
                    return call(self, *given, **named)
            except FAULTS as fault:
                refusal = self._database.give_up(fault)
            raise refusal

        return called

    for name, call in [*vars(store).items()]:
        if isfunction(call) and not name.startswith("_") and call is not store.close:
            setattr(store, name, refusing(call))
    return store


@_faults_as_refusals
class RoomStore:
    """The rooms of one database: called from any thread, and from several processes at once."""

    def __init__(self, url: str, clock: Callable[[], float] = rooms_clock.now) -> None:
        self._database = Database(url)
        self._clock = clock
        self._swept = -float(SWEEP_EVERY)
        self._insert = sqlite.insert if self._database.file else postgresql.insert

    @property
    def kept(self) -> str:
        """What rooms are kept in: a "file" or a "database"."""
        return "file" if self._database.file else "database"

    def open_room(self, groups: Sequence[str] = ()) -> meeting.OpenedRoom:
        """Open a room; the moderator's key is told here and never again."""
        names = meeting.group_names(groups)
        key = new_key()
        self._sweep()
        with self._database.write() as connection:
            self._database.lock_all_rooms(connection)
            if (connection.scalar(select(func.count()).select_from(ROOMS)) or 0) >= MOST_ROOMS:
                raise RoomRefused(RoomCode.TOO_MANY_ROOMS)
            code = new_code()
            while connection.scalar(select(ROOMS.c.room).where(ROOMS.c.code == code)) is not None:
                code = new_code()
            row = {"code": code, "group_names": json.dumps(names), "ends": self._end()} | _hashes(key)
            row["latest"] = ceil(self._clock() + LONGEST)
            connection.execute(insert(ROOMS).values(running=0, state=1, answers=0, **row))
        return meeting.OpenedRoom(code, key)

    def versions(self, code: str) -> RoomVersions | None:
        """The two versions of a room, which everybody asks every few seconds; None where it is unknown or ended."""
        self._sweep_now_and_then()
        if not self._database.is_made():
            return None
        with self._database.asked_once() as connection:
            row = connection.execute(questions.VERSIONS, {"code": code}).one_or_none()
        if row is not None and row.ends <= self._clock():
            self._sweep()  # that it has ended is told with the words that all of it is deleted
            row = None
        return None if row is None else RoomVersions(row.state, row.answers)

    def room(self, code: str) -> Room:
        """The room as it is now."""
        with self._reading(code) as (connection, row):
            return _room(connection, row, _running(connection, row))

    def on_the_wall(self, code: str, key: str) -> OnTheWall:
        """The room for its wall, by the key of the wall or the moderator's: answers only while the result is shown.

        Of fewer than three answers nobody has any, unless all who gave them agreed.
        """
        with self._reading(code) as (connection, row):
            moderates = same(key, row.moderator_hash)
            if not (moderates or same(key, row.wall_hash or b"")):
                raise RoomRefused(RoomCode.WRONG_KEY)
            running = _running(connection, row)
            wall, lengths = _on_the_wall(connection, row, running), _lengths(connection, row, running)
            return replace(wall, lengths=lengths, script=row.script if moderates else "")

    def on_a_phone(self, code: str, participant_key: str) -> meeting.OnAPhone:
        """The room for a participant, with their own answer: that of others as on the wall; for others without any."""
        with self._reading(code) as (connection, row):
            who = _participant(connection, row, participant_key)
            running = _running(connection, row)
            if who is None:
                return meeting.OnAPhone(_room(connection, row, running))
            seen = _on_the_wall(connection, row, running)
            (who,) = meeting.drawn(running.names if running else 0, who)
            sent, agreed = _own(connection, row, who, row.running)
            return meeting.OnAPhone(**vars(seen), participant=who, sent=sent, agreed=agreed)

    def is_moderator(self, code: str, key: str) -> bool:
        """Whether the key moderates the room; to open the moderator's page is a use of the room."""
        if not self._database.is_made():
            return False
        with self._database.read() as connection:
            row = self._found(connection, code)
        if row is None or not same(key, row.moderator_hash):
            return False
        if min(self._end(), row.latest) - row.ends >= WALL_COUNTS_AFTER:
            with self._database.write() as connection:
                self._change(connection, row)
        return True

    def join(self, code: str, participant_key: str, nickname: str = "", group: str = "") -> Participant:
        """Come in, or change nickname and group: one key is one participant, however often it joins.

        A nickname is taken where the moderator lets people type one, and shown to others once the moderator does so.
        Whoever is in keeps both while the running activity takes no answers: they are about to be shown, or are. The
        group stays for good once a result with an answer of theirs was seen, or the next would tell how they answered.
        No two people of a room have nicknames that are the same by `meeting.folded`.
        """
        name = meeting.name_of(nickname)
        try:
            read_key(participant_key)
        except ValueError:
            raise RoomRefused(RoomCode.BAD_TEXT) from None
        with self._changing(code) as (connection, row):
            if group and group not in json.loads(row.group_names):
                raise RoomRefused(RoomCode.BAD_TEXT)
            if name and not row.names_typed:
                raise RoomRefused(RoomCode.NAMES_OFF)
            known = _participant(connection, row, participant_key)
            if known is None and row.door_closed:
                raise RoomRefused(RoomCode.DOOR_CLOSED)
            if known is None and _count(connection, PARTICIPANTS.c.room == row.room) >= MOST_PEOPLE:
                raise RoomRefused(RoomCode.ROOM_FULL)
            highest = _highest_number(connection, row)
            number = known.number if known else highest + 1
            pending = bool(name) and (known is None or name != known.nickname or known.pending)
            joined = Participant(number, name, group, pending)
            if joined == known:
                return joined
            if known and _phase(connection, row) not in (None, Phase.OPEN):
                raise RoomRefused(RoomCode.NAMES_STAY)
            if known and group != known.group and _was_seen(connection, row, ANSWERS.c.participant == number):
                raise RoomRefused(RoomCode.NAMES_STAY)
            if name and (known is None or meeting.folded(name) != meeting.folded(known.nickname)):
                others = select(PARTICIPANTS.c.nickname).where(PARTICIPANTS.c.room == row.room)
                if meeting.folded(name) in map(meeting.folded, connection.scalars(others)):
                    raise RoomRefused(RoomCode.NAME_TAKEN)
            if known:
                theirs = ANSWERS.c.participant == number
                _update(connection, row, ANSWERS, _taken_now(row), theirs, group_name=group)
            told = {"nickname": name, "group_name": group, "name_shown": bool(name) and not pending}
            new = {"room": row.room, "participant": number, "key_hash": hashed(participant_key), **told}
            upsert = self._insert(PARTICIPANTS).values(**new)
            connection.execute(upsert.on_conflict_do_update(index_elements=["room", "participant"], set_=told))
            self._change(connection, row, answers=ROOMS.c.answers + 1, numbered=max(number, highest))
        return joined

    def leave(self, code: str, participant_key: str) -> None:
        """Delete a participant and all that they answered; their number is never given again.

        A result with an answer of theirs that people have seen is not shown any more, whatever the moderator wants.
        What was only counted stays counted: nobody knows which answer was theirs.
        Where nobody holds the key it is so already: the first confirmation may have been lost on its way.
        """
        with self._changing(code) as (connection, row):
            gone = _participant(connection, row, participant_key)
            if gone is None:
                return
            over = _phase(connection, row) not in (None, Phase.OPEN)  # those who stay may be too few now
            self._delete_participant(connection, row, gone.number, told=over)
        self._database.forget_deleted()

    def people(self, code: str, key: str) -> tuple[Participant, ...]:
        """Everybody in the room in the order of their numbers, and whether they answered; for the moderator."""
        with self._reading(code, key) as (connection, row):
            running = ANSWERS.c.room == row.room, ANSWERS.c.activity == row.running
            answered = set(connection.scalars(select(ANSWERS.c.participant).where(*running)))
            asked = select(PARTICIPANTS).where(PARTICIPANTS.c.room == row.room).order_by(PARTICIPANTS.c.participant)
            return tuple(
                replace(_joined(one), answered=one.participant in answered) for one in connection.execute(asked)
            )

    def remove(self, code: str, key: str, number: int) -> None:
        """Delete the participant with this number and all that they answered, as if they had left; for the moderator.

        Where nobody has the number it is so already.
        """
        with self._changing(code, key) as (connection, row):
            theirs = PARTICIPANTS.c.room == row.room, PARTICIPANTS.c.participant == number
            if not _count(connection, *theirs):
                return
            self._delete_participant(connection, row, number, told=True)  # their phone, too
        self._database.forget_deleted()

    def set_names(self, code: str, key: str, *, typed: bool) -> None:
        """Let people type a name of their own, or no more: then those that were typed are deleted."""
        with self._changing(code, key) as (connection, row):
            if not typed:
                _update(connection, row, PARTICIPANTS, nickname="", name_shown=False)
            self._change(connection, row, names_typed=typed, answers=ROOMS.c.answers + 1, state=ROOMS.c.state + 1)
        self._database.forget_deleted()

    def show_name(self, code: str, key: str, number: int, nickname: str) -> None:
        """Show others this nickname of the participant with this number, unless they have changed it meanwhile."""
        with self._changing(code, key) as (connection, row):
            seen = PARTICIPANTS.c.participant == number, PARTICIPANTS.c.nickname == nickname
            if nickname and _update(connection, row, PARTICIPANTS, *seen, name_shown=True):
                self._change(connection, row, answers=ROOMS.c.answers + 1)

    def take_nickname(self, code: str, key: str, number: int) -> None:
        """Take the nickname of the participant with this number, also while a result is shown; for the moderator."""
        with self._changing(code, key) as (connection, row):
            named = PARTICIPANTS.c.participant == number, PARTICIPANTS.c.nickname != ""
            if _update(connection, row, PARTICIPANTS, *named, nickname=""):
                self._change(connection, row, answers=ROOMS.c.answers + 1, state=ROOMS.c.state + 1)
        self._database.forget_deleted()

    def set_door(self, code: str, key: str, *, closed: bool) -> None:
        """Let nobody more join, or let people join again; who is in the room stays in it."""
        with self._changing(code, key) as (connection, row):
            if row.door_closed != closed:
                self._change(connection, row, door_closed=closed, state=ROOMS.c.state + 1)

    def renew_key(self, code: str, key: str, new: str) -> None:
        """Another key for the moderator, who holds it already: the old one and its wall's open nothing from now on."""
        with self._changing(code, key) as (connection, row):
            self._change(connection, row, state=ROOMS.c.state + 1, **_hashes(new))

    def participant(self, code: str, participant_key: str) -> Participant | None:
        """Who holds this key; None where nobody does or there is no such room."""
        with suppress(RoomRefused), self._reading(code) as (connection, row):
            return _participant(connection, row, participant_key)
        return None

    def set_groups(self, code: str, key: str, groups: Sequence[str]) -> None:
        """Name the room's groups; whoever was in one that is gone is in none, and may choose again.

        From the end of answers on they stay: what a result tells apart would differ by a single person's move. Once a
        result was seen, none is taken away.
        """
        names = meeting.group_names(groups)
        with self._changing(code, key) as (connection, row):
            if names == json.loads(row.group_names):
                return
            taken = set(json.loads(row.group_names)) - set(names)
            if _phase(connection, row) not in (None, Phase.OPEN) or (taken and _was_seen(connection, row)):
                raise RoomRefused(RoomCode.GROUPS_STAY)
            _update(connection, row, PARTICIPANTS, PARTICIPANTS.c.group_name.not_in(names), group_name="")
            _update(connection, row, ANSWERS, _taken_now(row), ANSWERS.c.group_name.not_in(names), group_name="")
            self._change(connection, row, group_names=json.dumps(names), state=ROOMS.c.state + 1)

    def set_script(self, code: str, key: str, script: str) -> None:
        """Prepare other activities to come; to the store they are a text."""
        meeting.check_text(script)
        with self._changing(code, key) as (connection, row):
            self._change(connection, row, script=script, state=ROOMS.c.state + 1)

    def start(
        self,
        code: str,
        key: str,
        kind: str,
        settings: str,
        *,
        first_answer_stays: bool = False,
        beside: int = 0,
        counts_all: bool = False,
        tallied_question: str | None = None,
        script: str | None = None,
        after: int | None = None,
    ) -> int:
        """Start an activity and return its number, from 1 on; the one that took answers so far is closed.

        `script` is what is still to come then, None for what was. A press that was meant `after` an activity which is
        no longer the last one starts nothing: another tab was sooner.

        `beside` is an earlier activity whose answers are shown with those of this one; 0 for none. `counts_all`: its
        result holds everybody who was in the room when answers closed, with an empty answer from who gave none.
        `tallied_question`
        is asked once in a room, and its answers are counted without whose they are: many answers of one person to it,
        or one that could be told apart, would undo the noise.
        """
        if not kind.isidentifier() or len(kind) > meeting.NAME_LENGTH:
            raise RoomRefused(RoomCode.BAD_TEXT)
        meeting.check_text(settings)
        meeting.check_text(script or "")
        with self._changing(code, key) as (connection, row):
            if after is not None and after != row.running:
                return int(row.running)
            number: int = row.running + 1
            if number > MOST_ACTIVITIES:
                raise RoomRefused(RoomCode.TOO_MANY_ACTIVITIES)
            counted: dict[str, Any] = {}
            if tallied_question is not None:
                counted = {"question": meeting.letters_and_digits(tallied_question), "tally": "{}"}
                if _count(connection, ACTIVITIES.c.room == row.room, ACTIVITIES.c.question == counted["question"]):
                    raise RoomRefused(RoomCode.ASKED_BEFORE)
            _count_present(connection, row)
            _update(connection, row, ACTIVITIES, ACTIVITIES.c.phase == Phase.OPEN, phase=Phase.CLOSED)
            values: dict[str, Any] = {"kind": kind, "settings": settings, "phase": Phase.OPEN}
            values |= {"room": row.room, "activity": number, "beside": beside, "first_answer_stays": first_answer_stays}
            values |= {"names": 1 + secrets.randbits(62), "counts_to": 0 if counts_all else None}
            connection.execute(insert(ACTIVITIES).values(**values, **counted))
            to_come = row.script if script is None else script
            self._change(connection, row, running=number, script=to_come, state=ROOMS.c.state + 1)
        return number

    def set_phase(self, code: str, key: str, number: int, phase: Phase, *, settings: str | None = None) -> None:
        """Open, close, show or hide the activity started last; an earlier one stays as it is.

        `settings` are from now on those of the activity: what was not to be told before its result. Where answers are
        only counted, none are taken after the first close.
        """
        if settings is not None:
            meeting.check_text(settings)
        with self._changing(code, key) as (connection, row):
            running = _running(connection, row)
            if running is None or number != running.activity:
                raise RoomRefused(RoomCode.NOT_OPEN)
            before = _started(running)
            after = replace(before, phase=Phase(phase), settings=before.settings if settings is None else settings)
            if after == before:
                return
            taken_again = before.tallied and after.phase is Phase.OPEN
            if taken_again or not before.phase.may_become(after.phase):
                raise RoomRefused(RoomCode.NOT_OPEN)
            if after.phase is Phase.SHOWN:
                closed = _room(connection, row, running)
                if 0 < closed.answered < FEWEST and not closed.agreed:
                    raise RoomRefused(RoomCode.TOO_FEW)
                if _earlier(connection, row, running):  # what stands beside it is seen with it, if it was not before
                    beside = ACTIVITIES.c.activity == running.beside, ACTIVITIES.c.phase == Phase.CLOSED
                    _update(connection, row, ACTIVITIES, *beside, phase=Phase.HIDDEN)
            _count_present(connection, row)
            told = {"phase": after.phase, "settings": after.settings}
            _update(connection, row, ACTIVITIES, ACTIVITIES.c.activity == number, **told)
            self._change(connection, row, state=ROOMS.c.state + 1)

    def answer(self, code: str, participant_key: str, number: int, answer: str) -> meeting.Confirmation:
        """Keep an answer: one for each participant and activity, the last one or, where that stays, the first.

        Where the first one stays, an answer that begins with it goes on from it: it is kept in its place, and stays.

        Sent again, the same answer is confirmed again, also once the activity is closed: the first confirmation may
        have been lost on its way. Where answers are only counted, it is not known any more whether it is the same, and
        it is counted once.
        """
        meeting.check_text(answer)
        with self._changing(code) as (connection, row):
            sender = _participant(connection, row, participant_key)
            if sender is None:
                raise RoomRefused(RoomCode.NOT_JOINED)
            kept, _ = _own(connection, row, sender, number)
            if kept == answer:
                return meeting.Confirmation(answer, kept_first=False)
            activity = _activity(connection, row, number)
            counted = activity is not None and activity.tally is not None
            if counted and kept is not None:
                return meeting.Confirmation(kept, kept_first=True)
            if activity is None or activity.phase != Phase.OPEN:  # one that is open is the one started last
                raise RoomRefused(RoomCode.NOT_OPEN)
            if kept is not None and activity.first_answer_stays and not answer.startswith(kept):
                return meeting.Confirmation(kept, kept_first=True)
            if counted:
                tally = Counter(json.loads(activity.tally)) + Counter([answer])
                _update(connection, row, ACTIVITIES, ACTIVITIES.c.activity == number, tally=json.dumps(tally))
                answer = ""
            place = {"room": row.room, "activity": number, "participant": sender.number}
            told = {"answer": answer, "group_name": sender.group, "agreed": False}
            upsert = self._insert(ANSWERS).values(**place, **told)
            connection.execute(upsert.on_conflict_do_update(index_elements=list(place), set_=told))
            self._change(connection, row, answers=ROOMS.c.answers + 1)
        return meeting.Confirmation(answer, kept_first=False)

    def agree(self, code: str, participant_key: str, number: int) -> None:
        """Agree that the result is shown of fewer than three answers, one's own among them; from who answered."""
        with self._changing(code) as (connection, row):
            sender = _participant(connection, row, participant_key)
            if sender is None or _own(connection, row, sender, number)[0] is None:
                raise RoomRefused(RoomCode.NOT_JOINED)
            theirs = ANSWERS.c.activity == number, ANSWERS.c.participant == sender.number
            if _update(connection, row, ANSWERS, *theirs, ~ANSWERS.c.agreed, agreed=True):
                self._change(connection, row, answers=ROOMS.c.answers + 1)

    def own_answer(self, code: str, participant_key: str, number: int) -> str | None:
        """What this participant answered to an activity, empty where that is only counted; None for no answer."""
        with suppress(RoomRefused), self._reading(code) as (connection, row):
            sender = _participant(connection, row, participant_key)
            return None if sender is None else _own(connection, row, sender, number)[0]
        return None

    def results(self, code: str, key: str) -> tuple[Result, ...]:
        """The activities whose result was on the wall, with their answers, of three and more; for the moderator.

        There is no way to answers that were not shown: compared before and after one person came, answered or went,
        they would tell what that one answered.
        """
        with self._reading(code, key) as (connection, row):
            seen = ACTIVITIES.c.room == row.room, ACTIVITIES.c.phase.in_(SEEN)
            asked = connection.execute(select(ACTIVITIES).where(*seen).order_by(ACTIVITIES.c.activity)).all()
            found = (_result(connection, row, activity) for activity in asked)
            return tuple(result for result in found if sum(bool(one.answer) for one in result.answers) >= FEWEST)

    def result(self, code: str, key: str, number: int) -> Result | None:
        """A result of `Room.shown` once more, for whoever has a key of the room; None where it is none, or no more."""
        with self._reading(code) as (connection, row):
            of_room = same(key, row.moderator_hash) or same(key, row.wall_hash or b"")
            if not (of_room or _participant(connection, row, key)):
                raise RoomRefused(RoomCode.WRONG_KEY)
            found = _activity(connection, row, number)
            if found is None or _started(found) not in _shown(connection, row):
                return None
            return _result(connection, row, found)

    def activities(self, code: str, key: str) -> tuple[StartedActivity, ...]:
        """All activities of the room in the order of their numbers; for the moderator."""
        with self._reading(code, key) as (connection, row):
            asked = select(ACTIVITIES).where(ACTIVITIES.c.room == row.room).order_by(ACTIVITIES.c.activity)
            return tuple(map(_started, connection.execute(asked)))

    def end(self, code: str, key: str) -> None:
        """Delete the room and everything in it; refused where it is gone and the log of the file still holds words."""
        with self._changing(code, key) as (connection, row):
            connection.execute(delete(ROOMS).where(ROOMS.c.room == row.room))
        if not self._database.forget_deleted():
            raise RoomRefused(RoomCode.STILL_HELD)

    def sweep(self) -> int:
        """Delete the expired rooms and return how many they were."""
        return self._sweep()

    def close(self) -> None:
        """Close the connections to the database."""
        self._database.close()

    def _sweep(self) -> int:
        self._swept = self._clock()
        if not self._database.is_made():
            return 0
        with self._database.write() as connection:
            deleted = connection.execute(delete(ROOMS).where(ROOMS.c.ends <= self._clock())).rowcount
        if deleted or self._database.holds_deleted:
            self._database.forget_deleted()
        return deleted

    def _sweep_now_and_then(self) -> None:
        if not 0 <= self._clock() - self._swept < SWEEP_EVERY:
            self._sweep()

    @contextmanager
    def _reading(
        self, code: str, key: str | None = None, *, changing: bool = False
    ) -> Iterator[tuple[Connection, Row[Any]]]:
        """A room at one moment, or in a transaction that takes its row first; with a key, for its moderator."""
        self._sweep_now_and_then()
        if not self._database.is_made():
            raise RoomRefused(RoomCode.UNKNOWN)
        with self._database.write() if changing else self._database.read() as connection:
            row = self._found(connection, code, locked=changing)
            if row is None:
                raise RoomRefused(RoomCode.UNKNOWN)
            if key is not None and not same(key, row.moderator_hash):
                raise RoomRefused(RoomCode.WRONG_KEY)
            yield connection, row

    _changing = partialmethod(_reading, changing=True)

    def _end(self) -> int:
        return ceil(self._clock() + LIFETIME)

    def _found(self, connection: Connection, code: str, *, locked: bool = False) -> Row[Any] | None:
        asked = questions.ROOM_LOCKED if locked else questions.ROOM
        return connection.execute(asked, {"code": code, "now": self._clock()}).one_or_none()

    def _delete_participant(self, connection: Connection, row: Row[Any], number: int, *, told: bool) -> None:
        """Delete somebody with all answers; `told` to who looks at the state alone, as all do who see a result."""
        answered = select(ANSWERS.c.activity).where(ANSWERS.c.room == row.room, ANSWERS.c.participant == number)
        theirs_too = ACTIVITIES.c.activity.in_(answered) | (ACTIVITIES.c.counts_to >= number)
        seen = ACTIVITIES.c.phase.in_(SEEN), theirs_too, ACTIVITIES.c.tally.is_(None)
        told |= bool(_update(connection, row, ACTIVITIES, *seen, phase=Phase.GONE))
        highest = _highest_number(connection, row)
        theirs = PARTICIPANTS.c.room == row.room, PARTICIPANTS.c.participant == number
        connection.execute(delete(PARTICIPANTS).where(*theirs))
        state = ROOMS.c.state + int(told)
        self._change(connection, row, answers=ROOMS.c.answers + 1, numbered=highest, state=state)

    def _change(self, connection: Connection, row: Row[Any], **values: Any) -> None:
        """Write to the room's row; any writing is a use, no use brings its end nearer, and none moves it far."""
        later = func.max if self._database.file else func.greatest
        _update(connection, row, ROOMS, ends=later(ROOMS.c.ends, min(self._end(), row.latest)), **values)


def _joined(row: Row[Any]) -> Participant:
    return Participant(row.participant, row.nickname, row.group_name, bool(row.nickname) and not row.name_shown)


def _hashes(moderator_key: str) -> dict[str, bytes]:
    """What is kept of a room's two keys."""
    return {"moderator_hash": hashed(moderator_key), "wall_hash": hashed(wall_key(moderator_key))}


def _running(connection: Connection, room: Row[Any]) -> Row[Any] | None:
    return _activity(connection, room, room.running)


def _activity(connection: Connection, room: Row[Any], number: int) -> Row[Any] | None:
    return connection.execute(questions.ACTIVITY, {"room": room.room, "number": number}).one_or_none()


def _room(connection: Connection, row: Row[Any], running: Row[Any] | None) -> Room:
    counts = connection.execute(questions.COUNTS, {"room": row.room, "number": row.running}).one()
    answered = counts.answered
    if running is not None and running.tally is not None:  # also those of people who have left
        answered = sum(json.loads(running.tally).values())
    return Room(
        code=row.code,
        groups=tuple(json.loads(row.group_names)),
        activity=None if running is None else _started(running),
        versions=RoomVersions(row.state, row.answers),
        people=counts.people,
        answered=answered,
        ends=datetime.fromtimestamp(row.ends, UTC),
        door_closed=bool(row.door_closed),
        agreed=0 < answered == counts.agreed,
        shown=_shown(connection, row),
        names_typed=bool(row.names_typed),
    )


def _on_the_wall(connection: Connection, row: Row[Any], running: Row[Any] | None) -> OnTheWall:
    """The room, with answers while their result is shown."""
    room = _room(connection, row, running)
    if running is None or running.phase != Phase.SHOWN or room.withheld:
        return OnTheWall(room)
    return OnTheWall(room, _answers(connection, row, running), _earlier(connection, row, running))


def _shown(connection: Connection, room: Row[Any]) -> tuple[StartedActivity, ...]:
    """The activities before the one that runs whose result was shown, of three answers or more, and not hidden."""
    at = {"room": room.room, "number": room.running}
    return tuple(map(_started, connection.execute(questions.SHOWN_BEFORE, at)))


def _answers(connection: Connection, room: Row[Any], activity: Row[Any]) -> tuple[meeting.StoredAnswer, ...]:
    """All answers to an activity in the order of the participants' numbers, each with the group it was given in.

    A nickname that the moderator has not shown is not among them. Of an activity that counts everybody, also who was in
    the room when answers closed and gave none: theirs is empty.
    Of those that are only counted, each as often as it was given, in an order that tells nothing.
    """
    if activity.tally is not None:
        given = Counter(json.loads(activity.tally)).elements()
        return tuple(meeting.StoredAnswer(meeting.NOBODY, answer) for answer in sorted(given))
    theirs = (PARTICIPANTS.c.room == ANSWERS.c.room) & (PARTICIPANTS.c.participant == ANSWERS.c.participant)
    joined = PARTICIPANTS.outerjoin(ANSWERS, theirs & (ANSWERS.c.activity == activity.activity))
    counted = ANSWERS.c.answer.is_not(None) | (PARTICIPANTS.c.participant <= (activity.counts_to or 0))
    given = (func.coalesce(column, "").label(column.name) for column in (ANSWERS.c.group_name, ANSWERS.c.answer))
    whose = PARTICIPANTS.c.participant, PARTICIPANTS.c.nickname, PARTICIPANTS.c.name_shown, *given
    asked = select(*whose).select_from(joined).where(PARTICIPANTS.c.room == room.room, counted)
    found: Any = connection.execute(asked.order_by(PARTICIPANTS.c.participant)).all()
    people = (replace(one, nickname="" if one.pending else one.nickname) for one in map(_joined, found))
    return tuple(map(meeting.StoredAnswer, meeting.drawn(activity.names, *people), (row.answer for row in found)))


def _result(connection: Connection, room: Row[Any], activity: Row[Any]) -> Result:
    """A result without nicknames: who takes or drops one later must tell nothing of what was shown before."""
    given = _answers(connection, room, activity)
    nameless = tuple(replace(one, participant=replace(one.participant, nickname="", pending=False)) for one in given)
    return Result(_started(activity), nameless, _earlier(connection, room, activity))


def _lengths(connection: Connection, room: Row[Any], activity: Row[Any] | None) -> tuple[int, ...]:
    """How long the answers are that arrive and can only go on, sorted; of all others nothing is told."""
    goes_on = activity is not None and activity.first_answer_stays and activity.tally is None
    if activity is None or not goes_on or activity.phase != Phase.OPEN:
        return ()
    of_activity = ANSWERS.c.room == room.room, ANSWERS.c.activity == activity.activity
    length = func.length(ANSWERS.c.answer)
    return tuple(connection.scalars(select(length).where(*of_activity).order_by(length)))


def _update(connection: Connection, room: Row[Any], table: Table, *whose: ColumnElement[bool], **values: Any) -> int:
    """Change the rows of a room for which all of this holds; how many they were."""
    return connection.execute(update(table).where(table.c.room == room.room, *whose).values(**values)).rowcount


def _count_present(connection: Connection, room: Row[Any]) -> None:
    """Where answers close to what counts everybody: up to which number that is; who joins later does not count."""
    asked = ACTIVITIES.c.phase == Phase.OPEN, ACTIVITIES.c.counts_to.is_not(None)
    _update(connection, room, ACTIVITIES, *asked, counts_to=_highest_number(connection, room))


def _taken_now(room: Row[Any]) -> ColumnElement[bool]:
    """Whether an answer is to what takes answers now; those of earlier activities keep what they were given with."""
    asked = select(ACTIVITIES.c.activity).where(ACTIVITIES.c.room == room.room, ACTIVITIES.c.phase == Phase.OPEN)
    return ANSWERS.c.activity.in_(asked)


def _was_seen(connection: Connection, room: Row[Any], *whose: Any) -> bool:
    """Whether the room has seen a result with answers, or with answers of somebody."""
    was_seen = ACTIVITIES.c.room == room.room, ACTIVITIES.c.phase.in_((*SEEN, Phase.GONE))
    activities = select(ACTIVITIES.c.activity).where(*was_seen)
    return _count(connection, ANSWERS.c.room == room.room, ANSWERS.c.activity.in_(activities), *whose) > 0


def _earlier(connection: Connection, room: Row[Any], running: Row[Any]) -> tuple[meeting.StoredAnswer, ...]:
    """The answers that stand beside those of this activity: none that could not be shown by themselves."""
    earlier = _activity(connection, room, running.beside)
    if earlier is None or earlier.phase == Phase.GONE:
        return ()
    answers = _answers(connection, room, earlier)
    return answers if len(answers) >= FEWEST else ()


def _started(row: Row[Any]) -> StartedActivity:
    return StartedActivity(row.activity, row.kind, row.settings, Phase(row.phase), row.tally is not None)


def _participant(connection: Connection, room: Row[Any], key: str) -> Participant | None:
    """Who holds a key. The index finds its hash, and what it found is compared as every key is."""
    row = connection.execute(questions.WHO, {"room": room.room, "key": hashed(key)}).one_or_none()
    return _joined(row) if row is not None and same(key, row.key_hash) else None


def _highest_number(connection: Connection, room: Row[Any]) -> int:
    """The highest number that a participant of the room ever had; a room of an earlier Riskline did not note it."""
    present = connection.scalar(select(func.max(PARTICIPANTS.c.participant)).where(PARTICIPANTS.c.room == room.room))
    return max(room.numbered, present or 0)


def _phase(connection: Connection, room: Row[Any]) -> Phase | None:
    """Where the activity started last stands; None before the first."""
    running = _running(connection, room)
    return None if running is None else Phase(running.phase)


def _own(connection: Connection, room: Row[Any], sender: Participant, number: int) -> tuple[str | None, bool]:
    """What somebody answered, and whether they agree that it is shown among fewer than three."""
    asked = {"room": room.room, "number": number, "participant": sender.number}
    answer, agreed = connection.execute(questions.OWN_ANSWER, asked).one_or_none() or (None, False)
    return answer, agreed


def _count(connection: Connection, *conditions: Any) -> int:
    return connection.scalar(select(func.count()).where(*conditions)) or 0


def rooms_off() -> bool:
    """Whether this Riskline has no rooms: RISKLINE_ROOMS=off."""
    return os.environ.get("RISKLINE_ROOMS", "").strip().lower() == "off"


_stores: dict[str, RoomStore] = {}
_making = threading.Lock()


def store() -> RoomStore:
    """The store of this process, by its environment: see `docs/deploy.md`."""
    if rooms_off():
        raise RoomRefused(RoomCode.OFF)
    return _store_here()


def _store_here() -> RoomStore:
    address = _address()
    with _making:
        if address not in _stores:
            _stores[address] = RoomStore(address)
        return _stores[address]


def keep_swept() -> threading.Event:
    """Delete what has expired now and every ten minutes, also where nobody comes; ends when what is returned is set."""
    ended = threading.Event()

    def sweep() -> None:
        while True:
            with suppress(RoomRefused):
                _store_here().sweep()
            if ended.wait(SWEEP_UNASKED):
                return

    threading.Thread(target=sweep, name="rooms", daemon=True).start()  # also where rooms were switched off since
    return ended


def _address() -> str:
    """Of the database: RISKLINE_ROOMS_URL, the file that RISKLINE_ROOMS_URL_FILE names, or a file of our own."""
    if address := os.environ.get("RISKLINE_ROOMS_URL", "").strip():
        return address
    if named := os.environ.get("RISKLINE_ROOMS_URL_FILE", "").strip():
        try:
            return Path(named).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            raise RoomRefused(RoomCode.UNAVAILABLE) from None
    folder = Path(os.environ.get("RISKLINE_ROOMS_FOLDER", "").strip() or user_state_path("riskline"))
    there = next((place for place in (folder, *folder.absolute().parents) if place.exists()), None)
    if there is None or not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):  # even once the folder was made
        raise RoomRefused(RoomCode.NO_FOLDER)
    return f"sqlite:///{folder.absolute() / 'rooms.sqlite3'}"
