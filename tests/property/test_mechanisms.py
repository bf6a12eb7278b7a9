"""Laws every mechanism obeys, whatever its budget."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dpcore import mechanisms as m

BUDGET = st.floats(-12, 3).map(math.exp)
SENSITIVITY = st.integers(1, 6)


@st.composite
def additive(draw: Any) -> Any:
    budget, sensitivity = draw(BUDGET), draw(SENSITIVITY)
    kind = draw(st.sampled_from(["geometric", "laplace", "gaussian", "discrete_gaussian"]))
    if kind == "geometric":
        return m.Geometric(epsilon=budget, sensitivity=sensitivity)
    if kind == "laplace":
        return m.Laplace(epsilon=budget, sensitivity=float(sensitivity))
    if kind == "gaussian":
        return m.Gaussian(rho=budget, sensitivity=float(sensitivity))
    return m.DiscreteGaussian(rho=budget, sensitivity=sensitivity)


@given(additive(), st.integers(-200, 200))
def test_noise_is_symmetric_and_its_tails_add_to_one(noise: Any, value: int) -> None:
    assert noise.cdf(value) == noise.tail(-value)
    assert math.isclose(noise.cdf(value) + noise.survival(value), 1.0, rel_tol=1e-12)


@given(additive(), st.lists(st.floats(0.001, 0.999), min_size=2, max_size=6))
def test_quantiles_rise_with_the_probability(noise: Any, levels: list[float]) -> None:
    ordered = np.sort(levels)
    assert (np.diff(noise.quantile(ordered)) >= 0).all()
    assert (np.diff(noise.half_width(ordered)) >= 0).all()


@given(BUDGET, BUDGET, SENSITIVITY)
def test_more_budget_never_means_more_noise(first: float, second: float, sensitivity: int) -> None:
    low, high = sorted((first, second))
    for kind in (m.Geometric, m.Laplace):
        assert kind(epsilon=high, sensitivity=sensitivity).std <= kind(epsilon=low, sensitivity=sensitivity).std
    for gaussian in (m.Gaussian, m.DiscreteGaussian):
        less, more = gaussian(rho=high, sensitivity=sensitivity), gaussian(rho=low, sensitivity=sensitivity)
        assert less.std <= more.std * (1 + 1e-14)
        assert less.probability_exact >= more.probability_exact * (1 - 1e-12)


@given(BUDGET)
def test_discrete_gaussian_varies_less_than_its_sigma(rho: float) -> None:
    noise = m.DiscreteGaussian(rho=rho)
    assert noise.variance <= noise.sigma**2 * (1 + 1e-14)


@given(st.floats(-4, 2).map(math.exp), st.integers(1, 6))
def test_losses_of_both_worlds_are_mirror_images_and_pure_losses_stay_within_epsilon(
    budget: float, sensitivity: int
) -> None:
    for mechanism in (
        m.Geometric(epsilon=budget, sensitivity=sensitivity),
        m.DiscreteGaussian(rho=budget, sensitivity=sensitivity),
        m.RandomizedResponse(epsilon=budget, categories=sensitivity + 1),
    ):
        atoms = mechanism.privacy_loss_atoms()
        present, absent = atoms.mass, atoms.mass_absent
        assert math.isclose((present * atoms.values).sum(), -(absent * atoms.values).sum(), rel_tol=1e-9)
        if not isinstance(mechanism, m.DiscreteGaussian):
            assert abs(atoms.values).max() <= budget * (1 + 1e-12)
            assert np.allclose(present, absent[::-1], rtol=1e-10)


@given(st.floats(-18, 3).map(math.exp), st.lists(st.integers(-500, 500), min_size=1, max_size=5))
def test_discrete_gaussian_arrays_answer_like_scalars(rho: float, values: list[int]) -> None:
    together = m.discrete_gaussian_log_tail(values, rho=rho)
    assert np.allclose(together, [m.discrete_gaussian_log_tail(value, rho=rho) for value in values], rtol=1e-13)
    pmf = np.asarray(m.discrete_gaussian_log_pmf(values, rho=rho))
    next_tail = np.asarray(m.discrete_gaussian_log_tail(np.array(values) + 1, rho=rho))
    assert np.allclose(np.logaddexp(pmf, next_tail), together, rtol=1e-11, atol=1e-12)
