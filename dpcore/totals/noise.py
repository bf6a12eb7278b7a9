"""Double-geometric noise for all cells of many tables at once, seeded; for studying rules, not for release."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore.totals._counts import cell_epsilons
from dpcore.totals._partial_sums import IntArray


@call_hint
def draw_noise(*, epsilon: ArrayLike, cells: int, size: int, seed: int | np.random.Generator) -> IntArray:
    """Double-geometric noise for many tables at once. A simulation, not for release.

    A simulation, not for release, makes no promise: who knows the seed can take the noise off.
    Source: ghosh, geometric mechanism

    Parameters
    ----------
    epsilon : float or array_like of float, shape (cells,); budget of each cell, greater than 0
    cells : int; cells of a table
    size : int; number of tables
    seed : int or numpy.random.Generator; seed, or a generator to continue

    Returns
    -------
    numpy.ndarray of int, shape (size, cells)
        Difference of two geometric variables, which has the double-geometric law.

    Examples
    --------
    >>> draw_noise(epsilon=1.0, cells=2, size=3, seed=1).shape
    (3, 2)
    """
    count = _checks.count("cells", cells, 1)
    budgets = cell_epsilons(epsilon, count)
    generator = _checks.seeded(seed)
    success = -np.expm1(-budgets)
    shape = (_checks.count("size", size, 1), count)
    return np.asarray(generator.geometric(success, shape) - generator.geometric(success, shape))
