"""Two programs over the cells of areas: the nearest table without negative counts, and its rounding to whole numbers.

Both keep the same equations: parts add up, exact totals are met. As families of cells these equations are two nested
ones, whose matrix is totally unimodular: wherever a broken table meets them, so does a whole one with each count, and
each total that is held, next to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import block_diag, csc_array, diags_array, eye_array, hstack, kron, triu, vstack

from dpcore._checks import FloatArray
from dpcore.adjustment.trees import IntArray
from dpcore.errors import Code, Refused

NEARLY_WHOLE = 1e-6  # a solver's count this near a whole one counts as it
FLAT = 1e-12  # a variance of a total this small beside those of its cells is that of an exact one
TOLERANCES = (
    1e-11,
    1e-9,
    1e-7,
    1e-5,
)  # the solver's, of the gap and of its equations; the next where one is out of reach


@dataclass(frozen=True, eq=False)
class Equations:
    """What the counts of some areas must keep.

    It is about areas: no promise about a secret belongs to it.

    Attributes
    ----------
    sums : sparse array; a row for each sum of areas, shape (sums, areas), that holds in every cell
    values : array, shape (sums, cells); what the sums are
    exact : array of int; areas whose total is exact
    totals : array; these totals
    least : array; the least total of every area
    zero : array of bool, shape (areas, cells); counts that can only be 0
    bounded : array of bool; areas whose cells must not be negative

    Examples
    --------
    >>> none, free, every = np.zeros(0, dtype=int), np.zeros((2, 1), dtype=bool), np.ones(2, dtype=bool)
    >>> sum_of_four = Equations(csc_array([[1.0, 1.0]]), np.array([[4.0]]), none, none, np.zeros(2), free, every)
    >>> sum_of_four.rounded(np.array([[1.3], [2.7]])).tolist()
    [[1], [3]]
    """

    sums: csc_array
    values: FloatArray
    exact: IntArray
    totals: FloatArray
    least: FloatArray
    zero: NDArray[np.bool_]
    bounded: NDArray[np.bool_]

    def _rows(self, cells: int) -> Any:  # the types of sparse arrays are not those that a programme is typed to take
        return vstack([kron(self.sums, eye_array(cells)), self._totals(self.exact, cells)], format="csc")

    def _totals(self, areas: IntArray, cells: int) -> Any:
        """A row for each of some areas that sums its cells."""
        at = np.add.outer(areas * cells, np.arange(cells)).ravel()
        rows = np.repeat(np.arange(areas.size), cells)
        return csc_array((np.ones(at.size), (rows, at)), shape=(areas.size, self.least.size * cells))

    def _limited(self) -> IntArray:
        """Areas whose total must not fall below its least, where nothing else keeps it."""
        return np.setdiff1d(np.flatnonzero(self.least > 0), self.exact)

    def nearest(self, start: FloatArray, spread: FloatArray) -> FloatArray:
        """The nearest counts to `start`, which meets the equations, in the metric of a spread: none negative.

        The spread is a variance for each count, or a covariance of the cells for each area. The unknown is how far each
        count moves, so that the solver's accuracy is that of small numbers.
        """
        cells, limited, open_ = start.shape[1], self._limited(), np.flatnonzero(~self.zero)
        begin = np.where(self.zero, 0.0, start)
        bounded = np.flatnonzero((self.bounded[:, None] & ~self.zero).ravel())
        equations = self._rows(cells)
        lacking = np.concatenate([self.values.ravel(), self.totals]) - equations @ begin.ravel()
        used = np.diff(equations[:, open_].tocsr().indptr) > 0
        rows = vstack(
            [
                equations.tocsr()[used],
                -eye_array(start.size, format="csr")[bounded],
                -self._totals(limited, cells),
            ],
            format="csc",
        )
        room = [begin.ravel()[bounded], begin[limited].sum(axis=1) - self.least[limited]]
        if spread.ndim == 2:
            metric = diags_array(1 / spread.ravel(), format="csc")
        else:
            metric = block_diag(list(_inverses(spread)), format="csc")
        ends = np.concatenate([lacking[used], *room])
        found = begin.ravel().copy()
        # of a matrix, what moves to 0 moves its neighbours too
        pull = np.asarray(metric[open_] @ (begin - start).ravel())
        found[open_] += _solved(metric[open_][:, open_], pull, rows[:, open_], ends, int(used.sum()))
        shaped = found.reshape(start.shape)
        return np.where(self.bounded[:, None], np.maximum(shaped, 0.0), shaped)

    def rounded(self, counts: FloatArray) -> IntArray:
        """Whole counts that meet the equations with the least sum of changes, each next to its count.

        Where counts that the solver left a hair beside whole ones take this away, a few are further off.
        """
        near = np.round(counts)
        near = np.where(np.abs(counts - near) < NEARLY_WHOLE, near, counts)
        floor, limited = np.floor(near), self._limited()
        cells = counts.shape[1]
        equations, limits = self._rows(cells), -self._totals(limited, cells)
        held = np.concatenate([self.values.ravel(), self.totals]) - equations @ floor.ravel()
        least = floor[limited].sum(axis=1) - self.least[limited]
        rest = (near - floor).ravel()
        cost, most = 1 - 2 * rest, np.ceil(rest)
        between: Any = np.column_stack([0 * most, most])
        moved = linprog(cost, limits, least, equations, held, between, method="highs-ds").x
        if moved is None:
            beyond = np.concatenate([most, np.full(rest.size, np.inf), floor.ravel()])
            between = np.column_stack([np.zeros(beyond.size), beyond])
            limits, wide = hstack([limits, limits, -limits]), hstack([equations, equations, -equations])
            dear = np.concatenate([cost, np.ones(2 * rest.size)])
            moved = linprog(dear, limits, least, wide, held, between, method="highs-ds").x
            if moved is None:
                raise Refused("totals", "be met by whole counts", self.totals.tolist(), Code.INFEASIBLE, got="")
            moved = moved[: rest.size] + moved[rest.size : 2 * rest.size] - moved[2 * rest.size :]
        step = np.round(moved)
        whole = (floor + step.reshape(floor.shape)).astype(np.int64)
        off = np.abs(equations @ step - held).max(initial=0.0)
        if off > NEARLY_WHOLE:
            raise Refused("table", "have whole counts that a solver finds", float(off), Code.UNSUPPORTED, got="")
        return whole


def _inverses(spread: FloatArray) -> FloatArray:
    """Inverses of covariances of cells, by way of correlations; of one without variance along the total, one of many.

    Nothing moves along an exact total, so that all of them measure what moves alike.
    """
    size = np.sqrt(np.einsum("nii->ni", spread))
    size = np.where(size > 0, size, 1.0)
    scale = size[:, :, None] * size[:, None, :]
    flat = spread.sum(axis=(1, 2)) <= FLAT * (size**2).sum(axis=1)
    found = np.linalg.inv(spread / scale + flat[:, None, None]) / scale
    return (found + found.transpose(0, 2, 1)) / 2


def _solved(metric: csc_array, pull: FloatArray, rows: csc_array, ends: FloatArray, equal: int) -> FloatArray:
    """The least x'metric x/2 + pull'x with rows @ x = ends in the first `equal` rows, and at most ends in the rest."""
    try:
        import clarabel
    except ImportError:
        rule = "be installed to keep counts from being negative: pip install riskline[adjust]"
        raise Refused("clarabel", rule, None, Code.NOT_INSTALLED, got="") from None
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_threads = 1
    cones = [clarabel.ZeroConeT(equal), clarabel.NonnegativeConeT(ends.size - equal)]
    upper = triu(metric, format="csc")
    steepest, furthest = metric.diagonal().max(initial=0.0) or 1.0, max(1.0, np.abs(ends).max(initial=0.0))
    for slope, unit in ((1.0, 1.0), (steepest, furthest)):  # as it is; where that fails, in its own units
        for tolerance in TOLERANCES:
            settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = tolerance
            scaled = upper / slope, pull / (slope * unit), rows, ends / unit
            found = clarabel.DefaultSolver(*scaled, cones, settings).solve()
            if found.status == clarabel.SolverStatus.Solved:
                return np.array(found.x) * unit
    raise Refused("table", "have a nearest one that the solver finds", str(found.status), Code.UNSUPPORTED)
