"""Profiles made of several: the strictest of them at every prior, their mean and their median on the log-odds scale.

They say what several parties could sign together. The pointwise minimum keeps every party's promise, so its epsilon is
the smallest of theirs, exactly. The mean of log odds gives each party part of what it asked for, the median half of the
parties at each prior; their epsilons are found by branch and bound and come with a certified lower end.
"""

from __future__ import annotations

import dataclasses
import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore._checks import FloatArray, Number
from dpcore.errors import Code, Refused
from dpcore.profiles.base import RiskProfile, risk_profiles
from dpcore.profiles.drawn import DrawnLine
from dpcore.profiles.point import epsilon_from_shift, shift_from_epsilon, weights
from dpcore.profiles.results import Axis, Certainty, ImpliedEpsilon, Place, Status
from dpcore.profiles.templates import Box, CapOrRatio, Constant, LargestIncrease

_LOWEST = 1e-12  # below it, and below every breakpoint, a line's ratio rises towards prior 0
_GRID_STEPS = 96
_MOST_ROUNDS = 60
_MOST_GRID_STEPS = 1_000_000
_MOST_SHIFTS = 200_000  # points of all members held at once
_LEAST_INTERVALS = 2_000
_CLOSE = 1e-7  # relative width at which the bracket is good enough


def _checked_members(profiles: Sequence[RiskProfile]) -> tuple[RiskProfile, ...]:
    """At least one profile, all along the same belief with the other held at the same value."""
    members = risk_profiles(profiles)
    first = members[0]
    for other in members[1:]:
        if other.axis is not first.axis or other.fixed != first.fixed:
            raise Refused(
                "profiles",
                "vary along the same belief with the other held at the same value",
                (first.axis.value, first.fixed, other.axis.value, other.fixed),
                Code.INCONSISTENT,
                got=f"{first.axis.value} ({first.fixed}) and {other.axis.value} ({other.fixed})",
            )
    return members


@dataclass(frozen=True)
class PointwiseMinimum(RiskProfile):
    """The strictest of several profiles at every prior: what keeps the promise of each.

    What is asked for, no promise yet: a highest belief in a presence, a value or both; `budget` names the guarantee.
    The largest epsilon at a prior grows with the bound there, so the epsilon of the minimum is the smallest of the
    members' epsilons, decided where that member is decided: exact if the members are, a certified bracket or an
    estimate if one of them is.
    Source: thesis, (3.15); ours, the infimum of a minimum is the smallest of the infima

    Parameters
    ----------
    profiles : sequence of RiskProfile; one or more, along the same belief with the other held at the same value

    Examples
    --------
    >>> both = PointwiseMinimum([CapOrRatio(0.25, 3, value_prior=1.0), Constant(4, value_prior=1.0)])
    >>> round(both.implied_epsilon().epsilon, 6)  # log(2.75 / 0.75), below log(4)
    1.299283
    """

    profiles: Sequence[RiskProfile]

    def __post_init__(self) -> None:
        object.__setattr__(self, "profiles", _checked_members(self.profiles))

    @property
    def axis(self) -> Axis:
        """Which belief varies."""
        return self.profiles[0].axis

    @property
    def fixed(self) -> float | None:
        """The value of the belief that does not vary; None when both do."""
        return self.profiles[0].fixed

    def _shift(self, membership: FloatArray, value: FloatArray) -> FloatArray:
        least: FloatArray = np.min([profile._shift(membership, value) for profile in self.profiles], axis=0)
        return least

    def implied_epsilon(self, *, value_exponent: float = 2.0) -> ImpliedEpsilon:
        """The smallest of the members' epsilons, as certain as the least certain of them."""
        found = [profile.implied_epsilon(value_exponent=value_exponent) for profile in self.profiles]
        least = min(found, key=lambda each: each.epsilon)
        certainties = {each.certainty for each in found}
        certainty = Certainty.ESTIMATE if Certainty.ESTIMATE in certainties else Certainty.BRACKET
        return dataclasses.replace(
            least,
            lower=min(each.lower for each in found),
            certainty=Certainty.EXACT if certainties == {Certainty.EXACT} else certainty,
            strictest_ratio=min(each.strictest_ratio for each in found),
            profile=self,
        )


class _LogOddsMiddle(RiskProfile):
    """A line between the members' lines: at each prior a middle of their log odds that rises with each of them."""

    profiles: Sequence[RiskProfile]

    @staticmethod
    @abstractmethod
    def _middle(shifts: FloatArray) -> FloatArray:
        """The middle of the members' shifts, one row a member; no smaller where a shift is larger."""

    def __post_init__(self) -> None:
        members = _checked_members(self.profiles)
        for profile in members:
            known = isinstance(profile, Constant | CapOrRatio | LargestIncrease | Box | DrawnLine)
            if not known or profile.axis is Axis.BOTH:
                raise Refused(
                    "profiles",
                    "be templates or drawn lines along one belief",
                    (type(profile).__name__, profile.axis.value),
                    Code.UNSUPPORTED,
                    got=f"{type(profile).__name__} along {profile.axis.value}",
                )
        object.__setattr__(self, "profiles", members)

    @property
    def axis(self) -> Axis:
        """Which belief varies."""
        return self.profiles[0].axis

    @property
    def fixed(self) -> float:
        """The value of the belief that does not vary."""
        return float(self.profiles[0].fixed or 1.0)

    def _shift(self, membership: FloatArray, value: FloatArray) -> FloatArray:
        return self._middle(np.stack([profile._shift(membership, value) for profile in self.profiles]))

    def _at(self, u: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The pair of beliefs at a place along the line."""
        other = np.full(u.shape, self.fixed)
        return (u, other) if self.axis is Axis.MEMBERSHIP else (other, u)

    def implied_epsilon(self, *, value_exponent: float = 2.0) -> ImpliedEpsilon:
        """Certified bracket for the largest epsilon that keeps every attacker under the line."""
        exponent = _checks.number("value_exponent", value_exponent, 0.0, 2.0)
        own = [profile.implied_epsilon(value_exponent=exponent) for profile in self.profiles]
        search = _MiddleSearch(self, [each.lower for each in own], exponent)
        place, epsilon, lower = search.run()
        vacuous = math.isinf(epsilon)
        approached = place <= search.between.start
        membership, value = self._at(np.array([0.0 if approached else place]))
        return ImpliedEpsilon(
            epsilon=epsilon,
            lower=epsilon if vacuous else min(lower, epsilon),
            certainty=Certainty.BRACKET,
            status=Status.BINDS_NOTHING if vacuous else Status.ZERO_BUDGET if epsilon == 0.0 else Status.BINDS,
            binding=None if vacuous else Place(float(membership[0]), float(value[0])),
            attained=not vacuous and not approached,
            formula="branch_and_bound",
            strictest_ratio=search.strictest,
            value_exponent=exponent,
            profile=self,
        )


@dataclass(frozen=True)
class LogOddsMean(_LogOddsMiddle):
    """The mean of several profiles on the log-odds scale: logit of the highest posterior is the mean of theirs.

    What is asked for, no promise yet: a highest belief in a presence, a value or both; `budget` names the guarantee.
    Where one member requires nothing its log odds are infinite, and so is the mean: the mean requires nothing there. At
    every prior the mean lies between the strictest and the loosest member, so its epsilon is at least the smallest of
    theirs.

    `implied_epsilon` is a certified bracket: `epsilon` is the value at the best prior found and `lower` holds at every
    prior, by branch and bound. On an interval between breakpoints each member's posterior and posterior / prior are
    smallest at an end, which bounds its log-odds shift from below; a second bound is the member's own epsilon.
    Source: ours, checked by dense scans

    Parameters
    ----------
    profiles : sequence of Constant, CapOrRatio, LargestIncrease, Box or DrawnLine; one or more, along one belief with
        the other held at the same value

    Examples
    --------
    >>> mean = LogOddsMean([Constant(2, value_prior=1.0), Constant(8, value_prior=1.0)])
    >>> answer = mean.implied_epsilon()  # (log 2 + log 8) / 2 = log 4, approached as the prior tends to 0
    >>> round(answer.epsilon, 6), answer.attained
    (1.386294, False)
    """

    profiles: Sequence[RiskProfile]

    @staticmethod
    def _middle(shifts: FloatArray) -> FloatArray:
        return np.asarray(shifts.mean(axis=0))


@dataclass(frozen=True)
class LogOddsMedian(_LogOddsMiddle):
    """The median of several profiles at every prior, on the log-odds scale: the middle line of a room.

    What is asked for, no promise yet: a highest belief in a presence, a value or both; `budget` names the guarantee.
    Parameters and refusals are those of `LogOddsMean`.

    Of an odd number of members the median is one of them at each prior, and its largest epsilon there is the median of
    theirs. Of an even number it is the mean of the two middle log odds; where the looser of those two requires nothing,
    neither does the median. One member, however strict or loose, moves it no further than its neighbours in order.

    Its epsilon is at least the median of the members' epsilons (the lower one of two), and can be larger than all of
    them: three lines that are strict at three different priors have a median that is strict nowhere. So it is no
    budget that half of the members would be content with; `lines_kept` says which are.

    `implied_epsilon` is a certified bracket, found as that of `LogOddsMean`: the median rises with each member, so the
    median of lower bounds is a lower bound.
    Source: ours, checked by dense scans

    Examples
    --------
    >>> lines = [Constant(ratio, value_prior=1.0) for ratio in (2, 3, 40)]
    >>> round(LogOddsMedian(lines).implied_epsilon().epsilon, 6)  # log 3, however loose the third is
    1.098612
    """

    profiles: Sequence[RiskProfile]

    @staticmethod
    def _middle(shifts: FloatArray) -> FloatArray:
        return np.asarray(np.median(shifts, axis=0))


@overload
def middle_half(profiles: Sequence[RiskProfile], prior: Number) -> tuple[float, float]: ...
@overload
def middle_half(profiles: Sequence[RiskProfile], prior: ArrayLike) -> tuple[FloatArray, FloatArray]: ...
def middle_half(profiles: Sequence[RiskProfile], prior: ArrayLike) -> tuple[Any, Any]:
    """The band of highest posteriors that holds at least half of several lines at each prior.

    It compares what is asked for: no promise belongs to it.
    Source: ours, order statistics at each prior

    Parameters
    ----------
    profiles : sequence of RiskProfile; one or more, along one belief with the other held at the same value
    prior : array_like; belief that varies, in (0, 1]

    Returns
    -------
    pair of float or ndarray
        Lower and upper end: lines of the members, a quarter of them (rounded down) below and a quarter above. Exact.

    Examples
    --------
    >>> lines = [Constant(ratio, value_prior=1.0) for ratio in (1.5, 2, 3, 4, 5)]
    >>> low, high = middle_half(lines, 0.1)
    >>> round(low, 9), round(high, 9)
    (0.2, 0.4)
    """
    members = _checked_members(profiles)
    if members[0].axis is Axis.BOTH:
        raise Refused("profiles", "vary along one belief", members[0].axis, Code.UNSUPPORTED, got="both")
    ordered = np.sort([profile.highest_posterior(prior) for profile in members], axis=0)
    left_out = len(members) // 4
    low, high = ordered[left_out], ordered[len(members) - 1 - left_out]
    return _checks.scalar_or_array(np.asarray(low), prior), _checks.scalar_or_array(np.asarray(high), prior)


def _breakpoints(profile: RiskProfile) -> list[float]:
    """Places along a member's line where it changes its form or jumps."""
    held = float(profile.fixed or 1.0)
    if isinstance(profile, DrawnLine):
        return [float(u) for u in profile._prior]
    if isinstance(profile, Box):
        return list(profile.membership_range if profile.axis is Axis.MEMBERSHIP else profile.value_range)
    if isinstance(profile, LargestIncrease):
        return [(1.0 - profile.increase) / held]
    ratio = float(profile.ratio)  # type: ignore[attr-defined]
    switch = [profile.cap / ratio / held] if isinstance(profile, CapOrRatio) else []
    return [*switch, 1.0 / (ratio * held)]


class _Breakpoints:
    """Where the members of a middle line change their form, and how low each of them is there.

    For each member the lowest ratio and the largest remaining 1 - posterior over any run of neighbouring breakpoints
    are looked up in tables for runs of 1, 2, 4, ... of them.
    """

    def __init__(self, line: _LogOddsMiddle) -> None:
        self.places = [np.unique([u for u in _breakpoints(profile) if 0.0 < u < 1.0]) for profile in line.profiles]
        self.all = np.unique(np.concatenate(self.places))
        self.start = min(_LOWEST, 1e-6 * float(self.all[0])) if self.all.size else _LOWEST
        most = max(1, max(own.size for own in self.places))
        ratio = np.full((len(self.places), most), np.inf)
        rest = np.full(ratio.shape, -np.inf)
        for i, (profile, own) in enumerate(zip(line.profiles, self.places, strict=True)):
            if own.size:
                membership, value = line._at(own)
                shift = profile._shift(membership, value)
                ratio[i, : own.size], rest[i, : own.size] = _log_ratio_and_remaining(membership * value, shift)
        self.ratios, self.rests = [ratio], [rest]
        for level in range(most.bit_length() - 1):
            run = 1 << level
            self.ratios.append(np.minimum(self.ratios[-1][:, :-run], self.ratios[-1][:, run:]))
            self.rests.append(np.maximum(self.rests[-1][:, :-run], self.rests[-1][:, run:]))

    def lowest(self, start: FloatArray, stop: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Lowest log ratio and largest log of 1 - posterior at the members' breakpoints inside each interval."""
        first = np.stack([np.searchsorted(own, start, side="right") for own in self.places])
        last = np.stack([np.searchsorted(own, stop, side="left") for own in self.places])
        ratio, rest = np.full(first.shape, np.inf), np.full(first.shape, -np.inf)
        level = np.frexp(np.maximum(last - first, 0))[1] - 1
        for k in range(len(self.ratios)):
            member, interval = np.nonzero(level == k)
            begin, end = first[member, interval], last[member, interval] - (1 << k)
            table = self.ratios[k]
            ratio[member, interval] = np.minimum(table[member, begin], table[member, end])
            table = self.rests[k]
            rest[member, interval] = np.maximum(table[member, begin], table[member, end])
        return ratio, rest

    def middle(self, start: FloatArray, stop: FloatArray) -> FloatArray:
        """Where each interval is cut: at the middle one of the breakpoints inside it, else in its middle."""
        first = np.searchsorted(self.all, start, side="right")
        last = np.searchsorted(self.all, stop, side="left")
        between = np.where(start > 0.01, 0.5 * (start + stop), np.sqrt(start * stop))
        if not self.all.size:
            return between
        cut = self.all[np.minimum((first + last) // 2, self.all.size - 1)]
        return np.where(last > first, cut, between)


class _MiddleSearch:
    """Branch and bound for the smallest epsilon of a middle of log odds along one belief."""

    def __init__(self, line: _LogOddsMiddle, lowest_of_members: Sequence[float], exponent: float) -> None:
        self.line, self.exponent = line, exponent
        self.lowest_of_members = np.array(lowest_of_members)
        self.between = _Breakpoints(line)
        self.strictest = math.inf
        self.best, self.place = math.inf, 1.0

    def epsilon_at(self, u: FloatArray, shift: FloatArray) -> FloatArray:
        return epsilon_from_shift(shift, *weights(*self.line._at(u)), self.exponent)

    def measured(self, u: FloatArray) -> FloatArray:
        """Members' shifts at places, one row each; the best place so far is kept."""
        where = self.line._at(u)
        shifts = np.stack([profile._shift(*where) for profile in self.line.profiles])
        shift = self.line._middle(shifts)
        epsilon = self.epsilon_at(u, shift)
        lowest = int(np.argmin(epsilon))
        if epsilon[lowest] < self.best:
            self.best, self.place = float(epsilon[lowest]), float(u[lowest])
        log_ratio, _ = _log_ratio_and_remaining(where[0] * where[1], shift)
        asked = np.where(np.isfinite(shift), log_ratio, math.inf)  # a posterior of 1 at prior 1 is no ratio of 1
        self.strictest = min(self.strictest, float(np.exp(asked.min())))
        return shifts

    def bound(self, start: FloatArray, stop: FloatArray, left: FloatArray, right: FloatArray) -> FloatArray:
        """Certain lower bound of epsilon on each interval, given the members' shifts at its ends."""
        (p0, q0), (p1, q1) = self.line._at(start), self.line._at(stop)
        x0, x1 = p0 * q0, p1 * q1
        share0, share1 = weights(p0, q0), weights(p1, q1)
        (ratio0, rest0), (ratio1, rest1) = _log_ratio_and_remaining(x0, left), _log_ratio_and_remaining(x1, right)
        ratio, rest = self.between.lowest(start, stop)
        ratio, rest = np.minimum(np.minimum(ratio0, ratio1), ratio), np.maximum(np.maximum(rest0, rest1), rest)
        with np.errstate(divide="ignore", invalid="ignore"):
            by_ends = ratio + np.log1p(-x1) - rest
        by_ends = np.where(np.isneginf(rest), np.inf, by_ends)
        certain = np.broadcast_to(self.lowest_of_members[:, None], left.shape)
        by_own = np.minimum(
            shift_from_epsilon(certain, *share0, self.exponent), shift_from_epsilon(certain, *share1, self.exponent)
        )
        shift = self.line._middle(np.where(by_ends >= by_own, by_ends, by_own))  # a nan in by_ends loses
        return np.minimum(
            epsilon_from_shift(shift, *share0, self.exponent), epsilon_from_shift(shift, *share1, self.exponent)
        )

    def run(self) -> tuple[float, float, float]:
        """Best place, its epsilon, and what is certain everywhere."""
        grid = np.unique(
            np.concatenate([np.geomspace(self.between.start, 1.0, _GRID_STEPS), np.linspace(0, 1, 65)[1:]])
        )
        shifts = self.measured(grid)
        # towards prior 0 a line's ratio does not fall, so the shift there is at least the log of the first ratio
        where = self.line._at(grid[:1])
        first = np.stack([_log_ratio_and_remaining(where[0] * where[1], row[:1])[0] for row in shifts])
        first = np.where(np.isinf(shifts[:, :1]), np.inf, first)
        settled = float(self.bound_at_zero(grid[:1], self.line._middle(first))[0])
        at_once = max(_LEAST_INTERVALS, _MOST_SHIFTS // len(self.line.profiles))
        for begin in range(0, grid.size - 1, at_once):
            settled = min(settled, self.certain_on(grid[begin : begin + at_once + 1], at_once))
        return self.place, self.best, settled * (1.0 - 1e-12)

    def certain_on(self, nodes: FloatArray, at_once: int) -> float:
        """What is certain between the first and the last of some neighbouring nodes."""
        shifts, settled = self.measured(nodes), math.inf
        start, stop, left, right = nodes[:-1], nodes[1:], shifts[:, :-1], shifts[:, 1:]
        for _ in range(_MOST_ROUNDS):
            lower = self.bound(start, stop, left, right)
            done = lower >= self.best * (1.0 - _CLOSE)
            settled = min([settled, *lower[done].tolist()])
            start, stop, left, right = start[~done], stop[~done], left[:, ~done], right[:, ~done]
            middle = self.between.middle(start, stop)
            stuck = ~((middle > start) & (middle < stop))
            if start.size == 0 or stuck.any() or start.size > at_once:
                return min([settled, *lower[~done].tolist()])
            between = self.measured(middle)
            start, stop = np.concatenate([start, middle]), np.concatenate([middle, stop])
            left, right = np.concatenate([left, between], axis=1), np.concatenate([between, right], axis=1)
        return min([settled, *self.bound(start, stop, left, right).tolist()])

    def bound_at_zero(self, u: FloatArray, shift: FloatArray) -> FloatArray:
        """Epsilon of a shift on (0, u], where the share of the alternatives runs from its value at u to that at 0."""
        at_zero = weights(*self.line._at(np.full(u.shape, 1e-300)))
        return np.minimum(self.epsilon_at(u, shift), epsilon_from_shift(shift, *at_zero, self.exponent))


def _log_ratio_and_remaining(prior: FloatArray, shift: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Log of posterior / prior and of 1 - posterior, from the log-odds shift."""
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        finite = np.where(np.isinf(shift), 0.0, shift)
        grown = np.log1p(prior * np.expm1(finite))
        never = np.isinf(shift)
        log_ratio = np.where(never, -np.log(prior), finite - grown)
        remaining = np.where(never, -np.inf, np.log1p(-prior) - grown)
    return log_ratio, remaining


@dataclass(frozen=True)
class StrictestRange:
    """Priors at which the same profiles ask for most.

    It compares what is asked for: no promise belongs to it.

    Attributes
    ----------
    start, stop : float; belief that varies, from and to
    profiles : tuple of int; places of the strictest profiles in the list: several where they ask for the same, none
        where nothing is required

    Examples
    --------
    >>> from dpcore.profiles import CapOrRatio, Constant
    >>> ranges = strictest_ranges([Constant(2, value_prior=1.0), CapOrRatio(0.25, 3, value_prior=1.0)])
    >>> [(round(each.start, 2), round(each.stop, 2), each.profiles) for each in ranges]
    [(0.0, 0.5, (0,)), (0.5, 1.0, ())]
    """

    start: float
    stop: float
    profiles: tuple[int, ...]


def strictest_ranges(profiles: Sequence[RiskProfile], *, steps: int = 400) -> tuple[StrictestRange, ...]:
    """Which profiles are the strictest at which priors, as ranges in rising order.

    It compares what is asked for: no promise belongs to it. An estimate: a range narrower than a grid step may be
    missed, and profiles that part by less than 1e-9 of their log-ratio count as equally strict.
    Source: ours, a grid with halving

    Parameters
    ----------
    profiles : sequence of RiskProfile; one or more, along one belief with the other held at the same value
    steps : int; grid steps from 1e-6 to 1, 2 to 1,000,000; the ends of ranges are then halved down to 1e-12

    Examples
    --------
    >>> lines = [CapOrRatio(0.25, 3, value_prior=1.0), Constant(4, value_prior=1.0)]
    >>> [(round(r.start, 6), round(r.stop, 6), r.profiles) for r in strictest_ranges(lines)]  # 0.25 / p = 4 at 1 / 16
    [(1e-06, 0.0625, (1,)), (0.0625, 0.333333, (0,)), (0.333333, 1.0, ())]
    """
    members = _checked_members(profiles)
    _checks.count("steps", steps, 2, _MOST_GRID_STEPS)
    if members[0].axis is Axis.BOTH:
        raise Refused("profiles", "vary along one belief", members[0].axis, Code.UNSUPPORTED, got="both")

    def strictest(u: FloatArray) -> NDArray[np.bool_]:
        other = np.full(u.shape, float(members[0].fixed or 1.0))
        where = (u, other) if members[0].axis is Axis.MEMBERSHIP else (other, u)
        shifts = np.stack([profile._shift(*where) for profile in members])
        least = shifts.min(axis=0)
        return np.isfinite(least) & (shifts <= least + 1e-9 * np.abs(least))

    grid = np.unique(np.concatenate([np.geomspace(1e-6, 1.0, steps), np.linspace(0.0, 1.0, steps)[1:]]))[:-1]
    named = strictest(grid)
    change = np.flatnonzero((named[:, 1:] != named[:, :-1]).any(axis=0))
    low, high, before = grid[change], grid[change + 1], named[:, change]
    while low.size and float((high - low).max()) > 1e-12:
        middle = 0.5 * (low + high)
        same = (strictest(middle) == before).all(axis=0)
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    ends = [float(grid[0]), *(float(u) for u in 0.5 * (low + high)), 1.0]
    owners = named[:, [0, *(change + 1)]].T
    found: list[StrictestRange] = []
    for stop, owner in zip(ends[1:], owners, strict=True):
        strict = tuple(int(place) for place in np.flatnonzero(owner))
        start = found[-1].stop if found else ends[0]
        if found and found[-1].profiles == strict:
            found[-1] = StrictestRange(found[-1].start, stop, strict)
        elif stop > start * (1 + 1e-6):  # lines that only cross are equal at a point
            found.append(StrictestRange(start, stop, strict))
    return tuple(found)
