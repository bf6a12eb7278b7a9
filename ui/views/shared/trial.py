"""A budget that one page tries: what its choices begin with, and whether they are the case's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from riskline.answers import CaseBudget, Source, standing
from riskline.case.decision import Currency
from riskline.case.fields import Field
from riskline.case.value import Case


def beginning_with_case(fields: Iterable[Field], case: Case) -> tuple[Field, ...]:
    """A page's choices, whose budget is that of the case while nobody types another.

    >>> begins = beginning_with_case([Field("epsilon", "Budget ε", "number", 1.0, low=0)], Case(ratio=2.0))
    >>> begins[0].default == standing(Case(ratio=2.0)).budget.value
    True
    """
    budget = None if case.is_example else standing(case).budget
    if budget is None:
        return tuple(fields)
    rho, delta = budget.currency == "rho", budget.delta
    begins: dict[str, Any] = {budget.currency: budget.value}
    begins["guarantee"] = "zero_concentrated" if rho else "approximate" if delta else "pure"
    begins["noise"] = ("gaussian" if case["route"] == "gaussian" else "discrete_gaussian") if rho else "geometric"
    if delta:
        begins["delta"] = delta
    return tuple(
        replace(field, default=begins[field.name]) if _begins(field, case) and _takes(field, begins) else field
        for field in fields
    )


def _begins(field: Field, case: Case) -> bool:
    """Whether a choice follows the budget: the page's own, and the noise while nobody has chosen one."""
    return not field.of_case or (field.name == "noise" and "noise" not in case)


def _takes(field: Field, begins: Mapping[str, Any]) -> bool:
    value = begins.get(field.name)
    if field.kind == "choice":
        return value in field.options
    return value is not None and field.low <= value <= field.high


def tried(value: float, currency: Currency, case: Case, *, delta: float = 0.0) -> CaseBudget | None:
    """The budget that a page tries, where it is not the case's own; None where it is."""
    held, budget = standing(case).budget, CaseBudget(value, currency, Source.TRIED, delta)
    same = held is not None and (held.value, held.currency) == (budget.value, budget.currency)
    return None if same else budget
