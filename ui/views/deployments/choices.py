"""What a reader chooses among published budgets, and how links, buttons and pictures call each of them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dpcore.deployments import (
    DEFINITIONS,
    FORMULAS,
    RELATIONS,
    SECTORS,
    published,
)
from riskline.case.choices import case_field
from riskline.case.fields import Field
from ui.views.shared.published_budgets import RELATION_NAMES

ANY = "any"


def code_of(text: str) -> str:
    """A name as a link spells it.

    Examples
    --------
    >>> code_of("2020 Census DHC, persons")
    '2020-census-dhc-persons'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


NAMES: dict[str, str] = {code_of(entry.name): entry.name for entry in published()}
UNIT_KINDS: dict[str, str] = {code_of(entry.unit_kind): entry.unit_kind for entry in published()}
PERSONS = "2020 Census redistricting data, persons"
HOUSING = "2020 Census redistricting data, housing units"
SHORT = {
    PERSONS: "Redistricting, persons",
    HOUSING: "Redistricting, housing",
    "2020 Census DHC, persons": "Census DHC, persons",
    "2020 Census DHC, housing units": "Census DHC, housing",
    "2020 Census Detailed DHC-A": "Census Detailed DHC-A",
    "2020 Census Detailed DHC-B": "Census Detailed DHC-B",
    "2020 Census Supplemental DHC": "Census Supplemental DHC",
    "Wikimedia page views (current)": "Wikimedia views, now",
    "Wikimedia page views (historical)": "Wikimedia views, before",
    "Wikimedia geoeditors monthly": "Wikimedia geoeditors",
    "Google Community Mobility Reports": "Google mobility reports",
    "Google symptom search trends": "Google symptom trends",
    "Google vaccine search insights": "Google vaccine searches",
    "Google shared mobility data set": "Google shared mobility",
    "Gboard es-ES next-word model": "Gboard next-word model",
    "Facebook Privacy-Protected Full URLs": "Facebook URLs, one type",
    "LinkedIn Audience Engagements": "LinkedIn audiences",
    "Victims of trafficking data": "Victims of trafficking",
    "Spectus hurricane mobility": "Spectus mobility",
    "Recurve energy, as published": "Recurve, as published",
    "Recurve energy, corrected": "Recurve, corrected",
}
DEFINITION_NAMES = {
    "pure": "pure ε",
    "approximate": "(ε, δ)",
    "probabilistic": "probabilistic",
    "zCDP": "zero-concentrated, ρ",
}
FORMULA_NAMES = {
    "best_order": "smallest over all orders",
    "simple": "simple closed form",
    "refined": "refined closed form",
    "none needed": "no formula needed",
}
SECTOR_NAMES = {sector: sector for sector in SECTORS}
ORDER_NAMES = {"year": "by unit, then year", "name": "by unit, then name", "budget": "by budget"}
EVERY = {ANY: "any"}
CHOICES: dict[str, dict[str, str]] = {
    "chosen": NAMES,
    "formula": {key: FORMULA_NAMES[key] for key in FORMULAS},
    "unit": EVERY | UNIT_KINDS,
    "definition": EVERY | DEFINITION_NAMES,
    "change": EVERY | RELATION_NAMES,
    "sector": EVERY | SECTOR_NAMES,
    "order": ORDER_NAMES,
}
"""What each choice offers, by its code in the link."""

FIELDS: tuple[Field, ...] = (
    Field("chosen", "Which budget?", "choice", code_of(PERSONS), options=tuple(NAMES)),
    # Every budget of the list speaks of values, so a link of 0.1, which names no secret, still has an answer.
    case_field("secret", default="value"),
    case_field("prior", label="An attacker's belief before"),
    Field("delta", "at δ =", "number", 1e-10, low=0, high=1, open_low=True, open_high=True),
    Field("accused", "Wrongly accused, in the fold below", "number", 0.05, low=0, high=1),
    Field("formula", "Convert by the", "choice", "best_order", options=tuple(FORMULAS)),
    Field("unit", "Protects", "choice", ANY, options=(ANY, *UNIT_KINDS)),
    Field("definition", "Definition", "choice", ANY, options=(ANY, *DEFINITIONS)),
    Field("sector", "Sector", "choice", ANY, options=(ANY, *SECTORS)),
    Field("change", "One change is", "choice", ANY, options=(ANY, *RELATIONS)),
    Field("order", "Order", "choice", "year", options=tuple(ORDER_NAMES)),
)


@dataclass(frozen=True)
class DeploymentsInputs:
    """What a reader chose on this page."""

    chosen: str = code_of(PERSONS)
    secret: str = "value"
    prior: float = 0.5
    delta: float = 1e-10
    accused: float = 0.05
    formula: str = "best_order"
    unit: str = ANY
    definition: str = ANY
    sector: str = ANY
    change: str = ANY
    order: str = "year"
