"""What the memo reports: its own fields, and the choices of the pages it carries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from riskline.case.fields import LONGEST_IN_FILE, MAX_VALUE_LENGTH, Field, link, read_query, write_query
from ui.link.page_table import page_entry
from ui.views import accuracy as cost
from ui.views import choose, plan, positions, publication
from ui.views.choose import ChooseInputs
from ui.views.shared.room_minutes import NOTHING, RoomMinutes, read_minutes, write_minutes

CARRIED = ("choose", "accuracy", "positions", "plan", "publication")
"""Pages whose choices the memo holds in its own link."""
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
    Field("room", "Minutes of a room", "custom", NOTHING, read=read_minutes, write=write_minutes),
    Field("tell_positions", "Tell the positions", "flag", True, help="The minutes of Compare positions"),
    Field("tell_plan", "Tell the releases that are planned", "flag", True, help="From Several releases"),
    Field("tell_publication", "Tell the publication", "flag", True, help="From Plan a publication"),
    Field("tell_room", "Tell what a room drew and voted", "flag", True, help="Its minutes, from the wall of the room"),
)
OPTIONAL = ("positions", "plan", "publication")
"""Of these pages, the ones that the memo reports where somebody used them and nobody leaves them out."""
LONGEST_LINK = 7500
"""Characters of a memo's link: web servers and mail programs take addresses of up to 8,000."""


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
    room: RoomMinutes = NOTHING
    tell_positions: bool = True
    tell_plan: bool = True
    tell_publication: bool = True
    tell_room: bool = True

    def told(self, stem: str) -> str:
        """The choices of a page as its link holds them; empty where nobody used it or the memo leaves it out."""
        held: str = getattr(self, stem)
        return held.strip() if stem not in OPTIONAL or getattr(self, f"tell_{stem}") else ""

    @property
    def in_link(self) -> MemoInputs:
        """The choices that a link holds: without what is left out, and without what is too long for a link."""
        held: dict[str, Any] = {stem: self.told(stem) for stem in CARRIED}
        held = {stem: query if len(query) <= MAX_VALUE_LENGTH else "" for stem, query in held.items()}
        fitting = replace(self, room=self.room if self.tell_room else NOTHING, **held)
        for stem in sorted(OPTIONAL, key=lambda stem: -len(held[stem])):
            if len(link("memo", FIELDS, vars(fitting))) > LONGEST_LINK:
                shorter: dict[str, Any] = {stem: ""}
                fitting = replace(fitting, **shorter)
        return fitting

    @property
    def too_long(self) -> tuple[str, ...]:
        """The titles of the pages whose choices the memo reports and its link cannot hold."""
        fitting = self.in_link
        return tuple(page_entry(stem).title for stem in CARRIED if self.told(stem) and not fitting.told(stem))

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
    asked = dict(parse_qsl(query, keep_blank_values=True))
    return read_query(fields_of(stem), asked, longest=LONGEST_IN_FILE).values


def carried_query(stem: str, values: Mapping[str, Any]) -> str:
    """What a memo's link carries of a page's choices."""
    return urlencode(write_query(fields_of(stem), values))
