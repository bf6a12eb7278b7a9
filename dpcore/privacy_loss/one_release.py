"""The privacy loss of one release: atoms on a lattice, the loss of Laplace noise, a normal part, mass at infinity."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

import numpy as np
from scipy.special import log_expit

from dpcore._cache import MEGABYTE, cached_by_size
from dpcore._checks import FloatArray
from dpcore._properties import cached_property
from dpcore.errors import Code, Refused
from dpcore.guarantees import ApproximateDP, PureDP
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, LossAtoms, RandomizedResponse

OMITTED = 1e-60  # mass of the discrete Gaussian left out at the ends of its lattice


@dataclass(frozen=True, eq=False)
class Lattice:
    """Losses offset + step (lowest + i) with masses under P.

    The promise is about one secret, one step of full sensitivity away, to an observer of the raw output.
    """

    step: float
    offset: float
    lowest: int
    log_mass: FloatArray
    bounded: bool = True
    sigma: float = 0.0  # of the noise, where it is a discrete Gaussian

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

    The promise is about one secret, one step of full sensitivity away, to an observer of the raw output.
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

    The promise is about one secret, one step of full sensitivity away, to an observer of the raw output. A mechanism or
    guarantee is turned into these parts by `loss_parts`; every one of them is symmetric, so the law on the absent side
    is the mirror image of the one described here.

    Examples
    --------
    >>> from dpcore.mechanisms import Gaussian
    >>> loss_parts(Gaussian(rho=0.1))
    LossParts(rho=0.1, finite=None, infinite=0.0)
    """

    rho: float = 0.0
    finite: Part | None = None
    infinite: float = 0.0


@singledispatch
def loss_parts(source: Any) -> LossParts:
    """The privacy loss of one release of a mechanism, or of the worst mechanism with a guarantee.

    The promise is about one secret, one step of full sensitivity away, to an observer of the raw output. Exact parts of
    the law on the present side.
    Source: kairouz, section 3 (the worst pair of an approximate guarantee)
    Source: ours, one-release laws of the mechanisms; checked against their laws by enumeration

    Parameters
    ----------
    source : object; a mechanism of `dpcore.mechanisms`, a `PureDP` or an `ApproximateDP`

    Examples
    --------
    >>> loss_parts(ApproximateDP(epsilon=1.0, delta=0.1)).infinite
    0.1
    """
    raise Refused("source", "be a mechanism, PureDP or ApproximateDP", source, Code.UNSUPPORTED)


def _two_point_loss(epsilon: float) -> Lattice | None:
    """Loss +epsilon with probability e^epsilon/(1 + e^epsilon), else -epsilon; None when epsilon is zero."""
    if epsilon == 0.0:
        return None
    return Lattice(2 * epsilon, -epsilon, 0, log_expit(np.array([-epsilon, epsilon])))


@loss_parts.register
def _(source: LossParts) -> LossParts:
    return source


def _lattice(atoms: LossAtoms, *, bounded: bool, sigma: float = 0.0) -> Lattice:
    return Lattice(atoms.step, atoms.offset, atoms.first, atoms.log_mass, bounded, sigma)


@loss_parts.register
def _(source: Gaussian) -> LossParts:
    return LossParts(rho=source.rho)


@loss_parts.register
def _(source: Laplace) -> LossParts:
    return LossParts(finite=LaplaceLoss(source.epsilon))


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


cached_parts = cached_by_size(16 * MEGABYTE)(loss_parts)
