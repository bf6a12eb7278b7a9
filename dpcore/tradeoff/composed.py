"""Trade-offs of composed losses: corners from tilted laws, and continuous curves where Gaussian noise is mixed in."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from scipy.special import logit, ndtr

from dpcore import _checks
from dpcore._checks import FloatArray
from dpcore._properties import cached_property
from dpcore.privacy_loss import Bracket, PrivacyLoss
from dpcore.tradeoff.curves import BOUND, EXACT, Both, Polygon, TradeOff

_SMALLEST_FALSE_ALARM = 1e-40  # below it a composed curve keeps the detection of this rate, which is an upper bound
MOST_MIXED = 1 << 12  # atoms beside Gaussian losses; more are moved to a grid, on the safe side


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
class ComposedCurve(TradeOff):
    """The curve of a composed law of discrete and Laplace losses: corners from tilted laws, mirrored."""

    loss: PrivacyLoss
    certainty: str = EXACT

    @cached_property
    def _polygon(self) -> Polygon:
        return Polygon.from_left_half(*_corners(self.loss), self.certainty)

    @cached_property
    def _lower(self) -> Polygon:
        """Every loss rounded down: never above the true curve."""
        return Polygon.from_left_half(*_corners(self.loss, connect=False), self.certainty)

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
class MixedCurve(TradeOff):
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
            values, log_mass = self.loss.atoms(order, connect=connect, at_most=MOST_MIXED)
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
        sections, _, table_x, table_m = self._table
        x0, m0 = float(table_x[0]), float(table_m[0])
        left, right = false_alarm <= x0, false_alarm > m0
        found, missed = np.empty(false_alarm.shape), np.empty(false_alarm.shape)
        if left.any():
            x = false_alarm[left]
            c = self._threshold(np.log(x))
            at, y, m, _ = self._tests(c, sections)
            rise = np.exp(np.minimum(c, 700.0)) * (x - at)
            found[left], missed[left] = y + rise, m - rise
        if right.any():
            c = self._mirrored_threshold(false_alarm[right])
            at, _, m, _ = self._tests(c, sections)
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
        lower = Polygon.from_left_half(
            np.append(0.0, at[left][::-1]), np.append(0.0, y[left][::-1]), np.append(1.0, m[left][::-1]), BOUND
        )
        return Bracket(min(float(lower.detection(x)), high), high)
