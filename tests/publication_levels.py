"""A publication at levels of a tree of areas, for tests of its page and its plan."""

from __future__ import annotations

from typing import Any

from dpcore.schema import Level
from riskline.case.tables import TableRow
from riskline.case.value import Case
from riskline.release.areas import areas_of_rows
from tests.release_plans import AREAS, LEVELS
from ui.views.publication import PublicationInputs

TREE = (Level("nation", 1), Level("state", 5), Level("county", 437))
AREA_LIST = areas_of_rows([dict(zip(("code", "name", "parent"), row, strict=False)) for row in AREAS], LEVELS)


def inputs(*rows: TableRow, **choices: Any) -> PublicationInputs:
    promise = {name: choices[name] for name in ("secret", "relation", "moves") if name in choices}
    case = Case(noise="discrete_gaussian", tables=rows, geography=TREE, **promise)
    told: dict[str, Any] = {
        "tables": rows,
        "geography": TREE,
        "noise": "discrete_gaussian",
        "start": "budget",
        "rho": 0.5,
    } | choices
    return PublicationInputs(**told, case=case)
