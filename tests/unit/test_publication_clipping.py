"""Noise against the bias of clipping, held to sums over the noise's law and to quadratures."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad

from dpcore.accuracy import noise_with_budget
from dpcore.errors import Code, Refused
from dpcore.publication import ClippedMean, ClippedTotal, best_bounds, bounds_ladder, clipping_errors
from tests.each import each

AMOUNTS = [-3, 0, 0, 2, 4, 5, 7, 9, 40, 120]
BOUNDS = [(0, 5), (0, 10), (0, 50), (-5, 120), (1, 2)]
NOISES = pytest.mark.parametrize("noise", ["geometric", "laplace", "gaussian", "discrete_gaussian"])


def _totals(noise: Any, budget: float = 0.3, **others: Any) -> Any:
    asked = {"statistic": "total", "relation": "add_or_remove"} | others
    return clipping_errors(AMOUNTS, BOUNDS, noise=noise, budget=budget, **asked)


def _by_law(error: Any, measure: Any) -> float:
    """The mean of a measure of the error over the law of the noise: a long sum or a quadrature."""
    if hasattr(error.mechanism, "log_pmf"):
        z = np.arange(-40 * math.ceil(error.noise_std) - 60, 40 * math.ceil(error.noise_std) + 61)
        return float(np.exp(error.mechanism.log_pmf(z)) @ measure(error.bias + z))
    far, kinks = 60 * error.noise_std, sorted({0.0, -error.bias})

    def density(z: float) -> float:
        return math.exp(error.mechanism.log_pdf(z)) * float(measure(error.bias + z))

    ends = sorted({-far, *kinks, *(kink + 5 * error.noise_std for kink in kinks), far})
    return math.fsum(quad(density, a, b, limit=200)[0] for a, b in itertools.pairwise(ends))


@NOISES
def test_bias_and_counts_are_those_of_the_clipped_values(noise: str) -> None:
    for (low, high), error in zip(BOUNDS, _totals(noise), strict=True):
        clipped = [min(max(value, low), high) for value in AMOUNTS]
        assert error.bias == sum(clipped) - sum(AMOUNTS)
        assert error.clipped_low == sum(value < low for value in AMOUNTS)
        assert error.clipped_high == sum(value > high for value in AMOUNTS)
        assert (error.low, error.high, error.level) == (low, high, 0.95)


@NOISES
@pytest.mark.parametrize(("relation", "group", "reach"), [("add_or_remove", 1, 5), ("replace", 2, 16)])
def test_the_noise_is_that_of_the_row(noise: Any, relation: str, group: int, reach: int) -> None:
    error = clipping_errors(
        AMOUNTS, [(-3, 5)], statistic="total", noise=noise, budget=0.3, relation=relation, group=group
    )[0]
    row = ClippedTotal(low=-3, high=5, noise=noise)
    assert error.mechanism == row.noise_of_number(0.3, relation, group=group)
    assert error.mechanism == noise_with_budget(0.3, noise, sensitivity=reach)


@each("noise, std", [("laplace", math.sqrt(2) * 10 / 0.3), ("gaussian", math.sqrt(5**2 + 5**2) / math.sqrt(0.6))])
def test_an_amount_that_can_move_changes_two_totals_by_all_of_it(noise: Any, std: float) -> None:
    (error,) = clipping_errors(
        AMOUNTS, [(0, 5)], statistic="total", noise=noise, budget=0.3, relation="replace", movable=True
    )
    assert error.noise_std == pytest.approx(std)
    assert error.noise_std == error.mechanism.std


@NOISES
def test_the_errors_are_means_over_the_law_of_the_noise(noise: str) -> None:
    for error in _totals(noise):
        assert error.root_mean_square**2 == pytest.approx(_by_law(error, np.square), rel=1e-8)
        assert error.mean_absolute == pytest.approx(_by_law(error, np.abs), rel=1e-8)
        assert error.bias_share == pytest.approx(error.bias**2 / _by_law(error, np.square), rel=1e-8)


@NOISES
@pytest.mark.parametrize("level", [0.5, 0.95])
def test_the_range_is_the_smallest_that_holds_the_true_number(noise: str, level: float) -> None:
    for error in _totals(noise, level=level):
        noise_law = error.mechanism
        if hasattr(noise_law, "log_pmf"):
            z = np.arange(-40 * math.ceil(error.noise_std) - 60, 40 * math.ceil(error.noise_std) + 61)
            mass, size = np.exp(noise_law.log_pmf(z)), np.abs(error.bias + z)
            assert mass[size <= error.half_width].sum() >= level - 1e-12
            assert mass[size <= error.half_width - 1].sum() < level
        else:
            within = noise_law.cdf(error.half_width - error.bias) - noise_law.cdf(-error.half_width - error.bias)
            assert within == pytest.approx(level, abs=1e-10)
        if error.bias == 0:
            assert error.half_width == pytest.approx(noise_law.half_width(level), rel=1e-12)


@pytest.mark.parametrize("bias", [0.0, 3.0, 70.0, 400.0])
def test_wide_discrete_gaussian_noise_has_its_exact_mean_error(bias: float) -> None:
    """A deviation of 57: the corrected integral against the sum over 2,300 values and more."""
    values = [100.0 + bias]
    error = clipping_errors(
        values, [(0, 100)], statistic="total", noise="discrete_gaussian", budget=1.54, relation="add_or_remove"
    )[0]
    assert 50 < error.noise_std < 60
    assert error.mean_absolute == pytest.approx(_by_law(error, np.abs), rel=1e-12)


def test_a_mean_is_a_total_over_a_public_number() -> None:
    mean = clipping_errors(AMOUNTS, [(0, 10)], statistic="mean", noise="laplace", budget=0.3, relation="replace")[0]
    total = clipping_errors(AMOUNTS, [(0, 10)], statistic="total", noise="laplace", budget=0.3, relation="replace")[0]
    for name in ("bias", "noise_std", "root_mean_square", "mean_absolute", "half_width"):
        assert getattr(mean, name) == pytest.approx(getattr(total, name) / len(AMOUNTS), rel=1e-9)
    assert mean.mechanism == ClippedMean(low=0, high=10, people=10).noise_of_number(0.3, "replace")


def test_many_values_and_bounds_are_added_up_as_one_by_one() -> None:
    dice = np.random.default_rng(3)
    values = np.concatenate([dice.lognormal(6, 1.5, 3_000), [-250.25, -7.5, 0.0]])
    bounds = [(float(low), float(high)) for low in (-300, -7.5, 0, 40) for high in (41, 900, 40_000, 1e7)]
    errors = clipping_errors(values, bounds, statistic="total", noise="laplace", budget=1, relation="replace")
    for (low, high), error in zip(bounds, errors, strict=True):
        assert error.clipped_low == np.sum(values < low)
        assert error.clipped_high == np.sum(values > high)
        assert error.bias == pytest.approx(math.fsum(np.clip(values, low, high) - values), rel=1e-12, abs=1e-9)


@NOISES
def test_the_noises_own_range_is_the_mechanisms(noise: str) -> None:
    for budget in (1e-4, 0.3, 30.0):
        for error in _totals(noise, budget=budget, level=0.9):
            assert error.noise_half_width == pytest.approx(error.mechanism.half_width(0.9), rel=1e-12)


def test_values_that_stand_for_more_people_move_the_bias_and_not_the_noise_of_a_total() -> None:
    asked: Any = {"statistic": "total", "budget": 0.3, "relation": "replace", "noise": "laplace"}
    few, many = (clipping_errors(AMOUNTS, [(0, 10)], people=people, **asked)[0] for people in (None, 35))
    assert many.bias == pytest.approx(3.5 * few.bias, rel=1e-12)
    assert many.mechanism == few.mechanism
    assert many.clipped_high == few.clipped_high
    whole = clipping_errors(AMOUNTS, [(0, 10)], people=13, **asked | {"noise": "geometric"})[0]
    assert whole.bias == round(1.3 * few.bias)
    mean = clipping_errors(AMOUNTS, [(0, 10)], people=35, **asked | {"statistic": "mean"})[0]
    assert mean.bias == pytest.approx(few.bias / len(AMOUNTS), rel=1e-12)
    assert mean.mechanism == ClippedMean(low=0, high=10, people=35).noise_of_number(0.3, "replace")


def test_the_best_bounds_are_the_least_wrong_ones_and_the_narrowest_of_equals() -> None:
    tried = _totals("laplace", budget=1.0)
    for measure in ("root_mean_square", "mean_absolute", "half_width"):
        best = best_bounds(tried, measure=measure)
        assert getattr(best, measure) == min(getattr(error, measure) for error in tried)
    even = clipping_errors(
        [1, 2], [(-5, 5), (0, 5)], statistic="total", noise="laplace", budget=1, relation="add_or_remove"
    )
    assert best_bounds(even).low == 0


def test_a_poor_budget_clips_more_than_a_rich_one() -> None:
    ladder = bounds_ladder(AMOUNTS, low=0, steps=30)
    highs = [
        best_bounds(
            clipping_errors(
                AMOUNTS, ladder, statistic="total", noise="laplace", budget=budget, relation="add_or_remove"
            )
        ).high
        for budget in (0.1, 1.0, 10.0, 100.0)
    ]
    assert highs == sorted(highs)
    assert highs[0] < 20
    assert highs[-1] == 120
    assert ladder[0] == (0.0, 1.0)
    assert ladder[-1] == (0.0, 120.0)


def _call(**changed: Any) -> Any:
    asked = {"statistic": "total", "noise": "geometric", "budget": 1.0, "relation": "replace"} | changed
    values, bounds = asked.pop("values", AMOUNTS), asked.pop("bounds", [(0, 5)])
    return lambda: clipping_errors(values, bounds, **asked)


@pytest.mark.parametrize(
    ("call", "text", "code"),
    [
        (_call(values=[]), "values must hold 1 to 1000000 numbers; got 0", Code.WRONG_SHAPE),
        (_call(values=[1, math.nan]), "values must be finite; got nan", Code.NOT_FINITE),
        (_call(values=[1.5]), "values must be whole numbers; got 1.5", Code.NOT_WHOLE),
        (_call(bounds=[]), "bounds must hold 1 to 1000 pairs (low, high); got []", Code.WRONG_SHAPE),
        (_call(bounds=[(1, 2, 3)]), "bounds must hold 1 to 1000 pairs (low, high); got [(1, 2, 3)]", Code.WRONG_SHAPE),
        (_call(bounds=[(0, 5), (3, 3)]), "bounds 2: high must be above low (3); got 3", Code.WRONG_ORDER),
        (_call(bounds=[(0, 5.5)]), "bounds 1: high must be a whole number for whole noise; got 5.5", Code.NOT_WHOLE),
        (_call(statistic="median"), "statistic must be one of 'total', 'mean'; got 'median'", Code.UNKNOWN_CHOICE),
        (_call(budget=0), "budget must be greater than 0 and finite; got 0", Code.OUT_OF_RANGE),
        (_call(people=0), "people must be a whole number of at least 1; got 0", Code.OUT_OF_RANGE),
        (_call(level=1.0), "level must lie in [0.01, 1); got 1.0", Code.OUT_OF_RANGE),
        (_call(noise="normal"), "noise must be one of 'geometric', 'laplace'", Code.UNKNOWN_CHOICE),
        (
            _call(statistic="mean", noise="laplace", relation="add_or_remove"),
            "relation must be 'replace' for a mean (adding a record changes the number of people); got",
            Code.UNSUPPORTED,
        ),
        (lambda: best_bounds([]), "errors must hold at least one; got 0", Code.EMPTY),
        (
            lambda: best_bounds(_totals("laplace"), measure="bias"),
            "measure must be one of 'root_mean_square', 'mean_absolute', 'half_width'; got 'bias'",
            Code.UNKNOWN_CHOICE,
        ),
        (
            lambda: bounds_ladder([1, 2], low=2),
            "values must hold a number above low (2); got 2 at most",
            Code.OUT_OF_RANGE,
        ),
        (
            lambda: bounds_ladder([1, 2], low=0, steps=0),
            "steps must be a whole number from 1 to 1000; got 0",
            Code.OUT_OF_RANGE,
        ),
    ],
)
def test_what_is_refused(call: Any, text: str, code: Code) -> None:
    with pytest.raises(Refused) as refusal:
        call()
    assert str(refusal.value).startswith(text)
    assert refusal.value.code is code


@each("top", [60, 60.5, 1e15, 1e19, 1e308])
def test_a_ladder_of_any_number_of_steps_reaches_the_largest_value(top: float) -> None:
    for steps in (1, 2, 5):
        ladder = bounds_ladder([3, top], low=0.25, steps=steps)
        assert len(ladder) == steps
        assert top <= ladder[-1][1] <= top + 2


def test_whether_an_amount_can_move_is_true_or_false() -> None:
    for movable in ("no", -1):
        with pytest.raises(Refused, match="movable must be True or False; got "):
            _totals("laplace", movable=movable)


def test_no_bias_has_no_share_of_no_error() -> None:
    (error,) = clipping_errors([1], [(0, 1)], statistic="total", noise="geometric", budget=2000, relation="replace")
    assert error.root_mean_square == error.bias_share == 0.0


def test_only_errors_of_clipping_have_a_best() -> None:
    for errors in (3, [3]):
        with pytest.raises(Refused, match="errors must be those of `clipping_errors`; got 3"):
            best_bounds(errors)  # type: ignore[arg-type]


@each(
    "change, text",
    [
        ({"relation": "x"}, "relation must be one of 'add_or_remove', 'replace'; got 'x'"),
        ({"group": 0}, "group must be a whole number of at least 1; got 0"),
    ],
)
def test_what_is_wrong_for_all_bounds_is_not_said_of_the_first(change: Any, text: str) -> None:
    with pytest.raises(Refused) as refusal:
        _totals("laplace", **change)
    assert str(refusal.value) == text
