"""How long the page that compares positions takes, in processor time."""

from __future__ import annotations

from typing import Any

from benchmarks.timing import all_within, median, rerun
from ui.pictures.style import Style
from ui.views.positions import PositionsInputs, positions_view


def run() -> list[dict[str, Any]]:
    """Rows of measurements against the limits of a page that feels immediate."""
    rows = [
        ("view of positions", median(lambda: positions_view(PositionsInputs(), Style()), 15), 0.100),
        ("rerun of positions in the server", rerun("positions"), 0.150),
    ]
    return all_within(rows)
