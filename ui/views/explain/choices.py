"""What a reader chooses about the meaning of an ε, and the published examples that set the choices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dpcore.deployments import published
from riskline.answers import CaseBudget
from riskline.case.choices import PROMISE_FIELDS, case_field
from riskline.case.fields import Field
from riskline.case.promise import PromiseChoice
from riskline.case.value import Case
from ui.views.shared.trial import tried

SMALLEST = 1e-15  # smaller budgets than this, other than none at all, are typing errors
DEPLOYMENTS = tuple(entry.name for entry in published() if entry.model == "central")
GUARANTEES = ("pure", "approximate", "probabilistic", "zero_concentrated", "deployment")
MECHANISMS = ("geometric", "laplace", "randomised_response", "gaussian", "discrete_gaussian")
READINGS = ("bound", "every_view", "exact", "average")
RELEASED = ("count", "cells", "difference")
FIELDS: tuple[Field, ...] = (
    Field("guarantee", "What is released?", "choice", "pure", options=GUARANTEES + MECHANISMS),
    Field("epsilon", "Budget ε: right is less private", "number", 1.0, low=0, high=100, span=(0.05, 8.0), step=0.05),
    Field(
        "rho",
        "Budget ρ: right is less private",
        "number",
        0.1,
        low=SMALLEST,
        high=100,
        span=(0.005, 3.0),
        step=0.005,
        format="%.3f",
    ),
    Field("delta", "δ", "number", 1e-6, low=0, high=1, open_high=True),
    case_field("failure", label="May fail with probability δ′"),
    case_field("prior", label="Belief before the release", span=(0.01, 0.99), step=0.01, format="percent"),
    Field("reading", "Read it for", "choice", "bound", options=READINGS),
    Field("sensitivity", "One record changes the count by up to", "count", 1, low=1, high=1000),
    Field("categories", "Possible answers", "count", 2, low=2, high=1000),
    Field("deployment", "Which one?", "choice", DEPLOYMENTS[0], options=DEPLOYMENTS),
    Field(
        "false_alarm",
        "Wrongly accused, at most",
        "number",
        0.05,
        low=SMALLEST,
        high=1,
        open_high=True,
        span=(0.005, 0.5),
        step=0.005,
        format="percent",
    ),
    Field("log_accused", "Spread out the small shares", "flag", False),
    Field("released", "What is released with this noise?", "choice", "count", options=RELEASED),
    *PROMISE_FIELDS,
    *map(case_field, ("hidden", "one")),
)


@dataclass(frozen=True, kw_only=True)
class ExplainInputs(PromiseChoice):
    """What a reader chose on this page."""

    guarantee: str = "pure"
    epsilon: float = 1.0
    rho: float = 0.1
    delta: float = 1e-6
    failure: float = 0.01
    prior: float = 0.5
    reading: str = "bound"
    sensitivity: int = 1
    categories: int = 2
    deployment: str = DEPLOYMENTS[0]
    false_alarm: float = 0.05
    log_accused: bool = False
    released: str = "count"
    hidden: str = ""
    one: str = ""

    def trial(self, case: Case) -> CaseBudget | None:
        """The budget that the page tries; None where it is the case's, or somebody's published one."""
        if self.guarantee == "deployment":
            return None
        by_rho = self.guarantee in ("zero_concentrated", "gaussian", "discrete_gaussian")
        return tried(self.rho, "rho", case) if by_rho else tried(self.epsilon, "epsilon", case, delta=self.delta)


@dataclass(frozen=True)
class Preset:
    """A published example: what its button says, and the choices it sets."""

    label: str
    values: dict[str, Any]


DEFAULTS = {field.name: field.default for field in FIELDS if not field.of_case}
PRESETS = tuple(
    Preset(label, DEFAULTS | values)
    for label, values in (
        ("The manager (Example 6)", {"guarantee": "approximate", "epsilon": 0.1, "delta": 1e-7}),
        (
            "The company (Example 9)",
            {"guarantee": "approximate", "epsilon": 1.8, "delta": 1e-5, "failure": 0.05, "prior": 0.1},
        ),
        ("One noisy count, exactly", {"guarantee": "geometric", "reading": "exact"}),
        ("A month of daily counts", {"guarantee": "gaussian", "rho": 0.3, "reading": "exact"}),
        ("2020 Census, persons", {"guarantee": "deployment", "failure": 1e-3, "prior": 0.1, "secret": "value"}),
        ("A rare condition", {"epsilon": 1.0, "prior": 0.001}),
    )
)
