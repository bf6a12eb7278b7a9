"""Several times of one table: records that fall into one of them are paid for once, the same people every time."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import pytest

from dpcore.publication import CountTable, Publication, total_for_wishes
from riskline.case.tables import HEALTH_YEAR, ONE, TableRow, publication_of
from riskline.case.value import Case
from tests.each import each
from ui.pictures.style import Style
from ui.views.publication import PublicationInputs, publication_view
from ui.views.publication.shared import Shared
from ui.views.publication.view import publication_summary

BIRTHS = TableRow("Births", wish="20", times="3", areas="2", cells="2", calendar="one")


def published(row: TableRow, **about: Any) -> Publication:
    told = {"noise": "geometric", "relation": "add_or_remove", "group": 1, "level": 0.95} | about
    return publication_of((row,), **told)


@each("relation", ["add_or_remove", "replace"])
@each("moves", ["nowhere", "anywhere"])
def test_a_record_in_one_time_moves_what_all_neighbours_of_a_small_calendar_say(relation: str, moves: str) -> None:
    """Brute force: a record lies in one of 2 areas, 3 times and 2 cells."""
    worlds = list(itertools.product(range(2), range(3), range(2)))
    far = 0
    for here, there in itertools.product(worlds, [*worlds, None]):
        if (relation == "replace") is (there is None) or (there and moves == "nowhere" and here[0] != there[0]):
            continue
        counts = dict.fromkeys(worlds, 0)
        for world, step in ((here, 1), (there, -1)):
            if world is not None:
                counts[world] += step
        far = max(far, sum(map(abs, counts.values())))
    publication = published(BIRTHS, relation=relation, moves=moves)
    assert publication.largest_changes[0].l1 == far == (1 if relation == "add_or_remove" else 2)
    assert publication.times.tolist() == [1]
    every = published(replace(BIRTHS, calendar="all"), relation=relation, moves=moves)
    assert every.largest_changes[0].l1 * every.times[0] == 3 * far


def test_the_example_pays_once_for_births_of_a_year_and_stretches_less() -> None:
    shared = Shared(PublicationInputs(), Style())
    every = Shared(PublicationInputs(tables=tuple(replace(row, calendar="") for row in HEALTH_YEAR)), Style())
    assert [row.times for row in shared.publication.rows] == [1, 1, 52, 1, 1, 1, 1]
    assert shared.publication.rows[0].numbers == 12 * 40
    assert shared.total == every.total
    once, often = shared.allocation.stretch, every.allocation.stretch
    assert once is not None
    assert often is not None
    assert math.isclose(once, 1.25)
    assert math.isclose(often, 1.5)
    births = replace(shared.publication, rows=shared.publication.rows[:1])
    more = total_for_wishes(every.publication) - total_for_wishes(shared.publication)
    assert more == pytest.approx(11 * total_for_wishes(births), rel=1e-6)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"calendar": "some"}, "Row 1 (Births): each record in must be one or all of the times; got 'some'"),
        ({"kind": "mean", "low": "0", "high": "9", "people": "5"}, "each record in must be all for a mean"),
        ({"places": "3"}, "cells a person is in must be at most the 2 of one area where each record falls into one"),
    ],
)
def test_a_calendar_that_cannot_be_is_refused_by_row_and_cell(row: dict[str, str], said: str) -> None:
    with pytest.raises(ValueError, match=r"^Row 1 ") as refusal:
        published(replace(BIRTHS, **row))
    assert said in str(refusal.value)


def test_a_calendar_without_times_changes_nothing_and_is_read_as_it_is_spelt() -> None:
    alone = replace(BIRTHS, times="")
    assert published(alone) == published(replace(alone, calendar=""))
    assert published(replace(BIRTHS, calendar=" One  time ")) == published(BIRTHS)
    assert published(replace(BIRTHS, calendar="every time")) == published(replace(BIRTHS, calendar=""))
    assert isinstance(published(BIRTHS).rows[0], CountTable)


def test_a_total_that_falls_into_one_time_can_leave_one_and_come_to_another() -> None:
    days = TableRow("Days", "total", wish="9", times="4", low="0", high="30", calendar=ONE)
    assert published(days).largest_changes[0].l1 == 30
    assert published(days, relation="replace", moves="nowhere").largest_changes[0].l1 == 60
    assert published(replace(days, calendar=""), relation="replace").largest_changes[0].l1 == 30


def test_a_document_says_that_a_record_counts_once() -> None:
    every = publication_summary(PublicationInputs(), Style()).every
    assert every is not None
    assert every.rows[0][:4] == ("Births, each month", "counts, once each", "40", "12")
    assert every.rows[2][:4] == ("Infections, each week", "counts", "40", "52")


def test_opendps_lines_draw_each_time_and_pay_once() -> None:
    opendp = publication_view(PublicationInputs(), Style()).python_opendp
    assert opendp is not None
    lines = opendp.text
    assert "# row 1, 'Births, each month': 40 counts, 12 times, each record in one of them" in lines
    assert "spent += 1 * noise_1.map(d_in=" in lines
    assert "1: [noise_1(data[1][time]) for time in range(12)]," in lines
    assert "spent += 52 * noise_3.map(d_in=" in lines


def test_a_decision_made_before_rows_had_a_calendar_is_for_the_same_case() -> None:
    assert Case(ratio=2.0).digest == "46f2f2af15ec61e9"
    tables = (TableRow("Births", wish="5", times="12"),)
    assert Case(ratio=2.0, tables=tables).digest == "2f20e3e8d07b20af"
    assert Case(ratio=2.0, tables=(replace(tables[0], calendar="one"),)).digest != "2f20e3e8d07b20af"
