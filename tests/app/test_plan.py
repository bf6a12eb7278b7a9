"""The page *Several releases* from a deep link."""

from __future__ import annotations

from tests.app.opened_page import open_page, sound, text_of


def test_plan_opens_in_the_state_of_its_link() -> None:
    test = open_page("plan", rows="p~0.05~1~~Query", every="release", rounds="96", cap="0.8", failure="0.05")
    sound(test)
    assert "<strong>80 in 100</strong>" in text_of(test)


def test_a_bad_cell_is_a_sentence_and_stays_in_the_ledger() -> None:
    test = open_page("plan", rows="g~0.01~-4~~Count")
    sound(test)
    assert any("how often must lie in" in element.value.replace("\\", "") for element in test.error)
    assert test.session_state["_choices"]["plan"]["rows"][0].often == "-4"


def test_a_hostile_ledger_is_told() -> None:
    test = open_page("plan", rows="!".join(["g~1"] * 500))
    sound(test)
    assert any("must hold at most 200 rows; got 500" in element.value for element in test.warning)
