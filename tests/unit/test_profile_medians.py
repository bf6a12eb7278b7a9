"""The middle line of a room, the band of half its lines, and which lines a budget keeps."""

from __future__ import annotations

import math
import statistics
from typing import Any

import numpy as np
import pytest
from scipy.special import expit, logit

from dpcore.errors import Code, Refused
from dpcore.profiles import (
    Box,
    CapOrRatio,
    Certainty,
    Constant,
    DrawnLine,
    ExpressionProfile,
    LargestIncrease,
    LinesKept,
    LogOddsMean,
    LogOddsMedian,
    RiskProfile,
    SampledProfile,
    Status,
    lines_kept,
    middle_half,
)

AGENCY = CapOrRatio(0.25, 3, value_prior=1.0)
ADVOCATES = Constant(2, value_prior=1.0)
USERS = LargestIncrease(0.4, value_prior=1.0)
DRAWN = DrawnLine([(0.001, 0.2), (0.2, 0.5), (0.6, 0.95)], along="membership")
JUMP = DrawnLine([(0.05, 3.0), (0.2, 1.5), (0.5, 1.5)], kind="ratio", interpolation="step", along="membership")
GRID = np.unique(np.concatenate([np.geomspace(1e-9, 1, 4001), np.linspace(1e-4, 1, 4001)]))


def _dip(at: float) -> DrawnLine:
    """A line that allows the ratio 1.1 at one prior and 8 elsewhere below 0.12."""
    nodes = [(1e-4, 8.0), (at * 0.9, 8.0), (at, 1.1), (at * 1.1, 8.0), (0.12, 8.0)]
    return DrawnLine(nodes, kind="ratio", interpolation="ratio", along="membership")


def _by_hand(members: list[RiskProfile], prior: float) -> float:
    """The median of the posteriors' log odds, one prior at a time and without arrays."""
    allowed = [float(member.highest_posterior(prior)) for member in members]
    return float(expit(statistics.median(float(logit(each)) for each in allowed)))


@pytest.mark.parametrize("members", [[AGENCY, ADVOCATES, DRAWN], [AGENCY, ADVOCATES, DRAWN, USERS], [USERS]])
def test_the_median_is_the_median_of_log_odds(members: list[RiskProfile]) -> None:
    for prior in (0.003, 0.02, 0.11, 0.3):
        assert LogOddsMedian(members).highest_posterior(prior) == pytest.approx(_by_hand(members, prior), rel=1e-12)


def test_of_two_lines_the_median_is_their_mean() -> None:
    median, mean = LogOddsMedian([AGENCY, DRAWN]), LogOddsMean([AGENCY, DRAWN])
    assert np.array_equal(median.highest_posterior(GRID), mean.highest_posterior(GRID))
    assert median.implied_epsilon().epsilon == mean.implied_epsilon().epsilon


@pytest.mark.parametrize(
    "members",
    [
        [AGENCY, ADVOCATES, DRAWN],
        [AGENCY, ADVOCATES, DRAWN, USERS],
        [AGENCY, USERS, DRAWN, JUMP, Box(2, (0.05, 0.2), (1.0, 1.0))],
        [_dip(0.01), _dip(0.03), _dip(0.1)],
        [CapOrRatio(0.2, 3, value_prior=0.5), LargestIncrease(0.1, value_prior=0.5), Constant(1.5, value_prior=0.5)],
        [Constant(r, membership_prior=0.05) for r in (2, 3, 9)] + [CapOrRatio(0.02, 4, membership_prior=0.05)],
    ],
    ids=range(6),
)
def test_the_bracket_of_a_median_holds_a_dense_scan(members: list[RiskProfile]) -> None:
    median = LogOddsMedian(members)
    answer = median.implied_epsilon()
    priors = np.unique(np.concatenate([GRID, *(np.linspace(at * 0.89, at * 1.11, 400) for at in (0.01, 0.03, 0.1))]))
    scan = float(np.min(median.largest_epsilon(priors)))
    assert answer.certainty is Certainty.BRACKET
    assert answer.lower <= scan
    assert answer.epsilon <= scan * (1 + 1e-6)
    assert answer.lower == pytest.approx(answer.epsilon, rel=1e-6)
    assert scan == pytest.approx(answer.epsilon, rel=2e-3)
    if answer.attained:
        assert answer.binding is not None
        place = answer.binding.membership_prior if median.axis.value == "membership" else answer.binding.value_prior
        assert median.largest_epsilon(place) == pytest.approx(answer.epsilon)


def test_the_epsilon_of_the_middle_line_can_keep_none_of_the_lines() -> None:
    """Each of three lines dips at a prior of its own: the middle line does not dip at all."""
    members = [_dip(0.01), _dip(0.03), _dip(0.1)]
    middle = LogOddsMedian(members).implied_epsilon().lower
    assert math.log(8) < middle == pytest.approx(math.log(8), rel=1e-3)
    assert lines_kept(members).count(middle) == 0
    assert lines_kept(members).epsilon_that_keeps(3) < 0.2


def test_the_median_requires_nothing_where_the_looser_middle_line_does() -> None:
    """AGENCY asks for nothing above 1/3, the box nowhere near it."""
    box = Box(2, (0.1, 0.2), (1, 1))
    assert LogOddsMedian([ADVOCATES, AGENCY]).highest_posterior(0.45) == 1.0
    assert LogOddsMedian([ADVOCATES, ADVOCATES, AGENCY]).highest_posterior(0.45) == pytest.approx(0.9)
    assert LogOddsMedian([box, AGENCY, box]).implied_epsilon().status is Status.BINDS
    assert LogOddsMedian([box, Box(2, (0.3, 0.4), (1, 1)), AGENCY]).highest_posterior(0.25) == 1.0
    apart = [Box(2, (0.1, 0.2), (1, 1)), Box(2, (0.3, 0.4), (1, 1)), Box(2, (0.5, 0.6), (1, 1))]
    assert LogOddsMedian(apart).implied_epsilon().status is Status.BINDS_NOTHING


def test_a_room_of_many_lines_has_a_certified_middle() -> None:
    """More lines than are looked at in one go: the pieces are settled one after the other."""
    rng = np.random.default_rng(7)
    members = []
    for _ in range(101):
        prior = np.sort(rng.uniform(0.001, 0.9, 40))
        cap = np.maximum.accumulate(prior + (1 - prior) * rng.uniform(0.05, 0.4, 40))
        members.append(DrawnLine(list(zip(prior.tolist(), cap.tolist(), strict=True)), along="membership"))
    answer = LogOddsMedian(members).implied_epsilon()
    scan = np.min(LogOddsMedian(members).largest_epsilon(np.linspace(0.01, 0.9, 2001)))
    assert answer.lower == pytest.approx(answer.epsilon, rel=1e-6)
    assert answer.lower <= scan <= answer.epsilon * 1.01


@pytest.mark.parametrize("at_once", [21, 22, 23])
def test_no_prior_is_left_out_where_the_pieces_meet(monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    """The strictest prior of this middle line lies between two places that are looked at first."""
    members = [LargestIncrease(0.2, value_prior=1.0), LargestIncrease(0.3, value_prior=1.0)]
    whole = LogOddsMedian(members).implied_epsilon()
    monkeypatch.setattr("dpcore.profiles.combinations._MOST_SHIFTS", 1)
    monkeypatch.setattr("dpcore.profiles.combinations._LEAST_INTERVALS", at_once)
    pieces = LogOddsMedian(members).implied_epsilon()
    assert pieces.epsilon == pytest.approx(whole.epsilon, rel=2e-5)
    assert whole.lower * 0.997 < pieces.lower <= whole.lower  # pieces so small are not cut as often


@pytest.mark.parametrize(("start", "stop"), [(0.0011, 0.0012), (0.298, 0.312)])
def test_a_dip_between_two_places_that_are_looked_at_first_is_found_wherever_it_is(start: float, stop: float) -> None:
    """Of the breakpoints inside one interval of the first grid each may be the one that decides."""
    for inside in range(1, 12):
        places = np.linspace(start, stop, inside)
        for dip in range(inside):
            nodes = [(1e-6, 3.0), *((float(u), 1.2 if i == dip else 3.0) for i, u in enumerate(places)), (1.0, 3.0)]
            line = DrawnLine(nodes, kind="ratio", interpolation="ratio", along="membership")
            answer = LogOddsMedian([line, Constant(9, value_prior=1.0), line]).implied_epsilon()
            assert answer.lower == pytest.approx(line.implied_epsilon().epsilon, rel=1e-6)
            assert answer.binding is not None
            assert answer.binding.prior == places[dip]


def test_half_of_the_lines_lie_in_the_band() -> None:
    ratios = [1.2, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0]
    for n in range(1, 8):
        members = [Constant(ratio, value_prior=1.0) for ratio in ratios[:n]]
        low, high = middle_half(members, np.array([0.05, 0.1]))
        for column, prior in enumerate((0.05, 0.1)):
            inside = [low[column] <= m.highest_posterior(prior) <= high[column] for m in members]
            assert sum(inside) >= n / 2
            assert sum(inside) == n - 2 * (n // 4)
        middle = LogOddsMedian(members).highest_posterior(np.array([0.05, 0.1]))
        assert (low <= middle * (1 + 1e-12)).all()
        assert (middle <= high * (1 + 1e-12)).all()
    assert isinstance(middle_half(members, 0.05)[0], float)


def test_what_is_kept_is_counted_line_by_line() -> None:
    written, sampled = ExpressionProfile("3", value_prior=1.0), SampledProfile(lambda p, q: 3 + 0 * p, value_prior=1.0)
    members = [AGENCY, ADVOCATES, DRAWN, USERS, written, sampled]
    room = lines_kept(members)
    assert room.epsilons == tuple(m.implied_epsilon().lower for m in members)
    assert room.epsilons[-1] == 0  # sampled: certain of nothing
    for epsilon in (0.0, 0.3, 0.7, 1.0, 1.2, 5.0):
        kept = room.kept(epsilon)
        assert kept == tuple(epsilon <= m.implied_epsilon().lower for m in members)
        assert room.count(epsilon) == sum(kept)
    assert lines_kept([AGENCY], value_exponent=1.0).epsilons == (AGENCY.implied_epsilon(value_exponent=1.0).lower,)


def test_the_steps_and_the_epsilons_that_keep_so_many_agree() -> None:
    room = LinesKept([0.5, 2.0, 0.5, math.inf, 1.0])
    assert room.steps == ((0.5, 5), (1.0, 3), (2.0, 2))
    assert [room.epsilon_that_keeps(k) for k in range(1, 6)] == [math.inf, 2.0, 1.0, 0.5, 0.5]
    for k in range(2, 6):
        largest = room.epsilon_that_keeps(k)
        assert room.count(largest) >= k > room.count(math.nextafter(largest, math.inf))


@pytest.mark.parametrize(
    ("call", "text", "code"),
    [
        (lambda: LogOddsMedian([]), "profiles must be one or more risk profiles; got ()", Code.WRONG_TYPE),
        (
            lambda: LogOddsMedian([AGENCY, Constant(2, membership_prior=1.0)]),
            "profiles must vary along the same belief with the other held at the same value; got membership (1.0) and "
            "value (1.0)",
            Code.INCONSISTENT,
        ),
        (
            lambda: LogOddsMedian([ExpressionProfile("3", value_prior=1.0)]),
            "profiles must be templates or drawn lines along one belief; got ExpressionProfile along membership",
            Code.UNSUPPORTED,
        ),
        (
            lambda: middle_half([Constant(2, value_prior="any")], 0.1),
            "profiles must vary along one belief; got both",
            Code.UNSUPPORTED,
        ),
        (lambda: middle_half([AGENCY], 0.0), "prior must lie in (0, 1]; got 0.0", Code.OUT_OF_RANGE),
        (lambda: lines_kept([]), "profiles must be one or more risk profiles; got ()", Code.WRONG_TYPE),
        (lambda: lines_kept([1]), "profiles must be one or more risk profiles; got (1,)", Code.WRONG_TYPE),  # type: ignore[list-item]
        (lambda: LinesKept([]), "epsilons must hold at least one number; got 0", Code.EMPTY),
        (lambda: LinesKept([-1.0]), "epsilons must be at least 0; got -1.0", Code.OUT_OF_RANGE),
        (lambda: LinesKept([1.0]).kept(-1), "epsilon must be at least 0 and finite; got -1", Code.OUT_OF_RANGE),
        (
            lambda: LinesKept([1.0, 2.0]).epsilon_that_keeps(3),
            "lines must be a whole number from 1 to 2; got 3",
            Code.OUT_OF_RANGE,
        ),
    ],
)
def test_what_is_refused(call: Any, text: str, code: Code) -> None:
    with pytest.raises(Refused) as refusal:
        call()
    assert str(refusal.value) == text
    assert refusal.value.code is code
