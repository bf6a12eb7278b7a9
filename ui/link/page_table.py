"""The page table: every page of Riskline, its group, and the choices its link may hold. No Streamlit."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from riskline.case.fields import Field

FRAME_FIELDS: tuple[Field, ...] = (
    Field("voice", "Voice", "choice", "plain", options=("plain", "technical")),
    Field("type", "Type size", "choice", "normal", options=("normal", "large")),
)


@dataclass(frozen=True)
class PageEntry:
    """One page: its stem (file, view, test and address), its title, its group and what it is for."""

    stem: str
    title: str
    group: str
    purpose: str

    @property
    def address(self) -> str:
        """The page's address below the app's root: the front door has none of its own."""
        return "" if self.stem == "home" else self.stem

    @property
    def fields(self) -> tuple[Field, ...]:
        """The choices of the page, from its view."""
        return tuple(import_module(f"ui.views.{self.stem}").FIELDS)


TOGETHER = "Together"
"""The group of the pages that need rooms: hidden where rooms are switched off."""

PAGES: tuple[PageEntry, ...] = (
    PageEntry("home", "Start here", "Decide", "where your question leads, a line to drag, and a guided example"),
    PageEntry("choose", "Choose a budget", "Decide", "draw the line of risk you can accept; read the budget"),
    PageEntry("accuracy", "What it costs", "Decide", "the noise a budget brings, and the budget an accuracy needs"),
    PageEntry(
        "publication", "Plan a publication", "Decide", "one budget over many tables: the range of each, and who pays"
    ),
    PageEntry("plan", "Several releases", "Decide", "a year of releases: how they add up and when a promise breaks"),
    PageEntry("positions", "Compare positions", "Decide", "lines side by side: the gap, and what conceding buys"),
    PageEntry("memo", "Decision memo", "Decide", "the document that says what was decided, why, and at what cost"),
    PageEntry("explain", "What an ε means", "Explain", "beliefs before and after, in both worlds"),
    PageEntry("deployments", "Published budgets", "Explain", "what others chose, on one ruler, with what it means"),
    PageEntry("lessons", "Lessons", "Explain", "20, 45 and 90 minutes: steps, predictions and sheets to print"),
    PageEntry("room", "Open a room", TOGETHER, "a meeting or a class, each on their own phone: code, question, wall"),
    PageEntry("join", "Join a room", TOGETHER, "answer on your own device: a line, a guess, a coin survey, a vote"),
    PageEntry("block", "Attack one block", "Attack", "what a noisy count tells about one person, exactly"),
    PageEntry("play", "Be the attacker", "Attack", "ten rounds against a noisy table, beside an ideal player"),
    PageEntry(
        "hierarchy", "Attack through the hierarchy", "Attack", "what the counts above a block add, and what decides it"
    ),
    PageEntry("rebuild", "Rebuild a block", "Attack", "the most likely people of a block, beside a guess without data"),
    PageEntry("exact_totals", "Exact totals", "Publish and analyse", "what totals published as they are give away"),
    PageEntry("add_up", "Tables that add up", "Publish and analyse", "where the leftover people go, rule by rule"),
    PageEntry(
        "public_information",
        "Public information",
        "Publish and analyse",
        "when it weakens a promise, when it sharpens one",
    ),
    PageEntry(
        "infer",
        "Learn from a noisy release",
        "Publish and analyse",
        "what a release tells about values between known bounds",
    ),
    PageEntry(
        "how_we_know", "How we know", "About", "every published number we recompute, and where print and truth differ"
    ),
)


def page_entry(stem: str) -> PageEntry:
    """The page of that stem; `ValueError` when there is none."""
    for entry in PAGES:
        if entry.stem == stem:
            return entry
    raise ValueError(f"page must be one of {', '.join(entry.stem for entry in PAGES)}; got {stem!r}")
