"""Guesses in a room: the question, which numbers can be guessed, the middle guess beside the answer."""

from __future__ import annotations

from typing import Any

import pytest

from ui.pictures.marks import Upright
from ui.pictures.style import Style
from ui.rooms.meeting import Participant
from ui.views.lessons.class_guesses import class_guesses, guesses_held_against
from ui.views.lessons.view import questions_of
from ui.views.room.activity import ParticipantAnswer, text_of, values_of
from ui.views.room.prediction import ASKED, Prediction, read_guess

ACTIVITY, PLAIN = Prediction(), Style()


def settings(**chosen: Any) -> dict[str, Any]:
    named = {f"prediction_{name}": value for name, value in chosen.items()}
    return {field.name: field.default for field in ACTIVITY.settings} | named


def guesses(*numbers: float) -> list[ParticipantAnswer]:
    return [
        ParticipantAnswer(Participant(at, f"Ada {at}", ""), {"number": float(number)})
        for at, number in enumerate(numbers)
    ]


OWN = settings(question="How many live there?", unit="people", truth=12.0)


def test_every_question_of_the_lessons_can_be_asked() -> None:
    assert len(ASKED) == 1 + 14
    for asked in ASKED[1:]:
        lesson, number = asked.split("_")
        question = questions_of(lesson, "plain")[int(number) - 1]
        chosen = settings(lesson=asked)
        assert ACTIVITY.asked(chosen, PLAIN).question == question.ask == ACTIVITY.options("prediction_lesson")[asked]
        wall = ACTIVITY.summary(chosen, guesses(3, 5, 40), PLAIN)
        counted = guesses_held_against([3, 5, 40], question.truth, "plain")
        assert wall.sentences[:2] == (question.reveal, *(() if question.truth.options else (counted,)))
        assert class_guesses("3; 5; 40", question.truth, "plain").sentence.startswith(counted)
        assert wall.picture is not None
        assert wall.picture.numbers.column("truth").values == (question.truth.value,)


def test_a_bound_is_no_answer() -> None:
    wall = ACTIVITY.summary(settings(lesson="20_1"), guesses(9, 10, 11), PLAIN)
    assert wall.answer == "The middle of **3** guesses is **10 in 100**; the computed limit is **13 in 100**."
    assert wall.sentences[1:] == ("**3** guesses, not above the limit: **3**; above it: **0**.",)


def test_a_question_that_names_its_answers_draws_all_of_them_and_takes_no_other() -> None:
    chosen = settings(lesson="45_1")
    wall = ACTIVITY.summary(chosen, guesses(8, 8, 8, 8, 1, 50), PLAIN)
    assert wall.answer == "**4** of 6 chose **8 in 100**."
    assert wall.picture is not None
    assert sorted(wall.picture.numbers.column("guess").values) == [1, 8, 8, 8, 8, 50]
    low, high = ACTIVITY.summary(chosen, guesses(8, 8, 8), PLAIN).picture.ends(0, across=True)  # type: ignore[union-attr]
    assert low < 1 < 50 < high
    assert "median" not in wall.small_print
    for number in (2.0, 49.0, 100.0):
        with pytest.raises(ValueError, match="one of those named"):
            ACTIVITY.judged(chosen, {"number": number})


@pytest.mark.parametrize(("others", "side"), [((20, 40), "left"), ((1, 2), "right")])
def test_the_limit_is_named_on_the_wider_side_of_its_line(others: tuple[int, int], side: str) -> None:
    picture = ACTIVITY.summary(settings(lesson="20_1"), guesses(12, *others), PLAIN).picture
    assert picture is not None
    assert [mark.beside for mark in picture.marks if isinstance(mark, Upright)] == [side]


def test_a_question_of_ones_own_has_the_answer_that_was_typed_or_none() -> None:
    assert ACTIVITY.asked(OWN, PLAIN).question == "How many live there?"
    wall = ACTIVITY.summary(OWN, guesses(10, 11, 40), PLAIN)
    assert wall.answer == "The middle of **3** guesses is **11 people**; the answer is **12 people**."
    assert wall.sentences == ()
    assert wall.small_print.endswith("The moderator gave the answer.")
    alone = ACTIVITY.summary(OWN, guesses(12), PLAIN)
    assert alone.answer == "The only guess is **12 people**; the answer is **12 people**."
    unknown = ACTIVITY.summary(OWN | {"prediction_truth": None}, guesses(10, 11), PLAIN)
    assert unknown.answer == "The middle of **2** guesses is **10.5 people**."
    assert ACTIVITY.own_words(OWN, {"number": 7.0}, PLAIN) == "Your guess: **7 people**."


def test_a_guess_far_out_is_counted_and_not_drawn() -> None:
    wall = ACTIVITY.summary(OWN, guesses(9, 10, 11, 12, 13, 999_999), PLAIN)
    assert wall.answer.startswith("The middle of **6** guesses is **11.5 people**")
    assert wall.sentences[-1] == "Guesses too far out to draw: **1**."
    assert wall.picture is not None
    assert wall.picture.numbers.column("guess").numbers.tolist() == [9, 10, 11, 12, 13]
    assert wall.picture.table.rows[-1] == ("999,999", "1")


@pytest.mark.parametrize("numbers", [(3,), (3, 3, 3, 4), (0, 0), (-1e12, 1e12), (1e-9, 2e-9)])
@pytest.mark.parametrize("truth", [None, 12.0])
def test_guesses_at_the_ends_of_what_can_be_guessed_are_drawn(numbers: tuple[float, ...], truth: float | None) -> None:
    picture = ACTIVITY.summary(OWN | {"prediction_truth": truth}, guesses(*numbers), PLAIN).picture
    assert picture is not None
    low, high = picture.panels[0].x.range or (0.0, 0.0)
    assert all(low < number < high for number in (*numbers, *([] if truth is None else [truth])))
    assert picture.figure.to_plotly_json()


@pytest.mark.parametrize(
    ("asked", "number", "refusal"),
    [
        ("20_1", 0.3, "Guesses must be out of 100, 30 for 30 in 100; got 0.3"),
        ("20_1", 101.0, "Guesses must lie between 0 and 100; got 101"),
        ("45_2", -1.0, "Guesses must be 0 or more; got -1"),
        ("90_3", 2.5, "Guesses must be numbers of releases, without a fraction; got 2.5"),
    ],
)
def test_a_number_that_cannot_be_the_answer_is_refused(asked: str, number: float, refusal: str) -> None:
    with pytest.raises(ValueError, match=refusal):
        ACTIVITY.judged(settings(lesson=asked), {"number": number})
    assert ACTIVITY.judged(OWN, {"number": number}) == {"number": number}


@pytest.mark.parametrize(
    ("chosen", "taken"),
    [({"lesson": "20_1"}, True), ({"lesson": "45_2"}, False), ({"unit": "%"}, True), ({"unit": "people"}, False)],
)
def test_percent_is_taken_where_it_is_asked_for_and_nowhere_else(chosen: dict[str, str], taken: bool) -> None:
    typed = {"number": read_guess("50 %")}
    if taken:
        assert ACTIVITY.judged(settings(**chosen), typed) == {"number": 50.0}
        return
    with pytest.raises(ValueError, match="without %"):
        ACTIVITY.judged(settings(**chosen), typed)


def test_settings_come_back_from_the_database_as_they_were() -> None:
    for chosen in (OWN, settings(lesson="90_2"), settings(question="50 % & mehr?", truth=-0.5)):
        assert values_of(ACTIVITY.settings, text_of(ACTIVITY.settings, chosen)) == chosen
