"""Published budgets: facts kept as printed, one stated conversion, no ranking across units."""

from __future__ import annotations

import dataclasses
import math
from itertools import pairwise

import pytest
from scipy.special import expit, ndtr

from dpcore import deployments
from dpcore.deployments import (
    CONFIDENCES,
    DEFINITIONS,
    FORMULAS,
    RELATIONS,
    SECTORS,
    Basis,
    ConversionFormula,
    adding_up,
    converted,
    deployment,
    formula_fits,
    gaussian_right_guess,
    guarantee_of,
    matching,
    posterior_upper,
    production_budgets,
    protection,
    published,
    ranked_by_budget,
    right_guess,
    secret_trade_off,
)
from dpcore.guarantees import ApproximateDP, ProbabilisticDP, PureDP, Relation, ZeroConcentratedDP
from dpcore.promise import Secret, Unit
from tests.each import each

PERSONS = deployment("2020 Census redistricting data, persons")
HOUSING = deployment("2020 Census redistricting data, housing units")
TRENDS = deployment("Google symptom search trends")
BIRTHS = deployment("Israel live births 2014")
EMOJIS = deployment("Apple popular emojis")
JOBS = deployment("OnTheMap")
URLS = deployment("Facebook URLs, total")

# Typed a second time from the sources' words, apart from the file: name, definition, epsilon, delta, rho, relation.
SECOND_COPY = """
2020 Census redistricting data, persons | zCDP | 17.14 | 1e-10 | 2.56 | replace
2020 Census redistricting data, housing units | zCDP | 2.47 | 1e-10 | 0.07 | replace
2020 Census DHC, persons | zCDP | 26.34 | 1e-10 | 4.96 | replace
2020 Census DHC, housing units | zCDP | 34.33 | 1e-10 | 7.70 | replace
2020 Census Detailed DHC-A | zCDP | | | 19.776 | replace
2020 Census Detailed DHC-B | zCDP | | | 17.79 | replace
2020 Census Supplemental DHC | zCDP | | | 2.515 | replace
Israel live births 2014 | pure | 9.98 | 0 | | unknown
Wikimedia page views (current) | zCDP | 1 | 1e-7 | 0.015 | add_or_remove
Wikimedia page views (historical) | pure | 1 | 0 | | add_or_remove
Wikimedia geoeditors monthly | pure | 2 | 0 | | add_or_remove
Google Community Mobility Reports | pure | 2.64 | 0 | | add_or_remove
Google symptom search trends | pure | 1.68 | 0 | | add_or_remove
Google vaccine search insights | approximate | 2.19 | 1e-5 | | add_or_remove
Google shared mobility data set | approximate | 0.66 | 2.1e-29 | | add_or_remove
Gboard es-ES next-word model | zCDP | 8.9 | 1e-10 | 0.81 | add_or_remove
Apple popular emojis | pure | 4 | 0 | | local
Apple QuickType | pure | 16 | 0 | | local
Apple Lookup hints | pure | 8 | 0 | | local
Apple Health types | pure | 2 | 0 | | local
Apple Safari auto-play | pure | 8 | 0 | | local
Meta Movement Range Maps | pure | 2 | 0 | | unknown
Facebook Privacy-Protected Full URLs | zCDP | 0.45 | 1e-5 | 0.0052 | add_or_remove
Facebook URLs, total | zCDP | 1.844 | 1e-5 | 0.0728 | add_or_remove
LinkedIn Audience Engagements | approximate | 34.9 | 7e-9 | | add_or_remove
LinkedIn hiring reports | approximate | 4.8 | 4e-10 | | add_or_remove
Windows telemetry | pure | 1.672 | 0 | | local
Assistive replies | approximate | 4 | 1e-7 | | add_or_remove
Victims of trafficking data | approximate | 12 | 5.8e-6 | | add_or_remove
Spectus hurricane mobility | pure | 10 | 0 | | unknown
Recurve energy, as published | approximate | 0.843 | 4.08e-8 | | add_or_remove
Recurve energy, corrected | approximate | 4.72 | 5.06e-9 | | add_or_remove
OnTheMap | probabilistic | 8.6 | 1e-5 | | replace
iOS 10.1.1, total | pure | 14 | 0 | | local
"""


def test_every_budget_and_relation_equals_a_copy_that_was_typed_apart() -> None:
    lines = [[cell.strip() for cell in line.split("|")] for line in SECOND_COPY.strip().splitlines()]
    assert len(lines) == len(published())
    for entry, (name, definition, epsilon, delta, rho, relation) in zip(published(), lines, strict=True):
        read = [entry.name, entry.definition, entry.epsilon_printed, entry.rho_printed, entry.relation]
        assert read == [name, definition, epsilon, rho, relation]
        numbers = [float(cell) if cell else None for cell in (epsilon, delta, rho)]
        assert [entry.epsilon, entry.delta, entry.rho] == numbers, name


def test_the_budgets_in_the_words_of_the_source_are_those_of_the_columns() -> None:
    for entry in published():
        for printed in (entry.epsilon_printed, entry.rho_printed):
            assert not printed or printed.rstrip("0").rstrip(".") in entry.as_reported, entry.name


@pytest.mark.parametrize(
    ("name", "unit", "kind"),
    [
        ("2020 Census Supplemental DHC", "person", "person"),
        ("Wikimedia page views (current)", "device on one day, up to 10 pages", "device-day"),
        ("Google shared mobility data set", "user's distinct trip in one week", "user-trip-week"),
        ("Apple Safari auto-play", "one donation", "event"),
        ("Facebook Privacy-Protected Full URLs", "user, one type of action", "person"),
        ("Facebook URLs, total", "user, all types of action", "person"),
        ("LinkedIn Audience Engagements", "member, per analyst and month", "user-month per analyst"),
        ("LinkedIn hiring reports", "hire, one family of monthly reports", "event"),
    ],
)
def test_units_that_were_misread_are_those_of_their_sources(name: str, unit: str, kind: str) -> None:
    entry = deployment(name)
    assert (entry.protected_unit, entry.unit_kind) == (unit, kind)


def test_every_line_is_complete_and_keeps_its_state_of_checking() -> None:
    names = [entry.name for entry in published()]
    assert len(names) == len(set(names)) == 34
    for entry in published():
        assert entry.definition in DEFINITIONS
        assert entry.sector in SECTORS
        assert entry.model in ("central", "local")
        assert entry.verification
        assert entry.source
        assert entry.unit_as_defined
        assert entry.period
        assert entry.relation in RELATIONS
        assert entry.relation_evidence
        assert entry.relation_confidence in CONFIDENCES
        assert (entry.relation == "local") is (entry.model == "local")
        assert (entry.relation == "unknown") is (entry.relation_confidence == "not found")
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


def test_an_approximate_budget_holds_from_its_own_delta_on() -> None:
    entry = next(entry for entry in published() if entry.definition == "approximate" and entry.delta)
    for delta in (entry.delta, 10 * entry.delta):
        assert converted(entry, delta=delta).epsilon == entry.epsilon
    assert converted(entry, delta=entry.delta / 10).epsilon is None


def test_a_group_of_two_is_a_household() -> None:
    for group, unit in ((1, Unit.PERSON), (2, Unit.HOUSEHOLD)):
        promise = protection(PERSONS, secret="value", group=group).promise
        assert promise is not None
        assert promise.unit is unit


def test_one_budget_is_ranked_whatever_was_read_of_it() -> None:
    unread = next(entry for entry in published() if not entry.relation_was_read)
    assert ranked_by_budget([unread]) == (unread,)


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
    assert both.gaussian_right_guess == pytest.approx(0.871, abs=5e-4)
    assert 1 - both.read_as_pure == pytest.approx(3.6e-8, rel=0.01)


def test_no_unit_has_the_sum_and_one_in_both_is_guessed_a_little_better() -> None:
    both = adding_up(PERSONS, HOUSING)
    assert both.units == ("person", "housing unit")
    # randomised response: epsilon tanh(epsilon / 2) is rho, and the guess is right with probability expit(epsilon)
    for rho, guess in ((2.56, both.right_guess), (2.63, both.right_guess_in_both)):
        epsilon = math.log(guess / (1 - guess))
        assert epsilon * math.tanh(epsilon / 2) == pytest.approx(rho, rel=1e-12)
    assert (both.right_guess, both.right_guess_in_both) == pytest.approx((0.946257, 0.949189), abs=1e-6)


# ---- what is promised about which secret


def test_a_value_takes_two_steps_where_records_are_added_or_removed() -> None:
    found = protection(TRENDS, secret="value")
    assert found.basis is Basis.READ
    assert found.guarantee == PureDP(epsilon=3.36, relation=Relation.ADD_OR_REMOVE)
    assert posterior_upper(TRENDS, secret="value", prior=0.01) == pytest.approx(1 / (1 + 99 * math.exp(-3.36)))
    assert posterior_upper(TRENDS, secret="presence", prior=0.01) == pytest.approx(1 / (1 + 99 * math.exp(-1.68)))
    device = deployment("Gboard es-ES next-word model")
    assert protection(device, secret="value").guarantee == ZeroConcentratedDP(rho=4 * 0.81)
    assert protection(device, secret="presence").guarantee == ZeroConcentratedDP(rho=0.81)
    replies = protection(deployment("Assistive replies"), secret="value").guarantee
    assert isinstance(replies, ApproximateDP)
    assert (replies.epsilon, replies.delta) == pytest.approx((8, 1e-7 * (1 + math.exp(4))))


def test_replacing_protects_a_value_in_one_step_and_hides_no_presence() -> None:
    assert protection(PERSONS, secret="value").guarantee == ZeroConcentratedDP(rho=2.56, relation=Relation.REPLACE)
    none = protection(PERSONS, secret="presence")
    assert (none.basis, none.promise, none.guarantee) == (Basis.NOT_PROMISED, None, None)
    assert none.reason.endswith("a unit replaced and says nothing about who is in")


def test_an_unknown_relation_is_answered_for_both() -> None:
    value = protection(BIRTHS, secret="value")
    assert value.basis is Basis.SAFE_FOR_BOTH
    assert value.guarantee == PureDP(epsilon=2 * 9.98)
    assert value.reason == (
        "what counts as one change was not found; the number holds for units replaced and for units added or removed"
    )
    presence = protection(BIRTHS, secret="presence")
    assert (presence.basis, presence.guarantee) == (Basis.ONLY_IF_ADDED_OR_REMOVED, None)
    assert presence.reason.endswith("presence is promised only if units are added or removed")
    conditional = protection(BIRTHS, secret="presence", assuming="add_or_remove")
    assert (conditional.basis, conditional.guarantee) == (Basis.ASSUMED, PureDP(epsilon=9.98))
    assert protection(BIRTHS, secret="presence", assuming="replace").basis is Basis.NOT_PROMISED


def test_a_recalled_relation_is_not_relied_on() -> None:
    assert not JOBS.relation_was_read
    value = protection(JOBS, secret="value")
    assert value.basis is Basis.SAFE_FOR_BOTH
    assert "(a unit replaced) is recalled, not read" in value.reason
    assert isinstance(value.guarantee, ApproximateDP)
    assert (value.guarantee.epsilon, value.guarantee.delta) == pytest.approx((17.2, 1e-5 * (1 + math.exp(8.6))))
    assert protection(JOBS, secret="value", assuming="replace").guarantee == ProbabilisticDP(
        epsilon=8.6, delta=1e-5, relation=Relation.REPLACE
    )
    assert protection(URLS, secret="presence").basis is Basis.ONLY_IF_ADDED_OR_REMOVED
    assert "(a unit added or removed) is recalled, not read" in protection(URLS, secret="value").reason


def test_in_the_local_model_the_secret_is_the_answer() -> None:
    for secret in ("value", "answer"):
        found = protection(EMOJIS, secret=secret)
        assert found.secret is Secret.ANSWER
        assert found.guarantee == PureDP(epsilon=4, relation=Relation.REPLACE)
    seen = protection(EMOJIS, secret="presence")
    assert seen.basis is Basis.NOT_PROMISED
    assert seen.reason == "taking part is visible to whoever collects the answers; what is protected is the answer"


def test_units_that_belong_together_take_their_steps_each() -> None:
    household = protection(PERSONS, secret="value", group=4)
    assert household.guarantee == ZeroConcentratedDP(rho=16 * 2.56, relation=Relation.REPLACE)
    assert posterior_upper(TRENDS, secret="presence", prior=0.1, group=7) == pytest.approx(
        expit(math.log(1 / 9) + 7 * 1.68)
    )


def test_the_best_release_is_randomised_response_and_gaussian_noise_is_one_release() -> None:
    assert right_guess(PERSONS, secret="value") == pytest.approx(0.9462570601570996, rel=1e-10)
    assert gaussian_right_guess(PERSONS, secret="value") == pytest.approx(
        0.5 * (1 + math.erf(math.sqrt(2 * 2.56) / 2 / math.sqrt(2)))
    )
    assert gaussian_right_guess(TRENDS, secret="value") is None


def test_the_trade_off_of_a_secret_is_that_of_its_steps() -> None:
    # at small rates a pure budget finds e^epsilon times as many as it accuses wrongly; a value has twice the epsilon
    assert secret_trade_off(TRENDS, secret="value").detection(0.01) == pytest.approx(0.01 * math.exp(2 * 1.68))
    assert secret_trade_off(TRENDS, secret="presence").detection(0.01) == pytest.approx(0.01 * math.exp(1.68))
    assert secret_trade_off(PERSONS, secret="value").detection(0.05) == pytest.approx(0.9343158525296756, rel=1e-6)


def test_a_gaussian_guess_equals_the_best_threshold() -> None:
    separation, prior = math.sqrt(2 * 2.56), 0.2
    best = max(
        prior * (1 - ndtr(cut - separation)) + (1 - prior) * ndtr(cut)
        for cut in [separation * step / 4000 for step in range(-8000, 16_000)]
    )
    assert gaussian_right_guess(PERSONS, secret="value", prior=prior) == pytest.approx(best, abs=1e-6)


def test_a_right_guess_is_never_worse_than_the_prior_alone() -> None:
    for entry in published():
        for prior in (0.01, 0.5, 0.99):
            assert max(prior, 1 - prior) - 1e-12 <= right_guess(entry, secret="value", prior=prior) <= 1


def test_delta_adds_to_a_right_guess() -> None:
    entry = deployment("Victims of trafficking data")
    exact = (math.exp(12) + 5.8e-6) / (1 + math.exp(12))
    assert right_guess(entry, secret="presence") == pytest.approx(exact, abs=1e-15)


def test_only_pure_budgets_limit_every_posterior() -> None:
    assert posterior_upper(EMOJIS, secret="value", prior=0.5) == pytest.approx(1 / (1 + math.exp(-4)))
    assert posterior_upper(EMOJIS, secret="value", prior=0.0) == 0.0
    assert posterior_upper(PERSONS, secret="value", prior=0.5) is None


def test_a_published_budget_becomes_the_guarantee_of_its_definition() -> None:
    kinds = {"pure": PureDP, "approximate": ApproximateDP, "probabilistic": ProbabilisticDP, "zCDP": ZeroConcentratedDP}
    for entry in published():
        found = guarantee_of(entry, "add_or_remove")
        assert type(found) is kinds[entry.definition]
        assert found.relation is Relation.ADD_OR_REMOVE


def test_production_budgets_times_their_factor_are_the_published_digits() -> None:
    for entry in production_budgets():
        assert entry.published.relation == "replace"
        digits = len(entry.published.rho_printed.partition(".")[2])
        assert round(entry.factor * entry.rho, digits) == entry.published.rho
        assert float(entry.rho_printed) == entry.rho
    inferred = [entry.name for entry in production_budgets() if entry.factor_confidence == "inferred from the digits"]
    assert inferred == ["2020 Census Detailed DHC-A"]


def test_filters_narrow_and_combine() -> None:
    assert matching() == published()
    chosen = matching(unit_kind="user-day", definition="pure", sector="company", model="local")
    assert {entry.organisation for entry in chosen} == {"Apple"}


def test_alike_budgets_are_ranked() -> None:
    ranked = ranked_by_budget(matching(unit_kind="person", definition="zCDP", relation="replace"))
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
        (
            (PERSONS, URLS),
            "entries must share one relation to be ranked; got add_or_remove, replace",
        ),
        (
            (deployment("Facebook Privacy-Protected Full URLs"), URLS),
            "entries must have a relation that was read to be ranked; got Facebook Privacy",
        ),
        ((), "entries must hold at least one deployment; got none"),
    ],
)
def test_unlike_budgets_are_not_ranked(entries: tuple[deployments.Deployment, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ranked_by_budget(entries)


@each(
    "call, message",
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
        (lambda: converted(3, delta=0.1), "entry must be a deployment such as .*; got 3"),  # type: ignore[arg-type]
        (lambda: ranked_by_budget([3]), "entries must be a deployment such as .*; got 3"),  # type: ignore[list-item]
        (lambda: ConversionFormula("x", "", "").epsilon(rho=1, delta=0.1), "key must be one of 'best_order', 'simple'"),
        (lambda: FORMULAS["simple"].epsilon(rho=1, delta=1), r"delta must lie in \(0, 1\); got 1"),
        (
            lambda: formula_fits(deployment("Apple Health types")),
            "entry must report rho, epsilon and delta; got 'eps 2'",
        ),
        *(
            (
                lambda part=part: formula_fits(dataclasses.replace(PERSONS, **{part: None})),
                "entry must report rho, epsilon and delta",
            )
            for part in ("rho", "epsilon", "delta")
        ),
        (lambda: right_guess(PERSONS, secret="value", prior=1.0), r"prior must lie in \(0, 1\); got 1"),
        (lambda: gaussian_right_guess(PERSONS, secret="value", prior=0.0), r"prior must lie in \(0, 1\); got 0"),
        (lambda: posterior_upper(PERSONS, secret="value", prior=1.2), r"prior must lie in \[0, 1\]; got 1.2"),
        (lambda: protection(PERSONS, secret="name"), "secret must be one of 'presence', 'value', 'answer'; got 'name'"),
        (
            lambda: protection(PERSONS, secret="answer"),
            "secret must be 'presence' or 'value' in the central model; got 'answer'",
        ),
        (
            lambda: protection(PERSONS, secret="value", assuming="add_or_remove"),
            "assuming must be the relation that was read, 'replace'; got 'add_or_remove'",
        ),
        (
            lambda: protection(EMOJIS, secret="value", assuming="replace"),
            "assuming must be left out in the local model; got 'replace'",
        ),
        (
            lambda: protection(BIRTHS, secret="value", assuming="x"),
            "assuming must be one of 'add_or_remove', 'replace'; got 'x'",
        ),
        (lambda: protection(PERSONS, secret="value", group=0), "group must be a whole number of at least 1; got 0"),
        (lambda: guarantee_of(PERSONS, "local"), "relation must be one of 'add_or_remove', 'replace'; got 'local'"),
        (
            lambda: right_guess(PERSONS, secret="presence"),
            r"secret must be one that '2020 Census redistricting data, persons' protects \(the published promise is"
            r" about a unit replaced.*\); got 'presence'",
        ),
        (
            lambda: adding_up(URLS, dataclasses.replace(URLS, relation="replace")),
            "first and second must have one relation that was read; got 'add_or_remove' and 'replace'",
        ),
        (
            lambda: adding_up(PERSONS, deployment("Wikimedia page views (current)")),
            "first and second must report rho and epsilon at one delta",
        ),
    ],
)
def test_refusals(call: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()  # type: ignore[operator]
