"""How long the page of published budgets takes, in processor time."""

from __future__ import annotations

from typing import Any

from benchmarks.timing import all_within, median, rerun
from ui.pictures.style import Style
from ui.views.deployments.choices import DeploymentsInputs
from ui.views.deployments.view import deployments_view


def run() -> list[dict[str, Any]]:
    """Rows of measurements against the limits of a page that feels immediate."""
    rows = [
        ("view of deployments", median(lambda: deployments_view(DeploymentsInputs(), Style()), 15), 0.100),
        ("rerun of deployments in the server", rerun("deployments"), 0.150),
    ]
    return all_within(rows)
