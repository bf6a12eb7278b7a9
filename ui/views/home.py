"""The front door: what Riskline answers, and where to go."""

from __future__ import annotations

from dataclasses import dataclass

from ui.links import Field
from ui.page_table import PAGES
from ui.text import say

FIELDS: tuple[Field, ...] = ()


@dataclass(frozen=True)
class Door:
    """A way in: the page, its title and what it is for."""

    stem: str
    title: str
    purpose: str


@dataclass(frozen=True)
class HomeView:
    """Everything the page shows."""

    answer: str
    small_print: str
    doors: tuple[Door, ...]


def home_view(voice: str) -> HomeView:
    """The front door in a voice."""
    return HomeView(
        answer=say("home", voice, "answer"),
        small_print=say("home", voice, "small_print"),
        doors=tuple(Door(entry.stem, entry.title, entry.purpose) for entry in PAGES if entry.stem != "home"),
    )
