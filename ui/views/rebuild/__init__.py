"""Rebuild a block: the most likely people given noisy tables, beside guessing from public shares."""

from ui.views.rebuild.view import (
    AT_ONCE,
    DRAWS,
    FIELDS,
    NOISES,
    SWEPT,
    RebuildInputs,
    RebuildView,
    chosen_block,
    keep,
    opened,
    rebuild_view,
    refusal_of,
    search,
    sweep,
    unsettled,
)

__all__ = [
    "AT_ONCE",
    "DRAWS",
    "FIELDS",
    "NOISES",
    "SWEPT",
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
