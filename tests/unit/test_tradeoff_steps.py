"""Trade-offs over several steps: chains of coins by linear programs, a release that reaches them, plans, refusals."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import linprog

from dpcore.composition import PlannedRelease, ReleasePlan
from dpcore.errors import Refused
from dpcore.guarantees import ApproximateDP, ProbabilisticDP, PureDP, ZeroConcentratedDP
from dpcore.mechanisms import Gaussian, Geometric
from dpcore.promise import Promise
from dpcore.tradeoff import TradeOff, trade_off, trade_off_of_secret, trade_off_over_steps
from dpcore.tradeoff.steps import MOST_STEPS, points_of_steps
from tests.each import each

RATES = np.array([1e-12, 1e-6, 1e-3, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1 - 1e-9])


def _by_linear_program(x: float, epsilon: float, delta: float, steps: int) -> float:
    """Largest chance of yes in world k among coins that every two neighbours of a path of worlds keep within."""
    most, rows, limits = math.exp(epsilon), [], []
    for here in range(steps):
        for one, other in ((here, here + 1), (here + 1, here)):
            yes, no = np.zeros(steps + 1), np.zeros(steps + 1)
            yes[one], yes[other] = 1, -most
            no[one], no[other] = -1, most
            rows += [yes, no]
            limits += [delta, delta + most - 1]
    goal, fixed = np.zeros(steps + 1), np.zeros((1, steps + 1))
    goal[-1], fixed[0, 0] = -1, 1
    found = linprog(goal, np.array(rows), limits, fixed, [x], bounds=(0, 1), method="highs")
    return -float(found.fun)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.3, 0.0), (1.29, 0.0), (0.3, 0.05), (1.0, 1e-3), (3.0, 0.2)])
@pytest.mark.parametrize("steps", [1, 2, 3, 6])
def test_no_chain_of_coins_finds_more_and_one_finds_as_much(epsilon: float, delta: float, steps: int) -> None:
    curve = trade_off_over_steps(ApproximateDP(epsilon=epsilon, delta=delta), steps=steps)
    for x in (0.0, 0.003, 0.1, 0.4, 0.8, 1.0):
        assert curve.detection(x) == pytest.approx(_by_linear_program(x, epsilon, delta, steps), abs=1e-9)


@pytest.mark.parametrize(
    ("curve", "printed", "digits"),
    [
        (trade_off_over_steps(PureDP(epsilon=1.0), steps=2), 0.816060, 6),
        (trade_off_over_steps(PureDP(epsilon=2.0), steps=1), 0.880797, 6),
        (trade_off_over_steps(ZeroConcentratedDP(rho=0.5), steps=2), 0.892984, 6),
        (trade_off_over_steps(ZeroConcentratedDP(rho=0.5), steps=3), 0.96776, 5),
        (trade_off(ZeroConcentratedDP(rho=2.0)), 0.916778, 6),
    ],
)
def test_right_guesses_on_an_even_bet(curve: TradeOff, printed: float, digits: int) -> None:
    assert curve.right_guess() == pytest.approx(printed, abs=0.5 * 10.0**-digits)
    assert curve.advantage() == pytest.approx(2 * curve.right_guess() - 1, abs=1e-14)


def test_many_steps_of_a_rho_are_answered_by_the_guarantee_of_the_group() -> None:
    budget = ZeroConcentratedDP(rho=0.001)
    for group, certainty in ((8, "tight"), (9, "bound"), (10_000, "bound")):
        promise = Promise(secret="presence", relation="add_or_remove", unit="household", group=group)
        curve = trade_off_of_secret(budget, promise)
        whole = trade_off(promise.guarantee_of_secret(budget))
        assert curve.certainty == certainty
        assert (curve.detection(0.1) < whole.detection(0.1)) == (certainty == "tight")
        assert curve.right_guess(prior=0.3) <= whole.right_guess(prior=0.3)


def test_a_plan_of_rhos_over_many_steps_is_answered_by_the_guarantee_of_the_group_too() -> None:
    group = trade_off(ZeroConcentratedDP(rho=0.002 * 20_000**2))
    for plan in (
        ReleasePlan.repeated(ZeroConcentratedDP(rho=0.002), 1),
        ReleasePlan((PlannedRelease(ZeroConcentratedDP(rho=0.0015), 1), PlannedRelease(Gaussian(rho=0.0005), 1))),
    ):
        curve = trade_off_over_steps(plan, steps=20_000)
        assert curve.certainty == "bound"
        assert curve.right_guess(prior=0.3) == pytest.approx(group.right_guess(prior=0.3), rel=1e-12)


@each("epsilon, delta, steps", [(1e-300, 3.68e-13, 3), (1.0, 1e-15, 2), (1e-3, 1e-300, 5)])
def test_what_is_found_without_an_alarm_keeps_its_digits(epsilon: float, delta: float, steps: int) -> None:
    """In fractions of the float e^epsilon: delta and e^epsilon times what a step less finds."""
    curve, found = trade_off_over_steps(ApproximateDP(epsilon=epsilon, delta=delta), steps=steps), Fraction(0)
    for _ in range(steps):
        found = Fraction(delta) + Fraction(math.exp(epsilon)) * found
    assert curve.detection(0.0) == pytest.approx(float(found), rel=1e-12, abs=0)
    assert curve.delta_at(700.0) == pytest.approx(float(found), rel=1e-12, abs=0)


def test_the_most_steps_of_an_epsilon_keep_their_digits() -> None:
    """Below the corner one more step is one more factor e^epsilon: after all of them e, exactly, of a false alarm."""
    curve = trade_off_over_steps(PureDP(epsilon=1 / MOST_STEPS), steps=MOST_STEPS)
    assert curve.detection(0.01) == pytest.approx(0.01 * math.e, rel=1e-9)
    assert curve.missed(1 - 0.01 * math.e) == pytest.approx(0.01, rel=1e-9)


@pytest.mark.parametrize("rho", [1e-4, 0.1, 2.56])
@pytest.mark.parametrize("steps", [1, 2, 5])
def test_a_chain_of_concentrated_coins_reaches_the_curve(rho: float, steps: int) -> None:
    """Every two neighbours of the chain are rho-zCDP at every order, and the most binding order leaves no room."""
    orders = np.concatenate([1 + np.geomspace(1e-4, 1e4, 4000)])
    for x in (1e-6, 0.03, 0.5, 0.9):
        chain = [x] + [
            trade_off_over_steps(ZeroConcentratedDP(rho=rho), steps=k).detection(x) for k in range(1, steps + 1)
        ]
        for low, high in pairwise(chain):
            if high > 1 - 1e-9:
                break
            tightest = 0.0
            for p, q in ((high, low), (low, high)):
                with np.errstate(over="ignore", invalid="ignore"):
                    yes = orders * math.log(p) + (1 - orders) * math.log(q)
                    no = orders * math.log1p(-p) + (1 - orders) * math.log1p(-q)
                    divergence = np.logaddexp(yes, no) / (orders - 1)
                tightest = max(tightest, float((divergence / orders).max()))
            assert rho * (1 - 1e-3) <= tightest <= rho * (1 + 1e-6)


@pytest.mark.parametrize(
    "guarantee", [PureDP(epsilon=0.7), ApproximateDP(epsilon=0.4, delta=0.01), ZeroConcentratedDP(rho=0.2)]
)
def test_steps_are_the_one_step_curve_iterated_and_a_guess_is_their_best_point(guarantee: object) -> None:
    one = trade_off(guarantee)
    fine = 801 if isinstance(guarantee, ZeroConcentratedDP) else 3001  # a curve with corners bends between the points
    grid = np.concatenate([np.geomspace(1e-9, 0.01, 100), np.linspace(0.01, 1, fine)])
    power = grid
    for steps in range(1, 5):
        curve = trade_off_over_steps(guarantee, steps=steps)
        power = one.detection(power)
        assert curve.detection(grid) == pytest.approx(power, abs=1e-10)
        priors, epsilons = np.array([0.02, 0.5, 0.8]), np.array([0.0, 0.3, 2.0])
        for prior, guess in zip(priors, curve.right_guess(prior=priors), strict=True):
            best = max(float((prior * power + (1 - prior) * (1 - grid)).max()), 1 - prior)
            assert best - 1e-13 <= guess <= best + 3e-4
        for epsilon, delta in zip(epsilons, curve.delta_at(epsilons), strict=True):
            best = max(float((power - math.exp(epsilon) * grid).max()), 0.0)
            assert best - 1e-10 <= delta <= best + 1e-3
        assert curve.certainty == "tight"


def test_a_guess_on_an_even_bet_goes_half_of_the_steps() -> None:
    for steps in (1, 2, 3, 4):
        curve = trade_off_over_steps(ZeroConcentratedDP(rho=0.03), steps=steps)
        assert curve.right_guess(prior=0.5) == pytest.approx(curve.right_guess(prior=0.5 + 1e-12), abs=1e-9)


def test_what_finds_for_certain_and_what_cannot_be_told_apart() -> None:
    certain = trade_off_over_steps(ApproximateDP(epsilon=0.0, delta=0.3), steps=2)
    assert certain.detection(0.0) == pytest.approx(0.6, abs=1e-15)
    assert certain.missed(0.4) == 0.0
    assert certain.delta_at(5.0) == pytest.approx(0.6, abs=1e-15)
    assert trade_off_over_steps(ApproximateDP(epsilon=0.0, delta=0.3), steps=4).detection(0.0) == 1.0
    for nothing in (PureDP(epsilon=0.0), ZeroConcentratedDP(rho=0.0)):
        assert trade_off_over_steps(nothing, steps=9).detection(RATES) == pytest.approx(RATES, abs=1e-15)
    assert trade_off_over_steps(PureDP(epsilon=800.0), steps=3).detection(1e-12) == 1.0


def test_a_plan_takes_what_its_epsilons_or_its_rhos_allow_least() -> None:
    rows = (PlannedRelease(PureDP(epsilon=2.0), 2), PlannedRelease(Geometric(epsilon=3.0), 1))
    many = ReleasePlan.repeated(PureDP(epsilon=0.05), 100)
    few = trade_off_over_steps(ReleasePlan(rows), steps=2)
    by_sum = trade_off_over_steps(PureDP(epsilon=7.0), steps=2)
    assert few.right_guess() == pytest.approx(by_sum.right_guess(), rel=1e-12)
    by_rho = trade_off_over_steps(ZeroConcentratedDP(rho=100 * 0.05**2 / 2), steps=2)
    assert trade_off_over_steps(many, steps=2).right_guess() == pytest.approx(by_rho.right_guess(), rel=1e-12)
    assert trade_off_over_steps(many, steps=2).detection(0.05) == by_rho.detection(0.05)
    assert trade_off_over_steps(many, steps=2).certainty == "bound"
    one = ReleasePlan.repeated(Gaussian(rho=0.1), 1)
    assert trade_off_over_steps(one, steps=2) == trade_off_over_steps(ZeroConcentratedDP(rho=0.1), steps=2)
    mixed = ReleasePlan((PlannedRelease(ZeroConcentratedDP(rho=0.1), 1), PlannedRelease(PureDP(epsilon=0.2), 1)))
    total = trade_off_over_steps(ZeroConcentratedDP(rho=0.12), steps=2)
    assert trade_off_over_steps(mixed, steps=2).right_guess() == pytest.approx(total.right_guess(), rel=1e-12)
    leaking = ReleasePlan.repeated(ApproximateDP(epsilon=0.1, delta=0.01), 3)
    whole = trade_off_over_steps(ApproximateDP(epsilon=0.3, delta=0.03), steps=2)
    assert trade_off_over_steps(leaking, steps=2).detection(RATES) == pytest.approx(whole.detection(RATES), rel=1e-9)


def test_a_secret_takes_the_steps_of_its_promise() -> None:
    household = Promise(secret="value", relation="add_or_remove", unit="household", group=3)
    curve = trade_off_of_secret(PureDP(epsilon=0.4), household)
    assert curve.right_guess() == trade_off_over_steps(PureDP(epsilon=0.4), steps=6).right_guess()
    assert curve.right_guess() < trade_off(household.guarantee_of_secret(PureDP(epsilon=0.4))).right_guess()


def test_several_steps_of_a_probabilistic_guarantee_are_a_bound() -> None:
    guarantee = ProbabilisticDP(epsilon=0.4, delta=0.01)
    assert trade_off_over_steps(guarantee, steps=1).certainty == "tight"
    assert trade_off_over_steps(guarantee, steps=2).certainty == "bound"


def test_refusals_name_the_rule() -> None:
    for steps in (0, MOST_STEPS + 1):
        for refused in (trade_off_over_steps, lambda source, steps: points_of_steps(source.epsilon, 0.0, steps)):
            with pytest.raises(Refused, match=rf"steps must be a whole number from 1 to 100000; got {steps}"):
                refused(PureDP(epsilon=1.0), steps=steps)
    with pytest.raises(Refused, match=r"source must be a guarantee, a ReleasePlan or a curve; got 'rho'"):
        trade_off_over_steps("rho", steps=1)  # type: ignore[arg-type]
    with pytest.raises(Refused, match=r"epsilon must be at least 0 and finite; got -1"):
        trade_off_over_steps(PureDP(epsilon=1.0), steps=2).delta_at(-1.0)
    replaced = Promise(secret="value", relation="replace")
    with pytest.raises(Refused, match=r"relation must be that of the guarantee \('add_or_remove'\); got 'replace'"):
        trade_off_of_secret(PureDP(epsilon=1.0), replaced)
    with pytest.raises(Refused, match="promise must be a promise such as"):
        trade_off_of_secret(PureDP(epsilon=1.0), 5)  # type: ignore[arg-type]
    unlike = ReleasePlan(
        (PlannedRelease(ApproximateDP(epsilon=1.0, delta=0.1), 1), PlannedRelease(ZeroConcentratedDP(rho=1.0), 1))
    )
    with pytest.raises(Refused, match=r"source must be pure or zero-concentrated to have a rho"):
        trade_off_over_steps(unlike, steps=2)
