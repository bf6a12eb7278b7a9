"""Plan a publication: one budget over many tables and levels, the range each gets, and what the whole gives away."""

from ui.views.publication.choices import FIELDS, PRESETS, PublicationInputs
from ui.views.publication.clipping import MOST_AMOUNTS, ClippingAdvice, clipped_rows, clipping_advice
from ui.views.publication.sheet import (
    COLUMNS,
    HEADS,
    HELP,
    LARGEST,
    MOST_ROWS,
    SMALLEST,
    Sheet,
    TableRow,
    asked_otherwise,
    counted,
    kind_read,
    unfinished,
)
from ui.views.publication.summary import PublicationSummary, publication_summary
from ui.views.publication.view import PublicationView, publication_view

__all__ = [
    "COLUMNS",
    "FIELDS",
    "HEADS",
    "HELP",
    "LARGEST",
    "MOST_AMOUNTS",
    "MOST_ROWS",
    "PRESETS",
    "ClippingAdvice",
    "PublicationInputs",
    "PublicationSummary",
    "PublicationView",
    "SMALLEST",
    "Sheet",
    "TableRow",
    "clipped_rows",
    "clipping_advice",
    "counted",
    "asked_otherwise",
    "kind_read",
    "publication_summary",
    "publication_view",
    "unfinished",
]
