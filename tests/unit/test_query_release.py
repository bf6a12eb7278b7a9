"""Marginal workloads, selection, multiplicative weights, baselines and the best mixture."""

from __future__ import annotations

import itertools
import math
import re
from typing import Any

import mpmath
import numpy as np
import pytest

from dpcore.errors import Refused
from dpcore.guarantees import (
    approximate_epsilon_from_concentrated,
    approximate_epsilon_from_concentrated_best_order,
    concentrated_epsilon_from_approximate,
    concentrated_epsilon_from_approximate_best_order,
)
from dpcore.public_information import (
    Support,
    Workload,
    best_mixture_error,
    best_mixture_noise_std,
    distinct_records,
    draw_gaussian_marginals,
    draw_query_release,
    gaussian_marginals_std,
    renyi_divergence,
    replayed_measurements,
    round_budget,
    selection_probabilities,
    sufficient_records,
    updated_weights,
)
from tests.each import each
from tests.slow_query_release import query_table, slow_query_release

SIZES = (3, 2, 4)
WORKLOAD = Workload.all_marginals(SIZES, order=2)
RECORDS = np.random.default_rng(5).integers(0, SIZES, size=(400, 3)) // [1, 1, 2]
PUBLIC, SHARES = distinct_records(RECORDS[:60])
TRUTH = WORKLOAD.answers(RECORDS)


def test_answers_equal_a_count_by_hand() -> None:
    weights = np.arange(1, 61) / np.sum(np.arange(1, 61))
    expected = query_table(RECORDS[:60], SIZES, WORKLOAD.sets) @ weights
    np.testing.assert_allclose(WORKLOAD.answers(RECORDS[:60], weights), expected, atol=1e-15)


def test_a_label_names_the_levels_that_the_query_counts() -> None:
    for query in range(WORKLOAD.queries):
        match = np.all([RECORDS[:, attribute] == level for attribute, level in WORKLOAD.label(query)], axis=0)
        assert WORKLOAD.answers(RECORDS)[query] == pytest.approx(match.mean())


def test_every_record_lists_the_domain_once() -> None:
    every = WORKLOAD.every_record()
    assert len(np.unique(every, axis=0)) == len(every) == WORKLOAD.domain == 24


@pytest.mark.parametrize("replay", [False, True])
@pytest.mark.parametrize("support", ["public", "all"])
def test_a_run_equals_the_slow_version_from_the_definition(support: str, replay: bool) -> None:
    rows = PUBLIC if support == "public" else WORKLOAD.every_record()
    weights = SHARES if support == "public" else np.full(len(rows), 1 / len(rows))
    run = draw_query_release(
        WORKLOAD,
        TRUTH,
        rows=rows,
        weights=weights,
        records=400,
        concentrated_epsilon=0.5,
        rounds=25,
        replay=replay,
        seed=9,
    )
    answers, final, selected = slow_query_release(
        query_table(rows, SIZES, WORKLOAD.sets),
        TRUTH,
        weights,
        records=400,
        concentrated_epsilon=0.5,
        rounds=25,
        seed=9,
        replay=replay,
    )
    assert list(run.selected) == selected
    np.testing.assert_allclose(run.answers, answers, atol=1e-13)
    np.testing.assert_allclose(run.weights, final, atol=1e-13)


def test_a_trace_repeats_single_updates() -> None:
    steps = [(0, 0.5), (7, 0.2), (0, 0.4)]
    table = query_table(PUBLIC, SIZES, WORKLOAD.sets)
    weights, total = SHARES, np.zeros(WORKLOAD.queries)
    for query, answer in steps:
        total += WORKLOAD.answers(PUBLIC, weights) / len(steps)
        weights = updated_weights(weights, table[query], answer=answer)
    release = replayed_measurements(WORKLOAD, PUBLIC, SHARES, steps)
    np.testing.assert_allclose(release.weights, weights, atol=1e-15)
    np.testing.assert_allclose(release.answers, total, atol=1e-15)
    assert release.selected == (0, 7, 0)


def test_many_rounds_stay_normalised() -> None:
    release = replayed_measurements(WORKLOAD, PUBLIC, SHARES, [(0, 1.0)] * 3000)
    assert release.weights.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(WORKLOAD.answers(PUBLIC, release.weights)[0], 1.0, atol=0.01)


def test_with_a_large_budget_whole_marginals_reach_the_private_answers() -> None:
    run = draw_query_release(
        WORKLOAD,
        TRUTH,
        rows=WORKLOAD.every_record(),
        records=400,
        concentrated_epsilon=1000.0,
        rounds=30,
        measurement="marginal",
        seed=1,
    )
    assert run.max_error(TRUTH) < 0.003
    assert set(run.selected) == {0, 1, 2}


def test_answers_of_a_run_are_those_of_a_distribution_on_the_support() -> None:
    run = draw_query_release(
        WORKLOAD,
        TRUTH,
        rows=PUBLIC,
        weights=SHARES,
        records=400,
        concentrated_epsilon=0.05,
        measurement="marginal",
        seed=2,
    )
    np.testing.assert_allclose(run.answers, WORKLOAD.answers(PUBLIC, run.weights), atol=1e-12)
    assert run.max_error(TRUTH) >= best_mixture_error(WORKLOAD, PUBLIC, TRUTH) - 1e-9


def test_a_prepared_support_gives_the_same_run() -> None:
    prepared = Support(WORKLOAD, PUBLIC)
    settings = {"records": 400, "concentrated_epsilon": 0.1, "seed": 4}
    plain = draw_query_release(WORKLOAD, TRUTH, rows=PUBLIC, **settings)
    np.testing.assert_array_equal(draw_query_release(WORKLOAD, TRUTH, rows=prepared, **settings).answers, plain.answers)
    other = Support(Workload.all_marginals(SIZES, order=1), PUBLIC)
    with pytest.raises(ValueError, match="rows must be a support of the same workload; got one of another"):
        draw_query_release(WORKLOAD, TRUTH, rows=other, **settings)


def test_equal_seeds_give_equal_runs_and_other_seeds_others() -> None:
    def answers(seed: int, selection: str) -> np.ndarray:
        return draw_query_release(
            WORKLOAD, TRUTH, rows=PUBLIC, records=400, concentrated_epsilon=0.1, selection=selection, seed=seed
        ).answers

    np.testing.assert_array_equal(answers(1, "exponential"), answers(1, "exponential"))
    assert not np.array_equal(answers(1, "exponential"), answers(2, "exponential"))
    assert not np.array_equal(answers(1, "exponential"), answers(1, "permute_and_flip"))


def permute_and_flip_by_enumeration(scores: list[float], epsilon: float) -> list[float]:
    """The mechanism's definition: candidates in random order, each accepted with exp(epsilon (score - best) / 2)."""
    best = max(scores)
    accept = [math.exp(epsilon * (score - best) / 2) for score in scores]
    chances = [0.0] * len(scores)
    for order in itertools.permutations(range(len(scores))):
        reached = 1 / math.factorial(len(scores))
        for candidate in order:
            chances[candidate] += reached * accept[candidate]
            reached *= 1 - accept[candidate]
    return chances


@pytest.mark.parametrize("scores", [[0.0, 1.0, 1.0, 4.0], [2.0], [0.0, 0.0, 0.0], [-900.0, 3.0, 2.5, 0.0, 1.0]])
@pytest.mark.parametrize("epsilon", [0.1, 2.0])
def test_permute_and_flip_equals_its_enumeration(scores: list[float], epsilon: float) -> None:
    np.testing.assert_allclose(
        selection_probabilities(scores, epsilon=epsilon), permute_and_flip_by_enumeration(scores, epsilon), atol=1e-14
    )


def test_the_exponential_mechanism_has_the_stated_ratio() -> None:
    chances = selection_probabilities([1.0, 3.0], epsilon=0.7, sensitivity=2.0, rule="exponential")
    assert chances[1] / chances[0] == pytest.approx(math.exp(0.7 * 2 / 4))


def test_two_thousand_candidates_are_resolved() -> None:
    chances = selection_probabilities(np.linspace(0, 1, 2000), epsilon=1.0)
    assert chances.sum() == pytest.approx(1.0)
    assert (np.diff(chances) > 0).all()


def test_budgets_invert() -> None:
    for exact, inverse in (
        (approximate_epsilon_from_concentrated_best_order, concentrated_epsilon_from_approximate_best_order),
        (approximate_epsilon_from_concentrated, concentrated_epsilon_from_approximate),
    ):
        spend = inverse(epsilon=0.5, delta=1e-9)
        assert exact(concentrated_epsilon=spend, delta=1e-9) == pytest.approx(0.5, rel=1e-9)


def test_the_minimised_budget_equals_a_dense_search_over_orders() -> None:
    orders = 1 + np.arange(1, 200_000) / 1000
    bounds = 0.005 * orders - np.log(orders * 1e-10) / (orders - 1) + np.log1p(-1 / orders)
    assert approximate_epsilon_from_concentrated_best_order(concentrated_epsilon=0.1, delta=1e-10) == pytest.approx(
        bounds.min(), rel=1e-8
    )
    closed = 0.1**2 / 2 + math.sqrt(2 * math.log(1e10)) * 0.1
    assert approximate_epsilon_from_concentrated(concentrated_epsilon=0.1, delta=1e-10) == pytest.approx(
        closed, rel=1e-12
    )


def test_a_fit_of_100_updates_lies_above_the_best_mixture() -> None:
    # The paper shades what lies below such a fit as unreachable; the linear programme reaches it.
    steps: list[tuple[int, float]] = []
    answers = WORKLOAD.answers(PUBLIC)
    for _ in range(100):
        worst = int(np.argmax(np.abs(answers - TRUTH)))
        steps.append((worst, float(TRUTH[worst])))
        answers = WORKLOAD.answers(PUBLIC, replayed_measurements(WORKLOAD, PUBLIC, None, steps).weights)
    assert np.max(np.abs(answers - TRUTH)) > 1.05 * best_mixture_error(WORKLOAD, PUBLIC, TRUTH)


def test_the_rounds_spend_the_whole_budget() -> None:
    budget = round_budget(concentrated_epsilon=0.3, rounds=20, records=1000)
    query = 20 * (budget.selection_epsilon**2 / 2 + (1 / 1000) ** 2 / (2 * budget.query_std**2))
    marginal = 20 * (budget.selection_epsilon**2 / 2 + 2 * (1 / 1000) ** 2 / (2 * budget.marginal_std**2))
    assert query == pytest.approx(0.3**2 / 2)
    assert marginal == pytest.approx(0.3**2 / 2)


def test_all_marginals_at_once_spend_the_whole_budget() -> None:
    std = gaussian_marginals_std(marginals=84, records=500, concentrated_epsilon=0.3)
    assert 84 * 2 * (1 / 500) ** 2 / (2 * std**2) == pytest.approx(0.3**2 / 2)


def test_gaussian_answers_stay_in_range_and_have_the_stated_noise() -> None:
    answers = draw_gaussian_marginals(WORKLOAD, TRUTH, records=400, concentrated_epsilon=0.5, seed=1)
    assert answers.min() >= 0
    assert answers.max() <= 1
    std = gaussian_marginals_std(marginals=3, records=400, concentrated_epsilon=0.5)
    inside = (answers > 0) & (answers < 1)
    assert np.std((answers - TRUTH)[inside]) == pytest.approx(std, rel=0.4)


def test_the_best_mixture_error_has_the_published_sensitivity() -> None:
    records = RECORDS[:50].copy()
    before = best_mixture_error(WORKLOAD, PUBLIC[:8], WORKLOAD.answers(records))
    for replaced in range(0, 50, 10):
        changed = records.copy()
        changed[replaced] = [2, 1, 3]
        after = best_mixture_error(WORKLOAD, PUBLIC[:8], WORKLOAD.answers(changed))
        assert abs(after - before) <= 1 / 50 + 1e-9


def test_the_best_mixture_error_is_attained_and_not_beaten_by_random_weights() -> None:
    floor = best_mixture_error(WORKLOAD, PUBLIC[:6], TRUTH)
    generator = np.random.default_rng(3)
    for weights in generator.dirichlet(np.ones(6), size=200):
        assert np.max(np.abs(WORKLOAD.answers(PUBLIC[:6], weights) - TRUTH)) >= floor - 1e-9
    assert best_mixture_error(WORKLOAD, RECORDS, TRUTH) == pytest.approx(0.0, abs=1e-9)


def test_a_query_without_public_rows_sets_the_floor() -> None:
    assert best_mixture_error(Workload((3,), ((0,),)), [[0], [1]], [0.5, 0.2, 0.3]) == pytest.approx(0.3)


@pytest.mark.parametrize(("order", "expected"), [(1, 0.5 * math.log(4 / 3)), (math.inf, math.log(2)), (0.5, None)])
def test_the_renyi_divergence_at_its_special_orders(order: float, expected: float | None) -> None:
    law, other = [0.5, 0.5], [0.25, 0.75]
    if expected is None:
        expected = -2 * math.log(math.sqrt(0.5 * 0.25) + math.sqrt(0.5 * 0.75))
    assert renyi_divergence(law, other, order=order) == pytest.approx(expected)


def test_a_divergence_near_order_one_does_not_hang_on_the_last_typed_digit() -> None:
    other = [1e-60, 0.5, 0.5]
    exact, typed = (renyi_divergence([third] * 3, other, order=1.00001) for third in (1 / 3, 0.333333333))
    assert exact == pytest.approx(math.log(1e60 / 3) / 3 + 2 / 3 * math.log(2 / 3), rel=1e-3)
    assert typed == pytest.approx(exact, rel=1e-12)


def test_a_forbidden_outcome_makes_the_divergence_infinite() -> None:
    assert renyi_divergence([0.5, 0.5], [1.0, 0.0], order=2) == math.inf
    assert renyi_divergence([1.0, 0.0], [0.0, 1.0], order=0.5) == math.inf
    assert renyi_divergence([1.0, 0.0], [0.5, 0.5], order=2) == pytest.approx(math.log(2))


def test_more_divergent_public_data_need_more_rows() -> None:
    near = sufficient_records(error=0.1, queries=100, failure=0.05, divergence_2=0.1, divergence_infinity=0.5)
    far = sufficient_records(error=0.1, queries=100, failure=0.05, divergence_2=1.0, divergence_infinity=2.0)
    assert near.private == far.private
    assert near.public < far.public


RUN = {"rows": PUBLIC, "records": 400, "concentrated_epsilon": 0.1, "seed": 1}


@each(
    "call, message",
    [
        (lambda: Workload((), ((0,),)), "sizes must name at least one attribute; got none"),
        (lambda: Workload((2, 0), ((0,),)), r"sizes\[1\] must be a whole number of at least 1; got 0"),
        (lambda: Workload((2, 2), ()), "sets must name at least one marginal; got none"),
        (lambda: Workload((2, 2), ((2,),)), "sets must be a whole number from 0 to 1; got 2"),
        (lambda: Workload((2, 2), ((0, 0),)), r"sets must name distinct attributes in each marginal; got \[0, 0\]"),
        (lambda: Workload((2, 2), ((),)), r"sets must name distinct attributes in each marginal; got \[\]"),
        (lambda: Workload((1000, 1000), ((0, 1),)), "sets must ask at most 200000 queries; got 1000000"),
        (lambda: Workload((2000, 2000), ((0,),)).every_record(), "sizes must give at most 2000000 possible records"),
        (lambda: Workload.all_marginals((2, 2), order=3), "order must be a whole number from 1 to 2; got 3"),
        (lambda: WORKLOAD.answers([[0, 0]]), r"rows must have at least one record and 3 columns; got shape \(1, 2\)"),
        (lambda: WORKLOAD.answers(np.empty((0, 3))), "rows must have at least one record and 3 columns"),
        (lambda: WORKLOAD.answers([[0, 0, 0.5]]), "rows must hold whole numbers; got float64"),
        (lambda: WORKLOAD.answers([[0, 2, 0]]), r"rows must lie in the levels of attribute 1 \(0 to 1\); got 2"),
        (lambda: WORKLOAD.answers([[0, 0, -1]]), r"rows must lie in the levels of attribute 2 \(0 to 3\); got -1"),
        (lambda: WORKLOAD.answers([[0, 0, 0]], [0.5]), "weights must add up to 1; got 0.5"),
        (lambda: WORKLOAD.answers([[0, 0, 0]], [0.5, 0.5]), r"weights must have one value per record \(1\); got 2"),
        (lambda: WORKLOAD.answers([[0, 0, 0]], [-1.0]), "weights must be at least 0 and finite; got -1"),
        (lambda: WORKLOAD.label(99), "query must be a whole number from 0 to 25; got 99"),
        (lambda: selection_probabilities([], epsilon=1.0), "scores must hold 1 to 2000 candidates; got 0"),
        (lambda: selection_probabilities([math.nan], epsilon=1.0), "scores must be finite; got nan"),
        (lambda: selection_probabilities([1.0], epsilon=0.0), "epsilon must be greater than 0 and finite; got 0"),
        (lambda: selection_probabilities([1.0], epsilon=1.0, sensitivity=0), "sensitivity must be greater than 0"),
        (lambda: selection_probabilities([1.0], epsilon=1.0, rule="best"), "rule must be one of 'permute_and_flip'"),
        (lambda: updated_weights([0.5, 0.5], [1, 0], answer=1.5), r"answer must lie in \[0, 1\]; got 1.5"),
        (lambda: updated_weights([0.5, 0.5], [1, 2], answer=0.5), r"query must lie in \[0, 1\]; got 2"),
        (lambda: updated_weights([0.5, 0.5], [1], answer=0.5), r"query must have one value per record \(2\); got 1"),
        (lambda: replayed_measurements(WORKLOAD, PUBLIC, None, []), "steps must hold at least one round; got none"),
        (
            lambda: replayed_measurements(WORKLOAD, PUBLIC, None, [(99, 0.5)]),
            "steps must be a whole number from 0 to 25",
        ),
        (lambda: replayed_measurements(WORKLOAD, PUBLIC, None, [(0, 2)]), r"answer must lie in \[0, 1\]; got 2"),
        (
            lambda: round_budget(concentrated_epsilon=0, rounds=1, records=1),
            "concentrated_epsilon must be greater than 0",
        ),
        (
            lambda: round_budget(concentrated_epsilon=1, rounds=0, records=1),
            "rounds must be a whole number from 1 to 10000",
        ),
        (
            lambda: round_budget(concentrated_epsilon=1, rounds=1, records=0),
            "records must be a whole number of at least 1",
        ),
        (
            lambda: gaussian_marginals_std(marginals=0, records=1, concentrated_epsilon=1),
            "marginals must be a whole number",
        ),
        (lambda: best_mixture_noise_std(records=10, epsilon=0), "epsilon must be greater than 0 and finite; got 0"),
        (
            lambda: approximate_epsilon_from_concentrated_best_order(concentrated_epsilon=0.1, delta=0),
            r"delta must lie in \(0, 1\); got 0",
        ),
        (
            lambda: approximate_epsilon_from_concentrated(concentrated_epsilon=0.1, delta=1),
            r"delta must lie in \(0, 1\); got 1",
        ),
        (
            lambda: concentrated_epsilon_from_approximate_best_order(epsilon=0, delta=0.1),
            "epsilon must be greater than 0 and finite; got 0",
        ),
        (
            lambda: concentrated_epsilon_from_approximate(epsilon=-1, delta=0.1),
            "epsilon must be greater than 0 and finite; got -1",
        ),
        (lambda: best_mixture_error(WORKLOAD, PUBLIC, [0.5]), r"target must have one value per query \(26\); got 1"),
        (lambda: best_mixture_error(WORKLOAD, PUBLIC, TRUTH * 9), r"target must lie in \[0, 1\]; got"),
        (
            lambda: draw_query_release(WORKLOAD, [0.5], **RUN),
            r"private_answers must have one value per query \(26\); got 1",
        ),
        (lambda: draw_query_release(WORKLOAD, TRUTH, **RUN, selection="x"), "selection must be one of"),
        (lambda: draw_query_release(WORKLOAD, TRUTH, **RUN, measurement="x"), "measurement must be one of"),
        (
            lambda: draw_gaussian_marginals(WORKLOAD, [0.5], records=9, concentrated_epsilon=1.0, seed=1),
            r"private_answers must have one value per query \(26\); got 1",
        ),
        (
            lambda: draw_query_release(WORKLOAD, TRUTH, **(RUN | {"rows": np.zeros((7_000_000, 3), dtype=np.int8)})),
            "rows times marginals must be at most 20000000; got 21000000",
        ),
        (
            lambda: best_mixture_error(Workload((150, 150), ((0, 1),)), [[0, 0]], np.zeros(22_500)),
            "rows must hold at most 20000 distinct records, and the workload as many queries; got 1 and 22500",
        ),
        (lambda: renyi_divergence([0.5, 0.4], [0.5, 0.5], order=2), "law must add up to 1; got 0.9"),
        (
            lambda: renyi_divergence([1.0], [0.5, 0.5], order=2),
            "law and other must have the same outcomes; got 1 and 2",
        ),
        (lambda: renyi_divergence([1.0], [1.0], order=0), "order must be greater than 0"),
        (
            lambda: sufficient_records(error=1.5, queries=1, failure=0.1, divergence_2=0, divergence_infinity=0),
            r"error must lie in \(0, 1\); got 1.5",
        ),
        (
            lambda: sufficient_records(error=0.5, queries=1, failure=0.1, divergence_2=1, divergence_infinity=0.5),
            "divergence_infinity must be at least divergence_2; got 0.5",
        ),
    ],
)
def test_refusals(call: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()  # type: ignore[operator]


@each("order", [1 - 1e-6, 1 - 1e-12, 1 + 1e-15, 1 + 1e-9, 1 + 1e-4])
def test_the_renyi_divergence_has_its_digits_next_to_order_one(order: float) -> None:
    with mpmath.workdps(60):
        exact = mpmath.mpf(order)
        sums = mpmath.fsum(mpmath.mpf(p) ** exact * mpmath.mpf(0.5) ** (1 - exact) for p in (0.75, 0.25))
        expected = float(mpmath.log(sums) / (exact - 1))
    assert renyi_divergence([0.75, 0.25], [0.5, 0.5], order=order) == pytest.approx(expected, rel=1e-12)


@each(
    "answers, text",
    [
        ([0.5], "private_answers must have one value per query (2); got 1"),
        ([0.9, -4.0], "private_answers must lie in [0, 1]; got -4.0"),
        ([math.nan, 0.5], "private_answers must lie in [0, 1]; got nan"),
    ],
)
def test_an_error_is_of_one_answer_for_each_query(answers: list[float], text: str) -> None:
    found = replayed_measurements(Workload(sizes=(2,), sets=((0,),)), [[0], [1]], None, [(0, 0.75)])
    with pytest.raises(Refused, match=re.escape(text)):
        found.max_error(answers)


def test_replay_is_true_or_false() -> None:
    with pytest.raises(Refused, match="replay must be True or False; got 'x'"):
        draw_query_release(WORKLOAD, TRUTH, rows=PUBLIC, records=400, concentrated_epsilon=1, replay="x", seed=1)  # type: ignore[arg-type]


ONE = Workload(sizes=(2,), sets=((0,),))


@each(
    "ask, text",
    [
        (lambda: replayed_measurements(ONE, [[0], [1]], None, [(0,)]), "steps must be pairs (query, answer); got (0,)"),
        (lambda: replayed_measurements(ONE, [[0], [1]], None, [0]), "steps must be pairs (query, answer); got 0"),
        (lambda: ONE.answers([[0], [0, 1]]), "rows must have at least one record and 1 columns; got shape ()"),
        (lambda: Support(ONE, [[0], [0, 1]]), "rows must have at least one record and 1 columns; got shape ()"),
        (lambda: Support(ONE, 3), "rows must have at least one record and 1 columns; got shape ()"),
        (lambda: ONE.answers([[1e30]]), "rows must lie in the levels of attribute 0 (0 to 1); got 1000000000000000019"),
        (
            lambda: Workload.all_marginals((2,) * 30, order=15),
            "order must give at most 200000 marginals; got 155117520",
        ),
        (lambda: Workload.all_marginals(3, order=1), "sizes must be numbers of levels such as (2, 3); got 3"),
        (lambda: Workload(sizes=3, sets=((0,),)), "sizes must be numbers of levels such as (2, 3); got 3"),
        (lambda: Workload(sizes=(2,), sets=(0,)), "sets must be sets of attributes such as ((0,), (0, 1)); got 0"),
        (lambda: updated_weights([0.5, 0.5], ["a", 1], answer=0.5), "query must be numbers; got ['a', 1]"),
        (lambda: best_mixture_error(3, [[0]], [0.5]), "workload must be a workload such as"),
        (lambda: Support(3, [[0]]), "workload must be a workload such as"),
        (
            lambda: sufficient_records(
                error=0.1, queries=3, failure=0.1, divergence_2=800.0, divergence_infinity=900.0
            ),
            "error and divergences must need fewer than 1e308 records; got (0.1, 800.0, 900.0)",
        ),
        (
            lambda: sufficient_records(error=1e-200, queries=3, failure=0.1, divergence_2=0.1, divergence_infinity=0.1),
            "error and divergences must need fewer than 1e308 records",
        ),
    ],
)
def test_what_is_no_workload_no_table_or_too_much_is_refused(ask: Any, text: str) -> None:
    with pytest.raises(Refused, match=re.escape(text)):
        ask()


def test_a_query_may_be_given_as_true_and_false() -> None:
    assert np.array_equal(
        updated_weights([0.5, 0.5], [True, False], answer=0.8), updated_weights([0.5, 0.5], [1, 0], answer=0.8)
    )
