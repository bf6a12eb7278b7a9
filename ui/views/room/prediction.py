"""A prediction: everybody guesses a number before the answer is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ui.link.fields import Field, number_text, parse_number
from ui.pictures.look import Look
from ui.views.room.activity import Answered, Asked, Wall
from ui.views.room.typed import read_line
from ui.words.passages import say

LONGEST_QUESTION = 200


def _read_truth(text: str) -> float | None:
    return parse_number(text) if text.strip() else None


class Prediction:
    """One number for a question; the wall shows every guess, then the answer."""

    kind = "prediction"
    title = "Predict a number"
    purpose = "everybody guesses a number; the wall shows the guesses beside the answer"
    first_answer_stays = False
    option_words: Mapping[str, Mapping[str, str]] = {}
    settings: tuple[Field, ...] = (
        Field(
            "prediction_question",
            f"The question, at most {LONGEST_QUESTION} characters",
            "custom",
            "",
            read=lambda text: read_line(text, LONGEST_QUESTION),
            write=str,
        ),
        Field(
            "prediction_truth",
            "The answer, if you know it",
            "custom",
            None,
            read=_read_truth,
            write=lambda value: "" if value is None else number_text(value),
        ),
    )
    answers: tuple[Field, ...] = (Field("number", "Your guess", "number", 0.0, low=-1e12, high=1e12),)

    def asked(self, settings: Mapping[str, Any], look: Look) -> Asked:
        """The question as it was typed."""
        return Asked(str(settings["prediction_question"]) or say("room_prediction", look.voice, "no_question"))

    def judged(self, settings: Mapping[str, Any], values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Any number may be guessed."""
        return values

    def own_words(self, settings: Mapping[str, Any], values: Mapping[str, Any], look: Look) -> str:
        """The guess as it was understood."""
        return say("room_prediction", look.voice, "own", number=number_text(values["number"]))

    def summary(
        self, settings: Mapping[str, Any], answers: Sequence[Answered], look: Look, earlier: Sequence[Answered] = ()
    ) -> Wall:
        """The guesses in order."""
        guesses = sorted(answered.values["number"] for answered in answers)
        truth = settings["prediction_truth"]
        told = ", ".join(number_text(guess) for guess in guesses)
        return Wall(
            answer=say("room_prediction", look.voice, "answer", guesses=told, people=str(len(guesses))),
            small_print=say("room_prediction", look.voice, "small_print"),
            sentences=() if truth is None else (say("room_prediction", look.voice, "truth", truth=number_text(truth)),),
        )

    def earlier_activity(self, settings: Mapping[str, Any]) -> int:
        """None."""
        return 0
