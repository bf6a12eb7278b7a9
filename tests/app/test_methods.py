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
