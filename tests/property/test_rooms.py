"""Rooms against a plain dictionary: whatever a meeting does in whatever order, on SQLite and on PostgreSQL.

After each step the tables hold what the dictionary holds and nothing else: no confirmed answer is lost or there twice,
and what has ended or expired is gone from them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from sqlalchemy import select, update

from tests.stored_answers import stored_answers
from ui.rooms.codes import new_key
from ui.rooms.database import ROOMS, TABLES
from ui.rooms.meeting import (
    FEWEST,
    NOBODY,
    SEEN,
    Confirmation,
    OpenedRoom,
    Participant,
    Phase,
    RoomVersions,
    StoredAnswer,
)
from ui.rooms.refusals import RoomCode, RoomRefused
from ui.rooms.store import LIFETIME, LONGEST, WALL_COUNTS_AFTER, RoomStore

KEYS = [new_key() for _ in range(3)]
GROUPS = ["", "x", "y"]
ANSWERS = ["a=1", "a=2", "a=%C3%A4", "a=11"]


@dataclass
class PlainActivity:
    """What was started, and the answers by participant."""

    kind: str
    stays: bool
    phase: Phase = Phase.OPEN
    answers: dict[int, str] = field(default_factory=dict)
    groups: dict[int, str] = field(default_factory=dict)  # in which each answer was given
    agreed: set[int] = field(default_factory=set)
    counted: list[str] | None = None  # answers of nobody's, where it is kept only who has answered
    drawn: dict[int, tuple[int | None, int]] = field(default_factory=dict)  # name and number that each phone was told

    @property
    def answered(self) -> int:
        return len(self.answers if self.counted is None else self.counted)

    def told(self, person: Participant) -> Participant:
        """Somebody with what was drawn for them in this activity."""
        name, own = self.drawn[person.number]
        return replace(person, drawn=name, own=own)

    def move(self, number: int, group: str) -> None:
        if self.phase is Phase.OPEN and number in self.groups:
            self.groups[number] = group


@dataclass
class PlainRoom:
    """A room as a dictionary would keep it."""

    opened: OpenedRoom
    ends: float
    latest: float
    groups: list[str] = field(default_factory=lambda: ["x", "y"])
    people: dict[str, Participant] = field(default_factory=dict)
    activities: list[PlainActivity] = field(default_factory=list)
    state: int = 1
    answers: int = 0
    numbered: int = 0


def as_told(person: Participant, group: str) -> Participant:
    """Whose an answer is: in the group in which it was given, by a nickname that is shown."""
    return replace(person, group=group, nickname="" if person.pending else person.nickname)


class Meetings(RuleBasedStateMachine):
    """At most three rooms, three people who may be in each, and time that goes on."""

    database: str

    def __init__(self) -> None:
        super().__init__()
        self.time = 1_800_000_000.0
        self.store = RoomStore(self.database, lambda: self.time)
        self.rooms: list[PlainRoom] = []
        self.gone: list[OpenedRoom] = []
        self.looked: dict[tuple[str, str, int], tuple[Any, ...]] = {}

    def teardown(self) -> None:
        self.time += 1000 * LIFETIME
        self.store.sweep()
        self.store.close()

    def use(self, room: PlainRoom) -> None:
        room.ends = max(room.ends, min(self.time + LIFETIME, room.latest))

    def pick(self, number: int) -> PlainRoom:
        return self.rooms[number % len(self.rooms)]

    def refused(self, call: Any, *given: Any, **named: Any) -> RoomCode:
        with pytest.raises(RoomRefused) as refused:
            call(*given, **named)
        return refused.value.code

    @initialize()
    def begin(self) -> None:
        self.open_room()
        self.join(0, KEYS[0], "x", "Ann")
        self.start(0, True)

    @rule()
    def open_room(self) -> None:
        if len(self.rooms) < 3:
            opened = self.store.open_room(["x", "y"])
            with self.store._database.write() as connection:
                connection.execute(update(ROOMS).where(ROOMS.c.code == opened.code).values(names_typed=True))
            self.rooms.append(PlainRoom(opened, self.time + LIFETIME, self.time + LONGEST))

    @rule(
        number=st.integers(0, 2),
        key=st.sampled_from(KEYS),
        group=st.sampled_from(GROUPS),
        name=st.sampled_from(["", "Ann"]),
    )
    def join(self, number: int, key: str, group: str, name: str) -> None:
        if not self.rooms:
            return
        room = self.pick(number)
        if group and group not in room.groups:
            assert self.refused(self.store.join, room.opened.code, key, name, group) is RoomCode.BAD_TEXT
            return
        known = room.people.get(key)
        over = bool(room.activities) and room.activities[-1].phase is not Phase.OPEN
        if known and (name, group) != (known.nickname, known.group) and over:
            assert self.refused(self.store.join, room.opened.code, key, name, group) is RoomCode.NAMES_STAY
            return
        if (
            known
            and group != known.group
            and any(
                activity.phase in (*SEEN, Phase.GONE) and known.number in activity.answers
                for activity in room.activities
            )
        ):
            assert self.refused(self.store.join, room.opened.code, key, name, group) is RoomCode.NAMES_STAY
            return
        if name and any(holder != key and person.nickname == name for holder, person in room.people.items()):
            assert self.refused(self.store.join, room.opened.code, key, name, group) is RoomCode.NAME_TAKEN
            return
        pending = bool(name) and (known is None or name != known.nickname or known.pending)
        expected = Participant(known.number if known else room.numbered + 1, name, group, pending)
        assert self.store.join(room.opened.code, key, name, group) == expected
        if expected != known:
            room.people[key] = expected
            for activity in room.activities:
                activity.move(expected.number, group)
            room.numbered = max(room.numbered, expected.number)
            room.answers += 1
            self.use(room)

    @rule(number=st.integers(0, 2), key=st.sampled_from(KEYS), name=st.sampled_from(["Ann", "Anna"]))
    def show_name(self, number: int, key: str, name: str) -> None:
        if self.rooms:
            room = self.pick(number)
            person = room.people.get(key)
            of_person = person.number if person else 99
            self.store.show_name(room.opened.code, room.opened.moderator_key, of_person, name)
            if person and person.nickname == name:
                room.people[key] = replace(person, pending=False)
                room.answers += 1
                self.use(room)

    @rule(number=st.integers(0, 2), key=st.sampled_from(KEYS), times=st.integers(1, 2))
    def leave(self, number: int, key: str, times: int) -> None:
        if not self.rooms:
            return
        room = self.pick(number)
        for _ in range(times):  # the first confirmation may be lost
            self.store.leave(room.opened.code, key)
        gone = room.people.pop(key, None)
        if gone is not None:
            room.state += bool(room.activities) and room.activities[-1].phase is not Phase.OPEN
            for activity in room.activities:
                activity.agreed.discard(gone.number)
                answered = activity.answers.pop(gone.number, None) is not None
                if answered and activity.phase in SEEN and activity.counted is None:
                    activity.phase = Phase.GONE
            room.answers += 1
            self.use(room)

    @rule(number=st.integers(0, 2), stays=st.booleans(), question=st.sampled_from([None, None, "Why?", "why"]))
    def start(self, number: int, stays: bool, question: str | None = None) -> None:
        if self.rooms:
            room = self.pick(number)
            given = (room.opened.code, room.opened.moderator_key, "vote", "")
            how: dict[str, Any] = {"first_answer_stays": stays, "tallied_question": question}
            if question is not None and any(activity.counted is not None for activity in room.activities):
                assert self.refused(self.store.start, *given, **how) is RoomCode.ASKED_BEFORE
                return
            told = self.store.start(*given, **how)
            for activity in room.activities:
                activity.phase = Phase.CLOSED if activity.phase is Phase.OPEN else activity.phase
            room.activities.append(PlainActivity("vote", stays, counted=None if question is None else []))
            assert told == len(room.activities)
            room.state += 1
            self.use(room)

    @rule(number=st.integers(0, 2), key=st.sampled_from(KEYS), back=st.integers(0, 1))
    def agree(self, number: int, key: str, back: int) -> None:
        if not self.rooms:
            return
        room = self.pick(number)
        which = len(room.activities) - back
        activity, person = room.activities[which - 1] if which > 0 else None, room.people.get(key)
        if activity is None or person is None or person.number not in activity.answers:
            assert self.refused(self.store.agree, room.opened.code, key, which) is RoomCode.NOT_JOINED
            return
        self.store.agree(room.opened.code, key, which)
        if person.number not in activity.agreed:
            activity.agreed.add(person.number)
            room.answers += 1
            self.use(room)

    @rule(number=st.integers(0, 2), phase=st.sampled_from(Phase), back=st.integers(0, 1))
    def set_phase(self, number: int, phase: Phase, back: int) -> None:
        if not self.rooms:
            return
        room = self.pick(number)
        which = len(room.activities) - back
        given = (room.opened.code, room.opened.moderator_key, which, phase)
        if back or not room.activities:
            assert self.refused(self.store.set_phase, *given) is RoomCode.NOT_OPEN
            return
        shown = room.activities[-1].phase in SEEN
        if phase is room.activities[-1].phase is Phase.GONE:
            self.store.set_phase(*given)  # it is so already
            return
        if Phase.GONE in (phase, room.activities[-1].phase):
            assert self.refused(self.store.set_phase, *given) is RoomCode.NOT_OPEN
            return
        if (phase is Phase.HIDDEN and not shown) or (shown and phase in (Phase.OPEN, Phase.CLOSED)):
            assert self.refused(self.store.set_phase, *given) is RoomCode.NOT_OPEN
            return
        activity = room.activities[-1]
        same = activity.phase is phase
        if activity.counted is not None and phase is Phase.OPEN and not same:
            assert self.refused(self.store.set_phase, *given) is RoomCode.NOT_OPEN
            return
        few = 0 < activity.answered < FEWEST and len(activity.agreed) < activity.answered
        if phase is Phase.SHOWN and not same and few:
            assert self.refused(self.store.set_phase, *given) is RoomCode.TOO_FEW
            return
        self.store.set_phase(*given)
        if not same:
            activity.phase = phase
            room.state += 1
            self.use(room)

    @rule(
        number=st.integers(0, 2),
        key=st.sampled_from(KEYS),
        answer=st.sampled_from(ANSWERS),
        back=st.sampled_from([0, 0, 0, 1]),
        times=st.integers(1, 2),
    )
    def answer(self, number: int, key: str, answer: str, back: int, times: int) -> None:
        if not self.rooms:
            return
        room = self.pick(number)
        which = len(room.activities) - back
        given = (room.opened.code, key, which, answer)
        person = room.people.get(key)
        if person is None:
            assert self.refused(self.store.answer, *given) is RoomCode.NOT_JOINED
            return
        activity = room.activities[which - 1] if which > 0 else None
        kept = activity.answers.get(person.number) if activity else None
        if kept is not None and activity is not None and activity.counted is not None:
            expected = Confirmation("", kept_first=True)
        elif kept == answer:
            expected = Confirmation(answer, kept_first=False)
        elif activity is None or back or activity.phase is not Phase.OPEN:
            assert self.refused(self.store.answer, *given) is RoomCode.NOT_OPEN
            return
        elif kept is not None and activity.stays and not answer.startswith(kept):
            expected = Confirmation(kept, kept_first=True)
        else:
            kept_as = answer
            if activity.counted is not None:
                activity.counted.append(answer)
                kept_as, times = "", 1
            expected = Confirmation(kept_as, kept_first=False)
            activity.answers[person.number] = kept_as
            activity.groups[person.number] = person.group
            activity.agreed.discard(person.number)
            room.answers += 1
            self.use(room)
        for _ in range(times):  # the first confirmation may be lost
            assert self.store.answer(*given) == expected

    @rule(number=st.integers(0, 2), leaver=st.sampled_from(KEYS))
    def everybody_answers_and_before_the_result_somebody_leaves(self, number: int, leaver: str) -> None:
        if self.rooms:
            self.start(number, False)
            for key in KEYS:
                self.join(number, key, "", "")
                self.answer(number, key, ANSWERS[0], 0, 1)
            self.set_phase(number, Phase.CLOSED, 0)
            self.phones_are_told_once_what_is_drawn_for_them(self.pick(number))
            self.leave(number, leaver, 1)

    @rule(number=st.integers(0, 2), groups=st.lists(st.sampled_from(["x", "y", "z"]), unique=True))
    def set_groups(self, number: int, groups: list[str]) -> None:
        if self.rooms:
            room = self.pick(number)
            given = (room.opened.code, room.opened.moderator_key, groups)
            over = bool(room.activities) and room.activities[-1].phase is not Phase.OPEN
            seen = any(activity.phase in (*SEEN, Phase.GONE) and activity.answers for activity in room.activities)
            if groups != room.groups and (over or (seen and set(room.groups) - set(groups))):
                assert self.refused(self.store.set_groups, *given) is RoomCode.GROUPS_STAY
                return
            self.store.set_groups(*given)
            if groups != room.groups:
                room.groups = groups
                room.state += 1
                self.use(room)
                for key, person in room.people.items():
                    if person.group not in groups:
                        room.people[key] = replace(person, group="")
                        for activity in room.activities:
                            activity.move(person.number, "")

    @rule(number=st.integers(0, 2), right=st.booleans())
    def open_the_wall(self, number: int, right: bool) -> None:
        if self.rooms:
            room = self.pick(number)
            key = room.opened.moderator_key if right else KEYS[0]
            assert self.store.is_moderator(room.opened.code, key) is right
            if right and min(self.time + LIFETIME, room.latest) - room.ends >= WALL_COUNTS_AFTER:
                self.use(room)

    @rule(number=st.integers(0, 2))
    def end_with_a_wrong_key(self, number: int) -> None:
        if self.rooms:
            assert self.refused(self.store.end, self.pick(number).opened.code, KEYS[1]) is RoomCode.WRONG_KEY

    @rule(number=st.integers(0, 2))
    def end(self, number: int) -> None:
        if self.rooms:
            room = self.pick(number)
            self.store.end(room.opened.code, room.opened.moderator_key)
            self.rooms.remove(room)
            self.gone.append(room.opened)

    @rule(hours=st.sampled_from([0, 1, 9, 23, 24, 30]))
    def time_passes(self, hours: int) -> None:
        self.time += hours * 3600
        expired = [room for room in self.rooms if room.ends <= self.time]
        assert self.store.sweep() == len(expired)
        self.gone += [room.opened for room in expired]
        self.rooms = [room for room in self.rooms if room not in expired]

    @invariant()
    def the_tables_hold_this_and_nothing_else(self) -> None:
        engine = self.store._database._engine
        with engine.connect() as connection:
            counted = {name: len(connection.execute(select(table)).all()) for name, table in TABLES.tables.items()}
        assert list(counted.values()) == [
            len(self.rooms),
            sum(len(room.people) for room in self.rooms),
            sum(len(room.activities) for room in self.rooms),
            sum(len(activity.answers) for room in self.rooms for activity in room.activities),
        ]

    @invariant()
    def each_room_is_as_the_dictionary_has_it(self) -> None:
        for room in self.rooms:
            code, key = room.opened.code, room.opened.moderator_key
            told = self.store.room(code)
            now = room.activities[-1] if room.activities else None
            assert told.versions == RoomVersions(room.state, room.answers) == self.store.versions(code)
            assert (told.people, told.answered) == (len(room.people), now.answered if now else 0)
            arriving = now is not None and now.phase is Phase.OPEN and now.stays and now.counted is None
            lengths = sorted(map(len, now.answers.values())) if now and arriving else []
            assert self.store.on_the_wall(code, key).lengths == tuple(lengths)
            assert (told.groups, told.ends.timestamp()) == (tuple(room.groups), room.ends)
            assert [one.phase for one in self.store.activities(code, key)] == [one.phase for one in room.activities]
            self.phones_are_told_once_what_is_drawn_for_them(room)
            people = {person.number: person for person in room.people.values()}
            for which, activity in enumerate(room.activities, start=1):
                expected = tuple(
                    StoredAnswer(activity.told(as_told(people[number], activity.groups[number])), answer)
                    for number, answer in sorted(activity.answers.items())
                )
                if activity.counted is not None:
                    expected = tuple(StoredAnswer(NOBODY, answer) for answer in sorted(activity.counted))
                assert stored_answers(self.store, code, which) == expected
            seen = [
                (one.activity.number, [(each.participant.drawn, each.participant.own) for each in one.answers])
                for one in self.store.results(code, key)
            ]
            assert seen == [
                (
                    which,
                    [activity.drawn[number] for number in sorted(activity.answers)]
                    if activity.counted is None
                    else [(NOBODY.drawn, NOBODY.own)] * activity.answered,
                )
                for which, activity in enumerate(room.activities, start=1)
                if activity.phase in SEEN and activity.answered >= FEWEST
            ]
            for holder, person in room.people.items():
                assert self.store.participant(code, holder) == person
        for opened in self.gone[-2:]:
            assert self.store.versions(opened.code) is None
            assert self.refused(self.store.results, opened.code, opened.moderator_key) is RoomCode.UNKNOWN

    def phones_are_told_once_what_is_drawn_for_them(self, room: PlainRoom) -> None:
        """A phone has the same name and number as long as an activity runs; nobody else has them, nor it in another."""
        now = room.activities[-1] if room.activities else None
        for holder, person in room.people.items():
            told = self.store.on_a_phone(room.opened.code, holder)
            # it looks at the state alone: what it drew when that moved last is so still, unless others have agreed
            seen = (told.room.activity, [one.answer for one in told.answers], told.room.withheld)
            *drawn, withheld = self.looked.setdefault((holder, room.opened.code, told.room.versions.state), seen)
            assert drawn == [*seen[:2]]
            assert withheld or not told.room.withheld
            phone = told.participant
            assert phone is not None
            if now is None:
                assert phone == person
            else:
                now.drawn.setdefault(person.number, (phone.drawn, phone.own))
                assert phone == now.told(person)
        if now is not None:
            assert len({name for name, _ in now.drawn.values()}) == len(now.drawn)
        drawn = [own for activity in room.activities for _, own in activity.drawn.values()]
        assert len(set(drawn)) == len(drawn)
        assert 0 not in drawn


def test_a_room_is_what_a_dictionary_would_have_kept(rooms_database: str) -> None:
    class Here(Meetings):
        database = rooms_database

    run_state_machine_as_test(
        Here,
        settings=settings(
            max_examples=settings().max_examples // 3,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )
