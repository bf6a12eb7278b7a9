"""Noisy tables conditioned on any linear equalities and inequalities: two samplers that say what their draws are worth.

The Metropolised independent sampler of the paper proposes the free cells and solves for the others. The lattice Gibbs
sampler moves along whole-number directions that leave the totals alone and draws each step from its exact law on the
line. A finite chain only approximates the conditioned law, so the privacy guarantee of an exact draw does not cover it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpcore import _checks
from dpcore.chains import effective_sample_size
from dpcore.errors import Code, Refused
from dpcore.totals._counts import Noise, cell_epsilons, cell_noise, whole_counts
from dpcore.totals._partial_sums import FloatArray, IntArray
from dpcore.totals.projection import Totals

LINE_TAIL = 45.0
"""Steps along a line are weighed until exp(-45) of the peak."""

PROPOSAL_BATCH = 20_000
"""Proposals weighed at once."""

MOVES_LIMIT = 200_000
"""Most directions that `lattice_moves` lists."""


@dataclass(frozen=True)
class SampledTables:
    """Tables drawn by a Markov chain: an estimate of the conditioned law, not for release.

    A sample of a law, not for release: no promise belongs to it.

    Attributes
    ----------
    draws : array of int, shape (chains, steps, cells); tables in the order of the chain
    acceptance : float; share of proposals accepted (1 for the Gibbs sampler)

    Examples
    --------
    >>> stuck = SampledTables(np.array([[[4, 5], [4, 5], [4, 5]]]), acceptance=0.0)
    >>> stuck.means.tolist(), stuck.least_effective()
    ([4.0, 5.0], 1.0)
    """

    draws: IntArray
    acceptance: float

    def effective(self, cell: int) -> float:
        """Effective sample size of one cell."""
        return effective_sample_size(self.draws[:, :, cell])

    def least_effective(self) -> float:
        """Smallest effective sample size over the cells that move (1 when none does)."""
        moving = np.flatnonzero(self.draws.reshape(-1, self.draws.shape[2]).std(axis=0) > 0)
        return min((self.effective(int(cell)) for cell in moving), default=1.0)

    @property
    def means(self) -> FloatArray:
        """Estimated mean of each cell."""
        return np.asarray(self.draws.mean(axis=(0, 1)))


def _check_held(totals: Totals, counts: IntArray) -> None:
    """Refuse totals of another table."""
    if totals.matrix.shape[1] != counts.size or (np.abs(totals.matrix @ counts - totals.values) > 1e-9).any():
        raise Refused("totals", "hold for the true counts", totals.values.tolist(), Code.INCONSISTENT)


def _inequalities(
    matrix: ArrayLike | None, bounds: ArrayLike | None, counts: IntArray
) -> tuple[FloatArray, FloatArray]:
    """The rows and bounds of inequalities that the true counts meet."""
    cells = counts.size
    if matrix is None:
        if bounds is not None:
            raise Refused("at_least", "be given with its at_least_matrix", bounds, Code.INCONSISTENT)
        return np.zeros((0, cells)), np.zeros(0)
    rows = np.atleast_2d(_checks.array("at_least_matrix", matrix))
    limits = np.atleast_1d(_checks.array("at_least", 0.0 if bounds is None else bounds))
    if rows.shape != (len(limits), cells):
        raise Refused(
            "at_least_matrix",
            f"have {cells} columns and one row a bound",
            rows.shape,
            Code.WRONG_SHAPE,
            got=f"shape {rows.shape}",
        )
    if (rows @ counts < limits).any():
        raise Refused("true", "meet the inequalities", counts.tolist(), Code.INCONSISTENT)
    return rows, limits


def draw_by_independent_proposals(
    true: ArrayLike,
    *,
    epsilon: ArrayLike,
    totals: Totals,
    free: Sequence[int],
    proposal_epsilon: ArrayLike,
    steps: int,
    seed: int | np.random.Generator,
    at_least_matrix: ArrayLike | None = None,
    at_least: ArrayLike | None = None,
    non_negative: bool = True,
) -> SampledTables:
    """Chain of conditioned tables by the Metropolised independent sampler (Algorithm 1 of the paper).

    A sample of a law, not for release: no promise belongs to it. One chain. An estimate: use `effective` to judge it;
    the chain stays long at one table.
    Source: gong_meng, Algorithm 1

    Parameters
    ----------
    true : array_like of int, shape (cells,); true counts, at least 0; the chain starts there
    epsilon : float or array_like of float, shape (cells,); budget of each cell's noise, greater than 0
    totals : Totals; equalities to hold. Their values must be those of the true counts.
    free : sequence of int; cells (from 0) that are proposed; the others follow from the equalities, as many as there
        are equalities
    proposal_epsilon : float or array_like of float; decay of the proposals around the true counts, greater than 0
    steps : int; steps of the chain, at least 1
    seed : int or numpy.random.Generator; seed of the generator
    at_least_matrix, at_least : array_like, optional; inequalities `at_least_matrix` @ cells >= `at_least`
    non_negative : bool; whether cells must be at least 0

    Examples
    --------
    >>> from dpcore.totals.projection import totals_of_parts
    >>> held = totals_of_parts(true=[4, 3, 2])
    >>> chain = draw_by_independent_proposals(
    ...     [4, 3, 2], epsilon=0.5, totals=held, free=[0, 1], proposal_epsilon=0.6, steps=100, seed=1
    ... )
    >>> set(chain.draws.sum(axis=2).ravel().tolist())
    {9}
    """
    counts = whole_counts("true", true)
    budgets = cell_epsilons(epsilon, counts.size)
    proposals = cell_epsilons(proposal_epsilon, counts.size, "proposal_epsilon")
    count = _checks.count("steps", steps, 1)
    matrix, goal = totals.matrix, totals.values
    _check_held(totals, counts)
    chosen = np.array(sorted({_checks.count("free", cell, 0, counts.size - 1) for cell in free}), dtype=np.int64)
    rest = np.setdiff1d(np.arange(counts.size), chosen)
    if len(rest) != len(goal):
        raise Refused(
            "free",
            "leave one dependent cell for each total",
            (len(rest), len(goal)),
            Code.WRONG_SHAPE,
            got=f"{len(rest)} for {len(goal)} totals",
        )
    if np.linalg.matrix_rank(matrix[:, rest]) < len(rest):
        raise Refused(
            "free",
            f"leave totals that can be solved; dependent cells are {rest.tolist()}",
            rest.tolist(),
            Code.INCONSISTENT,
            got="",
        )
    solver = np.linalg.inv(matrix[:, rest])
    rows, limits = _inequalities(at_least_matrix, at_least, counts)
    generator = _checks.seeded(seed)
    success = -np.expm1(-proposals[chosen])

    def log_weight(noise: IntArray) -> FloatArray:
        """Log of target over proposal."""
        return np.asarray(proposals[chosen] @ np.abs(noise[:, chosen]).T - budgets @ np.abs(noise).T)

    draws = np.empty((count, counts.size), dtype=np.int64)
    state, state_weight, accepted = np.zeros(counts.size, dtype=np.int64), 0.0, 0
    for start in range(0, count, PROPOSAL_BATCH):
        size = min(PROPOSAL_BATCH, count - start)
        noise = np.zeros((size, counts.size), dtype=np.int64)
        shape = (size, len(chosen))
        noise[:, chosen] = generator.geometric(success, shape) - generator.geometric(success, shape)
        solved = -(noise[:, chosen] @ matrix[:, chosen].T) @ solver.T
        noise[:, rest] = np.round(solved).astype(np.int64)
        allowed = (np.abs(solved - noise[:, rest]) < 1e-6).all(axis=1)
        cells = counts + noise
        if non_negative:
            allowed &= (cells >= 0).all(axis=1)
        allowed &= (cells @ rows.T >= limits - 1e-9).all(axis=1)
        thresholds = np.log(generator.random(size))
        last = 0
        possible = np.flatnonzero(allowed)
        for i, weight in zip(possible, log_weight(noise[possible]), strict=True):
            if thresholds[i] < weight - state_weight:
                draws[start + last : start + i] = state
                state, state_weight, last = noise[i], float(weight), int(i)
                accepted += 1
        draws[start + last : start + size] = state
    return SampledTables((counts + draws)[None], accepted / count)


def lattice_moves(totals: Totals) -> IntArray:
    """Directions that leave every total alone: swaps within a group of cells, and squares between groups.

    A sample of a law, not for release: no promise belongs to it. Cells that every total counts alike form a group. A
    move takes one from a cell and gives it to another of its group, or takes one each from two groups and gives one
    each to two groups that together count the same.
    Source: ours, Markov basis of two-way tables, extended to groups

    Parameters
    ----------
    totals : Totals; totals to leave alone

    Returns
    -------
    numpy.ndarray of int, shape (moves, cells)
        For one partition, and for two crossing partitions, these moves connect all non-negative tables. For other
        systems they are checked to span every direction, which is necessary but not sufficient.

    Examples
    --------
    >>> lattice_moves(Totals(np.ones((1, 2)), np.array([5.0]))).tolist()
    [[1, -1]]
    """
    columns = [tuple(column) for column in totals.matrix.T.tolist()]
    groups: dict[tuple[float, ...], list[int]] = {}
    for cell, column in enumerate(columns):
        groups.setdefault(column, []).append(cell)
    cells = len(columns)
    moves: list[IntArray] = []

    def move(up: Sequence[int], down: Sequence[int]) -> None:
        step = np.zeros(cells, dtype=np.int64)
        for cell in up:
            step[cell] += 1
        for cell in down:
            step[cell] -= 1
        moves.append(step)
        if len(moves) > MOVES_LIMIT:
            raise Refused(
                "totals",
                f"leave at most {MOVES_LIMIT} swaps and squares",
                len(moves),
                Code.TOO_LARGE,
                got="",
            )

    for members in groups.values():
        for one, two in itertools.combinations(members, 2):
            move([one], [two])
    sums: dict[bytes, list[tuple[int, int]]] = {}
    keys = list(groups)
    counted = np.array(keys) + 0.0  # no -0: it has other bytes than 0
    for i, j in itertools.combinations_with_replacement(range(len(keys)), 2):
        sums.setdefault((counted[i] + counted[j]).tobytes(), []).append((i, j))
    for pairs in sums.values():
        for (a, b), (c, d) in itertools.combinations(pairs, 2):
            for up in itertools.product(groups[keys[a]], groups[keys[b]]):
                # any cell of a group will do: swaps reach the others
                move(up, (groups[keys[c]][0], groups[keys[d]][0]))
    directions = cells - int(np.linalg.matrix_rank(totals.matrix))
    found = np.array(moves, dtype=np.int64).reshape(len(moves), cells)
    square = found.T.astype(np.float64) @ found  # of the moves' own rank, and they are many
    spanned = int(np.linalg.matrix_rank(square, hermitian=True))
    if spanned != directions:
        raise Refused(
            "totals",
            "be spanned by swaps and squares",
            (spanned, directions),
            Code.UNSUPPORTED,
            got=f"{spanned} of {directions} directions",
        )
    return found


def _given_moves(moves: ArrayLike) -> IntArray:
    given = np.atleast_2d(_checks.array("moves", moves))
    _checks.refuse_fractions("moves", given, as_list=True)
    if not given.any(axis=-1).all():
        raise Refused("moves", "each move a cell", given.tolist(), Code.EMPTY, got="a row of zeros")
    return given.astype(np.int64)


def draw_by_lattice_gibbs(
    true: ArrayLike,
    *,
    epsilon: ArrayLike | None = None,
    noise: Noise | None = None,
    totals: Totals,
    sweeps: int,
    seed: int | np.random.Generator,
    chains: int = 50,
    warm_up: int = 20,
    moves: ArrayLike | None = None,
    at_least_matrix: ArrayLike | None = None,
    at_least: ArrayLike | None = None,
    non_negative: bool = True,
    progress: Callable[[int, int], bool | None] | None = None,
) -> SampledTables:
    """Parallel chains of conditioned tables; each step is drawn from its exact law along a direction.

    A sample of a law, not for release: no promise belongs to it. An estimate; `effective` says what the draws are
    worth.
    Source: ours, exact conditional along a line; checked against the exact law

    Parameters
    ----------
    true : array_like of int, shape (cells,); true counts, at least 0; every chain starts there
    epsilon : float or array_like of float, shape (cells,), optional; budget of each cell's double-geometric noise,
        greater than 0
    noise : WholeNoise or sequence of WholeNoise, optional; geometric or discrete Gaussian noise, instead of `epsilon`
    totals : Totals; equalities to hold
    sweeps : int; tables kept of each chain; a sweep is one random move a cell
    seed : int or numpy.random.Generator; seed of the generator
    chains, warm_up : int; parallel chains, and sweeps left out at the start
    moves : array_like of int, shape (moves, cells), optional; directions; by default `lattice_moves`
    at_least_matrix, at_least : array_like, optional; inequalities `at_least_matrix` @ cells >= `at_least`
    non_negative : bool; whether cells must be at least 0
    progress : callable, optional; called with (done, all) after each sweep; returning True stops early and keeps what
        there is

    Examples
    --------
    >>> from dpcore.totals.projection import totals_of_parts
    >>> held = totals_of_parts([0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2], true=[8, 6, 4, 3, 5, 8])
    >>> drawn = draw_by_lattice_gibbs([8, 6, 4, 3, 5, 8], epsilon=0.5, totals=held, sweeps=2, seed=1, chains=3)
    >>> set(drawn.draws.sum(axis=2).ravel().tolist())
    {34}
    """
    counts = whole_counts("true", true)
    of_cells = cell_noise(epsilon, noise, counts.size)
    budgets, power = of_cells.strengths, of_cells.power
    kept, warm = _checks.count("sweeps", sweeps, 1), _checks.count("warm_up", warm_up)
    parallel = _checks.count("chains", chains, 1)
    _check_held(totals, counts)
    steps = lattice_moves(totals) if moves is None else _given_moves(moves)
    if steps.shape[1:] != counts.shape or np.abs(totals.matrix @ steps.T).max(initial=0.0) > 1e-9:
        raise Refused("moves", "leave the totals alone", steps.shape, Code.INCONSISTENT, got=f"shape {steps.shape}")
    rows, limits = _inequalities(at_least_matrix, at_least, counts)
    generator = _checks.seeded(seed)
    drawn = np.zeros((parallel, counts.size), dtype=np.int64)
    draws = np.empty((parallel, kept, counts.size), dtype=np.int64)
    if len(steps) == 0:
        draws[:] = counts
        return SampledTables(draws, 1.0)
    support = [np.flatnonzero(step) for step in steps]
    for sweep in range(warm + kept):
        for m in generator.integers(len(steps), size=counts.size):
            inside = support[m]
            step = steps[m, inside]
            low, high = np.full(parallel, -np.inf), np.full(parallel, np.inf)
            if non_negative:
                cells = counts[inside] + drawn[:, inside]
                low = np.max(np.where(step > 0, -np.floor(cells / np.abs(step)), -np.inf), axis=1)
                high = np.min(np.where(step < 0, np.floor(cells / np.abs(step)), np.inf), axis=1)
            if len(rows):
                slack = (counts + drawn) @ rows.T - limits
                rate = rows @ steps[m]
                for r in np.flatnonzero(rate):
                    bound = -slack[:, r] / rate[r]
                    if rate[r] > 0:
                        low = np.maximum(low, np.ceil(bound - 1e-9))
                    else:
                        high = np.minimum(high, np.floor(bound + 1e-9))
            # the law bends at -noise/step; so far beyond the last bend its log has fallen by the budgets times |step|
            bends = -drawn[:, inside] / step
            fall = float(budgets[inside] @ np.abs(step) ** power)
            tail = math.ceil((LINE_TAIL / fall) ** (1 / power)) + 1
            low = np.maximum(low, np.floor(bends.min(axis=1)) - tail)
            high = np.minimum(high, np.ceil(bends.max(axis=1)) + tail)
            offsets = np.arange(int((high - low).max()) + 1)
            lengths = low[:, None] + offsets
            logs = np.zeros(lengths.shape)
            for cell, part in zip(inside, step, strict=True):  # in place: most of a move's time
                moved = lengths * part
                moved += drawn[:, cell, None]
                np.abs(moved, out=moved)
                if power != 1:
                    moved **= power
                moved *= budgets[cell]
                logs -= moved
            logs[lengths > high[:, None]] = -np.inf
            cumulated = np.cumsum(np.exp(logs - logs.max(axis=1, keepdims=True)), axis=1)
            uniform = generator.random(parallel) * cumulated[:, -1]
            chosen = (cumulated <= uniform[:, None]).sum(axis=1)
            drawn[:, inside] += (low + chosen).astype(np.int64)[:, None] * step
        if sweep >= warm:
            draws[:, sweep - warm] = counts + drawn
        if progress is not None and progress(sweep + 1, warm + kept) and sweep >= warm:
            draws = draws[:, : sweep - warm + 1]
            break
    return SampledTables(draws, 1.0)
