"""Wrong sides, orders, ranks, medians and means of a list, held to sums over all noises of three counts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from dpcore.accuracy import wrong_side_probability
from dpcore.errors import Code, Refused
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from dpcore.publication import (
    clamping_biases,
    difference_half_width,
    errors_beyond,
    mean_half_width,
    median_half_width,
    negative_counts,
    order_chances,
    rank_law,
    wrong_orders,
    wrong_sides,
)
from tests.each import each

WHOLE: list[Any] = [
    Geometric(epsilon=1.1),
    DiscreteGaussian(rho=0.3),
    DiscreteGaussian(rho=0.08),
    DiscreteGaussian(rho=1.5),
]
SMOOTH: list[Any] = [Laplace(epsilon=0.7), Gaussian(rho=0.2)]
COUNTS = np.array([4, 9, 7])
REACH = np.arange(-32, 33)


def _all_noises(noise: Any) -> tuple[np.ndarray, np.ndarray]:
    """All published lists of three counts, and their probabilities."""
    mass = np.exp(noise.log_pmf(REACH))
    published = np.stack([grid.ravel() for grid in np.meshgrid(*(count + REACH for count in COUNTS), indexing="ij")])
    return published, np.einsum("i,j,k->ijk", mass, mass, mass).ravel()


# ---- far off, and below zero ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("noise", WHOLE)
def test_far_off_and_negative_counts_are_those_of_all_noises(noise: Any) -> None:
    published, mass = _all_noises(noise)
    found = errors_beyond(3, mechanism=noise, more_than=1)
    off = (np.abs(published - COUNTS[:, None]) > 1).sum(axis=0)
    assert found.law == pytest.approx([mass[off == k].sum() for k in range(4)], rel=1e-9)
    low, high = found.central_range(0.8)
    assert low == max(k for k in range(4) if mass[off < k].sum() <= 0.1 + 1e-12)
    assert high == min(k for k in range(4) if mass[off > k].sum() <= 0.1 + 1e-12)
    small = COUNTS - 4  # 0, 5, 3
    shifted = published - 4
    below = negative_counts(small, mechanism=noise)
    assert below.law == pytest.approx([mass[(shifted < 0).sum(axis=0) == k].sum() for k in range(4)], rel=1e-9)
    raised = (np.maximum(shifted, 0) * mass).sum(axis=1) - small
    assert clamping_biases(small, mechanism=noise) == pytest.approx(raised, rel=1e-7, abs=1e-12)


@pytest.mark.parametrize("noise", SMOOTH)
def test_continuous_noise_is_rounded_before_it_is_far_off_or_below_zero(noise: Any) -> None:
    value = np.arange(-400, 401)
    mass = np.asarray(noise.cdf(value + 0.5)) - np.asarray(noise.cdf(value - 0.5))
    assert errors_beyond(1, mechanism=noise, more_than=2).expected == pytest.approx(
        mass[np.abs(value) > 2].sum(), rel=1e-9
    )
    assert negative_counts([3], mechanism=noise).expected == pytest.approx(mass[value < -3].sum(), rel=1e-9)
    raised = [float((np.maximum(count + value, 0) * mass).sum()) - count for count in (0, 1, 6)]
    assert clamping_biases([0, 1, 6], mechanism=noise) == pytest.approx(raised, rel=1e-7)


def test_a_small_count_far_out_in_the_tail_is_raised_by_next_to_nothing() -> None:
    """P[Z <= -1000] of a σ of 1.5 is 0 in a float; of a Laplace scale of 100 the sum is e^-10 and something."""
    assert clamping_biases([1000, 0], mechanism=DiscreteGaussian(rho=0.2))[0] == 0
    noise = Laplace.from_scale(100.0)
    assert clamping_biases([1000], mechanism=noise)[0] == pytest.approx(
        math.fsum(0.5 * math.exp(-(1000.5 + j) / 100) for j in range(6000)), rel=1e-12
    )


# ---- wrong sides ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("noise", WHOLE)
def test_the_number_on_the_wrong_side_is_that_of_all_noises(noise: Any) -> None:
    targets = np.array([5, 8, 7])
    published, mass = _all_noises(noise)
    wrong = ((published <= targets[:, None]) != (targets >= COUNTS)[:, None]).sum(axis=0)
    found = wrong_sides(COUNTS, targets, mechanism=noise)
    assert found.law == pytest.approx([mass[wrong == k].sum() for k in range(4)], rel=1e-9)
    assert found.expected == pytest.approx(float(mass @ wrong), rel=1e-9)
    assert found.none_wrong == found.law[0]
    for level in (0.1, 0.5, 0.9, 0.999):
        assert found.upper(level) == min(k for k in range(4) if found.law[: k + 1].sum() >= level - 1e-12)


@pytest.mark.parametrize("noise", [*WHOLE, *SMOOTH])
def test_one_target_and_one_noise_stand_for_all_districts(noise: Any) -> None:
    once = wrong_sides(COUNTS, 7, mechanism=noise)
    each = wrong_sides(COUNTS, [7, 7, 7], mechanism=[noise] * 3)
    assert np.array_equal(once.law, each.law)
    assert once.chances.tolist() == [wrong_side_probability(noise, excess=excess) for excess in (-3, 2, 0)]
    mixed = wrong_sides(COUNTS, 7, mechanism=[noise, Geometric(epsilon=1.0), noise])
    assert mixed.chances[1] == wrong_side_probability(Geometric(epsilon=1.0), excess=2)


def test_many_districts_have_a_law_that_adds_up() -> None:
    rng = np.random.default_rng(5)
    counts = rng.poisson(30, 412)
    found = wrong_sides(counts, 33, mechanism=Geometric(epsilon=0.4))
    assert found.law.sum() == pytest.approx(1)
    assert found.law @ np.arange(413) == pytest.approx(found.expected)
    variance = float(found.law @ (np.arange(413) - found.expected) ** 2)
    assert variance == pytest.approx(float(found.chances @ (1 - found.chances)))


# ---- orders and ranks -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("noise", WHOLE)
def test_orders_and_ranks_are_those_of_all_noises(noise: Any) -> None:
    published, mass = _all_noises(noise)
    wrong = sum((published[a] > published[b]).astype(float) for a, b in ((0, 1), (0, 2), (2, 1)))
    tied = sum((published[a] == published[b]).astype(float) for a, b in ((0, 1), (0, 2), (2, 1)))
    found = wrong_orders(COUNTS, mechanism=noise)
    assert (found.pairs, found.wrong, found.tied) == (
        3,
        pytest.approx(float(mass @ wrong), rel=1e-9),
        pytest.approx(float(mass @ tied), rel=1e-9),
    )
    for place in range(3):
        rank = 1 + (published > published[place]).sum(axis=0)
        expected = [mass[rank == r].sum() for r in (1, 2, 3)]
        assert rank_law(COUNTS, place, mechanism=noise) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("noise", SMOOTH)
def test_ranks_of_counts_with_a_density_against_draws_and_pairs(noise: Any) -> None:
    draws = COUNTS[:, None] + noise.simulate_noise((3, 100_000), seed=11)
    for place in range(3):
        law = rank_law(COUNTS, place, mechanism=noise)
        assert law.sum() == pytest.approx(1, abs=1e-10)
        rank = 1 + (draws > draws[place]).sum(axis=0)
        assert law == pytest.approx([(rank == r).mean() for r in (1, 2, 3)], abs=0.006)
    two = rank_law([9, 4], 1, mechanism=noise)
    assert two[0] == pytest.approx(order_chances(noise, noise, gap=5).wrong, rel=1e-9)
    found = wrong_orders(COUNTS, mechanism=noise)
    gaps = [order_chances(noise, noise, gap=gap).wrong for gap in (5, 3, 2)]
    assert (found.wrong, found.tied) == (pytest.approx(math.fsum(gaps)), 0)


def test_equal_counts_have_no_order_and_share_their_ranks() -> None:
    found = wrong_orders([5, 5, 5], mechanism=Geometric(epsilon=1.0))
    assert (found.pairs, found.wrong, found.tied) == (0, 0, 0)
    assert wrong_orders([5, 5, 6], mechanism=Laplace(epsilon=1.0)).pairs == 2
    assert rank_law([5] * 4, 2, mechanism=Gaussian(rho=1.0)) == pytest.approx([0.25] * 4)
    assert rank_law([5], 0, mechanism=Gaussian(rho=1.0)) == pytest.approx([1.0])
    sure = rank_law([5, 900, -70], 0, mechanism=Laplace(epsilon=2.0))
    assert sure == pytest.approx([0, 1, 0], abs=1e-12)


# ---- medians and means ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("noise", WHOLE)
@pytest.mark.parametrize("level", [0.3, 0.95])
def test_ranges_of_median_and_mean_are_those_of_all_noises(noise: Any, level: float) -> None:
    published, mass = _all_noises(noise)
    off = np.abs(np.median(published, axis=0) - 7)
    h = median_half_width(COUNTS, mechanism=noise, level=level)
    assert mass[off <= h].sum() >= level > mass[off <= h - 1].sum()
    off_mean = np.abs(published.sum(axis=0) - 20)
    h_sum = round(3 * mean_half_width(3, mechanism=noise, level=level))
    assert mass[off_mean <= h_sum].sum() >= level > mass[off_mean <= h_sum - 1].sum()


@pytest.mark.parametrize("noise", [*WHOLE, *SMOOTH])
def test_the_mean_of_two_is_half_their_difference(noise: Any) -> None:
    for level in (0.2, 0.95, 0.999):
        expected = difference_half_width(noise, noise, level=level) / 2
        assert mean_half_width(2, mechanism=noise, level=level) == pytest.approx(expected, rel=1e-9)
        assert mean_half_width(1, mechanism=noise, level=level) == pytest.approx(noise.half_width(level), rel=1e-9)


@pytest.mark.parametrize("terms", [3, 40])
def test_the_mean_of_laplace_counts_inverts_its_characteristic_function(terms: int) -> None:
    noise = Laplace(epsilon=0.5)
    h = terms * mean_half_width(terms, mechanism=noise, level=0.9)
    within = quad(lambda t: 2 / math.pi * math.sin(h * t) / t / (1 + (2 * t) ** 2) ** terms, 0, 40, limit=2000)[0]
    assert within == pytest.approx(0.9, abs=1e-8)


def test_the_mean_of_many_whole_counts_is_nearly_normal() -> None:
    noise = Geometric(epsilon=0.05)
    expected = 1.959964 * noise.std / math.sqrt(2000)
    assert mean_half_width(2000, mechanism=noise) == pytest.approx(expected, rel=2e-3)
    wide = DiscreteGaussian(rho=1e-9)
    assert mean_half_width(9, mechanism=wide) == pytest.approx(1.959964 * wide.sigma / 3, rel=1e-4)


def test_medians_of_normal_counts_follow_their_order_statistics() -> None:
    noise = Gaussian(rho=0.02)

    def within(h: float, n: int, rank: int) -> float:  # of equal counts: P[at least rank of n below], a binomial tail
        def below(p: float) -> float:
            return math.fsum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(rank, n + 1))

        return below(float(norm.cdf(h / 5))) - below(float(norm.cdf(-h / 5)))

    for n in (1, 4, 7):
        h = median_half_width([12] * n, mechanism=noise, level=0.9)
        assert within(h, n, (n + 1) // 2) == pytest.approx(0.9, abs=1e-9)
    h = median_half_width([0, 3, 10_000, 10_000], mechanism=noise, level=0.9)  # the larger of the lower two
    lower = [float(norm.cdf((3 + side * h) / 5) * norm.cdf(side * h / 5)) for side in (1, -1)]
    assert lower[0] - lower[1] == pytest.approx(0.9, abs=1e-9)
    far = median_half_width([-10_000, 12, 10_000], mechanism=noise, level=0.9)  # only the middle count matters
    assert far == pytest.approx(noise.half_width(0.9), rel=1e-9)


@each(
    "call, text, code",
    [
        (
            lambda: wrong_sides([], 3, mechanism=WHOLE[0]),
            "counts must be a list of 1 to 5000 whole numbers; got 0",
            Code.WRONG_SHAPE,
        ),
        (lambda: wrong_sides([1.5], 3, mechanism=WHOLE[0]), "counts must be whole numbers; got 1.5", Code.NOT_WHOLE),
        (lambda: wrong_sides([1], 3.5, mechanism=WHOLE[0]), "targets must be whole numbers; got 3.5", Code.NOT_WHOLE),
        (
            lambda: wrong_sides([1, 2, 3], [3, 4], mechanism=WHOLE[0]),
            "targets must hold one number, or one for each district (3); got 2",
            Code.WRONG_SHAPE,
        ),
        (
            lambda: wrong_sides([1, 2, 3], 3, mechanism=WHOLE[:2]),
            "mechanism must be one, or one for each district (3); got 2",
            Code.WRONG_SHAPE,
        ),
        (
            lambda: clamping_biases([3, -2], mechanism=WHOLE[0]),
            "counts must be at least 0; got -2",
            Code.OUT_OF_RANGE,
        ),
        (
            lambda: errors_beyond(3, mechanism=WHOLE[0], more_than=-1),
            "more_than must be a whole number of at least 0; got -1",
            Code.OUT_OF_RANGE,
        ),
        (
            lambda: errors_beyond(0, mechanism=WHOLE[0], more_than=1),
            "counts must be a whole number from 1 to 5000; got 0",
            Code.OUT_OF_RANGE,
        ),
        (
            lambda: wrong_sides([1, 2], 3, mechanism=1.0),  # type: ignore[arg-type]
            "mechanism must be additive noise such as Geometric(epsilon=1.0); got 1.0",
            Code.UNSUPPORTED,
        ),
        (
            lambda: wrong_orders([1, 2], mechanism="laplace"),  # type: ignore[arg-type]
            "mechanism must be additive noise such as Geometric(epsilon=1.0); got 'laplace'",
            Code.UNSUPPORTED,
        ),
        (
            lambda: wrong_sides([1], 3, mechanism=WHOLE[0]).upper(1.0),
            "level must lie in [0.01, 1); got 1.0",
            Code.OUT_OF_RANGE,
        ),
        (
            lambda: rank_law([1, 2], 2, mechanism=WHOLE[0]),
            "place must be a whole number from 0 to 1; got 2",
            Code.OUT_OF_RANGE,
        ),
        (
            lambda: rank_law(range(501), 2, mechanism=WHOLE[0]),  # type: ignore[arg-type]
            "counts must be a list of 1 to 500 whole numbers; got 501",
            Code.WRONG_SHAPE,
        ),
        (
            lambda: rank_law(np.arange(300), 2, mechanism=Geometric(epsilon=1e-4)),
            "counts and mechanism must need at most 2e+09 steps; got",
            Code.TOO_LARGE,
        ),
        (
            lambda: mean_half_width(0, mechanism=WHOLE[0]),
            "counts must be a whole number from 1 to 5000; got 0",
            Code.OUT_OF_RANGE,
        ),
        (
            lambda: mean_half_width(5, mechanism=WHOLE[0], level=0.9999999),
            "level must lie in [0.01, 0.999999]; got 0.9999999",
            Code.OUT_OF_RANGE,
        ),
        (
            lambda: mean_half_width(5000, mechanism=Geometric(epsilon=1e-4)),
            "counts and mechanism must sum to at most 8388608 values; got",
            Code.TOO_LARGE,
        ),
        (
            lambda: median_half_width([1, 2, 3], mechanism=WHOLE[0], level=0.0),
            "level must lie in [0.01, 1); got 0.0",
            Code.OUT_OF_RANGE,
        ),
    ],
)
def test_what_is_refused(call: Any, text: str, code: Code) -> None:
    with pytest.raises(Refused) as refusal:
        call()
    assert str(refusal.value).startswith(text)
    assert refusal.value.code is code


@each("count", [0, 7, 10**9, 10**15])
def test_the_median_of_one_count_has_its_range_however_large_it_is(count: int) -> None:
    for epsilon in (1.0, 5.0):
        expected = -math.log(0.05) / epsilon
        assert median_half_width([count], mechanism=Laplace(epsilon=epsilon)) == pytest.approx(expected, rel=1e-10)


@each("epsilon", [1e-8, 1e-16])
def test_noise_too_wide_for_a_rank_is_refused_before_it_is_listed(epsilon: float) -> None:
    with pytest.raises(Refused, match="counts and mechanism must need at most 2e\\+09 steps"):
        rank_law([5, 6], 0, mechanism=Geometric(epsilon=epsilon))


def test_the_range_of_a_median_is_found_where_floats_have_gaps() -> None:
    assert median_half_width([5], mechanism=Geometric(epsilon=1e-16)) == pytest.approx(-math.log(0.05) * 1e16)
