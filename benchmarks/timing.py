"""How benchmarks measure and tell: processor seconds, and one row for each measurement."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


def times(call: Callable[[], object], repeats: int) -> list[float]:
    """Processor seconds of each call, rising: a busy machine does not count as slow code."""
    found = []
    for _ in range(repeats):
        start = time.process_time()
        call()
        found.append(time.process_time() - start)
    return sorted(found)


def best(call: Callable[[], object], repeats: int = 5) -> float:
    """Shortest of several runs."""
    return times(call, repeats)[0]


def median(call: Callable[[], object], repeats: int = 9) -> float:
    """The run in the middle."""
    return times(call, repeats)[repeats // 2]


def rerun(stem: str) -> float:
    """A whole run of a page in the server, the one in the middle of nine."""
    from streamlit.testing.v1 import AppTest

    test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    test.switch_page(f"pages/{stem}.py").run()
    return median(test.run, 9)


def row(
    name: str, seconds: float, target: str, met: bool, baseline: str = "", baseline_seconds: float | None = None
) -> dict[str, Any]:
    """One measurement beside its target, and beside a slower way where there is one."""
    return {
        "name": name,
        "seconds": seconds,
        "baseline": baseline,
        "baseline_seconds": baseline_seconds,
        "ratio": None if baseline_seconds is None else baseline_seconds / seconds,
        "target": target,
        "met": met,
    }


def within(
    name: str, seconds: float, most: float, baseline: str = "", baseline_seconds: float | None = None, ratio: float = 0
) -> dict[str, Any]:
    """One measurement that may take `most` seconds, and has to be `ratio` times faster than another way."""
    target = f"at most {1000 * most:g} ms of processor time" + (f", {ratio:g} times faster" if ratio else "")
    fast = baseline_seconds is None or baseline_seconds / seconds >= ratio
    return row(name, seconds, target, seconds <= most and fast, baseline, baseline_seconds)


def all_within(measured: Iterable[tuple[str, float, float]]) -> list[dict[str, Any]]:
    """Rows of names with the seconds they take and may take."""
    return [within(*one) for one in measured]
