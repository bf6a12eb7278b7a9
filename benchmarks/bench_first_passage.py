"""Speed of the running maximum and of the search for the round that breaks a promise, against slow ways in one run."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from benchmarks.timing import best, within
from dpcore.composition import BeliefPromise, ExactRule, first_broken
from dpcore.first_passage import passing_chances
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Laplace
from dpcore.privacy_loss import PrivacyLoss

SHIFT = math.log(99)
DAYS = 365


def _simulated(paths: int) -> float:
    """The chance on some day by drawing the days, a hundred times less accurate at 20,000 paths."""
    walk = np.random.default_rng(1).normal(0.01, math.sqrt(0.02), (paths, DAYS)).cumsum(axis=1)
    return float((walk.max(axis=1) > SHIFT).mean())


def _plain_recursion(source: DiscreteGaussian) -> float:
    """The absorbing recursion with a dictionary of losses, as one would first write it."""
    law = source.privacy_loss_atoms(1e-18)
    move = dict(zip((law.first + np.arange(law.log_mass.size)).tolist(), law.mass.tolist(), strict=True))
    state, passed = {0: 1.0}, 0.0
    for day in range(1, 21):
        following: dict[int, float] = {}
        for place, mass in state.items():
            if mass > 1e-18:
                for step, share in move.items():
                    following[place + step] = following.get(place + step, 0.0) + mass * share
        state = {}
        for place, mass in following.items():
            if day * law.offset + law.step * place > SHIFT:
                passed += mass
            else:
                state[place] = mass
    return passed


def running_maximum(source: Any, name: str, slow: str, plain: Any) -> dict[str, Any]:
    loss = PrivacyLoss.of(source)
    return within(
        f"running maximum of {DAYS} days, {name}",
        best(lambda: passing_chances(loss, shift=SHIFT, rounds=DAYS)),
        0.1,
        slow,
        best(plain, 2),
    )


def first_day() -> dict[str, Any]:
    rule = ExactRule.of(DiscreteGaussian(rho=0.01))
    promise = BeliefPromise.posterior_cap(prior=0.5, cap=0.99, delta_prime=0.01, direction="rise")
    return within(
        "first of many days that breaks a promise, every day looked at",
        best(lambda: first_broken(rule, promise)),
        0.05,
        "a scan from the first day",
        best(lambda: next(k for k in range(1, 1000) if not rule.keeps(k, promise)), 2),
    )


def run() -> list[dict[str, Any]]:
    discrete = DiscreteGaussian(rho=0.01)
    return [
        running_maximum(discrete, "discrete Gaussian", "20 days by a dictionary", partial(_plain_recursion, discrete)),
        running_maximum(Gaussian(rho=0.01), "Gaussian", "20,000 drawn paths", partial(_simulated, 20_000)),
        running_maximum(Laplace(epsilon=0.14), "Laplace", "20,000 drawn paths", partial(_simulated, 20_000)),
        first_day(),
    ]
