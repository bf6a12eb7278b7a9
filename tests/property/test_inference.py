"""Laws of dpcore.inference that hold for every release."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dpcore import inference
from dpcore.inference import ConjugatePrior, FlatPrior, NoisyMoments, PowerPrior, TruncatedGammaMixture, posterior

releases = st.builds(
    NoisyMoments,
    n=st.integers(4, 400),
    mean=st.floats(-0.4, 1.4),
    variance=st.floats(-0.2, 0.5),
    epsilon_mean=st.floats(0.05, 4.0),
    epsilon_variance=st.floats(0.05, 4.0),
)
with_gaussian = st.builds(
    NoisyMoments,
    n=st.integers(4, 400),
    mean=st.floats(-0.4, 1.4),
    variance=st.floats(-0.2, 0.5),
    rho_mean=st.floats(0.001, 8.0),
    rho_variance=st.floats(0.001, 8.0),
)
of_both_laws = st.one_of(releases, with_gaussian)


@settings(max_examples=10)
@given(releases)
def test_clipping_a_release_first_changes_nothing_but_a_constant(release: NoisyMoments) -> None:
    first, second = posterior(release, FlatPrior()), posterior(release.clipped(), FlatPrior())
    levels = [0.05, 0.5, 0.95]
    np.testing.assert_allclose(first.mean.quantile(levels), second.mean.quantile(levels), atol=1e-9)
    np.testing.assert_allclose(first.variance.quantile(levels), second.variance.quantile(levels), atol=1e-9)
    assert first.log_evidence <= second.log_evidence + 1e-9


@settings(max_examples=8)
@given(of_both_laws)
def test_a_mirrored_release_has_the_mirrored_posterior(release: NoisyMoments) -> None:
    other = replace(release, mean=1.0 - release.mean)
    first, second = posterior(release, FlatPrior()), posterior(other, FlatPrior())
    np.testing.assert_allclose(first.mean.quantile(0.2), 1.0 - np.asarray(second.mean.quantile(0.8)), atol=2e-5)
    np.testing.assert_allclose(first.variance.quantile(0.5), second.variance.quantile(0.5), atol=1e-6)


@settings(max_examples=15)
@given(of_both_laws, st.booleans(), st.floats(-50, 50), st.floats(0.1, 1000))
def test_data_in_other_units_have_the_posterior_in_other_units(
    release: NoisyMoments, constrained: bool, lower: float, width: float
) -> None:
    """Of mean weight 2 and variance weight 3, so that both laws of the prior move with the units."""
    mean, variance = lower + width * release.mean, width**2 * release.variance
    other = replace(release, mean=mean, variance=variance, lower=lower, upper=lower + width)
    first = posterior(release, ConjugatePrior(0.4, 2.0, 0.04, 3.0), constrained=constrained)
    moved = ConjugatePrior(lower + 0.4 * width, 2.0, 0.04 * width**2, 3.0)
    second = posterior(other, moved, constrained=constrained)
    levels = [0.05, 0.5, 0.95]
    np.testing.assert_allclose(
        (np.asarray(second.mean.quantile(levels)) - lower) / width, first.mean.quantile(levels), atol=1e-6, rtol=1e-6
    )
    np.testing.assert_allclose(
        np.asarray(second.variance.quantile(levels)) / width**2, first.variance.quantile(levels), atol=1e-6, rtol=1e-6
    )


@settings(max_examples=10)
@given(of_both_laws, st.booleans())
def test_quadrature_checks_itself_and_stays_in_the_feasible_region(release: NoisyMoments, constrained: bool) -> None:
    result = posterior(release, FlatPrior(), constrained=constrained)
    assert result.quadrature_error < 2e-3
    if constrained:
        assert 0 <= result.mean.lower <= result.mean.upper <= 1
        assert result.variance.upper <= 0.25 + 1e-12
        assert result.infeasible.variance_too_large == 0


@settings(max_examples=12)
@given(releases, st.booleans(), st.floats(0.05, 0.98))
def test_the_shortest_interval_holds_its_level_and_is_no_longer_than_the_central_one(
    release: NoisyMoments, constrained: bool, level: float
) -> None:
    result = posterior(release, FlatPrior(), constrained=constrained)
    for marginal in (result.mean, result.variance):
        low, high = marginal.shortest_interval(level)
        held = float(marginal.cdf(high)) - float(marginal.cdf(low))
        assert held == pytest.approx(level, abs=2e-4)
        central = np.asarray(marginal.quantile([0.5 - level / 2, 0.5 + level / 2]))
        assert high - low <= (central[1] - central[0]) * (1 + 1e-3)


@settings(max_examples=15)
@given(releases, st.lists(st.floats(0.001, 0.999), min_size=1, max_size=5))
def test_quantile_inverts_the_cdf_and_arrays_answer_as_scalars(release: NoisyMoments, levels: list[float]) -> None:
    result = posterior(release, FlatPrior())
    for marginal in (result.mean, result.variance):
        values = np.asarray(marginal.quantile(levels))
        np.testing.assert_allclose(marginal.cdf(values), levels, atol=1e-6)
        assert marginal.quantile(levels[0]) == pytest.approx(values[0], rel=1e-9)


@given(st.integers(2, 200), st.floats(-3, 3), st.booleans())
def test_propriety_is_decided_by_the_two_ends(n: int, power: float, constrained: bool) -> None:
    proper = inference.propriety(n, PowerPrior(power), constrained=constrained).proper
    assert proper == (power < 1 and (constrained or (n - 1) / 2 + power > 1))


@given(
    st.floats(0.3, 60),
    st.floats(0.0, 400),
    st.floats(0.0, 400),
    st.floats(-0.2, 0.5),
    st.floats(0.02, 0.5),
    st.floats(0.01, 0.99),
)
@example(1.0, 0.0, 9.3e-307, 0.0, 0.5, 0.5)  # hardly any rate beside a finite end
@example(1.0, 0.0, 2.225073858507e-311, 0.0, 0.5, 0.5)
@example(0.3125, 0.0, 2.225073858507e-311, 0.0, 0.04158015485628422, 0.015625)
def test_mixture_quantiles_invert_the_cdf(
    shape: float, rate: float, noise: float, centre: float, upper: float, level: float
) -> None:
    law = TruncatedGammaMixture(shape, rate, noise, centre, upper)
    assert law.cdf(law.quantile(level)) == pytest.approx(level, abs=1e-8)
    assert 0 <= law.mean <= upper


@given(st.floats(-3, 3), st.floats(1e-4, 3), st.floats(0.01, 1e4))
def test_normal_laplace_noise_is_symmetric(d: float, sd: float, rate: float) -> None:
    assert inference.normal_laplace_cdf(d, sd, rate) + inference.normal_laplace_cdf(-d, sd, rate) == pytest.approx(1)
    left, right = (inference.normal_laplace_log_density(value, sd, rate) for value in (d, -d))
    assert left == pytest.approx(right)
