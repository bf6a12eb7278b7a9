"""Every choice of every page is answered: in some setting another value changes what the page says."""

from __future__ import annotations

from collections import ChainMap
from dataclasses import replace
from functools import cache
from itertools import product, zip_longest
from typing import Any
from urllib.parse import urlencode

import pytest

from riskline.case.fields import Field, pairs_of, read_pairs, write_query
from tests.approved.prose import blocks
from tests.approved.states import FOLDS, MORE, STATES, TRIED
from ui.documents.document import Square
from ui.link.page_table import PAGES, PageEntry
from ui.pictures.style import Style

UNHEARD = {
    "home": {"step"},  # which part of the case is asked, which the page does and its view does not
    "choose": {"view"},  # how the line editor draws, which is not the view's
    "positions": {"view", "route", "delta", "failure"},  # of guarantees that no approved setting has
    # what the database answers; each activity by its own settings
    "room": {"code", "key", "next_key", "wall", "groups", "activity", "script"},
    "join": {"code", "me", "line_interview"},
    "deployments": {"every", "read_as"},  # asked beside a case of the reader's own, and a record
    "rebuild": {"person", "limit", "sweep"},  # whom a table attack is after; seconds; many draws, on request
    "add_up": {"learn"},  # on request
    "infer": {
        "compute",
        "draw_seed",
        "seed",
        "line_weight",
        "shape",
        "rate",
        "intercept_guess",
        "slope_guess",
    },  # draws
    "public_information": {"rounds", "repeats", "seed"},  # lines that arrive one by one
}
"""Choices whose answer is not in what a view says at once; tests of those pages hold them."""

IN_FOLDS = {"publication": {"clipped", "amounts", "reading", "first", "second", "whole"}}
"""Choices that only a fold answers: the page without it is not asked."""


def others(field: Field, value: Any) -> list[Any]:
    """A few other values of a field."""
    if field.kind == "choice":
        return [option for option in field.options if option != value]
    if field.kind == "flag":
        return [not value]
    found = []
    for text in (
        "Births~counts~20~~4~~~~~~~~~~4",
        "2",
        "3",
        "0.6",
        "0.3",
        "0.02",
        "40",
        "1000",
        "5 7",
        "1e-5",
        "12",
        "p~0.1",
        "0.1~0.3_0.5~0.8",
        "more",
        "line=constant",
        "rho=1",
        "ct2",
        "2f",
        "no",
        "one; two",
        "0:4, 12:6",
        "i;j;p\n0;0;1\n1;1;1",
        "3*1*0*5",
        "lines~value~person~1~5~0.4~0.4~3~0.1",
        "nation~1!state~6!county~400",
        "io",
    ):
        try:
            other = field.decode(text)
        except ValueError:
            continue
        if field.encode(other) != field.encode(value):
            found.append(other)
    return found


@pytest.fixture(autouse=True)
def one_square(monkeypatch: pytest.MonkeyPatch) -> None:
    """To draw the code of a room's address takes longer than all the rest of its wall, and nobody here reads it."""
    monkeypatch.setattr(Square, "svg", "<svg/>")


class Page:
    """What a page says in its settings, each asked once."""

    def __init__(self, entry: PageEntry) -> None:
        self.entry = entry
        self.queries = (*STATES[entry.stem].values(), *MORE.get(entry.stem, ()))
        self.written = [replace(field, in_address=True) for field in entry.fields]  # also what only the session holds
        self.said = cache(lambda query, folds: list(blocks(entry.stem, query, Style(), folds=folds)))

    def says_otherwise(self, query: str, folds: bool, changes: dict[str, Any]) -> bool:
        """Whether it says anything else with these changes: read to the first difference, most often the answer."""
        values = read_pairs(self.entry.fields, pairs_of(query)).values | changes
        now = blocks(self.entry.stem, urlencode(write_query(self.written, values)), Style(), folds=folds)
        return any(told != other for told, other in zip_longest(now, self.said(query, folds)))

    def heard(self, query: str, folds: bool, changes: list[dict[str, Any]]) -> list[str]:
        """Which of these choices change what it says: nothing of several that change nothing together does."""
        if not changes or (len(changes) != 1 and not self.says_otherwise(query, folds, dict(ChainMap(*changes)))):
            return []
        if len(changes) == 1:
            return [*changes[0]] if self.says_otherwise(query, folds, changes[0]) else []
        middle = len(changes) // 2
        return [name for half in (changes[:middle], changes[middle:]) for name in self.heard(query, folds, half)]


@pytest.mark.parametrize("entry", [entry for entry in PAGES if entry.fields], ids=lambda entry: entry.stem)
def test_every_choice_changes_what_the_page_says(entry: PageEntry) -> None:
    """A choice that nothing answers would be a control that says the wrong thing.

    One other value is nearly always heard, most often in a setting that names the choice.
    """
    page, in_folds = Page(entry), IN_FOLDS.get(entry.stem, set())
    shut_and_open = (False, True) if entry.stem in FOLDS else (False,)
    unheard = UNHEARD.get(entry.stem, set())
    waiting = [field for field in entry.fields if field.name not in unheard and field.which in TRIED]
    rounds = (*product((0,), shut_and_open, (True,)), *product(range(4), shut_and_open, (False,)))
    for place, folds, named in rounds:
        for number, query in enumerate(page.queries):
            values = read_pairs(entry.fields, pairs_of(query)).values
            changes = [
                {field.name: other}
                for field in waiting
                if (folds or field.name not in in_folds)
                and (not named or field.name in dict(pairs_of(query)))
                and (not field.which or f"edited={field.which}" in query)
                for other in others(field, values[field.name])[place : place + 1]
            ]
            alone = named or not (number or place)  # most are heard, or few are asked
            groups = [[change] for change in changes] if alone else [changes]
            found = {name for group in groups for name in page.heard(query, folds, group)}
            waiting = [field for field in waiting if field.name not in found]
        if not waiting:
            return
    assert not waiting, [field.name for field in waiting]
