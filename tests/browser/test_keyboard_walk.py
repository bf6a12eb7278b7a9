"""From the line to the memo with the keyboard alone."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage, at_rest, settled
from tests.browser.keyboard import OUT_OF_SIGHT, focused, out_of_sight, tab_to


def test_the_menu_is_skipped_a_budget_chosen_and_its_memo_opened_without_a_mouse(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/choose")
    expect(page.get_by_label(re.compile("^Control point 2 of"))).to_be_visible()
    at_rest(page)
    page.keyboard.press("Tab")
    assert focused(page) == "Skip to main content"
    page.keyboard.press("Enter")
    expect(page.locator("h1.riskline-page")).to_be_focused()
    page.keyboard.press("Tab")
    assert focused(page).startswith("Change")
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


def test_at_twice_the_size_the_focus_is_always_seen_and_the_budget_beside_the_point_that_moves(
    open_page: OpenPage, app: str
) -> None:
    page = open_page(f"{app}/choose", width=640, height=360)  # a window of 1280 × 720 at 200 %
    point = page.get_by_label(re.compile("^Control point 3 of"))
    expect(point).to_be_visible()
    at_rest(page)
    assert out_of_sight(page) == []
    tab_to(page, "^Control point 3 of")
    page.keyboard.press("ArrowDown")
    budget = page.locator(".readout strong")
    expect(point).to_have_attribute("aria-valuetext", "before 333 in 1,000, after at most 990 in 1,000")
    expect(budget).to_have_text(re.compile("^ε = "))
    expect(budget).to_be_in_viewport(ratio=1)
    expect(page.locator(".riskline-number").first).not_to_be_in_viewport()
    page.keyboard.press("Home")
    expect(budget).to_have_text("ε = 0")
    assert not page.evaluate(OUT_OF_SIGHT)
    expect(budget).to_be_in_viewport(ratio=1)
    tab_to(page, "Draw by questions$", most=3)  # the controls stand below the picture here, and follow it


def test_a_page_link_under_the_keyboard_has_a_ring_that_stands_out_in_both_themes(
    open_page: OpenPage, app: str
) -> None:
    page = open_page(f"{app}/")
    link = page.get_by_test_id("stMain").get_by_test_id("stPageLink").locator("a").first
    expect(link).to_be_visible()
    at_rest(page)
    expect(link).to_have_css("outline-style", "none")
    tab_to(page, f"^{re.escape(link.inner_text())}$")
    expect(link).to_have_css("outline-style", "solid")
    expect(link).to_have_css("outline-width", "2px")
    grounds = set()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        at_rest(page)
        colour = link.evaluate("one => getComputedStyle(one).outlineColor")
        ground = page.get_by_test_id("stApp").evaluate("one => getComputedStyle(one).backgroundColor")
        assert contrast(colour, ground) >= 3, scheme
        grounds.add(ground)
    assert len(grounds) == 2


def contrast(one: str, other: str) -> float:
    """The contrast of two opaque colours as WCAG 2 defines it."""
    low, high = sorted(luminance(re.findall(r"\d+", colour)[:3]) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def luminance(channels: list[str]) -> float:
    parts = [int(channel) / 255 for channel in channels]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
