"""The noise of many rows at once, by its strength.

The strength of noise is its rate epsilon/L1 (geometric; for Laplace noise 1/scale) or its concentration rho/L2²
(discrete Gaussian; for Gaussian noise 1/(2 variance)): the budget of a row is its strength times L1 or L2². Here the
sensitivity may be any number above 0 (the L2 sensitivity of two cells is no whole number), which the mechanisms of
`dpcore.mechanisms` do not take.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_ndtr, ndtri_exp

from dpcore._cache import cached_by_size
from dpcore._checks import FloatArray
from dpcore.accuracy import Noise
from dpcore.mechanisms import discrete_gaussian_log_tail, discrete_gaussian_variance

WHOLE: tuple[Noise, ...] = ("geometric", "discrete_gaussian")  # noise in whole numbers
IN_EPSILON: tuple[Noise, ...] = ("geometric", "laplace")  # noise whose budget is an epsilon; else it is a rho

_MARGIN = 4e-13  # a needed strength is this much over the level (relative) above its root: the range is kept in floats
_TABLE = 64  # widths whose needed concentration is kept for a level


def log_tail_allowed(level: ArrayLike) -> FloatArray:
    """log of what each tail may hold: (1 - level)/2."""
    return np.asarray(np.log1p(-np.asarray(level, dtype=float)) - math.log(2))


# ---- error from strength --------------------------------------------------------------------------------------------


def std(noise: Noise, strength: FloatArray) -> FloatArray:
    """Standard deviation of the noise."""
    if noise == "geometric":
        with np.errstate(over="ignore"):
            return math.sqrt(0.5) / np.sinh(strength / 2)
    if noise == "laplace":
        return math.sqrt(2) / strength
    if noise == "gaussian":
        return np.sqrt(0.5 / strength)
    return np.sqrt(np.asarray(discrete_gaussian_variance(strength)))


def half_width(noise: Noise, strength: FloatArray, level: FloatArray) -> FloatArray:
    """Smallest h with P[|noise| <= h] of at least the level; whole for whole noise."""
    allowed = log_tail_allowed(level)
    if noise == "laplace":
        return -(allowed + math.log(2)) / strength
    if noise == "gaussian":
        return -ndtri_exp(allowed) * np.sqrt(0.5 / strength)
    if noise == "geometric":
        guess = (-allowed - np.log1p(np.exp(-strength))) / strength - 1
    else:
        guess = -ndtri_exp(allowed) * np.sqrt(0.5 / strength) - 0.5
    width = np.maximum(np.ceil(guess), 0.0)
    while (short := log_outside(noise, strength, width) > allowed).any():
        width = np.where(short, np.maximum(width + 1, np.nextafter(width, np.inf)), width)
    while (spare := (width > 0) & (log_outside(noise, strength, np.maximum(width - 1, 0)) <= allowed)).any():
        width = np.where(spare, np.minimum(width - 1, np.nextafter(width, -np.inf)), width)
    return width


def log_outside(noise: Noise, strength: FloatArray, width: FloatArray) -> FloatArray:
    """log P[noise > width] of whole noise, for whole widths."""
    if noise == "geometric":
        return -strength * (width + 1) - np.log1p(np.exp(-strength))
    return np.asarray(discrete_gaussian_log_tail(width + 1, rho=strength))


def log_empty_shown(noise: Noise, strength: FloatArray) -> FloatArray:
    """log P[noise >= 1] of whole noise."""
    return log_outside(noise, strength, np.zeros(strength.shape))


# ---- strength from range --------------------------------------------------------------------------------------------


def needed_strength(noise: Noise, width: FloatArray, level: FloatArray) -> FloatArray:
    """Smallest strength whose half width at the level is at most the width; whole widths for whole noise."""
    width, level = np.broadcast_arrays(np.asarray(width, dtype=float), np.asarray(level, dtype=float))
    allowed = log_tail_allowed(level)
    if noise == "laplace":
        return -(allowed + math.log(2)) / width
    if noise == "gaussian":
        return ndtri_exp(allowed) ** 2 / (2 * width * width)
    if noise == "geometric":
        return _needed_rate(width, allowed) * (1 + _MARGIN / level)
    found = np.empty(width.shape)
    small = width < _TABLE
    if small.any():
        found[small] = _from_tables(width[small], level[small])
    if not small.all():
        pairs, place = np.unique(width[~small] + 1j * allowed[~small], return_inverse=True)
        found[~small] = _needed_concentration(pairs.real, pairs.imag)[place]
    return found * (1 + _MARGIN / level)


def about_needed_strength(noise: Noise, width: FloatArray, level: FloatArray) -> FloatArray:
    """`needed_strength` to some six digits and quickly, to start a search with; it never decides one."""
    if noise != "discrete_gaussian":
        return needed_strength(noise, width, level)
    width, level = np.broadcast_arrays(width, level)
    found = _smooth_concentration(np.maximum(width, _TABLE / 2), log_tail_allowed(level))
    small = width < _TABLE
    if small.any():
        found[small] = _from_tables(width[small], level[small])
    return found


def _from_tables(width: FloatArray, level: FloatArray) -> FloatArray:
    levels, place = np.unique(level, return_inverse=True)
    tables = np.stack([_small_widths(float(one)) for one in levels])
    return tables[place, width.astype(int)]


def _needed_rate(width: FloatArray, allowed: FloatArray) -> FloatArray:
    """Root of -(width + 1) x - log(1 + e^-x) = allowed, a falling concave function: Newton comes from the right."""
    k = width + 1
    x = -allowed / k
    for _ in range(60):
        decay = np.exp(-x)
        step = (-k * x - np.log1p(decay) - allowed) / (k - decay / (1 + decay))
        x = x + step
        if (np.abs(step) <= 1e-15 * x).all():
            break
    return x


@cached_by_size()
def _small_widths(level: float) -> FloatArray:
    """The needed concentration for the widths 0, 1, …; it knows a level and nothing else."""
    widths = np.arange(_TABLE, dtype=float)
    return _needed_concentration(widths, np.broadcast_to(log_tail_allowed(level), widths.shape))


def _smooth_log_tail(middle: FloatArray, c: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(log P[noise > middle - 1/2], its slope in log c) by the midpoint rule, for small c."""
    x = np.sqrt(2 * c) * middle
    whole = log_ndtr(-x)
    hazard = np.exp(-x * x / 2 - 0.5 * math.log(2 * math.pi) - whole)
    # f'/24 - 7 f'''/5760 + 31 f^(5)/967680 over the integral, with Hermite polynomials of x
    h3, h5 = x * (x * x - 3), x * (x**4 - 10 * x * x + 15)
    terms = -x * (2 * c) / 24 + 7 * h3 * (2 * c) ** 2 / 5760 - 31 * h5 * (2 * c) ** 3 / 967680
    return whole + np.log1p(np.maximum(hazard * terms, -0.9)), -hazard * x / 2


def _smooth_concentration(width: FloatArray, allowed: FloatArray) -> FloatArray:
    middle = width + 0.5
    log_c = np.log(ndtri_exp(allowed) ** 2 / 2) - 2 * np.log(middle)
    for _ in range(2):
        log_tail, slope = _smooth_log_tail(middle, np.exp(log_c))
        log_c = log_c + (allowed - log_tail) / slope
    return np.exp(log_c)


def _needed_concentration(width: FloatArray, allowed: FloatArray) -> FloatArray:
    """Smallest concentration with log P[noise > width] at most as allowed: secants in log c on the exact tail."""
    # P[noise > width] is at most e^(-c (width + 1)^2): the root lies below this end
    high, low = np.log(-allowed) - 2 * np.log(width + 1), np.full(width.shape, -np.inf)
    large = np.maximum(width, 8.0)
    x = np.minimum(np.where(width >= 8, np.log(_smooth_concentration(large, allowed)), high - 0.1), high)
    slope = np.where(
        width >= 8, _smooth_log_tail(large + 0.5, np.exp(x))[1], -np.maximum(np.exp(x) * (width + 1) ** 2, 0.5)
    )
    open_rows = np.arange(width.size)
    previous, last = np.full(width.shape, np.nan), np.full(width.shape, np.nan)
    for _ in range(100):
        at = x[open_rows]
        value = np.asarray(discrete_gaussian_log_tail(width[open_rows] + 1, rho=np.exp(at))) - allowed[open_rows]
        low[open_rows] = np.where(value > 0, np.maximum(low[open_rows], at), low[open_rows])
        high[open_rows] = np.where(value > 0, high[open_rows], np.minimum(high[open_rows], at))
        with np.errstate(divide="ignore", invalid="ignore"):
            secant = (value - last[open_rows]) / (at - previous[open_rows])
        steep = np.where(np.isfinite(secant) & (secant < 0), secant, slope[open_rows])
        new = at + np.clip(-value / steep, -1.0, 1.0)
        outside = (new <= low[open_rows]) | (new >= high[open_rows])
        middle = np.where(np.isfinite(low[open_rows]), (low[open_rows] + high[open_rows]) / 2, at - 1.0)
        new = np.where(outside, middle, new)
        settled = (np.abs(value) <= 2e-14) | (np.abs(new - at) <= 4e-15 * np.maximum(np.abs(at), 1.0))
        previous[open_rows], last[open_rows], x[open_rows] = at, value, np.where(settled, at, new)
        slope[open_rows] = steep
        open_rows = open_rows[~settled]
        if not open_rows.size:
            break
    return np.exp(x)


# ---- the slope of the variance, for the least weighted error --------------------------------------------------------


def log_slope(noise: Noise, log_strength: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(log(-dV/dx), its derivative in log x) of the variance V at the strength x; both fall as x rises."""
    x = np.exp(log_strength)
    if noise == "laplace":
        return math.log(4) - 3 * log_strength, np.full(x.shape, -3.0)
    if noise == "gaussian":
        return -math.log(2) - 2 * log_strength, np.full(x.shape, -2.0)
    if noise == "geometric":
        decay, rest = np.exp(-x), -np.expm1(-x)
        value = math.log(2) - x + np.log1p(decay) - 3 * np.log(rest)
        return value, -x - x * decay / (1 + decay) - 3 * x * decay / rest
    return _discrete_gaussian_log_slope(x)


def _discrete_gaussian_log_slope(c: FloatArray) -> tuple[FloatArray, FloatArray]:
    """log of the variance of z² under the discrete Gaussian, from whichever theta series is short, with its slope."""
    dual_at, direct_at = np.minimum(c, 1.0), np.maximum(c, 1.0)
    k2 = np.arange(1, 13, dtype=float) ** 2
    with np.errstate(under="ignore"):
        # direct: moments of z², with e^-c taken out of each sum over z other than 0
        terms = np.exp(-direct_at[..., None] * (k2 - 1))
        first = np.exp(-direct_at)
        norm = 1 + 2 * first * terms.sum(-1)
        m1, m2, m3 = (2 * (terms * k2**n).sum(-1) / norm for n in (1, 2, 3))  # times e^-c
        second = m2 - first * m1 * m1
        third = m3 - 3 * first * m2 * m1 + 2 * first * first * m1**3
        direct, direct_slope = np.log(second) - direct_at, -direct_at * third / second
        # dual: log theta = log(pi/c)/2 + log(1 + S), S = 2 sum e^(-p/c), p = pi² k²
        p = math.pi**2 * k2[:6]
        b = np.maximum(dual_at, 1e-3)[..., None]  # below it the sums are 0
        e = 2 * np.exp(-p / b)
        s0 = 1 + e.sum(-1)
        s1 = (e * p / b**2).sum(-1) / s0
        s2 = (e * ((p / b**2) ** 2 - 2 * p / b**3)).sum(-1) / s0
        s3 = (e * ((p / b**2) ** 3 - 6 * p * p / b**5 + 6 * p / b**4)).sum(-1) / s0
    curve = 1 + 2 * dual_at**2 * (s2 - s1 * s1)  # times 1/(2 c²)
    change = 2 - 2 * dual_at**3 * (s3 - 3 * s2 * s1 + 2 * s1**3)
    use_dual = c < 1
    return (
        np.where(use_dual, np.log(curve) - math.log(2) - 2 * np.log(c), direct),
        np.where(use_dual, -change / curve, direct_slope),
    )


def log_strength_of_slope(noise: Noise, target: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(log of the strength at which log(-dV/dx) is the target, the slope there)."""
    if noise == "laplace":
        return (math.log(4) - target) / 3, np.full(target.shape, -3.0)
    if noise == "gaussian":
        return (-math.log(2) - target) / 2, np.full(target.shape, -2.0)
    power, constant = (3.0, math.log(4)) if noise == "geometric" else (2.0, -math.log(2))
    # -dV/dx is near x^-power at small x, near 2 e^-x at large x; Newton's step is kept within a factor e
    y = np.where(target > 0, (constant - target) / power, np.log(np.maximum(math.log(2) - target, 0.3)))
    for _ in range(60):
        value, slope = log_slope(noise, y)
        step = np.clip((target - value) / slope, -1.0, 1.0)
        y = y + step
        if (np.abs(step) <= 1e-14 * np.maximum(1.0, np.abs(y))).all():
            break
    return y, log_slope(noise, y)[1]


# ---- strength from the standard deviation ---------------------------------------------------------------------------


def log_strength_of_std(noise: Noise, wanted: float) -> float:
    """log of the strength at which the noise has the standard deviation."""
    if noise == "laplace":
        return math.log(math.sqrt(2) / wanted)
    if noise == "gaussian":
        return -math.log(2) - 2 * math.log(wanted)
    if noise == "geometric":
        return math.log(2 * math.asinh(1 / (math.sqrt(2) * wanted)))
    return _bisected(lambda y: 2 * math.log(wanted) - _discrete_gaussian_log_variance(math.exp(y)), -80.0, 7.0)


def _discrete_gaussian_log_variance(c: float) -> float:
    return math.log(2) - c if c > 40 else math.log(float(discrete_gaussian_variance(c)))


def _bisected(rising: Callable[[float], float], low: float, high: float) -> float:
    while high - low > 1e-15 * max(1.0, abs(low), abs(high)) * 4:
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return high
