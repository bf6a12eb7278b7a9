"""What a publication spends and means, its frontier, and what readers make of two counts."""

from __future__ import annotations

import itertools
import math
import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit, logit
from scipy.stats import norm

from dpcore.composition import PlanRule
from dpcore.errors import Refused
from dpcore.guarantees import PureDP, Relation, ZeroConcentratedDP
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from dpcore.privacy_loss import PrivacyLoss
from dpcore.promise import Promise
from dpcore.publication import (
    ClippedMean,
    ClippedTotal,
    CountTable,
    NoiseDifference,
    Publication,
    Wish,
    allocate,
    belief_upper,
    difference_half_width,
    frontier,
    guarantee_of_secret,
    guarantee_of_unit,
    least_stretch,
    ledger,
    order_chances,
    publication_errors,
    range_error,
    share_half_width,
    share_range,
    steps_of_secret,
    total_for_wishes,
    totals_of_caps,
)
from tests.each import each

ADD, REPLACE = Relation.ADD_OR_REMOVE, Relation.REPLACE
PRESENCE = Promise(secret="presence", relation="add_or_remove")  # type: ignore[arg-type]
VALUE = Promise(secret="value", relation="add_or_remove")  # type: ignore[arg-type]


def _publication(currency: str, relation: Relation = ADD, group: int = 1) -> Publication:
    whole, flowing = ("geometric", "laplace") if currency == "epsilon" else ("discrete_gaussian", "gaussian")
    rows: tuple[Any, ...] = (
        CountTable(name="births", noise=whole, times=12, areas=30, wish=Wish(12)),  # type: ignore[arg-type]
        CountTable(cells=9, cells_per_person=3, records_per_cell=2, noise=whole, wish=Wish(40)),  # type: ignore[arg-type]
        ClippedTotal(name="wages", low=-10, high=50, noise=flowing, times=4, wish=Wish(700)),  # type: ignore[arg-type]
    )
    return Publication(rows, relation, group)


# ---- the ledger -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", ["meet_wishes", "least_weighted_error", "same_error", "same_budget"])
@pytest.mark.parametrize("currency", ["epsilon", "rho"])
@pytest.mark.parametrize(("relation", "group"), [(ADD, 1), (REPLACE, 1), (ADD, 3)])
def test_the_ledger_spends_exactly_the_total(rule: str, currency: str, relation: Relation, group: int) -> None:
    publication = _publication(currency, relation, group)
    found = allocate(publication, 0.9, rule=rule)
    plan = ledger(publication, found.budgets)
    spent = plan.basic(1e-6).epsilon if currency == "epsilon" else plan.concentrated().rho
    assert spent == pytest.approx(0.9, rel=1e-12)
    twice = 2 if relation is REPLACE else 1
    assert [row.count for row in plan.rows] == [12 * twice, 3 * twice, 4]
    assert [row.name for row in plan.rows] == ["births", "row 2", "wages"]
    whole = guarantee_of_unit(publication, found.budgets)
    assert (whole.epsilon if isinstance(whole, PureDP) else whole.rho) == pytest.approx(0.9, rel=1e-12)
    assert whole.relation is relation


def test_the_ledgers_noise_is_the_rows_noise() -> None:
    publication = _publication("rho", group=2)
    plan = ledger(publication, [0.1, 0.2, 0.3])
    cell = plan.rows[1].source
    assert isinstance(cell, DiscreteGaussian)
    assert cell.sensitivity == 4  # two records in a cell, two people in the household
    assert cell.concentration == pytest.approx(0.2 / publication.sensitivities[1] ** 2, rel=1e-12)
    assert isinstance(plan.rows[2].source, Gaussian)
    assert plan.rows[2].source.std == pytest.approx(100 / math.sqrt(0.6))


def test_three_cells_of_geometric_noise_have_the_law_of_their_sum() -> None:
    table = Publication((CountTable(cells=3, cells_per_person=3),), ADD)
    exact = ledger(table, [0.6]).privacy_loss
    losses = np.array([sum(signs) * 0.2 for signs in np.ndindex(2, 2, 2) for signs in [[2 * s - 1 for s in signs]]])
    up = math.exp(0.2) / (1 + math.exp(0.2))
    mass = np.array([up ** sum(s) * (1 - up) ** (3 - sum(s)) for s in np.ndindex(2, 2, 2)])
    delta = float(np.maximum(mass - mass * np.exp(0.3 - losses), 0).sum())
    assert isinstance(exact, PrivacyLoss)
    assert float(exact.delta_at(0.3)) == pytest.approx(delta, rel=1e-9)


def test_splitting_into_areas_costs_nothing_and_asking_twice_does() -> None:
    for noise in ("geometric", "discrete_gaussian"):
        one, split, twice = (
            Publication((CountTable(noise=noise, areas=areas, times=times),), ADD)  # type: ignore[arg-type]
            for areas, times in ((1, 1), (412, 1), (1, 2))
        )
        budget = [0.1]
        assert guarantee_of_unit(split, budget) == guarantee_of_unit(one, budget)
        assert guarantee_of_unit(twice, budget) != guarantee_of_unit(one, budget)
        total = guarantee_of_unit(twice, budget)
        assert (total.epsilon if isinstance(total, PureDP) else total.rho) == 0.2


# ---- what it means --------------------------------------------------------------------------------------------------


def test_the_secret_of_a_value_moves_twice_as_many_cells() -> None:
    for currency, doubled in (("epsilon", 60 / 50), ("rho", (60 / 50) ** 2)):
        publication = _publication(currency)
        assert steps_of_secret(publication, PRESENCE).tolist() == [1, 1, 1]
        assert steps_of_secret(publication, VALUE) == pytest.approx([2, 2, doubled], rel=1e-12)
        found = guarantee_of_secret(publication, [0.01, 0.02, 0.03], VALUE)
        expected = 12 * 0.01 * 2 + 0.02 * 2 + 4 * 0.03 * doubled
        assert (found.epsilon if isinstance(found, PureDP) else found.rho) == pytest.approx(expected, rel=1e-12)
        replaced = Publication(publication.rows, REPLACE)
        own = Promise(secret="value", relation="replace")  # type: ignore[arg-type]
        assert steps_of_secret(replaced, own).tolist() == [1, 1, 1]


@each("low, high", [(10**7 - 1, 10**7), (2e6, 2e6 + 3), (2, 3), (-10, 50)])
def test_a_narrow_total_spends_what_its_width_says(low: float, high: float) -> None:
    total = Publication((ClippedTotal(low=low, high=high, noise="gaussian", always=True),), ADD)
    share = Fraction(high - low) ** 2 / Fraction(max(-low, high)) ** 2
    found = guarantee_of_secret(total, [1.0], VALUE)
    assert found.rho == pytest.approx(float(share), rel=1e-15, abs=0)  # type: ignore[union-attr]


@each("share", [0.0, 0.1])
def test_the_range_of_a_share_of_a_large_count_has_its_digits(share: float) -> None:
    """P[|X - sY| > h] = (exp(-h) - s^2 exp(-h/s))/(1 - s^2) for two Laplace variables of scale 1."""
    size, noise = 10**15, Laplace(epsilon=1.0)

    def beyond(h: float) -> float:
        return (math.exp(-h) - (share**2 * math.exp(-h / share) if share else 0.0)) / (1 - share**2)

    found = share_half_width(round(share * size), size, part_noise=noise, whole_noise=noise)
    assert beyond(found * size) == pytest.approx(0.05, rel=1e-6)


def test_a_publications_meaning_is_the_law_of_what_the_secret_moves() -> None:
    """The value of somebody in a table of five cells: the loss of two cells, whose largest value is twice epsilon."""
    publication = Publication((CountTable(cells=5, times=2),), ADD)
    assert guarantee_of_secret(publication, [0.3], VALUE) == PureDP(epsilon=1.2)
    gaussian = Publication((CountTable(cells=5, noise="gaussian"),), ADD)
    assert guarantee_of_secret(gaussian, [0.3], VALUE) == ZeroConcentratedDP(rho=0.6)
    one_count = Publication((CountTable(times=2),), ADD)  # a plain count moves by one, whichever value somebody has
    assert guarantee_of_secret(one_count, [0.3], VALUE) == PureDP(epsilon=0.6)
    # never above what holds however a release is made
    for currency in ("epsilon", "rho"):
        whole = _publication(currency)
        sharp = guarantee_of_secret(whole, [0.01, 0.02, 0.03], VALUE)
        general = VALUE.guarantee_of_secret(guarantee_of_unit(whole, [0.01, 0.02, 0.03]))
        assert sharp.epsilon <= general.epsilon if currency == "epsilon" else sharp.rho <= general.rho  # type: ignore[union-attr]


def test_a_household_is_one_step_of_its_own_publication() -> None:
    household = Promise(secret="presence", relation="add_or_remove", unit="household", group=3)  # type: ignore[arg-type]
    publication = _publication("epsilon", group=3)
    assert guarantee_of_secret(publication, [0.01, 0.02, 0.03], household).epsilon == pytest.approx(0.26)  # type: ignore[union-attr]
    with pytest.raises(ValueError, match=r"group must be that of the publication \(3\); got 1"):
        guarantee_of_secret(publication, [0.01, 0.02, 0.03], PRESENCE)
    replaced = Promise(secret="value", relation="replace")  # type: ignore[arg-type]
    with pytest.raises(
        ValueError, match=r"relation must be that of the publication \('add_or_remove'\); got 'replace'"
    ):
        steps_of_secret(_publication("rho"), replaced)
    with pytest.raises(ValueError, match=r"budgets must hold one number for each row \(3\); got 1"):
        ledger(publication, [0.1])
    with pytest.raises(ValueError, match=r"budgets must be greater than 0 and finite; got 0.0"):
        guarantee_of_unit(publication, [0.1, 0, 1])


def test_beliefs_stay_below_the_bound_and_epsilon_reaches_it() -> None:
    publication = Publication((CountTable(areas=40, times=4),), ADD)
    assert belief_upper(publication, [0.25], PRESENCE, prior=0.08) == pytest.approx(expit(logit(0.08) + 1))
    assert belief_upper(publication, [0.25], VALUE, prior=[0.08, 0.5]) == pytest.approx(expit(logit([0.08, 0.5]) + 2))
    gaussian = Publication((CountTable(noise="gaussian"),), ADD)
    with pytest.raises(ValueError, match="delta_prime must lie in"):
        belief_upper(gaussian, [0.25], PRESENCE, prior=0.08)


# ---- the frontier ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("promise", [PRESENCE, VALUE])
@pytest.mark.parametrize("currency", ["epsilon", "rho"])
def test_the_total_of_a_cap_keeps_it_under_every_rule(currency: str, promise: Promise) -> None:
    publication = _publication(currency)
    caps = np.array([0.05, 0.08, 0.25, 0.9])
    totals = totals_of_caps(publication, promise, prior=0.08, cap=caps, delta_prime=0.01)
    assert totals[:2].tolist() == [0, 0]  # type: ignore[index]
    for rule in ("meet_wishes", "same_budget"):
        for cap, total in zip(caps[2:], totals[2:], strict=True):  # type: ignore[index]
            budgets = allocate(publication, float(total), rule=rule).budgets
            assert belief_upper(publication, budgets, promise, prior=0.08, delta_prime=0.01) <= cap * (1 + 1e-9)
    counts = Publication(publication.rows[:2], ADD)  # all rows take the same steps: nothing is given away
    total = float(totals_of_caps(counts, promise, prior=0.08, cap=0.25, delta_prime=0.01))
    reached = belief_upper(counts, allocate(counts, total).budgets, promise, prior=0.08, delta_prime=0.01)
    assert reached == pytest.approx(0.25, rel=1e-9)


def test_the_composed_release_itself_keeps_the_line() -> None:
    """The exact law of the ledger passes the shift no more often than promised."""
    publication = Publication(
        (
            CountTable(noise="discrete_gaussian", times=3, wish=Wish(10)),
            CountTable(noise="discrete_gaussian", cells=8, cells_per_person=2, wish=Wish(30)),
        ),
        ADD,
    )
    total = float(totals_of_caps(publication, PRESENCE, prior=0.08, cap=0.25, delta_prime=0.01))
    plan = ledger(publication, allocate(publication, total).budgets)
    shift = float(logit(0.25) - logit(0.08))
    assert PlanRule(plan, "exact").shift(1, delta_prime=0.01, direction="either") <= shift


def test_the_frontier_is_the_stretch_at_each_total() -> None:
    for currency in ("epsilon", "rho"):
        publication = _publication(currency)
        totals = np.concatenate([[0.0], np.geomspace(0.002, 50, 23)])
        found = frontier(publication, totals)
        assert math.isinf(found.stretch[0])
        assert np.isinf(found.half_widths[0]).all()
        for at in range(1, totals.size):
            alone = allocate(publication, float(totals[at]))
            assert found.stretch[at] == pytest.approx(alone.stretch, rel=1e-9)
            assert found.half_widths[at] == pytest.approx(alone.kept, rel=1e-9)
            assert found.worst_half_width[at] == found.half_widths[at].max()
    with pytest.raises(ValueError, match=r"totals must be a list; got 0.3"):
        frontier(publication, 0.3)
    with pytest.raises(ValueError, match=r"totals must be at least 0 and finite; got -1.0"):
        frontier(publication, [-1])
    with pytest.raises(ValueError, match="wish of row 1 must be given; got None"):
        frontier(Publication((CountTable(),), ADD), [1])


@pytest.mark.parametrize(
    ("inputs", "text"),
    [
        ({"prior": 0.0}, r"prior must lie in \(0, 1\); got 0.0"),
        ({"cap": 1.0}, r"cap must lie in \(0, 1\); got 1.0"),
        ({"delta_prime": 0.0}, r"delta_prime must lie in \(0, 1\); got 0.0"),
    ],
)
def test_what_a_cap_refuses(inputs: dict[str, float], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        totals_of_caps(_publication("rho"), PRESENCE, **{"prior": 0.1, "cap": 0.3, "delta_prime": 0.01, **inputs})


def test_a_mean_is_paid_and_read_where_records_are_replaced() -> None:
    own = Promise(secret="value", relation="replace")  # type: ignore[arg-type]
    rows = (ClippedMean(low=0, high=10, people=400, wish=Wish(0.5)), CountTable(wish=Wish(20)))
    publication = Publication(rows, REPLACE)
    found = allocate(publication, 1.0)
    assert guarantee_of_secret(publication, found.budgets, own).epsilon == pytest.approx(1.0)  # type: ignore[union-attr]
    assert isinstance(ledger(publication, found.budgets).rows[0].source, Laplace)


# ---- readings -------------------------------------------------------------------------------------------------------

PAIRS = [
    (Geometric(epsilon=0.3), Geometric(epsilon=0.3)),
    (Geometric(epsilon=0.3), Geometric(epsilon=0.3000001)),
    (Geometric(epsilon=2.5), Geometric(epsilon=0.4, sensitivity=2)),
    (DiscreteGaussian(rho=0.05), DiscreteGaussian(rho=0.02)),
    (DiscreteGaussian(rho=3.0), DiscreteGaussian(rho=0.02)),
    (DiscreteGaussian(rho=1.5), DiscreteGaussian(rho=2.5)),
]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_the_difference_against_a_sum_over_both_noises(first: Any, second: Any) -> None:
    reach = 400
    z = np.arange(-reach, reach + 1)
    joint = np.convolve(np.exp(first.log_pmf(z)), np.exp(second.log_pmf(z)))
    centre = 2 * reach
    law = NoiseDifference(first, second)
    k = np.array([-7, -1, 0, 1, 2, 5, 13])
    tails = np.array([joint[centre + int(one) :].sum() for one in k])
    assert np.exp(law.log_tail(k)) == pytest.approx(tails, rel=1e-11)
    assert np.exp(law.log_pmf(k)) == pytest.approx(joint[centre + k], rel=1e-11)
    assert law.std == pytest.approx(math.sqrt(float(joint @ (np.arange(joint.size) - centre) ** 2)), rel=1e-9)
    for level in (0.1, 0.5, 0.95, 0.999):
        within = [joint[centre - h : centre + h + 1].sum() for h in range(200)]
        assert difference_half_width(first, second, level=level) == int(np.argmax(np.array(within) >= level))
    for gap in (1, 4):
        chances = order_chances(first, second, gap=gap)
        assert chances.wrong == pytest.approx(joint[centre + gap + 1 :].sum(), rel=1e-11)
        assert chances.tied == pytest.approx(joint[centre - gap], rel=1e-11)


def test_wide_and_far_differences_keep_their_digits() -> None:
    wide = NoiseDifference(DiscreteGaussian(rho=1e-14), DiscreteGaussian(rho=1e-14))
    assert wide.half_width(0.95) == pytest.approx(1.959964 * 1e7, rel=1e-6)
    far = NoiseDifference(Geometric(epsilon=1.0), Geometric(epsilon=1.0))
    # pmf(k) = tanh(1/2)² e^-k (k + coth 1) for equal rates
    expected = 2 * math.log(math.tanh(0.5)) - 2000 + math.log(2000 + 1 / math.tanh(1))
    assert far.log_pmf(-2000) == pytest.approx(expected, rel=1e-14)
    tiny = NoiseDifference(Geometric(epsilon=1e-9), Geometric(epsilon=2e-9))
    assert math.exp(tiny.log_tail(10**9)) == pytest.approx((4 * math.exp(-1) - math.exp(-2)) / 6, rel=1e-6)  # Laplace
    one = NoiseDifference(Geometric(epsilon=900.0), Geometric(epsilon=1.0))
    assert one.log_tail(3) == pytest.approx(float(Geometric(epsilon=1.0).log_tail(3)), rel=1e-12)


@pytest.mark.parametrize(("first", "second"), PAIRS[:5])
def test_a_share_against_draws_of_both_noises(first: Any, second: Any) -> None:
    part, whole, draws = 60, 240, 400_000
    published = (part + first.simulate_noise(draws, seed=1)) / (whole + second.simulate_noise(draws, seed=2))
    off = np.abs(published - part / whole)
    h = share_half_width(part, whole, part_noise=first, whole_noise=second)
    assert (off <= h * (1 + 1e-9)).mean() >= 0.95 - 0.002
    assert (off < h * (1 - 1e-9)).mean() < 0.95 + 0.002


def test_a_share_of_a_public_whole_or_of_one_too_noisy() -> None:
    noise = Geometric(epsilon=0.3)
    assert share_half_width(40, 200, part_noise=noise) == 10 / 200
    assert math.isinf(share_half_width(1, 2, part_noise=noise, whole_noise=Geometric(epsilon=0.1)))
    exact = DiscreteGaussian(rho=50.0)
    assert share_half_width(3, 7, part_noise=exact, whole_noise=exact) == 0
    nearly = share_half_width(40, 200, part_noise=noise, whole_noise=Geometric(epsilon=60.0))
    assert nearly == pytest.approx(10 / 200, rel=1e-9)


SMOOTH = [
    (Laplace(epsilon=0.3), Laplace(epsilon=0.3)),
    (Laplace(epsilon=0.3), Laplace(epsilon=0.3000001)),
    (Laplace(epsilon=5.0), Laplace(epsilon=0.05)),
    (Gaussian(rho=0.05), Gaussian(rho=0.02)),
]


@pytest.mark.parametrize(("first", "second"), SMOOTH)
def test_the_difference_of_noises_with_a_density_against_quadrature(first: Any, second: Any) -> None:
    law = NoiseDifference(first, second)
    for t in (-20.0, -0.5, 0.0, 0.5, 3.0, 40.0):
        kinks = sorted({-600.0, -40.0, -t, 0.0, 40.0, 600.0})
        expected = math.fsum(
            quad(lambda v, t=t: math.exp(second.log_pdf(v)) * float(first.tail(t + v)), a, b, limit=300)[0]  # type: ignore[misc]
            for a, b in itertools.pairwise(kinks)
        )
        assert math.exp(law.log_tail(t)) == pytest.approx(expected, rel=1e-7)
    assert np.exp(law.log_tail([-2.0, 2.0])).sum() == pytest.approx(1)
    assert law.std == pytest.approx(math.hypot(first.std, second.std))
    for level in (0.1, 0.95):
        h = difference_half_width(first, second, level=level)
        assert 1 - 2 * math.exp(law.log_tail(h)) == pytest.approx(level, abs=1e-12)
    chances = order_chances(first, second, gap=4)
    assert (chances.wrong, chances.tied) == (pytest.approx(math.exp(law.log_tail(4.0))), 0)
    assert law.log_pmf(3) == -math.inf


@pytest.mark.parametrize(("first", "second"), SMOOTH[1:])
def test_a_share_with_noise_that_has_a_density_against_draws(first: Any, second: Any) -> None:
    part, whole, draws = 60, 240, 200_000
    published = (part + first.simulate_noise(draws, seed=1)) / (whole + second.simulate_noise(draws, seed=2))
    h = share_half_width(part, whole, part_noise=first, whole_noise=second)
    assert (np.abs(published - part / whole) <= h).mean() == pytest.approx(0.95, abs=0.0025)


def test_a_share_with_noise_that_has_a_density_at_its_ends() -> None:
    noise = Laplace(epsilon=0.3)
    assert share_half_width(40, 200, part_noise=noise) == pytest.approx(noise.half_width(0.95) / 200)
    risky = Laplace(epsilon=0.2)  # the whole of 20 is published as 0 or less in 9 of 1,000
    h = share_half_width(4, 20, part_noise=noise, whole_noise=risky, level=0.9)
    step = 1e-3
    off = np.arange(-20, 220, step) + step / 2
    inside = noise.cdf(0.2 * off + h * (20 + off)) - noise.cdf(0.2 * off - h * (20 + off))
    assert float(np.exp(risky.log_pdf(off)) @ inside) * step == pytest.approx(0.9, abs=1e-7)
    sharp = share_half_width(40, 200, part_noise=noise, whole_noise=Laplace(epsilon=600.0))
    assert sharp == pytest.approx(noise.half_width(0.95) / 200, rel=1e-5)
    assert math.isinf(share_half_width(4, 20, part_noise=noise, whole_noise=Laplace(epsilon=0.02)))
    # all of the whole: the published share is off by (n1 - n2)/(n + n2); its law at level 1/2 by its definition
    whole = Gaussian(rho=0.05)
    h = share_half_width(200, 200, part_noise=whole, whole_noise=whole, level=0.5)
    std = whole.std

    def outside(side: float) -> float:  # P[side (n1 - n2) > h (200 + n2)], a normal law
        return float(norm.sf(h * 200 / std / math.hypot(1, 1 + side * h)))

    assert outside(1) + outside(-1) == pytest.approx(0.5, abs=1e-8)


# ---- the range of a share that published counts leave open ----------------------------------------------------------


def _left_open(part: int, whole: int, first: Any, second: Any, level: float, shares: np.ndarray) -> np.ndarray:
    """Which shares both noises do not refuse: a sum over all pairs of noises, one share at a time."""
    z = np.arange(-60, 61)
    mass = np.exp(first.log_pmf(z))[:, None] * np.exp(second.log_pmf(z))[None]
    found = []
    for share in shares:
        far = np.abs(z[:, None] - share * z[None]) >= abs(part - share * whole) - 1e-9
        found.append(float(mass[far].sum()) > 1 - level)
    return np.array(found)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Geometric(epsilon=0.8), Geometric(epsilon=0.5)),
        (DiscreteGaussian(rho=0.2), DiscreteGaussian(rho=0.05)),
        (DiscreteGaussian(rho=1.5), DiscreteGaussian(rho=2.5)),
    ],
)
@pytest.mark.parametrize(("part", "whole"), [(3, 14), (0, 9), (-2, 30), (11, 10), (2, -1)])
def test_the_range_of_a_share_is_what_no_test_refuses(first: Any, second: Any, part: int, whole: int) -> None:
    shares = np.linspace(0, 1, 401)
    for level in (0.5, 0.95):
        is_open = _left_open(part, whole, first, second, level, shares)
        low, high = share_range(part, whole, part_noise=first, whole_noise=second, level=level)
        if is_open.any():
            found = shares[is_open]
            assert found[0] - 1 / 400 < low <= found[0]
            assert found[-1] <= high < found[-1] + 1 / 400
        else:
            assert high - low < 1 / 400


def test_the_range_of_a_share_with_normal_noise_is_fiellers() -> None:
    first, second, part, whole = Gaussian(rho=0.02), Gaussian(rho=0.005), 61.5, 240.25
    z2 = float(norm.isf(0.05)) ** 2
    a, b, c = whole**2 - z2 * second.variance, part * whole, part**2 - z2 * first.variance
    expected = [(b + side * math.sqrt(b * b - a * c)) / a for side in (-1, 1)]
    found = share_range(part, whole, part_noise=first, whole_noise=second, level=0.9)
    assert found == pytest.approx(expected, abs=1e-6)


def test_the_range_of_a_share_with_laplace_noise_ends_where_the_difference_has_its_level() -> None:
    first, second = Laplace(epsilon=0.3), Laplace(epsilon=0.1)
    low, high = share_range(40, 200, part_noise=first, whole_noise=second)
    assert low < 0.2 < high
    for share in (low, high):
        law = NoiseDifference(first, Laplace.from_scale(share * second.scale))
        assert 2 * math.exp(law.log_tail(abs(40 - share * 200))) == pytest.approx(0.05, abs=1e-5)
    none = share_range(2, 200, part_noise=first, whole_noise=second)
    assert none.low == 0  # 2 is well within the noise of nobody
    few = share_range(12, 200, part_noise=first, whole_noise=Laplace(epsilon=50.0))
    assert few == pytest.approx(((12 - first.half_width(0.95)) / 200, (12 + first.half_width(0.95)) / 200), rel=1e-3)


def test_the_range_of_a_share_of_a_public_whole_stays_within_none_and_all() -> None:
    noise = Geometric(epsilon=0.3)
    assert share_range(40, 200, part_noise=noise) == (0.15, 0.25)
    assert share_range(4, 200, part_noise=noise) == (0.0, 14 / 200)
    assert share_range(199, 200, part_noise=noise) == (189 / 200, 1.0)


def test_where_no_share_is_left_open_the_end_that_fits_better_is_told() -> None:
    """A whole published as -1 beside a part of 40: all of the whole is off by 41, but with the noise of both."""
    first, second = Geometric(epsilon=0.8), Geometric(epsilon=0.5)
    assert share_range(40, -1, part_noise=first, whole_noise=second) == (1.0, 1.0)
    assert share_range(-40, -30, part_noise=first, whole_noise=second) == (1.0, 1.0)
    assert share_range(-40, 1, part_noise=first, whole_noise=second) == (0.0, 0.0)


@each(
    "call, text",
    [
        (lambda: share_range(1.5, 2, part_noise=PAIRS[0][0]), "published_part must be a whole number; got 1.5"),
        (
            lambda: share_range(1, 2.5, part_noise=PAIRS[0][0], whole_noise=PAIRS[0][0]),
            "published_whole must be a whole number; got 2.5",
        ),
        (lambda: share_range(1, 0, part_noise=PAIRS[0][0]), "published_whole must be at least 1 and finite; got 0"),
        (
            lambda: share_range(1, 2, part_noise=PAIRS[0][0], whole_noise=Laplace(epsilon=1)),
            "whole_noise must be of the part's kind; got Laplace",
        ),
        (
            lambda: share_range(1, 2, part_noise=Geometric(epsilon=1e-5)),
            "part_noise must have a standard deviation of at most 10000; got 141421",
        ),
        (lambda: share_range(1, 2, part_noise=PAIRS[0][0], level=1.0), r"level must lie in \[0.01, 1\); got 1.0"),
        (
            lambda: NoiseDifference(Geometric(epsilon=1), DiscreteGaussian(rho=1)),
            r"first and second must be noise of one kind; got Geometric\(.*\) and DiscreteGaussian\(",
        ),
        (lambda: NoiseDifference(Laplace(epsilon=1), Gaussian(rho=1)), "first and second must be noise of one kind"),
        (lambda: NoiseDifference("none", "none"), "first and second must be noise of one kind; got 'none'"),  # type: ignore[arg-type]
        (lambda: NoiseDifference(*SMOOTH[0]).half_width(0.0), r"level must lie in \[0.01, 1\); got 0.0"),
        (lambda: NoiseDifference(*PAIRS[0]).log_pmf(0.5), "value must be a whole number; got 0.5"),
        (lambda: NoiseDifference(*PAIRS[0]).half_width(1.0), r"level must lie in \[0.01, 1\); got 1.0"),
        (lambda: order_chances(*PAIRS[0], gap=0), "gap must be a whole number of at least 1; got 0"),
        (lambda: share_half_width(9, 8, part_noise=PAIRS[0][0]), "part must be a whole number from 0 to 8; got 9"),
        (lambda: share_half_width(0, 0, part_noise=PAIRS[0][0]), "whole must be a whole number from 1 to"),
        (
            lambda: share_half_width(1, 2, part_noise=0.5),  # type: ignore[arg-type]
            "part_noise must be additive noise such as Geometric\\(epsilon=1.0\\); got 0.5",
        ),
        (
            lambda: share_half_width(1, 2, part_noise=Geometric(epsilon=1e-5)),
            "part_noise must have a standard deviation of at most 10000; got 141421",
        ),
        (
            lambda: share_half_width(1, 2, part_noise=Geometric(epsilon=1), whole_noise=DiscreteGaussian(rho=1)),
            "whole_noise must be of the part's kind; got DiscreteGaussian",
        ),
    ],
)
def test_what_readings_refuse(call: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        call()


ONE = Publication((CountTable(),), ADD)


@each(
    "ask, text",
    [
        (lambda: ledger(3, [1]), "publication must be a publication such as"),
        (lambda: guarantee_of_unit(3, [1]), "publication must be a publication such as"),
        (lambda: steps_of_secret(3, PRESENCE), "publication must be a publication such as"),
        (lambda: allocate(3, 1), "publication must be a publication such as"),
        (lambda: frontier(3, [1]), "publication must be a publication such as"),
        (lambda: total_for_wishes(3), "publication must be a publication such as"),
        (lambda: publication_errors(3, [1]), "publication must be a publication such as"),
        (lambda: guarantee_of_secret(ONE, [1], 3), "promise must be a promise such as"),
        (lambda: ledger(ONE, 1), "budgets must hold one number for each row (1); got 1"),
        (lambda: publication_errors(ONE, 1), "budgets must hold one number for each row (1); got 1"),
        (lambda: Publication(3, ADD), "rows must be tables such as (CountTable(),); got 3"),
        (lambda: Publication(CountTable(), ADD), "rows must be tables such as (CountTable(),); got CountTable("),
        (lambda: range_error(0.5, "laplace", sensitivity=[1, 2]), "sensitivity must be "),
        (
            lambda: least_stretch(noise=3, half_widths=[1], times=[1], sensitivity=[1], total=1),
            "noise must be one of ",
        ),
    ],
)
def test_what_is_no_publication_or_no_list_is_refused(ask: Any, text: str) -> None:
    with pytest.raises(Refused, match=re.escape(text)):
        ask()
