"""The integrals of the noisy-moments model on the unit scale: over the sample variance, the sample mean, and mu.

Everything is deterministic. The sample variance integrates out by the law of its noise (`measurements`); the sample
mean by Gauss-Legendre panels that break at every kink; the cut sigma^2 <= mu (1 - mu) is taken exactly, because each
mu has its own nodes in sigma^2 up to the cut.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.polynomial import legendre
from scipy.special import gammaln, log_ndtr, ndtr

from dpcore._cache import cached_by_size
from dpcore._checks import FloatArray
from dpcore.inference.measurements import IndexArray, Measurement
from dpcore.inference.models import ConjugatePrior, Prior, log_inverse_gamma_norm

_LOG_ROOT_TWO_PI = 0.5 * math.log(2.0 * math.pi)
_DROP = 26.0  # natural units kept on each side of a peak, which the variance may pull aside
_GRIDS = 16  # each over a part of the one before, until a row's peak fills its own
_FILLED = 7  # points of a grid of 17 within the drop


def log_normal_between(low: FloatArray, high: FloatArray) -> FloatArray:
    """Log of Phi(high) - Phi(low), from whichever tail keeps the digits; -inf where high <= low."""
    flip = low > 0
    a, b = np.where(flip, -high, low), np.where(flip, -low, high)
    with np.errstate(divide="ignore"):
        result = np.log(np.maximum(ndtr(b) - ndtr(a), 0.0))
    deep = (b < -5.0) & (high > low)
    if deep.any():
        top = log_ndtr(b[deep])
        result[deep] = top + np.log1p(-np.exp(np.minimum(log_ndtr(a[deep]) - top, 0.0)))
    return np.asarray(result)


@dataclass(frozen=True)
class Model:
    """A release and a prior on the unit scale."""

    n: int
    mean: Measurement
    variance: Measurement
    prior: Prior
    constrained: bool

    @property
    def shape(self) -> float:
        """Shape (n-1)/2 of the sample variance's gamma law."""
        return 0.5 * (self.n - 1)

    def log_prior_variance(self, v: FloatArray) -> FloatArray:
        """Log prior density of sigma^2 (normalised when conjugate)."""
        if isinstance(self.prior, ConjugatePrior):
            shape = 0.5 * self.prior.variance_weight
            return log_inverse_gamma_norm(self.prior) - (shape + 1.0) * np.log(v) - shape * self.prior.variance / v
        return np.asarray(-self.prior.power * np.log(v))

    def log_front(self, v: FloatArray) -> FloatArray:
        """Log of prior(v), the gamma law's normaliser and the variance noise's: all but the integral over it."""
        rate = self.shape / v
        return self.log_prior_variance(v) + self.shape * np.log(rate) - gammaln(self.shape) + self.variance.log_peak

    def log_unbounded_constant(self, v: FloatArray) -> FloatArray:
        """Log integral over the sample variance on the half line."""
        return self.variance.log_gamma(self.shape, self.shape / v)

    def largest_sample_variance(self, y: FloatArray) -> FloatArray:
        """Largest sample variance of n values in [0, 1] with mean y."""
        return self.n / (self.n - 1.0) * y * (1.0 - y)

    def log_constants(self, v: FloatArray, rows: IndexArray, y: FloatArray) -> FloatArray:
        """Log integral over the sample variance up to the largest one for (v[rows], y)."""
        return self.variance.log_gamma_cut(self.shape, self.shape / v, rows, self.largest_sample_variance(y))

    def _breaks(self, v: FloatArray) -> list[FloatArray]:
        """Values of the sample mean where the integrand bends, one array per break: kinks and the gamma law's step."""
        breaks = [np.full_like(v, self.mean.value)]
        m = expit_mean(v)
        breaks += [m, 1.0 - m]
        for turn in self.variance.turns(self.shape, self.shape / v):
            bend = turn * (self.n - 1.0) / self.n
            if ((bend > 0) & (bend < 0.25)).any():
                at = expit_mean(np.clip(bend, 0.0, 0.25))
                breaks += [at, 1.0 - at]
        return breaks

    # ---- constrained: sigma^2 with the sample mean integrated over (0, 1), mu in closed form
    def variance_nodes(self, v: FloatArray, order: int) -> tuple[IndexArray, FloatArray, FloatArray]:
        """Rows, sample means and log masses of the joint of (v, sample mean), mu integrated out; constrained.

        Source: ours, given (sample mean, sigma^2) mu is a normal cut to the feasible interval
        """
        m = expit_mean(v)
        sd = np.sqrt(v / self.n)
        points = [np.zeros_like(v), np.ones_like(v), *self._breaks(v)]
        for reach in (2.0, 7.0):
            points += [m - reach * sd, m + reach * sd, 1.0 - m - reach * sd, 1.0 - m + reach * sd]
        for fall in (2.0, 8.0, 36.0):
            points += [np.full_like(v, self.mean.value + side * self.mean.reach(fall)) for side in (-1.0, 1.0)]
        for reach in (-5.0, 5.0):  # where the largest variance crosses the bulk of the sample variance
            bulk = np.clip(v * (1.0 + reach * math.sqrt(2.0 / self.n)) * (self.n - 1.0) / self.n, 0.0, 0.25)
            at = expit_mean(np.maximum(bulk, 1e-300))
            points += [at, 1.0 - at]
        if isinstance(self.prior, ConjugatePrior):
            wide = np.sqrt(v / self.n + v / self.prior.mean_weight)
            points += [self.prior.mean + reach * wide for reach in (-7.0, -2.0, 0.0, 2.0, 7.0)]
        # breaks round the bulk of each row wherever the variance pulls it, and nothing beyond its tails
        low, high, inner = _narrowed(
            lambda rows, y: (
                self.log_constants(v, rows, y) + self.mean.log_likelihood(y) + self.log_feasible_mean(v[rows], y)
            ),
            np.sort(np.clip(np.stack(points, axis=1), 0.0, 1.0), axis=1),
        )
        return self._variance_nodes_between([*(np.clip(point, low, high) for point in points), *inner], v, order)

    def _variance_nodes_between(
        self, points: list[FloatArray], v: FloatArray, order: int
    ) -> tuple[IndexArray, FloatArray, FloatArray]:
        rows, y, weight = _segment_nodes(np.stack(points, axis=1), order, bounds=(0.0, 1.0))
        log_mass = (
            self.log_front(v)[rows]
            + self.log_constants(v, rows, y)
            + self.mean.log_peak
            + self.mean.log_likelihood(y)
            + self.log_feasible_mean(v[rows], y)
            + np.log(weight)
        )
        return rows, y, log_mass

    def mean_given(self, v: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Mean and standard deviation of mu given (sample mean, sigma^2), before any cut."""
        if isinstance(self.prior, ConjugatePrior):
            k = self.prior.mean_weight
            return (self.n * y + k * self.prior.mean) / (self.n + k), np.sqrt(v / (self.n + k))
        return y, np.sqrt(v / self.n)

    def log_feasible_mean(self, v: FloatArray, y: FloatArray) -> FloatArray:
        """Log of the integral over feasible mu of normal(y; mu, v/n) times the prior of mu."""
        centre, sd = self.mean_given(v, y)
        m = expit_mean(v)
        inside = log_normal_between((m - centre) / sd, (1.0 - m - centre) / sd)
        if isinstance(self.prior, ConjugatePrior):
            spread = v / self.n + v / self.prior.mean_weight
            inside = inside - 0.5 * (y - self.prior.mean) ** 2 / spread - 0.5 * np.log(spread) - _LOG_ROOT_TWO_PI
        return inside

    def log_prior_mean(self, mu: FloatArray, v: FloatArray) -> FloatArray:
        """Log prior density of mu given sigma^2 (zero when flat)."""
        if isinstance(self.prior, ConjugatePrior):
            spread = v / self.prior.mean_weight
            return -0.5 * (mu - self.prior.mean) ** 2 / spread - 0.5 * np.log(spread) - _LOG_ROOT_TWO_PI
        return np.zeros(np.broadcast(mu, v).shape)

    # ---- joint density of (mu, sigma^2), sample mean integrated for fixed mu
    def log_joint(self, mu: FloatArray, v: FloatArray, order: int = 9) -> FloatArray:
        """Log of prior times the likelihood of the release at (mu, v), arrays of one dimension; -inf outside."""
        if not self.constrained:
            return (
                self.log_front(v)
                + self.log_unbounded_constant(v)
                + self.mean.log_given_normal(mu, np.sqrt(v / self.n))
                + self.log_prior_mean(mu, v)
            )
        result = np.full(mu.shape, -np.inf)
        inside = (mu > 0) & (mu < 1) & (v > 0) & (v <= mu * (1 - mu) * (1 + 1e-14))
        if inside.any():
            result[inside] = self._log_joint_inside(mu[inside], v[inside], order)
        return result

    def _log_joint_inside(self, mu: FloatArray, v: FloatArray, order: int) -> FloatArray:
        spread = v / self.n
        sd = np.sqrt(spread)
        low, high, *breaks = self.mean.window(mu, spread, _DROP)
        low, high, extra = self._window_with_pull(mu, v, low, high)
        points = np.stack(
            [low, high, *(np.clip(item, low, high) for item in [*self._breaks(v), *breaks, *extra])], axis=1
        )
        rows, y, weight = _segment_nodes(points, order, fineness=1.0 / sd + 1.0 / self.mean.reach(1.0))
        value = (
            self.log_constants(v, rows, y)
            - 0.5 * ((y - mu[rows]) / sd[rows]) ** 2
            + self.mean.log_likelihood(y)
            + np.log(weight)
        )
        total = log_sum_rows(value, rows, len(mu))
        return (
            total + self.log_front(v) + self.mean.log_peak - np.log(sd) - _LOG_ROOT_TWO_PI + self.log_prior_mean(mu, v)
        )

    def _window_with_pull(
        self, mu: FloatArray, v: FloatArray, low: FloatArray, high: FloatArray
    ) -> tuple[FloatArray, FloatArray, list[FloatArray]]:
        """Window of the sample mean where the noisy variance pulls it away from where noise and prior would have it.

        Where the integral over the sample variance changes by more than e^8 across the window, the window is found
        again from the whole integrand.
        """
        middle = 0.5 * (low + high)
        rows = np.arange(len(mu))
        constants = np.stack([self.log_constants(v, rows, y) for y in (low, middle, high)])
        with np.errstate(invalid="ignore"):
            pulled = ~(constants.max(axis=0) - constants.min(axis=0) < 8.0)
        if not pulled.any():
            return low, high, []
        pick = np.flatnonzero(pulled)
        some_mu, some_v = mu[pick], v[pick]
        sd = np.sqrt(some_v / self.n)
        share: FloatArray = np.linspace(0.0, 1.0, 17)
        near = some_mu[:, None] + sd[:, None] * np.array([-8.0, -3, -1, 0, 1, 3, 8])
        steps = np.array([side * self.mean.reach(fall) for side in (-1.0, 1.0) for fall in (20.0, 4.0)])
        fixed = np.concatenate([share, self.mean.value + np.append(steps, 0.0)])
        grid = np.concatenate([near, np.broadcast_to(fixed, (len(pick), fixed.size))], axis=1)
        left, right, inner = _narrowed(
            lambda at, y: (
                self.log_constants(some_v, at, y)
                - 0.5 * ((y - some_mu[at]) / sd[at]) ** 2
                + self.mean.log_likelihood(y)
            ),
            np.sort(np.clip(grid, 0.0, 1.0), axis=1),
        )
        low, high = low.copy(), high.copy()
        low[pick], high[pick] = left, right
        extra = [low.copy() for _ in inner]
        for points, found in zip(extra, inner, strict=True):
            points[pick] = found
        return low, high, extra

    # ---- unconstrained: sigma^2 alone
    def log_variance_density(self, v: FloatArray) -> FloatArray:
        """Log of prior(v) p(noisy variance | v) p(noisy mean | v), unconstrained."""
        value = self.log_front(v) + self.log_unbounded_constant(v)
        if isinstance(self.prior, ConjugatePrior):
            spread = np.sqrt(v / self.n + v / self.prior.mean_weight)
            value = value + self.mean.log_given_normal(np.full_like(v, self.prior.mean), spread)
        return value

    def sample_mean_nodes(
        self, v: FloatArray, order: int = 14, steps: Sequence[tuple[FloatArray, FloatArray]] = ()
    ) -> tuple[IndexArray, FloatArray, FloatArray]:
        """Rows, sample means and conditional masses of the sample mean given sigma^2, unconstrained.

        `steps` are values of mu with a width: the caller's function of mu turns there, and the nodes follow it.
        """
        if isinstance(self.prior, ConjugatePrior):
            centre, sd = np.full_like(v, self.prior.mean), np.sqrt(v / self.n + v / self.prior.mean_weight)
        else:
            centre, sd = np.full_like(v, self.mean.value), np.full_like(v, np.inf)
        points = self.mean.points_given_normal(centre, sd)
        conjugate = self.prior if isinstance(self.prior, ConjugatePrior) else None
        k, prior_mean = (conjugate.mean_weight, conjugate.mean) if conjugate else (0.0, 0.0)
        low, high = np.min(points, axis=0), np.max(points, axis=0)
        for at, width in steps:
            turn = ((self.n + k) * at - k * prior_mean) / self.n
            points += [
                np.clip(turn + reach * width * (self.n + k) / self.n, low, high) for reach in (-6.0, -2, 0, 2, 6)
            ]
        rows, y, weight = _segment_nodes(np.stack(points, axis=1), order)
        value = self.mean.log_likelihood(y) - 0.5 * ((y - centre[rows]) / sd[rows]) ** 2 + np.log(weight)
        return rows, y, np.exp(value - log_sum_rows(value, rows, len(v))[rows])


@cached_by_size()
def gauss_rule(order: int) -> tuple[FloatArray, FloatArray]:
    """Gauss-Legendre nodes and weights on [-1, 1], computed once per order."""
    return legendre.leggauss(order)


def expit_mean(v: FloatArray) -> FloatArray:
    """Smaller mean m with m (1 - m) = v, without cancellation; v in [0, 1/4]."""
    return np.asarray(v / (0.5 + np.sqrt(np.maximum(0.25 - v, 0.0))))


def log_sum_rows(values: FloatArray, rows: IndexArray, count: int) -> FloatArray:
    """Log of the sum of exponentials of each row; -inf for a row without values."""
    top = np.full(count, -np.inf)
    np.maximum.at(top, rows, values)
    safe = np.where(np.isfinite(top), top, 0.0)
    total = np.bincount(rows, np.exp(values - safe[rows]), minlength=count)
    with np.errstate(divide="ignore"):
        return np.log(total) + safe


def _narrowed(
    log_height: Callable[[IndexArray, FloatArray], FloatArray], grid: FloatArray
) -> tuple[FloatArray, FloatArray, list[FloatArray]]:
    """Ends between which each row's height is within the drop of its peak, and points between them round the peak.

    The integrals over the sample variance are log-concave in the sample mean for n >= 3 (an increasing concave function
    of the concave largest variance), so the grid points next to those within the drop enclose them all: grids over ever
    less of each row find a peak however narrow it is.
    """
    left, right, peak = (np.empty(len(grid)) for _ in range(3))
    rows = np.arange(len(grid))
    for _ in range(_GRIDS):
        height = log_height(np.repeat(rows, grid.shape[1]), grid.ravel()).reshape(grid.shape)
        inside = height > height.max(axis=1, keepdims=True) - _DROP
        first = np.maximum(inside.argmax(axis=1) - 1, 0)
        last = np.minimum(grid.shape[1] - inside[:, ::-1].argmax(axis=1), grid.shape[1] - 1)
        line = np.arange(len(rows))
        left[rows], right[rows], peak[rows] = grid[line, first], grid[line, last], grid[line, height.argmax(axis=1)]
        few = inside.any(axis=1) & (inside.sum(axis=1) < _FILLED)
        rows = rows[few]
        if not rows.size:
            break
        grid = left[rows, None] + (right - left)[rows, None] * np.linspace(0.0, 1.0, 17)
    return left, right, [peak + part * (end - peak) for part in (0.0, 0.15, 0.4, 0.7) for end in (left, right)]


def _segment_nodes(
    points: FloatArray, order: int, *, bounds: tuple[float, float] | None = None, fineness: FloatArray | None = None
) -> tuple[IndexArray, FloatArray, FloatArray]:
    """Rows, Gauss-Legendre nodes and weights on every non-empty interval between a row's sorted points.

    With `fineness`, an interval longer than 4 of its row's units of 1/fineness gets twice the nodes.
    """
    if bounds is not None:
        points = np.clip(points, *bounds)
    edges = np.sort(points, axis=1)
    width = np.diff(edges, axis=1)
    span = edges[:, -1:] - edges[:, :1]
    row, column = np.nonzero(width > 1e-13 * span)
    half = 0.5 * width[row, column]
    left = edges[row, column]
    if fineness is None:
        groups = [(np.ones(len(row), dtype=bool), order)]
    else:
        long = 2.0 * half * fineness[row] > 4.0
        groups = [(long, 2 * order), (~long, order)]
    parts = []
    for chosen, count in groups:
        nodes, weights = gauss_rule(count)
        y = left[chosen][:, None] + half[chosen][:, None] * (1.0 + nodes)
        parts.append((np.repeat(row[chosen], count), y.ravel(), (half[chosen][:, None] * weights).ravel()))
    if len(parts) == 1:
        return parts[0]
    return (
        np.concatenate([part[0] for part in parts]),
        np.concatenate([part[1] for part in parts]),
        np.concatenate([part[2] for part in parts]),
    )
