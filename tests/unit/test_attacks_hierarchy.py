"""The hierarchy: the closed form against rejection sampling, direct sums and enumeration; the published chain;
refusals."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy.special import gammaln

from dpcore import studies
from dpcore.attacks import many_levels, post_processed, published_chain, siblings, two_levels
from dpcore.attacks.many_levels import Place
from dpcore.attacks.siblings import SiblingPrior, leaf_prior, sparse_prior
from dpcore.attacks.two_levels import TwoLevels
from dpcore.errors import Code, Refused
from dpcore.mechanisms import DiscreteGaussian
from dpcore.populations import census_rhos
from tests.each import each
from tests.gaussian_counts import gaussian, gaussians

RHOS = census_rhos()
CENSUS = TwoLevels(rho_block=RHOS[0], rho_group=RHOS[1], siblings=27, prior=0.5)


def direct(x1: float, x2: float, y: float, design: TwoLevels, weights: dict[int, list[float]]) -> float:
    """Bayes' rule by two nested sums; `weights[block]` are prior weights of 0, 1, ... people in the siblings."""
    total = {}
    for counted in (0, 1):
        count = design.known + counted
        fit = math.exp(-design.rho_block * (x1 - count) ** 2)
        total[counted] = sum(
            weight
            * fit
            * math.exp(-design.rho_group * (x2 - count - other) ** 2)
            * math.exp(
                -design.rho_block / design.siblings * (y - other) ** 2
                if design.noise == "approximate"
                else siblings.sum_noise_log_probability(int(y - other), terms=design.siblings, rho=design.rho_block)
            )
            for other, weight in enumerate(weights[counted])
        ) * (design.prior if counted else 1 - design.prior)
    return total[1] / (total[0] + total[1])


@pytest.mark.parametrize("released", [(2, 1, -1), (0, -6, 30), (4, 9, -20), (1, 40, 38)])
@pytest.mark.parametrize("known", [0, 3])
@pytest.mark.parametrize("rho_group", [0.02, 0.25, 3.0])
def test_the_closed_form_is_bayes_rule_under_a_flat_prior(released: tuple, known: int, rho_group: float) -> None:
    design = replace(CENSUS, prior=0.2, known=known, rho_group=rho_group)
    weights = [1.0] * 150
    expected = direct(*released, design, {0: weights, 1: weights})
    assert two_levels.posterior(*released, design=design) == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize(
    ("prior", "weights"),
    [
        (SiblingPrior("siblings", weights=(0.9, 0.07, 0.03)), {0: [0.9, 0.07, 0.03], 1: [0.9, 0.07, 0.03]}),
        (SiblingPrior("bounded", total=6), {0: [1 / 7] * 7, 1: [1 / 6] * 6}),
        (SiblingPrior("point", total=4), {0: [0, 0, 0, 0, 1.0], 1: [0, 0, 0, 1.0]}),
    ],
)
@pytest.mark.parametrize("noise", ["approximate", "exact"])
def test_every_prior_on_the_siblings_is_bayes_rule(prior: SiblingPrior, weights: dict, noise: str) -> None:
    design = replace(CENSUS, siblings=5, sibling_prior=prior, noise=noise, rho_block=0.9)
    for released in ((2, 1, -1), (0, 5, 3), (-1, 0, 7)):
        expected = direct(*released, design, weights)
        assert two_levels.posterior(*released, design=design) == pytest.approx(expected, rel=1e-10)


def test_the_exact_noise_law_is_bayes_rule_under_a_flat_prior() -> None:
    design = replace(CENSUS, siblings=5, noise="exact", rho_block=2.0, rho_group=1.5)
    expected = direct(1, 1, 2, design, {0: [1.0] * 60, 1: [1.0] * 60})
    assert two_levels.posterior(1, 1, 2, design=design) == pytest.approx(expected, rel=1e-10)


def test_rejection_sampling_of_the_joint_model_agrees_with_the_exact_posterior() -> None:
    generator = np.random.default_rng(20)
    design = TwoLevels(
        rho_block=0.6, rho_group=0.5, siblings=2, prior=0.4, sibling_prior=SiblingPrior("bounded", total=6)
    )
    draws = 1_500_000
    counted = generator.random(draws) < design.prior
    group = counted + np.floor(generator.random(draws) * (7 - counted)).astype(int)
    noise = {rho: DiscreteGaussian(rho=rho) for rho in (0.6, 0.5)}
    x1 = counted + noise[0.6].simulate_noise(draws, seed=generator)
    x2 = group + noise[0.5].simulate_noise(draws, seed=generator)
    y = (
        group
        - counted
        + noise[0.6].simulate_noise(draws, seed=generator)
        + noise[0.6].simulate_noise(draws, seed=generator)
    )
    exact_noise = replace(design, noise="exact")
    for released in ((1, 2, 1), (0, 1, 1), (2, 1, 0)):
        kept = counted[(x1 == released[0]) & (x2 == released[1]) & (y == released[2])]
        expected = two_levels.posterior(*released, design=exact_noise)
        assert kept.size > 5_000
        assert kept.mean() == pytest.approx(expected, abs=4 * math.sqrt(expected * (1 - expected) / kept.size))


def test_without_siblings_the_attack_is_uniqueness_at_two_levels() -> None:
    design = replace(CENSUS, siblings=0, prior=0.2)
    expected = gaussians(RHOS[:2], 0.2).posterior([0, 3])
    assert two_levels.posterior(0, 3, 0, design=design) == pytest.approx(expected)
    sparse = replace(CENSUS, prior=0.2, sibling_prior=SiblingPrior("siblings", weights=(1.0,)))
    assert two_levels.posterior(0, 3, 11, design=sparse) == pytest.approx(expected)


def test_average_effects_agree_with_summing_every_release() -> None:
    design = TwoLevels(rho_block=0.8, rho_group=0.6, siblings=3, prior=0.3, known=1)
    for truth in (1, 2):
        result = two_levels.effects(block=truth, group=4, design=design)
        z1, z2 = np.arange(-8, 9), np.arange(-9, 10)
        w = np.arange(-15, 16)
        p1 = DiscreteGaussian(rho=0.8).pmf(z1)
        p2 = DiscreteGaussian(rho=0.6).pmf(z2)
        one = p1
        pw = np.convolve(np.convolve(one, one), one)[24 - 15 : 24 + 16]
        grid = np.meshgrid(truth + z1, 4 + z2, 4 - truth + w, indexing="ij")
        beliefs = two_levels.posterior(*grid, design=design)
        weight = p1[:, None, None] * p2[:, None] * pw
        alone = (gaussian(0.8, 0.3, known=1).posterior(grid[0]) > 0.5 + 1e-12).astype(float)
        says = beliefs > 0.5 + 1e-12
        assert result.marginal_posterior == pytest.approx((weight * beliefs).sum(), abs=1e-9)
        assert result.decides_counted == pytest.approx((weight * says).sum(), abs=1e-9)
        assert result.switched_to_counted == pytest.approx((weight * (says & (alone == 0))).sum(), abs=1e-9)
        assert result.switched_to_not == pytest.approx((weight * (~says & (alone == 1))).sum(), abs=1e-9)
        assert result.block_only == pytest.approx((weight * alone).sum(), abs=1e-9)
        assert result.right == pytest.approx(result.decides_counted if truth == 2 else 1 - result.decides_counted)


def test_the_prior_on_the_siblings_decides_whether_the_hierarchy_helps() -> None:
    flat = two_levels.effects(block=1, group=1, design=CENSUS)
    sparse = two_levels.effects(block=1, group=1, design=replace(CENSUS, sibling_prior=sparse_prior(empty=0.99)))
    assert flat.right < flat.block_only < sparse.right
    assert sparse.right == pytest.approx(0.661, abs=5e-4)
    both_levels = gaussians(RHOS[:2], 0.5).probability_right()
    assert sparse.right == pytest.approx(both_levels, abs=1e-3)


def test_a_sweep_runs_as_a_study_with_one_digest(tmp_path: Path) -> None:
    points = [{"group": 1, "rho_group": rho, "rho_block": RHOS[0], "siblings": 27} for rho in (0.1, RHOS[1], 1.0)]
    tasks = studies.tasks_for(two_levels.sweep_point, points)
    first = studies.run(tasks, store=tmp_path / "sweep.jsonl")
    assert studies.run(tasks, store=tmp_path / "sweep.jsonl").digest == first.digest
    assert first.results[1]["right"] == two_levels.effects(block=1, group=1, design=CENSUS).right


def test_noise_too_wide_to_sum_is_refused() -> None:
    with pytest.raises(ValueError, match="rho_block and rho_group must need at most 2,000,000 combinations of noise"):
        two_levels.effects(block=1, group=1, design=replace(CENSUS, rho_block=1e-6, rho_group=1e-6))
    wide = replace(CENSUS, rho_block=1e-6, siblings=100_000, noise="exact")
    with pytest.raises(ValueError, match="siblings and rho_block must lead to at most 300,000 totals that matter"):
        two_levels.posterior(2, 1, 0, design=wide)
    with pytest.raises(ValueError, match="siblings_per_level and rhos must lead to at most 300,000 totals that matter"):
        many_levels.log_odds([2, 1], [0], rhos=[1e-4, 0.2], siblings_per_level=[100_000], noise="exact")


def test_the_decision_map_holds_the_posterior_of_each_tile() -> None:
    tiles = two_levels.decision_map(design=CENSUS)
    assert tiles.posteriors.shape == (9, 9, 61)
    assert tiles.posteriors[5, 4, 29] == two_levels.posterior(2, 1, -1, design=CENSUS)
    assert (tiles.decisions == (tiles.posteriors > 0.5 + 1e-9)).all()
    assert tiles.block_only.tolist() == [0, 0, 0, 0, 1, 1, 1, 1, 1]
    assert not tiles.ties.any()
    pointed = two_levels.decision_map(design=replace(CENSUS, sibling_prior=SiblingPrior("point", total=1)))
    assert pointed.ties.any()
    assert (pointed.decisions[pointed.ties] == 0).all()
    chain = published_chain.decision_map(design=CENSUS, group_counts=[1], sibling_sums=[-1])
    assert chain.posteriors[5, 0, 0] == pytest.approx(0.5777, abs=1e-4)


def gibbs(x1: int, x2: int, y: int, design: TwoLevels, draws: int) -> tuple[float, np.ndarray]:
    """The chain behind the printed tables, run as a chain."""
    generator = np.random.default_rng(3)
    rate = design.rho_group + design.rho_siblings
    counts = np.arange(60)
    count, seen = 0, np.zeros(60)
    ones = 0
    laws = []
    for k1 in (0, 1):
        centre = (design.rho_group * x2 + design.rho_siblings * (y + k1)) / rate
        law = np.where(counts >= k1, np.exp(-rate * (counts - centre) ** 2), 0)
        laws.append(np.cumsum(law / law.sum()))
    for _ in range(draws):
        k2 = int(np.searchsorted(laws[count], generator.random()))
        fit = [-design.rho_block * (x1 - k) ** 2 - design.rho_siblings * (y - k2 + k) ** 2 for k in (0, 1)]
        count = int(generator.random() < 1 / (1 + math.exp(fit[0] - fit[1])))
        ones += count
        seen[k2] += 1
    return ones / draws, seen / draws


def test_the_published_chain_is_where_that_chain_ends_up() -> None:
    share, law = gibbs(2, 1, -1, CENSUS, 60_000)
    assert published_chain.posterior(2, 1, -1, design=CENSUS) == pytest.approx(share, abs=0.01)
    expected = published_chain.group_posterior(range(8), 2, 1, -1, design=CENSUS)
    assert law[:8] == pytest.approx(expected, abs=0.01)
    assert abs(two_levels.posterior(2, 1, -1, design=CENSUS) - share) > 0.06


def test_the_law_of_the_group_adds_up_to_one() -> None:
    for prior in (
        SiblingPrior(),
        SiblingPrior("bounded", total=9),
        SiblingPrior("point", total=2),
        sparse_prior(empty=0.5),
    ):
        design = replace(CENSUS, sibling_prior=prior)
        assert two_levels.group_posterior(range(-3, 80), 2, 1, -1, design=design).sum() == pytest.approx(1, abs=1e-12)


def test_effective_rho_explains_why_a_sharp_group_count_does_not_help() -> None:
    assert many_levels.effective_rho([RHOS[0], 1e12], siblings=[27]) == pytest.approx(RHOS[0] * 28 / 27)
    far = two_levels.effects(block=1, group=60, design=CENSUS).marginal_posterior
    one_level = gaussian(many_levels.effective_rho(RHOS[:2], siblings=[27]), 0.5).marginal_posterior()
    assert far == pytest.approx(one_level, abs=1e-9)


@pytest.mark.parametrize("known", [0, 2])
@pytest.mark.parametrize("noise", ["approximate", "exact"])
def test_the_chain_of_levels_agrees_with_enumeration_on_tiny_trees(known: int, noise: str) -> None:
    counts, sums, rhos, numbers = [1, 2, 4], [3, -2], [0.5, 0.4, 0.7], [3, 2]
    evidence = {}
    for counted in (0, 1):
        total = 0.0
        for first, second in itertools.product(range(45), repeat=2):
            levels = [known + counted, known + counted + first, known + counted + first + second]
            log_fit = sum(-rho * (x - level) ** 2 for rho, x, level in zip(rhos, counts, levels, strict=True))
            for gap, rho, number in zip((sums[0] - first, sums[1] - second), rhos, numbers, strict=False):
                if noise == "approximate":
                    log_fit -= rho / number * gap * gap
                else:
                    log_fit += siblings.sum_noise_log_probability(gap, terms=number, rho=rho)
            total += math.exp(log_fit)
        evidence[counted] = total
    expected = math.log(evidence[1] / evidence[0]) + math.log(0.2 / 0.8)
    odds = many_levels.log_odds(
        counts, sums, rhos=rhos, siblings_per_level=numbers, prior=0.2, known=known, noise=noise
    )
    assert odds == pytest.approx(expected, abs=1e-10)


def test_the_chain_of_levels_without_siblings_is_uniqueness_at_all_levels() -> None:
    odds = many_levels.log_odds([1, 0, 3], [0, 0], rhos=[0.1, 0.2, 0.3], siblings_per_level=[0, 0], prior=0.3)
    assert odds == pytest.approx(gaussians([0.1, 0.2, 0.3], 0.3).log_odds([1, 0, 3]))
    assert many_levels.log_odds([2], [], rhos=[0.1], siblings_per_level=[]) == pytest.approx(0.3)


@pytest.mark.parametrize("counts", [(2, -500), (2, 500), (-300, 1)])
def test_the_chain_of_levels_survives_releases_that_contradict_each_other(counts: tuple[int, int]) -> None:
    odds = many_levels.log_odds(list(counts), [-1], rhos=list(RHOS[:2]), siblings_per_level=[27])
    assert odds == pytest.approx(two_levels.log_odds(*counts, -1, design=CENSUS), rel=1e-9)


def test_a_whole_tree_agrees_with_enumeration() -> None:
    sparse = (0.7, 0.2, 0.1)
    group = Place(2, rho=0.4, parts=(Place(1, rho=0.3), Place(0, rho=0.3, weights=sparse)))
    other = Place(1, rho=0.4, parts=(Place(2, rho=0.3, weights=sparse), Place(-1, rho=0.3, weights=sparse)))
    county = Place(4, rho=0.5, parts=(other, group))
    evidence = {}
    for counted in (0, 1):
        total = 0.0
        for a, b, c in itertools.product(range(3), repeat=3):
            log_fit = -0.3 * ((1 - counted) ** 2 + a**2 + (2 - b) ** 2 + (-1 - c) ** 2)
            log_fit -= 0.4 * ((2 - counted - a) ** 2 + (1 - b - c) ** 2) + 0.5 * (4 - counted - a - b - c) ** 2
            total += sparse[a] * sparse[b] * sparse[c] * math.exp(log_fit)
        evidence[counted] = total
    expected = math.log(evidence[1] / evidence[0]) + math.log(0.1 / 0.9)
    assert many_levels.tree_log_odds(county, [1, 0], prior=0.1) == pytest.approx(expected, abs=1e-12)


def test_every_sibling_count_agrees_with_the_whole_tree() -> None:
    weights = leaf_prior(mean=0.3, largest=4)
    group = Place(
        1, rho=0.25, parts=(Place(2, rho=0.1), *(Place(count, rho=0.1, weights=tuple(weights)) for count in (0, 1, -2)))
    )
    tree = many_levels.tree_log_odds(group, [0], prior=0.4)
    belief = two_levels.sibling_kernel_posterior(
        2, 1, [0, 1, -2], sibling_weights=weights, rho_block=0.1, rho_group=0.25, prior=0.4
    )
    assert math.log(belief / (1 - belief)) == pytest.approx(tree)


def test_log_space_convolution_survives_where_plain_numbers_vanish() -> None:
    left, right = np.array([0.0, -900.0, -2.0]), np.array([-800.0, 0.0])
    result = siblings.log_convolution(left, right)
    assert result == pytest.approx([-800, 0, -802, -2], abs=1e-9)


@pytest.mark.parametrize(("terms", "rho"), [(2, 0.3), (3, 5.0), (6, 1.0)])
def test_the_law_of_summed_noise_agrees_with_enumeration_far_out(terms: int, rho: float) -> None:
    noise = DiscreteGaussian(rho=rho)
    one = np.array([noise.pmf(z) for z in range(-30, 31)])
    law = one
    for _ in range(terms - 1):
        law = np.convolve(law, one)
    middle = law.size // 2
    for total in (0, 1, -2, 7, 13):
        if law[middle + total] > 1e-290:
            value = siblings.sum_noise_log_probability(total, terms=terms, rho=rho)
            assert value == pytest.approx(math.log(law[middle + total]), rel=1e-10)
    assert siblings.sum_noise_log_probability([0, 1], terms=0, rho=1.0).tolist() == [0, -math.inf]


def test_approximation_2_9_is_exact_to_rounding_for_the_census_and_bad_for_large_rho() -> None:
    assert siblings.sum_noise_error(terms=27, rho=RHOS[0]) < 1e-13
    assert siblings.sum_noise_error(terms=27, rho=5.0) == pytest.approx(0.48, abs=0.005)
    assert siblings.sum_noise_error(terms=0, rho=5.0) == 0
    assert siblings.sum_noise_error(terms=1, rho=5.0) < 1e-15


def test_post_processing_is_enumerated_with_the_right_halves() -> None:
    assert post_processed.fitted_count(1, 0, group=2, siblings=1) == 2  # 3/2
    assert post_processed.fitted_count(1, 2, group=2, siblings=1) == 0  # 1/2 goes to the even 0
    assert post_processed.fitted_count(1, 2, group=2, siblings=1, rounding="half_up") == 1
    assert post_processed.fitted_count(1, 0, group=2, siblings=1, rounding="half_down") == 1
    assert post_processed.fitted_count([5, -5], 0, group=2, siblings=3).tolist() == [2, 0]


def test_post_processing_agrees_with_a_double_loop() -> None:
    rho, number, group, prior = 0.4, 3, 4, 0.3
    own, rest = DiscreteGaussian(rho=rho), DiscreteGaussian(rho=rho / number)
    laws = np.zeros((2, group + 1))
    for counted, z, w in itertools.product((0, 1), range(-10, 11), range(-17, 18)):
        fitted = round((number * (counted + z) + group - (1 - counted + w)) / (number + 1))
        laws[counted, min(max(fitted, 0), group)] += own.pmf(z) * rest.pmf(w)
    beliefs = prior * laws[1] / (prior * laws[1] + (1 - prior) * laws[0])
    value = post_processed.marginal_posterior(group=group, rho=rho, siblings=number, prior=prior)
    assert value == pytest.approx(float(laws[1] @ beliefs), abs=1e-9)


def test_a_group_of_nobody_teaches_nothing_and_no_group_passes_the_bound() -> None:
    bound = post_processed.marginal_posterior_upper(rho=RHOS[0], siblings=27, prior=0.5)
    values = [
        post_processed.marginal_posterior(group=group, rho=RHOS[0], siblings=27, prior=0.5)
        for group in (0, 1, 2, 10, 100, 10_000)
    ]
    assert values[0] == pytest.approx(0.5, abs=1e-14)
    assert values == sorted(values)
    assert values[-1] < bound
    assert values[-1] > gaussian(RHOS[0], 0.5).marginal_posterior()


GOOD = {"rho_block": 0.1, "rho_group": 0.2, "siblings": 27, "prior": 0.5}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rho_block": -1}, "rho_block must be greater than 0 and finite; got -1"),
        ({"rho_group": math.nan}, "rho_group must be greater than 0 and finite; got nan"),
        ({"siblings": 1.5}, "siblings must be a whole number from 0 to 100000; got 1.5"),
        ({"siblings": True}, "siblings must be a whole number .* got True"),
        ({"prior": 1}, r"prior must lie in \(0, 1\); got 1"),
        ({"known": -1}, "known must be a whole number of at least 0; got -1"),
        ({"noise": "normal"}, "noise must be one of 'approximate', 'exact'; got 'normal'"),
        ({"sibling_prior": "flat"}, "sibling_prior must be a SiblingPrior; got 'flat'"),
        (
            {"known": 3, "sibling_prior": SiblingPrior("point", total=2)},
            "total must be at least the 3 known people; got 2",
        ),
    ],
)
def test_a_wrong_design_is_refused_by_name(change: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TwoLevels(**(GOOD | change))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"kind": "gamma"}, "kind must be one of 'flat', 'bounded', 'point', 'siblings'; got 'gamma'"),
        ({"kind": "point"}, "total must be a whole number from 0 to 1000000; got None"),
        ({"kind": "bounded", "total": 2.5}, "total must be a whole number from 0 to 1000000; got 2.5"),
        ({"kind": "siblings"}, r"weights must have positive mass; got \[\]"),
        ({"kind": "siblings", "weights": [0, 0]}, "weights must have positive mass"),
        ({"kind": "siblings", "weights": [1, -1]}, "weights must be at least 0 and finite; got -1"),
    ],
)
def test_a_wrong_prior_is_refused_by_name(arguments: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SiblingPrior(**arguments)


def test_other_wrong_input_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"group_count must be a whole number; got 0.1"):
        two_levels.posterior(2, 0.1, -1, design=CENSUS)
    with pytest.raises(ValueError, match="sibling_sum must be 0 without siblings; got 2"):
        two_levels.posterior(2, 1, 2, design=replace(CENSUS, siblings=0))
    with pytest.raises(ValueError, match="group must be at least the block's count 1; got 0"):
        two_levels.effects(block=1, group=0, design=CENSUS)
    with pytest.raises(ValueError, match="block must be the 0 known people or one more; got 2"):
        two_levels.effects(block=2, group=3, design=CENSUS)
    with pytest.raises(ValueError, match="group must be the block's count 1 without siblings; got 3"):
        two_levels.effects(block=1, group=3, design=replace(CENSUS, siblings=0))
    with pytest.raises(ValueError, match="sibling_prior must be 'flat', 'bounded' or 'point' for the published chain"):
        published_chain.posterior(2, 1, 0, design=replace(CENSUS, sibling_prior=sparse_prior(empty=0.5)))
    with pytest.raises(ValueError, match="siblings must have one entry per level below the top; got 0 for 2 levels"):
        many_levels.effective_rho([0.1, 0.2], siblings=[])
    with pytest.raises(
        ValueError, match="sibling_sums must have one entry per level below the top; got 0 for 2 levels"
    ):
        many_levels.log_odds([1, 2], [], rhos=[0.1, 0.2], siblings_per_level=[3])
    with pytest.raises(ValueError, match="rhos must have one entry per level; got 1 for 2 levels"):
        many_levels.log_odds([1, 2], [0], rhos=[0.1], siblings_per_level=[3])
    with pytest.raises(ValueError, match="sibling_sums must be 0 without siblings"):
        many_levels.log_odds([1, 2], [1], rhos=[0.1, 0.1], siblings_per_level=[0])
    with pytest.raises(ValueError, match=r"path must lead to a block of the tree; got \[1\]"):
        many_levels.tree_log_odds(Place(1, rho=0.1, parts=(Place(1, rho=0.1),)), [1], prior=0.5)
    with pytest.raises(ValueError, match=r"path must lead to a block of the tree; got \[\]"):
        many_levels.tree_log_odds(Place(1, rho=0.1, parts=(Place(1, rho=0.1),)), [], prior=0.5)
    with pytest.raises(ValueError, match="terms must be a whole number from 0 to 100000; got -1"):
        siblings.sum_noise_log_probability(0, terms=-1, rho=0.1)
    with pytest.raises(ValueError, match="prior must have positive mass"):
        siblings.sibling_kernel([1], rho=0.1, prior=[0.0])
    with pytest.raises(ValueError, match="prior must have one row per sibling; got 2 for 1 siblings"):
        siblings.sibling_kernel([1], rho=0.1, prior=[[1.0], [1.0]])
    with pytest.raises(ValueError, match=r"empty must lie in \[0, 1\]; got 2"):
        sparse_prior(empty=2)
    with pytest.raises(ValueError, match="mean must be greater than 0 and finite; got 0"):
        leaf_prior(mean=0)
    with pytest.raises(ValueError, match="rounding must be one of 'half_even', 'half_up', 'half_down'; got 'up'"):
        post_processed.fitted_count(1, 0, group=1, siblings=3, rounding="up")
    with pytest.raises(ValueError, match="siblings must be a whole number from 1 to 100000; got 0"):
        post_processed.marginal_posterior(group=1, rho=0.1, siblings=0, prior=0.5)


def test_the_noise_of_many_counts_is_right_where_its_probabilities_underflow() -> None:
    """With ρ = 20 and 200 counts a sum of 100 takes 100 of them off by one: the log of C(200, 100) e^(-2000)."""
    far = siblings.sum_noise_log_probability(np.array([100.0, -100.0]), terms=200, rho=20.0)
    off_by_one = gammaln(201) - 2 * gammaln(101) - 20.0 * 100 - 200 * np.log1p(2 * np.exp(-20.0))
    assert far == pytest.approx([off_by_one, off_by_one], rel=1e-9)


@each("mean, size", [(1.0, 0.2), (0.01, 0.2), (3.0, 40.0), (1.0, 1e8), (1.0, 1e13), (2.0, 1e60)])
def test_the_belief_about_a_small_place_is_negative_binomial_to_thirteen_digits(mean: float, size: float) -> None:
    with mpmath.workdps(100):
        average, shape = mpmath.mpf(mean), mpmath.mpf(size)
        weights = [mpmath.rf(shape, k) / mpmath.factorial(k) * (average / (average + shape)) ** k for k in range(9)]
        expected = [float(weight / mpmath.fsum(weights)) for weight in weights]
    assert leaf_prior(mean=mean, size=size, largest=8) == pytest.approx(expected, rel=1e-13)


def test_laws_without_mass_have_a_sum_without_mass() -> None:
    nothing, some = np.full(2, -np.inf), np.log([0.5, 0.5])
    assert siblings.log_convolution(nothing, some).tolist() == [-np.inf] * 3
    assert siblings.log_convolution(some, nothing[:1]).tolist() == [-np.inf] * 2


def test_a_path_is_taken_by_whole_numbers_of_any_kind() -> None:
    tree = Place(1, rho=0.2, parts=(Place(2, rho=0.1), Place(0, rho=0.1)))
    first = many_levels.tree_log_odds(tree, [0], prior=0.5)
    assert many_levels.tree_log_odds(tree, np.array([0]), prior=0.5) == first  # type: ignore[arg-type]


LEVELS = {"rhos": [0.1, 0.1], "siblings_per_level": [1]}
NOT_TO_BE_READ: list[tuple[Any, str, Code]] = [
    (
        lambda: published_chain.posterior(2, 1, -1, design=replace(CENSUS, sibling_prior=SiblingPrior("bounded", 0))),
        "total",
        Code.INCONSISTENT,
    ),
    (lambda: published_chain.posterior(2, 1, -1, design=replace(CENSUS, noise="exact")), "noise", Code.UNSUPPORTED),
    (lambda: published_chain.posterior(2, 1, 0, design=replace(CENSUS, siblings=0)), "siblings", Code.UNSUPPORTED),
    (lambda: SiblingPrior("bounded", total=10**9), "total", Code.OUT_OF_RANGE),
    (
        lambda: two_levels.posterior([1, 2], [1, 2, 3], 0, design=CENSUS),
        "block_count and group_count",
        Code.WRONG_SHAPE,
    ),
    (lambda: two_levels.group_posterior([0, 1], [2, 3], 1, -1, design=CENSUS), "block_count", Code.NOT_A_NUMBER),
    (lambda: published_chain.group_posterior(0, 2, [1, 2], -1, design=CENSUS), "group_count", Code.NOT_A_NUMBER),
    (lambda: many_levels.log_odds([[2, 1]], [0], **LEVELS), "counts", Code.WRONG_SHAPE),
    (lambda: many_levels.log_odds([2, 1], [[0]], **LEVELS), "sibling_sums", Code.WRONG_SHAPE),
    (lambda: many_levels.log_odds([2, 1], [0], **LEVELS, prior=[0.5, 0.4]), "prior", Code.NOT_A_NUMBER),
    (
        lambda: many_levels.log_odds([2, 1, 0], [0, 0], rhos=[1e-8] * 3, siblings_per_level=[1, 1]),
        "rhos",
        Code.TOO_LARGE,
    ),
    (lambda: many_levels.tree_log_odds(Place(1, rho=0.1), [], prior=[0.5, 0.4]), "prior", Code.NOT_A_NUMBER),
    (
        lambda: two_levels.sibling_kernel_posterior(
            1, 1, [0], sibling_weights=[1.0], rho_block=0.1, rho_group=0.2, prior=[0.5, 0.4]
        ),
        "prior",
        Code.NOT_A_NUMBER,
    ),
    *(
        (
            lambda counts=counts: two_levels.sibling_kernel_posterior(
                *counts, [0], sibling_weights=[1.0], rho_block=0.1, rho_group=0.2, prior=0.5
            ),
            name,
            Code.NOT_WHOLE,
        )
        for counts, name in (((0.5, 1), "block_count"), ((1, 0.5), "group_count"))
    ),
    (lambda: siblings.sibling_kernel([[1, 2]], rho=0.1, prior=[1.0]), "noisy_counts", Code.WRONG_SHAPE),
    (lambda: siblings.log_convolution(np.empty(0), np.zeros(1)), "left", Code.WRONG_SHAPE),
    (lambda: siblings.log_convolution(np.zeros(1), np.array([0.0, np.nan])), "right", Code.WRONG_SHAPE),
    (lambda: siblings.log_convolution(np.zeros(1), np.array([0.0, np.inf])), "right", Code.WRONG_SHAPE),
    (lambda: siblings.sum_noise_log_probability(0, terms=100, rho=1e-7), "terms and rho", Code.TOO_LARGE),
    (lambda: post_processed.fitted_count(1.2e14, -1, group=10, siblings=100_000), "block_count", Code.OUT_OF_RANGE),
    (lambda: post_processed.fitted_count(1, -2e12, group=10, siblings=3), "sibling_sum", Code.OUT_OF_RANGE),
    (lambda: post_processed.fitted_count(1, -1, group=10**8, siblings=3), "group", Code.OUT_OF_RANGE),
    (
        lambda: post_processed.fitted_count([1, 2], [1, 2, 3], group=1, siblings=3),
        "block_count and sibling_sum",
        Code.WRONG_SHAPE,
    ),
]


@each("call, name, code", NOT_TO_BE_READ)
def test_releases_and_beliefs_that_cannot_be_read_are_refused(call: Any, name: str, code: Code) -> None:
    with pytest.raises(Refused) as refused:
        call()
    assert (refused.value.name, refused.value.code) == (name, code)


def test_the_largest_counts_are_fitted_to_the_last_digit() -> None:
    top = 10**7
    for block, rest in ((10**12, 10**12), (-(10**12), 10**12), (99, 9_900_001)):
        exact = round(Fraction(100_000 * block + top - rest, 100_001))
        assert post_processed.fitted_count(block, rest, group=top, siblings=100_000) == min(max(exact, 0), top)
