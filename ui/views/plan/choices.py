"""What a reader chooses on *Several releases*, and the ledger as it bears on one secret; the published scenarios."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from dpcore.composition import PlannedRelease, ReleasePlan
from dpcore.guarantees import PureDP, Relation, ZeroConcentratedDP
from dpcore.mechanisms import Mechanism, mechanism_kind
from dpcore.mechanisms.losses import Lattice
from dpcore.promise import Promise, Secret
from riskline.answers import highest_accepted
from riskline.answers.evidence import moved_together
from riskline.case.declaration import number, of_case, option
from riskline.case.fields import Field
from riskline.case.promise import PromiseChoice, contradiction
from riskline.case.releases import Ledger, LedgerRow
from riskline.case.value import Case
from ui.link.page_table import fields_of
from ui.views.explain.meaning import SMALLEST, Preset
from ui.views.shared.strip import beginning_with
from ui.words.catalogue import label

SHARE: dict[str, Any] = {"low": SMALLEST, "high": 1, "open_high": True, "step": 0.01, "format": "percent"}


@dataclass(frozen=True)
class PlanInputs:
    """What a reader chose on this page."""

    rows: Ledger = of_case("rows")
    every: str = of_case("every")
    rounds: int = of_case("rounds")
    prior: float = of_case("prior")
    promise: str = option("cap", "difference")
    cap: float = number(0.99, span=(0.5, 0.99), **SHARE)
    difference: float = number(0.2, span=(0.01, 0.98), **SHARE)
    failure: float = of_case("failure")
    delta: float = of_case("delta")
    released: str = option("count", "cells")
    secret: str = of_case("secret")
    unit: str = of_case("unit")
    group: int = of_case("group")
    relation: str = of_case("relation")
    hidden: str = of_case("hidden")
    one: str = of_case("one")

    @property
    def choice(self) -> PromiseChoice:
        """Whose secret, under which change: what is promised about it is the field `promise`."""
        return PromiseChoice(self.secret, self.unit, self.group, self.relation)


FIELDS = fields_of("plan", PlanInputs)


def beginning(case: Case) -> tuple[Field, ...]:
    """The page's choices, whose cap begins with the highest belief that the line of the case accepts."""
    try:
        return beginning_with(FIELDS, {"cap": highest_accepted(case)})
    except ValueError:  # the line's numbers do not fit together: its own page says so
        return FIELDS


EXAMPLES: dict[str, dict[str, Any]] = {
    "daily": {},
    "any_belief": {"promise": "difference", "difference": 0.98, "rounds": 202},
    "monthly": {
        "rows": (LedgerRow("Monthly count", "geometric", "0.135", "", "1"),),
        "every": "month",
        "rounds": 12,
        "promise": "difference",
    },
    "small": {
        "rows": (LedgerRow("Query", "pure", "0.05", "", "1"),),
        "every": "release",
        "rounds": 96,
        "cap": 0.8,
        "failure": 0.05,
        "delta": 1e-3,
    },
    "census": {
        "rows": (
            LedgerRow("Persons", "discrete_gaussian", "2.56", "", "1"),
            LedgerRow("Housing units", "discrete_gaussian", "0.07", "", "1"),
        ),
        "every": "release",
        "rounds": 1,
        "prior": 0.1,
        "delta": 1e-10,
    },
    "mixed": {
        "rows": (
            LedgerRow("Monthly tables", "discrete_gaussian", "0.01", "", "12"),
            LedgerRow("Annual survey", "geometric", "0.3", "", "1"),
            LedgerRow("Special requests", "laplace", "0.1", "", "5"),
        ),
        "every": "year",
        "rounds": 3,
        "cap": 0.9,
    },
}
PRESETS = tuple(Preset(label("plan", f"preset.{name}"), values) for name, values in EXAMPLES.items())


def is_answer(kind: str) -> bool:
    """Whether a row of this kind publishes what one person answered."""
    named = mechanism_kind(kind)
    return named is not None and named.is_local


def tells_two_ways(source: Any) -> bool:
    """Whether the loss of a mechanism is its budget up or down, as with geometric noise and answers with coins."""
    finite = source.loss_parts().finite if isinstance(source, Mechanism) else None
    return isinstance(finite, Lattice) and finite.size == 2


def is_local(source: Any) -> bool:
    """Whether a source publishes what one person answered."""
    return isinstance(source, Mechanism) and source.is_local


def no_promise(inputs: PlanInputs) -> str | None:
    """Why these choices make no promise, as a sentence; None where they make one."""
    answers = any(is_answer(row.kind) for row in inputs.rows)
    if answers and inputs.secret == Secret.PRESENCE.value:
        return label("plan", "given_visibly")
    return contradiction(inputs.choice)


def plan_of_secret(plan: ReleasePlan, promise: Promise, released: str) -> ReleasePlan:
    """The plan whose rows speak of the two worlds of a secret instead of one step.

    plan : rows as the ledger states them: a mechanism for one record, a guarantee for one step
    promise : whose secret
    released : {'count', 'cells'}; noise is on one plain count of what is asked about, or on each cell of a table

    A guarantee becomes that of the secret's steps. Noise on a count moves by the records that belong together; in a
    table a value changes two cells, so the noise is met twice. An answer is given once a record.

    >>> value = Promise(secret="value", relation="add_or_remove")
    >>> plan_of_secret(ReleasePlan.repeated(PureDP(epsilon=0.1), 12), value, "count").rows[0].source.epsilon
    0.2
    """
    return ReleasePlan(tuple(_of_secret(row, promise, released) for row in plan.rows))


def _of_secret(row: PlannedRelease, promise: Promise, released: str) -> PlannedRelease:
    if is_local(row.source):
        return replace(row, count=row.count * promise.group)
    if row.source is row.guarantee:
        own = replace(row.source, relation=promise.relation)
        return replace(row, source=promise.guarantee_of_secret(own))
    cells = promise.cells if released == "cells" else 1
    return replace(row, source=moved_together(row.source, promise.group), count=row.count * cells)


def steps_of(plan: ReleasePlan, promise: Promise, released: str) -> ReleasePlan:
    """The rows as guarantees of one step: what is typed, and of noise on cells that of two where a record is replaced.

    An answer is one step of its own, given once a record.

    >>> value = Promise(secret="value", relation="replace")
    >>> steps_of(ReleasePlan.repeated(PureDP(epsilon=0.1), 12), value, "cells").rows[0].source.epsilon
    0.1
    """
    return ReleasePlan(tuple(_step_of(row, promise, released) for row in plan.rows))


def _step_of(row: PlannedRelease, promise: Promise, released: str) -> PlannedRelease:
    own = replace(row.guarantee, relation=promise.relation)
    if is_local(row.source):
        return replace(row, source=own, count=row.count * promise.group)
    if released == "cells" and promise.relation is Relation.REPLACE and row.source is not row.guarantee:
        own = Promise(secret=promise.secret, relation=promise.relation).guarantee_of_cells(row.source)
    return replace(row, source=own)


def plan_of_any(plan: ReleasePlan, promise: Promise, released: str) -> ReleasePlan:
    """The rows as guarantees between the two worlds of a secret, for any releases with these budgets.

    >>> value = Promise(secret="value", relation="add_or_remove")
    >>> plan_of_any(ReleasePlan.repeated(ZeroConcentratedDP(rho=0.01), 12), value, "count").rows[0].source.rho
    0.04
    """
    answers = [is_local(row.source) for row in plan.rows]
    steps = steps_of(plan, promise, released).rows
    return ReleasePlan(
        tuple(
            row if answer else replace(row, source=promise.guarantee_of_secret(row.source))
            for row, answer in zip(steps, answers, strict=True)
        )
    )


def whole_step(steps: ReleasePlan) -> Any:
    """The guarantee of everything released, for one step, where one number says it: a sum of ρ, or one ε; else None."""
    if all(isinstance(row.source, ZeroConcentratedDP) for row in steps.rows):
        return steps.concentrated()
    return steps.rows[0].source if steps.releases == 1 and isinstance(steps.rows[0].source, PureDP) else None
