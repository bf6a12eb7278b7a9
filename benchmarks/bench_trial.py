"""Comparisons of two ways to show a number, against plain enumeration in the same run. `python -m benchmarks trial`."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np

from benchmarks.timing import best, within
from dpcore.trial import dealing_test, difference, difference_interval, people_needed


def plain_interval(people_a: int, right_a: int, people_b: int, right_b: int, level: float) -> tuple[float, float]:
    """Every table of kinds, and every way to deal it."""
    people, kept = people_a + people_b, []
    for both, first, second in itertools.product(range(people + 1), repeat=3):
        neither = people - both - first - second
        if neither < 0:
            continue
        law: Counter[tuple[int, int]] = Counter()
        for x, y, z in itertools.product(range(both + 1), range(first + 1), range(second + 1)):
            ways = math.comb(both, x) * math.comb(first, y) * math.comb(second, z)
            rest = people_a - x - y - z
            law[x + y, both + second - x - z] += ways * math.comb(neither, rest) if 0 <= rest <= neither else 0
        difference = (first - second) / people
        away = {(a, b): abs(a / people_a - b / people_b - difference) for a, b in law}
        seen = away.get((right_a, right_b), math.inf)
        chance = sum(ways for pair, ways in law.items() if away[pair] >= seen - 1e-12) / math.comb(people, people_a)
        if law[right_a, right_b] and chance > 1 - level:
            kept.append(difference)
    return min(kept), max(kept)


def intervals() -> list[dict[str, Any]]:
    asked = {"people_a": 10, "right_a": 9, "people_b": 10, "right_b": 3, "level": 0.95}
    slow = best(lambda: plain_interval(**asked), 1)  # type: ignore[arg-type]
    rows = [
        within("interval, 20 people", _cold(asked), 0.1, "every table and dealing", slow, 10),
    ]
    for people, most in ((30, 2.0), (50, 15.0)):
        for more in (0, 2):
            sizes = {"people_a": people - more, "right_a": 3 * people // 5, "people_b": people + more}
            asked = sizes | {"right_b": 2 * people // 5, "level": 0.95}
            rows.append(within(f"interval, {people - more} and {people + more} people", _cold(asked), most))
    return rows


def _cold(asked: dict[str, Any]) -> float:
    def ask() -> None:
        difference._even_law.cache_clear()
        difference._drawn_at_most.cache_clear()
        difference_interval(**asked)

    return best(ask, 2)


def dealings() -> list[dict[str, Any]]:
    scores = np.random.default_rng(3).integers(0, 6, (1000, 2, 2))

    def listed(blocks: list[Any]) -> Fraction:
        sums = [[sum(taken) for taken in itertools.combinations([*a, *b], 2)] for a, b in blocks]
        seen = sum(sum(a) for a, _ in blocks)
        every = [sum(one) for one in itertools.product(*sums)]
        return Fraction(sum(one >= seen for one in every), len(every))

    few = scores[:7].tolist()
    return [
        within(
            "dealing test, 28 people in blocks of four",
            best(lambda: dealing_test(few)),
            0.01,
            "every dealing",
            best(lambda: listed(few), 1),
            50,
        ),
        within("dealing test, 1,000 people", best(lambda: dealing_test(scores[:250].tolist()), 2), 1.0),
    ]


def run() -> list[dict[str, Any]]:
    return [
        *intervals(),
        *dealings(),
        within("people needed, .5 against .7", best(lambda: people_needed(share_a=0.5, share_b=0.7), 3), 0.2),
    ]
