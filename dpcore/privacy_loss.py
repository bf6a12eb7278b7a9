"""The law of the privacy loss, its exact composition, and the exact law of what an attacker comes to believe.

The privacy loss of an output is Z = ln P(output)/Q(output), where P is the law of the output when the target is in the
data and Q its law when the target is not. A strong attacker who holds the prior p before the releases holds
expit(logit p + Z) after them (thesis, Theorem 27), so one law of Z answers for every prior. The losses of independent
releases add. Every mechanism here is symmetric: Z under Q is distributed as -Z under P, so the law on the *absent*
side is the mirror image of the law on the *present* side.

Discrete mechanisms have losses on a lattice. Equal ones are composed on their own lattice without rounding; different
ones are enumerated, put on a common lattice where one exists, or moved once each to a grid, with a rigorous bracket.
Gaussian noise enters in closed form, and so does discrete Gaussian noise that is too wide for a lattice, with the one
step by which the two can differ as a bracket. Small tails are computed from an exponentially tilted law, so that they
keep their relative accuracy.

A *guarantee* is not a mechanism. The worst mechanism with a pure or approximate guarantee (randomised response) has
the largest delta at every epsilon, and so the largest bound over every view; it has not the heaviest tails. So a plan
with such a row has `delta`, `epsilon`, `every_view_epsilon` and a bound on the mean belief, and refuses the rest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, singledispatch
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.fft import irfft, next_fast_len, rfft
from scipy.optimize import brentq, minimize_scalar
from scipy.special import erfcx, expit, log_expit, log_ndtr, logit, ndtr, ndtri

from dpcore import _checks
from dpcore._checks import FloatArray
from dpcore._properties import cached_property
from dpcore._roots import bracketed_root
from dpcore.guarantees import ApproximateDP, PureDP, gaussian_delta, gaussian_epsilon
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, LossAtoms, RandomizedResponse

Side = Literal["present", "absent", "prior_predictive"]
Direction = Literal["rise", "fall", "either"]
SIDES = ("present", "absent", "prior_predictive")
DIRECTIONS = ("rise", "fall", "either")

LOG_TAIL = 41.5  # a window leaves out at most e^-41.5 = 1e-18 at either end
TILT_BELOW = 1e-3  # smaller tails are computed from a tilted law
OMITTED = 1e-60  # mass of the discrete Gaussian left out at the ends of its lattice
ENUMERATE_UP_TO = 1 << 16  # so many combinations of losses are listed rather than rounded
COMMON_LATTICE_UP_TO = 1 << 18  # so many points of a common lattice are convolved rather than rounded
MIXED_LATTICE_UP_TO = 1 << 14  # or so many where a normal part is mixed in, which meets every point at every question
MIXED_GRID_UP_TO = 1 << 15  # and so many points of a grid where a normal part is mixed in
LARGEST_TILTED = 1 << 20  # points: a tilted law that needs more on its own lattice is moved release by release
MOST_KEPT = 1 << 20  # points of the laws that one object keeps for the next question
LARGEST_LATTICE = 1 << 22  # points: a composition that needs more is refused
WIDE_NOISE = 1000.0  # discrete Gaussian noise with a larger sigma is taken as its normal limit, with a bracket,
WIDE_SUM = 13_000.0  # and so is a sum of releases whose noise together has a larger one
SMOOTH_NOISE = 30.0  # and in a walk that no lattice holds so is noise with a larger one
SMALLEST_LIMIT = 3.0  # the sigma from which sums of discrete Gaussians are one, up to e^(-pi^2 sigma^2)
CERTAIN_RHO = 1500.0  # from here on, and twice the log odds before, noise leaves a doubt below e^-375 on average
ORDERS = (0.5, 0.8, 1.0, 1.25, 2.0)  # Chernoff orders tried, in units of sqrt(2 LOG_TAIL) / standard deviation


# ---- one kind of release ------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Lattice:
    """Losses offset + step (lowest + i) with masses under P."""

    step: float
    offset: float
    lowest: int
    log_mass: FloatArray
    bounded: bool = True
    sigma: float = 0.0  # of the noise, where it is a discrete Gaussian

    @property
    def size(self) -> int:
        return int(self.log_mass.size)

    @cached_property
    def values(self) -> FloatArray:
        return np.asarray(self.offset + self.step * (self.lowest + np.arange(self.size)), dtype=np.float64)

    @property
    def support(self) -> tuple[float, float]:
        return float(self.values[0]), float(self.values[-1])

    def log_moments(self, orders: FloatArray) -> FloatArray:
        """ln E[e^(s Z)] at each order s."""
        exponents = np.multiply.outer(orders, self.values) + self.log_mass
        top = exponents.max(axis=-1)
        return top + np.log(np.exp(exponents - top[..., None]).sum(axis=-1))

    def tilted_moments(self, order: float) -> tuple[float, float, float]:
        """ln E[e^(s Z)] and the mean and variance of the law tilted by e^(s z)."""
        exponents = order * self.values + self.log_mass
        top = exponents.max()
        weights = np.exp(exponents - top)
        total = weights.sum()
        mean = float(weights @ self.values / total)
        return float(top + math.log(total)), mean, float(weights @ (self.values - mean) ** 2 / total)

    def tilted(self, order: float) -> FloatArray:
        exponents = order * self.values + self.log_mass
        weights = np.exp(exponents - exponents.max())
        return np.asarray(weights / weights.sum())


@dataclass(frozen=True)
class _Laplace:
    """Loss of one Laplace release at full sensitivity: atoms at both ends and a density between them."""

    epsilon: float

    bounded = True

    @property
    def support(self) -> tuple[float, float]:
        return -self.epsilon, self.epsilon

    def cdf(self, loss: FloatArray) -> FloatArray:
        inner = 0.5 * np.exp(np.minimum((loss - self.epsilon) / 2, 0.0))
        return np.where(loss < -self.epsilon, 0.0, np.where(loss >= self.epsilon, 1.0, inner))

    def log_moments(self, orders: FloatArray) -> FloatArray:
        """ln E[e^(s Z)]: atoms 1/2 at epsilon and e^-epsilon/2 at -epsilon, density e^((z - epsilon)/2)/4."""
        e, slope = self.epsilon, np.abs(orders + 0.5)
        small = slope * e < 1e-8
        safe = np.where(small, 1.0, slope)
        between = np.where(small, 2 * e, -np.expm1(-2 * np.where(small, 0.0, safe) * e) / safe)  # times e^(slope e)
        terms = [
            np.log(0.5) + orders * e,
            np.log(0.5) - e - orders * e,
            np.log(0.25) - e / 2 + slope * e + np.log(between),
        ]
        return np.logaddexp(np.logaddexp(terms[0], terms[1]), terms[2])

    def tilted_moments(self, order: float) -> tuple[float, float, float]:
        """ln E[e^(s Z)], and mean and variance of the law tilted by e^(s z): two atoms and a truncated exponential."""
        e, a = self.epsilon, (order + 0.5) * self.epsilon
        at = float(self.log_moments(np.array([order]))[0])
        up = math.exp(order * e + math.log(0.5) - at)
        down = math.exp(-order * e - e + math.log(0.5) - at)
        between = max(1.0 - up - down, 0.0)
        langevin = a / 3 - a**3 / 45 if abs(a) < 1e-2 else 1 / math.tanh(a) - 1 / a  # mean between, over epsilon
        square = (1 - 2 * langevin / a) if abs(a) >= 1e-2 else 1 / 3 + 2 * a**2 / 45
        mean = up - down + between * langevin
        return at, e * mean, e**2 * max(up + down + between * square - mean**2, 1e-12)


_Part = _Lattice | _Laplace


class _Sum:
    """The finite losses of many independent releases: parts with counts, moments, windows, and the law of the sum."""

    def __init__(self, parts: Sequence[tuple[_Part, int]]) -> None:
        self.parts = tuple(parts)
        self._windows: dict[float, tuple[float, float]] = {}
        self.lattices = [(part, count) for part, count in parts if isinstance(part, _Lattice)]
        self.laplaces = [(part, count) for part, count in parts if isinstance(part, _Laplace)]
        if self.lattices:
            self._values = np.concatenate([part.values for part, _ in self.lattices])
            self._log_mass = np.concatenate([part.log_mass for part, _ in self.lattices])
            sizes = np.array([part.size for part, _ in self.lattices])
            self._starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
            self._sizes = sizes
            self._counts = np.array([count for _, count in self.lattices], dtype=float)

    @cached_property
    def support(self) -> tuple[float, float]:
        return (
            math.fsum(count * part.support[0] for part, count in self.parts),
            math.fsum(count * part.support[1] for part, count in self.parts),
        )

    @property
    def bounded(self) -> bool:
        return all(part.bounded for part, _ in self.parts)

    def moments(self, order: float) -> tuple[float, float, float]:
        """ln E[e^(s Z)] of the sum, and the mean and variance of its law tilted by e^(s z)."""
        log_moment = mean = variance = 0.0
        if self.lattices:
            exponents = order * self._values + self._log_mass
            top = np.maximum.reduceat(exponents, self._starts)
            weights = np.exp(exponents - np.repeat(top, self._sizes))
            total = np.add.reduceat(weights, self._starts)
            first = np.add.reduceat(weights * self._values, self._starts) / total
            spread = weights * (self._values - np.repeat(first, self._sizes)) ** 2
            log_moment += float(self._counts @ (top + np.log(total)))
            mean += float(self._counts @ first)
            variance += float(self._counts @ (np.add.reduceat(spread, self._starts) / total))
        for part, count in self.laplaces:
            one = part.tilted_moments(order)
            log_moment, mean, variance = log_moment + count * one[0], mean + count * one[1], variance + count * one[2]
        return log_moment, mean, variance

    def log_moments(self, orders: FloatArray) -> FloatArray:
        """ln E[e^(s Z)] of the sum at each order."""
        if self.lattices and self._values.size * orders.size > 1 << 18:  # one order at a time: less memory
            return np.array([self.moments(float(order))[0] for order in orders])
        found = np.zeros(orders.size)
        if self.lattices:
            exponents = np.multiply.outer(orders, self._values) + self._log_mass
            top = np.maximum.reduceat(exponents, self._starts, axis=1)
            total = np.add.reduceat(np.exp(exponents - np.repeat(top, self._sizes, axis=1)), self._starts, axis=1)
            found += (top + np.log(total)) @ self._counts
        for part, count in self.laplaces:
            found += count * part.log_moments(orders)
        return found

    def window(self, order: float) -> tuple[float, float]:
        """An interval in the support that holds the sum tilted by e^(order z) but for a mass of 2e-18 (Chernoff)."""
        if order not in self._windows:
            at_order, _, variance = self.moments(order)
            low, high = self.support
            steps = (math.sqrt(2 * LOG_TAIL / variance) if variance > 0 else 1.0) * np.array(ORDERS)
            width = max(part.support[1] - part.support[0] for part, _ in self.parts)
            if steps[0] * width > 1e3:  # a nearly certain loss: its rare ones have a scale of their own
                steps = np.append(steps, np.geomspace(0.1, 1e4, 16) / width)
            both = (self.log_moments(np.concatenate([order + steps, order - steps])) - at_order + LOG_TAIL).reshape(
                2, -1
            )
            self._windows[order] = (
                max(low, float((-both[1] / steps).max())),
                min(high, float((both[0] / steps).min())),
            )
        return self._windows[order]


def spectrum_power(spectrum: NDArray[np.complex128], count: int) -> NDArray[np.complex128]:
    """The spectrum of the sum of `count` equal losses; zero where it is below e^-60, a trillionth of its rounding.

    Parameters
    ----------
    spectrum : of one loss, of modulus at most 1
    count : at least 0

    References
    ----------
    ours, powers of a characteristic function

    Examples
    --------
    >>> spectrum_power(np.array([1.0, 1e-200, 0.0]), 2).real.tolist()
    [1.0, 0.0, 0.0]
    """
    power = np.array(spectrum, dtype=np.complex128)  # the caller keeps its own
    power[np.abs(power) < math.exp(-60.0 / max(count, 1))] = 0.0
    return np.power(power, count, out=power) if count != 1 else power


def _convolve(pieces: Iterable[tuple[int, FloatArray, int]], window: tuple[int, int]) -> FloatArray:
    """Masses of the sum on the window's lattice points: one Fourier power per (lowest, mass, count)."""
    low, high = window
    length = high - low + 1
    size = int(next_fast_len(length, real=True))
    spectrum: NDArray[np.complex128] | None = None
    for lowest, mass, count in pieces:
        ring = np.zeros(size)
        np.add.at(ring, (lowest + np.arange(mass.size)) % size, mass)
        own = spectrum_power(rfft(ring), count)
        if spectrum is None:
            spectrum = own
        else:
            spectrum *= own
    if spectrum is None:
        raise ValueError("pieces must hold at least one loss; got none")
    around = np.roll(irfft(spectrum, size), -(low % size))[:length]
    return np.maximum(around, 0.0, out=around)


@dataclass(frozen=True, eq=False)
class _Law:
    """A finite loss: atoms with mass e^(scale - order (z - values[-1])) weights, plus N(rho, 2 rho) when rho > 0."""

    values: FloatArray
    weights: FloatArray
    rho: float = 0.0
    order: float = 0.0
    log_scale: float = 0.0

    @cached_property
    def mass(self) -> FloatArray:
        """Masses under P; beyond the range of a float far below the centre of a tilted law, so cut to it there."""
        if self.order == 0.0:
            return self.weights
        with np.errstate(divide="ignore"):
            return np.exp(np.minimum(np.log(self.weights) + self.log_scale - self.order * self.values, 0.0))

    @cached_property
    def cumulative(self) -> FloatArray:
        return np.minimum(np.cumsum(self.mass), 1.0)

    @cached_property
    def upper(self) -> FloatArray:
        """Mass at or above each atom, summed from the far end so that small tails stay accurate."""
        return np.minimum(np.cumsum(self.mass[::-1])[::-1], 1.0)

    @property
    def spread(self) -> float:
        return math.sqrt(2 * self.rho)

    def cdf(self, loss: FloatArray) -> FloatArray:
        flat = np.ravel(loss)
        if self.rho == 0.0:
            index = np.searchsorted(self.values, flat, side="right")
            found = np.where(index > 0, self.cumulative[np.maximum(index - 1, 0)], 0.0)
        else:
            found = self._mixed(flat)
        return np.minimum(found, 1.0).reshape(np.shape(loss))

    def survival(self, loss: FloatArray) -> FloatArray:
        """Pr[Z > loss]."""
        flat = np.ravel(loss)
        if self.rho == 0.0:
            index = np.searchsorted(self.values, flat, side="right")
            found = np.where(index < self.values.size, self.upper[np.minimum(index, self.values.size - 1)], 0.0)
        else:
            found = self._mixed(flat, sign=-1.0)
        return np.minimum(found, 1.0).reshape(np.shape(loss))

    def _mixed(self, losses: FloatArray, sign: float = 1.0) -> FloatArray:
        """Pr[Z <= loss], or Pr[Z > loss] with the sign -1, of atoms plus a normal part."""
        rows = max(1, (1 << 20) // self.values.size)
        found = np.empty(losses.size)
        for start in range(0, losses.size, rows):
            some = losses[start : start + rows, None]
            found[start : start + rows] = (self.mass * ndtr(sign * (some - self.values - self.rho) / self.spread)).sum(
                -1
            )
        return found

    def strictly_below(self, loss: FloatArray) -> FloatArray:
        """Pr[Z < loss]."""
        if self.rho > 0.0:
            return self.cdf(loss)
        index = np.searchsorted(self.values, np.ravel(loss), side="left")
        found = np.where(index > 0, self.cumulative[np.maximum(index - 1, 0)], 0.0)
        return found.reshape(np.shape(loss))

    def quantile(self, level: FloatArray) -> FloatArray:
        """Smallest loss whose cdf reaches the level."""
        flat = np.ravel(level)
        if self.values.size == 1 and self.rho > 0.0:
            found = self.values[0] + self.rho + self.spread * ndtri(flat)
        elif self.rho == 0.0:
            index = np.searchsorted(self.cumulative, flat, side="left")
            found = self.values[np.minimum(index, self.values.size - 1)]
        else:
            found = self._mixture_quantile(flat)
        return found.reshape(np.shape(level))

    def _mixture_quantile(self, level: FloatArray) -> FloatArray:
        """Roots of the cdf; atoms and normal part both at half the tail bracket each of them."""
        inner = (level > 0.0) & (level < 1.0)
        u = np.where(inner, level, 0.5)
        below = np.maximum(np.searchsorted(self.cumulative, u / 2) - 1, 0)
        above = np.minimum(np.searchsorted(self.cumulative, (1 + u) / 2), self.values.size - 1)
        low = self.values[below] + self.rho + self.spread * ndtri(u / 2)
        high = self.values[above] + self.rho - self.spread * ndtri((1 - u) / 2)
        root = bracketed_root(lambda z: self._mixed(z) - u, low, high)
        return np.where(inner, root, np.where(level <= 0.0, -math.inf, math.inf))

    def upper_quantile(self, tail: FloatArray) -> FloatArray:
        """Largest loss reached or exceeded with at least the probability `tail`."""
        flat = np.ravel(tail)
        if self.rho == 0.0:
            index = np.searchsorted(-self.upper, -flat, side="right") - 1
            found = self.values[np.maximum(index, 0)]
        elif self.values.size == 1:
            found = self.values[0] + self.rho - self.spread * ndtri(flat)
        else:
            found = np.array([self._mixture_upper_quantile(float(v)) for v in flat])
        return found.reshape(np.shape(tail))

    def _mixture_upper_quantile(self, tail: float) -> float:
        if tail <= 0.0 or tail >= 1.0:
            return math.inf if tail <= 0.0 else -math.inf
        low, high = self._reach()
        return float(brentq(lambda z: float(self.survival(np.array(z))) - tail, low, high, xtol=1e-13, rtol=1e-14))

    def _reach(self) -> tuple[float, float]:
        """Losses beyond which less than 1e-300 lies."""
        return (
            float(self.values[0] + self.rho - 38 * self.spread),
            float(self.values[-1] + self.rho + 38 * self.spread),
        )

    def delta(self, epsilon: float) -> float:
        """E_P[(1 - e^(epsilon - Z))+] over the finite losses."""
        if self.rho == 0.0:
            start = int(np.searchsorted(self.values, epsilon, side="right"))
            return float((self.mass[start:] * -np.expm1(epsilon - self.values[start:])).sum())
        return float((self.mass * _gaussian_delta(epsilon - self.values, self.rho)).sum())

    def epsilon(self, delta: float) -> float:
        """Smallest epsilon at least 0 with `delta(epsilon)` at most the given one."""
        if self.delta(0.0) <= delta:
            return 0.0
        if self.rho > 0.0:
            high = max(1.0, float(self.values[-1]) + self.rho)
            while self.delta(high) > delta:
                high *= 2
            target = math.log(delta)
            return float(
                brentq(lambda e: math.log(max(self.delta(e), 1e-320)) - target, 0.0, high, xtol=1e-14, rtol=1e-14)
            )
        first = int(np.searchsorted(self.values, 0.0, side="right"))
        low, high_index = first - 1, self.values.size - 1  # delta at low exceeds the target, at high it does not
        while high_index - low > 1:
            middle = (low + high_index) // 2
            if self.delta(float(self.values[middle])) > delta:
                low = middle
            else:
                high_index = middle
        reference = float(self.values[high_index])
        present = float(self.mass[high_index:].sum())
        absent = float((self.mass[high_index:] * np.exp(reference - self.values[high_index:])).sum())
        return max(0.0, reference + math.log((present - delta) / absent)) if present > delta else reference

    def log_absent_upper_tail(self, present_tail: float) -> float:
        """ln Q(S) of the most telling event S with P(S) = present_tail (finite losses only)."""
        cut = float(self.upper_quantile(np.array(present_tail)))
        if self.rho > 0.0:
            logs = -self.values + log_ndtr(-(cut - self.values + self.rho) / self.spread)
            with np.errstate(divide="ignore"):
                logs = logs + np.log(self.mass)
            return float(np.logaddexp.reduce(logs))
        start = int(np.searchsorted(self.values, cut, side="right"))
        above = float(self.mass[start:].sum())
        part = float((self.mass[start:] * np.exp(cut - self.values[start:])).sum()) + max(present_tail - above, 0.0)
        return math.log(part) - cut

    def mean_of(self, function: Callable[[FloatArray], FloatArray]) -> float:
        """E_P[function(Z)] over the finite losses."""
        if self.rho == 0.0:
            return float((self.mass * function(self.values)).sum())
        step = min(0.1, 0.5 / self.spread)  # trapezium on the normal law: the error falls as exp(-2 pi^2 / (step s))
        nodes = np.arange(-9.0, 9.0 + step / 2, step)
        normal = np.exp(-(nodes**2) / 2)
        normal /= normal.sum()
        total = 0.0
        for node, weight in zip(nodes, normal, strict=True):
            total += weight * float((self.mass * function(self.values + self.rho + self.spread * node)).sum())
        return total


def _gaussian_delta(epsilon: FloatArray, rho: float) -> FloatArray:
    """Phi(m/2 - e/m) - e^e Phi(-m/2 - e/m), m = sqrt(2 rho), by Mills' ratio where both tails are small."""
    spread = math.sqrt(2 * rho)
    x = (np.asarray(epsilon, dtype=float) - rho) / spread
    y = x + spread
    density = np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)

    def mills(at: FloatArray) -> FloatArray:
        return math.sqrt(math.pi / 2) * erfcx(np.maximum(at, 0.0) / math.sqrt(2))

    first = np.where(x > 0, density * mills(x), ndtr(-x))
    second = np.where(y > 0, density * mills(y), np.exp(np.minimum(epsilon, 0.0)) * ndtr(-y))
    both = density * (mills(x) - mills(y))
    return np.maximum(np.where(x > 0, both, first - second), 0.0)


@dataclass(frozen=True)
class _LaplaceLaw:
    """The law of one Laplace release in closed form."""

    part: _Laplace

    def cdf(self, loss: FloatArray) -> FloatArray:
        return self.part.cdf(loss)

    def survival(self, loss: FloatArray) -> FloatArray:
        return 1.0 - self.part.cdf(loss)

    def strictly_below(self, loss: FloatArray) -> FloatArray:
        end = self.part.epsilon
        return np.where(loss <= -end, 0.0, np.where(loss > end, 1.0, 0.5 * np.exp(np.minimum((loss - end) / 2, 0.0))))

    def quantile(self, level: FloatArray) -> FloatArray:
        end = self.part.epsilon
        with np.errstate(divide="ignore"):
            inner = end + 2 * np.log(2 * level)
        return np.clip(inner, -end, end)

    def upper_quantile(self, tail: FloatArray) -> FloatArray:
        return self.quantile(1.0 - tail)

    def delta(self, epsilon: float) -> float:
        return -math.expm1(min((epsilon - self.part.epsilon) / 2, 0.0))

    def epsilon(self, delta: float) -> float:
        return max(self.part.epsilon + 2 * math.log1p(-delta), 0.0) if delta < 1 else 0.0

    def log_absent_upper_tail(self, present_tail: float) -> float:
        end = self.part.epsilon
        if present_tail <= 0.5:
            return math.log(present_tail) - end
        cut = end + 2 * math.log(2 * (1 - present_tail)) if present_tail < 1 else -end
        if cut <= -end:
            rest = present_tail - (1 - math.exp(-end) / 2)
            return math.log(0.5 + rest * math.exp(end))
        return math.log(math.exp(-end) / 2 + math.exp(-end / 2) / 2 * (math.exp(-cut / 2) - math.exp(-end / 2)))

    def mean_of(self, function: Callable[[FloatArray], FloatArray]) -> float:
        """Two atoms and Gauss-Legendre panels on the density e^((z - epsilon)/2)/4."""
        end = self.part.epsilon
        panels = max(1, math.ceil(end))
        edges = np.linspace(-end, end, panels + 1)
        half = (edges[1:] - edges[:-1]) / 2
        nodes, weights = np.polynomial.legendre.leggauss(30)
        z = (edges[:-1] + half)[:, None] + half[:, None] * nodes
        between = float((function(z) * np.exp((z - end) / 2) / 4 * (half[:, None] * weights)).sum())
        ends = function(np.array([end, -end]))
        return between + 0.5 * float(ends[0]) + 0.5 * math.exp(-end) * float(ends[1])


# ---- many releases -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bracket:
    """Two numbers between which the exact value lies."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """High minus low, at least 0."""
        return self.high - self.low


def _units(window: tuple[float, float], offset: float, step: float) -> tuple[int, int]:
    """The lattice points offset + step j that cover a window."""
    return math.floor((window[0] - offset) / step + 1e-9), math.ceil((window[1] - offset) / step - 1e-9)


def common_step(steps: Sequence[float]) -> float | None:
    """A step of which every given step is a whole multiple, when a small one exists.

    Parameters
    ----------
    steps : above 0

    Returns
    -------
    The smallest step divided by at most 64; None where that is not enough.

    References
    ----------
    ours, trial of divisors

    Examples
    --------
    >>> common_step([0.5, 0.75])
    0.25
    """
    smallest = min(steps)
    for division in range(1, 65):
        ratios = [step * division / smallest for step in steps]
        if all(abs(ratio - round(ratio)) <= 1e-12 * max(1.0, ratio) for ratio in ratios):
            return smallest / division
    return None


def _self_composed(part: _Lattice, count: int, order: float) -> tuple[FloatArray, FloatArray]:
    """Losses of `count` equal releases and their masses tilted by e^(order z), both on the part's own lattice."""
    if count == 1:
        return part.values, part.tilted(order)
    if part.sigma >= SMALLEST_LIMIT:  # discrete Gaussians add up to one, up to e^(-pi^2 sigma^2) (Poisson summation)
        variance = count * part.sigma**2
        centre, reach = round(order * part.step * variance), math.ceil(9.3 * math.sqrt(variance)) + 1
        _check_points(2 * reach)
        y = np.arange(centre - reach, centre + reach + 1, dtype=np.float64)
        weights = np.exp(-((y - order * part.step * variance) ** 2) / (2 * variance))
        return np.asarray(count * part.offset + part.step * y), weights / weights.sum()
    single = _Sum([(part, count)])
    offset = count * part.offset
    window = _units(single.window(order), offset, part.step)
    _check_points(window[1] - window[0])
    mass = _convolve([(part.lowest, part.tilted(order), count)], window)
    return np.asarray(offset + part.step * np.arange(window[0], window[1] + 1)), mass


def _needs(part: _Lattice, count: int, order: float) -> float:
    """How many points `count` equal releases need on their own lattice."""
    most = float(count * (part.size - 1))
    if most <= LARGEST_TILTED:
        return most
    low, high = _Sum([(part, count)]).window(order)
    return (high - low) / part.step


def _onto_grid(
    values: FloatArray, weights: FloatArray, step: float, order: float, *, connect: bool
) -> tuple[float, FloatArray, float]:
    """Tilted masses moved to the grid anchored at the first value: down, or onto both neighbours keeping P and Q.

    They sum to one; the last number is the logarithm of what they summed to, which a strong tilt takes out of the range
    of floats once many releases are multiplied.
    """
    kept = np.flatnonzero(weights > 1e-30 * weights.max())  # a window of a nearly certain loss is far too wide
    values, weights = values[kept[0] : kept[-1] + 1], weights[kept[0] : kept[-1] + 1]
    anchor = float(values[0])
    position = (values - anchor) / step
    nearest = np.rint(position)
    position = np.where(np.abs(position - nearest) < 1e-9, nearest, position)
    below = np.floor(position).astype(np.int64)
    rest = (position - below) * step
    up = np.expm1(-rest) / np.expm1(-step) if connect else np.zeros(values.size)
    size = int(below[-1]) + 2
    falling, rising = -order * rest, order * (step - rest)
    top = float(max(falling.max(), rising[up > 0].max(initial=-math.inf)))
    moved = np.bincount(below, weights * (1 - up) * np.exp(falling - top), size)
    if connect:
        moved += np.bincount(below + 1, weights * up * np.exp(np.minimum(rising - top, 0.0)), size)
    total = float(moved.sum())
    return anchor, np.asarray(moved / total, dtype=np.float64), math.log(total) + top


def _laplace_onto_grid(part: _Laplace, step: float, order: float, *, connect: bool) -> tuple[FloatArray, float]:
    """Tilted masses of one Laplace release on the grid anchored at -epsilon, summing to one, and ln of their sum."""
    end = part.epsilon
    cells = max(math.ceil(2 * end / step - 1e-9), 1)
    start = -end + step * np.arange(cells)
    width = np.full(cells, step)
    width[-1] = end - start[-1]
    scale = 0.5 * np.exp((start - end) / 2)
    inside = scale * np.expm1(width / 2)
    up = scale * 4 * np.sinh(width / 4) ** 2 / -math.expm1(-step) if connect else np.zeros(cells)
    mass = np.zeros(cells + 1)
    mass[:-1] += inside - up
    mass[1:] += up
    mass[0] += 0.5 * math.exp(-end)
    share = 1.0 if width[-1] > step * (1 - 1e-9) else (math.expm1(-width[-1]) / math.expm1(-step) if connect else 0.0)
    mass[-2] += 0.5 * (1 - share)
    mass[-1] += 0.5 * share
    shift = float(part.log_moments(np.array([order]))[0])
    exponents = order * (-end + step * np.arange(cells + 1)) - shift
    top = float(exponents[mass > 0].max())
    tilted = mass * np.exp(np.minimum(exponents - top, 0.0))
    total = float(tilted.sum())
    return tilted / total, math.log(total) + top


@dataclass(frozen=True)
class LossParts:
    """The privacy loss of one release in parts: normal N(rho, 2 rho), one discrete or Laplace part, mass at infinity.

    A mechanism or guarantee is turned into these parts by `loss_parts`; every one of them is symmetric, so the law on
    the absent side is the mirror image of the one described here.
    """

    rho: float = 0.0
    finite: _Part | None = None
    infinite: float = 0.0


@dataclass(frozen=True, eq=False)
class RoundParts:
    """The losses of one round in parts: a normal one, lattices with counts, Laplace epsilons with counts.

    The normal part may stand for discrete Gaussian noise; its sums then lie within `slack` of the true ones.
    """

    rho: float
    lattices: tuple[tuple[_Lattice, int], ...]
    laplaces: tuple[tuple[float, int], ...]
    slack: float = 0.0


@singledispatch
def loss_parts(source: Any) -> LossParts:
    """The privacy loss of one release of a mechanism, or of the worst mechanism with a guarantee.

    Parameters
    ----------
    source : a mechanism of `dpcore.mechanisms`, a `PureDP` or an `ApproximateDP`

    Returns
    -------
    Exact parts of the law on the present side.

    Raises
    ------
    ValueError
        ``source must be a mechanism, PureDP or ApproximateDP; got ...``

    References
    ----------
    kairouz, section 3 (the worst pair of an approximate guarantee)
    ours, one-release laws of the mechanisms; checked against their laws by enumeration

    Examples
    --------
    >>> loss_parts(ApproximateDP(epsilon=1.0, delta=0.1)).infinite
    0.1
    """
    raise ValueError(f"source must be a mechanism, PureDP or ApproximateDP; got {source!r}")


def _two_point_loss(epsilon: float) -> _Lattice | None:
    """Loss +epsilon with probability e^epsilon/(1 + e^epsilon), else -epsilon; None when epsilon is zero."""
    if epsilon == 0.0:
        return None
    return _Lattice(2 * epsilon, -epsilon, 0, log_expit(np.array([-epsilon, epsilon])))


@loss_parts.register
def _(source: LossParts) -> LossParts:
    return source


def _lattice(atoms: LossAtoms, *, bounded: bool, sigma: float = 0.0) -> _Lattice:
    return _Lattice(atoms.step, atoms.offset, atoms.first, atoms.log_mass, bounded, sigma)


@loss_parts.register
def _(source: Gaussian) -> LossParts:
    return LossParts(rho=source.rho)


@loss_parts.register
def _(source: Laplace) -> LossParts:
    return LossParts(finite=_Laplace(source.epsilon))


@loss_parts.register
def _(source: DiscreteGaussian) -> LossParts:
    return LossParts(finite=_lattice(source.privacy_loss_atoms(omitted=OMITTED), bounded=False, sigma=source.sigma))


@loss_parts.register(Geometric)
@loss_parts.register(RandomizedResponse)
def _(source: Geometric | RandomizedResponse) -> LossParts:
    return LossParts(finite=_lattice(source.privacy_loss_atoms(), bounded=True) if source.epsilon > 0 else None)


@loss_parts.register
def _(source: PureDP) -> LossParts:
    return LossParts(finite=_two_point_loss(source.epsilon))


@loss_parts.register
def _(source: ApproximateDP) -> LossParts:
    return LossParts(finite=_two_point_loss(source.epsilon), infinite=source.delta)


_cached_parts = lru_cache(maxsize=256)(loss_parts)


def _is_wide(source: Any, count: int) -> bool:
    """Whether discrete Gaussian noise, released so often, is better taken as its normal limit than put on a lattice."""
    if not isinstance(source, DiscreteGaussian) or source.sigma < SMALLEST_LIMIT:
        return False
    return source.sigma > WIDE_NOISE or source.sigma * math.sqrt(count) > WIDE_SUM


def _check_points(points: float) -> None:
    if points > LARGEST_LATTICE:
        raise ValueError(f"releases must need at most {LARGEST_LATTICE:,} points of their lattice; got {points:,.0f}")


@dataclass(frozen=True)
class PrivacyLoss:
    """The law of the summed privacy loss of independent releases, and what an attacker believes after them.

    Parameters
    ----------
    releases : pairs of a mechanism (or a pure or approximate guarantee, which stands for the worst mechanism that has
        it) and the number of times it is released
    points : number of grid points used when different losses have to be rounded; None chooses it

    Raises
    ------
    ValueError
        ``releases must name at least one release; got ()``,
        ``count must be a whole number of at least 1; got ...``

    Notes
    -----
    A pure or approximate guarantee stands for the worst mechanism with it, as far as `delta`, `epsilon`, the bounds
    over every view and the mean belief go (a bound for any mechanism). Quantiles, cdfs and exceedances of a guarantee
    do not exist and are refused.

    `certainty` says whether the numbers are ``"exact"`` or come from a grid or a limit (``"bracketed"``). There,
    `delta` and `epsilon` are upper bounds: losses are split onto neighbouring points so that both laws keep their mass,
    which dominates the true pair. Quantiles and cdfs are estimates there; the ``..._bracket`` methods give rigorous
    ends.

    References
    ----------
    thesis, Theorem 27
    ours, exact lattice composition, closed-form Gaussian group, tilted transform; checked against enumeration, mpmath,
    dp-accounting, prv-accountant and simulation

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> twice = PrivacyLoss.of(Geometric(epsilon=1.0), count=2)  # losses 2, 0, -2
    >>> round(twice.epsilon(0.0), 12)
    2.0
    >>> round(twice.posterior_quantile(0.99, prior=0.5), 6)  # expit(2)
    0.880797
    """

    releases: tuple[tuple[Any, int], ...]
    points: int | None = None
    _laws: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not self.releases:
            raise ValueError("releases must name at least one release; got ()")
        merged: dict[Any, int] = {}
        for source, count in self.releases:
            merged[source] = merged.get(source, 0) + _checks.count("count", count, 1)
        object.__setattr__(self, "releases", tuple(merged.items()))
        if self.points is not None:
            _checks.count("points", self.points, 16, 1 << 22)

    @classmethod
    def of(cls, mechanism: Any, count: int = 1, *, points: int | None = None) -> PrivacyLoss:
        """The privacy loss of `count` releases of one mechanism."""
        return cls(((mechanism, count),), points)

    def __add__(self, other: PrivacyLoss) -> PrivacyLoss:
        """The privacy loss of both sets of releases."""
        if not isinstance(other, PrivacyLoss):
            return NotImplemented
        return PrivacyLoss(self.releases + other.releases, self.points or other.points)

    def times(self, count: int) -> PrivacyLoss:
        """The privacy loss of the same releases `count` times over."""
        times = _checks.count("count", count, 1)
        return PrivacyLoss(tuple((source, times * number) for source, number in self.releases), self.points)

    # ---- parts ------------------------------------------------------------------------------------------------

    @cached_property
    def _parts(self) -> tuple[float, _Sum | None, float]:
        """Total rho of the Gaussians, the sum of the other finite losses, ln of the mass that is finite."""
        rho, log_finite = 0.0, 0.0
        finite: list[tuple[_Part, int]] = []
        for source, count in self.releases:
            if _is_wide(source, count):
                rho += count * source.rho
                continue
            part = _cached_parts(source)
            rho += count * part.rho
            log_finite += count * math.log1p(-part.infinite) if part.infinite < 1 else -math.inf
            if part.finite is not None:
                finite.append((part.finite, count))
        return rho, _Sum(finite) if finite else None, log_finite

    @property
    def round_parts(self) -> RoundParts:
        """The finite losses in parts, for whoever carries them out again and again; refused for guarantees alone."""
        self.check_law_of_tails()
        rho, finite, _ = self._parts
        if finite is None:
            return RoundParts(rho, (), (), self._slack)
        laplaces = tuple((part.epsilon, count) for part, count in finite.laplaces)
        return RoundParts(rho, tuple(finite.lattices), laplaces, self._slack)

    @property
    def smooth_round_parts(self) -> RoundParts:
        """`round_parts` with discrete Gaussian noise at its normal limit, where sums of it are a discrete Gaussian."""
        limits = [
            (source, count)
            for source, count in self.releases
            if isinstance(source, DiscreteGaussian) and source.sigma >= SMOOTH_NOISE
        ]
        others = tuple(pair for pair in self.releases if pair not in limits)
        rest = PrivacyLoss(others).round_parts if others else RoundParts(0.0, (), ())
        rho = rest.rho + math.fsum(count * source.rho for source, count in limits)
        slack = rest.slack + math.fsum(2 * source.rho / source.sensitivity for source, _ in limits)
        return RoundParts(rho, rest.lattices, rest.laplaces, slack)

    def log_moment(self, order: float) -> float:
        """ln E[e^(order Z)] of the finite losses, the target in the data."""
        return self._moments(order)[0]

    def log_moments(self, orders: FloatArray) -> FloatArray:
        """`log_moment` at many orders."""
        rho, finite, _ = self._parts
        return rho * orders * (1 + orders) + (finite.log_moments(orders) if finite is not None else 0.0)

    @cached_property
    def _slack(self) -> float:
        """By how much the loss may lie above or below the one computed: a step for each discrete Gaussian at its limit.

        Sums of equal discrete Gaussians are discrete Gaussians up to e^(-pi^2 sigma^2) (Poisson summation), and one
        lies within a step of a normal variable (canonne_kamath_steinke: P[Y >= m] <= P[X >= m - 1]).
        """
        return math.fsum(
            2 * source.rho / source.sensitivity for source, count in self.releases if _is_wide(source, count)
        )

    @property
    def infinite_mass(self) -> float:
        """Probability that the target's presence is revealed for certain."""
        return -math.expm1(self._parts[2])

    @property
    def largest(self) -> float:
        """Largest finite loss, or infinity where losses are unbounded."""
        rho, finite, _ = self._parts
        if rho > 0 or (finite is not None and not finite.bounded):
            return math.inf
        return finite.support[1] if finite is not None else 0.0

    @property
    def certainty(self) -> str:
        """``"exact"`` or ``"bracketed"``."""
        return "bracketed" if self._route[0] == "grid" or self._slack > 0.0 else "exact"

    @property
    def has_law_of_tails(self) -> bool:
        """Whether every source is a mechanism: a guarantee alone bounds delta, but no quantile and no tail."""
        return not any(isinstance(source, PureDP | ApproximateDP) for source, _ in self.releases)

    def check_law_of_tails(self) -> None:
        """Refuse a plan in which a source is a guarantee alone.

        Raises
        ------
        ValueError
            ``source must be a mechanism, a guarantee alone has no law of tails; got ...``
        """
        for source, _ in self.releases:
            if isinstance(source, PureDP | ApproximateDP):
                raise ValueError(f"source must be a mechanism, a guarantee alone has no law of tails; got {source!r}")

    @cached_property
    def _route(self) -> tuple[str, float]:
        """How the finite losses are composed (closed, laplace, lattice, list or grid) and with which step."""
        rho, finite, _ = self._parts
        if finite is None:
            return "closed", 0.0
        if finite.laplaces:
            if rho == 0.0 and not finite.lattices and finite.laplaces[0][1] == 1 and len(finite.laplaces) == 1:
                return "laplace", 0.0
        else:
            step = common_step([part.step for part, _ in finite.lattices])
            if step is not None:
                low, high = finite.window(0.0)
                alone = len(finite.parts) == 1 and rho == 0.0
                if (high - low) / step <= (MIXED_LATTICE_UP_TO if rho > 0.0 else COMMON_LATTICE_UP_TO) or alone:
                    _check_points((high - low) / step)
                    return "lattice", step
            sizes = 1
            for part, count in finite.lattices:
                sizes *= count * (part.size - 1) + 1
                if sizes > ENUMERATE_UP_TO:
                    break
            if sizes <= ENUMERATE_UP_TO:
                return "list", 0.0
        return "grid", self._grid_step(finite, rho)

    def _grid_step(self, finite: _Sum, rho: float) -> float:
        low, high = finite.window(0.0)
        cap = MIXED_GRID_UP_TO if rho > 0 else COMMON_LATTICE_UP_TO
        points = self.points or min(max((1 << 23) // len(finite.parts), 1 << 14), cap)
        step = (high - low) / points
        if len(finite.laplaces) == 1 and finite.laplaces[0][0].epsilon >= step:  # puts both of its atoms on the grid
            end = finite.laplaces[0][0].epsilon
            step = 2 * end / math.ceil(2 * end / step)
        return step

    @property
    def _rounded(self) -> float:
        """By how much all losses together may have been rounded: each by up to one grid step, or its own width."""
        finite, step = self._parts[1], self._route[1]
        assert finite is not None
        return len(finite.lattices) * step + math.fsum(
            count * min(step, 2 * laplace.epsilon) for laplace, count in finite.laplaces
        )

    @property
    def _pieces(self) -> float:
        """How many steps above their largest values the losses on the grid may reach but with a chance of 1e-18.

        A Laplace loss narrower than a step moves up a whole one with a chance of at most its width over the step;
        how many of them do is bounded by Bernstein's inequality.
        """
        finite, step = self._parts[1], self._route[1]
        assert finite is not None
        mean = math.fsum(count * min(2 * laplace.epsilon / step, 1.0) for laplace, count in finite.laplaces)
        number = sum(count for _, count in finite.laplaces)
        return len(finite.lattices) + min(number, mean + math.sqrt(2 * LOG_TAIL * mean) + LOG_TAIL)

    def _law(self, order: float = 0.0, *, connect: bool = True) -> _Law | _LaplaceLaw:
        """The law of the finite loss, tilted by e^(order z); on a grid connected, or rounded down."""
        key = (order, connect or self._route[0] != "grid")
        if key not in self._laws:
            found = self._computed_law(order, connect=connect)
            kept = [name for name in self._laws if name != "centres"]
            while kept and sum(getattr(self._laws[name], "values", np.zeros(0)).size for name in kept) > MOST_KEPT:
                del self._laws[kept.pop(0)]
            self._laws[key] = found
        return self._laws[key]

    def _computed_law(self, order: float, *, connect: bool) -> _Law | _LaplaceLaw:
        rho, finite, _ = self._parts
        route, step = self._route
        if finite is None:
            return _Law(np.zeros(1), np.ones(1), rho)
        if route == "laplace":
            return _LaplaceLaw(finite.laplaces[0][0])
        scale = finite.moments(order)[0]
        if route == "list":
            values, weights = np.zeros(1), np.ones(1)
            for part, count in finite.lattices:
                more, mass = _self_composed(part, count, order)
                values = np.add.outer(values, more).ravel()
                weights = np.multiply.outer(weights, mass).ravel()
            ascending = np.argsort(values, kind="stable")
            return _Law(values[ascending], weights[ascending], rho, order, scale)
        window = finite.window(order)
        offset, pieces = 0.0, []
        if route == "lattice":
            for part, count in finite.lattices:
                stride = round(part.step / step)
                mass = np.zeros((part.size - 1) * stride + 1)
                mass[::stride] = part.tilted(order)
                offset += count * part.offset
                pieces.append((part.lowest * stride, mass, count))
        else:
            most = MIXED_GRID_UP_TO if rho > 0 else COMMON_LATTICE_UP_TO
            step = max(step, (window[1] - window[0]) / (2 * most))  # a tilted law may be far wider than the law itself
            for part, count in finite.lattices:
                if order != 0.0 and _needs(part, count, order) > LARGEST_TILTED:
                    anchor, mass, log_total = _onto_grid(part.values, part.tilted(order), step, order, connect=connect)
                    offset, scale = offset + count * anchor, scale + count * log_total
                    pieces.append((0, mass, count))
                    continue
                own, own_mass = _self_composed(part, count, order)
                anchor, mass, log_total = _onto_grid(own, own_mass, step, order, connect=connect)
                offset, scale = offset + anchor, scale + log_total
                pieces.append((0, mass, 1))
            for laplace, count in finite.laplaces:
                mass, log_total = _laplace_onto_grid(laplace, step, order, connect=connect)
                offset, scale = offset - count * laplace.epsilon, scale + count * log_total
                pieces.append((0, mass, count))
            again = sum(count for _, _, count in pieces[: len(finite.lattices)]) - len(finite.lattices)
            window = (window[0] - self._rounded - step * again, window[1] + step * (self._pieces + again))
        units = _units(window, offset, step)
        weights = _convolve(pieces, units)
        values = np.asarray(offset + step * np.arange(units[0], units[1] + 1))
        return _Law(values, weights, rho, order, scale)

    def _moments(self, order: float) -> tuple[float, float, float]:
        rho, finite, _ = self._parts
        log_moment, mean, variance = finite.moments(order) if finite is not None else (0.0, 0.0, 0.0)
        return (
            log_moment + rho * order * (1 + order),
            mean + rho * (1 + 2 * order),
            variance + 2 * rho,
        )

    def _order_for_mean(self, mean: float) -> float:
        """The tilt that centres the finite loss on `mean`; 0 when the untilted law is centred there or beyond."""
        low_mean = self._moments(0.0)[1]
        if low_mean >= mean:
            return 0.0
        rho, finite, _ = self._parts
        largest = finite.support[1] if finite is not None and rho == 0.0 else math.inf
        if mean > largest - 1e-3 * (largest - low_mean):
            mean = largest - 1e-3 * (largest - low_mean)
        upper, most = 1.0, math.inf
        if self._route[0] == "grid":  # a stronger tilt would tell the nodes of the grid apart beyond a float's range
            most = 600.0 / self._route[1]
            if self._moments(most)[1] < mean:
                return most
        while self._moments(upper)[1] < mean:
            upper *= 2
        return float(brentq(lambda order: self._moments(order)[1] - mean, 0.0, upper, rtol=1e-2, xtol=1e-3))

    def _law_near(self, epsilon: float, *, connect: bool = True) -> _Law | _LaplaceLaw:
        """A tilted law centred within a standard deviation and a half of `epsilon`; laws found are kept."""
        if self._route[0] in ("closed", "laplace", "list"):
            return self._law(connect=connect)
        centres = self._laws.setdefault("centres", [])
        for order, mean, deviation in centres:
            if abs(epsilon - mean) <= 1.5 * deviation:
                return self._law(order, connect=connect)
        order = self._order_for_mean(epsilon)
        _, mean, variance = self._moments(order)
        if order > 0.0:
            centres.append((order, mean, math.sqrt(variance)))
        return self._law(order, connect=connect)

    @property
    def rho(self) -> float:
        """Total rho of the Gaussian releases, whose losses stay in closed form: N(rho, 2 rho)."""
        return self._parts[0]

    def tilted(self, order: float) -> tuple[float, float, float]:
        """Mean and standard deviation of the finite loss tilted by e^(order z), and ln E[e^(order Z)]."""
        log_moment, mean, variance = self._moments(_checks.number("order", order))
        return mean, math.sqrt(max(variance, 0.0)), log_moment

    def atoms(
        self, order: float = 0.0, *, connect: bool = True, at_most: int | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Finite losses other than Gaussian ones, rising, and their log masses given that the loss is finite.

        Parameters
        ----------
        order : the tilt the masses are computed under; masses near the mean of the law tilted by e^(order z) keep
            their relative accuracy
        connect : on a grid, losses split onto both neighbours, which dominates the true pair; otherwise rounded down
        at_most : so many atoms, at least 16; where there are more, they move to a grid as `connect` says

        Raises
        ------
        ValueError
            ``order must be finite; got ...``, ``at_most must be a whole number of at least 16; got ...``,
            ``atoms must not be asked of a Laplace release alone; got ...``
        """
        law = self._law(_checks.number("order", order), connect=connect)
        if isinstance(law, _LaplaceLaw):
            raise ValueError(f"atoms must not be asked of a Laplace release alone; got {self.releases!r}")
        values, weights, scale = law.values, law.weights, law.log_scale
        if at_most is not None and values.size > _checks.count("at_most", at_most, 16):
            step = float(values[-1] - values[0]) / (at_most - 2)
            anchor, weights, log_total = _onto_grid(values, weights, step, law.order, connect=connect)
            values, scale = np.asarray(anchor + step * np.arange(weights.size), dtype=np.float64), scale + log_total
        with np.errstate(divide="ignore"):
            return values, np.log(weights) + scale - law.order * values

    # ---- approximate differential privacy -----------------------------------------------------------------------

    def delta(self, epsilon: ArrayLike) -> Any:
        """Smallest delta for which the releases are (epsilon, delta)-DP.

        Parameters
        ----------
        epsilon : at least 0; scalar or array

        Returns
        -------
        Exact, with a relative accuracy of about 1e-12 down to 1e-40, when `certainty` is ``"exact"``; otherwise an
        upper bound.

        Raises
        ------
        ValueError
            ``epsilon must be at least 0 and finite; got ...``

        Examples
        --------
        >>> from dpcore.guarantees import PureDP
        >>> round(PrivacyLoss.of(PureDP(epsilon=1.0)).delta(0.0), 6)  # tanh(1/2)
        0.462117
        """
        return self._delta(_checks.array("epsilon", epsilon, 0.0), epsilon, connect=True)

    def _delta(self, at: FloatArray, original: ArrayLike, *, connect: bool) -> Any:
        found = np.array([self._finite_delta(float(e), connect) for e in at.ravel()]).reshape(at.shape)
        log_finite = self._parts[2]
        total = found * math.exp(log_finite) - math.expm1(log_finite)
        return _checks.scalar_or_array(np.minimum(total, 1.0), original)

    def _finite_delta(self, epsilon: float, connect: bool) -> float:
        epsilon += -self._slack if connect else self._slack
        if epsilon < 0.0:  # delta falls by at most 1 - e^epsilon between epsilon below 0 and 0
            return min(self._finite_delta(self._slack, connect=True) - math.expm1(epsilon), 1.0)
        if epsilon >= self.largest:
            return 0.0
        if self._route[0] == "closed":
            rho = self._parts[0]
            return float(gaussian_delta(epsilon=epsilon, rho=rho))
        plain = self._law(connect=connect).delta(epsilon)
        if plain > TILT_BELOW:
            return plain
        return self._law_near(epsilon, connect=connect).delta(epsilon)

    def epsilon(self, delta: ArrayLike) -> Any:
        """Smallest epsilon for which the releases are (epsilon, delta)-DP.

        Parameters
        ----------
        delta : in [0, 1]; scalar or array

        Returns
        -------
        Exact when `certainty` is ``"exact"``, otherwise an upper bound; infinite when `delta` is below the probability
        of a certain disclosure, or zero for noise with unbounded losses.

        Raises
        ------
        ValueError
            ``delta must lie in [0, 1]; got ...``
        """
        return self._epsilon(_checks.probability("delta", delta), delta, connect=True)

    def _epsilon(self, at: FloatArray, original: ArrayLike, *, connect: bool) -> Any:
        found = np.array([self._one_epsilon(float(d), connect) for d in at.ravel()]).reshape(at.shape)
        return _checks.scalar_or_array(found, original)

    def _one_epsilon(self, delta: float, connect: bool) -> float:
        log_finite = self._parts[2]
        if math.exp(log_finite) == 0.0:
            return 0.0 if delta >= 1.0 else math.inf
        rest = (delta + math.expm1(log_finite)) / math.exp(log_finite)
        if rest < -4e-16 * delta:
            return math.inf
        if rest <= 4e-16 * delta:
            return self.largest
        if self._slack > 0.0:
            found = self._one_finite_epsilon(rest, connect) + (self._slack if connect else -self._slack)
            return max(found, 0.0)
        return self._one_finite_epsilon(rest, connect)

    def _one_finite_epsilon(self, rest: float, connect: bool) -> float:
        if self._route[0] == "closed":
            rho = self._parts[0]
            return float(gaussian_epsilon(rho=rho, delta=rest)) if rho > 0 else 0.0
        if rest > TILT_BELOW or self._route[0] in ("laplace", "list"):
            return min(self._law(connect=connect).epsilon(rest), self.largest)
        guess = self._chernoff_epsilon(rest)
        near = self._law_near(guess, connect=connect)
        found = near.epsilon(rest)
        nearer = self._law_near(found, connect=connect)
        found = found if nearer is near else nearer.epsilon(rest)
        return min(found, self.largest)  # the last grid point may lie beyond the largest loss

    def _chernoff_epsilon(self, delta: float) -> float:
        """min over s of (ln E[e^(s Z)] + ln 1/delta)/s: an epsilon somewhat above the exact one."""
        log_inverse = -math.log(delta)
        best = minimize_scalar(
            lambda log_order: (self._moments(math.exp(log_order))[0] + log_inverse) / math.exp(log_order),
            bounds=(-12.0, 8.0),
            method="bounded",
            options={"xatol": 0.05},
        )
        return min(float(best.fun), self.largest)

    def delta_bracket(self, epsilon: float) -> Bracket:
        """Numbers between which the smallest delta lies; equal when it is exact."""
        at = _checks.array("epsilon", epsilon, 0.0)
        return self._ordered(self._delta(at, epsilon, connect=False), self._delta(at, epsilon, connect=True))

    def epsilon_bracket(self, delta: float) -> Bracket:
        """Numbers between which the smallest epsilon lies; equal when it is exact."""
        at = _checks.probability("delta", delta)
        return self._ordered(self._epsilon(at, delta, connect=False), self._epsilon(at, delta, connect=True))

    @staticmethod
    def _ordered(low: float, high: float) -> Bracket:
        return Bracket(min(low, high), high)

    # ---- the loss itself ------------------------------------------------------------------------------------------

    def loss_cdf(self, loss: ArrayLike, *, side: Side = "present") -> Any:
        """Probability that the privacy loss is at most `loss` on one side ("present" or "absent").

        Parameters
        ----------
        loss : in log-odds units; infinite values allowed; scalar or array
        side : whether the target is in the data

        Raises
        ------
        ValueError
            ``loss must be a number; got ...``, ``side must be one of 'present', 'absent'; got ...``
        """
        self.check_law_of_tails()
        z = _checks.array("loss", loss, allow_infinite=True)
        return _checks.scalar_or_array(self._cdf(z, _checks.choice("side", side, SIDES[:2]), self._law()), loss)

    def _cdf(self, z: FloatArray, side: str, law: _Law | _LaplaceLaw, shift: float = 0.0) -> FloatArray:
        """Pr[Z + shift <= z]; on the absent side Z is minus the loss on the present side."""
        finite = math.exp(self._parts[2])
        if side == "present":
            return np.where(z == math.inf, 1.0, finite * law.cdf(z - shift))
        below = law.strictly_below(-z - shift) if finite > 0 else np.ones(z.shape)
        return np.where(z == -math.inf, self.infinite_mass, 1.0 - finite * below)

    def exceedance(self, shift: ArrayLike, *, side: Side = "present", direction: Direction = "rise") -> Any:
        """Probability that the log odds of the attacker's belief move by more than `shift`.

        Parameters
        ----------
        shift : at least 0, in log-odds units; scalar or array. A loss within 1e-12 of it counts as equal to it
        side : whether the target is in the data
        direction : ``"rise"``, ``"fall"`` or ``"either"``

        Returns
        -------
        The failure probability, after these releases, of a promise that allows `shift`. Exact, or an estimate on a
        grid. Somebody who reads every release passes the shift on *some* of them more often: `dpcore.first_passage`.

        Raises
        ------
        ValueError
            ``source must be a mechanism, a guarantee alone has no law of tails; got ...``,
            ``shift must be at least 0; got ...``, ``side must be one of 'present', 'absent'; got ...``,
            ``direction must be one of 'rise', 'fall', 'either'; got ...``

        Examples
        --------
        >>> from dpcore.mechanisms import Geometric
        >>> round(PrivacyLoss.of(Geometric(epsilon=1.0)).exceedance(0.5), 6)  # e/(1 + e)
        0.731059
        """
        self.check_law_of_tails()
        _checks.choice("side", side, SIDES[:2])
        _checks.choice("direction", direction, DIRECTIONS)
        allowed = _checks.array("shift", shift, 0.0, allow_infinite=True)
        c = allowed + 1e-12 * np.maximum(1.0, allowed)
        telling = (side == "present") == (direction == "rise") or direction == "either"
        misleading = (side == "present") != (direction == "rise") or direction == "either"
        found = np.zeros(c.shape)
        if telling:  # up when the target is in the data, down when not
            found = math.exp(self._parts[2]) * self._survival(c) + self.infinite_mass
        if misleading:
            found = found + math.exp(self._parts[2]) * self._law().strictly_below(-c)
        return _checks.scalar_or_array(np.minimum(found, 1.0), shift)

    def _survival(self, loss: FloatArray) -> FloatArray:
        """Pr[Z > loss] of the finite losses, small tails from tilted laws."""
        found = np.asarray(self._law().survival(loss), dtype=float)
        small = (found < TILT_BELOW) & (loss < self.largest)
        if small.any() and self._route[0] in ("lattice", "grid"):
            flat, values = found.ravel().copy(), loss.ravel()
            for index in np.flatnonzero(small.ravel()):
                flat[index] = float(self._law_near(float(values[index])).survival(values[index]))
            found = flat.reshape(found.shape)
        return found

    def loss_quantile(self, level: ArrayLike, *, side: Side = "present") -> Any:
        """Smallest loss that is not exceeded with probability at least `level`; infinite where the presence is certain.

        Parameters
        ----------
        level : in [0, 1]; scalar or array
        side : whether the target is in the data

        Raises
        ------
        ValueError
            ``level must lie in [0, 1]; got ...``, ``side must be one of 'present', 'absent'; got ...``
        """
        self.check_law_of_tails()
        u = _checks.probability("level", level)
        _checks.choice("side", side, SIDES[:2])
        return _checks.scalar_or_array(self._quantile(u, side, self._law()), level)

    def _quantile(self, level: FloatArray, side: str, law: _Law | _LaplaceLaw, shift: float = 0.0) -> FloatArray:
        finite = math.exp(self._parts[2])
        if finite == 0.0:
            return np.full(level.shape, math.inf if side == "present" else -math.inf)
        if side == "present":
            inside = law.quantile(np.minimum(level / finite, 1.0)) + shift
            return np.where(level > finite, math.inf, inside)
        # minus the present loss: the smallest z with infinite mass + finite Pr[Z >= -z] >= level
        mirrored = -(law.upper_quantile(np.clip((level - self.infinite_mass) / finite, 0.0, 1.0)) + shift)
        return np.where(level <= self.infinite_mass, -math.inf, mirrored) if self.infinite_mass > 0 else mirrored

    # ---- the attacker's belief ------------------------------------------------------------------------------------

    def posterior_cdf(self, posterior: ArrayLike, *, prior: ArrayLike, side: Side = "present") -> Any:
        """Probability that the attacker ends with a belief of at most `posterior`.

        Parameters
        ----------
        posterior, prior : in [0, 1]; scalars or arrays
        side : the target is in the data (``"present"``), is not (``"absent"``), or is so with the prior's probability
            (``"prior_predictive"``)

        Returns
        -------
        F_Z(logit posterior - logit prior). Exact, or an estimate on a grid (see `posterior_cdf_bracket`).

        Raises
        ------
        ValueError
            ``posterior must lie in [0, 1]; got ...``, ``prior must lie in [0, 1]; got ...``,
            ``side must be one of 'present', 'absent', 'prior_predictive'; got ...``

        References
        ----------
        thesis, Theorem 27
        """
        self.check_law_of_tails()
        found = self._posterior_cdf(posterior, prior, side, self._law(), 0.0)
        return _checks.scalar_or_array(found, posterior, prior)

    def _posterior_cdf(
        self, posterior: ArrayLike, prior: ArrayLike, side: str, law: _Law | _LaplaceLaw, shift: float
    ) -> FloatArray:
        t, p = np.broadcast_arrays(_checks.probability("posterior", posterior), _checks.probability("prior", prior))
        _checks.choice("side", side, SIDES)
        inner = (p > 0) & (p < 1)
        with np.errstate(invalid="ignore"):
            z = np.where(inner, logit(t) - logit(np.where(inner, p, 0.5)), 0.0)
        if side == "prior_predictive":
            found = p * self._cdf(z, "present", law, shift) + (1 - p) * self._cdf(z, "absent", law, shift)
        else:
            found = self._cdf(z, side, law, shift)
        return np.where(inner, found, (t >= p).astype(float))

    def posterior_quantile(self, level: ArrayLike, *, prior: ArrayLike, side: Side = "present") -> Any:
        """The belief that the attacker's posterior does not exceed with probability `level`.

        Parameters
        ----------
        level : in [0, 1]; scalar or array
        prior : belief before the releases, in [0, 1]; scalar or array, broadcast with `level`
        side : ``"present"`` or ``"absent"``

        Returns
        -------
        expit(logit prior + quantile of the loss). For the raw outputs of the worst-case pair; an attacker who sees less
        may exceed a level more often, see `posterior_every_view`.

        Raises
        ------
        ValueError
            ``level must lie in [0, 1]; got ...``, ``prior must lie in [0, 1]; got ...``,
            ``side must be one of 'present', 'absent'; got ...``
        """
        self.check_law_of_tails()
        u, p = _checks.probability("level", level), _checks.probability("prior", prior)
        _checks.choice("side", side, SIDES[:2])
        return _checks.scalar_or_array(_believed(p, self._quantile(u, side, self._law())), level, prior)

    def posterior_quantile_bracket(self, level: float, *, prior: float, side: Side = "present") -> Bracket:
        """Beliefs between which the quantile of the posterior lies; equal when it is exact."""
        self.check_law_of_tails()
        u, p = _checks.probability("level", level), _checks.probability("prior", prior)
        _checks.choice("side", side, SIDES[:2])
        low, high = self._shifts()
        down = self._law(connect=False)
        ends = [float(_believed(p, self._quantile(u, side, down, shift))) for shift in (low, high)]
        return Bracket(min(ends), max(ends))

    def posterior_cdf_bracket(self, posterior: float, *, prior: float, side: Side = "present") -> Bracket:
        """Probabilities between which the cdf of the posterior lies; equal when it is exact."""
        self.check_law_of_tails()
        low, high = self._shifts()
        down = self._law(connect=False)
        if side == "prior_predictive":
            present = self.posterior_cdf_bracket(posterior, prior=prior, side="present")
            absent = self.posterior_cdf_bracket(posterior, prior=prior, side="absent")
            p = float(_checks.probability("prior", prior))
            return Bracket(p * present.low + (1 - p) * absent.low, p * present.high + (1 - p) * absent.high)
        _checks.choice("side", side, SIDES)
        ends = [float(self._posterior_cdf(posterior, prior, side, down, shift)) for shift in (low, high)]
        return Bracket(min(ends), max(ends))

    def _shifts(self) -> tuple[float, float]:
        """By how much the computed loss may have to move: a rounded-down one up, one at its limit either way."""
        return -self._slack, self._slack + (self._rounded if self._route[0] == "grid" else 0.0)

    def posterior_mean(self, *, prior: float, side: Side = "present") -> float:
        """The attacker's expected belief after the releases.

        Parameters
        ----------
        prior : in [0, 1]
        side : ``"present"``, ``"absent"`` or ``"prior_predictive"``; for the last one the answer is the prior

        Returns
        -------
        Exact for named mechanisms. For a guarantee a bound for any mechanism: no mean is larger when the target is in
        the data, none smaller when not (the mean is convex in the likelihood ratio).

        Raises
        ------
        ValueError
            ``prior must lie in [0, 1]; got ...``,
            ``side must be one of 'present', 'absent', 'prior_predictive'; got ...``

        References
        ----------
        thesis, Theorem 27
        ours, sum or quadrature over the exact law

        Examples
        --------
        >>> from dpcore.guarantees import PureDP
        >>> round(PrivacyLoss.of(PureDP(epsilon=1.0)).posterior_mean(prior=0.5), 4)
        0.6068
        """
        p = float(_checks.probability("prior", prior))
        _checks.choice("side", side, SIDES)
        if p in (0.0, 1.0):
            return p
        log_odds = float(logit(p))
        if self._parts[0] > CERTAIN_RHO + 2 * abs(log_odds):  # expit(-x) <= e^(-x/2)/2, and E[e^(-Z/2)] <= e^(-rho/4)
            present, absent = 1.0, 0.0
        else:
            law, finite = self._law(), math.exp(self._parts[2])
            present = self.infinite_mass + finite * law.mean_of(lambda z: expit(log_odds + z))
            absent = finite * law.mean_of(lambda z: expit(log_odds - z))
        if side == "prior_predictive":
            return p * present + (1 - p) * absent
        return present if side == "present" else absent

    def every_view_epsilon(self, delta_prime: ArrayLike) -> Any:
        """Smallest epsilon' that no view of the output can exceed with probability above delta'.

        Parameters
        ----------
        delta_prime : allowed failure probability, in (0, 1]; scalar or array

        Returns
        -------
        ln(delta'/Q(S)), where S is the most telling event of probability delta' under P. It bounds the posterior of an
        attacker who sees the output, or anything computed from it; an upper bound on a grid. Infinite when delta' is at
        most the probability of certain disclosure.

        Raises
        ------
        ValueError
            ``delta_prime must lie in (0, 1]; got ...``

        References
        ----------
        ours, Neyman-Pearson: equals the minimum over epsilon of epsilon - ln(1 - delta(epsilon)/delta')

        Examples
        --------
        >>> from dpcore.guarantees import PureDP
        >>> round(PrivacyLoss.of(PureDP(epsilon=1.0)).every_view_epsilon(0.05), 12)
        1.0
        """
        dp = _checks.probability("delta_prime", delta_prime, open_low=True)
        found = np.array([self._one_view(float(d)) for d in dp.ravel()]).reshape(dp.shape)
        return _checks.scalar_or_array(found, delta_prime)

    def _one_view(self, delta_prime: float) -> float:
        finite = math.exp(self._parts[2])
        rest = delta_prime - self.infinite_mass
        if rest <= 0.0:
            return math.inf
        tail = min(rest / finite, 1.0)
        if self._route[0] == "closed" and self._parts[0] == 0.0:
            log_absent = math.log(tail)
        else:
            law = self._law()
            if tail < TILT_BELOW and self._route[0] in ("lattice", "grid"):
                law = self._law_near(self._chernoff_epsilon(tail))
            log_absent = law.log_absent_upper_tail(tail)
        return max(math.log(delta_prime) - math.log(finite) - log_absent + self._slack, 0.0)

    def posterior_every_view(self, delta_prime: ArrayLike, *, prior: ArrayLike) -> Any:
        """Largest belief of an attacker with any view of the output, except with probability delta'.

        Parameters
        ----------
        delta_prime : allowed failure probability, in (0, 1]
        prior : in [0, 1]; scalars or arrays, broadcast

        Returns
        -------
        expit(logit prior + `every_view_epsilon`). A bound, tight over all views of the worst-case pair's output.

        Raises
        ------
        ValueError
            ``delta_prime must lie in (0, 1]; got ...``, ``prior must lie in [0, 1]; got ...``
        """
        p = _checks.probability("prior", prior)
        return _checks.scalar_or_array(
            _believed(p, np.asarray(self.every_view_epsilon(delta_prime))), delta_prime, prior
        )


def _believed(prior: FloatArray, loss: FloatArray) -> FloatArray:
    """expit(logit prior + loss); a prior of 0 or 1 is kept whatever the loss."""
    inner = (prior > 0) & (prior < 1)
    return np.where(inner, expit(logit(np.where(inner, prior, 0.5)) + loss), prior)
