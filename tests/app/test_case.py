"""One case on all pages: what is set on one is so on the others, a decision is an act, and an address is whole."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from riskline.case.fields import pairs_of
from tests.app.opened_page import address, answer, go, open_page, sound, strip, text_of
from ui.frame.case import STORE
from ui.link.page_table import PAGES

STEMS = [entry.stem for entry in PAGES if entry.stem != "join"]


@pytest.mark.parametrize("stem", STEMS)
def test_an_empty_address_is_the_example_and_a_case_is_the_same_on_every_page(stem: str) -> None:
    test = open_page(stem)
    sound(test)
    assert strip(test).startswith("Example · ")
    own = open_page(stem, case="own", unit="household", group="4", title="Absence", ratio="2.0")
    sound(own)
    assert not own.warning
    told = (
        "which value a given person has · a given person"
        if stem == "block"
        else "whether a given household of 4 is in the data"
    )
    assert strip(own).startswith(f"Absence · secret: {told} · ")  # one block is attacked for a secret of its own
    assert "ε = 0.21 follows from the line, not decided" in strip(own)


def test_a_choice_on_one_page_is_the_case_of_the_next_and_of_its_address() -> None:
    test = open_page("explain", case="own", ratio="2.0")
    test.selectbox(key="explain.secret").set_value("value").run()
    go(test, "accuracy")
    assert test.selectbox(key="accuracy.secret").value == "value"
    assert address(test)["secret"] == "value"
    assert address(test)["ratio"] == "2"
    assert "which value a given person has" in strip(test)
    go(test, "explain")
    assert "ε = 0.42" in strip(test)


def test_the_first_choice_makes_the_case_the_readers_without_a_line_or_a_budget() -> None:
    test = open_page("choose")
    assert "ε = 1.29" in strip(test)
    test.selectbox(key="choose.unit").set_value("household").run()
    assert "no line drawn" in strip(test)
    assert "No line yet." in "".join(element.proto.body for element in test.get("html"))
    assert not [button for button in test.button if button.key == "choose.decide"]
    go(test, "explain")
    assert "no line drawn · trying ε = 1.00" in strip(test)


def test_a_decision_is_an_act_that_every_page_tells_and_a_change_marks() -> None:
    test = open_page("choose", case="own", ratio="2.0")
    test.text_input(key="case.by").set_value("the board")
    test.button(key="choose.decide").click().run()
    assert strip(test).endswith("ε = 0.84, decided by the board")
    go(test, "explain")
    assert strip(test).endswith("ε = 0.84, decided by the board")
    test.selectbox(key="explain.unit").set_value("household").run()
    assert strip(test).endswith("ε = 0.84, decided by the board, before the case changed")


def test_who_decided_when_and_why_stands_in_the_boxes_again_on_another_page() -> None:
    test = open_page("choose", case="own", ratio="2.0")
    typed = {"case.by": "the board", "case.date_of_decision": "3 May 2027", "case.reason": "as in 2020"}
    for key, words in typed.items():
        test.text_input(key=key).set_value(words)
    test.button(key="choose.decide").click().run()
    go(test, "memo")
    assert {key: test.text_input(key=key).value for key in typed} == typed
    assert test.button(key="memo.decide").proto.type == "secondary"


def test_who_a_link_claims_has_decided_stands_in_no_box_of_a_decision_made_here() -> None:
    test = open_page("choose", case="own", ratio="2.0")
    test.text_input(key="case.by").set_value("the board")
    test.button(key="choose.decide").click().run()
    claimed = open_page("memo", **address(test))
    assert strip(claimed).endswith("ε = 0.84, decided by the board · according to this link")
    assert claimed.text_input(key="case.by").value == ""


def test_no_decision_is_about_districts_that_we_invented() -> None:
    test = open_page("home", case="own", ratio="2.0", step="publish", release="table")
    assert test.text_area(key="accuracy.places").value == ""
    assert not any("counts" in warning.value for warning in test.warning)
    assert "table of districts ·" in strip(test)
    named = open_page("home", case="own", ratio="2.0", step="line", release="table", areas="38")
    assert "Maple" not in text_of(named)
    test.text_area(key="accuracy.places").set_value("North; 12\nSouth; 5").run()
    assert "table of 2 districts" in strip(test)
    test.button(key="home.on").click().run()
    test.button(key="home.on").click().run()
    assert "Smallest district South" in text_of(test)


def test_the_smallest_district_is_named_to_its_owner_and_in_no_document() -> None:
    test = open_page("home", case="own", ratio="2.0", step="publish", release="table")
    test.text_area(key="accuracy.places").set_value("North; 212\nHarbour; 77").run()
    for page in ("memo", "public"):
        go(test, page)
        (shown,) = [part.proto.body for part in test.get("html") if "Harbour" in part.proto.body]
        assert re.search("Smallest district Harbour</dt><dd>77 ± [0-9]", shown)
        assert "Harbour" not in str(address(test))
    test.query_params["areas"] = "3"
    test.run()
    assert "table of 3 districts" in strip(test)
    assert not [part for part in test.get("html") if "Smallest" in part.proto.body]


@pytest.mark.parametrize("page", ["choose", "home"])
def test_a_value_asks_for_half_the_budget_and_the_question_about_it_says_so(page: str) -> None:
    query = {"case": "own", "ratio": "2.0", "release": "table"} | ({"step": "secret"} if page == "home" else {})

    def says(**promise: str) -> bool:
        return any("Another value is two changes" in part.value for part in open_page(page, **promise, **query).caption)

    assert says(secret="value")
    assert not says(secret="presence")
    assert not says(secret="value", relation="replace")


def test_districts_that_cannot_be_read_are_kept_in_their_box_and_what_was_read_is_told() -> None:
    test = open_page("home", case="own", ratio="2.0", step="publish", release="table")
    box = test.text_area(key="accuracy.places")
    assert box.placeholder == "Ash; 412\nBeech; 187"
    box.set_value("North; 212, South; 95, Harbour; 12, Hill; 40")
    test.button(key="home.on").click().run()
    assert test.text_area(key="accuracy.places").value == "North; 212, South; 95, Harbour; 12, Hill; 40"
    assert "a count, or a name and a count; got 'North; 212, South; 95" in text_of(test)
    assert not any("smallest" in caption.value for caption in test.caption)
    assert "still shows" not in text_of(test)
    test.text_area(key="accuracy.places").set_value("North; 212\nSouth; 95\nHarbour; 12\nHill; 40").run()
    assert "4 districts; smallest\\: Harbour, 12" in [caption.value for caption in test.caption]
    test.text_area(key="accuracy.places").set_value("212\n95\n12")
    test.button(key="home.on").click().run()
    assert "table of 3 districts" in strip(test)
    test.button(key="home.back").click().run()
    assert "3 districts; smallest\\: district 3, 12" in [caption.value for caption in test.caption]


def test_an_article_typed_before_what_one_is_called_is_not_said_twice() -> None:
    test = open_page("choose", case="own", ratio="2.0", one="one pupil")
    assert " · one pupil · " in strip(test)
    assert "one one" not in text_of(test)


def test_a_decision_that_comes_with_a_link_is_a_claim() -> None:
    test = open_page("choose", case="own", ratio="2.0")
    test.button(key="choose.decide").click().run()
    assert "according to this link" not in strip(test)
    assert strip(open_page("explain", **address(test))).endswith("ε = 0.84, decided · according to this link")


def test_a_trial_is_the_pages_own() -> None:
    test = open_page("explain", case="own", ratio="2.0", epsilon="2")
    assert strip(test).endswith("ε = 0.84 follows from the line, not decided · trying ε = 2.00")
    go(test, "accuracy")
    assert strip(test).endswith("ε = 0.84 follows from the line, not decided")
    assert answer(test) == answer(open_page("accuracy", epsilon="0.84")) != answer(open_page("accuracy", epsilon="2"))


@pytest.mark.parametrize(
    ("stem", "query", "said"),
    [
        ("play", {}, "trying ρ = 0.50 · here: a block (1940 census)"),
        ("infer", {"epsilon_mean": "0.5"}, "trying ε = 0.75 · here: its own release"),
        ("infer", {"part": "regression"}, "trying ε = 0.50 · here: its own release"),
        ("infer", {"part": "coverage", "study_epsilon": "1"}, "trying ε = 2.00 · here: its own release"),
        ("hierarchy", {}, "trying ρ = 2.556226 · here: a 2020 census block"),
        ("exact_totals", {}, "trying ε = 1.00 · here: its own table"),
        ("add_up", {}, "trying ε = 2.00 · here: its own table"),
        ("public_information", {}, "trying ε = 1.00 · here: people (invented)"),
        ("public_information", {"side": "helps"}, "here: people (invented)"),
        ("rebuild", {}, "here: a block (invented)"),
        ("rebuild", {"source": "table"}, "here: a block (1940 census)"),
    ],
)
def test_an_example_of_the_page_is_said_with_its_own_budget(stem: str, query: dict[str, str], said: str) -> None:
    assert strip(open_page(stem, **query)).endswith(f"release not described · {said}")


def test_a_budget_that_is_claimed_is_tried_in_its_own_currency() -> None:
    assert strip(open_page("audit", guarantee="zero_concentrated", rho="0.2")).endswith("· trying ρ = 0.20")
    assert strip(open_page("audit", epsilon="0.5")).endswith("· trying ε = 0.50")


def test_one_of_several_positions_is_taken_over_with_its_own_budget() -> None:
    test = open_page("positions", unit="household", group="2")
    assert "no line drawn" in strip(test)
    test.button(key="positions.take_line").click().run()
    assert strip(test).endswith("ε = 0.64 follows from the line, not decided · here: an example")
    go(test, "choose")
    assert strip(test).endswith("ε = 0.64 follows from the line, not decided")


def test_each_question_of_the_strip_sets_the_case_everywhere() -> None:
    test = open_page("deployments", case="own", ratio="2.0")
    test.session_state["case.change"] = True
    test.run()
    chosen = {"secret": "value", "unit": "household", "relation": "replace", "release": "table", "moves": "nowhere"}
    typed = {"title": "Absence", "released": "tables", "hidden": "was absent", "one": "pupil", "many": "pupils"}
    typed |= {"office": "Office", "group": "4", "areas": "38", "prior": "0.1", "failure": "0.05"}
    for name, value in chosen.items():
        test.selectbox(key=f"case.{name}").set_value(value).run()
    for name, value in typed.items():
        test.text_input(key=f"case.{name}").set_value(value).run()
    sound(test)
    assert strip(test).startswith("Absence · secret: was absent · a given household of 4 · table of 38 districts · ")
    assert (chosen | typed).items() <= address(test).items()
    test.selectbox(key="case.release").set_value("tables").run()
    assert test.selectbox(key="case.moves").value == "nowhere"


def ways(test: AppTest) -> dict[str, dict[str, str]]:
    """Where the links of the page lead, and the parameters of their addresses."""
    found = [element.proto for element in test.get("page_link")]
    return {each.page: dict(pairs_of(each.query_string)) for each in found}


def back(test: AppTest, query: dict[str, str]) -> AppTest:
    """An earlier address of the page that is open, as the browser's Back brings it."""
    test.query_params.clear()
    for name, text in query.items():
        test.query_params[name] = text
    return test.run()


def test_every_way_says_the_case_so_that_it_opens_rightly_in_a_new_tab() -> None:
    assert ways(open_page("choose"))["accuracy"] == {}  # the example's budget is that of every page
    leading = ways(open_page("choose", case="own", ratio="2.0", unit="household", group="4"))
    assert leading["accuracy"].items() >= {"case": "own", "ratio": "2", "group": "4"}.items()
    opened = open_page("accuracy", **leading["accuracy"])
    sound(opened)
    assert not opened.warning
    assert "household of 4" in strip(opened)
    assert "ε = 0.21" in strip(opened)


def test_back_restores_the_case_of_that_address_on_the_same_page_and_on_another() -> None:
    test = open_page("choose")
    test.radio(key="choose.line").set_value("constant").run()
    drawn = address(test)
    test.radio(key="choose.secret").set_value("value").run()
    assert "which value" in strip(test)
    back(test, drawn)
    assert "which value" not in strip(test)
    assert address(test) == drawn
    go(test, "explain")
    test.selectbox(key="explain.secret").set_value("value").run()
    test.query_params.clear()
    for name, text in drawn.items():
        test.query_params[name] = text
    test.switch_page("pages/choose.py")
    assert "which value" not in strip(test.run())
    back(test, {})
    assert strip(test).startswith("Example · ")
    assert address(test) == {}


def test_a_way_without_choices_of_the_pages_own_leaves_them_as_they_are() -> None:
    test = open_page("accuracy", case="own", ratio="2.0", half_width="57")
    go(test, "choose")
    for name, text in address(test).items():
        test.query_params[name] = text
    test.switch_page("pages/accuracy.py")
    test.run()
    assert address(test).items() >= {"half_width": "57", "ratio": "2"}.items()


def test_a_line_that_has_no_budget_offers_nothing_to_decide_on() -> None:
    test = open_page("choose", case="own", ratio="2", secret="value", guarantee="zero_concentrated")
    sound(test)
    assert not [button for button in test.button if button.key == "choose.decide"]


@pytest.mark.parametrize(
    "stem", [entry.stem for entry in PAGES if any(field.name == "secret" for field in entry.fields)]
)
def test_a_case_about_both_beliefs_is_said_on_every_page_and_breaks_none(stem: str) -> None:
    test = open_page(stem, case="own", secret="both", ratio="2.0", guarantee="pure", explain_guarantee="deployment")
    sound(test)
    asked = [box.value for kind in ("selectbox", "radio") for box in test.get(kind) if box.key == f"{stem}.secret"]
    assert asked == ([] if stem in ("audit", "methods") else ["both"])  # left to the strip
    for element in test.error:
        assert "must be one of" not in element.value


@pytest.mark.parametrize("refused", [{"secret": "nobody"}, {"reading": "loud"}])
def test_what_a_link_says_that_is_refused_leaves_the_address(refused: dict[str, str]) -> None:
    test = open_page("explain", case="own", ratio="2.0", **refused)
    sound(test)
    assert test.warning
    assert not refused.keys() & address(test).keys()
    assert address(test)["ratio"] == "2"


def test_the_last_step_asks_how_long_the_promise_holds_before_who_decides() -> None:
    test = open_page("home", case="own", ratio="2.0", step="line")
    sound(test)
    asked = [box.label for box in test.text_input]
    assert asked == ["Holds until", "Who decides?", "Decided when?", "Why this budget?"]
    test.text_input(key="memo.until").set_value("2030").run()
    assert test.session_state[STORE]["memo"]["until"] == "2030"


def test_a_change_of_the_case_stands_in_an_address_that_said_only_a_choice_of_the_page() -> None:
    test = open_page("home", step="line")
    next(button for button in test.button if button.label == "Yes").click().run()
    assert address(test) == {"step": "line", "case": "own", "release": "count", "interview": "c"}
    tried = open_page("publication", start="budget", rho="0.1")
    tried.selectbox(key="publication.relation").set_value("replace").run()
    assert address(tried).items() >= {"case": "own", "relation": "replace", "start": "budget", "rho": "0.1"}.items()


def test_a_budget_that_is_decided_is_the_memos_and_that_of_what_an_epsilon_means() -> None:
    test = open_page("choose", case="own", line="constant", ratio="2")
    assert "ε = 0.69 follows from the line, not decided" in strip(test)
    test.text_input(key="case.by").set_value("the board")
    test.button(key="choose.decide").click().run()
    for stem in ("memo", "explain"):
        go(test, stem)
        sound(test)
        assert strip(test).endswith("ε = 0.69, decided by the board"), stem
        if stem == "memo":
            assert "ε = 0.69" in answer(test)
    assert test.text_input(key="explain.epsilon.box").value == "0.69"
    assert "At most 67 in 100" in answer(test)


@pytest.mark.parametrize("stem", ["accuracy", "exact_totals", "explain", "publication", "publish"])
def test_what_is_told_of_one_of_several_releases_says_so(stem: str) -> None:
    case = {"case": "own", "ratio": "3.0", "releases": "4"}
    assert "ne of 4 releases" in text_of(open_page(stem, **case))
    for one in (case | {"releases": "1"}, case | {"published": "Assistive replies"}):  # published: of all it covers
        assert "ne of " not in text_of(open_page(stem, **one)).replace("one of them", "")
