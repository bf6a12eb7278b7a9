"""What a case's schema says, and what its budget lets somebody believe of a table: counted on a tiny table by hand."""

from __future__ import annotations

import itertools

import pytest
from scipy.special import expit, logit

from dpcore.schema import Counts, Moves, Totals
from riskline.answers import CaseBudget, Source, belief_after, schema_of
from riskline.case.tables import decode_tables
from riskline.case.value import Case


def test_a_case_has_the_schema_of_what_it_releases() -> None:
    assert schema_of(Case()) is None
    assert schema_of(Case(release="coins")) is None
    count, table = schema_of(Case(release="count")), schema_of(Case(release="table", areas=40, moves="nowhere"))
    assert count is not None
    assert table is not None
    assert count.sensitivity(0, "replace").l1 == table.sensitivity(0, "replace").l1 == 1
    assert table.moves == Moves("nowhere")
    rows = decode_tables("Days~total~400~1~40~~~21000~0~30!Ill~counts~9~~8~3")
    tables = schema_of(Case(release="tables", tables=rows))
    assert tables is not None
    assert tables.rows == (Totals(low=0, high=30, level="40"), Counts(cells=3, level="8"))
    assert [tables.sensitivity(place, "replace").l1 for place in range(2)] == [60, 2]


def _reached(changes: int, rate: float, prior: float) -> float:
    """The largest belief after so many counts that each move by one, with geometric noise of this rate on each."""
    return float(expit(logit(prior) + changes * rate))


@pytest.mark.parametrize("moves", ["", "anywhere", "nowhere"])
@pytest.mark.parametrize(
    ("secret", "relation"), [("presence", "add_or_remove"), ("value", "add_or_remove"), ("value", "replace")]
)
@pytest.mark.parametrize("group", [1, 3])
def test_a_table_promises_what_moved_counts_reach(moves: str, secret: str, relation: str, group: int) -> None:
    """Every way in which the records of a unit lie in two of three districts before and after, counted one by one."""
    unit = {"unit": "household", "group": group} if group > 1 else {}
    case = Case(
        release="table",
        areas=3,
        moves=moves,
        secret=secret,
        relation=relation,
        held=1.0,
        ratio=3.0,
        noise="geometric",
        **unit,
    ).decided(value=0.6, currency="epsilon")
    places = [None, 0, 1, 2] if secret == "presence" or moves != "nowhere" else [None, 0]
    largest = 0
    for before, after in itertools.product(places, repeat=2):
        if secret == "presence" and before is not None:
            continue
        changed = [0, 0, 0]
        for place, sign in ((before, -group), (after, group)):
            if place is not None:
                changed[place] += sign
        largest = max(largest, sum(map(abs, changed)))
    step = 2 if relation == "replace" and moves != "nowhere" else 1  # counts that one step of the budget changes
    found = belief_after(case, 0.1)
    assert found is not None
    assert found.value == pytest.approx(_reached(largest, 0.6 / step, 0.1), rel=1e-12)
    assert found.scope == "table"


def test_a_budget_that_is_tried_is_taken_instead_of_the_cases() -> None:
    case = Case(ratio=3.0).decided(value=0.5, currency="epsilon")
    own, tried = belief_after(case, 0.1), belief_after(case, 0.1, budget=CaseBudget(1.5, "epsilon", Source.CHOSEN))
    assert own is not None
    assert tried is not None
    assert [own.value, tried.value] == pytest.approx([_reached(1, 0.5, 0.1), _reached(1, 1.5, 0.1)], rel=1e-12)
