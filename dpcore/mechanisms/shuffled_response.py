"""Randomised response, shuffled: many people's own answers, told without their names."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from dpcore._calls import call_hint
from dpcore._checks import FloatArray, Number, array, count, number, scalar_or_array
from dpcore.guarantees import Relation
from dpcore.mechanisms.layers import BracketedCurve

_GROUPS = 65  # of true answers of the others
_LEFT_OUT = 1e-18  # of a binomial law, at either end


@call_hint
@dataclass(frozen=True, kw_only=True)
class ShuffledRandomizedResponse(BracketedCurve):
    """How many of so many people answered yes, each by randomised response with two answers, and nothing else.

    The promise is about one person's answer, exchanged for another, to an observer who knows everybody else's true
    answer; that all take part is visible. Somebody who sees single answers, or works with the shuffler, faces plain
    randomised response.

    The smallest delta is that of the worst true answers of the others. Up to 129 people all are looked at. For more
    they are looked at in 64 groups: the worst of a group is at most what the smallest number of yes and of no in it
    leaves, because whoever sees the count could add a person with a known answer. That is the curve.
    Source: ours, sums over all counts, and people left out; checked against enumeration of answers

    Parameters
    ----------
    epsilon : float; pure-DP budget of each answer, greater than 0, at most 20
    people : int; how many answer, from 1 to 1,000,000

    Examples
    --------
    >>> asked = ShuffledRandomizedResponse(epsilon=1.0, people=10_000)
    >>> [round(float(share), 4) for share in asked.delta_bounds(0.0)]  # alone it would be tanh(1/2) = .4621
    [0.0042, 0.0042]
    """

    name = "shuffled_response"
    label = "shuffled randomised response"
    short = "shuffled response"
    is_local = True
    relation = Relation.REPLACE

    epsilon: float
    people: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", number("epsilon", self.epsilon, 0.0, 20.0, open_low=True))
        object.__setattr__(self, "people", count("people", self.people, 1, 10**6))

    @property
    def last_epsilon(self) -> float:
        """Epsilon from which on delta falls no more."""
        return self.epsilon

    @property
    def _other(self) -> float:
        """Chance that an answer is not the true one."""
        return 1 / (1 + math.exp(self.epsilon))

    @overload
    def delta_bounds(self, epsilon: Number) -> tuple[float, float]: ...
    @overload
    def delta_bounds(self, epsilon: ArrayLike) -> tuple[FloatArray, FloatArray]: ...
    def delta_bounds(self, epsilon: ArrayLike) -> tuple[Any, Any]:
        """Two numbers between which the smallest delta lies; for up to 129 people no further apart than rounding.

        Parameters
        ----------
        epsilon : array_like; at least 0; scalar or array

        Examples
        --------
        >>> low, high = ShuffledRandomizedResponse(epsilon=1.0, people=1).delta_bounds(0.0)
        >>> round(low, 6), round(high, 6)  # nobody to hide among: tanh(1/2)
        (0.462117, 0.462117)
        """
        at, others = np.minimum(array("epsilon", epsilon, 0.0), self.epsilon + 1.0), self.people - 1  # 0 beyond
        starts = np.unique(np.linspace(0, others // 2 + 1, min(_GROUPS, others // 2 + 1) + 1).astype(np.int64))
        low, high = np.zeros(at.size), np.zeros(at.size)
        for least, after in pairwise(
            starts.tolist()
        ):  # so many yes or more; the other half of the tables mirrors these
            left = self._deltas(least, others - after + 1, at.ravel())
            high = np.maximum(high, left[1])
            if after - least > 1 and least > 0 and after <= others // 2:
                continue
            whole = left if after - least == 1 else self._deltas(least, others - least, at.ravel())
            low = np.maximum(low, whole[0])
        return scalar_or_array(low.reshape(at.shape), epsilon), scalar_or_array(high.reshape(at.shape), epsilon)

    def _deltas(self, yes: int, no: int, epsilon: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The divergence where so many of the others truly say yes and no; less and more by what rounding may do."""
        other = self._other
        others = np.convolve(_binomial(yes, self.epsilon), _binomial(no, -self.epsilon))
        one, two = np.convolve(others, [other, 1 - other]), np.convolve(others, [1 - other, other])
        low, high = np.zeros(epsilon.shape), np.zeros(epsilon.shape)
        for p, q in ((one, two), (two, one)):
            with np.errstate(divide="ignore", invalid="ignore"):
                loss = np.where(p > 0.0, np.log(p) - np.log(q), -np.inf)
            order = np.argsort(loss)
            at = np.searchsorted(loss[order], epsilon, side="right")
            above, beside = (np.concatenate([np.cumsum(law[order][::-1])[::-1], [0.0]])[at] for law in (p, q))
            found, off = above - np.exp(epsilon) * beside, 1e-11 * above
            low = np.maximum(low, found - off - 4 * _LEFT_OUT * np.exp(epsilon))
            high = np.maximum(high, found + off + 4 * _LEFT_OUT)
        return low, high


def _binomial(trials: int, log_odds: float) -> FloatArray:
    """Probabilities of numbers of successes, but for less than 1e-18 far from the likeliest (Bernstein)."""
    chance = 1 / (1 + math.exp(-log_odds))
    likeliest, far = int(trials * chance), 10 * math.sqrt(trials * chance * (1 - chance)) + 60
    number = np.arange(max(math.floor(likeliest - far), 0), min(math.ceil(likeliest + far), trials) + 1.0)
    steps = np.log(trials - number[:-1]) - np.log(number[1:]) + log_odds
    logs = np.concatenate([[0.0], np.cumsum(steps)])
    law = np.exp(logs - logs.max())
    return np.asarray(law / law.sum())
