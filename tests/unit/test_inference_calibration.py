"""Simulation-based calibration of the two samplers: ranks of the truth among their draws are uniform.

Truths are drawn from the prior, releases from the truths; the rank of each truth among independent draws of its
posterior is then uniform whatever the release (Talts et al. 2018). A wrong update or a misplaced cut bends the ranks.
"""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import inference
from dpcore.inference import ConjugatePrior, NoisyMoments, NoisySums, RegressionPrior

CELLS = 6


def chi_square(ranks: np.ndarray, draws: int) -> float:
    """Pearson's statistic of ranks 0..draws in equal cells; its 99.9 % point with 5 degrees of freedom is 20.5."""
    counts = np.bincount((ranks * CELLS) // (draws + 1), minlength=CELLS)
    return float(((counts - ranks.size / CELLS) ** 2 / (ranks.size / CELLS)).sum())


def test_the_statistic_notices_ranks_that_crowd_at_one_end() -> None:
    assert chi_square(np.arange(120) % 60, 59) == 0.0
    assert chi_square(np.arange(120) % 40, 59) > 20.5


@pytest.mark.parametrize("constrained", [False, pytest.param(True, marks=pytest.mark.study)])
def test_the_corrected_gibbs_sampler_is_calibrated(constrained: bool) -> None:
    dice = np.random.default_rng(20261121)
    n, chains, truths = 12, 59, 60
    prior = ConjugatePrior(mean=0.45, mean_weight=6.0, variance=0.04, variance_weight=12.0)
    ranks: dict[str, list[int]] = {"mean": [], "variance": []}
    while len(ranks["mean"]) < truths:
        variance = prior.variance_weight * prior.variance / dice.chisquare(prior.variance_weight)
        mean = prior.mean + np.sqrt(variance / prior.mean_weight) * dice.standard_normal()
        sample_mean = mean + np.sqrt(variance / n) * dice.standard_normal()
        sample_variance = variance * dice.chisquare(n - 1) / (n - 1)
        possible = 0 < mean < 1 and variance <= mean * (1 - mean) and 0 < sample_mean < 1
        if constrained and not (possible and sample_variance <= n / (n - 1) * sample_mean * (1 - sample_mean)):
            continue
        noise = dice.laplace(0.0, 1.0 / (n * np.array([2.0, 2.0])))
        release = NoisyMoments(
            n=n,
            mean=sample_mean + noise[0],
            variance=sample_variance + noise[1],
            epsilon_mean=2.0,
            epsilon_variance=2.0,
        )
        found = inference.gibbs(release, prior, constrained=constrained, draws=1, chains=chains, warm_up=80, seed=dice)
        ranks["mean"].append(int((found.mean[:, -1] < mean).sum()))
        ranks["variance"].append(int((found.variance[:, -1] < variance).sum()))
    for name, values in ranks.items():
        assert chi_square(np.array(values), chains) < 20.5, (name, sorted(values))


@pytest.mark.study
@pytest.mark.parametrize("budget", [{"epsilon_each": 2.0}, {"rho": 5.0}], ids=["epsilon", "rho"])
def test_the_slice_sampler_of_the_regression_is_calibrated(budget: dict[str, float]) -> None:
    dice = np.random.default_rng(46)
    n, chains, truths = 20, 59, 72
    prior = RegressionPrior(mean=(0.4, 0.2), precision=(4.0, 4.0), shape=12.0, rate=0.4)
    ranks: dict[str, list[int]] = {"intercept": [], "slope": [], "variance": []}
    while len(ranks["slope"]) < truths:
        variance = prior.rate / dice.gamma(prior.shape)
        theta = np.array(prior.mean) + np.sqrt(variance / np.array(prior.precision)) * dice.standard_normal(2)
        total, squares = dice.uniform(0.0, n, 2)  # the prior of the sums of x is flat where they are possible
        inner = np.array([[n, total], [total, squares]])
        if not inference.feasible_parameters(theta[0], theta[1], variance) or np.linalg.det(inner) <= 0:
            continue
        cross = inner @ theta + np.sqrt(variance) * np.linalg.cholesky(inner) @ dice.standard_normal(2)
        square = variance * dice.chisquare(n - 2) + cross @ np.linalg.solve(inner, cross)
        sums = np.array([total, squares, cross[0], cross[1], square])
        if not inference.feasible_sums(n, sums):
            continue
        by_rho = "rho" in budget  # variance 5 / (2 rho)
        noise = dice.normal(0.0, np.sqrt(2.5 / budget["rho"]), 5) if by_rho else dice.laplace(0.0, 0.5, 5)
        noisy = sums + noise
        found = inference.regression_posterior(
            NoisySums(n, *map(float, noisy), **budget),
            prior,
            chains=2 * chains,
            draws=4,
            warm_up=150,
            seed=dice,
            parameter_constraints=False,
            largest_r_hat=np.inf,  # four draws a chain: the ranks are the check
        )
        last = [np.reshape(part, (2 * chains, 4))[:, -1] for part in (found.intercept, found.slope, found.variance)]
        allowed = inference.feasible_parameters(*last)
        for name, draws, truth in zip(ranks, last, (*theta, variance), strict=True):
            kept = draws[allowed][:chains]
            assert kept.size == chains
            ranks[name].append(int((kept < truth).sum()))
    for name, values in ranks.items():
        assert chi_square(np.array(values), chains) < 20.5, (name, sorted(values))
