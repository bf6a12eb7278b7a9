"""Lessons open from their link, and every step's page opens in its state without a refusal."""

from __future__ import annotations

import pytest

from tests.app.opened_page import open_page, sound, text_of
from ui.frame.case import WRITTEN
from ui.pictures.style import Style
from ui.views.lessons import LessonsInputs, lessons_view
from ui.views.lessons.view import LESSONS

LINKS = sorted(
    {
        (step.stem, step.query)
        for lesson in LESSONS
        for step in lessons_view(LessonsInputs(lesson=lesson), Style()).steps
        if step.stem
    }
)


def test_the_lesson_of_the_link_is_shown() -> None:
    test = open_page("lessons", lesson="45")
    sound(test)
    assert "45 minutes" in text_of(test)
    assert test.button(key="lessons.phones").label.endswith("nothing to install")


@pytest.mark.parametrize(("stem", "query"), LINKS, ids=lambda value: str(value)[:60])
def test_a_step_opens_its_page_without_a_refusal(stem: str, query: tuple[tuple[str, str], ...]) -> None:
    test = open_page(stem, **dict(query))
    sound(test)
    assert not [element.value for element in test.warning if "link" in element.value]
    assert "riskline-answer" in text_of(test)


def test_guesses_of_the_class_are_counted_stay_while_other_pages_are_visited_and_never_enter_the_link() -> None:
    test = open_page("lessons")
    assert "Middle guess: " not in text_of(test)
    test.text_input("_class_guesses-20-3").input("30, 45, 60").run()
    sound(test)
    one = "<strong>1</strong>"
    counted = f"<strong>3</strong> guesses; between 41 and 51: {one}; too low: {one}; too high: {one}."
    assert counted in text_of(test)
    assert "Read as 30; 45; 60." in [element.value for element in test.caption]
    assert test.session_state[WRITTEN]["lessons"] == {}

    box = test.text_input("_class_guesses-20-3")
    assert box.proto.max_chars == 4000
    box.input("30, many").run()
    assert "A guess must be a number; got 'many'" in text_of(test).replace("\\", "")
    assert "Middle guess: " not in text_of(test)

    test.switch_page("pages/accuracy.py").run()
    test.switch_page("pages/lessons.py").run()
    assert test.text_input("_class_guesses-20-3").value == "30, many"
    assert "A guess must be a number; got 'many'" in text_of(test).replace("\\", "")
    assert "stay in this session" in " ".join(element.value for element in test.caption)
