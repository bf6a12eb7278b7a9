"""The pages on exact totals, tables that add up and public information open in the state of their links."""

from __future__ import annotations

import pytest

from riskline.case.link import write_case
from riskline.case.value import Case
from tests.app.opened_page import open_page, sound, stopped_run, text_of


def told(test) -> str:
    return "\n".join(element.value for element in test.warning).replace("\\", "")


def test_exact_totals_opens_in_the_state_of_its_link() -> None:
    test = open_page("exact_totals", table="0~0~0_3~5~8", exact="rows")
    sound(test)
    assert "The totals alone give away <strong>3 cells</strong>" in text_of(test)
    assert test.text_area[0].value == "0 0 0\n3 5 8"


def test_a_link_with_contradictory_totals_is_told() -> None:
    test = open_page("exact_totals", table="8~6~4=19_3~5~8=16")
    sound(test)
    assert "the cells of row 1 add up to 18; its total is given as 19" in told(test)
    assert test.text_area[0].value == "8 6 4\n3 5 8"


def test_a_link_with_too_many_cells_is_told() -> None:
    test = open_page("add_up", counts="~".join(["1"] * 201))
    sound(test)
    assert "must have at most 200 cells; got 201" in told(test)


def test_districts_of_a_link_are_on_the_page_of_costs_and_a_faulty_line_is_told() -> None:
    test = open_page("accuracy", places="Ash~40_<b>~0_7", more_than="0", seed="3")
    sound(test)
    assert "Of <strong>3</strong> districts" in text_of(test)
    assert '<th scope="row">&lt;b&gt;</th>' in text_of(test)
    box = next(area for area in test.text_area if area.label == "Your districts")
    assert box.value == "Ash; 40\n<b>; 0\n7"
    box.set_value("Ash; 40\nBirch").run()
    sound(test)
    assert any("line 2 must end with a whole number; got 'Birch'" in one.value for one in test.markdown)
    assert "Of <strong>3</strong> districts" in text_of(test)
    next(button for button in test.button if button.label == "Draw again").click().run()
    assert test.query_params["seed"] == "4"


def test_exact_totals_begin_with_the_rho_of_the_case_and_open_with_one_from_a_link() -> None:
    case = Case(secret="value").decided(value=0.36, currency="rho")
    test = open_page("exact_totals", **write_case(case))
    sound(test)
    assert test.text_input(key="exact_totals.rho").value == "0.36"
    assert not [box for box in test.text_input if box.key == "exact_totals.epsilon"]
    assert "trying" not in text_of(test)
    test = open_page("exact_totals", guarantee="zero_concentrated", rho="0.2", failure="0.05", exact="both")
    sound(test)
    assert "except with a probability of 5 in 100" in text_of(test)
    assert "trying ρ = 0.20" in text_of(test)
    assert "Drawn cells can be negative" in text_of(test)
    test.segmented_control(key="exact_totals.guarantee").set_value("pure").run()
    sound(test)
    assert "except with" not in text_of(test)
    assert "trying ε = 1.00" in text_of(test)


def test_add_up_opens_in_the_state_of_its_link() -> None:
    test = open_page("add_up", rule="webster", counts="12~7~3", learn="yes", seed="4")
    sound(test)
    assert "With the Webster rule" in text_of(test)
    assert "a reader knows the largest part within about" in text_of(test)
    assert "(seed 4), not for release" in text_of(test)


def test_add_up_begins_with_halves_of_the_rho_of_the_case_and_opens_with_one_from_a_link() -> None:
    case = Case(secret="value").decided(value=0.36, currency="rho")
    test = open_page("add_up", **write_case(case))
    sound(test)
    assert [test.text_input(key=f"add_up.rho_{name}").value for name in ("total", "parts")] == ["0.18", "0.18"]
    assert not [box for box in test.text_input if box.key == "add_up.epsilon_total"]
    assert "trying" not in text_of(test)
    test = open_page(
        "add_up", guarantee="zero_concentrated", rho_total="0.2", rho_parts="0.5", counts="9~4", learn="yes"
    )
    sound(test)
    assert "ρ = 0.7 on whether somebody is there, ρ = 1 on which part" in text_of(test)
    assert "trying ρ = 0.70" in text_of(test)
    assert "a reader knows the largest part within about" in text_of(test)


def test_a_case_that_spends_a_rho_is_told_that_results_are_for_an_epsilon() -> None:
    """A count of a noisy folder has the noise of its own record, and is told nothing."""
    cases = {currency: Case(secret="value").decided(value=0.5, currency=currency) for currency in ("rho", "epsilon")}
    for stem, chosen in (("infer", {}), ("infer", {"part": "folder"})):
        for currency, case in cases.items():
            test = open_page(stem, **chosen, **write_case(case))
            sound(test)
            said = any("Your case spends ρ" in one.value for one in test.info)
            assert said == (currency == "rho" and not chosen), (stem, chosen, currency)


def test_what_is_worked_out_can_be_stopped_and_older_conclusions_are_told(
    runs_here: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    test = open_page("add_up", counts="5~3~2", learn="yes")
    sound(test)
    older = "This is for other numbers"
    assert not [one for one in test.info if older in one.value]
    (key,) = test.session_state["_runs"]["learned"]
    stopped = stopped_run()  # another run, stopped by the reader
    counts, total, parts, seed = key
    test.session_state["_runs"]["learned"][counts, total, parts, seed] = stopped
    test.run()
    sound(test)
    assert [one for one in test.info if older in one.value]
    next(button for button in test.button if button.label == "Go on sampling").click().run()
    assert not [one for one in test.info if older in one.value]
    left: list[str] = []
    monkeypatch.setattr("ui.runs.follow.leave", left.append)
    test.toggle[-1].set_value(False).run()
    sound(test)
    assert left == ["learned"]  # nobody waits for it any more


def test_public_information_draws_all_its_lines_from_a_link() -> None:
    test = open_page("public_information", side="helps", records="2000", public="200", rounds="2", repeats="1")
    sound(test)
    assert "Largest error of any share" in text_of(test)
    assert not [button for button in test.button if button.label == "Stop drawing"]
