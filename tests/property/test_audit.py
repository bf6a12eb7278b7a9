"""Laws of evidence: more of it never shows less, a larger claim is never easier to contradict, worlds swap."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dpcore.audit import (
    Alarms,
    Guesses,
    UnevenGuesses,
    chosen_rule,
    guess_epsilon_lower,
    guess_wealth,
    joint_p_value,
    pair_wealth,
)
from dpcore.guarantees import ApproximateDP, PureDP, ZeroConcentratedDP

EPSILON = st.floats(0.0, 3.0)
DELTA = st.sampled_from([0.0, 1e-6, 1e-3, 0.05, 0.4])
LEVEL = st.floats(0.5, 0.999)
DRAWS = st.integers(1, 400)


@st.composite
def seen(draw: st.DrawFn) -> Alarms:
    none, some = draw(DRAWS), draw(DRAWS)
    return Alarms(
        draws_absent=none,
        alarms_absent=draw(st.integers(0, none)),
        draws_present=some,
        alarms_present=draw(st.integers(0, some)),
    )


def swapped(one: Alarms) -> Alarms:
    """Alarm and silence exchanged, and with them the worlds."""
    return Alarms(
        draws_absent=one.draws_present,
        alarms_absent=one.draws_present - one.alarms_present,
        draws_present=one.draws_absent,
        alarms_present=one.draws_absent - one.alarms_absent,
    )


@st.composite
def guessed(draw: st.DrawFn) -> Guesses:
    guesses = draw(DRAWS)
    return Guesses(right=draw(st.integers(0, guesses)), guesses=guesses, coins=guesses + draw(st.integers(0, 50)))


@given(guessed(), EPSILON, DELTA, st.floats(0.0, 1.0))
def test_a_larger_claim_about_guesses_is_never_easier_to_contradict(
    one: Guesses, epsilon: float, delta: float, more: float
) -> None:
    claim = ApproximateDP(epsilon=epsilon, delta=delta)
    found = one.p_value(claim)
    assert found <= one.p_value(ApproximateDP(epsilon=epsilon + more, delta=delta)) * (1 + 1e-9) + 1e-15
    assert found <= one.p_value(ApproximateDP(epsilon=epsilon, delta=min(delta + more, 1.0))) * (1 + 1e-9) + 1e-15
    assert one.p_value(PureDP(epsilon=epsilon)) <= found * (1 + 1e-12)
    assert found <= one.p_value_published(claim) * (1 + 1e-9) or found > 7 / 8
    assert found >= min(delta, 1.0) * (1 - 1e-12)  # all is revealed so often


@given(guessed(), LEVEL, DELTA)
def test_one_more_right_guess_never_shows_less(one: Guesses, level: float, delta: float) -> None:
    assume(one.right < one.guesses)
    more = Guesses(right=one.right + 1, guesses=one.guesses, coins=one.coins)
    assert one.epsilon_lower(level=level, delta=delta) <= more.epsilon_lower(level=level, delta=delta) + 1e-9
    assert more.epsilon_lower(level=level, delta=delta) <= more.epsilon_lower(level=level) + 1e-9


@given(st.lists(st.floats(0.01, 0.99), min_size=1, max_size=25), EPSILON, st.data())
def test_uneven_coins_lie_between_the_evenest_of_them(
    chances: list[float], epsilon: float, data: st.DataObject
) -> None:
    right = data.draw(st.integers(0, len(chances)))
    claim = PureDP(epsilon=epsilon)
    low, found, high = (
        UnevenGuesses(right=right, chances=list(each)).p_value(claim)
        for each in ([min(chances)] * len(chances), chances, [max(chances)] * len(chances))
    )
    assert low <= found * (1 + 1e-9)
    assert found <= high * (1 + 1e-9)


@given(seen(), LEVEL, DELTA)
def test_alarm_and_silence_can_be_exchanged(one: Alarms, level: float, delta: float) -> None:
    other = swapped(one)
    assert one.epsilon_lower(level=level, delta=delta) == pytest.approx(
        other.epsilon_lower(level=level, delta=delta), abs=1e-9
    )
    claim = ApproximateDP(epsilon=0.5, delta=delta)
    assert one.p_value(claim) == pytest.approx(other.p_value(claim), rel=1e-6)


@given(seen(), LEVEL, DELTA)
def test_a_higher_level_and_a_larger_delta_never_show_more(one: Alarms, level: float, delta: float) -> None:
    bound = one.epsilon_lower(level=level, delta=delta)
    assert one.epsilon_lower(level=(1 + level) / 2, delta=delta) <= bound + 1e-12
    assert one.epsilon_lower(level=level, delta=delta + 0.1) <= bound + 1e-12
    rates = one.rates(level)
    assert rates.detection_lower <= one.alarms_present / one.draws_present
    assert rates.false_alarm_upper >= one.alarms_absent / one.draws_absent


@given(seen(), EPSILON)
def test_a_true_epsilon_is_a_true_delta(one: Alarms, epsilon: float) -> None:
    pure = PureDP(epsilon=epsilon)
    weaker = ApproximateDP(epsilon=epsilon / 2, delta=pure.delta_at(epsilon / 2))
    assert one.p_value(pure) <= one.p_value(weaker) * (1 + 1e-9)


@settings(max_examples=30)  # a curve is searched for at each of sixty levels
@given(seen(), EPSILON)
def test_a_true_epsilon_is_a_true_rho(one: Alarms, epsilon: float) -> None:
    rho = epsilon * float(np.tanh(epsilon / 2))
    assert one.p_value(PureDP(epsilon=epsilon)) <= one.p_value(ZeroConcentratedDP(rho=rho)) * (1 + 1e-6)


@given(seen(), EPSILON, DELTA)
def test_judged_jointly_nothing_is_lost(one: Alarms, epsilon: float, delta: float) -> None:
    claim = ApproximateDP(epsilon=epsilon, delta=delta)
    found, apart = joint_p_value(one, claim), one.p_value(claim)
    assert 0.0 < found <= apart <= 1.0
    assert found == pytest.approx(joint_p_value(swapped(one), claim), rel=0.013, abs=1e-12)


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=40), st.lists(st.integers(-5, 5), min_size=1, max_size=40))
def test_a_rule_that_may_choose_its_side_shows_at_least_as_much(absent: list[int], present: list[int]) -> None:
    shown = {
        side: chosen_rule(absent=absent, present=present, alarm=side)
        .alarms(absent=absent, present=present)
        .epsilon_lower()  # type: ignore[arg-type]
        for side in ("large", "small", "either")
    }
    assert shown["either"] == max(shown["large"], shown["small"])
    moved = chosen_rule(absent=[y + 7 for y in absent], present=[y + 7 for y in present])
    assert moved.threshold == chosen_rule(absent=absent, present=present).threshold + 7


BITS = st.lists(st.integers(0, 1), max_size=60)


@given(BITS, EPSILON)
def test_wealth_after_some_draws_does_not_depend_on_later_ones(right: list[int], epsilon: float) -> None:
    claim = PureDP(epsilon=epsilon)
    half = len(right) // 2
    assert guess_wealth(right, claim).log_path[:half] == pytest.approx(guess_wealth(right[:half], claim).log_path)
    pairs = pair_wealth(claim, absent=right, present=right[::-1], direction="either").log_path[:half]
    assert pairs == pytest.approx(
        pair_wealth(claim, absent=right[:half], present=right[::-1][:half], direction="either").log_path, abs=1e-12
    )


@given(BITS, st.sampled_from([0.5, 0.1]))
def test_a_finer_grid_shows_at_least_as_much_less_a_step(right: list[int], step: float) -> None:
    coarse, fine = guess_epsilon_lower(right, step=step), guess_epsilon_lower(right, step=step / 2)
    assert (np.diff(coarse, prepend=0.0) >= 0).all()
    assert (fine >= coarse - step).all()
