"""What chapter 3 prints that its own definitions contradict, and by how much."""

from __future__ import annotations

import math

import pytest

from riskline.record.works.chapter_3 import erratum_box, erratum_grid


def test_the_printed_box_formula_lacks_the_box_that_binds_nothing() -> None:
    argument, epsilon = erratum_box()
    assert argument < 0  # the printed form would take its logarithm
    assert epsilon == math.inf  # a prior of 0.4 cannot be raised more than 2.5-fold, so a bound of 3 asks for nothing


def test_the_authors_grid_recommends_too_large_a_budget() -> None:
    grid, exact = erratum_grid()
    assert grid == pytest.approx(0.6506, abs=5e-5)
    assert exact == pytest.approx(0.64964, abs=5e-6)
    assert grid > exact
