"""What every trade-off answers, the curves in closed form, and those of finitely many losses."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, lambertw, logit, ndtr, ndtri, wrightomega

from dpcore import _checks
from dpcore._checks import FloatArray, Number
from dpcore.mechanisms import Curve, DiscreteGaussian, discrete_gaussian_log_pmf, discrete_gaussian_log_tail
from dpcore.privacy_loss import Bracket, PrivacyLoss

Both = tuple[FloatArray, FloatArray]
EXACT = "exact"
"""The law of the named mechanism itself."""
TIGHT = "tight"
"""The largest over all releases with the guarantee, reached by one of them."""
BOUND = "bound"
"""An upper bound that may be reached by no release."""
ESTIMATE = "estimate"
"""From draws: it limits nothing."""
_LINES = 1 << 11  # lines above a curve that is known by its deltas
_STEEPEST = 200.0  # largest of their epsilons


class TradeOff(ABC):
    """Largest detection at every false-alarm rate, between the two worlds of one guarantee, mechanism or plan.

    Concave, never below the diagonal (a test that ignores the release), never lower with more budget, and symmetric.
    It speaks of one step of a promise; see the module.

    Attributes
    ----------
    certainty : str; how sure the numbers are. ``"exact"``: the law of the named mechanism itself. ``"tight"``: the
        largest over all releases with the guarantee, reached by one of them, so an upper bound for any one of them.
        ``"bound"``: an upper bound that may be reached by none. ``"estimate"``: from draws.

    Examples
    --------
    >>> from dpcore.guarantees import PureDP
    >>> from dpcore.tradeoff import trade_off
    >>> curve = trade_off(PureDP(epsilon=math.log(3)))
    >>> round(curve.detection(0.25), 9), round(curve.right_guess(), 9), curve.certainty  # three times as many
    (0.75, 0.75, 'tight')
    """

    certainty: str

    @abstractmethod
    def _best(self, false_alarm: FloatArray) -> Both:
        """Detection and missed of the best test at false-alarm rates inside (0, 1)."""

    @abstractmethod
    def _least_error(self, prior: FloatArray) -> FloatArray:
        """min over x of prior (1 - y(x)) + (1 - prior) x, for priors inside (0, 1)."""

    _certain = 0.0  # detection with no false alarms

    @overload
    def detection(self, false_alarm: Number) -> float: ...
    @overload
    def detection(self, false_alarm: ArrayLike) -> FloatArray: ...
    def detection(self, false_alarm: ArrayLike) -> Any:
        """Largest probability of finding a true secret, for a test that accuses wrongly with this probability.

        The value is y, between x and 1; never below the largest possible one by more than 1e-9.

        Parameters
        ----------
        false_alarm : array_like; x, in [0, 1]; scalar or array

        Examples
        --------
        >>> from dpcore.guarantees import PureDP
        >>> from dpcore.tradeoff import trade_off
        >>> round(trade_off(PureDP(epsilon=math.log(3))).detection(0.1), 12)  # three times the false alarms
        0.3
        """
        return self.found_and_missed(false_alarm)[0]

    @overload
    def missed(self, false_alarm: Number) -> float: ...
    @overload
    def missed(self, false_alarm: ArrayLike) -> FloatArray: ...
    def missed(self, false_alarm: ArrayLike) -> Any:
        """Smallest probability of missing a true secret, for a test that accuses wrongly with this probability.

        Parameters and refusals are those of `detection`. The value is 1 - y, a lower bound where detection is an upper
        one; small values keep their relative accuracy.

        Examples
        --------
        >>> from dpcore.guarantees import PureDP
        >>> from dpcore.tradeoff import trade_off
        >>> round(trade_off(PureDP(epsilon=math.log(3))).missed(0.7), 12)
        0.1
        """
        return self.found_and_missed(false_alarm)[1]

    @overload
    def found_and_missed(self, false_alarm: Number) -> tuple[float, float]: ...
    @overload
    def found_and_missed(self, false_alarm: ArrayLike) -> tuple[FloatArray, FloatArray]: ...
    def found_and_missed(self, false_alarm: ArrayLike) -> tuple[Any, Any]:
        """`detection` and `missed` together, computed once.

        Parameters and refusals are those of `detection`.

        Returns
        -------
        tuple of float or array
            Two numbers or two arrays.

        Examples
        --------
        >>> from dpcore.guarantees import PureDP
        >>> from dpcore.tradeoff import trade_off
        >>> [round(rate, 12) for rate in trade_off(PureDP(epsilon=math.log(3))).found_and_missed(0.1)]
        [0.3, 0.7]
        """
        found, missed = self._both(false_alarm)
        return _checks.scalar_or_array(found, false_alarm), _checks.scalar_or_array(missed, false_alarm)

    def _both(self, false_alarm: ArrayLike) -> Both:
        x = _checks.probability("false_alarm", false_alarm)
        inside = (x > 0.0) & (x < 1.0)
        found, missed = self._best(np.where(inside, x, 0.5).ravel())
        found, missed = np.clip(found, 0.0, 1.0).reshape(x.shape), np.clip(missed, 0.0, 1.0).reshape(x.shape)
        found = np.where(inside, np.maximum(found, x), np.where(x == 0.0, self._certain, 1.0))
        return found, np.where(inside, np.minimum(missed, 1.0 - x), np.where(x == 0.0, 1.0 - self._certain, 0.0))

    @overload
    def false_alarm(self, detection: Number) -> float: ...
    @overload
    def false_alarm(self, detection: ArrayLike) -> FloatArray: ...
    def false_alarm(self, detection: ArrayLike) -> Any:
        """Smallest probability of accusing wrongly, for a test that finds a true secret with this probability.

        The curve read the other way round: by symmetry the missed of a test with false-alarm rate 1 - y.

        Parameters
        ----------
        detection : array_like; y, in [0, 1]; scalar or array

        Examples
        --------
        >>> from dpcore.guarantees import PureDP
        >>> from dpcore.tradeoff import trade_off
        >>> round(trade_off(PureDP(epsilon=math.log(3))).false_alarm(0.3), 12)
        0.1
        """
        y = _checks.probability("detection", detection)
        return _checks.scalar_or_array(self._both(1.0 - y)[1], detection)

    @overload
    def right_guess(self, *, prior: Number = ...) -> float: ...
    @overload
    def right_guess(self, *, prior: ArrayLike = ...) -> FloatArray: ...
    def right_guess(self, *, prior: ArrayLike = 0.5) -> Any:
        """Largest probability that a guess about the secret is right.

        The maximum over x of prior y(x) + (1 - prior) (1 - x): an average over the release, at least max(prior, 1 -
        prior).

        Parameters
        ----------
        prior : array_like, optional; probability that the secret is true, in [0, 1]; scalar or array

        Examples
        --------
        >>> from dpcore.guarantees import ZeroConcentratedDP
        >>> from dpcore.mechanisms import Gaussian
        >>> from dpcore.tradeoff import trade_off
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
        >>> from dpcore.guarantees import PureDP
        >>> from dpcore.tradeoff import trade_off
        >>> round(trade_off(PureDP(epsilon=1.0)).advantage(), 6)  # tanh(1/2)
        0.462117
        """
        return float(1.0 - 2.0 * self._least_error(np.array([0.5]))[0])

    @overload
    def delta_at(self, epsilon: Number) -> float: ...
    @overload
    def delta_at(self, epsilon: ArrayLike) -> FloatArray: ...
    def delta_at(self, epsilon: ArrayLike) -> Any:
        """Smallest delta with which the two worlds are (epsilon, delta)-indistinguishable.

        The maximum over x of y(x) - e^epsilon x, which is the privacy profile of the two worlds; to 1e-9.

        Parameters
        ----------
        epsilon : array_like; at least 0; scalar or array

        Examples
        --------
        >>> from dpcore.guarantees import ApproximateDP
        >>> from dpcore.tradeoff import trade_off
        >>> round(trade_off(ApproximateDP(epsilon=1.0, delta=0.01)).delta_at(1.0), 9)
        0.01
        """
        eps = _checks.array("epsilon", epsilon, 0.0)
        return _checks.scalar_or_array(np.clip(self._profile(eps.ravel()), 0.0, 1.0).reshape(eps.shape), epsilon)

    def _profile(self, epsilon: FloatArray) -> FloatArray:
        """max over x of y(x) - e^epsilon x: with p = 1/(1 + e^epsilon), 1 less the least error over p."""
        prior = expit(-epsilon)
        told = prior > 0.0  # beyond, no false alarm is worth its price
        error = self._least_error(np.where(told, prior, 0.5)) / np.where(told, prior, 0.5)
        return np.where(told, 1 - error, self._certain)

    def detection_bracket(self, false_alarm: float) -> Bracket:
        """Numbers between which the largest detection of the worst pair lies; equal where it is computed exactly."""
        found = float(self.detection(_checks.number("false_alarm", false_alarm, 0.0, 1.0)))
        return Bracket(found, found)


@dataclass(frozen=True)
class GaussianCurve(TradeOff):
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
class LaplaceCurve(TradeOff):
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
class TwoLaplacesCurve(TradeOff):
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
class DiscreteGaussianCurve(TradeOff):
    """One discrete Gaussian: thresholds at the integers, the last atom split; tails exact in log space."""

    noise: DiscreteGaussian

    certainty = EXACT

    def _tail(self, value: FloatArray) -> FloatArray:
        return np.exp(np.asarray(discrete_gaussian_log_tail(value, rho=self.noise.concentration)))

    def _mass(self, value: FloatArray) -> FloatArray:
        return np.exp(np.asarray(discrete_gaussian_log_pmf(value, rho=self.noise.concentration)))

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


@dataclass(frozen=True, eq=False)
class Polygon(TradeOff):
    """A curve through corners: Neyman-Pearson tests at the losses of a discrete law, split between them."""

    false_alarms: FloatArray
    detections: FloatArray
    misses: FloatArray
    certainty: str = EXACT
    certain: float = 0.0

    @property
    def _certain(self) -> float:  # type: ignore[override]
        return self.certain

    @classmethod
    def of_atoms(cls, values: FloatArray, log_mass: FloatArray) -> Polygon:
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
    ) -> Polygon:
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

    def _profile(self, epsilon: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore", over="ignore"):
            gains = self.detections - np.exp(np.log(self.false_alarms) + epsilon[:, None])
        return gains.max(axis=-1)


def two_points(epsilon: float, certainty: str) -> Polygon:
    """Randomised response: losses -eps and eps."""
    corner = float(expit(-epsilon))
    right = float(expit(epsilon))
    return Polygon(np.array([0.0, corner, 1.0]), np.array([0.0, right, 1.0]), np.array([1.0, corner, 0.0]), certainty)


def of_deltas(curve: PrivacyLoss | Curve, epsilons: FloatArray | None = None, certainty: str = BOUND) -> Polygon:
    """The lines that the deltas of a loss put over its curve, mirrored: an upper bound for either direction.

    The promise is that of the loss. Lines at the given epsilons, which rise from 0; without them at many of a loss.
    Source: ours, detection is at most delta(epsilon) + e^epsilon false alarm at every epsilon

    Examples
    --------
    >>> from dpcore.mechanisms import Gaussian
    >>> round(float(of_deltas(PrivacyLoss.of(Gaussian(rho=0.5))).detection(0.05)), 3)  # exactly .2595
    0.26
    """
    if epsilons is None:
        assert isinstance(curve, PrivacyLoss)
        upto = curve.epsilon_at(min(curve.infinite_mass + 1e-12, 1.0))
        epsilons = np.linspace(0.0, min(upto, _STEEPEST), _LINES) if upto > 0.0 else np.zeros(1)
    deltas, slopes = np.asarray(curve.delta_at(epsilons)), np.exp(epsilons)
    alarms, detections = [0.0], [float(deltas[-1])]
    for steep, flat in zip(range(epsilons.size - 1, 0, -1), range(epsilons.size - 2, -1, -1), strict=True):
        x = (deltas[flat] - deltas[steep]) / (slopes[steep] - slopes[flat])
        alarms.append(max(float(x), alarms[-1]))
        detections.append(max(float(deltas[flat] + slopes[flat] * alarms[-1]), detections[-1]))
    x, y = np.array(alarms), np.minimum(np.array(detections), 1.0)
    x, y = np.append(x, (1.0 - deltas[0]) / 2), np.append(y, (1.0 + deltas[0]) / 2)
    keep = np.append(x[:-1] <= x[-1], True)
    found = Polygon.from_left_half(x[keep], np.minimum(y[keep], 1.0 - x[keep]), 1.0 - y[keep], certainty)
    return replace(found, certain=float(deltas[-1]))


@dataclass(frozen=True, eq=False)
class WithDisclosure(TradeOff):
    """A curve of a release that also gives the secret away for certain with probability delta."""

    rest: TradeOff
    delta: float

    @property
    def certainty(self) -> str:  # type: ignore[override]
        """A bound where the curve is one; else reached by some release."""
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
