"""The page on noisy releases from its links."""

from __future__ import annotations

from pathlib import Path

import pytest

from riskline.case.link import write_case
from riskline.case.value import Case
from tests.app.opened_page import address, answer, answer_in_words, bring, open_page, sound, stopped_run, text_of
from tests.noisy_folders import files_of, release, written

pytestmark = pytest.mark.usefixtures("runs_here")


def test_a_release_and_a_prior_come_from_the_link() -> None:
    test = open_page("infer", n="100", mean="0.3", variance="0.05", lower="0", upper="1", prior="flat")
    sound(test)
    assert "100 values between 0 and 1" in text_of(test)


def test_an_improper_prior_is_told_and_nothing_typed_is_lost() -> None:
    test = open_page("infer", prior="usual", mean="41")
    sound(test)
    assert "Theorem 17" in "\n".join(element.value for element in test.error)
    assert "41" in [box.value for box in test.text_input]


def test_a_regression_is_computed_from_its_link() -> None:
    test = open_page("infer", part="regression", compute="yes", draw_seed="1")
    sound(test)
    assert "The line rises by" in text_of(test)


def test_a_regression_is_paid_by_one_rho_where_that_is_chosen() -> None:
    decided = write_case(Case().decided(value=0.2, currency="rho"))
    test = open_page("infer", part="regression", **decided)
    sound(test)
    notices = len(test.info)
    assert not [box for box in test.text_input if "ρ of all" in box.label]
    next(group for group in test.button_group if group.label == "Budget").set_value("rho")
    sound(test.run())
    assert len(test.info) == notices - 1  # what is shown is no longer about noise of an ε
    assert test.query_params["currency"] in ("rho", ["rho"])
    assert "ρ = 0.05 for five sums together" in text_of(test)


def test_a_mean_and_a_variance_are_paid_by_rho_from_their_link() -> None:
    decided = write_case(Case().decided(value=0.2, currency="rho"))
    test = open_page("infer", part="moments", currency="rho", rho_mean="0.03", n="100", prior="flat", **decided)
    sound(test)
    alone = "this holds for ε alone"
    assert alone not in " ".join(one.value for one in test.info)
    assert {"ρ of the mean", "ρ of the variance"} <= {box.label for box in test.text_input}
    assert "Each ρ counts one value replaced by any other." in text_of(test)
    told = answer(test)
    test.text_input(key="infer.rho_mean").set_value("0.5").run()
    sound(test)
    assert test.query_params["rho_mean"] in ("0.5", ["0.5"])
    assert answer(test) != told
    next(group for group in test.button_group if group.label == "Budget").set_value("epsilon")
    sound(test.run())
    assert "Each ε counts" in text_of(test)
    assert alone in " ".join(one.value for one in test.info)


def test_the_study_tells_its_command() -> None:
    test = open_page("infer", part="coverage", measure="length")
    sound(test)
    assert any("dpcore.inference.coverage" in code.value for code in test.code)


def test_the_last_draws_stay_greyed_while_new_ones_are_not_there() -> None:
    test = open_page("infer", part="regression", compute="yes", draw_seed="1")
    told = answer(test)
    assert "riskline-stale" not in told
    (key,) = test.session_state["_runs"]["draws of the regression"]
    stopped = stopped_run()  # new draws, stopped by the reader
    release, prior, seed = key
    test.session_state["_runs"]["draws of the regression"][release, prior, seed] = stopped
    test.run()
    sound(test)
    assert answer(test).replace("riskline-answer riskline-stale", "riskline-answer") == told
    assert "riskline-stale" in answer(test)
    next(button for button in test.button if button.label == "Go on drawing").click()
    test.run()
    sound(test)
    assert answer(test) == told


def test_typed_sums_are_computed_when_they_are_all_there() -> None:
    test = open_page("infer", part="regression", sums="own", compute="yes")
    told, runs = answer(test), test.session_state["_runs"]["draws of the regression"]
    assert "riskline-stale" not in told
    assert "Compute with these" not in [button.label for button in test.button]
    for name, text in (("sum_x", "20"), ("sum_xx", "12")):
        test.text_input(key=f"infer.{name}").set_value(text).run()
        sound(test)
        assert len(runs) == 1
        assert answer(test).replace("riskline-answer riskline-stale", "riskline-answer") == told
        assert "riskline-stale" in answer(test)
    next(button for button in test.button if button.label == "Compute with these").click()
    test.run()
    sound(test)
    assert len(runs) == 2
    assert "riskline-stale" not in answer(test)
    assert answer(test) != told


def test_a_noisy_folder_is_the_one_that_publish_holds(tmp_path: Path) -> None:
    test = open_page("infer", part="folder", data="own", area="2")
    sound(test)
    assert any("No folder yet" in one.value for one in test.info)
    bring(test, files_of(written(tmp_path, release(name="Winter babies"))))
    assert not test.info
    assert "_own_folder" in test.session_state
    assert any("2 tables, 64 areas" in one.value for one in test.caption)
    for name, place in (("time", 2), ("of_level", 2), ("cell", 3), ("table", 2)):
        test.selectbox(key=f"infer.{name}").set_value(place)
        sound(test.run())
    assert "All (Deaths" in text_of(test)
    assert "given all levels" in text_of(test)
    assert set(test.query_params) == {"part", "data", "table", "time", "of_level", "cell"}
    assert "Winter" not in str(test.query_params)
    next(one for one in test.button if one.label == "Forget this folder").click()
    sound(test.run())
    assert "_own_folder" not in test.session_state


def test_a_flat_prior_moves_the_answer() -> None:
    test = open_page("infer")
    assert "between 5 and 45" in answer_in_words(test)
    test.selectbox(key="infer.prior").set_value("flat").run()
    sound(test)
    assert "between 17 and 62" in answer_in_words(test)
    assert address(test) == {"infer_prior": "flat"}


def test_a_count_of_a_noisy_folder_follows_its_area() -> None:
    test = open_page("infer", part="folder", area="3", cell="1")
    assert "Block 3, under voting age: between" in answer_in_words(test)
    test.selectbox(key="infer.of_level").set_value(3).run()
    sound(test)
    assert "Invented county, under voting age: between" in answer_in_words(test)
    assert address(test)["of_level"] == "3"
    assert len(test.get("plotly_chart")) == 1
    assert any("--posterior" in code.value for code in test.code) or "--posterior" in text_of(test)
