"""The privacy loss of one release as its mechanism hands it out: atoms, a lattice, the loss of Laplace noise, parts."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_expit

from dpcore._checks import FloatArray
from dpcore._properties import cached_property

IntArray = NDArray[np.int64]

OMITTED = 1e-60
"""Probability of a loss that is left out at the ends of a lattice."""
_NODES = 1 << 13  # points of the lattice for a loss; how far the loss is moved is the slack of its parts
_SMALLEST_CURVE = 2.0**-60  # epsilon up to which a lattice reaches at least
_LARGEST_CURVE = 64.0  # epsilon beyond which the delta of a curve counts as certain disclosure


@dataclass(frozen=True, eq=False)
class LossAtoms:
    """The law of a privacy loss on a lattice: the value offset + step * index has probability exp(log_mass).

    The loss is that of one step at the full sensitivity: a promise takes as many as lie between its worlds.

    Parameters
    ----------
    offset, step : float; the lattice, in log-odds units; step above 0
    first : int; index of the first atom; indices rise by one
    log_mass : array; log probability of each atom with the person present
    omitted : float, optional; bound on the probability outside the atoms (zero for finite laws)

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
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


@dataclass(frozen=True, eq=False)
class Lattice:
    """Losses offset + step (lowest + i) with masses under P.

    A part of the computation: no promise belongs to it.

    Examples
    --------
    >>> Lattice.of_two_points(math.log(3)).support
    (-1.0986122886681098, 1.0986122886681098)
    """

    step: float
    offset: float
    lowest: int
    log_mass: FloatArray
    bounded: bool = True
    sigma: float = 0.0  # of the noise, where it is a discrete Gaussian

    @classmethod
    def of_atoms(cls, atoms: LossAtoms, *, bounded: bool = True, sigma: float = 0.0) -> Lattice:
        """The same law."""
        return cls(atoms.step, atoms.offset, atoms.first, atoms.log_mass, bounded, sigma)

    @classmethod
    def of_two_points(cls, epsilon: float) -> Lattice | None:
        """Loss +epsilon with probability e^epsilon/(1 + e^epsilon), else -epsilon; None when epsilon is zero."""
        return cls(2 * epsilon, -epsilon, 0, log_expit(np.array([-epsilon, epsilon]))) if epsilon > 0.0 else None

    @property
    def size(self) -> int:
        """Number of losses."""
        return int(self.log_mass.size)

    @cached_property
    def values(self) -> FloatArray:
        """The losses, rising."""
        return np.asarray(self.offset + self.step * (self.lowest + np.arange(self.size)), dtype=np.float64)

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest loss."""
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
        """Masses of the law tilted by e^(order z), which sum to one."""
        exponents = order * self.values + self.log_mass
        weights = np.exp(exponents - exponents.max())
        return np.asarray(weights / weights.sum())


@dataclass(frozen=True)
class LaplaceLoss:
    """Loss of one Laplace release at full sensitivity: atoms at both ends and a density between them.

    A part of the computation: no promise belongs to it.

    Examples
    --------
    >>> LaplaceLoss(0.5).support
    (-0.5, 0.5)
    """

    epsilon: float

    bounded = True

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest loss."""
        return -self.epsilon, self.epsilon

    def cdf(self, loss: FloatArray) -> FloatArray:
        """Pr[Z <= loss]."""
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


Part = Lattice | LaplaceLoss


@dataclass(frozen=True)
class LossParts:
    """The privacy loss of one release in parts: normal N(rho, 2 rho), one discrete or Laplace part, mass at infinity.

    The promise is about one secret, one step of full sensitivity away, to an observer of the raw output. Every part is
    symmetric, so the law on the absent side is the mirror image of the one described here.

    Parameters
    ----------
    rho : float, optional
        of the normal part
    finite : Lattice or LaplaceLoss or None, optional
        the other finite part
    infinite : float, optional
        probability of certain disclosure
    slack : float, optional
        by how much the loss may lie above or below the one in these parts
    has_tails : bool, optional
        whether these are the tails of a mechanism; a guarantee or a curve has none, only a delta at every epsilon
    dominates : bool, optional
        whether these parts give no delta below the true one, so that the slack counts from below alone

    Examples
    --------
    >>> from dpcore.mechanisms import Gaussian
    >>> Gaussian(rho=0.1).loss_parts()
    LossParts(rho=0.1, finite=None, infinite=0.0, slack=0.0, has_tails=True, dominates=False)
    """

    rho: float = 0.0
    finite: Part | None = None
    infinite: float = 0.0
    slack: float = 0.0
    has_tails: bool = True
    dominates: bool = False

    @property
    def slack_above(self) -> float:
        """By how much the loss may lie above these parts, as far as deltas show it."""
        return 0.0 if self.dominates else self.slack

    @classmethod
    def of_law(cls, loss: Callable[[FloatArray], FloatArray], noise: FloatArray, log_mass: FloatArray) -> LossParts:
        """Of a loss at each value of a whole noise, moved to the nearest point of a lattice."""
        values = loss(noise)
        step, lowest, rest = _nodes(float(np.abs(values).max()))
        mass = np.bincount(np.rint(values / step).astype(np.int64) - lowest, np.exp(log_mass), rest)
        return cls._on_nodes(step, lowest, np.asarray(mass, dtype=np.float64), slack=step / 2)

    @classmethod
    def of_rising_loss(
        cls, loss: Callable[[FloatArray], FloatArray], log_tail: Callable[[FloatArray], FloatArray], reach: float
    ) -> LossParts:
        """Of a loss that never falls with a continuous, symmetric noise: each cell has its probability exactly."""
        step, lowest, size = _nodes(float(np.abs(loss(np.array([-reach, reach]))).max()))
        edges = step * (lowest + np.arange(1, size) - 0.5)
        low, high = np.full(edges.size, -reach), np.full(edges.size, reach)
        for _ in range(200):
            middle = (low + high) / 2
            below = loss(middle) < edges
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        above, below_it = np.exp(log_tail(high)), np.exp(log_tail(-high))
        cells = np.where(high[:-1] > 0, above[:-1] - above[1:], below_it[1:] - below_it[:-1])
        mass = np.concatenate([below_it[:1], cells, above[-1:]])
        return cls._on_nodes(step, lowest, np.maximum(mass, 0.0), slack=step / 2)

    @classmethod
    def of_curve(cls, delta_at: Callable[[FloatArray], FloatArray], last_epsilon: float | None = None) -> LossParts:
        """Of a curve of epsilon and delta, the same in both directions: met at many epsilons, passed between them."""
        if last_epsilon is None:
            last_epsilon = 1.0
            while last_epsilon < _LARGEST_CURVE and delta_at(np.array([last_epsilon]))[0] > 1e-16:
                last_epsilon *= 2
            least = max(float(delta_at(np.array([last_epsilon]))[0]), 1e-40)
            while last_epsilon > _SMALLEST_CURVE and delta_at(np.array([last_epsilon / 2]))[0] <= least:
                last_epsilon /= 2
        epsilon = np.linspace(0.0, max(last_epsilon, _SMALLEST_CURVE), _NODES // 2 + 1)
        return cls.of_corners(epsilon, np.clip(delta_at(epsilon), 0.0, 1.0))

    @classmethod
    def of_corners(cls, places: FloatArray, heights: FloatArray) -> LossParts:
        """Of the convex hull of points (epsilon, delta), the first at epsilon 0; its corners are losses.

        A loss goes onto both of its neighbours on the lattice, so that both laws keep their mass: no delta falls. The
        mirror images of the points, where epsilon is negative, limit the delta of epsilon 0: upper bounds on it may be
        higher than any curve that falls to the next of them.
        """
        fades = np.exp(-places)
        heights = np.append(np.min((2 * fades * heights - np.expm1(-places)) / (1 + fades)), heights[1:])
        kept = lower_hull(places, heights)
        epsilon, delta = places[kept], np.minimum.accumulate(heights[kept])
        infinite = float(delta[-1])
        if epsilon.size == 1 or infinite == delta[0]:
            return cls(infinite=infinite, has_tails=False)
        gaps = np.diff(epsilon)
        fade = np.exp(-gaps)
        falls = np.append(-np.diff(delta) / -np.expm1(-gaps), 0.0)  # times e^-epsilon, the slope before a corner
        mass = np.maximum(falls[:-1] - falls[1:] * np.append(fade[1:], 0.0), 0.0)
        step, lowest, size = _nodes(float(epsilon[-1]))
        position = epsilon[1:] / step
        nearest = np.rint(position)
        position = np.where(np.abs(position - nearest) < 1e-9, nearest, position)
        below = np.minimum(np.floor(position), -lowest - 1.0).astype(np.int64)
        up = np.expm1(-(position - below) * step) / math.expm1(-step)
        onto = np.bincount(below + 1, mass * up, 1 - lowest) + np.bincount(below, mass * (1 - up), 1 - lowest)
        onto = onto[1:]
        mirrored = (onto * np.exp(-step * np.arange(1.0, onto.size + 1)))[::-1]
        rest = max(1.0 - infinite - float(onto.sum() + mirrored.sum()), 0.0)
        whole = np.concatenate([mirrored, [rest], onto])
        assert whole.size == size
        first, last = np.flatnonzero(whole)[[0, -1]]  # of rare large losses the lattice is far wider than the law
        law, lowest = whole[first : last + 1], lowest + int(first)
        return cls._on_nodes(step, lowest, law, slack=step, infinite=infinite, has_tails=False, dominates=True)

    @classmethod
    def _on_nodes(
        cls,
        step: float,
        lowest: int,
        mass: FloatArray,
        *,
        slack: float,
        infinite: float = 0.0,
        has_tails: bool = True,
        dominates: bool = False,
    ) -> LossParts:
        with np.errstate(divide="ignore"):
            log_mass = np.log(mass / mass.sum())
        return cls(0.0, Lattice(step, 0.0, lowest, log_mass), infinite, slack, has_tails, dominates)


def _nodes(largest: float) -> tuple[float, int, int]:
    """Step, lowest index and number of the points of a lattice from -largest to largest."""
    half = _NODES // 2
    return max(largest, 1e-300) / half, -half, 2 * half + 1


def lower_hull(places: FloatArray, heights: FloatArray) -> list[int]:
    """Corners, by place, of the lower convex hull of points (epsilon, delta), rising: delta is convex in e^epsilon.

    A part of the computation: no promise belongs to it.
    Source: ours, Andrew's scan along e^epsilon, by differences of epsilon

    Examples
    --------
    >>> lower_hull(np.array([0.0, 1.0, 2.0]), np.array([0.5, 0.4, 0.0]))
    [0, 2]
    """
    at, height = places.tolist(), heights.tolist()
    kept: list[int] = []
    for new in range(len(at)):
        while len(kept) > 1:
            left, middle = kept[-2:]
            share = math.exp(at[middle] - at[new]) * math.expm1(at[left] - at[middle]) / math.expm1(at[left] - at[new])
            if height[middle] < height[left] + share * (height[new] - height[left]):
                break
            kept.pop()
        kept.append(new)
    return kept
