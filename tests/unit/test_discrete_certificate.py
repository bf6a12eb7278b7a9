"""Certified budgets of discrete Gaussian noise, against the law of the noise summed here by other means."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.fft import irfft, next_fast_len, rfft

from dpcore.discrete_certificate import DiscreteCertificate
from dpcore.guarantees import gaussian_rho_from_probabilistic
from dpcore.mechanisms import DiscreteGaussian
from dpcore.privacy_loss import PrivacyLoss

SHIFT = math.log(11 / 3)  # the default line of the page: a cap of 25 in 100, three times the prior above it


def enumerated(rho: float, promise: DiscreteCertificate) -> float:
    """The failure probability by listing noises, tilted towards the tail and convolved on a ring."""
    k, g = promise.releases, promise.group
    spread = math.sqrt(k / (2 * rho))
    centre = max(promise.epsilon_prime / (2 * rho * g) - k * g / 2, 0.0)
    tilt = 2 * rho * centre / k
    edge = math.ceil(9 * math.sqrt(1 / (2 * rho)) + centre / k) + 2
    y = np.arange(-edge, edge + 1)
    log_weight = -rho * y.astype(float) ** 2
    scale = float(np.log(np.exp(log_weight).sum()))
    top = float((log_weight + tilt * y).max())
    mass = np.exp(log_weight + tilt * y - top)
    log_total = math.log(mass.sum())
    middle, reach = round(k * float(mass @ y / mass.sum())), math.ceil(9 * spread) + 2
    size = int(next_fast_len(max(2 * reach + 1, 1), real=True))
    ring = np.zeros(size)
    np.add.at(ring, y % size, mass / mass.sum())
    law = irfft(rfft(ring) ** k, size)
    total = np.arange(middle - reach, middle + reach + 1)
    found = np.maximum(law[total % size], 0.0)
    loss = rho * g * (2.0 * total + k * g)
    with np.errstate(under="ignore", over="ignore"):
        probability = found * np.exp(k * (log_total + top - scale) - tilt * total)
    allowed = promise.epsilon_prime * (1 + 1e-13)
    rise = float(probability[loss > allowed].sum())
    # the other tail: Y < -(tau + k g) has the mass of Y > tau + k g, by symmetry
    fall = float(probability[loss - 2 * rho * g * k * g > allowed].sum())
    return {"rise": rise, "fall": fall, "either": rise + fall}[promise.direction]


def drawn(seed: int, number: int, **fixed: Any) -> list[DiscreteCertificate]:
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(number):
        chosen: dict[str, Any] = {
            "epsilon_prime": float(np.exp(rng.uniform(math.log(0.05), math.log(12)))),
            "delta_prime": float(np.exp(rng.uniform(math.log(1e-7), math.log(0.3)))),
            "releases": int(rng.choice([1, 1, 2, 3, 5, 12, 52, 365, 1000, 10_000])),
            "group": int(rng.choice([1, 1, 1, 2, 3, 5])),
            "direction": str(rng.choice(["rise", "either", "either", "fall"])),
        }
        chosen |= fixed
        if chosen["releases"] > 100:  # keeps the ring of the enumeration short
            chosen["epsilon_prime"] = max(chosen["epsilon_prime"], 0.6 if chosen["releases"] < 10_000 else 2.0)
        found.append(DiscreteCertificate(**chosen))
    return found


@pytest.mark.parametrize("seed", [*range(6), *(pytest.param(seed, marks=pytest.mark.study) for seed in range(6, 13))])
def test_no_certified_budget_of_50_random_promises_fails_too_often(seed: int) -> None:
    for promise in drawn(seed, 50):
        for rho in (promise.largest_rho, promise.recommended_each, 0.93 * promise.every_rho_up_to):
            assert enumerated(rho, promise) <= promise.delta_prime * (1 + 1e-9), (promise, rho)


def test_the_continuous_budget_fails_for_integer_noise_on_many_promises() -> None:
    promise = DiscreteCertificate(epsilon_prime=SHIFT, delta_prime=0.01)
    rise = DiscreteCertificate(epsilon_prime=SHIFT, delta_prime=0.01, direction="rise")
    assert rise.exceedance(0.12) == pytest.approx(0.0130, abs=5e-5)
    assert promise.exceedance(0.12) == pytest.approx(0.0162, abs=5e-5)
    assert not promise.certifies(0.12)
    broken = [
        found.exceedance(continuous / found.releases) > found.delta_prime
        for found in drawn(99, 100, group=1, direction="either")
        for continuous in [
            gaussian_rho_from_probabilistic(epsilon_prime=found.epsilon_prime, delta_prime=found.delta_prime)
        ]
    ]
    assert 15 < sum(broken) < 60


@pytest.mark.parametrize("direction", ["rise", "either"])
@pytest.mark.parametrize("releases", [1, 2, 12, 400])
def test_a_dense_scan_finds_no_larger_certified_budget(releases: int, direction: str) -> None:
    for promise in drawn(7 + releases, 6, releases=releases, direction=direction, group=1):
        best = promise.largest_rho
        for rho in np.geomspace(best * (1 + 1e-6), 3 * best, 150 if releases < 100 else 25):
            assert enumerated(float(rho), promise) > promise.delta_prime, (promise, rho)
        assert promise.recommended_each >= 0.9 * best
        assert promise.recommended_each <= best * (1 + 1e-12)


def test_every_smaller_budget_is_certified_below_the_bound_that_says_so_and_just_above_one_is_not() -> None:
    for promise in [*drawn(3, 12, direction="either"), *drawn(4, 12, direction="rise")]:
        bound = promise.every_rho_up_to
        assert 0 < bound <= promise.largest_rho
        for share in np.linspace(0.02, 1, 50):
            assert promise.certifies(bound * float(share)), (promise, share)
        assert promise.exceedance(bound * (1 + 1e-9)) > promise.delta_prime


def test_smaller_budgets_than_the_largest_can_fail_and_the_printed_one_does_not() -> None:
    promise = DiscreteCertificate(epsilon_prime=SHIFT, delta_prime=0.01)
    assert promise.largest_rho == pytest.approx(SHIFT / 9, rel=1e-11)
    assert promise.every_rho_up_to == pytest.approx(SHIFT / 11, rel=1e-11)
    assert [promise.certifies(rho) for rho in (0.11, 0.12, 0.13, 0.14, 0.15)] == [True, False, False, True, False]
    assert promise.recommended_each == 0.14


def test_a_printed_budget_takes_more_places_where_the_next_short_decimal_fails() -> None:
    promise = DiscreteCertificate(epsilon_prime=0.30007726498512605, delta_prime=0.24814859824620503)
    assert promise.largest_rho == pytest.approx(0.042868, abs=1e-6)
    assert [promise.certifies(rho) for rho in (0.042, 0.041, 0.04, 0.034, 0.033)] == [False] * 4 + [True]
    assert promise.recommended_each == 0.0428


def test_a_written_scale_a_millionth_too_wide_keeps_the_promise() -> None:
    for promise in drawn(5, 40, releases=1):
        for share in (0.0, 0.3e-6, 1e-6):
            assert promise.exceedance(promise.recommended_each * (1 - share)) <= promise.delta_prime


def test_a_unit_that_moves_the_counts_by_less_is_covered() -> None:
    for promise in drawn(6, 20, group=4, direction="either"):
        for moved in (1, 2, 3):
            smaller = DiscreteCertificate(
                epsilon_prime=promise.epsilon_prime,
                delta_prime=promise.delta_prime,
                releases=promise.releases,
                group=moved,
            )
            assert smaller.exceedance(promise.recommended_each) <= promise.delta_prime


@pytest.mark.parametrize("direction", ["rise", "fall", "either"])
@pytest.mark.parametrize(
    ("rho", "releases", "group"), [(0.1, 1, 1), (0.124, 7, 1), (0.126, 7, 1), (0.3, 40, 1), (0.02, 3, 4), (2.56, 2, 1)]
)
def test_the_failure_probability_is_that_of_the_privacy_loss(
    rho: float, releases: int, group: int, direction: str
) -> None:
    mean = rho * group**2 * releases
    noise = DiscreteGaussian(rho=rho * group**2, sensitivity=group)
    for shift in (0.3 * mean, 1.1 * mean, mean + 2 * math.sqrt(2 * mean), mean + 5 * math.sqrt(2 * mean)):
        promise = DiscreteCertificate(
            epsilon_prime=shift, delta_prime=0.5, releases=releases, group=group, direction=direction
        )
        expected = PrivacyLoss.of(noise, releases).exceedance(shift, direction=direction)
        assert promise.exceedance(rho) == pytest.approx(expected, rel=1e-9, abs=1e-15)


def test_a_sum_of_wide_noises_has_the_law_of_one() -> None:
    """The closed form at the largest concentration it is used for, beside the convolution of the noises."""
    for releases in (2, 3, 50):
        promise = DiscreteCertificate(epsilon_prime=4.0, delta_prime=0.1, releases=releases, direction="rise")
        y = np.arange(-40, 41)
        one = np.exp(-0.125 * y.astype(float) ** 2)
        one /= one.sum()
        law = one
        for _ in range(releases - 1):
            law = np.convolve(law, one)
        middle = (law.size - 1) // 2
        for least in (1, 5, 20):
            assert promise._tail(float(least), 0.125) == pytest.approx(law[middle + least :].sum(), rel=1e-12)


def test_stricter_promises_get_no_larger_budgets() -> None:
    def budget(**changed: Any) -> float:
        return DiscreteCertificate(**({"epsilon_prime": 1.3, "delta_prime": 0.01} | changed)).every_rho_up_to

    assert budget() >= budget(epsilon_prime=1.0)
    assert budget() >= budget(delta_prime=0.001)
    assert budget(direction="rise") >= budget()
    assert budget() > budget(releases=3) > budget(releases=12)
    assert budget() > budget(group=2) > budget(group=5)


def test_many_releases_tend_to_the_continuous_budget() -> None:
    continuous = gaussian_rho_from_probabilistic(epsilon_prime=1.3, delta_prime=0.01)
    for releases in (1000, 10_000, 100_000):
        promise = DiscreteCertificate(epsilon_prime=1.3, delta_prime=0.01, releases=releases)
        assert releases * promise.largest_rho == pytest.approx(continuous, rel=3 / releases)
        assert releases * promise.every_rho_up_to == pytest.approx(continuous, rel=3 / releases)


def test_the_total_is_so_many_times_each() -> None:
    promise = DiscreteCertificate(epsilon_prime=1.3, delta_prime=0.01, releases=12)
    assert (promise.recommended_each, promise.recommended_total) == (0.0099, 0.1188)


def test_no_shift_no_budget_and_large_failure_probabilities_stop_at_the_mean() -> None:
    assert DiscreteCertificate(epsilon_prime=0.0, delta_prime=0.01).recommended_each == 0.0
    assert DiscreteCertificate(epsilon_prime=0.0, delta_prime=0.01).every_rho_up_to == 0.0
    loose = DiscreteCertificate(epsilon_prime=1.0, delta_prime=0.9, releases=2, group=3)
    assert loose.largest_rho == pytest.approx(1 / 18, rel=1e-11)


@pytest.mark.parametrize(("shift", "releases", "group"), [(1e-15, 1, 1), (1e-13, 10**6, 10**6), (1e-90, 3, 2)])
def test_steps_beyond_the_whole_numbers_of_a_machine_tend_to_the_continuous_budget(
    shift: float, releases: int, group: int
) -> None:
    promise = DiscreteCertificate(epsilon_prime=shift, delta_prime=0.01, releases=releases, group=group)
    continuous = gaussian_rho_from_probabilistic(epsilon_prime=shift, delta_prime=0.01)
    assert releases * group**2 * promise.largest_rho == pytest.approx(continuous, rel=2e-5)
    assert releases * group**2 * promise.every_rho_up_to == pytest.approx(continuous, rel=2e-5)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"epsilon_prime": -1.0}, "epsilon_prime must be at least 0 and finite; got -1.0"),
        ({"delta_prime": 0.0}, r"delta_prime must lie in \(0, 1\); got 0.0"),
        ({"delta_prime": 1.0}, r"delta_prime must lie in \(0, 1\); got 1.0"),
        ({"releases": 0}, "releases must be a whole number from 1 to 1000000; got 0"),
        ({"group": 1.5}, "group must be a whole number from 1 to 1000000; got 1.5"),
        ({"direction": "up"}, "direction must be one of 'rise', 'fall', 'either'; got 'up'"),
    ],
)
def test_a_promise_that_cannot_be_meant_is_refused(changed: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        DiscreteCertificate(**({"epsilon_prime": 1.0, "delta_prime": 0.01} | changed))


@pytest.mark.parametrize("method", ["exceedance", "certifies"])
def test_a_budget_of_zero_is_no_noise_and_is_refused(method: str) -> None:
    promise = DiscreteCertificate(epsilon_prime=1.0, delta_prime=0.01)
    with pytest.raises(ValueError, match="rho must be greater than 0 and finite; got 0"):
        getattr(promise, method)(0)
