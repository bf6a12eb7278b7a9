"""The front door: its example is computed, its doors and steps lead where they say, and every page is named."""

from __future__ import annotations

import math

import pytest

from dpcore.mechanisms import Geometric
from dpcore.profiles import CapOrRatio
from dpcore.semantics import posterior_upper
from riskline.case.fields import read_query
from riskline.case.value import EXAMPLE
from ui.link.case_links import parts_of
from ui.link.page_table import PAGES, page_entry
from ui.pictures.style import Style
from ui.views.accuracy import AccuracyInputs, accuracy_view
from ui.views.choose import ChooseInputs, choose_view
from ui.views.home import HomeInputs, home_view
from ui.words.catalogue import VOICES, passages


@pytest.mark.parametrize("voice", VOICES)
def test_the_numbers_of_the_example_are_those_of_the_pages_it_opens(voice: str) -> None:
    words = " ".join(step.words for step in home_view(HomeInputs(), Style(voice=voice)).steps)
    chosen = ChooseInputs()
    budget = math.floor(100 * CapOrRatio(chosen.cap, chosen.ratio, value_prior=1.0).implied_epsilon().epsilon) / 100
    prior = chosen.cap / chosen.ratio
    reached = math.ceil(100 * float(posterior_upper(prior=prior, epsilon=budget)))
    cost = accuracy_view(AccuracyInputs(epsilon=budget), Style(voice=voice))
    assert cost.error is not None
    assert f"ε = {budget}" in words
    assert f"**{round(100 * prior)} in 100**" in words
    assert f"**{reached} in 100**" in words
    assert f"± {cost.error.half_width:.0f}**" in words
    assert f"**{round(100 * cost.error.probability_exact)} in 100**" in words


@pytest.mark.parametrize("voice", VOICES)
def test_each_step_opens_its_page_in_a_state_that_the_page_takes(voice: str) -> None:
    view = home_view(HomeInputs(), Style(voice=voice))
    ways = [step.way for step in view.steps if step.way is not None]
    assert [way.stem for way in ways] == ["choose", "choose", "accuracy"]
    for way in ways:
        parts = parts_of(way.stem, page_entry(way.stem).fields, way.query)
        assert parts.case.case == EXAMPLE
        assert read_query(page_entry(way.stem).fields, dict(parts.own)).refusals == ()
    spent = dict(ways[2].query)["epsilon"]
    assert choose_view(ChooseInputs(), Style(voice=voice)).numbers[0][1] == f"ε = {spent}"


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
    assert all(way.words == f"{page_entry(way.stem).title}: {page_entry(way.stem).purpose}" for way in pages)


def test_the_range_of_a_count_is_said_to_hold_at_least_as_often_as_asked() -> None:
    """Whole numbers of noise hold 96.7 of 100 within 2 at the budget of the example, more than the 95 asked for."""
    assert float(Geometric(epsilon=1.29).probability_within(2)) > 0.96
    assert "at least 95 of 100 times" in passages("home", "plain")["step_cost"]
