"""The game in a browser: three rounds by keyboard alone."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, at_rest, settled, shown


def tab_to(page: Page, name: str) -> None:
    """Move the focus with the tab key until the button of that name has it."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if re.match(name, page.evaluate("document.activeElement.innerText ?? ''")):
            return
    raise AssertionError(f"no button {name} within 60 steps of the tab key")


def test_three_rounds_by_keyboard_alone(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/play")
    at_rest(page)
    tab_to(page, "2 Not of voting age")
    page.keyboard.press("Enter")
    expect(page.locator(".riskline-answer")).to_contain_text("of 1 round,")
    settled(page)
    tab_to(page, "Round 2")
    page.keyboard.press("Enter")
    expect(shown(page, "Round 2 of 10").first).to_be_visible()
    settled(page)
    page.keyboard.press("1")
    expect(page.locator(".riskline-answer")).to_contain_text("of 2 rounds,")
    settled(page)
    page.keyboard.press("n")
    expect(shown(page, "Round 3 of 10").first).to_be_visible()
    settled(page)
    page.keyboard.press("3")
    expect(page.locator(".riskline-answer")).to_contain_text("of 3 rounds,")
    expect(page).to_have_url(re.compile("bets=213"))
