"""The trade-off between accusing wrongly and finding: what the best test of a secret can do after a release.

A test looks at the release and says "the secret is true" or "it is not". Two numbers describe it: x, the probability
that it says so where the secret is false (*false alarm*, wrongly accused), and y, the probability that it says so
where the secret is true (*detection*, found; 1 - y is *missed*). A `TradeOff` is the largest y for every x.

It answers for **one step** of a promise: for the two worlds that the given guarantee or mechanism itself compares.
Whether these are the two worlds of a reader's secret is for the caller to say: the value of a record is two steps under
add-or-remove guarantees, a household of g takes g steps. Bring the guarantee of the secret (n steps: n epsilon,
n^2 rho), as `dpcore.promise.Promise.guarantee_of_secret` gives it, not the guarantee of the release. A histogram with
one noise per cell is sharper than its steps: `cells`, which is `Promise.cells`.

Every pair of worlds here is symmetric: exchanging "true" and "false" gives the same curve, so one curve answers both
questions, how many are found at a false-alarm rate and how many wrong accusations finding so many costs.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import singledispatch
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, lambertw, log_expit, logit, ndtr, ndtri, wrightomega

from dpcore import _checks
from dpcore._checks import FloatArray
from dpcore._properties import cached_property
from dpcore._roots import bracketed_root
from dpcore.composition import PlannedRelease, ReleasePlan
from dpcore.errors import Code, Refused
from dpcore.guarantees import ApproximateDP, ProbabilisticDP, PureDP, ZeroConcentratedDP
from dpcore.mechanisms import (
    DiscreteGaussian,
    Gaussian,
    Geometric,
    Laplace,
    RandomizedResponse,
    discrete_gaussian_log_pmf,
    discrete_gaussian_log_tail,
)
from dpcore.privacy_loss import Bracket, PrivacyLoss

Both = tuple[FloatArray, FloatArray]

EXACT, TIGHT, BOUND = "exact", "tight", "bound"

_SMALLEST_FALSE_ALARM = 1e-40  # below it a composed curve keeps the detection of this rate, an upper bound
_PARITY_BLIND = 0.12  # concentration below which odd and even sums of two discrete Gaussians differ by under 1e-17
_CONTINUOUS_BELOW = 1e-18  # concentration below which a discrete Gaussian's steps are finer than a float
_SMALLEST_RHO = 1e-30  # a smaller rho is answered by this one: detection rises by less than a float shows
_MOST_MIXED = 1 << 12  # atoms beside Gaussian losses; more are moved to a grid, on the safe side
_TERM_BY_TERM = 2048  # atoms of a law convolved term by term; longer ones by a transform
_MECHANISMS = (Geometric, Laplace, Gaussian, DiscreteGaussian, RandomizedResponse)
_GUARANTEES = (PureDP, ApproximateDP, ProbabilisticDP, ZeroConcentratedDP)


# ---- what every curve answers ----------------------------------------------------------------------------------------


class TradeOff(ABC):
    """Largest detection at every false-alarm rate, between the two worlds of one guarantee, mechanism or plan.

    Concave, never below the diagonal (a test that ignores the release), never lower with more budget, and symmetric.
    It speaks of one step of a promise; see the module.

    Attributes
    ----------
    certainty : how sure the numbers are. ``"exact"``: the law of the named mechanism itself. ``"tight"``: the largest
        over all releases with the guarantee, reached by one of them, so an upper bound for any one of them.
        ``"bound"``: an upper bound that may be reached by none.
    """

    certainty: str

    @abstractmethod
    def _best(self, false_alarm: FloatArray) -> Both:
        """Detection and missed of the best test at false-alarm rates inside (0, 1)."""

    @abstractmethod
    def _least_error(self, prior: FloatArray) -> FloatArray:
        """min over x of prior (1 - y(x)) + (1 - prior) x, for priors inside (0, 1)."""

    _certain = 0.0  # detection without any false alarm

    def detection(self, false_alarm: ArrayLike) -> Any:
        """Largest probability of finding a true secret, for a test that accuses wrongly with this probability.

        Parameters
        ----------
        false_alarm : x, in [0, 1]; scalar or array

        Returns
        -------
        y, between x and 1; never below the largest possible one by more than 1e-9.

        Raises
        ------
        ValueError
            ``false_alarm must lie in [0, 1]; got ...``

        Examples
        --------
        >>> round(trade_off(PureDP(epsilon=math.log(3))).detection(0.1), 12)  # three times the false alarms
        0.3
        """
        return _checks.scalar_or_array(self._both(false_alarm)[0], false_alarm)

    def missed(self, false_alarm: ArrayLike) -> Any:
        """Smallest probability of missing a true secret, for a test that accuses wrongly with this probability.

        Parameters
        ----------
        false_alarm : x, in [0, 1]; scalar or array

        Returns
        -------
        1 - y, a lower bound where detection is an upper one; small values keep their relative accuracy.

        Raises
        ------
        ValueError
            ``false_alarm must lie in [0, 1]; got ...``

        Examples
        --------
        >>> round(trade_off(PureDP(epsilon=math.log(3))).missed(0.7), 12)
        0.1
        """
        return _checks.scalar_or_array(self._both(false_alarm)[1], false_alarm)

    def _both(self, false_alarm: ArrayLike) -> Both:
        x = _checks.probability("false_alarm", false_alarm)
        inside = (x > 0.0) & (x < 1.0)
        found, missed = self._best(np.where(inside, x, 0.5).ravel())
        found, missed = np.clip(found, 0.0, 1.0).reshape(x.shape), np.clip(missed, 0.0, 1.0).reshape(x.shape)
        found = np.where(inside, np.maximum(found, x), np.where(x == 0.0, self._certain, 1.0))
        return found, np.where(inside, np.minimum(missed, 1.0 - x), np.where(x == 0.0, 1.0 - self._certain, 0.0))

    def false_alarm(self, detection: ArrayLike) -> Any:
        """Smallest probability of accusing wrongly, for a test that finds a true secret with this probability.

        Parameters
        ----------
        detection : y, in [0, 1]; scalar or array

        Returns
        -------
        The curve read the other way round: by symmetry the missed of a test with false-alarm rate 1 - y.

        Raises
        ------
        ValueError
            ``detection must lie in [0, 1]; got ...``

        Examples
        --------
        >>> round(trade_off(PureDP(epsilon=math.log(3))).false_alarm(0.3), 12)
        0.1
        """
        y = _checks.probability("detection", detection)
        return _checks.scalar_or_array(self._both(1.0 - y)[1], detection)

    def right_guess(self, *, prior: ArrayLike = 0.5) -> Any:
        """Largest probability that a guess about the secret is right.

        Parameters
        ----------
        prior : probability that the secret is true, in [0, 1]; scalar or array

        Returns
        -------
        The maximum over x of prior y(x) + (1 - prior) (1 - x): an average over the release, at least
        max(prior, 1 - prior).

        Raises
        ------
        ValueError
            ``prior must lie in [0, 1]; got ...``

        Examples
        --------
        >>> round(trade_off(Gaussian(rho=2.56)).right_guess(), 4)
        0.8711
        >>> round(trade_off(ZeroConcentratedDP(rho=2.56)).right_guess(), 4)
        0.9463
        """
        p = _checks.probability("prior", prior)
        inside = (p > 0.0) & (p < 1.0)
        error = self._least_error(np.where(inside, p, 0.5).ravel()).reshape(p.shape)
        error = np.where(inside, np.minimum(np.maximum(error, 0.0), np.minimum(p, 1.0 - p)), 0.0)
        return _checks.scalar_or_array(1.0 - error, prior)

    def advantage(self) -> float:
        """Largest detection minus false alarm: the total variation distance between the two worlds.

        Examples
        --------
        >>> round(trade_off(PureDP(epsilon=1.0)).advantage(), 6)  # tanh(1/2)
        0.462117
        """
        return float(1.0 - 2.0 * self._least_error(np.array([0.5]))[0])

    def detection_bracket(self, false_alarm: float) -> Bracket:
        """Numbers between which the largest detection of the worst pair lies; equal where it is computed exactly.

        Raises
        ------
        ValueError
            ``false_alarm must lie in [0, 1]; got ...``
        """
        found = float(self.detection(_checks.number("false_alarm", false_alarm, 0.0, 1.0)))
        return Bracket(found, found)


# ---- closed forms ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _GaussianCurve(TradeOff):
    """Phi(Phi^-1(x) + sqrt(2 rho))."""

    rho: float

    certainty = EXACT

    def _best(self, false_alarm: FloatArray) -> Both:
        at = ndtri(false_alarm) + math.sqrt(2 * self.rho)
        return ndtr(at), ndtr(-at)

    def _least_error(self, prior: FloatArray) -> FloatArray:
        if self.rho == 0.0:
            return np.minimum(prior, 1 - prior)
        spread, shift = math.sqrt(2 * self.rho), -logit(prior)
        return prior * ndtr((shift - self.rho) / spread) + (1 - prior) * ndtr((-shift - self.rho) / spread)


@dataclass(frozen=True)
class _LaplaceCurve(TradeOff):
    """One Laplace release: e^eps x, then 1 - e^-eps/(4x), then 1 - e^-eps (1 - x)."""

    epsilon: float

    certainty = EXACT

    def _best(self, false_alarm: FloatArray) -> Both:
        fade = math.exp(-self.epsilon)
        with np.errstate(over="ignore", divide="ignore"):
            missed = np.where(false_alarm < 0.5, fade / (4 * false_alarm), fade * (1 - false_alarm))
            steep = np.log(false_alarm) + self.epsilon
        first = steep <= -math.log(2)
        found = np.where(first, np.exp(np.minimum(steep, 0.0)), 1 - missed)
        return found, np.where(first, 1 - found, missed)

    def _least_error(self, prior: FloatArray) -> FloatArray:
        on_slope = np.exp(-self.epsilon / 2) * np.sqrt(prior * (1 - prior))  # x = sqrt(odds) e^(-eps/2)/2
        return np.minimum(on_slope, np.minimum(prior, 1 - prior))


@dataclass(frozen=True)
class _TwoLaplacesCurve(TradeOff):
    """Two Laplace releases: the loss has atoms at -2 eps, 0, 2 eps and the density between them in closed form.

    With V = 1 + (2 eps - c)/2 at the threshold c >= 0: x = e^(V - 1 - 2 eps) V/4 and 1 - y = e^(1 - V) (2 + V)/4.
    """

    epsilon: float

    certainty = EXACT

    def _upper(self, v: FloatArray) -> Both:
        """False alarm and missed at a threshold of at least zero."""
        return np.exp(v - 1 - 2 * self.epsilon) * v / 4, np.exp(1 - v) * (2 + v) / 4

    def _best(self, false_alarm: FloatArray) -> Both:
        double, log_x = 2 * self.epsilon, np.log(false_alarm)
        x_at_zero, missed_at_zero = self._upper(np.array(1.0 + self.epsilon))
        v = np.clip(wrightomega(log_x + math.log(4) + 1 + double), 1.0, 1.0 + self.epsilon)
        missed = self._upper(v)[1]
        found = 1 - missed
        first = log_x <= -double - math.log(4)
        found = np.where(first, np.exp(np.minimum(log_x + double, 0.0)), found)
        missed = np.where(first, 1 - found, missed)
        middle = false_alarm > x_at_zero  # the atom at zero, then the mirror image
        missed = np.where(middle, missed_at_zero - (false_alarm - x_at_zero), missed)
        mirrored = np.clip(-lambertw(-np.minimum(false_alarm, 0.75) * 4 * math.exp(-3), k=-1).real - 2, 1.0, None)
        right = false_alarm > missed_at_zero
        missed = np.where(right, self._upper(np.minimum(mirrored, 1.0 + self.epsilon))[0], missed)
        missed = np.where(false_alarm >= 0.75, math.exp(-double) * (1 - false_alarm), missed)
        return np.where(middle, 1 - missed, found), missed

    def _least_error(self, prior: FloatArray) -> FloatArray:
        high = np.maximum(prior, 1 - prior)  # by symmetry: the world with the smaller prior has the threshold above 0
        threshold = logit(high)
        x, missed = self._upper(1.0 + self.epsilon - np.minimum(threshold, 2 * self.epsilon) / 2)
        return np.minimum((1 - high) * missed + high * x, 1 - high)


@dataclass(frozen=True)
class _DiscreteGaussianCurve(TradeOff):
    """One discrete Gaussian: thresholds at the integers, the last atom split; tails exact in log space."""

    noise: DiscreteGaussian

    certainty = EXACT

    def _tail(self, value: FloatArray) -> FloatArray:
        return np.exp(np.asarray(discrete_gaussian_log_tail(value, self.noise.concentration)))

    def _mass(self, value: FloatArray) -> FloatArray:
        return np.exp(np.asarray(discrete_gaussian_log_pmf(value, self.noise.concentration)))

    def _best(self, false_alarm: FloatArray) -> Both:
        shift = self.noise.sensitivity
        last = -np.asarray(self.noise.quantile(false_alarm), dtype=np.float64)  # largest k with P[noise >= k] >= x
        above, upto, atom = self._tail(last + 1), self._tail(last), self._mass(last)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.where(atom > 0, np.clip((false_alarm - above) / atom, 0.0, 1.0), 1.0)
            rest = np.where(atom > 0, np.clip((upto - false_alarm) / atom, 0.0, 1.0), 0.0)
        moved = self._mass(last - shift)
        return self._tail(last + 1 - shift) + share * moved, self._tail(shift - last + 1) + rest * moved

    def _least_error(self, prior: FloatArray) -> FloatArray:
        noise = self.noise
        first = np.floor((-logit(prior) / (noise.concentration * noise.sensitivity) + noise.sensitivity) / 2) + 1
        return prior * self._tail(noise.sensitivity - first + 1) + (1 - prior) * self._tail(first)


# ---- finitely many losses --------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Polygon(TradeOff):
    """A curve through corners: Neyman-Pearson tests at the losses of a discrete law, split between them."""

    false_alarms: FloatArray
    detections: FloatArray
    misses: FloatArray
    certainty: str = EXACT

    @classmethod
    def of_atoms(cls, values: FloatArray, log_mass: FloatArray) -> _Polygon:
        """From losses, rising, and their log probabilities where the secret is true."""
        with np.errstate(under="ignore"):
            present, absent = np.exp(log_mass[::-1]), np.exp((log_mass - values)[::-1])
        zero = np.zeros(1)
        return cls(
            np.concatenate([zero, np.minimum(np.cumsum(absent), 1.0)]),
            np.concatenate([zero, np.minimum(np.cumsum(present), 1.0)]),
            np.concatenate([np.minimum(np.cumsum(present[::-1])[::-1], 1.0), zero]),
        )

    @classmethod
    def from_left_half(
        cls, false_alarms: FloatArray, detections: FloatArray, misses: FloatArray, certainty: str
    ) -> _Polygon:
        """From the corners with thresholds of at least zero, false alarms rising: the rest is the mirror image."""
        left = false_alarms <= misses
        x, y, m = false_alarms[left], detections[left], misses[left]
        if not left.all():  # the side that crosses x = 1 - y ends there
            x2, m2 = false_alarms[~left][0], misses[~left][0]
            share = (m[-1] - x[-1]) / ((m[-1] - x[-1]) + (x2 - m2))
            middle = x[-1] + share * (x2 - x[-1])
            x, y, m = np.append(x, middle), np.append(y, 1 - middle), np.append(m, middle)
        return cls(
            np.concatenate([x, m[::-1]]),
            np.concatenate([y, 1 - x[::-1]]),
            np.concatenate([m, x[::-1]]),
            certainty,
        )

    def _best(self, false_alarm: FloatArray) -> Both:
        x = self.false_alarms
        index = np.clip(np.searchsorted(x, false_alarm, side="right") - 1, 0, x.size - 2)
        width = x[index + 1] - x[index]
        flat = width <= 0.0
        width = np.where(flat, 1.0, width)
        up = np.where(flat, 1.0, np.clip((false_alarm - x[index]) / width, 0.0, 1.0))
        down = np.where(flat, 0.0, np.clip((x[index + 1] - false_alarm) / width, 0.0, 1.0))
        return (
            down * self.detections[index] + up * self.detections[index + 1],
            down * self.misses[index] + up * self.misses[index + 1],
        )

    def _least_error(self, prior: FloatArray) -> FloatArray:
        error = np.empty(prior.shape)
        rows = max(1, (1 << 20) // self.misses.size)
        for start in range(0, prior.size, rows):
            p = prior[start : start + rows, None]
            error[start : start + rows] = (p * self.misses + (1 - p) * self.false_alarms).min(axis=-1)
        return error


def _two_points(epsilon: float, certainty: str) -> _Polygon:
    """Randomised response: losses -eps and eps."""
    corner = float(expit(-epsilon))
    right = float(expit(epsilon))
    return _Polygon(np.array([0.0, corner, 1.0]), np.array([0.0, right, 1.0]), np.array([1.0, corner, 0.0]), certainty)


@dataclass(frozen=True, eq=False)
class _WithDisclosure(TradeOff):
    """A curve of a release that also gives the secret away for certain with probability delta."""

    rest: TradeOff
    delta: float

    @property
    def certainty(self) -> str:  # type: ignore[override]
        return BOUND if self.rest.certainty == BOUND else TIGHT  # only a guarantee has a delta

    @property
    def _certain(self) -> float:  # type: ignore[override]
        return self.delta

    def _best(self, false_alarm: FloatArray) -> Both:
        kept = 1 - self.delta
        if kept <= 0.0:
            return np.ones(false_alarm.shape), np.zeros(false_alarm.shape)
        found, missed = self.rest._both(np.minimum(false_alarm / kept, 1.0))
        return self.delta + kept * found, kept * missed

    def _least_error(self, prior: FloatArray) -> FloatArray:
        return (1 - self.delta) * self.rest._least_error(prior)

    def detection_bracket(self, false_alarm: float) -> Bracket:
        """See `TradeOff.detection_bracket`."""
        x, kept = _checks.number("false_alarm", false_alarm, 0.0, 1.0), 1 - self.delta
        if x >= kept:
            return Bracket(1.0, 1.0)
        inner = self.rest.detection_bracket(x / kept)
        return Bracket(self.delta + kept * inner.low, self.delta + kept * inner.high)


# ---- any law of the privacy loss -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Section:
    """Thresholds up to `upto` that the law tilted by e^(order z) tells to relative accuracy."""

    order: float
    upto: float


def _sections(loss: PrivacyLoss, smallest: float) -> list[_Section]:
    """Tilted laws side by side, from threshold zero until the false alarm falls below `smallest`.

    The tilt -1/2 centres the loss at zero, where both kinds of error are small together; 0 is the law itself.
    """
    found: list[_Section] = []
    order, limit = -0.5, -math.log(smallest)
    mean, deviation, log_moment = loss.tilted(order)
    while True:
        found.append(_Section(order, mean + deviation))
        chernoff = (order + 1) * (mean + deviation) - log_moment  # -ln of a bound on the false alarm there
        if chernoff > limit or deviation < 1e-9 or mean + deviation >= loss.largest or len(found) >= 400:
            break
        step = 2 / deviation
        if order < 0.0:
            step = -order / math.ceil(-order / step - 1e-12)
        for _ in range(40):
            nearer = loss.tilted(order + step)
            if nearer[0] - mean <= 2 * (deviation + nearer[1]):
                break
            step /= 2
        order = order + step if abs(order + step) > 1e-12 else 0.0
        mean, deviation, log_moment = loss.tilted(order)
    found[-1] = _Section(found[-1].order, math.inf)
    return found


def _corners(loss: PrivacyLoss, *, connect: bool = True) -> tuple[FloatArray, FloatArray, FloatArray]:
    """False alarms, rising, detections and misses at thresholds from the largest loss down to zero."""
    pieces: list[tuple[FloatArray, FloatArray, FloatArray]] = []
    start = -math.inf
    for section in _sections(loss, _SMALLEST_FALSE_ALARM):
        values, log_mass = loss.atoms(section.order, connect=connect)
        at = np.flatnonzero((values > start) & (values <= section.upto) & (values > 0.0))
        if start == -math.inf:  # the threshold zero, whether or not it is a loss
            at = np.concatenate([[np.searchsorted(values, 0.0, side="right") - 1], at])
        start = section.upto
        if not at.size:
            continue
        with np.errstate(under="ignore"):
            present, absent = np.exp(np.minimum(log_mass, 700.0)), np.exp(np.minimum(log_mass - values, 700.0))
        above = np.concatenate([np.cumsum(absent[::-1])[::-1], [0.0]])[at + 1]
        if section.order < 0.0:
            missed = np.cumsum(np.concatenate([[0.0], present]))[at + 1]
            found = 1 - missed
        else:
            found = np.concatenate([np.cumsum(present[::-1])[::-1], [0.0]])[at + 1]
            missed = np.cumsum(np.concatenate([[0.0], present]))[at + 1] if section.order == 0.0 else 1 - found
        pieces.append((above, found, missed))
    x, y, m = (np.concatenate([piece[part] for piece in pieces])[::-1] for part in range(3))
    if math.isinf(loss.largest):  # further out the detection is at most that of the last corner
        x, y, m = np.append(0.0, x), np.append(y[0], y), np.append(m[0], m)
    else:
        x, y, m = np.append(0.0, x), np.append(0.0, y), np.append(1.0, m)
    x, y, m = np.clip(x, 0.0, 1.0), np.clip(y, 0.0, 1.0), np.clip(m, 0.0, 1.0)
    return np.maximum.accumulate(x), np.maximum.accumulate(y), np.minimum.accumulate(m)


@dataclass(frozen=True, eq=False)
class _ComposedCurve(TradeOff):
    """The curve of a composed law of discrete and Laplace losses: corners from tilted laws, mirrored."""

    loss: PrivacyLoss
    certainty: str = EXACT

    @cached_property
    def _polygon(self) -> _Polygon:
        return _Polygon.from_left_half(*_corners(self.loss), self.certainty)

    @cached_property
    def _lower(self) -> _Polygon:
        """Every loss rounded down: never above the true curve."""
        return _Polygon.from_left_half(*_corners(self.loss, connect=False), self.certainty)

    def _best(self, false_alarm: FloatArray) -> Both:
        return self._polygon._best(false_alarm)

    def _least_error(self, prior: FloatArray) -> FloatArray:
        return self._polygon._least_error(prior)

    def detection_bracket(self, false_alarm: float) -> Bracket:
        """See `TradeOff.detection_bracket`."""
        high = float(self.detection(_checks.number("false_alarm", false_alarm, 0.0, 1.0)))
        if self.certainty != BOUND:
            return Bracket(high, high)
        return Bracket(min(float(self._lower.detection(false_alarm)), high), high)


@dataclass(frozen=True, eq=False)
class _MixedCurve(TradeOff):
    """The curve of discrete or Laplace losses together with Gaussian ones: continuous, read at its tangents.

    A tangent lies above a concave curve, so a threshold that is slightly off errs on the safe side.
    """

    loss: PrivacyLoss
    certainty: str = EXACT
    _kept: dict[tuple[float, bool], tuple[FloatArray, FloatArray, FloatArray]] = field(default_factory=dict, repr=False)

    @cached_property
    def _table(self) -> tuple[list[_Section], FloatArray, FloatArray, FloatArray]:
        """Sections, and thresholds from zero with the false alarm and missed there."""
        sections = _sections(self.loss, _SMALLEST_FALSE_ALARM)
        last_mean, last_deviation, _ = self.loss.tilted(sections[-1].order)
        ends = [0.0, *(section.upto for section in sections[:-1]), last_mean + last_deviation]
        thresholds = np.unique(np.concatenate([np.linspace(a, b, 9) for a, b in pairwise(ends)]))
        x, _, m, _ = self._tests(thresholds[thresholds >= 0.0], sections)
        return sections, thresholds[thresholds >= 0.0], x, m

    def _tests(
        self, thresholds: FloatArray, sections: list[_Section], *, connect: bool = True
    ) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """False alarm, detection, missed and the density of false alarms at thresholds of at least zero."""
        rho = self.loss.rho
        spread = math.sqrt(2 * rho)
        result = np.empty((4, thresholds.size))
        of = np.searchsorted([section.upto for section in sections[:-1]], thresholds, side="left")
        for number in np.unique(of):
            order = sections[number].order
            values, present, absent = self._atoms(order, connect=connect)
            chosen = np.flatnonzero(of == number)
            rows = max(1, (1 << 19) // values.size)
            for some in (chosen[i : i + rows] for i in range(0, chosen.size, rows)):
                gap = (values - thresholds[some, None]) / spread
                half = rho / spread
                result[0, some] = ndtr(gap - half) @ absent
                result[3, some] = np.exp(-((gap - half) ** 2) / 2) @ absent / (spread * math.sqrt(2 * math.pi))
                if order <= 0.0:
                    result[2, some] = ndtr(-gap - half) @ present
                    result[1, some] = 1 - result[2, some]
                else:
                    result[1, some] = ndtr(gap + half) @ present
                    result[2, some] = 1 - result[1, some]
        return result[0], result[1], result[2], result[3]

    def _atoms(self, order: float, *, connect: bool) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Losses with their masses where the secret is true and where it is false, those that count under the tilt."""
        if (order, connect) not in self._kept:
            values, log_mass = self.loss.atoms(order, connect=connect, at_most=_MOST_MIXED)
            weights = log_mass + order * values
            heavy = weights > weights.max() - 46.0
            values, log_mass = values[heavy], log_mass[heavy]
            with np.errstate(under="ignore"):
                masses = np.exp(np.minimum(log_mass, 700.0)), np.exp(np.minimum(log_mass - values, 700.0))
            self._kept[order, connect] = (values, *masses)
        return self._kept[order, connect]

    def _threshold(self, log_false_alarm: FloatArray) -> FloatArray:
        """Thresholds of at least zero with about these false alarms: the table, then two Newton steps on the log."""
        sections, thresholds, x, _ = self._table
        with np.errstate(divide="ignore"):
            log_x = np.maximum(np.log(x), -690.0)
        c = np.interp(-log_false_alarm, -log_x, thresholds)
        for _ in range(2):
            at, _, _, density = self._tests(c, sections)
            with np.errstate(divide="ignore", invalid="ignore"):
                step = (np.log(at) - log_false_alarm) * at / density
            c = np.clip(np.where(np.isfinite(step), c + step, c), 0.0, thresholds[-1])
        return c

    def _best(self, false_alarm: FloatArray) -> Both:
        return self._read(false_alarm, connect=True)

    def _read(self, false_alarm: FloatArray, *, connect: bool) -> Both:
        sections, _, table_x, table_m = self._table
        x0, m0 = float(table_x[0]), float(table_m[0])
        left, right = false_alarm <= x0, false_alarm > m0
        found, missed = np.empty(false_alarm.shape), np.empty(false_alarm.shape)
        if left.any():
            x = false_alarm[left]
            c = self._threshold(np.log(x))
            at, y, m, _ = self._tests(c, sections, connect=connect)
            rise = np.exp(np.minimum(c, 700.0)) * (x - at)
            found[left], missed[left] = y + rise, m - rise
        if right.any():
            c = self._mirrored_threshold(false_alarm[right])
            at, _, m, _ = self._tests(c, sections, connect=connect)
            missed[right] = np.maximum(at - np.exp(-c) * (false_alarm[right] - m), 0.0)
            found[right] = 1 - missed[right]
        between = ~left & ~right
        missed[between] = x0 + m0 - false_alarm[between]
        found[between] = 1 - missed[between]
        return found, np.maximum(missed, 0.0)

    def _mirrored_threshold(self, false_alarm: FloatArray) -> FloatArray:
        """Thresholds c whose missed is the given rate: the mirror image of a test with threshold -c."""
        sections, thresholds, _, table_m = self._table
        c = np.interp(false_alarm, table_m, thresholds)
        for _ in range(3):
            _, _, m, density = self._tests(c, sections)
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                step = (false_alarm - m) / (density * np.exp(np.minimum(c, 700.0)))
            c = np.clip(np.where(np.isfinite(step), c + step, c), 0.0, thresholds[-1])
        return c

    def _least_error(self, prior: FloatArray) -> FloatArray:
        high = np.maximum(prior, 1 - prior)
        sections, thresholds, _, _ = self._table
        x, _, m, _ = self._tests(np.minimum(logit(high), thresholds[-1]), sections)
        return (1 - high) * m + high * x

    def detection_bracket(self, false_alarm: float) -> Bracket:
        """See `TradeOff.detection_bracket`."""
        x = _checks.number("false_alarm", false_alarm, 0.0, 1.0)
        high = float(self.detection(x))
        if self.certainty != BOUND or x in (0.0, 1.0):
            return Bracket(high, high)
        sections, thresholds, _, _ = self._table
        at, y, m, _ = self._tests(thresholds, sections, connect=False)
        left = at <= m
        lower = _Polygon.from_left_half(
            np.append(0.0, at[left][::-1]), np.append(0.0, y[left][::-1]), np.append(1.0, m[left][::-1]), BOUND
        )
        return Bracket(min(float(lower.detection(x)), high), high)


# ---- any release with a rho ------------------------------------------------------------------------------------------


def _loss_of_true(log_odds: FloatArray, gain: FloatArray) -> FloatArray:
    """ln y/x of two coins, from logit x and logit y - logit x."""
    small = gain < 1.0
    near = -np.log1p(expit(-log_odds) * np.expm1(-np.where(small, gain, 0.0)))
    return np.where(small, near, log_expit(log_odds + gain) - log_expit(log_odds))


def _loss_of_false(log_odds: FloatArray, gain: FloatArray) -> FloatArray:
    """ln (1 - x)/(1 - y)."""
    small = gain < 1.0
    near = np.log1p(expit(log_odds) * np.expm1(np.where(small, gain, 0.0)))
    return np.where(small, near, np.logaddexp(log_expit(-log_odds), log_expit(log_odds) + gain))


@dataclass(frozen=True)
class _Divergence:
    """Renyi divergences of two coins, D_a(y || x) forward or D_a(x || y) backward, from logit x and the gain in logit.

    (a - 1) D_a(y || x) = ln(y e^((a - 1) r) + (1 - y) e^(-(a - 1) q)), with r = ln y/x, q = ln (1 - x)/(1 - y).
    """

    log_up: FloatArray
    log_down: FloatArray
    up: FloatArray
    down: FloatArray

    @classmethod
    def of(cls, log_odds: FloatArray, gain: FloatArray, *, forward: bool) -> _Divergence:
        r, q = _loss_of_true(log_odds, gain), _loss_of_false(log_odds, gain)
        if forward:
            return cls(log_expit(log_odds + gain), log_expit(-log_odds - gain), r, -q)
        return cls(log_expit(-log_odds), log_expit(log_odds), q, -r)

    def share(self, excess: FloatArray) -> FloatArray:
        """D_a/a at the order a = 1 + excess; for a -> 1 the Kullback-Leibler divergence."""
        rise, fall = excess * self.up, excess * self.down
        near = rise < 600.0
        high, low = np.exp(self.log_up), np.exp(self.log_down)
        inner = np.log1p(high * np.expm1(np.where(near, rise, 0.0)) + low * np.expm1(np.where(near, fall, 0.0)))
        moment = inner if near.all() else np.where(near, inner, np.logaddexp(self.log_up + rise, self.log_down + fall))
        limit = excess <= 0.0
        if not limit.any():
            return moment / (excess * (1 + excess))
        return np.where(limit, high * self.up + low * self.down, moment / np.where(limit, 1.0, excess)) / (1 + excess)


_SCAN = np.linspace(0.0, 1.0, 32)[:, None]


def _most_binding(pair: _Divergence, gain: FloatArray, rho: float) -> FloatArray:
    """The excess order a - 1 at which D_a/a is largest: a scan in its logarithm, then parabolas; or the limit a -> 1.

    No order beyond D_inf/rho can matter, since D_a never exceeds the largest loss D_inf.
    """
    top = np.log(np.maximum(pair.up / rho, 1e-3))
    bottom = np.minimum(np.log(1e-4) - np.log(np.maximum(gain, 1.0)), top - 7.0)
    scan = bottom + _SCAN * (top - bottom)
    columns = np.arange(gain.size)
    shares = pair.share(np.exp(scan))
    chosen = shares.argmax(axis=0)
    best, value = scan[chosen, columns], shares[chosen, columns]
    spacing = scan[1] - scan[0]
    for _ in range(7):
        below, above = pair.share(np.exp(best - spacing)), pair.share(np.exp(best + spacing))
        bend = below - 2 * value + above
        with np.errstate(divide="ignore", invalid="ignore"):
            move = np.where(bend < 0.0, np.clip(0.5 * (below - above) / bend, -1.0, 1.0), 0.0)
        nearer = best + move * spacing
        there = pair.share(np.exp(nearer))
        better = there > value
        best, value = np.where(better, nearer, best), np.where(better, there, value)
        spacing = spacing / 3
    return np.where(pair.share(np.zeros(gain.size)) >= value, 0.0, np.exp(best))


def _reduced(log_odds: FloatArray, gain: FloatArray, rho: float, *, forward: bool) -> FloatArray:
    """The gain, brought down until every order of one direction holds: D_a at most a rho.

    Each order alone gives an upper bound on the gain, since D_a rises with y; the most binding one at the present gain
    is solved for, and again until none binds. The answer is approached from above, so it is never too small.
    """
    gain = gain.copy()
    open_ones = np.arange(gain.size)
    for _ in range(60):
        odds, present = log_odds[open_ones], gain[open_ones]
        excess = _most_binding(_Divergence.of(odds, present, forward=forward), present, rho)

        def over(at: FloatArray, odds: FloatArray = odds, excess: FloatArray = excess) -> FloatArray:
            return _Divergence.of(odds, at, forward=forward).share(excess) / rho - 1.0

        binds = over(present) > 1e-14
        if not binds.any():
            break
        root = bracketed_root(over, np.zeros(present.size), present)
        fallen = np.where(binds, np.minimum(root, present), present)
        gain[open_ones] = fallen
        open_ones = open_ones[binds & (present - fallen > 1e-13 * present)]
        if not open_ones.size:
            break
    return gain


def _first_gain(log_x: FloatArray, log_rest: FloatArray, rho: float) -> FloatArray:
    """An upper bound on logit y - logit x, within a factor of two or so.

    y^a x^(1 - a) <= e^(a (a - 1) rho) at its best order: sqrt(-ln y) >= sqrt(-ln x) - sqrt(rho), and the same for
    1 - x and 1 - y.
    """
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        largest_r = np.where(-log_x > rho, 2 * np.sqrt(-log_x * rho) - rho, np.inf)
        drop = np.expm1(-largest_r) / -np.expm1(log_x)
        by_true = np.where(drop > -1.0, -np.log1p(np.maximum(drop, -1.0)), np.inf)
        largest_q = rho + 2 * np.sqrt(-log_rest * rho)
        near = np.log1p(np.expm1(np.minimum(largest_q, 30.0)) / np.exp(log_x))
        by_false = np.where(largest_q < 30.0, near, largest_q - log_x)
    return np.minimum(by_true, by_false) * (1 + 1e-12)


def _largest_gain(log_odds: FloatArray, log_x: FloatArray, log_rest: FloatArray, rho: float) -> FloatArray:
    """Largest logit y - logit x of a pair of coins with every D_a at most a rho, both ways."""
    gain = _first_gain(log_x, log_rest, rho)
    rare = log_odds + gain / 2 < 0.0  # where "true" is rare, the forward divergences bind first
    for side in (rare, ~rare):
        for forward in (side is rare, side is not rare):
            if side.any():
                gain[side] = _reduced(log_odds[side], gain[side], rho, forward=forward)
    return gain


@dataclass(frozen=True)
class _ConcentratedCurve(TradeOff):
    """The largest detection over all releases with a rho: over pairs of coins, since a test's answer is one.

    Post-processing keeps zCDP, so the answers of a test are a pair of coins with the same rho; and every such pair is
    a release. Renyi divergences are jointly quasi-convex, so the pairs form a convex region and the curve is concave.
    """

    rho: float
    certainty: str = TIGHT

    def _best(self, false_alarm: FloatArray) -> Both:
        if self.rho == 0.0:
            return false_alarm, 1 - false_alarm
        odds = logit(false_alarm)
        return self._at(odds, np.log(false_alarm), np.log1p(-false_alarm))

    def _at(self, odds: FloatArray, log_x: FloatArray, log_rest: FloatArray) -> Both:
        end = odds + _largest_gain(odds, log_x, log_rest, max(self.rho, _SMALLEST_RHO))
        return expit(end), expit(-end)

    def _least_error(self, prior: FloatArray) -> FloatArray:
        if self.rho == 0.0:
            return np.minimum(prior, 1 - prior)
        even = prior == 0.5
        error = np.full(prior.shape, float(expit(-randomized_response_epsilon(self.rho))))
        if not even.all():
            error[~even] = self._searched_error(prior[~even])
        return error

    def _searched_error(self, prior: FloatArray) -> FloatArray:
        """A common scan over logit x, then nested scans around each prior's best; the error is convex in x.

        The curve has a corner where x = 1 - y, at randomised response, which is the best guess of many priors.
        """
        scan = np.linspace(-46.0, 46.0, 185)
        missed = self._at(scan, log_expit(scan), log_expit(-scan))[1]
        best = (prior[:, None] * missed + (1 - prior[:, None]) * expit(scan)).argmin(axis=1)
        centre, reach = scan[best], scan[1] - scan[0]
        least = np.minimum(np.minimum(prior, 1 - prior), expit(-randomized_response_epsilon(self.rho)))
        offsets, rows = np.linspace(-1.0, 1.0, 9), np.arange(prior.size)
        for _ in range(12):
            odds = centre[:, None] + reach * offsets
            flat = odds.ravel()
            missed = self._at(flat, log_expit(flat), log_expit(-flat))[1].reshape(odds.shape)
            found = prior[:, None] * missed + (1 - prior[:, None]) * expit(odds)
            chosen = found.argmin(axis=1)
            least = np.minimum(least, found[rows, chosen])
            centre, reach = odds[rows, chosen], reach * 0.27
        return least


def randomized_response_epsilon(rho: float) -> float:
    """Epsilon of the randomised response that is exactly rho-zCDP: epsilon tanh(epsilon/2) = rho.

    Parameters
    ----------
    rho : at least 0

    Returns
    -------
    The epsilon whose Kullback-Leibler divergence is rho; no order is more demanding. Its answer is right with
    probability e^epsilon/(1 + e^epsilon), the largest right guess on an even bet that any rho-zCDP release allows.
    Exact; it belongs to the two worlds that rho compares (one step).

    Raises
    ------
    ValueError
        ``rho must be at least 0 and finite; got ...``

    References
    ----------
    bun_steinke, Definition 1.1
    ours, the best pair of coins on an even bet; checked against the search over all orders and 300 random pairs

    Examples
    --------
    >>> round(randomized_response_epsilon(math.tanh(0.5)), 12)
    1.0
    """
    r = _checks.number("rho", rho, 0.0)
    if r == 0.0:
        return 0.0
    # eps tanh(eps/2) <= min(eps, eps^2/2), and eps tanh(eps/2) >= rho at rho + sqrt(2 rho) + 1e-300
    root = bracketed_root(
        lambda e: e * np.tanh(e / 2) - r,
        np.array([max(r, math.sqrt(2 * r)) * (1 - 1e-15)]),
        np.array([r + 2 * math.sqrt(r)]),
    )
    return float(root[0])


# ---- from a source to its curve --------------------------------------------------------------------------------------


def trade_off(source: Any, *, cells: int = 1) -> TradeOff:
    """The trade-off between false alarms and detection that a guarantee, a mechanism or a plan leaves.

    Parameters
    ----------
    source : a `PureDP`, `ApproximateDP`, `ProbabilisticDP` or `ZeroConcentratedDP`; a mechanism of
        `dpcore.mechanisms`; a `PrivacyLoss`; a `ReleasePlan`
    cells : for mechanisms and plans of mechanisms, how many cells of a histogram, each with its own noise, differ
        between the two worlds: 1 for the presence of a record or one plain count, 2 for a moved value

    Returns
    -------
    A `TradeOff`. Guarantees: the largest over all releases that have it, reached by one (``"tight"``). Mechanisms:
    Neyman-Pearson over the exact law of the privacy loss (``"exact"``). Laws and plans: exact where the law is,
    ``"tight"`` where guarantees stand for their worst mechanisms; where losses are rounded to a grid, its upper side
    (``"bound"``), with the lower one in `TradeOff.detection_bracket`. A plan with zero-concentrated rows is answered
    by the sum of its rhos, ``"bound"`` for more than one release.

    It belongs to one step: the two worlds that `source` itself compares. For the value of a record under
    add-or-remove, or for a household, pass the guarantee of that secret (n epsilon, n^2 rho), or `cells` for a
    histogram.

    Raises
    ------
    ValueError
        ``source must be a guarantee, mechanism, PrivacyLoss or ReleasePlan; got ...``,
        ``cells must be a whole number from 1 to 2; got ...``,
        ``cells must be 1 unless every release is a mechanism; got 2``,
        ``source must be pure or zero-concentrated to have a rho; got ...``

    References
    ----------
    kairouz, Theorem 2.1 and section 3 (the region of epsilon and delta)
    bun_steinke, Definition 1.1
    thesis, Theorem 27
    ours, pairs of coins for any rho-zCDP release, exact laws of two cells; checked against mpmath, enumeration, a dense
    search over orders, dp-accounting and riskcal

    Examples
    --------
    >>> round(trade_off(Gaussian(rho=0.5)).detection(0.05), 4)  # Phi(Phi^-1(.05) + 1)
    0.2595
    >>> round(trade_off(ZeroConcentratedDP(rho=0.5)).detection(0.05), 4)
    0.3356
    >>> round(trade_off(Geometric(epsilon=0.5), cells=2).detection(0.05), 4)  # e times the false alarms
    0.1359
    """
    number = _checks.count("cells", cells, 1, 2)
    if number > 1 and not _all_mechanisms(source):
        raise Refused("cells", "be 1 unless every release is a mechanism", cells, Code.UNSUPPORTED)
    return _curve(source, number)


def _all_mechanisms(source: Any) -> bool:
    if isinstance(source, ReleasePlan):
        return all(isinstance(row.source, _MECHANISMS) for row in source.rows)
    if isinstance(source, PrivacyLoss):
        return all(isinstance(release, _MECHANISMS) for release, _ in source.releases)
    return not isinstance(source, _GUARANTEES)


@singledispatch
def _curve(source: Any, cells: int) -> TradeOff:
    raise Refused(
        "source",
        "be a guarantee, mechanism, PrivacyLoss or ReleasePlan",
        source,
        Code.WRONG_TYPE,
        got=_checks._shown(source),
    )


def _leaking(rest: TradeOff, delta: float) -> TradeOff:
    return _WithDisclosure(rest, delta) if delta > 0.0 else rest


@_curve.register
def _(source: PureDP, cells: int) -> TradeOff:
    return _two_points(source.epsilon, TIGHT)


@_curve.register(ApproximateDP)
@_curve.register(ProbabilisticDP)
def _(source: ApproximateDP | ProbabilisticDP, cells: int) -> TradeOff:
    return _leaking(_two_points(source.epsilon, TIGHT), source.delta)


@_curve.register
def _(source: ZeroConcentratedDP, cells: int) -> TradeOff:
    return _ConcentratedCurve(source.rho)


@_curve.register
def _(source: Gaussian, cells: int) -> TradeOff:
    return _GaussianCurve(cells * source.rho)


@_curve.register
def _(source: Laplace, cells: int) -> TradeOff:
    return _LaplaceCurve(source.epsilon) if cells == 1 else _TwoLaplacesCurve(source.epsilon)


@_curve.register
def _(source: DiscreteGaussian, cells: int) -> TradeOff:
    if source.concentration < _CONTINUOUS_BELOW:
        return _GaussianCurve(cells * source.rho)
    if cells == 1:
        return _DiscreteGaussianCurve(source)
    if source.concentration < _PARITY_BLIND:  # the sum of both noises tells all, and is a wider discrete Gaussian
        return _DiscreteGaussianCurve(DiscreteGaussian(rho=2 * source.rho, sensitivity=2 * source.sensitivity))
    atoms = source.privacy_loss_atoms(omitted=1e-300)
    return _twice(2 * atoms.offset, atoms.step, 2 * atoms.first, atoms.log_mass)


@_curve.register(Geometric)
@_curve.register(RandomizedResponse)
def _(source: Geometric | RandomizedResponse, cells: int) -> TradeOff:
    if source.epsilon == 0.0:
        return _two_points(0.0, EXACT)
    atoms = source.privacy_loss_atoms()
    if cells == 1:
        return _Polygon.of_atoms(atoms.values, atoms.log_mass)
    if atoms.log_mass.size > _TERM_BY_TERM:
        return _ComposedCurve(PrivacyLoss.of(source, cells))
    return _twice(2 * atoms.offset, atoms.step, 2 * atoms.first, atoms.log_mass)


def _twice(offset: float, step: float, first: int, log_mass: FloatArray) -> _Polygon:
    """Two independent equal lattice losses, convolved term by term in log space: every mass keeps its digits."""
    size = log_mass.size
    total: FloatArray = np.full(2 * size - 1, -math.inf)
    for shift, one in enumerate(log_mass):
        part = total[shift : shift + size]
        np.logaddexp(part, one + log_mass, out=part)
    return _Polygon.of_atoms(offset + step * (first + np.arange(total.size, dtype=np.float64)), total)


@_curve.register
def _(source: PrivacyLoss, cells: int) -> TradeOff:
    releases = tuple(
        (PureDP(epsilon=release.epsilon) if isinstance(release, ApproximateDP) else release, cells * count)
        for release, count in source.releases
        if getattr(release, "epsilon", 1.0) > 0.0  # the others tell nothing, or everything with probability delta
    )
    delta = source.infinite_mass
    if not releases:
        return _leaking(_two_points(0.0, EXACT), delta)
    whole = PrivacyLoss(releases, source.points)
    if len(whole.releases) == 1:
        only, count = whole.releases[0]
        if count == 1 or (count == 2 and isinstance(only, _MECHANISMS)):
            return _leaking(_curve(only, count), delta)
    if all(isinstance(release, Gaussian) for release, _ in whole.releases):
        return _leaking(_GaussianCurve(whole.rho), delta)
    certainty = EXACT if _all_mechanisms(whole) else TIGHT
    mixed = whole.rho > 0.0
    if whole.certainty != EXACT or (mixed and whole.atoms()[0].size > _MOST_MIXED):
        certainty = BOUND
    return _leaking((_MixedCurve if mixed else _ComposedCurve)(whole, certainty), delta)


@_curve.register
def _(source: ReleasePlan, cells: int) -> TradeOff:
    if any(isinstance(row.source, ZeroConcentratedDP) for row in source.rows):
        rho = source.concentrated().rho
        return _ConcentratedCurve(rho, TIGHT if source.releases == 1 else BOUND)
    rows = tuple(
        PlannedRelease(row.source.as_approximate(), row.count, row.name)
        if isinstance(row.source, ProbabilisticDP)
        else row
        for row in source.rows
    )
    return _curve(ReleasePlan(rows).privacy_loss, cells)
