"""Every printed number of the literature's tables: reproduced, or shown to be wrong with the reason."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest

from dpcore.sources import work
from tests.published.tables import PublishedValue, all_rows

ROWS = all_rows()


def _unit(value: float) -> float:
    """One unit of the last digit in which a number is written."""
    exponent = Decimal(repr(value)).normalize().as_tuple().exponent
    assert isinstance(exponent, int)
    return 10.0 ** min(exponent, 0)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_printed_number_is_reproduced_or_refuted(row: PublishedValue) -> None:
    work(row.source)
    value = float(row.compute())
    assert math.isfinite(value)
    near = abs(value - row.printed) <= row.printed_tolerance * (1 + 1e-9)
    if row.verdict in ("agrees", "reading"):
        assert near, (value, row.printed)
        assert row.verdict == "agrees" or row.reading
        return
    assert row.reading, "a disagreement needs its reason"
    assert row.computed is not None
    assert abs(value - row.computed) <= 0.5 * _unit(row.computed) * (1 + 1e-9), (value, row.computed)
    if row.verdict == "erratum":
        assert not near, (value, row.printed)
    else:
        assert value != row.printed
        assert abs(value - row.printed) < 10.0**-row.digits, (value, row.printed)


def test_no_two_rows_have_one_name() -> None:
    names = [row.name for row in ROWS]
    assert len(names) == len(set(names)), sorted({name for name in names if names.count(name) > 1})


def test_a_tolerance_wider_than_half_a_printed_digit_has_its_reason() -> None:
    wide = [row for row in ROWS if row.tolerance is not None and row.tolerance > 0.5 * 10.0**-row.digits]
    assert not [row.name for row in wide if not row.reading.strip()]
