"""Laws of a finite loss, on which every question is answered: atoms with or without a normal part, one Laplace loss."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.special import erfcx, log_ndtr, ndtr, ndtri

from dpcore._checks import FloatArray
from dpcore._properties import cached_property
from dpcore._roots import bracketed_root
from dpcore.mechanisms.losses import LaplaceLoss

NARROW, NODES = 0.1, 12
"""A shift up to which it is told by what two laws differ by, and the nodes that this takes between two normal ones."""
LARGEST_EXPONENT = 700.0
TIED = 4e-15  # relative: a sum of masses that misses a level by this little reaches it
TRANSFORMED = 4e-16  # error of sums of masses from a transform


def finite_share(delta: float, log_finite: float) -> float:
    """What certain disclosures leave of a delta to the finite losses, as a share of these: 1 - (1 - delta)/finite.

    As accurate next to 1, where delta - (1 - finite) would lose its digits, as next to 0.
    """
    return 1.0 if delta >= 1.0 else -math.expm1(min(math.log1p(-delta) - log_finite, LARGEST_EXPONENT))


@dataclass(frozen=True, eq=False)
class FiniteLaw:
    """A finite loss: atoms with mass e^(scale - order (z - values[-1])) weights, plus N(rho, 2 rho) when rho > 0."""

    values: FloatArray
    weights: FloatArray
    rho: float = 0.0
    order: float = 0.0
    log_scale: float = 0.0
    rounding: float = 0.0  # allowance for a sum of masses

    @cached_property
    def mass(self) -> FloatArray:
        """Masses under P; beyond the range of a float far below the centre of a tilted law, so cut to it there."""
        return self.weights if self.order == 0.0 else np.exp(np.minimum(self.log_mass, 0.0))

    @cached_property
    def log_mass(self) -> FloatArray:
        """Log masses under P, whatever their size."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.weights) + self.log_scale - self.order * self.values)

    @cached_property
    def cumulative(self) -> FloatArray:
        """Mass at or below each atom."""
        return np.minimum(np.cumsum(self.mass), 1.0)

    @cached_property
    def upper(self) -> FloatArray:
        """Mass at or above each atom, summed from the far end so that small tails stay accurate."""
        return np.minimum(np.cumsum(self.mass[::-1])[::-1], 1.0)

    @property
    def spread(self) -> float:
        """Standard deviation of the normal part."""
        return math.sqrt(2 * self.rho)

    def cdf(self, loss: FloatArray) -> FloatArray:
        """Pr[Z <= loss]."""
        flat = np.ravel(loss)
        if self.rho == 0.0:
            index = np.searchsorted(self.values, flat, side="right")
            found = np.where(index > 0, self.cumulative[np.maximum(index - 1, 0)], 0.0)
            found = np.where(index < self.values.size, found, 1.0)
        else:
            found = self._mixed(flat)
        return np.minimum(found, 1.0).reshape(np.shape(loss))

    def survival(self, loss: FloatArray) -> FloatArray:
        """Pr[Z > loss]."""
        flat = np.ravel(loss)
        if self.rho == 0.0:
            index = np.searchsorted(self.values, flat, side="right")
            found = np.where(index < self.values.size, self.upper[np.minimum(index, self.values.size - 1)], 0.0)
            found = np.where(index > 0, found, 1.0)
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

    def _tied(self, level: FloatArray) -> FloatArray:
        """A level less what rounding may have taken from the sum of masses that reaches it; all of them stays all."""
        return np.where(level < 1.0, level * (1 - TIED) - self.rounding, level)

    def quantile(self, level: FloatArray) -> FloatArray:
        """Smallest loss whose cdf reaches the level."""
        flat = np.ravel(level)
        if self.values.size == 1 and self.rho > 0.0:
            found = self.values[0] + self.rho + self.spread * ndtri(flat)
        elif self.rho == 0.0:
            index = np.searchsorted(self.cumulative, self._tied(flat), side="left")
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
            index = np.searchsorted(-self.upper, -self._tied(flat), side="right") - 1
            found = self.values[np.maximum(index, 0)]
        elif self.values.size == 1:
            found = self.values[0] + self.rho - self.spread * ndtri(flat)
        else:
            found = np.array([self._mixture_upper_quantile(float(v)) for v in flat])
        return found.reshape(np.shape(tail))

    def _mixture_upper_quantile(self, tail: float) -> float:
        """Root of the survival; atoms and normal part both at half the tail are above it, both at its root below."""
        if tail <= 0.0 or tail >= 1.0:
            return math.inf if tail <= 0.0 else -math.inf
        log_tail, part = math.log(tail), math.sqrt(tail) if tail < 0.99 else 1.0
        above = max(int(np.searchsorted(-self.upper, -tail / 2, side="left")) - 1, 0)
        below = max(int(np.searchsorted(-self.upper, -part, side="right")) - 1, 0)
        # beyond 39 spreads less than the smallest float is left; the millionth is for rounded sums
        high = float(self.values[above] + self.rho - self.spread * (max(ndtri(tail / 2), -39.0) - 1e-6))
        low = float(self.values[below] + self.rho - self.spread * (min(ndtri(part), 38.0) + 1e-6))
        if self._log_survival(low) <= log_tail:  # all masses, which may add up to a last digit less than 1
            return low
        return float(brentq(lambda z: self._log_survival(z) - log_tail, low, high, xtol=1e-13, rtol=1e-14))

    def _log_survival(self, loss: float) -> float:
        """ln Pr[Z > loss] of atoms plus a normal part."""
        return float(np.logaddexp.reduce(self.log_mass + log_ndtr(-(loss - self.values - self.rho) / self.spread)))

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
            target = math.log(delta)

            def over(at: float) -> float:
                logs = self.log_mass + _log_gaussian_delta(at - self.values, self.rho)
                return float(np.logaddexp.reduce(logs)) - target

            high = max(1.0, float(self.values[-1]) + self.rho)
            while over(high) > 0.0:
                high *= 2
            return float(brentq(over, 0.0, high, xtol=1e-14, rtol=1e-14))
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
        fall = (self.delta(reference) - delta) / absent  # present - delta over absent, less 1
        if present <= delta:
            return reference
        return max(0.0, reference + (math.log1p(fall) if fall > -0.5 else math.log((present - delta) / absent)))

    def upper_tail_shift(self, present_tail: float) -> float:
        """ln P(S)/Q(S) of the most telling event S with P(S) = present_tail (finite losses only)."""
        cut = float(self.upper_quantile(np.array(present_tail)))
        if self.rho > 0.0:
            absent = -(cut - self.values + self.rho) / self.spread  # of a normal law: P has a `spread` more
            logs = self.log_mass - self.values + log_ndtr(absent)
            shift = math.log(present_tail) - float(np.logaddexp.reduce(logs))
            if shift > NARROW or self.values.min() < -LARGEST_EXPONENT:
                return shift
            nodes, weights = np.polynomial.legendre.leggauss(NODES)
            at = absent + self.spread * (nodes[:, None] + 1) / 2
            between = self.spread / 2 * (weights @ np.exp(-(at**2) / 2)) / math.sqrt(2 * math.pi)
            missing = float((self.mass * (between - np.expm1(-self.values) * ndtr(absent))).sum())
            return -math.log1p(-missing / present_tail)
        start = int(np.searchsorted(self.values, cut, side="right"))
        mass, values = self.mass[start:], self.values[start:]
        part = max(present_tail - float(mass.sum()), 0.0)
        if cut > -LARGEST_EXPONENT:
            missing = -float((mass * np.expm1(-values)).sum()) - part * math.expm1(-cut)
            if missing <= present_tail / 2:
                return -math.log1p(-missing / present_tail)
        return cut + math.log(present_tail) - math.log(float((mass * np.exp(cut - values)).sum()) + part)

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

    of_x, of_y = mills(x), mills(y)
    first = np.where(x > 0, density * of_x, ndtr(-x))
    second = np.where(y > 0, density * of_y, np.exp(np.minimum(epsilon, 0.0)) * ndtr(-y))
    both = density * (of_x - of_y)
    return np.maximum(np.where(x > 0, both, first - second), 0.0)


def _log_gaussian_delta(epsilon: FloatArray, rho: float) -> FloatArray:
    """Its logarithm, also where it is too small for a float."""
    spread = math.sqrt(2 * rho)
    x = np.asarray((epsilon - rho) / spread)
    far = np.maximum(x, 0.0)
    with np.errstate(divide="ignore"):
        near = np.log(_gaussian_delta(epsilon, rho))
    mills = erfcx(far / math.sqrt(2)) - erfcx((far + spread) / math.sqrt(2))
    return np.where(x > 0, np.log(mills / 2) - far**2 / 2, near)


@dataclass(frozen=True)
class LaplaceLaw:
    """The law of one Laplace release in closed form."""

    part: LaplaceLoss

    def cdf(self, loss: FloatArray) -> FloatArray:
        """Pr[Z <= loss]."""
        return self.part.cdf(loss)

    def survival(self, loss: FloatArray) -> FloatArray:
        """Pr[Z > loss]."""
        return 1.0 - self.part.cdf(loss)

    def strictly_below(self, loss: FloatArray) -> FloatArray:
        """Pr[Z < loss]."""
        end = self.part.epsilon
        return np.where(loss <= -end, 0.0, np.where(loss > end, 1.0, 0.5 * np.exp(np.minimum((loss - end) / 2, 0.0))))

    def quantile(self, level: FloatArray) -> FloatArray:
        """Smallest loss whose cdf reaches the level."""
        end = self.part.epsilon
        with np.errstate(divide="ignore"):
            inner = end + 2 * np.log(2 * level)
        return np.clip(inner, -end, end)

    def upper_quantile(self, tail: FloatArray) -> FloatArray:
        """Largest loss reached or exceeded with at least the probability `tail`."""
        return self.quantile(1.0 - tail)

    def delta(self, epsilon: float) -> float:
        """E_P[(1 - e^(epsilon - Z))+]."""
        return -math.expm1(min((epsilon - self.part.epsilon) / 2, 0.0))

    def epsilon(self, delta: float) -> float:
        """Smallest epsilon at least 0 with `delta(epsilon)` at most the given one."""
        return max(self.part.epsilon + 2 * math.log1p(-delta), 0.0) if delta < 1 else 0.0

    def upper_tail_shift(self, present_tail: float) -> float:
        """ln P(S)/Q(S) of the most telling event S with P(S) = present_tail."""
        end, left = self.part.epsilon, 1 - present_tail
        if present_tail <= 0.5:
            return end
        if present_tail == 1:
            return 0.0
        if end + math.log(2 * left) <= 0:  # all but a part of the atom at the lower end
            return -math.log1p(-left * math.expm1(end) / present_tail)
        return end + math.log1p(-((2 * present_tail - 1) ** 2))

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
