"""What the page 'exact_totals' claims is what dpcore computes."""

from __future__ import annotations

import itertools
import math
import re
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

from dpcore.guarantees import ZeroConcentratedDP
from dpcore.mechanisms import DiscreteGaussian, Geometric
from dpcore.semantics import shift_bound
from dpcore.totals import condition_on_totals, posterior_band, price_of_totals
from ui.pictures.style import Style
from ui.views.exact_totals import EXACT, FIELDS, ExactTotalsInputs, exact_totals_view

PLAIN, TECHNICAL = Style(), Style(voice="technical")


def test_the_default_sentence_is_true() -> None:
    view = exact_totals_view(ExactTotalsInputs(), PLAIN)
    price = price_of_totals([[8, 6, 4], [3, 5, 8]], "grand total", epsilon=0.5)
    conditioned = condition_on_totals([8, 6, 4, 3, 5, 8], epsilon=0.5).mean_absolute_error() / 6
    assert price.conditioned.gamma == pytest.approx(0.45, abs=0.01)
    assert float(posterior_band(prior=0.01, epsilon=price.conditioned.loss)[1]) == pytest.approx(0.0413, abs=1e-4)
    assert price.conditioned.kind == "exact"
    assert view.small_print.startswith("Exact: every pair of tables with these totals compared. The attacker knows")
    assert (
        "If no total changes, a belief of **1 in 100** about one person's cell can reach at most **5 in" in view.answer
    )
    assert "Totals themselves are unprotected" in view.answer
    assert view.losses is not None
    assert "3 in 100 without exact totals" in view.losses.reading
    assert view.losses.reading.startswith("When no total changes, ")
    assert view.cells is not None
    assert (
        f"**{conditioned:.3g}** (drawn until they fit) instead of {Geometric(epsilon=0.5).mean_absolute:.3g}"
        in view.cells.reading
    )


@pytest.mark.parametrize("exact", EXACT)
@pytest.mark.parametrize("method", ["condition", "project"])
@pytest.mark.parametrize("style", [PLAIN, TECHNICAL], ids=["plain", "technical"])
def test_every_choice_answers(exact: str, method: str, style: Style) -> None:
    view = exact_totals_view(ExactTotalsInputs(exact=exact, method=method), style)
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
    assert "The totals alone give away **3 cells**." in view.answer
    assert view.given_away is not None
    assert view.given_away.rows[0] == ("row 1", "**0**", "**0**", "**0**")
    assert view.given_away.rows[1][1] == "0 to 16"


@pytest.mark.parametrize("method", ["condition", "project"])
def test_a_table_that_its_totals_give_away_is_said(method: str) -> None:
    view = exact_totals_view(ExactTotalsInputs(table=((5,), (3,)), exact="rows", method=method), PLAIN)
    assert "The totals alone give away **2 cells**. That is the whole table. No limit holds" in view.answer
    assert view.small_print.startswith("Exact. ")
    assert view.losses is None


def test_at_most_is_said_of_what_is_proved_where_not_every_pair_was_compared() -> None:
    """Twice epsilon 1: from 1 in 100 to 0.0695; the worst pair known stops at 0.04."""
    view = exact_totals_view(ExactTotalsInputs(table=((300, 150), (120, 80))), PLAIN)
    assert "at most **7 in 100**" in view.answer
    assert "A limit; the worst pair of tables known reaches 4 in 100" in view.small_print
    assert view.losses is not None
    assert (
        "can reach 3 in 100 without exact totals, "
        "at most 3 in 100 adjusted to fit, at most 7 in 100 drawn until they fit" in view.losses.reading
    )


def test_the_price_of_two_who_change_places_is_measured_against_their_own_loss() -> None:
    computed = exact_totals_view(ExactTotalsInputs(exact="both", epsilon=0.3), PLAIN).computed
    assert "Loss at most 1.2 for a swap: twice its raw 0.6" in computed
    assert "four times the 0.3 of one move" in computed


def test_a_larger_crossing_table_says_what_its_simulation_is_worth() -> None:
    view = exact_totals_view(ExactTotalsInputs(table=((3, 1, 2), (0, 4, 1), (2, 2, 2)), exact="both"), PLAIN)
    assert "simulated tables, worth at least" in view.computed


def test_equal_seeds_give_equal_pages() -> None:
    pages = [exact_totals_view(ExactTotalsInputs(method="project", seed=seed), PLAIN).answer for seed in (1, 1)]
    assert pages[0] == pages[1]


def test_no_cell_is_published_below_zero() -> None:
    view = exact_totals_view(ExactTotalsInputs(table=((0, 9), (1, 0)), exact="total"), PLAIN)
    assert view.cells is not None
    drawn = {trace.name: np.asarray(trace.y) - np.asarray(trace.error_y.arrayminus) for trace in view.cells.figure.data}
    for name in ("adjusted to fit", "drawn until they fit"):
        assert np.all(drawn[name] >= -np.array([0, 9, 1, 0]) - 1e-9)


def test_the_fields_are_the_inputs() -> None:
    assert ExactTotalsInputs(**{field.name: field.default for field in FIELDS}) == ExactTotalsInputs()


@pytest.mark.parametrize(("exact", "people"), [("total", 1), ("rows", 1), ("both", 2)])
def test_a_change_is_compared_with_the_same_change_without_exact_totals(exact: str, people: int) -> None:
    """Two people who change places lose twice what one person's move loses, with or without the totals."""
    inputs = ExactTotalsInputs(exact=exact, prior=0.05)
    view = exact_totals_view(inputs, Style())
    before = 1 / (1 + 19 * math.exp(-people * inputs.epsilon))
    assert view.losses is not None
    assert f"can reach {math.ceil(100 * before - 1e-9)} in 100 without exact totals" in view.losses.reading
    assert ("change: two people who change places" in view.small_print) == (people == 2)
    assert view.losses.numbers.column("loss").numbers[0] == pytest.approx(people * inputs.epsilon)


RHO = {"guarantee": "zero_concentrated", "rho": 0.5, "failure": 0.02, "prior": 0.05}


@pytest.mark.parametrize("exact", ["none", "total", "rows", "both"])
@pytest.mark.parametrize("method", ["condition", "project"])
def test_a_rho_bounds_a_belief_by_the_tail_of_its_loss(exact: str, method: str) -> None:
    """The shift e solves (1 + exp(-e)) exp(-(e - ρ)²/4ρ) = δ′; two people who change places move twice the cells."""
    view = exact_totals_view(ExactTotalsInputs(exact=exact, method=method, **RHO), TECHNICAL)
    rho = 2 * RHO["rho"] if exact == "both" else RHO["rho"]
    shift = brentq(lambda e: (1 + math.exp(-e)) * math.exp(-((e - rho) ** 2) / (4 * rho)) - 0.02, rho, 50)
    before, after = rho, 1 / (1 + 19 * math.exp(-shift))
    assert f"**{math.ceil(after * 1e4) / 1e4:.4g}" in view.answer
    assert "except with a probability of 0.02" in view.answer
    assert "Discrete Gaussian noise, 0.25 a cell, 0.5 a record" in view.small_print
    if exact != "none":
        assert view.losses is not None
        assert view.losses.numbers.column("loss").numbers[:3] == pytest.approx([before] * 3)


@pytest.mark.parametrize("style", [PLAIN, TECHNICAL], ids=["plain", "technical"])
@pytest.mark.parametrize("choices", [RHO, RHO | {"exact": "both"}, {"method": "project"}, {"table": ((1, 0),)}, {}])
def test_what_exact_totals_do_not_change_is_no_change(choices: dict[str, Any], style: Style) -> None:
    """A limit that is the same without them is said once, as that to experts, and never "instead of" itself."""
    inputs = ExactTotalsInputs(**choices)
    view = exact_totals_view(inputs, style)
    assert view.losses is not None
    noisy, projected, conditioned, _ = view.losses.numbers.column("loss").numbers
    same = (projected if inputs.method == "project" else conditioned) <= noisy
    assert same == bool(choices)
    for said in (view.answer.split("Mean absolute")[0], view.losses.reading):
        assert re.search(r"([\d.]+)\W* instead of \W*\1\b", said) is None
    assert (same and style.technical) == ("as without" in view.answer)
    together = ("in all three ways", "alone, after projection (post-processing) and after")
    assert (conditioned <= noisy) == any(said in view.losses.reading for said in together)


def test_the_loss_of_drawn_tables_passes_the_shift_no_more_often_than_the_exception_says() -> None:
    """All tables of three cells with their total: the chance that the loss of a move is beyond the page's shift."""
    rho, failure = 0.1, 0.01
    shift = shift_bound(ZeroConcentratedDP(rho=rho), delta_prime=failure)
    sums = np.array(list(itertools.product(range(-60, 61), repeat=2)))
    lattice = np.column_stack([sums, -sums.sum(axis=1)])
    law = np.exp(-rho / 2 * (lattice**2).sum(axis=1))
    loss = rho / 2 * (((lattice - [1, -1, 0]) ** 2).sum(axis=1) - (lattice**2).sum(axis=1))
    assert 0 < law[np.abs(loss) > shift].sum() / law.sum() <= failure


def test_drawn_cells_under_a_rho_have_the_exact_law_and_can_be_negative() -> None:
    view = exact_totals_view(ExactTotalsInputs(table=((0, 9), (1, 0)), **RHO), PLAIN)
    laws = condition_on_totals([0, 9, 1, 0], noise=DiscreteGaussian(rho=0.25), non_negative=False).laws()
    assert view.cells is not None
    error = np.mean([law.mean_absolute_error(count) for law, count in zip(laws, (0, 9, 1, 0), strict=True)])
    assert f"Typical error: **{error:.3g}** (drawn until they fit)" in view.cells.reading
    assert view.cells.reading.endswith("Drawn cells can be negative.")
    drawn = {trace.name: np.asarray(trace.y) - np.asarray(trace.error_y.arrayminus) for trace in view.cells.figure.data}
    assert drawn["drawn until they fit"][0] < 0 <= drawn["adjusted to fit"][0] + 1e-9


def test_the_lines_of_python_give_the_belief_of_the_page_under_a_rho() -> None:
    view = exact_totals_view(ExactTotalsInputs(exact="rows", **RHO), TECHNICAL)
    assert view.python is not None
    found: dict[str, float] = {}
    exec(view.python.text, found)
    assert f"**{math.ceil(found['answer'] * 1e4) / 1e4:.4g}" in view.answer
