"""Every draw of dpcore is its seed's: the same seed draws the same, another seed another. A new draw joins the list."""

from __future__ import annotations

import importlib
import inspect
import pickle
import pkgutil
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dpcore
from dpcore.acs_like import acs_like
from dpcore.attacks.one_count import CountAttack
from dpcore.attacks.reconstruction import Tables, draw_tables
from dpcore.inference import ConjugatePrior, FlatPrior, NoisyMoments, draw_noisy_moments, posterior
from dpcore.inference.coverage import draw_moments
from dpcore.inference.flat_prior import draw_flat_unconstrained
from dpcore.inference.laws import TruncatedGammaMixture, draw_cut_normal, draw_mixture
from dpcore.inference.likelihood_constrained import likelihood_constrained_posterior
from dpcore.inference.regression import cirrhosis_data, draw_noisy_sums
from dpcore.mechanisms import DiscreteGaussian
from dpcore.public_information.count_tables import CountTableRelease
from dpcore.public_information.query_release import draw_gaussian_marginals, draw_query_release
from dpcore.public_information.rates import RangedCount, draw_rate_by_rejection
from dpcore.public_information.workloads import Workload
from dpcore.totals.conditioning import condition_on_totals
from dpcore.totals.noise import draw_noise
from dpcore.totals.projection import draw_projected, totals_of_parts
from dpcore.totals.sampling import draw_by_independent_proposals, draw_by_lattice_gibbs

RELEASE = NoisyMoments(
    n=43, mean=34.3, variance=2224.8, epsilon_mean=0.25, epsilon_variance=0.25, lower=0.0, upper=100.0
)
PRIOR = ConjugatePrior(12.5, 1.0, 14.4, 1.0)
PAIR = Workload(sizes=(2, 2), sets=((0, 1),))
ANSWERS = [0.4, 0.2, 0.1, 0.3]
THREE = totals_of_parts(true=[4, 3, 2])
TWO_BY_TWO = totals_of_parts([0, 0, 1, 1], [0, 1, 0, 1], true=[8, 6, 4, 9])


def generator(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


DRAWS: dict[str, Callable[[int], Any]] = {
    "acs_like.AcsLikePopulation.draw": lambda seed: acs_like().draw(20, seed=seed),
    "attacks.one_count.CountAttack.draw_releases": lambda seed: CountAttack(
        DiscreteGaussian(rho=0.1), prior=0.5
    ).draw_releases(size=20, seed=seed),
    "attacks.reconstruction.draw_tables": lambda seed: draw_tables(
        [9, 8, 7, 6], tables=Tables(tuple("abcd"), np.eye(4)), budget=0.01, seed=seed
    ),
    "inference.bounded.Posterior.draw": lambda seed: posterior(RELEASE, PRIOR, constrained=True).draw(5, seed=seed),
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
    "inference.likelihood_constrained.LikelihoodConstrained.draw": lambda seed: likelihood_constrained_posterior(
        RELEASE, FlatPrior()
    ).draw(5, seed=seed),
    "inference.marginals.Marginal.draw": lambda seed: posterior(RELEASE, PRIOR, constrained=True).mean.draw(
        5, seed=seed
    ),
    "inference.models.draw_noisy_moments": lambda seed: vars(
        draw_noisy_moments([1, 4, 9], lower=0, upper=10, epsilon_mean=1, epsilon_variance=1, seed=seed)
    ),
    "inference.regression.draw_noisy_sums": lambda seed: vars(draw_noisy_sums(cirrhosis_data(), 0.1, seed=seed)),
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
}


def public_draws() -> set[str]:
    """Functions and methods of public modules whose name says that they draw."""
    found = set()
    for module_info in pkgutil.walk_packages(dpcore.__path__, "dpcore."):
        if any(part.startswith("_") for part in module_info.name.split(".")):
            continue
        module = importlib.import_module(module_info.name)
        for name, thing in vars(module).items():
            if name.startswith("_") or getattr(thing, "__module__", "") != module_info.name:
                continue
            if inspect.isfunction(thing) and name.startswith("draw_"):
                found.add(f"{module_info.name}.{name}")
            elif inspect.isclass(thing):
                own = [each for each, method in vars(thing).items() if inspect.isfunction(method)]
                found |= {
                    f"{module_info.name}.{name}.{each}" for each in own if each == "draw" or each.startswith("draw_")
                }
    return {name.removeprefix("dpcore.") for name in found}


def test_every_public_draw_is_held_to_its_seed() -> None:
    assert public_draws() == set(DRAWS)


@pytest.mark.parametrize("name", DRAWS)
def test_the_same_seed_draws_the_same_and_another_seed_another(name: str) -> None:
    draw = DRAWS[name]
    first = pickle.dumps(draw(5))
    assert pickle.dumps(draw(5)) == first
    assert any(pickle.dumps(draw(seed)) != first for seed in (6, 7))
