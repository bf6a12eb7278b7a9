"""Rows, their sensitivities and refusals, their errors and the budgets their wishes need."""

from __future__ import annotations

import math
import re
from typing import Any

import mpmath
import numpy as np
import pytest

from dpcore.accuracy import NOISES, count_error, noise_for_range
from dpcore.errors import Refused
from dpcore.guarantees import Relation
from dpcore.mechanisms import DiscreteGaussian, Geometric
from dpcore.publication import (
    ClippedMean,
    ClippedTotal,
    CountTable,
    Publication,
    Wish,
    budget_for_range,
    publication_errors,
    range_error,
)
from dpcore.schema import Moves, Sensitivity
from tests.each import each

ADD, REPLACE = Relation.ADD_OR_REMOVE, Relation.REPLACE


def _of_currency(moved: Sensitivity, noise: str) -> float:
    return moved.l1 if noise in ("geometric", "laplace") else moved.l2


def _largest_l1_by_enumeration(cells: int, records: int, table_cells: int, *, replace: bool) -> int:
    """The largest L1 change over all ways to fill at most `cells` cells with at most `records` records each."""
    fillings = [
        filling for filling in np.ndindex(*(records + 1,) * table_cells) if sum(one > 0 for one in filling) <= cells
    ]
    others = fillings if replace else [(0,) * table_cells]
    return max(int(np.abs(np.subtract(a, b)).sum()) for a in fillings for b in others)


@pytest.mark.parametrize(("cells", "records"), [(1, 1), (2, 1), (1, 3), (2, 2)])
@pytest.mark.parametrize("relation", [ADD, REPLACE])
def test_a_tables_change_is_the_worst_way_to_fill_it(cells: int, records: int, relation: Relation) -> None:
    table = CountTable(cells=4, cells_per_person=cells, records_per_cell=records)
    found = table.sensitivity(relation)
    assert found.l1 == _largest_l1_by_enumeration(cells, records, 4, replace=relation is REPLACE)
    assert found.l2 == pytest.approx(math.sqrt(found.l1 / records) * records)
    household = table.sensitivity(relation, group=3)
    assert (household.l1, household.l2) == (3 * found.l1, pytest.approx(3 * found.l2))


def test_totals_and_means_move_by_their_bounds() -> None:
    total = ClippedTotal(low=-50, high=20)
    assert total.sensitivity(ADD).l1 == 50
    assert total.sensitivity(REPLACE).l2 == 70
    assert ClippedTotal(low=5, high=20).sensitivity(REPLACE).l1 == 20  # an amount that is not there counts as 0
    assert ClippedTotal(low=5, high=20, always=True).sensitivity(REPLACE).l1 == 15
    assert ClippedTotal(low=5, high=20, noise="laplace").sensitivity(ADD, group=2).l1 == 40
    assert ClippedMean(low=0, high=10, people=400).sensitivity(REPLACE, group=2).l1 == pytest.approx(0.05)


def test_a_record_that_changes_its_area_moves_two_totals_or_counts() -> None:
    days = ClippedTotal(low=0, high=30, areas=40)
    assert (days.sensitivity(REPLACE).l1, days.sensitivity(REPLACE).l2) == (60, pytest.approx(30 * math.sqrt(2)))
    assert days.sensitivity(REPLACE, moves=Moves("nowhere")).l1 == 30
    assert ClippedTotal(low=0, high=30, cells=2).sensitivity(REPLACE, moves=Moves("nowhere")).l1 == 60  # by sex
    wide = ClippedTotal(low=-50, high=40, areas=3, noise="gaussian").sensitivity(REPLACE)
    assert (wide.l1, wide.l2) == (100, 90)  # two totals by 50 each, or one by 90, which is longer
    assert days.noise_of_number(1.2, REPLACE) == Geometric(epsilon=0.6, sensitivity=30)
    assert days.noise_of_number(1.2, REPLACE, moves=Moves("nowhere")) == Geometric(epsilon=1.2, sensitivity=30)
    assert CountTable(areas=40).sensitivity(REPLACE).l1 == 2
    assert CountTable(areas=40).sensitivity(REPLACE, moves=Moves("nowhere")).l1 == 1
    assert CountTable(areas=40, cells_per_person=3).sensitivity(REPLACE, moves=Moves("nowhere")).l1 == 6  # three areas
    assert CountTable(areas=40, units=True).sensitivity(REPLACE, group=4).l1 == 2
    with pytest.raises(ValueError, match=r"moves must keep a record in its area for a mean"):
        ClippedMean(low=0, high=10, people=400, areas=3).sensitivity(REPLACE)


def test_a_publications_rows_move_with_its_own_levels() -> None:
    rows = (CountTable(), CountTable(areas=5), ClippedTotal(low=0, high=30, areas=40))
    for moves, expected in (
        (Moves(), [1, 2, 60]),
        (Moves("anywhere"), [1, 2, 60]),
        (Moves("within", "5"), [1, 1, 60]),
        (Moves("nowhere"), [1, 1, 30]),
    ):
        publication = Publication(rows, REPLACE, moves=moves)
        assert publication.sensitivities.tolist() == expected
        assert Publication(rows, ADD, moves=moves).sensitivities.tolist() == [1, 1, 30]
    assert Publication(rows, REPLACE).noise_of_number(2, budget=1.2) == Geometric(epsilon=0.6, sensitivity=30)
    assert Publication(rows, REPLACE).largest_changes[2].amounts == (30, 30)


def test_areas_and_cells_cost_nothing_and_records_do() -> None:
    one = CountTable().sensitivity(ADD)
    assert CountTable(areas=412, cells=30).sensitivity(ADD) == one
    assert CountTable(areas=412, cells=30).numbers == 12_360
    assert ClippedTotal(low=0, high=1, areas=9).numbers == 9
    assert CountTable(records_per_cell=2).sensitivity(ADD).l1 == 2 * one.l1


@each(
    "make, text",
    [
        (lambda: CountTable(cells=0), r"cells must be a whole number of at least 1; got 0"),
        (lambda: CountTable(areas=0), r"areas must be a whole number of at least 1; got 0"),
        (lambda: CountTable(cells_per_person=0), r"cells_per_person must be a whole number of at least 1; got 0"),
        (lambda: CountTable(records_per_cell=1.5), r"records_per_cell must be a whole number of at least 1; got 1.5"),
        (lambda: CountTable(cells_per_person=3), r"cells_per_person must be at most the table's cells \(1\); got 3"),
        (lambda: CountTable(times=0), r"times must be a whole number from 1 to 100000; got 0"),
        (lambda: CountTable(noise="normal"), r"noise must be one of 'geometric', .*; got 'normal'"),  # type: ignore[arg-type]
        (lambda: CountTable(weight=0), r"weight must be greater than 0 and finite; got 0"),
        (lambda: CountTable(weight="many"), r"weight must be a number, not text; got 'many'"),  # type: ignore[arg-type]
        (lambda: CountTable(typical_count=-1), r"typical_count must be greater than 0 and finite; got -1"),
        (lambda: CountTable(wish=10), r"wish must be a Wish; got 10"),  # type: ignore[arg-type]
        (lambda: Wish(-3), r"half_width must be greater than 0 and finite; got -3"),
        (lambda: Wish(3, level=1.0), r"level must lie in \[0.01, 1\); got 1.0"),
        (lambda: ClippedTotal(low=10, high=0), r"high must be above low \(10\); got 0"),
        (lambda: ClippedTotal(low=1, high=1), r"high must be above low \(1\); got 1"),
        (lambda: ClippedTotal(low=0, high=2.5), r"high must be a whole number for whole noise; got 2.5"),
        (lambda: ClippedTotal(low=math.nan, high=2), r"low must be finite; got nan"),
        (lambda: ClippedMean(low=3, high=2, people=4), r"high must be above low \(3\); got 2"),
        (lambda: ClippedMean(low=0, high=2, people=0), r"people must be a whole number of at least 1; got 0"),
        (
            lambda: ClippedMean(low=0, high=2, people=4, noise="geometric"),
            r"noise must be 'laplace' or 'gaussian' for a mean; got 'geometric'",
        ),
        (
            lambda: ClippedMean(low=0, high=2, people=4).sensitivity("add_or_remove"),
            r"relation must be 'replace' for a mean \(adding a record changes the number of people\); got 'add_or_rem",
        ),
        (lambda: CountTable().sensitivity("both"), r"relation must be one of 'add_or_remove', 'replace'; got 'both'"),
        (lambda: CountTable().sensitivity(ADD, group=0), r"group must be a whole number of at least 1; got 0"),
        (lambda: ClippedTotal(low=0, high=1, cells=0), r"cells must be a whole number of at least 1; got 0"),
        (
            lambda: Publication((CountTable(), ClippedMean(name="wage", low=0, high=2, people=4, areas=9)), REPLACE),
            r"row 2 \('wage'\): moves must keep a record in its area for a mean .*; got 'anywhere'",
        ),
        (lambda: Publication((), ADD), r"rows must hold at least one table; got 0"),
        (lambda: Publication((CountTable(),) * 10_000, ADD), r"rows must hold at most 1000 tables; got 10000"),
        (lambda: Publication((CountTable(), 3), ADD), r"row 2 must be a table, a total or a mean; got 3"),  # type: ignore[arg-type]
        (
            lambda: Publication((CountTable(), CountTable(), CountTable(name="wages", noise="gaussian")), ADD),
            r"noise of row 3 \('wages'\) must be paid in epsilon like the first row's; got 'gaussian'",
        ),
        (
            lambda: Publication((CountTable(noise="gaussian"), CountTable()), ADD),
            r"noise of row 2 must be paid in rho like the first row's; got 'geometric'",
        ),
        (
            lambda: Publication((ClippedMean(name="wage", low=0, high=2, people=4),), ADD),
            r"row 1 \('wage'\): relation must be 'replace' for a mean .*; got 'add_or_remove'",
        ),
        (lambda: Publication((CountTable(),), "both"), r"relation must be one of"),  # type: ignore[arg-type]
        (lambda: Publication((CountTable(),), ADD).wishes(), r"wish of row 1 must be given; got None"),
    ],
)
def test_what_is_refused(make: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        make()


# ---- errors ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("budget", [1e-6, 0.003, 0.2, 1.7, 9.0, 60.0])
@pytest.mark.parametrize("level", [0.01, 0.5, 0.95, 0.9999])
@each("noise", NOISES)
def test_the_error_of_a_row_is_that_of_its_mechanism(noise: Any, budget: float, level: float) -> None:
    row = CountTable(cells=9, cells_per_person=3, records_per_cell=2, noise=noise)
    found = range_error(budget, noise, sensitivity=_of_currency(row.sensitivity(ADD), noise), level=level)
    mechanism = row.noise_of_number(budget, ADD)
    theirs = count_error(mechanism, level=level)
    assert found.std == pytest.approx(theirs.root_mean_square, rel=1e-12)
    assert found.half_width == pytest.approx(theirs.half_width, rel=1e-12, abs=1e-300)
    if row.is_whole:
        assert found.empty_shown == pytest.approx(float(mechanism.tail(1)), rel=1e-12)
    else:
        assert found.empty_shown is None


@pytest.mark.parametrize("width", [0.4, 1.0, 7.5, 63.0, 64.0, 1234.0, 1e9])
@pytest.mark.parametrize("level", [0.01, 0.5, 0.95, 0.999999])
@each("noise", NOISES)
def test_the_budget_of_a_range_keeps_it_and_no_smaller_one_does(noise: Any, width: float, level: float) -> None:
    delta = math.sqrt(2) if noise in ("gaussian", "discrete_gaussian") else 3.0
    budget = float(budget_for_range(width, noise, level=level, sensitivity=delta))
    kept = math.floor(width) if noise in ("geometric", "discrete_gaussian") else width * (1 + 1e-14)
    assert range_error(budget, noise, sensitivity=delta, level=level).half_width <= kept
    assert range_error(budget * (1 - 1e-9), noise, sensitivity=delta, level=level).half_width > kept
    one = float(budget_for_range(width, noise, level=level))
    theirs = noise_for_range(width, noise, level=level).guarantee
    assert one == pytest.approx(getattr(theirs, "epsilon", None) or theirs.rho, rel=1e-10)  # type: ignore[union-attr]


def test_a_discrete_gaussian_on_two_cells_against_sums_in_mpmath() -> None:
    rho, l2 = 0.58, math.sqrt(2)
    with mpmath.workdps(30):
        c = mpmath.mpf(rho) / 2
        mass = [mpmath.exp(-c * z * z) for z in range(-80, 81)]
        total = mpmath.fsum(mass)
        variance = mpmath.fsum(z * z * m for z, m in zip(range(-80, 81), mass, strict=True)) / total
        shown = mpmath.fsum(mass[81:]) / total
        within = {t: mpmath.fsum(mass[80 - t : 81 + t]) / total for t in (2, 3)}
    found = range_error(rho, "discrete_gaussian", sensitivity=l2)
    assert found.std == pytest.approx(float(mpmath.sqrt(variance)), rel=1e-13)
    assert found.empty_shown == pytest.approx(float(shown), rel=1e-13)
    assert within[2] < 0.95 <= within[3]
    assert found.half_width == 3


def test_many_ranges_at_once_and_their_order() -> None:
    widths = np.array([3.0, 700.0, 3.9, 12.0])
    levels = np.array([0.95, 0.8, 0.95, 0.5])
    for noise in NOISES:
        together = budget_for_range(widths, noise, level=levels)
        alone = [budget_for_range(float(w), noise, level=float(p)) for w, p in zip(widths, levels, strict=True)]
        assert together == pytest.approx(alone, rel=1e-13)


def test_whole_noise_may_be_asked_to_be_exact() -> None:
    assert Geometric(epsilon=float(budget_for_range(0, "geometric"))).half_width(0.95) == 0
    assert DiscreteGaussian(rho=float(budget_for_range(0.9, "discrete_gaussian"))).half_width(0.95) == 0


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: range_error(1, "poisson"), "noise must be one of"),  # type: ignore[arg-type]
        (lambda: range_error(0, "laplace"), "budget must be greater than 0 and finite; got 0"),
        (lambda: range_error(1, "laplace", sensitivity=-1), "sensitivity must be greater than 0 and finite; got -1.0"),
        (lambda: range_error(1, "laplace", level=0), r"level must lie in \[0.01, 1\); got 0"),
        (lambda: budget_for_range(1, "poisson"), "noise must be one of"),  # type: ignore[arg-type]
        (lambda: budget_for_range(0, "laplace"), "half_width must be greater than 0 and finite; got 0.0"),
        (lambda: budget_for_range(-1, "geometric"), "half_width must be at least 0 and finite; got -1.0"),
        (lambda: budget_for_range(3, "geometric", level=1.0), r"level must lie in \[0.01, 1\); got 1.0"),
        (
            lambda: publication_errors(Publication((CountTable(),), ADD), [1, 2]),
            r"budgets must hold one number for each",
        ),
        (
            lambda: publication_errors(Publication((CountTable(),), ADD), [0]),
            "budgets must be greater than 0 and finite",
        ),
    ],
)
def test_what_the_errors_refuse(call: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        call()


def test_the_errors_of_a_publication_are_those_of_its_rows() -> None:
    rows = (
        CountTable(name="births", noise="geometric", wish=Wish(10, level=0.9), typical_count=40),
        ClippedTotal(name="wages", low=0, high=1000, noise="laplace"),
        CountTable(cells=4, cells_per_person=2, noise="geometric"),
    )
    publication = Publication(rows, ADD, group=2)
    found = publication_errors(publication, [0.3, 0.5, 0.7], level=0.99)
    for at, (row, budget) in enumerate(zip(rows, [0.3, 0.5, 0.7], strict=True)):
        level = row.wish.level if row.wish else 0.99
        alone = range_error(
            budget, row.noise, sensitivity=_of_currency(row.sensitivity(ADD, group=2), row.noise), level=level
        )
        assert found.std[at] == pytest.approx(alone.std)
        assert found.half_width[at] == alone.half_width
        assert found.level[at] == level
    assert publication_errors(publication, [0.3, 0.5, 0.7]).level.tolist() == [0.9, 0.95, 0.95]
    assert found.relative_half_width[0] == found.half_width[0] / 40
    assert np.isnan(found.relative_half_width[1])
    assert np.isnan(found.empty_shown[1])
    assert found.empty_shown[0] == pytest.approx(float(Geometric(epsilon=0.3, sensitivity=2).tail(1)))


@each(
    "ask, text",
    [
        (lambda p: p.budget_of_one(0, budget=-1), "budget must be greater than 0 and finite; got -1"),
        (lambda p: p.budget_of_one(3, budget=1), "place must be a whole number from 0 to 0; got 3"),
        (lambda p: p.noise_of_number(-1, budget=1), "place must be a whole number from 0 to 0; got -1"),
    ],
)
def test_the_noise_of_no_row_and_a_budget_below_zero_are_refused(ask: Any, text: str) -> None:
    with pytest.raises(Refused, match=re.escape(text)):
        ask(Publication((CountTable(),), ADD))


@each(
    "make, name",
    [
        (lambda: CountTable(units="no"), "units"),  # type: ignore[arg-type]
        (lambda: ClippedTotal(low=0, high=1, always="no"), "always"),  # type: ignore[arg-type]
        (lambda: ClippedMean(low=0, high=1, people=3, units=1), "units"),  # type: ignore[arg-type]
    ],
)
def test_a_yes_or_no_about_a_row_is_true_or_false(make: Any, name: str) -> None:
    with pytest.raises(Refused, match=f"{name} must be True or False; got "):
        make()
