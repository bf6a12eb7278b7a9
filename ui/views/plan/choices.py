"""What a reader chooses on *Several releases*: the ledger, the rounds, the promise; and the published scenarios."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dpcore.composition import LARGEST_PLAN
from riskline.case.fields import Field
from riskline.case.releases import DEFAULT_LEDGER, Ledger, LedgerRow, decode_ledger, encode_ledger
from ui.views.explain import SMALLEST, Preset
from ui.views.shared.promise import PROMISE_FIELDS, PromiseChoice

EVERY = ("day", "week", "month", "quarter", "year", "release")


def _rounds_called(values: Mapping[str, Any]) -> tuple[str, str]:
    return f"How many {values['every']}s?", ""


FIELDS: tuple[Field, ...] = (
    Field("rows", "Releases", "custom", DEFAULT_LEDGER, read=decode_ledger, write=encode_ledger),
    Field("every", "Each row happens every", "choice", "day", options=EVERY),
    Field(
        "rounds", "How many rounds", "count", 58, low=1, high=LARGEST_PLAN, span=(1, 400), step=1, called=_rounds_called
    ),
    Field("prior", "Belief before", "number", 0.5, low=SMALLEST, high=1, open_high=True),
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
    Field("failure", "The promise may fail with probability δ′", "number", 0.01, low=SMALLEST, high=1, open_high=True),
    Field("delta", "δ of everything together, for totals in ε", "number", 1e-6, low=SMALLEST, high=1, open_high=True),
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


DEFAULTS = {field.name: field.default for field in FIELDS}
PRESETS = tuple(
    Preset(label, DEFAULTS | values)
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
