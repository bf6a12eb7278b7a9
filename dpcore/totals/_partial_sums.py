"""Sums of independent noise terms, exactly: the convolutions behind every law of this package.

A term is a whole number u with weight a^|u|, a = exp(-epsilon), possibly bounded below. Partial sums live on a window
of whole numbers -reach..reach. A term is added by two one-sided recursions L(x) = F(x) + a L(x - 1), each carried
out by doubling (L <- L + a^s L shifted by s, for s = 1, 2, 4, ...): all terms are positive, so the tails keep their
relative accuracy, which a Fourier transform loses at 1e-16 of the peak. Terms with weight a^(u^2), discrete Gaussian
noise, are added one product at a time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.errors import Code, Refused
from dpcore.mechanisms import Geometric, WholeNoise

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

LOG_MASS_OUTSIDE = 80.0
"""The window leaves out less than exp(-80) of the unconditioned mass (a Chernoff bound)."""

MOST_WEIGHTS = 2**29
"""Most weights of partial sums held at once: 4 gigabytes."""

DIRECT_PRODUCTS = 20_000_000
"""Above this many products a correlation of two windows uses a Fourier transform (absolute accuracy 1e-15)."""

DRAW_CELLS = 4_000_000
"""Largest table of cumulated weights held at once while drawing."""


def window_reach(epsilons: FloatArray) -> int:
    """Distance from 0 beyond which the sum of the terms has mass below exp(-80).

    P(U > t) <= E[exp(theta U)] exp(-theta t) with theta half the smallest epsilon.
    """
    theta = float(epsilons.min()) / 2
    decays = np.exp(-epsilons), np.exp(theta - epsilons), np.exp(-theta - epsilons)
    log_moment = 2 * np.log1p(-decays[0]) - np.log1p(-decays[1]) - np.log1p(-decays[2])
    return max(1, math.ceil((float(log_moment.sum()) + LOG_MASS_OUTSIDE) / theta))


def check_weights(weights: int) -> None:
    """Refuse windows that memory does not hold."""
    if weights > MOST_WEIGHTS:
        rule = f"take at most {MOST_WEIGHTS:,} weights"
        raise Refused("partial sums", rule, weights, Code.TOO_LARGE, got=f"{weights:,}")


def _shifted(values: FloatArray, shift: int) -> FloatArray:
    """values[..., x + shift] along the last axis, zero outside."""
    size = values.shape[-1]
    result = np.zeros_like(values)
    if shift >= 0:
        if shift < size:
            result[..., : size - shift] = values[..., shift:]
    elif -shift < size:
        result[..., -shift:] = values[..., :shift]
    return result


def geometric_sum(values: FloatArray, epsilon: float, *, forward: bool) -> FloatArray:
    """Sum over j >= 0 of a^j values[x - j] (forward) or values[x + j] (backward), along the last axis."""
    size = values.shape[-1]
    result = values.copy() if forward else values[..., ::-1].copy()
    step = 1
    while step < size:
        factor = math.exp(-epsilon * step)
        if factor == 0.0:
            break
        result[..., step:] += factor * result[..., :-step]
        step *= 2
    return result if forward else result[..., ::-1]


def _bounded_geometric_sum(values: FloatArray, epsilon: float, length: int) -> FloatArray:
    """Sum over 0 <= j < length of a^j values[x + j]: the binary digits of the length, all terms positive."""
    result, done = np.zeros_like(values), 0
    power, step = values.copy(), 1  # power[x] = sum of the first `step` terms at x
    while length > 0:
        if length & 1:
            result += math.exp(-epsilon * done) * _shifted(power, done)
            done += step
        length >>= 1
        if length and step < values.shape[-1]:
            power = power + math.exp(-epsilon * step) * _shifted(power, step)
        step *= 2
    return result


def add_term(values: FloatArray, epsilon: float, lowest: int | None = None) -> FloatArray:
    """Weights of (partial sum + u), u weighted a^|u|, u >= lowest (lowest <= 0; None: unbounded)."""
    upward = geometric_sum(values, epsilon, forward=True)
    size = values.shape[-1]
    if lowest is None or -lowest >= size:
        return upward + math.exp(-epsilon) * _shifted(geometric_sum(values, epsilon, forward=False), 1)
    if lowest == 0:
        return upward
    return upward + math.exp(-epsilon) * _shifted(_bounded_geometric_sum(values, epsilon, -lowest), 1)


def convolve(first: FloatArray, second: FloatArray, *, directly: bool = False) -> FloatArray:
    """Law of the sum of two variables, both on the window -reach..reach, cut back to the window.

    `directly`, all products are summed however many they are: they are positive, and far tails keep their digits.
    """
    reach = (len(first) - 1) // 2
    lo1, hi1 = _support(first)
    lo2, hi2 = _support(second)
    result = np.zeros_like(first)
    if hi1 < lo1 or hi2 < lo2:
        return result
    left, right = first[lo1 : hi1 + 1], second[lo2 : hi2 + 1]
    if len(left) * len(right) > DIRECT_PRODUCTS and not directly:
        full = _fourier_convolve(left, right)
    else:
        full = np.convolve(left, right)
    start = lo1 + lo2 - reach  # index in the window of full[0]
    low, high = max(start, 0), min(start + len(full), len(result))
    if low < high:
        result[low:high] = full[low - start : high - start]
    return result


def _support(values: FloatArray) -> tuple[int, int]:
    """First and last index with weight above 1e-60 of the largest (what is left out is far below rounding)."""
    kept = np.flatnonzero(values > 1e-60 * values.max(initial=0.0))
    return (int(kept[0]), int(kept[-1])) if kept.size else (0, -1)


def _fourier_convolve(first: FloatArray, second: FloatArray) -> FloatArray:
    from scipy import fft

    size = fft.next_fast_len(len(first) + len(second) - 1, real=True)
    product = fft.irfft(fft.rfft(first, size) * fft.rfft(second, size), size)
    return np.maximum(product[: len(first) + len(second) - 1], 0.0)


@dataclass(frozen=True)
class CellNoise:
    """Noise of some cells: P(u) = exp(log_constant - strength |u|^power), power 1 (geometric) or 2 (discrete Gaussian).

    `strengths` and `log_constants` hold one number a cell. Where `offsets` are given, a cell's weight is that of
    u + offset against that of the offset.
    """

    strengths: FloatArray
    kind: type[WholeNoise]
    log_constants: FloatArray
    offsets: IntArray | None = None

    @classmethod
    def of_epsilons(cls, epsilons: FloatArray) -> CellNoise:
        """Double-geometric noise with these budgets."""
        return cls(epsilons, Geometric, np.log(-np.expm1(-epsilons)) - np.log1p(np.exp(-epsilons)))

    def __len__(self) -> int:
        return len(self.strengths)

    @property
    def power(self) -> int:
        """The power of its size that log-probability falls with."""
        assert self.kind.log_power is not None
        return self.kind.log_power

    def of(self, cells: IntArray) -> CellNoise:
        """The noise of some of the cells."""
        return CellNoise(self.strengths[cells], self.kind, self.log_constants[cells])

    @property
    def constants(self) -> FloatArray:
        """Probability of 0 in each cell."""
        if self.power == 1:
            return np.asarray(-np.expm1(-self.strengths) / (1 + np.exp(-self.strengths)))
        return np.asarray(np.exp(self.log_constants))

    def within(self, fall: float) -> IntArray:
        """Distances from 0 at which each cell's log-probability has fallen so far."""
        return np.ceil((fall / self.strengths) ** (1 / self.power)).astype(np.int64)

    @property
    def reach(self) -> int:
        """Distance from 0 beyond which the sum of all terms has mass below exp(-80).

        A discrete Gaussian is subgaussian with its sigma (E[exp(h u)] <= exp(h^2 sigma^2/2)), so the sum is with the
        root of their squares, and sigma^2 = 1/(2 strength).
        """
        if self.power == 1:
            return window_reach(self.strengths)
        return max(1, math.ceil(math.sqrt(LOG_MASS_OUTSIDE * float((1 / self.strengths).sum()))))

    def weights(self, cell: int, u: IntArray) -> FloatArray:
        """Weights exp(-strength |u|^power) of a cell's noise."""
        falls = np.abs(u) ** self.power
        if self.offsets is not None:
            offset = self.offsets[cell]
            falls = np.abs(u + offset) ** self.power - np.abs(offset) ** self.power
        return np.asarray(np.exp(-self.strengths[cell] * falls))

    def kernel(self, cell: int, reach: int, lowest: int | None) -> FloatArray:
        """Weights of a cell's noise on the window, zero below its lower bound."""
        u = np.arange(-reach, reach + 1)
        if lowest is None:
            return self.weights(cell, u)
        return np.where(u < lowest, 0.0, self.weights(cell, np.maximum(u, lowest)))

    def added(self, values: FloatArray, cell: int, lowest: int | None) -> FloatArray:
        """Weights of (partial sum + a cell's noise), the noise at least `lowest`."""
        if self.power == 1:
            return add_term(values, float(self.strengths[cell]), lowest)
        return convolve(values, self.kernel(cell, (len(values) - 1) // 2, lowest), directly=True)

    def smoothed(self, values: FloatArray, cell: int) -> FloatArray:
        """Weights of a cell's noise summed over a row of values from each place of it, for every row."""
        if self.power == 1:
            return add_term(values, float(self.strengths[cell]))
        from scipy.ndimage import convolve1d

        reach = int(self.within(LOG_MASS_OUTSIDE)[cell])
        return np.asarray(convolve1d(values, self.kernel(cell, reach, None), axis=-1, mode="constant"))


@dataclass(frozen=True)
class Chain:
    """Terms u_1..u_k added one after another: forward weights of every partial sum.

    `forward[i]` holds the weights of u_1 + ... + u_i on the window; `kernels[i]` the weights of u_{i+1}. The weights
    are not normalised: a term's constant, (1 - a)/(1 + a) for geometric noise, is left to the caller.
    """

    noise: CellNoise
    lowest: tuple[int | None, ...]
    reach: int
    forward: FloatArray
    log_scale: float

    @classmethod
    def of(cls, noise: CellNoise, lowest: tuple[int | None, ...], reach: int) -> Chain:
        """The chain of terms with this noise and these lower bounds (None: unbounded), on the window."""
        check_weights((len(noise) + 1) * (2 * reach + 1))
        forward = np.zeros((len(noise) + 1, 2 * reach + 1))
        forward[0, reach] = 1.0
        log_scale = 0.0
        for i, low in enumerate(lowest):
            weights = noise.added(forward[i], i, low)
            largest = float(weights.max())
            forward[i + 1] = weights / largest
            log_scale += math.log(largest)
        return cls(noise, lowest, reach, forward, log_scale)

    @property
    def law(self) -> FloatArray:
        """Weights of the whole sum on the window."""
        return np.asarray(self.forward[-1])

    def kernel(self, i: int) -> FloatArray:
        """Weights of term i on the window, zero below its lower bound."""
        return self.noise.kernel(i, self.reach, self.lowest[i])

    def marginals(self, terminal: FloatArray) -> FloatArray:
        """Weights of each term, shape (terms, window), when the whole sum is weighted by `terminal`.

        P(u_i = u) is proportional to k_i(u) sum over x of forward[i-1](x) backward[i](x + u): a correlation.
        """
        count = len(self.noise)
        result = np.zeros((count, 2 * self.reach + 1))
        backward = terminal[::-1] / terminal.max()  # mirrored: backward[x] stands for the partial sum -x
        for i in reversed(range(count)):
            result[i] = self.kernel(i) * convolve(self.forward[i], backward)[::-1]
            if i:
                backward = self.noise.added(backward, i, self.lowest[i])
                backward /= backward.max()
        return result

    def draw(self, sums: IntArray, generator: np.random.Generator) -> IntArray:
        """Independent draws of the terms given the whole sum of each draw, shape (draws, terms)."""
        result = np.empty((len(sums), len(self.noise)), dtype=np.int64)
        current = sums.astype(np.int64)
        for i in reversed(range(len(self.noise))):
            if i == 0:
                result[:, 0] = current
                break
            previous = draw_previous(current, self.forward[i], self.kernel(i), generator)
            result[:, i] = current - previous
            current = previous
        return result


def draw_previous(
    current: IntArray, weights: FloatArray, kernel: FloatArray, generator: np.random.Generator
) -> IntArray:
    """Partial sum before a term, drawn given the partial sum after it: weight(x) kernel(current - x)."""
    reach = (len(weights) - 1) // 2
    distinct, which = np.unique(current, return_inverse=True)
    low, high = _support(weights)
    x = np.arange(low, high + 1)
    result = np.empty(len(current), dtype=np.int64)
    uniform = generator.random(len(current))
    batch = max(1, DRAW_CELLS // len(x))
    for start in range(0, len(distinct), batch):
        part = distinct[start : start + batch]
        steps = part[:, None] - (x[None, :] - reach) + reach
        inside = (steps >= 0) & (steps < len(kernel))
        table = np.where(inside, kernel[np.clip(steps, 0, len(kernel) - 1)], 0.0) * weights[x]
        cumulated = np.cumsum(table, axis=1)
        cumulated /= cumulated[:, -1:]
        # one sorted list for all rows: row r lies in (r, r + 1]
        flat = (cumulated + np.arange(len(part))[:, None]).ravel()
        chosen = np.flatnonzero((which >= start) & (which < start + len(part)))
        row = which[chosen] - start
        position = np.searchsorted(flat, uniform[chosen] + row, side="right")
        column = np.minimum(position - row * len(x), len(x) - 1)
        result[chosen] = x[column] - reach
    return result
