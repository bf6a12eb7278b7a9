"""Plans and made-up people for the tests of a release: 437 counties of 5 states, a seeded generator."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from riskline.release.plan import Plan, plan_from_table

LEVELS = ["nation", "state", "county"]
STATES = [f"{state:02}" for state in range(1, 6)]
COUNTIES = [f"{STATES[county % 5]}{county:03}" for county in range(437)]
AREAS = [
    ["US", "United States"],
    *([state, f"State {state}", "US"] for state in STATES),
    *([county, f"County {county}", county[:2]] for county in COUNTIES),
]
SEXES, AGES, MONTHS = ["f", "m"], ["0-17", "18-64", "65+"], ["2025-01", "2025-02", "2025-03"]
TABLE: dict[str, Any] = {"name": "Births", "levels": {"county": 0.1}, "categories": {"sex": SEXES}}


def table_of(*tables: Mapping[str, Any], case: Mapping[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    """A plan as its file holds it."""
    return {
        "riskline_plan": 1,
        "case": {"riskline_case": 1, "noise": "discrete_gaussian", **(case or {})},
        "budget": 0.5,
        "levels": LEVELS,
        "areas": AREAS,
        "area": "county",
        "tables": [TABLE | dict(table) for table in tables or ({},)],
    } | changes


def plan_of(*tables: Mapping[str, Any], **changes: Any) -> Plan:
    """The same, read; no file lies beside it."""
    return plan_from_table(json.loads(json.dumps(table_of(*tables, **changes))), lambda name: b"")


def written(path: Path, heads: Sequence[str], rows: Any) -> Path:
    """A CSV file."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(heads)
        writer.writerows(rows)
    return path


def written_plan(path: Path, *tables: Mapping[str, Any], **changes: Any) -> Path:
    """The plan in a file."""
    path.write_text(json.dumps(table_of(*tables, **changes)), encoding="utf-8")
    return path


def made_up_people(people: int, *, seed: int = 1) -> dict[str, list[str]]:
    """Columns of people in households of up to four, each household in one county."""
    generator = np.random.default_rng(seed)
    sizes = generator.integers(1, 5, people)
    household = np.repeat(np.arange(people), sizes)[:people]
    county = generator.choice(len(COUNTIES), people, p=generator.dirichlet(np.full(len(COUNTIES), 0.5)))[household]

    def drawn(values: Sequence[str]) -> list[str]:
        return generator.choice(values, people).tolist()

    return {
        "person": [f"p{number}" for number in range(people)],
        "household": [f"h{number}" for number in household],
        "county": [COUNTIES[number] for number in county],
        "sex": drawn(SEXES),
        "age": drawn(AGES),
        "month": drawn(MONTHS),
    }
