"""What a reader chooses among published budgets, how links, buttons and pictures call each, and their order."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dpcore import deployments
from dpcore.deployments import Deployment, published
from dpcore.errors import Refused
from riskline.answers import standing
from riskline.case.choices import of_case
from riskline.case.declaration import flag, number, option
from riskline.case.fields import Field
from riskline.case.value import Case
from ui.link.page_table import fields_of
from ui.views.shared.own_mechanism import ALSO, MechanismChoice
from ui.views.shared.published_budgets import RELATION_NAMES
from ui.views.shared.strip import beginning_with
from ui.words.catalogue import label, option_words

ANY = "any"


def code_of(text: str) -> str:
    """A name as a link spells it.

    >>> code_of("2020 Census DHC, persons")
    '2020-census-dhc-persons'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


NAMES: dict[str, str] = {code_of(entry.name): entry.name for entry in published()}
UNIT_KINDS: dict[str, str] = {code_of(entry.unit_kind): entry.unit_kind for entry in published()}
PERSONS = "2020 Census redistricting data, persons"
HOUSING = "2020 Census redistricting data, housing units"
SHORT = {NAMES[code]: words for code, words in option_words("deployments", "short").items()}
"""Names for a picture's rows, where the published one is long."""
FORMULA_NAMES = option_words("deployments", "formula")
NAMED_BY_DATA: dict[str, dict[str, str]] = {
    "chosen": NAMES,
    "unit": {ANY: label("deployments", "any")} | UNIT_KINDS,
    "sector": {ANY: label("deployments", "any")} | {sector: sector for sector in deployments.SECTORS},
}
"""What choices offer whose options the published facts name, by their codes in the link."""


@dataclass(frozen=True)
class DeploymentsInputs(MechanismChoice):
    """What a reader chose on this page."""

    chosen: str = option(*NAMES, default=code_of(PERSONS))
    # Every budget of the list speaks of values, so a link of 0.1, which names no secret, still has an answer.
    secret: str = of_case("secret", default="value")
    prior: float = of_case("prior")
    delta: float = number(1e-10, low=0, high=1, open_low=True, open_high=True)
    formula: str = option(*deployments.FORMULAS)
    unit: str = option(ANY, *UNIT_KINDS)
    definition: str = option(ANY, *deployments.DEFINITIONS)
    sector: str = option(ANY, *deployments.SECTORS)
    change: str = option(ANY, *deployments.RELATIONS)
    order: str = option("year", "name", "budget")
    every: bool = flag(False)
    read_as: str = option("unknown", "add_or_remove", "replace")
    also: str = option(*ALSO)


FIELDS = fields_of("deployments", DeploymentsInputs, "explain")


def beginning(case: Case) -> tuple[Field, ...]:
    """The page's choices: what is compared with a budget of the case is about the case's secret, undecided too.

    >>> secrets = [
    ...     {field.name: field.default for field in beginning(case)}["secret"] for case in (Case(), Case(ratio=2.0))
    ... ]
    >>> secrets, Case(ratio=2.0)["secret"]
    (['value', 'presence'], 'presence')
    """
    compared = not case.is_example and standing(case).budget is not None
    return beginning_with(FIELDS, {"secret": case["secret"]}) if compared else FIELDS


def in_order(kept: tuple[Deployment, ...], inputs: DeploymentsInputs) -> tuple[tuple[Deployment, ...], str]:
    """The entries grouped by unit; ranked by budget only where that means something, with a sentence where not."""
    if inputs.order != "budget":
        return _grouped(kept, inputs.order), ""
    try:
        return deployments.ranked_by_budget(kept), ""
    except deployments.UnlikeDeployments as unlike:
        column, values = unlike.column, unlike.value
        named = [RELATION_NAMES[value] for value in values] if column == "relation" else values
        what = label("deployments", f"unlike.{column}")
        unranked = label("deployments", "unranked.mixed", count=len(values), what=what, values=", ".join(named))
    except Refused:
        unranked = label("deployments", "unranked.unread")
    return _grouped(kept, "year"), unranked


def _grouped(kept: tuple[Deployment, ...], order: str) -> tuple[Deployment, ...]:
    kinds = [entry.unit_kind for entry in (*published(), *kept)]
    groups = sorted(dict.fromkeys(kinds), key=lambda group: -kinds.count(group))

    def place(entry: Deployment) -> tuple[int, int | str, str]:
        return groups.index(entry.unit_kind), entry.year if order == "year" else entry.name, entry.name

    return tuple(sorted(kept, key=place))
