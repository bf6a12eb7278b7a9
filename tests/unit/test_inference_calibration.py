"""Calibration of the quadrature and the samplers: probabilities that ought to be uniform are.

Truths are drawn from the prior, releases from the truths; the probability below each truth in its posterior, or its
rank among independent draws, is then uniform whatever the release (Talts et al. 2018). A wrong update, a misplaced cut
or another noise bends them. The draws of many chains for one release are uniform under its quadrature, a second
algorithm: so many show what a few ranks do not.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpcore import inference
from dpcore.inference import ConjugatePrior, NoisyMoments, NoisySums, RegressionPrior

CELLS = 6
MOST_SMOOTH = 13.8  # of two degrees of freedom: its 99.9 % point


def smooth(probabilities: np.ndarray) -> float:
    """Neyman's smooth statistic of a uniform law: squares of the mean and of the spread, in standard errors."""
    from_middle = np.asarray(probabilities) - 0.5
    scores = math.sqrt(12.0) * from_middle, math.sqrt(180.0) * (from_middle**2 - 1.0 / 12.0)
    return float(sum(score.sum() ** 2 for score in scores) / from_middle.size)


def test_the_smooth_statistic_notices_probabilities_to_one_side_and_in_the_middle() -> None:
    even = (np.arange(100) + 0.5) / 100
    assert smooth(even) < 0.01
    assert smooth(even**1.5) > MOST_SMOOTH
    assert smooth(0.2 + 0.6 * even) > MOST_SMOOTH


def below_truths(constrained: bool, releases: int, seed: int, law: str) -> dict[str, list[float]]:
    """Probability below the true mean and variance in the posteriors of releases whose truths the prior drew."""
    dice = np.random.default_rng(seed)
    prior = ConjugatePrior(mean=0.5, mean_weight=0.1, variance=0.02, variance_weight=6.0)
    n = 8
    budgets = np.array([1.0, 2.0]) if law == "epsilon" else np.array([0.25, 1.0])
    paid = dict(zip((f"{law}_mean", f"{law}_variance"), budgets.tolist(), strict=True))
    found: dict[str, list[float]] = {"mean": [], "variance": []}
    while len(found["mean"]) < releases:
        variance = 0.5 * prior.variance_weight * prior.variance / dice.gamma(0.5 * prior.variance_weight)
        mean = prior.mean + math.sqrt(variance / prior.mean_weight) * dice.standard_normal()
        moments = mean + math.sqrt(variance / n) * dice.standard_normal(), variance * dice.chisquare(n - 1) / (n - 1)
        possible = 0 < mean < 1 and variance <= mean * (1 - mean) and 0 < moments[0] < 1
        if constrained and not (possible and moments[1] <= n / (n - 1) * moments[0] * (1 - moments[0])):
            continue  # the joint law is cut, as the model says
        noise = (
            dice.laplace(0, 1 / (n * budgets)) if law == "epsilon" else dice.normal(0, 1 / (n * np.sqrt(2 * budgets)))
        )
        noisy = dict(zip(("mean", "variance"), (moments + noise).tolist(), strict=True))
        posterior = inference.posterior(NoisyMoments(n=n, **noisy, **paid), prior, constrained=constrained)
        found["mean"].append(float(posterior.mean.cdf(mean)))
        found["variance"].append(float(posterior.variance.cdf(variance)))
    return found


@pytest.mark.parametrize(("constrained", "releases"), [(False, 90), (True, 42)])
def test_truths_from_the_prior_have_uniform_probabilities(constrained: bool, releases: int) -> None:
    """Noise much wider than the data beside a wide prior: a quarter of it puts the truths in the middle."""
    for values in below_truths(constrained, releases, 8, "epsilon").values():
        assert smooth(np.array(values)) < MOST_SMOOTH


@pytest.mark.study
@pytest.mark.parametrize("law", ["epsilon", "rho"])
@pytest.mark.parametrize("constrained", [True, False])
def test_many_truths_from_the_prior_have_uniform_probabilities(constrained: bool, law: str) -> None:
    for values in below_truths(constrained, 1500, 9, law).values():
        assert smooth(np.array(values)) < MOST_SMOOTH


@pytest.mark.parametrize("constrained", [False, True])
def test_the_ends_of_many_chains_are_uniform_under_the_quadrature(constrained: bool) -> None:
    """Five values and a prior worth four: half a unit of its shape, or a quarter more noise, is seen."""
    prior = ConjugatePrior(mean=0.45, mean_weight=2.0, variance=0.04, variance_weight=4.0)
    release = NoisyMoments(n=5, mean=0.55, variance=0.06, epsilon_mean=2.0, epsilon_variance=2.0)
    found = inference.gibbs(release, prior, constrained=constrained, draws=1, chains=4000, warm_up=40, seed=1)
    exact = inference.posterior(release, prior, constrained=constrained)
    assert smooth(exact.mean.cdf(found.mean[:, -1])) < MOST_SMOOTH
    assert smooth(exact.variance.cdf(found.variance[:, -1])) < MOST_SMOOTH


def chi_square(ranks: np.ndarray, draws: int) -> float:
    """Pearson's statistic of ranks 0..draws in equal cells; its 99.9 % point with 5 degrees of freedom is 20.5."""
    counts = np.bincount((ranks * CELLS) // (draws + 1), minlength=CELLS)
    return float(((counts - ranks.size / CELLS) ** 2 / (ranks.size / CELLS)).sum())


def test_the_statistic_notices_ranks_that_crowd_at_one_end() -> None:
    assert chi_square(np.arange(120) % 60, 59) == 0.0
    assert chi_square(np.arange(120) % 40, 59) > 20.5


@pytest.mark.study
@pytest.mark.parametrize("constrained", [False, True])
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
