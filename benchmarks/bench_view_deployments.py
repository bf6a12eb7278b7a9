"""How long the page of published budgets takes, in processor time."""

from __future__ import annotations

from typing import Any

from benchmarks.bench_view_choose import _median, _rerun
from ui.pictures.look import Look
from ui.views.deployments import DeploymentsInputs, deployments_view


def run() -> list[dict[str, Any]]:
    """Rows of measurements against the limits of a page that feels immediate."""
    rows = [
        ("view of deployments", _median(lambda: deployments_view(DeploymentsInputs(), Look()), 15), 0.100),
        ("rerun of deployments in the server", _rerun("deployments"), 0.150),
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
        print(row)
