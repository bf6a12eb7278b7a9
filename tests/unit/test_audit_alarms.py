"""Alarms in two worlds as evidence: bounds, rules, power, draws needed, coverage, and broken mechanisms refuted."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from dpcore.audit import AlarmRates, Alarms, ThresholdRule, chosen_rule, joint_epsilon_lower, joint_p_value
from dpcore.composition import ReleasePlan
from dpcore.errors import Code, Refused
from dpcore.guarantees import ApproximateDP, PureDP, ZeroConcentratedDP
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from dpcore.tradeoff import trade_off
from tests.each import each


def alarms(none: int, false: int, some: int, found: int) -> Alarms:
    return Alarms(draws_absent=none, alarms_absent=false, draws_present=some, alarms_present=found)


SEEN = alarms(1000, 100, 800, 480)
MIRRORED = alarms(800, 320, 1000, 900)
"""The same evidence with alarm and silence exchanged, and with them the worlds."""


# ---- bounds ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_the_bounds_on_the_rates_are_where_a_tail_has_half_of_what_may_fail(level: float) -> None:
    upper, lower = SEEN.rates(level)
    assert binom.cdf(100, 1000, upper) == pytest.approx((1 - level) / 2, rel=1e-9)
    assert binom.sf(479, 800, lower) == pytest.approx((1 - level) / 2, rel=1e-9)
    assert alarms(5, 5, 5, 0).rates(level) == (1.0, 0.0)


def test_both_directions_are_served_by_the_same_two_bounds() -> None:
    upper, lower = SEEN.rates()
    assert SEEN.epsilon_lower() == pytest.approx(math.log(lower / upper))
    assert MIRRORED.epsilon_lower() == pytest.approx(SEEN.epsilon_lower())
    upper, lower = MIRRORED.rates()
    assert MIRRORED.epsilon_lower() == pytest.approx(math.log((1 - upper) / (1 - lower)))


def test_a_delta_is_taken_off_what_was_found() -> None:
    upper, lower = SEEN.rates()
    assert SEEN.epsilon_lower(delta=0.1) == pytest.approx(math.log((lower - 0.1) / upper))
    assert SEEN.epsilon_lower(delta=0.6) == 0.0
    assert MIRRORED.epsilon_lower(delta=0.1) == pytest.approx(SEEN.epsilon_lower(delta=0.1))


def test_no_difference_shows_nothing() -> None:
    for seen in (alarms(50, 0, 50, 0), alarms(50, 50, 50, 50), alarms(50, 20, 50, 20), alarms(50, 30, 50, 10)):
        assert seen.epsilon_lower() == 0.0
        assert seen.rho_lower() == 0.0
        assert seen.p_value(PureDP(epsilon=0.0)) > 0.05


@pytest.mark.parametrize("delta", [0.0, 0.05])
def test_a_claim_is_contradicted_exactly_where_the_bound_is_above_it(delta: float) -> None:
    bound = SEEN.epsilon_lower(level=0.95, delta=delta)
    assert SEEN.p_value(ApproximateDP(epsilon=bound, delta=delta)) == pytest.approx(0.05, rel=1e-9)
    assert SEEN.p_value(ApproximateDP(epsilon=bound - 0.01, delta=delta)) < 0.05
    assert SEEN.p_value(ApproximateDP(epsilon=bound + 0.01, delta=delta)) > 0.05


def _rho_of_two_coins(x: float, y: float) -> float:
    """The largest D_a/a of two coins, both ways, on a fine grid of orders."""
    orders = 1 + np.concatenate([[1e-7], np.geomspace(1e-5, 1e4, 20_001)])

    def divergence(p: float, q: float) -> np.ndarray:
        terms = [orders * math.log(a) + (1 - orders) * math.log(b) for a, b in ((p, q), (1 - p, 1 - q))]
        return np.asarray(np.logaddexp(*terms) / (orders - 1) / orders)

    return float(max(divergence(y, x).max(), divergence(x, y).max()))


@pytest.mark.parametrize("seen", [SEEN, MIRRORED, alarms(4000, 3, 4000, 60)])
def test_the_bound_on_rho_is_that_of_the_pair_of_coins(seen: Alarms) -> None:
    found = seen.rho_lower()
    assert found == pytest.approx(_rho_of_two_coins(*seen.rates()), rel=1e-6)
    assert (
        seen.p_value(ZeroConcentratedDP(rho=found * 0.99)) < 0.05 < seen.p_value(ZeroConcentratedDP(rho=found * 1.01))
    )


@pytest.mark.parametrize("seen", [SEEN, MIRRORED, alarms(4000, 3, 4000, 60)])
def test_the_bound_on_gaussian_noise_is_where_its_p_value_is_what_may_fail(seen: Alarms) -> None:
    found = seen.rho_lower(gaussian=True)
    assert found > seen.rho_lower()
    assert seen.p_value(Gaussian(rho=found * 0.99)) < 0.05 < seen.p_value(Gaussian(rho=found * 1.01))
    assert seen.p_value(Gaussian(rho=found)) == pytest.approx(0.05, rel=1e-6)


def test_a_gaussian_claim_is_stronger_than_the_same_rho() -> None:
    for rho in (0.4, 0.6, 0.8):
        assert SEEN.p_value(Gaussian(rho=rho)) <= SEEN.p_value(ZeroConcentratedDP(rho=rho))
    assert SEEN.p_value(ReleasePlan.repeated(Gaussian(rho=0.1), 4)) == pytest.approx(SEEN.p_value(Gaussian(rho=0.4)))
    assert SEEN.p_value(trade_off(Gaussian(rho=0.4))) == SEEN.p_value(Gaussian(rho=0.4))


def test_a_claim_far_from_the_evidence_has_a_p_value_that_a_float_still_holds() -> None:
    found = alarms(10_000, 0, 10_000, 10_000).p_value(PureDP(epsilon=1.0))
    assert 0.0 < found < 1e-300


# ---- rules -----------------------------------------------------------------------------------------------------------


def _best_by_hand(absent: list[int], present: list[int], side: str) -> tuple[float, float]:
    best = (-1.0, 0.0)
    for threshold in sorted({*absent, *present}):
        false = sum(y >= threshold if side == "large" else y <= threshold for y in absent)
        found = sum(y >= threshold if side == "large" else y <= threshold for y in present)
        shown = alarms(len(absent), false, len(present), found).epsilon_lower()
        if shown > best[0]:
            best = (shown, threshold)
    return best


@pytest.mark.parametrize("seed", range(6))
def test_the_chosen_rule_is_the_best_of_all_thresholds(seed: int) -> None:
    noise = np.asarray(Geometric(epsilon=1.0).simulate_noise((2, 60), seed=seed))
    absent, present = noise[0].tolist(), (noise[1] + 2).tolist()
    shown, threshold = _best_by_hand(absent, present, "large")
    rule = chosen_rule(absent=absent, present=present)
    assert (rule.threshold, rule.alarm) == (threshold, "large")
    assert rule.alarms(absent=absent, present=present).epsilon_lower() == pytest.approx(shown)
    assert shown > 0.0
    _, small = _best_by_hand(present, absent, "small")
    assert chosen_rule(absent=present, present=absent, alarm="small").threshold == small
    either = chosen_rule(absent=present, present=absent, alarm="either")
    assert (either.threshold, either.alarm) == (small, "small")


def test_among_equals_the_smallest_threshold_and_large_outputs_are_chosen() -> None:
    assert chosen_rule(absent=[3, 1, 2], present=[2, 1, 3], alarm="either") == ThresholdRule(1.0, alarm="large")


def test_where_nothing_is_shown_the_rates_that_lie_farthest_apart_are_chosen() -> None:
    absent, present = [0, 1, 2, 0, 1], [2, 3, 2, 3, 0]
    found = chosen_rule(absent=absent, present=present, ties="apart")
    assert found == ThresholdRule(2.0)  # 4 of 5 against 1; at 3, 2 against 0
    assert chosen_rule(absent=absent, present=present) == ThresholdRule(0.0)
    assert chosen_rule(absent=present, present=absent, alarm="either", ties="apart") == ThresholdRule(
        1.0, alarm="small"
    )


def test_a_rule_counts_and_knows_its_rates() -> None:
    small = ThresholdRule(0, alarm="small")
    assert small.gives_alarm([0, 1, -1]).tolist() == [1, 0, 1]
    assert ThresholdRule(0).gives_alarm([0, 1, -1]).tolist() == [1, 1, 0]
    assert small.alarms(absent=[0, 1, -1], present=[1, 2]) == alarms(3, 2, 2, 0)
    noise = Geometric(epsilon=1.0)
    assert small.rates(noise, absent=1, present=0).detection == pytest.approx(noise.cdf(0))
    assert small.rates(noise, absent=1, present=0).false_alarm == pytest.approx(noise.cdf(-1))
    large = ThresholdRule(0.5).rates(Laplace(epsilon=1.0))
    assert (large.false_alarm, large.detection) == pytest.approx((math.exp(-0.5) / 2, 1 - math.exp(-0.5) / 2))


# ---- before the draws ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("claim", [PureDP(epsilon=0.6), ApproximateDP(epsilon=0.4, delta=0.05), Gaussian(rho=0.1)])
@pytest.mark.parametrize("draws", [7, 13])
def test_the_power_is_the_sum_over_all_pairs_of_counts(claim: Any, draws: int) -> None:
    rates = AlarmRates(false_alarm=0.2, detection=0.7)
    total = math.fsum(
        float(binom.pmf(false, draws, 0.2) * binom.pmf(found, draws, 0.7))
        for false in range(draws + 1)
        for found in range(draws + 1)
        if alarms(draws, false, draws, found).p_value(claim) <= 0.05
    )
    assert rates.power(claim, draws=draws) == pytest.approx(total, abs=1e-12)


def test_the_power_of_rates_that_are_certain() -> None:
    sure = AlarmRates(false_alarm=0.0, detection=1.0)
    needed = sure.draws_needed(PureDP(epsilon=2.0))
    assert sure.power(PureDP(epsilon=2.0), draws=needed) == 1.0
    assert sure.power(PureDP(epsilon=2.0), draws=needed - 1) == 0.0
    assert sure.draws_needed(PureDP(epsilon=2.0), power=0.99) == needed


@pytest.mark.parametrize(
    ("epsilon", "half", "fifth", "tenth"),
    [
        (0.1, 6_246, 38_733, 154_469),
        (0.25, 1_030, 6_329, 25_147),
        (0.5, 278, 1_679, 6_619),
        (1.0, 89, 509, 1_989),
        (2.0, 40, 242, 931),
        (4.0, 45, 330, 1_382),
    ],
)
def test_draws_that_show_a_part_of_the_epsilon_of_a_geometric_count(
    epsilon: float, half: int, fifth: int, tenth: int
) -> None:
    rates = ThresholdRule(1).rates(Geometric(epsilon=epsilon))
    for part, needed in ((0.5, half), (0.8, fifth), (0.9, tenth)):
        assert rates.draws_needed(PureDP(epsilon=part * epsilon)) == needed


@pytest.mark.parametrize(
    ("threshold", "ratio", "needed"), [(1, 0.85, 113), (2, 1.64, 187), (3, 2.55, 854), (5, 4.51, 509_892)]
)
def test_a_larger_threshold_shows_a_larger_ratio_of_a_discrete_gaussian_with_more_draws(
    threshold: int, ratio: float, needed: int
) -> None:
    rates = ThresholdRule(threshold).rates(DiscreteGaussian(rho=0.5))
    seen = math.log(rates.detection / rates.false_alarm)
    assert seen == pytest.approx(ratio, abs=0.006)
    assert rates.draws_needed(PureDP(epsilon=seen / 2)) == needed


@pytest.mark.parametrize(("false", "found", "epsilon", "delta"), [(0.25, 0.75, 0.5, 0.0), (0.02, 0.3, 1.5, 0.01)])
def test_no_smaller_number_of_draws_shows_it_where_counts_fall_as_expected(
    false: float, found: float, epsilon: float, delta: float
) -> None:
    claim = ApproximateDP(epsilon=epsilon, delta=delta)
    shown = [
        alarms(n, math.ceil(n * false - 1e-9), n, math.floor(n * found + 1e-9)).epsilon_lower(delta=delta) >= epsilon
        for n in range(1, 1200)
    ]
    assert AlarmRates(false_alarm=false, detection=found).draws_needed(claim) == shown.index(True) + 1


@pytest.mark.parametrize("false_alarm", [0.0, 1e-300, 1e-15, 2.4e-14])
def test_the_power_of_an_alarm_that_is_hardly_ever_false_is_that_of_one_that_never_is(false_alarm: float) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = AlarmRates(false_alarm=false_alarm, detection=0.5).power(PureDP(epsilon=0.8), draws=7044)
    assert found == pytest.approx(
        AlarmRates(false_alarm=0.0, detection=0.5).power(PureDP(epsilon=0.8), draws=7044), rel=1e-9
    )


def test_draws_for_a_power_have_it() -> None:
    rates = ThresholdRule(1).rates(Geometric(epsilon=1.0))
    needed = rates.draws_needed(PureDP(epsilon=0.5), power=0.9)
    assert rates.power(PureDP(epsilon=0.5), draws=needed) >= 0.9 > rates.power(PureDP(epsilon=0.5), draws=needed - 1)
    assert rates.draws_needed(Gaussian(rho=0.05), power=0.9) < rates.draws_needed(
        ZeroConcentratedDP(rho=0.2), power=0.9
    )


# ---- coverage --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("epsilon", "shown"), [(0.2, 0.0), (1.0, 0.4), (2.0, 1.0)])
def test_a_thousand_simulated_audits_of_two_files(epsilon: float, shown: float) -> None:
    """Rules are chosen on a part of the outputs and tested on the rest."""
    noise = Geometric(epsilon=epsilon)
    absent = np.asarray(noise.simulate_noise((1000, 300), seed=1))
    present = np.asarray(noise.simulate_noise((1000, 300), seed=2)) + 1
    bounds = []
    for zero, one in zip(absent, present, strict=True):
        rule = chosen_rule(absent=zero[:60], present=one[:60])
        bounds.append(rule.alarms(absent=zero[60:], present=one[60:]).epsilon_lower())
    assert np.mean(np.array(bounds) <= epsilon) >= 0.95
    assert np.mean(bounds) > shown


def _held(rates: AlarmRates, epsilon: float, draws: int, seed: int) -> tuple[float, float]:
    """How often, in 2,000 audits, the true epsilon is not contradicted jointly and by the bounds on each rate."""
    generator = np.random.default_rng(seed)
    false, found = generator.binomial(draws, rates.false_alarm, 2000), generator.binomial(draws, rates.detection, 2000)
    kinds, often = np.unique(np.column_stack([false, found]), axis=0, return_counts=True)
    seen = [alarms(draws, int(k0), draws, int(k1)) for k0, k1 in kinds]
    claim = PureDP(epsilon=epsilon)
    jointly = np.array([joint_p_value(one, claim) for one in seen])
    apart = np.array([one.p_value(claim) for one in seen])
    return float(often[jointly > 0.05].sum() / 2000), float(often[apart > 0.05].sum() / 2000)


def test_two_thousand_simulated_audits_judged_jointly_hold_as_often_as_they_say_and_not_much_more() -> None:
    jointly, apart = _held(ThresholdRule(1).rates(Geometric(epsilon=1.0)), 1.0, 40, seed=7)
    assert 0.95 - 0.015 <= jointly <= 0.99
    assert apart > 0.99  # bounds on each rate are right together more often than they say


@pytest.mark.study
@pytest.mark.parametrize(("threshold", "epsilon"), [(1, 0.2), (1, 1.0), (1, 2.0), (2, 0.2), (2, 1.0)])
def test_jointly_two_thousand_audits_hold_at_usual_sizes(threshold: int, epsilon: float) -> None:
    jointly, _ = _held(ThresholdRule(threshold).rates(Geometric(epsilon=epsilon)), epsilon, 250, seed=8)
    assert 0.95 - 0.015 <= jointly <= 0.99


# ---- broken mechanisms -----------------------------------------------------------------------------------------------

Draw = Callable[[int, int], tuple[np.ndarray, np.ndarray]]
"""Outputs of world absent and of world present, so many of each, for a seed."""


def _geometric(epsilon: float, present: float) -> Draw:
    def draw(number: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
        noise = np.asarray(Geometric(epsilon=epsilon).simulate_noise((2, number), seed=seed))
        return noise[0], noise[1] + present

    return draw


def _even_noise(number: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Noise rounded to even numbers before it is added: the parity of an output is that of the true count."""
    noise = 2 * np.round(np.asarray(Laplace(epsilon=1.0).simulate_noise((2, number), seed=seed)) / 2)
    return noise[0] % 2, (noise[1] + 1) % 2


def _one_seed_for_two_counts(number: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Two counts of the same people with noise of one seed: their difference has none."""
    score = []
    for world in (0, 1):
        seeds = np.random.default_rng((seed, world)).integers(2**31, size=number)
        once = [int(Geometric(epsilon=0.5).simulate_noise(1, seed=int(one))[0]) for one in seeds]
        again = [int(Geometric(epsilon=0.5).simulate_noise(1, seed=int(one))[0]) for one in seeds]
        score.append(np.array(again) + world - np.array(once))
    return score[0], score[1]


def _seen(draw: Draw, number: int, seed: int) -> Alarms:
    absent, present = draw(number, seed)
    return ThresholdRule(1).alarms(absent=absent, present=present)


BROKEN: dict[str, tuple[Draw, AlarmRates, float]] = {
    "a scale too small by the root of two": (
        _geometric(math.sqrt(2.0), 1.0),
        ThresholdRule(1).rates(Geometric(epsilon=math.sqrt(2.0))),
        1.0,
    ),
    "rounding that leaks": (_even_noise, AlarmRates(false_alarm=0.0, detection=1.0), 1.0),
    "a seed used twice": (_one_seed_for_two_counts, AlarmRates(false_alarm=0.0, detection=1.0), 1.0),
    "a sensitivity of three that was taken for one": (
        _geometric(1.0, 3.0),
        ThresholdRule(1).rates(Geometric(epsilon=1.0), present=3.0),
        1.0,
    ),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_mechanism_is_refuted_with_the_draws_that_were_announced(fault: str) -> None:
    draw, rates, claimed = BROKEN[fault]
    claim = PureDP(epsilon=claimed)
    announced = rates.draws_needed(claim, power=0.95)
    refuted = [_seen(draw, announced, seed).p_value(claim) <= 0.05 for seed in range(100)]
    assert np.mean(refuted) >= 0.88  # three standard deviations below 95 in 100
    assert rates.power(claim, draws=max(announced // 4, 1)) < 0.9


@pytest.mark.parametrize("fault", BROKEN)
def test_the_mechanism_that_keeps_its_claim_is_not_refuted_with_as_many(fault: str) -> None:
    _, rates, claimed = BROKEN[fault]
    announced = rates.draws_needed(PureDP(epsilon=claimed), power=0.95)
    draw = _geometric(claimed, 1.0)
    refuted = [_seen(draw, announced, seed).p_value(PureDP(epsilon=claimed)) <= 0.05 for seed in range(100)]
    assert np.mean(refuted) <= 0.05


def test_a_repeated_seed_makes_one_draw_look_like_many() -> None:
    """Draws must be independent: a file with one seed has one draw in it, whatever its length."""
    noise = int(Geometric(epsilon=1.0).simulate_noise(1, seed=4)[0])
    repeated = ThresholdRule(noise + 1).alarms(absent=[noise] * 500, present=[noise + 1] * 500)
    assert repeated.epsilon_lower() > 4.0
    assert ThresholdRule(noise + 1).alarms(absent=[noise], present=[noise + 1]).epsilon_lower() == 0.0


# ---- refusals --------------------------------------------------------------------------------------------------------

REFUSED: list[tuple[Callable[[], Any], str, Code]] = [
    (lambda: alarms(10, 11, 10, 3), "alarms_absent must be a whole number from 0 to 10; got 11", Code.OUT_OF_RANGE),
    (
        lambda: alarms(10, 1, 0, 0),
        "draws_present must be a whole number from 1 to 1000000000000000; got 0",
        Code.OUT_OF_RANGE,
    ),
    (lambda: SEEN.epsilon_lower(level=0.0), r"level must lie in \(0, 1\); got 0.0", Code.OUT_OF_RANGE),
    (lambda: SEEN.epsilon_lower(delta=1.0), r"delta must lie in \[0, 1\); got 1.0", Code.OUT_OF_RANGE),
    (lambda: SEEN.p_value(0.5), "claim must be a guarantee such as PureDP", Code.WRONG_TYPE),
    (
        lambda: ThresholdRule(1).alarms(absent=[], present=[1]),
        "absent must be a list of one number for each draw",
        Code.WRONG_SHAPE,
    ),
    (
        lambda: ThresholdRule(1).alarms(absent=[1], present=[[1]]),
        "present must be a list of one number",
        Code.WRONG_SHAPE,
    ),
    (lambda: ThresholdRule(math.inf), "threshold must be finite; got inf", Code.NOT_FINITE),
    (lambda: ThresholdRule(1).rates(1.0), "noise must be noise such as Geometric", Code.WRONG_TYPE),  # type: ignore[arg-type]
    (lambda: chosen_rule(absent=[1], present=[]), "present must be a list of one number", Code.WRONG_SHAPE),
    (lambda: chosen_rule(absent=[1], present=[2], level=2), r"level must lie in \(0, 1\)", Code.OUT_OF_RANGE),
    (lambda: AlarmRates(false_alarm=-0.1, detection=1), r"false_alarm must lie in \[0, 1\]", Code.OUT_OF_RANGE),
    (
        lambda: AlarmRates(false_alarm=0.3, detection=0.5).draws_needed(PureDP(epsilon=1.0)),
        r"claim must be broken by these rates; got PureDP\(epsilon=1.0",
        Code.INFEASIBLE,
    ),
    (
        lambda: AlarmRates(false_alarm=1e-9, detection=3e-9).draws_needed(PureDP(epsilon=1.0)),
        "claim must need at most 1000000000 draws",
        Code.TOO_LARGE,
    ),
    (
        lambda: AlarmRates(false_alarm=0.1, detection=0.5).draws_needed(PureDP(epsilon=1.0), power=1.0),
        r"power must lie in \(0, 1\)",
        Code.OUT_OF_RANGE,
    ),
    (lambda: joint_p_value(1.0, PureDP(epsilon=1.0)), "seen must be Alarms; got 1.0", Code.WRONG_TYPE),  # type: ignore[arg-type]
    (
        lambda: joint_p_value(SEEN, Gaussian(rho=1.0)),  # type: ignore[arg-type]
        "claim must be PureDP or ApproximateDP; got Gaussian",
        Code.WRONG_TYPE,
    ),
    (
        lambda: joint_p_value(alarms(100_001, 1, 5, 1), PureDP(epsilon=1.0)),
        "seen must hold at most 100000 draws of each world",
        Code.TOO_LARGE,
    ),
    (
        lambda: AlarmRates(false_alarm=0.25, detection=0.75).draws_needed(PureDP(epsilon=math.log(3) - 1.41e-4)),
        "claim must need at most 1000000000 draws",
        Code.TOO_LARGE,
    ),
    (lambda: joint_epsilon_lower(SEEN, level=1e-17), "level must be at least 1e-09 and finite", Code.OUT_OF_RANGE),
    (lambda: joint_epsilon_lower(SEEN, step=0.0), r"step must lie in \(0, 1\]", Code.OUT_OF_RANGE),
]


@each("call, words, code", REFUSED)
def test_what_cannot_be_evidence_is_refused(call: Callable[[], Any], words: str, code: Code) -> None:
    with pytest.raises(Refused, match=words) as caught:
        call()
    assert caught.value.code is code


# ---- both rates together ---------------------------------------------------------------------------------------------


def _largest_chance(seen: Alarms, claim: Any) -> float:
    """The chance of pairs of counts with as small a p-value, at the worst rates of a fine grid along the claim."""
    none, some = seen.draws_absent, seen.draws_present
    own = seen.p_value(claim)
    extreme = np.array(
        [
            [alarms(none, i, some, j).p_value(claim) <= own * (1 + 1e-9) for j in range(some + 1)]
            for i in range(none + 1)
        ]
    )
    false = np.linspace(0.0, 1.0, 4001)
    found = np.asarray(trade_off(claim).detection(false))
    laws = binom.pmf(np.arange(none + 1)[:, None], none, false), binom.pmf(np.arange(some + 1)[:, None], some, found)
    return float(np.einsum("if,ij,jf->f", laws[0], extreme, laws[1]).max())


@pytest.mark.parametrize(
    ("seen", "claim"),
    [
        (alarms(12, 1, 12, 8), PureDP(epsilon=0.5)),
        (alarms(9, 0, 15, 9), PureDP(epsilon=1.0)),
        (alarms(14, 5, 8, 8), PureDP(epsilon=0.2)),
        (alarms(12, 0, 12, 7), ApproximateDP(epsilon=0.4, delta=0.1)),
        (alarms(10, 4, 10, 10), ApproximateDP(epsilon=0.1, delta=0.05)),
    ],
)
def test_the_joint_p_value_is_the_largest_chance_of_so_extreme_a_pair(seen: Alarms, claim: Any) -> None:
    largest = _largest_chance(seen, claim)
    found = joint_p_value(seen, claim)
    assert largest <= found <= largest * 1.013 + 1e-9
    assert found < seen.p_value(claim)


def test_the_joint_bound_is_mirrored_with_alarm_and_silence() -> None:
    claim = PureDP(epsilon=1.45)
    assert joint_p_value(SEEN, claim) == pytest.approx(joint_p_value(MIRRORED, claim), rel=1e-6)
    assert joint_epsilon_lower(SEEN) == joint_epsilon_lower(MIRRORED)


def test_the_joint_bound_is_the_last_of_its_grid_that_is_contradicted() -> None:
    seen = alarms(300, 60, 200, 120)
    found = joint_epsilon_lower(seen, delta=0.01)
    assert found == pytest.approx(round(found, 2), abs=1e-12)
    assert joint_p_value(seen, ApproximateDP(epsilon=found, delta=0.01)) <= 0.05
    assert joint_p_value(seen, ApproximateDP(epsilon=found + 0.01, delta=0.01)) > 0.05
    assert found > seen.epsilon_lower(delta=0.01) + 0.05
    assert joint_epsilon_lower(alarms(30, 9, 30, 9)) == 0.0
    assert joint_p_value(alarms(30, 9, 30, 9), PureDP(epsilon=2.0)) == 1.0


def test_jointly_two_thirds_of_the_draws_are_enough() -> None:
    """The counts that a geometric epsilon of 1 is expected to give, against .8."""
    rates, claim = ThresholdRule(1).rates(Geometric(epsilon=1.0)), PureDP(epsilon=0.8)
    apart = rates.draws_needed(claim)
    fewer = apart * 2 // 3
    expected = alarms(fewer, math.ceil(fewer * rates.false_alarm), fewer, math.floor(fewer * rates.detection))
    assert joint_p_value(expected, claim) <= 0.05 < expected.p_value(claim)
