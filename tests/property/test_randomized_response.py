"""Laws of a survey with coins: beliefs stay within epsilon, yes and no can be swapped, more yeses mean more."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logit

from dpcore.randomized_response import RandomizedAnswer, SharePosterior, count_coverage, guaranteed_interval

FORCED = st.floats(0.01, 0.49)
PRIOR = st.floats(0.001, 0.999)
PEOPLE = st.integers(1, 25)


@given(FORCED, FORCED, PRIOR)
def test_no_answer_moves_the_log_odds_further_than_epsilon(forced_yes: float, forced_no: float, prior: float) -> None:
    coins = RandomizedAnswer(forced_yes=forced_yes, forced_no=forced_no)
    after_yes, after_no = coins.belief_after_yes(prior), coins.belief_after_no(prior)
    assert after_no <= prior <= after_yes
    assert max(logit(after_yes) - logit(prior), logit(prior) - logit(after_no)) == pytest.approx(coins.epsilon)
    heard = coins.said_yes(prior)
    assert heard * after_yes + (1 - heard) * after_no == pytest.approx(prior)  # beliefs are right on average


@given(FORCED, FORCED, st.floats(0.0, 0.5))
def test_more_forced_answers_never_raise_epsilon(forced_yes: float, forced_no: float, more: float) -> None:
    before = RandomizedAnswer(forced_yes=forced_yes, forced_no=forced_no)
    left = (1 - forced_yes - forced_no) * more * 0.999
    assert RandomizedAnswer(forced_yes=forced_yes + left, forced_no=forced_no).epsilon <= before.epsilon * (1 + 1e-12)
    assert RandomizedAnswer(forced_yes=forced_yes, forced_no=forced_no + left).epsilon <= before.epsilon * (1 + 1e-12)


@given(FORCED, FORCED, PEOPLE, st.floats(0.3, 4), st.floats(0.3, 4), st.data())
def test_yes_and_no_can_be_swapped(
    forced_yes: float, forced_no: float, people: int, prior_yes: float, prior_no: float, data: st.DataObject
) -> None:
    said = data.draw(st.integers(0, people))
    asked = SharePosterior(
        answer=RandomizedAnswer(forced_yes=forced_yes, forced_no=forced_no),
        people=people,
        said_yes=said,
        prior_yes=prior_yes,
        prior_no=prior_no,
    )
    mirrored = SharePosterior(
        answer=RandomizedAnswer(forced_yes=forced_no, forced_no=forced_yes),
        people=people,
        said_yes=people - said,
        prior_yes=prior_no,
        prior_no=prior_yes,
    )
    assert asked.count_probabilities == pytest.approx(mirrored.count_probabilities[::-1], abs=1e-12)
    assert asked.share_mean == pytest.approx(1 - mirrored.share_mean)


@given(FORCED, FORCED, PEOPLE)
def test_more_yeses_never_mean_a_smaller_share(forced_yes: float, forced_no: float, people: int) -> None:
    coins = RandomizedAnswer(forced_yes=forced_yes, forced_no=forced_no)
    laws = [SharePosterior(answer=coins, people=people, said_yes=said) for said in range(people + 1)]
    assert (np.diff([law.count_mean for law in laws]) >= -1e-12).all()
    ranges = [guaranteed_interval(coins, people=people, said_yes=said) for said in range(people + 1)]
    assert (np.diff(np.array(ranges), axis=0) >= 0).all()


@given(FORCED, FORCED, PEOPLE, st.floats(0.05, 0.99))
def test_the_guaranteed_range_keeps_its_level_at_every_share(
    forced_yes: float, forced_no: float, people: int, level: float
) -> None:
    coins = RandomizedAnswer(forced_yes=forced_yes, forced_no=forced_no)
    assert count_coverage(coins, people=people, level=level, interval="guaranteed").min() >= level - 1e-9
    assert count_coverage(coins, people=people, level=level).mean() >= level - 1e-9
