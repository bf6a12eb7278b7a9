"""Speed of the exact privacy loss, against dp-accounting at equal accuracy and against the issue's targets.

Seconds are processor time of the best of several runs, so that a busy machine does not count as slow code.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from dp_accounting.pld import privacy_loss_distribution as pld

from benchmarks.timing import best, within
from dpcore.mechanisms import DiscreteGaussian, Laplace, SubsampledGaussian
from dpcore.privacy_loss import ExactPosterior, PrivacyLoss

DELTA = 1e-6


def equal_discrete_gaussians() -> dict[str, Any]:
    def theirs() -> float:
        law = pld.from_discrete_gaussian_mechanism(
            sigma=math.sqrt(50), value_discretization_interval=1e-4, use_connect_dots=True
        )
        return float(law.self_compose(365).get_epsilon_for_delta(DELTA))

    def ours() -> float:
        return float(PrivacyLoss.of(DiscreteGaussian(rho=0.01), 365).epsilon_at(DELTA))

    assert abs(theirs() - ours()) < 2e-6
    return within(
        "epsilon of 365 equal discrete Gaussians",
        best(ours),
        0.005,
        "dp-accounting, connect the dots, interval 1e-4",
        best(theirs, 2),
        20,
    )


def distinct_discrete_gaussians() -> dict[str, Any]:
    """New noises at every repetition: what is kept of one release would answer for all but the first."""
    rng = np.random.default_rng(1)

    def ours() -> float:
        sigmas = rng.uniform(5, 10, 365).tolist()
        return float(PrivacyLoss(tuple((DiscreteGaussian.from_sigma(sigma), 1) for sigma in sigmas)).epsilon_at(DELTA))

    return within("epsilon of 365 different discrete Gaussians, never asked before", best(ours, 3), 0.35)


def equal_laplaces() -> dict[str, Any]:
    def theirs() -> float:
        law = pld.from_laplace_mechanism(10.0, value_discretization_interval=1e-3)
        return float(law.self_compose(365).get_epsilon_for_delta(DELTA))

    def ours() -> float:
        return float(PrivacyLoss(((Laplace(epsilon=0.1), 365),), 1 << 15).epsilon_at(DELTA))

    return within("epsilon of 365 Laplace releases", best(ours), 0.05, "dp-accounting, interval 1e-3", best(theirs, 2))


def belief_curve() -> dict[str, Any]:
    loss, priors = PrivacyLoss.of(DiscreteGaussian(rho=0.01), 365), np.linspace(0.001, 0.999, 500)
    ExactPosterior(loss, prior=priors).quantile(0.99)
    return within(
        "99 % quantile of the belief for 500 priors",
        best(lambda: ExactPosterior(loss, prior=priors).quantile(0.99)),
        0.001,
    )


def tiny_delta() -> dict[str, Any]:
    return within(
        "delta of 10,000 discrete Gaussians at a delta of 1e-20",
        best(lambda: PrivacyLoss.of(DiscreteGaussian(rho=0.01), 10_000).epsilon_at(1e-20)),
        0.1,
    )


def noisy_training() -> dict[str, Any]:
    """A bracket beside one estimate from above, both of both directions; theirs would be 1,300 times as wide."""
    sizes = {"noise_multiplier": 1.0, "rate": 0.01, "steps": 1000}

    def theirs() -> float:
        law = pld.from_gaussian_mechanism(1.0, value_discretization_interval=1e-4, sampling_prob=0.01)
        return float(law.self_compose(1000).get_epsilon_for_delta(1e-5))

    def ours() -> tuple[float, float]:
        return SubsampledGaussian(**sizes).epsilon_bounds(1e-5)

    low, high = ours()
    assert low - 1e-4 <= theirs() <= high + 1e-4
    assert high - low < 5e-5
    name = "epsilon of 1,000 steps of Gaussian noise on samples, between bounds 4e-5 apart"
    return within(name, best(ours), 0.3, "dp-accounting, one estimate from above, interval 1e-4", best(theirs, 2), 1)


def run() -> list[dict[str, Any]]:
    return [
        measure()
        for measure in (
            equal_discrete_gaussians,
            distinct_discrete_gaussians,
            equal_laplaces,
            belief_curve,
            tiny_delta,
            noisy_training,
        )
    ]
