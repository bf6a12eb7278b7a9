"""The frame around a page: its switches, its menu, the wall of a room, a scenario file, the address and the foot."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from riskline.case.fields import Refusal
from riskline.case.value import Case
from tests.app.opened_page import open_page, sound
from ui.frame import run as frame
from ui.frame import show
from ui.frame.case import CASE, LOADED, STORE, TOUCHED
from ui.frame.form import PAGE_QUERY, REFUSALS
from ui.link import scenario
from ui.link.page_table import PAGES
from ui.pictures.style import Style
from ui.words.catalogue import label, say


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    state: dict[str, Any] = {}
    monkeypatch.setattr(frame.st, "session_state", state)
    return state


def test_the_look_of_a_page_is_that_of_the_switches_and_of_the_ground(
    session: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for theme, technical, large, look in (
        (SimpleNamespace(type="dark"), True, False, Style(dark=True, voice="technical")),
        (SimpleNamespace(type="light"), False, True, Style(large=True)),
        (None, None, None, Style()),
    ):
        monkeypatch.setattr(frame.st, "context", SimpleNamespace(theme=theme))
        session |= {"frame.technical": technical, "frame.large": large}
        assert frame.style() == look


def test_a_wall_is_the_page_of_a_room_by_the_key_of_the_wall_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for path, query, wall in (
        ("room", {"wall": "w"}, True),
        ("room", {"wall": "w", "key": "k"}, False),
        ("room", {"key": "k"}, False),
        ("room", {"wall": ""}, False),
        ("join", {"wall": "w"}, False),
    ):
        monkeypatch.setattr(frame.st, "query_params", query)
        assert frame._on_the_wall(SimpleNamespace(url_path=path)) is wall


def test_styles_come_in_their_order_and_only_those_that_are_wanted() -> None:
    def content(name: str) -> str:
        return (frame.ASSETS / name).read_text(encoding="utf-8")

    parts = [content(f"style{name}.css") for name in ("", "_large", "_dark", "_wall")]
    assert frame._style(True, True, True) == "\n".join(parts)
    assert [frame._style(*(place == number for place in range(3))) for number in range(3)] == [
        "\n".join((parts[0], part)) for part in parts[1:]
    ]


@pytest.mark.parametrize("off", [True, False])
def test_the_menu_has_every_page_under_its_group_and_hides_rooms_that_are_off(
    off: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    menus: list[tuple[dict[str, list[Any]], str]] = []
    monkeypatch.setattr(frame, "_pages", frame._pages.__wrapped__)
    monkeypatch.setattr(frame, "rooms_off", lambda: off)
    monkeypatch.setattr(frame.st, "Page", lambda path, **told: SimpleNamespace(path=path, **told))
    monkeypatch.setattr(frame.st, "navigation", lambda groups, position: menus.append((groups, position)))
    frame._navigation("top")
    frame._navigation("hidden")
    assert [position for _, position in menus] == ["top", "hidden"]
    told = [(group, *vars(page).values()) for group, pages in menus[0][0].items() for page in pages]
    assert told == [
        (
            *(entry.group_title, frame.ROOT / "pages" / f"{entry.stem}.py", entry.title, entry.stem == "home"),
            "hidden" if off and entry.stem in ("room", "join") else "visible",
        )
        for entry in PAGES
    ]


def test_a_page_has_the_address_of_its_name_and_the_front_door_none() -> None:
    assert {entry.stem: entry.address for entry in PAGES if entry.address != entry.stem} == {"home": ""}


def test_a_run_marks_a_page_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = [("Group", SimpleNamespace())]
    monkeypatch.setattr(frame, "_pages", lambda rooms_hidden: kept)
    monkeypatch.setattr(frame.st, "navigation", lambda groups, position: groups["Group"][0])
    assert frame._navigation("top") is not kept[0][1]


def test_a_link_that_is_copied_leaves_out_whose_room_it_is_and_not_which() -> None:
    assert frame._own_keys() == ["key", "me", "next_key", "wall"]


def test_switches_are_taken_from_the_link_once(session: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    class Query(dict[str, list[str]]):
        def get_all(self, name: str) -> list[str]:
            return self.get(name, [])

    monkeypatch.setattr(frame.st, "query_params", Query(voice=["technical"], type=["normal", "huge"], unit=["x"]))
    frame._seed()
    assert (session["frame.technical"], session["frame.large"]) == (True, False)
    assert [refusal.name for refusal in session[frame.FRAME_REFUSALS]] == ["type", "type"]
    monkeypatch.setattr(frame.st, "query_params", Query(type=["large"]))
    frame._seed()
    assert (session["frame.technical"], session["frame.large"]) == (True, False)


def test_a_scenario_file_takes_the_place_of_all_that_is_held_but_what_is_private(session: dict[str, Any]) -> None:
    frame._apply_pending_scenario()
    assert session == {}
    content = scenario.write({"plan": {"difference": 0.1}}, Case(unit="household"), voice="technical")
    frame._take_scenario(content.replace('"plan"', '"nowhere": {}, "plan"').encode())
    assert session["_renewed"] == {frame.SCENARIO_FILE: 1}, "the box is empty again"
    session |= {
        STORE: {"room": {"code": "ABC", "key": "k"}, "explain": {"epsilon": 2.0}},
        "frame.technical": False,
        "plan.difference": 0.3,
        "case.unit": "days",
        "other": 1,
    }
    frame._apply_pending_scenario()
    assert session[CASE] == Case(unit="household")
    assert session[STORE]["plan"]["difference"] == 0.1
    assert "explain" not in session[STORE]
    assert session[STORE]["room"]["key"] == "k"
    assert session["frame.technical"] is True
    assert (session[LOADED], session[TOUCHED], session["other"]) == (True, True, 1)
    assert not {"plan.difference", "case.unit", frame.PENDING} & set(session)
    assert session[REFUSALS] == {"plan": ()}
    assert ["nowhere" in refusal.sentence for refusal in session[frame.FRAME_REFUSALS]] == [True]


def test_a_scenario_file_tells_what_it_was_refused_for_page_by_page(session: dict[str, Any]) -> None:
    told = (Refusal("epsilon", "ε must be a number."),)
    session[frame.PENDING] = replace(scenario.read(scenario.write({}, Case()).encode()), refusals={"explain": told})
    session["frame.technical"] = True
    frame._apply_pending_scenario()
    assert session[REFUSALS] == {"explain": told}
    assert session["frame.technical"] is False


def test_what_writes_a_scenario_writes_the_case_the_choices_and_the_voice(session: dict[str, Any]) -> None:
    session |= {STORE: {"explain": {"epsilon": 2.0}}, CASE: Case(unit="household"), "frame.technical": True}
    read = scenario.read(frame.scenario_of_session()())
    assert (read.case, read.pages["explain"]["epsilon"], read.voice) == (Case(unit="household"), 2.0, "technical")


def test_the_address_is_written_where_it_differs_and_kept_where_the_page_failed(
    session: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[dict[str, str]] = []
    asked: dict[str, str] = {"unit": "days"}
    query = SimpleNamespace(to_dict=lambda: asked, from_dict=written.append)
    monkeypatch.setattr(frame.st, "query_params", query)
    frame._write_address()
    session |= {PAGE_QUERY: {"unit": "household"}, "frame.large": True}
    frame._write_address()
    assert written == [{"unit": "household", "type": "large"}]
    assert PAGE_QUERY not in session
    asked = {"unit": "household", "type": "large"}
    session[PAGE_QUERY] = {"unit": "household"}
    frame._write_address()
    assert len(written) == 1


def test_a_page_that_is_opened_without_the_frame_starts_over_inside_it(
    session: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    monkeypatch.setattr(frame, "_navigation", done.append)
    monkeypatch.setattr(frame.st, "rerun", lambda: done.append("again"))
    frame.require_frame()
    assert done == ["hidden", "again"]
    session[frame.FRAMED] = True
    frame.require_frame()
    assert len(done) == 2


def foot(test: AppTest) -> str:
    return [one.value for one in test.caption if "Riskline" in one.value][-1]


def test_the_foot_of_a_page_says_what_becomes_of_what_is_typed_unless_it_is_stored() -> None:
    test = open_page("explain", voice="technical")
    sound(test)
    assert foot(test).startswith(say("frame", "technical", "small_print"))
    (limits,) = [one for one in test.expander if one.label == label("frame", "limits")]
    assert [one.value for one in limits.markdown] == [say("frame", "technical", "cannot")]
    room = open_page("join")
    for shown, stem in ((test, "explain"), (room, "join")):
        state, headings = shown.session_state, [one.proto.body for one in shown.get("html") if "<h1" in one.proto.body]
        assert (len(headings), state["_page"], state[frame.FRAMED]) == (1, stem, False)
    assert test.session_state[show.TITLE] == label("frame", "explain")
    room.toggle(key="frame.large").set_value(True).run()
    assert room.session_state["_arrival"].touched
    assert not foot(room).startswith(say("frame", "plain", "small_print"))
    for key in ("technical", "large"):
        switch = room.toggle(key=f"frame.{key}")
        assert (switch.label, switch.help) == (label("frame", key), label("frame", f"{key}.help"))
    assert "riskline-strip" not in "".join(one.proto.body for one in room.get("html") if "<style" not in one.proto.body)


def test_the_files_of_a_page_are_called_the_same_whenever_it_is_drawn() -> None:
    test = open_page("accuracy")
    named = list(test.session_state[show.TABLES])
    assert named
    assert list(test.run().session_state[show.TABLES]) == named


def test_what_a_page_does_after_itself_is_done_once_its_foot_and_address_are_there_and_fails_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As a run is followed: of the three, the second fails and the third is not begun."""
    done: list[str] = []

    def action() -> None:
        done.append(str(dict(frame.st.query_params)))
        if len(done) == 2:
            raise KeyError("jabberwock")

    shown = show.same_in_python

    def asked(stem: str) -> None:
        for _ in range(3):
            frame.after_page(action)
        shown(stem)

    monkeypatch.setattr(show, "same_in_python", asked)
    test = open_page("explain", epsilon="2.0", case="own")
    assert len(done) == 2
    assert "'epsilon'" in done[0]
    assert foot(test)
    assert len(test.error) == 1
