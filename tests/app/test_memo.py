"""The memo opens in the state of its link, with the choices of the other pages in it."""

from __future__ import annotations

from tests.app.opened_page import open_page, sound, text_of


def test_a_link_brings_the_choices_of_both_pages() -> None:
    test = open_page("memo", title="Ours", choose="line=constant&ratio=2", accuracy="count=57")
    sound(test)
    assert "ε = 0.69" in text_of(test)
    assert "A count of 57" in text_of(test)
    assert test.session_state["_choices"]["choose"]["ratio"] == 2


def test_a_refused_scenario_is_told_on_the_page() -> None:
    test = open_page("memo", choose="line=box&low=0.9&high=0.1")
    sound(test)
    assert "no budget" in text_of(test)
    assert any("Lowest belief that matters" in element.value for element in test.error)


def test_the_positions_of_a_link_are_its_minutes_and_wait_on_their_page() -> None:
    test = open_page("memo", positions="parties=2&name1=Mayor")
    sound(test)
    assert "The line of <strong>Mayor</strong> was taken." in text_of(test)
    assert test.session_state["_choices"]["positions"]["name1"] == "Mayor"


def test_the_plan_of_a_link_is_told_and_waits_on_its_page() -> None:
    test = open_page("memo", plan="rows=g~0.01~1~~Daily&rounds=60")
    sound(test)
    assert "is first passed too often on <strong>day 112</strong>" in text_of(test)
    assert test.session_state["_choices"]["plan"]["rounds"] == 60
