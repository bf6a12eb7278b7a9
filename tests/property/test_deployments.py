"""Laws of the table of published budgets."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dpcore.deployments import FORMULAS, converted, posterior_upper, published, right_guess

ENTRIES = st.sampled_from(published())


@given(st.floats(1e-4, 50), st.floats(1e-12, 0.01))
def test_the_minimised_formula_is_never_above_the_closed_ones(rho: float, delta: float) -> None:
    tightest = FORMULAS["best_order"].epsilon(rho=rho, delta=delta)
    assert tightest <= FORMULAS["simple"].epsilon(rho=rho, delta=delta) * (1 + 1e-12)
    assert tightest <= FORMULAS["refined"].epsilon(rho=rho, delta=delta) * (1 + 1e-12)


@given(ENTRIES, st.floats(1e-12, 0.5), st.floats(1e-12, 0.5))
def test_a_smaller_delta_never_lowers_the_converted_epsilon(entry: object, one: float, other: float) -> None:
    small = converted(entry, delta=min(one, other)).epsilon  # type: ignore[arg-type]
    large = converted(entry, delta=max(one, other)).epsilon  # type: ignore[arg-type]
    assert small is None or large is None or small >= large * (1 - 1e-12)


@given(ENTRIES, st.floats(0.001, 0.999))
def test_a_right_guess_does_not_depend_on_which_answer_is_called_true(entry: object, prior: float) -> None:
    one = right_guess(entry, prior=prior)  # type: ignore[arg-type]
    assert abs(one - right_guess(entry, prior=1 - prior)) < 1e-9  # type: ignore[arg-type]


@given(ENTRIES, st.floats(0, 1))
def test_a_posterior_bound_never_lies_below_the_prior(entry: object, prior: float) -> None:
    bound = posterior_upper(entry, prior=prior)  # type: ignore[arg-type]
    assert bound is None or prior - 1e-12 <= bound <= 1
