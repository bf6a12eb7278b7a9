"""A ledger as it bears on one secret: what each release tells of it, in the steps or cells the secret changes."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from dpcore.composition import PlannedRelease, ReleasePlan
from dpcore.guarantees import PureDP, ZeroConcentratedDP
from dpcore.mechanisms import RandomizedResponse
from dpcore.promise import Promise, Secret
from riskline.case.promise import contradiction
from ui.views.explain import moved_together
from ui.views.plan.choices import PlanInputs

GIVEN_VISIBLY = (
    "An answer by randomised response shows who gave it: a plan with one makes no promise about who is in the data. "
    "Ask which value somebody has."
)


def no_promise(inputs: PlanInputs) -> str | None:
    """Why these choices make no promise, as a sentence; None where they make one."""
    answers = any(row.kind == "randomised_response" for row in inputs.rows)
    if answers and inputs.secret == Secret.PRESENCE.value:
        return GIVEN_VISIBLY
    return contradiction(inputs.choice)


def plan_of_secret(plan: ReleasePlan, promise: Promise, released: str) -> ReleasePlan:
    """The plan whose rows speak of the two worlds of a secret instead of one step.

    Parameters
    ----------
    plan : ReleasePlan
        Rows as the ledger states them: a mechanism for one record, a guarantee for one step.
    promise : Promise
        Whose secret.
    released : {'count', 'cells'}
        Whether noise is on one plain count of what is asked about, or on each cell of a table.

    Returns
    -------
    ReleasePlan
        A guarantee becomes that of the secret's steps. Noise on a count moves by the records that belong together; in a
        table a value changes two cells, so the noise is met twice. An answer is given once a record.

    Examples
    --------
    >>> value = Promise(secret="value", relation="add_or_remove")
    >>> plan_of_secret(ReleasePlan.repeated(PureDP(epsilon=0.1), 12), value, "count").rows[0].source.epsilon
    0.2
    """
    return ReleasePlan(tuple(_of_secret(row, promise, released) for row in plan.rows))


def _of_secret(row: PlannedRelease, promise: Promise, released: str) -> PlannedRelease:
    if isinstance(row.source, RandomizedResponse):
        return replace(row, count=row.count * promise.group)
    if row.source is row.guarantee:
        own = replace(row.source, relation=promise.relation)
        return replace(row, source=promise.guarantee_of_secret(own))
    cells = promise.cells if released == "cells" else 1
    return replace(row, source=moved_together(row.source, promise.group), count=row.count * cells)


def whole_step(plan: ReleasePlan, promise: Promise) -> Any:
    """The guarantee of everything released, for one step, where one number says it: a sum of ρ, or one ε; else None."""
    own = [row.guarantee for row in plan.rows]
    if all(isinstance(each, ZeroConcentratedDP) for each in own):
        rho = math.fsum(row.count * row.guarantee.rho for row in plan.rows)
        return ZeroConcentratedDP(rho=rho, relation=promise.relation)
    if plan.releases == 1 and isinstance(own[0], PureDP):
        return PureDP(epsilon=own[0].epsilon, relation=promise.relation)
    return None
