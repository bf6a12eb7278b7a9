"""Rebuilding a block in a browser: the draw of a link, another draw, the run over budgets, a stop."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage, at_rest, shown


def test_a_seed_in_the_link_gives_everybody_the_same_block(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/rebuild?people=20&seed=5")
    expect(page.locator("figure.riskline-icons svg")).to_have_count(2)
    at_rest(page)
    drawn = page.locator("figure.riskline-icons").first.inner_html()
    other = open_page(f"{app}/rebuild?people=20&seed=5")
    expect(other.locator("figure.riskline-icons svg")).to_have_count(2)
    at_rest(other)
    assert other.locator("figure.riskline-icons").first.inner_html() == drawn
    page.get_by_role("button", name=re.compile("Draw again")).click()
    expect(page).to_have_url(re.compile("seed=6"))
    at_rest(page)
    assert page.locator("figure.riskline-icons").first.inner_html() != drawn


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
