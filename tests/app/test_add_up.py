"""Tables that add up: another rule, another draw, a budget for each part, counts that cannot be read."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.app.opened_page import address, answer_in_words, open_page, sound, text_of

COUNTS = "add_up.counts"


def opened(**query: str) -> AppTest:
    test = open_page("add_up", **query)
    sound(test)
    return test


def test_the_rule_can_be_switched() -> None:
    test = opened()
    assert "With the likeliest split" in answer_in_words(test)
    test.selectbox(key="add_up.rule").set_value("remainder").run()
    sound(test)
    assert "With the even-handed rule" in answer_in_words(test)
    assert address(test)["rule"] == "remainder"
    assert answer_in_words(opened(**address(test))) == answer_in_words(test)


def test_a_new_draw_has_its_seed_in_the_link_and_under_its_table() -> None:
    test = opened()
    assert "(seed 2), not for release" not in text_of(test)
    test.button(key="add_up.again").click().run()
    sound(test)
    assert address(test)["seed"] == "2"
    assert "(seed 2), not for release" in text_of(test)


def test_faulty_counts_get_a_sentence_stay_in_their_box_and_leave_the_answer() -> None:
    test = opened()
    said = answer_in_words(test)
    test.text_area(key=COUNTS).set_value("435 53 x = 500").run()
    sound(test)
    assert "row 1, cell 3 must be a whole number; got 'x'" in text_of(test)
    assert test.text_area(key=COUNTS).value == "435 53 x = 500"
    assert answer_in_words(test) == said


def test_total_and_parts_have_a_rho_each() -> None:
    test = opened(guarantee="zero_concentrated", rho_parts="0.5")
    said = answer_in_words(test)
    assert test.text_input(key="add_up.rho_parts").value == "0.5"
    test.text_input(key="add_up.rho_parts").set_value("0.01").run()
    sound(test)
    assert answer_in_words(test) != said
    assert address(test)["rho_parts"] == "0.01"
