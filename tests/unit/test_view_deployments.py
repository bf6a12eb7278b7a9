"""What the page 'deployments' claims: published digits kept, conversions named, nothing ranked across units."""

from __future__ import annotations

import itertools
import math

import pytest

from dpcore.deployments import converted, deployment, published
from ui.figures.look import Look
from ui.views.deployments import (
    FIELDS,
    FORMULA_NAMES,
    HOUSING,
    NAMES,
    PERSONS,
    SHORT,
    UNIT_KINDS,
    DeploymentsInputs,
    code_of,
    deployments_view,
)

PLAIN, TECHNICAL = Look(), Look(voice="technical")


def test_the_default_sentence_is_true_and_plain() -> None:
    view = deployments_view(DeploymentsInputs(), PLAIN)
    assert view.answer == (
        "**2020 Census redistricting data, persons** publishes **ρ = 2.56; ε = 17.14 at δ = 1e-10** per person. "
        "With Gaussian noise, the best guess of whoever thought a secret about one unit **50 in 100** "
        "likely would be right **87 in 100** times, instead of **50 in 100**."
    )
    assert view.meaning is not None
    assert view.meaning.exact
    # Φ(√(2ρ)/2) by the error function, not by the library's own route
    assert view.meaning.right_guess == pytest.approx(0.5 * (1 + math.erf(math.sqrt(2 * 2.56) / 2 / math.sqrt(2))))


@pytest.mark.parametrize(
    ("name", "formula", "digits", "printed"),
    [
        (PERSONS, "best_order", 2, "17.16"),
        ("2020 Census DHC, persons", "simple", 2, "26.33"),
        ("2020 Census DHC, housing units", "simple", 2, "34.33"),
        ("Facebook Privacy-Protected Full URLs", "refined", 3, "0.449"),
        ("Facebook URLs, total", "refined", 3, "1.844"),
        ("Gboard es-ES next-word model", "best_order", 2, "8.92"),
    ],
)
def test_each_published_conversion_is_reproduced_with_its_formula_named(
    name: str, formula: str, digits: int, printed: str
) -> None:
    view = deployments_view(DeploymentsInputs(), PLAIN)
    (fit,) = [fit for fit in view.fits if fit.entry.name == name]
    assert f"{fit.values[formula]:.{digits}f}" == printed
    assert fit.fitting == (formula,)
    assert view.formulas is not None
    (row,) = [row for row in view.formulas.rows if row[0] == name]
    assert row[-1] == FORMULA_NAMES[formula]
    column = view.formulas.columns.index(FORMULA_NAMES[formula])
    assert row[column] == f"**{fit.values[formula]:.3f}**"


def test_the_lesson_adds_rho_before_it_converts() -> None:
    for look in (PLAIN, TECHNICAL):
        view = deployments_view(DeploymentsInputs(), look)
        assert view.lesson is not None
        for words in ("**19.61**", "**2.63**", "**17.4**", "**87 %**", "**99.999996 %**"):
            assert words in view.lesson_words, words
        assert view.lesson_table is not None
        assert view.lesson_table.rows[2][2] == "19.61"
        assert view.lesson_table.rows[3][1:] == ("2.63", "17.4")


def test_the_chosen_formula_and_delta_convert_and_are_named() -> None:
    inputs = DeploymentsInputs(chosen=code_of("Facebook URLs, total"), formula="refined", delta=1e-5)
    view = deployments_view(inputs, TECHNICAL)
    assert "Converted: ε = 1.845." in view.small_print  # 1.84417, an upper bound, rounded up
    assert "√(4ρ log(√(πρ)/δ))" in view.computed
    assert "Bun and Steinke, Lemma 3.5" in view.computed
    assert view.conversion == converted(deployment("Facebook URLs, total"), delta=1e-5, formula="refined")


def test_a_converted_budget_is_rounded_up() -> None:
    view = deployments_view(DeploymentsInputs(), PLAIN)
    assert view.conversion is not None
    assert view.conversion.epsilon is not None
    shown = float(view.numbers[1][1].removeprefix("ε = "))
    assert view.conversion.epsilon <= shown <= view.conversion.epsilon + 0.011


def test_mixed_units_are_not_ranked_and_a_sentence_says_why() -> None:
    view = deployments_view(DeploymentsInputs(order="budget"), PLAIN)
    assert view.not_ranked.startswith("Not ranked by budget: these budgets protect 13 different units (birth, device")
    assert view.refusal is None
    groups = [entry.unit_kind for entry in view.entries]
    assert len(groups) == len(published())
    assert sum(a != b for a, b in itertools.pairwise(groups)) == len(set(groups)) - 1  # groups stay together


def test_one_unit_with_two_models_of_trust_is_not_ranked_either() -> None:
    view = deployments_view(DeploymentsInputs(order="budget", unit="user-day"), PLAIN)
    assert "2 different models of trust (central, local)" in view.not_ranked


def test_what_is_alike_is_ranked() -> None:
    view = deployments_view(
        DeploymentsInputs(order="budget", unit="person", definition="zCDP", change="replace"), PLAIN
    )
    assert view.not_ranked == ""
    rhos = [entry.rho or 0.0 for entry in view.entries]
    assert rhos == sorted(rhos)


def test_filters_keep_what_they_say() -> None:
    view = deployments_view(DeploymentsInputs(sector="government", definition="pure"), PLAIN)
    assert [entry.name for entry in view.entries] == ["Israel live births 2014"]
    assert view.ruler is not None
    assert "**1 kind of unit**" in view.ruler.reading
    nothing = deployments_view(DeploymentsInputs(unit="birth", sector="company"), PLAIN)
    assert nothing.refusal == "No published budget in the list has this unit, definition, sector and relation together."


def test_a_pure_budget_limits_belief_and_the_others_say_that_they_do_not() -> None:
    pure = deployments_view(DeploymentsInputs(chosen=code_of("Google symptom search trends"), prior=0.01), PLAIN)
    assert "can come to think it **23 in 100** likely at most" in pure.answer  # 0.2253, rounded up
    approximate = deployments_view(DeploymentsInputs(chosen=code_of("LinkedIn Audience Engagements")), PLAIN)
    assert "no belief is ruled out" in approximate.small_print
    assert approximate.numbers[3][1] == "no limit"
    assert approximate.conversion is not None
    assert approximate.conversion.epsilon is None
    assert approximate.numbers[1][2].startswith("stated at delta 7e-09 only")


@pytest.mark.parametrize("code", NAMES)
def test_every_budget_is_told_in_both_voices(code: str) -> None:
    for look in (PLAIN, TECHNICAL):
        view = deployments_view(DeploymentsInputs(chosen=code, prior=0.05), look)
        assert view.refusal is None
        assert view.answer.startswith(f"**{NAMES[code]}**")
        assert view.listing is not None
        assert len(view.listing.rows) == len(published())


def test_codes_and_short_names_belong_to_one_budget_each() -> None:
    assert len(NAMES) == len(published())
    assert set(SHORT) <= {entry.name for entry in published()}
    shown = [SHORT.get(entry.name, entry.name) for entry in published()]
    assert len(set(shown)) == len(shown)
    assert max(map(len, shown)) <= 26  # room for the ruler on a phone
    assert set(UNIT_KINDS.values()) == {entry.unit_kind for entry in published()}


def test_the_choices_of_the_inputs_are_those_of_the_link() -> None:
    defaults = DeploymentsInputs()
    assert {field.name: field.default for field in FIELDS} == defaults.__dict__


def test_the_table_twin_keeps_printed_digits_and_badges_become_words_in_a_spreadsheet() -> None:
    view = deployments_view(DeploymentsInputs(), PLAIN)
    assert view.ruler is not None
    (row,) = [row for row in view.ruler.table.rows if row[0] == "2020 Census DHC, housing units"]
    assert row[4] == "7.70"
    assert view.listing is not None
    (listed,) = [line for line in view.listing.as_csv().splitlines() if line.startswith(f'"{HOUSING}')]
    assert "housing unit; zCDP; central model; government" in listed
