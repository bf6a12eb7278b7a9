"""What the memo reports: its own fields, and the choices of the pages it carries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode

from ui.link.fields import Field, read_query, write_query
from ui.views import accuracy as cost
from ui.views import choose, plan, positions, publication
from ui.views.choose import ChooseInputs

CARRIED = ("choose", "accuracy", "positions", "plan", "publication")
FIELDS: tuple[Field, ...] = (
    Field("title", "Title", "text", "Privacy budget for a release"),
    Field("organisation", "Organisation", "text", ""),
    Field("author", "Author", "text", ""),
    Field("date", "Date, as it should read", "text", ""),
    Field("release", "What is released", "text", ""),
    Field(
        "phrase",
        "What must stay secret about a person",
        "text",
        "",
        help="In your words, so that it goes on from “a given person”: has Fabry disease",
    ),
    Field("decided_by", "Who decided", "text", ""),
    Field("until", "Until when it holds", "text", ""),
    Field("decision", "Decision, in your words", "text", ""),
    Field("reasons", "Why not the alternatives", "text", ""),
    Field("districts", "Districts in a table", "count", 40, low=1, high=1_000_000),
    Field("household", "People in a household", "count", 4, low=1, high=100),
    Field("yearly", "Times a year all this is released", "count", 1, low=1, high=1000),
    Field("choose", "Choices of Choose a budget", "text", ""),
    Field("accuracy", "Choices of What it costs", "text", ""),
    Field("positions", "Choices of Compare positions", "text", ""),
    Field("plan", "Choices of Several releases", "text", ""),
    Field("publication", "Choices of Plan a publication", "text", ""),
)


@dataclass(frozen=True)
class MemoInputs:
    """The memo's own fields, and the choices of the pages it reports as their links hold them.

    Those of positions, plan and publication are empty where nobody used these pages.
    """

    title: str = "Privacy budget for a release"
    organisation: str = ""
    author: str = ""
    date: str = ""
    release: str = ""
    phrase: str = ""
    decided_by: str = ""
    until: str = ""
    decision: str = ""
    reasons: str = ""
    districts: int = 40
    household: int = 4
    yearly: int = 1
    choose: str = ""
    accuracy: str = ""
    positions: str = ""
    plan: str = ""
    publication: str = ""

    @property
    def secret_phrase(self) -> str:
        """What must stay secret in the reader's own phrase, as part of a sentence: no marks, no stop at its end."""
        return " ".join(self.phrase.replace("*", "").split()).rstrip(".")

    @property
    def choices(self) -> ChooseInputs:
        """The choices of *Choose a budget*."""
        return ChooseInputs(**carried_values("choose", self.choose))

    @property
    def costs(self) -> cost.AccuracyInputs:
        """The choices of *What it costs*."""
        return cost.AccuracyInputs(**carried_values("accuracy", self.accuracy))


def fields_of(stem: str) -> tuple[Field, ...]:
    """The choices of a page that the memo reports."""
    return {
        "choose": choose.FIELDS,
        "accuracy": cost.FIELDS,
        "positions": positions.FIELDS,
        "plan": plan.FIELDS,
        "publication": publication.FIELDS,
    }[stem]


def carried_values(stem: str, query: str) -> dict[str, Any]:
    """A page's choices from the query a memo's link carries for it; what is refused falls back to its default."""
    return read_query(fields_of(stem), dict(parse_qsl(query, keep_blank_values=True))).values


def carried_query(stem: str, values: Mapping[str, Any]) -> str:
    """What a memo's link carries of a page's choices."""
    return urlencode(write_query(fields_of(stem), values))
