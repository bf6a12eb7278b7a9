"""Sums of equal independent losses between two bounds, with every error counted; the two directions need not mirror.

The loss of a release is ln P/Q, its output drawn from P. A cell of a lattice of losses knows its mass under P and under
Q, and that is enough for two laws on the lattice's points between which the truth lies after any number of releases:

- *above*: each cell's mass goes to both of its ends, so that P and Q keep theirs. The hockey-stick divergence of the
  new pair is linear in e^epsilon between points and meets the true one there, which is convex: it is nowhere below.
- *below*: a share of each cell moves up, small enough that among all that comes together at a point P outweighs Q by at
  least e^point. That is a function of the output, which tells no more, and then a loss rounded down.

Both are off by the square of the step. What sums lose besides is added above and taken away below: mass outside the
window (Chernoff), what a Fourier transform wraps around, and its rounding. Sums are tilted by e^(order z), so that
these errors stay small beside a small delta.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft

from dpcore._checks import FloatArray
from dpcore._properties import cached_property
from dpcore.errors import Code, Refused

Bound = Literal["above", "below"]
LOG_OUTSIDE = 34.0
"""A window leaves out at most e^-34 = 2e-15 of a tilted sum at either end."""
_EPS = 2.0**-52
_FAR_OUT = 1e-9  # of the mass of a loss: from here on out, cells share with both neighbours in halves
_TRANSFORM = 4.0  # relative error of a transform in the 2-norm over eps log2(points): Higham 2002, Theorem 24.2
_BLOCK = 32  # neighbouring losses that count as one, on the safe side, where a window is found
_SHIFTS = np.array(
    [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0]
)  # tilts tried, in deviations that they move a normal sum
_ORDERS = 1.25 ** np.arange(-20.0, 7.0)  # Chernoff orders tried, in units of sqrt(2 LOG_OUTSIDE)/deviation
_RARE = np.geomspace(0.3, 100.0, 10)  # and in units of 1/(largest less smallest loss)
_MOST_POINTS = 2.0**19  # of the lattice of one loss, and of the window of their sum
_WIDER = 4  # times the window of the sum itself; where large losses are rare, a strong tilt sees nothing else


@dataclass(frozen=True, eq=False)
class Cells:
    """Masses under P and Q of the cells (step (first + j), step (first + j + 1)], and what lies outside them under P.

    `error` bounds the rounding of each mass of a cell; `moved` that of its ends, as losses.
    """

    step: float
    first: int
    present: FloatArray
    absent: FloatArray
    error_present: FloatArray
    error_absent: FloatArray
    below: float
    above: float
    moved: float

    def mirrored(self, below: float, above: float) -> Cells:
        """The same cells in the other direction: Q drawn, the loss ln Q/P."""
        return Cells(
            self.step,
            -(self.first + self.present.size),
            self.absent[::-1],
            self.present[::-1],
            self.error_absent[::-1],
            self.error_present[::-1],
            below,
            above,
            self.moved,
        )

    def _excess(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """By how much P outweighs e^(lower end) Q, e^(upper end) Q outweighs P, and how far either may be off."""
        low = np.exp(self.step * (self.first + np.arange(self.present.size)))
        off = self.error_present + math.exp(self.step) * low * (self.error_absent + 4 * _EPS * self.absent)
        return self.present - low * self.absent, math.exp(self.step) * low * self.absent - self.present, off

    def on_points(self, bound: Bound) -> tuple[FloatArray, float]:
        """Masses of the points step (first + j) that bound the loss, and the mass of an infinite loss."""
        over, under, off = self._excess()
        points = np.zeros(self.present.size + 1)
        if bound == "above":
            mass = self.present + self.error_present
            up = np.clip((over + off) / -math.expm1(-self.step), 0.0, mass)
            points[1:] += up
            points[:-1] += mass - up
            points[0] += self.below
            return points, self.above
        mass = np.maximum(self.present - self.error_present, 0.0)
        share = _shares(np.maximum(over - off, 0.0), np.maximum(under + off, 0.0), mass)
        points[1:] += share * mass
        points[:-1] += (1 - share) * mass
        points[-1] += self.above
        return points, 0.0


def _shares(over: FloatArray, under: FloatArray, mass: FloatArray) -> FloatArray:
    """What share of each cell moves up: at every point P outweighs Q where share_j under_j <= (1 - share_j+1) over_j+1.

    Equal in all cells but the middle one, where masses fall towards both ends: found from the ends, so that what one
    cell lacks does not grow along the others.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(under[:-1] > 0.0, over[1:] / under[:-1], 1.0)
    shares = np.append(np.minimum(ratios, 1.0) / 2, 0.0)  # of halves: enough far out
    inside = np.flatnonzero(np.minimum(np.cumsum(mass), np.cumsum(mass[::-1])[::-1]) > _FAR_OUT * mass.sum())
    first, last, middle = int(inside[0]), min(int(inside[-1]), ratios.size), int(np.argmax(mass))
    ratio, found = ratios.tolist(), shares.tolist()
    for cell in range(last - 1, middle, -1):
        found[cell] = min((1.0 - found[cell + 1]) * ratio[cell], 1.0)
    for cell in range(first, min(middle, last)):
        found[cell] = min(found[cell], ratio[cell])
        found[cell + 1] = 1.0 - (found[cell] / ratio[cell] if ratio[cell] > 0.0 else 0.0)
    if middle < ratios.size:
        found[middle] = min(found[middle], (1.0 - found[middle + 1]) * ratio[middle])
    found[-1] = 0.0  # above the last point there is nothing
    return np.array(found) * (1 - 4 * _EPS)


@dataclass(frozen=True, eq=False)
class BoundedSum:
    """The hockey-stick divergence of so many equal losses on points: never below (above) the true one.

    first, mass : the losses step (first + j) with masses that need not sum to one
    infinite : mass of an infinite loss
    moved : rounding of each loss
    """

    step: float
    first: int
    mass: FloatArray
    infinite: float
    count: int
    bound: Bound
    moved: float = 0.0
    _windows: dict[float, tuple[int, int]] = field(default_factory=dict, repr=False)
    _sums: dict[float, tuple[float, float, FloatArray, FloatArray, float, float]] = field(
        default_factory=dict, repr=False
    )

    @classmethod
    def of(cls, cells: Cells, count: int, bound: Bound) -> BoundedSum:
        """Of the losses in cells."""
        mass, infinite = cells.on_points(bound)
        return cls(cells.step, cells.first, mass, infinite, count, bound, cells.moved)

    @property
    def _values(self) -> FloatArray:
        return self.step * (self.first + np.arange(self.mass.size, dtype=np.float64))

    @cached_property
    def _blocks(self) -> tuple[tuple[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]:
        """Log masses and losses of neighbours together: at their mean, and at both of their ends with the same mean."""
        starts = np.arange(0, self.mass.size, _BLOCK)
        mass, values = np.add.reduceat(self.mass, starts), self._values
        some = mass > 0.0
        mass, low = mass[some], values[starts[some]]
        high = low + _BLOCK * self.step
        mean = np.clip(np.add.reduceat(self.mass * values, starts)[some] / mass, low, high)
        share = (mean - low) / (high - low)
        with np.errstate(divide="ignore"):
            ends = np.log(np.concatenate([mass * share, mass * (1 - share)]))
        return (np.log(mass), mean), (ends, np.concatenate([high, low]))

    def _log_moments(self, orders: FloatArray, *, raised: bool) -> FloatArray:
        """ln of the sum of mass e^(order z): a convex function of z, so from below at means and from above at ends."""
        logs, values = self._blocks[raised]
        exponents = logs + np.multiply.outer(orders, values)
        top = exponents.max(axis=-1)
        return np.asarray(top + np.log(np.exp(exponents - top[..., None]).sum(axis=-1)))

    @cached_property
    def _spread(self) -> float:
        """Standard deviation of the sum."""
        values, total = self._values, self.mass.sum()
        mean = (self.mass * values).sum() / total
        return math.sqrt(max(self.count * (self.mass * (values - mean) ** 2).sum() / total, self.step**2))

    @cached_property
    def _ladder(self) -> tuple[FloatArray, FloatArray]:
        """Tilts from none to a strong one, and the log moment of the sum at each."""
        orders = _SHIFTS / self._spread
        return orders, self.count * self._log_moments(orders, raised=True)

    def delta(self, epsilon: FloatArray) -> FloatArray:
        """The divergence at each epsilon of at least 0."""
        at = epsilon + self._moved
        orders, logs = self._ladder
        exponents = logs - np.multiply.outer(at, orders)
        best, found = np.argmin(exponents, axis=-1), np.zeros(at.shape)
        for which in np.unique(best):
            order = float(orders[self._narrow(int(which))])
            found[best == which] = self._tilted_delta(order, at[best == which])
        return np.clip(found + self._certain, 0.0, 1.0)

    def epsilon(self, delta: float) -> float:
        """An epsilon at which the divergence is no larger than delta (from below: no smaller); 0 at least."""
        if delta <= self._certain:
            return math.inf
        low, high, most = 0.0, 1.0, max(self.count * float(self._values[-1]), 0.0) + 1.0
        while (over := self.delta(np.array([low, high])) > delta)[1]:
            if high == most:  # below what rounding leaves of a delta
                return math.inf if self.bound == "above" else low
            low, high = high, min(2 * high, most)
        if not over[0]:
            return low
        while high - low > 1e-12 * high:  # at the low end it is larger, at the high end not
            at = np.linspace(low, high, 33)
            larger = self.delta(at) > delta
            place = int(np.argmin(larger)) if self.bound == "above" else 33 - int(np.argmax(larger[::-1]))
            low, high = float(at[place - 1]), float(at[place])
        return high if self.bound == "above" else low

    @property
    def _moved(self) -> float:
        """By how much epsilon is moved to the safe side for the rounding of losses."""
        return self.count * (-self.moved if self.bound == "above" else self.moved)

    @property
    def _certain(self) -> float:
        """Chance of an infinite loss."""
        return -math.expm1(self.count * math.log1p(-min(self.infinite, 1.0 - 1e-16)))

    def _narrow(self, which: int) -> int:
        """The strongest tilt up to a given one under which the sum does not spread out."""
        widths = [high - low for low, high in (self._window(float(self._ladder[0][place])) for place in (0, which))]
        return which if widths[1] <= _WIDER * widths[0] else self._narrow(which - 1)

    def _tilted_delta(self, order: float, epsilon: FloatArray) -> FloatArray:
        """The divergence from the sum tilted by e^(order z), with its errors on the safe side."""
        if order not in self._sums:
            self._sums[order] = self._tilted_sum(order)
        start, log_scale, above, weighted, rounding, points = self._sums[order]
        index = np.clip(np.floor((epsilon - start) / self.step).astype(np.int64) + 1, 0, above.size - 1)
        plain, faded = above[index], weighted[index]
        scale = log_scale - order * start
        with np.errstate(divide="ignore", over="ignore"):
            total = np.exp(np.log(plain) + scale)
            found = np.maximum(total - np.exp(np.log(faded) + scale + epsilon - start), 0.0)
            largest = np.exp(log_scale - order * epsilon)  # weight of a point, at most; and of all in the 2-norm:
        norm = math.sqrt(min(points, 1 / -math.expm1(-2 * order * self.step) if order > 0.0 else math.inf))
        error = largest * (3 * math.exp(-LOG_OUTSIDE) + rounding * norm) + 4 * _EPS * points * total
        return np.asarray(found + error if self.bound == "above" else np.maximum(found - error, 0.0))

    def _tilted_sum(self, order: float) -> tuple[float, float, FloatArray, FloatArray, float, float]:
        """Start, log scale, masses from each point on times e^(-order (z - start)), and e^-(z - start); errors."""
        values = self._values
        with np.errstate(divide="ignore"):
            exponents = np.log(self.mass) + order * values
        top = float(exponents.max())
        one = np.exp(exponents - top)
        total = float(one.sum())
        one /= total
        low, high = self._window(order)
        n = high - low + 1
        if n > 4 * _MOST_POINTS:
            rule = f"need at most {4 * int(_MOST_POINTS):,} points of the lattice of a sum"
            raise Refused("releases", rule, n, Code.TOO_LARGE, got=f"{n:,}")
        size = int(next_fast_len(n, real=True))
        ring = np.bincount((self.first + np.arange(one.size)) % size, one, size)
        spectrum = rfft(ring)
        size_of = np.abs(spectrum)
        kept = size_of > math.exp(-60.0 / self.count)
        spectrum[~kept] = 0.0
        spectrum[kept] = np.exp(self.count * np.log(spectrum[kept]))
        mass = np.maximum(np.roll(irfft(spectrum, size), -(low % size))[:n], 0.0)
        norm_one, norm = (math.sqrt(float((law * law).sum())) for law in (ring, mass))
        each = _TRANSFORM * math.log2(size)
        rounding = _EPS * (each * (self.count * norm_one + norm) + 8 * self.count * norm) + 1e-25
        along = self.step * np.arange(n)
        tilted = mass * np.exp(-order * along)
        zero = np.zeros(1)
        above = np.concatenate([np.cumsum(tilted[::-1])[::-1], zero])
        weighted = np.concatenate([np.cumsum((tilted * np.exp(-along))[::-1])[::-1], zero])
        return self.step * low, self.count * (top + math.log(total)), above, weighted, rounding, float(n)

    def _window(self, order: float) -> tuple[int, int]:
        """Points of the lattice between which the tilted sum lies but for e^-34 at either end (Chernoff)."""
        if order not in self._windows:
            self._windows[order] = self._found_window(order)
        return self._windows[order]

    def _found_window(self, order: float) -> tuple[int, int]:
        width = self.step * self.mass.size  # rare losses have a scale of their own
        steps = np.concatenate([_ORDERS * math.sqrt(2 * LOG_OUTSIDE) / self._spread, _RARE / width])
        at = float(self._log_moments(np.array([order]), raised=False)[0])
        moments = self._log_moments(order + np.concatenate([steps, -steps]), raised=True)
        ends = (self.count * (moments - at) + LOG_OUTSIDE + 1e-6).reshape(2, -1) / steps
        low, high = -float(ends[1].min()), float(ends[0].min())
        last = self.first + self.mass.size - 1
        units = math.floor(low / self.step), math.ceil(high / self.step)
        return max(units[0], self.count * self.first), min(units[1], self.count * last)


def step_of(cells_at: Callable[[float], Cells], reach: tuple[float, float], count: int, fineness: float) -> float:
    """A step so small that both bounds nearly meet: a share of a loss's own deviation, as far as memory goes."""
    width = reach[1] - reach[0]
    coarse = cells_at(width / 2**12)
    deviation = BoundedSum.of(coarse, 1, "above")._spread
    low, high = BoundedSum.of(coarse, count, "above")._window(0.0)
    return max(fineness * min(deviation, 0.3), width / _MOST_POINTS, (high - low) * coarse.step / _MOST_POINTS)
