"""Simple linear regression from five noisy sums of bounded data: the exact law, sampled by a chain that always moves.

Given the sums of x and x^2, the law of the other three under the normal model has a closed form, so no fourth moments
are needed and no budget is spent on them. What bounded data allow is a convex set; the thesis misses one of its
inequalities, sum xy >= sum x + sum y - n.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore._properties import cached_property
from dpcore.chains import effective_sample_size, split_r_hat
from dpcore.errors import Code, Refused
from dpcore.mechanisms.gaussian import Gaussian

SUMS_SENSITIVITY = math.sqrt(5.0)
"""Euclidean length by which the five sums move at most when one point of the unit square is replaced by another."""

SUM_NAMES = ("sum_x", "sum_xx", "sum_y", "sum_xy", "sum_yy")
"""Order of the five sums everywhere in this module."""

LARGEST_R_HAT = 1.1
"""Split R-hat above which chains are not taken to agree, unless the caller says otherwise."""

ATTEMPTS = 2
"""Times the chains may run for the wanted draws until they agree."""

HOPELESS = 2.5
"""Split R-hat of chains that another run of the same length would not bring together."""

LEAST_DRAWS = 4
"""Draws of each chain from which its halves can be compared."""

LEAST_KEPT = 0.01
"""Smallest share of lines drawn that the parameter constraints may leave: fewer are no sample."""

TRIED, LOST = 20, 40.0
"""Steps after which slices of the sums that shrink so often on average are lost in rounding errors."""

ROUNDS = 100
"""Times a slice may shrink: what is left is below 1e-13 of it, and the chain stays where it is."""

WINDOW = 6.0
"""Length of the interval a slice through the shape is drawn from, in lengths of its direction."""

# coefficients and constant/n of the linear constraints: slack = coefficients . sums + constant * n >= 0
_LINEAR = np.array(
    [
        [0, 1, 0, 0, 0, 0],  # sum x^2 >= 0
        [1, -1, 0, 0, 0, 0],  # sum x^2 <= sum x
        [-1, 0, 0, 0, 0, 1],  # sum x <= n
        [0, 0, 0, 0, 1, 0],  # sum y^2 >= 0
        [0, 0, 1, 0, -1, 0],  # sum y^2 <= sum y
        [0, 0, -1, 0, 0, 1],  # sum y <= n
        [0, 0, 0, 1, 0, 0],  # sum xy >= 0
        [1, 0, 0, -1, 0, 0],  # sum xy <= sum x
        [0, 0, 1, -1, 0, 0],  # sum xy <= sum y
        [-1, 0, -1, 1, 0, 1],  # sum xy >= sum x + sum y - n: missing in the source
    ],
    dtype=np.float64,
)


def _slacks(sums: FloatArray, n: int, missing: bool) -> FloatArray:
    """Slack of each linear constraint, last axis; all at least 0 when feasible."""
    rows = _LINEAR if missing else _LINEAR[:-1]
    return np.asarray(sums @ rows[:, :5].T + n * rows[:, 5])


def _fit(sums: FloatArray, n: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Spread of x round its mean, slope, and residual sum of squares of the fitted line; no use without spread."""
    x, xx, y, xy, yy = (sums[..., k] for k in range(5))
    spread = xx - x * x / n
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        slope = (xy - x * y / n) / spread
        residual = yy - y * y / n - slope * slope * spread
    return spread, slope, residual


def feasible_sums(n: int, sums: ArrayLike, *, include_missing_inequality: bool = True) -> NDArray[np.bool_] | bool:
    """Whether five sums can come from n points of the unit square: ten inequalities and a positive definite matrix.

    A fact about bounded data: no promise belongs to it.
    Source: thesis, section 4.15; ours, the tenth inequality; with it the set is the convex hull of the points' moments

    Parameters
    ----------
    n : int; number of points, at least 3
    sums : array_like; sums of x, x^2, y, xy, y^2 on the last axis
    include_missing_inequality : bool; also require sum xy >= sum x + sum y - n, which section 4.15 leaves out

    Examples
    --------
    >>> feasible_sums(10, [6, 4.5, 7, 4.4, 5.5])
    True
    >>> feasible_sums(10, [6, 6.5, 7, 4.4, 5.5])
    False
    """
    size = _checks.count("n", n, 3)
    values = _checks.array("sums", sums)
    if values.shape[-1:] != (5,):
        raise Refused(
            "sums", "hold five values on the last axis", values.shape, Code.WRONG_SHAPE, got=f"shape {values.shape}"
        )
    spread, _, residual = _fit(values, size)
    inside = (_slacks(values, size, include_missing_inequality) >= 0).all(axis=-1)
    result = inside & (spread > 0) & (residual > 0)
    return bool(result) if result.ndim == 0 else np.asarray(result)


@call_hint
def feasible_parameters(intercept: ArrayLike, slope: ArrayLike, variance: ArrayLike) -> NDArray[np.bool_]:
    """Whether intercept, slope and sigma^2 meet the necessary conditions of data in the unit square.

    A fact about bounded data: no promise belongs to it. The regression line must cross the square, and sigma^2 lies in
    (0, 1/4]. Necessary conditions only.
    Source: thesis, section 4.15

    Examples
    --------
    >>> feasible_parameters([0.5, 1.2], [0.9, 0.2], [0.1, 0.1]).tolist()
    [True, False]
    """
    a, b, v = (
        _checks.array("intercept", intercept),
        _checks.array("slope", slope),
        _checks.array("variance", variance),
    )
    low, high = np.where(b > 0, -b, 0.0), np.where(b > 0, 1.0, 1.0 - b)
    return np.asarray((a >= low) & (a <= high) & (v > 0) & (v <= 0.25))


@dataclass(frozen=True)
class RegressionPrior:
    """Conjugate prior: theta | sigma^2 ~ normal(mean, sigma^2 / precision), sigma^2 ~ inverse gamma(shape, rate).

    A choice of whoever reads a release: no promise belongs to it.

    Parameters
    ----------
    mean : pair of float, optional; prior intercept and slope, on the unit scale
    precision : pair of float, optional; prior weights in records, greater than 0
    shape, rate : float; of sigma^2, greater than 0

    Examples
    --------
    >>> RegressionPrior(mean=(0.5, 0.0)).mean
    (0.5, 0.0)
    """

    mean: tuple[float, float] = (1.0, 0.0)
    precision: tuple[float, float] = (0.25, 0.25)
    shape: float = 20.0
    rate: float = 0.5

    def __post_init__(self) -> None:
        mean = _checks.array("mean", self.mean)
        precision = _checks.array("precision", self.precision, 0.0, open_low=True)
        for name, pair in (("mean", mean), ("precision", precision)):
            if pair.shape != (2,):
                raise Refused(name, "hold two numbers", getattr(self, name), Code.WRONG_SHAPE)
            object.__setattr__(self, name, (float(pair[0]), float(pair[1])))
        object.__setattr__(self, "shape", _checks.number("shape", self.shape, 0.0, open_low=True))
        object.__setattr__(self, "rate", _checks.number("rate", self.rate, 0.0, open_low=True))


@dataclass(frozen=True)
class NoisySums:
    """Five released sums of n points of the unit square, with Laplace noise of an epsilon each or Gaussian of one rho.

    The promise is about the value of one record, replaced while n is public: the five epsilons added, or zCDP of rho.
    Laplace noise has scale 1/epsilon, as each sum moves by at most 1. Gaussian noise has variance 5/(2 rho): each of
    x, x^2, y, xy, y^2 lies in [0, 1], so that none moves by more than 1 and the vector of all by at most sqrt(5), which
    (0, 0) replaced by (1, 1) attains.
    Source: bun_steinke, Proposition 1.6, for Gaussian noise on vectors
    Source: ours, the sensitivity

    Parameters
    ----------
    n : int; number of points, at least 3, public
    x, xx, y, xy, yy : float; released sums of x, x^2, y, xy, y^2; any finite numbers
    epsilon_each : float or sequence of float, optional; privacy-loss parameter of each release, greater than 0
    rho : float, optional; zCDP budget of all five together, greater than 0; this or `epsilon_each`

    Examples
    --------
    >>> NoisySums(n=46, x=9.6, xx=3.9, y=18.7, xy=-3.9, yy=3.6, epsilon_each=0.1).values.tolist()
    [9.6, 3.9, 18.7, -3.9, 3.6]
    >>> NoisySums(n=46, x=9.6, xx=3.9, y=18.7, xy=-3.9, yy=3.6, rho=0.1).std.tolist()
    [5.0, 5.0, 5.0, 5.0, 5.0]
    """

    n: int
    x: float
    xx: float
    y: float
    xy: float
    yy: float
    _: KW_ONLY
    epsilon_each: float | Sequence[float] | None = None
    rho: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", _checks.count("n", self.n, 3))
        for name in ("x", "xx", "y", "xy", "yy"):
            object.__setattr__(self, name, _checks.number(name, getattr(self, name)))
        if self.epsilon_each is None or self.rho is not None:
            self._check_rho()
            return
        each = _checks.array("epsilon_each", self.epsilon_each, 0.0, open_low=True)
        if each.shape not in ((), (5,)):
            raise Refused("epsilon_each", "be one number or five", self.epsilon_each, Code.WRONG_SHAPE)

    def _check_rho(self) -> None:
        if self.rho is None or self.epsilon_each is not None:
            got = "neither" if self.rho is None else "both"
            raise Refused("budget", "be epsilon_each or rho", got, Code.INCONSISTENT, got=got)
        object.__setattr__(self, "rho", _checks.number("rho", self.rho, 0.0, open_low=True))

    @cached_property
    def values(self) -> FloatArray:
        """The five releases in the order of `SUM_NAMES`."""
        return np.array([self.x, self.xx, self.y, self.xy, self.yy])

    @cached_property
    def nearest(self) -> FloatArray:
        """The five releases pulled into [0, n], where the sums lie: beyond it Laplace noise only adds a constant.

        Source: ours, as for `NoisyMoments.clipped`
        """
        return np.clip(self.values, 0.0, self.n)

    @cached_property
    def rates(self) -> FloatArray:
        """One over the scales of the noise: of Laplace noise, or standard deviations."""
        if self.rho is not None:
            return np.full(5, 1.0 / Gaussian(rho=self.rho, sensitivity=SUMS_SENSITIVITY).std)
        return np.array(np.broadcast_to(np.asarray(self.epsilon_each, dtype=np.float64), 5))

    @cached_property
    def std(self) -> FloatArray:
        """Standard deviations of the five noises."""
        return (1.0 if self.rho is not None else math.sqrt(2.0)) / self.rates

    def log_likelihood(self, sums: FloatArray) -> FloatArray:
        """Log density of the releases given sums in [0, n] on the last axis, up to a constant.

        Of Gaussian noise the part that is the same for all sums in [0, n] is left out: it would drown the others where
        a release lies far outside.
        """
        if self.rho is None:
            return np.asarray(-np.abs(sums - self.nearest) @ self.rates)
        moved, beyond = (sums - self.nearest) * self.rates, (self.values - self.nearest) * self.rates
        return np.asarray((moved * (beyond - 0.5 * moved)).sum(axis=-1))


@dataclass(frozen=True)
class ConjugateRegression:
    """Posterior without noise: theta is a t law round `mean` with standard deviations `sd`; sigma^2 inverse gamma.

    It is about exact numbers: without noise there is no promise.

    Examples
    --------
    >>> weak = RegressionPrior(precision=(1e-9, 1e-9), rate=1e-9)
    >>> fit = conjugate_regression(3, [1.5, 1.25, 1.5, 1.25, 1.25], weak)  # the points (0,0), (.5,.5), (1,1)
    >>> [round(value, 6) for value in fit.least_squares]
    [0.0, 1.0]
    """

    mean: tuple[float, float]
    sd: tuple[float, float]
    shape: float
    rate: float
    mean_variance: float
    least_squares: tuple[float, float]


def _update(sums: FloatArray, n: int, prior: RegressionPrior) -> tuple[FloatArray, ...]:
    """Posterior means of both coefficients, entries of the precision matrix, its determinant, and the rate."""
    x, xx, y, xy, yy = (sums[..., k] for k in range(5))
    (m0, m1), (k0, k1) = prior.mean, prior.precision
    a, b, d = n + k0, x, xx + k1
    u, w = y + k0 * m0, xy + k1 * m1
    with np.errstate(divide="ignore", invalid="ignore"):  # sums without any spread leave nothing to divide by
        determinant = a * d - b * b
        first, second = (d * u - b * w) / determinant, (a * w - b * u) / determinant
        rate = prior.rate + 0.5 * (yy + k0 * m0 * m0 + k1 * m1 * m1 - first * u - second * w)
    return first, second, np.broadcast_to(a, first.shape), b, d, determinant, rate


def conjugate_regression(n: int, sums: ArrayLike, prior: RegressionPrior) -> ConjugateRegression:
    """Posterior of the regression when the five sums are known without noise.

    It is about exact numbers: without noise there is no promise.
    Source: thesis, section 4.5

    Parameters
    ----------
    n : int; number of points, at least 3
    sums : array_like; sums of x, x^2, y, xy, y^2
    prior : RegressionPrior; the conjugate prior

    Examples
    --------
    >>> prior = RegressionPrior(mean=(0.0, 0.0), precision=(1e-9, 1e-9), shape=1.0, rate=1e-9)
    >>> fit = conjugate_regression(3, [1.5, 1.25, 1.5, 1.25, 1.25], prior)  # the points (0,0), (.5,.5), (1,1)
    >>> [round(value, 6) for value in fit.mean]
    [0.0, 1.0]
    """
    size = _checks.count("n", n, 3)
    values = _checks.array("sums", sums)
    if values.shape != (5,):
        raise Refused("sums", "be five values", values.tolist(), Code.WRONG_SHAPE)
    x, xx, y, xy, _ = values
    spread = size * xx - x * x
    if spread <= 0:
        raise Refused("sums", "leave x some spread", values.tolist(), Code.EMPTY)
    first, second, a, _, d, determinant, rate = (float(item) for item in _update(values, size, prior))
    if not (rate > 0 and determinant > 0):
        raise Refused("sums", "be those of points", values.tolist(), Code.INFEASIBLE)
    shape = prior.shape + 0.5 * size
    mean_variance = rate / (shape - 1.0)
    slope = (size * xy - x * y) / spread
    return ConjugateRegression(
        (first, second),
        (math.sqrt(mean_variance * d / determinant), math.sqrt(mean_variance * a / determinant)),
        shape,
        rate,
        mean_variance,
        (float((y - slope * x) / size), float(slope)),
    )


def log_sums_density(
    sums: FloatArray, release: NoisySums, prior: RegressionPrior, include_missing_inequality: bool = True
) -> FloatArray:
    """Log posterior density of the five confidential sums, up to a constant; -inf where infeasible.

    It reads a release: the promise stays that of the sums, about the value of one record (n is public).
    Source: ours, theta and sigma^2 integrated out of the normal model; flat in (sum x, sum x^2) on the feasible set
    """
    n = release.n
    spread, _, residual = _fit(sums, n)
    *_, determinant, rate = _update(sums, n, prior)
    inside = _slacks(sums, n, include_missing_inequality).min(axis=-1) >= 0
    inside &= (spread > 0) & (residual > 0) & (rate > 0)
    with np.errstate(all="ignore"):
        value = (
            -0.5 * np.log(spread)
            + 0.5 * (n - 4) * np.log(residual)
            - 0.5 * np.log(determinant)
            - (prior.shape + 0.5 * n) * np.log(rate)
            + release.log_likelihood(sums)
        )
    return np.where(inside, value, -np.inf)


def _to_shape(sums: FloatArray, n: int) -> FloatArray:
    """The sums as (sum x, log spread of x, mean of y, fitted slope, log residual sum of squares), last axis."""
    spread, slope, residual = _fit(sums, n)
    return np.stack([sums[..., 0], np.log(spread), sums[..., 2] / n, slope, np.log(residual)], axis=-1)


def _from_shape(shape: FloatArray, n: int) -> tuple[FloatArray, FloatArray]:
    """The sums of such coordinates, and the log of the Jacobian determinant up to a constant."""
    x, log_spread, mean, slope, log_residual = (shape[..., k] for k in range(5))
    with np.errstate(over="ignore"):
        spread, residual = np.exp(log_spread), np.exp(log_residual)
    sums = np.stack(
        [
            x,
            x * x / n + spread,
            n * mean,
            x * mean + slope * spread,
            n * mean * mean + slope * slope * spread + residual,
        ],
        axis=-1,
    )
    return sums, 2.0 * log_spread + log_residual


def _chord(at: FloatArray, direction: FloatArray, n: int, missing: bool) -> tuple[FloatArray, FloatArray]:
    """Ends of the line through each point within the linear constraints, as multiples of the direction."""
    rows = _LINEAR if missing else _LINEAR[:-1]
    slack = _slacks(at, n, missing)
    change = direction @ rows[:, :5].T
    with np.errstate(divide="ignore", invalid="ignore"):
        limit = -slack / change
    high = np.where(change < 0, limit, np.inf).min(axis=-1)
    low = np.where(change > 0, limit, -np.inf).max(axis=-1)
    return low, high


def _slice(
    generator: np.random.Generator,
    here: FloatArray,
    at: FloatArray,
    direction: FloatArray,
    low: FloatArray,
    high: FloatArray,
    evaluate: Callable[[FloatArray], tuple[FloatArray, FloatArray]],
) -> tuple[FloatArray, int]:
    """Sums of the next point of each chain, a uniform point of its slice, and how often the intervals shrank.

    An interval shrinks towards `at` until its slice is hit. `here` are the sums of the current points `at`: where the
    way to other coordinates and back rounds a point out of what is possible, the chain stays.
    """
    height = evaluate(at)[1]
    level = height - generator.standard_exponential(len(at))
    result = here.copy()
    low, high = low.copy(), high.copy()
    waiting = np.flatnonzero(np.isfinite(height))
    rounds = 0
    while rounds < ROUNDS:
        rounds += 1
        move = low[waiting] + generator.random(len(waiting)) * (high[waiting] - low[waiting])
        sums, value = evaluate(at[waiting] + move[:, None] * direction[waiting])
        accepted = value >= level[waiting]
        result[waiting[accepted]] = sums[accepted]
        waiting, move = waiting[~accepted], move[~accepted]
        if not len(waiting):
            break
        low[waiting] = np.where(move < 0, move, low[waiting])
        high[waiting] = np.where(move >= 0, move, high[waiting])
    return result, rounds


@dataclass(frozen=True, eq=False)
class RegressionPosterior:
    """Draws of the confidential sums and of the regression given five noisy sums; estimates with their worth told.

    It reads a release: the promise stays that of the sums, about the value of one record (n is public).

    Attributes
    ----------
    release, prior
        What it is the posterior of.
    sums
        Draws of the sums, shape (chains, draws, 5).
    intercept, slope, variance
        Draws of the parameters; draws outside the feasible parameters are dropped when asked.
    kept_share
        Share of draws kept by the parameter constraints.
    r_hat
        Largest split R-hat of what was drawn: 1 when the halves of all chains agree.

    Examples
    --------
    >>> release = NoisySums(n=46, x=9.6, xx=3.9, y=18.7, xy=-3.9, yy=3.6, epsilon_each=0.1)
    >>> drawn = regression_posterior(release, RegressionPrior(), chains=12, draws=4, warm_up=1, largest_r_hat=math.inf)
    >>> drawn.sums.shape  # chains, draws, sums
    (12, 4, 5)
    """

    release: NoisySums
    prior: RegressionPrior
    sums: FloatArray
    intercept: FloatArray
    slope: FloatArray
    variance: FloatArray
    kept_share: float
    r_hat: float

    @cached_property
    def effective_draws(self) -> float:
        """Independent draws the chains are worth: the smallest over the five sums, an estimate."""
        return min(effective_sample_size(self.sums[:, :, k]) for k in range(5))

    @cached_property
    def columns(self) -> Mapping[str, FloatArray]:
        """Every quantity by name, as a flat array of draws: the five sums, then theta0, theta1 and s2."""
        flat = self.sums.reshape(-1, 5)
        return {name: flat[:, k] for k, name in enumerate(SUM_NAMES)} | {
            "theta0": self.intercept,
            "theta1": self.slope,
            "s2": self.variance,
        }

    def mean(self) -> dict[str, float]:
        """Posterior mean of every quantity."""
        return {name: float(draws.mean()) for name, draws in self.columns.items()}

    def sd(self) -> dict[str, float]:
        """Posterior standard deviation of every quantity."""
        return {name: float(draws.std()) for name, draws in self.columns.items()}

    def quantile(self, level: float) -> dict[str, float]:
        """Posterior quantile of every quantity."""
        p = _checks.number("level", level, 0.0, 1.0)
        return {name: float(np.quantile(draws, p)) for name, draws in self.columns.items()}


@dataclass(frozen=True)
class _Walk:
    """The moves of the chains: slices of the density of the sums along lines that know the posterior's scales."""

    release: NoisySums
    prior: RegressionPrior
    missing: bool
    generator: np.random.Generator

    def start(self, count: int) -> FloatArray:
        """Feasible sums for each chain: the release with noise of its own scale, drawn in until it is possible."""
        n, release = self.release.n, self.release
        centre = n * np.array([1 / 2, 1 / 3, 1 / 2, 1 / 4, 1 / 3])  # sums of uniform data, well inside the constraints
        draw = self.generator.laplace if release.rho is None else self.generator.normal
        near = release.nearest + draw(0.0, 1.0, (count, 5)) / release.rates
        near = np.clip(near, 0.0, n)
        kept = np.ones(count)  # share of the way from the centre to the noisy sums
        for _ in range(80):
            at = centre + kept[:, None] * (near - centre)
            outside = ~np.isfinite(self._by_sums(at)[1])
            if not outside.any():
                break
            kept[outside] *= self.generator.uniform(0.7, 1.0, int(outside.sum()))
        return np.asarray(np.where(outside[:, None], centre, at))

    def step(self, at: FloatArray, directions: FloatArray, *, whole: bool) -> tuple[FloatArray, float]:
        """The chains after two slices through the sums (on the `whole` chord or near) and two through their shape.

        And how often intervals shrank, a slice.
        """
        n = self.release.n
        shapes = _to_shape(directions, n)
        shrunk = 0
        for of_shape in (True, False, True, False):
            points = shapes if of_shape else directions
            direction = self._direction(points, len(at))
            if of_shape:
                low = -WINDOW * self.generator.random(len(at))
                at, rounds = _slice(self.generator, at, _to_shape(at, n), direction, low, low + WINDOW, self._by_shape)
            else:
                low, high = _chord(at, direction, n, self.missing)
                if not whole:
                    first = -WINDOW * self.generator.random(len(at))
                    low, high = np.maximum(low, first), np.minimum(high, first + WINDOW)
                at, rounds = _slice(self.generator, at, at, direction, low, high, self._by_sums)
            shrunk += rounds
        return at, shrunk / 4

    def _direction(self, points: FloatArray, count: int) -> FloatArray:
        """For each chain a coordinate, as long as the points are wide, or the difference of two of the points."""
        pairs = self.generator.integers(0, len(points), (2, count))
        apart = points[pairs[0]] - points[pairs[1]]
        wide = np.diag(np.maximum(points.std(axis=0), 1e-15 * (1.0 + np.abs(points).max(axis=0))))
        along = (self.generator.random(count) < 0.5) | (np.abs(apart).max(axis=1) == 0)
        return np.where(along[:, None], wide[self.generator.integers(0, 5, count)], apart)

    def _by_sums(self, proposal: FloatArray) -> tuple[FloatArray, FloatArray]:
        return proposal, log_sums_density(proposal, self.release, self.prior, self.missing)

    def _by_shape(self, proposal: FloatArray) -> tuple[FloatArray, FloatArray]:
        sums, jacobian = _from_shape(proposal, self.release.n)
        return sums, self._by_sums(sums)[1] + jacobian


def regression_posterior(
    release: NoisySums,
    prior: RegressionPrior,
    *,
    chains: int = 1000,
    draws: int = 200,
    warm_up: int = 60,
    seed: int | np.random.Generator = 0,
    include_missing_inequality: bool = True,
    parameter_constraints: bool = True,
    largest_r_hat: float = LARGEST_R_HAT,
    progress: Callable[[int, int], bool | None] | None = None,
) -> RegressionPosterior:
    """Posterior of the confidential sums, intercept, slope and variance given five noisy sums; a simulation.

    It reads a release: the promise stays that of the sums, about the value of one record (n is public). The chains
    start round the noisy sums, spread as the noise is. Each step slices the density along four random lines: two
    through the sums (in the warm-up on the whole chord of the feasible set) and two through mean, slope and log
    residuals. Half of the lines follow a coordinate, half the difference of two chains at the end of the warm-up, so
    that every scale of the posterior is among them. A slice shrinks towards the current point, so the chain always
    moves. theta and sigma^2 are exact conjugate draws given the sums.

    An estimate; `effective_draws` says how many independent draws it is worth, `r_hat` how well its chains agree.
    Source: thesis, section 4.15
    Source: ours, the law of (X'y, y'y) given X'X in place of a moment approximation; importance sampling agrees, and
        sums whose noise is small keep the noise's own law

    Parameters
    ----------
    release : NoisySums; the five noisy sums
    prior : RegressionPrior; prior of theta and sigma^2; the prior of (sum x, sum x^2) is flat on the feasible set, a
        choice
    chains, draws, warm_up : int; chains side by side, draws kept from each, draws thrown away first. Draws of chains
        that do not agree are thrown away too, once, and the chains go on.
    seed : int or numpy.random.Generator; source of randomness
    include_missing_inequality : bool; require sum xy >= sum x + sum y - n as well
    parameter_constraints : bool; drop draws of the parameters that bounded data cannot have; exact, because the joint
        law is only restricted
    largest_r_hat : float; largest split R-hat taken for agreement, greater than 1; infinity for chains too short to be
        judged one by one
    progress : callable, optional; called with the steps done and the steps in all, after each step; returning True
        stops early, once there are four draws of each chain, and keeps what there is if the chains agree

    Raises
    ------
    Refused
        ``chains must agree to a split R-hat of at most 1.1; got 3.2 for sum_xx``: the draws would be no posterior.
        ``prior must leave at least 0.01 of its lines possible in the unit square; got 0``; ``sums must be told apart
        from their rounding errors; got slices of them that shrink 81 times``.

    Examples
    --------
    >>> release = NoisySums(n=46, x=9.6, xx=3.9, y=18.7, xy=-3.9, yy=3.6, epsilon_each=0.1)
    >>> result = regression_posterior(release, RegressionPrior(), chains=50, draws=100)
    >>> bool(feasible_sums(46, result.sums).all()), result.r_hat < 1.1
    (True, True)
    """
    generator = _checks.seeded(seed)
    count, kept = _checks.count("chains", chains, 12), _checks.count("draws", draws, LEAST_DRAWS)
    thrown = _checks.count("warm_up", warm_up, 0)
    limit = _checks.number("largest_r_hat", largest_r_hat, 1.0, open_low=True, allow_infinite=True)
    walk = _Walk(release, prior, include_missing_inequality, generator)
    at = directions = walk.start(count)
    shrunk, stopped = 0.0, False
    output = np.empty((count, kept, 5))
    for attempt in range(1, ATTEMPTS + 1):
        for step in range(-thrown if attempt == 1 else 0, kept):
            if step <= 0:  # fixed once draws are kept: a chain that still learns from its past is not a Markov chain
                directions = at
            at, rounds = walk.step(at, directions, whole=step < 0)
            shrunk = rounds + (shrunk if step > 0 else 0.0)
            if step == TRIED and shrunk > LOST * TRIED:
                raise Refused(
                    "sums",
                    "be told apart from their rounding errors",
                    shrunk / TRIED,
                    Code.INFEASIBLE,
                    got=f"slices of them that shrink {shrunk / TRIED:.0f} times",
                )
            if step >= 0:
                output[:, step] = at
            done = thrown + (attempt - 1) * kept + step + 1
            if progress is not None and progress(done, thrown + attempt * kept) and step >= LEAST_DRAWS - 1:
                output, stopped = output[:, : step + 1], True
                break
        r_hats = _r_hats(output, release.n)
        worst = max(r_hats, key=lambda name: r_hats[name])
        if r_hats[worst] <= limit:
            break
        if stopped or attempt == ATTEMPTS or r_hats[worst] > HOPELESS:
            raise Refused(
                "chains",
                f"agree to a split R-hat of at most {limit:g}",
                (r_hats[worst], worst),
                Code.INFEASIBLE,
                got=f"{r_hats[worst]:.3g} for {worst}",
            )
    intercept, slope, variance = _draw_parameters(output.reshape(-1, 5), release, prior, generator)
    keep = feasible_parameters(intercept, slope, variance) if parameter_constraints else np.ones(len(slope), dtype=bool)
    if keep.mean() < LEAST_KEPT:
        raise Refused(
            "prior",
            f"leave at least {LEAST_KEPT:g} of its lines possible in the unit square",
            keep.mean(),
            Code.INFEASIBLE,
            got=f"{keep.mean():.2g}",
        )
    return RegressionPosterior(
        release, prior, output, intercept[keep], slope[keep], variance[keep], float(keep.mean()), r_hats[worst]
    )


def _r_hats(draws: FloatArray, n: int) -> dict[str, float]:
    """Split R-hat of the five sums and of what the line hangs on: log spread of x, slope and log residual."""
    names = (*SUM_NAMES, "log_spread", "slope", "log_residual")
    series = np.concatenate([draws, _to_shape(draws, n)[..., [1, 3, 4]]], axis=-1)
    return {
        name: split_r_hat(series[..., k]) if np.isfinite(series[..., k]).all() else math.inf
        for k, name in enumerate(names)
    }


def _draw_parameters(
    sums: FloatArray, release: NoisySums, prior: RegressionPrior, generator: np.random.Generator
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Exact conjugate draws of intercept, slope and sigma^2 given the sums."""
    first, second, a, b, _, determinant, rate = _update(sums, release.n, prior)
    variance = rate / generator.gamma(prior.shape + 0.5 * release.n, 1.0, rate.shape)
    # covariance of (intercept, slope): variance * [[d, -b], [-b, a]] / determinant
    sd = np.sqrt(variance)
    z0, z1 = generator.standard_normal((2, len(rate)))
    slope_part = np.sqrt(a / determinant) * z0
    intercept_part = -b / a * slope_part + z1 / np.sqrt(a)
    return first + sd * intercept_part, second + sd * slope_part, variance


@dataclass(frozen=True)
class ImportanceEstimate:
    """Means and standard deviations of the five sums by importance sampling, and the draws it is worth.

    It reads a release: the promise stays that of the sums, about the value of one record (n is public).

    Examples
    --------
    >>> release = NoisySums(n=46, x=9.6, xx=3.9, y=18.7, xy=-3.9, yy=3.6, epsilon_each=0.1)
    >>> found = regression_by_importance(release, RegressionPrior(), draws=5_000)
    >>> len(found.mean), found.effective_draws < 5_000
    (5, True)
    """

    mean: dict[str, float]
    sd: dict[str, float]
    effective_draws: float


def regression_by_importance(
    release: NoisySums,
    prior: RegressionPrior,
    *,
    draws: int = 400_000,
    seed: int | np.random.Generator = 0,
    include_missing_inequality: bool = True,
) -> ImportanceEstimate:
    """Posterior of the five sums by weighting draws of the noise law cut to [0, n]: an independent check.

    It reads a release: the promise stays that of the sums, about the value of one record (n is public).
    Source: ours, importance sampling with the law of the noise cut to [0, n]

    Parameters
    ----------
    release, prior, include_missing_inequality
        As for `regression_posterior`.
    draws : int; proposals; the effective number is a small share of them and is told
    seed : int or numpy.random.Generator; source of randomness

    Examples
    --------
    >>> release = NoisySums(n=46, x=9.6, xx=3.9, y=18.7, xy=-3.9, yy=3.6, epsilon_each=0.1)
    >>> regression_by_importance(release, RegressionPrior(), draws=20_000).effective_draws > 1
    True
    """
    generator = _checks.seeded(seed)
    count = _checks.count("draws", draws, 100)
    sums, noise = (_draw_normal if release.rho is not None else _draw_laplace)(release, count, generator)
    weight = log_sums_density(sums, release, prior, include_missing_inequality) - noise
    if not math.isfinite(weight.max()):
        raise Refused("draws", "hit sums that are possible", count, Code.INFEASIBLE)
    weight = np.exp(weight - weight.max())
    weight /= weight.sum()
    mean = weight @ sums
    sd = np.sqrt(weight @ (sums - mean) ** 2)
    return ImportanceEstimate(
        dict(zip(SUM_NAMES, mean.tolist(), strict=True)),
        dict(zip(SUM_NAMES, sd.tolist(), strict=True)),
        float(1.0 / (weight**2).sum()),
    )


def _draw_laplace(release: NoisySums, count: int, generator: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """Draws of Laplace laws round the releases, cut to [0, n], and their log density up to a constant."""
    sums, n = np.empty((count, 5)), release.n
    for k, (centre, rate) in enumerate(zip(release.values, release.rates, strict=True)):
        inside = min(max(float(centre), 0.0), float(n))
        low, high = -math.expm1(-rate * inside), -math.expm1(-rate * (n - inside))
        left = generator.random(count) * (low + high) < low
        uniform = generator.random(count)
        sums[:, k] = np.where(left, inside + np.log1p(-uniform * low) / rate, inside - np.log1p(-uniform * high) / rate)
    return sums, -np.abs(sums - release.values) @ release.rates


def _draw_normal(release: NoisySums, count: int, generator: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """The same of normal laws; their tails are drawn on their own side, where probabilities are small."""
    ends = (np.array([[0.0], [release.n]]) - release.values) * release.rates
    side = np.where(ends[0] > 0, -1.0, 1.0)
    low, high = np.sort(ndtr(side * ends), axis=0)
    drawn = side * ndtri(low + generator.random((count, 5)) * (high - low))
    sums = np.clip(release.values + drawn / release.rates, 0.0, release.n)
    return sums, -0.5 * (((sums - release.values) * release.rates) ** 2).sum(axis=1)


@dataclass(frozen=True, eq=False)
class CirrhosisData:
    """Drinking and cirrhosis in 46 US states, both rescaled to [0, 1] by their own range.

    It is about exact numbers: without noise there is no promise.

    Attributes
    ----------
    x
        Wine and hard liquor consumption per head, added and rescaled.
    y
        Cirrhosis death rate, rescaled.

    Examples
    --------
    >>> data = CirrhosisData(x=np.array([0.0, 0.5, 1.0]), y=np.array([0.0, 0.5, 1.0]))
    >>> data.n, data.sums.tolist()
    (3, [1.5, 1.25, 1.5, 1.25, 1.25])
    """

    x: FloatArray
    y: FloatArray

    def __post_init__(self) -> None:
        for name in ("x", "y"):
            object.__setattr__(self, name, _checks.array(name, getattr(self, name), 0.0, 1.0))
        if self.x.ndim != 1 or self.x.shape != self.y.shape:
            raise Refused("x and y", "be two lists of one length", (self.x.shape, self.y.shape), Code.WRONG_SHAPE)

    @property
    def n(self) -> int:
        """Number of states."""
        return len(self.x)

    @property
    def sums(self) -> FloatArray:
        """The five confidential sums in the order of `SUM_NAMES`."""
        x, y = self.x, self.y
        return np.array([x.sum(), (x * x).sum(), y.sum(), (x * y).sum(), (y * y).sum()])


def cirrhosis_data() -> CirrhosisData:
    """The data of the thesis's regression example, read from the table that comes with the package.

    It is about exact numbers: without noise there is no promise.
    Source: brownlee, pages 464-465; thesis, Example 5

    Examples
    --------
    >>> cirrhosis_data().n
    46
    """
    text = resources.files("dpcore").joinpath("data/cirrhosis_drinking_1965.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))
    x = np.array([float(row["wine"]) + float(row["liquor"]) for row in rows])
    y = np.array([float(row["cirrhosis_death_rate"]) for row in rows])
    return CirrhosisData((x - x.min()) / np.ptp(x), (y - y.min()) / np.ptp(y))


def draw_noisy_sums(
    data: CirrhosisData,
    epsilon_each: float | None = None,
    *,
    rho: float | None = None,
    seed: int | np.random.Generator,
) -> NoisySums:
    """A simulated release of the five sums, for studying what an analyst would see; not for release.

    A simulation, not for release, makes no promise: who knows the seed can take the noise off.
    Source: thesis, section 4.5 (Laplace noise on each sum)
    Source: ours, Gaussian noise on all five, as `NoisySums` says

    Parameters
    ----------
    data : CirrhosisData; the points
    epsilon_each : float, optional; of each sum, greater than 0
    rho : float, optional; of all five together, greater than 0; this or `epsilon_each`
    seed : int or numpy.random.Generator; source of randomness

    Examples
    --------
    >>> draw_noisy_sums(cirrhosis_data(), 0.1, seed=1).n
    46
    >>> round(float(draw_noisy_sums(cirrhosis_data(), rho=0.05, seed=1).std[0]), 3)
    7.071
    """
    budget: dict[str, Any] = {"epsilon_each": epsilon_each, "rho": rho}
    rates, generator = NoisySums(data.n, *data.sums.tolist(), **budget).rates, _checks.seeded(seed)
    draw = generator.laplace if rho is None else generator.normal
    return NoisySums(data.n, *(data.sums + draw(0.0, 1.0 / rates, 5)).tolist(), **budget)
