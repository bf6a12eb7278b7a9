"""Laws of combined profiles: the minimum is the strictest, mean and median are not, their brackets hold everywhere."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore.profiles import (
    CapOrRatio,
    LargestIncrease,
    LogOddsMean,
    LogOddsMedian,
    PointwiseMinimum,
    RiskProfile,
    lines_kept,
)

HELD = st.sampled_from([{"value_prior": 1.0}, {"value_prior": 0.3}, {"membership_prior": 0.05}])


@st.composite
def lines(draw: st.DrawFn) -> list[RiskProfile]:
    """Two to four templates along one belief."""
    held = draw(HELD)
    top = next(iter(held.values()))

    def one() -> RiskProfile:
        if draw(st.booleans()):
            return CapOrRatio(draw(st.floats(0, 0.9)) * top, draw(st.floats(1.01, 20)), **held)
        return LargestIncrease(draw(st.floats(0.001, 0.9)), **held)

    return [one() for _ in range(draw(st.integers(2, 4)))]


@given(lines(), st.floats(1e-6, 0.999))
def test_the_bracket_of_a_mean_holds_at_every_prior(members: list[RiskProfile], prior: float) -> None:
    mean = LogOddsMean(members)
    answer = mean.implied_epsilon()
    assert answer.lower <= mean.largest_epsilon(prior) * (1 + 1e-9)
    assert answer.lower <= answer.epsilon


@given(lines(), st.floats(1e-6, 0.999))
def test_the_minimum_is_never_looser_than_a_member_or_the_mean(members: list[RiskProfile], prior: float) -> None:
    least, mean = PointwiseMinimum(members), LogOddsMean(members)
    allowed = [member.highest_posterior(prior) for member in members]
    assert least.highest_posterior(prior) == min(allowed)
    assert min(allowed) - 1e-12 <= mean.highest_posterior(prior) <= max(allowed) + 1e-12
    assert least.implied_epsilon().epsilon <= mean.implied_epsilon().epsilon * (1 + 1e-9)


@settings(max_examples=25)
@given(lines(), st.floats(1e-6, 0.999))
def test_the_bracket_of_a_median_holds_at_every_prior(members: list[RiskProfile], prior: float) -> None:
    median = LogOddsMedian(members)
    answer, own = median.implied_epsilon(), lines_kept(members)
    assert answer.lower <= median.largest_epsilon(prior) * (1 + 1e-9)
    assert answer.lower <= answer.epsilon
    assert own.epsilon_that_keeps(len(members) // 2 + 1) <= answer.epsilon * (1 + 1e-9)  # the lower middle epsilon


@given(lines(), st.floats(1e-6, 0.999))
def test_of_an_odd_number_the_median_allows_the_median_epsilon(members: list[RiskProfile], prior: float) -> None:
    odd = members if len(members) % 2 else members[:-1]
    each = [member.largest_epsilon(prior) for member in odd]
    assert LogOddsMedian(odd).largest_epsilon(prior) == pytest.approx(np.median(each))


@given(lines(), st.floats(1e-6, 0.999), st.randoms(use_true_random=False))
def test_a_median_forgets_the_order_and_how_far_out_a_line_is(
    members: list[RiskProfile], prior: float, chance: Random
) -> None:
    middle = LogOddsMedian(members).highest_posterior(prior)
    shuffled = list(members)
    chance.shuffle(shuffled)
    assert LogOddsMedian(shuffled).highest_posterior(prior) == middle
    strictest = min(members, key=lambda member: member.highest_posterior(prior))
    loosest = max(members, key=lambda member: member.highest_posterior(prior))
    assert LogOddsMedian([*members, strictest, loosest]).highest_posterior(prior) == pytest.approx(middle)
