"""Several noisy counts that read one whole number: together one reading, with all that they tell.

Where independent counts with discrete Gaussian noise each hold the same unknown number of people and others who are
known, their likelihood is that of one count: their mean, weighted by ρ, with the sum of their ρ. Nothing is lost,
although the mean is no whole number: what makes each law add up to 1 does not depend on the unknown number.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpcore._calls import call_hint
from dpcore.attacks._inputs import known_count, positive, whole_numbers
from dpcore.errors import Code, Refused


@call_hint
@dataclass(frozen=True)
class WeightedReading:
    """Several noisy counts of one number as one count.

    An attack and no promise: it is about any secret that moves the number.

    Attributes
    ----------
    count : float; the mean of the counts, less what is known, weighted by ρ
    rho : float; the sum of their ρ

    Examples
    --------
    >>> weighted_reading([3, 9], rhos=[0.1, 0.3], knowns=[0, 5])  # (0.1 * 3 + 0.3 * 4) / 0.4
    WeightedReading(count=3.75, rho=0.4)
    """

    count: float
    rho: float


def weighted_reading(counts: ArrayLike, *, rhos: ArrayLike, knowns: ArrayLike = 0) -> WeightedReading:
    """Several noisy counts of one whole number as one count that tells as much of it (exact).

    An attack and no promise: it is about any secret that moves the number. The log likelihood of k people is
    -ρ (x - k)² up to a constant, with this mean x and this sum ρ; so log odds of k + 1 against k move by
    ρ (2 (x - k) - 1).
    Source: ours, sufficient statistic of discrete Gaussian counts; thesis, equations (2.3) and (2.12)

    Parameters
    ----------
    counts : array of int; noisy counts, each with its own noise
    rhos : array of float; ρ of each, greater than 0
    knowns : int or array of int; people in each count whom the attacker knows

    Examples
    --------
    >>> from dpcore.attacks.repeated import RepeatedAttack
    >>> from dpcore.mechanisms import DiscreteGaussian
    >>> one = weighted_reading([2, 1], rhos=[0.1, 0.25])
    >>> both = RepeatedAttack([DiscreteGaussian(rho=0.1), DiscreteGaussian(rho=0.25)], prior=0.5)
    >>> abs(one.rho * (2 * one.count - 1) - both.log_odds([2, 1])) < 1e-12
    True
    """
    seen = np.atleast_1d(whole_numbers("counts", counts))
    rates = np.atleast_1d(positive("rhos", rhos))
    others = known_count(knowns, "knowns")
    others = np.broadcast_to(others, seen.shape) if others.ndim == 0 else others
    if not seen.size or seen.ndim > 1 or rates.shape != seen.shape or others.shape != seen.shape:
        sizes = seen.size, rates.size, others.size
        got = f"{sizes[0]} counts, {sizes[1]} ρ, {sizes[2]} known"
        raise Refused("counts, rhos and knowns", "have one entry per count", sizes, Code.WRONG_SHAPE, got=got)
    rho = float(rates.sum())
    return WeightedReading(float(rates @ (seen - others)) / rho, rho)
