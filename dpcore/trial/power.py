"""How many people it takes to find a difference with one question, before anybody is asked.

Chances of Fisher's exact test with arms of equal size, two-sided. Its power is a sawtooth: one person more can have
less. Here people are drawn: each is right with the chance of the arm, independently of everybody else.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, ndtri, rel_entr, xlog1py, xlogy

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore.errors import Code, Refused
from dpcore.trial._inputs import chance_of

LARGEST_ARM = 3_000
"""Most people in each arm."""
_TIE = 1e-9
"""Closer than this to the level, a p-value is counted again in whole numbers."""
_SMALLEST_DIFFERENCE = 1e-9
"""Smaller differences of two shares are not looked for."""
_NEGLECTED = 46.0
"""Minus the logarithm of a chance that no sum here feels, 1e-20."""

Whole = NDArray[np.int64]


@call_hint
def fisher_power(*, share_a: float, share_b: float, people: int, alpha: float = 0.05) -> float:
    """Chance that Fisher's two-sided test rejects, with so many people in each arm.

    It is about people who are drawn, each right with a given chance; no promise about a secret belongs to it. Exact: a
    sum over all answers of both arms. With equal shares it is the chance of a false alarm, at most alpha.
    Source: fisher, chapter II; ours, in windows that leave out a chance of 1e-18

    Parameters
    ----------
    share_a, share_b : float; chance of being right in each arm, in [0, 1]
    people : int; in each arm, from 1 to 3,000
    alpha : float, optional; largest chance of a false alarm, in (0, 1)

    Examples
    --------
    >>> fisher_power(share_a=0.0, share_b=1.0, people=4), fisher_power(share_a=0.0, share_b=1.0, people=3)
    (1.0, 0.0)
    """
    shares = _share("share_a", share_a), _share("share_b", share_b)
    return _power(*shares, _checks.count("people", people, 1, LARGEST_ARM), chance_of("alpha", alpha))


@call_hint
def people_needed(*, share_a: float, share_b: float, alpha: float = 0.05, power: float = 0.8) -> int:
    """Smallest number of people in each arm with which Fisher's two-sided test finds a difference often enough.

    It is about people who are drawn, each right with a given chance; no promise about a secret belongs to it. Exact,
    for one question. A larger number can have a smaller chance.
    Source: fisher, chapter II; ours, a scan from where no test at all could have the power

    Parameters
    ----------
    share_a, share_b : float; chance of being right in each arm, in [0, 1]; they differ
    alpha : float, optional; largest chance of a false alarm, in (0, 1)
    power : float, optional; smallest chance of finding the difference, in (0, 1)

    Examples
    --------
    >>> people_needed(share_a=0.5, share_b=0.8)
    44
    """
    shares, failure, wanted = _asked(share_a, share_b, alpha, power)
    for people in range(_fewest(*shares, float(failure), wanted), LARGEST_ARM + 1):
        if _power(*shares, people, failure) >= wanted:
            return people
    raise Refused("share_b", f"differ so that {LARGEST_ARM} people in each arm find it", share_b, Code.TOO_LARGE)


@call_hint
def people_needed_estimate(
    *,
    share_a: float,
    share_b: float,
    questions: int,
    ability_spread: float = 0.2,
    alpha: float = 0.05,
    power: float = 0.8,
) -> int:
    """About how many people in each arm find a difference in the number right of several questions.

    It is about people who are drawn; no promise about a secret belongs to it. An estimate, by the normal law: more
    questions make a person's share steadier, down to how far abilities lie apart.
    Source: ours, two means compared; dealing tests drawn at these numbers have a power of .78 to .80

    Parameters
    ----------
    share_a, share_b : float; share of right answers in each arm, in [0, 1]; they differ
    questions : int; that each person answers, from 1
    ability_spread : float, optional; standard deviation between people of their own chance of being right, at most the
        sqrt(p(1 - p)) of the mean share p
    alpha, power : float, optional; as in `people_needed`

    Examples
    --------
    >>> [people_needed_estimate(share_a=0.5, share_b=0.7, questions=k) for k in (1, 5, 10)]
    [95, 32, 24]
    """
    (a, b), failure, wanted = _asked(share_a, share_b, alpha, power)
    asked = _checks.count("questions", questions, 1)
    mean = (a + b) / 2
    between = _checks.number("ability_spread", ability_spread, 0.0, math.sqrt(mean * (1 - mean))) ** 2
    variance = between + (mean * (1 - mean) - between) / asked
    quantiles = float(ndtri(wanted) - ndtri(float(failure) / 2))
    return max(math.ceil(2 * max(quantiles, 0.0) ** 2 * variance / (a - b) ** 2), 1)


def _share(name: str, value: float) -> float:
    return _checks.number(name, value, 0.0, 1.0)


def _asked(share_a: float, share_b: float, alpha: float, power: float) -> tuple[tuple[float, float], Fraction, float]:
    shares = _share("share_a", share_a), _share("share_b", share_b)
    if shares[0] == shares[1]:
        raise Refused("share_b", "differ from share_a, or there is no difference to find", share_b, Code.INFEASIBLE)
    if abs(shares[0] - shares[1]) < _SMALLEST_DIFFERENCE:
        raise Refused("share_b", f"differ from share_a by at least {_SMALLEST_DIFFERENCE:g}", share_b, Code.TOO_LARGE)
    return shares, chance_of("alpha", alpha), float(chance_of("power", power))


def _fewest(share_a: float, share_b: float, failure: float, wanted: float) -> int:
    """So many people at least, for any test: its two chances differ no more than all answers together."""
    if wanted <= failure:
        return 1
    common = (share_a + share_b) / 2

    def divergence(one: float, other: float) -> float:
        return float(rel_entr(one, other) + rel_entr(1 - one, 1 - other))

    each = divergence(share_a, common) + divergence(share_b, common)
    return int(min(divergence(wanted, failure) / each * (1 - _TIE), LARGEST_ARM)) or 1


def _window(people: int, share: float) -> Whole:
    """The numbers right that matter, by Hoeffding: all others together have a chance of at most 1e-18."""
    away = math.sqrt(people * _NEGLECTED / 2)
    return np.arange(max(math.floor(people * share - away), 0), min(math.ceil(people * share + away), people) + 1)


def _power(share_a: float, share_b: float, people: int, failure: Fraction) -> float:
    a, b = _window(people, share_a), _window(people, share_b)
    totals = np.arange(a[0] + b[0], a[-1] + b[-1] + 1)
    fullest = _rejected_from(people, totals, failure)
    rejected = np.maximum.outer(a, b) >= fullest[np.add.outer(a, b) - totals[0]]
    return float(min(_right(a, people, share_a) @ rejected @ _right(b, people, share_b), 1.0))


def _right(right: Whole, people: int, share: float) -> FloatArray:
    """The binomial law, for shares down to the smallest float too."""
    choices = gammaln(people + 1.0) - gammaln(right + 1.0) - gammaln(people - right + 1.0)
    return np.exp(choices + xlogy(right, share) + xlog1py(people - right, -share))


def _rejected_from(people: int, totals: Whole, failure: Fraction) -> Whole:
    """For each number right in both arms together, how many in the fuller arm are rejected, with all above.

    Given the total the law of either arm is symmetric and falls strictly from its middle, so what is as unlikely as
    the seen is what is as far from the middle, on both sides.
    """
    reach = min(people, math.ceil(math.sqrt(people / 2 * (_NEGLECTED - math.log(failure)))) + 1)
    first = (totals + 1) // 2
    fuller = first[:, None] + np.arange(reach + 1)[None, :]
    other = totals[:, None] - fuller
    exists = (fuller <= people) & (other >= 0)
    chances = np.where(exists, _chances(people, totals, np.where(exists, fuller, 0), np.where(exists, other, 0)), 0.0)
    p_values = 2 * np.cumsum(chances[:, ::-1], axis=1)[:, ::-1]
    p_values[totals % 2 == 0, 0] = 1.0  # both arms alike: every answer is as far from the middle
    level = float(failure)
    refused = p_values <= level
    for row, column in zip(*np.nonzero(np.abs(p_values - level) <= _TIE * level), strict=True):
        refused[row, column] = _exact_p_value(people, int(totals[row]), int(fuller[row, column])) <= failure
    return np.where(refused.any(axis=1), first + refused.argmax(axis=1), people + 1)


def _chances(people: int, totals: Whole, fuller: Whole, other: Whole) -> FloatArray:
    logs = gammaln(np.arange(2 * people + 1) + 1.0)

    def choices(size: int, taken: Whole) -> FloatArray:
        return np.asarray(logs[size] - logs[taken] - logs[size - taken])

    return np.exp(choices(people, fuller) + choices(people, other) - choices(2 * people, totals)[:, None])


def _exact_p_value(people: int, total: int, fuller: int) -> Fraction:
    ways = sum(math.comb(people, one) * math.comb(people, total - one) for one in range(fuller, min(people, total) + 1))
    return min(Fraction(2 * ways, math.comb(2 * people, total)), Fraction(1))
