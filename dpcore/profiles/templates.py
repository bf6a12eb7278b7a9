"""Profiles with closed forms: the same ratio for all, cap or ratio, a box of priors, a largest increase.

Each says at which few places its epsilon can be decided. Where 1 / r* is linear in the prior, F - 1 / r* is linear
too (F is linear in each belief), so the corners of a region and the ends of its borders suffice; Theorems 10 to 12 and
(3.28) are special cases.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore.errors import Code, Refused
from dpcore.profiles.base import ProfileWithCandidates, check_named_belief, is_free_belief
from dpcore.profiles.drawn import lowest_on_linear_caps
from dpcore.profiles.point import shift_from_cap, shift_from_parts, shift_from_ratio
from dpcore.profiles.results import Axis, Candidates


def _range(name: str, bounds: tuple[float, float]) -> tuple[float, float]:
    if np.shape(bounds) != (2,):
        raise Refused(name, "be a pair (low, high)", bounds, Code.WRONG_SHAPE)
    low = _checks.number(f"{name} (low end)", bounds[0], 0.0, 1.0)
    high = _checks.number(f"{name} (high end)", bounds[1], 0.0, 1.0, open_low=True)
    if low > high:
        raise Refused(name, "run from low to high", tuple(bounds), Code.WRONG_ORDER)
    return low, high


def _fixed_or_all(name: str, fixed: float | str | None) -> tuple[float, float]:
    if is_free_belief(fixed):
        return 0.0, 1.0
    held = _checks.number(name, fixed, 0.0, 1.0, open_low=True)
    return held, held


class _OverRanges(ProfileWithCandidates):
    """A template over a range of each belief; a range of one point holds that belief fixed."""

    @property
    @abstractmethod
    def _ranges(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The lowest and highest prior of each belief."""

    @property
    def axis(self) -> Axis:
        """Which belief varies; membership when neither does."""
        (p0, p1), (q0, q1) = self._ranges
        if q0 == q1:
            return Axis.MEMBERSHIP
        return Axis.VALUE if p0 == p1 else Axis.BOTH

    @property
    def fixed(self) -> float | None:
        """The value of the belief that does not vary; None when both do."""
        (p0, _), (q0, _) = self._ranges
        return {Axis.MEMBERSHIP: q0, Axis.VALUE: p0, Axis.BOTH: None}[self.axis]

    def _covers(self, membership: FloatArray, value: FloatArray) -> NDArray[np.bool_]:
        (p0, p1), (q0, q1) = self._ranges
        return (membership >= p0) & (membership <= p1) & (value >= q0) & (value <= q1)


def _cap_or_ratio_candidates(
    cap: float, ratio: float, ranges: tuple[tuple[float, float], tuple[float, float]], formula: str
) -> Candidates:
    """Corners of the rectangle, and where the border p q = cap / ratio leaves it."""
    (p0, p1), (q0, q1) = ranges
    membership = np.array([p0, p0, p1, p1])
    value = np.array([q0, q1, q0, q1])
    prior = membership * value
    shift = np.where(
        (prior * ratio <= cap) & (cap > 0.0),
        shift_from_cap(membership, value, np.array(cap)),
        shift_from_ratio(membership, value, np.array(ratio)),
    )
    attained = (membership > 0.0) & (value > 0.0)
    if cap > 0.0:
        switch = cap / ratio
        crossing = []
        for p in {p0, p1}:
            if p > 0.0 and q0 <= switch / p <= q1:
                crossing.append((p, switch / p))
        for q in {q0, q1}:
            if q > 0.0 and p0 <= switch / q <= p1:
                crossing.append((switch / q, q))
        if crossing:
            cross_p, cross_q = np.array(crossing).T
            at_switch = math.log1p((ratio - 1.0) / (1.0 - cap))  # 1 - r p q is 1 - cap there
            membership = np.concatenate([membership, cross_p])
            value = np.concatenate([value, cross_q])
            shift = np.concatenate([shift, np.full(len(crossing), at_switch)])
            attained = np.concatenate([attained, np.full(len(crossing), True)])
    largest = p1 * q1
    strictest = max(cap / largest, ratio)
    return Candidates(membership, value, shift, attained, strictest, formula)


@call_hint
@dataclass(frozen=True)
class Constant(_OverRanges):
    """The same largest posterior / prior for every prior.

    What is asked for, no promise yet: a highest belief in a presence, a value or both; `budget` names the guarantee.
    Source: thesis, Theorem 10

    Parameters
    ----------
    ratio : float; largest acceptable posterior / prior, at least 1
    membership_prior, value_prior : float or "any"; hold one belief at this value in (0, 1]; the one that is left out,
        or is "any", runs over (0, 1]. One must be named, for it decides what the profile is about: `value_prior=1` is
        presence alone, `membership_prior=1` the value of somebody in the data, `value_prior="any"` being in and having
        the value, with half the budget.

    Examples
    --------
    >>> answer = Constant(
    ...     3, value_prior="any"
    ... ).implied_epsilon()  # log(3) / 2, approached as the value prior tends to 0
    >>> round(answer.epsilon, 6), answer.attained
    (0.549306, False)
    """

    ratio: float
    _: KW_ONLY
    membership_prior: float | str | None = None
    value_prior: float | str | None = None

    def __post_init__(self) -> None:
        _checks.number("ratio", self.ratio, 1.0)
        check_named_belief(self.membership_prior, self.value_prior)
        _ = self._ranges

    @property
    def _ranges(self) -> tuple[tuple[float, float], tuple[float, float]]:
        return (
            _fixed_or_all("membership_prior", self.membership_prior),
            _fixed_or_all("value_prior", self.value_prior),
        )

    def _shift(self, membership: FloatArray, value: FloatArray) -> FloatArray:
        return shift_from_ratio(membership, value, np.array(float(self.ratio)))

    def candidates(self, value_exponent: float) -> Candidates:
        """Places among which the smallest epsilon is certain to be."""
        free = self.axis is Axis.BOTH
        return _cap_or_ratio_candidates(0.0, float(self.ratio), self._ranges, "theorem_10" if free else "theorem_5")


@call_hint
@dataclass(frozen=True)
class CapOrRatio(_OverRanges):
    """Either the posterior stays below a cap, or it stays below a multiple of the prior: r* = max(cap / (p q), ratio).

    What is asked for, no promise yet: a highest belief in a presence, a value or both; `budget` names the guarantee.
    Over both beliefs the minimum is at p = 1, q = cap / ratio: log((ratio - cap) / (1 - cap)) / 2.
    Source: thesis, Theorem 11 (one membership prior); thesis, Theorem 12 (one value prior)
    Source: ours, the closed form over both beliefs; checked by branch and bound

    Parameters
    ----------
    cap : float; posterior that is acceptable whatever the prior, in [0, 1); 0 leaves the ratio alone
    ratio : float; posterior / prior that is acceptable whatever the prior, at least 1
    membership_prior, value_prior : float or "any"; hold one belief at this value in (0, 1]; the one that is left out,
        or is "any", runs over (0, 1]. One must be named, for it decides what the profile is about: `value_prior=1` is
        presence alone, `membership_prior=1` the value of somebody in the data, `value_prior="any"` being in and having
        the value, with half the budget.

    Examples
    --------
    >>> answer = CapOrRatio(0.25, 3, value_prior=1.0).implied_epsilon()  # log(2.75 / 0.75)
    >>> round(answer.epsilon, 6), round(answer.binding.prior, 6), answer.formula
    (1.299283, 0.083333, 'theorem_12')
    """

    cap: float
    ratio: float
    _: KW_ONLY
    membership_prior: float | str | None = None
    value_prior: float | str | None = None

    _formulas: ClassVar[dict[Axis, str]] = {
        Axis.VALUE: "theorem_11",
        Axis.MEMBERSHIP: "theorem_12",
        Axis.BOTH: "cap_or_ratio_both",
    }

    def __post_init__(self) -> None:
        _checks.number("cap", self.cap, 0.0, 1.0, open_high=True)
        _checks.number("ratio", self.ratio, 1.0)
        check_named_belief(self.membership_prior, self.value_prior)
        _ = self._ranges

    @property
    def _ranges(self) -> tuple[tuple[float, float], tuple[float, float]]:
        return (
            _fixed_or_all("membership_prior", self.membership_prior),
            _fixed_or_all("value_prior", self.value_prior),
        )

    def _shift(self, membership: FloatArray, value: FloatArray) -> FloatArray:
        under_cap = membership * value * self.ratio <= self.cap
        by_ratio = shift_from_ratio(membership, value, np.array(float(self.ratio)))
        by_cap = shift_from_cap(membership, value, np.array(max(float(self.cap), 1e-300)))
        return np.where(under_cap, by_cap, by_ratio)

    def candidates(self, value_exponent: float) -> Candidates:
        """Places among which the smallest epsilon is certain to be."""
        return _cap_or_ratio_candidates(float(self.cap), float(self.ratio), self._ranges, self._formulas[self.axis])


@call_hint
@dataclass(frozen=True)
class Box(_OverRanges):
    """A largest posterior / prior for a box of priors, and no requirement outside it.

    What is asked for, no promise yet: a highest belief in a presence, a value or both; `budget` names the guarantee. F
    rises with the value prior and is linear in the membership prior, so one of the two corners at the low value prior
    decides. When even the lowest prior has ratio p q >= 1 the box binds nothing (epsilon is infinite); the printed
    formula lacks this case and would take the logarithm of a negative number.
    Source: thesis, (3.28); ours, the infinite case

    Parameters
    ----------
    ratio : float; largest acceptable posterior / prior inside the box, at least 1
    membership_range, value_range : tuple of float; low and high end of each belief, 0 <= low <= high <= 1, high > 0; a
        low end of 0 is approached, never attained

    Examples
    --------
    >>> round(Box(3, (0.2, 0.5), (1.0, 1.0)).implied_epsilon().epsilon, 6)
    1.791759
    """

    ratio: float
    membership_range: tuple[float, float]
    value_range: tuple[float, float]

    def __post_init__(self) -> None:
        _checks.number("ratio", self.ratio, 1.0)
        _ = self._ranges

    @property
    def _ranges(self) -> tuple[tuple[float, float], tuple[float, float]]:
        return _range("membership_range", self.membership_range), _range("value_range", self.value_range)

    def _shift(self, membership: FloatArray, value: FloatArray) -> FloatArray:
        inside = shift_from_ratio(membership, value, np.array(float(self.ratio)))
        return np.where(self._covers(membership, value), inside, np.inf)

    def candidates(self, value_exponent: float) -> Candidates:
        """Places among which the smallest epsilon is certain to be."""
        return _cap_or_ratio_candidates(0.0, float(self.ratio), self._ranges, "equation_3_28")


@call_hint
@dataclass(frozen=True)
class Boxes(ProfileWithCandidates):
    """Several boxes of priors, each with its ratio; where boxes overlap all of them hold.

    What is asked for, no promise yet: a highest belief in a presence, a value or both; `budget` names the guarantee.
    Source: thesis, (3.28); ours, the minimum over boxes is exact however narrow a box is

    Parameters
    ----------
    boxes : tuple of Box; at least one

    Examples
    --------
    >>> wide, narrow = Box(3, (0.0, 1.0), (0.0, 1.0)), Box(1.2, (0.3331, 0.3334), (0.5551, 0.5553))
    >>> round(Boxes((wide, narrow)).implied_epsilon().epsilon, 6)
    0.195876
    """

    boxes: tuple[Box, ...]

    def __post_init__(self) -> None:
        _checks.kind_of("boxes", self.boxes, Iterable, "boxes such as (Box(3, (0, 1), (0, 1)),)")
        boxes = tuple(self.boxes)
        if not boxes or not all(isinstance(box, Box) for box in boxes):
            raise Refused("boxes", "hold at least one Box", len(boxes), Code.EMPTY)
        object.__setattr__(self, "boxes", boxes)

    @property
    def axis(self) -> Axis:
        """Both beliefs vary."""
        return Axis.BOTH

    @property
    def fixed(self) -> float | None:
        """No belief is held fixed."""
        return None

    def _shift(self, membership: FloatArray, value: FloatArray) -> FloatArray:
        return np.min([box._shift(membership, value) for box in self.boxes], axis=0)

    def candidates(self, value_exponent: float) -> Candidates:
        """Places among which the smallest epsilon is certain to be."""
        parts = [box.candidates(value_exponent) for box in self.boxes]
        return Candidates(
            np.concatenate([part.membership_prior for part in parts]),
            np.concatenate([part.value_prior for part in parts]),
            np.concatenate([part.shift for part in parts]),
            np.concatenate([part.attained for part in parts]),
            min(part.strictest for part in parts),
            "equation_3_28",
        )


@call_hint
@dataclass(frozen=True)
class LargestIncrease(_OverRanges):
    """The posterior exceeds the prior by at most a given amount.

    What is asked for, no promise yet: a highest belief in a presence, a value or both; `budget` names the guarantee.
    Source: thesis, (3.30) and (3.31); ours, one belief held fixed: the concave segment of a drawn profile

    Parameters
    ----------
    increase : float; largest acceptable posterior - prior, in (0, 1)
    membership_prior, value_prior : float or "any"; hold one belief at this value in (0, 1]; the one that is left out,
        or is "any", runs over (0, 1]. One must be named, for it decides what the profile is about: `value_prior=1` is
        presence alone, `membership_prior=1` the value of somebody in the data, `value_prior="any"` being in and having
        the value, with half the budget.

    Examples
    --------
    >>> answer = LargestIncrease(0.5, value_prior="any").implied_epsilon()  # log(1.5 / 0.5) at p = 1, q = 1/4
    >>> round(answer.epsilon, 6), answer.binding.value_prior
    (1.098612, 0.25)
    """

    increase: float
    _: KW_ONLY
    membership_prior: float | str | None = None
    value_prior: float | str | None = None

    def __post_init__(self) -> None:
        _checks.number("increase", self.increase, 0.0, 1.0, open_low=True, open_high=True)
        check_named_belief(self.membership_prior, self.value_prior)
        _ = self._ranges

    @property
    def _ranges(self) -> tuple[tuple[float, float], tuple[float, float]]:
        return (
            _fixed_or_all("membership_prior", self.membership_prior),
            _fixed_or_all("value_prior", self.value_prior),
        )

    def _shift(self, membership: FloatArray, value: FloatArray) -> FloatArray:
        prior = membership * value
        gain = np.full(np.shape(prior), float(self.increase))
        with np.errstate(divide="ignore"):
            log_prior = np.log(membership) + np.log(value)
        return shift_from_parts(gain, prior, 1.0 - prior - self.increase, log_prior)

    def candidates(self, value_exponent: float) -> Candidates:
        """Places among which the smallest epsilon is certain to be."""
        b = float(self.increase)
        if self.axis is Axis.BOTH:  # a product profile: its worst place is p = 1 (or q = 1 for small exponents)
            prior = np.array([(1.0 - b) / 2.0])
            one = np.ones(1)
            membership, value = (one, prior) if value_exponent > 1.0 else (prior, one)
            shift = np.array([2.0 * (math.log1p(b) - math.log1p(-b))])
            return Candidates(membership, value, shift, np.array([True]), 1.0 / (1.0 - b), "equation_3_31")
        held = float(self.fixed or 1.0)
        found = lowest_on_linear_caps(
            start=np.zeros(1),
            stop=np.ones(1),
            gain=(np.array([b]), np.array([b])),
            remaining=(np.array([1.0 - b]), np.array([1.0 - held - b])),
            along=self.axis,
            held=held,
            value_exponent=value_exponent,
        )
        end = np.array([1.0])
        place = np.concatenate([found, end])
        other = np.full(2, held)
        membership, value = (place, other) if self.axis is Axis.MEMBERSHIP else (other, place)
        return Candidates(
            membership,
            value,
            self._shift(membership, value),
            np.array([True, True]),
            1.0 + b / min(held, 1.0 - b),
            "equation_3_30" if held == 1.0 and self.axis is Axis.MEMBERSHIP else "segment_minimum",
        )
