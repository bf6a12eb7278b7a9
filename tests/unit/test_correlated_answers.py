"""Correlated answers: the distance, the exact loss and the noise it needs."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from dpcore.errors import Refused
from dpcore.public_information import CorrelatedAnswers


def distance_by_fractions(people: int, rate_if_no: str, rate_if_yes: str) -> int:
    """The definition in rational arithmetic: largest difference of the quantiles over all levels."""
    no, yes = Fraction(rate_if_no), Fraction(rate_if_yes)
    trials = people - 1
    laws = [
        [math.comb(trials, k) * no**k * (1 - no) ** (trials - k) for k in range(people)] + [Fraction(0)],
        [Fraction(0)] + [math.comb(trials, k) * yes**k * (1 - yes) ** (trials - k) for k in range(people)],
    ]
    cumulative = [[sum(law[: k + 1]) for k in range(people + 1)] for law in laws]
    levels = {level for row in cumulative for level in row if level > 0}

    def quantile(row: list[Fraction], level: Fraction) -> int:
        return next(k for k, value in enumerate(row) if value >= level)

    return max(abs(quantile(cumulative[0], level) - quantile(cumulative[1], level)) for level in levels)


@pytest.mark.parametrize("people", [1, 2, 7, 24])
@pytest.mark.parametrize(
    "rates", [("0.1", "0.9"), ("0.9", "0.1"), ("0.5", "0.5"), ("0", "1"), ("1", "0.3"), ("0.01", "0.3")]
)
def test_the_distance_equals_rational_arithmetic(people: int, rates: tuple[str, str]) -> None:
    answers = CorrelatedAnswers(people=people, rate_if_no=float(rates[0]), rate_if_yes=float(rates[1]))
    assert answers.distance == distance_by_fractions(people, *rates)


def test_equal_rates_move_the_count_by_one() -> None:
    assert CorrelatedAnswers(people=100_000, rate_if_no=0.3, rate_if_yes=0.3).distance == 1


def test_the_distance_is_resolved_in_both_tails_where_cumulative_probabilities_round_to_one() -> None:
    # Symmetry: counting the noes instead of the yeses leaves the distance alone.
    answers = CorrelatedAnswers(people=400, rate_if_no=0.01, rate_if_yes=0.3)
    mirrored = CorrelatedAnswers(people=400, rate_if_no=0.7, rate_if_yes=0.99)
    assert answers.distance == mirrored.distance > 0.29 * 399 + 1


@pytest.mark.parametrize("epsilon", [0.05, 0.7, 3.0])
@pytest.mark.parametrize("rates", [(0.1, 0.9), (0.2, 0.21), (0.0, 1.0), (0.9, 0.1), (0.5, 0.5), (0.6, 0.5)])
def test_the_exact_loss_is_the_largest_log_ratio_over_all_releases(rates: tuple[float, float], epsilon: float) -> None:
    people = 9
    answers = CorrelatedAnswers(people=people, rate_if_no=rates[0], rate_if_yes=rates[1])
    releases = np.arange(-5, people + 6)
    kernel = np.exp(-epsilon * np.abs(releases[:, None] - np.arange(people + 1)))
    ratio = np.log(kernel @ answers.law(says_yes=True)) - np.log(kernel @ answers.law(says_yes=False))
    assert answers.loss(epsilon) == pytest.approx(np.max(np.abs(ratio)), rel=1e-12)
    assert answers.loss(epsilon) <= answers.loss_bound(epsilon) * (1 + 1e-12)


def test_rates_the_other_way_round_can_hide_the_answer() -> None:
    # Others who answer the opposite mask the person: less loss than the mirrored case.
    opposed = CorrelatedAnswers(people=3, rate_if_no=0.6, rate_if_yes=0.5)
    agreeing = CorrelatedAnswers(people=3, rate_if_no=0.5, rate_if_yes=0.6)
    assert opposed.loss(0.5) < 0.5 < agreeing.loss(0.5)


@pytest.mark.parametrize("rates", [(0.4, 0.6), (0.6, 0.4), (0.0, 1.0), (0.5, 0.5)])
def test_the_noise_for_a_target_meets_the_target(rates: tuple[float, float]) -> None:
    answers = CorrelatedAnswers(people=12, rate_if_no=rates[0], rate_if_yes=rates[1])
    epsilon = answers.noise_epsilon(0.8)
    assert answers.loss(epsilon) == pytest.approx(0.8, rel=1e-10)
    assert epsilon >= answers.noise_epsilon_bound(0.8) * (1 - 1e-12)


def test_correlation_makes_the_noise_many_times_wider() -> None:
    assert CorrelatedAnswers(people=100, rate_if_no=0.45, rate_if_yes=0.55).noise_multiplier(1.0) == pytest.approx(
        11.35, abs=0.005
    )


def test_the_law_given_no_leaves_the_last_count_empty() -> None:
    answers = CorrelatedAnswers(people=3, rate_if_no=0.5, rate_if_yes=0.5)
    assert answers.law(says_yes=False).tolist() == pytest.approx([0.25, 0.5, 0.25, 0.0])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"people": 0}, "people must be a whole number from 1 to 100000; got 0"),
        ({"people": 2.5}, "people must be a whole number from 1 to 100000; got 2.5"),
        ({"people": True}, "people must be a whole number from 1 to 100000; got True"),
        ({"rate_if_no": -0.1}, r"rate_if_no must lie in \[0, 1\]; got -0.1"),
        ({"rate_if_yes": math.nan}, r"rate_if_yes must lie in \[0, 1\]; got nan"),
    ],
)
def test_inputs_out_of_range_are_refused(change: dict[str, float], message: str) -> None:
    inputs = {"people": 10, "rate_if_no": 0.4, "rate_if_yes": 0.6} | change
    with pytest.raises(ValueError, match=message):
        CorrelatedAnswers(**inputs)  # type: ignore[arg-type]


@pytest.mark.parametrize("method", ["loss", "loss_bound"])
def test_a_budget_of_zero_is_refused(method: str) -> None:
    with pytest.raises(ValueError, match="epsilon must be greater than 0 and finite; got 0"):
        getattr(CorrelatedAnswers(people=10, rate_if_no=0.4, rate_if_yes=0.6), method)(0)


@pytest.mark.parametrize("method", ["noise_epsilon", "noise_epsilon_bound", "noise_multiplier"])
def test_a_target_of_zero_is_refused(method: str) -> None:
    with pytest.raises(ValueError, match="target must be greater than 0 and finite; got 0"):
        getattr(CorrelatedAnswers(people=10, rate_if_no=0.4, rate_if_yes=0.6), method)(0)


def test_a_count_that_is_the_same_for_either_answer_needs_no_noise() -> None:
    known = CorrelatedAnswers(people=2, rate_if_no=1.0, rate_if_yes=0.0)
    assert known.law(says_yes=True).tolist() == known.law(says_yes=False).tolist() == [0.0, 1.0, 0.0]
    assert known.distance == 0
    for noise in (known.noise_epsilon, known.noise_epsilon_bound):
        with pytest.raises(ValueError, match=r"must depend on the person's answer .* got people 2, rate_if_no 1.0"):
            noise(1.0)


def test_a_law_is_asked_for_by_true_or_false() -> None:
    with pytest.raises(Refused, match="says_yes must be True or False; got 'no'"):
        CorrelatedAnswers(people=2, rate_if_no=0.1, rate_if_yes=0.2).law(says_yes="no")  # type: ignore[arg-type]


def test_the_noise_of_a_loss_beyond_all_noise_still_has_a_ratio() -> None:
    answers = CorrelatedAnswers(people=50, rate_if_no=0.3, rate_if_yes=0.6)
    epsilon = answers.noise_epsilon(1500.0)
    assert answers.noise_multiplier(1500.0) == pytest.approx(math.exp((1500.0 - epsilon) / 2), rel=1e-12)
    assert answers.noise_multiplier(1.0) == pytest.approx(
        math.sinh(0.5) / math.sinh(answers.noise_epsilon(1.0) / 2), rel=1e-12
    )
