"""Gaussian noise on random samples, again and again: what training with noisy gradients releases."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number, array, choice, count, number
from dpcore._properties import cached_property
from dpcore.guarantees import Relation
from dpcore.mechanisms._certified import BoundedSum, Cells, step_of
from dpcore.mechanisms.layers import BracketedCurve

Worlds = Literal["add", "remove", "either"]
_WORLDS: tuple[Worlds, ...] = ("add", "remove", "either")
_RAREST = 1e-12  # chance to be in a sample: below it rounding is all there is
_FINENESS = 0.01  # a step of the lattice, in standard deviations of one loss
_ROUNDED = 16 * 2.0**-52  # relative error allowed to a tail of the normal law, more where it falls fast


@call_hint
@dataclass(frozen=True, kw_only=True)
class SubsampledGaussian(BracketedCurve):
    """Gaussian noise on sums over random samples: each record is drawn with a chance of its own at every step.

    The promise is about the presence of one record, added or removed, to an observer of every step, who may also choose
    the next step by those before: the noise of one step is named for the largest that a record adds, whatever the
    others are. Two directions differ: with the record drawn or not, against without it (``"remove"``), and the reverse
    (``"add"``); their sums are taken apart, since the larger of both for one step need not be so for many.

    Its curve is an upper bound; `delta_bounds` has the lower one too, and both directions. They count
    truncation, what a Fourier transform wraps around, and rounding. Where one record is drawn so rarely that most
    losses are tiny beside the largest, the lower one may be far too low. It has no tails: what is asked of the law of a
    loss is refused.
    Source: zhu_dong_wang, Theorem 11 (the two pairs of Poisson sampling) and Theorem 10 (they compose)
    Source: ours, a lattice above and one below in both directions; checked against dp-accounting, closed forms without
        sampling, and quadrature of one step

    Parameters
    ----------
    noise_multiplier : float; standard deviation of the noise over the largest that one record adds, at least
        0.1
    rate : float; chance with which each record is in a sample, from 1e-12 to 1
    steps : int, optional; number of samples, from 1 to 1,000,000

    Examples
    --------
    >>> training = SubsampledGaussian(noise_multiplier=1.0, rate=0.01, steps=1000)
    >>> round(training.epsilon_bounds(1e-5)[1], 2)
    1.83
    """

    name = "subsampled_gaussian"
    label = "Gaussian noise on random samples"
    short = "subsampled Gaussian"
    relation = Relation.ADD_OR_REMOVE

    noise_multiplier: float
    rate: float
    steps: int = 1

    def __post_init__(self) -> None:
        sigma = number("noise_multiplier", self.noise_multiplier, 0.1, 1e6)
        object.__setattr__(self, "noise_multiplier", sigma)
        object.__setattr__(self, "rate", number("rate", self.rate, _RAREST, 1.0))
        object.__setattr__(self, "steps", count("steps", self.steps, 1, 10**6))

    @overload
    def delta_bounds(self, epsilon: Number, *, worlds: Worlds = "either") -> tuple[float, float]: ...
    @overload
    def delta_bounds(self, epsilon: ArrayLike, *, worlds: Worlds = "either") -> tuple[FloatArray, FloatArray]: ...
    def delta_bounds(self, epsilon: ArrayLike, *, worlds: Worlds = "either") -> tuple[Any, Any]:
        """Two numbers between which the smallest delta of all steps lies.

        Parameters
        ----------
        epsilon : array_like; at least 0; scalar or array
        worlds : {"add", "remove", "either"}, optional; the direction, or the worse of both

        Examples
        --------
        >>> low, high = SubsampledGaussian(noise_multiplier=1.0, rate=0.01, steps=1000).delta_bounds(0.0)
        >>> [round(float(share), 3) for share in (low, high)]  # the advantage of the best guess on an even bet
        [0.161, 0.161]
        """
        at = array("epsilon", epsilon, 0.0)
        low, high = (
            np.maximum.reduce([self._sums[one, bound].delta(at.ravel()) for one in self._asked(worlds)]).reshape(
                at.shape
            )
            for bound in ("below", "above")
        )
        low = np.minimum(low, high)
        return _checks.scalar_or_array(low, epsilon), _checks.scalar_or_array(high, epsilon)

    def epsilon_bounds(self, delta: float, *, worlds: Worlds = "either") -> tuple[float, float]:
        """Two numbers between which the smallest epsilon at a delta lies.

        Parameters
        ----------
        delta : float; in (0, 1)
        worlds : {"add", "remove", "either"}, optional; the direction, or the worse of both
        """
        target = number("delta", delta, 0.0, 1.0, open_low=True, open_high=True)
        low, high = (
            max(self._sums[one, bound].epsilon(target) for one in self._asked(worlds)) for bound in ("below", "above")
        )
        return min(low, high), high

    @staticmethod
    def _asked(worlds: Worlds) -> tuple[str, ...]:
        return ("add", "remove") if choice("worlds", worlds, _WORLDS) == "either" else (worlds,)

    @cached_property
    def _sums(self) -> dict[tuple[str, str], BoundedSum]:
        """The sums of all steps by direction, from above and from below."""
        step = step_of(lambda h: self._cells(h)[0], self._reach, self.steps, _FINENESS)
        most = -math.log1p(-self.rate) if self.rate < 1.0 else math.inf  # the largest loss without the record
        if step < most < math.inf:  # which may have much of the mass: just above a point
            step = most / (math.ceil(most / step) + 0.02)
        found = zip(("remove", "add"), self._cells(step), strict=True)
        return {
            (direction, bound): BoundedSum.of(cells, self.steps, bound)  # type: ignore[arg-type]
            for direction, cells in found
            for bound in ("above", "below")
        }

    @property
    def _ends(self) -> tuple[float, float]:
        """Outputs beyond which less than 1e-15 lies in either world, all steps together."""
        far = self.noise_multiplier * math.sqrt(2 * (math.log(self.steps) + 36.0))
        return -far, 1.0 + far

    def _loss(self, output: float) -> float:
        """ln of the density with the record over that without: ln(1 - q + q e^((2 x - 1)/(2 sigma^2)))."""
        steep = (2 * output - 1) / (2 * self.noise_multiplier**2)
        if self.rate == 1.0:
            return steep
        if steep > 700.0:
            return math.log(self.rate) + steep
        return math.log1p(self.rate * math.expm1(steep))

    @property
    def _reach(self) -> tuple[float, float]:
        return self._loss(self._ends[0]), self._loss(self._ends[1])

    def _cells(self, step: float) -> tuple[Cells, Cells]:
        """Cells of the loss of one step in both directions: with the record against without, and the reverse."""
        q, sigma = self.rate, self.noise_multiplier
        first, last = math.floor(self._reach[0] / step), math.ceil(self._reach[1] / step)
        losses = step * np.arange(first, last + 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            if q == 1.0:
                steep = losses
            else:  # ln((e^loss - 1 + q)/q)
                steep = np.where(
                    losses > 1.0,
                    losses - math.log(q) + np.log1p(-(1 - q) * np.exp(-np.maximum(losses, 0.0))),
                    np.log(np.maximum(np.expm1(np.minimum(losses, 1.0)) + q, 0.0) / q),
                )
        outputs = np.asarray(sigma**2 * steep + 0.5, dtype=np.float64)
        absent, off_absent = _between(outputs / sigma)
        shifted, off_shifted = _between((outputs - 1.0) / sigma)
        present, off_present = (1 - q) * absent + q * shifted, (1 - q) * off_absent + q * off_shifted
        ends = outputs[[0, -1]]

        def outside(sign: float, end: float) -> tuple[float, float]:
            """Mass beyond an end with and without the record."""
            alone, moved = (float(ndtr(sign * (end - centre) / sigma)) * (1 + 1e-12) for centre in (0.0, 1.0))
            return (1 - q) * alone + q * moved, alone

        below, above = outside(1.0, ends[0]), outside(-1.0, ends[1])
        moved = 8 * 2.0**-52 * (abs(self._reach[0]) + abs(self._reach[1]) + abs(math.log(q)) + 1.0)
        remove = Cells(step, first, present, absent, off_present, off_absent, below[0], above[0], moved)
        return remove, remove.mirrored(below=above[1], above=below[1])


def _between(points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Masses of the standard normal law between rising points, and how far rounding may move each."""
    right = points[:-1] > 0.0
    low, high = np.where(right, -points[1:], points[:-1]), np.where(right, -points[:-1], points[1:])
    top = ndtr(high)
    return np.maximum(top - ndtr(low), 0.0), _ROUNDED * top * (1 + np.minimum(high**2, 1e6) / 4)
