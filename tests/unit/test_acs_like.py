"""ACS-like records: a known joint law, moved in time and place."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from dpcore.acs_like import LEVELS, AcsLikePopulation, acs_like
from tests.each import each

_HALVES = np.array([0.5, 0.5])
SHIFTS = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (0.5, -2.0)]


@pytest.mark.parametrize(("time", "place"), SHIFTS)
def test_the_law_adds_up_to_one_and_misses_no_cell(time: float, place: float) -> None:
    population = acs_like(time_shift=time, place_shift=place)
    assert population.probabilities.sum() == pytest.approx(1.0)
    assert population.probabilities.min() > 0
    assert population.probabilities.shape == population.sizes == (10, 6, 4, 5, 2, 2)


def test_fewer_attributes_are_the_marginal_of_all() -> None:
    everything = acs_like(time_shift=0.5, attributes=tuple(LEVELS))
    pair = acs_like(time_shift=0.5, attributes=("income", "age"))
    names = list(LEVELS)
    kept = everything.probabilities.sum(axis=tuple(i for i, name in enumerate(names) if name not in ("income", "age")))
    np.testing.assert_allclose(pair.probabilities, kept.T)
    np.testing.assert_allclose(pair.marginal("age"), everything.marginal("age"))


def test_time_raises_insurance_and_place_lowers_citizenship() -> None:
    base = acs_like()
    assert acs_like(time_shift=1).marginal("insured")[1] > base.marginal("insured")[1]
    assert acs_like(place_shift=1).marginal("citizen")[1] < base.marginal("citizen")[1]


def test_a_population_does_not_diverge_from_itself_and_more_shift_diverges_more() -> None:
    base = acs_like()
    found = [
        acs_like(time_shift=shift, place_shift=shift).divergence_from(base, order=2) for shift in (0, 0.25, 0.5, 1)
    ]
    assert found[0] == pytest.approx(0.0, abs=1e-12)
    assert found == sorted(found)
    shifted = acs_like(time_shift=1)
    assert shifted.divergence_from(base, order=2) < shifted.divergence_from(base, order=math.inf)
    far, other = acs_like(time_shift=2), acs_like(time_shift=-2, place_shift=-2)
    assert far.divergence_from(other, order=1.7e308) == pytest.approx(far.divergence_from(other, order=math.inf))


def test_the_divergence_is_the_log_of_the_mean_ratio() -> None:
    base, shifted = acs_like(), acs_like(time_shift=1, place_shift=0.5)
    moment = np.sum(shifted.probabilities**2 / base.probabilities)
    assert shifted.divergence_from(base, order=2) == pytest.approx(math.log(moment))


@each("order", [1 + 1e-15, 1.5, 40.0, 2000.0])
def test_the_divergence_keeps_its_digits_at_orders_near_one_and_large(order: float) -> None:
    base, shifted = (
        acs_like(attributes=("education", "income")),
        acs_like(time_shift=1, attributes=("education", "income")),
    )
    with mpmath.workdps(60):
        pairs = zip(shifted.probabilities.ravel().tolist(), base.probabilities.ravel().tolist(), strict=True)
        alpha, law = mpmath.mpf(order), [(mpmath.mpf(p), mpmath.mpf(q)) for p, q in pairs]
        mass = [mpmath.fsum(side) for side in zip(*law, strict=True)]
        moment = mpmath.fsum((p / mass[0]) ** alpha / (q / mass[1]) ** (alpha - 1) for p, q in law)
        exact = float(mpmath.log(moment) / (alpha - 1))
    assert shifted.divergence_from(base, order=order) == pytest.approx(exact, rel=1e-12)


def test_a_record_that_only_the_other_population_has_adds_nothing() -> None:
    some, all_ = AcsLikePopulation(("sex",), 0, 0, [0.0, 1.0]), AcsLikePopulation(("sex",), 0, 0, [0.5, 0.5])  # type: ignore[arg-type]
    for order in (1.5, 2.0, math.inf):
        assert some.divergence_from(all_, order=order) == pytest.approx(math.log(2))
        assert all_.divergence_from(some, order=order) == math.inf


def test_draws_follow_the_marginals() -> None:
    population = acs_like(place_shift=1)
    rows = population.draw(40_000, seed=4)
    for column, name in enumerate(population.attributes):
        seen = np.bincount(rows[:, column], minlength=len(LEVELS[name])) / len(rows)
        np.testing.assert_allclose(seen, population.marginal(name), atol=0.012)
    np.testing.assert_array_equal(rows, population.draw(40_000, seed=4))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: acs_like(time_shift=2.5), r"time_shift must lie in \[-2, 2\]; got 2.5"),
        (lambda: acs_like(place_shift=math.nan), r"place_shift must lie in \[-2, 2\]; got nan"),
        (lambda: acs_like(attributes=("age", "shoe")), "attributes must be one of 'age', 'education'"),
        (
            lambda: acs_like(attributes=("age", "age")),
            r"attributes must be distinct and at least one; got \['age', 'age'\]",
        ),
        (lambda: acs_like(attributes=()), r"attributes must be distinct and at least one; got \[\]"),
        (lambda: acs_like().marginal("sex"), "attribute must be one of 'age'"),
        (lambda: acs_like().draw(0, seed=1), "records must be a whole number from 1 to 5000000; got 0"),
        (lambda: acs_like().draw(1, seed=-1), "seed must be a whole number of at least 0; got -1"),
        (lambda: acs_like().divergence_from(acs_like(), order=1), "order must be greater than 1"),
        (
            lambda: acs_like().divergence_from(acs_like(attributes=("age",)), order=2),
            "other must have the same attributes",
        ),
        (lambda: acs_like(attributes=None), r"attributes must be names such as \('age', 'income'\); got None"),  # type: ignore[arg-type]
        (lambda: acs_like().divergence_from(3, order=2), r"other must be a population such as acs_like\(\); got 3"),  # type: ignore[arg-type]
        (lambda: AcsLikePopulation(("sex",), math.nan, 0, _HALVES), r"time_shift must lie in \[-2, 2\]; got nan"),
        (lambda: AcsLikePopulation(("shoe",), 0, 0, _HALVES), "attributes must be one of 'age'"),
        (lambda: AcsLikePopulation(("race",), 0, 0, _HALVES), r"probabilities must have the shape \(4,\); got \(2,\)"),
        (lambda: AcsLikePopulation(("sex",), 0, 0, _HALVES * 3), r"probabilities must lie in \[0, 1\]; got 1.5"),
        (lambda: AcsLikePopulation(("sex",), 0, 0, _HALVES / 2), "probabilities must add up to 1; got a sum of 0.5"),
    ],
)
def test_refusals(call: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()  # type: ignore[operator]
