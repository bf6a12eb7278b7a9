"""The two laws behind a noisy mean and a noisy variance: normal plus Laplace, and the truncated gamma mixture.

Both are evaluated in log space, for every parameter, without the restriction of the thesis to a rate larger than the
noise rate: the piece that would diverge on the half line lives on a bounded interval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import (
    erf,
    erfc,
    erfcx,
    gammainc,
    gammaincc,
    gammainccinv,
    gammaincinv,
    gammaln,
    log_ndtr,
    ndtr,
    ndtri_exp,
)

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number
from dpcore.errors import Code, Refused

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(32)
_SMALL = 1e-250  # below it a regularised gamma function loses digits; the series or the rule takes over
_FLAT = 1e-18  # an exponent this small throughout makes its exponential 1, up to rounding
_AT_ONCE = 1_000  # pieces whose nodes are held in memory at once
_LOG_TWO = math.log(2.0)


@call_hint
def lower_share(shape: float, x: FloatArray) -> FloatArray:
    """Regularised lower incomplete gamma; the error function for shape 1/2, where the general routine is slow.

    A law for reading noisy numbers: no promise by itself.
    """
    return np.asarray(erf(np.sqrt(x)) if shape == 0.5 else gammainc(shape, x))


@call_hint
def upper_share(shape: float, x: FloatArray) -> FloatArray:
    """Regularised upper incomplete gamma, as `lower_share`.

    A law for reading noisy numbers: no promise by itself.
    """
    return np.asarray(erfc(np.sqrt(x)) if shape == 0.5 else gammaincc(shape, x))


def _series(shape: FloatArray, z: FloatArray) -> FloatArray:
    """Log of int_0^1 t^(shape-1) e^(-z t) dt by e^-z/shape sum z^k/(shape+1)_k (z >= 0) or sum (-z)^k/(k!(shape+k))."""
    result = np.empty_like(z)
    positive = z >= 0
    for chosen in (positive, ~positive):
        if not chosen.any():
            continue
        a, y = shape[chosen], np.abs(z[chosen])
        largest = float(y.max())
        terms = math.ceil(largest + 9.0 * math.sqrt(largest) + 25)
        term = np.ones_like(y)
        if chosen is positive:
            total = np.ones_like(y)
            for k in range(1, terms):
                term = term * y / (a + k)
                total += term
                if (term < 1e-18 * total).all():
                    break
            result[chosen] = np.log(total) - y - np.log(a)
        else:
            total = 1.0 / a
            for k in range(1, terms):
                term = term * y / k
                total += term / (a + k)
            result[chosen] = np.log(total)
    return result


def _steep_half(shape: FloatArray, y: FloatArray) -> FloatArray:
    """Log of int_0^1 t^(shape-1) e^(y t) dt for shape < 1 and y > 40: e^y/y sum (1-shape)_k y^(-k), to rounding."""
    term = np.ones_like(y)
    total = np.ones_like(y)
    for k in range(40):  # the terms fall as long as k < y
        term = term * (k + 1.0 - shape) / y
        total += term
    return np.asarray(y - np.log(y) + np.log(total))


def _by_rule(shape: FloatArray, rate: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """Log of int_low^high s^(shape-1) e^(-rate s) ds of monotone integrands, some thousand pieces at a time."""
    if len(low) <= _AT_ONCE:
        return _by_rule_at_once(shape, rate, low, high)
    starts = range(0, len(low), _AT_ONCE)
    return np.concatenate(
        [_by_rule_at_once(*(item[k : k + _AT_ONCE] for item in (shape, rate, low, high))) for k in starts]
    )


def _by_rule_at_once(shape: FloatArray, rate: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """Log of int_low^high s^(shape-1) e^(-rate s) ds for a piece whose integrand is monotone, by a 32-point rule.

    In r = sqrt(s) the integrand is r^(2 shape - 1) e^(-rate r^2), smooth at zero; the window keeps 42 natural units.
    """
    start, end = np.sqrt(low), np.sqrt(high)
    power = 2.0 * shape - 1.0
    with np.errstate(divide="ignore", invalid="ignore"):
        slope_start = np.where(start > 0, power / start, np.inf) - 2.0 * rate * start
        slope_end = power / end - 2.0 * rate * end
    falling = slope_start < 0
    width = 42.0 / np.maximum(np.where(falling, -slope_start, slope_end), 1e-300)
    end = np.where(falling, np.minimum(end, start + width), end)
    start = np.where(~falling & (slope_end > 0), np.maximum(start, end - width), start)
    half = 0.5 * (end - start)
    r = start[..., None] + half[..., None] * (1.0 + _NODES)
    exponent = power[..., None] * np.log(r) - rate[..., None] * r * r
    top = exponent.max(axis=-1, keepdims=True)
    inner = (np.exp(exponent - top) * _WEIGHTS).sum(axis=-1)
    with np.errstate(divide="ignore"):
        return np.log(2.0 * half * inner) + top[..., 0]


def _log_lower(shape: FloatArray, rate: FloatArray, high: FloatArray) -> FloatArray:
    """Log of int_0^high s^(shape-1) e^(-rate s) ds for any sign of the rate; shapes already broadcast, high >= 0."""
    z = rate * high
    result = np.empty_like(z)
    regular = z > 1.0
    if regular.any():
        a, x = shape[regular], z[regular]
        share = gammainc(a, x)
        tiny = share < _SMALL
        with np.errstate(divide="ignore"):
            value = np.log(share) + gammaln(a) - a * np.log(rate[regular])
        if tiny.any():
            value[tiny] = _series(a[tiny], x[tiny]) + a[tiny] * np.log(high[regular][tiny])
        result[regular] = value
    steep = (z < -30.0) & (shape >= 1.0)
    if steep.any():
        result[steep] = _by_rule(shape[steep], rate[steep], np.zeros(int(steep.sum())), high[steep])
    half = (z < -40.0) & (shape < 1.0)  # two values: the series would need as many terms as the largest exponent
    if half.any():
        result[half] = _steep_half(shape[half], -z[half]) + shape[half] * np.log(high[half])
    rest = ~(regular | steep | half)
    if rest.any():
        with np.errstate(divide="ignore"):  # an end that rounds to 0 leaves nothing: -inf
            result[rest] = _series(shape[rest], z[rest]) + shape[rest] * np.log(high[rest])
    return result


def _log_between(shape: FloatArray, rate: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """Log of int_low^high s^(shape-1) e^(-rate s) ds, rate > 0, 0 <= low <= high <= inf; -inf where empty."""
    x1, x2 = rate * low, rate * high
    upper = x1 >= shape
    with np.errstate(divide="ignore", invalid="ignore"):
        first = np.where(upper, gammaincc(shape, x1), gammainc(shape, x2))
        second = np.where(upper, gammaincc(shape, x2), gammainc(shape, x1))
        value = np.log(first - second) + gammaln(shape) - shape * np.log(rate)
    value = np.where(high > low, value, -np.inf)
    lost = (high > low) & ((first < _SMALL) | (second > 0.9 * first))
    if lost.any():
        a, c, b1, b2 = shape[lost], rate[lost], low[lost], high[lost]
        mode = np.maximum((a - 1.0) / c, 0.0)
        two_sided = (b1 < mode) & (mode < b2)
        direct = np.empty_like(a)
        if (~two_sided).any():
            pick = ~two_sided
            far = _far_end(a[pick], c[pick], b1[pick], b2[pick])
            direct[pick] = _by_rule(a[pick], c[pick], b1[pick], far)
        if two_sided.any():  # a narrow interval round the mode: both halves are monotone
            pick = two_sided
            far = _far_end(a[pick], c[pick], mode[pick], b2[pick])
            direct[pick] = np.logaddexp(
                _by_rule(a[pick], c[pick], b1[pick], mode[pick]), _by_rule(a[pick], c[pick], mode[pick], far)
            )
        value[lost] = direct
    return value


def _far_end(shape: FloatArray, rate: FloatArray, start: FloatArray, end: FloatArray) -> FloatArray:
    """The end where it is finite, else a point beyond which nothing is left."""
    with np.errstate(over="ignore"):  # a finite end and a rate of almost zero
        return np.where(np.isfinite(end), end, start + 800.0 * (1 + np.sqrt(shape)) / rate)


def _broadcast(*values: ArrayLike) -> list[FloatArray]:
    """Values as float arrays of one common shape, each its own copy."""
    return [np.array(item, dtype=np.float64) for item in np.broadcast_arrays(*values)]


@call_hint
def log_mixture_constant(
    shape: ArrayLike, rate: ArrayLike, noise_rate: ArrayLike, centre: ArrayLike, upper: ArrayLike
) -> FloatArray:
    """Log of int_0^upper s^(shape-1) e^(-rate s) e^(-noise_rate |centre - s|) ds, for any sign of rate - noise_rate.

    A law for reading noisy numbers: no promise by itself. Exact up to rounding, relative error of the integral below
    1e-12.
    Source: thesis, Definition 7
    Source: ours, the lower piece on a bounded interval needs no restriction on the rates; checked with mpmath

    Parameters
    ----------
    shape, rate, noise_rate, centre, upper
        Positive shape and upper end (`inf` allowed), real rate and centre, noise rate of at least 0; broadcast
        together. The caller has checked them: this is the inner loop of the quadratures.

    Examples
    --------
    >>> round(float(log_mixture_constant(1.0, 1.0, 0.0, 0.0, np.inf)), 12)
    0.0
    """
    a, b, lam, tau, u = _broadcast(shape, rate, noise_rate, centre, upper)
    total = np.full(a.shape, -np.inf)
    split = np.clip(tau, 0.0, u)
    ends = np.isfinite(u)
    split = np.where(ends & ((b + lam) * np.where(ends, u, 0.0) < _FLAT), u, split)  # a plain power of s: one piece
    low = split > 0
    if low.any():
        total[low] = _log_lower(a[low], (b - lam)[low], split[low]) - (lam * np.abs(tau))[low]
    high = split < u
    if high.any():
        piece = _log_between(a[high], (b + lam)[high], split[high], u[high]) + (lam * tau)[high]
        total[high] = np.logaddexp(total[high], piece)
    return total


@call_hint
@dataclass(frozen=True)
class TruncatedGammaMixture:
    """Law of a sample variance given its noisy release: gamma times a Laplace factor, cut to (0, upper).

    A law for reading noisy numbers: no promise by itself. The density is proportional to s^(shape-1) e^(-rate s)
    e^(-noise_rate |centre - s|) on (0, upper): a gamma piece below the centre and one above it.
    Source: thesis, Definition 7; thesis, Algorithm 1

    Parameters
    ----------
    shape : float; greater than 0; (n - 1)/2 for a sample variance
    rate : float; at least 0; (n - 1)/(2 sigma^2) for a sample variance. Any rate relative to `noise_rate` is allowed
        when `upper` is finite; on the half line the sum of both must be positive.
    noise_rate : float; at least 0: one over the scale of the Laplace noise
    centre : float; the noisy release; any finite number
    upper : float; greater than 0; infinite when nothing bounds the variance

    Examples
    --------
    >>> law = TruncatedGammaMixture(shape=1.0, rate=1.0, noise_rate=0.0, centre=0.0)
    >>> round(law.mean, 12), round(law.cdf(math.log(2.0)), 12)
    (1.0, 0.5)
    """

    shape: float
    rate: float
    noise_rate: float
    centre: float
    upper: float = math.inf
    log_norm: float = field(init=False, repr=False)
    """Log of the integral of the unnormalised density over (0, upper)."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "shape", _checks.number("shape", self.shape, 0.0, open_low=True))
        object.__setattr__(self, "rate", _checks.number("rate", self.rate, 0.0))
        object.__setattr__(self, "noise_rate", _checks.number("noise_rate", self.noise_rate, 0.0))
        object.__setattr__(self, "centre", _checks.number("centre", self.centre))
        upper = _checks.number("upper", self.upper, 0.0, open_low=True, allow_infinite=True)
        object.__setattr__(self, "upper", upper)
        if math.isinf(upper) and self.rate + self.noise_rate == 0:
            raise Refused("rate", "be greater than 0 when nothing else bounds the law", self.rate, Code.IMPROPER)
        object.__setattr__(self, "log_norm", float(self._log_mass(np.array(upper), 0.0)))

    def _log_mass(self, upper: FloatArray, extra: float) -> FloatArray:
        """Log of the unnormalised integral of s^extra over (0, upper)."""
        return log_mixture_constant(self.shape + extra, self.rate, self.noise_rate, self.centre, upper)

    @property
    def weight_lower(self) -> float:
        """Share of the law below the centre."""
        split = min(max(self.centre, 0.0), self.upper)
        return 0.0 if split == 0 else float(self.cdf(split))

    @property
    def mean(self) -> float:
        """Mean of the law, exact."""
        return math.exp(float(self._log_mass(np.array(self.upper), 1.0)) - self.log_norm)

    @property
    def variance(self) -> float:
        """Variance of the law, exact up to the cancellation of the second moment against the squared mean."""
        second = math.exp(float(self._log_mass(np.array(self.upper), 2.0)) - self.log_norm)
        return max(second - self.mean**2, 0.0)

    @overload
    def log_density(self, s: Number) -> float: ...
    @overload
    def log_density(self, s: ArrayLike) -> FloatArray: ...
    def log_density(self, s: ArrayLike) -> FloatArray | float:
        """Log density at s; minus infinity outside (0, upper)."""
        at = _checks.array("s", s)
        with np.errstate(divide="ignore", invalid="ignore"):
            value = (
                (self.shape - 1.0) * np.log(at)
                - self.rate * at
                - self.noise_rate * np.abs(self.centre - at)
                - self.log_norm
            )
        return _checks.scalar_or_array(np.where((at > 0) & (at < self.upper), value, -np.inf), s)

    @overload
    def density(self, s: Number) -> float: ...
    @overload
    def density(self, s: ArrayLike) -> FloatArray: ...
    def density(self, s: ArrayLike) -> FloatArray | float:
        """Density at s."""
        return _checks.scalar_or_array(np.exp(np.asarray(self.log_density(s))), s)

    @overload
    def cdf(self, s: Number) -> float: ...
    @overload
    def cdf(self, s: ArrayLike) -> FloatArray: ...
    def cdf(self, s: ArrayLike) -> FloatArray | float:
        """Probability of a value of at most s."""
        at = np.minimum(_checks.array("s", s, allow_infinite=True), self.upper)
        value = np.zeros(at.shape)
        inside = at > 0
        if inside.any():
            value[inside] = np.exp(self._log_mass(at[inside], 0.0) - self.log_norm)
        return _checks.scalar_or_array(np.minimum(value, 1.0), s)

    @overload
    def quantile(self, level: Number) -> float: ...
    @overload
    def quantile(self, level: ArrayLike) -> FloatArray: ...
    def quantile(self, level: ArrayLike) -> FloatArray | float:
        """Value with the given probability below it, by bisection of the exact cdf on the log scale."""
        p = _checks.probability("level", level)
        flat = np.atleast_1d(p).astype(np.float64)
        high = np.full(flat.shape, self.upper if math.isfinite(self.upper) else max(1.0, 2.0 * abs(self.centre)))
        if math.isinf(self.upper):
            while float(self.cdf(float(high[0]))) < 1.0 - 1e-15 and high[0] < 1e300:
                high = high * 4.0
        low = np.zeros(flat.shape)
        for _ in range(200):
            middle = np.where(low > 0, np.sqrt(np.maximum(low, 1e-300) * high), 0.5 * high)
            middle = np.where(high < 2.0 * low, 0.5 * (low + high), middle)
            below = np.asarray(self.cdf(middle)) < flat
            low, high = np.where(below, middle, low), np.where(below, high, middle)
            if ((high - low) <= 4e-16 * high).all():
                break
        result = np.where(flat == 0, 0.0, np.where(flat == 1, self.upper, 0.5 * (low + high)))
        return _checks.scalar_or_array(result.reshape(p.shape), level)

    def draw(self, size: int, *, seed: int | np.random.Generator) -> FloatArray:
        """Independent draws by inverting the cdf; a simulation, not for release."""
        generator = _checks.seeded(seed)
        count = _checks.count("size", size, 1)
        ones = np.ones(count)
        return draw_mixture(
            generator,
            self.shape,
            self.rate * ones,
            self.noise_rate,
            self.centre,
            self.upper * ones,
        )


@overload
def log_noisy_variance_likelihood(
    *, noisy_variance: Number, variance: Number, n: int, epsilon_variance: float
) -> float: ...
@overload
def log_noisy_variance_likelihood(
    *, noisy_variance: ArrayLike, variance: ArrayLike, n: int, epsilon_variance: float
) -> FloatArray: ...
@call_hint
def log_noisy_variance_likelihood(
    *, noisy_variance: ArrayLike, variance: ArrayLike, n: int, epsilon_variance: float
) -> FloatArray | float:
    """Log density of a noisy sample variance given sigma^2, the confidential one integrated out; unit scale, no bound.

    A law for reading noisy numbers: no promise by itself. Exact up to rounding.
    Source: thesis, section 4.8
    Source: ours, for every sign of the difference of the gamma rate and the noise rate; checked with mpmath

    Parameters
    ----------
    noisy_variance : array_like; the release, finite
    variance : array_like; sigma^2, greater than 0; broadcast with the release
    n : int; number of values, at least 2
    epsilon_variance : float; privacy-loss parameter, greater than 0; 2 and more included

    Examples
    --------
    >>> round(log_noisy_variance_likelihood(noisy_variance=0.2, variance=0.2, n=50, epsilon_variance=3.0), 9)
    2.26254694
    """
    size = _checks.count("n", n, 2)
    noise = size * _checks.number("epsilon_variance", epsilon_variance, 0.0, open_low=True)
    at = _checks.array("noisy_variance", noisy_variance)
    v = _checks.array("variance", variance, 0.0, open_low=True)
    shape = 0.5 * (size - 1)
    rate = shape / v
    front = math.log(0.5 * noise) + shape * np.log(rate) - gammaln(shape)
    value = front + log_mixture_constant(shape, rate, noise, at, math.inf)
    return _checks.scalar_or_array(np.asarray(value), noisy_variance, variance)


@call_hint
def draw_cut_normal(
    generator: np.random.Generator, centre: FloatArray, sd: FloatArray, low: FloatArray, high: FloatArray
) -> FloatArray:
    """Normal draws cut to (low, high), by inversion from the tail that keeps the digits.

    A law for reading noisy numbers: no promise by itself.
    Source: ours, inversion in log space; checked against the cdf
    """
    a, b = (low - centre) / sd, (high - centre) / sd
    flip = a > 0
    left, right = np.where(flip, -b, a), np.where(flip, -a, b)
    log_left, log_right = log_ndtr(left), log_ndtr(right)
    uniform = generator.random(centre.shape)
    ratio = np.exp(log_left - log_right)
    value = ndtri_exp(log_right + np.log(ratio + uniform * (1.0 - ratio)))
    return np.clip(centre + sd * np.where(flip, -value, value), low, high)


@call_hint
def draw_mixture(
    generator: np.random.Generator,
    shape: float,
    rate: FloatArray,
    noise_rate: float,
    centre: float,
    upper: FloatArray,
) -> FloatArray:
    """One draw from the mixture for each rate and upper end (arrays of one shape), by inversion.

    A law for reading noisy numbers: no promise by itself. Where the lower piece has a negative rate its cdf is inverted
    by Newton's steps, elsewhere by the inverse of the incomplete gamma function.
    Source: thesis, Algorithm 1; ours, the lower piece with a negative rate; checked against the cdf
    """
    split = np.clip(centre, 0.0, upper)
    shapes = np.full(rate.shape, float(shape))
    below = np.full(rate.shape, -np.inf)
    low = split > 0
    if low.any():
        below[low] = _log_lower(shapes[low], rate[low] - noise_rate, split[low]) - noise_rate * centre
    above = _log_between(shapes, rate + noise_rate, split, upper) + noise_rate * centre
    share = 1.0 / (1.0 + np.exp(np.clip(above - below, -745.0, 709.0))) if low.any() else np.zeros(rate.shape)
    first = generator.random(rate.shape) < share
    uniform = generator.random(rate.shape)
    result = np.empty(rate.shape)
    if (~first).any():
        pick = ~first
        result[pick] = _invert_between(shapes[pick], rate[pick] + noise_rate, split[pick], upper[pick], uniform[pick])
    if first.any():
        a, c, end, p = shapes[first], rate[first] - noise_rate, split[first], uniform[first]
        drawn = np.empty_like(c)
        easy = c * end > 1e-3
        if easy.any():
            drawn[easy] = _invert_between(a[easy], c[easy], np.zeros(int(easy.sum())), end[easy], p[easy])
        if (~easy).any():
            drawn[~easy] = _invert_lower(a[~easy], c[~easy], end[~easy], p[~easy])
        result[first] = drawn
    return result


def _invert_between(
    shape: FloatArray, rate: FloatArray, low: FloatArray, high: FloatArray, p: FloatArray
) -> FloatArray:
    """Quantile of a gamma law cut to (low, high), rate > 0, from whichever tail keeps the digits."""
    x1, x2 = rate * low, rate * high
    q1, q2 = gammaincc(shape, x1), gammaincc(shape, x2)
    p1, p2 = gammainc(shape, x1), gammainc(shape, x2)
    upper = x1 >= shape
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.where(upper, gammainccinv(shape, q1 + p * (q2 - q1)), gammaincinv(shape, p1 + p * (p2 - p1))) / rate
    far = ~np.isfinite(value) | (np.where(upper, q1, p2) < 1e-290)
    if far.any():  # so far out that the law is exponential to double precision: its slope at the near end decides
        edge = np.where(upper, low, high)[far]
        slope = (shape[far] - 1.0) / edge - rate[far]
        room = (high - low)[far]
        steep = np.abs(slope)
        step = -np.log1p(-p[far] * -np.expm1(-steep * room)) / steep
        value[far] = np.where(slope < 0, edge + step, edge - step)
    return np.clip(value, low, high)


def _invert_lower(shape: FloatArray, rate: FloatArray, high: FloatArray, p: FloatArray) -> FloatArray:
    """Quantile of s^(shape-1) e^(-rate s) on (0, high) for any sign of the rate: Newton on the log cdf, in a bracket.

    The log cdf of a log-concave law is concave, so Newton's steps arrive from the left after one overshoot.
    """
    target = np.log(np.maximum(p, 1e-300)) + _log_lower(shape, rate, high)
    left, right, at = np.zeros_like(high), high.copy(), high.copy()
    value = _log_lower(shape, rate, at)
    for _ in range(80):
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            steepness = np.exp((shape - 1.0) * np.log(at) - rate * at - value)
            newton = at - (value - target) / steepness
        at = np.where((newton > left) & (newton < right), newton, 0.5 * (left + right))
        value = _log_lower(shape, rate, at)
        below = value < target
        left, right = np.where(below, at, left), np.where(below, right, at)
        if ((np.abs(value - target) < 1e-12) | (right - left <= 1e-15 * right)).all():
            break
    return at


def _normal_laplace_side(d: FloatArray, sd: FloatArray, rate: FloatArray) -> FloatArray:
    """Log of e^(rate^2 sd^2/2 + rate d) Phi(-d/sd - rate sd): the part of the density from noise above the value."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        t = np.asarray(d / sd + rate * sd)
        above, scaled, direct = t > 0, np.zeros(t.shape), np.zeros(t.shape)
        scaled[above] = np.log(0.5 * erfcx(t[above] / math.sqrt(2.0)))  # both functions are slow: only where needed
        direct[~above] = log_ndtr(-t[~above])
        scaled -= 0.5 * (d / sd) ** 2
        direct += 0.5 * (rate * sd) ** 2 + rate * d
    return np.where(above, scaled, direct)


@overload
def normal_laplace_log_density(d: Number, sd: Number, rate: Number) -> float: ...
@overload
def normal_laplace_log_density(d: ArrayLike, sd: ArrayLike, rate: ArrayLike) -> FloatArray: ...
@call_hint
def normal_laplace_log_density(d: ArrayLike, sd: ArrayLike, rate: ArrayLike) -> FloatArray | float:
    """Log density of normal noise plus Laplace noise at distance d from their common centre.

    A law for reading noisy numbers: no promise by itself. Exact up to rounding, in both limits rate*sd to 0 and to
    infinity.
    Source: ours, scaled complementary error functions keep the digits where the plain product is 0 times infinity

    Parameters
    ----------
    d : array_like; distance from the centre, finite
    sd : array_like; standard deviation of the normal part, greater than 0
    rate : array_like; one over the scale of the Laplace part, greater than 0. All three broadcast.

    Examples
    --------
    >>> round(normal_laplace_log_density(0.2, 0.5, 200.0), 9)
    -0.305875336
    """
    at = _checks.array("d", d)
    spread = _checks.array("sd", sd, 0.0, open_low=True)
    lam = _checks.array("rate", rate, 0.0, open_low=True)
    return _checks.scalar_or_array(normal_laplace_log(at, spread, lam), d, sd, rate)


@call_hint
def normal_laplace_log(d: FloatArray, sd: FloatArray, rate: FloatArray | float) -> FloatArray:
    """The log density without the checks, for the inner loops.

    A law for reading noisy numbers: no promise by itself.
    """
    lam = np.asarray(rate, dtype=np.float64)
    both = np.logaddexp(_normal_laplace_side(d, sd, lam), _normal_laplace_side(-d, sd, lam))
    return np.asarray(np.log(0.5 * lam) + both)


@overload
def normal_laplace_cdf(d: Number, sd: Number, rate: Number) -> float: ...
@overload
def normal_laplace_cdf(d: ArrayLike, sd: ArrayLike, rate: ArrayLike) -> FloatArray: ...
@call_hint
def normal_laplace_cdf(d: ArrayLike, sd: ArrayLike, rate: ArrayLike) -> FloatArray | float:
    """Probability that normal plus Laplace noise is at most d.

    A law for reading noisy numbers: no promise by itself. Parameters and errors as in `normal_laplace_log_density`;
    exact up to rounding.
    Source: ours, Phi(d/sd) + (left part - right part)/2 with the parts of the density

    Examples
    --------
    >>> normal_laplace_cdf(0.0, 0.001, 100.0)
    0.5
    """
    at = _checks.array("d", d)
    spread = _checks.array("sd", sd, 0.0, open_low=True)
    lam = _checks.array("rate", rate, 0.0, open_low=True)
    left, right = _normal_laplace_side(at, spread, lam), _normal_laplace_side(-at, spread, lam)
    value = ndtr(at / spread) + 0.5 * (np.exp(left) - np.exp(right))
    return _checks.scalar_or_array(np.clip(value, 0.0, 1.0), d, sd, rate)
