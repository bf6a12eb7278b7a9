"""Laws of adjusted tables: they add up, keep totals, have no negative count, and know no order of areas."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.adjustment import AreaTree, CountPosterior, LeastSquares, NoisyTable, adjusted_table, count_posterior
from dpcore.mechanisms import DiscreteGaussian, Geometric, NoiseMechanism
from tests.noisy_trees import random_table, random_tree

TABLES = st.builds(
    lambda seed, areas, cells, exact, mean: random_table(
        np.random.default_rng(seed), areas, cells, exact=exact, mean=mean
    ),
    st.integers(0, 2**32),
    st.integers(1, 14),
    st.integers(1, 4),
    st.sampled_from([0.0, 0.4, 1.0]),
    st.sampled_from([0.1, 2.0, 100.0]),
)


@given(TABLES, st.sampled_from(["global", "top_down"]))
def test_whole_counts_add_up_keep_totals_and_are_not_negative(table: NoisyTable, method: str) -> None:
    counts = adjusted_table(table, method=method).counts
    exact = ~np.isnan(table.totals)
    assert counts.dtype == np.int64
    assert counts.min() >= 0
    assert (counts == table.tree.added_up(counts)).all()
    assert (counts.sum(axis=1)[exact] == table.totals[exact]).all()


@given(TABLES)
def test_a_whole_count_is_next_to_the_nearest_broken_one(table: NoisyTable) -> None:
    broken = adjusted_table(table, whole=False).counts
    assert np.abs(adjusted_table(table).counts - broken).max() < 1 + 1e-5


@given(TABLES, st.sampled_from(["global", "top_down"]))
def test_broken_counts_add_up_keep_totals_and_are_not_negative(table: NoisyTable, method: str) -> None:
    counts = adjusted_table(table, method=method, whole=False).counts
    exact = ~np.isnan(table.totals)
    assert counts[table.tree.undivided].min() >= 0
    assert counts == pytest.approx(table.tree.added_up(counts), abs=1e-6)
    assert counts.sum(axis=1)[exact] == pytest.approx(table.totals[exact], abs=1e-6)


@given(TABLES, st.sampled_from(["global", "top_down"]), st.randoms(use_true_random=False))
def test_the_order_of_the_areas_changes_nothing(table: NoisyTable, method: str, random: object) -> None:
    parents = table.tree.parents
    order = np.array(random.sample(range(parents.size), parents.size))  # type: ignore[attr-defined]
    place = np.argsort(order)
    moved = replace(
        table,
        tree=AreaTree(np.where(parents[order] >= 0, place[parents[order]], -1)),
        counts=table.counts[order],
        variances=table.variances[order],
        totals=table.totals[order],
    )
    found = adjusted_table(moved, method=method, whole=False).counts
    assert found == pytest.approx(adjusted_table(table, method=method, whole=False).counts[order], abs=1e-6)


@given(TABLES)
def test_a_table_that_needs_no_adjusting_stays(table: NoisyTable) -> None:
    counts = adjusted_table(table).counts
    settled = replace(table, counts=counts)
    assert LeastSquares(settled).counts == pytest.approx(counts, abs=1e-8)
    for method in ("global", "top_down"):
        assert (adjusted_table(settled, method=method).counts == counts).all()


# ---- the law of one count --------------------------------------------------------------------------------------------

WHOLE = st.one_of(
    st.builds(Geometric, epsilon=st.floats(0.1, 5.0)), st.builds(DiscreteGaussian, rho=st.floats(0.005, 5.0))
)
"""Noise of each depth; depths beyond the first two have that of the second."""


def whole_table(
    seed: int, areas: int, cells: int, laws: tuple[NoiseMechanism, ...], exact: bool, mean: float
) -> tuple[NoisyTable, list[NoiseMechanism]]:
    """A random tree with whole noisy counts, the noise of each area, and perhaps totals of what lies in no other."""
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, areas)
    noise: list[NoiseMechanism] = [laws[-1]] * areas
    for depth, level in enumerate(tree.levels[: len(laws)]):
        for area in level.areas.tolist():
            noise[area] = laws[depth]
    true = tree.added_up(rng.poisson(mean, (areas, cells)))
    drawn = np.stack([law.simulate_noise(cells, seed=rng) for law in noise]).astype(int)
    variances = np.array([[max(law.variance, 1e-12)] for law in noise])
    totals = np.where(np.asarray(tree.parents) < 0, true.sum(axis=1), np.nan) if exact else None
    return NoisyTable(tree, true + drawn, variances=variances, totals=totals), noise


def labelled(exact: st.SearchStrategy[bool]) -> st.SearchStrategy[tuple[NoisyTable, list[NoiseMechanism]]]:
    seeds, areas, cells = st.integers(0, 2**32), st.integers(1, 9), st.integers(1, 3)
    return st.builds(
        whole_table, seeds, areas, cells, st.tuples(WHOLE, WHOLE), exact, st.sampled_from([0.2, 4.0, 300.0])
    )


@given(labelled(st.booleans()), st.integers(0, 8), st.floats(0.05, 0.99), st.randoms(use_true_random=False))
def test_a_law_of_a_count_is_one_and_knows_no_order_of_areas(
    drawn: tuple[NoisyTable, list[NoiseMechanism]], area: int, level: float, random: object
) -> None:
    table, noise = drawn
    area %= len(noise)
    found = count_posterior(table, noise=noise, area=area, cells=[0])
    assert found.first >= 0
    assert found.first + found.probabilities.size - 1 <= table.bounds.most[area]
    assert found.probabilities.min() >= 0
    assert found.probabilities.sum() == pytest.approx(1, abs=1e-12)
    low, high = found.interval(level)
    inner, wider = (found.interval(share) for share in (level / 2, (1 + level) / 2))
    assert wider[0] <= low <= inner[0] <= found.mode <= inner[1] <= high <= wider[1]
    order = np.array(random.sample(range(len(noise)), len(noise)))  # type: ignore[attr-defined]
    place, parents = np.argsort(order), np.asarray(table.tree.parents)
    moved = NoisyTable(
        AreaTree(np.where(parents[order] >= 0, place[parents[order]], -1)),
        table.counts[order],
        variances=table.variances[order],
        totals=table.totals[order],
    )
    again = count_posterior(moved, noise=[noise[one] for one in order], area=int(place[area]), cells=[0])
    assert_same(found, again)


@given(labelled(st.just(False)), st.integers(0, 8))
def test_an_area_above_of_which_nothing_is_published_tells_nothing(
    drawn: tuple[NoisyTable, list[NoiseMechanism]], area: int
) -> None:
    table, noise = drawn
    area, size = area % len(noise), len(noise)
    tops = np.asarray(table.tree.parents)
    unknown = np.full((1, table.counts.shape[1]), np.inf)
    above = NoisyTable(
        AreaTree([*np.where(tops < 0, size, tops), -1]),
        np.vstack([table.counts, 0 * table.counts[:1]]),
        variances=np.vstack([table.variances, unknown]),
    )
    found = count_posterior(table, noise=noise, area=area)
    assert_same(found, count_posterior(above, noise=[*noise, None], area=area))


def assert_same(one: CountPosterior, other: CountPosterior) -> None:
    first = min(one.first, other.first)
    size = max(law.first + law.probabilities.size for law in (one, other)) - first
    laws = np.zeros((2, size))
    for row, law in zip(laws, (one, other), strict=True):
        row[law.first - first :][: law.probabilities.size] = law.probabilities
    assert laws[0] == pytest.approx(laws[1], abs=1e-11)
