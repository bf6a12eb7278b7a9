"""Intervals hold all that a quantity and its slopes can be over a box, no more, and an exact 0 where it is one."""

from __future__ import annotations

import operator
from collections.abc import Callable

import numpy as np
import pytest

from dpcore._checks import FloatArray
from dpcore.profiles.intervals import Interval, Sloped

ENDS = np.array([-3.0, -0.5, 0.0, 0.05, 0.7, 4.0])
LOW, HIGH = (ENDS[place] for place in np.triu_indices(ENDS.size))
ONE = Interval(np.ones(()), np.ones(()))
FIRST, SECOND = (place.ravel() for place in np.indices((LOW.size, LOW.size)))


def inside(low: FloatArray, high: FloatArray) -> FloatArray:
    """Points of each interval, its ends and what lies nearest to 0 among them."""
    return np.stack([low, high, np.clip(0.0, low, high), low + (high - low) / 3])


def grid(one: FloatArray, other: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Each point of one with each of the other, for each box."""
    return np.repeat(one, len(other), axis=0), np.tile(other, (len(one), 1))


def check(found: Interval | None, values: FloatArray, least_number: float = 0.0) -> None:
    """All values lie in the interval, and its ends are values, but for roundings; an end that is 0 is 0."""
    assert found is not None
    low, high = np.broadcast_to(found.low, values.shape[1:]), np.broadcast_to(found.high, values.shape[1:])
    least, most = values.min(axis=0), values.max(axis=0)
    assert (low <= least).all()
    assert (most <= high).all()
    assert low == pytest.approx(least, rel=1e-14, abs=least_number)
    assert high == pytest.approx(most, rel=1e-14, abs=least_number)


@pytest.mark.parametrize("least", [-3.0, 0.0])
@pytest.mark.parametrize("together", [operator.add, operator.sub, operator.mul])
def test_what_two_quantities_are_together_is_held(together: Callable[..., FloatArray], least: float) -> None:
    kept = (LOW[FIRST] >= least) & (LOW[SECOND] >= least)
    first, second = FIRST[kept], SECOND[kept]
    found = together(Interval(LOW[first], HIGH[first]), Interval(LOW[second], HIGH[second]))
    values = together(*grid(inside(LOW[first], HIGH[first]), inside(LOW[second], HIGH[second])))
    check(found, values, 1e-300)
    one_sign = (LOW >= 0) | (HIGH <= 0)
    settled = one_sign[first] & one_sign[second]
    check(Interval(found.low[settled], found.high[settled]), values[:, settled])


def test_one_over_an_interval_is_everything_where_0_lies_inside_and_without_end_where_it_is_an_end() -> None:
    found = Interval(LOW, HIGH).reciprocal()
    for low, high, least, most in zip(LOW, HIGH, found.low, found.high, strict=True):
        if low < 0 < high or low == high == 0:
            assert (least, most) == (-np.inf, np.inf)
        else:
            ends = (1 / high if high else -np.inf, 1 / low if low else np.inf)
            assert (least, most) == pytest.approx(ends, rel=1e-15, abs=0)
            assert least <= ends[0]
            assert most >= ends[1]


ROOTS: dict[str, tuple[Callable[[Sloped], Sloped], Callable, Callable]] = {
    "exp": (Sloped.exp, np.exp, np.exp),
    "log": (Sloped.log, np.log, lambda x: 1 / x),
    "sqrt": (Sloped.sqrt, np.sqrt, lambda x: 0.5 / np.sqrt(x)),
    "one over": (Sloped.reciprocal, lambda x: 1 / x, lambda x: -1 / x**2),
    "negative": (operator.neg, np.negative, lambda x: -np.ones(x.shape)),
} | {
    f"to the power {by:g}": (
        lambda one, by=by: one.power(by),  # type: ignore[misc]
        lambda x, by=by: x**by,
        lambda x, by=by: by * x ** (by - 1),
    )
    for by in (1.0, 2.0, 3.0, 4.0, 0.4, 1.6, -1.0, -2.0, -0.5)
}
"""Functions of a quantity, and of numbers, with their slopes."""
WHOLE = ("exp", "negative", *(f"to the power {by}" for by in (1, 2, 3, 4)))
"""Those that have a value everywhere."""


@pytest.mark.parametrize("name", ROOTS)
def test_what_a_function_of_a_quantity_is_and_how_steep_is_held(name: str) -> None:
    of_quantity, function, slope = ROOTS[name]
    kept = np.full(LOW.size, True) if name in WHOLE else LOW > 0
    if name == "to the power -2":  # of the slope's three factors each has its own range
        kept &= LOW == HIGH
    low, high = LOW[kept], HIGH[kept]
    found = of_quantity(Sloped(Interval(low, high), ONE, None))
    points = inside(low, high)
    check(found.value, function(points))
    check(found.by_membership, slope(points))
    assert found.by_value is None


@pytest.mark.parametrize("name", ["log", "sqrt", "to the power 0.4", "to the power 1.6"])
def test_of_a_quantity_that_may_be_negative_the_part_above_0_counts(name: str) -> None:
    of_quantity, function, _ = ROOTS[name]
    found = of_quantity(Sloped(Interval(np.array([-1.0, 0.0]), np.array([0.5, 0.5])), ONE, None))
    with np.errstate(divide="ignore"):
        check(found.value, function(np.array([[0.0, 0.0], [0.5, 0.5]])))
    assert found.by_membership is not None
    assert (found.by_membership.low == found.by_membership.low[1]).all()
    assert (found.by_membership.high == found.by_membership.high[1]).all()


def test_a_size_has_either_sign_as_its_slope_where_0_is_inside() -> None:
    found = Sloped(Interval(LOW, HIGH), ONE, None).abs()
    check(found.value, np.abs(inside(LOW, HIGH)))
    check(found.by_membership, np.stack([np.where(LOW > 0, 1.0, -1.0), np.where(HIGH < 0, -1.0, 1.0)]))


def test_two_quantities_have_the_slopes_of_both() -> None:
    kept = (LOW[SECOND] > 0) & (LOW[FIRST] >= 0)
    first, second = FIRST[kept], SECOND[kept]
    one = Sloped(Interval(LOW[first], HIGH[first]), ONE, None)
    other = Sloped(Interval(LOW[second], HIGH[second]), None, ONE)
    x, y = grid(inside(LOW[first], HIGH[first]), inside(LOW[second], HIGH[second]))
    for found, value, by_one, by_other in (
        (one + other, x + y, 1 + 0 * x, 1 + 0 * x),
        (one - other, x - y, 1 + 0 * x, -1 + 0 * x),
        (one * other, x * y, y, x),
        (one / other, x / y, 1 / y, -x / y**2),
        (one.larger(other), np.maximum(x, y), 1.0 * (x >= y), 1.0 * (y >= x)),
        (one.smaller(other), np.minimum(x, y), 1.0 * (x <= y), 1.0 * (y <= x)),
        ((one * one).larger(other), np.maximum(x * x, y), 2 * x * (x * x >= y), 1.0 * (y >= x * x)),
    ):
        check(found.value, value)
        # where they, or one squared, only meet the other, the next test says which slope it is
        settled = np.all([one_of.max(0) != y.min(0) for one_of in (x, x * x)], axis=0)
        settled &= np.all([one_of.min(0) != y.max(0) for one_of in (x, x * x)], axis=0)
        for slope, steep in ((found.by_membership, by_one), (found.by_value, by_other)):
            assert slope is not None
            low, high = (np.broadcast_to(end, settled.shape)[settled] for end in (slope.low, slope.high))
            check(Interval(low, high), steep[:, settled])
    both = one * one + Sloped.constant(2.0) * one
    check(both.by_membership, 2 * x + 2)
    assert both.by_value is None


def test_of_two_quantities_that_only_meet_the_slope_is_that_of_the_larger() -> None:
    one = Sloped(Interval(np.array([1.0, 0.0, 0.0]), np.array([2.0, 1.0, 1.5])), ONE, None)
    other = Sloped(Interval(np.array([0.0, 1.0, 1.0]), np.array([1.0, 2.0, 2.0])), None, ONE)
    larger = one.larger(other)
    assert larger.by_membership is not None
    assert larger.by_value is not None
    assert [larger.by_membership.low.tolist(), larger.by_membership.high.tolist()] == [[1, 0, 0], [1, 0, 1]]
    assert [larger.by_value.low.tolist(), larger.by_value.high.tolist()] == [[0, 1, 0], [0, 1, 1]]
