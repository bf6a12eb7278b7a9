"""The memo opens in the state of its link, with the choices of the other pages in it."""

from __future__ import annotations

import random
from string import ascii_letters

from tests.app.opened_page import open_page, sound, text_of
from ui.views.publication import TableRow


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


def test_positions_are_left_out_by_a_switch_and_a_long_publication_goes_with_the_file() -> None:
    test = open_page("memo", positions="parties=2&name1=Mayor")
    dice = random.Random(7)
    rows = tuple(TableRow("".join(dice.choices(ascii_letters, k=50)), wish="9") for _ in range(150))
    test.session_state["_choices"]["publication"] = {"tables": rows, "noise": "gaussian"}
    assert test.toggle("memo.tell_positions").label == "Tell the positions"
    test.toggle("memo.tell_positions").set_value(False).run()
    sound(test)
    assert "Mayor" not in text_of(test)
    assert f"{rows[0].name}</th>" in text_of(test)
    assert "What this memo takes from Plan a publication is too long for a link" in text_of(test)
    assert set(test.query_params) == {"tell_positions"}
    test.toggle("memo.tell_positions").set_value(True).run()
    assert "The line of <strong>Mayor</strong> was taken." in text_of(test)
    assert set(test.query_params) == {"positions"}
    assert test.toggle("memo.tell_publication").value
