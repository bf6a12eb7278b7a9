"""Plan a publication: one budget over many tables and levels, the range each gets, and what the whole gives away."""

from ui.views.publication.choices import FIELDS, PRESETS, PublicationInputs, beginning
from ui.views.publication.clipping import clipped_rows, clipping_advice
from ui.views.publication.view import PublicationSummary, PublicationView, publication_summary, publication_view

__all__ = [
    "FIELDS",
    "PRESETS",
    "PublicationInputs",
    "PublicationSummary",
    "PublicationView",
    "beginning",
    "clipped_rows",
    "clipping_advice",
    "publication_summary",
    "publication_view",
]
