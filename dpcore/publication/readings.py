"""What readers make of two noisy counts: their difference, their order, the share of one in the other.

Exact for two counts with the same kind of noise, of any budgets. Counts with Laplace or Gaussian noise are read as
they are published, with their fractions. The chances are over the noise, for true counts as given: about accuracy; no
promise about a secret belongs to them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import quad
from scipy.optimize import brentq

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore.errors import Code, Refused
from dpcore.mechanisms import NoiseMechanism
from dpcore.publication.rows import level_of_range

_LARGEST_STD = 10_000.0  # of a count in a share, whose noise is a table of whole numbers
_SMOOTH_REACH = 30.0  # standard deviations, beyond which e^-42 of Laplace noise lies
_OUTSIDE = math.log(1e-18)  # log probability of noise that a share leaves out, at each end


@call_hint
@dataclass(frozen=True)
class NoiseDifference:
    """The law of the difference of two independent noises of one kind, symmetric about zero.

    It is about accuracy: no promise about a secret belongs to it.
    Source: ours, closed form for geometric, Laplace and Gaussian noise; for discrete Gaussian noise one law where both
        are wide, the sum over the narrower one otherwise

    Parameters
    ----------
    first, second : additive noise; both `Geometric`, both `DiscreteGaussian`, both `Laplace` or both `Gaussian`

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> twice = NoiseDifference(Geometric(epsilon=math.log(3)), Geometric(epsilon=math.log(3)))
    >>> round(math.exp(twice.log_tail(1)), 12)  # (1 - 5/16)/2: both equal in 5 of 16
    0.34375
    """

    first: NoiseMechanism
    second: NoiseMechanism

    def __post_init__(self) -> None:
        if not isinstance(self.first, NoiseMechanism) or type(self.first) is not type(self.second):
            raise Refused(
                "first and second",
                "be noise of one kind",
                (self.first, self.second),
                Code.UNSUPPORTED,
                got=f"{self.first!r} and {self.second!r}",
            )

    @property
    def is_whole(self) -> bool:
        """Whether the difference is a whole number."""
        return self.first.is_whole

    @property
    def std(self) -> float:
        """Standard deviation of the difference."""
        return math.hypot(self.first.std, self.second.std)

    def log_tail(self, value: ArrayLike) -> Any:
        """log P[difference >= value]; for whole noise the tail starts at the next whole number."""
        start = _checks.array("value", value)
        if not self.is_whole:
            upper = self.first.log_difference_tail(self.second, np.abs(start))
            lower = np.log1p(-np.exp(np.minimum(upper, math.log(0.5))))
            return _checks.scalar_or_array(np.where(start > 0, upper, lower), value)
        start = np.ceil(start)
        far = np.where(start > 0, start, 1 - start)
        upper = self.first.log_difference_tail(self.second, far)
        lower = np.log1p(-np.exp(np.minimum(upper, math.log(0.5))))
        return _checks.scalar_or_array(np.where(start > 0, upper, lower), value)

    def log_pmf(self, value: ArrayLike) -> Any:
        """log P[difference = value], for whole numbers; -inf for Laplace and Gaussian noise."""
        if not self.is_whole:
            return _checks.scalar_or_array(np.full(np.shape(value), -np.inf), value)
        k = np.abs(_checks.array("value", value))
        _checks.refuse_fractions("value", k)
        return _checks.scalar_or_array(self.first.log_difference_pmf(self.second, k), value)

    def half_width(self, level: float) -> float:
        """Smallest h, whole for whole noise, with P[|difference| <= h] of at least the level, in [0.01, 1); exact."""
        allowed = math.log1p(-level_of_range(level)) - math.log(2)
        if not self.is_whole:
            low, high = 0.0, self.std
            while self.log_tail(high) > allowed:
                low, high = high, 2 * high
            while low < (half := (low + high) / 2) < high:
                low, high = (low, half) if self.log_tail(half) <= allowed else (half, high)
            return high
        return self._whole_half_width(allowed)

    def _whole_half_width(self, allowed: float) -> int:
        low, high = -1, 1
        while self.log_tail(high + 1) > allowed:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.log_tail(middle + 1) <= allowed else (middle, high)
        return high


@call_hint
def difference_half_width(first: NoiseMechanism, second: NoiseMechanism, *, level: float = 0.95) -> float:
    """Range of the difference of two published counts around the true difference.

    It is about accuracy: no promise about a secret belongs to it. Smallest h with P[|published - true difference| <= h]
    of at least the level; exact, a whole number for whole noise.
    Source: ours, the exact law of the difference

    Parameters
    ----------
    first, second : additive noise; the noise of each count, of one kind
    level : float, optional; in [0.01, 1)

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> noise = Geometric(epsilon=0.3)
    >>> noise.half_width(0.95), difference_half_width(noise, noise)
    (10, 14)
    """
    return NoiseDifference(first, second).half_width(level)


@call_hint
@dataclass(frozen=True)
class OrderChances:
    """What the published order of two counts says of the true one.

    It is about accuracy: no promise about a secret belongs to it.

    Parameters
    ----------
    wrong : float; chance that the smaller count is published as the larger one
    tied : float; chance that both are published as the same count; 0 for Laplace and Gaussian noise

    Examples
    --------
    >>> from dpcore.mechanisms import Laplace
    >>> noise = Laplace(epsilon=1.0)
    >>> order_chances(noise, noise, gap=1).tied
    0.0
    """

    wrong: float
    tied: float


@call_hint
def order_chances(first: NoiseMechanism, second: NoiseMechanism, *, gap: int) -> OrderChances:
    """Chance that two counts are published in the wrong order.

    It is about accuracy: no promise about a secret belongs to it. Exact, over the noise. For somebody who thinks all
    differences equally likely before, `wrong` at a published gap is also the chance that the true order is the other
    one.
    Source: ours, the exact law of the difference

    Parameters
    ----------
    first, second : additive noise; the noise of each count, of one kind
    gap : int; true difference of the two counts, larger less smaller, a whole number of at least 1

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> noise = Geometric(epsilon=math.log(3))
    >>> chances = order_chances(noise, noise, gap=1)
    >>> round(chances.wrong * 32, 9), round(chances.tied * 32, 9)  # P[difference >= 2], P[difference = 1]
    (5.0, 6.0)
    """
    law, apart = NoiseDifference(first, second), _checks.count("gap", gap, 1)
    return OrderChances(wrong=math.exp(law.log_tail(apart + law.is_whole)), tied=math.exp(law.log_pmf(apart)))


@call_hint
def share_half_width(
    part: int,
    whole: int,
    *,
    part_noise: NoiseMechanism,
    whole_noise: NoiseMechanism | None = None,
    level: float = 0.95,
) -> float:
    """Range of a published share, part over whole, around the true share.

    It is about accuracy: no promise about a secret belongs to it. Smallest h with P[|published - true share| <= h] of
    at least the level, by enumeration of the whole's noise except for 1e-18 at each end, or its quadrature to about
    nine digits for Laplace and Gaussian noise. A whole published as 0 or less has no share and counts as outside; inf
    where that alone is too likely.
    Source: ours, enumeration of the two noises

    Parameters
    ----------
    part : int; true count, from 0 to `whole`
    whole : int; true count it is a share of, at least 1
    part_noise : additive noise; noise of the part; whole-number noise with a standard deviation of at most 10,000
    whole_noise : additive noise, optional; of the whole, published on its own with the same kind of noise; None where
        the whole is public
    level : float, optional; in [0.01, 1)

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> share_half_width(40, 200, part_noise=Geometric(epsilon=0.3))
    0.05
    >>> share_half_width(40, 200, part_noise=Geometric(epsilon=0.3), whole_noise=Geometric(epsilon=0.3)) > 0.05
    True
    """
    size = _checks.count("whole", whole, 1, 2**53)
    count = _checks.count("part", part, 0, size)
    wanted = level_of_range(level)
    _check_noises_of_share(part_noise, whole_noise)
    if whole_noise is None:
        return float(part_noise.half_width(wanted)) / size
    if not part_noise.is_whole or not whole_noise.is_whole:
        return _smooth_share_half_width(count / size, size, part_noise, whole_noise, wanted)

    reach = _reach(whole_noise)
    noise_of_whole = np.arange(max(-reach, 1 - size), reach + 1)
    published_whole = (size + noise_of_whole).astype(float)
    chance = np.exp(np.asarray(whole_noise.log_noise(noise_of_whole)))
    if float(chance.sum()) < wanted:
        return math.inf
    most = _reach(part_noise)
    below = np.exp(np.asarray(part_noise.log_cdf(np.arange(-most - 1, most + 1))))  # P[noise <= i - most - 1]
    share = count / size
    # published part within [n (share - h), n (share + h)], and noise within that less the count
    centre = noise_of_whole * share

    def within(h: float) -> tuple[FloatArray, FloatArray]:
        slack = np.minimum(1e-9 * (1 + published_whole * h), 1e-6)  # a bound met exactly is inside
        top = np.floor(centre + published_whole * h + slack)
        bottom = np.ceil(centre - published_whole * h - slack)
        return np.clip(bottom, -most, most + 1), np.clip(top, -most - 1, most)

    def probability(h: float) -> float:
        bottom, top = within(h)
        held = below[(top + most + 1).astype(int)] - below[(bottom + most).astype(int)]
        return float(chance @ np.maximum(held, 0.0))

    low, high = 0.0, 1.0
    if probability(0.0) >= wanted:
        return 0.0
    while probability(high) < wanted:
        low, high = high, 2 * high
        if high > 1e9:
            return math.inf
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if probability(middle) >= wanted else (middle, high)
    bottom, top = within(high)  # the largest error of an outcome that is inside
    held = top >= bottom
    return float((np.maximum(top - centre, centre - bottom)[held] / published_whole[held]).max())


def _smooth_share_half_width(
    share: float, size: int, part_noise: NoiseMechanism, whole_noise: NoiseMechanism, wanted: float
) -> float:
    """The same for noise with a density: the part lies in its range given the whole's noise, on average over it."""
    far = whole_noise.std * _SMOOTH_REACH
    start, stop = max(-far, -float(size)), far

    def probability(h: float) -> float:
        def given(v: float) -> float:
            centre, room = share * v, h * (size + v)
            within = part_noise.cdf(centre + room) - part_noise.cdf(centre - room)
            return math.exp(whole_noise.log_noise(v)) * float(within)

        # kinks, and where the part's range begins at 0: a narrow noise of the part changes quickly there
        turns = [0.0, *(h * size / side for side in (-(share + h), share - h) if side)]
        ends = sorted({start, stop, *(v for v in turns if start < v < stop)})
        return math.fsum(quad(given, low, high, limit=200, epsabs=1e-11)[0] for low, high in itertools.pairwise(ends))

    if float(whole_noise.cdf(float(size))) < wanted:  # P[noise > -size]
        return math.inf
    low, high = 0.0, 1.0
    while probability(high) < wanted:
        low, high = high, 2 * high
        if high > 1e9:
            return math.inf
    return float(brentq(lambda h: probability(h) - wanted, low, high, xtol=1e-300, rtol=1e-10))


class ShareRange(NamedTuple):
    """Range of a share, both ends included.

    It is about accuracy: no promise about a secret belongs to it.

    Examples
    --------
    >>> ShareRange(0.15, 0.25).high
    0.25
    """

    low: float
    high: float


@call_hint
def share_range(
    published_part: float,
    published_whole: float,
    *,
    part_noise: NoiseMechanism,
    whole_noise: NoiseMechanism | None = None,
    level: float = 0.95,
) -> ShareRange:
    """Range of the true share, part over whole, that two published counts leave open.

    It is about accuracy: no promise about a secret belongs to it. Within [0, 1]. It holds the true share with at least
    the level, over the noise, whatever the true counts are: a share s is left out only where noise of the part less s
    times noise of the whole is as far from 0 as published, with at most 1 - level. Ends are on the safe side by less
    than 1e-6.
    Source: ours, the exact test of each share turned round, as Fieller did for normal noise

    Parameters
    ----------
    published_part, published_whole : float; as they were published, also negative; whole numbers for whole noise
    part_noise : additive noise; noise of the part; whole-number noise with a standard deviation of at most 10,000
    whole_noise : additive noise, optional; of the whole, published on its own with the same kind of noise; None where
        the whole is public, at least 1
    level : float, optional; in [0.01, 1)

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> low, high = share_range(40, 200, part_noise=Geometric(epsilon=0.3))
    >>> round(low, 6), round(high, 6)  # 40 ± 10 of a public 200
    (0.15, 0.25)
    >>> low, high = share_range(40, 200, part_noise=Geometric(epsilon=0.3), whole_noise=Geometric(epsilon=0.3))
    >>> round(low, 3), round(high, 3)
    (0.15, 0.251)
    """
    wanted = level_of_range(level)
    _check_noises_of_share(part_noise, whole_noise)
    part = _checks.number("published_part", published_part)
    whole = _checks.number("published_whole", published_whole, -math.inf if whole_noise else 1.0)
    for name, value in (("published_part", part), ("published_whole", whole)):
        if part_noise.is_whole:
            _checks.refuse_fractions(name, np.asarray(value))
    if whole_noise is None:
        width = float(part_noise.half_width(wanted))
        ends = [min(max((part + side * width) / whole, 0.0), 1.0) for side in (-1, 1)]
        return ShareRange(*ends)
    chance = _chance_of_so_far(part, whole, part_noise, whole_noise)
    allowed = (1.0 - wanted) * (1.0 - 1e-12)
    if whole > 0:
        middle = min(max(part / whole, 0.0), 1.0)
    else:  # no published share: the end that fits better stays
        middle = 0.0 if chance(0.0, 0.0) >= chance(1.0, 1.0) else 1.0

    def open_end(start: float) -> float:
        """The share next to `start`, on the way to the middle, up to which all are surely left out."""
        at, step = start, middle - start
        while abs(step) > 1e-7:
            further = middle if abs(step) >= abs(middle - at) else at + step
            if chance(min(at, further), max(at, further)) <= allowed:
                at, step = further, 2 * step
            else:
                step /= 2
            if at == middle:
                break
        return at

    return ShareRange(open_end(0.0), open_end(1.0))


def _chance_of_so_far(
    part: float, whole: float, part_noise: NoiseMechanism, whole_noise: NoiseMechanism
) -> Callable[[float, float], float]:
    """Upper bound, over shares in an interval, of the chance of noise as far from 0 as was published."""
    if part_noise.is_whole and whole_noise.is_whole:
        reach = _reach(whole_noise)
        noise = np.arange(-reach, reach + 1.0)
        weight = np.exp(np.asarray(whole_noise.log_noise(noise)))

    def chance(low: float, high: float) -> float:
        ends = (part - low * whole, part - high * whole)
        if min(ends) <= 0.0 <= max(ends):
            return 1.0
        nearest = min(abs(end) for end in ends)
        if part_noise.is_whole:
            least = np.where(noise > 0, low, high) * noise  # share times noise of the whole, at its smallest
            return min(2 * float(weight @ np.asarray(part_noise.tail(np.ceil(nearest + least - 1e-9)))), 1.0)
        if high == 0.0:
            return 2 * float(part_noise.tail(nearest))
        wider = whole_noise.stretched(high)
        return 2 * math.exp(float(part_noise.log_difference_tail(wider, np.asarray(nearest))))

    return chance


def _check_noises_of_share(part_noise: NoiseMechanism, whole_noise: NoiseMechanism | None) -> None:
    for name, noise in (("part_noise", part_noise), ("whole_noise", whole_noise)):
        if noise is None and name == "whole_noise":
            continue
        if not isinstance(noise, NoiseMechanism):
            raise Refused(name, "be additive noise such as Geometric(epsilon=1.0)", noise, Code.UNSUPPORTED)
        if noise.is_whole and noise.std > _LARGEST_STD:
            raise Refused(
                name,
                f"have a standard deviation of at most {_LARGEST_STD:g}",
                noise.std,
                Code.TOO_LARGE,
                got=f"{noise.std:.6g}",
            )
    if whole_noise is not None and type(part_noise) is not type(whole_noise):
        raise Refused("whole_noise", "be of the part's kind", whole_noise, Code.INCONSISTENT)


def _reach(noise: NoiseMechanism) -> int:
    """Whole number beyond which the noise lies with probability 1e-18 at each end at most."""
    far = 1
    while noise.log_tail(far + 1) > _OUTSIDE:
        far *= 2
    low = far // 2
    while far - low > 1:
        middle = (low + far) // 2
        low, far = (low, middle) if noise.log_tail(middle + 1) <= _OUTSIDE else (middle, far)
    return far
