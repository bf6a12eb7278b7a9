"""How sure somebody was of each answer, against how often the answers were right."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore.errors import Code, Refused
from dpcore.trial._inputs import items_of, mean, typed

_ROUNDED = 1e-6
"""A third is typed as .333333."""


@call_hint
@dataclass(frozen=True, kw_only=True)
class Confidence:
    """The answers of one person, each with how sure she was of it.

    It is about these answers; no promise about a secret belongs to it. Answers of one person hang together by common
    errors, so that those of a room are not pooled here: its arms are compared by their surpluses (`surplus_test`).
    Source: ours, a sum of coins with the chances that were said, checked against all outcomes

    Parameters
    ----------
    confidence : sequence of float; how sure, of each answer, from 1/choices for a guess to 1
    right : sequence of int; 1 for a right answer and 0 for a wrong one
    choices : int, optional; among how many answers each one was chosen, at least 2

    Examples
    --------
    >>> seen = Confidence(confidence=[0.5, 1.0], right=[0, 1])
    >>> seen.gap, seen.squared_score, seen.p_value  # sure of one and a half, one was right; a calibrated one in two has
    (0.25, 0.125, 0.5)
    """

    confidence: Sequence[float]
    right: Sequence[int]
    choices: int = 2

    def __post_init__(self) -> None:
        choices = _checks.count("choices", self.choices, 2)
        said = items_of("confidence", self.confidence, "hold a number for each answer")
        sure = tuple(_checks.number("confidence", one, 0.0, 1.0) for one in said)
        if min(sure) * choices < 1 - _ROUNDED:
            rule = f"be at least 1/{choices}, that of a guess among {choices}"
            raise Refused("confidence", rule, min(sure), Code.OUT_OF_RANGE)
        right = tuple(_checks.count("right", one, 0, 1) for one in items_of("right", self.right, "be ones and zeros"))
        if len(sure) != len(right):
            raise Refused("confidence and right", "be equally long", (len(sure), len(right)), Code.WRONG_SHAPE)
        object.__setattr__(self, "choices", choices)
        object.__setattr__(self, "confidence", sure)
        object.__setattr__(self, "right", right)

    @property
    def surplus(self) -> float:
        """How many answers more were expected to be right than were; below 0 for fewer."""
        return float(sum(map(typed, self.confidence)) - sum(self.right))

    @property
    def gap(self) -> float:
        """Mean confidence less the share that was right: above 0 for too much confidence."""
        return float(mean([typed(one) for one in self.confidence]) - mean(self.right))

    @property
    def squared_score(self) -> float:
        """Mean squared distance of confidence from 1 for a right answer and 0 for a wrong one: 0 at best."""
        return float(mean([(typed(one) - hit) ** 2 for one, hit in zip(self.confidence, self.right, strict=True)]))

    @property
    def p_value(self) -> float:
        """Chance that somebody whose confidence is her chance of being right has so few right, or fewer.

        Exact if the answers are right independently of each other. 0 where more answers were said to be certain than
        were right, and only there: one answer alone that was said to be certain and is wrong.
        """
        law = np.ones(1)
        for chance in self.confidence:
            law = np.convolve(law, [1.0 - chance, chance])
        found = sum(self.right)
        if found == len(self.right):
            return 1.0
        if sum(chance == 1.0 for chance in self.confidence) > found:
            return 0.0
        return max(min(float(law[: found + 1].sum()), 1.0), math.ulp(0.0))
