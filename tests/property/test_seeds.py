"""Every draw of dpcore is its seed's: the same seed draws the same, another seed another. A new draw joins the list."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
import pytest

from dpcore.acs_like import acs_like
from dpcore.adjustment import AreaTree, NoisyTable, adjusted_table, bootstrap_interval_estimate
from dpcore.attacks.one_count import CountAttack
from dpcore.attacks.reconstruction import Tables, draw_tables
from dpcore.census import draw_measurements
from dpcore.errors import Refused
from dpcore.inference import ConjugatePrior, FlatPrior, NoisyMoments, Posterior, draw_noisy_moments, posterior
from dpcore.inference.coverage import draw_moments
from dpcore.inference.flat_prior import draw_flat_unconstrained
from dpcore.inference.gibbs import gibbs
from dpcore.inference.laws import TruncatedGammaMixture, draw_cut_normal, draw_mixture
from dpcore.inference.likelihood_constrained import LikelihoodConstrained, likelihood_constrained_posterior
from dpcore.inference.regression import (
    RegressionPrior,
    cirrhosis_data,
    draw_noisy_sums,
    regression_by_importance,
    regression_posterior,
)
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, RandomizedResponse
from dpcore.methods import CellKey
from dpcore.populations import synthetic_block, synthetic_county
from dpcore.public_information.count_tables import CountTableRelease
from dpcore.public_information.error_lines import error_lines
from dpcore.public_information.query_release import draw_gaussian_marginals, draw_query_release
from dpcore.public_information.rates import RangedCount, draw_rate_by_rejection
from dpcore.public_information.workloads import Workload
from dpcore.randomized_response import RandomizedAnswer
from dpcore.totals.conditioning import condition_on_totals
from dpcore.totals.noise import draw_noise
from dpcore.totals.posterior import posterior_from_released
from dpcore.totals.projection import draw_projected, project_with_largest_remainder, totals_of_parts
from dpcore.totals.release import simulate_releases
from dpcore.totals.sampling import draw_by_independent_proposals, draw_by_lattice_gibbs
from tests.architecture.public_names import taken
from tests.each import each

RELEASE = NoisyMoments(
    n=43, mean=34.3, variance=2224.8, epsilon_mean=0.25, epsilon_variance=0.25, lower=0.0, upper=100.0
)
SUMS = draw_noisy_sums(cirrhosis_data(), 10.0, seed=1)
PRIOR = ConjugatePrior(12.5, 1.0, 14.4, 1.0)
PAIR = Workload(sizes=(2, 2), sets=((0, 1),))
ANSWERS = [0.4, 0.2, 0.1, 0.3]
THREE = totals_of_parts(true=[4, 3, 2])
TWO_BY_TWO = totals_of_parts([0, 0, 1, 1], [0, 1, 0, 1], true=[8, 6, 4, 9])


def generator(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


@cache
def conjugate() -> Posterior:
    """What two draws are from; each draw from it begins anew."""
    return posterior(RELEASE, PRIOR, constrained=True)


@cache
def of_confined_values() -> LikelihoodConstrained:
    return likelihood_constrained_posterior(RELEASE, FlatPrior())


DRAWS: dict[str, Callable[..., Any]] = {
    "acs_like.AcsLikePopulation.draw": lambda seed: acs_like().draw(20, seed=seed),
    "adjustment.bootstrap.bootstrap_interval_estimate": lambda seed: bootstrap_interval_estimate(
        adjusted_table(NoisyTable(AreaTree([-1]), [[9, 8]], variances=1.0)), np.sum, draws=5, seed=seed
    ),
    "attacks.one_count.CountAttack.draw_releases": lambda seed: CountAttack(
        DiscreteGaussian(rho=0.1), prior=0.5
    ).draw_releases(size=20, seed=seed),
    "attacks.reconstruction.draw_tables": lambda seed: draw_tables(
        [9, 8, 7, 6], tables=Tables(tuple("abcd"), np.eye(4)), budget=0.01, seed=seed
    ),
    "census.measurements.draw_measurements": lambda seed: draw_measurements(seed=seed, levels=["block"]),
    "inference.bounded.Posterior.draw": lambda seed: conjugate().draw(5, seed=seed),
    "inference.coverage.draw_moments": lambda seed: draw_moments(generator(seed), n=20, mean=0.4, sd=0.1, data_sets=3),
    "inference.flat_prior.draw_flat_unconstrained": lambda seed: draw_flat_unconstrained(RELEASE, 5, seed=seed),
    "inference.laws.TruncatedGammaMixture.draw": lambda seed: TruncatedGammaMixture(3.0, 2.0, 30.0, 0.3, 0.6).draw(
        5, seed=seed
    ),
    "inference.laws.draw_cut_normal": lambda seed: draw_cut_normal(
        generator(seed), np.zeros(5), np.ones(5), np.full(5, -1.0), np.ones(5)
    ),
    "inference.laws.draw_mixture": lambda seed: draw_mixture(
        generator(seed), 2.0, np.full(5, 5.0), 9.0, 0.2, np.full(5, 0.3)
    ),
    "inference.likelihood_constrained.LikelihoodConstrained.draw": lambda seed: of_confined_values().draw(5, seed=seed),
    "inference.marginals.Marginal.draw": lambda seed: conjugate().mean.draw(5, seed=seed),
    "inference.models.draw_noisy_moments": lambda seed: vars(
        draw_noisy_moments([1, 4, 9], lower=0, upper=10, epsilon_mean=1, epsilon_variance=1, seed=seed)
    ),
    "inference.regression.draw_noisy_sums": lambda seed: vars(draw_noisy_sums(cirrhosis_data(), 0.1, seed=seed)),
    "methods.laws.DisclosureControl.simulate_counts": partial(
        CellKey(largest_noise=5, variance=3).simulate_counts, 1, size=20, known=29
    ),
    "methods.laws.PublishedLaw.simulate": partial(CellKey(largest_noise=5, variance=3).law(30).simulate, 20),
    "public_information.count_tables.CountTableRelease.draw": lambda seed: CountTableRelease(
        true=(8, 6, 4), epsilon_per_unit=0.2
    ).draw(seed=seed, size=6),
    "public_information.query_release.draw_gaussian_marginals": lambda seed: draw_gaussian_marginals(
        PAIR, ANSWERS, records=100, concentrated_epsilon=0.5, seed=seed
    ),
    "public_information.query_release.draw_query_release": lambda seed: (
        draw_query_release(
            PAIR, ANSWERS, rows=PAIR.every_record(), records=100, concentrated_epsilon=0.5, rounds=2, seed=seed
        ).answers
    ),
    "public_information.rates.draw_rate_by_rejection": lambda seed: draw_rate_by_rejection(
        RangedCount(people=20, epsilon=0.5), 1, proposals=200, seed=seed
    ),
    "totals.conditioning.ConditionedTable.draw": lambda seed: condition_on_totals([4, 3, 2], epsilon=0.3).draw(
        9, seed=seed
    ),
    "totals.noise.draw_noise": lambda seed: draw_noise(epsilon=0.1, cells=8, size=3, seed=seed),
    "totals.projection.draw_projected": lambda seed: draw_projected([8, 6, 4], epsilon=0.1, size=4, seed=seed),
    "totals.sampling.draw_by_independent_proposals": lambda seed: (
        draw_by_independent_proposals(
            [4, 3, 2], epsilon=0.3, totals=THREE, free=[0, 1], proposal_epsilon=0.4, steps=60, seed=seed
        ).draws
    ),
    "totals.sampling.draw_by_lattice_gibbs": lambda seed: (
        draw_by_lattice_gibbs([8, 6, 4, 9], epsilon=0.2, totals=TWO_BY_TWO, sweeps=5, seed=seed, chains=3).draws
    ),
    **{
        f"{type(noise).__module__.removeprefix('dpcore.')}.{type(noise).__name__}.simulate_noise": partial(
            noise.simulate_noise, 20
        )
        for noise in (Geometric(epsilon=0.1), Laplace(epsilon=1.0), Gaussian(rho=0.5), DiscreteGaussian(rho=0.1))
    },
    "mechanisms.additive.NoiseMechanism.simulate_counts": partial(Laplace(epsilon=1.0).simulate_counts, 1, size=20),
    "mechanisms.randomized_response.RandomizedResponse.simulate_counts": partial(
        RandomizedResponse(epsilon=0.1).simulate_counts, 1, size=40
    ),
    "mechanisms.randomized_response.RandomizedResponse.simulate_answers": partial(
        RandomizedResponse(epsilon=0.1).simulate_answers, np.zeros(40, dtype=int)
    ),
    "randomized_response.RandomizedAnswer.simulate_answers": partial(
        RandomizedAnswer(forced_yes=0.3, forced_no=0.3).simulate_answers, np.zeros(40)
    ),
    "inference.gibbs.gibbs": lambda seed: vars(
        gibbs(RELEASE, PRIOR, constrained=True, draws=3, chains=2, warm_up=2, seed=seed)
    ),
    "inference.regression.regression_posterior": lambda seed: regression_posterior(
        SUMS, RegressionPrior(), chains=12, draws=4, warm_up=2, seed=seed, largest_r_hat=math.inf
    ).mean(),
    "inference.regression.regression_by_importance": lambda seed: (
        regression_by_importance(SUMS, RegressionPrior(), draws=2000, seed=seed).mean
    ),
    "populations.synthetic_block": lambda seed: synthetic_block(20, seed=seed).counts,
    "populations.synthetic_county": lambda seed: synthetic_county(seed=seed).counts,
    "public_information.error_lines.error_lines": lambda seed: [
        line.errors
        for line in error_lines(
            PAIR,
            PAIR.every_record(),
            PAIR.every_record(),
            epsilons=(1.0,),
            delta=1e-6,
            methods=("gaussian",),
            seed=seed,
        )
    ],
    "totals.posterior.posterior_from_released": lambda seed: (
        posterior_from_released(
            [4, 3], epsilon_total=0.3, epsilon_parts=0.3, sweeps=4, warm_up=2, chains=3, seed=seed
        ).draws
    ),
    "totals.release.simulate_releases": lambda seed: (
        simulate_releases([4, 3], epsilon_total=0.3, epsilon_parts=0.3, size=9, seed=seed).parts
    ),
    "totals.projection.project_with_largest_remainder": lambda seed: project_with_largest_remainder(
        np.ones(40), 20, tie_seed=seed
    ),
}


INNER = {"inference.coverage.draw_moments", "inference.laws.draw_cut_normal", "inference.laws.draw_mixture"}
"""Steps of a sampler, which take its generator."""
ON_THE_WAY = {"mechanisms.additive.NoiseMechanism.simulate_noise", "mechanisms.layers.Mechanism.simulate_counts"}
"""What has no draw of its own."""


FIRST_OF_SEVERAL = {"census.measurements.draw_measurements", "public_information.error_lines.error_lines"}
"""Draws whose seed is the first of several, of the counties or the lines: a generator draws it."""


def seeded() -> set[str]:
    """Public calls that take a seed."""
    return {name.removeprefix("dpcore.") for name, _, given in taken() if {"seed", "tie_seed"} & set(given)}


def test_every_public_draw_is_held_to_its_seed() -> None:
    assert seeded() - ON_THE_WAY == set(DRAWS) - INNER


@each("name", DRAWS)
def test_the_same_seed_draws_the_same_and_another_seed_another(name: str) -> None:
    draw = DRAWS[name]
    first = pickle.dumps(draw(seed=5))
    assert pickle.dumps(draw(seed=5)) == first
    assert any(pickle.dumps(draw(seed=seed)) != first for seed in (6, 7))


@each("name", sorted(set(DRAWS) - INNER))
def test_a_generator_is_taken_as_a_seed_is_and_goes_on_and_nothing_else_is_taken(name: str) -> None:
    draw, going = DRAWS[name], np.random.default_rng(5)
    first = pickle.dumps(draw(seed=going))
    own = int(np.random.default_rng(5).integers(2**62)) if name in FIRST_OF_SEVERAL else 5
    assert first == pickle.dumps(draw(seed=own))
    assert any(pickle.dumps(draw(seed=going)) != first for _ in range(2))
    optional = name.endswith("project_with_largest_remainder")  # without one, ties go to the first
    for wrong in (-1, 0.5, "5", True, *(() if optional else (None,))):
        rule = "a whole number, not text" if wrong == "5" else "a whole number of at least 0"
        with pytest.raises(Refused, match=rf"^(tie_)?seed must be {rule}; got ") as refused:
            draw(seed=wrong)
        assert refused.value.name in ("seed", "tie_seed")
