"""The 2020 census' levels as a publication: printed budgets, their sum, and errors against the normal equations."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from dpcore.guarantees import ZeroConcentratedDP
from dpcore.publication import census_levels_2020, guarantee_of_unit

LEVELS = census_levels_2020()
PRINTED = {  # thesis, Table 2.2: share of the file, share of the query, ρ
    "United States": (Fraction(104, 4099), Fraction(189, 241), 0.0509),
    "State": (Fraction(1440, 4099), Fraction(230, 4097), 0.0505),
    "County": (Fraction(447, 4099), Fraction(754, 4097), 0.0514),
    "Tract": (Fraction(687, 4099), Fraction(241, 2051), 0.0504),
    "Optimized block group": (Fraction(1256, 4099), Fraction(1288, 4099), 0.2465),
    "Block": (Fraction(165, 4099), Fraction(3945, 4097), 0.0992),
}


def test_the_budgets_are_those_that_the_thesis_prints() -> None:
    assert LEVELS.names == tuple(PRINTED)
    for rho, (share, of_it, printed) in zip(LEVELS.budgets, PRINTED.values(), strict=True):
        assert rho == float(Fraction(256, 100) * share * of_it)
        assert rho == pytest.approx(printed, abs=0.5e-4)
    spent = guarantee_of_unit(LEVELS.publication, LEVELS.budgets)
    assert isinstance(spent, ZeroConcentratedDP)
    assert spent.rho == pytest.approx(math.fsum(LEVELS.budgets))
    assert spent.rho < 2.56  # other queries take the rest


def test_every_level_publishes_the_whole_histogram_in_all_its_places() -> None:
    rows = LEVELS.publication.rows
    assert [row.numbers for row in rows] == [2016 * areas for areas in (1, 50, 3_000, 90_000, 270_000, 8_100_000)]
    assert LEVELS.publication.sensitivities.tolist() == [1.0] * 6
    assert {row.noise for row in rows} == {"discrete_gaussian"}
    assert LEVELS.fanouts_are_round


def test_errors_after_adding_up_are_those_of_the_normal_equations() -> None:
    """On a branch of the tree: below each place of the branch, its other parts count through their own sums alone."""
    errors = LEVELS.errors
    before = errors.before**2
    assert before[-1] == pytest.approx(1 / (2 * LEVELS.budgets[-1]), rel=1e-4)
    up = [before[-1]]  # variance of a count from its own level and those below
    for level in range(4, -1, -1):
        up.insert(0, 1 / (1 / before[level] + 1 / (LEVELS.fanouts[level] * up[0])))
    # unknown: the count of each level of the branch; known: its own noisy count, and those of its parts' siblings
    size = len(before)
    information = np.diag(1 / before)
    for level, parts in enumerate(LEVELS.fanouts):
        rest = np.zeros(size)
        rest[level], rest[level + 1] = 1, -1  # what the other parts hold
        information += np.outer(rest, rest) / ((parts - 1) * up[level + 1])
    assert errors.after**2 == pytest.approx(np.diag(np.linalg.inv(information)), rel=1e-9)
    assert (errors.gain >= 1).all()
