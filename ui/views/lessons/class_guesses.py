"""What a class guessed before the answer was revealed: how many were near, and the middle of the guesses beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median

from riskline.case.fields import listed_numbers, number_text, shown
from ui.words.catalogue import label, say
from ui.words.phrasing import plain_number, rounded_budget
from ui.words.quantities import Exact, Typed, Upper, whole
from ui.words.refusals import refusal_words

MOST_GUESSES = 1_000
MOST_READ_BACK = 12
word = partial(label, "lessons")
ROUNDING = 9
"""Places to which a guess is held against an end of the range, so that 1.29 + 0.1 includes 1.39."""


@dataclass(frozen=True)
class Truth:
    """The answer of a question as a number that can be guessed, with the digits in which it is printed.

    value : the printed number, in the unit of the guesses
    unit : ``"hundred"``, ``"epsilon"``, ``"people"`` or ``"release"``: what is counted, so many out of 100 for shares
    within : how far a guess may be from the answer and still count as near
    options : what the question names, where the answer is one of these
    bound : whether the answer is an upper bound; guesses are then held against it, not against a range around it
    """

    value: float
    unit: str
    within: float = 0.0
    bound: bool = False
    options: tuple[float, ...] = ()


@dataclass(frozen=True)
class ClassGuesses:
    """What the page says of the guesses: how they were read and what they come to, or what of them cannot be read."""

    sentence: str = ""
    reading: str = ""
    fault: str = ""


def of_hundred(share: float, *, within: float = 5, bound: bool = False) -> Truth:
    """A belief or share, to be guessed out of 100.

    >>> of_hundred(0.1252, bound=True).value, of_hundred(0.4621).value
    (13.0, 46.0)
    """
    printed = Upper(100 * share, whole) if bound else Exact(100 * share, whole)
    return Truth(float(printed.digits), "hundred", within, bound)


def of_budget(epsilon: float, *, within: float = 0.1) -> Truth:
    """A recommended budget, to be guessed as ε.

    >>> of_budget(1.2992).value
    1.29
    """
    return Truth(float(rounded_budget(epsilon)), "epsilon", within)


def read_guesses(text: str, unit: str) -> list[float]:
    """The guesses of a typed list, in their order.

    A percent sign says what shares are counted in anyway. A share between nothing and one of 100 is refused: whoever
    types 0.3 most likely means 30 out of 100.

    >>> read_guesses("30, 45, 60 %", "hundred"), read_guesses("1,3; 1.1", "epsilon")
    ([30.0, 45.0, 60.0], [1.3, 1.1])
    """
    example = word(f"example.{unit}")
    text = text.replace("%", "") if unit == "hundred" else text
    try:
        if "/" in text:
            raise ValueError(word("guess_number", typed=repr(shown(text))))
        guesses = listed_numbers(text)
    except ValueError as error:
        raise ValueError(word("guess_refused", refusal=refusal_words(error), example=example)) from None
    if not guesses:
        raise ValueError(word("guesses_refused", typed=repr(shown(text)), example=example))
    if len(guesses) > MOST_GUESSES:
        raise ValueError(word("guesses_many", most=Typed(MOST_GUESSES, whole), number=f"{len(guesses):,}"))
    for guess in guesses:
        fault = ""
        if unit == "hundred" and 0 < guess < 1:
            fault = "guess_share"
        elif guess < 0 or (unit == "hundred" and guess > 100):
            fault = "guess_hundred" if unit == "hundred" else "guess_negative"
        elif unit == "release" and not guess.is_integer():
            fault = "guess_release"
        if fault:
            raise ValueError(word(fault, guess=number_text(guess)))
    return guesses


def class_guesses(typed: str, truth: Truth, voice: str) -> ClassGuesses:
    """How many of the typed guesses were near, too high and too low, and their median beside the answer."""
    if not typed.strip():
        return ClassGuesses()
    try:
        guesses = read_guesses(typed, truth.unit)
    except ValueError as error:
        return ClassGuesses(fault=refusal_words(error))
    middle, answer = (said_guess(value, truth.unit) for value in (median(guesses), truth.value))
    beside = say("lessons", voice, "middle_guess", median=middle, answer=answer)
    first = "; ".join(number_text(guess) for guess in guesses[:MOST_READ_BACK])
    read = word("read", guesses=f"{first} …" if len(guesses) > MOST_READ_BACK else first)  # a comma may mean otherwise
    return ClassGuesses(f"{guesses_held_against(guesses, truth, voice)} {beside}", read)


def guesses_held_against(guesses: Sequence[float], truth: Truth, voice: str) -> str:
    """How many of these guesses were near, too high and too low."""
    reach = 0.0 if truth.bound else truth.within
    low, high = (round(truth.value + step, ROUNDING) for step in (-reach, reach))
    words = {"count": f"{len(guesses):,}", "above": f"{sum(guess > high for guess in guesses):,}"}
    if truth.bound:
        return say("lessons", voice, "guessed_bound", not_above=f"{sum(guess <= high for guess in guesses):,}", **words)
    near = f"{sum(low <= guess <= high for guess in guesses):,}"
    below = f"{sum(guess < low for guess in guesses):,}"
    ends = {"low": plain_number(low), "high": plain_number(high)}
    return say("lessons", voice, "guessed", near=near, below=below, **ends, **words)


def said_guess(value: float, unit: str) -> str:
    """A guess, or an answer that can be guessed, with its unit."""
    if unit == "hundred":
        return label("numbers", "in", count=plain_number(value, 4), of=100)
    return word(f"guessed_{unit}", value=plain_number(value))
