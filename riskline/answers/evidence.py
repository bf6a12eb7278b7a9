"""What one release tells about a secret: by its guarantee alone, and by the law of its noise where that is named."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import expit, logit

from dpcore._properties import cached_property
from dpcore.guarantees import ApproximateDP, Guarantee, ProbabilisticDP, PureDP, Relation, ZeroConcentratedDP
from dpcore.guarantees import probabilistic_epsilon_from_rho_published as published_route
from dpcore.mechanisms import Curve, KnownCurve, Mechanism, NoiseMechanism
from dpcore.privacy_loss import ExactPosterior, PrivacyLoss, Side
from dpcore.promise import Promise
from dpcore.scope import KNOWS_ALL, UNSURE_INDEPENDENTLY, Bound, Scope, View
from dpcore.scope import Side as BoundSide
from dpcore.semantics import BeliefBounds, belief_bounds, posterior_bounds, shift_bound
from dpcore.tradeoff import TradeOff, trade_off, trade_off_of_secret

BOUND = "bound"
"""The reading that holds for every release with the guarantee; the others are the named noise's own."""


USUAL_DELTA = 1e-5
"""The delta of the one point at which most curves are told."""
CURVE_OVER_STEPS = np.concatenate([np.linspace(0.0, 8.0, 400, endpoint=False), np.linspace(8.0, 300.0, 293)])
"""Where the curve of several steps is read: between them its chord lies above it."""


def usual_point(loss: PrivacyLoss) -> ApproximateDP:
    """The smallest epsilon at the usual delta, or where delta falls no more; rounded up to four digits.

    >>> usual_point(PrivacyLoss.of(KnownCurve(epsilons=(1.0, 2.0), deltas=(0.1, 0.01))))
    ApproximateDP(epsilon=2.0, delta=0.01, relation=<Relation.ADD_OR_REMOVE: 'add_or_remove'>)
    """
    delta = max(USUAL_DELTA, loss.infinite_mass)
    epsilon = loss.epsilon_at(delta)
    return ApproximateDP(epsilon=_rounded_up(epsilon, 4), delta=min(_rounded_up(delta, 12), 1.0))


def _rounded_up(value: float, digits: int) -> float:
    found = float(f"{value:.{digits}g}")
    return (
        found if found >= value else float(f"{found + 10.0 ** (math.floor(math.log10(value)) + 1 - digits):.{digits}g}")
    )


def moved_together(mechanism: NoiseMechanism, records: int) -> NoiseMechanism:
    """The mechanism as it stands for so many records that move its number together: the same noise, a larger move."""
    if records == 1:
        return mechanism
    return mechanism.scaled(records)


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """What a release tells about one secret.

    Three guarantees are kept apart: that of one step (what the budget is stated for), that of the secret (between its
    two worlds, for any release with the first), and, where a noise is named, that of its own release between the two
    worlds, with the exact law of the loss. A bound for any release never rests on the third.

    promise : whose secret, under which change
    source : what is stated: of one step, or the noise for one record, or a curve of one step
    released : {'count', 'cells', 'difference'}; what named noise is on
    failure : probability with which a limit may be passed, where the guarantee allows for that
    published : that between the two worlds, where it is said of somebody's published budget

    >>> from dpcore.mechanisms import Geometric
    >>> presence = Promise(secret="value", relation="add_or_remove")
    >>> told = Evidence(promise=presence, source=Geometric(epsilon=1.0))
    >>> [round(told.right_guess(0.5, scope).value, 4) for scope in (Scope.COUNT, Scope.ANY_MECHANISM)]
    [0.7311, 0.8161]
    """

    promise: Promise
    source: Any
    released: str = "count"
    failure: float = 0.01
    published: Guarantee | None = None

    @property
    def mechanism(self) -> Mechanism | None:
        """The named mechanism for one record, or None for a guarantee or a curve alone."""
        return self.source if isinstance(self.source, Mechanism) and self.curve is None else None

    @property
    def curve(self) -> Curve | None:
        """The mechanism that is known by its curve alone, for one step; None where none is asked about."""
        return self.source if isinstance(self.source, Curve) else None

    @cached_property
    def curve_of_secret(self) -> Curve:
        """The curve between the two worlds of the secret."""
        assert self.curve is not None
        if self.promise.steps == 1:
            return self.curve
        deltas = self.most_telling.delta_at(CURVE_OVER_STEPS)
        return KnownCurve(epsilons=tuple(CURVE_OVER_STEPS.tolist()), deltas=tuple(deltas.tolist()))

    @cached_property
    def law_of_curve(self) -> PrivacyLoss:
        """A law of the privacy loss between the two worlds of the secret whose curve is nowhere below that one."""
        return PrivacyLoss.of(self.curve_of_secret)

    @cached_property
    def _shift_of_curve(self) -> float:
        return float(self.law_of_curve.every_view_epsilon(self.failure))

    @cached_property
    def usual(self) -> TradeOff:
        """What tests of the secret could do by the usual point of the curve alone."""
        return trade_off_of_secret(self.step, self.promise)

    @property
    def _additive(self) -> NoiseMechanism | None:
        return self.mechanism if isinstance(self.mechanism, NoiseMechanism) else None

    @property
    def scope(self) -> Scope:
        """For which releases what the named noise tells is said: this one, on one number or on cells of a table."""
        if self.mechanism is None:
            return Scope.ANY_MECHANISM
        return Scope.TABLE if self.released == "cells" and self._additive is not None else Scope.COUNT

    @property
    def stated(self) -> Guarantee:
        """The guarantee as it is stated; of a noise, its own for one number; of a curve, its usual point."""
        own: Any = self.source if self.mechanism is None else self.mechanism.guarantee
        if self.curve is not None:
            own = self._usual_point
        found: Guarantee = replace(own, relation=self.promise.relation)
        return found

    @cached_property
    def _usual_point(self) -> ApproximateDP:
        assert self.curve is not None
        return usual_point(self.law_of_curve if self.promise.steps == 1 else PrivacyLoss.of(self.curve))

    @cached_property
    def step(self) -> Guarantee:
        """The guarantee of the whole release for one step: a replaced record changes two cells, a difference by two."""
        if self._additive is None or self.promise.relation is not Relation.REPLACE:
            return self.stated
        if self.released == "cells":
            return Promise(secret=self.promise.secret, relation=Relation.REPLACE).guarantee_of_cells(self._additive)
        return self.stated.for_group(2) if self.released == "difference" else self.stated

    @cached_property
    def guarantee(self) -> Guarantee:
        """The guarantee between the two worlds of the secret, for any release with that of one step."""
        if self.curve is not None:
            return replace(usual_point(self.law_of_curve), relation=self.promise.relation)
        return self.published or self.promise.guarantee_of_secret(self.step)

    @cached_property
    def of_noise(self) -> Guarantee:
        """The guarantee of this noise alone between the two worlds: of one count, of cells, or of anything."""
        if self._additive is None or self.released == "difference":
            return self.guarantee
        if self.released == "count":
            return replace(self.promise.guarantee_of_count(self._additive), relation=self.promise.relation)
        return self.promise.guarantee_of_cells(self._additive)

    @property
    def moves(self) -> int:
        """How many records move one number together between the two worlds."""
        return self.promise.group * (self.promise.cells if self.released == "difference" else 1)

    @cached_property
    def pair(self) -> tuple[Any, int] | None:
        """The mechanism between the two worlds of the secret, and how many independent times; None for a guarantee."""
        if self.mechanism is None:
            return None
        if self._additive is None:
            return self.mechanism, self.promise.group
        cells = self.promise.cells if self.released == "cells" else 1
        return moved_together(self._additive, self.moves), cells

    @cached_property
    def loss(self) -> PrivacyLoss | None:
        """The law of the privacy loss between the two worlds, if a mechanism is named."""
        return None if self.pair is None else PrivacyLoss.of(*self.pair)

    @cached_property
    def tests(self) -> TradeOff | None:
        """What tests of the secret can do after this mechanism's release, if one is named."""
        return None if self.loss is None else trade_off(self.loss)

    @cached_property
    def most_telling(self) -> TradeOff:
        """What tests of the secret can do after any release with the guarantee, or the curve, of one step."""
        return trade_off_of_secret(self.curve or self.step, self.promise)

    def bounds(self, prior: float) -> BeliefBounds:
        """What the guarantee promises at a prior; probabilistic privacy fails as often as it says, or more often."""
        if self.curve is not None:
            shift = PureDP(epsilon=self._shift_of_curve)
            return replace(belief_bounds(shift, prior=prior), failure_probability=self.failure)
        own = self.guarantee.delta if isinstance(self.guarantee, ProbabilisticDP) else 0.0
        return belief_bounds(self.guarantee, prior=prior, delta_prime=max(self.failure, own))

    @cached_property
    def _at_even(self) -> BeliefBounds:
        """The bounds of an even belief: the shift of log odds and its failure are those of every belief."""
        return self.bounds(0.5)

    @cached_property
    def every_view_shift(self) -> float:
        """The shift of log odds that no view of this noise's output exceeds but with `failure`; 0 without noise."""
        return 0.0 if self.loss is None else float(self.loss.every_view_epsilon(self.failure))

    @cached_property
    def other_shifts(self) -> dict[str, float]:
        """Further shifts of log odds that bound any release but with `failure`: by what they go, or bound."""
        own, found = self.guarantee, {}
        if self.curve is not None:
            return {}
        if isinstance(own, ProbabilisticDP) and self.failure > own.delta:
            found["over_every_view"] = float(own.as_approximate().probabilistic_epsilon(self.failure))
        if isinstance(own, ApproximateDP | ZeroConcentratedDP):
            found["one_sided"] = shift_bound(own, delta_prime=self.failure, one_sided=True)
        if isinstance(own, ZeroConcentratedDP):
            found["published_route"] = float(published_route(rho=own.rho, delta_prime=self.failure))
        return found

    def beliefs(self, reading: str, prior: Any) -> tuple[Any, Any]:
        """Belief after in the true world (upper) and in the other one (lower), in a reading, at any priors."""
        if reading in (BOUND, "every_view", *self.other_shifts):
            shift = self.other_shifts.get(reading, self.every_view_shift)
            lower, upper = posterior_bounds(
                prior=prior, epsilon=self._at_even.epsilon_prime if reading == BOUND else shift
            )
            return upper, lower
        if reading == "exact":
            return self._quantile(self._outer_level, "present", prior), self._quantile(self.failure, "absent", prior)
        assert self.loss is not None
        law = ExactPosterior(self.loss, prior=prior)
        if reading == "median":
            return float(law.quantile(0.5, side="present")), float(law.quantile(0.5, side="absent"))
        return law.mean(side="present"), law.mean(side="absent")

    @cached_property
    def _outer_level(self) -> float:
        """One less the failure, rounded towards certainty: a level that is too low would understate the quantile."""
        level = 1 - self.failure
        return level if 1 - level <= self.failure else math.nextafter(level, 1.0)

    def _quantile(self, level: float, side: Side, prior: Any) -> Any:
        """Quantile of the belief after, from a grid its outer end: the upper in the true world, else the lower."""
        assert self.loss is not None
        if self.loss.certainty == "exact":
            return ExactPosterior(self.loss, prior=prior).quantile(level, side=side)
        ends = ExactPosterior(self.loss, prior=0.5).quantile_bracket(level, side=side)
        shift = np.clip(logit(ends.high if side == "present" else ends.low), -self.loss.largest, self.loss.largest)
        inner = (np.asarray(prior) > 0) & (np.asarray(prior) < 1)
        found = np.where(inner, expit(logit(np.where(inner, prior, 0.5)) + shift), prior)
        return found if np.ndim(prior) else float(found)

    def belief_after(self, prior: float, *, reading: str = BOUND, so: bool = True) -> Bound:
        """The belief after in a reading, with how far it reaches: the largest where the secret is so, or the smallest.

        The bound and the other shifts hold for any release with the guarantee; what the noise tells exactly is for
        somebody who knows every other record and sees the raw numbers.
        """
        upper, lower = self.beliefs(reading, prior)
        any_release = reading == BOUND or reading in self.other_shifts
        side = BoundSide.AT_MOST if so else BoundSide.AT_LEAST
        raw = reading in ("exact", "median", "average")
        raw = raw or (any_release and reading != "over_every_view" and isinstance(self.guarantee, ProbabilisticDP))
        return Bound(
            value=min(float(upper if so else lower), 1.0),
            side=BoundSide.EXACT if reading in ("median", "average") else side,
            scope=Scope.ANY_MECHANISM if any_release else self.scope,
            promise=replace(self.promise, failure_probability=self.failure_of(reading)),
            reader=KNOWS_ALL if raw else UNSURE_INDEPENDENTLY,
            view=View.RAW if raw else View.ANY_FUNCTION,
        )

    def failure_of(self, reading: str) -> float:
        """Probability, over the noise, with which a reading may fail; none where its limit is the largest loss."""
        if reading == BOUND:
            return self._at_even.failure_probability
        return 0.0 if self._reaches_largest(reading) else self.failure

    def _reaches_largest(self, reading: str) -> bool:
        """Whether the limit of a reading of this noise lies at its largest loss, which no release exceeds."""
        loss = self.loss
        if (
            reading not in ("every_view", "exact")
            or loss is None
            or loss.infinite_mass
            or not np.isfinite(loss.largest)
        ):
            return False
        shifts = [self.every_view_shift]
        if reading == "exact" and loss.certainty == "exact":
            shifts = [
                float(loss.loss_quantile(self._outer_level, side="present")),
                -float(loss.loss_quantile(self.failure, side="absent")),
            ]
        elif reading == "exact":
            shifts = [float(logit(self._quantile(self._outer_level, "present", 0.5)))]
        return min(shifts) >= loss.largest * (1 - 1e-12)

    def right_guess(self, prior: float, scope: Scope) -> Bound:
        """How often the best guess of the secret is right: at most after any release, or exactly after this one."""
        own = None if scope is Scope.ANY_MECHANISM else self.tests
        curve = self.most_telling if own is None else own
        return Bound(
            value=float(curve.right_guess(prior=prior)),
            side=BoundSide.AT_MOST if own is None else BoundSide.EXACT,
            scope=Scope.ANY_MECHANISM if own is None else self.scope,
            promise=self.promise,
            reader=UNSURE_INDEPENDENTLY if own is None else KNOWS_ALL,
            view=View.ANY_FUNCTION if own is None else View.RAW,
        )
