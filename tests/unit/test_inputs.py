"""Choices set from a callback win over what a browser sends again."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from ui.frame import case
from ui.frame.form import Form


def page() -> None:
    import streamlit as st

    from riskline.case.fields import Field
    from ui.frame.case import arrive
    from ui.frame.form import Form, put

    fields = (Field("line", "Line", "choice", "template", options=("template", "drawn")),)

    def draw() -> None:
        st.session_state["demo.line"] = "template"  # what a lagging browser sends again
        put("demo", line="drawn")

    arrive("demo", fields)
    form = Form("demo", fields)
    form.choice("line", {"template": "Template", "drawn": "Drawn"}, style="select")
    st.button("draw", on_click=draw)
    st.write(f"line is {form.close()['line']}")


def test_a_choice_set_again_from_a_callback_is_not_undone_by_the_widgets_older_value() -> None:
    test = AppTest.from_function(page, default_timeout=30).run()
    assert test.markdown[-1].value == "line is template"
    for _ in range(2):
        test.button[0].click().run()
        assert test.markdown[-1].value == "line is drawn"


def box_page() -> None:
    import streamlit as st

    from riskline.case.fields import Field
    from ui.frame.case import arrive
    from ui.frame.form import Form
    from ui.views.shared.typed_table import counts_as_lines, decode_counts, encode_counts

    fields = (
        Field("people", "People", "count", 10, low=1, high=1_000_000),
        Field("share", "Share", "number", 0.5, low=0, high=1),
        Field("table", "Table", "custom", ((1, 2),), read=decode_counts, write=encode_counts),
    )
    arrive("demo", fields)
    form = Form("demo", fields)
    form.number("people")
    form.number("share")
    form.lines("table", counts_as_lines)
    st.write(repr(form.close()))


def test_a_typed_comma_is_told_under_its_box() -> None:
    test = AppTest.from_function(box_page, default_timeout=30).run()
    assert not test.caption
    test.text_input[0].set_value("1,234")
    test.text_input[1].set_value("0,025")
    test.text_area[0].set_value("1,234")
    test.run()
    assert [caption.value for caption in test.caption] == [
        r"Read as 1234\: the comma stands between thousands.",  # a colon begins a mark of Streamlit
        "Read as 0.025.",
        "Each comma stands between two counts. Read as 1 234.",
    ]
    assert "'people': 1234, 'share': 0.025, 'table': ((1, 234),)" in test.markdown[-1].value


def test_what_cannot_be_used_is_told_under_its_box_beside_what_is_still_shown() -> None:
    test = AppTest.from_function(box_page, default_timeout=30).run()
    test.text_area[0].set_value("1 2\n3 4").run()
    test.text_input[0].set_value("0")
    test.text_input[1].set_value("*half*")
    test.text_area[0].set_value("1 2\n3 -4")
    test.run()
    *told, values = [element.value for element in test.markdown]
    assert [words.partition("] The picture still shows ")[2] for words in told] == ["10.", "0.5.", "1 2 / 3 4."]
    assert told[0].startswith(":red[People must be a whole number from 1 to 1,000,000; got '0'.]")
    assert told[1].startswith(":red[Share ")
    assert "\\*half\\*" in told[1]
    assert "'people': 10, 'share': 0.5, 'table': ((1, 2), (3, 4))" in values
    test.text_area[0].set_value("\n".join("1 2" for _ in range(30))).run()
    test.text_area[0].set_value("x").run()
    assert test.markdown[2].value.endswith("The picture still shows the last table that could be read.")


def linked_page() -> None:
    import streamlit as st

    from riskline.case.fields import Field
    from ui.frame.case import CURRENT, arrive
    from ui.frame.form import Form

    fields = (Field("people", "People", "count", 10, low=1, high=100), Field("place", "Place", "count", 1))
    arrive("demo", fields)
    form = Form("demo", fields)
    form.number("people")
    form.pick("place", {1: "Here", 2: "There"})
    st.session_state[CURRENT] = "demo"  # as the frame leaves it after a page's first run
    st.write(f"{form.close()} {[refusal.name for refusal in form.refusals]}")


def test_what_a_link_was_refused_for_is_told_until_a_choice_is_made_and_a_place_picked_is_kept() -> None:
    test = AppTest.from_function(linked_page, default_timeout=30)
    test.query_params["people"] = "1000"
    assert test.run().markdown[-1].value == "{'people': 10, 'place': 1} ['people']"
    assert test.run().markdown[-1].value == "{'people': 10, 'place': 1} ['people']"
    test.selectbox[0].set_value(2).run()
    assert test.markdown[-1].value == "{'people': 10, 'place': 2} []"
    test.selectbox[0].set_value(1).run()
    assert test.markdown[-1].value == "{'people': 10, 'place': 1} []"


def listed_page() -> None:
    import streamlit as st

    from riskline.case.fields import Field
    from ui.frame.case import CURRENT, arrive
    from ui.frame.form import Form

    fields = (Field("person", "Person", "count", 0, low=0, high=100),)  # 0 stands for whoever is first
    arrive("demo", fields)
    form = Form("demo", fields)
    picked = form.pick("person", {7: "Ada", 9: "Ben"})
    st.session_state[CURRENT] = "demo"
    st.write(f"{picked} {form.close()}")


def test_the_first_of_a_list_is_picked_without_a_number_until_somebody_picks_another() -> None:
    test = AppTest.from_function(listed_page, default_timeout=30).run()
    assert test.markdown[-1].value == "7 {'person': 0}"
    test.selectbox[0].set_value(9).run()
    assert test.markdown[-1].value == "9 {'person': 9}"
    test.selectbox[0].set_value(7).run()
    assert test.markdown[-1].value == "7 {'person': 7}"


def test_an_address_of_the_same_page_that_asks_for_nothing_takes_its_choices_back() -> None:
    test = AppTest.from_function(linked_page, default_timeout=30)
    test.query_params["people"] = "40"
    assert test.run().markdown[-1].value == "{'people': 40, 'place': 1} []"
    test.query_params.clear()
    assert test.run().markdown[-1].value == "{'people': 10, 'place': 1} []"


def test_the_widgets_of_a_page_are_forgotten_and_those_of_others_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    held = dict.fromkeys(("plan.rounds", "plan.cap", "planet.mass", "case.secret", "_case"), 1)
    monkeypatch.setattr(case.st, "session_state", held)
    case.forget_widgets("plan", "case")
    assert set(held) == {"planet.mass", "_case"}


def test_a_box_beside_a_slider_that_was_forgotten_is_begun_under_another_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser that still shows what was typed in it sends that under the old one."""
    held: dict[str, object] = {}
    monkeypatch.setattr(case.st, "session_state", held)
    box = Form._box_beside("demo.share", 3.0)
    held[box] = "abc"
    assert Form._box_beside("demo.share", 3.0) == box == "demo.share.box"
    case.forget_widgets("demo")
    assert Form._box_beside("demo.share", 3.0) == "demo.share.box.1"


def chosen_elsewhere() -> None:
    import streamlit as st

    from ui.frame.case import STORE
    from ui.frame.form import BEGINS, changed

    st.session_state[STORE] = {"plan": {"rounds": 3, "cap": 0.5}, "positions": {"parties": 2}}
    st.session_state[BEGINS] = {"plan": {"rounds": 3, "cap": 0.9}}
    st.code(repr([changed(stem) for stem in ("plan", "positions", "memo")]))


def test_a_choice_that_came_with_a_file_or_differs_from_what_a_page_began_with_is_somebodys() -> None:
    test = AppTest.from_function(chosen_elsewhere).run()
    assert test.code[0].value == "[{'cap': 0.5}, {'parties': 2}, {}]"
