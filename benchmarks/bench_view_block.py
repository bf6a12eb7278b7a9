"""How long the pages block and play take: the view alone, in processor time, and the exact sums beside simulation."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.timing import median, row, within
from dpcore.attacks import all_cells
from dpcore.mechanisms import DiscreteGaussian
from ui.pictures.style import Style
from ui.views.block import BlockInputs, block_view
from ui.views.play import PlayInputs, play_view


def _simulated(rho: float, prior: np.ndarray, draws: int) -> float:
    """How often the best guess of a cell is right, by drawing that many tables."""
    generator = np.random.default_rng(1)
    truth = generator.choice(prior.size, p=prior, size=draws)
    noisy = DiscreteGaussian(rho=rho).simulate_noise((draws, prior.size), seed=generator).astype(float)
    noisy[np.arange(draws), truth] += 1
    return float((np.argmax(np.log(prior) + 2 * rho * noisy, axis=1) == truth).mean())


def run() -> list[dict[str, Any]]:
    """Rows of measurements: views against the limit of a page that feels immediate, the exact sum against draws."""
    views = [
        ("view of block", lambda: block_view(BlockInputs(), Style()), 0.050),
        ("view of block, hundred draws", lambda: block_view(BlockInputs(draws="hundred", prior=0.2), Style()), 0.050),
        ("view of block, geometric", lambda: block_view(BlockInputs(noise="geometric"), Style()), 0.050),
        ("view of block, synthetic county", lambda: block_view(BlockInputs(table="synthetic"), Style()), 0.050),
        ("view of play, ten rounds", lambda: play_view(PlayInputs(bets=(1,) * 10, told=True), Style()), 0.050),
    ]
    rows: list[dict[str, Any]] = []
    for name, view, limit in views:
        view()
        seconds = median(view, 15)
        rows.append(within(name, seconds, limit))
    prior = np.full(6, 1 / 6)
    exact = median(lambda: all_cells.probability_right(mechanism=DiscreteGaussian(rho=0.5), prior=prior), 15)
    drawn = median(lambda: _simulated(0.5, prior, 100_000), 5)
    rows.append(
        row("best guess of six cells, exact", exact, "20 times", drawn / exact >= 20, "100,000 simulated tables", drawn)
    )
    return rows
