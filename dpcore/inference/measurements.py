"""A noisy number on the unit scale with the law of its noise: all that the quadratures ask of a noise.

Two laws: Laplace noise, whose likelihood has a kink at the release, and Gaussian noise, whose is smooth. Each
integrates a sample variance out of its gamma law and a sample mean out of its normal law, and tells where the
integrands bend.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import erfcx, gammaln, log_ndtr, xlogy

from dpcore._checks import FloatArray
from dpcore.inference.laws import (
    _SMALL,
    _log_between,
    _log_lower,
    draw_cut_normal,
    log_mixture_constant,
    lower_share,
    normal_laplace_log,
    upper_share,
)

IndexArray = NDArray[np.intp]

_LOG_ROOT_TWO_PI = 0.5 * math.log(2.0 * math.pi)
_DROP = 24.0  # natural units kept on each side of the peak of a sample variance under Gaussian noise
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(20)
_AT_ONCE = 1_000  # integrals over the sample variance whose nodes are held in memory at once


@dataclass(frozen=True)
class LaplaceMeasurement:
    """A number released with Laplace noise.

    It reads a release: the promise stays that of the number, about the value of one record.
    Source: thesis, section 4.2.2

    Parameters
    ----------
    value : float; the release, on the unit scale, pulled to the nearest possible number
    rate : float; one over the scale of the noise
    beyond : float; the release less `value`

    Examples
    --------
    >>> LaplaceMeasurement(0.3, 10.0).reach(5.0)  # half a unit away the likelihood is smaller by e^5
    0.5
    """

    value: float
    rate: float
    beyond: float = 0.0

    @property
    def noise_variance(self) -> float:
        """Variance of the noise."""
        return 2.0 / self.rate**2

    @property
    def log_peak(self) -> float:
        """Log density of the noise at zero."""
        return math.log(0.5 * self.rate)

    @property
    def log_beyond(self) -> float:
        """Log of the factor, the same for every possible number, that `log_likelihood` leaves out."""
        return -self.rate * abs(self.beyond)

    def log_likelihood(self, truth: FloatArray) -> FloatArray:
        """Log density of the release given the true number, less `log_peak` and `log_beyond`."""
        return np.asarray(-self.rate * np.abs(self.value - truth))

    def reach(self, fall: float) -> float:
        """Distance from the value over which the log likelihood falls by so much."""
        return fall / self.rate

    def log_chance_beyond(self, away: float) -> float:
        """Log of the chance of noise of at least so much, greater than 0, in one direction."""
        return -math.log(2.0) - away * self.rate

    def log_given_normal(self, mean: FloatArray, sd: FloatArray) -> FloatArray:
        """Log density of the release where the true number is normal."""
        return normal_laplace_log(self.value - mean, sd, self.rate)

    def points_given_normal(self, mean: FloatArray, sd: FloatArray) -> list[FloatArray]:
        """Where to break an integral over a number that is normal with this mean and deviation (infinite: flat)."""
        if not np.isfinite(sd).all():
            return [np.full_like(mean, self.value + side / self.rate) for side in (-36.0, -8, -2, 0, 2, 8, 36.0)]
        points, tilt = [np.full_like(mean, self.value)], self.rate * sd**2
        for shifted in (np.minimum(mean + tilt, self.value), np.maximum(mean - tilt, self.value)):
            points += [shifted + side * sd for side in (-7.0, -2.5, 0.0, 2.5, 7.0)]
        return points + [np.full_like(mean, self.value + side / self.rate) for side in (-36.0, -8, -2, 2, 8, 36.0)]

    def window(self, mean: FloatArray, spread: FloatArray, drop: float) -> list[FloatArray]:
        """Ends between which a normal law of (0, 1) times the likelihood is within a drop of its peak, and breaks."""
        tilt, at = self.rate * spread, self.value
        # peak of the exponent on each side of the release, and how far it reaches
        left_centre, right_centre = mean + tilt, mean - tilt
        left_peak = np.clip(left_centre, 0.0, max(min(at, 1.0), 0.0))
        right_peak = np.clip(right_centre, max(min(at, 1.0), 0.0), 1.0)

        def exponent(y: FloatArray) -> FloatArray:
            return np.asarray(-0.5 * (y - mean) ** 2 / spread - self.rate * np.abs(y - at))

        best_left, best_right = exponent(left_peak), exponent(right_peak)
        best = np.maximum(best_left, best_right)

        def reach(centre: FloatArray, peak: FloatArray, own: FloatArray, away: float) -> FloatArray:
            """Distance from the peak, moving away, over which the exponent falls to best - drop."""
            fall = np.maximum(drop - (best - own), 0.0)
            # how far beyond the centre the peak already sits, when moving away
            d = np.maximum(away * (peak - centre), 0.0)
            return np.asarray(2.0 * fall * spread / (np.sqrt(d * d + 2.0 * fall * spread) + d + 1e-300))

        middle = np.full_like(mean, min(max(at, 0.0), 1.0))
        low = np.where(
            best_left > best - drop,
            np.maximum(left_peak - reach(left_centre, left_peak, best_left, -1.0), 0.0),
            np.maximum(right_peak - reach(right_centre, right_peak, best_right, -1.0), middle),
        )
        high = np.where(
            best_right > best - drop,
            np.minimum(right_peak + reach(right_centre, right_peak, best_right, 1.0), 1.0),
            np.minimum(left_peak + reach(left_centre, left_peak, best_left, 1.0), middle),
        )
        return [low, high]

    def turns(self, shape: float, rate: FloatArray) -> list[FloatArray]:
        """Ends of the sample variance at which its integral bends, one array an end."""
        return [np.full_like(rate, self.value)]

    def log_gamma(self, shape: float, rate: FloatArray) -> FloatArray:
        """Log of int_0^inf s^(shape-1) e^(-rate s) likelihood(s) ds."""
        return log_mixture_constant(shape, rate, self.rate, self.value, math.inf)

    def log_gamma_cut(self, shape: float, rate: FloatArray, rows: IndexArray, top: FloatArray) -> FloatArray:
        """The same up to `top`, at rate[rows]: one incomplete gamma function per point."""
        lam, tau = self.rate, self.value
        result = np.empty_like(top)
        low = top <= tau
        if low.any():
            result[low] = _log_lower(np.full(int(low.sum()), shape), (rate - lam)[rows[low]], top[low]) - lam * tau
        high = ~low
        if not high.any():
            return result
        c = rate + lam
        split = np.full_like(rate, tau)
        shapes = np.full_like(rate, shape)
        below = _log_lower(shapes, rate - lam, split) - lam * tau if tau > 0 else np.full_like(rate, -np.inf)
        offset = gammaln(shape) - shape * np.log(c) + lam * tau
        upper = c * tau >= shape
        edge = np.where(upper, upper_share(shape, c * tau), lower_share(shape, c * tau))
        index, end = rows[high], top[high]
        at_end = c[index] * end
        from_above = upper[index]
        first, second = edge[index], np.empty_like(end)
        if from_above.any():
            second[from_above] = upper_share(shape, at_end[from_above])
        if not from_above.all():
            second[~from_above] = lower_share(shape, at_end[~from_above])
        mass = np.where(from_above, first - second, second - first)
        larger = np.where(from_above, first, second)
        with np.errstate(divide="ignore", invalid="ignore"):
            piece = np.log(mass) + offset[index]
        lost = (larger < _SMALL) | (mass < 1e-5 * larger)
        if lost.any():
            # a piece that cannot reach a 1e-15th of the one below the release is left as it is
            most = np.log(np.maximum(larger, _SMALL)) + offset[index]
            lost &= most > below[index] - 35.0
            piece = np.where(most > below[index] - 35.0, piece, -np.inf)
        if lost.any():
            pick = index[lost]
            piece[lost] = _log_between(shapes[pick], c[pick], split[pick], end[lost]) + lam * tau
        result[high] = np.logaddexp(below[index], piece)
        return result

    def positive_part(self) -> tuple[float, float, float]:
        """Log of the chance that release less noise is positive, and the first two moments of it where it is."""
        log_chance = (
            math.log1p(-0.5 * math.exp(-self.rate * self.value))
            if self.value >= 0
            else self.rate * self.value - math.log(2.0)
        )
        if self.value <= 0:
            return log_chance, 1.0 / self.rate, 2.0 / self.rate**2
        tail = 0.5 * math.exp(-self.rate * self.value)
        mass = 1.0 - tail
        # whole-line moments less those of the part below zero, which is exponential
        first = (self.value + tail / self.rate) / mass
        return log_chance, first, (self.value**2 + 2.0 / self.rate**2 - tail * 2.0 / self.rate**2) / mass

    def draw_noise(self, size: int, generator: np.random.Generator) -> FloatArray:
        """Draws of the noise."""
        return generator.laplace(0.0, 1.0 / self.rate, size)

    def draw_positive(self, size: int, generator: np.random.Generator) -> FloatArray:
        """Draws of release less noise where that is positive, by inversion."""
        uniform = generator.random(size)
        if self.value <= 0:
            return np.asarray(-np.log1p(-uniform) / self.rate)
        below = 0.5 * math.exp(-self.rate * self.value)
        p = below + uniform * (1.0 - below)
        with np.errstate(divide="ignore"):
            return np.asarray(self.value + np.where(p < 0.5, np.log(2.0 * p), -np.log(2.0 * (1.0 - p))) / self.rate)


@dataclass(frozen=True)
class GaussianMeasurement:
    """A number released with Gaussian noise.

    It reads a release: the promise stays that of the number, about the value of one record.
    Source: ours, as the thesis's model with the normal density of the noise in place of the Laplace density: normal
        times normal is normal in the sample mean, and the integral over the sample variance is one smooth piece

    Parameters
    ----------
    value : float; the release, on the unit scale, pulled to the nearest possible number
    std : float; standard deviation of the noise
    beyond : float; the release less `value`: unlike Laplace noise, Gaussian noise leans on possible numbers by it

    Examples
    --------
    >>> GaussianMeasurement(0.3, 0.1).reach(0.5)
    0.1
    """

    value: float
    std: float
    beyond: float = 0.0

    @property
    def noise_variance(self) -> float:
        """Variance of the noise."""
        return self.std**2

    @property
    def log_peak(self) -> float:
        """Log density of the noise at zero."""
        return -math.log(self.std) - _LOG_ROOT_TWO_PI

    @property
    def log_beyond(self) -> float:
        """Log of the factor, the same for every possible number, that `log_likelihood` leaves out."""
        return -0.5 * (self.beyond / self.std) ** 2

    def log_likelihood(self, truth: FloatArray) -> FloatArray:
        """Log density of the release given the true number, less `log_peak` and `log_beyond`."""
        moved = (truth - self.value) / self.std
        return np.asarray(moved * (self.beyond / self.std - 0.5 * moved))

    def reach(self, fall: float) -> float:
        """Distance from the value over which the log likelihood falls by so much, away from the release."""
        lean = abs(self.beyond) / self.std
        return 2.0 * fall * self.std / (lean + math.sqrt(lean**2 + 2.0 * fall))

    def log_chance_beyond(self, away: float) -> float:
        """Log of the chance of noise of at least so much, greater than 0, in one direction."""
        return float(log_ndtr(-away / self.std))

    def log_given_normal(self, mean: FloatArray, sd: FloatArray) -> FloatArray:
        """Log density of the release where the true number is normal."""
        total = sd**2 + self.std**2
        return np.asarray(-0.5 * ((self.value - mean) ** 2 / total + np.log(total)) - _LOG_ROOT_TWO_PI)

    def _given_normal(self, mean: FloatArray, spread: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Mean and variance of a normal number given the release."""
        share = 1.0 / (1.0 + self.std**2 / spread)  # of the release
        return mean + share * (self.value + self.beyond - mean), share * self.std**2

    def points_given_normal(self, mean: FloatArray, sd: FloatArray) -> list[FloatArray]:
        """Where to break an integral over a number that is normal with this mean and deviation (infinite: flat)."""
        centre, spread = self._given_normal(mean, sd**2)
        return [centre + side * np.sqrt(spread) for side in (-8.5, -4.0, -1.5, 1.5, 4.0, 8.5)]

    def window(self, mean: FloatArray, spread: FloatArray, drop: float) -> list[FloatArray]:
        """Ends between which a normal law of (0, 1) times the likelihood is within a drop of its peak, and breaks."""
        centre, own = self._given_normal(mean, spread)
        peak = np.clip(centre, 0.0, 1.0)
        away = np.abs(centre - peak)
        low, high = (
            [
                np.clip(peak + side * 2.0 * fall * own / (np.sqrt(away**2 + 2.0 * fall * own) + away), 0.0, 1.0)
                for fall in (drop, 0.3 * drop, 0.05 * drop)
            ]
            for side in (-1.0, 1.0)
        )
        return [low[0], high[0], *low[1:], *high[1:]]

    def _peak(self, shape: float, rate: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """For each rate the peak s of s^(shape-1/2) e^(-rate s) likelihood(s), concave in log, and ends of its bulk.

        Source: ours, root of s^2 - c s = (shape - 1/2) std^2 with c the release less rate std^2; the log falls below
            the peak at least as a parabola of the peak's curvature, above it at least as each of both factors alone
        """
        k, spread = shape - 0.5, self.std**2
        c = self.value + self.beyond - rate * spread
        root = np.sqrt(c * c + 4.0 * k * spread)
        peak = np.where(c > 0, 0.5 * (c + root), 2.0 * k * spread / np.maximum(root + np.abs(c), 1e-300))
        with np.errstate(divide="ignore", invalid="ignore"):
            below = math.sqrt(2.0 * _DROP) / np.sqrt(1.0 / spread + np.where(peak > 0, k / peak**2, 0.0))
        slope = np.maximum(-c, 0.0) / spread if k == 0 else np.zeros_like(c)  # of a peak at zero
        above = 2.0 * _DROP / (slope + np.sqrt(slope**2 + 2.0 * _DROP / spread))
        if k > 0:
            above = np.minimum(
                above, peak * (2.0 * _DROP / 3.0 + math.sqrt(4.0 * _DROP**2 / 9.0 + 2.0 * _DROP * k)) / k
            )
        return peak, np.maximum(peak - below, 0.0), peak + above

    def turns(self, shape: float, rate: FloatArray) -> list[FloatArray]:
        """Ends of the sample variance at which its integral bends, one array an end."""
        peak, low, high = self._peak(shape, rate)
        return [low, 0.6 * peak + 0.4 * low, peak, 0.6 * peak + 0.4 * high, high]

    def log_gamma(self, shape: float, rate: FloatArray) -> FloatArray:
        """Log of int_0^inf s^(shape-1) e^(-rate s) likelihood(s) ds."""
        return self.log_gamma_cut(shape, rate, np.arange(len(rate)), np.full_like(rate, np.inf))

    def log_gamma_cut(self, shape: float, rate: FloatArray, rows: IndexArray, top: FloatArray) -> FloatArray:
        """The same up to `top`, at rate[rows].

        Source: ours, in r = sqrt(s) the integrand is smooth at zero; 20 Gauss nodes on each side of the peak
        """
        k, spread = shape - 0.5, self.std**2
        peak, low, high = self._peak(shape, rate)
        c = self.value + self.beyond - rate * spread

        def height(s: FloatArray, row: IndexArray) -> FloatArray:
            return np.asarray(xlogy(k, s) - rate[row] * s + self.log_likelihood(s))

        def integral(start: FloatArray, end: FloatArray, at: FloatArray, row: IndexArray) -> FloatArray:
            """Integral from start to end over the height at a point, piece by piece."""
            result = np.empty_like(start)
            for first in range(0, len(start), _AT_ONCE):
                part = slice(first, first + _AT_ONCE)
                a, b = np.sqrt(start[part]), np.sqrt(end[part])
                half, ref = 0.5 * (b - a), at[part, None]
                s = (a[:, None] + half[:, None] * (1.0 + _NODES)) ** 2
                fall = (s - ref) * (c[row[part], None] - 0.5 * (s + ref)) / spread
                if k > 0:
                    fall += k * np.log(s / ref)
                result[part] = 2.0 * half * (np.exp(np.minimum(fall, 0.0)) @ _WEIGHTS)  # above 0 by rounding only
            return result

        left, whole = np.zeros_like(rate), np.zeros_like(rate)
        some = np.unique(rows[top > peak[rows]])
        left[some] = integral(low[some], peak[some], peak[some], some)
        whole[some] = left[some] + integral(peak[some], high[some], peak[some], some)
        value, summit = whole[rows], peak[rows].copy()
        inner = np.flatnonzero((top > summit) & (top < high[rows]))
        if len(inner):
            row = rows[inner]
            value[inner] = left[row] + integral(peak[row], top[inner], peak[row], row)
        outer = np.flatnonzero(top <= summit)
        if len(outer):  # rising up to the cut
            row, end = rows[outer], np.maximum(top[outer], 1e-150)
            bend = 1.0 / spread + k / end**2
            rise = np.maximum(k / end + (c[row] - end) / spread, 0.0)
            start = np.maximum(end - 2.0 * _DROP / (rise + np.sqrt(rise**2 + 2.0 * _DROP * bend)), 0.0)
            value[outer] = integral(start, end, end, row)
            summit[outer] = end
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(value) + height(summit, rows))

    def positive_part(self) -> tuple[float, float, float]:
        """Log of the chance that release less noise is positive, and the first two moments of it where it is."""
        at = (self.value + self.beyond) / self.std
        if at < -50.0:  # where sums would cancel: the series in the square of one over it
            b = 1.0 / at**2
            left = 2.0 - b * (10.0 - b * (74.0 - 706.0 * b))
            first, second = -(1.0 - b * left) / at, b * left
        else:
            first = at + math.sqrt(2.0 / math.pi) / float(erfcx(-at / math.sqrt(2.0)))
            second = 1.0 + at * first
        return float(log_ndtr(at)), self.std * first, self.std**2 * second

    def draw_noise(self, size: int, generator: np.random.Generator) -> FloatArray:
        """Draws of the noise."""
        return generator.normal(0.0, self.std, size)

    def draw_positive(self, size: int, generator: np.random.Generator) -> FloatArray:
        """Draws of release less noise where that is positive, by inversion."""
        ones = np.ones(size)
        at = (self.value + self.beyond) * ones
        return draw_cut_normal(generator, at, self.std * ones, 0.0 * ones, math.inf * ones)


Measurement = LaplaceMeasurement | GaussianMeasurement
"""A noisy number with the law of its noise."""
