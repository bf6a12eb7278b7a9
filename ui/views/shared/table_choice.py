"""Which table of people is attacked, who in it, and what hides them: shared by the pages of the group Attack."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from dpcore._cache import cached_by_size
from dpcore.populations import DISTRICT_39_14, CountTable, district_28_21, synthetic_county
from riskline.case.declaration import count, option
from riskline.case.methods import SETTINGS
from ui.pictures.style import Style
from ui.words.catalogue import label, labels

TABLES = ("28-21", "39-14", "synthetic", "own")
MOST_OFFERED = 400
"""A longer list of places or people is not offered as a list."""
word = partial(label, "table_choice")


@dataclass(frozen=True, kw_only=True)
class PlaceChoice:
    """The table and the place in it."""

    table: str = option(*TABLES)
    county: int = count(1, low=0, high=999_999)
    place: int = count(1, low=1, high=20_000)


@dataclass(frozen=True, kw_only=True)
class TableChoice(PlaceChoice):
    """The place, and the person in it: `person` is the number of a cell from 1, or 0 for whoever is alone."""

    person: int = count(0, low=0, high=200_000)


@dataclass(frozen=True)
class Target:
    """The person an attack is about: where, with which characteristics, and how many people share them there."""

    place: int
    cell: int
    people: int
    place_name: str
    characteristics: str

    @property
    def known(self) -> int:
        """The other people of the cell: the attacker knows them all."""
        return self.people - 1


def district_39_14() -> CountTable:
    """What is printed of district 39-14: one person who is alone, and everybody else together."""
    target = DISTRICT_39_14
    return CountTable(
        name="District 39-14, Granville County, North Carolina, 1940",
        places=(target.district,),
        attributes=(word("characteristics"),),
        cells=((", ".join(target.characteristics),), (word("everybody_else"),)),
        counts=np.array([[1, target.people_in_district - 1]]),
        notes=(word("sizes_printed"),),
    )


_county = cached_by_size()(synthetic_county)


def kind_of_data(chosen: Mapping[str, object]) -> str:
    """Whose counts a page of these choices shows, where it asks for a table, a block or a file.

    >>> kind_of_data({"table": "39-14"}), kind_of_data({"source": "block", "table": "own"})
    ('1940 census', 'invented')
    """
    invented = chosen.get("source") == "block" or chosen.get("data") == "invented"
    choice = "synthetic" if invented else chosen.get("data", chosen.get("table"))
    return word(f"kind.{choice if choice in ('synthetic', 'own') else 'census'}")


def data_in_words(choice: PlaceChoice, table: CountTable) -> str:
    """Whose counts a table holds."""
    return word(f"kind.{'synthetic' if table.synthetic else 'own' if choice.table == 'own' else 'census'}")


def chosen_table(choice: PlaceChoice, own: CountTable | None = None) -> CountTable:
    """The table of a choice; without an upload in this session, district 28-21 with a note that says so."""
    if choice.table == "synthetic":
        return _county(seed=choice.county)
    if choice.table == "39-14":
        return district_39_14()
    if choice.table == "own":
        return own if own is not None else replace(district_28_21(), notes=(word("none_held"),))
    return district_28_21()


def kind_in_words(cell: Iterable[str]) -> str:
    """The characteristics of a kind of people: those of the census in the catalogue's words, others as they stand.

    >>> kind_in_words(("Household", "Not Hispanic", "Combination 7", "left-handed"))
    'Household, Not Hispanic, Combination 7, left-handed'
    """
    return ", ".join(map(_characteristic, cell))


def _characteristic(said: str) -> str:
    kind, _, number = said.rpartition(" ")
    name = f"census.{(kind if number.isdecimal() else said).lower().replace(' ', '_')}"
    return word(name, number=number) if name in labels("table_choice") else said


def offered_people(table: CountTable, place: int) -> dict[int, str]:
    """The people a reader may pick in a place (from 1): number of the cell, and what tells who is in it from others."""
    counts = table.counts[place - 1]
    order = sorted(np.flatnonzero(counts).tolist(), key=lambda cell: int(counts[cell]))[:MOST_OFFERED]
    cells = [table.cells[cell] for cell in order]
    telling = [place for place, shared in enumerate(zip(*cells, strict=False)) if len({*shared}) > 1]
    if len({len(words) for words in cells}) > 1 or not telling:  # nothing in common, or nobody else
        telling = list(range(len(table.attributes)))
    who = [kind_in_words(words[place] for place in telling if place < len(words)) for words in cells]
    return {cell + 1: word("cell", people=f"{counts[cell]:,}", who=kind) for cell, kind in zip(order, who, strict=True)}


def no_such_place(table: CountTable, place: int) -> ValueError:
    """The refusal of a place that the table does not have."""
    return ValueError(word("no_such_place", most=f"{len(table.places):,}", place=place))


def chosen_target(table: CountTable, choice: TableChoice) -> Target:
    """The person of a choice; `ValueError` where the table has no such place or nobody there."""
    if not 1 <= choice.place <= len(table.places):
        raise no_such_place(table, choice.place)
    offered = offered_people(table, choice.place)
    if not offered:
        raise ValueError(word("nobody_there", place=table.places[choice.place - 1]))
    number = choice.person or next(iter(offered))
    if number > len(table.cells) or table.counts[choice.place - 1, number - 1] == 0:
        raise ValueError(word("nobody_in_cell", cell=number))
    place, cell = choice.place - 1, number - 1
    return Target(place, cell, int(table.counts[place, cell]), table.places[place], kind_in_words(table.cells[cell]))


def method_named(method: str, chosen: object, style: Style) -> str:
    """A method with its settings, as a sentence begins with it."""
    shown = {name: getattr(chosen, name, "") for name in ("base", "largest_noise", "threshold")}
    return label("methods", f"named.{method}", **shown, rate=style.belief(getattr(chosen, "rate", 0.0)))


def what_hides(method: str) -> str:
    """What hides somebody in a table: noise, or what the method does."""
    return label("by_method", f"hides.{method if method in SETTINGS else 'noise'}")
