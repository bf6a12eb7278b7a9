"""Tables that add up in a browser: another rule and another draw, both in the link."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage, at_rest, pick, shown


def test_another_rule_and_a_new_draw_are_in_the_link(open_page: OpenPage, app: str) -> None:
    page = open_page(f"{app}/add_up")
    answer = page.locator(".riskline-answer")
    expect(answer).to_contain_text("With the likeliest split")
    pick(page, "Rule for adding up", "even-handed rule")
    expect(answer).to_contain_text("With the even-handed rule")
    at_rest(page)
    page.get_by_role("button", name="Draw again").click()
    expect(page).to_have_url(re.compile("rule=remainder&seed=2"))
    expect(shown(page, "(seed 2), not for release").first).to_be_visible()
