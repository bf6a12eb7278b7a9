"""The sharp trade-off over several steps: what any release with a guarantee allows about a secret of several records.

Let g(x) be the largest chance of an event in one world that has chance x in its neighbour. Over k steps it is g,
iterated k times, exactly. *No more*: worlds 0, 1, ..., k differ by one record each, an event's chance grows by at most
g from one to the next, and g is increasing. *Reached*: the release that answers yes with probability p(d), where d is a
table's distance from world 0, capped at k, with p(0) = x and p(d + 1) = g(p(d)), keeps every two neighbours within the
guarantee, because their distances differ by at most one.

Multiplying the steps into one guarantee (k epsilon; k² rho) loses that: at epsilon 1, two steps and an even bet a guess
is right with .8161, where the guarantee of 2 epsilon gives .8808. The largest *belief* after an outcome is no part of
it: k epsilon is reached there, at rare outcomes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from dpcore import _checks
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore.composition import ReleasePlan
from dpcore.errors import Code, Refused
from dpcore.guarantees import ApproximateDP, Guarantee, ProbabilisticDP, PureDP, ZeroConcentratedDP
from dpcore.mechanisms import Curve
from dpcore.promise import Promise
from dpcore.tradeoff.concentrated import ConcentratedCurve
from dpcore.tradeoff.curves import BOUND, TIGHT, Both, Polygon, TradeOff
from dpcore.tradeoff.sources import trade_off

MOST_STEPS = 100_000
MOST_STEPS_OF_RHO = 8  # each is a root; beyond, the bound of a group
MOST_STEPS_OF_CURVE = 64


@call_hint
def points_of_steps(epsilon: float, delta: float, steps: int) -> Polygon:
    """The curve of (epsilon, delta) over so many steps: g(x) = min(1, delta + e^epsilon x, 1 - e^-epsilon (1-delta-x)).

    g has one corner, at x = c = (1 - delta)/(1 + e^epsilon), where y = 1 - c. A corner of the iterated curve comes to c
    after j steps: there x lies j steps back from c, and by symmetry the missed k - 1 - j. Where a step back would leave
    [0, 1] there is no corner: the secret is found without a false alarm, or never missed. At most 100,000 steps.
    """
    steps = _checks.count("steps", steps, 1, MOST_STEPS)
    shrink = math.exp(-epsilon)
    corner = (1 - delta) * shrink / (1 + shrink)
    back = [corner]
    while len(back) < steps and (delta == 0.0 or back[-1] > delta):
        back.append((back[-1] - delta) * shrink)
    there = range(min(len(back), steps) - 1, max(steps - len(back), 0) - 1, -1)
    certain, without_alarm = _without_alarm(epsilon, delta, steps)
    x = np.array([0.0, *(back[j] for j in there), without_alarm, 1.0])
    missed = np.array([without_alarm, *(back[steps - 1 - j] for j in there), 0.0, 0.0])
    return Polygon(x, np.append(certain, 1 - missed[1:]), missed, TIGHT, certain)


def _without_alarm(epsilon: float, delta: float, steps: int) -> tuple[float, float]:
    """g^k(0) and 1 less it: up to the corner it grows to delta + e^epsilon times it, then what is left shrinks."""
    if delta == 0.0:
        return 0.0, 1.0
    shrink = math.exp(-epsilon)
    found, left = delta, steps - 1
    while left and found < (1 - delta) * shrink / (1 + shrink):
        found, left = delta + math.exp(epsilon + math.log(found)), left - 1
    if not left:
        return found, 1 - found
    missed = 1 - found
    for _ in range(left):
        missed = max((missed - delta) * shrink, 0.0)
    return 1 - missed, missed


@call_hint
@dataclass(frozen=True, eq=False)
class LeastOf(TradeOff):
    """The smaller of several upper bounds on one trade-off."""

    curves: tuple[TradeOff, ...]
    certainty: str = BOUND

    @property
    def _certain(self) -> float:  # type: ignore[override]
        return min(curve._certain for curve in self.curves)

    def _best(self, false_alarm: FloatArray) -> Both:
        found, missed = zip(*(curve._best(false_alarm) for curve in self.curves), strict=True)
        return np.minimum.reduce(found), np.maximum.reduce(missed)

    def _least_error(self, prior: FloatArray) -> FloatArray:
        return np.maximum.reduce([curve._least_error(prior) for curve in self.curves])


@call_hint
def trade_off_over_steps(source: Guarantee | ReleasePlan | Curve, *, steps: int) -> TradeOff:
    """The trade-off that any release with a guarantee leaves, between two worlds so many steps apart.

    The promise is for `steps` steps: a secret of so many records, each added, removed or replaced. The one-step curve
    iterated: the largest over all releases with the guarantee, reached by one (``"tight"``; an upper bound for
    probabilistic guarantees of several steps). A plan is answered by the sums of its epsilons and of its rhos,
    whichever allows less (``"bound"``). For a rho the steps are roots found from above.
    Source: dong, Theorem 2.14 (group privacy of a trade-off); kairouz, Theorem 2.1
    Source: ours, one release that reaches it for every guarantee; checked against chains of coins by linear programs

    Parameters
    ----------
    source : guarantee or ReleasePlan or Curve; a `PureDP`, `ApproximateDP`, `ProbabilisticDP` or `ZeroConcentratedDP`
        for one step; a plan, of which only the guarantees of its rows count; or a mechanism of which a curve is known
    steps : int; neighbouring tables between the two worlds, from 1 to 100,000, of a curve to 64: `Promise.steps`

    Examples
    --------
    >>> pair = trade_off_over_steps(PureDP(epsilon=1.0), steps=2)  # an even bet: 1 - 1/(2e)
    >>> round(pair.right_guess(), 6), round(trade_off_over_steps(PureDP(epsilon=2.0), steps=1).right_guess(), 6)
    (0.81606, 0.880797)
    """
    number = _checks.count("steps", steps, 1, MOST_STEPS)
    if isinstance(source, ReleasePlan):
        return _of_plan(source, number)
    if isinstance(source, ZeroConcentratedDP):
        return ConcentratedCurve(source.rho, TIGHT, number)
    if isinstance(source, Curve):
        return _iterated(trade_off(source), number)
    if not isinstance(source, PureDP | ApproximateDP | ProbabilisticDP):
        raise Refused(
            "source", "be a guarantee, a ReleasePlan or a curve", source, Code.WRONG_TYPE, got=_checks._shown(source)
        )
    curve = points_of_steps(source.epsilon, getattr(source, "delta", 0.0), number)
    return replace(curve, certainty=BOUND) if isinstance(source, ProbabilisticDP) and number > 1 else curve


def _iterated(one: TradeOff, steps: int) -> TradeOff:
    """The curve of one step, iterated: it turns where the inner one does, and where that reaches a turn of one step."""
    assert isinstance(one, Polygon)
    if steps > MOST_STEPS_OF_CURVE:
        raise Refused("steps", f"be at most {MOST_STEPS_OF_CURVE} of a curve", steps, Code.TOO_LARGE)
    found = one
    for _ in range(steps - 1):
        reached = np.interp(one.false_alarms, found.detections, found.false_alarms)
        x = np.unique(np.concatenate([found.false_alarms, reached]))
        inner, left = found._best(x)
        inner[0], left[0] = found.detections[0], 1.0 - found.detections[0]
        missed = np.interp(left, one.detections, one.false_alarms)  # the mirror image, where small ones keep digits
        y = np.maximum(np.interp(inner, one.false_alarms, one.detections), 1.0 - missed)
        found = Polygon(x, y, missed, one.certainty, float(y[0]))
    return found


def _of_plan(plan: ReleasePlan, steps: int) -> TradeOff:
    if any(isinstance(row.source, Curve) for row in plan.rows):
        rows = tuple(row if isinstance(row.source, Curve) else replace(row, source=row.guarantee) for row in plan.rows)
        return _iterated(trade_off(ReleasePlan(rows)), steps)
    if plan.releases == 1:
        only = plan.rows[0].guarantee
        if isinstance(only, ZeroConcentratedDP):
            return _of_rho(only.rho, TIGHT, steps)
        return trade_off_over_steps(only, steps=steps)
    kinds = [row.guarantee.__class__ for row in plan.rows]
    bounds: list[TradeOff] = []
    if ZeroConcentratedDP not in kinds:
        epsilon = math.fsum(row.count * row.guarantee.epsilon for row in plan.rows)
        bounds.append(points_of_steps(epsilon, plan.basic_delta(0.0), steps))
    if all(kind in (PureDP, ZeroConcentratedDP) for kind in kinds) or not bounds:
        bounds.append(_of_rho(plan.rho, BOUND, steps))
    return LeastOf(tuple(bounds))


def _of_rho(rho: float, certainty: str, steps: int) -> ConcentratedCurve:
    """A rho over few steps, or that of a group of so many records: so many roots would take seconds."""
    if steps > MOST_STEPS_OF_RHO:
        return ConcentratedCurve(rho * steps**2, BOUND)
    return ConcentratedCurve(rho, certainty, steps)


@call_hint
def trade_off_of_secret(source: Guarantee | ReleasePlan | Curve, promise: Promise) -> TradeOff:
    """The trade-off that any release with a guarantee leaves about a promise's secret.

    The promise is the one that is given: its steps, under the relation of the guarantee. As `trade_off_over_steps` at
    the promise's `steps`: no release with the guarantee lets a test of the secret find more. It is never above the
    curve of `Promise.guarantee_of_secret`, which answers for a rho over more than eight steps (``"bound"``).
    Source: dong, Theorem 2.14

    Parameters
    ----------
    source : guarantee or ReleasePlan or Curve; for one step, as in `trade_off_over_steps`
    promise : Promise; the secret; its relation must be that of the guarantee, or of the curve where it has one

    Examples
    --------
    >>> value = Promise(secret="value", relation="add_or_remove")
    >>> round(trade_off_of_secret(ZeroConcentratedDP(rho=0.1), value).right_guess(), 4)
    0.7121
    """
    _checks.kind_of("promise", promise, Promise, "a promise such as Promise(secret='person')")
    relation = getattr(source, "relation", None) or promise.relation
    if relation is not promise.relation:
        raise Refused(
            "relation",
            f"be that of the guarantee ({relation.value!r})",
            promise.relation.value,
            Code.INCONSISTENT,
        )
    if isinstance(source, ZeroConcentratedDP):
        return _of_rho(source.rho, TIGHT, promise.steps)
    return trade_off_over_steps(source, steps=promise.steps)
