"""Laws of what the noisy tables of the 2020 census tell, and of right guesses from the law of a privacy loss."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore.census import CHARACTERISTICS, LEVELS, SECRETS, TOTAL_RHO, CensusSecret, census_tables
from dpcore.guarantees import ApproximateDP
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from dpcore.privacy_loss import PrivacyLoss
from dpcore.tradeoff import trade_off

SECRET = st.builds(
    lambda characteristics, place: CensusSecret(characteristics=characteristics, place=place),
    st.lists(st.sampled_from(CHARACTERISTICS), unique=True, min_size=1),
    st.sampled_from((None, *LEVELS[1:])),
)
RELEASE = st.one_of(
    *(
        st.floats(0.01, 2.0).map(lambda budget, noise=noise, kind=kind: noise(**{kind: budget}))  # type: ignore[misc]
        for noise, kind in ((Geometric, "epsilon"), (Laplace, "epsilon"), (Gaussian, "rho"), (DiscreteGaussian, "rho"))
    ),
    st.builds(ApproximateDP, epsilon=st.floats(0.01, 2.0), delta=st.floats(1e-6, 0.2)),
)


@given(SECRET, st.sets(st.sampled_from(LEVELS), min_size=1))
def test_rho_adds_up_over_levels_and_a_wider_secret_never_has_less(secret: CensusSecret, levels: set[str]) -> None:
    chosen = secret.rho(census_tables(levels=sorted(levels)))
    assert chosen == sum(secret.rho(census_tables(levels=[level])) for level in levels)
    assert chosen <= secret.rho() <= SECRETS["record"].rho() == TOTAL_RHO
    here = CensusSecret(characteristics=secret.characteristics)
    one_by_one = [CensusSecret(characteristics=[name]).rho() for name in here.characteristics]
    assert max(one_by_one) <= here.rho() <= min(secret.rho(), sum(one_by_one))


@given(RELEASE, st.integers(1, 3), st.floats(0.0, 1.0))
@settings(max_examples=60)
def test_a_right_guess_lies_in_its_bracket_and_is_that_of_the_best_test(release, count: int, prior: float) -> None:  # type: ignore[no-untyped-def]
    loss = PrivacyLoss.of(release, count)
    found = loss.right_guess_bracket(prior=prior)
    assert max(prior, 1 - prior) <= found.low <= found.high <= 1 + 1e-12
    assert trade_off(loss).right_guess(prior=prior) == pytest.approx(found.high, abs=1e-9)
    mirrored = loss.right_guess_bracket(prior=1 - prior)
    assert math.isclose(mirrored.high, found.high, abs_tol=1e-12)
    assert loss.times(2).right_guess_bracket(prior=prior).high >= found.low
