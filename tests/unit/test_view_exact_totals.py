"""What the page 'exact_totals' claims is what dpcore computes."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.mechanisms import Geometric
from dpcore.totals import condition_on_totals, posterior_band, price_of_totals
from ui.pictures.look import Look
from ui.views.exact_totals import EXACT, FIELDS, ExactTotalsInputs, exact_totals_view

PLAIN, TECHNICAL = Look(), Look(voice="technical")


def test_the_default_sentence_is_true() -> None:
    view = exact_totals_view(ExactTotalsInputs(), PLAIN)
    price = price_of_totals([[8, 6, 4], [3, 5, 8]], "grand total", epsilon=0.5)
    conditioned = condition_on_totals([8, 6, 4, 3, 5, 8], 0.5).mean_absolute_error() / 6
    assert price.conditioned.gamma == pytest.approx(0.45, abs=0.01)
    assert float(posterior_band(0.01, price.conditioned.loss)[1]) == pytest.approx(0.0413, abs=1e-4)
    assert price.conditioned.kind == "exact pair"
    assert "exact for the worst pair of tables known" in view.small_print
    assert "**1 number** is published as it is" in view.answer
    assert "at most **5 in 100**" in view.answer
    assert "it is **3 in 100**" in view.answer
    assert f"**{conditioned:.3g}** instead of **{Geometric(epsilon=0.5).mean_absolute:.3g}**" in view.answer


@pytest.mark.parametrize("exact", EXACT)
@pytest.mark.parametrize("method", ["condition", "project"])
@pytest.mark.parametrize("look", [PLAIN, TECHNICAL], ids=["plain", "technical"])
def test_every_choice_answers(exact: str, method: str, look: Look) -> None:
    view = exact_totals_view(ExactTotalsInputs(exact=exact, method=method), look)
    assert view.refusal is None
    assert view.cells is not None
    assert len(view.cells.table.rows) == 6
    assert (view.losses is None) == (exact == "none")


def test_projection_never_costs_more_than_noise_alone() -> None:
    for exact in ("total", "rows", "both"):
        view = exact_totals_view(ExactTotalsInputs(exact=exact, method="project"), PLAIN)
        assert view.price is not None
        moved = 2 if exact == "both" else 1  # row and column totals are kept only by two people who change places
        assert view.price.projected <= moved * view.price.plain
        assert f"at most **{7 if exact == 'both' else 3} in 100**" in view.answer


def test_cells_that_totals_fix_are_counted_and_set_bold() -> None:
    view = exact_totals_view(ExactTotalsInputs(table=((0, 0, 0), (3, 5, 8)), exact="rows"), PLAIN)
    assert "**2 numbers** are published as they are, and with them **3 cells** they fix" in view.answer
    assert view.given_away is not None
    assert view.given_away.rows[0] == ("row 1", "**0**", "**0**", "**0**")
    assert view.given_away.rows[1][1] == "0 to 16"


def test_a_table_that_its_totals_give_away_is_said() -> None:
    view = exact_totals_view(ExactTotalsInputs(table=((5,), (3,)), exact="rows"), PLAIN)
    assert "the totals give away the whole table" in view.answer


def test_a_larger_crossing_table_says_what_its_simulation_is_worth() -> None:
    view = exact_totals_view(ExactTotalsInputs(table=((3, 1, 2), (0, 4, 1), (2, 2, 2)), exact="both"), PLAIN)
    assert "worth at least" in view.small_print
    assert "simulated" in view.computed


def test_equal_seeds_give_equal_pages() -> None:
    pages = [exact_totals_view(ExactTotalsInputs(method="project", seed=seed), PLAIN).answer for seed in (1, 1)]
    assert pages[0] == pages[1]


def test_no_cell_is_published_below_zero() -> None:
    view = exact_totals_view(ExactTotalsInputs(table=((0, 9), (1, 0)), exact="total"), PLAIN)
    assert view.cells is not None
    drawn = {trace.name: np.asarray(trace.y) - np.asarray(trace.error_y.arrayminus) for trace in view.cells.figure.data}
    for name in ("projected", "conditioned"):
        assert np.all(drawn[name] >= -np.array([0, 9, 1, 0]) - 1e-9)


def test_the_fields_are_the_inputs() -> None:
    assert ExactTotalsInputs(**{field.name: field.default for field in FIELDS}) == ExactTotalsInputs()
