"""Noise for all cells of many tables at once, seeded; for studying rules, not for release."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore.mechanisms import WholeNoise
from dpcore.mechanisms.geometric import draw_geometric
from dpcore.totals._counts import Noise, cell_noise
from dpcore.totals._partial_sums import IntArray


@call_hint
def draw_noise(
    *,
    epsilon: ArrayLike | None = None,
    noise: Noise | None = None,
    cells: int,
    size: int,
    seed: int | np.random.Generator,
) -> IntArray:
    """Double-geometric or given noise for many tables at once. A simulation, not for release.

    A simulation, not for release, makes no promise: who knows the seed can take the noise off.
    Source: ghosh, geometric mechanism

    Parameters
    ----------
    epsilon : float or array_like of float, shape (cells,), optional; budget of each cell's double-geometric noise,
        greater than 0
    noise : WholeNoise or sequence of WholeNoise, optional; geometric or discrete Gaussian noise, instead of `epsilon`
    cells : int; cells of a table
    size : int; number of tables
    seed : int or numpy.random.Generator; seed, or a generator to continue

    Returns
    -------
    numpy.ndarray of int, shape (size, cells)
        Double-geometric noise is the difference of two geometric variables.

    Examples
    --------
    >>> draw_noise(epsilon=1.0, cells=2, size=3, seed=1).shape
    (3, 2)
    """
    count = _checks.count("cells", cells, 1)
    of_cells = cell_noise(epsilon, noise, count)
    generator = _checks.seeded(seed)
    shape = (_checks.count("size", size, 1), count)
    if noise is not None and of_cells.power == 2:
        if isinstance(noise, WholeNoise):
            return np.asarray(noise.simulate_noise(shape, seed=generator))
        each = list(noise) * (count if len(noise) == 1 else 1)
        return np.column_stack([one.simulate_noise(shape[0], seed=generator) for one in each])
    return draw_geometric(of_cells.strengths, shape, generator)
