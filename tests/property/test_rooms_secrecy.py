"""Two rooms in which everything happens alike and one answer differs: nobody but who gave it can tell them apart.

What a moderator sees of the two (the page, the wall on it, the people, both files, every refusal) and what all other
phones see is the same at every moment, until a result with that answer is on the wall among three answers or more. From
then on it must be one of at least three answers that can be exchanged without anything looking different, and whatever
is told of an activity is told with the same answers each time: two results that differ by a person tell theirs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar
from unittest.mock import patch

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import event, select, update

from riskline.case.points import decode_points
from tests.stored_answers import stored_answers
from ui.documents.document import plain_words
from ui.pictures.style import Style
from ui.rooms.codes import new_key, wall_key
from ui.rooms.database import ANSWERS
from ui.rooms.meeting import FEWEST, SEEN, OpenedRoom, Participant, Phase, RoomVersions, drawn
from ui.rooms.refusals import RoomRefused
from ui.rooms.store import RoomStore
from ui.views.join import JoinInputs, Phone, join_view
from ui.views.play import ROUNDS
from ui.views.room import ACTIVITIES, RoomInputs, room_view
from ui.views.room.activity import Wall, text_of, values_of
from ui.views.room.attack import Bet, game_of
from ui.views.room.choices import as_csv, as_json, report, shown_again
from ui.views.room.proof import is_in
from ui.views.room.view import Held, result_on_phones, spaced
from ui.views.room.vote import OPTIONS

KEYS = [new_key() for _ in range(8)]
GROUPS = ("agency", "users")
SHAPES = ("11122222", "11222222", "11112222", "11122200", "11111111", "11122220")
"""How eight people are in the first group, in the second and in none."""
ANSWER: dict[str, list[dict[str, Any]]] = {
    "line": [{"line_points": decode_points(line), "line_interview": ""} for line in ("0.1~0.25", "0.1~0.4")],
    "vote": [{"vote_choice": option} for option in OPTIONS[:2]],
    "prediction": [{"number": 3.0}, {"number": 18.0}],
    "coin_survey": [{"coin_survey_said": said} for said in ("no", "yes")],
    "attack": [{"right": rounds} for rounds in ((0, 1, 4, 7), (2, 3, 5))],
    "proof": [{"right": rounds} for rounds in ((0, 1, 4, 7), (2, 3, 5))],
    "understanding": [{"understanding_said": said} for said in ("010", "101")],
}
"""Two answers of each kind, which no result tells as one; of a game, in which rounds the bets are right."""
SEED = 5
GOES_ON = {"attack": "attack_bets", "proof": "proof_guesses"}


def answer_text(kind: str, which: int, number: int, rounds: int = ROUNDS) -> str:
    """One of the two answers of somebody with this number, of a game so many rounds of it: tables are one's own."""
    values = ANSWER[kind][which]
    if kind == "attack":
        chosen = {field.name: field.default for field in ACTIVITIES[kind].settings} | {"attack_seed": SEED}
        game = game_of(chosen, (), number)
        truths = [(game.round(made).truth, made in values["right"]) for made in range(rounds)]
        bets = [Bet(1 + (truth if right else (truth + 1) % game.known.size), "f") for truth, right in truths]
        values = {"attack_bets": tuple(bets)}
    elif kind == "proof":
        (who,) = drawn(SEED, Participant(number, "", ""))
        inside = [is_in(who.own, made) == (made in values["right"]) for made in range(rounds)]
        values = {"proof_guesses": "".join("oi"[one] for one in inside)}
    return text_of(ACTIVITIES[kind].answers, values)


def as_of(kind: str, text: str, number: int, other: int) -> str:
    """What somebody else would have sent as the same answer."""
    if kind not in GOES_ON:
        return text
    rounds = how_far(kind, text)
    which = [answer_text(kind, which, number, rounds) for which in range(2)].index(text)
    return answer_text(kind, which, other, rounds)


def how_far(kind: str, text: str) -> int:
    """How many rounds of a game an answer has; every other answer is whole."""
    return len(values_of(ACTIVITIES[kind].answers, text)[GOES_ON[kind]]) if kind in GOES_ON else 1


class Twins(RuleBasedStateMachine):
    """Two rooms of one database; in the second one person's answer to one activity is the other one of two."""

    folder: ClassVar[Path]
    kinds: ClassVar[tuple[str, ...]]

    def __init__(self) -> None:
        super().__init__()
        self.store = RoomStore(f"sqlite:///{self.folder / 'rooms.sqlite3'}", lambda: 1_800_000_000.0)
        event.listen(self.store._database._engine, "connect", _never_wait_for_the_disk)
        self.rooms: list[OpenedRoom] = []
        self.started: list[str] = []
        self.sent = False  # the answer that differs
        self.looked_at: RoomVersions | None = None
        self.exchanged: set[str] = set()
        self.beside: list[int] = []  # of each activity
        self.told: dict[tuple[int, int], list[str]] = {}  # by room and activity

    def teardown(self) -> None:
        for room in self.rooms:
            try:
                self.store.end(room.code, room.moderator_key)
            except RoomRefused:
                continue
        self.store.close()

    @initialize(
        who=st.integers(0, 7),
        which=st.sampled_from([1, 1, 1, 2]),
        groups=st.sampled_from(SHAPES),
        names=st.lists(st.booleans(), min_size=8, max_size=8),
        kinds=st.lists(st.integers(0, 6), min_size=2, max_size=2),
        bits=st.integers(0, 2**8 - 1),
        places=st.sampled_from([0b11111111, 0b00000111, 0b00000011]),
        rounds=st.lists(st.sampled_from([1, 3, 4, ROUNDS, ROUNDS, ROUNDS]), min_size=8, max_size=8),
    )
    def begin(
        self,
        who: int,
        which: int,
        groups: str,
        names: list[bool],
        kinds: list[int],
        bits: int,
        places: int,
        rounds: list[int],
    ) -> None:
        self.who, self.which = who, which
        self.rooms = [self.store.open_room(GROUPS) for _ in range(2)]
        self.set_names(True)
        for place in range(8):
            self.join(place, int(groups[place]), names[place])
        for number in range(which):
            self.start(kinds[number], False, number)
            self.many_answer(bits, places, rounds)

    def both(self, call: Callable[[OpenedRoom], Any]) -> bool:
        """The same in both rooms: either both do it, or both refuse it alike."""
        told: list[Any] = []
        for room in self.rooms:
            try:
                call(room)
                told.append("done")
            except RoomRefused as refused:
                told.append(refused.code)
        assert told[0] == told[1]
        return "done" in told

    @rule(place=st.integers(0, 7), group=st.integers(0, 2), named=st.booleans())
    def join(self, place: int, group: int, named: bool) -> None:
        name = f"N{place}" if named else ""
        self.both(lambda room: self.store.join(room.code, KEYS[place], name, ("", *GROUPS)[group]))

    @rule(kind=st.integers(0, 6), twice=st.booleans(), beside=st.integers(0, 2))
    def start(self, kind: int, twice: bool, beside: int) -> None:
        kinds = self.kinds or tuple(ANSWER)
        activity = ACTIVITIES[kinds[kind % len(kinds)]]
        chosen = {field.name: field.default for field in activity.settings}
        chosen |= {"coin_survey_statement": "Did you?" if twice else f"Did you? {len(self.started)}"}
        chosen |= {"vote_before": beside, "attack_seed": SEED, "proof_rounds": ROUNDS}
        text, kept = text_of(activity.settings, chosen), activity.kept(chosen)
        with patch("ui.rooms.store.secrets.randbits", lambda _: SEED - 1):  # the same coins in both rooms
            started = self.both(
                lambda room: self.store.start(room.code, room.moderator_key, activity.kind, text, **kept)
            )
        if started:
            self.started.append(activity.kind)
            self.beside.append(activity.earlier_activity(chosen))

    @precondition(lambda self: self.started)
    @rule(place=st.integers(0, 7), bit=st.integers(0, 1), rounds=st.sampled_from([1, 3, 4, 9, ROUNDS]))
    def answer(self, place: int, bit: int, rounds: int) -> None:
        number = len(self.started)
        kind, differs = self.started[-1], (place, number) == (self.who, self.which)
        person = self.store.participant(self.rooms[0].code, KEYS[place])

        def send(room: OpenedRoom) -> None:
            own = bit ^ (differs and room is self.rooms[1])
            text = answer_text(kind, own, person.number if person else 1, rounds)
            self.store.answer(room.code, KEYS[place], number, text)

        self.sent |= self.both(send) and differs

    @precondition(lambda self: self.started)
    @rule(
        bits=st.integers(0, 2**8 - 1),
        places=st.sampled_from([0b00000111, 0b00011111, 0b11111111]),
        rounds=st.lists(st.sampled_from([1, 3, 4, ROUNDS, ROUNDS, ROUNDS]), min_size=8, max_size=8),
    )
    def many_answer(self, bits: int, places: int, rounds: list[int]) -> None:
        for place in range(8):
            if places >> place & 1:
                self.answer(place, bits >> place & 1, rounds[place])

    @precondition(lambda self: self.started)
    @rule(phase=st.sampled_from([Phase.SHOWN, Phase.CLOSED, Phase.OPEN, Phase.SHOWN, Phase.HIDDEN]))
    def set_phase(self, phase: Phase) -> None:
        self.both(lambda room: self.store.set_phase(room.code, room.moderator_key, len(self.started), phase))

    @precondition(lambda self: self.started)
    @rule()
    def show(self) -> None:
        self.set_phase(Phase.SHOWN)

    @rule(typed=st.booleans())
    def set_names(self, typed: bool) -> None:
        self.both(lambda room: self.store.set_names(room.code, room.moderator_key, typed=typed))

    @rule(place=st.integers(0, 7))
    def show_name(self, place: int) -> None:
        found = self.store.participant(self.rooms[0].code, KEYS[place])
        if found is not None:
            self.both(lambda room: self.store.show_name(room.code, room.moderator_key, found.number, found.nickname))

    @rule(what=st.sampled_from(["leave", "remove", "take_nickname", "agree"]), place=st.integers(0, 7))
    def of_one_person(self, what: str, place: int) -> None:
        found = self.store.participant(self.rooms[0].code, KEYS[place])
        if what == "leave":
            self.both(lambda room: self.store.leave(room.code, KEYS[place]))
        elif what == "agree" and place != self.who:  # whoever agrees has decided for themselves
            self.both(lambda room: self.store.agree(room.code, KEYS[place], len(self.started)))
        elif what != "agree" and found is not None:
            self.both(lambda room: getattr(self.store, what)(room.code, room.moderator_key, found.number))

    @rule(groups=st.sampled_from([(), GROUPS[:1], GROUPS, (*GROUPS, "press")]))
    def set_groups(self, groups: tuple[str, ...]) -> None:
        self.both(lambda room: self.store.set_groups(room.code, room.moderator_key, groups))

    @rule()
    def end(self) -> None:
        if len(self.started) > 2:
            self.both(lambda room: self.store.end(room.code, room.moderator_key))

    @invariant()
    def nobody_can_tell_one_answer(self) -> None:
        versions = self.store.versions(self.rooms[0].code)
        if versions == self.looked_at:
            return
        self.looked_at = versions
        others = [KEYS[(self.who + step) % 6] for step in (1, 2)]
        one, other = (told_of(self.store, room, others) for room in self.rooms)
        self.each_result_is_told_with_the_same_answers()
        if not self.is_in_a_result():
            assert one == other
        elif one != other and one not in self.exchanged:
            self.exchanged.add(one)
            assert self.alike() >= FEWEST

    def each_result_is_told_with_the_same_answers(self) -> None:
        for which, room in enumerate(self.rooms):
            if self.store.versions(room.code) is None:
                continue
            wall = self.store.on_the_wall(room.code, room.moderator_key)
            results = list(self.store.results(room.code, room.moderator_key))
            results += filter(
                None, (self.store.result(room.code, room.moderator_key, one.number) for one in wall.room.shown)
            )
            told = [(one.activity.number, one.answers) for one in results]
            if wall.room.activity:
                told += [(wall.room.activity.number, wall.answers), (self.beside[len(self.started) - 1], wall.earlier)]
            for number, answers in told:
                given = sorted(one.answer for one in answers)
                assert not given or self.told.setdefault((which, number), given) == given

    def is_in_a_result(self) -> bool:
        """Whether the answer that differs is one of those that a result tells, or told and may again."""
        room = self.rooms[0]
        if not self.sent or self.store.versions(room.code) is None:
            return False
        seen = self.store.activities(room.code, room.moderator_key)[self.which - 1]
        return seen.phase in SEEN and (seen.tallied or self.who in self.present(self.which))

    def present(self, number: int) -> dict[int, int]:
        """Who has a row for an activity, by the place of their key, and their number."""
        room = self.rooms[0]
        found = {place: self.store.participant(room.code, key) for place, key in enumerate(KEYS)}
        return {
            place: one.number
            for place, one in found.items()
            if one is not None and self.store.own_answer(room.code, KEYS[place], number) is not None
        }

    def alike(self) -> int:
        """How many answers, the person's own among them, may be exchanged for it unnoticed."""
        room, kind = self.rooms[0], self.started[self.which - 1]
        if ACTIVITIES[kind].tallied:
            return len(stored_answers(self.store, room.code, self.which))
        who = self.store.participant(room.code, KEYS[self.who])
        if kind == "attack" and who is not None and who.nickname:
            return FEWEST  # who typed a name may have their score told by it
        answered = self.present(self.which)
        own = answered.pop(self.who)
        return 1 + sum(self.exchanges(own, other) for other in answered.values())

    def exchanges(self, own: int, other: int) -> bool:
        """Whether nothing looks different when two people's unlike answers are exchanged, or all that either gave."""
        room, number = self.rooms[0], self.which
        kind = self.started[number - 1]
        with self.store._changing(room.code) as (connection, row):
            mine = ANSWERS.c.room == row.room, ANSWERS.c.participant.in_((own, other))
            kept = {(a.activity, a.participant): a.answer for a in connection.execute(select(ANSWERS).where(*mine))}
        far = {person: how_far(kind, kept[number, person]) for person in (own, other)}
        swapped = {own: other, other: own}
        unlike, once = (
            kept | {(number, person): answer_text(kind, bit, person, far[person]) for person, bit in bits}
            for bits in (((own, 0), (other, 1)), ((own, 1), (other, 0)))
        )
        whole = {
            (activity, swapped[person]): as_of(self.started[activity - 1], answer, person, swapped[person])
            for (activity, person), answer in unlike.items()
        }
        seen = [self.with_answers(each) for each in (unlike, once, *([whole] if whole.keys() == kept.keys() else []))]
        self.put(kept)
        return seen[0] in seen[1:]

    def with_answers(self, answers: dict[tuple[int, int], str]) -> str:
        self.put(answers)
        return told_of(self.store, self.rooms[0], [])

    def put(self, answers: dict[tuple[int, int], str]) -> None:
        with self.store._changing(self.rooms[0].code) as (connection, row):
            for (activity, participant), answer in answers.items():
                place = ANSWERS.c.room == row.room, ANSWERS.c.activity == activity, ANSWERS.c.participant == participant
                connection.execute(update(ANSWERS).where(*place).values(answer=answer))


def _never_wait_for_the_disk(connection: Any, _: Any) -> None:
    connection.execute("PRAGMA synchronous=OFF")


def told_of(store: RoomStore, room: OpenedRoom, phones: list[str]) -> str:
    """All that a moderator can read of a room, and what stands on these phones."""
    code, key = room.code, room.moderator_key
    try:
        seen = store.on_the_wall(code, key)
    except RoomRefused as refused:
        return refused.code.value
    held = Held(seen.room, seen.answers, seen.earlier, seen.lengths)
    with (
        patch("ui.views.room.view.Square", lambda _: SimpleNamespace(svg="")),  # the address drawn anew
        patch("ui.views.room.attack.drawn_name", lambda _: "somebody"),  # which name is whose, no number tells
    ):
        views = [room_view(RoomInputs(), Style(), held)]
        for one in seen.room.shown:  # earlier results, which the wall and every phone in the room may look at again
            inside = [phone for phone in phones if store.participant(code, phone)]
            found = {store.result(code, each, one.number) for each in (key, wall_key(key), *inside)}
            assert len(found) == 1
            views += [room_view(RoomInputs(), Style(), held.with_result(result)) for result in found if result]
    pending = [one.nickname for one in store.people(code, key) if one.pending]
    assert not any(re.search(rf"\b{name}\b", repr([list(parts(view)) for view in views])) for name in pending)
    results = store.results(code, key)
    told: list[Any] = [seen.room.people, seen.room.answered, store.people(code, key), seen.lengths]
    told += [part for view in views for part in parts(view)]
    told += [as_csv(results), as_json(results), store.activities(code, key)]
    with patch("ui.views.room.attack.drawn_name", lambda _: "somebody"):
        told.append(plain_words(report(shown_again(results, Style()), Style())))
    for phone in phones:
        on = store.on_a_phone(code, phone)
        assert on.participant or not (on.answers or on.earlier)
        running = on.room.activity
        wall = result_on_phones(running, on.answers, on.earlier, Style()) if running and on.answers else None
        told += parts(
            join_view(JoinInputs(), Style(), Phone(on.room, participant=on.participant, sent=on.sent, wall=wall))
        )
    text = repr(told)
    for name in (code, spaced(code)):
        text = text.replace(name, "CODE")
    return text


def parts(view: Any) -> Iterator[Any]:
    """All that is read on a page, pictures by what is drawn in them."""
    for field in fields(view):
        part = getattr(view, field.name)
        if isinstance(part, Wall):
            yield from parts(part)
        elif field.name == "tables":  # rows under drawn names stand in an order that no number tells
            yield [(table.columns, sorted(table.rows)) for table in part]
        elif field.name in ("picture", "more"):
            for picture in part if isinstance(part, tuple) else (part,):
                yield picture and (picture.reading, picture.numbers.as_csv())
        else:
            yield part


def test_two_rooms_that_differ_in_one_answer_tell_nobody_whose_it_is(tmp_path: Path) -> None:
    for kinds in (*((kind,) for kind in ANSWER), ()):

        class Here(Twins):
            folder = tmp_path

        Here.kinds = kinds
        run_state_machine_as_test(
            Here,
            settings=settings(
                max_examples=settings().max_examples // 6,
                stateful_step_count=20,
                deadline=None,
                suppress_health_check=[HealthCheck.too_slow],
            ),
        )
