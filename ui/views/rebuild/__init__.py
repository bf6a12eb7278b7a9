"""Rebuild a block: the most likely people given noisy tables, beside guessing from public shares."""

from ui.views.rebuild.searches import FIELDS, RebuildInputs
from ui.views.rebuild.view import rebuild_view

__all__ = ["FIELDS", "RebuildInputs", "rebuild_view"]
