"""How long the pages choose and accuracy take: the view alone and a whole run, in processor time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.timing import all_within, median, rerun
from ui.pictures.style import Style
from ui.views.accuracy import AccuracyInputs, accuracy_view
from ui.views.choose import ChooseInputs, choose_view

ROOT = Path(__file__).resolve().parents[1]


def run() -> list[dict[str, Any]]:
    """Rows of measurements against the limits of a page that feels immediate."""
    rows = [
        ("view of choose", median(lambda: choose_view(ChooseInputs(), Style()), 15), 0.030),
        ("view of choose, drawn line", median(lambda: choose_view(ChooseInputs(line="drawn"), Style()), 15), 0.030),
        ("view of choose, both beliefs", median(lambda: choose_view(ChooseInputs(secret="both"), Style()), 9), 0.060),
        ("view of accuracy", median(lambda: accuracy_view(AccuracyInputs(), Style()), 9), 0.040),
        ("rerun of choose in the server", rerun("choose"), 0.050),
        ("rerun of accuracy in the server", rerun("accuracy"), 0.060),
    ]
    return all_within(rows)
