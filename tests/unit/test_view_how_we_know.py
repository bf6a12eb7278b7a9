"""How we know says what the tables say, lets a reader find a number, and tells inference from computation."""

from __future__ import annotations

import pytest

from ui.pictures.style import Style
from ui.views.how_we_know import (
    FIELDS,
    VERDICTS,
    HowWeKnowInputs,
    errata,
    how_we_know_view,
    published_rows,
    sources_in_use,
)
from ui.words.catalogue import VOICES


@pytest.mark.parametrize("voice", VOICES)
def test_the_answer_counts_every_verdict(voice: str) -> None:
    view = how_we_know_view(HowWeKnowInputs(), Style(voice=voice))
    rows = published_rows()
    for verdict in VERDICTS:
        said = view.answer if verdict == "agrees" else view.small_print
        assert f"**{sum(row.verdict == verdict for row in rows)}**" in said
    assert len(view.table.rows) == len(rows)
    assert {row.verdict for row in rows} <= set(VERDICTS)


def test_the_errata_that_the_team_agreed_to_tell_are_told() -> None:
    told = " ".join(f"{note.locator} {note.printed} {note.reason}" for note in errata())
    for needed in ("Example 8", "column Mass", "Tables 2.7 and 2.8", "19 % to 81 %", "Examples 6 and 9", "(3.28)"):
        assert needed in told


@pytest.mark.parametrize("voice", VOICES)
def test_what_riskline_itself_said_wrongly_is_told_openly(voice: str) -> None:
    view = how_we_know_view(HowWeKnowInputs(), Style(voice=voice))
    assert f"**{len(view.own_notes)}**" in view.own_head
    assert "The arithmetic was right" not in view.own_head
    told = " ".join(f"{note.title} {note.printed} {note.reason}" for note in view.own_notes)
    for needed in ("ε of membership", "87 in 100", "Integer noise", "household of four", "halved the budget"):
        assert needed in told


@pytest.mark.parametrize("source", sources_in_use())
def test_a_work_shows_its_own_numbers_and_notes_only(source: str) -> None:
    view = how_we_know_view(HowWeKnowInputs(source=source), Style())
    assert len(view.table.rows) == sum(row.source == source for row in published_rows())
    assert len(view.notes) == sum(note.source == source for note in errata())


def test_words_find_a_row() -> None:
    view = how_we_know_view(HowWeKnowInputs(find="table 2.4 mass", verdict="erratum"), Style())
    assert len(view.table.rows) == 5
    assert view.table.rows[0][2:4] == ("0.161", "0.177721")


def test_nothing_found_is_an_empty_table_and_not_an_error() -> None:
    assert how_we_know_view(HowWeKnowInputs(find="<script>"), Style()).table.rows == ()


def test_every_source_in_use_can_be_asked_for() -> None:
    field = next(field for field in FIELDS if field.name == "source")
    assert set(sources_in_use()) <= set(field.options)


def test_a_budgets_delta_is_not_told_as_how_often_a_limit_fails() -> None:
    told = how_we_know_view(HowWeKnowInputs(), Style()).glossary
    assert "Exception (δ′)" in told
    assert "Exception (δ," not in told
    assert "**δ**: part of some budgets" in told
