"""The table and the person an attack is about: defaults, lists and refusals."""

from __future__ import annotations

import pytest

from dpcore.populations import read_counts
from ui.views.shared.table_choice import TABLES, TableChoice, chosen_table, chosen_target, offered_people


@pytest.mark.parametrize("table", TABLES)
def test_every_table_has_somebody_to_attack_without_further_choices(table: str) -> None:
    choice = TableChoice(table=table)
    target = chosen_target(chosen_table(choice), choice)
    assert target.people == 1
    assert target.known == 0


def test_the_first_person_offered_is_one_who_is_alone() -> None:
    table = chosen_table(TableChoice())
    offered = offered_people(table, 1)
    assert list(offered) == [3, 2, 1]
    assert offered[3] == "1 person: Of voting age, Black"  # household and origin are the same for all of them


def test_a_person_in_a_crowd_leaves_the_others_known() -> None:
    target = chosen_target(chosen_table(TableChoice()), TableChoice(person=1))
    assert (target.people, target.known) == (34, 33)


def test_the_county_is_called_synthetic_and_follows_its_seed() -> None:
    first, second = (chosen_table(TableChoice(table="synthetic", county=seed)) for seed in (1, 2))
    assert first.synthetic
    assert "Synthetic" in first.name
    assert first.people != second.people


def test_without_an_upload_the_printed_district_stands_in_and_says_so() -> None:
    table = chosen_table(TableChoice(table="own"))
    assert table.people == 45
    assert "No table is held: district 28-21 is shown" in table.notes[0]


def test_an_uploaded_table_is_used() -> None:
    own = read_counts("block,adult,child\nA,0,2\nB,1,0\n")
    assert chosen_table(TableChoice(table="own"), own) is own
    assert chosen_target(own, TableChoice(table="own", place=2)).characteristics == "adult"


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        (TableChoice(place=3), "place must be a whole number from 1 to 2; got 3"),
        (TableChoice(place=2), "place must have at least one person; B has none"),
        (TableChoice(person=2), "person must be a cell with somebody in it; got 2"),
        (TableChoice(person=9), "person must be a cell with somebody in it; got 9"),
    ],
)
def test_a_place_or_person_outside_the_table_is_refused(choice: TableChoice, words: str) -> None:
    own = read_counts("block,adult,child\nA,3,0\nB,0,0\n")
    with pytest.raises(ValueError, match=words):
        chosen_target(own, choice)
