"""Every page runs from its link, in both voices, and shows the numbers of its view."""

from __future__ import annotations

import pytest

from tests.app.opened_page import open_page, sound, text_of
from ui.link.page_table import PAGES
from ui.pictures.look import Look
from ui.views.accuracy import AccuracyInputs, accuracy_view


@pytest.mark.parametrize("voice", ["plain", "technical"])
@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.stem)
def test_every_page_opens_from_its_link_in_both_voices(entry, voice: str) -> None:
    test = open_page(entry.stem, voice=voice)
    sound(test)
    assert "riskline-answer" in text_of(test)
    assert [fold.label for fold in test.expander].count("The same in Python") == 1


def test_choose_opens_in_the_state_of_its_link() -> None:
    test = open_page("choose", line="constant", ratio="2", question="value", held="0.05")
    sound(test)
    assert "ε = 0.66" in text_of(test)


def test_a_refused_value_in_a_link_is_told() -> None:
    test = open_page("choose", ratio="abc", held="7", voice="loud")
    sound(test)
    told = "\n".join(element.value for element in test.warning)
    for words in ("must be a number; got 'abc'", "must lie in", "Voice must be one of plain, technical; got 'loud'"):
        assert words in told.replace("\\", "")


def test_accuracy_opens_in_the_state_of_its_link() -> None:
    test = open_page("accuracy", start="accuracy", half_width="10")
    sound(test)
    assert "ε = 0.29" in text_of(test)
    assert not test.code, "the lines come with their fold"
    test.session_state["accuracy.python"] = True
    test.run()
    view = accuracy_view(AccuracyInputs(start="accuracy", half_width=10.0), Look())
    assert [code.value for code in test.code] == [view.python.text]


def test_refused_choices_offer_no_python() -> None:
    test = open_page("accuracy", relation="replace")
    assert test.error
    assert "The same in Python" not in [fold.label for fold in test.expander]
