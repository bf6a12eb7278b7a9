"""Several releases under one line of risk: each row keeps the line, by its own way of adding up."""

from __future__ import annotations

import math

import pytest

from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric
from dpcore.privacy_loss import PrivacyLoss
from ui.pictures.style import Style
from ui.views.choose import ChooseInputs, choose_view
from ui.views.choose.view import LONGEST_SEARCH

SHIFT = math.log(11 / 3)  # the default line binds at a prior of 1 in 12 with a cap of 25 %


def rows(**chosen: object) -> dict[str, float]:
    table = choose_view(ChooseInputs(**chosen), Style()).several
    assert table is not None
    return {str(row[0]): float(str(row[3])) for row in table.rows}


def test_one_release_needs_no_rule_of_addition() -> None:
    assert choose_view(ChooseInputs(), Style()).several is None


def test_every_row_keeps_the_line_and_exact_accounting_allows_most() -> None:
    found = rows(releases=12)
    assert found["ε, plain addition"] == pytest.approx(SHIFT / 12, rel=1e-6)
    exact, gaussian = found["ε, geometric counts exactly"], found["ρ, continuous Gaussian noise exactly"]
    assert found["ε, plain addition"] <= found["ε, optimal composition at δ"] < exact
    assert found["ρ, published formula"] < found["ρ, direct bound"] < gaussian
    for mechanism in (Geometric(epsilon=exact), Gaussian(rho=gaussian)):
        assert PrivacyLoss.of(mechanism, 12).exceedance(SHIFT, direction="either") <= 0.01
    for mechanism in (Geometric(epsilon=exact * 1.001), Gaussian(rho=gaussian * 1.001)):
        assert PrivacyLoss.of(mechanism, 12).exceedance(SHIFT, direction="either") > 0.01


def test_a_household_moves_a_count_by_its_size() -> None:
    found = rows(releases=12, unit="household", group=3)
    household = Geometric(epsilon=3 * found["ε, geometric counts exactly"], sensitivity=3)
    assert PrivacyLoss.of(household, 12).exceedance(SHIFT, direction="either") <= 0.01
    assert found["ρ, continuous Gaussian noise exactly"] == pytest.approx(
        rows(releases=12)["ρ, continuous Gaussian noise exactly"] / 9, rel=1e-5
    )


@pytest.mark.parametrize(
    "chosen", [{"releases": 2}, {"releases": 12}, {"releases": 5, "unit": "household", "group": 2}]
)
def test_integer_noise_keeps_the_line_at_every_number_of_its_row(chosen: dict[str, object]) -> None:
    table = choose_view(ChooseInputs(**chosen), Style()).several
    assert table is not None
    found = {str(row[0]): row for row in table.rows}
    _, each, together, unrounded, note = found["ρ, discrete Gaussian counts, certified"]
    releases, group = int(str(chosen["releases"])), int(str(chosen.get("group", 1)))
    for rho in (float(str(each)), float(str(together)) / releases, float(str(unrounded))):
        law = PrivacyLoss.of(DiscreteGaussian(rho=rho * group**2, sensitivity=group), releases)
        assert law.exceedance(SHIFT, direction="either") <= 0.01
    assert float(str(together)) == pytest.approx(releases * float(str(each)), rel=1e-12)
    assert "for this ρ" in str(note)
    assert "not for whole-number noise" in str(found["ρ, continuous Gaussian noise exactly"][-1])


def test_where_a_replaced_record_moves_two_cells_the_integer_row_is_left_out() -> None:
    shared: dict[str, object] = {"releases": 3, "secret": "value", "relation": "replace"}
    anything, counts = rows(**shared), rows(**shared, release="count")
    assert "ρ, discrete Gaussian counts, certified" not in anything
    assert "ρ, direct bound" in anything
    assert "ρ, discrete Gaussian counts, certified" in counts


def test_the_failure_probability_of_the_table_is_rounded_up() -> None:
    table = choose_view(ChooseInputs(releases=2, failure=0.01491), Style()).several
    assert table is not None
    assert "δ′ = 0.015 " in table.caption


def test_where_only_addition_is_justified_no_table_stands() -> None:
    assert choose_view(ChooseInputs(releases=12, secret="value", held=0.05), Style()).several is None


def test_very_many_releases_leave_the_searches_out() -> None:
    assert "ε, geometric counts exactly" not in rows(releases=LONGEST_SEARCH + 1)
