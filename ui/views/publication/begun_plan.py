"""The plan file of a release that the page's tables begin; it names areas and budgets, and holds no count."""

from __future__ import annotations

from riskline.case.value import Case
from riskline.release.areas import AreaList
from riskline.release.draft import draft, left_out
from riskline.release.folder import as_json
from ui.pictures.style import Style
from ui.views.publication.choices import PublicationInputs
from ui.views.publication.shared import Shared

OF_EXAMPLE = ("secret", "unit", "group", "relation", "moves", "noise", "tables")


def begun_plan(inputs: PublicationInputs, areas: AreaList | None = None) -> tuple[str, tuple[str, ...]]:
    """The plan as its file holds it, with the areas of the case's levels where they are at hand; and the rows left out.

    Raises Refused where nothing can be drawn.
    """
    shared, case = Shared(inputs, Style()), inputs.case
    if case.is_example:
        case = Case(**{name: getattr(inputs, name) for name in OF_EXAMPLE})
    budgets = shared.allocation.budgets.tolist()
    begun = draft(case, shared.published, shared.publication, budgets, shared.total, areas)
    return as_json(begun), left_out(shared.publication)
