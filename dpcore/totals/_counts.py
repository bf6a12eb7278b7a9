"""Refusals that the modules of this package share: whole counts and one budget a cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from dpcore import _checks
from dpcore.errors import Code, Refused
from dpcore.mechanisms import Geometric, WholeNoise
from dpcore.totals._partial_sums import CellNoise, FloatArray, IntArray

Noise: TypeAlias = WholeNoise | Sequence[WholeNoise]
"""The noise of every cell, or one for each."""

LARGEST_COUNT = 2.0**40
"""Counts beyond this are refused; sums of 5,000 of them stay exact in floats."""


def whole_counts(name: str, values: ArrayLike, low: float = 0.0) -> IntArray:
    """The values as whole numbers (2.5, NaN, text and values below `low` are refused)."""
    counts = _checks.array(name, values, low)
    if counts.ndim != 1 or counts.size == 0:
        raise Refused(name, "be a list of at least one count", counts.shape, Code.EMPTY, got=f"shape {counts.shape}")
    _checks.refuse_fractions(name, counts, as_list=True)
    refuse_large(name, counts)
    return counts.astype(np.int64)


def refuse_large(name: str, counts: FloatArray) -> None:
    """Refuse counts whose sums floats and whole numbers of 64 bits may not hold."""
    large = counts[np.abs(counts) > LARGEST_COUNT]
    if large.size:
        raise Refused(name, "be at most 2^40 in size", float(large[0]), Code.TOO_LARGE, got=f"{large[0]:g}")


def cell_epsilons(epsilon: ArrayLike, cells: int, name: str = "epsilon") -> FloatArray:
    """One positive epsilon a cell, from a number or from a list of the right length."""
    values = _checks.array(name, epsilon, 0.0, open_low=True)
    if values.ndim > 1 or (values.ndim == 1 and values.size != cells) or not values.size:
        raise Refused(
            name,
            f"be one number or one for each of the {cells} cells",
            values.shape,
            Code.WRONG_SHAPE,
            got=f"shape {values.shape}",
        )
    return np.broadcast_to(values, (cells,)).copy()


def cell_noise(
    epsilon: ArrayLike | None, noise: Noise | None, cells: int, names: tuple[str, str] = ("epsilon", "noise")
) -> CellNoise:
    """The noise of every cell: double-geometric with an epsilon, or as given; of one kind for all cells."""
    of_epsilon, name = names
    if (epsilon is None) is (noise is None):
        raise neither_or_both(of_epsilon, epsilon)
    if noise is None:
        assert epsilon is not None
        return CellNoise.of_epsilons(cell_epsilons(epsilon, cells, of_epsilon))
    each = list(noise) if isinstance(noise, Sequence) else [noise]
    if len(each) not in (1, cells):
        raise Refused(name, f"be one, or one for each of the {cells} cells", len(each), Code.WRONG_SHAPE)
    power = noise_power(name, *each)
    strengths = np.broadcast_to([one.strength for one in each], (cells,)).astype(float)
    if power == 1:
        return CellNoise.of_epsilons(strengths)
    return CellNoise(strengths, type(each[0]), np.broadcast_to([float(one.log_pmf(0)) for one in each], (cells,)))


def neither_or_both(name: str, epsilon: Any) -> Refused:
    alone = "" if epsilon is None else " alone"
    return Refused(name, f"be given{alone}, or else a noise", epsilon, Code.INCONSISTENT)


def total_and_parts(
    epsilon_total: float | None,
    epsilon_parts: ArrayLike | None,
    noise_total: WholeNoise | None,
    noise_parts: Noise | None,
    parts: int,
) -> tuple[WholeNoise, CellNoise]:
    """The noise of a total and of its parts, of one kind: double-geometric with epsilons, or as given."""
    if (epsilon_total is None) is (noise_total is None):
        raise neither_or_both("epsilon_total", epsilon_total)
    total = noise_total or Geometric(epsilon=_checks.number("epsilon_total", epsilon_total, 0.0, open_low=True))
    of_parts = cell_noise(epsilon_parts, noise_parts, parts, ("epsilon_parts", "noise_parts"))
    if noise_power("noise_total", total) != of_parts.power:
        raise Refused("noise_parts", "be of the same kind as the total's", noise_parts, Code.UNSUPPORTED)
    return total, of_parts


def noise_power(name: str, *each: WholeNoise) -> int:
    """The power of its size that log-probability of noise falls with: 1 (geometric) or 2 (discrete Gaussian)."""
    powers = {one.log_power if isinstance(one, WholeNoise) else None for one in each}
    if len(powers) != 1 or not powers <= {1, 2}:
        raise Refused(name, "be geometric or discrete Gaussian, the same kind for all cells", each, Code.UNSUPPORTED)
    return powers.pop() or 0
