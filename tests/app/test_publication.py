"""*Plan a publication* as a session: a link that opens, buttons over the sheet, choices that change the answer."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.app.opened_page import open_page, sound, text_of
from tests.approved.outline import downloads
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


def test_a_sheet_leaves_as_a_file_and_another_comes_back_in_its_place() -> None:
    with downloads() as files:
        test = open_page("publication", tables=SHEET)
    _, kind, data = next(file for file in files.values() if file[0] == "riskline-publication-rows.csv")
    text = data()
    assert kind == "text/csv"
    assert text.splitlines()[0].startswith("table,what,± wanted,how often")
    assert text.splitlines()[1] == "Cases,counts,30,12,8,,,,,,,,"

    def bring(content: bytes) -> list[str]:
        next(box for box in test.file_uploader if "Rows from a CSV file" in box.label).set_value(
            ("mine.csv", content, "text/csv")
        )
        test.run()
        sound(test)
        return [row.name for row in tables(test)]

    assert bring(b"table\n" + b"Cases\n" * 10_000) == ["Cases", "Deaths"]
    assert [error.value.replace("\\", "") for error in test.error] == [
        "The file was not taken: the file must hold at most 200 rows; got 10,000."
    ]
    assert bring((text + '"=Births, all",mean,about ten\n').encode()) == ["Cases", "Deaths", "=Births, all"]
    assert [row.wish for row in tables(test)] == ["30", "20", "about ten"]
    assert len(test.error) == 1
    assert "Row 3 (=Births, all): ± wanted must be a number" in test.error[0].value.replace("\\", "")
    test.button(key="publication.action.Undo").click().run()
    assert [row.name for row in tables(test)] == ["Cases", "Deaths"]
    assert not test.error
