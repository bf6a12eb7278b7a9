"""Discrete Gaussian noise, and its law for arrays of concentrations."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import erf, expit, log_ndtr, ndtri, ndtri_exp

from dpcore import _checks
from dpcore._cache import cached_by_size
from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number, count, number, seeded
from dpcore.errors import Code, Refused
from dpcore.guarantees import ZeroConcentratedDP
from dpcore.mechanisms import _lattice
from dpcore.mechanisms._evidence import MOST_JUMPS, Evidence, TwoWorlds, weighed
from dpcore.mechanisms.additive import MARGIN, WholeNoise, bisected, log_tail_allowed, newton_of_slope
from dpcore.mechanisms.discrete_gaussian_law import (
    discrete_gaussian_log_normaliser,
    discrete_gaussian_log_pmf,
    discrete_gaussian_log_tail,
    discrete_gaussian_variance,
)
from dpcore.mechanisms.gaussian import Gaussian, normal_excess
from dpcore.mechanisms.layers import Mechanism
from dpcore.mechanisms.losses import OMITTED, IntArray, Lattice, LossAtoms, LossParts

SMALLEST_LIMIT = 3.0  # the sigma from which sums of discrete Gaussians are one, up to e^(-pi^2 sigma^2)
WIDE_NOISE = 1000.0  # a loss of noise with a larger sigma is taken as its normal limit, with a bracket,
WIDE_SUM = 13_000.0  # and so is a sum of releases whose noise together has a larger one
SMOOTH_NOISE = 30.0  # and in a walk that no lattice holds so is noise with a larger one
_SMOOTH_EXCESS = 50.0  # sigma from which on a sum over the noise is an integral with three corrections
_SMOOTH_SUM = 4.5  # sigma² from which on sums are discrete Gaussian to e^(-pi² 4.5) = 1e-19
_SMOOTH_DIFFERENCE = 2.2  # a reduced variance at which a difference is discrete Gaussian to e^(-2 pi² 2.2) = 1e-19
_PARITY_BLIND = 0.12  # concentration below which odd and even sums of two differ by under 1e-17
_SMALLEST_DRAWN = 1e-34  # concentration below which draws may leave 64 bits
_CONTINUOUS_BELOW = 1e-18  # concentration below which its steps are finer than a float
_TABLE = 64  # widths whose needed concentration is kept for a level
_NARROW = 1e-6  # concentration up to which a sum over a range is its integral with one correction, to 1e-14
_SMALL_LOG = -745.0  # below it a float's exponential is zero


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

    name = "discrete_gaussian"
    label = "discrete Gaussian noise"
    short = "discrete Gaussian"
    spellings = ("discrete Gaussian", "discrete normal", "discrete Gauss", "discrete Gaussian (rho)")
    letter = "d"
    budget_kind = "rho"
    measurement = "gaussian"
    log_power = 2
    tests_at_steps = True

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

    def mean_absolute_about(self, shift: float) -> float:
        """Mean of |noise + shift| for a whole shift of at least 0."""
        moved = count("shift", shift)
        return self.mean_absolute if moved == 0 else moved + 2 * self._excess(moved)

    def _excess(self, shift: float) -> float:
        """E[(noise - shift)+]: the sum itself, or for wide noise its integral with corrections of Euler and Maclaurin.

        With the density f of the normal law they are -f/12 + f''/240 - f''''/6048 at the shift.
        """
        sigma = self.sigma
        if sigma < _SMOOTH_EXCESS:
            beyond = np.arange(1, math.ceil(40 * sigma) + 2, dtype=float)
            return float(beyond @ np.exp(np.asarray(self.log_pmf(shift + beyond))))
        t = shift / sigma
        density = math.exp(-0.5 * t * t) / math.sqrt(2 * math.pi) / sigma
        second, fourth = (t * t - 1) / sigma**2, (t**4 - 6 * t * t + 3) / sigma**4
        return max(normal_excess(shift, sigma) - density * (1 / 12 - second / 240 + fourth / 6048), 0.0)

    def half_width_of_mean(self, terms: int, *, level: float) -> float:
        """Smallest h with P[|mean of so many independent noises| <= h] of at least the level: wide sums are one."""
        if self.sigma**2 >= _SMOOTH_SUM:
            together = self.sigma * math.sqrt(count("terms", terms, 1))
            return float(DiscreteGaussian.from_sigma(together).half_width(level)) / terms
        return super().half_width_of_mean(terms, level=level)

    def log_sum_pmf(self, total: FloatArray, terms: int) -> FloatArray:
        """log P[so many independent noises add up to a whole total], also far in the tails: wide sums are one."""
        if self.sigma**2 >= _SMOOTH_SUM:
            return np.asarray(discrete_gaussian_log_pmf(total, rho=self.concentration / terms))
        return _lattice.log_sum_pmf(np.asarray(total, dtype=float), terms, self.concentration)

    def log_difference_tail(self, other: Self, distance: FloatArray) -> FloatArray:
        """log P[noise - other noise >= k] for k >= 1: one law where both are wide, else a sum over the narrower."""
        return self._log_difference(other, distance, discrete_gaussian_log_tail)

    def log_difference_pmf(self, other: Self, distance: FloatArray) -> FloatArray:
        """log P[noise - other noise = k] for k >= 0."""
        return self._log_difference(other, distance, discrete_gaussian_log_pmf)

    def _log_difference(self, other: Self, k: FloatArray, law: Callable[..., Any]) -> FloatArray:
        wide, narrow = sorted((self.concentration, other.concentration))
        if 0.5 / (wide + narrow) >= _SMOOTH_DIFFERENCE:
            return np.asarray(law(k, rho=wide * narrow / (wide + narrow)))
        reach = math.ceil(math.sqrt(800 / narrow))
        shift = np.arange(-reach, reach + 1, dtype=float)
        parts = np.asarray(discrete_gaussian_log_pmf(shift, rho=narrow)) + np.asarray(
            law(k[..., None] + shift, rho=wide)
        )
        return np.asarray(np.logaddexp.reduce(parts, axis=-1))

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

    def _rarely_within(self, width: FloatArray, within: FloatArray) -> FloatArray:
        """The direct sum, or for wide noise its integral with the correction of Euler and Maclaurin."""
        c, whole = self.concentration, np.floor(width)
        if c > _NARROW:
            reach = math.ceil(math.sqrt(-_SMALL_LOG / c))
            sums = np.cumsum(np.exp(-c * np.arange(reach + 1.0) ** 2))
            mass = 2 * sums[np.minimum(whole, reach).astype(int)] - 1
        else:
            edge = whole + 0.5
            mass = math.sqrt(math.pi / c) * erf(math.sqrt(c) * edge) + c / 6 * edge * np.exp(-c * edge * edge)
        return np.asarray(mass * math.exp(-self.log_normaliser))

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
        if self.concentration < _SMALLEST_DRAWN:
            rule = f"be at least {_SMALLEST_DRAWN:g} a unit of squared sensitivity"
            raise Refused("rho", rule, self.concentration, Code.TOO_LARGE)
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

    def as_one(self, releases: int) -> Mechanism | None:
        """The sum of two equal noises tells all of both, and is a wider discrete Gaussian; normal where very wide."""
        if self.concentration < _CONTINUOUS_BELOW:
            return Gaussian(rho=releases * self.rho, sensitivity=self.sensitivity)
        if releases == 2 and self.concentration < _PARITY_BLIND:
            return DiscreteGaussian(rho=2 * self.rho, sensitivity=2 * self.sensitivity)
        return super().as_one(releases)

    def loss_parts(self) -> LossParts:
        """The exact privacy loss of one release, a lattice; what is left out at its ends has probability 1e-60."""
        atoms = self.privacy_loss_atoms(omitted=OMITTED)
        return LossParts(finite=Lattice.of_atoms(atoms, bounded=False, sigma=self.sigma))

    def far_lattice(self) -> Lattice:
        """The loss on its lattice, as far out as floats go."""
        return Lattice.of_atoms(self.privacy_loss_atoms(omitted=1e-300), bounded=False, sigma=self.sigma)

    def limit_loss_parts(self, releases: int, *, smooth: bool = False) -> LossParts | None:
        """The normal limit of a loss whose lattice is too fine: a step away from it, however often it is released.

        Sums of equal discrete Gaussians are discrete Gaussians up to e^(-pi^2 sigma^2) (Poisson summation), and one
        lies within a step of a normal variable (canonne_kamath_steinke: P[Y >= m] <= P[X >= m - 1]).
        """
        wide = self.sigma > WIDE_NOISE or self.sigma * math.sqrt(releases) > WIDE_SUM
        if (smooth and self.sigma >= SMOOTH_NOISE) or (wide and self.sigma >= SMALLEST_LIMIT):
            return LossParts(rho=self.rho, slack=2 * self.rho / self.sensitivity)
        return None

    def _evidence(self, strength: FloatArray) -> Evidence:
        return _DiscreteGaussianEvidence(strength)

    @classmethod
    def stds(cls, strength: FloatArray) -> FloatArray:
        """Standard deviation at each strength."""
        return np.sqrt(np.asarray(discrete_gaussian_variance(strength)))

    @classmethod
    def _near_half_widths(cls, strength: FloatArray, allowed: FloatArray) -> FloatArray:
        return np.asarray(-ndtri_exp(allowed) * np.sqrt(0.5 / strength) - 0.5)

    @classmethod
    def log_survivals(cls, strength: FloatArray, width: FloatArray) -> FloatArray:
        """log P[noise > width] at each strength, for whole widths."""
        return np.asarray(discrete_gaussian_log_tail(width + 1, rho=strength))

    @classmethod
    def strengths_for_width(cls, width: FloatArray, *, level: FloatArray) -> FloatArray:
        """Smallest strength whose half width at the level is at most the whole width."""
        width, level = np.broadcast_arrays(np.asarray(width, dtype=float), np.asarray(level, dtype=float))
        allowed, found, small = log_tail_allowed(level), np.empty(width.shape), width < _TABLE
        if small.any():
            found[small] = _from_tables(width[small], level[small])
        if not small.all():
            pairs, place = np.unique(width[~small] + 1j * allowed[~small], return_inverse=True)
            found[~small] = _needed_concentration(pairs.real, pairs.imag)[place]
        return np.asarray(found * (1 + MARGIN / level))

    @classmethod
    def about_strengths_for_width(cls, width: FloatArray, *, level: FloatArray) -> FloatArray:
        """`strengths_for_width` to some six digits and quickly, to start a search with; it never decides one."""
        width, level = np.broadcast_arrays(width, level)
        found = _smooth_concentration(np.maximum(width, _TABLE / 2), log_tail_allowed(level))
        small = width < _TABLE
        if small.any():
            found[small] = _from_tables(width[small], level[small])
        return found

    @classmethod
    def log_variance_slope(cls, log_strength: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(log(-dV/dx), its derivative in log x) of the variance V at the strength x."""
        return _log_slope(np.exp(log_strength))

    @classmethod
    def log_strength_of_slope(cls, target: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(log of the strength at which log(-dV/dx) is the target, the slope there)."""
        return newton_of_slope(cls.log_variance_slope, target, power=2.0, constant=-math.log(2))

    @classmethod
    def log_strength_of_std(cls, wanted: float) -> float:
        """log of the strength at which the noise has the standard deviation."""
        return bisected(lambda y: 2 * math.log(wanted) - _log_variance(math.exp(y)), -80.0, 7.0)


def _from_tables(width: FloatArray, level: FloatArray) -> FloatArray:
    levels, place = np.unique(level, return_inverse=True)
    tables = np.stack([_small_widths(float(one)) for one in levels])
    return tables[place, width.astype(int)]


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


def _log_slope(c: FloatArray) -> tuple[FloatArray, FloatArray]:
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


def _log_variance(c: float) -> float:
    return math.log(2) - c if c > 40 else math.log(float(discrete_gaussian_variance(c)))


def noise_grid(rho: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Noise values (last axis) and their weights that average a logistic of discrete Gaussian noise to 15 digits.

    For small ρ every h-th value suffices: the sum is a trapezoidal rule whose error is near exp(-π²/(ρ h²)).
    """
    step = np.maximum(1.0, np.floor(np.sqrt(0.2 / rho)))
    values = np.multiply.outer(step, np.arange(-31.0, 32.0))
    weights = np.exp(-rho[..., None] * values * values)
    return values, weights / weights.sum(axis=-1, keepdims=True)


class _DiscreteGaussianEvidence(Evidence):
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
        return weighed(weights, expit(odds[..., None] + rate[..., None] * (2 * values + (2 * counted - 1))))

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
        tilted = np.exp(rate * (2 * np.multiply.outer(rest, z) - z * z)).sum(axis=-1)  # no exponent is above 0
        both = np.log(tilted) - np.log(np.exp(-rate * z * z).sum())
        return np.asarray(both + rate * (s + whole * (2 * rest + whole)))

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
        return weighed(weights, expit(odds[..., None] + 2 * rate[..., None] * (values + (2 * counted - 1))))

    def right(self, odds: FloatArray, counted: int) -> FloatArray:
        threshold = _lattice.first_beyond_tie(-odds / (2 * self.rate))
        return self._tail(threshold - 1) if counted else self._tail(-threshold)
