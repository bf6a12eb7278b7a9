"""From the line to the memo with the keyboard alone."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage, at_rest, settled
from tests.browser.keyboard import focused, tab_to


def test_a_budget_is_chosen_and_its_memo_opened_without_a_mouse(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/choose")
    expect(page.get_by_label(re.compile("^Control point 2 of"))).to_be_visible()
    at_rest(page)
    tab_to(page, "^Control point 2 of")
    for _ in range(10):
        page.keyboard.press("ArrowUp")
        page.wait_for_timeout(400)
        if "ε = 1.29" not in page.locator(".riskline-number").inner_text():
            break
    expect(page.locator(".riskline-number")).not_to_contain_text("ε = 1.29")
    at_rest(page)
    budget = re.search(r"ε = [\d.]+\d", page.locator(".riskline-number").inner_text())
    assert budget is not None
    page.get_by_test_id("stTopNavSection").filter(has_text="Decide").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("stTopNavDropdownLink").first).to_be_visible()
    for _ in range(12):
        if "memo" in focused(page).lower():
            break
        page.keyboard.press("ArrowDown")
    assert "memo" in focused(page).lower(), focused(page)
    page.keyboard.press("Enter")
    expect(page.locator(".riskline-answer")).to_contain_text("Draft")
    settled(page)
    expect(page.locator(".riskline-answer")).to_contain_text(budget.group())
