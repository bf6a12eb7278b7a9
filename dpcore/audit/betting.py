"""Evidence read one by one, by betting against a claim: look after every draw, and stop whenever you like.

A bettor starts with a wealth of 1. Under the claim no bet is worth its price, whatever was seen before, so that wealth
ever grows to 20 in at most 1 of 20 audits of true claims. Once it has, the claim stays contradicted even if wealth
falls again; wealth below 1 is no evidence for a claim.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, betaln, expit

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore._properties import cached_property
from dpcore.audit._claims import claimed_curve, failure_of
from dpcore.errors import Code, Refused
from dpcore.guarantees import ApproximateDP, PureDP

Bets = Literal["alarms", "silences", "either"]
"""On what a bet on pairs is made: more alarms than a claim allows in world present, fewer in world absent, or both."""

_LARGEST_EPSILON = 700.0  # a float holds e^epsilon


@call_hint
@dataclass(frozen=True, eq=False)
class Wealth:
    """The wealth of a bettor against one claim, after every draw.

    Evidence about a claim on the two worlds of one step; no promise about a secret follows from it.

    Parameters
    ----------
    log_path : array; logarithm of the wealth after draws 1, 2, ...

    Examples
    --------
    >>> bets = guess_wealth(
    ...     [1, 1, 1, 0, 1], PureDP(epsilon=0.0), share=1.0
    ... )  # doubles, and loses all at the first wrong
    >>> bets.path.round(9).tolist(), round(bets.largest, 9), bets.rejected_at(0.85)
    ([2.0, 4.0, 8.0, 0.0, 0.0], 8.0, 3)
    """

    log_path: FloatArray

    @property
    def path(self) -> FloatArray:
        """The wealth after draws 1, 2, ...; inf where a float holds it no longer."""
        with np.errstate(over="ignore", under="ignore"):
            return np.exp(self.log_path)

    @cached_property
    def largest(self) -> float:
        """The largest wealth so far, that of the start included: at least 1."""
        return max(float(self.path.max(initial=1.0)), 1.0)

    @property
    def p_value(self) -> float:
        """Chance, at most, that a true claim ever lets wealth grow so large: 0 for infinite wealth alone."""
        most = max(float(self.log_path.max(initial=0.0)), 0.0)
        return 0.0 if most == math.inf else max(math.exp(-most), math.ulp(0.0))

    def rejected_at(self, level: float = 0.95) -> int | None:
        """The draw, counted from 1, with which wealth first reached 1/(1 - level); None where it has not."""
        return _first_crossing(self.log_path, failure_of(level))


def _first_crossing(log_path: FloatArray, failure: float) -> int | None:
    reached = log_path >= -math.log(failure) - 1e-12
    return int(reached.argmax()) + 1 if reached.any() else None


def _answers(name: str, values: ArrayLike) -> FloatArray:
    answers = _checks.array(name, values, 0.0, 1.0)
    if answers.ndim != 1:
        raise Refused(name, "be a list of ones and zeros", answers.shape, Code.WRONG_SHAPE)
    broken = (answers != 0.0) & (answers != 1.0)
    if broken.any():
        raise Refused(name, "be a list of ones and zeros", float(answers[broken][0]), Code.OUT_OF_RANGE)
    return answers


# ---- guesses --------------------------------------------------------------------------------------------------------


@call_hint
def guess_wealth(right: ArrayLike, claim: Any, *, share: float | None = None) -> Wealth:
    """Wealth of a bettor who bets after every guess on the next one to be right, each about a fair coin of its own.

    Evidence about a claim on the two worlds of one step; no promise about a secret follows from it. At most 1 on
    average under the claim, exactly 1 where it is met to the full: right with chance at most a that it ever reaches
    1/a. Exact.
    Source: ville, supermartingales; gonzalez, sequential tests of an epsilon by betting
    Source: ours, the mixture over all shares

    Parameters
    ----------
    right : array_like; 1 for a right guess and 0 for a wrong one, in order; each about a fresh coin and a fresh release
    claim : guarantee or mechanism or ReleasePlan or TradeOff; what each release is said to keep between the two sides
        of its coin
    share : float or None, optional; the share of right guesses that the bettor expects, from the largest that the claim
        allows to 1; without it, an even mixture of all of these, which nobody has to choose

    Examples
    --------
    >>> wealth = guess_wealth([1, 1], PureDP(epsilon=0.0))  # 2 q and 4 q^2 on average over q from 1/2 to 1
    >>> wealth.path.round(9).tolist()
    [1.5, 2.333333333]
    """
    seen = _answers("right", right)
    return Wealth(_guess_path(seen, claimed_curve(claim).right_guess(), share, claim))


def _guess_path(right: FloatArray, claimed: float, share: float | None, claim: Any) -> FloatArray:
    if not claimed < 1.0:
        raise Refused("claim", "leave a guess in doubt", claim, Code.INFEASIBLE)
    if share is None:
        found = np.cumsum(right)
        return _log_mixture(found, np.arange(1.0, right.size + 1.0) - found, claimed)
    expected = _checks.number("share", share, claimed, 1.0)
    with np.errstate(divide="ignore"):
        won, lost = math.log(expected / claimed), float(np.log((1.0 - expected) / (1.0 - claimed)))
    return np.cumsum(np.where(right > 0.0, won, lost))


def _log_mixture(right: FloatArray, wrong: FloatArray, claimed: float) -> FloatArray:
    """log of the mean over q in [p, 1] of (q/p)^v ((1 - q)/(1 - p))^w.

    With more right than the claim says it is a beta function; otherwise the sum over j of
    v!/(v - j)! w!/(w + 1 + j)! ((1 - p)/p)^j, whose terms fall.
    """
    path = np.empty(right.size)
    ahead = right > claimed * (right + wrong)
    v, w = right[ahead], wrong[ahead]
    with np.errstate(divide="ignore"):
        path[ahead] = (
            betaln(v + 1, w + 1)
            + np.log(betainc(w + 1, v + 1, 1.0 - claimed))
            - (math.log1p(-claimed) + v * math.log(claimed) + w * math.log1p(-claimed))
        )
    v, w = right[~ahead], wrong[~ahead]
    odds, total, j = (1.0 - claimed) / claimed, np.ones(v.size), 0
    term = np.ones(v.size)
    while (term > 1e-17 * total).any():
        term = term * np.maximum(v - j, 0.0) * odds / (w + 2.0 + j)
        total, j = total + term, j + 1
    path[~ahead] = np.log(total / (w + 1.0))
    return path


# ---- pairs ----------------------------------------------------------------------------------------------------------


@call_hint
def pair_wealth(
    claim: PureDP | ApproximateDP,
    *,
    absent: ArrayLike,
    present: ArrayLike,
    stake: float | None = None,
    direction: Bets = "alarms",
) -> Wealth:
    """Wealth of a bettor who bets on pairs, one draw of each world: gain a1 - e^epsilon a0 - delta.

    Evidence about a claim on the two worlds of one step; no promise about a secret follows from it. At most 1 on
    average under the claim: right with chance at most a that it ever reaches 1/a. Exact.
    Source: ville, supermartingales; gonzalez, sequential tests of an epsilon by betting

    Parameters
    ----------
    claim : PureDP or ApproximateDP; what every release is said to keep; of a rho or a mechanism, an epsilon fixed
        beforehand and its delta
    absent, present : array_like; 1 where the rule gave alarm and 0 where not, in order: a draw of world absent and one
        of world present make a pair. The rule may be changed after every pair, by what was seen before
    stake : float or None, optional; the part of the wealth put on every pair, at least 0 and below 1/(e^epsilon +
        delta); without it, by what the pairs before gained: their sum over 1 + the sum of their squares, at most half
        of that
    direction : {"alarms", "silences", "either"}, optional; bet on alarms, on their absence (gain (1 - a0) - e^epsilon
        (1 - a1) - delta), or half of the wealth on each

    Examples
    --------
    >>> wealth = pair_wealth(PureDP(epsilon=0.0), absent=[0, 0, 1], present=[1, 1, 1], stake=0.5)  # gains 1, 1, 0
    >>> wealth.path.round(9).tolist()
    [1.5, 2.25, 2.25]
    """
    none, some = _pairs(absent, present)
    _checks.kind_of("claim", claim, (PureDP, ApproximateDP), "PureDP or ApproximateDP")
    _checks.choice("direction", direction, get_args(Bets))
    delta = getattr(claim, "delta", 0.0)
    if claim.epsilon > _LARGEST_EPSILON:
        raise Refused("claim", f"have an epsilon of at most {_LARGEST_EPSILON:g}", claim, Code.TOO_LARGE)
    if stake is not None:
        highest = 1.0 / (math.exp(claim.epsilon) + delta)
        if not 0.0 <= _checks.number("stake", stake, 0.0) < highest:
            rule = f"be below 1/(e^epsilon + delta), here {highest:.6g}"
            raise Refused("stake", rule, stake, Code.OUT_OF_RANGE)
    return Wealth(_pair_path(none, some, claim.epsilon, delta, stake, direction))


def _pairs(absent: ArrayLike, present: ArrayLike) -> tuple[FloatArray, FloatArray]:
    none, some = _answers("absent", absent), _answers("present", present)
    if none.size != some.size:
        rule = "be equally long"
        raise Refused("absent and present", rule, (none.size, some.size), Code.WRONG_SHAPE)
    return none, some


def _pair_path(
    absent: FloatArray, present: FloatArray, epsilon: float, delta: float, stake: float | None, direction: Bets
) -> FloatArray:
    ratio = math.exp(epsilon)
    gains = {
        "alarms": present - ratio * absent - delta,
        "silences": (1.0 - absent) - ratio * (1.0 - present) - delta,
    }
    paths = [_grown(gain, ratio + delta, stake) for side, gain in gains.items() if direction in (side, "either")]
    return np.asarray(paths[0] if len(paths) == 1 else np.logaddexp(*paths) - math.log(2.0))


def _grown(gains: FloatArray, worst: float, stake: float | None) -> FloatArray:
    if stake is None:
        summed = np.concatenate([[0.0], np.cumsum(gains)[:-1]]) if gains.size else gains
        with np.errstate(over="ignore"):  # of a lost bet at an epsilon above 350: nothing is staked any more
            squared = np.concatenate([[0.0], np.cumsum(gains**2)[:-1]]) if gains.size else gains
        stakes = np.clip(summed / (1.0 + squared), 0.0, 0.5 / worst)
    else:
        stakes = np.full(gains.size, stake)
    return np.cumsum(np.log1p(stakes * gains))


# ---- bounds that may be read at any time ----------------------------------------------------------------------------


def _running_lower(
    path_against: Callable[[float], FloatArray], draws: int, level: float, delta: float, step: float
) -> FloatArray:
    """For every draw the last epsilon of the grid that wealth has contradicted, with all smaller ones.

    The smallest epsilon of the grid that is at least the true one is a true claim too; unless it is contradicted, the
    answer stays below it, and so below the truth.
    """
    failure = failure_of(level)
    _checks.number("delta", delta, 0.0, 1.0, open_high=True)
    width = _checks.number("step", step, 0.0, 1.0, open_low=True)
    bound, since, place = np.zeros(draws), 0, 0
    while True:
        crossed = _first_crossing(path_against(place * width), failure)
        if crossed is None:
            return bound
        since = max(since, crossed)
        bound[since - 1 :] = place * width
        place += 1


@call_hint
def guess_epsilon_lower(right: ArrayLike, *, level: float = 0.95, delta: float = 0.0, step: float = 0.01) -> FloatArray:
    """Lower bounds on epsilon after every guess, right for ever with at least the level.

    Evidence about a claim on the two worlds of one step; no promise about a secret follows from it. One bound for each
    guess; it never falls. Read at any time, and as often as one likes: with a chance of at least the level none of them
    is above the epsilon of the releases.
    Source: ville, supermartingales; ours, a grid of nested claims

    Parameters
    ----------
    right : array_like; as in `guess_wealth`
    level, delta : float, optional; in (0, 1) and [0, 1)
    step : float, optional; of the grid on which the bounds lie, in (0, 1]

    Examples
    --------
    >>> guess_epsilon_lower([1] * 12, level=0.95)[[3, 5, 11]]
    array([0.  , 0.  , 0.81])
    """
    seen = _answers("right", right)
    lost = _checks.number("delta", delta, 0.0, 1.0, open_high=True)

    def path(epsilon: float) -> FloatArray:
        claimed = lost + (1.0 - lost) * float(expit(epsilon))
        return _guess_path(seen, claimed, None, epsilon) if claimed < 1.0 else np.zeros(0)

    return _running_lower(path, seen.size, level, lost, step)


@call_hint
def pair_epsilon_lower(
    *,
    absent: ArrayLike,
    present: ArrayLike,
    level: float = 0.95,
    delta: float = 0.0,
    direction: Bets = "either",
    step: float = 0.01,
) -> FloatArray:
    """Lower bounds on epsilon after every pair of draws, right for ever with at least the level.

    Evidence about a claim on the two worlds of one step; no promise about a secret follows from it. One bound for each
    pair; it never falls, and may be read as those of `guess_epsilon_lower`.
    Source: ville, supermartingales; ours, a grid of nested claims

    Parameters
    ----------
    absent, present, direction : array_like or str; as in `pair_wealth`
    level, delta : float, optional; in (0, 1) and [0, 1)
    step : float, optional; of the grid on which the bounds lie, in (0, 1]

    Examples
    --------
    >>> pair_epsilon_lower(absent=[0] * 20, present=[1] * 20, direction="alarms")[[7, 8, 19]]
    array([0.  , 0.09, 1.07])
    """
    none, some = _pairs(absent, present)
    _checks.choice("direction", direction, get_args(Bets))

    def path(epsilon: float) -> FloatArray:
        return _pair_path(none, some, epsilon, delta, None, direction)

    return _running_lower(path, none.size, level, delta, step)
