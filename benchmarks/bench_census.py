"""The 2020 census as it was run: the epsilon of its 65 tables, and of a plan whose published value took 96 machines.

What is kept of single releases is forgotten before each repetition: a first question is measured.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import reduce
from typing import Any

import mpmath
from dp_accounting.pld import privacy_loss_distribution as pld

from benchmarks.timing import best, within
from dpcore.census import DEMONSTRATION_RHO, DEMONSTRATION_SHARES, SECRETS, demonstration_loss
from dpcore.mechanisms import DiscreteGaussian
from dpcore.privacy_loss import Bracket, PrivacyLoss, one_release

DELTA = 1e-10
PUBLISHED_TERMS = 96 * 25_000 * 5
"""96 jobs, each with 25,000 panels of Boole's rule, of five terms each."""


def peer_epsilon(releases: Iterable[tuple[DiscreteGaussian, int]]) -> float:
    laws = (
        pld.from_discrete_gaussian_mechanism(
            sigma=noise.sigma, value_discretization_interval=1e-4, use_connect_dots=True
        ).self_compose(count)
        for noise, count in releases
    )
    return float(reduce(lambda one, other: one.compose(other), laws).get_epsilon_for_delta(DELTA))


def published_term(t: float) -> Any:
    """The product of the seven characteristic functions at one t, each as the sum that the paper takes."""
    product = mpmath.mpf(1)
    for share, releases in DEMONSTRATION_SHARES:
        variance = releases / (2 * float(DEMONSTRATION_RHO * share))
        most = math.ceil(25 * math.sqrt(variance)) + 1
        waves = (
            mpmath.exp(-(mpmath.mpf(u) ** 2) / (2 * variance)) * mpmath.cos(share * 10_000 * t * u)
            for u in range(1, most)
        )
        product *= (1 + 2 * mpmath.fsum(waves)) / mpmath.sqrt(2 * mpmath.pi * variance)
    return product


def tables() -> dict[str, Any]:
    def ours() -> Bracket:
        one_release._kept_parts.cache_clear()
        return SECRETS["record"].privacy_loss().epsilon_bracket(DELTA)

    releases: tuple[tuple[DiscreteGaussian, int], ...] = SECRETS["record"].privacy_loss().releases
    found, theirs = ours(), peer_epsilon(releases)
    assert found.low < theirs
    assert abs(found.high - theirs) < 1e-3
    return within(
        "epsilon of the 65 tables of the 2020 census, in a bracket",
        best(ours),
        1.0,
        "dp-accounting, connect the dots, interval 1e-4",
        best(lambda: peer_epsilon(releases), 2),
    )


def plan() -> list[dict[str, Any]]:
    def ours() -> float:
        one_release._kept_parts.cache_clear()
        return float(demonstration_loss().epsilon_at(DELTA))

    loss: PrivacyLoss = demonstration_loss()
    assert abs(ours() - peer_epsilon(loss.releases)) < 1e-4
    one_term = best(lambda: published_term(0.001), 3)
    seconds = best(ours)
    name = "epsilon of the demonstration plan of arXiv 2410.09296"
    return [
        within(
            name,
            seconds,
            0.1,
            "dp-accounting, connect the dots, interval 1e-4",
            best(lambda: peer_epsilon(loss.releases), 2),
            2,
        ),
        within(
            name,
            seconds,
            0.1,
            "the published sum, twelve million terms as long as one",
            one_term * PUBLISHED_TERMS,
            1e6,
        ),
    ]


def run() -> list[dict[str, Any]]:
    return [tables(), *plan()]
