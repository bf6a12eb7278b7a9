"""Betting against a claim: fair at the edge of it, right however often one looks, and quick where it is broken."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit

from dpcore.audit import (
    GuessRate,
    ThresholdRule,
    Wealth,
    guess_epsilon_lower,
    guess_wealth,
    pair_epsilon_lower,
    pair_wealth,
)
from dpcore.errors import Code, Refused
from dpcore.guarantees import ApproximateDP, PureDP, ZeroConcentratedDP
from dpcore.mechanisms import Gaussian, Geometric

# ---- fair bets -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [None, 0.8, 1.0])
def test_wealth_of_guesses_is_worth_one_over_every_sequence_at_the_edge(share: float | None) -> None:
    chance = float(expit(0.7))
    total = 0.0
    for right in itertools.product((0, 1), repeat=10):
        wealth = guess_wealth(right, PureDP(epsilon=0.7), share=share).path[-1]
        total += float(wealth) * chance ** sum(right) * (1 - chance) ** (10 - sum(right))
    assert total == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("direction", ["alarms", "silences", "either"])
@pytest.mark.parametrize("stake", [None, 0.3])
@pytest.mark.parametrize("delta", [0.0, 0.05])
def test_wealth_of_pairs_is_worth_at_most_one_and_at_the_edge_exactly(
    direction: Any, stake: float | None, delta: float
) -> None:
    claim = ApproximateDP(epsilon=0.6, delta=delta)
    corner = (1 - delta) / (1 + math.exp(0.6))
    rates = {"alarms": (corner / 2, delta + math.exp(0.6) * corner / 2), "either": (corner, 1 - corner)}
    rates["silences"] = (1 - rates["alarms"][1], 1 - rates["alarms"][0])
    false, found = rates[direction]
    total = 0.0
    for pairs in itertools.product(itertools.product((0, 1), repeat=2), repeat=5):
        absent, present = zip(*pairs, strict=True)
        chance = math.prod((false if a else 1 - false) * (found if b else 1 - found) for a, b in pairs)
        total += chance * float(
            pair_wealth(claim, absent=absent, present=present, stake=stake, direction=direction).path[-1]
        )
    assert total == pytest.approx(1.0, abs=1e-12)


def test_the_mixture_is_the_mean_of_the_wealth_of_all_shares() -> None:
    for right, wrong, epsilon in (
        (14, 3, 0.5),
        (3, 9, 1.0),
        (0, 5, 0.2),
        (5, 0, 2.0),
        (400, 390, 1.5),
        (700, 300, 0.3),
    ):
        p = float(expit(epsilon))

        def log_ratio(q: float, v: int = right, w: int = wrong, p: float = p) -> float:
            return v * math.log(q / p) + (w * math.log((1 - q) / (1 - p)) if w else 0.0)

        peak = max(p, right / (right + wrong))
        most = log_ratio(min(peak, 1 - 1e-12))
        mean = quad(lambda q: math.exp(log_ratio(q) - most), p, 1, points=[peak], epsabs=0, limit=400)[0] / (1 - p)  # noqa: B023
        found = guess_wealth([1] * right + [0] * wrong, PureDP(epsilon=epsilon)).log_path[-1]
        assert found == pytest.approx(most + math.log(mean), rel=1e-9, abs=1e-9)


def test_the_mixture_stands_where_a_float_holds_neither_tail() -> None:
    ahead = guess_wealth([1] * 5000, PureDP(epsilon=0.1))
    assert ahead.log_path[-1] > 2000.0
    assert ahead.path[-1] == math.inf
    assert ahead.p_value == math.ulp(0.0), "rounded up"
    behind = guess_wealth([1, 0] * 5000, PureDP(epsilon=6.0)).log_path
    assert np.isfinite(behind).all()
    assert behind[-1] == pytest.approx(-math.log(5001 - 5000 * math.exp(-6.0)), abs=1e-3)  # the slope at the edge


def test_the_order_of_guesses_does_not_matter_to_the_mixture_and_does_to_what_was_reached() -> None:
    first, last = [1] * 9 + [0] * 9, [0] * 9 + [1] * 9
    claim = PureDP(epsilon=0.0)
    assert guess_wealth(first, claim).log_path[-1] == pytest.approx(guess_wealth(last, claim).log_path[-1])
    assert guess_wealth(first, claim).rejected_at() == 7
    assert guess_wealth(last, claim).rejected_at() is None
    assert guess_wealth(last, claim).largest == 1.0


def test_the_plug_in_stake_looks_at_the_past_alone() -> None:
    absent, present = [0, 0, 1, 0, 0], [1, 1, 1, 0, 1]
    ratio, delta = math.exp(0.4), 0.02
    wealth, gains = 1.0, []
    for a, b in zip(absent, present, strict=True):
        stake = min(max(sum(gains) / (1 + sum(g * g for g in gains)), 0.0), 0.5 / (ratio + delta))
        gains.append(b - ratio * a - delta)
        wealth *= 1 + stake * gains[-1]
    found = pair_wealth(ApproximateDP(epsilon=0.4, delta=delta), absent=absent, present=present)
    assert found.path[-1] == pytest.approx(wealth, rel=1e-12)
    assert found.path[0] == 1.0


def test_silences_are_alarms_of_the_other_world() -> None:
    absent, present = [0, 1, 0, 0, 1, 0], [1, 1, 0, 1, 1, 1]
    claim = PureDP(epsilon=0.5)
    mirrored = pair_wealth(claim, absent=[1 - b for b in present], present=[1 - a for a in absent], direction="alarms")
    assert pair_wealth(claim, absent=absent, present=present, direction="silences").path == pytest.approx(mirrored.path)


def test_a_claim_that_is_no_epsilon_is_bet_against_by_its_best_guess() -> None:
    right = [1, 1, 1, 0, 1, 1, 1, 1]
    gaussian, any_rho = guess_wealth(right, Gaussian(rho=0.1)), guess_wealth(right, ZeroConcentratedDP(rho=0.1))
    assert gaussian.path[-1] > any_rho.path[-1]
    leaking = guess_wealth(right, ApproximateDP(epsilon=0.0, delta=0.2))  # right 6 of 10 times
    assert leaking.path[-1] == pytest.approx(guess_wealth(right, PureDP(epsilon=math.log(1.5))).path[-1])


# ---- as often as one looks -------------------------------------------------------------------------------------------


def _rejected(paths: list[Wealth], level: float = 0.95) -> float:
    return float(np.mean([path.rejected_at(level) is not None for path in paths]))


def test_a_thousand_true_claims_looked_at_after_every_guess() -> None:
    generator = np.random.default_rng(11)
    right = generator.random((1000, 400)) < expit(1.0)
    assert _rejected([guess_wealth(one.astype(int), PureDP(epsilon=1.0)) for one in right]) <= 0.05


@pytest.mark.parametrize("direction", ["alarms", "either"])
def test_two_thousand_true_claims_looked_at_after_every_pair(direction: Any) -> None:
    rates = ThresholdRule(1).rates(Geometric(epsilon=1.0))
    generator = np.random.default_rng(12)
    absent = (generator.random((2000, 300)) < rates.false_alarm).astype(int)
    present = (generator.random((2000, 300)) < rates.detection).astype(int)
    found = [
        pair_wealth(PureDP(epsilon=1.0), absent=a, present=b, direction=direction)
        for a, b in zip(absent, present, strict=True)
    ]
    assert 0.0 < _rejected(found) <= 0.05


def test_looking_after_every_guess_at_a_fixed_test_breaks_its_level() -> None:
    """What betting is for: the p-value of so many guesses is no p-value for whoever stops when it is small."""
    from dpcore.audit import Guesses

    generator = np.random.default_rng(13)
    wrongly = 0
    for _ in range(200):
        right = np.cumsum(generator.random(60) < expit(1.0))
        wrongly += any(
            Guesses(right=int(right[n - 1]), guesses=n).p_value(PureDP(epsilon=1.0)) <= 0.05 for n in range(5, 61)
        )
    assert wrongly > 20


@pytest.mark.parametrize(("true", "claimed", "guesses", "pairs"), [(2.0, 1.0, 48, 39), (1.0, 0.5, 135, 66)])
def test_a_broken_claim_is_rejected_about_as_soon_as_by_a_test_of_fixed_size(
    true: float, claimed: float, guesses: int, pairs: int
) -> None:
    generator, claim = np.random.default_rng(14), PureDP(epsilon=claimed)
    right = (generator.random((500, 1500)) < expit(true)).astype(int)
    stopped = [guess_wealth(one, claim).rejected_at() or 1501 for one in right]
    assert np.median(stopped) == pytest.approx(guesses, rel=0.2)
    assert np.median(stopped) < 1.3 * GuessRate(float(expit(true))).guesses_needed(claim, power=0.8)
    rates = ThresholdRule(1).rates(Geometric(epsilon=true))
    absent = (generator.random((500, 700)) < rates.false_alarm).astype(int)
    present = (generator.random((500, 700)) < rates.detection).astype(int)
    stopped = [
        pair_wealth(claim, absent=a, present=b).rejected_at() or 701 for a, b in zip(absent, present, strict=True)
    ]
    assert np.median(stopped) == pytest.approx(pairs, rel=0.2)


def test_bounds_that_are_read_after_every_guess_hold_for_ever() -> None:
    generator = np.random.default_rng(15)
    right = (generator.random((300, 250)) < expit(1.0)).astype(int)
    last = np.array([guess_epsilon_lower(one, step=0.05)[-1] for one in right])  # the largest, since none falls
    assert (last <= 1.0).mean() >= 0.95
    assert np.median(last) > 0.4


def test_bounds_that_are_read_after_every_pair_hold_for_ever() -> None:
    rates = ThresholdRule(1).rates(Geometric(epsilon=1.0))
    generator = np.random.default_rng(16)
    last = np.array(
        [
            pair_epsilon_lower(
                absent=(generator.random(200) < rates.false_alarm).astype(int),
                present=(generator.random(200) < rates.detection).astype(int),
                step=0.05,
            )[-1]
            for _ in range(200)
        ]
    )
    assert (last <= 1.0).mean() >= 0.95
    assert np.median(last) > 0.3


@pytest.mark.parametrize("delta", [0.0, 0.02])
def test_the_running_bound_is_the_last_claim_rejected_with_all_below(delta: float) -> None:
    generator = np.random.default_rng(17)
    right = (generator.random(120) < 0.85).astype(int)
    bounds = guess_epsilon_lower(right, delta=delta, step=0.1)
    assert (np.diff(bounds) >= 0).all()
    assert bounds[-1] > 0.5
    for draws in (20, 60, 120):
        rejected = [
            guess_wealth(right[:draws], ApproximateDP(epsilon=place / 10, delta=delta)).rejected_at() is not None
            for place in range(40)
        ]
        together = rejected.index(False)
        assert bounds[draws - 1] == pytest.approx(max(together - 1, 0) / 10)


@pytest.mark.parametrize("delta", [0.0, 0.1])
def test_the_running_bound_of_pairs_is_the_last_claim_rejected_with_all_below(delta: float) -> None:
    generator = np.random.default_rng(18)
    absent, present = (generator.random(80) < 0.1).astype(int), (generator.random(80) < 0.8).astype(int)
    bounds = pair_epsilon_lower(absent=absent, present=present, delta=delta, step=0.1, direction="alarms")
    for draws in (10, 40, 80):
        rejected = [
            pair_wealth(
                ApproximateDP(epsilon=place / 10, delta=delta), absent=absent[:draws], present=present[:draws]
            ).rejected_at()
            is not None
            for place in range(60)
        ]
        assert bounds[draws - 1] == pytest.approx(max(rejected.index(False) - 1, 0) / 10)
    assert bounds[-1] > 0.5


def test_a_chance_that_no_float_holds_is_not_rounded_down_to_none() -> None:
    grown = guess_wealth([1] * 2_000, PureDP(epsilon=0.0), share=1.0)  # 2^2000
    assert grown.largest == math.inf
    assert 0.0 < grown.p_value < 1e-300
    assert guess_wealth([1] * 1_000, PureDP(epsilon=0.0), share=1.0).p_value == pytest.approx(0.5**1000)
    assert guess_wealth([0], PureDP(epsilon=0.0)).p_value == 1.0


def test_nothing_seen_shows_nothing() -> None:
    assert guess_epsilon_lower([]).size == pair_epsilon_lower(absent=[], present=[]).size == 0
    assert guess_wealth([], PureDP(epsilon=1.0)).largest == 1.0
    assert pair_wealth(PureDP(epsilon=1.0), absent=[], present=[]).rejected_at() is None


# ---- refusals --------------------------------------------------------------------------------------------------------

ONE = PureDP(epsilon=1.0)
REFUSED: list[tuple[Callable[[], Any], str, Code]] = [
    (lambda: guess_wealth([1, 2], ONE), r"right must lie in \[0, 1\]; got 2", Code.OUT_OF_RANGE),
    (lambda: guess_wealth([1, 0.5], ONE), "right must be a list of ones and zeros; got 0.5", Code.OUT_OF_RANGE),
    (lambda: guess_wealth([[1]], ONE), "right must be a list of ones and zeros", Code.WRONG_SHAPE),
    (lambda: guess_wealth([1], 1.0), "claim must be a guarantee such as PureDP", Code.WRONG_TYPE),
    (lambda: guess_wealth([1], ONE, share=0.6), r"share must lie in \[0.731059, 1\]; got 0.6", Code.OUT_OF_RANGE),
    (lambda: guess_wealth([1], PureDP(epsilon=800.0)), "claim must leave a guess in doubt", Code.INFEASIBLE),
    (
        lambda: pair_wealth(ONE, absent=[0], present=[1, 1]),
        r"absent and present must be equally long; got \(1, 2\)",
        Code.WRONG_SHAPE,
    ),
    (
        lambda: pair_wealth(Gaussian(rho=1.0), absent=[0], present=[1]),
        "claim must be PureDP or ApproximateDP",
        Code.WRONG_TYPE,
    ),  # type: ignore[arg-type]
    (
        lambda: pair_wealth(ONE, absent=[0], present=[1], stake=math.exp(-1)),
        r"stake must be below 1/\(e\^epsilon \+ delta\), here 0.367879; got 0.36787",
        Code.OUT_OF_RANGE,
    ),
    (lambda: pair_wealth(ONE, absent=[0], present=[1], stake=-0.1), "stake must be at least 0", Code.OUT_OF_RANGE),
    (
        lambda: pair_wealth(PureDP(epsilon=701.0), absent=[0, 1], present=[1, 0]),
        "claim must have an epsilon of at most 700",
        Code.TOO_LARGE,
    ),
    (lambda: guess_epsilon_lower([1], level=1), r"level must lie in \(0, 1\)", Code.OUT_OF_RANGE),
    (lambda: guess_epsilon_lower([1], delta=1), r"delta must lie in \[0, 1\)", Code.OUT_OF_RANGE),
    (lambda: pair_epsilon_lower(absent=[1], present=[1], step=0), r"step must lie in \(0, 1\]", Code.OUT_OF_RANGE),
    (lambda: pair_epsilon_lower(absent=[1], present=[1], delta=-1), r"delta must lie in \[0, 1\)", Code.OUT_OF_RANGE),
]


@pytest.mark.parametrize(("call", "words", "code"), REFUSED)
def test_a_bet_that_is_none_is_refused(call: Callable[[], Any], words: str, code: Code) -> None:
    with pytest.raises(Refused, match=words) as caught:
        call()
    assert caught.value.code is code


def test_a_bet_that_is_lost_at_a_huge_epsilon_leaves_nothing_to_stake() -> None:
    """At ε = 400 the square of a loss is no float: half is lost at the second draw, and then all stakes are 0."""
    lost = pair_wealth(PureDP(epsilon=400.0), absent=[0, 1, 1], present=[1, 0, 1], direction="alarms")
    assert lost.path.tolist() == [1.0, 0.5, 0.5]
