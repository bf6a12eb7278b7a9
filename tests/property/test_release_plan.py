"""Whatever stands in the place of a part of a plan, it is a plan or is refused by name."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore.errors import Refused
from riskline.release.plan import Plan, read_plan
from tests.release_plans import MONTHS, table_of

CASE = {"unit": "household", "group": 4, "chosen": {"value": 0.03125, "currency": "rho"}}
WHOLE = table_of(
    {"exact": "state", "places": 2, "times": {"column": "month", "values": MONTHS, "each": "one_time"}},
    {"name": "Households", "counts": "units", "categories": {}, "levels": {"nation": 0.1}},
    case=CASE,
    areas=[["US"], ["24", "Maryland", "US"], ["24001", "", "24"]],
    unit="home",
    record="person",
    prefixes=None,
    data="records",
)
value = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["", "county", "state", "sex", "units", "1"])
    | st.text(max_size=5),
    lambda inside: (
        st.lists(inside, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "x", "column", "county"]), inside, max_size=3)
    ),
    max_leaves=6,
)


def places(part: Any, before: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands in a plan."""
    inside = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    return [before, *(each for name, some in inside for each in places(some, (*before, name)))]


def read(content: str) -> Plan | Refused:
    """The plan of a text, or why there is none."""
    try:
        return read_plan(content.encode(), lambda name: b"code\n24\n")
    except Refused as refusal:
        return refusal


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(places(WHOLE)[1:]), value, st.booleans())
def test_a_plan_with_another_part_is_one_or_is_refused(place: tuple[Any, ...], other: Any, leave_out: bool) -> None:
    table = json.loads(json.dumps(WHOLE))
    part = table
    for name in place[:-1]:
        part = part[name]
    if leave_out:
        del part[place[-1]]
    else:
        part[place[-1]] = other
    found = read(json.dumps(table))
    if isinstance(found, Plan):
        assert len(found.digest) == 64
        assert all(release.scale > 0 for release in found.releases)
    else:
        assert found.name
        assert len(str(found)) < 400


def test_nesting_beyond_all_measure_is_refused() -> None:
    for deep in (600, 5000, 200_000):
        content = json.dumps(table_of()).replace('"budget": 0.5', f'"budget": {"[" * deep}{"]" * deep}')
        found = read(content)
        assert isinstance(found, Refused)
        assert found.name in ("the plan", "budget")
