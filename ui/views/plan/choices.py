"""What a reader chooses on *Several releases*: the ledger, the rounds, the promise; and the published scenarios."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from riskline.answers import highest_accepted
from riskline.case.declaration import number, of_case, option
from riskline.case.fields import Field
from riskline.case.promise import PromiseChoice
from riskline.case.releases import Ledger, LedgerRow
from riskline.case.value import Case
from ui.link.page_fields import fields_of
from ui.views.explain.choices import SMALLEST, Preset
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
        cap = highest_accepted(case)
    except ValueError:  # the line's numbers do not fit together: its own page says so
        cap = None
    return tuple(replace(field, default=cap) if field.name == "cap" and cap is not None else field for field in FIELDS)


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
