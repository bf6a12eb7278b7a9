"""How we know: every published number recomputed, the disagreements with their reasons, glossary, sources, limits."""

from ui.views.how_we_know.published import PublishedRow, published_rows
from ui.views.how_we_know.view import (
    FIELDS,
    VERDICTS,
    HowWeKnowInputs,
    HowWeKnowView,
    Note,
    chosen_rows,
    how_we_know_view,
    source_names,
    sources_in_use,
)

__all__ = [
    "FIELDS",
    "VERDICTS",
    "HowWeKnowInputs",
    "HowWeKnowView",
    "Note",
    "PublishedRow",
    "chosen_rows",
    "how_we_know_view",
    "published_rows",
    "source_names",
    "sources_in_use",
]
