"""Publishing pages say whose secret their budget protects, and under which change of the data."""

from __future__ import annotations

import pytest

from dpcore.mechanisms import Geometric
from ui.pictures.style import Style
from ui.views.exact_totals import EXACT, ExactTotalsInputs, exact_totals_view
from ui.views.public_information import PublicInformationInputs, public_information_view

PLAIN, TECHNICAL = Style(), Style(voice="technical")


@pytest.mark.parametrize("exact", EXACT)
def test_exact_totals_speak_of_the_cell_a_person_is_in(exact: str) -> None:
    plain = exact_totals_view(ExactTotalsInputs(exact=exact), PLAIN)
    technical = exact_totals_view(ExactTotalsInputs(exact=exact), TECHNICAL)
    assert "Secret: one person's cell" in plain.small_print
    assert "not presence" in plain.small_print
    change = "two people who change places" if exact == "both" else "one person moved to another cell"
    assert f"change: {change}" in plain.small_print
    assert "value (the cell of one record), one step under replacement; presence is public" in technical.small_print


def test_a_moved_person_costs_the_stated_budget_in_two_cells() -> None:
    """The worst pair of outputs of two noisy cells, by enumeration: the ε of the page, not half or twice of it."""
    view = exact_totals_view(ExactTotalsInputs(exact="none", epsilon=1.4), PLAIN)
    assert "1.4 for a person is 0.7 for each of the two cells" in view.computed
    noise = Geometric(epsilon=0.7)
    losses = [
        noise.log_pmf(one) + noise.log_pmf(two) - noise.log_pmf(one - 1) - noise.log_pmf(two + 1)
        for one in range(-8, 9)
        for two in range(-8, 9)
    ]
    assert max(losses) == pytest.approx(1.4)


@pytest.mark.parametrize("side", ["hurts", "helps"])
def test_public_information_says_what_is_secret_and_what_is_public(side: str) -> None:
    chosen = PublicInformationInputs(side=side)
    plain = public_information_view(chosen, PLAIN).small_print
    technical = public_information_view(chosen, TECHNICAL).small_print
    replaced = "one record replaced by any other, their number public"
    assert ("for one answer in a count of 100" if side == "hurts" else replaced) in plain
    assert "replacement" in technical
