"""Filters and odometers: sums against decimals, promises against the worst of all readers of small trees."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize_scalar
from scipy.stats import norm

from dpcore.composition import PlannedRelease, ReleasePlan
from dpcore.errors import Code, Refused
from dpcore.filters import (
    BudgetFilter,
    GaussianDP,
    adaptive_epsilons,
    by_answer,
    odometer_shifts,
    worst_reader,
)
from dpcore.guarantees import ApproximateDP, PureDP, ZeroConcentratedDP, approximate_epsilon_from_rho
from dpcore.mechanisms import Geometric
from dpcore.rounding import round_up
from dpcore.tradeoff import trade_off


def pure(*epsilons: float) -> list[PureDP]:
    return [PureDP(epsilon=epsilon) for epsilon in epsilons]


# Sums


def test_decimals_are_meant_as_they_are_typed() -> None:
    assert 0.1 + 0.2 > 0.3
    assert BudgetFilter(PureDP(epsilon=0.3)).ask(*pure(0.1, 0.2)).granted == (True, True)
    assert BudgetFilter(ZeroConcentratedDP(rho=0.6)).ask(*[ZeroConcentratedDP(rho=0.1)] * 7).granted.count(True) == 6
    assert BudgetFilter(GaussianDP(0.5)).ask(GaussianDP(0.3), GaussianDP(0.4)).left == {"mu_squared": 0.0}
    both = BudgetFilter(ApproximateDP(epsilon=1.0, delta=3e-7)).ask(*[ApproximateDP(epsilon=0.1, delta=1e-7)] * 4)
    assert both.granted == (True, True, True, False)
    assert both.left == {"epsilon": 0.7, "delta": 0.0}
    assert both.ask(*pure(0.7)).left == {"epsilon": 0.0, "delta": 0.0}


def test_after_a_refusal_a_filter_skips_or_stops() -> None:
    asks = pure(0.4, 0.7, 0.5, 0.1)
    assert BudgetFilter(PureDP(epsilon=1.0)).ask(*asks).granted == (True, False, True, True)
    stopped = BudgetFilter(PureDP(epsilon=1.0), rule="stop").ask(*asks)
    assert (stopped.granted, stopped.left) == ((True, False, False, False), {"epsilon": 0.6})
    assert not stopped.fits(PureDP(epsilon=0.1))
    assert BudgetFilter(PureDP(epsilon=1.0), rule="stop").fits(PureDP(epsilon=1.0))


def test_asking_one_by_one_is_asking_together_and_changes_no_filter() -> None:
    begun = BudgetFilter(PureDP(epsilon=1.0))
    assert begun.ask(*pure(0.4)).ask(*pure(0.7)) == begun.ask(*pure(0.4, 0.7))
    assert (begun.asked, begun.left) == ((), {"epsilon": 1.0})
    assert str(begun.spent) == "{'epsilon': 0.0}"


@pytest.mark.parametrize("epsilon", [1e-3, 0.3, 1.0, 4.0, 20.0])
def test_a_pure_release_costs_the_smallest_rho_that_covers_every_one(epsilon: float) -> None:
    cost = BudgetFilter(ZeroConcentratedDP(rho=400.0)).ask(*pure(epsilon)).spent["rho"]
    p = 1.0 / (1.0 + math.exp(-epsilon))
    divergence = p * epsilon - (1 - p) * epsilon  # of a randomised response, at order 1
    assert cost >= divergence
    assert cost == pytest.approx(divergence, rel=1e-12)
    for order in np.geomspace(1.0001, 1_000.0, 40):
        moment = np.logaddexp(
            order * math.log(p) + (1 - order) * math.log1p(-p), order * math.log1p(-p) + (1 - order) * math.log(p)
        )
        assert moment / (order - 1) <= order * cost * (1 + 1e-9) + 1e-12


def test_a_gaussian_release_costs_half_of_its_squared_mu_in_rho() -> None:
    spent = BudgetFilter(ZeroConcentratedDP(rho=1.0)).ask(GaussianDP(0.6), ZeroConcentratedDP(rho=0.1)).spent
    assert spent == {"rho": 0.28}


# Squares


def test_thirty_releases_are_summed_and_a_year_of_them_squared() -> None:
    month, year = (adaptive_epsilons([0.1] * days, delta=1e-6) for days in (30, 365))
    assert [round(found, 3) for found in (month.sum, month.squares, month.tight)] == [3.0, 3.029, 3.028]
    assert [round(found, 2) for found in (year.sum, year.squares, year.tight)] == [36.5, 11.87, 11.86]


def test_squares_are_the_best_of_the_bounds_for_one_order_each() -> None:
    found = adaptive_epsilons([0.5, 0.2, 0.2, 1.0], delta=0.01)
    for rho, epsilon in (
        (1.33 / 2, found.squares),
        (sum(e * math.tanh(e / 2) for e in (0.5, 0.2, 0.2, 1)), found.tight),
    ):
        best = minimize_scalar(
            lambda x, rho=rho: (1 + x) * rho - math.log(0.01) / x, bounds=(0.1, 50), method="bounded"
        )
        assert epsilon == pytest.approx(best.fun, rel=1e-9)


def test_a_filter_of_squares_grants_what_its_epsilon_covers_and_no_more() -> None:
    whole = BudgetFilter(ApproximateDP(epsilon=3.0, delta=2e-6), delta_prime=1e-6)
    granted = whole.ask(*pure(*[0.1] * 60)).granted.count(True)
    tight = [adaptive_epsilons([0.1] * count, delta=1e-6).tight for count in (granted, granted + 1)]
    assert tight[0] <= 3.0 < tight[1]
    leaks = whole.ask(*[ApproximateDP(epsilon=0.01, delta=4e-7)] * 3)
    assert leaks.granted == (True, True, False)
    assert leaks.left["delta"] == 2e-7


# Gaussian releases, and curves


def delta_of_gaussian(mu: float, epsilon: float) -> float:
    return float(norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu))


@pytest.mark.parametrize(("epsilon", "low", "high"), [(0.4, 0.4, 0.4), (1.1, 0.2, 0.4), (0.0, 0.4, 0.1)])
def test_gaussian_releases_chosen_by_the_first_one_are_one_with_the_squares_summed(
    epsilon: float, low: float, high: float
) -> None:
    whole = GaussianDP(0.5)
    for second in (low, high):
        assert BudgetFilter(whole).ask(GaussianDP(0.3), GaussianDP(second)).granted == (True, True)

    def after(value: float) -> float:
        loss = 0.3 * value - 0.3**2 / 2
        return float(norm.pdf(value - 0.3)) * delta_of_gaussian(high if value > 0 else low, epsilon - loss)

    found = quad(after, -12, 0)[0] + quad(after, 0, 12)[0]
    if low == high:
        assert found == pytest.approx(whole.delta_at(epsilon), rel=1e-9)
    else:
        assert found < whole.delta_at(epsilon)
    assert whole.delta_at(epsilon) == pytest.approx(delta_of_gaussian(0.5, epsilon), rel=1e-9)


def test_gaussian_dp_answers_like_the_noise_that_it_is_named_after() -> None:
    whole = GaussianDP(0.5)
    assert whole.delta_at(whole.epsilon_at(1e-5)) == pytest.approx(1e-5, rel=1e-9)
    assert whole.right_guess() == pytest.approx(norm.cdf(0.25), rel=1e-12)
    assert GaussianDP(0.0).right_guess(prior=0.2) == 0.8


@pytest.mark.parametrize(("first", "mu", "second", "epsilon"), [(0.5, 1.5, 1.6, 1.1), (1.0, 1.0, 1.0, 0.5)])
def test_a_reader_who_chooses_by_the_answer_breaks_what_both_plans_keep(
    first: float, mu: float, second: float, epsilon: float
) -> None:
    def chance(answer: int, world: int, budget: float) -> float:
        return 1 / (1 + math.exp(-budget if answer == world else budget))

    def with_gaussian(answer: int) -> float:
        def excess(value: float) -> float:
            one, none = (chance(answer, world, first) * norm.pdf(value - world * mu) for world in (1, 0))
            return max(float(one - math.exp(epsilon) * none), 0.0)

        return quad(excess, -12, 14, limit=500)[0]

    def with_response(answer: int) -> float:
        both = [[chance(answer, world, first) * chance(again, world, second) for world in (1, 0)] for again in (0, 1)]
        return sum(max(one - math.exp(epsilon) * none, 0.0) for one, none in both)

    found = by_answer(first=first, mu=mu, response=second, epsilon=epsilon)
    assert found.always_gaussian == pytest.approx(with_gaussian(0) + with_gaussian(1), abs=1e-6)
    assert found.always_response == pytest.approx(with_response(0) + with_response(1), rel=1e-12)
    mixed = max(with_gaussian(0) + with_response(1), with_response(0) + with_gaussian(1))
    assert found.by_answer == pytest.approx(mixed, abs=1e-6)
    assert found.by_answer > max(found.always_gaussian, found.always_response) + 0.01


# The worst reader


def outcomes(epsilons: list[float], cost: Callable[[float], float], left: float, p: float, q: float) -> Iterator[list]:
    """For every way to choose by what was answered so far, the chances of all paths in both worlds."""
    yield [(p, q)]
    for epsilon in epsilons:
        if cost(epsilon) <= left + 1e-12:
            yes = 1 / (1 + math.exp(-epsilon))
            rest = left - cost(epsilon)
            for up in outcomes(epsilons, cost, rest, p * yes, q * (1 - yes)):
                for down in outcomes(epsilons, cost, rest, p * (1 - yes), q * yes):
                    yield up + down


@pytest.mark.parametrize(
    ("epsilons", "currency", "budget", "epsilon"),
    [
        ([0.5, 1.0], "rho", 0.5, 0.7),
        ([0.5, 1.0], "epsilon", 1.5, 0.8),
        ([0.4, 0.7], "epsilon", 1.4, 0.1),
        ([0.9], "rho", 0.8, 0.0),
    ],
)
def test_the_worst_reader_is_the_best_of_all_ways_to_choose(
    epsilons: list[float], currency: Any, budget: float, epsilon: float
) -> None:
    def cost(one: float) -> float:
        return one if currency == "epsilon" else one * math.tanh(one / 2)

    best = max(
        sum(max(p - math.exp(epsilon) * q, 0.0) for p, q in paths)
        for paths in outcomes(epsilons, cost, budget, 1.0, 1.0)
    )
    found = worst_reader(epsilons, currency=currency, budget=budget, epsilon=epsilon)
    assert found.adaptive == pytest.approx(best, rel=1e-12)
    assert found.fixed <= found.adaptive <= found.promised


@pytest.mark.parametrize(
    ("epsilons", "currency", "budget", "epsilon", "adaptive", "fixed", "promised"),
    [
        ([0.3, 1.0], "rho", 0.6, 0.7, 0.2739, 0.2358, 0.3934),
        ([0.3, 0.8], "rho", 0.5, 0.8, 0.1895, 0.1642, 0.3054),
        ([0.25, 0.5, 1.0], "rho", 0.5, 1.0, 0.1391, 0.1191, 0.2469),
        ([0.5, 1.0], "epsilon", 2.0, 0.8, 0.3735, 0.3735, 0.6156),
    ],
)
def test_choosing_as_one_goes_is_worth_something_and_the_promise_covers_it(
    epsilons: list[float], currency: Any, budget: float, epsilon: float, adaptive: float, fixed: float, promised: float
) -> None:
    found = worst_reader(epsilons, currency=currency, budget=budget, epsilon=epsilon)
    rounded = [round_up(one, 4) for one in (found.adaptive, found.fixed, found.promised)]
    assert rounded == [adaptive, fixed, promised]


def test_a_budget_for_no_response_tells_nothing() -> None:
    found = worst_reader([1.0], currency="epsilon", budget=0.9, epsilon=0.0)
    assert (found.adaptive, found.fixed) == (0.0, 0.0)


# Odometer


def test_an_odometer_has_the_levels_and_chances_of_its_definition() -> None:
    found = odometer_shifts([0.05, 0.05, 0.1, 0.4], first=0.05, delta=0.05)
    for shift, (level, k) in zip(found, [(0.05, 0), (0.1, 1), (0.2, 2), (0.8, 4)], strict=True):
        assert shift == pytest.approx(level + 2 * math.sqrt(level * math.log((k + 1) * (k + 2) / 0.05)), rel=1e-12)
    assert all(one <= other for one, other in pairwise(found))
    assert (
        odometer_shifts([0.1, 0.2], first=0.3, delta=0.1).tolist()
        == odometer_shifts([0.3, 1e-9], first=0.3, delta=0.1)[[0, 0]].tolist()
    )


def test_the_worst_adaptive_reader_passes_an_odometer_no_more_often_than_it_says() -> None:
    choices, delta = {epsilon: epsilon * math.tanh(epsilon / 2) for epsilon in (0.6, 0.9)}, 0.9

    def passing(rhos: tuple[float, ...], loss: float) -> float:
        if rhos and loss > odometer_shifts(rhos, first=0.9, delta=delta)[-1]:
            return 1.0
        if len(rhos) == 5:
            return 0.0
        ways = []
        for epsilon, rho in choices.items():
            yes = 1 / (1 + math.exp(-epsilon))
            up, down = (passing((*rhos, rho), loss + step) for step in (epsilon, -epsilon))
            ways.append(yes * up + (1 - yes) * down)
        return max(ways)

    assert 0.0 < passing((), 0.0) <= delta


# Refusals


def refused(call: Callable[[], Any], text: str, code: Code) -> None:
    with pytest.raises(Refused) as caught:
        call()
    assert text in str(caught.value)
    assert caught.value.code is code


def test_a_curve_or_a_plan_is_no_promise_of_a_filter() -> None:
    text = "guarantee must not be a curve or plan: those composed along a path are no filter; got a"
    plan = ReleasePlan([PlannedRelease(Geometric(epsilon=1.0))])
    for source in (trade_off(PureDP(epsilon=1.0)), plan):
        refused(lambda source=source: BudgetFilter(source), text, Code.UNSUPPORTED)


def test_what_no_filter_can_be_begun_with_is_refused() -> None:
    one, both = PureDP(epsilon=1.0), ApproximateDP(epsilon=1.0, delta=1e-6)
    refused(
        lambda: BudgetFilter(1.0), "guarantee must be a budget such as PureDP(epsilon=1.0); got 1.0", Code.WRONG_TYPE
    )
    refused(lambda: BudgetFilter(PureDP(epsilon=0)), "guarantee must be greater than 0; got", Code.OUT_OF_RANGE)
    refused(lambda: BudgetFilter(GaussianDP(0)), "guarantee must be greater than 0; got", Code.OUT_OF_RANGE)
    for delta in (0.0, 1.0):
        whole = ApproximateDP(epsilon=1.0, delta=delta)
        refused(lambda whole=whole: BudgetFilter(whole), "guarantee must have a delta inside (0, 1)", Code.OUT_OF_RANGE)
    refused(lambda: BudgetFilter(both, delta_prime=1e-5), "delta_prime must lie in (0, 1e-06]", Code.OUT_OF_RANGE)
    refused(lambda: BudgetFilter(one, delta_prime=1e-5), "delta_prime must be left out where", Code.UNSUPPORTED)
    refused(lambda: BudgetFilter(one, rule="go on"), "rule must be one of 'skip', 'stop'", Code.UNKNOWN_CHOICE)
    refused(lambda: BudgetFilter(one, asked=3), "asked must be a sequence of budgets", Code.WRONG_TYPE)
    refused(lambda: GaussianDP(-1.0), "mu must lie in [0, 1e+150]; got -1.0", Code.OUT_OF_RANGE)
    refused(lambda: GaussianDP(1.0, "none"), "relation must be one of", Code.UNKNOWN_CHOICE)


def test_a_release_that_a_filter_does_not_sum_is_refused() -> None:
    begun = BudgetFilter(PureDP(epsilon=1.0))
    refused(lambda: begun.ask(*pure(0.0)), "asked must cost more than 0; got", Code.OUT_OF_RANGE)
    refused(lambda: begun.ask(ZeroConcentratedDP(rho=0.1)), "asked must be PureDP; got", Code.WRONG_TYPE)
    refused(
        lambda: BudgetFilter(ApproximateDP(epsilon=1, delta=0.1)).ask(GaussianDP(0.1)),
        "asked must be of one of ApproximateDP, PureDP; got",
        Code.WRONG_TYPE,
    )
    refused(
        lambda: begun.ask(PureDP(epsilon=0.1, relation="replace")),
        "asked must hide the change of the guarantee ('add_or_remove'); got",
        Code.INCONSISTENT,
    )


def test_numbers_outside_are_refused_by_name() -> None:
    refused(lambda: adaptive_epsilons([0.1, 0.0], delta=0.1), "epsilons must be greater than 0", Code.OUT_OF_RANGE)
    refused(lambda: adaptive_epsilons([0.1], delta=1.0), "delta must lie in (0, 1)", Code.OUT_OF_RANGE)
    refused(lambda: odometer_shifts([0.1, -1], first=0.1, delta=0.1), "rhos must be greater", Code.OUT_OF_RANGE)
    refused(lambda: odometer_shifts([0.1], first=0.0, delta=0.1), "first must be greater than 0", Code.OUT_OF_RANGE)
    refused(lambda: odometer_shifts([0.1], first=0.1, delta=0.0), "delta must lie in (0, 1)", Code.OUT_OF_RANGE)
    refused(lambda: by_answer(first=0, mu=1, response=1, epsilon=1), "first must be greater than 0", Code.OUT_OF_RANGE)
    refused(lambda: by_answer(first=1, mu=0, response=1, epsilon=1), "mu must be greater than 0", Code.OUT_OF_RANGE)
    refused(lambda: odometer_shifts([[0.1, 0.2]], first=1, delta=0.1), "rhos must be a list of", Code.WRONG_SHAPE)
    ask: dict[str, Any] = {"currency": "epsilon", "budget": 1.0, "epsilon": 0.5}
    refused(lambda: worst_reader([0.1], **ask | {"currency": "delta"}), "currency must be one", Code.UNKNOWN_CHOICE)
    refused(lambda: worst_reader([0.1], **ask | {"budget": 0}), "budget must be greater than 0", Code.OUT_OF_RANGE)
    refused(lambda: worst_reader([], **ask), "epsilons must be from 1 to 8 different ones", Code.WRONG_SHAPE)
    refused(lambda: worst_reader([1e-4], **ask), "budget must leave at most 2000000 states", Code.TOO_LARGE)


def test_the_rho_of_a_filter_of_squares_never_promises_more_than_its_epsilon() -> None:
    for epsilon in np.geomspace(0.01, 30.0, 50):
        whole = BudgetFilter(ApproximateDP(epsilon=float(epsilon), delta=0.2), delta_prime=0.1)
        assert approximate_epsilon_from_rho(rho=whole.left["rho"], delta=0.1) <= epsilon * (1 + 1e-15)


def test_spent_is_the_sum_of_decimals() -> None:
    asks = [0.1, 0.25, 0.333, 1e-7, 0.07]
    spent = BudgetFilter(PureDP(epsilon=2.0)).ask(*pure(*asks)).spent["epsilon"]
    assert Decimal(repr(spent)) == sum(Decimal(repr(one)) for one in asks)


def test_a_mu_whose_square_is_no_float_tells_nothing() -> None:
    assert GaussianDP(1e-170).right_guess(prior=0.3) == 0.7


def test_a_delta_of_nothing_is_no_negative_zero() -> None:
    reader = worst_reader([0.3, 1.0], currency="epsilon", budget=0.2, epsilon=0.7)
    assert [math.copysign(1.0, reader.adaptive), math.copysign(1.0, reader.fixed)] == [1.0, 1.0]
