"""A survey with coins: beliefs, epsilon and promise of one answer, posterior of the share, ranges and their coverage.

Every law is held to an enumeration of the people's coins in fractions, the population's to a quadrature.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import beta, binom

from dpcore.errors import Code, Refused
from dpcore.guarantees import Relation
from dpcore.mechanisms import RandomizedResponse
from dpcore.privacy_loss import ExactPosterior
from dpcore.randomized_response import (
    RandomizedAnswer,
    SharePosterior,
    count_coverage,
    guaranteed_interval,
    share_coverage,
)
from tests.each import each

TWO_COINS = RandomizedAnswer(forced_yes=1 / 4, forced_no=1 / 4)
UNEQUAL = RandomizedAnswer(forced_yes=0.125, forced_no=0.3125)
NEVER_FORCED_NO = RandomizedAnswer(forced_yes=0.25, forced_no=0.0)
COINS = pytest.mark.parametrize("coins", [TWO_COINS, UNEQUAL, NEVER_FORCED_NO], ids=["two", "unequal", "no_forced_no"])


def _chances_of_said(coins: RandomizedAnswer, truths: tuple[int, ...]) -> list[Fraction]:
    """P[so many yeses], coin by coin and person by person."""
    forced_yes, forced_no = Fraction(coins.forced_yes), Fraction(coins.forced_no)
    chance = {"yes": forced_yes, "no": forced_no, "truth": 1 - forced_yes - forced_no}
    found = [Fraction(0)] * (len(truths) + 1)
    for fall in itertools.product(chance, repeat=len(truths)):
        said = sum(truth if coin == "truth" else coin == "yes" for coin, truth in zip(fall, truths, strict=True))
        found[said] += math.prod(chance[coin] for coin in fall)
    return found


def _likelihood(coins: RandomizedAnswer, people: int) -> list[list[Fraction]]:
    return [_chances_of_said(coins, (1,) * k + (0,) * (people - k)) for k in range(people + 1)]


# ---- one answer -----------------------------------------------------------------------------------------------------


@COINS
def test_the_epsilon_of_an_answer_is_the_largest_ratio_of_its_chances(coins: RandomizedAnswer) -> None:
    (no_if_no, yes_if_no), (no_if_yes, yes_if_yes) = _chances_of_said(coins, (0,)), _chances_of_said(coins, (1,))
    assert coins.log_odds_of_yes == pytest.approx(math.log(yes_if_yes / yes_if_no))
    if no_if_yes == 0:
        assert coins.log_odds_of_no == -math.inf
        assert coins.epsilon == math.inf
    else:
        assert coins.log_odds_of_no == pytest.approx(math.log(no_if_yes / no_if_no))
        ratios = (yes_if_yes / yes_if_no, no_if_no / no_if_yes)
        assert coins.epsilon == pytest.approx(math.log(max(ratios)))


@each("forced_yes", [0.0, 0.5, 0.7, 1.0])
def test_coins_that_never_ask_for_the_truth_tell_nothing(forced_yes: float) -> None:
    coins = RandomizedAnswer(forced_yes=forced_yes, forced_no=1.0 - forced_yes)
    assert (coins.truthful, coins.epsilon, coins.guarantee.epsilon) == (0.0, 0.0, 0.0)


@COINS
def test_the_belief_after_an_answer_is_bayes_rule(coins: RandomizedAnswer) -> None:
    absent, present = _chances_of_said(coins, (0,)), _chances_of_said(coins, (1,))
    for prior in (Fraction(1, 100), Fraction(1, 2), Fraction(9, 10)):
        for said, belief in ((1, coins.belief_after_yes), (0, coins.belief_after_no)):
            both = prior * present[said] + (1 - prior) * absent[said]
            assert belief(float(prior)) == pytest.approx(float(prior * present[said] / both))
        heard = float(prior * present[1] + (1 - prior) * absent[1])
        assert coins.said_yes(float(prior)) == pytest.approx(heard)
    assert coins.belief_after_yes([0.0, 1.0]).tolist() == [0.0, 1.0]


def test_the_symmetric_coins_are_randomised_response() -> None:
    mechanism = RandomizedResponse(epsilon=1.3)
    coins = RandomizedAnswer.of(mechanism)
    assert coins.epsilon == pytest.approx(1.3)
    assert coins.belief_after_yes(0.05) == pytest.approx(ExactPosterior.of(mechanism, prior=0.05).quantile(0.999))
    spread = mechanism.estimate_variance(0.0, respondents=50)
    assert coins.estimate_std(0.0, people=50) == pytest.approx(math.sqrt(spread))


def test_the_promise_is_about_the_answer_of_somebody_known_to_take_part() -> None:
    assert TWO_COINS.promise().secret == "answer"
    assert TWO_COINS.promise().unit == "person"
    assert TWO_COINS.guarantee.relation is Relation.REPLACE
    once, thrice = TWO_COINS.promise(), TWO_COINS.promise(answers=3)
    assert once.guarantee_of_secret(TWO_COINS.guarantee).epsilon == pytest.approx(math.log(3))  # type: ignore[union-attr]
    assert thrice.guarantee_of_secret(TWO_COINS.guarantee).epsilon == pytest.approx(3 * math.log(3))  # type: ignore[union-attr]


@COINS
def test_the_estimate_is_right_on_average_and_its_deviation_exact(coins: RandomizedAnswer) -> None:
    people = 4
    for true, chances in enumerate(_likelihood(coins, people)):
        estimates = [coins.estimate(people=people, said_yes=said) for said in range(people + 1)]
        weights = [float(chance) for chance in chances]
        assert np.dot(weights, estimates) == pytest.approx(true / people)
        deviation = math.sqrt(np.dot(weights, (np.array(estimates) - true / people) ** 2))
        assert coins.estimate_std(true / people, people=people) == pytest.approx(deviation)


def test_answers_of_a_simulated_class_follow_their_coins_and_seed() -> None:
    truth = np.repeat([0, 1], 20_000)
    said = UNEQUAL.simulate_answers(truth, seed=3)
    assert said[:20_000].mean() == pytest.approx(0.125, abs=0.01)
    assert said[20_000:].mean() == pytest.approx(1 - 0.3125, abs=0.01)
    assert np.array_equal(said, UNEQUAL.simulate_answers(truth, seed=3))
    assert not np.array_equal(said, UNEQUAL.simulate_answers(truth, seed=4))


# ---- the posterior of the share -------------------------------------------------------------------------------------


@COINS
@pytest.mark.parametrize("prior", [(1.0, 1.0), (2.0, 5.0)])
def test_the_posterior_of_the_count_is_that_of_every_coin_enumerated(
    coins: RandomizedAnswer, prior: tuple[float, float]
) -> None:
    people = 5
    table = _likelihood(coins, people)
    before = [
        quad(lambda s, k=k: binom.pmf(k, people, s) * beta.pdf(s, *prior), 0, 1)[0]  # type: ignore[misc]
        for k in range(people + 1)
    ]
    for said in range(people + 1):
        joint = np.array([float(table[k][said]) * before[k] for k in range(people + 1)])
        found = SharePosterior(answer=coins, people=people, said_yes=said, prior_yes=prior[0], prior_no=prior[1])
        assert found.count_probabilities == pytest.approx(joint / joint.sum(), abs=1e-9)
        assert found.count_mean == pytest.approx(np.dot(joint, range(6)) / joint.sum() / people)


@each("prior_yes, prior_no", [(1e-320, 1e-320), (1e-5, 3.0), (1e14, 1e14), (1e17, 3e17), (1e300, 1e-320)])
def test_a_weak_or_strong_prior_keeps_its_digits(prior_yes: float, prior_no: float) -> None:
    people, said = 6, 2
    yes, no = Fraction(prior_yes), Fraction(prior_no)
    joint = []
    for k, row in enumerate(_likelihood(TWO_COINS, people)):
        before = math.prod(yes + i for i in range(k)) * math.prod(no + i for i in range(people - k))
        joint.append(math.comb(people, k) * before * row[said])
    found = SharePosterior(answer=TWO_COINS, people=people, said_yes=said, prior_yes=prior_yes, prior_no=prior_no)
    exact = sum(k * part for k, part in enumerate(joint)) / sum(joint) / people
    assert found.count_mean == pytest.approx(float(exact), rel=1e-12)
    assert found.share_mean <= 1.0


@COINS
@pytest.mark.parametrize("prior", [(1.0, 1.0), (2.0, 5.0)])
def test_the_posterior_of_a_population_is_a_quadrature(coins: RandomizedAnswer, prior: tuple[float, float]) -> None:
    people, said = 30, 11

    def density(s: float) -> float:
        return float(binom.pmf(said, people, coins.said_yes(s)) * beta.pdf(s, *prior))

    found = SharePosterior(answer=coins, people=people, said_yes=said, prior_yes=prior[0], prior_no=prior[1])
    mass = quad(density, 0, 1, epsabs=1e-14)[0]
    assert found.share_mean == pytest.approx(quad(lambda s: s * density(s), 0, 1, epsabs=1e-14)[0] / mass)
    for at in (0.05, 0.2, 0.4, 0.8):
        assert found.share_cdf(at) == pytest.approx(quad(density, 0, at, epsabs=1e-14)[0] / mass, abs=1e-9)
    low, high = found.share_interval(0.9)
    assert found.share_cdf([low, high]) == pytest.approx([0.05, 0.95])


def test_without_coins_the_share_is_seen_and_without_truth_nothing_is_learned() -> None:
    bare = SharePosterior(answer=RandomizedAnswer(forced_yes=0.0, forced_no=0.0), people=8, said_yes=3)
    assert bare.count_probabilities == pytest.approx(np.eye(9)[3])
    assert bare.count_interval(0.99) == (3 / 8, 3 / 8)
    assert bare.share_cdf(0.3) == pytest.approx(beta.cdf(0.3, 4, 6))
    deaf = SharePosterior(answer=RandomizedAnswer(forced_yes=0.5, forced_no=0.5), people=8, said_yes=3)
    assert deaf.count_probabilities == pytest.approx(np.full(9, 1 / 9))


def test_a_range_of_next_to_no_level_runs_from_its_low_to_its_high_end() -> None:
    deaf = RandomizedAnswer(forced_yes=0.5, forced_no=0.5)
    assert SharePosterior(answer=deaf, people=1, said_yes=0).count_interval(1e-15) == (0.0, 1.0)  # a half each


def test_an_answer_count_that_nearly_never_happens_keeps_its_posterior() -> None:
    """Nobody of 2,000 says yes though half of them are forced to: the likelihood is below every float."""
    coins = RandomizedAnswer(forced_yes=0.5, forced_no=0.25)
    found = SharePosterior(answer=coins, people=2000, said_yes=0)
    # a true one says no half as often: each count is half as likely as the one before
    assert found.count_probabilities[:4] == pytest.approx([1 / 2, 1 / 4, 1 / 8, 1 / 16])
    assert found.count_interval(0.9) == (0.0, 4 / 2000)


# ---- ranges and how often they hold ---------------------------------------------------------------------------------


@COINS
@pytest.mark.parametrize("level", [0.5, 0.8, 0.95])
def test_both_ranges_and_their_coverage_are_those_of_the_enumeration(coins: RandomizedAnswer, level: float) -> None:
    people, outside = 5, (1 - level) / 2
    table = np.array([[float(chance) for chance in row] for row in _likelihood(coins, people)])
    held = {"posterior": np.zeros((people + 1, people + 1)), "guaranteed": np.zeros((people + 1, people + 1))}
    for said in range(people + 1):
        law = table[:, said] / table[:, said].sum()
        low = next(k for k in range(people + 1) if law[: k + 1].sum() > outside + 1e-12)
        high = next(k for k in range(people, -1, -1) if law[k:].sum() > outside + 1e-12)
        found = SharePosterior(answer=coins, people=people, said_yes=said).count_interval(level)
        assert found == (low / people, high / people)
        held["posterior"][low : high + 1, said] = 1
        passing = [
            k for k in range(people + 1) if min(table[k, said:].sum(), table[k, : said + 1].sum()) > outside - 1e-12
        ]
        found = guaranteed_interval(coins, people=people, said_yes=said, level=level)
        if passing:
            assert found == (passing[0] / people, passing[-1] / people)
        held["guaranteed"][round(found.low * people) : round(found.high * people) + 1, said] = 1
    for interval, inside in held.items():
        coverage = count_coverage(coins, people=people, level=level, interval=interval)
        assert coverage == pytest.approx((table * inside).sum(axis=1))
        assert coverage.min() >= (level if interval == "guaranteed" else 0)
        assert coverage.mean() >= level - 1e-12  # the flat prior's average


@COINS
def test_the_coverage_of_a_population_is_summed_over_the_ranges(coins: RandomizedAnswer) -> None:
    people, level = 12, 0.9
    shares = np.array([0.0, 0.03, 0.31, 0.77, 1.0])
    for interval in ("posterior", "guaranteed"):
        expected = np.zeros(shares.size)
        for said in range(people + 1):
            if interval == "guaranteed":
                low, high = guaranteed_interval(coins, people=people, said_yes=said, level=level, of_population=True)
            else:
                low, high = SharePosterior(answer=coins, people=people, said_yes=said).share_interval(level)
            chance = binom.pmf(said, people, coins.said_yes(shares))
            expected += chance * ((low <= shares) & (shares <= high))
        found = share_coverage(coins, shares, people=people, level=level, interval=interval)
        assert found == pytest.approx(expected)
        assert (found >= level).all() or interval == "posterior"
        assert share_coverage(coins, 0.31, people=people, level=level, interval=interval) == pytest.approx(expected[2])


def test_the_guaranteed_range_of_a_population_turns_exact_tests_round() -> None:
    low, high = guaranteed_interval(UNEQUAL, people=20, said_yes=9, level=0.9, of_population=True)
    assert binom.sf(8, 20, UNEQUAL.said_yes(low)) == pytest.approx(0.05)
    assert binom.cdf(9, 20, UNEQUAL.said_yes(high)) == pytest.approx(0.05)
    assert guaranteed_interval(TWO_COINS, people=20, said_yes=0, of_population=True) == (0.0, 0.0)  # nearest end
    assert guaranteed_interval(TWO_COINS, people=20, said_yes=0) == (0.0, 0.0)


@each(
    "call, text, code",
    [
        (
            lambda: RandomizedAnswer(forced_yes=-0.1, forced_no=0.2),
            "forced_yes must lie in [0, 1]; got -0.1",
            Code.OUT_OF_RANGE,
        ),
        (
            lambda: RandomizedAnswer(forced_yes=0.1, forced_no=math.nan),
            "forced_no must lie in [0, 1]; got nan",
            Code.NOT_FINITE,
        ),
        (
            lambda: RandomizedAnswer(forced_yes=0.75, forced_no=0.5),
            "forced_yes and forced_no must be at most 1 together; got 1.25",
            Code.INCONSISTENT,
        ),
        (
            lambda: RandomizedAnswer.of(RandomizedResponse(epsilon=1, categories=3)),
            "categories must be 2 for a yes or a no; got 3",
            Code.UNSUPPORTED,
        ),
        (
            lambda: NEVER_FORCED_NO.guarantee,
            "epsilon must be at least 0 and finite; got inf",
            Code.NOT_FINITE,
        ),
        (lambda: TWO_COINS.belief_after_yes(1.5), "prior must lie in [0, 1]; got 1.5", Code.OUT_OF_RANGE),
        (
            lambda: RandomizedAnswer(forced_yes=0.0, forced_no=0.0).belief_after_yes(0.0),
            "prior must let a yes happen",
            Code.INFEASIBLE,
        ),
        (lambda: NEVER_FORCED_NO.belief_after_no([0.5, 1.0]), "prior must let a no happen; got 1.0", Code.INFEASIBLE),
        (
            lambda: RandomizedAnswer(forced_yes=0.5, forced_no=0.5).estimate(people=3, said_yes=1),
            "forced_yes and forced_no must leave some truth: below 1 together; got 1",
            Code.INFEASIBLE,
        ),
        (
            lambda: guaranteed_interval(
                RandomizedAnswer(forced_yes=0.5, forced_no=0.5), people=3, said_yes=1, of_population=True
            ),
            "forced_yes and forced_no must leave some truth",
            Code.INFEASIBLE,
        ),
        (
            lambda: TWO_COINS.estimate(people=2001, said_yes=1),
            "people must be a whole number from 1 to 2000; got 2001",
            Code.OUT_OF_RANGE,
        ),
        (
            lambda: TWO_COINS.estimate(people=3, said_yes=4),
            "said_yes must be a whole number from 0 to 3; got 4",
            Code.OUT_OF_RANGE,
        ),
        (lambda: TWO_COINS.simulate_answers([0, 2], seed=1), "truth must be 0 or 1; got 2.0", Code.OUT_OF_RANGE),
        (
            lambda: SharePosterior(answer=RandomizedAnswer(forced_yes=1.0, forced_no=0.0), people=3, said_yes=2),
            "said_yes must be possible with these coins; got 2",
            Code.INFEASIBLE,
        ),
        (
            lambda: SharePosterior(answer=0.25, people=3, said_yes=2),  # type: ignore[arg-type]
            "answer must be a RandomizedAnswer; got 0.25",
            Code.WRONG_TYPE,
        ),
        (
            lambda: guaranteed_interval(3, people=3, said_yes=2),  # type: ignore[arg-type]
            "answer must be a RandomizedAnswer; got 3",
            Code.WRONG_TYPE,
        ),
        (
            lambda: count_coverage(3, people=3),  # type: ignore[arg-type]
            "answer must be a RandomizedAnswer; got 3",
            Code.WRONG_TYPE,
        ),
        (
            lambda: share_coverage(3, 0.5, people=3),  # type: ignore[call-overload]
            "answer must be a RandomizedAnswer; got 3",
            Code.WRONG_TYPE,
        ),
        (
            lambda: RandomizedAnswer.of(3),  # type: ignore[arg-type]
            "mechanism must be RandomizedResponse with two categories; got 3",
            Code.WRONG_TYPE,
        ),
        (
            lambda: TWO_COINS.promise(answers=0),
            "answers must be a whole number of at least 1; got 0",
            Code.OUT_OF_RANGE,
        ),
        (
            lambda: RandomizedAnswer(forced_yes=0.7, forced_no=0.3).estimate(people=3, said_yes=1),
            "forced_yes and forced_no must leave some truth: below 1 together; got 1",
            Code.INFEASIBLE,
        ),
        (
            lambda: SharePosterior(answer=TWO_COINS, people=3, said_yes=2, prior_no=0.0),
            "prior_no must be greater than 0 and finite; got 0.0",
            Code.OUT_OF_RANGE,
        ),
        (
            lambda: SharePosterior(answer=TWO_COINS, people=3, said_yes=2).count_interval(1.0),
            "level must lie in (0, 1); got 1.0",
            Code.OUT_OF_RANGE,
        ),
        (
            lambda: SharePosterior(answer=TWO_COINS, people=3, said_yes=2).share_quantile(0.0),
            "level must lie in (0, 1); got 0.0",
            Code.OUT_OF_RANGE,
        ),
        (
            lambda: count_coverage(TWO_COINS, people=0),
            "people must be a whole number from 1 to 2000; got 0",
            Code.OUT_OF_RANGE,
        ),
        (
            lambda: share_coverage(TWO_COINS, 0.5, people=3, interval="normal"),
            "interval must be one of 'posterior', 'guaranteed'; got 'normal'",
            Code.UNKNOWN_CHOICE,
        ),
    ],
)
def test_what_is_refused(call: Any, text: str, code: Code) -> None:
    with pytest.raises(Refused) as refusal:
        call()
    assert str(refusal.value).startswith(text)
    assert refusal.value.code is code
