"""The survey with coins as it is mounted: what the browser is given, and which of its messages is an answer."""

from __future__ import annotations

from typing import Any

import pytest

from ui.components import coin_survey as component
from ui.components import lean as lean_module
from ui.components.lean import lean
from ui.pictures.style import Style
from ui.views.room import RoomInputs
from ui.views.room.coin_survey import coins_on_device

DEVICE = coins_on_device(dict(RoomInputs().settings), Style())


def test_a_browser_is_given_the_coins_and_whether_an_answer_is_held_and_taken_and_nobodys_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state: dict[str, Any] = {}
    mounted: list[dict[str, Any]] = []
    monkeypatch.setattr(component.st, "session_state", state)
    monkeypatch.setattr(component, "_component", lambda: lambda **given: mounted.append(given))
    answers: list[str] = []

    def mount(**how: Any) -> dict[str, Any]:
        whose = ("ABC234", "1", "secret key")
        component.coin_survey(DEVICE, key="coins", whose=whose, on_answer=answers.append, **how)
        data: dict[str, Any] = mounted[-1]["data"]
        return data

    plain, told = mount(), mount(held=True, taken=False, large=True)
    assert {name: plain[name] for name in ("held", "open", "large")} == {"held": False, "open": True, "large": False}
    assert {name: told[name] for name in ("held", "open", "large")} == {"held": True, "open": False, "large": True}
    assert {name: plain[name] for name in ("coins", "words", "beliefs")} == DEVICE
    assert plain["place"] == component.place_of(("ABC234", "1", "secret key"))
    assert "secret" not in str(plain)
    assert plain["session"] == told["session"] != ""
    state.clear()
    assert mount()["session"] != plain["session"], "another session of the same tab"
    for sent in (None, {}, {"sent": None}, {"sent": {"said": "maybe", "times": 1}}, {"sent": {"said": "yes"}}):
        state["coins"] = sent
        mounted[-1]["on_sent_change"]()
    assert answers == []
    state["coins"] = {"sent": {"said": "no", "times": 2}}
    mounted[-1]["on_sent_change"]()
    assert answers == ["no"]


def test_scripts_and_styles_travel_without_what_only_we_read() -> None:
    script, style = lean("element.js", "coins.js"), lean("coins.css")
    for line in (*script.splitlines(), *style.splitlines()):
        assert line == line.strip() != ""
        assert not line.startswith(("//", "/**"))
        assert " // " not in line
    assert script.startswith(lean("element.js"))


def test_a_component_is_registered_with_its_script_style_and_words(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    monkeypatch.setattr(lean_module.st.components.v2, "component", lambda name, **given: made.append((name, given)))
    lean_module.component("one", "element.js", "coins.js", style="coins.css", html="<p>")
    lean_module.component("two", "forget.js")
    whole = {"html": "<p>", "js": lean("element.js", "coins.js"), "css": lean("coins.css")}
    assert made == [("one", whole), ("two", {"html": None, "js": lean("forget.js"), "css": None})]
