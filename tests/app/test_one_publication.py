"""One publication through all pages: one budget, the same tables, releases and promise, and trials that stay apart."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.opened_page import address, go, open_page, page_shown, sound, strip, text_of

TABLES = "Cases~counts~30~12~8!Days~total~400~~8~~~~0~30"
OWN = {"case": "own", "tables": TABLES, "noise": "geometric", "unit": "household", "group": "2", "ratio": "2.0"}


def held(test: AppTest) -> dict[str, object]:
    return dict(test.session_state["_case"])


def test_one_budget_goes_from_the_publication_through_the_plan_and_the_costs_to_the_memo() -> None:
    test = open_page("publication", **OWN)
    sound(test)
    assert "2 tables, whole-number noise · ε = 0.42 follows from the line, not decided" in strip(test)
    said = text_of(test)
    assert "Ranges exact at ε = 0.84 (<strong>ε = 0.42</strong> for one record)." in said
    test.text_input(key="case.by").set_value("the board")
    test.button(key="publication.decide").click().run()
    assert strip(test).endswith("ε = 0.42, decided by the board")
    assert "Ranges exact at ε = 0.84 (" in text_of(test)
    decided = held(test)
    for stem in ("accuracy", "plan", "exact_totals", "add_up", "memo", "publication"):
        go(test, stem)
        sound(test)
        assert strip(test).split(" · here: ")[0].endswith("ε = 0.42, decided by the board"), stem
        assert held(test) == decided, stem
        assert address(test)["tables"] == TABLES
    go(test, "accuracy")
    assert test.slider(key="accuracy.epsilon").value == 0.42
    go(test, "exact_totals")
    assert test.text_input(key="exact_totals.epsilon").value == "0.42"
    go(test, "add_up")
    assert [test.text_input(key=f"add_up.epsilon_{name}").value for name in ("total", "parts")] == ["0.21", "0.21"]


def test_releases_are_taken_over_by_a_button_alone_and_keep_what_a_record_moves() -> None:
    test = open_page("publication", **OWN)
    assert "rows" not in held(test)
    test.button(key="publication.take_over").click().run()
    sound(test)
    assert page_shown(test) == "plan"
    rows = test.session_state["_case"]["rows"]
    assert [(row.name, row.kind, row.often, row.moved) for row in rows] == [
        ("Cases", "geometric", "12", ""),
        ("Days", "geometric", "1", "30"),
    ]
    assert sum(float(row.budget) * float(row.often) for row in rows) == pytest.approx(0.42)
    assert held(test).items() >= {"unit": "household", "group": 2, "every": "release", "rounds": 1}.items()


def test_a_budget_that_is_typed_is_a_trial_of_this_page() -> None:
    test = open_page("publication", **OWN)
    test.segmented_control(key="publication.start").set_value("budget").run()
    assert test.text_input(key="publication.epsilon").value == "0.84"
    assert "trying" not in strip(test)
    test.text_input(key="publication.epsilon").set_value("2").run()
    assert strip(test).endswith("not decided · trying ε = 1.00")
    assert "Ranges exact at ε = 2 (" in text_of(test)
    go(test, "accuracy")
    assert "trying" not in strip(test)


def test_without_a_line_the_page_says_so_and_tries() -> None:
    test = open_page("publication", case="own", tables=TABLES)
    sound(test)
    assert strip(test).endswith("no line drawn · trying ρ = 0.50")
    assert test.text_input(key="publication.rho").value == "0.5"
    assert "Ranges exact at this budget." in text_of(test)
    assert test.text_input(key="publication.rho").value == "0.5"
    assert not [button for button in test.button if button.key == "publication.decide"]


def test_without_a_line_the_way_on_draws_the_line_that_allows_what_is_tried() -> None:
    test = open_page("publication", case="own", tables=TABLES)
    (way,) = (one.proto for one in test.get("page_link") if "Draw a line" in one.proto.label)
    assert way.page == "choose"
    assert not [one for one in test.get("page_link") if one.proto.page == "memo" and "Decision" in one.proto.label]
    there = open_page("choose", **dict(parse_qsl(way.query_string)))
    sound(there)
    assert re.search(r"2 tables, whole-number Gaussian noise · ρ = 0\.5\d* follows from the line", strip(there))


def test_other_noise_than_the_line_gives_is_one_press_away() -> None:
    test = open_page("publication", **{name: text for name, text in OWN.items() if name != "noise"})
    assert test.selectbox(key="publication.noise").value == "geometric"
    assert "not your line's geometric noise" in text_of(test)
    test.button(key="publication.other_noise").click().run()
    sound(test)
    assert test.selectbox(key="publication.noise").value == "discrete_gaussian"
    assert "your line's" not in text_of(test)
    assert "ρ = " in strip(test)
    assert not [button for button in test.button if button.key == "publication.other_noise"]


@pytest.mark.parametrize("stem", ["plan", "publication"])
def test_an_example_takes_the_place_of_the_whole_case(stem: str) -> None:
    test = open_page(stem, **OWN | {"title": "Absence", "secret": "value", "relation": "replace"})
    test.button(key=f"{stem}.preset.1").click().run()
    sound(test)
    assert not {"title", "secret", "relation", "unit", "ratio"} & set(held(test))
    test.button(key=f"{stem}.preset.0").click().run()
    assert strip(test).startswith("Example · ")


def test_a_link_of_0_3_opens_with_its_noise_its_line_and_its_budget_as_a_trial() -> None:
    test = open_page("publication", tables=TABLES, ratio="2", areas="Ash~9_Elm~40")
    assert held(test)["noise"] == "discrete_gaussian"
    technical = open_page("publication", tables=TABLES, ratio="2", areas="Ash~9_Elm~40", voice="technical")
    assert "at ρ = 0.033" in text_of(technical)
    assert any("This page has no choice called 'areas'" in one.value.replace("\\", "") for one in test.warning)
    assert "Ash" not in "".join(address(test).values())
    assert "trying ρ = 0.30" in strip(open_page("publication", tables=TABLES, start="budget", rho="0.3"))


def test_the_cap_of_several_releases_begins_with_the_line_and_follows_it() -> None:
    test = open_page("plan", case="own", ratio="1.5", prior="0.4")
    assert test.slider(key="plan.cap").value == 0.6
    test.slider(key="plan.cap").set_value(0.9).run()
    assert address(test)["plan_cap"] == "0.9"
    test = open_page("plan", case="own", ratio="1.5", prior="0.4", plan_cap="0.9")
    assert test.slider(key="plan.cap").value == 0.9
    assert open_page("plan").slider(key="plan.cap").value == 0.99
