"""The memo reads the session's case, wherever it was set, and decides nothing that nobody decided."""

from __future__ import annotations

from typing import Any

from streamlit.elements.lib.mutable_expander_container import ExpanderContainer

from tests.app.opened_page import open_page, sound, text_of
from tests.approved.outline import downloads
from ui.link.case_links import address
from ui.link.page_table import page_entry


def paper(test: Any) -> str:
    """The memo itself, without the frame around it."""
    (found,) = (element.proto.body for element in test.get("html") if "<article" in element.proto.body)
    return str(found)


def opened_after(stem: str, **query: str) -> Any:
    """The memo of a session that opened another page before."""
    test = open_page(stem, **query)
    sound(test)
    test.switch_page("pages/memo.py").run()
    sound(test)
    return test


def test_what_is_filed_is_asked_in_a_fold_goes_into_the_case_and_leaves_as_files(monkeypatch: Any) -> None:
    monkeypatch.setattr(ExpanderContainer, "open", property(lambda self: True, lambda self, value: None))
    with downloads() as offered:
        test = open_page("memo", case="own", line="constant", ratio="2", title="Absence")
    sound(test)
    assert any("fields of the record are open" in one.value for one in test.caption)
    files = {name: data() if callable(data) else data for name, _, data in offered.values()}
    for name in ("label.html", "label.svg", "label.png", "record.yaml", "nist.html", "impact.html", "w3c.html"):
        assert len(files[f"riskline-{name}"]) > 1000
    assert "epsilon: 0.69" in files["riskline-record.yaml"]
    typed = {"intended_use": "Planning", "region": "Ohio", "publication_date": "2026-05-12", "author": "A. Clerk"}
    typed |= {"preprocessing": "None.", "post_processing": "None.", "security": "Two.", "office": "Office"}
    typed["released"] = "A table"
    labels = {field.name: field.label for field in page_entry("memo").fields}
    for name, words in typed.items():
        box = next(one for one in test.text_input if one.label == labels[name])
        box.set_value(words)
        test.run()
    for label, option in (("Sector", "education"), ("Do new data come in?", "no")):
        next(one for one in test.selectbox if one.label == label).select(option)
        test.run()
    sound(test)
    assert (test.query_params["region"], test.query_params["data_sector"]) == ("Ohio", "education")
    assert not any("of the record" in one.value for one in test.caption)


def test_the_brief_begins_below_the_heading_of_its_page_and_its_file_with_its_own() -> None:
    with downloads() as offered:
        test = open_page("memo")
    sound(test)
    whole = "".join(element.proto.body for element in test.get("html"))
    assert whole.count("<h1") == 1
    assert "<h1" not in paper(test)
    assert paper(test).index("<h2") < paper(test).index("<h3")
    (file,) = (data() for name, _, data in offered.values() if name == "riskline-memo.html")
    assert file.count("<h1") == 1
    assert "<h3" not in file


def test_a_case_without_a_budget_has_nothing_to_file(monkeypatch: Any) -> None:
    monkeypatch.setattr(ExpanderContainer, "open", property(lambda self: True, lambda self, value: None))
    test = open_page("memo", case="own", unit="household")
    sound(test)
    assert any("there is no budget yet." in one.value for one in test.error)


def test_the_memo_is_of_the_line_that_was_chosen_before() -> None:
    test = opened_after("choose", line="constant", ratio="2")
    assert "<strong>Draft.</strong> Nobody has decided. The line implies <strong>ε = 0.69</strong>" in text_of(test)
    assert test.query_params["case"] == "own"
    assert test.query_params["ratio"] == "2"


def test_households_whose_positions_were_compared_get_no_budget_that_nobody_chose() -> None:
    """0.3: positions of households (0.64, 0.34, 0.84) led to “The release is made with ε = 1.29”, for one person."""
    test = opened_after("positions", unit="household", group="2")
    assert "No line is drawn" in text_of(test)
    assert "a given household of 2" in text_of(test)
    assert "1.29" not in text_of(test)
    assert "ε" not in paper(test)


def test_a_school_memo_states_no_target_of_infant_deaths() -> None:
    """0.3 told every memo how often a rate of infant deaths would be published on the wrong side of its target."""
    test = open_page("memo", case="own", title="School absence", hidden="was absent more than 20 days", ratio="2")
    sound(test)
    for words in ("target", "per 1,000", "4,012", "infant", "Birch"):
        assert words not in paper(test)


def test_deciding_on_the_memo_makes_it_decided_and_a_change_makes_it_a_draft_again() -> None:
    test = open_page("memo", case="own", ratio="2")
    test.text_input("case.by").set_value("The board").run()
    test.text_input("case.date_of_decision").set_value("12 May").run()
    test.button("memo.decide").click().run()
    sound(test)
    assert "<strong>Decided</strong> 12 May by The board: <strong>ε = 0.84</strong>" in text_of(test)
    assert "link or file" not in text_of(test)
    claimed = open_page("memo", **dict(test.query_params.items()))
    assert "<strong>Decided</strong> 12 May by The board" in text_of(claimed)
    assert "link or file" in text_of(claimed)
    test.switch_page("pages/choose.py").run()
    test.slider("choose.ratio").set_value(3.0).run()
    test.switch_page("pages/memo.py").run()
    assert "was decided 12 May by The board, before the case changed" in text_of(test)
    assert "The line allows <strong>ε = 1.29</strong>" in text_of(test)


def test_a_link_of_0_3_brings_the_choices_of_all_pages_to_their_places() -> None:
    test = open_page(
        "memo",
        title="Ours",
        release="A table",
        phrase="is ill",
        districts="12",
        choose="line=constant&ratio=2&unit=household&group=3",
        accuracy="count=57&target=3",
        positions="parties=2&name1=Mayor",
        plan="rows=g~0.01~1~~Daily&rounds=60&cap=0.9",
        publication="tables=Deaths~counts~5&rule=same_error",
    )
    sound(test)
    case, held = test.session_state["_case"], test.session_state["_choices"]
    told = {"title": "Ours", "released": "A table", "hidden": "is ill", "ratio": 2.0, "rounds": 60}
    assert {name: case[name] for name in told} == told
    assert (case["unit"], case["group"], case["tables"][0].name) == ("household", 3, "Deaths")
    assert case.decision is None
    assert held["accuracy"]["target"] == 3
    assert held["positions"]["name1"] == "Mayor"
    assert held["plan"]["cap"] == 0.9
    assert held["publication"]["rule"] == "same_error"
    text = text_of(test)
    assert not test.warning
    for words in ("that a given household of 3 is ill", "Mayor", "Deaths", "Daily"):
        assert words in text
    assert "the scenario file holds Compare positions and Several releases and Plan a publication" in text


def test_what_a_link_of_0_3_says_of_a_decision_is_told_and_decides_nothing() -> None:
    test = open_page("memo", choose="ratio=2", decided_by="The board", decision="Spend it.")
    sound(test)
    assert "<strong>Draft.</strong>" in text_of(test)
    warned = " ".join(element.value for element in test.warning)
    assert "'The board'" in warned
    assert "'Spend it.'" in warned


def test_a_refused_line_is_told_on_the_page() -> None:
    test = open_page("memo", choose="line=box&low=0.9&high=0.1")
    sound(test)
    assert "No memo" in text_of(test)
    assert any("Lowest belief that matters" in element.value for element in test.error)


def test_positions_are_left_out_by_a_switch() -> None:
    test = open_page("memo", positions="parties=2&name1=Mayor")
    assert "Mayor" in text_of(test)
    test.toggle("memo.tell_positions").set_value(False).run()
    sound(test)
    assert "Mayor" not in text_of(test)
    assert test.query_params["tell_positions"] == "no"
    test.toggle("memo.tell_positions").set_value(True).run()
    assert "Mayor" in text_of(test)


def test_the_address_of_a_memo_is_the_case_and_its_own_fields() -> None:
    test = open_page("memo", case="own", line="cap_or_ratio", ratio="2", until="2030")
    case, fields = test.session_state["_case"], page_entry("memo").fields
    written = address(case, "memo", fields, test.session_state["_choices"]["memo"])
    assert dict(test.query_params.items()) == written
    assert written == {"case": "own", "line": "cap_or_ratio", "ratio": "2", "until": "2030"}
