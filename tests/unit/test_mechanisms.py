"""Laws of the mechanisms: against plain sums, edges, losses, seeded draws, refusals."""

from __future__ import annotations

import math
import re
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy.special import gammaln

from dpcore import mechanisms as m
from dpcore.errors import Refused
from tests.each import each

INTEGER_NOISE = [
    m.Geometric(epsilon=0.3),
    m.Geometric(epsilon=1.5, sensitivity=3),
    m.DiscreteGaussian(rho=0.02),
    m.DiscreteGaussian(rho=2.0, sensitivity=4),
    m.DiscreteGaussian(rho=5.0),
]
CONTINUOUS_NOISE = [m.Laplace(epsilon=0.4, sensitivity=2.0), m.Gaussian(rho=0.07, sensitivity=3.0)]
REACH = np.arange(-400, 401)


@pytest.mark.parametrize("noise", INTEGER_NOISE, ids=str)
def test_integer_noise_agrees_with_plain_sums_of_its_probabilities(noise: Any) -> None:
    pmf = noise.pmf(REACH)
    assert pmf.sum() == pytest.approx(1, abs=1e-14)
    assert noise.variance == pytest.approx((pmf * REACH**2).sum(), rel=1e-12)
    assert noise.std == math.sqrt(noise.variance)
    assert noise.mean_absolute == pytest.approx((pmf * abs(REACH)).sum(), rel=1e-12)
    assert noise.mean_absolute_about(2) == pytest.approx((pmf * abs(REACH + 2)).sum(), rel=1e-12)
    assert noise.probability_exact == pmf[400]
    for k in (-7, 0, 1, 4, 9):
        assert noise.tail(k) == pytest.approx(pmf[k <= REACH].sum(), rel=1e-12)
        assert noise.cdf(k) == pytest.approx(pmf[k >= REACH].sum(), rel=1e-12)
        assert noise.survival(k) == pytest.approx(pmf[k < REACH].sum(), rel=1e-12)
    assert noise.cdf(2.5) == noise.cdf(2)
    assert noise.tail(2.5) == noise.tail(3)
    assert noise.probability_within(3) == pytest.approx(pmf[abs(REACH) <= 3].sum(), rel=1e-12)
    assert np.exp(noise.log_cdf(np.array([1, 2]))) == pytest.approx([noise.cdf(1), noise.cdf(2)])


@pytest.mark.parametrize("terms", [1, 2, 3, 17])
@pytest.mark.parametrize("noise", INTEGER_NOISE, ids=str)
def test_the_law_of_a_sum_is_that_of_adding_up_one_by_one(noise: Any, terms: int) -> None:
    one = total = noise.pmf(REACH)
    for _ in range(terms - 1):
        total = np.convolve(total, one)
    middle, sums = total.size // 2, np.arange(-60, 61)
    found = noise.log_sum_pmf(sums.astype(float), terms)
    there = total[middle + sums] > 1e-200
    assert found[there] == pytest.approx(np.log(total[middle + sums][there]), rel=1e-11, abs=1e-11)
    assert np.exp(noise.log_sum_pmf(np.arange(-3000, 3001.0), terms)).sum() == pytest.approx(1, abs=1e-12)


def test_a_sum_of_many_noises_is_exact_far_out_and_continuous_noise_has_none() -> None:
    """Of negative binomials: P(s) is a sum over j of nb(j) nb(j + s), at 40 digits."""
    noise, terms = m.Geometric(epsilon=0.25), 500
    with mpmath.workdps(40):
        a = mpmath.exp(-mpmath.mpf("0.25"))
        for s in (0, 1, 40, 900, 2500):
            scale = (1 - a) ** (2 * terms) * a**s * mpmath.binomial(terms + s - 1, s)
            exact = mpmath.log(scale * mpmath.hyp2f1(terms, terms + s, s + 1, a**2))
            assert noise.log_sum_pmf(np.array([-float(s)]), terms)[0] == pytest.approx(float(exact), abs=1e-9)
    with pytest.raises(Refused, match="sum to at most"):
        m.Geometric(epsilon=1e-6).log_sum_pmf(np.zeros(1), 10)
    with pytest.raises(Refused, match="law of whole sums"):
        m.Laplace(epsilon=1.0).log_sum_pmf(np.zeros(1), 2)


def test_a_sum_of_many_rare_noises_has_the_chance_of_so_many_of_them() -> None:
    """Of rho 50 each is -1, 0 or 1, and of 5,000 none is -1 where many are 1: a binomial law."""
    terms, rho, sums = 5_000, 50.0, np.array([0.0, 1.0, 700.0, 1_240.0, 2_499.0, 2_500.0])
    found = m.DiscreteGaussian(rho=rho).log_sum_pmf(sums, terms)
    choices = gammaln(terms + 1) - gammaln(sums + 1) - gammaln(terms - sums + 1)
    assert found == pytest.approx(choices - rho * sums - 2 * terms * math.exp(-rho), rel=1e-14, abs=1e-12)


@pytest.mark.parametrize("noise", INTEGER_NOISE, ids=str)
def test_integer_quantiles_are_the_smallest_that_suffice(noise: Any) -> None:
    for p in (1e-12, 0.01, 0.3, 0.5, 0.77, 0.999, 1 - 1e-12):
        quantile = noise.quantile(p)
        assert isinstance(quantile, int)
        assert noise.cdf(quantile) >= p * (1 - 1e-12)
        assert noise.cdf(quantile - 1) < p
    for level in (0.0, 0.2, 0.95, 0.999999):
        width = noise.half_width(level)
        assert noise.probability_within(width) >= level
        assert width == 0 or noise.probability_within(width - 1) < level
    assert list(noise.quantile([0.1, 0.9])) == [noise.quantile(0.1), noise.quantile(0.9)]


@pytest.mark.parametrize("noise", CONTINUOUS_NOISE, ids=str)
def test_continuous_noise_agrees_with_numerical_integrals(noise: Any) -> None:
    z = np.linspace(-300, 300, 600_001)
    density = np.exp(noise.log_pdf(z))
    step = z[1] - z[0]
    assert density.sum() * step == pytest.approx(1, abs=1e-6)
    assert (density * z * z).sum() * step == pytest.approx(noise.variance, rel=1e-6)
    assert (density * abs(z)).sum() * step == pytest.approx(noise.mean_absolute, rel=1e-6)
    assert (density * abs(z + 2.5)).sum() * step == pytest.approx(noise.mean_absolute_about(2.5), rel=1e-6)
    for p in (1e-9, 0.2, 0.5, 0.9):
        assert noise.cdf(noise.quantile(p)) == pytest.approx(p, rel=1e-9)
    assert noise.probability_within(noise.half_width(0.95)) == pytest.approx(0.95, rel=1e-12)
    assert noise.half_width(0.0) == 0.0
    assert noise.probability_exact == pytest.approx(noise.cdf(0.5) - noise.cdf(-0.5))
    assert noise.survival(1.0) == pytest.approx(1 - noise.cdf(1.0))


@pytest.mark.parametrize("noise", INTEGER_NOISE + CONTINUOUS_NOISE, ids=str)
def test_the_scale_that_opendp_is_told_keeps_the_budget_and_wastes_none_of_it(noise: Any) -> None:
    told = float(re.findall(r"scale=([\d.e-]+)\)", noise.release_lines()[-2])[0])
    spent = noise.sensitivity / told if noise.budget_kind == "epsilon" else (noise.sensitivity / told) ** 2 / 2
    assert 0.9999999 * noise.budget <= spent <= noise.budget * (1 + 1e-15)


def _tail_in_mpmath(k: int, c: float) -> Any:
    with mpmath.workdps(40):
        exact = mpmath.mpf(c)
        dual = 1 + 2 * mpmath.fsum(mpmath.exp(-(mpmath.pi**2) * j * j / exact) for j in range(1, 12))
        direct = 1 + 2 * mpmath.fsum(mpmath.exp(-exact * j * j) for j in range(1, 12))
        theta = mpmath.sqrt(mpmath.pi / exact) * dual if c < 1 else direct
        reach = int(math.sqrt(k * k + 60 / c)) - k + 2
        return mpmath.log(mpmath.fsum(mpmath.exp(-exact * (k + j) ** 2) for j in range(reach)) / theta)


@pytest.mark.parametrize("deviations", [0.01, 1.0, 5.0, 25.0])
@each("c", [1e-4, 1e-3, 0.009, 0.012, 0.1, 1.0, 3.1, 3.2, 50.0])
def test_discrete_gaussian_tails_are_exact_however_far(c: float, deviations: float) -> None:
    k = max(1, round(deviations / math.sqrt(2 * c)))
    assert m.discrete_gaussian_log_tail(k, rho=c) == pytest.approx(float(_tail_in_mpmath(k, c)), rel=1e-14, abs=1e-12)


@pytest.mark.parametrize("rho", [1e-5, 4e-3, 0.3, 30.0])
@pytest.mark.parametrize("omitted", [1e-3, 1e-30, 1e-60, 1e-300])
def test_the_atoms_of_a_loss_reach_just_as_far_as_what_may_be_omitted(rho: float, omitted: float) -> None:
    noise = m.DiscreteGaussian(rho=rho, sensitivity=2)
    reach = -noise.privacy_loss_atoms(omitted).first - noise.sensitivity
    assert noise.log_tail(reach + 1) <= math.log(omitted / 2) < noise.log_tail(reach)


def test_wide_discrete_gaussian_tails_agree_with_a_long_sum() -> None:
    c = 1e-8
    for k in (1, 7_000, 40_000, 176_776):
        z = np.arange(k, k + 120_000, dtype=float)
        log_sum = -c * k * k + math.log(math.fsum(np.exp(-c * (z - k) * (z + k))))
        expected = log_sum - m.discrete_gaussian_log_normaliser(c)
        assert m.discrete_gaussian_log_tail(k, rho=c) == pytest.approx(expected, rel=1e-13, abs=1e-12)


def test_discrete_gaussian_functions_broadcast_values_against_concentrations() -> None:
    z, c = np.arange(-3, 4)[:, None], np.array([1e-8, 0.3, 3.3, 50.0])
    assert m.discrete_gaussian_log_pmf(z, rho=c).shape == (7, 4)
    table = m.discrete_gaussian_log_tail(z, rho=c)
    for i, value in enumerate(z[:, 0]):
        for j, concentration in enumerate(c):
            assert table[i, j] == pytest.approx(
                m.discrete_gaussian_log_tail(int(value), rho=float(concentration)), rel=1e-14
            )


def test_both_theta_series_meet_at_pi() -> None:
    below, above = math.pi * (1 - 1e-15), math.pi * (1 + 1e-15)
    assert m.discrete_gaussian_log_normaliser(below) == pytest.approx(
        m.discrete_gaussian_log_normaliser(above), rel=1e-13
    )
    assert m.discrete_gaussian_variance(below) == pytest.approx(m.discrete_gaussian_variance(above), rel=1e-13)


@pytest.mark.parametrize("c", [0.0199999, 0.0200001])
def test_both_ways_to_the_mean_absolute_noise_agree(c: float) -> None:
    k = np.arange(1, 400)
    noise = m.DiscreteGaussian(rho=c)
    assert noise.mean_absolute == pytest.approx(2 * (k * noise.pmf(k)).sum(), rel=1e-13)


@pytest.mark.parametrize(
    "mechanism",
    [
        m.Geometric(epsilon=0.7),
        m.Geometric(epsilon=0.9, sensitivity=5),
        m.DiscreteGaussian(rho=0.3),
        m.DiscreteGaussian(rho=0.5, sensitivity=3),
        m.RandomizedResponse(epsilon=1.1),
        m.RandomizedResponse(epsilon=1.1, categories=4),
    ],
    ids=str,
)
def test_privacy_loss_atoms_are_what_enumeration_of_outputs_gives(mechanism: Any) -> None:
    if isinstance(mechanism, m.RandomizedResponse):
        d = mechanism.categories
        log_p = np.log([mechanism.probability_truthful] + [mechanism.probability_other] * (d - 1))
        log_q = log_p[[1, 0, *range(2, d)]]
    else:
        y = np.arange(-150, 151)
        log_p, log_q = mechanism.log_pmf(y), mechanism.log_pmf(y + mechanism.sensitivity)
        log_p, log_q = log_p[log_p > -690], log_q[log_p > -690]
    loss, mass = log_p - log_q, np.exp(log_p)
    atoms = mechanism.privacy_loss_atoms()
    assert atoms.mass.sum() == pytest.approx(1, abs=1e-13)
    assert atoms.mass_absent.sum() == pytest.approx(1, abs=1e-12)
    assert (np.diff(atoms.values) > 0).all()
    for value, probability in zip(atoms.values, atoms.mass, strict=True):
        if probability > 1e-25:
            assert mass[np.isclose(loss, value, atol=1e-9)].sum() == pytest.approx(probability, rel=1e-10)


def test_continuous_privacy_losses_have_the_stated_laws() -> None:
    laplace, gaussian = m.Laplace(epsilon=0.8, sensitivity=2.0), m.Gaussian(rho=0.3, sensitivity=2.0)
    for mechanism in (laplace, gaussian):
        noise = np.asarray(mechanism.simulate_noise(200_000, seed=7))
        loss = mechanism.log_pdf(noise) - mechanism.log_pdf(noise + mechanism.sensitivity)
        for z in (-0.79, -0.2, 0.4, 0.79):
            assert (loss <= z).mean() == pytest.approx(mechanism.privacy_loss_cdf(z), abs=5e-3)
    assert laplace.privacy_loss_cdf(-0.81) == 0.0
    assert laplace.privacy_loss_cdf(0.8) == 1.0


@pytest.mark.parametrize("noise", [*INTEGER_NOISE, *CONTINUOUS_NOISE], ids=str)
def test_seeded_draws_repeat_and_follow_the_law(noise: Any) -> None:
    draws = noise.simulate_noise((100, 400), seed=11)
    assert draws.shape == (100, 400)
    assert (draws == noise.simulate_noise((100, 400), seed=11)).all()
    for z in (-3, 0, 2):
        assert (draws <= z).mean() == pytest.approx(noise.cdf(z), abs=0.015)
    assert noise.simulate_noise(0, seed=1).shape == (0,)


def test_randomised_response_reports_and_estimates() -> None:
    response = m.RandomizedResponse(epsilon=math.log(3), categories=3)
    assert response.probability_truthful + 2 * response.probability_other == pytest.approx(1)
    assert response.probability_exact == response.probability_truthful == pytest.approx(0.6)
    answers = response.simulate_answers(np.zeros(100_000, dtype=int), seed=3)
    assert (answers == 0).mean() == pytest.approx(0.6, abs=0.01)
    assert (answers == 2).mean() == pytest.approx(0.2, abs=0.01)
    estimates = [
        ((response.simulate_answers(np.repeat([0, 1], [30, 70]), seed=seed) == 0).mean() - 0.2) / 0.4
        for seed in range(400)
    ]
    assert np.mean(estimates) == pytest.approx(0.3, abs=0.02)
    assert response.estimate_variance(0.3, respondents=100) == pytest.approx(0.32 * 0.68 / 100 / 0.16)
    for epsilon in (1e-17, 1e-9):  # answers say next to nothing: 1/4 over the squared gain tanh(epsilon/2)
        spread = m.RandomizedResponse(epsilon=epsilon).estimate_variance(0.3, respondents=100)
        assert spread == pytest.approx(0.25 / 100 / math.tanh(epsilon / 2) ** 2, rel=1e-12)
    with pytest.raises(ValueError, match=r"epsilon must be greater than 0 and finite; got 0\.0"):
        m.RandomizedResponse(epsilon=0.0).estimate_variance(0.3, respondents=10)
    with pytest.raises(ValueError, match=r"truth must lie in \[0, 2\]; got 3"):
        response.simulate_answers(3, seed=1)


def test_scales_and_guarantees_convert_both_ways() -> None:
    assert m.Geometric.from_scale(10.0, sensitivity=5).epsilon == 0.5
    assert m.Laplace.from_scale(10.0, sensitivity=5.0).epsilon == 0.5
    assert m.Laplace.from_scale(10.0).scale == 10.0
    assert m.Gaussian.from_std(2.0, sensitivity=2.0).rho == 0.5
    assert m.DiscreteGaussian.from_sigma(2.0, sensitivity=2).rho == 0.5
    assert m.DiscreteGaussian.from_sigma(7.0).sigma == pytest.approx(7.0)
    assert m.Geometric(epsilon=0.5).guarantee.epsilon == m.Laplace(epsilon=0.5).guarantee.epsilon == 0.5
    assert m.Gaussian(rho=0.5).guarantee == m.DiscreteGaussian(rho=0.5).guarantee


def test_extreme_budgets_stay_finite() -> None:
    assert m.Geometric(epsilon=5000.0).variance == 0.0
    assert m.Geometric(epsilon=800.0).variance == pytest.approx(2 * math.exp(-800.0), abs=1e-300)
    assert m.Geometric(epsilon=1e-12).std == pytest.approx(math.sqrt(2) * 1e12)
    assert m.Geometric(epsilon=5000.0).quantile(0.999) == 0
    assert m.DiscreteGaussian(rho=1e-8).half_width(0.95) == 13859
    assert m.discrete_gaussian_log_tail([1e160, 1e200], rho=[1e-3, 1.0]).tolist() == [-math.inf, -math.inf]
    assert m.discrete_gaussian_log_tail([-1e160, 1e12], rho=[1e-3, 1e-23]).tolist() == pytest.approx(
        [0.0, math.log(math.erfc(math.sqrt(10)) / 2)], rel=1e-12
    )


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: m.Geometric(epsilon=0.0), "epsilon must be greater than 0 and finite; got 0.0"),
        (lambda: m.Geometric(epsilon=1.0, sensitivity=0), "sensitivity must be a whole number of at least 1; got 0"),
        (lambda: m.Laplace(epsilon=1.0, sensitivity=-1.0), "sensitivity must be greater than 0 and finite; got -1.0"),
        (lambda: m.Gaussian(rho=math.nan), "rho must be greater than 0 and finite; got nan"),
        (lambda: m.DiscreteGaussian(rho=math.inf), "rho must be greater than 0 and finite; got inf"),
        (lambda: m.DiscreteGaussian.from_sigma(0.0), "sigma must be greater than 0 and finite; got 0.0"),
        (lambda: m.Gaussian.from_std(0.0), "std must be greater than 0 and finite; got 0.0"),
        (lambda: m.Laplace.from_scale(-2.0), "scale must be greater than 0 and finite; got -2.0"),
        (
            lambda: m.RandomizedResponse(epsilon=1.0, categories=1),
            "categories must be a whole number of at least 2; got 1",
        ),
        (lambda: m.Geometric(epsilon=1.0).pmf(1.5), "value must be a whole number; got 1.5"),
        (lambda: m.discrete_gaussian_log_pmf(0.5, rho=1.0), "value must be a whole number; got 0.5"),
        (lambda: m.discrete_gaussian_log_tail(1, rho=0.0), "rho must be greater than 0 and finite; got 0.0"),
        (lambda: m.Geometric(epsilon=1.0).quantile(1.0), r"level must lie in \(0, 1\); got 1.0"),
        (lambda: m.Gaussian(rho=1.0).half_width(1.0), r"level must lie in \[0, 1\); got 1.0"),
        (lambda: m.Gaussian(rho=1.0).simulate_noise(3, seed=-1), "seed must be a whole number of at least 0; got -1"),
        (
            lambda: m.DiscreteGaussian(rho=1.0).privacy_loss_atoms(0.0),
            r"omitted must lie in \(0, 1\); got 0.0",
        ),
    ],
)
def test_a_refusal_names_the_argument_the_rule_and_the_value(call: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        call()


WHOLE_MEAN = "terms must be a whole number of at least 1; got "


@each("noise", [m.Geometric(epsilon=1.0), m.DiscreteGaussian(rho=1.0), m.DiscreteGaussian(rho=1e-5)], ids=repr)
def test_whole_noise_refuses_means_steps_and_shifts_that_are_none(noise: Any) -> None:
    for ask, sentence in (
        (lambda: noise.half_width_of_mean(3, level=1.0), "level must lie in [0, 1); got 1.0"),
        (lambda: noise.half_width_of_mean(3, level=math.nan), "level must lie in [0, 1); got nan"),
        (lambda: noise.half_width_of_mean(2.5, level=0.9), WHOLE_MEAN + "2.5"),
        (lambda: noise.half_width_of_mean(-3, level=0.9), WHOLE_MEAN + "-3"),
        (lambda: noise.scaled(2.5), "steps must be a whole number of at least 1; got 2.5"),
        (lambda: noise.mean_absolute_about(-3), "shift must be a whole number of at least 0; got -3"),
        (lambda: noise.log_law([6, 9], count=1.5), "count must be a whole number; got 1.5"),
    ):
        with pytest.raises(Refused, match=re.escape(sentence)):
            ask()


def test_a_range_of_a_sum_is_refused_where_its_tails_have_no_digits_left() -> None:
    """The tails of a convolution end at 1e-17: no range found beyond would be one."""
    noise = m.Geometric(epsilon=1.0)
    assert noise.half_width_of_mean(1, level=1 - 1e-15) == noise.half_width(1 - 1e-15)
    assert noise.half_width_of_mean(1000, level=1 - 1e-11) * 1000 == pytest.approx(294, abs=0.5)
    with pytest.raises(Refused, match=re.escape("level must be at most 1 - 1e-12 for a sum of noises; got ")):
        noise.half_width_of_mean(1000, level=1 - 1.2e-16)


@each("noise", [m.Laplace(epsilon=1.0), m.Gaussian(rho=1.0)], ids=repr)
def test_continuous_noise_refuses_means_and_shifts_that_are_none(noise: Any) -> None:
    for ask, sentence in (
        (lambda: noise.half_width_of_mean(3, level=1.0), "level must lie in [0, 1); got 1.0"),
        (lambda: noise.half_width_of_mean(0, level=0.9), WHOLE_MEAN + "0"),
        (lambda: noise.mean_absolute_about(-3), "shift must be at least 0 and finite; got -3"),
    ):
        with pytest.raises(Refused, match=re.escape(sentence)):
            ask()
    assert noise.scaled(2.5).sensitivity == 2.5


def test_the_sensitivity_of_a_scale_is_named() -> None:
    for make in (m.Laplace.from_scale, m.Gaussian.from_std):
        with pytest.raises(Refused, match="sensitivity must be greater than 0 and finite; got -1"):
            make(1.0, sensitivity=-1)


def test_noise_too_wide_for_64_bits_is_not_drawn() -> None:
    with pytest.raises(Refused, match="epsilon must be at least 1e-16 a unit of sensitivity; got 1e-20"):
        m.Geometric(epsilon=1e-20).simulate_noise(3, seed=1)
    assert abs(m.Geometric(epsilon=1e-15).simulate_noise(1000, seed=1)).mean() == pytest.approx(1e15, rel=0.1)
    with pytest.raises(Refused, match="rho must be at least 1e-34 a unit of squared sensitivity; got 1e-40"):
        m.DiscreteGaussian(rho=4e-40, sensitivity=2).simulate_noise(3, seed=1)
    widest = m.DiscreteGaussian(rho=1e-34).simulate_noise(1000, seed=1)
    assert widest.astype(float).std() == pytest.approx(math.sqrt(0.5e34), rel=0.1)


def test_deltas_far_out_are_small_and_none_is_above_one() -> None:
    shuffled = m.ShuffledRandomizedResponse(epsilon=1.0, people=1000)
    assert 0.0 <= shuffled.delta_at(1e5) == shuffled.delta_at(2.0) < 1e-17
    assert m.ExponentialMechanism(epsilon=1.0).delta_of_fixed(0.0, releases=5000) == 1.0


@each(
    "make, sentence",
    [
        (lambda: m.EstimatedCurve.of_draws(["a"]), "losses must be numbers; got ['a']"),
        (lambda: m.KnownCurve(epsilons=("1",), deltas=("0",)), "epsilons must be numbers; got ('1',)"),
        (
            lambda: m.KnownCurve.of_losses([1.0, 2.0], [0.2, 0.1], reverse=([1], [1])),
            "reverse must be losses, probabilities and the infinite one; got ([1], [1])",
        ),
        (
            lambda: m.KnownCurve.of_losses([1.0, 2.0], [0.2, 0.1], reverse=([1], [2.0], 0.0)),
            "reverse probabilities must lie in [0, 1",
        ),
        (
            lambda: m.SubsampledGaussian(noise_multiplier=1.0, rate=1e-200),
            "rate must lie in [1e-12, 1]; got 1e-200",
        ),
    ],
    ids=lambda make: make.__code__.co_names[-1],
)
def test_curves_of_what_is_no_law_are_refused(make: Any, sentence: str) -> None:
    with pytest.raises(Refused, match=re.escape(sentence)):
        make()


@pytest.mark.parametrize("missed", [0.5, 1e-3, 1e-7, 1e-11])
def test_the_least_strength_for_a_width_is_enough_and_hardly_less_is_not(missed: float) -> None:
    widths = np.unique(np.geomspace(1, 100_000, 300).round())
    level = np.full(widths.shape, 1 - missed)
    least = m.DiscreteGaussian.strengths_for_width(widths, level=level)
    outside = [2 * np.exp(m.DiscreteGaussian.log_survivals(least * less, widths)) for less in (1, 1 - 1e-11)]
    assert (outside[0] <= 1 - level).all()
    assert (outside[1] > 1 - level).all()
