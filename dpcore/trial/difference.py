"""How much the way shown changed, for one question answered right or not: an exact interval for the people of a room.

Everybody is one of four kinds: right whichever way was shown, only with A, only with B, or with neither. What is asked
for is the share who would have been right had all been shown A, less the share had all been shown B.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.special import comb

from dpcore import _checks
from dpcore._cache import cached_by_size
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore.errors import Code, Refused
from dpcore.trial._inputs import chance_of

LARGEST_ROOM = 150
"""Most people of one interval."""
_TIE = 1e-9
"""Closer than this to the level, a chance is counted again in whole numbers."""

Whole = NDArray[np.int64]


@call_hint
def difference_interval(
    *, people_a: int, right_a: int, people_b: int, right_b: int, level: float = 0.95
) -> tuple[float, float]:
    """Interval for the share right had all been shown A, less the share right had all been shown B.

    It holds for the people who were dealt, in one block; no promise about a secret belongs to it. Exact: over all
    dealings it holds the true difference with a chance of at least the level, whoever the people are. A table of kinds
    is left out where it cannot have given these answers, or where a difference as far from its own as the one seen has
    a chance of at most 1 - level; the ends are the smallest and the largest difference of those kept.
    Source: rigdon_hudgens, intervals by inverting tests of tables; li_ding, the distance from each table's difference
    Source: ours, laws shared between tables; checked against all tables and all dealings

    Parameters
    ----------
    people_a, people_b : int; people in each arm, at least 1 and together at most 150
    right_a, right_b : int; how many of them were right
    level : float, optional; in (0, 1)

    Examples
    --------
    >>> difference_interval(people_a=10, right_a=9, people_b=10, right_b=3)
    (0.15, 0.8)
    """
    a, b = _checks.count("people_a", people_a, 1, LARGEST_ROOM), _checks.count("people_b", people_b, 1, LARGEST_ROOM)
    _checks.count("people_a + people_b", a + b, 2, LARGEST_ROOM)
    right = _checks.count("right_a", right_a, 0, a), _checks.count("right_b", right_b, 0, b)
    failure = 1 - chance_of("level", level)
    upper = _Answers(a, right[0], b, right[1]).largest_kept(failure)
    lower = _Answers(b, right[1], a, right[0]).largest_kept(failure)
    return -lower / (a + b) + 0.0, upper / (a + b)


@dataclass(frozen=True)
class _Kinds:
    """How many people are right with both, only with the first arm, only with the second, and with neither."""

    both: int
    first: int
    second: int
    neither: int

    @property
    def sizes(self) -> tuple[int, int, int, int]:
        return self.both, self.first, self.second, self.neither


@dataclass(frozen=True)
class _Answers:
    """The answers of two arms; every difference is counted in people, for all of them."""

    people: int
    right: int
    others: int
    others_right: int

    @property
    def everybody(self) -> int:
        return self.people + self.others

    def largest_kept(self, failure: Fraction) -> int:
        """The largest difference of a table of kinds that is not left out: the tables by falling differences."""
        for gain in range(self.everybody, -self.everybody - 1, -1):
            if any(self._kept(kinds, failure) for kinds in self._tables(gain, failure)):
                return gain
        raise Refused("level", "be large enough to keep a difference", 1 - float(failure), Code.INFEASIBLE)

    def _away(self, gain: int) -> int:
        """How far the difference seen is from one of so many people: in units of 1/(n people others)."""
        seen = self.others * self.right - self.people * self.others_right
        return abs(self.everybody * seen - self.people * self.others * gain)

    def _tables(self, gain: int, failure: Fraction) -> Iterator[_Kinds]:
        """The tables with a difference that can have given these answers, those with the widest laws first.

        A law whose variance is a small enough part of the squared distance is left out at once, by Chebyshev.
        """
        n = self.everybody
        second = np.arange(max(-gain, 0), (n - gain) // 2 + 1)[:, None]
        both = np.arange(n + 1)[None, :]
        first = second + gain
        neither = n - both - first - second
        left = both + second - self.others_right  # those right with the second way who were dealt to the first
        wrong = self.people - self.right
        low = np.maximum.reduce(np.broadcast_arrays(0, self.right - first, left - second, left - wrong))
        high = np.minimum.reduce(np.broadcast_arrays(both, self.right, left, left - wrong + neither))
        rows, columns = np.nonzero((neither >= 0) & (low <= high))
        both, first, second = both[0, columns], first[rows, 0], second[rows, 0]
        score = n * both + self.others * first + self.people * second
        square = n**2 * both + self.others**2 * first + self.people**2 * second
        variances = self.people * self.others / (n - 1) * (n * square - score**2)
        wide = np.flatnonzero(variances >= (1 - _TIE) * float(failure) * self._away(gain) ** 2)
        for place in wide[np.argsort(-variances[wide], kind="stable")]:
            b, f, s = int(both[place]), int(first[place]), int(second[place])
            yield _Kinds(b, f, s, n - b - f - s)

    def _kept(self, kinds: _Kinds, failure: Fraction) -> bool:
        n, away = self.everybody, self._away(kinds.first - kinds.second)
        if away == 0:
            return True
        mean = self.people * (n * kinds.both + self.others * kinds.first + self.people * kinds.second)
        chance = _tail(self, kinds)(mean - away, mean + away)
        if abs(chance - float(failure)) > _TIE * float(failure):
            return chance > float(failure)
        return _exact_tail(self, kinds, mean, away) > failure


def _tail(answers: _Answers, kinds: _Kinds) -> Callable[[int, int], float]:
    """The chance that n times the score of the first arm is at most one number or at least another."""
    if answers.people == answers.others:
        return _even_tail(answers.people, kinds.both, kinds.first + kinds.second)
    return _uneven_tail(answers, kinds)


_CHOICES = np.asarray(
    comb(np.arange(LARGEST_ROOM + 1)[:, None], np.arange(LARGEST_ROOM + 1)[None, :]), dtype=np.float64
)


def _chosen(size: int, most: int) -> FloatArray:
    return _CHOICES[size][: min(size, most) + 1]


@cached_by_size()
def _even_law(people: int, both: int, one: int) -> tuple[FloatArray, FloatArray]:
    """Chances that twice those right with both and once those right with one way sum to at most, or at least, each.

    With arms of equal size, who is right with A alone moves the difference as much as who is right with B alone.
    """
    neither = 2 * people - both - one
    law = np.zeros(2 * people + 1)
    ones = _chosen(one, people)
    for taken, ways in enumerate(_chosen(both, people)):
        left = people - taken - np.arange(ones.size)
        fits = (left >= 0) & (left <= neither)
        places = 2 * taken + np.arange(ones.size)[fits]
        law[places] += ways * ones[fits] * _CHOICES[neither, left[fits]]
    law /= _CHOICES[2 * people, people]
    return np.cumsum(law), np.cumsum(law[::-1])[::-1]


def _even_tail(people: int, both: int, one: int) -> Callable[[int, int], float]:
    at_most, at_least = _even_law(people, both, one)
    unit = 2 * people * people  # n times the weight of somebody right with one way

    def tail(low: int, high: int) -> float:
        below, above = low // unit, -(-high // unit)
        return (at_most[below] if below >= 0 else 0.0) + (at_least[above] if above < at_least.size else 0.0)

    return tail


def _uneven_tail(answers: _Answers, kinds: _Kinds) -> Callable[[int, int], float]:
    """The rest of the first arm is drawn from two kinds, given who in it is right with both or with it alone."""
    n, people = answers.everybody, answers.people
    both, first = _chosen(kinds.both, people), _chosen(kinds.first, people)
    x, y = np.arange(both.size)[:, None], np.arange(first.size)[None, :]
    rest = people - x - y
    pool = kinds.second + kinds.neither
    fits = (rest >= 0) & (rest <= pool)
    weights = (both[:, None] * first[None, :])[fits]
    rest, score = rest[fits], (n * x + answers.others * y)[fits]
    at_most = _drawn_at_most(kinds.second, kinds.neither, people)

    def tail(low: int, high: int) -> float:
        # n (score + people z) at most low, or at least high
        below = (low - n * score) // (n * people)
        above = -((n * score - high) // (n * people))
        size = at_most.shape[1]
        down = np.where(below >= 0, at_most[rest, np.clip(below, 0, size - 1)], 0.0)
        up = at_most[rest, -1] - np.where(above >= 1, at_most[rest, np.clip(above - 1, 0, size - 1)], 0.0)
        return float((weights * (down + up)).sum() / _CHOICES[n, people])

    return tail


@cached_by_size()
def _drawn_at_most(second: int, neither: int, people: int) -> FloatArray:
    """Ways to draw so many in all (rows) with at most so many of the first kind (columns)."""
    drawn = np.arange(min(second + neither, people) + 1)[:, None]
    z = np.arange(min(second, people) + 1)[None, :]
    left = drawn - z
    fits = (left >= 0) & (left <= neither)
    return np.cumsum(np.where(fits, _CHOICES[second, z] * _CHOICES[neither, np.where(fits, left, 0)], 0.0), axis=1)


def _exact_tail(answers: _Answers, kinds: _Kinds, mean: int, away: int) -> Fraction:
    """The chance, by whole numbers, of a score at least so far from its mean."""
    n, people, ways = answers.everybody, answers.people, 0
    for x in range(min(kinds.both, people) + 1):
        for y in range(min(kinds.first, people - x) + 1):
            outer = math.comb(kinds.both, x) * math.comb(kinds.first, y)
            for z in range(min(kinds.second, people - x - y) + 1):
                if abs(n * (n * x + answers.others * y + people * z) - mean) >= away:
                    ways += outer * math.comb(kinds.second, z) * math.comb(kinds.neither, people - x - y - z)
    return Fraction(ways, math.comb(n, people))
