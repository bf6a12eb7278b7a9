"""Discrete Gaussian noise, and its law for arrays of concentrations."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erfcx

from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number, array, count, number, refuse_fractions, scalar_or_array, seeded
from dpcore.guarantees import ZeroConcentratedDP
from dpcore.mechanisms.additive import WholeNoise
from dpcore.mechanisms.losses import IntArray, LossAtoms

_SMALL_LOG = -745.0  # below it a float's exponential is zero


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
@call_hint
def discrete_gaussian_log_normaliser(rho: ArrayLike) -> float | FloatArray:
    """Logarithm of the normaliser theta(rho), the sum over all integers z of e^(-rho z^2).

    A law of noise makes no promise by itself: that depends on how far one step moves the number. The value is log
    theta(rho), exact: the direct series for rho of at least pi, Poisson's dual series below.
    Source: canonne_kamath_steinke, Definition 1; ours, both theta series; checked in mpmath

    Parameters
    ----------
    rho : array_like; concentration 1/(2 sigma^2), above 0; for sensitivity 1 it is the rho of zCDP

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
@call_hint
def discrete_gaussian_variance(rho: ArrayLike) -> float | FloatArray:
    """Variance of the discrete Gaussian with concentration rho, slightly below 1/(2 rho).

    A law of noise makes no promise by itself: that depends on how far one step moves the number. The value is
    -theta'(rho)/theta(rho), exact.
    Source: canonne_kamath_steinke, Corollary 9; ours, derivative of the theta series

    Parameters
    ----------
    rho : array_like; concentration 1/(2 sigma^2), above 0

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
@call_hint
def discrete_gaussian_log_pmf(value: ArrayLike, *, rho: ArrayLike) -> float | FloatArray:
    """Log probability that the discrete Gaussian with concentration rho takes an integer value.

    A law of noise makes no promise by itself: that depends on how far one step moves the number. The value is -rho
    value^2 - log theta(rho), exact.
    Source: canonne_kamath_steinke, Definition 1

    Parameters
    ----------
    value : array_like; integers
    rho : array_like; concentration 1/(2 sigma^2), above 0; broadcast against `value`

    Examples
    --------
    >>> round(discrete_gaussian_log_pmf(1000, rho=1.0), 3)
    -1000000.572
    """
    z, c = array("value", value), _concentration(rho)
    refuse_fractions("value", z)
    return scalar_or_array(-c * z * z - _theta(c)[0], value, rho)


@overload
def discrete_gaussian_log_tail(value: Number, *, rho: Number) -> float: ...
@overload
def discrete_gaussian_log_tail(value: ArrayLike, *, rho: ArrayLike) -> FloatArray: ...
@call_hint
def discrete_gaussian_log_tail(value: ArrayLike, *, rho: ArrayLike) -> float | FloatArray:
    """Log probability that the discrete Gaussian with concentration rho is at least a value.

    A law of noise makes no promise by itself: that depends on how far one step moves the number. The value is log
    P[noise >= value], exact to about 1e-13 relative in the probability, however far the tail.
    Source: ours, direct sum where few terms matter, Euler-Maclaurin where the terms vary slowly; checked in mpmath

    Parameters
    ----------
    value : array_like; real; the tail starts at the next integer
    rho : array_like; concentration 1/(2 sigma^2), above 0; broadcast against `value`

    Examples
    --------
    >>> import math
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


@call_hint(
    epsilon="the rho for an (epsilon, delta) is dpcore.guarantees.gaussian_rho(epsilon=…, delta=…)",
    delta="the rho for an (epsilon, delta) is dpcore.guarantees.gaussian_rho(epsilon=…, delta=…)",
    std="or from a sigma as DiscreteGaussian.from_sigma(sigma)",
    sigma="or from a sigma as DiscreteGaussian.from_sigma(sigma)",
    scale="or from a sigma as DiscreteGaussian.from_sigma(sigma)",
)
@dataclass(frozen=True, kw_only=True)
class DiscreteGaussian(WholeNoise):
    """Integer noise with P[noise = z] proportional to e^(-z^2/(2 sigma^2)), sigma^2 = sensitivity^2/(2 rho).

    The promise is for one step, which moves the number by the sensitivity at most.

    For arrays of rho use the functions `discrete_gaussian_log_pmf`, `discrete_gaussian_log_tail`,
    `discrete_gaussian_log_normaliser` and `discrete_gaussian_variance`.
    Source: canonne_kamath_steinke, Definition 1 and Theorem 4

    Parameters
    ----------
    rho : float; zCDP budget of the release, above 0
    sensitivity : int, optional; largest change of the count by one person, a whole number of at least 1

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
        omitted : float, optional; probability that may lie outside the atoms kept, in (0, 1)
        """
        allowed = number("omitted", omitted, 0.0, 1.0, open_low=True, open_high=True)
        reach = int(self._smallest_with_survival(np.asarray(math.log(allowed) - math.log(2)))) + self.sensitivity
        y = np.arange(-reach, reach + 1)
        step = 2 * self.rho / self.sensitivity
        return LossAtoms(self.rho, step, -reach, np.asarray(self.log_pmf(y)), allowed)


_RHO = "the rho for an (epsilon, delta) is dpcore.guarantees.gaussian_rho(epsilon=…, delta=…)"
_OF_SIGMA = "or from a sigma as DiscreteGaussian.from_sigma(sigma)"
