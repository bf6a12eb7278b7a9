"""Adjusted tables of counties, tracts and blocks: times against the dense matrix and another solver.

`python -m benchmarks adjustment`; with `RISKLINE_MILLION=1` in the environment also a million blocks.
"""

from __future__ import annotations

import itertools
import os
import resource
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import osqp
from scipy.sparse import csc_array, csc_matrix, diags_array, eye_array, kron, vstack

from benchmarks.timing import best, row, within
from dpcore.adjustment import AreaTree, NoisyTable, adjusted_table
from dpcore.totals import Totals, project_onto_totals_nonnegative


def nation(sizes: Sequence[int], cells: int, exact_levels: Sequence[int], seed: int = 1) -> NoisyTable:
    """A table with so many areas on each level, noise of standard deviation 5, and the totals of some levels."""
    rng = np.random.default_rng(seed)
    parents, above = [np.array([-1])], 0
    for more, size in itertools.pairwise(sizes):
        parents.append(above + np.sort(np.concatenate([np.arange(more), rng.integers(0, more, size - more)])))
        above += more
    tree = AreaTree(np.concatenate(parents))
    true = tree.added_up(rng.poisson(np.exp(rng.normal(1.0, 2.0, (tree.undivided.size, cells)))))
    exact = np.isin(np.repeat(np.arange(len(sizes)), sizes), exact_levels)
    totals = np.where(exact, true.sum(axis=1), np.nan)
    return NoisyTable(tree, true + np.rint(rng.normal(0.0, 5.0, true.shape)), variances=25.0, totals=totals)


def _equations(table: NoisyTable) -> tuple[csc_array, np.ndarray]:
    """The adding-up equations and the totals of areas without parts, whatever follows from others included."""
    parents, cells = np.asarray(table.tree.parents), np.shape(table.counts)[1]
    inside, divided = np.flatnonzero(parents >= 0), np.flatnonzero(~table.tree.undivided)
    rows = np.concatenate([np.arange(divided.size), np.searchsorted(divided, parents[inside])])
    signs = np.concatenate([np.ones(divided.size), -np.ones(inside.size)])
    sums = csc_array((signs, (rows, np.concatenate([divided, inside]))), shape=(divided.size, parents.size))
    exact = np.flatnonzero(table.tree.undivided & ~np.isnan(np.asarray(table.totals)))
    held = kron(eye_array(parents.size, format="csr")[exact], np.ones((1, cells)))
    values = np.concatenate([np.zeros(divided.size * cells), np.asarray(table.totals)[exact]])
    return csc_array(vstack([kron(sums, eye_array(cells)), held])), values


def by_dense_matrix(table: NoisyTable) -> np.ndarray:
    """The nearest table without negative counts by a dense matrix of all equations; equal variances, broken counts."""
    equations, values = _equations(table)
    return project_onto_totals_nonnegative(np.asarray(table.counts).ravel(), Totals(equations.toarray(), values))


def by_osqp(table: NoisyTable) -> np.ndarray:
    """The nearest table without negative counts by OSQP on the whole problem, broken counts left."""
    equations, values = _equations(table)
    weights = 1 / np.asarray(table.variances).ravel()
    free = eye_array(weights.size, format="csr")[np.repeat(table.tree.undivided, np.shape(table.counts)[1])]
    solver = osqp.OSQP()
    solver.setup(
        csc_matrix(diags_array(weights)),
        -weights * np.asarray(table.counts).ravel(),
        csc_matrix(vstack([equations, free])),
        np.concatenate([values, np.zeros(free.shape[0])]),
        np.concatenate([values, np.full(free.shape[0], np.inf)]),
        verbose=False,
        eps_abs=1e-8,
        eps_rel=1e-10,
        max_iter=20_000,
    )
    return solver.solve().x


def _spent(call: Any) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def _distance_of_top_down(table: NoisyTable) -> dict[str, Any]:
    """How much further the top-down table is from the noisy one than the nearest, before rounding."""
    nearest = adjusted_table(table, whole=False)
    found = adjusted_table(table, method="top_down", whole=False)
    excess = found.distance / nearest.distance - 1
    seconds = best(lambda: adjusted_table(table, method="top_down"), 2)
    name = f"3,142 x 5 top-down (its squared changes {100 * excess:.3f} % above the least)"
    return row(name, seconds, "less than 1 % above", 0 <= excess < 0.01)


def _osqp(table: NoisyTable) -> dict[str, Any]:
    """The other solver: faster where a hundredth of a count is enough, and without whole numbers."""
    off = np.abs(by_osqp(table) - adjusted_table(table, whole=False).counts.ravel()).max()
    seconds = best(lambda: by_osqp(table), 2)
    return row(
        f"3,142 x 5 by OSQP on the whole problem (off by {off:.1g})", seconds, "off by at most 0.01", off <= 0.01
    )


def run() -> list[dict[str, Any]]:
    """Rows of this benchmark; totals of every level are exact but in the table of a million."""
    small, large = (nation(sizes, 5, (0, 1, 2)) for sizes in ((1, 5, 437), (1, 56, 3142)))
    tables = [nation((1, 56, 3142), 5, (0, 1, 2), seed) for seed in range(10)]
    rows = [
        within(
            "437 x 5, every total exact, whole",
            best(lambda: adjusted_table(small), 3),
            0.1,
            "the dense matrix of its equations, broken counts left",
            _spent(lambda: by_dense_matrix(small)),
            ratio=20,
        ),
        within("3,142 x 5, every total exact, whole", best(lambda: adjusted_table(large), 3), 0.5),
        _osqp(large),
        within("3,142 x 5 x 10 tables", _spent(lambda: [adjusted_table(one) for one in tables]), 5.0),
        _distance_of_top_down(large),
        _distance_of_top_down(nation((1, 56, 3142), 5, (0, 1))),
    ]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    rows.append(row(f"most memory so far: {peak:.0f} MB", 0.0, "at most 500 MB", peak <= 500))
    if os.environ.get("RISKLINE_MILLION"):
        blocks = nation((1, 56, 3142, 80_000, 230_000, 1_000_000), 5, (0, 1))
        rows.append(
            within(
                "a million blocks x 5 on six levels, states' totals exact, top-down by subtrees",
                _spent(lambda: adjusted_table(blocks, method="top_down")),
                90.0,
            )
        )
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        rows.append(row(f"most memory of it: {peak:.0f} MB", 0.0, "at most 3,000 MB", peak <= 3000))
    return rows
