"""The survey with coins: what a browser is given and may send, and what the wall makes of noisy answers."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest

from dpcore.randomized_response import RandomizedAnswer, count_coverage
from tests.each import each
from tests.reached_beliefs import reached, spoken
from ui.components.coin_survey import place_of, sent_answer
from ui.pictures.style import Style
from ui.rooms.meeting import Participant
from ui.views.room.activity import ParticipantAnswer, Wall, text_of, values_of
from ui.views.room.coin_survey import PARTS, CoinSurvey, coins_of, coins_on_device, stated_beliefs

SURVEY = CoinSurvey()
UNEQUAL = "coin_survey_forced_yes=3/20&coin_survey_forced_no=5%25"


def settings(text: str = "") -> dict[str, Any]:
    return values_of(SURVEY.settings, text)


def wall(said_yes: int, people: int, text: str = "", voice: str = "plain") -> Wall:
    answers = [
        ParticipantAnswer(
            Participant(at + 1, "", ""),
            values_of(SURVEY.answers, f"coin_survey_said={'yes' if at < said_yes else 'no'}"),
        )
        for at in range(people)
    ]
    return SURVEY.summary(settings(text), answers, Style(voice=voice))


def test_the_settings_come_back_from_their_text_and_are_what_the_coins_do() -> None:
    chosen = settings("coin_survey_statement=I+have.&coin_survey_forced_yes=1/3&coin_survey_forced_no=12.5%25")
    assert values_of(SURVEY.settings, text_of(SURVEY.settings, chosen)) == chosen
    assert chosen["coin_survey_forced_yes"] == 0.333333
    assert coins_on_device(chosen, Style())["coins"] == {"forcedYes": 333333, "forcedNo": 125000, "outOf": PARTS}
    assert coins_on_device(settings(), Style())["coins"] == {"forcedYes": 1, "forcedNo": 1, "outOf": 4}
    for text in ("", UNEQUAL):
        coins, given = coins_of(settings(text)), coins_on_device(settings(text), Style())["coins"]
        assert given["forcedYes"] / given["outOf"] == coins.forced_yes
        assert given["forcedNo"] / given["outOf"] == coins.forced_no
        assert math.isfinite(coins.epsilon)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("coin_survey_forced_yes=0", r"must be from 0.05 to 0.45"),
        ("coin_survey_forced_no=0.46", r"must be from 0.05 to 0.45"),
        ("coin_survey_forced_no=nan", "must be a finite number"),
        ("coin_survey_statement=+", "must have 1 to 200 characters; got 0"),
        (f"coin_survey_statement={'a' * 201}", "must have 1 to 200 characters; got 201"),
        ("coin_survey_statement=one%0Atwo", "must be one line without control characters"),
        ("coin_survey_statement=one%E2%80%AEtwo", "must be one line without control characters"),
    ],
)
def test_other_settings_are_refused(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        settings(text)


@pytest.mark.parametrize(
    "text", ["", "coin_survey_said=", "coin_survey_said=maybe", "coin_survey_said=yes&truth=no", "truth=yes"]
)
def test_an_answer_is_the_noisy_one_and_nothing_beside_it(text: str) -> None:
    with pytest.raises(ValueError, match=r"must be yes or no|nothing else"):
        SURVEY.judged(settings(), values_of(SURVEY.answers, text))
    assert [field.name for field in SURVEY.answers] == ["coin_survey_said"]
    assert SURVEY.first_answer_stays


@each(
    "sent",
    [
        *(None, 1, True, "", "yes", ["yes"], {}, {"said": "yes"}, {"times": 1}),
        *({"said": said, "times": 1} for said in ("YES", "maybe", 1, None, ["yes"])),
        *({"said": "yes", "times": times} for times in ("1", True, 1.5, None)),
        {"said": "yes", "times": 1, "truth": "no"},
    ],
)
def test_a_browser_says_yes_or_no_or_nothing(sent: Any) -> None:
    assert sent_answer(sent) is None
    assert [sent_answer({"said": said, "times": 2}) for said in ("yes", "no")] == ["yes", "no"]


def test_what_a_tab_keeps_is_kept_for_one_person_in_one_activity_of_one_room() -> None:
    whose = {place_of((room, number, me)) for room in ("A", "B") for number in ("1", "2") for me in ("x", "y")}
    assert len(whose) == 8
    assert not any("x" in place.removeprefix("riskline-coins-") for place in whose)


def test_what_a_browser_is_given_tells_nothing_of_any_answer() -> None:
    assert coins_on_device(settings(), Style()) == coins_on_device(settings(), Style())
    said = coins_on_device(settings("coin_survey_statement=2*3"), Style())["words"]
    assert said["statement"] == "2*3"  # a script puts it down letter by letter
    assert SURVEY.asked(settings("coin_survey_statement=2**3"), Style()).question == "2··3"  # a page would read marks


@pytest.mark.parametrize("text", ["", UNEQUAL, "coin_survey_forced_yes=0.05&coin_survey_forced_no=0.45"])
@pytest.mark.parametrize("voice", ["plain", "technical"])
def test_what_a_yes_tells_anybody_is_at_least_what_it_can_tell(text: str, voice: str) -> None:
    coins, style = coins_of(settings(text)), Style(voice=voice)
    rows = coins_on_device(settings(text), style)["beliefs"]["rows"]
    assert rows == [list(row) for row in wall(1, 3, text, voice).tables[0].rows]
    for stated, (before, yes, no) in zip(stated_beliefs(coins, style), rows, strict=True):
        p = stated.prior
        if_yes, if_no = coins.truthful + coins.forced_yes, coins.forced_yes
        after_yes = p * if_yes / (p * if_yes + (1 - p) * if_no)
        after_no = p * (1 - if_yes) / (p * (1 - if_yes) + (1 - p) * (1 - if_no))
        assert spoken(before) == p
        assert after_yes - 1e-12 <= spoken(yes) <= after_yes + 0.01
        assert after_no - 0.01 <= spoken(no) <= after_no + 1e-12
        assert stated.at_most >= reached(stated) - 1e-12
        assert stated.words == yes
        assert stated.promise.secret == "answer"
        assert after_yes <= 1 / (1 + (1 - p) / p * math.exp(-coins.epsilon)) + 1e-12


def test_the_budget_of_an_answer_is_rounded_up_and_said_with_its_promise() -> None:
    words = coins_on_device(settings(UNEQUAL), Style(voice="technical"))["words"]["promise"]
    assert "truth with probability 0.8, forced yes with 0.15, forced no with 0.05: at most ε = 2.84" in words[0].lower()
    assert coins_of(settings(UNEQUAL)).epsilon == pytest.approx(math.log(17))
    assert "taking part visible" in words[1]
    plain = " ".join(coins_on_device(settings(), Style())["words"]["promise"])
    assert "50 of 100 times; yes is said instead 25 of 100 times, no 25 of 100 times" in plain
    assert "what a given person answered" in plain


def test_the_wall_says_estimate_and_both_ranges() -> None:
    shown = wall(12, 30)
    assert "**12** of **30** said yes" in shown.answer
    assert "**1** to **19** would: at least 95 in 100 likely" in shown.answer
    assert "**9** of 30" in shown.sentences[0]  # (0.4 - 1/4) / (1/2) of 30
    assert "**0** to **19** of 30" in wall(12, 30, voice="technical").sentences[0]
    assert shown.picture is not None
    counted = {row[0]: row[1] for row in shown.picture.table.rows}
    assert float(str(counted["9"])) == max(float(str(chance)) for chance in counted.values())


def test_thirds_are_whole_millionths_and_a_third_of_yeses_leaves_nobody() -> None:
    thirds = "coin_survey_forced_yes=1/3&coin_survey_forced_no=1/3"
    for yeses, told in ((10, "0"), (11, "3"), (20, "30")):
        assert wall(yeses, 30, thirds).sentences[0].startswith(f"Estimate without the coins: **{told}** of 30.")


def test_an_estimate_is_rounded_once() -> None:
    """(7 - 0.3 · 11) / 0.43 = 8.60465…, which 8.605 would make 8.61."""
    coins = "coin_survey_forced_yes=0.3&coin_survey_forced_no=0.27"
    assert "number **8.6** of 11" in wall(7, 11, coins, "technical").sentences[0]


@pytest.mark.parametrize(("said_yes", "people"), [(0, 1), (1, 1), (0, 2), (1, 2), (2, 2)])
@pytest.mark.parametrize("text", ["", "coin_survey_forced_yes=0.3&coin_survey_forced_no=0.2"])
def test_one_answer_and_two_leave_every_truth_possible(said_yes: int, people: int, text: str) -> None:
    shown = wall(said_yes, people, text)
    coins = coins_of(settings(text))
    assert shown.answer == f"**{said_yes}** of **{people}** said yes. Too few to settle what is true."
    assert not [words for words in shown.sentences if "stimate" in words or "%" in words]
    assert shown.picture is not None
    rows = shown.picture.table.rows
    assert [row[0] for row in rows] == [str(count) for count in range(people + 1)]
    chances = []  # every person's truth and coins, one by one
    for true in range(people + 1):
        says = [coins.said_yes(1.0 if person < true else 0.0) for person in range(people)]
        one = says[0] if said_yes else 1 - says[0]
        if people == 2:
            one = {0: (1 - says[0]) * (1 - says[1]), 2: says[0] * says[1]}.get(
                said_yes, says[0] * (1 - says[1]) + says[1] * (1 - says[0])
            )
        chances.append(one)
    for row, chance in zip(rows, chances, strict=True):
        assert float(str(row[1])) == pytest.approx(chance / sum(chances), abs=5e-5)


def law_of_said(coins: RandomizedAnswer, people: int, true: int) -> list[float]:
    """Probability of each number of people who say yes, by counting."""

    def counted(of: int, chance: float) -> list[float]:
        return [math.comb(of, k) * chance**k * (1 - chance) ** (of - k) for k in range(of + 1)]

    law = [0.0] * (people + 1)
    for i, one in enumerate(counted(true, 1 - coins.forced_no)):
        for j, other in enumerate(counted(people - true, coins.forced_yes)):
            law[i + j] += one * other
    return law


@pytest.mark.parametrize("text", ["", UNEQUAL, "coin_survey_forced_yes=0.05&coin_survey_forced_no=0.45"])
@pytest.mark.parametrize("people", [1, 3, 12, 30])
def test_answers_that_rarely_come_about_are_told_to_be_that(people: int, text: str) -> None:
    """A range is printed where some number of true yeses passes both tests; else it is said that none does."""
    coins = coins_of(settings(text))
    laws = [law_of_said(coins, people, true) for true in range(people + 1)]
    for said_yes in range(people + 1):
        told, plain = (wall(said_yes, people, text, voice).sentences[0] for voice in ("technical", "plain"))
        left = [k for k, law in enumerate(laws) if min(sum(law[: said_yes + 1]), sum(law[said_yes:])) > 0.025]
        if left:
            assert f"without a prior: **{left[0]}** to **{left[-1]}** of {people}." in told
        else:
            assert "accept no true number" in told
            assert " to **" not in told
        estimate = people * coins.estimate(people=people, said_yes=said_yes)
        beyond = not 0 <= estimate <= people
        estimated = "Too few" not in wall(said_yes, people, text).answer
        assert ("is not bounded" in told, "below nobody or past everybody" in plain) == (beyond, beyond and estimated)
        few, many = sum(laws[0][: said_yes + 1]), sum(laws[-1][said_yes:])
        rarely = beyond and min(few, many) <= 0.25
        assert ("not precision" in told, "do not trust a narrow range" in plain) == (rarely, rarely and estimated)
        if beyond:
            printed = re.search(r"P\[so (few \| 0|many \| all)\] ≤ ([0-9.]+[0-9](?:e-[0-9]+)?)", told)
            assert printed is not None
            assert printed[1].startswith("few") is (few <= many)
            assert min(few, many) - 1e-12 <= float(printed[2]) <= min(few, many) + 0.01
    assert not [wall(said, 30).sentences[0] for said in (10, 15, 20) if "narrow range" in wall(said, 30).sentences[0]]


def test_the_range_of_the_wall_is_one_that_holds_its_level() -> None:
    coins = RandomizedAnswer(forced_yes=0.25, forced_no=0.25)
    assert count_coverage(coins, people=30, interval="guaranteed").min() >= 0.95


def test_python_comes_to_the_range_of_the_wall() -> None:
    for text in ("", UNEQUAL):
        python = wall(12, 30, text).python
        assert python is not None
        names: dict[str, Any] = {}
        exec(python.text, names)
        assert round(names["answer"]) == python.answer[0].value


def test_the_way_to_explain_has_the_budget_of_these_coins() -> None:
    alike = dict(wall(1, 2).ways[0].query)
    assert alike["guarantee"] == "randomised_response"
    assert float(alike["epsilon"]) == pytest.approx(math.log(3))
    unequal = dict(wall(1, 2, UNEQUAL).ways[0].query)
    assert float(unequal["epsilon"]) == pytest.approx(math.log(17))
    assert (unequal["secret"], unequal["relation"]) == ("value", "replace")


@pytest.mark.parametrize("answers", [1, 3, 300])
def test_the_picture_counts_people_in_whole_numbers(answers: int) -> None:
    picture = wall(answers, answers).picture
    assert picture is not None
    assert picture.figure.layout.xaxis.dtick in range(1, answers + 1)
