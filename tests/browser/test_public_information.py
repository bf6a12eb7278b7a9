"""Public information in a browser: a run that is stopped, goes on, and ends with its reader."""

from __future__ import annotations

import re
import time
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage, settled

LONG = "side=helps&repeats=5&rounds=60&records=200000&public=20000"


def computing(app: str) -> int:
    """Processes that compute for readers of this server."""
    port = app.rpartition(":")[2]
    found = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if b"ui.runs.worker" in (folder / "cmdline").read_bytes():
                parent = re.search(r"PPid:\s*(\d+)", (folder / "status").read_text())
                found += bool(parent) and port in Path(f"/proc/{parent[1]}/cmdline").read_text()
        except OSError:  # it has just ended
            continue
    return found


def ended(app: str) -> bool:
    """Whether nothing computes any more, within fifteen seconds."""
    end = time.monotonic() + 15
    while computing(app) and time.monotonic() < end:
        time.sleep(0.2)
    return computing(app) == 0


def test_a_long_run_can_be_stopped_goes_on_and_ends_with_the_reader_who_asked_for_it(
    open_page: OpenPage, app: str
) -> None:
    page = open_page(f"{app}/public_information")
    page.goto(f"{app}/public_information?{LONG}")
    stop, go_on = (page.get_by_role("button", name=f"{act} drawing") for act in ("Stop", "Go on"))
    stop.click()  # at once: a fast machine draws all of it in three seconds
    expect(go_on).to_be_visible()
    assert ended(app)
    settled(page)
    go_on.click()
    expect(stop).to_be_visible(timeout=60_000)
    assert computing(app) == 1
    page.close()
    assert ended(app)
