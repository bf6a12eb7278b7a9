"""Both rates of two worlds judged together against one epsilon and delta: sharper than a bound on each.

Two bounds that share a level are right together far more often than it says. Here the pairs of counts are put in order
by the p-value of these bounds, and the chance of so extreme a pair is taken where it is largest, over all pairs of
rates that the claim allows. It answers for one delta and one rule, fixed beforehand; the bounds of `Alarms.rates` serve
every claim at once.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import gammaln, logit, xlog1py, xlogy

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore.audit._claims import claimed_curve, failure_of, rate_upper
from dpcore.audit.alarms import Alarms
from dpcore.errors import Code, Refused
from dpcore.guarantees import ApproximateDP, PureDP
from dpcore.mechanisms.losses import IntArray

LARGEST_DRAWS = 100_000
"""Most draws of a world that are judged jointly."""

_SPACING = 0.3  # of rates that are tried, in standard deviations: between two the chance is at most 1.2 in 100 more
_AT_ONCE = 32  # neighbouring rates whose chances are computed together
_LEFT_OUT = 1e-15  # above the chance of the counts that `_Extreme` leaves out


class _Extreme:
    """The pairs of counts that are at least as extreme as a p-value of the bounds, and their chance at two rates."""

    def __init__(self, seen: Alarms, claim: Any, failure: float) -> None:
        from scipy.stats import binom  # takes as long to import as all else here

        self.absent, self.present = seen.draws_absent, seen.draws_present
        false = np.arange(self.absent + 1)
        needed = np.asarray(claimed_curve(claim).detection(rate_upper(false, self.absent, failure / 2)))
        least = binom.isf(failure / 2, self.present, np.minimum(needed, 1.0)) + 1
        self.least: IntArray = np.where(needed < 1.0, least, self.present + 1).astype(np.int64)
        self._ways = [gammaln(n + 1.0) - gammaln(np.arange(n + 1.0) + 1) for n in (self.absent, self.present)]
        self._ways = [ways - gammaln(np.arange(ways.size, 0.0, -1.0)) for ways in self._ways]

    def _laws(self, world: int, draws: int, rates: FloatArray) -> tuple[IntArray, FloatArray]:
        """The first count and the chances of counts within nine standard deviations, a row for each rate."""
        reach = 9.0 * math.sqrt(draws * float((rates * (1.0 - rates)).max())) + 40.0
        width = min(int(2 * reach) + 3, draws + 1)
        first = np.clip((draws * rates - reach).astype(np.int64), 0, draws + 1 - width)
        count = first[:, None] + np.arange(width)
        with np.errstate(under="ignore"):
            logs = xlogy(count, rates[:, None]) + xlog1py(draws - count, -rates[:, None])
            return first, np.exp(self._ways[world][count] + logs)

    def chances(self, false_alarms: FloatArray, detections: FloatArray) -> FloatArray:
        """The chance of these pairs at each two rates."""
        found = np.empty(false_alarms.size)
        for start in range(0, found.size, _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            low, none = self._laws(0, self.absent, false_alarms[part])
            first, some = self._laws(1, self.present, detections[part])
            at_least = np.zeros((first.size, some.shape[1] + 1))
            np.cumsum(some[:, ::-1], axis=1, out=at_least[:, -2::-1])
            least = self.least[low[:, None] + np.arange(none.shape[1])] - first[:, None]
            reached = np.take_along_axis(at_least, np.clip(least, 0, some.shape[1]), axis=1)
            found[part] = (none * reached).sum(axis=1)
        return found


def _edge(draws: int, others: int, claim: PureDP | ApproximateDP, delta: float) -> tuple[FloatArray, FloatArray]:
    """Rates x and delta + e^epsilon x from nearly 0 to the corner of a claim, a spacing apart in both worlds' draws."""
    ratio = math.exp(claim.epsilon)
    corner = (1.0 - delta) / (1.0 + ratio)
    at = [min(1e-4 / (draws + others), corner / 2)]
    while True:
        x, y = at[-1], delta + ratio * at[-1]
        x += _SPACING / math.sqrt(draws / (x * (1.0 - x)) + others * ratio * ratio / (y * (1.0 - y)))
        if x >= corner:
            break
        at.append(x)
    rates = np.array([*at, corner])
    return rates, np.minimum(delta + ratio * rates, 1.0)


def _largest_spread(rates: FloatArray) -> FloatArray:
    """The largest x (1 - x) between neighbouring rates."""
    spread = rates * (1.0 - rates)
    across = (rates[:-1] - 0.5) * (rates[1:] - 0.5) < 0.0
    return np.where(across, 0.25, np.maximum(spread[:-1], spread[1:]))


@call_hint
def joint_p_value(seen: Alarms, claim: PureDP | ApproximateDP) -> float:
    """Chance, at most, that a true epsilon and delta give a pair of counts as extreme as the one seen.

    Evidence about a claim on the two worlds of one step; no promise about a secret follows from it. The chance is
    largest on the edge of the region of the claim, since more alarms in world present and fewer in the other are only
    more extreme. The edge is followed in steps. Between two of them, in log odds, the logarithm of the chance is convex
    but for the normalisers of two binomial laws, and the edge lies below its chord; so it is at most the larger end and
    an eighth of the squared step, in standard deviations. In (0, 1], never above `Alarms.p_value` of the same claim. An
    upper bound, within about 1 in 100 of itself.
    Source: kairouz, Theorem 2.1 (the region of epsilon and delta)
    Source: ours, the chance along the edge of that region; checked against every pair of counts on a fine grid of rates

    Parameters
    ----------
    seen : Alarms; at most 100,000 draws of each world
    claim : PureDP or ApproximateDP; what the release is said to keep between the two worlds

    Examples
    --------
    >>> seen = Alarms(draws_absent=200, alarms_absent=54, draws_present=200, alarms_present=160)
    >>> round(seen.p_value(PureDP(epsilon=1.0)), 3), round(joint_p_value(seen, PureDP(epsilon=1.0)), 3)
    (0.123, 0.032)
    """
    _checks.kind_of("seen", seen, Alarms, "Alarms")
    _checks.kind_of("claim", claim, (PureDP, ApproximateDP), "PureDP or ApproximateDP")
    if max(seen.draws_absent, seen.draws_present) > LARGEST_DRAWS:
        rule = f"hold at most {LARGEST_DRAWS} draws of each world"
        raise Refused("seen", rule, (seen.draws_absent, seen.draws_present), Code.TOO_LARGE)
    separate = seen.p_value(claim)
    if separate == 1.0:
        return 1.0
    extreme = _Extreme(seen, claim, min(separate * (1 + 1e-9), 1.0))
    delta = getattr(claim, "delta", 0.0)
    least_false, found = _edge(extreme.absent, extreme.present, claim, delta)
    missed, silent = (rates[::-1] for rates in _edge(extreme.present, extreme.absent, claim, delta))
    largest = 0.0
    for false, right in ((least_false, found), (1.0 - silent, 1.0 - missed)):
        chances = extreme.chances(false, right)
        moved = extreme.absent * np.diff(logit(false)) ** 2 * _largest_spread(false)
        moved += extreme.present * np.diff(logit(right)) ** 2 * _largest_spread(right)
        largest = max(largest, float((np.maximum(chances[:-1], chances[1:]) * np.exp(moved / 8)).max()))
    ends = extreme.chances(np.array([0.0, 1.0 - silent[-1]]), np.array([found[0], 1.0]))
    return min(max(largest, float(ends.max())) + _LEFT_OUT, separate)


@call_hint
def joint_epsilon_lower(seen: Alarms, *, level: float = 0.95, delta: float = 0.0, step: float = 0.01) -> float:
    """Lower bound on epsilon of every (epsilon, delta)-DP that the release can have, both rates judged together.

    Evidence about a claim on the two worlds of one step; no promise about a secret follows from it. The last epsilon of
    the grid that is contradicted with all smaller ones: right with at least the level, and at most one step below
    `Alarms.epsilon_lower`, mostly well above it.
    Source: ours, a grid of nested claims

    Parameters
    ----------
    seen : Alarms; at most 100,000 draws of each world
    level, delta : float, optional; in (0, 1) and [0, 1), fixed beforehand
    step : float, optional; of the grid on which the bound lies, in (0, 1]

    Examples
    --------
    >>> seen = Alarms(draws_absent=200, alarms_absent=54, draws_present=200, alarms_present=160)
    >>> round(seen.epsilon_lower(), 2), joint_epsilon_lower(seen)
    (0.93, 1.02)
    """
    failure, lost = failure_of(level), _checks.number("delta", delta, 0.0, 1.0, open_high=True)
    width = _checks.number("step", step, 0.0, 1.0, open_low=True)
    _checks.kind_of("seen", seen, Alarms, "Alarms")
    place = math.floor(seen.epsilon_lower(level=level, delta=lost) / width)  # everything up to here is contradicted
    while joint_p_value(seen, ApproximateDP(epsilon=(place + 1) * width, delta=lost)) <= failure:
        place += 1
    return place * width
