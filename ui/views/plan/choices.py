"""What a reader chooses on *Several releases*: the ledger, the rounds, the promise; and the published scenarios."""

from __future__ import annotations

from dataclasses import dataclass, replace

from riskline.answers import highest_accepted
from riskline.case.choices import PROMISE_FIELDS, case_field
from riskline.case.fields import Field
from riskline.case.promise import PromiseChoice
from riskline.case.releases import DEFAULT_LEDGER, Ledger, LedgerRow
from riskline.case.value import Case
from ui.views.explain.choices import SMALLEST, Preset

FIELDS: tuple[Field, ...] = (
    *map(case_field, ("rows", "every", "rounds", "prior")),
    Field("promise", "You promise that", "choice", "cap", options=("cap", "difference")),
    Field(
        "cap",
        "Cap on the belief",
        "number",
        0.99,
        low=SMALLEST,
        high=1,
        open_high=True,
        span=(0.5, 0.99),
        step=0.01,
        format="percent",
    ),
    Field(
        "difference",
        "Largest change",
        "number",
        0.2,
        low=SMALLEST,
        high=1,
        open_high=True,
        span=(0.01, 0.98),
        step=0.01,
        format="percent",
    ),
    case_field("failure", label="The promise may fail with probability δ′"),
    case_field("delta", label="δ of everything together, for totals in ε"),
    Field("released", "Where mechanisms are named, noise is on", "choice", "count", options=("count", "cells")),
    *PROMISE_FIELDS,
)


@dataclass(frozen=True)
class PlanInputs:
    """What a reader chose on this page."""

    rows: Ledger = DEFAULT_LEDGER
    every: str = "day"
    rounds: int = 58
    prior: float = 0.5
    promise: str = "cap"
    cap: float = 0.99
    difference: float = 0.2
    failure: float = 0.01
    delta: float = 1e-6
    released: str = "count"
    secret: str = "presence"
    unit: str = "person"
    group: int = 1
    relation: str = "add_or_remove"

    @property
    def choice(self) -> PromiseChoice:
        """Whose secret, under which change: what is promised about it is the field `promise`."""
        return PromiseChoice(self.secret, self.unit, self.group, self.relation)


def beginning(case: Case) -> tuple[Field, ...]:
    """The page's choices, whose cap begins with the highest belief that the line of the case accepts."""
    try:
        cap = highest_accepted(case)
    except ValueError:  # the line's numbers do not fit together: its own page says so
        cap = None
    return tuple(replace(field, default=cap) if field.name == "cap" and cap is not None else field for field in FIELDS)


PRESETS = tuple(
    Preset(label, values)
    for label, values in (
        ("Daily counts (Example 7)", {}),
        ("Daily counts, any belief", {"promise": "difference", "difference": 0.98, "rounds": 202}),
        (
            "Twelve monthly counts (Example 8)",
            {
                "rows": (LedgerRow("Monthly count", "geometric", "0.135", "", "1"),),
                "every": "month",
                "rounds": 12,
                "promise": "difference",
            },
        ),
        (
            "Many small releases (Figure 5.3)",
            {
                "rows": (LedgerRow("Query", "pure", "0.05", "", "1"),),
                "every": "release",
                "rounds": 96,
                "cap": 0.8,
                "failure": 0.05,
                "delta": 1e-3,
            },
        ),
        (
            "2020 Census, two parts",
            {
                "rows": (
                    LedgerRow("Persons", "discrete_gaussian", "2.56", "", "1"),
                    LedgerRow("Housing units", "discrete_gaussian", "0.07", "", "1"),
                ),
                "every": "release",
                "rounds": 1,
                "prior": 0.1,
                "delta": 1e-10,
            },
        ),
        (
            "A mixed year",
            {
                "rows": (
                    LedgerRow("Monthly tables", "discrete_gaussian", "0.01", "", "12"),
                    LedgerRow("Annual survey", "geometric", "0.3", "", "1"),
                    LedgerRow("Special requests", "laplace", "0.1", "", "5"),
                ),
                "every": "year",
                "rounds": 3,
                "cap": 0.9,
            },
        ),
    )
)
