"""Laws of the conversions between guarantees."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dpcore import guarantees as g

RHO = st.floats(-18, 4).map(math.exp)
EPSILON = st.floats(1e-3, 20)
DELTA = st.floats(-30, -0.5).map(math.exp)


@given(EPSILON, DELTA, st.floats(1e-6, 0.999))
def test_theorem_35_inverts(epsilon: float, delta_prime: float, share: float) -> None:
    delta = share * delta_prime
    shift = g.probabilistic_epsilon_from_approximate(epsilon=epsilon, delta=delta, delta_prime=delta_prime)
    assert shift >= epsilon
    back = g.approximate_epsilon_from_probabilistic(epsilon_prime=shift, delta=delta, delta_prime=delta_prime)
    assert math.isclose(back, epsilon, rel_tol=1e-9, abs_tol=1e-11)
    if shift > epsilon * (1 + 1e-7):
        again = g.probabilistic_delta_from_approximate(epsilon=epsilon, delta=delta, epsilon_prime=shift)
        assert math.isclose(again, delta_prime, rel_tol=1e-6)


@given(EPSILON, DELTA, st.floats(1e-6, 0.999))
def test_a_one_sided_promise_costs_less_and_inverts(epsilon: float, delta_prime: float, share: float) -> None:
    delta = share * delta_prime
    both = g.probabilistic_epsilon_from_approximate(epsilon=epsilon, delta=delta, delta_prime=delta_prime)
    one = g.one_sided_epsilon_from_approximate(epsilon=epsilon, delta=delta, delta_prime=delta_prime)
    assert epsilon <= one <= both + 1e-12
    back = g.approximate_epsilon_from_one_sided(epsilon_prime=one, delta=delta, delta_prime=delta_prime)
    assert math.isclose(back, epsilon, rel_tol=1e-9, abs_tol=1e-11)


@given(RHO, DELTA)
def test_the_best_order_never_exceeds_the_other_published_forms(rho: float, delta: float) -> None:
    best = g.approximate_epsilon_from_rho_best_order(rho=rho, delta=delta)
    assert best <= g.approximate_epsilon_from_rho(rho=rho, delta=delta) * (1 + 1e-12)
    assert g.gaussian_epsilon(rho=rho, delta=delta) <= best * (1 + 1e-9) + 1e-15
    if best > 1e-12:
        assert math.isclose(g.approximate_delta_from_rho_best_order(rho=rho, epsilon=best), delta, rel_tol=1e-6)
        assert math.isclose(g.rho_from_approximate_best_order(epsilon=best, delta=delta), rho, rel_tol=1e-7)


@given(RHO, DELTA)
def test_exact_is_below_direct_is_below_published(rho: float, delta_prime: float) -> None:
    exact = g.gaussian_probabilistic_epsilon(rho=rho, delta_prime=delta_prime)
    direct = g.probabilistic_epsilon_from_rho(rho=rho, delta_prime=delta_prime)
    published = g.probabilistic_epsilon_from_rho_published(rho=rho, delta_prime=delta_prime)
    assert exact <= direct * (1 + 1e-12)
    assert direct <= published * (1 + 1e-12)


@given(EPSILON, DELTA)
def test_budgets_for_a_promise_invert(epsilon_prime: float, delta_prime: float) -> None:
    pairs = (
        (g.rho_from_probabilistic, g.probabilistic_epsilon_from_rho),
        (g.rho_from_probabilistic_published, g.probabilistic_epsilon_from_rho_published),
        (g.gaussian_rho_from_probabilistic, g.gaussian_probabilistic_epsilon),
    )
    for to_rho, to_epsilon in pairs:
        rho = to_rho(epsilon_prime=epsilon_prime, delta_prime=delta_prime)
        assert math.isclose(to_epsilon(rho=rho, delta_prime=delta_prime), epsilon_prime, rel_tol=1e-7)


@given(st.lists(RHO, min_size=1, max_size=5), DELTA)
def test_arrays_answer_like_scalars(rhos: list[float], delta: float) -> None:
    for function in (
        g.approximate_epsilon_from_rho,
        g.approximate_epsilon_from_rho_best_order,
        g.gaussian_epsilon,
    ):
        together = function(rho=np.array(rhos), delta=delta)
        assert np.allclose(together, [function(rho=rho, delta=delta) for rho in rhos], rtol=1e-12)


@given(EPSILON, DELTA, st.floats(0, 25), st.floats(0, 25))
def test_delta_falls_as_epsilon_grows(epsilon: float, delta: float, first: float, second: float) -> None:
    low, high = sorted((first, second))
    for guarantee in (
        g.PureDP(epsilon=epsilon),
        g.ApproximateDP(epsilon=epsilon, delta=delta),
        g.ZeroConcentratedDP(rho=epsilon**2 / 2),
    ):
        assert guarantee.delta_at(high) <= guarantee.delta_at(low) * (1 + 1e-9)


@given(EPSILON)
def test_pure_dp_implies_zero_concentrated_dp_with_half_its_square(epsilon: float) -> None:
    # the best-order conversion of epsilon^2/2 must lie above the profile of randomised response
    for at in (0.1 * epsilon, 0.5 * epsilon, 0.9 * epsilon):
        pure = g.PureDP(epsilon=epsilon).delta_at(at)
        assert pure <= g.ZeroConcentratedDP(rho=epsilon**2 / 2).delta_at(at) * (1 + 1e-9)
