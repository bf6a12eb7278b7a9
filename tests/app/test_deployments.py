"""Published budgets from a deep link."""

from __future__ import annotations

from riskline.case.link import write_case
from riskline.case.value import Case
from tests.app.opened_page import answer_in_words, open_page, sound, text_of
from ui.pictures.style import Style
from ui.views.public import PublicInputs, public_view


def test_a_link_opens_a_budget_its_formula_and_the_refusal_to_rank() -> None:
    test = open_page("deployments", chosen="2020-census-dhc-housing-units", formula="simple", order="budget")
    sound(test)
    text = text_of(test)
    assert "ε = 34.34" in text  # 34.331, rounded up
    assert "riskline-badge" in text
    assert any("Not ranked" in element.value for element in test.info)


def test_a_link_of_version_0_1_answers_about_a_value_and_a_new_one_about_presence() -> None:
    test = open_page("deployments", chosen="google-symptom-search-trends", prior="0.01")
    sound(test)
    assert "**" not in text_of(test)
    assert "23 in 100" in text_of(test)
    test = open_page("deployments", chosen="google-symptom-search-trends", prior="0.01", secret="presence")
    sound(test)
    assert "6 in 100" in text_of(test)
    test = open_page("deployments", secret="presence")
    sound(test)
    assert "says nothing about who is in" in text_of(test)


def test_a_filter_that_leaves_nothing_says_so() -> None:
    test = open_page("deployments", unit="birth", sector="company")
    sound(test)
    assert any("No budget fits" in element.value for element in test.error)


def test_a_link_sets_noisy_training_beside_the_list_and_one_to_a_file_says_what_is_missing() -> None:
    test = open_page("deployments", also="subsampled_gaussian", steps="10", secret="presence", prior="0.5")
    assert "Noisy training (σ = 1, q = 0.01, 10 steps)" in text_of(test)
    test.selectbox(key="deployments.also").set_value("own_mechanism").run()
    sound(test)
    assert "A link holds no file: give the mechanism's." in text_of(test)


def test_a_budget_of_the_case_is_compared_about_its_undecided_secret() -> None:
    case = Case(ratio=2.0)
    page = open_page("deployments", **write_case(case))
    sound(page)
    assert page.selectbox(key="deployments.secret").value == case["secret"] == "presence"
    told = public_view(PublicInputs(case=case), Style()).asked[-1].answer
    assert answer_in_words(page) == told.replace("**", "")
    nothing = open_page("deployments", case="own", prior="0.1")  # of the case is compared, and the list is of values
    assert nothing.selectbox(key="deployments.secret").value == "value"
