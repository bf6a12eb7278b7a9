"""Published budgets: facts kept as printed, one stated conversion, no ranking across units."""

from __future__ import annotations

import dataclasses
import math
from itertools import pairwise

import pytest
from scipy.special import ndtr

from dpcore import deployments
from dpcore.deployments import (
    DEFINITIONS,
    FORMULAS,
    SECTORS,
    adding_up,
    converted,
    deployment,
    formula_fits,
    matching,
    posterior_upper,
    published,
    ranked_by_budget,
    right_guess,
)

PERSONS = deployment("2020 Census redistricting data, persons")
HOUSING = deployment("2020 Census redistricting data, housing units")


def test_every_line_is_complete_and_keeps_its_state_of_checking() -> None:
    names = [entry.name for entry in published()]
    assert len(names) == len(set(names)) == 34
    for entry in published():
        assert entry.definition in DEFINITIONS
        assert entry.sector in SECTORS
        assert entry.model in ("central", "local")
        assert entry.verification
        assert entry.source
        assert entry.as_reported
        assert 2000 < entry.year < 2030
        assert (entry.rho is None) is (entry.definition != "zCDP")
        assert entry.epsilon is not None or entry.rho is not None
        assert entry.definition != "pure" or entry.delta == 0


def test_only_lines_read_at_the_source_say_so() -> None:
    assert PERSONS.verified_at_source
    assert not deployment("Apple QuickType").verified_at_source
    assert not deployment("OnTheMap").verified_at_source


def test_records_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        PERSONS.epsilon = 1.0  # type: ignore[misc]


def test_a_pure_budget_holds_at_every_delta() -> None:
    entry = deployment("Google symptom search trends")
    assert converted(entry, delta=1e-9).epsilon == 1.68
    assert converted(entry, delta=1e-9).formula == "none needed"


def test_a_concentrated_budget_is_converted_by_the_named_formula() -> None:
    found = [converted(PERSONS, delta=1e-10, formula=formula).epsilon for formula in FORMULAS]
    assert found == pytest.approx([17.158, 17.915, 18.259], abs=5e-4)


def test_an_approximate_budget_is_not_taken_below_its_delta() -> None:
    entry = deployment("Google vaccine search insights")
    assert converted(entry, delta=1e-4).epsilon == 2.19
    refused = converted(entry, delta=1e-6)
    assert (refused.epsilon, refused.delta, refused.formula) == (None, None, "")
    assert refused.reason == "stated at delta 1e-05 only; the mechanism's budget at a smaller delta was not published"
    assert "probabilistic" in converted(deployment("OnTheMap"), delta=0.5).reason


@pytest.mark.parametrize(
    ("name", "formula"),
    [
        ("2020 Census redistricting data, persons", "best_order"),
        ("2020 Census DHC, persons", "simple"),
        ("2020 Census DHC, housing units", "simple"),
        ("Facebook Privacy-Protected Full URLs", "refined"),
        ("Facebook URLs, total", "refined"),
        ("Gboard es-ES next-word model", "best_order"),
    ],
)
def test_one_formula_alone_explains_the_published_epsilon(name: str, formula: str) -> None:
    fits = formula_fits(deployment(name))
    assert [fit.formula for fit in fits if fit.fits] == [formula]
    assert fits[0].formula == formula


def test_a_census_release_and_its_successor_use_different_formulas() -> None:
    first = next(fit.formula for fit in formula_fits(PERSONS) if fit.fits)
    later = next(fit.formula for fit in formula_fits(deployment("2020 Census DHC, persons")) if fit.fits)
    assert first != later


def test_adding_converted_epsilons_costs_more_than_adding_rho() -> None:
    both = adding_up(PERSONS, HOUSING)
    assert both.added_epsilons == pytest.approx(19.61)
    assert both.rho == pytest.approx(2.63)
    assert both.converted_once == pytest.approx(17.43, abs=0.005)
    assert both.right_guess == pytest.approx(0.871, abs=5e-4)
    assert 1 - both.read_as_pure == pytest.approx(3.6e-8, rel=0.01)


def test_a_right_guess_equals_the_best_threshold_on_gaussian_noise() -> None:
    separation, prior = math.sqrt(2 * 2.56), 0.2
    best = max(
        prior * (1 - ndtr(cut - separation)) + (1 - prior) * ndtr(cut)
        for cut in [separation * step / 4000 for step in range(-8000, 16_000)]
    )
    assert right_guess(PERSONS, prior=prior) == pytest.approx(best, abs=1e-6)


def test_a_right_guess_is_never_worse_than_the_prior_alone() -> None:
    for entry in published():
        for prior in (0.01, 0.5, 0.99):
            assert max(prior, 1 - prior) - 1e-12 <= right_guess(entry, prior=prior) <= 1


def test_delta_adds_to_a_right_guess() -> None:
    entry = deployment("Victims of trafficking data")
    assert right_guess(entry) == pytest.approx((math.exp(12) + 5.8e-6) / (1 + math.exp(12)), abs=1e-15)


def test_only_pure_budgets_limit_every_posterior() -> None:
    assert posterior_upper(deployment("Apple popular emojis"), prior=0.5) == pytest.approx(1 / (1 + math.exp(-4)))
    assert posterior_upper(deployment("Apple popular emojis"), prior=0.0) == 0.0
    assert posterior_upper(PERSONS, prior=0.5) is None


def test_filters_narrow_and_combine() -> None:
    assert matching() == published()
    chosen = matching(unit_kind="user-day", definition="pure", sector="company", model="local")
    assert {entry.organisation for entry in chosen} == {"Apple"}


def test_alike_budgets_are_ranked() -> None:
    ranked = ranked_by_budget(matching(unit_kind="person", definition="zCDP"))
    assert all((one.rho or 0) <= (two.rho or 0) for one, two in pairwise(ranked))
    assert len(ranked) == 4


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        (published(), "entries must share one unit_kind to be ranked; got birth, device"),
        ((PERSONS, HOUSING), "entries must share one unit_kind to be ranked; got housing unit, person"),
        (
            (deployment("Apple Health types"), deployment("Google symptom search trends")),
            "entries must share one model to be ranked; got central, local",
        ),
        (
            (PERSONS, deployment("Spectus hurricane mobility")),
            "entries must share one definition to be ranked; got pure, zCDP",
        ),
        (
            (deployment("Assistive replies"), deployment("Victims of trafficking data")),
            "entries must share one delta to be ranked; got 1e-07, 5.8e-06",
        ),
        ((), "entries must hold at least one deployment; got none"),
    ],
)
def test_unlike_budgets_are_not_ranked(entries: tuple[deployments.Deployment, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ranked_by_budget(entries)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: deployment("nothing"), "name must be a listed deployment; got 'nothing'"),
        (
            lambda: matching(sector="church"),
            "sector must be one of 'company', 'government', 'non-profit'; got 'church'",
        ),
        (lambda: matching(unit_kind="x"), "unit_kind must be one of 'birth'"),
        (lambda: converted(PERSONS, delta=0), r"delta must lie in \(0, 1\); got 0"),
        (
            lambda: converted(PERSONS, delta=0.1, formula="x"),
            "formula must be one of 'best_order', 'simple', 'refined'",
        ),
        (lambda: FORMULAS["simple"].epsilon(rho=0, delta=0.1), "rho must be greater than 0 and finite; got 0"),
        (lambda: FORMULAS["simple"].epsilon(rho=1, delta=1), r"delta must lie in \(0, 1\); got 1"),
        (
            lambda: formula_fits(deployment("Apple Health types")),
            "entry must report rho, epsilon and delta; got 'eps 2'",
        ),
        (lambda: right_guess(PERSONS, prior=1.0), r"prior must lie in \(0, 1\); got 1"),
        (lambda: posterior_upper(PERSONS, prior=1.2), r"prior must lie in \[0, 1\]; got 1.2"),
        (
            lambda: adding_up(PERSONS, deployment("Wikimedia page views (current)")),
            "first and second must report rho and epsilon at one delta",
        ),
    ],
)
def test_refusals(call: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()  # type: ignore[operator]
