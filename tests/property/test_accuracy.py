"""Laws between budgets and accuracies."""

from __future__ import annotations

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore import accuracy as a

NOISE = st.sampled_from(a.NOISES)
BUDGET = st.floats(-8, 2).map(math.exp)


@given(NOISE, BUDGET, BUDGET, st.integers(-30, 30))
def test_more_budget_never_costs_accuracy(noise: a.Noise, first: float, second: float, excess: int) -> None:
    poor, rich = (a.noise_with_budget(budget, noise) for budget in sorted((first, second)))
    assert a.count_error(rich).half_width <= a.count_error(poor).half_width
    assert a.wrong_side_probability(rich, excess=excess) <= a.wrong_side_probability(poor, excess=excess) * (1 + 1e-12)


@given(NOISE, BUDGET, st.integers(1, 30))
def test_a_truth_farther_from_the_target_is_safer(noise: a.Noise, budget: float, excess: int) -> None:
    mechanism = a.noise_with_budget(budget, noise)
    near, far, below = (a.wrong_side_probability(mechanism, excess=k) for k in (excess, excess + 1, -excess))
    assert far <= near <= 0.5
    # one more event on the met side: the count equal to the target meets it
    assert math.isclose(below, far, rel_tol=1e-12)


@settings(max_examples=25)
@given(NOISE, st.floats(0.05, 1e4), st.integers(1, 4))
def test_a_stricter_wish_never_needs_less_budget(noise: a.Noise, std: float, sensitivity: int) -> None:
    wide, narrow = (a.noise_for_std(value, noise, sensitivity=sensitivity) for value in (1.5 * std, std))
    assert narrow.std <= std
    assert math.isclose(narrow.std, std, rel_tol=1e-9)
    assert wide.std > narrow.std
