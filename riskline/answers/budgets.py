"""The budget of a case: the one its line implies, the one somebody decided on, or the one somebody published."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any

import numpy as np

from dpcore.deployments import deployment
from dpcore.errors import Code, Refused
from dpcore.guarantees import Relation
from dpcore.profiles import Budget, ImpliedEpsilon, RiskProfile, Route, Status
from dpcore.profiles import budget as budget_of_profile
from dpcore.rounding import round_down
from dpcore.scope import KNOWS_ALL, UNSURE_INDEPENDENTLY, Scope
from riskline.case.choices import ANYTHING, CountsReleases
from riskline.case.decision import Currency
from riskline.case.line import LineChoice, chosen_profile
from riskline.case.promise import BOTH, CONTRADICTION, asked_about, records_together
from riskline.case.value import Case, State

ROUTES = {
    "direct": Route.ZCDP,
    "gaussian": Route.GAUSSIAN,
    "discrete_gaussian": Route.DISCRETE_GAUSSIAN,
    "published": Route.PUBLISHED_ZCDP,
}
MOST_LINES = 256


@dataclass(frozen=True)
class Terms:
    """What a line's budget is asked for: guarantee, exceptions, releases, whose secret, under which change."""

    guarantee: str = "pure"
    route: str = "direct"
    delta: float = 1e-6
    failure: float = 0.01
    releases: int = 1
    release: str = ANYTHING
    unit: str = "person"
    group: int = 1
    relation: str = Relation.ADD_OR_REMOVE.value

    @property
    def scope(self) -> Scope:
        """For which releases the budget keeps the line: a plain count, or any."""
        return Scope.COUNT if self.release == "count" else Scope.ANY_MECHANISM

    @property
    def steps(self) -> float:
        """How many ε lie between two values of a record: one for a plain count or a replaced record, two else."""
        return 1.0 if self.release == "count" or self.relation == Relation.REPLACE else 2.0

    @property
    def moves_one_count(self) -> bool:
        """Whether those who belong together move one number, or nobody said otherwise: what a certificate is about."""
        alone = records_together(self.unit, self.group) == 1
        return self.release in (ANYTHING, "count") or (self.release == "table" and alone)

    @property
    def asked(self) -> dict[str, Any]:
        """The terms as `dpcore.profiles.budget` takes them."""
        promise: dict[str, Any] = {}
        route = Route.PURE
        if self.guarantee == "approximate":
            route, promise = Route.APPROXIMATE, {"delta": self.delta, "delta_prime": self.failure}
        elif self.guarantee == "zero_concentrated":
            route, promise = ROUTES[self.route], {"delta_prime": self.failure}
        return {
            "route": route.value,
            "releases": self.releases,
            "group": records_together(self.unit, self.group),
            "value_exponent": 1.0 if self.release == "count" else 2.0,
            "relation": self.relation,
            **promise,
        }


@dataclass(frozen=True)
class LineBudget:
    """What a line of acceptable risk implies.

    profile : the line
    implied : the ε between the two cases that it allows, and the belief that decides it
    budget : the budget of each release, rounded down; None where the line sets no limit
    """

    profile: RiskProfile
    implied: ImpliedEpsilon
    budget: Budget | None

    @property
    def value(self) -> float | None:
        """The budget of each release, rounded down; None where there is no limit or nothing to spend."""
        found = None if self.budget is None else self.budget.recommended_each
        return found if found else None

    @property
    def together(self) -> int:
        """Records that belong together; 1 where the line sets no limit."""
        return 1 if self.budget is None else self.budget.group

    @property
    def epsilon(self) -> float:
        """The budget of one record in all releases, rounded down; infinite where the line sets no limit."""
        return math.inf if self.budget is None else self.budget.recommended_total

    @property
    def limit(self) -> float:
        """The largest ε of one record that is certain to keep the line, unrounded."""
        return math.inf if self.budget is None else self.implied.lower / self.together

    @property
    def shift(self) -> float:
        """What that budget lets records that belong together add up to, as an ε."""
        return self.epsilon * self.together

    @property
    def prior(self) -> float | None:
        """The belief before that decides; None where none does."""
        place = self.implied.binding
        return None if place is None else place.prior

    def reached(self, prior: float) -> float:
        """The highest belief after from a belief before, at `epsilon`."""
        return float(np.asarray(self.implied.reachable(prior, epsilon=self.shift)))


@lru_cache(maxsize=MOST_LINES)
def _implied(line: LineChoice, steps: float) -> tuple[RiskProfile, ImpliedEpsilon]:
    profile = chosen_profile(line)
    return profile, profile.implied_epsilon(value_exponent=steps)


@lru_cache(maxsize=MOST_LINES)
def line_budget(line: LineChoice, terms: Terms) -> LineBudget:
    """The budget that a line implies on these terms; `ValueError` or `InfeasibleProfile` where there is none.

    >>> line_budget(LineChoice(cap=0.25, ratio=3.0), Terms()).value
    1.29
    """
    if terms.relation == Relation.REPLACE and asked_about(line.secret, line.held) != "value":
        raise ValueError(f"{CONTRADICTION} The belief of being in the data is then held at 1")
    profile, implied = _implied(line, terms.steps)
    return _budget_of(profile, implied, terms)


@lru_cache(maxsize=MOST_LINES)
def budget_for_unsure(line: LineChoice, terms: Terms) -> float | None:
    """The budget of each release that holds for readers who do not know every other record too, and for every view.

    None where the line's own does: only an exact law of named noise is for somebody who knows every other record.

    >>> line, by_law = LineChoice(cap=0.25, ratio=3.0), Terms(guarantee="zero_concentrated", route="discrete_gaussian")
    >>> line_budget(line, by_law).value, budget_for_unsure(line, by_law), budget_for_unsure(line, Terms())
    (0.14, 0.1, None)
    """
    found = line_budget(line, terms)
    if found.budget is None or found.budget.reader != KNOWS_ALL or found.value is None:
        return None
    asked = {**terms.asked, "reader": UNSURE_INDEPENDENTLY}
    return budget_of_profile(found.profile, answer=found.implied, **asked).recommended_each


def profile_budget(profile: RiskProfile, terms: Terms = Terms()) -> LineBudget:
    """The budget that a profile implies on these terms: a middle of several lines, or one that was drawn in a room.

    >>> profile_budget(chosen_profile(LineChoice(cap=0.25, ratio=3.0))).epsilon
    1.29
    """
    return _budget_of(profile, profile.implied_epsilon(value_exponent=terms.steps), terms)


def _budget_of(profile: RiskProfile, implied: ImpliedEpsilon, terms: Terms) -> LineBudget:
    if terms.asked["route"] == Route.DISCRETE_GAUSSIAN and not terms.moves_one_count:
        rule = "be another than 'discrete gaussian' unless each release is one plain count"
        raise Refused("route", rule, terms.release, Code.INCONSISTENT)
    if implied.status is Status.BINDS_NOTHING:
        return LineBudget(profile, implied, None)
    return LineBudget(profile, implied, budget_of_profile(profile, answer=implied, **terms.asked))


class Source(StrEnum):
    """Where the budget of a case comes from: a closed set; no promise about a secret belongs to it.

    >>> [source.value for source in Source]
    ['implied', 'chosen', 'published', 'tried']
    """

    IMPLIED = "implied"
    """By the line of acceptable risk; nobody has decided on it."""
    CHOSEN = "chosen"
    """By somebody's decision."""
    PUBLISHED = "published"
    """By somebody else, who published it."""
    TRIED = "tried"
    """By a reader who tries it on one page."""


@dataclass(frozen=True)
class CaseBudget:
    """The budget of a case.

    value : of each release: an ε, or a ρ
    currency : {'epsilon', 'rho'}; which of the two
    source : where it comes from
    delta : the δ of each release that goes with an ε; 0 for pure differential privacy
    """

    value: float
    currency: Currency
    source: Source
    delta: float = 0.0

    def for_releases(self, number: int) -> CaseBudget:
        """The budget of so many releases together: ε, ρ and δ add.

        >>> CaseBudget(0.5, "epsilon", Source.CHOSEN, delta=1e-6).for_releases(2)
        CaseBudget(value=1.0, currency='epsilon', source=<Source.CHOSEN: 'chosen'>, delta=2e-06)
        """
        return replace(self, value=number * self.value, delta=min(number * self.delta, 1.0))


def case_budget(case: Case) -> CaseBudget | None:
    """The budget of a case; None until there is a line that sets one, a decision, or a published budget.

    The budget of the example is the one that its line implies. A decision stands also where the case has changed
    since: `Case.state` says so.

    Raises ValueError where the line's numbers do not fit together or no budget keeps it.

    >>> case_budget(Case(unit="household")) is None
    True
    >>> case_budget(Case(ratio=3.0)).value, case_budget(Case(ratio=3.0).decided(value=0.9, currency="epsilon")).value
    (1.29, 0.9)
    """
    each = case["delta"] / case["releases"] if case["guarantee"] == "approximate" else 0.0
    if case["published"]:
        entry = deployment(case["published"])
        if entry.rho is not None:
            return CaseBudget(entry.rho, "rho", Source.PUBLISHED)
        return (
            None
            if entry.epsilon is None
            else CaseBudget(entry.epsilon, "epsilon", Source.PUBLISHED, entry.delta or 0.0)
        )
    if case.decision is not None:
        delta = each if case.decision.currency == "epsilon" else 0.0
        return CaseBudget(case.decision.value, case.decision.currency, Source.CHOSEN, delta)
    found = implied_by_line(case)
    if found is None or found.value is None:
        return None
    return CaseBudget(found.value, case.currency, Source.IMPLIED, each)


def releases_of(case: Case) -> int:
    """How many releases have the case's budget each; one that somebody published is for all that it covers.

    >>> releases_of(Case(releases=12)), releases_of(Case(releases=12, published="Assistive replies"))
    (12, 1)
    """
    return case.of(CountsReleases).number_of_releases


def whole_budget(case: Case) -> CaseBudget | None:
    """The budget of all releases of a case together; one that somebody published is whole. None where it has none.

    >>> whole_budget(Case(releases=12).decided(value=0.5, currency="epsilon")).value
    6.0
    """
    found = case_budget(case)
    return None if found is None else found.for_releases(releases_of(case))


def budget_together(case: Case) -> CaseBudget | None:
    """The budget of a release for everybody who belongs together: ε by their number, ρ by its square; None without one.

    >>> budget_together(Case(unit="household", group=4).decided(value=0.5, currency="epsilon")).value
    2.0
    """
    found = standing(case).budget
    if found is None:
        return None
    group = records_together(case["unit"], case["group"])
    return replace(found, value=found.value * (group**2 if found.currency == "rho" else group))


def highest_accepted(case: Case) -> float | None:
    """The highest belief after that the line of a case accepts from its prior, rounded down to whole percents.

    None where the reader drew no line, where the line asks nothing at that prior, and where it is about two beliefs.

    >>> highest_accepted(Case(ratio=3.0, prior=0.1)), highest_accepted(Case(prior=0.1))
    (0.3, None)
    """
    if case.is_example or case.line is None or case.asked == BOTH:
        return None
    profile = case.profile
    assert profile is not None
    found = profile.highest_posterior(case["prior"])
    rounded = round_down(found, 2)
    return None if found >= 1 else rounded if rounded >= case["prior"] else found


def implied_by_line(case: Case) -> LineBudget | None:
    """What the line of a case implies, whatever was decided; None while none is drawn."""
    return None if case.line is None else line_budget(case.line, case.of(Terms))


@dataclass(frozen=True)
class Standing:
    """How a case stands, as its strip says it: its state, its budget, and what its line implies beside a decision.

    state : how far it has come
    budget : the budget that holds
    implied : what the line implies where that is not the budget that holds
    refusal : why the line has no budget; empty where it has one
    unlimited : whether the line sets no limit, so that it has no budget to name
    contradictory : whether the line has none because choices do not fit together, and not because it is too strict
    """

    state: State
    budget: CaseBudget | None = None
    implied: float | None = None
    refusal: str = ""
    unlimited: bool = False
    contradictory: bool = False


def standing(case: Case) -> Standing:
    """How a case stands; a line without a budget says why and is no fault.

    >>> decided = Case(ratio=3.0).decided(value=0.9, currency="epsilon")
    >>> standing(decided).budget.value, standing(decided).implied
    (0.9, 1.29)
    """
    try:
        budget, found = case_budget(case), implied_by_line(case)
    except (ValueError, ArithmeticError) as error:
        decided = case.without(*(name for name in case if name not in ("chosen", "published")))
        budget = case_budget(decided) if not decided.is_example else None
        unfit = isinstance(error, ValueError) and getattr(error, "code", None) is not Code.INFEASIBLE
        return Standing(case.state, budget, refusal=str(error), contradictory=unfit)
    beside = None if found is None or budget is None or budget.source is Source.IMPLIED else found.value
    unlimited = found is not None and found.budget is None
    return Standing(
        case.state, budget, None if budget is not None and beside == budget.value else beside, "", unlimited
    )
