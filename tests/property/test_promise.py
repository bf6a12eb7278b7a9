"""Laws of the promise: steps add, relations agree, a named mechanism never exceeds the steps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.guarantees import (
    ApproximateDP,
    PureDP,
    Relation,
    ZeroConcentratedDP,
    replace_from_add_or_remove,
)
from dpcore.mechanisms import Gaussian, Geometric
from dpcore.promise import Promise, Secret, steps
from dpcore.semantics import posterior_upper

GROUPS = st.integers(1, 50)
SECRETS = st.sampled_from([Secret.PRESENCE, Secret.VALUE, Secret.ANSWER])
BUDGETS = st.floats(1e-6, 5.0)


@given(SECRETS, GROUPS, GROUPS)
def test_steps_add_over_groups(secret: Secret, one: int, other: int) -> None:
    together = steps(secret=secret, relation="add_or_remove", group=one + other)
    apart = [steps(secret=secret, relation="add_or_remove", group=group) for group in (one, other)]
    assert together == sum(apart)


@given(BUDGETS, GROUPS)
def test_a_value_under_added_records_is_the_replacement_that_two_additions_give(budget: float, group: int) -> None:
    added = Promise(secret=Secret.VALUE, relation=Relation.ADD_OR_REMOVE, group=group)
    replaced = Promise(secret=Secret.VALUE, relation=Relation.REPLACE, group=group)
    for guarantee, size in ((PureDP(epsilon=budget), "epsilon"), (ZeroConcentratedDP(rho=budget), "rho")):
        other = replaced.guarantee_of_secret(replace_from_add_or_remove(guarantee))
        assert getattr(added.guarantee_of_secret(guarantee), size) == pytest.approx(getattr(other, size))


@given(SECRETS, BUDGETS, GROUPS)
def test_a_histogram_reveals_no_more_than_its_steps_allow(secret: Secret, budget: float, group: int) -> None:
    promise = Promise(secret=secret, relation=Relation.ADD_OR_REMOVE, group=group)
    cells = promise.guarantee_of_cells(Geometric(epsilon=budget))
    assert cells.epsilon <= promise.guarantee_of_secret(PureDP(epsilon=budget)).epsilon * (1 + 1e-12)
    concentrated = promise.guarantee_of_cells(Gaussian(rho=budget))
    assert concentrated.rho <= promise.guarantee_of_secret(ZeroConcentratedDP(rho=budget)).rho * (1 + 1e-12)


@given(st.floats(0.01, 0.99), st.floats(0.01, 2.0), st.integers(1, 5))
def test_a_chain_of_single_steps_reaches_the_bound_of_the_group(prior: float, epsilon: float, group: int) -> None:
    """Bayes' rule step by step: each of n steps multiplies the odds by e^epsilon, no less and no more."""
    promise = Promise(secret=Secret.VALUE, relation=Relation.ADD_OR_REMOVE, group=group)
    odds = prior / (1 - prior)
    for _ in range(2 * group):
        odds *= np.exp(epsilon)
    bound = posterior_upper(prior=prior, epsilon=promise.guarantee_of_secret(PureDP(epsilon=epsilon)).epsilon)
    assert bound == pytest.approx(odds / (1 + odds), rel=1e-9)


@given(st.floats(0.01, 3.0), st.floats(0.0, 0.1), GROUPS)
def test_the_delta_of_a_group_is_the_sum_over_its_steps(epsilon: float, delta: float, group: int) -> None:
    promise = Promise(secret=Secret.PRESENCE, relation=Relation.ADD_OR_REMOVE, group=group)
    found = promise.guarantee_of_secret(ApproximateDP(epsilon=epsilon, delta=delta)).delta
    assert found == pytest.approx(min(1.0, sum(delta * np.exp(i * epsilon) for i in range(group))), rel=1e-9)
