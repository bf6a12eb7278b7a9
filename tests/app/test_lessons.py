"""Lessons open from their link, and every step's page opens in its state without a refusal."""

from __future__ import annotations

import pytest

from tests.app.opened_page import open_page, sound, text_of
from ui.pictures.look import Look
from ui.views.lessons import LESSONS, LessonsInputs, lessons_view

LINKS = sorted(
    {
        (step.stem, step.query)
        for lesson in LESSONS
        for step in lessons_view(LessonsInputs(lesson=lesson), Look()).steps
        if step.stem
    }
)


def test_the_lesson_of_the_link_is_shown() -> None:
    test = open_page("lessons", lesson="45", seed="7")
    sound(test)
    assert "45 minutes" in text_of(test)
    assert "Draw 7" in text_of(test)


@pytest.mark.parametrize(("stem", "query"), LINKS, ids=lambda value: str(value)[:60])
def test_a_step_opens_its_page_without_a_refusal(stem: str, query: tuple[tuple[str, str], ...]) -> None:
    test = open_page(stem, **dict(query))
    sound(test)
    assert not [element.value for element in test.warning if "link" in element.value]
    assert "riskline-answer" in text_of(test)
