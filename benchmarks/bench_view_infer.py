"""How long the page on noisy releases takes: its view with nothing remembered and again, in processor time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from benchmarks.timing import all_within
from ui.pictures.style import Style
from ui.views.infer import InferInputs, infer_view
from ui.views.shared.session_results import results_kept_in


def _median(call: Callable[[int], object], repeats: int) -> float:
    times = []
    for number in range(repeats):
        start = time.process_time()
        with results_kept_in({}):  # as in a session; each has its own store, so nothing is remembered
            call(number)
        times.append(time.process_time() - start)
    return sorted(times)[repeats // 2]


def run() -> list[dict[str, Any]]:
    """Rows of measurements against the limit of issue 6; every repeat has its own release, so nothing is remembered."""
    infer_view(InferInputs(), Style())
    rows = [
        ("view of infer", _median(lambda k: infer_view(InferInputs(mean=30.0 + k), Style()), 9), 0.120),
        (
            "view of infer, flat prior",
            _median(lambda k: infer_view(InferInputs(mean=30.0 + k, prior="flat"), Style()), 9),
            0.120,
        ),
        ("view of infer, the study", _median(lambda _: infer_view(InferInputs(part="coverage"), Style()), 9), 0.120),
    ]
    return all_within(rows)
