"""Plan a publication: one budget over many tables and levels, the range each gets, and what the whole gives away."""

from ui.views.publication.choices import FIELDS, IN_RHO, PRESETS, PublicationInputs, beginning
from ui.views.publication.view import PublicationView, publication_view

__all__ = ["FIELDS", "IN_RHO", "PRESETS", "PublicationInputs", "PublicationView", "beginning", "publication_view"]
