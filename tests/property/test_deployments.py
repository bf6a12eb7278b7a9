"""Laws of the table of published budgets."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dpcore.deployments import (
    FORMULAS,
    Deployment,
    converted,
    gaussian_right_guess,
    posterior_upper,
    published,
    right_guess,
)

ENTRIES = st.sampled_from(published())


@given(st.floats(1e-4, 50), st.floats(1e-12, 0.01))
def test_the_minimised_formula_is_never_above_the_closed_ones(rho: float, delta: float) -> None:
    tightest = FORMULAS["best_order"].epsilon(rho=rho, delta=delta)
    assert tightest <= FORMULAS["simple"].epsilon(rho=rho, delta=delta) * (1 + 1e-12)
    assert tightest <= FORMULAS["refined"].epsilon(rho=rho, delta=delta) * (1 + 1e-12)


@given(ENTRIES, st.floats(1e-12, 0.5), st.floats(1e-12, 0.5))
def test_a_smaller_delta_never_lowers_the_converted_epsilon(entry: Deployment, one: float, other: float) -> None:
    small = converted(entry, delta=min(one, other)).epsilon
    large = converted(entry, delta=max(one, other)).epsilon
    assert small is None or large is None or small >= large * (1 - 1e-12)


@given(ENTRIES, st.floats(0.001, 0.999))
def test_a_right_guess_does_not_depend_on_which_answer_is_called_true(entry: Deployment, prior: float) -> None:
    one = right_guess(entry, secret="value", prior=prior)
    assert abs(one - right_guess(entry, secret="value", prior=1 - prior)) < 1e-8


@given(ENTRIES, st.floats(0, 1))
def test_a_posterior_bound_never_lies_below_the_prior(entry: Deployment, prior: float) -> None:
    bound = posterior_upper(entry, secret="value", prior=prior)
    assert bound is None or prior - 1e-12 <= bound <= 1


@given(ENTRIES, st.floats(0.01, 0.99), st.sampled_from(("add_or_remove", "replace")))
def test_what_is_said_of_a_value_holds_under_either_relation(entry: Deployment, prior: float, assumed: str) -> None:
    said = right_guess(entry, secret="value", prior=prior)
    if not entry.relation_was_read and entry.model == "central":
        assert said >= right_guess(entry, secret="value", prior=prior, assuming=assumed) - 1e-12


@given(ENTRIES, st.floats(0.01, 0.99))
def test_a_value_is_never_promised_more_than_the_difference_of_its_two_cells_keeps(
    entry: Deployment, prior: float
) -> None:
    """A geometric difference of the cell a value leaves and the one it enters is a release with the budget."""
    if entry.definition != "pure" or entry.model == "local" or entry.relation == "replace":
        return
    ratio = math.exp(-(entry.epsilon or 0.0))
    noise = (1 - ratio) / (1 + ratio) * ratio ** np.abs(np.arange(-8, 9))
    here, there = noise[2:], noise[:-2]  # changing a value moves the difference by two
    posterior = prior * here / (prior * here + (1 - prior) * there)
    said = posterior_upper(entry, secret="value", prior=prior)
    assert said is not None
    assert said >= posterior.max() * (1 - 1e-9)
    assert right_guess(entry, secret="value", prior=prior) >= np.maximum(prior * here, (1 - prior) * there).sum() - 1e-9


@given(ENTRIES.filter(lambda entry: entry.rho is not None), st.floats(0.01, 0.99), st.sampled_from((0.1, 0.3, 1, 3)))
def test_no_zero_concentrated_pair_of_coins_is_guessed_better(entry: Deployment, prior: float, skew: float) -> None:
    """Coins with the published rho, found by halving the distance between them until every order agrees."""
    rho = entry.rho or 0.0
    wrongly = skew / (1 + skew) * 0.5
    orders = 1 + np.logspace(-6, 4, 120)

    def kept(found: float) -> bool:
        for y, x in ((found, wrongly), (wrongly, found)):
            both = np.logaddexp(
                orders * np.log(y) + (1 - orders) * np.log(x),
                orders * np.log1p(-y) + (1 - orders) * np.log1p(-x),
            )
            if not (both / (orders - 1) <= orders * rho).all():
                return False
        return True

    low, high = wrongly, 1 - 1e-15
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if kept(middle) else (low, middle)
    guess = max(prior * low + (1 - prior) * (1 - wrongly), prior, 1 - prior)
    assert right_guess(entry, secret="value", prior=prior) >= guess - 1e-9


@given(ENTRIES.filter(lambda entry: entry.rho is not None), st.floats(0.001, 0.999))
def test_one_gaussian_number_never_tells_more_than_the_bound_over_all_releases(entry: Deployment, prior: float) -> None:
    gaussian = gaussian_right_guess(entry, secret="value", prior=prior)
    assert gaussian is not None
    assert gaussian <= right_guess(entry, secret="value", prior=prior) + 1e-12
