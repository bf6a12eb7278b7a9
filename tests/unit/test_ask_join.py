"""What a participant's device asks and keeps: who somebody is, what waits to be sent, what may still be changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from tests.approved.rooms import earlier, room, started, stored
from ui.ask import join as ask
from ui.rooms.meeting import OnAPhone, Participant, Phase, Result, Room
from ui.rooms.refusals import RoomCode, RoomRefused
from ui.views.join import FIELDS, Phone
from ui.views.room import ACTIVITIES, RoomInputs
from ui.views.room.activity import text_of, values_of
from ui.words.catalogue import label, say

ME, ADA = "m" * 22, Participant(3, "Ada", "agency")
SETTINGS = dict(RoomInputs().settings)
OPEN = started("prediction", SETTINGS, Phase.OPEN)


class Store:
    """A room as the database has it; `refuses` is what it answers instead, and `asked` what it was asked to do."""

    kept = "file"

    def __init__(self) -> None:
        self.seen = OnAPhone(room(None))
        self.refuses: RoomCode | None = None
        self.asked: list[tuple[Any, ...]] = []

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def does(*given: Any) -> Any:
            self.asked.append((name, *given))
            if self.refuses is not None:
                raise RoomRefused(self.refuses)
            return {"on_a_phone": self.seen, "participant": self.seen.participant, "own_answer": "number=5"}.get(name)

        return does


class Form:
    """The choices of the page, as its callbacks hold them."""

    def __init__(self, **values: Any) -> None:
        self.values = {field.name: field.default for field in FIELDS} | {"code": "ABC234", "me": ME} | values
        self.typed: dict[str, Any] = {}

    def number(self, name: str, **how: Any) -> Any:
        return self.typed.get(name, self.values[name])

    def made(self, name: str) -> Any:
        if self.typed.get(name) == "wrong":
            raise ValueError
        return self.number(name)


class Device:
    """One session: what it holds, what stands on its page, and what can be pressed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.state: dict[str, Any] = {}
        self.store, self.form = Store(), Form()
        self.said: list[Any] = []
        self.put: list[Any] = []
        self.buttons: dict[str, Any] = {}
        self.drawn: list[str] = []
        monkeypatch.setattr(ask.st, "session_state", self.state)
        monkeypatch.setattr(ask.st, "context", SimpleNamespace(timezone=None, theme=None))
        monkeypatch.setattr(ask.st, "rerun", lambda: self.drawn.append("again"))
        monkeypatch.setattr(ask, "store", lambda: self.store)
        monkeypatch.setattr(ask, "tried", self.tried)
        monkeypatch.setattr(ask, "new_key", lambda: "n" * 22)
        monkeypatch.setattr(ask, "put", lambda stem, **made: self.put.append((stem, made)))
        monkeypatch.setattr(ask, "computed_for_all", lambda function, *given: ("wall", *given[:3]))
        for name in ("sentence", "caption", "told", "refused", "refused_below"):
            monkeypatch.setattr(ask.show, name, lambda words, **how: self.said.append(words))
        for name in ("text_input", "pills", "checkbox"):
            monkeypatch.setattr(ask.st, name, lambda words, *given, name=name, **how: self.ask(name, **how))
        for name in ("expander", "container", "form"):
            monkeypatch.setattr(ask.st, name, self.block)
        for name in ("button", "form_submit_button"):
            monkeypatch.setattr(ask.st, name, self.button)
        self.sure = False

    def tried(self, code: str, *, holds_key: Callable[[], bool]) -> None:
        self.held = holds_key()
        if self.store.refuses is not None:
            raise RoomRefused(self.store.refuses)

    @contextmanager
    def block(self, *given: Any, **how: Any) -> Iterator[None]:
        yield

    def ask(self, name: str, **how: Any) -> Any:
        self.drawn.append(str(how["key"]))
        return self.sure if name == "checkbox" else self.state.get(how["key"])

    def button(self, words: str, *, key: str, **look: Any) -> None:
        self.buttons[key] = SimpleNamespace(words=words, **look)

    def press(self, key: str) -> None:
        button = self.buttons[key]
        button.on_click(*getattr(button, "args", ()), **getattr(button, "kwargs", {}))

    def finds(self) -> tuple[Phone | None, str]:
        return ask.found_room(self.form)  # type: ignore[arg-type]


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Device:
    return Device(monkeypatch)


def test_a_key_is_made_here_for_who_has_not_joined_and_stays_until_they_have(device: Device) -> None:
    device.state[ask.TROUBLE] = "not_open"
    phone, reason = device.finds()
    assert phone is not None
    assert (phone.participant, phone.kept, phone.zone, phone.wall, reason) == (None, "file", "", None, "not_open")
    assert device.form.values["me"] == device.state[ask.FRESH] == "n" * 22, "not one that came with a link"
    assert not device.held
    device.state[ask.FRESH] = device.form.values["me"] = "o" * 22
    assert device.finds()[1] == ""
    assert device.form.values["me"] == "o" * 22, "a press that is sent twice is one person"
    device.store.seen = OnAPhone(room(OPEN), participant=ADA, sent="number=1")
    phone, _ = device.finds()
    assert phone is not None
    assert (phone.participant, phone.sent, device.form.values["me"], device.held) == (ADA, "number=1", "o" * 22, True)


def test_the_result_is_computed_once_it_is_shown(device: Device) -> None:
    running = started("vote", SETTINGS, Phase.SHOWN)
    answers, before = stored("vote"), earlier("vote", SETTINGS)
    device.store.seen = OnAPhone(room(running), answers, before, participant=ADA)
    phone, _ = device.finds()
    assert phone is not None
    assert phone.wall == ("wall", running, answers, before)


def test_who_was_removed_is_told_so_until_they_are_in_again(device: Device) -> None:
    device.store.seen = OnAPhone(room(None), participant=ADA)
    assert device.finds()[1] == ""
    device.store.seen = OnAPhone(room(None))
    assert [device.finds()[1] for _ in range(2)] == ["removed", "removed"]
    device.store.seen = OnAPhone(room(None), participant=ADA)
    device.form.values["me"] = ME
    assert device.finds()[1] == ""
    assert ask.REMOVED not in device.state
    device.form.values["me"] = "x" * 22
    device.store.seen = OnAPhone(room(None))
    assert device.finds()[1] == "", "it was another one of this device"


@pytest.mark.parametrize(
    ("refused", "me", "reason"),
    [
        (RoomCode.UNKNOWN, ME, "ended_file"),
        (RoomCode.UNKNOWN, "", "unknown"),
        (RoomCode.UNAVAILABLE, ME, "unavailable"),
    ],
)
def test_why_there_is_no_room(refused: RoomCode, me: str, reason: str, device: Device) -> None:
    device.store.refuses, device.form.values["me"] = refused, me
    assert device.finds() == (None, reason)
    device.form.values["code"] = ""
    device.state[ask.TROUBLE] = "left"
    assert device.finds() == (None, "left")
    assert device.finds() == (None, "")


def test_nobody_is_inside_where_there_is_no_room_or_nobody_joined() -> None:
    inside = {reason: not ask.is_outside(None, reason) for reason in ("", "left", "unknown", "ended_file", "off")}
    assert inside == {"": False, "left": False, "unknown": False, "ended_file": False, "off": True}
    assert ask.is_outside(Phone(room(None)), "")
    assert not ask.is_outside(Phone(room(None), participant=ADA), "left")


def test_another_code_is_looked_for_before_anything_else_is_drawn(device: Device) -> None:
    ask.ask_code(device.form)  # type: ignore[arg-type]
    assert device.drawn == []
    device.form.typed["code"] = "ZZZ999"
    ask.ask_code(device.form)  # type: ignore[arg-type]
    assert device.drawn == ["again"]
    assert device.buttons["join.find"].type == "primary"
    for phone, told in ((None, 0), (Phone(room(None)), 0), (Phone(room(None), participant=ADA), 1)):
        ask.offer_to_leave(phone)
        assert len(device.said) == told
    assert device.buttons["join.leave"].on_click is ask.forget


def answering(device: Device, phone: Phone, kind: str = "prediction") -> Any:
    """The question of an activity as it was drawn; None where none was."""
    found: list[Any] = []
    for asks in (ask.ASKS, ask.AFTERWARDS):
        if kind in asks:
            asks[kind] = found.append  # type: ignore[assignment]
    ask.ask_answer(device.form, phone)  # type: ignore[arg-type]
    return found[0] if found else None


@pytest.fixture
def asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ask, "ASKS", dict(ask.ASKS))
    monkeypatch.setattr(ask, "AFTERWARDS", dict(ask.AFTERWARDS))


@pytest.mark.usefixtures("asks")
def test_an_answer_waits_here_until_the_database_has_it_and_one_that_does_not_fit_is_not_sent(device: Device) -> None:
    question = answering(device, Phone(room(OPEN), participant=ADA, sent="number=7"))
    assert question.sent == {"number": 7.0}
    assert device.form.values["number"] == 7.0
    device.store.refuses = RoomCode.UNAVAILABLE
    question.send(number=12.0)
    assert (device.form.values["number"], device.state[ask.PENDING]) == (12.0, (("ABC234", ME), 1, "number=12"))
    assert ask.waits(device.form)  # type: ignore[arg-type]
    assert ask.TROUBLE not in device.state
    device.store.refuses = None
    assert ask.send_waiting(device.form)  # type: ignore[arg-type]
    assert device.store.asked[-1] == ("answer", "ABC234", ME, 1, "number=12")
    assert not ask.waits(device.form)  # type: ignore[arg-type]
    assert not ask.send_waiting(device.form)  # type: ignore[arg-type]
    device.store.asked.clear()
    question.send(number=None)
    assert (device.store.asked, ask.PENDING in device.state) == ([], False)
    assert device.form.values["number"] == 12.0
    answering(device, Phone(room(OPEN), participant=ADA, sent="number=12"))
    assert len(device.said) == 1
    answering(device, Phone(room(OPEN), participant=ADA, sent="number=12"))
    assert len(device.said) == 1, "it is said once"


@pytest.mark.usefixtures("asks")
def test_of_an_answer_that_stays_not_even_the_session_keeps_what_it_was(device: Device) -> None:
    running = started("coin_survey", SETTINGS, Phase.OPEN)
    question = answering(device, Phone(room(running), participant=ADA), "coin_survey")
    assert question.sent == {"coin_survey_said": ""}
    question.send(coin_survey_said="yes")
    assert device.form.values["coin_survey_said"] != "yes"
    assert device.store.asked[-1][0] == "answer"


def test_an_answer_for_another_room_or_of_another_person_is_dropped_and_one_that_is_refused_is_told(
    device: Device,
) -> None:
    for whose in (("ZZZ999", ME), ("ABC234", "o" * 22)):
        device.state[ask.PENDING] = (whose, 1, "number=12")
        assert not ask.waits(device.form)  # type: ignore[arg-type]
        assert ask.send_waiting(device.form)  # type: ignore[arg-type]
        assert (device.store.asked, ask.PENDING in device.state, ask.TROUBLE in device.state) == ([], False, False)
    device.state[ask.PENDING] = (("ABC234", ME), 1, "number=12")
    device.store.refuses = RoomCode.NOT_OPEN
    assert ask.send_waiting(device.form)  # type: ignore[arg-type]
    assert (device.state[ask.TROUBLE], ask.PENDING in device.state) == ("not_open", False)


@pytest.mark.usefixtures("asks")
def test_a_question_begins_once_with_what_was_sent_or_as_it_comes(device: Device) -> None:
    device.state["join.number"] = "31"
    device.form.values["vote_choice"] = "old"
    answering(device, Phone(room(OPEN), participant=ADA))
    assert (device.form.values["number"], device.form.values["vote_choice"]) == (None, "")
    assert "join.number" not in device.state
    device.state["join.number"] = "20"
    answering(device, Phone(room(OPEN), participant=ADA, sent="number=7"))
    assert device.state["join.number"] == "20", "what is typed meanwhile stays"
    answering(device, Phone(room(replace(OPEN, number=2)), participant=ADA, sent="number=8"))
    assert (device.form.values["number"], "join.number" in device.state) == (8.0, False)


@pytest.mark.usefixtures("asks")
@pytest.mark.parametrize("kind", list(ACTIVITIES))
def test_what_is_drawn_once_nothing_is_asked_any_more(kind: str, device: Device) -> None:
    for phase, drawn in ((Phase.OPEN, True), (Phase.CLOSED, kind in ("attack", "coin_survey", "proof"))):
        running = started(kind, SETTINGS, phase)
        assert (answering(device, Phone(room(running), participant=ADA), kind) is not None) is drawn
    assert answering(device, Phone(room(None), participant=ADA), kind) is None


def few(phase: Phase = Phase.CLOSED) -> Room:
    return replace(room(started("prediction", SETTINGS, phase)), answered=2)


def test_one_of_the_few_who_answered_may_agree_once(device: Device) -> None:
    for phone, offered in (
        (Phone(few(), participant=ADA, sent="number=1"), True),
        (Phone(few(), participant=ADA), False),
        (Phone(replace(few(), answered=3), participant=ADA, sent="number=1"), False),
        (Phone(room(None), participant=ADA, sent="number=1"), False),
    ):
        device.buttons.clear()
        ask._offer_to_agree(device.form, phone)  # type: ignore[arg-type]
        assert ("join.agree" in device.buttons) is offered
    agreeing = Phone(few(), participant=ADA, sent="number=1")
    ask._offer_to_agree(device.form, agreeing)  # type: ignore[arg-type]
    device.store.refuses = RoomCode.UNAVAILABLE
    device.press("join.agree")
    assert device.state[ask.TROUBLE] == "unavailable"
    device.store.refuses = None
    device.press("join.agree")
    assert device.store.asked[-1] == ("agree", "ABC234", ME, 1)
    device.buttons.clear()
    ask._offer_to_agree(device.form, replace(agreeing, agreed=True))  # type: ignore[arg-type]
    assert (device.buttons, device.said) == ({}, [say("join", "plain", "agreed")])


def test_an_earlier_result_is_looked_at_as_it_was(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    running = started("vote", SETTINGS, Phase.SHOWN)
    answers, before = stored("vote"), earlier("vote", SETTINGS)
    result = Result(running, answers, before)
    found: list[Result | None] = [None]
    monkeypatch.setattr(ask, "choose_shown", lambda room, key: found[0])
    phone = Phone(few(), participant=ADA, sent="number=9")
    for now in (phone, Phone(few()), None):
        assert ask.looked_at(device.form, now) is now  # type: ignore[arg-type]
    found[0] = result
    assert ask.looked_at(device.form, Phone(few())) == Phone(few())  # type: ignore[arg-type]
    seen = ask.looked_at(device.form, phone)  # type: ignore[arg-type]
    assert seen is not None
    assert seen.wall == ("wall", running, answers, before)
    assert (seen.room.activity, seen.room.answered, seen.sent) == (running, len(answers), "number=5")
    assert device.store.asked[-1] == ("own_answer", "ABC234", ME, 1)
    assert seen.participant == answers[2].participant, "with what was drawn for them then"
    device.store.refuses = RoomCode.UNAVAILABLE
    assert ask.looked_at(device.form, phone) == phone, "the page goes on asking"  # type: ignore[arg-type]
    device.store.refuses = None
    gone = ask.looked_at(device.form, replace(phone, participant=replace(ADA, number=99)))  # type: ignore[arg-type]
    assert gone is not None
    assert gone.participant == replace(ADA, number=99)


def test_who_comes_is_asked_for_what_the_room_takes(device: Device) -> None:
    nobody = replace(room(None), groups=())
    for there, drawn in (
        (nobody, []),
        (room(None), ["join.pills"]),
        (replace(nobody, names_typed=True), ["join.nickname"]),
        (replace(nobody, names_typed=True, door_closed=True), []),
    ):
        device.drawn.clear()
        device.buttons.clear()
        ask.ask_to_join(device.form, Phone(there))  # type: ignore[arg-type]
        assert device.drawn == drawn
        assert ("join.join" in device.buttons) is not there.door_closed


@pytest.mark.parametrize(
    ("phase", "groups", "typed", "changing"),
    [
        *((None, True, True, True), (Phase.OPEN, True, False, True), (Phase.OPEN, False, True, True)),
        *((Phase.OPEN, False, False, False), (Phase.CLOSED, True, True, False), (Phase.HIDDEN, True, True, False)),
    ],
)
def test_who_is_in_may_change_while_answers_come_and_leave_when_they_are_sure(
    phase: Phase | None, groups: bool, typed: bool, changing: bool, device: Device
) -> None:
    there = room(None if phase is None else started("prediction", SETTINGS, phase))
    there = replace(there, groups=("agency",) if groups else (), names_typed=typed)
    device.state[ask.KEPT] = True
    ask.ask_who(device.form, Phone(there, participant=ADA))  # type: ignore[arg-type]
    assert device.drawn == ["join.pills"] * (changing and groups) + ["join.nickname"] * (changing and typed) + [
        ask.SURE
    ]
    assert ("join.keep" in device.buttons) is changing
    assert device.said == [say("join", "plain", "kept")] * changing + [say("join", "plain", "leaving")]
    if changing and groups:
        assert device.state[ask.PILLS] == "agency"
    if changing and typed:
        assert device.state[ask.NAME] == "Ada"
    assert device.buttons["join.delete"].disabled
    device.sure = True
    ask.ask_who(device.form, Phone(there, participant=ADA))  # type: ignore[arg-type]
    assert not device.buttons["join.delete"].disabled
    assert device.said.count(say("join", "plain", "kept")) == changing, "it is said once"


def test_a_group_that_is_gone_is_not_chosen_any_more(device: Device) -> None:
    ask.ask_who(device.form, Phone(room(None), participant=replace(ADA, group="gone")))  # type: ignore[arg-type]
    assert device.state[ask.PILLS] is None


def test_joining_tells_the_database_who_it_is_and_a_name_that_is_none_stays_in_its_box(device: Device) -> None:
    device.state |= {ask.NAME: " Ada ", ask.PILLS: "agency"}
    for again in (False, True):
        ask._join(device.form, again=again)  # type: ignore[arg-type]
        assert device.state[ask.KEPT] is again
    assert device.store.asked[-1] == ("join", "ABC234", ME, "Ada", "agency")
    device.state[ask.PILLS] = None
    device.store.refuses = RoomCode.NAME_TAKEN
    device.state[ask.KEPT] = "before"
    ask._join(device.form, again=True)  # type: ignore[arg-type]
    assert device.store.asked[-1][-1] == ""
    assert (device.state[ask.TROUBLE], device.state[ask.KEPT]) == ("name_taken", "before")
    device.state[ask.NAME] = "x" * 500
    device.store.asked.clear()
    ask._join(device.form)  # type: ignore[arg-type]
    assert device.store.asked == []
    ask._ask_nickname()
    assert len(device.said) == 1
    device.state[ask.NAME] = "Ada"
    ask._ask_nickname()
    assert len(device.said) == 1


@pytest.mark.parametrize(
    ("refused", "told"), [(None, "left"), (RoomCode.UNKNOWN, "left"), (RoomCode.UNAVAILABLE, "not_left")]
)
def test_who_leaves_is_forgotten_here_once_the_database_has_forgotten_them(
    refused: RoomCode | None, told: str, device: Device
) -> None:
    device.store.refuses = refused
    held = (ask.PENDING, ask.INSIDE, ask.REMOVED, ask.FRESH, ask.PILLS, ask.NAME, ask.SURE)
    device.state |= dict.fromkeys(held, "x")
    ask._leave(device.form)  # type: ignore[arg-type]
    assert device.state[ask.TROUBLE] == told
    assert (not set(held) & set(device.state)) is (told == "left")
    assert device.put == [("join", {field.name: field.default for field in FIELDS})] * (told == "left")


def question(device: Device, kind: str, phone: Phone, sent: Any = None, **settings: Any) -> tuple[Any, list[Any]]:
    made = {field.name: field.default for field in ACTIVITIES[kind].settings} | settings
    answers: list[Any] = []
    held = values_of(ACTIVITIES[kind].answers, "") if sent is None else sent
    return ask.Question(device.form, made, phone, held, lambda **said: answers.append(said)), answers  # type: ignore[arg-type]


def test_each_option_is_a_press_and_the_one_that_was_sent_is_marked(device: Device) -> None:
    asked, answers = question(
        device, "vote", Phone(room(OPEN), participant=ADA), {"vote_choice": "b*"}, vote_options=("a", "b*")
    )
    ask._ask_vote(asked)
    assert [(one.words, one.type) for one in device.buttons.values()] == [("a", "secondary"), ("b\\*", "primary")]
    device.press("join.vote1")
    assert answers == [{"vote_choice": "b*"}]
    asked, _ = question(device, "vote", Phone(room(OPEN), participant=ADA), vote_options=("a",))
    ask._ask_vote(asked)
    assert device.buttons["join.vote0"].type == "secondary"


def test_a_number_is_sent_as_its_box_holds_it_and_not_while_it_is_none(device: Device) -> None:
    asked, answers = question(device, "prediction", Phone(room(OPEN), participant=ADA), prediction_lesson="own")
    ask._ask_prediction(asked)
    assert device.buttons["join.send"].words == label("join", "send")
    device.form.typed["number"] = "wrong"
    device.press("join.send")
    device.form.typed["number"] = 12.0
    device.press("join.send")
    assert answers == [{"number": 12.0}]


def test_a_guess_names_all_before_it_and_none_is_asked_while_one_waits(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = started("proof", SETTINGS, Phase.OPEN)
    tables: list[Any] = []
    monkeypatch.setattr(ask.show, "show_table", tables.append)
    phone = Phone(
        room(running),
        participant=replace(ADA, own=37),
        sent=text_of(ACTIVITIES["proof"].answers, {"proof_guesses": "io"}),
    )
    asked, answers = question(device, "proof", phone, {"proof_guesses": "io"})
    ask._ask_proof(asked)
    assert [key.rpartition(".")[0] for key in device.buttons] == ["join.guess.2"] * 2
    device.press(f"join.guess.2.{ask.proof.IN}")
    assert answers == [{"proof_guesses": f"io{ask.proof.IN}"}]
    device.buttons.clear()
    device.state[ask.PENDING] = (("ABC234", ME), 1, "proof_guesses=ioi")
    ask._ask_proof(asked)
    assert (device.buttons, tables) == ({}, [])
    shown = replace(phone, wall="wall")  # type: ignore[arg-type]
    for sent, told in (({"proof_guesses": "io"}, 1), (None, 1)):
        asked, _ = question(device, "proof", shown, sent)
        ask._ask_proof(asked)
        assert len(tables) == told


def test_a_bet_is_a_row_and_a_stake_and_without_a_row_nothing_is_sent(device: Device) -> None:
    asked, answers = question(device, "attack", Phone(room(OPEN), participant=ADA))
    bets = (ask.attack.Bet(2, "f"),)
    device.state["join.row.1"] = None
    ask._bet(asked, bets, "c")
    assert (answers, device.state[ask.NO_ROW]) == ([], True)
    device.state["join.row.1"] = 0
    ask._bet(asked, bets, "c")
    assert answers == [{"attack_bets": (*bets, ask.attack.Bet(1, "c"))}]


def test_groups_are_offered_as_they_were_typed(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    offered: list[Any] = []
    monkeypatch.setattr(ask.st, "pills", lambda words, groups, **how: offered.append((groups, how)))
    ask._ask_group(Phone(replace(room(None), groups=("*a*", "b"))))
    ((groups, how),) = offered
    assert (groups, how["format_func"]("*a*"), how["key"]) == (("*a*", "b"), "\\*a\\*", ask.PILLS)


def test_coins_know_whether_an_answer_is_held_and_taken(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    mounted: list[dict[str, Any]] = []
    monkeypatch.setattr(ask, "coin_survey", lambda device, **how: mounted.append(how))
    device.state["frame.large"] = True
    for phase, sent, held, taken in (
        (Phase.OPEN, None, False, True),
        (Phase.OPEN, "coin_survey_said=", True, False),
        (Phase.CLOSED, None, False, False),
    ):
        phone = Phone(room(started("coin_survey", SETTINGS, phase)), participant=ADA, sent=sent)
        asked, answers = question(device, "coin_survey", phone, None if sent is None else {"coin_survey_said": ""})
        ask._ask_coins(asked)
        how = mounted[-1]
        assert (how["held"], how["taken"], how["large"]) == (held, taken, True)
    assert (how["key"], how["whose"]) == ("join.coins.ABC234.1", ("ABC234", "1", ME))
    how["on_answer"]("no")
    assert answers == [{"coin_survey_said": "no"}]


def test_the_next_table_is_shown_once_the_bet_before_is_confirmed_and_all_rounds_at_the_end(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[Any] = []
    monkeypatch.setattr(ask.show, "show_table", lambda table: shown.append("rounds"))
    monkeypatch.setattr(ask, "_ask_bet", lambda asked, bets, tables: shown.append(("bet", len(bets))))
    bet = ask.attack.Bet(1, "f")
    for phase, bets, waiting, found, said in (
        (Phase.OPEN, (), False, [("bet", 0)], 1),
        (Phase.OPEN, (bet,), False, [("bet", 1)], 2),
        (Phase.OPEN, (bet,), True, [], 2),
        (Phase.CLOSED, (bet,), False, ["rounds"], 2),
        (Phase.CLOSED, (), False, [], 1),
    ):
        shown.clear()
        device.said.clear()
        device.state.clear()
        if waiting:
            device.state[ask.PENDING] = (("ABC234", ME), 1, "attack_bets=1f2f")
        phone = Phone(room(started("attack", SETTINGS, phase)), participant=replace(ADA, own=8))
        sent = {"attack_bets": bets} if bets else None
        asked, _ = question(device, "attack", phone, sent, attack_seed=7)
        ask._ask_attack(asked)
        assert (shown, len(device.said)) == (found, said)


def test_a_round_is_a_table_of_rows_and_a_press_for_each_stake(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[Any] = []
    monkeypatch.setattr(ask.st, "radio", lambda words, options, **how: rows.append((options, how)))
    asked, _ = question(device, "attack", Phone(room(OPEN), participant=replace(ADA, own=8)), attack_seed=7)
    bets = (ask.attack.Bet(1, "f"),)
    device.state[ask.NO_ROW] = True
    for refused in (1, 1):
        ask._ask_bet(asked, bets, 1)
        assert device.said.count(say(ask.attack.PAGE, "plain", "no_row")) == refused, "it is said once"
    told, words = ask.attack.next_round(asked.settings, bets, 1, ask.style())
    options, how = rows[0]
    assert (device.said[0], list(options), how["index"], how["key"]) == (told, [0, 1, 2], None, "join.row.1")
    assert how["format_func"](1) == "  \n".join(map(ask.with_bold, words[1]))
    assert set(device.buttons) == {f"join.stake.1.{stake}" for stake in ask.attack.stakes(ask.style())}


def test_the_next_question_is_asked_once_the_answer_before_is_confirmed(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawings: list[Any] = []
    monkeypatch.setattr(ask.show, "icons", lambda drawing, **how: drawings.append(how))
    running = started("understanding", SETTINGS, Phase.OPEN)
    phone = Phone(room(running), participant=replace(ADA, own=1))
    asked, answers = question(device, "understanding", phone, {"understanding_said": "1"})
    ask._ask_understanding(asked)
    questions = ask.understanding.questions_of(asked.settings)
    step = {"place": 2, "questions": len(questions), "words": questions[1].words}
    assert device.said[-1] == say(ask.understanding.PAGE, "plain", "step", **step)
    assert len(device.buttons) == len(questions[1].options)
    device.press("join.understood.1.0")
    assert answers == [{"understanding_said": "10"}]
    assert drawings == [{"reading": "", "told": True, "alone": True}]
    device.buttons.clear()
    dealt = len(device.said) - 1
    device.said.clear()
    device.state[ask.PENDING] = (("ABC234", ME), 1, "understanding_said=10")
    ask._ask_understanding(asked)
    assert (device.buttons, len(device.said)) == ({}, dealt)


@pytest.mark.parametrize(
    ("way", "points", "interview", "sent", "asked_by", "offered"),
    [
        ("draw", ask.DEFAULT_POINTS, "", None, "draw", "untouched"),
        ("draw", ((0.1, 0.5),), "", None, "draw", "send"),
        ("draw", ask.DEFAULT_POINTS, "", {}, "draw", "send"),
        ("draw", ask.DEFAULT_POINTS, "c2", None, "questions", "send"),
        ("questions", ask.DEFAULT_POINTS, "", None, "draw", "nothing"),
        ("questions", ask.DEFAULT_POINTS, "c2", None, "questions", "nothing"),
        ("questions", ask.DEFAULT_POINTS, "c22222", None, "questions", "send"),
        ("draw", ask.DEFAULT_POINTS, ask.BEGINNING, {}, "draw", "send"),
    ],
)
def test_a_line_is_sent_once_it_is_somebodys(
    way: str,
    points: Any,
    interview: str,
    sent: Any,
    asked_by: str,
    offered: str,
    device: Device,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[Any] = []
    options = () if interview == "c22222" else (("Yes", "c"),)
    line = "editor", SimpleNamespace(question="Q", note="N", options=options)
    computed: list[Any] = []
    monkeypatch.setattr(ask, "computed_by_worker", lambda function, *given: computed.append(given[1:3]) or line)
    monkeypatch.setattr(ask, "offer_answers", lambda stem, asked, words, take: drawn.append("answers"))
    monkeypatch.setattr(ask, "draw_small_line", lambda stem, editor, look, *, name: drawn.append(name))
    monkeypatch.setattr(
        ask.st, "segmented_control", lambda words, ways, *, default, **how: drawn.append((ways, default)) or way
    )
    device.form.values |= {"line_points": points, "line_interview": interview}
    asked, answers = question(device, "line", Phone(room(OPEN), participant=ADA, sent=sent and "held"), sent)
    ask._ask_line(asked)
    assert computed == [(points, interview or ask.BEGINNING)]
    assert drawn == [(["draw", "questions"], asked_by), "answers" if way == "questions" else "line_points"]
    assert ("join.send" in device.buttons) is (offered != "nothing")
    untouched = say("room_line", "plain", "untouched")
    assert device.said == (["Q", "N"] if way == "questions" else []) + [untouched] * (offered == "untouched")
    if offered != "nothing":
        assert device.buttons["join.send"].disabled is (offered == "untouched")
        device.press("join.send")
        assert answers == [{"line_points": points, "line_interview": interview}]
    ask._take("c2")
    assert device.put == [("join", dict(ask.chosen_by("c2")))]
