"""Levels of a tree that add up: against the full normal equations."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpcore.publication import level_errors, tree_variances
from tests.each import each


def _by_normal_equations(fanouts: list[int], variances: list[float]) -> list[float]:
    """Variance of the first count of each level: generalised least squares on the leaves."""
    leaves = math.prod(fanouts)
    rows, weights, first = [], [], []
    for level, variance in enumerate(variances):
        below = math.prod(fanouts[level:])
        sums = np.kron(np.eye(leaves // below), np.ones(below))
        first.append(sums[0])
        if math.isfinite(variance):
            rows.append(sums)
            weights += [1 / variance] * len(sums)
    design = np.vstack(rows)
    covariance = np.linalg.inv(design.T @ (np.array(weights)[:, None] * design))
    return [float(sums @ covariance @ sums) for sums in first]


@each("seed", range(20))
def test_every_level_against_the_normal_equations(seed: int) -> None:
    rng = np.random.default_rng(seed)
    fanouts = [int(k) for k in rng.integers(1, 5, int(rng.integers(1, 5)))]
    variances = [float(v) for v in rng.uniform(0.1, 30.0, len(fanouts) + 1)]
    for level in range(len(fanouts)):
        if rng.random() < 0.3:
            variances[level] = math.inf
    assert tree_variances(fanouts, variances) == pytest.approx(_by_normal_equations(fanouts, variances), rel=1e-9)


def test_a_level_that_nothing_tells_apart_has_no_finite_error() -> None:
    assert tree_variances([5], [10.0, math.inf]).tolist() == [10.0, math.inf]
    assert tree_variances([1], [10.0, math.inf]).tolist() == [10.0, 10.0]
    assert tree_variances([3, 4], [math.inf, 2.0, math.inf]).tolist() == [6.0, 2.0, math.inf]
    assert tree_variances([], [3.0]).tolist() == [3.0]


def test_errors_before_and_after_adding_up() -> None:
    found = level_errors([3, 1], [math.inf, 2.0, 1.0])
    assert found.places == (1, 3, 3)
    assert found.after[1] == pytest.approx(math.sqrt(0.8))
    assert found.after[0] == pytest.approx(math.sqrt(2.4))
    assert found.gain == pytest.approx([math.inf, 2 / math.sqrt(0.8), 1 / math.sqrt(0.8)])


@pytest.mark.parametrize(
    ("fanouts", "variances", "text"),
    [
        ([0], [1, 1], "fanouts must be at least 1 and finite; got 0.0"),
        ([1.5], [1, 1], r"fanouts must be whole numbers of at least 1; got \[1.5\]"),
        ([2], [1, 0], "variances must be greater than 0; got 0.0"),
        ([2], [1, -1], "variances must be greater than 0; got -1.0"),
        ([2], [1, math.nan], "variances must be greater than 0; got nan"),
        ([2], [1], r"variances must hold one more entry than fanouts \(2\); got 1"),
        ([2], [math.inf, math.inf], r"variances must be finite on at least one level; got \[inf, inf\]"),
    ],
)
def test_what_a_tree_refuses(fanouts: Any, variances: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        tree_variances(fanouts, variances)


def test_errors_of_levels_must_be_positive() -> None:
    with pytest.raises(ValueError, match=r"stds must be greater than 0; got 0.0"):
        level_errors([2], [1, 0])


def test_a_level_that_is_not_published_gains_without_bound() -> None:
    assert level_errors([4], [1.0, math.inf]).gain.tolist() == [1.0, math.inf]
    assert level_errors([4], [math.inf, 1.0]).gain.tolist() == [math.inf, 1.0]
