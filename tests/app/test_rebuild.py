"""The rebuild page from its links."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from tests.app.opened_page import address, open_page, sound, text_of
from ui.ask import rebuild as ask
from ui.runs.run import State
from ui.views.rebuild import RebuildInputs, opened


def test_a_block_and_a_seed_come_from_the_link() -> None:
    test = open_page("rebuild", people="12", seed="3", noise="none")
    sound(test)
    assert "of 12</strong>" in text_of(test)
    assert text_of(test).count("<svg") == 2


def test_a_block_that_is_too_large_is_told() -> None:
    test = open_page("rebuild", source="table", table="39-14")
    sound(test)
    assert "from 1 to 100 people; got 209" in "\n".join(element.value for element in test.error)


def test_a_block_of_the_synthetic_county_is_rebuilt_beside_the_rest_of_it() -> None:
    test = open_page("rebuild", source="table", table="synthetic", place="2")
    sound(test)
    assert "the shares elsewhere" in text_of(test)


def test_the_run_over_budgets_is_in_the_link_and_keeps_its_picture() -> None:
    test = open_page("rebuild", people="6", sweep="yes", epsilon="0.5", noise="geometric")
    sound(test)
    assert "in <strong>70 of 70</strong> draws" in text_of(test) or "in 70 of 70 draws" in text_of(test)
    assert test.query_params["sweep"] == "yes"
    next(box for box in test.toggle if "seven budgets" in box.label).set_value(False)
    test.run()
    sound(test)
    assert "in 70 of 70 draws" in text_of(test), "what was rebuilt is kept"


def test_a_search_that_needs_longer_than_a_page_waits_goes_on(monkeypatch) -> None:
    monkeypatch.setattr("ui.views.rebuild.AT_ONCE", 1e-3)
    test = open_page("rebuild", people="60", rho="0.01", limit="20")
    sound(test)
    assert "solved exactly" in text_of(test)
    assert len(test.session_state["_runs"]["search for the most likely block"]) == 1


@pytest.mark.parametrize("state", State)
def test_a_page_is_drawn_again_once_its_search_is_finished_and_not_before(monkeypatch, state: State) -> None:
    again: list[Any] = []
    run = SimpleNamespace(pieces=(), state=state)
    for name, does in (
        ("unsettled", lambda *_: True),
        ("asked", lambda *_: run),
        ("keep", lambda *_: None),
        ("follow", lambda *_, **__: None),
        ("after_page", again.append),
    ):
        monkeypatch.setattr(ask, name, does)
    ask.ask_search(RebuildInputs(), None, {}, None)
    assert again == ([st.rerun] if state is State.FINISHED else [])


def test_what_the_page_opens_with_is_searched_once_for_everybody(monkeypatch) -> None:
    opened()

    def searched(*_: Any, **__: Any) -> Any:
        raise AssertionError("searched again")

    monkeypatch.setattr("ui.views.rebuild.searches.rebuild", searched)
    monkeypatch.setattr("ui.views.rebuild.view._in_python", lambda *_: None)  # its lines name the real one
    test = open_page("rebuild")
    sound(test)
    assert "of 45</strong>" in text_of(test)


def test_a_seed_in_the_link_gives_everybody_the_same_block_and_another_draw_another() -> None:
    def drawn(test: AppTest) -> list[str]:
        return [element.value for element in test.markdown if "<svg" in element.value]

    test = open_page("rebuild", people="20", seed="5")
    assert drawn(test)
    assert drawn(test) == drawn(open_page("rebuild", people="20", seed="5"))
    before = drawn(test)
    test.button(key="rebuild.again").click().run()
    sound(test)
    assert address(test)["seed"] == "6"
    assert drawn(test) != before
