"""A randomised comparison: dealings, intervals, power, betting, confidence, questions, by hand and by enumeration."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom, fisher_exact, hypergeom

from dpcore.errors import Code, Refused
from dpcore.trial import (
    Confidence,
    DealingTest,
    Misreading,
    Setting,
    WrongAnswer,
    dealing_test,
    dealt_arms,
    difference_interval,
    fisher_power,
    next_arm,
    pair_bets,
    people_needed,
    people_needed_estimate,
    surplus_test,
)
from dpcore.trial.difference import _Answers, _exact_tail, _Kinds, _tail
from tests.each import each

# Dealing people


def test_every_order_of_a_block_is_dealt_as_often() -> None:
    for deal in (lambda source: dealt_arms(4, generator=source), _one_by_one):
        source, seen = Random(5), dict.fromkeys(set(itertools.permutations("AABB")), 0)
        for _ in range(6000):
            seen[deal(source)] += 1
        assert max(abs(found - 1000) for found in seen.values()) < 5 * math.sqrt(6000 * 5 / 36)


def _one_by_one(source: Random) -> tuple[str, ...]:
    arms: list[Any] = ["A", "B", "B", "A"]  # a block that is full says nothing about the next
    for _ in range(4):
        arms.append(next_arm(arms, generator=source))
    return tuple(arms[4:])


def test_blocks_keep_the_arms_alike_and_the_last_may_stay_open() -> None:
    for people in range(1, 40):
        arms = dealt_arms(people, block=6, generator=Random(people))
        assert len(arms) == people
        assert abs(2 * arms.count("A") - people) <= 3
        assert all(arms[start : start + 6].count("A") == 3 for start in range(0, people - 5, 6))


def test_a_dealing_is_its_generators_and_nobodys_without_one() -> None:
    assert dealt_arms(40, generator=Random(1)) == dealt_arms(40, generator=Random(1))
    assert dealt_arms(400, generator=Random(1)) != dealt_arms(400, generator=Random(2))
    assert len({dealt_arms(200) for _ in range(5)}) == 5
    assert {next_arm([]) for _ in range(200)} == {"A", "B"}
    assert next_arm(np.array(["A", "A", "B"])) == "B"  # type: ignore[arg-type]


# Dealing them again


def test_one_question_in_one_block_is_fishers_test() -> None:
    for right_a, right_b in itertools.product(range(9), range(9)):
        found = dealing_test([([1] * right_a + [0] * (8 - right_a), [1] * right_b + [0] * (8 - right_b))], answers=1)
        table = [[right_a, 8 - right_a], [right_b, 8 - right_b]]
        assert found.two_sided == pytest.approx(fisher_exact(table).pvalue, rel=1e-9)
        assert found.one_sided == pytest.approx(fisher_exact(table, alternative="greater").pvalue, rel=1e-9)


def test_unequal_arms_are_measured_from_the_mean_and_not_by_chances() -> None:
    found = dealing_test([([1, 1, 1], [1, 0, 0, 0, 0, 0, 0, 0])])
    law = hypergeom(11, 4, 3)
    assert found.two_sided == pytest.approx(law.pmf(3), rel=1e-12)
    found = dealing_test([([1, 1], [1, 0, 0])])
    assert found.two_sided == pytest.approx(hypergeom(5, 3, 2).pmf(2) + hypergeom(5, 3, 2).pmf(0), rel=1e-12)


def test_the_order_of_blocks_and_people_and_a_shift_of_a_block_change_nothing() -> None:
    blocks = [([5, 4], [3, 3]), ([2, 0], [1, 1]), ([4], [0, 2])]
    found = dealing_test(blocks)
    assert dealing_test([(b[0][::-1], b[1][::-1]) for b in blocks[::-1]]) == found
    assert _tails(dealing_test([([5 + 3, 4 + 3], [3 + 3, 3 + 3]), *blocks[1:]])) == _tails(found)


def _tails(found: DealingTest) -> tuple[float, float]:
    return found.one_sided, found.two_sided


def test_p_values_are_rounded_up_and_never_to_zero() -> None:
    found = dealing_test([([1, 1], [0, 0]), ([1], [0, 0])])
    assert found.dealings == 18
    assert Fraction(found.one_sided) >= Fraction(1, 18) > Fraction(math.nextafter(found.one_sided, 0.0))
    many = dealing_test([([1], [0])] * 1100)
    assert many.one_sided == many.two_sided == math.ulp(0.0)
    assert dealing_test([([2, 2], [2, 2])]) == DealingTest(0.0, 1.0, 1.0, 6)


def test_an_arm_much_larger_than_the_other_is_counted_as_well() -> None:
    one = dealing_test([([0] * 12 + [3], [1])])
    other = dealing_test([([1], [0] * 12 + [3])])
    assert (one.difference, one.two_sided) == (-other.difference, other.two_sided)
    assert _tails(dealing_test([([2] * 14, [2] * 2)])) == (1.0, 1.0)  # 560 ways on the way to 120 dealings
    assert one.one_sided == pytest.approx(13 / 14)  # arm A sums to less only where the three is alone in arm B


def test_surpluses_are_dealt_as_their_decimals() -> None:
    whole = dealing_test([([7, 2], [1, 0]), ([3], [5, 4])])
    parts = surplus_test([([0.7, 0.2], [0.1, 0.0]), ([0.3], [0.5, 0.4])])
    below = surplus_test([([-0.3, -0.8], [-0.9, -1.0]), ([0.3], [0.5, 0.4])])
    assert _tails(whole) == _tails(parts) == _tails(below)
    assert parts.difference == pytest.approx(whole.difference / 10, rel=1e-12)


# How large the difference is


def test_the_intervals_of_the_note() -> None:
    assert difference_interval(people_a=10, right_a=9, people_b=10, right_b=3) == (0.15, 0.8)
    assert difference_interval(people_a=6, right_a=5, people_b=6, right_b=2, level=0.9) == (0.0, 0.75)
    assert dealing_test([([1] * 9 + [0], [1] * 3 + [0] * 7)]).two_sided == pytest.approx(0.0198, abs=5e-5)


def _laws(people_a: int, people_b: int) -> list[tuple[Fraction, dict[tuple[int, int], int]]]:
    """Of every table of kinds its difference and in how many dealings each pair of answers is seen, listed plainly."""
    people, found = people_a + people_b, []
    dealings = [set(chosen) for chosen in itertools.combinations(range(people), people_a)]
    kinds = [(1, 1), (1, 0), (0, 1), (0, 0)]
    for room in itertools.combinations_with_replacement(kinds, people):
        seen: dict[tuple[int, int], int] = {}
        for first in dealings:
            pair = sum(room[i][0] for i in first), sum(room[i][1] for i in range(people) if i not in first)
            seen[pair] = seen.get(pair, 0) + 1
        found.append((Fraction(sum(a - b for a, b in room), people), seen))
    return found


@pytest.mark.parametrize(("people_a", "people_b"), [(1, 1), (2, 1), (3, 3), (4, 2), (2, 5)])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.5, 0.8])
def test_an_interval_is_what_plain_enumeration_keeps(people_a: int, people_b: int, level: float) -> None:
    kept: dict[tuple[int, int], list[Fraction]] = {}
    for difference, seen in _laws(people_a, people_b):
        away = {(a, b): abs(Fraction(a, people_a) - Fraction(b, people_b) - difference) for a, b in seen}
        for pair in seen:
            ways = sum(number for other, number in seen.items() if away[other] >= away[pair])
            if Fraction(ways, sum(seen.values())) > 1 - Fraction(repr(level)):
                kept.setdefault(pair, []).append(difference)
    assert len(kept) == (people_a + 1) * (people_b + 1)
    for (a, b), differences in kept.items():
        found = difference_interval(people_a=people_a, right_a=a, people_b=people_b, right_b=b, level=level)
        assert found == (float(min(differences)), float(max(differences)))


def test_the_cover_is_at_least_the_level_over_every_table_of_ten_people() -> None:
    ends = {
        (a, b): difference_interval(people_a=5, right_a=a, people_b=5, right_b=b, level=0.9)
        for a, b in itertools.product(range(6), range(6))
    }
    covers = []
    for both, first, second in itertools.product(range(11), repeat=3):
        neither = 10 - both - first - second
        if neither < 0:
            continue
        difference, covered = (first - second) / 10, 0
        for x, y, z in itertools.product(range(both + 1), range(first + 1), range(second + 1)):
            rest = 5 - x - y - z
            if 0 <= rest <= neither:
                low, high = ends[x + y, both + second - x - z]
                ways = math.comb(both, x) * math.comb(first, y) * math.comb(second, z) * math.comb(neither, rest)
                covered += ways * (low <= difference <= high)
        covers.append(covered / math.comb(10, 5))
    assert len(covers) == 286
    assert min(covers) >= 0.9


def test_arms_that_change_places_turn_the_interval_round() -> None:
    for level in (0.8, 0.95):
        low, high = difference_interval(people_a=7, right_a=6, people_b=9, right_b=2, level=level)
        other = difference_interval(people_a=9, right_a=2, people_b=7, right_b=6, level=level)
        assert other == (-high, -low)
    wrong = difference_interval(people_a=7, right_a=1, people_b=9, right_b=7)
    assert wrong == tuple(-end for end in difference_interval(people_a=7, right_a=6, people_b=9, right_b=2))[::-1]


def test_a_tie_with_the_level_is_decided_by_whole_numbers() -> None:
    # three and three, all against none: the two extreme dealings of twenty are exactly one in ten
    at = difference_interval(people_a=3, right_a=3, people_b=3, right_b=0, level=0.9)
    above = difference_interval(people_a=3, right_a=3, people_b=3, right_b=0, level=0.90001)
    assert at[0] > 0.0 >= above[0]


def test_a_level_that_keeps_no_difference_is_refused() -> None:
    asked = {"people_a": 9, "right_a": 3, "people_b": 6, "right_b": 5}
    low, high = difference_interval(**asked, level=0.1)
    assert low <= 3 / 9 - 5 / 6 <= high
    with pytest.raises(Refused) as refusal:
        difference_interval(**asked, level=0.01)
    assert (refusal.value.name, refusal.value.code) == ("level", Code.INFEASIBLE)


# How many people


@each("share_a, share_b, people", [(0.3, 0.6, 48), (0.5, 0.7, 102), (0.5, 0.8, 44), (0.4, 0.8, 27), (0.6, 0.9, 36)])
def test_the_people_needed_of_the_note(share_a: float, share_b: float, people: int) -> None:
    assert people_needed(share_a=share_a, share_b=share_b) == people
    assert people_needed(share_a=share_b, share_b=share_a) == people
    assert people_needed(share_a=1 - share_a, share_b=1 - share_b) == pytest.approx(people, abs=0)


def test_a_class_of_thirty_finds_a_half_against_97_and_no_less() -> None:
    assert people_needed(share_a=0.5, share_b=0.9) == 23
    assert (
        fisher_power(share_a=0.5, share_b=0.97, people=15) >= 0.8 > fisher_power(share_a=0.5, share_b=0.96, people=15)
    )


@cache
def _fisher_p_value(a: int, b: int, people: int) -> float:
    return float(fisher_exact([[a, people - a], [b, people - b]]).pvalue)


def _power(people: int, share_a: float, share_b: float, alpha: float) -> float:
    """By scipy's test of every table."""
    chances = [binom.pmf(np.arange(people + 1), people, share) for share in (share_a, share_b)]
    return float(
        sum(
            chances[0][a] * chances[1][b]
            for a, b in itertools.product(range(people + 1), range(people + 1))
            if _fisher_p_value(a, b, people) <= alpha * (1 + 1e-9)
        )
    )


@pytest.mark.parametrize(("share_a", "share_b", "alpha"), [(0.2, 0.9, 0.05), (0.4, 1.0, 0.1), (0.0, 0.7, 0.01)])
def test_the_power_is_that_of_every_table(share_a: float, share_b: float, alpha: float) -> None:
    powers = [_power(people, share_a, share_b, alpha) for people in range(1, 15)]
    found = [fisher_power(share_a=share_a, share_b=share_b, people=people, alpha=alpha) for people in range(1, 15)]
    assert found == pytest.approx(powers, rel=1e-9, abs=1e-12)
    reached = 0.7 * max(powers)
    first = 1 + next(place for place, power in enumerate(powers) if power >= reached)
    assert people_needed(share_a=share_a, share_b=share_b, alpha=alpha, power=reached) == first


def test_power_is_a_sawtooth_and_the_first_tooth_counts() -> None:
    powers = {people: fisher_power(share_a=0.05, share_b=0.4, people=people) for people in range(1, 28)}
    assert powers[27] < powers[26]
    between = (powers[26] + powers[27]) / 2
    assert people_needed(share_a=0.05, share_b=0.4, power=between) == min(n for n in powers if powers[n] >= between)
    assert max(powers[people] for people in range(1, 24)) < 0.8 <= powers[24]


def test_null_rejections_stay_at_most_alpha_and_a_tie_is_rejected() -> None:
    for people, alpha in itertools.product((3, 7, 20, 300), (0.01, 0.05, 0.1)):
        for share in (0.0, 0.1, 0.5, 0.8):
            assert fisher_power(share_a=share, share_b=share, people=people, alpha=alpha) <= alpha
    assert fisher_power(share_a=0.0, share_b=1.0, people=3, alpha=0.1) == 1.0  # the p-value is 2/20
    assert fisher_power(share_a=0.0, share_b=1.0, people=3, alpha=0.0999) == 0.0


def test_more_questions_do_more_than_more_people() -> None:
    asked = [people_needed_estimate(share_a=0.5, share_b=0.7, questions=k) for k in (1, 5, 10)]
    assert asked == [95, 32, 24]
    assert [people_needed_estimate(share_a=0.5, share_b=0.8, questions=k) for k in (5, 10)] == [14, 11]


def test_the_power_of_a_class_with_five_questions_is_that_of_the_note() -> None:
    source = np.random.default_rng(4)

    def rejections(shift: float, rooms: int) -> float:
        found = 0
        for _ in range(rooms):
            ability = np.clip(source.normal(0.5, 0.2, 28), 0.0, 1.0).reshape(7, 2, 2)
            ability[:, 0] = np.clip(ability[:, 0] + shift, 0.0, 1.0)
            found += dealing_test(source.binomial(5, ability).tolist(), answers=5).two_sided <= 0.05
        return found / rooms

    assert rejections(0.3, 800) == pytest.approx(0.74, abs=0.07)
    assert rejections(0.0, 1500) <= 0.05


# Betting


def test_the_wealth_of_pairs_is_that_of_the_case() -> None:
    pairs = [(3, 1), (4, 4), (5, 2), (2, 3), (4, 1), (5, 3), (4, 2), (3, 0), (5, 4), (4, 1)]
    bets = pair_bets(pairs, stake=0.5, answers=5)
    assert bets.wealth == pytest.approx(1.5**8 * 0.5, rel=1e-12)
    assert bets.rejected_at() is None
    assert (bets.rejected_at(0.9), bets.rejected_at(0.5)) == (10, 3)
    turned = pair_bets([pair[::-1] for pair in pairs], stake=0.5, ahead="B")
    assert turned.path.tolist() == bets.path.tolist()
    both = pair_bets(pairs, stake=0.5, ahead="either")
    assert both.wealth == pytest.approx((bets.wealth + 0.5**8 * 1.5) / 2, rel=1e-12)


def test_wealth_on_unequal_pairs_grows_as_the_note_says() -> None:
    growth = 0.75 * math.log(1.5) + 0.25 * math.log(0.5)
    assert growth == pytest.approx(0.131, abs=5e-4)
    assert math.log(20) / growth == pytest.approx(23, abs=0.5)
    pairs = [(1, 0), (1, 0), (1, 0), (0, 1)] * 6
    assert math.log(pair_bets(pairs, stake=0.5).wealth) == pytest.approx(24 * growth, rel=1e-12)


@pytest.mark.parametrize(("ahead", "stake"), [("A", 0.3), ("A", 0.9), ("B", 0.5), ("either", 0.3), ("either", 0.9)])
def test_peeking_at_every_pair_gives_no_more_false_alarms(ahead: Any, stake: float) -> None:
    """Over all 4,096 dealings of twelve unequal pairs, each as likely."""
    alarms = 0
    for signs in itertools.product((0, 1), repeat=12):
        alarms += pair_bets([(one, 1 - one) for one in signs], stake=stake, ahead=ahead).rejected_at(0.9) is not None
    assert 0 < alarms <= 0.1 * 2**12


def test_looking_at_the_test_five_times_rejects_too_often_and_betting_does_not() -> None:
    source, rooms = np.random.default_rng(9), 600
    looked = bet = 0
    for _ in range(rooms):
        scores = source.binomial(5, 0.6, (50, 2))
        looks = (dealing_test([([a], [b]) for a, b in scores[:seen].tolist()]) for seen in (10, 20, 30, 40, 50))
        looked += any(found.two_sided <= 0.05 for found in looks)
        bet += pair_bets(scores.tolist(), stake=0.5, ahead="either").rejected_at(0.95) is not None
    assert 0.09 <= looked / rooms <= 0.18
    assert bet / rooms <= 0.05


# Confidence


def test_a_calibrated_person_is_a_sum_of_coins() -> None:
    seen = Confidence(confidence=[0.6, 0.9, 0.75, 1.0], right=[1, 0, 1, 1])
    law = {0: 0.0}
    for hits in itertools.product((0, 1), repeat=4):
        chance = math.prod(c if hit else 1 - c for c, hit in zip(seen.confidence, hits, strict=True))
        law[sum(hits)] = law.get(sum(hits), 0.0) + chance
    assert seen.p_value == pytest.approx(sum(law[v] for v in range(4)), rel=1e-12)
    assert seen.gap == pytest.approx(3.25 / 4 - 0.75, rel=1e-12)
    assert seen.squared_score == pytest.approx((0.16 + 0.81 + 0.0625) / 4, rel=1e-12)
    assert seen.surplus == 0.25


def test_a_wrong_answer_said_to_be_certain_is_impossible_for_the_calibrated() -> None:
    assert Confidence(confidence=[1.0, 1.0], right=[1, 0]).p_value == 0.0
    assert Confidence(confidence=[1.0, 0.5], right=[1, 1]).p_value == 1.0
    few = Confidence(confidence=[0.99] * 60, right=[0] * 60).p_value
    assert few == pytest.approx(0.01**60, rel=1e-9)
    assert Confidence(confidence=[1.0, 0.5], right=[0, 1]).p_value == 0.5, "another may be right in its place"
    assert Confidence(confidence=[0.99] * 200, right=[0] * 200).p_value > 0.0, (
        "it is possible, though no float holds it"
    )


def test_the_least_confidence_is_that_of_a_guess() -> None:
    assert Confidence(confidence=[0.25], right=[0], choices=4).gap == 0.25
    assert Confidence(confidence=[0.3333333], right=[1], choices=3).p_value == 1.0
    for confidence, choices in ((0.49, 2), (0.33, 3), (0.0, 5)):
        with pytest.raises(Refused, match=f"at least 1/{choices}") as refusal:
            Confidence(confidence=[0.8, confidence], right=[1, 1], choices=choices)
        assert (refusal.value.name, refusal.value.value) == ("confidence", confidence)


# Questions

NOTE = Setting(prior=0.05, epsilon=1.0, other=0.5, delta=1e-5, releases=3, people=10_000)


def test_the_answers_of_the_note() -> None:
    assert NOTE.answers == {
        "at_most": 13,
        "at_least": 1,
        "stronger": 2,
        "more_accurate": 1,
        "together": 3.0,
        "after_all": 52,
        "even_guess": 74,
        "half_width": 3,
        "failures": 0.1,
        "not_in": 5,
    }


def test_the_wrong_answers_are_the_known_misreadings() -> None:
    offered = {asked.name: {wrong.value: wrong.misreadings for wrong in asked.wrong} for asked in NOTE.questions}
    assert offered == {
        "at_most": {14: (Misreading.FACTOR_OF_BELIEF,), 18: (Misreading.ADDED_TO_BELIEF,)},
        "at_least": {5: (Misreading.ONLY_RAISES,)},
        "stronger": {1: (Misreading.LARGER_PROTECTS,)},
        "more_accurate": {2: (Misreading.ACCURATE_IS_SAFE,), 0: (Misreading.NO_CONNECTION,)},
        "together": {1.0: (Misreading.LARGEST_COUNTS, Misreading.MEAN_COUNTS)},
        "after_all": {39: (Misreading.BELIEFS_ADD,), 13: (Misreading.FIRST_ONLY,)},
        "even_guess": {100: (Misreading.GUESSER_KNOWS,), 50: (Misreading.GUESSER_LEARNS_NOTHING,)},
        "half_width": {0: (Misreading.EXACT,), 13: (Misreading.NOISE_GROWS,)},
        "failures": {0: (Misreading.NOTHING_FAILS,), 100.0: (Misreading.ONE_IN_HUNDRED,)},
        "not_in": {0: (Misreading.OUT_IS_SAFE,)},
    }
    assert {why for asked in NOTE.questions for wrong in asked.wrong for why in wrong.misreadings} == set(Misreading)


def test_equal_budgets_are_neither_and_no_right_answer_is_offered_as_wrong() -> None:
    equal = Setting(prior=0.5, epsilon=2.0, other=2.0, delta=0.0, releases=1, people=1_000_000)
    assert (equal.answers["stronger"], equal.answers["more_accurate"]) == (0, 0)
    for asked in equal.questions:
        assert asked.answer not in [wrong.value for wrong in asked.wrong]
    weaker = Setting(prior=0.5, epsilon=0.1, other=0.2, delta=0.0, releases=1, people=1)
    assert (weaker.answers["stronger"], weaker.answers["more_accurate"]) == (1, 2)


def test_whole_beliefs_are_not_rounded_past_themselves() -> None:
    for hundredths in range(101):
        calm = Setting(prior=hundredths / 100, epsilon=1e-13, other=1.0, delta=0.0, releases=1, people=1)
        assert calm.answers["at_most"] == calm.answers["at_least"] == calm.answers["not_in"] == hundredths
    bold = Setting(prior=0.3, epsilon=800.0, other=1e-9, delta=0.0, releases=50, people=1).answers
    assert (bold["at_most"], bold["at_least"], bold["together"], bold["half_width"]) == (100, 0, 40_000.0, 0)


# Refusals

SETTING = {"prior": 0.1, "epsilon": 1.0, "other": 0.5, "delta": 0.0, "releases": 1, "people": 10, "level": 0.95}
INTERVAL = {"people_a": 5, "right_a": 3, "people_b": 5, "right_b": 2}
SHARES = {"share_a": 0.5, "share_b": 0.8}
REFUSED: list[tuple[Callable[..., Any], dict[str, Any], str, Code]] = [
    (dealing_test, {"blocks": []}, "blocks", Code.EMPTY),
    (dealing_test, {"blocks": [([1], [])]}, "blocks", Code.EMPTY),
    (dealing_test, {"blocks": [([], [1])]}, "blocks", Code.EMPTY),
    (dealing_test, {"blocks": [([1], [1], [1])]}, "blocks", Code.WRONG_SHAPE),
    (dealing_test, {"blocks": [([1], [1]), [2]]}, "blocks", Code.WRONG_SHAPE),
    (dealing_test, {"blocks": "AB"}, "blocks", Code.WRONG_TYPE),
    (dealing_test, {"blocks": [("11", "00")]}, "blocks", Code.WRONG_TYPE),
    (dealing_test, {"blocks": [(1, 0)]}, "blocks", Code.WRONG_TYPE),
    (dealing_test, {"blocks": None}, "blocks", Code.WRONG_TYPE),
    (dealing_test, {"blocks": np.array(3)}, "blocks", Code.WRONG_TYPE),
    (dealing_test, {"blocks": [([1], [-1])]}, "blocks", Code.OUT_OF_RANGE),
    (dealing_test, {"blocks": [([1], [0.5])]}, "blocks", Code.NOT_WHOLE),
    (dealing_test, {"blocks": [([1], [math.nan])]}, "blocks", Code.NOT_FINITE),
    (dealing_test, {"blocks": [([1], [True])]}, "blocks", Code.NOT_A_NUMBER),
    (dealing_test, {"blocks": [([1], ["1"])]}, "blocks", Code.NOT_A_NUMBER),
    (dealing_test, {"blocks": [([1], [6])], "answers": 5}, "blocks", Code.OUT_OF_RANGE),
    (dealing_test, {"blocks": [([1], [0])], "answers": 0}, "answers", Code.OUT_OF_RANGE),
    (dealing_test, {"blocks": [([10**9], [0])]}, "blocks", Code.TOO_LARGE),
    (dealing_test, {"blocks": [([0, 5] * 300, [1, 2] * 300)]}, "blocks", Code.TOO_LARGE),
    (surplus_test, {"blocks": [([0.1], [math.inf])]}, "blocks", Code.NOT_FINITE),
    (surplus_test, {"blocks": [([0.1], [])]}, "blocks", Code.EMPTY),
    (surplus_test, {"blocks": [([0.1], [1 / 3])]}, "blocks", Code.TOO_LARGE),
    (dealt_arms, {"people": 0}, "people", Code.OUT_OF_RANGE),
    (dealt_arms, {"people": 4, "block": 3}, "block", Code.OUT_OF_RANGE),
    (dealt_arms, {"people": 4, "block": 0}, "block", Code.OUT_OF_RANGE),
    (dealt_arms, {"people": 4, "generator": 7}, "generator", Code.WRONG_TYPE),
    (next_arm, {"dealt": ["A", "A", "A"]}, "dealt", Code.INCONSISTENT),
    (next_arm, {"dealt": ["A", "C"]}, "dealt", Code.UNKNOWN_CHOICE),
    (next_arm, {"dealt": "AB"}, "dealt", Code.WRONG_TYPE),
    (next_arm, {"dealt": None}, "dealt", Code.WRONG_TYPE),
    (next_arm, {"dealt": ""}, "dealt", Code.WRONG_TYPE),
    (WrongAnswer, {"value": math.nan, "misreadings": ("exact",)}, "value", Code.NOT_FINITE),
    (WrongAnswer, {"value": 1, "misreadings": "exact"}, "misreadings", Code.WRONG_TYPE),
    (WrongAnswer, {"value": 1, "misreadings": ()}, "misreadings", Code.EMPTY),
    (WrongAnswer, {"value": 1, "misreadings": ("exact", "wrong")}, "misreadings", Code.UNKNOWN_CHOICE),
    (difference_interval, INTERVAL | {"right_a": 6}, "right_a", Code.OUT_OF_RANGE),
    (difference_interval, INTERVAL | {"right_b": -1}, "right_b", Code.OUT_OF_RANGE),
    (difference_interval, INTERVAL | {"people_a": 0, "right_a": 0}, "people_a", Code.OUT_OF_RANGE),
    (difference_interval, INTERVAL | {"people_b": 0, "right_b": 0}, "people_b", Code.OUT_OF_RANGE),
    (difference_interval, INTERVAL | {"people_a": 146}, "people_a + people_b", Code.OUT_OF_RANGE),
    (difference_interval, INTERVAL | {"level": 1.0}, "level", Code.OUT_OF_RANGE),
    (difference_interval, INTERVAL | {"level": 0.0}, "level", Code.OUT_OF_RANGE),
    (difference_interval, INTERVAL | {"level": math.nan}, "level", Code.NOT_FINITE),
    (difference_interval, INTERVAL | {"right_a": 1.5}, "right_a", Code.NOT_WHOLE),
    (people_needed, {"share_a": 0.5, "share_b": 0.5}, "share_b", Code.INFEASIBLE),
    (people_needed, SHARES | {"alpha": 0.0}, "alpha", Code.OUT_OF_RANGE),
    (people_needed, SHARES | {"alpha": 1.0}, "alpha", Code.OUT_OF_RANGE),
    (people_needed, SHARES | {"power": 1.0}, "power", Code.OUT_OF_RANGE),
    (people_needed, SHARES | {"power": True}, "power", Code.NOT_A_NUMBER),
    (people_needed, {"share_a": 0.5, "share_b": 1.1}, "share_b", Code.OUT_OF_RANGE),
    (people_needed, {"share_a": 0.5, "share_b": 0.501}, "share_b", Code.TOO_LARGE),
    (people_needed_estimate, {"share_a": 0.4, "share_b": 0.4, "questions": 5}, "share_b", Code.INFEASIBLE),
    (people_needed_estimate, {"share_a": 0.0, "share_b": 5e-324, "questions": 5}, "share_b", Code.TOO_LARGE),
    (people_needed_estimate, SHARES | {"questions": 0}, "questions", Code.OUT_OF_RANGE),
    (people_needed_estimate, SHARES | {"questions": 5, "ability_spread": 0.5}, "ability_spread", Code.OUT_OF_RANGE),
    (fisher_power, SHARES | {"people": 0}, "people", Code.OUT_OF_RANGE),
    (pair_bets, {"pairs": [(1, 0)], "stake": 1.0}, "stake", Code.OUT_OF_RANGE),
    (pair_bets, {"pairs": [(1, 0)], "stake": -0.1}, "stake", Code.OUT_OF_RANGE),
    (pair_bets, {"pairs": []}, "pairs", Code.EMPTY),
    (pair_bets, {"pairs": [(1, 0, 1)]}, "pairs", Code.WRONG_SHAPE),
    (pair_bets, {"pairs": [(1, 6)], "answers": 5}, "pairs", Code.OUT_OF_RANGE),
    (pair_bets, {"pairs": [(1, 0)], "ahead": "C"}, "ahead", Code.UNKNOWN_CHOICE),
    (pair_bets([(1, 0)]).rejected_at, {"level": 1.0}, "level", Code.OUT_OF_RANGE),
    (Confidence, {"confidence": [], "right": []}, "confidence", Code.EMPTY),
    (Confidence, {"confidence": [0.6], "right": [1, 0]}, "confidence and right", Code.WRONG_SHAPE),
    (Confidence, {"confidence": [0.6], "right": [2]}, "right", Code.OUT_OF_RANGE),
    (Confidence, {"confidence": [0.6], "right": [True]}, "right", Code.NOT_A_NUMBER),
    (Confidence, {"confidence": [60], "right": [1]}, "confidence", Code.OUT_OF_RANGE),
    (Confidence, {"confidence": 0.6, "right": [1]}, "confidence", Code.WRONG_TYPE),
    (Confidence, {"confidence": [0.6], "right": [1], "choices": 1}, "choices", Code.OUT_OF_RANGE),
    (Setting, SETTING | {"prior": 1.2}, "prior", Code.OUT_OF_RANGE),
    (Setting, SETTING | {"epsilon": 0.0}, "epsilon", Code.OUT_OF_RANGE),
    (Setting, SETTING | {"other": -1.0}, "other", Code.OUT_OF_RANGE),
    (Setting, SETTING | {"delta": 1.0}, "delta", Code.OUT_OF_RANGE),
    (Setting, SETTING | {"releases": 0}, "releases", Code.OUT_OF_RANGE),
    (Setting, SETTING | {"releases": 1.5}, "releases", Code.NOT_WHOLE),
    (Setting, SETTING | {"people": 0}, "people", Code.OUT_OF_RANGE),
    (Setting, SETTING | {"level": 1.0}, "level", Code.OUT_OF_RANGE),
    (Setting, SETTING | {"prior": "0.1"}, "prior", Code.NOT_A_NUMBER),
    (Setting, SETTING | {"epsilon": 1e308, "releases": 1000}, "epsilon of all releases", Code.TOO_LARGE),
]


@each("place, call", list(enumerate(REFUSED)))
def test_what_cannot_be_meant_is_refused_by_name(place: int, call: Any) -> None:
    asked, given, name, code = call
    with pytest.raises(Refused) as refusal:
        asked(**given)
    assert (refusal.value.name, refusal.value.code) == (name, code)


def test_where_a_chance_is_that_of_a_failure_it_is_counted_in_whole_numbers() -> None:
    drawn = Random(9)
    for _ in range(60):
        kinds = _Kinds(*(drawn.randrange(5) for _ in range(4)))
        n = sum(kinds.sizes)
        if n < 2:
            continue
        people = drawn.randrange(1, n)
        answers = _Answers(people, 0, n - people, 0)
        mean = people * (n * kinds.both + answers.others * kinds.first + people * kinds.second)
        ends = itertools.product(range(5), repeat=3)
        scores = {abs(n * (n * x + answers.others * y + people * z) - mean) for x, y, z in ends}
        for away in sorted(scores)[1:6]:  # those that a score may lie away by, where a bound is reached
            counted, chance = _exact_tail(answers, kinds, mean, away), _tail(answers, kinds)(mean - away, mean + away)
            assert float(counted) == pytest.approx(chance, abs=1e-12)
