"""Laws of beliefs: bounds, worst cases, exact posteriors inside them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dpcore import semantics as s
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, RandomizedResponse
from dpcore.privacy_loss import ExactPosterior, Side

PRIOR = st.floats(-30, 30).map(lambda x: 1 / (1 + math.exp(-x)))
EPSILON = st.floats(1e-6, 30)


@given(PRIOR, EPSILON, EPSILON)
def test_more_budget_never_lowers_the_bound(prior: float, first: float, second: float) -> None:
    low, high = sorted((first, second))
    assert s.posterior_upper(prior=prior, epsilon=low) <= s.posterior_upper(prior=prior, epsilon=high)
    assert s.posterior_lower(prior=prior, epsilon=low) >= s.posterior_lower(prior=prior, epsilon=high)


@given(PRIOR, EPSILON)
def test_posterior_ratio_and_difference_tell_one_story(prior: float, epsilon: float) -> None:
    lower, upper = s.posterior_bounds(prior=prior, epsilon=epsilon)
    ratio_lower, ratio_upper = s.ratio_bounds(prior=prior, epsilon=epsilon)
    fall, rise = s.difference_bounds(prior=prior, epsilon=epsilon)
    assert math.isclose(ratio_upper * prior, upper, rel_tol=1e-12)
    assert math.isclose(ratio_lower * prior, lower, rel_tol=1e-12)
    assert math.isclose(prior + rise, upper, rel_tol=1e-12)
    assert math.isclose(prior + fall, lower, rel_tol=1e-12, abs_tol=1e-15)
    assert max(rise, -fall) <= s.largest_difference(epsilon=epsilon) * (1 + 1e-9)
    absent_lower, absent_upper = s.ratio_bounds(prior=prior, epsilon=epsilon, side="absent")
    assert math.isclose(absent_upper * (1 - prior), 1 - lower, rel_tol=1e-9, abs_tol=1e-14)
    assert math.isclose(absent_lower * (1 - prior), 1 - upper, rel_tol=1e-3, abs_tol=1e-14)


@given(PRIOR, EPSILON)
def test_caps_give_their_epsilon_back(prior: float, epsilon: float) -> None:
    cap = s.posterior_upper(prior=prior, epsilon=epsilon)
    if cap < 1 - 1e-6 and cap - prior > 1e-6 * prior:
        assert math.isclose(s.epsilon_from_posterior(prior=prior, cap=cap), epsilon, rel_tol=1e-5)
    assert math.isclose(
        s.epsilon_from_difference(largest=s.largest_difference(epsilon=min(epsilon, 20.0))),
        min(epsilon, 20.0),
        rel_tol=1e-9,
    )
    if epsilon < 20 and prior < 0.5:
        ratio = s.ratio_bounds(prior=prior, epsilon=epsilon)[1]
        if ratio * prior < 1 - 1e-6:
            assert math.isclose(s.epsilon_from_ratio(largest=ratio, prior=prior), epsilon, rel_tol=1e-4)


@given(st.floats(0, 1), st.floats(0, 1), EPSILON, st.floats(0, 2))
def test_uncertainty_about_membership_and_value_only_protects(p: float, q: float, epsilon: float, c: float) -> None:
    upper = s.relative_risk_upper(membership_prior=p, value_prior=q, epsilon=epsilon, value_exponent=c)
    lower = s.relative_risk_lower(membership_prior=p, value_prior=q, epsilon=epsilon, value_exponent=c)
    assert lower <= 1 <= upper
    assert upper <= math.exp(max(1.0, c) * epsilon) * (1 + 1e-9)
    sure = s.ratio_bounds(prior=p, epsilon=epsilon)[1]
    certain_value = s.relative_risk_upper(membership_prior=p, value_prior=1.0, epsilon=epsilon, value_exponent=c)
    assert math.isclose(certain_value, sure, rel_tol=1e-12)


@st.composite
def exact_posteriors(draw: Any) -> ExactPosterior:
    prior, budget = draw(st.floats(0.001, 0.999)), draw(st.floats(-5, 1.5).map(math.exp))
    mechanism, releases = draw(
        st.sampled_from(
            [
                (Geometric(epsilon=budget), 5),
                (Geometric(epsilon=budget, sensitivity=4), 1),
                (Laplace(epsilon=budget), 1),
                (Gaussian(rho=budget), 3),
                (DiscreteGaussian(rho=budget), 1),
                (RandomizedResponse(epsilon=budget, categories=5), 1),
            ]
        )
    )
    return ExactPosterior.of(mechanism, prior=prior, releases=releases)


@given(exact_posteriors())
def test_the_mean_posterior_over_both_worlds_is_the_prior(exact: ExactPosterior) -> None:
    # the absent side again, as an integral of its own tail rather than by the identity
    levels = np.linspace(0, 1, 20_001)
    tail = np.asarray(exact.tail(levels, side="absent"))
    lower, upper = tail[1:].sum() / 20_000, tail[:-1].sum() / 20_000
    assert lower - 1e-9 <= exact.mean(side="absent") <= upper + 1e-9
    both = exact.prior * exact.mean() + (1 - exact.prior) * exact.mean(side="absent")
    assert math.isclose(both, exact.prior, rel_tol=1e-12)
    assert exact.mean() >= exact.prior * (1 - 1e-9)


@given(exact_posteriors(), st.floats(0.01, 0.99))
def test_exact_quantiles_and_tails_agree(exact: ExactPosterior, level: float) -> None:
    sides: tuple[Side, ...] = ("present", "absent")
    for side in sides:
        quantile = exact.quantile(level, side=side)
        assert exact.cdf(min(quantile * (1 + 1e-9), 1.0), side=side) >= level - 1e-6
        assert exact.cdf(quantile * (1 - 1e-9), side=side) <= level + 1e-6


@given(exact_posteriors())
def test_pure_mechanisms_never_exceed_the_bound(exact: ExactPosterior) -> None:
    [(mechanism, releases)] = exact.loss.releases
    if isinstance(mechanism, (Geometric, Laplace, RandomizedResponse)):
        epsilon = releases * mechanism.epsilon
        upper = s.posterior_upper(prior=exact.prior, epsilon=epsilon)
        assert exact.tail(min(upper * (1 + 1e-10), 1.0)) == 0.0
        assert exact.quantile(1 - 1e-12) <= upper * (1 + 1e-12)
