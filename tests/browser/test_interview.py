"""The interview by keyboard alone, and the picture of *Choose a budget* in a low window with large type."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, at_rest, resting_box, settled, shown
from tests.browser.keyboard import tab_to


def press(page: Page, answer: str) -> None:
    """Go to a button with Tab, also from where the button before it stood, and press Enter."""
    expect(page.get_by_role("button", name=answer, exact=True)).to_be_visible()
    settled(page)
    tab_to(page, f"^{answer}$", most=90)
    page.keyboard.press("Enter")


def test_an_interview_is_answered_by_keyboard_and_survives_a_reload(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/choose?interview=ct222")
    press(page, "40 in 100")
    expect(shown(page, "5 of 5.").first).to_be_visible()
    press(page, "70 in 100")
    press(page, "Yes, acceptable")
    expect(shown(page, "from 20 in 100 to 40 in 100").first).to_be_visible()
    press(page, "No")
    expect(shown(page, "Line drawn").first).to_be_visible()
    expect(page).to_have_url(re.compile(r"interview=ct22222yn"))
    expect(page.get_by_label(re.compile("^Control point 5 of 5$"))).to_be_visible()
    at_rest(page)
    answer = page.locator(".riskline-answer").inner_text()
    expect(page.locator(".riskline-number").first).to_contain_text("ε = 0.91")
    page.reload()
    settled(page)
    expect(shown(page, "Line drawn").first).to_be_visible()
    expect(page.locator(".riskline-answer")).to_have_text(answer)
    expect(page.get_by_label(re.compile("^Control point 2 of 5$"))).to_be_visible()
    at_rest(page)  # the focus would be lost with what is drawn anew
    tab_to(page, "^Control point 2 of 5")
    page.keyboard.press("ArrowUp")
    expect(shown(page, "The line has moved.").first).to_be_visible()


def test_the_picture_with_what_decides_is_above_the_fold_of_a_projector(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/choose?type=large", width=1280, height=720)
    label = page.locator(".labels .binding")
    expect(label).to_be_visible()
    at_rest(page)
    for part in (label, page.locator(".editor svg")):
        box = resting_box(part)
        assert box["y"] + box["height"] <= 720, box
