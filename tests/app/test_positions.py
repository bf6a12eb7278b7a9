"""Compare positions from a deep link."""

from __future__ import annotations

from tests.app.opened_page import open_page, sound, text_of


def test_a_link_opens_four_named_positions() -> None:
    test = open_page("positions", parties="4", name1="<i>Office</i>", edited="4", middle="strictest")
    sound(test)
    text = text_of(test)
    assert "<strong>&lt;i&gt;Office&lt;/i&gt;</strong>" in text
    assert "<i>Office</i>" not in text
    assert "Every limit kept" in text


def test_a_name_that_is_too_long_is_told_and_replaced() -> None:
    test = open_page("positions", name2="x" * 41)
    sound(test)
    assert any("must be 1 to 40 characters; got 41" in element.value for element in test.warning)


def test_a_new_name_is_at_once_in_the_list_of_positions() -> None:
    test = open_page("positions")
    test.text_input(key="positions.name1").set_value("Statistics office").run()
    sound(test)
    assert "Statistics office" in test.selectbox(key="positions.edited").options
    assert test.query_params["name1"] in ("Statistics office", ["Statistics office"])


def test_a_name_that_arrives_with_the_choice_of_another_position_is_kept() -> None:
    test = open_page("positions")
    test.text_input(key="positions.name1").set_value("Statistics office")
    test.selectbox(key="positions.edited").select_index(1)
    test.run()
    sound(test)
    assert test.query_params["name1"] in ("Statistics office", ["Statistics office"])
    text = text_of(test)
    assert "<strong>Statistics office</strong> ε = 1.29" in text
    assert "Agency" not in text
    test.run()
    assert "<strong>Statistics office</strong> ε = 1.29" in text_of(test)


def test_six_positions_open_in_two_rows_and_two_of_one_name_are_told_apart() -> None:
    test = open_page("positions", parties="6", name5="Ministry")
    sound(test)
    text = text_of(test)
    assert "Ministry (5)" in text
    assert "Ministry (6)" in text
    assert test.selectbox(key="positions.edited").options[4:] == ["Ministry (5)", "Ministry (6)"]
    assert any("Numbered" in element.value for element in test.info)


def test_the_strip_marks_the_parties_as_an_example_until_one_is_the_readers_own() -> None:
    marked = "here: an example"
    assert marked in text_of(open_page("positions", case="own", ratio="2.0"))
    assert marked not in text_of(open_page("positions", case="own", ratio="2.0", name1="Ministry"))
    assert marked not in text_of(open_page("positions"))
