"""Each place for a file: what is right is taken, what is wrong gets a sentence and leaves what is held."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from riskline.case.value import Case
from tests.app.opened_page import open_page, sound, text_of
from tests.approved.outline import downloads
from tests.filed_cases import SAID
from ui.link import scenario
from ui.pictures.style import Style
from ui.views.memo import MemoInputs
from ui.views.memo.filing import filing_view

COUNTS = b"place,adult,child\nA,9,3\nB,4,4\n"


def bring(test: AppTest, label: str, content: bytes, name: str = "mine.csv", *, megabytes: int = 1) -> AppTest:
    """The page with this file in a box, which says how much its reader takes."""
    box = next(box for box in test.file_uploader if label in box.label)
    assert box.proto.max_upload_size_mb == megabytes
    box.set_value((name, content, "text/csv"))
    test.run()
    sound(test)
    return test


def told(test: AppTest) -> str:
    return "\n".join(element.value for element in test.error).replace("\\", "")


def held(test: AppTest, stem: str, name: str) -> Any:
    """What this session holds of a choice; a reader's own counts are in no address."""
    return test.session_state["_choices"][stem][name]


def test_a_record_of_a_register_stands_beside_the_list_and_a_bad_one_leaves_it_there() -> None:
    made = filing_view(MemoInputs(case=Case(ratio=3.0, **SAID)), Style()).record_at("").encode()
    test = bring(open_page("deployments", secret="value"), "record", made, "record.yaml", megabytes=5)
    assert "a value (one person) is guessed right at most <strong>87 of 100 times" in text_of(test)  # twice 1.29
    assert "What the record and 2020 Census redistricting data, persons say differently" in text_of(test)
    next(one for one in test.selectbox if "record" in one.label).select("one unit replaced")
    test.run()
    sound(test)
    assert "a value (one person) is guessed right at most <strong>79 of 100 times" in text_of(test)
    bring(test, "record", made.replace(b"status: Draft", b"status: Final"), "record.yaml", megabytes=5)
    assert "status must be one of Draft" in told(test)
    assert "79 of 100 times" in text_of(test)
    next(one for one in test.button if one.label == "Take the record away").click()
    test.run()
    sound(test)
    assert "79 of 100 times" not in text_of(test)
    assert told(test) == ""


def test_a_table_of_ones_own_is_taken_kept_and_forgotten() -> None:
    test = bring(open_page("block", table="own"), "CSV file of counts", COUNTS, megabytes=2)
    assert any("2 places, 2 cells, 20 people" in one.value for one in test.caption)
    bring(test, "CSV file of counts", b"place,adult\nA,-1\n", megabytes=2)
    assert "File not taken: " in told(test)
    assert any("2 places, 2 cells, 20 people" in one.value for one in test.caption)
    next(one for one in test.button if one.label == "Forget this table").click()
    test.run()
    sound(test)
    assert "_own_table" not in test.session_state
    assert "File not taken" not in told(test)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("block,age,count\nA,<script>alert(1)</script>,<script>alert(2)</script>\n", "row 2, column 'count'"),
        ("block,age,count\nA,old,=cmd|' /C calc'!A0\n", "got \"=cmd|' /C calc'!A0\""),
        ("block,adult,child\nA,3,1\nB,-2,0\n", "row 3, column 'adult'"),
        ("block,adult,child\nA,3,1.5\n", "row 2, column 'child'"),
        ("block,adult,child\nA,3,1\nA,2,2\n", "it is also in row 2"),
    ],
    ids=["script", "formula", "negative", "fraction", "twice"],
)
def test_a_bad_table_of_ones_own_gets_a_sentence_with_the_place_and_the_good_one_stays(
    content: str, words: str
) -> None:
    good = "block,age,count\nNorth,=cmd|' /C calc'!A0,3\nNorth,<b>young</b>,1\nSouth,<b>young</b>,2\n"
    test = bring(open_page("block", table="own", asked="presence"), "CSV file of counts", good.encode(), megabytes=2)
    assert "such person in North" in text_of(test)
    assert "North, or not in the data: &lt;b&gt;young&lt;/b&gt;" in text_of(test)
    bring(test, "CSV file of counts", content.encode(), megabytes=2)
    assert "File not taken: " in told(test)
    assert words in told(test)
    assert "such person in North" in text_of(test)
    assert any("2 places, 2 cells, 6 people" in one.value for one in test.caption)
    assert "<script>" not in text_of(test)
    assert "North" not in str(test.query_params)


def test_noisy_tables_of_ones_own_are_taken_kept_and_forgotten_with_the_person() -> None:
    rows = b"level,area,table,cell,value,variance,known\nblock,1001,cenrace,4,3,5,1\nblock,1001,cenrace,5,0,5,0\n"
    said = "counts take the belief that this person"
    test = bring(open_page("hierarchy"), "noisy tables", rows, megabytes=2)
    assert "The measurements must show this person" in told(test)
    for name, cell in (("person", "0*1*0*4"), ("instead", "0*1*0*5")):
        test.text_input(key=f"hierarchy.{name}").set_value(cell)
    test.run()
    sound(test)
    assert f"**2** noisy {said} is of this kind" in "\n".join(one.value for one in test.caption)
    bring(test, "noisy tables", b"level,area\nblock,1001\n", megabytes=2)
    assert "File not taken: " in told(test)
    assert any(said in one.value for one in test.caption)
    assert "0*1*0*4" not in str(test.query_params)
    test.button(key="hierarchy.forget").click().run()
    sound(test)
    assert "_own_measurements" not in test.session_state
    assert not any(said in one.value for one in test.caption)
    assert "File not taken" not in told(test)
    assert [held(test, "hierarchy", name) for name in ("person", "instead")] == ["0*1*0*0", ""]
    assert [test.text_input(key=f"hierarchy.{name}").value for name in ("person", "instead")] == ["0*1*0*0", ""]


def test_counts_from_a_file_become_the_choice() -> None:
    test = bring(open_page("exact_totals"), "CSV file of counts", b"11,12\n13,14\n")
    assert "11" in str(held(test, "exact_totals", "table"))
    assert "table" not in test.query_params
    for content, words in ((b"\xff\xfe\x00", "not text in UTF-8"), (b"1," * 9_000, "must be at most")):
        bring(test, "CSV file of counts", content)
        assert "File not taken: " in told(test)
        assert words in told(test)
        assert "11" in str(held(test, "exact_totals", "table"))


def test_districts_from_a_file_become_the_choice() -> None:
    content = b'district,count\nAsh,12\n"St. Mary, North",0\ntotal,12\n'
    test = bring(open_page("accuracy"), "CSV file of counts", content)
    assert held(test, "accuracy", "places") == (("Ash", 12), ("St. Mary, North", 0))
    bring(test, "CSV file of counts", b"Ash,12\nBirch,x\n")
    assert "line 2 must end with a whole number; got 'Birch,x'" in told(test)
    assert held(test, "accuracy", "places") == (("Ash", 12), ("St. Mary, North", 0))


def test_values_become_a_noisy_release_and_are_kept_nowhere() -> None:
    """With budgets of 1000 the noise is far below the digits looked at; a value is pulled to the upper bound."""
    test = open_page("infer", lower="0", upper="50", epsilon_mean="1000", epsilon_variance="1000", prior="flat")
    bring(test, "CSV file", b"lead\n17\n23\n900.123457\n")
    assert test.query_params["n"] == "3"
    assert float(test.query_params["mean"]) == pytest.approx(30, abs=0.5)  # of 17, 23 and 50
    assert float(test.query_params["variance"]) == pytest.approx(309, abs=20)
    assert "3 values between 0 and 50" in text_of(test)
    assert not any(getattr(box, "value", None) for box in test.file_uploader)
    held = repr(test.session_state)
    assert "infer.mean" in held
    assert "900.123457" not in held
    bring(test, "CSV file", b"17\nx\n")
    assert "line 2 must be one number, with a decimal point; got 'x'" in told(test)
    assert test.query_params["n"] == "3"


def test_values_become_a_release_with_gaussian_noise_where_rho_is_chosen() -> None:
    test = open_page("infer", lower="0", upper="50", currency="rho", rho_mean="1000", rho_variance="1000", prior="flat")
    bring(test, "CSV file", b"17\n23\n900\n")
    assert float(test.query_params["mean"]) == pytest.approx(30, abs=3)  # of 17, 23 and 50; σ 0.37
    assert "Each ρ counts" in text_of(test)


def with_scenario_open(test: AppTest) -> AppTest:
    """The page with what is behind *Scenario* open, which is empty until then."""
    assert not any("scenario" in box.label for box in test.file_uploader)
    test.session_state["frame.scenario"] = True
    return test.run()


@pytest.mark.parametrize("voice", ["plain", "technical"])
def test_a_scenario_file_is_applied_at_once_and_a_foreign_one_changes_nothing(voice: str) -> None:
    test = with_scenario_open(open_page("choose", line="constant", ratio="2"))
    bring(test, "Load a scenario file", b'{"hello": 1}', "foreign.json")
    assert told(test) == "This is not a Riskline scenario file. Nothing was changed."
    content = scenario.write({}, Case(line="constant", ratio=4.0), voice=voice)
    bring(test, "scenario", content.encode(), "mine.json")
    assert not told(test)
    assert test.query_params["ratio"] == "4"
    assert ("voice" in test.query_params) == (voice == "technical")


def test_a_scenario_is_saved_as_the_page_shows_it() -> None:
    test = open_page("choose", line="constant", ratio="3")
    with downloads() as files:
        with_scenario_open(test)
    (offered,) = [file for file in files.values() if file[0] == "riskline-scenario.json"]
    assert offered[1] == "application/json"
    assert "Save as a file" in [button.label for button in test.get("download_button")]
    saved = scenario.read(offered[2]())
    assert saved.case["ratio"] == 3
    assert saved.case["line"] == "constant"


def test_a_scenario_is_saved_with_what_the_page_itself_made_of_the_case() -> None:
    test = with_scenario_open(open_page("home", step="publish", case="own", release="table"))
    with downloads() as files:
        test.text_area(key="accuracy.places").set_value("Ash; 12\nElm; 7\nOak; 30").run()
        sound(test)
    (_, _, saved) = next(file for file in files.values() if file[0] == "riskline-scenario.json")
    assert scenario.read(saved()).case["areas"] == 3


def test_with_another_table_of_ones_own_the_place_begins_again() -> None:
    test = bring(open_page("block", table="own"), "CSV file of counts", COUNTS, megabytes=2)
    test.selectbox(key="block.place").set_value(2).run()
    assert held(test, "block", "place") == 2
    bring(test, "CSV file of counts", b"place,adult,child\nC,5,6\nD,7,8\n", megabytes=2)
    assert held(test, "block", "place") == 1
    assert test.selectbox(key="block.place").value == 1
