"""Evidence of one person in noisy counts: how far a release moves the log odds, and how often it moves them where.

The evidence is the privacy loss of one count that the person moves by one. Each kind of noise is one class, its rate an
array, so that a curve over budgets is one call. A *gap* is a noisy count less the known people: the noise, and one more
if the person is `counted`, which is 1 on the side "present" and 0 on the side "absent". Odds are log odds before the
release, broadcast against the rates.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.polynomial.legendre import leggauss
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, log_ndtr, ndtr, ndtri

from dpcore import _checks
from dpcore._cache import cached_by_size
from dpcore.attacks import _lattice
from dpcore.attacks._inputs import positive
from dpcore.errors import Code, Refused
from dpcore.mechanisms import (
    DiscreteGaussian,
    Gaussian,
    Geometric,
    Laplace,
    RandomizedResponse,
    discrete_gaussian_log_normaliser,
    discrete_gaussian_log_tail,
    geometric_log_tail,
    laplace_log_tail,
)

FloatArray = NDArray[np.float64]

CountMechanism = DiscreteGaussian | Gaussian | Geometric | Laplace | RandomizedResponse

MOST_JUMPS = 1_000
_BEYOND = 1e300  # a threshold no release reaches, as a number the tails take


class TwoWorlds(ABC):
    """What all releases together say of a person: the average belief, and how often the call is right."""

    @abstractmethod
    def average(self, odds: FloatArray, counted: int) -> FloatArray:
        """Average belief over all releases of a side."""

    @abstractmethod
    def right(self, odds: FloatArray, counted: int) -> FloatArray:
        """Probability of a right call; a tie is decided against the person being counted."""


@dataclass(frozen=True, eq=False)
class Evidence(TwoWorlds):
    """Evidence in one noisy count, at one rate or an array of rates."""

    rate: FloatArray
    whole: ClassVar[bool] = True
    """Whether noisy counts are whole numbers."""
    named: ClassVar[str]
    """The noise as a refusal names it."""

    def check(self, gap: FloatArray) -> None:
        """Refuse a gap that no release has."""

    @abstractmethod
    def loss(self, gap: FloatArray) -> FloatArray:
        """How far a gap moves the log odds; it never falls with the gap."""

    @abstractmethod
    def log_law(self, noise: FloatArray) -> FloatArray:
        """Log probability, or log density, of a noise."""

    @abstractmethod
    def threshold(self, odds: FloatArray) -> FloatArray:
        """Smallest gap from which (if continuous: beyond which) the call is 'counted'; inf for none, -inf for all."""

    @abstractmethod
    def at_least(self, noise: FloatArray) -> FloatArray:
        """Probability that the noise is at least this."""

    @abstractmethod
    def loss_quantile(self, share: float, counted: int) -> FloatArray:
        """The evidence that a share of all releases does not exceed."""

    @abstractmethod
    def two_cells(self) -> TwoWorlds:
        """The same noise on each of the two cells between which a value moves."""

    @abstractmethod
    def log_transform(self, s: NDArray[Any]) -> NDArray[Any]:
        """Logarithm of E[exp(s loss)] over all releases about a counted person, at complex s, for one rate."""

    def atoms(self, counted: int) -> tuple[FloatArray, FloatArray]:
        """Every loss and its probability, for one rate."""
        rule = "move the log odds in steps, or all be Gaussian, for the chance of a call"
        raise Refused("mechanisms", rule, self.named, Code.UNSUPPORTED)

    def tie(self, odds: FloatArray, counted: int) -> FloatArray:
        """Probability of log odds of exactly zero: of the atoms at either end, where the evidence has an end."""
        at_start, at_end = self.at_least(np.asarray(counted)), self.at_least(np.asarray(1 - counted))
        tied_at_start, tied_at_end = (np.abs(odds - sign * self.rate) < _lattice.TIE for sign in (1, -1))
        return np.where(tied_at_start, at_start, np.where(tied_at_end, at_end, 0.0))

    def gaps(self, counted: int) -> FloatArray:
        """Every gap that matters on a side, rising, for one rate and whole noise."""
        raise Refused("mechanism", "have noise of whole numbers for a law of releases", self.named, Code.UNSUPPORTED)

    def jumps(self, size: float, low: float, high: float) -> FloatArray:
        """Rates in an interval, falling, at which the rule of an attacker with log odds of this size changes."""
        return np.array([size] if low < size < high else [])

    def quantile_jumps(self, share: float, low: float, high: float) -> FloatArray:
        """Rates in an interval, falling, at which the evidence that a share of releases does not exceed jumps."""
        return np.empty(0)

    def decides_counted(self, odds: FloatArray, counted: int) -> FloatArray:
        """Probability that the call is 'counted'."""
        return self.at_least(self.threshold(odds) - counted)

    def right(self, odds: FloatArray, counted: int) -> FloatArray:
        """Probability of a right call: for the person who is not counted the other tail, by symmetry of the noise."""
        return self.decides_counted(odds, 1) if counted else self.at_least(float(self.whole) - self.threshold(odds))


def noise_grid(rho: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Noise values (last axis) and their weights that average a logistic of discrete Gaussian noise to 15 digits.

    For small ρ every h-th value suffices: the sum is a trapezoidal rule whose error is near exp(-π²/(ρ h²)).
    """
    step = np.maximum(1.0, np.floor(np.sqrt(0.2 / rho)))
    values = np.multiply.outer(step, np.arange(-31.0, 32.0))
    weights = np.exp(-rho[..., None] * values * values)
    return values, weights / weights.sum(axis=-1, keepdims=True)


def _weighed(weights: FloatArray, beliefs: FloatArray) -> FloatArray:
    return np.asarray((weights * beliefs).sum(axis=-1))


class DiscreteGaussianEvidence(Evidence):
    """Noise of probability proportional to exp(-rate z²): each step of the count is worth twice the rate."""

    named = "discrete Gaussian"

    def loss(self, gap: FloatArray) -> FloatArray:
        return self.rate * (2 * gap - 1)

    def log_law(self, noise: FloatArray) -> FloatArray:
        return _lattice.log_pmf(noise, self.rate)

    def threshold(self, odds: FloatArray) -> FloatArray:
        return _lattice.first_beyond_tie(0.5 - odds / (2 * self.rate))

    def at_least(self, noise: FloatArray) -> FloatArray:
        return _lattice.tail(noise, self.rate)

    def average(self, odds: FloatArray, counted: int) -> FloatArray:
        rate, odds = np.broadcast_arrays(self.rate, odds)
        values, weights = noise_grid(rate)
        return _weighed(weights, expit(odds[..., None] + rate[..., None] * (2 * values + (2 * counted - 1))))

    def loss_quantile(self, share: float, counted: int) -> FloatArray:
        """By bisection on the exact tail of the noise."""
        rate = self.rate

        def reached(noise: FloatArray) -> NDArray[np.bool_]:
            """Whether P[Z <= noise] is at least the share, by whichever tail is small."""
            if share > 0.5:
                return np.asarray(discrete_gaussian_log_tail(noise + 1, rho=rate)) <= np.log1p(-share)
            return np.asarray(discrete_gaussian_log_tail(-noise, rho=rate)) >= np.log(share)

        near = np.round(ndtri(share) / np.sqrt(2 * rate))  # the normal quantile is seldom more than one away
        farthest = np.ceil(9.0 / np.sqrt(rate)) + 2
        low = np.where(reached(near - 2), -farthest, near - 2)
        high = np.where(reached(near + 1), near + 1, farthest)
        while (high - low > 1).any():
            middle = np.floor((low + high) / 2)
            enough = reached(middle)
            low, high = np.where(enough, low, middle), np.where(enough, middle, high)
        return self.loss(high + counted)

    def tie(self, odds: FloatArray, counted: int) -> FloatArray:
        below = self.threshold(odds) - 1
        tied = np.abs(odds + self.loss(below)) < _lattice.TIE
        return np.where(tied, np.exp(self.log_law(below - counted)), 0.0)

    def gaps(self, counted: int) -> FloatArray:
        reach = _lattice.reach(_checks.number("rho", float(self.rate), 1e-6))
        return np.arange(-reach, reach + 1.0) + counted

    def quantile_jumps(self, share: float, low: float, high: float) -> FloatArray:
        if share == 0.5:
            return np.empty(0)  # a noise of 1 or more has less than half of the probability at every rate
        jumps = _tail_rates(min(share, 1 - share))
        return jumps[(low < jumps) & (jumps <= high)]

    def jumps(self, size: float, low: float, high: float) -> FloatArray:
        """The threshold moves by one at size/(2 j - 1), j = 1, 2, ...; at most the largest thousand."""
        first = max(1, math.ceil((size / high + 1) / 2))
        last = min(math.floor((size / low + 1) / 2), first + MOST_JUMPS - 1)
        return np.asarray(size / (2 * np.arange(first, last + 1.0) - 1))

    def atoms(self, counted: int) -> tuple[FloatArray, FloatArray]:
        span = _lattice.reach(float(self.rate), 34.0) + 1
        z = np.arange(-span, span + 1.0)
        return self.rate * (2 * z + (2 * counted - 1)), np.exp(_lattice.log_pmf(z, self.rate))

    def log_transform(self, s: NDArray[Any]) -> NDArray[Any]:
        """A theta function of the rate.

        The nearest whole number is taken out of s: exp(2 rate s z) tilts the noise by s, and the lattice looks the same
        from every whole number.
        """
        rate, whole = float(self.rate), np.rint(s.real)
        rest = s - whole
        step = max(1, math.floor(math.sqrt(0.2 / rate)))  # as in the average over one release
        reach = (math.ceil(math.sqrt(_lattice.DROP / rate)) + 1) // step + 1
        z = np.arange(-reach, reach + 1, dtype=float) * step
        weights = np.exp(-rate * z * z)
        weights /= weights.sum()
        tilted = np.exp(2 * rate * np.multiply.outer(rest, z)) @ weights
        return np.asarray(np.log(tilted) + rate * (s + whole * (2 * rest + whole)))

    def two_cells(self) -> TwoWorlds:
        return _DiscreteGaussianCells(self.rate)


@cached_by_size()
def _tail_rates(share: float) -> FloatArray:
    """The ρ at which P[noise >= k] is a share below one half, for k = 1, ..., 100: falling."""
    k = np.arange(1.0, 101.0)
    # P[noise >= 1] is the smallest share at ρ = 745, and one unit in the last place below one half at ρ = 4e-32.
    below, above = np.full(k.size, 1e-40), np.full(k.size, 800.0)
    for _ in range(60):
        middle = np.sqrt(below * above)
        found = np.asarray(discrete_gaussian_log_tail(k, rho=middle)) < np.log(share)
        below, above = np.where(found, below, middle), np.where(found, middle, above)
    above.flags.writeable = False
    return above


@dataclass(frozen=True, eq=False)
class _DiscreteGaussianCells(TwoWorlds):
    """Two cells: the evidence is 2 rate (d ± 1) with d the difference of the two noises.

    With d = 2j the noises are j + u and u - j: exp(-rate (d²/2 + 2u²)), summed over whole u, or half ones for odd d.
    """

    rate: FloatArray

    @staticmethod
    def _parity_logs(rate: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Log weights that turn exp(-rate d²/2) into the law of d: for even d, for odd d."""
        each = np.asarray(discrete_gaussian_log_normaliser(rate))
        even = np.asarray(discrete_gaussian_log_normaliser(2 * rate))
        odd = np.log(2) + _lattice.log_half_sum(2 * rate, -0.5)
        return even - 2 * each, odd - 2 * each

    def _tail(self, k: FloatArray) -> FloatArray:
        """Probability that the difference is at least the whole number k."""
        k, rate = np.broadcast_arrays(k, self.rate)
        first = np.where(k >= 1, k, 1 - k)  # the law is symmetric: below 1 by the other side
        even, odd = self._parity_logs(rate)
        # d = 2j for even, 2j + 1 for odd: exp(-2 rate (j + parity/2)²)
        from_even = even + _lattice.log_half_sum(2 * rate, -np.ceil(first / 2))
        from_odd = odd + _lattice.log_half_sum(2 * rate, -(np.ceil((first - 1) / 2) + 0.5))
        upper = np.exp(np.logaddexp(from_even, from_odd))
        return np.asarray(np.where(k >= 1, upper, 1 - upper))

    def average(self, odds: FloatArray, counted: int) -> FloatArray:
        rate, odds = np.broadcast_arrays(self.rate, odds)
        values, weights = noise_grid(rate / 2)  # exp(-rate d²/2), thinned where the noise is wide
        even, odd = self._parity_logs(rate)
        weights = weights * np.where(values % 2 == 0, 1.0, np.exp(odd - even)[..., None])
        weights = weights / weights.sum(axis=-1, keepdims=True)
        return _weighed(weights, expit(odds[..., None] + 2 * rate[..., None] * (values + (2 * counted - 1))))

    def right(self, odds: FloatArray, counted: int) -> FloatArray:
        threshold = _lattice.first_beyond_tie(-odds / (2 * self.rate))
        return self._tail(threshold - 1) if counted else self._tail(-threshold)


def _log_twice_cosh(x: NDArray[Any]) -> NDArray[Any]:
    """Logarithm of exp(x) + exp(-x) at complex x, without overflow."""
    x = np.where(x.real < 0, -x, x)
    with np.errstate(divide="ignore"):  # zero where the real part is
        return np.asarray(x + np.log(1 + np.exp(-2 * x)))


class GeometricEvidence(Evidence):
    """Noise of probability proportional to exp(-rate |z|): the evidence is the rate, up or down."""

    named = "geometric"

    def loss(self, gap: FloatArray) -> FloatArray:
        return np.where(gap >= 1, self.rate, -self.rate)

    def log_law(self, noise: FloatArray) -> FloatArray:
        return np.log(np.tanh(self.rate / 2)) - self.rate * np.abs(noise)

    def threshold(self, odds: FloatArray) -> FloatArray:
        return _two_sided(odds, self.rate, np.asarray(1.0))

    def at_least(self, noise: FloatArray) -> FloatArray:
        with np.errstate(over="ignore"):
            return np.exp(np.asarray(geometric_log_tail(np.clip(noise, -_BEYOND, _BEYOND), rate=self.rate)))

    def average(self, odds: FloatArray, counted: int) -> FloatArray:
        towards = self.rate * (2 * counted - 1)
        return expit(self.rate) * expit(odds + towards) + expit(-self.rate) * expit(odds - towards)

    def loss_quantile(self, share: float, counted: int) -> FloatArray:
        below = expit(-self.rate if counted else self.rate)
        return np.where(share * (1 - 1e-14) <= below, -self.rate, self.rate)

    def gaps(self, counted: int) -> FloatArray:
        reach = math.ceil(_lattice.DROP / _checks.number("epsilon", float(self.rate), 1e-3))
        return np.arange(-reach, reach + 1.0) + counted

    def quantile_jumps(self, share: float, low: float, high: float) -> FloatArray:
        """Where the lower evidence becomes rarer than the share, for a person who is counted."""
        return np.array([rate for rate in [-math.log(share / (1 - share))] if low < rate <= high])

    def atoms(self, counted: int) -> tuple[FloatArray, FloatArray]:
        towards = self.rate * (2 * counted - 1)
        return np.array([towards, -towards]), np.array([expit(self.rate), expit(-self.rate)])

    def log_transform(self, s: NDArray[Any]) -> NDArray[Any]:
        """Logarithm of cosh(rate (s + 1/2))/cosh(rate/2)."""
        rate = float(self.rate)
        return _log_twice_cosh(rate * (s + 0.5)) - _log_twice_cosh(np.asarray(rate / 2 + 0j))

    def two_cells(self) -> TwoWorlds:
        return _GeometricCells(self.rate)


@dataclass(frozen=True, eq=False)
class _GeometricCells(TwoWorlds):
    """Two cells: the evidence is 2 rate, 0 or -2 rate."""

    rate: FloatArray

    def _atoms(self, counted: int) -> tuple[tuple[FloatArray, FloatArray], ...]:
        """Evidence with its probability on a side."""
        towards, away = expit(self.rate), expit(-self.rate)
        twice = 2 * self.rate * (2 * counted - 1)
        return (twice, towards**2), (np.zeros_like(twice), 2 * towards * away), (-twice, away**2)

    def average(self, odds: FloatArray, counted: int) -> FloatArray:
        return np.asarray(sum(mass * expit(odds + loss) for loss, mass in self._atoms(counted)))

    def right(self, odds: FloatArray, counted: int) -> FloatArray:
        return np.asarray(
            sum(mass * ((odds + loss > _lattice.TIE) == bool(counted)) for loss, mass in self._atoms(counted))
        )


class RandomizedResponseEvidence(GeometricEvidence):
    """A person's own answer, kept with odds exp(rate): the evidence is that of geometric noise, the counts are two."""

    named = "randomised response"

    def gaps(self, counted: int) -> FloatArray:
        return np.array([0.0, 1.0])

    def check(self, gap: FloatArray) -> None:
        outside = (gap != 0) & (gap != 1)
        if outside.any():
            raise Refused(
                "noisy_count", "be the known people or one more", int(gap[outside].flat[0]), Code.OUT_OF_RANGE
            )

    def log_law(self, noise: FloatArray) -> FloatArray:
        return np.where(noise == 0, -np.log1p(np.exp(-self.rate)), -np.log1p(np.exp(self.rate)))

    def two_cells(self) -> TwoWorlds:
        raise Refused("mechanism", "add noise to each cell", self.named, Code.UNSUPPORTED)


def _two_sided(odds: FloatArray, rate: FloatArray, between: FloatArray) -> FloatArray:
    """A threshold for evidence within ± rate: none where it cannot reach, all where it cannot hold back."""
    return np.where(odds + rate <= _lattice.TIE, np.inf, np.where(odds - rate > _lattice.TIE, -np.inf, between))


class _ContinuousEvidence(Evidence):
    """Noise on any real number: a count may be a fraction, and no count is certain to the last digit."""

    whole = False


_STANDARD = np.arange(-18, 19) / 2  # places of a trapezoidal rule in standard deviations
_STANDARD_WEIGHTS = np.exp(-(_STANDARD**2) / 2) / np.exp(-(_STANDARD**2) / 2).sum()
_LOGISTIC = np.arange(-160, 81) / 2  # places of a trapezoidal rule against the logistic density
_LOGISTIC_WEIGHTS = 0.5 * expit(_LOGISTIC) * expit(-_LOGISTIC)


def average_logistic_of_normal(odds: FloatArray, mean: FloatArray, std: FloatArray) -> FloatArray:
    """E[expit(odds + Z)] for normal Z, to about 14 digits also where it is tiny.

    A trapezoidal rule in Z where its deviation is at most one; else over the logistic variable L, of which the average
    is P[L < odds + Z] and all but the cut tails lie in a fixed stretch. Where the odds are so far below zero that the
    belief is its own small exponential, that is taken out: E[expit(x)] = E[exp(x)] E'[expit(-x)], Z tilted by one.
    """
    odds, mean, std = np.broadcast_arrays(odds + mean, mean, std)
    narrow = _weighed(_STANDARD_WEIGHTS, expit(odds[..., None] + np.minimum(std, 1.0)[..., None] * _STANDARD))
    if (std <= 1).all():
        return narrow
    tilted = odds < -std * std / 2
    centre = np.where(tilted, -(odds + std * std), odds)
    wide = _weighed(_LOGISTIC_WEIGHTS, ndtr((centre[..., None] - _LOGISTIC) / std[..., None]))
    scale = np.exp(np.where(tilted, odds + std * std / 2, 0.0))
    return np.where(std <= 1, narrow, scale * wide)


class GaussianEvidence(_ContinuousEvidence):
    """Normal noise of variance 1/(2 rate): the evidence is normal with mean ± rate and variance 2 rate."""

    named = "Gaussian"

    def loss(self, gap: FloatArray) -> FloatArray:
        return self.rate * (2 * gap - 1)

    def log_law(self, noise: FloatArray) -> FloatArray:
        return 0.5 * np.log(self.rate / math.pi) - self.rate * noise * noise

    def threshold(self, odds: FloatArray) -> FloatArray:
        return 0.5 - odds / (2 * self.rate)

    def at_least(self, noise: FloatArray) -> FloatArray:
        return np.exp(log_ndtr(-noise * np.sqrt(2 * self.rate)))

    def average(self, odds: FloatArray, counted: int) -> FloatArray:
        return average_logistic_of_normal(odds, (2 * counted - 1) * self.rate, np.sqrt(2 * self.rate))

    def loss_quantile(self, share: float, counted: int) -> FloatArray:
        return (2 * counted - 1) * self.rate + np.sqrt(2 * self.rate) * ndtri(share)

    def tie(self, odds: FloatArray, counted: int) -> FloatArray:
        return np.zeros(np.broadcast(odds, self.rate).shape)

    def jumps(self, size: float, low: float, high: float) -> FloatArray:
        """None: the threshold moves smoothly."""
        return np.empty(0)

    def log_transform(self, s: NDArray[Any]) -> NDArray[Any]:
        return self.rate * s * (s + 1)

    def two_cells(self) -> TwoWorlds:
        """The difference of two normal noises is one normal noise of twice the variance, moved by two."""
        return GaussianEvidence(2 * self.rate)


class LaplaceEvidence(_ContinuousEvidence):
    """Noise of density proportional to exp(-rate |z|): the evidence is rate (2 gap - 1), cut to ± rate."""

    named = "Laplace"

    def loss(self, gap: FloatArray) -> FloatArray:
        return self.rate * np.clip(2 * gap - 1, -1.0, 1.0)

    def log_law(self, noise: FloatArray) -> FloatArray:
        return np.log(self.rate / 2) - self.rate * np.abs(noise)

    def threshold(self, odds: FloatArray) -> FloatArray:
        return _two_sided(odds, self.rate, 0.5 - odds / (2 * self.rate))

    def at_least(self, noise: FloatArray) -> FloatArray:
        with np.errstate(over="ignore"):
            return np.exp(np.asarray(laplace_log_tail(np.clip(noise, -_BEYOND, _BEYOND), rate=self.rate)))

    def average(self, odds: FloatArray, counted: int) -> FloatArray:
        """Two atoms, and between them an integral that is an arctangent."""
        rate, odds = np.broadcast_arrays(self.rate, odds)
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            ratio = np.sinh(np.minimum(rate / 2, 700.0)) / np.cosh(odds / 2)
            turned = np.where(ratio > 0, np.arctan(ratio) / ratio, 1.0)
        left = np.where(ratio < 0.1, _one_less_arctangent(np.minimum(ratio, 0.1)), 1 - turned)
        inside, at_end, at_start = -np.expm1(-rate), expit(odds + rate), expit(odds - rate)
        if counted:
            return 0.5 * (at_end + np.exp(-rate) * at_start + inside * (expit(odds) + expit(-odds) * left))
        return 0.5 * (at_start + np.exp(-rate) * at_end + inside * expit(odds) * turned)

    def loss_quantile(self, share: float, counted: int) -> FloatArray:
        rising = self.rate + 2 * math.log(2 * share) if counted else -self.rate - 2 * math.log(2 * (1 - share))
        return np.clip(rising, -self.rate, self.rate)

    def log_transform(self, s: NDArray[Any]) -> NDArray[Any]:
        """Logarithm of exp(-rate/2) (cosh(rate w) + sinh(rate w)/(2 w)), w = s + 1/2: two atoms and what is between."""
        rate, w = float(self.rate), s + 0.5
        w = np.where(w.real < 0, -w, w)
        at_zero = np.abs(w) < 1e-12
        half = np.where(at_zero, 1.0, w)
        between = np.where(at_zero, rate, -np.expm1(-2 * rate * half) / (2 * half))
        return np.asarray(rate * (w - 0.5) + np.log((1 + np.exp(-2 * rate * w) + between) / 2))

    def two_cells(self) -> TwoWorlds:
        return _LaplaceCells(self.rate)


def _one_less_arctangent(x: FloatArray) -> FloatArray:
    """1 - arctan(x)/x for x of at most 0.1, by its series."""
    square = x * x
    return np.asarray(sum((-1) ** (j + 1) * square**j / (2 * j + 1) for j in range(1, 10)))


_NODES, _NODE_WEIGHTS = leggauss(10)
_PANELS = 40


@dataclass(frozen=True, eq=False)
class _LaplaceCells(TwoWorlds):
    """Two cells: the evidence is the sum of two that are cut to ± rate, with atoms at both ends and in the middle."""

    rate: FloatArray

    def average(self, odds: FloatArray, counted: int) -> FloatArray:
        """Over the first cell in closed form, over the second by its atoms and Gauss-Legendre between them."""
        rate, odds = np.broadcast_arrays(self.rate, odds)
        sign = 2 * counted - 1
        one = LaplaceEvidence(rate[..., None])
        span = np.minimum(2 * rate, 80.0)  # farther from its end the density has fallen by exp(-40)
        places = (np.arange(_PANELS)[:, None] + (_NODES + 1) / 2).ravel() / _PANELS
        away = span[..., None] * places
        weights = np.tile(_NODE_WEIGHTS, _PANELS) / (2 * _PANELS) * span[..., None] * np.exp(-away / 2) / 4
        between = _weighed(weights, one.average(odds[..., None] + sign * (rate[..., None] - away), counted))
        ends = LaplaceEvidence(rate)
        upper, lower = (ends.average(odds + way * sign * rate, counted) for way in (1, -1))
        return 0.5 * (upper + np.exp(-rate) * lower) + between

    def right(self, odds: FloatArray, counted: int) -> FloatArray:
        """By the law of the sum: P[S > x] = 1 - e^(x/2 - r)(3/4 + (2r - x)/8) for x from 0 to 2r if counted."""
        rate, odds = np.broadcast_arrays(self.rate, odds)
        shift = np.abs(odds)
        up = odds <= 0  # the prior is against the person being counted: evidence has to speak for it
        within = np.where(up, shift < 2 * rate - _lattice.TIE, shift <= 2 * rate + _lattice.TIE)
        reach = np.maximum(2 * rate - shift, 0.0)
        # Evidence beyond the odds in the world it speaks for, and evidence as far the other way in that world.
        beyond = np.where(within, 1 - np.exp(-reach / 2) * (0.75 + reach / 8), 0.0)
        against = np.where(within, np.exp(-rate - shift / 2) * (0.25 + reach / 8), 0.0)
        tie = np.where(shift <= _lattice.TIE, 0.5 * np.exp(-rate), 0.0)
        if counted:
            return np.where(up, beyond, 1 - against - tie)
        return np.where(up, 1 - against, beyond + tie)


KINDS: dict[type, tuple[type[Evidence], str, Callable[[Any], float]]] = {
    DiscreteGaussian: (DiscreteGaussianEvidence, "rho", lambda noise: noise.concentration),
    Gaussian: (GaussianEvidence, "rho", lambda noise: noise.rho / noise.sensitivity**2),
    Geometric: (GeometricEvidence, "epsilon", lambda noise: noise.rate),
    Laplace: (LaplaceEvidence, "epsilon", lambda noise: noise.epsilon / noise.sensitivity),
    RandomizedResponse: (RandomizedResponseEvidence, "epsilon", lambda answer: answer.epsilon),
}
"""For each mechanism its evidence, the name of its budget, and the rate of a count that one person moves by one."""


def evidence_of(mechanism: CountMechanism) -> Evidence:
    """The evidence in one count with this mechanism's noise."""
    if type(mechanism) not in KINDS:
        raise Refused("mechanism", "add noise to a count", mechanism, Code.WRONG_TYPE)
    if isinstance(mechanism, RandomizedResponse):
        if mechanism.categories != 2:
            raise Refused("categories", "be 2 for an answer that is counted", mechanism.categories, Code.UNSUPPORTED)
        if mechanism.epsilon == 0:
            raise Refused("epsilon", "be greater than 0 and finite", 0.0, Code.OUT_OF_RANGE)
    kind, _, rate = KINDS[type(mechanism)]
    return kind(np.asarray(rate(mechanism)))


def budget_name(mechanism: CountMechanism) -> str:
    """What the budget of a mechanism is called: rho or epsilon."""
    return KINDS[type(mechanism)][1]


def at_budgets(mechanism: CountMechanism, budgets: ArrayLike) -> Evidence:
    """The evidence in one count with noise of the same kind and sensitivity at each of these budgets."""
    own, name = evidence_of(mechanism), budget_name(mechanism)
    per_budget = float(own.rate) / getattr(mechanism, name)
    return replace(own, rate=positive(name, budgets) * per_budget)
