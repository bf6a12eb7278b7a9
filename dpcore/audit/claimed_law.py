"""Whether noise has the law that it is said to have, which is another question than whether a budget is kept.

It can contradict a perfectly private release, with other noise, and accept one that leaks, whose noise has the right
law and is repeated. It asks whether a program does what it says.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore.audit._claims import LARGEST_COUNTED
from dpcore.errors import Code, Refused
from dpcore.mechanisms import NoiseMechanism

FEWEST_EXPECTED = 5
"""Fewest draws that a cell has to expect."""

MOST_CELLS = 50
"""Most cells that `joined_cells` makes."""

_ENOUGH = FEWEST_EXPECTED * (1 - 1e-9)  # equal chances may differ in a float's last digit


class LawTest(NamedTuple):
    """Pearson's test of a law: the statistic, the number of cells, and the p-value.

    It makes no promise about a secret: whether noise has its law is not whether a budget is kept.

    Examples
    --------
    >>> from dpcore.mechanisms import Laplace
    >>> law_test(Laplace(epsilon=1.0), [10, 10], edges=[0.0])  # half of the noise is at most 0
    LawTest(statistic=0.0, cells=2, p_value=1.0)
    """

    statistic: float
    cells: int
    p_value: float


@call_hint
def law_test(noise: NoiseMechanism, counts: ArrayLike, *, edges: ArrayLike, centre: float = 0.0) -> LawTest:
    """Pearson's test of the law of noise, from counts of outputs in cells.

    It makes no promise about a secret: whether noise has its law is not whether a budget is kept. The p-value is an
    estimate: the chi-squared law, with one degree of freedom less than cells, is that of many draws. Cells are fixed
    before the outputs are seen, as `joined_cells` does.
    Source: pearson, the criterion itself

    Parameters
    ----------
    noise : NoiseMechanism; the noise that is claimed
    counts : array_like; how many outputs lie in each cell, the first and the last cell being the tails
    edges : array_like; the upper ends of all cells but the last, in increasing order; an output at an end lies below it
    centre : float, optional; the true value that the noise was added to

    Examples
    --------
    >>> from math import log
    >>> from dpcore.mechanisms import Geometric
    >>> noise = Geometric(epsilon=log(2))  # a third at 0, and a third on either side
    >>> round(law_test(noise, [12, 6, 12], edges=[-1, 0]).statistic, 9)  # 2^2/10 + 4^2/10 + 2^2/10
    2.4
    """
    _checks.kind_of("noise", noise, NoiseMechanism, "noise such as Geometric(epsilon=1.0)")
    ends = _checks.increasing("edges", np.atleast_1d(np.asarray(edges)).tolist())
    seen = _checks.array("counts", counts, 0.0, LARGEST_COUNTED)
    if seen.shape != (ends.size + 1,) or not ends.size:
        raise Refused("counts", f"hold one number for each cell ({ends.size + 1})", seen.shape, Code.WRONG_SHAPE)
    _checks.refuse_fractions("counts", seen, as_list=True)
    expected = seen.sum() * _chances(noise, ends - _checks.number("centre", centre))
    if expected.min() < _ENOUGH:
        rule = f"expect at least {FEWEST_EXPECTED} draws in every cell"
        raise Refused("counts", rule, float(expected.min()), Code.INFEASIBLE, got=f"{expected.min():.3g}")
    statistic = float(((seen - expected) ** 2 / expected).sum())
    return LawTest(statistic, seen.size, float(chdtrc(seen.size - 1, statistic)))


def _chances(noise: NoiseMechanism, ends: FloatArray) -> FloatArray:
    below, above = np.asarray(noise.cdf(ends)), np.asarray(noise.survival(ends))
    # the smaller of the two tails is exact, so take differences there
    inner = np.where(ends[:-1] < 0.0, np.diff(below), -np.diff(above))
    return np.concatenate([below[:1], inner, above[-1:]])


@call_hint
def joined_cells(noise: NoiseMechanism, *, draws: int, centre: float = 0.0) -> FloatArray:
    """Edges for `law_test`, chosen by the claim alone: cells of about equal chance that expect at least 5 draws each.

    It makes no promise about a secret: whether noise has its law is not whether a budget is kept. Upper ends of all
    cells but the last, at most 49; whole numbers beyond them are joined.
    Source: pearson, the criterion itself

    Parameters
    ----------
    noise : NoiseMechanism; the noise that is claimed
    draws : int; how many outputs there will be, at least 10
    centre : float, optional; the true value that the noise is added to

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> joined_cells(Geometric(epsilon=1.0), draws=300)  # at 3 and beyond lie 300 e^-3/(1 + 1/e) = 11 outputs
    array([-3., -2., -1.,  0.,  1.,  2.])
    """
    _checks.kind_of("noise", noise, NoiseMechanism, "noise such as Geometric(epsilon=1.0)")
    number, middle = _checks.count("draws", draws, 2 * FEWEST_EXPECTED), _checks.number("centre", centre)
    cells = min(number // FEWEST_EXPECTED, MOST_CELLS)
    kept: list[float] = []
    for end in np.unique(noise.quantile(np.arange(1, cells) / cells)).tolist():
        if number * _chances(noise, np.array([*kept, end]))[-2:].min() >= _ENOUGH:
            kept.append(end)
    if not kept:
        raise Refused("draws", f"expect at least {FEWEST_EXPECTED} in two cells", draws, Code.INFEASIBLE)
    return middle + np.asarray(kept, dtype=np.float64)
