"""Every choice of every page is answered: in some setting another value changes what the page says."""

from __future__ import annotations

from dataclasses import replace
from itertools import product, zip_longest
from typing import Any
from urllib.parse import urlencode

import pytest

from riskline.case.fields import Field, pairs_of, read_pairs, write_query
from tests.approved.prose import blocks
from tests.approved.states import MORE, STATES
from ui.link.page_table import PAGES, PageEntry
from ui.pictures.style import Style

UNHEARD = {
    "home": {"step"},  # which part of the case is asked, which the page does and its view does not
    "choose": {"view"},  # how the line editor draws, which is not the view's
    "positions": {"view"},
    # what the database answers; each activity by its own settings
    "room": {"code", "key", "wall", "groups", "activity", "script"},
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


def says_otherwise(stem: str, query: str, folds: bool, before: list[tuple[str, list[str]]]) -> bool:
    """Whether the page says anything else at this setting: read to the first difference, most often the answer."""
    now = blocks(stem, query, Style(), folds=folds)
    return any(told != other for told, other in zip_longest(now, before))


@pytest.mark.parametrize("entry", [entry for entry in PAGES if entry.fields], ids=lambda entry: entry.stem)
def test_every_choice_changes_what_the_page_says(entry: PageEntry) -> None:
    """A choice that nothing answers would be a control that says the wrong thing."""
    waiting = [field for field in entry.fields if field.name not in UNHEARD.get(entry.stem, set())]
    written = [replace(field, in_address=True) for field in entry.fields]  # also what only the session holds
    first, rest = slice(1), slice(1, 4)  # one other value is nearly always heard, in some setting if not in this one
    for values_tried, folds in product((first, rest), (False, True)):
        for query in (*STATES[entry.stem].values(), *MORE.get(entry.stem, ())):
            asked = [
                field
                for field in waiting
                if (folds or field.name not in IN_FOLDS.get(entry.stem, set()))
                and (not field.which or f"edited={field.which}" in query)
            ]
            if not asked:
                continue
            values = read_pairs(entry.fields, pairs_of(query)).values
            before = list(blocks(entry.stem, query, Style(), folds=folds))
            for field in asked:
                for other in others(field, values[field.name])[values_tried]:
                    changed = urlencode(write_query(written, values | {field.name: other}))
                    if says_otherwise(entry.stem, changed, folds, before):
                        waiting.remove(field)
                        break
    assert not waiting, [field.name for field in waiting]
