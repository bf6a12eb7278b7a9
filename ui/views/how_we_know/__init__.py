"""How we know: every published number recomputed, the disagreements with their reasons, glossary, sources, limits."""

from ui.views.how_we_know.view import FIELDS, HowWeKnowInputs, how_we_know_view

__all__ = ["FIELDS", "HowWeKnowInputs", "how_we_know_view"]
