"""A one-dimensional posterior as panels of polynomials: density, cdf, quantiles, shortest interval, mode, draws."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import overload

import numpy as np
from numpy.polynomial import legendre
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq
from scipy.special import expit

from dpcore import _checks
from dpcore._cache import cached_by_size
from dpcore._checks import FloatArray, Number
from dpcore._properties import cached_property


@dataclass(frozen=True)
class Coordinate:
    """A monotone map from the coordinate in which a marginal is smooth to the parameter on the unit scale.

    It reads a release: the promise stays that of the numbers, about the value of one record.
    """

    value: Callable[[FloatArray], FloatArray]
    position: Callable[[FloatArray], FloatArray]
    slope: Callable[[FloatArray], FloatArray]
    low: float
    high: float


def _same(x: FloatArray) -> FloatArray:
    return x


def _folded_position(v: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):
        root = np.sqrt(np.maximum(0.25 - v, 0.0))
        return np.asarray(np.log(v) - 2.0 * np.log(0.5 + root))


def _log(v: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(v))


UNIT = Coordinate(_same, _same, np.ones_like, 0.0, 1.0)
"""The parameter itself, on [0, 1]."""

FOLDED = Coordinate(
    lambda x: expit(x) * expit(-x),
    _folded_position,
    lambda x: expit(x) * expit(-x) * -np.tanh(0.5 * x),
    -math.inf,
    0.0,
)
"""v = m(1-m) with m = expit(x), x <= 0: the variance whose smallest feasible mean is m; smooth at both ends."""

LOG = Coordinate(np.exp, _log, np.exp, -math.inf, math.inf)
"""v = e^x."""


def stretched(centre: float, scale: float) -> Coordinate:
    """value = centre + scale sinh(x): fine near the centre, logarithmic in the tails.

    It reads a release: the promise stays that of the numbers, about the value of one record.
    """
    return Coordinate(
        lambda x: centre + scale * np.sinh(x),
        lambda value: np.arcsinh((value - centre) / scale),
        lambda x: scale * np.cosh(x),
        -math.inf,
        math.inf,
    )


_ORDER = 9
NODES, WEIGHTS = legendre.leggauss(_ORDER)
_TO_COEFFICIENTS = np.linalg.inv(legendre.legvander(NODES, _ORDER - 1))


def panel_nodes(edges: FloatArray) -> FloatArray:
    """Gauss-Legendre nodes of each panel, shape (panels, order).

    It reads a release: the promise stays that of the numbers, about the value of one record.
    """
    half = 0.5 * np.diff(edges)[:, None]
    return np.asarray(edges[:-1, None] + half * (1.0 + NODES))


def equal_share_edges(
    grid: FloatArray, density: FloatArray, panels: int, fixed: ArrayLike = (), tail: float = 1.0
) -> FloatArray:
    """Panel edges that share out the cube root of a density (plus a floor) equally; `fixed` points become edges.

    The floor, which a long and light tail is seen by, takes at most a share `tail` of the panels.
    It reads a release: the promise stays that of the numbers, about the value of one record.
    """
    monitor = np.cbrt(np.maximum(density, 0.0))
    monitor = monitor / max(float(monitor.max()), 1e-300)
    seen, long = float((0.5 * (monitor[1:] + monitor[:-1]) * np.diff(grid)).sum()), float(grid[-1] - grid[0])
    monitor = monitor + (0.06 if tail == 1.0 else min(0.06, tail / (1.0 - tail) * seen / long))
    steps = 0.5 * (monitor[1:] + monitor[:-1]) * np.diff(grid)
    total = np.concatenate([[0.0], np.cumsum(steps)])
    edges = np.interp(np.linspace(0.0, total[-1], panels + 1), total, grid)
    inner = [float(point) for point in np.atleast_1d(fixed) if edges[0] < point < edges[-1]]
    for point in inner:
        nearest = int(np.argmin(np.abs(edges - point)))
        if 0 < nearest < len(edges) - 1 and abs(edges[nearest] - point) < 0.4 * np.diff(edges).min():
            edges[nearest] = point
        else:
            edges = np.sort(np.append(edges, point))
    return edges[np.concatenate([[True], np.diff(edges) > 1e-14 * (abs(edges[0]) + abs(edges[-1]))])]


@cached_by_size()
def _leg_to_powers(order: int) -> FloatArray:
    """Matrix from Legendre coefficients to powers."""
    matrix = np.zeros((order, order))
    for k in range(order):
        matrix[: k + 1, k] = legendre.leg2poly(np.eye(order)[k, : k + 1])
    return matrix


def _in_powers(coefficients: FloatArray) -> FloatArray:
    """Legendre series of the panels as polynomials in powers of the position; shape (order, panels)."""
    return np.asarray(_leg_to_powers(coefficients.shape[1]) @ coefficients.T)


def _polynomial(powers: FloatArray, index: NDArray[np.intp], t: FloatArray) -> FloatArray:
    """Polynomial of each value's panel at its position, by Horner's rule."""
    own = powers[:, index]
    value = own[-1]
    for term in own[-2::-1]:
        value = value * t + term
    return np.asarray(value)


@dataclass(frozen=True, eq=False)
class Marginal:
    """Posterior of one parameter: everything a page or a test asks of it, on arrays.

    It reads a release: the promise stays that of the numbers, about the value of one record. The density is a
    polynomial of degree 8 on each panel, from exact values at Gauss points; cdf and quantiles integrate and invert that
    polynomial. Values are in the units of the release.

    Attributes
    ----------
    name
        What the parameter is.
    mean, sd
        Posterior mean and standard deviation; None where they do not exist (see `warnings`).
    lower, upper
        Ends between which all but a share of about 1e-10 lies.
    warnings
        Sentences on moments that do not exist.

    Examples
    --------
    >>> from dpcore.inference import FlatPrior, NoisyMoments, posterior
    >>> release = NoisyMoments(n=50, mean=0.5, variance=0.04, epsilon_mean=3, epsilon_variance=3)
    >>> mean = posterior(release, FlatPrior()).mean
    >>> round(mean.cdf(0.5), 6), round(mean.quantile(0.5), 6)
    (0.5, 0.5)
    """

    name: str
    coordinate: Coordinate
    edges: FloatArray = field(repr=False)
    heights: FloatArray = field(repr=False)
    """Density in the coordinate at the nodes, shape (panels, order); normalised on construction."""
    shift: float = 0.0
    scale: float = 1.0
    mean: float | None = None
    sd: float | None = None
    floor: float = -math.inf
    ceiling: float = math.inf
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        total = float((0.5 * np.diff(self.edges)[:, None] * self.heights * WEIGHTS).sum())
        object.__setattr__(self, "heights", self.heights / total)

    @cached_property
    def _coefficients(self) -> FloatArray:
        return np.asarray(self.heights @ _TO_COEFFICIENTS.T)

    @cached_property
    def _antiderivative(self) -> FloatArray:
        half = 0.5 * np.diff(self.edges)[:, None]
        return np.asarray(legendre.legint(self._coefficients, lbnd=-1, axis=1) * half)

    @cached_property
    def _cumulative(self) -> FloatArray:
        mass = self._antiderivative.sum(axis=1)  # every Legendre polynomial is 1 at the right end
        total = np.concatenate([[0.0], np.cumsum(mass)])
        return np.asarray(total / total[-1])

    @cached_property
    def _scaling(self) -> tuple[FloatArray, FloatArray]:
        """Middle and half the length of each panel."""
        return 0.5 * (self.edges[1:] + self.edges[:-1]), 0.5 * np.diff(self.edges)

    def _panel(self, x: FloatArray) -> tuple[NDArray[np.intp], FloatArray]:
        index = np.searchsorted(self.edges[1:-1], x, side="right")
        middle, half = self._scaling
        return index, np.minimum(np.maximum((x - middle[index]) / half[index], -1.0), 1.0)

    @cached_property
    def _powers(self) -> FloatArray:
        """Polynomial of the height on each panel in powers of the position within it; shape (order, panels)."""
        return _in_powers(self._coefficients)

    @cached_property
    def _cdf_powers(self) -> FloatArray:
        """Polynomial of the cdf on each panel, as `_powers`."""
        powers = _in_powers(self._antiderivative)
        powers[0] += self._cumulative[:-1]
        return powers

    @cached_property
    def _log_panels(self) -> tuple[NDArray[np.bool_], FloatArray]:
        """Panels whose height is read from a polynomial of its logarithm, and that polynomial.

        In a logarithmic coordinate the density divides by a tiny slope, so relative accuracy counts; next to an end
        where the height itself vanishes the plain polynomial is the better one.
        """
        smooth = math.isinf(self.coordinate.low) & (self.edges[1:] < self.coordinate.high - 0.5)
        smooth = smooth & (self.heights > 0).all(axis=1)
        with np.errstate(divide="ignore"):
            logs = np.where(smooth[:, None], np.log(np.where(smooth[:, None], self.heights, 1.0)), 0.0)
        return smooth, _in_powers(logs @ _TO_COEFFICIENTS.T)

    def _height_at(self, x: FloatArray) -> FloatArray:
        index, t = self._panel(x)
        value = np.maximum(_polynomial(self._powers, index, t), 0.0)
        smooth, logs = self._log_panels
        if smooth.any():
            value = np.where(smooth[index], np.exp(_polynomial(logs, index, t)), value)
        return np.where((x < self.edges[0]) | (x > self.edges[-1]), 0.0, value)

    def _cdf_at(self, x: FloatArray) -> FloatArray:
        index, t = self._panel(x)
        return np.minimum(np.maximum(_polynomial(self._cdf_powers, index, t), 0.0), 1.0)

    def _position(self, value: FloatArray) -> FloatArray:
        unit = (value - self.shift) / self.scale
        low, high = self.coordinate.value(self.edges[:1])[0], self.coordinate.value(self.edges[-1:])[0]
        position = self.coordinate.position(np.clip(unit, low, high))
        return np.where(unit < low, self.edges[0] - 1.0, np.where(unit > high, self.edges[-1] + 1.0, position))

    def _value(self, x: FloatArray) -> FloatArray:
        return np.asarray(self.shift + self.scale * self.coordinate.value(x))

    @property
    def lower(self) -> float:
        """Value below which a share of about 1e-10 lies."""
        return float(self._value(self.edges[:1])[0])

    @property
    def upper(self) -> float:
        """Value above which a share of about 1e-10 lies."""
        return float(self._value(self.edges[-1:])[0])

    @overload
    def density(self, value: Number) -> float: ...
    @overload
    def density(self, value: ArrayLike) -> FloatArray: ...
    def density(self, value: ArrayLike) -> FloatArray | float:
        """Posterior density at the values (per unit of the release); zero outside the support.

        Exact up to the quadrature, about 1e-6 of the largest density.
        """
        at = _checks.array("value", value)
        x = self._position(at.ravel())
        inside = (x >= self.edges[0]) & (x <= self.edges[-1])
        result = np.where(inside, self._density_at(np.clip(x, self.edges[0], self.edges[-1])) / self.scale, 0.0)
        return _checks.scalar_or_array(result.reshape(at.shape), value)

    @overload
    def cdf(self, value: Number) -> float: ...
    @overload
    def cdf(self, value: ArrayLike) -> FloatArray: ...
    def cdf(self, value: ArrayLike) -> FloatArray | float:
        """Posterior probability of a parameter of at most the values."""
        at = _checks.array("value", value, allow_infinite=True)
        x = self._position(at.ravel())
        result = np.where(x < self.edges[0], 0.0, np.where(x > self.edges[-1], 1.0, self._cdf_at(x)))
        return _checks.scalar_or_array(result.reshape(at.shape), value)

    @cached_property
    def _lookup(self) -> tuple[FloatArray, FloatArray]:
        """Twelve positions per panel and their cdf: where an inversion starts."""
        steps = np.linspace(0.0, 1.0, 13)[:-1]
        fine = (self.edges[:-1, None] + np.diff(self.edges)[:, None] * steps).ravel()
        positions = np.append(fine, self.edges[-1])
        return positions, np.maximum.accumulate(self._cdf_at(positions))

    def _quantile_position(self, p: FloatArray) -> FloatArray:
        positions, levels = self._lookup
        index = np.clip(np.searchsorted(levels, p, side="right") - 1, 0, len(positions) - 2)
        low, high = positions[index], positions[index + 1]
        rise = levels[index + 1] - levels[index]
        x = low + (high - low) * np.clip((p - levels[index]) / np.where(rise > 0, rise, 1.0), 0.0, 1.0)
        for _ in range(25):  # Newton, and by halves where it leaves what encloses the root
            over = self._cdf_at(x) - p
            low, high = np.where(over < 0, x, low), np.where(over > 0, x, high)
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                newton = x - over / self._height_at(x)
            inside = (newton >= low) & (newton <= high)
            settled = np.abs(over) <= 1e-14  # of a probability
            following = np.where(settled, x, np.where(inside, newton, 0.5 * (low + high)))
            if np.all(np.abs(following - x) <= 1e-12 * (1.0 + np.abs(x))):
                return np.asarray(following)
            x = following
        return np.asarray(x)

    @overload
    def quantile(self, level: Number) -> float: ...
    @overload
    def quantile(self, level: ArrayLike) -> FloatArray: ...
    def quantile(self, level: ArrayLike) -> FloatArray | float:
        """Value with the given posterior probability below it."""
        p = _checks.probability("level", level)
        return _checks.scalar_or_array(self._value(self._quantile_position(p.ravel())).reshape(p.shape), level)

    def _density_at(self, x: FloatArray) -> FloatArray:
        """Density of the unit-scale parameter at positions of the coordinate."""
        slope = np.abs(self.coordinate.slope(x))
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(slope > 0, self._height_at(x) / slope, 0.0)

    def shortest_interval(self, level: float = 0.95) -> tuple[float, float]:
        """Ends of the shortest interval that holds the level: the highest-density interval of a one-peaked posterior.

        Found from the cdf, not from draws, so it is not biased short. Of a posterior with two peaks it is the
        shortest single interval. A variance's interval starts at its floor where the density falls from there.
        Source: ours, root of equal densities at both ends, bracketed by a scan of interval lengths

        Parameters
        ----------
        level : float; probability inside, in (0, 1)
        """
        share = _checks.number("level", level, 0.0, 1.0, open_low=True, open_high=True)
        start = np.concatenate([np.geomspace(1e-9, 1.0, 24)[:-1], np.linspace(0.0, 1.0, 61)[1:-1]])
        start = np.sort(np.concatenate([[0.0], start, 1.0 - start[start < 0.2]])) * (1.0 - share)
        left = self._quantile_position(start)
        right = self._quantile_position(np.minimum(start + share, 1.0))
        falls = self._density_at(left) - self._density_at(right)

        def partner(x: float) -> FloatArray:
            """Both ends of the interval that starts at a position."""
            level_here = float(self._cdf_at(np.array([x]))[0])
            return np.array([x, self._quantile_position(np.array([min(level_here + share, 1.0)]))[0]])

        def fall(x: float) -> float:
            low, high = self._density_at(partner(x))
            return float(low - high)

        # where the densities at both ends cross from below, the length has a minimum
        crossings = np.flatnonzero((falls[:-1] < 0) & (falls[1:] >= 0))
        span = self.coordinate.value(right) - self.coordinate.value(left)
        candidates = []
        for k in crossings[span[crossings] < 1.05 * span.min()]:
            at = fall(left[k]), fall(left[k + 1])
            if at[0] * at[1] < 0:
                candidates.append(brentq(fall, left[k], left[k + 1], xtol=1e-12, rtol=1e-12))
            else:  # equal densities at a point of the grid itself
                candidates.append(float(left[k] if abs(at[0]) < abs(at[1]) else left[k + 1]))
        intervals = [tuple(self._value(partner(x))) for x in candidates]
        first = self.floor if math.isfinite(self.floor) else float(self._value(left[:1])[0])
        last = self.ceiling if math.isfinite(self.ceiling) else float(self._value(right[-1:])[0])
        intervals.append((first, float(self._value(right[:1])[0])))
        intervals.append((float(self._value(left[-1:])[0]), last))
        lengths = np.array([high - low for low, high in intervals])
        # an end of the grid must be clearly shorter to win over a crossing: the tail beyond it is not computed
        lengths[len(candidates) :] *= 1.0 + 1e-9 if not candidates else 1.0 + 1e-4
        low, high = intervals[int(np.argmin(lengths))]
        return float(low), float(high)

    @cached_property
    def mode(self) -> float:
        """Value of the highest posterior density (at the floor where the density only falls)."""
        x = np.linspace(self.edges[0], self.edges[-1], 40 * (len(self.edges) - 1) + 1)
        nodes = np.sort(np.concatenate([x, panel_nodes(self.edges).ravel()]))
        heights = self._density_at(nodes)
        best = int(np.argmax(heights))
        # a density that only falls from its lowest computed positions has its mode at the floor
        flat = math.isinf(self.coordinate.low) and heights[best] <= heights[0] * (1.0 + 1e-5)
        if math.isfinite(self.floor) and (best == 0 or flat):
            return self.floor
        low, high = nodes[max(best - 1, 0)], nodes[min(best + 1, len(nodes) - 1)]
        for _ in range(60):  # golden section
            first, second = low + 0.381966 * (high - low), low + 0.618034 * (high - low)
            at_first, at_second = self._density_at(np.array([first, second]))
            if at_first > at_second:
                high = second
            else:
                low = first
        return float(self._value(np.array([0.5 * (low + high)]))[0])

    def draw(self, size: int, *, seed: int | np.random.Generator) -> FloatArray:
        """Independent draws by inverting the cdf; a simulation, not for release."""
        generator = _checks.seeded(seed)
        return np.asarray(self.quantile(generator.random(_checks.count("size", size, 1))))
