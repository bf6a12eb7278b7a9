"""Counts rounded to a multiple of a base: to the nearest, at random, or by classes of size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore.errors import Code, Refused
from dpcore.methods.laws import DisclosureControl, PublishedLaw

LARGEST_BASE = 10_000
"""Largest base to which counts are rounded here."""
MOST_CLASSES = 100
"""Most classes of size."""


def _base(value: int) -> int:
    return _checks.count("base", value, 1, LARGEST_BASE)


@call_hint
@dataclass(frozen=True, kw_only=True)
class NearestRounding(DisclosureControl):
    """Rounding to the nearest multiple of a base, a tie upwards.

    The method makes no promise: whether one person is counted is told for certain at some counts, and at others hardly
    or not at all. All but one of every `base` pairs of neighbouring counts look alike, and that one tells everything:
    name the pair.
    Source: hundepool, chapter 5 (rounding)

    Parameters
    ----------
    base : int; from 1 to 10000

    Examples
    --------
    >>> rounded = NearestRounding(base=5)
    >>> rounded.law(7).values, rounded.presence(6).right_guess(), rounded.presence(7).right_guess()
    ((5,), 0.5, 1.0)
    """

    base: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "base", _base(self.base))

    @property
    def representative_counts(self) -> tuple[int, ...]:
        """Counts of the others in one period."""
        return tuple(range(self.base))

    def _law(self, count: int) -> PublishedLaw:
        return PublishedLaw(count, (self.base * ((2 * count + self.base) // (2 * self.base)),), np.zeros(1))


@call_hint
@dataclass(frozen=True, kw_only=True)
class RandomRounding(DisclosureControl):
    """Rounding at random to one of the two multiples of a base around a count; multiples stay.

    The method makes no promise: whether one person is counted is told for certain at some counts, and at others hardly
    or not at all.
    Source: hundepool, chapter 5 (random rounding)

    Parameters
    ----------
    base : int; from 1 to 10000
    probability_down : sequence of float or None, optional; for each remainder 1, ..., base - 1 the probability of going
        down; None rounds without bias, remainder r down with probability 1 - r/base

    Examples
    --------
    >>> rounded = RandomRounding(base=3)
    >>> round(rounded.presence(6).probability_certain(), 9)  # 9 is published in one world only
    0.333333333
    >>> RandomRounding(base=3, probability_down=(0.75, 0.25)).law(8).probability.round(9).tolist()
    [0.25, 0.75]
    """

    base: int
    probability_down: Sequence[float] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "base", _base(self.base))
        if self.probability_down is not None:
            down = _checks.probability("probability_down", self.probability_down)
            if down.shape != (self.base - 1,):
                raise Refused(
                    "probability_down",
                    f"have {self.base - 1} probabilities, one for each remainder",
                    self.probability_down,
                    Code.WRONG_SHAPE,
                    got=str(down.size),
                )
            object.__setattr__(self, "probability_down", tuple(down.tolist()))

    @property
    def representative_counts(self) -> tuple[int, ...]:
        """Counts of the others in one period."""
        return tuple(range(self.base))

    def _law(self, count: int) -> PublishedLaw:
        below, rest = count // self.base * self.base, count % self.base
        if rest == 0:
            return PublishedLaw(count, (count,), np.zeros(1))
        if self.probability_down is None:
            down, up = (self.base - rest) / self.base, rest / self.base
        else:
            down = self.probability_down[rest - 1]
            up = 1.0 - down
        return PublishedLaw.of(count, {below: down, below + self.base: up})


@call_hint
@dataclass(frozen=True, kw_only=True)
class GraduatedRounding(DisclosureControl):
    """Rounding whose base grows with the count, by classes.

    The method makes no promise: whether one person is counted is told for certain at some counts, and at others hardly
    or not at all.
    Source: ours, classes as an illustration; rounding within each as hundepool, chapter 5

    Parameters
    ----------
    classes : sequence of tuple of int, int; from which count on, and the base there; the first from 0, rising. Each
        begins at a multiple of its own base and of the one before, or a count could be rounded into another class.
    random : bool, optional; at random without bias within a class (the default), or to the nearest

    Examples
    --------
    >>> by_size = GraduatedRounding(classes=((0, 3), (18, 2), (20, 5), (100, 10)))
    >>> by_size.law(19).values, by_size.law(104).values
    ((18, 20), (100, 110))
    """

    classes: Sequence[tuple[int, int]]
    random: bool = True

    def __post_init__(self) -> None:
        _checks.flag("random", self.random)
        if not isinstance(self.classes, (list, tuple)) or not self.classes:
            raise Refused("classes", "be pairs of a first count and a base", self.classes, Code.EMPTY)
        if len(self.classes) > MOST_CLASSES:
            raise Refused("classes", f"be at most {MOST_CLASSES}", len(self.classes), Code.TOO_LARGE)
        listed: list[tuple[int, int]] = []
        for pair in self.classes:
            if not isinstance(pair, (list, tuple)) or len(pair) != 2:
                raise Refused("class", "be a first count and a base", pair, Code.WRONG_SHAPE)
            listed.append((_checks.count("class", pair[0]), _base(pair[1])))
        if listed[0][0] != 0:
            raise Refused("classes", "begin at 0", listed[0][0], Code.WRONG_ORDER)
        for (before, previous), (start, base) in pairwise(listed):
            if start <= before:
                raise Refused("classes", "begin at rising counts", start, Code.WRONG_ORDER)
            if start % base or start % previous:
                raise Refused(
                    "class",
                    f"begin at a multiple of its base {base} and of the base {previous} before it",
                    start,
                    Code.INCONSISTENT,
                )
        object.__setattr__(self, "classes", tuple(listed))

    @property
    def representative_counts(self) -> tuple[int, ...]:
        """Counts of the others in the first period of each class."""
        ends = [*(start for start, _ in self.classes[1:]), None]
        return tuple(
            count
            for (start, base), end in zip(self.classes, ends, strict=True)
            for count in range(start, start + base if end is None else min(start + base, end))
        )

    def _law(self, count: int) -> PublishedLaw:
        base = next(base for start, base in reversed(self.classes) if start <= count)
        within: DisclosureControl = RandomRounding(base=base) if self.random else NearestRounding(base=base)
        return within.law(count)
