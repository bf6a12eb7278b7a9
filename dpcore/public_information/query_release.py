"""Private answers to marginal queries, with and without public data: MWEM, PMW^Pub and their baselines.

All budgets are ½ẽ²-zero-concentrated for neighbours that differ in one replaced record; the number of records is
public. Simulated runs are seeded and not for release.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import roots_legendre

from dpcore import _checks
from dpcore._checks import FloatArray
from dpcore.errors import Code, Refused
from dpcore.public_information.query_budgets import RoundBudget, gaussian_marginals_std, round_budget
from dpcore.public_information.workloads import IntArray, Workload, check_workload, checked_weights

Selection = Literal["permute_and_flip", "exponential"]
SELECTIONS: tuple[Selection, ...] = get_args(Selection)
Measurement = Literal["query", "marginal"]
MEASUREMENTS: tuple[Measurement, ...] = get_args(Measurement)
LARGEST_CHOICE = 2_000
LARGEST_SUPPORT = 20_000_000
"""Most pairs of a record and a marginal that a run keeps in memory."""


def selection_probabilities(
    scores: ArrayLike, *, epsilon: float, sensitivity: float = 1.0, rule: Selection = "permute_and_flip"
) -> FloatArray:
    """Probability that each candidate is selected (exact).

    The promise is pure epsilon for one step, which moves each score by the sensitivity at most. Permute-and-flip is the
    largest of epsilon score / (2 sensitivity) plus exponential noise; its probabilities are integrals of polynomials,
    done by Gauss-Legendre without error.
    Source: liu, section 3.2
    Source: ours, permute-and-flip as a noisy maximum with exponential noise; enumeration of permutations agrees

    Parameters
    ----------
    scores : array, shape (candidates,); quality of each candidate, finite; at most 2,000 candidates
    epsilon : float; pure budget of the selection, greater than 0
    sensitivity : float; largest change of a score between neighbours, greater than 0
    rule : {"permute_and_flip", "exponential"}; the selection mechanism

    Examples
    --------
    >>> selection_probabilities([0.0, 0.0], epsilon=1.0).tolist()
    [0.5, 0.5]
    """
    values = _checks.array("scores", scores)
    if values.ndim != 1 or not 1 <= values.size <= LARGEST_CHOICE:
        raise Refused("scores", f"hold 1 to {LARGEST_CHOICE} candidates", values.size, Code.WRONG_SHAPE)
    epsilon = _checks.number("epsilon", epsilon, 0, open_low=True)
    sensitivity = _checks.number("sensitivity", sensitivity, 0, open_low=True)
    _checks.choice("rule", rule, SELECTIONS)
    relative = np.exp(epsilon * (values - values.max()) / (2 * sensitivity))
    if rule == "exponential":
        result: FloatArray = relative / relative.sum()
        return result
    # P(i) = c_i * integral over u in [0, 1] of prod_{j != i} (1 - c_j u), with c = exp of the relative score.
    nodes, weights = roots_legendre(values.size // 2 + 1)
    u = (nodes + 1) / 2
    factors = 1 - relative[:, None] * u
    integrand = np.exp(np.sum(np.log(factors), axis=0) - np.log(factors))
    chances = relative * (integrand @ (weights / 2))
    normalised: FloatArray = chances / chances.sum()
    return normalised


def updated_weights(weights: ArrayLike, query: ArrayLike, *, answer: float) -> FloatArray:
    """Weights after one multiplicative update towards a measured answer (exact).

    Arithmetic on what was measured: it makes no promise of its own, and that of the noise stays.
    Source: liu, Algorithm 1, Update

    Parameters
    ----------
    weights : array, shape (records,); probabilities, adding up to 1
    query : array, shape (records,); value of the query on each record, in [0, 1]
    answer : float; measured answer, in [0, 1]

    Examples
    --------
    >>> updated_weights([0.5, 0.5], [1, 0], answer=0.5).tolist()
    [0.5, 0.5]
    """
    before = checked_weights(weights, np.size(weights))
    try:
        values = np.asarray(query, dtype=float)  # true and false are 1 and 0
    except (TypeError, ValueError):
        raise Refused("query", "be numbers", query, Code.NOT_A_NUMBER, got=_checks._shown(query)) from None
    _checks.array("query", values, 0, 1)
    if values.shape != before.shape:
        raise Refused("query", f"have one value per record ({before.size})", values.size, Code.WRONG_SHAPE)
    answer = _checks.number("answer", answer, 0, 1)
    after = before * np.exp(values * (answer - float(values @ before)) / 2)
    result: FloatArray = after / after.sum()
    return result


class Support:
    """Distinct records and the queries each answers, prepared once for many runs.

    It holds records that are public: no promise belongs to it.
    Source: liu, section 2, the public data domain

    Parameters
    ----------
    workload : Workload; the marginals
    rows : array, shape (records, attributes); distinct public records, or `workload.every_record()`; records times
        marginals at most 20,000,000

    Examples
    --------
    >>> Support(Workload(sizes=(2,), sets=((0,),)), [[0], [1]]).records
    2
    """

    def __init__(self, workload: Workload, rows: ArrayLike) -> None:
        check_workload(workload)
        table = workload.checked_rows(rows)
        pairs = len(table) * len(workload.sets)
        if pairs > LARGEST_SUPPORT:
            raise Refused("rows times marginals", f"be at most {LARGEST_SUPPORT}", pairs, Code.TOO_LARGE)
        self.workload = workload
        self.query_of = workload.query_of(table)
        self._order = [np.argsort(column, kind="stable") for column in self.query_of.T]
        self._sorted = [column[order] for column, order in zip(self.query_of.T, self._order, strict=True)]

    @property
    def records(self) -> int:
        """Number of records."""
        return len(self.query_of)

    def covered(self, marginal: int, query: int) -> IntArray:
        """Positions of the records that a query of the marginal counts."""
        first, last = np.searchsorted(self._sorted[marginal], (query, query + 1))
        return self._order[marginal][first:last]


class _Fit:
    """Weights on the support and their answers, updated by touching only the rows that a query covers."""

    def __init__(self, support: Support, weights: FloatArray) -> None:
        self.support = support
        self.found = support.query_of
        self.queries = support.workload.queries
        self.weights = weights.copy()
        self.mass = 1.0
        self.recount()

    def recount(self) -> None:
        """Answers counted afresh from the weights."""
        self.weights /= self.weights.sum()
        self.mass = 1.0
        self._cells = np.bincount(
            self.found.ravel(), weights=np.repeat(self.weights, self.found.shape[1]), minlength=self.queries
        )

    @property
    def answers(self) -> FloatArray:
        result: FloatArray = self._cells / self.mass
        return result

    def step(self, marginal: int, query: int, answer: float) -> None:
        """One multiplicative update towards the answer."""
        gain = math.expm1((answer - self._cells[query] / self.mass) / 2)
        rows = self.support.covered(marginal, query)
        added = self.weights[rows] * gain
        self.weights[rows] += added
        self.mass += gain * self._cells[query]
        touched = self.found[rows]
        self._cells += np.bincount(touched.ravel(), weights=np.repeat(added, touched.shape[1]), minlength=self.queries)
        if not 1e-100 < self.mass < 1e100:
            self.recount()

    def rake(self, marginal: int, first: int, target: FloatArray) -> None:
        """All cells of a marginal scaled to the target where the support has rows."""
        now = self.answers[first : first + target.size]
        factor = np.divide(target, now, out=np.zeros_like(target), where=now > 0)
        scaled = self.weights * factor[self.found[:, marginal] - first]
        if scaled.sum() > 0:
            self.weights = scaled
            self.recount()


def _marginal_of(workload: Workload) -> IntArray:
    """Number of the marginal that each query belongs to."""
    return np.repeat(np.arange(len(workload.sets)), workload.set_sizes)


@dataclass(frozen=True)
class QueryRelease:
    """Answers released by a run, and the weights on the support that produce them.

    The promise is about the value of one record, replaced while the number of records is public.

    Attributes
    ----------
    answers : array, shape (queries,); released answers to every query
    weights : array, shape (records,); final weights on the support (of the last round)
    selected : tuple of int; the query, or marginal, selected in each round

    Examples
    --------
    >>> measured = [(0, 0.75)]
    >>> found = replayed_measurements(Workload(sizes=(2,), sets=((0,),)), [[0], [1]], None, measured)
    >>> found.selected, found.max_error(np.array([0.5, 0.5]))
    ((0,), 0.0)
    """

    answers: FloatArray
    weights: FloatArray
    selected: tuple[int, ...]

    def max_error(self, private_answers: ArrayLike) -> float:
        """Largest absolute difference from the private answers."""
        return float(np.max(np.abs(self.answers - _true_answers(private_answers, self.answers.size))))


def _true_answers(private_answers: ArrayLike, queries: int) -> FloatArray:
    truth = _checks.probability("private_answers", private_answers)
    if truth.shape != (queries,):
        raise Refused("private_answers", f"have one value per query ({queries})", truth.size, Code.WRONG_SHAPE)
    return truth


def replayed_measurements(
    workload: Workload, rows: ArrayLike, weights: ArrayLike | None, steps: Sequence[tuple[int, float]]
) -> QueryRelease:
    """The release that given selections and measurements lead to, without noise of its own (exact).

    Arithmetic on what was measured: it makes no promise of its own, and that of the noise stays. Its answers are
    averaged over the weights before each round, as the paper's output is.
    Source: liu, Algorithm 1

    Parameters
    ----------
    workload : Workload; the marginals
    rows : array, shape (records, attributes); the support
    weights : array, shape (records,), optional; starting weights, adding up to 1; equal when left out
    steps : sequence of tuple; in each round the number of the selected query and its measured answer in [0, 1]

    Examples
    --------
    >>> workload = Workload(sizes=(2,), sets=((0,),))
    >>> replayed_measurements(workload, [[0], [1]], None, [(0, 0.5)]).answers.tolist()
    [0.5, 0.5]
    """
    if len(steps) == 0:
        raise Refused("steps", "hold at least one round", (), Code.EMPTY, got="none")
    support = Support(workload, rows)
    fit = _Fit(support, checked_weights(weights, support.records))
    belongs = _marginal_of(workload)
    total = np.zeros(workload.queries)
    selected = []
    for step in steps:
        if np.shape(step) != (2,):
            raise Refused("steps", "be pairs (query, answer)", step, Code.WRONG_SHAPE)
        query, answer = step
        query = _checks.count("steps", query, 0, workload.queries - 1)
        total += fit.answers
        fit.step(int(belongs[query]), query, _checks.number("answer", answer, 0, 1))
        selected.append(query)
    return QueryRelease(answers=total / len(steps), weights=fit.weights / fit.weights.sum(), selected=tuple(selected))


def draw_query_release(
    workload: Workload,
    private_answers: ArrayLike,
    *,
    rows: ArrayLike | Support,
    weights: ArrayLike | None = None,
    records: int,
    concentrated_epsilon: float,
    rounds: int = 30,
    selection: Selection = "permute_and_flip",
    measurement: Measurement = "query",
    replay: bool = True,
    seed: int | np.random.Generator,
) -> QueryRelease:
    """A simulated run of multiplicative weights on a support: PMW^Pub on public rows, MWEM on every possible record.

    The promise is about the value of one record, replaced while the number of records is public. Each round selects the
    query (or marginal) with a large error, measures it with Gaussian noise and updates the weights. With measurement
    'query' the answers are averaged over the weights before each round, as in the paper; with 'marginal' a whole
    marginal is measured at the same cost and the weights are scaled to it, the last weights count.
    Source: liu, Algorithm 1; replay: section 5.3
    Source: ours, whole-marginal measurement: noise √2 wider at equal cost, scaled to the measured marginal

    Parameters
    ----------
    workload : Workload; the marginals
    private_answers : array, shape (queries,); true answers of the private data, in [0, 1]
    rows : array, shape (support, attributes); the support: distinct public records, or `workload.every_record()`; or a
        `Support` prepared from them, which spares the preparation when many runs share it
    weights : array, shape (support,), optional; starting weights: shares of the public records; equal when left out
        (MWEM)
    records : int; number of private records, public; at least 1
    concentrated_epsilon : float; ẽ of the whole run, which is then ½ẽ²-zero-concentrated; greater than 0
    rounds : int; number of rounds, from 1 to 10,000
    selection : {"permute_and_flip", "exponential"}; selection mechanism
    measurement : {"query", "marginal"}; what is measured in a round
    replay : bool; whether each round also updates towards earlier measured queries that are now off by at least half as
        much as the newest one was; costs no budget
    seed : int or numpy.random.Generator; seed of the generator. For study, not for release.

    Examples
    --------
    >>> workload = Workload(sizes=(2, 2), sets=((0, 1),))
    >>> run = draw_query_release(
    ...     workload,
    ...     [0.7, 0.1, 0.1, 0.1],
    ...     rows=workload.every_record(),
    ...     records=10_000,
    ...     concentrated_epsilon=5.0,
    ...     rounds=4,
    ...     measurement="marginal",
    ...     seed=1,
    ... )
    >>> run.max_error(np.array([0.7, 0.1, 0.1, 0.1])) < 0.01
    True
    """
    check_workload(workload)
    truth = _true_answers(private_answers, workload.queries)
    budget = round_budget(concentrated_epsilon=concentrated_epsilon, rounds=rounds, records=records)
    _checks.choice("selection", selection, SELECTIONS)
    _checks.choice("measurement", measurement, MEASUREMENTS)
    _checks.flag("replay", replay)
    generator = _checks.seeded(seed)
    support = rows if isinstance(rows, Support) else Support(workload, rows)
    if support.workload != workload:
        raise Refused(
            "rows", "be a support of the same workload", support.workload, Code.INCONSISTENT, got="one of another"
        )
    start = checked_weights(weights, support.records)
    return _run(truth, support, start, budget, records, rounds, selection, measurement, replay, generator)


def _selected(scores: FloatArray, multiplier: float, selection: Selection, generator: np.random.Generator) -> int:
    """The candidate that wins: largest score plus exponential (permute-and-flip) or Gumbel noise (exponential)."""
    noise = (
        generator.exponential(size=scores.size)
        if selection == "permute_and_flip"
        else generator.gumbel(size=scores.size)
    )
    return int(np.argmax(multiplier * scores + noise))


def _run(
    truth: FloatArray,
    support: Support,
    start: FloatArray,
    budget: RoundBudget,
    records: int,
    rounds: int,
    selection: Selection,
    measurement: Measurement,
    replay: bool,
    generator: np.random.Generator,
) -> QueryRelease:
    workload = support.workload
    fit = _Fit(support, start)
    belongs = _marginal_of(workload)
    multiplier = budget.selection_epsilon * records / 2
    total = np.zeros(workload.queries)
    measured: dict[int, list[FloatArray]] = {}
    values: dict[int, float] = {}
    selected: list[int] = []
    for _ in range(rounds):
        answers = fit.answers
        total += answers
        errors = np.abs(answers - truth)
        if measurement == "query":
            query = _selected(errors, multiplier, selection, generator)
            noisy = min(1.0, max(0.0, truth[query] + generator.normal(scale=budget.query_std)))
            fit.step(int(belongs[query]), query, noisy)
            selected.append(query)
            values[query] = noisy
            if replay:
                _replay(fit, belongs, selected, values, generator)
            continue
        # The largest error in a marginal changes by at most 1/records, like one query's.
        worst = np.maximum.reduceat(errors, workload.offsets)
        marginal = _selected(worst, multiplier, selection, generator)
        first, size = workload.offsets[marginal], workload.set_sizes[marginal]
        noisy_cells = truth[first : first + size] + generator.normal(scale=budget.marginal_std, size=size)
        measured.setdefault(marginal, []).append(noisy_cells)
        selected.append(marginal)
        # Scale to every measured marginal in turn, the newest last: post-processing of what was measured.
        for earlier in [m for m in measured if m != marginal] + [marginal]:
            offset = workload.offsets[earlier]
            fit.rake(earlier, offset, _on_simplex(np.mean(measured[earlier], axis=0)))
    answers = total / rounds if measurement == "query" else fit.answers
    return QueryRelease(answers=answers, weights=fit.weights / fit.weights.sum(), selected=tuple(selected))


def _replay(
    fit: _Fit, belongs: IntArray, selected: Sequence[int], values: dict[int, float], generator: np.random.Generator
) -> None:
    """Updates towards the measured queries that are still off, in random order (a query's latest value counts)."""
    queries = np.array(list(values))
    wanted = np.array(list(values.values()))
    off = np.abs(fit.answers[queries] - wanted)
    again = np.flatnonzero(off >= off[list(values).index(selected[-1])] / 2)
    for position in generator.permutation(again):
        query = int(queries[position])
        fit.step(int(belongs[query]), query, float(wanted[position]))


def _on_simplex(values: FloatArray) -> FloatArray:
    """The nearest non-negative vector that adds up to 1."""
    descending = np.sort(values)[::-1]
    excess = (np.cumsum(descending) - 1) / np.arange(1, values.size + 1)
    level = excess[np.flatnonzero(descending > excess)[-1]]
    result: FloatArray = np.maximum(values - level, 0.0)
    return result


def draw_gaussian_marginals(
    workload: Workload,
    private_answers: ArrayLike,
    *,
    records: int,
    concentrated_epsilon: float,
    seed: int | np.random.Generator,
) -> FloatArray:
    """Simulated answers when every marginal is released once with Gaussian noise, clipped to [0, 1].

    The promise is about the value of one record, replaced while the number of records is public.
    Source: ours, the baseline the paper lacks

    Parameters
    ----------
    workload : Workload; the marginals
    private_answers : array, shape (queries,); true answers, in [0, 1]
    records : int; number of private records, at least 1
    concentrated_epsilon : float; ẽ of the whole release, greater than 0
    seed : int or numpy.random.Generator; seed of the generator. For study, not for release.

    Examples
    --------
    >>> workload = Workload(sizes=(2,), sets=((0,),))
    >>> draw_gaussian_marginals(workload, [0.5, 0.5], records=10**9, concentrated_epsilon=1.0, seed=1).round(6).tolist()
    [0.5, 0.5]
    """
    check_workload(workload)
    truth = _true_answers(private_answers, workload.queries)
    std = gaussian_marginals_std(
        marginals=len(workload.sets), records=records, concentrated_epsilon=concentrated_epsilon
    )
    generator = _checks.seeded(seed)
    return np.clip(truth + generator.normal(scale=std, size=truth.size), 0.0, 1.0)
