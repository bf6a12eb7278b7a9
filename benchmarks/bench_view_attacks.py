"""How long the pages hierarchy and rebuild take: views, folds and the rebuild of 45 people, in processor time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from ui.pictures.look import Look
from ui.views.hierarchy import HierarchyInputs, after_fitting, hierarchy_view
from ui.views.rebuild import RebuildInputs, rebuild_view


def _median(call: Callable[[], Any], repeats: int) -> float:
    call()
    times = []
    for _ in range(repeats):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return sorted(times)[repeats // 2]


def run() -> list[dict[str, Any]]:
    """Rows of measurements against the limits of a page that feels immediate and of a rebuild of 45 people."""
    look = Look()
    clicked = iter(range(-30, 1000))

    def click() -> None:
        hierarchy_view(HierarchyInputs(belief="sparse", y=next(clicked) % 30), look)

    rows = [
        ("view of hierarchy, flat belief", _median(lambda: hierarchy_view(HierarchyInputs(), look), 15), 0.050),
        ("view of hierarchy, a click under a sparse belief", _median(click, 15), 0.050),
        ("fold of hierarchy, after fitting", _median(lambda: after_fitting(HierarchyInputs(), look), 5), 0.300),
        (
            "view of rebuild, 45 people, nothing kept",
            _median(lambda: rebuild_view(RebuildInputs(), look, None, {}), 5),
            2.0,
        ),
    ]
    return [
        {
            "name": name,
            "seconds": seconds,
            "baseline": "",
            "baseline_seconds": limit,
            "ratio": 0.0,
            "target": f"at most {1000 * limit:.0f} ms of processor time",
            "met": seconds <= limit,
        }
        for name, seconds, limit in rows
    ]


if __name__ == "__main__":
    for row in run():
        print(f"{row['name']}: {1000 * row['seconds']:.1f} ms ({row['target']}; met: {row['met']})")
