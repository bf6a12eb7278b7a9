"""Multiplicative weights from the definition: dense queries over the whole support, no bookkeeping.

Draws its randomness in the order of `dpcore.public_information.draw_query_release`, so that both make one run.
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def query_table(rows: NDArray[np.int64], sizes: tuple[int, ...], sets: tuple[tuple[int, ...], ...]) -> Floats:
    """One row per query, one column per record: 1 where the record matches."""
    queries = []
    for chosen in sets:
        for levels in itertools.product(*(range(sizes[position]) for position in chosen)):
            queries.append((rows[:, list(chosen)] == levels).all(axis=1))
    return np.array(queries, dtype=float)


def slow_query_release(
    table: Floats,
    truth: Floats,
    weights: Floats,
    *,
    records: int,
    concentrated_epsilon: float,
    rounds: int,
    seed: int,
    replay: bool,
) -> tuple[Floats, Floats, list[int]]:
    """Averaged answers, final weights and selections of Algorithm 1 (permute-and-flip, one query a round)."""
    generator = np.random.default_rng(seed)
    spend = concentrated_epsilon / np.sqrt(2 * rounds)
    current = weights.copy()
    average = np.zeros(len(table))
    measured: dict[int, float] = {}
    selected: list[int] = []
    for _ in range(rounds):
        answers = table @ current
        average += answers / rounds
        scores = spend * records / 2 * np.abs(answers - truth)
        chosen = int(np.argmax(scores + generator.exponential(size=len(table))))
        noisy = float(np.clip(truth[chosen] + generator.normal(scale=1 / (records * spend)), 0, 1))
        measured[chosen] = noisy
        selected.append(chosen)
        current = _updated(current, table[chosen], noisy)
        if replay:
            earlier = list(measured)
            off = [abs(float(table[query] @ current) - measured[query]) for query in earlier]
            newest = off[earlier.index(chosen)]
            again = [position for position in range(len(earlier)) if off[position] >= newest / 2]
            for position in generator.permutation(again):
                current = _updated(current, table[earlier[position]], measured[earlier[position]])
    return average, current, selected


def _updated(weights: Floats, query: Floats, answer: float) -> Floats:
    after: Floats = weights * np.exp(query * (answer - float(query @ weights)) / 2)
    result: Floats = after / after.sum()
    return result
