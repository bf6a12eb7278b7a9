"""The page table: every page of Riskline, its group, its choices with their words, and ways there. No Streamlit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from types import MappingProxyType
from typing import Any

from riskline.case.choices import declarations
from riskline.case.declaration import DECLARED
from riskline.case.fields import Field
from ui.words.catalogue import label, labels


def fields_of(page: str, choices: type[Any], *shared: str, **words: object) -> tuple[Field, ...]:
    """The fields of a page's class of choices, those of the case last; `shared` folders follow the page's own in turn.

    A choice of the page's own needs a label; one of the case may have another than the case's.
    """
    fields = sorted(declarations(choices), key=lambda field: field.of_case)
    return tuple(worded(field, page, *shared, **words) for field in fields)


def declared(page: str, words: Mapping[str, object] = MappingProxyType({}), /, **choices: Any) -> tuple[Field, ...]:
    """The fields of choices that no class holds: each by its name, with the page's words, which may need these ones."""
    named = (replace(choice.metadata[DECLARED], name=name) for name, choice in choices.items())
    return tuple(worded(field, page, **words) for field in named)


def worded(field: Field, *folders: str, **words: object) -> Field:
    """A declared field with the words that the first of these folders of the catalogue has for it."""

    def said(name: str) -> str | None:
        found = next((folder for folder in folders if name in labels(folder)), None)
        return None if found is None else label(found, name, **words)

    own = said(field.name)
    if own is None and not field.of_case and field.called is None:
        raise KeyError(f"{folders[0]} has no label {field.name}")
    return replace(field, label=own or field.label, help=said(f"{field.name}.help") or field.help)


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
    "explaining": ("explain", "methods", "deployments", "lessons"),
    TOGETHER: ("room", "join"),
    "attack": ("block", "play", "hierarchy", "rebuild", "audit"),
    "analyse": ("publish", "exact_totals", "add_up", "public_information", "infer"),
    "about": ("how_we_know",),
}
PAGES = tuple(PageEntry(stem, group) for group, stems in GROUPS.items() for stem in stems)


def page_entry(stem: str) -> PageEntry:
    """The page of that stem; `ValueError` when there is none."""
    for entry in PAGES:
        if entry.stem == stem:
            return entry
    raise ValueError(f"page must be one of {', '.join(entry.stem for entry in PAGES)}; got {stem!r}")
