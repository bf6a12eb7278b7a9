"""What a case releases and in which currency: by one rule, a choice that somebody made, else what it follows from."""

from __future__ import annotations

from itertools import product

import pytest

from riskline.answers import case_budget, scope_of
from riskline.case.choices import NOISES, RELEASES
from riskline.case.link import read_case, write_case
from riskline.case.releases import LedgerRow
from riskline.case.tables import TableRow
from riskline.case.value import Case

TABLES = (TableRow("Cases", wish="5"),)
ROWS = (LedgerRow("A count", "pure", "0.1"),)
MADE = {"tables": TABLES, "rows": ROWS, "areas": 38}


@pytest.mark.parametrize("made", product([True, False], repeat=3))
def test_tables_then_rows_then_areas_describe_the_release_unless_it_is_made(made: tuple[bool, ...]) -> None:
    chosen = {name: value for (name, value), taken in zip(MADE.items(), made, strict=True) if taken}
    expected = next((kind for taken, kind in zip(made, ("tables", "plan", "table"), strict=True) if taken), "anything")
    assert Case(**chosen)["release"] == expected
    assert "release" not in Case(**chosen)
    for release in RELEASES:
        assert Case(**chosen, release=release)["release"] == release


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
