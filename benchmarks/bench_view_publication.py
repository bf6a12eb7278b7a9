"""How long *Plan a publication* takes: the view alone, with who pays, and a whole run, in processor time."""

from __future__ import annotations

from typing import Any

from benchmarks.timing import all_within, median, rerun
from riskline.case.tables import asked_otherwise
from ui.pictures.style import Style
from ui.views.publication import PublicationInputs, publication_view


def run() -> list[dict[str, Any]]:
    """Rows of measurements against the limits of a page that feels immediate."""
    chosen, style = PublicationInputs(), Style()
    before = asked_otherwise(chosen.tables, {4: 18.0})
    return all_within(
        [
            ("view of publication", median(lambda: publication_view(chosen, style), 15), 0.080),
            ("view of publication, with who pays", median(lambda: publication_view(chosen, style, before), 15), 0.080),
            ("rerun of publication in the server", rerun("publication"), 0.120),
        ]
    )
