"""*Plan a publication* as a session: a link that opens, buttons over the sheet, choices that change the answer."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.app.opened_page import open_page, sound, text_of
from ui.views.publication import Sheet

SHEET = "Cases~counts~30~12~8!Deaths~counts~20~~8"


def tables(test: AppTest) -> Sheet:
    found: Sheet = test.session_state["_choices"]["publication"]["tables"]
    return found


def test_it_opens_in_the_state_of_its_link() -> None:
    test = open_page("publication", tables=SHEET, noise="laplace", start="budget", epsilon="2")
    sound(test)
    said = text_of(test)
    assert "You spend" in said
    assert "for these <strong>2</strong> tables" in said
    assert test.text_input(key="publication.epsilon").value == "2"


def test_buttons_change_the_sheet_and_its_answer_and_undo_brings_them_back() -> None:
    test = open_page("publication", tables=SHEET)
    test.button(key="publication.action.Duplicate").click().run()
    sound(test)
    assert [row.name for row in tables(test)] == ["Cases", "Cases", "Deaths"]
    assert "<strong>3</strong> tables" in text_of(test)
    test.button(key="publication.action.Undo").click().run()
    assert [row.name for row in tables(test)] == ["Cases", "Deaths"]
    assert "<strong>2</strong> tables" in text_of(test)


def test_a_row_that_is_added_is_waited_for_and_the_answer_stays() -> None:
    test = open_page("publication", tables=SHEET)
    test.button(key="publication.action.add").click().run()
    assert not test.error
    assert any("Row 3 has neither a range nor a share by hand yet" in element.value for element in test.caption)
    assert "<strong>2</strong> tables" in text_of(test)


def test_a_bad_cell_is_a_sentence_and_stays_in_the_sheet() -> None:
    test = open_page("publication", tables="Cases~counts~about ten")
    sound(test)
    assert any("Row 1 (Cases)" in element.value and "must be a number" in element.value for element in test.error)
    assert tables(test)[0].wish == "about ten"


def test_another_rule_and_a_reserve_change_the_answer() -> None:
    test = open_page("publication", tables=SHEET)
    before = text_of(test)
    test.selectbox(key="publication.rule").set_value("same_budget").run()
    sound(test)
    assert "shared equally over all releases" in text_of(test)
    assert text_of(test) != before
