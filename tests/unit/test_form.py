"""A page's form: each choice by its own control, what becomes of it in the session and in the address, and what not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from riskline.case.fields import Field, Refusal
from tests.app.opened_page import address
from ui.frame import form
from ui.words.catalogue import label


def drawn(page: Any, **query: str) -> AppTest:
    """A page of no file as a fresh session sees it through this link."""
    test = AppTest.from_function(page, default_timeout=30)
    for name, value in query.items():
        test.query_params[name] = value
    return told(test.run())


def told(test: AppTest) -> AppTest:
    assert not test.exception, test.exception
    return test


def said(test: AppTest) -> Any:
    """What the page of a test says last of its choices."""
    return test.session_state["said"]


def kinds() -> None:
    import streamlit as st

    from riskline.case.fields import Field
    from ui.frame.case import CURRENT, arrive
    from ui.frame.form import Form, choice_button

    ways = ("a", "b", "c")

    def called(values):
        return f"People of {values['unit']}", "How many of them"

    fields = (
        Field("unit", "Way", "choice", "household", options=("person", "household"), help="Which way"),
        Field("side", "Side", "choice", "b", options=ways),
        Field("mood", "Mood", "choice", "c", options=ways),
        Field("sure", "Sure", "flag", True),
        Field("words", "Words", "text", "hello"),
        Field("essay", "Essay", "text", "a\nb"),
        Field("people", "", "count", 10, low=1, high=1000, called=called),
        Field("part", "Part", "number", 0.07, low=0, high=1, format="percent"),
        Field("chance", "Chance", "number", 0.25, low=0, high=1, span=(0.1, 0.5), step=0.05),
        Field("low", "Low", "count", 0, low=0, high=1, span=(0, 1), step=1),
        Field("wide", "Wide", "number", 3.0, low=0, high=10, format="%.2f"),
        Field("seed", "Seed", "count", 999_999, low=0, high=999_999),
        Field("list", "List", "text", "x"),
    )
    arrive("demo", fields)
    form = Form("demo", fields)
    form.beside("unit", ("sure", "words"), lambda: form.text("essay", lines=3))
    with st.container(key="below"):
        form.choice("side", {"c": "See", "b": "Bee", "z": "Zee"})
        form.choice("mood", {"a": "Ah", "c": "Cee"}, style="segmented")
        form.ask("people")
        form.number("part")
        form.slider("chance")
        form.slider("low")
        form.slider("wide", low=st.session_state.get("least", 2), high=st.session_state.get("most", 4))
        form.lines("list", str.upper, sample="one a line")
        form.draw_again()
    choice_button("Put", "demo", "put", {"chance": 0.3}, type="tertiary")
    st.session_state[CURRENT] = "demo"
    st.session_state["said"] = form.close()
    st.query_params.from_dict(st.session_state["_page_query"])


def test_each_choice_is_asked_by_its_own_control() -> None:
    test = drawn(kinds)
    (way,) = test.get("column")[0].selectbox
    assert (way.key, way.label, way.value, way.help) == ("demo.unit", "Way", "household", "Which way")
    assert way.options == [label("case", f"unit.{unit}") for unit in ("person", "household")]
    assert test.get("column")[1].toggle[0].value is True
    (side,), (mood,) = test.radio, test.button_group
    assert (side.label, side.value, side.options, side.help) == ("Side", "b", ["Bee", "See"], "")
    assert ([option.content for option in mood.proto.options], mood.value) == (["Ah", "Cee"], "c")
    boxes = {box.label: box for box in test.text_input}
    assert {name: box.value for name, box in boxes.items()} == {
        "Words": "hello",
        "People of household": "10",
        "Part": "7 %",
        **{label("frame", "box", name=name): value for name, value in BESIDE.items()},
    }
    assert boxes["People of household"].help == "How many of them"
    beside = boxes[label("frame", "box", name="Chance")].proto
    assert beside.label_visibility.value == beside.label_visibility.COLLAPSED
    assert boxes["Words"].proto.max_chars == 4000
    essay, lines = test.text_area
    assert (essay.value, essay.proto.max_chars, lines.value, lines.placeholder) == ("a\nb", 4000, "X", "one a line")
    ends = [(one.value, one.min, one.max, one.step, one.proto.format) for one in test.slider]
    assert ends == [(0.25, 0.1, 0.5, 0.05, "percent"), (0, 0, 1, 1, "%d"), (3.0, 2.0, 4.0, 0.01, "%.2f")]


BESIDE = {"Chance": "25 %", "Low": "0", "Wide": "3"}
"""What stands in the box beside each slider."""


def test_what_is_typed_beside_a_slider_stretches_it_and_it_stays_so_until_its_ends_are_others() -> None:
    test = drawn(kinds)
    test.text_input(key="demo.chance.box").set_value("60 %")
    assert said(told(test.run()))["chance"] == 0.6
    (chance,) = [one for one in test.slider if one.label == "Chance"]
    assert (chance.value, chance.min, chance.max) == (0.6, 0.1, 0.6)
    assert said(told(chance.set_value(0.2).run()))["chance"] == 0.2
    (chance,) = [one for one in test.slider if one.label == "Chance"]
    assert (chance.value, chance.min, chance.max) == (0.2, 0.1, 0.6)
    (box,) = [one for one in test.text_input if one.key.startswith("demo.chance.box")]
    assert (box.key, box.value) == ("demo.chance.box.1", "20 %")
    told(box.set_value("2").run())
    fault = next(one.value for one in test.markdown if one.value.startswith(":red"))
    assert "Chance must be from 0 to 1" in fault.replace("\\", "")
    assert fault.endswith("The picture still shows 20 %.")
    assert (said(test)["chance"], chance.value) == (0.2, 0.2)
    again = test.button(key="demo.put").click()
    assert again.proto.type == "tertiary"
    told(again.run())
    (chance,) = [one for one in test.slider if one.label == "Chance"]
    assert (chance.value, chance.min, chance.max) == (0.3, 0.1, 0.5), "a slider that begins anew is as long as at first"


def test_a_slider_whose_ends_move_keeps_its_value_and_is_no_longer_than_they_say() -> None:
    test = drawn(kinds)
    for least, most, ends in ((1, 3.5, (1, 3.5)), (3.2, 9, (3, 9)), (2, 4, (2, 4))):
        test.session_state["least"], test.session_state["most"] = least, most
        told(test.run())
        (wide,) = [one for one in test.slider if one.label == "Wide"]
        assert (wide.value, wide.min, wide.max) == (3, *ends)


def test_an_example_is_drawn_from_the_next_seed_and_after_the_last_from_the_first() -> None:
    test = drawn(kinds)
    for seed in (0, 1):
        test.button(key="demo.again").click()
        assert said(told(test.run()))["seed"] == seed


NO_PLACE = "Place\\: there is no number {} here; the first is shown instead."


def lists() -> None:
    import streamlit as st

    from riskline.case.fields import Field
    from ui.frame.case import CURRENT, arrive
    from ui.frame.form import Form, pick_one

    fields = (
        Field(
            "several",
            "Several",
            "custom",
            (3, 9),
            read=lambda text: tuple(map(int, text.split("-"))),
            write=lambda held: "-".join(map(str, held)),
        ),
        Field("place", "Place", "count", 0, low=0),
        Field("side", "Side", "choice", "c", options=("a", "b", "c")),
    )
    called = st.session_state.get("called", "No")
    words = {number: f"{called} {number}" for number in st.session_state.get("there", (1, 2, 3))}
    arrive("demo", fields)
    form = Form("demo", fields)
    several = form.pick_several("several", words)
    place = form.pick("place", words)
    chosen, sides = st.session_state.get("chosen"), st.session_state.get("sides", "abc")
    st.session_state["side"] = form.choice("side", {side: called + side for side in sides}, style="select")
    other = pick_one("Other", words, key=f"other{chosen}", chosen=chosen, help="Which")
    st.session_state[CURRENT] = "demo"
    st.session_state["said"] = several, place, other, form.close()
    st.query_params.from_dict(st.session_state["_page_query"])


def test_of_a_list_that_follows_other_choices_what_is_gone_is_given_up_and_said() -> None:
    test = drawn(lists, several="9-3", place="7")
    assert said(test) == ((3,), 1, None, {"several": (3,), "place": 1, "side": "c"})
    assert [one.value for one in test.caption] == [NO_PLACE.format(7)]
    several, other = test.multiselect[0], test.selectbox[2]
    assert (several.label, several.placeholder, other.label, other.help) == ("Several", " ", "Other", "Which")
    several.set_value([3, 1])
    other.set_value(2)
    assert said(told(test.run())) == ((3, 1), 1, 2, {"several": (1, 3), "place": 1, "side": "c"})
    assert not test.caption
    test.session_state["there"] = (2, 3, 4)
    assert said(told(test.run())) == ((3,), 2, 2, {"several": (3,), "place": 2, "side": "c"})
    assert [one.value for one in test.caption] == [NO_PLACE.format(1)]
    test.session_state["called"] = "Number"
    told(test.run())
    assert [(one.value, one.proto.set_value) for one in test.selectbox] == [*((2, True), ("c", True), (2, True))]
    assert not any(one.proto.set_value for one in told(test.run()).selectbox)
    test.session_state["chosen"] = 4
    assert said(told(test.run()))[2] == 4


def test_of_options_that_are_offered_no_more_the_first_takes_the_place_and_a_default_is_no_number() -> None:
    test = drawn(lists)
    assert said(test)[1] == 1
    assert said(test)[3] == {"several": (3,), "place": 0, "side": "c"}
    assert not test.caption
    test.session_state["sides"] = "ba"
    told(test.run())
    assert (test.session_state["side"], said(test)[3]["side"], test.selectbox(key="demo.side").value) == ("a", "a", "a")


def faults() -> None:
    import streamlit as st

    from riskline.case.fields import Field
    from ui.frame.case import CURRENT, arrive
    from ui.frame.form import Form

    fields = (
        Field("alone", "Alone", "count", 10, low=1, high=1000),
        Field("words", "Words", "custom", "1,234", read=str, write=str),
        Field("share", "Share", "number", 0.5, low=0, high=1),
    )
    arrive("demo", fields)
    form = Form("demo", fields)
    form.number("alone", pictured=False)
    form.lines("words", str.upper, commas_part_counts=False)
    form.slider("share")
    st.session_state[CURRENT] = "demo"
    st.session_state["said"] = form.close(), form.refused


def blocks(block: Any) -> Iterator[Any]:
    for child in getattr(block, "children", {}).values():
        yield child
        yield from blocks(child)


def test_what_cannot_be_used_is_told_where_it_was_typed_and_kept_for_the_page_to_know() -> None:
    test = drawn(faults)
    test.text_input(key="demo.alone").set_value("0")
    test.text_input(key="demo.share.box").set_value("2")
    test.text_area(key="demo.words").set_value("a 5,678")
    told(test.run())
    held, refused = said(test)
    assert held == {"alone": 10, "words": "a 5,678", "share": 0.5}
    assert list(refused) == ["alone", "share"]
    assert refused["alone"] == "Alone must be a whole number from 1 to 1,000; got '0'"
    assert [one.value.partition("] ")[2] for one in test.markdown] == ["", "The picture still shows 50 %."]
    assert not test.caption, "these commas part no counts"
    ids = [str(child.proto) for child in blocks(test.main)]
    assert any("fault.demo.alone" in one for one in ids)
    assert any("fault.demo.share.box" in one for one in ids)


def linked() -> None:

    import streamlit as st

    from riskline.case.choices import case_field
    from riskline.case.fields import Field
    from ui.frame.case import CURRENT, arrive, forget_widgets
    from ui.frame.form import Form

    state = st.session_state
    if loaded := state.pop("loads", None):
        forget_widgets("demo")
        state.update(loaded)
    fields = (
        case_field("unit"),
        case_field("group"),
        Field("people", "People", "count", state.get("begins", 10), low=1, high=100),
        Field("old", "Old", "count", 5, low=0, in_address=False, in_old_links=True),
        Field("apart", "Apart", "count", 6, low=0, in_address=False),
    )
    stem = state.get("stem", "demo")
    arrive(stem, fields)
    form = Form(stem, fields, of_page=state.get("of_page", True))
    for name in ("people", "old", "apart", "group"):
        form.number(name)
    form.choice("unit", style="select")
    state[CURRENT] = stem
    state["said"] = form.close()
    state["refusals"] = [refusal.name for refusal in form.refusals]
    st.query_params.from_dict(state["_page_query"])


def follow(test: AppTest, **query: str) -> AppTest:
    """Another address of the page that is open."""
    test.query_params.clear()
    for name, value in query.items():
        test.query_params[name] = value
    return told(test.run())


def test_a_link_is_read_for_what_it_may_say_and_what_it_may_not_stays() -> None:
    test = drawn(linked, people="20", old="7", apart="8")
    assert (said(test)["people"], said(test)["old"], said(test)["apart"]) == (20, 7, 6)
    assert test.session_state["refusals"] == ["apart"]
    assert address(test) == {"people": "20"}
    test.text_input(key="demo.apart").set_value("9")
    assert said(told(test.run()))["apart"] == 9
    assert test.session_state["refusals"] == []
    follow(test, people="30")
    assert (said(test)["people"], said(test)["apart"]) == (30, 9)
    assert test.text_input(key="demo.people").value == "30"


def test_what_is_typed_and_cannot_be_used_stays_while_a_page_draws_itself_again() -> None:
    test = drawn(linked, people="20")
    test.text_input(key="demo.people").set_value("many")
    told(test.run())
    assert (said(told(test.run()))["people"], test.text_input(key="demo.people").value) == (20, "many")


def test_a_box_moves_its_slider_only_while_it_is_the_one_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    share = Field("share", "Share", "number", 0.5, low=0, high=1)
    for box, typed, found in (
        ("demo.share.box.1", "20 %", (0.2, 0.2, 0.2)),
        ("demo.share.box", "20 %", (0.4, 0.4, 0.4)),
        ("demo.share.box.1", "2", (0.4, 0.4, 0.4)),
    ):
        state: dict[str, Any] = {"_renewed": {"demo.share.box": 1}, box: typed, "demo.share": 0.4}
        state |= {"_choices": {"demo": {"share": 0.4}}, "_beside": {"demo.share.box": 0.4}}
        monkeypatch.setattr(form.st, "session_state", state)
        form._take_typed("demo", share, box)
        told_of = state["_choices"]["demo"]["share"], state["demo.share"], state["_beside"]["demo.share.box"]
        assert told_of == found
        assert ("_touched" in state) is (box == "demo.share.box.1")


def test_a_refusal_of_the_case_comes_before_one_of_the_page_and_neither_stays_in_the_address() -> None:
    test = drawn(linked, case="own", people="0", group="x")
    assert test.session_state["refusals"] == ["group", "people"]
    assert address(test) == {}


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ({"people": "20.0"}, {"people": "20.0"}),  # as it came: to write it anew is one more place to press Back for
        ({"people": "20.0", "apart": "3"}, {"people": "20"}),
        ({"people": "20.0", "case": "own", "group": "0"}, {"people": "20"}),
        ({"people": "20.0", "case": "own", "unit": "household"}, None),
        ({"people": "10"}, {"people": "10"}),
    ],
)
def test_an_address_stays_as_a_link_brought_it_unless_something_was_refused(
    asked: dict[str, str], written: dict[str, str] | None
) -> None:
    test = drawn(linked, **asked)
    assert address(test) == (asked if written is None else written)
    test.text_input(key="demo.people").set_value("21")
    told(test.run())
    assert address(test)["people"] == "21"
    test.text_input(key="demo.people").set_value("20")
    told(test.run())
    assert address(test)["people"] == "20"


def test_a_page_that_begins_otherwise_takes_along_what_nobody_has_chosen() -> None:
    test = drawn(linked)
    test.session_state["begins"] = 30
    told(test.run())
    assert (said(test)["people"], test.text_input(key="demo.people").value) == (30, "30")
    test.text_input(key="demo.people").set_value("40")
    told(test.run())
    test.session_state["begins"] = 50
    assert said(told(test.run()))["people"] == 40
    test.text_input(key="demo.people").set_value("50")
    told(test.run())
    test.session_state["begins"] = 60
    assert said(told(test.run()))["people"] == 60


def test_what_a_scenario_file_brings_is_not_what_the_address_still_says_and_its_refusals_are_told_once() -> None:
    test = drawn(linked, people="20")
    test.session_state["loads"] = {"_choices": {}, "_touched": True, "_loaded": True}
    test.session_state["_refusals"] = {"demo": (Refusal("people", "People must be fewer."),)}
    assert said(told(test.run()))["people"] == 10
    assert test.session_state["refusals"] == ["people"]
    test.text_input(key="demo.people").set_value("30")
    told(test.run())
    assert test.session_state["refusals"] == []


def test_a_form_beside_a_page_takes_nothing_from_its_link() -> None:
    test = AppTest.from_function(linked, default_timeout=30)
    test.session_state["of_page"] = False
    test.query_params["people"] = "20"
    assert said(told(test.run()))["people"] == 10


def shared() -> None:
    """A page on which two controls ask one choice of the case, and what other pages do to it."""
    import streamlit as st

    from riskline.case.choices import case_field
    from riskline.case.fields import Field
    from ui.frame.case import CURRENT, arrive, held_case
    from ui.frame.form import Form, choice_button, put_example

    state = st.session_state
    fields = (
        *(case_field(name) for name in ("unit", "group", "title")),
        Field("twice", "Twice", "number", 0.5, low=0, high=1),
    )
    arrive("demo", fields)
    state["before"] = dict(held_case())
    form = Form("demo", fields)
    choice_button("Example", "accuracy", "of_table", {}, make=put_example)
    try:
        state["made"] = form.made("twice"), form.made("unit")
    except ValueError as error:
        state["made"] = str(error)
    if state.pop("renewed", False):
        form.renew("twice")
    form.ask("unit", "group", "title", "twice")
    other = Form("case", fields[:3], of_page=False)
    other.ask("unit", "group", "title")
    if state.get("narrow"):
        state["narrowed"] = Form("explain", fields[:1], of_page=False).choice("unit", {"days": "D", "person": "P"})
    choice_button("Another page", "explain", "elsewhere", {"unit": "household", "steps": 5, "group": 3})
    example = {"unit": "days", "epsilon": 2.0}
    choice_button("Example", "explain", "example", example, make=put_example)
    state[CURRENT] = "demo"
    state["said"] = form.close()
    st.query_params.from_dict(state["_page_query"])
    state["case"] = dict(held_case())


def test_a_choice_of_the_case_is_made_before_anything_is_drawn_and_each_control_shows_it() -> None:
    test = drawn(shared)
    assert test.session_state["case"] == {}
    for name, kind, value, other in (
        ("unit", "selectbox", "household", "person"),
        ("group", "text_input", "4", "5"),
        ("title", "text_input", "7", "Absence"),
    ):
        for key, beside, chosen in (("demo", "case", value), ("case", "demo", other)):
            getattr(test, kind)(key=f"{key}.{name}").set_value(chosen)
            told(test.run())
            held = int(chosen) if name == "group" else chosen
            assert test.session_state["before"][name] == test.session_state["case"][name] == held
            assert getattr(test, kind)(key=f"{beside}.{name}").value == chosen
    test.text_input(key="demo.group").set_value("7.0")
    told(test.run())
    assert (test.session_state["case"]["group"], test.text_input(key="demo.group").value) == (7, "7.0"), "as typed"
    test.query_params.clear()
    test.selectbox(key="demo.unit").set_value("household")
    told(test.run())
    assert test.session_state["case"]["unit"] == "household", "also where the address lags behind"
    test.text_input(key="demo.group").set_value("none")
    told(test.run())
    assert (test.session_state["case"]["group"], test.text_input(key="demo.group").value) == (7, "none")
    assert test.text_input(key="case.group").value == "7"
    test.text_input(key="case.group").set_value("6")
    told(test.run())
    assert test.text_input(key="demo.group").value == "6"


def test_where_the_value_of_the_case_is_not_offered_the_case_keeps_it() -> None:
    test = drawn(shared)
    test.selectbox(key="demo.unit").set_value("household")
    test.session_state["narrow"] = True
    told(test.run())
    assert test.session_state["case"]["unit"] == test.session_state["narrowed"] == "household"
    test.radio(key="explain.unit").set_value("days")
    told(test.run())
    assert test.session_state["case"]["unit"] == test.session_state["narrowed"] == "days"


def test_choices_are_made_on_a_page_that_was_not_opened_and_an_example_takes_all_of_it() -> None:
    test = drawn(shared)
    test.text_input(key="demo.title").set_value("Absence")
    told(test.run())
    test.button(key="explain.elsewhere").click()
    told(test.run())
    assert test.session_state["case"] == {"title": "Absence", "unit": "household", "group": 3}
    assert test.session_state["_choices"]["explain"] == {"steps": 5}
    test.session_state["_choices"]["explain"] = {"steps": 5, "count": 9}
    test.button(key="explain.example").click()
    told(test.run())
    assert test.session_state["case"] == {"unit": "days"}
    explained = test.session_state["_choices"]["explain"]
    assert (explained["epsilon"], explained["steps"]) == (2.0, 1000)
    assert "unit" not in explained
    test.session_state["_choices"]["accuracy"] = {"count": 7, "half_width": 3.0}
    test.button(key="accuracy.of_table").click()
    told(test.run())
    assert test.session_state["case"] == {}
    assert test.session_state["_choices"]["accuracy"]["count"] == 7, "a reader's own counts are no example's"
    assert test.session_state["_choices"]["accuracy"]["half_width"] != 3


def test_what_a_control_holds_now_is_told_before_it_is_drawn_again() -> None:
    test = drawn(shared)
    assert test.session_state["made"] == (0.5, "person")
    test.text_input(key="demo.twice").set_value("20 %")
    told(test.run())
    assert test.session_state["made"][0] == 0.2
    test.text_input(key="demo.twice").set_value("many")
    told(test.run())
    assert "Twice must be a number" in test.session_state["made"]
    test.session_state["renewed"] = True
    told(test.run())
    assert test.text_input(key="demo.twice.1").value == "0.2"
    told(test.run())
    assert test.session_state["made"][0] == 0.2
