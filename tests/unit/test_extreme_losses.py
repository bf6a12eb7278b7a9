"""Next to certainty and next to none: losses, deltas and shifts keep their relative accuracy, against mpmath."""

from __future__ import annotations

from collections.abc import Iterator

import mpmath as mp
import pytest

from dpcore.composition import optimal_promise
from dpcore.composition.rules import spare_delta
from dpcore.guarantees import ApproximateDP, PureDP
from dpcore.mechanisms import Gaussian, Laplace
from dpcore.privacy_loss import PrivacyLoss

FAILURES = (0.01, 0.4, 0.7, 0.99)


@pytest.fixture(autouse=True)
def _digits() -> Iterator[None]:
    with mp.workdps(50):
        yield


def _atoms(count: int, epsilon: float) -> list[tuple[mp.mpf, mp.mpf]]:
    """Mass and loss of so many randomised responses, the most telling first."""
    eps = mp.mpf(epsilon)
    all_of = (1 + mp.exp(eps)) ** count
    return [
        (mp.binomial(count, wrong) * mp.exp((count - wrong) * eps) / all_of, (count - 2 * wrong) * eps)
        for wrong in range(count + 1)
    ]


def _delta(count: int, epsilon: float, at: mp.mpf) -> mp.mpf:
    return mp.fsum(mass * (1 - mp.exp(at - loss)) for mass, loss in _atoms(count, epsilon) if loss > at)


NEXT_TO_ONE = [(1, 1.0, 1e-9, 0.5), (2, 0.5, 1e-6, 0.1), (5, 2.0, 1e-11, 0.9), (3, 0.1, 1e-8, 0.01)]
"""Releases, epsilon of each, how much all their deltas leave, and how much of that the total delta leaves."""


@pytest.mark.parametrize(("count", "epsilon", "kept", "share"), NEXT_TO_ONE)
def test_deltas_next_to_one_keep_what_they_leave(count: int, epsilon: float, kept: float, share: float) -> None:
    each = 1 - kept ** (1 / count)
    really_kept = (1 - mp.mpf(each)) ** count
    total = float(1 - really_kept * share)
    spare = 1 - (1 - mp.mpf(total)) / really_kept
    assert spare_delta(count, each, total) == pytest.approx(float(spare), rel=1e-13, abs=0.0)
    found = optimal_promise(releases=count, epsilon=epsilon, delta_each=each, delta_prime=total).epsilon_prime
    shifts = []
    for steps in range(count // 2 + 1):
        at = (count - 2 * steps) * mp.mpf(epsilon)
        over = (1 - really_kept * (1 - _delta(count, epsilon, at))) / total
        if over < 1:
            shifts.append(at + mp.log1p(over * mp.exp(-at)) - mp.log(1 - over))
    assert found == pytest.approx(float(min(shifts)), rel=1e-13, abs=0.0)
    loss = PrivacyLoss(((ApproximateDP(epsilon=epsilon, delta=each), count),))
    answer = mp.mpf(loss.epsilon_at(total))
    told = float(_delta(count, epsilon, answer))
    assert told == pytest.approx(float(spare), rel=1e-12, abs=0.0) if answer else told <= spare


@pytest.mark.parametrize("epsilon", [1e-12, 1e-8, 1e-3, 1.0])
@pytest.mark.parametrize("failure", FAILURES)
def test_the_bound_over_every_view_is_as_accurate_as_it_is_small(epsilon: float, failure: float) -> None:
    level, eps = mp.mpf(failure), mp.mpf(epsilon)
    for count in (1, 5):
        left, absent = level, mp.mpf(0)
        for mass, loss in _atoms(count, epsilon):
            absent, left = absent + min(mass, left) * mp.exp(-loss), left - min(mass, left)
        found = PrivacyLoss(((PureDP(epsilon=epsilon), count),)).every_view_epsilon(failure)
        assert found == pytest.approx(float(mp.log(level / absent)), rel=1e-13, abs=0.0)
    normal = Gaussian(rho=epsilon**2 / 2)
    cut = mp.findroot(lambda x: mp.ncdf(x) - level, 0)
    expected = mp.log(level / mp.ncdf(cut - mp.sqrt(2 * mp.mpf(normal.rho))))
    assert PrivacyLoss.of(normal).every_view_epsilon(failure) == pytest.approx(float(expected), rel=1e-13, abs=0.0)
    if failure <= 0.5:
        expected = eps
    elif eps + mp.log(2 * (1 - level)) <= 0:
        expected = mp.log(level) - mp.log(1 - (1 - level) * mp.exp(eps))
    else:
        expected = mp.log(4 * level * (1 - level)) + eps
    assert PrivacyLoss.of(Laplace(epsilon=epsilon)).every_view_epsilon(failure) == pytest.approx(
        float(expected), rel=1e-13, abs=0.0
    )
