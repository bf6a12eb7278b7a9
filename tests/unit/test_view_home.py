"""The front door: its doors lead where they say, its line is handed on, and every page is named."""

from __future__ import annotations

import pytest

from riskline.case.fields import read_query
from riskline.case.value import EXAMPLE, Case
from ui.link.case_links import page_query_of, parts_of
from ui.link.page_table import PAGES, PageLink, page_entry
from ui.pictures.style import Style
from ui.views.choose import ChooseInputs, choose_view
from ui.views.home import HomeInputs, home_view
from ui.views.shared.promise import page_question
from ui.words.catalogue import VOICES


@pytest.mark.parametrize("voice", VOICES)
def test_each_question_leads_to_pages_that_answer_it_in_a_state_that_they_take(voice: str) -> None:
    asked = {question.words: question.ways for question in home_view(HomeInputs(), Style(voice=voice)).questions}
    assert [[way.stem for way in ways] for ways in asked.values()] == [
        ["choose"],
        ["explain", "deployments"],
        ["publication", "plan", "accuracy"],
        ["lessons", "play"],
        ["positions", "memo"],
        ["public", "block"],
        ["infer"],
    ]
    for way in (way for ways in asked.values() for way in ways):
        assert read_query(page_entry(way.stem).fields, dict(way.query)).refusals == ()
    rows = dict(asked["I publish many tables"][1].query)["rows"]
    assert rows.count("!") == 2  # a year of three kinds of table, not one table a day


def test_the_example_stays_the_example_until_something_is_changed() -> None:
    def case_after(way: PageLink) -> Case | None:
        query = page_query_of(EXAMPLE, way)
        return parts_of(way.stem, page_entry(way.stem).fields, query.items()).case.case

    view = home_view(HomeInputs(), Style())
    ways = [way for question in view.questions for way in question.ways]
    assert [way.stem for way in (*ways, view.next) if case_after(way)] == ["plan"]  # which is handed its releases
    drawn = case_after(home_view(HomeInputs(points=((0.01, 0.1), (0.5, 0.7))), Style()).next)
    assert drawn is not None
    assert drawn["points"] == ((0.01, 0.1), (0.5, 0.7))


@pytest.mark.parametrize("voice", VOICES)
def test_the_line_begins_as_the_one_of_choose_and_is_handed_on_as_it_was_drawn(voice: str) -> None:
    style = Style(voice=voice)
    assert home_view(HomeInputs(), style).budget[0][1] == "ε = 1.29"
    drawn = home_view(HomeInputs(points=((0.01, 0.1), (0.5, 0.7))), style)
    opened = ChooseInputs(**read_query(page_entry("choose").fields, dict(drawn.next.query)).values)
    assert opened.points == ((0.01, 0.1), (0.5, 0.7))
    assert choose_view(opened, style).answer == drawn.allowed
    assert drawn.editor is not None
    assert drawn.editor.points == opened.points


def test_every_page_is_named_once_with_what_it_is_for() -> None:
    pages = home_view(HomeInputs(), Style()).pages
    assert [way.stem for way in pages] == [entry.stem for entry in PAGES if entry.stem != "home"]
    assert all(way.words == f"{page_entry(way.stem).title}: {page_question(way.stem, EXAMPLE)}" for way in pages)


def test_the_small_print_says_whose_limit_the_line_is_and_where_typed_things_go() -> None:
    said = home_view(HomeInputs(), Style()).small_print
    assert "If others' data tell nothing about that person; one change adds or removes one record." in said
    assert "into this address" in said
