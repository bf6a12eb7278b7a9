"""What a release tells about a secret, with how far each number reaches."""

from __future__ import annotations

import math
from typing import Any

import pytest
from scipy.special import logit
from scipy.stats import norm

from dpcore.errors import Refused
from dpcore.guarantees import ProbabilisticDP, PureDP, ZeroConcentratedDP
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, RandomizedResponse
from dpcore.promise import Promise
from dpcore.scope import KNOWS_ALL, UNSURE_INDEPENDENTLY, Scope
from riskline.answers.evidence import Evidence
from ui.words.phrasing import frequency
from ui.words.quantities import Exact, Lower, Upper, claimed

NOISES = (Geometric(epsilon=1.0), Laplace(epsilon=1.0), Gaussian(rho=0.3), DiscreteGaussian(rho=0.3))
VALUE = Promise(secret="value", relation="add_or_remove")


@pytest.mark.parametrize("noise", NOISES, ids=lambda noise: type(noise).__name__)
@pytest.mark.parametrize(("released", "scope"), [("count", Scope.COUNT), ("cells", Scope.TABLE)])
def test_what_a_noise_tells_is_never_said_of_any_release(noise: Any, released: str, scope: Scope) -> None:
    told = Evidence(promise=VALUE, source=noise, released=released)
    for reading in ("every_view", "exact", "average"):
        bound = told.belief_after(0.3, reading=reading)
        assert bound.scope is scope
        never = reading != "average" and isinstance(noise, Geometric | Laplace)  # the limit is their largest loss
        assert (bound.reader, bound.promise.failure_probability) == (
            UNSURE_INDEPENDENTLY if reading == "every_view" else KNOWS_ALL,
            0.0 if never else 0.01,
        )
        with pytest.raises(Refused, match="scope must be"):
            claimed(bound, Scope.ANY_MECHANISM, frequency)
    for so in (True, False):
        assert isinstance(claimed(told.belief_after(0.3, so=so), scope, frequency), Upper if so else Lower)
    exactly, most = told.right_guess(0.5, scope), told.right_guess(0.5, Scope.ANY_MECHANISM)
    assert exactly.value <= most.value
    assert isinstance(claimed(exactly, scope, frequency), Exact)
    assert isinstance(claimed(most, Scope.ANY_MECHANISM, frequency), Upper)
    for other in set(Scope) - {scope}:
        with pytest.raises(Refused):
            claimed(told.right_guess(0.5, scope), other, frequency)
    assert told.right_guess(0.5, Scope.PLAN).scope is scope


def test_a_value_in_one_count_takes_one_step_and_in_any_release_two() -> None:
    """Geometric noise, ε = 1, from 1 in 2: e and e² to 1 by hand."""
    told = Evidence(promise=VALUE, source=Geometric(epsilon=1.0), failure=1e-9)
    one, two = (math.e**steps / (1 + math.e**steps) for steps in (1, 2))
    assert told.belief_after(0.5).value == pytest.approx(two)
    assert told.belief_after(0.5, reading="exact").value == pytest.approx(one)
    assert told.right_guess(0.5, Scope.COUNT).value == pytest.approx(one)
    assert one < told.right_guess(0.5, Scope.ANY_MECHANISM).value < two


@pytest.mark.parametrize("failure", [3e-16, 1.2e-15, 1e-9])
def test_a_rare_failure_is_not_rounded_to_one_that_is_more_frequent(failure: float) -> None:
    """Between worlds Gaussian noise moves log odds by a normal number of mean ρ and variance 2ρ."""
    told = Evidence(promise=VALUE, source=Gaussian(rho=0.5), failure=failure)
    passed = norm.sf((logit(told.belief_after(0.5, reading="exact").value) - 0.5) / 1)
    assert 0.6 * failure < passed <= failure * (1 + 1e-8)


@pytest.mark.parametrize(
    ("source", "readings"),
    [
        (PureDP(epsilon=1.0), []),
        (ProbabilisticDP(epsilon=1.0, delta=1e-4), ["over_every_view"]),
        (ZeroConcentratedDP(rho=0.1), ["one_sided", "published_route"]),
    ],
)
def test_a_guarantee_alone_bounds_any_release_by_every_route(source: Any, readings: list[str]) -> None:
    told = Evidence(promise=Promise(secret="presence", relation="add_or_remove"), source=source)
    assert list(told.other_shifts) == readings
    for scope in Scope:
        assert told.right_guess(0.5, scope).scope is Scope.ANY_MECHANISM
    for reading in ("bound", *readings):
        bound = told.belief_after(0.3, reading=reading)
        assert bound.scope is Scope.ANY_MECHANISM
        raw = isinstance(source, ProbabilisticDP) and reading == "bound"
        assert bound.reader == (KNOWS_ALL if raw else UNSURE_INDEPENDENTLY)


def test_probabilistic_privacy_that_fails_as_often_as_is_asked_has_no_other_bound() -> None:
    source = ProbabilisticDP(epsilon=1.0, delta=1e-4)
    for failure, readings in ((1e-4, []), (1.01e-4, ["over_every_view"])):
        told = Evidence(promise=Promise(secret="presence", relation="add_or_remove"), source=source, failure=failure)
        assert list(told.other_shifts) == readings


def test_coins_are_the_answer_s_own_release() -> None:
    told = Evidence(promise=Promise(secret="answer", relation="replace", group=3), source=RandomizedResponse(epsilon=1))
    assert (told.scope, told.pair) == (Scope.COUNT, (told.mechanism, 3))
