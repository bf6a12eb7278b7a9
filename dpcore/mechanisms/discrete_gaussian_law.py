"""The law of the discrete Gaussian for arrays of concentrations: normaliser, variance, probabilities, tails."""

from __future__ import annotations

import math
from typing import overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erfcx

from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number, array, refuse_fractions, scalar_or_array


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
    terms = 40 / c / (np.hypot(start, np.sqrt(40 / c)) + start)  # beyond them the rest is below e^-40
    direct = np.zeros(c.shape)
    few = terms <= _TERMS
    if few.any():
        direct[few] = np.log(_direct_tail(start[few], c[few], int(terms[few].max()) + 1))
    if not few.all():
        direct[~few] = np.log(_smooth_tail(start[~few], c[~few]))
    with np.errstate(over="ignore"):  # a probability below that of any float
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
    steep, order = 2 * c * k, 1
    previous, hermite = np.ones(k.shape), steep  # times a power of root(c), so that none overflows
    for coefficient in _EULER_MACLAURIN:
        total += coefficient * hermite  # minus (-1)^odd
        for _ in range(2):
            previous, hermite = hermite, steep * hermite - 2 * order * c * previous
            order += 1
    return total
