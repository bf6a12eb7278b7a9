"""Today's methods from a deep link, and with a reader's own table."""

from __future__ import annotations

from tests.app.opened_page import answer, open_page, sound, strip, text_of


def test_a_link_opens_a_method_under_the_line_of_its_case() -> None:
    test = open_page("methods", method="cell_key", case="own", ratio="2", cap="0.1", one="pupil")
    sound(test)
    assert "Cell keys to ± 2" in answer(test)
    assert "60 of 100" in answer(test)
    assert "that a given pupil is counted" in answer(test)
    assert "16 in 100" in answer(test)  # twice 8 in 100
    assert "Example" not in strip(test)
    assert [box.label for box in test.text_input if box.label in ("Base", "Variance", "Largest change")] == [
        "Largest change",
        "Variance",
    ]


def test_what_no_method_can_be_keeps_the_last_picture_and_says_why() -> None:
    test = open_page("methods", method="cell_key")
    test.text_input(key="methods.variance").set_value("3").run()
    sound(test)
    assert any(r"variance must lie in \[0, 2\]; got 3.0" in element.value for element in test.error)
    assert "60 of 100" in answer(test)
    assert "riskline-stale" in answer(test)


def test_a_table_that_is_pasted_counts_and_a_faulty_one_gets_a_sentence() -> None:
    test = open_page("methods", method="table")
    test.text_area(key="methods.table").set_value("i;j;p\n0;0;1\n1;0;0.9\n1;1;0.05\n1;2;0.05").run()
    sound(test)
    assert "Your table ends before a full row" in "".join(element.value for element in test.info)
    test.text_area(key="methods.table").set_value("i;j;p\n0;0;1\n1;0;0.9").run()
    assert "row 1\\: p must sum to 1; got 0.9" in text_of(test)
    assert "table" not in test.query_params


def test_a_method_is_kept_for_the_memo_and_taken_away_again() -> None:
    test = open_page("methods", method="round_nearest", base="5", case="own", ratio="3", one="pupil")
    assert "methods.forget" not in [button.key for button in test.button]
    test.button("methods.keep").click().run()
    sound(test)
    assert test.query_params["method_today"] == "round_nearest~base=5"
    assert "today: Rounding to the nearest 5" in strip(test)
    assert "methods.keep" not in [button.key for button in test.button]  # it is the case's
    test.switch_page("pages/memo.py").run()
    sound(test)
    assert "Today and then" in text_of(test)
    test.switch_page("pages/methods.py").run()
    test.text_input(key="methods.base").set_value("3").run()
    assert test.button("methods.keep")
    test.button("methods.forget").click().run()
    sound(test)
    assert "method_today" not in test.query_params
    assert "today:" not in strip(test)


def test_a_link_with_todays_method_alone_opens_its_page_with_it() -> None:
    test = open_page("methods", case="own", ratio="3", method_today="suppress~threshold=10~zero=hidden")
    sound(test)
    assert "Hiding counts below 10" in answer(test)
    refused = open_page("methods", case="own", ratio="3", method_today="guesswork")
    (said,) = refused.warning
    assert said.value.endswith("swap; got 'guesswork'.")


def test_a_table_of_ones_own_stays_in_the_session_and_cannot_be_kept() -> None:
    test = open_page("methods", method="table")
    assert "methods.keep" not in [button.key for button in test.button]
