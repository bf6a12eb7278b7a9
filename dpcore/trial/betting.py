"""Pairs read one by one, by betting that arm A is ahead: look after every pair, and stop whenever you like.

Pairs are dealt in blocks of two, one person to each arm. If the way shown makes no difference to anybody, a fair coin
decides who of an unequal pair was in arm A, whatever came before; so that a bettor who starts with a wealth of 1 ever
reaches 20 in at most 1 of 20 rooms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore.trial._inputs import chance_of, items_of, most_right, pair_of, scores_of

Ahead = Literal["A", "B", "either"]
"""Which arm a bet says is ahead: one of the two, or half of the wealth on each."""


@call_hint
@dataclass(frozen=True, eq=False)
class PairBets:
    """The wealth of a bettor on unequal pairs, after every pair.

    It holds for the people who were dealt; no promise about a secret belongs to it. Wealth below 1 is no evidence that
    both ways are alike.

    Parameters
    ----------
    log_path : array; logarithm of the wealth after pairs 1, 2, ...

    Examples
    --------
    >>> bets = pair_bets([(1, 0), (1, 1), (1, 0)], stake=0.5)
    >>> bets.path.round(9).tolist(), bets.rejected_at(0.5)  # twice the start is reached with the third pair
    ([1.5, 1.5, 2.25], 3)
    """

    log_path: FloatArray

    @property
    def path(self) -> FloatArray:
        """The wealth after pairs 1, 2, ...; inf where a float holds it no longer."""
        with np.errstate(over="ignore", under="ignore"):
            return np.exp(self.log_path)

    @property
    def wealth(self) -> float:
        """The wealth after the last pair."""
        return float(self.path[-1])

    def rejected_at(self, level: float = 0.95) -> int | None:
        """The pair, counted from 1, with which wealth first reached 1/(1 - level); None where it has not."""
        needed = -np.log(float(1 - chance_of("level", level)))
        reached = self.log_path >= needed - 1e-12
        return int(reached.argmax()) + 1 if reached.any() else None


@call_hint
def pair_bets(pairs: Sequence[Any], *, stake: float = 0.5, ahead: Ahead = "A", answers: int | None = None) -> PairBets:
    """Wealth of a bettor who puts a part of it on one arm being ahead in every unequal pair.

    It holds for the people who were dealt; no promise about a secret belongs to it. At most 1 on average if the way
    shown makes no difference to anybody: right with chance at most a that it ever reaches 1/a. Exact.
    Source: ville, supermartingales; ours, the mean of the wealths on both arms for two sides

    Parameters
    ----------
    pairs : sequence of pair of int; numbers of right answers of the person in arm A and of the one in arm B, in the
        order of dealing; equal ones change nothing
    stake : float, optional; the part of the wealth put on each pair, fixed before the first, in [0, 1)
    ahead : {"A", "B", "either"}, optional; the arm that is bet on, or half of the wealth on each
    answers : int or None, optional; how many answers each person gave, where no score may be above it

    Examples
    --------
    >>> pair_bets([(5, 3), (2, 4)], stake=0.5).path.round(9).tolist()  # 1.5, then half of it is lost
    [1.5, 0.75]
    """
    most = most_right(answers)
    rule = "hold for each pair the scores of both people"
    scores = [scores_of("pairs", pair_of("pairs", pair, rule), most) for pair in items_of("pairs", pairs, rule)]
    part = _checks.number("stake", stake, 0.0, 1.0, open_high=True)
    _checks.choice("ahead", ahead, get_args(Ahead))
    signs = np.array([(a > b) - (a < b) for a, b in scores], dtype=np.float64)
    paths = {arm: np.cumsum(np.log1p(part * side * signs)) for arm, side in (("A", 1.0), ("B", -1.0))}
    if ahead == "either":
        return PairBets(np.logaddexp(paths["A"], paths["B"]) - np.log(2.0))
    return PairBets(paths[ahead])
