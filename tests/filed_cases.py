"""A school's case, ten cases that are filed, and what only their office can say."""

from __future__ import annotations

import random
from typing import Any

from riskline.case.value import Case
from tests.cases import some_case

SAID: dict[str, Any] = {
    "office": "Education Office",
    "author": "A. Clerk: of the office",
    "title": "Absence: a table # with marks 'and' \"quotes\"",
    "released": "Pupils absent more than 20 days",
    "intended_use": "Planning support",
    "region": "Ohio",
    "data_sector": "education",
    "publication_date": "2026-05-12",
    "data_source": "static",
    "preprocessing": "Duplicates taken out.\nNothing was tried out on the data.",
    "post_processing": "Negative counts become 0.",
    "security": "Two analysts; others are open.",
}
CASES = [
    Case(ratio=3.0),
    Case(ratio=3.0, unit="household", group=4, releases=12),
    Case(ratio=2.0, secret="value", relation="replace", release="table", areas=38),
    Case(ratio=2.0, guarantee="zero_concentrated", noise="gaussian"),
    Case(ratio=2.0, guarantee="zero_concentrated", route="discrete_gaussian", releases=3),
    Case(ratio=2.5, guarantee="approximate", delta=1e-7, releases=3),
    Case(release="coins", secret="value", relation="replace", ratio=3.0),
    Case(ratio=4.0).decided(value=0.7, currency="epsilon", by="The board", date="12 May"),
    *(some_case(random.Random(seed)) for seed in (3, 8)),
]
SCHOOL = Case(
    title="School absence by district",
    hidden="was absent more than 20 days",
    one="pupil",
    office="Education Office",
    secret="value",
    relation="replace",
    release="table",
    areas=38,
    moves="nowhere",
    line="cap_or_ratio",
)
