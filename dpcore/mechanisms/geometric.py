"""Two-sided geometric noise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Self, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from dpcore import _checks
from dpcore._cache import MEGABYTE, cached_by_size
from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number, array, count, number, refuse_fractions, scalar_or_array, seeded
from dpcore.errors import Code, Refused
from dpcore.guarantees import PureDP
from dpcore.mechanisms import _lattice
from dpcore.mechanisms._evidence import BEYOND, Evidence, TwoWorlds, two_sided
from dpcore.mechanisms.additive import MARGIN, MOST_SUMMED, WholeNoise, log_tail_allowed, newton_of_slope
from dpcore.mechanisms.losses import IntArray, Lattice, LossAtoms, LossParts

SMALLEST_DRAWN = 1e-16
"""Draws of noise of a smaller rate may leave 64 bits."""


@overload
def geometric_log_tail(value: Number, *, rate: Number) -> float: ...
@overload
def geometric_log_tail(value: ArrayLike, *, rate: ArrayLike) -> FloatArray: ...
@call_hint
def geometric_log_tail(value: ArrayLike, *, rate: ArrayLike) -> float | FloatArray:
    """Log probability that two-sided geometric noise of a rate is at least a value.

    A law of noise makes no promise by itself: that depends on how far one step moves the number. The value is log
    P[noise >= value], exact: e^(-rate k)/(1 + e^-rate) for k >= 1, k the next integer.
    Source: ghosh, Definition 2.3

    Parameters
    ----------
    value : array_like; real; the tail starts at the next integer
    rate : array_like; fall of the log probability per unit of noise, at least 0 (the limit of ever wider noise);
        broadcast

    Examples
    --------
    >>> round(math.exp(geometric_log_tail(1, rate=math.log(9))), 12)
    0.1
    """
    k, fall = np.ceil(array("value", value)), array("rate", rate, 0.0)
    start = np.where(k > 0, k, 1 - k)
    log_upper = -fall * start - np.log1p(np.exp(-fall))
    return scalar_or_array(np.where(k > 0, log_upper, np.log1p(-np.exp(log_upper))), value, rate)


@call_hint(
    rho="it is Gaussian and DiscreteGaussian that have a rho",
    scale="or from a scale as Geometric.from_scale(scale)",
    std="or from a standard deviation as dpcore.accuracy.noise_for_std(std, 'geometric')",
    sigma="or from a standard deviation as dpcore.accuracy.noise_for_std(std, 'geometric')",
)
@dataclass(frozen=True, kw_only=True)
class Geometric(WholeNoise):
    """Two-sided geometric noise for counts: P[noise = z] proportional to e^(-rate |z|), rate = epsilon/sensitivity.

    The promise is for one step, which moves the number by the sensitivity at most.
    Source: ghosh, Definition 2.3; thesis, section 3.2

    Parameters
    ----------
    epsilon : float; pure-DP budget of the release, above 0
    sensitivity : int, optional; largest change of the count by one person, a whole number of at least 1

    Examples
    --------
    >>> noise = Geometric(epsilon=math.log(9))
    >>> round(noise.std, 2), round(noise.cdf(-1), 12)
    (0.53, 0.1)
    """

    name = "geometric"
    label = "geometric noise"
    short = "geometric"
    spellings = ("geometric", "two-sided geometric", "double geometric", "discrete Laplace", "geometric (epsilon)")
    letter = "n"
    budget_kind = "epsilon"
    measurement = "laplace"
    log_power = 1

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

    def mean_absolute_about(self, shift: float) -> float:
        """Mean of |noise + shift| for a whole shift of at least 0."""
        moved = count("shift", shift)
        return moved - 2 * math.exp(-self.rate * (moved + 1)) / ((1 + math.exp(-self.rate)) * math.expm1(-self.rate))

    def tail_sum(self, start: FloatArray) -> FloatArray:
        """Sum of P[noise >= start + j] over j = 0, 1, ...: a geometric series."""
        return np.asarray(self.tail(start)) / -math.expm1(-self.rate)

    def log_sum_pmf(self, total: FloatArray, terms: int) -> FloatArray:
        """log P[so many independent noises add up to a whole total], also far in the tails."""
        size = np.abs(total).astype(np.int64)
        if terms == 1:
            return np.asarray(self.log_pmf(size))
        far = max(int(size.max(initial=0)), math.ceil(12 * self.std * math.sqrt(terms) + 45 / self.rate)) + 64
        if far > MOST_SUMMED:
            rule = f"sum to at most {MOST_SUMMED:,} to each side"
            raise Refused("mechanism", rule, self, Code.TOO_LARGE, got=f"{far:,}")
        return np.asarray(_log_sum_law(self.rate, terms, 2 ** math.ceil(math.log2(far)))[size])

    def log_difference_tail(self, other: Self, distance: FloatArray) -> FloatArray:
        """log P[noise - other noise >= k] for k >= 1, all terms positive: with a = e^-slow, b = e^-fast and r = b/a.

        The chance is (1-a)/(1+a) (1-b)/(1+b) a^k times ab/(1-ab) (1/(1-a) + r^k/(1-b)), plus
        ((1-b)(1 + … + r^(k-1)) + r^k)/((1-a)(1-b)).
        """
        slow, fast, both, log_a, log_b = self._pair(other)
        gap = fast - slow
        outer = both + np.logaddexp(log_b, log_a - gap * distance)
        inner = np.logaddexp(log_b + _log_ratio_sum(distance, gap), -gap * distance)
        log_norm = math.log1p(math.exp(-slow)), math.log1p(math.exp(-fast))
        return np.asarray(-slow * distance + np.logaddexp(outer, inner) - log_norm[0] - log_norm[1])

    def log_difference_pmf(self, other: Self, distance: FloatArray) -> FloatArray:
        """log P[noise - other noise = k] for k >= 0."""
        slow, fast, both, log_a, log_b = self._pair(other)
        gap = fast - slow
        inside = np.logaddexp(both + np.logaddexp(0.0, -gap * distance), _log_ratio_sum(distance + 1, gap))
        found = -slow * distance + log_a + log_b + inside - math.log1p(math.exp(-slow)) - math.log1p(math.exp(-fast))
        return np.asarray(found)

    def _pair(self, other: Self) -> tuple[float, float, float, float, float]:
        slow, fast = sorted((self.rate, other.rate))
        both = -slow - fast - math.log(-math.expm1(-slow - fast))
        return slow, fast, both, math.log(-math.expm1(-slow)), math.log(-math.expm1(-fast))  # of 1 - a, 1 - b

    @overload
    def log_pmf(self, value: Number) -> float: ...
    @overload
    def log_pmf(self, value: ArrayLike) -> FloatArray: ...
    def log_pmf(self, value: ArrayLike) -> Any:
        """log of tanh(rate/2) e^(-rate |value|)."""
        z = array("value", value)
        refuse_fractions("value", z)
        return scalar_or_array(math.log(-math.expm1(-self.rate)) - self._log_decay_sum - self.rate * np.abs(z), value)

    @overload
    def log_tail(self, value: Number) -> float: ...
    @overload
    def log_tail(self, value: ArrayLike) -> FloatArray: ...
    def log_tail(self, value: ArrayLike) -> Any:
        """log P[noise >= value]: e^(-rate k)/(1 + e^-rate) for k >= 1, k the next integer."""
        return geometric_log_tail(value, rate=self.rate)

    def _rarely_within(self, width: FloatArray, within: FloatArray) -> FloatArray:
        exact, beside = -math.expm1(-self.rate), -np.expm1(-self.rate * np.floor(width))
        return np.asarray((exact + 2 * math.exp(-self.rate) * beside) / (1 + math.exp(-self.rate)))

    def _farthest(self) -> float:
        if self.rate < 1e-300:
            raise Refused("epsilon", "be so large that a float holds the noise", self.epsilon, Code.TOO_LARGE)
        return math.floor(800 / self.rate) + 2.0

    def simulate_noise(self, size: int | tuple[int, ...], *, seed: int | np.random.Generator) -> IntArray:
        """Seeded draws of the noise, for teaching and checking; not for release."""
        return draw_geometric(self.rate, size, seeded(seed))

    def privacy_loss_atoms(self) -> LossAtoms:
        """Exact law of the privacy loss: rate (D - 2j) for j = 0..D, D the sensitivity.

        For sensitivity 1 it is that of randomised response: +-epsilon.
        """
        size, rate = self.sensitivity, self.rate
        j = np.arange(size, -1, -1, dtype=float)  # values rise
        log_mass = math.log(-math.expm1(-rate)) - rate * j
        log_mass[0], log_mass[-1] = -rate * size, 0.0
        return LossAtoms(-self.epsilon, 2 * rate, 0, log_mass - self._log_decay_sum)

    def loss_parts(self) -> LossParts:
        """The exact privacy loss of one release: a lattice."""
        return LossParts(finite=Lattice.of_atoms(self.privacy_loss_atoms()))

    def _evidence(self, strength: FloatArray) -> Evidence:
        return _GeometricEvidence(strength)

    @classmethod
    def stds(cls, strength: FloatArray) -> FloatArray:
        """Standard deviation at each strength."""
        with np.errstate(over="ignore"):
            return np.asarray(math.sqrt(0.5) / np.sinh(strength / 2))

    @classmethod
    def _near_half_widths(cls, strength: FloatArray, allowed: FloatArray) -> FloatArray:
        return np.asarray((-allowed - np.log1p(np.exp(-strength))) / strength - 1)

    @classmethod
    def log_survivals(cls, strength: FloatArray, width: FloatArray) -> FloatArray:
        """log P[noise > width] at each strength, for whole widths."""
        return np.asarray(-strength * (width + 1) - np.log1p(np.exp(-strength)))

    @classmethod
    def strengths_for_width(cls, width: FloatArray, *, level: FloatArray) -> FloatArray:
        """Smallest strength whose half width at the level is at most the whole width."""
        width, level = np.broadcast_arrays(np.asarray(width, dtype=float), np.asarray(level, dtype=float))
        return np.asarray(_needed_rate(width, log_tail_allowed(level)) * (1 + MARGIN / level))

    @classmethod
    def log_variance_slope(cls, log_strength: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(log(-dV/dx), its derivative in log x) of the variance V at the strength x."""
        x = np.exp(log_strength)
        decay, rest = np.exp(-x), -np.expm1(-x)
        value = math.log(2) - x + np.log1p(decay) - 3 * np.log(rest)
        return value, -x - x * decay / (1 + decay) - 3 * x * decay / rest

    @classmethod
    def log_strength_of_slope(cls, target: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(log of the strength at which log(-dV/dx) is the target, the slope there)."""
        return newton_of_slope(cls.log_variance_slope, target, power=3.0, constant=math.log(4))

    @classmethod
    def log_strength_of_std(cls, wanted: float) -> float:
        """log of the strength at which the noise has the standard deviation."""
        return math.log(2 * math.asinh(1 / (math.sqrt(2) * wanted)))


def draw_geometric(rate: ArrayLike, size: int | tuple[int, ...], generator: np.random.Generator) -> IntArray:
    """Draws of two-sided geometric noise of the rates."""
    least = float(np.min(rate))
    if least < SMALLEST_DRAWN:
        raise Refused("epsilon", "be at least 1e-16 a unit of sensitivity", least, Code.TOO_LARGE)
    success = -np.expm1(-np.asarray(rate))
    return np.asarray(generator.geometric(success, size) - generator.geometric(success, size))


def _log_ratio_sum(k: FloatArray, gap: float) -> FloatArray:
    """log of 1 + r + … + r^(k-1) for r = e^-gap; -inf at k = 0."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(k if gap == 0 else np.expm1(-gap * k) / math.expm1(-gap)))


@cached_by_size(MEGABYTE)
def _log_sum_law(rate: float, terms: int, size: int) -> FloatArray:
    """log P[sum of so many noises = s] for s = 0 … size - 1, all terms positive.

    z G'(z)/G(z) of the generating function G = ((1-a)^2/((1-az)(1-a/z)))^n gives three neighbours one equation,
    a (s-1+n) p(s-1) = (1+a^2) s p(s) - a (s+1-n) p(s+1): their ratios, p(s)/p(s-1) = a q(s), are stable from far out.
    """
    squared, beyond = math.exp(-2 * rate), math.ceil(20 / rate) + 64
    ratio = 1 + (terms - 1) / (size + beyond)
    ratios = np.ones(size)
    for s in range(size + beyond - 1, 0, -1):
        ratio = (s - 1 + terms) / ((1 + squared) * s - squared * (s + 1 - terms) * ratio)
        if s < size:
            ratios[s] = ratio
    logs = np.cumsum(np.log(ratios) - rate * (np.arange(size) > 0))
    logs -= logs.max()
    logs -= math.log(2 * math.fsum(np.exp(logs).tolist()) - math.exp(logs[0]))
    logs.flags.writeable = False
    return np.asarray(logs)


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


def _log_twice_cosh(x: NDArray[Any]) -> NDArray[Any]:
    """Logarithm of exp(x) + exp(-x) at complex x, without overflow."""
    x = np.where(x.real < 0, -x, x)
    with np.errstate(divide="ignore"):  # zero where the real part is
        return np.asarray(x + np.log(1 + np.exp(-2 * x)))


class _GeometricEvidence(Evidence):
    """Noise of probability proportional to exp(-rate |z|): the evidence is the rate, up or down."""

    named = "geometric"

    def loss(self, gap: FloatArray) -> FloatArray:
        return np.where(gap >= 1, self.rate, -self.rate)

    def log_law(self, noise: FloatArray) -> FloatArray:
        return np.log(np.tanh(self.rate / 2)) - self.rate * np.abs(noise)

    def threshold(self, odds: FloatArray) -> FloatArray:
        return two_sided(odds, self.rate, np.asarray(1.0))

    def at_least(self, noise: FloatArray) -> FloatArray:
        with np.errstate(over="ignore"):
            return np.exp(np.asarray(geometric_log_tail(np.clip(noise, -BEYOND, BEYOND), rate=self.rate)))

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
