"""Counts on the levels of a tree that add up: the error of every level after exact least squares.

The tree is uniform: every place of a level has as many parts as every other one. Least squares with the true adding-up
constraints keeps counts unbiased; it is the most a reader gains from all levels by a linear rule. An agency's own
adding-up that also forbids negative or broken counts adds bias, which is not counted here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpcore import _checks
from dpcore._checks import FloatArray
from dpcore.errors import Code, Refused


def tree_variances(fanouts: ArrayLike, variances: ArrayLike) -> FloatArray:
    """Variances of the counts on each level of a uniform tree after least squares with the adding-up constraints.

    Exact: of the best linear unbiased estimate of one count on each level; inf where nothing published tells a level's
    counts apart. About accuracy; no promise about a secret belongs to it: what an attacker gains from all levels
    together is said by `dpcore.attacks.two_levels` and `many_levels`.
    Source: ours, one sweep up and one down; checked against the normal equations

    Parameters
    ----------
    fanouts : array_like; parts of one place on each level but the last, whole numbers of at least 1; one fewer than
        levels
    variances : array_like; of the noise on each level from the root down, above 0; inf for a level that is not
        published

    Examples
    --------
    >>> tree_variances([2], [1, 1])  # the root counts once by itself and once by its two parts
    array([0.66666667, 0.66666667])
    """
    k = _checks.array("fanouts", fanouts, 1.0)
    v = _checks.array("variances", variances, 0.0, open_low=True, allow_infinite=True)
    if k.ndim != 1 or (k != np.floor(k)).any():
        raise Refused("fanouts", "be whole numbers of at least 1", fanouts, Code.NOT_WHOLE)
    if v.shape != (k.size + 1,):
        raise Refused("variances", f"hold one more entry than fanouts ({k.size + 1})", v.size, Code.WRONG_SHAPE)
    if np.isinf(v).all():
        raise Refused("variances", "be finite on at least one level", variances, Code.INFEASIBLE)
    up = v.copy()  # variance of a count from its own level and all below it
    for level in range(k.size - 1, -1, -1):
        with np.errstate(divide="ignore"):
            up[level] = 1 / (1 / v[level] + 1 / (k[level] * up[level + 1]))
    found = up.copy()
    for level in range(k.size):
        if k[level] == 1:  # a place and its only part share one count
            found[level + 1] = found[level]
        else:
            found[level + 1] = up[level + 1] * (1 - 1 / k[level]) + found[level] / k[level] ** 2
    return found


@dataclass(frozen=True, eq=False)
class LevelErrors:
    """Standard deviations of one count on each level of a tree, from the root down.

    It is about accuracy: no promise about a secret belongs to it.

    Parameters
    ----------
    before : array; of the published count; inf for a level that is not published
    after : array; of the count that uses all levels, by exact least squares
    places : tuple of int; number of counts on each level

    Examples
    --------
    >>> level_errors([4], [2.0, 1.0]).gain.round(6).tolist()  # before over after: sqrt(2), sqrt(8/7)
    [1.414214, 1.069045]
    """

    before: FloatArray
    after: FloatArray
    places: tuple[int, ...]

    @property
    def gain(self) -> FloatArray:
        """How many times smaller adding up makes the standard deviation; inf for a level that is not published."""
        unpublished = np.full(self.before.shape, np.inf)
        return np.divide(self.before, self.after, out=unpublished, where=np.isfinite(self.before))


def level_errors(fanouts: Sequence[int], stds: ArrayLike) -> LevelErrors:
    """Errors of every level of a uniform tree before and after its counts are made to add up.

    Exact for least squares. A rule that also keeps counts from being negative or broken adds bias. About accuracy; no
    promise about a secret belongs to it.
    Source: ours, `tree_variances`

    Parameters
    ----------
    fanouts : sequence of int; parts of one place on each level but the last, whole numbers of at least 1
    stds : array_like; standard deviation of the noise on each level from the root down, above 0; inf where not
        published

    Examples
    --------
    >>> level_errors([4], [3.0, 1.0]).places
    (1, 4)
    >>> level_errors([4], [3.0, 1.0]).gain.round(3)
    array([1.803, 1.041])
    """
    before = _checks.array("stds", stds, 0.0, open_low=True, allow_infinite=True)
    after = np.sqrt(tree_variances(fanouts, before * before))
    places = [1]
    for parts in fanouts:
        places.append(places[-1] * int(parts))
    return LevelErrors(before, after, tuple(places))
