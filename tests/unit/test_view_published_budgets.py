"""What a published budget says to a reader's own question: the secret and the unit are the reader's."""

from __future__ import annotations

import pytest
from scipy.special import expit, logit

from dpcore.deployments import deployment, published
from dpcore.guarantees import ApproximateDP, ProbabilisticDP, PureDP, ZeroConcentratedDP
from riskline.answers.published import UNITS, Meaning, Place, beside, meaning_of
from ui.pictures.style import Style
from ui.views.shared.published_budgets import as_published, compared, guess_words, spent_words, told_alike
from ui.words.phrasing import frequency
from ui.words.quantities import Upper

PERSONS = deployment("2020 Census redistricting data, persons")


def test_beside_a_question_about_a_household_a_persons_budget_counts_for_each_member() -> None:
    found = {item.entry.name: item for item in beside(secret="value", unit="household", group=4, most=30)}
    household, person = found["2020 Census Detailed DHC-B"], found[PERSONS.name]
    assert (household.units, person.units) == (1, 4)
    assert household.unit_words == "household"
    assert person.unit_words == "4 × person"
    assert person.meaning.protection.guarantee is not None
    assert person.meaning.protection.guarantee.rho == 16 * 2.56  # type: ignore[union-attr]
    assert all(item.entry.model == "central" for item in found.values())


def said(meaning: Meaning, voice: str = "plain", *, central: bool = True) -> str:
    return guess_words(meaning, told_alike(Style(voice=voice), meaning), central=central)


def test_beside_a_question_about_days_a_days_budget_counts_for_each_day() -> None:
    found = {item.entry.name: item for item in beside(secret="presence", unit="days", group=7, prior=0.01, most=40)}
    week = found["Google symptom search trends"]
    assert week.units == 7
    assert week.meaning.posterior is not None
    assert week.meaning.posterior.value == pytest.approx(expit(logit(0.01) + 7 * 1.68))
    assert found[PERSONS.name].meaning.right_guess is None
    values = {item.entry.name: item for item in beside(secret="value", unit="days", group=7, prior=0.01, most=40)}
    fortnight = values["Google symptom search trends"].meaning.posterior
    assert fortnight is not None
    assert fortnight.value == pytest.approx(expit(logit(0.01) + 14 * 1.68))
    conditional = found["Meta Movement Range Maps"].meaning
    assert conditional.conditional
    assert said(conditional).startswith("only if added or removed: nearly ")


@pytest.mark.parametrize("unit", ["person", "records", "household", "days"])
def test_what_stands_beside_is_in_order_of_year_and_its_own_unit_comes_first(unit: str) -> None:
    found = beside(secret="value", unit=unit, group=3, most=6)
    assert len(found) == 6
    years = [item.entry.year for item in found]
    assert years == sorted(years)
    own = {"household": "housing unit", "days": "user-day"}.get(unit, "person")
    assert any(item.entry.unit_kind == own for item in found)
    more = [item for item in beside(secret="value", unit=unit, group=3, most=30) if item.entry.unit_kind in UNITS[unit]]
    if len(more) > 6:  # of those alike, the newest
        assert years == sorted(item.entry.year for item in more)[-6:]
    kinds = {"household": {"household", "housing unit"}, "days": {"user-day", "device-day"}}.get(unit)
    if kinds is not None:  # every budget answers about a value, so those of the unit itself come before the others
        everything = [entry for entry in published() if entry.unit_kind in kinds and entry.model == "central"]
        assert sum(item.entry.unit_kind in kinds for item in found) == min(6, len(everything))


def test_every_guarantee_is_written_with_its_letters_rounded_up() -> None:
    assert spent_words(PureDP(epsilon=3.36001)) == "ε = 3.361"
    assert spent_words(ApproximateDP(epsilon=8, delta=5.55e-6)) == "ε = 8, δ = 5.6e-6"
    assert spent_words(ProbabilisticDP(epsilon=1, delta=0.1)) == "ε = 1, δ = 0.1"
    assert spent_words(ZeroConcentratedDP(rho=10.24)) == "ρ = 10.24"


def test_a_budget_is_shown_with_the_digits_that_were_printed() -> None:
    assert as_published(deployment("2020 Census DHC, housing units")) == "ρ = 7.70; ε = 34.33 at δ = 1e-10"
    assert as_published(deployment("Google symptom search trends")) == "ε = 1.68"


def test_a_guess_is_said_as_a_bound_or_with_why_there_is_none() -> None:
    assert said(meaning_of(PERSONS, secret="value")) == "at most 95 in 100"
    assert said(meaning_of(PERSONS, secret="value"), voice="technical") == "at most 0.9463"
    assert said(meaning_of(PERSONS, secret="presence")) == "not promised: about replaced units"
    local = meaning_of(deployment("Windows telemetry"), secret="presence")
    assert said(local, central=False) == "not promised: taking part is visible"


def test_budgets_that_answer_the_question_come_first() -> None:
    found = beside(secret="presence", unit="person", group=1, most=4)
    assert {item.meaning.case for item in found} == {"promised"}
    assert {item.entry.name for item in found} == {
        *("Victims of trafficking data", "Assistive replies"),
        *("Recurve energy, as published", "Recurve energy, corrected"),
    }
    more = beside(secret="presence", unit="person", group=1, most=6)
    assert {item.meaning.case for item in more} == {"promised", "only_if"}


def test_those_with_the_same_limit_are_among_all_that_are_compared() -> None:
    assert "With 1 of 6 published budgets" in compared(Upper(0.7, frequency), Place(less=1, more=2, alike=3))
