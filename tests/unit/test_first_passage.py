"""Passing a shift on a given round and on some round: enumeration, simulation, crossing days, bounds, refusals."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr

from dpcore.composition import BeliefPromise, PlannedRelease, PlanRule, ReleasePlan
from dpcore.first_passage import (
    FirstPassing,
    brownian_passing,
    first_passing,
    first_round_beyond,
    first_round_passed,
    passing_chances,
    safe_rounds,
    ville_bound,
)
from dpcore.guarantees import ApproximateDP, PureDP
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, RandomizedResponse
from dpcore.privacy_loss import PrivacyLoss, loss_parts
from tests.each import each

CAP_99 = math.log(99)


def _atoms(source: Any) -> list[tuple[float, float]]:
    part = loss_parts(source).finite
    assert part is not None
    return list(zip(part.values, np.exp(part.log_mass), strict=True))  # type: ignore[union-attr]


def _enumerated(rows: list[tuple[Any, int]], rounds: int, beyond: Callable[[float], bool]) -> tuple[float, float]:
    """Chances on the last round and on some round, by every combination of losses."""
    one: dict[float, float] = {}
    for pick in itertools.product(*(_atoms(source) for source, count in rows for _ in range(count))):
        total, mass = round(math.fsum(z for z, _ in pick), 12), math.prod(m for _, m in pick)
        one[total] = one.get(total, 0.0) + mass
    given = some = 0.0
    for path in itertools.product(one.items(), repeat=rounds):
        mass, place, ever = math.prod(m for _, m in path), 0.0, False
        for move, _ in path:
            place = round(place + move, 12)
            ever |= beyond(place)
        given += mass * beyond(place)
        some += mass * ever
    return given, some


@pytest.mark.parametrize("direction", ["rise", "fall", "either"])
@pytest.mark.parametrize("side", ["present", "absent"])
@each(
    "rows, rounds, shift",
    [
        ([(Geometric(epsilon=0.7), 1)], 7, 1.3),
        ([(Geometric(epsilon=0.7), 1)], 6, 1.4),  # reached exactly: not beyond
        ([(Geometric(epsilon=0.3), 1), (Geometric(epsilon=0.1), 2)], 4, 0.55),
        ([(RandomizedResponse(epsilon=0.5, categories=4), 1)], 5, 0.75),
        ([(Geometric(epsilon=0.9, sensitivity=3), 1), (RandomizedResponse(epsilon=0.6), 1)], 3, 1.0),
    ],
)
def test_small_plans_agree_with_enumeration(
    rows: list[tuple[Any, int]], rounds: int, shift: float, direction: Any, side: Any
) -> None:
    sign = 1.0 if side == "present" else -1.0  # the loss of one world is minus that of the other
    tests: dict[str, Callable[[float], bool]] = {
        "rise": lambda z: sign * z > shift + 1e-9,
        "fall": lambda z: sign * z < -shift - 1e-9,
        "either": lambda z: abs(z) > shift + 1e-9,
    }
    found = passing_chances(PrivacyLoss(tuple(rows)), shift=shift, rounds=rounds, side=side, direction=direction)
    given, some = _enumerated(rows, rounds, tests[direction])
    assert found.certainty == "exact"
    assert found.error.max() == 0.0
    assert found.given[-1] == pytest.approx(given, rel=1e-11, abs=1e-16)
    assert found.some[-1] == pytest.approx(some, rel=1e-11, abs=1e-16)


def _draw(source: Any, present: bool, size: tuple[int, int], seed: int) -> np.ndarray:
    """Losses of releases of a count that is 1 with the person and 0 without, from the noise itself."""
    generator = np.random.default_rng(seed)
    if isinstance(source, RandomizedResponse):
        kept = generator.random(size) < (source.probability_truthful if present else source.probability_other)
        other = generator.random(size)
        rest = source.probability_other / (1 - source.probability_truthful)
        if present:
            return source.epsilon * (kept.astype(float) - (~kept & (other < rest)))
        truthful = ~kept & (other < source.probability_truthful / (1 - source.probability_other))
        return source.epsilon * (kept.astype(float) - truthful)
    released = source.simulate_noise(size, seed=generator) + (1.0 if present else 0.0)
    if isinstance(source, Gaussian | DiscreteGaussian):
        return source.rho * (2 * released - 1)
    return source.epsilon * (np.abs(released) - np.abs(released - 1))


PATHS = 100_000


@pytest.mark.parametrize(
    ("source", "rounds", "shift"),
    [
        (Gaussian(rho=0.05), 12, 2.2),
        (DiscreteGaussian(rho=0.08), 12, 1.9),
        (Geometric(epsilon=0.4), 15, 1.9),
        (Laplace(epsilon=0.4), 15, 1.5),
        (RandomizedResponse(epsilon=0.5, categories=3), 12, 1.2),
    ],
)
@pytest.mark.parametrize("present", [True, False])
def test_both_chances_agree_with_a_hundred_thousand_paths(
    source: Any, rounds: int, shift: float, present: bool
) -> None:
    paths = np.cumsum(_draw(source, present, (PATHS, rounds), 20 + present), axis=1)
    side: Any = "present" if present else "absent"
    for direction, far in (("rise", paths), ("fall", -paths), ("either", np.abs(paths))):
        found = passing_chances(
            PrivacyLoss.of(source),
            shift=shift,
            rounds=rounds,
            side=side,
            direction=direction,  # type: ignore[arg-type]
        )
        beyond = far > shift + 1e-9
        for exact, simulated in (
            (found.given, beyond.mean(axis=0)),
            (found.some, np.logical_or.accumulate(beyond, axis=1).mean(axis=0)),
        ):
            spread = np.sqrt(np.maximum(exact * (1 - exact), 1e-5) / PATHS)
            assert (np.abs(exact - simulated) < 4.5 * spread).all(), (direction, exact, simulated)
        assert (found.error < 2e-3).all()


def test_daily_counts_pass_on_day_112_and_on_some_day_already_on_105() -> None:
    day = PrivacyLoss.of(Gaussian(rho=0.01))
    assert first_passing(day, shift=CAP_99, failure=0.01, at_most=3650) == FirstPassing(given=112, some=105)
    found = passing_chances(day, shift=CAP_99, rounds=112)
    assert (found.some > 0.01).argmax() + 1 == 105
    assert (found.given > 0.01).argmax() + 1 == 112
    paths = np.random.default_rng(1).normal(0.01, math.sqrt(0.02), (PATHS, 112)).cumsum(axis=1)
    ever = (np.maximum.accumulate(paths, axis=1) > CAP_99).mean(axis=0)
    assert found.some[[104, 111]] == pytest.approx(ever[[104, 111]], abs=4.5 * math.sqrt(0.013 / PATHS))


def test_gaussian_noise_passes_less_often_than_brownian_motion_and_nearly_as_often_in_small_steps() -> None:
    for rho, rounds in ((0.01, 365), (0.0004, 3000)):
        found = passing_chances(PrivacyLoss.of(Gaussian(rho=rho)), shift=CAP_99, rounds=rounds)
        above = brownian_passing(rho=rho, rounds=np.arange(1, rounds + 1), shift=CAP_99)
        assert (found.some_upper <= above + 1e-12).all()
        # Siegmund's correction: the barrier moves by .5826 standard deviations of a round
        nearly = brownian_passing(rho=rho, rounds=rounds, shift=CAP_99 + 0.5826 * math.sqrt(2 * rho))
        assert found.some[-1] == pytest.approx(nearly, rel=2e-3)


def test_rounds_are_looked_at_after_all_their_releases() -> None:
    """Two releases a round: up then down within a round is not seen; released one a round it is."""
    one = passing_chances(PrivacyLoss.of(Geometric(epsilon=1.0)), shift=0.5, rounds=2)
    both = passing_chances(PrivacyLoss.of(Geometric(epsilon=1.0), 2), shift=0.5, rounds=1)
    up = 1 / (1 + math.exp(-1))
    assert one.some[-1] == pytest.approx(up)
    assert [both.some[-1], both.given[-1]] == pytest.approx([up * up, up * up])


def test_mixed_plans_on_a_grid_agree_with_a_lattice_close_by() -> None:
    """Losses that share no step, against ones that do and differ by 1e-7."""
    plan = ((DiscreteGaussian(rho=0.05), 2), (Geometric(epsilon=0.2), 1))
    exact = passing_chances(PrivacyLoss(plan), shift=2.03, rounds=12)
    assert exact.certainty == "exact"
    apart = ((DiscreteGaussian(rho=0.05), 2), (Geometric(epsilon=0.2000001), 1))
    nearby = passing_chances(PrivacyLoss(apart), shift=2.03, rounds=12)
    assert nearby.certainty == "estimate"
    assert nearby.some == pytest.approx(exact.some, abs=1e-3)
    assert (np.abs(nearby.some - exact.some) <= nearby.error + 1e-4).all()
    lattices = passing_chances(
        PrivacyLoss(((Geometric(epsilon=0.3), 1), (Geometric(epsilon=0.2000001), 1))), shift=1.05, rounds=15
    )
    shared = passing_chances(
        PrivacyLoss(((Geometric(epsilon=0.3), 1), (Geometric(epsilon=0.2), 1))), shift=1.05, rounds=15
    )
    assert (lattices.certainty, shared.certainty) == ("estimate", "exact")
    assert lattices.some == pytest.approx(shared.some, abs=1e-3)
    assert lattices.given == pytest.approx(shared.given, abs=1e-3)


def test_wide_discrete_noise_is_its_normal_limit_with_the_difference_told() -> None:
    wide = passing_chances(PrivacyLoss.of(DiscreteGaussian(rho=1e-8)), shift=0.001, rounds=50)
    normal = passing_chances(PrivacyLoss.of(Gaussian(rho=1e-8)), shift=0.001, rounds=50)
    assert wide.certainty == "estimate"
    assert wide.some == pytest.approx(normal.some, rel=1e-9)
    assert (wide.error[10:] > 0).all()


def test_small_chances_keep_their_digits() -> None:
    """Six rises of .1 in a row, and of twelve at least nine: chances of randomised response in closed form."""
    up = 1 / (1 + math.exp(-3.0))
    found = passing_chances(PrivacyLoss.of(Geometric(epsilon=3.0)), shift=17.5, rounds=6, side="absent")
    assert found.some[-1] == pytest.approx((1 - up) ** 6, rel=1e-10, abs=0)
    assert found.given[-1] == pytest.approx((1 - up) ** 6, rel=1e-9, abs=0)


@pytest.mark.parametrize(("shift", "rounds"), [(3.0, 20), (1.0, 40), (0.2, 3), (4.6, 6)])
def test_gaussian_chances_agree_with_another_quadrature(shift: float, rounds: int) -> None:
    """Gauss-Legendre panels instead of a trapezoid, from the last round back instead of forward, without a tilt."""
    rho, panels = 0.02, 60
    std, lowest = math.sqrt(2 * rho), shift - 7.0
    nodes, weights = np.polynomial.legendre.leggauss(24)
    edges = np.linspace(lowest, shift, panels + 1)
    half = (shift - lowest) / panels / 2
    at = ((edges[:-1] + half)[:, None] + half * nodes).ravel()
    share = np.tile(half * weights, panels)
    places = np.append(at, 0.0)
    kernel = np.exp(-(((at[None, :] - places[:, None] - rho) / std) ** 2) / 2) / (std * math.sqrt(2 * math.pi)) * share
    gone = ndtr((places + rho - shift) / std)
    chance = np.zeros(places.size)
    for _ in range(rounds):
        chance = gone + kernel @ chance[:-1]
    found = passing_chances(PrivacyLoss.of(Gaussian(rho=rho)), shift=shift, rounds=rounds)
    assert found.some[-1] == pytest.approx(chance[-1], rel=2e-7, abs=0)
    assert found.given[-1] < found.some[-1] < brownian_passing(rho=rho, rounds=rounds, shift=shift)


def test_a_chance_that_falls_again_does_not_hide_the_first_round_that_breaks() -> None:
    """Geometric .3 and .1 twice a round, difference .6, failure .2: round 24 breaks, 25 does not, 26 does."""
    rows = ((Geometric(epsilon=0.3), 1), (Geometric(epsilon=0.1), 2))
    shift = 4 * math.atanh(0.6)
    loss = PrivacyLoss(rows)
    chances = [loss.times(k).exceedance(shift, direction="either") for k in range(22, 28)]
    assert [chance > 0.2 for chance in chances] == [False, False, True, False, True, True]
    assert first_round_beyond(loss, shift=shift, failure=0.2, at_most=100, direction="either") == 24
    plan = ReleasePlan(tuple(PlannedRelease(source, count) for source, count in rows))
    promise = BeliefPromise.largest_difference(cap=0.6, delta_prime=0.2)
    found = PlanRule(plan, "exact").first_passed(promise, 100)
    assert found.given == 24
    assert found.some is not None
    assert found.some < 24


def test_a_shift_that_no_loss_reaches_is_never_passed() -> None:
    loss = PrivacyLoss.of(Geometric(epsilon=0.5))
    assert first_round_beyond(loss, shift=1.0, failure=0.0, at_most=50) == 3
    assert first_round_beyond(loss, shift=1.0, failure=0.0, at_most=2) is None
    assert first_passing(loss, shift=1.0, failure=0.0, at_most=50) == FirstPassing(given=3, some=3)
    assert first_passing(PrivacyLoss.of(Gaussian(rho=0.1)), shift=9.0, failure=0.0, at_most=5).some == 1
    assert first_passing(loss, shift=1e308, failure=0.0, at_most=9) == FirstPassing(given=None, some=None)
    tiny = PrivacyLoss.of(Geometric(epsilon=1e-300))
    assert first_round_beyond(tiny, shift=1e10, failure=0.0, at_most=9) is None
    assert passing_chances(loss, shift=1.0, rounds=2).some[-1] == 0.0
    assert passing_chances(PrivacyLoss.of(RandomizedResponse(epsilon=0.0)), shift=1.0, rounds=4).some[-1] == 0.0
    assert first_passing(loss, shift=400.0, failure=0.01, at_most=100) == FirstPassing(given=None, some=None)


def test_safe_rounds_are_safe_and_not_far_from_the_first_that_is_not() -> None:
    for loss in (PrivacyLoss.of(Gaussian(rho=0.01)), PrivacyLoss.of(Laplace(epsilon=0.2))):
        for direction in ("rise", "either"):
            safe = safe_rounds(loss, shift=2.0, failure=0.02, direction=direction)  # type: ignore[arg-type]
            found = first_passing(loss, shift=2.0, failure=0.02, at_most=500, direction=direction)  # type: ignore[arg-type]
            assert found.some is not None
            assert 0.5 * found.some < safe < found.some
    assert safe_rounds(PrivacyLoss.of(Gaussian(rho=0.01)), shift=0.0, failure=0.02) == 0
    assert safe_rounds(PrivacyLoss.of(Gaussian(rho=0.01)), shift=2.0, failure=0.0) == 0


def test_ville_bounds_what_happens_though_the_secret_is_false() -> None:
    assert ville_bound([0.0, math.log(99)]).tolist() == pytest.approx([1.0, 1 / 99])  # type: ignore[union-attr]
    found = passing_chances(PrivacyLoss.of(Gaussian(rho=0.02)), shift=1.0, rounds=2000, side="absent")
    assert 0.8 * ville_bound(1.0) < found.some_upper[-1] < ville_bound(1.0)  # nearly reached by many small steps


GEOMETRIC = PrivacyLoss.of(Geometric(epsilon=0.1))


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda: passing_chances(PrivacyLoss.of(PureDP(epsilon=0.1)), shift=0.5, rounds=10),
            r"source must be a mechanism, a guarantee alone has no law of tails; got PureDP",
        ),
        (
            lambda: first_passing(
                PrivacyLoss.of(ApproximateDP(epsilon=0.1, delta=1e-6)), shift=0.5, failure=0.1, at_most=9
            ),
            "a guarantee alone has no law of tails; got ApproximateDP",
        ),
        (
            lambda: passing_chances(GEOMETRIC, shift=0.5, rounds=0),
            "rounds must be a whole number from 1 to 100000; got 0",
        ),
        (lambda: passing_chances(GEOMETRIC, shift=-0.5, rounds=1), "shift must be at least 0 and finite; got -0.5"),
        (
            lambda: passing_chances(GEOMETRIC, shift=0.5, rounds=1, side="both"),  # type: ignore[arg-type]
            "side must be one of 'present', 'absent'; got 'both'",
        ),
        (
            lambda: passing_chances(GEOMETRIC, shift=0.5, rounds=1, direction="up"),  # type: ignore[arg-type]
            "direction must be one of 'rise', 'fall', 'either'; got 'up'",
        ),
        (
            lambda: first_passing(GEOMETRIC, shift=0.5, failure=1.0, at_most=9),
            r"failure must lie in \[0, 1\); got 1.0",
        ),
        (
            lambda: first_passing(GEOMETRIC, shift=0.5, failure=0.1, at_most=0),
            "at_most must be a whole number from 1 to 100000; got 0",
        ),
        (
            lambda: first_round_beyond(GEOMETRIC, shift=-5.0, failure=0.0, at_most=9),
            "shift must be at least 0 and finite; got -5.0",
        ),
        (
            lambda: first_round_passed(GEOMETRIC, shift=math.nan, failure=0.0, at_most=9),
            "shift must be at least 0 and finite; got nan",
        ),
        (
            lambda: safe_rounds(Geometric(epsilon=0.1), shift=1.0, failure=0.1),  # type: ignore[arg-type]
            r"loss must be a loss such as PrivacyLoss.of\(Geometric\(epsilon=0.1\)\); got Geometric\(epsilon=0.1",
        ),
        (
            lambda: passing_chances(Geometric(epsilon=0.1), shift=1.0, rounds=2),  # type: ignore[arg-type]
            r"loss must be a loss such as",
        ),
        (lambda: ville_bound(-1.0), "shift must be at least 0 and finite; got -1.0"),
        (lambda: brownian_passing(rho=0.0, rounds=1, shift=1.0), "rho must be greater than 0 and finite; got 0.0"),
        (lambda: brownian_passing(rho=0.1, rounds=0, shift=1.0), "rounds must be at least 1 and finite; got 0.0"),
        (lambda: brownian_passing(rho=0.1, rounds=1, shift=0.0), "shift must be greater than 0 and finite; got 0.0"),
    ],
)
def test_bad_values_are_refused_by_name_rule_and_value(call: Callable[[], Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        call()
