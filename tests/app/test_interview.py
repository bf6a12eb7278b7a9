"""The interview on *Choose a budget*: from a link, by its buttons, and the line that it draws."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.opened_page import open_page, sound, strip, text_of
from ui.frame.case import STORE


def drawn(test: AppTest) -> dict[str, Any]:
    """What the editor of the line is given."""
    (editor,) = [
        each.proto for each in test.get("bidi_component") if each.proto.component_name == "riskline_line_editor"
    ]
    return json.loads(editor.json)


def test_the_line_of_the_start_page_has_a_straight_scale_and_shows_beliefs_after() -> None:
    shown = drawn(open_page("home", case="own", step="line", interview="ct22222yn"))
    assert (shown["view"], shown["log"]) == ("posterior", False)


def test_an_interview_that_a_link_brings_goes_on_where_it_stood() -> None:
    test = open_page("choose", interview="ct2222", releases="3", release="count")
    sound(test)
    assert "5 of 5. Somebody thinks it <strong>50 in 100</strong> likely" in text_of(test)
    for label in ("70 in 100", "Yes, acceptable", "No"):
        next(button for button in test.button if button.label == label).click().run()
        sound(test)
    held = test.session_state[STORE]["choose"]
    assert held["interview"] == "ct22222yn"
    assert (held["line"], held["releases"], held["release"]) == ("drawn", 3, "count")
    assert held["points"] == ((0.001, 0.05), (0.01, 0.1), (0.05, 0.25), (0.2, 0.4), (0.5, 0.75))
    assert "Line drawn" in text_of(test)


def test_what_is_published_sets_the_kind_and_the_number_of_releases() -> None:
    test = open_page("choose")
    next(button for button in test.button if button.label == "Yes").click().run()
    test.number_input[0].set_value(4).run()
    next(button for button in test.button if button.label == "Go on").click().run()
    sound(test)
    held = test.session_state[STORE]["choose"]
    assert (held["release"], held["releases"], held["interview"]) == ("count", 4, "ct")
    assert "1 of 5" in text_of(test)


def test_a_contradiction_is_said_and_gives_no_line_until_one_answer_changes() -> None:
    test = open_page("choose", interview="ct4")
    next(button for button in test.button if button.label == "2 in 100").click().run()
    assert "Somebody surer before is surer after" in text_of(test)
    lower = next(button for button in test.button if "accept only" in button.label)
    lower.click().run()
    sound(test)
    assert test.session_state[STORE]["choose"]["interview"] == "ct10"
    assert test.session_state[STORE]["choose"]["line"] == "cap_or_ratio"


@pytest.mark.parametrize("answers", ["ct40000", "x", "ct22222ynn", "ct66666y", "c2"])
def test_a_link_with_impossible_answers_is_refused_in_words(answers: str) -> None:
    test = open_page("choose", interview=answers)
    sound(test)
    assert any("Answers of the interview" in warning.value.replace("\\", "") for warning in test.warning)
    assert "Do you publish counts of one thing?" in text_of(test)


def test_answers_are_drawn_as_they_are_given_and_a_budget_is_decided_on_once_there_is_one() -> None:
    address = {"case": "own", "line": "none", "release": "count", "step": "line"}
    first, second = (open_page("home", interview=answers, **address) for answers in ("ct2", "ct22"))
    assert not [button for button in second.button if button.key == "home.decide"]
    assert "Nothing to decide" not in text_of(second)
    assert "No line yet." in text_of(first)
    assert "<strong>5</strong> questions left at most" in text_of(second)
    last = open_page("home", interview="ct22222y", **address)
    assert "<strong>1</strong> question left at most" in text_of(last)
    assert drawn(first)["example"]
    assert not drawn(second)["example"]
    assert drawn(second)["points"] == [[0.001, 0.05], [0.01, 0.1]]


def test_a_table_of_districts_is_asked_how_many_where_it_is_chosen() -> None:
    test = open_page("choose", release="table")
    assert "choose.areas" in [box.key for box in test.text_input]
    assert "table of districts" in strip(test)


def test_no_question_stands_before_the_first_of_the_steps() -> None:
    for page, answers, shown in (("home", "ct", False), ("home", "ct2", True), ("choose", "ct", True)):
        test = open_page(page, case="own", line="none", release="count", step="line", interview=answers)
        assert ("choose.back" in [button.key for button in test.button]) == shown
