"""Tables at levels of a case, by name and by number, a range for each; what is refused; the plan that they begin."""

from __future__ import annotations

import json
from dataclasses import fields, replace

import pytest

from riskline.case.file import read_file, write_json, write_toml
from riskline.case.link import read_case, write_case
from riskline.case.tables import TableRow, asked_otherwise, at_levels, publication_of
from riskline.case.value import Case
from tests.publication_levels import AREA_LIST, TREE, inputs
from tests.release_plans import LEVELS
from ui.pictures.style import Style
from ui.views.publication import publication_view
from ui.views.publication.shared import Shared
from ui.views.publication.view import begun_plan

BIRTHS = TableRow("Births", wish="40; 20; 10", areas="nation; State; county", cells="2", times="3", calendar="one")
ALL = TableRow("All", wish="20", share="")


def test_a_row_is_published_at_each_of_its_levels_with_its_own_range() -> None:
    by_hand = tuple(
        replace(BIRTHS, name=f"Births, {level.name}", areas=str(level.areas), wish=wish)
        for level, wish in zip(TREE, ("40", "20", "10"), strict=True)
    )
    about = {"noise": "geometric", "relation": "replace", "group": 2, "level": 0.95}
    assert publication_of((BIRTHS,), **about, levels=TREE) == publication_of(by_hand, **about)  # type: ignore[arg-type]
    assert at_levels((replace(BIRTHS, areas="nation, state, county"),), TREE) == at_levels((BIRTHS,), TREE)
    numbers = replace(BIRTHS, areas="1; 5; 437")
    assert [one.row.areas for one in at_levels((numbers,))] == ["1", "5", "437"]


def test_the_page_answers_for_levels_as_for_rows_typed_one_by_one() -> None:
    named = Shared(inputs(BIRTHS, ALL), Style())
    single = (
        *(replace(BIRTHS, areas=areas, wish=wish) for areas, wish in (("1", "40"), ("5", "20"), ("437", "10"))),
        ALL,
    )
    typed = Shared(inputs(*single), Style())
    assert named.allocation.budgets.tolist() == typed.allocation.budgets.tolist()
    assert named.rise.after.value == typed.rise.after.value
    view = publication_view(inputs(BIRTHS, ALL), Style())
    assert view.results is not None
    assert [row[0] for row in view.results.rows] == ["Births, nation", "Births, state", "Births, county", "All"]
    assert [row[1] for row in view.results.rows] == ["± 40", "± 20", "± 10", "± 20"]


def test_a_range_of_one_level_is_asked_otherwise_and_who_pays_is_told() -> None:
    after = asked_otherwise((BIRTHS, ALL), {1: 15.0, 3: 9.0}, TREE)
    assert [row.wish for row in after] == ["40; 15; 10", "9"]
    view = publication_view(inputs(*asked_otherwise((BIRTHS, ALL), {1: 15.0}, TREE)), Style(), (BIRTHS, ALL))
    assert view.paid.startswith("**Births, state** asks for ± 15 instead of ± 20")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"areas": "village"}, "areas must be a number, or levels among nation, state, county; got 'village'"),
        ({"areas": "state; state"}, "areas must be different levels; got 'state; state'"),
        ({"areas": "state;"}, "areas must have a level beside each semicolon; got 'state;'"),
        ({"areas": "state; county"}, "± wanted must be one number, or one for each of 2 levels; got '40; 20; 10'"),
        ({"areas": "state"}, "± wanted must be one number; got '40; 20; 10'"),
        ({"wish": "40; x; 10"}, "± wanted must be a number; got 'x'"),
        ({"wish": "5", "areas": "0"}, "areas must be from 1 to 1,000,000,000; got '0'"),
    ],
)
def test_a_level_that_cannot_be_is_refused_by_row_and_cell(row: dict[str, str], said: str) -> None:
    with pytest.raises(ValueError, match=r"^Row 1 \(Births") as refusal:
        publication_of(
            (replace(BIRTHS, **row),), noise="geometric", relation="replace", group=1, level=0.9, levels=TREE
        )
    assert said in str(refusal.value)


def test_without_levels_a_name_is_refused_and_a_number_is_not() -> None:
    with pytest.raises(ValueError, match=r"Row 1 \(A\): areas must be a number; got 'county'"):
        at_levels((TableRow("A", areas="county"),))
    assert at_levels((TableRow("A", areas="1,000"),))[0].row.areas == "1,000"


def test_a_case_keeps_its_levels_in_link_and_files_and_a_decision_is_for_them() -> None:
    case = Case(geography=TREE, tables=(BIRTHS,))
    query = write_case(case)
    assert query["geography"] == "nation~1!state~5!county~437"
    assert read_case(query).case == case
    assert read_file(write_json(case).encode()) == case == read_file(write_toml(case).encode())
    assert case.digest != case.with_choices(geography=TREE[1:]).digest
    assert case.without("geography").digest == Case(tables=(BIRTHS,)).digest


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nation~1!2nd~5", "must have names that begin with a letter, without a semicolon; got '2nd'"),
        ("nation~1!Nation~5", "must have different names; got 'Nation' twice"),
        ("nation~0", "the areas of 'nation' must be from"),
        ("nation~1~2", "row 1 must have at most 2 cells; got 3"),
    ],
)
def test_levels_that_cannot_be_are_refused(text: str, said: str) -> None:
    assert said in str(read_case({"geography": text, "ratio": "2"}).refusals[0])


def test_a_plan_names_levels_joins_rows_of_one_table_and_has_the_areas() -> None:
    rows = (BIRTHS, ALL, TableRow("Sexes", wish="9", areas="state", cells="2"), TableRow("Sexes", wish="8", cells="2"))
    text, left_out = begun_plan(inputs(*rows, TableRow("Days", "total", wish="9", low="0", high="9")), AREA_LIST)
    begun = json.loads(text)
    assert left_out == ("row 7 ('Days')",)
    assert begun["levels"] == LEVELS
    assert len(begun["areas"]) == 443
    assert begun["areas"][6] == ["01000", "County 01000", "01", "county"]
    assert [(table["name"], list(table["levels"])) for table in begun["tables"]] == [
        ("Births", LEVELS),
        ("All", ["nation"]),
        ("Sexes", ["state", "nation"]),
    ]
    assert begun["tables"][0]["times"]["each"] == "one_time"
    assert begun["tables"][0]["categories"] == {
        "FILL IN: a column, or several with 2 cells together": ["FILL IN: a value"]
    }
    alone = json.loads(begun_plan(inputs(ALL), AREA_LIST)[0])
    assert (alone["levels"], alone["areas"]) == (["nation"], [["US", "United States", "", "nation"]])


def test_without_its_file_a_plan_names_levels_and_leaves_areas_to_be_filled_in() -> None:
    begun = json.loads(begun_plan(inputs(BIRTHS, TableRow("Towns", wish="9", areas="90")))[0])
    assert begun["levels"] == ["nation", "state", "FILL IN: name of the level that has 90 areas", "county"]
    assert begun["areas"] == (
        "FILL IN: a CSV file beside this one with code, name, parent and level of each area of these levels"
    )


@pytest.mark.parametrize(
    "row",
    [
        TableRow("A", wish="5"),
        TableRow("A", share="10 %", typical="40"),
        TableRow("A", "total", wish="5", low="0", high="9"),
        TableRow("A", "mean", wish="0.5", low="0", high="9", people="100"),
    ],
)
def test_a_cell_of_spaces_is_an_empty_cell(row: TableRow) -> None:
    about = {"noise": "laplace", "relation": "replace", "group": 1, "level": 0.95}
    expected = publication_of((row,), **about)  # type: ignore[arg-type]
    for column in fields(row):
        if not getattr(row, column.name) and column.name != "name":
            blank = replace(row, **{column.name: "  "})
            assert publication_of((blank,), **about) == expected, column.name  # type: ignore[arg-type]
