"""Adjusted tables against enumeration and the dense normal equations; refusals; both methods beside each other."""

from __future__ import annotations

import re
import sys
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csc_array

from dpcore.adjustment import AreaTree, LeastSquares, NoisyTable, adjusted_table, bootstrap_interval_estimate
from dpcore.adjustment.least_squares import ratio_interval
from dpcore.adjustment.programs import Equations
from dpcore.errors import Refused
from dpcore.studies import open_executor
from tests.each import each
from tests.noisy_trees import dense, nearest_by_enumeration, random_table

SHAPES = [(4, 2), (5, 1), (6, 1), (3, 2), (7, 1), (2, 3), (5, 2)]


def small_tables(number: int) -> list[NoisyTable]:
    """Tables of at most five counts in areas without parts, every other one with exact totals."""
    rng = np.random.default_rng(3)
    found: list[NoisyTable] = []
    while len(found) < number:
        areas, cells = SHAPES[rng.integers(len(SHAPES))]
        table = random_table(rng, areas, cells, exact=0.5 * (len(found) % 2))
        if table.tree.undivided.sum() * cells <= 5:
            found.append(table)
    return found


def test_the_nearest_of_100_tables_is_that_of_every_set_of_zeros() -> None:
    negative = 0
    for table in small_tables(100):
        least = nearest_by_enumeration(table)
        negative += dense(table)[0].min() < 0
        assert adjusted_table(table, whole=False).counts == pytest.approx(least, abs=1e-8)
        assert (
            adjusted_table(table, method="top_down", whole=False).distance
            >= adjusted_table(table, whole=False).distance - 1e-7
        )
    assert negative > 25


def test_least_squares_and_its_covariances_are_those_of_the_normal_equations() -> None:
    rng = np.random.default_rng(0)
    for number in range(60):
        table = random_table(rng, int(rng.integers(1, 12)), int(rng.integers(1, 4)), exact=0.5 * (number % 2))
        counts, covariance = dense(table)
        found = LeastSquares(table)
        assert found.counts == pytest.approx(counts, abs=1e-8)
        each_count = np.eye(counts.size).reshape(-1, *counts.shape)
        assert found.covariance(each_count) == pytest.approx(covariance, abs=1e-8)
        assert found.variances.ravel() == pytest.approx(np.diagonal(covariance), abs=1e-8)


def test_an_interval_of_a_difference_is_that_of_its_exact_variance() -> None:
    table = NoisyTable(AreaTree([-1, 0, 0]), [[9.0], [6.0], [1.0]], variances=[[np.inf], [1.0], [3.0]])
    (found,) = LeastSquares(table).interval([[0], [1], [-1]])
    assert found == pytest.approx([5 - 1.959963984540054 * 2, 5 + 1.959963984540054 * 2])


def county_table(seed: int, exact: float) -> NoisyTable:
    """A state, 8 counties and 60 towns, five cells."""
    rng = np.random.default_rng(seed)
    tree = AreaTree([-1, *[0] * 8, *rng.integers(1, 9, 60)])
    true = tree.added_up(rng.poisson(np.exp(rng.normal(1, 1.5, (69, 5)))))
    totals = np.where(rng.random(69) < exact, true.sum(axis=1), np.nan)
    return NoisyTable(tree, true + np.rint(rng.normal(0, 4, true.shape)), variances=16.0, totals=totals)


@each("exact", [0.0, 0.5, 1.0])
def test_top_down_is_near_the_nearest_table_and_never_nearer(exact: float) -> None:
    for seed in range(3):
        table = county_table(seed, exact)
        nearest = adjusted_table(table, whole=False)
        for whole in (False, True):
            found = adjusted_table(table, method="top_down", whole=whole)
            assert nearest.distance * (1 - 1e-9) <= found.distance <= 1.1 * nearest.distance


@each("people", [1, 2])
@each("whole", [False, True])
def test_an_area_has_room_for_what_its_parts_are_known_to_hold(people: int, whole: bool) -> None:
    tree = AreaTree([-1, 0, 0, 1, 1])
    totals = [3.0, np.nan, np.nan, people, np.nan]
    table = NoisyTable(tree, [[3], [0], [3], [0], [0]], variances=1.0, totals=totals)
    for method in ("top_down", "global"):
        counts = adjusted_table(table, method=method, whole=whole).counts[:, 0]
        assert counts.tolist() == pytest.approx([3, people, 3 - people, people, 0], abs=1e-5)


@each("method", ["global", "top_down"])
def test_without_a_negative_count_both_methods_are_least_squares(method: Any) -> None:
    tree = AreaTree([-1, 0, 0, 1, 1, 2, 2])
    counts = tree.added_up(np.full((7, 2), 50.0)) + np.random.default_rng(1).normal(0, 2, (7, 2))
    table = NoisyTable(tree, counts, variances=4.0, totals=[400, *[np.nan] * 6])
    assert adjusted_table(table, method=method, whole=False).counts == pytest.approx(LeastSquares(table).counts)


def test_the_bootstrap_of_a_sum_without_small_counts_is_its_exact_interval() -> None:
    tree = AreaTree([-1, 0, 0, 0])
    table = NoisyTable(tree, tree.added_up(np.full((4, 1), 1000.0)), variances=9.0)
    found = adjusted_table(table, whole=False)
    low, high = bootstrap_interval_estimate(found, lambda counts: counts[1, 0], seed=4, draws=600)
    assert [low, high] == pytest.approx(LeastSquares(table).interval([[0], [1], [0], [0]])[0], abs=0.6)


SHARES = AreaTree([-1, 0, 0, 0, 0])
"""Four areas of a state, two of which have counts near 0."""


def shares_of(counts: Any) -> Any:
    """The share of the first cell in each of the four areas."""
    return counts[1:, 0] / np.maximum(counts[1:].sum(axis=1), 1e-9)


def noisy_releases(releases: int) -> tuple[Any, list[NoisyTable]]:
    """The true counts of that state, and so many releases of them."""
    true = SHARES.added_up([[0, 0], [2, 0], [40, 20], [1, 30], [90, 300]])
    noise = np.random.default_rng(11).normal(0, 3, (releases, *true.shape))
    return true, [NoisyTable(SHARES, true + one, variances=9.0) for one in noise]


AREA = [np.eye(5)[place][:, None] for place in range(1, 5)]
ABOVE, BELOW = np.array([area * [1, 0] for area in AREA]), np.array([area * [1, 1] for area in AREA])


def test_an_interval_of_a_ratio_holds_it_as_often_as_it_says() -> None:
    true, releases = noisy_releases(2_000)
    ends = np.array([LeastSquares(table).ratio_interval(ABOVE, BELOW, level=0.9) for table in releases])
    held = ((ends[..., 0] <= shares_of(true)) & (shares_of(true) <= ends[..., 1])).mean(axis=0)
    assert (held[2:] > 0.88).all()
    assert (held[2:] < 0.92).all(), "where the denominator is large it is exact"
    assert (held[:2] > 0.88).all(), "where it may be 0 no ratio is left out"
    assert np.isinf(ends[:, 0]).mean() > 0.3


def test_an_interval_of_a_ratio_is_the_test_of_each_ratio_turned_round() -> None:
    _, (table,) = noisy_releases(1)
    fit = LeastSquares(table)
    low, high = fit.ratio_interval(ABOVE, BELOW)[3]
    ratios = np.linspace(0.0, 0.5, 2_001)
    kept = [np.prod(fit.interval(ABOVE[3] - ratio * BELOW[3])[0]) <= 0 for ratio in ratios]
    assert [low, high] == pytest.approx([ratios[kept].min(), ratios[kept].max()], abs=3e-4)


@pytest.mark.parametrize("whole", [False, True])
def test_a_sum_over_itself_is_one_whatever_the_noise(whole: bool) -> None:
    _, (table,) = noisy_releases(1)
    fit, nothing = LeastSquares(table), 0 * BELOW[:1]
    assert fit.ratio_interval(BELOW, BELOW, whole=whole).tolist() == [[1.0, 1.0]] * len(BELOW)
    assert np.ptp(fit.ratio_interval(ABOVE, BELOW, whole=whole)[3]) > 0
    assert fit.ratio_interval(nothing, nothing, whole=whole).tolist() == [[-np.inf, np.inf]]


def test_the_bootstrap_holds_small_counts_as_often_as_it_says() -> None:
    true, releases = noisy_releases(60)
    held = np.zeros(true.shape)
    for table in releases:
        found = adjusted_table(table, method="top_down", whole=False)
        ends = bootstrap_interval_estimate(found, lambda counts: counts, seed=5, draws=80)
        held += (ends[..., 0] <= true + 1e-9) & (true - 1e-9 <= ends[..., 1])
    assert (held / 60).mean() > 0.92, "of all counts together"
    assert (held[true < 3] / 60).min() > 0.9, "counts near 0, which the basic interval holds half as often"


def test_without_the_solver_a_table_with_negative_counts_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "clarabel", None)
    table = NoisyTable(AreaTree([-1, 0, 0]), [[6], [7], [-3]], variances=1.0)
    with pytest.raises(Refused, match=r"clarabel must be installed .* riskline\[adjust\]") as refusal:
        adjusted_table(table)
    assert refusal.value.code == "not_installed"
    assert adjusted_table(table, method="top_down").counts.min() == 0  # needs none without exact totals


TWO = AreaTree([-1, 0])


def noisy(**given: Any) -> NoisyTable:
    return NoisyTable(TWO, **({"counts": [[1, 2], [1, 2]], "variances": 1.0} | given))


@each(
    "call, words",
    [
        (lambda: AreaTree([]), "parents must be a list with an entry for each area; got (0,)"),
        (lambda: AreaTree([-1, 0.5]), "parents must be whole numbers; got 0.5"),
        (lambda: AreaTree([-1, 2]), "parents must be numbers of areas, from 0 to 1, or -1; got 2"),
        (lambda: AreaTree([-1, 2, 1]), "parents must lead to an area that lies in no other; got 1"),
        (lambda: AreaTree([1, 0]), "parents must lead to an area that lies in no other; got 0"),
        (lambda: AreaTree.of_names(["a", "a"], [None, "a"]), "names must name each area once; got 'a'"),
        (lambda: AreaTree.of_names(["a", "b"], [None, "c"]), "parents must be names of areas; got 'c'"),
        (lambda: AreaTree.of_names(["a"], []), "parents must have an entry for each area (1); got 0"),
        (lambda: NoisyTable([-1, 0], [[1], [1]], variances=1.0), "tree must be an AreaTree; got [-1, 0]"),
        (
            lambda: noisy(counts=[[1, 2]]),
            "counts must have a row for each of the 2 areas and a column for each cell; got shape (1, 2)",
        ),
        (lambda: noisy(counts=[[1, 2], [1, np.nan]]), "counts must be finite; got nan"),
        (lambda: noisy(variances=-1.0), "variances must be greater than 0; got -1.0"),
        (
            lambda: noisy(variances=[1, 2, 3]),
            "variances must be one for all, or fit the shape of the counts; got shape (3,)",
        ),
        (lambda: noisy(counts=[[1, 2], [3]]), "counts must have rows of equal length"),
        (lambda: noisy(counts=[["1", "2"], ["3", "4"]]), "counts must be numbers"),
        (lambda: noisy(counts=[[True, True], [False, True]]), "counts must be numbers"),
        (lambda: AreaTree([-1, 0]).added_up([1, 2, 3]), "values must have a row for each of the 2 areas; got shape"),
        (lambda: AreaTree([-1, 0]).added_up(3), "values must have a row for each of the 2 areas; got shape ()"),
        (lambda: ratio_interval(30, 100, variances=1), "variances must be two"),
        (
            lambda: ratio_interval([3, 1], [1, 1, 2], variances=(1, 1)),
            "numerator and denominator must have shapes that go together; got (2,), (3,)",
        ),
        (
            lambda: ratio_interval(30, 100, variances=(1, 4), covariance=-2.1),
            "covariance must be at most the root of the product of the variances, of either sign; got -2.1",
        ),
        (lambda: ratio_interval(30, 100, variances=(1, 1), level=1e-16), "level must lie in (0, 1) by more than"),
        (lambda: ratio_interval(30, 100, variances=(1, 1), level=1 - 2**-53), "level must lie in (0, 1) by more than"),
        (lambda: noisy(variances=np.inf), "variances must be finite at every area without parts; got inf"),
        (lambda: noisy(totals=[1]), "totals must have an entry for each of the 2 areas; got shape (1,)"),
        (lambda: noisy(totals=[-1, np.nan]), "totals must lie in [0, 1e+12]; got -1.0"),
        (lambda: noisy(totals=[1.5, np.nan]), "totals must be a whole number; got 1.5"),
        (
            lambda: noisy(totals=[4, 3]),
            "totals must equal the sum of the parts' totals; got 4 for area 0, whose parts have 3",
        ),
        (
            lambda: NoisyTable(AreaTree([-1, 0, 0]), [[1], [1], [1]], variances=1.0, totals=[4, 5, np.nan]),
            "totals must be at least the sum of the parts' totals; got 4 for area 0, whose parts have 5",
        ),
        (lambda: LeastSquares(TWO), "table must be a NoisyTable"),
        (lambda: LeastSquares(noisy()).covariance([1, 2]), "weights must have the shape (2, 2) of the counts"),
        (lambda: LeastSquares(noisy()).interval(np.ones((2, 2)), level=1.0), "level must lie in (0, 1); got 1.0"),
        (lambda: adjusted_table(noisy(), method="best"), "method must be one of 'global', 'top_down'; got 'best'"),
        (lambda: bootstrap_interval_estimate(noisy(), np.sum, seed=1), "adjusted must be an adjusted_table(…)"),
        (
            lambda: LeastSquares(noisy()).ratio_interval(np.ones((2, 2, 2)), np.ones((2, 2))),
            "numerators must be as many as the denominators; got 2 and 1",
        ),
        (
            lambda: bootstrap_interval_estimate(adjusted_table(noisy()), np.sum, seed=1, draws=0),
            "draws must be a whole number of at least 1; got 0",
        ),
    ],
)
def test_what_cannot_be_adjusted_is_refused_by_name_rule_and_value(call: Any, words: str) -> None:
    with pytest.raises(Refused, match="^" + re.escape(words)):
        call()


def test_counts_that_cannot_stay_beside_theirs_move_further_by_the_least() -> None:
    none, every = np.zeros(0, dtype=int), np.ones(3, dtype=bool)
    free = np.zeros((3, 1), dtype=bool)
    sum_of_eight = Equations(csc_array(np.ones((1, 3))), np.array([[8.0]]), none, none, np.zeros(3), free, every)
    found = sum_of_eight.rounded(np.array([[1.0], [2.4], [2.0]]))
    assert found.sum() == 8
    assert np.abs(found.ravel() - [1.0, 2.4, 2.0]).sum() == pytest.approx(2.6)
    sum_of_one = Equations(csc_array(np.ones((1, 3))), np.array([[1.0]]), none, none, np.zeros(3), free, every)
    found = sum_of_one.rounded(np.array([[1.0], [2.4], [0.0]]))
    assert found.sum() == 1
    assert found.min() == 0


def test_a_table_at_which_the_solver_gives_up_in_its_first_units_has_a_nearest_one() -> None:
    counts = [[19, -1, 17], [39, 5, -7], [-15, 5, 28], [0, 37, 6]]
    variance, exact = 234.96593730035406, [12, np.nan, 7, np.nan]
    table = NoisyTable(AreaTree([-1, -1, 1, 1]), counts, variances=variance, totals=exact)
    found = adjusted_table(table, method="top_down", whole=False).counts
    assert found[0] == pytest.approx([7.0, 0.0, 5.0], abs=1e-5)  # 19 and 17 move alike, and -1 stays at 0
    assert found.sum(axis=1)[[0, 2]] == pytest.approx([12.0, 7.0], abs=1e-5)
    assert found[1] == pytest.approx(found[2] + found[3], abs=1e-5)
    assert found.min() >= 0.0


@each("whole", [False, True])
def test_the_solver_finds_every_step_downwards_of_larger_trees(whole: bool) -> None:
    rng = np.random.default_rng(11)
    for _ in range(12):
        table = random_table(rng, int(rng.integers(20, 90)), int(rng.integers(2, 6)), exact=0.5, mean=0.5)
        counts = adjusted_table(table, method="top_down", whole=whole).counts
        exact = ~np.isnan(np.asarray(table.totals))
        assert counts.sum(axis=1)[exact] == pytest.approx(np.asarray(table.totals)[exact], abs=1e-5)


@pytest.mark.parametrize("engine", ["processes", "dask"])
def test_parts_of_a_large_table_are_the_same_wherever_they_are_computed(engine: Any) -> None:
    rng = np.random.default_rng(3)
    tree = AreaTree(
        [-1, *[0] * 12, *np.sort(rng.integers(1, 12, 300)), *np.sort(rng.integers(13, 300, 5_000))]
    )  # some have no parts
    true = tree.added_up(rng.poisson(2.0, (5_313, 5)) * tree.undivided[:, None])
    totals = np.where(np.arange(5_313) < 100, true.sum(axis=1), np.nan)
    table = NoisyTable(tree, true + np.rint(rng.normal(0, 4, true.shape)), variances=16.0, totals=totals)
    here = adjusted_table(table, method="top_down")
    with open_executor(engine, workers=2) as executor:
        there = adjusted_table(table, method="top_down", executor=executor)
    assert (here.counts == there.counts).all()
    assert (tree.added_up(here.counts) == here.counts).all()
    assert here.counts.min() == 0
    assert (here.counts.sum(axis=1)[:100] == true.sum(axis=1)[:100]).all()


def test_only_the_method_by_parts_takes_an_executor() -> None:
    with pytest.raises(Refused, match=r"executor must be given with the method 'top_down' alone; got 'global'"):
        adjusted_table(noisy(), executor=open_executor("serial"))
