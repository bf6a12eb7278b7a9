"""Drawn profiles: a line through nodes, or a grid of ratios, with its exact smallest epsilon.

An epsilon is allowed on a segment when g = F - 1 / r* is nowhere negative there, and F is linear along the segment.
Where 1 / r* is convex, g is concave and its minimum is at a node: ratios linear in the prior, steps, log-log lines
outside slopes (-1, 0), caps c0 + c1 u with c0 c1 <= 0. Where 1 / r* is concave, epsilon is quasi-convex along the
segment and one solve finds its only minimum. No grid is searched.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore.errors import Code, Refused
from dpcore.profiles.base import ProfileWithCandidates
from dpcore.profiles.point import (
    epsilon_from_shift,
    gain_over_prior,
    product_error,
    remaining_after_increase,
    remaining_after_ratio,
    shift_from_parts,
    shift_from_ratio,
    weights,
)
from dpcore.profiles.results import Axis, Candidates, InfeasibleProfile

LineKind = Literal["posterior", "ratio", "increase"]
KINDS: tuple[LineKind, ...] = get_args(LineKind)
Interpolation = Literal["posterior", "ratio", "log-log", "step"]
"""What is straight between two nodes of a drawn line."""

INTERPOLATIONS: tuple[Interpolation, ...] = get_args(Interpolation)
Outside = Literal["no requirement", "extend"]
OUTSIDE: tuple[Outside, ...] = get_args(Outside)

_BELOW_ONE = float(np.nextafter(1.0, 0.0))
_NEAR_ONE = 1e-4
_MOST_STEPS = 100  # the solve below takes 4 to 8


class _Segments(NamedTuple):
    """Segments of one family along the belief that varies.

    `left` and `right` are what is linear: rows (gain over the prior, 1 - cap) in the belief for the family "posterior",
    one row of ratios for "ratio", rows (log ratio, log cap) in the logarithm of the belief for "log-log".
    """

    family: str
    start: FloatArray
    stop: FloatArray
    left: FloatArray
    right: FloatArray


def _places(along: Axis, held: float, u: FloatArray) -> tuple[FloatArray, FloatArray]:
    other = np.full(u.shape, held)
    return (u, other) if along is Axis.MEMBERSHIP else (other, u)


def _shift_on(segments: _Segments, which: NDArray[Any] | slice, u: FloatArray, along: Axis, held: float) -> FloatArray:
    """Log-odds shift allowed at u on the given segments."""
    start, stop = segments.start[which], segments.stop[which]
    left, right = segments.left[:, which], segments.right[:, which]
    if segments.family == "log-log":
        width = np.log1p((stop - start) / start)
        log_ratio, log_cap = left * (np.log1p((stop - u) / u) / width) + right * (np.log1p((u - start) / start) / width)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # over: a ratio at prior 1e-300 and below
            return np.where(log_cap < 0.0, np.log1p(np.expm1(log_ratio) / -np.expm1(log_cap)), np.inf)
    share = (u - start) / (stop - start)
    value = left * (1.0 - share) + right * share
    if segments.family == "ratio":
        return shift_from_ratio(*_places(along, held, u), np.maximum(value[0], 1.0))
    with np.errstate(divide="ignore"):
        log_prior = np.log(u) + math.log(held)
    return shift_from_parts(value[0], u * held, value[1], log_prior)


def _slope_of_f(epsilon: FloatArray, along: Axis, held: float, value_exponent: float) -> FloatArray:
    """Slope of F along the varying belief at t = e^-epsilon."""
    other_value = -np.expm1(-value_exponent * epsilon)
    if along is Axis.VALUE:
        return held * other_value
    return -np.expm1(-epsilon) - (1.0 - held) * other_value


@call_hint
def lowest_on_linear_caps(
    *,
    start: FloatArray,
    stop: FloatArray,
    gain: tuple[FloatArray, FloatArray],
    remaining: tuple[FloatArray, FloatArray],
    along: Axis,
    held: float,
    value_exponent: float,
) -> FloatArray:
    """Where each segment of a linear cap has its smallest epsilon, given cap - prior and 1 - cap at both ends.

    What is asked for, and no promise yet: a highest belief that one person is in the data (presence, at value prior 1),
    has a value (at membership prior 1), or both; `budget` names the guarantee that keeps it. Exact where the cap has
    positive intercept and slope (1 / r* is concave); elsewhere an end decides and an end is returned. The minimum of F
    - 1 / r* for the best epsilon so far gives the next place: this falls to the minimum of a quasi-convex function and
    converges superlinearly. Where the share of each alternative is constant along the segment (only membership matters,
    the target is surely in, or exponent 1) the place is the root of a quadratic.
    """
    width = stop - start
    intercept = (gain[0] * stop - gain[1] * start) / width
    slope = held + (gain[1] - gain[0]) / width
    bent = (intercept > 0.0) & (slope > 0.0)
    result = start.copy()
    if not bent.any():
        return result
    low, high, a, b = start[bent], stop[bent], intercept[bent], slope[bent]
    if held == 1.0 or value_exponent == 1.0:
        per_prior = b / held
        excess = _gain_at_certainty(low, high, gain[0][bent], gain[1][bent], held)
        root = a * (1.0 - a) / (a * per_prior + np.sqrt(np.maximum(a * per_prior * excess, 0.0))) / held
        result[bent] = np.where(excess > 0.0, np.clip(root, low, high), high)
        return result
    segments = _Segments(
        "posterior",
        low,
        high,
        np.stack([gain[0][bent], remaining[0][bent]]),
        np.stack([gain[1], remaining[1]])[:, bent],
    )

    def next_place(epsilon: FloatArray) -> FloatArray:
        rise = _slope_of_f(epsilon, along, held, value_exponent)
        with np.errstate(over="ignore"):  # a budget next to nothing: the place runs out of the segment
            place = (np.sqrt(held * a / np.where(rise > 0.0, rise, 1.0)) - a) / b
        return np.where(rise > 0.0, np.clip(place, low, high), high)

    result[bent] = _descend(segments, next_place, along, held, value_exponent)
    return result


def _gain_at_certainty(
    start: FloatArray, stop: FloatArray, at_start: FloatArray, at_stop: FloatArray, held: float
) -> FloatArray:
    """Cap minus prior where a linear cap reaches prior 1: all its digits, for the place next to 1 is their root."""
    doubt_at_start = (1.0 - held) + held * (1.0 - start)
    doubt_at_stop = (1.0 - held) + held * (1.0 - stop)
    rise = at_stop * doubt_at_start
    difference = rise - at_start * doubt_at_stop
    if np.any(np.abs(difference) < 1e-6 * rise):  # elsewhere enough digits remain
        difference = difference + (product_error(at_stop, doubt_at_start) - product_error(at_start, doubt_at_stop))
    return difference / (held * (stop - start))


def _lowest_on_power_laws(segments: _Segments, along: Axis, held: float, value_exponent: float) -> FloatArray:
    """Where each log-log segment has its smallest epsilon; exact for slopes in (-1, 0), an end elsewhere."""
    width = np.log1p((segments.stop - segments.start) / segments.start)
    power, rest = (segments.left[0] - segments.right[0]) / width, (segments.right[1] - segments.left[1]) / width
    bent = (power > 0.0) & (rest > 0.0)  # 1 / r* is as u^power, the cap as u^rest: they add to 1
    result = segments.start.copy()
    if not bent.any():
        return result
    own = _Segments(
        segments.family,
        segments.start[bent],
        segments.stop[bent],
        segments.left[:, bent],
        segments.right[:, bent],
    )
    low, high, most = own.start, own.stop, width[bent]
    known = np.log(own.start) + own.left[0] - np.log(power[bent])

    def next_place(epsilon: FloatArray) -> FloatArray:
        rise = _slope_of_f(epsilon, along, held, value_exponent)
        step = -(np.log(np.where(rise > 0.0, rise, 1.0)) + known) / rest[bent]
        place = low * np.exp(np.clip(step, 0.0, most))
        return np.where(rise > 0.0, np.clip(place, low, high), high)

    result[bent] = _descend(own, next_place, along, held, value_exponent)
    return result


def _end_of_requirement(segments: _Segments) -> FloatArray:
    """Where along each segment the cap reaches 1, if it does, otherwise its end."""
    if segments.family != "posterior":
        return segments.stop
    at_start, at_stop = segments.left[1], segments.right[1]
    share = np.where(at_stop < 0.0, at_start / np.where(at_stop < 0.0, at_start - at_stop, 1.0), 1.0)
    return segments.start + np.clip(share, 0.0, 1.0) * (segments.stop - segments.start)


def _descend(segments: _Segments, next_place: Any, along: Axis, held: float, value_exponent: float) -> FloatArray:
    """Follow the minimum of F - 1 / r* until the smallest epsilon of each segment no longer falls."""

    def epsilon_at(u: FloatArray) -> FloatArray:
        shift = _shift_on(segments, slice(None), u, along, held)
        return epsilon_from_shift(shift, *weights(*_places(along, held, u)), value_exponent)

    best, lowest = segments.start, epsilon_at(segments.start)
    inner = 0.5 * (segments.start + _end_of_requirement(segments))
    for place in (segments.stop, inner):  # the middle: an end at prior 0, or with posterior 1, asks for nothing
        epsilon = epsilon_at(place)
        best, lowest = np.where(epsilon < lowest, place, best), np.minimum(epsilon, lowest)
    free = np.isinf(lowest)
    for _ in range(_MOST_STEPS):
        place = np.where(free, best, next_place(np.where(free, 1.0, lowest)))
        epsilon = epsilon_at(place)
        settled = np.all(epsilon * (1.0 + 1e-15) >= lowest)  # also infinity, for segments that ask for nothing
        best, lowest = np.where(epsilon < lowest, place, best), np.minimum(epsilon, lowest)
        if settled:
            break
    return best


@call_hint
@dataclass(frozen=True)
class DrawnLine(ProfileWithCandidates):
    """A profile drawn as a line through nodes, over one belief with the other held fixed.

    What is asked for, no promise yet: a highest belief in a presence, a value or both; `budget` names the guarantee.
    Source: thesis, (3.15); ours, the exact minimum over segments; checked by dense scans and in 60 digits

    Parameters
    ----------
    nodes : sequence of pair of float; beliefs in (0, 1] in increasing order, each with what is acceptable there; two
        nodes at one belief make a jump (both values hold there), three a single point that differs
    kind : {"posterior", "ratio", "increase"}; what the values are: the highest posterior in [prior, 1], the largest
        posterior / prior (at least 1), or the largest posterior - prior in [0, 1]. The prior of the disclosure is the
        belief times `held`.
    interpolation : {"posterior", "ratio", "log-log", "step"}; between nodes the posterior or the ratio is linear in the
        belief, or the ratio is linear in log-log, or each value (as given) holds up to the next node, that node
        included
    along : {"membership", "value"}; which belief varies along the line; it must be named, for with `held` at 1 the
        first is about presence and the second about a value, with half the budget where records are added or removed
    held : float; the other belief, in (0, 1]
    outside : {"no requirement", "extend"}; before the first and after the last node nothing is required, or the first
        and last values go on

    Raises
    ------
    InfeasibleProfile
        A `ValueError` with the place: ``nodes must accept at least the prior``.

    Examples
    --------
    >>> answer = DrawnLine([(1e-6, 0.200001), (0.8, 1.0)], along="membership").implied_epsilon()  # cap = prior + 0.2
    >>> round(answer.binding.prior, 9), round(answer.epsilon, 6)  # odds from 4 : 6 to 6 : 4, 2 log(1.5)
    (0.4, 0.81093)
    """

    nodes: Sequence[tuple[float, float]]
    kind: LineKind = "posterior"
    interpolation: Interpolation = "posterior"
    along: Literal["membership", "value", ""] = ""
    held: float = 1.0
    outside: Outside = "no requirement"
    _prior: FloatArray = field(init=False, repr=False, compare=False)
    _parts: FloatArray = field(init=False, repr=False, compare=False)
    _segments: tuple[_Segments, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        prior, value = _checked_nodes(self.nodes)
        _checks.choice("kind", self.kind, KINDS)
        _checks.choice("interpolation", self.interpolation, INTERPOLATIONS)
        _checks.choice("outside", self.outside, OUTSIDE)
        _checks.choice("along", self.along, ("membership", "value"))
        held = _checks.number("held", self.held, 0.0, 1.0, open_low=True)
        parts = _parts_at_nodes(self.kind, Axis(self.along), held, prior, value)
        object.__setattr__(self, "nodes", tuple(zip(prior.tolist(), value.tolist(), strict=True)))
        object.__setattr__(self, "_prior", prior)
        object.__setattr__(self, "_parts", parts)
        object.__setattr__(self, "_segments", tuple(self._drawn_segments(value, held)))

    @property
    def axis(self) -> Axis:
        """Which belief varies."""
        return Axis(self.along)

    @property
    def fixed(self) -> float:
        """The value of the belief that does not vary."""
        return float(self.held)

    def _drawn_segments(self, value: FloatArray, held: float) -> list[_Segments]:
        prior, parts = self._prior, self._parts
        wide = np.flatnonzero(prior[1:] > prior[:-1])
        start, stop = prior[wide], prior[wide + 1]
        made = []
        if wide.size and self.interpolation == "step":
            made.append(_constant(self.kind, self.axis, held, start, stop, value[wide], parts[:, wide]))
        elif wide.size and self.interpolation == "posterior":
            made.append(_Segments("posterior", start, stop, parts[:, wide], parts[:, wide + 1]))
        elif wide.size and self.interpolation == "log-log":
            rows = _logarithms(prior * held, parts)
            made.append(_Segments("log-log", start, stop, rows[:, wide], rows[:, wide + 1]))
        elif wide.size:
            ratio = value if self.kind == "ratio" else 1.0 + parts[0] / (prior * held)
            made.append(_Segments("ratio", start, stop, ratio[None, wide], ratio[None, wide + 1]))
        if self.outside == "extend":
            zero, one = np.zeros(1), np.ones(1)
            made.append(_constant(self.kind, self.axis, held, zero, prior[:1], value[:1], parts[:, :1]))
            if prior[-1] < 1.0:
                made.append(_constant(self.kind, self.axis, held, prior[-1:], one, value[-1:], parts[:, -1:]))
        return made

    def _shift_at_nodes(self) -> FloatArray:
        x = self._prior * self.held
        shift = shift_from_parts(self._parts[0], x, self._parts[1], np.log(self._prior) + math.log(self.held))
        return np.where((x == 1.0), np.inf, shift)

    def _shift(self, membership: FloatArray, value: FloatArray) -> FloatArray:
        u = membership if self.axis is Axis.MEMBERSHIP else value
        u = np.asarray(u, dtype=float)
        flat = u.ravel()
        result = np.full(flat.shape, np.inf)
        for segments in self._segments:
            count = segments.start.size
            for index in (
                np.searchsorted(segments.start, flat, side="right") - 1,
                np.searchsorted(segments.stop, flat, side="left"),
            ):
                index = np.clip(index, 0, count - 1)
                on = (flat >= segments.start[index]) & (flat <= segments.stop[index])
                if on.any():
                    shift = _shift_on(segments, index[on], flat[on], self.axis, self.held)
                    result[on] = np.minimum(result[on], shift)
        at_nodes = self._shift_at_nodes()
        first = np.searchsorted(self._prior, flat, side="left")
        last = np.searchsorted(self._prior, flat, side="right")
        for i in np.flatnonzero(last > first):
            result[i] = min(result[i], at_nodes[first[i] : last[i]].min())
        return np.where(flat * self.held == 1.0, np.inf, result).reshape(u.shape)

    def candidates(self, value_exponent: float) -> Candidates:
        """Places among which the smallest epsilon is certain to be: nodes, one place per bent segment, limits."""
        held, along = float(self.held), self.axis
        places, shifts, attained = [self._prior], [self._shift_at_nodes()], [np.ones(self._prior.size, dtype=bool)]
        for segments in self._segments:
            for u, shift in self._ends(segments):
                places.append(u)
                shifts.append(shift)
                attained.append(u > 0.0)
            if segments.family == "posterior":
                inner = lowest_on_linear_caps(
                    start=segments.start,
                    stop=segments.stop,
                    gain=(segments.left[0], segments.right[0]),
                    remaining=(segments.left[1], segments.right[1]),
                    along=along,
                    held=held,
                    value_exponent=value_exponent,
                )
            elif segments.family == "log-log":
                inner = _lowest_on_power_laws(segments, along, held, value_exponent)
            else:
                continue
            inside = (inner > segments.start) & (inner < segments.stop)
            if inside.any():
                u = inner[inside]
                places.append(u)
                shifts.append(_shift_on(segments, inside, u, along, held))
                attained.append(np.ones(u.size, dtype=bool))
        limit = self._limit_at_certainty()
        if limit is not None:
            places.append(np.array([1.0 if along is Axis.MEMBERSHIP else _BELOW_ONE]))
            shifts.append(np.array([limit]))
            attained.append(np.array([False]))
        u = np.concatenate(places)
        membership, value = _places(along, held, u)
        return Candidates(
            membership, value, np.concatenate(shifts), np.concatenate(attained), self._strictest(), "segment_minimum"
        )

    def _strictest(self) -> float:
        """The smallest posterior / prior: at a node, or where a piece that goes on beyond its node ends."""
        ratios = [1.0 + self._parts[0] / (self._prior * self.held)]
        for segments in self._segments:
            if segments.family == "posterior":
                end = _end_of_requirement(segments)
                share = (end - segments.start) / (segments.stop - segments.start)
                gain = segments.left[0] * (1.0 - share) + segments.right[0] * share
                with np.errstate(divide="ignore"):  # a line that allows everything from prior 0 on
                    ratios.append(1.0 + gain / (end * self.held))
        return float(np.concatenate(ratios).min())

    def _ends(self, segments: _Segments) -> list[tuple[FloatArray, FloatArray]]:
        """Ends of segments that are not nodes: right ends of steps, and where an extended line reaches 0 or 1."""
        if segments.family == "log-log" or (self.interpolation != "step" and self.outside != "extend"):
            return []
        held, along = float(self.held), self.axis
        ends = []
        for u, rows in ((segments.start, segments.left), (segments.stop, segments.right)):
            if segments.family == "posterior":
                with np.errstate(divide="ignore"):
                    log_prior = np.log(u) + math.log(held)
                shift = shift_from_parts(rows[0], u * held, rows[1], log_prior)
            else:
                shift = shift_from_ratio(*_places(along, held, u), rows[0])
            ends.append((u, np.where(u * held == 1.0, np.inf, shift)))
        return ends

    def _limit_at_certainty(self) -> float | None:
        """Shift approached where the line runs into prior 1, posterior 1: that point itself asks for nothing."""
        if self.held != 1.0 or self._prior[-1] != 1.0 or self._parts[:, -1].any() or not self._segments:
            return None
        last = self._segments[0]
        if last.stop[-1] != 1.0 or self.interpolation == "step":
            return None
        if last.family == "posterior" and last.left[1, -1] > 0.0:  # gain and 1 - cap fall to 0 in proportion
            return float(np.log1p(last.left[0, -1] / last.left[1, -1]))
        if last.family == "log-log" and last.right[0, -1] == 0.0:  # the cap is a power of u, its slope at 1
            slope = float(last.left[1, -1]) / math.log(last.start[-1])
            return -math.log(slope) if 0.0 < slope <= 1.0 else None
        return None


def _checked_nodes(nodes: ArrayLike) -> tuple[FloatArray, FloatArray]:
    try:
        pairs = np.asarray(nodes)
    except ValueError:
        pairs = np.empty(0)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.shape[0] < 1:
        raise Refused(
            "nodes", "be pairs (prior, value), at least one", nodes, Code.WRONG_SHAPE, got=_checks._shown(nodes)
        )
    prior = _checks.array("nodes (prior)", pairs[:, 0], 0.0, 1.0, open_low=True)
    value = _checks.array("nodes (value)", pairs[:, 1])
    falls = np.flatnonzero(np.diff(prior) < 0.0)
    if falls.size:
        before, after = float(prior[falls[0]]), float(prior[falls[0] + 1])
        raise Refused(
            "nodes",
            "be in increasing order of prior",
            (after, before),
            Code.WRONG_ORDER,
            got=f"{after!r} after {before!r}",
        )
    return prior, value


def _parts_at_nodes(kind: LineKind, along: Axis, held: float, prior: FloatArray, value: FloatArray) -> FloatArray:
    """Rows (cap - prior, 1 - cap) at each node, each taken without a difference where the kind allows it."""
    membership, other = _places(along, held, prior)
    x = prior * held
    if kind == "posterior":
        cap = _checks.array("nodes (value)", value, 0.0, 1.0)
        gain, remaining = gain_over_prior(membership, other, cap), 1.0 - cap
    elif kind == "ratio":
        gain, remaining = (value - 1.0) * x, remaining_after_ratio(membership, other, value)
    else:
        gain = _checks.array("nodes (value)", value, -1.0, 1.0)
        remaining = remaining_after_increase(membership, other, value)
    low = np.flatnonzero(gain < 0.0)
    if low.size:
        i = int(low[0])
        shown = {"posterior": float(x[i]), "ratio": 1.0, "increase": 0.0}[kind]
        raise InfeasibleProfile(
            "nodes",
            f"accept at least the prior ({kind} {shown:.6g} at prior {float(prior[i]):.6g})",
            float(value[i]),
            membership_prior=float(membership[i]),
            value_prior=float(other[i]),
        )
    return np.stack([gain, remaining])


def _logarithms(prior: FloatArray, parts: FloatArray) -> FloatArray:
    """Rows (log ratio, log cap) of nodes: next to cap 1 the second has the digits that the first has lost."""
    gain, remaining = parts
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        log_cap = np.where(remaining < 0.5, np.log1p(-remaining), np.log(prior + gain))
        return np.stack([np.log1p(gain / prior), log_cap])


def _constant(
    kind: LineKind, along: Axis, held: float, start: FloatArray, stop: FloatArray, value: FloatArray, parts: FloatArray
) -> _Segments:
    """Segments on which the drawn value does not change."""
    if kind == "ratio":
        return _Segments("ratio", start, stop, value[None], value[None])
    if kind == "increase":
        return _Segments(
            "posterior",
            start,
            stop,
            np.stack([value, remaining_after_increase(*_places(along, held, start), value)]),
            np.stack([value, remaining_after_increase(*_places(along, held, stop), value)]),
        )
    at_start = gain_over_prior(*_places(along, held, start), value)
    at_stop = gain_over_prior(*_places(along, held, stop), value)
    low = np.flatnonzero(at_stop < 0.0)
    if low.size:
        i = int(low[0])
        membership, other = _places(along, held, stop[i : i + 1])
        raise InfeasibleProfile(
            "nodes",
            f"accept at least the prior (posterior {float(stop[i]) * held:.6g} where the step ends)",
            float(value[i]),
            membership_prior=float(membership[0]),
            value_prior=float(other[0]),
        )
    return _Segments("posterior", start, stop, np.stack([at_start, parts[1]]), np.stack([at_stop, parts[1]]))


@call_hint
@dataclass(frozen=True)
class DrawnGrid(ProfileWithCandidates):
    """A profile drawn as ratios on a grid of both beliefs, bilinear on each rectangle; nothing is required outside.

    What is asked for, no promise yet: a highest belief in a presence, a value or both; `budget` names the guarantee.
    Along any line of the grid's two directions the ratio is linear, so 1 / r* is convex and F - 1 / r* concave: its
    minimum over a rectangle is at a corner, and the smallest epsilon is at a node, however narrow a dip is.
    Source: thesis, (3.15); ours, grid nodes suffice; checked by dense scans

    Parameters
    ----------
    membership_priors, value_priors : sequence of float; grid lines in (0, 1], strictly increasing
    ratios : array_like of shape (len(membership_priors), len(value_priors)); largest acceptable posterior / prior at
        the nodes, at least 1

    Raises
    ------
    InfeasibleProfile
        A `ValueError` with the place: ``ratios must be at least 1``.

    Examples
    --------
    >>> grid = DrawnGrid(membership_priors=[0.2, 0.5], value_priors=[0.3, 0.6], ratios=[[3, 1.01], [2.1, 1.5]])
    >>> answer = grid.implied_epsilon()
    >>> answer.binding.membership_prior, answer.binding.value_prior
    (0.2, 0.6)
    """

    _: KW_ONLY
    membership_priors: Sequence[float]
    value_priors: Sequence[float]
    ratios: Sequence[Sequence[float]]
    _p: FloatArray = field(init=False, repr=False, compare=False)
    _q: FloatArray = field(init=False, repr=False, compare=False)
    _r: FloatArray = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        lines = []
        for name in ("membership_priors", "value_priors"):
            given = np.atleast_1d(_checks.array(name, getattr(self, name), 0.0, 1.0, open_low=True))
            if not given.size:
                raise Refused(name, "hold at least one grid line", (), Code.EMPTY, got="none")
            lines.append(_checks.increasing(name, given.tolist()))
        ratios = _checks.array("ratios", self.ratios)
        if ratios.shape != (lines[0].size, lines[1].size):
            raise Refused(
                "ratios",
                "have one row per membership prior and one column per value prior",
                ratios.shape,
                Code.WRONG_SHAPE,
                got=f"shape {ratios.shape}",
            )
        if (ratios < 1.0).any():
            i, j = np.argwhere(ratios < 1.0)[0]
            p, q, r = float(lines[0][i]), float(lines[1][j]), float(ratios[i, j])
            raise InfeasibleProfile(
                "ratios",
                f"be at least 1 (at membership prior {p:.6g}, value prior {q:.6g})",
                r,
                membership_prior=p,
                value_prior=q,
            )
        object.__setattr__(self, "membership_priors", tuple(lines[0].tolist()))
        object.__setattr__(self, "value_priors", tuple(lines[1].tolist()))
        object.__setattr__(self, "ratios", tuple(map(tuple, ratios.tolist())))
        for name, held in (("_p", lines[0]), ("_q", lines[1]), ("_r", ratios)):
            object.__setattr__(self, name, held)

    @property
    def axis(self) -> Axis:
        """Both beliefs vary."""
        return Axis.BOTH

    @property
    def fixed(self) -> None:
        """No belief is held fixed."""
        return None

    def _shift(self, membership: FloatArray, value: FloatArray) -> FloatArray:
        membership, value = np.broadcast_arrays(membership, value)
        inside = (
            (membership >= self._p[0]) & (membership <= self._p[-1]) & (value >= self._q[0]) & (value <= self._q[-1])
        )
        i, across = _cell(self._p, membership)
        j, up = _cell(self._q, value)
        next_i, next_j = np.minimum(i + 1, self._p.size - 1), np.minimum(j + 1, self._q.size - 1)
        low = self._r[i, j] * (1.0 - up) + self._r[i, next_j] * up
        high = self._r[next_i, j] * (1.0 - up) + self._r[next_i, next_j] * up
        ratio = np.maximum(low * (1.0 - across) + high * across, 1.0)
        return np.where(inside, shift_from_ratio(membership, value, ratio), np.inf)

    def candidates(self, value_exponent: float) -> Candidates:
        """Places among which the smallest epsilon is certain to be: the nodes."""
        membership, value = (array.ravel() for array in np.meshgrid(self._p, self._q, indexing="ij"))
        shift = shift_from_ratio(membership, value, self._r.ravel())
        return Candidates(membership, value, shift, np.ones(shift.size, dtype=bool), float(self._r.min()), "grid_nodes")


def _cell(lines: FloatArray, at: FloatArray) -> tuple[Any, FloatArray]:
    """Which cell of a grid line a coordinate falls in, and how far across it."""
    if lines.size == 1:
        return np.zeros(np.shape(at), dtype=int), np.zeros(np.shape(at))
    index = np.clip(np.searchsorted(lines, at, side="right") - 1, 0, lines.size - 2)
    return index, np.clip((at - lines[index]) / (lines[index + 1] - lines[index]), 0.0, 1.0)
