"""What readers make of a list of noisy counts: how many are far off, negative or misjudged, ranks, medians, means.

Exact sums over the noise of independent counts, for true counts as given; counts with Laplace or Gaussian noise are
read as they are published, with their fractions, where nothing else is said. About accuracy; no promise about a secret
belongs to these numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore.accuracy import wrong_side_probability
from dpcore.errors import Code, Refused
from dpcore.mechanisms import NoiseMechanism
from dpcore.publication.readings import NoiseDifference
from dpcore.publication.rows import level_of_range

MOST_COUNTS = 5_000
MOST_RANKED = 500
LARGEST_LEVEL = 0.999999  # of the mean of whole counts, whose tails are kept to 1e-13

_MOST_STEPS = 2e9  # multiplications of one law of a rank
_MOST_SUMMED = 2**23  # values of a sum of noises that are held at once
_SMOOTH = 4.5  # sigma² from which on sums of discrete Gaussian noise are discrete Gaussian to e^(-pi² 4.5) = 1e-19
_LEFT_OUT = math.log(1e-16)  # log probability of noise left out of a rank's law, at each end


def _noise(mechanism: Any) -> NoiseMechanism:
    if not isinstance(mechanism, NoiseMechanism):
        raise Refused("mechanism", "be additive noise such as Geometric(epsilon=1.0)", mechanism, Code.UNSUPPORTED)
    return mechanism


def _counts(name: str, counts: ArrayLike, most: int) -> FloatArray:
    found = np.atleast_1d(_checks.array(name, counts))
    if found.ndim != 1 or not 1 <= found.size <= most:
        raise Refused(name, f"be a list of 1 to {most} whole numbers", found.size, Code.WRONG_SHAPE)
    _checks.refuse_fractions(name, found, as_list=True)
    return found


def _number_of_events(chances: FloatArray) -> FloatArray:
    """Law of how many of independent events happen: chances (..., n) to probabilities (..., n + 1); no differences."""
    law = np.zeros((*chances.shape[:-1], chances.shape[-1] + 1))
    law[..., 0] = 1.0
    for place in range(chances.shape[-1]):
        happens = chances[..., place, None]
        law[..., 1 : place + 2] = law[..., 1 : place + 2] * (1.0 - happens) + law[..., : place + 1] * happens
        law[..., 0] *= 1.0 - happens[..., 0]
    return law


# ---- the wrong side of a target -------------------------------------------------------------------------------------


@call_hint
@dataclass(frozen=True, eq=False)
class EventCount:
    """How many counts of a list something happens to, each on its own.

    It is about accuracy: no promise about a secret belongs to it.

    Attributes
    ----------
    chances : array; for each count, the probability that it happens
    law : array; probability that it happens to none, one, …, all of them

    Examples
    --------
    >>> two = EventCount(np.array([0.5, 0.5]), np.array([0.25, 0.5, 0.25]))
    >>> two.expected, two.upper(0.7)  # none or one in 75 of 100 cases
    (1.0, 1)
    """

    chances: FloatArray
    law: FloatArray

    @property
    def expected(self) -> float:
        """Mean number of counts that it happens to."""
        return math.fsum(self.chances)

    def upper(self, level: float = 0.95) -> int:
        """Smallest number that is not exceeded with at least the level, in [0.01, 1)."""
        return self._not_exceeded(1.0 - level_of_range(level))

    def central_range(self, level: float = 0.95) -> tuple[int, int]:
        """Smallest and largest number, left out on either side with at most half of what the level leaves."""
        allowed = (1.0 - level_of_range(level)) / 2
        below = np.append(0.0, np.cumsum(self.law)[:-1])  # P[fewer than so many]
        return int(np.flatnonzero(below <= allowed * (1 + 1e-12))[-1]), self._not_exceeded(allowed)

    def _not_exceeded(self, allowed: float) -> int:
        above = np.append(np.cumsum(self.law[::-1])[::-1][1:], 0.0)  # P[more than so many]
        return int(np.argmax(above <= allowed * (1 + 1e-12)))


@call_hint
@dataclass(frozen=True, eq=False)
class WrongSides(EventCount):
    """How many districts of a list are published on the wrong side of their targets.

    It is about accuracy: no promise about a secret belongs to it.

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> found = wrong_sides([25], 24, mechanism=Geometric(epsilon=math.log(9)))  # chance 1/10
    >>> round(found.none_wrong, 9)
    0.9
    """

    @property
    def none_wrong(self) -> float:
        """Probability that every district is on the right side."""
        return float(self.law[0])


@call_hint
def wrong_sides(
    counts: ArrayLike, targets: ArrayLike, *, mechanism: NoiseMechanism | Sequence[NoiseMechanism]
) -> WrongSides:
    """How many districts of a list are published on the wrong side of their targets.

    It is about accuracy: no promise about a secret belongs to it. Exact. Continuous noise is rounded to a whole number
    before a count is held against its target, as in `wrong_side_probability`.
    Source: thesis, Figure 3.2 and Example 3 (one district); ours, the number of independent events with unequal chances

    Parameters
    ----------
    counts : array_like; true counts, a list of 1 to 5,000 whole numbers
    targets : array_like; the largest count that meets the target, one for each district or one for all
    mechanism : additive noise or sequence of additive noise; the noise of each count, one for each district or one for
        all; independent

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> noise = Geometric(epsilon=math.log(9))
    >>> found = wrong_sides([25, 30, 23], 24, mechanism=noise)  # chances 1/10, 1/10 9^-5, 1/90
    >>> round(found.expected, 6), found.upper(0.8)
    (0.111113, 0)
    """
    true, limits = _counts("counts", counts, MOST_COUNTS), _counts("targets", targets, MOST_COUNTS)
    n = true.size
    if limits.size not in (1, n):
        raise Refused("targets", f"hold one number, or one for each district ({n})", limits.size, Code.WRONG_SHAPE)
    excess = true - limits
    if isinstance(mechanism, NoiseMechanism):
        chances = np.asarray(wrong_side_probability(mechanism, excess=excess))
    else:
        try:
            listed = [_noise(each) for each in mechanism]
        except TypeError:
            listed = [_noise(mechanism)]
        if len(listed) != n:
            raise Refused("mechanism", f"be one, or one for each district ({n})", len(listed), Code.WRONG_SHAPE)
        chances = np.array(
            [float(wrong_side_probability(each, excess=float(k))) for each, k in zip(listed, excess, strict=True)]
        )
    return WrongSides(chances, _number_of_events(chances))


# ---- far off, and below zero ----------------------------------------------------------------------------------------


@call_hint
def errors_beyond(counts: int, *, mechanism: NoiseMechanism, more_than: int) -> EventCount:
    """How many of so many published counts are off by more than a number of people.

    It is about accuracy: no promise about a secret belongs to it. Exact. Continuous noise is rounded to a whole number
    first.
    Source: ours, the number of independent events with equal chances

    Parameters
    ----------
    counts : int; how many, from 1 to 5,000
    mechanism : additive noise; the noise of each count; independent
    more_than : int; whole number of at least 0

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> found = errors_beyond(40, mechanism=Geometric(epsilon=math.log(3)), more_than=0)  # half of them are exact
    >>> round(found.expected, 9), found.central_range(0.95)
    (20.0, (14, 26))
    """
    number, noise = _checks.count("counts", counts, 1, MOST_COUNTS), _noise(mechanism)
    start = noise.off_by(_checks.count("more_than", more_than, 0) + 1.0)
    chances = np.full(number, min(2 * float(noise.tail(start)), 1.0))
    return EventCount(chances, _number_of_events(chances))


@call_hint
def negative_counts(counts: ArrayLike, *, mechanism: NoiseMechanism) -> EventCount:
    """How many counts of a list are published below zero.

    It is about accuracy: no promise about a secret belongs to it. Exact. Continuous noise is rounded to a whole number
    first.
    Source: ours, `wrong_sides` of a target of -1

    Parameters
    ----------
    counts : array_like; true counts, a list of 1 to 5,000 whole numbers
    mechanism : additive noise; the noise of each count; independent

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> found = negative_counts([0, 1, 900], mechanism=Geometric(epsilon=math.log(3)))  # 1/4, 1/12, next to 0
    >>> round(found.expected, 9), found.upper(0.95)
    (0.333333333, 1)
    """
    found = wrong_sides(counts, -1, mechanism=_noise(mechanism))
    return EventCount(found.chances, found.law)


@call_hint
def clamping_biases(counts: ArrayLike, *, mechanism: NoiseMechanism) -> FloatArray:
    """How much too high each count is on average when negative published counts are replaced by 0.

    It is about accuracy: no promise about a secret belongs to it. Mean of the published count, or of 0 where it is
    negative, minus the true one: the sum over j >= 1 of P[published <= -j]. Exact, to 1e-15 of itself where it is
    summed. Continuous noise is rounded to a whole number first. Kept as they are, published counts have no such error;
    means and totals add it up.
    Source: ours, the tail sum of a mean; a geometric series for geometric and Laplace noise

    Parameters
    ----------
    counts : array_like; true counts, a list of 1 to 5,000 whole numbers of at least 0
    mechanism : additive noise; the noise of each count

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> clamping_biases([0, 1], mechanism=Geometric(epsilon=math.log(3))).round(9).tolist()  # 3/8, 1/8
    [0.375, 0.125]
    """
    true, noise = _counts("counts", counts, MOST_COUNTS), _noise(mechanism)
    if np.any(true < 0):
        raise Refused("counts", "be at least 0", float(true.min()), Code.OUT_OF_RANGE)
    return noise.tail_sum(noise.off_by(true + 1.0))  # this much noise downwards turns it into -1


# ---- order ----------------------------------------------------------------------------------------------------------


@call_hint
@dataclass(frozen=True)
class WrongOrders:
    """How many pairs of a list are published in the wrong order.

    It is about accuracy: no promise about a secret belongs to it.

    Attributes
    ----------
    pairs : int; pairs of districts with different true counts
    wrong : float; mean number of them that are published in the other order
    tied : float; mean number of them that are published as the same count

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> found = wrong_orders([7, 7], mechanism=Geometric(epsilon=1.0))
    >>> found.pairs, found.wrong  # equal counts have no order
    (0, 0.0)
    """

    pairs: int
    wrong: float
    tied: float


@call_hint
def wrong_orders(counts: ArrayLike, *, mechanism: NoiseMechanism) -> WrongOrders:
    """How many pairs of a list are published in the wrong order, on average.

    It is about accuracy: no promise about a secret belongs to it. Exact means over the noise.
    Source: ours, `order_chances` summed over pairs

    Parameters
    ----------
    counts : array_like; true counts, a list of 1 to 5,000 whole numbers
    mechanism : additive noise; the noise of each count; independent

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> found = wrong_orders([7, 8, 8], mechanism=Geometric(epsilon=math.log(3)))
    >>> found.pairs, round(found.wrong * 32, 9), round(found.tied * 32, 9)  # twice the chances of a gap of 1
    (2, 10.0, 12.0)
    """
    true, noise = np.sort(_counts("counts", counts, MOST_COUNTS)), _noise(mechanism)
    law = NoiseDifference(noise, noise)
    values, how_often = np.unique(true, return_counts=True)
    pairs: dict[float, int] = {}
    for place in range(values.size):
        times = how_often[place] * how_often[place + 1 :]
        for gap, number in zip((values[place + 1 :] - values[place]).tolist(), times.tolist(), strict=True):
            pairs[gap] = pairs.get(gap, 0) + number
    gaps, numbers = np.array(list(pairs)), np.array(list(pairs.values()), dtype=float)
    if not gaps.size:
        return WrongOrders(0, 0.0, 0.0)
    wrong, tied = np.exp(law.log_tail(gaps + law.is_whole)), np.exp(law.log_pmf(gaps))
    return WrongOrders(int(numbers.sum()), float(numbers @ wrong), float(numbers @ tied))


@call_hint
def rank_law(counts: ArrayLike, place: int, *, mechanism: NoiseMechanism) -> FloatArray:
    """Law of the published rank of one district of a list, the largest count first.

    It is about accuracy: no promise about a secret belongs to it. Probability of rank 1, 2, …: one more than the number
    of districts published above it, so that equal counts share the better rank. By enumeration of the district's own
    noise except for 1e-16 at each end; by quadrature, to about ten digits, for Laplace and Gaussian noise.
    Source: ours, the number of independent events given the district's own noise

    Parameters
    ----------
    counts : array_like; true counts, a list of 1 to 500 whole numbers
    place : int; which district, from 0
    mechanism : additive noise; the noise of each count; independent

    Raises
    ------
    Refused
        ``counts must be a list of 1 to 500 whole numbers; got ...``, ``counts must be whole numbers; got ...``,
        ``place must be a whole number from 0 to ...; got ...``, ``mechanism must be geometric, ...; got ...``,
        ``counts and mechanism must need at most 2e+09 steps; got ...``: too many counts for so wide a noise

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> rank_law([9, 5], 1, mechanism=Geometric(epsilon=math.log(3))).round(6)  # a difference of at least 4: 23/864
    array([0.02662, 0.97338])
    """
    true, noise = _counts("counts", counts, MOST_RANKED), _noise(mechanism)
    which = _checks.count("place", place, 0, true.size - 1)
    gaps = true[which] - np.delete(true, which)
    at, weight = _own_noise(noise, gaps)
    found = np.zeros(true.size)
    for begin in range(0, at.size, 1024):
        lead = at[begin : begin + 1024, None] + gaps  # how far above another's true count this district is published
        above = np.asarray(noise.tail(lead + 1 if noise.is_whole else lead))
        found += weight[begin : begin + 1024] @ _number_of_events(above)
    return found


def _own_noise(noise: NoiseMechanism, gaps: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Values of a district's own noise and their weights."""
    if noise.is_whole:
        reach = 1.0
        while noise.log_tail(reach) > _LEFT_OUT:
            reach *= 2
        low = reach / 2
        while low < (middle := (low + reach) // 2) < reach:
            low, reach = (low, middle) if noise.log_tail(middle) <= _LEFT_OUT else (middle, reach)
        steps = (2 * reach + 1) * (gaps.size + 1) ** 2 / 2
        if steps > _MOST_STEPS:
            rule = f"need at most {_MOST_STEPS:g} steps"
            raise Refused("counts and mechanism", rule, steps, Code.TOO_LARGE, got=f"{steps:.3g}")
        whole = np.arange(-reach, reach + 1)
        return whole, np.exp(np.asarray(noise.log_noise(whole)))
    far = noise.std * 28.0
    kinks = np.subtract.outer(noise.kinks, gaps[np.abs(gaps) < far]).ravel()
    ends = np.unique(np.concatenate([np.linspace(-far, far, 57), kinks]))
    knots, parts = np.polynomial.legendre.leggauss(12)
    half, middle_of = np.diff(ends)[:, None] / 2, (ends[:-1, None] + ends[1:, None]) / 2
    at = (middle_of + half * knots).ravel()
    return at, (half * parts).ravel() * np.exp(np.asarray(noise.log_noise(at)))


# ---- medians and means ----------------------------------------------------------------------------------------------


def _smallest(holds: Callable[[float], bool], *, whole: bool, high: float) -> float:
    """Smallest h, whole or not, at which a rising condition holds; `high` is above 0."""
    while not holds(high):
        high *= 2
    if whole:
        low, high = -1.0, float(math.ceil(high))
        while low < (middle := float(math.floor((low + high) / 2))) < high:
            low, high = (low, middle) if holds(middle) else (middle, high)
        return high
    low = 0.0
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


@call_hint
def median_half_width(counts: ArrayLike, *, mechanism: NoiseMechanism, level: float = 0.95) -> float:
    """Range of the median of published counts around the median of the true ones.

    It is about accuracy: no promise about a secret belongs to it. Smallest h (whole for whole noise) with P[|median of
    published - median of true| <= h] of at least the level; exact. Of an even number of counts the median is the lower
    of the two middle ones. Where the counts are uneven the published median is off to one side on average, which this
    range includes.
    Source: ours, the number of independent counts below a value

    Parameters
    ----------
    counts : array_like; true counts, a list of 1 to 5,000 whole numbers
    mechanism : additive noise; the noise of each count; independent
    level : float, optional; in [0.01, 1)

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> noise = Geometric(epsilon=0.3)
    >>> noise.half_width(0.95), median_half_width([40] * 9, mechanism=noise)
    (10, 3.0)
    """
    true, noise = np.sort(_counts("counts", counts, MOST_COUNTS)), _noise(mechanism)
    wanted, rank, whole = level_of_range(level), (true.size + 1) // 2, noise.is_whole
    apart = true - true[rank - 1]

    def at_most(value: float) -> float:  # P[the median is published as at most the true one and the value]
        return float(_number_of_events(np.asarray(noise.cdf(value - apart)))[rank:].sum())

    def holds(h: float) -> bool:
        return at_most(h) - at_most(-h - (1 if whole else 0)) >= wanted - 1e-14

    return _smallest(holds, whole=whole, high=max(noise.std, 1e-300))


@call_hint
def mean_half_width(counts: int, *, mechanism: NoiseMechanism, level: float = 0.95) -> float:
    """Range of the mean of so many published counts around the mean of the true ones.

    It is about accuracy: no promise about a secret belongs to it. Smallest h with P[|mean of published - mean of true|
    <= h] of at least the level: that of their sum, over their number. Exact: closed form for Laplace and Gaussian
    noise, convolution to 1e-13 of probability for whole noise.
    Source: ours, the sum of independent noises

    Parameters
    ----------
    counts : int; how many, from 1 to 5,000
    mechanism : additive noise; the noise of each count; independent
    level : float, optional; in [0.01, 0.999999]

    Raises
    ------
    Refused
        ``counts must be a whole number from 1 to 5000; got ...``, ``mechanism must be geometric, ...; got ...``,
        ``level must lie in [0.01, 0.999999]; got ...``,
        ``counts and mechanism must sum to at most 8388608 values; got ...``: too many counts for so wide a noise

    Examples
    --------
    >>> from dpcore.mechanisms import Gaussian, Laplace
    >>> noise = Laplace(epsilon=0.3)
    >>> round(mean_half_width(1, mechanism=noise), 6) == round(noise.half_width(0.95), 6)
    True
    >>> round(mean_half_width(4, mechanism=Gaussian(rho=0.5)), 6)  # 1.96 over the square root of 4
    0.979982
    """
    k, noise = _checks.count("counts", counts, 1, MOST_COUNTS), _noise(mechanism)
    wanted = _checks.number("level", level, 0.01, LARGEST_LEVEL)
    return noise.half_width_of_mean(k, level=wanted)
