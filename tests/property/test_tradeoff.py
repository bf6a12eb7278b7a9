"""Laws of the trade-off between false alarms and detection, for every kind of source."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.special import expit

from dpcore.composition import ReleasePlan
from dpcore.guarantees import ApproximateDP, PureDP, ZeroConcentratedDP
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, RandomizedResponse
from dpcore.privacy_loss import PrivacyLoss
from dpcore.tradeoff import TradeOff, randomized_response_epsilon, trade_off
from dpcore.tradeoff.curves import WithDisclosure

budgets = st.floats(-4, 1).map(lambda exponent: 10.0**exponent)
rates = st.floats(-27, 27).map(lambda odds: float(expit(odds)))
cells = st.integers(1, 2)


@st.composite
def families(draw: st.DrawFn) -> Any:
    """A function from a budget to a trade-off: one kind of source."""
    number = draw(cells)
    kind = draw(st.integers(0, 9))
    count = draw(st.integers(1, 12))
    return [
        lambda budget: trade_off(PureDP(epsilon=budget)),
        lambda budget: trade_off(ApproximateDP(epsilon=budget, delta=min(budget / 20, 1.0))),
        lambda budget: trade_off(ZeroConcentratedDP(rho=budget)),
        lambda budget: trade_off(Gaussian(rho=budget), cells=number),
        lambda budget: trade_off(Laplace(epsilon=budget), cells=number),
        lambda budget: trade_off(Geometric(epsilon=budget, sensitivity=count), cells=number),
        lambda budget: trade_off(RandomizedResponse(epsilon=budget, categories=count + 1), cells=number),
        lambda budget: trade_off(ReleasePlan.repeated(Geometric(epsilon=budget), count + 2), cells=number),
        lambda budget: trade_off(ReleasePlan.repeated(ApproximateDP(epsilon=budget, delta=1e-3), count)),
        lambda budget: trade_off(PrivacyLoss(((Gaussian(rho=budget), 1), (Geometric(epsilon=budget), count)))),
    ][kind]


@example(family=lambda budget: trade_off(ZeroConcentratedDP(rho=budget)), budget=2.479)
@example(family=lambda budget: trade_off(ApproximateDP(epsilon=budget, delta=budget / 20)), budget=0.0001154)
@given(family=families(), budget=budgets)
def test_a_curve_is_concave_rises_and_lies_above_the_diagonal(family: Any, budget: float) -> None:
    """Every curve is concave by a theorem, so a slope may rise only by what the two values at its ends round.

    Left of 1/2 detection, right of it the missed have all their digits; 1 - missed is rounded to 1e-16, which a step of
    2e-9 next to 1 makes a slope of 1e-7. Where the secret may be given away, 1 - delta is rounded so as well.
    """
    x = np.concatenate([[0.0], expit(np.linspace(-20, 20, 41)), [1.0]])
    curve: TradeOff = family(budget)
    y, missed = curve.detection(x), curve.missed(x)
    assert (y >= x).all()
    assert (np.diff(y) >= -1e-13).all()
    left, width = x[1:] <= 0.5, np.diff(x)
    slopes = np.where(left, np.diff(y), -np.diff(missed)) / width
    rounded = 1e-13 * np.where(left, y[:-1] + y[1:], missed[:-1] + missed[1:])
    if isinstance(curve, WithDisclosure):
        rounded += 2.0**-52
    assert (np.diff(slopes) <= (rounded / width)[:-1] + (rounded / width)[1:]).all()


@given(family=families(), budget=budgets, more=st.floats(1.0, 3.0), x=rates, prior=rates)
def test_more_budget_never_lowers_it(family: Any, budget: float, more: float, x: float, prior: float) -> None:
    less, larger = family(budget), family(budget * more)
    assert less.detection(x) <= larger.detection(x) * (1 + 1e-9)
    assert less.right_guess(prior=prior) <= larger.right_guess(prior=prior) + 1e-12
    assert less.advantage() <= larger.advantage() + 1e-12


@given(family=families(), budget=budgets, x=rates)
def test_detection_and_missed_share_one(family: Any, budget: float, x: float) -> None:
    curve: TradeOff = family(budget)
    assert curve.detection(x) + curve.missed(x) == pytest.approx(1.0, abs=1e-12)


@given(family=families(), budget=budgets, x=rates)
def test_the_two_questions_are_one_curve(family: Any, budget: float, x: float) -> None:
    """Symmetry: the point (1 - y, 1 - x) lies on the curve as well."""
    curve: TradeOff = family(budget)
    missed = curve.missed(x)
    if 1e-9 < missed < 1 - 1e-9 and x < 1 - 1e-9:
        assert curve.missed(missed) == pytest.approx(x, rel=1e-6, abs=1e-9)


@given(family=families(), budget=budgets, few=st.lists(rates, min_size=1, max_size=5))
def test_a_scalar_is_an_array_of_one(family: Any, budget: float, few: list[float]) -> None:
    curve: TradeOff = family(budget)
    square = np.array([few, few])
    for answer in (curve.detection, curve.missed, lambda at: curve.right_guess(prior=at)):
        together = answer(square)
        assert together.shape == square.shape
        alone = [answer(one) for one in few]
        assert all(isinstance(one, float) for one in alone)
        assert together[1] == pytest.approx(alone, rel=1e-9, abs=1e-13)


@given(family=families(), budget=budgets, x=rates, prior=rates)
def test_a_guess_is_at_least_as_good_as_any_test_on_the_curve(
    family: Any, budget: float, x: float, prior: float
) -> None:
    curve: TradeOff = family(budget)
    guess = curve.right_guess(prior=prior)
    assert guess >= max(prior, 1 - prior) - 1e-15
    assert guess >= 1 - prior * curve.missed(x) - (1 - prior) * x - 1e-9


@given(rho=st.floats(-10, 2.5).map(lambda exponent: 10.0**exponent), x=rates, prior=rates)
def test_no_mechanism_finds_more_than_any_release_with_its_rho_may(rho: float, x: float, prior: float) -> None:
    most = trade_off(ZeroConcentratedDP(rho=rho))
    epsilon = randomized_response_epsilon(rho)
    for mechanism in (Gaussian(rho=rho), DiscreteGaussian(rho=rho), RandomizedResponse(epsilon=epsilon)):
        curve = trade_off(mechanism)
        assert most.missed(x) <= curve.missed(x) * (1 + 1e-9) + 1e-15
        assert most.detection(x) >= curve.detection(x) * (1 - 1e-9)
        assert most.right_guess(prior=prior) >= curve.right_guess(prior=prior) - 1e-12


@given(rho=budgets, x=rates)
def test_two_cells_at_half_the_budget_stay_within_any_release(rho: float, x: float) -> None:
    curve = trade_off(DiscreteGaussian(rho=rho / 2), cells=2)
    assert trade_off(ZeroConcentratedDP(rho=rho)).detection(x) >= curve.detection(x) * (1 - 1e-9)


@given(epsilon=budgets, x=rates)
def test_no_mechanism_finds_more_than_the_region_of_its_epsilon(epsilon: float, x: float) -> None:
    region = trade_off(PureDP(epsilon=epsilon))
    for mechanism in (Laplace(epsilon=epsilon), Geometric(epsilon=epsilon, sensitivity=3)):
        assert region.detection(x) >= trade_off(mechanism).detection(x) * (1 - 1e-12)
