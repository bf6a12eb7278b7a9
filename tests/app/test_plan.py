"""The page *Several releases* from a deep link."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
import streamlit as st

from riskline.case.releases import MOST_ROWS, LedgerRow
from tests.app.opened_page import address, answer, open_page, sound, text_of


def test_plan_opens_in_the_state_of_its_link() -> None:
    test = open_page("plan", rows="p~0.05~1~~Query", every="release", rounds="96", cap="0.8", failure="0.05")
    sound(test)
    assert "<strong>80 in 100</strong>" in text_of(test)


def test_a_bad_cell_is_a_sentence_and_stays_in_the_ledger() -> None:
    test = open_page("plan", rows="g~0.01~1%2C234~~1%2C234 counts!g~0.01~-4~~Count")
    sound(test)
    told = [element.value.replace("\\", "") for element in test.caption if "comma" in element.value]
    assert told == ["Row 1, how often in a round: read as 1234: the comma stands between thousands."]
    assert any("how often must be from 1 to" in element.value.replace("\\", "") for element in test.error)
    assert test.session_state["_choices"]["plan"]["rows"][1].often == "-4"


def test_what_a_noise_ignores_is_told_of_three_rows() -> None:
    test = open_page("plan", rows="!".join(["g~0.1~1~1e-6"] * 4))
    told = [element.value.replace("\\", "") for element in test.caption if "ignores" in element.value]
    assert told == [f"Row {row}: Gaussian noise (ρ) ignores “1e-6”." for row in (1, 2, 3)]


def test_a_hostile_ledger_is_told() -> None:
    test = open_page("plan", rows="!".join(["g~1"] * 500))
    sound(test)
    assert any("must hold at most 200 rows; got 500" in element.value for element in test.warning)


def test_a_row_whose_noise_is_unknown_is_refused_beside_the_ledger_and_its_noise_can_be_chosen() -> None:
    test = open_page("plan", rows="g~0.01~1~~Count!xLaplce~0.1~1~~Other")
    assert any("Row 2" in element.value and "which noise" in element.value for element in test.error)
    test.selectbox(key="_plan_row").set_value(1).run()
    noise = next(box for box in test.selectbox if box.label == "Its noise")
    assert noise.value is None
    noise.set_value("laplace").run()
    assert not test.error
    assert test.session_state["_choices"]["plan"]["rows"][1].kind == "laplace"


def test_a_row_that_is_added_is_waited_for_and_a_step_back_can_be_taken_again() -> None:
    test = open_page("plan", rows="g~0.01~1~~Count")
    test.button(key="plan.action.add").click().run()
    assert not test.error
    assert any("Row 2 needs noise and budget" in element.value for element in test.caption)
    assert test.session_state["_plan_row"] == 1
    test.button(key="plan.action.Undo").click().run()
    assert len(test.session_state["_choices"]["plan"]["rows"]) == 1
    test.button(key="plan.action.Redo").click().run()
    assert len(test.session_state["_choices"]["plan"]["rows"]) == 2


def test_a_link_with_a_row_that_is_waited_for_answers_the_others_as_where_it_is_typed() -> None:
    typed = open_page("plan", rows="g~0.01~1~~Count!z~0.1~1~~Table", rounds="3")
    typed.button(key="plan.action.add").click().run()
    linked = open_page("plan", **address(typed))
    sound(linked)
    assert not linked.error
    assert "riskline-stale" in answer(linked)
    assert answer(linked) == answer(typed)
    assert text_of(linked) == text_of(typed)
    assert any("Row 3 needs noise and budget" in element.value for element in linked.caption)
    typed.slider(key="plan.rounds").set_value(9).run()  # a choice beside the row counts at once
    assert answer(linked) != answer(typed) == answer(open_page("plan", **address(typed)))
    alone = open_page("plan", rows="g~~1")
    sound(alone)
    assert "riskline-stale" in answer(alone)
    assert any("Row 1 needs noise and budget" in element.value for element in alone.caption)


def test_the_row_at_hand_is_followed_when_it_moves() -> None:
    test = open_page("plan", rows="g~0.01~1~~A!g~0.02~1~~B!g~0.03~1~~C")
    for _ in range(2):
        test.button(key="plan.action.Move down").click().run()
    assert [row.name for row in test.session_state["_choices"]["plan"]["rows"]] == ["B", "C", "A"]


def test_rows_pasted_with_their_heads_stand_under_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser pastes cell by cell; what it then sends is a table whose first row is heads, in an order of its own."""
    heads = ["How often in a round", "What is released", "Budget of one release", "How", "", ""]
    drawn = st.data_editor
    shown: list[pd.DataFrame] = []

    def pasting(frame: pd.DataFrame, **named: Any) -> pd.DataFrame:
        shown.append(drawn(frame, **named))
        if len(shown) > 1:
            return shown[-1]
        typed = ["12", "A", "0.1", "Laplace noise (ε)", "", ""]
        return pd.DataFrame([heads, typed], columns=frame.columns, dtype="object")

    monkeypatch.setattr(st, "data_editor", pasting)
    test = open_page("plan", rows="g~0.01~1~~Count")
    sound(test)
    assert test.session_state["_choices"]["plan"]["rows"] == (LedgerRow("A", "laplace", "0.1", "", "12"),)
    assert shown[-1].to_numpy().tolist() == [["A", "Laplace noise (ε)", "0.1", "", "12", ""]]
    assert test.query_params["rows"] == "l~0.1~12~~A"


def test_a_mechanism_of_ones_own_is_released_besides_from_a_link_or_a_file() -> None:
    test = open_page("plan", also="subsampled_gaussian", steps="100", noise_multiplier="2")
    sound(test)
    assert "With noisy training (DP-SGD), they" in text_of(test)
    assert [box.value for box in test.text_input if box.label in ("Noise σ", "Steps")] == ["2", "100"]
    assert any("sparse vector" in caption.value for caption in test.caption)
    test.selectbox(key="plan.also").set_value("own_mechanism").run()
    assert any("give the mechanism's" in element.value for element in test.error)
    test.file_uploader[-1].set_value(("own.csv", b"epsilon,delta\n1,0\n0.2,0.3\n", "text/csv")).run()
    assert not test.error
    assert "a mechanism in your file" in text_of(test)
    test.file_uploader[-1].set_value(("own.csv", b"noise_multiplier,rate,steps\n2,0.1,10\n", "text/csv")).run()
    sound(test)
    chosen = test.session_state["_choices"]["plan"]
    assert (chosen["also"], chosen["noise_multiplier"], chosen["steps"]) == ("subsampled_gaussian", 2.0, 10)
    assert "noisy training (σ = 2, q = 0.1, 10 steps)" in text_of(test)


def test_a_number_that_a_row_s_noise_does_not_have_is_told_and_changes_nothing() -> None:
    with_none, with_one = (open_page("plan", case="own", rows=f"g~0.01~1~{delta}~A") for delta in ("", "-3"))
    assert answer(with_one) == answer(with_none)
    told = r"Row 1\: Gaussian noise (ρ) ignores “-3”."
    assert [told in [element.value for element in page.caption] for page in (with_none, with_one)] == [False, True]
    assert not with_one.error
    moved = open_page("plan", case="own", rows="a~0.1~1~1e-6~B!p~0.1~1~0~A~30")
    told = [element.value for element in moved.caption if "ignores" in element.value]
    assert told == [r"Row 2\: any mechanism, pure ε ignores “30”."]


def test_a_full_ledger_takes_no_more_rows_and_still_loses_one() -> None:
    for rows, full in ((MOST_ROWS, True), (MOST_ROWS - 1, False)):
        test = open_page("plan", case="own", rows="!".join(["p~0.001~1"] * rows))
        off = {button.label: button.disabled for button in test.button}
        assert (off["New row"], off["Duplicate"]) == (full, full)
        assert not off["Delete"]


def test_a_row_that_is_released_twice_doubles_what_it_costs_until_it_is_deleted() -> None:
    test = open_page("plan")
    once = answer(test)
    assert "day 112" in text_of(test)
    test.button(key="plan.action.Duplicate").click().run()
    sound(test)
    assert "day 56" in text_of(test)
    assert "day 112" not in text_of(test)
    test.button(key="plan.action.Delete").click().run()
    sound(test)
    assert answer(test) == once


def test_a_published_scenario_is_one_press_away() -> None:
    test = open_page("plan")
    test.button(key="plan.preset.3").click().run()  # small releases
    sound(test)
    assert "80 in 100" in answer(test)
    assert "guaranteed up to release 102" in text_of(test)
    assert address(test)["rounds"] == "96"
