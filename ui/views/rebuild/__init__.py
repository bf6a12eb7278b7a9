"""Rebuild a block: the most likely people given protected tables, beside guessing from public shares."""

from ui.views.rebuild.searches import AT_ONCE, FIELDS, RebuildInputs, opened
from ui.views.rebuild.view import rebuild_view

__all__ = ["AT_ONCE", "FIELDS", "RebuildInputs", "opened", "rebuild_view"]
