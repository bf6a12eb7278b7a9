"""Rebuilding a block in a browser: the run over budgets, a stop."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage, shown


def test_the_run_over_budgets_can_be_stopped_and_finished(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/rebuild")
    expect(page.locator(".js-plotly-plot")).to_have_count(1)
    shown(page, "Rebuild at seven budgets, ten draws each").click()
    page.get_by_role("button", name="Stop rebuilding").click()
    expect(page.get_by_role("button", name="Go on rebuilding")).to_be_visible()
    expect(page).to_have_url(re.compile("sweep=yes"))
    expect(shown(page, re.compile(r"in \d+ of 70 draws")).or_(shown(page, "The draw above, the guess"))).to_be_visible()
    expect(page.locator(".js-plotly-plot")).to_have_count(1)
    page.get_by_role("button", name="Go on rebuilding").click()
    expect(shown(page, "in 70 of 70 draws").first).to_be_visible(timeout=60_000)
    expect(page.get_by_role("button", name="rebuilding")).to_have_count(0)
    page.reload()
    expect(page.get_by_role("switch", name="Rebuild at seven budgets")).to_be_checked()
    expect(shown(page, re.compile(r"in \d+ of 70 draws")).first).to_be_visible(timeout=30_000)
    expect(page.locator(".js-plotly-plot")).to_have_count(1)
