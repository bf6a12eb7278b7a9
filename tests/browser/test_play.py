"""The game in a browser: three rounds by keyboard alone, the same draws for everybody, a class table in no link."""

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
    said, address = page.locator(".riskline-answer").inner_text(), page.evaluate("location.href")
    other = open_page(address)
    expect(other.locator(".riskline-answer")).to_have_text(said)


def test_another_seed_starts_a_game_without_bets(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/play?bets=12&seed=4")
    expect(page.locator(".riskline-answer")).to_contain_text("of 2 rounds,", timeout=60_000)
    page.get_by_label("Seed", exact=True).fill("5")
    page.keyboard.press("Enter")
    expect(shown(page, "Round 1 of 10").first).to_be_visible()
    expect(page).not_to_have_url(re.compile("bets="))


def test_names_of_a_class_stand_in_a_table_and_in_no_link(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/play?bets=1231231231&told=yes")
    expect(page.locator(".riskline-answer")).to_contain_text("of 10 rounds,", timeout=60_000)
    shown(page, "Class table", exact=True).click()
    page.get_by_label("Names and rounds right").fill("Ada 9\n<img src=x onerror=alert(1)> 2")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("rowheader", name="1", exact=True).first).to_be_visible()
    expect(shown(page, "<img src=x onerror=alert(1)>", exact=True).first).to_be_visible()
    assert "Ada" not in page.evaluate("location.href")
