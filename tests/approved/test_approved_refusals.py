"""A refused reference case is refused for its own reason, in the words a person has read beside it."""

from __future__ import annotations

from tests.approved.case_refusals import FILE, refusals_of_cases
from tests.approved.difference import fail_with_difference


def test_refused_cases_are_told_why() -> None:
    fail_with_difference(FILE, refusals_of_cases(), "")
