"""Plan a publication: one budget over many tables and levels, the range each gets, and what the whole gives away."""

from riskline.case.tables import (
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
    row_of,
    unfinished,
)
from ui.views.publication.choices import FIELDS, PRESETS, PublicationInputs, beginning
from ui.views.publication.clipping import MOST_AMOUNTS, ClippingAdvice, clipped_rows, clipping_advice
from ui.views.publication.noisy_readings import Reading, reading_told
from ui.views.publication.reader_choices import PUBLIC
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
    "PUBLIC",
    "SMALLEST",
    "ClippingAdvice",
    "PublicationInputs",
    "PublicationSummary",
    "PublicationView",
    "Reading",
    "Sheet",
    "TableRow",
    "asked_otherwise",
    "beginning",
    "clipped_rows",
    "clipping_advice",
    "counted",
    "publication_summary",
    "publication_view",
    "reading_told",
    "row_of",
    "unfinished",
]
