"""Publishing in a browser: areas that are added to the chosen one change the answer and the link."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage, pick


def test_an_area_is_added_from_a_list_by_its_name(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/publish?area=3&cell=1")
    answer = page.locator(".riskline-answer")
    expect(answer).to_contain_text("Block 3, under voting age: between")
    pick(page, "Together with", "Block 5 (9105)")
    expect(answer).to_contain_text("Block 3 and 1 more, under voting age: between")
    expect(page).to_have_url(re.compile("more_areas=5"))
