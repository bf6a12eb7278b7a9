"""Both marginals of the posterior of bounded data on the unit scale, by section-wise quadrature."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpcore._checks import FloatArray
from dpcore.errors import Code, Refused
from dpcore.inference.marginals import (
    FOLDED,
    LOG,
    UNIT,
    WEIGHTS,
    Marginal,
    equal_share_edges,
    panel_nodes,
    stretched,
)
from dpcore.inference.models import ConjugatePrior, FlatPrior, PowerPrior, Prior, existing_moments
from dpcore.inference.quadrature import Model, expit_mean, gauss_rule, log_sum_rows

_VARIANCE_PANELS = 6
_COARSE = 3e-5  # so far apart two ways to the evidence may be before there are four times the panels
_LOST = 1e-3  # of the law of sigma^2 may lie below e^-60
_WRONG = 1e-2  # and before there is no answer
_UNBOUNDED_PANELS = 14
_LONG = 12.0  # a window of log sigma^2 with a tail towards 0, which takes three times the panels
_HALVINGS = 12  # of the steps of a scan next to a peak
_MEAN_PANELS = 8


def _scan(
    log_height: Callable[[FloatArray], FloatArray],
    low: float,
    high: float,
    drop: float,
    points: int = 28,
    near: FloatArray | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Grid and heights over the window where a log height is within `drop` of its peak, narrowed until it fills it.

    Points `near` a peak too narrow to be met by chance are looked at as well.
    """
    for _ in range(9):
        grid = np.linspace(low, high, points)
        if near is not None:
            grid = np.union1d(grid, near[(near > low) & (near < high)])
        height = log_height(grid)
        top = float(height.max())
        if not math.isfinite(top) or top - 1.0 == top:
            raise _contradicting(top)
        inside = np.flatnonzero(height > top - drop)
        first, last = max(int(inside[0]) - 1, 0), min(int(inside[-1]) + 1, len(grid) - 1)
        if grid[last] - grid[first] > 0.6 * (high - low):
            break
        low, high = float(grid[first]), float(grid[last])
    return grid[first : last + 1], height[first : last + 1]


def _refuse_lost(prior: Prior, density: float) -> None:
    """Refuse a power prior by the density of log sigma^2 at its low end: its law falls by e^(power - 1) from there."""
    if not isinstance(prior, ConjugatePrior) and density > _LOST * (1.0 - prior.power):
        rule = "be farther below 1, as too much of the posterior would lie next to a variance of 0"
        raise Refused("power", rule, prior.power, Code.UNSUPPORTED)


def _contradicting(log_height: float) -> Refused:
    """That no digits are left of what is possible."""
    rule = "leave the release and the bounds possible; it contradicts them beyond any digit"
    return Refused("prior", rule, log_height, Code.INFEASIBLE, got="")


@dataclass(frozen=True, eq=False)
class BoundedMarginals:
    """What a quadrature leaves behind, on the unit scale."""

    mean: Marginal
    variance: Marginal
    log_evidence: float
    error: float
    pairs: tuple[FloatArray, FloatArray, FloatArray] | None
    nodes: tuple[FloatArray, FloatArray]


def _moments(value: FloatArray, mass: FloatArray) -> tuple[float, float]:
    """Mean and standard deviation of weighted values (weights summing to one)."""
    mean = float((mass * value).sum())
    return mean, math.sqrt(max(float((mass * (value - mean) ** 2).sum()), 0.0))


def _variance_marginal(
    log_height: Callable[[FloatArray], FloatArray], low: float, high: float, drop: float, near: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, float]:
    """Panel edges, nodes, heights relative to the peak, and the log of the peak, of the law of sigma^2."""
    grid, height = _scan(log_height, low, high, drop, near=near)
    for _ in range(_HALVINGS):  # until next to the peak no step is steep
        steep = (np.abs(np.diff(height)) > 1.0) & (np.maximum(height[1:], height[:-1]) > height.max() - 12.0)
        if not steep.any():
            break
        middle = 0.5 * (grid[1:] + grid[:-1])[steep]
        grid, height = np.append(grid, middle), np.append(height, log_height(middle))
        order = np.argsort(grid)
        grid, height = grid[order], height[order]
    panels, tail = (3 * _UNBOUNDED_PANELS, 0.5) if grid[-1] - grid[0] > _LONG else (_UNBOUNDED_PANELS, 1.0)
    edges = equal_share_edges(grid, np.exp(height - height.max()), panels, tail=tail)
    nodes = panel_nodes(edges)
    values = log_height(nodes.ravel())
    top = float(values.max())
    return edges, nodes, np.exp(values - top).reshape(nodes.shape), top


def constrained_marginals(model: Model, cap: float, panels: int = _VARIANCE_PANELS) -> BoundedMarginals:
    """Both marginals of the constrained posterior; with four times the panels where so many are too few."""

    def log_height(x: FloatArray, order: int = 6) -> FloatArray:
        v = FOLDED.value(x)
        rows, _, log_mass = model.variance_nodes(v, order)
        return log_sum_rows(log_mass, rows, len(v)) + np.log(FOLDED.slope(x))

    end = -1e-4 if cap >= 0.25 else float(FOLDED.position(np.array([cap]))[0])
    grid, coarse = _scan(lambda x: log_height(x, 4), -60.0, end, 26.0, 22)
    if grid[-1] >= -1e-4 - 1e-12:
        grid[-1] = 0.0 if cap >= 0.25 else end
    long = isinstance(model.prior, PowerPrior) and grid[-1] - grid[0] > _LONG
    if long and panels == _VARIANCE_PANELS:
        panels = 4 * panels
    edges = equal_share_edges(grid, np.exp(coarse - coarse.max()), panels, tail=0.5 if long else 1.0)
    x = panel_nodes(edges)
    v = FOLDED.value(x.ravel())
    rows, y, log_mass = model.variance_nodes(v, 8)
    log_mass = log_mass + np.log(FOLDED.slope(x.ravel()))[rows]
    heights = log_sum_rows(log_mass, rows, len(v))
    top = float(heights.max())
    relative = np.exp(heights - top).reshape(x.shape)
    cell = (0.5 * np.diff(edges)[:, None] * WEIGHTS * relative).ravel()
    total = float(cell.sum())
    _refuse_lost(model.prior, float(relative[0, 0]) / total)
    log_evidence = top + math.log(total)
    share = cell / total
    variance_mean, variance_sd = _moments(v, share)
    variance = Marginal("variance", FOLDED, edges, relative, mean=variance_mean, sd=variance_sd, floor=0.0)

    # window and panels for mu, from the cloud of (sample mean, sigma^2) nodes
    mass = np.exp(log_mass - top) * (0.5 * np.diff(edges)[:, None] * np.broadcast_to(WEIGHTS, x.shape)).ravel()[rows]
    mass /= mass.sum()
    keep = mass > 1e-9 * mass.max()
    centre, sd = model.mean_given(v[rows[keep]], y[keep])
    m = expit_mean(v[rows[keep]])
    steps = np.array([-6.5, -3.0, -1.5, -0.5, 0.5, 1.5, 3.0, 6.5])
    chance = np.exp(-0.5 * steps**2)
    cloud = np.clip(centre[:, None] + sd[:, None] * steps, m[:, None], 1.0 - m[:, None])
    low, high = max(float(cloud.min()) - 1e-9, 0.0), min(float(cloud.max()) + 1e-9, 1.0)
    bins = np.linspace(low, high, 97)
    histogram, _ = np.histogram(cloud.ravel(), bins, weights=(mass[keep][:, None] * chance).ravel())
    middle = 0.5 * (bins[1:] + bins[:-1])
    middle[0], middle[-1] = low, high
    smooth = np.convolve(np.pad(histogram, 1, mode="edge"), [0.25, 0.5, 0.25], mode="valid")
    fixed = [model.mean.value]
    if isinstance(model.prior, ConjugatePrior):
        fixed.append(model.prior.mean)
    mean_edges = equal_share_edges(middle, smooth, _MEAN_PANELS, fixed)
    mu_nodes = panel_nodes(mean_edges)
    mu = mu_nodes.ravel()

    # every mu has its own nodes in sigma^2: whole panels below the cut, and the cut panel up to the cut
    nodes, weights = gauss_rule(8)
    cut = np.minimum(FOLDED.position(mu * (1.0 - mu)), edges[-1])
    left = np.broadcast_to(edges[:-1], (len(mu), len(edges) - 1))
    right = np.minimum(edges[1:], cut[:, None])
    row, column = np.nonzero(right > left)
    half = 0.5 * (right - left)[row, column]
    at = (left[row, column][:, None] + half[:, None] * (1.0 + nodes)).ravel()
    pair_v = FOLDED.value(at)
    pair_row = np.repeat(row, len(nodes))
    log_pair = (
        model.log_joint(mu[pair_row], np.minimum(pair_v, mu[pair_row] * (1 - mu[pair_row])), 8)
        + np.log(FOLDED.slope(at))
        + np.log((half[:, None] * weights).ravel())
    )
    log_mean = log_sum_rows(log_pair, pair_row, len(mu))
    if not abs(float(log_mean.max()) - top) < 500.0:
        raise _contradicting(top)
    mean_heights = np.exp(log_mean - top).reshape(mu_nodes.shape)
    mean_cell = (0.5 * np.diff(mean_edges)[:, None] * WEIGHTS).ravel()
    other = float((mean_cell * mean_heights.ravel()).sum())
    mean_mean, mean_sd = _moments(mu, mean_cell * mean_heights.ravel() / other)
    mean = Marginal("mean", UNIT, mean_edges, mean_heights, mean=mean_mean, sd=mean_sd, floor=0.0, ceiling=1.0)
    error = abs(other / total - 1.0)
    if error > _COARSE and panels == _VARIANCE_PANELS:
        return constrained_marginals(model, cap, 4 * panels)
    if not error < _WRONG:
        raise _contradicting(error)
    pair_mass = np.exp(log_pair - top) * mean_cell[pair_row] / other
    return BoundedMarginals(
        mean,
        variance,
        log_evidence,
        error,
        (mu[pair_row], pair_v, pair_mass),
        (v, share),
    )


def unconstrained_marginals(model: Model, cap: float) -> BoundedMarginals:
    """Both marginals of the unconstrained posterior; closed forms for the moments under a flat prior without a cap."""

    def log_height(x: FloatArray) -> FloatArray:
        return model.log_variance_density(np.exp(x)) + x

    end = min(math.log(cap), 90.0)
    near = math.log(max(model.variance.value, 1e-20)) + np.linspace(-4.0, 4.0, 9) * math.sqrt(2.0 / model.n)
    edges, x, relative, top = _variance_marginal(log_height, -60.0, end, 34.0, near)
    v = np.exp(x.ravel())
    cell = (0.5 * np.diff(edges)[:, None] * WEIGHTS * relative).ravel()
    total = float(cell.sum())
    prior = model.prior
    _refuse_lost(prior, float(relative[0, 0]) / total)
    share = cell / total
    exists_mean, exists_variance, exists_spread = existing_moments(model.n, model.prior, bounded=math.isfinite(cap))
    variance_mean, variance_sd = _moments(v, share)
    rows, y, part = model.sample_mean_nodes(v)
    centre, sd = model.mean_given(v[rows], y)
    mass = share[rows] * part
    mean_mean = float((mass * centre).sum())
    mean_variance = float((mass * (sd**2 + (centre - mean_mean) ** 2)).sum())
    log_evidence = top + math.log(total)
    if isinstance(model.prior, FlatPrior) and math.isinf(cap):
        mean_mean, n = model.mean.value, model.n
        log_positive, first, second = model.variance.positive_part()
        log_evidence = math.log((n - 1) / (n - 3)) + log_positive - model.variance.log_beyond
        if exists_variance:
            variance_mean = (n - 1) / (n - 5) * first
            mean_variance = variance_mean / n + model.mean.noise_variance
            if exists_spread:
                variance_sd = math.sqrt((n - 1) ** 2 / ((n - 5) * (n - 7)) * second - variance_mean**2)
    variance = Marginal(
        "variance",
        LOG,
        edges,
        relative,
        mean=variance_mean if exists_variance else None,
        sd=variance_sd if exists_spread else None,
        floor=0.0,
    )
    # mu: closed form given sigma^2; panels from a scan in a coordinate that is logarithmic in the tails
    conjugate = isinstance(prior, ConjugatePrior)
    log_share = np.log(np.maximum(share, 1e-300))
    if conjugate:
        log_share = log_share - model.log_variance_density(v) + model.log_front(v) + model.log_unbounded_constant(v)

    def log_mean_height(value: FloatArray) -> FloatArray:
        inner = model.mean.log_given_normal(value[:, None], np.sqrt(v / model.n)[None, :])
        inner = inner + model.log_prior_mean(value[:, None], v[None, :]) + log_share
        peak = inner.max(axis=1)
        return np.asarray(np.log(np.exp(inner - peak[:, None]).sum(axis=1)) + peak)

    typical = float(v[int(np.argmin(np.abs(np.cumsum(share) - 0.5)))])
    scale = max(math.sqrt(typical / model.n), model.mean.reach(0.3)) if not conjugate else math.sqrt(mean_variance)
    coordinate = stretched(mean_mean if conjugate else model.mean.value, scale)

    def log_height_mean(position: FloatArray) -> FloatArray:
        return log_mean_height(coordinate.value(position)) + np.log(coordinate.slope(position))

    grid, height = _scan(log_height_mean, -28.0, 28.0, 27.0, 60)
    fixed = coordinate.position(
        np.array([model.mean.value, prior.mean] if isinstance(prior, ConjugatePrior) else [model.mean.value])
    )
    mean_edges = equal_share_edges(grid, np.exp(height - height.max()), 16, fixed)
    mean_x = panel_nodes(mean_edges)
    values = log_height_mean(mean_x.ravel())
    mean_heights = np.exp(values).reshape(mean_x.shape)
    other = float((0.5 * np.diff(mean_edges)[:, None] * WEIGHTS * mean_heights).sum())
    mean = Marginal(
        "mean",
        coordinate,
        mean_edges,
        mean_heights,
        mean=mean_mean if exists_mean else None,
        sd=math.sqrt(mean_variance) if exists_variance else None,
    )
    return BoundedMarginals(mean, variance, log_evidence, abs(other - 1.0), None, (v, share))
