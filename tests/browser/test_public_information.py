"""Public information in a browser: lines that arrive, a stop that keeps them, the other side, odd numbers."""

from __future__ import annotations

import re
import time
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpenPage, pick, settled, shown

LONG = "side=helps&repeats=5&rounds=60&records=200000&public=20000"

QUICK = "side=helps&records=2000&public=200&rounds=2&repeats=1"


def answer(page: Page) -> Locator:
    return page.locator(".riskline-answer")


def test_the_other_side_is_one_click_away_and_its_lines_arrive(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/public_information?{QUICK.replace('helps', 'hurts')}")
    expect(answer(page)).to_contain_text("takes 11.4 times the usual noise")
    pick(page, "Public information", "A public file helps")
    expect(page.locator(".js-plotly-plot")).to_have_count(1)
    expect(page).to_have_url(re.compile("side=helps"))
    expect(answer(page)).to_contain_text("ublic data")
    expect(page.get_by_role("button", name="Stop drawing")).to_have_count(0)


def test_a_long_run_can_be_stopped_and_goes_on(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/public_information")
    page.goto(f"{app}/public_information?{LONG}")
    page.get_by_role("button", name="Stop drawing").click()  # at once: a fast machine draws all of it in three seconds
    expect(page.get_by_role("button", name="Go on drawing")).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Go on drawing").click()
    expect(answer(page)).to_contain_text("plain noise is as good or better", timeout=60_000)
    expect(page.locator(".js-plotly-plot")).to_have_count(1)
    expect(page.get_by_role("button", name="Go on drawing")).to_have_count(0)
    expect(page.get_by_role("button", name="Stop drawing")).to_have_count(0, timeout=60_000)


def test_an_odd_number_gets_a_sentence(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/public_information?shift=9&public=0")
    expect(shown(page, "“How different are public people?” must lie in [-2, 2]; got '9'").first).to_be_visible()
    expect(shown(page, "Public rows must be a whole number from 1 to 20,000; got '0'").first).to_be_visible()


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


def test_work_ends_with_the_reader_who_asked_for_it(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/public_information")
    page.goto(f"{app}/public_information?{LONG}")
    expect(page.get_by_role("button", name="Stop drawing")).to_be_visible(timeout=60_000)
    assert computing(app) == 1
    page.close()
    end = time.monotonic() + 15
    while computing(app) and time.monotonic() < end:
        time.sleep(0.2)
    assert computing(app) == 0
