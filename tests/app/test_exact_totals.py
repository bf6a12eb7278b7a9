"""Exact totals: a table is edited, contradicts itself, is adjusted in two ways, and has two kinds of budget."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.app.opened_page import address, answer_in_words, open_page, sound, text_of

TABLE = "exact_totals.table"


def opened(**query: str) -> AppTest:
    test = open_page("exact_totals", **query)
    sound(test)
    return test


def change(test: AppTest, **typed: str) -> None:
    """Type into boxes or press one of a row of buttons."""
    for name, text in typed.items():
        key = f"exact_totals.{name}"
        (found,) = [
            one for kind in ("text_area", "text_input", "button_group") for one in test.get(kind) if one.key == key
        ]
        found.set_value(text)
    sound(test.run())


def test_an_edited_table_changes_the_answer_and_its_link_leaves_it_out() -> None:
    test = opened(exact="rows")
    assert "If no total changes" in answer_in_words(test)
    change(test, table="0 0 0\n3 5 8\n1 2 3")
    assert "The totals alone give away 3 cells" in answer_in_words(test)
    assert address(test) == {"exact": "rows"}
    assert opened(**address(test)).text_area(key=TABLE).value == "8 6 4\n3 5 8"


def test_what_cannot_be_a_table_gets_a_sentence_stays_in_its_box_and_leaves_the_answer() -> None:
    test = opened()
    said = answer_in_words(test)
    for typed, told in (
        ("8 6 4 = 19\n3 5 8 = 16", "the cells of row 1 add up to 18; its total is given as 19"),
        ("8 6 4\n3 -5 2.5", "row 2, cell 2 must be from 0 to 10,000,000; got -5"),
    ):
        change(test, table=typed)
        assert told in text_of(test).replace("\\", "")
        assert test.text_area(key=TABLE).value == typed
        assert answer_in_words(test) == said


def test_cells_are_adjusted_in_another_way() -> None:
    test = opened()
    assert "at most 5 in 100" in answer_in_words(test)
    change(test, method="project")
    assert "at most 3 in 100" in answer_in_words(test)
    assert address(test) == {"method": "project"}


def test_a_budget_can_be_a_rho_and_its_link_brings_it_back() -> None:
    test = opened()
    assert "except with" not in answer_in_words(test)
    change(test, guarantee="zero_concentrated")
    assert "except with a probability of 1 in 100" in answer_in_words(test)
    change(test, rho="0.5")
    assert "at most 26 in 100" in answer_in_words(test)
    again = opened(**address(test))
    assert again.text_input(key="exact_totals.rho").value == "0.5"
    assert answer_in_words(again) == answer_in_words(test)
