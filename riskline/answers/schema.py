"""What one record can change in what a case releases: the schema that every sensitivity comes from."""

from __future__ import annotations

from typing import Literal

from dpcore.accuracy import Noise
from dpcore.schema import Areas, Counts, Level, Movement, Moves, Schema
from riskline.case.promise import records_together
from riskline.case.tables import publication_of
from riskline.case.value import Case

DISTRICT = "district"
USUAL_LEVEL = 0.95
"""How often ranges hold unless somebody asks for another share."""


def schema_of_districts(districts: int, moves: Movement | Literal[""]) -> Schema:
    """One count for each of so many districts; `moves` is empty where nobody has decided how far a record can move.

    >>> [schema_of_districts(40, moves).sensitivity(0, "replace").l1 for moves in ("", "nowhere")]
    [2.0, 1.0]
    """
    return Schema((Counts(level=DISTRICT),), Areas((Level(DISTRICT, districts),)), Moves(moves or None))


def schema_of(case: Case) -> Schema | None:
    """The schema of what a case releases; None where it is not described, or is no table of counts and amounts.

    >>> schema_of(Case(release="table", areas=40)).sensitivity(0, "replace").l1, schema_of(Case())
    (2.0, None)
    """
    if case["release"] == "count":
        return schema_of_districts(1, case["moves"])
    if case["release"] == "table":
        return schema_of_districts(case["areas"], case["moves"])
    if case["release"] != "tables":
        return None
    noise: Noise = case["noise"]
    group = records_together(case["unit"], case["group"])
    return publication_of(
        case["tables"],
        noise=noise,
        relation=case["relation"],
        group=group,
        level=USUAL_LEVEL,
        moves=case["moves"],
        levels=case["geography"],
    ).schema


def counts_changed(areas: int, moves: Movement | Literal[""], relation: str) -> int:
    """How many counts of a table over areas one change of the data touches; each then has that share of the budget.

    >>> counts_changed(38, "", "replace"), counts_changed(1, "", "replace")
    (2, 1)
    """
    return len(schema_of_districts(areas, moves).largest_change(0, relation).amounts)
