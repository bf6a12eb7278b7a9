"""The activity in which everybody of a room guesses a number before the answer is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median, quantiles
from typing import Any

import numpy as np

from riskline.case.declaration import custom, option
from riskline.case.fields import between, number_text, parse_number, shown
from ui.link.page_table import declared
from ui.pictures.columns import Column, side_by_side, single
from ui.pictures.marks import Axis, Dots, Mark, Upright
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.lessons.class_guesses import Truth, guesses_held_against, read_guesses, said_guess
from ui.views.lessons.view import LESSONS, QUESTIONS, Question, asked_of, questions_of
from ui.views.room import activity as common
from ui.views.room.activity import Activity, Answers, Asked, ParticipantAnswer, Values, Wall
from ui.words.catalogue import label, say
from ui.words.markdown import unstarred, without_marks
from ui.words.phrasing import plain_number
from ui.words.quantities import Typed, whole

PAGE = "room_prediction"
LONGEST_QUESTION = 200
LONGEST_UNIT = 20
OWN = "own"
LARGEST = 1e12
FAR = 3.0
"""A guess is far out from so many times the distance between the quarters of all guesses on."""


passage = partial(common.passage_of, PAGE)


ASKED = (OWN, *(f"{lesson}_{number}" for lesson in LESSONS for number in range(1, QUESTIONS[lesson] + 1)))
ASKED_WORDS = {OWN: say(PAGE, "plain", "own_question")} | {asked: asked_of(asked, "plain") for asked in ASKED[1:]}


class Percent(float):
    """A number that was typed with a percent sign: so many out of 100, where that is what is asked for."""


def read_truth(text: str) -> float | None:
    """The answer as it is typed; a percent sign is refused: whether 0.9 or 90 is meant, nobody knows.

    >>> read_truth("1/4"), read_truth("90")
    (0.25, 90.0)
    """
    if not text.strip():
        return None
    if "%" in text:
        raise ValueError(f"must be typed without %, 90 for 90 out of 100; got {shown(text)!r}")
    value = parse_number(text)
    if abs(value) > LARGEST:
        raise ValueError(f"must {between(-LARGEST, LARGEST)}; got {shown(text)!r}")
    return value


def read_guess(text: str) -> float | None:
    """A guess as it is typed, in percent perhaps.

    >>> read_guess("50 %"), type(read_guess("50 %")) is Percent
    (50.0, True)
    """
    value = read_truth(text.rstrip(" %")) if text.rstrip().endswith("%") else read_truth(text)
    return Percent(value) if value is not None and "%" in text else value


def _written(guess: float | None) -> str:
    return "" if guess is None else number_text(guess) + (" %" if isinstance(guess, Percent) else "")


def options_of(settings: Values) -> dict[str, float]:
    """What the question names, by its words, where the answer is one of these; nothing where any number can be."""
    asked = Guessed.of(settings, Style())
    return {asked.said(option, Style()): option for option in asked.options}


@dataclass(frozen=True)
class Guessed:
    """A question with its answer, as far as there is one, and the guesses."""

    question: str
    unit: str
    truth: float | None
    lesson: Question | None

    @classmethod
    def of(cls, settings: Values, style: Style) -> Guessed:
        """The question of an activity's settings."""
        lesson, _, number = settings["prediction_lesson"].partition("_")
        if lesson == OWN:
            words = unstarred(settings["prediction_question"]) or passage(style, "no_question")
            return cls(words, unstarred(settings["prediction_unit"]), settings["prediction_truth"], None)
        asked = questions_of(lesson, style.voice)[int(number) - 1]
        return cls(asked.ask, "", asked.truth.value, asked)

    @property
    def known(self) -> Truth | None:
        """The answer of a lesson's question."""
        return None if self.lesson is None else self.lesson.truth

    @property
    def options(self) -> tuple[float, ...]:
        """The answers that the question names, where it is one of these."""
        return () if self.known is None else self.known.options

    def said(self, value: float, style: Style) -> str:
        """A number with its unit."""
        if self.known is not None:
            return said_guess(value, self.known.unit)
        return f"{plain_number(value, 6)} {self.unit}".strip()


class Prediction(Activity):
    """One number for a question; the wall shows every guess, then the answer and how far the middle guess was."""

    kind = "prediction"
    settings = declared(
        PAGE,
        {"longest": Typed(LONGEST_QUESTION, whole)},
        prediction_lesson=option(*ASKED),
        prediction_question=custom("", read=partial(common.read_line, longest=LONGEST_QUESTION)),
        prediction_unit=custom("", read=partial(common.read_line, longest=LONGEST_UNIT)),
        prediction_truth=custom(None, read=read_truth, write=_written),
    )
    answers = declared(PAGE, number=custom(None, read=read_guess, write=_written))
    late = ("prediction_truth",)

    def options(self, setting: str) -> Mapping[str, str]:
        """Every question that can be asked."""
        return ASKED_WORDS

    def asked(self, settings: Values, style: Style) -> Asked:
        """The question, and what a guess counts."""
        question = Guessed.of(settings, style)
        unit = OWN if question.known is None else question.known.unit
        if question.options:
            return Asked(question.question)
        return Asked(question.question, passage(style, f"help_{unit}"))

    def judged(self, settings: Values, values: Values) -> Mapping[str, Any]:
        """A number that can be the answer of a lesson's question; any for a question of the lecturer's own."""
        guess, asked = values["number"], Guessed.of(settings, Style())
        if guess is None:
            raise ValueError("Your guess must be a number")
        unit = asked.unit if asked.known is None else asked.known.unit
        if isinstance(guess, Percent) and unit != "hundred" and not ("%" in unit or "100" in unit):
            raise ValueError(f"Your guess must be typed without %; got {_written(guess)!r}")
        if asked.known is not None:
            read_guesses(number_text(guess), unit)
            if guess not in (asked.options or (guess,)):
                raise ValueError(f"Your guess must be one of those named; got {_written(guess)!r}")
        return {"number": float(guess)}

    @property
    def asks_in_script(self) -> bool:
        """Its question, of a lesson or the moderator's own."""
        return True

    def in_script(self, rest: str) -> Mapping[str, str]:
        """A question of a lesson by its words, or the moderator's own."""
        asked = next((code for code, words in ASKED_WORDS.items() if words == rest and code != OWN), OWN)
        return {"prediction_question": rest} if asked == OWN else {"prediction_lesson": asked}

    def own_words(self, settings: Values, values: Values, style: Style) -> str:
        """The guess as it was understood."""
        return passage(style, "own", guess=Guessed.of(settings, style).said(values["number"], style))

    def with_own(self, picture: Picture, settings: Values, own: ParticipantAnswer, style: Style) -> Picture:
        """One's own guess, where the picture reaches so far."""
        guess, (low, high) = own.values["number"], picture.ends(0, across=True)
        if not low <= guess <= high:
            return picture
        column = single("own", label(PAGE, "number"), guess, quantity=picture.numbers.column("guess").quantity)
        side = "left" if 2 * guess < low + high else "right"
        mark = Upright(x="own", role="reach", dash="dash", at=0.84, beside=side)
        return picture.with_more(side_by_side(column), mark, without_marks(self.own_words(settings, own.values, style)))

    def summary(self, settings: Values, answers: Answers, style: Style, earlier: Answers = ()) -> Wall:
        """Every guess, the middle one, the answer, and how many guesses were near it."""
        question, guesses = Guessed.of(settings, style), sorted(answer.values["number"] for answer in answers)
        truth, known, middle = question.truth, question.known, median(guesses)
        name = "answer" if truth is None else "answer_bound" if known is not None and known.bound else "answer_truth"
        if question.options:
            name = "answer_option"
        beside = [] if question.options else ["small_print"]
        beside += [] if truth is None else ["typed" if known is None else "computed"]
        words = {"guesses": f"{len(guesses):,}"}
        words["middle"] = passage(style, "middle_of_one" if len(guesses) == 1 else "middle_of_many", **words)
        words["median"] = question.said(middle, style)
        if truth is not None:
            words |= {"truth": question.said(truth, style), "right": f"{guesses.count(truth):,}"}
        picture, outside = _picture(guesses, question, style)
        said = [] if question.lesson is None else [question.lesson.reveal]
        if known is not None and not question.options:
            said.append(guesses_held_against(guesses, known, style.voice))
        return Wall(
            answer=passage(style, name, **words),
            small_print=" ".join(passage(style, part) for part in beside),
            picture=picture,
            sentences=(*said, *((passage(style, "outside", outside=f"{outside:,}"),) if outside else ())),
        )


def _picture(guesses: Sequence[float], question: Guessed, style: Style) -> tuple[Picture, int]:
    """The guesses as stacked marks with the answer among them, and how many are too far out to be drawn."""
    low, high = _drawn(guesses, question)
    inside = [guess for guess in guesses if low <= guess <= high]
    quantity = passage(style, "guess") + (f", {question.unit}" if question.unit else "")
    heights = common.stacked(inside, low, high)
    truth, known = question.truth, question.known
    named = passage(style, "limit" if known is not None and known.bound else "truth")
    table = Table(
        passage(style, "table"),
        (passage(style, "guess"), passage(style, "column_how_many")),
        tuple((plain_number(guess, 6), f"{times:,}") for guess, times in sorted(Counter(guesses).items())),
    )
    stack = Column("stack", passage(style, "guesses"), np.array(heights, dtype=float))
    rows = [side_by_side(Column("guess", passage(style, "guess"), np.array(inside), quantity=quantity), stack)]
    marks: list[Mark] = [Dots(x="guess", y="stack", size=13, outlined=True)]
    if truth is not None:
        rows.append(side_by_side(single("truth", named, truth, quantity=quantity)))
        side = "left" if 2 * truth < low + high else "right"  # its words lie on the wider side
        marks.append(Upright(x="truth", role="mark", at=0.96, beside=side))
    edge = 0.04 * (high - low)
    x, y = Axis(range=(low - edge, high + edge)), Axis(range=(0.0, 1.25 * max(heights) + 1), shown=False)
    reading = passage(style, "reading") + ("" if truth is None else " " + passage(style, "line", truth=named))
    picture = Picture.of("room-guesses", rows, marks, reading=reading, summary=table, x=x, y=y, style=style, height=250)
    return picture, len(guesses) - len(inside)


def _drawn(guesses: Sequence[float], question: Guessed) -> tuple[float, float]:
    """From where to where guesses are drawn: all but those far from the others, the answer, and what is named."""
    quarters = quantiles(guesses, n=4, method="inclusive") if len(guesses) > 1 else [guesses[0]] * 3
    reach = FAR * max(quarters[2] - quarters[0], 0.1 * abs(quarters[1]), 1e-9)
    near = [guess for guess in guesses if quarters[0] - reach <= guess <= quarters[2] + reach]
    ends = [*near, *([] if question.truth is None else [question.truth]), *question.options]
    low, high = min(ends), max(ends)
    return (low, high) if low < high else (low - 1.0, high + 1.0)
