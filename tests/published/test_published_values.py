"""Every printed number of the literature's tables: reproduced, or shown to be wrong with the reason."""

from __future__ import annotations

import math
from operator import attrgetter

import pytest

from dpcore.sources import work
from riskline.record.tables import PublishedValue, Verdict, all_rows, thesis_row
from tests.each import each

ROWS = all_rows()


@each("row", ROWS, ids=attrgetter("name"))
def test_the_printed_number_is_reproduced_or_refuted(row: PublishedValue) -> None:
    work(row.source)
    assert row.fault(float(row.compute())) == ""
    assert row.verdict == "agrees" or row.reading, "a disagreement needs its reason"


@pytest.mark.parametrize(
    ("verdict", "value", "fault"),
    [
        ("agrees", 1.349, ""),
        ("agrees", 1.36, "not the printed 1.3"),
        ("reading", 1.24, "not the printed 1.3"),
        ("agrees", math.nan, "not finite"),
        ("erratum", 1.52, ""),
        ("erratum", 1.53, "not 1.52 as before"),
        ("misrounded", 1.39, ""),
        ("misrounded", 1.41, "not 1.39 as before"),
    ],
)
def test_a_number_that_no_longer_comes_out_is_a_fault(verdict: Verdict, value: float, fault: str) -> None:
    computed = {"erratum": 1.52, "misrounded": 1.39}.get(verdict)
    row = thesis_row("", "", 1.3, 1, lambda: value, verdict, computed=computed)
    assert row.fault(value) == fault


@pytest.mark.parametrize(
    ("verdict", "computed", "fault"),
    [
        ("erratum", 1.31, "the printed 1.3 after all"),
        ("misrounded", 1.42, "not next to the printed 1.3"),
        ("misrounded", 1.18, "not next to the printed 1.3"),
    ],
)
def test_a_verdict_that_its_own_number_contradicts_is_a_fault(verdict: Verdict, computed: float, fault: str) -> None:
    assert thesis_row("", "", 1.3, 1, lambda: computed, verdict, computed=computed).fault(computed) == fault


def test_no_two_rows_have_one_name() -> None:
    names = [row.name for row in ROWS]
    assert len(names) == len(set(names)), sorted({name for name in names if names.count(name) > 1})


def test_a_tolerance_wider_than_half_a_printed_digit_has_its_reason() -> None:
    wide = [row for row in ROWS if row.tolerance is not None and row.tolerance > 0.5 * 10.0**-row.digits]
    assert not [row.name for row in wide if not row.reading.strip()]
