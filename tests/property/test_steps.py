"""Laws of trade-offs over several steps, and of the promises that they belong to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.guarantees import ApproximateDP, PureDP, ZeroConcentratedDP
from dpcore.tradeoff import trade_off, trade_off_over_steps

GUARANTEES = st.one_of(
    st.floats(0, 8).map(lambda epsilon: PureDP(epsilon=epsilon)),
    st.tuples(st.floats(0, 8), st.floats(0, 1)).map(lambda both: ApproximateDP(epsilon=both[0], delta=both[1])),
    st.floats(0, 3).map(lambda rho: ZeroConcentratedDP(rho=rho)),
)
STEPS = st.integers(1, 6)
RATES = np.array([0.0, 1e-9, 1e-3, 0.05, 0.3, 0.5, 0.9, 1.0])


@given(guarantee=GUARANTEES, steps=STEPS)
def test_steps_never_allow_more_than_the_guarantee_for_the_group_nor_less_than_one_step(
    guarantee: Any, steps: int
) -> None:
    sharp, group = trade_off_over_steps(guarantee, steps=steps), trade_off(guarantee.for_group(steps))
    assert (sharp.detection(RATES) <= group.detection(RATES) + 1e-9).all()
    assert (sharp.detection(RATES) >= trade_off(guarantee).detection(RATES) - 1e-12).all()
    for prior in (0.05, 0.5):
        assert sharp.right_guess(prior=prior) <= group.right_guess(prior=prior) + 1e-8


@given(guarantee=GUARANTEES, first=STEPS, second=STEPS)
def test_steps_follow_one_another(guarantee: Any, first: int, second: int) -> None:
    whole = trade_off_over_steps(guarantee, steps=first + second)
    middle = trade_off_over_steps(guarantee, steps=first).detection(RATES)
    assert trade_off_over_steps(guarantee, steps=second).detection(middle) == pytest.approx(
        whole.detection(RATES), abs=1e-9
    )


@given(guarantee=GUARANTEES, steps=STEPS, rate=st.floats(0, 1))
def test_both_kinds_of_error_trade_places(guarantee: Any, steps: int, rate: float) -> None:
    curve = trade_off_over_steps(guarantee, steps=steps)
    found = curve.detection(rate)
    if rate > 1e-6 and found < 1 - 1e-6:
        assert curve.missed(1 - found) == pytest.approx(rate, abs=1e-7)


@given(guarantee=GUARANTEES, steps=STEPS, epsilon=st.floats(0, 9))
def test_delta_is_what_no_false_alarm_rate_exceeds(guarantee: Any, steps: int, epsilon: float) -> None:
    curve = trade_off_over_steps(guarantee, steps=steps)
    gains = curve.detection(RATES) - np.exp(epsilon) * RATES
    assert curve.delta_at(epsilon) >= gains.max() - 1e-9
    assert curve.delta_at(0.0) == pytest.approx(curve.advantage(), abs=1e-9)
