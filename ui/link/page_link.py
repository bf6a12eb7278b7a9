"""A way to another page in a state: where it leads, what it is called, what its link says."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PageLink:
    """A link inside the app: the page's stem, the words on it, and the parameters of its address."""

    stem: str
    words: str
    query: tuple[tuple[str, str], ...] = ()
