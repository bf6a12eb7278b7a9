"""The page table: every page of Riskline, its group, the choices its link may hold, and ways there. No Streamlit."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from riskline.case.fields import Field
from ui.words.catalogue import label

FRAME_FIELDS: tuple[Field, ...] = (
    Field("voice", "Voice", "choice", "plain", options=("plain", "technical")),
    Field("type", "Type size", "choice", "normal", options=("normal", "large")),
)


@dataclass(frozen=True)
class PageLink:
    """A link inside the app: the page's stem, the words on it, and the parameters of its address."""

    stem: str
    words: str
    query: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class PageEntry:
    """One page: its stem (file, view, test and address) and its group; its title stands in the catalogue."""

    stem: str
    group: str

    @property
    def title(self) -> str:
        """What the page is called."""
        return label("frame", self.stem)

    @property
    def group_title(self) -> str:
        """What its group is called."""
        return label("frame", self.group)

    @property
    def address(self) -> str:
        """The page's address below the app's root: the front door has none of its own."""
        return "" if self.stem == "home" else self.stem

    @property
    def fields(self) -> tuple[Field, ...]:
        """The choices of the page, from its view."""
        return tuple(import_module(f"ui.views.{self.stem}").FIELDS)


TOGETHER = "together"
"""The group of the pages that need rooms: hidden where rooms are switched off."""

GROUPS = {
    "decide": ("home", "choose", "accuracy", "publication", "plan", "positions", "memo", "public"),
    "explaining": ("explain", "deployments", "lessons"),
    TOGETHER: ("room", "join"),
    "attack": ("block", "play", "hierarchy", "rebuild"),
    "analyse": ("exact_totals", "add_up", "public_information", "infer"),
    "about": ("how_we_know",),
}
PAGES = tuple(PageEntry(stem, group) for group, stems in GROUPS.items() for stem in stems)


def page_entry(stem: str) -> PageEntry:
    """The page of that stem; `ValueError` when there is none."""
    for entry in PAGES:
        if entry.stem == stem:
            return entry
    raise ValueError(f"page must be one of {', '.join(entry.stem for entry in PAGES)}; got {stem!r}")
