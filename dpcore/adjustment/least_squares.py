"""Generalised least squares on a tree, exactly, in one pass up and one pass down.

Upwards each area learns its count from its own noise and from all that lies below; downwards each learns what the rest
of the tree says. An exact total conditions an area's cells on their sum, so that they go together: from such an area up
to its root the passes carry a matrix of the cells, and below it a variance for each.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from dpcore import _checks
from dpcore._calls import call_hint, go_together
from dpcore._checks import FloatArray
from dpcore._properties import cached_property
from dpcore.adjustment.tables import NoisyTable
from dpcore.adjustment.trees import IntArray
from dpcore.errors import Code, Refused

ROUNDING = 1e-9  # a covariance may pass its largest by this share of the variances, or of 1


def times(gain: FloatArray, values: FloatArray) -> FloatArray:
    """Each area's gain, a number for each cell or a matrix of them, times its values, also with a third axis."""
    if gain.ndim == 2:
        return gain[:, :, None] * values if values.ndim == 3 else gain * values
    return gain @ values if values.ndim == 3 else (gain @ values[:, :, None])[:, :, 0]


def matrices(spread: FloatArray) -> FloatArray:
    """Covariances of the cells as matrices."""
    return spread if spread.ndim == 3 else spread[:, :, None] * np.eye(spread.shape[1])


class Pass(NamedTuple):
    """What the passes do at one level: kept, because it depends on variances and on no count."""

    spread: FloatArray
    """Covariance of an area's cells given all that lies in it: a variance for each cell, or a matrix."""
    own: FloatArray
    """For each divided area, how far its own noisy count moves the sum of its parts."""
    exact: IntArray
    """Places of the areas that are conditioned on their total."""
    onto: FloatArray
    """How the cells of each of these share what is missing."""
    down: FloatArray
    """How each area of the level below shares what the sum of the parts lacks."""


def _normal_quantile(level: float) -> float:
    """How many standard deviations hold a normal number with the given probability."""
    share = _checks.number("level", level, 0.0, 1.0, open_low=True, open_high=True)
    wide = float(ndtri((1 + share) / 2))
    if not 0.0 < wide < np.inf:
        raise Refused("level", "lie in (0, 1) by more than a float's last digit", share, Code.OUT_OF_RANGE)
    return wide


@call_hint
def ratio_interval(
    numerator: ArrayLike,
    denominator: ArrayLike,
    *,
    variances: tuple[ArrayLike, ArrayLike],
    covariance: ArrayLike = 0.0,
    level: float = 0.95,
    whole: bool = False,
) -> FloatArray:
    """Intervals of ratios of two estimates, shape (..., 2), exact for normal ones.

    About accuracy; no promise about a secret belongs to it. Where the denominator could be 0 no ratio can be left out:
    the interval is (-inf, inf), of which a share keeps [0, 1].
    Source: ours, every ratio for which ``numerator - ratio * denominator`` is near enough to 0, as Fieller (1954) did
    for means; checked against a search over ratios, and by its coverage

    Parameters
    ----------
    numerator, denominator : array_like; the estimates
    variances : tuple of array_like; of the numerator and of the denominator, each at least 0
    covariance : array_like, optional; of the two; 0 for estimates from different tables
    level : float, optional; the share of releases whose interval holds the true ratio, in (0, 1)
    whole : bool, optional; whether the noise is whole: ranges then reach half a count farther, as without it a narrow
        one ends between steps of the noise and holds less than it says

    Examples
    --------
    >>> ratio_interval(30, 100, variances=(1, 0)).round(4).tolist()  # .3, and 1.96 times .01 on both sides
    [0.2804, 0.3196]
    >>> ratio_interval(3, 1, variances=(1, 1)).tolist()
    [-inf, inf]
    """
    a, b = (_checks.array(name, value) for name, value in (("numerator", numerator), ("denominator", denominator)))
    if not isinstance(variances, (tuple, list, np.ndarray)) or len(variances) != 2:
        raise Refused("variances", "be two, of the numerator and of the denominator", variances, Code.WRONG_SHAPE)
    a_variance, b_variance = (_checks.array("variances", value, 0.0) for value in variances)
    shared = _checks.array("covariance", covariance)
    spreads = {"variances[0]": a_variance, "variances[1]": b_variance}
    go_together(numerator=a, denominator=b, **spreads, covariance=shared)
    largest = np.sqrt(a_variance) * np.sqrt(b_variance) + ROUNDING * (1 + a_variance + b_variance)
    if (beyond := np.abs(shared) > largest).any():
        rule = "be at most the root of the product of the variances, of either sign"
        offender = float(np.broadcast_to(shared, beyond.shape)[beyond].flat[0])
        raise Refused("covariance", rule, offender, Code.INCONSISTENT)
    z = _normal_quantile(level)
    if whole:
        a_variance, b_variance = (
            np.where(spread > 0, (np.sqrt(spread) + 0.5 / z) ** 2, 0.0) for spread in (a_variance, b_variance)
        )
    squared = z**2
    square = b**2 - squared * b_variance
    middle = a * b - squared * shared
    root = np.sqrt(np.maximum(middle**2 - square * (a**2 - squared * a_variance), 0.0))
    told, divisor = square > 0, np.where(square > 0, square, 1.0)
    ends = [np.where(told, (middle + side * root) / divisor, side * np.inf) for side in (-1, 1)]
    return np.stack(ends, axis=-1)


@call_hint
class LeastSquares:
    """The best linear unbiased estimate of every count, from all noisy counts and the exact totals.

    About accuracy; no promise about a secret belongs to it. Exact: the counts add up, and totals are met, to the last
    digits of a float; they may be negative and broken. Covariances are exact for independent noise of the stated
    variances, whatever its law.
    Source: ours, two passes over the tree; checked against the dense normal equations

    Parameters
    ----------
    table : NoisyTable; the noisy table

    Examples
    --------
    >>> from dpcore.adjustment import AreaTree, NoisyTable
    >>> found = LeastSquares(NoisyTable(AreaTree([-1, 0, 0]), [[12], [5], [4]], variances=1.0))
    >>> found.counts.tolist()  # three people too many above: a third to each of the three counts
    [[11.0], [6.0], [5.0]]
    >>> found.covariance([[1], [0], [0]]).round(6).tolist()  # by itself 1, by its parts 2
    [[0.666667]]
    """

    def __init__(self, table: NoisyTable) -> None:
        _checks.kind_of("table", table, NoisyTable, "a NoisyTable")
        self.table = table
        self.passes = self._passes()

    def _passes(self) -> list[Pass]:
        table = self.table
        levels, implied = table.tree.levels, table.bounds.implied
        variances, exact = np.asarray(table.variances), ~np.isnan(np.asarray(table.totals)) & ~implied
        cells = variances.shape[1]
        found: list[Pass] = []
        nothing = np.zeros((0, cells))
        for depth in range(len(levels) - 1, -1, -1):
            areas = levels[depth].areas
            conditioned = np.flatnonzero(exact[areas])
            below = found[-1].spread if found else nothing
            together = below.ndim == 3 or conditioned.size > 0
            spread = np.where(table.tree.undivided[areas, None], variances[areas], 0.0)
            spread = matrices(spread) if together else spread
            own = down = nothing
            if found:
                level = levels[depth + 1]
                parts, precision = level.sums(below), 1 / variances[areas[level.divided]]
                if together:
                    wide = matrices(parts)
                    after = np.linalg.solve(np.eye(cells) + wide * precision[:, None, :], wide)
                    own = after * precision[:, None, :]
                else:
                    after = parts / (1 + parts * precision)
                    own = after * precision
                spread[level.divided] = after
                if parts.ndim == 3:  # where each part has a total, nothing is missing along it: any inverse does
                    flat = implied[areas[level.divided]]
                    size = np.einsum("nii->n", parts) / cells
                    parts = parts + np.where(flat, np.where(size > 0, size, 1.0), 0.0)[:, None, None]
                    inverse = np.linalg.inv(parts)
                    of_part = np.searchsorted(level.divided, level.parent)
                    down = below @ inverse[of_part]
                else:
                    down = below / parts[np.searchsorted(level.divided, level.parent)]
            onto = nothing
            if conditioned.size:
                along = spread[conditioned].sum(axis=2)
                onto = along / along.sum(axis=1, keepdims=True)
                spread[conditioned] -= onto[:, :, None] * along[:, None, :]
            found.append(Pass(spread, own, conditioned, onto, down))
        return found[::-1]

    def upward(self, counts: FloatArray, totals: FloatArray) -> tuple[list[FloatArray], list[FloatArray]]:
        """Each level's counts from all that lies in its areas, and the sums of parts of its divided areas."""
        levels = self.table.tree.levels
        means: list[FloatArray] = []
        sums: list[FloatArray] = []
        for depth in range(len(levels) - 1, -1, -1):
            done, areas = self.passes[depth], levels[depth].areas
            mean, parts = counts[areas], np.zeros((0, *counts.shape[1:]))
            if means:
                level = levels[depth + 1]
                parts = level.sums(means[-1])
                mean[level.divided] = parts + times(done.own, mean[level.divided] - parts)
            if done.exact.size:
                lacking = totals[areas[done.exact]] - mean[done.exact].sum(axis=1)
                onto = done.onto[:, :, None] if counts.ndim == 3 else done.onto
                mean[done.exact] += onto * lacking[:, None]
            means.append(mean)
            sums.append(parts)
        return means[::-1], sums[::-1]

    def fitted(self, counts: FloatArray, totals: FloatArray) -> FloatArray:
        """The estimate for other counts of the same variances, shape (areas, cells), or with a third axis of draws."""
        levels = self.table.tree.levels
        means, sums = self.upward(counts, totals)
        found = np.empty_like(counts)
        at = means[0]
        found[levels[0].areas] = at
        for depth in range(1, len(levels)):
            at = self.shared(depth, at, means, sums)
            found[levels[depth].areas] = at
        return self.table.tree.added_up(found)

    def shared(self, depth: int, above: FloatArray, means: list[FloatArray], sums: list[FloatArray]) -> FloatArray:
        """The counts of a level that add up to those above, from what `upward` found."""
        level = self.table.tree.levels[depth]
        lacking = np.zeros_like(above)
        lacking[level.divided] = above[level.divided] - sums[depth - 1]
        return means[depth] + times(self.passes[depth - 1].down, lacking[level.parent])

    @cached_property
    def counts(self) -> FloatArray:
        """The estimates, shape (areas, cells)."""
        return self.fitted(np.asarray(self.table.counts), np.asarray(self.table.totals))

    @cached_property
    def variances(self) -> FloatArray:
        """Variances of the estimates, shape (areas, cells); exact, one pass downwards.

        >>> from dpcore.adjustment import AreaTree, NoisyTable
        >>> table = NoisyTable(AreaTree([-1, 0, 0]), [[12], [5], [4]], variances=1.0)
        >>> LeastSquares(table).variances.round(6).tolist()
        [[0.666667], [0.666667], [0.666667]]
        """
        levels = self.table.tree.levels
        found = np.empty(np.shape(self.table.counts))
        above = self.passes[0].spread
        for depth, level in enumerate(levels):
            if depth:
                below, down = self.passes[depth].spread, self.passes[depth - 1].down
                if above.ndim == 3:
                    below, down = matrices(below), matrices(down)
                more = above.copy()  # variance of an area's count, less that of the sum of its parts by themselves
                more[level.divided] -= level.sums(below)
                if above.ndim == 3:
                    above = below + down @ more[level.parent] @ np.swapaxes(down, 1, 2)
                else:
                    above = below + down**2 * more[level.parent]
            found[level.areas] = np.maximum(above if above.ndim == 2 else np.einsum("nii->ni", above), 0.0)
        return found

    def covariance(self, weights: ArrayLike) -> FloatArray:
        """Covariances of weighted sums of the estimates; exact, one more pair of passes.

        Parameters
        ----------
        weights : array_like, shape (areas, cells) or (sums, areas, cells); the weight of every count in each sum: 1
            for those of a sum, 1 and -1 for a difference
        """
        wanted = self._weights(weights)
        tree = self.table.tree
        for above, level in zip(tree.levels, tree.levels[1:], strict=False):  # the same sums, of undivided areas alone
            wanted[level.areas] += wanted[above.areas][level.parent]
        wanted[~tree.undivided] = 0.0
        seen = np.where(tree.undivided[:, None], np.asarray(self.table.variances), 0.0)[:, :, None] * wanted
        spread = self.fitted(seen, np.zeros((tree.undivided.size, 1)))
        found = np.einsum("acs,act->st", wanted, spread)
        return (found + found.T) / 2

    def interval(self, weights: ArrayLike, *, level: float = 0.95) -> FloatArray:
        """Intervals of weighted sums, shape (sums, 2): exact for normal noise, and nearly so for sums of many.

        Parameters
        ----------
        weights : array_like, shape (areas, cells) or (sums, areas, cells); as for `covariance`
        level : float, optional; the share of releases whose interval holds the true sum, in (0, 1)
        """
        wide = _normal_quantile(level) * np.sqrt(np.maximum(np.diagonal(self.covariance(weights)), 0.0))
        middle = self._sums(weights)
        return np.column_stack([middle - wide, middle + wide])

    def ratio_interval(
        self, numerators: ArrayLike, denominators: ArrayLike, *, level: float = 0.95, whole: bool = False
    ) -> FloatArray:
        """Intervals of ratios of weighted sums, shape (ratios, 2): as exact as `interval`, also where counts are few.

        A sum over itself is 1, whatever the noise.
        Source: ours, `ratio_interval` of the estimates

        Parameters
        ----------
        numerators, denominators : array_like, shape (areas, cells) or (ratios, areas, cells); as for `covariance`
        level : float, optional; the share of releases whose interval holds the true ratio, in (0, 1)
        whole : bool, optional; as for `ratio_interval`

        Examples
        --------
        >>> from dpcore.adjustment import AreaTree, NoisyTable
        >>> found = LeastSquares(NoisyTable(AreaTree([-1]), [[30, 100]], variances=1.0))
        >>> found.ratio_interval([[1, 0]], [[0, 1]]).round(3).tolist()  # .3, and 1.96 times .01 on both sides
        [[0.28, 0.321]]
        """
        shape = np.shape(self.table.counts)
        above, below = (np.moveaxis(self._weights(weights), -1, 0) for weights in (numerators, denominators))
        if len(above) != len(below):
            got = f"{len(above)} and {len(below)}"
            raise Refused("numerators", "be as many as the denominators", len(above), Code.WRONG_SHAPE, got=got)
        both, size = np.concatenate([above, below]).reshape(-1, *shape), len(above)
        middles, spread = self._sums(both), self.covariance(both)
        variances = np.maximum(np.diagonal(spread), 0.0)
        found = ratio_interval(
            middles[:size],
            middles[size:],
            variances=(variances[:size], variances[size:]),
            covariance=np.diagonal(spread[:size, size:]),
            level=level,
            whole=whole,
        )
        found[(above == below).all(axis=(1, 2)) & above.any(axis=(1, 2))] = 1.0
        return found

    def _sums(self, weights: ArrayLike) -> FloatArray:
        """The estimates of weighted sums."""
        found: FloatArray = np.einsum("acs,ac->s", self._weights(weights), self.counts)
        return found

    def _weights(self, weights: ArrayLike) -> FloatArray:
        """Weights with the sums in the last axis."""
        given = _checks.array("weights", weights)
        shape = np.shape(self.table.counts)
        if given.ndim not in (2, 3) or given.shape[-2:] != shape:
            rule = f"have the shape {shape} of the counts, or several of it"
            raise Refused("weights", rule, given.shape, Code.WRONG_SHAPE, got=f"shape {given.shape}")
        return np.moveaxis(given.reshape(-1, *shape), 0, -1).copy()
