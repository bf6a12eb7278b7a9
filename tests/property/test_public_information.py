"""Laws that hold for every input: more correlation, more budget, more public rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore.guarantees import (
    approximate_epsilon_from_concentrated,
    approximate_epsilon_from_concentrated_best_order,
    concentrated_epsilon_from_approximate_best_order,
)
from dpcore.public_information import (
    CorrelatedAnswers,
    CountTableRelease,
    RangedCount,
    Workload,
    best_mixture_error,
    draw_query_release,
    replayed_measurements,
    selection_probabilities,
    worst_table_loss,
)

RATES = st.floats(0, 1).map(lambda rate: round(rate, 3))
EPSILONS = st.floats(0.01, 5)


@given(st.integers(1, 60), RATES, RATES, EPSILONS)
def test_the_exact_loss_never_exceeds_the_bound(people: int, no: float, yes: float, epsilon: float) -> None:
    answers = CorrelatedAnswers(people=people, rate_if_no=no, rate_if_yes=yes)
    assert answers.loss(epsilon) <= answers.loss_bound(epsilon) * (1 + 1e-9)
    assert 1 <= answers.distance <= people


@given(st.integers(1, 60), RATES, RATES, EPSILONS)
def test_answers_that_agree_never_lose_less_than_unrelated_ones(
    people: int, one: float, other: float, epsilon: float
) -> None:
    answers = CorrelatedAnswers(people=people, rate_if_no=min(one, other), rate_if_yes=max(one, other))
    assert answers.loss(epsilon) >= epsilon * (1 - 1e-12)


@given(st.integers(2, 40), RATES, RATES, EPSILONS)
def test_counting_the_noes_instead_changes_nothing(people: int, no: float, yes: float, epsilon: float) -> None:
    answers = CorrelatedAnswers(people=people, rate_if_no=no, rate_if_yes=yes)
    mirrored = CorrelatedAnswers(people=people, rate_if_no=1 - yes, rate_if_yes=1 - no)
    assert mirrored.loss(epsilon) == pytest.approx(answers.loss(epsilon), rel=1e-6, abs=1e-9)
    assert mirrored.distance == answers.distance


@given(st.integers(1, 40), RATES, RATES, st.floats(0.05, 3))
def test_solving_for_the_noise_meets_the_target(people: int, no: float, yes: float, target: float) -> None:
    answers = CorrelatedAnswers(people=people, rate_if_no=no, rate_if_yes=yes)
    epsilon = answers.noise_epsilon(target)
    assert answers.loss(epsilon) == pytest.approx(target, rel=1e-8)
    assert answers.loss(epsilon * 1.01) >= answers.loss(epsilon) - 1e-12


@given(st.lists(st.integers(0, 12), min_size=1, max_size=5), st.floats(0.01, 8))
def test_cell_laws_are_laws_and_their_means_add_up_to_the_total(true: list[int], epsilon: float) -> None:
    release = CountTableRelease(true=tuple(true), epsilon_per_unit=epsilon)
    laws = release.cell_laws()
    np.testing.assert_allclose(laws.sum(axis=1), 1.0, atol=1e-12)
    assert np.sum(laws @ np.arange(sum(true) + 1)) == pytest.approx(sum(true), abs=1e-8)


@settings(max_examples=25)
@given(st.integers(1, 4), st.integers(0, 5), st.floats(0.01, 3), st.lists(st.floats(0.05, 9), min_size=4, max_size=4))
def test_the_table_loss_lies_between_the_nominal_one_and_twice_it(
    cells: int, total: int, epsilon: float, parameters: list[float]
) -> None:
    for concentrations in (None, parameters[:cells]):
        loss = worst_table_loss(cells=cells, total=total, epsilon_per_unit=epsilon, concentrations=concentrations)
        if cells == 1 or total == 0:
            assert loss == 0
        else:
            assert 2 * epsilon * (1 - 1e-12) <= loss <= 4 * epsilon * (1 + 1e-12)


@given(st.integers(1, 300), st.floats(0.01, 8))
def test_conditioning_costs_between_one_and_two_budgets_and_clamping_one(people: int, epsilon: float) -> None:
    assert epsilon <= RangedCount(people=people, epsilon=epsilon, treatment="conditioned").loss <= 2 * epsilon
    assert RangedCount(people=people, epsilon=epsilon, treatment="clamped").loss == epsilon


@given(st.integers(1, 60), st.floats(0.01, 5), st.integers(-80, 140), st.floats(0.1, 9), st.floats(0.1, 9))
def test_the_rate_posterior_is_a_law_inside_the_unit_interval(
    people: int, epsilon: float, release: int, a: float, b: float
) -> None:
    posterior = RangedCount(people=people, epsilon=epsilon).rate_posterior(release, prior=(a, b))
    assert posterior.weights.sum() == pytest.approx(1.0)
    assert 0 < posterior.mean < 1
    assert 0 < posterior.variance < 0.25
    assert 0 < posterior.acceptance <= 1 + 1e-12


@given(st.integers(1, 40), st.floats(0.05, 3), st.floats(0.2, 5), st.floats(0.2, 5))
def test_the_posterior_mean_averages_to_the_prior_mean(people: int, epsilon: float, a: float, b: float) -> None:
    count = RangedCount(people=people, epsilon=epsilon, treatment="conditioned")
    laws = np.exp([count.log_likelihood(release) for release in range(people + 1)])
    prior_counts = RangedCount(people=people, epsilon=1e-9).rate_posterior(0, prior=(a, b)).weights
    means = [count.rate_posterior(release, prior=(a, b)).mean for release in range(people + 1)]
    assert float(np.dot(laws @ prior_counts, means)) == pytest.approx(a / (a + b), rel=1e-6)


@given(st.floats(0.005, 3), st.floats(1e-12, 0.1))
def test_the_minimised_bound_is_below_the_closed_one_and_inverts(spend: float, delta: float) -> None:
    exact = approximate_epsilon_from_concentrated_best_order(concentrated_epsilon=spend, delta=delta)
    assert exact <= approximate_epsilon_from_concentrated(concentrated_epsilon=spend, delta=delta)
    if exact > 1e-6:
        back = concentrated_epsilon_from_approximate_best_order(epsilon=exact, delta=delta)
        assert back == pytest.approx(spend, rel=1e-6)
        assert approximate_epsilon_from_concentrated_best_order(concentrated_epsilon=back, delta=delta) <= exact * (
            1 + 1e-12
        )


@given(st.lists(st.floats(-20, 20), min_size=1, max_size=30), st.floats(0.01, 5))
def test_permute_and_flip_never_expects_a_worse_score_than_the_exponential_mechanism(
    scores: list[float], epsilon: float
) -> None:
    flip = selection_probabilities(scores, epsilon=epsilon)
    exponential = selection_probabilities(scores, epsilon=epsilon, rule="exponential")
    assert flip.sum() == pytest.approx(1.0)
    assert flip @ np.array(scores) >= exponential @ np.array(scores) - 1e-9


@given(
    st.lists(st.floats(-5, 5), min_size=2, max_size=8),
    st.lists(st.floats(-1, 1), min_size=8, max_size=8),
    st.floats(0.1, 3),
)
def test_selection_keeps_its_pure_promise(scores: list[float], moves: list[float], epsilon: float) -> None:
    moved = [score + move for score, move in zip(scores, moves, strict=False)]
    for rule in ("permute_and_flip", "exponential"):
        one = selection_probabilities(scores, epsilon=epsilon, rule=rule)
        two = selection_probabilities(moved, epsilon=epsilon, rule=rule)
        assert np.max(np.abs(np.log(one) - np.log(two))) <= epsilon * (1 + 1e-9)


SIZES = (3, 2, 2)
WORKLOAD = Workload.all_marginals(SIZES, order=2)
ROWS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=12)


@settings(max_examples=30)
@given(ROWS, ROWS, ROWS)
def test_more_public_rows_never_raise_the_best_mixture_error(
    private: list[tuple[int, ...]], public: list[tuple[int, ...]], more: list[tuple[int, ...]]
) -> None:
    truth = WORKLOAD.answers(private)
    assert best_mixture_error(WORKLOAD, public + more, truth) <= best_mixture_error(WORKLOAD, public, truth) + 1e-9


@settings(max_examples=30)
@given(ROWS, st.lists(st.tuples(st.integers(0, 15), st.floats(0, 1)), min_size=1, max_size=20))
def test_updates_keep_a_distribution_and_each_marginal_adds_up(
    public: list[tuple[int, ...]], steps: list[tuple[int, float]]
) -> None:
    release = replayed_measurements(WORKLOAD, public, None, steps)
    assert release.weights.min() > 0
    assert release.weights.sum() == pytest.approx(1.0)
    for offset, size in zip(WORKLOAD.offsets, WORKLOAD.set_sizes, strict=True):
        assert release.answers[offset : offset + size].sum() == pytest.approx(1.0)


@settings(max_examples=20)
@given(ROWS, ROWS, st.sampled_from(["query", "marginal"]), st.floats(0.01, 2), st.integers(0, 99))
def test_no_run_on_the_public_rows_beats_their_best_mixture(
    private: list[tuple[int, ...]], public: list[tuple[int, ...]], measurement: str, spend: float, seed: int
) -> None:
    truth = WORKLOAD.answers(private)
    run = draw_query_release(
        WORKLOAD,
        truth,
        rows=public,
        records=len(private),
        concentrated_epsilon=spend,
        rounds=5,
        measurement=measurement,
        seed=seed,
    )
    assert run.max_error(truth) >= best_mixture_error(WORKLOAD, public, truth) - 1e-9
