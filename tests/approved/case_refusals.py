"""What each refused reference case is told: beside the reason in the case's own words, so that a person can compare."""

from __future__ import annotations

from pathlib import Path

from tests.reference.runner import compute
from tests.reference.written_cases import CASES

FILE = Path(__file__).with_name("case_refusals.txt")


def refusals_of_cases() -> str:
    """One line for each refused case: its name, why it must be refused, and our refusal."""
    lines = []
    for case in CASES:
        if "refused" in case:
            try:
                compute(case["kind"], case["inputs"])
            except ValueError as refusal:
                lines.append(f"{case['id']} {case['kind']} [{case['refused']}]: {refusal}")
            else:
                lines.append(f"{case['id']} {case['kind']} [{case['refused']}]: answered")
    return "\n".join(lines) + "\n"
