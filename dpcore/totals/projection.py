"""Noisy tables moved to the nearest table that adds up: least squares, non-negative least squares, controlled rounding.

A projection sees only the noisy table and the public totals. Between tables that share the totals it is one fixed
function of the release, so by post-processing it never raises the privacy loss.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpcore import _checks
from dpcore.errors import Code, Refused
from dpcore.totals._counts import Noise, refuse_large, whole_counts
from dpcore.totals._partial_sums import FloatArray, IntArray
from dpcore.totals.conditioning import cell_labels
from dpcore.totals.noise import draw_noise

ROUNDING_SLACK = 1e-6
"""A cell this close to a whole number counts as whole; printed tables carry nine digits."""

NEWTON_STEPS = 200
"""Newton steps of the dual problem; it ends when the active set stops changing, usually within ten."""


def _rows(name: str, noisy: ArrayLike) -> FloatArray:
    values = _checks.array(name, noisy)
    if values.ndim not in (1, 2) or values.shape[-1] == 0:
        raise Refused(
            name, "be a list of cells, or one a row", values.shape, Code.WRONG_SHAPE, got=f"shape {values.shape}"
        )
    return values


def _goals(total: ArrayLike, values: FloatArray, low: float = -math.inf) -> FloatArray:
    """The total of every row of cells."""
    goal = _checks.array("total", total, low)
    try:
        return np.broadcast_to(goal, values.shape[:-1])
    except ValueError:
        rule = "be one number" + (f" or one for each of the {len(values)} rows" if values.ndim == 2 else "")
        raise Refused("total", rule, goal.shape, Code.WRONG_SHAPE, got=f"shape {goal.shape}") from None


def project_onto_total(noisy: ArrayLike, total: ArrayLike) -> FloatArray:
    """Nearest table (least squares) whose cells add up to the total; cells may be negative.

    Arithmetic on counts makes no promise of its own; of noisy counts theirs about one person stays.
    Source: gong_meng, Section 4; wang_reiter, Section 5

    Parameters
    ----------
    noisy : array_like of float, shape (cells,) or (draws, cells); noisy cells
    total : float or array_like of float, shape (draws,); total to reach

    Returns
    -------
    numpy.ndarray of float, shape of `noisy`
        Exact: every cell moves by the same amount. The variance of a cell falls by the factor 1 - 1/cells.

    Examples
    --------
    >>> project_onto_total([1, 9], 11).tolist()
    [1.5, 9.5]
    """
    values = _rows("noisy", noisy)
    goal = _goals(total, values)
    return np.asarray(values + ((goal - values.sum(axis=-1)) / values.shape[-1])[..., None])


def project_onto_total_nonnegative(noisy: ArrayLike, total: ArrayLike) -> FloatArray:
    """Nearest non-negative table (least squares) whose cells add up to the total.

    Arithmetic on counts makes no promise of its own; of noisy counts theirs about one person stays.
    Source: gong_meng, Section 3, method (b)

    Parameters
    ----------
    noisy : array_like of float, shape (cells,) or (draws, cells); noisy cells
    total : float or array_like of float, shape (draws,); total to reach, at least 0

    Returns
    -------
    numpy.ndarray of float, shape of `noisy`
        Exact: every cell is lowered to a common water level and cut at 0.

    Examples
    --------
    >>> project_onto_total_nonnegative([5, -3, 2], 6).tolist()
    [4.5, 0.0, 1.5]
    """
    values = _rows("noisy", noisy)
    goal = _goals(total, values, 0.0)
    ordered = -np.sort(-values, axis=-1)
    levels = (np.cumsum(ordered, axis=-1) - goal[..., None]) / np.arange(1, values.shape[-1] + 1)
    above = np.maximum((ordered > levels).sum(axis=-1), 1)
    level = np.take_along_axis(levels, above[..., None] - 1, axis=-1)
    return np.asarray(np.where(goal[..., None] == 0, 0.0, np.maximum(values - level, 0.0)))


def project_with_largest_remainder(
    noisy: ArrayLike, total: ArrayLike, *, tie_seed: int | np.random.Generator | None = None
) -> IntArray:
    """Non-negative least-squares projection of whole counts, rounded so that it still adds up.

    Arithmetic on counts makes no promise of its own; of noisy counts theirs about one person stays.
    Source: ours, the rule with the least error for the largest cell; compared with wang_reiter, Section 5

    Parameters
    ----------
    noisy : array_like of int, shape (cells,) or (draws, cells); noisy whole counts
    total : int or array_like of int, shape (draws,); total to reach, at least 0
    tie_seed : int or numpy.random.Generator, optional; without it the tied units go to the lowest indices, which
        favours the cells listed first; with a seed they go to tied cells at random

    Returns
    -------
    numpy.ndarray of int, shape of `noisy`
        All cells that stay positive have the same remainder, so the units left over after rounding down are always a
        tie. Exact: computed in integers.

    Examples
    --------
    >>> project_with_largest_remainder([5, -3, 2, 0], 6).tolist()
    [5, 0, 1, 0]
    """
    values = _rows("noisy", noisy)
    cells = np.atleast_2d(values)
    goals = _goals(total, cells, 0.0)
    for name, item in (("noisy", cells), ("total", goals)):
        _checks.refuse_fractions(name, item, as_list=True)
        refuse_large(name, item)
    cells, goal = cells.astype(np.int64), goals.astype(np.int64)[:, None]
    ordered = -np.sort(-cells, axis=1)
    excess = np.cumsum(ordered, axis=1) - goal
    size = np.arange(1, cells.shape[1] + 1)
    kept = np.maximum((ordered * size > excess).sum(axis=1), 1)[:, None]
    over = np.take_along_axis(excess, kept - 1, axis=1)
    active = (cells * kept > over) & (goal > 0)
    lowered = np.where(active, cells + (-over) // kept, 0)  # floor of cell - over/kept
    left = goal - lowered.sum(axis=1, keepdims=True)
    if tie_seed is None:
        order = np.cumsum(active, axis=1)
    else:
        keys = np.where(active, _checks.seeded(tie_seed, "tie_seed").random(cells.shape), 2.0)
        order = np.argsort(np.argsort(keys, axis=1), axis=1) + 1
    result = lowered + (active & (order <= left))
    return np.asarray(result.reshape(values.shape))


def round_with_largest_remainder(cells: ArrayLike, total: ArrayLike) -> IntArray:
    """Cells rounded down, and the units still missing given to the largest remainders.

    Arithmetic on counts makes no promise of its own; of noisy counts theirs about one person stays.
    Source: ours, Hamilton's rule on real cells

    Parameters
    ----------
    cells : array_like of float, shape (cells,) or (draws, cells); cells, each at least 0, that add up to the total
    total : int or array_like of int, shape (draws,); total to reach

    Returns
    -------
    numpy.ndarray of int, shape of `cells`
        Equal remainders go to the lowest index, as the stored floats compare: remainders that are equal on paper may
        differ in the last bit. After a projection of whole counts they all are equal;
        `project_with_largest_remainder` then decides in integers.

    Examples
    --------
    >>> round_with_largest_remainder([1.2, 0.7, 2.1], 4).tolist()
    [1, 1, 2]
    """
    values = _rows("cells", _checks.array("cells", cells, 0.0))
    goal = _goals(total, values, 0.0)
    _checks.refuse_fractions("total", goal, as_list=True)
    off = np.abs(values.sum(axis=-1) - goal) > 0.5
    if off.any():
        first = float(goal[off].flat[0])
        raise Refused("total", "be the rounded sum of the cells", first, Code.INCONSISTENT, got=f"{first:g}")
    refuse_large("cells", values)
    floor = np.floor(values)
    left = np.round(goal - floor.sum(axis=-1))[..., None]
    rank = np.argsort(np.argsort(floor - values, axis=-1, kind="stable"), axis=-1)
    return np.asarray((floor + (rank < left)).astype(np.int64))


@dataclass(frozen=True)
class Totals:
    """Totals that must hold: `matrix` @ cells = `values`.

    Totals that are published as they are: no promise covers a change that alters one.

    Attributes
    ----------
    matrix : array of float, shape (totals, cells); which cells each total counts
    values : array of float, shape (totals,); the totals

    Examples
    --------
    >>> held = Totals(np.ones((1, 3)), np.array([6.0]))
    >>> project_onto_totals_nonnegative([5, -3, 2], held).round(6).tolist()
    [4.5, 0.0, 1.5]
    """

    matrix: FloatArray
    values: FloatArray

    def __post_init__(self) -> None:
        matrix, values = _checks.array("matrix", self.matrix), _checks.array("values", self.values)
        if matrix.ndim != 2 or not matrix.size or values.shape != matrix.shape[:1]:
            rule, shapes = "have a row of cells for each of the values", (matrix.shape, values.shape)
            raise Refused("matrix", rule, shapes, Code.WRONG_SHAPE, got=f"shapes {shapes[0]} and {shapes[1]}")
        object.__setattr__(self, "matrix", matrix)
        object.__setattr__(self, "values", values)


def totals_of_parts(*partitions: Sequence[Any], true: ArrayLike) -> Totals:
    """The totals of one or more partitions of a table, as a system of linear equalities.

    Totals that are published as they are: no promise covers a change that alters one. The matrix of the totals and
    their values.
    Source: gong_meng, Section 2.3

    Parameters
    ----------
    *partitions : sequence of object, shape (cells,); labels of a partition; each label's total is held. Without any the
        grand total is held.
    true : array_like of float, shape (cells,); cells whose totals are held

    Examples
    --------
    >>> totals_of_parts(["a", "a", "b"], true=[1, 2, 3]).values.tolist()
    [3.0, 3.0]
    """
    counts = _rows("true", true)
    if counts.ndim != 1:
        raise Refused("true", "be a list of cells", counts.shape, Code.WRONG_SHAPE, got=f"shape {counts.shape}")
    sorts = [cell_labels("partitions", labels, counts.size) for labels in partitions or (None,)]
    matrix = np.vstack([np.arange(len(distinct))[:, None] == place for distinct, place in sorts]).astype(np.float64)
    return Totals(matrix, matrix @ counts)


def _independent(totals: Totals) -> Totals:
    """The totals without those that follow from the others; contradictory ones are refused."""
    kept: list[int] = []
    basis = np.zeros((0, totals.matrix.shape[1]))
    for i, row in enumerate(totals.matrix):
        remainder = row - (basis.T @ (basis @ row))
        if np.linalg.norm(remainder) > 1e-9 * max(1.0, float(np.linalg.norm(row))):
            kept.append(i)
            remainder = remainder - basis.T @ (basis @ remainder)
            basis = np.vstack([basis, remainder / np.linalg.norm(remainder)])
    solution = np.linalg.lstsq(totals.matrix[kept], totals.values[kept], rcond=None)[0]
    gap = np.abs(totals.matrix @ solution - totals.values)
    if (gap > 1e-6 * (1 + np.abs(totals.values))).any():
        raise Refused(
            "totals",
            "not contradict each other",
            totals.values.tolist(),
            Code.INCONSISTENT,
            got=f"values {totals.values.tolist()}",
        )
    return Totals(totals.matrix[kept], totals.values[kept])


def project_onto_totals_nonnegative(noisy: ArrayLike, totals: Totals) -> FloatArray:
    """Nearest non-negative table (least squares) that meets a system of totals.

    Arithmetic on counts makes no promise of its own; of noisy counts theirs about one person stays.
    Source: gong_meng, Section 3, method (b); ours, semismooth Newton on the dual with the optimality conditions checked

    Parameters
    ----------
    noisy : array_like of float, shape (cells,) or (draws, cells); noisy cells
    totals : Totals; totals to meet; they must not contradict each other and a non-negative table must meet them

    Returns
    -------
    numpy.ndarray of float, shape of `noisy`
        The solution max(0, noisy + matrix' multipliers), found by Newton steps on the dual problem, all draws at once;
        the optimality conditions hold to about 1e-10.

    Examples
    --------
    >>> held = totals_of_parts([0, 0, 1, 1], [0, 1, 0, 1], true=[3, 1, 2, 4])
    >>> [round(x, 6) for x in project_onto_totals_nonnegative([4, 1, 2, 4], held).tolist()]
    [3.25, 0.75, 1.75, 4.25]
    """
    values = _rows("noisy", noisy)
    if values.shape[-1] != totals.matrix.shape[1]:
        raise Refused(
            "noisy",
            f"have one value for each of the {totals.matrix.shape[1]} cells",
            values.shape,
            Code.WRONG_SHAPE,
            got="",
        )
    system = _independent(totals)
    matrix, goal = system.matrix, system.values
    cells = np.atleast_2d(values)
    scale = 1.0 + np.abs(goal).max() + np.abs(cells).max()
    multipliers = np.linalg.solve(matrix @ matrix.T, goal[:, None] - matrix @ cells.T).T

    def dual(rows: FloatArray, at: FloatArray) -> FloatArray:
        return np.asarray(0.5 * (np.maximum(rows + at @ matrix, 0.0) ** 2).sum(axis=1) - at @ goal)

    going = np.arange(len(cells))
    for _ in range(NEWTON_STEPS):
        y, lam = cells[going], multipliers[going]
        x = np.maximum(y + lam @ matrix, 0.0)
        gradient = x @ matrix.T - goal
        open_rows = np.abs(gradient).max(axis=1) > 1e-12 * scale
        going, y, lam, gradient, x = (item[open_rows] for item in (going, y, lam, gradient, x))
        if not going.size:
            break
        hessian = np.einsum("ik,nk,jk->nij", matrix, (x > 0).astype(float), matrix)
        hessian += 1e-10 * np.eye(len(goal))  # cells that all sit at 0 leave a total without curvature
        direction = -np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0]
        slope = (direction * gradient).sum(axis=1)
        start, length = dual(y, lam), np.ones(len(y))
        for _ in range(40):
            worse = dual(y, lam + length[:, None] * direction) > start + 1e-4 * length * slope + 1e-13 * scale**2
            if not worse.any():
                break
            length[worse] /= 2
        multipliers[going] = lam + length[:, None] * direction
    result = np.maximum(cells + multipliers @ matrix, 0.0)
    if (np.abs(result @ matrix.T - goal) > 1e-7 * scale).any():
        raise Refused(
            "totals",
            "be met by a non-negative table",
            totals.values.tolist(),
            Code.INFEASIBLE,
            got=f"values {totals.values.tolist()}",
        )
    return np.asarray(result.reshape(values.shape))


@dataclass(frozen=True)
class ControlledRounding:
    """A table rounded to whole numbers that still meets its totals.

    Arithmetic on counts makes no promise of its own; of noisy counts theirs about one person stays.

    Attributes
    ----------
    cells : array of int, shape (cells,); the rounded cells, each the floor or the ceiling of the cell
    distance : float; sum over cells of |rounded - cell|: the least possible

    Examples
    --------
    >>> found = controlled_rounding([4.5, 0, 1.5], totals_of_parts(true=[4.5, 0, 1.5]))
    >>> int(found.cells.sum()), found.distance  # one half up, the other down
    (6, 1.0)
    """

    cells: IntArray
    distance: float


def controlled_rounding(cells: ArrayLike, totals: Totals) -> ControlledRounding:
    """Rounding of a table, each cell down or up, that meets the totals with the least total change.

    Arithmetic on counts makes no promise of its own; of noisy counts theirs about one person stays. One rounding with
    the least sum of absolute changes (integer programme, optimal).
    Source: gong_meng, Section 4, the second stage of the TopDown algorithm

    Parameters
    ----------
    cells : array_like of float, shape (cells,); cells, each at least 0, that meet the totals
    totals : Totals; whole totals to meet

    Examples
    --------
    >>> controlled_rounding([4.5, 0, 1.5], totals_of_parts(true=[4.5, 0, 1.5])).distance
    1.0
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    values = _checks.array("cells", cells, 0.0)
    if values.ndim != 1 or values.size != totals.matrix.shape[1]:
        raise Refused(
            "cells",
            f"be a list of {totals.matrix.shape[1]} values",
            values.shape,
            Code.WRONG_SHAPE,
            got=f"shape {values.shape}",
        )
    refuse_large("cells", values)
    goal = np.round(totals.values)
    if (np.abs(goal - totals.values) > ROUNDING_SLACK).any():
        raise Refused("totals", "be whole numbers", totals.values.tolist(), Code.NOT_WHOLE)
    nearest = np.round(values)
    floor = np.where(np.abs(values - nearest) < ROUNDING_SLACK, nearest, np.floor(values))
    fraction = np.clip(values - floor, 0.0, 1.0)
    goal = goal - totals.matrix @ floor
    # a cell that is whole stays; the tiny slope makes the lowest indices take the unit among equals
    cost = 1 - 2 * fraction + 1e-9 * np.arange(values.size) / values.size
    answer = milp(
        cost,
        constraints=LinearConstraint(totals.matrix, goal, goal),
        integrality=np.ones(values.size, dtype=np.int64),
        bounds=Bounds(0, (fraction > ROUNDING_SLACK).astype(float)),
    )
    if answer.x is None:
        raise Refused("totals", "be met by rounding each cell down or up", totals.values.tolist(), Code.INFEASIBLE)
    rounded = (floor + np.round(answer.x)).astype(np.int64)
    return ControlledRounding(rounded, float(np.abs(rounded - values).sum()))


def draw_projected(
    true: ArrayLike,
    *,
    epsilon: ArrayLike | None = None,
    noise: Noise | None = None,
    size: int,
    seed: int | np.random.Generator,
    totals: Totals | None = None,
) -> FloatArray:
    """Simulated noisy tables projected onto exact totals, non-negative. A simulation, not for release.

    A simulation, not for release, makes no promise: who knows the seed can take the noise off.
    Source: gong_meng, Section 3, method (b)

    Parameters
    ----------
    true : array_like of int, shape (cells,); true counts, at least 0
    epsilon : float or array_like of float, shape (cells,), optional; budget of each cell's double-geometric noise,
        greater than 0
    noise : WholeNoise or sequence of WholeNoise, optional; geometric or discrete Gaussian noise, instead of `epsilon`
    size : int; number of tables
    seed : int or numpy.random.Generator; seed of the generator
    totals : Totals, optional; totals held; without them the grand total of the true counts

    Returns
    -------
    numpy.ndarray of float, shape (size, cells)
        Projected tables (not rounded). Estimates made from them carry simulation error.

    Examples
    --------
    >>> draw_projected([8, 6, 4], epsilon=0.5, size=2, seed=1).sum(axis=1).round(9).tolist()
    [18.0, 18.0]
    """
    counts = whole_counts("true", true)
    noisy = counts + draw_noise(epsilon=epsilon, noise=noise, cells=counts.size, size=size, seed=seed)
    if totals is None:
        return project_onto_total_nonnegative(noisy, float(counts.sum()))
    return project_onto_totals_nonnegative(noisy, totals)
