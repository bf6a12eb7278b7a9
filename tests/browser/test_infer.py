"""Learning from a noisy release in a browser: a regression whose draws are made meanwhile."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpenPage, shown


def answer(page: Page) -> Locator:
    return page.locator(".riskline-answer")


def test_the_regression_is_computed_on_demand(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/infer?part=regression")
    expect(answer(page)).to_contain_text("Compute")
    expect(page.locator(".js-plotly-plot")).to_have_count(1)
    shown(page, "Compute", exact=True).last.click()
    expect(page.get_by_role("button", name="Stop drawing")).to_be_visible()
    expect(page.locator(".js-plotly-plot")).to_have_count(1)  # the picture stays while the draws are made
    expect(page).to_have_url(re.compile("compute=yes"))
    expect(answer(page)).to_contain_text("The line rises by", timeout=60_000)
    expect(page.get_by_role("button", name="Stop drawing")).to_have_count(0)
