"""A page that waits for its room: when it is drawn anew, how often a code may be tried, how many rooms are opened."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from ui.ask import waiting
from ui.rooms.codes import ROOMS_WITHIN
from ui.rooms.meeting import RoomVersions
from ui.rooms.refusals import RoomCode, RoomRefused


class Store:
    """Rooms by their codes; None for a database that does not answer."""

    def __init__(self) -> None:
        self.rooms: dict[str, RoomVersions] | None = {"ABC234": RoomVersions(1, 1)}
        self.opened: list[Any] = []

    def versions(self, code: str) -> RoomVersions | None:
        if self.rooms is None:
            raise RoomRefused(RoomCode.UNAVAILABLE)
        return self.rooms.get(code)

    def open_room(self, groups: Any) -> Any:
        self.opened.append(groups)
        return len(self.opened)


class Reader:
    """One session at one address, and the clock."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.store, self.now, self.state = Store(), 0.0, dict[str, Any]()
        monkeypatch.setattr(waiting, "_of_addresses", {})
        monkeypatch.setattr(waiting, "store", lambda: self.store)
        monkeypatch.setattr(waiting.st, "session_state", self.state)
        monkeypatch.setattr(waiting.st, "context", SimpleNamespace(ip_address="203.0.113.5"))
        monkeypatch.setattr(waiting, "time", SimpleNamespace(monotonic=lambda: self.now))

    def tries(self, code: str, *, holds_key: bool = False) -> RoomCode | RoomVersions:
        try:
            return waiting.tried(code, holds_key=lambda: holds_key)
        except RoomRefused as refused:
            return refused.code

    def somebody_else(self) -> None:
        """Another session at the same address."""
        self.state.clear()


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Reader:
    return Reader(monkeypatch)


def wrong(reader: Reader, number: int) -> list[RoomCode | RoomVersions]:
    return [reader.tries(f"WRONG{reader.now}{at}") for at in range(number)]


def test_ten_wrong_codes_are_tried_in_a_minute_and_the_same_one_counts_once(reader: Reader) -> None:
    assert [reader.tries("XXXXXX") for _ in range(20)] == [RoomCode.UNKNOWN] * 20
    assert wrong(reader, 9) == [RoomCode.UNKNOWN] * 9
    refused = reader.tries("ABC234")
    assert refused not in (RoomCode.UNKNOWN, RoomVersions(1, 1))
    reader.now = 61.0
    assert reader.tries("ABC234") == RoomVersions(1, 1)


def test_an_address_with_many_wrong_codes_tells_a_right_one_to_nobody_who_has_not_been_there(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "WRONG_TRIES_OF_ADDRESS", 3)
    assert reader.tries("ABC234") == RoomVersions(1, 1)
    wrong(reader, 3)
    assert reader.tries("ABC234") == RoomVersions(1, 1), "found before"
    reader.somebody_else()
    told = reader.tries("ABC234")
    assert told == reader.tries("ZZZZZZ") == reader.tries("ABC234")
    assert told not in (RoomCode.UNKNOWN, RoomVersions(1, 1))
    assert reader.tries("ABC234", holds_key=True) == RoomVersions(1, 1)

    def unanswered() -> bool:
        raise RoomRefused(RoomCode.UNAVAILABLE)

    reader.somebody_else()
    with pytest.raises(RoomRefused) as found:
        waiting.tried("ABC234", holds_key=unanswered)
    assert found.value.code is told, "why a key cannot be looked up is nobody's business"


def test_what_the_database_refuses_is_no_try(reader: Reader) -> None:
    reader.store.rooms = None
    assert {reader.tries(f"CODE{at}") for at in range(20)} == {RoomCode.UNAVAILABLE}


def test_only_so_many_addresses_are_remembered_and_those_of_one_line_are_one(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "MOST_ADDRESSES", 2)

    def at(address: str) -> Any:
        monkeypatch.setattr(waiting.st, "context", SimpleNamespace(ip_address=address))
        return waiting.of_address("codes")

    first = at("2001:db8::5")
    assert at("2001:db8::6") is first
    second = at("203.0.113.5")
    assert waiting.of_address("rooms") is not second
    assert len(waiting._of_addresses) == 2
    assert at("2001:db8::5") is not first, "the oldest is forgotten"
    assert waiting.line_of("::ffff:203.0.113.5") == "203.0.113.5"
    assert "203.0.113" not in repr(waiting._of_addresses)


def test_a_session_opens_few_rooms_and_an_address_more_and_a_refusal_of_the_store_is_none(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "ROOMS_OF_SESSION", 2)
    monkeypatch.setattr(waiting, "ROOMS_OF_ADDRESS", 3)

    def opens() -> Any:
        try:
            return waiting.opened_room(("a", "b"))
        except RoomRefused as refused:
            return refused.code

    assert [opens() for _ in range(3)] == [1, 2, RoomCode.OPENED_MANY]
    reader.somebody_else()
    assert [opens() for _ in range(2)] == [3, RoomCode.OPENED_MANY]
    reader.somebody_else()
    reader.now = ROOMS_WITHIN + 1
    monkeypatch.setattr(reader.store, "open_room", lambda groups: (_ for _ in ()).throw(RoomRefused(RoomCode.UNKNOWN)))
    assert [opens() for _ in range(4)] == [RoomCode.UNKNOWN] * 4
    assert reader.store.opened == [("a", "b")] * 3


def test_what_is_refused_is_told_under_its_key(reader: Reader) -> None:
    with waiting.refusals_told("_trouble"):
        raise RoomRefused(RoomCode.UNKNOWN)
    with waiting.refusals_told("_none"):
        pass
    assert reader.state == {"_trouble": RoomCode.UNKNOWN.value}


OLD, STATE, PEOPLE = RoomVersions(1, 1), RoomVersions(2, 1), RoomVersions(1, 2)


@pytest.mark.parametrize(
    ("seen", "now", "whole", "again"),
    [
        *((OLD, OLD, True, False), (OLD, STATE, False, True), (OLD, STATE, True, True)),
        *((OLD, PEOPLE, True, True), (OLD, PEOPLE, False, False)),
        *((None, OLD, False, True), (OLD, None, False, True), (None, None, True, False)),
    ],
)
def test_a_page_is_drawn_anew_when_what_it_shows_has_changed(
    seen: RoomVersions | None,
    now: RoomVersions | None,
    whole: bool,
    again: bool,
    reader: Reader,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks: list[Any] = []
    drawn: list[str] = []

    def fragment(check: Any, *, run_every: float) -> Any:
        assert run_every == 2.5
        looks.append(check)
        return check

    monkeypatch.setattr(waiting.st, "fragment", fragment)
    monkeypatch.setattr(waiting.st, "rerun", lambda *, scope: drawn.append(scope))
    reader.store.rooms = {} if now is None else {"ABC234": now}
    waiting.watch("ABC234", seen, every=2.5, whole=whole)
    assert drawn == [], "the first look is the page's own"
    looks[0]()
    assert drawn == ["app"] * again
    drawn.clear()
    sent = iter([False, True])
    waiting.watch("ABC234", now, every=2.5, whole=whole, also=lambda: next(sent))
    looks[1]()
    assert drawn == []
    looks[1]()
    assert drawn == ["app"], "an answer that waited was sent"
    drawn.clear()
    reader.store.rooms = None
    waiting.watch("ABC234", seen, every=2.5, whole=whole)
    looks[2]()
    assert drawn == ["app"] * (seen is not None), "a room that cannot be reached any more"
