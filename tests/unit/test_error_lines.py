"""Lines of error against budget: they arrive one by one, in order, and say what they are."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpcore.errors import Refused
from dpcore.public_information import (
    METHODS,
    ErrorLine,
    Workload,
    best_mixture_by_public_rows,
    best_mixture_error,
    crossing_epsilon,
    error_lines,
)

WORKLOAD = Workload.all_marginals((3, 2, 2), order=2)
_GENERATOR = np.random.default_rng(8)
PRIVATE = _GENERATOR.integers(0, (3, 2, 2), size=(2000, 3))
PUBLIC = _GENERATOR.integers(0, (2, 2, 2), size=(40, 3))
GRID = (0.1, 1.0, 10.0)


def lines(**changes: object) -> dict[str, ErrorLine]:
    settings: dict[str, object] = {"epsilons": GRID, "delta": 1e-8, "rounds": 8} | changes
    return {line.method: line for line in error_lines(WORKLOAD, PRIVATE, PUBLIC, **settings)}  # type: ignore[arg-type]


def test_lines_come_in_the_stated_order() -> None:
    assert tuple(lines()) == METHODS
    assert tuple(lines(methods=["best_mixture", "gaussian"])) == ("gaussian", "best_mixture")


def test_a_caller_may_stop_after_the_first_line() -> None:
    stream = error_lines(WORKLOAD, PRIVATE, PUBLIC, delta=1e-8)
    assert next(stream).method == "public_alone"
    stream.close()  # type: ignore[attr-defined]


def test_public_data_alone_do_not_depend_on_the_budget() -> None:
    truth = WORKLOAD.answers(PRIVATE)
    line = lines(methods=["public_alone"])["public_alone"]
    assert line.errors == (pytest.approx(np.max(np.abs(WORKLOAD.answers(PUBLIC) - truth))),) * 3
    assert line.exact
    assert line.standard_errors == (0.0,) * 3


def test_no_reweighting_of_the_public_rows_falls_below_the_floor() -> None:
    found = lines()
    floor = found["best_mixture"].errors[0]
    assert floor == pytest.approx(best_mixture_error(WORKLOAD, PUBLIC, WORKLOAD.answers(PRIVATE)))
    for method in ("public_alone", "public_assisted", "public_assisted_marginals"):
        assert min(found[method].errors) >= floor - 1e-9


def test_plain_noise_wins_when_the_budget_is_large() -> None:
    found = lines()
    assert found["gaussian"].errors[-1] < found["public_assisted"].errors[-1]
    assert crossing_epsilon(found["public_assisted"], found["gaussian"]) in GRID
    assert crossing_epsilon(found["gaussian"], found["public_alone"]) is None


def test_progress_counts_every_run_and_can_stop() -> None:
    told: list[tuple[int, int]] = []
    whole = lines(progress=lambda done, total: told.append((done, total)), repeats=2)
    assert told == [(done, 24) for done in range(1, 25)]

    def enough(done: int, total: int) -> bool:
        told.append((done, total))
        return done == 8

    told.clear()
    kept = lines(progress=enough, repeats=2)
    assert told[-1] == (8, 24)
    assert list(kept) == ["public_alone", "gaussian"]
    assert kept["gaussian"] == whole["gaussian"]


def test_one_run_has_no_standard_error() -> None:
    assert all(math.isnan(value) for value in lines(repeats=1, methods=["gaussian"])["gaussian"].standard_errors)


def test_runs_have_seeds_in_a_row_and_their_mean_its_standard_error() -> None:
    one, other = (np.array(lines(repeats=1, seed=seed, methods=["gaussian"])["gaussian"].errors) for seed in (5, 6))
    both = lines(repeats=2, seed=5, methods=["gaussian"])["gaussian"]
    assert both.errors == pytest.approx((one + other) / 2)
    assert both.standard_errors == pytest.approx(np.abs(one - other) / 2)  # two runs: their distance over 2


def test_row_counts_are_answered_one_by_one() -> None:
    found = list(best_mixture_by_public_rows(WORKLOAD, PRIVATE, PUBLIC, row_counts=[1, 10, 40]))
    assert [count for count, _ in found] == [1, 10, 40]
    assert found[0][1] >= found[1][1] >= found[2][1]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"epsilons": ()}, "epsilons must hold 1 to 50 budgets; got 0"),
        ({"epsilons": (1.0, 0.5)}, "epsilons must be in increasing order"),
        ({"epsilons": (0.0, 0.5)}, "epsilons must be greater than 0"),
        ({"delta": 0}, r"delta must lie in \(0, 1\); got 0"),
        ({"rounds": 0}, "rounds must be a whole number from 1 to 10000; got 0"),
        ({"marginal_rounds": 0}, "marginal_rounds must be a whole number from 1 to 10000; got 0"),
        ({"repeats": 101}, "repeats must be a whole number from 1 to 100; got 101"),
        ({"seed": -1}, "seed must be a whole number of at least 0; got -1"),
        ({"methods": ["magic"]}, "methods must be one of 'public_alone'"),
    ],
)
def test_a_bad_setting_is_refused_before_the_first_line(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        error_lines(WORKLOAD, PRIVATE, PUBLIC, **({"delta": 1e-8} | changes))  # type: ignore[arg-type]


def test_other_refusals() -> None:
    wide = Workload.all_marginals((10,) * 9, order=1)
    with pytest.raises(
        ValueError, match="methods must leave out 'no_public_data' when possible records times marginals"
    ):
        error_lines(wide, np.zeros((2, 9), dtype=int), np.zeros((2, 9), dtype=int), delta=1e-8)
    with pytest.raises(ValueError, match="public_rows must have at least one record and 3 columns"):
        error_lines(WORKLOAD, PRIVATE, np.empty((0, 3)), delta=1e-8)
    with pytest.raises(ValueError, match="row_counts must be a whole number from 1 to 40; got 41"):
        best_mixture_by_public_rows(WORKLOAD, PRIVATE, PUBLIC, row_counts=[41])
    with pytest.raises(ValueError, match="first and second must have the same budgets"):
        crossing_epsilon(ErrorLine("gaussian", (1.0,), (0.1,), (0.0,)), ErrorLine("gaussian", (2.0,), (0.1,), (0.0,)))


def test_without_public_rows_the_lines_that_need_none_are_the_same() -> None:
    asked = ["gaussian", "no_public_data"]
    alone = error_lines(WORKLOAD, PRIVATE, None, epsilons=GRID, delta=1e-8, rounds=8, methods=asked)
    assert {line.method: line for line in alone} == lines(methods=asked)


def test_a_line_that_needs_public_rows_is_refused_without_them() -> None:
    with pytest.raises(ValueError, match=r"methods must be among gaussian, no_public_data .* got 'public_alone'"):
        error_lines(WORKLOAD, PRIVATE, None, delta=1e-8)


def test_an_unknown_error_is_not_below_and_each_budget_has_one() -> None:
    low = ErrorLine("gaussian", (0.1, 1.0), (0.1, 0.1), (0.0, 0.0))
    assert crossing_epsilon(low, ErrorLine("gaussian", (0.1, 1.0), (math.nan, 0.01), (0.0, 0.0))) == 1.0
    with pytest.raises(Refused, match=r"second must have one error for each budget; got \(0.1,\)"):
        crossing_epsilon(low, ErrorLine("gaussian", (0.1, 1.0), (0.1,), (0.0,)))


def test_what_is_no_workload_and_no_line_is_refused() -> None:
    for ask in (
        lambda: error_lines(3, PRIVATE, PUBLIC, delta=1e-8),  # type: ignore[arg-type]
        lambda: best_mixture_by_public_rows(3, PRIVATE, PUBLIC, row_counts=[1]),  # type: ignore[arg-type]
    ):
        with pytest.raises(Refused, match="workload must be a workload such as"):
            ask()
    with pytest.raises(Refused, match="first must be a line of `error_lines`; got 3"):
        crossing_epsilon(3, 3)  # type: ignore[arg-type]
