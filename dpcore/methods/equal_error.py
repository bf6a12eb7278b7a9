"""Noise that is as wrong as a method: the budget whose noise has the same error at the same counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore.accuracy import noise_for_range, noise_for_std
from dpcore.errors import Code, Refused
from dpcore.mechanisms import NoiseKind, noise_kind
from dpcore.methods.laws import DisclosureControl, half_width_of

ErrorMeasure = Literal["root_mean_square", "half_width"]
"""Root mean square error, or the half width of a central range."""


@call_hint
def equal_error_budget(
    method: DisclosureControl,
    *,
    counts: Sequence[int],
    noise: NoiseKind,
    measure: ErrorMeasure = "root_mean_square",
    level: float = 0.95,
) -> float:
    """Smallest budget of noise whose error is at most that of a method at the counts named.

    It is about accuracy: no promise about a secret belongs to it. Fair is the comparison at the same counts, by the
    same measure. It leaves out where the error falls (a cell key never errs at 0), its bias, whether tables add up, and
    how many of them a budget counts. Exact to the last digits of a float; round it up. Infinite where the method makes
    no error at these counts, or none with probability `level` and the noise is continuous.
    Source: ours, roots of exact errors

    Parameters
    ----------
    method : DisclosureControl
    counts : sequence of int; true counts, over which the squared error, or the probability of an error of at most h, is
        averaged
    noise : {"geometric", "laplace", "gaussian", "discrete_gaussian"}; kind of noise; its budget is an epsilon, or a rho
        for the Gaussian kinds
    measure : {"root_mean_square", "half_width"}, optional; root mean square error, bias included, or the smallest h
        that the error keeps to with probability `level`
    level : float, optional; in (0, 1)

    Examples
    --------
    >>> from dpcore.methods import CellKey
    >>> budget = equal_error_budget(CellKey(largest_noise=2, variance=1), counts=[30], noise="geometric")
    >>> round(budget, 9) == round(2 * math.asinh(math.sqrt(0.5)), 9)  # 2 arsinh(1/sqrt(2 V))
    True
    """
    _checks.kind_of("method", method, DisclosureControl, "a method such as RandomRounding(base=3)")
    kind = noise_kind(noise)
    _checks.choice("measure", measure, ("root_mean_square", "half_width"))
    if np.ndim(counts) != 1:
        raise Refused("counts", "be a list of counts", counts, Code.WRONG_TYPE)
    laws = [method.law(count) for count in counts]
    if not laws:
        raise Refused("counts", "name at least one", (), Code.EMPTY)
    mean_square = math.fsum(law.mean_square_error for law in laws) / len(laws)
    if mean_square == 0.0:
        return math.inf
    if measure == "root_mean_square":
        found = noise_for_std(math.sqrt(mean_square), noise)
    else:
        asked = _checks.number("level", level, 0.0, 1.0, open_low=True, open_high=True)
        width = half_width_of(laws, asked)
        if width == 0 and not kind.is_whole:
            return math.inf
        found = noise_for_range(width, noise, level=asked)
    return found.budget
