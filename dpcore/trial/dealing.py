"""Dealing people to two arms in blocks, and the test that deals them again.

If the way shown makes no difference to anybody, every other dealing was as likely and would have met the same scores.
So the law of the sum of arm A is counted, in whole numbers, and nothing is assumed about people.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from random import Random, SystemRandom
from typing import Any, Literal, get_args

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore.errors import Code, Refused
from dpcore.trial._inputs import items_of, mean, most_right, pair_of, scores_of, typed

Arm = Literal["A", "B"]
"""One of the two ways of showing the same number."""

LARGEST_DEALT = 10**6
_LARGEST_LAW = 2**24
"""Most bits of the law of a sum, about 2,000 people with ten questions in blocks of four."""
_LARGEST_BLOCK = 2**34
"""Most bits that go by while one block is counted, about 300 people with five questions in one block."""


def _source(generator: Random | None) -> Random:
    if generator is None:
        return SystemRandom()
    _checks.kind_of("generator", generator, Random, "a random.Random, or None for the system's own")
    return generator


def _half(block: Any) -> int:
    size = _checks.count("block", block, 2, LARGEST_DEALT)
    if size % 2:
        raise Refused("block", "be an even number", size, Code.OUT_OF_RANGE)
    return size // 2


@call_hint
def next_arm(dealt: Sequence[Arm], *, block: int = 4, generator: Random | None = None) -> Arm:
    """The arm of the person who joins next, by the places that are left in the open block.

    A dealing; no promise about a secret belongs to it. Every order of a block is as likely as any other, as if the
    block had been shuffled, but no order has to be kept that somebody could read beforehand.
    Source: ours, a shuffle drawn one place at a time

    Parameters
    ----------
    dealt : sequence of str; "A" or "B" of everybody who was dealt before, in the order of joining
    block : int, optional; people in a block, half of them in each arm; even
    generator : Random or None, optional; a seeded one is for tests; without it the system's cryptographic one

    Examples
    --------
    >>> next_arm(["B", "A", "A"])  # one place of arm B is left
    'B'
    """
    half, source = _half(block), _source(generator)
    everybody = items_of("dealt", dealt, "be arms", or_none=True)
    seen = [_checks.choice("dealt", arm, get_args(Arm)) for arm in everybody]
    opened = seen[len(seen) - len(seen) % (2 * half) :]
    left = {arm: half - opened.count(arm) for arm in get_args(Arm)}
    if min(left.values()) < 0:
        raise Refused("dealt", f"have at most {half} of each arm in a block", opened, Code.INCONSISTENT)
    return "A" if source.randrange(sum(left.values())) < left["A"] else "B"


@call_hint
def dealt_arms(people: int, *, block: int = 4, generator: Random | None = None) -> tuple[Arm, ...]:
    """The arms of so many people in the order of joining, in blocks with half of each arm; the last may stay open.

    A dealing; no promise about a secret belongs to it. The arms differ by at most half a block.
    Source: ours, each block shuffled by itself

    Parameters
    ----------
    people : int; from 1 to 1,000,000
    block : int, optional; people in a block; even
    generator : Random or None, optional; as in `next_arm`

    Examples
    --------
    >>> arms = dealt_arms(8)
    >>> arms[:4].count("A"), arms[4:].count("A")
    (2, 2)
    """
    size, half, source = _checks.count("people", people, 1, LARGEST_DEALT), _half(block), _source(generator)
    arms: list[Arm] = []
    while len(arms) < size:
        places: list[Arm] = ["A", "B"] * half
        source.shuffle(places)
        arms += places
    return tuple(arms[:size])


@call_hint
@dataclass(frozen=True)
class DealingTest:
    """How far apart two arms were, and how often another dealing of the same people would have them so far apart.

    It holds for the people who were dealt; no promise about a secret belongs to it. It tests that the way shown made no
    difference to any of them: where it made some better and others worse, it can reject although the arms are equal on
    average. Exact, by whole numbers; the p-values are rounded up to a float.

    Parameters
    ----------
    difference : float; mean score of arm A less that of arm B
    one_sided : float; chance, over all dealings, of a sum of arm A at least as large as the one seen
    two_sided : float; chance of a sum at least as far from the mean over all dealings
    dealings : int; how many dealings there are, each as likely

    Examples
    --------
    >>> found = dealing_test([([2, 3], [0, 1])])  # one of six dealings has both of the better people in arm A
    >>> found.difference, found.dealings, round(6 * found.one_sided, 9), round(6 * found.two_sided, 9)
    (2.0, 6, 1.0, 2.0)
    """

    difference: float
    one_sided: float
    two_sided: float
    dealings: int


@call_hint
def dealing_test(blocks: Sequence[Any], *, answers: int | None = None) -> DealingTest:
    """Deal everybody again: how often chance alone would have put the arms so far apart.

    It holds for the people who were dealt; no promise about a secret belongs to it. Everybody dealt is counted where
    dealt; no answer is an answer that is not right. Read once, when all have answered: looking again and again rejects
    more often. With one question and one block it is Fisher's exact test, both sides measured from the mean.
    Source: fisher, chapter II; ours, sums counted by products of whole numbers, checked against all dealings

    Parameters
    ----------
    blocks : sequence of pair of sequence of int; of each block the number of right answers of everybody in arm A, and
        of everybody in arm B; blocks of several rooms may stand together
    answers : int or None, optional; how many answers each person gave, where no score may be above it

    Examples
    --------
    >>> found = dealing_test([([1], [0])] * 5)  # five pairs, all with arm A ahead: 1 of 32 dealings
    >>> round(32 * found.one_sided, 9), round(32 * found.two_sided, 9)
    (1.0, 2.0)
    """
    most = most_right(answers)
    return _tested([(scores_of("blocks", a, most), scores_of("blocks", b, most)) for a, b in _arms(blocks)], unit=1)


@call_hint
def surplus_test(blocks: Sequence[Any]) -> DealingTest:
    """Deal the surpluses of confidence again: whether one way of showing left people surer than they were right.

    It holds for the people who were dealt; no promise about a secret belongs to it. As `dealing_test`, for decimals of
    either sign: what each person expected to have right, less what was right (`Confidence.surplus`).
    Source: fisher, chapter II; ours, as in `dealing_test`

    Parameters
    ----------
    blocks : sequence of pair of sequence of float; of each block the surpluses of everybody in arm A, and in arm B

    Examples
    --------
    >>> surplus_test([([0.5, -0.25], [-0.25, -0.5])]).difference
    0.5
    """
    read = [[[_decimal(one) for one in _people(arm)] for arm in block] for block in _arms(blocks)]
    unit = math.lcm(*(one.denominator for block in read for arm in block for one in arm))
    return _tested([tuple([int(one * unit) for one in arm] for arm in block) for block in read], unit=unit)


def _people(arm: Any) -> list[Any]:
    return items_of("blocks", arm, "hold a score for each person")


def _decimal(value: Any) -> Fraction:
    return typed(_checks.number("blocks", value))


def _arms(blocks: Any) -> list[list[Any]]:
    rule = "hold for each block the scores of both arms"
    found = [pair_of("blocks", block, rule) for block in items_of("blocks", blocks, rule)]
    for block in found:
        for arm in block:
            items_of("blocks", arm, "have somebody in both arms of every block")
    return found


def _tested(blocks: Sequence[Any], *, unit: int) -> DealingTest:
    """The test of scores that are whole multiples of 1/unit."""
    dealings = math.prod(math.comb(len(a) + len(b), len(a)) for a, b in blocks)
    expected = sum((len(a) * mean([*a, *b]) for a, b in blocks), Fraction(0))
    first, ways = _sums(blocks, dealings)
    seen = sum(sum(a) for a, _ in blocks)
    away = abs(seen - expected)
    # the sums at least so far from the mean: those up to one and those from another, which are all where they overlap
    below, above = math.floor(expected - away) - first, math.ceil(expected + away) - first
    two_sided = dealings if below + 1 >= above else sum(ways[: max(below + 1, 0)]) + sum(ways[above:])
    everybody = [[one for block in blocks for one in block[arm]] for arm in (0, 1)]
    return DealingTest(
        difference=float((mean(everybody[0]) - mean(everybody[1])) / unit),
        one_sided=_rounded_up(sum(ways[seen - first :]), dealings),
        two_sided=_rounded_up(two_sided, dealings),
        dealings=dealings,
    )


def _rounded_up(some: int, every: int) -> float:
    share = some / every
    return math.nextafter(share, 1.0) if Fraction(share) < Fraction(some, every) else share


def _sums(blocks: Sequence[Any], dealings: int) -> tuple[int, list[int]]:
    """The smallest sum of arm A, and in how many dealings it has this sum, the next, and so on.

    Each block is a polynomial whose power is the sum above its smallest and whose coefficient is the number of ways;
    the product of all of them is one product of whole numbers, each coefficient a digit of so many bytes.
    """
    rows = [math.comb(len(a) + len(b), min(len(a), (len(a) + len(b)) // 2)) for a, b in blocks]
    width = 8 * (max(dealings, *rows).bit_length() // 8 + 1)
    spans = [_span(block) for block in blocks]
    bits = width * (sum(high - low for low, high in spans) + 1)
    if bits > _LARGEST_LAW:
        raise Refused("blocks", "have fewer people, or scores on a coarser grid", blocks, Code.TOO_LARGE, got="")
    product = _product([_block_ways(block, *span, width) for block, span in zip(blocks, spans, strict=True)])
    digits = product.to_bytes(bits // 8, "little")
    step = width // 8
    ways = [int.from_bytes(digits[place : place + step], "little") for place in range(0, len(digits), step)]
    return sum(low for low, _ in spans), ways


def _span(block: Any) -> tuple[int, int]:
    """The smallest and the largest sum of the people in arm A of a block."""
    ordered, taken = sorted([*block[0], *block[1]]), len(block[0])
    return sum(ordered[:taken]), sum(ordered[-taken:])


def _block_ways(block: Any, low: int, high: int, width: int) -> int:
    """The polynomial of one block: people join one by one, and whoever is taken moves on by one row of all sums."""
    everybody, taken = [*block[0], *block[1]], len(block[0])
    least = min(everybody)
    row = width * (high - taken * least + 1)
    if row * (taken + 1) * len(everybody) > _LARGEST_BLOCK:
        raise Refused("blocks", "be smaller, or have scores on a coarser grid", block, Code.TOO_LARGE, got="")
    whole = (1 << row * (taken + 1)) - 1
    ways = 1
    for score in everybody:
        ways = (ways + (ways << row + width * (score - least))) & whole
    return ways >> row * taken + width * (low - taken * least)


def _product(factors: list[int]) -> int:
    """The product of many numbers, halves first, so that those multiplied are about as long as each other."""
    if len(factors) <= 2:
        return reduce(lambda one, other: one * other, factors)
    middle = len(factors) // 2
    return _product(factors[:middle]) * _product(factors[middle:])
