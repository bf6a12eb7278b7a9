"""Laws of adjusted tables: they add up, keep totals, have no negative count, and know no order of areas."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.adjustment import AreaTree, LeastSquares, NoisyTable, adjusted_table
from tests.noisy_trees import random_table

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
