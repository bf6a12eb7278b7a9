"""Certified budgets of discrete Gaussian noise, against the law of the noise summed here by other means."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from scipy.fft import irfft, next_fast_len, rfft

from dpcore.discrete_certificate import DiscreteCertificate
from dpcore.guarantees import gaussian_rho_from_probabilistic
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from dpcore.privacy_loss import DIRECTIONS, PrivacyLoss
from dpcore.schema import Change, Counts, Schema
from dpcore.worst_change import WorstChange, losses_of_changes

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


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.study) for seed in range(4, 13))])
def test_no_certified_budget_of_random_promises_fails_too_often(seed: int) -> None:
    for promise in drawn(seed, 16):
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
        for rho in np.geomspace(best * (1 + 1e-6), 3 * best, 75 if releases < 100 else 25):
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


# ---- tables ----------------------------------------------------------------------------------------------------------


def listed(rho: float, amounts: tuple[float, ...], shift: float, *, either: bool = True) -> float:
    """P[the log odds move by more than the shift], by listing the noise of every count and convolving the losses."""
    reach = math.ceil(14 / math.sqrt(2 * rho)) + 4
    y = np.arange(-reach, reach + 1)
    weights = np.exp(-rho * y.astype(float) ** 2)
    law: dict[int, float] = {0: 1.0}
    for amount in amounts:
        found: dict[int, float] = {}
        for n, mass in law.items():
            for value, weight in zip(y.tolist(), (weights / weights.sum()).tolist(), strict=True):
                at = n + int(amount) * (2 * value + int(amount))
                found[at] = found.get(at, 0.0) + mass * weight
        law = found
    beyond = shift * (1 + 1e-12)
    return sum(mass for n, mass in law.items() if rho * n > beyond or (either and -rho * n > beyond))


def test_a_table_fails_as_often_as_its_worst_change() -> None:
    changes = Schema((Counts(cells=9, most_cells=2),)).changes(0, "add_or_remove")
    table = DiscreteCertificate(epsilon_prime=SHIFT, delta_prime=0.01, changes=changes)
    for rho in (0.02, 0.06, 0.0651, 0.1, 0.14, 0.5):
        alone = [listed(rho, change.amounts, SHIFT) for change in changes]
        assert table.exceedance(rho) == pytest.approx(max(alone), rel=1e-9)
    assert table.recommended_each == 0.064
    assert listed(0.14, (1.0,), SHIFT) <= 0.01 < listed(0.14, (1.0, 1.0), SHIFT)  # what one count certifies is too much


def test_fewer_cells_can_fail_a_promise_more_often_than_all_of_them() -> None:
    """Half the odds up: of noise with ε = 1 one cell passes .5 with .731, two with .534; so a budget can turn round."""
    one, both = Change((1.0,)), Change((1.0, 1.0))
    promise = {"epsilon_prime": 0.5, "delta_prime": 0.3, "direction": "rise"}
    table = DiscreteCertificate(changes=(one, both), **promise)  # type: ignore[arg-type]
    full = DiscreteCertificate(changes=(both,), **promise)  # type: ignore[arg-type]
    worse = [rho for rho in np.geomspace(0.02, 1, 200) if listed(rho, (1.0,), 0.5) > listed(rho, (1.0, 1.0), 0.5)]
    assert any(full.exceedance(rho) < table.exceedance(rho) for rho in worse)
    geometric = WorstChange(losses_of_changes(Geometric(epsilon=1.0), (one, both)))
    assert round(geometric.exceedance(0.5), 3) == 0.731
    assert round(WorstChange(losses_of_changes(Geometric(epsilon=1.0), (both,))).exceedance(0.5), 3) == 0.534


@pytest.mark.parametrize(("group", "direction"), [(2, "rise"), (3, "either")])
def test_a_household_split_over_cells_keeps_a_certified_budget(group: int, direction: str) -> None:
    changes = Schema((Counts(cells=9),)).changes(0, "add_or_remove", group=group)
    assert {change.amounts for change in changes} >= {(float(group),), (1.0,) * group}
    for epsilon_prime, delta_prime in ((SHIFT, 0.01), (0.4, 0.1), (3.0, 1e-4)):
        promise = DiscreteCertificate(
            epsilon_prime=epsilon_prime,
            delta_prime=delta_prime,
            changes=changes,
            direction=direction,  # type: ignore[arg-type]
        )
        for rho in (promise.largest_rho, promise.recommended_each):
            for change in changes:
                failing = listed(rho, change.amounts, epsilon_prime, either=direction == "either")
                assert failing <= delta_prime * (1 + 1e-9), (change, rho)


def test_one_count_as_a_table_is_one_count() -> None:
    for releases in (1, 4):
        one = DiscreteCertificate(epsilon_prime=SHIFT, delta_prime=0.01, releases=releases)
        table = DiscreteCertificate(epsilon_prime=SHIFT, delta_prime=0.01, releases=releases, changes=(Change((1.0,)),))
        assert table.largest_rho == pytest.approx(one.largest_rho, rel=1e-9)
        assert table.exceedance(0.1) == pytest.approx(one.exceedance(0.1), rel=1e-9)


def test_what_a_table_refuses() -> None:
    changes = (Change((1.0,)), Change((1.0, 1.0)))
    with pytest.raises(ValueError, match="group must be 1 where changes are given; got 2"):
        DiscreteCertificate(epsilon_prime=1.0, delta_prime=0.01, group=2, changes=changes)
    with pytest.raises(ValueError, match="changes must be left out to certify every smaller rho"):
        _ = DiscreteCertificate(epsilon_prime=1.0, delta_prime=0.01, changes=changes).every_rho_up_to
    with pytest.raises(ValueError, match=r"amounts must be whole numbers; got 0.5"):
        DiscreteCertificate(epsilon_prime=1.0, delta_prime=0.01, changes=(Change((0.5,)),))
    with pytest.raises(ValueError, match=r"changes must be changes such as .*; got \(\)"):
        losses_of_changes(Geometric(epsilon=1.0), ())
    with pytest.raises(ValueError, match=r"changes must be changes such as"):
        losses_of_changes(Geometric(epsilon=1.0), (1.0,))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"mechanism must be noise of a number moved by one; got 1.0"):
        losses_of_changes(1.0, changes)
    with pytest.raises(ValueError, match=r"mechanism must be noise of a number moved by one; got Geometric"):
        losses_of_changes(Geometric(epsilon=1.0, sensitivity=2), changes)
    with pytest.raises(ValueError, match=r"releases must be a whole number of at least 1; got 0"):
        losses_of_changes(Geometric(epsilon=1.0), changes, releases=0)
    with pytest.raises(ValueError, match=r"losses must hold at least one; got \(\)"):
        WorstChange(())
    for losses in (3, (3,)):
        with pytest.raises(ValueError, match=r"losses must be losses such as losses_of_changes\(.*; got 3"):
            WorstChange(losses)  # type: ignore[arg-type]


def test_the_worst_change_is_told_for_every_noise() -> None:
    changes = (Change((1.0,)), Change((2.0,)), Change((1.0, 1.0)))
    for noise in (Geometric(epsilon=0.7), Laplace(epsilon=0.7), DiscreteGaussian(rho=0.2), Gaussian(rho=0.2)):
        worst = WorstChange(losses_of_changes(noise, changes, releases=2))
        alone = [WorstChange(losses_of_changes(noise, (change,), releases=2)) for change in changes]
        for shift, direction in itertools.product((0.2, 0.9, 2.0), DIRECTIONS):
            most = max(one.exceedance(shift, direction=direction) for one in alone)
            assert worst.exceedance(shift, direction=direction) == pytest.approx(most, rel=1e-12)
        for level in (0.6, 0.99):
            assert worst.loss_quantile(level) == max(one.loss_quantile(level) for one in alone)
            least = worst.loss_quantile(1 - level, side="absent")
            assert least == min(one.loss_quantile(1 - level, side="absent") for one in alone)
