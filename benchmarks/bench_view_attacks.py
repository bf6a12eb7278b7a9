"""How long the pages hierarchy and rebuild take: views, folds and the rebuild of 45 people, in processor time."""

from __future__ import annotations

from typing import Any

from benchmarks.timing import all_within, median
from ui.pictures.style import Style
from ui.views.hierarchy import HierarchyInputs, hierarchy_view
from ui.views.rebuild import RebuildInputs, rebuild_view


def run() -> list[dict[str, Any]]:
    """Rows of measurements against the limits of a page that feels immediate and of a rebuild of 45 people."""
    style = Style()
    clicked = iter(range(-30, 1000))

    def click() -> None:
        hierarchy_view(HierarchyInputs(belief="sparse", y=next(clicked) % 30), style)

    rows = [
        ("view of hierarchy, flat belief", median(lambda: hierarchy_view(HierarchyInputs(), style), 15), 0.050),
        ("view of hierarchy, a click under a sparse belief", median(click, 15), 0.050),
        (
            "view of rebuild, 45 people, nothing kept",
            median(lambda: rebuild_view(RebuildInputs(), style, None, {}), 5),
            2.0,
        ),
    ]
    return all_within(rows)
