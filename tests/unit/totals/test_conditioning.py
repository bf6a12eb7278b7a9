"""Promises of dpcore.totals.conditioning and of the convolutions beneath it."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from dpcore.errors import Code, Refused
from dpcore.mechanisms import DiscreteGaussian, Geometric, Laplace
from dpcore.totals import condition_on_totals
from dpcore.totals.conditioning import CellLaw


def _enumerated(true, epsilons, allowed):
    """Log-probability of the allowed tables and each cell's law, by listing tables; of epsilons, or of noises."""
    noise = [item if isinstance(item, DiscreteGaussian) else Geometric(epsilon=float(item)) for item in epsilons]
    mass, laws = 0.0, [dict() for _ in true]  # noqa: C408
    for table in itertools.product(range(sum(true) + 1), repeat=len(true)):
        if allowed(table):
            weight = math.exp(sum(float(m.log_pmf(y - s)) for m, y, s in zip(noise, table, true, strict=True)))
            mass += weight
            for law, y in zip(laws, table, strict=True):
                law[y] = law.get(y, 0.0) + weight
    return math.log(mass), [{y: w / mass for y, w in law.items()} for law in laws]


def _compare(found, wanted) -> None:
    log_mass, laws = wanted
    assert found.log_probability == pytest.approx(log_mass, rel=1e-12)
    for law, expected in zip(found.laws(), laws, strict=True):
        assert law.probabilities.sum() == pytest.approx(1)
        for value, probability in expected.items():
            assert law.probability(value) == pytest.approx(probability, rel=1e-9)


def test_the_grand_total_law_is_the_enumerated_one() -> None:
    true, epsilons = [3, 0, 4, 1], [0.3, 1.2, 0.7, 0.5]
    _compare(
        condition_on_totals(true, epsilon=epsilons), _enumerated(true, epsilons, lambda table: sum(table) == sum(true))
    )


def test_one_partition_is_the_enumerated_law() -> None:
    true, epsilons = [3, 0, 4, 1], [0.3, 1.2, 0.7, 0.5]
    found = condition_on_totals(true, epsilon=epsilons, parts=["a", "b", "b", "a"])
    _compare(found, _enumerated(true, epsilons, lambda t: t[0] + t[3] == 4 and t[1] + t[2] == 4))


@pytest.mark.parametrize("swap", [False, True])
def test_two_crossing_partitions_are_the_enumerated_law(swap: bool) -> None:
    true, epsilons = [2, 0, 1, 1, 2, 1], [0.3, 0.7, 1.0, 0.5, 0.4, 0.9]
    columns, rows = [0, 1, 2, 0, 1, 2], [0, 0, 0, 1, 1, 1]
    found = condition_on_totals(
        true, epsilon=epsilons, parts=rows if swap else columns, crossing=columns if swap else rows
    )

    def allowed(t):
        return sum(t[:3]) == 3 and all(t[j] + t[j + 3] == true[j] + true[j + 3] for j in range(3))

    _compare(found, _enumerated(true, epsilons, allowed))


def test_blocks_of_several_cells_share_one_free_number() -> None:
    true = [2, 1, 0, 1, 2]
    sex, age = [0, 0, 0, 1, 1], [0, 0, 1, 0, 1]
    found = condition_on_totals(true, epsilon=0.6, parts=age, crossing=sex)

    def allowed(t):
        return sum(t) == 6 and t[0] + t[1] + t[2] == 3 and t[2] + t[4] == 2

    wanted = _enumerated(true, [0.6] * 5, allowed)
    _compare(found, wanted)
    assert found.block_law(0, 1).mean == pytest.approx(found.law(2).mean)


def test_two_cells_without_sign_limits_have_noise_of_twice_the_budget() -> None:
    law = condition_on_totals([0, 0], epsilon=0.5, non_negative=False).law(0)
    noise = Geometric(epsilon=1.0)
    for value in (-30, -3, 0, 1, 20):
        assert law.probability(value) == pytest.approx(float(noise.pmf(value)), rel=1e-9)


@pytest.mark.parametrize("true", [[8, 6, 4, 3, 5, 8], [0, 9, 1, 7, 0, 2]], ids=["large", "near 0"])
def test_draws_follow_the_exact_law(true: list[int]) -> None:
    """Near 0 no law is symmetric: a transfer with its sign turned round would be seen."""
    table = condition_on_totals(true, epsilon=0.5, parts=[0, 1, 2] * 2, crossing=[0] * 3 + [1] * 3)
    draws = table.draw(20_000, seed=3)
    for cell, law in enumerate(table.laws()):
        assert draws[:, cell].mean() == pytest.approx(law.mean, abs=5 * math.sqrt(law.variance / 20_000))
        assert draws[:, cell].var() == pytest.approx(law.variance, rel=0.08)
    assert (table.draw(5, seed=3) == table.draw(5, seed=3)).all()


def test_wide_windows_agree_with_narrow_ones() -> None:
    # 4,000 people and a small budget: the Fourier branch of the correlations
    true = [1000, 3000, 10]
    found = condition_on_totals(true, epsilon=0.004)
    law = found.law(2)
    y = np.arange(4011)
    rest = np.array(
        [
            np.exp(-0.004 * (np.abs(np.arange(t + 1) - 1000) + np.abs(t - np.arange(t + 1) - 3000))).sum()
            for t in 4010 - y
        ]
    )
    wanted = np.exp(-0.004 * np.abs(y - 10)) * rest
    assert law.mean == pytest.approx(y @ wanted / wanted.sum(), rel=1e-9)


@pytest.mark.parametrize(("count", "epsilon"), [(1, 0.02), (3000, 0.05), (0, 0.5)])
def test_many_cells_stay_in_range(count: int, epsilon: float) -> None:
    true = [count] * 200
    table = condition_on_totals(true, epsilon=epsilon)
    laws = table.laws()
    assert math.isfinite(table.log_probability)
    # equal cells share one law, whose mean is the count
    assert laws[0].mean == pytest.approx(count, rel=1e-9, abs=1e-12)
    assert laws[199].variance == pytest.approx(laws[0].variance, rel=1e-9)
    # conditioning on the mean of the noise cannot spread it
    assert table.mean_absolute_error() <= 200 * Geometric(epsilon=epsilon).mean_absolute


def test_empty_tables_and_single_cells_are_what_they_are() -> None:
    assert condition_on_totals([0, 0, 0], epsilon=1.0).law(1).probability(0) == 1.0
    single = condition_on_totals([7], epsilon=1.0)
    assert single.law(0).variance == 0.0
    assert single.mean_absolute_error() == 0.0


def test_the_interval_leaves_no_more_than_half_of_the_rest_on_each_side() -> None:
    law = CellLaw(np.arange(5), np.array([0.04, 0.06, 0.8, 0.06, 0.04]))
    assert law.interval(0.9) == (1, 3)
    assert law.interval(0.99) == (0, 4)
    with pytest.raises(ValueError, match=r"level must lie in \(0, 1\); got 1"):
        law.interval(1)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"true": [1, -1]}, "true must be at least 0 and finite; got -1"),
        ({"true": [2.0**41]}, "true must be at most 2\\^40 in size"),
        ({"true": [1.5, 1]}, "true must be whole numbers; got 1.5"),
        ({"true": []}, "true must be a list of at least one count"),
        ({"true": [1, "a"]}, r"true must be numbers; got \[1, 'a'\]"),
        ({"true": [1], "epsilon": 0}, "epsilon must be greater than 0 and finite; got 0"),
        ({"true": [1, 2], "epsilon": [1, 1, 1]}, "epsilon must be one number or one for each of the 2 cells"),
        ({"true": [1, 2], "total": 4}, r"total must be the sum of the true counts \(3\); got 4"),
        ({"true": [1, 2], "parts": [0]}, "parts must have one label for each of the 2 cells; got 1"),
        ({"true": [1, 2], "non_negative": "yes"}, "non_negative must be True or False; got 'yes'"),
        (
            {"true": [1] * 9, "parts": [0, 1, 2] * 3, "crossing": [0] * 3 + [1] * 3 + [2] * 3},
            "crossing must leave one partition with two parts; got 3 by 3",
        ),
        ({"true": [0] * 401}, "true must have at most 400 cells; got 401"),
    ],
)
def test_bad_tables_are_refused(arguments, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        condition_on_totals(**{"epsilon": 1.0, **arguments})


def test_cells_and_blocks_outside_the_table_are_refused() -> None:
    table = condition_on_totals([1, 2], epsilon=1.0)
    with pytest.raises(ValueError, match="cell must be a whole number from 0 to 1; got 2"):
        table.law(2)
    with pytest.raises(ValueError, match="row must be a whole number from 0 to 0; got 1"):
        table.block_law(1, 0)
    with pytest.raises(ValueError, match="size must be a whole number of at least 1; got 0"):
        table.draw(0, seed=1)


NORMAL = [DiscreteGaussian(rho=rho) for rho in (0.05, 0.4, 0.1, 1.3)]


def test_a_total_of_discrete_gaussian_cells_is_the_enumerated_law() -> None:
    true = [3, 0, 4, 1]
    _compare(condition_on_totals(true, noise=NORMAL), _enumerated(true, NORMAL, lambda table: sum(table) == 8))
    parts = condition_on_totals(true, noise=NORMAL, parts=["a", "b", "b", "a"])
    _compare(parts, _enumerated(true, NORMAL, lambda t: t[0] + t[3] == 4 and t[1] + t[2] == 4))


def test_two_crossing_partitions_of_discrete_gaussian_cells_are_the_enumerated_law() -> None:
    true, noise = [2, 0, 1, 1, 2, 1], DiscreteGaussian(rho=0.2)
    found = condition_on_totals(true, noise=noise, parts=[0, 1, 2] * 2, crossing=[0] * 3 + [1] * 3)

    def allowed(t):
        return sum(t[:3]) == 3 and all(t[j] + t[j + 3] == true[j] + true[j + 3] for j in range(3))

    _compare(found, _enumerated(true, [noise] * 6, allowed))


def test_without_sign_limits_a_cell_is_its_noise_times_that_of_the_others_sum() -> None:
    """P(u) is proportional to pmf(u) times the law of the sum of nine others: far into the tails, each its digits."""
    noise = DiscreteGaussian(rho=0.02)
    table = condition_on_totals([0] * 10, noise=noise, non_negative=False)
    law, u = table.law(3), np.arange(-60.0, 61.0)
    wanted = np.exp(np.asarray(noise.log_pmf(u)) + noise.log_sum_pmf(u, 9))
    for value, probability in zip(u, wanted / wanted.sum(), strict=True):
        assert law.probability(int(value)) == pytest.approx(probability, rel=1e-9)
    assert table.log_probability == pytest.approx(float(noise.log_sum_pmf(np.array([0.0]), 10)[0]), rel=1e-9)


def test_draws_with_discrete_gaussian_noise_follow_the_exact_law() -> None:
    table = condition_on_totals([8, 0, 4], noise=DiscreteGaussian(rho=0.05))
    draws = table.draw(20_000, seed=3)
    assert (draws.sum(axis=1) == 12).all()
    assert draws.min() >= 0
    for cell, law in enumerate(table.laws()):
        assert draws[:, cell].mean() == pytest.approx(law.mean, abs=5 * math.sqrt(law.variance / 20_000))
        assert draws[:, cell].var() == pytest.approx(law.variance, rel=0.08)


def test_geometric_noise_is_the_noise_of_its_epsilon_to_the_last_digit() -> None:
    one, other = condition_on_totals([4, 1], epsilon=0.3), condition_on_totals([4, 1], noise=Geometric(epsilon=0.3))
    assert one.law(0).probabilities.tolist() == other.law(0).probabilities.tolist()
    assert one.log_probability == other.log_probability


@pytest.mark.parametrize(
    ("given", "code", "said"),
    [
        ({}, Code.INCONSISTENT, "epsilon must be given, or else a noise"),
        (
            {"epsilon": 1.0, "noise": Geometric(epsilon=1.0)},
            Code.INCONSISTENT,
            "epsilon must be given alone, or else a noise; got 1.0",
        ),
        ({"noise": Laplace(epsilon=1.0)}, Code.UNSUPPORTED, "noise must be geometric or discrete Gaussian"),
        ({"noise": [Geometric(epsilon=1.0), NORMAL[0]]}, Code.UNSUPPORTED, "the same kind for all cells"),
        ({"noise": NORMAL}, Code.WRONG_SHAPE, "noise must be one, or one for each of the 2 cells"),
    ],
)
def test_other_noise_is_refused_by_name(given, code, said) -> None:
    with pytest.raises(Refused, match=said) as caught:
        condition_on_totals([4, 1], **given)
    assert caught.value.code is code


def test_a_cell_hardly_moves_where_its_budget_is_beyond_all_floats() -> None:
    assert condition_on_totals([4, 4], epsilon=1500.0).law(0).probability(4) == 1.0


def test_a_value_is_asked_as_a_whole_number_of_either_kind() -> None:
    law = condition_on_totals([4, 4], epsilon=1.0).law(0)
    assert law.probability(4.0) == law.probability(4)  # type: ignore[arg-type]
    with pytest.raises(Refused, match="value must be a whole number"):
        law.probability(4.5)  # type: ignore[arg-type]


def test_windows_that_memory_does_not_hold_are_refused_before_they_are_filled() -> None:
    with pytest.raises(Refused, match="partial sums must take at most 536,870,912 weights") as caught:
        condition_on_totals([4, 4], epsilon=1e-9, non_negative=False)
    assert caught.value.code is Code.TOO_LARGE
