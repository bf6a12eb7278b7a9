"""Whether a room understood: questions, ways of showing, who is dealt where, and what the wall says of it."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore.trial import Setting, difference_interval, fisher_power
from riskline.case.value import Case
from tests.each import each
from ui.pictures.people import IconArray
from ui.pictures.style import Style
from ui.rooms.meeting import BLOCK, FEWEST, Participant, drawn
from ui.views.room.activity import ParticipantAnswer, text_of, values_of
from ui.views.room.comprehension import COMPUTED, IN_WORDS, WAYS, computed_question, options_of, shown_way
from ui.views.room.lines import beginning_with_case
from ui.views.room.understanding import (
    ASKED,
    FEWEST_TESTED,
    MOST_IN_INTERVAL,
    NONE,
    Understanding,
    dealt_again,
    dealt_answers,
    found_from,
    interval_in_hundred,
    questions_of,
    shown_to,
)
from ui.words.phrasing import how_often

CASES = [
    case
    for case in json.loads((Path(__file__).parents[1] / "reference/cases/audit.json").read_text(encoding="utf-8"))
    if case["kind"] == "trial:answers"
]
ACTIVITY, PLAIN = Understanding(), Style()
UNITS = dict.fromkeys(COMPUTED, "{} in 100") | {"together": "ε = {}", "half_width": "± {}", "failures": "{}"}


def chosen(**choices: Any) -> dict[str, Any]:
    """The settings as they come, but for these."""
    names = {f"understanding_{name}": value for name, value in choices.items()}
    return {field.name: field.default for field in ACTIVITY.settings} | names


def said(name: str, value: float) -> str:
    """An answer as an option says it, by a formatting of its own."""
    if name in ("stronger", "more_accurate"):
        return {0: "Neither", 1: "The first", 2: "The second"}[int(value)]
    digits = f"{Decimal(repr(value)):,f}"
    digits = digits.rstrip("0").rstrip(".") if "." in digits else digits
    return UNITS[name].format(digits)


@st.composite
def all_settings(draw: st.DrawFn) -> Setting:
    """Any setting that the page takes, at round numbers and at odd ones."""
    budgets = st.one_of(st.sampled_from([0.05, 0.5, 1.0, 2.0, 4.0]), st.floats(0.05, 4).map(lambda e: round(e, 3)))
    return Setting(
        prior=draw(st.integers(1, 50)) / 100,
        epsilon=draw(budgets),
        other=draw(budgets),
        delta=draw(st.sampled_from([0.0, 1e-9, 1e-5, 0.01, 0.1])),
        releases=draw(st.integers(2, 1000)),
        people=draw(st.integers(1, 10**9)),
        level=draw(st.integers(1, 99)) / 100,
    )


# --- The questions ----------------------------------------------------------------------------------------------------


@each("case", CASES, ids=lambda case: case["id"])
def test_the_right_option_is_that_of_the_shared_cases(case: dict[str, Any]) -> None:
    setting = Setting(**case["inputs"])
    for name in COMPUTED:
        asked = computed_question(name, setting, order=3)
        assert asked.options[asked.right] == said(name, case["expected"][name]), name


@settings(max_examples=150, deadline=None)
@given(setting=all_settings(), order=st.integers(0, 2**31 - 1))
def test_options_differ_and_one_of_them_is_right(setting: Setting, order: int) -> None:
    for name in (*COMPUTED, *IN_WORDS):
        asked = computed_question(name, setting, order)
        assert 2 <= len(asked.options) <= 10
        assert len(set(asked.options)) == len(asked.options), asked
        assert asked.options[asked.right] == options_of(name, setting)[0]
        assert set(asked.options) == set(options_of(name, setting))
        assert "e-" not in " ".join((asked.words, *asked.options))


@settings(max_examples=150, deadline=None)
@given(setting=all_settings())
def test_right_options_are_what_a_computation_of_its_own_gives(setting: Setting) -> None:
    """Odds multiplied by e^ε in exact fractions of a float: at most rounded up, at least down, in 100."""

    def after(prior: float, epsilon: float) -> Fraction:
        odds = Fraction(round(100 * prior), 100 - round(100 * prior)) * Fraction(math.exp(min(epsilon, 700)))
        return 100 * odds / (1 + odds)

    together = Fraction(repr(setting.epsilon)) * setting.releases
    noise = math.exp(-setting.epsilon)
    beyond = (2 * noise ** (width + 1) / (1 + noise) for width in range(10**4))  # chance to be further off
    expected = {
        "at_most": math.ceil(after(setting.prior, setting.epsilon)),
        "at_least": math.floor(after(setting.prior, -setting.epsilon)),
        "together": float(together),
        "after_all": math.ceil(after(setting.prior, float(together))),
        "even_guess": math.ceil(after(0.5, setting.epsilon)),
        "half_width": next(width for width, chance in enumerate(beyond) if chance <= 1 - setting.level + 1e-12),
        "failures": float(Fraction(repr(setting.delta)) * setting.people),
        "not_in": round(100 * setting.prior),
        "stronger": 0 if setting.other == setting.epsilon else 1 if setting.epsilon < setting.other else 2,
        "more_accurate": 0 if setting.other == setting.epsilon else 1 if setting.epsilon > setting.other else 2,
    }
    for name, value in expected.items():
        assert options_of(name, setting)[0] == said(name, value), name


def test_wrong_options_are_the_known_misreadings() -> None:
    setting = Setting(prior=0.05, epsilon=1.0, other=0.5, delta=1e-5, releases=3, people=10_000)
    assert {name: options_of(name, setting) for name in COMPUTED} == {
        "at_most": ("13 in 100", "14 in 100", "18 in 100"),
        "at_least": ("1 in 100", "5 in 100"),
        "stronger": ("The second", "The first", "Neither"),
        "more_accurate": ("The first", "The second", "Neither"),
        "together": ("ε = 3", "ε = 1"),
        "after_all": ("52 in 100", "39 in 100", "13 in 100"),
        "even_guess": ("74 in 100", "100 in 100", "50 in 100"),
        "half_width": ("± 3", "± 0", "± 13"),
        "failures": ("0.1", "0", "100"),
        "not_in": ("5 in 100", "0 in 100"),
    }


def test_where_every_misreading_is_right_the_belief_before_is_the_wrong_option() -> None:
    setting = Setting(prior=0.5, epsilon=4.0, other=4.0, delta=0.0, releases=3, people=1)
    assert options_of("after_all", setting) == ("100 in 100", "99 in 100")
    nearly = Setting(prior=0.5, epsilon=9.0, other=4.0, delta=0.0, releases=3, people=1)
    assert options_of("after_all", nearly) == options_of("at_most", nearly) == ("100 in 100", "50 in 100")


def test_the_right_option_has_no_place_of_its_own_and_one_order_is_for_everybody() -> None:
    setting = Setting(prior=0.05, epsilon=1.0, other=0.5, delta=1e-5, releases=3, people=10_000)
    for name in (*COMPUTED, *IN_WORDS):
        places = [computed_question(name, setting, order).right for order in range(200)]
        options = len(options_of(name, setting))
        assert all(places.count(place) > 200 / options / 2 for place in range(options)), name
        assert computed_question(name, setting, 7) == computed_question(name, setting, 7)
    orders = {ACTIVITY.begun(chosen())["understanding_order"] for _ in range(5)}
    assert len(orders) == 5


def test_two_to_four_questions_are_asked_each_once() -> None:
    def names(*questions: str) -> list[str]:
        asked = dict(zip((name.removeprefix("understanding_") for name in ASKED), questions, strict=True))
        return [question.name for question in questions_of(chosen(**asked))]

    assert names("failures", "not_in", "negative", "bound") == ["failures", "not_in", "negative", "bound"]
    assert names("failures", "failures", NONE, "failures") == ["failures", "at_most"]
    assert names("at_most", "at_most", NONE, NONE) == ["at_most", "bound"]
    assert [question.name for question in questions_of(chosen())] == ["at_most", "bound", "at_least"]


# --- Ways to show -----------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(prior=st.integers(1, 50), epsilon=st.one_of(st.sampled_from([0.05, 4.0]), st.floats(0.05, 4)))
def test_every_way_shows_the_number_that_is_asked_for(prior: int, epsilon: float) -> None:
    epsilon = round(epsilon, 2)
    setting = Setting(prior=prior / 100, epsilon=epsilon, other=1.0, delta=0.0, releases=2, people=1)
    most = setting.answers["at_most"]
    for way in WAYS:
        found = shown_way(way, prior / 100, epsilon)
        text = " ".join(found.sentences).replace("*", "")
        if way in ("words", "sheet", "label"):
            assert f"{prior} in 100 likely" in text
            assert f"at most {most} in 100 sure" in text
        elif way == "odds":
            assert f"{prior} to {100 - prior}" in text
            assert f"at most {most} to {100 - most}" in text
        else:
            assert found.drawing is not None
            panels = [panel for panel in found.drawing.panels if isinstance(panel, IconArray)]
            before = [(prior, prior)] if way == "picture" else []
            assert [(panel.before, panel.after) for panel in panels] == [*before, (prior, most)]
            assert {panel.of for panel in panels} == {100}
        assert bool(found.sentences) != bool(found.drawing)


def test_the_ways_differ_and_a_half_sees_its_own() -> None:
    shown = [shown_way(way, 0.05, 1.0) for way in WAYS]
    assert len({(one.sentences, one.drawing and one.drawing.html) for one in shown}) == len(WAYS)
    settings_, technical = chosen(a="odds", b="label"), Style(voice="technical")
    assert shown_to(settings_, 6, technical) == shown_way("odds", 0.05, 1.0)
    assert shown_to(settings_, 7, technical) == shown_way("label", 0.05, 1.0)


# --- Dealing ----------------------------------------------------------------------------------------------------------


def halves(seed: int, people: int) -> list[int]:
    return [one.own & 1 for one in drawn(seed, *(Participant(number, "", "") for number in range(1, people + 1)))]


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(1, 2**62), people=st.integers(1, 300))
def test_halves_differ_by_at_most_two_at_any_moment_and_each_four_are_two_and_two(seed: int, people: int) -> None:
    dealt = halves(seed, people)
    assert all(abs(2 * sum(dealt[:n]) - n) <= 2 for n in range(people + 1))
    assert all(sum(dealt[at : at + BLOCK]) == 2 for at in range(0, people - BLOCK + 1, BLOCK))
    assert halves(seed, people) == dealt  # a reload, another replica


def test_each_dealing_of_four_is_as_likely_and_nobody_tells_one_block_from_another() -> None:
    first = [tuple(halves(seed, 8)) for seed in range(1, 6001)]
    pairs = [(one[:4], one[4:]) for one in first]
    orders = sorted({one for one, _ in pairs})
    assert len(orders) == 6
    for one, other in product(orders, orders):  # 6,000/36 = 167 expected, five standard deviations are 64
        assert abs(pairs.count((one, other)) - 6000 / 36) < 64


# --- The result -------------------------------------------------------------------------------------------------------


def room_of(scores_a: list[int], scores_b: list[int], seed: int = 5, **choices: Any) -> list[ParticipantAnswer]:
    """A room in which these many questions were right in each half, in the order of joining; −1 for no answer."""
    settings_ = chosen(**choices)
    questions, left = questions_of(settings_), [list(scores_a), list(scores_b)]
    found, number = [], 0
    while any(left):
        number += 1
        (who,) = drawn(seed, Participant(number, "", ""))
        if not left[who.own & 1]:
            continue  # a number of somebody who has left
        score = left[who.own & 1].pop(0)
        places = [
            question.right if place < score else (question.right + 1) % len(question.options)
            for place, question in enumerate(questions)
        ]
        text = "" if score < 0 else "".join(map(str, places))
        found.append(ParticipantAnswer(who, {"understanding_said": text}))
    return found


def test_the_difference_and_its_interval_come_before_the_test_and_no_question_has_a_p_value() -> None:
    people = room_of([3] * 9 + [0], [3] * 3 + [0] * 7)
    wall = ACTIVITY.summary(chosen(), people, PLAIN)
    assert wall.answer == (
        "**60 in 100 more** had everything right with “Words”. Had all seen it: **15** to **80** more, 95 in 100 sure."
    )
    assert wall.sentences[0].startswith(
        "The way shown made a difference here: dealt again, halves are as far apart at most"
    )
    assert wall.sentences[1].startswith("Right: Highest belief: **13 in 100**; ")
    assert wall.tables[0].columns == ("question", "Words", "Before and after")
    assert wall.tables[0].rows == (
        ("Highest belief", "9 of 10", "3 of 10"),
        ("“At most”", "9 of 10", "3 of 10"),
        ("Lowest belief", "9 of 10", "3 of 10"),
        ("everything", "9 of 10", "3 of 10"),
        ("no answer", "0 of 10", "0 of 10"),
    )
    assert " times" not in str(wall.tables) + wall.small_print
    other_way = ACTIVITY.summary(chosen(), room_of([3] * 3 + [0] * 7, [3] * 9 + [0]), PLAIN)
    assert other_way.answer == wall.answer.replace("Words", "Before and after")


def by_listing(people: list[ParticipantAnswer]) -> Fraction:
    """The two-sided chance over every dealing of every block, one by one."""
    dealt = dealt_answers(chosen(), people)
    fours: dict[int, list[Any]] = {}
    for answer, one in zip(people, dealt, strict=True):
        fours.setdefault((answer.who.number + 3) // 4, []).append(one)  # numbers 1 to 4, 5 to 8, …
    blocks = [*fours.values()]
    ways = []
    for block in blocks:
        in_a = sum(one.half == 0 for one in block)
        ways.append([sum(one.score for one in taken) for taken in combinations(block, in_a)])
    sums = [sum(way) for way in product(*ways)]
    middle, seen = Fraction(sum(sums), len(sums)), sum(one.score for one in dealt if one.half == 0)
    return Fraction(sum(abs(one - middle) >= abs(seen - middle) for one in sums), len(sums))


@pytest.mark.parametrize("seed", [5, 6, 7])
def test_the_test_deals_every_block_again_also_with_gaps(seed: int) -> None:
    people = room_of([3, 2, 3, -1, 3, 3], [0, 1, 2, -1, 0, 1], seed)
    for missing in ((), (1,), (2, 3, 4)):
        left = [one for one in people if one.who.number not in missing]
        found = dealt_again(dealt_answers(chosen(), left), 3)
        assert found == pytest.approx(float(by_listing(left)), rel=1e-12)


def test_the_interval_is_rounded_outwards() -> None:
    for right, people, other, others in ((9, 10, 3, 10), (2, 11, 7, 12), (0, 13, 0, 9), (8, 15, 5, 14)):
        low, high = difference_interval(people_a=people, right_a=right, people_b=others, right_b=other)
        found = interval_in_hundred(right, people, other, others)
        assert found == (math.floor(round(100 * low, 9)), math.ceil(round(100 * high, 9)))


def test_of_fewer_than_twenty_people_there_is_no_test_but_what_it_could_have_found() -> None:
    few = ACTIVITY.summary(chosen(), room_of([3] * 9, [0] * 10), PLAIN)
    assert few.answer == ("Everything right: **9 of 9** with “Words”, **0 of 10** with “Before and after”.")
    assert few.sentences[0] == ACTIVITY.forecast(19, PLAIN)
    assert "dealt again" not in str(few)
    assert "dealt again" in str(ACTIVITY.summary(chosen(), room_of([3] * 10, [0] * 10), PLAIN))
    assert FEWEST_TESTED == 20


def test_a_forecast_is_the_smallest_difference_that_is_found_often_enough() -> None:
    for each_half in (5, 9, 10, 15, 50):
        low = found_from(each_half)
        assert low is not None
        powers = [
            fisher_power(share_a=share / 100, share_b=1 - share / 100, people=each_half) for share in (low, low + 1)
        ]
        assert powers[0] >= 0.8 > powers[1]
    assert found_from(3) is found_from(0) is None
    assert ACTIVITY.forecast(6, PLAIN).startswith("Too few to tell halves apart. Below 20, no test.")
    told = "30 people and one question show no smaller difference than 22 against 78 in 100 right."
    assert ACTIVITY.forecast(30, PLAIN) == told


def test_too_few_to_tell_is_said_so_and_nobody_is_said_to_understand_better() -> None:
    near = ACTIVITY.summary(chosen(), room_of([3] * 6 + [0] * 6, [3] * 5 + [0] * 7), PLAIN)
    assert near.sentences[0].startswith("Too few to tell whether it made a difference: ")
    assert "Had all seen it: **−" in near.answer
    same = ACTIVITY.summary(chosen(), room_of([3] * 6 + [0] * 6, [3] * 6 + [0] * 6), PLAIN)
    assert same.answer.startswith("**0 in 100 more** had everything right with “Words”. Had all seen it: **−")
    for wall in (near, same):
        assert "better" not in str(wall)


def test_above_sixty_people_there_is_no_interval_and_the_wall_says_so() -> None:
    below = ACTIVITY.summary(chosen(), room_of([3] * 30, [0] * 30), PLAIN)
    above = ACTIVITY.summary(chosen(), room_of([3] * 31, [0] * 30), PLAIN)
    assert "95 in 100 sure" in below.answer
    assert above.answer.endswith(f"Above {MOST_IN_INTERVAL}, there is no interval.")
    assert above.sentences[0].startswith("The way shown made a difference here")
    assert above.tables[0].rows[0] == ("Highest belief", "31 of 31", "0 of 30")


def test_who_did_not_answer_is_counted_as_not_right_where_they_were_dealt() -> None:
    people = room_of([3] * 6 + [-1] * 4, [3] * 9 + [-1])
    wall = ACTIVITY.summary(chosen(), people, PLAIN)
    assert wall.tables[0].rows[-1] == ("no answer", "4 of 10", "1 of 10")
    assert wall.tables[0].rows[0] == ("Highest belief", "6 of 10", "9 of 10")


def test_a_half_of_fewer_than_three_answers_is_not_shown_apart() -> None:
    people = room_of([3, 3, -1], [0, 1, 2])
    wall = ACTIVITY.summary(chosen(), people, PLAIN)
    assert wall.answer == "Everything right: **2 of 6**."
    assert wall.picture is None
    assert wall.tables[0].columns == ("question", "Everybody")
    assert wall.sentences[0] == "Too few to tell halves apart."
    assert not any("way" in parse_qs(row) for _, row in ACTIVITY.handed_on(chosen(), people))
    assert FEWEST == 3


def test_what_is_handed_on_has_ways_and_answers_and_nothing_of_who_or_when() -> None:
    settings_ = chosen(order=11)
    people = room_of([3, 2, 1, -1], [0, 1, 2, 3])
    rows = [text for _, text in ACTIVITY.handed_on(settings_, people)]
    assert rows == sorted(rows)
    assert ACTIVITY.handed_on(settings_, people[::-1]) == ACTIVITY.handed_on(settings_, people)
    told = [parse_qs(row) for row in rows]
    assert {key for one in told for key in one} == {"way", "at_most", "bound", "at_least", "right"}
    assert sorted(one["way"][0] for one in told) == ["picture"] * 4 + ["words"] * 4
    right = {one.name: one.options[one.right] for one in questions_of(settings_)}
    for one in told:
        assert int(one["right"][0]) == sum(one.get(name, [""])[0] == words for name, words in right.items())
    assert {group for group, _ in ACTIVITY.handed_on(settings_, people)} == {""}


def test_an_answer_goes_on_by_one_option_at_a_time_and_must_be_one() -> None:
    settings_ = chosen()
    for text in ("", "0", "01", "011"):
        values = values_of(ACTIVITY.answers, f"understanding_said={text}")
        assert ACTIVITY.judged(settings_, values) == values
        assert ACTIVITY.finished(settings_, values) == (len(text) == 3)
    sent = [text_of(ACTIVITY.answers, {"understanding_said": text}) for text in ("0", "01", "011")]
    assert all(later.startswith(earlier) for earlier, later in pairwise(sent))
    lengths = [len(sent[0]), len(sent[2]), len(sent[2])]
    assert ACTIVITY.progress(settings_, 24, lengths, PLAIN) == "**2 of 24** finished."
    for refused in ("0000", "5"):
        with pytest.raises(ValueError, match=r"at most 3 answers|must be options"):
            ACTIVITY.judged(settings_, {"understanding_said": refused})
    with pytest.raises(ValueError, match="places of at most 4 options"):
        values_of(ACTIVITY.answers, "understanding_said=01234")


def test_the_small_chance_is_rounded_up() -> None:
    people = room_of([3] * 10, [0] * 10)
    chance = dealt_again(dealt_answers(chosen(), people), 3)
    assert how_often(chance, "up") in str(ACTIVITY.summary(chosen(), people, PLAIN).sentences).replace("*", "")


def test_a_room_opened_with_a_case_begins_with_its_belief_and_budget_where_they_fit() -> None:
    def begun(prior: float, epsilon: float) -> tuple[Any, Any]:
        case = Case(prior=prior).decided(value=epsilon, currency="epsilon")
        fields = {field.name: field.default for field in beginning_with_case(ACTIVITY.settings, case)}
        return fields["understanding_prior"], fields["understanding_epsilon"]

    assert begun(0.1, 2.0) == (10, 2.0)
    assert begun(0.07, 0.5) == (7, 0.5)  # 7.000000000000001 as a float
    assert begun(0.055, 9.0) == (5, 1.0)
    assert begun(0.9, 0.01) == (5, 1.0)
