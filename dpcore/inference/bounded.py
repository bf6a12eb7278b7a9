"""Posterior of the mean and variance of bounded data, given a noisy mean and a noisy variance: exact, by quadrature.

Where the thesis samples, this module integrates: no Monte Carlo error, no cap on the variance, every privacy-loss
parameter. The constrained model is the authors': the joint density cut to what the bounds allow, not renormalised.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize
from scipy.special import ndtr

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number
from dpcore._properties import cached_property
from dpcore.errors import Code, Refused
from dpcore.inference.bounded_marginals import constrained_marginals, unconstrained_marginals
from dpcore.inference.laws import draw_cut_normal
from dpcore.inference.marginals import (
    FOLDED,
    WEIGHTS,
    Marginal,
    panel_nodes,
)
from dpcore.inference.models import (
    ConjugatePrior,
    ImproperPosteriorError,
    NoisyMoments,
    Prior,
    Propriety,
    propriety,
)
from dpcore.inference.quadrature import Model, expit_mean, gauss_rule

_SMALLEST = 1e-20  # sigma^2 on the unit scale that a cap or a prior may ask for
_AT_ONCE = 20_000  # truncated normals whose nodes are held in memory at once


@dataclass(frozen=True)
class Predictive:
    """Law of a new observation, in the units of the release.

    It reads a release: the promise stays that of the two numbers, about the value of one record (n is public).

    Attributes
    ----------
    mean, sd
        Its mean and standard deviation; None where they do not exist.
    below, above
        Probability of a value under the lower or over the upper bound: zero in a constrained analysis, whose new
        observation is a normal cut to the bounds.
    sd_recoded
        Standard deviation after impossible values are recoded to the nearer bound, an ad hoc repair; None when
        constrained.
    sd_cut_normal
        Standard deviation when each draw of mu and sigma^2, feasible or not, is used in a cut normal, another ad hoc
        repair; None when constrained.

    Examples
    --------
    >>> cut = Predictive(mean=0.5, sd=0.2, below=0.0, above=0.0, sd_recoded=None, sd_cut_normal=None)
    >>> cut.below + cut.above  # constrained: nothing outside the bounds
    0.0
    """

    mean: float | None
    sd: float | None
    below: float
    above: float
    sd_recoded: float | None
    sd_cut_normal: float | None


@dataclass(frozen=True)
class Infeasible:
    """Share of an unconstrained posterior on parameters no bounded data can have.

    It reads a release: the promise stays that of the two numbers, about the value of one record (n is public).

    Attributes
    ----------
    variance_too_large
        mu within the bounds, sigma^2 larger than that mu allows.
    mean_outside
        mu outside the bounds.

    Examples
    --------
    >>> share = Infeasible(variance_too_large=0.25, mean_outside=0.125)
    >>> share.variance_too_large + share.mean_outside
    0.375
    """

    variance_too_large: float
    mean_outside: float


@dataclass(frozen=True)
class JointGrid:
    """Joint posterior density on a grid, for plotting.

    It reads a release: the promise stays that of the two numbers, about the value of one record (n is public).

    Attributes
    ----------
    mean, variance
        Grid lines in the units of the release.
    density
        Shape (len(variance), len(mean)).
    largest_variance
        Largest feasible sigma^2 for each mean (negative where the mean itself is infeasible).

    Examples
    --------
    >>> lines = np.array([0.25, 0.5])
    >>> grid = JointGrid(mean=lines, variance=lines / 4, density=np.ones((2, 2)), largest_variance=lines * (1 - lines))
    >>> grid.largest_variance.tolist()  # of data in [0, 1]
    [0.1875, 0.25]
    """

    mean: FloatArray
    variance: FloatArray
    density: FloatArray
    largest_variance: FloatArray


@dataclass(frozen=True, eq=False)
class Posterior:
    """Posterior of mu and sigma^2 given a noisy mean and variance; made by `posterior`.

    It reads a release: the promise stays that of the two numbers, about the value of one record (n is public).

    Attributes
    ----------
    release, prior, constrained, variance_cap
        What it is the posterior of, in the units of the release.
    propriety
        Why it exists, with warnings.
    mean, variance
        `Marginal` of mu and of sigma^2: density, cdf, quantiles, shortest interval, mode, draws.
    log_evidence
        Log of the integral of prior times likelihood for the data rescaled to [0, 1]: normalised noise laws,
        normalised conjugate prior, flat prior density 1, cut and not renormalised when constrained.
    quadrature_error
        Relative difference of two evaluations of the evidence (through mu and through sigma^2): a check on itself.

    Examples
    --------
    >>> from dpcore.inference import FlatPrior
    >>> release = NoisyMoments(n=50, mean=0.5, variance=0.04, epsilon_mean=3, epsilon_variance=3)
    >>> found = posterior(release, FlatPrior())
    >>> round(found.mean.mean, 6), found.propriety.proper  # as likely above one half as below
    (0.5, True)
    """

    release: NoisyMoments
    prior: Prior
    constrained: bool
    variance_cap: float | None
    propriety: Propriety
    mean: Marginal
    variance: Marginal
    log_evidence: float
    quadrature_error: float
    _model: Model = field(repr=False)
    _pairs: tuple[FloatArray, FloatArray, FloatArray] | None = field(repr=False)
    _nodes: tuple[FloatArray, FloatArray] = field(repr=False)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences a reader should see beside the numbers."""
        return self.propriety.warnings

    @overload
    def log_joint_density(self, mean: Number, variance: Number) -> float: ...
    @overload
    def log_joint_density(self, mean: ArrayLike, variance: ArrayLike) -> FloatArray: ...
    @call_hint
    def log_joint_density(self, mean: ArrayLike, variance: ArrayLike) -> FloatArray | float:
        """Log of the joint posterior density at (mu, sigma^2), per unit of each; -inf where infeasible.

        Parameters
        ----------
        mean, variance : array_like; in the units of the release; broadcast together
        """
        mu, v = np.broadcast_arrays(_checks.array("mean", mean), _checks.array("variance", variance))
        width = self.release.width
        unit_mu, unit_v = ((mu - self.release.lower) / width).ravel(), (v / width**2).ravel()
        value = np.full(unit_mu.shape, -np.inf)
        inside = unit_v > 0
        if self.variance_cap is not None:
            inside &= unit_v <= self.variance_cap / width**2
        if inside.any():
            with np.errstate(divide="ignore"):  # as in `posterior`: the log of an empty cell is minus infinity
                value[inside] = self._model.log_joint(unit_mu[inside], unit_v[inside])
        value = value - self._log_unit_evidence - 3.0 * math.log(width)
        return _checks.scalar_or_array(value.reshape(mu.shape), mean, variance)

    @cached_property
    def _log_unit_evidence(self) -> float:
        """The evidence less the factors of the noise that the quadrature leaves out."""
        return self.log_evidence - self._model.mean.log_beyond - self._model.variance.log_beyond

    def joint_grid(self, points: int = 80, *, share: float = 0.998) -> JointGrid:
        """Joint density on a grid that holds about `share` of each marginal, with the edge of the feasible region.

        Parameters
        ----------
        points : int; grid lines in each direction, at least 2
        share : float; part of each marginal the grid covers, in (0, 1)
        """
        count = _checks.count("points", points, 2)
        tail = 0.5 * (1.0 - _checks.number("share", share, 0.0, 1.0, open_low=True, open_high=True))
        low, high = np.asarray(self.mean.quantile([tail, 1.0 - tail]))
        mean = np.linspace(low, high, count)
        top = float(np.asarray(self.variance.quantile(1.0 - 2.0 * tail)))
        variance = np.linspace(0.0, top, count + 1)[1:]
        grid = np.meshgrid(mean, variance)
        density = np.exp(np.asarray(self.log_joint_density(*grid)))
        unit = (mean - self.release.lower) / self.release.width
        return JointGrid(mean, variance, density, unit * (1.0 - unit) * self.release.width**2)

    @cached_property
    def joint_mode(self) -> tuple[float, float]:
        """Point (mu, sigma^2) of highest joint density; sigma^2 at its lowest computed value if it only falls."""
        model = self._model

        def spread(z: FloatArray) -> tuple[FloatArray, FloatArray]:
            if model.constrained:
                m = 1.0 / (1.0 + np.exp(-z[0]))
                return np.array([m]), np.array([m * (1 - m) / (1.0 + math.exp(-z[1]))])
            return np.array([z[0]]), np.array([math.exp(min(z[1], 50.0))])

        def loss(z: FloatArray) -> float:
            value = float(model.log_joint(*spread(z))[0])
            return -value if math.isfinite(value) else 1e300

        best: tuple[float, FloatArray] | None = None
        unit = self.release.width
        start_mu = (np.array([self.mean.mode, float(self.mean.quantile(0.5))]) - self.release.lower) / unit
        start_v = np.asarray(self.variance.quantile([0.05, 0.3, 0.6])) / unit**2
        for mu in start_mu.tolist():
            for v in start_v.tolist():
                if model.constrained:
                    share = min(float(v) / (mu * (1 - mu)), 0.9)
                    begin = np.array([math.log(mu / (1 - mu)), math.log(share / (1 - share))])
                else:
                    begin = np.array([mu, math.log(float(v))])
                value = loss(begin)
                if best is None or value < best[0]:
                    best = (value, begin)
        assert best is not None
        found = minimize(loss, best[1], method="Nelder-Mead", options={"xatol": 1e-6, "fatol": 1e-11, "maxiter": 600})
        mu_at, v_at = spread(found.x)
        return self.release.lower + unit * float(mu_at[0]), unit**2 * float(v_at[0])

    @cached_property
    def infeasible(self) -> Infeasible:
        """Share of this posterior on infeasible parameters (zero when constrained)."""
        if self.constrained:
            return Infeasible(0.0, 0.0)
        below, up_to = np.asarray(self.mean.cdf([self.release.lower, self.release.upper]))
        inside = float(up_to - below)
        return Infeasible(max(inside - self._feasible_share(), 0.0), 1.0 - inside)

    def _feasible_share(self) -> float:
        """Share of an unconstrained posterior on sigma^2 <= mu (1 - mu), on nodes smooth at the largest sigma^2."""
        width = self.release.width**2
        top = 0.25 if self.variance_cap is None else min(0.25, self.variance_cap / width)
        low = float(FOLDED.position(np.array([max(self.variance.lower / width, 1e-26)]))[0])
        end = float(FOLDED.position(np.array([top]))[0])
        if low >= end:
            return 0.0
        edges = np.linspace(low, end, 1 + max(8, math.ceil((end - low) / 0.7)))
        x = panel_nodes(edges)
        v = FOLDED.value(x.ravel())
        height = np.exp(self._model.log_variance_density(v) - self._log_unit_evidence) * FOLDED.slope(x.ravel())
        share = (0.5 * np.diff(edges)[:, None] * WEIGHTS).ravel() * height
        spread = self._model.mean_given(v, v)[1]
        edge = expit_mean(v)
        rows, y, part = self._model.sample_mean_nodes(v, 8, [(edge, spread), (1.0 - edge, spread)])
        centre, sd = self._model.mean_given(v[rows], y)
        m = edge[rows]
        return float((share[rows] * part * (ndtr((1.0 - m - centre) / sd) - ndtr((m - centre) / sd))).sum())

    @cached_property
    def predictive(self) -> Predictive:
        """Law of a new observation: normal when unconstrained, normal cut to the bounds when constrained.

        Source: thesis, section 4.4.2
        """
        low, width = self.release.lower, self.release.width
        if self.constrained:
            assert self._pairs is not None
            mu, v, mass = self._pairs
            first, second = cut_normal_moments(mu, np.sqrt(v))
            mean = float((mass * first).sum())
            own_sd = math.sqrt(max(float((mass * (second - 2 * mean * first)).sum()) + mean**2, 0.0))
            return Predictive(low + width * mean, width * own_sd, 0.0, 0.0, None, None)
        v, weight = self._nodes
        turning = np.sqrt(v + self._model.mean_given(v, v)[1] ** 2)
        rows, y, share = self._model.sample_mean_nodes(v, 8, [(0.0 * v, turning), (0.0 * v + 1.0, turning)])
        centre, sd = self._model.mean_given(v[rows], y)
        mass = weight[rows] * share
        spread = np.sqrt(sd**2 + v[rows])
        below, above = ndtr(-centre / spread), ndtr((centre - 1.0) / spread)
        a, b = -centre / spread, (1.0 - centre) / spread
        density_a, density_b = (np.exp(-0.5 * t * t) / math.sqrt(2 * math.pi) for t in (a, b))
        between = ndtr(b) - ndtr(a)
        first = centre * between + spread * (density_a - density_b) + above
        second = (
            (centre**2 + spread**2) * between
            + 2 * centre * spread * (density_a - density_b)
            + spread**2 * (a * density_a - b * density_b)
            + above
        )
        recoded = float((mass * first).sum())
        recoded_sd = math.sqrt(max(float((mass * second).sum()) - recoded**2, 0.0))
        nodes, node_weights = np.polynomial.hermite_e.hermegauss(14)
        node_weights = node_weights / node_weights.sum()
        mu = centre[:, None] + sd[:, None] * nodes
        cut_first, cut_second = cut_normal_moments(mu.ravel(), np.repeat(np.sqrt(v[rows]), len(nodes)))
        joint = (mass[:, None] * node_weights).ravel()
        cut_mean = float((joint * cut_first).sum())
        cut_sd = math.sqrt(max(float((joint * cut_second).sum()) - cut_mean**2, 0.0))
        total_sd = None
        if self.mean.sd is not None and self.variance.mean is not None:
            total_sd = math.sqrt(self.mean.sd**2 + self.variance.mean)
        return Predictive(
            self.mean.mean,
            total_sd,
            float((mass * below).sum()),
            float((mass * above).sum()),
            width * recoded_sd,
            width * cut_sd,
        )

    def draw(self, size: int, *, seed: int | np.random.Generator) -> tuple[FloatArray, FloatArray]:
        """Independent draws of (mu, sigma^2): sigma^2 by its cdf, the sample mean given it, mu given both.

        A simulation, not for release. No chain, no warm-up, no autocorrelation.

        Parameters
        ----------
        size : int; number of draws, at least 1
        seed : int or numpy.random.Generator; source of randomness

        Returns
        -------
        tuple of arrays
            mu and sigma^2 in the units of the release.
        """
        generator = _checks.seeded(seed)
        count = _checks.count("size", size, 1)
        width = self.release.width
        drawn = np.asarray(self.variance.draw(count, seed=generator)) / width**2
        v = np.maximum(drawn, 1e-300)
        y = _draw_sample_mean(self._model, v, generator)
        centre, sd = self._model.mean_given(v, y)
        if self.constrained:
            m = expit_mean(v)
            mu = draw_cut_normal(generator, centre, sd, m, 1.0 - m)
        else:
            mu = centre + sd * generator.standard_normal(count)
        return self.release.lower + width * mu, width**2 * v


def _draw_sample_mean(model: Model, v: FloatArray, generator: np.random.Generator) -> FloatArray:
    """Sample mean given sigma^2, by inverting the cdf of each row on a fine grid of segments."""
    result = np.empty_like(v)
    for start in range(0, len(v), 4000):
        part = v[start : start + 4000]
        if model.constrained:
            rows, y, log_mass = model.variance_nodes(part, 16)
            top = np.full(len(part), -np.inf)
            np.maximum.at(top, rows, log_mass)
            mass = np.exp(log_mass - top[rows])
        else:
            rows, y, mass = model.sample_mean_nodes(part, 40)
        total = np.cumsum(mass)
        ends = np.searchsorted(rows, np.arange(len(part)), side="right")
        base = np.concatenate([[0.0], total[ends[:-1] - 1]])
        target = base + generator.random(len(part)) * (total[ends - 1] - base)
        at = np.clip(np.searchsorted(total, target), np.concatenate([[0], ends[:-1]]), ends - 1)
        # within the chosen node's cell: between the midpoints to its neighbours
        left = np.where(at > 0, 0.5 * (y[at] + y[np.maximum(at - 1, 0)]), y[at])
        right = np.where(at < len(y) - 1, 0.5 * (y[at] + y[np.minimum(at + 1, len(y) - 1)]), y[at])
        first, last = at == np.concatenate([[0], ends[:-1]]), at == ends - 1
        left, right = np.where(first, y[at], left), np.where(last, y[at], right)
        share = 1.0 - np.clip((total[at] - target) / np.maximum(mass[at], 1e-300), 0.0, 1.0)
        result[start : start + 4000] = left + share * (right - left)
    return result


def cut_normal_moments(mean: FloatArray, sd: FloatArray) -> tuple[FloatArray, FloatArray]:
    """First and second moment of normal(mean, sd^2) cut to [0, 1], for any mean and sd, by a 28-point rule.

    It reads a release: the promise stays that of the two numbers, about the value of one record (n is public).
    Source: ours, the window keeps 36 natural units round the point of [0, 1] nearest the mean; checked with mpmath
    """
    starts = range(0, max(len(mean), 1), _AT_ONCE)
    parts = [_cut_normal_moments_at_once(mean[k : k + _AT_ONCE], sd[k : k + _AT_ONCE]) for k in starts]
    return np.concatenate([first for first, _ in parts]), np.concatenate([second for _, second in parts])


def _cut_normal_moments_at_once(mean: FloatArray, sd: FloatArray) -> tuple[FloatArray, FloatArray]:
    """As `cut_normal_moments`, for so many laws as fit into memory together."""
    peak = np.clip(mean, 0.0, 1.0)
    away = np.abs(mean - peak)
    reach = 72.0 * sd**2 / (np.sqrt(away**2 + 72.0 * sd**2) + away)
    low, high = np.maximum(peak - reach, 0.0), np.minimum(peak + reach, 1.0)
    nodes, weights = gauss_rule(28)
    half = 0.5 * (high - low)[:, None]
    t = low[:, None] + half * (1.0 + nodes)
    density = np.exp(-0.5 * ((t - mean[:, None]) ** 2 - away[:, None] ** 2) / sd[:, None] ** 2) * weights
    norm = density.sum(axis=1)
    return (density * t).sum(axis=1) / norm, (density * t * t).sum(axis=1) / norm


def posterior(
    release: NoisyMoments, prior: Prior, *, constrained: bool = True, variance_cap: float | None = None
) -> Posterior:
    """Posterior of mu and sigma^2 given a noisy mean and a noisy variance of bounded normal data.

    It reads a release: the promise stays that of the two numbers, about the value of one record (n is public). Exact up
    to quadrature: ends of intervals within about 1e-5 of the width of the bounds.
    Source: thesis, chapter 4; thesis, Theorem 14; thesis, Theorem 16
    Source: ours, section-wise quadrature in place of the Gibbs sampler, with the conjugate update that targets the
        stated prior; checked against the corrected sampler, brute-force integration and exact draws
    Source: ours, Gaussian noise of rho: its normal density stands in the model where the Laplace density stood, which
        leaves all conditional laws but those of the sample mean and the sample variance as they are

    Parameters
    ----------
    release : NoisyMoments; the release with its bounds and privacy-loss parameters
    prior
        `FlatPrior()`, `PowerPrior(power)` or `ConjugatePrior(...)` in the units of the release.
    constrained : bool; confine sigma^2 to (mu - lower)(upper - mu) and the sample variance to its bound given the
        sample mean (default); otherwise ignore the bounds
    variance_cap : float, optional; largest sigma^2 considered, as in the thesis's footnote. Not needed, and harmful for
        privacy-loss parameters of 2 and more: it is offered to reproduce.

    Raises
    ------
    ImproperPosteriorError
        When there is no proper posterior: the sentence of `propriety`.

    Examples
    --------
    >>> from dpcore.inference import FlatPrior
    >>> release = NoisyMoments(n=50, mean=0.5, variance=0.2, epsilon_mean=3, epsilon_variance=3)
    >>> round(posterior(release, FlatPrior()).variance.mean, 4)
    0.1964
    >>> release = NoisyMoments(n=50, mean=0.5, variance=0.2, rho_mean=5, rho_variance=5)
    >>> round(posterior(release, FlatPrior()).variance.mean, 4)
    0.1968
    """
    if not isinstance(release, NoisyMoments):
        raise Refused("release", "be a NoisyMoments", release, Code.WRONG_TYPE)
    decision = propriety(release.n, prior, constrained=constrained, variance_cap=variance_cap)
    if not decision.proper:
        raise ImproperPosteriorError(decision.reason, prior)
    unit_prior = prior.on_unit_scale(release.lower, release.upper) if isinstance(prior, ConjugatePrior) else prior
    model = Model(release.n, *release.measurements(bounded=constrained), unit_prior, constrained)
    cap = math.inf if variance_cap is None else variance_cap / release.width**2
    if variance_cap is not None:
        _checks.number("variance_cap", variance_cap, _SMALLEST * release.width**2)
    if isinstance(unit_prior, ConjugatePrior) and unit_prior.variance * unit_prior.variance_weight < _SMALLEST:
        rule = f"have a variance times its weight of at least {_SMALLEST * release.width**2:g}"
        raise Refused("prior", rule, prior, Code.UNSUPPORTED)
    with np.errstate(divide="ignore"):  # the log of a cell that a bound leaves empty is minus infinity, as it should be
        result = constrained_marginals(model, cap) if constrained else unconstrained_marginals(model, cap)
    width = release.width
    scaled_mean = replace(
        result.mean,
        shift=release.lower,
        scale=width,
        mean=None if result.mean.mean is None else release.lower + width * result.mean.mean,
        sd=None if result.mean.sd is None else width * result.mean.sd,
        floor=release.lower if constrained else -math.inf,
        ceiling=release.upper if constrained else math.inf,
    )
    scaled_variance = replace(
        result.variance,
        scale=width**2,
        mean=None if result.variance.mean is None else width**2 * result.variance.mean,
        sd=None if result.variance.sd is None else width**2 * result.variance.sd,
        floor=0.0,
    )
    return Posterior(
        release,
        prior,
        constrained,
        variance_cap,
        decision,
        scaled_mean,
        scaled_variance,
        result.log_evidence + model.mean.log_beyond + model.variance.log_beyond,
        result.error,
        model,
        result.pairs,
        result.nodes,
    )
