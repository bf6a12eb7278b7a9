"""Promises of dpcore.inference: values, edges, and every refusal in words."""

from __future__ import annotations

import math
import re
import warnings
from dataclasses import replace
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import expit, gammaln, log_expit, logsumexp, ndtr, ndtri
from scipy.stats import truncnorm

from dpcore import inference
from dpcore.errors import Refused
from dpcore.inference import ConjugatePrior, FlatPrior, NoisyMoments, PowerPrior, TruncatedGammaMixture
from dpcore.inference.bounded_marginals import constrained_marginals
from dpcore.inference.coverage import (
    SAMPLE_SIZES,
    coverage_table,
    draw_moments,
    setting_task,
    simulate_setting,
    study_tasks,
    unconstrained_length_slope,
)
from dpcore.inference.gibbs import conditional_sample_variance, conditional_variance
from dpcore.inference.laws import draw_mixture, log_mixture_constant
from dpcore.inference.likelihood_constrained import log_uniform_moments_density
from dpcore.inference.marginals import FOLDED
from dpcore.inference.measurements import GaussianMeasurement, LaplaceMeasurement
from dpcore.inference.models import feasible_prior_mean
from dpcore.inference.quadrature import Model, log_sum_rows
from dpcore.inference.regression import SUMS_SENSITIVITY, CirrhosisData, conjugate_regression, feasible_parameters
from tests.each import each

EXAMPLE = NoisyMoments(n=43, mean=0.343026826007, variance=0.222480011362, epsilon_mean=0.25, epsilon_variance=0.25)
CONJUGATE = ConjugatePrior(mean=0.125, mean_weight=1, variance=0.001444, variance_weight=1)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"n": 1}, r"n must be a whole number of at least 2; got 1"),
        ({"n": 2.5}, r"n must be a whole number of at least 2; got 2.5"),
        ({"mean": math.nan}, r"mean must be finite; got nan"),
        ({"variance": math.inf}, r"variance must be finite; got inf"),
        ({"epsilon_mean": 0}, r"epsilon_mean must be greater than 0 and finite; got 0"),
        ({"epsilon_variance": -1}, r"epsilon_variance must be greater than 0 and finite; got -1"),
        ({"lower": 2.0, "upper": 1.0}, r"upper must be greater than lower = 2; got 1.0"),
    ],
)
def test_an_impossible_release_is_refused_in_words(change: dict[str, float], text: str) -> None:
    values = {"n": 43, "mean": 0.3, "variance": 0.1, "epsilon_mean": 0.5, "epsilon_variance": 0.5} | change
    with pytest.raises(ValueError, match=text):
        NoisyMoments(**values)  # type: ignore[arg-type]


@pytest.mark.parametrize("variance", [-3.0, 9.0])
def test_a_variance_beyond_the_bounds_is_accepted_as_noise(variance: float) -> None:
    release = NoisyMoments(n=10, mean=0.5, variance=variance, epsilon_mean=0.5, epsilon_variance=0.5)
    assert inference.posterior(release, FlatPrior()).variance.mean is not None


@pytest.mark.parametrize(
    ("n", "prior", "constrained", "theorem"),
    [
        (43, PowerPrior(1.0), True, "Theorem 17"),
        (43, PowerPrior(1.0), False, "Theorem 17"),
        (3, FlatPrior(), False, "Theorem 18"),
        (43, ConjugatePrior(0.5, 1, 0.04, 0), True, "Theorem 17"),
        (43, ConjugatePrior(0.5, 1, 0.0, 3), True, "Theorem 17"),
    ],
)
def test_an_improper_posterior_is_refused_with_its_theorem(
    n: int, prior: inference.Prior, constrained: bool, theorem: str
) -> None:
    release = NoisyMoments(n=n, mean=0.3, variance=0.1, epsilon_mean=0.5, epsilon_variance=0.5)
    with pytest.raises(inference.ImproperPosteriorError, match=theorem):
        inference.posterior(release, prior, constrained=constrained)
    with pytest.raises(inference.ImproperPosteriorError, match=theorem):
        inference.gibbs(release, prior, constrained=constrained, draws=5, seed=1)


def test_a_cap_makes_a_small_sample_proper() -> None:
    assert not inference.propriety(3, FlatPrior(), constrained=False).proper
    assert inference.propriety(3, FlatPrior(), constrained=False, variance_cap=1.0).proper


@pytest.mark.parametrize(("n", "words"), [(4, "mean of mu"), (5, "mean of sigma"), (7, "variance of sigma")])
def test_moments_that_do_not_exist_are_named_and_not_printed(n: int, words: str) -> None:
    result = inference.posterior(
        NoisyMoments(n=n, mean=0.3, variance=0.1, epsilon_mean=0.5, epsilon_variance=0.5),
        FlatPrior(),
        constrained=False,
    )
    assert any(words in sentence for sentence in result.warnings)
    assert result.variance.sd is None
    assert (result.mean.mean is None) == (n == 4)
    assert (result.variance.mean is None) == (n <= 5)


def test_wrong_types_and_levels_are_refused() -> None:
    result = inference.posterior(EXAMPLE, FlatPrior(), constrained=False)
    with pytest.raises(ValueError, match=r"level must lie in \(0, 1\); got 1.0"):
        result.mean.shortest_interval(1.0)
    with pytest.raises(ValueError, match="prior must be a FlatPrior"):
        inference.posterior(EXAMPLE, "flat")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="constrained must be True or False"):
        inference.propriety(10, FlatPrior(), constrained=1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="release must be a NoisyMoments"):
        inference.posterior(None, FlatPrior())  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="mean_weight must be greater than 0"):
        ConjugatePrior(0.5, 0, 0.1, 1)


def test_the_law_of_the_moments_agrees_with_brute_force_integration() -> None:
    release = NoisyMoments(n=8, mean=0.3, variance=0.06, epsilon_mean=0.6, epsilon_variance=0.7)
    n, rate_mean, rate_variance = 8, 4.8, 5.6
    result = inference.posterior(release, FlatPrior())

    def joint(mu: float, v: float) -> float:
        """The density with sample mean and variance integrated by nested general-purpose quadrature."""
        shape, rate = 3.5, 3.5 / v

        def over_variance(y: float) -> float:
            top = n / (n - 1) * y * (1 - y)
            inner, _ = quad(
                lambda s: s ** (shape - 1) * math.exp(-rate * s - rate_variance * abs(0.06 - s)),
                0,
                top,
                points=[0.06] if top > 0.06 else None,
            )
            normal = math.exp(-0.5 * (y - mu) ** 2 * n / v) / math.sqrt(2 * math.pi * v / n)
            return inner * normal * 0.5 * rate_mean * math.exp(-rate_mean * abs(y - 0.3))

        value, _ = quad(over_variance, 0, 1, points=[0.3, mu], limit=100)
        return value * rate**shape * math.exp(-float(gammaln(shape))) * 0.5 * rate_variance

    for mu, v in [(0.3, 0.05), (0.45, 0.1), (0.1, 0.02)]:
        expected = math.log(joint(mu, v)) - result.log_evidence
        assert result.log_joint_density(mu, v) == pytest.approx(expected, abs=2e-6)


def test_both_marginals_are_the_joint_density_integrated() -> None:
    result = inference.posterior(
        NoisyMoments(n=8, mean=0.3, variance=0.06, epsilon_mean=0.6, epsilon_variance=0.7), FlatPrior()
    )
    nodes, weights = np.polynomial.legendre.leggauss(120)
    for mu in (0.15, 0.3, 0.6):
        top = mu * (1 - mu)
        v = 0.5 * top * (1 + nodes)
        total = 0.5 * top * (weights * np.exp(np.asarray(result.log_joint_density(mu, v)))).sum()
        assert result.mean.density(mu) == pytest.approx(total, rel=2e-4)
    assert result.quadrature_error < 1e-4


def test_the_mixture_constant_agrees_with_direct_integration_for_every_sign_of_the_rates() -> None:
    for shape, rate, noise, centre, upper in [
        (2.0, 1.0, 6.0, 0.4, 0.9),
        (0.5, 3.0, 1.0, 0.2, 0.25),
        (9.0, 4.0, 50, 0.1, 1),
    ]:
        direct, _ = quad(
            lambda s, a=shape, b=rate, lam=noise, t=centre: s ** (a - 1) * math.exp(-b * s - lam * abs(t - s)),
            0,
            upper,
            points=[centre],
            limit=200,
        )
        assert float(log_mixture_constant(shape, rate, noise, centre, upper)) == pytest.approx(
            math.log(direct), abs=1e-7
        )


def test_far_quantiles_are_those_of_the_cdf_and_rise_with_the_level() -> None:
    release = NoisyMoments(n=86, mean=0.471, variance=0.189, epsilon_mean=0.22, epsilon_variance=1.76)
    law = inference.posterior(release, ConjugatePrior(0.5, 1.0, 0.05, 2.0)).variance
    levels = np.geomspace(1e-6, 0.1, 150)
    found = np.asarray(law.quantile(levels))
    assert np.asarray(law.cdf(found)) == pytest.approx(levels, abs=1e-5)
    assert (np.diff(found) > 0).all()


def test_mixture_draws_follow_the_cdf_also_with_a_negative_rate() -> None:
    for law in (TruncatedGammaMixture(3.0, 2.0, 30.0, 0.3, 0.6), TruncatedGammaMixture(20.5, 80.0, 10.0, 0.2)):
        draws = law.draw(4000, seed=5)
        share = np.asarray(law.cdf(draws))
        assert abs(share.mean() - 0.5) < 4 * math.sqrt(1 / 12 / 4000)
        assert np.abs(np.sort(share) - np.linspace(0, 1, 4000)).max() < 1.95 / math.sqrt(4000)
    generator = np.random.default_rng(1)
    assert (draw_mixture(generator, 2.0, np.full(50, 5.0), 9.0, -0.2, np.full(50, 0.3)) < 0.3).all()


@pytest.mark.parametrize(("values", "text"), [((0, 1, 1, 0, 1), "shape"), ((1, 1, 1, 0, 0), "upper")])
def test_an_impossible_mixture_is_refused(values: tuple[float, ...], text: str) -> None:
    with pytest.raises(ValueError, match=f"{text} must be greater than 0"):
        TruncatedGammaMixture(*values)
    with pytest.raises(ValueError, match="rate must be greater than 0 when nothing else bounds the law"):
        TruncatedGammaMixture(1.0, 0.0, 0.0, 0.0)


def test_a_narrow_mean_beside_a_wide_variance_has_panels_enough() -> None:
    # the reference quadrature, and a sum over a grid of sigma^2, sample mean and sample variance
    release = inference.NoisyMoments(n=1000, mean=0.1, variance=0.0016, epsilon_mean=0.1, epsilon_variance=0.1)
    result = inference.posterior(release, FlatPrior(), constrained=True)
    assert result.log_evidence == pytest.approx(-0.55380537, abs=1e-6)
    assert result.variance.quantile(0.975) == pytest.approx(0.0371496961811, abs=1e-6)


@pytest.mark.parametrize("prior", [FlatPrior(), CONJUGATE])
@pytest.mark.parametrize("constrained", [True, False])
def test_the_corrected_chain_and_the_quadrature_agree(prior: inference.Prior, constrained: bool) -> None:
    chains = inference.gibbs(EXAMPLE, prior, constrained=constrained, draws=200, chains=100, warm_up=300, seed=11)
    result = inference.posterior(EXAMPLE, prior, constrained=constrained)
    for draws, marginal in ((chains.mean, result.mean), (chains.variance, result.variance)):
        for level in (0.25, 0.5, 0.75):
            share = (draws <= marginal.quantile(level)).mean(axis=1)
            z = (share.mean() - level) / (share.std(ddof=1) / math.sqrt(len(share)))
            assert abs(z) < 4.0


@pytest.mark.parametrize("constrained", [True, False])
def test_independent_draws_follow_the_marginals(constrained: bool) -> None:
    result = inference.posterior(EXAMPLE, CONJUGATE, constrained=constrained)
    mean, variance = result.draw(8000, seed=2)
    for draws, marginal in ((mean, result.mean), (variance, result.variance)):
        shares = np.sort(np.asarray(marginal.cdf(draws)))
        assert np.abs(shares - np.linspace(0, 1, 8000)).max() < 1.95 / math.sqrt(8000)


def test_exact_draws_follow_the_flat_quadrature() -> None:
    mean, variance = inference.draw_flat_unconstrained(EXAMPLE, 20_000, seed=3)
    result = inference.posterior(EXAMPLE, FlatPrior(), constrained=False)
    for draws, marginal in ((mean, result.mean), (variance, result.variance)):
        shares = np.sort(np.asarray(marginal.cdf(draws)))
        assert np.abs(shares - np.linspace(0, 1, 20_000)).max() < 1.95 / math.sqrt(20_000)


def test_the_published_conjugate_update_would_miss_the_stated_prior() -> None:
    law = inference.conditional_variance(
        n=43, mean=0.2, sample_mean=0.25, sample_variance=0.05, prior=CONJUGATE, constrained=True
    )
    printed_rate = 0.5 * (0.001444 + 42 * 0.05 + 43 * 0.05**2)
    assert law.shape == pytest.approx((43 + 1) / 2 + 0.5)
    assert law.rate == pytest.approx(printed_rate + 0.5 * (0.2 - 0.125) ** 2)


def test_a_chain_is_worth_fewer_draws_than_it_has() -> None:
    chains = inference.gibbs(EXAMPLE, CONJUGATE, constrained=True, draws=1500, seed=1)
    assert chains.effective_draws_variance < 150


def test_the_joint_grid_is_zero_outside_the_feasible_region() -> None:
    grid = inference.posterior(EXAMPLE, FlatPrior()).joint_grid(24)
    outside = grid.variance[:, None] > grid.largest_variance[None, :] * (1 + 1e-9)
    assert grid.density.shape == (24, 24)
    assert (grid.density[outside] == 0).all()
    assert (grid.density[~outside] > 0).all()


def test_results_are_in_the_units_of_the_release() -> None:
    scaled = NoisyMoments(
        n=43,
        mean=100 * EXAMPLE.mean - 20,
        variance=1e4 * EXAMPLE.variance,
        epsilon_mean=0.25,
        epsilon_variance=0.25,
        lower=-20,
        upper=80,
    )
    unit, other = inference.posterior(EXAMPLE, FlatPrior()), inference.posterior(scaled, FlatPrior())
    assert other.mean.mode == pytest.approx(100 * unit.mean.mode - 20, abs=1e-6)
    assert other.variance.shortest_interval(0.9)[1] == pytest.approx(1e4 * unit.variance.shortest_interval(0.9)[1])
    assert other.log_evidence == pytest.approx(unit.log_evidence)
    assert other.joint_mode[0] == pytest.approx(100 * unit.joint_mode[0] - 20, abs=1e-3)


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_the_window_of_a_mean_holds_all_that_is_near_the_peak_and_no_more(noise: str) -> None:
    drop, y = 26.0, np.linspace(0.0, 1.0, 20_001)
    values, means, spreads = np.meshgrid([0.0, 0.3, 0.62, 1.0], [-0.2, 0.05, 0.5, 0.9, 1.3], [1e-4, 1.3e-3, 0.02, 4.0])
    for value, mean, spread in zip(values.ravel(), means.ravel(), spreads.ravel(), strict=True):
        for scale in (0.005, 0.05, 0.6):
            number = LaplaceMeasurement(value, 1 / scale) if noise == "laplace" else GaussianMeasurement(value, scale)
            low, high = (float(end[0]) for end in number.window(np.array([mean]), np.array([spread]), drop)[:2])
            kept = -0.5 * (y - mean) ** 2 / spread + number.log_likelihood(y)
            inside = y[kept > kept.max() - drop]
            assert inside.size < 2 or [low, high] == pytest.approx([inside[0], inside[-1]], abs=1e-4), locals()


def test_a_variance_next_to_its_bound_has_panels_enough() -> None:
    """Of many small values the bound of sigma^2 given mu cuts off what the release says: 48 panels as the standard."""
    release = NoisyMoments(n=1000, mean=0.02, variance=0.01, epsilon_mean=2, epsilon_variance=2)
    model = Model(1000, *release.measurements(bounded=True), FlatPrior(), True)
    found, fine = inference.posterior(release, FlatPrior()), constrained_marginals(model, math.inf, 48).variance
    for level in (0.025, 0.5, 0.975):
        assert found.variance.quantile(level) == pytest.approx(fine.quantile(level), abs=1e-5)
    assert found.quadrature_error < 1e-4


@each(
    "n, mean, variance, budget",
    [
        (10, -1e3, 1e3, {"rho_mean": 5.0, "rho_variance": 5.0}),
        (10, 0.3, 1e6, {"rho_mean": 5.0, "rho_variance": 5.0}),
        (1000, 50.0, 50.0, {"rho_mean": 5.0, "rho_variance": 5.0}),
        (1000, 50.0, 50.0, {"epsilon_mean": 1e3, "epsilon_variance": 1e3}),
        (2, 5.0, 5.0, {"rho_mean": 5.0, "rho_variance": 50.0}),
    ],
)
def test_a_release_far_outside_the_bounds_loses_no_narrow_peak(
    n: int, mean: float, variance: float, budget: dict[str, float]
) -> None:
    """The integral over the sample mean for each sigma^2, against sums on ever narrower grids of its log odds."""
    release = NoisyMoments(n=n, mean=mean, variance=variance, **budget)
    model = Model(n, *release.measurements(bounded=True), FlatPrior(), True)
    v = np.array([1e-3, 0.03, 0.1, 0.2, 0.24])
    rows, _, log_mass = model.variance_nodes(v, 8)
    for place, found in enumerate(log_sum_rows(log_mass, rows, len(v))):
        one, low, high, share = v[[place]], -60.0, 36.0, 0.0
        while share < 0.5:
            odds = np.linspace(low, high, 2001)
            y, of = expit(odds), np.zeros(2001, dtype=int)
            log_height = (
                (model.log_front(one) + model.mean.log_peak)[of]
                + model.log_constants(one, of, y)
                + model.mean.log_likelihood(y)
                + model.log_feasible_mean(one[of], y)
                + log_expit(odds)
                + log_expit(-odds)
            )
            kept = np.flatnonzero(log_height > log_height.max() - 34.0)
            share = len(kept) / 2001
            low, high = odds[max(kept[0] - 1, 0)], odds[min(kept[-1] + 1, 2000)]
        assert found == pytest.approx(logsumexp(log_height) + math.log(odds[1] - odds[0]), abs=2e-3)


def test_a_release_far_outside_the_bounds_has_one_evidence_by_both_ways() -> None:
    """A mean below 0 and a variance above 1/4 by a thousand deviations; and hardly any noise at what is forbidden."""
    for release in (
        NoisyMoments(n=10, mean=-1e3, variance=1e3, rho_mean=5.0, rho_variance=5.0),
        NoisyMoments(n=10, mean=0.3, variance=0.9, epsilon_mean=1e9, epsilon_variance=1e9),
    ):
        for prior in (FlatPrior(), CONJUGATE):
            assert inference.posterior(release, prior).quadrature_error < 2e-3


def test_a_release_without_any_noise_left_that_the_bounds_forbid_is_refused() -> None:
    release = NoisyMoments(n=10, mean=0.3, variance=0.9, epsilon_mean=1e15, epsilon_variance=1e15)
    with pytest.raises(Refused, match="must leave the release and the bounds possible"):
        inference.posterior(release, FlatPrior())


def test_the_cap_is_harmful_for_a_precise_release() -> None:
    release = NoisyMoments(n=50, mean=0.5, variance=0.2, epsilon_mean=3, epsilon_variance=3)
    capped = inference.posterior(release, FlatPrior(), variance_cap=49 / (2 * 50 * 3))
    free = inference.posterior(release, FlatPrior())
    assert (round(capped.variance.mean or 0, 3), round(free.variance.mean or 0, 3)) == (0.149, 0.196)


def test_the_saddlepoint_density_agrees_with_simulated_uniform_moments() -> None:
    generator = np.random.default_rng(0)
    values = generator.random((300_000, 10))
    mean, variance = values.mean(axis=1), values.var(axis=1, ddof=1)
    at = [(0.5, 0.08), (0.5, 0.06), (0.42, 0.09), (0.6, 0.1)]
    counts = [((abs(mean - y) < 0.02) & (abs(variance - s) < 0.01)).sum() for y, s in at]
    log_density = log_uniform_moments_density(10, *np.array(at).T)
    constant = np.log(counts) - log_density
    assert np.ptp(constant) < 0.06


def test_the_saddlepoint_density_of_several_moments_is_that_of_each() -> None:
    """The search is over for none before it is over for the last of them."""
    mean, variance = np.array([0.5, 0.35, 0.7, 0.12]), np.array([1 / 12, 0.05, 0.09, 0.01])
    each = [log_uniform_moments_density(10, *np.array([at]).T)[0] for at in zip(mean, variance, strict=True)]
    assert log_uniform_moments_density(10, mean, variance) == pytest.approx(each, rel=1e-12)


@each(
    "n, epsilon, spreads",
    [(200, 5.0, np.arange(0.02, 0.08, 0.01)), (1000, 1.0, [0.006, 0.008, 0.01, 0.012, 0.014, 0.017, 0.02])],
)
def test_likelihood_constraints_agree_with_weighted_data_where_the_release_is_far_off(
    n: int, epsilon: float, spreads: list[float]
) -> None:
    """Data from normals cut to [0, 1], weighted exactly; far from the bounds sigma^2 given them is inverse gamma."""
    generator, drawn, laws = np.random.default_rng(4), [], []
    for v in spreads:
        sd = math.sqrt(v)
        mu = brentq(lambda at, sd=sd: truncnorm.mean(-at / sd, (1 - at) / sd, at, sd) - 0.3, 0.0, 0.4)
        laws.append((mu, v, ndtr(-mu / sd), ndtr((1 - mu) / sd)))
        x = mu + sd * ndtri(laws[-1][2] + generator.random((3000, n)) * (laws[-1][3] - laws[-1][2]))
        drawn.append((x.mean(axis=1), x.var(axis=1, ddof=1)))
    y, s = np.concatenate(drawn, axis=1)
    logs = [
        -((n - 1) * s + n * (y - mu) ** 2) / (2 * v) - n * math.log(math.sqrt(2 * math.pi * v) * (high - low))
        for mu, v, low, high in laws
    ]
    shape, rate = 0.5 * (n - 3), 0.5 * (n - 1) * s
    log_weight = -n * epsilon * (abs(y - 0.3) + abs(s - 0.1)) - shape * np.log(rate) - logsumexp(logs, axis=0)
    weight = np.exp(log_weight - log_weight.max())
    weight /= weight.sum()
    release = NoisyMoments(n=n, mean=0.3, variance=0.1, epsilon_mean=epsilon, epsilon_variance=epsilon)
    found, draws = inference.likelihood_constrained_posterior(release, FlatPrior()), 1 / (weight @ weight)
    assert draws > 300
    assert abs(weight @ y - found.mean) < 4 * found.mean_sd / math.sqrt(draws)
    assert abs(weight @ rate / (shape - 1) - found.variance) < 4 * found.variance_sd / math.sqrt(draws)


def test_likelihood_constraints_answer_at_the_bounds() -> None:
    """Small moments of uniform values near 0: the mean's density is that of its noise times its square."""
    low, high = (NoisyMoments(n=1000, mean=at, variance=0, epsilon_mean=1, epsilon_variance=1) for at in (0, 1))
    found, other = (inference.likelihood_constrained_posterior(release, FlatPrior()) for release in (low, high))
    assert (found.mean, found.mean_sd) == pytest.approx((3e-3, math.sqrt(3) * 1e-3), rel=0.01)
    assert (1 - other.mean, other.variance) == pytest.approx((found.mean, found.variance), rel=0.01)
    far = NoisyMoments(n=1000, mean=0.05, variance=0.2, epsilon_mean=1, epsilon_variance=1)
    assert inference.likelihood_constrained_posterior(far, FlatPrior()).mean == pytest.approx(0.0501, abs=5e-5)


def cut_normal(low: float, high: float = math.inf) -> tuple[Any, Any, Any, Any]:
    """Mean and spread of a standard normal cut to [low, high], less low; its entropy; the determinant of its cumulants.

    The determinant is that of the deviation and its square. All in mpmath, in closed form.
    """
    with mpmath.workdps(40):
        a, b = mpmath.mpf(low), mpmath.mpf(high)
        mass = mpmath.ncdf(b) - mpmath.ncdf(a)
        edges = [mpmath.mpf(0)] * 4
        for sign, end in ((1, a), (-1, b)):
            if mpmath.isfinite(end):
                edges = [edge + sign * end**k * mpmath.npdf(end) / mass for k, edge in enumerate(edges)]
        first = edges[0]
        second, third = 1 + edges[1], 2 * first + edges[2]
        fourth = 3 * second + edges[3]
        entropy = mpmath.log(mass * mpmath.sqrt(2 * mpmath.pi)) + second / 2
        determinant = (second - first**2) * (fourth - second**2) - (third - first * second) ** 2
        return first - a, mpmath.sqrt(second - first**2), entropy, determinant


LAWS_CUT_AT_ZERO = np.array(
    [[float(one) for one in cut_normal(low)] for low in [*-np.geomspace(1e6, 9, 400)[:-1], *np.linspace(-9, 3, 361)]]
).T


@each("n", [1000, 10**6, 10**9])
@each("middle, sd", [(1e-5, 3e-6), (-3e-6, 3e-6), (1.37e-3, 2.1e-4), (0.02, 0.0031), (0.15, 0.0204), (0.3, 0.3)])
def test_the_density_of_the_moments_is_exact_in_its_saddlepoint_for_many_values(
    n: int, middle: float, sd: float
) -> None:
    """The entropy of the tilted law, times n, in closed form."""
    mean, spread, entropy, determinant = cut_normal(-middle / sd, (1 - middle) / sd)
    with mpmath.workdps(40):
        wanted = n * (entropy + mpmath.log(sd)) - mpmath.log(determinant) / 2 - 3 * mpmath.log(sd)
    at, variance = float(sd * mean), float((sd * spread) ** 2 * n / (n - 1))
    found = log_uniform_moments_density(n, np.array([at]), np.array([variance]))[0]
    assert abs(found - float(wanted)) < 1e-5 + 1e-14 * n


@each(
    "n, epsilon, bound, away, prior",
    [
        (10**4, 1, 1, 0.0, FlatPrior()),
        (10**5, 1, 0, 1e-4, PowerPrior(0.5)),
        (10**5, 1, 1, 0.01, FlatPrior()),
        (10**9, 0.01, 0, 0.0, PowerPrior(0.5)),
    ],
)
def test_likelihood_constraints_of_large_samples_near_a_bound(
    n: int, epsilon: float, bound: int, away: float, prior: FlatPrior | PowerPrior
) -> None:
    """Far from the other bound the law has no unit of its own: the mean and the variance over its square are apart."""
    mean, spread, entropy, determinant = LAWS_CUT_AT_ZERO
    share = (spread / mean) ** 2 * n / (n - 1)
    shape = 0.5 * (n - 3) + prior.power
    own = n * (entropy - np.log(mean)) - 0.5 * np.log(determinant) + 3 * np.log(mean) - shape * np.log(share)
    own = np.exp(own - own.max()) * np.gradient(share)
    at = np.linspace(max(0, away - 40 / (n * epsilon)), away + 60 / (n * epsilon), 4001)[1:]
    law = at ** (2 - 2 * prior.power) * np.exp(-n * epsilon * abs(at - away))
    joint = law[:, None] * own * np.exp(-n * epsilon * at[:, None] ** 2 * share)
    joint /= joint.sum()
    first, rate = (joint.sum(axis=1) * at).sum(), 0.5 * (n - 1) * at[:, None] ** 2 * share
    v, square = (joint * rate).sum() / (shape - 1), (joint * rate**2).sum() / (shape - 1) / (shape - 2)
    sd = math.sqrt((joint.sum(axis=1) * (at - first) ** 2).sum() + v / n)
    release = NoisyMoments(n=n, mean=abs(bound - away), variance=0, epsilon_mean=epsilon, epsilon_variance=epsilon)
    found = inference.likelihood_constrained_posterior(release, prior)
    assert abs(bound - found.mean) == pytest.approx(first, rel=2e-4)
    assert found.mean_sd == pytest.approx(sd, rel=1e-3)
    assert (found.variance, found.variance_sd) == (
        pytest.approx(v, rel=3e-3),
        pytest.approx(math.sqrt(square - v**2), rel=3e-3),
    )


def test_likelihood_constraints_refuse_what_they_cannot_do() -> None:
    with pytest.raises(ValueError, match="n must be a whole number from 5 to 1000000000000; got 4"):
        inference.likelihood_constrained_posterior(
            NoisyMoments(n=4, mean=0.3, variance=0.1, epsilon_mean=1, epsilon_variance=1), FlatPrior()
        )
    with pytest.raises(Refused, match=r"n must be a whole number from 5 to 1000000000000; got 1000000000001"):
        inference.likelihood_constrained_posterior(replace(EXAMPLE, n=10**12 + 1), FlatPrior())
    with pytest.raises(ValueError, match="prior must be a FlatPrior or a PowerPrior"):
        inference.likelihood_constrained_posterior(EXAMPLE, CONJUGATE)  # type: ignore[arg-type]
    mean, variance = inference.likelihood_constrained_posterior(EXAMPLE, FlatPrior()).draw(500, seed=1)
    assert ((variance > 0) & (variance <= mean * (1 - mean) * (1 + 1e-9))).all()


@each("n", [6, 10])
def test_draws_under_values_confined_one_by_one_have_the_moments_that_are_told(n: int) -> None:
    release = NoisyMoments(n=n, mean=0.4, variance=0.03, epsilon_mean=60, epsilon_variance=60)
    found = inference.likelihood_constrained_posterior(release, FlatPrior())
    mean, variance = found.draw(100_000, seed=3)
    assert (mean.mean(), variance.mean()) == (
        pytest.approx(found.mean, rel=5e-3),
        pytest.approx(found.variance, rel=1e-2),
    )
    assert (mean.std(), variance.std()) == (
        pytest.approx(found.mean_sd, rel=1e-2),
        pytest.approx(found.variance_sd, rel=2e-2),
    )


@pytest.mark.parametrize("budget", [{"epsilon_each": 0.5}, {"rho": 0.3}], ids=["epsilon", "rho"])
def test_regression_by_slices_and_by_importance_agree(budget: dict[str, float]) -> None:
    release = inference.NoisySums(100, 39.633334, 25.223154, 39.653846, 18.659275, 17.151295, **budget)
    prior = inference.RegressionPrior((0.5, 0.0), (1.0, 1.0), 2.0, 0.05)
    chain = inference.regression_posterior(release, prior, chains=300, draws=60, warm_up=40, seed=1)
    weighted = inference.regression_by_importance(release, prior, draws=150_000, seed=2)
    means, sds = chain.mean(), chain.sd()
    for name in weighted.mean:
        spread = sds[name] * math.sqrt(1 / weighted.effective_draws + 1 / chain.effective_draws)
        assert abs(means[name] - weighted.mean[name]) < 4.5 * spread
    assert chain.kept_share > 0.997


def test_five_sums_move_by_the_root_of_five_at_most_when_a_point_is_replaced() -> None:
    """All pairs of points of a grid on the unit square, its corners among them."""
    x, y = (part.ravel() for part in np.meshgrid(*[np.linspace(0, 1, 21)] * 2))
    sums = np.stack([x, x * x, y, x * y, y * y], axis=1)
    apart = np.linalg.norm(sums[:, None] - sums[None], axis=2)
    assert apart.max() == pytest.approx(SUMS_SENSITIVITY, abs=1e-12)
    worst = {tuple(sorted(((x[i], y[i]), (x[j], y[j])))) for i, j in np.argwhere(apart > apart.max() - 1e-9)}
    assert worst == {((0.0, 0.0), (1.0, 1.0))}
    assert np.abs(sums[:, None] - sums[None]).max() == 1


@pytest.mark.parametrize("x", [39.6, -5.0, 1e9], ids=str)
def test_gaussian_noise_of_a_rho_has_variance_five_over_two_rho_wherever_a_release_lies(x: float) -> None:
    release = inference.NoisySums(100, x, 25.2, 39.7, 18.7, 117.1, rho=0.2)
    assert release.std.tolist() == pytest.approx([math.sqrt(5 / (2 * 0.2))] * 5)
    sums = np.array([[40.0, 25.0, 39.0, 18.0, 30.0], [41.0, 24.0, 39.0, 17.5, 31.0]])
    one, other = (
        sum((Fraction(float(at)) - Fraction(float(to))) ** 2 for at, to in zip(row, release.values, strict=True))
        for row in sums
    )
    wanted = float((one - other) / (2 * Fraction(25, 2)))
    found = release.log_likelihood(sums)
    assert found[1] - found[0] == pytest.approx(wanted, rel=1e-9)


def test_simulated_sums_have_the_noise_of_their_rho() -> None:
    data = inference.cirrhosis_data()
    for rho in (0.05, 5.0):
        drawn = inference.draw_noisy_sums(data, rho=rho, seed=7)
        noise = (drawn.values - data.sums) / math.sqrt(5 / (2 * rho))
        np.testing.assert_allclose(noise, np.random.default_rng(7).standard_normal(5), rtol=1e-9)
        assert (drawn.rho, drawn.epsilon_each) == (rho, None)


def test_every_sum_drawn_is_feasible_and_the_missing_inequality_can_be_broken_without_it() -> None:
    release = inference.NoisySums(20, 14.0, 3.0, 12.0, 1.0, 20.0, epsilon_each=0.2)
    prior = inference.RegressionPrior((0.5, 0.0), (0.25, 0.25), 1.0, 0.02)
    for included in (True, False):
        draws = inference.regression_posterior(
            release,
            prior,
            chains=100,
            draws=20,
            warm_up=20,
            seed=1,
            include_missing_inequality=included,
            largest_r_hat=math.inf,
        ).sums
        assert np.all(inference.feasible_sums(20, draws, include_missing_inequality=included))
        slack = draws[..., 3] - draws[..., 0] - draws[..., 2] + 20
        assert (slack >= 0).all() == included


@pytest.mark.parametrize(("n", "epsilon"), [(200, 2000.0), (100_000, 1000.0)])
def test_precise_sums_keep_the_law_of_their_noise_and_leave_the_conjugate_line(n: int, epsilon: float) -> None:
    """As the noise goes to nothing each sum is its release plus Laplace noise, and the line is the conjugate one."""
    dice = np.random.default_rng(n)
    x = dice.random(n)
    y = np.clip(0.3 + 0.3 * x + 0.05 * dice.standard_normal(n), 0, 1)
    released = np.array([x.sum(), (x * x).sum(), y.sum(), (x * y).sum(), (y * y).sum()]) + dice.laplace(
        0, 1 / epsilon, 5
    )
    prior = inference.RegressionPrior((0.5, 0.0), (1.0, 1.0), 2.0, 0.05)
    found = inference.regression_posterior(
        inference.NoisySums(n, *released, epsilon_each=epsilon), prior, chains=200, draws=60, warm_up=40, seed=1
    )
    assert found.r_hat < 1.1
    assert found.effective_draws > 1200
    off = np.abs(found.sums.reshape(-1, 5) - released) * epsilon
    assert off.mean(axis=0) == pytest.approx(np.ones(5), abs=0.1)  # n = 200 leaves a slope of 0.03 a noise scale
    spread = np.array([found.sd()[name] for name in ("sum_x", "sum_xx", "sum_y", "sum_xy", "sum_yy")]) * epsilon
    assert spread == pytest.approx(np.full(5, math.sqrt(2.0)), rel=0.08)
    line = inference.conjugate_regression(n, released, prior)
    assert [found.mean()["theta0"], found.mean()["theta1"]] == pytest.approx(line.mean, abs=0.1 * line.sd[1])
    assert [found.sd()["theta0"], found.sd()["theta1"]] == pytest.approx(line.sd, rel=0.1)


def test_sums_that_no_points_can_have_leave_draws_that_agree_and_are_possible() -> None:
    release = inference.NoisySums(100_000, 9.6, 3.9, 18.7, -3.9, 3.6, epsilon_each=1000.0)
    found = inference.regression_posterior(
        release, inference.RegressionPrior(), chains=200, draws=60, warm_up=40, seed=1
    )
    assert np.all(inference.feasible_sums(100_000, found.sums))
    # sum xy >= 0 is hit from -3.9: above it the noise's law is exponential, and little else depends on it
    assert found.mean()["sum_xy"] == pytest.approx(1e-3, rel=0.1)
    assert found.sd()["sum_y"] == pytest.approx(math.sqrt(2.0) * 1e-3, rel=0.08)


def test_chains_that_do_not_agree_are_refused_by_name_rule_and_value() -> None:
    release = inference.NoisySums(1000, 400.0, 250.0, 400.0, 190.0, 170.0, epsilon_each=0.1)
    short = {"chains": 12, "draws": 4, "warm_up": 0, "seed": 1}
    with pytest.raises(ValueError, match=r"chains must agree to a split R-hat of at most 1\.1; got \d\S* for \w+"):
        inference.regression_posterior(release, inference.RegressionPrior(), **short)
    with pytest.raises(ValueError, match=r"at most 1\.3; got"):
        inference.regression_posterior(release, inference.RegressionPrior(), largest_r_hat=1.3, **short)
    assert (
        inference.regression_posterior(release, inference.RegressionPrior(), largest_r_hat=math.inf, **short).r_hat
        > 1.3
    )


def test_sums_lost_in_their_rounding_errors_are_refused() -> None:
    release = inference.NoisySums(3, 9.6, 3.9, 18.7, -3.9, 3.6, epsilon_each=1000.0)
    with pytest.raises(
        ValueError, match=r"sums must be told apart from their rounding errors; got slices .* \d+ times"
    ):
        inference.regression_posterior(
            release, inference.RegressionPrior(shape=1e-15, rate=1e-15), chains=200, draws=100, warm_up=60, seed=1
        )


def test_a_prior_without_possible_lines_is_refused() -> None:
    with pytest.raises(
        ValueError, match=r"prior must leave at least 0\.01 of its lines possible in the unit square; got 0"
    ):
        inference.regression_posterior(
            inference.NoisySums(5, 2.5, 2.5, 2.0, 0.0, -1e9, epsilon_each=10.0),
            inference.RegressionPrior((-1000.0, -1000.0), (0.25, 0.25), 1e-15, 0.5),
            chains=50,
            draws=20,
            warm_up=10,
            largest_r_hat=math.inf,
            seed=1,
        )


def test_a_chain_runs_again_when_its_first_draws_do_not_agree() -> None:
    """The plan of steps grows by one run of draws, and the draws are those of the second."""
    release = inference.NoisySums(46, 9.6, 3.9, 18.7, -3.9, 3.6, epsilon_each=1000.0)
    seen: list[tuple[int, int]] = []
    found = inference.regression_posterior(
        release,
        inference.RegressionPrior(),
        chains=100,
        draws=60,
        warm_up=20,
        seed=1,
        progress=lambda done, planned: seen.append((done, planned)),
    )
    assert [done for done, _ in seen] == list(range(1, 141))
    assert {planned for _, planned in seen} == {80, 140}
    assert found.r_hat < 1.1


def test_draws_that_are_stopped_are_kept_once_there_are_four_of_each_chain() -> None:
    release = inference.NoisySums(46, 9.6, 3.9, 18.7, -3.9, 3.6, epsilon_each=0.1)

    def stopped_after(step: int) -> int:
        found = inference.regression_posterior(
            release,
            inference.RegressionPrior(),
            chains=60,
            draws=100,
            warm_up=20,
            largest_r_hat=math.inf,
            progress=lambda done, planned: done >= step,
        )
        return found.sums.shape[1]

    assert [stopped_after(step) for step in (1, 24, 40)] == [4, 4, 20]


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda: inference.NoisySums(2, 1, 1, 1, 1, 1, epsilon_each=0.1),
            "n must be a whole number of at least 3; got 2",
        ),
        (lambda: inference.NoisySums(9, 1, 1, 1, 1, 1, epsilon_each=0.0), "epsilon_each must be greater than 0"),
        (lambda: inference.NoisySums(9, 1, 1, 1, 1, 1), "budget must be epsilon_each or rho; got neither"),
        (
            lambda: inference.NoisySums(9, 1, 1, 1, 1, 1, epsilon_each=1, rho=1),
            "budget must be epsilon_each or rho; got both",
        ),
        (lambda: inference.NoisySums(9, 1, 1, 1, 1, 1, rho=0.0), "rho must be greater than 0 and finite; got 0.0"),
        (
            lambda: inference.draw_noisy_sums(inference.cirrhosis_data(), seed=1),
            "budget must be epsilon_each or rho; got neither",
        ),
        (lambda: inference.NoisySums(9, math.nan, 1, 1, 1, 1, epsilon_each=0.1), "x must be finite; got nan"),
        (lambda: inference.RegressionPrior(precision=(0.0, 1.0)), "precision must be greater than 0"),
        (lambda: inference.feasible_sums(9, [1.0, 2.0]), "sums must hold five values"),
        (
            lambda: inference.conjugate_regression(4, [2, 1, 2, 1, 2], inference.RegressionPrior()),
            "leave x some spread",
        ),
        (
            lambda: inference.regression_posterior(
                inference.NoisySums(9, 4, 3, 4, 2, 3, epsilon_each=0.1), inference.RegressionPrior(), largest_r_hat=1.0
            ),
            "largest_r_hat must be greater than 1",
        ),
    ],
)
def test_a_broken_regression_is_refused(call: object, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        call()  # type: ignore[operator]


def test_the_regression_claim_reverses_when_sigma_is_bounded_as_written() -> None:
    release = inference.NoisySums(46, 9.566667, 3.942164, 18.6849, -3.920792, 3.618739, epsilon_each=0.1)
    result = inference.regression_posterior(release, inference.RegressionPrior(), chains=200, draws=100, seed=3)
    slope = inference.conjugate_regression(
        46, inference.cirrhosis_data().sums, inference.RegressionPrior()
    ).least_squares[1]
    assert result.variance.max() <= 0.25
    assert result.sd()["theta1"] < 0.4
    assert result.quantile(0.975)["theta1"] < slope


def test_the_committed_study_has_every_setting_and_the_shape_of_the_figures() -> None:
    rows = coverage_table()
    assert len(rows) == 84
    assert {row.n for row in rows} == set(SAMPLE_SIZES)
    for row in rows:
        assert row.constrained.length <= row.unconstrained.length * 1.005
        assert 0.94 < row.unconstrained.coverage < 0.99
    low = {row.n: row for row in rows if row.epsilon == 0.1 and row.mean == 0.1}
    assert low[10].constrained.coverage < 0.7 < low[32].constrained.coverage < 0.85
    assert low[1000].constrained.coverage > 0.94


def test_a_study_task_answers_the_committed_row() -> None:
    task = study_tasks(data_sets=3000, points=4)[0]
    row = coverage_table()[0]
    result = setting_task(np.random.default_rng(1), **task.parameters)
    assert result["constrained_coverage"] == pytest.approx(row.constrained.coverage, abs=0.035)
    assert result["unconstrained_length"] == pytest.approx(row.unconstrained.length, rel=0.03)


def test_the_evidence_is_the_integral_of_the_joint_density() -> None:
    result = inference.posterior(
        NoisyMoments(n=6, mean=0.4, variance=0.1, epsilon_mean=1.0, epsilon_variance=1.0), FlatPrior()
    )
    at, weights = np.polynomial.legendre.leggauss(40)
    mu, share = 0.001 + 0.998 * (at + 1) / 2, 1e-4 + (1 - 1e-4) * (at + 1) / 2  # of the largest variance at this mean
    density = np.exp(result.log_joint_density(mu[:, None], share * (mu * (1 - mu))[:, None]))
    total = (weights * 0.499 * mu * (1 - mu)) @ density @ (weights * (1 - 1e-4) / 2)
    assert total == pytest.approx(1.0, abs=5e-4)


def test_the_conjugate_prior_of_mu_alone_integrates_to_its_interval() -> None:
    prior = ConjugatePrior(12.5, 2.0, 14.44, 3.0)
    low, high = prior.mean_interval(0.9)
    at = np.linspace(low, high, 20_001)
    assert float(np.trapezoid(np.asarray(prior.mean_density(at)), at)) == pytest.approx(0.9, abs=1e-7)
    draws = np.random.default_rng(1)
    variance = 0.5 * 3.0 * 14.44 / draws.gamma(1.5, size=400_000)
    mu = 12.5 + np.sqrt(variance / 2.0) * draws.standard_normal(400_000)
    assert float(((mu > low) & (mu < high)).mean()) == pytest.approx(0.9, abs=0.002)


def test_a_conjugate_prior_without_a_variance_has_no_law_of_mu() -> None:
    with pytest.raises(ValueError, match="variance and variance_weight must be greater than 0 for mu"):
        ConjugatePrior(0.0, 1.0, 0.0, 1.0).mean_density(0.0)


def test_a_prior_that_contradicts_the_bounds_beyond_any_digit_is_refused() -> None:
    with pytest.raises(ValueError, match="prior must leave the release and the bounds possible"):
        inference.posterior(
            NoisyMoments(n=43, mean=0.3, variance=0.1, epsilon_mean=99.0, epsilon_variance=0.25),
            ConjugatePrior(-5e6, 10_000, 0.001, 1),
        )


@pytest.mark.parametrize("n", [41, 100, 1000])
def test_a_noisy_variance_that_pulls_the_mean_away_is_followed(n: int) -> None:
    """A release of mean 0 with variance 0.5 cannot be: the variance pulls the sample mean far from its noisy value."""
    release = NoisyMoments(n=n, mean=0.0, variance=0.5, epsilon_mean=3.0, epsilon_variance=4.0)
    assert inference.posterior(release, FlatPrior(), constrained=True).quadrature_error < 1e-5


@pytest.mark.parametrize("y", [40.5, 60.0, 300.0, 1e4, 1e12])
def test_two_values_and_a_growing_piece_have_their_asymptotic_form(y: float) -> None:
    """Against mpmath; a release of 1e12 once took as many terms as its largest exponent."""
    import mpmath

    from dpcore.inference.laws import _log_lower

    mpmath.mp.dps = 40
    wanted = mpmath.log(mpmath.hyp1f1(0.5, 1.5, y) * 2) if y < 1e5 else y - mpmath.log(y) + mpmath.log1p(0.5 / y)
    found = float(_log_lower(np.array([0.5]), np.array([-y]), np.array([1.0]))[0])
    assert found == pytest.approx(float(wanted), rel=1e-14)


def test_the_evidence_of_a_flat_prior_keeps_its_digits_where_no_number_holds_it() -> None:
    for variance in (-3.0, -1e4, -1e9):
        found = inference.posterior(
            NoisyMoments(n=43, mean=0.3, variance=variance, epsilon_mean=1.0, epsilon_variance=1.0),
            FlatPrior(),
            constrained=False,
        )
        assert found.log_evidence == pytest.approx(math.log(42 / 40 / 2) + 43 * variance, rel=1e-12)


@pytest.mark.parametrize("shape", [0.5, 1.0, 3.0, 1e4])
@pytest.mark.parametrize("rate", [-1e6, -300.0, -3.0, 0.0, 1e-4])
def test_the_lower_piece_is_inverted_to_its_cdf(shape: float, rate: float) -> None:
    from dpcore.inference.laws import _invert_lower, _log_lower

    p = np.array([1e-6, 1e-3, 0.1, 0.5, 0.9, 0.999])
    at = _invert_lower(np.full(6, shape), np.full(6, rate), np.full(6, 2.0), p)
    found = _log_lower(np.full(6, shape), np.full(6, rate), at) - _log_lower(
        np.full(6, shape), np.full(6, rate), np.full(6, 2.0)
    )
    assert np.exp(found) == pytest.approx(p, rel=2e-9)


def test_values_for_a_drawn_release_are_a_list() -> None:
    with pytest.raises(ValueError, match="values must be a list of at least 2 numbers; got"):
        inference.draw_noisy_moments([3.0], lower=0, upper=1, epsilon_mean=1, epsilon_variance=1, seed=1)


@each("n, released, epsilon", [(1000, 0.1, 0.25), (1000, 0.0016, 5), (43, 0.1, 5), (43, -0.01, 1), (10**6, 0.05, 1)])
@each("power", [0.3, 0.5, 0.6])
def test_a_power_prior_is_integrated_finely_where_its_peak_is_narrow(
    n: int, released: float, epsilon: float, power: float
) -> None:
    """Unconstrained, on a dense grid of log sigma^2: its law has a long tail towards 0 and a narrow peak."""
    release = NoisyMoments(n=n, mean=0.3, variance=released, epsilon_mean=epsilon, epsilon_variance=epsilon)
    model = Model(n, *release.measurements(bounded=False), PowerPrior(power), False)
    x = np.linspace(-100.0, 3.0, 100_001)
    if n > 10_000:
        x = np.concatenate([x, math.log(released) + np.linspace(-0.02, 0.02, 20_001)])
    x = np.unique(x)
    with np.errstate(all="ignore"):
        log_height = model.log_variance_density(np.exp(x)) + x
    height = np.nan_to_num(np.exp(log_height - np.nanmax(log_height)))
    mass = np.append(0.0, 0.5 * (height[1:] + height[:-1]) * np.diff(x))
    share = np.cumsum(mass) / mass.sum()
    found = inference.posterior(release, PowerPrior(power), constrained=False)
    levels = [0.001, 0.025, 0.2, 0.5, 0.8, 0.975, 0.999]
    assert found.variance.cdf(np.exp(np.interp(levels, share, x))) == pytest.approx(levels, abs=3e-5)
    centre = (height * np.exp(x) * np.gradient(x)).sum() / mass.sum()
    assert found.variance.mean == pytest.approx(centre, rel=2e-5)
    assert found.quadrature_error < 1e-4


@each("n, mean, variance, power", [(43, 0.34, 0.22, 0.6), (1000, 0.0, -0.01, 0.6), (43, 0.34, 0.22, 0.5)])
def test_a_power_prior_within_the_bounds_is_integrated_finely(
    n: int, mean: float, variance: float, power: float
) -> None:
    """On a dense grid of the coordinate in which the law of sigma^2 is smooth."""
    release = NoisyMoments(n=n, mean=mean, variance=variance, epsilon_mean=0.25, epsilon_variance=0.25)
    model = Model(n, *release.measurements(bounded=True), PowerPrior(power), True)
    x = np.linspace(-70.0, 0.0, 7001)
    v = FOLDED.value(x)
    with np.errstate(divide="ignore"):
        rows, _, log_mass = model.variance_nodes(v, 16)
        log_height = log_sum_rows(log_mass, rows, len(v)) + np.log(FOLDED.slope(x))
    height = np.exp(log_height - log_height.max())
    share = np.append(0.0, np.cumsum(0.5 * (height[1:] + height[:-1])))
    centre = (height @ v) / height.sum()
    found = inference.posterior(release, PowerPrior(power)).variance
    levels = [0.001, 0.025, 0.2, 0.5, 0.8, 0.975, 0.999]
    assert found.cdf(FOLDED.value(np.interp(levels, share / share[-1], x))) == pytest.approx(levels, abs=1e-4)
    assert found.mean == pytest.approx(centre, rel=1e-4)
    assert found.sd == pytest.approx(math.sqrt(height @ (v - centre) ** 2 / height.sum()), rel=3e-4)


def test_a_power_prior_whose_law_is_lost_next_to_zero_is_refused() -> None:
    """sigma^2 unconstrained, by a sum over its logarithm from -600 on; below e^-60 the quadrature does not look."""
    release = NoisyMoments(n=50, mean=0.5, variance=0.04, epsilon_mean=3, epsilon_variance=3)
    model = Model(50, *release.measurements(bounded=False), PowerPrior(0.9), False)
    x = np.linspace(-600.0, 3.0, 60_001)
    with np.errstate(all="ignore"):
        height = np.nan_to_num(np.exp(model.log_variance_density(np.exp(x)) + x))
    mean = (height * np.exp(x)).sum() / height.sum()
    assert inference.posterior(release, PowerPrior(0.9), constrained=False).variance.mean == pytest.approx(
        mean, rel=1e-3
    )
    for constrained in (True, False):
        with pytest.raises(
            Refused, match="power must be farther below 1, as too much of the posterior would lie next to"
        ):
            inference.posterior(release, PowerPrior(0.99), constrained=constrained)
    with pytest.raises(Refused, match=re.escape("prior must have a power of at most 0.95 here; got ")):
        inference.likelihood_constrained_posterior(release, PowerPrior(0.99))


@each(
    "prior, cap, sentence",
    [
        (FlatPrior(), 1e-30, "variance_cap must be at least 1e-20 and finite; got 1e-30"),
        (ConjugatePrior(0.5, 1, 1e-30, 1), None, "prior must have a variance times its weight of at least 1e-20; got "),
    ],
)
def test_variances_no_quadrature_looks_at_are_refused(prior: Any, cap: float | None, sentence: str) -> None:
    release = NoisyMoments(n=50, mean=0.5, variance=0.04, epsilon_mean=3, epsilon_variance=3)
    with pytest.raises(Refused, match=re.escape(sentence)):
        inference.posterior(release, prior, constrained=False, variance_cap=cap)


def test_laws_of_mu_before_the_release_hold_at_extreme_weights() -> None:
    normal = math.exp(-0.5) / math.sqrt(2 * math.pi)
    assert ConjugatePrior(0, 1, 1, 1e16).mean_density(1.0) == pytest.approx(normal, rel=1e-12)
    assert feasible_prior_mean(PowerPrior(-1e12)).mean_variance == pytest.approx(0.25, rel=1e-11)
    assert feasible_prior_mean(PowerPrior(-1e12)).mean_variance < 0.25
    with pytest.raises(Refused, match="variance_weight must be so large that a float holds the interval"):
        ConjugatePrior(0, 1, 1, 0.005).mean_interval()


VARIANCE = {"n": 5, "mean": 0.5, "sample_mean": 0.5, "sample_variance": 0.1, "prior": FlatPrior(), "constrained": True}


@each(
    "change, sentence",
    [
        ({"n": 2}, "n must be greater than 2 for sigma^2 to have a law under this prior; got 2"),
        ({"prior": PowerPrior(-9.0)}, "n must be greater than 20 for sigma^2 to have a law under this prior; got 5"),
        ({"sample_variance": 0}, "sample_variance must be greater than 0 where both means are equal; got 0"),
        ({"sample_mean": -7}, "sample_mean must lie in [0, 1]; got -7"),
        ({"sample_variance": 9}, "sample_variance must lie in [0, 0.3125]; got 9"),
        ({"prior": None}, "prior must be a FlatPrior, PowerPrior or ConjugatePrior; got None"),
    ],
)
def test_a_variance_without_a_law_given_the_moments_is_refused(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Refused, match=re.escape(sentence)):
        conditional_variance(**VARIANCE | change)


def test_the_sampler_names_the_least_n_of_a_prior() -> None:
    with pytest.raises(Refused, match="n must be greater than 202 for sigma"):
        inference.gibbs(EXAMPLE, PowerPrior(-100.0), constrained=True, draws=3, seed=1)
    with pytest.raises(Refused, match="sample_mean must be finite; got nan"):
        conditional_sample_variance(
            n=5, variance=0.1, epsilon_variance=1, noisy_variance=0.1, sample_mean=math.nan, constrained=False
        )


WEAK = inference.RegressionPrior(mean=(0.0, 0.0), precision=(1e-9, 1e-9), shape=1.0, rate=1e-9)
PRECISE = inference.NoisySums(n=46, x=9.6, xx=3.9, y=18.7, xy=-3.9, yy=3.6, epsilon_each=100.0)


@each(
    "ask, sentence",
    [
        (lambda: conjugate_regression(3, [1, 2, 3, 4], WEAK), "sums must be five values; got [1.0, 2.0, 3.0, 4.0]"),
        (lambda: conjugate_regression(3, np.ones((1, 5)), WEAK), "sums must be five values; got [[1.0"),
        (lambda: conjugate_regression(3, [1.5, 1.25, 0, 1.25, 1.25], WEAK), "sums must be those of points; got [1.5"),
        (
            lambda: inference.regression_by_importance(PRECISE, WEAK, draws=1000),
            "draws must hit sums that are possible; got 1000",
        ),
        (lambda: CirrhosisData(np.array([0.0, 1.5]), np.array([0.0, 1.0])), "x must lie in [0, 1]; got 1.5"),
        (lambda: CirrhosisData(np.zeros(3), np.zeros(2)), "x and y must be two lists of one length; got ((3,), (2,))"),
        (
            lambda: feasible_parameters([0.5, 1.2, 3], [0.9, 0.2], [0.1, 0.1]),
            "intercept and slope and variance must have shapes that go together",
        ),
        (
            lambda: inference.posterior(EXAMPLE, FlatPrior()).log_joint_density([0.5, 0.2, 0.3], [0.1, 0.2]),
            "mean and variance must have shapes that go together",
        ),
        (lambda: log_uniform_moments_density(0, np.array([0.5]), np.array([0.05])), "n must be a whole number"),
        (lambda: log_uniform_moments_density(9, np.array([0.5]), np.array([-0.1])), "variance must be greater than 0"),
        (
            lambda: log_uniform_moments_density(9, np.array([0.5, 0.2]), np.array([0.1])),
            "mean and variance must be two lists of one length",
        ),
    ],
    ids=lambda ask: ask.__code__.co_names[-1],
)
def test_sums_and_lists_that_no_points_have_are_refused(ask: Any, sentence: str) -> None:
    with pytest.raises(Refused, match=re.escape(sentence)):
        ask()


def test_a_study_of_one_data_set_is_answered_and_of_one_size_refused() -> None:
    setting = {"epsilon_mean": 1.0, "epsilon_variance": 1.0, "mean": 0.5, "sd": 0.2}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = simulate_setting(np.random.default_rng(1), n=10, data_sets=1, points=4, **setting)
    assert found.constrained.coverage in (0.0, 1.0)
    assert 0 < found.constrained.length < 1
    for sizes in ([], [10], [10, 10]):
        with pytest.raises(Refused, match="sizes must be a list of at least two different sizes"):
            unconstrained_length_slope(np.random.default_rng(1), sizes=sizes, data_sets=20, **setting)
    with pytest.raises(Refused, match="n must be a whole number of at least 2; got 0"):
        draw_moments(np.random.default_rng(1), n=0, mean=0.5, sd=0.1, data_sets=3)
