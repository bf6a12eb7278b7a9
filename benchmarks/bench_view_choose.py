"""How long the pages choose and accuracy take: the view alone and a whole run, in processor time."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from ui.pictures.look import Look
from ui.views.accuracy import AccuracyInputs, accuracy_view
from ui.views.choose import ChooseInputs, choose_view

ROOT = Path(__file__).resolve().parents[1]


def _median(call: Callable[[], Any], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return sorted(times)[repeats // 2]


def _rerun(stem: str) -> float:
    test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    test.switch_page(f"pages/{stem}.py").run()
    return _median(test.run, 9)


def run() -> list[dict[str, Any]]:
    """Rows of measurements against the limits of a page that feels immediate."""
    rows = [
        ("view of choose", _median(lambda: choose_view(ChooseInputs(), Look()), 15), 0.030),
        ("view of choose, drawn line", _median(lambda: choose_view(ChooseInputs(line="drawn"), Look()), 15), 0.030),
        ("view of choose, both beliefs", _median(lambda: choose_view(ChooseInputs(question="both"), Look()), 9), 0.060),
        ("view of accuracy", _median(lambda: accuracy_view(AccuracyInputs(), Look()), 9), 0.040),
        ("rerun of choose in the server", _rerun("choose"), 0.050),
        ("rerun of accuracy in the server", _rerun("accuracy"), 0.060),
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
