"""A count in a known range: raw, clamped and conditioned; the posterior of the rate."""

from __future__ import annotations

import math
import re
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy.integrate import quad

from dpcore.errors import Refused
from dpcore.public_information import RangedCount, draw_rate_by_rejection
from tests.each import each

TREATMENTS = ("raw", "clamped", "conditioned")


@pytest.mark.parametrize("treatment", ["clamped", "conditioned"])
@pytest.mark.parametrize("people", [1, 2, 7])
def test_the_law_on_the_range_adds_up_to_one(treatment: str, people: int) -> None:
    count = RangedCount(people=people, epsilon=0.7, treatment=treatment)
    law = np.exp([count.log_likelihood(release) for release in range(people + 1)])
    np.testing.assert_allclose(law.sum(axis=0), 1.0, atol=1e-14)


def test_the_raw_law_is_the_two_sided_geometric_one() -> None:
    count = RangedCount(people=4, epsilon=0.7)
    law = np.exp([count.log_likelihood(release) for release in range(-80, 85)])
    np.testing.assert_allclose(law.sum(axis=0), 1.0, atol=1e-14)


@pytest.mark.parametrize("treatment", TREATMENTS)
def test_the_loss_is_the_largest_log_ratio_of_neighbouring_counts(treatment: str) -> None:
    count = RangedCount(people=6, epsilon=0.4, treatment=treatment)
    laws = np.array([count.log_likelihood(release) for release in range(7)])
    assert count.loss == pytest.approx(float(np.max(np.abs(np.diff(laws, axis=1)))), rel=1e-12)


@each("epsilon", [1e-300, 1e-15, 1e-9, 1e-3, 2.0, 800.0])
@each("people", [1, 2, 10])
def test_the_loss_of_a_conditioned_count_keeps_its_digits(people: int, epsilon: float) -> None:
    with mpmath.workdps(330):
        step = mpmath.exp(-mpmath.mpf(epsilon))
        none, one = (mpmath.fsum(step ** abs(y - true) for y in range(people + 1)) for true in (0, 1))
        expected = float(epsilon + mpmath.log(one / none))
    found = RangedCount(people=people, epsilon=epsilon, treatment="conditioned").loss
    assert found == pytest.approx(expected, rel=1e-14, abs=0)


@pytest.mark.parametrize("treatment", TREATMENTS)
@pytest.mark.parametrize("true", [0, 3, 6])
def test_the_error_is_the_mean_distance(treatment: str, true: int) -> None:
    count = RangedCount(people=6, epsilon=0.4, treatment=treatment)
    releases = range(-200, 207) if treatment == "raw" else range(7)
    expected = sum(math.exp(count.log_likelihood(y)[true]) * abs(y - true) for y in releases)
    assert count.expected_absolute_error(true) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("treatment", TREATMENTS)
def test_the_posterior_equals_numerical_integration(treatment: str) -> None:
    people, release = 8, 2
    count = RangedCount(people=people, epsilon=0.6, treatment=treatment)
    posterior = count.rate_posterior(release, prior=(2.0, 3.0))
    likelihood = np.exp(count.log_likelihood(release))
    x = np.arange(people + 1)
    choose = np.array([math.comb(people, k) for k in x])

    def joint(rate: float) -> float:
        return float(rate * (1 - rate) ** 2 * np.sum(choose * rate**x * (1 - rate) ** (people - x) * likelihood))

    evidence = quad(joint, 0, 1)[0]
    mean = quad(lambda rate: rate * joint(rate), 0, 1)[0] / evidence
    second = quad(lambda rate: rate**2 * joint(rate), 0, 1)[0] / evidence
    assert posterior.mean == pytest.approx(mean, rel=1e-9)
    assert posterior.variance == pytest.approx(second - mean**2, rel=1e-8)
    assert posterior.cdf(0.3) == pytest.approx(quad(joint, 0, 0.3)[0] / evidence, rel=1e-8)
    assert posterior.cdf(posterior.quantile(0.25)) == pytest.approx(0.25, abs=1e-9)


@pytest.mark.parametrize("treatment", ["raw", "conditioned"])
def test_rejection_agrees_with_the_exact_mixture(treatment: str) -> None:
    count = RangedCount(people=20, epsilon=0.5, treatment=treatment)
    posterior = count.rate_posterior(1)
    accepted = draw_rate_by_rejection(count, 1, proposals=40_000, seed=3)
    assert accepted.size / 40_000 == pytest.approx(posterior.acceptance, abs=0.006)
    assert accepted.mean() == pytest.approx(posterior.mean, abs=0.005)


def test_the_printed_bound_would_ignore_the_conditioning() -> None:
    # The likelihood over its own largest value in y has no normaliser left: it gives the raw release's posterior.
    raw = RangedCount(people=20, epsilon=0.5).rate_posterior(1).mean
    conditioned = RangedCount(people=20, epsilon=0.5, treatment="conditioned").rate_posterior(1).mean
    assert (round(conditioned, 4), round(raw, 4)) == (0.1274, 0.1387)


def test_a_release_far_outside_the_range_is_still_informative() -> None:
    posterior = RangedCount(people=5, epsilon=2.0).rate_posterior(-1000)
    assert posterior.weights[0] == pytest.approx(max(posterior.weights))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: RangedCount(people=0, epsilon=1.0), "people must be a whole number from 1 to 20000; got 0"),
        (lambda: RangedCount(people=5, epsilon=-1.0), "epsilon must be greater than 0 and finite; got -1"),
        (lambda: RangedCount(people=5, epsilon=1.0, treatment="x"), "treatment must be one of 'raw', 'clamped'"),
        (
            lambda: RangedCount(people=5, epsilon=1.0, treatment="conditioned").rate_posterior(6),
            "release must be a whole number from 0 to 5; got 6",
        ),
        (
            lambda: RangedCount(people=5, epsilon=1.0).rate_posterior(0.5),
            "release must be a whole number from -9.* to 9.*; got 0.5",
        ),  # type: ignore[arg-type]
        (
            lambda: RangedCount(people=5, epsilon=1.0).rate_posterior(True),
            "release must be a whole number from -9.* to 9.*; got True",
        ),
        (
            lambda: RangedCount(people=5, epsilon=1.0).rate_posterior(1, prior=(0.0, 1.0)),
            r"prior must be two numbers greater than 0; got \(0.0, 1.0\)",
        ),
        (
            lambda: RangedCount(people=5, epsilon=1.0).rate_posterior(1, prior=(1.0,)),  # type: ignore[arg-type]
            "prior must be two numbers greater than 0",
        ),
        (
            lambda: RangedCount(people=5, epsilon=1.0).expected_absolute_error(6),
            "true must be a whole number from 0 to 5",
        ),
        (
            lambda: RangedCount(people=5, epsilon=1.0).rate_posterior(1).cdf(2),
            r"rate must lie in \[0, 1\]; got 2",
        ),
        (
            lambda: RangedCount(people=5, epsilon=1.0).rate_posterior(1).quantile(0),
            r"level must lie in \(0, 1\); got 0",
        ),
        (
            lambda: draw_rate_by_rejection(RangedCount(people=5, epsilon=1.0), 1, proposals=0, seed=1),
            "proposals must be a whole number from 1 to 10000000; got 0",
        ),
    ],
)
def test_refusals(call: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()  # type: ignore[operator]


@each("prior", [(1e-12, 1e-12), (0.3, 2.0), (1e15, 1e15), (1e20, 3e20)])
def test_the_posterior_holds_for_a_prior_of_any_strength(prior: tuple[float, float]) -> None:
    count = RangedCount(people=20, epsilon=1.0)
    with mpmath.workdps(60):
        a, b = map(mpmath.mpf, prior)
        joint = [
            mpmath.binomial(20, x) * mpmath.rf(a, x) * mpmath.rf(b, 20 - x) * mpmath.exp(-abs(x - 5)) for x in range(21)
        ]
        total = mpmath.fsum(joint)
        weights = [float(each / total) for each in joint]
        mean = float(mpmath.fsum(each * (a + x) for x, each in enumerate(joint)) / total / (a + b + 20))
    found = count.rate_posterior(5, prior=prior)
    assert found.weights == pytest.approx(weights, rel=1e-9, abs=0)
    assert found.mean == pytest.approx(mean, rel=1e-9, abs=0)


def test_a_release_that_the_prior_hardly_leaves_possible_is_read_all_the_same() -> None:
    # a coin's law, to nearly all, under which the noise has a chance of e^-1900
    posterior = RangedCount(people=5_000, epsilon=1.0).rate_posterior(0, prior=(1e8, 1e8))
    assert int(np.argmax(posterior.weights)) == math.floor(5_001 / (1 + math.e))  # that coin's odds, by e
    assert posterior.weights.sum() == pytest.approx(1.0)
    assert posterior.mean == pytest.approx(0.5, rel=1e-4)
    assert posterior.acceptance == 0.0  # no float holds it


def test_a_tiny_prior_keeps_its_mean_among_many_people() -> None:
    assert 0 < RangedCount(people=20_000, epsilon=0.1).rate_posterior(5, prior=(1e-12, 1e-12)).mean < 1e-14


@each("people", [1, 3, 5, 7, 20, 50, 100, 1000])
def test_a_rate_of_at_most_one_is_certain_and_no_more(people: int) -> None:
    for release in (0, 1):
        top = RangedCount(people=people, epsilon=0.1).rate_posterior(release).cdf(1.0)
        assert 1 - 1e-12 <= top <= 1.0


@each(
    "ask, text",
    [
        (
            lambda: RangedCount(people=5, epsilon=1.0).rate_posterior(10**30),
            "release must be a whole number from -9007",
        ),
        (lambda: draw_rate_by_rejection(3, 3, proposals=3, seed=1), "release must be a count such as RangedCount("),
    ],
)
def test_what_is_no_count_or_beyond_all_counts_is_refused(ask: Any, text: str) -> None:
    with pytest.raises(Refused, match=re.escape(text)):
        ask()
