"""What an epsilon means, in a browser: icons follow a slider, and the link brings them back."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, at_rest


def said(page: Page) -> list[int]:
    """The belief before and the one after in the answer, and what stands under both panels, without denominators."""
    expect(page.locator(".riskline-answer strong")).to_have_count(2)
    expect(page.locator(".riskline-icons path")).to_have_count(200)
    after, before = page.locator(".riskline-answer strong").all_inner_texts()
    under = page.locator(".riskline-icons strong").all_inner_texts()
    found = [int(re.sub(r"At most | in .*|,", "", text)) for text in (before, after, *under)]
    assert found[1] == found[2]
    return [found[0], *found[2:]]


def counted(page: Page, panel: int, kind: str) -> int:
    expect(page.locator(".riskline-icons path")).to_have_count(200)
    return page.locator(".riskline-icons").nth(panel).locator(f"path.{kind}").count()


def test_icons_count_what_the_sentence_says_follow_the_slider_and_come_back_by_the_link(
    open_page: OpenPage, app: str
) -> None:
    page = open_page(f"{app}/explain")
    before = said(page)
    expect(page.get_by_role("img", name="If in the data: belief before 50 of 100 icons")).to_be_visible()
    assert [counted(page, panel, "kept") for panel in (0, 1)] == [50, before[2]]
    page.get_by_role("slider", name="Privacy budget ε").focus()
    page.keyboard.press("PageUp")
    expect(page).to_have_url(re.compile("epsilon="))
    at_rest(page)
    now = said(page)
    assert now[1] > before[1]
    assert counted(page, 0, "kept") + counted(page, 0, "moved") == now[1]
    other = open_page(page.evaluate("location.href"))
    assert said(other) == now
    assert counted(other, 1, "kept") == now[2]
