"""The strictest of several profiles and their mean on the log-odds scale, against dense scans and by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import expit, logit

from dpcore.profiles import (
    Box,
    CapOrRatio,
    Certainty,
    Constant,
    DrawnLine,
    ExpressionProfile,
    LargestIncrease,
    LogOddsMean,
    LogOddsMedian,
    PointwiseMinimum,
    RiskProfile,
    SampledProfile,
    Status,
    strictest_ranges,
)
from dpcore.profiles.point import epsilon_from_shift, weights
from tests.each import each

AGENCY = CapOrRatio(0.25, 3, value_prior=1.0)
ADVOCATES = Constant(2, value_prior=1.0)
USERS = LargestIncrease(0.4, value_prior=1.0)
DRAWN = DrawnLine([(0.001, 0.2), (0.2, 0.5), (0.6, 0.95)], along="membership")
LINES = {"agency": AGENCY, "advocates": ADVOCATES, "users": USERS, "drawn": DRAWN}
GRID = np.unique(np.concatenate([np.geomspace(1e-9, 1, 40_001), np.linspace(1e-6, 1, 40_001)]))


@pytest.mark.parametrize("pair", [("agency", "advocates"), ("agency", "drawn"), ("users", "drawn")])
def test_the_epsilon_of_the_minimum_is_the_smallest_epsilon(pair: tuple[str, str]) -> None:
    members = [LINES[name] for name in pair]
    answer = PointwiseMinimum(members).implied_epsilon()
    assert answer.epsilon == min(member.implied_epsilon().epsilon for member in members)
    assert answer.certainty is Certainty.EXACT
    scan = np.min(PointwiseMinimum(members).largest_epsilon(GRID))
    assert answer.epsilon <= scan
    assert scan == pytest.approx(answer.epsilon, rel=1e-3)


def test_the_minimum_is_the_lower_line_at_every_prior() -> None:
    both = PointwiseMinimum([AGENCY, DRAWN]).highest_posterior(GRID)
    assert np.array_equal(both, np.minimum(AGENCY.highest_posterior(GRID), DRAWN.highest_posterior(GRID)))


def test_the_minimum_works_for_two_beliefs_and_takes_the_weakest_certainty() -> None:
    wide = PointwiseMinimum([CapOrRatio(0.25, 3, value_prior="any"), Constant(2, value_prior="any")]).implied_epsilon()
    assert wide.epsilon == pytest.approx(0.5 * math.log(2))
    written = ExpressionProfile("max(0.25/p, 3)", value_prior=1.0)
    assert PointwiseMinimum([AGENCY, written]).implied_epsilon().certainty is Certainty.BRACKET


def test_the_mean_is_the_mean_of_log_odds() -> None:
    prior = np.array([0.01, 0.1, 0.3])
    mean = LogOddsMean([AGENCY, ADVOCATES, DRAWN]).highest_posterior(prior)
    by_hand = expit(
        (
            logit(AGENCY.highest_posterior(prior))
            + logit(ADVOCATES.highest_posterior(prior))
            + logit(DRAWN.highest_posterior(prior))
        )
        / 3
    )
    assert mean == pytest.approx(by_hand, rel=1e-12)


def test_the_mean_requires_nothing_where_one_member_does() -> None:
    assert LogOddsMean([ADVOCATES, AGENCY]).highest_posterior(0.45) == 1.0  # the agency asks for nothing above 1/3
    assert LogOddsMean([Box(2, (0.1, 0.2), (1, 1)), Box(2, (0.3, 0.4), (1, 1))]).implied_epsilon().status is (
        Status.BINDS_NOTHING
    )


@pytest.mark.parametrize(
    "members",
    [
        (AGENCY, ADVOCATES),
        (AGENCY, USERS),
        (AGENCY, ADVOCATES, USERS, DRAWN),
        (USERS, DRAWN),
        (
            DrawnLine(
                [(0.01, 9.0), (0.3, 2.5), (0.39, 2.5)], kind="ratio", interpolation="log-log", along="membership"
            ),
            AGENCY,
        ),
        (
            DrawnLine([(0.01, 9.0), (0.2, 1.5), (0.39, 2.5)], kind="ratio", interpolation="ratio", along="membership"),
            USERS,
        ),
        (
            DrawnLine([(0.05, 3.0), (0.2, 1.5), (0.5, 1.5)], kind="ratio", interpolation="step", along="membership"),
            AGENCY,
        ),
        (Box(2, (0.05, 0.2), (1.0, 1.0)), AGENCY),
        (Constant(2, membership_prior=0.05), CapOrRatio(0.02, 4, membership_prior=0.05)),
        (CapOrRatio(0.2, 3, membership_prior=0.5), LargestIncrease(0.1, membership_prior=0.5)),
        (CapOrRatio(0.2, 3, value_prior=0.5), LargestIncrease(0.1, value_prior=0.5)),
    ],
)
def test_the_bracket_of_a_mean_holds_a_dense_scan(members: tuple) -> None:
    mean = LogOddsMean(members)
    answer = mean.implied_epsilon()
    scan = float(np.min(mean.largest_epsilon(GRID)))
    assert answer.lower <= answer.epsilon * (1 + 1e-15)
    assert answer.lower <= scan
    assert answer.epsilon <= scan * (1 + 1e-6)
    assert answer.lower == pytest.approx(answer.epsilon, rel=1e-6)
    own = [member.implied_epsilon().epsilon for member in members]
    assert min(own) <= answer.epsilon * (1 + 1e-9)
    if answer.attained:
        assert answer.binding is not None
        place = answer.binding.membership_prior if members[0].axis.value == "membership" else answer.binding.value_prior
        assert mean.largest_epsilon(place) == pytest.approx(answer.epsilon)


def test_the_mean_of_one_profile_is_that_profile() -> None:
    for line in LINES.values():
        alone, answer = line.implied_epsilon(), LogOddsMean([line]).implied_epsilon()
        assert answer.epsilon == pytest.approx(alone.epsilon, rel=1e-7)
        assert answer.lower <= alone.epsilon


def test_a_line_that_runs_into_certainty_keeps_a_true_bracket() -> None:
    mean = LogOddsMean(
        [
            DrawnLine([(0.01, 0.3), (0.5, 0.8), (1.0, 1.0)], along="membership"),
            DrawnLine([(0.1, 0.4), (1.0, 1.0)], along="membership"),
        ]
    )
    answer = mean.implied_epsilon()
    assert answer.lower <= float(np.min(mean.largest_epsilon(GRID)))
    assert answer.lower > 0


def test_the_mean_is_quick_enough_to_follow_a_slider() -> None:
    import time

    start = time.process_time()
    LogOddsMean([AGENCY, ADVOCATES, USERS, DRAWN]).implied_epsilon()
    assert time.process_time() - start < 0.5


def test_the_strictest_ranges_meet_where_the_lines_cross() -> None:
    ranges = strictest_ranges([AGENCY, ADVOCATES, Constant(4, value_prior=1.0)])
    assert [each.profiles for each in ranges] == [(1,), ()]
    assert ranges[0].stop == pytest.approx(0.5, abs=1e-9)
    sampled = strictest_ranges([Constant(2, membership_prior=0.05), CapOrRatio(0.02, 1.5, membership_prior=0.05)])
    assert [each.profiles for each in sampled] == [(0,), (1,)]
    assert sampled[0].stop * 0.05 == pytest.approx(0.01, abs=1e-9)  # 0.02 / x = 2


def test_equally_strict_lines_share_a_range_and_lines_that_only_cross_do_not() -> None:
    agreed = strictest_ranges([AGENCY, ADVOCATES, ADVOCATES])
    assert [each.profiles for each in agreed] == [(1, 2), ()]
    partly = strictest_ranges([CapOrRatio(0.3, 3, value_prior=1.0), CapOrRatio(0.6, 3, value_prior=1.0)])
    assert [each.profiles for each in partly] == [(0,), (0, 1), ()]  # 3 times for both from 0.6 / 3
    assert [each.stop for each in partly] == pytest.approx([0.2, 1 / 3, 1.0], abs=1e-8)
    halves = strictest_ranges([Constant(2, value_prior=1.0), CapOrRatio(0.5, 1.2, value_prior=1.0)], steps=5)
    assert [each.profiles for each in halves] == [(0,), (1,)]  # equal at 0.25 alone, a place of the grid
    assert [each.stop for each in halves] == pytest.approx([0.25, 1.0], abs=1e-6)


@pytest.mark.parametrize("make", [PointwiseMinimum, LogOddsMean, strictest_ranges])
def test_lines_that_do_not_belong_together_are_refused(make) -> None:
    with pytest.raises(ValueError, match=r"profiles must be one or more risk profiles; got"):
        make([])
    with pytest.raises(ValueError, match=r"profiles must be one or more risk profiles; got Constant"):
        make(ADVOCATES)
    with pytest.raises(ValueError, match=r"profiles must vary along the same belief .* got membership .* and value"):
        make([AGENCY, Constant(2, membership_prior=1.0)])


def test_what_a_mean_or_a_range_cannot_handle_is_refused() -> None:
    with pytest.raises(ValueError, match=r"profiles must be templates or drawn lines along one belief; got Expression"):
        LogOddsMean([ExpressionProfile("3", value_prior=1.0)])
    with pytest.raises(ValueError, match=r"got Constant along both"):
        LogOddsMean([Constant(2, value_prior="any")])
    with pytest.raises(ValueError, match=r"profiles must vary along one belief; got both"):
        strictest_ranges([Constant(2, value_prior="any")])
    with pytest.raises(ValueError, match=r"steps must be a whole number"):
        strictest_ranges([ADVOCATES], steps=0.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"steps must be a whole number from 2 to 1000000; got 1000000000000"):
        strictest_ranges([ADVOCATES], steps=10**12)


def test_a_profile_without_a_finite_list_of_places_offers_none() -> None:
    written, sampled = ExpressionProfile("3", value_prior=1.0), SampledProfile(lambda p, q: 3 + 0 * p, value_prior=1.0)
    for profile in (LogOddsMean([ADVOCATES]), PointwiseMinimum([ADVOCATES, written]), written, sampled):
        assert not hasattr(profile, "candidates")
        assert profile.implied_epsilon().epsilon > 0
    for profile in (AGENCY, DRAWN, Constant(2, value_prior="any")):
        smallest = epsilon_from_shift(
            profile.candidates(2.0).shift,
            *weights(profile.candidates(2.0).membership_prior, profile.candidates(2.0).value_prior),
            2.0,
        ).min()
        assert profile.implied_epsilon().epsilon == smallest


@each(
    "line, epsilon",
    [
        (DrawnLine([(1e-15, 1.5), (1e-13, 1e3), (1, 1e3)], kind="ratio", along="membership"), math.log(1.5)),
        (Constant(1e13, value_prior=1.0), math.log(1e13)),
        (Box(3, (1e-20, 1e-13), (1, 1)), math.log(3)),
        (CapOrRatio(1e-14, 3, value_prior=1.0), math.log(3)),
    ],
)
def test_a_middle_of_lines_sees_a_member_that_binds_at_priors_near_zero(line: RiskProfile, epsilon: float) -> None:
    for make in (LogOddsMean, LogOddsMedian):
        found = make([line]).implied_epsilon()
        assert found.lower <= epsilon * (1 + 1e-12)
        assert [found.lower, found.epsilon] == pytest.approx([epsilon] * 2, rel=1e-6)


def test_a_member_that_binds_nothing_counts_as_the_bound_it_draws() -> None:
    lines = [Constant(2, membership_prior=0.5), CapOrRatio(0.2, 1.1, membership_prior=0.5)]
    assert lines[0].implied_epsilon(value_exponent=0.0).status is Status.BINDS_NOTHING
    mean = LogOddsMean(lines)
    found, scan = mean.implied_epsilon(value_exponent=0.0), mean.largest_epsilon(GRID, value_exponent=0.0).min()
    assert found.lower <= scan
    assert [found.lower, found.epsilon] == pytest.approx([scan] * 2, rel=1e-5)
