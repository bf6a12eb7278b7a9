"""Laws of relatives who resemble."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from dpcore.relatives import Relative, Relatives, RelativesCount, joint_shift_limits
from dpcore.semantics import epsilon_from_posterior, posterior_upper

SHARE = st.one_of(st.floats(0.0, 1.0), st.sampled_from((0.0, 0.01, 0.5, 1.0)))
HOUSEHOLD = st.lists(st.tuples(SHARE, SHARE), max_size=5).map(
    lambda pairs: Relatives([Relative.of_shares(share_if_yes=yes, share_if_no=no) for yes, no in pairs])
)
EPSILON = st.floats(0.0, 5.0)
NOISE = st.one_of(
    st.floats(0.05, 3.0).map(lambda epsilon: Geometric(epsilon=epsilon)),
    st.floats(0.05, 3.0).map(lambda epsilon: Laplace(epsilon=epsilon)),
    st.floats(0.01, 2.0).map(lambda rho: Gaussian(rho=rho)),
    st.floats(0.01, 2.0).map(lambda rho: DiscreteGaussian(rho=rho)),
)


@given(HOUSEHOLD, EPSILON)
def test_limits_lie_between_the_budget_of_one_record_and_that_of_all(relatives: Relatives, epsilon: float) -> None:
    limits = relatives.shift_limits(epsilon=epsilon)
    records = len(relatives.members) + 1
    for shift in (limits.up, limits.down):
        assert epsilon <= shift <= records * epsilon + 1e-12
    exchanged = relatives.exchanged.shift_limits(epsilon=epsilon)
    assert (exchanged.up, exchanged.down) == (limits.down, limits.up)


@given(HOUSEHOLD, EPSILON, st.floats(0.0, 2.0))
def test_more_budget_and_more_relatives_never_lower_a_limit(relatives: Relatives, epsilon: float, more: float) -> None:
    limits = relatives.shift_limits(epsilon=epsilon)
    assert relatives.shift_limits(epsilon=epsilon + more).up >= limits.up - 1e-12
    fewer = Relatives(relatives.members[1:]).shift_limits(epsilon=epsilon)
    assert fewer.up <= limits.up + 1e-12
    assert fewer.down <= limits.down + 1e-12


@given(st.lists(SHARE, max_size=5), EPSILON)
def test_who_does_not_resemble_her_adds_nothing_and_copies_add_all(shares: list[float], epsilon: float) -> None:
    unlike = Relatives.of_shares(share_if_yes=shares, share_if_no=shares).shift_limits(epsilon=epsilon)
    assert (unlike.up, unlike.down) == (epsilon, epsilon)
    records = len(shares) + 1
    for yes, no in ((1.0, 0.0), (0.0, 1.0)):
        copies = Relatives.of_shares(share_if_yes=[yes] * len(shares), share_if_no=[no] * len(shares))
        assert copies.shift_limits(epsilon=epsilon).up == pytest.approx(records * epsilon, rel=1e-12)


@given(SHARE, SHARE, EPSILON, st.floats(0.0, 0.2))
def test_more_alike_never_tells_less_and_never_more_than_the_relative_s_own_answer(
    one: float, other: float, epsilon: float, step: float
) -> None:
    low, high = min(one, other), max(one, other)
    ups = [
        Relatives.of_shares(share_if_yes=[yes], share_if_no=[no]).shift_limits(epsilon=epsilon).up
        for yes, no in ((high, low), (min(high + step, 1.0), low), (min(high + step, 1.0), max(low - step, 0.0)))
    ]
    assert all(less <= more + 1e-12 for less, more in pairwise(ups))
    if low > 0.0:
        assert ups[0] <= epsilon + math.log(high) - math.log(low) + 1e-12


@given(HOUSEHOLD, st.floats(0.001, 0.9), st.floats(0.001, 0.999))
def test_a_budget_from_a_cap_keeps_the_cap_and_no_larger_one_does(
    relatives: Relatives, prior: float, rise: float
) -> None:
    cap = prior + rise * (1.0 - prior)
    budget = relatives.epsilon_from_posterior(prior=prior, cap=cap)
    assert relatives.shift_limits(epsilon=budget).up <= epsilon_from_posterior(
        prior=prior, cap=cap
    )  # to the last digit
    assert posterior_upper(prior=prior, epsilon=relatives.shift_limits(epsilon=budget).up) <= cap * (1 + 1e-14)
    over = relatives.shift_limits(epsilon=budget * (1 + 1e-9)).up
    assert posterior_upper(prior=prior, epsilon=over) >= cap * (1 - 1e-14)


@given(HOUSEHOLD, st.floats(0.001, 8.0), st.floats(0.001, 0.2))
@settings(max_examples=12, deadline=None)
def test_a_budget_from_a_shift_shifts_no_further_and_hardly_less(
    relatives: Relatives, shift: float, failure: float
) -> None:
    epsilon = relatives.epsilon_from_shift(shift)
    assert relatives.shift_limits(epsilon=epsilon).up <= shift
    assert relatives.shift_limits(epsilon=epsilon * 1.000001).up > shift
    rho = relatives.rho_from_shift(shift, delta_prime=failure)
    assert relatives.concentrated_shift_limits(rho=rho, delta_prime=failure).up <= shift
    assert relatives.concentrated_shift_limits(rho=rho * 1.0001, delta_prime=failure).up > shift


@given(st.lists(st.tuples(st.floats(0.01, 0.99), st.floats(0.01, 0.99)), min_size=1, max_size=4), st.data())
def test_knowing_a_relative_moves_the_belief_as_its_chances_say(
    pairs: list[tuple[float, float]], data: st.DataObject
) -> None:
    relatives = Relatives([Relative.of_shares(share_if_yes=yes, share_if_no=no) for yes, no in pairs])
    prior = data.draw(st.floats(0.01, 0.99))
    seen: list[int | None] = [None] * len(pairs)
    chances = relatives.members[0].belief(prior=prior)
    seen[0] = 0
    no = relatives.belief_knowing(seen, prior=prior)
    seen[0] = 1
    yes = relatives.belief_knowing(seen, prior=prior)
    assert chances[0] * no + chances[1] * yes == pytest.approx(prior), "beliefs average to what they were"
    assert len(relatives.unknown(seen).members) == len(pairs) - 1


@given(HOUSEHOLD, NOISE, st.floats(0.01, 0.99))
@settings(max_examples=14, deadline=None)
def test_a_count_is_one_of_the_releases_that_the_limits_are_about(relatives: Relatives, noise, prior: float) -> None:  # type: ignore[no-untyped-def]
    count = RelativesCount(relatives, noise)
    found = count.shift_limits
    if isinstance(noise, (Geometric, Laplace)):
        limits = relatives.shift_limits(epsilon=noise.epsilon)
        assert found.up <= limits.up + 1e-9
        assert found.down <= limits.down + 1e-9
        assert count.right_guess(prior=prior) <= max(prior, 1 - prior, 1 / (1 + math.exp(-found.epsilon))) + 1e-9
    at = np.arange(-3.0, len(relatives.members) + 5)
    assert (count.log_ratio(at) <= found.up + 1e-9).all()
    assert (count.log_ratio(at) >= -found.down - 1e-9).all()
    x = np.linspace(0.0, 1.0, 21)
    curve = count.detection(x)
    assert (curve >= x - 1e-12).all()
    assert (np.diff(curve, 2) <= 1e-9).all(), "concave"
    guess = count.right_guess(prior=prior)
    assert (prior * curve + (1 - prior) * (1 - x) <= guess + 1e-9).all()


@given(HOUSEHOLD, st.floats(0.001, 1.0), st.floats(1.01, 50.0))
def test_a_divergence_lies_between_that_of_one_record_and_that_of_all(
    relatives: Relatives, rho: float, order: float
) -> None:
    records = len(relatives.members) + 1
    coupled = relatives.divergence_by_coupling(rho=rho, order=order)
    found = relatives.divergence(rho=rho, order=order)
    assert rho * order * (1 - 1e-12) <= found <= coupled <= records**2 * rho * order * (1 + 1e-12)


@given(st.lists(st.tuples(SHARE, SHARE), min_size=1, max_size=3), st.floats(0.01, 3.0))
@settings(max_examples=30, deadline=None)
def test_independent_relatives_have_the_limits_of_their_joint_law(
    pairs: list[tuple[float, float]], epsilon: float
) -> None:
    yes = no = np.ones(())
    for one, other in pairs:
        yes, no = np.multiply.outer(yes, [1 - one, one]), np.multiply.outer(no, [1 - other, other])
    joint = joint_shift_limits(if_yes=yes, if_no=no, epsilon=epsilon)
    limits = Relatives.of_shares(
        share_if_yes=[one for one, _ in pairs], share_if_no=[other for _, other in pairs]
    ).shift_limits(epsilon=epsilon)
    assert (joint.up, joint.down) == (pytest.approx(limits.up, abs=1e-9), pytest.approx(limits.down, abs=1e-9))
