"""Public information in a browser: lines that arrive, a stop that keeps them, the other side, odd numbers."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpenPage, settled

QUICK = "side=helps&records=2000&public=200&rounds=2&repeats=1"


def answer(page: Page) -> Locator:
    return page.locator(".riskline-answer")


def test_the_other_side_is_one_click_away_and_its_lines_arrive(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/public_information?{QUICK.replace('helps', 'hurts')}")
    expect(answer(page)).to_contain_text("the same promise needs 11.3 times the noise")
    page.get_by_text("It helps: a public file").click()
    expect(page.locator(".js-plotly-plot")).to_have_count(2)
    expect(page).to_have_url(re.compile("side=helps"))
    expect(answer(page)).to_contain_text("points")
    expect(page.get_by_role("button", name="Stop drawing")).to_have_count(0)


def test_a_long_run_can_be_stopped_and_goes_on(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/public_information")
    page.goto(f"{app}/public_information?side=helps&repeats=5&rounds=60&records=200000&public=20000")
    page.get_by_role("button", name="Stop drawing").click()
    expect(page.get_by_role("button", name="Go on drawing")).to_be_visible()
    settled(page)
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    page.get_by_role("button", name="Go on drawing").click()
    expect(page.get_by_role("button", name="Stop drawing")).to_be_visible()


def test_an_odd_number_gets_a_sentence(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/public_information?shift=9&public=0")
    expect(page.get_by_text("How different the public people are must lie in [-2, 2]; got '9'")).to_be_visible()
    expect(page.get_by_text("Public rows must be a whole number from 1 to 20,000; got '0'")).to_be_visible()
