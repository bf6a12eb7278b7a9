"""What the budget of a case lets somebody believe and guess, each number with how far it reaches."""

from __future__ import annotations

from dataclasses import replace

from dpcore.guarantees import ApproximateDP, Guarantee, PureDP, Relation, ZeroConcentratedDP
from dpcore.schema import change_of_secret
from dpcore.scope import UNSURE_INDEPENDENTLY, Bound, Scope, Side, View
from dpcore.semantics import belief_bounds
from dpcore.tradeoff import trade_off, trade_off_of_secret
from riskline.answers.budgets import CaseBudget, whole_budget
from riskline.answers.schema import schema_of_districts
from riskline.case.value import Case

SCOPES = {
    "anything": Scope.ANY_MECHANISM,
    "count": Scope.COUNT,
    "table": Scope.TABLE,
    "tables": Scope.PLAN,
    "plan": Scope.PLAN,
    "coins": Scope.ANY_MECHANISM,
}
"""How far a number reaches unless a page asks for another scope: as far as what the case releases."""


def scope_of(case: Case) -> Scope:
    """The scope of what a case releases: any mechanism while nobody has described it.

    >>> scope_of(Case(release="table")).value, scope_of(Case()).value
    ('table', 'any_mechanism')
    """
    return SCOPES[case["release"]]


def guarantee_of_budget(budget: CaseBudget, relation: str) -> Guarantee:
    """The guarantee of one step that a budget is: pure or approximate for an ε, zero-concentrated for a ρ.

    >>> guarantee_of_budget(whole_budget(Case(ratio=3.0)), "add_or_remove")
    PureDP(epsilon=1.29, relation=<Relation.ADD_OR_REMOVE: 'add_or_remove'>)
    """
    change = Relation(relation)
    if budget.currency == "rho":
        return ZeroConcentratedDP(rho=budget.value, relation=change)
    if budget.delta:
        return ApproximateDP(epsilon=budget.value, delta=budget.delta, relation=change)
    return PureDP(epsilon=budget.value, relation=change)


def _held(case: Case, budget: CaseBudget | None) -> CaseBudget | None:
    return whole_budget(case) if budget is None else budget


def _of_secret(case: Case, budget: CaseBudget, scope: Scope) -> Guarantee:
    """The guarantee between the two worlds of the case's secret, for what is released within a scope."""
    promise, step = case.promise, guarantee_of_budget(budget, case["relation"])
    if scope not in (Scope.COUNT, Scope.TABLE) or budget.delta:
        return promise.guarantee_of_secret(step)
    districts = max(case["areas"], 2) if scope is Scope.TABLE else 1
    schema = schema_of_districts(districts, case["moves"])
    one = schema.sensitivity(0, case["relation"])
    moved = schema.sensitivity(0, change_of_secret(promise), group=promise.group)
    if isinstance(step, ZeroConcentratedDP):
        return replace(step, rho=step.rho * round((moved.l2 / one.l2) ** 2, 12))
    return PureDP(epsilon=budget.value * moved.l1 / one.l1, relation=promise.relation)


def belief_after(
    case: Case, prior: float, *, so: bool = True, scope: Scope | None = None, budget: CaseBudget | None = None
) -> Bound | None:
    """How far a belief can move: the largest one after where the secret is so, the smallest where it is not.

    case : whose secret, under which change, with which exception
    prior : belief before the release, in (0, 1)
    so : whether the secret is so: the bound is then one from above, else one from below
    scope : for which releases the number is to hold; that of what the case releases without it
    budget : another budget than that of all the case's releases: of one of them, or a trial

    For a reader who is unsure about other records independently of the secret, whatever is computed from the release;
    except with the promise's failure probability. None where the case has no budget.

    >>> bound = belief_after(Case(ratio=3.0), 1 / 12)
    >>> round(bound.value, 3), bound.scope.value, bound.promise.failure_probability
    (0.248, 'any_mechanism', 0.0)
    """
    held, reach = _held(case, budget), scope or scope_of(case)
    if held is None:
        return None
    secret = _of_secret(case, held, reach)
    bounds = belief_bounds(secret, prior=prior, delta_prime=0.0 if isinstance(secret, PureDP) else case["failure"])
    value = float(bounds.posterior_upper if so else bounds.posterior_lower)
    return _bound(case, value, Side.AT_MOST if so else Side.AT_LEAST, reach, bounds.failure_probability)


def right_guess(
    case: Case, prior: float = 0.5, *, scope: Scope | None = None, budget: CaseBudget | None = None
) -> Bound | None:
    """The largest chance that a guess of the secret is right, by whatever is computed from the release.

    case, prior, scope, budget : as in `belief_after`

    Without an exception: what rare outcomes tell counts too. None where the case has no budget.

    >>> round(right_guess(Case(ratio=3.0)).value, 4)
    0.7841
    """
    held, reach = _held(case, budget), scope or scope_of(case)
    if held is None:
        return None
    if reach in (Scope.COUNT, Scope.TABLE) and not held.delta:
        curve = trade_off(_of_secret(case, held, reach))
    else:
        curve = trade_off_of_secret(guarantee_of_budget(held, case["relation"]), case.promise)
    return _bound(case, float(curve.right_guess(prior=prior)), Side.AT_MOST, reach, 0.0)


def _bound(case: Case, value: float, side: Side, scope: Scope, failure: float) -> Bound:
    promise = replace(case.promise, failure_probability=failure)
    return Bound(
        value=value, side=side, scope=scope, promise=promise, reader=UNSURE_INDEPENDENTLY, view=View.ANY_FUNCTION
    )
