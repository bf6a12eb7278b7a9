"""Numbers far beyond any use are refused by name: none ends in an overflow or an endless list."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from dpcore.accuracy import count_error
from dpcore.audit import AlarmRates, Alarms, Guesses, pair_wealth
from dpcore.census import census_tables
from dpcore.errors import Code, Refused
from dpcore.filters import GaussianDP, adaptive_epsilons
from dpcore.guarantees import PureDP
from dpcore.mechanisms import DiscreteGaussian, Geometric
from dpcore.methods import RandomRounding, equal_error_budget
from dpcore.privacy_loss import PrivacyLoss
from tests.each import each

HUGE = 10**400
PAIR = {"absent": [0], "present": [1]}
ASKED: list[tuple[Callable[[], Any], str, Code]] = [
    (lambda: Guesses(right=1, guesses=2, coins=HUGE), "coins", Code.OUT_OF_RANGE),
    (
        lambda: Alarms(draws_absent=HUGE, alarms_absent=0, draws_present=1, alarms_present=1),
        "draws_absent",
        Code.OUT_OF_RANGE,
    ),
    (
        lambda: AlarmRates(false_alarm=0.1, detection=0.2).power(PureDP(epsilon=0.1), draws=HUGE),
        "draws",
        Code.OUT_OF_RANGE,
    ),
    (lambda: pair_wealth(PureDP(epsilon=1e308), **PAIR), "claim", Code.TOO_LARGE),
    (lambda: pair_wealth(PureDP(epsilon=1e308), stake=0.1, **PAIR), "claim", Code.TOO_LARGE),
    (lambda: census_tables(levels=1), "levels", Code.WRONG_TYPE),  # type: ignore[arg-type]
    (lambda: census_tables(levels=[]), "levels", Code.EMPTY),
    (lambda: GaussianDP(1e200), "mu", Code.OUT_OF_RANGE),
    (lambda: adaptive_epsilons([[0.1], [0.2]], delta=0.1), "epsilons", Code.WRONG_SHAPE),
    (
        lambda: equal_error_budget(RandomRounding(base=3), counts=7, noise="geometric"),  # type: ignore[arg-type]
        "counts",
        Code.WRONG_TYPE,
    ),
    (lambda: count_error(Geometric(epsilon=5e-324)), "epsilon", Code.TOO_LARGE),
    (lambda: PrivacyLoss(((Geometric(epsilon=1.0), HUGE),)), "count", Code.OUT_OF_RANGE),
    (lambda: PrivacyLoss.of(Geometric(epsilon=1.0), count=HUGE), "count", Code.OUT_OF_RANGE),
]


@each("place, asked", list(enumerate(ASKED)))
def test_what_no_float_and_no_list_can_hold_is_refused(place: int, asked: Any) -> None:
    call, name, code = asked
    with pytest.raises(Refused) as refusal:
        call()
    assert (refusal.value.name, refusal.value.code) == (name, code)


def test_the_largest_numbers_that_are_taken_are_answered() -> None:
    seen = Alarms(draws_absent=10**15, alarms_absent=10**14, draws_present=10**15, alarms_present=2 * 10**14)
    assert seen.epsilon_lower() == pytest.approx(math.log(2), abs=1e-6)
    assert pair_wealth(PureDP(epsilon=700.0), **PAIR).path.tolist() == [1.0]
    assert GaussianDP(1e150).right_guess() == 1.0
    plan = PrivacyLoss(((DiscreteGaussian(rho=1e100), 1), (DiscreteGaussian(rho=0.1), 1)))
    assert plan.delta_at(1.0) == pytest.approx(1.0)
