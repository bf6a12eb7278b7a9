"""Claims that evidence is held against, and Clopper and Pearson's bounds on one rate."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainccinv, betaincinv, expit

from dpcore import _checks
from dpcore._checks import FloatArray
from dpcore.composition import ReleasePlan
from dpcore.guarantees import ApproximateDP, ProbabilisticDP, PureDP, ZeroConcentratedDP
from dpcore.mechanisms import Mechanism
from dpcore.privacy_loss import PrivacyLoss
from dpcore.tradeoff import TradeOff, trade_off

LARGEST_COUNTED = 10**15
"""Most draws of one world that are judged: a float still tells each from the next."""
LEAST_LEVEL = 1e-9  # below it a float has few digits left of it, and at last none
_GUARANTEES = (PureDP, ApproximateDP, ProbabilisticDP, ZeroConcentratedDP)
_CLAIMS = (*_GUARANTEES, Mechanism, PrivacyLoss, ReleasePlan, TradeOff)


def checked(claim: Any) -> None:
    """Refuse what is no claim."""
    _checks.kind_of("claim", claim, _CLAIMS, "a guarantee such as PureDP(epsilon=1.0), a mechanism, plan or trade-off")


def claimed_curve(claim: Any) -> TradeOff:
    """The largest detection that a claim allows at every false-alarm rate."""
    checked(claim)
    return claim if isinstance(claim, TradeOff) else trade_off(claim)


def claimed_deltas(claim: Any, epsilons: FloatArray) -> FloatArray:
    """The delta that a claim implies at each epsilon, or one above it."""
    if isinstance(claim, ReleasePlan):
        claim = claim.privacy_loss
    if isinstance(claim, Mechanism):
        claim = PrivacyLoss.of(claim)
    if not isinstance(claim, TradeOff):
        return np.asarray(claim.delta_at(epsilons))
    # the best guess at the prior e^-epsilon/(1 + e^-epsilon) weighs detection - e^epsilon false alarm
    lost = np.asarray(claim.right_guess(prior=expit(-epsilons))) - expit(epsilons)
    return np.clip((lost + 1e-15) / expit(-epsilons), 0.0, 1.0)


def failure_of(level: float) -> float:
    """How often a true claim may be contradicted."""
    share = _checks.number("level", level, 0.0, 1.0, open_low=True, open_high=True)
    return 1.0 - _checks.number("level", share, LEAST_LEVEL)


def rate_lower(successes: ArrayLike, trials: ArrayLike, failure: float | FloatArray) -> FloatArray:
    """The rate at which so many successes or more have the chance `failure`; 0 for no success."""
    seen = np.asarray(successes, dtype=np.float64)
    some = seen > 0
    found = betaincinv(np.where(some, seen, 1.0), np.asarray(trials) - np.where(some, seen, 1.0) + 1.0, failure)
    return np.where(some & ~np.isnan(found), found, 0.0)  # nan far below 1e-150, where 0 is safe


def rate_upper(successes: ArrayLike, trials: ArrayLike, failure: float | FloatArray) -> FloatArray:
    """The rate at which so many successes or fewer have the chance `failure`; 1 where every trial succeeded."""
    seen, of = np.asarray(successes, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    some = seen < of
    found = betainccinv(np.where(some, seen, 0.0) + 1.0, np.where(some, of - seen, 1.0), failure)
    return np.where(some & ~np.isnan(found), found, 1.0)


_SECTIONS = np.arange(1, 33) / 33


def smallest_failure(contradicted: Callable[[FloatArray], NDArray[np.bool_]]) -> float:
    """The p-value of a claim: the smallest failure at which the evidence contradicts it, found from above.

    The argument answers whether it does at each of several failures; once it does, it does at every larger one.
    """
    low, high = math.log(5e-324), 0.0
    if not contradicted(np.ones(1))[0]:
        return 1.0
    for _ in range(12):  # each leaves a thirty-third: together less than the last digit
        tried = low + _SECTIONS * (high - low)
        first = int(np.append(contradicted(np.exp(tried)), True).argmax())
        low, high = tried[first - 1] if first else low, tried[first] if first < tried.size else high
    return math.exp(high)
