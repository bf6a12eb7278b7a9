"""A mechanism of which only some facts are known: points of its (epsilon, delta), of its trade-off, or its losses."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Self, overload

import numpy as np
from numpy.typing import ArrayLike

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number
from dpcore._properties import cached_property
from dpcore.errors import Code, Refused
from dpcore.mechanisms.layers import Curve
from dpcore.mechanisms.losses import lower_hull

MOST_POINTS = 100_000
_LARGEST = 300.0  # epsilon whose power of e is still a number
_KEPT = 1 << 12  # losses at which a law is read; between them its curve runs below the chord
_MISSED_MASS = 1e-6  # by how much probabilities may pass one


@call_hint
@dataclass(frozen=True, kw_only=True)
class KnownCurve(Curve):
    """A mechanism by points (epsilon, delta) that it keeps, in whichever order of two neighbours.

    The promise is for one step, whichever the points are about: each says that no probability of an event exceeds
    e^epsilon times that of the same event beside a neighbour, and delta. Several points together allow less than each:
    between them lies the chord in e^epsilon, because the smallest delta is convex there. That is the largest curve of
    any mechanism with all of them, and some mechanism has it, so what follows is the most that the points allow: a
    bound for this one. Points of a trade-off (`of_trade_off`) and privacy losses (`of_losses`) become such points.

    It has no tails and no law of what is published; what needs them (accuracy, attacks, quantiles) is refused. Outputs
    drawn by simulation are no such fact: they make an `EstimatedCurve`.
    Source: kairouz, Theorem 2.1 (the region of several guarantees); dong, Proposition 2.12 (its curve and the deltas)
    Source: ours, the convex hull of the points; checked against linear programs over mechanisms

    Parameters
    ----------
    epsilons : sequence of float; each at least 0 and at most 300
    deltas : sequence of float; of the same length, each in [0, 1]

    Examples
    --------
    >>> two = KnownCurve(epsilons=(1.0, 0.2), deltas=(0.0, 0.3))
    >>> round(two.delta_at(0.0), 4)  # (e^.2 - 1 + .6)/(e^.2 + 1), where the first alone allows (e - 1)/(e + 1) = .4621
    0.3698
    """

    name = "known_curve"
    label = "a mechanism known by its curve"
    short = "known curve"

    epsilons: tuple[float, ...]
    deltas: tuple[float, ...]

    def __post_init__(self) -> None:
        epsilons = _column("epsilons", self.epsilons, _LARGEST)
        deltas = _column("deltas", self.deltas, 1.0)
        _same_length("deltas", deltas, epsilons)
        object.__setattr__(self, "epsilons", tuple(epsilons.tolist()))
        object.__setattr__(self, "deltas", tuple(deltas.tolist()))

    @classmethod
    def of_trade_off(cls, *, false_alarms: ArrayLike, missed: ArrayLike) -> KnownCurve:
        """From false alarms and the smallest share missed at each, or less: for either order of two neighbours.

        What is missed at a smaller false alarm is at least that at the next larger one; the curve is the largest that
        this and convexity leave. The chord between two points would be too favourable.

        Parameters
        ----------
        false_alarms : array_like; in [0, 1], rising
        missed : array_like; in [0, 1], never rising, no more than 1 less the false alarm

        Examples
        --------
        >>> read = KnownCurve.of_trade_off(false_alarms=[0.1, 0.2, 0.4], missed=[0.7, 0.55, 0.35])
        >>> round(read.delta_at(0.0), 9)  # just above .2 no less than .4 is missed: in the other order, at .35
        0.4
        """
        x, m = _column("false_alarms", false_alarms, 1.0), _column("missed", missed, 1.0)
        _same_length("missed", m, x)
        for name, values, broken, rule in (
            ("false_alarms", x, np.diff(x, prepend=-1.0) <= 0.0, "rise"),
            ("missed", m, np.diff(m, prepend=2.0) > 0.0, "never rise"),
            ("missed", m, x + m > 1.0 + 1e-9, "be at most 1 less the false alarm"),
        ):
            if broken.any():
                row = int(np.flatnonzero(broken)[0])
                raise Refused(name, f"{rule} (row {row + 1})", float(values[row]), Code.WRONG_ORDER)
        x, m = np.concatenate([x, m[::-1]]), np.concatenate([m, x[::-1]])  # the same in the other order
        order = np.lexsort((-m, x))
        x, m = x[order], np.maximum.accumulate(m[order][::-1])[::-1]
        corners_x, corners_m = np.concatenate([[0.0], x]), np.concatenate([m, [0.0]])  # just above x, the next missed
        kept = _corners(corners_x, corners_m)
        x, m = corners_x[kept], corners_m[kept]
        slopes = -np.diff(m) / np.diff(x)
        steep = (slopes > 1.0) & (slopes < math.exp(_LARGEST))
        deltas = 1.0 - m[:-1][steep] - slopes[steep] * x[:-1][steep]
        found = np.concatenate([[(1.0 - m - x).max()], deltas])
        return cls(
            epsilons=tuple(np.concatenate([[0.0], np.log(slopes[steep])]).tolist()),
            deltas=tuple(np.clip(found * (1 + 1e-15) + 1e-15, 0.0, 1.0).tolist()),
        )

    @classmethod
    def of_losses(
        cls,
        losses: ArrayLike,
        probabilities: ArrayLike,
        *,
        infinity_mass: float = 0.0,
        reverse: tuple[ArrayLike, ArrayLike, float] | None = None,
    ) -> Self:
        """From the law of the privacy loss, ln P/Q with the output drawn from P, and that in the reverse order.

        The law has to be one from above (rounded up, or split so that no delta falls; dp-accounting calls it a
        pessimistic estimate). Probability that is missing to one counts as that of an infinite loss.

        Parameters
        ----------
        losses : array_like; each finite
        probabilities : array_like; of the same length
        infinity_mass : float, optional; probability of an infinite loss
        reverse : tuple of object, optional; losses, probabilities and the infinite one in the other order of two
            neighbours, where that has a law of its own; without it what this one implies for the same two

        Examples
        --------
        >>> response = KnownCurve.of_losses([-1.0, 1.0], [0.26894142, 0.73105858])
        >>> round(response.delta_at(0.0), 6)  # tanh(1/2)
        0.462117
        """
        laws = [_deltas_of(losses, probabilities, infinity_mass)]
        if reverse is None:
            z, mass = (np.asarray(column, dtype=np.float64) for column in (losses, probabilities))
            beside = mass * np.exp(np.minimum(-z, 700.0))
            reverse = -z, np.minimum(beside, 1.0), max(1.0 - math.fsum(beside.tolist()), 0.0)
        given: Any = reverse
        if not isinstance(given, (tuple, list)) or len(given) != 3:
            raise Refused("reverse", "be losses, probabilities and the infinite one", given, Code.WRONG_SHAPE)
        laws.append(_deltas_of(given[0], given[1], given[2], "reverse "))
        knots = np.unique(np.concatenate([law[0] for law in laws]))
        if knots.size > _KEPT:
            knots = knots[np.unique(np.linspace(0, knots.size - 1, _KEPT).astype(np.int64))]
        deltas = np.maximum.reduce([law[1](knots) for law in laws])
        return cls(epsilons=tuple(knots.tolist()), deltas=tuple(np.minimum(deltas, 1.0).tolist()))

    @cached_property
    def _knots(self) -> tuple[FloatArray, FloatArray]:
        """The corners of the curve from epsilon 0 on: the lower hull in e^epsilon, and flat behind its lowest point."""
        epsilon, delta = np.array(self.epsilons), np.array(self.deltas)
        decay = np.exp(-epsilon)
        even = float(((1 - decay + 2 * delta * decay) / (1 + decay)).min())  # where the curve meets its mirror image
        order = np.lexsort((delta, epsilon))
        epsilon, delta = epsilon[order], np.minimum.accumulate(delta[order])
        first = np.concatenate([[True], np.diff(epsilon) > 0.0]) & (epsilon > 0.0)
        epsilon, delta = np.concatenate([[0.0], epsilon[first]]), np.concatenate([[even], delta[first]])
        delta = np.minimum.accumulate(delta)
        kept = lower_hull(epsilon, delta)
        epsilon, delta = epsilon[kept], delta[kept]
        last = int(np.argmin(delta)) + 1
        return epsilon[:last], delta[:last]

    @property
    def corners(self) -> FloatArray:
        """The epsilons at which the curve turns, from 0 on."""
        return self._knots[0]

    @overload
    def delta_at(self, epsilon: Number) -> float: ...
    @overload
    def delta_at(self, epsilon: ArrayLike) -> FloatArray: ...
    def delta_at(self, epsilon: ArrayLike) -> Any:
        """Smallest delta known at each epsilon of at least 0: on the chord in e^epsilon between the points."""
        at = _checks.array("epsilon", epsilon, 0.0)
        knots, deltas = self._knots
        if knots.size == 1:
            return _checks.scalar_or_array(np.full(at.shape, deltas[0]), epsilon)
        left = np.clip(np.searchsorted(knots, at, side="right") - 1, 0, knots.size - 2)
        low, middle, high = knots[left], np.minimum(at, knots[-1]), knots[left + 1]
        share = np.exp(middle - high) * np.expm1(low - middle) / np.expm1(low - high)
        return _checks.scalar_or_array(deltas[left] + share * (deltas[left + 1] - deltas[left]), epsilon)


@call_hint
@dataclass(frozen=True, kw_only=True)
class EstimatedCurve(KnownCurve):
    """A curve from privacy losses that were drawn by simulation: an estimate, which limits nothing.

    It makes no promise: what never came up in the draws is missing, above all a large loss that is rare. Draws bound a
    budget from below alone (`dpcore.audit`); what this one is used for is to be said as an estimate.
    Source: ours, the mean over draws of (1 - e^(epsilon - loss))+ is delta; the reverse order by weights e^-loss

    Parameters
    ----------
    epsilons, deltas : sequence of float; as those of `KnownCurve`; `of_draws` makes them

    Examples
    --------
    >>> drawn = EstimatedCurve.of_draws([1.0, 1.0, 1.0, -1.0])
    >>> drawn.is_estimate, round(drawn.delta_at(0.0), 4)
    (True, 0.4621)
    """

    name = "estimated_curve"
    label = "a mechanism estimated from simulated losses"
    short = "estimated curve"
    is_estimate = True

    @classmethod
    def of_draws(cls, losses: ArrayLike, *, reverse: ArrayLike | None = None) -> Self:
        """From losses ln P/Q of outputs drawn from P, each as likely as the other.

        Parameters
        ----------
        losses : array_like; each a number, or infinite where Q never gives that output
        reverse : array_like, optional; losses ln Q/P of outputs drawn from Q; without them P's are weighted anew

        Examples
        --------
        >>> round(EstimatedCurve.of_draws([0.5, 0.5], reverse=[0.5, -0.5]).delta_at(0.0), 4)
        0.2449
        """
        drawn = [_drawn("losses", losses), *([] if reverse is None else [_drawn("reverse", reverse)])]
        (one, each, infinite), *others = drawn
        if not others:
            weights = np.exp(-np.clip(one, -_LARGEST, _LARGEST))
            others = [(-one, weights / max(float(weights.sum()), 1e-300), 0.0)]
        return cls.of_losses(one, each, infinity_mass=infinite, reverse=others[0])


def _drawn(name: str, losses: ArrayLike) -> tuple[FloatArray, FloatArray, float]:
    """The finite ones of some draws, how likely each is, and how likely an infinite one."""
    drawn = _floats(name, losses)
    finite = np.isfinite(drawn)
    if drawn.ndim != 1:
        raise Refused(name, "be a list of numbers", drawn.tolist(), Code.WRONG_SHAPE)
    if not finite.any() or not (finite | (drawn == np.inf)).all():
        raise Refused(name, "hold numbers, of which some are finite, or inf", drawn.tolist(), Code.NOT_FINITE)
    return drawn[finite], np.full(int(finite.sum()), 1.0 / drawn.size), float(1.0 - finite.mean())


def _floats(name: str, values: ArrayLike) -> FloatArray:
    """As floats, whatever they are; text is refused."""
    try:
        given = np.asarray(values)
        return _checks.array(name, values) if given.dtype.kind in "US" else given.astype(np.float64)
    except (TypeError, ValueError):
        return _checks.array(name, values)


def _column(name: str, values: ArrayLike, most: float) -> FloatArray:
    """A column of numbers from 0 to the most; the first that is not is named with its row."""
    column = _floats(name, values)
    if column.ndim != 1 or not 0 < column.size <= MOST_POINTS:
        raise Refused(name, f"hold one number a row, 1 to {MOST_POINTS:,} of them", column.shape, Code.WRONG_SHAPE)
    broken = ~((column >= 0.0) & (column <= most))
    if broken.any():
        row = int(np.flatnonzero(broken)[0])
        raise Refused(name, f"lie in [0, {most:g}] (row {row + 1})", float(column[row]), Code.OUT_OF_RANGE)
    return column


def _same_length(name: str, one: FloatArray, other: FloatArray) -> None:
    if one.size != other.size:
        raise Refused(name, f"have a number for each row ({other.size})", one.size, Code.WRONG_SHAPE)


def _corners(x: FloatArray, height: FloatArray) -> list[int]:
    """Corners, by place from left to right, of the lower hull of points with x in order; the lowest of equals."""
    kept: list[int] = []
    for new in range(x.size):
        while kept and x[new] == x[kept[-1]] and height[new] <= height[kept[-1]]:
            kept.pop()
        if kept and x[new] == x[kept[-1]]:
            continue
        while len(kept) > 1:
            left, middle = kept[-2:]
            share = (x[middle] - x[left]) / (x[new] - x[left])
            if height[middle] < height[left] + share * (height[new] - height[left]):
                break
            kept.pop()
        kept.append(new)
    return kept


def _deltas_of(
    losses: ArrayLike, probabilities: ArrayLike, infinity_mass: float, order: str = ""
) -> tuple[FloatArray, Any]:
    """The losses above 0 at which the curve of a law has its corners, with 0, and its delta at each epsilon."""
    z = _checks.array(f"{order}losses", losses)
    if z.ndim != 1 or not 0 < z.size <= MOST_POINTS * 10:
        raise Refused(
            f"{order}losses", f"hold one number a row, 1 to {10 * MOST_POINTS:,} of them", z.shape, Code.WRONG_SHAPE
        )
    mass = _checks.array(f"{order}probabilities", probabilities, 0.0, 1.0 + _MISSED_MASS)
    _same_length(f"{order}probabilities", mass, z)
    infinite = _checks.number(f"{order}infinity_mass", infinity_mass, 0.0, 1.0)
    total = math.fsum(mass.tolist()) + infinite
    if total > 1.0 + _MISSED_MASS:
        raise Refused(f"{order}probabilities", "add up to at most 1 with the infinite one", total, Code.INCONSISTENT)
    infinite += max(1.0 - total, 0.0)
    rising = np.argsort(z)
    z, mass = z[rising], mass[rising]
    far = z > _LARGEST
    infinite, z, mass = infinite + float(mass[far].sum()), z[~far], mass[~far]

    def delta(epsilon: FloatArray) -> FloatArray:
        start = np.searchsorted(z, epsilon, side="right")
        above = np.concatenate([np.cumsum(mass[::-1])[::-1], [0.0]])
        faded = np.concatenate([np.cumsum((mass * np.exp(-np.maximum(z, -_LARGEST)))[::-1])[::-1], [0.0]])
        return np.asarray(infinite + np.maximum(above[start] - np.exp(epsilon) * faded[start], 0.0))

    return np.concatenate([[0.0], z[z > 0.0]]), delta
