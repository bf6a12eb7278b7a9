"""What the memo reports: its own fields, and the choices of the two pages it carries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode

from ui.link.fields import Field, read_query, write_query
from ui.views import accuracy as cost
from ui.views import choose
from ui.views.choose import ChooseInputs

CARRIED = ("choose", "accuracy")
FIELDS: tuple[Field, ...] = (
    Field("title", "Title", "text", "Privacy budget for a release"),
    Field("organisation", "Organisation", "text", ""),
    Field("author", "Author", "text", ""),
    Field("date", "Date, as it should read", "text", ""),
    Field("release", "What is released", "text", ""),
    Field("decision", "Decision, in your words", "text", ""),
    Field("reasons", "Why not the alternatives", "text", ""),
    Field("household", "People in a household", "count", 4, low=1, high=100),
    Field("yearly", "Times a year all this is released", "count", 1, low=1, high=1000),
    Field("choose", "Choices of Choose a budget", "text", ""),
    Field("accuracy", "Choices of What it costs", "text", ""),
)


@dataclass(frozen=True)
class MemoInputs:
    """The memo's own fields, and the choices of the two pages it reports as their links hold them."""

    title: str = "Privacy budget for a release"
    organisation: str = ""
    author: str = ""
    date: str = ""
    release: str = ""
    decision: str = ""
    reasons: str = ""
    household: int = 4
    yearly: int = 1
    choose: str = ""
    accuracy: str = ""

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
    return choose.FIELDS if stem == "choose" else cost.FIELDS


def carried_values(stem: str, query: str) -> dict[str, Any]:
    """A page's choices from the query a memo's link carries for it; what is refused falls back to its default."""
    return read_query(fields_of(stem), dict(parse_qsl(query, keep_blank_values=True))).values


def carried_query(stem: str, values: Mapping[str, Any]) -> str:
    """What a memo's link carries of a page's choices."""
    return urlencode(write_query(fields_of(stem), values))
