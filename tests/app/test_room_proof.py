"""Guesses about coins in a room, on phones and the wall: rounds one by one, no coin before the result, what stays."""

from __future__ import annotations

import re
from pathlib import Path
from unittest.mock import patch

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.opened_page import open_page, sound, text_of
from ui.ask import waiting
from ui.rooms import store as rooms_store
from ui.rooms.codes import new_key, wall_key
from ui.rooms.meeting import Phase
from ui.rooms.refusals import RoomCode, RoomRefused
from ui.rooms.store import RoomStore, store
from ui.views.room import ACTIVITIES, proof
from ui.views.room.activity import text_of as values_text
from ui.views.room.activity import values_of

PROOF = ACTIVITIES["proof"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, patient_rooms: None) -> None:
    monkeypatch.setattr(waiting, "_of_addresses", {})
    monkeypatch.setattr("streamlit.runtime.context.ContextProxy.ip_address", None)
    monkeypatch.setenv("RISKLINE_ROOMS_FOLDER", str(tmp_path))
    monkeypatch.delenv("RISKLINE_ROOMS_URL", raising=False)


def opened(rounds: int = 2) -> tuple[str, str]:
    room = store().open_room()
    settings = values_of(PROOF.settings, f"proof_rounds={rounds}")
    store().start(room.code, room.moderator_key, "proof", values_text(PROOF.settings, settings), **PROOF.kept(settings))
    return room.code, room.moderator_key


def joined(code: str, *guesses: str) -> list[str]:
    """People who answer by the store."""
    keys = [new_key() for _ in guesses]
    for key, guessed in zip(keys, guesses, strict=True):
        store().join(code, key)
        store().answer(code, key, 1, f"proof_guesses={guessed}")
    return keys


def pressed(phone: AppTest, key: str) -> AppTest:
    phone.button(key=key).click().run()
    sound(phone)
    return phone


def guesses_asked(phone: AppTest) -> list[str]:
    return [str(button.key) for button in phone.button if str(button.key).startswith("join.guess")]


def own_of(code: str, me: str) -> int:
    who = store().on_a_phone(code, me).participant
    assert who is not None
    return who.own


def sent_to_the_browser(phone: AppTest) -> str:
    """All that this run gave to the browser, without what names the session."""
    phone.run()
    sound(phone)
    return repr([(type(node).__name__, getattr(node, "key", ""), getattr(node, "proto", "")) for node in phone.main])


def test_rounds_are_guessed_one_by_one_and_solved_with_the_result() -> None:
    code, key = opened()
    joined(code, "io", "oo")
    me = new_key()
    store().join(code, me)
    phone = open_page("join", code=code, me=me)
    own = own_of(code, me)
    for played, guess in enumerate("oi"):
        count = proof.published({"proof_epsilon": 1.0}, own, played)
        assert f"Round <strong>{played + 1}</strong> of 2. Published: <strong>{count}</strong>" in text_of(phone)
        assert guesses_asked(phone) == [f"join.guess.{played}.i", f"join.guess.{played}.o"]
        again = open_page("join", code=code, me=me)  # a reload, or another process: the same number
        assert f"Published: <strong>{count}</strong>" in text_of(again)
        pressed(phone, f"join.guess.{played}.{guess}")
        assert store().own_answer(code, me, 1) == f"proof_guesses={'oi'[: played + 1]}"
        assert "Right in" not in text_of(phone)
    assert not guesses_asked(phone)
    assert "Your answer stays" in text_of(phone)
    assert set(dict(phone.query_params)) == {"code", "me"}
    store().set_phase(code, key, 1, Phase.CLOSED)
    assert "Right in" not in text_of(phone.run())
    wall = open_page("room", code=code, key=key)
    assert "guesses right" not in text_of(wall)
    store().set_phase(code, key, 1, Phase.SHOWN)
    right = sum(proof.rounds_right(own, "oi"))
    assert f"Right in <strong>{right} of 2</strong> rounds." in text_of(phone.run())
    everybody = [one for result in store().results(code, key) for one in result.answers]
    total = sum(sum(proof.rounds_right(one.participant.own, one.answer[-2:])) for one in everybody)
    for page in (wall.run(), open_page("room", code=code, wall=wall_key(key)), phone):
        assert re.search(
            rf"<strong>{total} of 6</strong> guesses right: .* The true ε is <strong>1</strong>", text_of(page)
        )
        assert "A low one proves no privacy" in text_of(page)


def test_the_page_of_a_phone_is_the_same_whichever_way_its_coins_fell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Published counts are held; all that goes to the browser before the result follows from them alone."""
    code, key = opened()
    joined(code, "io", "oo")
    me = new_key()
    store().join(code, me)
    monkeypatch.setattr(proof, "published", lambda _, own, played: 11 + played)
    is_in = proof.is_in

    def sent() -> tuple[str, str]:
        pages = []
        for other_side in (False, True):
            monkeypatch.setattr(proof, "is_in", lambda own, played, turn=other_side: is_in(own, played) ^ turn)
            pages.append(sent_to_the_browser(open_page("join", code=code, me=me)))
        return pages[0], pages[1]

    for guessed in ("", "o", "oi"):
        if guessed:
            store().answer(code, me, 1, f"proof_guesses={guessed}")
        first, other = sent()
        assert first == other
    store().set_phase(code, key, 1, Phase.CLOSED)
    first, other = sent()
    assert first == other
    store().set_phase(code, key, 1, Phase.SHOWN)
    first, other = sent()
    assert first != other  # the comparison sees what a phone is told


def test_a_guess_stays_and_no_phone_makes_more_than_there_are_rounds() -> None:
    code, key = opened()
    (me, *_) = joined(code, "i", "oo", "io")
    for guessed in ("o", "oi", ""):
        assert store().answer(code, me, 1, f"proof_guesses={guessed}").kept_first
    assert store().own_answer(code, me, 1) == "proof_guesses=i"
    with pytest.raises(RoomRefused) as refused:
        store().answer(code, new_key(), 1, "proof_guesses=i")
    assert refused.value.code is RoomCode.NOT_JOINED
    store().answer(code, me, 1, "proof_guesses=iii")  # a forged third round: no page sends it, none counts it
    for phase in (Phase.CLOSED, Phase.SHOWN):
        store().set_phase(code, key, 1, phase)
    assert "of 4</strong> guesses right" in text_of(open_page("room", code=code, key=key))
    with pytest.raises(RoomRefused):
        store().answer(code, me, 1, "proof_guesses=iiii")


def test_a_guess_that_the_database_did_not_take_is_followed_by_no_further_count() -> None:
    code, _ = opened()
    me = new_key()
    store().join(code, me)
    phone = open_page("join", code=code, me=me)
    with patch.object(RoomStore, "answer", side_effect=RoomRefused(RoomCode.UNAVAILABLE)):
        pressed(phone, "join.guess.0.i")
        assert "Not sent yet" in " ".join(element.value for element in phone.info)
        assert not guesses_asked(phone)
    phone.run()
    assert store().own_answer(code, me, 1) == "proof_guesses=i"
    assert guesses_asked(phone) == ["join.guess.1.i", "join.guess.1.o"]


def test_another_process_deals_the_same_and_another_activity_deals_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    code, key = opened()
    (me,) = joined(code, "i")
    own = own_of(code, me)
    monkeypatch.setattr(rooms_store, "_stores", {})  # as a new process begins, with the same database
    assert own_of(code, me) == own
    settings = values_of(PROOF.settings, "")
    store().start(code, key, "proof", values_text(PROOF.settings, settings), **PROOF.kept(settings))
    assert own_of(code, me) != own


def test_a_line_of_a_script_sets_the_budget_and_the_rounds() -> None:
    wall = open_page("room")
    (box,) = (box for box in wall.text_area if str(box.key).startswith("room.script"))
    box.set_value("10; Prove an epsilon; epsilon = 0.5; rounds = 3").run()
    pressed(wall, "room.open")
    pressed(wall, "room.start_next")
    code = "".join(wall.query_params["code"])  # a text or a list of one
    running = store().room(code).activity
    assert running is not None
    assert (running.kind, running.settings) == ("proof", "proof_epsilon=0.5&proof_rounds=3")
    assert "Is Ada in the table?" in text_of(wall)
