"""A room from its opening to its end, as moderator and participants meet it: "sent" is what the database has."""

from __future__ import annotations

import logging
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from riskline.case.fields import pairs_of, write_query
from tests.app.opened_page import open_page, sound, text_of
from tests.approved.outline import downloads
from tests.approved.rooms import ANSWERS
from tests.hostile.sentences import unreadable
from tests.hostile.settings import CODE, NONSENSE
from tests.stored_answers import stored_answers
from ui.ask import waiting
from ui.ask.join import PENDING
from ui.ask.room import OFFERED
from ui.components import coin_survey as component
from ui.frame.case import STORE
from ui.frame.form import Form
from ui.link import scenario
from ui.rooms.codes import new_key, wall_key
from ui.rooms.meeting import Phase
from ui.rooms.refusals import RoomCode, RoomRefused
from ui.rooms.store import RoomStore, store
from ui.views.room import ACTIVITIES
from ui.views.room.activity import text_of as values_text
from ui.views.room.activity import values_of
from ui.views.room.attack import game_of, score_of
from ui.views.room.choices import as_csv, read_script
from ui.views.room.understanding import questions_of
from ui.views.room.view import spaced
from ui.views.shared.room_minutes import LinesMinutes, RoomMinutes, read_minutes, write_minutes
from ui.words.markdown import escape_markdown


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, patient_rooms: None) -> Iterator[Path]:
    monkeypatch.setattr(waiting, "_of_addresses", {})
    monkeypatch.setattr("streamlit.runtime.context.ContextProxy.ip_address", None)
    monkeypatch.setenv("RISKLINE_ROOMS_FOLDER", str(tmp_path))
    monkeypatch.delenv("RISKLINE_ROOMS_URL", raising=False)
    return tmp_path


def press(test: AppTest, key: str) -> AppTest:
    test.button(key=key).click().run()
    sound(test)
    return test


def script_box(test: AppTest) -> Any:
    """The box of what is prepared, whose key counts how often the page began it anew."""
    (found,) = (box for box in test.text_area if str(box.key).startswith("room.script"))
    return found


def asked(test: AppTest, name: str) -> str:
    """One parameter of the page's address."""
    return str(test.query_params[name][0] if isinstance(test.query_params[name], list) else test.query_params[name])


def opened() -> tuple[AppTest, str]:
    wall = press(open_page("room"), "room.open")
    return wall, asked(wall, "code")


def test_no_code_is_told_what_to_type_and_one_that_cannot_be_what_is_wrong_with_it() -> None:
    first = open_page("join")
    assert "Type six letters" not in text_of(first)
    assert "Type six letters and digits" in text_of(press(first, "join.find"))
    first.text_input(key="join.code").set_value("abc")
    wrong = text_of(press(first, "join.find"))
    assert "must be six letters and digits without 0" in wrong
    assert "Type six letters" not in wrong


def joined(code: str) -> AppTest:
    return press(open_page("join", code=code), "join.join")


def start_prediction(wall: AppTest) -> None:
    wall.selectbox(key="room.activity").set_value("prediction").run()
    wall.text_input(key="room.prediction_question").set_value("How many of a hundred?").run()
    press(wall, "room.start")


def guess(phone: AppTest, number: str) -> AppTest:
    phone.run()
    phone.text_input(key="join.number").set_value(number).run()
    return press(phone, "join.send")


def said_in_address(test: AppTest) -> str:
    """The page's address without the code and the keys, whose random letters could spell anything."""
    return str({name: text for name, text in dict(test.query_params).items() if name not in ("code", "key", "me")})


def answers_of(test: AppTest) -> str:
    return [line for line in text_of(test).splitlines() if line.startswith('<p class="riskline-answer')][-1]


def test_a_guess_goes_from_phones_to_the_wall_and_is_shown_when_the_moderator_says_so() -> None:
    wall, code = opened()
    phones = [joined(code) for _ in range(2)]
    start_prediction(wall)
    for phone, number in zip(phones, ("12", "31"), strict=True):
        assert "<strong>Sent.</strong>" in text_of(guess(phone, number))
        assert "How many of a hundred?" in answers_of(phone)
    wall.run()
    projected = open_page("room", code=code, wall=wall_key(asked(wall, "key")))
    for page in (wall, projected):
        assert "<strong>2 answers</strong> so far" in text_of(page)
        assert "31" not in answers_of(page)
    press(wall, "room.phase.closed")
    phones[0].run()
    assert "join.send" not in [button.key for button in phones[0].button]
    assert "only if all agree" in text_of(phones[0])
    assert "fewer than three answers could reveal" in text_of(projected.run())
    for phone in phones:
        press(wall, "room.phase.shown")
        assert "agree on their own devices" in " ".join(element.value for element in wall.error)
        press(phone.run(), "join.agree")
        assert ("You agree to show the result" in text_of(phone)) == (phone is phones[0])
    press(wall, "room.phase.shown")
    for phone, own in zip(phones, (12, 31), strict=True):
        assert "<strong>21.5</strong>" in text_of(phone.run())
        assert f"Your guess: <strong>{own}</strong>" in text_of(phone)
        (drawn,) = phone.get("plotly_chart")
        assert "Your guess" in drawn.proto.alt
        sound(phone)
    assert "21.5" not in text_of(open_page("join", code=code))  # the code alone tells nothing
    projected.run()
    for page in (wall, projected):
        assert "<strong>21.5</strong>" in answers_of(page)
    sound(projected)
    assert ("Projector view of this room" in text_of(projected), "Open a room" in text_of(projected)) == (True, False)
    assert "is the median" not in text_of(projected)  # small print stands below all else on the wall
    assert "is the median" in " ".join(element.value for element in projected.caption)
    boxes = (
        *projected.button,
        *projected.text_input,
        *projected.selectbox,
        *projected.checkbox,
        *projected.get("page_link"),
        *projected.toggle,
        *projected.expander,
    )
    assert not boxes
    assert not projected.get("download_button")
    wall.checkbox(key="room.sure").set_value(True).run()
    press(wall, "room.end")
    assert "Everything it stored is deleted" in " ".join(element.value for element in wall.info)
    assert store().versions(code) is None
    assert "The room has ended." in answers_of(projected.run())
    assert not [*projected.error, *projected.button]
    phones[0].run()
    assert "The room has ended. Everything it stored is deleted" in answers_of(phones[0])
    assert not [*phones[0].error, *phones[0].text_input]


def test_a_room_whose_words_stay_a_while_in_the_log_of_its_file_is_left_and_said_so() -> None:
    wall, _ = opened()
    wall.checkbox(key="room.sure").set_value(True).run()
    with patch.object(RoomStore, "end", side_effect=RoomRefused(RoomCode.STILL_HELD)):
        press(wall, "room.end")
    assert "log holds them until" in " ".join(element.value for element in wall.error)
    assert not {"code", "key"} & set(dict(wall.query_params))


def test_whoever_reloads_their_own_address_is_the_same_person_with_the_same_answer() -> None:
    wall, code = opened()
    phone = joined(code)
    start_prediction(wall)
    guess(phone, "7")
    again = open_page("join", code=code, me=asked(phone, "me"))
    sound(again)
    assert set(dict(phone.query_params)) == set(dict(again.query_params)) == {"code", "me"}
    assert "<strong>Sent.</strong>" in text_of(again)
    assert again.text_input(key="join.number").value == "7"
    guess(again, "8")
    key = asked(wall, "key")
    assert [stored.answer for stored in stored_answers(store(), code, 1)] == ["number=8"]
    back = open_page("room", code=code, key=key)
    sound(back)
    assert "<strong>1 answer</strong> so far, from 1 person" in text_of(back)


def test_an_answer_that_the_database_did_not_take_is_kept_and_sent_again_and_never_called_sent() -> None:
    wall, code = opened()
    phone = joined(code)
    start_prediction(wall)
    phone.run()
    phone.text_input(key="join.number").set_value("5").run()
    with patch.object(RoomStore, "answer", side_effect=RoomRefused(RoomCode.UNAVAILABLE)):
        press(phone, "join.send")
        assert "Not sent yet" in " ".join(element.value for element in phone.info)
        assert "<strong>Sent.</strong>" not in text_of(phone)
    phone.run()
    assert "<strong>Sent.</strong>" in text_of(phone)
    assert store().own_answer(code, asked(phone, "me"), 1) == "number=5"
    phone.session_state[PENDING] = (
        (code, asked(phone, "me")),
        1,
        "number=8",
    )  # it waited until nobody could answer any more
    press(wall.run(), "room.phase.closed")
    phone.run()
    assert [element.value for element in phone.error] == ["This activity no longer takes answers."]
    assert PENDING not in phone.session_state
    phone.session_state[PENDING] = (("ZZZZZZ", asked(phone, "me")), 1, "number=99")  # a room that was not reached
    phone.run()
    assert store().own_answer(code, asked(phone, "me"), 1) == "number=5"
    assert PENDING not in phone.session_state


def test_an_answer_that_waits_is_never_sent_as_that_of_another_person_to_whom_one_goes_back() -> None:
    wall, code = opened()
    ann, ben = joined(code), joined(code)
    start_prediction(wall)
    guess(ann, "11")
    ben.run().text_input(key="join.number").set_value("99").run()
    with patch.object(RoomStore, "answer", side_effect=RoomRefused(RoomCode.UNAVAILABLE)):
        press(ben, "join.send")
    ben.query_params["me"] = asked(ann, "me")
    sound(ben.run())
    assert store().own_answer(code, asked(ann, "me"), 1) == "number=11"


def test_a_database_that_does_not_answer_is_told_and_the_page_comes_back_by_itself() -> None:
    wall, code = opened()
    phone = joined(code)
    with patch.object(RoomStore, "versions", side_effect=RoomRefused(RoomCode.UNAVAILABLE)):
        for page in (wall, phone):
            page.run()
            sound(page)
            assert "does not answer at the moment" in " ".join(element.value for element in page.error)
    for page in (wall, phone):
        page.run()
        assert not page.error


def test_unknown_and_ended_rooms_are_refused_in_the_same_words_and_ten_times_a_minute() -> None:
    _, code = opened()
    ended = store().open_room()
    store().end(ended.code, ended.moderator_key)
    phone = open_page("join", code=ended.code)
    words = [element.value for element in phone.error]
    unknown = [letter * 6 for letter in "ABCDEFGHJ"]
    assert not any(store().versions(text) for text in unknown)
    for place, text in enumerate(unknown, start=2):
        phone.text_input(key="join.code").set_value(text).run()
        assert [element.value for element in phone.error] == words
        if place < 10:
            phone.run()  # to draw the page again is no further try
            assert [element.value for element in phone.error] == words
    phone.text_input(key="join.code").set_value(code).run()
    assert "Too many codes were tried" in " ".join(element.value for element in phone.error)


def test_one_session_and_one_address_open_a_few_rooms_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "ROOMS_OF_ADDRESS", 7)
    found = [[], []]  # type: ignore[var-annotated]
    for codes in found:
        page = open_page("room")
        for _ in range(6):
            press(page, "room.open")
            if page.error:
                assert "were opened from here within an hour" in page.error[0].value
                break
            codes.append(asked(page, "code"))
            page.session_state[STORE]["room"].update(code="", key="")
            page.query_params.clear()
            page.run()
    assert [len(codes) for codes in found] == [5, 2]


def test_wrong_codes_of_an_address_slow_nobody_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    _, code = opened()
    monkeypatch.setattr(waiting, "WRONG_TRIES_OF_ADDRESS", 1)
    waiting._of_addresses.clear()
    for address, codes in (
        *(("203.0.113.5", ("AAAAAA", code)), ("203.0.113.6", (code,))),
        *(("2001:db8:0:1::5", ("AAAAAA", code)), ("2001:db8:0:2::5", (code,))),
    ):
        with patch("streamlit.runtime.context.ContextProxy.ip_address", address):
            told = [[element.value for element in open_page("join", code=one).error] for one in codes]
        assert ["Too many codes were tried" in str(one) for one in told] == [False, True][: len(codes)]


def test_where_an_address_tried_too_many_codes_a_right_one_tells_nothing_and_whoever_is_in_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wall, code = opened()
    phone = joined(code)
    key, me = asked(wall, "key"), asked(phone, "me")
    monkeypatch.setattr(waiting, "WRONG_TRIES_OF_ADDRESS", 1)
    waiting._of_addresses.clear()
    assert "There is no room" in " ".join(element.value for element in open_page("join", code="AAAAAA").error)
    told = set()
    for other in ("BBBBBB", code):
        for page in (open_page("join", code=other, me=new_key()), open_page("room", code=other, key=new_key())):
            told.add(tuple(element.value for element in page.error))
    assert len(told) == 1
    assert "Too many codes were tried" in str(told)
    for page in (wall.run(), phone.run(), open_page("room", code=code, key=key), open_page("join", code=code, me=me)):
        sound(page)
        assert not page.error


def test_the_code_does_not_moderate_and_a_wrong_key_shows_no_room() -> None:
    wall, code = opened()
    other = store().open_room()
    for key in ({}, {"key": other.moderator_key}, {"key": "short"}):
        page = open_page("room", code=code, **key)
        sound(page)
        assert "opens neither the room's moderation nor its projector view" in " ".join(
            element.value for element in page.error
        )
        assert "room.start" not in [button.key for button in page.button]
    assert asked(wall, "key") not in text_of(wall)
    (link,) = wall.get("link_button")
    assert f"wall={wall_key(asked(wall, 'key'))}" in link.proto.url
    pages = (wall, open_page("room"))
    for root in ("http://127.0.0.1:8600/", "https://stats.example/"):
        with patch("ui.frame.show.root_address", return_value=root):
            for page in pages:
                assert ("riskline app --port 8600 --share " in text_of(page.run())) == ("127" in root)
                assert ("Phones cannot open 127.0.0.1:8600" in text_of(page)) == ("127" in root)
            projected = open_page("room", **dict(pairs_of(link.proto.url.partition("?")[2])))
            for page in (wall, projected):
                words = text_of(page)
                assert ('<img class="riskline-square' in words) == ("127" not in root)
                assert ("Phones cannot open" in words) == ("127" in root)
            assert "riskline app" not in text_of(projected)  # who looks on does not start Riskline
    with patch("ui.frame.show.root_address", return_value="http://127.0.0.1:8600/"):
        told = [element.proto.body for element in open_page("room").get("html")]
    (warning,) = (place for place, body in enumerate(told) if "Phones cannot open" in body)
    assert warning > next(place for place, body in enumerate(told) if '<p class="riskline-answer' in body)
    assert asked(wall, "key") not in link.proto.url


def test_no_key_nickname_or_code_is_in_a_scenario_file_and_loading_one_leaves_the_room_open() -> None:
    wall, code = opened()
    phone = joined(code)
    for test, own in ((wall, asked(wall, "key")), (phone, asked(phone, "me"))):
        held = test.session_state[STORE]
        written = scenario.write(held)
        assert own not in written
        assert code not in written
        kept = scenario.with_private(scenario.read(written).pages, held)
        stem = "room" if test is wall else "join"
        assert kept[stem]["code"] == code
        assert own in kept[stem].values()


def test_keys_and_answers_are_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        wall, code = opened()
        phone = joined(code)
        start_prediction(wall)
        guess(phone, "123.456")
        with patch.object(RoomStore, "room", side_effect=ZeroDivisionError(asked(phone, "me"))):
            phone.run()
    for secret in (asked(wall, "key"), asked(phone, "me"), "123.456"):
        assert secret not in caplog.text


def test_groups_come_from_the_moderator_and_one_is_chosen_by_a_tap() -> None:
    wall = open_page("room")
    wall.text_input(key="room.groups").set_value("agency; advocates").run()
    press(wall, "room.open")
    code = asked(wall, "code")
    phone = open_page("join", code=code)
    phone.button_group(key="join.pills").set_value("advocates").run()
    press(phone, "join.join")
    found = store().participant(code, asked(phone, "me"))
    assert found is not None
    assert found.group == "advocates"


def test_groups_and_options_are_drawn_as_they_were_typed_and_not_as_markdown() -> None:
    typed = ["![x](http://o.example/p)", "*b* :red[c] [d](//o.example)"]
    room = store().open_room(typed)
    phone = open_page("join", code=room.code)
    escaped = list(map(escape_markdown, typed))
    assert [group.content for group in phone.button_group(key="join.pills").proto.options] == escaped
    press(phone, "join.join")
    vote = ACTIVITIES["vote"]
    text = values_text(vote.settings, {"vote_options": tuple(typed)})
    store().start(room.code, room.moderator_key, "vote", text, **vote.kept(values_of(vote.settings, text)))
    phone.run()
    assert [phone.button(key=f"join.vote{place}").label for place in range(2)] == escaped


def test_where_rooms_are_off_everything_else_works_and_the_pages_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RISKLINE_ROOMS", "off")
    for stem in ("room", "join"):
        page = open_page(stem, code="ABC234")
        sound(page)
        assert "Rooms are switched off here" in " ".join(element.value for element in page.error)
    home = open_page("home")
    sound(home)
    assert "Open a room" not in str([element.proto for element in home.get("page_link")])


def test_without_a_folder_to_write_to_the_pages_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("RISKLINE_ROOMS_FOLDER", str(tmp_path / "file" / "below"))
    page = open_page("room")
    page.button(key="room.open").click().run()
    sound(page)
    assert "Rooms need a place to write to" in " ".join(element.value for element in page.error)


def test_an_answer_that_does_not_fit_is_refused_with_a_sentence_and_stays_in_its_box() -> None:
    wall, code = opened()
    phone = joined(code)
    start_prediction(wall)
    phone.run()
    phone.text_input(key="join.number").set_value("many").run()
    press(phone, "join.send")
    assert "must be a number; got" in text_of(phone)
    assert phone.text_input(key="join.number").value == "many"
    guess(phone, "90 %")
    refused = " ".join(element.value for element in phone.error).replace("\\", "")
    assert "must be typed without %; got '90 %'" in refused
    assert "The picture still shows" not in text_of(phone)
    phone.text_input(key="join.number").set_value("").run()
    press(phone, "join.send")
    assert ["did not take this answer" in element.value for element in phone.error] == [True]
    assert "must be a number; got" not in text_of(phone)
    assert store().own_answer(code, asked(phone, "me"), 1) is None


def test_a_number_that_is_typed_and_sent_in_one_request_is_the_one_that_is_kept() -> None:
    wall, code = opened()
    phone = joined(code)
    start_prediction(wall)
    guess(phone.run(), "12")
    phone.text_input(key="join.number").set_value("30")
    press(phone, "join.send")
    kept = store().own_answer(code, asked(phone, "me"), 1)
    assert kept is not None
    assert "30" in kept
    assert "12" not in kept


def test_a_question_begins_with_an_empty_box_and_its_answer_is_told_with_the_guesses_and_stands_in_no_address() -> None:
    wall, code = opened()
    phone = joined(code)
    start_prediction(wall)
    guess(phone, "12")
    reloaded = open_page("join", **{name: asked(phone, name) for name in ("code", "me")})
    assert reloaded.text_input(key="join.number").value == "12"
    start_prediction(wall)
    phone.run()
    assert phone.text_input(key="join.number").value == ""
    late = open_page("join", **{name: asked(reloaded, name) for name in ("code", "me")})
    assert late.text_input(key="join.number").value == ""  # another question, of which nothing is sent yet
    guess(phone, "20")
    assert "room.phase.shown" not in {str(button.key) for button in wall.run().button}  # its answer is asked first
    press(wall, "room.phase.closed")
    box = "room.late.2.prediction_truth"
    wall.text_input(key=box).set_value("about 30").run()
    press(wall, "room.phase.shown")
    assert "must be a number" in text_of(wall)
    assert "the answer is" not in text_of(wall)
    assert "must be typed without %" in text_of(wall.text_input(key=box).set_value("31 %").run())
    wall.text_input(key=box).set_value("1,031").run()
    assert "Read as 1031\\: the comma stands between thousands." in [element.value for element in wall.caption]
    wall.text_input(key=box).set_value("31").run()
    store().agree(code, asked(phone, "me"), 2)
    assert "31" not in said_in_address(wall)
    assert "31" not in (store().room(code).activity or wall).settings
    press(wall, "room.phase.shown")
    assert "<strong>20</strong>; the answer is <strong>31</strong>" in answers_of(wall)
    assert "room.phase.open" not in [button.key for button in wall.button]
    press(wall, "room.phase.hidden")
    assert "answers stay closed" in text_of(wall)
    assert {"room.phase.open", "room.phase.closed"}.isdisjoint(str(button.key) for button in wall.button)
    assert wall.text_input(key=box).value == "31"
    press(wall, "room.phase.shown")
    assert "31" not in said_in_address(wall)


@pytest.mark.parametrize("kind", list(ACTIVITIES))
def test_each_activity_can_be_started_as_it_comes_and_asks_on_a_phone(kind: str) -> None:
    wall, code = opened()
    activity = ACTIVITIES[kind]
    phone = joined(code)
    settings = values_text(activity.settings, {})
    if len(ACTIVITIES) > 1:
        wall.selectbox(key="room.activity").set_value(kind).run()
    controls = (*wall.text_input, *wall.selectbox, *wall.toggle, *wall.text_area)
    # of several records; once the result is shown; once answers are closed
    later = {"line_group", "line_epsilon", "prediction_truth"}
    # what usual questions do not need, and what is drawn when it starts
    later |= {f"understanding_{name}" for name in ("other", "releases", "level", "delta", "people", "order")}
    alone = [
        field for field in activity.settings if field.name not in (*later, "attack_place", "attack_base")
    ]  # of one table only, of rounding
    assert {field.label for field in alone} <= {control.label for control in controls}
    number = store().start(code, asked(wall, "key"), kind, settings, **activity.kept(values_of(activity.settings, "")))
    phone.run()
    sound(phone)
    assert answers_of(phone)
    if kind == "line":  # the line that everybody begins with is nobody's view
        assert phone.button(key="join.send").disabled
    me, answer = asked(phone, "me"), ANSWERS[kind][1]
    store().answer(code, me, number, values_text(activity.answers, answer))
    again = open_page("join", code=code, me=me, **write_query(activity.answers, ANSWERS[kind][2]))
    sound(again)
    held = {name: again.session_state[STORE]["join"][name] for name in answer}
    unheld = activity.tallied or kind == "understanding"  # every question is answered, and none is asked again
    assert held == (dict.fromkeys(answer, "") if unheld else answer)  # not what the link planted
    assert set(dict(again.query_params)) == {"code", "me"}
    store().set_phase(code, asked(wall, "key"), number, Phase.CLOSED)
    wall.run()
    sound(wall)


def own_tables(code: str, me: str) -> int:
    """What was drawn for one phone in the activity that runs."""
    who = store().on_a_phone(code, me).participant
    assert who is not None
    return who.own


def bet(phone: AppTest, at: int, row: int, stake: str) -> None:
    """Choose a row (from 1), which the phone keeps, and press a stake, which sends both."""
    rows = phone.radio(key=f"join.row.{at}")
    rows.set_value(rows.options[row - 1])
    press(phone, f"join.stake.{at}.{stake}")


def rounds_asked(phone: AppTest) -> list[str]:
    """Whatever a round is answered by."""
    keys = [str(widget.key) for widget in (*phone.button, *phone.radio)]
    return [key for key in keys if key.startswith(("join.row", "join.stake"))]


def test_rounds_on_phones_are_sent_and_solved_one_by_one_and_become_points_on_the_wall() -> None:
    wall, code = opened()
    phone = joined(code)
    wall.selectbox(key="room.activity").set_value("attack").run()
    press(wall, "room.start")
    started = store().room(code).activity
    assert started is not None
    settings = values_of(ACTIVITIES["attack"].settings, started.settings)
    assert settings["attack_seed"] is None  # the box is empty: every phone has a seed of its own
    assert settings["attack_prior"] == "shares"
    phone.run()
    me, key = asked(phone, "me"), asked(wall, "key")
    assert "Nearly certain" in phone.button(key="join.stake.0.c").label
    press(phone, "join.stake.0.c")  # a row comes first
    assert [refused.value for refused in phone.error] == ["Choose a row first."]
    assert store().own_answer(code, me, 1) is None
    game, bets = game_of(settings, (), own_tables(code, me)), ""
    for number in range(10):
        row, stake = 1 + number % 3, "nfc"[number % 3]
        bet(phone, number, row, stake)
        assert not phone.error
        bets += f"{row}{stake}"
        assert store().own_answer(code, me, 1) == f"attack_bets={bets}"
        drawn = game.round(number)
        said = "right</strong>, row" if row - 1 == drawn.truth else f"not <strong>{drawn.truth + 1}</strong>"
        assert f"Round <strong>{number + 1}</strong>: " in text_of(phone)
        assert said in text_of(phone)
        assert not any(f".{number}." in str(button.key) for button in phone.button)  # a late second press is no bet
        assert all(chosen.value is None for chosen in phone.radio)
        if number == 4:
            wall.run()
            assert "<strong>0 of 1</strong> finished, 1 at round 6." in answers_of(wall)
            again = open_page("join", code=code, me=me)
            assert [chosen.key for chosen in again.radio] == ["join.row.5"]
    assert "Your answer stays" in text_of(phone)
    assert set(dict(phone.query_params)) == {"code", "me"}
    assert not rounds_asked(phone)
    ada = new_key()
    store().set_names(code, key, typed=True)
    store().join(code, ada, "Ada")
    store().show_name(code, key, 2, "Ada")
    slow = open_page("join", code=code, me=ada)
    own = game_of(settings, (), own_tables(code, ada)).round(0).published.tolist()
    shown = [re.search("published (−?[0-9]+)", words) for words in slow.radio(key="join.row.0").options]
    assert [int(found[1].replace("−", "-")) for found in shown if found] == own
    bet(slow, 0, 3, "f")
    store().set_phase(code, key, 1, Phase.CLOSED)
    slow.run()
    assert not rounds_asked(slow)
    assert "Your rounds" in text_of(slow)
    store().set_phase(code, key, 1, Phase.OPEN)
    others = [new_key(), new_key()]
    for nameless in others:
        store().join(code, nameless)
        store().answer(code, nameless, 1, "attack_bets=" + "3n" * 10)
    assert "<strong>3 of 4</strong> finished, 1 at round 2." in answers_of(wall.run())
    for phase in (Phase.CLOSED, Phase.SHOWN):
        store().set_phase(code, key, 1, phase)
    wall.run()
    made = [values_of(ACTIVITIES["attack"].answers, f"attack_bets={text}") for text in (bets, "3n" * 10, "3n" * 10)]
    tables = [own_tables(code, phone) for phone in (me, *others)]
    assert len({*tables, own_tables(code, ada)}) == 4
    scores = [score_of(settings, one["attack_bets"], own) for one, own in zip(made, tables, strict=True)]
    rows = re.findall(r"<td[^>]*>[a-z]+ [a-z]+</td><td[^>]*>([+−\d]+)</td><td[^>]*>(\d+) of 10</td>", text_of(wall))
    told = [(f"{score.points:+}".replace("-", "−").replace("+0", "0"), str(score.right)) for score in scores]
    assert sorted(rows) == sorted(told)
    assert "of 30</strong> rounds" in answers_of(wall)


def test_a_bet_that_the_database_did_not_take_is_neither_solved_nor_followed_by_a_table() -> None:
    wall, code = opened()
    phone = joined(code)
    activity, key = ACTIVITIES["attack"], asked(wall, "key")
    text = values_text(activity.settings, {"attack_seed": 7})
    store().start(code, key, "attack", text, **activity.kept(values_of(activity.settings, text)))
    phone.run()
    with patch.object(RoomStore, "answer", side_effect=RoomRefused(RoomCode.UNAVAILABLE)):
        bet(phone, 0, 1, "f")
        for _ in range(2):
            assert "Not sent yet" in " ".join(element.value for element in phone.info)
            assert "Ideal player" not in text_of(phone)
            assert not rounds_asked(phone)
            phone.run()
    phone.run()
    assert store().own_answer(code, asked(phone, "me"), 1) == "attack_bets=1f"
    assert "Ideal player" in text_of(phone)
    assert rounds_asked(phone)


def test_a_yes_goes_through_the_component_and_the_first_one_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    mounted: dict[str, Any] = {}

    def mount(*, key: str, data: dict[str, Any], on_sent_change: Callable[[], None]) -> None:
        mounted.update(key=key, data=data, changed=on_sent_change)

    monkeypatch.setattr(component, "_component", lambda: mount)
    arrive, heard = Form.__init__, list[Callable[[], None]]()

    def after_callbacks(form: Form, *arguments: Any) -> None:
        while heard:
            heard.pop()()
        arrive(form, *arguments)

    monkeypatch.setattr(Form, "__init__", after_callbacks)

    def says(phone: AppTest, sent: Any) -> None:
        """What the browser sends is in the session before the script runs."""
        phone.session_state[mounted["key"]] = {"sent": sent}
        heard.append(mounted["changed"])
        phone.run()
        sound(phone)

    wall, code = opened()
    phone = joined(code)
    activity, key = ACTIVITIES["coin_survey"], asked(wall, "key")
    kept = activity.kept(values_of(activity.settings, ""))
    number = store().start(code, key, "coin_survey", values_text(activity.settings, {}), **kept)
    phone.run()
    assert mounted["data"]["open"]
    assert mounted["data"]["held"] is False
    assert asked(phone, "me") not in str(mounted["data"])
    says(phone, {"said": "yes", "truth": "no"})
    assert "is counted" not in text_of(phone)
    assert stored_answers(store(), code, number) == ()
    says(phone, {"said": "yes", "times": 1})
    assert "Your answer is counted" in text_of(phone)
    assert "Your answer stays" in text_of(phone)
    assert (mounted["data"]["held"], mounted["data"]["open"]) == (True, False)
    says(phone, {"said": "no", "times": 2})  # by a browser that does not follow the rules
    assert [stored.answer for stored in stored_answers(store(), code, number)] == ["coin_survey_said=yes"]
    assert "yes" not in said_in_address(phone)
    assert {"room.phase.shown", "room.phase.closed"} <= {str(button.key) for button in wall.run().button}
    press(wall, "room.phase.closed")
    assert "room.phase.open" not in {str(button.key) for button in wall.button}  # counted answers take none again


def test_a_question_of_a_lesson_and_the_lines_of_positions_start_in_a_room_with_one_press() -> None:
    for opened_page, button, kind, setting in (
        (open_page("lessons", lesson="90"), "lessons.room-90-3", "prediction", "prediction_lesson=90_3"),
        (open_page("positions", secret="value", relation="replace"), "positions.room", "line", "value_replaced"),
    ):
        assert "open a room" in opened_page.button(key=button).label.lower()
        wall = press(opened_page, button)
        code = asked(wall, "code")
        running = store().room(code).activity
        assert running is not None
        assert running.kind == kind
        assert setting in running.settings
        assert "so far, from" in text_of(wall)
    wall.query_params.clear()  # as a browser does that goes to another page
    wall.switch_page("pages/lessons.py").run()
    assert wall.button(key="lessons.room-20-1").label == "Ask the room"
    elsewhere = open_page("positions", held="0.5")
    assert "positions.room" not in [button.key for button in elsewhere.button]


def running_in(code: str) -> tuple[int, str, str]:
    """What runs in a room: its number, its kind, and of a prediction which question."""
    activity = store().room(code).activity
    assert activity is not None
    return activity.number, activity.kind, dict(pairs_of(activity.settings)).get("prediction_lesson", "")


def test_a_lesson_is_a_room_with_a_script_in_every_tab_and_next_is_one_press() -> None:
    wall = press(open_page("lessons", lesson="45"), "lessons.phones")
    wall.switch_page("pages/room.py").run()
    code, key = asked(wall, "code"), asked(wall, "key")
    assert store().room(code).activity is None  # phones join before anything is asked
    assert "Draw a line of risk (5 min)" in text_of(wall)
    keys = [new_key() for _ in range(3)]
    for one in keys:
        store().join(code, one)
    before = script_box(wall).key
    press(wall, "room.start_next")
    assert running_in(code) == (1, "line", "")
    assert script_box(wall).key != before  # what the page sent before it was drawn again is not this box's
    assert "room.start_next" not in [button.key for button in wall.button]
    press(wall, "room.phase.shown")  # nobody has answered
    press(wall, "room.start_next")
    assert running_in(code) == (2, "prediction", "45_1")
    for one in keys:
        store().answer(code, one, 2, "number=8")
    wall.run()
    press(wall, "room.phase.shown")  # ends it, and shows its result
    assert "<strong>3</strong> of 3 chose <strong>8 in 100</strong>" in answers_of(wall)
    again = open_page("room", code=code, key=key)  # a second tab, or the same after a reload
    sound(again)
    assert "Which ε lets no belief" in text_of(again)
    press(again, "room.start_next")
    assert running_in(code) == (3, "prediction", "45_2")
    wall.button(key="room.start_next").click().run()  # drawn before the other tab was sooner
    sound(wall)
    assert running_in(code) == (3, "prediction", "45_2")
    for one in keys[:2]:
        store().answer(code, one, 3, "number=1")
    wall.run()
    press(wall, "room.phase.shown")  # too few: it ends, and nothing is shown
    assert store().room(code).withheld
    assert not wall.error
    assert "only if all agree" in text_of(wall)
    press(wall, "room.start_next")
    assert running_in(code) == (4, "prediction", "45_3")


def test_a_script_is_changed_before_and_while_it_runs_and_stands_in_scenario_files() -> None:
    wall = open_page("room")
    wall.selectbox(key="room.prepared").set_value("60").run()
    assert script_box(wall).value.startswith("12; Draw a line of risk\n8; Vote\n25; Debate")
    script_box(wall).set_value("soon; Vote").run()
    assert "each line beginning with 1 to 300 minutes" in text_of(wall)
    press(wall, "room.open")
    assert "code" not in wall.query_params  # what is prepared is told to be wrong before the room is opened
    typed = "4; Vote; Keep it?; yes; no\n20; Debate\n3; Vote; Keep it?; yes; no\n2; Vote; And now?"
    script_box(wall).set_value(typed).run()
    written = scenario.write(wall.session_state[STORE])
    assert scenario.read(written).pages["room"]["script"] == wall.session_state[STORE]["room"]["script"]
    press(wall, "room.open")
    code, key = asked(wall, "code"), asked(wall, "key")
    assert "script" not in wall.query_params
    press(wall, "room.start_next")
    assert "vote_before=0" in store().room(code).activity.settings  # type: ignore[union-attr]
    other = open_page("room", code=code, key=key)
    assert script_box(other).value == "20; Debate\n3; Vote; Keep it?; yes; no\n2; Vote; And now?"
    script_box(other).set_value("3; Vote; Keep it?; yes; no").run()
    assert "Debate" not in script_box(wall.run()).value
    press(wall, "room.phase.shown")
    press(wall, "room.start_next")
    assert "vote_before=1" in store().room(code).activity.settings  # type: ignore[union-attr]
    assert script_box(wall).value == ""


def test_settings_in_a_script_are_found_again_and_the_rest_begins_with_the_case() -> None:
    wall = open_page("room", case="own", unit="household", group="3")
    first, second = "5; Draw a line of risk; epsilon = 0.9", "10; Be the attacker; rho = 0.1; prior = flat; seed = 7"
    script_box(wall).set_value(f"{first}\n{second}").run()
    press(wall, "room.open")
    code, key = asked(wall, "code"), asked(wall, "key")
    press(wall, "room.start_next")
    again = open_page("room", code=code, key=key)  # a reload
    assert script_box(again).value == second
    held = scenario.read(scenario.write(again.session_state[STORE])).pages["room"]["script"]
    assert held == again.session_state[STORE]["room"]["script"]
    running = store().room(code).activity
    assert running is not None
    line = values_of(ACTIVITIES["line"].settings, running.settings)
    assert line == {"line_about": "presence", "line_unit": "household", "line_group": 3, "line_epsilon": 0.9}
    press(again, "room.phase.shown")
    changed = second.replace("0.1", "0.2").replace("seed = 7", "")
    script_box(again).set_value(changed).run()
    press(again, "room.start_next")
    running = store().room(code).activity
    assert running is not None
    game = values_of(ACTIVITIES["attack"].settings, running.settings)
    assert (game["attack_rho"], game["attack_prior"]) == (0.2, "flat")
    assert game["attack_seed"] is None


def test_an_answer_that_a_script_names_waits_in_its_box_and_is_shown_by_one_press() -> None:
    for by_one_press in (False, True):
        wall = open_page("room")
        script_box(wall).set_value("3; Predict a number; How many of us?; truth = 30").run()
        press(wall, "room.open")
        code = asked(wall, "code")
        people = [new_key() for _ in range(3)]
        for one in people:
            store().join(code, one)
        press(wall, "room.start_next")
        phone = open_page("join", code=code, me=people[0])
        for one, guessed in zip(people, (20, 25, 35), strict=True):
            store().answer(code, one, 1, f"number={guessed}")
        assert "30" not in said_in_address(wall.run()) + answers_of(wall) + text_of(phone.run()).partition("Stored")[0]
        if not by_one_press:
            press(wall, "room.phase.closed")
            assert wall.text_input(key="room.late.1.prediction_truth").value == "30"
        press(wall, "room.phase.shown")
        assert "<strong>25</strong>; the answer is <strong>30</strong>" in answers_of(wall)


def test_what_a_room_begins_with_is_listed_by_its_minutes_and_lessons_say_what_is_held_back() -> None:
    listed = open_page("room").selectbox(key="room.prepared").options
    assert [re.split(r"\W", words)[0] for words in listed] == ["20", "20", "45", "60", "90"]
    told = [caption.value for caption in open_page("lessons").caption]
    assert "Fewer than three answers are shown only if all agree." in told


def test_a_vote_of_a_script_is_between_budgets_of_the_lines_that_the_room_was_shown() -> None:
    wall = open_page("room")
    script_box(wall).set_value("8; Vote\n5; Debate").run()
    press(wall, "room.open")
    code = asked(wall, "code")
    press(wall, "room.start_next")
    assert "the room was shown no lines" in " ".join(element.value for element in wall.error)
    assert store().room(code).activity is None
    assert script_box(wall).value == "8; Vote\n5; Debate"  # nothing is passed over
    script = 2 * "5; Draw a line of risk\n" + "8; Vote\n5; Debate\n3; Vote; After the debate?"
    script_box(wall).set_value(script).run()
    people = [new_key() for _ in range(3)]
    for one in people:
        store().join(code, one)
    for number, lines in ((1, ("0.1~0.15", "0.1~0.6", "0.1~0.7")), (2, ("0.1~0.2", "0.1~0.3", "0.1~0.5"))):
        press(wall, "room.start_next")
        for one, line in zip(people, lines, strict=True):
            store().answer(code, one, number, f"line_points={line}")
        press(wall.run(), "room.phase.shown")
    press(wall, "room.start_next")  # between the lines that were shown last
    assert not wall.error
    vote, options = ACTIVITIES["vote"], []
    for number, question in ((3, "From 10 in 100, how likely may it become"), (4, "After the debate?")):
        assert running_in(code)[:2] == (number, "vote")
        settings = values_of(vote.settings, store().room(code).activity.settings)  # type: ignore[union-attr]
        assert settings["vote_question"].startswith(question)
        assert settings["vote_before"] == (3 if number == 4 else 0)
        options.append(settings["vote_options"])
        press(wall, "room.phase.shown")
        if number == 3:
            press(wall, "room.start_next")
    assert options[0] == options[1]
    belief_and_budget = [re.fullmatch(r"At most (\d+) in 100 \(ε = [\d.]+\)", option) for option in options[0]]
    assert [found and found[1] for found in belief_and_budget] == ["20", "30", "50"]
    assert script_box(wall).value == ""


def test_a_question_that_names_its_answers_is_answered_by_a_tap_and_percent_by_its_number() -> None:
    wall, code = opened()
    phone, key = joined(code), asked(wall, "key")
    for number, (question, typed) in enumerate((("45_1", ""), ("45_4", "50 %"), ("45_2", "50 %")), start=1):
        store().start(code, key, "prediction", f"prediction_lesson={question}")
        phone.run()
        if typed:
            guess(phone, typed)
        else:
            assert "join.number" not in [box.key for box in phone.text_input]
            assert [button.label for button in phone.button][:3] == ["1 in 100", "8 in 100", "50 in 100"]
            press(phone, "join.vote1")
        told = " ".join(element.value for element in phone.error)
        assert ("must be typed without %" in told) == (question == "45_2")
        assert ("<strong>Sent.</strong>" in text_of(phone)) == (question != "45_2")
        if typed and question == "45_4":
            assert "Your guess: <strong>50 in 100</strong>" in text_of(phone)
            assert store().own_answer(code, asked(phone, "me"), number) == "number=50+%25"


def test_two_halves_see_one_number_in_two_ways_and_answer_question_by_question() -> None:
    wall, code = opened()
    phones = [joined(code) for _ in range(2)]
    key = asked(wall, "key")
    others = [new_key() for _ in range(4)]
    for other in others:
        store().join(code, other)
    wall.selectbox(key="room.activity").set_value("understanding").run()
    sound(wall)
    forecast = "Too few to tell halves apart. Below 20, no test."
    assert forecast in [caption.value for caption in wall.caption]
    boxes = {str(box.key) for box in (*wall.number_input, *wall.text_input)}
    assert "room.understanding_other" not in str(boxes)  # no question is about a second table
    wall.selectbox(key="room.understanding_question2").set_value("stronger").run()
    wall.selectbox(key="room.understanding_question4").set_value("even_guess").run()
    sound(wall)
    press(wall, "room.start")
    started = store().room(code).activity
    assert started is not None
    settings = values_of(ACTIVITIES["understanding"].settings, started.settings)
    questions = questions_of(settings)
    assert [one.name for one in questions] == ["at_most", "stronger", "at_least", "even_guess"]
    assert "understanding_order" not in dict(wall.query_params)
    for phone in phones:
        phone.run()
        own = own_tables(code, asked(phone, "me"))
        told = text_of(phone)
        assert ("Suppose somebody thinks it" in told) == (own % 2 == 0)
        assert ("Before the release" in told) == (own % 2 == 1)
        for place, question in enumerate(questions):
            assert f"<strong>{place + 1}</strong> of 4: {question.words}" in text_of(phone)
            buttons = [button.label for button in phone.button if str(button.key).startswith("join.understood.")]
            assert buttons == list(question.options)
            press(phone, f"join.understood.{place}.{question.right}")
            said = "".join(str(one.right) for one in questions[: place + 1])
            assert store().own_answer(code, asked(phone, "me"), 1) == f"understanding_said={said}"
            if place == 1 and phone is phones[0]:
                again = open_page("join", code=code, me=asked(phone, "me"))  # a reload keeps the half and the answers
                assert "<strong>3</strong> of 4: " in text_of(again)
                assert ("Suppose somebody thinks it" in text_of(again)) == (own % 2 == 0)
                assert "<strong>0 of 6</strong> finished." in answers_of(wall.run())
        assert not [button for button in phone.button if str(button.key).startswith("join.understood.")]
        assert "Suppose somebody" not in text_of(phone)  # who has finished could show it to a neighbour
        assert "Your answer stays" in text_of(phone)
    assert "<strong>2 of 6</strong> finished." in answers_of(wall.run())
    assert "Before and after" not in text_of(wall).partition("Another activity")[0]
    for other in others[:3]:
        store().answer(code, other, 1, "understanding_said=1111")
    press(wall, "room.phase.shown")
    sound(wall)
    assert "Everything right: <strong>2 of 6</strong>." in answers_of(wall)
    assert "Too few to tell halves apart." in text_of(wall)
    assert "no answer" in text_of(wall)
    phones[0].run()
    sound(phones[0])
    assert "Everything right: <strong>2 of 6</strong>." in answers_of(phones[0])
    assert "Right: " in text_of(phones[0])
    csv = as_csv(store().results(code, key))
    assert len(csv.strip().splitlines()) == 7
    assert not re.search("way=|understanding_", csv)


def test_a_line_of_a_script_names_the_ways_and_the_questions() -> None:
    script = read_script("10; Did they understand?; a = odds; question1 = failures; delta = 1e-6; epsilon = 0.5")
    assert dict(script[0].settings) == {
        "understanding_a": "odds",
        "understanding_question1": "failures",
        "understanding_delta": 1e-6,
        "understanding_epsilon": 0.5,
    }


def test_a_vote_after_a_debate_stands_beside_the_one_before_it() -> None:
    wall, code = opened()
    key = asked(wall, "key")
    phone, others = joined(code), [new_key() for _ in range(2)]
    for other in others:
        store().join(code, other)
    wall.selectbox(key="room.activity").set_value("vote").run()
    assert wall.selectbox(key="room.vote_before").options == ["no earlier vote"]
    press(wall, "room.start")
    phone.run()
    press(phone, "join.vote0")
    for other in others:
        store().answer(code, other, 1, "vote_choice=%CE%B5+%3D+1")
    assert "Your vote: <strong>ε = 0.5</strong>" in text_of(phone)
    assert set(dict(phone.query_params)) == {"code", "me"}
    wall.run()
    wall.selectbox(key="room.vote_before").set_value(1).run()
    press(wall, "room.start")
    phone.run()
    press(phone, "join.vote1")
    for other in others:
        store().answer(code, other, 2, "vote_choice=%CE%B5+%3D+1")
    for phase in ("closed", "shown"):
        wall.run()
        press(wall, f"room.phase.{phase}")
    assert "<strong>ε = 1</strong> has the most votes: <strong>3 of 3</strong>" in answers_of(wall)
    assert "Of <strong>3</strong> who voted both times, <strong>1</strong> changed" in text_of(wall)
    drawn = RoomMinutes(LinesMinutes("presence", "person", 1, 21, 1.29, 0.9, 14, 0.4))
    wall.session_state[STORE]["memo"] = {"room": drawn}  # the lines of this room were taken to the memo before
    wall.session_state[OFFERED][write_minutes(drawn)] = spaced(code)
    wall.text_input(key="room.vote_options").set_value("yes; no").run()
    assert wall.selectbox(key="room.vote_before").options == ["no earlier vote"]
    sound(wall)
    queries = [
        parse_qs(link.proto.query_string)["room"][0] for link in wall.get("page_link") if link.proto.page == "memo"
    ]
    assert [read_minutes(query).lines for query in queries] == [drawn.lines]
    assert [len(read_minutes(query).votes) for query in queries] == [3]
    assert store().room(code).people == 3
    assert len(store().activities(code, key)) == 2


def test_another_budget_than_the_middle_one_is_asked_on_the_wall_when_the_moderator_says_so() -> None:
    wall, code = opened()
    wall.selectbox(key="room.activity").set_value("line").run()
    press(wall, "room.start")
    rooms = store()
    for answer in ANSWERS["line"][:3]:
        me = new_key()
        rooms.join(code, me)
        rooms.answer(code, me, 1, values_text(ACTIVITIES["line"].answers, answer))
    press(wall, "room.phase.closed")
    press(wall, "room.phase.shown")
    projected = open_page("room", code=code, wall=wall_key(asked(wall, "key")))
    before = text_of(projected)
    wall.text_input(key="room.line_epsilon").set_value("0.25").run()
    assert "at <strong>ε = 0.25</strong>" in text_of(wall)
    assert text_of(projected.run()) == before
    press(wall, "room.on_the_wall")
    assert "at <strong>ε = 0.25</strong>" in text_of(projected.run())
    assert not [button for button in wall.button if button.key == "room.on_the_wall"]


def test_the_moderator_looks_at_a_prepared_result_with_the_budget_that_everybody_sees() -> None:
    wall, code = opened()
    script_box(wall).set_value("10; Draw a line of risk; epsilon = 0.25").run()
    press(wall.run(), "room.start_next")
    for answer in ANSWERS["line"][:3]:
        store().join(code, me := new_key())
        store().answer(code, me, 1, values_text(ACTIVITIES["line"].answers, answer))
    press(wall, "room.phase.shown")
    projected = open_page("room", code=code, wall=wall_key(asked(wall, "key")))
    for page in (wall, projected):
        assert "at <strong>ε = 0.25</strong>" in text_of(page)


def test_a_group_that_comes_later_and_a_nickname_can_be_chosen_after_joining_and_stand_in_no_address() -> None:
    wall, code = opened()
    phone = joined(code)
    store().set_groups(code, asked(wall, "key"), ("agency", "advocates"))
    phone.run()
    phone.button_group(key="join.pills").set_value("agency").run()
    assert "join.nickname" not in {one.key for one in phone.text_input}  # nobody is asked for a name
    press(wall, "room.names")
    phone.run()
    phone.text_input(key="join.nickname").set_value("Ada").run()
    press(phone, "join.keep")
    found = store().participant(code, asked(phone, "me"))
    assert found is not None
    assert (found.group, found.nickname) == ("agency", "Ada")
    assert "<strong>Kept.</strong>" in text_of(phone)
    phone.run()
    assert "<strong>Kept.</strong>" not in text_of(phone)
    other = open_page("join", code=code)
    other.text_input(key="join.nickname").set_value("ada").run()
    press(other, "join.join")
    assert "Somebody in this room has this nickname" in " ".join(element.value for element in other.error)
    assert store().room(code).people == 1
    assert "Ada" not in said_in_address(phone)
    phone.text_input(key="join.nickname").set_value("x" * 41).run()
    press(phone, "join.keep")
    assert "must be at most 40 characters; got 41" in text_of(phone)
    assert "<strong>Kept.</strong>" not in text_of(phone)
    assert store().participant(code, asked(phone, "me")) == found


def test_a_participant_deletes_themselves_and_a_shown_result_goes_from_the_wall() -> None:
    wall, code = opened()
    phones = [joined(code) for _ in range(2)]
    start_prediction(wall)
    for phone, number in zip(phones, ("12", "31"), strict=True):
        guess(phone, number)
        store().agree(code, asked(phone, "me"), 1)
    phone = phones[0]
    with patch.object(RoomStore, "leave", side_effect=RoomRefused(RoomCode.UNAVAILABLE)):
        phone.checkbox(key="join.sure").set_value(True).run()
        press(phone, "join.delete")
    assert "You are not deleted yet" in " ".join(element.value for element in phone.info)
    for phase in (Phase.CLOSED, Phase.SHOWN):  # also when names stay
        store().set_phase(code, asked(wall, "key"), 1, phase)
        phone.run()
        assert {"join.keep", "join.nickname"}.isdisjoint({one.key for one in (*phone.button, *phone.text_input)})
    wall.run()
    assert "<strong>21.5</strong>" in answers_of(wall)
    phone.checkbox(key="join.sure").set_value(False).run()
    assert phone.button(key="join.delete").disabled
    phone.checkbox(key="join.sure").set_value(True).run()
    me = asked(phone, "me")
    press(phone, "join.delete")
    assert "You and your answers are deleted from the room" in " ".join(element.value for element in phone.info)
    assert dict(phone.query_params) == {}
    assert store().participant(code, me) is None
    wall.run()
    assert "The result is no longer shown" in answers_of(wall)
    assert "room.phase.shown" not in [button.key for button in wall.button]
    assert "The result is no longer shown" in text_of(phones[1].run())
    again = open_page("join", code=code, me=me)  # by a link that is still somewhere
    assert "join.join" in [button.key for button in again.button]
    assert asked(again, "me") != me


def test_the_moderator_closes_the_door_takes_a_nickname_removes_somebody_and_moves_to_a_new_address() -> None:
    wall, code = opened()
    phone = joined(code)
    wall.session_state["room.people"] = True
    press(wall, "room.names")
    store().join(code, asked(phone, "me"), "Rude", "")
    press(wall, "room.door")
    assert "No one else can join." in answers_of(wall)
    assert code not in text_of(wall).replace(" ", "")
    other = open_page("join", code=code)
    assert "Its moderator has closed joining" in text_of(other)
    assert "join.join" not in [button.key for button in other.button]
    assert "1 · Rude" in [one.value for one in wall.caption]
    press(wall, "room.show_name.1")
    found = store().participant(code, asked(phone, "me"))
    assert found is not None
    assert not found.pending
    press(wall, "room.take_name.1")
    assert "1" in [one.value for one in wall.caption]
    assert {"room.show_name.1", "room.take_name.1"}.isdisjoint({one.key for one in wall.button})
    press(wall, "room.remove.1")
    assert store().room(code).people == 0
    phone.run()
    assert "Its moderator has closed joining" in text_of(phone)
    press(wall, "room.door")
    assert "join.join" in [button.key for button in phone.run().button]
    for page, removed in ((phone, True), (other.run(), False)):
        assert ["you were removed" in one.value for one in page.info] == [True] * removed
    press(phone, "join.join")
    assert not phone.info
    before = asked(wall, "key")
    press(wall, "room.renew").run()
    assert asked(wall, "key") != before
    assert not wall.error
    old = open_page("room", code=code, key=before)
    assert "opens neither the room's moderation nor its projector view" in " ".join(
        element.value for element in old.error
    )


def test_whoever_moderates_keeps_the_room_where_an_answer_with_the_new_address_never_reaches_the_browser() -> None:
    wall, code = opened()
    before = asked(wall, "key")
    press(wall, "room.renew")  # the answer is lost: the browser has the address from before
    first = open_page("room", code=code, key=before)
    assert not first.error
    press(first, "room.renew")
    coming = asked(first, "next_key")
    first.run()  # the browser has shown that it has the next key; this answer is lost
    assert asked(first, "key") == coming
    assert store().is_moderator(code, coming)
    assert not store().is_moderator(code, before)
    second = open_page("room", code=code, key=before, next_key=coming)
    assert not second.error
    assert (asked(second, "key"), "next_key" in second.query_params) == (coming, False)
    press(second, "room.door")
    assert store().room(code).door_closed


def test_an_activity_of_another_page_begins_in_a_new_room_where_the_old_one_has_ended() -> None:
    wall, code = opened()
    store().end(code, asked(wall, "key"))
    wall.session_state["_room_start"] = (("prediction", {"prediction_question": "How many?"}), ())
    wall.run()
    sound(wall)
    new = asked(wall, "code")
    assert new != code
    running = store().room(new).activity
    assert running is not None
    assert running.kind == "prediction"


def test_nothing_can_be_downloaded_of_an_activity_that_was_not_shown() -> None:
    wall, code = opened()
    store().set_names(code, asked(wall, "key"), typed=True)
    start_prediction(wall)
    for number in (77, 78, 79):
        me = new_key()
        store().join(code, me, f"N{number}")
        store().answer(code, me, 1, f"number={number}")
    for phase, there in ((Phase.OPEN, False), (Phase.CLOSED, False), (Phase.SHOWN, True), (Phase.HIDDEN, True)):
        store().set_phase(code, asked(wall, "key"), 1, phase)
        with downloads() as found:
            wall.run()
        files = [data() for name, _, data in found.values() if name in ("riskline-room.csv", "riskline-room.json")]
        assert {("77" in file) for file in files} == {there}
        assert not [file for file in files if "N77" in file]


def test_an_agreement_is_to_one_answer_and_of_who_gave_it_also_on_a_shared_device() -> None:
    wall, code = opened()
    phone = joined(code)
    start_prediction(wall)
    guess(phone, "12")
    press(wall, "room.phase.closed")
    press(phone.run(), "join.agree")
    assert not store().room(code).withheld
    for changed in ("another answer", "another person"):
        press(wall.run(), "room.phase.open")
        if changed == "another person":
            phone.run().checkbox(key="join.sure").set_value(True).run()
            press(phone, "join.delete")
            phone.text_input(key="join.code").set_value(code).run()
            press(phone, "join.join")
        guess(phone, "13")
        press(wall, "room.phase.closed")
        assert "You agree" not in text_of(phone.run())
        press(phone, "join.agree")
    press(wall, "room.phase.shown")
    assert "<strong>13</strong>" in answers_of(wall)


def test_who_leaves_before_the_result_has_the_others_asked_whether_it_is_shown() -> None:
    wall, code = opened()
    phones = [joined(code) for _ in range(3)]
    start_prediction(wall)
    for phone in phones:
        guess(phone, "12")
    press(wall, "room.phase.closed")
    drawn = store().room(code)
    assert "only if all agree" not in text_of(phones[0].run())
    store().leave(code, asked(phones[2], "me"))
    left = store().room(code)
    assert (drawn.withheld, left.withheld) == (False, True)
    assert drawn.versions.state < left.versions.state, "phones look at nothing else"
    press(phones[0].run(), "join.agree")


def test_nobody_joins_by_a_key_that_came_with_a_link_and_nothing_stays_in_the_address_of_who_leaves() -> None:
    wall, code = opened()
    planted = new_key()
    phone = press(open_page("join", code=code, me=planted), "join.join")
    assert asked(phone, "me") != planted
    assert store().participant(code, planted) is None
    start_prediction(wall)
    guess(phone, "87")
    deletes_nothing = "Your answers stay; to delete them, leave the room first."
    assert deletes_nothing in [element.value for element in phone.caption]
    press(phone, "join.leave")
    assert dict(phone.query_params) == {}
    assert deletes_nothing not in [element.value for element in phone.caption]


def test_the_same_survey_is_not_held_twice_in_a_room() -> None:
    wall, code = opened()
    wall.selectbox(key="room.activity").set_value("coin_survey").run()
    press(wall, "room.start")
    assert store().room(code).activity is not None
    press(wall, "room.start")
    wall.text_input(key="room.coin_survey_statement").set_value("I have *TOLD* somebody: my passwórd!").run()
    press(wall, "room.start")
    assert "in the same letters and digits is refused" in " ".join(element.value for element in wall.error)
    assert "has answered that once a person already" in " ".join(element.value for element in wall.error)
    assert len(store().activities(code, asked(wall, "key"))) == 1


def test_a_code_that_is_typed_finds_the_room_at_once() -> None:
    _, code = opened()
    phone = open_page("join")
    phone.text_input(key="join.code").set_value(f"{code[:3].lower()} {code[3:]}").run()
    sound(phone)
    assert "join.join" in [button.key for button in phone.button]
    (all_of_it,) = [fold for fold in phone.expander if fold.label == "Who sees what"]
    told = [element.value for element in phone.caption]
    (shortly,) = [words for words in told if words.startswith("Stored until ")]  # before joining, and whole in the fold
    (whole,) = [element.value for element in all_of_it.caption]
    assert told.index(shortly) < told.index(whole)
    press(phone, "join.join")
    assert store().room(code).people == 1


def test_what_was_shown_stays_a_press_away_and_leaves_as_one_report() -> None:
    wall, code = opened()
    key, phones = asked(wall, "key"), [joined(code) for _ in range(3)]
    start_prediction(wall)
    for phone, number in zip(phones, ("12", "31", "40"), strict=True):
        guess(phone, number)
    wall.run()
    press(wall, "room.phase.closed")
    press(wall, "room.phase.shown")
    store().start(code, key, "vote", "")
    projected = open_page("room", code=code, wall=wall_key(key))
    for page, where in ((wall, "room"), (projected, "room"), (phones[0], "join")):
        page.run()
        assert "31" not in answers_of(page), where
        chosen = page.selectbox(key="room.earlier.2.open")
        assert chosen.options == ["1: How many of a hundred?"]
        chosen.set_value(1).run()
        sound(page)
        assert "<strong>31</strong>" in answers_of(page)
    assert "Your guess: <strong>12</strong>" in text_of(phones[0])
    assert not [box for box in open_page("join", code=code).selectbox if "earlier" in str(box.key)]
    with downloads() as found:
        wall.run()
    files = {name: data for name, _, data in found.values() if callable(data)}
    told = files["riskline-room.html"]()
    assert "How many of a hundred?" in told
    assert "<strong>31</strong>" in told
    assert "data:image" in told
    assert files["riskline-room.docx"]()[:2] == files["riskline-room.pptx"]()[:2] == b"PK"
    store().start(code, key, "vote", "")
    assert "31" not in answers_of(projected.run())  # something else happens: the wall follows it


def test_no_typing_breaks_names_script_earlier_results_or_report() -> None:
    """Everything that a hostile phone or moderator can type around a result, and what is made of it afterwards."""
    dice, rooms = random.Random("room"), store()
    wall, code = opened()
    key = asked(wall, "key")
    rooms.set_names(code, key, typed=True)
    phones, kinds = [joined(code) for _ in range(3)], ("vote", "prediction")
    for number, kind in enumerate(kinds, start=1):
        for phone in phones if number == 1 else ():  # once a result is shown, names stay
            phone.run()
            phone.text_input(key="join.nickname").set_value(dice.choice(NONSENSE)).run()
            press(phone, "join.keep")
        for typed in dice.sample(NONSENSE, 4):
            lines = (f"5; {typed}", f"{typed}; Vote; {typed}; a; b", f"3; Predict a number; {typed}; truth = {typed}")
            script_box(wall).set_value(dice.choice(lines)).run()
            sound(wall)
        activity = ACTIVITIES[kind]
        question = {"vote": "vote_question", "prediction": "prediction_question"}[kind]
        chosen = {question: CODE[number], "vote_options": CODE[:3]}
        settings = {field.name: chosen.get(field.name, field.default) for field in activity.settings}
        rooms.start(code, key, kind, values_text(activity.settings, settings), **activity.kept(settings))
        answers = {"vote": {"vote_choice": CODE[1]}, "prediction": {"number": 3.0}}[kind]
        for phone in phones:
            rooms.answer(code, asked(phone, "me"), number, values_text(activity.answers, answers))
        press(wall.run(), "room.phase.closed")
        if kind == "prediction":
            for typed in dice.sample(NONSENSE, 6):
                wall.text_input(key="room.late.2.prediction_truth").set_value(typed).run()
                sound(wall)
            wall.text_input(key="room.late.2.prediction_truth").set_value("7").run()
        press(wall, "room.phase.shown")
    for person in rooms.people(code, key):
        rooms.show_name(code, key, person.number, person.nickname)
    for page in (wall, *phones):
        page.run().selectbox(key="room.earlier.2.shown").set_value(1).run()
        sound(page)
        assert unreadable(answers_of(page)) == ""
        assert "<script>alert" not in text_of(page)
    with downloads() as found:
        wall.run()
    written = {name: data() for name, _, data in found.values() if name.startswith("riskline-room")}
    assert len(written) == 5
    assert "<script>alert" not in written["riskline-room.html"]
    assert not re.search(r"^[=+@-]", written["riskline-room.csv"], re.MULTILINE)
