"""Published budgets in a browser: a filter draws fewer rows and is in the link."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage, pick, settled, shown


def test_asking_to_rank_mixed_units_is_refused_in_words(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/deployments")
    expect(page.locator(".riskline-answer")).to_contain_text("95 of 100 times")
    expect(shown(page, "Redistricting, persons")).to_be_visible()
    shown(page, "Filter, sort, convert").click()
    pick(page, "Order", "budget")
    expect(shown(page, "Not ranked").first).to_be_visible()
    expect(page).to_have_url(re.compile("order=budget"))
    settled(page)
