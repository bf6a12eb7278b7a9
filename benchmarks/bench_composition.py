"""Speed of the composition rules, the fan chart and the searches, against plain versions in the same run."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from benchmarks.timing import best, within
from dpcore.composition import (
    BeliefPromise,
    ExactRule,
    OptimalRule,
    ReleasePlan,
    first_broken,
    largest_rho_each,
    optimal_composition,
    posterior_fan,
)
from dpcore.discrete_certificate import DiscreteCertificate
from dpcore.mechanisms import DiscreteGaussian


def _plain_delta(k: int, epsilon: float, steps: int) -> float:
    """The theorem's sum as printed, term by term, in log space so that it does not overflow."""
    total = 0.0
    for i in range(steps):
        choose = math.lgamma(k + 1) - math.lgamma(i + 1) - math.lgamma(k - i + 1)
        base = choose - k * math.log1p(math.exp(epsilon))
        total += math.exp(base + (k - i) * epsilon) - math.exp(base + (k - 2 * steps + i) * epsilon)
    return total


def _plain_optimal(k: int, epsilon: float, delta: float) -> float:
    """The published scan: every l in turn (here by halving, or it would take hours)."""
    low, high = 0, k // 2
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if _plain_delta(k, epsilon, middle) <= delta else (low, middle - 1)
    return (k - 2 * low) * epsilon


def optimal_ten_thousand() -> dict[str, Any]:
    def ours() -> float:
        return optimal_composition(releases=10_000, epsilon=0.1, total_delta=1e-6).epsilon

    assert abs(ours() - _plain_optimal(10_000, 0.1, 1e-6)) < 1e-9
    return within(
        "optimal composition of 10,000 releases",
        best(ours),
        0.005,
        "the sum term by term",
        best(lambda: _plain_optimal(10_000, 0.1, 1e-6), 2),
    )


def fan_chart() -> dict[str, Any]:
    plan = ReleasePlan.repeated(DiscreteGaussian(rho=0.01), 1)
    rounds = [int(k) for k in np.linspace(6, 365, 60)]
    levels = [0.05, 0.25, 0.5, 0.75, 0.95, 0.99]
    return within(
        "fan chart, 60 horizons by 6 quantiles",
        best(lambda: posterior_fan(plan, rounds=rounds, levels=levels, prior=0.5)),
        0.05,
    )


def figure_5_3() -> dict[str, Any]:
    promise = BeliefPromise.posterior_cap(prior=0.5, cap=0.8, delta_prime=0.05)
    rule = OptimalRule(epsilon=0.05, total_delta=0.001)
    return within(
        "first of many releases that breaks a promise, optimal composition",
        best(lambda: first_broken(rule, promise)),
        0.05,
        "a scan from the first release",
        best(lambda: next(k for k in range(1, 1000) if not rule.keeps(k, promise)), 2),
    )


def _scanned(promise: BeliefPromise, releases: int) -> float:
    """Down from twice the continuous budget in steps of a half per cent, until the exact law keeps the promise."""
    rho = 2 * largest_rho_each(promise, releases=releases, route="gaussian")
    while not ExactRule.of(DiscreteGaussian(rho=rho)).keeps(releases, promise):
        rho *= 0.995
    return rho


def discrete_certificates() -> list[dict[str, Any]]:
    promise = BeliefPromise(epsilon_prime=1.3, delta_prime=0.01)
    tight = BeliefPromise(epsilon_prime=30.0, delta_prime=1e-9)

    def certified(wanted: BeliefPromise, releases: int) -> float:
        return DiscreteCertificate(
            epsilon_prime=wanted.epsilon_prime, delta_prime=wanted.delta_prime, releases=releases
        ).recommended_each

    rows = [
        within(
            "certificate of discrete Gaussian noise, 10,000 releases", best(lambda: certified(promise, 10_000)), 0.05
        ),
        within("certificate of discrete Gaussian noise, 60 narrow noises", best(lambda: certified(tight, 60)), 0.05),
    ]
    for releases in (1, 12):
        own = best(lambda releases=releases: certified(promise, releases))
        scan = best(lambda releases=releases: _scanned(promise, releases), 2)
        name = f"certificate of discrete Gaussian noise, releases: {releases}"
        rows.append(within(name, own, 0.05, "a scan with the law of the loss", scan))
    return rows


def run() -> list[dict[str, Any]]:
    return [measure() for measure in (optimal_ten_thousand, fan_chart, figure_5_3)] + discrete_certificates()
