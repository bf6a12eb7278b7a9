"""The 2020 census as it was run: the epsilon of its 65 tables, that of a plan whose published value took 96 machines,
and an attack with all tables of six levels.

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
from dpcore.attacks.many_levels import log_odds_of_tables
from dpcore.census import (
    DEMONSTRATION_RHO,
    DEMONSTRATION_SHARES,
    LEVELS,
    SECRETS,
    MeasuredAttack,
    cell_of,
    census_tables,
    demonstration_loss,
    draw_measurements,
)
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


SIBLINGS = (27, 3, 20, 100, 50)


def in_plain_python(
    counts: list[list[int]], sums: list[list[int]], rhos: list[list[float]], siblings: tuple[int, ...]
) -> float:
    """The log odds of one person through all tables of all levels: every count in loops, from the top."""

    def law(seen: list[int], rates: list[float], count: int, parts: int = 1) -> float:
        return -sum(rate / parts * (one - count) ** 2 for one, rate in zip(seen, rates, strict=True))

    most = 220
    above = [law(counts[-1], rhos[-1], count) for count in range(most)]
    for level in range(len(counts) - 2, -1, -1):
        beside = [law(sums[level], rhos[level], count, siblings[level]) for count in range(most)]
        here = []
        for count in range(2 if level == 0 else most):
            terms = [beside[more] + above[count + more] for more in range(most - count)]
            peak = max(terms)
            passed = peak + math.log(math.fsum(math.exp(term - peak) for term in terms))
            here.append(passed + law(counts[level], rhos[level], count))
        above = here
    return above[1] - above[0]


def attacks() -> list[dict[str, Any]]:
    rhos = [[float(table.rho / 2) for table in census_tables(levels=[level])] for level in LEVELS[::-1]]
    counts = [[place + 2] * len(of_level) for place, of_level in enumerate(rhos)]
    sums = [[place % 3] * len(of_level) for place, of_level in enumerate(rhos[:-1])]

    def ours() -> float:
        return log_odds_of_tables(counts, sums, rhos=rhos, siblings_per_level=SIBLINGS)

    assert abs(ours() - in_plain_python(counts, sums, rhos, SIBLINGS)) < 1e-9
    drawn = draw_measurements(seed=1)
    rows = {(one.level, one.query, one.cell): one for one in drawn.measurements.rows}

    def of_file() -> float:
        return MeasuredAttack(drawn.measurements, drawn.person, prior=0.5).log_odds

    def every_cell() -> float:
        """The rows of the file, one after the other: is it one that counts the person?"""
        below = [
            one
            for one in rows.values()
            if one.level not in LEVELS[:2] and one.cell == cell_of(one.query, drawn.person) and one.known is not None
        ]
        return sum((2 * (one.value - (one.known or 0)) - 1) / (2 * one.variance) for one in below)

    assert abs(of_file() - every_cell()) < 1e-9
    name = "attack with all tables of six levels, after the first"
    return [
        within(
            name,
            best(ours),
            0.05,
            "the same sums in plain Python",
            best(lambda: in_plain_python(counts, sums, rhos, SIBLINGS), 1),
            5,
        ),
        within(
            f"{name}, from a file of {len(rows):,} counts",
            best(of_file),
            0.05,
            "looking at every row",
            best(every_cell, 2),
        ),
    ]


def run() -> list[dict[str, Any]]:
    return [tables(), *plan(), *attacks()]
