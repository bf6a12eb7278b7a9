"""What it costs in a browser: districts are pasted, and stay in the session."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage


def test_pasted_districts_are_counted_and_are_not_in_the_link(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/accuracy")
    box = page.get_by_role("textbox", name="Your districts")
    box.fill("district\tcount\nNorth Town\t40\nSouth\t0\ntotal\t40")
    box.press("Control+Enter")
    expect(page.locator(".riskline-small").filter(has_text="Of 2 districts, on average 0.065")).to_be_visible()
    expect(page.get_by_role("rowheader", name="North Town")).to_be_visible()
    expect(page).not_to_have_url(re.compile("North"))
