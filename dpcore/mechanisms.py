"""Mechanisms as values: the law of their noise, their error, the guarantee they give, their privacy loss.

Four additive mechanisms for counts and sums (`Geometric`, `Laplace`, `Gaussian`, `DiscreteGaussian`) and one for
answers to a question (`RandomizedResponse`). Each is a frozen value. Laws are exact, tails in log space; functions of
a point accept scalars or arrays. A point is a value of the *noise*, in the units of the published number.

The privacy loss of one release is handed out raw: `privacy_loss_atoms()` for lattice losses (`LossAtoms`), or
`privacy_loss_cdf` for continuous ones. It is the loss Z = log P(output)/Q(output) with the output drawn from P, the
data with the person, at the full sensitivity. All these pairs are symmetric: with the person absent, the same function
of an output drawn from Q has the law of -Z.

Draws here are seeded and reproducible: they are for teaching and checking, **not for release**.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import erfcx, log_ndtr, ndtri_exp

from dpcore._calls import once_by_place, once_spelled, speak_of, tell_calls
from dpcore._checks import FloatArray, Number, array, count, number, probability, scalar_or_array, seeded
from dpcore.errors import Code, Refused
from dpcore.guarantees import PureDP, Relation, ZeroConcentratedDP

IntArray = NDArray[np.int64]

_SMALL_LOG = -745.0  # below it a float's exponential is zero


# The discrete Gaussian, for arrays of concentrations


def _theta(concentration: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(log theta(c), variance) for theta(c) = sum over the integers of e^(-c z^2), by the faster of its two series."""
    log_theta, variance = np.empty(concentration.shape), np.empty(concentration.shape)
    k2 = np.arange(1, 12, dtype=float) ** 2
    dual = concentration < math.pi
    if dual.any():
        c = concentration[dual]
        with np.errstate(under="ignore"):
            terms = np.exp(-(math.pi**2) * k2 / c[:, None])
        total, slope = 2 * terms.sum(-1), 2 * (terms * (math.pi**2 * k2)).sum(-1) / c / c
        log_theta[dual] = 0.5 * np.log(math.pi / c) + np.log1p(total)
        variance[dual] = 0.5 / c - slope / (1 + total)
    if not dual.all():
        with np.errstate(under="ignore"):
            terms = np.exp(-concentration[~dual][:, None] * k2)
        total = 2 * terms.sum(-1)
        log_theta[~dual] = np.log1p(total)
        variance[~dual] = 2 * (terms * k2).sum(-1) / (1 + total)
    return log_theta, variance


def _concentration(value: ArrayLike) -> FloatArray:
    return array("rho", value, 0.0, open_low=True)


@overload
def discrete_gaussian_log_normaliser(rho: Number) -> float: ...
@overload
def discrete_gaussian_log_normaliser(rho: ArrayLike) -> FloatArray: ...
def discrete_gaussian_log_normaliser(rho: ArrayLike) -> float | FloatArray:
    """Logarithm of the normaliser theta(rho), the sum over all integers z of e^(-rho z^2).

    Parameters
    ----------
    rho : array_like
        concentration 1/(2 sigma^2), above 0; for sensitivity 1 it is the rho of zCDP

    Returns
    -------
    float or array
        log theta(rho), exact: the direct series for rho of at least pi, Poisson's dual series below.

    Raises
    ------
    ValueError
        ``rho must be greater than 0 and finite; got ...``

    References
    ----------
    canonne_kamath_steinke, Definition 1
    ours, both theta series; checked in mpmath

    Examples
    --------
    >>> round(discrete_gaussian_log_normaliser(3.14), 6)
    0.083028
    """
    return scalar_or_array(_theta(_concentration(rho))[0], rho)


@overload
def discrete_gaussian_variance(rho: Number) -> float: ...
@overload
def discrete_gaussian_variance(rho: ArrayLike) -> FloatArray: ...
def discrete_gaussian_variance(rho: ArrayLike) -> float | FloatArray:
    """Variance of the discrete Gaussian with concentration rho, slightly below 1/(2 rho).

    Parameters
    ----------
    rho : array_like
        concentration 1/(2 sigma^2), above 0

    Returns
    -------
    float or array
        -theta'(rho)/theta(rho), exact.

    Raises
    ------
    ValueError
        ``rho must be greater than 0 and finite; got ...``

    References
    ----------
    canonne_kamath_steinke, Corollary 9
    ours, derivative of the theta series

    Examples
    --------
    >>> round(discrete_gaussian_variance(0.05), 9)
    10.0
    """
    return scalar_or_array(_theta(_concentration(rho))[1], rho)


@overload
def discrete_gaussian_log_pmf(value: Number, *, rho: Number) -> float: ...
@overload
def discrete_gaussian_log_pmf(value: ArrayLike, *, rho: ArrayLike) -> FloatArray: ...
@once_by_place("value", "rho")
def discrete_gaussian_log_pmf(value: ArrayLike, *, rho: ArrayLike) -> float | FloatArray:
    """Log probability that the discrete Gaussian with concentration rho takes an integer value.

    Parameters
    ----------
    value : array_like
        integers
    rho : array_like
        concentration 1/(2 sigma^2), above 0; broadcast against `value`

    Returns
    -------
    float or array
        -rho value^2 - log theta(rho), exact.

    Raises
    ------
    ValueError
        ``value must be a whole number; got ...``, ``rho must be greater than 0 and finite; got ...``

    References
    ----------
    canonne_kamath_steinke, Definition 1

    Examples
    --------
    >>> round(discrete_gaussian_log_pmf(1000, rho=1.0), 3)
    -1000000.572
    """
    z, c = _integers(value), _concentration(rho)
    return scalar_or_array(-c * z * z - _theta(c)[0], value, rho)


@overload
def discrete_gaussian_log_tail(value: Number, *, rho: Number) -> float: ...
@overload
def discrete_gaussian_log_tail(value: ArrayLike, *, rho: ArrayLike) -> FloatArray: ...
@once_by_place("value", "rho")
def discrete_gaussian_log_tail(value: ArrayLike, *, rho: ArrayLike) -> float | FloatArray:
    """Log probability that the discrete Gaussian with concentration rho is at least a value.

    Parameters
    ----------
    value : array_like
        real; the tail starts at the next integer
    rho : array_like
        concentration 1/(2 sigma^2), above 0; broadcast against `value`

    Returns
    -------
    float or array
        log P[noise >= value], exact to about 1e-13 relative in the probability, however far the tail.

    Raises
    ------
    ValueError
        ``value must be finite; got ...``, ``rho must be greater than 0 and finite; got ...``

    References
    ----------
    ours, direct sum where few terms matter, Euler-Maclaurin where the terms vary slowly; checked in mpmath

    Examples
    --------
    >>> round(math.exp(discrete_gaussian_log_tail(8, rho=0.09922635422547502)), 10)
    0.0003776396
    """
    z, c = np.broadcast_arrays(np.ceil(array("value", value)), _concentration(rho))
    return scalar_or_array(_log_tail(z, c), value, rho)


_TERMS = 64
# B_2j / (2j)! for j = 1..9
_EULER_MACLAURIN = (
    1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -691 / 1307674368000, 1 / 74724249600,
    -3617 / 10670622842880000, 43867 / 5109094217170944000,
)  # fmt: skip


def _log_tail(z: FloatArray, c: FloatArray) -> FloatArray:
    """log P[noise >= z] for integers z; z and c of one shape."""
    log_theta = _theta(c)[0]
    start = np.where(z > 0, z, 1 - z)  # P[noise >= z] = 1 - P[noise >= 1 - z] for z <= 0
    terms = np.sqrt(start * start + 40 / c) - start
    direct = np.zeros(c.shape)
    few = terms <= _TERMS
    if few.any():
        direct[few] = np.log(_direct_tail(start[few], c[few], int(terms[few].max()) + 1))
    if not few.all():
        direct[~few] = np.log(_smooth_tail(start[~few], c[~few]))
    log_upper = -c * start * start + direct - log_theta
    result: FloatArray = np.where(z > 0, log_upper, np.log1p(-np.exp(np.minimum(log_upper, math.log(0.5)))))
    return result


def _direct_tail(k: FloatArray, c: FloatArray, last: int) -> FloatArray:
    """Sum over j from 0 to `last` of e^(-c ((k+j)^2 - k^2)), term by term, a thousand tails at a time."""
    j, total = np.arange(1.0, last + 1), np.empty(k.shape)
    with np.errstate(under="ignore"):
        for first in range(0, k.size, 1000):
            some = slice(first, first + 1000)
            total[some] = 1.0 + np.exp(-c[some, None] * j * (2 * k[some, None] + j)).sum(-1)
    return total


def _smooth_tail(k: FloatArray, c: FloatArray) -> FloatArray:
    """Sum over j >= 0 of e^(-c ((k+j)^2 - k^2)) for small c, by Euler-Maclaurin with Hermite derivatives."""
    root = np.sqrt(c)
    x = root * k
    total: FloatArray = math.sqrt(math.pi) / 2 / root * erfcx(x) + 0.5
    previous, hermite = np.ones(k.shape), 2 * x
    power, order = root, 1
    for coefficient in _EULER_MACLAURIN:
        total += coefficient * power * hermite  # minus (-1)^odd
        for _ in range(2):
            previous, hermite = hermite, 2 * x * hermite - 2 * order * previous
            order += 1
        power = power * c
    return total


def _integers(value: ArrayLike, name: str = "value") -> FloatArray:
    z = array(name, value)
    broken = z != np.floor(z)
    if broken.any():
        raise Refused(name, "be a whole number", float(z[broken].flat[0]), Code.NOT_WHOLE)
    return z


# Two-sided exponential noise, for arrays of rates


@overload
def geometric_log_tail(value: Number, *, rate: Number) -> float: ...
@overload
def geometric_log_tail(value: ArrayLike, *, rate: ArrayLike) -> FloatArray: ...
@once_by_place("value", "rate")
def geometric_log_tail(value: ArrayLike, *, rate: ArrayLike) -> float | FloatArray:
    """Log probability that two-sided geometric noise of a rate is at least a value.

    Parameters
    ----------
    value : array_like
        real; the tail starts at the next integer
    rate : array_like
        fall of the log probability per unit of noise, at least 0 (the limit of ever wider noise); broadcast

    Returns
    -------
    float or array
        log P[noise >= value], exact: e^(-rate k)/(1 + e^-rate) for k >= 1, k the next integer.

    Raises
    ------
    ValueError
        ``value must be finite; got ...``, ``rate must be at least 0 and finite; got ...``

    References
    ----------
    ghosh, Definition 2.3

    Examples
    --------
    >>> round(math.exp(geometric_log_tail(1, rate=math.log(9))), 12)
    0.1
    """
    k, fall = np.ceil(array("value", value)), array("rate", rate, 0.0)
    start = np.where(k > 0, k, 1 - k)
    log_upper = -fall * start - np.log1p(np.exp(-fall))
    return scalar_or_array(np.where(k > 0, log_upper, np.log1p(-np.exp(log_upper))), value, rate)


@overload
def laplace_log_tail(value: Number, *, rate: Number) -> float: ...
@overload
def laplace_log_tail(value: ArrayLike, *, rate: ArrayLike) -> FloatArray: ...
@once_by_place("value", "rate")
def laplace_log_tail(value: ArrayLike, *, rate: ArrayLike) -> float | FloatArray:
    """Log probability that Laplace noise of a rate is at least a value.

    Parameters
    ----------
    value : array_like
        real
    rate : array_like
        fall of the log density per unit of noise, 1/scale, at least 0 (the limit of ever wider noise); broadcast

    Returns
    -------
    float or array
        log P[noise >= value], exact: e^(-rate value)/2 above 0.

    Raises
    ------
    ValueError
        ``value must be finite; got ...``, ``rate must be at least 0 and finite; got ...``

    References
    ----------
    dwork_roth, Definition 3.3

    Examples
    --------
    >>> round(math.exp(laplace_log_tail(1, rate=math.log(5))), 12)
    0.1
    """
    z = array("value", value) * array("rate", rate, 0.0)
    log_half = math.log(0.5) - np.abs(z)
    return scalar_or_array(np.where(z > 0, log_half, np.log1p(-np.exp(log_half))), value, rate)


# The privacy loss of one release


@dataclass(frozen=True, eq=False)
class LossAtoms:
    """The law of a privacy loss on a lattice: the value offset + step * index has probability exp(log_mass).

    Parameters
    ----------
    offset, step : float
        the lattice, in log-odds units; step above 0
    first : int
        index of the first atom; indices rise by one
    log_mass : array
        log probability of each atom with the person present
    omitted : float, optional
        bound on the probability outside the atoms (zero for finite laws)

    Examples
    --------
    >>> atoms = Geometric(epsilon=1.0).privacy_loss_atoms()
    >>> atoms.values, atoms.mass.round(4)
    (array([-1.,  1.]), array([0.2689, 0.7311]))
    """

    offset: float
    step: float
    first: int
    log_mass: FloatArray
    omitted: float = 0.0

    @property
    def index(self) -> IntArray:
        """The lattice index of each atom."""
        return np.arange(self.first, self.first + self.log_mass.size, dtype=np.int64)

    @property
    def values(self) -> FloatArray:
        """The privacy loss at each atom, rising."""
        return self.offset + self.step * self.index.astype(np.float64)

    @property
    def mass(self) -> FloatArray:
        """The probability of each atom with the person present."""
        with np.errstate(under="ignore"):
            return np.exp(self.log_mass)

    @property
    def mass_absent(self) -> FloatArray:
        """The probability of the same atoms with the person absent: mass times e^-value."""
        with np.errstate(under="ignore"):
            return np.exp(self.log_mass - self.values)


# Additive noise


class NoiseMechanism(ABC):
    """What every additive mechanism answers; the noise is symmetric about zero.

    Examples
    --------
    >>> isinstance(Laplace(epsilon=1.0), NoiseMechanism), isinstance(RandomizedResponse(epsilon=1.0), NoiseMechanism)
    (True, False)
    """

    @property
    @abstractmethod
    def variance(self) -> float:
        """Variance of the noise."""

    @property
    @abstractmethod
    def guarantee(self) -> PureDP | ZeroConcentratedDP:
        """The guarantee a release with this noise gives, in its native definition."""

    @property
    @abstractmethod
    def mean_absolute(self) -> float:
        """Mean absolute size of the noise."""

    @abstractmethod
    def log_tail(self, value: ArrayLike) -> Any:
        """log P[noise >= value]."""

    @abstractmethod
    def quantile(self, level: ArrayLike) -> Any:
        """Smallest value v with P[noise <= v] of at least the given probability."""

    @abstractmethod
    def half_width(self, level: ArrayLike) -> Any:
        """Smallest h with P[|noise| <= h] of at least `level`, in [0, 1): the central range is value +- h."""

    @abstractmethod
    def simulate_noise(self, size: int | tuple[int, ...], *, seed: int | np.random.Generator) -> Any:
        """Seeded draws of the noise, for teaching and checking; not for release."""

    @property
    @abstractmethod
    def probability_exact(self) -> float:
        """Probability that a published count is exactly right (continuous noise: after rounding to a whole number)."""

    @property
    def std(self) -> float:
        """Standard deviation of the noise; the root mean square error of a published count."""
        return math.sqrt(self.variance)

    @overload
    def tail(self, value: Number) -> float: ...
    @overload
    def tail(self, value: ArrayLike) -> FloatArray: ...
    def tail(self, value: ArrayLike) -> Any:
        """P[noise >= value]."""
        return scalar_or_array(np.exp(np.asarray(self.log_tail(value))), value)

    @overload
    def cdf(self, value: Number) -> float: ...
    @overload
    def cdf(self, value: ArrayLike) -> FloatArray: ...
    def cdf(self, value: ArrayLike) -> Any:
        """P[noise <= value]; by symmetry P[noise >= -value]."""
        return self.tail(np.negative(np.asarray(value)) if np.ndim(value) else -value)  # type: ignore[operator]

    @overload
    def log_cdf(self, value: Number) -> float: ...
    @overload
    def log_cdf(self, value: ArrayLike) -> FloatArray: ...
    def log_cdf(self, value: ArrayLike) -> Any:
        """log P[noise <= value]."""
        return self.log_tail(np.negative(np.asarray(value)) if np.ndim(value) else -value)  # type: ignore[operator]

    @abstractmethod
    def log_survival(self, value: ArrayLike) -> Any:
        """log P[noise > value]."""

    @overload
    def survival(self, value: Number) -> float: ...
    @overload
    def survival(self, value: ArrayLike) -> FloatArray: ...
    def survival(self, value: ArrayLike) -> Any:
        """P[noise > value]."""
        return scalar_or_array(np.exp(np.asarray(self.log_survival(value))), value)

    @overload
    def probability_within(self, half_width: Number) -> float: ...
    @overload
    def probability_within(self, half_width: ArrayLike) -> FloatArray: ...
    def probability_within(self, half_width: ArrayLike) -> Any:
        """P[|noise| <= half_width]."""
        width = array("half_width", half_width, 0.0)
        outside = 2 * np.exp(np.asarray(self.log_survival(width)))
        return scalar_or_array(np.maximum(1 - outside, 0.0), half_width)


class _IntegerNoise(NoiseMechanism):
    """Integer noise: tails start at the next integer; quantiles are integers, found by bisection on the exact tail."""

    @abstractmethod
    def log_pmf(self, value: ArrayLike) -> Any:
        """Log probability of an integer value of the noise."""

    @abstractmethod
    def _farthest(self) -> float:
        """An integer beyond which the tail is zero in floats."""

    @overload
    def pmf(self, value: Number) -> float: ...
    @overload
    def pmf(self, value: ArrayLike) -> FloatArray: ...
    def pmf(self, value: ArrayLike) -> Any:
        """Probability of an integer value of the noise."""
        return scalar_or_array(np.exp(np.asarray(self.log_pmf(value))), value)

    @overload
    def log_survival(self, value: Number) -> float: ...
    @overload
    def log_survival(self, value: ArrayLike) -> FloatArray: ...
    def log_survival(self, value: ArrayLike) -> Any:
        """log P[noise > value] = log P[noise >= floor(value) + 1]."""
        return scalar_or_array(np.asarray(self.log_tail(np.floor(array("value", value)) + 1)), value)

    def _smallest_with_survival(self, log_allowed: FloatArray) -> FloatArray:
        """Smallest integer v with log P[noise > v] of at most the allowed log probability."""
        return self._first_integer(
            *self._survival_bracket(log_allowed), lambda v: np.asarray(self.log_tail(v + 1)) <= log_allowed
        )

    def _survival_bracket(self, log_allowed: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Integers below and from which on log P[noise > v] is at most the allowed log probability."""
        return np.full(log_allowed.shape, -self._farthest()), np.full(log_allowed.shape, self._farthest())

    def _first_integer(
        self, low: FloatArray, high: FloatArray, holds: Callable[[FloatArray], NDArray[np.bool_]]
    ) -> FloatArray:
        """Smallest integer in (low, high] at which a rising condition holds, by bisection; beyond 2^53, a float."""
        while True:
            middle = np.floor(low / 2 + high / 2)
            if ((middle <= low) | (middle >= high) | (high - low <= 1)).all():
                return high
            enough = holds(middle)
            low, high = np.where(enough, low, middle), np.where(enough, middle, high)

    @overload
    def quantile(self, level: Number) -> int: ...
    @overload
    def quantile(self, level: ArrayLike) -> IntArray: ...
    @once_spelled("probability_below", "level")
    def quantile(self, level: ArrayLike) -> Any:
        """Smallest integer v with P[noise <= v] of at least the given probability, in (0, 1); exact."""
        p = probability("level", level, open_low=True, open_high=True)
        upper = self._smallest_with_survival(np.log1p(-p))
        # Below one half work with P[noise <= v] itself: P[noise <= v] = P[noise >= -v], by symmetry.
        log_p = np.log(p)
        farthest = np.full(p.shape, self._farthest())
        lower = self._first_integer(-farthest, farthest, lambda v: np.asarray(self.log_tail(-v)) >= log_p)
        return _whole(np.where(p > 0.5, upper, lower), level)

    @overload
    def half_width(self, level: Number) -> int: ...
    @overload
    def half_width(self, level: ArrayLike) -> IntArray: ...
    def half_width(self, level: ArrayLike) -> Any:
        """Smallest integer h with P[|noise| <= h] of at least `level`, in [0, 1); exact."""
        p = probability("level", level, open_high=True)
        return _whole(np.maximum(self._smallest_with_survival(np.log1p(-p) - math.log(2)), 0.0), level)

    @property
    def probability_exact(self) -> float:
        """P[noise = 0]."""
        return float(self.pmf(0))


def _whole(values: FloatArray, argument: ArrayLike) -> Any:
    """Integers: an int for a scalar argument, an array otherwise."""
    return int(values) if np.ndim(argument) == 0 else values.astype(np.int64)


class _ContinuousNoise(NoiseMechanism):
    """Continuous noise: a point has probability zero."""

    @overload
    def log_survival(self, value: Number) -> float: ...
    @overload
    def log_survival(self, value: ArrayLike) -> FloatArray: ...
    def log_survival(self, value: ArrayLike) -> Any:
        """log P[noise > value]."""
        return self.log_tail(value)

    @overload
    def half_width(self, level: Number) -> float: ...
    @overload
    def half_width(self, level: ArrayLike) -> FloatArray: ...
    def half_width(self, level: ArrayLike) -> Any:
        """The h with P[|noise| <= h] equal to `level`, in [0, 1); exact."""
        p = probability("level", level, open_high=True)
        return scalar_or_array(-np.asarray(self._log_quantile(np.log1p(-p) - math.log(2))) + 0.0, level)

    @overload
    def quantile(self, level: Number) -> float: ...
    @overload
    def quantile(self, level: ArrayLike) -> FloatArray: ...
    @once_spelled("probability_below", "level")
    def quantile(self, level: ArrayLike) -> Any:
        """The value v with P[noise <= v] equal to the given probability, in (0, 1); exact."""
        p = probability("level", level, open_low=True, open_high=True)
        lower = np.asarray(self._log_quantile(np.log(np.minimum(p, 0.5))))
        upper = -np.asarray(self._log_quantile(np.log1p(-np.maximum(p, 0.5))))
        return scalar_or_array(np.where(p <= 0.5, lower, upper), level)

    @abstractmethod
    def _log_quantile(self, log_probability: FloatArray) -> FloatArray:
        """The value v of at most zero with log P[noise <= v] as given, at most log(1/2)."""

    @property
    def probability_exact(self) -> float:
        """P[|noise| < 1/2]: the count is right after rounding to a whole number."""
        return float(self.probability_within(0.5))


@dataclass(frozen=True, kw_only=True)
class Geometric(_IntegerNoise):
    """Two-sided geometric noise for counts: P[noise = z] proportional to e^(-rate |z|), rate = epsilon/sensitivity.

    Parameters
    ----------
    epsilon : float
        pure-DP budget of the release, above 0
    sensitivity : int, optional
        largest change of the count by one person, a whole number of at least 1

    References
    ----------
    ghosh, Definition 2.3
    thesis, section 3.2

    Examples
    --------
    >>> noise = Geometric(epsilon=math.log(9))
    >>> round(noise.std, 2), round(noise.cdf(-1), 12)
    (0.53, 0.1)
    """

    epsilon: float
    sensitivity: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", number("epsilon", self.epsilon, 0.0, open_low=True))
        object.__setattr__(self, "sensitivity", count("sensitivity", self.sensitivity, 1))

    @classmethod
    def from_scale(cls, scale: float, *, sensitivity: int = 1) -> Geometric:
        """The mechanism with P[noise = z] proportional to e^(-|z|/scale); its epsilon is sensitivity/scale."""
        return cls(
            epsilon=count("sensitivity", sensitivity, 1) / number("scale", scale, 0.0, open_low=True),
            sensitivity=sensitivity,
        )

    @property
    def rate(self) -> float:
        """Fall of the log probability per unit of noise: epsilon/sensitivity."""
        return self.epsilon / self.sensitivity

    @property
    def guarantee(self) -> PureDP:
        """Pure DP with this epsilon."""
        return PureDP(epsilon=self.epsilon)

    @property
    def variance(self) -> float:
        """2 e^-rate/(1 - e^-rate)^2 = 1/(2 sinh^2(rate/2))."""
        if self.rate > 1400:
            return 0.0
        return (
            0.5 / math.sinh(self.rate / 2) / math.sinh(self.rate / 2) if self.rate < 700 else 2 * math.exp(-self.rate)
        )

    @property
    def std(self) -> float:
        """1/(sqrt(2) sinh(rate/2)), finite where the variance overflows."""
        return math.sqrt(0.5) / math.sinh(self.rate / 2) if self.rate < 1400 else 0.0

    @property
    def mean_absolute(self) -> float:
        """1/sinh(rate)."""
        return 1 / math.sinh(self.rate) if self.rate < 700 else 2 * math.exp(-self.rate)

    @property
    def _log_decay_sum(self) -> float:
        """log(1 + e^-rate)."""
        return math.log1p(math.exp(-self.rate))

    @overload
    def log_pmf(self, value: Number) -> float: ...
    @overload
    def log_pmf(self, value: ArrayLike) -> FloatArray: ...
    def log_pmf(self, value: ArrayLike) -> Any:
        """log of tanh(rate/2) e^(-rate |value|)."""
        z = _integers(value)
        return scalar_or_array(math.log(-math.expm1(-self.rate)) - self._log_decay_sum - self.rate * np.abs(z), value)

    @overload
    def log_tail(self, value: Number) -> float: ...
    @overload
    def log_tail(self, value: ArrayLike) -> FloatArray: ...
    def log_tail(self, value: ArrayLike) -> Any:
        """log P[noise >= value]: e^(-rate k)/(1 + e^-rate) for k >= 1, k the next integer."""
        return geometric_log_tail(value, rate=self.rate)

    def _farthest(self) -> float:
        return math.floor(800 / self.rate) + 2.0

    @once_by_place("self", "size", "seed", above=2)
    def simulate_noise(self, size: int | tuple[int, ...], *, seed: int | np.random.Generator) -> IntArray:
        """Seeded draws of the noise, for teaching and checking; not for release."""
        generator, success = seeded(seed), -math.expm1(-self.rate)
        return generator.geometric(success, size) - generator.geometric(success, size)

    def privacy_loss_atoms(self) -> LossAtoms:
        """Exact law of the privacy loss: rate (D - 2j) for j = 0..D, D the sensitivity.

        For sensitivity 1 it is that of randomised response: +-epsilon.
        """
        size, rate = self.sensitivity, self.rate
        j = np.arange(size, -1, -1, dtype=float)  # values rise
        log_mass = math.log(-math.expm1(-rate)) - rate * j
        log_mass[0], log_mass[-1] = -rate * size, 0.0
        return LossAtoms(-self.epsilon, 2 * rate, 0, log_mass - self._log_decay_sum)


@dataclass(frozen=True, kw_only=True)
class Laplace(_ContinuousNoise):
    """Laplace noise: density proportional to e^(-|z|/scale), scale = sensitivity/epsilon.

    Parameters
    ----------
    epsilon : float
        pure-DP budget of the release, above 0
    sensitivity : float, optional
        largest change of the published number by one person, above 0

    References
    ----------
    dwork_roth, Definition 3.3

    Examples
    --------
    >>> Laplace(epsilon=0.5).scale
    2.0
    """

    epsilon: float
    sensitivity: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", number("epsilon", self.epsilon, 0.0, open_low=True))
        object.__setattr__(self, "sensitivity", number("sensitivity", self.sensitivity, 0.0, open_low=True))

    @classmethod
    def from_scale(cls, scale: float, *, sensitivity: float = 1.0) -> Laplace:
        """The mechanism with the given scale; its epsilon is sensitivity/scale."""
        return cls(epsilon=sensitivity / number("scale", scale, 0.0, open_low=True), sensitivity=sensitivity)

    @property
    def scale(self) -> float:
        """Scale of the noise: sensitivity/epsilon."""
        return self.sensitivity / self.epsilon

    @property
    def guarantee(self) -> PureDP:
        """Pure DP with this epsilon."""
        return PureDP(epsilon=self.epsilon)

    @property
    def variance(self) -> float:
        """2 scale^2."""
        return 2 * self.scale * self.scale

    @property
    def mean_absolute(self) -> float:
        """The scale."""
        return self.scale

    @overload
    def log_pdf(self, value: Number) -> float: ...
    @overload
    def log_pdf(self, value: ArrayLike) -> FloatArray: ...
    def log_pdf(self, value: ArrayLike) -> Any:
        """Log density at a value of the noise."""
        return scalar_or_array(-np.abs(array("value", value)) / self.scale - math.log(2 * self.scale), value)

    @overload
    def log_tail(self, value: Number) -> float: ...
    @overload
    def log_tail(self, value: ArrayLike) -> FloatArray: ...
    def log_tail(self, value: ArrayLike) -> Any:
        """log P[noise >= value]."""
        return laplace_log_tail(value, rate=self.epsilon / self.sensitivity)

    def _log_quantile(self, log_probability: FloatArray) -> FloatArray:
        return self.scale * (log_probability + math.log(2))

    @once_by_place("self", "size", "seed", above=2)
    def simulate_noise(self, size: int | tuple[int, ...], *, seed: int | np.random.Generator) -> FloatArray:
        """Seeded draws of the noise, for teaching and checking; not for release."""
        return seeded(seed).laplace(0.0, self.scale, size)

    @overload
    def privacy_loss_cdf(self, loss: Number) -> float: ...
    @overload
    def privacy_loss_cdf(self, loss: ArrayLike) -> FloatArray: ...
    def privacy_loss_cdf(self, loss: ArrayLike) -> Any:
        """P[Z <= loss], person present: e^((loss - epsilon)/2)/2 on [-epsilon, epsilon), 1 from epsilon on.

        The law has atoms e^-epsilon/2 at -epsilon and 1/2 at epsilon.
        """
        z = array("loss", loss)
        inside = 0.5 * np.exp((np.minimum(z, self.epsilon) - self.epsilon) / 2)
        return scalar_or_array(np.where(z < -self.epsilon, 0.0, np.where(z < self.epsilon, inside, 1.0)), loss)


@dataclass(frozen=True, kw_only=True)
class Gaussian(_ContinuousNoise):
    """Normal noise with variance sensitivity^2/(2 rho).

    Parameters
    ----------
    rho : float
        zCDP budget of the release, above 0
    sensitivity : float, optional
        largest change (Euclidean) of the published number by one person, above 0

    References
    ----------
    bun_steinke, Proposition 1.6

    Examples
    --------
    >>> Gaussian(rho=0.5).std
    1.0
    """

    rho: float
    sensitivity: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "rho", number("rho", self.rho, 0.0, open_low=True))
        object.__setattr__(self, "sensitivity", number("sensitivity", self.sensitivity, 0.0, open_low=True))

    @classmethod
    def from_std(cls, std: float, *, sensitivity: float = 1.0) -> Gaussian:
        """The mechanism with the given standard deviation; its rho is sensitivity^2/(2 std^2)."""
        return cls(rho=(sensitivity / number("std", std, 0.0, open_low=True)) ** 2 / 2, sensitivity=sensitivity)

    @property
    def guarantee(self) -> ZeroConcentratedDP:
        """Zero-concentrated DP with this rho."""
        return ZeroConcentratedDP(rho=self.rho)

    @property
    def variance(self) -> float:
        """sensitivity^2/(2 rho)."""
        return self.sensitivity**2 / (2 * self.rho)

    @property
    def mean_absolute(self) -> float:
        """std sqrt(2/pi)."""
        return self.std * math.sqrt(2 / math.pi)

    @overload
    def log_pdf(self, value: Number) -> float: ...
    @overload
    def log_pdf(self, value: ArrayLike) -> FloatArray: ...
    def log_pdf(self, value: ArrayLike) -> Any:
        """Log density at a value of the noise."""
        z = array("value", value) / self.std
        return scalar_or_array(-z * z / 2 - math.log(self.std) - 0.5 * math.log(2 * math.pi), value)

    @overload
    def log_tail(self, value: Number) -> float: ...
    @overload
    def log_tail(self, value: ArrayLike) -> FloatArray: ...
    def log_tail(self, value: ArrayLike) -> Any:
        """log P[noise >= value]."""
        return scalar_or_array(log_ndtr(-array("value", value) / self.std), value)

    def _log_quantile(self, log_probability: FloatArray) -> FloatArray:
        return self.std * ndtri_exp(log_probability)

    @once_by_place("self", "size", "seed", above=2)
    def simulate_noise(self, size: int | tuple[int, ...], *, seed: int | np.random.Generator) -> FloatArray:
        """Seeded draws of the noise, for teaching and checking; not for release."""
        return seeded(seed).normal(0.0, self.std, size)

    @overload
    def privacy_loss_cdf(self, loss: Number) -> float: ...
    @overload
    def privacy_loss_cdf(self, loss: ArrayLike) -> FloatArray: ...
    def privacy_loss_cdf(self, loss: ArrayLike) -> Any:
        """P[Z <= loss], person present: Z is normal with mean rho and variance 2 rho."""
        return scalar_or_array(np.exp(log_ndtr((array("loss", loss) - self.rho) / math.sqrt(2 * self.rho))), loss)


@dataclass(frozen=True, kw_only=True)
class DiscreteGaussian(_IntegerNoise):
    """Integer noise with P[noise = z] proportional to e^(-z^2/(2 sigma^2)), sigma^2 = sensitivity^2/(2 rho).

    For arrays of rho use the functions `discrete_gaussian_log_pmf`, `discrete_gaussian_log_tail`,
    `discrete_gaussian_log_normaliser` and `discrete_gaussian_variance`.

    Parameters
    ----------
    rho : float
        zCDP budget of the release, above 0
    sensitivity : int, optional
        largest change of the count by one person, a whole number of at least 1

    References
    ----------
    canonne_kamath_steinke, Definition 1 and Theorem 4

    Examples
    --------
    >>> round(DiscreteGaussian(rho=0.05).pmf(0), 6)
    0.126157
    """

    rho: float
    sensitivity: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "rho", number("rho", self.rho, 0.0, open_low=True))
        object.__setattr__(self, "sensitivity", count("sensitivity", self.sensitivity, 1))

    @classmethod
    def from_sigma(cls, sigma: float, *, sensitivity: int = 1) -> DiscreteGaussian:
        """The mechanism with parameter sigma, a little above its std; its rho is sensitivity^2/(2 sigma^2)."""
        return cls(
            rho=(count("sensitivity", sensitivity, 1) / number("sigma", sigma, 0.0, open_low=True)) ** 2 / 2,
            sensitivity=sensitivity,
        )

    @property
    def concentration(self) -> float:
        """1/(2 sigma^2) = rho/sensitivity^2; for sensitivity 1 it is rho."""
        return self.rho / self.sensitivity**2

    @property
    def sigma(self) -> float:
        """The parameter sigma: sensitivity/sqrt(2 rho)."""
        return self.sensitivity / math.sqrt(2 * self.rho)

    @property
    def guarantee(self) -> ZeroConcentratedDP:
        """Zero-concentrated DP with this rho."""
        return ZeroConcentratedDP(rho=self.rho)

    @property
    def log_normaliser(self) -> float:
        """log of the sum over all integers of e^(-z^2/(2 sigma^2))."""
        return float(discrete_gaussian_log_normaliser(self.concentration))

    @property
    def variance(self) -> float:
        """Exact variance, slightly below sigma^2."""
        return float(discrete_gaussian_variance(self.concentration))

    @property
    def mean_absolute(self) -> float:
        """Mean absolute size of the noise, by the direct sum or its asymptotic series for wide noise."""
        c, log_theta = self.concentration, self.log_normaliser
        if c < 0.02:
            # Euler-Maclaurin of k e^(-c k^2) from 0: 1/(2c) - sum B_2m (-c)^(m-1) / (2m (m-1)!)
            bernoulli = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730)
            terms = (b * (-c) ** m / (2 * (m + 1) * math.factorial(m)) for m, b in enumerate(bernoulli))
            half = 0.5 / c - math.fsum(terms)
        else:
            k = np.arange(1, math.ceil(math.sqrt(-_SMALL_LOG / c)) + 1, dtype=float)
            half = float((k * np.exp(-c * k * k)).sum())
        return 2 * half * math.exp(-log_theta)

    @overload
    def log_pmf(self, value: Number) -> float: ...
    @overload
    def log_pmf(self, value: ArrayLike) -> FloatArray: ...
    def log_pmf(self, value: ArrayLike) -> Any:
        """Log probability of an integer value of the noise."""
        return discrete_gaussian_log_pmf(value, rho=self.concentration)

    @overload
    def log_tail(self, value: Number) -> float: ...
    @overload
    def log_tail(self, value: ArrayLike) -> FloatArray: ...
    def log_tail(self, value: ArrayLike) -> Any:
        """log P[noise >= value]."""
        return discrete_gaussian_log_tail(value, rho=self.concentration)

    def _farthest(self) -> float:
        return math.floor(math.sqrt(800 / self.concentration)) + 2.0

    def _survival_bracket(self, log_allowed: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Ends a few integers apart: the mass at v + 1 is less than the tail, and the normal tail from v on is more."""
        low, high = super()._survival_bracket(log_allowed)
        mass = np.sqrt(np.maximum(-log_allowed - self.log_normaliser, 0.0) / self.concentration) * (1 - 1e-9)
        normal = np.sqrt(np.maximum(-log_allowed, 0.0) / self.concentration) * (1 + 1e-9)
        far = mass > 4.0
        close = np.where(far, np.clip(np.floor(mass) - 3.0, low, high), low)
        return close, np.where(far, np.minimum(np.ceil(normal) + 2.0, high), high)

    @once_by_place("self", "size", "seed", above=2)
    def simulate_noise(self, size: int | tuple[int, ...], *, seed: int | np.random.Generator) -> IntArray:
        """Seeded draws of the noise, for teaching and checking; not for release.

        Rejection from two-sided geometric noise (canonne_kamath_steinke, Algorithm 3), in floating point.
        """
        generator, sigma = seeded(seed), self.sigma
        scale = math.floor(sigma) + 1
        success, wanted = -math.expm1(-1 / scale), int(np.prod(size))
        accepted: list[IntArray] = []
        found = 0
        while found < wanted:
            batch = 2 * (wanted - found) + 16
            candidate = generator.geometric(success, batch) - generator.geometric(success, batch)
            excess = (np.abs(candidate) - sigma**2 / scale) / sigma
            kept = candidate[generator.random(batch) < np.exp(-excess * excess / 2)]
            accepted.append(kept)
            found += kept.size
        return np.concatenate(accepted)[:wanted].reshape(size) if wanted else np.zeros(size, dtype=np.int64)

    def privacy_loss_atoms(self, omitted: float = 1e-30) -> LossAtoms:
        """Exact law of the privacy loss, a lattice: c D (2y + D) for noise y, c = rho/D^2, D the sensitivity.

        Parameters
        ----------
        omitted : float, optional
            probability that may lie outside the atoms kept, in (0, 1)
        """
        allowed = number("omitted", omitted, 0.0, 1.0, open_low=True, open_high=True)
        reach = int(self._smallest_with_survival(np.asarray(math.log(allowed) - math.log(2)))) + self.sensitivity
        y = np.arange(-reach, reach + 1)
        step = 2 * self.rho / self.sensitivity
        return LossAtoms(self.rho, step, -reach, np.asarray(self.log_pmf(y)), allowed)


@dataclass(frozen=True, kw_only=True)
class RandomizedResponse:
    """A person's own answer to a question with d categories, kept with the largest probability epsilon allows.

    Parameters
    ----------
    epsilon : float
        pure-DP budget of the answer, at least 0
    categories : int, optional
        number of possible answers, at least 2

    References
    ----------
    kairouz, section 2 (the extremal pair)
    dwork_roth, section 3.2

    Examples
    --------
    >>> RandomizedResponse(epsilon=math.log(3)).probability_truthful
    0.75
    """

    epsilon: float
    categories: int = 2

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", number("epsilon", self.epsilon, 0.0))
        object.__setattr__(self, "categories", count("categories", self.categories, 2))

    @property
    def guarantee(self) -> PureDP:
        """Pure DP of one answer when the true one is replaced by another; it does not hide who answers."""
        return PureDP(epsilon=self.epsilon, relation=Relation.REPLACE)

    @property
    def probability_truthful(self) -> float:
        """Probability that the true answer is published: e^epsilon/(e^epsilon + d - 1)."""
        return 1 / (1 + (self.categories - 1) * math.exp(-self.epsilon))

    @property
    def probability_other(self) -> float:
        """Probability that a given wrong answer is published: 1/(e^epsilon + d - 1)."""
        return math.exp(-self.epsilon) * self.probability_truthful

    @property
    def probability_exact(self) -> float:
        """Probability that the published answer is right."""
        return self.probability_truthful

    @overload
    def estimate_variance(self, proportion: Number, *, respondents: int) -> float: ...
    @overload
    def estimate_variance(self, proportion: ArrayLike, *, respondents: int) -> FloatArray: ...
    def estimate_variance(self, proportion: ArrayLike, *, respondents: int) -> Any:
        """Variance, over the randomisation and the sampling of answers, of the unbiased estimate of a proportion."""
        share = probability("proportion", proportion)
        gain = self.probability_truthful - self.probability_other
        if gain == 0:
            raise Refused("epsilon", "be greater than 0 and finite", 0.0, Code.OUT_OF_RANGE)
        reported = self.probability_other + gain * share
        return scalar_or_array(reported * (1 - reported) / (count("respondents", respondents, 1) * gain**2), proportion)

    @once_by_place("self", "truth", "seed", above=2)
    def simulate_answers(self, truth: ArrayLike, *, seed: int | np.random.Generator) -> IntArray:
        """Seeded published answers for true answers 0..d-1, for teaching and checking; not for release."""
        answers = _integers(truth, "truth").astype(np.int64)
        if ((answers < 0) | (answers >= self.categories)).any():
            raise Refused("truth", f"lie in [0, {self.categories - 1}]", truth, Code.OUT_OF_RANGE)
        generator = seeded(seed)
        other = (answers + generator.integers(1, self.categories, answers.shape)) % self.categories
        return np.where(generator.random(answers.shape) < self.probability_truthful, answers, other)

    def privacy_loss_atoms(self) -> LossAtoms:
        """Exact law of the privacy loss: epsilon, 0 and -epsilon with odds e^epsilon : d - 2 : 1."""
        log_total = -math.log(self.probability_truthful)  # of e^epsilon + d - 1, less epsilon
        if self.categories == 2:
            return LossAtoms(-self.epsilon, 2 * self.epsilon, 0, np.array([-self.epsilon, 0.0]) - log_total)
        middle = math.log(self.categories - 2) - self.epsilon
        return LossAtoms(-self.epsilon, self.epsilon, 0, np.array([-self.epsilon, middle, 0.0]) - log_total)


Mechanism = Geometric | Laplace | Gaussian | DiscreteGaussian | RandomizedResponse

_FOR_STD = "or from a standard deviation as dpcore.accuracy.noise_for_std(std, {!r})"
_RHO = "the rho for an (epsilon, delta) is dpcore.guarantees.gaussian_rho(epsilon=…, delta=…)"
_EPSILON = "it is Gaussian and DiscreteGaussian that have a rho"
_ELSEWHERE = {
    kind: {"rho": _EPSILON, "scale": f"or from a scale as {kind}.from_scale(scale)"}
    | dict.fromkeys(("std", "sigma"), _FOR_STD.format(kind.lower()))
    for kind in ("Geometric", "Laplace")
} | {
    kind: {"epsilon": _RHO, "delta": _RHO}
    | dict.fromkeys(("std", "sigma", "scale"), f"or from a {word} as {kind}.{way}")
    for kind, word, way in (
        ("Gaussian", "standard deviation", "from_std(std)"),
        ("DiscreteGaussian", "sigma", "from_sigma(sigma)"),
    )
}
"""Where the arguments lead that other libraries give their noise."""

_ADDED = ("NoiseMechanism", "Geometric", "Laplace", "Gaussian", "DiscreteGaussian")
speak_of(
    "A law of noise makes no promise by itself: that depends on how far one step moves the number it is added to.",
    globals(),
    others={
        "The promise is for one step, which moves the number by the sensitivity at most.": _ADDED,
        "The loss is that of one step at the full sensitivity: a promise takes as many as lie between its worlds.": (
            "LossAtoms",
        ),
        "The promise is about one person's answer, exchanged for another; that they took part is visible.": (
            "RandomizedResponse",
        ),
    },
)
tell_calls(globals(), _ELSEWHERE)
