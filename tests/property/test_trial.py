"""Laws of a randomised comparison: dealings are all dealings, intervals nest, wealth is worth its price."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.trial import (
    Confidence,
    Setting,
    dealing_test,
    dealt_arms,
    difference_interval,
    fisher_power,
    next_arm,
    pair_bets,
    surplus_test,
)

ARM = st.lists(st.integers(0, 6), min_size=1, max_size=4)
BLOCKS = st.lists(st.tuples(ARM, ARM), min_size=1, max_size=3)


@given(BLOCKS)
def test_a_dealing_test_is_the_list_of_all_dealings(blocks: list[tuple[list[int], list[int]]]) -> None:
    sums = [[sum(taken) for taken in itertools.combinations([*a, *b], len(a))] for a, b in blocks]
    mean = sum((Fraction(sum(block), len(block)) for block in sums), Fraction(0))
    seen = sum(sum(a) for a, _ in blocks)
    every = [sum(one) for one in itertools.product(*sums)]
    found = dealing_test(blocks, answers=6)
    assert found.dealings == len(every)
    assert found.one_sided == pytest.approx(sum(one >= seen for one in every) / len(every), rel=1e-12)
    far = sum(abs(one - mean) >= abs(seen - mean) for one in every)
    assert found.two_sided == pytest.approx(far / len(every), rel=1e-12)


@given(BLOCKS, st.sampled_from([0.01, 0.05, 0.2]))
def test_over_all_dealings_a_true_null_is_rejected_at_most_as_often_as_its_level(
    blocks: list[tuple[list[int], list[int]]], level: float
) -> None:
    a, b = blocks[0]
    everybody, rejected, dealings = [*a, *b], 0, 0
    for taken in itertools.combinations(range(len(everybody)), len(a)):
        rest = [one for place, one in enumerate(everybody) if place not in taken]
        rejected += dealing_test([([everybody[place] for place in taken], rest)]).two_sided <= level
        dealings += 1
    assert rejected <= level * dealings


@given(BLOCKS, st.sampled_from([0.25, 0.1, 2.0]), st.integers(-3, 3))
def test_a_unit_and_a_shift_of_everybody_change_no_p_value(
    blocks: list[tuple[list[int], list[int]]], unit: float, shift: int
) -> None:
    moved = [[[round(unit * one, 9) + shift for one in arm] for arm in block] for block in blocks]
    one, other = dealing_test(blocks), surplus_test(moved)
    assert (one.one_sided, one.two_sided) == (other.one_sided, other.two_sided)
    assert other.difference == pytest.approx(unit * one.difference, abs=1e-9)


@given(st.integers(1, 60), st.integers(1, 5), st.integers(0, 2**32))
def test_who_joins_next_keeps_every_block_alike(people: int, half: int, seed: int) -> None:
    arms, source = list(dealt_arms(people, block=2 * half, generator=Random(seed))), Random(seed)
    while len(arms) % (2 * half):
        arms.append(next_arm(arms, block=2 * half, generator=source))
    blocks = [arms[start : start + 2 * half] for start in range(0, len(arms), 2 * half)]
    assert all(block.count("A") == half for block in blocks)


@given(st.integers(1, 9), st.integers(1, 9), st.data())
def test_a_higher_level_never_has_a_shorter_interval_and_holds_the_difference(
    people_a: int, people_b: int, data: st.DataObject
) -> None:
    a, b = data.draw(st.integers(0, people_a)), data.draw(st.integers(0, people_b))
    asked = {"people_a": people_a, "right_a": a, "people_b": people_b, "right_b": b}
    intervals = [difference_interval(**asked, level=level) for level in (0.5, 0.8, 0.95)]
    for inner, outer in itertools.pairwise(intervals):
        assert outer[0] <= inner[0] <= inner[1] <= outer[1]
    seen, step = a / people_a - b / people_b, 1 / (people_a + people_b)
    assert intervals[-1][0] - step <= seen <= intervals[-1][1] + step


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=9), st.floats(0.0, 0.99))
def test_wealth_is_worth_its_price_over_all_dealings(pairs: list[tuple[int, int]], stake: float) -> None:
    for ahead in ("A", "B", "either"):
        wealth = [
            pair_bets([p[::-1] if turn else p for p, turn in zip(pairs, turns, strict=True)], stake=stake, ahead=ahead)
            for turns in itertools.product((0, 1), repeat=len(pairs))
        ]
        assert sum(bets.wealth for bets in wealth) / len(wealth) == pytest.approx(1.0, rel=1e-9)


@given(st.integers(1, 40), st.floats(0.0, 1.0), st.floats(0.0, 1.0), st.sampled_from([0.01, 0.05, 0.1]))
def test_power_is_symmetric_and_at_most_alpha_without_a_difference(
    people: int, share_a: float, share_b: float, alpha: float
) -> None:
    found = fisher_power(share_a=share_a, share_b=share_b, people=people, alpha=alpha)
    assert found == pytest.approx(fisher_power(share_a=share_b, share_b=share_a, people=people, alpha=alpha), abs=1e-12)
    turned = fisher_power(share_a=1 - share_a, share_b=1 - share_b, people=people, alpha=alpha)
    assert found == pytest.approx(turned, abs=1e-9)
    assert fisher_power(share_a=share_a, share_b=share_a, people=people, alpha=alpha) <= alpha


@given(st.lists(st.tuples(st.floats(0.5, 1.0), st.integers(0, 1)), min_size=1, max_size=12))
def test_the_p_values_of_all_numbers_right_are_the_law_of_a_sum(said: list[tuple[float, int]]) -> None:
    sure = [one for one, _ in said]
    tails = [
        Confidence(confidence=sure, right=[1] * right + [0] * (len(sure) - right)).p_value
        for right in range(len(sure) + 1)
    ]
    assert tails[0] == pytest.approx(math.prod(1 - one for one in sure), rel=1e-9, abs=1e-300)
    assert tails == sorted(tails)
    assert tails[-1] == 1.0
    assert sum(1 - tail for tail in tails) == pytest.approx(sum(sure), rel=1e-9)  # the mean, by its tails
    seen = Confidence(confidence=sure, right=[hit for _, hit in said])
    assert seen.gap == pytest.approx(seen.surplus / len(sure), rel=1e-9, abs=1e-12)


@given(st.floats(0.0, 1.0), st.floats(1e-3, 30.0), st.floats(1e-3, 30.0), st.floats(0.0, 0.5), st.integers(1, 40))
def test_no_wrong_answer_is_right_and_beliefs_lie_around_the_prior(
    prior: float, epsilon: float, other: float, delta: float, releases: int
) -> None:
    setting = Setting(prior=prior, epsilon=epsilon, other=other, delta=delta, releases=releases, people=1000)
    answers = setting.answers
    assert 0 <= answers["at_least"] <= 100 * prior <= answers["at_most"] <= answers["after_all"] <= 100
    assert {answers["stronger"], answers["more_accurate"]} in ({1, 2}, {0})
    for asked in setting.questions:
        values = [wrong.value for wrong in asked.wrong]
        assert asked.answer == answers[asked.name]
        assert asked.answer not in values
        assert len(values) == len(set(values))
        assert all(wrong.misreadings for wrong in asked.wrong)
