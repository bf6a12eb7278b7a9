"""What a class guessed is counted against the printed answer: near, too low, too high, or held against a bound."""

from __future__ import annotations

import pytest

from ui.views.lessons.class_guesses import ClassGuesses, Truth, class_guesses, word
from ui.words.catalogue import VOICES, option_words

SHARE, BOUND = Truth(46, "hundred", within=5), Truth(13, "hundred", bound=True)


def test_guesses_are_counted_within_the_stated_range_ends_included() -> None:
    said = class_guesses("40, 41, 46, 51, 52, 90", SHARE, "plain").sentence
    assert "**6** guesses; between 41 and 51: **3**; too low: **1**; too high: **2**." in said
    assert "Middle guess: **48.5 in 100**; the answer: **46 in 100**." in said


def test_guesses_at_a_bound_are_not_above_it() -> None:
    said = class_guesses("5, 13, 14", BOUND, "plain").sentence
    assert "not above the limit: **2**; above it: **1**." in said
    assert "**13 in 100**; the answer: **13 in 100**" in said
    assert "too low" not in said


def test_an_end_of_the_range_with_decimals_is_included() -> None:
    said = class_guesses("1.39; 1.4; 1.19", Truth(1.29, "epsilon", within=0.1), "plain").sentence
    assert "between 1.19 and 1.39: **2**; too low: **0**; too high: **1**." in said
    assert "**ε = 1.39**; the answer: **ε = 1.29**" in said


@pytest.mark.parametrize("voice", VOICES)
@pytest.mark.parametrize(("unit", "median"), [("people", "± 3"), ("release", "release 3"), ("epsilon", "ε = 3")])
def test_each_unit_is_said_with_the_median_and_the_answer(unit: str, median: str, voice: str) -> None:
    said = class_guesses("2, 9, 3", Truth(7, unit, within=2), voice).sentence
    assert f"**{median}**" in said
    assert f"**{median.replace('3', '7')}**" in said


def test_no_guesses_say_nothing() -> None:
    assert class_guesses("  ", SHARE, "plain") == ClassGuesses()


@pytest.mark.parametrize(
    ("typed", "unit", "fault"),
    [
        ("30, many", "hundred", "A guess must be a number; got 'many' (for example 30, 45)"),
        ("1/2", "hundred", "A guess must be a whole or decimal number; got '1/2' (for example 30, 45)"),
        ("30%", "people", "A guess must be typed without %; got '30%' (for example 1, 5)"),
        ("30 in 100", "hundred", "A guess must be a number; got 'in' (for example 30, 45)"),
        (";", "epsilon", "Guesses must be numbers; got ';' (for example 0.5, 2)"),
        ("0.3, 0.45", "hundred", "Guesses must be out of 100, 30 for 30 in 100; got 0.3"),
        ("30, 130", "hundred", "Guesses must lie between 0 and 100; got 130"),
        ("-1", "hundred", "Guesses must lie between 0 and 100; got -1"),
        ("-1", "epsilon", "Guesses must be 0 or more; got -1"),
        ("2; 2.5", "release", "Guesses must be numbers of releases, without a fraction; got 2.5"),
        ("1 " * 1_001, "people", "Guesses must be 1,000 at most; got 1,001"),
    ],
)
def test_what_is_no_guess_is_refused_in_a_sentence_and_counts_nothing(typed: str, unit: str, fault: str) -> None:
    assert class_guesses(typed, Truth(28, unit, within=5), "plain") == ClassGuesses(fault=fault)


def test_how_a_list_was_read_is_told() -> None:
    assert class_guesses("30 %, 45%", SHARE, "plain").reading == "Read as 30; 45."
    assert class_guesses("1,3", Truth(1.29, "epsilon", within=0.1), "plain").reading == "Read as 1; 3."
    assert class_guesses("7 " * 30, SHARE, "plain").reading == f"Read as {'; '.join('7' * 12)} …."


@pytest.mark.parametrize("unit", option_words("lessons", "example"))
def test_the_example_in_the_box_can_be_read(unit: str) -> None:
    assert not class_guesses(word(f"example.{unit}"), Truth(28, unit, within=5), "plain").fault
