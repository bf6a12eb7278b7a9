"""Release plans as values: what is released and how often, added up by every rule, once or round after round."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any, Literal, get_args

import numpy as np

from dpcore import _checks
from dpcore._cache import MEGABYTE, cached_by_size
from dpcore._calls import call_hint
from dpcore._checks import FloatArray
from dpcore._properties import cached_property
from dpcore.composition.divergences import AddedDivergences
from dpcore.composition.promises import (
    ROUTES,
    BeliefPromise,
    ConcentratedRule,
    ExactRule,
    Rule,
    charged_epsilon,
    check_shift,
)
from dpcore.composition.rules import (
    LARGEST_PLAN,
    advanced_epsilon,
    basic_composition,
    concentrated_composition,
    heterogeneous_epsilon,
    optimal_epsilon,
)
from dpcore.errors import Code, Refused
from dpcore.first_passage import FirstPassing, first_round_passed
from dpcore.guarantees import (
    ApproximateDP,
    ProbabilisticDP,
    PureDP,
    Relation,
    ZeroConcentratedDP,
    approximate_epsilon_from_rho,
)
from dpcore.mechanisms import Curve, Mechanism
from dpcore.privacy_loss import Bracket, Direction, ExactPosterior, PrivacyLoss, Side


@cached_by_size(32 * MEGABYTE)
def _alone(source: Any) -> PrivacyLoss:
    """The loss of one release of a mechanism; kept, because every round of a plan asks for it."""
    return PrivacyLoss.of(source)


@call_hint
@dataclass(frozen=True)
class PlannedRelease:
    """One row of a plan: a mechanism or a guarantee, and how often it is released.

    The promise is that of its source: one step of one relation, in each of its releases. A curve adds up by its worst
    law, as an upper bound, and by epsilons at a delta; it has no rho.

    Parameters
    ----------
    source : object; a mechanism or a curve of `dpcore.mechanisms`, or a guarantee (pure, approximate, probabilistic,
        zero-concentrated)
    count : int, optional; at least 1
    name : str, optional; what is released, for people

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> weekly = PlannedRelease(Geometric(epsilon=0.1), count=52, name="visits")
    >>> weekly.guarantee.epsilon, weekly.has_exact_law
    (0.1, True)
    """

    source: Any
    count: int = 1
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "count", _checks.count("count", self.count, 1, LARGEST_PLAN))
        if isinstance(self.source, Curve):
            if self.source.is_estimate:
                raise Refused("source", "be known: an estimate is no bound of a sum", self.source, Code.UNSUPPORTED)
            return
        if not isinstance(self.guarantee, PureDP | ApproximateDP | ProbabilisticDP | ZeroConcentratedDP):
            if isinstance(self.source, Mechanism):
                rule = "be a mechanism with a budget, or a guarantee: any other adds up in a PrivacyLoss"
                raise Refused("source", rule, self.source, Code.UNSUPPORTED)
            raise Refused("source", "be a mechanism or a guarantee", self.source, Code.WRONG_TYPE)

    @property
    def guarantee(self) -> Any:
        """The guarantee of one release; None of a curve without one."""
        return getattr(self.source, "guarantee", self.source)

    @property
    def needs_delta(self) -> bool:
        """Whether its epsilon is one at a delta that is chosen."""
        return self.guarantee is None or isinstance(self.guarantee, ZeroConcentratedDP)

    @property
    def has_exact_law(self) -> bool:
        """Whether the row names a mechanism with a law: a guarantee or a curve alone has bounds and no tails."""
        return self.guarantee is not self.source and not isinstance(self.source, Curve)

    @property
    def has_worst_mechanism(self) -> bool:
        """Whether one mechanism has the largest delta at every epsilon: a named one, or the worst for its guarantee."""
        return not isinstance(self.source, ProbabilisticDP | ZeroConcentratedDP)

    def approximate(self, delta: float) -> tuple[float, float]:
        """Epsilon and delta of one release: its own where it has them, else the smallest epsilon at this delta."""
        own = self.guarantee
        if isinstance(own, PureDP):
            return own.epsilon, 0.0
        if isinstance(own, ApproximateDP | ProbabilisticDP):
            return own.epsilon, own.delta
        if delta <= 0.0:
            return math.inf, 0.0
        if isinstance(self.source, Mechanism):
            return float(_alone(self.source).epsilon_at(delta)), delta
        return float(own.epsilon_at(delta)), delta


@call_hint
@dataclass(frozen=True)
class ReleasePlan:
    """Releases about the same people, added up by every rule.

    The promise is each release's: one secret under one relation, to an observer of all.
    Source: thesis, Theorems 24 to 26; ours, exact composition of the privacy loss

    Parameters
    ----------
    rows : tuple of PlannedRelease; what is released and how often, in order

    Examples
    --------
    >>> plan = ReleasePlan((PlannedRelease(PureDP(epsilon=0.1), 7),))
    >>> round(plan.basic(1e-6).epsilon, 12), round(plan.exact_epsilon(0.0), 12)
    (0.7, 0.7)
    """

    rows: tuple[PlannedRelease, ...]

    def __post_init__(self) -> None:
        of_plan = "planned releases such as PlannedRelease(Gaussian(rho=0.01), count=12)"
        _checks.kind_of("rows", self.rows, Iterable, of_plan)
        rows = tuple(self.rows)
        for row in rows:
            _checks.kind_of("rows", row, PlannedRelease, of_plan)
        if not rows:
            raise Refused("rows", "hold at least one release", (), Code.EMPTY)
        if len(rows) > 10_000:
            raise Refused("rows", "hold at most 10000 rows", len(rows), Code.TOO_LARGE)
        object.__setattr__(self, "rows", rows)
        if self.releases > LARGEST_PLAN:
            raise Refused("rows", f"hold at most {LARGEST_PLAN} releases", self.releases, Code.TOO_LARGE)

    @classmethod
    def repeated(cls, source: Any, count: int) -> ReleasePlan:
        """A plan of one mechanism or guarantee, released `count` times."""
        return cls((PlannedRelease(source, count),))

    @property
    def releases(self) -> int:
        """Number of releases."""
        return sum(row.count for row in self.rows)

    def times(self, rounds: int) -> ReleasePlan:
        """The same plan `rounds` times over."""
        factor = _checks.count("rounds", rounds, 1)
        return ReleasePlan(tuple(PlannedRelease(row.source, factor * row.count, row.name) for row in self.rows))

    @property
    def has_exact_law(self) -> bool:
        """Whether every row names a mechanism."""
        return all(row.has_exact_law for row in self.rows)

    @property
    def has_worst_mechanism(self) -> bool:
        """Whether the plan's largest delta at every epsilon is known exactly: named mechanisms, epsilons and deltas."""
        return all(row.has_worst_mechanism for row in self.rows)

    @cached_property
    def privacy_loss(self) -> PrivacyLoss:
        """The privacy loss of the plan; refused where a row is only a probabilistic or concentrated guarantee.

        Rows that are pure or approximate guarantees stand for the worst mechanism for delta: such a plan has `delta`,
        `epsilon_at` and `every_view_epsilon` (bounds for any mechanisms), and refuses quantiles and tails.
        """
        for row in self.rows:
            if not row.has_worst_mechanism:
                raise Refused("source", "be a mechanism, PureDP or ApproximateDP", row.source, Code.UNSUPPORTED)
        return PrivacyLoss(tuple((row.source, row.count) for row in self.rows))

    def _spread(self, delta: float) -> tuple[FloatArray, FloatArray]:
        """Epsilon and delta of every release, `delta` shared equally among the releases that need one."""
        needing = sum(row.count for row in self.rows if row.needs_delta)
        share = delta / needing if needing else 0.0
        pairs = [row.approximate(share) for row in self.rows]
        counts = [row.count for row in self.rows]
        return np.repeat([pair[0] for pair in pairs], counts), np.repeat([pair[1] for pair in pairs], counts)

    def _needs_delta(self) -> bool:
        return any(row.needs_delta for row in self.rows)

    @property
    def relation(self) -> Relation:
        """What one change is, the same in all rows; refused where some add or remove a record and others replace it.

        Randomised response hides an answer, not that it was given: of a plan with a noisy count beside it there are
        epsilons and deltas, each row's own change made once, and no guarantee for a secret of either relation.
        """
        each = (getattr(row.source, "relation", None) or getattr(row.guarantee, "relation", None) for row in self.rows)
        found = {relation for relation in each if relation is not None}  # of points nobody may have said one
        if len(found) > 1:
            rule = "be under one relation to be one guarantee"
            raise Refused("rows", rule, sorted(found), Code.INCONSISTENT, got="records replaced, and added or removed")
        return found.pop() if found else Relation.ADD_OR_REMOVE

    def basic(self, delta: float) -> ApproximateDP:
        """Epsilons and deltas added up; `delta`, in (0, 1), is shared among releases without their own epsilon.

        Rows must be of one `relation`; `basic_epsilon` adds up others too.
        """
        total = _checks.number("delta", delta, 0.0, 1.0, open_low=self._needs_delta(), open_high=True)
        epsilons, deltas = self._spread(total)
        return replace(basic_composition(epsilons, deltas=deltas), relation=self.relation)

    def basic_epsilon(self, delta: float) -> float:
        """Epsilon of `basic`, with the own change of every row made once where rows are of two relations."""
        total = _checks.number("delta", delta, 0.0, 1.0, open_low=self._needs_delta(), open_high=True)
        epsilons, deltas = self._spread(total)
        return basic_composition(epsilons, deltas=deltas).epsilon

    def basic_delta(self, delta: float) -> float:
        """Delta of `basic`: the releases' own deltas, and `delta` where it is shared among releases without one."""
        shared = _checks.number("delta", delta, 0.0, 1.0)
        own = math.fsum(row.count * getattr(row.guarantee, "delta", 0.0) for row in self.rows)
        return min(own + (shared if self._needs_delta() else 0.0), 1.0)

    def advanced_epsilon(self, delta: float) -> float:
        """Epsilon at a total delta by advanced composition, or by addition where smaller (thesis, Theorem 25.2).

        Releases without an epsilon of their own take half of `delta`, in (0, 1). Infinite where deltas use it up.
        """
        total = _checks.number("delta", delta, 0.0, 1.0, open_low=True, open_high=True)
        epsilons, deltas = self._spread(total / 2)
        if math.fsum(deltas) >= total:
            return math.inf
        return min(advanced_epsilon(epsilons, deltas=deltas, total_delta=total), self.basic_epsilon(total))

    def optimal_epsilon(self, delta: float) -> Bracket:
        """Epsilon at a total delta, tight over all mechanisms with the rows' epsilons and deltas (Murtagh-Vadhan)."""
        total = _checks.number("delta", delta, 0.0, 1.0, open_low=self._needs_delta(), open_high=True)
        epsilons, deltas = self._spread(total / 2)
        if np.ptp(epsilons) == 0.0 and np.ptp(deltas) == 0.0:
            try:
                one = optimal_epsilon(
                    releases=epsilons.size,
                    epsilon=float(epsilons[0]),
                    delta_each=float(deltas[0]),
                    total_delta=total,
                )
            except Refused as refusal:  # no epsilon keeps so small a total delta
                if refusal.code is not Code.INFEASIBLE:
                    raise
                return Bracket(math.inf, math.inf)
            return Bracket(one, one)
        return heterogeneous_epsilon(epsilons, deltas=deltas, total_delta=total)

    def concentrated(self) -> ZeroConcentratedDP:
        """Rhos added up, of rows of one `relation`; `rho` adds up others too."""
        return ZeroConcentratedDP(rho=self.rho, relation=self.relation)

    @property
    def rho(self) -> float:
        """Rhos added up, each row's own change made once; a pure row counts as epsilon^2/2, an approximate has none."""
        rhos = []
        for row in self.rows:
            own = row.guarantee
            if not isinstance(own, PureDP | ZeroConcentratedDP):
                raise Refused(
                    "source", "be pure or zero-concentrated to have a rho", own or row.source, Code.UNSUPPORTED
                )
            rhos.append(row.count * (own.epsilon**2 / 2 if isinstance(own, PureDP) else own.rho))
        return concentrated_composition(rhos).rho

    def divergences(self) -> AddedDivergences:
        """Releases of every kind added up by their divergences: rhos, and epsilons with what their deltas excuse.

        Refused where a row is a curve without a budget.
        """
        for row in self.rows:
            if row.guarantee is None:
                raise Refused("source", "have an epsilon or a rho to have divergences", row.source, Code.UNSUPPORTED)
        bounded = [row for row in self.rows if not isinstance(row.guarantee, ZeroConcentratedDP)]
        concentrated = [row for row in self.rows if isinstance(row.guarantee, ZeroConcentratedDP)]
        return AddedDivergences(
            epsilons=tuple(row.guarantee.epsilon for row in bounded),
            counts=tuple(float(row.count) for row in bounded),
            rho=math.fsum(row.count * row.guarantee.rho for row in concentrated),
            delta=math.fsum(row.count * getattr(row.guarantee, "delta", 0.0) for row in bounded),
        )

    def exact_epsilon(self, delta: float) -> float:
        """Epsilon of the mechanisms themselves at a total delta, a bound for any mechanisms where rows are guarantees.

        Exact, or an upper bound on a grid.
        """
        return float(self.privacy_loss.epsilon_at(delta))


PlanMethod = Literal["basic", "advanced", "optimal", "divergences", "published", "direct", "every_view", "exact"]
"""The rules and routes of a plan, by name."""

METHODS: tuple[PlanMethod, ...] = get_args(PlanMethod)
"""How a `PlanRule` adds up a plan."""


@call_hint
@dataclass(frozen=True)
class PlanRule(Rule):
    """A whole plan carried out again and again, added up by one method, then turned into a promise.

    The promise is about the one secret that all releases tell of, under one relation: to an observer of all, but by the
    method "exact" to somebody who looks once, after the last round.
    Source: thesis, Theorems 24 to 26 and 35; ours, exact composition of the privacy loss

    Parameters
    ----------
    plan : ReleasePlan; one round
    method : str; ``"basic"``, ``"advanced"`` or ``"optimal"`` at a total delta, then Theorem 35, and no more than the
        sum of pure epsilons; ``"divergences"`` from the sum of divergences; ``"published"`` or ``"direct"`` from the
        sum of rho; ``"every_view"`` from the worst law, for whatever is computed from the releases; ``"exact"`` from
        the law of the mechanisms themselves
    total_delta : float, optional; of all rounds together, for the first three methods
    points : int, optional; grid points where different losses have to be rounded for the exact method; None chooses
        them
    once : ReleasePlan, optional; what is released besides, once in all rounds

    Examples
    --------
    >>> from dpcore.composition import first_broken
    >>> from dpcore.mechanisms import Gaussian
    >>> plan = ReleasePlan.repeated(Gaussian(rho=0.01), 1)
    >>> promise = BeliefPromise.posterior_cap(prior=0.5, cap=0.99, delta_prime=0.01, direction="rise")
    >>> [first_broken(PlanRule(plan, method), promise) for method in ("published", "direct", "exact")]
    [58, 79, 112]
    """

    plan: ReleasePlan
    method: PlanMethod
    _: KW_ONLY
    total_delta: float = 1e-6
    points: int | None = None
    once: ReleasePlan | None = None
    _totals: dict[int, float] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        of_plan = "a plan such as ReleasePlan.repeated(Gaussian(rho=0.01), 12)"
        _checks.kind_of("plan", self.plan, ReleasePlan, of_plan)
        if self.once is not None:
            _checks.kind_of("once", self.once, ReleasePlan, of_plan)
        _checks.choice("method", self.method, METHODS)
        object.__setattr__(self, "total_delta", _checks.number("total_delta", self.total_delta, 0.0, 1.0))
        if self.method in ("published", "direct"):
            _ = self.all_of(1).rho  # refuses rows without one
        if self.method == "every_view":
            _ = self.all_of(1).privacy_loss  # refuses rows without a worst mechanism
        if self.method == "exact":
            self.all_of(1).privacy_loss.check_law_of_tails()  # refused here rather than at the first use
            if self.once is not None:
                rule = "bound every event where something is released once besides"
                raise Refused("method", rule, self.method, Code.UNSUPPORTED)

    @property
    def covers_fewer(self) -> bool:  # type: ignore[override]
        """Whether it is a bound, which covers every smaller number of rounds."""
        return self.method != "exact"

    @cached_property
    def _loss(self) -> PrivacyLoss:
        return PrivacyLoss(self.plan.privacy_loss.releases, self.points)

    def all_of(self, rounds: int) -> ReleasePlan:
        """Everything that so many rounds release, with what is released once besides."""
        whole = self.plan.times(rounds)
        return whole if self.once is None else ReleasePlan((*whole.rows, *self.once.rows))

    def _most(self, at_most: int) -> int:
        if self.method in ("published", "direct", "exact"):
            return at_most
        besides = 0 if self.once is None else self.once.releases
        return max(min(at_most, (LARGEST_PLAN - besides) // self.plan.releases), 1)

    def _rho(self, rounds: Any) -> Any:
        return self.plan.rho * rounds + (0.0 if self.once is None else self.once.rho)

    def _loss_of(self, rounds: int) -> PrivacyLoss:
        return PrivacyLoss(self.all_of(rounds).privacy_loss.releases, self.points)

    def total(self, rounds: int) -> float:
        """Epsilon of so many rounds at the total delta; by rho, its published or its tightest conversion."""
        if rounds not in self._totals:
            self._totals[rounds] = self._computed_total(rounds)
        return self._totals[rounds]

    def _computed_total(self, rounds: int) -> float:
        if self.method == "exact":
            return float(self._loss.times(rounds).epsilon_at(self.total_delta))
        if self.method == "every_view":
            return float(self._loss_of(rounds).epsilon_at(self.total_delta))
        whole = self.all_of(rounds)
        if self.method == "basic":
            return whole.basic_epsilon(self.total_delta)
        if self.method == "advanced":
            return whole.advanced_epsilon(self.total_delta)
        if self.method == "optimal":
            return whole.optimal_epsilon(self.total_delta).high
        if self.method == "divergences":
            return whole.divergences().epsilon_at(self.total_delta)
        rho = self._rho(rounds)
        if self.method == "published":
            return float(approximate_epsilon_from_rho(rho=rho, delta=self.total_delta))
        return float(ZeroConcentratedDP(rho=rho).epsilon_at(self.total_delta))

    def shift(self, releases: int, *, delta_prime: float, direction: Direction = "either") -> float:
        """See `Rule.shift`; the number of releases is that of rounds."""
        check_shift(releases, delta_prime, direction)
        if self.method == "exact":
            return ExactRule(loss=self._loss).shift(releases, delta_prime=delta_prime, direction=direction)
        if self.method in ("published", "direct"):
            rho = self._rho(releases)
            return ConcentratedRule(rho=rho, route=self.method).shift(1, delta_prime=delta_prime, direction=direction)
        if self.method == "every_view":
            return _shift_of_views(self._loss_of(releases), delta_prime, direction)
        if self.method == "divergences":
            return self.all_of(releases).divergences().shift(delta_prime, direction=direction)
        whole = self.all_of(releases)
        added = whole.basic_delta(self.total_delta)
        certain = whole.basic_epsilon(self.total_delta) if added == 0.0 else math.inf
        epsilon, delta = self.total(releases), added if self.method == "basic" else self.total_delta
        if delta >= delta_prime or not math.isfinite(epsilon):
            return certain
        return min(certain, charged_epsilon(epsilon, delta, delta_prime, direction, charge=True))

    def shifts(self, rounds: Sequence[int], *, delta_prime: float, direction: Direction = "either") -> FloatArray:
        """`shift` at many numbers of rounds; at once where the sum of rho decides."""
        every = _checks.array("rounds", rounds, 0)
        _checks.refuse_fractions("rounds", every, as_list=True)
        check_shift(0, delta_prime, direction)
        if self.method in ("published", "direct") and delta_prime > 0.0:
            rho = self._rho(every)
            return np.asarray(ROUTES[self.method](rho=rho, delta_prime=delta_prime))
        return np.array([self.shift(k, delta_prime=delta_prime, direction=direction) for k in rounds])

    def keeps(self, releases: int, promise: BeliefPromise) -> bool:
        """See `Rule.keeps`."""
        if self.method == "exact":
            return ExactRule(loss=self._loss).keeps(releases, promise)
        return super().keeps(releases, promise)

    def first_broken(self, promise: BeliefPromise, at_most: int) -> int | None:
        """See `Rule.first_broken`."""
        if self.method == "exact":
            return ExactRule(loss=self._loss).first_broken(promise, at_most)
        return super().first_broken(promise, at_most)

    def first_passed(self, promise: BeliefPromise, at_most: int) -> FirstPassing:
        """First rounds on which the promise fails too often: looked at once, and by somebody who reads every round.

        By the exact method two different rounds. A bound speaks of every event of all releases, of which *on some round
        up to now* is one, so by the other methods both are the same.
        """
        if self.method != "exact":
            first = self.first_broken(promise, at_most)
            return FirstPassing(given=first, some=first)
        given = self.first_broken(promise, at_most)
        some = first_round_passed(
            self._loss,
            shift=promise.epsilon_prime,
            failure=promise.delta_prime,
            at_most=given or at_most,
            direction=promise.direction,
        )
        return FirstPassing(given=given, some=given if some is None else some)


def _shift_of_views(loss: PrivacyLoss, delta_prime: float, direction: Direction) -> float:
    """Shift of log odds that no view of releases with this worst law exceeds, but with probability delta'.

    The law bounds either order of the two worlds. A fall beyond s in one world is a rise beyond s in the other one, and
    e^-s times as probable here: both together keep to delta' where a rise keeps to delta'/(1 + e^-s).
    """
    if delta_prime == 0.0:
        return float(loss.epsilon_at(0.0))
    rise = float(loss.every_view_epsilon(delta_prime))
    if direction == "rise" or not math.isfinite(rise):
        return rise
    return max(rise, float(loss.every_view_epsilon(delta_prime / (1.0 + math.exp(-rise)))))


@call_hint
def posterior_fan(
    plan: ReleasePlan,
    *,
    rounds: Sequence[int],
    levels: Sequence[float],
    prior: float,
    side: Side = "present",
    points: int = 1 << 13,
) -> FloatArray:
    """Quantiles of the attacker's belief after a plan was carried out 1, 2, ... times: the data of a fan chart.

    The promise is each release's: one secret under one relation, to an observer of all. The promise is about one
    secret, the same in every release, whose loss in each is that of one step. Array of shape (rounds, levels). Exact
    where the plan's law is, else an estimate on a grid. Quantiles speak of the raw outputs of the named mechanisms; a
    plan with a guarantee alone has none and is refused.
    Source: thesis, Theorem 27; ours, exact composition of the privacy loss

    Parameters
    ----------
    plan : ReleasePlan; one round
    rounds : sequence of int; numbers of rounds, each at least 1
    levels : sequence of float; probabilities in [0, 1]
    prior : float; belief before, in [0, 1]
    side : str, optional; ``"present"`` or ``"absent"``
    points : int, optional; grid points where different losses have to be rounded; the default is fine enough for a
        picture

    Examples
    --------
    >>> from dpcore.mechanisms import Gaussian
    >>> plan = ReleasePlan.repeated(Gaussian(rho=0.01), 1)
    >>> fan = posterior_fan(plan, rounds=[7, 30], levels=[0.5, 0.99], prior=0.5)
    >>> [[round(float(q), 3) for q in row] for row in fan]
    [[0.517, 0.719], [0.574, 0.891]]
    """
    _checks.kind_of("plan", plan, ReleasePlan, "a plan such as ReleasePlan.repeated(Gaussian(rho=0.01), 12)")
    _checks.kind_of("rounds", rounds, Iterable, "numbers of rounds such as [1, 12]")
    one = PrivacyLoss(plan.privacy_loss.releases, points)
    at = _checks.probability("levels", levels)
    return np.array(
        [ExactPosterior(one.times(_checks.count("rounds", k, 1)), prior=prior).quantile(at, side=side) for k in rounds]
    )
