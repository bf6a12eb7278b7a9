"""Rebuild a block: the most likely people given protected tables, beside guessing from public shares."""

from ui.views.rebuild.searches import (
    AT_ONCE,
    DRAWS,
    FIELDS,
    NOISES,
    SWEPT,
    Kept,
    RebuildInputs,
    chosen_block,
    keep,
    opened,
    refusal_of,
    search,
    sweep,
    unsettled,
)
from ui.views.rebuild.view import RebuildView, rebuild_view

__all__ = [
    "AT_ONCE",
    "DRAWS",
    "FIELDS",
    "NOISES",
    "SWEPT",
    "Kept",
    "RebuildInputs",
    "RebuildView",
    "chosen_block",
    "keep",
    "opened",
    "rebuild_view",
    "refusal_of",
    "search",
    "sweep",
    "unsettled",
]
