"""What a case releases and in which currency: by one rule, a choice that somebody made, else what it follows from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import product

import pytest

from riskline.answers import budget_together, case_budget, highest_accepted, scope_of
from riskline.case.choices import NOISES, RELEASES
from riskline.case.fields import Field
from riskline.case.link import read_case, write_case
from riskline.case.releases import LedgerRow
from riskline.case.tables import TableRow
from riskline.case.value import Case
from ui.views import add_up, hierarchy, plan, publication

TABLES = (TableRow("Cases", wish="5"),)
ROWS = (LedgerRow("A count", "pure", "0.1"),)
MADE = {"tables": TABLES, "rows": ROWS, "areas": 38}


@pytest.mark.parametrize("made", product([True, False], repeat=3))
def test_tables_then_rows_then_areas_describe_the_release_unless_somebody_did(made: tuple[bool, ...]) -> None:
    chosen = {name: value for (name, value), taken in zip(MADE.items(), made, strict=True) if taken}
    expected = next((kind for taken, kind in zip(made, ("tables", "plan", "table"), strict=True) if taken), "anything")
    assert Case(**chosen)["release"] == expected
    assert "release" not in Case(**chosen)
    for release in RELEASES:
        assert Case(**chosen, release=release)["release"] == (expected if release == "anything" else release)


def test_a_described_release_says_how_far_a_number_reaches_and_keeps_a_decision() -> None:
    case = Case(ratio=3.0, tables=TABLES).decided(value=1.0, currency="epsilon")
    assert scope_of(case).value == "plan"
    assert case.state.value == "decided"
    assert case.with_choices(release="tables").state.value == "decided"
    assert case.without("tables").state.value == "decided_for_another"
    assert read_case(write_case(case)).case == case


@pytest.mark.parametrize("noise", NOISES)
def test_the_noise_says_the_currency_unless_the_guarantee_is_made(noise: str) -> None:
    rho = "gaussian" in noise
    case = Case(ratio=3.0, noise=noise)
    assert (case.currency, case["guarantee"]) == (("rho", "zero_concentrated") if rho else ("epsilon", "pure"))
    found = case_budget(case)
    assert found is not None
    assert found.currency == case.currency
    assert Case(noise=noise, guarantee="pure").currency == "epsilon"
    assert Case(noise=noise, guarantee="zero_concentrated").currency == "rho"


def test_the_budget_of_everybody_together_is_that_of_each_times_the_group_or_its_square() -> None:
    for noise, factor in (("geometric", 3), ("gaussian", 9)):
        case = Case(ratio=3.0, noise=noise, unit="household", group=3)
        each, together = case_budget(case), budget_together(case)
        assert each is not None
        assert together == replace(each, value=each.value * factor)
        assert budget_together(case.with_choices(unit="person")) == case_budget(case.with_choices(unit="person"))
    assert budget_together(Case(unit="household")) is None
    assert budget_together(Case(line="constant", ratio=1.0)) is None


def test_the_highest_belief_that_a_line_accepts_is_rounded_down_and_needs_a_line_of_one_belief() -> None:
    assert highest_accepted(Case(ratio=1.37, prior=0.5)) == 0.68
    assert highest_accepted(Case(line="increase", increase=0.2, prior=0.1)) == pytest.approx(0.3, abs=0.0101)
    near = highest_accepted(Case(line="constant", ratio=1.001, prior=0.505))
    assert near == pytest.approx(0.505505)  # rounded down it would lie below the belief before
    for case in (Case(), Case(prior=0.1), Case(ratio=3.0, prior=0.5), Case(ratio=3.0, held=0.5, prior=0.1)):
        assert highest_accepted(case) is None


def test_pages_begin_with_what_the_case_has_and_with_their_example_where_it_has_none() -> None:
    def first(fields: Iterable[Field], *names: str) -> list[object]:
        return [field.default for field in fields if field.name in names]

    by_epsilon = Case(ratio=3.0).decided(value=0.7, currency="epsilon")
    by_rho = Case(noise="gaussian").decided(value=1.5, currency="rho")
    assert first(add_up.beginning(by_epsilon), *add_up.BUDGETS[False]) == [0.35, 0.35]
    assert first(add_up.beginning(by_rho), *add_up.BUDGETS[True]) == [0.75, 0.75]
    assert first(hierarchy.beginning(by_rho), "total_rho") == [1.5]
    assert first(publication.beginning(by_rho.with_choices(unit="household", group=2)), "rho", "epsilon") == [1.0, 6.0]
    assert first(plan.beginning(Case(ratio=1.5, prior=0.4)), "cap") == [0.6]
    for page in (add_up, hierarchy, plan):
        for case in (Case(), Case(unit="household")):
            assert page.beginning(case) == page.FIELDS
    assert hierarchy.beginning(by_epsilon) == hierarchy.FIELDS
    small = Case(noise="gaussian").decided(value=0.1, currency="rho")  # less than that page takes
    assert hierarchy.beginning(small) == hierarchy.FIELDS
    assert hierarchy.HierarchyInputs(budget="own").trial(small) is None
    tried = hierarchy.HierarchyInputs().trial(small)
    assert tried is not None
    assert (tried.value, tried.currency) == (2.556226, "rho")
