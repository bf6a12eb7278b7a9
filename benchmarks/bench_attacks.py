"""Attacks: exact sums against sampling, in the same run. `python -m benchmarks attacks` prints the rows."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np

from benchmarks.timing import best, row
from dpcore.attacks import many_levels, reconstruction, two_levels
from dpcore.attacks.any_release import belief_upper
from dpcore.attacks.one_count import CountAttack
from dpcore.attacks.two_levels import TwoLevels
from dpcore.guarantees import Relation, ZeroConcentratedDP
from dpcore.mechanisms import DiscreteGaussian
from dpcore.populations import census_rhos, synthetic_block, synthetic_county
from dpcore.promise import Promise, Secret

RHOS = census_rhos()
PRESENCE = Promise(secret=Secret.PRESENCE, relation=Relation.ADD_OR_REMOVE)
DESIGN = TwoLevels(rho_block=RHOS[0], rho_group=RHOS[1], siblings=27, prior=0.5)


def vectorised_gibbs(
    x1: np.ndarray, x2: np.ndarray, y: np.ndarray, design: TwoLevels, draws: int, seed: int
) -> np.ndarray:
    """Gibbs sampler of the stated model, one chain per release, all chains stepping together in numpy."""
    generator = np.random.default_rng(seed)
    rate = design.rho_group + design.rho_siblings
    span = math.ceil(math.sqrt(30 / rate))
    cumulative, first = [], []
    for count in (0, 1):
        centre = (design.rho_group * x2 + design.rho_siblings * (y + count)) / rate
        start = np.maximum(np.floor(centre) - span, count)
        values = start[:, None] + np.arange(2 * span + 2)
        law = np.exp(
            -rate * ((values - centre[:, None]) ** 2 - ((start - centre) ** 2).clip(0, 600)[:, None]).clip(-600)
        )
        cumulative.append(np.cumsum(law / law.sum(axis=1, keepdims=True), axis=1))
        first.append(start)
    tables, starts = np.stack(cumulative), np.stack(first)
    chain = np.arange(x1.size)
    state = np.zeros(x1.size, dtype=int)
    visits = np.zeros(x1.size)
    own = design.rho_block * (2 * x1 - 1)
    for _ in range(draws):
        group = starts[state, chain] + (tables[state, chain] < generator.random((x1.size, 1))).sum(axis=1)
        odds = own - design.rho_siblings * (2 * (y - group) + 1)
        odds = np.where(group >= 1, odds, -np.inf)
        state = (generator.random(x1.size) < 1 / (1 + np.exp(-odds))).astype(int)
        visits += state
    return visits / draws


def releases(size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Noisy counts of a lone target and its empty siblings."""
    generator = np.random.default_rng(7)
    scales = [math.sqrt(1 / (2 * rho)) for rho in (RHOS[0], RHOS[1], RHOS[0] / 27)]
    noise = [np.rint(generator.normal(0, scale, size)) for scale in scales]
    return 1 + noise[0], 1 + noise[1], noise[2]


def six_levels_by_loops(counts: list[int], sums: list[int], numbers: list[int]) -> float:
    """The six-level attack by plain loops over a window of 60 counts per level."""
    message = {k: math.exp(-RHOS[5] * (counts[5] - k) ** 2) for k in range(61)}
    for level in range(4, -1, -1):
        message = {
            k: math.exp(-RHOS[level] * (counts[level] - k) ** 2)
            * sum(
                math.exp(-RHOS[level] / numbers[level] * (sums[level] - above + k) ** 2) * weight
                for above, weight in message.items()
                if above >= k
            )
            for k in (range(61) if level else range(2))
        }
    return math.log(message[1] / message[0])


def block_page() -> None:
    """What the page `block` computes for one view."""
    grid = np.geomspace(0.001, 10, 240)
    priors = np.array([0.5, 0.2, 0.1, 0.02, 1 / 864])[:, None]
    CountAttack(DiscreteGaussian(rho=1), prior=priors).over(grid).marginal_posterior()
    belief_upper(ZeroConcentratedDP(rho=1.0), prior=priors, promise=PRESENCE, budgets=grid)
    CountAttack(DiscreteGaussian(rho=1), prior=priors).over(grid).probability_right()
    CountAttack(DiscreteGaussian(rho=RHOS[0]), prior=0.2).posterior_law()
    attack = CountAttack(DiscreteGaussian(rho=RHOS[0]), prior=0.2)
    attack.posterior(attack.draw_releases(size=100, seed=1))


def block_page_by_simulation() -> None:
    """The averages of the same page from 2,000 drawn releases per point."""
    for rho in np.geomspace(0.001, 10, 240):
        one = CountAttack(DiscreteGaussian(rho=float(rho)), prior=0.5, known=1)
        drawn = one.draw_releases(side="absent", size=2_000, seed=1)
        for prior in (0.5, 0.2, 0.1, 0.02, 1 / 864):
            CountAttack(DiscreteGaussian(rho=float(rho)), prior=prior).posterior(drawn).mean()


def run() -> list[dict[str, Any]]:
    rows = []
    many = releases(1_000)
    started = time.process_time()
    sampled = vectorised_gibbs(*many, DESIGN, draws=10_000, seed=1)
    gibbs_each = (time.process_time() - started) / many[0].size
    exact = two_levels.posterior(*many, design=DESIGN)
    if np.abs(sampled - exact).max() > 0.12 or abs((sampled - exact).mean()) > 0.005:
        raise AssertionError("the sampler and the exact posterior disagree")
    wide = releases(50_000)
    each = best(lambda: two_levels.posterior(*wide, design=DESIGN)) / wide[0].size
    rows.append(
        row(
            "exact two-level posterior, per release",
            each,
            "at least 1,000 times faster",
            gibbs_each / each >= 1_000,
            "vectorised Gibbs sampler, 10,000 draws, per release",
            gibbs_each,
        )
    )
    figure = best(lambda: [two_levels.effects(block=1, group=group, design=DESIGN) for group in range(1, 31)], 3)
    rows.append(
        row(
            "Figure 2.5, 30 points",
            figure,
            "at most 1 s",
            figure <= 1,
            "the same sampler extrapolated to 30 x 100,000 releases x 1,000 draws",
            30 * 100_000 * gibbs_each / 10,
        )
    )
    county = synthetic_county(seed=1)
    generator = np.random.default_rng(2)
    own = county.counts + np.rint(generator.normal(0, math.sqrt(1 / (2 * RHOS[0])), county.counts.shape))
    above = county.counts.sum(axis=0) + np.rint(
        generator.normal(0, math.sqrt(1 / (2 * RHOS[1])), county.counts.shape[1])
    )
    rest = own.sum(axis=0) - own
    cells = best(lambda: two_levels.posterior(own, above, rest, design=DESIGN), 3)
    few = slice(0, 400)
    one_by_one = best(
        lambda: [
            two_levels.posterior(a, b, c, design=DESIGN)
            for a, b, c in zip(own[0, few], above[few], rest[0, few], strict=True)
        ],
        1,
    )
    rows.append(
        row(
            "28 x 2,016 cells, two levels",
            cells,
            "at most 0.3 s",
            cells <= 0.3,
            "one call per cell, extrapolated from 400",
            one_by_one / 400 * own.size,
        )
    )
    counts, sums, numbers = [2, 1, 3, 4, 2, 6], [-1, 2, 5, 30, 12], [27, 3, 20, 100, 50]
    levels = best(lambda: many_levels.log_odds(counts, sums, rhos=RHOS, siblings_per_level=numbers), 50)
    loops = best(lambda: six_levels_by_loops(counts, sums, numbers), 3)
    rows.append(row("one six-level attack", levels, "at most 1 ms", levels <= 1e-3, "plain loops", loops))
    page = best(block_page)
    rows.append(
        row(
            "block page view",
            page,
            "at most 50 ms",
            page <= 0.05,
            "2,000 drawn releases per point",
            best(block_page_by_simulation, 1),
        )
    )
    people = synthetic_block(45, seed=3)
    tables = reconstruction.redistricting_tables(people.cells)
    released = reconstruction.draw_tables(people.counts[0], tables=tables, budget=1.0, seed=5)
    rebuilt = best(lambda: reconstruction.rebuild(released, tables=tables, budget=1.0, people=45), 3)
    rows.append(row("45-person rebuild, uniqueness checked", rebuilt, "at most 2 s", rebuilt <= 2, "none", None))
    return rows
