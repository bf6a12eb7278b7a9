"""Kinds of case in the area `trial`, answered by `dpcore.trial`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dpcore.trial import Confidence, Setting, dealing_test, difference_interval, pair_bets, people_needed


def _dealing(blocks: Sequence[Any], answers: int | None = None) -> dict[str, float]:
    found = dealing_test(blocks, answers=answers)
    return {"difference": found.difference, "one_sided": found.one_sided, "two_sided": found.two_sided}


def _interval(n_a: int, right_a: int, n_b: int, right_b: int, level: float = 0.95) -> list[float]:
    return list(difference_interval(people_a=n_a, right_a=right_a, people_b=n_b, right_b=right_b, level=level))


def _betting(pairs: Sequence[Any], stake: float, level: float = 0.95) -> dict[str, float]:
    bets = pair_bets(pairs, stake=stake)
    return {"wealth": bets.wealth, "rejected_at": bets.rejected_at(level) or 0}


def _overconfidence(confidence: Sequence[float], right: Sequence[int], choices: int = 2) -> dict[str, float]:
    seen = Confidence(confidence=confidence, right=right, choices=choices)
    return {"gap": seen.gap, "squared": seen.squared_score, "p_value": seen.p_value}


def _answers(
    prior: float, epsilon: float, other: float, delta: float, releases: int, people: int, level: float = 0.95
) -> dict[str, float]:
    setting = Setting(
        prior=prior, epsilon=epsilon, other=other, delta=delta, releases=releases, people=people, level=level
    )
    return setting.answers


ANSWERS: Mapping[str, Callable[..., Any]] = {
    "answers": _answers,
    "betting": _betting,
    "dealing": _dealing,
    "interval": _interval,
    "overconfidence": _overconfidence,
    "people_needed": people_needed,
}
