"""What a guarantee means for beliefs: known values, enumeration, edges, refusals."""

from __future__ import annotations

import itertools
import math
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy.special import expit, logit

from dpcore import semantics as s
from dpcore.guarantees import ApproximateDP, ProbabilisticDP, PureDP, ZeroConcentratedDP
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, RandomizedResponse
from dpcore.privacy_loss import ExactPosterior, PrivacyLoss, Side


def test_certain_beliefs_do_not_move() -> None:
    for epsilon in (0.0, 1.0, 800.0, math.inf):
        assert s.posterior_bounds(prior=0.0, epsilon=epsilon) == (0.0, 0.0)
        assert s.posterior_bounds(prior=1.0, epsilon=epsilon) == (1.0, 1.0)
        assert s.difference_bounds(prior=0.0, epsilon=epsilon) == (0.0, 0.0)
        assert s.difference_bounds(prior=1.0, epsilon=epsilon) == (0.0, 0.0)
        assert s.ratio_bounds(prior=1.0, epsilon=epsilon) == (1.0, 1.0)
        assert s.ratio_bounds(prior=0.0, epsilon=epsilon, side="absent") == (1.0, 1.0)


def test_no_budget_moves_no_belief() -> None:
    prior = np.array([0.0, 1e-12, 0.3, 1.0])
    lower, upper = s.posterior_bounds(prior=prior, epsilon=0.0)
    assert (lower == prior).all()
    assert (upper == prior).all()
    assert s.largest_difference(epsilon=0.0) == 0.0
    assert s.worst_prior_rise(epsilon=0.0) == 0.5


def test_overflowing_odds_stay_finite() -> None:
    assert s.posterior_upper(prior=1e-300, epsilon=700.0) == pytest.approx(0.9999014129549262)
    assert s.posterior_upper(prior=1e-300, epsilon=5000.0) == 1.0
    assert s.relative_risk_lower(membership_prior=0.5, value_prior=0.5, epsilon=5000.0) == 0.0
    assert s.worst_prior_rise(epsilon=100.0) == pytest.approx(1.9287498479639178e-22, rel=1e-14)


def test_differences_do_not_cancel() -> None:
    with mpmath.workdps(50):
        for prior, epsilon in ((1e-9, 1e-9), (0.5, 1e-14), (1 - 1e-9, 3.0), (0.2, 40.0)):
            p, t = mpmath.mpf(prior), mpmath.exp(-mpmath.mpf(epsilon))
            rise = p / (p + (1 - p) * t) - p
            fall = p * t / (p * t + 1 - p) - p
            lower, upper = s.difference_bounds(prior=prior, epsilon=epsilon)
            assert lower == pytest.approx(float(fall), rel=1e-13)
            assert upper == pytest.approx(float(rise), rel=1e-13)


def test_the_worst_priors_beat_a_dense_grid_and_end_at_their_mirror_image() -> None:
    prior = np.linspace(0, 1, 100_001)
    for epsilon in (0.1, 1.8, 6.0):
        lower, upper = s.difference_bounds(prior=prior, epsilon=epsilon)
        rise, fall = s.worst_prior_rise(epsilon=epsilon), s.worst_prior_fall(epsilon=epsilon)
        assert prior[np.argmax(upper)] == pytest.approx(rise, abs=1e-4)
        assert prior[np.argmin(lower)] == pytest.approx(fall, abs=1e-4)
        assert upper.max() <= s.largest_difference(epsilon=epsilon) * (1 + 1e-12)
        assert s.posterior_upper(prior=rise, epsilon=epsilon) == pytest.approx(1 - rise, rel=1e-12)
        assert s.posterior_lower(prior=fall, epsilon=epsilon) == pytest.approx(1 - fall, rel=1e-12)


def test_theorem_4_is_the_worst_of_all_mechanisms_on_three_worlds() -> None:
    # Worlds: sensitive value, other value, absent. Their output probabilities may differ by e^epsilon per person
    # added or removed, so by e^(2 epsilon) between two values of one person.
    p, q, epsilon = 0.3, 0.4, 0.9
    t = math.exp(-epsilon)
    ratios = []
    for other, absent in itertools.product(np.linspace(t * t, 1 / t / t, 60), np.linspace(t, 1 / t, 60)):
        if t <= other / absent <= 1 / t:
            ratios.append(1 / (p * q + p * (1 - q) * other + (1 - p) * absent))
    upper = s.relative_risk_upper(membership_prior=p, value_prior=q, epsilon=epsilon)
    lower = s.relative_risk_lower(membership_prior=p, value_prior=q, epsilon=epsilon)
    assert lower * (1 - 1e-12) <= min(ratios)
    assert max(ratios) <= upper * (1 + 1e-12)
    assert max(ratios) == pytest.approx(upper)
    assert min(ratios) == pytest.approx(lower)
    one_count = s.relative_risk_upper(membership_prior=p, value_prior=q, epsilon=epsilon, value_exponent=1)
    assert one_count == pytest.approx(1 / (p * q + (1 - p * q) * t))


def test_the_converse_of_theorem_31_needs_epsilon_below_twice_log_three() -> None:
    limit = 2 * math.log(3)
    assert s.probabilistic_epsilon_from_difference_bound(epsilon=limit) == math.inf
    assert math.isfinite(s.probabilistic_epsilon_from_difference_bound(epsilon=limit - 1e-9))
    assert s.probabilistic_epsilon_from_difference_bound(epsilon=0.0) == 0.0
    h = math.exp(0.5)
    expected = math.log(3 * h - 1) - math.log(3 - h)
    assert s.probabilistic_epsilon_from_difference_bound(epsilon=1.0) == pytest.approx(expected, rel=1e-14)


def test_a_cap_that_touches_the_prior_leaves_nothing() -> None:
    assert s.epsilon_from_posterior(prior=0.3, cap=0.3) == 0.0
    assert s.epsilon_from_posterior(prior=0.3, cap=1.0) == math.inf
    assert s.epsilon_from_posterior(prior=0.0, cap=0.2) == math.inf
    assert s.epsilon_from_posterior(prior=1.0, cap=1.0) == math.inf
    assert s.epsilon_from_posterior(prior=1e-300, cap=1 - 1e-16) == pytest.approx(logit(1 - 1e-16) + 300 * math.log(10))
    assert s.epsilon_from_ratio(largest=1.0) == 0.0
    assert s.epsilon_from_ratio(largest=3.0, prior=0.4) == math.inf
    assert s.epsilon_from_ratio(largest=1.0, prior=1.0) == math.inf  # who is certain before learns nothing of any
    assert s.posterior_upper(prior=0.1, epsilon=s.epsilon_from_ratio(largest=3.0, prior=0.1)) == pytest.approx(0.3)


def test_without_a_budget_no_ratio_of_beliefs_leaves_one_and_a_small_budget_keeps_its_digits() -> None:
    p, q = np.meshgrid(np.linspace(0.0, 1.0, 41), np.linspace(0.0, 1.0, 41))
    for exponent in (0.0, 1.0, 2.0):
        at_zero = {"membership_prior": p, "value_prior": q, "epsilon": 0.0, "value_exponent": exponent}
        assert (s.relative_risk_upper(**at_zero) == 1.0).all()
        assert (s.relative_risk_lower(**at_zero) <= 1.0).all()
    rise = s.relative_risk_upper(membership_prior=0.1, value_prior=0.3, epsilon=1e-13) - 1
    assert rise == pytest.approx(1e-13 * (2 * 0.07 + 0.9), abs=2.3e-16)  # a float near 1 tells no more


@pytest.mark.parametrize(
    ("largest", "prior"), [(1e9, 0.0), (1e12, 0.0), (1e300, 0.0), (1e12, 5e-13), (2.0, 0.3), (1 + 1e-12, 0.2)]
)
def test_a_ratio_of_any_size_gives_an_epsilon_with_all_its_digits(largest: float, prior: float) -> None:
    with mpmath.workdps(50):
        r, p = mpmath.mpf(largest), mpmath.mpf(prior)
        wanted = float(mpmath.log(r * (1 - p) / (1 - p * r)))
    assert s.epsilon_from_ratio(largest=largest, prior=prior) == pytest.approx(wanted, rel=1e-13)


def test_every_guarantee_is_read_through_the_same_shift() -> None:
    pure = s.belief_bounds(PureDP(epsilon=1.0), prior=0.2)
    assert (pure.epsilon_prime, pure.failure_probability) == (1.0, 0.0)
    assert (pure.posterior_lower, pure.posterior_upper) == s.posterior_bounds(prior=0.2, epsilon=1.0)
    assert (pure.ratio_absent_lower, pure.ratio_absent_upper) == s.ratio_bounds(prior=0.2, epsilon=1.0, side="absent")
    approximate = s.belief_bounds(ApproximateDP(epsilon=1.0, delta=1e-6), prior=0.2, delta_prime=0.01)
    assert 1.0 < approximate.epsilon_prime < 1.001
    assert approximate.failure_probability == 0.01
    probabilistic = s.belief_bounds(ProbabilisticDP(epsilon=1.0, delta=0.01), prior=0.2, delta_prime=0.05)
    assert (probabilistic.epsilon_prime, probabilistic.failure_probability) == (1.0, 0.01)
    concentrated = s.belief_bounds(ZeroConcentratedDP(rho=0.07), prior=0.5, delta_prime=0.01)
    assert round(100 * concentrated.posterior_upper, 1) == 77.5
    assert s.shift_bound(ZeroConcentratedDP(rho=0.0)) == 0.0


def test_a_one_sided_promise_bounds_rises_only() -> None:
    one_sided = s.belief_bounds(ZeroConcentratedDP(rho=0.07), prior=0.5, delta_prime=0.01, one_sided=True)
    both = s.belief_bounds(ZeroConcentratedDP(rho=0.07), prior=0.5, delta_prime=0.01)
    assert one_sided.posterior_lower == 0.0
    assert one_sided.posterior_upper < both.posterior_upper
    assert one_sided.difference_lower == -0.5
    assert one_sided.worst_prior_fall == 1.0
    assert s.shift_bound(ApproximateDP(epsilon=1, delta=0.001), delta_prime=0.05, one_sided=True) == pytest.approx(
        1.0202027073175195
    )


def _loss_by_enumeration(mechanism: Any, releases: int) -> tuple[np.ndarray, np.ndarray]:
    """Losses and probabilities of k releases, by listing the outputs of one and convolving lists."""
    if isinstance(mechanism, RandomizedResponse):
        log_p = np.log([mechanism.probability_truthful, mechanism.probability_other])
        log_q = log_p[::-1]
    else:
        y = np.arange(-300, 301)
        log_p, log_q = mechanism.log_pmf(y), mechanism.log_pmf(y + mechanism.sensitivity)
        log_p, log_q = log_p[log_p > -300], log_q[log_p > -300]
    loss, mass = np.array([0.0]), np.array([1.0])
    for _ in range(releases):
        loss = (loss[:, None] + (log_p - log_q)[None, :]).ravel()
        mass = (mass[:, None] * np.exp(log_p)[None, :]).ravel()
    return loss, mass


@pytest.mark.parametrize(
    ("mechanism", "releases"),
    [
        (Geometric(epsilon=1.3), 1),
        (Geometric(epsilon=0.8), 2),
        (Geometric(epsilon=0.8, sensitivity=3), 1),
        (DiscreteGaussian(rho=0.4), 1),
        (DiscreteGaussian(rho=0.4, sensitivity=2), 1),
        (RandomizedResponse(epsilon=0.6), 9),
        (Geometric(epsilon=0.8, sensitivity=2), 2),
        (DiscreteGaussian(rho=0.4), 3),
    ],
    ids=str,
)
def test_exact_posteriors_on_lattices_agree_with_enumeration(mechanism: Any, releases: int) -> None:
    loss, mass = _loss_by_enumeration(mechanism, releases)
    absent = mass * np.exp(-loss)
    for prior in (0.01, 0.3, 0.9):
        exact = ExactPosterior.of(mechanism, prior=prior, releases=releases)
        posterior = expit(logit(prior) + loss)
        assert exact.mean() == pytest.approx((mass * posterior).sum(), rel=1e-10)
        assert exact.mean(side="absent") == pytest.approx((absent * posterior).sum(), rel=1e-9)
        for level in (0.005, 0.2, 0.611, 0.97):
            assert exact.tail(level) == pytest.approx(mass[posterior > level].sum(), rel=1e-10, abs=1e-15)
            assert exact.tail(level, side="absent") == pytest.approx(
                absent[posterior > level].sum(), rel=1e-9, abs=1e-14
            )


@pytest.mark.parametrize("side", ["present", "absent"])
@pytest.mark.parametrize("mechanism", [Laplace(epsilon=1.3), Laplace(epsilon=4.0), Gaussian(rho=0.3)], ids=str)
def test_exact_posteriors_of_continuous_noise_agree_with_numerical_integrals(mechanism: Any, side: Side) -> None:
    width = 16 * mechanism.std
    y = np.linspace(-width, width, 2_000_001)
    density, other = np.exp(mechanism.log_pdf(y)), np.exp(mechanism.log_pdf(y + 1))
    weight = (density if side == "present" else other) * (y[1] - y[0])
    for prior in (1e-6, 0.3, 0.99):
        posterior = prior * density / (prior * density + (1 - prior) * other)
        exact = ExactPosterior.of(mechanism, prior=prior)
        assert exact.mean(side=side) == pytest.approx((weight * posterior).sum(), rel=2e-5)
        for level in (0.2, 0.5):
            assert exact.tail(level, side=side) == pytest.approx(weight[posterior > level].sum(), abs=2e-5)


@pytest.mark.parametrize("prior", [1e-15, 1e-6, 0.3, 1 - 1e-9])
@pytest.mark.parametrize("epsilon", [1e-3, 1.0, 8.0, 60.0])
def test_the_mean_posterior_after_laplace_noise_is_right_for_extreme_priors(prior: float, epsilon: float) -> None:
    with mpmath.workdps(40):
        o, e = mpmath.mpf(prior) / (1 - mpmath.mpf(prior)), mpmath.mpf(epsilon)
        root = mpmath.sqrt(o)
        u = mpmath.exp(e / 2)
        between = mpmath.exp(-e / 2) / 2 * (u - 1 / u - (mpmath.atan(root * u) - mpmath.atan(root / u)) / root)
        up, down = o * mpmath.exp(e), o * mpmath.exp(-e)
        expected = up / (1 + up) / 2 + mpmath.exp(-e) / 2 * down / (1 + down) + between
    assert ExactPosterior.of(Laplace(epsilon=epsilon), prior=prior).mean() == pytest.approx(float(expected), rel=1e-10)


def test_atoms_belong_to_the_level_they_sit_on() -> None:
    exact = ExactPosterior.of(Geometric(epsilon=math.log(9)), prior=0.5)
    assert exact.tail(0.9) == 0.0
    assert exact.cdf(0.9) == 1.0
    assert exact.tail(0.9 - 1e-9) == pytest.approx(0.9)
    laplace = ExactPosterior.of(Laplace(epsilon=math.log(9)), prior=0.5)
    assert laplace.tail(0.9) == 0.0
    assert laplace.tail(0.9 - 1e-9) == pytest.approx(0.5, abs=1e-7)
    assert laplace.tail(0.1 - 1e-9) == 1.0
    assert laplace.tail(0.1 - 1e-9, side="absent") == 1.0
    assert laplace.tail(0.1, side="absent") == pytest.approx(0.5)
    assert laplace.quantile(0.6) == pytest.approx(0.9)


@pytest.mark.parametrize("side", ["present", "absent"])
def test_a_belief_that_an_atom_leads_to_belongs_to_it_whatever_the_prior(side: Side) -> None:
    loss = PrivacyLoss.of(RandomizedResponse(epsilon=0.7), 3)
    for prior in np.linspace(0.01, 0.99, 99):
        exact = ExactPosterior(loss, prior=prior)
        for atom in (-2.1, -0.7, 0.7, 2.1):
            at = expit(logit(prior) + atom)
            assert exact.cdf(at, side=side) == pytest.approx(loss.loss_cdf(atom + 1e-6, side=side), rel=1e-12)
            assert exact.tail(at, side=side) == pytest.approx(1 - loss.loss_cdf(atom + 1e-6, side=side), abs=1e-12)


@pytest.mark.parametrize("side", ["present", "absent"])
def test_a_level_that_an_atom_reaches_has_the_atom_as_its_quantile(side: Side) -> None:
    up = float(expit(0.7 if side == "present" else -0.7))
    for releases in (1, 2, 5, 12):
        loss = PrivacyLoss.of(RandomizedResponse(epsilon=0.7), releases)
        for ones in range(releases):
            masses = [math.comb(releases, k) * up**k * (1 - up) ** (releases - k) for k in range(ones + 1)]
            assert loss.loss_quantile(math.fsum(masses), side=side) == pytest.approx(
                0.7 * (2 * ones - releases), abs=1e-9
            )


def test_a_belief_over_both_worlds_weighs_them_by_the_prior() -> None:
    exact = ExactPosterior.of(Geometric(epsilon=1.0), prior=0.2)
    present, absent = exact.cdf(0.3, side="present"), exact.cdf(0.3, side="absent")
    assert present < absent
    assert exact.cdf(0.3, side="prior_predictive") == pytest.approx(0.2 * present + 0.8 * absent, rel=1e-14)
    assert exact.tail(0.3, side="prior_predictive") == pytest.approx(1 - 0.2 * present - 0.8 * absent, rel=1e-14)


def test_certain_priors_have_certain_posteriors() -> None:
    for prior in (0.0, 1.0):
        exact = ExactPosterior.of(Laplace(epsilon=1.0), prior=prior)
        assert exact.mean() == exact.mean(side="absent") == prior
        assert exact.quantile(0.3) == prior
        assert exact.cdf(prior) == 1.0


def test_the_exact_quantiles_of_the_daily_plan() -> None:
    for days, percent in ((7, 71.9), (30, 89.1), (58, 95.6)):
        exact = ExactPosterior.of(Gaussian(rho=0.01), prior=0.5, releases=days)
        assert round(100 * exact.quantile(0.99), 1) == percent


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: s.posterior_upper(prior=1.2, epsilon=1.0), r"prior must lie in \[0, 1\]; got 1\.2"),
        (lambda: s.posterior_upper(prior=math.nan, epsilon=1.0), r"prior must lie in \[0, 1\]; got nan"),
        (lambda: s.posterior_lower(prior=0.5, epsilon=-1.0), r"epsilon must be at least 0; got -1\.0"),
        (lambda: s.difference_bounds(prior=0.5, epsilon=math.nan), r"epsilon must be at least 0; got nan"),
        (lambda: s.epsilon_from_posterior(prior=0.5, cap=0.4), r"cap must be at least the prior; got 0\.4"),
        (lambda: s.epsilon_from_difference(largest=1.0), r"largest must lie in \[0, 1\); got 1\.0"),
        (lambda: s.epsilon_from_ratio(largest=0.9), r"largest must be at least 1 and finite; got 0\.9"),
        (
            lambda: s.relative_risk_upper(membership_prior=0.5, value_prior=0.5, epsilon=1.0, value_exponent=3.0),
            r"value_exponent must lie in \[0, 2\]; got 3\.0",
        ),
        (
            lambda: s.belief_bounds(ApproximateDP(epsilon=1, delta=0.01), prior=0.5, delta_prime=0.01),
            r"delta_prime must exceed delta; got 0\.01",
        ),
        (
            lambda: s.belief_bounds(ZeroConcentratedDP(rho=0.1), prior=0.5),
            r"delta_prime must lie in \(0, 1\); got 0\.0",
        ),
        (lambda: s.shift_bound(PureDP(epsilon=1.0), promise=3), "promise must be a Promise; got 3"),  # type: ignore[arg-type]
        (
            lambda: s.belief_bounds(PureDP(epsilon=1.0), prior=0.5, promise=3),  # type: ignore[arg-type]
            "promise must be a Promise; got 3",
        ),
        (
            lambda: ExactPosterior.of(Laplace(epsilon=1.0), prior=0.5, releases=0),
            "releases must be a whole number from 1 to 1000000; got 0",
        ),
        (
            lambda: ExactPosterior.of(Laplace(epsilon=1.0), prior=0.5).quantile(1.1),
            r"level must lie in \[0, 1\]; got 1\.1",
        ),
    ],
)
def test_a_refusal_names_the_argument_the_rule_and_the_value(call: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        call()
