"""Sums of Gaussian weights over whole numbers: all of a lattice, half of it, and the discrete Gaussian made of them.

Everything is in log space and vectorised over both arguments. `log_half_sum` is the one hard sum: the normaliser, the
tail and the exact two-level posterior are made of it.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import erfcx, logsumexp, softmax

from dpcore._cache import cached_by_size
from dpcore._roots import bracketed_root
from dpcore.mechanisms.discrete_gaussian_law import discrete_gaussian_log_pmf, discrete_gaussian_log_tail

FloatArray = NDArray[np.float64]

DROP = 42.0
"""Terms below exp(-42) of the largest one are left out: 6e-19 of the whole, below half a unit in the last place."""

TIE = 1e-9
"""Log odds this close to zero count as a tie: ties are exact in whole numbers but not in floating point."""

SMALLEST = 1e-290
"""Below this a product may have lost digits to the smallest floats; such values come from a tilted law instead."""

_SMALL_RATE = 0.1
"""Below this rate the sum is an integral with Euler-Maclaurin corrections; above, few terms suffice."""
_CORRECTIONS = 10
_BERNOULLI = np.array(
    [1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330]
)
_EULER_MACLAURIN = _BERNOULLI / np.array([math.factorial(2 * k) for k in range(1, _CORRECTIONS + 1)])


def _near_peak(rate: FloatArray, start: FloatArray) -> FloatArray:
    """The half sum for rates that are not small: terms on both sides of the largest one, by their ratios."""
    peak = np.maximum(np.rint(start), 0.0)
    offset = peak - start
    step = np.exp(-2.0 * rate)
    ratio_up = np.exp(-rate * (1 + 2 * offset))
    ratio_down = np.exp(-rate * np.maximum(1 - 2 * offset, 0.0))
    terms = math.ceil(math.sqrt(DROP / float(rate.min()))) + 1 if rate.size else 0
    total = np.ones_like(rate)
    up, down = np.ones_like(rate), np.ones_like(rate)
    lowest = float(peak.min()) if rate.size else 0.0
    for j in range(1, terms + 1):
        up *= ratio_up
        ratio_up *= step
        total += up
        down *= ratio_down
        ratio_down *= step
        total += down if j <= lowest else np.where(j <= peak, down, 0.0)
    return np.asarray(np.log(total) - rate * offset * offset)


def _by_integral(rate: FloatArray, start: FloatArray) -> FloatArray:
    """The half sum for small rates: an error-function integral and the corrections at its lower end."""
    root = np.sqrt(rate)
    inside = -root * start
    # For a start far inside, erfcx overflows: the whole lattice is the sum, less a tail that is far below it.
    integral = 0.5 * math.sqrt(math.pi) / root * erfcx(np.maximum(inside, -20.0))
    corrections = np.full_like(rate, 0.5)
    slope = -2 * inside * root  # derivatives at 0 of exp(-rate j² + 2 rate start j), by Hermite's recursion
    before, now = np.ones_like(rate), slope
    for k in range(_CORRECTIONS):
        corrections -= _EULER_MACLAURIN[k] * now
        for order in (2 * k + 1, 2 * k + 2):
            before, now = now, slope * now - 2 * rate * order * before
    whole = np.log(integral + corrections) - inside * inside
    return np.asarray(np.where(inside < -19.0, 0.5 * np.log(math.pi / rate), whole))


def _few_terms(rate: FloatArray, start: FloatArray) -> FloatArray:
    """The half sum for a start so far outside that each term is much below the one before."""
    total = np.ones_like(rate)
    term = np.ones_like(rate)
    step = np.exp(-2.0 * rate)
    ratio = np.exp(-rate * (1 - 2 * start))
    for _ in range(40):
        term *= ratio
        ratio *= step
        total += term
    return np.asarray(np.log(total) - rate * start * start)


def log_half_sum(rate: ArrayLike, start: ArrayLike) -> FloatArray:
    """Logarithm of the sum of exp(-rate (j - start)²) over j = 0, 1, 2, ... for any real start, relative error near
    1e-14.

    Source: ours, checked against 40-digit sums
    """
    rate, start = np.broadcast_arrays(np.asarray(rate, dtype=np.float64), np.asarray(start, dtype=np.float64))
    shape = rate.shape
    rate, start = rate.ravel(), start.ravel()
    small = rate < _SMALL_RATE
    if not small.any():
        return _near_peak(rate, start).reshape(shape)
    outside = small & (-2 * rate * start > 1.2)
    integral = small & ~outside
    result = np.empty_like(rate)
    for chosen, method in ((~small, _near_peak), (outside, _few_terms), (integral, _by_integral)):
        if chosen.any():
            result[chosen] = method(rate[chosen], start[chosen])
    return result.reshape(shape)


def log_pmf(z: ArrayLike, rate: ArrayLike) -> FloatArray:
    """Logarithm of the probability that discrete Gaussian noise of rate ρ takes the whole value z."""
    return np.asarray(discrete_gaussian_log_pmf(z, rho=rate))


def tail(k: ArrayLike, rate: ArrayLike) -> FloatArray:
    """Probability that discrete Gaussian noise is at least the whole number k."""
    return np.asarray(np.exp(discrete_gaussian_log_tail(k, rho=rate)))


def first_beyond_tie(crossing: FloatArray) -> FloatArray:
    """Smallest whole number beyond a place at which log odds are zero, where a tie is not beyond.

    The slack stays a millionth at places of millions, where floats are still finer.
    """
    return np.asarray(np.floor(crossing + TIE * np.clip(np.abs(crossing), 1.0, 1e3)) + 1)


def reach(rate: float, drop: float = DROP) -> int:
    """How far from its centre a Gaussian weight of this rate is kept."""
    return math.ceil(math.sqrt(drop / rate))


@cached_by_size()
def _central_law(terms: int, rho: float) -> FloatArray:
    """Log probabilities of -h..h for the sum of `terms` noises, h at least terms/2, by direct convolution."""

    def cut(parts: int) -> int:
        # with little noise the shares of a far sum among the parts spread like fair coins: 13 of their deviations
        return math.ceil(parts / 2) + math.ceil(math.sqrt(parts * max(DROP / rho, 42.0)))

    def summed(one: FloatArray) -> FloatArray:
        law, parts = np.ones(1), 0
        power, power_parts = one, 1
        remaining = terms

        def convolved(a: FloatArray, b: FloatArray, together: int) -> FloatArray:
            full = np.convolve(a, b)  # direct: every product is positive, so no digit is lost in the tails
            half = min(cut(together), full.size // 2)
            middle = full.size // 2
            return full[middle - half : middle + half + 1]

        while remaining:
            if remaining & 1:
                law, parts = convolved(law, power, parts + power_parts), parts + power_parts
            remaining >>= 1
            if remaining:
                power, power_parts = convolved(power, power, 2 * power_parts), 2 * power_parts
        with np.errstate(divide="ignore"):
            return np.asarray(np.where(law > SMALLEST, np.log(np.maximum(law, SMALLEST)), -np.inf))

    z = np.arange(-cut(1), cut(1) + 1)
    log_one = log_pmf(z, rho)
    logs = summed(np.exp(log_one))
    total = np.arange(logs.size) - logs.size // 2
    asked = (total >= 0) & (2 * total <= terms)

    def mean(tilt: FloatArray) -> FloatArray:
        return np.asarray(softmax(log_one + tilt[:, None] * z, axis=1) @ z)

    while (missing := total[asked & ~np.isfinite(logs)]).size:  # large terms * rho: laws tilted towards what is far
        wanted = min(missing[0] / terms, 0.5)
        tilt = bracketed_root(lambda tilt: mean(tilt) - wanted, np.zeros(1), np.array([rho]))  # noqa: B023
        leaning = log_one + tilt * z
        size = float(logsumexp(leaning))
        far = summed(np.exp(leaning - size)) + terms * size - tilt * total
        logs = np.maximum(logs, np.where(total >= 0, far, far[::-1]))
    logs.flags.writeable = False
    return logs


def log_sum_pmf(total: FloatArray, terms: int, rho: float) -> FloatArray:
    """Logarithm of the probability that `terms` noises add up to a whole total, also far in the tails."""
    if terms == 0:
        return np.where(total == 0, 0.0, -np.inf)
    logs = _central_law(terms, rho)
    each = np.rint(total / terms)  # shift every noise by `each`: the rest is central, the shift is exact
    rest = total - each * terms
    return np.asarray(logs[rest.astype(int) + logs.size // 2] - rho * each * (terms * each + 2 * rest))
