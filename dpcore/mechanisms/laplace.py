"""Laplace noise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Self, overload

import numpy as np
from numpy.polynomial.legendre import leggauss
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number, array, count, number, scalar_or_array, seeded
from dpcore.guarantees import PureDP
from dpcore.mechanisms import _lattice
from dpcore.mechanisms._evidence import BEYOND, ContinuousEvidence, Evidence, TwoWorlds, two_sided, weighed
from dpcore.mechanisms.additive import ContinuousNoise, log_tail_allowed
from dpcore.mechanisms.losses import LaplaceLoss, LossParts


@overload
def laplace_log_tail(value: Number, *, rate: Number) -> float: ...
@overload
def laplace_log_tail(value: ArrayLike, *, rate: ArrayLike) -> FloatArray: ...
@call_hint
def laplace_log_tail(value: ArrayLike, *, rate: ArrayLike) -> float | FloatArray:
    """Log probability that Laplace noise of a rate is at least a value.

    A law of noise makes no promise by itself: that depends on how far one step moves the number. The value is log
    P[noise >= value], exact: e^(-rate value)/2 above 0.
    Source: dwork_roth, Definition 3.3

    Parameters
    ----------
    value : array_like; real
    rate : array_like; fall of the log density per unit of noise, 1/scale, at least 0 (the limit of ever wider noise);
        broadcast

    Examples
    --------
    >>> round(math.exp(laplace_log_tail(1, rate=math.log(5))), 12)
    0.1
    """
    z = array("value", value) * array("rate", rate, 0.0)
    log_half = math.log(0.5) - np.abs(z)
    return scalar_or_array(np.where(z > 0, log_half, np.log1p(-np.exp(log_half))), value, rate)


@call_hint(
    rho="it is Gaussian and DiscreteGaussian that have a rho",
    scale="or from a scale as Laplace.from_scale(scale)",
    std="or from a standard deviation as dpcore.accuracy.noise_for_std(std, 'laplace')",
    sigma="or from a standard deviation as dpcore.accuracy.noise_for_std(std, 'laplace')",
)
@dataclass(frozen=True, kw_only=True)
class Laplace(ContinuousNoise):
    """Laplace noise: density proportional to e^(-|z|/scale), scale = sensitivity/epsilon.

    The promise is for one step, which moves the number by the sensitivity at most.
    Source: dwork_roth, Definition 3.3

    Parameters
    ----------
    epsilon : float; pure-DP budget of the release, above 0
    sensitivity : float, optional; largest change of the published number by one person, above 0

    Examples
    --------
    >>> Laplace(epsilon=0.5).scale
    2.0
    """

    name = "laplace"
    label = "Laplace noise"
    short = "Laplace"
    spellings = ("Laplace", "Laplacian", "continuous Laplace", "double exponential", "Laplace (epsilon)")
    letter = "l"
    budget_kind = "epsilon"
    measurement = "laplace"
    kinks = (0.0,)
    log_power = 1
    variance_power = 2.0

    epsilon: float
    sensitivity: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", number("epsilon", self.epsilon, 0.0, open_low=True))
        object.__setattr__(self, "sensitivity", number("sensitivity", self.sensitivity, 0.0, open_low=True))

    @classmethod
    def from_scale(cls, scale: float, *, sensitivity: float = 1.0) -> Laplace:
        """The mechanism with the given scale; its epsilon is sensitivity/scale."""
        size = number("sensitivity", sensitivity, 0.0, open_low=True)
        return cls(epsilon=size / number("scale", scale, 0.0, open_low=True), sensitivity=size)

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

    def mean_absolute_about(self, shift: float) -> float:
        """Mean of |noise + shift| for a shift of at least 0."""
        return shift + self.scale * math.exp(-number("shift", shift, 0.0) / self.scale)

    def tail_sum(self, start: FloatArray) -> FloatArray:
        """Sum of P[noise >= start + j] over j = 0, 1, ...: a geometric series."""
        return np.asarray(self.tail(start)) / -math.expm1(-1 / self.scale)

    def log_difference_tail(self, other: Self, distance: FloatArray) -> FloatArray:
        """log P[noise - other noise >= t] for t >= 0, a the larger scale: written without a difference.

        The chance is (a² e^(-t/a) - b² e^(-t/b)) / (2 (a² - b²)).
        """
        narrow, wide = sorted((self.scale, other.scale))
        u = distance * (wide - narrow) / (wide * narrow)
        share = np.where(u > 0, -np.expm1(-u) / np.where(u > 0, u, 1.0), 1.0)
        rest = np.log1p(distance / wide * share * narrow / (wide + narrow))
        return np.asarray(-distance / wide - math.log(2) + rest)

    def half_width_of_mean(self, terms: int, *, level: float) -> float:
        """Smallest h with P[|mean of so many independent noises| <= h] of at least the level, in closed form."""
        number("level", level, 0.0, 1.0, open_high=True)
        if count("terms", terms, 1) == 1:
            return float(self.half_width(level))
        from scipy.stats import nbinom, poisson  # takes as long to import as all else here

        arrivals = np.arange(terms)
        ours = nbinom.pmf(arrivals, terms, 0.5)  # steps of this sum before the other one's last

        def holds(h: float) -> bool:
            return float(ours @ poisson.cdf(terms - 1 - arrivals, h / self.scale)) <= (1.0 - level) / 2

        high = self.std
        while not holds(high):
            high *= 2
        low = 0.0
        while high - low > 1e-12 * high:
            middle = (low + high) / 2
            low, high = (low, middle) if holds(middle) else (middle, high)
        return high / terms

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

    def _rarely_within(self, width: FloatArray, within: FloatArray) -> FloatArray:
        return -np.expm1(-width / self.scale)

    def _log_quantile(self, log_probability: FloatArray) -> FloatArray:
        return self.scale * (log_probability + math.log(2))

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

    def loss_parts(self) -> LossParts:
        """The exact privacy loss of one release, in closed form."""
        return LossParts(finite=LaplaceLoss(self.epsilon))

    def _evidence(self, strength: FloatArray) -> Evidence:
        return _LaplaceEvidence(strength)

    @classmethod
    def stds(cls, strength: FloatArray) -> FloatArray:
        """Standard deviation at each strength."""
        return np.asarray(math.sqrt(2) / strength)

    @classmethod
    def half_widths(cls, strength: FloatArray, *, level: FloatArray) -> FloatArray:
        """The h with P[|noise| <= h] equal to the level, at each strength."""
        return np.asarray(-(log_tail_allowed(level) + math.log(2)) / strength)

    @classmethod
    def strengths_for_width(cls, width: FloatArray, *, level: FloatArray) -> FloatArray:
        """The strength whose half width at the level is the width."""
        return np.asarray(-(log_tail_allowed(level) + math.log(2)) / width)

    @classmethod
    def log_variance_slope(cls, log_strength: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(log(-dV/dx), its derivative in log x) of the variance V at the strength x."""
        return math.log(4) - 3 * log_strength, np.full(np.shape(log_strength), -3.0)

    @classmethod
    def log_strength_of_slope(cls, target: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(log of the strength at which log(-dV/dx) is the target, the slope there)."""
        return (math.log(4) - target) / 3, np.full(np.shape(target), -3.0)

    @classmethod
    def log_strength_of_std(cls, wanted: float) -> float:
        """log of the strength at which the noise has the standard deviation."""
        return math.log(math.sqrt(2) / wanted)


class _LaplaceEvidence(ContinuousEvidence):
    """Noise of density proportional to exp(-rate |z|): the evidence is rate (2 gap - 1), cut to ± rate."""

    named = "Laplace"

    def loss(self, gap: FloatArray) -> FloatArray:
        return self.rate * np.clip(2 * gap - 1, -1.0, 1.0)

    def log_law(self, noise: FloatArray) -> FloatArray:
        return np.log(self.rate / 2) - self.rate * np.abs(noise)

    def threshold(self, odds: FloatArray) -> FloatArray:
        return two_sided(odds, self.rate, 0.5 - odds / (2 * self.rate))

    def at_least(self, noise: FloatArray) -> FloatArray:
        with np.errstate(over="ignore"):
            return np.exp(np.asarray(laplace_log_tail(np.clip(noise, -BEYOND, BEYOND), rate=self.rate)))

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
        one = _LaplaceEvidence(rate[..., None])
        span = np.minimum(2 * rate, 80.0)  # farther from its end the density has fallen by exp(-40)
        places = (np.arange(_PANELS)[:, None] + (_NODES + 1) / 2).ravel() / _PANELS
        away = span[..., None] * places
        weights = np.tile(_NODE_WEIGHTS, _PANELS) / (2 * _PANELS) * span[..., None] * np.exp(-away / 2) / 4
        between = weighed(weights, one.average(odds[..., None] + sign * (rate[..., None] - away), counted))
        ends = _LaplaceEvidence(rate)
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
