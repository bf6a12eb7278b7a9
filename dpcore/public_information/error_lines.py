"""How the largest error falls with the budget, method by method: lines that arrive as they are finished."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpcore import _checks
from dpcore._checks import FloatArray
from dpcore._properties import cached_property
from dpcore.errors import Code, Refused
from dpcore.guarantees import concentrated_epsilon_from_approximate_best_order
from dpcore.public_information.best_mixture import best_mixture_error
from dpcore.public_information.query_budgets import LARGEST_ROUNDS
from dpcore.public_information.query_release import (
    LARGEST_SUPPORT,
    Support,
    draw_gaussian_marginals,
    draw_query_release,
)
from dpcore.public_information.workloads import IntArray, Workload, check_workload, distinct_records

METHODS = (
    "public_alone",
    "gaussian",
    "public_assisted",
    "public_assisted_marginals",
    "no_public_data",
    "best_mixture",
)
"""In the order in which `error_lines` yields them: the quick ones first."""
WITHOUT_PUBLIC = frozenset({"gaussian", "no_public_data"})
SIMULATED = frozenset(METHODS) - {"public_alone", "best_mixture"}

LARGEST_GRID = 50
LARGEST_REPEATS = 100


@dataclass(frozen=True)
class ErrorLine:
    """Largest error over all queries against the budget, for one method.

    It is about accuracy, and computed from confidential records: publishing it is a release with no promise yet.

    Attributes
    ----------
    method : str; one of `METHODS`
    epsilons : tuple of float; budgets at which the line is known
    errors : tuple of float; mean over the runs of the largest absolute error; an estimate, exact for 'public_alone' and
        'best_mixture'
    standard_errors : tuple of float; standard error of each mean over the runs; 0 where the value is exact

    Examples
    --------
    >>> [ErrorLine(method, (0.1,), (0.5,), (0.0,)).exact for method in ("public_alone", "gaussian")]
    [True, False]
    """

    method: str
    epsilons: tuple[float, ...]
    errors: tuple[float, ...]
    standard_errors: tuple[float, ...]

    @property
    def exact(self) -> bool:
        """Whether the line has no simulation error."""
        return self.method not in SIMULATED


def error_lines(
    workload: Workload,
    private_rows: ArrayLike,
    public_rows: ArrayLike | None,
    *,
    epsilons: Sequence[float] = (0.05, 0.1, 0.3, 1.0, 3.0),
    delta: float,
    rounds: int = 30,
    marginal_rounds: int = 8,
    repeats: int = 3,
    seed: int | np.random.Generator = 1,
    methods: Sequence[str] = METHODS,
    progress: Callable[[int, int], bool | None] | None = None,
) -> Iterator[ErrorLine]:
    """Lines of largest error against epsilon, each yielded when it is finished.

    It is about accuracy, and computed from confidential records: publishing it is a release with no promise yet.
    Source: liu, Figure 1, with the baselines it lacks

    Parameters
    ----------
    workload : Workload; the marginals
    private_rows : array, shape (records, attributes); the private records
    public_rows : array, shape (records, attributes) or None; the public records; without any, only 'gaussian' and
        'no_public_data' can be asked for
    epsilons : sequence of float; budgets, each greater than 0; at most 50, in increasing order
    delta : float; in (0, 1); well below one over the number of private records
    rounds : int; rounds of the methods that measure one query a round, from 1 to 10,000
    marginal_rounds : int; rounds of the method that measures a whole marginal a round, from 1 to 10,000
    repeats : int; simulated runs per point, from 1 to 100
    seed : int or numpy.random.Generator; run i uses seed + i; of a generator, a first one that it draws
    methods : sequence of str; which of `METHODS` to compute
    progress : callable, optional; called after every simulated run with the runs done and the runs in all; returning
        True stops early, and no further line is yielded

    Yields
    ------
    ErrorLine
        One per method.

    Examples
    --------
    >>> workload = Workload(sizes=(2,), sets=((0,),))
    >>> lines = error_lines(workload, [[0]] * 3 + [[1]], [[0], [1]], delta=1e-6, methods=["public_alone"])
    >>> next(lines).errors[0]
    0.25
    """
    check_workload(workload)
    private = workload.checked_rows(private_rows, name="private_rows")
    public = None if public_rows is None else workload.checked_rows(public_rows, name="public_rows")
    budgets = _checks.increasing("epsilons", epsilons)
    if not 1 <= budgets.size <= LARGEST_GRID:
        raise Refused("epsilons", f"hold 1 to {LARGEST_GRID} budgets", budgets.size, Code.WRONG_SHAPE)
    _checks.number("epsilons", float(budgets[0]), 0, open_low=True)
    delta = _checks.number("delta", delta, 0, 1, open_low=True, open_high=True)
    rounds = _checks.count("rounds", rounds, 1, LARGEST_ROUNDS)
    marginal_rounds = _checks.count("marginal_rounds", marginal_rounds, 1, LARGEST_ROUNDS)
    repeats = _checks.count("repeats", repeats, 1, LARGEST_REPEATS)
    first = _checks.first_seed(seed)
    chosen = [_checks.choice("methods", method, METHODS) for method in methods]
    cells = workload.domain * len(workload.sets)
    if "no_public_data" in chosen and cells > LARGEST_SUPPORT:
        raise Refused(
            "methods",
            f"leave out 'no_public_data' when possible records times marginals exceed {LARGEST_SUPPORT}",
            cells,
            Code.TOO_LARGE,
        )
    support, shares = np.empty((0, len(workload.sizes)), dtype=np.int64), np.empty(0)
    if public is not None:
        support, shares = distinct_records(public)
    elif not WITHOUT_PUBLIC.issuperset(chosen):
        wrong = next(method for method in chosen if method not in WITHOUT_PUBLIC)
        raise Refused("methods", "be among gaussian, no_public_data without public_rows", wrong, Code.INCONSISTENT)
    study = _Study(
        workload=workload,
        truth=np.clip(workload.answers(private), 0.0, 1.0),
        records=len(private),
        support=support,
        shares=shares,
        progress=_Progress(progress, len(budgets) * repeats * len(SIMULATED.intersection(chosen))),
        rounds={"public_assisted": rounds, "no_public_data": rounds, "public_assisted_marginals": marginal_rounds},
    )
    spend = [concentrated_epsilon_from_approximate_best_order(epsilon=float(budget), delta=delta) for budget in budgets]
    grid = tuple(float(budget) for budget in budgets)

    def finished() -> Iterator[ErrorLine]:
        for method in (method for method in METHODS if method in chosen):
            line = study.line(method, grid, spend, range(first, first + repeats))
            if line is None:
                return
            yield line

    return finished()


class _Progress:
    """Counts runs and tells whoever asked."""

    def __init__(self, tell: Callable[[int, int], bool | None] | None, total: int) -> None:
        self.tell, self.total, self.done = tell, total, 0

    def step(self) -> bool:
        """Count one run; whether to stop."""
        self.done += 1
        return self.tell is not None and bool(self.tell(self.done, self.total)) and self.done < self.total


@dataclass(frozen=True, eq=False)
class _Study:
    """The data and settings that all lines share."""

    workload: Workload
    truth: FloatArray
    records: int
    support: IntArray
    shares: FloatArray
    progress: _Progress
    rounds: dict[str, int]

    @cached_property
    def public(self) -> Support:
        return Support(self.workload, self.support)

    @cached_property
    def everything(self) -> Support:
        return Support(self.workload, self.workload.every_record())

    def line(
        self, method: str, grid: tuple[float, ...], spend: Sequence[float], seeds: Sequence[int]
    ) -> ErrorLine | None:
        """The line of one method; None when it was stopped before its end."""
        if method == "public_alone":
            error = float(np.max(np.abs(self.workload.answers(self.support, self.shares) - self.truth)))
            return ErrorLine(method, grid, (error,) * len(grid), (0.0,) * len(grid))
        if method == "best_mixture":
            error = best_mixture_error(self.workload, self.support, self.truth)
            return ErrorLine(method, grid, (error,) * len(grid), (0.0,) * len(grid))
        errors = np.empty((len(spend), len(seeds)))
        for point, run in np.ndindex(errors.shape):
            errors[point, run] = self.error(method, spend[point], seeds[run])
            if self.progress.step():
                return None
        spread = errors.std(axis=1, ddof=1) / math.sqrt(len(seeds)) if len(seeds) > 1 else np.full(len(grid), math.nan)
        return ErrorLine(method, grid, tuple(errors.mean(axis=1).tolist()), tuple(spread.tolist()))

    def error(self, method: str, spend: float, seed: int) -> float:
        """Largest error of one simulated run."""
        if method == "gaussian":
            answers = draw_gaussian_marginals(
                self.workload, self.truth, records=self.records, concentrated_epsilon=spend, seed=seed
            )
            return float(np.max(np.abs(answers - self.truth)))
        alone = method == "no_public_data"
        run = draw_query_release(
            self.workload,
            self.truth,
            rows=self.everything if alone else self.public,
            weights=None if alone else self.shares,
            records=self.records,
            concentrated_epsilon=spend,
            rounds=self.rounds[method],
            measurement="marginal" if method == "public_assisted_marginals" else "query",
            seed=seed,
        )
        return run.max_error(self.truth)


def crossing_epsilon(first: ErrorLine, second: ErrorLine) -> float | None:
    """Smallest computed budget from which the second line stays at or below the first; None when it never does.

    It is about accuracy: no promise about a secret belongs to it.
    Source: ours, read off the grid

    Parameters
    ----------
    first, second : ErrorLine; lines over the same budgets

    Examples
    --------
    >>> high = ErrorLine("gaussian", (0.1, 1.0), (0.5, 0.01), (0.0, 0.0))
    >>> crossing_epsilon(ErrorLine("public_alone", (0.1, 1.0), (0.1, 0.1), (0.0, 0.0)), high)
    1.0
    """
    for name, line in (("first", first), ("second", second)):
        _checks.kind_of(name, line, ErrorLine, "a line of `error_lines`")
        if len(line.errors) != len(line.epsilons):
            raise Refused(name, "have one error for each budget", line.errors, Code.WRONG_SHAPE)
    if first.epsilons != second.epsilons:
        raise Refused(
            "first and second",
            "have the same budgets",
            (first.epsilons, second.epsilons),
            Code.INCONSISTENT,
            got=f"{first.epsilons} and {second.epsilons}",
        )
    found = None
    for epsilon, one, two in reversed(list(zip(first.epsilons, first.errors, second.errors, strict=True))):
        if not two <= one:  # an unknown error is not below
            break
        found = epsilon
    return found


def best_mixture_by_public_rows(
    workload: Workload, private_rows: ArrayLike, public_rows: ArrayLike, *, row_counts: Sequence[int]
) -> Iterator[tuple[int, float]]:
    """Best-mixture error of the first m public rows, for each m, yielded as it is found (exact).

    It is about accuracy, and computed from confidential records: publishing it is a release with no promise yet. More
    rows never raise it: the first m rows contain the fewer.
    Source: liu, Definition 4.1 and Figure 3

    Parameters
    ----------
    workload : Workload; the marginals
    private_rows, public_rows : array, shape (records, attributes); the records
    row_counts : sequence of int; numbers of public rows, each from 1 to all of them

    Yields
    ------
    tuple of int and float
        The number of rows and the error.

    Examples
    --------
    >>> workload = Workload(sizes=(2,), sets=((0,),))
    >>> list(best_mixture_by_public_rows(workload, [[0], [1]], [[0], [1]], row_counts=[1, 2]))
    [(1, 0.5), (2, 0.0)]
    """
    check_workload(workload)
    truth = np.clip(workload.answers(workload.checked_rows(private_rows, name="private_rows")), 0.0, 1.0)
    public = workload.checked_rows(public_rows, name="public_rows")
    counts = [_checks.count("row_counts", count, 1, len(public)) for count in row_counts]
    return ((count, best_mixture_error(workload, public[:count], truth)) for count in counts)
