"""Budgets as you go on *Several releases*: asked, granted or refused, kept by the case; and what cannot be summed."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.opened_page import address, go, open_page, sound, text_of
from ui.ask import running
from ui.frame.case import TOUCHED, held_case

BEGUN = {"case": "own", "spent": "epsilon~0.3!Births~the press~0.1"}


def opened(**query: str) -> AppTest:
    test = open_page("plan", **query)
    test.session_state["plan.spent"] = True  # as a reader opens the fold
    sound(test.run())
    return test


def enter(test: AppTest, button: str, **typed: str) -> AppTest:
    for name, text in typed.items():
        test.text_input(f"plan.spent_{name}").set_value(text)
    sound(test.button(f"plan.spent_{button}").click().run())
    return test


def test_a_shut_fold_asks_nothing() -> None:
    test = open_page("plan", **BEGUN)
    assert [box.key for box in test.text_input if str(box.key).startswith("plan.spent")] == []


def test_releases_are_granted_until_the_next_would_pass_the_total() -> None:
    test = enter(opened(case="own"), "begin", total="0.3")
    for name, budget in (("Births", "0.1"), ("Deaths", "0.35"), ("Ages", "0.2")):
        enter(test, "ask", name=name, whom="the press", budget=budget)
    told = text_of(test)
    assert "does not fit: ε = 0.35 asked, ε = 0.2 left" in told
    assert told.count("<td>granted</td>") == 2
    assert "It stops before passing the budget: <strong>ε = 0</strong> left." in told
    assert test.text_input("plan.spent_budget").value == ""
    link = address(test)
    assert link["spent"] == "epsilon~0.3!Births~the press~0.1!Deaths~the press~0.35!Ages~the press~0.2"
    assert told.count("<td>granted</td>") == text_of(opened(**link)).count("<td>granted</td>")
    go(test, "memo")
    assert address(test)["spent"] == link["spent"]


def test_what_cannot_be_read_stays_in_its_box_and_changes_nothing() -> None:
    test = enter(opened(**BEGUN), "ask", budget="a little")
    assert any("must be a number" in error.value for error in test.error)
    assert test.text_input("plan.spent_budget").value == "a little"
    assert address(test)["spent"] == BEGUN["spent"]
    assert not test.run().error  # said once


def test_a_total_of_curves_is_refused_with_the_reason() -> None:
    test = opened(case="own")
    test.selectbox("plan.spent_sums").set_value("curve").run()
    sound(test)
    assert any("0.4045 where both fixed plans stay at or below 0.3317" in error.value for error in test.error)
    assert test.button("plan.spent_begin").disabled


def test_once_a_release_was_asked_for_the_page_answers_by_sums() -> None:
    said = "As you go, only sums count."
    assert said in [notice.value.replace("\\", "") for notice in open_page("plan", **BEGUN).info]
    for query in ({"case": "own"}, {"case": "own", "spent": "epsilon~0.3"}):
        assert not open_page("plan", **query).info


def test_what_is_pressed_is_a_change_of_the_case_in_the_words_of_its_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    state: dict[str, Any] = {"plan.spent_sums": "epsilon", "plan.spent_total": " 0.3 "}
    monkeypatch.setattr(running.st, "session_state", state)
    running._taken(running._begin)
    assert state.pop(TOUCHED)
    state |= {"plan.spent_name": " Births  by\nmonth ", "plan.spent_budget": "0.1"}
    running._taken(running._ask)
    assert state.pop(TOUCHED)
    (asked,) = held_case()["spent"].asked
    assert (held_case()["spent"].total, asked.name, asked.budget) == ("0.3", "Births by month", "0.1")
    assert {state[f"plan.spent_{name}"] for name in running.TOLD} == {""}
    state["plan.spent_budget"] = "x"
    running._taken(running._ask)
    assert "must be a number" in state[running.FAULT]
    assert state[TOUCHED]
