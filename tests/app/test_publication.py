"""*Plan a publication* as a session: a link that opens, buttons over the sheet, choices that change the answer."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from riskline.case.tables import Sheet
from tests.app.opened_page import open_page, sound, text_of
from tests.approved.outline import downloads

SHEET = "Cases~counts~30~12~8!Deaths~counts~20~~8"


def tables(test: AppTest) -> Sheet:
    found: Sheet = test.session_state["_choices"]["publication"]["tables"]
    return found


def captions(test: AppTest) -> str:
    return "\n".join(element.value for element in test.caption).replace("\\", "")


def test_it_opens_in_the_state_of_its_link() -> None:
    test = open_page("publication", tables=SHEET, noise="laplace", start="budget", epsilon="2", areas="Ash~9_Elm~40")
    sound(test)
    said = text_of(test)
    assert "Trying <strong>ε = 2</strong>" in said
    assert "for these <strong>2</strong> tables" in said
    assert test.text_input(key="publication.epsilon").value == "2"
    assert "of 2</strong> areas of “Cases” are published on the wrong side of a count of 20" in said
    assert test.text_area(key="publication.areas").value == "Ash; 9\nElm; 40"
    test.text_area(key="publication.areas").input("Ash; 9; 700\nElm; 40; 9000\nOak; 1; 80")
    sound(test.run())
    assert "of 3</strong> areas of “Cases” are published on the wrong side of 4 in a thousand people" in text_of(test)
    test.session_state["publication.readings"] = True  # as a reader opens the fold
    sound(test.run())
    assert "“Elm”, with 40, and “Ash”, with 9, are published in the wrong order" in text_of(test)
    test.selectbox(key="publication.reading").set_value("share")
    sound(test.run())
    test.selectbox(key="publication.first").set_value(3)
    test.selectbox(key="publication.whole").set_value(2)
    sound(test.run())
    assert "Where “Oak” is published as 1 of 80, the latter in “Deaths” with noise of its own" in text_of(test)


def test_buttons_change_the_sheet_and_its_answer_and_undo_brings_them_back() -> None:
    test = open_page("publication", tables=SHEET)
    test.button(key="publication.action.Duplicate").click().run()
    sound(test)
    assert [row.name for row in tables(test)] == ["Cases", "Cases", "Deaths"]
    assert "<strong>3</strong> tables" in text_of(test)
    test.button(key="publication.action.Delete").click().run()
    for name, names in (
        ("Undo", ["Cases", "Cases", "Deaths"]),
        ("Undo", ["Cases", "Deaths"]),
        ("Redo", ["Cases", "Cases", "Deaths"]),
        ("Redo", ["Cases", "Deaths"]),
    ):
        test.button(key=f"publication.action.{name}").click().run()
        sound(test)
        assert [row.name for row in tables(test)] == names
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
    who_pays = "<strong>Cases</strong> asks for ± 15 instead of ± 30"
    assert who_pays not in text_of(test)
    assert bring(text.replace("Cases,counts,30", "Cases,counts,15").encode()) == ["Cases", "Deaths"]
    assert who_pays in text_of(test)
    test.button(key="publication.action.Undo").click().run()
    assert "instead of ±" not in text_of(test)


def test_own_amounts_give_a_bound_that_a_button_takes_and_are_kept_nowhere_else() -> None:
    test = open_page("publication", tables="Pay~total~9000~~~~~~0~3000!Staff~~9", noise="gaussian", amounts="own")
    test.session_state["publication.clipping"] = True  # as a reader opens the fold
    test.run()
    box = next(box for box in test.text_area if box.label == "Typed or pasted amounts")
    box.set_value("pay\n800\nmuch").run()
    sound(test)
    assert any("line 3 must be one number" in element.value for element in test.error)
    assert test.text_area(key="_own_amounts_pasted").value == "pay\n800\nmuch"
    test.text_area(key="_own_amounts_pasted").set_value("pay\n" + "654.25\n2500\n9000\n" * 50).run()
    sound(test)
    assert not test.error
    assert test.text_area(key="_own_amounts_pasted").value == ""
    assert "with the upper bound at <strong>3,000</strong>, <strong>33 in 100</strong> people are cut" in text_of(test)
    assert "Held now: 150 amounts." in captions(test)
    assert "654.25" not in repr(test.query_params)
    assert "654.25" not in repr(test.session_state["_choices"])
    test.button(key="publication.take").click().run()
    sound(test)
    (pay, staff) = tables(test)
    assert float(pay.high) > 3000
    assert pay.share.endswith("%")
    assert staff.share == ""
    assert "publication.take" not in [button.key for button in test.button]
    test.button(key="publication.action.Undo").click().run()
    assert (tables(test)[0].high, tables(test)[0].share) == ("3000", "")
    bring = next(box for box in test.file_uploader if box.label == "CSV file of amounts")
    bring.set_value(("mine.csv", b"100\n200\n", "text/csv")).run()
    sound(test)
    assert "Held now: 2 amounts." in captions(test)
    next(button for button in test.button if button.label == "Forget these amounts").click().run()
    sound(test)
    assert "_own_amounts" not in test.session_state
    assert "Bring amounts of your own above" in text_of(test)


def test_a_table_with_columns_in_another_order_is_read_or_refused_and_its_download_reads_back() -> None:
    rows = "".join(f"Area {place},{500 + 40 * place},{1 + place % 9}\n" for place in range(12))
    with downloads() as files:
        test = open_page("publication", tables=SHEET, noise="laplace", start="budget", epsilon="2", row="1")
        box = "publication.exceeding"
        assert box not in [toggle.key for toggle in test.toggle]
        upload(test, rows)
        assert "Area 0: 500 are counted of 1 person" in text_of(test)
        assert "on the wrong side" not in text_of(test)
        test.toggle(key=box).set_value(True).run()
        sound(test)
        assert "<strong>less than 0.001 of 12</strong> areas" in text_of(test)
        assert test.query_params["exceeding"] == "yes"
        test.toggle(key=box).set_value(False).run()
        upload(test, "area,people,true count\n" + rows)
        right = text_of(test)
        assert "less than 0.001 of 12" not in right
        assert "of 12</strong> areas of “Cases” are published on the wrong side of 4 in a thousand people" in right
        assert box not in [toggle.key for toggle in test.toggle]
    data = next(contents for name, _, contents in files.values() if "at-risk" in name)
    listed = data().splitlines()
    assert listed[0].startswith("area,people,true count")
    upload(test, "\n".join(listed))
    assert test.text_area(key="publication.areas").value.startswith("Area 0; 1; 500")
    assert test.text_area(key="publication.areas").value.count("\n") == len(listed) - 2


def upload(test: AppTest, text: str) -> None:
    """A file of areas, as a reader uploads it."""
    next(one for one in test.file_uploader if "CSV file of counts" in one.label).set_value(
        ("areas.csv", text.encode(), "text/csv")
    )
    sound(test.run())
