"""Published budgets in order: by unit, and by budget only where unlike budgets are not compared."""

from __future__ import annotations

from dpcore.deployments import (
    Deployment,
    UnlikeDeployments,
    published,
    ranked_by_budget,
)
from dpcore.errors import Refused
from ui.views.deployments.choices import DeploymentsInputs
from ui.views.shared.published_budgets import RELATION_NAMES


def in_order(kept: tuple[Deployment, ...], inputs: DeploymentsInputs) -> tuple[tuple[Deployment, ...], str]:
    """The entries grouped by unit; ranked by budget only where that means something, with a sentence where not."""
    if inputs.order == "budget":
        try:
            return ranked_by_budget(kept), ""
        except UnlikeDeployments as unlike:
            column, values = unlike.column, unlike.value
            if column == "relation":
                values = [RELATION_NAMES[value] for value in values]
            reason = f"Not ranked by budget: {DIFFERENT[column].format(count=len(values))} ({', '.join(values)}). "
            return _grouped(kept, "year"), reason + ADVICE[column]
        except Refused:
            return _grouped(kept, "year"), UNREAD
    return _grouped(kept, inputs.order), ""


UNREAD = (
    "Not ranked by budget: what counts as one change was not read for all of these, and a budget for a record replaced "
    "is another promise than one for a record added or removed."
)
DIFFERENT = {
    "relation": "these budgets count {count} different changes as one",
    "unit_kind": "these budgets protect {count} different units",
    "model": "these budgets belong to {count} different models of trust",
    "definition": "these budgets use {count} different definitions",
    "delta": "these budgets are stated at {count} different values of δ",
}
ADVICE = {
    "relation": "A record replaced is a record removed and another added: choose one relation first.",
    "unit_kind": "A smaller ε for one day is not a stronger promise than a larger ε for ever. Choose one unit first.",
    "model": "Noise added on each device and noise added once by a curator protect against different people.",
    "definition": "Choose one definition first.",
    "delta": "The same mechanism has a smaller ε at a larger δ.",
}


def _grouped(kept: tuple[Deployment, ...], order: str) -> tuple[Deployment, ...]:
    groups = list(dict.fromkeys(entry.unit_kind for entry in published()))
    groups.sort(key=lambda group: -sum(entry.unit_kind == group for entry in published()))

    def place(entry: Deployment) -> tuple[int, int | str, str]:
        return groups.index(entry.unit_kind), entry.year if order == "year" else entry.name, entry.name

    return tuple(sorted(kept, key=place))
