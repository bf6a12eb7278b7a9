"""Sums of independent losses: moments and windows, Fourier powers on a lattice, moves onto a grid with a bracket."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft, next_fast_len, rfft

from dpcore import _checks
from dpcore._checks import FloatArray
from dpcore._properties import cached_property
from dpcore.errors import Code, Refused
from dpcore.mechanisms.discrete_gaussian import SMALLEST_LIMIT
from dpcore.mechanisms.losses import LaplaceLoss, Lattice, Part

LOG_TAIL = 41.5
"""A window leaves out a probability of at most e^-41.5 = 1e-18 at either end."""
LARGEST_TILTED = 1 << 20  # points: a tilted law that needs more on its own lattice is moved release by release
LOG_LEFT_OUT = 70.0  # of so many points, those below e^-70 = 4e-31 of the largest are left out
LARGEST_LATTICE = 1 << 22  # points: a composition that needs more is refused
ORDERS = (0.5, 0.8, 1.0, 1.25, 2.0)  # Chernoff orders tried, in units of sqrt(2 LOG_TAIL) / standard deviation


class LossSum:
    """The finite losses of many independent releases: parts with counts, moments, windows, and the law of the sum.

    A part of the computation: no promise belongs to it.
    """

    def __init__(self, parts: Sequence[tuple[Part, int]]) -> None:
        self.parts = tuple(parts)
        self._windows: dict[float, tuple[float, float]] = {}
        self.lattices = [(part, count) for part, count in parts if isinstance(part, Lattice)]
        self.laplaces = [(part, count) for part, count in parts if isinstance(part, LaplaceLoss)]
        if self.lattices:
            self._values = np.concatenate([part.values for part, _ in self.lattices])
            self._log_mass = np.concatenate([part.log_mass for part, _ in self.lattices])
            sizes = np.array([part.size for part, _ in self.lattices])
            self._starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
            self._sizes = sizes
            self._counts = np.array([count for _, count in self.lattices], dtype=float)

    @cached_property
    def support(self) -> tuple[float, float]:
        """Smallest and largest sum."""
        return (
            math.fsum(count * part.support[0] for part, count in self.parts),
            math.fsum(count * part.support[1] for part, count in self.parts),
        )

    @property
    def bounded(self) -> bool:
        """Whether every loss has a largest value."""
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
            steps = (math.sqrt(2 * LOG_TAIL) / math.sqrt(variance) if variance > 0 else 1.0) * np.array(ORDERS)
            width = max(part.support[1] - part.support[0] for part, _ in self.parts)
            if steps[0] * width > 1e3:  # a nearly certain loss: its rare values have a scale of their own
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

    A part of the computation: no promise belongs to it.
    Source: ours, powers of a characteristic function

    Parameters
    ----------
    spectrum : array; of one loss, of modulus at most 1
    count : int; at least 0

    Examples
    --------
    >>> spectrum_power(np.array([1.0, 1e-200, 0.0]), 2).real.tolist()
    [1.0, 0.0, 0.0]
    """
    count = _checks.count("count", count)
    power = np.array(spectrum, dtype=np.complex128)  # leave the caller's array alone
    power[np.abs(power) < math.exp(-60.0 / max(count, 1))] = 0.0
    return np.power(power, count, out=power) if count != 1 else power


def convolved(pieces: Iterable[tuple[int, FloatArray, int]], window: tuple[int, int]) -> FloatArray:
    """Masses of the sum on the window's lattice points: one Fourier power per (lowest, mass, count).

    A part of the computation: no promise belongs to it.
    """
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
        raise Refused("pieces", "hold at least one loss", (), Code.EMPTY, got="none")
    around = np.roll(irfft(spectrum, size), -(low % size))[:length]
    return np.maximum(around, 0.0, out=around)


def lattice_units(window: tuple[float, float], offset: float, step: float) -> tuple[int, int]:
    """The lattice points offset + step j that cover a window.

    A part of the computation: no promise belongs to it.
    """
    return math.floor((window[0] - offset) / step + 1e-9), math.ceil((window[1] - offset) / step - 1e-9)


def common_step(steps: Sequence[float]) -> float | None:
    """A step of which every given step is a whole multiple, when a small one exists.

    A part of the computation: no promise belongs to it. The smallest step divided by at most 64; None where that is not
    enough.
    Source: ours, trial of divisors

    Parameters
    ----------
    steps : sequence of float; above 0

    Examples
    --------
    >>> common_step([0.5, 0.75])
    0.25
    """
    if not _checks.array("steps", steps, 0.0, open_low=True).size:
        raise Refused("steps", "hold at least one", (), Code.EMPTY, got="none")
    smallest = min(steps)
    for division in range(1, 65):
        ratios = [step * division / smallest for step in steps]
        if all(ratio < 1e300 and abs(ratio - round(ratio)) <= 1e-12 * max(1.0, ratio) for ratio in ratios):
            return smallest / division
    return None


def self_composed(part: Lattice, count: int, order: float) -> tuple[FloatArray, FloatArray]:
    """Losses of `count` equal releases and their masses tilted by e^(order z), both on the part's own lattice.

    A part of the computation: no promise belongs to it.
    """
    if count == 1:
        return part.values, part.tilted(order)
    if part.sigma >= SMALLEST_LIMIT:  # discrete Gaussians add up to one, up to e^(-pi^2 sigma^2) (Poisson summation)
        variance = count * part.sigma**2
        centre, reach = round(order * part.step * variance), math.ceil(9.3 * math.sqrt(variance)) + 1
        check_points(2 * reach)
        y = np.arange(centre - reach, centre + reach + 1, dtype=np.float64)
        weights = np.exp(-((y - order * part.step * variance) ** 2) / (2 * variance))
        return np.asarray(count * part.offset + part.step * y), weights / weights.sum()
    single = LossSum([(part, count)])
    offset = count * part.offset
    window = lattice_units(single.window(order), offset, part.step)
    check_points(window[1] - window[0])
    mass = convolved([(part.lowest, part.tilted(order), count)], window)
    return np.asarray(offset + part.step * np.arange(window[0], window[1] + 1)), mass


def points_needed(part: Lattice, count: int, order: float) -> float:
    """How many points `count` equal releases need on their own lattice.

    A part of the computation: no promise belongs to it.
    """
    most = float(count * (part.size - 1))
    if most <= LARGEST_TILTED:
        return most
    low, high = LossSum([(part, count)]).window(order)
    return (high - low) / part.step


def onto_grid(
    values: FloatArray, weights: FloatArray, step: float, order: float, *, connect: bool
) -> tuple[float, FloatArray, float]:
    """Tilted masses moved to the grid anchored at the first value: down, or onto both neighbours keeping P and Q.

    A part of the computation: no promise belongs to it. They sum to one; the last number is the logarithm of what they
    summed to, which a strong tilt takes out of the range of floats once many releases are multiplied.
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


def laplace_onto_grid(part: LaplaceLoss, step: float, order: float, *, connect: bool) -> tuple[int, FloatArray, float]:
    """Tilted masses of one Laplace release on the grid anchored at -epsilon: the first point and all masses.

    They sum to one; the last number is the logarithm of what they summed to. A part of the computation: no promise
    belongs to it. Of a grid too long to hold, points below 1e-30 of the largest are left out, as by `onto_grid`.
    """
    end = part.epsilon
    cells = max(math.ceil(2 * end / step - 1e-9), 1)
    first, falls = 0, order + 0.5  # from the largest loss down, tilted masses fall as e^(-falls z)
    if cells > LARGEST_TILTED and falls > 0:
        first = max(math.floor((2 * end - LOG_LEFT_OUT / falls) / step), 0)
    start = -end + step * np.arange(first, cells)
    width = np.full(cells - first, step)
    width[-1] = end - start[-1]
    scale = 0.5 * np.exp((start - end) / 2)
    inside = scale * np.expm1(width / 2)
    up = scale * 4 * np.sinh(width / 4) ** 2 / -math.expm1(-step) if connect else np.zeros(start.size)
    mass = np.zeros(start.size + 1)
    mass[:-1] += inside - up
    mass[1:] += up
    if first == 0:
        mass[0] += 0.5 * math.exp(-end)
    share = 1.0 if width[-1] > step * (1 - 1e-9) else (math.expm1(-width[-1]) / math.expm1(-step) if connect else 0.0)
    mass[-2] += 0.5 * (1 - share)
    mass[-1] += 0.5 * share
    shift = float(part.log_moments(np.array([order]))[0])
    exponents = order * (-end + step * np.arange(first, cells + 1)) - shift
    top = float(exponents[mass > 0].max())
    tilted = mass * np.exp(np.minimum(exponents - top, 0.0))
    total = float(tilted.sum())
    return first, tilted / total, math.log(total) + top


def check_points(points: float) -> None:
    """Refuse a lattice of more points than can be held.

    A part of the computation: no promise belongs to it.
    """
    if points > LARGEST_LATTICE:
        raise Refused(
            "releases",
            f"need at most {LARGEST_LATTICE:,} points of their lattice",
            points,
            Code.TOO_LARGE,
            got=f"{points:,.0f}",
        )
