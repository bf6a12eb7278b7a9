"""Budgets for readers who are unsure about others: the profile's formula by other means, and mixtures that pass."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq, minimize_scalar

from dpcore.discrete_certificate import DiscreteCertificate
from dpcore.errors import Code, Refused
from dpcore.guarantees import gaussian_delta, gaussian_every_view_exceedance
from dpcore.profile_certificate import ProfileCertificate
from dpcore.profiles import CapOrRatio, budget
from dpcore.schema import Change, Counts, Schema
from dpcore.scope import KNOWS_ALL, UNSURE_INDEPENDENTLY, Reader

SHIFT = math.log(11 / 3)  # the default line: prior 1 in 12, a cap of 25 in 100
REACH = np.arange(-60, 61)


def noise(rho: float) -> np.ndarray:
    weights = np.exp(-rho * REACH.astype(float) ** 2)
    return weights / weights.sum()


def passing(rho: float, others: list[float], shift: float = SHIFT) -> float:
    """P[log odds rise by more than the shift], for a reader to whom so many others count with these chances."""
    absent = noise(rho)
    for chance in others:
        absent = (1 - chance) * absent + chance * np.roll(absent, 1)
    present = np.roll(absent, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        rises = np.log(present) - np.log(absent) > shift * (1 + 1e-12)
    return float(present[rises].sum())


def by_formula(rho: float, shift: float = SHIFT) -> float:
    """min over epsilon of delta(epsilon)/(1 - e^(epsilon - shift)), delta summed over the outputs."""
    absent = noise(rho)
    present = np.roll(absent, 1)

    def bound(epsilon: float) -> float:
        return float(np.maximum(present - math.exp(epsilon) * absent, 0).sum()) / -math.expm1(epsilon - shift)

    grid = np.linspace(0, shift * 0.999, 400)
    best = int(np.argmin([bound(epsilon) for epsilon in grid]))
    near = minimize_scalar(bound, bounds=(grid[max(best - 1, 0)], grid[min(best + 1, 399)]), method="bounded")
    return min(bound(grid[best]), float(near.fun))


def test_an_exact_tail_does_not_hold_for_who_is_unsure_about_one_other_person() -> None:
    promise = DiscreteCertificate(epsilon_prime=SHIFT, delta_prime=0.01)
    assert promise.recommended_each == 0.14
    assert passing(0.14, []) <= 0.01
    assert round(passing(0.14, [0.5]), 4) == 0.0192
    assert round(max(passing(0.14, [share]) for share in np.linspace(0, 1, 1001)), 4) == 0.0215


def test_the_budget_by_the_profile_holds_whatever_is_not_known_about_others() -> None:
    rho = ProfileCertificate(epsilon_prime=SHIFT, delta_prime=0.01).largest_rho
    rng = np.random.default_rng(7)
    worst = 0.0
    for size in (0, 1, 1, 1, 2, 3, 5, 10):
        for _ in range(60):
            worst = max(worst, passing(rho, rng.uniform(0, 1, size).tolist()))
    assert 0.005 < worst <= 0.01


@pytest.mark.parametrize("rho", [0.02, 0.1, 0.14, 0.6])
def test_the_chance_of_passing_is_the_least_over_all_epsilons(rho: float) -> None:
    discrete = ProfileCertificate(epsilon_prime=SHIFT, delta_prime=0.01)
    assert discrete.exceedance(rho) == pytest.approx(by_formula(rho), rel=1e-5)
    gaussian = ProfileCertificate(epsilon_prime=SHIFT, delta_prime=0.01, noise="gaussian")
    assert gaussian.exceedance(rho) == pytest.approx(
        float(gaussian_every_view_exceedance(rho=rho, epsilon_prime=SHIFT)), rel=1e-6
    )
    for epsilon in np.linspace(0, SHIFT * 0.99, 12):
        assert gaussian.exceedance(rho) <= float(gaussian_delta(epsilon=epsilon, rho=rho)) / -math.expm1(
            epsilon - SHIFT
        )


def test_the_default_line_allows_less_to_who_is_unsure_about_others() -> None:
    discrete = ProfileCertificate(epsilon_prime=SHIFT, delta_prime=0.01)
    assert discrete.largest_rho == pytest.approx(brentq(lambda rho: by_formula(rho) - 0.01, 0.05, 0.2), rel=1e-5)
    assert (round(discrete.largest_rho, 3), discrete.recommended_each) == (0.106, 0.1)
    gaussian = ProfileCertificate(epsilon_prime=SHIFT, delta_prime=0.01, noise="gaussian")
    assert (round(gaussian.largest_rho, 4), gaussian.recommended_each) == (0.1024, 0.1)
    assert discrete.shift(discrete.largest_rho) <= SHIFT
    assert not discrete.certifies(discrete.largest_rho * 1.00001)


def test_a_unit_that_can_change_several_numbers_is_certified_at_its_worst_change() -> None:
    changes = Schema((Counts(cells=9, most_cells=2),)).changes(0, "add_or_remove", group=2)
    assert Change((2.0, 2.0)) in changes
    table = ProfileCertificate(epsilon_prime=SHIFT, delta_prime=0.01, releases=2, changes=changes)
    alone = [
        ProfileCertificate(epsilon_prime=SHIFT, delta_prime=0.01, releases=2, changes=(change,)) for change in changes
    ]
    assert table.largest_rho == pytest.approx(min(one.largest_rho for one in alone), rel=1e-6)
    assert table.exceedance(0.02) == max(one.exceedance(0.02) for one in alone)
    longest = ProfileCertificate(epsilon_prime=SHIFT, delta_prime=0.01, noise="gaussian", changes=changes)
    assert longest.largest_rho == pytest.approx(
        ProfileCertificate(epsilon_prime=SHIFT, delta_prime=0.01, noise="gaussian").largest_rho / 8, rel=1e-6
    )


@pytest.mark.parametrize("route", ["gaussian", "discrete gaussian"])
@pytest.mark.parametrize(("releases", "group"), [(1, 1), (4, 1), (1, 3), (12, 2)])
def test_a_budget_names_its_reader_and_is_smaller_for_who_is_unsure(route: str, releases: int, group: int) -> None:
    line = CapOrRatio(0.25, 3, value_prior=1.0)
    asked = {"route": route, "delta_prime": 0.01, "releases": releases, "group": group}
    known = budget(line, **asked)  # type: ignore[arg-type]
    unsure = budget(line, reader=UNSURE_INDEPENDENTLY, **asked)  # type: ignore[arg-type]
    assert (known.reader, unsure.reader) == (KNOWS_ALL, UNSURE_INDEPENDENTLY)
    assert unsure.total.rho < known.total.rho  # type: ignore[union-attr]
    assert isinstance(unsure.profile_certificate, ProfileCertificate)
    assert unsure.profile_certificate.certifies(unsure.recommended_each)
    assert unsure.recommended_total == pytest.approx(releases * unsure.recommended_each, rel=1e-12)
    assert unsure.each.rho == pytest.approx(unsure.profile_certificate.largest_rho)  # type: ignore[union-attr]


def test_other_routes_hold_for_who_is_unsure_already() -> None:
    line = CapOrRatio(0.25, 3, value_prior=1.0)
    for route in ("pure", "zero-concentrated", "zero-concentrated, published route"):
        failure = None if route == "pure" else 0.01
        found = budget(line, route=route, delta_prime=failure)
        assert found == budget(line, route=route, delta_prime=failure, answer=found.answer, reader=UNSURE_INDEPENDENTLY)
        assert found.reader == UNSURE_INDEPENDENTLY


def test_no_shift_is_no_budget_and_refusals_name_the_rule() -> None:
    assert ProfileCertificate(epsilon_prime=0.0, delta_prime=0.01).largest_rho == 0.0
    assert ProfileCertificate(epsilon_prime=0.0, delta_prime=0.01).recommended_each == 0.0
    with pytest.raises(Refused, match=r"epsilon_prime must be at least 0 and finite; got -1"):
        ProfileCertificate(epsilon_prime=-1, delta_prime=0.01)
    with pytest.raises(Refused, match=r"delta_prime must lie in \(0, 1\); got 0"):
        ProfileCertificate(epsilon_prime=1, delta_prime=0)
    with pytest.raises(Refused, match=r"noise must be one of 'gaussian', 'discrete_gaussian'; got 'laplace'"):
        ProfileCertificate(epsilon_prime=1, delta_prime=0.01, noise="laplace")
    with pytest.raises(Refused, match=r"releases must be a whole number of at least 1; got 0"):
        ProfileCertificate(epsilon_prime=1, delta_prime=0.01, releases=0)
    for none in ((), (1.0,), Change((1.0,))):
        with pytest.raises(Refused, match=r"changes must be changes such as"):
            ProfileCertificate(epsilon_prime=1, delta_prime=0.01, changes=none)  # type: ignore[arg-type]
    with pytest.raises(Refused, match=r"amounts must be whole numbers; got 1.5"):
        ProfileCertificate(epsilon_prime=1, delta_prime=0.01, changes=(Change((1.5,)),))
    assert ProfileCertificate(epsilon_prime=1, delta_prime=0.01, noise="gaussian", changes=(Change((1.5,)),))
    for method in ("shift", "exceedance", "certifies"):
        with pytest.raises(Refused, match=r"rho must be greater than 0 and finite; got 0"):
            getattr(ProfileCertificate(epsilon_prime=1, delta_prime=0.01), method)(0)
    line = CapOrRatio(0.25, 3, value_prior=1.0)
    with pytest.raises(Refused, match=r"reader must be one that a bound for 'unsure_independently' holds for") as found:
        budget(line, reader=Reader("relatives", (UNSURE_INDEPENDENTLY,)))
    assert found.value.code is Code.TOO_NARROW
    with pytest.raises(Refused, match=r"reader must be a reader such as KNOWS_ALL"):
        budget(line, reader="everybody")  # type: ignore[arg-type]
