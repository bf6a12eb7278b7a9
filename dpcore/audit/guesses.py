"""Guesses about secrets that coins decided: what so many right ones contradict, and how many it takes.

Each secret is decided by a coin of its own, before anything is released: whether a record is in the table, or which of
two values it has. One coin is one guess: what thirty people make of one noisy number about one secret is one guess.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import bdtrc, expit, logit, ndtri, rel_entr

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore._roots import bracketed_root
from dpcore.audit._claims import checked, claimed_curve, claimed_deltas, failure_of, rate_lower
from dpcore.errors import Code, Refused
from dpcore.guarantees import ApproximateDP, ProbabilisticDP, PureDP, ZeroConcentratedDP
from dpcore.mechanisms import Gaussian, Mechanism

LARGEST_GUESSES = 10**6
"""Most guesses of one audit."""
LARGEST_COINS = 10**15
"""Most secrets that the guesses of one audit were about."""

_SMALLEST_CHANCE = math.ulp(0.0)  # no number of right guesses is impossible
_EPSILONS = np.geomspace(1e-3, 40.0, 384)  # epsilons at which a claim that has none is asked for its delta


@call_hint
@dataclass(frozen=True, kw_only=True)
class Guesses:
    """Right guesses about secrets that independent fair coins decided, at most one guess for each coin.

    Evidence about a claim on the two worlds of one step; no promise about a secret follows from it. With delta 0 it is
    free to abstain: how many are guessed, and who, may depend on all that was seen. With delta above 0 the number of
    guesses is fixed beforehand.
    Source: steinke_nasr_jagielski, Theorem 5.2, Corollary 5.4 and Appendix D
    Source: ours, the largest chance with a delta; checked against linear programs over every release
    Source: clopper_pearson, one-sided limits

    Parameters
    ----------
    right : int; how many guesses were right
    guesses : int; how many were made, from 1 to 1,000,000
    coins : int or None, optional; how many secrets there were, guessed or not; without it, as many as guesses. It
        matters where delta is above 0

    Examples
    --------
    >>> seen = Guesses(right=73, guesses=100)
    >>> round(seen.epsilon_lower(), 4), round(seen.p_value(PureDP(epsilon=0.5)), 4)
    (0.6076, 0.0157)
    >>> round(Guesses(right=10, guesses=10).epsilon_lower(), 2)  # the most that ten guesses can show
    1.05
    """

    right: int
    guesses: int
    coins: int | None = None

    def __post_init__(self) -> None:
        made = _checks.count("guesses", self.guesses, 1, LARGEST_GUESSES)
        object.__setattr__(self, "guesses", made)
        object.__setattr__(self, "right", _checks.count("right", self.right, 0, made))
        coins = _checks.count("coins", made if self.coins is None else self.coins, made, LARGEST_COINS)
        object.__setattr__(self, "coins", coins)

    def share_lower(self, level: float = 0.95) -> float:
        """Lower bound on the chance that an even guess is right, right itself with at least the level.

        Examples
        --------
        >>> round(Guesses(right=2, guesses=2).share_lower(0.75), 12)  # one half is right twice 1 in 4 times
        0.5
        """
        return float(rate_lower(self.right, self.guesses, failure_of(level)))

    def epsilon_lower(self, *, level: float = 0.95, delta: float = 0.0) -> float:
        """Lower bound on epsilon of every (epsilon, delta)-DP that the release can have, right with at least the level.

        At least 0: the smallest epsilon whose p-value is above 1 - level.

        Parameters
        ----------
        level : float, optional; in (0, 1)
        delta : float, optional; of the claim, in [0, 1)
        """
        failure, lost = failure_of(level), _checks.number("delta", delta, 0.0, 1.0, open_high=True)
        share = self.share_lower(level)
        plain = float(logit(share)) if share > 0.5 else 0.0
        if lost == 0.0 or plain == 0.0 or self._tail(0.0, lost) >= failure:
            return plain if lost == 0.0 else 0.0

        def excess(epsilon: FloatArray) -> FloatArray:
            return np.array([self._tail(float(epsilon[0]), lost) - failure])

        return float(bracketed_root(excess, np.zeros(1), np.array([plain]))[0])

    def rho_lower(self, *, level: float = 0.95, gaussian: bool = False) -> float:
        """Lower bound on rho of every zero-concentrated DP that the release can have, right with at least the level.

        At least 0: the largest rho found to be contradicted by `p_value`, at most a thousandth of the largest possible
        one below the bound.

        Parameters
        ----------
        level : float, optional; in (0, 1)
        gaussian : bool, optional; whether the claim is of Gaussian noise, not of any release
        """
        failure, share = failure_of(level), self.share_lower(level)
        if share <= 0.5:
            return 0.0
        # a release of its own for every coin is one about all of them, so no larger rho is contradicted
        apart = float(logit(share))
        largest = 2 * float(ndtri(share)) ** 2 if gaussian else apart * math.tanh(apart / 2)
        low, high = 0, 1024
        while high - low > 1:
            middle = (low + high) // 2
            rho = largest * middle / 1024
            claim = Gaussian(rho=rho) if gaussian else ZeroConcentratedDP(rho=rho)
            low, high = (middle, high) if self.p_value(claim) <= failure else (low, middle)
        return largest * low / 1024

    def p_value(self, claim: Any) -> float:
        """Largest chance of so many right guesses over all releases that keep a claim, one release about all coins.

        Exact for pure and approximate claims: a release with that claim reaches it. For a rho, a mechanism or a
        trade-off an upper bound, the smallest over the epsilons and deltas that the claim implies: secrets that share a
        release can all be found together more often than each alone would say.

        Parameters
        ----------
        claim : guarantee or mechanism or ReleasePlan or TradeOff; what the release is said to keep for each secret: the
            two worlds are the two sides of its coin
        """
        checked(claim)
        if isinstance(claim, Mechanism) and isinstance(claim.guarantee, PureDP):
            claim = claim.guarantee
        if isinstance(claim, PureDP):
            return self._tail(claim.epsilon, 0.0)
        if isinstance(claim, (ApproximateDP, ProbabilisticDP)):
            return self._tail(claim.epsilon, claim.delta)
        deltas = claimed_deltas(claim, _EPSILONS)
        # revealing all with chance delta, or answering each at epsilon, keeps both: no tail is below either chance
        floors = np.maximum(deltas, [self._binomial_tail(chance) for chance in expit(_EPSILONS)])
        least = 1.0
        for place in np.argsort(floors):
            if floors[place] >= least:
                break
            least = min(least, self._tail(float(_EPSILONS[place]), float(deltas[place])))
        return least

    def p_value_published(self, claim: ApproximateDP | PureDP) -> float:
        """The chance of so many right guesses by the bound of Steinke, Nasr and Jagielski, to compare with `p_value`.

        At most 1, and larger than `p_value` where that is small. From 7/8 on it is no bound: of three coins, with
        epsilon 0, a release has at least one right with chance 7/8 + 7 delta/8, and it says 7/8 + 6 delta/8.

        Parameters
        ----------
        claim : ApproximateDP or PureDP; epsilon and delta
        """
        _checks.kind_of("claim", claim, (PureDP, ApproximateDP), "PureDP or ApproximateDP")
        from scipy.stats import binom  # takes as long to import as all else here

        chance = expit(claim.epsilon)
        below = np.cumsum(binom.pmf(np.arange(self.right - 1, -1, -1), self.guesses, chance))
        steepest = float((below / np.arange(1, self.right + 1)).max()) if self.right else 0.0
        lost = 2.0 * (self.coins or 0) * getattr(claim, "delta", 0.0) * steepest
        return min(self._binomial_tail(chance) + lost, 1.0)

    def p_value_own_noise(self, claim: Any) -> float:
        """Largest chance of so many right guesses where every coin has a release with its own noise.

        Exact: a binomial tail at the largest chance that one even guess is right. It is false of secrets that share a
        release, except for pure claims.

        Parameters
        ----------
        claim : guarantee or mechanism or ReleasePlan or TradeOff; what the release about each secret is said to keep;
            the guess about it uses that release alone
        """
        return self._binomial_tail(claimed_curve(claim).right_guess())

    def _binomial_tail(self, chance: float) -> float:
        return max(float(bdtrc(self.right - 1, self.guesses, chance)), _SMALLEST_CHANCE) if self.right else 1.0

    def _tail(self, epsilon: float, delta: float) -> float:
        """Largest P[at least v of r right] over releases with an epsilon and a delta for each of m coins.

        Averaging over exchanged sides and orders of the coins keeps the guarantee, so the number right is all that
        counts: with q_w the chance of w right, the sum over w of [w q_w - e^eps (r - w + 1) q_(w-1)]_+ is at most m
        delta. Of W right among r randomised responses these terms are zero. Weighing W >= v up and W < v down raises
        one of them, that of v, and no other law does better: P[W >= v] P[W < v]/(v P[W = v]) is what a unit of m delta
        adds, by the dual too, since P[W < w]/(w P[W = w]) rises with w.
        """
        plain = self._binomial_tail(float(expit(epsilon)))
        if delta == 0.0 or plain == 1.0:
            return plain
        r, v = self.guesses, self.right
        up, down = np.arange(v, r), np.arange(v, 0, -1)
        with np.errstate(over="ignore", under="ignore"):
            at_least = 1.0 + np.cumprod((r - up) / (up + 1) * math.exp(epsilon)).sum()  # P[W >= v]/P[W = v]
            below = np.cumprod(down / (r - down + 1) * math.exp(-epsilon)).sum()
        return float(min(plain + (self.coins or 0) * delta / (v / at_least + v / below), 1.0))


@call_hint
@dataclass(frozen=True, kw_only=True)
class UnevenGuesses:
    """Right guesses about secrets whose coins were not fair but known, at most one guess for each coin.

    Evidence about a claim on the two worlds of one step; no promise about a secret follows from it. Chances that are
    not known are of no use: somebody who knows much beforehand looks like a broken promise. The p-value is conditional
    on which sides were guessed, so that abstaining is free.
    Source: steinke_nasr_jagielski, Proposition 5.7
    Source: ours, coins of unequal chances by the same coupling; checked against every release of three coins

    Parameters
    ----------
    right : int; how many guesses were right
    chances : sequence of float; for each guess the chance, before the release, of the side that was guessed, in (0, 1)

    Examples
    --------
    >>> from math import log
    >>> seen = UnevenGuesses(right=2, chances=[0.5, 0.5])
    >>> round(seen.p_value(PureDP(epsilon=log(3))), 9)  # three quarters, squared
    0.5625
    """

    right: int
    chances: Sequence[float]

    def __post_init__(self) -> None:
        chances = _checks.probability("chances", self.chances, open_low=True, open_high=True)
        if chances.ndim != 1 or not 0 < chances.size <= LARGEST_GUESSES:
            raise Refused("chances", "hold one number for each guess", chances.shape, Code.WRONG_SHAPE)
        object.__setattr__(self, "chances", tuple(chances.tolist()))
        object.__setattr__(self, "right", _checks.count("right", self.right, 0, chances.size))

    def p_value(self, claim: PureDP) -> float:
        """Largest chance of so many right guesses over all releases that keep a pure claim; exact."""
        _checks.kind_of("claim", claim, PureDP, "PureDP, for coins that are not fair")
        return self._tail(claim.epsilon)

    def _tail(self, epsilon: float) -> float:
        """The tail of a sum of coins whose log odds are those before and epsilon."""
        if not self.right:
            return 1.0
        law = np.ones(1)
        for right in expit(logit(np.asarray(self.chances)) + epsilon):
            law = np.convolve(law, [1.0 - right, right])
        return max(min(float(law[: self.right - 1 : -1].sum()), 1.0), _SMALLEST_CHANCE)

    def epsilon_lower(self, *, level: float = 0.95) -> float:
        """Lower bound on epsilon of every pure DP that the release can have, right with at least the level.

        Examples
        --------
        >>> round(UnevenGuesses(right=2, chances=[0.5, 0.5]).epsilon_lower(level=0.4375), 9)  # log 3
        1.098612289
        """
        failure = failure_of(level)
        if self._tail(0.0) >= failure:
            return 0.0

        def excess(epsilon: FloatArray) -> FloatArray:
            return np.array([self._tail(float(epsilon[0])) - failure])

        high = 1.0
        while self._tail(high) < failure:
            high *= 2.0
        return float(bracketed_root(excess, np.zeros(1), np.array([high]))[0])


def _divergence(one: float, other: float) -> float:
    """The Kullback-Leibler divergence of two coins."""
    return float(rel_entr(one, other) + rel_entr(1.0 - one, 1.0 - other))


@call_hint
@dataclass(frozen=True)
class GuessRate:
    """The chance that a guess is right: what an audit by guesses could find, before any is made.

    Evidence about a claim on the two worlds of one step; no promise about a secret follows from it.

    Parameters
    ----------
    share : float; in [0, 1]; of a mechanism, ``trade_off(mechanism).right_guess()``

    Examples
    --------
    >>> GuessRate(0.75).guesses_needed(PureDP(epsilon=0.5))
    88
    """

    share: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "share", _checks.number("share", self.share, 0.0, 1.0))

    def power(self, claim: Any, *, guesses: int, level: float = 0.95) -> float:
        """Chance that so many guesses, each with a release of its own noise, contradict a claim.

        Exact. It is a sawtooth in the number of guesses: a few more can have less.

        Parameters
        ----------
        claim : guarantee or mechanism or ReleasePlan or TradeOff; as in `Guesses.p_value_own_noise`; for a pure claim
            the secrets may share a release
        guesses : int; from 1 to 1,000,000
        level : float, optional; in (0, 1)

        Examples
        --------
        >>> GuessRate(0.75).power(PureDP(epsilon=0.0), guesses=5)  # all five: 1 of 32 of true claims, 3^5/4^5 here
        0.2373046875
        """
        made = _checks.count("guesses", guesses, 1, LARGEST_GUESSES)
        return float(self._power(claimed_curve(claim).right_guess(), np.array([made]), failure_of(level))[0])

    def _power(self, claimed: float, guesses: Any, failure: float) -> FloatArray:
        from scipy.stats import binom  # takes as long to import as all else here

        # the smallest number right whose tail under the claim is at most the failure is one more than this
        last = binom.isf(failure, guesses, claimed)
        return np.where(last < guesses, bdtrc(np.minimum(last, guesses - 1), guesses, self.share), 0.0)

    def guesses_needed(self, claim: Any, *, level: float = 0.95, power: float = 0.8) -> int:
        """Smallest number of guesses that contradicts a claim with at least a given chance.

        Exact. A larger number can have a smaller chance.

        Parameters
        ----------
        claim : guarantee or mechanism or ReleasePlan or TradeOff; as in `power`
        level, power : float, optional; in (0, 1)
        """
        claimed, failure = claimed_curve(claim).right_guess(), failure_of(level)
        wanted = _checks.number("power", power, 0.0, 1.0, open_low=True, open_high=True)
        if not self.share > claimed:
            raise Refused("claim", "be broken by this share", claim, Code.INFEASIBLE)
        # a test is a coin made of the guesses: their divergences together are at least that of its two chances
        fewest = _divergence(wanted, failure) / _divergence(self.share, claimed) if wanted > failure else 1.0
        for first in range(max(int(min(fewest, LARGEST_GUESSES)), 1), LARGEST_GUESSES + 1, 4096):
            numbers = np.arange(first, min(first + 4096, LARGEST_GUESSES + 1))
            enough = self._power(claimed, numbers, failure) >= wanted
            if enough.any():
                return int(numbers[enough.argmax()])
        raise Refused("claim", f"need at most {LARGEST_GUESSES} guesses", claim, Code.TOO_LARGE)
