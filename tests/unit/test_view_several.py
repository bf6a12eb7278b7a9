"""Several releases under one line of risk: each row keeps the line, by its own way of adding up."""

from __future__ import annotations

import math

import pytest

from dpcore.mechanisms import Gaussian, Geometric
from dpcore.privacy_loss import PrivacyLoss
from ui.figures.look import Look
from ui.views.choose import ChooseInputs, choose_view
from ui.views.several import LONGEST_SEARCH

SHIFT = math.log(11 / 3)  # the default line binds at a prior of 1 in 12 with a cap of 25 %


def rows(**chosen: object) -> dict[str, float]:
    table = choose_view(ChooseInputs(**chosen), Look()).several
    assert table is not None
    return {str(row[0]): float(str(row[3])) for row in table.rows}


def test_one_release_needs_no_rule_of_addition() -> None:
    assert choose_view(ChooseInputs(), Look()).several is None


def test_every_row_keeps_the_line_and_exact_accounting_allows_most() -> None:
    found = rows(releases=12)
    assert found["ε, plain addition"] == pytest.approx(SHIFT / 12, rel=1e-6)
    exact, gaussian = found["ε, geometric counts exactly"], found["ρ, Gaussian noise exactly"]
    assert found["ε, plain addition"] <= found["ε, optimal composition at δ"] < exact
    assert found["ρ, published conversion"] < found["ρ, direct bound"] < gaussian
    for mechanism in (Geometric(epsilon=exact), Gaussian(rho=gaussian)):
        assert PrivacyLoss.of(mechanism, 12).exceedance(SHIFT, direction="either") <= 0.01
    for mechanism in (Geometric(epsilon=exact * 1.001), Gaussian(rho=gaussian * 1.001)):
        assert PrivacyLoss.of(mechanism, 12).exceedance(SHIFT, direction="either") > 0.01


def test_a_household_moves_a_count_by_its_size() -> None:
    found = rows(releases=12, unit="household", group=3)
    household = Geometric(epsilon=3 * found["ε, geometric counts exactly"], sensitivity=3)
    assert PrivacyLoss.of(household, 12).exceedance(SHIFT, direction="either") <= 0.01
    assert found["ρ, Gaussian noise exactly"] == pytest.approx(
        rows(releases=12)["ρ, Gaussian noise exactly"] / 9, rel=1e-5
    )


def test_where_only_addition_is_justified_no_table_stands() -> None:
    assert choose_view(ChooseInputs(releases=12, question="value", held=0.05), Look()).several is None


def test_very_many_releases_leave_the_searches_out() -> None:
    assert "ε, geometric counts exactly" not in rows(releases=LONGEST_SEARCH + 1)
