"""*Plan a publication* as a session: a link that opens, buttons over the sheet, choices that change the answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.elements.lib.mutable_expander_container import ExpanderContainer
from streamlit.testing.v1 import AppTest

from riskline.case.tables import COLUMNS, Sheet, TableRow
from riskline.release.folder import read_folder
from tests.app.opened_page import address, answer, open_page, sound, text_of
from tests.approved.outline import downloads
from tests.command_line import told as on_command
from tests.release_plans import written

SHEET = "Cases~counts~30~12~8!Deaths~counts~20~~8"


def tables(test: AppTest) -> Sheet:
    found: Sheet = test.session_state["_choices"]["publication"]["tables"]
    return found


def told(test: AppTest) -> str:
    return "\n".join(element.value for element in test.error).replace("\\", "")


def captions(test: AppTest) -> str:
    return "\n".join(element.value for element in test.caption).replace("\\", "")


def test_it_opens_in_the_state_of_its_link() -> None:
    test = open_page("publication", tables=SHEET, noise="laplace", start="budget", epsilon="2")
    sound(test)
    assert "Ranges exact at ε = 2." in text_of(test)
    assert "the tables together raise a belief" in text_of(test)
    assert test.text_input(key="publication.epsilon").value == "2"
    assert [test.text_input(key=f"publication.rows.0.{part}").value for part in ("name", "areas", "wish")] == [
        "Cases",
        "8",
        "30",
    ]


def test_a_publication_is_said_in_words_from_nothing() -> None:
    test = open_page("publication", tables=SHEET, noise="geometric", start="budget", epsilon="2")
    test.button(key="publication.empty").click().run()
    sound(test)
    assert "<strong>Nothing is published yet.</strong>" in text_of(test)
    test.text_input(key="publication.rows.0.name").set_value("Absence").run()
    assert any("Row 1 needs a range or a share" in element.value for element in test.caption) or test.error
    test.text_input(key="publication.rows.0.wish").set_value("10").run()
    test.text_input(key="publication.rows.0.areas").set_value("38").run()
    sound(test)
    assert not test.error
    assert tables(test) == (TableRow("Absence", wish="10", areas="38"),)
    assert test.query_params["tables"] == "Absence~counts~10~~38"
    assert "times</strong> as accurate as asked; a smaller budget keeps them" in text_of(test)
    test.button(key="publication.enough").click().run()
    sound(test)
    assert "Ranges are kept as asked" in text_of(test)
    assert 0 < float(test.text_input(key="publication.epsilon").value) < 2
    assert not [button for button in test.button if button.key == "publication.enough"]
    test.button(key="publication.add").click().run()
    test.text_input(key="publication.rows.1.name").set_value("Schools").run()
    assert [row.name for row in tables(test)] == ["Absence", "Schools"]
    test.button(key="publication.action.Undo").click().run()
    assert [row.name for row in tables(test)] == ["Absence", ""]


def test_a_link_with_a_table_that_is_waited_for_answers_the_others_as_where_it_is_typed() -> None:
    rest = "Births~counts~20~~40!Deaths~counts~8~~40!Rest~counts~~~40"  # the last takes what the others leave
    typed = open_page("publication", tables=rest, noise="geometric", start="budget", epsilon="2")
    typed.button(key="publication.action.add").click().run()
    linked = open_page("publication", **address(typed))
    sound(linked)
    assert not linked.error
    assert "riskline-stale" in answer(linked)
    assert text_of(linked) == text_of(typed)
    assert "Row 4 needs a range or a share." in captions(linked)
    taken = "Births~counts~20~~40!Deaths~counts~~~40~~~~~~~~95 %!Rest~counts~~~40"
    named = open_page("publication", **address(typed) | {"tables": taken})
    assert "Row 3 (Rest): ± wanted must be a number" in told(named)
    assert "<strong>0 of 1</strong> are kept" in answer(named)
    typed.selectbox(key="publication.rule").set_value("same_budget").run()  # a choice beside the row counts at once
    assert text_of(linked) != text_of(typed) == text_of(open_page("publication", **address(typed)))


def test_whether_each_record_falls_into_one_time_is_asked_in_words() -> None:
    test = open_page("publication", tables="Births~counts~20~12~40!Deaths~counts~8~~40", noise="geometric")
    (asked,) = [box for box in test.selectbox if str(box.key).endswith("calendar")]
    assert (asked.label, asked.value) == ("Births × 12", "all")
    assert asked.options == ["each record in one", "same people every time"]
    before = answer(test)
    asked.set_value("one").run()
    sound(test)
    assert test.query_params["tables"] == "Births~counts~20~12~40~~~~~~~~~one!Deaths~counts~8~~40"
    assert answer(test) != before
    again = open_page("publication", **address(test))
    assert answer(again) == answer(test)
    test.button(key="publication.action.Undo").click().run()
    assert answer(test) == before


AREAS = b"code,name,parent\nUS,All,\n01,Ada,US\n02,Bly,US\n01001,Elm,01\n01002,Fir,01\n02001,Oak,02\n"
TREE = "nation~1!state~2!county~3"
AT_LEVELS = {"tables": "Births~counts~20; 9~~state; county!All~counts~20", "noise": "geometric", "geography": TREE}


def bring_areas(test: AppTest, content: bytes) -> None:
    (box,) = [box for box in test.file_uploader if box.label == "File of areas"]
    assert box.proto.max_upload_size_mb == 5
    box.set_value(("areas.csv", content, "text/csv"))
    sound(test.run())


def test_areas_are_brought_named_and_kept_in_the_session_and_tables_are_made_for_their_levels() -> None:
    test = open_page("publication", tables="Births~counts~20; 9!All~counts~20", noise="geometric")
    bring_areas(test, AREAS.replace(b"02001", b"01002"))
    assert "File not taken: row 7: areas must have each code once; got '01002'." in told(test)
    assert "geography" not in test.query_params
    bring_areas(test, AREAS)
    assert "Row 1 (Births): ± wanted must be one number; got '20; 9'." in told(test)  # nothing typed is lost
    assert test.query_params["geography"] == "level 1~1!level 2~2!level 3~3"
    names = test.text_input(key="publication.level_names")
    names.set_value("nation; state").run()
    assert "3 names needed" in told(test)
    assert test.text_input(key="publication.level_names").value == "nation; state"
    test.text_input(key="publication.level_names").set_value("nation; state; county").run()
    test.text_input(key="publication.rows.0.areas").set_value("state; county").run()
    sound(test)
    assert not test.error
    assert not [one for one in test.info if "File of areas missing" in one.value]
    assert "nation: 1 · state: 2 · county: 3" in captions(test)
    assert {name: address(test)[name] for name in AT_LEVELS} == AT_LEVELS
    for secret in ("Elm", "01002"):
        assert secret not in str(test.query_params)
    linked = open_page("publication", **address(test))
    sound(linked)
    assert answer(linked) == answer(test)
    assert [one for one in linked.info if "File of areas missing" in one.value]
    bring_areas(linked, AREAS)
    assert not linked.error
    assert not [one for one in linked.info if "File of areas missing" in one.value]
    test.text_input(key="publication.level_names").set_value("nation; state; district").run()
    assert tables(test)[0].areas == "state; district"
    assert not test.error
    test.button(key="publication.forget_areas").click().run()
    assert "_own_areas" not in test.session_state
    assert answer(test) == answer(linked)


def test_a_plan_file_is_begun_with_the_areas_that_are_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ExpanderContainer, "open", property(lambda self: True, lambda self, value: None))
    with downloads() as files:
        test = open_page("publication", start="budget", epsilon="1", **AT_LEVELS)
        bring_areas(test, AREAS)
    _, kind, text = [file for file in files.values() if file[0] == "plan.json"][-1]
    plan = json.loads(text)
    assert (kind, plan["levels"], len(plan["areas"])) == ("application/json", ["nation", "state", "county"], 6)
    assert any("riskline release plan.json data.csv" in one.value for one in test.code)
    with downloads() as files:
        test.text_input(key="publication.level_names").set_value("nation; state; district").run()
    _, _, text = [file for file in files.values() if file[0] == "plan.json"][-1]
    assert json.loads(text)["levels"] == ["nation", "state", "district"]
    lost = open_page("publication", start="budget", epsilon="1", tables="Days~total~9~~~~~~0~30", noise="geometric")
    sound(lost)
    assert "Tables must have a table of counts" in told(lost)


def test_a_case_without_a_line_is_offered_no_budget_of_the_case() -> None:
    test = open_page("publication", case="own", tables=SHEET)
    sound(test)
    assert not [group for group in test.button_group if group.key == "publication.start"]
    assert test.text_input(key="publication.rho").label == "Budget ρ"
    assert test.text_input(key="publication.prior").value == "8 %"
    assert "Nothing to decide: draw your line." in captions(test)
    drawn = open_page("publication", case="own", tables=SHEET, line="constant", ratio="3")
    assert drawn.button_group(key="publication.start").value == "line"


def test_levels_that_split_unevenly_are_told_at_their_switch() -> None:
    test = open_page("publication", tables="A~counts~5~~6!B~~5~~38", levels="yes")
    sound(test)
    assert ["split those above" in element.value for element in test.error] == [True, True]
    fold = next(fold for fold in test.expander if fold.label == "All columns")
    assert fold.toggle[0].label == "Levels that add up, split evenly"
    assert fold.error
    assert 'class="riskline-answer riskline-stale"' not in text_of(test)


def test_choices_of_old_links_that_the_page_no_longer_has_are_told_and_the_rest_is_read() -> None:
    test = open_page("publication", tables=SHEET, areas="Ash~9_Elm~40", reading="rank", rate="2.5")
    sound(test)
    told = "\n".join(one.value for one in test.warning).replace("\\", "")
    for name in ("areas", "reading", "rate"):
        assert f"This page has no choice called '{name}'" in told
    assert len(tables(test)) == 2


def test_buttons_change_the_sheet_and_its_answer_and_undo_brings_them_back() -> None:
    test = open_page("publication", tables=SHEET)
    test.button(key="publication.action.Duplicate").click().run()
    sound(test)
    assert [row.name for row in tables(test)] == ["Cases", "Cases", "Deaths"]
    assert "the tables together" in text_of(test)
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
    assert "the tables together" in text_of(test)


def test_cells_that_a_pasted_row_leaves_out_are_empty() -> None:
    test = open_page("publication", tables=SHEET)
    columns = json.loads(test.dataframe[0].proto.columns)
    assert {columns[name]["default"] for name in COLUMNS} == {""}


def test_a_row_that_is_added_is_waited_for_and_the_answer_stays() -> None:
    test = open_page("publication", tables=SHEET)
    test.button(key="publication.action.add").click().run()
    assert not test.error
    assert any("Row 3 needs a range or a share" in element.value for element in test.caption)
    assert "the tables together" in text_of(test)


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
    assert "equal budgets" in test.selectbox(key="publication.rule").options
    assert text_of(test) != before


def test_a_sheet_leaves_as_a_file_and_another_comes_back_in_its_place() -> None:
    with downloads() as files:
        test = open_page("publication", tables=SHEET)
    _, kind, data = next(file for file in files.values() if file[0] == "riskline-publication-rows.csv")
    text = data()
    assert kind == "text/csv"
    assert text.splitlines()[0].startswith("table,what,± wanted,how often")
    assert text.splitlines()[1] == "Cases,counts,30,12,8" + "," * (len(COLUMNS) - 5)

    def bring(content: bytes) -> list[str]:
        next(box for box in test.file_uploader if "Rows from a CSV file" in box.label).set_value(
            ("mine.csv", content, "text/csv")
        )
        test.run()
        sound(test)
        return [row.name for row in tables(test)]

    assert bring(b"table\n" + b"Cases\n" * 10_000) == ["Cases", "Deaths"]
    assert [error.value.replace("\\", "") for error in test.error] == [
        "File not taken: the file must hold at most 200 rows; got 10,000."
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
    box = next(box for box in test.text_area if box.label == "Pasted amounts")
    box.set_value("pay\n800\nmuch").run()
    sound(test)
    assert any("line 3 must be one number" in element.value for element in test.error)
    assert test.text_area(key="_own_amounts_pasted").value == "pay\n800\nmuch"
    test.text_area(key="_own_amounts_pasted").set_value("pay\n" + "654.25\n2500\n9000\n" * 50).run()
    sound(test)
    assert not test.error
    assert test.text_area(key="_own_amounts_pasted").value == ""
    assert "<strong>3,000</strong> change <strong>33 in 100</strong> people's amounts" in text_of(test)
    assert "Amounts held: 150." in captions(test)
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
    assert "Amounts held: 2." in captions(test)
    next(button for button in test.button if button.label == "Forget them").click().run()
    sound(test)
    assert "_own_amounts" not in test.session_state
    assert "Bring amounts above" in text_of(test)


def test_a_plan_that_leaves_for_tables_at_two_levels_is_drawn_from_by_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once what is marked in it is filled in; no area that was brought stands in the link."""
    pytest.importorskip("opendp.prelude")
    monkeypatch.setattr(ExpanderContainer, "open", property(lambda self: True, lambda self, value: None))
    counties = [f"01{county:03}" for county in range(30)]
    lines = ["code,name,parent,level", "US,All,,nation", *(f"0{state},State {state},US,state" for state in (1, 2))]
    lines += [f"{county},County {county},01,county" for county in counties] + ["02001,Alone,02,county"]
    test = open_page("publication", tables="Births~counts~9~3~~2", noise="geometric", start="budget", epsilon="2")
    next(box for box in test.selectbox if str(box.key).endswith("calendar")).set_value("one").run()
    bring_areas(test, "\n".join(lines).encode())
    assert "nation: 1 · state: 2 · county: 31" in captions(test)
    with downloads() as files:
        test.text_input(key="publication.rows.0.areas").set_value("state; county").run()
    sound(test)
    assert "Alone" not in str(test.query_params)
    _, _, text = [file for file in files.values() if file[0] == "plan.json"][-1]
    plan = json.loads(text) | {"area": "county", "record": "person"}
    (births,) = plan["tables"]
    assert births["times"]["each"] == "one_time"
    births["categories"] = {"sex": ["f", "m"]}
    births["times"] |= {"column": "month", "values": ["1", "2", "3"]}
    (tmp_path / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    rows = [(f"p{person}", counties[person % 30], "fm"[person % 2], person % 3 + 1) for person in range(90)]
    written(tmp_path / "data.csv", ("person", "county", "sex", "month"), rows)
    drawn = on_command(
        "release", *(str(tmp_path / name) for name in ("plan.json", "data.csv")), "--out", str(tmp_path / "out")
    )
    assert (drawn.code, drawn.complaint) == (0, "")
    assert list(read_folder(tmp_path / "out").tables["Births"].scales) == ["state", "county"]
