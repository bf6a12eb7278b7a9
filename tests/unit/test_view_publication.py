"""What *Plan a publication* says: ranges recomputed by another route, what is handed on, what is refused."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from string import ascii_letters
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest
from scipy.optimize import bisect, brentq
from scipy.stats import norm

from dpcore.accuracy import count_error
from dpcore.attacks.one_count import CountAttack
from dpcore.guarantees import PureDP, ZeroConcentratedDP
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric
from dpcore.publication import census_levels_2020
from dpcore.scope import Scope
from dpcore.semantics import posterior_upper, shift_bound
from riskline.answers import budget_together
from riskline.case.fields import MAX_VALUE_LENGTH, pairs_of, read_pairs
from riskline.case.releases import plan_of
from riskline.case.tables import COLUMNS, HEADS, MOST_ROWS, Sheet, TableRow, decode_tables, encode_tables, unfinished
from riskline.case.value import Case
from tests.each import each
from ui.link.case_links import of_case, page_query_of, parts_of
from ui.link.page_table import PageLink
from ui.pictures.style import Style
from ui.views.choose import FIELDS as CHOOSE
from ui.views.choose import ChooseInputs, choose_view
from ui.views.choose.answer import answered
from ui.views.hierarchy import FIELDS as HIERARCHY_FIELDS
from ui.views.hierarchy import HierarchyInputs
from ui.views.hierarchy.view import build_up
from ui.views.plan import PlanInputs
from ui.views.publication import (
    FIELDS,
    IN_RHO,
    PRESETS,
    PublicationInputs,
    PublicationView,
    beginning,
    publication_view,
)
from ui.views.publication.shared import Shared
from ui.words.catalogue import option_words, passages
from ui.words.phrasing import frequency, times
from ui.words.quantities import number

PLAIN, TECHNICAL = Style(), Style(voice="technical")


def view_of(style: Style = PLAIN, **choices: Any) -> PublicationView:
    return publication_view(PublicationInputs(**choices), style)


def column(view: PublicationView, head: str) -> list[object]:
    assert view.results is not None
    return [row[view.results.columns.index(head)] for row in view.results.rows]


def test_the_line_decides_the_budget_as_on_its_own_page() -> None:
    line = answered(ChooseInputs(guarantee="zero_concentrated"), PLAIN)
    assert line.budget is not None
    assert "Ranges exact at this budget." in view_of().small_print
    assert f"{line.spend}" in view_of(TECHNICAL).small_print
    pure = answered(ChooseInputs(line="constant", ratio=2.0), PLAIN)
    assert f"Ranges exact at {pure.spend}." in view_of(noise="geometric", line="constant", ratio=2.0).small_print


@pytest.mark.parametrize(
    ("line", "prior", "said"),
    [
        ({"line": "constant", "ratio": 3.0}, 0.2, "20 in 100"),
        ({"line": "box", "ratio": 4.0, "low": 0.05}, 0.025, "25 in 1,000"),
    ],
    ids=["decided next to belief 0", "decided where presence is doubted"],
)
def test_a_belief_in_presence_and_value_reaches_two_steps_whatever_its_parts(
    line: dict[str, Any], prior: float, said: str
) -> None:
    rows = (TableRow("Cases", wish="5", cells="3"),)
    both = PublicationInputs(secret="both", noise="geometric", prior=0.2, tables=rows, **line)
    view, shared = publication_view(both, PLAIN), Shared(both, PLAIN)
    reached = posterior_upper(prior=prior, epsilon=2 * shared.total)
    assert shared.prior == prior
    assert f"a belief of {said}" in view.small_print
    assert f"to at most {shared.rise.spoken(reached, 'up')}" in view.small_print
    (stated,) = view.stated
    assert stated.at_most == pytest.approx(reached)


def test_a_households_budget_is_that_of_all_its_records() -> None:
    rows = (TableRow("Cases", wish="30"),)
    one = view_of(tables=rows, noise="geometric", start="budget", epsilon=1.2)
    three = view_of(tables=rows, noise="geometric", start="budget", epsilon=1.2, unit="household", group=3)
    assert column(one, "gets, at most") == ["± 2"]
    exact = count_error(Geometric(epsilon=1.2, sensitivity=3), level=0.95).half_width
    assert column(three, "gets, at most") == [f"± {exact:g}"]
    assert (
        "that a given household of 3 is in the data"
        in view_of(
            tables=(TableRow("Cases", wish="1"),),
            noise="geometric",
            start="budget",
            epsilon=1.2,
            unit="household",
            group=3,
        ).keeping
    )


def test_ranges_are_those_of_the_noise_of_each_row() -> None:
    rows = (
        TableRow("monthly", wish="10", times="12"),
        TableRow("several cells", wish="12", cells="8", places="4"),
        TableRow("a total", "total", wish="60", low="-3", high="5"),
    )
    view = view_of(tables=rows, start="budget", rho=0.9)
    budgets = [float(str(cell)) for cell in column(view, "budget of one release")]
    assert 12 * budgets[0] + budgets[1] + budgets[2] == pytest.approx(0.9, rel=1e-3)
    widths = [
        count_error(DiscreteGaussian(rho=budgets[0]), level=0.95).half_width,
        count_error(DiscreteGaussian(rho=budgets[1] / 4), level=0.95).half_width,
        count_error(DiscreteGaussian(rho=budgets[2], sensitivity=5), level=0.95).half_width,
    ]
    assert column(view, "gets, at most") == [f"± {width:g}" for width in widths]


def test_two_budgets_that_reach_as_much_in_print_are_not_told_against_each_other() -> None:
    pay = replace(TableRow("Pay", "total", wish="9000"), low="-20", high="4000")
    view = view_of(tables=(pay,), noise="laplace", amounts="own")
    assert view.keeping.endswith("**8 in 100** could still become at most **25 in 100**, rounded up.")
    assert "instead of" in view_of(tables=(replace(pay, wish="5000"),), noise="laplace", amounts="own").keeping


def test_gaussian_ranges_and_their_stretch_by_hand() -> None:
    rows = (TableRow("A", wish="10"), TableRow("B", wish="20", times="3"))
    view = view_of(tables=rows, noise="gaussian", start="budget", rho=0.01)
    z = norm.ppf(0.975)
    stretch = math.sqrt(z**2 / 2 * (1 / 10**2 + 3 / 20**2) / 0.01)
    assert stretch > 1
    assert f"up to **{math.ceil(100 * stretch) / 100:g} times** as wide" in view.answer
    needed = 0.01 * stretch**2
    assert f"takes **at most {times(needed / 0.01)} this budget**" in view.keeping
    technical = view_of(TECHNICAL, tables=rows, noise="gaussian", start="budget", rho=0.01)
    assert f"ρ = {number(3)(needed, 'up')}" in technical.keeping
    reach = posterior_upper(prior=0.08, epsilon=shift_bound(ZeroConcentratedDP(rho=needed), delta_prime=0.01))
    assert f"**{math.ceil(100 * reach)} in 100**" in view.keeping


def _least(fails: Callable[[float], float]) -> float:
    """The least budget at which noise leaves a range at most one time in 20."""
    return float(brentq(lambda budget: fails(budget) - 0.05, 1e-9, 50, xtol=1e-14))


def _outside_geometric(budget: float, l1: float, wide: int) -> float:
    ratio = math.exp(-budget / l1)
    return 2 * ratio ** (wide + 1) / (1 + ratio)


def _outside_gaussian(budget: float, cells: int, change: float, wide: int) -> float:
    variance = cells * change**2 / (2 * budget)
    x = np.arange(int(50 * math.sqrt(variance)) + wide + 5)
    weights = np.exp(-(x**2) / (2 * variance)) * np.where(x == 0, 1, 2)
    return float(weights[wide + 1 :].sum() / weights.sum())


DAYS = decode_tables("Days~total~400~1~40~~~21000~0~30")
"""Days in hospital from 0 to 30, for 40 districts."""


@pytest.mark.parametrize("relation", ["replace", "add_or_remove"])
@pytest.mark.parametrize("moves", ["", "anywhere", "nowhere"])
def test_a_moved_record_reaches_no_more_than_a_total_of_many_areas_promises(relation: str, moves: str) -> None:
    """Version 0.3 promised 25 in 100; thirty days that left one district and came to another reached 54.5."""
    inputs = PublicationInputs(tables=DAYS, noise="geometric", secret="value", relation=relation, moves=moves)
    shared = Shared(inputs, PLAIN)
    noise = shared.publication.noise_of_number(0, budget=float(shared.allocation.budgets[0]))
    assert isinstance(noise, Geometric)
    ratio = math.exp(noise.rate * (30 if moves == "nowhere" else 60))  # of what is published where 30 days moved
    odds = shared.prior / (1 - shared.prior)
    assert odds * ratio / (1 + odds * ratio) == pytest.approx(shared.rise.after.value, rel=1e-9)
    if relation == "replace":
        assert shared.rise.after.value <= 0.25
        by_the_width_alone = odds * math.exp(2 * shared.total)
        assert by_the_width_alone / (1 + by_the_width_alone) > 0.5


def test_the_two_possibilities_may_place_somebody_in_another_area_unless_somebody_says_not() -> None:
    about = {"tables": DAYS, "noise": "geometric", "secret": "value", "relation": "replace"}
    ranges = {moves: column(view_of(moves=moves, **about), "gets, at most") for moves in ("", "anywhere", "nowhere")}
    assert ranges[""] == ranges["anywhere"] != ranges["nowhere"]
    for style in (PLAIN, TECHNICAL):
        undecided, known = (view_of(style, moves=moves, **about) for moves in ("", "nowhere"))
        assert passages("publication", style.voice)["moves_undecided"] in undecided.small_print
        exception = passages("publication", style.voice)["area_known"]
        for told in (known.small_print, known.frontier.reading if known.frontier else ""):
            assert exception in told
        assert exception not in undecided.small_print
    assert (
        "area"
        not in view_of(
            tables=(TableRow("Days", "total", wish="9", low="0", high="30"),),
            secret="value",
            relation="replace",
            noise="geometric",
        ).small_print
    )


def test_a_total_split_by_cells_moves_two_of_its_numbers() -> None:
    about: Any = {"noise": "geometric", "secret": "value", "relation": "replace", "moves": "nowhere"}
    days = TableRow("Days", "total", wish="9", low="0", high="30")
    one, split = (
        Shared(PublicationInputs(tables=(replace(days, cells=cells),), **about), PLAIN) for cells in ("", "2")
    )
    assert (one.publication.sensitivities[0], split.publication.sensitivities[0]) == (30, 60)


def test_means_of_several_areas_need_the_area_to_be_known() -> None:
    rows = (TableRow("Score", "mean", wish="5", low="0", high="100", people="60", areas="30"),)
    about = {"tables": rows, "noise": "laplace", "secret": "value", "relation": "replace", "line": "constant"}
    assert "say that the two possibilities place nobody in another district" in (view_of(**about).refusal or "")
    assert view_of(moves="nowhere", **about).refusal is None


def test_each_row_keeps_its_own_noise_when_it_is_handed_to_several_releases() -> None:
    rows = (
        TableRow("Income", "total", wish="150000", areas="20", low="0", high="9000"),
        TableRow("People", wish="9", areas="20", times="3"),
    )
    for more in ({}, {"relation": "replace", "secret": "value"}, {"unit": "household", "group": 3}):
        view = view_of(tables=rows, start="budget", rho=0.4, **more)
        plan = plan_of(view.ledger)
        shared = Shared(PublicationInputs(tables=rows, start="budget", rho=0.4, **more), PLAIN)
        for place, row in enumerate(plan.rows):
            own = shared.publication.noise_of_number(place, budget=float(shared.allocation.budgets[place]))
            assert float(row.source.std) == pytest.approx(own.std, rel=1e-9)


@pytest.mark.parametrize("noise", ["geometric", "discrete_gaussian"])
@pytest.mark.parametrize(
    "who", [{}, {"secret": "value", "relation": "replace"}, {"unit": "household", "group": 2}], ids=str
)
def test_what_keeping_all_ranges_would_let_the_attacker_reach_is_that_of_the_laws_of_noise(
    noise: str, who: dict[str, Any]
) -> None:
    """By hand: changes of one unit, budgets from the laws' own sums, e^ε from them all, and for a ρ both tails.

    (1 + e^-s) exp(-(s - ρ)²/4ρ) bounds how often the log odds shift by more; never less than by continuous noise.
    """
    rows = (
        TableRow("A", wish="6", cells="6", places="2"),
        TableRow("B", wish="12.7", times="3", areas="40"),
        TableRow("C", "total", wish="90", low="-2", high="7"),
    )
    replaced, group = "relation" in who, int(who.get("group", 1))
    cells, amount = (2 if replaced else 1), group * (9 if replaced else 7)
    moved = ((2 * cells, group, 6, 1), (cells, group, 12, 3), (1, amount, 90, 1))
    if noise == "geometric":
        needs = [times * _least(lambda b, m=(c * d, w): _outside_geometric(b, *m)) for c, d, w, times in moved]
        shift = sum(needs)
    else:
        needs = [times * _least(lambda b, m=(c, d, w): _outside_gaussian(b, *m)) for c, d, w, times in moved]
        rho = sum(needs)
        shift = brentq(lambda s: (1 + math.exp(-s)) * math.exp(-((s - rho) ** 2) / (4 * rho)) - 0.01, rho, 50)
        assert shift > rho + norm.ppf(0.99) * math.sqrt(2 * rho)
    reach = 0.08 * math.exp(shift) / (0.92 + 0.08 * math.exp(shift))
    keeping = view_of(tables=rows, noise=noise, start="budget", epsilon=0.5, rho=0.02, **who).keeping
    takes = (
        f"ε = {number(3)(sum(needs), 'up')}"
        if noise == "geometric"
        else f"at most {times(sum(needs) / 0.02)} this budget"
    )
    assert f"Keeping them all takes **{takes}**" in keeping
    assert f"could then reach at most **{math.ceil(100 * reach)} in 100**, instead of at most" in keeping


def view_of_case(case: Case, **own: Any) -> PublicationView:
    """The page as it begins with a case."""
    begins = beginning(case)
    defaults = {field.name: field.default for field in begins if not field.of_case}
    return publication_view(PublicationInputs(**defaults | of_case(case, begins) | own, case=case), PLAIN)


FOURTEEN = tuple(TableRow(f"Table {place}", wish="10", areas="40") for place in range(14))


def test_noise_that_follows_from_a_line_is_told_with_what_the_other_noise_lets_the_same_belief_reach() -> None:
    case = Case(tables=FOURTEEN, ratio=2.0)
    view = view_of_case(case)
    before = 0.12  # the line bends at an eighth, and the belief is the one that is printed
    needs = [14 * _least(lambda b: _outside_geometric(b, 1, 10)), 14 * _least(lambda b: _outside_gaussian(b, 1, 1, 10))]
    rho = needs[1]
    shift = brentq(lambda s: (1 + math.exp(-s)) * math.exp(-((s - rho) ** 2) / (4 * rho)) - 0.01, rho, 50)
    reached = [math.ceil(100 * posterior_upper(prior=before, epsilon=found)) for found in (needs[0], shift)]
    assert reached[0] > reached[1]
    assert f"could then reach at most **{reached[0]} in 100**" in view.keeping
    assert view.other_noise == (
        "With discrete Gaussian noise, not your line's geometric noise, keeping all reaches "
        f"at most **{reached[1]} in 100**, except with a probability of 1 in 100."
    )
    assert view.to_other_noise == "Use discrete Gaussian noise"
    switched = view_of_case(case.with_choices(noise=IN_RHO))
    assert f"could then reach at most **{reached[1]} in 100**" in switched.keeping
    kept = view_of_case(Case(tables=FOURTEEN), rho=0.244)
    assert kept.frontier is not None
    assert kept.frontier.reading.endswith("**49 in 100**, ranges as asked, except with a probability of 1 in 100.")
    for chosen in (switched, view_of_case(case.with_choices(guarantee="pure")), view_of_case(Case(tables=FOURTEEN))):
        assert (chosen.other_noise, chosen.to_other_noise) == ("", "")


@each(
    "about, own",
    [
        ({}, {"rho": 0.244}),
        ({"noise": "geometric", "secret": "value", "relation": "replace"}, {"epsilon": 1.0}),
        ({"unit": "household", "group": 3}, {"rho": 0.3, "prior": 0.02}),
    ],
)
def test_without_a_line_the_next_step_draws_one_that_allows_what_is_tried(
    about: dict[str, Any], own: dict[str, float]
) -> None:
    case = Case(tables=FOURTEEN, **about)
    way = view_of_case(case, **own).next
    assert way is not None
    assert (way.stem, way.words) == ("choose", "Draw a line allowing this")
    led = parts_of("choose", CHOOSE, list(page_query_of(case, way).items())).case.case
    assert led is not None
    held, tried = budget_together(led), max(own.get(name, 0.0) for name in ("rho", "epsilon"))
    assert held is not None
    assert held.currency == ("epsilon" if "epsilon" in own else "rho")
    assert tried <= held.value <= 1.25 * tried
    there = view_of_case(led)
    assert set(column(there, "asked range")) <= set(column(view_of_case(case, **own), "asked range"))
    assert there.next is not None
    assert there.next.stem == "memo"
    assert view_of_case(case, rho=50.0, epsilon=50.0).next == PageLink("choose", "Choose a budget")


def test_a_share_by_hand_that_keeps_no_range_is_not_said_to_keep_it() -> None:
    """± 1 with z²/2 of budget at 1 of 100, ± 100 with the rest; and a row that asks for nothing keeps its share."""
    rows = (TableRow("A", wish="1", share="1 %"), TableRow("B", wish="100"))
    view = view_of(tables=rows, noise="gaussian", start="budget", rho=0.1)
    assert "**1 of 2** ranges is kept" in view.answer
    need = norm.ppf(0.975) ** 2 / 2
    assert f"Keeping them all with these shares takes **at most {times(100 * need / 0.1)} this budget**" in view.keeping
    unasked = (TableRow("A", share="20 %"), TableRow("B", wish="3"))
    view = view_of(tables=unasked, noise="gaussian", start="budget", rho=0.1)
    assert f"with these shares takes **at most {times(need / 9 / 0.8 / 0.1)} this budget**" in view.keeping
    source = ZeroConcentratedDP(rho=need / 9 / 0.8)
    reach = posterior_upper(prior=0.08, epsilon=shift_bound(source, delta_prime=0.01))
    assert f"**{math.ceil(100 * reach)} in 100**" in view.keeping


def test_other_rules_say_what_keeping_all_ranges_takes_or_that_this_budget_would_keep_them() -> None:
    rows = (TableRow("A", wish="3"), TableRow("B", wish="10", times="2"))
    need = norm.ppf(0.975) ** 2 / 2 * (1 / 9 + 2 / 100)
    for total, told in (
        (0.1, f"Keeping them all widened by the same factor takes **at most {times(need / 0.1)} this budget**."),
        (0.3, "Widened by the same factor, all would be kept."),
        (9.0, "Ranges are kept as asked;"),
    ):
        view = view_of(tables=rows, noise="gaussian", start="budget", rho=total, rule="same_error")
        assert told in f"{view.answer} {view.keeping}"
        assert view.keeping.count("instead of at most") == (total == 0.1)


def test_what_is_kept_is_said_with_the_protection_and_the_least_budget_that_keeps_it() -> None:
    rows = (TableRow("A", wish="10"), TableRow("B", wish="20"))
    need = sum(
        bisect(lambda epsilon, width=width: count_error(Geometric(epsilon=epsilon)).half_width - width - 0.5, 0.1, 1.0)
        for width in (10, 20)
    )
    enough = math.ceil(1000 * need) / 1000
    reached, least = (frequency(posterior_upper(prior=0.08, epsilon=total), "up") for total in (1.0, need))
    rises = f"belief in the secret rises from **8 in 100** to at most **{least}**."
    kept = view_of(tables=rows, noise="geometric", start="budget", epsilon=enough + 0.001)
    assert kept.answer == f"Ranges are kept as asked; {rises}"
    assert kept.keeping == ""
    view = view_of(tables=rows, noise="geometric", start="budget", epsilon=1.0)
    widths = [float(str(cell).removeprefix("± ")) for cell in column(view, "gets, at most")]
    finer = math.floor(10 * min(10 / widths[0], 20 / widths[1])) / 10
    assert view.answer == f"Ranges are at least **{finer} times** as accurate as asked; a smaller budget keeps them."
    takes = number(3)(need, "up")
    assert view.keeping.startswith(f"Keeping them all needs less: it takes **ε = {takes}**. A belief of ")
    assert f"could then reach at most **{least}**, instead of at most **{reached}**" in view.keeping
    assert column(view, "asked range") == ["kept", "kept"]
    assert view.enough == (("start", "budget"), ("epsilon", enough))
    assert f"ε = {enough}" in view.to_enough
    tried = view_of(tables=rows, noise="geometric", **dict(view.enough))
    assert column(tried, "asked range") == ["kept", "kept"]
    assert (tried.enough, tried.to_enough) == ((), "")
    less = view_of(tables=rows, noise="geometric", start="budget", epsilon=enough - 0.001)
    assert "wider" in column(less, "asked range")
    assert less.enough == view.enough


def test_the_least_budget_is_offered_where_the_tables_then_keep_their_ranges_alone() -> None:
    rows = (TableRow("A", wish="3"), TableRow("B", wish="10", times="2"))
    for choices in ({"reserve": 0.2}, {"noise": "gaussian"}, {"tables": (replace(rows[0], share="1/2"), rows[1])}):
        about = {"tables": rows, "rho": 0.01} | choices
        found = dict(view_of(start="budget", **about).enough)
        assert set(column(view_of(**about | found), "asked range")) == {"kept"}
        assert "wider" in column(view_of(**about | found | {"rho": found["rho"] * 0.98}), "asked range")
    assert view_of(tables=rows, start="budget", rho=0.01, rule="same_budget").enough == ()


@each(
    "shares, rounded",
    [
        (["33.9", "16.8", "16.7", "7.7", "7.5", "6.5", "10.9"], False),  # tenths that add up
        (["50.0", "25.0", "25.0"], False),
        (["33.3"] * 3, True),  # no number of digits lets thirds add up
        (["6.25"] * 8 + ["50.00"], False),  # tenths would show 6.2 beside 6.3
    ],
)
def test_shares_add_up_as_shown_equal_ones_alike_or_are_called_rounded(shares: list[str], rounded: bool) -> None:
    typed = [share if share != "33.3" else "" for share in shares]
    rows = tuple(TableRow(f"T{place}", share=f"{share} %" if share else "") for place, share in enumerate(typed))
    view = view_of(tables=rows, rule="same_budget", start="budget", noise="gaussian")
    head = "share of the budget, rounded" if rounded else "share of the budget"
    assert column(view, head) == [f"{share} %" for share in shares]
    assert (sum(round(100 * float(share)) for share in shares) == 10_000) is not rounded
    assert view.ranges is not None
    drawn = view.ranges.numbers.column("share")
    assert [drawn.name, *(drawn.cell(place) for place in range(len(shares)))] == [head, *column(view, head)]


def test_shares_of_many_ranges_add_up_and_equal_ranges_show_equal_shares() -> None:
    wishes = [50, 50, 20, 20, 20, 20, *[10] * 8]
    view = view_of(tables=tuple(TableRow(f"T{place}", wish=f"{wish}") for place, wish in enumerate(wishes)))
    shares = [str(cell) for cell in column(view, "share of the budget")]
    assert len(set(zip(wishes, shares, strict=True))) == 3
    assert sum(round(1000 * float(share.removesuffix(" %"))) for share in shares) == 100_000


@each(
    "rows, why",
    [
        ((TableRow("A", areas="6"), TableRow("B", areas="38")), "split those above (6) evenly; got 38"),
        (
            (TableRow("A", areas="40"), TableRow("B", areas="40")),
            "split those above (40) evenly; got 40",
        ),
        (
            (TableRow("A", areas="40"), TableRow("B", areas="20")),
            "split those above (40) evenly; got 20",
        ),
        ((TableRow("A", times="2"), TableRow("B", areas="3")), "publish the same cells once each"),
        ((TableRow("A"), TableRow("B", areas="3", cells="2")), "publish the same cells once each"),
        ((TableRow("A"), TableRow("B", "total", areas="3", low="0", high="9")), "publish the same cells once each"),
    ],
)
def test_levels_that_cannot_add_up_are_told_beside_ranges_that_hold(rows: Sheet, why: str) -> None:
    wished = tuple(replace(row, wish="5") for row in rows)
    view, apart = view_of(tables=wished, levels=True), view_of(tables=wished)
    assert why in view.levels_refusal
    assert view.refusal is None
    assert (view.results, view.answer, view.levels, view.to_hierarchy) == (apart.results, apart.answer, None, None)


def test_a_wide_range_is_asked_for_in_digits() -> None:
    rows = (TableRow("Earnings", "total", wish="1,234,000", low="0", high="9000"),)
    assert column(view_of(tables=rows), "asked for") == ["± 1,234,000"]


def test_rows_without_a_range_share_what_the_others_leave() -> None:
    rows = (
        TableRow("Districts", wish="10", areas="38"),
        TableRow("Country"),
        TableRow("Regions", times="3"),
        TableRow("By hand", share="5 %"),
    )
    view = view_of(tables=rows, noise="gaussian", start="budget", rho=0.1, reserve=0.1)
    need = norm.ppf(0.975) ** 2 / 2 / 100
    left = (0.1 * (1 - 0.1 - 0.05) - need) / 4  # one budget for each release without a range
    budgets = [need, left, left, 0.005]
    assert [float(str(cell)) for cell in column(view, "budget of one release")] == pytest.approx(budgets, rel=1e-3)
    assert view.answer.startswith("Ranges are kept as asked; ")
    assert column(view, "gets, at most")[0] == "± 10"
    assert (
        "ranges as asked, others share equally"
        in view_of(TECHNICAL, tables=rows, noise="gaussian", start="budget", rho=0.1).small_print
    )
    everything = view_of(tables=rows, noise="gaussian", start="budget", rho=need * 1.01)
    assert everything.refusal == (
        "Row 2 (Country): ± wanted must be a number, or a share be kept by hand, as other ranges take the "
        "budget; the cell is empty."
    )


def test_a_share_by_hand_is_kept_and_the_rest_shared() -> None:
    rows = (TableRow("A", wish="10", share="30 %"), TableRow("B", wish="20"), TableRow("C", wish="20"))
    view = view_of(tables=rows, noise="laplace", start="budget", epsilon=1.0)
    assert column(view, "share of the budget") == ["30.0 %", "35.0 %", "35.0 %"]
    reserved = view_of(tables=rows, noise="laplace", start="budget", epsilon=1.0, reserve=0.1)
    assert column(reserved, "share of the budget") == ["30.0 %", "30.0 %", "30.0 %"]


def test_the_ledger_that_is_handed_on_spends_the_same_total() -> None:
    for choices in (
        {},
        {"noise": "geometric", "start": "budget", "epsilon": 0.8, "unit": "household", "group": 4},
        dict(PRESETS["school"]),
        dict(PRESETS["labour"]),
    ):
        inputs = PublicationInputs(**choices)
        view = publication_view(inputs, PLAIN)
        plan = PlanInputs(rows=view.ledger, released=view.released)
        group = inputs.group if inputs.unit != "person" else 1
        if inputs.by_rho:
            spent = plan_of(plan.rows).concentrated().rho * group**2
            total = answered(inputs.choose, PLAIN).budget.recommended_each * group**2  # type: ignore[union-attr]
        else:
            spent, total = plan_of(plan.rows).basic(1e-6).epsilon * group, inputs.epsilon
        assert total * (1 - 1e-11) <= spent <= total * (1 + 1e-14)
        assert all(len(Decimal(row.budget).as_tuple().digits) <= 12 for row in plan.rows)  # as on every processor


@pytest.mark.parametrize(("noise", "divided"), [("geometric", 3), ("discrete_gaussian", 9)])
def test_a_budget_that_is_tried_for_a_household_is_that_of_one_of_its_records(noise: str, divided: int) -> None:
    asked = {"start": "budget", "noise": noise, "epsilon": 0.9, "rho": 0.9, "unit": "household", "group": 3}
    tried = PublicationInputs(**asked, case=Case(ratio=2.0)).trial
    assert tried is not None
    assert tried.value == pytest.approx(0.9 / divided)


@pytest.mark.parametrize(("noise", "told"), [("geometric", 0.0714), ("discrete_gaussian", 0.0102)])
def test_a_quotient_that_nobody_typed_is_rounded_down(noise: str, told: float) -> None:
    """0.5/7 = 0.071428…, 0.5/49 = 0.010204…: the strip prints every digit of a budget."""
    asked = {"start": "budget", "noise": noise, "epsilon": 0.5, "rho": 0.5, "unit": "household", "group": 7}
    tried = PublicationInputs(**asked, case=Case(ratio=2.0)).trial
    assert tried is not None
    assert tried.value == told


def test_a_line_is_handed_on_and_comes_back() -> None:
    chosen = ChooseInputs(line="increase", increase=0.1, unit="household", group=3)
    view = choose_view(chosen, PLAIN)
    (tables,) = (way for way in view.next if way.stem == "publication")
    reading = read_pairs(FIELDS, tables.query)
    assert not reading.refusals
    case = Case(line="increase", increase=0.1, unit="household", group=3)
    begins = beginning(case)
    inputs = PublicationInputs(**reading.values | of_case(case, begins), case=case)
    assert inputs.noise == "geometric"
    assert inputs.choose == replace(chosen, release="tables")
    there = publication_view(inputs, PLAIN)
    assert view.budget is not None
    assert f"(**ε = {view.budget.recommended_each}** for one record)" in there.small_print
    assert there.next is not None
    assert there.next.stem == "memo"
    assert there.to_line is not None
    assert (there.to_line.stem, there.to_line.query) == ("choose", ())
    failing = choose_view(replace(chosen, guarantee="approximate"), PLAIN)
    assert "publication" not in {way.stem for way in failing.next}


def test_a_rho_certified_for_one_count_is_shared_among_no_tables() -> None:
    """Whatever release the case has, the page is about its tables: as a case of one count it had a budget to share."""
    certified = Case(guarantee="zero_concentrated", route="discrete_gaussian", ratio=3.0)
    for case in (certified, certified.with_choices(release="count")):
        view = publication_view(PublicationInputs(**of_case(case, beginning(case)), case=case), PLAIN)
        assert "Several counts have another law together" in str(view.refusal)


def test_the_census_levels_are_those_of_the_library() -> None:
    view = publication_view(PublicationInputs(**PRESETS["census"]), PLAIN)
    found = census_levels_2020()
    assert view.levels is not None
    assert [row[0] for row in view.levels.table.rows] == list(found.names)
    for row, before, after in zip(view.levels.table.rows, found.errors.before, found.errors.after, strict=True):
        assert float(str(row[3])) == pytest.approx(before, abs=0.005)
        assert float(str(row[4])) == pytest.approx(after, abs=0.005)


@pytest.mark.parametrize("style", [PLAIN, TECHNICAL], ids=["plain", "technical"])
def test_levels_are_handed_on_with_all_budgets_and_told_with_the_numbers_of_the_other_page(style: Style) -> None:
    view, found = publication_view(PublicationInputs(**PRESETS["census"]), style), census_levels_2020()
    attack = _attack(view)
    assert attack.rhos == pytest.approx(found.budgets[::-1], rel=1e-12)
    assert attack.siblings_per_level == tuple(fanout - 1 for fanout in found.fanouts[::-1])
    reading = build_up(attack, style).reading
    told = re.findall(r"\*\*.*?\*\*", view.levels_attack)
    assert len(told) == 3
    for number_told in told:
        assert number_told in reading
    one_count = CountAttack(Gaussian(rho=sum(found.budgets)), prior=0.08).marginal_posterior()
    assert float(told[2].strip("*").split()[0].replace(",", "")) / (1 if style.technical else 10_000) == pytest.approx(
        float(one_count), abs=5e-4
    )


def _attack(view: PublicationView) -> HierarchyInputs:
    assert view.to_hierarchy is not None
    assert view.to_hierarchy.stem == "hierarchy"
    reading = read_pairs(HIERARCHY_FIELDS, view.to_hierarchy.query)
    assert not reading.refusals
    return HierarchyInputs(**reading.values)


def test_what_is_handed_on_is_the_noise_of_a_count_that_one_person_moves_by_one() -> None:
    """A budget B hides a change of g by σ² = g²/2B; where a record is replaced, two parts change and one whole."""
    rows = (TableRow("All", wish="9"), TableRow("Parts", wish="9", areas="12"))
    for more, squares in (
        ({"relation": "replace", "secret": "value"}, (2, 1)),
        ({"relation": "replace", "secret": "value", "moves": "nowhere"}, (1, 1)),
        ({"unit": "household", "group": 3}, (9, 9)),
    ):
        view = view_of(tables=rows, levels=True, start="budget", rho=0.9, **more)
        budgets = [float(str(cell)) for cell in column(view, "budget of one release")]
        attack = _attack(view)
        expected = [budget / square for budget, square in zip(budgets[::-1], squares, strict=True)]
        assert attack.rhos == pytest.approx(expected, rel=1e-3)
        assert attack.siblings_per_level == (11,)


@pytest.mark.parametrize(
    ("choices", "why"),
    [
        ({"noise": "gaussian"}, "for discrete Gaussian noise"),
        ({"tables": (TableRow("A", wish="9"), TableRow("B", wish="9", areas="900"))}, "one to 500 siblings"),
        (
            {"tables": (TableRow("A", wish="9", cells="4", places="2"), TableRow("B", wish="9", areas="5", cells="4"))},
            "counts moved in one cell by a person",
        ),
        ({"tables": tuple(TableRow("A", wish="9", areas=f"{2**place}") for place in range(11))}, "two to 10 levels"),
        ({"levels": False}, ""),
        ({"rho": 0.005}, "ρ of a count in [0.005, 10]"),
        ({"prior": 0.9995}, "priors in [1e-9, 0.999]"),
    ],
)
def test_levels_that_the_other_page_cannot_attack_are_not_handed_on_and_it_is_said_why(
    choices: dict[str, Any], why: str
) -> None:
    rows = (TableRow("All", wish="9"), TableRow("Parts", wish="9", areas="12"))
    chosen = {"tables": rows, "levels": True, "start": "budget", "rho": 0.9} | choices
    view, plain = view_of(TECHNICAL, **chosen), view_of(**chosen)
    assert view.refusal is None
    assert why in view.levels_attack
    assert bool(why) == bool(view.levels_attack) == bool(plain.levels)
    assert view.to_hierarchy is None
    assert (plain.levels_attack, plain.levels_refusal, plain.to_hierarchy) == ("", "", None)


@pytest.mark.parametrize("style", [PLAIN, TECHNICAL], ids=["plain", "technical"])
def test_every_example_has_an_answer_that_fits_into_a_link(style: Style) -> None:
    for preset in PRESETS.values():
        inputs = PublicationInputs(**preset)
        view = publication_view(inputs, style)
        assert view.refusal is None
        assert view.answer
        assert len(encode_tables(inputs.tables)) < MAX_VALUE_LENGTH


def test_the_frontier_falls_and_marks_today_on_its_line() -> None:
    view = view_of()
    assert view.frontier is not None
    numbers = view.frontier.numbers
    stretch, caps = numbers.column("stretch").numbers, numbers.column("cap").numbers
    assert np.all(np.diff(stretch) <= 0)
    today, cap = numbers.column("stretch_today").numbers[0], numbers.column("cap_today").numbers[0]
    assert np.interp(cap - 0.016, caps, stretch) >= today >= np.interp(cap + 0.016, caps, stretch)


def test_another_rule_stands_above_the_frontier_at_its_widest_range() -> None:
    rows = (TableRow("A", wish="10"), TableRow("B", wish="200", times="3"))
    view = view_of(tables=rows, noise="laplace", start="budget", epsilon=1.0, rule="same_budget")
    assert view.frontier is not None
    numbers = view.frontier.numbers
    today, cap = numbers.column("stretch_today").numbers[0], numbers.column("cap_today").numbers[0]
    assert today == pytest.approx(math.log(20) / 0.25 / 10)  # ε = 1/4 for each of four releases
    assert today > np.interp(cap, numbers.column("cap").numbers, numbers.column("stretch").numbers) * 1.05
    assert f"up to **{math.ceil(100 * today) / 100:g} times**" in view.frontier.reading


def test_answer_and_picture_tell_one_width() -> None:
    told = Shared(PublicationInputs(start="budget", noise="geometric", epsilon=0.88), PLAIN)
    view = view_of(start="budget", noise="geometric", epsilon=0.88)
    assert view.frontier is not None
    assert told.widest < 4.99  # to three digits, 4.99; the answer says 5
    assert "up to **5 times** as wide" in view.answer
    assert "up to **5 times** as wide" in view.frontier.reading


def test_a_stated_belief_is_the_bound_of_the_whole() -> None:
    view = view_of(noise="laplace", start="budget", epsilon=1.0, prior=0.2)
    (stated,) = view.stated
    assert isinstance(stated.source, PureDP)
    assert stated.source.epsilon == pytest.approx(1.0)
    assert stated.at_most == pytest.approx(0.2 * math.e / (0.8 + 0.2 * math.e))
    totals = (TableRow("T", "total", wish="5", low="0", high="9"),)
    assert view_of(tables=totals, noise="geometric", secret="value").stated == ()
    counts = (TableRow("C", wish="5"),)
    (value,) = view_of(tables=counts, noise="geometric", secret="value").stated
    assert value.scope is Scope.PLAN


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        (TableRow("A", wish="five"), "Row 2 (A): ± wanted must be a number; got 'five'."),
        (TableRow("A", wish="0"), "Row 2 (A): ± wanted must be from 1e-06 to 1,000,000,000; got '0'."),
        (TableRow("A", "rates", wish="5"), "Row 2 (A): what is published? It must be counts, a total or a mean"),
        (TableRow("A", wish="5", areas="1/3"), "Row 2 (A): areas must be from 1 to 1,000,000,000; got '1/3'."),
        (TableRow("A", wish="5", cells="0"), "Row 2 (A): cells in each must be from 1 to 1,000,000,000; got '0'."),
        (TableRow("A", wish="5", places="7"), "Row 2 (A): cells a person is in must be at most the table's cells (1)"),
        (TableRow("A", "total", wish="5"), "Row 2 (A): amounts from must be a number; the cell is empty."),
        (TableRow("A", "total", wish="5", low="3", high="3"), "Row 2 (A): amounts to must be above low (3); got 3."),
        (TableRow("A", "mean", wish="5", low="0", high="3"), "Row 2 (A): people of a mean must be a number"),
        (TableRow("A", share="120 %"), "Row 2 (A): share by hand must be from 1e-06 to 1; got '120 %'."),
        (TableRow(), "Row 2: ± wanted must be a number, or a share be kept by hand; the cell is empty."),
    ],
)
def test_a_cell_that_cannot_be_used_is_named_with_its_row(row: TableRow, sentence: str) -> None:
    view = view_of(tables=(TableRow("first", wish="5"), row), noise="laplace")
    assert view.refusal is not None
    assert view.refusal.startswith(sentence)


def test_a_mean_needs_records_that_are_replaced() -> None:
    mean = (TableRow("Score", "mean", wish="5", low="0", high="9", people="50"),)
    refusal = view_of(tables=mean, noise="laplace").refusal
    assert refusal is not None
    assert "must be 'replace' for a mean (adding a record changes the number of people)" in refusal
    assert view_of(tables=mean, noise="laplace", secret="value", relation="replace").refusal is None


def test_many_rows_are_a_link_or_a_notice_and_too_many_are_refused() -> None:
    rows = tuple(TableRow(f"Table {place}", wish=f"{place}") for place in range(1, MOST_ROWS + 1))
    assert decode_tables(encode_tables(rows)) == rows
    assert view_of(tables=rows, noise="gaussian").refusal is None
    with pytest.raises(ValueError, match="must hold at most 200 rows; got 10,000"):
        decode_tables("!".join(["A~counts~5"] * 10_000))
    dice = random.Random(7)
    long = tuple(TableRow("".join(dice.choices(ascii_letters, k=40)), wish="5") for _ in range(MOST_ROWS))
    view = view_of(tables=long, noise="gaussian")
    assert view.notice.startswith("Too many rows for a link")
    assert len(view.ledger) == 200
    too_many = tuple(TableRow("A", wish="5") for _ in range(MOST_ROWS + 1))
    assert view_of(tables=too_many).refusal == "The list must hold at most 200 rows; got 201."


def test_every_column_has_a_head_and_help_is_about_a_column() -> None:
    assert tuple(HEADS) == COLUMNS
    assert set(option_words("publication", "cell")) < set(COLUMNS)
    assert unfinished((TableRow("A", share="5 %"), TableRow())) == (2,)


@pytest.mark.parametrize("tables", [(), (TableRow(),), (TableRow(kind="mean"), TableRow())], ids=len)
def test_a_publication_begins_with_nothing(tables: Sheet) -> None:
    view = view_of(tables=tables)
    assert view.refusal is None
    assert view.answer == "**Nothing is published yet.** Name a table and its range."
    begun = view_of_case(Case(tables=tables)).answer
    assert begun == "**Nothing is published yet.** Name a table and its range, trying ρ = 0.50."
    assert view.results is view.ranges is view.next is None


def test_a_default_link_is_empty_and_a_sheet_comes_back() -> None:
    tables = (TableRow("x~y!z & 100 %", "total", wish="5", low="-1", high="2"),)
    (field,) = [field for field in FIELDS if field.name == "tables"]
    assert field.decode(field.encode(tables)) == tables
    assert not read_pairs(FIELDS, pairs_of(urlencode({"tables": field.encode(tables)}))).refusals


@pytest.mark.parametrize(
    ("prior", "epsilon", "of"), [(0.08, 0.034, 10_000), (0.999, 0.5, 10_000), (0.999, 8.0, 1_000), (0.5, 0.01, 100)]
)
def test_two_limits_of_one_sentence_and_the_belief_before_are_out_of_one_number_of_people(
    prior: float, epsilon: float, of: int
) -> None:
    """Of no fewer than keep them apart; what only a float makes certain is nearly so, as on *What an ε means*."""
    rows = (TableRow("A count", wish="3"), TableRow("A longer one", wish="1", times="6"))
    said = view_of(tables=rows, start="budget", epsilon=epsilon, prior=prior, noise="geometric").keeping
    assert {int(of.replace(",", "")) for of in re.findall(r"in (1[0,]+)", said)} == {of}
    first, _, last = said.partition(". A belief")
    assert all(len(re.sub(r"[0-9.,]+ in [0-9,]+", "number", one).split()) <= 30 for one in (first, last))


def test_a_limit_that_a_float_makes_certain_is_told_as_nearly_certain() -> None:
    rows = (TableRow("A count", wish="0.1", times="365"),)
    view = view_of(tables=rows, start="budget", epsilon=0.5, prior=0.5, unit="days", group=365, noise="geometric")
    assert "**nearly 100 in 100**" in view.keeping
    assert "at most **100 in 100**" not in view.keeping
