"""The exact law of one area's count: by enumeration of every possible count, against attacks and least squares."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest

from dpcore.adjustment import AreaTree, CountPosterior, LeastSquares, NoisyTable, count_posterior
from dpcore.attacks import many_levels
from dpcore.errors import Code, Refused
from dpcore.mechanisms import DiscreteGaussian, Geometric, Laplace, NoiseMechanism
from tests.each import each

LAWS: dict[str, NoiseMechanism] = {
    "geometric": Geometric(epsilon=0.7),
    "narrow geometric": Geometric(epsilon=3.0),
    "discrete Gaussian": DiscreteGaussian(rho=0.2),
    "narrow discrete Gaussian": DiscreteGaussian(rho=3.0),
}
MOST = 40  # larger counts have no weight in these small tables
STATES = AreaTree([-1, 0, 0, 1, 1, 2, 2, 2])  # two states of two and three counties


def chance(law: NoiseMechanism) -> np.ndarray:
    """Probabilities of -400 … 400, written out."""
    z = np.arange(-400, 401)
    weights = np.exp(-law.epsilon * np.abs(z)) if isinstance(law, Geometric) else np.exp(-law.rho * z**2)
    return np.asarray(weights / weights.sum())


def sum_chance(law: NoiseMechanism, terms: int) -> Callable[[int], float]:
    """Probability of a sum of noises, added one after the other."""
    found = one = chance(law)
    for _ in range(terms - 1):
        found = np.convolve(found, one)
    return lambda total: float(found[total + found.size // 2])


def table(tree: AreaTree, counts: object, totals: object = None, unpublished: tuple[int, ...] = ()) -> NoisyTable:
    variances = np.ones(np.shape(counts))
    variances[list(unpublished)] = np.inf
    return NoisyTable(tree, counts, variances=variances, totals=totals)


def assert_law(found: CountPosterior, expected: np.ndarray) -> None:
    law = np.zeros(expected.size)
    law[found.first : found.first + found.probabilities.size] = found.probabilities[: expected.size - found.first]
    assert law == pytest.approx(expected / expected.sum(), abs=1e-11)


# ---- by enumeration --------------------------------------------------------------------------------------------------


@each("name", LAWS)
@each("counts", [[20, 7, 12, -3, 9, 1, 0, 8], [2, -6, 1, -4, -5, 0, 2, -1]])
def test_a_county_has_the_law_that_counting_up_every_count_gives(name: str, counts: list[int]) -> None:
    law = LAWS[name]
    one, two, three = (sum_chance(law, terms) for terms in (1, 2, 3))
    expected = np.zeros(MOST)
    for county, rest, other in itertools.product(range(MOST), range(MOST), range(MOST)):
        state, nation = county + rest, county + rest + other
        expected[county] += (
            one(counts[3] - county)
            * one(counts[4] - rest)
            * one(counts[1] - state)
            * one(counts[2] - other)
            * three(sum(counts[5:]) - other)
            * one(counts[0] - nation)
        )
    noisy = table(STATES, [[count] for count in counts])
    assert_law(count_posterior(noisy, noise=[law] * 8, area=3), expected)
    expected = np.zeros(MOST)
    for state, other in itertools.product(range(MOST), range(MOST)):
        expected[state] += (
            one(counts[1] - state)
            * two(counts[3] + counts[4] - state)
            * one(counts[2] - other)
            * three(sum(counts[5:]) - other)
            * one(counts[0] - state - other)
        )
    found = count_posterior(noisy, noise=[law] * 8, area=1)
    assert_law(found, expected)
    assert found.unread == 0


@each("name", LAWS)
def test_exact_totals_limit_a_count_and_make_the_other_cells_tell_of_it(name: str) -> None:
    """A state of 12 people, of whom a county's girls are asked for: its boys and those beside make up the rest."""
    law, totals = LAWS[name], [np.nan, 12, np.nan, np.nan, np.nan, np.nan, np.nan, np.nan]
    girls, boys = [30, 4, 9, 5, -2, 3, 1, 2], [9, 11, 7, 8, 2, 4, 4, 1]
    one, two, three = (sum_chance(law, terms) for terms in (1, 2, 3))
    expected = np.zeros(MOST)
    for county, rest, other in itertools.product(range(MOST), range(MOST), range(MOST)):
        state = county + rest
        if state <= 12:
            expected[county] += (
                one(girls[3] - county)
                * one(girls[4] - rest)
                * one(girls[1] - state)
                * one(boys[1] - (12 - state))
                * two(boys[3] + boys[4] - (12 - state))
                * one(girls[2] - other)
                * three(sum(girls[5:]) - other)
                * one(girls[0] - state - other)
            )
    noisy = table(STATES, np.stack([girls, boys], axis=1), totals)
    assert_law(count_posterior(noisy, noise=[law] * 8, area=3, cells=[0]), expected)
    both = count_posterior(noisy, noise=[law] * 8, area=1)
    assert (both.first, both.probabilities.tolist()) == (12, [1.0])


def test_totals_of_counties_make_that_of_their_state() -> None:
    law, totals = LAWS["geometric"], [np.nan, np.nan, np.nan, 5, 4, np.nan, np.nan, np.nan]
    girls, boys = [30, 4, 9, 5, -2, 3, 1, 2], [9, 11, 7, 8, 2, 4, 4, 1]
    one, three = sum_chance(law, 1), sum_chance(law, 3)
    expected = np.zeros(MOST)
    for county, rest, other in itertools.product(range(6), range(5), range(MOST)):
        state = county + rest
        expected[county] += (
            one(girls[3] - county)
            * one(boys[3] - (5 - county))
            * one(girls[4] - rest)
            * one(boys[4] - (4 - rest))
            * one(girls[1] - state)
            * one(boys[1] - (9 - state))
            * one(girls[2] - other)
            * three(sum(girls[5:]) - other)
            * one(girls[0] - state - other)
        )
    noisy = table(STATES, np.stack([girls, boys], axis=1), totals)
    assert_law(count_posterior(noisy, noise=[law] * 8, area=3, cells=[0]), expected)


def test_an_unpublished_level_is_read_through_its_parts_and_an_only_part_is_its_area() -> None:
    law = LAWS["geometric"]
    one, three = sum_chance(law, 1), sum_chance(law, 3)
    counts = [12, 99, 99, 2, 1, 3, 1, 2]
    expected = np.zeros(MOST)
    for county, rest, other in itertools.product(range(MOST), range(MOST), range(MOST)):
        expected[county] += (
            one(counts[3] - county) * one(counts[4] - rest) * three(6 - other) * one(counts[0] - county - rest - other)
        )
    noisy = table(STATES, [[count] for count in counts], unpublished=(1, 2))
    noise = [law, None, None, *[law] * 5]
    assert_law(count_posterior(noisy, noise=noise, area=3), expected)
    alone = count_posterior(table(AreaTree([-1, 0]), [[4], [1]]), noise=[law, law], area=1)
    assert_law(alone, np.array([one(4 - count) * one(1 - count) for count in range(MOST)]))


# ---- against what is known -------------------------------------------------------------------------------------------


@each("rho", [0.05, 0.5, 2.0])
def test_it_is_the_attack_through_the_levels_with_the_flat_belief(rho: float) -> None:
    """The odds of one person more are those of `many_levels`, with any number of others who are known."""
    tree = AreaTree([-1, 0, 0, 0, 1, 1, 1, 1])
    counts, law = [9, 5, 2, -1, 3, 0, 1, -2], DiscreteGaussian(rho=rho)
    noisy = table(tree, [[count] for count in counts])
    found = count_posterior(noisy, noise=[law] * 8, area=4)
    assert found.first <= 1
    for known in range(found.first, 4):
        odds = many_levels.log_odds(
            [3, 5, 9], [-1, 1], rhos=[rho] * 3, siblings_per_level=[3, 2], known=known, noise="exact"
        )
        at = known - found.first
        assert math.log(found.probabilities[at + 1] / found.probabilities[at]) == pytest.approx(odds, abs=1e-9)


@each("name", LAWS)
def test_far_from_zero_it_is_least_squares(name: str) -> None:
    law = LAWS[name]
    rng = np.random.default_rng(3)
    counts = STATES.added_up(np.full((8, 1), 5000)) + law.simulate_noise((8, 1), seed=rng)
    noisy = NoisyTable(STATES, counts, variances=law.variance)
    fit, found = LeastSquares(noisy), count_posterior(noisy, noise=[law] * 8, area=3)
    weights = np.zeros((8, 1))
    weights[3] = 1
    off = found.mean - float(fit.counts[3, 0])
    assert abs(off) < (0.02 if isinstance(law, DiscreteGaussian) and law.rho < 1 else 0.8) * law.std
    spread = float((found.counts - found.mean) ** 2 @ found.probabilities)
    if isinstance(law, DiscreteGaussian) and law.rho < 1:
        assert spread == pytest.approx(float(fit.covariance(weights)[0, 0]), rel=1e-3)


def test_a_range_holds_the_count_of_many_areas_and_empty_parts_do_not_pull_it_up() -> None:
    """Four hundred blocks, most empty: a flat belief about each would make their sum thousands."""
    rng, law = np.random.default_rng(4), DiscreteGaussian(rho=0.005)  # a standard deviation of 10
    parents = [-1, *[0] * 20, *np.repeat(np.arange(1, 21), 20).tolist()]
    tree = AreaTree(parents)
    true = np.zeros((421, 1), dtype=int)
    true[21::50] = 40
    true = tree.added_up(true)
    held = dict.fromkeys((1, 2, 21, 22), 0)
    for _ in range(200):
        noisy = NoisyTable(tree, true + law.simulate_noise(true.shape, seed=rng), variances=law.variance)
        for area in held:
            low, high = count_posterior(noisy, noise=[law] * 421, area=area).interval(0.95)
            held[area] += low <= int(true[area, 0]) <= high
    assert min(held.values()) >= 181  # 190 expected; fewer than 181 of 200 once in 500 such tests


# ---- its ends --------------------------------------------------------------------------------------------------------


def test_the_shortest_range_is_that_of_every_range() -> None:
    law = CountPosterior(2, np.array([0.3, 0.4, 0.2, 0.07, 0.03]))
    for level in (0.2, 0.45, 0.69, 0.71, 0.92, 0.95, 0.999):
        low, high = law.interval(level)
        held = law.probabilities[low - 2 : high - 1].sum()
        shorter = [law.probabilities[at : at + high - low].sum() for at in range(5)]
        assert held >= level
        assert max(shorter) < level
    assert (law.mode, round(law.mean, 12)) == (3, 3.13)


def test_counts_that_noise_hardly_explains_still_have_a_law() -> None:
    for law in (Geometric(epsilon=2.0), DiscreteGaussian(rho=2.0)):
        noisy = table(AreaTree([-1, 0, 0]), [[3], [200], [150]])
        found = count_posterior(noisy, noise=[law] * 3, area=1)
        assert found.probabilities.sum() == pytest.approx(1)
        assert 0 <= found.first <= found.mode < 200


def test_counts_of_unequal_parts_are_left_out_and_counted() -> None:
    tree, law = AreaTree([-1, 0, 0, 1, 1, 2, 2, 3, 3]), Geometric(epsilon=1.0)
    noisy = table(tree, [[count] for count in (20, 12, 8, 7, 5, 4, 4, 3, 4)])
    assert count_posterior(noisy, noise=[law] * 9, area=5).unread == 2  # the parts of one of two counties beside
    assert count_posterior(noisy, noise=[law] * 9, area=3).unread == 0
    others = [law, law, Geometric(epsilon=0.5), *[law] * 6]
    assert count_posterior(noisy, noise=others, area=1).unread == 2


def test_unlike_areas_beside_under_an_unpublished_one_say_nothing() -> None:
    law, wide = Geometric(epsilon=1.0), Geometric(epsilon=0.5)
    noisy = table(AreaTree([-1, 0, 0, 0]), [[0], [2], [5], [6]], unpublished=(0,))
    found = count_posterior(noisy, noise=[None, law, law, wide], area=1)
    assert_law(found, np.array([sum_chance(law, 1)(2 - count) for count in range(MOST)]))
    assert found.unread == 2


@each(
    "change, text, code",
    [
        ({"noise": [Geometric(epsilon=1.0)]}, "noise must have an entry for each of the 3 areas", Code.WRONG_SHAPE),
        ({"noise": Geometric(epsilon=1.0)}, "noise must have an entry for each of the 3 areas", Code.WRONG_SHAPE),
        ({"noise": [1.0, 1.0, 1.0]}, "noise must be noise such as Geometric", Code.WRONG_TYPE),
        ({"area": 3}, "area must be a whole number from 0 to 2", Code.OUT_OF_RANGE),
        ({"cells": []}, "cells must be at least one", Code.EMPTY),
        ({"cells": [1]}, "cells must be", Code.OUT_OF_RANGE),
        ({"noise": [Laplace(epsilon=1.0)] * 3}, "mechanism must have a law of whole sums", Code.UNSUPPORTED),
        ({"noise": [None] * 3}, "area must have a published count", Code.EMPTY),
        ({"noise": [Geometric(epsilon=1e-4)] * 3}, "noise must be so narrow", Code.TOO_LARGE),
    ],
)
def test_what_cannot_be_answered_is_refused_by_name(change: dict[str, object], text: str, code: Code) -> None:
    law = Geometric(epsilon=1.0)
    chosen = {"noise": [law] * 3, "area": 1} | change
    listed = chosen["noise"] if isinstance(chosen["noise"], list) else []
    variances = next((one.variance for one in listed if isinstance(one, NoiseMechanism)), 1.0)
    noisy = NoisyTable(AreaTree([-1, 0, 0]), [[3], [2], [1]], variances=variances)
    with pytest.raises(Refused, match=text) as refused:
        count_posterior(noisy, **chosen)  # type: ignore[arg-type]
    assert refused.value.code is code


def test_counts_that_are_not_whole_are_refused() -> None:
    law = Geometric(epsilon=1.0)
    with pytest.raises(Refused, match="counts must be whole"):
        count_posterior(table(AreaTree([-1]), [[2.5]]), noise=[law], area=0)


@each(
    "fields, name",
    [
        ((-1, [1.0]), "first"),
        ((0.5, [1.0]), "first"),
        ((0, [0.4, 0.5]), "probabilities"),
        ((0, [[1.0]]), "probabilities"),
        ((0, [1.5, -0.5]), "probabilities"),
        ((0, [1.0], -1), "unread"),
    ],
)
def test_what_is_no_law_of_a_count_is_refused(fields: tuple[object, ...], name: str) -> None:
    with pytest.raises(Refused) as refused:
        CountPosterior(*fields)  # type: ignore[arg-type]
    assert refused.value.name == name
