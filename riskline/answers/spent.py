"""What the budget of a case spends: on each release, on all together, and how far a belief can come with it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from dpcore._properties import cached_property
from dpcore.accuracy import Noise
from dpcore.composition import ReleasePlan
from dpcore.deployments import Deployment, deployment, protection
from dpcore.errors import Code, Refused
from dpcore.guarantees import Guarantee, PureDP, Relation, ZeroConcentratedDP
from dpcore.profiles import Budget, Route
from dpcore.promise import Secret, Unit, steps
from dpcore.scope import Bound, Scope, Side
from dpcore.semantics import posterior_lower, posterior_upper, shift_bound
from riskline.answers.beliefs import guarantee_of_budget
from riskline.answers.budgets import CaseBudget, Source, case_budget, implied_by_line, releases_of, standing
from riskline.answers.published import units_protected
from riskline.answers.relatives import RelativesChoice, Resembling, resembling
from riskline.answers.schema import counts_changed
from riskline.case.choices import BY_RHO
from riskline.case.promise import records_together
from riskline.case.releases import plan_of
from riskline.case.value import Case

NOISES: dict[Route, Noise] = {Route.GAUSSIAN: "gaussian", Route.DISCRETE_GAUSSIAN: "discrete_gaussian"}
"""The noise that a budget was computed for, by its route."""


def fitting(noise: Noise, *, by_rho: bool) -> Noise:
    """A noise where it spends a budget of this currency, a ρ or an ε; else the one of whole numbers that does.

    >>> fitting("laplace", by_rho=False), fitting("laplace", by_rho=True)
    ('laplace', 'discrete_gaussian')
    """
    if (noise in BY_RHO) == by_rho:
        return noise
    return "discrete_gaussian" if by_rho else "geometric"


@dataclass(frozen=True)
class Spent:
    """A case with the budget that it has.

    case : whose promise it is
    budget : of each release
    line : what the case's line implies; None where there is no line, or one that sets no limit
    """

    case: Case
    budget: CaseBudget
    line: Budget | None = None

    @property
    def value(self) -> float:
        """The ε or ρ of each release."""
        return self.budget.value

    @property
    def by_rho(self) -> bool:
        """Whether the budget is a ρ; else it is an ε."""
        return self.budget.currency == "rho"

    @property
    def releases(self) -> int:
        """How many releases have this budget each; one that somebody published is for all that it covers."""
        return releases_of(self.case)

    @property
    def line_implies_less(self) -> bool:
        """Whether the line implies less of the same currency, for all releases together, than the budget that holds."""
        implied, alike = standing(self.case).implied, self.case.currency == self.budget.currency
        return implied is not None and alike and implied * self.case["releases"] < self.value * self.releases

    @property
    def group(self) -> int:
        """Records that belong together."""
        return records_together(self.case["unit"], self.case["group"])

    @property
    def failure(self) -> float:
        """Probability with which a limit on a belief may be passed; 0 for pure differential privacy."""
        return float(self.case["failure"]) if self.by_rho or self.budget.delta else 0.0

    @property
    def entry(self) -> Deployment | None:
        """The published budget, where it is one."""
        return deployment(self.case["published"]) if self.budget.source is Source.PUBLISHED else None

    @cached_property
    def _plan(self) -> ReleasePlan | None:
        """The releases that the case plans in all its rounds; None where it plans none, or its rows are unfinished."""
        if self.entry is not None or self.case["release"] != "plan" or "rows" not in self.case:
            return None
        try:
            return plan_of(self.case["rows"]).times(self.case["rounds"])
        except ValueError:
            return None

    @cached_property
    def planned(self) -> float | None:
        """What the releases that the case plans spend in all its rounds, by addition, in the currency of the budget.

        Their own δ come out of the budget's, whose rest is shared among those of a ρ. An ε counts as ρ = ε²/2. None
        where none are planned, or none of their budgets is one of this currency.

        >>> from riskline.case.releases import LedgerRow
        >>> planned = Case(rows=(LedgerRow("A", "laplace", "0.1", often="2"),), rounds=12, ratio=3.0)
        >>> round(spent(planned).planned, 12), spent(Case(ratio=3.0)).planned
        (2.4, None)
        """
        plan, delta = self._plan, self.budget.for_releases(self.releases).delta
        if plan is None:
            return None
        try:
            return float(plan.rho if self.by_rho else plan.basic_epsilon(max(delta - self._own_delta, 0.0)))
        except ValueError:
            return None

    @property
    def _own_delta(self) -> float:
        """The δ that the planned releases have themselves."""
        rows = () if self._plan is None else self._plan.rows
        return float(sum(row.count * getattr(row.guarantee, "delta", 0.0) for row in rows))

    @property
    def plans_more(self) -> bool:
        """Whether the releases that the case plans spend more than its budget, which then limits none of them."""
        return self.planned is not None and self.planned > self.value * self.releases * (1 + 1e-9)

    @property
    def plans_otherwise(self) -> bool:
        """Whether they cannot be compared with it: no ε without a δ holds for a ρ, none of a smaller δ for a larger.

        >>> from riskline.case.releases import LedgerRow
        >>> rows = LedgerRow("A", "gaussian", "0.01"), LedgerRow("B", "approximate", "0.1", "1e-6")
        >>> cases = [Case(ratio=3.0, rows=(row,), rounds=1) for row in rows]
        >>> [spent(case).plans_otherwise for case in cases]
        [True, True]
        >>> [spent(case.with_choices(guarantee="approximate")).plans_otherwise for case in cases]
        [False, False]
        """
        if self._plan is None or self.plans_more:
            return False
        delta = self.budget.for_releases(self.releases).delta
        return self.planned is None or (not self.by_rho and self._own_delta > delta * (1 + 1e-9))

    def guarantee(self, *, records: int = 1, releases: int = 1) -> Any:
        """The guarantee for so many records in so many releases: budgets add, records by group privacy.

        >>> found = spent(Case(ratio=3.0))
        >>> found.guarantee(records=4).epsilon, found.guarantee(records=4, releases=2).epsilon
        (5.16, 10.32)
        """
        return guarantee_of_budget(self.budget.for_releases(releases), self.case["relation"]).for_group(records)

    @property
    def keeps_the_line(self) -> bool:
        """Whether the line allows this budget: of its kind and no larger, and certified where that matters.

        >>> case = Case(ratio=3.0)
        >>> [spent(case.decided(value=each, currency="epsilon")).keeps_the_line for each in (1.29, 1.0, 1.3)]
        [True, True, False]
        """
        if self.line is None or self.budget.source is Source.PUBLISHED:
            return False
        if self.by_rho != isinstance(self.line.each, ZeroConcentratedDP):
            return False
        if self.value == self.line.recommended_each:
            return True
        certificate = self.line.certificate or self.line.profile_certificate
        return self.value < self.line.recommended_each and (certificate is None or certificate.certifies(self.value))

    @property
    def is_implied(self) -> bool:
        """Whether it is the budget that the line implies, whoever decided on it."""
        return self.line is not None and self.keeps_the_line and self.value == self.line.recommended_each

    @property
    def noise(self) -> Noise | None:
        """The noise that the budget keeps the line with; None where any will do."""
        return NOISES.get(self.line.route) if self.line is not None and self.keeps_the_line else None

    @cached_property
    def shift(self) -> float:
        """How far the odds of those who belong together shift, as an ε, for each step between two values of a record.

        Where the line allows the budget, no further than the line does. `ValueError` where their δ uses up the
        probability of failure.
        """
        if self.line is None or not self.keeps_the_line or isinstance(self.guarantee(), PureDP):
            return self.shift_for(records=self.group, releases=self.releases)
        if self.value == self.line.recommended_each:
            return self.line.answer.lower
        return min(self.shift_for(records=self.group, releases=self.releases), self.line.answer.lower)

    def shift_for(self, *, records: int, releases: int) -> float:
        """How far the odds of so many records in so many releases shift, as an ε, whatever is released."""
        return shift_bound(self.guarantee(records=records, releases=releases), delta_prime=self.failure)

    def of_secret(self, *, records: int | None = None, releases: int | None = None) -> Guarantee:
        """The guarantee between the two worlds of the secret, however what is released is made.

        records, releases : how many records belong together, and how many releases there are; the case's own without
            them

        Raises ValueError: ``published must promise something about the secret and the unit of the case; got …``
        """
        entry, promise = self.entry, self.case.promise
        if entry is None:
            together = self.group if records is None else records
            between = steps(secret=promise.secret, relation=promise.relation, group=together)
            return self.guarantee(records=between, releases=self.releases if releases is None else releases)
        units = units_protected(entry.unit_kind, unit=self.case["unit"], group=self.group)
        other = entry.relation != promise.relation if entry.relation_was_read else entry.model == "local"
        held = None if units is None or other else protection(entry, secret=promise.secret.value, group=units)
        if held is None or held.guarantee is None:
            rule = "promise something about the secret and the unit of the case"
            raise Refused("published", rule, entry.name, Code.INCONSISTENT)
        return held.guarantee

    @property
    def promises_something(self) -> bool:
        """Whether the budget says anything about the secret and the unit of the case: a published one need not."""
        try:
            self.of_secret()
        except Refused:
            return False
        return True

    def shift_of_secret(self, *, records: int | None = None, releases: int | None = None) -> float:
        """How far any release with this budget shifts the odds of the secret, as an ε, except with `failure`."""
        return shift_bound(self.of_secret(records=records, releases=releases), delta_prime=self.failure)

    def highest(self, prior: float, *, records: int | None = None, releases: int | None = None) -> Bound:
        """Largest belief in the secret that any release with this budget allows, except with `failure`.

        Also where the secret is being in the data and having the value: the two steps of a value.

        >>> decided = Case(unit="household", group=2).decided(value=1.0, currency="epsilon")
        >>> [round(spent(decided).highest(0.5, records=each).value, 6) for each in (2, 1)]  # e² and e to 1
        [0.880797, 0.731059]
        """
        shift = self.shift_of_secret(records=records, releases=releases)
        return Bound(
            value=posterior_upper(prior=prior, epsilon=shift),
            side=Side.AT_MOST,
            scope=Scope.ANY_MECHANISM,
            promise=replace(self.case.promise, failure_probability=self.failure),
        )

    def lowest(self, prior: float) -> Bound:
        """Smallest belief in the secret that any release with this budget allows, except with `failure`.

        The same shift of odds as of `highest`, the other way.

        >>> decided = Case(unit="household", group=2).decided(value=1.0, currency="epsilon")
        >>> round(spent(decided).lowest(0.5).value, 6)  # 1 to e²
        0.119203
        """
        lowest = posterior_lower(prior=prior, epsilon=self.shift_of_secret())
        return replace(self.highest(prior), value=lowest, side=Side.AT_LEAST)

    def highest_of_household(self, prior: float, *, members: int) -> Bound:
        """Largest belief in the secret of so many people together, or of one whom all the others may resemble anyhow.

        Their records change together, so budgets multiply; a household that the promise is about counts as one of them.
        A published budget is asked about its own units.

        >>> decided = Case().decided(value=1.0, currency="epsilon")
        >>> round(spent(decided).highest_of_household(0.5, members=2).value, 6)  # e² to 1
        0.880797
        """
        together = members * self.group
        promise = replace(self.case.promise, unit=Unit.HOUSEHOLD, group=together, failure_probability=self.failure)
        if self.entry is None:
            return replace(self.highest(prior, records=together), promise=promise)
        asked = replace(self, case=self.case.with_choices(unit="household", group=together))
        return asked.highest(prior)

    @property
    def resembling(self) -> Resembling | None:
        """What a release with this budget tells where relatives resemble; None but for one person's ε or ρ."""
        if not self.promises_something:
            return None
        relatives, own = self.case.of(RelativesChoice), self.of_secret()
        return resembling(promise=self.case.promise, guarantee=own, relatives=relatives, failure=self.failure)

    def highest_with_relatives(self, prior: float) -> Bound | None:
        """Largest belief of a reader who expects the case's relatives to resemble her; None but for one person's ε, ρ.

        >>> decided = Case(secret="value", relation="replace", relatives=3).decided(value=1.0, currency="epsilon")
        >>> shares = (0.05, 0.05), (0.8, 0.3), (1.0, 0.0)
        >>> cases = [decided.with_choices(share_if_yes=yes, share_if_no=no) for yes, no in shares]
        >>> [round(spent(case).highest_with_relatives(0.05).value, 4) for case in cases]  # unlike, alike, copies
        [0.1252, 0.355, 0.7418]
        """
        found = self.resembling
        return None if found is None else found.limits(prior)[1]

    @property
    def fitting_noise(self) -> Noise:
        """The noise of counts: that which the budget was computed for, the case's own, or whole numbers."""
        return self.noise or fitting(self.case["noise"], by_rho=self.by_rho)

    @property
    def counts_changed(self) -> int:
        """How many counts of the table one step between the two cases can change, where its budget is for one count.

        Two where another value is a single step, unless somebody said that both cases place her in the same district.
        """
        one_step = self.case["relation"] == Relation.REPLACE and self.case.promise.secret is Secret.VALUE
        change = "replace" if one_step else "add_or_remove"
        return counts_changed(self.case["areas"], self.case["moves"], change)

    @property
    def of_a_count(self) -> float:
        """The ε or ρ of the noise on each count of a table, with which the whole table keeps the promise."""
        return self.value / self.counts_changed


def spent(case: Case) -> Spent | None:
    """What the budget of a case spends; None while it has none.

    Raises ValueError as `case_budget`, and where the line beside a decision has no budget.

    >>> spent(Case(unit="household")) is None, spent(Case()).value, spent(Case()).shift
    (True, 1.29, 1.29)
    """
    budget = case_budget(case)
    if budget is None:
        return None
    found = implied_by_line(case)
    return Spent(case, budget, None if found is None else found.budget)
