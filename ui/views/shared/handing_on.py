"""Handing a promise on: a way to another page that carries as much of it as that page asks about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ui.link.page_table import page_entry
from ui.link.way import Way


def way_with_promise(stem: str, words: str, query: Mapping[str, str], promise: Iterable[tuple[str, str]]) -> Way:
    """A way to a page in a state; of the promise what the page has choices for.

    Parameters
    ----------
    stem, words : str
        The page, and what its link says.
    query : mapping of str to str
        The page's own choices.
    promise : pairs of str
        As `ui.views.shared.promise.promise_query` writes them.

    Examples
    --------
    >>> way_with_promise("accuracy", "What it costs", {"epsilon": "1"}, [("secret", "value"), ("odd", "1")]).query
    (('epsilon', '1'), ('secret', 'value'))
    """
    asked = {field.name for field in page_entry(stem).fields}
    return Way(stem, words, (*query.items(), *((name, text) for name, text in promise if name in asked)))
