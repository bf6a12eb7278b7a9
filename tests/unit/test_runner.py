"""The runner of reference cases answers what it can and refuses the rest as a ValueError, whatever it is given."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.each import each
from tests.reference.runner import AREAS, compute
from tests.reference.written_cases import CASES

ANSWERED = {case["kind"]: case["inputs"] for case in CASES if "refused" not in case}
EVIDENCE = [kind for kind in ANSWERED if kind.partition(":")[0] in ("audit", "relatives", "filters", "trial")]
OPTIONAL = {"alpha", "bet", "coins", "delta", "level", "power", "share"}
"""May be left out, or nothing, in a kind that has them."""


def test_every_kind_of_the_areas_of_evidence_has_a_case() -> None:
    areas = ("audit", "relatives", "filters", "trial")
    assert sorted(EVIDENCE) == sorted(f"{area}:{what}" for area in areas for what in AREAS[area])


@each("kind", EVIDENCE)
def test_what_is_missing_too_much_or_no_number_is_a_value_error(kind: str) -> None:
    given = ANSWERED[kind]
    broken: list[dict[str, Any]] = [{**given, "unknown": 1}]
    for name in given:
        if name not in OPTIONAL:
            broken.append({key: value for key, value in given.items() if key != name})
        broken += [{**given, name: wrong} for wrong in ("x", True, math.nan, {"x": 1})]
        broken += [] if name in OPTIONAL else [{**given, name: None}]
    for inputs in broken:
        with pytest.raises(ValueError, match=r"\w"):
            compute(kind, inputs)


@pytest.mark.parametrize("what", ["trial:nothing", "nothing:dealing", "", "posteriors"])
def test_a_kind_that_nobody_knows_is_a_value_error(what: str) -> None:
    with pytest.raises(ValueError, match="known kind of case"):
        compute(what, {})
