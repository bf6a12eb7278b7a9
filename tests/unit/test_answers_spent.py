"""What the budget of a case spends, by whomever it was decided, and how far it lets a belief come."""

from __future__ import annotations

import math
from typing import Any

import pytest

from dpcore.deployments import deployment, protection, published
from dpcore.discrete_certificate import DiscreteCertificate
from dpcore.errors import Refused
from dpcore.guarantees import ApproximateDP, PureDP, ZeroConcentratedDP
from dpcore.profile_certificate import ProfileCertificate
from dpcore.semantics import posterior_upper, shift_bound
from riskline.answers import (
    Source,
    Spent,
    Terms,
    budget_for_unsure,
    budget_together,
    spent,
    standing,
)
from riskline.answers.spent import units_protected
from riskline.case.tables import decode_tables
from riskline.case.value import Case
from tests.each import each

LINE: dict[str, Any] = {"cap": 0.25, "ratio": 3.0}
BY_RHO: dict[str, Any] = {"guarantee": "zero_concentrated", **LINE}


def found(case: Case) -> Spent:
    one = spent(case)
    assert one is not None
    return one


def test_without_a_line_a_decision_or_a_published_budget_nothing_is_spent() -> None:
    assert spent(Case(unit="household", group=2)) is None
    assert spent(Case(line="box", ratio=20.0, low=0.1, high=0.9)) is None
    assert found(Case(unit="household", group=2).decided(value=0.7, currency="epsilon")).value == 0.7


def test_the_decision_wins_over_the_line_and_says_whether_the_line_allows_it() -> None:
    """The line leaves ln(11/3) = 1.2993: 1.29 is what it implies, 1.3 is more than it allows."""
    implied = found(Case(**LINE))
    assert (implied.value, implied.is_implied, implied.keeps_the_line) == (1.29, True, True)
    told = {value: found(Case(**LINE).decided(value=value, currency="epsilon")) for value in (1.29, 0.9, 1.3)}
    assert [one.is_implied for one in told.values()] == [True, False, False]
    assert [one.keeps_the_line for one in told.values()] == [True, True, False]
    assert [one.shift for one in told.values()] == [1.29, 0.9, 1.3]
    other = found(Case(**LINE).decided(value=0.05, currency="rho"))
    assert not other.keeps_the_line


@pytest.mark.parametrize(
    ("case", "kind"),
    [
        (Case(**LINE, unit="household", group=4, releases=3), PureDP),
        (Case(**LINE, guarantee="approximate", unit="household", group=4, releases=3), ApproximateDP),
        (Case(**BY_RHO, unit="household", group=4, releases=3), ZeroConcentratedDP),
    ],
)
def test_budgets_add_up_over_releases_and_grow_with_records(case: Case, kind: type) -> None:
    one = found(case)
    each, all_of_them = one.guarantee(), one.guarantee(records=4, releases=3)
    assert type(each) is type(all_of_them) is kind
    size, power = ("rho", 2) if kind is ZeroConcentratedDP else ("epsilon", 1)
    assert getattr(each, size) == one.value
    assert getattr(all_of_them, size) == pytest.approx(3 * 4**power * one.value)
    assert one.failure == (0.0 if kind is PureDP else 0.01)
    assert one.guarantee(releases=3).relation.value == "add_or_remove"


@pytest.mark.parametrize("secret", ["presence", "value"])
def test_the_highest_belief_is_that_of_the_steps_between_the_two_worlds(secret: str) -> None:
    """A value of a household of three is six records added or removed, its presence three."""
    case = Case(secret=secret, unit="household", group=3, releases=2).decided(value=0.1, currency="epsilon")
    steps = 6 if secret == "value" else 3
    odds = 0.2 / 0.8 * math.exp(steps * 2 * 0.1)
    assert found(case).highest(0.2).value == pytest.approx(odds / (1 + odds))
    alone = 0.2 / 0.8 * math.exp(steps / 3 * 0.1)
    assert found(case).highest(0.2, records=1, releases=1).value == pytest.approx(alone / (1 + alone))
    by_rho = Case(secret=secret, unit="household", group=3, guarantee="zero_concentrated").decided(
        value=0.001, currency="rho"
    )
    shift = shift_bound(ZeroConcentratedDP(rho=steps**2 * 0.001), delta_prime=0.01)
    assert found(by_rho).highest(0.2).value == pytest.approx(float(posterior_upper(prior=0.2, epsilon=shift)))
    exceptions = [found(one).highest(0.2).promise.failure_probability for one in (case, by_rho)]
    assert exceptions == [0.0, 0.01]


def test_a_smaller_budget_of_exact_noise_keeps_the_line_only_where_that_is_certified() -> None:
    """Whole-number noise: a smaller ρ can break the promise that a larger one keeps."""
    case = Case(**BY_RHO, route="discrete_gaussian")
    largest = found(case)
    assert largest.value == 0.14
    assert largest.noise == "discrete_gaussian"
    certificate = DiscreteCertificate(epsilon_prime=math.log(11 / 3), delta_prime=0.01)
    for value in (0.1, 0.118, 0.12, 0.13, 0.139):
        one = found(case.decided(value=value, currency="rho"))
        assert one.keeps_the_line == certificate.certifies(value)
        assert (one.noise == "discrete_gaussian") == one.keeps_the_line
        general = shift_bound(ZeroConcentratedDP(rho=value), delta_prime=0.01)
        assert one.shift == (min(general, math.log(11 / 3)) if one.keeps_the_line else general)
    continuous = found(Case(**BY_RHO, route="gaussian").decided(value=0.11, currency="rho"))
    assert (continuous.noise, continuous.shift) == ("gaussian", pytest.approx(math.log(11 / 3)))


@pytest.mark.parametrize(
    ("case", "changed"),
    [
        (Case(**LINE, secret="value", relation="replace", areas=12), 2),
        (Case(**LINE, secret="value", relation="replace", areas=12, moves="nowhere"), 1),
        (Case(**LINE, secret="value", relation="replace"), 1),
        (Case(**LINE, secret="value", areas=12), 1),
        (Case(**LINE, areas=12), 1),
    ],
)
def test_somebody_who_may_be_in_another_district_changes_two_counts(case: Case, changed: int) -> None:
    one = found(case)
    assert one.counts_changed == changed
    assert one.of_a_count == one.value / changed


def test_the_noise_of_counts_fits_the_currency_and_is_the_cases_own_where_it_does() -> None:
    assert found(Case(**LINE)).fitting_noise == "geometric"
    assert found(Case(**LINE, noise="laplace")).fitting_noise == "laplace"
    assert found(Case(**BY_RHO)).fitting_noise == "discrete_gaussian"
    assert found(Case(**BY_RHO, noise="gaussian")).fitting_noise == "gaussian"
    assert found(Case(**BY_RHO, route="gaussian")).fitting_noise == "gaussian"
    assert found(Case(**LINE, guarantee="pure", noise="gaussian")).fitting_noise == "geometric"


@pytest.mark.parametrize("secret", ["presence", "value"])
@each("entry", published(), ids=lambda entry: entry.name)
def test_a_published_budget_promises_what_its_relation_and_its_unit_promise(entry: Any, secret: str) -> None:
    relation = entry.relation if entry.relation in ("add_or_remove", "replace") else "add_or_remove"
    if (secret, relation) == ("presence", "replace"):
        return
    one = spent(Case(secret=secret, relation=relation, published=entry.name))
    if one is None:  # neither an ε nor a ρ was published
        assert entry.rho is entry.epsilon is None
        return
    assert one.budget.source is Source.PUBLISHED
    held = protection(entry, secret=secret)
    fits = entry.unit_kind in ("person", "birth") and entry.model == "central"
    assert one.promises_something == (fits and held.guarantee is not None)
    if one.promises_something:
        assert one.of_secret() == held.guarantee
        if getattr(held.guarantee, "delta", 0.0) >= one.failure > 0:  # two steps of a δ use the exception up
            with pytest.raises(ValueError, match="delta_prime must exceed delta"):
                one.highest(0.1)
            return
        shift = shift_bound(held.guarantee, delta_prime=one.failure)  # type: ignore[arg-type]
        assert one.highest(0.1).value == pytest.approx(posterior_upper(prior=0.1, epsilon=shift))


def test_a_published_budget_under_another_relation_promises_nothing_here() -> None:
    name = "2020 Census redistricting data, persons"
    assert deployment(name).relation == "replace"
    assert not found(Case(secret="value", relation="add_or_remove", published=name)).promises_something
    assert found(Case(secret="value", relation="replace", published=name)).promises_something


def test_units_of_published_budgets_make_up_a_readers_unit() -> None:
    assert units_protected("household", unit="household", group=4) == 1
    assert units_protected("person", unit="household", group=4) == 4
    assert units_protected("user-day", unit="days", group=30) == 30
    assert units_protected("person", unit="days", group=30) == 1
    assert units_protected("event", unit="person", group=1) is None


CERTIFIED: dict[str, Any] = {**BY_RHO, "route": "discrete_gaussian"}


@pytest.mark.parametrize("release", ["table", "tables", "plan", "coins"])
def test_a_rho_certified_for_one_count_is_refused_where_more_is_released(release: str) -> None:
    """One person in a table moves one count of it; a family may be in several, and rows have a law of their own."""
    alone = Case(**CERTIFIED, release=release, areas=9)
    family = alone.with_choices(unit="household", group=3)
    for case in (family,) if release == "table" else (alone, family):
        with pytest.raises(Refused, match="plain count"):
            spent(case)
        with pytest.raises(Refused, match="plain count"):
            spent(case.decided(value=0.01, currency="rho"))
        assert "plain count" in standing(case).refusal
    assert found(Case(**CERTIFIED, release="table", areas=9)).of_a_count == 0.14


def test_tables_that_nobody_described_otherwise_are_what_is_released() -> None:
    rows = decode_tables("Ill~counts~9~~8~3")
    assert Case(tables=rows, release="anything")["release"] == "tables"
    with pytest.raises(Refused, match="plain count"):
        spent(Case(**CERTIFIED, tables=rows, release="anything"))


def test_districts_typed_for_a_table_are_not_those_of_one_count() -> None:
    """Somebody who first described a table and then said that it is one count: the whole budget is that count's."""
    table = Case(**LINE, secret="value", relation="replace", release="table", areas=38)
    count = table.with_choices(release="count")
    assert (table["areas"], found(table).counts_changed) == (38, 2)
    assert (count["areas"], found(count).counts_changed) == (1, 1)
    assert found(count).of_a_count == found(count).value == 2 * found(table).of_a_count
    assert count.with_choices(release="table")["areas"] == 38


@pytest.mark.parametrize("route", ["gaussian", "discrete_gaussian"])
@pytest.mark.parametrize("releases", [1, 4])
def test_the_budget_for_readers_unsure_about_others_is_certified_by_the_profile(route: str, releases: int) -> None:
    case = Case(**BY_RHO, route=route, releases=releases)
    assert case.line is not None
    unsure, own = budget_for_unsure(case.line, case.of(Terms)), found(case).value
    assert unsure is not None
    assert 0 < unsure < own
    certificate = ProfileCertificate(epsilon_prime=math.log(11 / 3), delta_prime=0.01, noise=route, releases=releases)
    assert certificate.certifies(unsure)
    assert not certificate.certifies(own)
    assert found(case.decided(value=unsure, currency="rho")).keeps_the_line


@pytest.mark.parametrize("terms", [{}, {"guarantee": "approximate"}, {**BY_RHO, "route": "direct"}])
def test_a_budget_that_rests_on_no_law_holds_for_every_reader(terms: dict[str, Any]) -> None:
    case = Case(**{**LINE, **terms})
    assert case.line is not None
    assert budget_for_unsure(case.line, case.of(Terms)) is None


def test_a_decided_epsilon_keeps_the_delta_of_each_release_and_a_rho_has_none() -> None:
    case = Case(**LINE, guarantee="approximate", delta=1e-6, releases=4)
    assert found(case.decided(value=0.5, currency="epsilon")).budget.delta == 2.5e-7
    assert found(case.decided(value=0.5, currency="rho")).budget.delta == 0
    assert found(case.decided(value=0.5, currency="epsilon")).guarantee(releases=4).delta == 1e-6


def test_those_who_belong_together_spend_a_rho_by_the_square_of_their_number() -> None:
    household = Case(unit="household", group=3)
    for currency, together in (("epsilon", 1.5), ("rho", 4.5)):
        held = budget_together(household.decided(value=0.5, currency=currency))
        assert held is not None
        assert held.value == together


def test_a_household_has_the_published_budget_of_a_person_for_each_of_its_members() -> None:
    asked: dict[str, Any] = {"published": "Spectus hurricane mobility", "secret": "value"}
    alone, household = (found(Case(**asked, **unit)) for unit in ({}, {"unit": "household", "group": 3}))
    assert (alone.shift_of_secret(), household.shift_of_secret()) == (20.0, 60.0)
