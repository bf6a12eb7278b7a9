"""Small random trees with noisy tables, and their least squares the dense way: for tests of `dpcore.adjustment`."""

from __future__ import annotations

import itertools

import numpy as np

from dpcore._checks import FloatArray
from dpcore.adjustment import AreaTree, NoisyTable


def random_tree(rng: np.random.Generator, areas: int) -> AreaTree:
    """A tree of any shape, its areas in any order, now and then several trees."""
    parents = np.array([-1, *(rng.integers(-1 if rng.random() < 0.1 else 0, k) for k in range(1, areas))])
    order = rng.permutation(areas)
    shuffled = np.empty(areas, dtype=int)
    shuffled[order] = np.where(parents >= 0, order[parents], -1)
    return AreaTree(shuffled)


def random_table(rng: np.random.Generator, areas: int, cells: int, *, exact: float, mean: float = 2.0) -> NoisyTable:
    """Small true counts under noise, some unpublished above, each total kept with a probability."""
    tree = random_tree(rng, areas)
    true = tree.added_up(rng.poisson(mean, (areas, cells)))
    variances = rng.uniform(0.2, 5, (areas, cells))
    variances[(rng.random((areas, cells)) < 0.3) & ~tree.undivided[:, None]] = np.inf
    totals = np.where(rng.random(areas) < exact, true.sum(axis=1), np.nan)
    return NoisyTable(tree, true + rng.normal(0, 2, true.shape), variances=variances, totals=totals)


def design(table: NoisyTable) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Which counts of areas without parts every count sums, and every exact total, and these totals."""
    tree, (areas, cells) = table.tree, np.shape(table.counts)
    inside = np.zeros((areas, int(tree.undivided.sum())))
    for column, area in enumerate(np.flatnonzero(tree.undivided)):
        while area >= 0:
            inside[area, column] = 1
            area = np.asarray(tree.parents)[area]
    exact = np.flatnonzero(~np.isnan(np.asarray(table.totals)))
    held = np.kron(inside[exact], np.ones((1, cells)))
    return np.kron(inside, np.eye(cells)), held, np.asarray(table.totals)[exact]


def dense(table: NoisyTable, zero: tuple[int, ...] = ()) -> tuple[FloatArray, FloatArray]:
    """Counts and covariance by the normal equations, with some counts of areas without parts held at 0."""
    parts, held, totals = design(table)
    held = np.vstack([held, np.eye(parts.shape[1])[list(zero)]])
    weights = 1 / np.asarray(table.variances).ravel()
    size = parts.shape[1]
    system = np.block([[parts.T * weights @ parts, held.T], [held, np.zeros((len(held), len(held)))]])
    inverse = np.linalg.pinv(system, rcond=1e-12)
    right = np.concatenate([parts.T @ (weights * np.asarray(table.counts).ravel()), totals, np.zeros(len(zero))])
    found = inverse @ right
    if np.abs(held @ found[:size] - right[size:]).max(initial=0) > 1e-6:
        found = np.full_like(found, np.nan)  # no table has these totals and these counts at 0
    counts = (parts @ found[:size]).reshape(np.shape(table.counts))
    return counts, parts @ inverse[:size, :size] @ parts.T


def nearest_by_enumeration(table: NoisyTable) -> FloatArray:
    """The nearest table without a negative count, over every set of counts that are 0."""
    size = int(table.tree.undivided.sum()) * np.shape(table.counts)[1]
    best, least = np.empty(0), np.inf
    for zero in itertools.chain.from_iterable(itertools.combinations(range(size), k) for k in range(size + 1)):
        counts, _ = dense(table, zero)
        distance = (((counts - np.asarray(table.counts)) ** 2) / np.asarray(table.variances)).sum()
        if counts.min() > -1e-9 and distance < least - 1e-12:
            best, least = counts, distance
    return best
