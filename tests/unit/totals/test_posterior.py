"""Promises of dpcore.totals.posterior."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.special import logsumexp

from dpcore.errors import Code, Refused
from dpcore.mechanisms import DiscreteGaussian, Geometric
from dpcore.totals import (
    SampledPosterior,
    apportion_rows,
    multinomial_mode,
    posterior_from_noisy,
    posterior_from_released,
    posterior_from_released_pair,
    released_log_likelihood,
)


def test_the_posterior_given_noisy_counts_is_the_enumerated_one() -> None:
    noisy, total, budgets, own = [3, -2, 5], 9, [0.8, 1.0, 0.6], 0.7
    true = np.stack(np.meshgrid(np.arange(60), np.arange(45), np.arange(70), indexing="ij"), axis=-1).reshape(-1, 3)
    values = np.column_stack([true, true.sum(axis=1)])
    weights = np.exp(-own * np.abs(total - values[:, 3]) - np.abs(true - noisy) @ budgets)
    weights /= weights.sum()
    means, squares = weights @ values, weights @ values**2
    found = posterior_from_noisy(total, noisy, epsilon_total=own, epsilon_parts=budgets)
    assert [*found.means, found.total.mean] == pytest.approx(means, rel=1e-9)
    assert found.standard_deviations == pytest.approx(np.sqrt(squares - means**2)[:3], rel=1e-7)


@pytest.mark.parametrize("share_equally", [True, False])
@pytest.mark.parametrize("released", [(1, 0, 2), (1, 1, 1), (0, 0, 2)])
def test_the_likelihood_of_a_release_is_the_one_of_all_noisy_tables(released, share_equally: bool) -> None:
    true, budgets, own = [1, 0, 2], [1.6, 1.9, 1.7], 0.5
    noisy = np.array(list(itertools.product(range(-9, 14), repeat=3)))
    modes = apportion_rows(np.full(len(noisy), sum(released)), np.maximum(0, noisy), rule="lowest_index")
    kept = (modes == released).all(axis=1) & (share_equally | (noisy.max(axis=1) > 0))
    logs = sum(Geometric(epsilon=e).log_pmf(noisy[:, i] - true[i]) for i, e in enumerate(budgets))
    mass = float(np.exp(logs[kept]).sum())
    total = float(Geometric(epsilon=own).log_pmf(sum(released) - sum(true)))
    found = released_log_likelihood(
        released, true, epsilon_total=own, epsilon_parts=budgets, share_equally=share_equally
    )
    assert found == pytest.approx(math.log(mass) + total, abs=2e-6)


def test_the_likelihoods_of_all_releases_add_up_to_one() -> None:
    mass = sum(
        math.exp(released_log_likelihood([a, b, c], [1, 0, 1], epsilon_total=2.0, epsilon_parts=2.0))
        for a, b, c in itertools.product(range(12), repeat=3)
        if a + b + c <= 11
    )
    assert mass == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("ties", ["lowest_index", "finucan_first_index"])
@pytest.mark.parametrize("released", [(3, 5), (0, 4), (4, 0), (2, 2)])
def test_two_parts_agree_between_the_region_and_the_wedge(released, ties: str) -> None:
    found = posterior_from_released_pair(released, epsilon_total=0.9, epsilon_parts=[1.0, 0.7], ties=ties)
    pairs = [(0, 0), (3, 4), (5, 1)]
    logs = [
        released_log_likelihood(released, pair, epsilon_total=0.9, epsilon_parts=[1.0, 0.7], ties=ties)
        for pair in pairs
    ]
    wanted = [found.probability(pair) for pair in pairs]
    assert np.exp(np.diff(logs)) == pytest.approx(np.exp(np.diff(np.log(wanted))), rel=1e-6)


@pytest.mark.parametrize("noise", [Geometric(epsilon=1.0), Geometric(epsilon=2.0), DiscreteGaussian(rho=0.02)])
@pytest.mark.parametrize(("released", "true"), [((5, 5), (50, 0)), ((0, 7), (60, 1)), ((6, 2), (0, 45))])
def test_the_likelihood_of_a_release_far_from_the_truth_is_enumerated(released, true, noise) -> None:
    """Noisy tables far from both weigh, where they are no farther from the truth than the release is."""
    first, second = np.meshgrid(np.arange(-150, 351), np.arange(-150, 351), indexing="ij")
    noisy = np.column_stack([first.ravel(), second.ravel()])
    shared = apportion_rows(np.full(len(noisy), sum(released)), np.maximum(noisy, 0), rule="lowest_index")
    law = np.asarray(noise.log_pmf(noisy - true)).sum(axis=1)[(shared == released).all(axis=1)]
    wanted = logsumexp(law) + noise.log_pmf(sum(released) - sum(true))
    found = released_log_likelihood(released, true, noise_total=noise, noise_parts=noise)
    assert found == pytest.approx(wanted, abs=1e-9)


def test_the_two_block_sampler_agrees_with_the_exact_pair() -> None:
    exact = posterior_from_released_pair([3, 5], epsilon_total=1, epsilon_parts=[1, 0.7], ties="lowest_index")
    found = posterior_from_released([3, 5], epsilon_total=1, epsilon_parts=[1, 0.7], sweeps=450, seed=2)
    for law, mean, error in zip(exact.laws, found.means, found.standard_errors, strict=True):
        assert abs(law.mean - mean) < 4.5 * error
    assert found.standard_deviations == pytest.approx([math.sqrt(law.variance) for law in exact.laws], rel=0.12)
    assert (found.effective > 320).all()
    assert exact.total.mean == pytest.approx(sum(law.mean for law in exact.laws))


def enumerated(released, own: float, each: float, reach: int) -> tuple[np.ndarray, np.ndarray]:
    """Means and standard deviations of the true parts by the exact likelihood of every table near the release.

    But for tables whose total alone has less than a hundred-thousandth of the likelihood of the released one.
    """
    tables = np.array(list(itertools.product(*(range(max(0, count - reach), count + reach + 1) for count in released))))
    tables = tables[own * np.abs(tables.sum(axis=1) - sum(released)) < 11.6]
    logs = np.array(
        [released_log_likelihood(released, table, epsilon_total=own, epsilon_parts=each) for table in tables]
    )
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    means = weights @ tables
    return means, np.sqrt(weights @ tables**2 - means**2)


@pytest.mark.parametrize(
    ("released", "own", "each", "reach"),
    [((3, 5, 2), 1.0, 10.0, 6), ((1, 2, 1), 4.0, 1.2, 9), ((1, 0, 0), 0.9, 0.8, 14)],
)
def test_the_sampler_agrees_with_enumeration_where_the_total_is_the_noisier(released, own, each, reach) -> None:
    """With parts that hardly have noise only a move of the whole table along the total changes anything."""
    means, deviations = enumerated(released, own, each, reach)
    found = posterior_from_released(released, epsilon_total=own, epsilon_parts=each, sweeps=350, seed=1)
    assert (np.abs(np.array(found.means) - means) < 4 * found.standard_errors + 2e-3).all()
    assert found.standard_deviations == pytest.approx(deviations, rel=0.15, abs=0.02)
    assert found.effective.min() > 150
    assert found.r_hat < 1.06


def test_a_large_table_moves_along_its_total() -> None:
    """Version 0.1 looked 4 around each count and stood still: a total of budget 1 leaves about 1.4 people."""
    released = [435, 53, 36, 27, 18, 9, 5, 2, 1, 0]
    found = posterior_from_released(released, epsilon_total=1, epsilon_parts=10, sweeps=150, seed=1)
    totals = found.draws.sum(axis=2)
    assert totals.std() == pytest.approx(math.sqrt(2 * math.exp(-1)) / (1 - math.exp(-1)), rel=0.25)
    assert found.effective.min() > 180


def test_counts_that_nothing_can_move_are_worth_all_draws_and_chains_that_stand_apart_none() -> None:
    sharp = posterior_from_released([30, 50, 20], epsilon_total=20, epsilon_parts=20, sweeps=20, warm_up=10, seed=1)
    assert np.ptp(sharp.draws) == 30
    assert sharp.effective.tolist() == [80.0, 80.0, 80.0]
    assert sharp.r_hat == 1.0
    apart = SampledPosterior(np.repeat(np.arange(4), 20).reshape(4, 20, 1))
    assert apart.effective[0] < 10
    assert apart.r_hat == math.inf


def test_an_empty_release_says_that_the_counts_are_small() -> None:
    found = posterior_from_released_pair([0, 0], epsilon_total=1, epsilon_parts=1)
    assert found.laws[0].mean == pytest.approx(found.laws[1].mean)
    # the total alone is informative: weight a^(N1 + N2) on either count
    assert found.laws[0].mean == pytest.approx(1 / (math.e - 1), rel=1e-6)
    assert released_log_likelihood([0, 0], [1, 0], epsilon_total=1, epsilon_parts=1) == pytest.approx(
        float(Geometric(epsilon=1).log_cdf(-1))
    )
    sampled = posterior_from_released([0, 0, 0], epsilon_total=1, epsilon_parts=1, sweeps=50, seed=1)
    assert sampled.draws.min() >= 0


def test_a_long_run_can_be_stopped() -> None:
    seen: list[int] = []

    def stop_after_five(done: int, wanted: int) -> bool:
        seen.append(done)
        return done >= 5 and wanted == 100

    found = posterior_from_released(
        [3, 5, 1], epsilon_total=1, epsilon_parts=1, sweeps=100, warm_up=0, progress=stop_after_five
    )
    assert found.draws.shape == (4, 5, 3)
    assert seen == [1, 2, 3, 4, 5]


def test_probabilities_outside_the_window_are_zero() -> None:
    found = posterior_from_released_pair([3, 5], epsilon_total=1, epsilon_parts=1, window=2)
    assert found.probability([100, 5]) == 0.0
    assert found.probabilities.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda: posterior_from_released_pair([-1, 3], epsilon_total=1, epsilon_parts=1),
            "released must be at least 0 and finite; got -1",
        ),
        (
            lambda: posterior_from_released_pair([1, 3, 2], epsilon_total=1, epsilon_parts=1),
            "released must be two counts; got 3",
        ),
        (
            lambda: posterior_from_released_pair([1, 3], epsilon_total=1, epsilon_parts=1, window=0),
            "window must be a whole number of at least 1; got 0",
        ),
        (
            lambda: posterior_from_released_pair([1, 3], epsilon_total=1e-3, epsilon_parts=1e-3),
            "window must leave at most 40000000 noisy pairs",
        ),
        (
            lambda: released_log_likelihood([1, 3], [1], epsilon_total=1, epsilon_parts=1),
            "true must have one count for each released part; got 1 for 2",
        ),
        (
            lambda: released_log_likelihood(
                [1, 3, 2], [1, 3, 2], epsilon_total=1, epsilon_parts=1, ties="finucan_first_index"
            ),
            "ties must be 'lowest_index' for more than two parts",
        ),
        (
            lambda: released_log_likelihood(
                [2**27, 4], [2**27, 4], epsilon_total=1, epsilon_parts=1, ties="finucan_first_index"
            ),
            "released must stay within 67108864 with its noise; got 134217768",
        ),
        (
            lambda: released_log_likelihood(
                [1, 3], [2**25, 5], epsilon_total=1, epsilon_parts=1, ties="finucan_first_index"
            ),
            "released must stay within 67108864 with its noise; got 6710890",
        ),
        (
            lambda: posterior_from_released_pair([1, 3], epsilon_total=1, epsilon_parts=1).probability([1]),
            "pair must be two counts; got 1",
        ),
        (
            lambda: posterior_from_noisy(2**40, [5, 5], epsilon_total=1, epsilon_parts=1),
            "partial sums must take at most 536,870,912 weights",
        ),
        (
            lambda: posterior_from_noisy(3, [1], epsilon_total=1, epsilon_parts=-1),
            "epsilon_parts must be greater than 0 and finite; got -1",
        ),
        (
            lambda: posterior_from_noisy(3, [1.5], epsilon_total=1, epsilon_parts=1),
            "noisy_parts must be whole numbers; got 1.5",
        ),
        (
            lambda: posterior_from_noisy(3, [1], epsilon_total=float("inf"), epsilon_parts=1),
            "epsilon_total must be greater than 0 and finite; got inf",
        ),
        (
            lambda: posterior_from_released([1, 2], epsilon_total=1, epsilon_parts=1, sweeps=0),
            "sweeps must be a whole number of at least 1; got 0",
        ),
    ],
)
def test_bad_questions_are_refused(call, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        call()


def normal(*rhos: float) -> list[DiscreteGaussian]:
    return [DiscreteGaussian(rho=rho) for rho in rhos]


@pytest.mark.parametrize("total", [9, -4])
def test_the_posterior_given_counts_with_discrete_gaussian_noise_is_the_enumerated_one(total: int) -> None:
    """A negative noisy count does not tell the same as 0, as it does with geometric noise."""
    noisy, rhos, own = [3, -2, 5], [0.08, 0.1, 0.06], 0.07
    true = np.stack(np.meshgrid(np.arange(40), np.arange(35), np.arange(42), indexing="ij"), axis=-1).reshape(-1, 3)
    values = np.column_stack([true, true.sum(axis=1)])
    logs = -own * (total - values[:, 3]) ** 2 - (true - noisy) ** 2 @ rhos
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    means, squares = weights @ values, weights @ values**2
    found = posterior_from_noisy(total, noisy, noise_total=DiscreteGaussian(rho=own), noise_parts=normal(*rhos))
    assert [*found.means, found.total.mean] == pytest.approx(means, rel=1e-9)
    assert found.standard_deviations == pytest.approx(np.sqrt(squares - means**2)[:3], rel=1e-7)


def test_noisy_counts_far_below_zero_leave_the_counts_that_they_leave() -> None:
    """One part alone: weights exp(-rho (N + 300)^2 - rho (N + 280)^2) on N >= 0, though each is no float."""
    noise = DiscreteGaussian(rho=0.02)
    found = posterior_from_noisy(-280, [-300], noise_total=noise, noise_parts=noise)
    count = np.arange(60)
    weights = np.exp(-0.02 * (count**2 + 600 * count) - 0.02 * (count**2 + 560 * count))
    assert found.means[0] == pytest.approx(weights @ count / weights.sum(), rel=1e-9)
    with pytest.raises(Refused, match="noisy_total must be one that noisy parts like these can have") as caught:
        posterior_from_noisy(5000, [3, 4], noise_total=DiscreteGaussian(rho=2.0), noise_parts=DiscreteGaussian(rho=2.0))
    assert caught.value.code is Code.INFEASIBLE


@pytest.mark.parametrize("released", [(1, 0, 2), (1, 1, 1), (0, 0, 2), (0, 0, 0)])
def test_the_likelihood_of_a_release_with_discrete_gaussian_noise_is_the_one_of_all_noisy_tables(released) -> None:
    true, parts, own = [1, 0, 2], normal(0.5, 0.4, 0.6), DiscreteGaussian(rho=0.1)
    noisy = np.array(list(itertools.product(range(-9, 14), repeat=3)))
    modes = apportion_rows(np.full(len(noisy), sum(released)), np.maximum(0, noisy), rule="lowest_index")
    kept = (modes == released).all(axis=1)
    logs = sum(noise.log_pmf(noisy[:, i] - true[i]) for i, noise in enumerate(parts))
    gap = sum(released) - sum(true)
    total = float(own.log_pmf(gap)) if any(released) else float(own.log_cdf(gap))
    found = released_log_likelihood(released, true, noise_total=own, noise_parts=parts)
    assert found == pytest.approx(math.log(float(np.exp(logs[kept]).sum())) + total, abs=2e-6)


@pytest.mark.parametrize("released", [(3, 5), (0, 4), (0, 0)])
def test_two_parts_with_discrete_gaussian_noise_have_the_enumerated_posterior(released) -> None:
    """All pairs of true counts, each by its likelihood over all noisy pairs."""
    noises = {"noise_total": DiscreteGaussian(rho=0.15), "noise_parts": normal(0.3, 0.2)}
    found = posterior_from_released_pair(released, **noises, ties="lowest_index")
    pairs = list(itertools.product(range(16), repeat=2))
    logs = np.array([released_log_likelihood(released, pair, **noises) for pair in pairs])
    weights = np.exp(logs - logs.max())
    means = weights @ np.array(pairs) / weights.sum()
    assert [law.mean for law in found.laws] == pytest.approx(means, rel=1e-5)


@pytest.mark.parametrize("released", [(3, 5), (0, 0)])
def test_the_sampler_with_discrete_gaussian_noise_agrees_with_the_exact_pair(released) -> None:
    noises = {"noise_total": DiscreteGaussian(rho=0.15), "noise_parts": normal(0.3, 0.2)}
    exact = posterior_from_released_pair(released, **noises, ties="lowest_index")
    found = posterior_from_released(released, **noises, sweeps=400 if any(released) else 1200, seed=2)
    for law, mean, error in zip(exact.laws, found.means, found.standard_errors, strict=True):
        assert abs(law.mean - mean) < 4 * error
    assert found.standard_deviations == pytest.approx([math.sqrt(law.variance) for law in exact.laws], rel=0.12)
    assert (found.effective > 200).all()


@pytest.mark.parametrize("ties", ["finucan_first_index", "lowest_index"])
def test_true_counts_far_from_the_release_have_the_enumerated_likelihood(ties: str) -> None:
    released, true, epsilon = (1, 20), (20, 1), 4.0
    noise = Geometric(epsilon=epsilon)
    logs = [
        noise.log_pmf(first - true[0]) + noise.log_pmf(second - true[1])
        for first, second in itertools.product(range(-5, 45), repeat=2)
        if max(first, second) > 0 and multinomial_mode(21, [max(0, first), max(0, second)], ties=ties) == list(released)  # type: ignore[arg-type]
    ]
    wanted = noise.log_pmf(0) + np.logaddexp.reduce(logs)
    found = released_log_likelihood(released, true, epsilon_total=epsilon, epsilon_parts=epsilon, ties=ties)  # type: ignore[arg-type]
    assert found == pytest.approx(wanted, rel=1e-12)


def test_counts_whose_products_leave_64_bits_are_told_like_smaller_ones() -> None:
    """Only the ratio of the counts decides who gets a unit, once the counts are far above the noise."""
    near, far = (
        released_log_likelihood([2 * size, size], [2 * size, size], epsilon_total=1, epsilon_parts=1)
        for size in (2**20, 2**32)
    )
    assert far == pytest.approx(near, rel=1e-12)
    found = posterior_from_released(
        [2**33, 2**32], epsilon_total=1, epsilon_parts=1, sweeps=3, warm_up=1, chains=1, seed=1
    )
    assert np.abs(found.draws - [2**33, 2**32]).max() < 100
