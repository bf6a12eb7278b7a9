"""Several counts of one number as one reading: against products of laws, and through levels against direct sums."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.attacks.many_levels import log_odds, log_odds_of_tables
from dpcore.attacks.weighted import weighted_reading
from dpcore.census import LEVELS, census_tables, level_rho
from dpcore.errors import Code, Refused
from dpcore.mechanisms import DiscreteGaussian


def test_a_reading_has_the_likelihood_of_all_its_counts() -> None:
    counts, rhos, knowns = [4, 9, -1], [0.05, 0.4, 0.003], [1, 5, 0]
    one = weighted_reading(counts, rhos=rhos, knowns=knowns)
    k = np.arange(-5, 12)
    together = sum(
        np.asarray(DiscreteGaussian(rho=rho).log_pmf(count - known - k))
        for count, rho, known in zip(counts, rhos, knowns, strict=True)
    )
    apart = together + one.rho * (one.count - k) ** 2
    assert np.ptp(apart) < 1e-10, "equal up to a constant that no number of people changes"
    assert one.count == pytest.approx((0.05 * 3 + 0.4 * 4 - 0.003) / 0.453)


@pytest.mark.parametrize("known", [0, 2])
def test_tables_of_two_levels_against_a_direct_sum(known: int) -> None:
    block, group, others = [2, 5], [4, 3], [1, -2]
    a, b, siblings = np.array([0.2, 0.03]), np.array([0.1, 0.15]), 5
    y = np.arange(0.0, 400.0)

    def evidence(here: int) -> float:
        own = -(a * (np.array(block) - here) ** 2).sum()
        above = -sum(rho * (count - here - y) ** 2 for rho, count in zip(b, group, strict=True))
        beside = -sum(rho / siblings * (count - y) ** 2 for rho, count in zip(a, others, strict=True))
        return float(own + np.logaddexp.reduce(above + beside))

    found = log_odds_of_tables(
        [block, group], [others], rhos=[a, b], siblings_per_level=[siblings], prior=0.5, known=known
    )
    assert found == pytest.approx(evidence(known + 1) - evidence(known), abs=1e-9)


def test_equal_counts_are_one_count_with_all_of_their_rho_on_six_levels() -> None:
    rhos = [[float(table.rho / 2) for table in census_tables(levels=[level])] for level in LEVELS[::-1]]
    counts, sums, siblings = [3, 2, 1, 4, 0, 2], [-1, 3, 2, 0, 1], [27, 3, 20, 100, 50]
    found = log_odds_of_tables(
        [[count] * len(rho) for count, rho in zip(counts, rhos, strict=True)],
        [[count] * len(rho) for count, rho in zip(sums, rhos[:-1], strict=True)],
        rhos=rhos,
        siblings_per_level=siblings,
        prior=0.3,
    )
    one = log_odds(counts, sums, rhos=[sum(rho) for rho in rhos], siblings_per_level=siblings, prior=0.3)
    assert found == pytest.approx(one, abs=1e-12)


def test_rho_of_a_level_leaves_out_what_was_published_exactly() -> None:
    of_levels = [level_rho(level) for level in LEVELS]
    assert float(sum(of_levels)) == pytest.approx(1.7292273288643758, rel=1e-12)
    assert level_rho("state") == sum(t.rho for t in census_tables(levels=["state"]) if t.query != "total")
    assert level_rho("block") == sum(t.rho for t in census_tables(levels=["block"]))
    assert level_rho("tract", queries=["detailed", "total"]) < level_rho("tract")


def test_what_does_not_belong_together_is_refused() -> None:
    for call, code, text in (
        (lambda: weighted_reading([1, 2], rhos=[0.1]), Code.WRONG_SHAPE, "got 2 counts, 1 ρ, 2 known"),
        (lambda: weighted_reading([], rhos=[]), Code.WRONG_SHAPE, "have one entry per count"),
        (lambda: weighted_reading([1.5], rhos=[0.1]), Code.NOT_WHOLE, "counts must hold whole numbers; got 1.5"),
        (lambda: weighted_reading([1], rhos=[0.0]), Code.OUT_OF_RANGE, "rhos must be greater than 0"),
        (lambda: weighted_reading([1], rhos=[0.1], knowns=[-1]), Code.OUT_OF_RANGE, "knowns must be at least 0"),
        (
            lambda: log_odds_of_tables([[1], [1]], [], rhos=[[0.1], [0.1]], siblings_per_level=[3]),
            Code.WRONG_SHAPE,
            "must have one entry per level, sums and siblings one fewer; got 2, 0, 1 and 2",
        ),
        (
            lambda: log_odds_of_tables([[1], [1]], [[2]], rhos=[[0.1], [0.1]], siblings_per_level=[0]),
            Code.INCONSISTENT,
            "sibling_sums must be 0 without siblings",
        ),
    ):
        with pytest.raises(Refused, match=text) as told:
            call()
        assert told.value.code is code
