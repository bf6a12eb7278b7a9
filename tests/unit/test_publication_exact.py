"""Exact totals of a publication: what they give away, which levels may have them, and the invariants of a plan."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from dpcore.schema import Level
from riskline.answers.relatives import RelativesChoice
from riskline.case.tables import TableRow, at_levels, renamed
from riskline.case.value import Case
from riskline.release.plan import plan_from_table
from tests.publication_levels import AREA_LIST, TREE, inputs
from tests.release_plans import AREAS, LEVELS, MONTHS, SEXES
from ui.pictures.style import Style
from ui.views.choose.answer import ChooseInputs
from ui.views.choose.view import choose_relatives, choose_view
from ui.views.publication import publication_view
from ui.views.publication.view import begun_plan, publication_summary
from ui.views.shared.strip import release_words

BIRTHS = TableRow("Births", wish="20; 10", areas="state; county", cells="2", exact="state")
ALONE = "with everyone else's data, they tell whether a person is counted."


@pytest.mark.parametrize("voice", ["plain", "technical"])
@pytest.mark.parametrize(
    ("secret", "said"),
    [
        ({}, ", by noisy numbers alone"),
        ({"secret": "value", "relation": "replace", "moves": "nowhere"}, ", if no exact total changes"),
    ],
)
def test_no_limit_is_told_without_what_exact_totals_take_from_it(voice: str, secret: dict[str, Any], said: str) -> None:
    said = ", between data with the same exact totals" if voice == "technical" and secret else said
    chosen = inputs(BIRTHS, wishes := TableRow("All", wish="20"), **secret)
    view = publication_view(chosen, Style(voice=voice))
    assert view.frontier is not None
    for sentence in (view.keeping, view.small_print, view.frontier.reading):
        assert said in sentence
    none = publication_view(inputs(replace(BIRTHS, exact=""), wishes, **secret), Style(voice=voice))
    assert said not in none.keeping + none.small_print
    assert none.exact == ""


@pytest.mark.parametrize(
    ("secret", "said"),
    [
        ({}, ", by noisy numbers alone"),
        ({"secret": "value", "relation": "replace"}, ", if no exact total changes"),
    ],
)
def test_the_line_of_a_case_with_exact_totals_limits_no_more_than_its_tables(secret: dict[str, Any], said: str) -> None:
    line = ChooseInputs(release="tables", tables=(BIRTHS,), **secret)
    view = choose_view(line, Style())
    assert said in view.answer
    assert said in choose_relatives(line, RelativesChoice(), Style()).answer
    for other in (replace(line, release="count"), replace(line, tables=(replace(BIRTHS, exact=""),))):
        assert said not in choose_view(other, Style()).answer


def test_what_exact_totals_give_away_is_one_sentence_that_names_them() -> None:
    rows = (BIRTHS, TableRow("Deaths", wish="9", areas="county", exact="nation"), TableRow("All", wish="9"))
    view = publication_view(inputs(*rows), Style())
    assert view.exact == f"**Exact totals of Births (state) and Deaths (nation) are unprotected:** {ALONE}"
    assert ALONE in publication_summary(inputs(*rows), Style()).small_print
    assert release_words(Case(tables=rows), "plain") == "3 tables, exact totals"
    assert release_words(Case(tables=rows[2:]), "plain") == "1 table"
    assert view.python_opendp is not None
    assert view.python_opendp.text.count("its exact totals, which nothing protects, are not drawn here") == 3


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (
            {"areas": "state", "wish": "9", "exact": "county"},
            "must be a level of the table or a wider one; got 'county'",
        ),
        ({"exact": "state; county"}, "must be one level; got 'state; county'"),
        ({"exact": "town"}, "must be a number, or levels among nation, state, county; got 'town'"),
        ({"cells": "1"}, "must be a wider level: a table of one cell would be published without noise; got 'state'"),
        ({"exact": "0"}, "must be from 1 to 1,000,000,000; got '0'"),
        ({"areas": "40", "wish": "9", "exact": "41"}, "must be a level of the table or a wider one; got '41'"),
        ({"kind": "total", "low": "0", "high": "9"}, "must be empty: only counts have exact totals; got 'state'"),
    ],
)
def test_exact_totals_that_cannot_be_are_refused_by_row_and_cell(row: dict[str, str], said: str) -> None:
    with pytest.raises(ValueError, match=r"^Row 1 \(Births\): exact totals must") as refusal:
        at_levels((replace(BIRTHS, **row),), TREE)
    assert said in str(refusal.value)


def test_a_deep_level_may_have_fewer_areas_and_numbers_are_levels_too() -> None:
    towns = (*TREE, Level("town", 50))
    row = replace(BIRTHS, areas="town", wish="9", exact="county")
    assert at_levels((row,), towns)[0].exact == ("county", "437")
    assert at_levels((TableRow("A", areas="40", cells="2", exact="40"),))[0].exact == ("", "40")
    assert renamed((row,), {"county": "district"})[0].exact == "district"


def test_a_plan_keeps_exact_totals_and_the_command_reads_it() -> None:
    rows = (
        replace(BIRTHS, times="3", calendar="one"),
        replace(BIRTHS, name="Sexes", areas="county", wish="9", exact="1"),
    )
    begun = json.loads(begun_plan(inputs(*rows), AREA_LIST)[0])
    assert begun["levels"] == LEVELS
    assert [table["exact"] for table in begun["tables"]] == ["state", "nation"]
    begun |= {"area": "county", "record": "person"}
    for table in begun["tables"]:
        table["categories"] = {"sex": SEXES}
    begun["tables"][0]["times"] |= {"column": "month", "values": MONTHS}
    plan = plan_from_table(begun, lambda name: b"")
    assert [(table.name, table.exact, list(table.levels)) for table in plan.tables] == [
        ("Births", "state", ["state", "county"]),
        ("Sexes", "nation", ["county"]),
    ]
    assert len(plan.areas.codes) == len(AREAS)
    marked = json.loads(begun_plan(inputs(TableRow("A", wish="9", areas="90", cells="2", exact="6")))[0])
    assert marked["levels"] == [f"FILL IN: name of the level that has {number} areas" for number in (6, 90)]
    assert marked["tables"][0]["exact"] == marked["levels"][0]
