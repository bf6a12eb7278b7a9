"""What a reader chooses about the meaning of an ε, and the published examples that set the choices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dpcore.deployments import published
from dpcore.mechanisms import MECHANISMS as KINDS
from riskline.answers import CaseBudget
from riskline.case.declaration import count, flag, number, of_case, option
from riskline.case.promise import PromiseChoice
from riskline.case.releases import BY_RHO
from riskline.case.value import Case
from ui.link.page_table import fields_of
from ui.views.shared.strip import tried
from ui.words.catalogue import label

SMALLEST = 1e-15  # smaller budgets than this, other than none at all, are typing errors
DEPLOYMENTS = tuple(entry.name for entry in published() if entry.model == "central")
GUARANTEES = ("pure", "approximate", "probabilistic", "zero_concentrated", "deployment")
MECHANISMS = tuple(kind.name for kind in sorted(KINDS, key=lambda kind: kind.budget_kind))
READINGS = ("bound", "every_view", "exact", "average")
RELEASED = ("count", "cells", "difference")


@dataclass(frozen=True, kw_only=True)
class ExplainInputs(PromiseChoice):
    """What a reader chose on this page."""

    guarantee: str = option(*GUARANTEES, *MECHANISMS)
    epsilon: float = number(1.0, low=0, high=100, span=(0.05, 8.0), step=0.05)
    rho: float = number(0.1, low=SMALLEST, high=100, span=(0.005, 3.0), step=0.005, format="%.3f")
    delta: float = number(1e-6, low=0, high=1, open_high=True)
    failure: float = of_case("failure")
    prior: float = of_case("prior", span=(0.01, 0.99), step=0.01, format="percent")
    reading: str = option(*READINGS)
    sensitivity: int = count(1, low=1, high=1000)
    categories: int = count(2, low=2, high=1000)
    deployment: str = option(*DEPLOYMENTS)
    false_alarm: float = number(
        0.05, low=SMALLEST, high=1, open_high=True, span=(0.005, 0.5), step=0.005, format="percent"
    )
    log_accused: bool = flag()
    released: str = option(*RELEASED)
    hidden: str = ""
    one: str = ""

    def trial(self, case: Case) -> CaseBudget | None:
        """The budget that the page tries; None where it is the case's, or somebody's published one."""
        if self.guarantee == "deployment":
            return None
        by_rho = self.guarantee in BY_RHO
        return tried(self.rho, "rho", case) if by_rho else tried(self.epsilon, "epsilon", case, delta=self.delta)


FIELDS = fields_of("explain", ExplainInputs)


@dataclass(frozen=True)
class Preset:
    """A published example: what its button says, and the choices it sets."""

    label: str
    values: dict[str, Any]


DEFAULTS = {field.name: field.default for field in FIELDS if not field.of_case}
EXAMPLES: dict[str, dict[str, Any]] = {
    "manager": {"guarantee": "approximate", "epsilon": 0.1, "delta": 1e-7},
    "company": {"guarantee": "approximate", "epsilon": 1.8, "delta": 1e-5, "failure": 0.05, "prior": 0.1},
    "one_count": {"guarantee": "geometric", "reading": "exact"},
    "daily_counts": {"guarantee": "gaussian", "rho": 0.3, "reading": "exact"},
    "census": {"guarantee": "deployment", "failure": 1e-3, "prior": 0.1, "secret": "value"},
    "rare": {"epsilon": 1.0, "prior": 0.001},
}
PRESETS = tuple(Preset(label("explain", f"preset.{name}"), DEFAULTS | values) for name, values in EXAMPLES.items())
