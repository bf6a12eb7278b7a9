"""Laws of the running maximum, for any plan of named mechanisms Hypothesis draws."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore.composition import BeliefPromise, ExactRule, PlannedRelease, PlanRule, ReleasePlan, first_broken
from dpcore.first_passage import first_passing, first_round_beyond, passing_chances, safe_rounds, ville_bound
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, RandomizedResponse
from dpcore.privacy_loss import PrivacyLoss

budgets = st.floats(0.05, 1.0)
mechanisms: st.SearchStrategy[Any] = st.one_of(
    st.builds(Geometric, epsilon=budgets, sensitivity=st.integers(1, 3)),
    st.builds(DiscreteGaussian, rho=st.floats(0.01, 0.5)),
    st.builds(RandomizedResponse, epsilon=budgets, categories=st.integers(2, 5)),
    st.builds(Gaussian, rho=st.floats(0.01, 0.5)),
    st.builds(Laplace, epsilon=budgets),
)
plans = st.lists(st.tuples(mechanisms, st.integers(1, 2)), min_size=1, max_size=2).map(
    lambda rows: ReleasePlan(tuple(PlannedRelease(source, count) for source, count in rows))
)
directions = st.sampled_from(["rise", "fall", "either"])
sides = st.sampled_from(["present", "absent"])


@settings(max_examples=40)
@given(plans, st.floats(0.2, 3.0), directions, sides)
def test_the_chance_on_some_round_rises_and_is_at_least_the_chance_on_that_round(
    plan: ReleasePlan, shift: float, direction: Any, side: Any
) -> None:
    found = passing_chances(plan.privacy_loss, shift=shift, rounds=12, side=side, direction=direction)
    assert (np.diff(found.some) >= 0).all()
    assert (found.given <= found.some_upper + 1e-9 + 1e-3 * (found.certainty == "estimate")).all()
    assert found.some[0] <= found.given[0] + found.error[0] + 1e-9 + 1e-3 * (found.certainty == "estimate")
    if direction != "either" and (side == "absent") == (direction == "rise"):
        assert found.some[-1] <= ville_bound(shift) + found.error[-1]


@settings(max_examples=30)
@given(plans, st.floats(0.3, 2.5))
def test_the_chance_on_a_given_round_is_that_of_the_composed_law(plan: ReleasePlan, shift: float) -> None:
    found = passing_chances(plan.privacy_loss, shift=shift, rounds=5)
    for k in (1, 3, 5):
        composed = plan.privacy_loss.times(k)
        tolerance = 1e-10 if found.certainty == "exact" else 2e-3
        # an estimate may put an atom that lies within a step of the shift on its other side
        near = composed.loss_cdf(shift + 0.01) - composed.loss_cdf(shift - 0.01) if found.certainty != "exact" else 0.0
        assert abs(found.given[k - 1] - composed.exceedance(shift)) <= tolerance + near


@settings(max_examples=15)
@given(plans, st.integers(1, 10), st.floats(0.01, 0.3))
def test_bounds_on_every_event_hold_for_who_reads_every_round(plan: ReleasePlan, rounds: int, failure: float) -> None:
    """Each rule's shift, and the one over every view, is passed on some round with at most the allowed chance."""
    shifts = [
        PlanRule(plan, method).shift(rounds, delta_prime=failure, direction="rise")
        for method in ("basic", "advanced", "direct")
    ]
    shifts.append(float(plan.privacy_loss.times(rounds).every_view_epsilon(failure)))
    for shift in shifts:
        if np.isfinite(shift):
            found = passing_chances(plan.privacy_loss, shift=shift + 1e-9, rounds=rounds)
            assert found.some[-1] - found.error[-1] <= failure * (1 + 1e-9) + 1e-12


@settings(max_examples=40)
@given(plans, st.floats(0.05, 0.95), st.floats(0.001, 0.4))
def test_the_first_round_that_breaks_is_that_of_a_scan(plan: ReleasePlan, cap: float, failure: float) -> None:
    promise = BeliefPromise.largest_difference(cap=cap, delta_prime=failure)
    loss = PrivacyLoss(plan.privacy_loss.releases, 1 << 11)
    rule = ExactRule(loss=loss)
    scanned = next((k for k in range(1, 31) if not rule.keeps(k, promise)), None)
    found = first_broken(rule, promise, at_most=30)
    if loss.certainty == "exact":
        assert found == scanned
    elif found is not None:
        assert not rule.keeps(found, promise)
        assert found == 1 or rule.keeps(found - 1, promise)


@settings(max_examples=14)
@given(plans, st.floats(0.2, 3.0), st.floats(0.001, 0.3), directions, sides)
def test_crossings_are_in_order(plan: ReleasePlan, shift: float, failure: float, direction: Any, side: Any) -> None:
    loss = plan.privacy_loss
    found = first_passing(loss, shift=shift, failure=failure, at_most=40, direction=direction, side=side)
    safe = safe_rounds(loss, shift=shift, failure=failure, side=side, direction=direction)
    if found.given is not None:
        assert found.some is not None
        assert safe < found.some <= found.given
    assert found.given == first_round_beyond(
        loss, shift=shift, failure=failure, at_most=40, direction=direction, side=side
    )
